"""The texts of a game at a real table."""

from __future__ import annotations

TABLE = (
    "Referee a real game: type what was drawn and what was played; everything is checked, explained and scored.\n\n"
    "GAME is a shipped name or the path of a rule file. Nothing is drawn by the program. Every line is written to the "
    "record before it is answered; --resume goes on with it.\n\n"
    "Example: rulespec table base --names Anna,Ben --record evening.record"
)
OPTION_NAMES = "The names of the players, from player 1 on."
OPTION_RECORD = "The file for the record; a game at the keyboard has one in any case."
OPTION_RESUME = "Go on with the game of this record; GAME is left out."
OPTION_FIRST = "The player who begins; asked if it is left out and the rules leave it open."

RESUME_ALONE = "--resume goes on with a game as it was begun: nothing else can be chosen"
GAME_OR_RESUME = "which game? Give its name or file, or --resume and a record"
NOT_AT_A_TABLE = "`{path}` is no game at a table: its chance is played by the program"
BAD_NAME = "`{name}` cannot be the name of a player: names differ, and have 1 to {longest} letters"
INPUT_ENDED_FIRST = "the input ended before it was said who begins"

# Places and pieces ---------------------------------------------------------------------------------------

PLACE_OF = "{place} of {player}"
MOVE = "move {pieces} from {source} to {goal}"
ALL_PIECES = "everything ({pieces})"
AT_PLACE = "{count} at {place}"
VARIABLE = "{name}: {value}"
AND_MORE = "{listed} and {more} more"
DRAWING = "chance"
YES = "yes"
NO = "no"

# Draws ---------------------------------------------------------------------------------------------------

DID_YOU_MEAN = "; did you mean `{word}`?"
COUNT_ALONE = "`{number}` is a number without a piece: write `2 NAME`"
FAR_TOO_MANY = "nobody draws {number} at once"
AMBIGUOUS = "`{word}` can be {meanings}"
UNREADABLE_PIECE = "`{word}` is nothing that can come here: expected {expected}{hint}"
UNKNOWN_LABEL = "`{label}:` is no place that is filled now: expected {expected}"
NOT_HIDDEN = "everybody sees what comes to {label}: `?` is only for what is hidden"
NOT_ROLLED = "{value} cannot come now; possible: {possible}"
NOT_DRAWN = "{kind} cannot go to {goal} now; possible: {possible}"
NO_SUCH_PIECE = "there is no {kind} in this game; possible: {possible}"
NONE_LEFT = "no {kind} is left in {source}: of {total} in the game, {where}; still in {source}: {possible}"
TOO_FEW_IN_PART = "{label} takes more than this part of the line has"
TOO_MANY = "`{rest}` is more than is drawn now"
TOO_MANY_FOR = "`{rest}` is more than goes to {label}"
TOO_FEW_TO_CORRECT = "{label} needs all its pieces when it is typed again"
NOT_YET = "{label} comes later: {now} is not complete yet"
NOTHING_TYPED = "type what was drawn"
NO_CORRECTION = "to correct what was drawn, write the place, a colon, and all its pieces"
CAN_BE = "that can be drawn"
POSSIBLE = "possible for {label}: {possible}"

# What happens --------------------------------------------------------------------------------------------

HEADING = "{title} · {players}{options}"
SET_UP = "Set up:"
SET_UP_PLACE = "{place}: {pieces}"
DECIDED = "{number:>4}  {who}: {move} ({text})"
DRAWN = "{numbers:>4}  {drawn}"
NUMBERS = "{first}-{last}"
BETWEEN = " · "
AT_LABEL = "{label}: {pieces}"
POINTS = "{who} {reason}, now {score}"
NOTED = "noted: {changes}"
DRAW = "draw from {source}: {goals}"
ALL_TO = "{count} to {label}"
EACH_TO = "{count} each to {label}"
ROLL = "settle by lot {label}: {values}"
THEN = "; then "
AND_SO_ON = "so on, {more} more"
BEGINS = "{player} begins."
NEVER_TOLD = "{draws} were never told; what was assumed instead stands in the record"

# Asking --------------------------------------------------------------------------------------------------

PROMPT_DRAW = "drawn> "
PROMPT_FIRST = "who begins> "
PROMPT_INSTEAD = "instead of `{move}`> "
WHO_BEGINS = "Players: {players}"
NO_SUCH_PLAYER = "`{found}` is no player: expected {players}"
HELP = (
    "Draws: 1: NAME NAME 2 NAME     several places on one line, names, beginnings of\n"
    "                               names or letters; ? for what the referee may not\n"
    "                               know; a place typed again corrects it\n"
    "Moves: a move or its number    ? lists them, ? WORDS those that begin so\n"
    "why MOVE   why it is refused   history [N]     all decisions, from number N\n"
    "score      every point so far  undo [--agreed] take back\n"
    "board      the boards          mend N WORDS    change decision N\n"
    "save FILE  copy the record     drop            forget decisions that wait\n"
    "help       this                quit            stop here; the record stays"
)
RECORDED = "the record is {path}; `rulespec table --resume {path}` goes on with it"
INPUT_ENDED = "the input ended before the game did: {who} was to decide"
MOVES_COUNT = "{player} decides: {moves} possible"
DECIDES = "{player} decides; `?` would show the moves, and so what is hidden from others"
HIDDEN_MOVES = "{player} decides; not all hidden pieces are known to the referee"
SAVED = "saved as {path}"
SAVE_WHAT = "write `save` and the name of a file"
STOPPED = "stopped after {decisions}"

# Mending -------------------------------------------------------------------------------------------------

MEND_WHAT = "write `mend`, the number of a decision, and what it should be; `history` shows the numbers"
ONE_ONLY = "write the one piece or value that it should be"
HISTORY_WHAT = "write `history`, or `history` and a number"
UNDO_WHAT = "write `undo` or `undo --agreed`"
NO_DECISION = "there is no decision {number}: there are {last}"
MENDED = "decision {number} is now `{now}` (it was `{was}`)"
STAND = "{decisions} after it kept"
NO_LONGER = "no longer possible: {who}, `{move}`:"
WHAT_INSTEAD = "What was done instead? `drop` if nothing was."
WHAT_INSTEAD_MORE = "What was done instead? {more} after it wait; `drop` forgets them."
PUT_RIGHT = "Put right on the table:"
PLACE_NOW = "{place}: {pieces}"
EMPTY_NOW = "{place}: empty"
SCORE_NOW = "{player}: {points}"
WAITS = "   -  {who}: {move}"
DRAWN_SINCE = "something was drawn after it: taking it back needs everybody's consent, `undo --agreed`"
IS_OVER = "the game is over; `mend N` or `undo` changes what was decided, an empty line ends it"
PROMPT_OVER = "the game is over; Enter ends it> "
OVER_ALREADY = "the game is over before it"
OTHER_DECIDES = "{who} is to decide now"
DROPPED = "{decisions} forgotten"
NOTHING_WAITS = "nothing waits"
NOTHING_YET = "nothing was decided yet"
UNDONE = "{decisions} taken back, from number {first} on"
NOTHING_TO_UNDO = "there is nothing to take back"
CORRECTED = "corrected:"


def listed_or(words: list[str], more: bool = False) -> str:
    """`a`, `a or b`, `a, b or c`; `a, b, …`."""
    if more:
        return ", ".join([*words, "…"])
    return " or ".join(part for part in (", ".join(words[:-1]), words[-1] if words else "") if part)
