"""Mistakes of newcomers: what is written wrongly in a good file, what is said about it, and how good that answer is.

`tests/newcomers/mistakes.txt` has the mistakes, `answers.txt` in the same folder the answers with their grades; further mistakes about one
topic are in `TOPIC_mistakes.txt`, with their answers in `TOPIC_answers.txt`.

    python -m tests.newcomers            # tries all, and prints every answer that has no grade or is not right
    python -m tests.newcomers turn mine.yaml  # those with one of these words in their names, or in one of these files
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import yaml

from interpreter.examples.examples import run_examples
from interpreter.examples.reading import check_examples
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, has_errors, render
from rulespec.diagnostics.mending import edited
from rulespec.files.sources import DISK
from rulespec.rules import open_rules
from rulespec.yaml.nodes import Mapping

FOLDER = Path(__file__).parent / "newcomers"
GAMES = FOLDER.parent.parent / "games"
LISTS = {m: m.with_name(m.name.replace("mistakes", "answers")) for m in sorted(FOLDER.glob("*mistakes.txt"))}
BEGIN = "=== "
RIGHT, PARTLY, MISLEADING, UNNOTICED, OPEN = "right", "partly", "misleading", "unnoticed", "open"
GRADES = (RIGHT, PARTLY, MISLEADING, UNNOTICED, OPEN)
OFTEN = 4  # fixes that are followed one after another


@dataclass(frozen=True)
class Mistake:
    """A mistake in a good file, which says what was meant."""

    name: str
    file: str  # as seen from the folder of the mistakes
    patch: tuple[str, ...]

    @property
    def path(self) -> Path:
        return path_of(self.file)

    @cached_property
    def meant(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def written(self) -> str:
        """Return the text of the file with the mistake in it."""
        text, old = "\n" + self.meant, "".join(f"{line[1:]}\n" for line in self.patch if line[:1] not in ("+", "!"))
        assert text.count("\n" + old) == 1, f"{self.name}: these lines stand {text.count(old)} times in {self.file}"
        return text.replace("\n" + old, "\n" + "".join(f"{line[1:]}\n" for line in self._stands))[1:]

    @property
    def _stands(self) -> list[str]:
        return [line for line in self.patch if line[:1] != "-"]

    @cached_property
    def lines(self) -> frozenset[int]:
        """Return the lines at which it may be reported, from 1."""
        old = "".join(f"{line[1:]}\n" for line in self.patch if line[:1] not in ("+", "!"))
        first = ("\n" + self.meant).index("\n" + old)
        begin = self.meant[:first].count("\n") + 1
        marked = [n for n, line in enumerate(self._stands) if line[:1] in ("!", "?")]
        marked = marked or [n for n, line in enumerate(self._stands) if line[:1] == "+"][:1]
        return frozenset(begin + n for n in marked)


def path_of(file: str) -> Path:
    return (FOLDER / file).resolve()


def read_mistakes() -> list[Mistake]:
    return [mistake for path in LISTS for mistake in read_mistakes_of(path)]


def read_mistakes_of(path: Path) -> list[Mistake]:
    _, *parts = ("\n" + path.read_text(encoding="utf-8")).split(f"\n{BEGIN}")
    found = []
    for part in parts:
        name, file, *patch = part.rstrip("\n").split("\n")
        found.append(Mistake(name, file, tuple(patch)))
    return found


@dataclass(frozen=True)
class Answer:
    """All that is said about a mistake, as far as it can be worked out: whether it is right is for people to say."""

    code: str  # of the first complaint; empty if there is none
    place: bool  # it stands at the mistake
    more: int  # further complaints
    fixed: str  # what following the fixes gives: what was `meant`, something `good`, something `wrong`, or ""
    said: str

    def head(self) -> str:
        where = "here" if self.place else "elsewhere"
        more = f" and {self.more} more" if self.more else ""
        return f"{self.code} {where}{more}{f', fixed: {self.fixed}' if self.fixed else ''}" if self.code else "nothing"


def complaints(file: str, text: str) -> list[Diagnostic]:
    """Return all that `validate` finds in a text of a file, and if that is no error, all that `test` finds in its own examples."""
    try:
        rules = open_rules(file, files=DISK.having({Path(file): text}))
        found = list(rules.check_all())
        found = sorted(found if has_errors(found) else [*found, *check_examples(rules)])
    except RuleFileError as error:
        return list(error.diagnostics)
    return found if has_errors(found) else [*found, *failed_examples(file, text)]


def failed_examples(file: str, text: str) -> Iterator[Diagnostic]:
    """Yield what `test` says of the examples of this file."""
    rules = open_rules(file, files=DISK.having({Path(file): text}))
    node = rules.default_tree.get("examples")
    own = [key.text for key, _ in node if key.span.file == file] if isinstance(node, Mapping) else []
    for result in run_examples(rules, own) if own else []:
        for problem in result.problems:
            yield Diagnostic(problem.span, "test", problem.message, fix=problem.fix)


def answer_to(mistake: Mistake) -> Answer:
    file = str(mistake.path)
    found = complaints(file, mistake.written)
    if not found:
        return Answer("", False, 0, "", "")
    first = found[0]
    place = first.span.file == file and first.span.line in mistake.lines
    said = "\n".join(without_lines(render(d, {file: mistake.written}), file) for d in found[:2])
    return Answer(first.code, place, len(found) - 1, followed(mistake, found), said)


def without_lines(said: str, file: str) -> str:
    """Return what is said without the lines that are shown, the numbers of lines of shipped files, and where the folder is."""
    lines = [line for line in said.split("\n") if not re.match(r" *\d* \|", line)]
    short = "\n".join(lines).replace(f"{FOLDER}/", "").replace(f"{GAMES.parent}/", "")
    return re.sub(r"(games/[\w/]+\.yaml):\d+(:\d+)?", r"\1", short)


def followed(mistake: Mistake, found: list[Diagnostic]) -> str:
    """Return what comes of following the fixes that are changes of the text."""
    file, text = str(mistake.path), mistake.written
    if not found[0].edits:
        return ""
    for _ in range(OFTEN):
        if not found or not found[0].edits:
            break
        new = edited(text, [edit for edit in found[0].edits if edit.span.file == file])
        if new is None:
            return "impossible"
        text, found = new, complaints(file, new)
        if plain(text) == plain(mistake.meant):
            return "meant"
    return "good" if not found else "wrong"


def plain(text: str) -> object:
    """Return the content of a text, in which spaces and quotes do not count."""

    def squeezed(node: object) -> object:
        match node:
            case dict():
                return {squeezed(k): squeezed(v) for k, v in node.items()}
            case list():
                return [squeezed(item) for item in node]
            case str():
                return "".join(node.split())
        return node

    try:
        return squeezed(yaml.load(text, yaml.BaseLoader))
    except yaml.YAMLError:
        return None


# The table ---------------------------------------------------------------------------------------------------


def read_answers() -> dict[str, tuple[str, str, str]]:
    """Return for each mistake its grade, the head of its answer, and all that is said."""
    parts = []
    for path in LISTS.values():
        if path.exists():
            parts += ("\n" + path.read_text(encoding="utf-8")).split(f"\n{BEGIN}")[1:]
    found = {}
    for part in parts:
        name, head, *said = part.rstrip("\n").split("\n")
        grade, _, rest = head.partition(": ")
        found[name] = grade, rest, "\n".join(said)
    return found


def write_answers(answers: dict[str, tuple[str, str, str]]) -> None:
    for mistakes, path in LISTS.items():
        head = (
            f"What is said about each mistake of `{mistakes.name}`, after its grade; see `tests/test_newcomers.py`.\n"
        )
        rows = {m.name: answers[m.name] for m in read_mistakes_of(mistakes) if m.name in answers}
        parts = (f"{BEGIN}{name}\n{grade}: {first}\n{said}".rstrip("\n") for name, (grade, first, said) in rows.items())
        path.write_text("\n\n".join((head, *parts)) + "\n", encoding="utf-8")


def graded(answer: Answer, known: tuple[str, str, str] | None) -> tuple[str, str, str]:
    """Return the row of an answer; it keeps its grade if nothing has changed, and else gets one if it needs no judgement."""
    if known and known[1:] == (answer.head(), answer.said) and known[0] != OPEN:
        return known
    if not answer.code:
        grade = UNNOTICED
    elif answer.place and answer.fixed == "meant":
        grade = RIGHT
    else:
        grade = OPEN
    return grade, answer.head(), answer.said


if __name__ == "__main__":
    words, known = sys.argv[1:], read_answers()
    rows = dict(known)
    for mistake in read_mistakes():
        if words and not any(word in mistake.name or word == mistake.file for word in words):
            continue
        row = graded(answer_to(mistake), known.get(mistake.name))
        rows[mistake.name] = row
        write_answers(rows)
        if row[0] != RIGHT:
            sys.stdout.flush()
            print(f"\n=== {mistake.name}\n" + "\n".join(line for line in mistake.patch if line[:1] in "-+!?"))
            print(f"{row[0]}: {row[1]}\n{row[2]}")
    write_answers(rows)
    print({grade: sum(row[0] == grade for row in rows.values()) for grade in GRADES})
