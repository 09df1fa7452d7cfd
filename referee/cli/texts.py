"""The texts of the command line: help, and messages about wrong usage."""

from __future__ import annotations

# Help ----------------------------------------------------------------------------------------------------

PROGRAM = "Games as rule files: check them, play them, and see every refusal and every point explained."
REPLAY = """Step through a recorded game, forward and back.

Enter goes forward, `b` back, a number to that decision, `first` and `last` to the ends, `q` quits. Hidden pieces stay hidden; --for shows
what one player saw.

\b
    rulespec replay evening.jsonl
    rulespec replay evening.jsonl --for 2
"""
RECORDS = """List the games that were recorded without naming a file, the last one first.

Each with when it began, its players, and its result or how far it got. `rulespec play --resume FILE` and
`rulespec table --resume FILE` continue one that is not over, `rulespec verify FILE` checks it.

\b
    rulespec records
    rulespec records --all --json
"""
OPTION_ALL = "List all of them, not only the last {most}."
RECORD_LINE = "{begun}  {title} · {players} · {state}"
RECORD_PATH = "    {path}"
RECORD_WINS = "{who} won: {scores}"
RECORD_SHARED = "{who} shared the win: {scores}"
RECORD_OPEN = "not over, {decisions}"
RECORD_DAMAGED = "damaged at line {line}: {reason}"
NO_RECORDS = "no recorded games in {folder}"
MORE_RECORDS = "and {more} more: `rulespec records --all`"

GAMES = """List the shipped games with their players, options and choices.

\b
    rulespec games
    rulespec games --json
"""
VALIDATE = """Check rule files for every number of players and all options, and report everything that is wrong.

FILE is a path or the name of a shipped game. `rulespec validate --explain name-unknown` explains a code.

\b
    rulespec validate base
    rulespec validate my_game.yaml --play 200
    rulespec validate my_game.yaml --fix
"""
OPTION_FIX = "Apply the fixes of the file's mistakes that make it better, in place, then report what is left."
OPTION_FIX_DIFF = "With --fix: write nothing; print what would change."
FIX_STANDARD_INPUT = "--fix changes a file in place: standard input (`-`) is no file; save it first"
FIX_SHIPPED = (
    "--fix does not change `{file}`, which comes with the program; `rulespec show {game} > mine.yaml` makes a copy"
)
FIX_CHANGED_MEANWHILE = "`{file}` has changed meanwhile; nothing was written"
FIX_DIFF_ALONE = "--diff goes with --fix"
FIXED_EDIT = "{place}: fixed[{code}]: {title}"
FIX_DONE = "{file}: {number} made"
FIX_WOULD = "{file}: {number} would be made"
FIX_NOTHING = "{file}: nothing to change"
OPTION_EXPLAIN = "Explain a code, with an example before and after the fix."
OPTION_FORMAT = "The output: for people, JSON, SARIF 2.1.0, or annotations for GitHub workflows."
TEST = """Run the worked examples of rule files.

\b
    rulespec test base
    rulespec test my_game.yaml --coverage
"""
PLAY = """Play a game at the terminal. Without a terminal, bots play it to the end, and every point is explained.

GAME is a shipped name or the path of a rule file.

\b
    rulespec play base
    rulespec play base --seats Anna=human,Bob=human --record evening.jsonl
    rulespec play --resume evening.jsonl
"""
SHOW = """Print a rule file: a shipped game or house rule by its name, to read or to start from.

\b
    rulespec show house/free_token > mine.yaml

The line of a shipped file that names its schema is left out: it leads nowhere from another folder.
"""
OPTION_PLAIN = "Write lines instead of drawing one screen in place, as without a terminal."
OPTION_PATH = "Print only the path of the file."
SOURCE = """Print the program that the engine makes from a rule file, at one of its stages.

\b
    rulespec source base --players 3
    rulespec source base --form program
"""
OPTION_FORM = "The typed program with the line of each rule, or the Python or C printed from it."
PERFT = """Count the sequences of decisions from the start, chance included, to compare engines.

\b
    rulespec perft base --depth 3
    rulespec perft classics/nim --depth 2 --divide
"""
SCHEMA = """Print the JSON Schema of rule files, for editors.

\b
    rulespec schema > rulespec.json
"""
COMPLETION = """Print a script for completing commands, games, house rules, options, choices and seats in a shell.

\b
    eval "$(rulespec completion bash)"     in ~/.bashrc
    eval "$(rulespec completion zsh)"      in ~/.zshrc
    rulespec completion fish > ~/.config/fish/completions/rulespec.fish
"""
OPTION_JSON = "Print JSON."
OPTION_PLAYERS = "The number of players; the fewest by default."
OPTION_VERSION = "Print the versions of the program and of the rule language."
VERSION = "rulespec {program}, rule language {language}"
OPTION_NO_FILES = "Open no files but the games that come with the program: for requests from people you do not trust."
OPTION_HOUSE = "Add a house rule, a file or shipped name; can be repeated."
OPTION_SET = "Make a choice other than an option's default; can be repeated."
OPTION_SEED = "The same seed gives the same game."
OPTION_SEATS = "Who plays, from player 1 on: human, or a bot (easy, fair, strong), with or without a name; the last one is repeated."
OPTION_RECORD = "Record the game in this new file. At a terminal it is recorded anyway; the program says where."
OPTION_NO_RECORD = "Do not record the game."
OPTION_RESUME = "Resume a recorded game, instead of GAME; without FILE the last one that is not over."
OPTION_POSITION = (
    "Begin in the position of this file, as `position` writes it in a game; `-`: of the input; or `{…}` on one line."
)
FIRST_IN_POSITION = "a position says who is to move: leave out `--first`"
NONE_UNFINISHED = "there is no game to resume in {folder}"
NO_FOLDER = "there is no folder of records: {reason}"
OPTION_FIRST = "The player who begins, by name or number."
OPTION_DEPTH = "The number of decisions."
OPTION_DIVIDE = "Also print the count under each first decision."

