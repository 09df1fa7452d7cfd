"""A rule file with the files it extends, their options, and the one tree they make together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Dict
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path

from rulespec.diagnostics import Diagnostic, RuleFileError, Span
from rulespec.options import (
    LAYER_KEYS,
    Option,
    OptionError,
    check_conflicts,
    conflict,
    fix_choices,
    listed,
    read_change,
    read_options,
)
from rulespec.overlay import did_you_mean, expand_like, merge, shape_problem
from rulespec.source import read_source
from rulespec.tree import Entry, Mapping, Node, Scalar

MOST_FILES = 16
MOST_COMBINATIONS = 65_536  # of options
_REPLACED = ("rulespec", "game", "text", "players", "view")  # an extending file says these itself; `view` merges
_EXTENDING_KEYS = (*LAYER_KEYS, *_REPLACED, "examples")
FindGame = Callable[[str], Path | None]


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One file of the chain."""

    path: Path
    tree: Mapping
    change: Mapping | None = None
    fixes: Node | None = None  # what stands under `with:`


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
                raise OptionError(f"no option called `{name}`; there are: {listed(self.by_name)}")
            if option.choice(wanted) is None:
                names = listed(c.name for c in option.choices)
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
                tree = _with_own_keys(tree, layer.tree, problems)
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


def _with_own_keys(tree: Mapping, file: Mapping, problems: list[Diagnostic]) -> Mapping:
    """The tree with the title, view and examples of an extending file."""
    own = tuple(entry for entry in file.entries if entry.key.text in _REPLACED)
    tree = _merged(tree, replace(file, entries=own, _index={}), problems)
    examples = file.entry("examples")
    if examples is None:
        return tree
    before = tree.entry("examples")
    if before is None:
        return replace(tree, entries=(*tree.entries, examples), _index={})
    joined = Entry(before.key, _joined(before.value, examples.value))
    return replace(tree, entries=tuple(joined if entry is before else entry for entry in tree.entries), _index={})


def _joined(old: Node, new: Node) -> Node:
    """The examples of both files; one of the same name replaces the old one as a whole, it is another position."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    entries = {key.text: Entry(key, value) for key, value in (*old, *new)}
    return Mapping(old.span, tuple(entries.values()), (*old.changed, new.span), old.flow)


def open_file(path: str | Path, find_game: FindGame | None = None, text: str | None = None) -> Layers:
    """The rule file and all it extends; `text` is its content if that is not on disk.

    `find_game` knows the files of the games that come with the program by name. Raises RuleFileError with every
    complaint about the files, how they extend one another, and their options.
    """
    problems: list[Diagnostic] = []
    files = _chain(Path(path), find_game or (lambda name: None), text, problems)
    options: dict[str, Option] = {}
    for number, layer in enumerate(files):
        if number > 0:
            fix_choices(options, layer.fixes, problems)
        for option in read_options(layer.tree.get("options"), number, problems):
            if there := options.get(option.name):
                message = f"there already is an option called `{option.name}`"
                problems.append(Diagnostic(option.span, "option-twice", message, also=(("the other one", there.span),)))
            else:
                options[option.name] = option
    problems += [*check_conflicts(options), *_too_many(options)] if not problems else ()
    if problems:
        raise RuleFileError(problems)
    return Layers(tuple(files), options)


def _too_many(options: dict[str, Option]) -> Iterator[Diagnostic]:
    if prod(len(option.open_choices) for option in options.values()) > MOST_COMBINATIONS:
        message = f"{len(options)} options make more than {MOST_COMBINATIONS} combinations"
        last = list(options.values())[-1]
        yield Diagnostic(
            last.span, "option-many", message, fix="make house rules of some of them: files that extend this one"
        )


def _chain(path: Path, find_game: FindGame, text: str | None, problems: list[Diagnostic]) -> list[Layer]:
    """The files from the bottom up."""
    files: list[Layer] = []
    visited: dict[str, Path] = {}
    while True:
        try:
            tree = read_source(path, text)
        except RuleFileError as error:
            raise RuleFileError([*problems, *error.diagnostics]) from None
        text = None
        visited[os.path.realpath(path)] = path
        change = read_change(tree.get("change"), problems)
        files.append(Layer(path, tree, change, tree.get("with")))
        extends = tree.get("extends")
        if extends is None:
            problems += _bottom_keys(tree)
            return files[::-1]
        problems += _extra_keys(tree)
        following = _extended(extends, path, find_game, problems)
        if following is not None and os.path.realpath(following) in visited:
            names = " → ".join(f"`{p}`" for p in (*visited.values(), following))
            problems.append(Diagnostic(extends.span, "extends-cycle", f"these files extend one another: {names}"))
        elif len(files) == MOST_FILES:
            problems.append(
                Diagnostic(extends.span, "extends-too-deep", f"more than {MOST_FILES} files, one upon another")
            )
        elif following is not None:
            path = following
            continue
        raise RuleFileError(problems)


def _bottom_keys(tree: Mapping) -> list[Diagnostic]:
    fix = "name the other file, such as `extends: base.yaml`, or write the keys themselves"
    return [
        Diagnostic(key.span, "overlay-shape", f"`{key.text}` stands in a file that does not extend another", fix=fix)
        for key, _ in tree
        if key.text in ("with", "change")
    ]


def _extra_keys(tree: Mapping) -> list[Diagnostic]:
    why = "a file that extends another says under `change:` what is different"
    found = []
    for key, _ in tree:
        if key.text not in _EXTENDING_KEYS:
            fix = did_you_mean(key.text, _EXTENDING_KEYS) or "put it under `change:`"
            message = f"`{key.text}` cannot stand beside `extends`"
            found.append(Diagnostic(key.span, "extends-extra-key", message, why, fix))
    return found


def _extended(node: Node, path: Path, find_game: FindGame, problems: list[Diagnostic]) -> Path | None:
    """The file that `extends` names, or none with a complaint."""
    if not isinstance(node, Scalar) or not node.text:
        problems.append(shape_problem("the name of a rule file after `extends:`", node))
        return None
    name = node.text
    is_file_name = name.endswith((".yaml", ".yml"))
    if not is_file_name and "/" not in name and "\\" not in name and (found := find_game(name)):
        return found
    fix = ""
    if not is_file_name:
        message = f"no game called `{name}`"
        fix = f"to name a file write its ending too: `{name}.yaml`"
    elif not os.path.isfile(beside := path.parent / name):
        message = f"there is no file `{_tidy(beside)}`"
    else:
        return _tidy(beside)
    why = "`extends` names a rule file as seen from this one's folder, or a game that comes with the program"
    problems.append(Diagnostic(node.span, "extends-missing", message, why, fix))
    return None


def _tidy(path: Path) -> Path:
    """The path without `..` where that is the same file: messages are shorter."""
    tidy = Path(os.path.normpath(path))
    return tidy if os.path.realpath(tidy) == os.path.realpath(path) else path
