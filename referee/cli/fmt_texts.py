"""The texts of `rulespec fmt`."""

FMT = (
    "Lay rule files out in the one way: indentation, spacing, blank lines, comments in line. What they say stays the same.\n\n"
    "FILE is a file, a folder with all `.yaml` files in it, or `-` for standard input, which is printed laid out.\n\n"
    "\b\n    rulespec fmt my_game.yaml\n    rulespec fmt --check games\n"
)
CHECK_OPTION = "Write nothing; name the files that would change, and exit with 1 if there are any."
DIFF_OPTION = "Write nothing; print what would change."
CHANGED = "{file}: laid out anew"
WOULD_CHANGE = "{file}: would be laid out anew"
DONE = "{files}, {changed} laid out anew"
WOULD_DO = "{files}, {changed} would be laid out anew"
UNREADABLE = ", {bad} cannot be read"
NO_FILE = "there is no file `{file}`"
NO_FILES = "there is no `.yaml` file in `{file}`"
STANDARD_INPUT = "<standard input>"
