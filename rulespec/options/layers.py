"""Rule files in layers: a file with those it extends, the options they declare, and the one tree they make together."""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Dict
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from pathlib import Path

from rulespec.diagnostics.diagnostic import Diagnostic, Edit, RuleFileError, Span, edit, shown_file
from rulespec.english import closest, listed_names, listed_some, quoted, suggestion
from rulespec.files.changes import (
    NAMED,
    follow,
    in_another_section,
    new_unused,
    path_to,
    removals,
    with_what_they_change,
)
from rulespec.files.conflicts import check_stack
from rulespec.files.extends import LAYER_KEYS, REPLACED, Layer, open_chains, read_change
from rulespec.files.merge import REMOVE, expand_like, merge, shape_problem
from rulespec.files.sources import Files
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, bare_name, scalars, whole_text
from rulespec.yaml.source import MOST_PROBLEMS

_NOT_THERE = frozenset(  # codes of complaints about changes to what is not there
    ("overlay-change-nothing", "overlay-remove-nothing", "overlay-new-incomplete", "shape-missing-key", "place-shape")
)
_CHOICE_KEYS = ("text", "see", "change", "not with")
_CHOICE_HABITS = {"yes": "with", "no": "without", "true": "with", "false": "without", "on": "with", "off": "without"}
_CHOICE_HABITS |= {n: unicodedata.name(n).removeprefix("DIGIT ").lower() for n in string.digits}
MOST_COMBINATIONS = 65_536  # of options
TOLD_TOGETHER = {"game": " + ", "text": " "}


class OptionError(ValueError):
    """A caller's choice that does not exist or cannot be made; the message lists what there is."""


@dataclass(frozen=True, slots=True, eq=False)
class OptionChoice:
    name: str
    text: str
    span: Span
    changes: tuple[
        tuple[int, Mapping], ...
    ] = ()  # (layer of the file that says so, what is different), the lowest first
    not_with: tuple[tuple[str, str, Span, Span], ...] = ()  # (option, choice, where each is said)
    has_text: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    name: str
    span: Span
    choices: tuple[OptionChoice, ...]
    layer: int  # of the file that declares it; 0 is the bottom one
    fixed: str | None = None  # by the `with` of an extending file
    fixed_at: Span | None = None

    @property
    def default(self) -> str:
        return self.fixed if self.fixed is not None else self.choices[0].name

    @property
    def open_choices(self) -> tuple[str, ...]:
        """The choices a player still has."""
        return tuple(c.name for c in self.choices) if self.fixed is None else (self.fixed,)

    def choice(self, name: str) -> OptionChoice | None:
        return next((c for c in self.choices if c.name == name), None)


def read_options(node: Node | None, layer: int, problems: list[Diagnostic]) -> Iterator[Option]:
    """Yield the options that the file declares."""
    if node is None:
        return
    if not isinstance(node, Mapping):
        problems.append(shape_problem("a map of options after `options:`", node))
        return
    for key, value in node:
        if not isinstance(value, Mapping):
            fix, listed_choices = "", value.items if isinstance(value, Sequence) else ()
            if listed_choices and isinstance(first := listed_choices[0], Scalar):
                fix = f"write each choice as a key with its text below it: `{first.text}:`, and `text: …`"
            problems.append(shape_problem(f"a map of the choices of `{key.text}`", value, fix))
            continue
        if (deep := _too_deep(key, value)) is not None:
            problems.append(deep)
            continue
        if (misplaced := next((k for k, v in value if _is_of_choice(k, v)), None)) is not None:
            message = f"an option has choices, and `{misplaced.text}` is a key of a choice"
            fix = f"name the choice above `{misplaced.text}`, and indent what belongs to it"
            problems.append(Diagnostic(misplaced.span, "overlay-shape", message, fix=fix))
            continue
        choices = tuple(_read_choices(value, node, layer, problems))
        if choices:
            yield Option(key.text, key.span, choices, layer)
        else:
            problems.append(Diagnostic(key.span, "overlay-shape", f"the option `{key.text}` has no choices"))


