"""The texts of a game on the screen."""

from __future__ import annotations

SEED = " · seed {seed}"
SEAT = "{name}: {seat}"
SO_FAR = "{decisions} so far; the last ones:"
LATELY = "{who}: {move}{points}"
HINT_HELP = "what a bot would do"
HINT = "{bot} would play `{move}`: {text}"
THINKS = "{name} is thinking …"
NEXT_VIEWER = "It is {name}'s turn, and the screen will show what only they may see. {name}, press Enter. "
RECORDED = "the record is {path}; `rulespec verify` checks it"
HASTE = "after {decisions} the bots have thought enough: from here on they play any legal move"
NO_END = "the game was stopped: bots on their own play at most {decisions}"
IS_OVER = "the game is over; `undo` takes the last move back, an empty line ends it"
STEP_PROMPT = "move {at} of {last} · Enter: on, b: back, a number, q> "
