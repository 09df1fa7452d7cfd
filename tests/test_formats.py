"""Complaints for people with and without colours, for code scanning (SARIF) and for workflows (annotations)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

import pexpect
import pytest
from jsonschema import Draft202012Validator

from referee.shell.out import styled
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span, render, rendered
from rulespec.diagnostics.sarif import github, sarif
from rulespec.rules import open_rules
from tests.test_explain import ROOT, run

WRONG = """rulespec: 1
game: Coins
players: 2
sets:
  side: [left, right]
places:
  side: {pile: coin}
pieces: {coin: 3 in chest}
play: []
winner: {most: "1 == 2, %"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "wrong.yaml").write_text(WRONG, encoding="utf-8")
    return tmp_path


# The parts of SARIF 2.1.0's schema that a reader of results depends on.
LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "message": {"type": "object", "required": ["text"]},
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation", "region"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "required": ["uri"],
                    "properties": {"uri": {"type": "string", "pattern": r"^[A-Za-z0-9._~!$&'()*+,;=:@/%-]+$"}},
                },
                "region": {
                    "type": "object",
                    "required": ["startLine", "startColumn", "endLine", "endColumn"],
                    "additionalProperties": {"type": "integer", "minimum": 1},
                },
            },
        },
    },
}
PLACE: dict[str, Any] = LOCATION["properties"]["physicalLocation"]["properties"]  # type: ignore[index]
FIX = {
    "type": "object",
    "required": ["description", "artifactChanges"],
    "properties": {
        "description": {"type": "object", "required": ["text"]},
        "artifactChanges": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["artifactLocation", "replacements"],
                "properties": {
                    "artifactLocation": PLACE["artifactLocation"],
                    "replacements": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "required": ["deletedRegion", "insertedContent"],
                            "properties": {
                                "deletedRegion": PLACE["region"],
                                "insertedContent": {"type": "object", "required": ["text"]},
                            },
                        },
                    },
                },
            },
        },
    },
}
SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["$schema", "version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name", "rules"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id", "shortDescription", "help"],
                                            "properties": {
                                                "shortDescription": {"type": "object", "required": ["text"]},
                                                "help": {"type": "object", "required": ["text"]},
                                            },
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["ruleId", "ruleIndex", "level", "message", "locations"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": {"enum": ["none", "note", "warning", "error"]},
                                "message": {"type": "object", "required": ["text"]},
                                "locations": {"type": "array", "minItems": 1, "items": LOCATION},
                                "relatedLocations": {"type": "array", "items": LOCATION},
                                "fixes": {"type": "array", "minItems": 1, "items": FIX},
                            },
                        },
                    },
                },
            },
        },
    },
}


