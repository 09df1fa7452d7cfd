"""The fixed texts of `rulespec rules`: help, headings, and what marks changes."""

from __future__ import annotations

RULES = (
    "Write the rulebook of exactly these rules: components, set-up, course of play, moves, scoring, options, worked examples. "
    "In a house rule, what it changes is marked.\n\n"
    "GAME is a shipped name or the path of a rule file: `rulespec rules house/free_token --format html --out rules.html`."
)
OPTION_FORMAT = "Markdown, or one HTML file that needs nothing else."
OPTION_OUT = "Write it to a file."
OPTION_NO_EXAMPLES = "Leave the worked examples out."
OPTION_PLAYERS = "The rules for so many players; without it, for all numbers."

COMPONENTS = "Components"
PIECES = "Pieces"
PLACES = "Places"
PRINTED = "Numbers and tables"
REMEMBERED = "What is kept in mind"
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
RUN = "What is done"
ALL_LEGAL = "Legal moves"
LEGAL = "Legal"
REFUSED = "Refused"
DECIDED = "Decided"
AFTERWARDS = "Afterwards"
RESULT = "Result"
COMES_OUT = "Comes out otherwise with these rules"
CHANCE = "chance"
WINNER = "player {who} wins"
WINNERS = "players {who} share the victory"
POINTS = "{points} for {rule}"
GAINED = "{points} really gained for {rule}"
OVER = "nothing is left to decide"
GOES_ON = "the game goes on"
TO_MOVE = "to decide: {who}"
DEFAULT = "the usual choice"
CHANGES = "With it, this changes"
FIXED = "fixed here"
