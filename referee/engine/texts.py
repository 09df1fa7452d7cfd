"""The texts of the protocol for other programs."""

from __future__ import annotations

ENGINE = """Referee for another program: one JSON object per line on standard input, one answer per line on standard output.

GAME is a shipped name or the path of a rule file; --players and --set are the defaults of `new`. docs/protocol.md
describes the requests. Use --no-files for requests from people you do not trust.

\b
    echo '{"id": 1, "do": "new", "seed": 7}' | rulespec engine base
"""

# Lines
TOO_LONG = "expected a line of at most {most} bytes; this one is longer and was skipped"
NOT_UTF8 = "expected UTF-8, found the byte {byte} at column {column}"
NOT_JSON = "expected one JSON object on the line: {reason} at column {column}"
NOT_JSON_NUMBER = "expected whole numbers of at most {most} digits, found `{found}`"
NOT_JSON_DEEP = "expected at most {most} levels of lists and objects"
NOT_JSON_TWICE = "the key `{key}` occurs twice in one object"
NOT_OBJECT = "expected a JSON object, found {found}"
EMPTY = "expected a JSON object, found an empty line"

# Requests
BAD_ID = "expected `id` to be a string, a whole number or null, found {found}"
NO_DO = "expected `do`: {known}"
UNKNOWN_DO = "no request called `{found}`; there are {known}{hint}"
UNKNOWN_FIELD = "`{request}` has no field `{found}`; it has {known}{hint}"
MISSING_FIELD = "`{request}` needs `{field}`: {expected}"
BAD_FIELD = "expected `{field}` to be {expected}, found {found}"
NO_GAME = "no game has begun: send `new` or `load` first"
NOT_CHANCE = "it is not the turn of chance, but of {who}"
NOBODY = "nobody: the game is over"
GAME_OVER = "the game is over"
CHANCE_TO_MOVE = "it is the turn of chance: play one of `chances`"
NOTHING_TO_UNDO = "there is nothing to take back"
UNDO_RANGE = "expected `to` to be 0 to {last}, found {found}: {decisions} were made"
UNDO_CHANCE = "decisions of chance before the first move cannot be taken back: they follow from the seed"
NOT_AGREED = "`{move}` has turned up something hidden since: send `agreed: true` if everybody agrees"
FIRST_IN_POSITION = "a position says who is to move: leave out `first`"
FIRST = "this game does not let player {player} begin"
MOVE_NAME = "expected `move` in the object to be the name of a move, found {found}"
CHOICE_UNKNOWN = "`{move}` has no choice `{found}`; it has {known}{hint}"
CHOICE_MISSING = "`{move}` needs a value for {missing}"
CHOICE_VALUE = "expected a number, a name, null or a list of names for `{choice}`, found {found}"
BAD_BOT = "no bot called `{found}`; the bots are {known}"
BOT_SECONDS = "expected at most {most} seconds for a move, found `{found}`"
NO_FILES = {
    "save": "this session writes no files: leave out `file` to get the record in the answer",
    "load": "this session reads no files: send the text of the record as `record`",
}
ONE_SOURCE = "expected either `file` or `record`"
REDACTED = "the record is redacted for one player: it cannot be resumed"
NO_MOVE = "no move called `{found}`{hint}"
INTERNAL = "internal error: {name}: {message}"

# What a field is expected to be
AS_PLAYER = "a player's number, 1 to {players}"
AS_VIEWER = "a player's number, 1 to {players}, or null for an onlooker"
AS_COUNT = "a whole number from {least} to {most}"
AS_SEED = "a whole number from 0 to 2^{bits} - 1, as a number or as a text of digits"
OR_OPEN = ", or null to leave chance open"
AS_TEXT = "a text"
AS_YES_NO = "true or false"
AS_MOVE = "a move's notation, or an object with its name and its choices"
AS_OPTIONS = "an object of options and their choices, both texts"


def kind_of(value: object) -> str:
    """Return what a JSON value is, for people: `the text "abc"`, `a list`."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, int):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text `{value[:40]}{'…' if len(value) > 40 else ''}`"
    return "an object" if isinstance(value, dict) else "a list"


TOO_MUCH_WORK = "under these rules a decision takes much work: each of {games} games may have {steps} decisions of players, and one has more; ask for fewer games, or simulate later in the game"
