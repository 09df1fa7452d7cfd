"""The options of a rule file: their choices, which of them are fixed, and which cannot be played together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.english import closest, did_you_mean, quoted
from rulespec.files.extends import read_change
from rulespec.files.merge import shape_problem
from rulespec.yaml.tree import Entry, Mapping, Node, Scalar, Sequence

_CHOICE_KEYS = ("text", "see", "change", "not with")


class OptionError(ValueError):
    """A caller's choice that there is not, or that cannot be made; the message lists what there is."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    name: str
    text: str
    span: Span
    change: Mapping | None = None
    not_with: tuple[tuple[str, str, Span], ...] = ()  # (option, choice, where that is said)


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    name: str
    span: Span
    choices: tuple[Choice, ...]
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

    def choice(self, name: str) -> Choice | None:
        return next((c for c in self.choices if c.name == name), None)


def names_text(names: Iterable[str]) -> str:
    """Return names for a message."""
    return ", ".join(quoted(names)) or "none"


def read_options(node: Node | None, layer: int, problems: list[Diagnostic]) -> Iterator[Option]:
    """The options that the file declares."""
    if node is None:
        return
    if not isinstance(node, Mapping):
        problems.append(shape_problem("a map of options after `options:`", node))
        return
    for key, value in node:
        if not isinstance(value, Mapping):
            problems.append(shape_problem(f"a map of the choices of `{key.text}`", value))
            continue
        choices = tuple(_read_choices(value, problems))
        if choices:
            yield Option(key.text, key.span, choices, layer)
        else:
            problems.append(Diagnostic(key.span, "overlay-shape", f"the option `{key.text}` has no choices"))


def _read_choices(node: Mapping, problems: list[Diagnostic]) -> Iterator[Choice]:
    for key, value in node:
        if key.text == "see" and isinstance(value, Scalar):
            continue  # any named entry may cite its page
        if not isinstance(value, Mapping):
            fix = f"write `{key.text}: {{text: …}}`"
            problems.append(shape_problem(f"a map with the `text` of the choice `{key.text}`", value, fix))
            continue
        problems.extend(_unknown_keys(value))
        text = value.get("text")
        if text is not None and not isinstance(text, Scalar):
            problems.append(shape_problem("a text", text))
        words = text.text if isinstance(text, Scalar) else ""
        conflicts = tuple(_read_not_with(value.get("not with"), problems))
        yield Choice(key.text, words, key.span, read_change(value.get("change"), problems), conflicts)


def _unknown_keys(choice: Mapping) -> Iterator[Diagnostic]:
    for key, _ in choice:
        if key.text not in _CHOICE_KEYS:
            fix = did_you_mean(key.text, _CHOICE_KEYS)
            why = "what a choice changes in the game stands under its `change:`"
            message = f"expected one of {names_text(_CHOICE_KEYS)}, found `{key.text}`"
            yield Diagnostic(key.span, "overlay-shape", message, why, fix)


def _read_not_with(node: Node | None, problems: list[Diagnostic]) -> Iterator[tuple[str, str, Span]]:
    if node is None:
        return
    if not isinstance(node, Mapping):
        problems.append(shape_problem("a map from an option to one of its choices after `not with:`", node))
        return
    for key, value in node:
        for item in value.items if isinstance(value, Sequence) else (value,):
            if isinstance(item, Scalar):
                yield key.text, item.text, item.span
            else:
                problems.append(shape_problem(f"a choice of `{key.text}`", item))


def fix_choices(options: dict[str, Option], node: Node | None, problems: list[Diagnostic]) -> None:
    """Fixes in `options` what the `with` node of an extending file says."""
    if node is None:
        return
    if not isinstance(node, Mapping):
        problems.append(shape_problem("a map from options to choices after `with:`", node))
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
    """The complaint that there is no such option, or that it has no such choice."""
    option = options.get(name)
    if option is None:
        near = closest(name, options)
        fix = f"did you mean `{near}`? it is declared at {options[near].span}" if near else ""
        return Diagnostic(
            name_at, "option-unknown", f"no option called `{name}`", f"there are: {names_text(options)}", fix
        )
    if option.choice(choice) is None:
        names = [c.name for c in option.choices]
        fix = did_you_mean(choice, names)
        message = f"the option `{name}` has no choice `{choice}`"
        also = (("the option", option.span),)
        return Diagnostic(choice_at, "option-unknown-choice", message, f"it has: {names_text(names)}", fix, also)
    return None


def check_conflicts(options: dict[str, Option]) -> Iterator[Diagnostic]:
    """Complaints about what the `not with` of the choices name, and about defaults that exclude each other."""
    known = True
    for option in options.values():
        for choice in option.choices:
            for other, other_choice, span in choice.not_with:
                if problem := unknown(options, other, other_choice, span, span):
                    known = False
                    yield problem
    if known and (found := conflict(options, {o.name: o.default for o in options.values()})):
        message, span = found
        why = "the first choice of each option, or the one fixed by `with`, is played unless a player chooses"
        yield Diagnostic(span, "option-conflict", message, why, "put another choice first, or fix one by `with:`")


def conflict(options: dict[str, Option], chosen: dict[str, str]) -> tuple[str, Span] | None:
    """What two of the choices cannot be played together, and where that is said."""
    for name, option in options.items():
        choice = option.choice(chosen[name])
        for other, other_choice, span in choice.not_with if choice else ():
            if chosen[other] == other_choice:
                both = f"`{name}: {chosen[name]}` cannot be played with `{other}: {other_choice}`"
                return both, span
    return None
