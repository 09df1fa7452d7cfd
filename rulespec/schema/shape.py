"""The shape of a merged tree against `schema.json`: unknown and missing keys, wrong types and values, all at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rulespec.diagnostics.diagnostic import Diagnostic, Edit, Span, edit
from rulespec.english import MOST_SHOWN, closest, listed, listed_some, quoted, suggestion
from rulespec.files.changes import NAMED
from rulespec.files.merge import LIST_KEYS, sections_with
from rulespec.files.merge import STEP_KEYS as STEP_CHANGES
from rulespec.options.layers import Layers
from rulespec.yaml.mistakes import no_space
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, bare_name, plain, whole_text
from rulespec.yaml.source import ELSE_IFS, MOST_PROBLEMS, kind_of

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

VERSION = 1
MOST_PLAYERS = 20
STEP_KEYS = ("if", "while", "for each", "ask")
STEP_DEFINITIONS = ("if_step", "while_step", "for_step", "ask_step")
PLACE_KEYS = ("pile", "stack", "cell")
_CONTINUES = {"for each": ("do",), "while": ("do",), "if": ("then",), "ask": ("to",)}  # what follows in the same step
SENTENCE_WORDS = frozenset(("move", "draw", "roll", "set", "add", "let", "score", "do", "show", "tell", "remember"))
LONGEST_QUOTE = 60
_ADD = {  # what to write for a key that is missing
    "that": "add `that:` with the condition",
    "else": "add `else:` with the reason shown to the player",
    "does": "add `does:` with its steps, or `does: []` if nothing is to be done",
    "text": "add `text:` with its name",
    "then": "add `then:` with its steps; to do something only if it does not hold write `if: not …`",
    "do": "add `do:` with its steps",
    "to": "add `to:` with the moves, such as `to: take or pass`",
    "points": "add `points:` with how many",
    "rulespec": f"write `rulespec: {VERSION}`",
    "game": "write `game:` and its title",
    "players": "write `players:` and how many can play, such as `2..4`",
    "play": "write `play:` and the steps of the game",
    "winner": "write `winner:` and below it who wins, such as `most points: score[me]`",
    "is": "add `is:` with what it can be, such as `0..100`",
}
_KEY_HABITS = {  # keys of other languages, or of people, and how they are called here: the first that is missing there
    "after": ("afterwards", "expect"),
    "min": ("never below",),
    "minimum": ("never below",),
    "max": ("never above", "upto"),
    "maximum": ("never above", "upto"),
    "otherwise": ("else",),
    "type": ("is", "as"),
    "range": ("is",),
    "can be": ("is",),
    "initial": ("start", "given"),
    "default": ("start",),
    "begins": ("start",),
    "value": ("start", "points"),
    "capacity": ("room",),
    "limit": ("room",),
    "size": ("room",),
    "holds": ("pile",),
    "contains": ("pile",),
    "kinds": ("pile",),
    "visible to": ("seen by",),
    "shown to": ("seen by",),
    "known to": ("seen by",),
    "for": ("for each",),
    "condition": ("that",),
    "must hold": ("that",),
    "reason": ("else", "text"),
    "message": ("else", "text"),
    "refusal": ("else",),
    "error": ("else",),
    "description": ("text",),
    "summary": ("text",),
    "title": ("game", "text"),
    "name": ("game", "title", "text"),
    "heading": ("title",),
    "caption": ("title",),
    "label": ("title", "labels", "text"),
    "effect": ("does",),
    "effects": ("does",),
    "action": ("does",),
    "actions": ("does", "play", "moves"),
    "steps": ("does", "play"),
    "do": ("does", "play"),
    "moves": ("play",),
    "conditions": ("needs",),
    "requires": ("needs",),
    "only if": ("needs",),
    "choices": ("choose",),
    "parameters": ("choose",),
    "select": ("choose",),
    "same as": ("like",),
    "together with": ("beside",),
    "constants": ("tables",),
    "values": ("tables",),
    "numbers": ("tables",),
    "tokens": ("pieces",),
    "components": ("pieces",),
    "board": ("places", "given"),
    "boards": ("places",),
    "zones": ("places",),
    "areas": ("places",),
    "state": ("variables", "given"),
    "vars": ("variables",),
    "counters": ("variables",),
    "functions": ("define",),
    "definitions": ("define",),
    "procedures": ("steps",),
    "preparation": ("setup",),
    "beginning": ("setup",),
    "initialization": ("setup",),
    "points": ("scoring",),
    "goal": ("winner",),
    "victory": ("winner",),
    "winning": ("winner",),
    "variants": ("options",),
    "settings": ("options",),
    "tests": ("examples",),
    "then": ("expect",),
    "result": ("expect",),
    "outcome": ("expect",),
    "assert": ("expect",),
    "position": ("given",),
    "options": ("with",),
    "option": ("with",),
    "before": ("given",),
    "when": ("given",),
    "input": ("given",),
    "arrange": ("given",),
    "start position": ("given",),
    "starting position": ("given",),
    "output": ("expect",),
    "expected": ("expect",),
    "results": ("expect",),
    "check": ("expect",),
    "act": ("play",),
    "legal": ("offered",),
    "allowed": ("offered",),
    "illegal": ("refused",),
    "forbidden": ("refused",),
    "page": ("see",),
    "source": ("see",),
    "reference": ("see",),
    "color": ("tint",),
    "colour": ("tint",),
    "except with": ("not with",),
}
_VALUE_HABITS = {
    "none": "nobody",
    "all": "everyone",
    "everybody": "everyone",
    "self": "owner",
    "player": "owner",
    "me": "owner",
    "round": "circle",
}
_VALUE_HABITS |= {"center": "centre", "middle": "centre", "public": "everyone", "secret": "nobody", "hidden": "nobody"}
_WHERE_HABITS = ("in", "at", "on", "place", "where", "from", "location", "start", "starts in")
_INDEX_HABITS = ("for each", "for", "each", "per", "index", "indexes", "indices", "by")
_HELD = ("of", "holds", "contains", "kind", "kinds", "pieces", "for", "content", "contents", "what")
_HIDDEN = ("hidden", "secret", "private", "face down", "visible", "public", "seen")
_LIST_HABITS = {"insert": "add", "append": "add", "prepend": "add first", "replace": "instead of", "delete": "remove"}
_LIST_HABITS |= {"drop": "remove", "without": "remove", "plus": "add", "change": "instead of"}
_LIST_HABITS |= {"+": "add", "+=": "add", "-": "remove", "-=": "remove", "before all": "add first", "after all": "add"}
_LIST_HABITS |= dict.fromkeys(("at the end", "at end", "end", "last", "add last", "finally"), "add")
_LIST_HABITS |= dict.fromkeys(("at the beginning", "at the start", "start", "begin", "first"), "add first")
Route = tuple[str | int, ...]  # keys and item numbers on the way down to a node
Schema = dict[str, Any]


def schema_text() -> str:
    """Return the JSON Schema of rule files, for editors."""
    return Path(__file__).with_name("schema.json").read_text(encoding="utf-8")


@cache
def _schema() -> Schema:
    schema: Schema = json.loads(schema_text())
    return schema


def _definition(name: str) -> Schema:
    found: Schema = _schema()["$defs"][name]
    return found


def _resolved(schema: Schema) -> Schema:
    """Return the definition that a schema refers to."""
    while ref := schema.get("$ref"):
        schema = _schema()
        for name in ref.split("/")[1:]:
            schema = schema[name]
    return schema


def _schema_at(path: Route) -> Schema:
    """Return what stands at a route of a game; nothing if nothing is said of it."""
    schema = _definition("game")
    for name in path:
        if "$ref" in schema.get("else", ()):  # a move that is like no other
            schema = _resolved(schema["else"])
        inner = schema.get("items") if isinstance(name, int) else schema.get("properties", {}).get(name)
        inner = inner or schema.get("additionalProperties")
        schema = _resolved(inner) if isinstance(inner, dict) else {}
    return _resolved(schema["else"]) if "$ref" in schema.get("else", ()) else schema


def _keys_of(path: Route) -> dict[str, Schema]:
    """Return the keys that what stands at a route can have, each with what belongs to it."""
    return {key: _resolved(inner) for key, inner in _schema_at(path).get("properties", {}).items()}


def _fits(node: Node, schema: Schema) -> bool:
    """Return whether a node is of a kind that is expected."""
    kinds = schema.get("type", "object")
    match node:
        case Mapping():
            return "object" in kinds
        case Sequence():
            return "array" in kinds
        case Scalar():
            return "string" in kinds and node.value is not None


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator  # the import takes 0.1 s: only those who check a file pay for it

    return Draft202012Validator(_schema())


def player_counts(node: Node | None) -> range | None:
    """Return the numbers of players that `players:` allows; none if it is neither `N` nor `A..B`.

    >>> from rulespec.yaml.source import read_source
    >>> player_counts(read_source("game.yaml", "players: 2..4").get("players"))
    range(2, 5)
    """
    match = re.fullmatch(r"([0-9]{1,3})(?:\.\.([0-9]{1,3}))?", node.text) if isinstance(node, Scalar) else None
    if match is None:
        return None
    fewest = int(match[1])
    most = int(match[2] or fewest)
    return range(fewest, most + 1) if 1 <= fewest <= most <= MOST_PLAYERS else None


def check_shape(tree: Mapping, layers: Layers | None = None) -> list[Diagnostic]:
    """Return everything wrong with the shape of the merged tree, sorted; one complaint for each mistake.

    `layers` knows which entries an overlay added, and every file: each states its own version.
    """
    check = _ShapeCheck(tree, layers)
    for error in _validator().iter_errors(plain(tree)):
        check.sort_out(error)
    found = [*check.complaints(), *_versions(tree, layers)]
    if (players := tree.get("players")) is not None and player_counts(players) is None:
        found.append(_wrong_players(tree, players))
    return sorted(set(found))[:MOST_PROBLEMS]


# --- the keys with a code of their own --------------------------------------------------------------------------


def _versions(tree: Mapping, layers: Layers | None) -> Iterator[Diagnostic]:
    """Yield complaints about the language version of the tree, and of every file it was made of."""
    fix = f"write `rulespec: {VERSION}`"
    files = [layer.tree for layer in layers.files] if layers else []
    said = {id(e.value): e for file in (tree, *files) if (e := file.entry("rulespec"))}
    for file in files if tree.entry("rulespec") else ():  # else it is said of the merged tree
        if file.entry("rulespec") is None:
            message, edits = "the file has no `rulespec`", _begin_with_version(file)
            yield Diagnostic(_top(file), "shape-missing-key", message, fix=fix, edits=edits)
    for entry in said.values():
        node = entry.value
        if not (isinstance(node, Scalar) and isinstance(node.value, int) and node.text == str(VERSION)):
            message = f"this program reads version {VERSION} of the rule language, found {_found(node)}"
            yield Diagnostic(_at(entry, node), "rulespec-version", message, fix=fix, edits=_written(node, str(VERSION)))


def _begin_with_version(file: Mapping) -> tuple[Edit, ...]:
    """Return the change that puts the version above the first key of a file, alone."""
    top = _top(file)
    return edit(Span(top.file, top.line, 1, top.line, 1), "", f"rulespec: {VERSION}\n") if top.col == 1 else ()


def _written(node: Node, new: str) -> tuple[Edit, ...]:
    """Return the change of a value or a list of words in brackets to something else, alone."""
    match node:
        case Scalar(text=text, span=span) if span.line == span.end_line:
            quotes = span.end_col - span.col == len(text) + 2 and isinstance(node.value, str)
            return edit(span, f'"{text}"' if quotes else text, new)
        case Sequence(items=items, flow=True):
            return edit(node.span, f"[{', '.join(i.text for i in items if isinstance(i, Scalar))}]", new)
        case _:
            return ()


def _wrong_players(tree: Mapping, node: Node) -> Diagnostic:
    expected = _schema()["$defs"]["players"]["title"]
    why = f"there are 1 to {MOST_PLAYERS} players, and the smaller number comes first"
    words = " ".join(i.text for i in node.items if isinstance(i, Scalar)) if isinstance(node, Sequence) else ""
    numbers = sorted({int(n) for n in re.findall(r"[0-9]{1,3}", words or getattr(node, "text", ""))})
    meant = (
        f"{numbers[0]}..{numbers[-1]}" if len(numbers) > 1 and numbers[0] > 0 and numbers[-1] <= MOST_PLAYERS else ""
    )
    message, fix = f"expected {expected}, found {_found(node)}", f"write `players: {meant}`" if meant else ""
    edits = _written(node, meant) if meant else ()
    if isinstance(node, Mapping) and len(values := [v.value for _, v in node if isinstance(v, Scalar)]) == 2:
        low, high = values
        if isinstance(low, int) and isinstance(high, int) and 0 < low < high <= MOST_PLAYERS:
            fix, edits = f"write `players: {low}..{high}`", _map_written(node, f"{low}..{high}")
    return Diagnostic(_at(tree.entry("players"), node), "players-shape", message, why, fix, edits=edits)


# --- words and places -------------------------------------------------------------------------------------------


def _found(node: Node) -> str:
    """Return what was found, with its kind, in words."""
    if not isinstance(node, Scalar) or not node.text or node.span.line != node.span.end_line:
        return kind_of(node)
    quoted = f"`{node.text if len(node.text) <= LONGEST_QUOTE else node.text[: LONGEST_QUOTE - 1] + '…'}`"
    match node.value:
        case str():
            return f"the text {quoted}"
        case bool() | None:
            return quoted
        case _:
            return f"the number {quoted}"


def _at(entry: Entry | None, node: Node) -> Span:
    """Return where to point for the node: at its key if the value is empty."""
    empty = isinstance(node, Scalar) and node.value is None and not node.text
    return entry.key.span if entry and empty and entry.key.span.file == node.span.file else node.span


def _top(node: Mapping) -> Span:
    return node.entries[0].key.span if node.entries else node.span


def _inside(inner: Span, outer: Span) -> bool:
    start, end = (outer.line, outer.col), (outer.end_line, outer.end_col)
    return inner.file == outer.file and start <= (inner.line, inner.col) < end


@dataclass(frozen=True, slots=True)
class _Spot:
    """A node of the tree with the map and the entry it is in, unless it is an item of a list."""

    node: Node
    parent: Mapping | None = None
    entry: Entry | None = None


def _spot(tree: Mapping, path: Route) -> _Spot:
    spot = _Spot(tree)
    for name in path:
        match spot.node, name:
            case Sequence(items=items), int():
                spot = _Spot(items[name])
            case Mapping() as parent, str() if entry := parent.entry(name):
                spot = _Spot(entry.value, parent, entry)
            case _:
                raise AssertionError(f"no {name!r} in {spot.node}")
    return spot


def _owner(key: str) -> str:
    """Return the one thing that has this key, in words; nothing if there are none or several."""
    defs = (d for name, d in _schema()["$defs"].items() if name not in ("house", "change", "no_step"))
    owners = {d["title"] for d in defs if key in d.get("properties", ())}
    return owners.pop() if len(owners) == 1 else ""


# --- from errors to complaints ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _ShapeCheck:
    """Sorts the validator's errors by the map they are about, then says each mistake once."""

    tree: Mapping
    layers: Layers | None
    unknown: dict[Route, Schema] = field(default_factory=dict)  # maps with keys that are not allowed there
    missing: dict[Route, Schema] = field(default_factory=dict)  # maps without required keys
    wrong: list[tuple[Route, ValidationError]] = field(default_factory=list)
    meant: dict[Route, set[str]] = field(default_factory=dict)  # missing keys that are there, misspelt

    def sort_out(self, error: ValidationError) -> None:
        path, schema = tuple(error.absolute_path), cast(Schema, error.schema)
        match error.validator:
            case _ if path in (("rulespec",), ("players",)):
                pass  # these are judged by their text
            case "additionalProperties" | "minProperties" if "properties" in schema:
                self.unknown[path] = schema
            case "required" | "oneOf":
                self.missing[path] = schema
            case _:
                self.wrong.append((path, error))

    def complaints(self) -> Iterator[Diagnostic]:
        yield from self._added_to_maps()
        for path, error in self.wrong:
            yield self._wrong(path, error)
        for path, schema in self.unknown.items():
            yield from self._unknown(path, schema)
        new = {path: found for path in self.missing if (found := self._new_incomplete(path)) is not None}
        yield from new.values()
        for path in self.missing:
            # What an overlay wrote for another entry lacks more inside: that is the same mistake.
            if not any(path[:i] in new for i in range(len(path) + 1)) and (keys := self._missing_keys(path)):
                yield self._missing(path, keys)

    def _added_to_maps(self) -> Iterator[Diagnostic]:
        """Yield complaints about `add:` in a map of named entries, as in a change of a list; nothing else is said of what is below."""
        for section in NAMED:
            entries = self.tree.get(section)
            for entry in entries.entries if isinstance(entries, Mapping) else ():
                word, below = entry.key.text, entry.value
                is_new = self.layers is not None and self.layers.introduced(entry.key.span)
                if word not in LIST_KEYS or not isinstance(below, Mapping) or not below.entries or not is_new:
                    continue
                path = (section, word)
                self.wrong = [(other, error) for other, error in self.wrong if other[:2] != path]
                self.unknown = {other: schema for other, schema in self.unknown.items() if other[:2] != path}
                self.missing = {other: schema for other, schema in self.missing.items() if other[:2] != path}
                message, why = (
                    f"`{word}` is for lists, and `{section}` is a map",
                    "its entries are written by their names",
                )
                fix = f"leave `{word}` out, and write `{below.entries[0].key.text}` directly below `{section}:`"
                yield Diagnostic(entry.key.span, "overlay-shape", message, why, fix)

    # unknown keys

    def _unknown(self, path: Route, schema: Schema) -> Iterator[Diagnostic]:
        node = _spot(self.tree, path).node
        assert isinstance(node, Mapping)
        allowed: dict[str, Schema] = schema["properties"]
        extra = [key for key, _ in node if key.text not in allowed]
        title = _thing(schema)
        if schema == _definition("no_step"):
            yield self._parted(path, node) or self._no_step(node)
            return
        is_step = any(schema == _definition(name) for name in STEP_DEFINITIONS)
        if is_step and len(begun := [key for key, _ in node if key.text in STEP_KEYS]) > 1:
            self.meant[path] = set(allowed)
            message = f"a step has only one of {listed(quoted(STEP_KEYS))}, this one has {listed(quoted(k.text for k in begun))}"
            yield Diagnostic(begun[1].span, "step-shape", message, fix="make each a step of its own, after its own `-`")
            return
        absent = [key for key in allowed if node.entry(key) is None]
        needed = self._missing_keys(path)
        # If no key is right, do not report missing ones as well.
        meant = self.meant[path] = set(allowed) if path and len(extra) == len(node.entries) else set()
        for key in extra:
            if key.text in meant:
                continue  # it was said with another key
            if parts := re.fullmatch(r"([a-z][a-z ]*?)( ?)(=>|->|:=|[:=]) ?(\S.*)", key.text):
                meant.add(parts[1])
                yield _no_colon(key, *parts.group(1, 3, 4))
                continue
            if (moved := self._elsewhere(path, node, key, title)) is not None:
                meant.add(key.text)
                yield moved
                continue
            near = closest(key.text, absent) if key.text not in ELSE_IFS else None
            near = near or next((habit for habit in _KEY_HABITS.get(key.text, ()) if habit in absent), None)
            if near is None and self.layers is not None and self.layers.introduced(key.span):
                near = closest(key.text, allowed)  # it is there already, in what the overlay changes
            near = near or next((k for k in absent if len(key.text) > 3 and k.startswith(key.text)), None)
            alike = isinstance(node.get(key.text), Scalar) and needed[:1] not in (["does"], ["is"])
            if near is None and len(extra) == len(needed) == 1 and path and (is_step or alike):
                near = needed[0]  # `do` for `then`, `if` for `that`, and the like
            if near:
                meant.add(near)
            why = "" if near else f"the keys of {title} are {listed(quoted(allowed))}"
            fix = suggestion(near)
            if not near and (owner := _owner(key.text)):
                fix = f"`{key.text}` is a key of {owner}" + ("" if node.flow else ": check its indentation")
            if key.text in ELSE_IFS:
                fix = "write `else:`, and below it a step of its own that begins with `- if:`"
            message, edits = f"{title} has no key `{key.text}`", key.respelled(near)
            if not near and not path and self.layers is not None and (homes := self._homes(bare_name(key.text))):
                why, fix = (
                    "",
                    f"`{key.text}` is declared under `{homes[0]}:`: write `{homes[0]}:` above it, and indent it below",
                )
            yield Diagnostic(key.span, "shape-unknown-key", message, why, fix, edits=edits)

    def _homes(self, name: str) -> list[str]:
        """Return the sections of the bottom file that have an entry of this name."""
        bottom = self.layers.files[0].tree if self.layers else self.tree
        return sections_with(bottom, name)

    def _elsewhere(self, path: Route, node: Mapping, key: Scalar, title: str) -> Diagnostic | None:
        """Return the complaint about a key that is meant otherwise than as a misspelt one; None if it may be one."""
        value, message = node.get(key.text), f"{title} has no key `{key.text}`"
        if title == "a move" and key.text in ("points", "score", "scores", "scoring"):
            fix = "points are made by a step under `does:`, `score RULE for me`, with the rule under `scoring:`"
            return Diagnostic(key.span, "shape-unknown-key", message, "", fix)
        if isinstance(value, Mapping) and title == "a move" and value.entry("that"):
            fix = "conditions are written under `needs:`: put that above it, and indent it below"
            return Diagnostic(key.span, "shape-unknown-key", message, "", fix)
        if title in ("a place", "a variable written as a map") and key.text in _HIDDEN:
            owned = "[player" in str(path[-1])
            word = "everyone" if key.text in ("visible", "public", "seen") else "owner" if owned else "nobody"
            new = f"seen by: {word}"
            also = ", or `seen by: nobody` if its owner does not see it either" if word == "owner" else ""
            end = value.span if isinstance(value, Scalar) else key.span
            written = f"{key.text}: {value.text}" if isinstance(value, Scalar) else key.text
            edits = edit(replace(key.span, end_line=end.end_line, end_col=end.end_col), written, new, sure=False)
            return Diagnostic(key.span, "shape-unknown-key", message, "", f"write `{new}`{also}", edits=edits)
        if title == "a place" and isinstance(value, Scalar) and value.text in PLACE_KEYS:
            return self._kind_of_place(path, node, key, value)
        number = [k for k, _ in node].index(key)
        before = node.entries[number - 1].value if number else None
        if re.fullmatch("[0-9]{3}", key.text) and isinstance(before, Scalar) and before.text[-1:].isdecimal():
            span, old = replace(before.span, end_col=key.span.end_col), f"{before.text},{key.text}"
            fix, edits = f"write `{before.text}{key.text}`", edit(span, old, f"{before.text}{key.text}")
            return Diagnostic(span, "expr-number", "numbers are written without `,`", "", fix, edits=edits)
        if node.flow and number and isinstance(value, Scalar) and value.value is None and not value.text:
            return self._cut_off(path, node.entries[:number], key, message)
        if title == "a place" and key.text in _INDEX_HABITS and isinstance(value, Scalar) and value.text and path:
            spot = _spot(self.tree, path)
            if spot.entry is not None and bare_name(spot.entry.key.text) == spot.entry.key.text:
                meant = f"{spot.entry.key.text}[{value.text}]"
                why, fix = (
                    "the sets that a place is repeated for stand behind its name",
                    f"write `{meant}:`, without `{key.text}`",
                )
                edits = (*spot.entry.key.respelled(meant), *_left_out(node, number))
                return Diagnostic(key.span, "shape-unknown-key", message, why, fix, edits=edits)
        if (
            title == "a move, or a look with `offered`, `refused` or `expect`"
            and isinstance(value, Scalar)
            and value.text
        ):
            colon = Span(key.span.file, key.span.line, key.span.end_col, key.span.line, key.span.end_col + 1)
            why, fix = "a decision is one line of words", f"write `- {key.text} {value.text}`, without `:`"
            return Diagnostic(key.span, "shape-unknown-key", message, why, fix, edits=edit(colon, ":", "", sure=False))
        return self._too_deep(path, key, title)

    def _kind_of_place(self, path: Route, node: Mapping, key: Scalar, value: Scalar) -> Diagnostic:
        """Return the complaint about `{type: pile, of: card}`."""
        held = next(((k, v) for k, v in node if k.text in _HELD and isinstance(v, Scalar) and v.text), None)
        new = f"{value.text}: {held[1].text if held else 'KIND'}"
        edits: tuple[Edit, ...] = ()
        self.meant.setdefault(path, set()).add(value.text)
        if held is not None:
            self.meant[path].add(held[0].text)
            span = replace(key.span, end_line=held[1].span.end_line, end_col=held[1].span.end_col)
            edits = edit(span, f"{key.text}: {value.text}, {held[0].text}: {held[1].text}", new, sure=False)
        message, why = f"a place has no key `{key.text}`", "what sort of place it is stands before what lies there"
        return Diagnostic(key.span, "shape-unknown-key", message, why, f"write `{new}`", edits=edits)

    def _cut_off(self, path: Route, before: tuple[Entry, ...], key: Scalar, message: str) -> Diagnostic | None:
        """Return the complaint about `{is: a, b}`, where the comma ends the list before it has begun."""
        owner = before[-1]
        takes_list = "array" in _keys_of(path).get(owner.key.text, {}).get("type", ())
        if (
            not takes_list
            or not isinstance(owner.value, Scalar)
            or not owner.value.text
            or owner.value.span.line != key.span.line
        ):
            return None
        words = [owner.value.text, key.text]
        span = replace(owner.value.span, end_col=key.span.end_col)
        meant = f"[{', '.join(words)}]"
        why, fix = "a comma in `{ }` ends an entry", f"a list has brackets: write `{owner.key.text}: {meant}`"
        edits = edit(span, ", ".join(words), meant)
        return Diagnostic(key.span, "shape-unknown-key", message, why, fix, edits=edits)

    def _too_deep(self, path: Route, key: Scalar, title: str) -> Diagnostic | None:
        """Return the complaint about a section that stands among the entries of the one above it; None if it is none."""
        for depth in range(len(path) - 1, 0, -1):
            spot, outer = _spot(self.tree, path[:depth]), _spot(self.tree, path[: depth - 1])
            name = path[depth]
            if not isinstance(name, str) or not isinstance(outer.node, Mapping) or _has_own(outer.node, name, key):
                continue
            if spot.entry is None or not isinstance(spot.node, Mapping) or spot.node.flow or outer.node.flow:
                continue
            if key.text not in _keys_of(path[: depth - 1]).get(name, {}).get("properties", ()):
                continue
            found = spot.node.entry(name)
            if found is None or found.value.span.file != key.span.file or found.key.span.file != key.span.file:
                continue
            return self._dedented(path[: depth + 1], found, spot.entry.key.span.col, spot.entry.key.text)
        return None

    def _outside(self, path: Route, spot: _Spot) -> Diagnostic | None:
        """Return the complaint about a key of a wrong kind here that belongs beside the one it is below; None if it is none."""
        if len(path) < 2 or spot.entry is None or spot.parent is None or spot.parent.flow:
            return None
        name, owner, outer = path[-1], _spot(self.tree, path[:-1]), _spot(self.tree, path[:-2])
        wanted = _keys_of(path[:-2]).get(str(name))
        if wanted is None or owner.entry is None or not isinstance(outer.node, Mapping) or outer.node.flow:
            return None
        alone = (
            not _has_own(outer.node, str(name), spot.entry.key)
            and owner.entry.key.span.file == spot.entry.key.span.file
        )
        if not alone or not _fits(spot.node, wanted) or owner.entry.key.span.col >= spot.entry.key.span.col:
            return None
        return self._dedented(path, spot.entry, owner.entry.key.span.col, owner.entry.key.text)

    def _dedented(self, path: Route, entry: Entry, column: int, above: str) -> Diagnostic:
        """Return the complaint about an entry that is indented below what it belongs beside."""
        self.meant.setdefault(path[:-2], set()).add(entry.key.text)
        key, shallower = entry.key.span, entry.key.span.col - column
        last = entry.value.span.end_line - (entry.value.span.end_col == 1)
        starts = (Span(key.file, line, 1, line, 1 + shallower) for line in range(key.line, max(key.line, last) + 1))
        edits = tuple(change for at in starts for change in edit(at, " " * shallower, "", sure=False))
        message = f"`{entry.key.text}` stands below `{above}`, and not beside it"
        fix = f"start it in column {column}, as `{above}`"
        return Diagnostic(key, "shape-unknown-key", message, "", fix, edits=edits)

    def _parted(self, path: Route, node: Mapping) -> Diagnostic | None:
        """Return the complaint about a `- ` before `do:` or `then:`, which parts it from its loop; None if it is none."""
        if len(path) < 1 or not isinstance(path[-1], int) or path[-1] == 0 or len(node.entries) != 1:
            return None
        before, inner = (*path[:-1], path[-1] - 1), node.entries[0].key
        owner = _spot(self.tree, before).node
        begun = owner.entries[0].key if isinstance(owner, Mapping) and len(owner.entries) == 1 else None
        if begun is None or inner.text not in _CONTINUES.get(begun.text, ()):
            return None
        self.missing.pop(before, None)
        message, why = (
            f"the `- ` before `{inner.text}` parts it from its `{begun.text}`",
            "each `- ` begins another step",
        )
        fix = f"write `{inner.text}:` without `- `, in the column of `{begun.text}`"
        dash = replace(inner.span, col=inner.span.col - 2, end_line=inner.span.line, end_col=inner.span.col)
        return Diagnostic(inner.span, "step-shape", message, why, fix, edits=edit(dash, "- ", "  ", sure=False))

    def _no_step(self, node: Mapping) -> Diagnostic:
        why = f"a step is one line of text, or a map with one of {listed(quoted(STEP_KEYS))}"
        if not node.entries:
            return Diagnostic(node.span, "step-shape", "expected a step, found an empty map", why)
        first = node.entries[0]
        meant, near = next(
            ((key, near) for key, _ in node if (near := closest(key.text, STEP_KEYS))), (first.key, None)
        )
        fix, edits = suggestion(near), meant.respelled(near)
        value = first.value.text if isinstance(first.value, Scalar) else "…"
        begun = re.match(r"(while|if|for each|for|ask)\s+(.+)", first.key.text)
        files = self.layers.files if self.layers else ()
        trees = [self.tree, *(layer.tree for layer in files), *(layer.change for layer in files if layer.change)]
        sections = [tree.get("variables") for tree in trees]
        declared = {bare_name(key.text) for found in sections if isinstance(found, Mapping) for key, _ in found}
        alone = len(node.entries) == 1 and isinstance(first.value, Scalar) and first.value.text
        if alone and bare_name(first.key.text) in declared:
            new = f"set {first.key.text} to {value}"
            fix, edits = f"write `{new}`", _key_and_value(first, new)
        elif first.key.text in ("ask again", "ask_again", "again"):
            fix, edits = "write `- ask again` alone, without `:`: who is asked, and what, is read anew", ()
        elif first.key.text == "until":
            new = f"while: {negated(value)}"
            fix, edits = f"write `{new}`", _key_and_value(first, new)
        elif first.key.text in ("when", "whenever", "in case") and (node.get("then") or node.get("else")):
            fix, edits = "write `if`", first.key.respelled("if")
        elif first.key.text == "unless" and node.get("then"):
            new = f"if: {negated(value)}"
            fix, edits = f"write `{new}`", _key_and_value(first, new)
        elif first.key.text in ("for", "foreach", "for all", "for every"):
            fix, edits = suggestion("for each"), first.key.respelled("for each")
        elif begun and begun[1].startswith("for") and isinstance(first.value, Scalar) and first.value.text:
            new = f"for each: {value} in {_with_range(begun[2].removeprefix('each '))}"
            fix, edits = f"write `{new}`", _key_and_value(first, new)
        elif begun:
            inside = {"if": "then:", "ask": "to:"}.get(begun[1], "do:")
            word = "for each" if begun[1] == "for" else begun[1]
            head = _with_range(begun[2])
            fix = f"write `{word}: {head}`, and below it `{inside}` with what belongs to it"
            edits = _block_begun(first, f"{word}: {head}", inside)
        elif first.key.text.startswith("tell "):
            rest = first.value.text if isinstance(first.value, Scalar) else "…"
            fix, edits = f'put quotes around a text with `:`: `- "{first.key.text}: {rest}"`', ()
        elif not fix and first.key.text.split(" ")[0] in SENTENCE_WORDS and isinstance(first.value, Scalar):
            fix = f"write it as one line: `- {first.key.text} {first.value.text}`"
            end, line = first.key.span.end_col, first.key.span.line
            edits = edit(Span(first.key.span.file, line, end, line, end + 1), ":", "", sure=False)
        message = (
            f"expected a step, found a map with {listed_some(quoted(key.text for key, _ in node), MOST_SHOWN, 'and')}"
        )
        return Diagnostic(first.key.span, "step-shape", message, why, fix, edits=edits)

    # missing keys

    def _missing_keys(self, path: Route) -> list[str]:
        """Return the required keys that are not there; for a place all three, as it needs one of them."""
        schema = self.missing.get(path)
        if schema is None:
            return []
        node, meant = _spot(self.tree, path).node, self.meant.get(path, set())
        assert isinstance(node, Mapping)
        if "oneOf" in schema:
            return [] if meant.intersection(PLACE_KEYS) else [*PLACE_KEYS]
        instead = {"that": "afterwards"}  # what may stand for a required key
        return [k for k in schema["required"] if node.entry(k) is None and not meant & {k, instead.get(k)}]

    def _missing(self, path: Route, keys: list[str]) -> Diagnostic:
        spot, schema = _spot(self.tree, path), self.missing[path]
        assert isinstance(spot.node, Mapping)
        if "oneOf" in schema:
            return self._place_shape(path, spot)
        lacks = listed(f"no {key}" for key in quoted(keys))
        why = _needs(schema)
        fix = _ADD.get(keys[0], "") if len(keys) == 1 else ""
        if spot.entry is None and path and len(keys) == 1 and (found := _on_one_line(spot.node, keys[0])):
            return found
        if spot.entry is not None:
            return Diagnostic(spot.entry.key.span, "shape-missing-key", f"`{_name(path)}` has {lacks}", why, fix)
        if not path:
            edits = _begin_with_version(spot.node) if keys == ["rulespec"] else ()
            return Diagnostic(_top(spot.node), "shape-missing-key", f"the file has {lacks}", why, fix, edits=edits)
        named = spot.node.entry(schema["required"][0])
        span = named.key.span if named else _top(spot.node)
        return Diagnostic(span, "shape-missing-key", f"{schema['title']} has {lacks}", why, fix)

    def _place_shape(self, path: Route, spot: _Spot) -> Diagnostic:
        assert spot.entry is not None and isinstance(spot.node, Mapping)
        there = [key for key, _ in spot.node if key.text in PLACE_KEYS]
        if there:
            message = f"`{_name(path)}` cannot be {listed(quoted(k.text for k in there))} at once"
            fix, edits = "", tuple[Edit, ...]()
            numbers = [k for k in there if isinstance(v := spot.node.get(k.text), Scalar) and isinstance(v.value, int)]
            if len(there) == 2 and len(numbers) == 1:
                room = spot.node.get(numbers[0].text)
                other = next(k for k in there if k is not numbers[0])
                assert isinstance(room, Scalar)
                fix = f"how many it holds is `room: {room.text}`; keep one of {listed(quoted(k.text for k in there))} with what it holds"
                if other.text == "pile":  # a stack has room, and a pile may have it
                    edits = (*other.edit(0, 4, numbers[0].text), *numbers[0].edit(0, len(numbers[0].text), "room"))
            return Diagnostic(there[1].span, "place-shape", message, _needs(self.missing[path]), fix, edits=edits)
        message = f"`{_name(path)}` has no {listed(quoted(PLACE_KEYS), 'or')}"
        return Diagnostic(spot.entry.key.span, "place-shape", message, _needs(self.missing[path]))

    def _new_incomplete(self, path: Route) -> Diagnostic | None:
        """Return the complaint that an overlay made a new entry where it seems to mean an old one."""
        spot, keys = _spot(self.tree, path), self._missing_keys(path)
        if not keys or spot.entry is None or spot.parent is None or not self._is_new(spot.parent, spot.entry):
            return None
        is_place = "oneOf" in self.missing[path]
        if is_place and isinstance(spot.node, Mapping) and any(spot.node.entry(key) for key in PLACE_KEYS):
            return None
        old = {_name((*path[:-1], e.key.text)): e for e in spot.parent.entries if not self._is_new(spot.parent, e)}
        near = closest(_name(path), old)
        if near is None:
            return None
        lacks = f"no {listed(quoted(keys), 'or')}" if is_place else listed(f"no {key}" for key in quoted(keys))
        message = f"`{_name(path)}` is new here and has {lacks}; {suggestion(near)}"
        also = ((f"`{near}`", old[near].key.span),)
        key, needs = spot.entry.key, _needs(self.missing[path])
        edits = key.respelled(near) if key.text == _name(path) else ()
        return Diagnostic(key.span, "overlay-new-incomplete", message, needs, also=also, edits=edits)

    def _is_new(self, parent: Mapping, entry: Entry) -> bool:
        """Return whether the whole entry, not just its head or a part, comes from an overlay."""
        return all(
            any(_inside(span, changed) for changed in parent.changed)
            or (self.layers is not None and self.layers.introduced(span))
            for span in (entry.key.span, entry.value.span)
        )

    # wrong types and values

    def _too_shallow(self, path: Route, spot: _Spot, schema: Schema) -> Diagnostic | None:
        """Return the complaint about a key that stands beside the entry it belongs to; None if it does not look so."""
        if spot.entry is None or spot.parent is None or spot.parent.flow:
            return None
        key, entries = spot.entry.key, spot.parent.entries
        parts = {
            **schema.get("properties", {}),
            **(schema.get("else") or schema.get("then") or {}).get("properties", {}),
        }
        number = next(n for n, e in enumerate(entries) if e is spot.entry)
        above = entries[number - 1] if number else None
        if key.text not in parts or above is None or above.key.span.file != key.span.file:
            return None
        owner = above.value
        if not isinstance(owner, Mapping) or owner.flow or owner.entry(key.text) or not owner.entries:
            return None
        deeper = owner.entries[0].key.span.col - key.span.col
        if deeper <= 0 or owner.entries[0].key.span.file != key.span.file:
            return None
        self.meant.setdefault((*path[:-1], above.key.text), set()).add(key.text)
        last = spot.node.span.end_line - (spot.node.span.end_col == 1)
        lines = range(key.span.line, max(key.span.line, last) + 1)
        starts = (Span(key.span.file, line, 1, line, 1) for line in lines)
        edits = tuple(change for at in starts for change in edit(at, "", " " * deeper, sure=False))
        message = f"`{key.text}` stands beside `{above.key.text}`, and not below it"
        fix = f"start it in column {key.span.col + deeper}, so that it belongs to `{above.key.text}`"
        return Diagnostic(key.span, "shape-type", message, f"it is a key of {schema['title']}", fix, edits=edits)

    def _parts_beside(self, path: Route, spot: _Spot, schema: Schema) -> Diagnostic | None:
        """Return the complaint about an entry with nothing below it, since its keys stand beside it; None if they do not."""
        entry, parent = spot.entry, spot.parent
        empty = isinstance(spot.node, Scalar) and spot.node.value is None and not spot.node.text
        if entry is None or parent is None or parent.flow or not empty:
            return None
        parts, beside = schema.get("properties", {}), list[Entry]()
        number = next(n for n, e in enumerate(parent.entries) if e is entry)
        for other in parent.entries[number + 1 :]:
            if other.key.text not in parts or other.key.span.file != entry.key.span.file:
                break
            beside.append(other)
        if not beside:
            return None
        last = beside[-1].value.span.end_line - (beside[-1].value.span.end_col == 1)
        lines = range(beside[0].key.span.line, max(beside[-1].key.span.line, last) + 1)
        starts = (Span(entry.key.span.file, line, 1, line, 1) for line in lines)
        edits = tuple(change for at in starts for change in edit(at, "", "  ", sure=False))
        names = listed(quoted(e.key.text for e in beside))
        message = f"`{_name(path)}` has nothing below it: {names} stand{'s' if len(beside) == 1 else ''} beside it"
        fix = f"indent {names} by two spaces, so that {'it belongs' if len(beside) == 1 else 'they belong'} to `{_name(path)}`"
        return Diagnostic(entry.key.span, "shape-type", message, "", fix, edits=edits)

    def _wrong(self, path: Route, error: ValidationError) -> Diagnostic:
        spot, schema = _spot(self.tree, path), cast(Schema, error.schema)
        span = _at(spot.entry, spot.node)
        one_word = re.match(r"([a-z][^:]*):\S", spot.node.text) if isinstance(spot.node, Scalar) else None
        if one_word and "object" in schema.get("type", ()) and error.validator == "type":
            assert isinstance(spot.node, Scalar)
            return no_space(spot.node.at(one_word.end(1), one_word.end(1) + 1), one_word[1])
        expected, fix = schema["title"], ""
        edits: tuple[Edit, ...] = ()
        if (shallow := self._too_shallow(path, spot, schema)) is not None:
            return shallow
        if (deep := self._outside(path, spot)) is not None:
            return deep
        if (beside := self._parts_beside(path, spot, schema)) is not None:
            return beside
        if spot.entry and isinstance(spot.node, Scalar) and spot.node.value is None and not spot.node.text:
            parts = re.fullmatch(r"([a-z]\w*)( ?)(=>|->|:=|[:=]) ?(\S.*)", spot.entry.key.text)
            if parts:
                return _no_colon(spot.entry.key, *parts.group(1, 3, 4))
        code = "shape-type" if error.validator == "type" else "shape-value"
        if error.validator == "enum":
            expected = listed(quoted(schema["enum"]), "or")
            if isinstance(spot.node, Scalar):
                near = closest(spot.node.text, schema["enum"])
                if near is None and _VALUE_HABITS.get(spot.node.text) in schema["enum"]:
                    near = _VALUE_HABITS[spot.node.text]
                fix, edits = suggestion(near), spot.node.respelled(near)
            if not fix and len(schema["enum"]) == 1:
                fix = f"write `{path[-1]}: {schema['enum'][0]}`, or leave it out"
                edits = spot.node.respelled(schema["enum"][0]) if isinstance(spot.node, Scalar) else ()
            if isinstance(spot.node, Sequence) and len(spot.node.items) == 1 and isinstance(spot.node.items[0], Scalar):
                fix = f"write `{spot.node.items[0].text}`, without brackets"
                edits = _written(spot.node, spot.node.items[0].text)
            if not isinstance(spot.node, Scalar) or not spot.node.text:
                code = "shape-type"
        elif error.validator == "minProperties":
            return Diagnostic(span, code, f"expected {expected}, found an empty map", "it needs at least one line")
        elif error.validator in ("minItems", "maxItems"):
            number = len(spot.node.items) if isinstance(spot.node, Sequence) else 0
            return Diagnostic(span, code, f"expected {expected}, found a list of {number}")
        elif error.validator == "maxLength":
            assert isinstance(spot.node, Scalar)
            return Diagnostic(span, code, f"expected {expected}, found one of {len(spot.node.text):,}")
        else:
            fix, edits = _type_fix(path, schema, spot, self.tree, self.layers)
        message, why = f"expected {expected}, found {_found(spot.node)}", _type_why(schema, spot.node)
        return Diagnostic(span, code, message, why, fix, edits=edits)


