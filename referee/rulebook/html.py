"""A rulebook as one self-contained HTML file: light and dark, for screen, paper and screen readers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.picture.svg import STYLE as SCENE_STYLE
from referee.picture.svg import shared_patterns
from referee.rulebook import texts
from referee.rulebook.book import CHANGED, DROPPED, GONE, INSTEAD, Book, BookItem, Section, plain_words, runs
from referee.shell.blocks import Styled, StyledLine
from referee.shell.markup import html_text
from referee.shell.screen import ink

_HEX = re.compile(r"#[0-9a-fA-F]{6}\Z")

STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --paper: #fdfcf9; --faint: #5f6b76; --line: #d9d5cb; --panel: #f4f1ea;
  --new: #1a6b3c; --new-bg: #e3f3e8; --gone: #a3262f; --changed: #7a4d00; --changed-bg: #fbf0d9; --accent: #1f5f8b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e3dc; --paper: #17191c; --faint: #a0a7ae; --line: #3a3f45;
  --panel: #202428; --new: #7ed8a0; --new-bg: #16301f; --gone: #ff9a9f; --changed: #f0c067; --changed-bg: #35290f;
  --accent: #7fbde8; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.05rem/1.6 Georgia, "Times New Roman", serif; }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 5rem; }
h1, h2, h3, nav, .see, .mark { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { font-size: 2.3rem; line-height: 1.15; margin: 1rem 0 .5rem; }
h2 { font-size: 1.5rem; margin: 3rem 0 .75rem; padding-top: .75rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.12rem; margin: 1.8rem 0 .4rem; color: var(--accent); }
.lede { font-size: 1.2rem; margin: 0 0 1rem; }
.fact { margin: .2rem 0; color: var(--faint); }
nav { margin: 1.5rem 0; padding: 1rem 1.25rem; background: var(--panel); border-radius: .5rem; font-size: .95rem; }
nav ol { margin: 0; padding-left: 1.2rem; columns: 2; } nav li { margin: 0; padding: .15rem 0; break-inside: avoid; }
a > em { color: inherit; }
a { color: var(--accent); }
ul, ol { margin: .3rem 0 .6rem; padding-left: 1.4rem; }
li { margin: .3rem 0; }
.lead { font-weight: bold; }
em { color: var(--accent); font-style: italic; }
q { font-style: italic; quotes: "“" "”"; }
.see { color: var(--faint); font-size: .8rem; font-weight: normal; margin-left: .4rem; }
.mark { font-size: .7rem; font-weight: 600; text-transform: uppercase; letter-spacing: .05em; padding: .1rem .4rem;
  border-radius: .7rem; border: 1px solid currentColor; margin-left: .4rem; }
.new > .mark, h2 > .new, h3 > .new { color: var(--new); } .changed > .mark { color: var(--changed); }
.gone > .mark { color: var(--gone); }
.added > .mark, .instead > .mark, .dropped > .mark { font-style: italic; text-transform: none; letter-spacing: 0; }
li.new, section.new { background: var(--new-bg); border-left: 3px solid var(--new); padding-left: .6rem; border-radius: .2rem; }
li.changed { background: var(--changed-bg); border-left: 3px solid var(--changed); padding-left: .6rem; border-radius: .2rem; }
li.gone, section.gone { border-left: 3px solid var(--gone); padding-left: .6rem; }
del { color: var(--gone); text-decoration-thickness: 1px; }
pre { background: var(--panel); border-radius: .4rem; padding: .7rem .9rem; overflow-x: auto; line-height: 1.35;
  font: .88rem/1.4 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre b { font-weight: bold; } pre .faint, pre .under { color: var(--faint); }
pre .piece { font-weight: bold; border-radius: .15rem; outline: 1px solid rgba(128, 128, 128, .45); }
.picture { margin: .6rem 0; } .picture svg { display: block; max-width: 100%; height: auto; max-height: 26rem; }
.examples > ul { list-style: none; padding: 0; }
.examples > ul > li { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem 1rem; margin: 1rem 0; break-inside: avoid; }
@media (max-width: 40rem) { nav ol { columns: 1; } h1 { font-size: 1.8rem; } }
@media print { :root { --paper: #fff; --ink: #000; --panel: #f6f6f6; --accent: #000; } body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; } nav { height: 0; margin: 0; padding: 0; overflow: hidden; } h2 { break-after: avoid; } h3 { break-after: avoid; }
  li, pre { break-inside: avoid; } .piece { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""


def write_html(book: Book) -> str:
    return _Page(book).text()


class _Page:
    """Writes one book. Names that are the title of a section link to it."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.ids = _Ids()
        self.anchors: dict[int, str] = {}
        self.places: dict[str, str] = {}
        for section in book:
            self._note(section)

    def _note(self, section: Section) -> None:
        anchor = self.anchors[id(section)] = self.ids.of(section.title)
        self.places.setdefault(plain_words(section.name).lower(), anchor)
        for inner in section.sections:
            self._note(inner)

    def text(self) -> str:
        book = self.book
        body = [f"<h1>{inline(book.title)}</h1>"]
        if book.text:
            body.append(f'<p class="lede">{inline(book.text)}</p>')
        body += [f'<p class="fact">{inline(fact)}</p>' for fact in book.facts]
        links = "".join(f'<li><a href="#{self.anchors[id(s)]}">{inline(s.title)}</a></li>' for s in book)
        body.append(f'<nav aria-label="{texts.CONTENTS}"><ol>{links}</ol></nav>')
        for section in book:
            body += self._section(section, 2)
        drawn = any(_has_picture(section) for section in book)
        if drawn:
            body.insert(0, shared_patterns())
        title = html_text(plain_words(book.title))
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
            f"<style>{STYLE}{SCENE_STYLE if drawn else ''}</style>\n</head>\n<body>\n<main>\n"
            + "\n".join(body)
            + "\n</main>\n</body>\n</html>\n"
        )

    def _linked(self, text: str) -> str:
        """Return the text as HTML; names of steps and moves link to where they are explained."""
        out = []
        for name, part in runs(text):
            anchor = self.places.get(part.lower()) if name else None
            word = f"<em>{html_text(part)}</em>" if name else html_text(part)
            out.append(f'<a href="#{anchor}">{word}</a>' if anchor else word)
        return "".join(out)

    def _section(self, section: Section, level: int) -> Iterator[str]:
        anchor = self.anchors[id(section)]
        kinds = [section.mark] if section.mark else []
        if section.is_examples:
            kinds.append("examples")
        classes = f' class="{" ".join(kinds)}"' if kinds else ""
        yield f'<section{classes} aria-labelledby="{anchor}">'
        title = inline(section.title)
        if section.mark in (GONE, DROPPED):
            title = f"<del>{title}</del>"
        see = f'<span class="see">{inline(section.see)}</span>' if section.see else ""
        yield f'<h{level} id="{anchor}">{title}{_badge(section.mark)}{see}</h{level}>'
        if section.items:
            tag = "ol" if section.ordered else "ul"
            yield f"<{tag}>{''.join(self._item(i) for i in section.items)}</{tag}>"
        for inner in section.sections:
            yield from self._section(inner, min(level + 1, 6))
        yield "</section>"

    def _item(self, item: BookItem) -> str:
        lead = f'<span class="lead">{inline(item.lead)}</span>' if item.lead else ""
        quote = f"{texts.OTHERWISE} <q>{inline(item.quote)}</q>" if item.quote else ""
        words = " ".join(part for part in (self._linked(item.text), quote) if part)
        text = f"{lead}: {words}" if lead and words else lead or words
        if item.mark in (GONE, DROPPED):
            text = f"<del>{text}</del>"
        text += _badge(item.mark)
        if item.mark in (CHANGED, INSTEAD) and item.before:
            text += f" <del>{inline(item.before)}</del>"
        if item.see:
            text += f' <span class="see">{inline(item.see)}</span>'
        if item.picture:
            text += f'<figure class="picture">{item.picture}</figure>'
        elif item.board:
            text += f"<pre>{chr(10).join(_line(line) for line in item.board)}</pre>"
        if item.items:
            text += f"<ul>{''.join(self._item(i) for i in item.items)}</ul>"
        return f'<li class="{item.mark}">{text}</li>' if item.mark else f"<li>{text}</li>"


