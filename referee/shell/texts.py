"""The texts of a game at the keyboard: what a game on the screen and a game with real pieces both say."""

from __future__ import annotations

# What happened -------------------------------------------------------------------------------------------

SEPARATOR = " · "
OPTION = "{option}: {choice}"
STARTS_WITH = "starts with {points}"
LIMITED = ", of which {gained} count: the score has reached its limit"
NUMBERS = "{first}-{last}"
TIMES_CAME = "{outcome} ×{count}"
DRAWN = "drawn: {outcomes}"
ROLLED = "rolled: {outcomes}"
GAINED = "{who} {points}: {text}"
CHANGED = "{name}: {value}"
OWNED = "{name} of {player}"
PIECES = "{count} {kind}"
TO_PLACE = "{count} to {place}"
TAKEN_TO = "{pieces}: {goals}"
WITH_COUNT = "{text} ({count})"
AGAIN = "{who} is to move again"
LIT = "{who}: {mark} is complete"
ROUND_BEGINS = "Round {number} · {who} begins"
ROUND_DECIDES_FIRST = "Round {number} · {who} decides first"
ROUND_SUMMARY = "Round {number} brought {scores}"
ROUND_OF = "{who} {gained}, now {score}"
ROUND = "Round {number}"
NOW = ", now {score}"
SCORE = "{player}: {points}"
NOTHING_SCORED = "nothing scored"
WINS = "{who} wins: {reason}"
SHARE = "{who} share the win: {reason}"
REFUSED = "`{move}` is not possible:"
WHERE = " ({rule}, {file}:{line})"
CHANGES = ", which changes {file}:{line})"

# The board -----------------------------------------------------------------------------------------------

TO_MOVE = "to move"
MARK_TO_MOVE = "► "
NOTHING = "-"
HIDDEN = "{count} hidden"
ON_TRACK = "{value} ({printed})"
LACKS = "{mark} lacks {place}"
HIDDEN_PIECE = "▒"
TIMES = "{count}×"

# The screen ----------------------------------------------------------------------------------------------

MORE_PROMPT = "Enter: more · q: back · or type a line> "
BACK_PROMPT = "Enter: back to the game · or type a line> "
WELCOME = "`?` lists the moves, `help` the commands; TAB completes a word, ↓ picks one."
POINTS_BY_RULE = "Points by rule"
AT_THE_START = "at the start"
TOTAL = "total"
OVER_PROMPT = "the game is over; `score` explains every point, Enter ends> "

# Commands ------------------------------------------------------------------------------------------------

PROMPT = "{player}> "
HOW_TO_MOVE = "Type a move, an abbreviation or its number; type part of one to see how it continues."
COMMANDS = {  # each as it is typed, and what it does
    "?": (("?", "list the moves"), ("? WORDS", "matching moves")),
    "why": (("why MOVE", "why it is refused"),),
    "score": (("score", "every point so far"),),
    "board": (("board", "show the boards"),),
    "undo": (("undo [--agreed]", "take back"),),
    "redo": (("redo", "undo the undoing"),),
    "history": (("history [N]", "what happened, from N"),),
    "rules": (("rules", "what can be done now"),),
    "save": (("save FILE", "copy the record"),),
    "position": (("position [FILE]", "as text"),),
    "help": (("help", "this list"),),
    "quit": (("quit", "stop here"),),
}
SHORT_COMMANDS = {"q": "quit", "exit": "quit", "h": "help", "u": "undo"}  # where they are no move
MOVES_COUNT = "{moves} possible; `?` lists them, `? WORDS` those with this beginning"
NO_MOVES_NOW = "nobody is to decide anything now"
NO_SUCH_MOVES = "no possible move begins with `{words}`"
TWO_NUMBERS = "`{number}` can be `{other}`, or `{listed}`, which was listed with that number: type the move"
NO_NUMBER = "no move was listed with the number {number}; `?` lists the moves"
GROUP = "[{words}]"
EXACTLY = "{most} of {pieces}"
FROM_TO = "{least} to {most} of {pieces}"
UP_TO = "up to {most} of {pieces}"
SUCH_AS = "such as `{move}`: {text}"
CONTINUES = "{begin} …  {words}"
AMBIGUOUS = "that can be {moves}"
NEAREST = "nearest: {moves}"
LEGAL = "`{move}` is possible: {text}"
WHY_WHAT = "write `why` and a move"
UNDO_HOW = "write `undo`, or `undo --agreed` if everybody agreed to it"
UNDONE = "{decisions} taken back"
UNDONE_OF = "{decisions} taken back, of {players}"
NOTHING_TO_UNDO = "there is nothing to take back"
NOTHING_TO_REDO = "there is nothing to redo: something was decided since, or nothing was taken back"
HISTORY_HOW = "write `history`, or `history` and a number"
NO_DECISION = "there is no decision {number}: {decisions} so far"
NO_RULES_NOW = f"{NO_MOVES_NOW}; `rulespec rules` has the whole rulebook"
SAVE_WHERE = "write `save` and the name of a new file"
RECORDED_ALREADY = "; the game is recorded in {path} anyway"
SAVED = "saved as {path}"
POSITION_EXISTS = "there is already a file `{path}`: choose another name"

# The record, and the end of the session ------------------------------------------------------------------

RECORDED_IN = "recorded in {path}"
RESUME_WITH = "resume with: rulespec {command} --resume {path}"
STOPPED = "stopped after {decisions}"
INPUT_ENDED = "the input ended before the game did: {player} was to move"
ERROR = "error: {message}"
NOT_WRITTEN = "{reason}\nNothing was played. Press Enter to try again, or type `save FILE` to continue in another file, `unrecorded` or `quit`."
NOT_WRITTEN_PROMPT = "record> "
UNRECORDED = "from here on nothing is recorded"
