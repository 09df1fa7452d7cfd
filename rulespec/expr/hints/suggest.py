"""Suggestions for an expression that cannot be read: habits of other languages, and of plain English."""

from __future__ import annotations

import re
from collections.abc import Callable

from rulespec.expr.hints.failure import COMPARE, JOINS, KEYWORDS, NAME, OPENED, Failure, TextProblem
from rulespec.expr.hints.sentences import SENTENCES, step_begins, step_goes_on


def explain(text: str, at: int, entry: str) -> TextProblem:
    """Return the first explanation that fits."""
    failure = Failure(text, at, entry)
    return next(found for explanation in EXPLANATIONS if (found := explanation(failure)))


# --- signs --------------------------------------------------------------------------------------------------------

# What people write from habit, and what the language says instead: (pattern, message, why, fix)
_JOINED = "conditions are joined by words"
_SIGNS = (
    (r"===?", "`{0}` is not used here", "equality is a single `=`", "write `=`"),
    (r"&&?", "`{0}` is not used here", _JOINED, "write `and`"),
    (r"\|\|?", "`{0}` is not used here", _JOINED, "write `or`"),
    (r"=>|≥|⩾", "`{0}` is not a comparison", "", "write `>=`"),
    (r"=<|≤|⩽", "`{0}` is not a comparison", "", "write `<=`"),
    (r"<>|≠|/=", "`{0}` is not a comparison", "", "write `!=`"),
    (r"[!¬](?!=)", "`{0}` is not used here", "a condition is negated with a word", "write `not`"),
    (r"%", "`%` is not used here", "the remainder of a division is written as a word", "write `mod`"),
    (r"//", "`//` is not used here", "division rounds down by itself; a comment begins with `#`", "write `/`"),
    (r"\*\*|\^", "there is no power operator", "", "multiply instead"),
    (r"×|·", "`{0}` is not used here", "", "write `*`"),
    (r"÷|:(?!=)", "`{0}` is not used here", "", "for a division write `/`"),
    (r"[–—−]", "`{0}` is a dash, not a minus", "", "write `-` for minus, `..` for a range"),
    (r"∈", "`{0}` is not used here", "", "write `in`"),
    (r"\?", "`?` is not used here", "a choice between two values is written in words", "write `if … then … else …`"),
    (r",\s*\Z", "a comma at the end", "", "leave it out"),
    (r";", "`;` is not used here", "a line ends where it ends", "leave it out"),
    (r"[$@#~\\]", "`{0}` is not used here", "names are written as they are", "leave it out"),
    (r"\{", "`{{` is not used in expressions", "`{{…}}` belongs in texts; a list is written in `[ ]`", "leave the braces out"),
)  # fmt: skip
_ASSIGN = re.compile(r"[-+*/]=|:=")


def _sign(t: Failure) -> TextProblem | None:
    if t.found is None:
        return None
    for pattern, message, why, fix in _SIGNS:
        if m := re.compile(pattern).match(t.text, t.found.start):
            return TextProblem("expr-operator", message.format(m.group()), why.format(), fix, m.start(), m.end())
    return None


def _assignment(t: Failure) -> TextProblem | None:
    """Explain `score += 1`, `score[me] = 3` as a step, `let x = 3`, `set x = 3`."""
    if t.found is None:
        return None
    # a step that begins with a variable, which may be called like a word that begins a step
    if t.entry == "step" and not t.assigned and (t.here == 0 or (t.here == 1 and t.found.text == "[")):
        later = next((w for w in t.words if w.text == "=" or _ASSIGN.match(w.text)), None)
        if later is not None:
            return _assignment(Failure(t.text, later.start, t.entry, assigned=True))
    first, sign = t.words[0].text, t.found.text
    if sign in ("=", ":=") and t.word(-2) == "let":
        return t.wrong("expr-let", f"`let` is written with `be`, not `{sign}`", "", f"write `let {t.word(-1)} be …`")
    if sign in ("=", ":=", "==") and first == "set":
        target = t.between(t.words[1], t.words[t.here - 1])
        return t.wrong("expr-operator", f"`set` is written with `to`, not `{sign}`", "", f"write `set {target} to …`")
    if not _ASSIGN.match(sign) and not (t.entry == "step" and sign == "=" and (t.assigned or first not in SENTENCES)):
        return None
    why = "an expression changes nothing; a step changes a variable"
    if t.entry == "step" and t.here:
        target, amount = t.between(t.words[0], t.words[t.here - 1]), t.operand(t.here, 1)
        fix = {"+=": f"add {amount} to {target}", "-=": f"add -{amount} to {target}"}.get(
            sign, f"set {target} to {amount}"
        )
        return t.wrong("expr-operator", f"`{sign}` is not used here", "a step is a sentence", f"write `{fix}`")
    return t.wrong("expr-operator", f"`{sign}` is not used here", why, "to compare write `=`")


