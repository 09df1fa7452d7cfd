"""Names and short texts of a rule file stand in one line: a line end in a title would begin a line of somebody else's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.yaml.tree import Mapping, Node, Scalar, Sequence

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
ANY = "*"  # any key, or an item of a list
CHANGE = "change"  # below it a rule file begins anew

# what is shown in one line; all else is an expression, a step, a position of an example, or a text of several sentences
ROUTES = tuple(
    tuple(route.split("."))
    for route in (
        "change",
        "examples.*.refused.*",
        "examples.*.see",
        "examples.*.with.*",
        "extends",
        "extends.*",
        "game",
        "moves.*.beside",
        "moves.*.like",
        "moves.*.needs.*.else",
        "moves.*.needs.*.see",
        "moves.*.see",
        "moves.*.text",
        "options.*.*.change",
        "options.*.*.see",
        "options.*.see",
        "places.*.see",
        "scoring.*.see",
        "scoring.*.text",
        "sets.*.*",
        "variables.*.see",
        "view.colours.*",
        "view.labels.*",
        "view.layout.*.see",
        "view.layout.*.title",
        "view.says.*",
        "view.symbols.*",
        "with.*",
    )
)
Routes = tuple[tuple[str, ...], ...]


def check_lines(node: Node, routes: Routes = ROUTES) -> Iterator[Diagnostic]:
    """Complaints about keys, names and short texts that hold a line end or another control character."""
    match node:
        case Scalar():
            if () in routes:
                yield from _check(node, "a text that is shown in one line")
        case Sequence():
            inner = _below(routes, ANY)
            for item in node.items:
                yield from check_lines(item, inner)
        case Mapping():
            for key, value in node:
                yield from _check(key, "a name in one line")
                yield from check_lines(value, _below(routes, key.text))


def _below(routes: Routes, key: str) -> Routes:
    inner = tuple(route[1:] for route in routes if route and route[0] in (key, ANY))
    return ROUTES if key == CHANGE and () in inner else inner


def _check(scalar: Scalar, expected: str) -> Iterator[Diagnostic]:
    bad = CONTROL.search(scalar.text)
    if bad is None:
        return
    found = "a line end" if bad.group() == "\n" else "a tab" if bad.group() == "\t" else f"U+{ord(bad.group()):04X}"
    many_lines = scalar.span.line != scalar.span.end_line
    fix = "write it in one line, or begin it with `>-`" if many_lines else "take it out"
    yield Diagnostic(scalar.span, "text-control", f"expected {expected}, found {found} in it", "", fix)
