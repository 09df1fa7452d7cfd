"""The engine: a checked model becomes a program that derives legal moves, referees, scores and explains."""

from interpreter.fault import Fault
from interpreter.game import Game, load
from interpreter.state import CHANCE, IllegalMove, LedgerLine, Move, Objection, Outcome, State, UnreadableMove
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError

__all__ = [
    "CHANCE",
    "Diagnostic",
    "Fault",
    "Game",
    "IllegalMove",
    "LedgerLine",
    "Move",
    "Objection",
    "Outcome",
    "RuleFileError",
    "State",
    "UnreadableMove",
    "load",
]
