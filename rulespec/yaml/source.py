"""Reads a rule file: YAML text in, a tree out in which every key and value knows its place; or all complaints."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)

from rulespec.diagnostics.diagnostic import Diagnostic, Edit, RuleFileError, Span
from rulespec.yaml.mistakes import (
    ODD_SPACES,
    YamlFailure,
    anchor_used,
    change,
    cut_by_comment,
    explain,
    find_cut,
    not_text,
    odd_space,
    signs_of,
    tag_used,
)
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence, Text

if TYPE_CHECKING:
    from rulespec.yaml.rereading import ReadSection

ELSE_IFS = frozenset(("else if", "elif", "elseif", "elsif"))  # keys of other languages
_NO_REMARK = re.compile(r"[ \t]+#[^\s#]")  # a comment that begins like the rest of a text
MOST_BYTES = 1_000_000
MOST_LEVELS = 60
MOST_VALUES = 20_000  # in one file; the longest rulebooks need a fifth of it
MOST_PROBLEMS = 100  # nobody reads more, and each costs time
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C one is ten times faster where there is one

# Not printable, or a line break to YAML 1.1 readers only: lines would be counted differently by each tool; or a mark
# that reverses the direction of what follows: it would be read in another order than it is written.
_TURNS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
NOT_TEXT = re.compile(
    f"[{_TURNS}]|[^\t\n\x20-\x7e\xa0-\u2027\u202f-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


def read_source(path: str | Path, text: str | None = None, *, by_sections: bool = False) -> Mapping:
    """Return the tree of a rule file; `text` is its content when it is not (yet) on disk.

    By sections, a text that is being written is read again faster: only the sections that have changed are.
    Raises RuleFileError with every diagnostic that could be found.
    """
    file = str(path)
    raw = read_text(Path(path)) if text is None else text
    if len(raw.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise RuleFileError([_too_large(file)])
    # Any line end is `\n` from here on and a BOM is nothing: so lines and columns are those of an editor.
    return _tree(file, raw.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), by_sections)


@lru_cache(maxsize=8)  # many house rules extend one game, and a server, an editor and the lab open the same file again
def _tree(file: str, text: str, by_sections: bool) -> Mapping:
    source = Text(file, text)
    if NOT_TEXT.search(text):
        raise RuleFileError(not_text(source, NOT_TEXT.finditer(text)))
    if by_sections:
        from rulespec.yaml.rereading import read_by_sections

        if (tree := read_by_sections(text, MOST_VALUES, partial(_section, file))) is not None:
            return tree
    builder = _Builder(source)
    builder.run()
    top = builder.top()
    if builder.problems or top is None:
        raise RuleFileError(builder.problems)
    if problems := list(islice(_check_lines(top), MOST_PROBLEMS)):
        raise RuleFileError(problems)
    return top


@lru_cache(maxsize=256)  # of several files that are being written: most stay where they are, as they are
def _section(file: str, text: str, line: int) -> ReadSection | None:
    """Return what is in a section that begins at a line; none if anything is wrong with it."""
    from rulespec.yaml.rereading import moved

    section = _section_alone(file, text)
    return section and moved(section, line - 1)


@lru_cache(maxsize=256)
def _section_alone(file: str, text: str) -> ReadSection | None:
    """Return what is in a section, as if its file began with it."""
    from rulespec.yaml.rereading import ReadSection

    builder = _Builder(Text(file, text))
    builder.run()
    top = builder.top()
    if builder.problems or top is None or len(top.entries) != 1 or any(_check_lines(top)):
        return None
    return ReadSection(top.entries[0], builder.values)


def begins_as_rules(text: str) -> bool:
    """Return whether the first key of a text is `rulespec`: a rule file, even if the rest cannot be read."""
    lines = (line for line in text.removeprefix("\ufeff").splitlines() if line.strip())
    first = next((line for line in lines if not line.lstrip().startswith("#") and line.rstrip() != "---"), "")
    return re.match(r"rulespec[ \t]*:", first) is not None


def read_text(path: Path) -> str:
    """Return the text of a file. Raises RuleFileError if it is not text, or too large."""
    file = str(path)
    try:
        data = _read_ordinary(path)
    except FileNotFoundError:
        raise RuleFileError([unreadable(file, f"there is no file `{file}`")]) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RuleFileError([unreadable(file, f"`{file}` cannot be read: {reason.lower()}")]) from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = Text(file, data[: error.start].decode("utf-8"))
        encoding = "UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "another encoding, or is not text"
        span = good.span(len(good.text), len(good.text))
        message, why = f"`{file}` is not UTF-8 text", f"it is in {encoding}"
        raise RuleFileError([Diagnostic(span, "file-not-text", message, why, "save it as UTF-8")]) from None


def _read_ordinary(path: Path) -> bytes:
    """Return all of an ordinary file of acceptable size. Raises OSError, ValueError, or RuleFileError for what is none.

    It is checked before it is opened, as opening a device may have an effect, and again once it is open, as it may have
    been replaced; and opening it never blocks.
    """
    _check_ordinary(str(path), os.stat(path))
    handle = os.open(path, os.O_RDONLY | _AT_ONCE)
    with os.fdopen(handle, "rb") as stream:
        _check_ordinary(str(path), os.fstat(handle))
        data = stream.read(MOST_BYTES + 1)  # it may have grown since
    if len(data) > MOST_BYTES:
        raise RuleFileError([_too_large(str(path))])
    return data


def _check_ordinary(file: str, info: os.stat_result) -> None:
    if stat.S_ISDIR(info.st_mode):
        message, fix = f"`{file}` is a folder, expected a file", "name the rule file in it"
        raise RuleFileError([replace(unreadable(file, message), fix=fix)])
    if not stat.S_ISREG(info.st_mode):
        raise RuleFileError([unreadable(file, f"`{file}` is not an ordinary file")])
    if info.st_size > MOST_BYTES:
        raise RuleFileError([_too_large(file)])


def unreadable(file: str, message: str, why: str = "") -> Diagnostic:
    return Diagnostic(Span(file, 1, 1, 1, 1), "file-unreadable", message, why)


def _too_large(file: str) -> Diagnostic:
    message = f"`{file}` has more than {MOST_BYTES // 1_000_000} MB"
    return Diagnostic(Span(file, 1, 1, 1, 1), "yaml-too-large", message, "no game's rules are that long")


def kind_of(node: Node) -> str:
    """Return what the node is, in words for a message."""
    match node:
        case Mapping():
            return "a map"
        case Sequence():
            return "a list"
        case Scalar() if not node.text:
            return "nothing"
        case Scalar() if node.span.line != node.span.end_line:
            return "a text of more than one line"
        case Scalar():
            return f"`{node.text}`"


@dataclass(slots=True)
class _Frame:
    """A map or list being built."""

    start: int
    is_map: bool
    flow: bool
    items: list[Node] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    keys: dict[str, Scalar] = field(default_factory=dict)
    key: Scalar | None = None
    at_value: bool = False  # the next node is a value; its key is none if that was refused


class _Builder:
    """Builds the tree from parse events with a stack of its own: depth costs no Python frames."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.problems: list[Diagnostic] = []
        self.root = _Frame(0, is_map=False, flow=False)
        self.stack = [self.root]
        self.documents = 0
        self.values = 0
        self.misread = False  # a key begins with spaces that are none
        self.cut_until = 0  # up to here a cut expression was reported already
        self.last: tuple[int, int] | None = None
        self.last_style: str | None = None

    def run(self) -> None:
        try:
            for event in yaml.parse(self.text.text, Loader=LOADER):
                if not self._take(event) or len(self.problems) >= MOST_PROBLEMS:
                    return
        except yaml.YAMLError as error:
            failure = self._failure(error)
            line = self.text.position(failure.at)[0]
            if self.misread:
                return  # what is not indented as it seems makes the rest unreadable
            if failure.at >= self.cut_until and not any(p.span.line == line for p in self.problems):
                self.problems.append(explain(failure))

    def top(self) -> Mapping | None:
        """Return the finished tree, if there were no complaints; looks at the top level only if the rest was fine."""
        if self.problems:
            return None
        node = self.root.items[0] if self.root.items else None
        if isinstance(node, Mapping):
            return node
        if node is None or (isinstance(node, Scalar) and not node.text):
            span = Span(self.text.file, 1, 1, 1, 1)
            self.problems.append(Diagnostic(span, "yaml-empty", "the file is empty", fix="begin with `rulespec: 1`"))
        else:
            message = f"expected keys with values, such as `rulespec: 1`, found {kind_of(node)}"
            self.problems.append(Diagnostic(node.span, "yaml-not-a-map", message, fix="begin with `rulespec: 1`"))
        return None

    def _take(self, event: Event) -> bool:
        """Handle one event; return False if there is no point in continuing."""
        self.values += isinstance(event, NodeEvent)
        if self.values > MOST_VALUES:
            why = "no game's rules are that long"
            self._complain(event, "yaml-too-large", f"more than {MOST_VALUES:,} keys and values in one file", why)
            return False
        match event:
            case DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    message, why = "a second document begins here", "a rule file is one document"
                    edits = change(self.text, *self._offsets(event), "")
                    self._complain(event, "yaml-documents", message, why, "take out the `---` line", edits)
                    return False
            case ScalarEvent():
                self._add(self._scalar(event))
            case AliasEvent():
                start, end = self._offsets(event)
                self.problems.append(anchor_used(self.text, start, self.stack[-1].flow))
                self._add(Scalar(self.text.span(start, end), self.text.text[start:end], None))
            case CollectionStartEvent():
                if len(self.stack) > MOST_LEVELS:
                    self._complain(event, "yaml-too-deep", f"more than {MOST_LEVELS} levels inside one another")
                    return False
                self._refuse_properties(event)
                start, _ = self._offsets(event)
                self.stack.append(_Frame(start, isinstance(event, MappingStartEvent), bool(event.flow_style)))
            case CollectionEndEvent():
                self._add(self._close(event))
        return True

    def _add(self, node: Node) -> None:
        frame = self.stack[-1]
        if not frame.is_map:
            frame.items.append(node)
        elif not frame.at_value:
            frame.key = self._checked_key(frame, node)
            frame.at_value = True
        else:
            if frame.key is not None:
                frame.entries.append(Entry(frame.key, node))
            frame.at_value = False

    def _checked_key(self, frame: _Frame, node: Node) -> Scalar | None:
        """Return the key, or none with a complaint."""
        if not isinstance(node, Scalar) or not node.text or node.span.line != node.span.end_line:
            fix = "" if isinstance(node, Scalar) else "put it in quotes if it is meant as text"
            if fix and frame.flow:
                fix = f"close the bracket before it, or {fix}"
            message = f"expected a name as the key, found {kind_of(node)}"
            self.problems.append(Diagnostic(node.span, "yaml-key", message, fix=fix))
            return None
        if ODD_SPACES.search(node.text) and (
            odd := odd_space(self.text, self.text.offset(node.span.line, node.span.col))
        ):
            self.problems.append(odd)
            self.misread = True
            return None
        if node.text == "<<" and self.text.text[self.text.offset(node.span.line, node.span.col)] == "<":
            why = "an entry says everything itself; a move can be `like` another"
            message = "rule files do not use YAML's merge key `<<`"
            fix, edits = "for a move write `like:` and the name of the other one", node.respelled("like")
            self.problems.append(Diagnostic(node.span, "yaml-merge-key", message, why, fix, edits=edits))
            return None
        if first := frame.keys.get(node.text):
            if node.text == "then" and (other := next((k for k in frame.keys if k in ELSE_IFS), None)):
                message = f"`{other}` is not used here"
                fix = "write `else:`, and below it a step of its own that begins with `- if:`"
                self.problems.append(Diagnostic(frame.keys[other].span, "step-shape", message, fix=fix))
                return None
            message = f"the key `{node.text}` is already in this map"
            why, fix = "only one of them could count", "rename or delete one"
            if not frame.flow and node.span.col == 1 and first.span.col == 1:
                fix = "put what is below it under the first one, or delete one"
            elif node.text in ("that", "points", "while", "if"):
                fix = "join them to one expression" + (
                    " with `and`, or make two conditions with a name each" if node.text == "that" else ""
                )
            also = (("the first one", first.span),)
            self.problems.append(Diagnostic(node.span, "yaml-duplicate-key", message, why, fix, also))
            return None
        frame.keys[node.text] = node
        return node

    def _scalar(self, event: ScalarEvent) -> Scalar:
        start, end = self._offsets(event)
        style = event.style if event.style in ("'", '"', "|", ">") else None
        if style in ("|", ">"):
            end = start + len(self.text.text[start:end].rstrip())  # the parser counts the empty lines after it
        self.last, self.last_style = (start, end), style
        span = self.text.span(start, end)
        if self._refuse_properties(event):
            return Scalar(span, event.value, event.value)
        raw = self.text.text
        if style is None and self.stack[-1].flow and raw.count("(", start, end) > raw.count(")", start, end):
            self._look_for_cut(start, end)
        if (
            style is None
            and _NO_REMARK.match(raw, end)
            and (cut := cut_by_comment(self.text, start, end, self.stack[-1].flow))
        ):
            self.problems.append(cut)
        if style == '"' and (bad := NOT_TEXT.search(event.value)):
            message = f"the escape for the character U+{ord(bad.group()):04X}, which does not belong in a rule file"
            self._complain(event, "yaml-control-character", message, "it cannot be shown")
        starts = stretches(self.text, start, self._offsets(event)[1], style, event.value)
        return Scalar(span, event.value, core_value(event.value) if style is None else event.value, starts)

    def _look_for_cut(self, start: int, end: int) -> None:
        if start >= self.cut_until and (cut := find_cut(self.text, start, end)):
            problem, self.cut_until = cut
            self.problems.append(problem)

    def _close(self, event: CollectionEndEvent) -> Node:
        frame = self.stack.pop()
        if frame.flow:
            end = self._offsets(event)[1]
            self.last, self.last_style = (frame.start, end), self.text.text[end - 1 : end]
            span = self.text.span(frame.start, end)
        else:
            # The parser ends a block where the next one begins; people end it with its last value.
            begin = self.text.span(frame.start, frame.start)
            inner = frame.entries[-1].value if frame.entries else frame.items[-1] if frame.items else None
            last = inner.span if inner else begin
            span = Span(begin.file, begin.line, begin.col, last.end_line, last.end_col)
        if frame.is_map:
            return Mapping(span, tuple(frame.entries), flow=frame.flow)
        return Sequence(span, tuple(frame.items), flow=frame.flow)

    def _refuse_properties(self, event: NodeEvent) -> bool:
        """Complain about an anchor or a tag before the value."""
        start, _ = self._offsets(event)
        anchor = getattr(event, "anchor", None) is not None
        tag = getattr(event, "tag", None) is not None
        if anchor:
            self.problems.append(anchor_used(self.text, start, self.stack[-1].flow))
        if tag:
            self.problems.append(tag_used(self.text, start, self.stack[-1].flow))
        return anchor or tag

    def _offsets(self, event: Event) -> tuple[int, int]:
        return self._offset(event.start_mark), self._offset(event.end_mark)

    def _offset(self, mark: Any, missing: int = 0) -> int:
        """Return the offset of a mark of either parser; an error may have none."""
        return self.text.offset(mark.line + 1, mark.column + 1) if mark else missing

    def _complain(
        self, event: Event, code: str, message: str, why: str = "", fix: str = "", edits: tuple[Edit, ...] = ()
    ) -> None:
        span = self.text.span(*self._offsets(event))
        self.problems.append(Diagnostic(span, code, message, why, fix, edits=edits))

    def _failure(self, error: yaml.YAMLError) -> YamlFailure:
        problem = getattr(error, "problem", None) or str(error)
        at = self._offset(getattr(error, "problem_mark", None))
        context_at = self._offset(getattr(error, "context_mark", None), missing=at)
        context = getattr(error, "context", None) or ""
        open_at = self.stack[-1].start if self.stack[-1].flow else None
        return YamlFailure(
            self.text, signs_of(problem, context), problem, context, at, context_at, open_at, self.last, self.last_style
        )


