"""The one layout of rule files: what it looks like, that it is stable, and that it never changes what a file says."""

from __future__ import annotations

import json
import os
import random
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cli import main
from rulespec.diagnostics.diagnostic import GAMES_FOLDER, RuleFileError
from rulespec.format.comments import find_marks
from rulespec.format.formatter import content, format_text
from rulespec.rules import open_rules
from rulespec.yaml.nodes import Text
from rulespec.yaml.source import read_source
from tests.test_docs import DOCS, FILE, blocks

ROOT = Path(__file__).parent.parent
SHIPPED = sorted((ROOT / "games").rglob("*.yaml"))


def comments(text: str) -> list[str]:
    return [c.text for c in find_marks(Text("f", text), read_source("f", text)).comments]


def laid_out(text: str) -> str:
    """Return the formatted text, after checking all that must hold for any text."""
    result = format_text(text)
    assert content(read_source("f", result)) == content(read_source("f", text))
    assert comments(result) == comments(text.replace("\r\n", "\n"))
    assert format_text(result) == result
    return result


# What it looks like ---------------------------------------------------------------------------------------

CASES = {
    "indentation": ("a:\n    b:\n        c: 1\n", "a:\n  b:\n    c: 1\n"),
    "a list under its key": ("a:\n- b\n-   c\n", "a:\n  - b\n  - c\n"),
    "a map in a list": ("a:\n-   if: x\n    then:\n    - y\n", "a:\n  - if: x\n    then:\n      - y\n"),
    "a list in a list": ("a:\n-  - 1\n   - 2\n", "a:\n  - - 1\n    - 2\n"),
    "spaces after the colon": ("a:    1\n", "a: 1\n"),
    "a value below its key": ("a:\n  1\n", "a: 1\n"),
    "a long value below its key": (f"a:\n      {'x ' * 60}y\n", f"a:\n  {'x ' * 60}y\n"),
    "an empty value": ("a:   \nb: 1\n", "a:\nb: 1\n"),
    "brackets": ("a: { b:  1 ,c: [ 1,2 ] }\n", "a: {b: 1, c: [1, 2]}\n"),
    "brackets over several lines that fit into one": ("a: [\n  1,\n  2,\n]\n", "a: [1, 2]\n"),
    "a key alone in brackets": ("a: {b, c: 1}\n", "a: {b, c: 1}\n"),
    "brackets in quotes": ("a: [\"b[1]\",  '{x}']\n", "a: [\"b[1]\", '{x}']\n"),
    "blanks at the end of a line": ("a: 1  \n", "a: 1\n"),
    "empty lines": ("\n\na: 1\n\n\n\nb: 2\n\n", "a: 1\n\nb: 2\n"),
    "no line break at the end": ("a: 1", "a: 1\n"),
    "a byte order mark": ("\ufeffa: 1\n", "a: 1\n"),
    "a text of several lines": ("a: |\n      x\n        y\n\n      z\n", "a: |\n  x\n    y\n\n  z\n"),
    "a text that begins with a blank": ("a: |1\n   x\n y\n", "a: |2\n    x\n  y\n"),
    "a text without its last line break": ("a: |-\n    x\nb: 1\n", "a: |-\n  x\nb: 1\n"),
    "a text that keeps its empty lines": ("a: |+\n    x\n\n\nb: 1\n", "a: |+\n  x\n\n\nb: 1\n"),
    "a folded text": ("a: >\n    x\n    y\n", "a: >\n  x\n  y\n"),
    "a plain text of several lines": ("a: x\n      y\nb: 1\n", "a: x\n  y\nb: 1\n"),
    "a quoted text of several lines": ('a: "x\n\n      y"\n', 'a: "x\n\n  y"\n'),
    "a comment in a line": ("a: 1 # one\n", f"a: 1{' ' * 36}# one\n"),
    "a comment after a long line": (f"a: {'x' * 40} # one\n", f"a: {'x' * 40}  # one\n"),
    "a comment after a key": ("a:  # below\n    b: 1\n", f"a:{' ' * 38}# below\n  b: 1\n"),
    "a comment after the sign of a text": ("a: |  # text\n    x # y\n", f"a: |{' ' * 36}# text\n  x # y\n"),
    "a comment before its line": ("a:\n        # one\n    b: 1\n", "a:\n  # one\n  b: 1\n"),
    "a comment too far to the left": ("a:\n# one\n    b: 1\n", "a:\n  # one\n  b: 1\n"),
    "a comment that ends a block": ("a:\n    b: 1\n    # end\nc: 2\n", "a:\n  b: 1\n  # end\nc: 2\n"),
    "rules that were taken out": (
        "a:\n    b: 1\n    # c:\n        # d: 1\n            # e: 2\n        # f: 3\n    g: 4\n",
        "a:\n  b: 1\n  # c:\n      # d: 1\n          # e: 2\n      # f: 3\n  g: 4\n",
    ),
    "rules that were taken out where blocks end": (
        "a:\n   b:\n      c: 1\n      # d:\n         # e: 1\n\n   # f:\n      # g:\n\n         # h: 1\ni: 2\n",
        "a:\n  b:\n    c: 1\n    # d:\n       # e: 1\n\n  # f:\n    # g:\n\n       # h: 1\ni: 2\n",
    ),
    "rules that were taken out at the end": ("a: 1\n# b:\n  # c: 1\n", "a: 1\n# b:\n  # c: 1\n"),
    "a comment beside its line, below one too far to the left": (
        "a:\n    b: 1\n# one\n    # two\n    c: 1\n",
        "a:\n  b: 1\n  # one\n  # two\n  c: 1\n",
    ),
    "a comment at the end": ("a: 1\n\n# end\n", "a: 1\n\n# end\n"),
    "a comment after a dash": ("a:\n-  # one\n   b: 1\n", "a:\n  # one\n  - b: 1\n"),
    "a comment between key and value": ("a:\n  # one\n  1\n", "a:\n  # one\n  1\n"),
    "comments in brackets": (
        "a: [ # one\n  1, # two\n  # three\n  2 ]\n",
        f"a: [{' ' * 36}# one\n  1,{' ' * 36}# two\n  # three\n  2]\n",
    ),
    "a comment before the last bracket": ("a: [1 # one\n  ]\n", f"a: [1{' ' * 35}# one\n  ]\n"),
    "a `#` that is no comment": ("a: x#y\nb: '# z'\nc: \"#fff\"\n", "a: x#y\nb: '# z'\nc: \"#fff\"\n"),
    "the mark of a document": ("---\na: 1\n", "a: 1\n"),
    "a file in brackets": ("{a: 1,\n b: 2}\n", "{a: 1, b: 2}\n"),
    "keys in quotes": ('"a[1]":   1\n', '"a[1]": 1\n'),
    "a question mark": ("? a\n: 1\n", "a: 1\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_layout__of(name: str) -> None:
    before, after = CASES[name]
    assert laid_out(before) == after


def test_layout__long_brackets_are_broken_at_commas() -> None:
    items = [f"item_{n}" for n in range(40)]
    result = laid_out(f"a: [{','.join(items)}]\n")
    first, *others = result.splitlines()
    assert first.startswith("a: [item_0, item_1") and len(first) <= 120
    assert others and all(line.startswith("  item_") and len(line) <= 120 for line in others)


def test_layout__breaks_in_long_brackets_stay() -> None:
    rows = [", ".join(f"item_{n}_{m}" for m in range(8)) for n in range(3)]
    text = "a: [" + ",\n  ".join(rows) + "]\n"
    assert laid_out(text) == text
    assert laid_out(text.replace("\n  ", "\n          ")) == text


def test_layout__line_ends_stay() -> None:
    assert format_text("a:   1\r\nb: 2\r\n") == "a: 1\r\nb: 2\r\n"
    assert format_text("a:   1\nb: 2\r\n") == "a: 1\nb: 2\n"
    assert format_text("a:   1\rb: 2\r") == "a: 1\nb: 2\n"


def test_broken_file__is_refused() -> None:
    with pytest.raises(RuleFileError, match="yaml-duplicate-key"):
        format_text("a: 1\na: 2\n")


# The shipped files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped__is_laid_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert laid_out(text) == text, f"run `rulespec fmt {path}`"


@pytest.mark.parametrize("doc", DOCS, ids=lambda doc: doc.stem)
def test_documents__are_laid_out_but_for_their_comments(doc: Path) -> None:
    """Documents set their comments as it reads best; all else is as `fmt` writes it."""

    def bare(text: str) -> list[str]:
        return [re.sub(r"\s+# .*", "", line) for line in text.splitlines()]

    for block in blocks(doc, "yaml"):
        if FILE.match(block.text) and "refused" not in block.mark:
            assert bare(laid_out(block.text)) == bare(block.text), f"{doc.name}:{block.line}"


def mangled(text: str, rng: random.Random) -> str:
    """Return the same file, carelessly laid out: what `fmt` makes of it must not depend on any of this."""
    step = rng.choice([3, 4, 7])
    out, in_text = [], -1
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip(" "))
        if not line.strip():
            out += [""] * rng.randint(1, 3) if in_text < 0 else [""]
            continue
        if in_text >= 0 and indent > in_text:  # a block of text keeps its inner blanks
            out.append(" " * ((in_text // 2 + 1) * step + indent - in_text - 2) + line.lstrip(" "))
            continue
        in_text = indent if re.search(r": [|>][-+]?( +#.*)?$", line) else -1
        code, comment = re.fullmatch(r"(.*?)(?: +)?(# .*)?", line.strip()).groups()  # type: ignore[union-attr]
        if code.count('"') % 2 or code.startswith("- ") or (comment and not code):
            code, comment = line.strip(), ""
        if comment:
            comment = " " * rng.randint(1, 9) + comment
        if not code.startswith("- "):
            out.append(
                " " * (indent // 2 * step)
                + code
                + (comment or "")
                + " " * (rng.randint(0, 2) if code[-1] != '"' else 0)
            )
        else:
            out.append(" " * (indent // 2 * step) + "-" + " " * (step - 1) + code[2:])
    return "\n".join(out) + "\n"


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped__carelessly_laid_out_comes_back(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    careless = mangled(text, random.Random(path.stem))
    assert careless != text
    assert format_text(careless) == text  # which refuses to change what a file says


def test_shipped__plays_the_same(tmp_path: Path) -> None:
    text = (ROOT / "games" / "base.yaml").read_text(encoding="utf-8")
    (tmp_path / "a.yaml").write_text(mangled(text, random.Random(1)), encoding="utf-8")
    (tmp_path / "b.yaml").write_text(text, encoding="utf-8")
    assert open_rules(tmp_path / "a.yaml").fingerprint({}) == open_rules(tmp_path / "b.yaml").fingerprint({})


# Any text -------------------------------------------------------------------------------------------------

words = st.sampled_from(
    ["a", "b c", "x[1]", "1..5", "'it''s'", '"# q"', "no", "7", "count(a) > 0", '"{n}"', "~", "x #"]
)
names = st.sampled_from([f"k{n}" for n in range(9)] + ['"q k"', "on[x]"])
blanks = st.sampled_from(["", "", "", "\n", "\n\n", "# c\n", "  # d\n", "      # e\n\n"])


@st.composite
def flows(draw: st.DrawFn, depth: int = 0) -> str:
    kind = draw(st.integers(0, 2 if depth < 2 else 0))
    if kind == 0:
        return str(draw(words.filter(lambda w: not re.search(r"[\[\]#]", w) or w[0] in "'\"")))
    sep = draw(st.sampled_from([", ", ",", " ,  ", ",\n          ", ", # f\n          "]))
    parts = draw(st.lists(flows(depth + 1), max_size=5))
    if kind == 1:
        return (
            "["
            + draw(st.sampled_from(["", " ", "\n          "]))
            + sep.join(parts)
            + draw(st.sampled_from(["", " "]))
            + "]"
        )
    keys = draw(st.lists(st.sampled_from("abcdefg"), min_size=len(parts), max_size=len(parts), unique=True))
    return "{" + sep.join(f"{k}: {p}" for k, p in zip(keys, parts)) + "}"


@st.composite
def maps(draw: st.DrawFn, indent: int = 0, depth: int = 0) -> str:
    out = ""
    for key in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        out += draw(blanks) + " " * indent + key + ":" + draw(values(indent, depth))
    return out


@st.composite
def values(draw: st.DrawFn, indent: int, depth: int) -> str:
    """Return what stands after a key, line break included."""
    comment = draw(st.sampled_from(["", "", " # t", "    # u"]))
    more = indent + draw(st.integers(1, 5))
    match draw(st.integers(0, 7 if depth < 3 else 4)):
        case 0:
            return f" {draw(words)}{comment}\n".replace("x # ", "x  # ")
        case 1:
            return f"{comment}\n"
        case 2:
            return f"  {draw(flows())}{comment}\n"
        case 3:
            sign = draw(st.sampled_from(["|", ">", "|-", "|+", ">-"]))
            lines = draw(st.lists(st.sampled_from(["x", "  y", "# z", "", "w  "]), min_size=1, max_size=4))
            body = "".join(f"{' ' * more}{line}".rstrip() + "\n" if line else "\n" for line in ["p", *lines])
            return f" {sign}{comment}\n{body}"
        case 4:
            return f"{comment}\n{draw(blanks)}{' ' * more}{draw(words)}\n"
        case 5:
            return f"{comment}\n{draw(maps(more, depth + 1))}"
        case 6:
            dash = indent + draw(st.integers(0, 3))
            items = [draw(words) for _ in range(draw(st.integers(1, 3)))]
            return f"{comment}\n" + "".join(f"{draw(blanks)}{' ' * dash}-  {item}\n" for item in items)
        case _:
            dash = indent + draw(st.integers(0, 3))
            inner = draw(maps(dash + 3, depth + 1))
            at = len(inner) - len(inner.lstrip("\n #cde"))
            if inner[at : at + 1] == "k" and inner[:at].strip(" ") == "":
                return f"{comment}\n{' ' * dash}-  {inner.lstrip(' ')}"
            return f"{comment}\n{' ' * dash}-\n{inner}"


@given(maps())
def test_any_text__is_laid_out_and_says_the_same(text: str) -> None:
    try:
        read_source("f", text)
    except RuleFileError:
        return  # not every text of this kind is one
    laid_out(text)


# The command ----------------------------------------------------------------------------------------------


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        main(["fmt", *words])
    return int(str(end.value.code))


def test_fmt__writes_files_and_keeps_their_permissions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a:   1\r\n")
    path.chmod(0o640)
    assert run(str(path)) == 0
    assert path.read_bytes() == b"a: 1\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert capsys.readouterr().out == f"{path}: reformatted\n1 file, 1 reformatted\n"
    assert os.listdir(tmp_path) == ["a.yaml"]
    assert run(str(path)) == 0
    assert capsys.readouterr().out == "1 file, 0 reformatted\n"


def test_fmt__follows_links(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a:   1\n")
    (tmp_path / "b.yaml").symlink_to("a.yaml")
    assert run(str(tmp_path / "b.yaml")) == 0
    assert (tmp_path / "b.yaml").is_symlink() and (tmp_path / "a.yaml").read_text() == "a: 1\n"


def test_fmt_check__names_files_and_leaves_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.yaml").write_text("a: 1\n")
    (tmp_path / "bad.yaml").write_text("a:   1\n")
    assert run("--check", str(tmp_path)) == 1
    assert (
        capsys.readouterr().out == f"{tmp_path / 'bad.yaml'}: would be reformatted\n2 files, 1 would be reformatted\n"
    )
    assert (tmp_path / "bad.yaml").read_text() == "a:   1\n"
    (tmp_path / "bad.yaml").unlink()
    assert run("--check", str(tmp_path)) == 0


def test_fmt_diff__shows_what_would_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a:   1\nb: 2\n")
    assert run("--diff", str(path)) == 0
    out = capsys.readouterr().out
    assert "-a:   1\n+a: 1\n b: 2\n" in out and f"--- {path}" in out
    assert path.read_text() == "a:   1\nb: 2\n"


def test_fmt__broken_file_is_left_and_others_are_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.yaml").write_text("a: [1\nb:   2\n")
    (tmp_path / "good.yaml").write_text("a:   1\n")
    assert run(str(tmp_path / "bad.yaml"), str(tmp_path / "good.yaml")) == 1
    out, err = capsys.readouterr()
    assert (tmp_path / "bad.yaml").read_text() == "a: [1\nb:   2\n"
    assert (tmp_path / "good.yaml").read_text() == "a: 1\n"
    assert "error[yaml-syntax]" in err and "bad.yaml" in err
    assert out.endswith("2 files, 1 reformatted, 1 cannot be read\n")


def test_fmt__standard_input() -> None:
    command = [sys.executable, "-m", "rulespec", "fmt", "-"]
    done = subprocess.run(command, input="a:   1\n", capture_output=True, text=True, check=True)
    assert done.stdout == "a: 1\n"
    bad = subprocess.run([*command, "--check"], input="a:   1\n", capture_output=True, text=True)
    assert (bad.returncode, bad.stdout) == (1, "-: would be reformatted\n1 file, 1 would be reformatted\n")
    broken = subprocess.run(command, input="a: [1\n", capture_output=True, text=True)
    assert (broken.returncode, broken.stdout) == (1, "") and "<standard input>:" in broken.stderr


def test_fmt__no_such_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("nowhere.yaml") == 2
    assert "there is no file `nowhere.yaml`" in capsys.readouterr().err


def test_fmt__json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text("a:   1\n")
    assert run("--check", "--json", str(tmp_path / "a.yaml")) == 1
    (report,) = json.loads(capsys.readouterr().out)["files"]
    assert report == {"file": str(tmp_path / "a.yaml"), "ok": True, "changed": True, "diagnostics": []}


def test_fmt_check__of_the_shipped_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--check", str(GAMES_FOLDER)) == 0, capsys.readouterr().out
