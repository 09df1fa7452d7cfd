"""Rename: all edits in all files, or the reason why not. Nothing is half done."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from referee.lsp import texts
from referee.lsp.neighbours import RuleFile, is_shipped
from referee.lsp.paths import split
from referee.lsp.uses import NamedThing, Use, uses
from referee.lsp.written import Role, is_name, named_sections, pieces, words_of
from rulespec import AGGREGATES, BUILTINS, KEYWORDS, Disk, Files, Span, visible

RESERVED = KEYWORDS | BUILTINS.keys() | AGGREGATES.keys() | {"me", "players", "player", "number", "yes_no", "group"}


class NotRenamed(Exception):
    """The reason why something is not renamed."""


@dataclass(frozen=True, slots=True)
class Edits:
    """The places that change, by file, and what the files then say."""

    spans: dict[Path, list[Span]]
    texts: dict[Path, str]


def refuse_read_only(places: dict[Path, list[Use]], files: Files) -> None:
    """Raise NotRenamed if a file that cannot be changed has the name."""
    for path, found in places.items():
        if not found:
            continue
        if is_shipped(path):
            where = next((use for use in found if use.declares), found[0])
            raise NotRenamed(texts.SHIPPED.format(where=visible(str(where.span))))
        if isinstance(files, Disk) and path not in files.texts and not os.access(path, os.W_OK):
            raise NotRenamed(texts.READ_ONLY.format(file=visible(str(path))))


def edits_of(target: NamedThing, new: str, places: dict[Path, list[Use]], known: dict[Path, RuleFile]) -> Edits:
    """Return what is to be changed for a new name. Raise NotRenamed if that is no name, or one that is taken."""
    if not is_name(new) or (new in RESERVED and target.kind in ("name", "local")):
        shape = texts.LANGUAGE_WORD if new in RESERVED else texts.NO_NAME
        raise NotRenamed(shape.format(new=visible(new)))
    for path in places:
        if where := _taken(known[path], target, new):
            raise NotRenamed(texts.TAKEN.format(new=visible(new), where=visible(str(where))))
    spans = {path: [use.span for use in found] for path, found in places.items() if found}
    return Edits(spans, {path: _changed(known[path].text, spans[path], target.name, new) for path in spans})


def _taken(known: RuleFile, target: NamedThing, new: str) -> Span | None:
    """Return where a file has the new name already."""
    other = NamedThing(target.kind, new, target.scopes, target.option, section=target.section, titled=target.titled)
    if target.kind != "name" or target.section:
        found = next(uses(known.tree, other), None) or (
            next(uses(known.tree, NamedThing("name", new)), None) if target.kind == "local" else None
        )
        return found.span if found else None
    for piece in pieces(known.tree):
        if piece.role in (Role.HEAD, Role.CODE, Role.TEXT, Role.CHOICE, Role.NOTATION):
            words = words_of(piece)
            for number, word in enumerate(words):
                if word.text == new and not named_sections(piece, words)[number]:
                    return piece.scalar.at(word.start, word.end)
    return None


def _changed(text: str, spans: list[Span], old: str, new: str) -> str:
    lines = split(text)
    for span in sorted(spans, reverse=True):
        line = lines[span.line - 1]
        if span.line != span.end_line or line[span.col - 1 : span.end_col - 1] != old:
            raise NotRenamed(texts.NOT_PLAIN.format(where=visible(str(span))))
        lines[span.line - 1] = f"{line[: span.col - 1]}{new}{line[span.end_col - 1 :]}"
    return "\n".join(lines)