def _no_colon(key: Scalar, name: str, sign: str, value: str) -> Diagnostic:
    """Return the complaint about `{key:value}` or `{key = value}`, each one word to YAML."""
    at = key.at(len(name), len(key.text) - len(value))
    if sign == ":":
        return no_space(at, name)
    message, why = f"`{sign}` does not separate `{name}` from its value", "a key is followed by `:` and a space"
    edits = key.edit(len(name), len(key.text) - len(value), ": ")
    return Diagnostic(at, "yaml-colon-space", message, why, f"write `{name}: {value}`", edits=edits)


def _name(path: Route) -> str:
    """Return the last name on the way, without parameters or indexes; names of conditions and examples are free text."""
    name = str(path[-1])
    return bare_name(name) if len(path) == 2 and path[0] != "examples" else name


def _needs(schema: Schema) -> str:
    """Return what the thing needs, in words."""
    if "oneOf" in schema:
        return f"a place needs exactly one of {listed(quoted(PLACE_KEYS))}"
    return f"{_thing(schema)} needs {listed(quoted(schema['required']))}"


def _thing(schema: Schema) -> str:
    """Return what the map is, in words; the title of a variable also covers other ways to write one."""
    return "a variable written as a map" if "is" in schema.get("properties", ()) else str(schema["title"])


