"""Random games for `rulespec validate --play`: a progress bar while they are played, and a report."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.cli import trial_texts as texts_trial
from referee.cli.common import position
from referee.shell.out import progress
from rulespec import first_few, number_of

if TYPE_CHECKING:
    from interpreter import Trial
    from rulespec import Rules


MOST_POINTS = 5  # that were not reached, and are named


def put_on_trial(rules: Rules, games: int, limit: int) -> Trial:
    """Play random games, with a progress bar on a terminal."""
    from interpreter import try_rules

    with progress(texts_trial.PROGRESS, games) as tell:
        return try_rules(rules, games, tell=tell, most_decisions=limit)


def summary(file: str, trial: Trial, asked: int) -> Iterator[str]:
    """Yield how much was played and reached, in one line; and in another one if that was not all that was asked for."""
    points = len(trial.coverage.reached)
    yield texts_trial.PLAYED.format(
        file=file,
        games=number_of(trial.games, "random game"),
        settings=trial.settings,
        all_settings=trial.all_settings,
        points=points,
        reached=points - len(trial.coverage.missed),
    )
    if missed := trial.coverage.missed:
        shown = [texts_trial.POINT.format(what=point.what, span=point.span) for point in missed]
        yield texts_trial.NOT_REACHED.format(file=file, points=first_few(shown, MOST_POINTS))
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
        "stopped": trial.stopped,
        "ended": trial.ended,
        "limit": trial.most_decisions,
        "settings": trial.settings,
        "all_settings": trial.all_settings,
        "points": len(trial.coverage.reached),
        "missed": [{**position(p.span), "what": p.what} for p in trial.coverage.missed],
        "faults": faults,
    }
