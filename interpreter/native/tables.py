"""Tables known at load, as C arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from interpreter.native.shapes import INT, UNKNOWN, Int, Node, Seq, Shape, Tup, Unknown, Untranslatable, width
from rulespec.expr.types import NONE

LARGEST_TABLE = 1_000_000  # cells
LIMIT = 2**31 - 1


@dataclass
class Table:
    """One constant of the program. A dict is a table of cells a level: node and key → value or next node."""

    name: str
    value: Any
    shape: Shape
    lines: list[str] = field(default_factory=list)
    levels: int = 0  # of a dict
    leaf: Shape = UNKNOWN  # of a dict
    gaps: bool = False  # some items are None: tuples that begin with GAP

    @property
    def is_dict(self) -> bool:
        return self.levels > 0


def table(name: str, value: Any) -> Table:
    """The C text and shape of a constant."""
    made = Table(f"k_{name}", value, UNKNOWN)
    if isinstance(value, frozenset):
        value = dict.fromkeys(sorted(value), 1)
    if isinstance(value, dict):
        _write_dict(made, _nested(value))
        made.shape = Node(name, 0)
    elif isinstance(value, tuple | list | range):
        made.gaps = any(v is None for v in value)
        made.shape = _shape([value])
        _write_seq(made, made.name, tuple(value), made.shape)
    else:
        raise Untranslatable(f"constant {name}")
    return made


# sequences ---------------------------------------------------------------------------------------------


def _shape(values: list[Any]) -> Seq:
    """The shape of sequences of one kind: numbers, tuples of one length, or sequences."""
    items = [v for value in values for v in value if v is not None]
    if all(isinstance(i, int) for i in items):
        return Seq(INT if items else UNKNOWN)
    if not all(isinstance(i, tuple) for i in items):
        raise Untranslatable("a table of mixed values")
    if all(isinstance(n, int) for i in items for n in i) and len({len(i) for i in items}) == 1 and items[0]:
        return Seq(Tup((INT,) * len(items[0])))
    return Seq(_shape(items))


def _write_seq(made: Table, name: str, value: tuple[Any, ...], shape: Seq) -> None:
    """`name`, a constant sequence, and its cells."""
    made.lines.append(_cells(made, name, value, shape.item))
    made.lines.append(f"static const seq {name} = {{(I *){name}_p, {len(value)}, -1}};")


def _cells(made: Table, name: str, value: tuple[Any, ...], item: Shape) -> str:
    match item:
        case Int() | Unknown():
            return _array("I", f"{name}_p", [_number(v) for v in value])
        case Tup():
            cells = [
                str(_number(n)) if v is not None else "GAP"
                for v in value
                for n in (v if v is not None else (0,) * width(item))
            ]
            return f"static const I {name}_p[] = {{{', '.join(cells)}}};"
        case Seq():
            if made.gaps:
                raise Untranslatable("a table with gaps")
            for i, v in enumerate(value):
                _write_seq(made, f"{name}_s{i}", v, item)
            pointers = ", ".join(f"&{name}_s{i}" for i in range(len(value)))
            return f"static const seq *const {name}_p[] = {{{pointers or 0}}};"
    raise Untranslatable(f"a table of {item}")


def _array(kind: str, name: str, values: list[int]) -> str:
    return f"static const {kind} {name}[] = {{{', '.join(map(str, values)) or 0}}};"


def _number(v: Any) -> int:
    if v is None:
        return 0
    if not isinstance(v, int) or not -LIMIT <= v <= LIMIT:
        raise Untranslatable(f"{v!r} in a table")
    return int(v)


# dicts -------------------------------------------------------------------------------------------------


def _nested(value: dict[Any, Any]) -> dict[int, Any]:
    """A dict by tuples as dicts in dicts."""
    if not value or not isinstance(next(iter(value)), tuple):
        return value
    tree: dict[int, Any] = {}
    for key, v in value.items():
        branch = tree
        for k in key[:-1]:
            branch = branch.setdefault(k, {})
        branch[key[-1]] = v
    return tree


def _write_dict(made: Table, root: dict[int, Any]) -> None:
    nodes: list[dict[int, Any]] = [root]
    while True:
        values = [v for node in nodes for v in node.values()]
        made.levels += 1
        if not values or not all(isinstance(v, dict) for v in values):
            break
        _write_level(made, made.levels - 1, nodes, list(range(len(values))))
        nodes = values
    if all(isinstance(v, int) for v in values):
        made.leaf = INT
        numbers = [_number(v) for v in values]
    elif all(isinstance(v, tuple | list | range) for v in values):
        made.leaf = _shape(values)
        for i, v in enumerate(values):
            _write_seq(made, f"{made.name}_leaf{i}", tuple(v), made.leaf)
        numbers = list(range(len(values)))
        leaves = ", ".join(f"&{made.name}_leaf{i}" for i in numbers)
        made.lines.append(f"static const seq *const {made.name}_leaves[] = {{{leaves}}};")
    else:
        raise Untranslatable(f"table {made.name}")
    _write_level(made, made.levels - 1, nodes, numbers)


def _write_level(made: Table, level: int, nodes: list[dict[int, Any]], numbers: list[int]) -> None:
    """A function from a node of this level and a key to the number found there, or MISSING.

    Keys are numbers or members, and members have codes far from numbers: two ranges side by side.
    """
    keys = {k for node in nodes for k in node}
    if not all(isinstance(k, int) for k in keys):
        raise Untranslatable(f"keys of {made.name}")
    spans = [_span([k for k in keys if k < NONE]), _span([k for k in keys if k >= NONE])]
    wide = sum(n for _, n in spans)
    if wide * len(nodes) > LARGEST_TABLE:
        raise Untranslatable(f"table {made.name} is too large")
    cells = [-LIMIT - 1] * (wide * len(nodes))
    found = iter(numbers)
    for i, node in enumerate(nodes):
        for key in node:
            low, n = spans[0]
            slot = key - low if key < NONE else key - spans[1][0] + n
            cells[i * wide + slot] = next(found)
    name = f"{made.name}_l{level}"
    made.lines.append(
        "static const int32_t "
        + f"{name}_c[] = {{{', '.join('INT32_MIN' if c < -LIMIT else str(c) for c in cells) or 0}}};"
    )
    made.lines.append(f"INLINE I {name}(I node, I key) {{")
    before = 0
    for low, n in spans:
        if n:
            made.lines.append(
                f"    if ((uint64_t)(key - {low}) < {n}) return {name}_c[node * {wide} + (key - {low - before})];"
            )
        before += n
    made.lines += ["    return MISSING;", "}"]


def _span(keys: list[int]) -> tuple[int, int]:
    return (min(keys), max(keys) - min(keys) + 1) if keys else (0, 0)
