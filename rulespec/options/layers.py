"""A rule file with the files it extends, their options, and the one tree they make together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Dict
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path

from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span
from rulespec.files.changes import with_what_they_change
from rulespec.files.conflicts import check_stack
from rulespec.files.extends import LAYER_KEYS, REPLACED, Layer, open_chains
from rulespec.files.merge import expand_like, merge
from rulespec.files.sources import Files
from rulespec.options.option import (
    Option,
    OptionError,
    check_conflicts,
    conflict,
    fix_choices,
    names_text,
    read_options,
)
from rulespec.yaml.tree import Entry, Mapping, Node, Scalar

MOST_COMBINATIONS = 65_536  # of options
TOLD_TOGETHER = {"game": " + ", "text": " "}


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """The files of a game, the bottom one first, and all their options in order of declaration."""

    files: tuple[Layer, ...]
    by_name: dict[str, Option]

    def options(self) -> tuple[Option, ...]:
        return tuple(self.by_name.values())

    def combinations(self) -> list[dict[str, str]]:
        """All choices that can be made together, the default ones first."""
        every = product(*(option.open_choices for option in self.options()))
        chosen = (dict(zip(self.by_name, choices, strict=True)) for choices in every)
        return [choices for choices in chosen if conflict(self.by_name, choices) is None]

    def settle(self, choices: Dict[str, str]) -> dict[str, str]:
        """A choice for every option: the caller's, else the fixed one or the default. Raises OptionError."""
        settled = {option.name: option.default for option in self.options()}
        for name, wanted in choices.items():
            option = self.by_name.get(name)
            if option is None:
                raise OptionError(f"no option called `{name}`; there are: {names_text(self.by_name)}")
            if option.choice(wanted) is None:
                names = names_text(c.name for c in option.choices)
                raise OptionError(f"the option `{name}` has no choice `{wanted}`; it has: {names}")
            if wanted not in option.open_choices:
                raise OptionError(f"the option `{name}` is fixed to `{option.fixed}` at {option.fixed_at}")
            settled[name] = wanted
        if found := conflict(self.by_name, settled):
            raise OptionError(f"{found[0]} ({found[1]})")
        return settled

    def resolve(self, choices: Dict[str, str] | None = None) -> Mapping:
        """The one tree of all files with these choices. Raises OptionError, or RuleFileError with all complaints."""
        settled = self.settle(choices or {})
        problems: list[Diagnostic] = []
        bottom = self.files[0].tree
        tree = replace(bottom, entries=tuple(e for e in bottom.entries if e.key.text not in LAYER_KEYS), _index={})
        for number, layer in enumerate(self.files):
            if number > 0:
                tree = _with_own_keys(tree, layer, problems)
            for change in (layer.change, *self._chosen_changes(number, settled)):
                tree = _merged(tree, change, problems) if change else tree
        tree = expand_like(tree, problems)
        if problems:
            raise RuleFileError(problems)
        return tree

    def introduced(self, span: Span) -> bool:
        """Whether what stands there belongs to an overlay: a file that extends another, or an option."""
        bottom = self.files[0].tree
        options = bottom.get("options")
        if span.file != bottom.span.file:
            return True
        inside = options.span if options else None
        return inside is not None and (inside.line, inside.col) <= (span.line, span.col) < (
            inside.end_line,
            inside.end_col,
        )

    def _chosen_changes(self, layer: int, settled: dict[str, str]) -> list[Mapping | None]:
        own = (option for option in self.options() if option.layer == layer)
        chosen = (option.choice(settled[option.name]) for option in own)
        return [choice.change for choice in chosen if choice]


def _merged(old: Mapping, new: Mapping, problems: list[Diagnostic]) -> Mapping:
    result = merge(old, new, problems)
    assert isinstance(result, Mapping)  # a map over a map
    return result


def _with_own_keys(tree: Mapping, layer: Layer, problems: list[Diagnostic]) -> Mapping:
    """The tree with the title, view and examples of an extending file."""
    file = layer.tree
    own = [entry for entry in file.entries if entry.key.text in REPLACED]
    if layer.beside:  # the titles of house rules that stand beside each other are told together
        own = [_told_together(tree.get(e.key.text), e) if e.key.text in TOLD_TOGETHER else e for e in own]
    tree = _merged(tree, replace(file, entries=tuple(own), _index={}), problems)
    examples = file.entry("examples")
    if examples is None:
        return tree
    before = tree.entry("examples")
    if before is None:
        return replace(tree, entries=(*tree.entries, examples), _index={})
    joined = Entry(before.key, _joined(before.value, examples.value))
    return replace(tree, entries=tuple(joined if entry is before else entry for entry in tree.entries), _index={})


def _told_together(before: Node | None, entry: Entry) -> Entry:
    if not isinstance(before, Scalar) or not isinstance(entry.value, Scalar):
        return entry
    text = TOLD_TOGETHER[entry.key.text].join((before.text, entry.value.text))
    return Entry(entry.key, replace(entry.value, text=text, value=text, starts=()))


def _joined(old: Node, new: Node) -> Node:
    """The examples of both files; one of the same name replaces the old one as a whole, it is another position."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    entries = {key.text: Entry(key, value) for key, value in (*old, *new)}
    return Mapping(old.span, tuple(entries.values()), (*old.changed, new.span), old.flow)


def open_stack(paths: Iterable[Path], files: Files) -> Layers:
    """The first file and all it extends, with the house rules in the other files upon it."""
    problems: list[Diagnostic] = []
    layers, chains = open_chains(list(paths), files, problems)
    options: dict[str, Option] = {}
    for number, layer in enumerate(layers):
        if number > 0:
            fix_choices(options, layer.fixes, problems)
        for option in read_options(layer.tree.get("options"), number, problems):
            if there := options.get(option.name):
                message = f"there already is an option called `{option.name}`"
                problems.append(
                    Diagnostic(
                        option.span,
                        "option-twice",
                        message,
                        fix="choose another name",
                        also=(("the other one", there.span),),
                    )
                )
            else:
                options[option.name] = option
    problems += [*check_conflicts(options), *_too_many(options)] if not problems else ()
    if not problems:
        for pair in chains:
            problems += check_stack(*pair)
    if problems:
        raise RuleFileError(with_what_they_change(layers, problems))
    return Layers(tuple(layers), options)


def _too_many(options: dict[str, Option]) -> Iterator[Diagnostic]:
    if prod(len(option.open_choices) for option in options.values()) > MOST_COMBINATIONS:
        message = f"{len(options)} options make more than {MOST_COMBINATIONS} combinations"
        last = list(options.values())[-1]
        yield Diagnostic(
            last.span, "option-many", message, fix="make house rules of some of them: files that extend this one"
        )