def _is_of_choice(key: Scalar, value: Node) -> bool:
    """Return whether an entry of an option belongs to one of its choices: it is none itself."""
    is_choice = isinstance(value, Mapping) and (key.text == "text" or value.entry("text") is not None)
    return key.text in _CHOICE_KEYS and key.text != "see" and not is_choice


def _too_deep(key: Scalar, value: Mapping) -> Diagnostic | None:
    """Return the complaint about choices below a key of their own, such as `choices:`; None if they are not."""
    entries = [entry for entry in value.entries if entry.key.text != "see"]
    inner = entries[0].value if len(entries) == 1 else None
    if not isinstance(inner, Mapping) or any(k.text in _CHOICE_KEYS for k, _ in inner):
        return None
    if not inner.entries or not all(isinstance(v, Mapping) and v.entry("text") for _, v in inner):
        return None
    extra, first, last = entries[0].key, inner.entries[0].key.span, inner.entries[-1].value.span
    deeper = first.col - extra.span.col
    edits: tuple[Edit, ...] = ()
    if not inner.flow and deeper > 0:
        end = last.end_line - (last.end_col == 1)
        starts = (Span(first.file, line, 1, line, 1 + deeper) for line in range(first.line, end + 1))
        at = replace(extra.span, end_col=extra.span.end_col + 1)
        edits = (*edit(at, f"{extra.text}:", ""), *(e for s in starts for e in edit(s, " " * deeper, "")))
    message = f"the choices of `{key.text}` stand directly below it, found `{extra.text}` between them"
    fix = f"leave `{extra.text}:` out, and start its choices in column {extra.span.col}"
    return Diagnostic(extra.span, "overlay-shape", message, fix=fix, edits=edits)


def _read_choices(node: Mapping, options: Mapping, layer: int, problems: list[Diagnostic]) -> Iterator[OptionChoice]:
    for key, value in node:
        if key.text == "see" and isinstance(value, Scalar):
            continue  # any named entry may cite its page
        if not isinstance(value, Mapping):
            fix = f"write `{key.text}: {{text: …}}`"
            if isinstance(value, Scalar) and value.text in [k.text for k, _ in node]:
                message, why = (
                    f"`{key.text}` is no choice of its own",
                    "the first choice is played unless somebody chooses",
                )
                fix, edits = f"leave it out, and let `{value.text}` be the first choice", _line_of(key, value)
                problems.append(Diagnostic(key.span, "overlay-shape", message, why, fix, edits=edits))
                continue
            problems.append(shape_problem(f"a map with the `text` of the choice `{key.text}`", value, fix))
            continue
        problems.extend(_unknown_keys(value))
        text = value.get("text")
        if text is not None and not isinstance(text, Scalar):
            problems.append(shape_problem("a text", text))
        words = text.text if isinstance(text, Scalar) else ""
        conflicts = tuple(_read_not_with(value.get("not with"), options, problems))
        change = read_change(value.get("change"), problems)
        changes = ((layer, change),) if change else ()
        yield OptionChoice(key.text, words, key.span, changes, conflicts, text is not None)


def _line_of(key: Scalar, value: Scalar) -> tuple[Edit, ...]:
    """Return the change that leaves out an entry on a line of its own, alone."""
    span = replace(key.span, end_line=value.span.end_line, end_col=value.span.end_col)
    return edit(span, f"{key.text}: {value.text}", "")


def _unknown_keys(choice: Mapping) -> Iterator[Diagnostic]:
    for key, _ in choice:
        if key.text not in _CHOICE_KEYS:
            near = closest(key.text, _CHOICE_KEYS)
            why = "what a choice changes in the game goes under its `change:`"
            message = f"expected {listed_names(_CHOICE_KEYS, 'or')}, found `{key.text}`"
            fix = suggestion(near) or f"write `change:` above it, and indent `{key.text}` below that"
            yield Diagnostic(key.span, "overlay-shape", message, why, fix, edits=key.respelled(near))


