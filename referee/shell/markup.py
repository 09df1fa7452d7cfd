"""Text that becomes part of HTML or Markdown: shown literally, whatever markup it contains."""

from __future__ import annotations

import re
from html import escape

from rulespec import visible

_SIGNS = re.compile(
    r"[\\`*_\[\]<>#|~&$@]|:(?=//)|(?<=www)\.", re.IGNORECASE
)  # many readers turn a bare address into a link
_AT_THE_START = re.compile(r"[-+](?=\s|$)|-(?=-)|=|[0-9]+(?P<mark>[.)])(?=\s|$)")
_BACKTICKS = re.compile("`+")


def html_text(text: str) -> str:
    """Return the text for HTML, inside an element or a quoted attribute."""
    return escape(visible(text))


def markdown_text(text: str, within: bool = False) -> str:
    """Return the text for Markdown, several spaces as one; `within` a line, where no list or rule can begin."""
    words = re.sub(" +", " ", visible(text))
    lead = len(words) - len(words.lstrip(" "))
    start = _AT_THE_START.match(words, lead)
    escaped = _SIGNS.sub(r"\\\g<0>", words)
    if start is None or within:
        return escaped
    at = start.start("mark") if start["mark"] else lead
    return f"{escaped[:at]}\\{escaped[at:]}"


def markdown_code(text: str) -> str:
    """Return the text as inline code."""
    fence = "`" * (1 + longest_backticks(text))
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{visible(text)}{pad}{fence}"


def longest_backticks(text: str) -> int:
    """Return the longest run of backticks: a fence around the text needs more."""
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)