def _type_why(schema: Schema, node: Node) -> str:
    if isinstance(node, Scalar) and isinstance(node.value, float):
        return "numbers in the rules are whole"
    needed = schema.get("else") or schema.get("then") or schema  # the schemas of moves and places say it in a branch
    named = schema.get("type") == "object" and ("required" in needed or "oneOf" in needed)
    return _needs(needed) if named else ""


def _decimal_before(parent: Mapping, key: Scalar) -> str:
    """Return the `2` of a `2,5` that braces have cut into a value and the key `5`; empty if that is not so."""
    entries = list(parent)
    at = next((i for i, (other, _) in enumerate(entries) if other is key), 0)
    before = entries[at - 1][1] if at and parent.flow else None
    if not isinstance(before, Scalar) or not (before.text.isdecimal() and key.text.isdecimal()):
        return ""
    is_beside = (before.span.end_line, before.span.end_col + 1) == (key.span.line, key.span.col)
    return before.text if is_beside else ""


def _key_and_value(entry: Entry, new: str) -> tuple[Edit, ...]:
    """Return the change of a key with a value on one line to something else, alone."""
    key, value = entry.key.span, entry.value
    if not isinstance(value, Scalar) or value.span.line != key.line or value.span.end_line != key.line:
        return ()
    old = f"{entry.key.text}:{' ' * (value.span.col - key.end_col - 1)}{value.text}"
    return edit(replace(key, end_col=value.span.end_col), old, new, sure=False)


