"""What happened, as lines for the people at the table: who decided what, and why it scored. It never prints."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from interpreter import CHANCE, Objection
from referee import texts
from referee.play.ledger import points_text, short_path
from referee.play.match import Decided, Match

WIDE = 90  # columns from which on there is room for long moves in a column of their own


def told(match: Match, decided: list[Decided], columns: int = WIDE) -> Iterator[str]:
    """Every decision with its text and points. With people at the table chance is not told: the boards show what it did."""
    for chance, group in groupby(decided, lambda d: d.player == CHANCE and not d.points):
        members = list(group)
        if chance:
            if not match.people:
                yield _outcomes(match, members)
            continue
        for d in members:
            if d.player != CHANCE or not match.people:
                yield _one(match, d, 24 if columns >= WIDE else 15)
            for line in d.points:
                yield f"      {points_text(line, match.name_of(line.player))}"


def _one(match: Match, d: Decided, wide: int) -> str:
    notation, text = words(match, d)
    text = "" if text == notation else text
    return f"{d.number:>4}  {match.name_of(d.player):<9} {notation:<{wide}}  {text}".rstrip()


def words(match: Match, d: Decided) -> tuple[str, str]:
    """A decision as those before the screen may read it; where only bots play nobody is kept from anything."""
    if not match.people:
        return str(d.move), d.text
    return match.words(d, match.viewer)


def _outcomes(match: Match, decided: list[Decided]) -> str:
    """Many draws in a row, each outcome once with how often it came."""
    counts: dict[str, int] = {}
    for d in decided:
        counts[str(d.move)] = counts.get(str(d.move), 0) + 1
    outcomes = ", ".join(
        texts.OUTCOME_TIMES.format(outcome=move, count=n) if n > 1 else move for move, n in counts.items()
    )
    return f"{decided[0].number:>4}  {match.name_of(CHANCE):<9} {outcomes}"


def help_lines(columns: int) -> Iterator[str]:
    """What can be typed, in two columns where there is room for them."""
    yield texts.HELP
    each = 2 if columns >= 60 else 1
    for i in range(0, len(texts.COMMANDS), each):
        yield "".join(f"{command:<13}{text:<21}" for command, text in texts.COMMANDS[i : i + each]).rstrip()


def lately(match: Match, decided: list[Decided]) -> str:
    """The last moves of the others and what they scored, in one line."""
    parts = []
    for d in decided:
        if d.player == CHANCE or d.player == match.viewer:
            continue
        gained = [n for n in _gains(d) if n]
        points = f" ({' '.join(map(texts.signed, gained))})" if gained else ""
        parts.append(texts.LATELY.format(who=match.name_of(d.player), move=words(match, d)[0], points=points))
    return texts.LATELY_JOIN.join(parts[-6:])


def _gains(d: Decided) -> list[int]:
    return [line.gained for line in d.points if line.player == d.player]


def objection_text(objection: Objection) -> str:
    where = ""
    if objection.span is not None:
        file = short_path(objection.span.file)
        where = texts.WHERE.format(condition=objection.condition, file=file, line=objection.span.line)
    return texts.OBJECTION.format(text=objection.text) + where