def test_sarif__fits_the_schema_and_says_the_same(folder: Path) -> None:
    log = json.loads(run("wrong.yaml --format sarif", folder))
    assert [error.message for error in Draft202012Validator(SARIF).iter_errors(log)] == []
    found = json.loads(run("wrong.yaml --json", folder))["files"][0]["diagnostics"]
    (only,) = log["runs"]
    rules = only["tool"]["driver"]["rules"]
    assert len(found) == len(only["results"]) > 1
    for result, d in zip(only["results"], found, strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == d["code"]
        assert rules[result["ruleIndex"]]["shortDescription"]["text"]
        assert result["message"]["text"].split("\n")[0] == d["message"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert list(region.values()) == [d["line"], d["column"], d["end_line"], d["end_column"]]
        assert len(result.get("relatedLocations", ())) == len(d["also"])
        fixes = [change["replacements"] for fix in result.get("fixes", ()) for change in fix["artifactChanges"]]
        assert [r["insertedContent"]["text"] for made in fixes for r in made] == [e["new"] for e in d["edits"]]
    assert any("fixes" in result for result in only["results"])


def test_sarif__a_good_file_has_no_results(folder: Path) -> None:
    log = json.loads(run("classics/nim --format sarif", folder))
    assert log["runs"][0]["results"] == []


def test_sarif__paths_are_uris() -> None:
    spans = [Span("my rules/ä.yaml", 1, 1, 1, 2), Span("/tmp/a b.yaml", 1, 1, 1, 2)]
    log: Any = sarif(Diagnostic(span, "name-unknown", "no name") for span in spans)
    uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in log["runs"][0]["results"]]
    assert uris == ["my%20rules/%C3%A4.yaml", "file:///tmp/a%20b.yaml"]


def test_github__annotations_are_escaped() -> None:
    d = Diagnostic(Span("a,b:c%.yaml", 3, 5, 3, 9), "name-taken", "100% is\ntaken: yes", "because", "rename, please")
    assert github(d) == (
        "::error file=a%2Cb%3Ac%25.yaml,line=3,endLine=3,col=5,endColumn=8,title=name-taken"
        "::100%25 is%0Ataken: yes%0Awhy: because%0Afix: rename, please"
    )


def test_github__levels_and_lines() -> None:
    spans = Span("a.yaml", 3, 5, 4, 2)
    assert github(Diagnostic(spans, "x", "m", level="warning")) == "::warning file=a.yaml,line=3,endLine=4,title=x::m"
    assert github(Diagnostic(spans, "x", "m", level="note")).startswith("::notice ")


def test_github__one_line_for_each(folder: Path) -> None:
    lines = run("wrong.yaml --format github", folder).splitlines()
    found = json.loads(run("wrong.yaml --json", folder))["files"][0]["diagnostics"]
    assert len(lines) == len(found)
    assert all(line.startswith("::error file=wrong.yaml,line=") for line in lines)


# --- for people ---------------------------------------------------------------------------------------------------


def test_render__colours_only_add_to_the_text(folder: Path) -> None:
    with chdir(folder), pytest.raises(RuleFileError) as error:
        open_rules("wrong.yaml").check()
    with chdir(folder):
        for d in error.value.diagnostics:
            painted = "\n".join(styled(line, colours=True) for line in rendered(d))
            assert "\x1b[" in painted
            assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == render(d)


@pytest.mark.parametrize(
    ("environment", "painted"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_validate__colours_at_a_terminal(environment: dict[str, str], painted: bool, folder: Path) -> None:
    env = {"PYTHONPATH": str(ROOT), "TERM": "xterm", "PATH": "/usr/bin:/bin", "HOME": str(folder), **environment}
    child = pexpect.spawn(
        sys.executable, ["-m", "rulespec", "validate", "wrong.yaml"], env=env, cwd=str(folder), timeout=60
    )
    said = child.read().decode()
    assert ("\x1b[1;31merror[" in said) == painted
    assert "rulespec validate --explain expr-operator says more" in said or "--explain name-taken says more" in said
    assert "rulespec validate --fix wrong.yaml makes the changes that are named" in said


def test_validate__no_colours_without_a_terminal(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulespec", "validate", "wrong.yaml"],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "\x1b" not in done.stdout and "error[" in done.stdout


def test_render__a_long_line_is_cut_around_the_words() -> None:
    text = "a" * 500 + "WRONG" + "b" * 500
    said = render(Diagnostic(Span("f", 1, 501, 1, 506), "x", "m"), texts={"f": text}).split("\n")
    shown, caret = said[1][8:], said[2][8:]
    assert len(shown) < 170 and shown.startswith("…") and shown.endswith("…")
    assert shown[caret.index("^") : caret.rindex("^") + 1] == "WRONG"


def test_render__wide_letters_keep_the_caret_in_place() -> None:
    said = render(Diagnostic(Span("f", 1, 4, 1, 5), "x", "m"), texts={"f": "骰子 x"}).split("\n")
    assert said[1:] == ["    1 | 骰子 x", "      |      ^"]


def test_render__both_places_are_shown_and_repetitions_only_named() -> None:
    text = "one\ntwo\nthree\n"
    d = Diagnostic(
        Span("f", 1, 1, 1, 4), "x", "m", also=(("the other", Span("f", 2, 1, 2, 4)),), again=(Span("f", 3, 1, 3, 6),)
    )
    assert render(d, texts={"f": text}).split("\n")[1:] == [
        "    1 | one",
        "      | ^^^",
        "  also: the other at f:2:1",
        "    2 | two",
        "      | ^^^",
        "  also: again at f:3:1",
    ]
