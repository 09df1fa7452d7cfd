"""The differences between two rule sets: in their merged trees and their options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Dict
from dataclasses import dataclass, replace
from itertools import zip_longest

from rulespec.diagnostics.diagnostic import Span
from rulespec.diff.renames import compare_trees
from rulespec.diff.trees import Change, ChangeKind, EntryPath, tree_changes, written
from rulespec.options.layers import Option, OptionChoice
from rulespec.rules import Rules
from rulespec.yaml.nodes import Mapping, Scalar, bare_name


@dataclass(frozen=True, slots=True)
class Difference:
    """Two rule sets side by side: the choices under which they are compared, and all that differs."""

    before: Rules
    after: Rules
    choices: tuple[dict[str, str], dict[str, str]]
    changes: tuple[Change, ...]


def compare_rules(before: Rules, after: Rules, choices: Dict[str, str] | None = None) -> Difference:
    """Return all differences. A choice applies to the side that has the option; what one side fixes, the other chooses too."""
    chosen = dict(choices or {})
    settled = tuple(_settled(own, other, chosen) for own, other in ((before, after), (after, before)))
    one, two = settled[0], settled[1]
    trees = before.layers.resolve(one), after.layers.resolve(two)
    liked = _likeness(before) | _likeness(after)
    changes = [*_grouped(compare_trees(*trees), liked), *_options(before, after)]
    return Difference(before, after, (one, two), tuple(changes))


def _settled(own: Rules, other: Rules, chosen: dict[str, str]) -> dict[str, str]:
    names = {option.name: option for option in own.options}
    known = names.keys() | {option.name for option in other.options}
    mine = {name: choice for name, choice in chosen.items() if name in names or name not in known}
    for option in other.options:
        here = names.get(option.name)
        if option.fixed is not None and here and option.fixed in here.open_choices:
            mine.setdefault(option.name, option.fixed)
    return own.layers.settle(mine)


# --- moves that are like others -----------------------------------------------------------------------------------


def _likeness(rules: Rules) -> dict[str, str]:
    """Return each move that is `like` another one, and which."""
    found: dict[str, str] = {}
    trees: list[Mapping | None] = []
    for layer in rules.layers.files:
        trees += [layer.tree, layer.change]
    trees += [change for o in rules.options for c in o.choices for _, change in c.changes]
    for tree in trees:
        moves = tree.get("moves") if tree else None
        for key, value in moves if isinstance(moves, Mapping) else ():
            like = value.get("like") if isinstance(value, Mapping) else None
            if isinstance(like, Scalar):
                found[bare_name(key.text)] = bare_name(like.text)
    return found


def _grouped(changes: Iterable[Change], liked: dict[str, str]) -> Iterator[Change]:
    """Yield the changes; one of a move that others are like is one change, not one for each of them."""
    groups: dict[object, list[Change]] = {}
    for number, c in enumerate(changes):
        inherited = c.path[0] == "moves" and len(c.path) > 2
        key = (c.path[2:], c.how, written(c.before), written(c.after), _own(c)) if inherited else number
        groups.setdefault(key, []).append(c)
    for group in groups.values():
        names = [str(c.path[1]) for c in group if len(c.path) > 1]
        first = next((c for c in group if len(c.path) < 2 or liked.get(str(c.path[1])) not in names), group[0])
        yield replace(first, also=tuple(c.path for c in group if c is not first))


def _own(change: Change) -> tuple[Span | None, Span | None]:
    """Return where the changed words are, on the sides that have them."""
    before = change.before_at if change.before is not None else None
    return before, change.after_at if change.after is not None else None


# --- options ------------------------------------------------------------------------------------------------------


def _options(before: Rules, after: Rules) -> Iterator[Change]:
    old, new = ({o.name: o for o in r.options} for r in (before, after))
    ends = [r.layers.files[-1].tree.span for r in (before, after)]
    for name, option in old.items():
        path: EntryPath = ("options", name)
        if name not in new:
            yield Change(path, ChangeKind.REMOVED, _choice_names(option), None, option.span, ends[1])
        else:
            yield from _choices(path, option, new[name])
    for name, option in new.items():
        if name not in old:
            yield Change(("options", name), ChangeKind.ADDED, None, _choice_names(option), ends[0], option.span)


def _choice_names(option: Option) -> Scalar:
    names = ", ".join(c.name for c in option.choices)
    return Scalar(option.span, names, names)


def _choices(path: EntryPath, a: Option, b: Option) -> Iterator[Change]:
    if a.fixed != b.fixed:
        words = [Scalar(o.fixed_at or o.span, o.fixed or "", o.fixed) for o in (a, b)]
        yield Change(
            path,
            ChangeKind.FIXED,
            words[0] if a.fixed else None,
            words[1] if b.fixed else None,
            words[0].span,
            words[1].span,
        )
    elif a.default != b.default:
        words = [Scalar(o.span, o.default, o.default) for o in (a, b)]
        yield Change((*path, "default"), ChangeKind.CHANGED, words[0], words[1], a.span, b.span)
    old, new = ({c.name: c for c in o.choices} for o in (a, b))
    for name, choice in old.items():
        if name not in new:
            yield Change((*path, name), ChangeKind.REMOVED, _text_of(choice), None, choice.span, b.span)
        else:
            yield from _choice((*path, name), choice, new[name])
    for name, choice in new.items():
        if name not in old:
            yield Change((*path, name), ChangeKind.ADDED, None, _text_of(choice), a.span, choice.span)


def _text_of(choice: OptionChoice) -> Scalar:
    return Scalar(choice.span, choice.text, choice.text)


def _choice(path: EntryPath, a: OptionChoice, b: OptionChoice) -> Iterator[Change]:
    if " ".join(a.text.split()) != " ".join(b.text.split()):
        yield Change((*path, "text"), ChangeKind.CHANGED, _text_of(a), _text_of(b), a.span, b.span)
    clashes = [sorted((option, other) for option, other, *_ in c.not_with) for c in (a, b)]
    if clashes[0] != clashes[1]:
        texts = [", ".join(f"{option}: {other}" for option, other in clash) for clash in clashes]
        words = [Scalar(c.span, text, text) for c, text in zip((a, b), texts, strict=True)]
        yield Change((*path, "not with"), ChangeKind.CHANGED, words[0], words[1], a.span, b.span)
    changes = zip_longest([c for _, c in a.changes], [c for _, c in b.changes])
    for old, new in changes:
        for change in tree_changes(old or Mapping(a.span, ()), new or Mapping(b.span, ())):
            yield replace(change, path=(*path, "change", *change.path))