def negated(condition: str) -> str:
    """Return the condition that holds where another one does not."""
    return f"not ({condition})" if re.search(r"\b(?:and|or|if|let)\b", condition) else f"not {condition}"


def _with_range(text: str) -> str:
    """Return a text with `range(1, 5)` of Python, which goes up to 4, as it is written here.

    >>> _with_range("n in range(1, 5)"), _with_range("n in range(size)")
    ('n in 1..4', 'n in 0..size - 1')
    """
    m = re.search(r"\brange\((?:(\w+), *)?(\w+)\)", text)
    if m is None:
        return text
    last = str(int(m[2]) - 1) if m[2].isdecimal() else f"{m[2]} - 1"
    return f"{text[: m.start()]}{m[1] or 0}..{last}{text[m.end() :]}"


def _has_own(node: Mapping, name: str, of: Scalar) -> bool:
    """Return whether a map has an entry of this name from the same file as a key."""
    entry = node.entry(name)
    return entry is not None and entry.key.span.file == of.span.file


def _left_out(node: Mapping, number: int) -> tuple[Edit, ...]:
    """Return the change that leaves an entry of a map in braces out, alone; none if it is the last."""
    entry, after = node.entries[number], node.entries[number + 1 : number + 2]
    if (
        not node.flow
        or not after
        or not isinstance(entry.value, Scalar)
        or after[0].key.span.line != entry.key.span.line
    ):
        return ()
    span = replace(entry.key.span, end_col=after[0].key.span.col)
    return edit(span, f"{entry.key.text}: {entry.value.text}, ", "")


