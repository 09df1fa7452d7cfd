"""The texts about records: reading, writing and verifying them."""

from __future__ import annotations

NO_RECORD = "this is not the record of a game"
HEADER_TORN = "the record ends in its first line: no game had begun"
BAD_HEADER = "the first line of the record cannot be trusted: {reason}"
OTHER_FORMAT = "expected a record of format {expected}, found {found}"
FORMATS = "{one} or {other}"
LINE_UNREADABLE = "the line cannot be read"
LINE_CHANGED = "the line was changed after it was written: its hash does not match"
RULES_HASH = "the rules were changed after they were written: their hash does not match"
WRONG_FIELDS = "`{key}` is missing, unknown or of the wrong type"
NO_SUCH_PLAYER = "there is no player {found}: players are 1 to {players}"

# Files ---------------------------------------------------------------------------------------------------

EXISTS = "there is already a file `{path}`; resume it with `--resume`, or choose another name"
CANNOT_CREATE = "the record `{path}` cannot be written: {reason}"
CANNOT_WRITE = "the record `{path}` cannot be written: {reason}"
CANNOT_OPEN = "the record `{path}` cannot be opened: {reason}"
NO_FILE = "`{path}` is not a regular file"
IN_USE = "the record `{path}` is being written by another game that is still open"
TOO_LARGE = "`{path}` has {size} bytes; a record has at most {most}"
DAMAGED = "the record `{path}` is damaged in line {line} (decision {decision}): {reason}; `rulespec verify` says more"

# Rules ---------------------------------------------------------------------------------------------------

BAD_RULES = "the rules in the record cannot be played: {reason}"

# A game that is recorded ---------------------------------------------------------------------------------

CANNOT_BEGIN = "player {player} cannot begin: the rules say who does"
NOT_AGREED = "`{move}` turned something up after it: everybody must agree to take it back, `undo --agreed`"

# Replaying -----------------------------------------------------------------------------------------------

GAME_OVER = "the game ended with decision {last}"
WRONG_NUMBER = "expected decision {expected}, found {found}"
WRONG_PLAYER = "{expected} decides here, not {found}"
ILLEGAL = "`{move}` is not legal: {reasons}"
WRONG_SCORES = "after `{move}` the scores are {expected} by the rules, {found} in the record"
UNDO_RANGE = "cannot go back to {kept} decisions: only {made} were made"
UNDO_NOT_AGREED = "decision {number}, `{move}`, turned something up: everybody had to agree to take it back"
SEATS_NUMBER = "{seats} for {players}"
NOT_OVER = "the record ends the game after decision {last}, but it is the turn of {who}"
WRONG_RESULT = "wrong {what}: {expected} by the rules, {found} in the record"
AND_RULES = "{hash}; by the rules, too: {rules}"
BUT_LEGAL = "{hash}; the rules would allow what it says"
CHANCE = "chance"
PLAYER = "player {player}"
ONLOOKER = "an onlooker"

TOO_MUCH_WORK = "not checked beyond decision {made}: the rest takes more work than {most:,} usual decisions"
BAD_START = "the game cannot start as the record says: {reason}"
NOT_NOTATION = "expected `{expected}`, found `{found}`"
UNCHANGED = "unchanged"
REDACTED = "`{path}` holds only what one player saw: it cannot be resumed"
BREAKS = "the record breaks in line {line}: {reason}"
REDACTED_POSITION = "the record begins in a position that shows what {who} did not see: it cannot be redacted"
OTHER_VIEWER = "this record is already redacted for somebody else"

# Notes ---------------------------------------------------------------------------------------------------

NOTE_TORN = "the program stopped while it wrote the last line, which does not count"
NOTE_UNSEEN = (
    "the record is redacted for {who}, who did not see decision {number}: from there on only its lines are checked"
)
NOTE_UNFINISHED = "the game is not over: {who} decides next"
NOTE_OVER = "the game is over, but its result was not recorded"
NOTE_SEED = "decision {number}, by chance, is not what this version of the program draws from the seed"
NOTE_RULES = "the rules of `{game}` have changed since"

