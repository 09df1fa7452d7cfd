"""Pieces that cannot lie anywhere."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.syntax import Model


def check_pieces(model: Model) -> Iterator[Diagnostic]:
    """Every kind there is has a place."""
    for kind in model.kinds:
        if not any(s.kind == kind and s.count for s in model.pieces):
            continue
        if not any(kind in p.kinds for p in model.places.values()):
            span = next(iter(model.places.values())).span if model.places else model.procedures["play"].span
            yield Diagnostic(span, "piece-without-place", f"no place can hold `{model.value_name(kind)}`")