def _read_not_with(
    node: Node | None, options: Mapping, problems: list[Diagnostic]
) -> Iterator[tuple[str, str, Span, Span]]:
    if node is None:
        return
    if not isinstance(node, Mapping):
        known = [(o.text, [c.text for c, _ in v]) for o, v in options if isinstance(v, Mapping)]
        problems.append(_as_choices("a map from an option to one of its choices after `not with:`", node, known))
        return
    for key, value in node:
        for item in value.items if isinstance(value, Sequence) else (value,):
            if isinstance(item, Scalar):
                yield key.text, item.text, key.span, item.span
            else:
                problems.append(shape_problem(f"a choice of `{key.text}`", item))


def _as_choices(expected: str, node: Node, known: Iterable[tuple[str, list[str]]]) -> Diagnostic:
    """Return the complaint about choices that are named without their options, which are `known` with theirs."""
    items = node.items if isinstance(node, Sequence) else (node,)
    names = [item.text for item in items if isinstance(item, Scalar)]
    options = {choice: [name for name, choices in known if choice in choices] for choice in names}
    problem = shape_problem(expected, node)
    found = {one[0]: choice for choice, one in options.items() if len(one) == 1}
    if not found or len(names) != len(items):
        return problem
    meant = f"{{{', '.join(f'{name}: {choice}' for name, choice in found.items())}}}"
    old = f"[{', '.join(names)}]" if isinstance(node, Sequence) else names[0]
    return replace(problem, fix=f"write `{meant}`", edits=edit(node.span, old, meant, sure=False))


def changed_option(old: Option, new: Option, problems: list[Diagnostic]) -> Option:
    """Return the option of a file below with what a file that extends it says of its choices, and with new choices."""
    choices = {choice.name: choice for choice in old.choices}
    for choice in new.choices:
        there = choices.get(choice.name)
        if there is not None:
            text = choice.text if choice.has_text else there.text
            changes, conflicts = (*there.changes, *choice.changes), (*there.not_with, *choice.not_with)
            choices[choice.name] = replace(there, text=text, changes=changes, not_with=conflicts)
            continue
        if not choice.has_text:
            near = closest(choice.name, choices)
            why = "a new choice of an option needs a `text`"
            fix = suggestion(near) or f"it has {listed_names(choices)}; add `text:` for a new one"
            message = f"the option `{old.name}` has no choice `{choice.name}`"
            also = (("the option", old.span),)
            edits = edit(choice.span, choice.name, near, sure=False)
            problems.append(Diagnostic(choice.span, "option-unknown-choice", message, why, fix, also, edits=edits))
        choices[choice.name] = choice
    return replace(old, choices=tuple(choices.values()))


def fix_choices(options: dict[str, Option], node: Node | None, problems: list[Diagnostic]) -> None:
    """Fix in `options` what the `with` node of an extending file says."""
    if node is None:
        return
    if not isinstance(node, Mapping):
        known = [(o.name, [c.name for c in o.choices]) for o in options.values()]
        problem = _as_choices("a map from options to choices after `with:`", node, known)
        m = re.fullmatch(r"([a-z]\w*)\s*[=:]\s*(\w+)", node.text) if isinstance(node, Scalar) else None
        if m and isinstance(node, Scalar):
            meant = f"{{{m[1]}: {m[2]}}}"
            problem = replace(problem, fix=f"write `{meant}`", edits=node.respelled(meant))
        problems.append(problem)
        return
    for entry in node.entries:
        _fix_choice(options, entry, problems)


def _fix_choice(options: dict[str, Option], entry: Entry, problems: list[Diagnostic]) -> None:
    name, wanted = entry.key.text, entry.value
    if not isinstance(wanted, Scalar):
        problems.append(shape_problem(f"a choice of `{name}`", wanted))
        return
    problem = unknown(options, name, wanted.text, entry.key.span, wanted.span)
    if problem:
        problems.append(problem)
        return
    option = options[name]
    if option.fixed_at and option.fixed != wanted.text:
        message = f"`{name}` is already fixed to `{option.fixed}`"
        also = (("fixed", option.fixed_at),)
        why, fix = "a file cannot undo what the one below it says", "leave it out, or extend a file further below"
        problems.append(Diagnostic(wanted.span, "option-fixed", message, why, fix, also))
        return
    options[name] = replace(option, fixed=wanted.text, fixed_at=wanted.span)


