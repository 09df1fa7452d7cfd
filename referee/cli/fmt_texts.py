"""The texts of `rulespec fmt`."""

FMT = (
    "Reformat rule files: indentation, spacing, blank lines, aligned comments. Their meaning stays the same.\n\n"
    "FILE is a file, a folder with all `.yaml` files in it, or `-` for standard input, which is printed reformatted.\n\n"
    "\b\n    rulespec fmt my_game.yaml\n    rulespec fmt --check games\n"
)
CHECK_OPTION = "Write nothing; list the files that would change, and exit with 1 if there are any."
DIFF_OPTION = "Write nothing; print what would change."
CHANGED = "{file}: reformatted"
WOULD_CHANGE = "{file}: would be reformatted"
DONE = "{files}, {changed} reformatted"
WOULD_DO = "{files}, {changed} would be reformatted"
UNREADABLE = ", {bad} cannot be read"
NO_FILE = "there is no file `{file}`"
NO_FILES = "there is no `.yaml` file in `{file}`"
STANDARD_INPUT = "<standard input>"
