"""Editors with the YAML language server: the schema completes, explains and checks rule files, in the real server."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from referee.lsp.checking import PAUSE
from rulespec.schema.shape import schema_text
from tests.lsp_client import Client

ROOT = Path(__file__).parent.parent
SHIPPED = sorted((ROOT / "games").rglob("*.yaml"))
VERSION = "1.19.2"  # the newest that runs on Node 18 and 20
CACHE = Path.home() / ".cache" / "rulespec-tests"  # what npm fetches is kept from run to run


def installed_server() -> Path:
    """Return the real server, fetched once by npm into a cache folder."""
    folder = CACHE / f"yaml-language-server-{VERSION}"
    program = folder / "node_modules" / "yaml-language-server" / "bin" / "yaml-language-server"
    if program.exists():
        return program
    if not shutil.which("npm") or not shutil.which("node"):
        pytest.skip("npm is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        if not program.exists():
            command = [
                "npm",
                "install",
                "--no-audit",
                "--no-fund",
                "--fetch-retry-mintimeout=500",  # where there is no registry, that is known soon
                "--fetch-retry-maxtimeout=2000",
                "--prefix",
                str(folder),
                f"yaml-language-server@{VERSION}",
            ]
            done = subprocess.run(command, capture_output=True, text=True, timeout=200)
            if done.returncode:
                pytest.skip(f"npm cannot install it: {done.stderr.strip()[-200:]}")
    return program


@pytest.fixture(scope="module")
def server() -> Iterator[Client]:
    settings = {"yaml": {"validate": True, "hover": True, "completion": True, "schemaStore": {"enable": False}}}
    client = Client(["node", str(installed_server()), "--stdio"], ROOT, settings)
    yield client
    assert client.stop() == 0


MODELINE = "# yaml-language-server: "


def messages(diagnostics: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(d["range"]["start"]["line"] + 1, d["message"]) for d in diagnostics]


def test_shipped__have_a_modeline_that_leads_to_the_schema() -> None:
    for path in SHIPPED:
        lines = takewhile(lambda line: line.startswith("#"), path.read_text(encoding="utf-8").splitlines())
        (way,) = (way for mark, _, way in (line.partition("$schema=") for line in lines) if mark == MODELINE)
        assert (path.parent / way).resolve() == ROOT / "rulespec" / "schema" / "schema.json", path


def test_server__finds_nothing_wrong_with_the_shipped_files(server: Client) -> None:
    found = dict(zip(SHIPPED, map(messages, server.open_all(SHIPPED)), strict=True))
    assert {path.name: wrong for path, wrong in found.items() if wrong} == {}
    for path in SHIPPED:
        server.close(path)


def draft(text: str) -> tuple[Path, str]:
    """Return a file in the folder of the games that is not on disk, with a name of its own."""
    return (
        ROOT / "games" / f"draft_{abs(hash(text))}.yaml",
        f"# yaml-language-server: $schema=../rulespec/schema/schema.json\n{text}",
    )


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            "rulespec: 1\ngame: A\nplayers: 2\nplay: []\nwinner: {a: 1}\nplces: {}\n",
            7,
            "Property plces is not allowed.",
        ),
        (
            "rulespec: 1\ngame: A\nplayers: 2\nplay: []\nwinner: {a: 1}\nmoves:\n  go: {text: go}\n",
            8,
            'Missing property "does".',
        ),
        ("rulespec: 1\nextends: base\nmoves: {}\n", 4, "Property moves is not allowed."),
    ],
)
def test_server__tells_what_is_wrong(server: Client, text: str, line: int, message: str) -> None:
    path, whole = draft(text)
    assert messages(server.open(path, whole)) == [(line, message)]
    server.close(path)


def test_server__offers_the_keys(server: Client) -> None:
    path, text = draft("rulespec: 1\ngame: A\n\nmoves:\n  take:\n    text: take\n    \n")
    server.open(path, text)
    labels = {item["label"]: item for item in server.at("completion", path, 4, 1)["items"]}
    assert {"places", "pieces", "winner", "options"} <= labels.keys() and "game" not in labels
    documentation = labels["winner"]["documentation"]
    assert "The highest wins" in (documentation if isinstance(documentation, str) else documentation["value"])
    inner = {item["label"] for item in server.at("completion", path, 8, 5)["items"]}
    assert {"choose", "needs", "does"} <= inner and "places" not in inner
    server.close(path)


@pytest.mark.parametrize(
    ("line", "column", "text"),
    [(4, 2, "How many can play"), (6, 10, "Pieces without an order"), (9, 6, "The move in words")],
)
def test_server__explains_keys(server: Client, line: int, column: int, text: str) -> None:
    whole = "rulespec: 1\ngame: A\nplayers: 2\nplaces:\n  pot: {pile: bead}\nmoves:\n  take:\n    text: take\n"
    path, document = draft(whole)
    server.open(path, document)
    assert text in server.at("hover", path, line, column)["contents"]["value"]
    server.close(path)


# The document -----------------------------------------------------------------------------------------------

DOC = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")


def test_document__settings_name_a_schema() -> None:
    codes = [json.loads(code) for code in re.findall(r"^```json\n(.*?)^```$", DOC, re.MULTILINE | re.DOTALL)]
    assert ["yaml.schemas"] in [list(code) for code in codes]


def test_document__names_what_the_package_calls_the_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "pip install 'rulespec[lsp]'" in DOC and "lsp" in project["optional-dependencies"]
    pause = re.search(r"for\s+([0-9.]+) seconds", DOC)
    assert pause is not None and float(pause[1]) == PAUSE


def test_document__the_schema_in_a_file_of_its_own_serves_as_well(server: Client, tmp_path: Path) -> None:
    (tmp_path / "rulespec.schema.json").write_text(schema_text(), encoding="utf-8")
    text = "# yaml-language-server: $schema=rulespec.schema.json\nrulespec: 1\nextends: base\ngme: A\n"
    assert messages(server.open(tmp_path / "mine.yaml", text)) == [(4, "Property gme is not allowed.")]
    server.close(tmp_path / "mine.yaml")


def test_schema__every_key_has_a_description() -> None:
    schema = json.loads(schema_text())

    def resolved(part: Any) -> Any:
        node = schema
        for word in part["$ref"].removeprefix("#/").split("/"):
            node = node[word]
        return node

    def described(part: Any) -> bool:
        return bool(part.get("description")) or ("$ref" in part and described(resolved(part)))

    def walk(part: Any, way: str) -> Iterator[str]:
        if isinstance(part, dict):
            yield from (f"{way}: {key}" for key, value in part.get("properties", {}).items() if not described(value))
            for key, value in part.items():
                yield from walk(value, f"{way}/{key}")
        elif isinstance(part, list):
            for value in part:
                yield from walk(value, way)

    assert list(walk(schema, "")) == []
