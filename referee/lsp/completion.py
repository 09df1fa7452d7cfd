"""Completion: everything that can be written at a position."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from referee.lsp.analysis import Analysis, in_comment, names_around
from referee.lsp.below import choices_of, entry_name, items_at, options_of, trees_under
from referee.lsp.keys import SchemaKey, keys_at, values_at
from referee.lsp.spots import Cursor, keys_beside, spot_at
from referee.lsp.symbols import STEP_WORDS, Name, builtin_names
from referee.lsp.written import ACTS, EXPECT_KEYS, Path, entries_at, is_steps, rooted
from rulespec import KEYWORDS, is_block_name, nodes, shipped_games

LOOKS = ("offered", "refused", "expect")
VIEWED = {
    "labels": ("a set", "a member"),
    "symbols": ("a member",),
    "colours": ("a member",),
    "layout": ("a place", "a variable"),
    "pieces": ("a set", "a member"),
    "says": ("a function", "a place", "a variable", "a named step", "a set"),
}
MOST_PLAYERS = 20


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One completion."""

    label: str
    kind: str  # key, name, word, built-in, game
    detail: str = ""
    text: str = ""  # what it means, for people
    insert: str = ""


def suggestions(found: Analysis, line: int, column: int) -> list[Suggestion]:
    """Return everything that can be written at a position."""
    lines = found.lines
    before = (lines[line - 1] if line <= len(lines) else "")[: column - 1]
    if in_comment(before + " ", column):
        return []
    spot = spot_at(lines, line, column)
    root = rooted(spot.path)
    offered = _in_example(found, spot, root)
    if offered is None:
        offered = _of_options(found, spot, root)
    if offered is None:
        offered = _values(found, line, column, spot) if spot.is_value else _keys(found, spot, root)
    if not spot.is_value and "{" not in before:
        there = {nodes.bare_name(key) for key in keys_beside(lines, line, column)}
        offered = [one for one in offered if nodes.bare_name(one.label) not in there]
    return list({one.label: one for one in reversed(offered)}.values())[::-1]


# Keys -----------------------------------------------------------------------------------------------------


def _keys(found: Analysis, spot: Cursor, root: Path) -> list[Suggestion]:
    """Return the keys of the language, and the names of the files below that can be changed here."""
    fixed = [_key(key) for key in keys_at(spot.path, found.extends)]
    return [*_changeable(found, spot, root), *fixed, *_lines(found, root)]


def _changeable(found: Analysis, spot: Cursor, root: Path) -> list[Suggestion]:
    if not root:
        return []
    taken = {key.name for key in keys_at(spot.path, found.extends)}
    names = []
    if root[:1] == ("view",) and len(root) == 2 and root[1] in VIEWED:
        names = _of(found, *VIEWED[root[1]])
    elif root[:1] == ("tables",) and len(root) == 2 and (table := found.names.get(("", nodes.bare_name(root[1])))):
        indexes = re.findall(r"[a-z][a-z0-9_]*", table.written.partition("[")[2])
        names = [_suggestion(n) for n in found.names.values() if n.member_of in indexes[:1]]
    elif root == ("pieces",):
        names = _of(found, "a set", "a member")
    if (spot.path != root or found.extends) and not is_steps(root):
        for name, entry in entries_at(trees_under(found, spot.path), root).items():
            if name not in taken:
                names.insert(0, _suggestion(_declared(found, root, name) or entry_name(root, entry)))
        names.sort(key=lambda one: one.label)
    return [Suggestion(n.label, n.kind, n.detail, n.text, f"{n.label}: ") for n in names]


def _lines(found: Analysis, root: Path) -> list[Suggestion]:
    """Return the steps of the file below that a change of their list can name here: after `before:` all, else blocks."""
    names = tuple(nodes.bare_name(name) for name in root)
    lines = _steps_below(found, names)
    if names[-1:] not in (("before",), ("after",), ("instead of",)):
        lines = tuple(line for line in lines if is_block_name(line)) if names in found.lines_below else ()
    return [Suggestion(line, "key", "a step of the file below", "", f"{line}: ") for line in lines]


def _steps_below(found: Analysis, names: Path) -> tuple[str, ...]:
    return next((lines for steps, lines in found.lines_below.items() if names[: len(steps)] == steps), ())


def _key(key: SchemaKey) -> Suggestion:
    return Suggestion(key.name, "key", "", key.description, f"{key.name}: ")


# Values ---------------------------------------------------------------------------------------------------


def _values(found: Analysis, line: int, column: int, spot: Cursor) -> list[Suggestion]:
    """Return what can follow a key, or be an item of a list, or the words of a step."""
    path, root, before = spot.path, rooted(spot.path), spot.before
    fixed = values_at(path, found.extends)
    if fixed:
        return [Suggestion(word, "word") for word in fixed]
    match root:
        case (*above, "remove", "-"):
            return _removable(found, path, tuple(above))
        case ("extends", *_):
            return [Suggestion(name, "game", "a game that comes with the program") for name in shipped_games()]
        case (*_, "to" | "like" | "beside"):
            return _of(found, "a move")
        case (*_, "game" | "text" | "see" | "title" | "else") if before.count("{") <= before.count("}"):
            return []
    if root[-1:] == ("-",) and is_steps(root) and " " not in before:
        keys = [_key(k) for k in keys_at(path, found.extends)]
        starts = [Suggestion(word, "word", "a step", f"for example `{use}`") for word, use in STEP_WORDS.items()]
        return [*keys, *starts]
    if re.search(r"\bdo [a-z_]*$", before):
        return _of(found, "a named step")
    if re.search(r"\bscore [a-z_, ]*$", before) and " for " not in before:
        return _of(found, "a scoring rule")
    return _names(found, line, column)