def _quotes(t: Failure) -> TextProblem | None:
    if t.found is None or t.found.text[0] not in "\"'“”‘’„«»`":
        return None
    m = re.compile(r"[\"'“”‘’„«»`]\s*([^\"'“”‘’„«»`]*)\s*[\"'“”‘’„«»`]?").match(t.text, t.found.start)
    assert m is not None
    word = m[1].strip()
    fix = f"write `{word}`" if re.fullmatch(r"[a-z]\w*", word) and t.text[m.end() - 1] != word[-1] else "leave them out"
    message = "quotation marks are not used in expressions"
    return TextProblem("expr-quotes", message, "names are written as they are", fix, m.start(), m.end())


# --- numbers ------------------------------------------------------------------------------------------------------


def _number(t: Failure) -> TextProblem | None:
    if m := _around(r"(?<![0-9.])[0-9]*\.[0-9]+(?!\.)", t):
        why = "there are no fractions; division rounds down"
        return TextProblem(
            "expr-number", f"`{m.group()}` is not a number here: numbers are whole", why, "", m.start(), m.end()
        )
    if m := _around(r"[0-9]{1,3}(?:[,'][0-9]{3})+\b", t):
        plain = re.sub(r"\D", "", m.group())
        message = f"numbers are written without `{m.group().strip('0123456789')[0]}`"
        return TextProblem("expr-number", message, "", f"write `{plain}`", m.start(), m.end())
    if m := _around(r"[0-9]+[A-Za-z_]\w*", t):
        message = f"`{m.group()}` is neither a number nor a name"
        why = "names begin with a letter"
        n = re.match("[0-9]+", m.group())
        fix = f"to multiply write `{n.group()} * {m.group()[n.end() :]}`" if n else ""
        return TextProblem("expr-syntax", message, why, fix, m.start(), m.end())
    return None


def _around(pattern: str, t: Failure) -> re.Match[str] | None:
    """Return the match that contains the failure, or begins just before it."""
    return next((m for m in re.finditer(pattern, t.text) if m.start() <= t.at < m.end()), None)


def _range(t: Failure) -> TextProblem | None:
    """Explain `1...5`, `1…5`, `1 to 5`, `from 1 to 5`, `between 1 and 5`."""
    if t.found is None:
        return None
    if t.found.text == "between":
        low, high = t.operand(t.here, 1), t.operand(t.here + 2, 1) if t.word(2) == "and" else "…"
        return t.wrong(
            "expr-range", "`between` is not used here", "", f"write `{t.operand(t.here, -1)} in {low}..{high}`"
        )
    if t.found.text not in ("...", "…", "to", "until", ".", "through", "bis") or t.last is None:
        return None
    if t.found.text == "." and t.last.text == "..":
        pass
    elif t.found.text == "." or (t.found.text == "to" and t.entry == "step"):
        return None
    low = t.operand(t.here if t.last.text != ".." else t.here - 1, -1)
    sign = t.found.text if t.found.text != "." else "..."
    fix = f"write `{low}..{t.operand(t.here, 1)}`"
    return t.wrong("expr-range", f"`{sign}` is not used here", "a range is written with two dots", fix)


# --- order --------------------------------------------------------------------------------------------------------