# The value of a scalar, and the position of each of its letters ----------------------------------------------------------

Stretch = tuple[int, int, int]  # (offset in the scalar's text, line, column)
Piece = tuple[int, str]  # (offset in the file, the text there without folds and escapes)
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
# Python refuses to read integers of more than 4300 digits; nobody means one, so long ones stay text.
_INT = re.compile(r"[-+]?[0-9]{1,300}")
_BASED_INT = re.compile(r"0o[0-7]{1,300}|0x[0-9a-fA-F]{1,300}")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL_FLOAT = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def core_value(text: str) -> str | int | float | bool | None:
    """Return the value of a plain scalar by YAML 1.2's core schema.

    >>> [core_value(t) for t in ("no", "true", "~", "0o17", "1:30", "1..5", "-2", "1.5")]
    ['no', True, None, 15, '1:30', '1..5', -2, 1.5]
    """
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _BASED_INT.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text) and not text.lstrip("+-").isdecimal():
        return float(text)
    if _SPECIAL_FLOAT.fullmatch(text):
        return float(text.replace(".", ""))
    return text


_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
# In each pattern, blanks belong to a run unless a line break follows them: then folding eats them.
_FOLD = r"(?P<fold>[ \t]*\n[ \t\n]*)"
_PLAIN = re.compile(_FOLD + r"|(?P<run>(?:[^ \t\n]|[ \t]+(?![ \t\n]))+)")
_SINGLE = re.compile(_FOLD + r"|(?P<quote>'')|(?P<run>(?:[^ \t\n']|[ \t]+(?![ \t\n]))+)")
_DOUBLE = re.compile(
    _FOLD
    + r"|(?P<escape>\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\n[ \t\n]*|[^\n]))"
    + r"|(?P<run>(?:[^ \t\n\\]|[ \t]+(?![ \t\n]))+)"
)
_FLOW_PATTERNS = {"'": _SINGLE, '"': _DOUBLE}


