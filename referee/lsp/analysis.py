"""Analysis of one open document: its diagnostics, names and sections. Independent of the protocol."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from referee.lsp.keys import description_at
from referee.lsp.local_words import read_pieces
from referee.lsp.paths import absolute, split
from referee.lsp.scopes import local_names, scope_in
from referee.lsp.spots import spot_at
from referee.lsp.symbols import Known, Name, builtin_names, file_names
from referee.lsp.written import Piece, named_sections, pieces, rooted, words_of
from rulespec import (
    DISK,
    Diagnostic,
    Files,
    RefusedName,
    RuleFileError,
    Span,
    has_errors,
    nodes,
    open_rules,
    read_source,
)

LONG = 8_000  # characters of rules for which trying all players and options takes long enough to be noticed
WORD = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(slots=True)
class Analysis:
    """A document as it was when last analysed; if it cannot be read now, what was known before is kept."""

    path: Path
    text: str
    diagnostics: list[Diagnostic] = field(default_factory=list)
    tree: nodes.Mapping | None = None
    names: Known = field(default_factory=dict)
    files: tuple[Path, ...] = ()  # those that make the rules, the bottom one first
    below: tuple[nodes.Mapping, ...] = ()  # the trees of those that it extends, the bottom one first
    lines_below: dict[tuple[str, ...], tuple[str, ...]] = field(
        default_factory=dict
    )  # steps of those files, by their list

    @property
    def lines(self) -> list[str]:
        return split(self.text)

    @property
    def trees(self) -> list[nodes.Mapping]:
        """The files that make the rules, the bottom one first, as far as they could be read."""
        return [*self.below, *([self.tree] if self.tree else [])]

    @property
    def extends(self) -> bool:
        return any(line.startswith("extends:") for line in self.lines)


def analyse(path: Path, files: Files) -> Analysis:
    """Return the analysis of a document; `files` has the texts of all documents open in the editor, this one included."""
    analysis = analysing(path, files)
    while True:
        try:
            next(analysis)
        except StopIteration as end:
            found: Analysis = end.value
            return found


def analysing(path: Path, files: Files, before: Analysis | None = None) -> Generator[Analysis | None, None, Analysis]:
    """Return the same, with what was known before where the document cannot be read.

    If the document is long, yield what the default players and options show before others are tried: all of it will be in the whole.
    Yield none where nothing is to be said, but the analysis may be given up.
    """
    found = Analysis(path, files.texts[path])
    if before is not None:
        found.tree, found.names, found.files = before.tree, before.names, before.files
        found.lines_below, found.below = before.lines_below, before.below
    try:
        rules = open_rules(path, files=files, kept=before is None)
        found.tree = rules.files[-1].tree
        found.files = tuple(absolute(layer.path) for layer in rules.files)
        found.below = tuple(layer.tree for layer in rules.files[:-1])
        found.lines_below = rules.lines_below()
        yield None
        shown = rules.length < LONG or not rules.is_open
        diagnostics: tuple[Diagnostic, ...] = ()
        for diagnostics in rules.check_by_setting():
            if not shown:
                found.names = file_names(rules, found.names)
            yield None if shown else replace(found, diagnostics=sorted(diagnostics))
            shown = True
        found.diagnostics = sorted(diagnostics)
        if has_errors(found.diagnostics):
            _know_below(found, files)
        found.names = file_names(rules, found.names)
    except RuleFileError as error:
        _know_below(found, files)
        found.diagnostics = list(error.diagnostics)
        found.files = tuple(dict.fromkeys((*found.files, *(absolute(d.span.file) for d in error.diagnostics))))
        with suppress(RuleFileError):  # then what was known before is kept
            found.tree = read_source(path, found.text)
    return found


def _know_below(found: Analysis, files: Files) -> None:
    """Learn the names of what a house rule extends, if nothing is known yet: it may be opened with a mistake in it."""
    extends = next((line for line in found.lines if line.startswith("extends:")), None)
    if found.names or extends is None:
        return
    text = f"rulespec: 1\n{extends}\ngame: nothing is changed\nchange: {{}}\n"
    with suppress(RuleFileError):
        rules = open_rules(found.path, files=files.having({found.path: text}))
        found.names = file_names(rules, {})
        found.files = tuple(absolute(layer.path) for layer in rules.files)
        found.below = tuple(layer.tree for layer in rules.files[:-1])
        found.lines_below = rules.lines_below()


def outline(path: Path, text: str) -> Analysis:
    """Return a quick analysis of a document: its sections and keys, without its names."""
    found = Analysis(path, text)
    with suppress(RuleFileError):
        found.tree = read_source(path, text)
    return found


def extends_span(found: Analysis) -> Span:
    """Return where diagnostics about an extended file are shown: at `extends`."""
    node: nodes.Node | None = found.tree.get("extends") if found.tree else None
    return node.span if node is not None else Span(str(found.path), 1, 1, 1, 1)


# Names ----------------------------------------------------------------------------------------------------


def word_at(line: str, column: int) -> tuple[str, int, int] | None:
    """Return the word that touches a column, and the columns where it begins and ends, from 1."""
    for m in WORD.finditer(line):
        if m.start() + 1 <= column <= m.end() + 1:
            return m.group(), m.start() + 1, m.end() + 1
    return None


def find_name(found: Analysis, line: int, column: int) -> Name | None:
    """Return what the word at a position means."""
    text = found.lines[line - 1] if line <= len(found.lines) else ""
    word = word_at(text, column)
    if word is None or in_comment(text, column):
        return None
    name = word[0]
    if act := found.names.get((section_at(found, line, word[1]), name)):
        return act
    local = names_around(found, line, column)
    called = text[word[2] - 1 :].startswith("(")
    builtin = builtin_names().get(name)
    if builtin is not None and called:
        return builtin
    declared = found.names.get(("", name))
    if declared is not None and name in local and not is_local(found, name, line, word[1]):
        return declared
    return local.get(name) or declared or builtin


def is_local(found: Analysis, name: str, line: int, column: int) -> bool:
    """Return whether the name that begins at a position is a local one there."""
    for read in read_pieces(found.tree, found.trees, name) if found.tree else ():
        for number in read.local:
            span = read.piece.scalar.at(read.words[number].start, read.words[number].end)
            if (span.line, span.col) == (line, column):
                return True
    return False


def piece_at(found: Analysis, line: int, column: int) -> Piece | None:
    """Return the key or value that contains a position."""
    for piece in pieces(found.tree) if found.tree else ():
        s = piece.scalar.span
        if (s.line, s.col) <= (line, column) <= (s.end_line, s.end_col):
            return piece
    return None


def section_at(found: Analysis, line: int, column: int) -> str:
    """Return the section of the move, named step or scoring rule that the word at a position names; `-` if it names none."""
    piece = piece_at(found, line, column)
    words = words_of(piece) if piece is not None else []
    for number, word in enumerate(words):
        assert piece is not None
        if (s := piece.scalar.at(word.start, word.end)).line == line and s.col <= column < s.end_col:
            return named_sections(piece, words)[number] or "-"
    return "-"


def names_around(found: Analysis, line: int, column: int) -> dict[str, Name]:
    """Return the local names that are known at a position."""
    spot = spot_at(found.lines, line, len(found.lines[line - 1]) + 1 if line <= len(found.lines) else column)
    return local_names(found.trees, scope_in(found.trees, rooted(spot.path)))


def in_comment(line: str, column: int) -> bool:
    return bool(re.search(r"(^|\s)#", line[: column - 1])) and line.count('"', 0, column - 1) % 2 == 0


def key_at(found: Analysis, line: int, column: int) -> str:
    """Return what the key at a position means; empty if there is none, or if it is a name that the author chose."""
    path = _key_path(found.tree, line, column) if found.tree else None
    return description_at(path, found.extends) if path else ""


def _key_path(node: nodes.Node, line: int, column: int) -> tuple[str, ...] | None:
    """Return the keys down to the one at a position."""
    if isinstance(node, nodes.Sequence):
        for item in node.items:
            if (inner := _key_path(item, line, column)) is not None:
                return ("-", *inner)
    if isinstance(node, nodes.Mapping):
        for key, value in node:
            s = key.span
            if s.line == line and s.col <= column <= s.end_col:
                return (key.text,)
            if (inner := _key_path(value, line, column)) is not None:
                return (key.text, *inner)
    return None


def extended_file(found: Analysis, line: int, column: int, files: Files = DISK) -> Path | None:
    """Return the file that `extends` names at the cursor."""
    node = found.tree.get("extends") if found.tree else None
    for item in node.items if isinstance(node, nodes.Sequence) else (node,):
        if isinstance(item, nodes.Scalar) and item.span.line == line and item.span.col <= column <= item.span.end_col:
            following = files.follow(item.text, found.path)
            return None if isinstance(following, RefusedName) else absolute(following)
    return None


def own_examples(found: Analysis) -> list[str]:
    """Return the names of the examples that a document itself has."""
    node = found.tree.get("examples") if found.tree else None
    return [key.text for key, _ in node] if isinstance(node, nodes.Mapping) else []