def unknown(options: dict[str, Option], name: str, choice: str, name_at: Span, choice_at: Span) -> Diagnostic | None:
    """Return the complaint that there is no such option, or that it has no such choice."""
    option = options.get(name)
    if option is None:
        near = closest(name, options, 0.75)
        fix = (
            suggestion(near, f"it is declared at {options[near].span}")
            if near
            else f"there {'is' if len(options) == 1 else 'are'} {listed_names(options)}"
        )
        fix = fix if options else ""
        message, why = f"no option called `{name}`", f"known options: {listed_names(options)}"
        return Diagnostic(name_at, "option-unknown", message, why, fix, edits=edit(name_at, name, near, sure=False))
    if option.choice(choice) is None:
        names = [c.name for c in option.choices]
        near = closest(choice.lower(), names) or _CHOICE_HABITS.get(choice, "")
        near = near if near in names else None
        message, why = f"the option `{name}` has no choice `{choice}`", f"it has {listed_names(names)}"
        also, edits = (("the option", option.span),), edit(choice_at, choice, near, sure=False)
        fix = suggestion(near) or f"choose {listed_names(names, 'or')}"
        return Diagnostic(choice_at, "option-unknown-choice", message, why, fix, also, edits=edits)
    return None


def check_conflicts(options: dict[str, Option]) -> Iterator[Diagnostic]:
    """Yield complaints about what the `not with` of the choices name, and about defaults that exclude each other."""
    known = True
    for option in options.values():
        for choice in option.choices:
            for other, other_choice, *where in choice.not_with:
                if problem := unknown(options, other, other_choice, *where):
                    known = False
                    yield problem
    if known and (found := conflict(options, {o.name: o.default for o in options.values()})):
        message, span = found
        why = "the first choice of each option, or the one fixed by `with`, is played unless a player chooses"
        yield Diagnostic(span, "option-conflict", message, why, "put another choice first, or fix one by `with:`")


def conflict(options: dict[str, Option], chosen: dict[str, str]) -> tuple[str, Span] | None:
    """Return which two choices exclude each other, in words, and where the rules say so."""
    for name, option in options.items():
        choice = option.choice(chosen[name])
        for other, other_choice, _, span in choice.not_with if choice else ():
            if chosen[other] == other_choice:
                both = f"`{name}: {chosen[name]}` cannot be played with `{other}: {other_choice}`"
                return both, span
    return None


