"""Shared by the commands of the lab: who plays, how many games, how long, and how they are played."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import update_wrapper
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import click

from referee.cli import lab_texts as texts
from referee.cli.common import BAD, INTERRUPTED, LARGEST_SEED, stop
from referee.shell import out
from rulespec import listed, quoted

if TYPE_CHECKING:
    from referee.lab.crew import AnyCrew
    from referee.lab.estimates import Looking
    from referee.lab.plots import Drawing
    from referee.lab.row import Row
    from referee.lab.study import Gathered, StudySide

F = TypeVar("F", bound=Callable[..., Any])

PLAYERS = "quick"  # who plays unless somebody else is named
GAMES = 400
MOST_UNTIL = 4_000  # games of a study that ends when something is settled
MOST_TIMED = 100_000  # games of one that ends by the clock
SEED = 1000
FAR = "far:1000"  # who sees the end of the game coming
UNITS = {"s": 1, "m": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class Ordered:
    """A study as requested on the command line."""

    seats: str
    games: int | None
    seconds: float | None
    until: tuple[str, ...]
    notices: dict[str, float]
    seed: int
    workers: int | None
    cluster: str | None  # address of a scheduler

    def looking(self, often: bool) -> Looking:
        """Return how results are looked at; `often`: they may be while games are played, unless their number is fixed."""
        from referee.lab.estimates import Looking

        if self.until:
            return Looking(self.games or MOST_UNTIL, True)
        if self.games is not None or self.seconds is not None:
            return Looking(self.games or MOST_TIMED, False)
        return Looking(GAMES, often)


def with_lab(command: F) -> F:
    """Give a command the options of the lab, as one parameter `ordered`."""

    def ordering(
        *args: Any,
        seats: str,
        games: int | None,
        seconds: float | None,
        until: tuple[str, ...],
        notices: dict[str, float],
        seed: int,
        workers: int | None,
        cluster: str | None,
        **more: Any,
    ) -> Any:
        if cluster is not None and workers is not None:
            raise click.UsageError(texts.TWO_CREWS)
        ordered = Ordered(seats, games, seconds, until, notices, seed, workers, cluster)
        return command(*args, ordered=ordered, **more)

    found: Any = update_wrapper(ordering, command)  # with the options that the command has already
    for option in reversed(
        (
            click.option("--seats", metavar="BOT,BOT…", default=PLAYERS, show_default=True, help=texts.OPTION_SEATS),
            click.option("--games", type=click.IntRange(1, 1_000_000), metavar="N", help=texts.OPTION_GAMES),
            click.option("--time", "seconds", metavar="TIME", callback=_read_time, help=texts.OPTION_TIME),
            click.option("--until", multiple=True, metavar="MEASURE", help=texts.OPTION_UNTIL),
            click.option(
                "--notice",
                "notices",
                multiple=True,
                metavar="MEASURE=N",
                callback=_read_notices,
                help=texts.OPTION_NOTICE,
            ),
            click.option(
                "--seed",
                type=click.IntRange(0, LARGEST_SEED),
                metavar="N",
                default=SEED,
                show_default=True,
                help=texts.OPTION_SEED,
            ),
            click.option("--workers", type=click.IntRange(1, 256), metavar="N", help=texts.OPTION_WORKERS),
            click.option("--cluster", metavar="ADDRESS", callback=_read_address, help=texts.OPTION_CLUSTER),
        )
    ):
        found = option(found)
    return found  # type: ignore[no-any-return]


def with_watchers(command: F) -> F:
    """Give a command --drama and --kings, as one parameter `watched`."""

    def watching(*args: Any, drama: bool, kings: bool, **more: Any) -> Any:
        from referee.lab.kings import KINGS
        from referee.lab.watchers import DRAMA

        watched = tuple(name for name, asked in ((DRAMA, drama), (KINGS, kings)) if asked)
        return command(*args, watched=watched, **more)

    found: Any = update_wrapper(watching, command)
    found = click.option("--kings", is_flag=True, help=texts.OPTION_KINGS)(found)
    return click.option("--drama", is_flag=True, help=texts.OPTION_DRAMA)(found)  # type: ignore[no-any-return]


def with_pages(command: F) -> F:
    """Give a command --html and --plots."""
    command = click.option("--plots", metavar="FOLDER", help=texts.OPTION_PLOTS)(command)
    return click.option("--html", "page", metavar="FILE", help=texts.OPTION_HTML)(command)


def check_pictures(*wanted: str | None) -> None:
    """Refuse pictures where there is nothing to draw them with, before any game is played."""
    from importlib.util import find_spec

    if any(wanted) and find_spec("matplotlib") is None:
        raise click.UsageError(texts.NO_MATPLOTLIB)


def write_pictures(folder: str, pictures: Mapping[str, Drawing]) -> None:
    """Write pictures as SVG and PNG, light and dark."""
    from referee.lab.plots import THEMES, drawn

    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, drawing in pictures.items():
            for theme in THEMES:
                figure = drawing(theme)
                for form in ("svg", "png"):
                    (place / f"{name}-{theme.name}.{form}").write_bytes(drawn(figure, form))
    except OSError as error:
        raise click.UsageError(texts.CANNOT_WRITE.format(path=folder, reason=error.strerror)) from None


def write_html(file: str, text: str) -> None:
    """Write a page."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(texts.CANNOT_WRITE.format(path=file, reason=error.strerror)) from None


