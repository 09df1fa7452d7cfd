"""`editors/`: the extension for VS Code and the settings for other editors, as far as neither node nor an editor is needed.

What needs them runs in the soak run: the extension's own tests on node, and Neovim and Emacs without a screen.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rulespec import AGGREGATES, BUILTINS, KEYWORDS, schema_text
from rulespec.expr.names import RESERVED
from rulespec.schema.shape import SENTENCE_WORDS
from tests.debian import find_program
from tests.lsp_client import Client
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
    verbs = set(given["taskDefinitions"][0]["properties"]["verb"]["enum"])
    assert commands == {"restartServer", *(f"{verb}File" for verb in verbs)}
    assert verbs | {"lsp"} <= cli.commands.keys()


@pytest.mark.soak
def test_manifest__no_command_has_the_name_of_one_of_the_server(tmp_path: Path) -> None:
    """The client registers those of the server, and VS Code refuses a name that is taken."""
    client = Client([sys.executable, "-m", "rulespec", "lsp"], tmp_path)
    served = client.capabilities.get("executeCommandProvider", {}).get("commands", [])
    assert client.stop() == 0
    given = data_of(VSCODE / "package.json")["contributes"]
    assert not {one["command"] for one in given["commands"]} & set(served)


def test_manifest__the_lock_names_no_registry() -> None:
    lock = data_of(VSCODE / "package-lock.json")
    manifest = data_of(VSCODE / "package.json")
    wanted = {**manifest["dependencies"], **manifest["devDependencies"]}
    assert {name: lock["packages"][f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert not any("resolved" in package for package in lock["packages"].values())


@pytest.mark.parametrize("page", ["docs/editors.md", "editors/vscode/README.md"])
def test_manifest__has_the_settings_that_the_pages_show(page: str) -> None:
    given = data_of(VSCODE / "package.json")["contributes"]
    known = {*given["configuration"]["properties"], "files.associations", "yaml.schemas"}
    blocks = re.findall(r"^```json\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    assert {key for block in blocks for key in json.loads(block)} <= known


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

    server = json.dumps([sys.executable, "-m", "rulespec"])
    env = {**os.environ, "RULESPEC_COMMAND": server, "PYTHONPATH": str(ROOT)}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([npm, *words], cwd=room, env=env, capture_output=True, text=True, timeout=600)

    quick = (
        "--fetch-retry-mintimeout=500",
        "--fetch-retry-maxtimeout=2000",
    )  # where there is no registry, that is known soon
    done = run("ci", "--ignore-scripts", "--no-audit", "--no-fund", *quick)
    if done.returncode:
        pytest.skip(f"npm cannot install the packages: {done.stderr.strip()[-200:]}")
    done = run("test")
    assert done.returncode == 0, done.stdout[-4000:]
    assert re.search(r"^# pass [3-9]\d$", done.stdout, re.MULTILINE), done.stdout[-400:]
    assert "# skipped 0\n" in done.stdout
    done = run("run", "package")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    with zipfile.ZipFile(room / "rulespec.vsix") as packed:
        names = {name.removeprefix("extension/") for name in packed.namelist() if name.startswith("extension/")}
        manifest = json.loads(packed.read("extension/package.json"))
        bundle = packed.read("extension/dist/extension.js").decode()
    assert names == PACKED
    assert manifest["main"] == "./dist/extension.js"
    assert 'require("vscode")' in bundle and 'require("vscode-languageclient' not in bundle


# The settings of other editors ------------------------------------------------------------------------------

SETTINGS = {"neovim-0.7.lua": "lua", "neovim-0.11.lua": "lua", "helix.toml": "toml", "emacs.el": "elisp"}
DOC = ROOT / "docs" / "editors.md"


def test_document__has_the_files_word_for_word() -> None:
    shown = re.findall(r"^```(lua|toml|elisp)\n(.*?)^```$", DOC.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert shown == [(kind, (EDITORS / name).read_text(encoding="utf-8")) for name, kind in SETTINGS.items()]
    assert {path.name for path in EDITORS.iterdir()} == {*SETTINGS, "vscode"}


def test_helix__starts_a_command_that_there_is() -> None:
    from referee.cli import cli

    helix = tomllib.loads((EDITORS / "helix.toml").read_text(encoding="utf-8"))
    (served,) = helix["language-server"].values()
    (language,) = helix["language"]
    assert language["name"] == "yaml" and language["language-servers"][0] in helix["language-server"]
    assert "formatter" not in language  # it would be used for every YAML file
    assert served["command"] == "rulespec"
    cli.commands[served["args"][0]].make_context(served["args"][0], served["args"][1:])


MINE = """rulespec: 1
extends: site-packages/rulespec/games/pebbles.yaml
game: Mine
change:
  tables: {most:   2}
  scoring:
    many:
      text: two points for five or more
      points: if coutn(taken[me]) >= 5 then 2 else 0
  play: {add: [{for each: p in player, do: [score many for p]}]}
"""
OURS = """rulespec: 1
extends: own.yaml
game: Ours
change:
  tables: {most: 2}
