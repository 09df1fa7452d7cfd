"""Fixes that are changes of the text: right when followed, over the whole corpus of wrong files; and `validate --fix`.

`tests/fixes.txt` says for each wrong file of `tests/wrong` that has such a fix what it changes and what is then found.
`pytest tests/test_fixes.py --update` writes it anew; then read every line of the difference.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from interpreter.examples.reading import check_examples
from referee.cli import fixing
from rulespec.diagnostics.diagnostic import Diagnostic, Edit, RuleFileError, Span, has_errors
from rulespec.diagnostics.mending import Examination, edited, mend
from rulespec.files.sources import DISK
from rulespec.rules import open_rules
from tests.small import small_game
from tests.test_cli import Runner, run  # noqa: F401
from tests.test_wrong import CASES, FIRST_LINE, ROOT
from tests.wrong import Case

GOLDEN = Path(__file__).with_name("fixes.txt")
OFTEN = 8  # fixes that are followed one after another
HEAPS = "heaps.yaml"


def found_in(file: str, text: str) -> list[Diagnostic]:
    """Return all that is wrong with a text of a file."""
    try:
        rules = open_rules(file, files=DISK.having({Path(file): text}))
        found = list(rules.check_all())
        return sorted(found if has_errors(found) else [*found, *check_examples(rules)])
    except RuleFileError as error:
        return list(error.diagnostics)


def followed(case: Case) -> list[str]:
    """Return what each fix of a wrong file changes, and what is found in the end, after following all of them.

    No fix leads back to an earlier text, and none leaves its own complaint.
    """
    text = case.patched(ROOT)
    seen, said = {text}, list[str]()
    found = found_in(case.file, text)
    while found and found[0].edits and len(said) < OFTEN:
        d = found[0]
        new = edited(text, [edit for edit in d.edits if edit.span.file == case.file])
        assert new is not None, f"{d.edits} is not a change of this file"
        assert new not in seen, f"{d.fix} leads in a circle"
        then = found_in(case.file, new)
        same = (d.code, d.message, d.span.line, d.span.col)
        assert same not in [(e.code, e.message, e.span.line, e.span.col) for e in then], f"{d.fix} leaves the mistake"
        said.append("".join((d.edits[0].title, "" if d.edits[0].sure else " (a guess)")))
        text, found = new, then
        seen.add(text)
    if said:
        said.append(f"{found[0].level}[{found[0].code}]: {found[0].message}" if found else "good")
    return said


def golden() -> dict[str, list[str]]:
    parts = (part.split("\n") for part in GOLDEN.read_text(encoding="utf-8").strip("\n").split("\n\n"))
    return {name: [line.strip() for line in lines] for name, *lines in parts}


def wrong_files() -> Iterator[ParameterSet]:
    """Yield all wrong files; the check takes of the smallest game one with a fix for each code, and the soak run all."""
    codes, known = set(), golden()
    for case in CASES:
        place = FIRST_LINE.search(case.said)
        code = place[6] if place else ""
        first = code not in codes and case.file == "games/classics/nim.yaml" and case.name in known
        codes |= {code} if first else set()
        yield pytest.param(case, id=case.name, marks=() if first else pytest.mark.soak)


@pytest.mark.parametrize("case", list(wrong_files()))
def test_fix__is_right_when_followed(case: Case, update: bool) -> None:
    if update:
        pytest.skip("all are written in one go")
    with chdir(ROOT):
        assert followed(case) == golden().get(case.name, [])


def test_update__writes_what_the_fixes_do(update: bool) -> None:
    if not update:
        pytest.skip("only with --update")
    with chdir(ROOT):
        ways = {case.name: followed(case) for case in CASES}
    parts = ("\n".join((name, *(f"  {line}" for line in said))) for name, said in ways.items() if said)
    GOLDEN.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def test_corpus__most_fixes_are_changes_that_mend() -> None:
    ways = golden()
    assert set(ways) <= {case.name for case in CASES}
    assert len(ways) >= 150
    assert len([said for said in ways.values() if said[-1] == "good"]) >= 0.9 * len(ways)


# Changes of a text -----------------------------------------------------------------------------------------


def change(line: int, col: int, old: str, new: str, sure: bool = True) -> Edit:
    return Edit(Span("f", line, col, line, col + len(old)), old, new, sure)


def test_edited__leaves_all_else_as_it_is() -> None:
    text = "\ufeffone two\r\n  three\r\nfour"
    assert edited(text, [change(2, 3, "three", "3\n4"), change(1, 5, "two", "2")]) == "\ufeffone 2\r\n  3\r\n4\r\nfour"
    assert edited(text, [change(3, 5, "", "!")]) == text + "!"
    assert edited(text, []) == text


@pytest.mark.parametrize(
    "edits",
    [
        [change(1, 1, "two", "2")],
        [change(9, 1, "one", "2")],
        [change(3, 3, "urs", "2")],
        [change(1, 1, "one", "1"), change(1, 3, "e two", "2")],
    ],
)
def test_edited__is_nothing_where_something_else_stands(edits: list[Edit]) -> None:
    assert edited("one two\nthree\nfour", edits) is None


def told(*words: str, sure: bool = True, stage: int = 1) -> Examination:
    """Return complaints about words of a text of one line: `old>new` is one with a fix, anything else one without."""
    out = []
    for n, word in enumerate(words):
        old, _, new = word.partition(">")
        where = Span("f", 1, 2 * n + 1, 1, 2 * n + 2)
        out.append(Diagnostic(where, "code", word, edits=(change(1, 2 * n + 1, old, new, sure),) if new else ()))
    return Examination(stage, tuple(out))


@pytest.mark.parametrize(
    ("answers", "end"),
    [
        ({"a b": told("a>x", "b>y"), "x y": told()}, "x y"),  # both at once
        ({"a b": told("a>x"), "x b": told("?", "b>y"), "x y": told()}, "x y"),  # one after the other
        ({"a b": told("a>x", "b>y"), "x y": told("a>x"), "x b": told("a>x"), "a y": told("a>z"), "z y": told()}, "z y"),
        ({"a b": told("a>x"), "x b": told("other")}, "x b"),  # the next mistake
        ({"a b": told("a>x", sure=False), "x b": told("other")}, "a b"),  # a wrong guess
        ({"a b": told("a>x", sure=False), "x b": told("other", "other", stage=2)}, "x b"),  # a guess that leads on
        ({"a b": told("a>x"), "x b": told(stage=0)}, "a b"),  # worse: an earlier stage refuses it
        ({"a b": told("a>x"), "x b": told("x>a")}, "x b"),  # in a circle
        ({"a b": told("?>x")}, "a b"),  # something else stands there
    ],
)
def test_mend__keeps_what_makes_it_better(answers: dict[str, Examination], end: str) -> None:
    mended = mend("a b", answers.__getitem__)
    assert mended.text == end and mended.left == answers[end].diagnostics
    assert bool(mended.fixed) == (end != "a b")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_mend__leaves_damaged_files_no_worse(seed: int) -> None:
    """One or two letters are lost, added or exchanged: what `--fix` makes of it is read at least as far as before."""
    luck, path = random.Random(seed), Path("damaged.yaml")
    mended = 0
    for _ in range(25):
        game = luck.choice(("nim", "pig", "kuhn", "kalah", "tictactoe"))
        text = (ROOT / "games" / "classics" / f"{game}.yaml").read_text(encoding="utf-8")
        for _ in range(luck.randint(1, 2)):
            at, letter = luck.randrange(len(text)), luck.choice("abexyz :,-[](){}\"'#=<>&!\t\n.*")
            text = text[:at] + luck.choice(("", letter + text[at], text[at + 1 : at + 2] + text[at])) + text[at + 1 :]
        before, found = fixing._examined(path, text, ()), mend(text, lambda new: fixing._examined(path, new, ()))
        after = fixing._examined(path, found.text, ())
        assert after.stage >= before.stage and after.diagnostics == found.left
        assert (found.text == text) == (not found.fixed)
        mended += has_errors(before.diagnostics) and not has_errors(after.diagnostics)
    assert mended > 2


# Answers that misled ---------------------------------------------------------------------------------------


def test_says__of_the_game_below_is_no_misspelling_of_a_new_name(tmp_path: Path) -> None:
    game = small_game("heaps") + "  says: {heaps_left: the heaps}\n"  # of an option that was taken away, say
    house = (
        "rulespec: 1\nextends: game.yaml\ngame: Mine\nchange: {define: {heaps_lost: 3}, winner: {lost: heaps_lost}}\n"
    )
    (tmp_path / "game.yaml").write_text(game, encoding="utf-8")
    with chdir(tmp_path):
        assert found_in("house.yaml", house) == []
        found = found_in("game.yaml", game.replace("play:\n", "define: {heaps_lost: 3}\nplay:\n", 1))
    assert [d.fix for d in found if d.code == "name-unknown"] == ["did you mean `heaps_lost`?"]


# validate --fix ------------------------------------------------------------------------------------------------


def broken(run: Runner) -> str:  # noqa: F811
    """Write a game with two mistakes, one hidden by the other, and with the line ends of Windows; return its text."""
    good = (run.folder / HEAPS).read_text(encoding="utf-8")
    text = good.replace("while: count(row) > 0", "while: !empty(row)")
    text = text.replace("to: take", "to: tkae   #  mine,  as it is")
    assert text.count("!empty") == text.count("tkae") == 1
    (run.folder / "mine.yaml").write_bytes(text.replace("\n", "\r\n").encode())
    return text.replace("\n", "\r\n")


def test_fix__changes_the_file_and_says_what(run: Runner) -> None:  # noqa: F811
    text, path = broken(run), run.folder / "mine.yaml"
    path.chmod(0o640)
    answer = run("validate", "mine.yaml", "--fix")
    assert answer.code == 0 and answer.err == ""
    lines = answer.out.split("\n")
    assert [line.partition(": ")[2] for line in lines] == [
        "fixed[yaml-tag]: change `!` to `not`",
        "fixed[name-unknown]: change `tkae` to `take`",
        "2 changes made",
        "",
        "good (2 combinations of options, 2 to 3 players)",
        "",
    ]
    assert path.read_bytes().decode() == text.replace("!empty", "not empty").replace("tkae", "take")
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in run.folder.iterdir()) == [HEAPS, "mine.yaml"]
    assert run("validate", "mine.yaml", "--fix").out.startswith("mine.yaml: nothing to change\n\nmine.yaml: good")


def test_fix__diff_writes_nothing(run: Runner) -> None:  # noqa: F811
    text = broken(run)
    answer = run("validate", "mine.yaml", "--fix", "--diff")
    assert answer.code == 1 and (run.folder / "mine.yaml").read_bytes().decode() == text
    changed = [line for line in answer.out.split("\n") if line[:1] in ("+", "-")]
    assert [" ".join(line.split()) for line in changed] == [
        "--- mine.yaml",
        "+++ mine.yaml",
        "- - while: !empty(row)",
        "+ - while: not empty(row)",
        "- to: tkae # mine, as it is",
        "+ to: take # mine, as it is",
    ]
    assert "mine.yaml: 2 changes would be made\n" in answer.out and "error[yaml-tag]" in answer.out


def test_fix__as_json(run: Runner) -> None:  # noqa: F811
    broken(run)
    answer = run("validate", "mine.yaml", HEAPS, "--fix", "--json")
    mine, heaps = json.loads(answer.out)["files"]
    assert answer.code == 0 and mine["ok"] and heaps["changes"] == []
    assert [(c["code"], c["old"], c["new"], c["title"]) for c in mine["changes"]] == [
        ("yaml-tag", "!", "not ", "change `!` to `not`"),
        ("name-unknown", "tkae", "take", "change `tkae` to `take`"),
    ]


def test_fix__leaves_a_file_that_it_cannot_make_better(run: Runner) -> None:  # noqa: F811
    run.write("mine.yaml", "rulespec: 1\nextends: heaps.yaml\ngame: Mine\nchange: {moves: {remove: [take]}}\n")
    before = (run.folder / "mine.yaml").stat()
    answer = run("validate", "mine.yaml", "--fix")
    assert answer.code == 1 and answer.out.startswith("mine.yaml: nothing to change\n")
    after = (run.folder / "mine.yaml").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["base", "--fix"], "--fix does not change `base`, which comes with the program; `rulespec show base > mine.yaml` makes a copy"),
        ([HEAPS, str(ROOT / "games" / "classics" / "nim.yaml"), "--fix"], "which comes with the program; `rulespec show classics/nim > mine.yaml`"),
        (["-", "--fix"], "--fix changes a file in place: standard input (`-`) is no file; save it first"),
        ([HEAPS, "--diff"], "--diff goes with --fix"),
        (["missing.yaml", "--fix"], "there is no file `missing.yaml`"),
    ],
)  # fmt: skip
def test_fix__refuses(run: Runner, words: list[str], said: str) -> None:  # noqa: F811
    answer = run("validate", *words)
    assert answer.code == 2 and said in answer.err and answer.out == ""


def test_fix__says_what_it_could_not_read(run: Runner) -> None:  # noqa: F811
    (run.folder / "mine.yaml").write_bytes(b"rulespec: 1\ngame: \xff\n")
    answer = run("validate", "mine.yaml", "--fix")
    assert answer.code == 1 and "error[file-not-text]" in answer.out


def test_fix__does_not_overwrite_what_somebody_else_wrote(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    broken(run)
    original = fixing.mended_file

    def slow(file: str, house: tuple[str, ...]) -> fixing.Mending | None:
        mending = original(file, house)
        return mending and replace(mending, before=mending.before + "#")

    monkeypatch.setattr(fixing, "mended_file", slow)
    answer = run("validate", "mine.yaml", "--fix")
    assert answer.code == 2 and "`mine.yaml` has changed meanwhile; nothing was written" in answer.err
    assert b"tkae" in (run.folder / "mine.yaml").read_bytes()
