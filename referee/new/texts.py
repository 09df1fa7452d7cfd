"""The texts of `rulespec new`, and of the files it writes."""

from __future__ import annotations

NEW = (
    "Write a commented file to start from.\n\n"
    "`new house` writes a house rule for a game: one change that works, and everything else that can be changed, "
    "commented out. `new game` writes a small game that works, to turn into your own.\n\n"
    "\b\n    rulespec new house --extends base --out ours.yaml\n"
)
OPTION_EXTENDS = "For a house rule, the game to change: a shipped name or the path of a rule file, house rules too."
OPTION_OUT = "The file to write; without it, or with `-`, print it."
OPTION_FORCE = "Overwrite an existing file."
EXTENDS_MISSING = "say which game to change: `rulespec new house --extends GAME`"
EXTENDS_TOO_MUCH = "a new game extends nothing: `rulespec new house --extends GAME` writes a house rule"
EXISTS = "there is already a file `{path}`; `--force` overwrites it"
CANNOT_WRITE = "`{path}` cannot be written: {reason}"
WRITTEN = "{path}: written; `rulespec validate {path}` checks it, `rulespec play {path}` plays it"
NO_FILE = "ours.yaml"  # the name in a house rule that is only printed

NOT_TRIED = "Games with this change were not played to their end: their decisions take too much work."
HEAD = """\
## A house rule for {title}. Whatever is not changed here stays the same.
## Lines after `# ` are the present rules: remove these two characters, also from the lines above that end with a colon,
## and change what you like. Lines after `##` are notes.
##   rulespec validate {file}     is it valid?
##   rulespec test {file}         what does it change in the examples of the game?
##   rulespec play {file}         play it"""
TITLE = "{title} at our table"
CHANGED = "This is a change. Replace it with your own."
WAS = "was {was}"
AS_WE_SAY = "{text}, as we say"
OPTIONS = "Options: `with` fixes some of them; the others stay open."
CHOICE = "{option}={choice}: {text}"
PLACE = "{name} ({file}:{line})"
TOO_LONG = "Too long to repeat here, but changed by name like the others: {names}"
ABOUT = {
    "sets": "Things with names; add to a list with `NAME: {add: [new]}`.",
    "tables": "Numbers and lists, as printed on the board.",
    "pieces": "How many of each, and where they start.",
    "places": "Where pieces can lie.",
    "variables": "What the game remembers.",
    "define": "Names for expressions.",
    "moves": "What players may decide: words, choices, conditions. `needs: {remove: [NAME]}` removes a condition.",
    "scoring": "Reasons for points.",
    "winner": "Who wins: the first line in which players differ decides.",
}
STEPS = "The course of play. Change steps by name: `steps:`, then `NAME: {{add: [STEP]}}`, or a whole new list: {names}"
EXAMPLES = """\
## Say what should happen: `rulespec test` runs it.
# examples:
#   the game begins:
#     expect:
#       over: false"""
NEW_NUMBER = "our_number"
