"""Which of the names here have the right kind: what fits in place of words that do not, tried where they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.english import listed_names
from rulespec.expr.hints.failure import NAME
from rulespec.expr.names import Names
from rulespec.expr.static import Env
from rulespec.syntax import Values
from rulespec.yaml.nodes import Scalar

Said = Callable[[str], list[Diagnostic] | None]

MOST_LISTED = 4  # names that fit
MOST_TRIED = 150  # texts
OF_KINDS = frozenset(  # complaints about something that is of another kind than it should be
    [
        "type-mismatch",
        "index-outside",
        "type-never-equal",
        "type-never-in",
        "compare-place",
        "text-hole",
        "index-base",
        "index-count",
    ]
)


def with_what_fits(problem: Diagnostic, scalar: Scalar, names: Names, env: Env, said: Said) -> Diagnostic:
    """Return a complaint without a change of the text with one, if only one name or call here fits; a few are only listed."""
    first, last = _offset(scalar, problem, True), _offset(scalar, problem, False)
    text, before = scalar.text, said(scalar.text)
    if problem.edits or first is None or last is None or not before:
        return problem

    def fits(new: str) -> bool:
        found = said(new)
        return found is not None and len(found) < len(before)

    unknown = problem.about[1] if problem.code == "name-unknown" else ""
    begins = re.compile(rf"\b{unknown}\b").search(text, first) if NAME.match(unknown) else None
    if begins is not None:
        known = sorted({*_names(names), *(n for n in env if "." not in n)} - {unknown})
        fitting = [n for n in known[:MOST_TRIED] if fits(f"{text[: begins.start()]}{n}{text[begins.end() :]}")]
        if not fitting and (index := re.compile(r"\[([\w, ]*)\]").match(text, begins.end())):
            whole = [
                new
                for new in _indexed(index[1], names, env)
                if fits(f"{text[: begins.start()]}{new}{text[index.end() :]}")
            ]
            return _with_names(problem, unknown, whole)
        return _with_names(problem, unknown, fitting)
    if problem.code not in OF_KINDS:
        return problem
    if problem.fix and problem.code not in ("index-outside", "index-count"):
        return problem
    whole = [new for new in _gathered(text, names) if said(new) == []]
    if len(whole) == 1:
        return replace(problem, fix=f"write `{whole[0]}`", edits=scalar.edit(0, len(text), whole[0], sure=False))
    tried = [(first, last, new) for new in _wrapped(text[first:last], names)]
    tried += [(first + m.start(), first + m.end(), n) for m, n in _sizes(text[first:last], names)]
    found = {(a, b, new): None for a, b, new in tried[:MOST_TRIED] if said(f"{text[:a]}{new}{text[b:]}") == []}
    if len(found) == 1:
        ((a, b, new),) = found
        return replace(problem, fix=f"write `{new}`", edits=scalar.edit(a, b, new, sure=False))
    return problem


def _with_names(problem: Diagnostic, unknown: str, fitting: list[str]) -> Diagnostic:
    """Return the complaint about an unknown name with those that fit there, if they are few; none of them is surely meant."""
    if not 0 < len(fitting) <= MOST_LISTED or problem.also:
        return problem
    verb = "fits" if len(fitting) == 1 else "fit"
    return replace(problem, fix=f"declare `{unknown}`; of what there is, {listed_names(fitting)} {verb} here")


def _indexed(given: str, names: Names, env: Env) -> Iterator[str]:
    """Yield the places, tables and variables that these indexes fit, with those local names that they need besides."""
    words = re.findall(r"\w+", given)
    for name in (*names.places, *names.tables, *names.variables):
        index = []
        for wanted in names.index_types(name):
            own = [
                n
                for n, t in env.items()
                if isinstance(t, Values) and wanted.home and t.home == wanted.home and "." not in n
            ]
            index += own if len(own) == 1 else [""]
        if all(index) and words and {*words} <= {*index}:
            yield f"{name}[{', '.join(index)}]"


def _gathered(text: str, names: Names) -> Iterator[str]:
    """Yield a text in which a set that stands for one of its members is gone through."""
    for m in re.finditer(r"\b(count|any|all|sum|max|min)\(([^()]*(?:\([^()]*\))?[^()]*)\)", text):
        for word in sorted({*re.findall(r"[a-z]\w*", m[2])} & names.sets.keys()):
            if " for " not in m[2]:
                body = re.sub(rf"\b{word}\b", "x", m[2])
                yield f"{text[: m.start()]}{m[1]}({body} for x in {word}){text[m.end() :]}"


def _sizes(words: str, names: Names) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each set that stands where a number may be meant, and how its number is written."""
    for m in re.finditer(r"[a-z]\w*", words):
        if m[0] in names.sets:
            yield m, "players" if m[0] == "player" else f"size({m[0]})"


def _names(names: Names) -> Iterator[str]:
    yield from names.places
    yield from names.tables
    yield from names.variables
    yield from names.functions
    yield from names.sets
    yield from names.members


def _wrapped(words: str, names: Names) -> Iterator[str]:
    """Yield what may be meant by words of another kind: a part of them, their number, what is found by them."""
    if words in ("0", "1"):
        yield ("false", "true")[int(words)]
        return
    if words in names.sets:
        return
    if part := re.fullmatch(r"([a-z]\w*)\[([a-z]\w*)\]", words):
        yield from (f"{part[1]}[{part[2]}.{p}]" for p in sorted({p for s in names.sets.values() for p in s.parts}))
    if item := re.fullmatch(r"(.+)\[-?[0-9]+\]", words):
        yield f"piece({item[1]})"
    if not re.fullmatch(r"[a-z][\w.]*(?:[(\[].*[)\]])?", words):
        return
    yield from (f"{words}.{part}" for part in sorted({p for s in names.sets.values() for p in s.parts}))
    yield from (f"piece({words})", f"count({words})")
    for name in (*names.tables, *names.variables):
        if len(names.index_codes(name)) == 1:
            yield f"{name}[{words}]"
    for name, function in names.functions.items():
        if len(function.parameters) == 1:
            yield f"{name}({words})"


def _offset(scalar: Scalar, problem: Diagnostic, first: bool) -> int | None:
    """Return where the words of a complaint begin or end in the text; None if they are not in it."""
    span = problem.span
    wanted = (span.line, span.col) if first else (span.end_line, span.end_col)
    if span.file != scalar.span.file:
        return None
    for n in range(len(scalar.text) + 1):
        at = scalar.at(n, n)
        if (at.line, at.col) == wanted:
            return n
    return None
