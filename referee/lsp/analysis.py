"""Analysis of one open document: its diagnostics, names and sections. Independent of the protocol."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from referee.lsp.keys import SchemaKey, description_at, keys_at, path_at, values_at
from referee.lsp.paths import absolute, split
from referee.lsp.symbols import STEP_WORDS, Name, builtin_names, file_names, local_names
from rulespec import (
    DISK,
    KEYWORDS,
    Diagnostic,
    Files,
    RefusedName,
    RuleFileError,
    Span,
    is_block_name,
    nodes,
    open_rules,
    read_source,
    shipped_games,
)

WORD = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(slots=True)
class Analysis:
    """A document as it was when last analysed; if it cannot be read now, what was known before is kept."""

    path: Path
    text: str
    diagnostics: list[Diagnostic] = field(default_factory=list)
    tree: nodes.Mapping | None = None
    names: dict[str, Name] = field(default_factory=dict)
    files: frozenset[Path] = frozenset()  # the files that it extends
    lines_below: dict[tuple[str, ...], tuple[str, ...]] = field(
        default_factory=dict
    )  # steps of those files, by their list

    @property
    def lines(self) -> list[str]:
        return split(self.text)

    @property
    def extends(self) -> bool:
        return any(line.startswith("extends:") for line in self.lines)


def analyse(path: Path, files: Files, before: Analysis | None = None) -> Analysis:
    """Return the analysis of a document; `files` has the texts of all documents open in the editor, this one included."""
    found = Analysis(path, files.texts[path])
    if before is not None:
        found.tree, found.names, found.files = before.tree, before.names, before.files
        found.lines_below = before.lines_below
    try:
        rules = open_rules(path, files=files)
        found.tree = rules.files[-1].tree
        found.files = frozenset(absolute(layer.path) for layer in rules.files)
        found.lines_below = rules.lines_below()
        found.diagnostics = sorted(rules.check_all())
        found.names = file_names(rules, found.names)
    except RuleFileError as error:
        found.diagnostics = list(error.diagnostics)
        found.files |= {absolute(d.span.file) for d in error.diagnostics}
        with suppress(RuleFileError):  # then what was known before is kept
            found.tree = read_source(path, found.text)
    return found


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
    if word is None or _in_comment(text, column):
        return None
    local = local_names(found.tree, line) if found.tree else {}
    name = word[0]
    called = text[word[2] - 1 :].startswith("(")
    builtin = builtin_names().get(name)
    if builtin is not None and called:
        return builtin
    return local.get(name) or found.names.get(name) or builtin


def _in_comment(line: str, column: int) -> bool:
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


# Completion -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One completion."""

    label: str
    kind: str  # key, name, word, built-in, game
    detail: str = ""
    text: str = ""  # what it means, for people
    insert: str = ""


def suggestions(found: Analysis, line: int, column: int) -> list[Suggestion]:
    """Return everything that can be written at a position."""
    lines = found.lines
    before = (lines[line - 1] if line <= len(lines) else "")[: column - 1]
    if _in_comment(before + " ", column):
        return []
    path = path_at(lines, line, column)
    inline = re.match(r"\s*(?:- +)*([^\s:#{}\[\]][^:#{}\[\]]*?):\s", before)
    if inline:
        return _values(found, line, (*path, inline[1]), before[inline.end() :])
    body = re.sub(r"^\s*(- +)*", "", before)
    if path[-1:] == ("-",) and (len(path) < 2 or path[-2] not in ("sets", "examples")):
        starts = [Suggestion(word, "word", "a step", f"for example `{use}`") for word, use in STEP_WORDS.items()]
        if " " not in body:
            keys = [_key(k) for k in keys_at(path, found.extends)]
            if path[-2:] == ("play", "-") and path[0] == "examples":
                decisions = [Suggestion(word, "word", "an outcome of chance") for word in ("draw", "roll")]
                return [*_of(found, "a move"), *decisions, *keys]
            return [*keys, *(starts if keys else _names(found, line))]
        return _values(found, line, path, body)
    return [*(_key(k) for k in keys_at(path, found.extends)), *_lines(found, path)]


def _lines(found: Analysis, path: tuple[str, ...]) -> list[Suggestion]:
    """Return the steps of the file below that a change of their list can name here: after `before:` all, else blocks."""
    names = tuple(name.split("(")[0].strip() for name in path[path.index("change") + 1 :]) if "change" in path else ()
    lines = next((lines for steps, lines in found.lines_below.items() if names[: len(steps)] == steps), ())
    if path[-1:] not in (("before",), ("after",), ("instead of",)):
        lines = tuple(line for line in lines if is_block_name(line)) if names in found.lines_below else ()
    return [Suggestion(line, "key", "a step of the file below", "", f"{line}: ") for line in lines]


def _key(key: SchemaKey) -> Suggestion:
    return Suggestion(key.name, "key", "", key.description, f"{key.name}: ")


def _values(found: Analysis, line: int, path: tuple[str, ...], before: str) -> list[Suggestion]:
    """Return what can follow a key, or the words of a step."""
    fixed = values_at(path, found.extends)
    if fixed:
        return [Suggestion(word, "word") for word in fixed]
    match path[-1]:
        case "extends":
            return [Suggestion(name, "game", "a game that comes with the program") for name in shipped_games()]
        case "to" | "like" | "beside":
            return _of(found, "a move")
        case "run":
            return _of(found, "a named step")
        case "game" | "text" | "see" | "title":
            if before.count("{") <= before.count("}"):
                return []
    if re.search(r"\bdo [a-z_]*$", before):
        return _of(found, "a named step")
    if re.search(r"\bscore [a-z_, ]*$", before) and " for " not in before:
        return _of(found, "a scoring rule")
    return _names(found, line)


def _of(found: Analysis, what: str) -> list[Suggestion]:
    return [_suggestion(n) for n in found.names.values() if n.what == what]


def _names(found: Analysis, line: int) -> list[Suggestion]:
    """Return the names that an expression can use: local ones first, then those of the file, then the language's own."""
    local = local_names(found.tree, line) if found.tree else {}
    silent = ("a move", "a named step", "a scoring rule")
    own = [_suggestion(n) for n in (*local.values(), *found.names.values()) if n.what not in silent]
    language = [_suggestion(n) for n in builtin_names().values()]
    return [*own, *language, *(Suggestion(word, "word") for word in sorted(KEYWORDS - builtin_names().keys()))]


def _suggestion(name: Name) -> Suggestion:
    kind = "built-in" if name.builtin else "name"
    return Suggestion(name.name, kind, name.written if name.written != name.name else name.what, name.as_markdown())


# Sections -------------------------------------------------------------------------------------------------


def sections(found: Analysis) -> list[tuple[Span, Span, str, list[tuple[Span, Span, str]]]]:
    """Return the top-level keys, each with the entries under it: its whole span, the span of its name, its name."""
    out = []
    for key, value in found.tree or ():
        inner = (
            [(_joined(k.span, v.span), k.span, k.text) for k, v in value] if isinstance(value, nodes.Mapping) else []
        )
        out.append((_joined(key.span, value.span), key.span, key.text, inner))
    return out


def _joined(first: Span, last: Span) -> Span:
    return Span(first.file, first.line, first.col, last.end_line, last.end_col)
