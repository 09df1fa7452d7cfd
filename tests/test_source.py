"""Reading rule files: exact positions, YAML 1.2 values, and every refusal with its words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError
from rulespec.yaml import source
from rulespec.yaml.nodes import Mapping, Node, Scalar, Sequence, plain
from rulespec.yaml.source import read_source

LOADERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if hasattr(yaml, "CSafeLoader") else [])]


@pytest.fixture(params=LOADERS, autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs with the C parser and with the pure one."""
    monkeypatch.setattr(source, "LOADER", request.param)


def value(text: str) -> Scalar:
    node = read_source("f.yaml", text).get("a")
    assert isinstance(node, Scalar)
    return node


def complaints(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(RuleFileError) as caught:
        read_source("f.yaml", text)
    return caught.value.diagnostics


def complaint(text: str) -> Diagnostic:
    (only,) = complaints(text)
    return only


def said(d: Diagnostic) -> tuple[str, int, int, str]:
    return d.code, d.span.line, d.span.col, d.message


def nodes(node: Node) -> Iterator[Node]:
    yield node
    match node:
        case Mapping():
            for key, inner in node:
                yield key
                yield from nodes(inner)
        case Sequence():
            for inner in node.items:
                yield from nodes(inner)


# --- values -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("True", True),
        ("false", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("12", 12),
        ("-3", -3),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        ("0b1", "0b1"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("1..5", "1..5"),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("-.inf", float("-inf")),
        ("2024-01-01", "2024-01-01"),
        ("=", "="),
        ("'12'", "12"),
        ('"true"', "true"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_value__yaml_1_2_core_schema(written: str, means: object) -> None:
    node = value(f"a: {written}\n")
    assert node.value == means and type(node.value) is type(means)


def test_tree__as_plain_data() -> None:
    text = "a:\n  - x\n  - {b: 1, no: [y, 2]}\nc:\n- z\n"
    assert plain(read_source("f", text)) == {"a": ["x", {"b": 1, "no": ["y", 2]}], "c": ["z"]}


# --- positions --------------------------------------------------------------------------------------------------


def test_positions__of_keys_values_and_collections() -> None:
    tree = read_source(
        "g/f.yaml", "rulespec: 1\nmoves:\n  take:   # why\n    to: [a, {b: c}]\n\n# end\nx:\n- 1\n- 2\n\n"
    )
    spans = {str(plain(n)): n.span for n in nodes(tree)}
    moves, x = tree.entry("moves"), tree.entry("x")
    assert moves and x
    assert tree.span.file == "g/f.yaml"
    assert (moves.key.span.line, moves.key.span.col, moves.key.span.end_col) == (2, 1, 6)
    assert _corners(moves.value) == (3, 3, 4, 20)  # ends with its last value, not where the next key begins
    assert _corners(x.value) == (8, 1, 9, 4)
    assert _corners(tree) == (1, 1, 9, 4)
    assert [(s.line, s.col, s.end_col) for s in (spans["['a', {'b': 'c'}]"], spans["{'b': 'c'}"], spans["c"])] == [
        (4, 9, 20),
        (4, 13, 19),
        (4, 17, 18),
    ]


def _corners(node: Node) -> tuple[int, int, int, int]:
    return node.span.line, node.span.col, node.span.end_line, node.span.end_col


@pytest.mark.parametrize(
    ("text", "content", "starts"),
    [
        ("a: f(x) + 1  # c\n", "f(x) + 1", [(0, 1, 4)]),
        ("a: one\n   two  \n\n   three\n", "one two\nthree", [(0, 1, 4), (3, 1, 7), (4, 2, 4), (7, 2, 7), (8, 4, 4)]),
        ("a: 'it''s  so'\n", "it's  so", [(0, 1, 5), (2, 1, 7), (3, 1, 9)]),
        ("a: 'x\n  y'\n", "x y", [(0, 1, 5), (1, 1, 6), (2, 2, 3)]),
        ('a: "q\\"r\\u0041s"\n', 'q"rAs', [(0, 1, 5), (1, 1, 6), (2, 1, 8), (3, 1, 9), (4, 1, 15)]),
        ('a: "x \\\n    y"\n', "x y", [(0, 1, 5), (2, 2, 5)]),
        ("a: |\n  one\n    two\n\n  three\n", "one\n  two\n\nthree\n", [(0, 2, 3), (4, 3, 3), (10, 4, 1), (11, 5, 3)]),
        ("a: |-\n  one\n\n", "one", [(0, 2, 3)]),
        ("a: |+\n  one\n\nb: 1\n", "one\n\n", [(0, 2, 3), (4, 3, 1)]),
        ("a: |2\n    one\n   two\n", "  one\n two\n", [(0, 2, 3), (6, 3, 3)]),
        (
            "a: >\n  one\n  two\n\n  three\n",
            "one two\nthree\n",
            [(0, 2, 3), (3, 2, 6), (4, 3, 3), (7, 4, 1), (8, 5, 3), (13, 5, 8)],
        ),
        ("a: >-\n  x\n    y\n  z\n", "x\n  y\nz", [(0, 2, 3), (1, 2, 4), (2, 3, 3), (5, 3, 6), (6, 4, 3)]),
        ("a: | # why\r\n  x\r\n  y\r\n", "x\ny\n", [(0, 2, 3), (2, 3, 3)]),
        ("\ufeffa: é😀 x\n", "é😀 x", [(0, 1, 4)]),
    ],
)
def test_starts__where_each_stretch_of_a_scalar_stands(
    text: str, content: str, starts: list[tuple[int, int, int]]
) -> None:
    node = value(text)
    assert node.text == content
    assert list(node.starts) == starts


def test_span__of_a_word_inside_a_block() -> None:
    node = value("a: |\n  one\n  two three\nb: 1\n")
    start = node.text.index("three")
    assert _corners(Scalar(node.at(start, start + 5), "", "")) == (3, 7, 3, 12)
    assert _corners(node) == (1, 4, 3, 12)


BITS = st.lists(
    st.sampled_from(["x", "yz", " ", "  ", "\n", "\n\n", "é", "'", '"', "\\", "-", "a b", ",", "#", "1"]), max_size=12
)


@given(BITS, st.sampled_from(["'", '"', "|", ">", "|-", ">+", ""]))
def test_starts__point_at_the_very_letters(bits: list[str], style: str) -> None:
    """Whatever style PyYAML's writer picks, each letter of the value is found at its place in the text."""
    words = "".join(bits)
    documents = [yaml.safe_dump({"a": {"b": words}}, default_style=style[:1] or None, width=12, allow_unicode=True)]
    documents.append("a:\n  b: " + style + "\n" + "".join(f"    {line}\n" for line in words.split("\n")))
    for text in documents:
        try:
            tree = read_source("f", text)
        except RuleFileError:
            continue  # the second document need not be YAML
        lines = text.split("\n")
        for node in nodes(tree):
            if isinstance(node, Scalar) and node.text:
                assert node.starts, (text, node)
                for i, letter in enumerate(node.text):
                    span = node.at(i, i + 1)
                    there = (lines[span.line - 1] + "\n")[span.col - 1 :][:1]
                    assert there in (letter, "\\") or letter in " \n", (text, node, i)


# --- refusals ---------------------------------------------------------------------------------------------------


def test_duplicate_key__shows_both_places() -> None:
    d = complaint("a: 1\nb:\n  x: 1\n  'x': 2\n")
    assert said(d) == ("yaml-duplicate-key", 4, 3, "the key `x` is already in this map")
    assert [(what, str(where)) for what, where in d.also] == [("the first one", "f.yaml:3:3")]


def test_everything_is_reported_at_once() -> None:
    found = complaints("a: 1\na: 2\nb: &x 1\nc: *x\nd: !t 1\n<<: {}\n? [k]\n: 1\ne: f: g\n")
    assert [(d.code, d.span.line) for d in found] == [
        ("yaml-duplicate-key", 2),
        ("yaml-anchor", 3),
        ("yaml-anchor", 4),
        ("yaml-tag", 5),
        ("yaml-merge-key", 6),
        ("yaml-key", 7),
        ("yaml-syntax", 9),
    ]


@pytest.mark.parametrize(
    ("text", "want", "fix"),
    [
        (
            "a: {text: x, points: f(a, b)}\n",
            ("yaml-cut-expression", 1, 22, "the comma cuts `f(a, b)` apart"),
            'put it in quotes, `"f(a, b)"`, or write one entry a line without `{ }` and `[ ]`',
        ),
        (
            "to: [a(r), b(r, n)]\n",
            ("yaml-cut-expression", 1, 12, "the comma cuts `b(r, n)` apart"),
            'put it in quotes, `"b(r, n)"`, or write one entry a line without `{ }` and `[ ]`',
        ),
        (
            "a: {points: max(1, sum(x[r] for r in row))}\n",
            ("yaml-cut-expression", 1, 13, "the comma cuts `max(1, sum(x[r] for r in row))` apart"),
            'put it in quotes, `"max(1, sum(x[r] for r in row))"`, or write one entry a line without `{ }` and `[ ]`',
        ),
        (
            "a: {in: pit[house], x: 1}\n",
            ("yaml-cut-expression", 1, 12, "the `[` after `pit` cuts it apart"),
            "put the item in quotes, or write one entry a line without `{ }` and `[ ]`",
        ),
        (
            "a: [f(x, y]\n",
            ("yaml-cut-expression", 1, 5, "the comma ends `f(x` with its `(` still open"),
            "close the bracket, put the whole in quotes, or write one entry a line without `{ }` and `[ ]`",
        ),
        ("a: b: c\n", ("yaml-syntax", 1, 5, "a second `:` on the line"), 'put the value in quotes: `"b: c"`'),
        (
            "a: 1\n  b: 2\n",
            ("yaml-syntax", 2, 3, "`b` is indented further than the line above it, which already has a value"),
            "start `b` in the same column as its neighbours",
        ),
        (
            "a:\n    b: 1\n  c: 2\n",
            ("yaml-syntax", 3, 3, "wrong indentation"),
            "start the line in the same column as the keys it belongs with, or check whether the line above is indented too far",
        ),
        (
            "a: 'tis so\nb: 1\n",
            ("yaml-syntax", 1, 4, "the quote `'` is never closed"),
            "end the text with `'`; if it is not a quotation, `\"'tis so\"` keeps the sign",
        ),
        (
            'a: "x\nb: "y"\n',
            ("yaml-syntax", 1, 4, 'the quote `"` opened here only ends at line 2'),
            'end the text with `"` on the line where it begins',
        ),
        (
            "a: [1, 2\nb: 1\n",
            ("yaml-syntax", 1, 4, "the `[` is not closed before line 2"),
            "close it with `]`; if it begins a text, put the text in quotes",
        ),
        (
            "a: {\n",
            ("yaml-syntax", 1, 4, "the `{` is not closed"),
            "close it with `}`; if it begins a text, put the text in quotes",
        ),
        (
            "else: {t} is full\n",
            ("yaml-syntax", 1, 11, "expected the end of the line after `}`"),
            'put the whole value in quotes: `"{t} is full"`',
        ),
        (
            'a: "x" y  # c\n',
            ("yaml-syntax", 1, 8, 'expected the end of the line after `"`'),
            "put the whole value in quotes: `'\"x\" y'`",
        ),
        ("a: @x\n", ("yaml-syntax", 1, 4, "a text cannot begin with `@`"), 'put it in quotes: `"@x"`'),
        ("a: %x\n", ("yaml-syntax", 1, 4, "a text cannot begin with `%`"), 'put it in quotes: `"%x"`'),
        ("a: `x\n", ("yaml-syntax", 1, 4, "a text cannot begin with a backquote"), 'put it in quotes: `"`x"`'),
        ("a: > 3\n", ("yaml-syntax", 1, 4, "a text cannot begin with `>`"), 'put it in quotes: `"> 3"`'),
        (
            "a: - b\n",
            ("yaml-syntax", 1, 4, "a list cannot begin here"),
            'start the list on the next line; if it is text, put it in quotes: `"- b"`',
        ),
        (
            "a: 1\nb\nc: 2\n",
            ("yaml-syntax", 2, 1, "`b` has no `:` after it"),
            "write `b: …`; if it continues the line above, indent it deeper than that line's key",
        ),
        (
            "a: 1\n- b\n",
            ("yaml-syntax", 2, 1, "a list item where a key was expected"),
            "indent the list deeper than its key, on the lines below it",
        ),
        (
            "a:\n  - b\n  c: 1\n",
            ("yaml-syntax", 3, 3, "expected another `- ` item of the list that begins at line 2"),
            "",  # why: a list and keys do not go together
        ),
        (
            "a:\n  - b\n  ? c\n",
            ("yaml-syntax", 3, 3, "expected another `- ` item of the list that begins at line 2"),
            "indent this line as its neighbours",
        ),
        (
            "a: ]\n",
            ("yaml-syntax", 1, 4, "a `]` that belongs to nothing"),
            'take it out, or put the value in quotes: `"]"`',
        ),
        (
            'a: "x \\q"\n',
            ("yaml-syntax", 1, 7, "no such escape in a text in double quotes"),
            "write `\\\\`, or use single quotes",
        ),
        (
            "a: * 2\n",
            ("yaml-anchor", 1, 4, "a value that begins with `*` is an alias in YAML, which rule files do not use"),
            'if it is meant as text put it in quotes: `"* 2"`',
        ),
        (
            "a: &x {b: 1}\n",
            ("yaml-anchor", 1, 4, "a value that begins with `&` is an anchor in YAML, which rule files do not use"),
            "leave `&x` out, and write the value wherever it is needed",
        ),
        (
            "a: !e!x y\n",
            ("yaml-tag", 1, 4, "a value that begins with `!` is a tag in YAML, which rule files do not use"),
            'put it in quotes if it is meant as text: `"!e!x y"`',
        ),
        (
            "<<: {}\n",
            ("yaml-merge-key", 1, 1, "rule files do not use YAML's merge key `<<`"),
            "for a move write `like:` and the name of the other one",
        ),
        ("a: 1\n---\nb: 2\n", ("yaml-documents", 2, 1, "a second document begins here"), "take out the `---` line"),
        (
            "{x: 1}: 2\n",
            ("yaml-key", 1, 1, "expected a name as the key, found a map"),
            "put it in quotes if it is meant as text",
        ),
        ('"": 2\n', ("yaml-key", 1, 1, "expected a name as the key, found nothing"), ""),
        (": 2\n", ("yaml-key", 1, 1, "expected a name before `:`, found nothing"), "write a name before the `:`"),
        (
            "? |\n  x\n  y\n: 1\n",
            ("yaml-key", 1, 3, "expected a name as the key, found a text of more than one line"),
            "",
        ),
        ("a:\n\tb: 1\n", ("yaml-tab", 2, 1, "a tab in the indentation"), "indent with spaces"),
        ("a:\n  b: 1\n \tc: 1\n", ("yaml-tab", 3, 2, "a tab in the indentation"), "indent with spaces"),
        ("", ("yaml-empty", 1, 1, "the file is empty"), "begin with `rulespec: 1`"),
        ("# only\n", ("yaml-empty", 1, 1, "the file is empty"), "begin with `rulespec: 1`"),
        ("---\n", ("yaml-empty", 1, 1, "the file is empty"), "begin with `rulespec: 1`"),
        (
            "- a\n",
            ("yaml-not-a-map", 1, 1, "expected keys with values, such as `rulespec: 1`, found a list"),
            "begin with `rulespec: 1`",
        ),
        (
            "hello\n",
            ("yaml-not-a-map", 1, 1, "expected keys with values, such as `rulespec: 1`, found `hello`"),
            "begin with `rulespec: 1`",
        ),
        (
            "a: 1\nb: x\0y\n",
            ("file-not-text", 2, 5, "the character U+0000 does not belong in a rule file"),
            "take it out, or save the file as plain text in UTF-8",
        ),
        (
            "a: x\u2028y\n",
            ("file-not-text", 1, 5, "the character U+2028 does not belong in a rule file"),
            "take it out, or save the file as plain text in UTF-8",
        ),
        (
            "a: x\ud800y\n",
            ("file-not-text", 1, 5, "the character U+D800 does not belong in a rule file"),
            "take it out, or save the file as plain text in UTF-8",
        ),
        (
            'a: "\\e[31m"\n',
            (
                "yaml-control-character",
                1,
                4,
                "the escape for the character U+001B, which does not belong in a rule file",
            ),
            "",
        ),
    ],
)
def test_refusal__says_where_what_and_how_to_mend_it(text: str, want: tuple[str, int, int, str], fix: str) -> None:
    d = complaint(text)
    assert said(d) == want
    assert d.fix == fix


def test_cut_expression__quoted_block_or_balanced_is_fine() -> None:
    read_source("f", 'a: {p: "f(a, b)", q: g(x)}\nb: f(a, b)\nc:\n  - f(a, b)\nd: [(x), ":("]\n')


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 100_000, "a:\n" + "- " * 10_000, "- " * 61 + "x"])
def test_depth__is_bounded_without_recursion(text: str) -> None:
    assert complaint("a: " + text if text[0] in "[{" else text).code == "yaml-too-deep"


def test_depth__sixty_levels_are_fine() -> None:
    read_source("f", "a: " + "[" * 59 + "]" * 59)
    assert complaint("a: " + "[" * 60 + "]" * 60).message == "more than 60 levels inside one another"


def test_size__is_looked_at_before_reading(tmp_path: Path) -> None:
    big = tmp_path / "big.yaml"
    with big.open("wb") as stream:
        stream.truncate(2_000_001)
    with pytest.raises(RuleFileError) as caught:
        read_source(big)
    (d,) = caught.value.diagnostics
    assert (d.code, d.message) == ("yaml-too-large", f"`{big}` has more than 1 MB")
    assert complaint("a: " + "é" * 1_000_000).code == "yaml-too-large"


@pytest.mark.parametrize(
    ("content", "want"),
    [
        (b"a: 1\nb: \xe9\n", ("file-not-text", 2, 4, "`{file}` is not UTF-8 text")),
        ("a: 1\n".encode("utf-16"), ("file-not-text", 1, 1, "`{file}` is not UTF-8 text")),
        (None, ("file-unreadable", 1, 1, "there is no file `{file}`")),
    ],
)
def test_file__that_is_no_text(tmp_path: Path, content: bytes | None, want: tuple[str, int, int, str]) -> None:
    file = tmp_path / "f.yaml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(RuleFileError) as caught:
        read_source(str(file))
    assert [said(d) for d in caught.value.diagnostics] == [(*want[:3], want[3].format(file=file))]


def test_file__a_folder_or_an_impossible_name(tmp_path: Path) -> None:
    for path in (tmp_path, Path("/dev/null"), tmp_path / "a\0b", tmp_path / ("x" * 5000)):
        with pytest.raises(RuleFileError) as caught:
            read_source(path)
        assert [d.code for d in caught.value.diagnostics] == ["file-unreadable"]


def test_file__bom_and_windows_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: |\r\n  x\r\n  y\r\n")
    tree = read_source(file)
    assert plain(tree) == {"a": 1, "b": "x\ny\n"}
    assert str(tree.entries[0].key.span) == f"{file}:1:1"


@given(st.text(alphabet=st.sampled_from("ab:- \n\t#'\"[]{},&*!|>%@`?\\(é1"), max_size=40))
def test_any_text__is_read_or_refused(text: str) -> None:
    try:
        read_source("f", text)
    except RuleFileError as error:
        lines = text.split("\n")
        for d in error.diagnostics:
            assert 1 <= d.span.line <= len(lines) and 1 <= d.span.col <= len(lines[d.span.line - 1]) + 1
            assert d.code and d.message and "\n" not in d.first_line()


@pytest.mark.parametrize("value", ["{e: 2}", "[1, 2]", "3"])
def test_indexed_key_in_braces__is_put_in_quotes_without_its_value(value: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        read_source("f", f"a: {{b: 1, c[d]: {value}, g: 3}}\n")
    assert [(e.old, e.new) for e in caught.value.diagnostics[0].edits] == [("c[d]", '"c[d]"')]
