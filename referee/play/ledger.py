"""Where every point came from, and who won, as lines for people."""

from __future__ import annotations

import os
from collections.abc import Iterator

from interpreter import LedgerLine
from referee import texts
from referee.play.match import Match
from rulespec import games_folder


def ledger_lines(match: Match) -> Iterator[str]:
    """Every player's score with its reasons; they add up."""
    scores = match.game.scores(match.state)
    if not scores:
        yield texts.NOTHING_SCORED
    for player, score in scores.items():
        yield texts.LEDGER.format(player=match.name_of(player), points=texts.number_of(score, "point"))
        lines = [line for line in match.ledger() if line.player == player]
        start = match.start_scores.get(player, 0)
        if start:
            yield "      " + texts.BEGINS_WITH.format(points=start)
        for line in lines:
            yield f"{line.decision:>4}  {points_text(line)}"
        if not lines:
            yield "      " + texts.NOTHING_SCORED


def points_text(line: LedgerLine, who: str = "") -> str:
    """`+2 the row (rows, games/mine.yaml:12)`: one reason for points."""
    player = f"  {who}:" if who else " "
    where = texts.WHERE.format(condition=line.rule, file=short_path(line.span.file), line=line.span.line)
    held = texts.HELD.format(gained=texts.signed(line.gained)) if line.points != line.gained else ""
    return f"{texts.signed(line.points):>4}{player} {line.text}{where}{held}"


def result_line(match: Match) -> str:
    """Who won and why."""
    outcome = match.game.outcome(match.state)
    assert outcome is not None
    names = [match.name_of(p) for p in outcome.winners]
    if len(names) == 1:
        return texts.WINS.format(who=names[0], reason=outcome.reason)
    return texts.SHARE.format(who=texts.listed(names), reason=outcome.reason)


def short_path(file: str) -> str:
    """A path as short as it can be from here; a shipped file is called `games/…` wherever it lies."""
    try:
        here = os.path.relpath(file)
        shipped = os.path.relpath(file, games_folder())
    except ValueError:  # another drive
        return file
    if here.startswith(".."):
        return file if shipped.startswith("..") else os.path.join("games", shipped)
    return here
