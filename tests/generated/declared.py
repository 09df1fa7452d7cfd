"""Declarations of a generated rule file: sets, tables, places and variables, as the expressions about them need it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any


@dataclass(frozen=True)
class DeclaredSet:
    name: str
    members: tuple[str, ...]
    parts: tuple[str, ...] = ()  # the two sets of a pair

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(int(m) for m in self.members if m.isdigit())

    @property
    def is_numeric(self) -> bool:
        return len(self.numbers) == len(self.members)


@dataclass(frozen=True)
class DeclaredTable:
    name: str
    index: tuple[str, ...]  # set names; `0..2` for a range
    holds: str  # a set, or "number"
    none: bool = False  # some entries are none
    lists: bool = False  # entries are lists
    lo: int = 0
    hi: int = 0


@dataclass(frozen=True)
class DeclaredPlace:
    name: str
    shape: str
    index: tuple[str, ...]
    kinds: str  # a set, or "coin", or "anything"
    room: int | None  # the most that any of them holds; None: unlimited
    ways: tuple[str, ...] = ()


@dataclass(frozen=True)
class DeclaredVariable:
    name: str
    index: tuple[str, ...]
    holds: str  # a set, "number", "yes_no", or the places it is one of
    none: bool = False
    lo: int = 0
    hi: int = 0


@dataclass(frozen=True)
class Declared:
    players: int
    sets: dict[str, DeclaredSet]
    tables: dict[str, DeclaredTable]
    places: dict[str, DeclaredPlace]
    variables: dict[str, DeclaredVariable]
    pieces: int  # how many there are
    text: dict[str, Any]  # the sections of the rule file

    def size(self, index: tuple[str, ...]) -> int:
        n = 1
        for name in index:
            n *= len(self.sets[name].members)
        return n


KIND_SETS = ("colour", "flower")  # what pieces can be; every colour is a flower
CLOCKS = ("clock", "small_clock")  # only loops and moves that ask again count them down, so every game ends


def declare(rng: Random) -> Declared:
    """Return everything a file declares, of random size; few sections are left out, most may be unused."""
    players = rng.choice((1, 2, 2, 2, 3))
    sets = _sets(rng, players)
    pieces, where = _pieces(rng, sets, players)
    tables, table_text = _tables(rng, sets)
    places, place_text = _places(rng, sets)
    variables, variable_text = _variables(rng, sets)
    text: dict[str, Any] = {
        "sets": {s.name: _members(s) for s in sets.values() if s.name != "player"},
        "tables": table_text,
        "pieces": where,
        "places": place_text,
        "variables": variable_text,
    }
    return Declared(players, sets, tables, places, variables, pieces, text)


def _members(s: DeclaredSet) -> Any:
    match s.name:
        case "flower":
            return ["colour", "rose"]
        case "crate":
            return "shelf * side"
        case "target":
            return ["row", "ground"]
        case "row" | "column":
            return f"1..{s.members[-1]}"
    return [int(m) if m.isdigit() else m for m in s.members]


def _sets(rng: Random, players: int) -> dict[str, DeclaredSet]:
    colours = tuple(["red", "blue", "green", "white", "black"][: rng.randint(2, 4)])
    rows = tuple(str(n + 1) for n in range(rng.choice((1, 2, 2, 3, 5))))
    columns = tuple(str(n + 1) for n in range(rng.choice((2, 3, 3, 4, 6, 14))))
    sides, shelves = ("left", "right"), ("upper", "lower")
    found = [
        DeclaredSet("player", tuple(str(n + 1) for n in range(players))),
        DeclaredSet("colour", colours),
        DeclaredSet("flower", (*colours, "rose")),
        DeclaredSet("row", rows),
        DeclaredSet("column", columns),
        DeclaredSet("gap", tuple(map(str, rng.choice(((1, 3, 7), (2, 5), (0, 4, 5)))))),
        DeclaredSet("target", (*rows, "ground")),
        DeclaredSet("shelf", shelves),
        DeclaredSet("side", sides),
        DeclaredSet("crate", tuple(f"{a}.{b}" for a in shelves for b in sides), ("shelf", "side")),
        DeclaredSet("way", ("across", "upright", "east", "around")),
        DeclaredSet("land", ("moor", "wood", "lake")),
        DeclaredSet("road", ("path",)),
    ]
    return {s.name: s for s in found}


def _pieces(rng: Random, sets: dict[str, DeclaredSet], players: int) -> tuple[int, dict[str, str]]:
    each, coins = rng.randint(1, 6), rng.randint(1, 3)
    text = {"flower": f"{each} in bag", "coin": f"{coins} in purse[player]"}
    total = each * len(sets["flower"].members) + coins * players
    if rng.random() < 0.4:
        text["rose"] = "1 in hand[player]"
        del text["flower"]
        text["colour"] = f"{each} in bag"
        total += players - each
    return total, text


def _tables(rng: Random, sets: dict[str, DeclaredSet]) -> tuple[dict[str, DeclaredTable], dict[str, Any]]:
    def numbers(n: int) -> list[int]:
        return [rng.randint(-2, 6) for _ in range(n)]

    def listed(names: tuple[str, ...]) -> dict[str, list[str]]:
        return {m: rng.sample(names, rng.randint(0, len(names) - 1)) for m in names}

    rows, columns, colours = (sets[n].members for n in ("row", "column", "colour"))
    printed = [[rng.choice((*colours, "none")) for _ in columns] for _ in rows]
    printed[0][0] = colours[0]
    near = listed(sets["land"].members)
    near["moor"] = near["moor"] or ["wood"]
    likes = listed(colours)
    likes[colours[0]] = likes[colours[0]] or [colours[1]]
    text: dict[str, Any] = {
        "crate_size": rng.randint(1, 3),
        "height_points": numbers(rng.randint(2, 5)),
        "worth[flower]": dict(zip(sets["flower"].members, numbers(len(sets["flower"].members)), strict=True)),
        "likely[column]": [rng.randint(0, 3) for _ in columns[:-1]] + [1],
        "printed[row, column]": printed,
        "beside[land]": near,
        "likes[colour]": likes,
        "discount[0..2]": numbers(3),
        "price[gap]": numbers(len(sets["gap"].members)),
        "partner[target]": [rng.choice(colours) for _ in sets["target"].members],
    }
    found = [
        DeclaredTable("crate_size", (), "number", lo=text["crate_size"], hi=text["crate_size"]),
        DeclaredTable("height_points", ("1..",), "number"),
        DeclaredTable("worth", ("flower",), "number"),
        DeclaredTable("likely", ("column",), "number"),
        DeclaredTable("printed", ("row", "column"), "colour", none=any("none" in r for r in printed)),
        DeclaredTable("beside", ("land",), "land", lists=True),
        DeclaredTable("likes", ("colour",), "colour", lists=True),
        DeclaredTable("discount", ("0..2",), "number"),
        DeclaredTable("price", ("gap",), "number"),
        DeclaredTable("partner", ("target",), "colour"),
    ]
    tables = {}
    for table in found:
        if table.holds == "number" and table.index:
            (entries,) = (v for k, v in text.items() if k.split("[")[0] == table.name)
            values = list(entries.values()) if isinstance(entries, dict) else entries
            table = DeclaredTable(table.name, table.index, "number", lo=min(values), hi=max(values))
        tables[table.name] = table
    return tables, text


def _places(rng: Random, sets: dict[str, DeclaredSet]) -> tuple[dict[str, DeclaredPlace], dict[str, Any]]:
    hand = rng.choice((None, 3, 6))
    tower, rest = rng.randint(1, 4), rng.choice((3, 30))
    columns = len(sets["column"].members)
    found = [
        DeclaredPlace("bag", "pile", (), "flower", None),
        DeclaredPlace("lid", "pile", (), "anything", None),
        DeclaredPlace("hand", "pile", ("player",), "flower", hand),
        DeclaredPlace("crates", "pile", ("shelf", "side"), "colour", 3),
        DeclaredPlace("purse", "pile", ("player",), "coin", None),
        DeclaredPlace("holes", "pile", ("gap",), "coin", 2),
        DeclaredPlace("tower", "stack", ("player",), "flower", tower),
        DeclaredPlace("rest", "stack", (), "anything", rest),
        DeclaredPlace("shaft", "stack", ("row",), "colour", len(sets["row"].members)),
        DeclaredPlace("board", "cell", ("row", "column"), "colour", 1, ("across", "upright", "east")),
        DeclaredPlace("ring", "cell", ("column",), "flower", 1, ("around", "east")),
        DeclaredPlace("field", "cell", ("land",), "flower", 1, ("path",)),
        DeclaredPlace("garden", "cell", ("player", "column"), "flower", 1, ("across",)),
    ]
    both = [{"column": "column - 1"}, {"column": "column + 1"}]
    ways: dict[str, Any] = {
        "board": {
            "across": both,
            "upright": [{"row": "row - 1"}, {"row": "row + 1"}],
            "east": {"column": "column + 1"},
        },
        "ring": {"around": [{"column": "next(column)"}, {"column": "previous(column)"}], "east": both[1]},
        "field": {"path": {"land": "beside[land]"}},
        "garden": {"across": both if columns < 10 else [{"column": "column + 2"}, {"column": "column - 3"}]},
    }
    rooms: dict[str, Any] = {"hand": hand, "crates": "crate_size", "holes": "if gap = 5 then 0 else 2", "tower": tower}
    rooms |= {"rest": rest, "shaft": "row"}
    text: dict[str, Any] = {}
    for place in found:
        head = f"{place.name}[{', '.join(place.index)}]" if place.index else place.name
        entry: dict[str, Any] = {place.shape: ["flower", "coin"] if place.kinds == "anything" else place.kinds}
        if rooms.get(place.name) is not None:
            entry["room"] = rooms[place.name]
        if place.ways:
            entry["ways"] = ways[place.name]
        if place.name == "bag" and rng.random() < 0.5:
            entry |= {"seen by": "nobody", "shows": "if flower = rose then rose else red"}
        if place.name == "hand" and rng.random() < 0.5:
            entry["seen by"] = "owner"
        text[head] = entry
    return {p.name: p for p in found}, text


def _variables(rng: Random, sets: dict[str, DeclaredSet]) -> tuple[dict[str, DeclaredVariable], dict[str, Any]]:
    held = rng.choice(({}, {"never below": 0}, {"never below": 0, "never above": 9}))
    score: dict[str, Any] = rng.choice(
        ({"is": "0..90", "never below": 0}, {"is": "-500..500"}, {"is": "0..30", "start": 10})
    )
    if rng.random() < 0.5:
        score["never above"] = int(str(score["is"]).split("..")[1])
    aside = Random(rng.getstate()[1][0])  # what is hidden changes nothing else
    text: dict[str, Any] = {
        "clock": {"is": "0..6", "start": rng.randint(2, 6)},
        "small_clock": {"is": "0..3", "start": rng.randint(0, 3)},
        "turn": "player",
        "count_up": {"is": "0..9", **held},
        "depth": {"is": "-9..9", "start": rng.randint(-3, 3)},
        "marked": "yes_no",
        "passed[player]": "yes_no",
        "lucky": ["flower", "none"],
        "shade": rng.choice(("colour", {"is": "colour", "start": rng.choice(sets["colour"].members)})),
        "best[player]": {"is": "0..9", "seen by": aside.choice(("everyone", "owner", "nobody"))},
        "seen[row, column]": {"is": "0..5", "never above": 5, "seen by": aside.choice(("everyone", "nobody"))},
        "spot": "target",
        "pick": {"is": ["row", "none"], "start": "none"},
        "stock": "crate",
        "leap": "gap",
        "kept": {"is": ["board", "none"], "start": "none"},
        "goal[player]": "tower",
        "score[player]": score,
    }
    low, high = (int(n) for n in str(score["is"]).split(".."))
    found = [
        DeclaredVariable("turn", (), "player"),
        DeclaredVariable("count_up", (), "number", lo=0, hi=9),
        DeclaredVariable("depth", (), "number", lo=-9, hi=9),
        DeclaredVariable("marked", (), "yes_no"),
        DeclaredVariable("passed", ("player",), "yes_no"),
        DeclaredVariable("lucky", (), "flower", none=True),
        DeclaredVariable("shade", (), "colour"),
        DeclaredVariable("best", ("player",), "number", lo=0, hi=9),
        DeclaredVariable("seen", ("row", "column"), "number", lo=0, hi=5),
        DeclaredVariable("spot", (), "target"),
        DeclaredVariable("pick", (), "row", none=True),
        DeclaredVariable("stock", (), "crate"),
        DeclaredVariable("leap", (), "gap"),
        DeclaredVariable("kept", (), "board", none=True),
        DeclaredVariable("goal", ("player",), "tower"),
        DeclaredVariable("score", ("player",), "number", lo=low, hi=high),
    ]
    return {v.name: v for v in found}, text