def _chain(t: Failure) -> TextProblem | None:
    """Explain `a < b < c`."""
    if t.found is None or t.found.text not in COMPARE or (t.open and t.open[-1].text == "let"):
        return None
    i, depth = t.here - 1, 0
    while i >= 0 and depth >= 0:
        text = t.words[i].text
        depth += (text in (")", "]")) - (text in ("(", "["))
        if depth == 0 and text in JOINS:
            return None
        if depth == 0 and text in COMPARE:
            a, b, c = t.operand(i, -1), t.operand(i, 1), t.operand(t.here, 1)
            if b == "…":
                return None
            fix = f"write `{a} {text} {b} and {b} {t.found.text} {c}`"
            return t.wrong("expr-chain", f"two comparisons in a row: `{a} {text} {b} {t.found.text} {c}`", "the first one is yes or no already", fix)  # fmt: skip
        i -= 1
    return None


def _let(t: Failure) -> TextProblem | None:
    """Explain `let x be a > b in …`, `let x be 3, …`."""
    opener = t.open[-1] if t.open else None
    if opener is None or opener.text != "let" or t.entry == "step":
        return None
    start = t.words.index(opener)
    name = t.words[start + 1].text if start + 1 < len(t.words) else "x"
    if t.here == start + 1 or t.word(-1) == "be" or (t.here == start + 2 and t.word(0) != "be"):
        return None
    value = t.between(t.words[start + 3], t.words[t.here - 1]) if t.here > start + 3 else "…"
    if t.found is None or t.found.text not in COMPARE | {"and", "or", "not", "default", ".."}:
        return t.wrong("expr-let", f"`let {name} be {value}` needs `in`", "what it is used for comes after `in`", f"write `let {name} be {value} in …`")  # fmt: skip
    end = next((i for i in range(t.here, len(t.words)) if t.words[i].text == "in"), len(t.words))
    value = t.between(t.words[start + 3], t.words[end - 1])
    fix = f"write `let {name} be ({value}) in …`"
    return t.wrong("expr-let", f"the value of `{name}` needs brackets", "without them it ends before a comparison, `and` or `or`", fix)  # fmt: skip


def _if(t: Failure) -> TextProblem | None:
    """Explain `elif`, a missing `then`, a missing `else`."""
    found = t.found.text if t.found else ""
    if found in ("elif", "elsif", "elseif"):
        return t.wrong("expr-if", f"`{found}` is not used here", "", "write `else if … then …`")
    opener = next((w for w in reversed(t.open) if w.text in ("if", "then", "(", "[")), None)
    if opener is None or (found and found not in (")", "]", ",", "else", "and", "or") and opener.text == "then"):
        return None
    if opener.text == "then":
        starts = [w for w in t.words if w.text == "if" and w.start < opener.start]
        why = "an expression has a value in both cases"
        return t.wrong("expr-if", "this `if` has no `else`", why, "add `else …`", starts[-1] if starts else opener)
    if opener.text == "if" and t.last is not opener and found not in OPENED and t.word(-1) not in KEYWORDS:
        if found in ("{", ":") or not found or NAME.match(found) or found in (")", "else"):
            why = "`then` separates the condition from its result"
            return t.wrong("expr-if", "this `if` has no `then`", why, "write `if … then … else …`", opener)
    return None


def _method(t: Failure) -> TextProblem | None:
    """Explain `place.count()`."""
    if t.found is None or t.found.text != "(" or t.word(-2) != ".":
        return None
    owner = t.operand(t.here - 2, -1)
    inside = "" if t.word(1) == ")" else ", …"
    fix = f"write `{t.word(-1)}({owner}{inside})`"
    return t.wrong("expr-word", f"`.{t.word(-1)}(` is not used here", "the function comes first: `count(place)`", fix)  # fmt: skip


