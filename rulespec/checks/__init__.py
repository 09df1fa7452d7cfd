"""Rules that are well formed and well typed, and still make no sense. A check yields complaints; none means good."""

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

# The others follow calls: they would not end, or not in time, if one of these objects.
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

# These are reported only if every combination of options has them: once is enough for a thing to happen.
IN_EVERY_COMBINATION = frozenset(("condition-always", "condition-never", "local-unused"))


def check_sense(model: Model) -> list[Diagnostic]:
    """Return everything that is found."""
    found = [d for check in FIRST for d in check(model)]
    return found or [d for check in CHECKS for d in check(model)]
