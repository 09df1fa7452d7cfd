"""What a text that cannot be read was meant for: the first guess that makes sense where it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.expr.hints.rewording import rewordings, two_steps
from rulespec.expr.infer import Inference
from rulespec.expr.names import Names
from rulespec.expr.parse import Fragment, Parses, Syntax, SyntaxProblem, parse, parse_text, tree_of
from rulespec.expr.static import Env
from rulespec.model.declare import Skip
from rulespec.syntax import Unknown
from rulespec.yaml.nodes import Scalar

MOST_GUESSED = 20  # texts of one file: guesses cost time, and nobody mends more at once
MakesSense = Callable[[Fragment], bool]  # whether there is nothing to say about a text that can be read


def sensible(names: Names, env: Env, read: Callable[[Inference], object]) -> MakesSense:
    """Return what tells whether an expression makes sense where it is read in this way."""

    def makes_sense(fragment: Fragment) -> bool:
        found: list[Diagnostic] = []
        kept = (
            {*names.used},
            {*names.failed},
            {**names.passed},
            {*names.bare},
            {n: [*g] for n, g in names.given.items()},
        )
        try:
            e = read(Inference(names, fragment, env, found.append))
        except Skip:
            return False
        finally:
            names.used, names.failed, names.passed, names.bare, names.given = kept
        return not found and not isinstance(getattr(e, "type", None), Unknown)

    return makes_sense


def parse_or_guess(scalar: Scalar, entry: str, parses: Parses, names: Names, makes_sense: MakesSense) -> Fragment:
    """Return the syntax tree of a text. Raises SyntaxProblem, with what was probably meant if a guess makes sense."""
    try:
        return parse(scalar, entry, parses=parses)
    except SyntaxProblem as problem:
        if names.guessed == MOST_GUESSED:
            raise
        names.guessed += 1
        raise SyntaxProblem(_explained(problem.diagnostic, scalar, entry, makes_sense)) from None


def _explained(problem: Diagnostic, scalar: Scalar, entry: str, makes_sense: MakesSense) -> Diagnostic:
    """Return the complaint with a guess that makes sense: its own, or else what comes of other words."""

    def fits(text: str) -> bool:
        if entry == "step" and text.startswith("tell "):
            return True  # a text for people
        root = tree_of(text, entry)
        return root is not None and makes_sense(Fragment(replace(scalar, text=text, starts=()), root))

    mended = _mended(problem, scalar)
    if problem.code == "line-joined" or (mended is not None and fits(mended)):
        return problem
    if entry == "step":
        both = two_steps(scalar.text, lambda half: tree_of(half, "step") is not None)
        if both is not None:
            fix = f"write two steps: `- {both[0]}`, and below it `- {both[1]}`"
            return replace(problem, why="each step is a line of its own", fix=fix, edits=())
    meant = next((text for text in rewordings(scalar.text, entry) if fits(text)), None)
    if meant is None:
        return (
            problem
            if mended is None or _goes_on(mended, problem, scalar, entry)
            else replace(problem, fix="", edits=())
        )
    why = problem.why if problem.code not in ("expr-syntax", "name-shape") else ""
    if entry == "choice" and meant.isidentifier():
        why = "all of a set is offered; what cannot be chosen is refused by a condition under `needs:`"
    return replace(problem, why=why, fix=f"write `{meant}`", edits=scalar.edit(0, len(scalar.text), meant, sure=False))


def _goes_on(mended: str, problem: Diagnostic, scalar: Scalar, entry: str) -> bool:
    """Return whether a mended text can be read, at least beyond what was changed."""
    found = parse_text(mended, entry)
    only = problem.edits[0]
    end = len(mended) - (len(scalar.text) - len(only.old) - (only.span.col - scalar.at(0, 0).col))
    return isinstance(found, Syntax) or found.start >= end


def _mended(problem: Diagnostic, scalar: Scalar) -> str | None:
    """Return the text after the one change that the complaint proposes; None if it does not change this text alone."""
    if len(problem.edits) != 1:
        return None
    only = problem.edits[0]
    begins = only.span.line, only.span.col
    offsets = (n for n in range(len(scalar.text) + 1) if ((at := scalar.at(n, n)).line, at.col) == begins)
    start = next(offsets, None)
    if start is None or not scalar.text.startswith(only.old, start):
        return None
    return f"{scalar.text[:start]}{only.new}{scalar.text[start + len(only.old) :]}"