def _brackets(t: Failure) -> TextProblem | None:
    found = t.found.text if t.found else ""
    opener = next((w for w in reversed(t.open) if w.text in OPENED), None)
    if found in (")", "]"):
        if opener is None:
            return t.wrong("expr-brackets", f"this `{found}` closes nothing", "", "take it out")
        if OPENED[opener.text] != found:
            fix = f"write `{OPENED[opener.text]}` first"
            return t.wrong("expr-brackets", f"`{found}` where the `{opener.text}` before it is still open", "", fix)
        if t.last is not None and (t.last.text in (",", "(", "[") or t.last.text in KEYWORDS):
            what = (
                "the brackets are empty"
                if t.last is opener
                else f"something is missing between `{t.last.text}` and `{found}`"
            )
            return t.wrong("expr-syntax", what, "", "")
    if opener is not None and not found and (t.last is None or t.last.text not in KEYWORDS | COMPARE):
        fix = f"add `{OPENED[opener.text]}`"
        return t.wrong("expr-brackets", f"this `{opener.text}` is never closed", "", fix, opener)
    return None


# --- words --------------------------------------------------------------------------------------------------------

# Words between two values, as in English or in another language, and how it is said here.
_BETWEEN = {
    "is": "{left} = {right}",
    "equals": "{left} = {right}",
    "eq": "{left} = {right}",
    "isnt": "{left} != {right}",
    "plus": "{left} + {right}",
    "minus": "{left} - {right}",
    "times": "{left} * {right}",
    "div": "{left} / {right}",
    "modulo": "{left} mod {right}",
    "has": "{right} in {left}",
    "have": "{right} in {left}",
    "contains": "{right} in {left}",
    "holds": "{right} in {left}",
    "within": "{left} in {right}",
    "on": "{left} in {right}",
    "xor": "({left}) != ({right})",
}
_COUNTED = "`of` says which pieces a step moves"


def _word(t: Failure) -> TextProblem | None:
    if t.found is None or not NAME.match(t.found.text):
        return None
    found, last = t.found.text, t.word(-1)
    after_value = t.last is not None and last not in JOINS and last not in COMPARE and last not in "([+-*/.."
    if found in _BETWEEN and after_value:
        left = t.operand(t.here, -1)
        negated = found == "is" and t.word(1) == "not"
        right = t.operand(t.here + negated, 1)
        pattern = "{left} != {right}" if negated else _BETWEEN[found]
        end = t.words[t.here + negated]
        words = t.between(t.found, end)
        fix = f"write `{pattern.format(left=left, right=right)}`"
        return TextProblem("expr-word", f"`{words}` is not used here", "", fix, t.found.start, end.end)
    if last == "not" and t.word(-2) and t.word(-2) not in JOINS | COMPARE | {"("}:
        left, right = t.operand(t.here - 1, -1), t.operand(t.here - 1, 1)
        return t.wrong(
            "expr-word", f"`not` after `{left}` needs `in`", "", f"write `{left} != {right}` or `{left} not in …`"
        )
    if found == "of" and t.entry != "step":
        kind, place = t.operand(t.here, -1), t.operand(t.here, 1)
        return t.wrong("expr-word", "`of` is not used here", _COUNTED, f"to count write `count({place}, {kind})`")
    gathering = any(w.text == "for" for w in t.words[: t.here])
    if found == "if" and gathering:
        return t.wrong("expr-word", "`if` is not used here", "", "to leave out what does not fit write `where …`")
    if last == "return" and t.here == 1:
        return t.wrong(
            "expr-word", "`return` is not used here", "an expression is its own value", "leave it out", t.last
        )
    if t.word(-2) == "for" and found != "in":
        return t.wrong(
            "expr-word", f"expected `in` after `for {last}`", "", f"write `for {last} in {t.operand(t.here - 1, 1)}`"
        )
    if (found == "for" and last == "(") or (last == "for" and t.word(-2) == "("):
        name = t.word(-3) if last == "for" else t.word(-2)
        return t.wrong("expr-word", "what is gathered comes before `for`", "", f"write `{name}(… for x in …)`")
    return None


def _upper_case(t: Failure) -> TextProblem | None:
    m = re.compile(r"\w*[A-Z]\w*").match(t.text, t.found.start) if t.found else None
    if m is None:
        return None
    why = "all words and names of the rules are lower case"
    return TextProblem(
        "name-shape", f"`{m.group()}` is not in lower case", why, f"write `{m.group().lower()}`", *m.span()
    )


