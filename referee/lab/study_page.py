"""A study as one HTML file: sentences, tables and pictures, for light and dark screens, for paper and to be read aloud."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from referee.lab import texts
from referee.lab.comparison import Comparison, Measurement
from referee.lab.findings import Findings
from referee.lab.letters import (
    by_size,
    difference,
    far_head,
    measurement_doubts,
    report_head,
    sentences,
    shown,
    side_notes,
    skill_head,
    skill_notes,
    skill_rows,
    value_notes,
    value_rows,
    verdict_text,
)
from referee.lab.plots import THEMES, Drawing, drawn
from referee.lab.study import StudySide
from rulespec import number_of

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1d2026; --faint: #5c6470; --line: #d9dee5; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181d; --ink: #eceff4; --faint: #9aa3b2; --line: #343a44; } }
body { background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.faint { color: var(--faint); } .scroll { overflow-x: auto; }
table { border-collapse: collapse; } th, td { padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; }
.dark { display: none; }
@media (prefers-color-scheme: dark) { .light { display: none; } .dark { display: block; } }
@media print { :root { --paper: #fff; --ink: #000; --faint: #333; } .light { display: block; } .dark { display: none; } figure { break-inside: avoid; } }
"""


def write_page(title: str, head: str, parts: Sequence[str]) -> str:
    """Return a whole page. `parts` are HTML."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>{escape(title)}</h1>\n<p class="faint">{escape(head)}</p>\n'
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def comparison_parts(
    sides: tuple[StudySide, StudySide],
    comparison: Comparison,
    pictures: Sequence[tuple[str, Drawing]],
    notes: Sequence[str],
) -> list[str]:
    """Return the parts of the page on two rule sets."""
    games = sorted((c for c in comparison.changes if c.measure.group != "moves"), key=by_size)
    head = ["", sides[0].name, sides[1].name, texts.COLUMN_DIFFERENCE, texts.COLUMN_VERDICT]
    rows = [
        [c.measure.label, shown(c.before, c.measure), shown(c.after, c.measure), difference(c), verdict_text(c, None)]
        for c in games
    ]
    return [
        paragraphs(sentences(comparison)),
        *(figure(words, drawing, number) for number, (words, drawing) in enumerate(pictures, 1)),
        f"<h2>{escape(texts.PAGE_NUMBERS)}</h2>",
        html_table(texts.PAGE_NUMBERS, head, rows, numbers=(1, 2)),
        f"<h2>{escape(texts.PAGE_DOUBTS)}</h2>",
        paragraphs(notes),
    ]


def measurement_page(found: Findings) -> str:
    """Return the page on one rule set."""
    side, measurement, far, skill = found.side, found.measurement, found.far, found.skill
    head = report_head(side.title, number_of(measurement.n, texts.GAME), side, found.seed)
    parts = [
        _values(measurement),
        paragraphs([*value_notes(measurement), *side_notes(side, measurement, found.gathered)]),
    ]
    if far is not None:
        parts += [paragraphs([far_head(*far)]), _values(far[1]), paragraphs(value_notes(far[1]))]
    if skill is not None:
        parts.append(paragraphs([skill_head(skill)]))
        if rows := skill_rows(skill):
            parts.append(html_table(texts.PAGE_SKILL, rows[0], rows[1:], numbers=(1,)))
        parts.append(paragraphs(skill_notes(skill)))
    doubts = measurement_doubts(side, measurement, found.looking, found.gathered)
    parts += [f"<h2>{escape(texts.PAGE_DOUBTS)}</h2>", paragraphs(doubts)]
    return write_page(side.title, head.removeprefix(f"{side.title} · "), parts)


def _values(measurement: Measurement) -> str:
    head, *rows = value_rows(measurement)
    return html_table(texts.PAGE_NUMBERS, head, rows, numbers=(1,))


def paragraphs(lines: Iterable[str]) -> str:
    return "\n".join(f"<p>{escape(line)}</p>" for line in lines if line)


def html_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], numbers: tuple[int, ...]) -> str:
    """Return a table; the first cell of each row is its heading."""

    def cell(i: int, text: str, heading: bool, scope: str) -> str:
        kind = ' class="number"' if i in numbers else ""
        return f"<th{kind} scope={scope!r}>{escape(text)}</th>" if heading else f"<td{kind}>{escape(text)}</td>"

    lines = ["".join(cell(i, text, True, "col") for i, text in enumerate(head))]
    lines += ["".join(cell(i, text, i == 0, "row") for i, text in enumerate(row)) for row in rows]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}"><table>\n{body}\n</table></div>'
    )


def figure(words: str, drawing: Drawing, number: int = 1) -> str:
    """Return a picture for light and for dark screens; `words` are read aloud in its place. No two on a page have the same number."""
    found = []
    for theme in THEMES:
        svg = drawn(drawing(theme), "svg").decode()
        svg = svg[svg.index("<svg") :].replace("<svg ", f'<svg role="img" aria-label="{escape(words)}" ', 1)
        marked = rf"\1{theme.name}{number}-"  # names are of one picture, and a page has several
        svg = re.sub(r"<[^>]*>", lambda tag: re.sub(r'( id="|href="#|url\(#)', marked, tag[0]), svg)  # noqa: B023
        found.append(f'<div class="{theme.name}">{svg}</div>')
    return f"<figure>{''.join(found)}</figure>"
