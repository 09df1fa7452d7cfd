"""The house: which package and which room may import which, what stands behind a face, and no import cycles."""

from __future__ import annotations

import ast
import doctest
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from referee.cli import cli
from rulespec.graph import components

ROOT = Path(__file__).parent.parent
LATER = {"rulespec": ("interpreter", "referee"), "interpreter": ("referee",), "referee": ()}
ENTRANCE = "rulespec.__main__"  # `python -m rulespec` is the command line

# A room, which is a folder or a single module, imports only those before it in its package.
ROOMS = {
    "rulespec": (
        "english", "align", "graph", "cache", "diagnostics", "yaml", "files", "options", "schema", "syntax", "expr", "model", "checks", "rules",
        "format", "diff",
    ),
    "interpreter": (
        "fault", "state", "notation", "seeds", "layout", "serial", "compile", "run", "sight", "game",
        "budget", "reference", "examples", "trial",
    ),
    "referee": (
        "bots", "record", "picture", "shell", "play", "table", "engine", "rulebook", "diff", "new", "lab", "learn", "lsp", "web", "cli",
    ),
}  # fmt: skip

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


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _read(everywhere: bool) -> dict[str, frozenset[str]]:
    known = modules()
    return {name: frozenset(imported(tree_of(path), known, everywhere)) for name, path in known.items()}


def read(everywhere: bool) -> dict[str, frozenset[str]]:
    """Return what all modules import, as the caller's own."""
    return dict(_read(everywhere))


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
    return [sorted(group) for group in components(graph) if len(group) > 1]


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
    graph["rulespec.yaml.nodes"] |= {"rulespec.graph"}
    assert any("rulespec.graph" in ring for ring in rings(graph))


# Rooms ----------------------------------------------------------------------------------------------------------


def room_arrows(imports: Imports) -> dict[str, set[tuple[str, str]]]:
    """Return for each package which of its rooms imports which; what is only for types counts too."""
    found: dict[str, set[tuple[str, str]]] = {package: set() for package in LATER}
    for name, others in imports.items():
        package, _, inside = name.partition(".")
        for other in others:
            where, _, target = other.partition(".")
            one, two = inside.split(".")[0], target.split(".")[0]
            if where == package and one and two and one != two and name != ENTRANCE:
                found[package].add((one, two))
    return found


def wrong_arrows(imports: Imports) -> set[str]:
    """Return the imports of a room by one that comes before it."""
    return {
        f"{package}: {one} imports {two}"
        for package, arrows in room_arrows(imports).items()
        for one, two in arrows
        if ROOMS[package].index(two) > ROOMS[package].index(one)
    }


def test_rooms__all_are_listed() -> None:
    listed = {f"{package}.{room}" for package, rooms in ROOMS.items() for room in rooms}
    there = {".".join(name.split(".")[:2]) for name in modules() if "." in name} - {ENTRANCE}
    assert there <= listed, f"give them a place in ROOMS: {sorted(there - listed)}"


def test_rooms__import_earlier_rooms_only() -> None:
    assert wrong_arrows(read(everywhere=True)) == set()


def test_rooms__a_planted_arrow_is_found() -> None:
    planted = read(everywhere=True)
    planted["rulespec.yaml.nodes"] |= {"rulespec.checks.sense"}
    assert wrong_arrows(planted) == {"rulespec: yaml imports checks"}


def room_rings(imports: Imports) -> list[list[str]]:
    """Return the groups of rooms of one package that import one another."""
    found = []
    for package, arrows in room_arrows(imports).items():
        graph: dict[str, list[str]] = {room: [] for room in ROOMS[package]}
        for one, two in sorted(arrows):
            graph[one].append(two)
        found += [sorted(group) for group in components(graph) if len(group) > 1]
    return found


def test_rooms__do_not_import_one_another() -> None:
    assert room_rings(read(everywhere=True)) == []


def test_rooms__a_planted_ring_is_found() -> None:
    planted = read(everywhere=True)
    planted["rulespec.diagnostics.pages"] |= {"rulespec.yaml.dump"}
    assert room_rings(planted) == [["diagnostics", "yaml"]]


# Faces ----------------------------------------------------------------------------------------------------------


FACES = ("rulespec", "interpreter")