def _two_names(t: Failure) -> TextProblem | None:
    """Explain `my crates`, `count(a) 3`: something is missing between two values."""
    if t.found is None or t.last is None or not re.match(r"\w", t.found.text) or t.found.text in KEYWORDS:
        return None
    ends_value = (re.match(r"\w", t.last.text) and t.last.text not in KEYWORDS) or t.last.text in (")", "]")
    if not ends_value or t.entry == "step":
        return None
    message = f"`{t.found.text}` is not expected after `{t.last.text}`"
    both_names = NAME.match(t.found.text) and NAME.match(t.last.text)
    fix = f"if it is one name write `{t.last.text}_{t.found.text}`" if both_names else ""
    return t.wrong("expr-syntax", message, "two values need something between them: a sign such as `+`, a comparison, `and`, `or`, or a comma", fix)  # fmt: skip


def _entry(t: Failure) -> TextProblem | None:
    """Explain heads and lines of `pieces:`, which can be written in one way only."""
    if t.entry == "head" and any(w.text == "(" for w in t.open) and t.word(0) in (")", ",") and t.last is not None:
        why = (
            "indexes of places, tables and variables go in `[ ]`; parameters in `( )`, each with its set: `(player p)`"
        )
        return t.wrong("head-brackets", f"`{t.last.text}` is alone in round brackets", why, "", t.last)
    if t.entry == "head" and any(w.text == "[" for w in t.open) and t.found and NAME.match(t.found.text):
        why = "an index set goes alone in `[ ]`; parameters go in `( )`, each with its set"
        return t.wrong("head-brackets", f"`{t.found.text}` is not expected after `{t.word(-1)}`", why)
    if t.entry == "ask" and (not t.found or t.found.text in (",", "and", "&", "|", "/")):
        moves = [w.text for w in t.words if NAME.match(w.text) and w.text not in KEYWORDS]
        fix = f"write `{' or '.join(moves)}`" if "(" not in t.text else "write `MOVE or MOVE`"
        return t.wrong("expr-syntax", "the moves of an `ask` are separated by `or`", "", fix)
    if t.entry == "binding" and t.word(0) != "in" and t.here == 1 and t.last is not None:
        fix = f"write `{t.last.text} in {t.operand(t.here, 1)}`" if t.found else f"write `x in {t.last.text}`"
        return t.wrong(
            "expr-syntax", f"expected `in` after `{t.last.text}`", "each gets a name that its steps can use", fix
        )
    if t.entry == "head" and t.found and t.found.text == "-" and t.last is not None:
        name = re.sub(r"\W+", "_", t.between(t.words[0], t.words[min(t.here + 1, len(t.words) - 1)]))
        return t.wrong(
            "name-shape", "a name has no `-`", "names are lower case letters, digits and `_`", f"write `{name}`"
        )
    if t.entry == "pieces":
        found = f"`{t.found.text}`" if t.found else "the end"
        last = f" after `{_last_word(t)}`" if t.here else ""
        return t.wrong("expr-syntax", f"{found} is not expected{last}", "", "write how many and where: `8 in PLACE`")
    return None


def _anything(t: Failure) -> TextProblem:
    last = _last_word(t)
    if t.found is None:
        return t.wrong("expr-syntax", f"expected more after `{last}`, found the end")
    where = f" after `{last}`" if t.here else ""
    return t.wrong("expr-syntax", f"`{t.found.text}` is not expected{where}")


def _last_word(t: Failure) -> str:
    before = (t.text[: t.words[t.here].start] if t.found else t.text).split()
    return before[-1] if before else ""


EXPLANATIONS: tuple[Callable[[Failure], TextProblem | None], ...] = (  # the surest first, the catch-all last
    _assignment,
    _entry,
    _quotes,
    _range,
    _number,
    step_begins,
    _sign,
    _upper_case,
    _chain,
    _let,
    _word,
    _if,
    _method,
    _brackets,
    step_goes_on,
    _two_names,
    _anything,
)
