"""Which combinations of options to check, so that whatever any combination would show is found.

What is said of an entry depends on the entry and on all it names, there again on all that is named, and so on. So only
options that change something on that way can make a difference together: those are tried in all their combinations,
and options that never meet are tried side by side, in the same combinations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, product
from math import prod

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.files.extends import LAYER_KEYS
from rulespec.files.merge import REMOVE
from rulespec.graph import components
from rulespec.options.layers import Layers, Option
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, bare_name, scalars

MOST_CHECKED = 1024  # combinations that are checked one by one
MOST_TRIED = 10_000  # ways to complete a combination

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_BOUND = re.compile(r"([a-z][a-z0-9_]*)\s+(?:be|in|from)\b")  # what `let`, `for`, `for each`, `roll` and `group` bind
_PARAMETERS = re.compile(r"\((.*)\)")

Choices = dict[str, str]
Names = set[str]

VALUES = ("tables", "places", "variables", "define")  # whatever names one of these depends on all it says
CODE = (
    "steps",
    "moves",
    "scoring",
)  # whatever names one of these depends on its head: that it is there, and its parameters
EVERYWHERE = ("sets", "pieces", "players")  # everything may depend on these: homes of members, numbers of pieces
SILENT = frozenset((*LAYER_KEYS, "examples", "rulespec", "game", "text"))  # nothing depends on these


def combinations_to_check(layers: Layers, groups: list[tuple[str, ...]] | None = None) -> list[Choices]:
    """Return combinations that show whatever all of them would show; the default ones come first.

    `groups` are those of `groups_of_options`, for who has asked already.
    """
    options = {o.name: o for o in layers.options() if len(o.open_choices) > 1}
    default = {o.name: o.default for o in layers.options()}
    if not options:
        return [default]
    partial: list[Choices] = [default]
    conflicts = _conflicts(layers.options())

    def possible(choices: Choices) -> bool:
        return not conflicts or _completed(choices, layers.options(), conflicts) is not None

    for group in groups_of_options(layers) if groups is None else groups:
        for chosen in islice(product(*(options[name].open_choices for name in group)), MOST_CHECKED):
            wanted = dict(zip(group, chosen, strict=True))
            if not any(wanted.items() <= p.items() for p in partial):
                joined = next((p for p in partial[1:] if _agree(p, wanted) and possible(p | wanted)), None)
                if joined is not None:
                    joined |= wanted
                elif possible(wanted):
                    partial.append(wanted)
    whole = (_completed(choices, layers.options(), conflicts) for choices in partial[:MOST_CHECKED])
    return [choices for choices in whole if choices is not None]


def one_by_one(layers: Layers) -> Iterator[Choices]:
    """Yield each choice with all others at their default: a mistake in one does not hide another's."""
    default, conflicts = {o.name: o.default for o in layers.options()}, _conflicts(layers.options())
    for option in layers.options():
        for choice in option.open_choices:
            if choice != option.default and _fits(default | {option.name: choice}, conflicts):
                yield default | {option.name: choice}


def never_chosen(layers: Layers) -> Iterator[Diagnostic]:
    """Yield warnings about choices that some other option excludes whatever is chosen there."""
    conflicts, by_name = _conflicts(layers.options()), layers.by_name
    for option in layers.options():
        for choice in option.choices if option.fixed is None else ():
            for other, _, _, span in choice.not_with:
                mine = (option.name, choice.name)
                excluded = [frozenset((mine, (other, theirs.name))) in conflicts for theirs in by_name[other].choices]
                if by_name[other].fixed is None and all(excluded if other != option.name else [True]):
                    message = (
                        f"`{option.name}: {choice.name}` can never be played: it excludes every choice of `{other}`"
                    )
                    if other == option.name:
                        message = f"`{option.name}: {choice.name}` excludes a choice of its own option"
                    yield Diagnostic(
                        span, "option-never", message, "an option has one choice at a time", level="warning"
                    )
                    break


def changed_in_vain(layers: Layers) -> Iterator[Diagnostic]:
    """Yield warnings about changes of a choice in the very file that fixes another."""
    for option in layers.options():
        if (fixed_at := option.fixed_at) is None:
            continue
        for choice in option.choices:
            for _, change in choice.changes:
                if choice.name != option.fixed and change.span.file == fixed_at.file:
                    message = f"`{option.name}: {choice.name}` can never be played: `with` fixes `{option.fixed}` here"
                    why, fix = "an option has one choice at a time", "leave out one of the two"
                    yield Diagnostic(change.span, "option-never", message, why, fix, (("fixed", fixed_at),), "warning")