def stretches(text: Text, start: int, end: int, style: str | None, value: str) -> tuple[Stretch, ...]:
    """Return the position of each stretch of a scalar's `value`; `style` is YAML's: none (plain), `'`, `"`, `|` or `>`.

    Undoes folds and escapes a second time, since the parser does not say where they were. Should the two
    readings differ, only the place of the scalar as a whole is known: no stretches.
    """
    block = style in ("|", ">")
    for pieces in _block_readings(text, start, end, style) if block else _flow_readings(text, start, end, style):
        said = "".join(said for _, said in pieces)
        if said == value or (block and said.rstrip("\n") == value.rstrip("\n")):
            return tuple(_starts(text, pieces, len(value)))
    return ()


def _starts(text: Text, pieces: list[Piece], length: int) -> Iterator[Stretch]:
    at = 0
    for offset, said in pieces:
        if said and at < length:
            yield (at, *text.position(offset))
        at += len(said)


def _flow_readings(text: Text, start: int, end: int, style: str | None) -> Iterator[list[Piece]]:
    inner = (start + 1, end - 1) if style in _FLOW_PATTERNS else (start, end)
    pattern = _FLOW_PATTERNS.get(style or "", _PLAIN)
    yield [(m.start(), _undone(m)) for m in pattern.finditer(text.text, *inner)]