def _removable(found: Analysis, path: Path, above: Path) -> list[Suggestion]:
    """Return what `remove` can take out: entries, items of a list, or steps."""
    if is_steps((*above, "-")) and above != ("steps",):
        return [Suggestion(line, "name", "a step of the file below") for line in _steps_below(found, above)]
    trees = trees_under(found, path)
    entries = [_declared(found, above, n) or entry_name(above, e) for n, e in entries_at(trees, above).items()]
    items = [Suggestion(item, "name") for item in items_at(trees, above)]
    return [*map(_suggestion, entries), *items]


def _declared(found: Analysis, path: Path, name: str) -> Name | None:
    """Return what an entry of a section declares."""
    return found.names.get((path[0] if path[0] in ACTS else "", name))


def _of(found: Analysis, *whats: str) -> list[Suggestion]:
    return [_suggestion(n) for n in found.names.values() if n.what in whats or ("a member" in whats and n.member_of)]


def _names(found: Analysis, line: int, column: int) -> list[Suggestion]:
    """Return the names that an expression can use: local ones first, then those of the file, then the language's own."""
    local = names_around(found, line, column)
    own = [_suggestion(n) for n in (*local.values(), *found.names.values()) if not n.section]
    language = [_suggestion(n) for n in builtin_names().values()]
    return [*own, *language, *_words(sorted(KEYWORDS - builtin_names().keys()))]


def _words(words: Iterable[object], detail: str = "") -> list[Suggestion]:
    return [Suggestion(str(word), "word", detail) for word in words]


def _suggestion(name: Name) -> Suggestion:
    kind = "built-in" if name.builtin else "name"
    return Suggestion(name.name, kind, name.written if name.written != name.name else name.what, name.as_markdown())


# Options and examples -------------------------------------------------------------------------------------


def _of_options(found: Analysis, spot: Cursor, root: Path) -> list[Suggestion] | None:
    """Return options and choices where some are named; None anywhere else."""
    match root if not spot.is_value else (*root, ""):
        case ("with",) | ("examples", _, "with") | ("options", _, _, "not with"):
            named = [_suggestion(name) for name in options_of(found)]
            return [Suggestion(n.label, n.kind, n.detail, n.text, f"{n.label}: ") for n in named]
        case ("with", option, "") | ("examples", _, "with", option, "") | ("options", _, _, "not with", option, *_, ""):
            return [_suggestion(name) for name in choices_of(found, option)]
        case _:
            return None


def _in_example(found: Analysis, spot: Cursor, root: Path) -> list[Suggestion] | None:
    """Return what fits in a worked example; None where that is not one, or where it is the same as elsewhere."""
    if root[:1] != ("examples",) or len(root) < 3:
        return None
    part = root[2:]
    if part[:2] == ("play", "-") and len(part) > 2:
        part = part[2:]  # a look is like the end of an example
    match part:
        case ("given" | "expect",) if not spot.is_value:
            words = [w for w in EXPECT_KEYS if part == ("expect",)]
            return [*_spots(found), *(Suggestion(w, "key", "", "", f"{w}: ") for w in words)]
        case ("expect", word) if word.partition("[")[0] in ("points", "gained") and not spot.is_value:
            return [Suggestion(n.label, n.kind, n.detail, n.text, f"{n.label}: ") for n in _of(found, "a scoring rule")]
        case ("expect", "over"):
            return _words(("true", "false"))
        case ("expect", "winner" | "to move", *_):
            return _words((*_players(found), *(["chance"] if part[1] == "to move" else [])))
        case ("given" | "expect", _):
            return [
                *_words(("nothing", "the rest")),
                *_of(found, "a member", "a kind of piece"),
                *_words(("true", "false", "none")),
            ]
        case ("players",) if spot.is_value:
            return _words(_players(found))
        case ("run",):
            return [*_of(found, "a named step"), *_words(("play", "setup"), "a section")]
        case ("play", "-") | ("play",) if spot.is_value:
            if spot.before.strip().count(" ") or spot.before.endswith(" "):
                return [*_of(found, "a member", "a kind of piece"), *_words(("none",))]
            decisions = _words(("draw", "roll"), "an outcome of chance")
            return [*_of(found, "a move"), *decisions, *_looks(found, root)]
        case ("offered", "-") | ("offered" | "refused",):
            return [Suggestion(n.label, n.kind, n.detail, n.text) for n in _of(found, "a move")]
        case ("offered", _, *_):
            return _of(found, "a member", "a kind of piece")
        case ("refused", _) | ("text",) | ("see",):
            return []
        case _:
            return None


def _looks(found: Analysis, root: Path) -> list[Suggestion]:
    return [_key(k) for k in keys_at(root, found.extends)]


def _spots(found: Analysis) -> list[Suggestion]:
    """Return the places and variables, as the position of an example names them."""
    names = [n for n in found.names.values() if n.what in ("a place", "a variable")]
    return [
        Suggestion(n.name, "name", n.written, n.as_markdown(), f"{n.name}[" if "[" in n.written else f"{n.name}: ")
        for n in names
    ]


def _players(found: Analysis) -> list[int]:
    """Return how many can play, by the last file that says so."""
    for tree in reversed(found.trees):
        node = tree.get("players")
        if isinstance(node, nodes.Scalar) and (m := re.fullmatch(r"(\d{1,2})(?:\.\.(\d{1,2}))?", node.text)):
            return list(range(int(m[1]), min(MOST_PLAYERS, int(m[2] or m[1])) + 1))
    return []
