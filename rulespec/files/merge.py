"""The one overlay rule: maps merge by name, lists can be added to, all else is replaced. Nodes are picked, not made."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.english import closest, did_you_mean
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, bare_name, plain
from rulespec.yaml.source import MOST_PROBLEMS, kind_of

REMOVE, ADD, ADD_FIRST = "remove", "add", "add first"
LIST_KEYS = frozenset((REMOVE, ADD, ADD_FIRST))
Path = tuple[str, ...]  # the names on the way down to a node


@dataclass(frozen=True, slots=True, eq=False)
class Patched(Mapping):
    """A move that is `like` another, with overlays over it that wait until that other one is final."""

    later: tuple[Mapping, ...] = ()


def merge(old: Node, new: Node, problems: list[Diagnostic], path: Path = ()) -> Node:
    """Return `old` overlaid with `new`; complaints go to `problems`. `path` is where both are in the file."""
    match old, new:
        case Mapping(), Mapping() if _waits(old, new, path):
            return _postponed(old, new)
        case Mapping(), Mapping():
            return _merge_maps(old, new, problems, path)
        case Sequence(), Mapping() if is_list_change(new):
            return _change_list(old, new, problems)
        case Scalar(), Mapping() if is_list_change(new):
            problems.append(_shape(new.entries[0].key.span, "a list to change", old, (("the old value", old.span),)))
            return old
        case _:
            return new


def is_list_change(node: Mapping) -> bool:
    return bool(node.entries) and all(_is_order(entry) for entry in node.entries)


def _is_order(entry: Entry) -> bool:
    """Return whether the entry says what to add or remove; with a map as value it is an ordinary entry of that name."""
    return entry.key.text in LIST_KEYS and not isinstance(entry.value, Mapping)


def _removal(node: Mapping) -> Entry | None:
    entry = node.entry(REMOVE)
    return entry if entry and _is_order(entry) else None


def _shape(
    span: Span, expected: str, found: Node, also: tuple[tuple[str, Span], ...] = (), fix: str = ""
) -> Diagnostic:
    return Diagnostic(span, "overlay-shape", f"expected {expected}, found {kind_of(found)}", fix=fix, also=also)


def shape_problem(expected: str, found: Node, fix: str = "") -> Diagnostic:
    """Return the complaint that `expected` was expected and something else found."""
    return _shape(found.span, expected, found, fix=fix)


class _Names:
    """Finds the entries of a map by the name an overlay uses: exactly as written, else by bare name."""

    def __init__(self, entries: tuple[Entry, ...], path: Path) -> None:
        self.entries = entries
        self.exact = {entry.key.text: i for i, entry in enumerate(entries)}
        self.bare: dict[str, list[int]] = {}
        if path[:1] != ("examples",):  # there `line[1]` and `line[2]` are two entries, not one with another head
            for i, entry in enumerate(entries):
                self.bare.setdefault(bare_name(entry.key.text), []).append(i)

    def find(self, key: Scalar, problems: list[Diagnostic]) -> int | None:
        if key.text in self.exact:
            return self.exact[key.text]
        found = self.bare.get(bare_name(key.text), [])
        if len(found) > 1 and key.text == bare_name(key.text):
            also = tuple((f"`{self.entries[i].key.text}`", self.entries[i].key.span) for i in found)
            message = f"`{key.text}` could be any of {len(found)} entries"
            problems.append(Diagnostic(key.span, "overlay-ambiguous", message, fix="write it in full", also=also))
        return found[0] if len(found) == 1 else None

    def near(self, name: str) -> str:
        return did_you_mean(name, self.bare or self.exact)


def _merge_maps(old: Mapping, new: Mapping, problems: list[Diagnostic], path: Path) -> Mapping:
    kept = _without_removed(old, new, problems, path)
    names = _Names(kept, path)
    entries = list(kept)
    patched: set[int] = set()
    for entry in new.entries:
        if entry.key.text == REMOVE and _is_order(entry):
            continue
        if _is_order(entry) and entry.key.text not in names.exact:
            problems.append(_no_list(entry, old))
            continue
        i = names.find(entry.key, problems)
        if i is None or i in patched:
            _check_new(entry, names, problems, path)
            entries.append(entry)
            continue
        patched.add(i)
        name = bare_name(entry.key.text)
        key = entries[i].key if entry.key.text == name else entry.key
        entries[i] = Entry(key, merge(entries[i].value, entry.value, problems, (*path, name)))
    return Mapping(old.span, tuple(entries), (*old.changed, new.span), old.flow)


def _no_list(entry: Entry, old: Mapping) -> Diagnostic:
    fix = "write the new entries as they are, they come after the old ones"
    expected = f"a list for `{entry.key.text}` to change"
    return _shape(entry.key.span, expected, old, (("the map", old.span),), fix)


def _without_removed(old: Mapping, new: Mapping, problems: list[Diagnostic], path: Path) -> tuple[Entry, ...]:
    removal = _removal(new)
    if removal is None:
        return old.entries
    names = _Names(old.entries, path)
    unwanted: set[int] = set()
    for name in _items(removal, problems):
        if not isinstance(name, Scalar):
            problems.append(shape_problem("a name to remove", name))
            continue
        before = len(problems)
        i = names.find(name, problems)
        if i is not None:
            unwanted.add(i)
        elif len(problems) == before:  # else it was ambiguous
            problems.append(_nothing_to_remove(name, name.text, names.near(name.text)))
    return tuple(entry for i, entry in enumerate(old.entries) if i not in unwanted)


def _items(entry: Entry, problems: list[Diagnostic]) -> tuple[Node, ...]:
    """Return the list given to `add`, `add first` or `remove`."""
    if isinstance(entry.value, Sequence):
        return entry.value.items
    word = entry.key.text
    fix = f"write `{word}: [{entry.value.text}]`" if isinstance(entry.value, Scalar) and entry.value.text else ""
    problems.append(shape_problem(f"a list after `{word}:`", entry.value, fix))
    return ()


def _nothing_to_remove(at: Node, name: str, fix: str) -> Diagnostic:
    return Diagnostic(at.span, "overlay-remove-nothing", f"there is no `{name}` here to remove", fix=fix)


def _check_new(entry: Entry, known: _Names, problems: list[Diagnostic], path: Path) -> None:
    """Complain about a change of a list or map that is not there; a move `like` another still gets what it changes."""
    value = entry.value
    if not isinstance(value, Mapping) or (path == ("moves",) and value.entry("like")):
        return
    name = bare_name(entry.key.text)
    if is_list_change(value) or _removal(value):
        message = f"there is no `{name}` here to change"
        problems.append(Diagnostic(entry.key.span, "overlay-change-nothing", message, fix=known.near(name)))
        return
    found: list[Diagnostic] = []
    for inner in value.entries:
        _check_new(inner, _Names((), path), found, (*path, name))
    if found and (fix := known.near(name)):  # it is not what is inside that is missing
        message = f"there is no `{name}` here to change"
        found = [Diagnostic(entry.key.span, "overlay-change-nothing", message, fix=fix)]
    problems += found


def _change_list(old: Sequence, new: Mapping, problems: list[Diagnostic]) -> Sequence:
    items = list(old.items)
    for unwanted in _items(removal, problems) if (removal := new.entry(REMOVE)) else ():
        same = next((i for i, item in enumerate(items) if _same(item, unwanted)), None)
        if same is not None:
            del items[same]
        else:
            fix = did_you_mean(_words(unwanted), [item.text for item in items if isinstance(item, Scalar)])
            problems.append(_nothing_to_remove(unwanted, _words(unwanted), fix))
    first = _items(entry, problems) if (entry := new.entry(ADD_FIRST)) else ()
    last = _items(entry, problems) if (entry := new.entry(ADD)) else ()
    return Sequence(old.span, (*first, *items, *last), (*old.changed, new.span), old.flow)


def _same(a: Node, b: Node) -> bool:
    """Return whether both say the same, whatever their position and quotes."""
    return a.text == b.text if isinstance(a, Scalar) and isinstance(b, Scalar) else plain(a) == plain(b)


def _words(node: Node) -> str:
    match node:
        case Scalar():
            return node.text
        case Mapping():
            return f"{node.entries[0].key.text}: …" if node.entries else "{}"
        case Sequence():
            return "[…]"


# --- moves that are like others -------------------------------------------------------------------------------


def _waits(old: Mapping, new: Mapping, path: Path) -> bool:
    return len(path) == 2 and path[0] == "moves" and (old.entry("like") is not None or new.entry("like") is not None)


def _postponed(old: Mapping, new: Mapping) -> Patched:
    later = old.later if isinstance(old, Patched) else ()
    return Patched(old.span, old.entries, (*old.changed, new.span), old.flow, later=(*later, new))


def _without(node: Mapping, name: str) -> Mapping:
    return replace(node, entries=tuple(e for e in node.entries if e.key.text != name), _index={})


def expand_like(tree: Mapping, problems: list[Diagnostic]) -> Mapping:
    """Return the tree in which each move that is `like` another holds all that it takes from it."""
    section = tree.entry("moves")
    if section is None or not isinstance(section.value, Mapping):
        return tree
    moves = {bare_name(e.key.text): e for e in section.value.entries}
    done: dict[str, Entry] = {}
    for name in moves:
        # Follow the chain down to a move that needs no other, then build each upon the one below.
        chain, below = _chain(name, moves, done, problems)
        for entry in reversed(chain):
            below = _built_upon(below, entry, problems)
            done[bare_name(entry.key.text)] = below
    # Two heads of one name are for a later stage to refuse; here each keeps its place.
    expanded = tuple(done[n] if moves[n := bare_name(e.key.text)] is e else e for e in section.value.entries)
    merged = Entry(section.key, replace(section.value, entries=expanded, _index={}))
    return replace(tree, entries=tuple(merged if e is section else e for e in tree.entries), _index={})


def _chain(
    name: str, moves: dict[str, Entry], done: dict[str, Entry], problems: list[Diagnostic]
) -> tuple[list[Entry], Entry | None]:
    """Return the moves from `name` on, each like the next, that are not built yet; and the built one they rest on, if any."""
    chain: dict[str, Entry] = {}
    while name not in done:
        entry = moves[name]
        chain[name] = entry
        like = _likeness(entry.value)
        if like is None:
            return list(chain.values()), None
        if not isinstance(like, Scalar):
            problems.append(shape_problem("the name of a move after `like:`", like))
            return list(chain.values()), None
        name = bare_name(like.text)
        if name not in moves:
            near = closest(name, moves) if len(problems) < MOST_PROBLEMS else None
            fix = f"did you mean `{near}`? it is declared at {moves[near].key.span}" if near else ""
            problems.append(Diagnostic(like.span, "like-unknown", f"there is no move called `{name}`", fix=fix))
            return list(chain.values()), None
        if name in chain:
            names = list(chain)
            circle = " → ".join(f"`{n}`" for n in (*names[names.index(name) :], name))
            message = f"these moves are like one another in a circle: {circle}"
            problems.append(Diagnostic(like.span, "like-cycle", message))
            return list(chain.values()), None
    return list(chain.values()), done[name]


def _layers(node: Mapping) -> tuple[Mapping, ...]:
    return (node, *node.later) if isinstance(node, Patched) else (node,)


def _likeness(node: Node) -> Node | None:
    """Return what the move is like; the last overlay that says so counts."""
    if not isinstance(node, Mapping):
        return None
    said = [like for layer in _layers(node) if (like := layer.get("like")) is not None]
    return said[-1] if said else None


def _built_upon(other: Entry | None, entry: Entry, problems: list[Diagnostic]) -> Entry:
    """Return the entry with all it takes from `other`, which is final; with nothing if that is none."""
    if not isinstance(entry.value, Mapping) or _likeness(entry.value) is None:
        return entry
    first, *later = (_without(layer, "like") for layer in _layers(entry.value))
    base = other.value if other is not None and isinstance(other.value, Mapping) else None
    if base is None:
        problems = []  # what it should be like was complained about; what it changes there cannot be judged
    result: Node = merge(_without(base, "beside"), first, problems) if base else first
    for layer in later:
        result = merge(result, layer, problems)
    assert isinstance(result, Mapping)  # maps over maps
    own = Mapping(entry.value.span, result.entries, entry.value.changed, entry.value.flow)
    return Entry(_with_head(entry.key, other.key) if other and base else entry.key, own)


def _with_head(key: Scalar, other: Scalar) -> Scalar:
    """Return the key with the other's parameters, unless it writes its own. A parameter's place is where it is written."""
    head = other.text[len(bare_name(other.text)) :]
    if not head or key.text != bare_name(key.text):
        return key
    size = len(key.text)
    if key.span.file == other.span.file:
        offset = len(other.text) - len(head)
        places = (other.at(offset + i, offset + i) for i in range(len(head)))
        where = [(size + i, place.line, place.col) for i, place in enumerate(places)]
    else:  # a scalar is in one file: show the name that borrows the parameters
        where = [(size + i, key.span.line, key.span.col) for i in range(len(head))]
    starts = key.starts or ((0, key.span.line, key.span.col),)
    return Scalar(key.span, key.text + head, key.text + head, (*starts, *where))
