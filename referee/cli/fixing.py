"""`rulespec validate --fix`: a rule file mended by the fixes of its diagnostics."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli import texts
from referee.cli.rewrite import difference, rewrite
from referee.shell import out
from rulespec import number_of, visible

if TYPE_CHECKING:
    from rulespec import Diagnostic, Edit, Examination, Mended

UNREADABLE, UNOPENED, MISSHAPEN, WRONG, SOUND = range(5)  # how far a text comes in the checks


@dataclass(frozen=True, slots=True)
class Mending:
    """A file, its text, and what came of its fixes."""

    path: Path
    before: str
    mended: Mended

    @property
    def edits(self) -> Iterator[tuple[Diagnostic, Edit]]:
        return ((d, edit) for d in self.mended.fixed for edit in d.edits)


def refuse_unfixable(files: tuple[str, ...]) -> None:
    """Refuse names that are not an author's own file, before any work is done."""
    from rulespec import find_game, shipped_games

    shipped = {os.path.realpath(path): name for name, path in shipped_games().items()}
    for file in files:
        if file == "-":
            raise click.UsageError(texts.FIX_STANDARD_INPUT)
        path = Path(file) if Path(file).exists() else find_game(file)
        name = shipped.get(os.path.realpath(path)) if path is not None else None
        if name is not None:
            raise click.UsageError(texts.FIX_SHIPPED.format(file=file, game=name))


def mended_file(file: str, house: tuple[str, ...]) -> Mending | None:
    """Return a file as its fixes make it; None if it is no text."""
    from rulespec import RuleFileError, mend, read_text

    path = Path(file)
    try:
        before = read_text(path)
    except RuleFileError:
        return None  # which is reported as always
    return Mending(path, before, mend(before, lambda text: _examined(path, text, house)))


def _examined(path: Path, text: str, house: tuple[str, ...]) -> Examination:
    """Return all that is wrong with a text of a file."""
    from interpreter import check_examples
    from rulespec import DISK, Examination, RuleFileError, has_errors, open_rules, read_source

    stage = UNREADABLE
    try:
        read_source(path, text)
        stage = UNOPENED
        rules = open_rules(path, house=house, files=DISK.having({path: text}))
        found = sorted(rules.check_all())
        stage = WRONG
        if not has_errors(found):
            found = sorted([*found, *check_examples(rules)])
            stage = WRONG if has_errors(found) else SOUND
        elif not rules.names()[1]:
            stage = MISSHAPEN
    except RuleFileError as error:
        found = list(error.diagnostics)
    return Examination(stage, tuple(_own(d, str(path)) for d in found))


def _own(d: Diagnostic, file: str) -> Diagnostic:
    """Return the diagnostic with the edits of this file only."""
    return replace(d, edits=tuple(edit for edit in d.edits if edit.span.file == file))


def write(mending: Mending) -> None:
    """Write the mended text, unless the file has changed meanwhile."""
    from rulespec import read_text

    if mending.before != mending.mended.text:
        if read_text(mending.path) != mending.before:
            raise click.UsageError(texts.FIX_CHANGED_MEANWHILE.format(file=mending.path))
        rewrite(mending.path, mending.mended.text)


def tell(mending: Mending | None, file: str, diff: bool) -> None:
    """Print what was changed, or would be."""
    edits = list(mending.edits) if mending else []
    if mending and edits and diff:
        out.put_file(difference(visible(file), mending.before, mending.mended.text))
    for d, edit in edits if not diff else ():
        out.say(texts.FIXED_EDIT.format(place=edit.span, code=d.code, title=edit.title))
    line = (texts.FIX_WOULD if diff else texts.FIX_DONE) if edits else texts.FIX_NOTHING
    out.say(line.format(file=file, number=number_of(len(edits), "change")))
    out.say()


def data(mending: Mending | None) -> list[dict[str, object]]:
    """Return the changes as plain data."""
    edits = mending.edits if mending else ()
    return [{**edit.as_data(), "code": d.code, "title": edit.title} for d, edit in edits]
