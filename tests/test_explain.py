"""Every code has a page, and every page is true: its wrong file gives just that message, its fixed file gives none.

A page in `docs/errors/` has three parts: `## Wrong`, `## What is said` and `## Fixed`. Blocks of YAML are whole files, named
in their first line; the last file of the wrong ones is validated, and the fixed ones replace those of the same name. A
comment before a block says what cannot be shown:

    <!-- n from 1 to 17 -->              lines with «n» stand there so often; if the name has it, the whole file
    <!-- n from 1 to 13, long -->        the same, and it takes so long that it is tried only in the soak run
    <!-- ␇ is the character U+0007 -->   for characters that cannot be seen
    <!-- a folder -->                    there is a folder of this name
    <!-- a link to … -->                 there is a symbolic link of this name
    <!-- rulespec validate … -->         what is validated, if it is not just the last file

`pytest tests/test_explain.py --update` writes what is said; then read the difference.
"""

from __future__ import annotations

import io
import re
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from interpreter import RuleFileError, load
from referee.cli import main
from rulespec.diagnostics.diagnostic import render
from rulespec.diagnostics.pages import as_terminal_text, known_codes, meaning_of, page_of
from tests.sizes import size

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs" / "errors").glob("*.md"))
PARTS = re.compile(
    r"(?P<wrong>.*?\n## Wrong\n.*?)\n## What is said\n\n```text\n(?P<said>.*?)```\n\n## Fixed\n(?P<fixed>.*)",
    re.DOTALL,
)
FILE = re.compile(r"(?:<!-- (?P<mark>[^\n]*) -->\n)?```yaml\n# (?P<name>\S+)\n(?P<text>.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"<!-- rulespec validate (.*) -->")


def write(part: str, folder: Path) -> str:
    """Write the files of a part of a page; the name of the last one."""
    name = ""
    for m in FILE.finditer(part):
        mark, name, text = m["mark"] or "", m["name"], f"# {m['name']}\n{m['text']}"
        numbers = re.match(r"n from (\d+) to (\d+)", mark)
        if mark == "a folder":
            (folder / name).mkdir()
        elif mark.startswith("a link to "):
            (folder / name).symlink_to(mark.removeprefix("a link to "))
        elif letter := re.match(r"(.) is the character U\+([0-9A-F]+)", mark):
            (folder / name).write_text(text.replace(letter[1], chr(int(letter[2], 16))), encoding="utf-8")
        elif numbers and "«n»" in name:
            for n in range(int(numbers[1]), int(numbers[2]) + 1):
                (folder / numbered(name, n)).write_text(numbered(text, n), encoding="utf-8")
        else:
            if numbers:
                text = repeated(text, range(int(numbers[1]), int(numbers[2]) + 1))
            remove(folder / name)
            (folder / name).write_text(text, encoding="utf-8")
    command = COMMAND.search(part)
    return command[1] if command else name


def repeated(text: str, numbers: range) -> str:
    return re.sub(r".*«n».*\n", lambda line: "".join(numbered(line[0], n) for n in numbers), text)


def numbered(text: str, n: int) -> str:
    return text.replace("«n»", str(n)).replace("«n+1»", str(n + 1))


def remove(path: Path) -> None:
    """Remove a folder or a link, to make room for a file."""
    if path.is_symlink():
        path.unlink()
    elif path.is_dir():
        path.rmdir()


def run(words: str, folder: Path) -> str:
    """Return what `rulespec validate` prints, without the last line about the file as a whole."""
    out = io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(out), pytest.raises(SystemExit):
        main(["validate", *shlex.split(words)])
    return out.getvalue().replace(f"{ROOT}/", "")


def marks_of(page: Path) -> list[pytest.MarkDecorator]:
    return [pytest.mark.soak] if ", long -->" in page.read_text(encoding="utf-8") else []


def parts_of(page: Path) -> re.Match[str]:
    parts = PARTS.fullmatch(page.read_text(encoding="utf-8"))
    assert parts, f"{page.name} lacks a part"
    return parts


@pytest.mark.sized
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=marks_of(page), id=page.stem) for page in PAGES][:: size(3, 1)]
)
def test_page__wrong_file_gives_the_message_and_fixed_file_none(page: Path, tmp_path: Path, update: bool) -> None:
    parts = parts_of(page)
    if python := PYTHON.search(parts["wrong"]):
        said = message_of(python[1])
        fixed = PYTHON.search(parts["fixed"])
        assert fixed
        eval(fixed[1], {"load": load})
    else:
        file = write(parts["wrong"], tmp_path)
        *said_of_it, _ = run(file, tmp_path).rstrip("\n").split("\n\n")
        said = "\n\n".join(said_of_it)
        write(parts["fixed"], tmp_path)
        printed = run(file, tmp_path)
        assert re.fullmatch(r".*: good \(.*\)\n(?:.*\n)*", printed), printed
    if update:
        text = page.read_text(encoding="utf-8")
        page.write_text(text[: parts.start("said")] + said + "\n" + text[parts.end("said") :], encoding="utf-8")
    else:
        assert said + "\n" == parts["said"]
    codes = re.findall(r"^\S+: (?:error|warning|note)\[([a-z-]+)\]", said, re.MULTILINE)
    assert codes == [page.stem], said


def message_of(code: str) -> str:
    with pytest.raises(RuleFileError) as error:
        eval(code, {"load": load})
    return "\n\n".join(render(d) for d in error.value.diagnostics)


def test_pages__are_those_of_the_codes_listed() -> None:
    """The list of codes is compared with the program by the test of the documentation."""
    errors = (ROOT / "docs" / "errors.md").read_text("utf-8")
    listed = dict(
        re.findall(r"^\| (?:\[`|`)([a-z]+-[a-z-]+)`(?:\]\(errors/\1\.md\))? \| (.*) \|$", errors, re.MULTILINE)
    )
    assert sorted(listed) == known_codes()
    for code, meaning in listed.items():
        assert (code, meaning_of(code)) == (code, f"{meaning[0].upper()}{meaning[1:]}.")


def test_explain__prints_the_page(tmp_path: Path) -> None:
    printed = run("--explain type-none", tmp_path)
    page = page_of("type-none")
    assert page is not None
    assert printed == as_terminal_text(page) + "\n"
    assert "```" not in printed and "<!--" not in printed and "WRONG\n" in printed
    assert "    winner:\n      most points: score[me]\n" in printed


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("name-unkown", "Error: no code called `name-unkown`; did you mean `name-unknown`?\n"),
        ("E0425", "Error: no code called `E0425`; the codes are afterwards-chance, "),
    ],
)
def test_explain__an_unknown_code(code: str, said: str, tmp_path: Path) -> None:
    assert said in run(f"--explain {code}", tmp_path)


def test_explain__pages_are_in_the_wheel() -> None:
    """The build takes in the pages that `--explain` looks for."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included["docs/errors"] == "rulespec/explanations"