def _undashed(node: Sequence) -> tuple[Edit, ...]:
    """Return the changes that make a map of a list of maps with one entry each, on lines of their own."""
    if node.flow or not all(isinstance(item, Mapping) and not item.flow for item in node.items):
        return ()
    starts = (Span(i.span.file, i.span.line, i.span.col - 2, i.span.line, i.span.col) for i in node.items)
    return tuple(change for at in starts for change in edit(at, "- ", "  ", sure=False))


def _block_begun(entry: Entry, head: str, inside: str) -> tuple[Edit, ...]:
    """Return the change of `while x:` with steps below it to a block, alone; none if they are not deep enough."""
    key, value = entry.key.span, entry.value.span
    span = replace(key, end_col=key.end_col + 1)
    if not isinstance(entry.value, Sequence) or entry.value.flow or value.col <= key.col:
        return ()
    return edit(span, f"{entry.key.text}:", f"{head}\n{' ' * (key.col - 1)}{inside}", sure=False)


def _on_one_line(node: Mapping, missing: str) -> Diagnostic | None:
    """Return the complaint about `if: a then b`, `ask: p to m`, and about steps below a block without their key."""
    first = node.entries[0] if node.entries else None
    value = first.value if first else None
    if first is None or not isinstance(value, Scalar) or first.key.text not in STEP_KEYS:
        return None
    if value.span.end_line > value.span.line and (m := re.search(r" - (?=[a-z])", value.text)):
        at = value.at(m.start() + 1, m.start() + 2)
        message = f"this line is read as more of the line above: `{missing}:` is missing"
        fix = f"write `{missing}:` on a line of its own above it, below `{first.key.text}`"
        below = Span(at.file, at.line, 1, at.line, 1)
        edits = edit(below, "", f"{' ' * (first.key.span.col - 1)}{missing}:\n", sure=False)
        return Diagnostic(at, "shape-missing-key", message, f"steps belong to `{missing}`", fix, edits=edits)
    m = re.search(rf"\s+{missing}:?\s+(\S.*)", value.text)
    if m is None:
        return None
    rest = m[1] if missing == "to" else f"[{m[1]}]" if "," not in m[1] and "[" not in m[1] else f'["{m[1]}"]'
    head = f"{first.key.text}: {value.text[: m.start()]}"
    message = f"`{missing}` is a key of its own"
    fix = f"write `{head}`, and below it `{missing}: {rest}`"
    new = f"\n{' ' * (first.key.span.col - 1)}{missing}: {rest}"
    edits = edit(value.at(m.start(), len(value.text)), value.text[m.start() :], new, sure=False)
    return Diagnostic(value.at(m.start(), m.end()), "shape-missing-key", message, "", fix, edits=edits)


