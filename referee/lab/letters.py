"""A study as text: sentences, tables, what to believe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import ceil, exp, log

from referee.lab import texts
from referee.lab.columns import GIVEN, GameColumns, Row
from referee.lab.comparison import Changed, Comparison, Measured, Measurement
from referee.lab.doubts import Attention, Foresight, SecondOpinion
from referee.lab.estimates import FEWEST, LOOKS_FROM, Found, Interval, Looking, Verdict
from referee.lab.findings import Findings
from referee.lab.measures import GAME, WATCHED, Measure, Unit
from referee.lab.restricted import need_line
from referee.lab.skill import PARTS, SkillFound
from referee.lab.study import Gathered, StudySide
from referee.lab.vary import FACTOR
from rulespec import listed, number_of

MINUS = "−"
MOST_LISTED = 6
BAR = 20  # letters of the bar of a share


# Numbers ----------------------------------------------------------------------------------------------------


def number(value: float, measure: Measure) -> str:
    """Return a value as people read it."""
    match measure.unit:
        case Unit.PERCENT:
            return f"{_percent(value)} %"
        case Unit.TIMES:
            return _plain(exp(value) if measure.in_logs else value, 2)
        case _:
            return _plain(value)


def _percent(share: float) -> str:
    """Return a share in percent, with no more digits than that many games justify."""
    return _plain(100 * share, 0 if abs(share) >= 0.0995 else 1)


def _plain(value: float, digits: int | None = None) -> str:
    size = abs(value)
    if digits is None:
        digits = 0 if size >= 99.5 else 1 if size >= 0.095 or size == 0 else 2
    text = f"{size:.{digits}f}"
    if text.strip("0.") == "":
        text = "0"
    return f"{MINUS}{text}" if value < 0 and text != "0" else text


def _signed(value: float, measure: Measure) -> str:
    text = _bare(value, measure)
    return text if text.startswith(MINUS) or text == "0" else f"+{text}"


def _bare(value: float, measure: Measure) -> str:
    """Return a difference without its unit; a ratio of ratios for uses of moves."""
    if measure.in_logs:
        return f"×{_plain(exp(value), 2)}"
    return _plain(100 * value if measure.unit is Unit.PERCENT else value)


def span(interval: Interval, measure: Measure, difference: bool = False) -> str:
    """Return an interval as people read it."""
    if difference:
        return f"{_bare(interval.low, measure)} … {_bare(interval.high, measure)}"
    if measure.unit is Unit.PERCENT:
        return f"{_percent(interval.low)} … {_percent(interval.high)} %"
    return f"{number(interval.low, measure)} … {number(interval.high, measure)}"


def shown(found: Found, measure: Measure) -> str:
    """Return a value; a number without an interval is not shown."""
    return "–" if found.value is None or found.interval is None else number(found.value, measure)


def difference(change: Changed) -> str:
    value = change.compared.value
    if value is None or change.shown is None:
        return ""
    text = _bare(value, change.measure) if change.measure.in_logs else _signed(value, change.measure)
    return f"{text} ({span(change.shown, change.measure, difference=True)})"


def duration(seconds: float) -> str:
    """Return a time roughly, as people say it."""
    if seconds < 99:
        return f"{max(1, round(seconds))} s"
    if seconds < 99 * 60:
        return f"{round(seconds / 60)} min"
    return f"{round(seconds / 3600)} h"


# A comparison -----------------------------------------------------------------------------------------------


def comparison_lines(
    sides: tuple[StudySide, StudySide],
    comparison: Comparison,
    looking: Looking,
    gathered: Gathered,
    seed: int,
    attention: Sequence[Attention] = (),
    seconds: Sequence[SecondOpinion] = (),
) -> Iterator[str]:
    """Yield the report on two rule sets."""
    a, b = sides
    title = f"{a.title} and {b.title}" if a.title != b.title else f"{a.title}: {a.name} and {b.name}"
    yield report_head(title, number_of(comparison.n, texts.PAIRS), a, seed)
    yield from _ended(gathered, looking, texts.PAIRS)
    if a.job.fingerprint == b.job.fingerprint:
        yield texts.SAME_RULES
    yield ""
    yield from sentences(comparison)
    games = [change for change in comparison.changes if change.measure.group == "game"]
    yield ""
    rows = [["", a.name, b.name, texts.COLUMN_DIFFERENCE, texts.COLUMN_VERDICT]]
    for change in sorted(games, key=by_size):
        m = change.measure
        verdict = verdict_text(change, gathered.pace)
        rows.append([m.label, shown(change.before, m), shown(change.after, m), difference(change), verdict])
    yield from table(rows, right=(1, 2))
    yield ""
    yield from points_lines(comparison)
    yield from _cut_points(gathered.rows[1], b.name)
    yield from _changed_moves(comparison)
    yield ""
    yield from doubt_lines(sides, comparison, looking, gathered, attention, seconds)


def doubt_lines(
    sides: tuple[StudySide, StudySide],
    comparison: Comparison,
    looking: Looking,
    gathered: Gathered,
    attention: Sequence[Attention] = (),
    seconds: Sequence[SecondOpinion] = (),
) -> Iterator[str]:
    """Yield what to believe of a comparison: whether players play for it, what others show, faults, how sure intervals are."""
    yield from _attention_lines(attention, sides[1].job.seats)
    for second in seconds:
        yield _second_line(second)
    yield from _warnings(sides, comparison.faults, gathered, comparison.left_out)
    choice = comparison.of("choice")
    yield from _counted(comparison.n if choice is None else choice.compared.n, comparison.n)
    yield from _method(comparison.n, looking)


def by_size(change: Changed) -> tuple[int, float]:
    if change.verdict.is_change:
        return (0, -change.size)
    return (1 if change.verdict is Verdict.UNCLEAR else 2 if change.verdict is Verdict.RARE else 3, -change.size)


def sentences(comparison: Comparison) -> Iterator[str]:
    """Yield what is sure, in words: the three largest changes in sentences, then the others, what is alike and what is open."""
    if comparison.n == 0:
        yield texts.NO_GAMES
        return
    if comparison.differing == 0:
        yield texts.NEVER.format(n=comparison.n, most=_in_games(comparison.in_play.high))
        return
    games = [c for c in comparison.changes if c.measure.group == "game"]
    large = sorted((c for c in games if c.verdict in (Verdict.MORE, Verdict.LESS)), key=by_size)
    little = sorted((c for c in games if c.verdict in (Verdict.LITTLE_MORE, Verdict.LITTLE_LESS)), key=by_size)
    if comparison.differing < comparison.n:
        k, n, interval = comparison.differing, comparison.n, comparison.in_play
        low, high = _percent(interval.low), _percent(interval.high)
        yield texts.SELDOM.format(k=k, n=n, low=low, high=high)
    if not large and not little:
        yield texts.NOTHING_SURE
    for change in large[: texts.MOST_SENTENCES]:
        yield capitalised(_phrase(change, texts.SENTENCE))
    if rest := large[texts.MOST_SENTENCES :]:
        yield texts.ALSO.format(list="; ".join(_phrase(c, texts.IN_BRACKETS) for c in rest))
    if little:
        yield texts.LITTLE.format(list="; ".join(_phrase(c, texts.IN_BRACKETS) for c in little))
    if same := [c.measure.label for c in games if c.verdict is Verdict.SAME]:
        yield texts.ALIKE.format(list=", ".join(same))
    if unclear := [c.measure.label for c in games if c.verdict is Verdict.UNCLEAR]:
        yield texts.OPEN.format(list=", ".join(unclear))
    if rare := [change.measure.label for change in seldom_different(comparison)]:
        yield texts.DIFFER_SELDOM.format(list=", ".join(rare))


def seldom_different(comparison: Comparison) -> list[Changed]:
    """Return what differs in some pairs of games, but in too few to tell."""
    games = (change for change in comparison.changes if change.measure.group == "game")
    return [change for change in games if change.verdict is Verdict.RARE and change.compared.differing]


def _in_games(share: float) -> str:
    """Return a share as a number in a hundred, or in a thousand."""
    if share == 0:
        return "0"
    return f"{ceil(1000 * share)} in 1000" if share < 0.0095 else f"{round(100 * share)} in 100"


def _phrase(change: Changed, template: str) -> str:
    more, less, counted = texts.PHRASES.get(change.measure.key, texts.OTHER_PHRASE)
    m = change.measure
    phrase = (more if change.verdict in (Verdict.MORE, Verdict.LITTLE_MORE) else less).format(label=m.label)
    counted = f" {counted}" if counted else ""
    return template.format(phrase=phrase, a=shown(change.before, m), b=shown(change.after, m), counted=counted)


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def verdict_text(change: Changed, pace: float | None) -> str:
    """Return a verdict, with what it would take to settle one that is open."""
    verdict, compared = change.verdict, change.compared
    if verdict is Verdict.RARE and not compared.differing:
        return texts.ALL_SAME
    if verdict is Verdict.RARE:
        return texts.RARE.format(k=compared.differing, n=compared.n)
    if verdict is not Verdict.UNCLEAR:
        return verdict.value
    if compared.interval is None:
        return texts.TOO_FEW
    more = change.more_pairs
    if more is None or more > 100 * compared.n:
        return texts.NEVER_SETTLED.format(verdict=verdict.value)
    time = texts.TAKES.format(time=duration(more * pace)) if pace is not None else ""
    return texts.MORE_PAIRS.format(verdict=verdict.value, pairs=_about(more), time=time)


def _about(n: int) -> str:
    """Return a number with two digits that count."""
    digits = max(0, len(str(n)) - 2)
    return f"{round(n, -digits):,}"


def points_lines(comparison: Comparison) -> Iterator[str]:
    """Yield where points come from, those that changed first."""
    points = [c for c in comparison.changes if c.measure.group == "points"]
    changed = [c for c in points if c.verdict.is_change]
    parts = []
    for c in sorted(changed, key=by_size):
        a, b = shown(c.before, c.measure), shown(c.after, c.measure)
        parts.append(texts.POINTS_BOTH.format(rule=c.measure.label, a=a, b=b, change=difference(c)))
    same = [f"{c.measure.label} {shown(c.after, c.measure)}" for c in points if not c.verdict.is_change]
    if same:
        parts.append(texts.POINTS_SAME.format(list=", ".join(same)) if changed else ", ".join(same))
    if parts:
        yield texts.POINTS.format(list="; ".join(parts))


def _changed_moves(comparison: Comparison) -> Iterator[str]:
    parts = []
    moves = [c for c in comparison.changes if c.measure.group == "moves" and c.verdict.is_change]
    for c in sorted(moves, key=by_size)[:MOST_LISTED]:
        assert c.compared.value is not None
        if c.verdict in (Verdict.MORE, Verdict.LESS):
            parts.append(texts.MOVE_MORE.format(move=c.measure.label, times=_plain(exp(c.compared.value), 2)))
        else:
            how = "more" if c.verdict is Verdict.LITTLE_MORE else "less"
            parts.append(texts.MOVE_LITTLE.format(move=c.measure.label, how=how))
    if parts:
        yield texts.MOVES_CHANGED.format(list="; ".join(parts))


def _attention_lines(attention: Sequence[Attention], seats: Sequence[str]) -> Iterator[str]:
    lines = {True: texts.ATTENTION, False: texts.ATTENTION_NONE, None: texts.ATTENTION_FAILED}
    for one in attention:
        words = {"name": one.name, "factor": FACTOR, "pairs": one.pairs}
        far = one.far
        if far is None or far.noticed is None:
            yield lines[one.noticed].format(**words)
        elif far.noticed:
            yield texts.ATTENTION_UNSEEN.format(**words)
            uses = "; ".join(_planned_uses(far, seats))
            uses = texts.FAR_USES.format(list=uses) if uses else ""
            yield texts.ATTENTION_FAR.format(name=one.name, bot=far.bot, uses=uses)
        else:
            yield texts.ATTENTION_NOBODY.format(bot=far.bot, **words)


def _planned_uses(far: Foresight, seats: Sequence[str]) -> Iterator[str]:
    """Yield how far-sighted players use what a number pays for."""
    who = listed(tuple(dict.fromkeys(seats)))
    for use in far.rules[: texts.MOST_USES]:
        template = texts.FAR_SHARE if use.share else texts.FAR_COUNT
        values = {key: _planned(getattr(use, key), use.share) for key in ("usual", "far", "larger")}
        if all(values.values()):
            yield template.format(rule=use.rule, who=who, bot=far.bot, factor=FACTOR, **values)
    parts = []
    for more, template in ((True, texts.FAR_MORE), (False, texts.FAR_LESS)):
        if moves := [f"`{move}`" for move, is_more in far.moves if is_more == more]:
            parts.append(template.format(list=listed(moves[: texts.MOST_USES])))
    if parts:
        yield texts.FAR_MOVES.format(list=listed(parts), factor=FACTOR)


def _planned(found: Found, share: bool) -> str:
    """Return a number with its interval; nothing if it has none."""
    if found.value is None or found.interval is None:
        return ""
    low, high = found.interval.low, found.interval.high
    if share:
        return texts.FAR_VALUE.format(value=f"{_percent(found.value)} %", span=f"{_percent(low)} … {_percent(high)}")
    return texts.FAR_VALUE.format(value=_plain(found.value), span=f"{_plain(low)} … {_plain(high)}")


def _second_line(second: SecondOpinion) -> str:
    labels = {measure.key: measure.label for measure in (*GAME, *chain.from_iterable(WATCHED.values()))}
    parts = [
        template.format(list=", ".join(labels.get(key, key) for key in keys))
        for template, keys in (
            (texts.SECOND_AGREES, second.agrees),
            (texts.SECOND_DISAGREES, second.disagrees),
            (texts.SECOND_ALONE, second.alone),
            (texts.SECOND_FEW, second.open),
        )
        if keys
    ]
    line = texts.SECOND if parts else texts.SECOND_NOTHING
    return line.format(bot=second.bot, pairs=second.pairs, parts="; ".join(parts))


# A measurement ----------------------------------------------------------------------------------------------


def measurement_lines(found: Findings) -> Iterator[str]:
    """Yield the report on one rule set."""
    side, measurement, looking, gathered = found.side, found.measurement, found.looking, found.gathered
    yield report_head(side.title, number_of(measurement.n, texts.GAME), side, found.seed)
    yield from _ended(gathered, looking, texts.GAME)
    if measurement.n == 0:
        yield texts.NO_GAMES
    yield ""
    yield from table(value_rows(measurement), right=(1,))
    yield ""
    yield from value_notes(measurement)
    yield from side_notes(side, measurement, gathered)
    yield ""
    if found.far is not None:
        yield far_head(*found.far)
        yield from table(value_rows(found.far[1]), right=(1,))
        yield ""
        yield from value_notes(found.far[1])
        yield ""
    if found.skill is not None:
        yield skill_head(found.skill)
        if rows := skill_rows(found.skill):
            yield from table(rows, right=(1,))
        yield from skill_notes(found.skill)
        yield ""
    yield from measurement_doubts(side, measurement, looking, gathered)


def far_head(bot: str, measurement: Measurement) -> str:
    """Return what is said before the numbers that far-sighted players show."""
    return texts.FAR_HEAD.format(bot=bot, games=number_of(measurement.n, texts.GAME))


def value_rows(measurement: Measurement) -> list[list[str]]:
    """Return the table of measures."""
    rows = [["", texts.COLUMN_VALUE, texts.COLUMN_INTERVAL, ""]]
    for value in measurement.values:
        m, found = value.measure, value.found
        if m.group == "game" and found.interval is not None:
            bar = _bar(found.value or 0.0) if m.unit is Unit.PERCENT else ""
            rows.append([m.label, shown(found, m), span(found.interval, m), bar])
    return rows


def value_notes(measurement: Measurement) -> Iterator[str]:
    """Yield the points by rule, and the moves that players avoid and seek."""
    points = [v for v in measurement.values if v.measure.group == "points" and v.found.interval is not None]
    if points:
        yield texts.POINTS.format(list=", ".join(_rule_points(v) for v in points))
    yield from _moves(measurement)


def side_notes(side: StudySide, measurement: Measurement, gathered: Gathered) -> Iterator[str]:
    """Yield whether what a player goes without is needed, and the rules whose points are at a limit."""
    if line := need_line(measurement, side.job.seats):
        yield line
    yield from _cut_points(gathered.rows[0], side.name)


def skill_head(skill: SkillFound) -> str:
    """Return what is said before the parts of skill and luck."""
    return texts.SKILL_HEAD.format(strong=skill.strong, weak=skill.weak, deals=number_of(skill.deals, texts.DEAL))


def skill_rows(skill: SkillFound) -> list[list[str]]:
    """Return the table of the parts of skill and luck; nothing if they are not known."""
    rows = [["", texts.SKILL_COLUMN, texts.COLUMN_INTERVAL, ""]]
    for name, part in zip(PARTS, skill.parts, strict=True):
        if part.value is None or part.interval is None:
            return []
        low, high = _percent(part.interval.low), _percent(part.interval.high)
        value = f"{_percent(part.value)} %"
        rows.append([texts.SKILL_PARTS[name], value, f"{low} … {high} %", _bar(part.value)])
    return rows


def skill_notes(skill: SkillFound) -> Iterator[str]:
    """Yield why the parts of skill and luck are not all that was asked for."""
    if skill.ended in ("stopped", "clock", "lost"):
        yield texts.SKILL_STOPPED.format(n=skill.deals, planned=skill.planned)
    if skill.deals < FEWEST:
        yield texts.SKILL_FEW.format(fewest=FEWEST)
    elif not skill_rows(skill):
        yield texts.SKILL_NOTHING


def measurement_doubts(
    side: StudySide, measurement: Measurement, looking: Looking, gathered: Gathered
) -> Iterator[str]:
    """Yield what to believe of a measurement: faults, who played, how sure intervals are."""
    yield from _warnings((side,), (measurement.faults,), gathered, 0)
    choice = measurement.of("choice")
    yield from _counted(measurement.n if choice is None else choice.found.n, measurement.n)
    yield from _method(measurement.n, looking)


def _bar(share: float) -> str:
    """Return a share as a bar in letters."""
    filled = round(BAR * min(1.0, max(0.0, share)))
    return "█" * filled + "░" * (BAR - filled)


def _rule_points(value: Measured) -> str:
    m, found = value.measure, value.found
    assert found.interval is not None
    return texts.POINTS_ONE.format(rule=m.label, value=shown(found, m), interval=span(found.interval, m))


def _cut_points(rows: Sequence[Row], name: str) -> Iterator[str]:
    """Yield the rules whose points did not all reach the score, such as those that would lead below zero."""
    games = GameColumns.of(rows).whole()
    each = len(games) * max(1, games.heads.scores)
    for rule in games.heads.rules:
        points, gained = sum(games.noted(rule, GIVEN)), sum(games.noted(rule))
        if abs(points - gained) > 0.1 * abs(points):
            yield texts.CUT_POINTS.format(
                name=name, rule=rule, points=_plain(points / each), gained=_plain(gained / each)
            )


def _moves(measurement: Measurement) -> Iterator[str]:
    """Yield the moves that players avoid and seek. All of one value are the same for players at random."""
    moves = [v for v in measurement.values if v.measure.group == "moves"]
    never = [f"`{v.measure.label}`" for v in moves if v.found.value is None]
    if never:
        yield texts.MOVES_NEVER.format(list=", ".join(never[:MOST_LISTED]))
    known = [v for v in moves if v.found.interval is not None]
    seldom = [v for v in known if v.found.interval is not None and v.found.interval.high < log(0.5)]
    often = [v for v in known if v.found.interval is not None and v.found.interval.low > log(2)]
    for line, some, sign in ((texts.MOVES_SELDOM, seldom, 1), (texts.MOVES_OFTEN, often, -1)):
        some.sort(key=lambda v: sign * (v.found.value or 0.0))
        parts = [
            texts.MOVE_ONE.format(move=v.measure.label, times=shown(v.found, v.measure)) for v in some[:MOST_LISTED]
        ]
        if parts:
            yield line.format(list=", ".join(parts))


# Both -------------------------------------------------------------------------------------------------------


def report_head(title: str, games: str, side: StudySide, seed: int) -> str:
    seats = ",".join(dict.fromkeys(side.job.seats)) if len(set(side.job.seats)) == 1 else ",".join(side.job.seats)
    players = number_of(side.job.players, "player")
    return texts.HEAD.format(title=title, games=games, players=players, seats=seats, seed=seed)


def _ended(gathered: Gathered, looking: Looking, what: str) -> Iterator[str]:
    line = {"clock": texts.CLOCK, "stopped": texts.STOPPED, "lost": texts.LOST_AFTER}.get(gathered.ended)
    if line is not None:
        yield line.format(n=gathered.n, planned=looking.planned, what=number_of(2, what).partition(" ")[2])


def _warnings(
    sides: Sequence[StudySide], faults: Sequence[Counter[str]], gathered: Gathered, left_out: int
) -> Iterator[str]:
    for side, codes in zip(sides, faults, strict=True):
        if codes:
            n = sum(codes.values())
            yield texts.FAULTS.format(n=n, games=gathered.n, name=side.name, codes=", ".join(sorted(codes)))
    if left_out and len(sides) > 1:
        yield texts.PARTNERED_FAULTS.format(n=left_out)
    seats = sides[0].job.seats
    if all(seat == "random" for seat in seats):
        yield texts.RANDOM_PLAYERS
    else:
        yield texts.PROGRAMS.format(seats=", ".join(dict.fromkeys(seats)))


def _counted(counted: int, n: int) -> Iterator[str]:
    if counted < n:
        yield texts.COUNTED_MOVES.format(counted=f"{counted:,}", n=f"{n:,}")


def _method(n: int, looking: Looking) -> Iterator[str]:
    if looking.often and n < LOOKS_FROM:
        yield texts.FEW_LOOKS.format(least=LOOKS_FROM, fewest=FEWEST)
    elif n < FEWEST:
        yield texts.FEW_GAMES.format(fewest=FEWEST)
    else:
        yield texts.LOOKED if looking.often else texts.FIXED


def table(rows: list[list[str]], right: tuple[int, ...]) -> Iterator[str]:
    """Yield rows as lines with columns; some columns are aligned to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "   ".join(cells).rstrip()