def past_faces(tree: ast.Module) -> list[str]:
    """Return the imports of a module of `referee` that reach past the face of another package."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            face = node.module.split(".")[0]
            if face in FACES:
                offered = {*import_module(face).__all__, "__version__"} if node.module == face else set()
                found += [f"{node.module}.{alias.name}" for alias in node.names if alias.name not in offered]
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name.split(".")[0] in FACES]
    return found


def test_faces__referee_imports_nothing_behind_them() -> None:
    found = {
        name: reach
        for name, path in modules().items()
        if name.startswith("referee") and (reach := past_faces(tree_of(path)))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("line", "reach"),
    [
        ("from rulespec.rules import open_rules", "rulespec.rules.open_rules"),
        ("def f():\n    from interpreter.game import Game", "interpreter.game.Game"),
        ("from rulespec import rules", "rulespec.rules"),
        ("from rulespec import cache", "rulespec.cache"),
        ("import rulespec.rules", "rulespec.rules"),
        ("import interpreter", "interpreter"),
    ],
)
def test_faces__a_planted_reach_past_one_is_found(line: str, reach: str) -> None:
    assert past_faces(ast.parse(line)) == [reach]


@pytest.mark.parametrize("face", FACES)
def test_faces__every_name_is_there_and_typed(face: str) -> None:
    package = import_module(face)
    for name in package.__all__:
        assert getattr(package, name) is not None
    tree = ast.parse((ROOT / face / "__init__.py").read_text(encoding="utf-8"))
    block = next(n for n in tree.body if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING")
    typed = {alias.asname for n in block.body if isinstance(n, ast.ImportFrom) for alias in n.names}
    assert typed | {"LANGUAGE"} == {*package.__all__, "LANGUAGE"}
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize("face", FACES)
def test_faces__an_unknown_name_is_refused(face: str) -> None:
    with pytest.raises(AttributeError, match="no attribute `chest`"):
        import_module(face).chest  # noqa: B018


# Names ----------------------------------------------------------------------------------------------------------

TWICE = frozenset(("texts", "__init__"))  # modules of these names may be in any room
COMMANDS = "referee.cli"  # a file here that is called like a command may have the name of another module


def names_used_twice(paths: Mapping[str, Path]) -> dict[str, list[str]]:
    """Return the names of classes and of modules that are in two places."""
    found: dict[str, list[str]] = {}
    for module, path in paths.items():
        name = path.stem
        is_command = module == f"{COMMANDS}.{name}" and name in cli.commands
        if name not in TWICE and not is_command:
            found.setdefault(name, []).append(module)
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(f"{module}.{node.name}")
    return {name: places for name, places in found.items() if len(places) > 1}


def test_names__one_class_one_module() -> None:
    assert names_used_twice(modules()) == {}


def test_names__a_planted_class_is_found(tmp_path: Path) -> None:
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("class Place: ...")
    two.write_text("class Outer:\n    class Place: ...")
    assert names_used_twice({"a.one": one, "b.two": two}) == {"Place": ["a.one.Place", "b.two.Place"]}


@pytest.mark.parametrize(
    ("modules", "twice"),
    [
        (("rulespec.model.same", "interpreter.run.same"), True),
        (("rulespec.same", "referee.cli.same"), True),  # it is no command
        (("rulespec.verify", "referee.cli.verify"), False),
        (("rulespec.verify", "referee.cli.inner.verify"), True),
        (("rulespec.verify", "interpreter.cli.verify"), True),
        (("rulespec.__main__", "referee.__main__"), True),
        (("referee.table.texts", "referee.cli.texts"), False),
    ],
)
def test_names__a_planted_module_is_found(modules: tuple[str, ...], twice: bool, tmp_path: Path) -> None:
    paths = {module: tmp_path / f"{module.replace('.', '/')}.py" for module in modules}
    for path in paths.values():
        path.parent.mkdir(parents=True)
        path.write_text("")
    assert list(names_used_twice(paths).values()) == ([list(modules)] if twice else [])


# State ----------------------------------------------------------------------------------------------------------

MODULES = frozenset(modules())
CHANGING = frozenset(
    [
        "add",
        "append",
        "appendleft",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "popleft",
        "remove",
        "reverse",
        "setdefault",
        "sort",
        "update",
    ]
)


def module_state(tree: ast.Module) -> list[str]:
    """Return what a module keeps for as long as the process lives: names that functions change, caches without a bound."""
    found = []
    names = _module_names(tree)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if not isinstance(function, ast.Lambda) and _keeps_for_ever(function):
            found.append(f"{function.name} keeps results without a bound")
        outer = names - _local_names(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                found += node.names
            found += [name for name in _changed(node) if name in outer]
    return sorted(set(found))


def _module_names(tree: ast.Module) -> set[str]:
    """Return the names that are bound at the top of a module, imported ones too."""
    found = set()
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        found |= {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}
        if isinstance(node, ast.ImportFrom):
            names = (alias for alias in node.names if f"{node.module}.{alias.name}" not in MODULES)
            found |= {alias.asname or alias.name for alias in names}
    return found


def _local_names(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> set[str]:
    arguments = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    bound = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return arguments | bound


def _changed(node: ast.AST) -> Iterator[str]:
    """Yield the names of what a node of the syntax tree changes in place."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in CHANGING:
            yield name
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            yield name
        case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            yield name


def _keeps_for_ever(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function that takes arguments remembers its result for each of them, however many there are."""
    arguments = function.args
    if not (arguments.posonlyargs or arguments.args or arguments.kwonlyargs or arguments.vararg or arguments.kwarg):
        return False
    return any(
        ast.unparse(d) in ("cache", "functools.cache", "lru_cache(maxsize=None)") for d in function.decorator_list
    )


def test_state__no_module_keeps_any() -> None:
    found = {name: kept for name, path in modules().items() if (kept := module_state(tree_of(path)))}
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "seen = {}\ndef f(x):\n    seen[x] = 1",
        "seen = []\ndef f(x):\n    seen.append(x)",
        "seen = 0\ndef f():\n    global seen\n    seen = 1",
        "from other import seen\ndef f(x):\n    seen.update(x)",
        "seen: set[int] = set()\nclass C:\n    def f(self, x):\n        seen.add(x)",
        "FORMS = {}\ndef form(kind):\n    def register(check):\n        FORMS[kind] = check\n    return register",
        "@cache\ndef f(x):\n    return x",
    ],
)
def test_state__planted_is_found(text: str) -> None:
    assert len(module_state(ast.parse(text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "TABLE = {1: 2}\ndef f(x):\n    return TABLE[x]",
        "seen = {}\ndef f(seen, x):\n    seen[x] = 1",
        "def f(x):\n    seen = []\n    seen.append(x)",
        "@cache\ndef f():\n    return 1",
        "@lru_cache(maxsize=9)\ndef f(x):\n    return x",
    ],
)
def test_state__what_is_none_is_left_alone(text: str) -> None:
    assert module_state(ast.parse(text)) == []


# Doctests -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [name for name, path in modules().items() if ">>> " in path.read_text(encoding="utf-8")]
)
def test_modules__examples_in_docstrings_hold(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert tried and not failed