def _new_in_list(node: Mapping, overlay: bool) -> tuple[str, tuple[Edit, ...]] | None:
    """Return how a change of a list in other words, or a step in braces, is written; None if it is neither."""
    key = node.entries[0].key
    if key.text in _LIST_HABITS:
        return suggestion(_LIST_HABITS[key.text]), key.respelled(_LIST_HABITS[key.text])
    empty = isinstance(value := node.entries[0].value, Scalar) and not value.text
    if node.flow and len(node.entries) == 1 and empty and key.text.split(" ")[0] in SENTENCE_WORDS:
        new = f"{{add: [{key.text}]}}" if overlay else f"[{key.text}]"
        fix = f"write `{new}`" + (" to add a step" if overlay else "")
        return fix, edit(node.span, f"{{{key.text}}}", new, sure=False)
    return None


def _table_index(node: Mapping, tree: Mapping) -> str:
    """Return the set whose members are the keys of this map; nothing if there is none."""
    sets, keys = tree.get("sets"), {key.text for key, _ in node}
    for key, members in sets if isinstance(sets, Mapping) else ():
        if isinstance(members, Sequence) and keys == {i.text for i in members.items if isinstance(i, Scalar)}:
            return key.text
    return ""


def _type_fix(
    path: Route, schema: Schema, spot: _Spot, tree: Mapping, layers: Layers | None
) -> tuple[str, tuple[Edit, ...]]:
    """Return how to fix the usual reasons for a wrong type, in words and as a change of the text."""
    node = spot.node
    words = node.text if isinstance(node, Scalar) else ""
    key = spot.entry.key if spot.entry else None
    overlay = layers is not None and layers.introduced(node.span)
    nothing = isinstance(node, Scalar) and node.value is None
    is_line = _is_line(schema)
    is_named_map = schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), dict)
    is_title_map = "title" in schema.get("properties", ())
    match schema:
        case _ if overlay and isinstance(node, Mapping) and node.entries and node.entries[0].key.text in _LIST_HABITS:
            first_key = node.entries[0].key
            return suggestion(_LIST_HABITS[first_key.text]), first_key.respelled(_LIST_HABITS[first_key.text])
        case _ if path[:1] == ("pieces",) and len(path) == 2 and isinstance(node, Mapping):
            return _pieces_meant(node, str(path[1]))
        case _ if "given" in path[:-1] and isinstance(node, Mapping) and key and spot.entry:
            return _indexed_meant(spot.entry, node)
        case _ if isinstance(node, Sequence) and schema.get("type") == "string" and path[0] != "pieces":
            if len(node.items) == 1 and isinstance(node.items[0], Scalar):
                return f"write `{node.items[0].text}`, without brackets", _written(node, node.items[0].text)
            return f"name only one: `{path[-1]}` takes no list", ()
        case _ if schema == _definition("steps"):
            if re.match(r"-\S", words):
                return "write a space after each `-`", _spaced_dashes(node) if isinstance(node, Scalar) else ()
            if nothing or words in ("nothing", "none", "no", "pass", "null"):
                return "write `[]` if nothing is to be done", _written(node, "[]") if words else ()
            if isinstance(node, Mapping) and node.entries:
                if (meant := _new_in_list(node, overlay)) is not None:
                    return meant
                first = node.entries[0].key.text
                near = closest(first, (*LIST_KEYS, *STEP_CHANGES)) or (overlay and _LIST_HABITS.get(first)) or None
                if near is not None:
                    return suggestion(near), node.entries[0].key.respelled(near)
            return "begin each step with `- `", _on_next_line(spot, "- ")
        case _ if schema == _definition("winner") and re.fullmatch(r"[a-z]+(?: [a-z]+)+", words):
            new = f"{words}: score[me]"
            return f"write after it what is compared: `{new}`", edit(node.span, words, new, sure=False)
        case _ if isinstance(node, Sequence) and key and key.text in _LIST_HABITS:
            return suggestion(_LIST_HABITS[key.text]), key.respelled(_LIST_HABITS[key.text])
        case _ if path[-1] == "choose" and words:
            m = re.fullmatch(r"(?:([a-z]\w*)\s+(?:from|in|of|is)\s+)?([a-z]\w*)", words)
            new = f"{{{m[1] or m[2][0]}: {m[2]}}}" if m else ""
            return f"write a name and its set: `{new or '{x: SET}'}`", node.respelled(new or None) if isinstance(
                node, Scalar
            ) else ()
        case _ if path[-1] == "needs" and words:
            return f"give it a name: `NAME:`, and below it `that: {words}` and `else:` with the refusal", ()
        case _ if path[-1] == "that" and isinstance(node, Sequence) and node.flow and _are_lines(node):
            whole = " and ".join(i.text for i in node.items if isinstance(i, Scalar))
            return f"write `{whole}`", edit(node.span, f"[{whole.replace(' and ', ', ')}]", whole, sure=False)
        case _ if (
            is_line and "text" not in schema["title"] and isinstance(node, Mapping) and (inside := _in_braces(node))
        ):
            return f"write `{inside}`, without braces", edit(node.span, f"{{{inside}}}", inside)
        case _ if is_named_map and isinstance(node, Scalar) and (pair := _EQUATION.fullmatch(words)):
            new = f"{pair[1]}: {pair[2]}"
            return f"a key is followed by `:`: write `{new}`", edit(node.span, words, new, sure=False)
        case _ if path[-1] == "needs" and isinstance(node, Sequence):
            return "give each condition a name instead of the `-`: `NAME:`, and below it `that:` and `else:`", ()
        case _ if path[-1] == "refused" and isinstance(node, Sequence):
            return "write each as `MOVE: the refusal`, without `- ` and `[ ]`", ()
        case _ if len(path) == 2 and path[0] == "tables" and isinstance(node, Mapping) and key:
            index = _table_index(node, tree)
            if not index:
                return "write all values in their order, in `[ ]`: a list is changed as a whole", ()
            return f"these are the members of `{index}`: write `{key.text}[{index}]`", key.respelled(
                f"{key.text}[{index}]"
            )
        case _ if len(path) == 2 and path[0] == "sets" and isinstance(node, Mapping) and node.flow:
            names = ", ".join(k.text for k, _ in node)
            return f"write `[{names}]`", edit(node.span, f"{{{names}}}", f"[{names}]")
        case _ if len(path) == 2 and path[0] == "pieces" and isinstance(node, Scalar) and words.isdecimal():
            places = tree.get("places")
            held = (
                [k.text for k, v in places if isinstance(v, Mapping) and str(path[1]) in whole_text(v)]
                if isinstance(places, Mapping)
                else []
            )
            return f"say where they start: `{words} in {held[0] if held else 'PLACE'}`", node.respelled(
                f"{words} in {held[0]}" if held else None
            )
        case _ if (
            key
            and len(path) == 2
            and path[0] == "places"
            and (m := re.fullmatch(r"(pile|stack|cell) (?:of|with) (.+)", words))
        ):
            return f"write `{{{m[1]}: {m[2]}}}`", node.respelled(f"{{{m[1]}: {m[2]}}}") if isinstance(
                node, Scalar
            ) else ()
        case _ if key and len(path) == 2 and path[0] == "places" and isinstance(node, Sequence):
            kinds = ", ".join(i.text for i in node.items if isinstance(i, Scalar))
            pile = f"{{pile: {kinds}}}" if len(node.items) == 1 else f"{{pile: [{kinds}]}}"
            return f"write `{pile}`, or `stack` or `cell` for `pile`", edit(node.span, f"[{kinds}]", pile, sure=False)
        case _ if isinstance(node, Scalar) and isinstance(node.value, float) and "range" in schema["title"]:
            return f"for a range write `{words.replace('.', '..')}`", node.respelled(words.replace(".", ".."))
        case _ if isinstance(node, Scalar) and isinstance(node.value, float):
            return f"write `{int(node.value)}` or `{int(node.value) + 1}`", ()
        case _ if words and schema.get("type") == "array" and re.fullmatch(r"[0-9]+(?:, *[0-9]+)+", words):
            return f"write `[{words}]`", node.respelled(f"[{words}]") if isinstance(node, Scalar) else ()
        case _ if words and schema.get("type") == "array" and len(found := re.findall(r"[a-z]\w+", words)) >= 1:
            parts = [part.strip() for part in re.split(r"[,;]", words)]
            if path[-1] in ("play", "offered") and all(re.match(r"[a-z]", part) for part in parts):
                found = parts
            listed_out = f"[{', '.join(found)}]"
            return f"write `{listed_out}`", node.respelled(listed_out) if isinstance(node, Scalar) else ()
        case _ if key and "given" in path[:-1] and isinstance(node, Sequence) and node.flow and _are_words(node):
            pieces = ", ".join(i.text for i in node.items if isinstance(i, Scalar))
            return f"write it without brackets: `{pieces}`", edit(node.span, f"[{pieces}]", pieces)
        case _ if "play" in path and isinstance(path[-1], int) and path[-1] > 0 and words.isdecimal():
            return "a comma ends the decision before it: write the words of a decision with blanks between them", ()
        case _ if (key and nothing and words == "null") or (
            key and words in ("false", "no") and overlay and not _is_line(schema)
        ):
            return f"to take it out write `remove: [{key.text}]`", _key_and_value(
                spot.entry, f"remove: [{key.text}]"
            ) if spot.entry else ()
        case _ if key and nothing and spot.parent and (before := _decimal_before(spot.parent, key)):
            number = int(before)
            return f"a number is whole: write `{number}` or `{number + 1}` for `{before},{key.text}`", ()
        case _ if key and nothing and spot.parent and spot.parent.flow:
            return f"write a value after it: `{key.text}: …`", ()
        case _ if schema == _definition("winner") and isinstance(node, Scalar) and node.text:
            return f"write below it why, and the value: `most points: {node.text}`", _on_next_line(
                spot, "most points: "
            )
        case _ if nothing and spot.entry and spot.entry.key.span.file != node.span.file:
            return "write below it what is different, or leave it out", ()
        case _ if spot.entry and path[:1] == ("places",) and len(path) == 2 and isinstance(node, Scalar) and node.text:
            if node.text in PLACE_KEYS:
                return f"write `{{{node.text}: KIND}}`", ()
            pile = f"{{pile: {node.text}}}"
            return f"write `{pile}`, or `stack` or `cell` for `pile`", node.respelled(pile)
        case _ if schema.get("title") == "a scoring rule" and isinstance(node, Scalar) and node.text:
            points = f"write below it `points: {node.text}`"
            if key and key.span.file != node.span.file:
                return points, _on_next_line(spot, "points: ")
            text = key.text.replace("_", " ") if key and re.fullmatch(r"\w+", key.text) else ""
            below = f"text: {text}\n{' ' * (key.span.col + 1)}points: " if key and text else "points: "
            return f"{points}, and above that `text:` with the reason", _on_next_line(spot, below)
        case _ if schema == _definition("condition") and isinstance(node, Scalar) and node.text:
            return f"write below it `that: {node.text}`, and `else:` with the reason shown to the player", ()
        case _ if schema == _definition("view")["properties"]["colours"]["additionalProperties"] and nothing:
            return "put the colour in quotes: after a space `#` begins a comment", ()
        case _ if is_named_map and nothing and schema != _definition("winner"):
            return f"leave `{path[-1]}` out if there is nothing to say", ()
        case _ if is_named_map and isinstance(node, Sequence):
            return "write each as `name: value`, without `- ` and `[ ]`", _undashed(node)
        case _ if path[:1] == ("view",) and words and is_title_map:
            return f"write `{{title: {words}}}`", _written(node, f"{{title: {words}}}")
        case _ if schema == _definition("variable") and isinstance(node, Scalar) and isinstance(node.value, bool):
            declared = "yes_no" if not node.value else "{is: yes_no, start: true}"
            return f"write `{declared}`", _written(node, declared)
        case _ if path[-1] == "to" and isinstance(node, Sequence):
            moves = " or ".join(i.text for i in node.items if isinstance(i, Scalar))
            return f"write `to: {moves}`", _written(node, moves)
        case _ if path[:1] == ("pieces",) and key and isinstance(node, Sequence) and _are_words(node):
            members = [item.text for item in node.items if isinstance(item, Scalar)]
            declared = f"the kinds of a piece are a set: write `{key.text}: [{', '.join(members)}]` under `sets:`"
            return f"{declared}, and here how many of each there are, such as `{members[0]}: 20 in PLACE`", ()
        case _ if path[0] == "define" and isinstance(node, Mapping) and len(node.entries) == 1 and is_line:
            only = node.entries[0].value
            new = only.text if isinstance(only, Scalar) else ""
            return (f"write `{new}` alone", _map_written(node, new)) if new else ("", ())
        case _ if key and "expect" in path[:-1] and isinstance(node, Sequence) and node.flow and not is_line:
            items = [item.text for item in node.items if isinstance(item, Scalar)]
            if not items or not all(re.fullmatch(r"\w+ -?[0-9]+", item) for item in items):
                return "", ()
            pairs = f"{{{', '.join(item.replace(' ', ': ') for item in items)}}}"
            return f"write `{pairs}`", edit(node.span, f"[{', '.join(items)}]", pairs)
        case _ if isinstance(node, Mapping) and is_line and any(whole_text(v) != "None" for _, v in node):
            return "", ()
        case _ if not isinstance(node, Scalar) and node.flow and is_line:
            bracket = "{" if isinstance(node, Mapping) else "["
            return f"put the whole line in quotes: after a space `{bracket}` begins a {kind_of(node)[2:]}", ()
        case _:
            return "", ()