def _has_picture(thing: Section | BookItem) -> bool:
    if isinstance(thing, BookItem):
        return bool(thing.picture) or any(map(_has_picture, thing.items))
    return any(map(_has_picture, thing.items)) or any(map(_has_picture, thing.sections))


class _Ids:
    """Makes anchors, each of them unique."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def of(self, title: str) -> str:
        base = re.sub(r"[^a-z0-9]+", "-", plain_words(title).lower()).strip("-") or "section"
        name, n = base, 2
        while name in self.taken:
            name, n = f"{base}-{n}", n + 1
        self.taken.add(name)
        return name


def inline(text: str) -> str:
    return "".join(f"<em>{html_text(part)}</em>" if name else html_text(part) for name, part in runs(text))


def _badge(mark: str) -> str:
    return f'<span class="mark">{texts.MARKS[mark]}</span>' if mark else ""


def _line(line: StyledLine) -> str:
    return "".join(_piece(piece) for piece in line).rstrip()


def _piece(piece: Styled) -> str:
    text = html_text(piece.text)
    match piece.how:
        case "title":
            return f"<b>{text}</b>"
        case "piece" if _HEX.match(piece.colour):
            return f'<span class="piece" style="background:{piece.colour};color:{ink(piece.colour)}">{text}</span>'
        case "faint" | "under" | "piece":
            return f'<span class="{piece.how}">{text}</span>'
        case _:
            return text
