"""The one overlay rule: maps merge by name, items of lists by their lines, all else is replaced. Nodes are picked, not made."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from rulespec.diagnostics.diagnostic import Diagnostic, Edit, Span, edit
from rulespec.english import LONGEST_WORD, MOST_SHOWN, closest, listed, listed_some, quoted, suggestion
from rulespec.files.addresses import LISTS, Files, FoundStep, StepIndex, is_block_name, respaced, shown
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, bare_name, count_characters, plain
from rulespec.yaml.source import MOST_PROBLEMS, kind_of

REMOVE, ADD, ADD_FIRST = "remove", "add", "add first"
BEFORE, AFTER, INSTEAD = "before", "after", "instead of"
MOST_TAKEN = 250_000  # characters of moves that others take by `like`
LIST_KEYS = frozenset((REMOVE, ADD, ADD_FIRST))
STEP_KEYS = frozenset((BEFORE, AFTER, INSTEAD))  # each with a map from addresses of steps to steps
CONFLICT = "two house rules side by side may not change the same thing: nothing says which one counts"
_ADDRESS = "a change names a step by its line, a block by its first line without the colon"
Path = tuple[str, ...]  # the names on the way down to a node


@dataclass(frozen=True, slots=True, eq=False)
class Patched(Mapping):
    """A move that is `like` another, with overlays over it that wait until that other one is final."""

    later: tuple[tuple[Mapping, Files], ...] = ()  # each with the files it does not know


def merge(old: Node, new: Node, problems: list[Diagnostic], path: Path = (), beside: Files = frozenset()) -> Node:
    """Return `old` overlaid with `new`; complaints go to `problems`. `path` is where both are in the file.

    `beside` are files whose changes are in `old` but that `new` does not build on: it does not see the steps they add,
    and may not throw them away.
    """
    match old, new:
        case Mapping(), Mapping() if _waits(old, new, path):
            return _postponed(old, new, beside)
        case Mapping(), Mapping():
            before = len(problems)
            merged = _merge_maps(old, new, problems, path, beside)
            if not path:
                problems[before:] = [_in_its_section(p, old, new) for p in problems[before:]]
            return merged
        case Sequence(), Mapping() if is_step_change(new, path):
            return _StepChange(old, problems, path, beside).changed_by(new)
        case Sequence(), Mapping() if is_list_change(new):
            return _change_list(old, new, problems)
        case Scalar(), Mapping() if is_list_change(new):
            problems.append(_one_value(old, new))
            return old
        case _:
            if is_steps(path) and (lost := _from(old, beside)):
                problems.append(conflict(f"`{path[-1]}` under `{': '.join(path[:-1])}`", new.span, lost))
            return new


def conflict(what: str, here: Span, there: Span) -> Diagnostic:
    """Return the complaint that two house rules side by side change the same thing."""
    message = f"{what} is changed here and in `{there.file}`"
    fix = f"keep one of the two, or let one of them build on the other: `extends: {there.file.split('/')[-1]}`"
    return Diagnostic(here, "house-conflict", message, CONFLICT, fix, (("the other change", there),))


def is_steps(path: tuple[str, ...]) -> bool:
    """Return whether what is at this path of a rule file is a list of steps, or inside one.

    >>> is_steps(("play",)), is_steps(("steps", "deal", "do")), is_steps(("moves", "take", "needs"))
    (True, True, False)
    """
    match path:
        case ("setup" | "play", *_) | ("steps", _, *_) | ("moves", _, "does", *_):
            return True
        case _:
            return False


def is_step_change(node: Mapping, path: Path) -> bool:
    """Return whether the map at this path says what is different in a list of steps."""
    return is_steps(path) and any(_is_order(e) or _is_step_order(e) for e in node.entries)


def _is_step_order(entry: Entry) -> bool:
    return entry.key.text in STEP_KEYS or is_block_name(entry.key.text)


def _from(node: Node, files: Files) -> Span | None:
    """Return the first part of the node that was written or changed in one of the files."""
    if not files:
        return None
    if node.span.file in files:
        return node.span
    changed = () if isinstance(node, Scalar) else node.changed
    if found := next((span for span in changed if span.file in files), None):
        return found
    match node:
        case Mapping():
            inner = [value for _, value in node]
        case Sequence():
            inner = list(node.items)
        case Scalar():
            inner = []
    return next((span for part in inner if (span := _from(part, files))), None)


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


def _one_value(old: Scalar, new: Mapping) -> Diagnostic:
    """Return the complaint about `add` and the like where there is one value."""
    first, also = new.entries[0], (("the old value", old.span),)
    more = first.value.text if isinstance(first.value, Scalar) else ""
    fix = "write the new value in its place"
    if first.key.text == "add" and re.fullmatch(r"[+-]?[0-9]{1,9}", more) and re.fullmatch(r"-?[0-9]{1,9}", old.text):
        fix = f"a value is replaced: write `{int(old.text) + int(more)}`"
    return _shape(first.key.span, "a list to change", old, also, fix)


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

    def near(self, name: str) -> str | None:
        return closest(name, self.bare or self.exact)


def _merge_maps(old: Mapping, new: Mapping, problems: list[Diagnostic], path: Path, beside: Files) -> Mapping:
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
            if (order := _order_of_map(entry, old, path)) is not None:
                problems.append(order)
                continue
            _check_new(entry, names, problems, path)
            entries.append(entry)
            continue
        patched.add(i)
        name = bare_name(entry.key.text)
        key = entries[i].key if entry.key.text == name else entry.key
        entries[i] = Entry(key, merge(entries[i].value, entry.value, problems, (*path, name), beside))
    return Mapping(old.span, tuple(entries), (*old.changed, new.span), old.flow)


def _no_list(entry: Entry, old: Mapping) -> Diagnostic:
    fix = "write the new entries as they are, they come after the old ones"
    expected = f"a list for `{entry.key.text}` to change"
    return _shape(entry.key.span, expected, old, (("the map", old.span),), fix)


def _order_of_map(entry: Entry, old: Mapping, path: Path) -> Diagnostic | None:
    """Return the complaint about `add:` with entries below it where there is a map; None if it may be an entry of that name."""
    is_order = entry.key.text in LIST_KEYS and entry.key.text != REMOVE and isinstance(entry.value, Mapping)
    if not is_order or path not in (
        ("winner",),
        ("moves",),
        ("scoring",),
        ("places",),
        ("variables",),
        ("tables",),
        ("define",),
    ):
        return None
    if path != ("winner",) and entry.key.text == ADD:  # it is a name
        return None
    problem = _no_list(entry, old)
    more = (
        "; to be first, remove the others, and write them again after the new one"
        if entry.key.text == ADD_FIRST
        else ""
    )
    return replace(problem, fix=f"{problem.fix}{more}")


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
            near = names.near(name.text)
            problems.append(_nothing_to_remove(name, name.text, suggestion(near), near))
    return tuple(entry for i, entry in enumerate(old.entries) if i not in unwanted)


def _items(entry: Entry, problems: list[Diagnostic]) -> tuple[Node, ...]:
    """Return the list given to `add`, `add first` or `remove`."""
    if isinstance(entry.value, Sequence):
        return entry.value.items
    word = entry.key.text
    fix = f"write `{word}: [{entry.value.text}]`" if isinstance(entry.value, Scalar) and entry.value.text else ""
    problem = shape_problem(f"a list after `{word}:`", entry.value, fix)
    problems.append(replace(problem, edits=_as_list(entry.value)))
    return ()


def _as_list(node: Node) -> tuple[Edit, ...]:
    """Return the change of one value to a list of it, alone; none if brackets would cut it apart."""
    if not isinstance(node, Scalar) or not node.text or any(sign in node.text for sign in ",[]{}:#"):
        return ()
    return edit(node.span, node.text, f"[{node.text}]")


def _nothing_to_remove(at: Node, name: str, fix: str, near: str | None) -> Diagnostic:
    message, edits = f"there is no `{name}` here to remove", at.respelled(near) if isinstance(at, Scalar) else ()
    return Diagnostic(at.span, "overlay-remove-nothing", message, fix=fix, about=("entry", name), edits=edits)


def _check_new(entry: Entry, known: _Names, problems: list[Diagnostic], path: Path) -> None:
    """Complain about a change of a list or map that is not there; a move `like` another still gets what it changes."""
    value = entry.value
    if not isinstance(value, Mapping) or (path == ("moves",) and value.entry("like")):
        return
    name = bare_name(entry.key.text)
    if is_list_change(value) or is_step_change(value, (*path, name)) or _removal(value):
        problems.append(_nothing_to_change(entry, name, known.near(name)))
        return
    found: list[Diagnostic] = []
    for inner in value.entries:
        _check_new(inner, _Names((), path), found, (*path, name))
    if found:  # the entry itself is missing, not something in it
        found = [_nothing_to_change(entry, name, known.near(name))]
    problems += found


def _nothing_to_change(entry: Entry, name: str, near: str | None) -> Diagnostic:
    key, message = entry.key, f"there is no `{name}` here to change"
    edits = key.edit(0, len(name), near, sure=False) if key.text.startswith(name) else ()
    about = ("entry", name)
    if near is None and isinstance(entry.value, Mapping) and entry.value.entry("add") and len(entry.value.entries) == 1:
        fix = f"write below `{name}:` what there is to be, without `add:`"
        return Diagnostic(key.span, "overlay-change-nothing", message, fix=fix, about=about)
    return Diagnostic(key.span, "overlay-change-nothing", message, fix=suggestion(near), edits=edits, about=about)


def _in_its_section(problem: Diagnostic, old: Mapping, new: Mapping) -> Diagnostic:
    """Return the complaint about a change of an entry that is not there, with the section where there is one of this name."""
    name = problem.about[1]
    if problem.code != "overlay-change-nothing" or problem.edits or not name or new.entry(name) is not None:
        return problem
    if old.entry(name) is not None:
        return replace(problem, fix=f"`{name}:` belongs directly below `change:`, beside the other sections")
    homes = sections_with(old, name)
    if len(homes) != 1:
        return problem
    return replace(problem, fix=f"`{name}` is declared under `{homes[0]}:`: change it there")


def sections_with(tree: Mapping, name: str) -> list[str]:
    """Return the sections of a file that have an entry of this name."""
    return [
        section.text
        for section, entries in tree
        if isinstance(entries, Mapping) and any(bare_name(key.text) == name for key, _ in entries)
    ]


def _change_list(old: Sequence, new: Mapping, problems: list[Diagnostic]) -> Sequence:
    items = list(old.items)
    for unwanted in _items(removal, problems) if (removal := new.entry(REMOVE)) else ():
        same = next((i for i, item in enumerate(items) if _same(item, unwanted)), None)
        if same is not None:
            del items[same]
        else:
            words = [item.text for item in items if isinstance(item, Scalar)]
            near = closest(_words(unwanted), words)
            fix = suggestion(near)
            if near is None and 0 < len(words) == len(items) <= MOST_SHOWN:
                fix = f"items are removed by what they are, not by their number: the list is `[{', '.join(words)}]`; write it anew"
            problems.append(_nothing_to_remove(unwanted, _words(unwanted), fix, near))
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


# --- lists of steps -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Edit:
    """The changes of one step."""

    before: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)
    instead: tuple[Node, ...] | None = None  # nothing in it: the step goes
    parts: Mapping | None = None  # of a block, merged over it


@dataclass(slots=True)
class _StepChange:
    """One change of a list of steps. All its addresses are looked up in the list as it was."""

    old: Sequence
    problems: list[Diagnostic]
    path: Path
    beside: Files
    edits: dict[tuple[int, int], _Edit] = field(default_factory=dict)  # by list and number
    index: StepIndex = field(init=False)
    span: Span = field(init=False)

    def changed_by(self, new: Mapping) -> Sequence:
        self.index, self.span = StepIndex(self.old, self.beside), new.span
        first: tuple[Node, ...] = ()
        last: tuple[Node, ...] = ()
        for entry in new.entries:
            word = entry.key.text
            if word == REMOVE:
                for unwanted in _items(entry, self.problems):
                    self._remove(unwanted)
            elif word == ADD:
                last = _items(entry, self.problems)
            elif word == ADD_FIRST:
                first = _items(entry, self.problems)
            elif word in STEP_KEYS:
                self._beside_steps(entry)
            else:
                self._parts(entry)
        items = self._items(self.old)
        return Sequence(self.old.span, (*first, *items, *last), (*self.old.changed, new.span), self.old.flow)

    # what the change says

    def _beside_steps(self, entry: Entry) -> None:
        word = entry.key.text
        if not isinstance(entry.value, Mapping):
            fix = f"write below `{word}:` the line of the step, and after its colon the list of new steps"
            self.problems.append(shape_problem(f"a map from steps to other steps after `{word}:`", entry.value, fix))
            return
        cut = _cut_address(entry.value)
        if cut is not None:
            self.problems.append(cut)
            return
        for inner in entry.value.entries:
            if not isinstance(inner.value, Sequence):
                written = isinstance(inner.value, Scalar) and inner.value.text
                fix = f"write `{inner.key.text}: [{written}]`" if written else ""
                self.problems.append(shape_problem("a list of steps", inner.value, fix))
            elif (place := self._place(inner.key)) is not None:
                edit = self._edit(place)
                if word == BEFORE:
                    edit.before += inner.value.items
                elif word == AFTER:
                    edit.after += inner.value.items
                else:
                    self._keep_others(place, inner.key)
                    edit.instead = inner.value.items

    def _parts(self, entry: Entry) -> None:
        if not is_block_name(entry.key.text):
            words = [*quoted((ADD, ADD_FIRST, REMOVE, BEFORE, AFTER, INSTEAD)), "the first line of a block"]
            message = f"expected {listed(words, 'or')}, found `{entry.key.text}`"
            near = closest(entry.key.text, (*LIST_KEYS, *STEP_KEYS))
            edits, fix = entry.key.respelled(near), suggestion(near)
            if near is None and entry.key.text in LISTS:
                blocks = ((line, place.step) for line, place in self.index.lines().items())
                lines = [line for line, step in blocks if isinstance(step, Mapping) and step.entry(entry.key.text)]
                fix = f"write the first line of its block above it, such as `{lines[0]}:`" if lines else ""
                edits = _wrapped(entry, lines[0]) if len(lines) == 1 else ()
            problem = Diagnostic(entry.key.span, "overlay-shape", message, _ADDRESS, fix, edits=edits)
            self.problems.append(problem)
        elif not isinstance(entry.value, Mapping):
            fix = "to put other steps in its place write it under `instead of:`"
            self.problems.append(shape_problem("a map of the parts of this block that are different", entry.value, fix))
        elif (place := self._place(entry.key)) is not None:
            self._edit(place).parts = entry.value

    def _remove(self, unwanted: Node) -> None:
        found = self.index.find(unwanted)
        if found and found[0].level == 0:  # at the top the first one counts, then the next
            found = [place for place in found if self._stays(place)][:1]
        if not found:
            near, fix = self._near(_words(unwanted))
            self.problems.append(_nothing_to_remove(unwanted, _words(unwanted), fix, near))
        elif (place := self._only(found, unwanted, _words(unwanted))) is not None:
            self._keep_others(place, unwanted)
            self._edit(place).instead = ()

    # where the steps are

    def _place(self, address: Scalar) -> FoundStep | None:
        found = self.index.find(address)
        if found:
            return self._only(found, address, address.text)
        message = f"there is no step `{address.text}` in `{self._name()}`"
        near, fix = self._near(address.text)
        edits = address.respelled(near)
        self.problems.append(Diagnostic(address.span, "step-unknown", message, _ADDRESS, fix, edits=edits))
        return None

    def _only(self, found: list[FoundStep], address: Node, words: str) -> FoundStep | None:
        if len(found) == 1:
            return found[0]
        message = f"`{words}` occurs {len(found)} times in `{self._name()}`"
        ways = [f"`{shown(place.block)}:` with `{_part(place)}:` below it" for place in found if place.block]
        fix = f"name the block around it: {ways[0]}" if len(set(ways)) > 1 else "replace the list they are in"
        also = tuple(("here", place.step.span) for place in found)
        self.problems.append(Diagnostic(address.span, "step-ambiguous", message, _ADDRESS, fix, also))
        return None

    def _near(self, words: str) -> tuple[str | None, str]:
        """Return the line that was probably meant, if there is one, and the question whether it was."""
        lines = self.index.lines()
        known = {
            respaced(line)[:LONGEST_WORD]: line for line in reversed(lines)
        }  # of long lines the beginning is compared
        near = closest(respaced(words)[:LONGEST_WORD], known) if len(self.problems) < MOST_PROBLEMS else None
        begun = [line for start, line in known.items() if start.startswith(respaced(words))]
        line = known[near] if near else begun[0] if len(begun) == 1 else None
        return line, suggestion(line, f"it is at {lines[line].step.span}") if line else ""

    def _name(self) -> str:
        match self.path:
            case ("steps", name, *_):
                return name
            case ("moves", name, *_):
                return f"{name}: does"
            case _:
                return self.path[0]

    def _keep_others(self, place: FoundStep, address: Node) -> None:
        """Complain if this takes away a step into which a file beside it has put something."""
        if (lost := _from(place.step, self.beside)) is not None:
            self.problems.append(conflict(f"`{shown(place.step)}` in `{self._name()}`", address.span, lost))

    # what comes of it

    def _stays(self, place: FoundStep) -> bool:
        edit = self.edits.get((id(place.steps), place.number))
        return edit is None or edit.instead is None

    def _edit(self, place: FoundStep) -> _Edit:
        return self.edits.setdefault((id(place.steps), place.number), _Edit())

    def _items(self, steps: Sequence) -> list[Node]:
        made: list[Node] = []
        waiting: list[Node] = []  # comes after what another file has put after the same step
        for number, item in enumerate(steps.items):
            if item.span.file not in self.beside:
                made += waiting
                waiting = []
            edit = self.edits.get((id(steps), number))
            if edit is None:
                made.append(self._inside(item))
                continue
            made += edit.before
            made += (self._with_parts(self._inside(item), edit.parts),) if edit.instead is None else edit.instead
            waiting += edit.after
        return [*made, *waiting]

    def _with_parts(self, item: Node, parts: Mapping | None) -> Node:
        return item if parts is None else merge(item, parts, self.problems, self.path, self.beside)

    def _inside(self, item: Node) -> Node:
        """Return the step with its inner lists changed."""
        if not isinstance(item, Mapping) or not any(self._reaches(item.get(key)) for key in LISTS):
            return item
        entries = []
        for entry in item.entries:
            value = entry.value
            if entry.key.text in LISTS and isinstance(value, Sequence) and self._reaches(value):
                value = Sequence(value.span, tuple(self._items(value)), (*value.changed, self.span), value.flow)
            entries.append(Entry(entry.key, value))
        return Mapping(item.span, tuple(entries), (*item.changed, self.span), item.flow)

    def _reaches(self, steps: Node | None) -> bool:
        if not isinstance(steps, Sequence):
            return False
        return any(
            (id(steps), number) in self.edits
            or (isinstance(item, Mapping) and any(self._reaches(item.get(key)) for key in LISTS))
            for number, item in enumerate(steps.items)
        )


def _cut_address(node: Mapping) -> Diagnostic | None:
    """Return the complaint about a step with commas in `{ }` that is not in quotes; None if there is none."""
    for number, entry in enumerate(node.entries[:-1] if node.flow else ()):
        after = node.entries[number + 1]
        empty = isinstance(entry.value, Scalar) and not entry.value.text
        if not empty or entry.key.span.line != after.key.span.line:
            continue
        words = f"{entry.key.text}, {after.key.text}"
        span = replace(entry.key.span, end_col=after.key.span.end_col)
        message, why = f"the comma cuts `{words}` apart", "inside `{ }` YAML ends an entry at each comma"
        fix, edits = f'put it in quotes: `"{words}"`', edit(span, words, f'"{words}"')
        steps = (
            [i.text for i in after.value.items if isinstance(i, Scalar)] if isinstance(after.value, Sequence) else []
        )
        begun = words.split(" ")[0]
        if (
            len(steps) > 1
            and steps[0].startswith(f"{begun} ")
            and not any(s.startswith(f"{begun} ") for s in steps[1:])
        ):
            whole = ", ".join(steps)
            edits = (*edits, *edit(after.value.span, f"[{whole}]", f'["{whole}"]'))
            fix += f', and the new step too: `"{whole}"`'
        return Diagnostic(span, "yaml-cut-expression", message, why, fix, edits=edits)
    return None


def _wrapped(entry: Entry, line: str) -> tuple[Edit, ...]:
    """Return the change that writes a line with a colon above an entry, and indents the entry below it."""
    key, value = entry.key.span, entry.value
    if isinstance(value, Scalar) or value.flow:
        return ()
    last = value.span.end_line - (value.span.end_col == 1)
    spaces, name = " " * (key.col - 1), f'"{line}"' if re.search(r"[\[\]{},:#]", line) else line
    first = edit(Span(key.file, key.line, 1, key.line, 1), "", f"{spaces}{name}:\n  ", sure=False)
    starts = (Span(key.file, number, 1, number, 1) for number in range(key.line + 1, last + 1))
    return (*first, *(change for at in starts for change in edit(at, "", "  ", sure=False)))


def _part(place: FoundStep) -> str:
    """Return the part of its block that the step is in."""
    return next(key for key in LISTS if place.block and place.block.get(key) is place.steps)


# --- moves that are like others -------------------------------------------------------------------------------


def _waits(old: Mapping, new: Mapping, path: Path) -> bool:
    return len(path) == 2 and path[0] == "moves" and (old.entry("like") is not None or new.entry("like") is not None)


def _postponed(old: Mapping, new: Mapping, beside: Files) -> Patched:
    later = old.later if isinstance(old, Patched) else ()
    return Patched(old.span, old.entries, (*old.changed, new.span), old.flow, later=(*later, (new, beside)))


def _without(node: Mapping, name: str) -> Mapping:
    return replace(node, entries=tuple(e for e in node.entries if e.key.text != name), _index={})


def expand_like(tree: Mapping, problems: list[Diagnostic]) -> Mapping:
    """Return the tree in which each move that is `like` another holds all that it takes from it."""
    section = tree.entry("moves")
    if section is None or not isinstance(section.value, Mapping):
        return tree
    moves = {bare_name(e.key.text): e for e in section.value.entries}
    done: dict[str, Entry] = {}
    taken = 0
    for name in moves:
        # Follow the chain down to a move that needs no other, then build each on the one below.
        chain, below = _chain(name, moves, done, problems)
        for entry in reversed(chain):
            if below is not None:
                taken += count_characters(below.value)
            if taken > MOST_TAKEN:
                message = (
                    f"up to this move, {taken:,} characters are taken from others; at most {MOST_TAKEN:,} are allowed"
                )
                why = "a move holds all that it takes from the one it is like"
                problems.append(Diagnostic(entry.key.span, "too-large", message, why))
                return tree
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
            first = like.items[0] if isinstance(like, Sequence) and like.items else None
            fix = f"a move can be like one other: write `like: {first.text}`" if isinstance(first, Scalar) else ""
            problems.append(shape_problem("the name of a move after `like:`", like, fix))
            return list(chain.values()), None
        name = bare_name(like.text)
        if name not in moves:
            near, others = None, list[str]()
            if len(problems) < MOST_PROBLEMS:
                near, others = closest(name, moves), [other for other in moves if other not in chain]
            fix = (
                f"there {'is' if len(others) == 1 else 'are'} {listed_some(quoted(others), MOST_SHOWN, 'and')}"
                if others
                else ""
            )
            fix = suggestion(near, f"it is declared at {moves[near].key.span}") if near else fix
            message, edits = f"there is no move called `{name}`", like.respelled(near)
            problems.append(Diagnostic(like.span, "like-unknown", message, fix=fix, edits=edits))
            return list(chain.values()), None
        if name in chain:
            names = list(chain)
            circle = " → ".join(f"`{n}`" for n in (*names[names.index(name) :], name))
            message = f"these moves are like one another in a circle: {circle}"
            problems.append(Diagnostic(like.span, "like-cycle", message))
            return list(chain.values()), None
    return list(chain.values()), done[name]


def _layers(node: Mapping) -> tuple[tuple[Mapping, Files], ...]:
    return ((node, frozenset()), *(node.later if isinstance(node, Patched) else ()))


def _likeness(node: Node) -> Node | None:
    """Return what the move is like; the last overlay that says so counts."""
    if not isinstance(node, Mapping):
        return None
    said = [like for layer, _ in _layers(node) if (like := layer.get("like")) is not None]
    return said[-1] if said else None


def _built_upon(other: Entry | None, entry: Entry, problems: list[Diagnostic]) -> Entry:
    """Return the entry with all it takes from `other`, which is final; with nothing if that is none."""
    if not isinstance(entry.value, Mapping) or _likeness(entry.value) is None:
        return entry
    (first, _), *later = ((_without(layer, "like"), beside) for layer, beside in _layers(entry.value))
    path = ("moves", bare_name(entry.key.text))
    base = other.value if other is not None and isinstance(other.value, Mapping) else None
    if base is None:
        problems = []  # what it should be like was complained about; what it changes there cannot be judged
    result: Node = merge(_without(base, "beside"), first, problems, path) if base else first
    for layer, beside in later:
        result = merge(result, layer, problems, path, beside)
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