def _read_time(context: click.Context, parameter: click.Parameter, value: str | None) -> float | None:
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([smh]?)", value)
    seconds = float(match[1]) * UNITS[match[2] or "s"] if match else 0.0
    if not seconds:
        raise click.UsageError(texts.BAD_TIME.format(found=value), context)
    return seconds


def _read_address(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    from importlib.util import find_spec

    if value is None:
        return None
    match = re.fullmatch(r"(?:(tcp|tls)://)?([A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):([0-9]{1,5})", value)
    if match is None or not 0 < int(match[3]) < 65536:
        raise click.UsageError(texts.BAD_ADDRESS.format(found=value), context)
    if find_spec("distributed") is None:
        raise click.UsageError(texts.NO_DISTRIBUTED, context)
    return f"{match[1] or 'tcp'}://{match[2]}:{int(match[3])}"


def _read_notices(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, float]:
    found = {}
    for value in values:
        name, equals, amount = value.rpartition("=")
        number = float(amount) if re.fullmatch(r"\d{1,9}(\.\d{1,6})?", amount) else 0.0
        if not (name and equals and number > 0):
            raise click.UsageError(texts.BAD_NOTICE.format(found=value), context)
        found[name.strip()] = number
    return found


def read_players(text: str, players: int) -> tuple[str, ...]:
    """Return who plays, from player 1 on; the last one is repeated. Only bots whose budget is counted can."""
    from referee.bots import WAYS, BadBot, find_bot, is_counted

    seats = [word.strip() for word in text.split(",")]
    known = listed(WAYS)
    for seat in seats:
        try:
            if find_bot(seat) is None:
                raise click.UsageError(
                    (texts.NO_PEOPLE if seat == "human" else texts.NO_PLAYER).format(found=seat, known=known)
                )
        except BadBot as error:
            raise click.UsageError(str(error)) from None
        if not is_counted(seat):
            raise click.UsageError(texts.TIMED_PLAYER.format(found=seat))
    if len(seats) > players:
        raise click.UsageError(texts.SEATS_MANY.format(found=len(seats), players=players))
    whole = {"quick": "quick:200", "far": FAR}  # a budget is part of a name, so that another default is another player
    seats = [whole.get(seat, seat) for seat in seats]
    return (*seats, *[seats[-1]] * (players - len(seats)))


def check_names(names: Sequence[str], known: Sequence[str]) -> None:
    """Refuse measures that there are not."""
    for name in names:
        if name not in known:
            raise click.UsageError(texts.NO_MEASURE.format(found=name, known=listed(quoted(known))))


def check_watchers(side: StudySide) -> None:
    """Refuse to watch games that have nothing to see."""
    from referee.lab.row import FEWEST_PLAYERS

    for name in side.job.watched:
        if side.job.players < FEWEST_PLAYERS[name]:
            raise click.UsageError(texts.TOO_FEW_PLAYERS.format(name=name, least=FEWEST_PLAYERS[name]))


def hire(ordered: Ordered) -> AnyCrew:
    """Return who plays the games: the workers of a cluster if one is named, else processes of this machine."""
    from referee.lab.crew import Crew, CrewLost, cores

    if ordered.cluster is None:
        return Crew(ordered.workers or cores())
    from referee.lab.cluster import FarCrew

    try:
        return FarCrew(ordered.cluster, out.to_stderr)
    except CrewLost as lost:
        raise click.ClickException(str(lost)) from None


class Player:
    """Plays what is requested, by a crew that stays for the next request."""

    def __init__(self, ordered: Ordered) -> None:
        from referee.lab.chunks import KeptChunks, lab_folder

        self.ordered = ordered
        self.crew = hire(ordered)
        self.kept = KeptChunks(lab_folder())
        self._begin = monotonic()
        self._lost = ""  # why nobody can play on

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *error: object) -> None:
        self.crew.close()

    def play(
        self,
        sides: Sequence[StudySide],
        games: int,
        enough: Callable[[Sequence[Sequence[Row]]], bool] | None = None,
        what: str = "",
    ) -> Gathered:
        """Return the rows of `games` games of all sides, with a progress bar; fewer if the time is up or somebody stops it."""
        from referee.lab.study import Plan, gather

        seconds = self.ordered.seconds
        left = None if seconds is None else max(0.0, seconds - (monotonic() - self._begin))
        plan = Plan(self.ordered.seed, games, left, enough)
        what = what or texts.PLAYING.format(names=listed(side.name for side in sides))
        with out.progress(what, games) as bar:
            found = gather(sides, plan, self.crew, self.kept, bar)
        self._lost = self._lost or found.why
        return found

    def end(self, ended: str) -> None:
        """Exit after the report, if a study `ended` before it was done."""
        if self._lost:
            out.to_stderr(texts.LOST.format(why=self._lost))
            stop(BAD)
        if ended == "stopped":
            stop(INTERRUPTED)


class Schedule:
    """The numbers of games after which it is asked whether they are enough: the same in every run."""

    def __init__(self, first: int) -> None:
        self._next = first

    def is_due(self, n: int) -> bool:
        """Return whether it is time, and if so set the next one."""
        if n < self._next:
            return False
        self._next = n + max(1, n // 20)
        return True


def short_name(words: Sequence[str]) -> str:
    """Return what rules are called in a table: a file by its name, without its folder."""
    return " + ".join(Path(word).stem if word.endswith((".yaml", ".yml")) else word for word in words)