"""


@dataclass(frozen=True, slots=True)
class Desk:
    """A folder with a house rule with one mistake, the game it extends, another pair of files, and a YAML file of another kind."""

    folder: Path

    def lay(self) -> None:
        games = self.folder / "site-packages" / "rulespec" / "games"
        games.mkdir(parents=True)
        game = filled(FILES["a game"]["body"])
        files = {
            "site-packages/rulespec/games/pebbles.yaml": game,
            "own.yaml": game,
            "ours.yaml": OURS,
            "mine.yaml": MINE,
            "compose.yaml": "services: {}\n",
        }
        for name, text in files.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    def environment(self) -> dict[str, str]:
        """Return variables with which an editor finds our server and no settings of the person who runs the tests."""
        ways = {
            "HOME": "home",
            "XDG_CONFIG_HOME": "home",
            "XDG_DATA_HOME": "home",
            "XDG_STATE_HOME": "home",
            "XDG_CACHE_HOME": "home",
        }
        files = {"ANSWERS": "answers.json", "OWN": "own.yaml", "OURS": "ours.yaml", "OTHER": "compose.yaml"}
        named = {key: str(self.folder / name) for key, name in {**ways, **files}.items()}
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        return {**os.environ, **named, "PATH": path, "ALTERNATE_EDITOR": ""}

    def drive(self, *command: str) -> dict[str, Any]:
        """Return the answers that an editor got."""
        (self.folder / "home").mkdir()
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=400,
            stdin=subprocess.DEVNULL,
        )
        file = self.folder / "answers.json"
        assert file.exists(), done.stdout[-2000:] + done.stderr[-2000:]
        found: dict[str, Any] = data_of(file)
        assert "wrong" not in found, found["wrong"]
        return found

    def check(self, found: dict[str, Any]) -> None:
        """Compare the answers with what they should be."""
        ((line, code, message),) = found["diagnostics"]
        assert (line, code) == (9, "name-unknown")
        assert "did you mean `count`?" in message
        assert "taken[player]" in found["hover"]
        assert {"taken", "most"} <= set(found["completion"])
        name, text, *locked = found["definition"]
        assert (name, text) == ("pebbles.yaml", "  taken[player]: {pile: pebble}")
        assert locked == [True, False]  # read-only, not writable
        assert found["own"] == [False, True]
        before, after = found["formatted"]
        assert "{most:   2}" in before
        assert "{most: 2}" in after and after == before.replace("{most:   2}", "{most: 2}")
        assert found["other"] == 0
        assert found["fix"] == "Change `coutn` to `count`"
        assert found["fixed"] == MINE.replace("coutn", "count")
        assert found["renamed"] is True
        for file in ("own.yaml", "ours.yaml"):
            text = (self.folder / file).read_text(encoding="utf-8")
            assert "limit" in text and "most:" not in text, file


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.lay()
    return made


@pytest.mark.soak
def test_neovim__with_the_settings_of_the_docs(desk: Desk) -> None:
    neovim = find_program("Neovim", lambda: shutil.which("nvim"), ("neovim",))
    settings, driver = EDITORS / "neovim-0.7.lua", ROOT / "tests" / "editors" / "drive.lua"
    desk.check(
        desk.drive(
            neovim, "--headless", "-n", "-i", "NONE", "-u", str(settings), "mine.yaml", "-c", f"luafile {driver}"
        )
    )


def emacs_with_eglot() -> str | None:
    """Return the path of an Emacs that has Eglot: its own from 29 on, before that a package."""
    emacs = shutil.which("emacs")
    load = "(progn (package-initialize) (require 'eglot))"
    there = emacs and subprocess.run([emacs, "--batch", "--eval", load], capture_output=True).returncode == 0
    return emacs if there else None


@pytest.mark.soak
def test_emacs__with_the_settings_of_the_docs(desk: Desk) -> None:
    emacs = find_program("Emacs with Eglot", emacs_with_eglot, ("emacs-nox", "elpa-eglot"))
    settings, driver = EDITORS / "emacs.el", ROOT / "tests" / "editors" / "drive.el"
    desk.check(
        desk.drive(emacs, "--batch", "--eval", "(package-initialize)", "--load", str(settings), "--load", str(driver))
    )


@pytest.mark.soak
@pytest.mark.parametrize("name", ["mine.yaml", "compose.yaml"])
def test_neovim__newer_settings_start_the_server_for_rule_files_only(name: str, desk: Desk) -> None:
    """Debian's Neovim has not what these settings call: a stand-in records it."""
    neovim = find_program("Neovim", lambda: shutil.which("nvim"), ("neovim",))
    before = (
        "lua vim.lsp.config = function(name, given) used = { name = name, given = given } end "
        "vim.lsp.enable = function(name) enabled = name end"
    )
    after = (
        "lua local root; used.given.root_dir(0, function(found) root = found end); "
        "vim.fn.writefile({ vim.fn.json_encode({ used.name, enabled, used.given.cmd, used.given.filetypes, root or '' }) }, vim.env.ANSWERS)"
    )
    settings = str(EDITORS / "neovim-0.11.lua")
    words = ("--headless", "-n", "-i", "NONE", "--cmd", before, "-u", settings, name, "-c", after, "-c", "qall!")
    found: Any = desk.drive(neovim, *words)
    root = str(desk.folder) if name == "mine.yaml" else ""
    assert found == ["rulespec", "rulespec", ["rulespec", "lsp"], ["yaml"], root]
