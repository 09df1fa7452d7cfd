"""Every text of the command line and the table, in one place: to be read together, and to be translated."""

from __future__ import annotations

# Help ----------------------------------------------------------------------------------------------------

PROGRAM = "Games as rule files: check them, play them, and see every refusal and every point explained."
GAMES = "List the shipped games with their players, options and choices."
VALIDATE = (
    "Check rule files for every number of players and all options, and print all that is wrong.\n\n"
    "FILE is a path or the name of a shipped game. `rulespec validate --explain name-unknown` tells what a code means."
)
OPTION_EXPLAIN = "Tell what a code means, with a wrong file and the same mended."
OPTION_FORMAT = "How to print: for people, as JSON, as SARIF 2.1.0, or as annotations for GitHub workflows."
TEST = "Run the worked examples of rule files."
PLAY = (
    "Play a game at the terminal. Without a terminal bots play it out, and every point is explained.\n\n"
    "GAME is a shipped name or the path of a rule file."
)
SOURCE = "Print the program that a rule file is turned into."
PERFT = "Count the sequences of decisions from the start, chance left open: for comparing engines."
SCHEMA = "Print the JSON Schema of rule files, for editors."
OPTION_JSON = "Print JSON."
OPTION_PLAYERS = "How many play; the fewest by default."
OPTION_HOUSE = "Play with a house rule, a file or shipped name; can be repeated."
OPTION_SET = "Choose something else than an option's default; can be repeated."
OPTION_SEED = "The same seed gives the same game."
OPTION_SEATS = "Who sits where, from player 1 on: human, greedy or random; the last one sits on all seats left."
OPTION_FIRST = "The player who begins."
OPTION_DEPTH = "How many decisions deep."
OPTION_DIVIDE = "Print the count under each first decision too."

# Usage ---------------------------------------------------------------------------------------------------

USAGE_ERROR = "error: {message}"
SET_SHAPE = "expected `--set option=choice`, found `{found}`"
SEAT_UNKNOWN = "no seat called `{found}`; seats are {known}"
SEATS_MANY = "{found} seats for {players} players"
FIRST_UNKNOWN = "player {found} cannot begin: there are {players} players"
FIRST_FIXED = "this game does not let its players choose who begins"
CANNOT_WRITE = "the output cannot be written: {reason}"
INTERNAL = (
    "internal error: {name}: {message}\n"
    "This is a fault of rulespec, not of the rules or of the moves. Run it again with RULESPEC_TRACEBACK=1 for details."
)
FAULT = "{span}: fault: {message}\n  why: the rules allow a position in which they cannot go on"

# The list of games ---------------------------------------------------------------------------------------

GAME_LINE = "{name}: {title}, {players}"
HOUSE_RULE = ", a house rule of {game}"
GAME_TEXT = "    {text}"
CHOICE_LINE = "    {option}={choice}: {text}"
DEFAULT_LINE = "    {option}={choice} (default): {text}"
PLAYERS_RANGE = "{fewest} to {most} players"

# Checking ------------------------------------------------------------------------------------------------

GOOD = "{file}: good ({combinations} of options, {players})"
BAD = "{file}: {errors}"
EXPLAIN_MORE = "rulespec validate --explain {code} tells more"
CODE_UNKNOWN = "no code called `{code}`; {fix}"
DID_YOU_MEAN = "did you mean `{name}`?"
ALL_CODES = "the codes are {codes}"
EXAMPLE_PASSED = "✓ {name}"
EXAMPLE_FAILED = "✗ {name}"
EXAMPLE_CHANGED = "~ {name} (changed by this file)"
EXAMPLE_PROBLEM = "    {span}: {message}"
EXAMPLES = "{file}: {examples}, {passed} passed, {failed} failed"
COVERAGE_OPTION = "Also tell which rules the examples and random games reached."
COVERAGE_GAMES = "Random games for --coverage, spread over players and options."
COVERED = "{file}: {reached} of {points} points reached by the examples and {games} random games"
MISSED = "    {span}: never: {what}"
EXAMPLES_CHANGED = ", {changed} changed"

# A game --------------------------------------------------------------------------------------------------

HEADING = "{title} · {players}{options} · seed {seed}"
SEATS = "player {player}: {seat}"
PLAYER = "player {player}"
PLAYERS_AND = "players {players}"
CHANCE = "chance"
TO_MOVE = "to move"
BEGINS_WITH = "starts with {points}"
HELD = ", the score changes by {gained}"
LEDGER = "{player}: {points}"
NOTHING_SCORED = "nothing scored"
WINS = "{who} wins: {reason}"
SHARE = "{who} share the win: {reason}"
LEGEND = "{symbol} {name}"
NOTHING = "-"
TIMES = "{count}×"
OUTCOME_TIMES = "{outcome} ×{count}"

# A person at the terminal --------------------------------------------------------------------------------

PROMPT = "{player}> "
MOVES_COUNT = "{moves} possible; `?` lists them, `? WORDS` those that begin so"
HELP = (
    "a move or its number plays it     ?            the moves, with their numbers\n"
    "board        the boards again     ? WORDS      the moves that begin with these words\n"
    "score        every point so far   why MOVE     why a move is not possible\n"
    "undo         take back            quit         stop here"
)
NO_SUCH_MOVES = "no possible move begins with `{words}`"
NO_NUMBER = "there is no move {number}; they are numbered from 1 to {last}"
WHY_WHAT = "write `why` and a move"
LEGAL = "`{move}` is possible: {text}"
REFUSED = "`{move}` is not possible:"
OBJECTION = "  {text}"
WHERE = " ({condition}, {file}:{line})"
UNDONE = "{decisions} taken back"
UNDONE_CHANCE = "; what chance decided meanwhile was seen, and will come again"
NOTHING_TO_UNDO = "there is nothing to take back"
INPUT_ENDED = "the input ended before the game did: {player} was to move"
STOPPED = "stopped after {decisions}"

# Counting ------------------------------------------------------------------------------------------------

PERFT_LINE = "depth {depth}: {count}"
PERFT_UNDER = "  {move}: {count}"


def number_of(n: int, what: str) -> str:
    """`1 player`, `2 players`."""
    return f"{n} {what}{'' if n == 1 else 's'}"


def players(numbers: tuple[int, ...]) -> str:
    """`2 to 4 players`."""
    if len(numbers) == 1:
        return number_of(numbers[0], "player")
    return PLAYERS_RANGE.format(fewest=numbers[0], most=numbers[-1])


def listed(words: list[str]) -> str:
    """`1`, `1 and 2`, `1, 2 and 3`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def signed(points: int) -> str:
    return f"{points:+d}" if points else "0"
