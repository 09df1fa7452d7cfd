"""Diagnostics for other programs: SARIF for code scanning, annotations for GitHub's workflows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.diagnostics.pages import meaning_of, page_of

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(diagnostics: Iterable[Diagnostic]) -> dict[str, object]:
    """Return a SARIF 2.1.0 log of one run."""
    found = list(diagnostics)
    codes = sorted({d.code for d in found})
    rules = [_rule(code) for code in codes]
    driver = {"name": "rulespec", **_version(), "rules": rules}
    results = [_result(d, codes.index(d.code)) for d in found]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _version() -> dict[str, object]:
    """Return the version of the program, if it is installed and so has one."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return {"version": version("rulespec")}
    except PackageNotFoundError:
        return {}


def _rule(code: str) -> dict[str, object]:
    page = page_of(code) or ""
    return {"id": code, "shortDescription": {"text": meaning_of(code)}, "help": {"text": page, "markdown": page}}


def _result(d: Diagnostic, rule: int) -> dict[str, object]:
    text = "\n".join([d.message, *(f"{word}: {said}" for word, said in (("why", d.why), ("fix", d.fix)) if said)])
    result: dict[str, object] = {
        "ruleId": d.code,
        "ruleIndex": rule,
        "level": d.level,
        "message": {"text": text},
        "locations": [{"physicalLocation": _location(d.span)}],
    }
    if d.related:
        result["relatedLocations"] = [
            {"id": n, "message": {"text": what}, "physicalLocation": _location(span)}
            for n, (what, span) in enumerate(d.related, 1)
        ]
    if d.edits:
        result["fixes"] = [_fix(d)]
    return result


def _fix(d: Diagnostic) -> dict[str, object]:
    changes = []
    for file in dict.fromkeys(edit.span.file for edit in d.edits):
        own = [edit for edit in d.edits if edit.span.file == file]
        made = [{"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.new}} for edit in own]
        changes.append({"artifactLocation": _artifact(file), "replacements": made})
    return {"description": {"text": d.edits[0].title}, "artifactChanges": changes}


def _location(span: Span) -> dict[str, object]:
    return {"artifactLocation": _artifact(span.file), "region": _region(span)}


def _artifact(file: str) -> dict[str, object]:
    path = Path(file)
    return {"uri": path.as_uri() if path.is_absolute() else quote(path.as_posix())}


def _region(span: Span) -> dict[str, object]:
    return {"startLine": span.line, "startColumn": span.col, "endLine": span.end_line, "endColumn": span.end_col}


_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def github(d: Diagnostic) -> str:
    """Return the line that lets a workflow show the complaint beside the rule it is about."""
    where = {"file": d.span.file, "line": d.span.line, "endLine": d.span.end_line}
    if d.span.line == d.span.end_line:  # columns are only understood within a line
        where |= {"col": d.span.col, "endColumn": max(d.span.col, d.span.end_col - 1)}
    fields = ",".join(f"{name}={_property(str(value))}" for name, value in {**where, "title": d.code}.items())
    also = [f"also: {what} at {span}" for what, span in d.related]
    lines = [d.message, *also, *(f"{word}: {said}" for word, said in (("why", d.why), ("fix", d.fix)) if said)]
    return f"::{_COMMANDS[d.level]} {fields}::{_data(chr(10).join(lines))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
