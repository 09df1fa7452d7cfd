"""A rulebook as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from referee.rulebook import texts
from referee.rulebook.book import CHANGED, DROPPED, GONE, INSTEAD, Book, BookItem, Section, runs
from referee.shell.blocks import plain
from referee.shell.markup import longest_backticks, markdown_text
from rulespec import visible


def inline(text: str, within: bool = True) -> str:
    """Return the text with names set apart; not `within` a line, it is at the start of one."""
    parts = []
    for number, (name, part) in enumerate(runs(text)):
        words = markdown_text(part, within or name or number > 0)
        parts.append(f"*{words}*" if name else words)
    return "".join(parts)


def write_markdown(book: Book) -> str:
    lines = [f"# {inline(book.title)}", ""]
    if book.text:
        lines += [inline(book.text, within=False), ""]
    for fact in book.facts:
        lines += [inline(fact, within=False), ""]
    for section in book:
        lines += _section(section, 2)
    return "\n".join(lines).rstrip() + "\n"


def write_section(section: Section) -> str:
    """Return one section as Markdown."""
    return "\n".join(_section(section, 2)).rstrip() + "\n"


def _section(section: Section, level: int) -> Iterator[str]:
    see = f" ({inline(section.see)})" if section.see else ""
    title = inline(section.title) + see
    yield f"{'#' * min(level, 6)} {_marked(title, section.mark)}"
    yield ""
    for n, item in enumerate(section.items, 1):
        yield from _item(item, 0, f"{n}." if section.ordered else "-")
    if section.items:
        yield ""
    for inner in section.sections:
        yield from _section(inner, level + 1)


def _marked(text: str, mark: str) -> str:
    if mark in (GONE, DROPPED):
        return f"~~{text}~~ **[{texts.MARKS[mark]}]**"
    return f"{text} **[{texts.MARKS[mark]}]**" if mark else text


def _item(item: BookItem, depth: int, bullet: str = "-") -> Iterator[str]:
    indent = "   " * depth
    yield f"{indent}{bullet} {_words(item)}".rstrip()
    if item.board:
        inner = "   " * (depth + 1)
        yield ""
        lines = [visible(plain(line)) for line in item.board]
        fence = "`" * max(3, 1 + max(map(longest_backticks, lines)))
        yield f"{inner}{fence}text"
        yield from (f"{inner}{line}".rstrip() for line in lines)
        yield f"{inner}{fence}"
        yield ""
    for child in item.items:
        yield from _item(child, depth + 1)


def _words(item: BookItem) -> str:
    lead = f"**{inline(item.lead)}**" if item.lead else ""
    text = inline(item.text, within=bool(lead))
    quote = f"{texts.OTHERWISE} “{inline(item.quote)}”" if item.quote else ""
    words = " ".join(part for part in (text, quote) if part)
    if lead and words:
        words = f"{lead}: {words}"
    words = words or lead
    see = f" ({inline(item.see)})" if item.see else ""
    if item.mark in (CHANGED, INSTEAD) and item.before:
        return f"{words}{see} **[{texts.MARKS[item.mark]}]** ~~{inline(item.before)}~~"
    return _marked(words + see, item.mark)
