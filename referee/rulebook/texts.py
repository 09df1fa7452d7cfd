"""The fixed texts of `rulespec rules`: help, headings, and marks of changes."""

from __future__ import annotations

RULES = (
    "Write the rulebook of exactly these rules: components, set-up, course of play, moves, scoring, options, worked examples. "
    "The changes of a house rule are marked.\n\n"
    "GAME is a shipped name or the path of a rule file.\n\n"
    "\b\n    rulespec rules house/free_token --format html --out rules.html\n"
)
OPTION_FORMAT = "Markdown, or one self-contained HTML file."
OPTION_OUT = "Write to this file."
OPTION_NO_EXAMPLES = "Leave out the worked examples."

COMPONENTS = "Components"
PIECES = "Pieces"
PLACES = "Places"
PRINTED = "Numbers and tables"
REMEMBERED = "What to remember"
SETUP = "Set-up"
COURSE = "Course of play"
PLAY = "The whole game"
MOVES = "Moves"
SCORING = "Scoring"
END = "The end, and who wins"
TERMS = "What the terms mean"
OPTIONS = "Options"
EXAMPLES = "Worked examples"

PLAYERS_FACT = "For {players}."
OPTIONS_FACT = "With {options}."
CHANGES_FACT = (
    "A house rule for {title}. What it changes is marked: new, changed (the old words are struck out), or gone."
)
LEGEND = "Letters on the boards: {legend}."
OTHERWISE = "Otherwise:"
CONTENTS = "Contents"
MARKS = {"new": "new", "changed": "changed", "gone": "gone"}

POSITION = "Position"
RUN = "What happens"
ALL_LEGAL = "Legal moves"
LEGAL = "Legal"
REFUSED = "Refused"
DECIDED = "Decided"
AFTERWARDS = "Afterwards"
RESULT = "Result"
COMES_OUT = "Different with these rules"
CHANCE = "chance"
WINNER = "player {who} wins"
WINNERS = "players {who} share the victory"
POINTS = "{points} for {rule}"
GAINED = "{points} actually gained for {rule}"
OVER = "nothing is left to decide"
GOES_ON = "the game continues"
TO_MOVE = "next to decide: {who}"
DEFAULT = "the usual choice"
CHANGES = "It changes"
FIXED = "fixed here"
