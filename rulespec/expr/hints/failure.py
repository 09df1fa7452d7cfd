"""A text that could not be read as an expression: its words and signs, and what is open before and around the failure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from rulespec.english import closest


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A change of a text that mends it."""

    start: int
    end: int
    new: str
    sure: bool = True


@dataclass(frozen=True, slots=True)
class TextProblem:
    """A problem with a text, and the stretch of it that is meant."""

    code: str
    message: str
    why: str
    fix: str
    start: int
    end: int
    edit: TextEdit | None = None


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A word, number or sign of the text."""

    text: str
    start: int
    end: int


_WORD = re.compile(r"[A-Za-z_0-9]+|\.\.+|[!<>=]=|->|=[<>]|<>|&&|\|\||[-+*/]=|:=|\*\*|//|\S")
NAME = re.compile(r"[A-Za-z_]\w*\Z")
SPREADSHEET = {  # functions of spreadsheets, and how it is said here
    "countif": "write `count(CONDITION for x in …)`",
    "countifs": "write `count(CONDITION for x in …)`",
    "sumif": "write `sum(… for x in … where CONDITION)`",
    "sumifs": "write `sum(… for x in … where CONDITION)`",
    "sumproduct": "write `sum(… * … for x in …)`",
    "maxifs": "write `max(… for x in … where CONDITION)`",
    "minifs": "write `min(… for x in … where CONDITION)`",
    "average": "divide a sum: `sum(… for x in …) / …`",
    "vlookup": "a table is read by its index: `TABLE[x]`",
    "lookup": "a table is read by its index: `TABLE[x]`",
}
OPENED = {"(": ")", "[": "]"}
COMPARE = frozenset(("=", "!=", "<", "<=", ">", ">="))
JOINS = frozenset(
    ("and", "or", "not", "if", "then", "else", "let", "be", "in", "where", "while", "for", "default", ",")
)
KEYWORDS = JOINS | {"from", "to", "along", "of", "by", "mod", "group", "weighted"}


class Failure:
    """A text that could not be read beyond `at`; everything before is right so far."""

    def __init__(self, text: str, at: int, entry: str, assigned: bool = False) -> None:
        self.text = text
        self.assigned = assigned  # it is surely meant as `variable = value`
        self.at = at
        self.entry = entry
        self.words = [Lexeme(m.group(), m.start(), m.end()) for m in _WORD.finditer(text)]
        # a sign of two characters may have been read in part: `+` of `+=`
        self.here = next((i for i, w in enumerate(self.words) if w.end > at), len(self.words))

    @property
    def found(self) -> Lexeme | None:
        """The word or sign there; None at the end."""
        return self.words[self.here] if self.here < len(self.words) else None

    @property
    def last(self) -> Lexeme | None:
        return self.words[self.here - 1] if self.here else None

    def word(self, offset: int) -> str:
        """Return the word at an offset from the one found; nothing where there is none."""
        i = self.here + offset
        return self.words[i].text if 0 <= i < len(self.words) else ""

    @cached_property
    def open(self) -> list[Lexeme]:
        """The brackets, `if`s and `let`s before it that are still open, the outermost first; `then` continues an `if`."""
        stack: list[Lexeme] = []
        for w in self.words[: self.here]:
            if w.text in ("(", "[", "if", "let"):
                stack.append(w)
            elif w.text in (")", "]"):
                while stack and stack.pop().text not in OPENED:
                    pass
            elif w.text == "then" and stack and stack[-1].text == "if":
                stack[-1] = w
            elif (w.text == "else" and stack and stack[-1].text == "then") or (
                w.text == "in" and stack and stack[-1].text == "let"
            ):
                stack.pop()
        return stack

    def between(self, start: Lexeme, end: Lexeme) -> str:
        return " ".join(self.text[start.start : end.end].split())

    def last_part(self) -> str:
        """Return the text before it, back to the last space outside brackets."""
        before = self.between(self.words[0], self.words[self.here - 1]) if self.here else ""
        depth, start = 0, 0
        for i in range(len(before) - 1, -1, -1):
            depth += (before[i] in ")]") - (before[i] in "([")
            if before[i] == " " and depth <= 0:
                start = i + 1
                break
        return before[start:]

    def operand(self, at: int, step: int) -> str:
        """Return the operand beside the word number `at`: to its left (-1) or to its right (1)."""
        ends = self.operand_ends(at, step)
        return self.between(*ends) if ends else "…"

    def operand_ends(self, at: int, step: int) -> tuple[Lexeme, Lexeme] | None:
        """Return the first and the last word of the operand beside the word number `at`, if there is one."""
        i, depth = at + step, 0
        first = i
        while 0 <= i < len(self.words):
            text = self.words[i].text
            depth += (text in "([") - (text in ")]") if len(text) == 1 else 0
            if depth * step < 0 or (depth == 0 and (text in JOINS or text in COMPARE)):
                break
            i += step
        ends = sorted((first, i - step))
        if not (0 <= ends[0] <= ends[1] < len(self.words)) or (i - first) * step <= 0:
            return None
        return self.words[ends[0]], self.words[ends[1]]

    def instead_of(self, left: int, right: int, new: str, sure: bool = True) -> TextEdit | None:
        """Return the change from the operand left of one word to the operand right of another; None if one is missing."""
        first, last = self.operand_ends(left, -1), self.operand_ends(right, 1)
        return TextEdit(first[0].start, last[1].end, new, sure) if first and last else None

    def as_words(self, start: int, end: int, words: str, sure: bool = True) -> TextEdit:
        """Return the change of a stretch to words, with spaces around them where there are none."""
        before = " " if start and not self.text[start - 1].isspace() and self.text[start - 1] not in "([" else ""
        after = " " if self.text[end : end + 1].strip() and self.text[end] not in ")]" else ""
        return TextEdit(start, end, f"{before}{words}{after}", sure)

    def misspelt(self, words: Iterable[str]) -> tuple[str, TextEdit] | None:
        """Return which of these words the one found was probably meant for, and the change to it; None if for none."""
        is_name = self.found is not None and NAME.match(self.found.text) and self.found.text not in KEYWORDS
        near = closest(self.found.text, words) if self.found and is_name else None
        return (near, TextEdit(self.found.start, self.found.end, near, sure=False)) if self.found and near else None

    def wrong(
        self,
        code: str,
        message: str,
        why: str = "",
        fix: str = "",
        at: Lexeme | None = None,
        edit: TextEdit | None = None,
    ) -> TextProblem:
        at = at or self.found
        if at is None:
            end = len(self.text.rstrip())
            return TextProblem(code, message, why, fix, end, end + 1, edit)
        return TextProblem(code, message, why, fix, at.start, at.end, edit)
