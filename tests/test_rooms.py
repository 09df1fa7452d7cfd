"""The house: which package may import which, and no module that comes to itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulespec.graph import circles

ROOT = Path(__file__).parent.parent
LATER = {"rulespec": ("interpreter", "referee"), "interpreter": ("referee",), "referee": ()}
ENTRANCE = "rulespec.__main__"  # `python -m rulespec` is the command line

Imports = Mapping[str, frozenset[str]]  # module → the modules it imports when it is itself imported


def modules() -> dict[str, Path]:
    """Return all modules of the product by name."""
    found = {}
    for package in LATER:
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(tree: ast.Module, known: Mapping[str, object], everywhere: bool) -> Iterator[str]:
    """Yield the modules that a module imports; `everywhere`: also inside of functions and for types alone."""
    for node in ast.walk(tree) if everywhere else tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def read(everywhere: bool) -> dict[str, frozenset[str]]:
    known = modules()
    return {
        name: frozenset(imported(ast.parse(path.read_text(encoding="utf-8")), known, everywhere))
        for name, path in known.items()
    }


def upward(imports: Imports) -> list[str]:
    """Return the imports that lead from a package to one that stands on it."""
    return [
        f"{name} imports {other}"
        for name, others in sorted(imports.items())
        if name != ENTRANCE
        for other in sorted(others)
        if other.split(".")[0] in LATER[name.split(".")[0]]
    ]


def rings(imports: Imports) -> list[list[str]]:
    """Return the groups of modules that import one another."""
    graph = {name: sorted(others & imports.keys()) for name, others in imports.items()}
    return [sorted(group) for group in circles(graph) if len(group) > 1]


def test_packages__import_downward_only() -> None:
    assert upward(read(everywhere=True)) == []


def test_packages__a_planted_upward_import_is_found() -> None:
    planted = {**read(everywhere=True), "rulespec.graph": frozenset({"interpreter.game"})}
    assert upward(planted) == ["rulespec.graph imports interpreter.game"]


def test_modules__do_not_import_one_another() -> None:
    assert rings(read(everywhere=False)) == []


def test_modules__a_planted_ring_is_found() -> None:
    graph = read(everywhere=False)
    graph["rulespec.graph"] |= {"rulespec.rules"}
    graph["rulespec.yaml.tree"] |= {"rulespec.graph"}
    assert any("rulespec.graph" in ring for ring in rings(graph))