def unchecked(layers: Layers, groups: list[tuple[str, ...]]) -> Iterator[Diagnostic]:
    """Yield the warning that too many options meet for all their combinations to be checked."""
    options = layers.by_name
    for group in groups:
        number = prod(len(options[name].open_choices) for name in group)
        if number > MOST_CHECKED:
            message = f"not all {number} combinations of {len(group)} options that concern the same rules are checked"
            yield Diagnostic(options[group[0]].span, "option-unchecked", message, level="warning")


# Which options meet ---------------------------------------------------------------------------------------


def groups_of_options(layers: Layers) -> list[tuple[str, ...]]:
    """Return the options that meet somewhere, without the groups that are part of others; the largest come first."""
    options = {o.name: o for o in layers.options() if len(o.open_choices) > 1}
    return _largest(_groups(layers, options)) if options else []


def _groups(layers: Layers, options: dict[str, Option]) -> set[tuple[str, ...]]:
    """Return the options that meet in one part of the rules, for each part."""
    parts = _Parts()
    for layer in layers.files:
        parts.read(layer.tree, None)
        parts.read(layer.change, None)
    for option in options.values():
        for choice in option.choices:
            for _, change in choice.changes:
                parts.read(change, option.name)
    groups = {tuple(name for name in options if name in group) for group in parts.groups()}
    return groups | {(name,) for name in options}


class _Parts:
    """The parts of the rules, the names in each, and the options that change it.

    A part is called by its section (`play:`) or its name (`board`); what has a body by its name for the head and by its
    name with brackets for the body (`take` and `take()`).
    """

    def __init__(self) -> None:
        self.named: dict[str, Names] = {}
        self.touched: dict[str, Names] = {}
        self.places: Names = set()
        self.steps: Names = set()  # bodies of named steps
        self.loops: Names = set()  # bodies with a `while`
        self.sections: dict[str, Names] = {}  # of a name: all that declare it
        self.bound: Names = set()  # local names, which may hide others

    def read(self, node: Node | None, option: str | None) -> None:
        for key, value in node if isinstance(node, Mapping) else ():
            section = key.text
            if section == REMOVE:  # a whole section
                self._add(f"{EVERYWHERE[0]}:", option, set())
            elif section in (*VALUES, *CODE) and isinstance(value, Mapping):
                for name, entry in value:
                    self._read_entry(section, name, entry, option)
            elif section not in SILENT:
                self._add(f"{section}:", option, _names_in(value))
                self.loops |= {f"{section}:"} if "while" in self.named[f"{section}:"] else set()

    def _read_entry(self, section: str, key: Scalar, entry: Node, option: str | None) -> None:
        self.bound |= _bound_in(key, entry)
        for name in _changed_names(key, entry):
            known = self.sections.setdefault(name, set())
            is_known = section in known
            known.add(section)
            if section in VALUES:
                self._add(name, option, _names_in(key) | _names_in(entry))
                self.places |= {name} if section == "places" else set()
                continue
            new = not is_known or key.text != name or _text(entry, "like")
            self._add(name, option if new else None, _names_in(key))
            self._add(f"{name}()", option, _names_in(entry) | _names_in(key))
            if like := _text(entry, "like"):
                self.named[name].add(like)
                self.named[f"{name}()"].add(f"{like}()")
            if beside := _text(entry, "beside"):  # naming the other one offers this one too
                self._add(beside, option, {name})
            self.steps |= {f"{name}()"} if section == "steps" else set()
            self.loops |= {f"{name}()"} if "while" in _names_in(entry) else set()

    def _add(self, part: str, option: str | None, names: Names) -> None:
        self.named.setdefault(part, set()).update(names)
        self.touched.setdefault(part, set()).update([option] if option else [])

    def groups(self) -> Iterator[Names]:
        met = _met(self.named, self.touched)
        everywhere = set().union(*(met.get(f"{section}:", set()) for section in EVERYWHERE))
        yield everywhere
        for part in self.named:
            yield met[part] | everywhere
        users: dict[str, list[Names]] = {}
        for part, names in self.named.items():
            for name in names - {part}:
                users.setdefault(name, []).append(self.touched[part])
        shared = {name for name, sections in self.sections.items() if len(sections) > 1 or name in self.bound}
        for part, changed in self.touched.items():  # whether it is unused depends on all that name it
            if part in shared or all(users.get(part, ())):
                yield set().union(changed, *users.get(part, ()), everywhere)
        yield set().union(*(met[place] for place in self.places), everywhere)  # what can lie where
        calls = {p: {f"{n}()" for n in names if f"{n}()" in self.named} for p, names in self.named.items()}
        run = _met({p: names & self.steps for p, names in calls.items()}, self.touched)
        for part in self.loops:  # whether somebody decides in it
            yield run[part] | everywhere
        for circle in components(calls):  # whether anything runs itself
            yield set().union(*(self.touched[part] for part in circle), everywhere)


