"""Game sense: what is well formed and well typed, and still cannot be meant. A check gives complaints; none means good."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec.checks.sense import (
    check_circles,
    check_constant,
    check_depth,
    check_local_names,
    check_loops,
    check_pieces,
    check_unused,
    check_view,
)
from rulespec.checks.work import check_choices, check_effort, check_kept, check_size
from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.syntax import Model

Check = Callable[[Model], Iterator[Diagnostic]]

# If one of these objects, the others would not end, or not in time: they follow calls.
FIRST: tuple[Check, ...] = (check_circles, check_depth)
CHECKS: tuple[Check, ...] = (
    check_loops,
    check_size,
    check_kept,
    check_effort,
    check_choices,
    check_pieces,
    check_view,
    check_constant,
    check_unused,
    check_local_names,
)

# These count only if every combination of options shows them: one in which something can happen is enough.
IN_EVERY_COMBINATION = frozenset(("condition-always", "condition-never", "local-unused"))


def check_sense(model: Model) -> list[Diagnostic]:
    """Everything that is found."""
    found = [d for check in FIRST for d in check(model)]
    return found or [d for check in CHECKS for d in check(model)]