def _pieces_meant(node: Mapping, kind: str) -> tuple[str, tuple[Edit, ...]]:
    """Return how a map in the place of `N in PLACE` is written, in words and as a change."""
    if len(node.entries) == 1 and not whole_text(node.entries[0].value).strip("None"):
        words = node.entries[0].key.text
        return f"write `{words}`, without braces", edit(node.span, f"{{{words}}}", words)
    if held := next((key.text for key, _ in node if key.text in PLACE_KEYS), ""):
        return f"`{held}` is a key of a place: write `{kind}` under `places:`", ()
    values = {key.text: value.text for key, value in node if isinstance(value, Scalar)}
    where = next((values[key] for key in _WHERE_HABITS if values.get(key)), "")
    many = [text for text in values.values() if text != where]
    if not where or len(many) != 1 or len(values) != len(node.entries):
        return "write how many and where on one line, such as `20 in PLACE`", ()
    return f"write `{many[0]} in {where}`", _map_written(node, f"{many[0]} in {where}")


def _map_written(node: Mapping, new: str) -> tuple[Edit, ...]:
    """Return the change of a map in braces, of names and words, to something else, alone."""
    if not node.flow or not all(isinstance(value, Scalar) for _, value in node):
        return ()
    stretch = node.span.end_col - node.span.col
    for quote in ('"', ""):
        items = (f"{key.text}: {_quoted_if(value, quote)}" for key, value in node if isinstance(value, Scalar))
        if len(old := f"{{{', '.join(items)}}}") == stretch:
            return edit(node.span, old, new, sure=False)
    return ()


