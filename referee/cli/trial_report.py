"""Random games for `rulespec validate --play`: a progress bar while they are played, and a report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from referee.cli import trial_texts as texts_trial
from referee.cli.common import position
from referee.shell.out import progress
from rulespec import number_of

if TYPE_CHECKING:
    from interpreter import Trial
    from rulespec import Diagnostic, Rules


def put_on_trial(rules: Rules, games: int, limit: int) -> Trial:
    """Play the games, with progress bars on a terminal."""
    from interpreter import try_rules

    def watch(part: str, total: int) -> AbstractContextManager[Callable[[int], None] | None]:
        return progress(texts_trial.PROGRESS[part], total)

    return try_rules(rules, games, watch=watch, most_decisions=limit)


def summary(file: str, trial: Trial, asked: int, told: Collection[Diagnostic]) -> Iterator[str]:
    """Yield how much was played and reached, in one line, and what was not reached as far as nothing was `told` about it.

    Another line says if fewer games were played than asked for.
    """
    points = len(trial.coverage.reached)
    yield texts_trial.PLAYED.format(
        file=file,
        games=trial.games_text,
        settings=trial.settings,
        all_settings=trial.all_settings,
        points=points,
        reached=points - len(trial.coverage.missed),
    )
    said = {d.span for d in told}
    for point in trial.coverage.missed:
        if point.span not in said:
            yield texts_trial.MISSED.format(span=point.span, what=point.what)
    if trial.stopped:
        yield texts_trial.STOPPED.format(file=file, asked=number_of(asked, "game"))


def trial_data(trial: Trial) -> dict[str, object]:
    """Return the report as plain data, for `--json`."""
    faults = [
        {
            **position(found.fault.span),
            "message": found.fault.message,
            "players": found.players,
            "options": found.choices,
            "decisions": [str(move) for move in found.way.decisions],
            "shortest": found.way.shortest,
        }
        for found in trial.faults
    ]
    return {
        "games": trial.games,
        "greedy": trial.greedy,
        "stopped": trial.stopped,
        "ended": trial.ended,
        "limit": trial.most_decisions,
        "settings": trial.settings,
        "all_settings": trial.all_settings,
        "points": len(trial.coverage.reached),
        "missed": [{**position(p.span), "what": p.what} for p in trial.coverage.missed],
        "faults": faults,
    }
