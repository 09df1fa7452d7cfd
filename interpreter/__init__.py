"""The engine: a checked model becomes a program that derives legal moves, referees, scores and explains.

This is the whole public interface: `from interpreter import load`. A name is loaded from its module when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter import seeds as seeds
    from interpreter.budget import Budget as Budget
    from interpreter.budget import BudgetSpent as BudgetSpent
    from interpreter.budget import cost_among as cost_among
    from interpreter.budget import cost_of as cost_of
    from interpreter.budget import cost_together as cost_together
    from interpreter.budget import heaviness as heaviness
    from interpreter.compile.build import shared_library as shared_library
    from interpreter.examples.examples import ExampleResult as ExampleResult
    from interpreter.examples.examples import begin_example as begin_example
    from interpreter.examples.examples import given_position as given_position
    from interpreter.examples.examples import run_examples as run_examples
    from interpreter.examples.examples import worked_example as worked_example
    from interpreter.examples.positions import Position as Position
    from interpreter.examples.reading import Look as Look
    from interpreter.examples.reading import WorkedExample as WorkedExample
    from interpreter.examples.reading import check_examples as check_examples
    from interpreter.examples.reading import find_examples as find_examples
    from interpreter.fault import Fault as Fault
    from interpreter.game import CountedGame as CountedGame
    from interpreter.game import Game as Game
    from interpreter.game import TracedGame as TracedGame
    from interpreter.game import load as load
    from interpreter.game import load_traced as load_traced
    from interpreter.layout import BLOCK as BLOCK
    from interpreter.layout import contents as contents
    from interpreter.layout import possible_values as possible_values
    from interpreter.layout import put as put
    from interpreter.notation import HIDDEN as HIDDEN
    from interpreter.notation import Notation as Notation
    from interpreter.run.keyed import GameNotes as GameNotes
    from interpreter.run.keyed import KeyedGames as KeyedGames
    from interpreter.run.tree import Manner as Manner
    from interpreter.run.tree import Tree as Tree
    from interpreter.run.tree import Tried as Tried
    from interpreter.serial import BadState as BadState
    from interpreter.sight.reveals import Sight as Sight
    from interpreter.sight.touch import Pointed as Pointed
    from interpreter.sight.view import is_seen as is_seen
    from interpreter.sight.view import named as named
    from interpreter.state import CHANCE as CHANCE
    from interpreter.state import BadStart as BadStart
    from interpreter.state import IllegalMove as IllegalMove
    from interpreter.state import LedgerLine as LedgerLine
    from interpreter.state import Move as Move
    from interpreter.state import Movement as Movement
    from interpreter.state import Objection as Objection
    from interpreter.state import Outcome as Outcome
    from interpreter.state import Spot as Spot
    from interpreter.state import State as State
    from interpreter.state import Told as Told
    from interpreter.state import TracedState as TracedState
    from interpreter.state import UnreadableMove as UnreadableMove
    from interpreter.trial import lockstep as lockstep
    from interpreter.trial.coverage import cover as cover
    from interpreter.trial.trial import Trial as Trial
    from interpreter.trial.trial import try_rules as try_rules
    from rulespec.diagnostics.diagnostic import Diagnostic as Diagnostic
    from rulespec.diagnostics.diagnostic import RuleFileError as RuleFileError

_NAMES = {  # module → its public names
    "interpreter.game": ("CountedGame", "Game", "TracedGame", "load", "load_traced"),
    "interpreter.state": (
        "CHANCE", "BadStart", "IllegalMove", "LedgerLine", "Move", "Movement", "Objection", "Outcome", "Spot", "State", "Told", "TracedState",
        "UnreadableMove",
    ),
    "interpreter.notation": ("HIDDEN", "Notation"),
    "interpreter.fault": ("Fault",),
    "interpreter.compile.build": ("shared_library",),
    "interpreter.serial": ("BadState",),
    "interpreter.layout": ("BLOCK", "contents", "possible_values", "put"),
    "interpreter.run.keyed": ("KeyedGames", "GameNotes"),
    "interpreter.run.tree": ("Manner", "Tree", "Tried"),
    "interpreter.sight.reveals": ("Sight",),
    "interpreter.sight.touch": ("Pointed",),
    "interpreter.sight.view": ("is_seen", "named"),
    "interpreter.examples.examples": (
        "ExampleResult", "begin_example", "given_position", "run_examples", "worked_example",
    ),
    "interpreter.examples.positions": ("Position",),
    "interpreter.examples.reading": ("Look", "WorkedExample", "check_examples", "find_examples"),
    "interpreter.budget": ("Budget", "BudgetSpent", "cost_among", "cost_of", "cost_together", "heaviness"),
    "interpreter.trial.coverage": ("cover",),
    "interpreter.trial.trial": ("Trial", "try_rules"),
    "rulespec.diagnostics.diagnostic": ("Diagnostic", "RuleFileError"),
}  # fmt: skip
_MODULES = {"lockstep": "interpreter.trial.lockstep", "seeds": "interpreter.seeds"}  # whole modules: `seeds.new_seed`
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted([*_HOMES, *_MODULES])


if not TYPE_CHECKING:  # mypy sees the imports above, and no other name

    def __getattr__(name):
        if name in _HOMES:
            return getattr(import_module(_HOMES[name]), name)
        if name in _MODULES:
            return import_module(_MODULES[name])
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")


def __dir__() -> list[str]:
    return list(__all__)