# All files together ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """The files of a game, the bottom one first, and all their options in order of declaration."""

    files: tuple[Layer, ...]
    by_name: dict[str, Option]

    def options(self) -> tuple[Option, ...]:
        return tuple(self.by_name.values())

    def combinations(self) -> list[dict[str, str]]:
        """Return all choices that can be made together, the default ones first."""
        every = product(*(option.open_choices for option in self.options()))
        chosen = (dict(zip(self.by_name, choices, strict=True)) for choices in every)
        return [choices for choices in chosen if conflict(self.by_name, choices) is None]

    def settle(self, choices: Dict[str, str]) -> dict[str, str]:
        """Return a choice for every option: the caller's, else the fixed one or the default. Raises OptionError."""
        settled = {option.name: option.default for option in self.options()}
        for name, wanted in choices.items():
            option = self.by_name.get(name)
            if option is None:
                raise OptionError(f"no option called `{name}`; known options: {listed_names(self.by_name)}")
            if option.choice(wanted) is None:
                names = listed_names(c.name for c in option.choices)
                raise OptionError(f"the option `{name}` has no choice `{wanted}`; it has {names}")
            if wanted not in option.open_choices:
                raise OptionError(f"the option `{name}` is fixed to `{option.fixed}` at {option.fixed_at}")
            settled[name] = wanted
        if found := conflict(self.by_name, settled):
            raise OptionError(f"{found[0]} ({found[1]})")
        return settled

    def resolve(self, choices: Dict[str, str] | None = None) -> Mapping:
        """Return the one tree of all files with these choices. Raises OptionError, or RuleFileError with all complaints."""
        settled = self.settle(choices or {})
        problems: list[Diagnostic] = []
        bottom = self.files[0].tree
        tree = replace(bottom, entries=tuple(e for e in bottom.entries if e.key.text not in LAYER_KEYS), _index={})
        for number, layer in enumerate(self.files):
            if number > 0:
                tree = _with_own_keys(tree, layer, problems)
            beside = files_beside(self.files, number)
            for change in (layer.change, *self._chosen_changes(number, settled)):
                tree = _merged(tree, change, problems, beside) if change else tree
        tree = expand_like(tree, problems)
        if problems:
            raise RuleFileError(self.explained(problems[:MOST_PROBLEMS]))
        return tree

    def explained(self, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return the complaints; those about what only a choice of an option brings, about an option, or removed, say so."""
        problems = [*problems]
        unknown = {(d.span.file, d.span.line, d.about[1]) for d in problems if d.code == "name-unknown"}
        own = [self._about_size(self._about_removal(self._about_option(d, unknown))) for d in problems]
        said = {(d.span.file, d.span.line) for d in own if d.level == "error"}
        both = [(d, self.blamed(d)) for d in own]
        # a change that is wrong by itself is the reason, and not that it does not fit
        return [new for d, new in both if new is d or (new.span.file, new.span.line) not in said]

    def _about_size(self, d: Diagnostic) -> Diagnostic:
        """Return the complaint about the size of a table, at what a file on top wrote over a list of a file below."""
        what, name = d.about
        if d.code != "table-size" or what not in ("index", "entries"):
            return d
        section = "sets" if what == "index" else "tables"
        for number, layer in enumerate(self.files):
            if number == 0 or layer.change is None:
                continue
            new = follow(layer.change, [section, name])
            old = next(
                (e for f in reversed(self.files[:number]) if (e := follow(f.tree, [section, name])) and e[0] == 2), None
            )
            if new is None or new[0] != 2 or old is None or not isinstance(old[1].value, Sequence):
                continue
            key, value, before = new[1].key, new[1].value, [i.text for i in old[1].value.items if isinstance(i, Scalar)]
            also = ((f"`{name}` before", old[1].key.span),)
            why = "a list that is written anew replaces the old one as a whole"
            if what == "entries" and isinstance(value, Mapping) and len(before) == len(old[1].value.items):
                added = [v.text for _, v in value if isinstance(v, Scalar)]
                fix = f"write all entries in their order, such as `[{', '.join([*before, *added])}]`"
                return replace(d, why=f"{d.why}; {why}", fix=fix, also=also)
            written = [i.text for i in value.items if isinstance(i, Scalar)] if isinstance(value, Sequence) else []
            if what == "index" and written and not set(written) <= set(before):
                more = ", ".join(text for text in written if text not in before)
                lost = listed_some(quoted(text for text in before if text not in written), 3, "and")
                message = f"`{name}` has lost {lost} here, and a table still has entries for all"
                fix = f"to add to what is there write `{name}: {{add: [{more}]}}`"
                return replace(d, span=key.span, message=message, why=why, fix=fix, also=(("the table", d.span), *also))
        return d

    def written_over(self, unused: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yield a complaint for each list of steps that was written over, with the only steps that used some of these names."""
        lost: dict[Span, list[Diagnostic]] = {}
        found: dict[Span, tuple[Scalar, Scalar]] = {}
        for d in unused:
            if (both := self._written_over(*d.about)) is not None:
                found[both[0].span] = both
                lost.setdefault(both[0].span, []).append(d)
        for span, (key, before) in found.items():
            names = listed_names(d.about[1] for d in lost[span])
            message = f"`{bare_name(key.text)}` is written anew here, and nothing uses {names} any more"
            why = "a list that is written anew replaces the old one as a whole"
            fix = f"to keep the old steps write `add:` or `add first:` before the new ones; else remove {names} too"
            also = (("the steps before", before.span), *((f"{d.about[0]} `{d.about[1]}`", d.span) for d in lost[span]))
            yield replace(lost[span][0], span=span, message=message, why=why, fix=fix, also=also, edits=())

    def _written_over(self, what: str, name: str) -> tuple[Scalar, Scalar] | None:
        """Return the key of a list of steps that a file writes over, and of the old one, which had the step that used a name."""
        begins = {"scoring rule": "score", "named step": "do"}.get(what)
        step = re.compile(rf"{begins}\b.*\b{re.escape(name)}\b")
        for number, layer in enumerate(self.files):
            written = layer.change.get("steps") if number and layer.change and begins else None
            for key, value in written if isinstance(written, Mapping) else ():
                path = ["steps", key.text]
                below = (e for f in reversed(self.files[:number]) if (e := follow(f.tree, path)) and e[0] == len(path))
                old = next(below, None)
                if old is None or not isinstance(value, Sequence) or not isinstance(old[1].value, Sequence):
                    continue
                before, after = ({s.text for s in scalars(steps)} for steps in (old[1].value, value))
                if not before & after and any(step.match(text) for text in before):
                    return key, old[1].key
        return None

    def blamed(self, d: Diagnostic) -> Diagnostic:
        """Return a complaint about a line of a file below at the line above it that causes it: what it names was changed there.

        A file that is extended is good by itself, so one of the changes on top is the reason: of what the complaint is about, of a
        name in the words it points at, or of what these words are declared by.
        """
        number = next((n for n, layer in enumerate(self.files) if layer.tree.span.file == d.span.file), len(self.files))
        if d.level != "error" or not any(layer.change for layer in self.files[number + 1 :]):
            return d
        words = [
            d.about[1],
            *re.findall(r"\w+", _pointed_at(self.files[number].tree, d.span)),
        ]
        if d.code == "play-fault":  # a number that is too large may come from anything that was worked out for it
            words += _declared_by(self.files[number].tree, words)
        for layer in reversed(self.files[number + 1 :]):
            changed = dict(_changed_names(layer.change)) if layer.change else {}
            lost = _lost_members(self.files[: number + 1], layer.change) if layer.change else {}
            for word in filter(None, dict.fromkeys(words)):
                key = changed.get(word) or lost.get(word)
                if key is not None:
                    name = bare_name(key.text)
                    message = f"`{name}` is changed here, and {shown_file(d.span.file)} does not fit it: {d.message}"
                    fix = d.fix if d.code == "way-unknown" else f"change what uses it too, or keep `{name}` as it is"
                    what = "it does not fit this line"
                    if d.code == "play-fault":  # the line below is right, and what it leads to is not
                        message, fix, what = (
                            f"with this change of `{name}`, {d.message}",
                            d.fix,
                            "this line cannot continue",
                        )
                    return replace(d, span=key.span, message=message, fix=fix, also=((what, d.span), *d.also), edits=())
        return d

    def _about_removal(self, d: Diagnostic) -> Diagnostic:
        """Return the complaint that a name is unknown at the line of another file that removes it."""
        name, own = d.about[1], d.span.file
        changes = (layer.change for layer in reversed(self.files) if layer.change and layer.tree.span.file != own)
        found = (at for change in changes for at in removals(change, name)) if d.code == "name-unknown" else ()
        removed = next(iter(found), None)
        if removed is None:
            return d
        used = ((f"`{name}` is used", d.span), *(("again", span) for span in d.again))
        message, fix = f"`{name}` is removed here, but still used", "change or remove what uses it too, or keep it"
        return Diagnostic(removed.span, d.code, message, "", fix, used, about=d.about)

    def _about_option(self, d: Diagnostic, unknown: set[tuple[str, int, str]]) -> Diagnostic:
        """Return the complaint about an option or what only a choice brings; `unknown` are lines with names that nobody declared."""
        if d.code == "name-unknown" and (option := self.by_name.get(d.about[1])):
            other = next((c.name for c in option.choices if c.name != option.default), option.default)
            why = f"`{option.name}` is an option: what is different with a choice is written under the choice"
            fix = f"write what it changes under `options: {option.name}: {other}: change:`"
            if any((d.span.file, d.span.line, choice.name) in unknown for choice in option.choices):
                return replace(d, why=why, fix=fix, also=(("the option", option.span),), edits=())  # `option = choice`
            return replace(d, why=d.why or why, fix=d.fix or fix, also=(*d.also, ("the option", option.span)))
        if d.code == "overlay-change-nothing" and not d.fix and (section := self._section_of(d)):
            return replace(d, fix=f"`{d.about[1]}` is under `{section}:`: write that above it, and indent it below")
        if d.code not in _NOT_THERE:
            return d
        number = next((n for n, layer in enumerate(self.files) if layer.tree.span.file == d.span.file), 0)
        path = path_to(self.files[number].tree, d.span) if number else None
        if not path or path[0] in LAYER_KEYS:
            return d
        wanted = [*path[:-1], d.about[1]] if path[-1] == REMOVE else path
        for option in self.options():
            for choice in option.choices:
                for _, change in choice.changes:
                    found = follow(change, wanted)
                    if found and found[0] == len(wanted) and found[1].key.span.file != d.span.file:
                        return _only_with(d, wanted[-1], option, choice, found[1].key.span)
        return d

    def _section_of(self, d: Diagnostic) -> str:
        """Return the section that has what a change names without one; nothing if none has."""
        trees = (layer.tree for layer in self.files if layer.tree.span.file != d.span.file)
        sections = (
            e for tree in trees for e in tree.entries if isinstance(e.value, Mapping) and e.key.text != "options"
        )
        names = (e.key.text for e in sections for k, _ in e.value if bare_name(k.text) == d.about[1])  # type: ignore[union-attr]
        return next(names, "")

    def introduced(self, span: Span) -> bool:
        """Return whether the span is in an overlay: a file that extends another, or an option."""
        bottom = self.files[0].tree
        options = bottom.get("options")
        if span.file != bottom.span.file:
            return True
        inside = options.span if options else None
        return inside is not None and (inside.line, inside.col) <= (span.line, span.col) < (
            inside.end_line,
            inside.end_col,
        )

    def misspelt(self, tree: Mapping, sections: Iterable[str] = NAMED) -> list[Diagnostic]:
        """Return complaints about new entries that nothing in the tree names, and whose names are almost those of old ones."""
        found = []
        times = Counter(re.findall(r"\w+", whole_text(tree)))
        for section in sections:
            node = tree.get(section)
            entries = {bare_name(k.text): k.span for k, _ in node} if isinstance(node, Mapping) else {}
            old = {name for name, span in entries.items() if not self.introduced(span)}
            unused = [name for name in entries if name not in old and times[name] == 1]
            for name in unused[:MOST_PROBLEMS]:
                if (other := in_another_section(tree, name, section, self.introduced)) is not None:
                    found.append(new_unused(entries[name], name, *other))
                elif (near := closest(name, old)) is not None:
                    found.append(new_unused(entries[name], name, near, entries[near]))
        return found

    def _chosen_changes(self, layer: int, settled: dict[str, str]) -> list[Mapping]:
        chosen = (option.choice(settled[option.name]) for option in self.options())
        return [change for choice in chosen if choice for number, change in choice.changes if number == layer]


def _pointed_at(tree: Mapping, span: Span) -> str:
    """Return the keys on the way to a place, and the text there."""
    words = path_to(tree, span)
    last = span.end_line - (span.end_col == 1 and span.end_line > span.line)
    texts = [s.text for s in scalars(tree) if s.span.line <= last and span.line <= s.span.end_line]
    return " ".join([*texts, *reversed(words)])


def _changed_names(change: Mapping) -> Iterator[tuple[str, Scalar]]:
    """Yield the entries of sections that a change writes or removes, by their names."""
    for section in change.entries:
        for entry in section.value.entries if isinstance(section.value, Mapping) else ():
            if entry.key.text == REMOVE and isinstance(entry.value, Sequence):
                yield from ((bare_name(item.text), item) for item in entry.value.items if isinstance(item, Scalar))
            else:
                yield bare_name(entry.key.text), entry.key


def _declared_by(tree: Mapping, names: Iterable[str]) -> list[str]:
    """Return the names in the declarations of these names, and in the declarations of those, nearest first."""
    found, seen = list(names), set(names)
    for name in found:
        declared = (follow(tree, [section, name]) for section in ("scoring", "define", "steps"))
        texts = (whole_text(entry.value) for depth, entry in filter(None, declared) if depth == 2)
        new = [word for text in texts for word in re.findall(r"[a-z]\w*", text)]
        found += [word for word in dict.fromkeys(new) if word not in seen]
        seen.update(new)
    return found


def _lost_members(files: Iterable[Layer], change: Mapping) -> dict[str, Scalar]:
    """Return the members that sets of the files below have, and a list written over them has not, by their names."""
    found: dict[str, Scalar] = {}
    sets = change.get("sets")
    for key, value in sets if isinstance(sets, Mapping) else ():
        kept = {i.text for i in value.items if isinstance(i, Scalar)} if isinstance(value, Sequence) else set[str]()
        for layer in files:
            old = layer.tree.get("sets")
            members = old.get(key.text) if isinstance(old, Mapping) else None
            for item in members.items if isinstance(members, Sequence) else ():
                if isinstance(item, Scalar) and item.text not in kept:
                    found.setdefault(item.text, key)
    return found


def _builds_on(files: Iterable[Layer], upper: int, lower: int) -> bool:
    layers = tuple(files)
    return lower < upper and layers[lower].tree.span.file not in files_beside(layers, upper)


def _only_with(d: Diagnostic, name: str, option: Option, choice: OptionChoice, there: Span) -> Diagnostic:
    message = f"`{bare_name(name)}` exists only with `{option.name}={choice.name}`"
    why = "what is under `change:` applies whatever is chosen"
    fix = f"write this under `options: {option.name}: {choice.name}: change:`"
    return Diagnostic(d.span, "option-only", message, why, fix, ((f"`{bare_name(name)}`", there),))


def files_beside(files: tuple[Layer, ...], number: int) -> frozenset[str]:
    """Return the files below a layer that it does not build on."""
    extended, open_names = set[str](), list(files[number].extends)
    by_name = {layer.identity: layer for layer in files}
    while open_names:
        if (name := open_names.pop()) not in extended:
            extended.add(name)
            open_names += by_name[name].extends
    return frozenset(f.tree.span.file for f in files[:number] if f.identity not in extended)


def _merged(old: Mapping, new: Mapping, problems: list[Diagnostic], beside: frozenset[str] = frozenset()) -> Mapping:
    result = merge(old, new, problems, beside=beside)
    assert isinstance(result, Mapping)  # a map over a map
    return result


def _with_own_keys(tree: Mapping, layer: Layer, problems: list[Diagnostic]) -> Mapping:
    """Return the tree with the title, view and examples of an extending file."""
    file = layer.tree
    own = [entry for entry in file.entries if entry.key.text in REPLACED]
    if layer.beside:  # the titles of house rules side by side are joined
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
    """Return the examples of both files; one of the same name replaces the old one: it is another position."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    entries = {key.text: Entry(key, value) for key, value in (*old, *new)}
    return Mapping(old.span, tuple(entries.values()), (*old.changed, new.span), old.flow)


def open_stack(paths: Iterable[Path], files: Files) -> Layers:
    """Return the first file and all it extends, with the house rules in the other files on top."""
    problems: list[Diagnostic] = []
    layers, chains = open_chains(list(paths), files, problems)
    options: dict[str, Option] = {}
    for number, layer in enumerate(layers):
        if number > 0:
            fix_choices(options, layer.fixes, problems)
        for option in read_options(layer.tree.get("options"), number, problems):
            there = options.get(option.name)
            if there and _builds_on(layers, number, there.layer):
                options[option.name] = changed_option(there, option, problems)
            elif there:
                message = f"there is already an option called `{option.name}`"
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
        for one, other in chains:
            own = {layer.identity for layer in (*one, *other)}
            known = frozenset(o.name for o in options.values() if layers[o.layer].identity not in own)
            problems += check_stack(one, other, known)
    if problems:
        raise RuleFileError(with_what_they_change(layers, problems[:MOST_PROBLEMS]))
    return Layers(tuple(layers), options)


def _too_many(options: dict[str, Option]) -> Iterator[Diagnostic]:
    if prod(len(option.open_choices) for option in options.values()) > MOST_COMBINATIONS:
        message = f"{len(options)} options make more than {MOST_COMBINATIONS:,} combinations"
        last = list(options.values())[-1]
        yield Diagnostic(
            last.span, "option-many", message, fix="turn some of them into house rules: files that extend this one"
        )
