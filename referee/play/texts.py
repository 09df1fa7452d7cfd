"""The texts of a game on the screen."""

from __future__ import annotations

SEED = " · seed {seed}"
SEAT = "{name}: {seat}"
SO_FAR = "{decisions} so far; the last ones:"
LATELY = "{who}: {move}{points}"
HINT_HELP = "good moves, and why"
HINT = "the best moves, by the average of many random plays after each:"
NO_HINT = "no position can be imagined in which play continues: there is nothing to advise"
HINT_WINS = "wins {share} of them"
HINT_AHEAD = "{points} points ahead"
HINT_BEHIND = "{points} points behind"
HINT_POINTS = "{points} points"
HINT_RULES = "; in this round {rules}"
HINT_RULE = "{rule} {points:+}"
THINKS = "{name} is thinking …"
ADVISES = "thinking …"
NEXT_VIEWER = "It is {name}'s turn, and the screen will show what only they may see. {name}, press Enter. "
RECORDED = "the record is {path}; `rulespec verify` checks it"
HASTE = "after {decisions} the bots have thought enough: from here on they play any legal move"
NO_END = "the game was stopped: bots on their own play at most {decisions}"
TOO_MUCH = (
    "the game was stopped after {decisions}: under these rules each takes much work, and bots on their own do no more"
)
IS_OVER = "the game is over; `undo` takes the last move back, an empty line ends it"
STEP_PROMPT = "decision {at} of {last} · Enter: on, b: back, a number, q> "
NO_STEP = "`{line}` leads nowhere: Enter goes on, `b` back, a number to that decision, `first` and `last` to the ends, `q` quits"
