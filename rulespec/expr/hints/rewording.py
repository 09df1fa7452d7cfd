"""One-line steps in other words than the language's: what each may have been meant for.

A rewording is a guess. Several may be needed for one step, so they are tried together, the fewest first; whoever asks keeps the first
that is a step and makes sense where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rulespec.expr.hints.sentences import LIKE_SENTENCES, SENTENCES, TURNED

MOST_TRIED = 150  # texts
MOST_TOGETHER = 4  # rewordings of one step
LONGEST = 160  # characters of a step that is reworded

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLAIN = r"[a-z]\w*(?:\[[^\[\]]*\])?"  # a name, with indexes or not
_MOVES = r"(?P<k>move|draw) "

_REWORDINGS: tuple[tuple[str, str], ...] = (  # pattern and replacement, wherever it occurs
    # small words
    (r"[.;,!]+$", ""),
    (r"\b(?:the|an?) (?=[a-z])", ""),
    (r"\b(?:randomly|random|any|some|other|exactly|each|more|of them)\b ?", ""),
    (r" (?:at random|again|now|there|too|instead)$", ""),
    # amounts
    (rf"^{_MOVES}(?:an?|single) (?:(?P<w>\w+) )?from\b", r"\g<k> 1 from"),
    (r"\b(?:at most|no more than|not more than|maximum|max|0 ?\.\.|0 to|0-) ?(?=\w)", "up to "),
    (rf"^{_MOVES}\d+ ?(?:\.\.|-|to|or) ?(?P<n>\d+) ", r"\g<k> up to \g<n> "),
    (rf"^{_MOVES}(?P<n>(?:up to )?\S+) (?!of\b)(?P<w>\w+) from\b", r"\g<k> \g<n> of \g<w> from"),
    (rf"^{_MOVES}(?P<n>(?:up to )?\S+) (?:of )?(?P<w>\w+) from\b", r"\g<k> \g<n> from"),
    (rf"^{_MOVES}all (?P<w>\w+) from\b", r"\g<k> all from"),
    (rf"^{_MOVES}(?P<w>\w+) from\b", r"\g<k> 1 of \g<w> from"),
    (rf"^{_MOVES}from (?P<rest>.+?):? (?P<n>\d+|all)$", r"\g<k> \g<n> from \g<rest>"),
    (rf"^{_MOVES}(?:everything|every piece|whatever is|it|them) (?:from|on|in) ", r"\g<k> all from "),
    (rf"^{_MOVES}(?P<a>{_PLAIN}) (?P<to>to|into|onto) (?P<b>.+)$", r"\g<k> all from \g<a> to \g<b>"),
    # places
    (r"\bmy (?P<w>\w+)", r"\g<w>[me]"),
    (r"\b(?P<p>\w+)'s (?P<w>\w+)", r"\g<w>[\g<p>]"),
    (r"\b(?P<w>[a-z]\w*) of (?P<p>[a-z]\w*)\b", r"\g<w>[\g<p>]"),
    (r"\b(?:into|onto|on|in|towards?|under)\b|->|→", "to"),
    (r"\bout of\b|\boff\b|\bin\b", "from"),
    (rf"^{_MOVES}(?P<a>.+ to \S+?),? (?:or else|or|and then|then|otherwise|else|and) (?:to )?(?P<b>\S.*)$", r"\g<k> \g<a>, then \g<b>"),
    (rf"^{_MOVES}(?P<a>.+ to [^,\[]+(?:\[[^\]]*\])?), (?!then\b)(?P<b>.+)$", r"\g<k> \g<a>, then \g<b>"),
    (rf"^{_MOVES}(?P<n>.+?) to (?P<b>{_PLAIN}) from (?P<a>.+)$", r"\g<k> \g<n> from \g<a> to \g<b>"),
    (rf"^{_MOVES}from (?P<a>{_PLAIN}) to (?P<b>{_PLAIN}) (?P<n>.+)$", r"\g<k> \g<n> from \g<a> to \g<b>"),
    # rolls, values, numbers
    (r"\b(?:with weights?|weighted with|weighted(?! by)|weights?|weighting)\b", "weighted by"),
    (r"^roll (?P<n>\w+) (?:in|of|between|as|=|on) (?P<s>.+)$", r"roll \g<n> from \g<s>"),
    (r"^(?P<n>\w+) (?:=|is|be) roll (?P<s>.+)$", r"roll \g<n> from \g<s>"),
    (rf"^set (?P<v>{_PLAIN}) (?:(?:as|equal to|equals|be|is|into|at|:=|=|:) ?)?(?!to\b)(?P<e>\S.*)$", r"set \g<v> to \g<e>"),
    (rf"^set (?P<v>{_PLAIN}) to be (?P<e>\S.*)$", r"set \g<v> to \g<e>"),
    (r"^let (?P<e>.+) (?:be|=|is|as) (?P<n>[a-z]\w*)$", r"let \g<n> be \g<e>"),
    (r"^let (?P<n>[a-z]\w*) (?:equals?|as|is|:=|=|to|stand for) (?P<e>.+)$", r"let \g<n> be \g<e>"),
    (r"^add (?P<n>.+) (?:into|on|onto|for|at) (?P<v>\S+)$", r"add \g<n> to \g<v>"),
    # scores
    (r"^score (?P<a>.+?) ?(?:\+|&|\band\b|\bplus\b) ?(?P<b>.+ for .+)$", r"score \g<a>, \g<b>"),
    (r"^score for (?P<p>\S+?):? (?P<r>.+)$", r"score \g<r> for \g<p>"),
    (r"^score (?P<r>\w+)(?: (?:with|by|of|using))? (?!for\b)(?P<a>[^,]+) for (?P<p>\S+)$", r"score \g<r>(\g<a>) for \g<p>"),
    (r"^score (?P<a>\S+)(?: points?)? (?:for|from|of|as) (?P<r>\w+) for (?P<p>\S+)$", r"score \g<r>(\g<a>) for \g<p>"),
    (r"^(?P<p>\w+) (?:scores?|gets?|gains?|earns?) (?P<r>.+)$", r"score \g<r> for \g<p>"),
    (r"^(?:give|award) (?P<p>\w+) (?P<r>.+)$", r"score \g<r> for \g<p>"),
    (r"^(?:give|award|score) (?P<r>.+) to (?P<p>\S+)$", r"score \g<r> for \g<p>"),
    (r"^score (?P<p>\w+) (?P<r>[a-z]\w*)$", r"score \g<r> for \g<p>"),
    # named steps, what is seen, what is remembered
    (r"^do (?P<n>\w+)(?: (?:with|for|on|of|using|to))? (?P<a>[^()]+)$", r"do \g<n>(\g<a>)"),
    (r"^(?P<b>do \w+\([^()]*?\w) (?:and |for |with |on |of )?(?P<c>\w[^()]*\))$", r"\g<b>, \g<c>"),
    (r"^show (?P<p>\w+) (?P<a>\S+)$", r"show \g<a> to \g<p>"),
    (r"^show (?P<a>.+) (?:for|at|with) (?P<p>\w+)$", r"show \g<a> to \g<p>"),
    (r"^remember \[(?P<a>.+)\]$", r"remember \g<a>"),
    (r"^remember (?P<a>.+) and (?P<b>\w+)$", r"remember \g<a>, \g<b>"),
)  # fmt: skip


def rewordings(text: str) -> Iterator[str]:
    """Yield what a step may have been meant for: with one rewording first, then with two, and so on."""
    plain = " ".join(text.split())
    if len(plain) > LONGEST:
        return
    known, latest = {plain}, [plain]
    for _ in range(MOST_TOGETHER):
        found = []
        for other in (new for before in latest for new in _once(before)):
            if other in known or len(known) > MOST_TRIED:
                continue
            known.add(other)
            found.append(other)
            yield other
        latest = found


def _once(text: str) -> Iterator[str]:
    first, _, rest = text.partition(" ")
    meant = LIKE_SENTENCES.get(first.lower())
    if meant and rest:
        yield f"{meant} {rest}"
    if first != first.lower():
        yield f"{first.lower()} {rest}"
    for pattern, form in TURNED:
        if m := re.fullmatch(pattern, text):
            yield form.format(**{**m.groupdict(), "b": m.groupdict().get("b") or "6"})
    for number, word in enumerate(_NUMBERS, 1):
        if re.search(rf"\b{word}\b", text):
            yield re.sub(rf"\b{word}\b", str(number), text)
    for pattern, new in _REWORDINGS:
        changed = " ".join(re.sub(pattern, new, text).split())
        if changed and changed != text:
            yield changed


def two_steps(text: str, is_step: Callable[[str], bool]) -> tuple[str, str] | None:
    """Return the two steps that are written on one line; None if there are not two."""
    for m in re.finditer(r"\s*(?:[,;.]\s*(?:and\s+|then\s+|and then\s+)?|\s(?:and|then|and then)\s)\s*", text):
        left, right = text[: m.start()].strip(), text[m.end() :].strip(" ;,.")
        begins = right.split(" ")[0] in SENTENCES
        if begins and all(half == "ask again" or half.startswith("tell ") or is_step(half) for half in (left, right)):
            return left, right
    return None
