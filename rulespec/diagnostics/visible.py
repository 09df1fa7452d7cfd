r"""Text on its way out: what a terminal would obey, and what nobody would see, is shown as an escape.

A title, a seat's name, a typed move or the name of a file can hold control characters, which move the cursor or rewrite
the screen, characters that turn the direction of writing around, and characters without a width. They leave as `\x1b`,
`\u202e` or `\U000e0041`. All other text, wide letters and emoji included, leaves as it is.

Each border has its function: `visible` for a line of a terminal or pipe, `document` for a whole text of many lines,
`json_text` for JSON. HTML and Markdown are in `referee/shell/markup.py`; both begin with `visible`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterator

_LINE_CONTROLS = "\t\n"  # part of a document, no part of a line
_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 with the escape character, DEL, C1
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # soft hyphen, fillers, marks without a shape
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # direction, joiners, line and paragraph separator, no width
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # variants, notes, other formats
    "\ud800-\udfff"  # half a character: it cannot be encoded
    "\U000e0000-\U000e0fff"  # tags and variants
)
_IN_A_DOCUMENT = re.compile(f"[{_UNSEEN}]")
_IN_A_LINE = re.compile(f"[{_UNSEEN}{_LINE_CONTROLS}]")
_BACKSLASHES = re.compile(r"\\+")
_LIKE_AN_ESCAPE = re.compile(r"x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}")
_FLAG = re.compile(
    "\U0001f3f4(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f)"
)
_SYMBOLS = ("So", "Sm", "Po", "Pd")
_VIRAMA = 9  # the combining class of signs after which a joiner changes the shape of a letter


def visible(line: str) -> str:
    r"""Return the line with nothing in it that a terminal obeys or a reader cannot see; line ends and tabs count as such.

    Different lines stay different: backslashes that would read as the beginning of such an escape are doubled.

    >>> print(visible("Anna\x1b[31m"), visible(r"C:\games"), visible(r"\x1b"))
    Anna\x1b[31m C:\games \\x1b
    """
    if "\\" not in line and _IN_A_LINE.search(line) is None:
        return line
    return "".join(visible_letters(line))


def visible_letters(line: str) -> list[str]:
    """Return the text that is shown for each letter of a line, as `visible` shows the whole."""
    shown = list(line)
    for at in _hostile(line, _IN_A_LINE):
        shown[at] = escape(line[at])
    for found in _BACKSLASHES.finditer(line):
        end = found.end()
        if _LIKE_AN_ESCAPE.match(line, end) or (end < len(line) and shown[end] != line[end]):
            shown[found.start() : end] = ["\\\\"] * (end - found.start())
    return shown


def document(text: str) -> str:
    """Return a whole text, line ends, tabs and backslashes as they are. What is clean already does not change."""
    return _replaced(text.replace("\r\n", "\n"), escape)


def json_text(data: object, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """Return plain data as JSON that any stream can carry: read back, it is the same data."""
    return json_escaped(json.dumps(data, ensure_ascii=False, indent=indent, separators=separators))


def json_escaped(text: str) -> str:
    """Return the same JSON, every character that is not to be printed written as its escape."""
    return _replaced(text, _json_escape)


def is_clean(line: str) -> bool:
    """Return whether a line holds nothing that a terminal obeys or a reader cannot see."""
    return next(_hostile(line, _IN_A_LINE), None) is None


def escape(letter: str) -> str:
    r"""Return the escape of a character: `\x1b`, `\u202e` or `\U000e0041`."""
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _json_escape(letter: str) -> str:
    return json.dumps(letter)[1:-1] if letter != "\x7f" else "\\u007f"


def _replaced(text: str, how: Callable[[str], str]) -> str:
    parts, done = [], 0
    for at in _hostile(text, _IN_A_DOCUMENT):
        parts += [text[done:at], how(text[at])]
        done = at + 1
    return "".join([*parts, text[done:]]) if parts else text


def _hostile(text: str, suspects: re.Pattern[str]) -> Iterator[int]:
    """Yield where there are characters that must be escaped."""
    flag_ends = 0
    for found in suspects.finditer(text):
        at = found.start()
        if at < flag_ends:
            continue
        if flag := _FLAG.match(text, at - 1) if at else None:
            flag_ends = flag.end()
        elif not _has_a_use(text, at):
            yield at


def _has_a_use(text: str, at: int) -> bool:
    """Return whether a joiner or a variation selector does what it is for: it makes one sign of those beside it."""
    letter, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if letter == "\u200d" and before == "\ufe0f" and at > 1 and _has_a_use(text, at - 1):
        before = text[at - 2]
    if not before or _IN_A_LINE.match(before):
        return False
    if letter in "\u200c\u200d":
        if unicodedata.combining(before) == _VIRAMA:
            return True
        if not after or _IN_A_LINE.match(after):
            return False
        if letter == "\u200d" and _is_emoji(before):
            return _is_emoji(after)
        return unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
    if letter == "\ufe0f" and before in "0123456789#*":
        return after == "\u20e3"
    if letter in "\ufe0e\ufe0f":
        symbol = unicodedata.category(before) in _SYMBOLS or "\u2100" <= before <= "\u214f"
        return symbol and not before.isascii()
    if "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef":
        return unicodedata.category(before) == "Lo" and unicodedata.east_asian_width(before) == "W"
    return False


def _is_emoji(letter: str) -> bool:
    return unicodedata.category(letter) in ("So", "Sk") and not letter.isascii()