def _undone(match: re.Match[str]) -> str:
    raw = match.group()
    match match.lastgroup:
        case "fold":
            breaks = raw.count("\n")
            return " " if breaks == 1 else "\n" * (breaks - 1)
        case "quote":
            return "'"
        case "escape" if raw[1] == "\n":
            return "\n" * (raw.count("\n") - 1)
        case "escape" if raw[1] in "xuU":
            return chr(int(raw[2:], 16))
        case "escape":
            return _ESCAPES.get(raw[1], "")
        case _:
            return raw


def _block_readings(text: Text, start: int, end: int, style: str | None) -> Iterator[list[Piece]]:
    """Yield the block read with each indentation it may have: `|2` counts from a parent the scalar does not know."""
    first = text.position(start)[0] + 1
    last, last_col = text.position(end)
    lines = [(text.offset(n, 1), text.lines[n - 1]) for n in range(first, last + 1 if last_col > 1 else last)]
    widths = [len(line) - len(line.lstrip(" ")) for _, line in lines if line.strip(" ")]
    deepest = min(widths, default=max((len(line) for _, line in lines), default=0))
    for indent in range(deepest, -1, -1):
        yield _folded(lines, indent) if style == ">" else _literal(lines, indent)


def _literal(lines: list[tuple[int, str]], indent: int) -> list[Piece]:
    return [(offset + min(indent, len(line)), line[indent:] + "\n") for offset, line in lines]


