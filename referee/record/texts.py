"""Every text about records: reading them, writing them, verifying them."""

from __future__ import annotations

NO_RECORD = "this is no record of a game"
HEADER_TORN = "the record stops within its first line: no game was begun"
BAD_HEADER = "the first line of the record cannot be trusted: {reason}"
OTHER_FORMAT = "expected a record of format {expected}, found {found}"
LINE_UNREADABLE = "the line cannot be read"
LINE_CHANGED = "the line was changed after it was written: its hash does not fit"
RULES_HASH = "the rules were changed after they were written: their hash does not fit"
WRONG_FIELDS = "`{key}` is missing, unknown or of the wrong kind"
NO_SUCH_PLAYER = "there is no player {found}: players are 1 to {players}"

# Files ---------------------------------------------------------------------------------------------------

EXISTS = "there is already a file `{path}`; go on with it by `--resume`, or choose another name"
CANNOT_CREATE = "the record `{path}` cannot be written: {reason}"
CANNOT_WRITE = "the record `{path}` cannot be written: {reason}"
CANNOT_OPEN = "the record `{path}` cannot be opened: {reason}"
NO_FILE = "`{path}` is no ordinary file"
IN_USE = "the record `{path}` is being written by another game that is still open"
TOO_LARGE = "`{path}` has {size} bytes, and a record has at most {most}"
DAMAGED = "the record `{path}` is damaged in line {line} (decision {decision}): {reason}; `rulespec verify` tells more"

# Rules ---------------------------------------------------------------------------------------------------

BAD_RULES = "the rules in the record cannot be played: {reason}"

# A game that is recorded ---------------------------------------------------------------------------------

CANNOT_BEGIN = "player {player} cannot begin: the rules say who does"
NOT_AGREED = "`{move}` turned something up after it: everybody must agree to take it back, `undo --agreed`"

# Replaying -----------------------------------------------------------------------------------------------

GAME_OVER = "the game was over after decision {last}"
WRONG_NUMBER = "expected decision {expected}, found {found}"
WRONG_PLAYER = "{expected} decides here, not {found}"
ILLEGAL = "`{move}` is not legal: {reasons}"
WRONG_SCORES = "after `{move}` the rules give the scores {expected}, the record says {found}"
UNDO_RANGE = "{kept} decisions cannot be kept: {made} were made"
UNDO_NOT_AGREED = "decision {number}, `{move}`, turned something up: taking it back had to be agreed"
SEATS_NUMBER = "{found} seats for {players} players"
NOT_OVER = "the record ends the game after decision {last}, but {who} is still to decide"
WRONG_RESULT = "the rules give another {what}: {expected}, the record says {found}"
GOES_ON = "the game was over, and the record goes on"
AND_RULES = "{hash}; and by the rules {rules}"
BUT_LEGAL = "{hash}; the rules would allow what it says now"
CHANCE = "chance"
PLAYER = "player {player}"
ONLOOKER = "an onlooker"
BAD_START = "the game cannot begin as the record says: {reason}"
NOT_NOTATION = "expected `{expected}`, found `{found}`"
UNCHANGED = "unchanged"
ONLY_EYES = "`{path}` holds only what one player saw: it cannot be gone on with"
BREAKS = "the record breaks in line {line}: {reason}"
OTHER_EYES = "this record is for somebody else's eyes already"

# Notes ---------------------------------------------------------------------------------------------------

NOTE_TORN = "the last line was being written when the program stopped; it was never answered and does not count"
NOTE_UNSEEN = (
    "the record is for the eyes of {who}, who did not see decision {number}: from there on only its lines are checked"
)
NOTE_UNFINISHED = "the game is not over: {who} is to decide"
NOTE_OVER = "the game is over, but its result was not written"
NOTE_SEED = "decision {number} of chance is not what this program draws from the seed"
NOTE_RULES = "`{game}` has other rules now than those in the record"

# Commands ------------------------------------------------------------------------------------------------

VERIFY = """Replay a record under the rules it carries: whether it holds, where and why it breaks, and the final ledger.

Exit code 1 if it breaks.

\b
    rulespec verify evening.jsonl
"""
TRANSCRIPT = """Print a record as a text for people: who played, every decision and every point in words.

FILE is a record, or a transcript again. `rulespec record` makes a record of a transcript.

\b
    rulespec transcript evening.jsonl > evening.txt
    rulespec transcript evening.jsonl --for 2
"""
RECORD = """Print the record of a game, from a record or a transcript; it is replayed first, and refused if it breaks.

\b
    rulespec record evening.jsonl --for 2 > for_bob.jsonl
    rulespec record evening.txt --output evening.jsonl
"""
OPTION_FOR = "Only what this player saw, or `onlooker`: neither hidden choices nor the seed."
OPTION_OUTPUT = "Write a new file instead of printing."
EYES_SHAPE = "expected a player's number or `onlooker`, found `{found}`"
GOOD = "{file}: good, {title}, {decisions}{undone}"
UNDONE = ", {undone} taken back"
BAD = "{file}:{line}: decision {decision}: {message}"
NOTE = "note: {note}"
ERROR = "error: {file}: {message}"


# Transcripts ---------------------------------------------------------------------------------------------

TRANSCRIPT_LINE = "line {line} of the transcript: expected {expected}, found `{found}`"
TRANSCRIPT_RULES = "the transcript names a rule file without its text"
TRANSCRIPT_HEADER = "the first lines of the transcript are damaged"
TRANSCRIPT_KEY = "the transcript needs just one line `{key}: …` with one word or quoted text"
TRANSCRIPT_TEXT = "the transcript is not UTF-8 text"
EXPECTED_LINE = "a decision, or a line of a transcript"
EXPECTED_DECISION = "the scores after a decision"
EXPECTED_NUMBERS = "whole numbers"
EXPECTED_WORD = "one word or quoted text"
EXPECTED_WORDS = "two words or quoted texts"


def who(player: int) -> str:
    return PLAYER.format(player=player) if player else CHANCE
