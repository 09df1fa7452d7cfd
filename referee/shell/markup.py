"""Text that becomes part of HTML or Markdown: shown letter by letter, whatever signs of markup it holds."""

from __future__ import annotations

import re
from html import escape

from rulespec import visible

_SIGNS = re.compile(
    r"[\\`*_\[\]<>#|~&$@]|:(?=//)|(?<=www)\.", re.IGNORECASE
)  # an address by itself is a link to many readers
_AT_THE_START = re.compile(r"[-+](?=\s|$)|-(?=-)|=|[0-9]+(?P<mark>[.)])(?=\s|$)")
_BACKTICKS = re.compile("`+")


def html_text(text: str) -> str:
    """The text as HTML shows it, inside of an element or of an attribute in quotes."""
    return escape(visible(text))


def markdown_text(text: str, within: bool = False) -> str:
    """The text as Markdown shows it, several spaces as one; `within` a line it cannot begin a list or a rule."""
    words = re.sub(" +", " ", visible(text))
    lead = len(words) - len(words.lstrip(" "))
    start = _AT_THE_START.match(words, lead)
    escaped = _SIGNS.sub(r"\\\g<0>", words)
    if start is None or within:
        return escaped
    at = start.start("mark") if start["mark"] else lead
    return f"{escaped[:at]}\\{escaped[at:]}"


def markdown_code(text: str) -> str:
    """The text as a piece of code within a line."""
    fence = "`" * (1 + longest_backticks(text))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{visible(text)}{pad}{fence}"


def longest_backticks(text: str) -> int:
    """How many backticks follow one another: a fence around the text needs more."""
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)
