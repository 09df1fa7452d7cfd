"""The fixed texts of `rulespec rules`: help, headings, and marks of changes."""

from __future__ import annotations

RULES = (
    "Write the rulebook of exactly these rules: components, set-up, course of play, moves, scoring, options, worked examples. "
    "The changes of a house rule are marked.\n\n"
    "GAME is a shipped name or the path of a rule file.\n\n"
    "\b\n    rulespec rules house/free_token --format html --out rules.html\n"
)
OPTION_PLAYERS = "The number of players; without it, the book is for all of them."
OPTION_FORMAT = "Markdown, or one self-contained HTML file."
OPTION_OUT = "Write to this file."
OPTION_NO_EXAMPLES = "Leave out the worked examples."
OPTION_CHANGES = "Only what a house rule changes, on one page."
NO_CHANGES = "`--changes` needs a house rule: `{game}` changes no other rules"
NOTHING_CHANGED = "These rules change nothing that the book of {title} says."
ONLY_CHANGES_FACT = "Only what changes in {title}: new, changed (the old words are struck out), or gone."

COMPONENTS = "Components"
PIECES = "Pieces"
PLACES = "Places"
SETS = "Lists"
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
MARKS = {  # of a house rule, and of a choice of an option
    "new": "new",
    "changed": "changed",
    "gone": "gone",
    "added": "adds",
    "instead": "instead of",
    "dropped": "without",
}

POSITION = "Position"
RUN = "What happens"
ALL_LEGAL = "Legal moves"
LEGAL = "Legal"
REFUSED = "Refused"
DECIDED = "Decided"
AFTERWARDS = "Afterwards"
RESULT = "Result"
CHANCE = "chance"
TIMES = " ({times} times)"
NO_MOVE = "none"
WHOSE = ", player {who}"
WINNER = "player {who} wins"
WINNERS = "players {who} tie"
POINTS = "{points} for {rule}"
GAINED = "{points} actually gained for {rule}"
OVER = "nothing is left to decide"
GOES_ON = "the game continues"
TO_MOVE = "next to decide: {who}"
TOLD = "{whom} is told {lines}"
EVERYBODY = "everybody"
NOTHING_TOLD = "nothing"
DEFAULT = "the usual choice"
ONLY_WITH = "Only with {choices}."
NOT_DESCRIBED = "What it changes is not described here; the book with this choice has it."
NONE_THERE = "not used"
AFTER_THE_MOVE = "After the move,"
MUST_HOLD = "All of this must hold; if it does not, the move is refused with the words in quotation marks."
LINES_DECIDE = (
    "The game ends after the last step of the course of play. The first of these lines decides who wins; where players are equal in it, "
    "the next one does. If they are equal in all of them, it is a tie."
)
LINE_DECIDES = "The game ends after the last step of the course of play. This line decides who wins; if players are equal in it, it is a tie."
LEFT_OUT = "Left out here, since these rules change what happens in them: {names}."
CHANGES = "It changes"
FIXED = "fixed here"
UNSEEN = "; the others do not see it"