def _folded(lines: list[tuple[int, str]], indent: int) -> list[Piece]:
    pieces: list[Piece] = []
    break_at: int | None = None  # where the last line with content ended
    blank_lines: list[Piece] = []
    deeper_before = False
    for offset, line in lines:
        content = line[indent:]
        if not content:
            blank_lines.append((offset + len(line), "\n"))
            continue
        deeper = content[0] in " \t"  # lines set deeper keep their line breaks
        if break_at is not None:
            if deeper or deeper_before:
                pieces.append((break_at, "\n"))
            elif not blank_lines:
                pieces.append((break_at, " "))
        pieces += [*blank_lines, (offset + indent, content)]
        break_at, blank_lines, deeper_before = offset + len(line), [], deeper
    return [*pieces, *([] if break_at is None else [(break_at, "\n")]), *blank_lines]


# Names and short texts have one line: a line end in a title could forge a line of output ------------

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ANY = "*"  # any key, or an item of a list
_CHANGE = "change"  # it has the shape of a rule file

# what is shown on one line; all else is an expression, a step, a position of an example, or a text of several sentences
_ROUTES = tuple(
    tuple(route.split("."))
    for route in (
        "change",
        "examples.*.refused.*",
        "examples.*.see",
        "examples.*.with.*",
        "extends",
        "extends.*",
        "game",
        "moves.*.beside",
        "moves.*.like",
        "moves.*.needs.*.else",
        "moves.*.needs.*.see",
        "moves.*.see",
        "moves.*.text",
        "options.*.*.change",
        "options.*.*.see",
        "options.*.see",
        "places.*.see",
        "scoring.*.see",
        "scoring.*.text",
        "sets.*.*",
        "variables.*.see",
        "view.colours.*",
        "view.labels.*",
        "view.layout.*.see",
        "view.layout.*.title",
        "view.says.*",
        "view.symbols.*",
        "with.*",
    )
)
_Routes = tuple[tuple[str, ...], ...]


