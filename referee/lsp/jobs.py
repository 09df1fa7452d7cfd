"""The jobs of the language server's worker processes, and how they are sent: as plain data, which runs nothing."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from referee.lsp.analysis import Analysis, analysing, outline
from referee.lsp.paths import absolute
from referee.lsp.symbols import Name
from rulespec import DISK, Diagnostic, Disk, Edit, Files, NoDisk, RuleFileError, Span, has_errors, open_rules

Data = dict[str, Any]  # what JSON can hold


# At the server -------------------------------------------------------------------------------------------


def files_data(files: Files) -> Data:
    """Return the source of rule files as data."""
    return {"disk": isinstance(files, Disk), "texts": {str(path): text for path, text in files.texts.items()}}


def analysis_data(found: Analysis) -> Data:
    """Return an analysis as data, without the text and its tree, which the receiver has."""
    return {
        "diagnostics": [asdict(d) for d in found.diagnostics],
        "names": [asdict(name) for name in found.names.values()],
        "files": [str(path) for path in found.files],
        "lines_below": [[*item] for item in found.lines_below.items()],
    }


def read_analysis(path: Path, text: str, data: Data, before: Analysis | None = None) -> Analysis:
    """Return the analysis of a text from data; if the text cannot be read, with the tree that was known before."""
    tree = outline(path, text).tree
    if tree is None and before is not None:
        tree = before.tree
    names = {(name["section"], name["name"]): _name(name) for name in data["names"]}
    files = tuple(Path(file) for file in data["files"])
    lines = {tuple(steps): tuple(lines) for steps, lines in data["lines_below"]}
    below = before.below if before is not None else ()
    return Analysis(path, text, [_diagnostic(d) for d in data["diagnostics"]], tree, names, files, below, lines)


def _diagnostic(data: Data) -> Diagnostic:
    places = {
        "span": Span(**data["span"]),
        "also": tuple((what, Span(**where)) for what, where in data["also"]),
        "again": tuple(Span(**where) for where in data["again"]),
        "about": tuple(data["about"]),
        "edits": tuple(Edit(**{**edit, "span": Span(**edit["span"])}) for edit in data["edits"]),
    }
    return Diagnostic(**{**data, **places})


def _name(data: Data) -> Name:
    return Name(**{**data, "span": Span(**data["span"]) if data["span"] is not None else None})


# In the other process -------------------------------------------------------------------------------------


def check(file: str, files: Data, before: Data | None) -> Generator[Data | None, None, Data]:
    """Return the analysis of a document; `before` is what was known of it. Yield what is known of a long one earlier."""
    path = Path(file)
    known = read_analysis(path, "", before) if before else None
    analysis = analysing(path, _source(files), known)
    while True:
        try:
            early = next(analysis)
        except StopIteration as end:
            return analysis_data(end.value)
        yield analysis_data(early) if early is not None else None


def _source(files: Data) -> Files:
    source: Files = DISK if files["disk"] else NoDisk()
    return source.having({Path(name): text for name, text in files["texts"].items()})


def try_examples(file: str, files: Data, names: list[str]) -> list[Data]:
    """Return what came of the examples of a document with these names; nothing where its rules cannot be played."""
    from interpreter import find_examples, run_examples

    try:
        rules = open_rules(Path(file), files=_source(files))
        own = {entry.key.text for entry, _ in find_examples(rules) if absolute(entry.key.span.file) == absolute(file)}
        results = run_examples(rules, [name for name in names if name in own])
    except RuleFileError:
        return []
    return [
        {
            "name": result.name,
            "passed": result.passed,
            "span": asdict(result.span),
            "problems": [{"span": asdict(p.span), "message": p.message} for p in result.problems],
            "stopped": result.stopped,
        }
        for result in results
    ]


def reformat(text: str) -> str | None:
    """Return the text as `rulespec fmt` formats it; a broken one is left unchanged, since its diagnostics are shown."""
    from rulespec import format_text

    try:
        return format_text(text)
    except RuleFileError:
        return None


def play_once(file: str, files: Data, seed: int) -> Data:
    """Return how a random game of a document ended, for the fewest players and the first choices; or why there is none."""
    from interpreter import Fault, Game

    try:
        rules = open_rules(Path(file), files=_source(files))
        game = Game(rules, rules.check()[0])
        state = game.python_playout(seed)
    except RuleFileError as error:
        return {"error": error.diagnostics[0].first_line()}
    except Fault as error:
        return {"error": f"{error.span}: {error.message}"}
    outcome = game.outcome(state)
    assert outcome is not None
    return {
        "players": game.players,
        "winners": list(outcome.winners),
        "scores": [outcome.scores[player] for player in sorted(outcome.scores)],
        "reason": outcome.reason,
        "decisions": state.decisions,
    }


def errors(file: str, files: Data) -> list[tuple[str, str, str]]:
    """Return the errors of a file, its examples included: code, where, message."""
    from interpreter import check_examples

    try:
        rules = open_rules(Path(file), files=_source(files))
        found = list(rules.check_all())
        found += check_examples(rules) if not has_errors(found) else []
    except RuleFileError as error:
        found = list(error.diagnostics)
    return [(d.code, str(d.span), d.message) for d in found if d.level == "error"]