# Commands ------------------------------------------------------------------------------------------------

VERIFY = """Replay a record under the rules it carries: is it valid, where and why does it break, and what was the final score?

Exit code 1 if it breaks.

\b
    rulespec verify evening.jsonl
"""
TRANSCRIPT = """Print a record as text for people: who played, every decision and every point in words.

FILE is a record or a transcript. `rulespec record` turns a transcript back into a record.

\b
    rulespec transcript evening.jsonl > evening.txt
    rulespec transcript evening.jsonl --for 2
"""
RECORD = """Print the record of a game, from a record or a transcript, after replaying it; a broken one is refused.

\b
    rulespec record evening.jsonl --for 2 > for_bob.jsonl
    rulespec record evening.txt --output evening.jsonl
"""
OPTION_FOR = "Redact for a player, or `onlooker`: leave out hidden choices and the seed."
OPTION_OUTPUT = "Write a new file instead of printing."
VIEWER_SHAPE = "expected a player's number or `onlooker`, found `{found}`"
GOOD = "{file}: good, {title}, {decisions}{undone}"
UNDONE = ", {undone} taken back"
NOT_CHECKED = "{file}: {message}"
BAD = "{file}:{line}: decision {decision}: {message}"
NOTE = "note: {note}"
ERROR = "error: {file}: {message}"


# Transcripts ---------------------------------------------------------------------------------------------

TRANSCRIPT_LINE = "line {line} of the transcript: expected {expected}, found `{found}`"
TRANSCRIPT_RULES = "the transcript names a rule file without its text"
TRANSCRIPT_HEADER = "the first lines of the transcript are damaged"
TRANSCRIPT_KEY = "the transcript needs exactly one line `{key}: …` with one word or quoted text"
TRANSCRIPT_TEXT = "the transcript is not UTF-8 text"
EXPECTED_LINE = "a decision, or a line of a transcript"
EXPECTED_DECISION = "the scores after a decision"
EXPECTED_NUMBERS = "whole numbers"
EXPECTED_WORD = "one word or quoted text"
EXPECTED_WORDS = "two words or quoted texts"


def who(player: int) -> str:
    """Return `player 2`, or `chance`."""
    return PLAYER.format(player=player) if player else CHANCE


OPTION_RULES = "Print the rules too, so that the text can be turned back into the record; `--output` always does."
RULES_LEFT_OUT = "# The rules are left out; with `--rules` this text can be turned back into the record."
TRANSCRIPT_NO_RULES = "the transcript has no rules: only one written with `--rules` or `--output` can be read back"

# Positions -----------------------------------------------------------------------------------------------

POSITION_WHY = "a position that cannot be read cannot be set up"
POSITION_NO_MAP = "expected a position: `given:` with what lies where, and `at:` with the decision that is open"
POSITION_KEY = "a position has no `{key}`"
POSITION_AT = "expected the name of a decision after `at:`, as `position` writes it"
POSITION_TWICE = "expected `at:`, the decision that is open, or `run:`, the steps that come next; found both"
POSITION_PLAYERS = "this is a position for {found} players, and the game has {expected}"
POSITION_OPTION = "this is a position with `{option}: {found}`, and the game is played with `{expected}`"
POSITION_NO_DECISION = "play reaches no decision called `{found}`; it reaches {known}"
POSITION_NO_MOVE = "player {player} has no legal move in this position, so the game does not wait there"
POSITION_FAULT = "the rules cannot continue from this position: {reason} ({where})"
POSITION_OVER = "the game is over in this position: there is nothing to play"
POSITION_OF = "a position of {title}"
POSITION_HIDES = "not written, because it is hidden: {places}"
AND_OTHERS = " and others"
WRITE_OVER = "the game is over: there is no position to continue from"
WRITE_NO_PLAYER = "a position begins where a player decides, and nobody has decided anything yet"
WRITE_HIDDEN = "the position cannot be written now without showing something hidden; try again after the next move"
WRITE_NO_NAME = (
    "the position cannot be written now: play hardly ever reaches this decision; try again after the next move"
)
