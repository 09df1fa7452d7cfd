"""Shell completion, asked as shells ask: through the environment, and by bash itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from referee.cli import cli
from referee.cli.complete import COMPLETERS, completer_of
from tests.sticks import sticks

ROOT = Path(__file__).parent.parent
bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash on this machine")


def environment(folder: Path) -> dict[str, str]:
    """Return one in which `rulespec` is a command."""
    command = folder / "rulespec"
    if not command.exists():
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulespec "$@"\n')
        command.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


def zsh_like(folder: Path, *words: str) -> dict[str, str]:
    """Return how the last word goes on, with what each word means: as zsh asks and is answered."""
    asked = {"_RULESPEC_COMPLETE": "zsh_complete", "COMP_WORDS": " ".join(["rulespec", *words])}
    asked["COMP_CWORD"] = str(len(words))
    done = subprocess.run(
        ["rulespec"], env={**environment(folder), **asked}, capture_output=True, timeout=60, text=True, check=True
    )
    lines = done.stdout.strip().splitlines()
    assert len(lines) % 3 == 0 and done.stderr == ""
    return {
        value: text for kind, value, text in zip(lines[::3], lines[1::3], lines[2::3], strict=True) if kind == "plain"
    }


def test_words__of_every_kind(tmp_path: Path) -> None:
    assert {"play", "perft"} <= zsh_like(tmp_path, "p").keys()
    assert zsh_like(tmp_path, "play", "pav") == {"pavilion": "Azul: Summer Pavilion"}
    assert list(zsh_like(tmp_path, "play", "base", "--pl")) == ["--players", "--plain"]
    assert list(zsh_like(tmp_path, "play", "base", "--set", "jokers=")) == ["jokers=without", "jokers=with"]
    assert list(zsh_like(tmp_path, "engine", "base", "--players", "")) == ["2", "3", "4"]


def test_words__of_a_rule_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("rulespec: 1\nextends: sintra\ngame: Mine\n", encoding="utf-8")
    assert "palace_side=b" in zsh_like(tmp_path, "play", str(file), "--set", "palace_side=")
    (tmp_path / "bad.yaml").write_text("rulespec: [", encoding="utf-8")
    assert zsh_like(tmp_path, "play", str(tmp_path / "bad.yaml"), "--set", "") == {}
    assert zsh_like(tmp_path, "play", "no_such_game", "--players", "") == {}
    assert zsh_like(tmp_path, "play", "--set", "") == {}


def test_parameters__of_the_table_are_completed_in_every_command() -> None:
    found = {parameter.name for command in cli.commands.values() for parameter in command.params}
    assert COMPLETERS.keys() - found <= {"extends"}
    for command in cli.commands.values():
        for parameter in command.params:
            if parameter.metavar == "FILE" or parameter.name in COMPLETERS:
                assert completer_of(parameter) is not None


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_help__of_every_command_has_an_example(name: str) -> None:
    shown = re.findall(rf"rulespec {name}\b.*", cli.commands[name].help or "")
    assert shown, f"rulespec {name} --help shows no example"


# Bash ----------------------------------------------------------------------------------------------------


@cache
def bash_completion() -> str:
    """Return what bash reads at its start; `test_bash__at_a_terminal` lets it read that itself."""
    command = [sys.executable, "-m", "rulespec", "completion", "bash"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, text=True, check=True).stdout


def bash_like(folder: Path, *words: str) -> list[str]:
    """Return what bash would offer for the last of these words, which are cut at `=` as bash cuts them."""
    pieces: list[str] = ["rulespec"]
    for word in words:
        head, equals, tail = word.partition("=")
        pieces += [piece for piece in (head, equals, tail) if piece] or [""]
    quoted = " ".join(f"'{piece}'" for piece in pieces)
    (folder / "completion").write_text(bash_completion())
    script = (
        "source ./completion\n"
        f"COMP_WORDS=({quoted}); COMP_CWORD={len(pieces) - 1}\n"
        'compopt() { :; }\n_rulespec_completion rulespec\nprintf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        env=environment(folder),
        capture_output=True,
        timeout=60,
        text=True,
        check=True,
        cwd=folder,
    )
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


@bash
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["gam"], ["games"]),
        (["play", "pav"], ["pavilion"]),
        (["play", "base", "--set", "wal"], ["wall_side=coloured", "wall_side=grey"]),
        (["play", "base", "--set", "wall_side="], ["coloured", "grey"]),
        (["play", "base", "--set", "wall_side=g"], ["grey"]),
        (["play", "base", "--set", "wall_side=grey", "--set", "jokers=wi"], ["without", "with"]),
        (["play", "base", "--seats", "human,f"], ["human,fair", "human,far"]),
        (["play", "base", "--seats", "Anna=human,Ben=s"], ["strong", "search"]),
        (["play", "base", "--seats", "Anna=hu"], ["human"]),
        (["play", "base", "--house", "house/cr"], ["house/cruel_floor"]),
        (["play", "base", "--players=3", "--first", ""], ["1", "2", "3", "4"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
    ],
)
def test_bash__offers(tmp_path: Path, words: list[str], offered: list[str]) -> None:
    assert [word for word in bash_like(tmp_path, *words) if word != words[-1]] == offered


HARMFUL = [
    "a;touch${IFS}x",
    "$(touch x)",
    "`touch x`",
    "a b",
    "*",
    "~",
    "a&b",
    "a|b",
    "a>b",
    "'a",
    '"a',
    "a\\\\b",
    "!a",
    "#a",
    "a{b,c}",
]


@bash
def test_words__of_a_rule_file_mean_nothing_to_a_shell(tmp_path: Path) -> None:
    choices = "".join(f"    {json.dumps(name)}: {{text: harm, change: {{tables: {{most: 2}}}}}}\n" for name in HARMFUL)
    options = f"options:\n  heap:\n    plain: {{text: usual}}\n{choices}"
    (tmp_path / "evil.yaml").write_text(sticks() + options, encoding="utf-8")
    assert zsh_like(tmp_path, "play", str(tmp_path / "evil.yaml"), "--set", "heap=").keys() == {"heap=plain"}
    assert bash_like(tmp_path, "play", "evil.yaml", "--set", "heap=") == ["plain"]


@bash
def test_bash__at_a_terminal(tmp_path: Path) -> None:
    """A person presses the tab key."""
    pexpect = pytest.importorskip("pexpect")
    shell = pexpect.spawn(
        "bash", ["--norc", "--noprofile"], env={**environment(tmp_path), "PS1": "$ ", "TERM": "dumb"}, encoding="utf-8"
    )
    shell.sendline('eval "$(rulespec completion bash)"; echo rea""dy')
    shell.expect("ready", timeout=60)
    shell.sendline("set +o emacs; set -o emacs; bind 'set enable-bracketed-paste off'; echo no\"\"w")
    shell.expect("now", timeout=60)
    shell.send("rulespec")
    shell.send(" play pav\t")
    shell.expect("pavilion", timeout=60)
    shell.send(" --set side=gr\t")
    shell.expect("side=grey", timeout=60)
    shell.sendcontrol("u")  # not an interrupt: bash may lose its prompt if it comes while words are looked for
    shell.sendline("exit")
    shell.expect(pexpect.EOF, timeout=60)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion__prints_a_script(tmp_path: Path, shell: str) -> None:
    done = subprocess.run(
        ["rulespec", "completion", shell], env=environment(tmp_path), capture_output=True, text=True, check=True
    )
    assert f"_RULESPEC_COMPLETE={shell}_complete" in done.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=done.stdout, text=True, check=True)