# Usage ---------------------------------------------------------------------------------------------------

USAGE_ERROR = "error: {message}"
WRONG_USAGE = "Error: {message}"
TRY_HELP = "Try '{command} {option}' for help."
SET_SHAPE = "expected `--set option=choice`, found `{found}`"
SEAT_UNKNOWN = "no seat called `{found}`; seats are {known}"
SEAT_NAME = "`{found}` cannot be a player's name: expected 1 to {most} letters that can be printed"
SEAT_TWICE = "two players are called `{found}`"
RESUME_ALONE = "`--resume` takes everything from the record: leave out {found}"
RESUME_TABLE = (
    "in the game of `{path}` the program did not play chance: resume it with `rulespec table --resume {path}`"
)
NOT_RECORDED = "not recorded: {reason}"
GAME_MISSING = "expected a GAME, or `--resume FILE`"
RECORD_TWICE = "`--record` and `--no-record` cannot be combined"
NO_SUCH_PLAYER = "there is no player `{found}`: expected {players}"
NAME_AND_NUMBER = "{name} ({number})"
FIRST_FIXED = "this game does not let its players choose who begins"
CANNOT_WRITE = "the output cannot be written: {reason}"
INTERNAL = (
    "internal error: {name}: {message}\n"
    "This is a bug in rulespec, not in the rules or the moves. Run it again with RULESPEC_TRACEBACK=1 for details."
)
FAULT = "{span}: fault: {message}\n  why: the rules allow a position in which they cannot continue"

# The list of games ---------------------------------------------------------------------------------------

GAME_LINE = "{name}: {title}, {players}"
HOUSE_RULE = ", a house rule of {game}"
GAME_TEXT = "    {text}"
CHOICE_LINE = "    {option}={choice}: {text}"
DEFAULT_LINE = "    {option}={choice} (default): {text}"

# Checking ------------------------------------------------------------------------------------------------

GOOD = "{file}: good ({combinations} of options, {players})"
BAD = "{file}: {errors}"
FIX_MORE = "rulespec validate --fix {file} makes the changes that are named"
EXPLAIN_MORE = "rulespec validate --explain {code} says more"
CODE_UNKNOWN = "no code called `{code}`; {fix}"
ALL_CODES = "the codes are {codes}"
MORE_ALIKE = "  and {number} more like it:"
ALIKE = "    {span}: {message}"
EXAMPLES_AS_BEFORE = "✓ as before: {examples} of the game"
EXAMPLE_PASSED = "✓ {name}"
EXAMPLE_FAILED = "✗ {name}"
EXAMPLE_CHANGED = "~ {name} (changed by this file)"
EXAMPLE_UNWRITABLE = "- {name} (can no longer be written)"
EXAMPLE_PROBLEM = "    {span}: {message}"
EXAMPLE_PROBLEMS = "    {span} ({more}): {message}"
EXAMPLE_PROBLEM_LINE = "also on line {lines}"
EXAMPLE_PROBLEM_LINES = "also on lines {lines}"
EXAMPLE_STOPPED = "    it stopped at a decision, and `expect` was looked at there: {stopped}"
EXAMPLES = "{file}: {examples}, {passed} passed, {failed} failed"
COVERAGE_OPTION = "Also report which rules the examples and random games reach."
COVERAGE_GAMES = "Random games for --coverage, over players and options."
COVERAGE_LIMIT = "The most decisions in each of these games."
NOT_NATIVE = "note: random games were played without native code, more slowly: {reason}"
COVERED = "{file}: {reached} of {points} points reached by the examples and {games}"
COVERED_PARTLY = "{file}: not all examples and {games} were played to their end: their decisions take too much work"
MISSED = "    {span}: never: {what}"
EXAMPLES_CHANGED = ", {changed} changed"
EXAMPLES_UNWRITABLE = ", {unwritable} can no longer be written"

# Counting ------------------------------------------------------------------------------------------------

PERFT_LINE = "depth {depth}: {count}"
PERFT_UNDER = "  {move}: {count}"