def _check_lines(node: Node, routes: _Routes = _ROUTES) -> Iterator[Diagnostic]:
    """Yield complaints about keys, names and short texts that hold a line end or another control character."""
    match node:
        case Scalar():
            if () in routes:
                yield from _check_line(node, "a text that is shown on one line")
        case Sequence():
            inner = _below(routes, _ANY)
            for item in node.items:
                yield from _check_lines(item, inner)
        case Mapping():
            for key, value in node:
                yield from _check_line(key, "a name on one line")
                yield from _check_lines(value, _below(routes, key.text))


def _below(routes: _Routes, key: str) -> _Routes:
    inner = tuple(route[1:] for route in routes if route and route[0] in (key, _ANY))
    return _ROUTES if key == _CHANGE and () in inner else inner


def _check_line(scalar: Scalar, expected: str) -> Iterator[Diagnostic]:
    bad = _CONTROL.search(scalar.text)
    if bad is None:
        return
    found = "a line end" if bad.group() == "\n" else "a tab" if bad.group() == "\t" else f"U+{ord(bad.group()):04X}"
    many_lines = scalar.span.line != scalar.span.end_line
    fix = "write it on one line, or begin it with `>-`" if many_lines else "take it out"
    if many_lines and (key := re.search(r"(?:^|\s)([a-z][\w ]*): ", scalar.text)):
        message = f"the quote opened here only ends at line {scalar.span.end_line}, after `{key[1].strip()}:`"
        yield Diagnostic(
            scalar.span, "text-control", message, "", "end the text with a quote on the line where it begins"
        )
        return
    yield Diagnostic(scalar.span, "text-control", f"expected {expected}, found {found} in it", "", fix)