def _quoted_if(value: Scalar, quote: str) -> str:
    """Return a text with its quotes, if it is written with them."""
    return f"{quote}{value.text}{quote}" if value.span.end_col - value.span.col > len(value.text) else value.text


def _indexed_meant(entry: Entry, node: Mapping) -> tuple[str, tuple[Edit, ...]]:
    """Return how a place is written whose indexes stand in a map below it."""
    lines = [(key.text, value.text) for key, value in node if isinstance(value, Scalar)]
    if not lines or "[" in entry.key.text:
        return "", ()
    index, held = lines[0]
    meant = f"{entry.key.text}[{', '.join(re.findall(r'[a-z0-9_]+', index))}]: {held}"
    key, end = entry.key.span, node.span
    old = f"{entry.key.text}: {{{index}: {held}}}"
    span = replace(key, end_line=end.end_line, end_col=end.end_col)
    return f"write `{meant}`" + (", and so on" if len(lines) > 1 else ""), edit(span, old, meant)


def _are_words(node: Sequence) -> bool:
    """Return whether all items are names, perhaps with their number."""
    return all(isinstance(i, Scalar) and re.fullmatch(r"(?:[0-9]+ )?[a-z]\w*", i.text) for i in node.items)


def _are_lines(node: Sequence) -> bool:
    return bool(node.items) and all(isinstance(i, Scalar) and i.text for i in node.items)


def _in_braces(node: Mapping) -> str:
    """Return the one value that stands in braces; nothing if there is more."""
    entry = node.entries[0] if node.flow and len(node.entries) == 1 else None
    alone = entry is not None and isinstance(entry.value, Scalar) and entry.value.value is None
    return entry.key.text if entry is not None and alone and not entry.value.text else ""  # type: ignore[union-attr]


_EQUATION = re.compile(r"([a-z]\w*(?:\[[^\]]*\])?) *(?:=>|->|:=|=) *([^=\s][^=]*)")


def _is_line(schema: Schema) -> bool:
    """Return whether a value of one line is expected."""
    return "object" not in schema.get("type", ()) and "array" not in schema.get("type", ())


def _spaced_dashes(node: Scalar) -> tuple[Edit, ...]:
    """Return the changes that put a space after the `-` of each line."""
    dashes = (m.start() + 1 for m in re.finditer(r"(?:^|(?<= ))-(?=\S)", node.text))
    places = ((at, node.at(at - 1, at)) for at in dashes)
    begun = (at for at, span in places if at == 1 or node.at(at - 2, at - 1).line < span.line)
    return tuple(change for at in begun for change in node.edit(at, at, " "))


def _on_next_line(spot: _Spot, sign: str) -> tuple[Edit, ...]:
    """Return the change that puts a value on the line below its key, after a sign, alone."""
    value, key = spot.node.span, spot.entry.key.span if spot.entry else None
    if key is None or not isinstance(spot.node, Scalar) or (spot.parent and spot.parent.flow):
        return ()
    if (value.file, value.line) != (key.file, key.line):
        return ()
    between = Span(key.file, key.line, key.end_col, key.line, value.col)
    old = ":" + " " * (value.col - key.end_col - 1)
    return edit(between, old, f":\n{' ' * (key.col + 1)}{sign}", sure=False)
