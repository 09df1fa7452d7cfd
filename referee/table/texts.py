"""The texts of a game at a real table."""

from __future__ import annotations

TABLE = """Referee a real game: type what was drawn and what was played; everything is checked, explained and scored.

GAME is a shipped name or the path of a rule file. The program draws nothing itself. Every line is written to the record
before it is answered; --resume continues a recorded game.

\b
    rulespec table base --names Anna,Ben --record evening.jsonl
"""
OPTION_NAMES = "The names of the players, from player 1 on."
OPTION_RECORD = "Record the game in this new file. At a keyboard it is recorded anyway; the program says where."
OPTION_FIRST = "The player who begins; asked for if it is left out and the rules leave it open."

NOT_AT_A_TABLE = "`{path}` is not a game at a real table: the program plays its chance; resume it with `rulespec play`"
INPUT_ENDED_FIRST = "the input ended before anybody said who begins"

# Places and pieces ---------------------------------------------------------------------------------------

PLACE_OF = "{place} of {player}"
MOVE = "move {pieces} from {source} to {goal}"
ALL_PIECES = "everything ({pieces})"
AT_PLACE = "{count} at {place}"
AND_MORE = "{listed} and {more} more"

# Draws ---------------------------------------------------------------------------------------------------

COUNT_ALONE = "`{number}` is a number without a piece: write `2 NAME`"
FAR_TOO_MANY = "nobody draws {number} at once"
AMBIGUOUS = "`{word}` can be {meanings}"
UNREADABLE_PIECE = "`{word}` cannot be drawn here: expected {expected}{hint}"
UNKNOWN_LABEL = "`{label}:` is not filled now: expected {expected}"
NOT_HIDDEN = "everybody sees what goes to {label}: `?` is only for hidden pieces"
NOT_ROLLED = "{value} cannot come now; possible: {possible}"
NOT_DRAWN = "{kind} cannot go to {goal} now; possible: {possible}"
NO_SUCH_PIECE = "there is no {kind} in this game; possible: {possible}"
NONE_LEFT = "no {kind} is left in {source}: of {total} in the game, {where}; still in {source}: {possible}"
TOO_FEW_IN_PART = "{label} takes more pieces than this part of the line has"
TOO_MANY = "`{rest}` is more than is drawn now"
TOO_MANY_FOR = "`{rest}` is more than goes to {label}"
TOO_FEW_TO_CORRECT = "type all pieces of {label} to correct it"
NOT_YET = "{label} comes later: {now} is not complete yet"
NOTHING_TYPED = "type what was drawn"
NO_CORRECTION = "to correct a draw, type the place, a colon, and all its pieces"
CAN_BE = "that can be drawn"
POSSIBLE = "possible for {label}: {possible}"

# What happens --------------------------------------------------------------------------------------------

SET_UP = "Set up:"
PLACE = "{place}: {pieces}"
EMPTY = "empty"
DRAWN = "{numbers:>4}  {drawn}"
AT_LABEL = "{label}: {pieces}"
NOTED = "noted: {changes}"
DRAW = "draw from {source}: {goals}"
ALL_TO = "{count} to {label}"
EACH_TO = "{count} each to {label}"
ROLL = "roll for {label}: {values}"
SEE = "see {label}: {values}"
BY_FACE = "A piece can be called by what is printed on it, row by row, whichever way up: `{example}`."
THEN = "; then "
AND_SO_ON = "and so on, {more} more"
BEGINS = "{player} begins."
IN_SECRET = "{players}: choose in secret, then show all at once; I ask for the answers after that."
DECIDES_FIRST = "{player} decides first."
ASSUMED = "{decisions} stayed unknown to the referee; the record says what was assumed instead"

# Asking --------------------------------------------------------------------------------------------------

PROMPT_DRAW = "drawn> "
PROMPT_CAME_OUT = "turned up> "
PROMPT_FIRST = "who begins> "
PROMPT_INSTEAD = "instead of `{move}`> "
WHO_BEGINS = "Players: {players}"
HOW_TO_DRAW = (
    "Type draws as `1: NAME NAME 2 NAME`, several places on one line; names, abbreviations and letters will do. "
    "Type `?` for a piece that the referee may not know, and a place again to correct it."
)
COMMANDS = {
    "history": (("history [N]", "all decisions, from N"),),
    "amend": (("amend N WORDS", "change decision N"),),
    "insert": (("insert N WORDS", "a forgotten move"),),
    "drop": (("drop", "forget what is pending"),),
}
MOVES_COUNT = "{player} decides: {moves} possible"
DECIDES = "{player} decides; `?` would list the moves, and so show what is hidden from others"
CAME_OUT = (
    "A piece that the referee does not know was turned up: it went from {source} to {goal}. Which is it? "
    "(Until you say, {kind} is assumed.)"
)
CANNOT_COME_OUT = "{kind} cannot lie at {goal} now: as far as the referee knows it is elsewhere"
NAMED = "    {goal}: {kind}"
SAY_THE_BACK = "everybody sees its back: write {backs} instead of `?`"
HIDDEN_MOVES = "{player} decides; the referee does not know all hidden pieces"
IS_OVER = "the game is over; `amend N` or `undo` changes what was decided, an empty line ends it"

# Corrections ---------------------------------------------------------------------------------------------

AMEND_HOW = "write `amend`, the number of a decision, and what it should be; `history` shows the numbers"
ONE_ONLY = "write the one piece or value that it should be"
AMENDED = "decision {number} is now `{now}` (it was `{was}`)"
KEPT = "{decisions} after it kept"
NO_LONGER = "no longer possible: {who}, `{move}`:"
WHAT_INSTEAD = "What was done instead? `drop` if nothing was."
WHAT_INSTEAD_MORE = "What was done instead? {more} after it are pending; `drop` forgets them."
CORRECT_TABLE = "Correct the table:"
PENDING = "   -  {who}: {move}"
DRAWN_SINCE = "something was drawn after it: everybody must agree to take it back, `undo --agreed`"
OVER_ALREADY = "the game is over before it"
OTHER_DECIDES = "{who} decides now"
DROPPED = "{decisions} forgotten"
NOTHING_PENDING = "no decisions are pending"
NOTHING_YET = "nothing was decided yet"
CORRECTED = "corrected:"
INSERT_HOW = (
    "write `insert`, the number of the decision before which it was made, and the move; `history` shows the numbers"
)
CANNOT_INSERT = (
    "with it, decision {number}, `{move}`, is no longer possible; take back to there with `undo`, or `amend` it first"
)
INSERTED = "decision {number} is `{move}`; {decisions} after it kept"
CORRECT_LATER = (
    "something was decided since that draw: `history` shows the numbers, `amend N NAME` changes one piece of it"
)
PENDING_FIRST = "decisions are pending: say first what was done instead, or `drop` them"
