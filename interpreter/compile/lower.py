"""A checked model → its program."""

from __future__ import annotations

from interpreter.compile.hoist import hoist
from interpreter.compile.maker import Maker
from interpreter.compile.program import Program
from interpreter.compile.steps import Steps
from interpreter.compile.tabulate import tabulate
from interpreter.compile.words import Words, lower_words, value_function
from interpreter.layout import NOTHING_NOTED, Layout, lay_out
from rulespec.syntax import Model

PASSES = (hoist, tabulate)  # what is worked out less often first; then what is known before play becomes tables


def lower(model: Model, tracing: bool = False, watching: bool = False) -> tuple[Program, Layout]:
    """Return the program of a game, and where everything lies in its positions.

    `tracing` programs say which pieces moved; `watching` ones say which conditions refused.
    """
    program, layout = lower_plainly(model, tracing, watching)
    return passed(program), layout


def lower_plainly(model: Model, tracing: bool = False, watching: bool = False) -> tuple[Program, Layout]:
    """Return the same, before any pass."""
    layout = lay_out(model)
    maker = Maker(model, layout)
    steps = Steps(maker, tracing, watching)
    steps.write()
    me, span = [("me", model.sets["player"].type)], model.procedures["play"].span
    ranks = tuple(value_function(steps.x, me, e, span) for _, e in model.winner)
    if layout.remembers:
        layout.start.append(NOTHING_NOTED)  # behind the slots of steps that wait
    blocks = tuple(b for b in steps.blocks if b is not None)
    assert len(blocks) == len(steps.blocks)
    return maker.program(blocks, steps.decisions, steps.entries, steps.begin, ranks, tuple(steps.moves)), layout


def lower_explained(model: Model, layout: Layout) -> tuple[Program, Words]:
    """Return the program of what explanations ask for, and which function is which."""
    program, words = lower_words(model, layout)
    return passed(program), words


def passed(program: Program) -> Program:
    for change in PASSES:
        program = change(program)
    return program
