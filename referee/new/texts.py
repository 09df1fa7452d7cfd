"""The texts of `rulespec new`, and of the files that it writes."""

from __future__ import annotations

NEW = (
    "Write a commented file to start from.\n\n"
    "`new house` writes a house rule for a game: one change that works, and everything else that can be changed, "
    "commented out. `new game` writes a small game that works, to make your own of it.\n\n"
    "Example: rulespec new house --extends base --out ours.yaml"
)
OPTION_EXTENDS = "For a house rule, the game to change: a shipped name or the path of a rule file, house rules too."
OPTION_OUT = "The file to write; `-`, or nothing, prints it."
OPTION_FORCE = "Write over a file that is there."
EXTENDS_MISSING = "which game is to be changed? `rulespec new house --extends GAME`"
EXTENDS_TOO_MUCH = "a new game extends nothing: `rulespec new house --extends GAME` writes a house rule"
EXISTS = "there is already a file `{path}`; `--force` writes over it"
CANNOT_WRITE = "`{path}` cannot be written: {reason}"
WRITTEN = "{path}: written; `rulespec validate {path}` checks it, `rulespec play {path}` plays it"
NO_FILE = "ours.yaml"  # what a house rule that is only printed calls itself

HEAD = """\
## A house rule for {title}. Whatever is not changed here stays as it is.
## Lines after `# ` are the rules as they are now: take these two characters away, from the lines above that end with
## a colon too, and change what you like. Lines after `##` are notes.
##   rulespec validate {file}     is it good?
##   rulespec test {file}         what does it change in the examples of the game?
##   rulespec play {file}         play it"""
TITLE = "{title} at our table"
CHANGED = "This is changed. Write your own idea instead."
WAS = "was {was}"
AS_WE_SAY = "{text}, as we say"
OPTIONS = "Options: `with` settles some of them; those left out stay open."
CHOICE = "{option}={choice}: {text}"
PLACE = "{name} ({file}:{line})"
TOO_LONG = "Too long to repeat here, and changed by name all the same: {names}"
ABOUT = {
    "sets": "What there is to name; a list can be lengthened: `NAME: {add: [new]}`.",
    "tables": "What is printed and counted out.",
    "pieces": "How many of each, and where they start.",
    "places": "Where pieces can lie.",
    "variables": "What the game remembers.",
    "define": "Names for expressions.",
    "moves": "What players may decide: words, choices, conditions. `needs: {remove: [NAME]}` takes a condition out.",
    "scoring": "Reasons for points.",
    "winner": "Who wins: the first line in which players differ decides.",
}
STEPS = (
    "The course of play. Steps are changed by name: `steps:`, then `NAME: {{add: [STEP]}}`, or the list anew: {names}"
)
EXAMPLES = """\
## Say what should happen: `rulespec test` runs it.
# examples:
#   the game begins:
#     expect:
#       over: false"""
