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

NOT_AGREED = "{what} was turned up after it: taking it back needs everybody's consent, `undo --agreed`"

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
CHANCE = "chance"
PLAYER = "player {player}"
BAD_START = "the game cannot begin as the record says: {reason}"
NOT_NOTATION = "expected `{expected}`, found `{found}`"
UNCHANGED = "unchanged"
ONLY_EYES = "`{path}` holds only what one player saw: it cannot be gone on with"
