"""Text that leaves is clean: nothing in a record, a rule file, a name or a typed line steers a terminal or hides from a reader."""

from __future__ import annotations

import ast
import copy
import hashlib
import json
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pexpect
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from interpreter import load
from referee.engine.session import Session
from referee.lsp.analysis import Analysis
from referee.lsp.checking import as_lsp
from referee.lsp.symbols import Name
from referee.record.lines import Seat, read_record, written
from referee.record.match import Match
from referee.record.transcript import read_transcript, write_transcript
from referee.rulebook.book import Book, BookItem, Section
from referee.rulebook.html import write_html
from referee.rulebook.markdown import write_markdown
from referee.shell import out
from referee.shell.markup import html_text, markdown_code, markdown_text
from rulespec.diagnostics.diagnostic import Diagnostic, Span, render, rendered
from rulespec.diagnostics.visible import document, is_clean, json_text, visible
from rulespec.files.sources import DISK
from tests.sizes import SOAK, size
from tests.test_cli import HEAPS, Answer, Runner, run  # noqa: F401

ROOT = Path(__file__).parent.parent
STYLE = "\x1b[5;7m"  # a style that we never use
HOSTILE = (
    *map(chr, (*range(0x20), *range(0x7F, 0xA0))),
    *"\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2060\u3164\ufe0f\ufeff\uffa0\ufff9",
    *map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xD800, 0xDCFF, 0xDFFF)),
    *map(chr, range(0xE0000, 0xE0080)),
)
FORGED = f"{STYLE}\x1b]0;OWNED\x07\r\nFAKE LINE\t\x7f\x9b2J\u202e\u2066\u200b\u2028\U000e0041\ud800"
WORD = FORGED.replace("\n", "").replace("\ud800", "\udcff")  # a text of several lines is no name of a file
OURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\[2J\x1b\[3J\x1b\[H")  # the styles of our writers, and how they clear the screen
LETTERS = st.text(
    st.one_of(st.sampled_from([*HOSTILE, *"\\xu01b{}x:/w.@&<>`*_#-+=1) \"'", *"❤👩⚕骰é🏴"]), st.characters())
)

lots = settings(max_examples=size(100, 20_000))


def assert_clean(text: str, terminal: bool = False) -> None:
    """Fails for a text that holds anything but lines of visible characters, and our own styles on a terminal."""
    assert STYLE not in text
    assert not re.search(r"^\W*FAKE LINE", text, re.MULTILINE), text
    if terminal:
        text = OURS.sub("", text).replace(" \r", "").replace(".\r", "")  # also what was written to be written over
    text.encode("utf-8")
    found = [hex(ord(c)) for line in text.split("\n") for c in line if not harmless(c)]
    assert not found, (found, text)


def harmless(letter: str) -> bool:
    """By the tables of Unicode, which are not those of the code."""
    return letter == "\t" or unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


# --- the borders --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("letter", HOSTILE, ids=lambda c: f"U+{ord(c):04X}")
def test_borders__no_hostile_character_passes(letter: str) -> None:
    for text in (letter, f"a{letter}b", f"é{letter}骰", f"\\{letter}", letter * 3):
        assert letter not in visible(text) + html_text(text) + markdown_text(text) + markdown_code(text)
        assert letter not in json_text([text, {text: text}]) or letter in "\n\t"
        assert letter not in document(text) or letter in "\n\t"
        assert not is_clean(text)


@lots
@given(LETTERS)
def test_visible__clean_and_never_ambiguous(text: str) -> None:
    shown = visible(text)
    assert "\n" not in shown and "\t" not in shown and is_clean(shown)
    assert read_back(shown) == text
    assert (shown == text) == (is_clean(text) and "\\" not in text) or "\\" in text
    shown.encode("utf-8")


def read_back(shown: str) -> str:
    """Return what a line stood for before it was shown."""

    def one(m: re.Match[str]) -> str:
        slashes, digits = m[1], m[2]
        half = "\\" * (len(slashes) // 2)
        return half + (chr(int(digits[1:], 16)) if len(slashes) % 2 else digits)

    return re.sub(r"(\\+)(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})", one, shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb\tc\r", r"a\x0ab\x09c\x0d"),
        ("\u202eabc\U000e0041\ud83d", r"\u202eabc\U000e0041\ud83d"),
        (r"\x1b and \o/ and C:\new and \\host", r"\\x1b and \o/ and C:\new and \\host"),
        ("\\\x1b", r"\\\x1b"),
        ("an\u200dna", r"an\u200dna"),
        ("A\ufe0f", r"A\ufe0f"),
    ],
)
def test_visible__examples(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert read_back(shown) == text


@pytest.mark.parametrize(
    "text", ["骰子", "é e\u0301 ñ", "👨‍👩‍👧", "❤️‍🔥", "👩🏽‍⚕️", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "ℹ️", "می‌خواهم", "क्‍ष", "שלום", "“¡x!”\xa0→"]
)
def test_borders__letters_of_all_scripts_and_emoji_stay(text: str) -> None:
    assert visible(text) == document(text) == html_text(text) == markdown_text(text) == text
    assert json_text(text) == f'"{text}"'


@lots
@given(LETTERS)
def test_document__clean_and_clean_again_the_same(text: str) -> None:
    once = document(text)
    assert document(once) == once
    assert all(is_clean(line) for line in once.replace("\t", "\n").split("\n"))
    once.encode("utf-8")


@lots
@given(st.recursive(LETTERS, lambda inner: st.lists(inner) | st.dictionaries(LETTERS, inner), max_leaves=5))
def test_json__clean_and_read_back_the_same(data: object) -> None:
    text = json_text(data, indent=2)
    assert all(is_clean(line) for line in text.split("\n"))
    text.encode("utf-8")
    halves = re.compile("[\ud800-\udbff][\udc00-\udfff]")  # two halves side by side are one character in JSON
    if not halves.search(str(data)) and not halves.search("".join(all_texts(data))):
        assert json.loads(text) == data


def all_texts(data: object) -> Iterator[str]:
    match data:
        case str():
            yield data
        case list():
            for item in data:
                yield from all_texts(item)
        case dict():
            for key, value in data.items():
                yield key
                yield from all_texts(value)


class Words(HTMLParser):
    """A page as a browser shows it, and the tags that make it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(f"{tag} {dict(attributes).get('href', '')}")

    def handle_data(self, data: str) -> None:
        self.text += data


@lots
@given(LETTERS)
def test_html__shows_the_text_and_makes_no_tag(text: str) -> None:
    page = Words(f'<p title="{html_text(text)}">{html_text(text)}</p>')
    assert page.tags == ["p "]
    assert page.text == visible(text)


MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@lots
@given(LETTERS)
def test_markdown__shows_the_text_and_makes_no_markup(text: str) -> None:
    shown = re.sub(" +", " ", visible(text)).strip()
    tokens = MARKDOWN.parse(markdown_text(text))
    if not shown:
        assert tokens == [] or tokens[1].content.strip() == ""
        return
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    inner = tokens[1].children or []
    assert {token.type for token in inner} <= {"text", "text_special"}
    assert "".join(token.content for token in inner).strip() == shown
    code = (MARKDOWN.parse(f"a {markdown_code(text)} b")[1].children or [])[1]
    assert (code.type, code.content.strip()) == ("code_inline", visible(text).strip())


EVIL = f"<script>alert(1)</script> [x](javascript:alert(1)) # head **b** `c` ```d www.e.org https://f.org {FORGED}"


def test_rulebook__no_text_becomes_markup() -> None:
    item = BookItem(EVIL, EVIL, EVIL, EVIL, (BookItem(f"- {EVIL}"),), mark="changed", before=EVIL)
    book = Book(EVIL, f"--- {EVIL}", (EVIL,), (Section(EVIL, (item,), (), EVIL),))
    page, text = write_html(book), write_markdown(book)
    assert_clean(page)
    assert_clean(text)
    plain = Book(
        "x",
        "- x",
        ("x",),
        (Section("x", (BookItem("x", "x", "x", "x", (BookItem("x"),), mark="changed", before="x"),), (), "x"),),
    )
    assert [t.split()[0] for t in Words(page).tags] == [t.split()[0] for t in Words(write_html(plain)).tags]
    assert kinds(text) == kinds(write_markdown(plain))
    assert not re.search(r"(?<!\\):(?=//)", text)


def kinds(text: str) -> list[str]:
    """Return the structure of a Markdown text without its words."""
    found = [t for token in MARKDOWN.parse(text) for t in [token, *(token.children or [])]]
    return [t.type for t in found if t.type not in ("text", "text_special")]


# --- only the borders print ---------------------------------------------------------------------------------------

BORDERS = {"referee/shell/out.py", "referee/shell/screen.py", "referee/shell/keyboard.py"}
CALLS = {"print", "input", "Console", "echo", "secho", "getpass"}


def test_borders__nothing_else_prints() -> None:
    found = []
    for path in sorted(p for folder in ("rulespec", "interpreter", "referee") for p in (ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name not in BORDERS:
            text = path.read_text(encoding="utf-8")
            if re.search(rf"\b({'|'.join(CALLS)}|show)\(|\bsys\.", text):  # or it takes long
                found += [f"{name}:{line}: {what}" for line, what in printing(ast.parse(text))]
    assert found == []


def printing(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield where a module prints by itself."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in CALLS:
                yield node.lineno, name
            case ast.Call(func=ast.Attribute(attr="show"), args=[]):
                yield node.lineno, "show of click"
            case ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr" | "__stdout__" | "__stderr__"):
                yield node.lineno, f"sys.{node.attr}"


def test_borders__the_search_finds_what_prints() -> None:
    code = "import sys\nprint(1)\nclick.echo(2)\nsys.stderr.write('')\nerror.show()\nrich.console.Console()\n"
    assert [line for line, _ in printing(ast.parse(code))] == [2, 3, 5, 6, 4]


# --- records ------------------------------------------------------------------------------------------------------


@cache
def record_lines() -> tuple[dict[str, Any], ...]:
    """Return a whole game with a change of seats and something taken back; no seed, so that a table can go on with it too."""
    rules = Path(os.environ["HEAPS_FOR_RECORDS"])
    game = load(rules, 2, {"sticks": "few"})
    match = Match.begin(game, (Seat("Anna", "human"), Seat("Bob", "human")), None, name="heaps.yaml")
    while not match.over:
        match.play(game.legal_moves(match.state)[0])
        if len(match.entries) == 1:
            match.undo(agreed=True)
            match.sit((Seat("Anna", "human"), Seat("Cleo", "human")))
    return tuple(json.loads(line) for line in written(match.header, tuple(match.entries)).splitlines())


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "heaps.yaml").write_text(HEAPS)
    monkeypatch.setenv("HEAPS_FOR_RECORDS", str(tmp_path / "base" / "heaps.yaml"))
    return copy.deepcopy(list(record_lines()))


def forged(lines: list[dict[str, Any]]) -> bytes:
    """Return the record with all hashes made to fit, as somebody would send it who means no good."""
    mark, text = "", ""
    for line in lines:
        fields = {key: value for key, value in line.items() if key != "hash"}
        if isinstance(fields.get("rules"), dict):
            fields["rules_hash"] = hashlib.sha256(json.dumps(fields["rules"], sort_keys=True).encode()).hexdigest()
        mark = hashlib.sha256((mark + dump(fields)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        text += dump({**fields, "hash": mark}) + "\n"
    return re.sub("[\ud800-\udfff]", lambda half: json.dumps(half[0])[1:-1], text).encode()


def dump(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


Path_ = tuple[int | str, ...]


def positions(data: object, path: Path_ = ()) -> Iterator[tuple[Path_, bool]]:
    """Yield every place of a text: the way to it, and whether it is a key."""
    match data:
        case str() | int() | None:
            yield path, False
        case list():
            for i, item in enumerate(data):
                yield from positions(item, (*path, i))
        case dict():
            for key, value in data.items():
                yield (*path, key), True
                yield from positions(value, (*path, key))


def changed(data: Any, path: Path_, key: bool, more: str) -> Any:
    """Return the data with more text at one place."""
    if not path:
        return f"{data}{more}"
    if len(path) == 1 and key:
        return {f"{k}{more}" if k == path[0] else k: v for k, v in data.items()}
    items = data.items() if isinstance(data, dict) else enumerate(data)
    new = {k: changed(v, path[1:], key, more) if k == path[0] else v for k, v in items}
    return new if isinstance(data, dict) else list(new.values())


def forgeries(lines: list[dict[str, Any]], more: str) -> Iterator[tuple[str, bytes]]:
    """Yield a record for each place of a text in it; of lines of the same kind only the first one."""
    header = {**lines[0], "given": {"turn": "2"}, "eyes": "onlooker", "unknown": "x"}
    for number, line, around in [(0, header, lines)] + [(n, line, lines) for n, line in enumerate(lines)]:
        if any(line.keys() == earlier.keys() for earlier in around[:number]):
            continue
        for path, key in positions(line):
            if path[0] != "hash":
                new = [*around[:number], changed(line, path, key, more), *around[number + 1 :]]
                yield f"line {number + 1} {path}{' (key)' * key}", forged(new)


COMMANDS = (
    ("verify", "r.jsonl"),
    ("verify", "r.jsonl", "--json"),
    ("transcript", "r.jsonl"),
    ("record", "r.jsonl"),
    ("record", "r.jsonl", "--for", "1"),
    ("play", "--resume", "r.jsonl"),
    ("table", "--resume", "r.jsonl"),
)


@pytest.mark.sized
@pytest.mark.parametrize("terminal", [False, True], ids=["pipe", "terminal"])
def test_record__no_field_reaches_the_screen_raw(
    terminal: bool,
    run: Runner,  # noqa: F811
    lines: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if terminal:
        as_terminal(monkeypatch)
    tried = shown = 0
    for more in (FORGED, *(HOSTILE[::12] if SOAK else ())):
        for what, data in forgeries(lines, more):
            (run.folder / "r.jsonl").write_bytes(data)
            for command in COMMANDS if SOAK else (COMMANDS[(tried + i) % len(COMMANDS)] for i in (0, 2, 5)):
                answer = run(*command, stdin=f"take {more}\n")
                assert_answer_clean(answer, terminal, f"{what}: {command}")
                shown += r"\x1b" in answer.out + answer.err
            tried += 1
    assert tried > 60 and shown > 30


def assert_answer_clean(answer: Answer, terminal: bool, what: str) -> None:
    try:
        assert_clean(answer.out, terminal)
        assert_clean(answer.err)
    except AssertionError as error:
        raise AssertionError(f"{what}: {error}") from None


def as_terminal(patch: pytest.MonkeyPatch) -> None:
    """Make our writers believe that they write to a terminal with colours."""
    patch.setattr(out, "is_terminal", lambda: True)
    patch.setenv("TERM", "xterm-256color")
    patch.setenv("FORCE_COLOR", "1")
    patch.delenv("NO_COLOR", raising=False)


def test_record__names_are_shown_as_escapes(run: Runner, lines: list[dict[str, Any]]) -> None:  # noqa: F811
    lines[0]["seats"][0]["name"] = "An\x1b[31mna"
    lines[0]["title"] = "Heaps\u202e"
    (run.folder / "r.jsonl").write_bytes(forged(lines))
    answer = run("verify", "r.jsonl")
    assert answer.code == 0 and r"Heaps\u202e" in answer.out
    (run.folder / "r.jsonl").write_bytes(forged(lines[:1]))
    assert r"An\x1b[31mna: human" in run("play", "--resume", "r.jsonl").out


def test_record__lines_are_written_clean_and_read_either_way(lines: list[dict[str, Any]]) -> None:
    lines[0]["seats"][0]["name"] = lines[0]["title"] = "An\x1b\x7f\x9b\u202e\U000e0041na 骰 ❤️"
    raw = forged(lines)
    record = read_record(raw)
    assert record.damage is None
    again = written(record.header, record.entries)
    assert_clean(again)
    assert "骰 ❤️" in again
    clean = read_record(again.encode())
    assert (clean.header, clean.entries, clean.mark) == (record.header, record.entries, record.mark)


def test_transcript__texts_come_back_to_the_last_letter(lines: list[dict[str, Any]]) -> None:
    rules = lines[0]["rules"]["files"]
    name = next(iter(rules))
    rules[name]["text"] += '# soft\xadly "\n# \\xad\n#|bar\n'
    lines[0]["title"] = lines[0]["game"] = lines[0]["begun"] = "\uffa0"
    lines[0]["seats"][1]["name"] = "B\x1b\ud800ob\\x1b"
    record = read_record(forged(lines))
    text = write_transcript(record)
    assert_clean(text)
    back = read_transcript(text.encode())
    assert (back.header, back.entries) == (record.header, record.entries)


@pytest.mark.parametrize("move", ["take 1  1", "take\x1b 1 1", "take 1 1 ", "take 1\n1"])
def test_record__a_move_is_words(move: str, lines: list[dict[str, Any]]) -> None:
    at = next(i for i, line in enumerate(lines) if "move" in line)
    lines[at]["move"] = move
    damage = read_record(forged(lines)).damage
    assert damage is not None and damage.line == at + 1 and "`move`" in damage.message


def test_engine__load_answers_in_clean_ascii(run: Runner, lines: list[dict[str, Any]]) -> None:  # noqa: F811
    session = Session("heaps.yaml")
    for what, data in forgeries(lines, FORGED):
        record = data.decode("utf-8", "surrogatepass")
        for request in ({"do": "load", "record": record}, {"do": FORGED}, {"do": "move", "move": f"take {FORGED}"}):
            answer = session.answer(json.dumps({"id": FORGED, **request}).encode())
            assert re.fullmatch(rb"[\x20-\x7e]*\n", answer), (what, answer)


# --- rule files, names of files, options and what is typed --------------------------------------------------------


def test_validate__a_refused_file_is_shown_with_its_caret_in_place(run: Runner) -> None:  # noqa: F811
    run.write("esc.yaml", 'rulespec: 1\ngame: "x\x1b]0;OWNED\x07"\nplayers: 2\n')
    answer = run("validate", "esc.yaml")
    assert answer.code == 1
    assert_clean(answer.out)
    shown = answer.out.split("\n")
    assert shown[1:3] == [r'    2 | game: "x\x1b]0;OWNED\x07"', "      |         ^^^^"]


@pytest.mark.parametrize("command", ["validate", "test", "play", "rules", "show", "source", "fmt", "diff"])
def test_files__hostile_characters_in_rule_texts(command: str, run: Runner) -> None:  # noqa: F811
    kinds_of_text = {
        "title": ("game: Heaps", "game: Heaps{}"),
        "text of a move": ("text: take {n}", "text: ta{}ke {{n}}"),
        "refusal": ("else: heap {h}", "else: he{}ap {{h}}"),
        "scoring rule": ("text: sticks of", "text: sti{}cks of"),
        "winner": ("most points:", "most{} points:"),
        "choice": ("text: two in", "text: two{} in"),
        "name of an option": ("  sticks:\n", "  sti{}cks:\n"),
        "example": ("a heap of two", "a heap{} of two"),
        "condition": ("enough sticks:", "enough{} sticks:"),
        "page": ("see: p. 1", "see: p{}. 1"),
        "symbol": ('{stick: "|"}', '{{stick: "|{}"}}'),
        "name of a place": ("  row[heap]: {pile: stick}", "  row{}[heap]: {{pile: stick}}"),
        "comment": ("view:\n", "view: #{}\n"),
    }
    more = {
        "play": ["--seed", "1"],
        "test": ["--coverage", "--games", "0"],
        "fmt": ["--check"],
        "diff": ["heaps.yaml", "--no-play"],
    }
    letters = ("\u202e", "\u2066", "\u200b", "\U000e0041", "\x1b", "\x9b", "\u2028")
    for n, (what, (old, new)) in enumerate(kinds_of_text.items()):
        assert old in HEAPS
        for letter in letters if SOAK else {letters[n % 2], letters[n % 7]}:
            run.write("bad.yaml", HEAPS.replace(old, new.format(letter), 1))
            answer = run(command, "bad.yaml", *more.get(command, []))
            assert_answer_clean(answer if command != "show" else Answer(0, "", answer.err), False, f"{what} {letter!r}")


def test_show__cleaned_on_a_terminal_exact_in_a_pipe(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    text = HEAPS + "# \u200bunseen\\n"
    run.write("bad.yaml", text)
    if run("validate", "bad.yaml").code:  # it is refused on the way in
        return
    assert run("show", "bad.yaml").out == text
    as_terminal(monkeypatch)
    assert run("show", "bad.yaml").out == HEAPS + "# \\u200bunseen\\n\n"


@pytest.mark.parametrize(
    "words",
    [
        ("play", WORD),
        ("play", "heaps.yaml", "--set", f"{WORD}=1"),
        ("play", "heaps.yaml", "--set", f"sticks={WORD}"),
        ("play", "heaps.yaml", "--set", WORD),
        ("play", "heaps.yaml", "--seats", f"{WORD}=human"),
        ("play", "heaps.yaml", "--seats", WORD),
        ("play", "heaps.yaml", "--players", WORD),
        ("play", "heaps.yaml", "--house", WORD),
        ("play", "heaps.yaml", "--record", f"no/{WORD}"),
        ("play", "heaps.yaml", f"--{WORD}"),
        ("play", "heaps.yaml", WORD),
        ("table", "heaps.yaml", "--names", WORD),
        ("table", "heaps.yaml", "--first", WORD),
        ("validate", WORD),
        ("validate", WORD, "--json"),
        ("validate", "--explain", WORD),
        ("validate", "heaps.yaml", "--format", WORD),
        ("verify", WORD),
        ("transcript", WORD),
        ("rules", "heaps.yaml", "--format", WORD),
        ("rules", "heaps.yaml", "--out", f"no/{WORD}"),
        ("new", "house", "--extends", WORD),
        ("fmt", WORD),
        ("completion", WORD),
        ("engine", WORD),
        ("diff", WORD, WORD),
        (WORD,),
        (f"-{WORD}",),
    ],
)
def test_usage__words_are_quoted_clean(words: tuple[str, ...], run: Runner) -> None:  # noqa: F811
    answer = run(*words)
    assert answer.code in (1, 2)
    assert_clean(answer.out)
    assert_clean(answer.err)
    assert re.search(r"\\+x1b|\\+u001b", answer.out + answer.err) or "--format" in words or words[0] == "fmt", answer


@pytest.mark.parametrize("form", ["people", "json", "sarif", "github"])
def test_files__names_with_escapes(form: str, run: Runner) -> None:  # noqa: F811
    name = f"a{STYLE}\u202e\tb.yaml"
    for text in (HEAPS, HEAPS.replace("winner:", "winer:"), "game: [\n"):
        run.write(name, text)
        assert_clean(run("validate", name, "--format", form).out)
        for command in ("test", "source", "rules", "fmt"):
            answer = run(command, name)
            assert_clean(answer.out + answer.err)
        answer = run("fmt", "--diff", name)
        assert_clean(answer.out + answer.err)


def test_typed__moves_are_quoted_clean(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    typed = WORD.replace("\r", "").replace("\udcff", "")
    for line in (typed, f"take {typed}", f"why take 1 {typed}", f"? {typed}", f"save no/{typed}", f"amend {typed}"):
        for command in (("play", "heaps.yaml", "--seats", "human"), ("table", "heaps.yaml")):
            answer = run(*command, stdin=f"{line}\n")
            assert_clean(answer.out + answer.err)


def test_completion__no_text_of_a_file_reaches_a_shell_raw(tmp_path: Path) -> None:
    text = HEAPS.replace("text: two in each heap", "text: two\u202e in each heap").replace(
        "    many:\n", "    ma\u200bny:\n"
    )
    (tmp_path / "bad.yaml").write_text(text, encoding="utf-8")
    env = {"_RULESPEC_COMPLETE": "zsh_complete", "COMP_WORDS": "rulespec play bad.yaml --set ", "COMP_CWORD": "4"}
    done = subprocess.run(
        [sys.executable, "-m", "rulespec"],
        cwd=tmp_path,
        env={**os.environ, **env, "PYTHONPATH": str(ROOT)},
        capture_output=True,
    )
    assert_clean(done.stdout.decode())
    assert_clean(done.stderr.decode())


def test_editor__messages_and_hints_are_clean() -> None:
    found = Analysis(Path("/a.yaml"), "game: x\n")
    d = Diagnostic(Span("/a.yaml", 1, 1, 1, 2), "x", EVIL, EVIL, EVIL, (("other" + EVIL, Span("/a.yaml", 1, 1, 1, 2)),))
    for other in (d, replace(d, span=Span(f"/b{STYLE}.yaml", 1, 1, 1, 2))):
        told = as_lsp(other, found, DISK)
        assert_clean(told.message)
        assert len(told.message.split("\n")) == 3
        for related in told.related_information or ():
            assert_clean(related.message)
    text = Name("x", "a place", EVIL, EVIL, d.span).as_markdown()
    assert_clean(text)
    assert kinds(text) == kinds(Name("x", "a place", "x", "x", d.span).as_markdown())


# --- styles and layout --------------------------------------------------------------------------------------------


@lots
@given(LETTERS, st.integers(1, 20), st.integers(0, 5))
def test_render__the_caret_stands_under_what_is_shown(text: str, column: int, wide: int) -> None:
    line = re.sub(r"[\r\n]", "", text)
    d = Diagnostic(Span(text, 1, column, 1, column + wide), "x", text, text, text)
    said = render(d, texts={text: line}).split("\n")
    assert all(is_clean(one) for one in said)
    assert said == [out.styled(runs) for runs in rendered(d, {text: line})]
    if line.strip():
        assert said[1] == f"    1 | {visible(line)}"
        assert re.fullmatch(r"      \| *\^+", said[2])


def test_render__the_caret_counts_escapes() -> None:
    d = Diagnostic(Span("f", 2, 4, 2, 6), "x", "m")
    said = render(d, texts={"f": "one\x0b\x85\u2028\n\t\x1b骰a\x9bb"}).split("\n")
    assert said[1:] == [r"    2 | \x09\x1b骰a\x9bb", "      |           ^^^^^"]


@lots
@given(LETTERS)
def test_styled__only_our_own_sequences_are_added(text: str) -> None:
    painted = out.styled(((text, "place"), (text, ""), (text, "error")), colours=True)
    assert painted == f"\x1b[1m{visible(text)}\x1b[0m{visible(text)}\x1b[1;31m{visible(text)}\x1b[0m"


def test_filled__a_line_end_in_a_field_begins_no_line() -> None:
    assert out.filled("{a}\n  why: {b}", a="x\ny", b=1) == ["x\ny", "  why: 1"]


# --- a real terminal ----------------------------------------------------------------------------------------------


def test_terminal__a_forged_record_is_gone_on_with(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    lines[0]["seats"][0]["name"] = f"An{FORGED}na"
    (tmp_path / "r.jsonl").write_bytes(forged(lines[:1]))
    env = {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    words = ["-m", "rulespec", "play", "--resume", "r.jsonl"]
    child = pexpect.spawn(
        sys.executable, words, env=env, cwd=str(tmp_path), timeout=60, dimensions=(40, 200), echo=False
    )
    child.expect(r"ud800na> ?")
    said = (child.before or b"").decode()
    child.sendline(r"take nothing")
    child.expect("ud800na> ?")
    said += (child.before or b"").decode()
    child.sendline("quit")
    said += child.read().decode()
    assert r"An\x1b[5;7m\x1b]0;OWNED\x07" in said
    assert "\x1b]" not in said and STYLE not in said and "\x9b" not in said and "\u202e" not in said
