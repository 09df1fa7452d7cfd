"""`editors/`: the extension for VS Code and the settings for other editors, as far as neither node nor an editor is needed.

What needs them runs in the soak run: the extension's own tests on node, and Neovim and Emacs without a screen.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from rulespec import AGGREGATES, BUILTINS, KEYWORDS, schema_text
from rulespec.expr.names import RESERVED
from rulespec.schema.shape import SENTENCE_WORDS
from tests.test_docs import complaints, failures

ROOT = Path(__file__).parent.parent
EDITORS = ROOT / "editors"
VSCODE = EDITORS / "vscode"
GRAMMAR = VSCODE / "syntaxes" / "rulespec.tmLanguage.json"
CONSTANTS = frozenset(("true", "false", "none"))


def data_of(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


# The words of the grammar -----------------------------------------------------------------------------------


def one_of(words: frozenset[str] | set[str]) -> str:
    """Return a pattern for any of the words, and for no word that only begins like one of them."""
    return rf"\b(?:{'|'.join(sorted(words))})\b"


def words_of_the_grammar() -> set[str]:
    """Return every word that the grammar of expressions knows."""
    grammar = (ROOT / "rulespec" / "expr" / "grammar.lark").read_text(encoding="utf-8")
    found = re.findall(r'"([a-z]+)"|/([a-z]+)\\b/', re.sub(r"//.*", "", grammar))
    return {word for pair in found for word in pair if word}


def highlighted_words() -> list[dict[str, str]]:
    """Return the patterns of all words of the language, made from its tables; the first that fits counts."""
    calls = {*BUILTINS, *AGGREGATES, "group"}
    joining = words_of_the_grammar() - SENTENCE_WORDS - CONSTANTS - RESERVED - calls
    steps = one_of(SENTENCE_WORDS)
    return [
        {"match": rf"(?:(?<=- )|(?<=[\[\"'])|(?<=, )){steps}(?= +[a-z0-9(])", "name": "keyword.control.step.rulespec"},
        {"match": rf"{one_of(calls)}(?=\s*\()", "name": "support.function.builtin.rulespec"},
        {"match": one_of(CONSTANTS), "name": "constant.language.rulespec"},
        {"match": r"\bup\s+to\b", "name": "keyword.control.rulespec"},
        {"match": one_of((KEYWORDS - CONSTANTS - {"group"}) | joining), "name": "keyword.control.rulespec"},
        {"match": one_of((RESERVED - KEYWORDS) | {"player"}), "name": "variable.language.rulespec"},
    ]


def sections() -> str:
    """Return the pattern of the keys at the left margin."""
    schema = json.loads(schema_text())["$defs"]
    keys = {*schema["game"]["properties"], *schema["house"]["properties"]}
    return rf"^({'|'.join(sorted(keys))})(:)(?=\s|$)"


def test_grammar__knows_the_words_of_the_language(update: bool) -> None:
    grammar = data_of(GRAMMAR)
    parts = grammar["repository"]
    if update:
        parts["words"]["patterns"], parts["section"]["match"] = highlighted_words(), sections()
        GRAMMAR.write_text(json.dumps(grammar, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert parts["words"]["patterns"] == highlighted_words(), "run `pytest tests/test_editors.py --update`"
    assert parts["section"]["match"] == sections(), "run `pytest tests/test_editors.py --update`"


def test_grammar__every_include_is_there() -> None:
    text = GRAMMAR.read_text(encoding="utf-8")
    included = set(re.findall(r'"include": "([^"]+)"', text))
    assert included == {"source.yaml", *(f"#{name}" for name in data_of(GRAMMAR)["repository"])}


# The manifest -----------------------------------------------------------------------------------------------


def test_manifest__names_files_that_there_are() -> None:
    manifest = data_of(VSCODE / "package.json")
    given = manifest["contributes"]
    named = [one["path"] for one in (*given["grammars"], *given["snippets"])]
    named += [one["configuration"] for one in given["languages"]]
    for name in named:
        assert data_of(VSCODE / name), name
    assert (VSCODE / "LICENSE").read_text(encoding="utf-8") == (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_manifest__commands_are_registered_and_exist() -> None:
    from referee.cli import cli

    given = data_of(VSCODE / "package.json")["contributes"]
    commands = {one["command"].removeprefix("rulespec.") for one in given["commands"]}
    assert commands == {"validate", "test", "play", "restart"}
    assert commands - {"restart"} == set(given["taskDefinitions"][0]["properties"]["verb"]["enum"])
    assert commands - {"restart"} | {"lsp"} <= cli.commands.keys()


def test_manifest__the_lock_names_no_registry() -> None:
    lock = data_of(VSCODE / "package-lock.json")
    manifest = data_of(VSCODE / "package.json")
    wanted = {**manifest["dependencies"], **manifest["devDependencies"]}
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert not any("resolved" in package for package in lock["packages"].values())


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("rulespec: 1", True),
        ("\ufeffrulespec: 1", True),
        ("# yaml-language-server: $schema=../rulespec/schema/schema.json", True),
        ("# yaml-language-server: $schema=rulespec.schema.json", True),
        ("# yaml-language-server: $schema=compose.json", False),
        ("rulespecs: 1", False),
        ("services:", False),
    ],
)
def test_manifest__the_first_line_tells(line: str, is_one: bool) -> None:
    (language,) = data_of(VSCODE / "package.json")["contributes"]["languages"]
    assert bool(re.search(language["firstLine"], line)) is is_one


# Snippets ---------------------------------------------------------------------------------------------------

FILES = data_of(VSCODE / "snippets" / "files.json")
PARTS = data_of(VSCODE / "snippets" / "rulespec.json")
# where a part goes in the game of the snippets, and what must use it there
PLACES: dict[str, tuple[str, dict[str, str]]] = {
    "a move": ("moves:\n", {"to: take\n": "to: take or pass\n"}),
    "a need": ("    needs:\n", {}),
    "a scoring rule": ("scoring:\n", {"- score harvest for p": "- score harvest, many for p"}),
    "an example": ("examples:\n", {}),
    "a place": ("places:\n", {"does:\n": "does:\n      - move all from basket[me] to taken[me]\n"}),
    "a table": ("tables:\n", {"points: count(taken[me])": "points: count(taken[me]) * worth[1]"}),
    "an option": ("options:\n", {}),
    "if": ("    does:\n", {}),
    "for each": ("play:\n", {}),
    "while": ("play:\n", {}),
    "ask": ("play:\n", {}),
}


def filled(body: list[str]) -> str:
    """Return a snippet as it is when every offer is accepted."""
    text = "\n".join(body)
    text = re.sub(r"\$\{\d+\|([^,|]*)[^}]*\}", r"\1", text)
    text = re.sub(r"\$\{\d+:((?:\\.|[^}\\])*)\}", r"\1", text)
    return re.sub(r"\\([}$\\])", r"\1", re.sub(r"\$\d", "", text))


def test_snippets__every_part_has_its_place() -> None:
    assert PLACES.keys() == PARTS.keys()


@pytest.mark.parametrize("name", FILES)
def test_snippets__a_file_is_good(name: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(filled(FILES[name]["body"]), encoding="utf-8")
    assert [d.first_line() for d in complaints(file, every=True)] == []
    assert failures(file) == []


@pytest.mark.parametrize("name", PARTS)
def test_snippets__a_part_fits_into_a_game(name: str, tmp_path: Path) -> None:
    game = filled(FILES["a game"]["body"]) + "\noptions:\n"
    above, uses = PLACES[name]
    for old, new in uses.items():
        assert game.count(old) == 1
        game = game.replace(old, new)
    depth = len(above) - len(above.lstrip()) + 2
    part = "".join(f"{' ' * depth}{line}\n" for line in filled(PARTS[name]["body"]).splitlines() if line)
    assert game.count(above) == 1
    game = game.replace(above, above + part).removesuffix("options:\n")
    file = tmp_path / "mine.yaml"
    file.write_text(game, encoding="utf-8")
    assert [d.first_line() for d in complaints(file, every=True)] == []
    assert name != "an example" or failures(file) == []


# The extension on node --------------------------------------------------------------------------------------

PACKED = {
    "LICENSE.txt",
    "changelog.md",
    "dist/LICENCES.txt",
    "dist/extension.js",
    "language-configuration.json",
    "package.json",
    "readme.md",
    "snippets/files.json",
    "snippets/rulespec.json",
    "syntaxes/rulespec.tmLanguage.json",
}


@pytest.mark.soak
def test_vscode__its_tests_pass_and_it_is_packed(tmp_path: Path) -> None:
    """In a copy, so that nothing is left in the tree: the extension's own tests, then the package and what is in it."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("npm is not installed")
    room = tmp_path / "editors" / "vscode"
    shutil.copytree(VSCODE, room, ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix"))
    (tmp_path / "games").symlink_to(ROOT / "games")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([npm, *words], cwd=room, capture_output=True, text=True, timeout=600)

    quick = (
        "--fetch-retry-mintimeout=500",
        "--fetch-retry-maxtimeout=2000",
    )  # where there is no registry, that is known soon
    done = run("ci", "--ignore-scripts", "--no-audit", "--no-fund", *quick)
    if done.returncode:
        pytest.skip(f"npm cannot install the packages: {done.stderr.strip()[-200:]}")
    done = run("test")
    assert done.returncode == 0, done.stdout[-4000:]
    assert re.search(r"^# pass (?:2[89]|[3-9]\d)$", done.stdout, re.MULTILINE), done.stdout[-400:]
    done = run("run", "package")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    with zipfile.ZipFile(room / "rulespec.vsix") as packed:
        names = {name.removeprefix("extension/") for name in packed.namelist() if name.startswith("extension/")}
        manifest = json.loads(packed.read("extension/package.json"))
        bundle = packed.read("extension/dist/extension.js").decode()
    assert names == PACKED
    assert manifest["main"] == "./dist/extension.js"
    assert 'require("vscode")' in bundle and 'require("vscode-languageclient' not in bundle
