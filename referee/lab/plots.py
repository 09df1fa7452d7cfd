"""Pictures of a study, by matplotlib: light and dark, as SVG with its text as text, or as PNG.

Words are at the lines, and there is no legend. One colour is for what is compared; grey is for what it is compared with.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from referee.lab import texts
from referee.lab.columns import Row, leader
from referee.lab.comparison import Changed, Comparison
from referee.lab.estimates import Verdict, wilson
from referee.lab.letters import by_size, number, seldom_different, shown
from referee.lab.study import StudySide
from referee.lab.sweep import COLUMNS, Swept

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = 5  # of a game, in the picture of who leads
MOST_RULES = 8


class NoPlots(Exception):
    """There is no matplotlib."""


@dataclass(frozen=True, slots=True)
class Theme:
    name: str
    paper: str
    ink: str
    faint: str
    band: str
    usual: str
    accent: str


LIGHT = Theme("light", "#ffffff", "#1d2026", "#6b7280", "#edf0f3", "#5b6b82", "#c2540a")
DARK = Theme("dark", "#15181d", "#eceff4", "#9aa3b2", "#23272e", "#9fb0cc", "#ff9d52")
THEMES = (LIGHT, DARK)

Drawing = Callable[[Theme], "Figure"]


def drawn(figure: Figure, form: str) -> bytes:
    """Return a picture as bytes, the same in every run: SVG without a date, or PNG."""
    out = io.BytesIO()
    metadata: dict[str, Any] = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
    figure.savefig(out, format=form, facecolor=figure.get_facecolor(), metadata=metadata, dpi=120)
    return out.getvalue()


def _new(theme: Theme, width: float, height: float, title: str, under: str) -> Figure:
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise NoPlots(texts.NO_MATPLOTLIB) from None
    # what authors wrote is text and no formula; SVG names the font and keeps the letters
    matplotlib.rcParams.update(
        {"svg.fonttype": "none", "svg.hashsalt": "rulespec", "text.parse_math": False, "font.family": "sans-serif"}
    )
    figure = Figure(figsize=(width, height), facecolor=theme.paper)
    figure.text(0.03, 1 - 0.3 / height, title, color=theme.ink, size=14, weight="bold", va="center")
    figure.text(0.03, 1 - 0.62 / height, under, color=theme.faint, size=10, va="center")
    return figure


def _plain_axes(figure: Figure, theme: Theme, at: tuple[float, float, float, float]) -> Any:
    axes = figure.add_axes(at)
    axes.set_facecolor("none")
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0, colors=theme.faint, labelsize=10)
    return axes


# What changes -----------------------------------------------------------------------------------------------


def draw_changes(sides: tuple[StudySide, StudySide], comparison: Comparison, under: str) -> Drawing:
    """Return the picture of all changes of the game as a whole, in units of what is noticed."""
    changes = [c for c in comparison.changes if c.measure.group == "game" and c.shown is not None and c.notice]
    changes.sort(key=by_size)
    rare = [change.measure.label for change in seldom_different(comparison)]
    key = [texts.PLOT_KEY, *([texts.PLOT_RARE.format(list=", ".join(rare))] if rare else ())]
    key = [part for line in key for part in wrap(line, 150)]

    def draw(theme: Theme) -> Figure:
        lines = 0.18 * (len(key) - 1)
        height = 1.9 + lines + 0.36 * max(1, len(changes))
        title = texts.PLOT_CHANGES.format(b=sides[1].title, a=sides[0].title)
        figure = _new(theme, 11, height, title, under)
        axes = _plain_axes(figure, theme, (0.33, (0.75 + lines) / height, 0.3, 1 - (1.85 + lines) / height))
        axes.axvspan(-1, 1, color=theme.band, lw=0)
        axes.axvline(0, color=theme.faint, lw=1)
        far = 1.5
        for row, change in enumerate(changes):
            _draw_change(axes, theme, change, row)
            assert change.shown is not None
            far = max(far, *(min(8.0, abs(x) / change.notice) for x in (change.shown.low, change.shown.high)))
        axes.set_xlim(-far - 0.2, far + 0.2)
        axes.set_ylim(max(1, len(changes)) - 0.4, -0.6)
        axes.set_yticks(range(len(changes)), [c.measure.label for c in changes], color=theme.ink)
        axes.set_xticks([-far * 0.7, 0, far * 0.7], [texts.PLOT_LESS, texts.PLOT_SAME, texts.PLOT_MORE])
        for column, name in ((0.70, sides[0].name), (0.79, sides[1].name)):
            figure.text(column, 1 - 0.98 / height, name[:14], color=theme.faint, size=9, ha="right")
        for place, line in enumerate(reversed(key)):
            figure.text(0.03, (0.25 + 0.18 * place) / height, line, color=theme.faint, size=9)
        return figure

    return draw


def _draw_change(axes: Any, theme: Theme, change: Changed, row: int) -> None:
    large = change.verdict in (Verdict.MORE, Verdict.LESS)
    colour = theme.accent if change.verdict.is_change else theme.faint
    assert change.shown is not None and change.compared.value is not None
    ends = [min(8.0, max(-8.0, x / change.notice)) for x in (change.shown.low, change.shown.high)]
    at = min(8.0, max(-8.0, change.compared.value / change.notice))
    axes.plot(ends, [row, row], color=colour, lw=3, solid_capstyle="round", zorder=2)
    axes.plot([at], [row], "o", color=colour, ms=8, mec=theme.paper, mew=1.2, zorder=3)
    weight = "bold" if large else "normal"
    place = axes.get_yaxis_transform()
    m = change.measure
    for x, text, tint in ((1.23, shown(change.before, m), theme.faint), (1.53, shown(change.after, m), theme.ink)):
        axes.text(x, row, text, transform=place, ha="right", va="center", color=tint, size=10)
    axes.text(1.6, row, change.verdict.value, transform=place, va="center", color=colour, size=10, weight=weight)


# How the game goes ------------------------------------------------------------------------------------------


def leader_story(rows: Sequence[Row]) -> list[tuple[float, float, float]]:
    """Return how often the leader after each fifth of the game wins in the end, with the interval."""
    settled = [
        row for row in rows if "fault" not in row and len(row["winners"]) == 1 and len(row["standings"]) >= PARTS
    ]
    found = []
    for part in range(1, PARTS + 1):
        hits = many = 0
        for row in settled:
            ahead = leader(row["standings"][max(0, -(-part * len(row["standings"]) // PARTS) - 1)])
            many += ahead > 0
            hits += ahead == row["winners"][0]
        if not many:
            return []
        interval = wilson(hits, many)
        found.append((hits / many, interval.low, interval.high))
    return found


def draw_story(
    sides: tuple[StudySide, StudySide], comparison: Comparison, rows: Sequence[Sequence[Row]], under: str
) -> Drawing:
    """Return the picture of how often the current leader wins, and of where points come from."""
    stories = [leader_story(side) for side in rows]
    points = [c for c in comparison.changes if c.measure.group == "points" and c.before.interval and c.after.interval]
    points = sorted(points, key=lambda c: -abs(c.before.value or 0))[:MOST_RULES]

    def draw(theme: Theme) -> Figure:
        height = max(4.2, 1.8 + 0.55 * len(points))
        figure = _new(theme, 11, height, texts.PLOT_STORY.format(a=sides[0].title, b=sides[1].title), under)
        colours = (theme.usual, theme.accent)
        at = (0.08, 0.9 / height, 0.36, 1 - 2.2 / height)
        axes = _plain_axes(figure, theme, at)
        axes.set_title(texts.PLOT_LEADER, color=theme.ink, size=11, loc="left")
        x, above = _label_place(stories)
        for story, colour, side, is_above in zip(stories, colours, sides, above, strict=True):
            if story:
                places = range(1, PARTS + 1)
                axes.fill_between(places, [s[1] for s in story], [s[2] for s in story], color=colour, alpha=0.15, lw=0)
                axes.plot(places, [s[0] for s in story], "o-", color=colour, lw=2, ms=6)
                axes.annotate(
                    side.name,
                    (x, story[x - 1][0]),
                    (0, 10 if is_above else -20),
                    textcoords="offset points",
                    color=colour,
                    weight="bold",
                    ha="center",
                )
        axes.set_ylim(0, 1.05)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        axes.set_xticks([1, PARTS], [texts.PLOT_FIRST_FIFTH, texts.PLOT_END])
        axes.tick_params(axis="x", pad=12)
        axes.grid(axis="y", color=theme.band)
        axes = _plain_axes(figure, theme, (0.64, 0.6 / height, 0.32, 1 - 1.9 / height))
        axes.set_title(texts.PLOT_POINTS, color=theme.ink, size=11, loc="left")
        axes.axvline(0, color=theme.faint, lw=1)
        for row, change in enumerate(points):
            for found, colour, shift in ((change.before, colours[0], -0.19), (change.after, colours[1], 0.19)):
                value, interval = found.value or 0.0, found.interval
                assert interval is not None
                axes.barh(row + shift, value, 0.34, color=colour)
                axes.plot([interval.low, interval.high], [row + shift] * 2, color=theme.ink, lw=1)
                text = f"{'+' if value > 0 else ''}{number(value, change.measure)}"
                end = max(0.0, interval.high)
                axes.annotate(
                    text, (end, row + shift), (4, 0), textcoords="offset points", va="center", color=theme.ink, size=9
                )
        axes.set_yticks(range(len(points)), [c.measure.label for c in points], color=theme.ink)
        axes.set_ylim(len(points) - 0.4, -0.6)
        axes.margins(x=0.15)
        axes.set_xticks([])
        figure.text(0.03, 0.2 / height, texts.PLOT_STORY_KEY, color=theme.faint, size=9)
        return figure

    return draw


def _label_place(stories: Sequence[Sequence[tuple[float, float, float]]]) -> tuple[int, tuple[bool, bool]]:
    """Return the fifth at which names are written, the lines being furthest apart, and whether each is above its line."""
    inner = range(2, PARTS)
    if not all(stories):
        return inner[0], (True, True)
    apart = {x: stories[0][x - 1][0] - stories[1][x - 1][0] for x in inner}
    x = max(inner, key=lambda x: abs(apart[x]))
    return x, (apart[x] >= 0, apart[x] < 0)


# Sweeps -----------------------------------------------------------------------------------------------------


def draw_sweep(swept: Swept, varied: str, now: str) -> Drawing:
    """Return one small chart a measure, values along it; bars are intervals of the difference to the rules as they are."""
    usual = {m.measure.key: m for m in swept.measured if m.found.interval is not None}
    keys = [key for key in COLUMNS if key in usual and not (key == "decisions" and "rounds" in usual)][:5]
    names = [now, *(name for name, _, _ in swept.values)]
    if all(_number(name) is not None for name in names):
        names.sort(key=lambda name: _number(name) or 0.0)

    def draw(theme: Theme) -> Figure:
        width = 1.2 + 2.4 * max(2, len(keys))
        under = texts.PLOT_SWEEP_UNDER.format(n=swept.games, seats=", ".join(dict.fromkeys(swept.base.job.seats)))
        figure = _new(theme, width, 4.2, f"{swept.base.title}: {varied}", under)
        each = 0.94 / max(1, len(keys))
        for column, key in enumerate(keys):
            axes = _plain_axes(figure, theme, (0.06 + column * each, 0.2, each * 0.76, 0.52))
            _draw_value(axes, theme, swept, key, names, now)
        figure.text(0.03, 0.05, texts.PLOT_SWEEP_KEY.format(now=now), color=theme.faint, size=9)
        return figure

    return draw


def _draw_value(axes: Any, theme: Theme, swept: Swept, key: str, names: list[str], now: str) -> None:
    usual = next(m for m in swept.measured if m.measure.key == key)
    base = usual.found.value or 0.0
    scale = 100 if usual.measure.unit == "%" else 1
    line: dict[int, float] = {names.index(now): base * scale}
    for name, _, comparison in swept.values:
        change = comparison.of(key)
        if change is None or change.compared.value is None or change.shown is None:
            continue
        x, at = names.index(name), base + change.compared.value
        line[x] = at * scale
        ends = [(base + end) * scale for end in (change.shown.low, change.shown.high)]
        axes.plot([x, x], ends, color=theme.accent, lw=3, solid_capstyle="round")
        axes.axhspan((base - change.notice) * scale, (base + change.notice) * scale, color=theme.band, lw=0, zorder=0)
    places = sorted(line)
    axes.plot(places, [line[x] for x in places], color=theme.accent, lw=1.5, alpha=0.7)
    for x in places:
        colour = theme.usual if names[x] == now else theme.accent
        axes.plot([x], [line[x]], "o", color=colour, ms=8, mec=theme.paper, mew=1.2, zorder=3)
    axes.set_title(usual.measure.label[:28], color=theme.ink, size=10, loc="left")
    axes.set_xticks(range(len(names)), [name[:8] for name in names])
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.grid(axis="y", color=theme.band)


def _number(name: str) -> float | None:
    try:
        return float(name)
    except ValueError:
        return None
