"""The whole line of `rulespec`: a file or shipped name → rules that can be checked for any players and options."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Dict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rulespec import cache
from rulespec.checks.sense import IN_EVERY_COMBINATION, check_sense
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError
from rulespec.english import closest, did_you_mean, listed, number_range
from rulespec.expr.names import Names
from rulespec.expr.parse import MOST_TREES, Parses, decode, encode, grammar_text
from rulespec.files.addresses import StepIndex, step_lists
from rulespec.files.bundle import bundle_files, read_bundle
from rulespec.files.changes import in_another_section, new_unused, with_what_they_change
from rulespec.files.extends import Layer
from rulespec.files.sources import DISK, NO_DISK, Files, NoDisk, shipped_games
from rulespec.model.builder import build_model
from rulespec.model.declare import Worked
from rulespec.model.declared_names import DeclaredName, names_of, typed_names, written_names
from rulespec.options.combinations import (
    changed_in_vain,
    combinations_to_check,
    groups_of_options,
    never_chosen,
    one_by_one,
    unchecked,
)
from rulespec.options.layers import Layers, Option, open_stack
from rulespec.schema.shape import check_shape, player_counts, schema_text
from rulespec.syntax import Model
from rulespec.yaml.dump import mapping_text
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, count_characters, whole_text
from rulespec.yaml.source import MOST_PROBLEMS

Source = str | Path | dict[str, Any]  # a shipped name, a path, a YAML text of several lines, or what such a text says

Choices = tuple[tuple[str, str], ...]  # option → choice, sorted

REQUIRED = frozenset(("rulespec", "game", "players", "play", "winner"))
MOST_MARKS = 1000  # of sections of the right shape, the latest ones
MOST_DECLARED = 300_000  # members, places and entries of tables, again for every number of players and combination
MOST_WORKED = 2_000_000  # steps to work out what must be known before the game, counted again in the same way
STEP = 10  # members whose making takes as long as a step from place to place
MOST_CHECKED = 500_000  # characters of rules, counted again for every number of players and combination of options


class GameNotFound(ValueError):
    """There is no file or shipped game of that name; the message lists the games."""


class PlayersError(ValueError):
    """The game is not for that number of players."""


_SECTIONS = {  # what an entry is called → the section it is in
    "function": "define",
    "table": "tables",
    "place": "places",
    "variable": "variables",
    "move": "moves",
    "scoring rule": "scoring",
    "named step": "steps",
}


@dataclass
class Rules:
    """A rule file with all it extends, its options still open."""

    layers: Layers
    path: Path
    opened: tuple[str, ...] = ()  # the identities of the files that were asked for: the game, then house rules
    kept: bool = True  # what is found is written down for the next run: not for every keystroke of somebody who types
    _good: dict[int, Node] = field(default_factory=dict)  # sections whose shape is right, by identity
    _wrong: dict[tuple[int, ...], tuple[Mapping, list[Diagnostic]]] = field(
        default_factory=dict
    )  # and those that are not
    _trees: dict[Choices, Mapping] = field(default_factory=dict)  # the one tree of all files, by what was chosen
    _merged: dict[Choices, Mapping | RuleFileError] = field(default_factory=dict)  # the same, of whatever shape
    _default_names: Names | None = None  # of the first setting, as soon as it was checked
    _models: dict[tuple[int, Choices], tuple[Model, list[Diagnostic]]] = field(default_factory=dict)
    _worked: Worked = field(default_factory=Worked)

    @property
    def files(self) -> tuple[Layer, ...]:
        """The files that make these rules: the bottom one first, the one that was opened last."""
        return self.layers.files

    @property
    def options(self) -> tuple[Option, ...]:
        return self.layers.options()

    @property
    def own_file(self) -> str | None:
        """The file whose examples must come out right: the one on top; none where it is only one of several."""
        top = self.files[-1]
        return None if top.beside else top.tree.span.file

    def settle(self, choices: Dict[str, str]) -> dict[str, str]:
        """Return a choice for every option: the given one, else the fixed one or the default. Raises OptionError."""
        return self.layers.settle(choices)

    def resolve(self, choices: Dict[str, str]) -> Mapping:
        """Return the one tree of all files with these choices. Raises OptionError or RuleFileError."""
        settled = self.layers.settle(choices)
        key = tuple(sorted(settled.items()))
        if key not in self._merged:
            try:
                self._merged[key] = self.layers.resolve(settled)
            except RuleFileError as error:
                self._merged[key] = error
        found = self._merged[key]
        if isinstance(found, RuleFileError):
            raise RuleFileError(found.diagnostics)
        return found

    def names(self) -> tuple[list[DeclaredName], bool]:
        """Return the names these rules declare, and whether their types are known: they are if the shape is right."""
        try:
            tree = self.default_tree
        except RuleFileError:
            return written_names(self.files[-1].tree), False
        if self._has_wrong_shape({}):
            return written_names(tree), False
        names = self._default_names or names_of(tree, players_of(tree)[0])
        return typed_names(tree, names), True

    def lines_below(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Return the lines of the steps that the file on top may name, by the names on the way to their list."""
        found: dict[tuple[str, ...], tuple[str, ...]] = {}
        for layer in self.files[:-1]:
            for tree in (layer.tree, *([layer.change] if layer.change else [])):
                for path, steps in step_lists(tree):
                    found[path] = tuple(StepIndex(steps).lines())
        return found

    @property
    def default_tree(self) -> Mapping:
        return self.resolve({})

    @property
    def title(self) -> str:
        node = self.default_tree.get("game")
        return node.text if isinstance(node, Scalar) else self.path.stem

    @property
    def text(self) -> str:
        node = self.default_tree.get("text")
        return node.text if isinstance(node, Scalar) else ""

    @property
    def players(self) -> range:
        return players_of(self.default_tree)

    @property
    def is_open(self) -> bool:
        """Return whether there is more than one number of players or combination of options."""
        return len(self.players) > 1 or any(len(option.open_choices) > 1 for option in self.options)

    @cached_property
    def length(self) -> int:
        """Return how many characters the rules have, in all files."""
        return max(1, sum(count_characters(layer.tree) for layer in self.layers.files))

    def combinations(self) -> list[dict[str, str]]:
        return self.layers.combinations()

    def check(
        self, players: int | None = None, choices: dict[str, str] | None = None
    ) -> tuple[Model, list[Diagnostic]]:
        """Return the checked model and its warnings; RuleFileError with all that is wrong."""
        try:
            model, warnings = self._check(players, choices)
        except RuleFileError as error:
            raise RuleFileError(self._pointed(error.diagnostics)) from None
        return model, self._pointed(warnings)

    def _pointed(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return the same; of a house rule, with what it changes where."""
        all_found = [*found]
        return (
            with_what_they_change(self.layers.files, all_found)
            if all_found and len(self.layers.files) > 1
            else all_found
        )

    def _check(self, players: int | None, choices: dict[str, str] | None) -> tuple[Model, list[Diagnostic]]:
        settled = self.layers.settle(choices or {})
        tree = self._resolved(settled)
        allowed = players_of(tree)
        number = allowed[0] if players is None else players
        if number not in allowed:
            raise PlayersError(f"this game is for {number_range(allowed, 'player')}, not {number}")
        key = (number, tuple(sorted(settled.items())))
        if key not in self._models:
            is_first = number == allowed[0] and settled == self.layers.settle({})
            note = self._note_names if is_first else None
            try:
                model, warnings = build_model(
                    tree, number, settled, str(self.path), self._known.parses, self._worked, note
                )
            except RuleFileError as error:
                # a change that did not find its entry leaves the old one, which may not fit the other changes
                if misspelt := self.layers.misspelt(tree):
                    raise RuleFileError(misspelt) from None
                raise RuleFileError(self.layers.explained(error.diagnostics)) from None
            if self.kept:
                self._known.keep_parses()
            if len(self.layers.files) > 1:
                if misspelt := self.layers.misspelt(tree, ("sets",)):
                    raise RuleFileError(misspelt)
            warnings = self._sharpened((*warnings, *check_sense(model)), model)
            if errors := [d for d in warnings if d.level == "error"]:  # report warnings only when there are none
                raise RuleFileError(errors)
            self._models[key] = model, warnings
        return self._models[key]

    def _note_names(self, names: Names) -> None:
        self._default_names = names

    def _resolved(self, settled: dict[str, str]) -> Mapping:
        """Return the tree with these choices, its shape checked. Raises RuleFileError."""
        key = tuple(sorted(settled.items()))
        if key not in self._trees:
            tree = self.resolve(settled)
            self._check_shape(tree)
            self._trees[key] = tree
        return self._trees[key]

    def _check_shape(self, tree: Mapping) -> None:
        """Check the sections not known to be right: options and players leave most of them as they are.

        Those that every game must have are looked at together, so that it is seen when one is missing.
        """
        marks = {
            id(e.value): cache.mark_of(e.key.text, whole_text(e.value))
            for e in tree.entries
            if id(e.value) not in self._good
        }
        known = self._known.shapes
        required = [e for e in tree.entries if e.key.text in REQUIRED]
        new = [e for e in tree.entries if e not in required and marks.get(id(e.value), "") not in known]
        own = [str(f.tree.get("rulespec") is not None) for f in self.files]  # every file must say its version
        together = cache.mark_of(*own, *(f"{e.key.text}: {whole_text(e.value)}" for e in required))
        if new or together not in known:
            part = Mapping(tree.span, tuple(e for e in tree.entries if e in required or e in new), tree.changed)
            same = tuple(id(e.value) for e in part.entries)
            if same in self._wrong:
                raise RuleFileError(self._wrong[same][1])
            problems = self.layers.explained(check_shape(part, self.layers))
            if problems:
                self._wrong[same] = part, problems  # the part keeps its nodes, and so their identities
                raise RuleFileError(problems)
            if self.kept:
                self._known.keep_shapes(*marks.values(), together)
        self._good |= {id(e.value): e.value for e in tree.entries}

    def _sharpened(self, found: Iterable[Diagnostic], model: Model) -> list[Diagnostic]:
        """Return the complaints without those about entries that a house rule leaves unused in the file it extends.

        Those are no mistakes, unless steps were written over that used them. An unused entry of an overlay with almost the name of another was probably meant to
        change that one; only the first few are looked at.
        """
        kept, below, unused = list[Diagnostic](), list[Diagnostic](), 0
        for d in found:
            is_unused = d.code == "name-unused"
            if not is_unused and d.code not in IN_EVERY_COMBINATION:
                kept.append(d)
            elif len(self.layers.files) == 1 or d.span.file == self.layers.files[-1].tree.span.file:
                unused += is_unused
                kept.append(self._sharper(d, model) if is_unused and unused <= MOST_PROBLEMS else d)
            elif is_unused:
                below.append(d)
        return [*kept, *self.layers.written_over(below)]

    def _sharper(self, d: Diagnostic, model: Model) -> Diagnostic:
        if not self.layers.introduced(d.span):
            return d
        what, name = d.about
        sections: dict[str, Dict[str, Any]] = {
            "function": model.functions,
            "table": model.tables,
            "place": model.places,
            "variable": model.variables,
            "move": model.moves,
            "scoring rule": model.rules,
            "named step": model.procedures,
        }
        others = set(sections[what]) - {name}
        parts = [other for other in others if other in name.split("_")] if what == "table" else []
        near = closest(name, others) or (parts[0] if len(parts) == 1 else None)
        if (other := in_another_section(self.default_tree, name, _SECTIONS[what], lambda _: False)) is not None:
            return new_unused(d.span, name, *other)
        if near is None:
            return d
        return new_unused(d.span, name, near, sections[what][near].span)

    @cached_property
    def _known(self) -> _Known:
        return _Known(tuple(str(f.tree.span.file) for f in self.files))

    def check_all(self) -> Iterator[Diagnostic]:
        """Yield everything wrong with the file, over all numbers of players and combinations of options, each once."""
        *_, found = self.check_by_setting()
        yield from found

    def check_by_setting(self) -> Iterator[tuple[Diagnostic, ...]]:
        """Yield all that is found so far after each number of players and combination of options, the default ones first.

        What was found stays found. The last result is what `check_all` finds.
        """
        seen: dict[tuple[str, object], int] = {}  # in how many settings
        settings: set[tuple[int, tuple[tuple[str, str], ...]]] = set()
        sometimes: list[Diagnostic] = []
        found: list[Diagnostic] = []
        default = self.layers.settle({})
        most = max(1, MOST_CHECKED // self.length)
        is_complete = True
        declared = 0
        before = self._worked.steps

        def check(combinations: Iterable[dict[str, str]]) -> Iterator[tuple[Diagnostic, ...]]:
            nonlocal is_complete, declared
            for choices in combinations:
                for number in self.players_for(choices):
                    if (setting := (number, tuple(choices.items()))) in settings:
                        continue
                    worked = self._worked.steps - before
                    if len(settings) == most or declared > MOST_DECLARED or worked > MOST_WORKED:
                        is_complete = False
                        return
                    settings.add(setting)
                    diagnostics = self._diagnostics(number, choices)
                    declared += self._declared(number, choices)
                    for d in diagnostics:
                        mark = _mark(d)
                        seen[mark] = seen.get(mark, 0) + 1
                        if seen[mark] == 1:
                            (sometimes if d.code in IN_EVERY_COMBINATION else found).append(d)
                    yield tuple(found)
                if choices == default and self._has_wrong_shape(choices):
                    return  # a change of what has the wrong shape would seem wrong too

        yield from check([default])
        if self.options:
            groups = groups_of_options(self.layers)
            found[:0] = [*unchecked(self.layers, groups), *never_chosen(self.layers), *changed_in_vain(self.layers)]
            yield from check(combinations_to_check(self.layers, groups))
        is_wrong = any(d.level == "error" for d in found)
        if self.options and is_wrong and not self._has_wrong_shape(default):
            # which may have kept others in the same combination from being seen
            yield from check(one_by_one(self.layers))
        found += [d for d in sometimes if seen[_mark(d)] == len(settings)]
        if not is_complete and not is_wrong and not any(d.code == "option-unchecked" for d in found):
            span = self.options[0].span if self.options else self.default_tree.span
            message = f"only the first {len(settings):,} combinations of players and options are checked"
            if declared > MOST_DECLARED:
                much = f"declare {MOST_DECLARED:,} members and places"
            elif self._worked.steps - before > MOST_WORKED:
                much = f"take {MOST_WORKED:,} steps to be known before the game"
            else:
                much = f"have {MOST_CHECKED:,} characters"
            why = f"together they {much}; others are checked when they are played"
            found.append(Diagnostic(span, "option-unchecked", message, why, level="warning"))
        yield tuple(found)

    def _has_wrong_shape(self, choices: dict[str, str]) -> bool:
        try:
            self._check_shape(self.resolve(choices))
        except RuleFileError:
            return True
        return False

    def players_for(self, choices: dict[str, str]) -> range:
        """Return how many can play with these choices."""
        try:
            return players_of(self.resolve(choices))
        except RuleFileError:
            return range(2, 3)

    def _diagnostics(self, players: int, choices: dict[str, str]) -> tuple[Diagnostic, ...]:
        try:
            return tuple(self.check(players, choices)[1])
        except RuleFileError as error:
            return error.diagnostics

    def _declared(self, players: int, choices: dict[str, str]) -> int:
        """Return how many members, places and entries of tables a checked setting has; 0 if it is wrong."""
        found = self._models.get((players, tuple(sorted(self.layers.settle(choices).items()))))
        if found is None:
            return 0
        model = found[0]
        members = sum(len(s.values) for s in model.sets.values()) + sum(len(t.entries) for t in model.tables.values())
        return members + sum(place.size * (1 + STEP * len(place.ways)) for place in model.places.values())

    def fingerprint(self, choices: dict[str, str]) -> str:
        """Return a mark of the rules as they are after all overlays; positions, comments and layout do not count."""
        tree = self.resolve(choices)
        return hashlib.sha256(canonical(tree).encode()).hexdigest()[:16]

    def written(self, choices: dict[str, str]) -> str:
        """Return all that is written in the rules as they are after all overlays: equal texts make equal programs."""
        return _every_word(self.resolve(choices))


class _Known:
    """Results of earlier runs for some files, as they were then: parses, and marks of sections of the right shape."""

    def __init__(self, files: tuple[str, ...]) -> None:
        self._files = files

    @cached_property
    def parses(self) -> Parses:
        kept = cache.recall("trees", grammar_text(), *self._files)
        return Parses(decode(kept) if kept is not None else None)

    @cached_property
    def shapes(self) -> dict[str, None]:
        """The marks, the latest ones last."""
        kept = cache.recall("shape", schema_text(), *self._files) or b""
        return dict.fromkeys(["", *kept.decode("ascii", "replace").split()])

    def keep_parses(self) -> None:
        if self.parses.grown:
            trees = list(self.parses.trees().items())
            cache.keep("trees", encode(trees[-MOST_TREES:]), grammar_text(), *self._files)
            self.parses.grown = False

    def keep_shapes(self, *marks: str) -> None:
        self.shapes.update(dict.fromkeys(marks))
        cache.keep("shape", "\n".join([*self.shapes][-MOST_MARKS:]).encode(), schema_text(), *self._files)


def _mark(d: Diagnostic) -> tuple[str, object]:
    """Return what identifies a mistake: numbers in its message may differ with the number of players."""
    return (d.code, (d.span, d.message) if d.code in IN_EVERY_COMBINATION else d.about if d.about[1] else d.span)


def canonical(node: Node) -> str:
    """Return a text that is equal for equal rules; examples, texts for people and the view do not count as rules."""
    match node:
        case Scalar():
            return repr(" ".join(node.text.split()))
        case Sequence():
            return "[" + ",".join(canonical(i) for i in node.items) + "]"
        case Mapping():
            skip = {"examples", "view", "text", "game", "see"}
            return "{" + ",".join(f"{k.text}:{canonical(v)}" for k, v in node if k.text not in skip) + "}"


def _every_word(node: Node) -> str:
    match node:
        case Scalar():
            return repr((node.text, node.value))
        case Sequence():
            return "[" + ",".join(_every_word(i) for i in node.items) + "]"
        case Mapping():
            return "{" + ",".join(f"{k.text!r}:{_every_word(v)}" for k, v in node) + "}"


def open_rules(
    game: Source, text: str | None = None, house: Iterable[Source] = (), files: Files = DISK, kept: bool = True
) -> Rules:
    """Return the rules of a shipped game, a file, a YAML text or a mapping, with house rules on top.

    `text` is the content of the file `game` where that is not (yet) on disk. `files` is where files come from: with
    `NoDisk()` no path is followed. Two house rules may not change the same thing. Without `kept` nothing of what is found is
    written down for the next run, which is not worth it for a text that is being typed. Raises GameNotFound, or
    RuleFileError with everything that is wrong.
    """
    texts: dict[Path, str] = {}
    paths = [Path(str(game)) if text is not None else _path_of(game, "<game>", texts, files)]
    if text is not None:
        texts[paths[0]] = text
    paths += [_path_of(source, f"<house {n}>", texts, files) for n, source in enumerate(house, 1)]
    files = files.having(texts)
    return Rules(open_stack(paths, files), paths[-1], tuple(files.identity(path) for path in paths), kept)


def bundle_rules(rules: Rules) -> dict[str, object]:
    """Return all the files of some rules as plain data, which `open_bundle` reads."""
    return bundle_files(rules.files, rules.opened)


def open_bundle(data: object) -> Rules:
    """Return the rules of a bundle. Raises BundleError for what is none, RuleFileError for rules that are not good."""
    paths, bundle = read_bundle(data)
    return Rules(open_stack(paths, bundle), paths[-1], tuple(str(path) for path in paths))


def _path_of(source: Source, name: str, texts: dict[Path, str], files: Files) -> Path:
    """Return the file of a source; what is not on disk is added to `texts` under a name for messages."""
    if isinstance(source, dict) or (isinstance(source, str) and "\n" in source):
        texts[Path(name)] = mapping_text(source, name) if isinstance(source, dict) else str(source)
        return Path(name)
    if path := files.find(str(source)):
        return path
    if Path(str(source)).suffix in (".yaml", ".yml"):
        reason = f": {NO_DISK}" if isinstance(files, NoDisk) else ""
        raise GameNotFound(f"there is no file `{source}`{reason}")
    raise GameNotFound(f"no game called `{source}`; {_games_meant(str(source), isinstance(files, NoDisk))}")


def _games_meant(name: str, no_disk: bool) -> str:
    """Return the shipped game that a name probably meant, or what could be named."""
    shipped = shipped_games()
    if near := did_you_mean(name, {part for game in shipped for part in (game, game.rpartition("/")[2])}):
        return near
    whole = [game for game in shipped if not game.startswith("house/")]
    other = "" if no_disk else ", or give the path of a .yaml file"
    return f"shipped games: {listed(whole)}; `rulespec games` lists the house rules too{other}"


def players_of(tree: Mapping) -> range:
    """Return `2` or `2..4` as a range; the shape check has refused anything else."""
    return player_counts(tree.get("players")) or range(2, 3)