def _met(names: dict[str, Names], touched: dict[str, Names]) -> dict[str, Names]:
    """Return for each part the options that change it or anything it names, directly or not."""
    found: dict[str, Names] = {}
    for circle in components(names):  # what is named comes before those who name it
        below = {n for part in circle for n in names[part] if n in names}
        met = set().union(*(touched[part] for part in circle), *(found.get(n, set()) for n in below))
        found |= dict.fromkeys(circle, met)
    return found


def _text(node: Node, key: str) -> str:
    value = node.get(key) if isinstance(node, Mapping) else None
    return bare_name(value.text) if isinstance(value, Scalar) else ""


def _changed_names(key: Scalar, entry: Node) -> Iterable[str]:
    """Return the entry itself, or all that are removed."""
    if key.text == REMOVE and isinstance(entry, Sequence):
        return [bare_name(item.text) for item in entry.items if isinstance(item, Scalar)]
    return [bare_name(key.text)]


def _bound_in(key: Scalar, entry: Node) -> Names:
    """Return the local names of an entry, and perhaps some more."""
    found = {word for words in _PARAMETERS.findall(key.text) for word in _WORD.findall(words)}
    for scalar in scalars(entry, keys=False):
        found |= set(_BOUND.findall(scalar.text))
    chosen = entry.get("choose") if isinstance(entry, Mapping) else None
    return found | {name.text for name, _ in chosen} if isinstance(chosen, Mapping) else found


def _names_in(node: Node) -> Names:
    """Return all words of a tree. Those of texts for people are there too: too many names only cost time."""
    match node:
        case Scalar():
            return set(_WORD.findall(node.text))
        case Sequence():
            return set().union(*(_names_in(item) for item in node.items))
        case Mapping():
            return set().union(*(_names_in(key) | _names_in(value) for key, value in node))


def _largest(groups: set[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the groups that are part of no other, the largest first."""
    kept: list[tuple[str, ...]] = []
    for group in sorted(groups, key=lambda g: (-len(g), g)):
        if not any(set(group) <= set(other) for other in kept):
            kept.append(group)
    return kept


# Choices that can be made together ------------------------------------------------------------------------


def _conflicts(options: Iterable[Option]) -> set[frozenset[tuple[str, str]]]:
    return {
        frozenset(((option.name, choice.name), (other, other_choice)))
        for option in options
        for choice in option.choices
        for other, other_choice, *_ in choice.not_with
    }


def _fits(choices: Choices, conflicts: set[frozenset[tuple[str, str]]]) -> bool:
    return not any(pair <= choices.items() for pair in conflicts)


def _agree(a: Choices, b: Choices) -> bool:
    return all(a.get(name, choice) == choice for name, choice in b.items())


def _completed(
    choices: Choices, options: tuple[Option, ...], conflicts: set[frozenset[tuple[str, str]]]
) -> Choices | None:
    """Return a choice for every option, the default where possible; None if there is no way."""
    tried = 0

    def complete(number: int, chosen: Choices) -> Choices | None:
        nonlocal tried
        tried += 1
        if number == len(options) or tried > MOST_TRIED:
            return chosen if number == len(options) else None
        option = options[number]
        if option.name in chosen:
            return complete(number + 1, chosen)
        for choice in sorted(option.open_choices, key=lambda c: c != option.default):
            further = chosen | {option.name: choice}
            if _fits(further, conflicts) and (whole := complete(number + 1, further)):
                return whole
        return None

    found = complete(0, choices) if _fits(choices, conflicts) else None
    return {o.name: found[o.name] for o in options} if found is not None else None
