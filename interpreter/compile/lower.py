"""A checked model → its program."""

from __future__ import annotations

from interpreter.compile.hoist import hoist
from interpreter.compile.maker import Maker
from interpreter.compile.program import Program
from interpreter.compile.steps import Steps
from interpreter.compile.tabulate import tabulate
from interpreter.layout import Layout, lay_out
from rulespec.model.model import Model


def lower(model: Model, telling: bool = False, watching: bool = False) -> tuple[Program, Layout]:
    """The program of a game, and where everything lies in its positions.

    `telling` programs tell which pieces moved; `watching` ones tell which conditions refused.
    """
    layout = lay_out(model)
    maker = Maker(model, layout)
    steps = Steps(maker, telling, watching)
    steps.write()
    program = Program(
        layout.size,
        tuple(layout.start),
        tuple(maker.tables),
        tuple(f for f in maker.functions if f is not None),
        tuple(b for b in steps.blocks if b is not None),
        steps.decisions,
        tuple(maker.faults),
        steps.entries,
    )
    assert len(program.functions) == len(maker.functions) and len(program.blocks) == len(steps.blocks)
    return tabulate(hoist(program)), layout
