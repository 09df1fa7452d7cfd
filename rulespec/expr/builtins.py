"""The built-in functions: one row each, read by the checker and by the reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespec import syntax
from rulespec.english import number_of
from rulespec.expr.parse import Syntax
from rulespec.expr.static import extreme_type
from rulespec.syntax import (
    MOST_NOTED,
    Expr,
    ListOf,
    PlaceOf,
    Several,
    Type,
    Unknown,
    Values,
    YesNo,
    number,
    or_none,
    overlap,
    sure,
)

if TYPE_CHECKING:
    from rulespec.expr.infer import Inference
    from rulespec.expr.static import Env

Check = Callable[["Inference", Syntax, tuple[Syntax, ...], "Env"], Expr]


@dataclass(frozen=True, slots=True)
class BuiltinFunction:
    """One built-in: how it is written, what it gives, how many arguments it takes, and how a call is checked."""

    name: str
    usage: str
    gives: str
    least: int
    most: int
    check: Check

    def build(self, inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
        """Return the checked call; one with another number of arguments is refused."""
        if self.least <= len(nodes) <= self.most:
            if self.name in OF_PLACES and (wrong := _closed_late(inference, node, nodes, env)) is not None:
                return wrong
            return self.check(inference, node, nodes, env)
        given = f"{number_of(len(nodes), 'argument')} given"
        fix = f"for a list write `{self.name}(x for x in …)`" if self.name in AGGREGATES and len(nodes) == 1 else ""
        meant = _of_each(inference, self.name, nodes[0]) if fix else None
        fix, edits = f"write `{meant}`" if meant else fix, inference.write(node, meant)
        if meant and "me" in env and meant.endswith(" player)"):
            own = f"{meant.partition('(')[2].partition('[')[0]}[me]"
            fix, edits = f"for that of the player write `{own}`, for the {self.name} of all `{meant}`", ()
        message = f"`{self.name}` is written `{self.usage}`, {given}"
        return inference.complain(node, "call-arguments", message, "", fix, edits=edits)


AGGREGATES: Mapping[str, str] = {
    "sum": "the sum; `none` is left out, nothing gives 0",
    "count": "how many times the condition holds",
    "any": "whether the condition holds for at least one",
    "all": "whether the condition holds for every one; yes for nothing",
    "max": "the largest number; `none` for nothing",
    "min": "the smallest number; `none` for nothing",
    "first": "the first value; `none` for nothing",
    "list": "all the values, in order",
}

OF_PLACES = frozenset(("count", "size", "free", "empty", "piece"))
FAILED = syntax.Literal(Unknown(), 0)


def _closed_late(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr | None:
    """Return the complaint about `count(a > 0)` and `count(k in a)`, where `a` is a place; None for anything else."""
    name, last = node.parts[0], nodes[-1]
    if last.kind not in ("compare", "in") or isinstance(inference.silently().value(last, env).type, YesNo) != (
        last.kind == "in"
    ):
        return None
    place_node = last.parts[0] if last.kind == "compare" else last.parts[1]
    place = inference.silently().value(place_node, env).type
    before = [inference.text(n) for n in nodes[:-1]]
    if not isinstance(place.item if isinstance(place, ListOf) else place, PlaceOf | Several) and not before:
        return None
    if last.kind == "in":
        kind, where = inference.text(last.parts[0]), inference.text(place_node)
        meant, code = f"count({where}, {kind})", "aggregate-shape"
        message, why = f"`{inference.text(last)}` is yes or no", "the place comes first, then which pieces"
        if name == "empty":
            meant, why = f"{kind} not in {where}", "that none lies there is said without `empty`"
        if name not in ("count", "size", "empty") or before:
            return None
    else:
        meant = f"{name}({', '.join([*before, inference.text(place_node)])}) {last.parts[1]} {inference.text(last.parts[2])}"
        message, why, code = (
            f"`{inference.text(last)}` is inside the brackets of `{name}`",
            "the comparison comes after them",
            "type-mismatch",
        )
    return inference.complain(last, code, message, why, f"write `{meant}`", edits=inference.write(node, meant))


def _of_each(inference: Inference, name: str, node: Syntax) -> str | None:
    """Return how `max(score)` and `max(score[player])` are written; None if something else is meant."""
    base = node.parts[0] if node.kind == "index" else node
    owner = base.parts[0] if base.kind == "name" else ""
    if owner in inference.names.places or not inference.names.is_indexed(owner):
        return None
    sets = [wanted.home for wanted in inference.names.index_types(owner)]
    inner = [inference.text(n) for n in node.parts[1].parts] if node.kind == "index" else sets
    return f"{name}({owner}[x] for x in {sets[0]})" if len(sets) == 1 and inner == sets and sets[0] else None


def _places(inference: Inference, node: Syntax, env: Env) -> tuple[Expr, str] | None:
    """Return a place or a list of places, and its family; None, with a complaint, for anything else."""
    return _as_places(inference, node, inference.value(node, env))


def _as_places(inference: Inference, node: Syntax, e: Expr) -> tuple[Expr, str] | None:
    match e.type:
        case PlaceOf():
            return e, e.type.family
        case ListOf(item=PlaceOf(family=family)):
            return e, family
        case Unknown():
            return None
        case _:
            inference.no_place(node, e)
            return None


def _turned_round(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], first: Expr, env: Env) -> bool:
    """Return whether a kind comes before its place; report it if so."""
    if len(nodes) != 2 or not isinstance(first.type, Values):
        return False
    other = inference.silently().value(nodes[1], env).type
    if not isinstance(other.item if isinstance(other, ListOf) else other, PlaceOf):
        return False
    meant = f"count({inference.text(nodes[1])}, {inference.text(nodes[0])})"
    message, why = f"expected a place, found {inference.describe(first)}", "the place comes first, then which pieces"
    fix, edits = f"write `{meant}`", inference.write(node, meant)
    inference.complain(nodes[0], "type-mismatch", message, why, fix, edits=edits)
    return True


def _local_kind(held: Type, env: Env) -> str:
    """Return the one local name for a kind that can lie there; nothing if there are none or several."""
    kinds = [
        n
        for n, t in env.items()
        if isinstance(t, Values) and t.members and isinstance(held, Values) and overlap(t, held)
    ]
    return kinds[0] if len(kinds) == 1 else ""


def _count(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
    first = inference.value(nodes[0], env)
    if isinstance(first.type, Several):
        most = inference.names.total_pieces
        held: Type = inference.names.type_of_kinds(first.type.kinds)
        args: tuple[Expr, ...] = (first,)
    elif isinstance(first.type, YesNo):
        return inference.complain(
            node, "aggregate-shape", "`count` of a condition needs `for`", "", "write `count(… for x in …)`"
        )
    elif _turned_round(inference, node, nodes, first, env):
        return FAILED
    else:
        found = _as_places(inference, nodes[0], first)
        if found is None:
            return FAILED
        places, family = found
        most, held, args = inference.names.most_pieces(places, family), inference.names.kinds_type((family,)), (places,)
    if len(nodes) == 2:
        kinds = inference.value(nodes[1], env)
        item = kinds.type.item if isinstance(kinds.type, ListOf) else kinds.type
        if isinstance(item, Unknown):
            return FAILED
        if not isinstance(item, Values):
            return inference.expected(nodes[1], "a kind of piece", kinds)
        if not item.never and not item.none and not overlap(item, held):  # type: ignore[arg-type]
            message, why = (
                f"{inference.describe(kinds)} never lies there",
                f"there lies {inference.names.describe_type(held)}",
            )
            meant = inference.one_of(held, env) or _local_kind(held, env)
            fix, edits = f"write `{meant}`" if meant else "", inference.write(nodes[1], meant or None)
            return inference.complain(nodes[1], "kind-never-there", message, why, fix, edits=edits)
        args += (kinds,)
    return syntax.BuiltinCall(number(0, most), "count", args)


def _size(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
    e = inference.value(nodes[0], env)
    if isinstance(e.type, ListOf):
        if isinstance(e, syntax.Literal) and isinstance(e.value, tuple):
            return syntax.Literal(number(len(e.value), len(e.value)), len(e.value))
        return syntax.BuiltinCall(number(0, e.type.largest), "size", (e,))
    if isinstance(e.type, Unknown):
        return FAILED
    if isinstance(e.type, PlaceOf):
        return inference.complain(
            nodes[0],
            "type-mismatch",
            "expected a list or a set, found a place",
            "",
            "for the pieces on a place write `count(…)`",
        )
    return inference.expected(nodes[0], "a list or a set", e)


def _free(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
    found = _places(inference, nodes[0], env)
    if found is None:
        return FAILED
    places, family = found
    rooms = inference.names.places[family].rooms
    if min(rooms, default=0) < 0:
        return inference.complain(
            nodes[0], "place-unlimited", f"`{family}` has unlimited room", "", f"give `{family}` a `room:`"
        )
    most = max(rooms) if isinstance(places.type, PlaceOf) else sum(rooms)
    return syntax.BuiltinCall(number(0, most), "free", (places,))


def _empty(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
    found = _places(inference, nodes[0], env)
    return syntax.BuiltinCall(YesNo(), "empty", (found[0],)) if found else FAILED


def _piece(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
    e = inference.value(nodes[0], env)
    if isinstance(e.type, Unknown):
        return FAILED
    if not isinstance(e.type, PlaceOf):
        return inference.not_one_place(nodes[0], "one cell or stack", e)
    if inference.names.places[e.type.family].shape == "pile":
        return inference.complain(nodes[0], "type-mismatch", f"`{e.type.family}` is a pile: it may hold several pieces at once",
                                  "`piece` is for cells and stacks", "use `first(k for k in … )` or `count`")  # fmt: skip
    return syntax.BuiltinCall(or_none(inference.names.kinds_type((e.type.family,))), "piece", (e,))


def _neighbour(name: str) -> Check:
    def build(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
        e = inference.value(nodes[0], env)
        if isinstance(e.type, Unknown):
            return FAILED
        home = e.type.home if isinstance(e.type, Values) else ""
        if home not in inference.names.sets:
            return inference.expected(nodes[0], "a member of a set", e)
        if isinstance(e.type, Values) and e.type.none:
            return (
                inference.sure_number(nodes[0], e)
                if e.type.lo is not None
                else inference.maybe_none(nodes[0], "a member", e)
            )
        values = inference.names.sets[home].type
        return syntax.BuiltinCall(values, name, (e, syntax.Literal(ListOf(values), inference.names.sets[home].values)))

    return build


def _clockwise(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
    player = inference.names.sets["player"].type
    e = inference.argument(nodes[0], player, "a player", env)
    return syntax.BuiltinCall(ListOf(player, inference.names.players), "clockwise", (e,), inference.span(node))


def _ray(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
    cell, way = inference.value(nodes[0], env), inference.value(nodes[1], env)
    if isinstance(cell.type, Unknown) or isinstance(way.type, Unknown):
        return FAILED
    if isinstance(way.type, PlaceOf) and isinstance(cell.type, Values):
        meant = f"ray({inference.text(nodes[1])}, {inference.text(nodes[0])})"
        message = f"expected a place, found {inference.describe(cell)}"
        edits, why = inference.write(node, meant), "the place comes first, then the way"
        return inference.complain(nodes[0], "type-mismatch", message, why, f"write `{meant}`", edits=edits)
    if not isinstance(cell.type, PlaceOf):
        return inference.not_one_place(nodes[0], "a place of a board", cell)
    if not isinstance(way.type, Values):
        return inference.expected(nodes[1], "one way", way)
    if not inference.check_ways(nodes[1], way, cell.type.family):
        return FAILED
    size = inference.names.places[cell.type.family].size
    return syntax.BuiltinCall(ListOf(sure(cell.type), size), "ray", (cell, way))


def _extreme(name: str) -> Check:
    def build(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
        args = tuple(inference.number(n, env) for n in nodes)
        types = [a.type for a in args if isinstance(a.type, Values)]
        if len(types) < len(args):
            return FAILED
        return syntax.BuiltinCall(extreme_type(name, types), name, args)

    return build


def _repeats(inference: Inference, node: Syntax, nodes: tuple[Syntax, ...], env: Env) -> Expr:
    names = whole_names(inference, nodes, env)
    return FAILED if names is None else syntax.Repeats(number(0, MOST_NOTED), names)


def whole_names(inference: Inference, nodes: tuple[Syntax, ...], env: Env) -> tuple[str, ...] | None:
    """Return the names of whole places and variables, each once, in order; None, with complaints, for anything else."""
    names = inference.names
    found: set[str] = set()
    for node in nodes:
        name = node.parts[0] if node.kind == "name" else ""
        if name in env or name not in (*names.places, *names.variables):
            owner = inference.text(node).partition("[")[0]
            fix = f"write `{owner}`" if owner in names.places or owner in names.variables else ""
            if node.kind == "list_of" and len(nodes) == 1:
                fix = "write the names without `[ ]`, with commas between them"
            message = f"expected the name of a place or a variable, found `{inference.text(node)}`"
            inference.complain(node, "type-mismatch", message, "all that has this name is compared", fix)
            return None
        names.used.add(name)
        found.add(name)
    return tuple(sorted(found))


_ROWS = (
    BuiltinFunction(
        "count",
        "count(place, kinds)",
        "how many pieces lie on a place or list of places; with kinds: only those",
        1,
        2,
        _count,
    ),
    BuiltinFunction("size", "size(list)", "how many items a list or set has", 1, 1, _size),
    BuiltinFunction("free", "free(place)", "how many more pieces fit on a place, or on a list of places", 1, 1, _free),
    BuiltinFunction(
        "empty", "empty(place)", "whether no piece lies on a place, or on any of a list of places", 1, 1, _empty
    ),
    BuiltinFunction(
        "piece", "piece(place)", "the piece on a cell, or on top of a stack; `none` if it is empty", 1, 1, _piece
    ),
    BuiltinFunction(
        "next",
        "next(member)",
        "the member after it in its set's order, the first after the last; for players: clockwise",
        1,
        1,
        _neighbour("next"),
    ),
    BuiltinFunction(
        "previous",
        "previous(member)",
        "the member before it in its set's order, the last before the first",
        1,
        1,
        _neighbour("previous"),
    ),
    BuiltinFunction("clockwise", "clockwise(player)", "all players, from that one on", 1, 1, _clockwise),
    BuiltinFunction("ray", "ray(cell, way)", "the cells beyond a cell in one way, in order, to the edge", 2, 2, _ray),
    BuiltinFunction(
        "repeats",
        "repeats(place, variable)",
        "how often places and variables were remembered together just as they are now",
        1,
        16,
        _repeats,
    ),
    BuiltinFunction("max", "max(a, b)", "the largest of two or more numbers", 2, 16, _extreme("max")),
    BuiltinFunction("min", "min(a, b)", "the smallest of two or more numbers", 2, 16, _extreme("min")),
)
HIDDEN_BY_OWN: frozenset[str] = frozenset(("repeats",))  # a file may have a definition of that name instead
BUILTINS: Mapping[str, BuiltinFunction] = {row.name: row for row in _ROWS}
