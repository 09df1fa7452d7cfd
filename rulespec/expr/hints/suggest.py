"""Suggestions for an expression that cannot be read: habits of other languages, and of plain English."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from rulespec.english import as_name, suggestion
from rulespec.expr.hints.failure import (
    COMPARE,
    JOINS,
    KEYWORDS,
    NAME,
    OPENED,
    SPREADSHEET,
    Failure,
    TextEdit,
    TextProblem,
)
from rulespec.expr.hints.sentences import SENTENCES, STRUCTURE, step_begins, step_goes_on, step_turned
from rulespec.yaml.mistakes import ODD_SPACES

LONGEST_SHARE = 6  # characters of a number with a fraction that is written as one


def explain(text: str, at: int, entry: str) -> TextProblem:
    """Return the first explanation that fits."""
    failure = Failure(text, at, entry)
    return next(found for explanation in EXPLANATIONS if (found := explanation(failure)))


# --- signs --------------------------------------------------------------------------------------------------------

# What people write from habit, and what the language says instead: (pattern, message, why, fix, what to write if that is sure)
_JOINED = "conditions are joined by words"
_SIGNS = (
    (r"===?", "`{0}` is not used here", "equality is a single `=`", "write `=`", "="),
    (r"&&?", "`{0}` is not used here", _JOINED, "write `and`", "and"),
    (r"\|\|?", "`{0}` is not used here", _JOINED, "write `or`", "or"),
    (r"=>|≥|⩾", "`{0}` is not a comparison", "", "write `>=`", ">="),
    (r"=<|≤|⩽", "`{0}` is not a comparison", "", "write `<=`", "<="),
    (r"<>|≠|/=", "`{0}` is not a comparison", "", "write `!=`", "!="),
    (r"[!¬](?!=)", "`{0}` is not used here", "a condition is negated with a word", "write `not`", "not"),
    (r"%", "`%` is not used here", "the remainder of a division is written as a word", "write `mod`", "mod"),
    (r"\?\?", "`{0}` is not used here", "", "write `default`: what stands behind it is used in place of `none`", "default"),
    (r"//", "`//` is not used here", "division rounds down by itself; a comment begins with `#`", "write `/`", "/"),
    (r"\*\*|\^", "there is no power operator", "", "multiply instead", None),
    (r"×|·", "`{0}` is not used here", "", "write `*`", "*"),
    (r"÷", "`{0}` is not used here", "", "write `/`", "/"),
    (r":(?!=)(?=[^\[]*\])", "`:` is not used in brackets", "there are no slices: each item is named by its number", "gather them: `… for i in 1..N`", None),
    (r":(?!=)", "`{0}` is not used here", "", "for a division write `/`", None),
    (r"[–—−]", "`{0}` is a dash, not a minus", "", "write `-` for minus, `..` for a range", None),
    (r"∈", "`{0}` is not used here", "", "write `in`", "in"),
    (r"\?", "`?` is not used here", "a choice between two values is written in words", "write `if … then … else …`", None),
    (r",\s*\Z", "a comma at the end", "", "leave it out", ""),
    (r";(?=.*[)\]])", "`;` is not used here", "what is listed in brackets is separated by commas", "write `,`", ","),
    (r";\s*\Z", "`;` is not used here", "a line ends where it ends", "leave it out", ""),
    (r";", "`;` is not used here", "a line ends where it ends", "leave it out", None),
    (r"[$@#~\\]", "`{0}` is not used here", "names are written as they are", "leave it out", ""),
    (r"\{", "`{{` is not used in expressions", "`{{…}}` belongs in texts; a list is written in `[ ]`", "leave the braces out", None),
)  # fmt: skip
_ASSIGN = re.compile(r"[-+*/]=|:=")


def _sign(t: Failure) -> TextProblem | None:
    if t.found is None:
        return None
    if t.found.text == "%" and t.last and t.last.text.isdecimal() and t.word(1) in ("", ")", ",", "of"):
        why = "a share is multiplied first and divided then, which rounds down: `x * 50 / 100`"
        return t.wrong(
            "expr-operator", "there are no percentages", why, f"write a whole number, such as `{t.last.text}`"
        )
    if t.found.text == "*" and t.word(-1) == "/" and t.last:
        return t.wrong("expr-operator", "`/*` is not used here", "", "a comment begins with `#`", t.last)
    for pattern, message, why, fix, new in _SIGNS:
        if m := re.compile(pattern).match(t.text, t.found.start):
            edit = _sign_edit(t, m, new)
            return TextProblem("expr-operator", message.format(m.group()), why.format(), fix, m.start(), m.end(), edit)
    return None


def _sign_edit(t: Failure, m: re.Match[str], new: str | None) -> TextEdit | None:
    """Return the change of a sign of another language: to `new`, or to what is between it and its partner."""
    start, end = m.span()
    if new is not None:
        return t.as_words(start, end, new) if new.isalpha() else TextEdit(start, end, new)
    if m.group() in "–—−":
        numbers = t.word(-1).isdecimal() and t.word(1).isdecimal()
        return TextEdit(start, end, ".." if numbers else "-", sure=False)
    if inside := re.compile(r"\{([^{}]*)\}").match(t.text, start):
        return TextEdit(start, inside.end(), inside[1].strip(), sure=False)
    return None


def _assignment(t: Failure) -> TextProblem | None:
    """Explain `score += 1`, `score[me] = 3` as a step, `let x = 3`, `set x = 3`."""
    if t.found is None:
        return None
    # a step that begins with a variable, which may be called like a word that begins a step
    if t.words[0].text in STRUCTURE and t.entry == "step":
        return None
    if t.entry == "step" and not t.assigned and (t.here == 0 or (t.here == 1 and t.found.text == "[")):
        later = next((w for w in t.words if w.text == "=" or _ASSIGN.match(w.text)), None)
        if later is not None:
            return _assignment(Failure(t.text, later.start, t.entry, assigned=True))
    first, sign = t.words[0].text, t.found.text
    if sign in ("=>", "->") and t.entry == "expr" and _given(t):
        rest = " ".join(t.text[t.found.end :].split())
        why = "what a definition is given stands behind its name, each with its set"
        return t.wrong("expr-operator", f"`{sign}` is not used here", why, f"write `NAME(SET {_given(t)}): {rest}`")
    if sign in ("=", ":=") and t.word(-2) == "let":
        edit = t.as_words(t.found.start, t.found.end, "be")
        fix = f"write `let {t.word(-1)} be …`"
        return t.wrong("expr-let", f"`let` is written with `be`, not `{sign}`", "", fix, edit=edit)
    if sign in ("=", ":=", "==") and first == "set":
        target = t.between(t.words[1], t.words[t.here - 1])
        edit, fix = t.as_words(t.found.start, t.found.end, "to"), f"write `set {target} to …`"
        return t.wrong("expr-operator", f"`set` is written with `to`, not `{sign}`", "", fix, edit=edit)
    if not _ASSIGN.match(sign) and not (t.entry == "step" and sign == "=" and (t.assigned or first not in SENTENCES)):
        return None
    why = "an expression changes nothing; a step changes a variable"
    if t.entry == "step" and t.here:
        target, amount = t.between(t.words[0], t.words[t.here - 1]), t.operand(t.here, 1)
        less = f"-{amount}" if re.fullmatch(r"[\w.]+|…", amount) else f"-({amount})"
        step = {"+=": f"add {amount} to {target}", "-=": f"add {less} to {target}"}.get(
            sign, f"set {target} to {amount}"
        )
        ends = t.operand_ends(t.here, 1)
        whole = TextEdit(t.words[0].start, ends[1].end, step) if ends and sign not in ("*=", "/=") else None
        why = "a step is a sentence"
        return t.wrong("expr-operator", f"`{sign}` is not used here", why, f"write `{step}`", edit=whole)
    value = t.operand_ends(t.here, 1)
    if sign == "+=" and value and value[1] is t.words[-1] and t.entry == "expr":
        new = t.between(*value)
        edit = TextEdit(0, len(t.text.rstrip()), new, sure=False)
        return t.wrong("expr-operator", "`+=` is not used here", why, f"write only the value: `{new}`", edit=edit)
    return t.wrong("expr-operator", f"`{sign}` is not used here", why, "to compare write `=`")


def _given(t: Failure) -> str:
    """Return the names before an arrow, of what is given to a definition: `p` of `p => …`, `p, q` of `(p, q) => …`."""
    m = re.fullmatch(r"\(?\s*([a-z]\w*(?:\s*,\s*[a-z]\w*)*)\s*\)?\s*", t.text[: t.found.start] if t.found else "")
    after = set(re.findall(r"\w+", t.text[t.found.end :] if t.found else ""))
    return m[1] if m and after & set(re.findall(r"\w+", m[1])) else ""


def _quotes(t: Failure) -> TextProblem | None:
    if t.found is None or t.found.text[0] not in "\"'“”‘’„«»`":
        return None
    m = re.compile(r"[\"'“”‘’„«»`]\s*([^\"'“”‘’„«»`]*)\s*[\"'“”‘’„«»`]?").match(t.text, t.found.start)
    assert m is not None
    word = m[1].strip()
    is_name = re.fullmatch(r"[a-z]\w*", word) and t.text[m.end() - 1] != word[-1]
    fix = f"write `{word}`" if is_name else "leave them out"
    message, why = "quotation marks are not used in expressions", "names are written as they are"
    edit = TextEdit(m.start(), m.end(), word) if is_name else None
    return TextProblem("expr-quotes", message, why, fix, m.start(), m.end(), edit)


# --- numbers ------------------------------------------------------------------------------------------------------


def _number(t: Failure) -> TextProblem | None:
    m = _around(r"(?<![0-9.])[0-9]*\.[0-9]+(?!\.)", t)
    if m is None and not t.open:
        m = _around(r"(?<![0-9.])[0-9]+,(?![0-9]{3}\b)[0-9]+", t)
    if m is not None:
        why = "there are no fractions; division rounds down"
        message = f"`{m.group()}` is not a number here: numbers are whole"
        return TextProblem("expr-number", message, why, _as_share(m.group()), m.start(), m.end())
    if m := _around(r"[0-9]{1,3}(?:[,'][0-9]{3})+\b", t):
        plain = re.sub(r"\D", "", m.group())
        message = f"numbers are written without `{m.group().strip('0123456789')[0]}`"
        edit = TextEdit(m.start(), m.end(), plain)
        return TextProblem("expr-number", message, "", f"write `{plain}`", m.start(), m.end(), edit)
    if t.entry == "step" and (turned := step_turned(t)) is not None:
        return turned
    if (m := _around(r"([1-9]?)[dDwW]([1-9][0-9]?)\b", t)) and m[1] in ("", "1"):
        edit = TextEdit(m.start(), m.end(), f"1..{m[2]}", sure=False)
        message, why = f"`{m.group()}` is not used here", "a die is the numbers on it"
        return TextProblem("expr-syntax", message, why, f"write `1..{m[2]}`", m.start(), m.end(), edit)
    if m := _around(r"[0-9]+[A-Za-z_]\w*", t):
        message = f"`{m.group()}` is neither a number nor a name"
        why = "names begin with a letter"
        product = re.sub(r"^([0-9]+)", r"\1 * ", m.group())
        edit = TextEdit(m.start(), m.end(), product, sure=False)
        return TextProblem("expr-syntax", message, why, f"to multiply write `{product}`", m.start(), m.end(), edit)
    return None


def _as_share(number: str) -> str:
    """Return how a number with a fraction is written, where it is short enough to be meant.

    >>> _as_share("2,5")
    'write `2` or `3`, or multiply first: `… * 5 / 2`'
    """
    whole, fraction = re.split(r"[.,]", number)
    if len(number) > LONGEST_SHARE:
        return ""
    share = Fraction(f"{whole or 0}.{fraction}")
    if share.denominator == 1:
        return f"write `{share.numerator}`"
    low = share.numerator // share.denominator
    return f"write `{low}` or `{low + 1}`, or multiply first: `… * {share.numerator} / {share.denominator}`"


def _around(pattern: str, t: Failure) -> re.Match[str] | None:
    """Return the match that contains the failure, or begins just before it."""
    return next((m for m in re.finditer(pattern, t.text) if m.start() <= t.at < m.end()), None)


def _range(t: Failure) -> TextProblem | None:
    """Explain `1...5`, `1…5`, `1 to 5`, `from 1 to 5`, `between 1 and 5`, and `1..` without an end."""
    if t.found is None and t.last and t.last.text == "..":
        low = t.operand(t.here - 1, -1)
        why = "everything that is counted has an end; leave enough room"
        return t.wrong("expr-range", "this range has no end", why, f"write the largest number: `{low}..200`")
    if t.found is None:
        return None
    if t.found.text == "between":
        low, high = t.operand(t.here, 1), t.operand(t.here + 2, 1) if t.word(2) == "and" else "…"
        new = f"{t.operand(t.here, -1)} in {low}..{high}"
        edit = t.instead_of(t.here, t.here + 2, new) if t.word(2) == "and" else None
        return t.wrong("expr-range", "`between` is not used here", "", f"write `{new}`", edit=edit)
    if t.found.text not in ("...", "…", "to", "until", ".", "through", "bis") or t.last is None:
        return None
    if t.found.text == "." and t.last.text == "..":
        pass
    elif t.found.text == "." or (t.found.text == "to" and t.entry == "step"):
        return None
    left = t.here if t.last.text != ".." else t.here - 1
    sign = t.found.text if t.found.text != "." else "..."
    new = f"{t.operand(left, -1)}..{t.operand(t.here, 1)}"
    edit, why = t.instead_of(left, t.here, new), "a range is written with two dots"
    return t.wrong("expr-range", f"`{sign}` is not used here", why, f"write `{new}`", edit=edit)


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
            new, why = f"{a} {text} {b} and {b} {t.found.text} {c}", "the first one is yes or no already"
            message = f"two comparisons in a row: `{a} {text} {b} {t.found.text} {c}`"
            return t.wrong("expr-chain", message, why, f"write `{new}`", edit=t.instead_of(i, t.here, new))
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
        edit = TextEdit(t.last.end, t.last.end, " in") if t.found and t.last and NAME.match(t.found.text) else None
        return t.wrong("expr-let", f"`let {name} be {value}` needs `in`", "what it is used for comes after `in`", f"write `let {name} be {value} in …`", edit=edit)  # fmt: skip
    end = next((i for i in range(t.here, len(t.words)) if t.words[i].text == "in"), len(t.words))
    value = t.between(t.words[start + 3], t.words[end - 1])
    fix = f"write `let {name} be ({value}) in …`"
    raw = t.text[t.words[start + 3].start : t.words[end - 1].end]
    edit = TextEdit(t.words[start + 3].start, t.words[end - 1].end, f"({raw})") if end < len(t.words) else None
    return t.wrong("expr-let", f"the value of `{name}` needs brackets", "without them it ends before a comparison, `and` or `or`", fix, edit=edit)  # fmt: skip


def _if(t: Failure) -> TextProblem | None:
    """Explain `elif`, a missing `then`, a missing `else`."""
    edit: TextEdit | None
    found = t.found.text if t.found else ""
    if t.found and found in ("elif", "elsif", "elseif"):
        edit = TextEdit(t.found.start, t.found.end, "else if")
        return t.wrong("expr-if", f"`{found}` is not used here", "", "write `else if … then …`", edit=edit)
    if t.word(-1) == "if" and t.word(-2) in ("+", "-", "*", "/"):
        rest = " ".join(t.text[t.words[t.here - 1].start :].split())
        whole = rest if " else " in rest else f"{rest} else 0"
        edit = (
            TextEdit(t.words[t.here - 1].start, len(t.text.rstrip()), f"({whole})", sure=False)
            if not t.open[:-1]
            else None
        )
        why = "an `if` inside a sum needs brackets, and both values"
        return t.wrong(
            "expr-if", f"this `if` comes after `{t.word(-2)}`", why, f"write `({whole})`", t.words[t.here - 1], edit
        )
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
            fix, there = "write `if … then … else …`", t.found and NAME.match(found) and found != "else"
            then = TextEdit(t.found.start, t.found.start, "then ", sure=False) if t.found and there else None
            return t.wrong("expr-if", "this `if` has no `then`", why, fix, opener, then)
    return None


def _method(t: Failure) -> TextProblem | None:
    """Explain `place.count()`, `place.contains(k)`."""
    if t.found is None or t.found.text != "(" or t.word(-2) != ".":
        return None
    owner = t.operand(t.here - 2, -1)
    alone = t.word(1) == ")"
    if t.word(-1) in ("contains", "has", "includes", "include", "index") and not alone:
        inside, ends = t.operand(t.here, 1), t.operand_ends(t.here - 2, -1)
        new, close = f"{inside} in {owner}", t.here + 1 + len(inside.split())
        edit = TextEdit(ends[0].start, t.words[close].end, new) if ends and t.word(close - t.here) == ")" else None
        return t.wrong("expr-word", f"`.{t.word(-1)}(` is not used here", "", f"write `{new}`", edit=edit)
    ends, closing = t.operand_ends(t.here - 2, -1), _closing(t, t.here)
    inside = " ".join(t.text[t.found.end : t.words[closing].start].split()) if closing else ""
    if ends and closing and (gathered := _gathered(t.word(-1), owner, inside)):
        edit = TextEdit(ends[0].start, t.words[closing].end, gathered, sure=False)
        why = "what is gathered is written with `for`"
        return t.wrong("expr-word", f"`.{t.word(-1)}(` is not used here", why, f"write `{gathered}`", edit=edit)
    call = f"{t.word(-1)}({owner}{f', {inside}' if inside else '' if alone else ', …'})"
    edit = TextEdit(ends[0].start, t.words[closing].end, call, sure=alone) if ends and closing else None
    why = "the function comes first: `count(place)`"
    return t.wrong("expr-word", f"`.{t.word(-1)}(` is not used here", why, f"write `{call}`", edit=edit)


def _gathered(method: str, owner: str, inside: str) -> str:
    """Return how `list.filter(x => …)` and the like are written; nothing if this is none of them."""
    m = re.fullmatch(r"\(?([a-z]\w*)\)?\s*(?:=>|->)\s*(.+)", inside)
    forms = {
        "filter": "list({x} for {x} in {d} where {e})",
        "map": "list({e} for {x} in {d})",
        "some": "any({e} for {x} in {d})",
        "any": "any({e} for {x} in {d})",
        "every": "all({e} for {x} in {d})",
        "all": "all({e} for {x} in {d})",
        "find": "first({x} for {x} in {d} where {e})",
        "count": "count({e} for {x} in {d})",
        "sum": "sum({e} for {x} in {d})",
    }
    if m is None or method not in forms:
        return ""
    body = re.sub(
        r"!(?!=)", "not ", re.sub(r"===?", "=", re.sub(r"\s*&&\s*", " and ", re.sub(r"\s*\|\|\s*", " or ", m[2])))
    )
    return forms[method].format(x=m[1], d=owner, e=body)


def _brackets(t: Failure) -> TextProblem | None:
    edit: TextEdit | None
    found = t.found.text if t.found else ""
    opener = next((w for w in reversed(t.open) if w.text in OPENED), None)
    if found in (")", "]"):
        assert t.found is not None
        if opener is None:
            edit = TextEdit(t.found.start, t.found.end, "", sure=False)
            return t.wrong("expr-brackets", f"this `{found}` closes nothing", "", "take it out", edit=edit)
        if (closing := OPENED[opener.text]) != found:
            message = f"`{found}` where the `{opener.text}` before it is still open"
            if any(OPENED.get(w.text) == found for w in t.open):
                edit, fix = TextEdit(t.found.start, t.found.start, closing, sure=False), f"write `{closing}` first"
            else:
                edit, fix = TextEdit(t.found.start, t.found.end, closing, sure=False), f"write `{closing}`"
            return t.wrong("expr-brackets", message, "", fix, edit=edit)
        if t.last is not None and (t.last.text in (",", "(", "[") or t.last.text in KEYWORDS):
            if t.last is opener:
                edit, fix = TextEdit(opener.start, t.found.end, ""), "leave them out"
                if t.entry != "step" and NAME.match(name := t.word(-2)):
                    edit, fix = None, f"{fix}; if `{name}` is a function, write between them what of: `{name}(…)`"
                return t.wrong("expr-syntax", "the brackets are empty", "", fix, edit=edit)
            what = f"something is missing between `{t.last.text}` and `{found}`"
            return t.wrong("expr-syntax", what, "", "")
    if opener is not None and not found and (t.last is None or t.last.text not in KEYWORDS | COMPARE):
        fix, end = f"add `{OPENED[opener.text]}`", len(t.text.rstrip())
        edit = TextEdit(end, end, OPENED[opener.text], sure=False)
        return t.wrong("expr-brackets", f"this `{opener.text}` is never closed", "", fix, opener, edit)
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
_AS_SIGNS = {  # comparisons in two words
    ("at", "least"): ">=",
    ("at", "most"): "<=",
    ("more", "than"): ">",
    ("greater", "than"): ">",
    ("less", "than"): "<",
    ("fewer", "than"): "<",
    ("equal", "to"): "=",
}
_MOST = {"highest": "max", "largest": "max", "most": "max", "lowest": "min", "smallest": "min", "fewest": "min"}
_NOT_IN = frozenset(("of", "from", "over", "on", "at", "within", "inside"))  # written for `in` after `for x`


def _word(t: Failure) -> TextProblem | None:
    if t.found is None or not NAME.match(t.found.text):
        return None
    found, last = t.found.text, t.word(-1)
    if (quantity := _chosen_together(t)) is not None:
        return quantity
    if found in ("and", "or") and t.last and t.open and any(w.text == "for" for w in t.words[: t.here]):
        where = TextEdit(t.found.start, t.found.end, "where")
        why, fix = "which of them count is said with `where`", f"write `where {t.operand(t.here, 1)} …`"
        return t.wrong("expr-word", f"`{found}` is not expected after `{last}`", why, fix, edit=where)
    if t.last and t.here == 1 and last in ("each", "every", "all") and t.entry == "expr" and found not in KEYWORDS:
        without = TextEdit(t.last.start, t.found.start, "")
        why = "the name of a set stands for all its members"
        return t.wrong("expr-word", f"`{last}` is not used here", why, "leave it out", t.last, without)
    if (
        t.words[0].text == "afterwards"
        and t.entry == "expr"
        and t.here in (1, 2)
        and t.last
        and last in ("afterwards", "not")
    ):
        rest = " ".join(t.text[t.words[0].end :].split())
        why = "it is a key: a condition has `afterwards` instead of `that`"
        fix = f"write `afterwards: {rest}` instead of `that: …`"
        return t.wrong("expr-word", "`afterwards` begins no expression", why, fix, t.words[0])
    after_value = t.last is not None and last not in JOINS and last not in COMPARE and last not in "([+-*/.."
    if found in _BETWEEN and after_value:
        left = t.operand(t.here, -1)
        negated = found in ("is", "has", "have") and t.word(1) in ("not", "no")
        if (compared := _is_more(t, left, negated)) is not None:
            return compared
        right = t.operand(t.here + negated, 1)
        pattern = "{left} != {right}" if negated else _BETWEEN[found]
        end = t.words[t.here + negated]
        words = t.between(t.found, end)
        new = pattern.format(left=left, right=right)
        edit = t.instead_of(t.here, t.here + negated, new)
        message = f"`{words}` is not used here"
        return TextProblem("expr-word", message, "", f"write `{new}`", t.found.start, end.end, edit)
    if last == "not" and t.word(-2) and t.word(-2) not in JOINS | COMPARE | {"("}:
        left, right = t.operand(t.here - 1, -1), t.operand(t.here - 1, 1)
        fix = f"write `{left} != {right}` or `{left} not in …`"
        edit = t.instead_of(t.here - 1, t.here - 1, f"{left} != {right}", sure=False)
        return t.wrong("expr-word", f"`not` after `{left}` needs `in`", "", fix, edit=edit)
    if found == "of" and t.entry != "step" and t.word(-2) != "for":
        return _counted(t)
    if after_value and (sign := _AS_SIGNS.get((found, t.word(1)))) is not None:
        new = f"{t.operand(t.here, -1)} {sign} {t.operand(t.here + 1, 1)}"
        edit, message = t.instead_of(t.here, t.here + 1, new), f"`{found} {t.word(1)}` is not used here"
        start, until = t.found.start, t.words[t.here + 1].end
        return TextProblem("expr-word", message, "", f"write `{new}`", start, until, edit)
    if found == "if" and after_value and (turned := _if_after(t)) is not None:
        return turned
    gathering = any(w.text == "for" for w in t.words[: t.here])
    if found == "if" and gathering and (t.open or t.entry != "step"):
        edit = TextEdit(t.found.start, t.found.end, "where")
        fix = "to leave out what does not fit write `where …`"
        return t.wrong("expr-word", "`if` is not used here", "", fix, edit=edit)
    if t.last and last == "return" and t.here == 1:
        edit, why = TextEdit(t.last.start, t.found.start, ""), "an expression is its own value"
        return t.wrong("expr-word", "`return` is not used here", why, "leave it out", t.last, edit)
    if t.last and t.entry != "step" and last in ("a", "an", "the") and NAME.match(found) and found not in KEYWORDS:
        edit = TextEdit(t.last.start, t.found.start, "")
        return t.wrong(
            "expr-word", f"`{last}` is not used here", "names are written as they are", "leave it out", t.last, edit
        )
    if found in ("when", "unless") and after_value:
        condition, value = t.operand(t.here, 1), t.operand(t.here, -1)
        new = f"if {condition} then {value} else 0" if found == "when" else f"if {condition} then 0 else {value}"
        edit = t.instead_of(t.here, t.here, new, sure=False)
        return t.wrong(
            "expr-if", f"`{found}` is not used here", "a value is there in both cases", f"write `{new}`", edit=edit
        )
    if found == "but" and after_value:
        edit = TextEdit(t.found.start, t.found.end, "and")
        return t.wrong("expr-word", "`but` is not used here", _JOINED, "write `and`", edit=edit)
    if found == "over" and last in ("sum", "count", "max", "min", "all", "any"):
        return _over(t)
    if found in ("where", "while") and t.open and not any(w.text == "for" for w in t.words[: t.here]):
        return _filter_first(t)
    if t.last and last in ("no", "without") and NAME.match(found):
        ends = t.operand_ends(t.here - 1, 1)
        new = f"{t.operand(t.here - 1, 1)} = 0"
        edit = TextEdit(t.last.start, ends[1].end, new, sure=False) if ends else None
        fix = f"of a number write `{new}`, of a place `empty({t.operand(t.here - 1, 1)})`"
        return t.wrong("expr-word", f"`{last}` is not used here", "", fix, t.last, edit)
    if t.last and last in _MOST and NAME.match(found):
        new = f"{_MOST[last]}({found}[x] for x in player)"
        edit = TextEdit(t.last.start, t.found.end, new, sure=False)
        return t.wrong("expr-word", f"`{last}` is not used here", "", f"write `{new}`", t.last, edit)
    if t.last and last == "each" and t.word(-2) == "for":
        edit = TextEdit(t.last.start, t.found.start, "")
        fix = f"write `for {found} in {t.operand(t.here + 1, 1)}`"
        return t.wrong("expr-word", "`for each` begins a step; in an expression it is `for`", "", fix, t.last, edit)
    if t.word(-2) == "for" and found != "in" and t.entry != "step":
        other = found in _NOT_IN
        domain = t.operand(t.here if other else t.here - 1, 1)
        edit = TextEdit(t.found.start, t.found.end if other else t.found.start, "in" if other else "in ")
        fix = f"write `for {last} in {domain}`"
        return t.wrong("expr-word", f"expected `in` after `for {last}`", "", fix, edit=edit)
    if (found == "for" and last == "(") or (last == "for" and t.word(-2) == "("):
        name = t.word(-3) if last == "for" else t.word(-2)
        return t.wrong("expr-word", "what is gathered comes before `for`", "", f"write `{name}(… for x in …)`")
    return None


def _chosen_together(t: Failure) -> TextProblem | None:
    """Explain `from PILE`, `at most 2 from PILE`, `any of PILE`: pieces chosen together, without the words for how many."""
    text = " ".join(t.text.split())
    if t.entry == "step":
        return None
    if m := re.fullmatch(r"(?:at most|not more than|maximum|max) ([0-9]\w*) ((?:of .+ )?from .+)", text):
        new, message = f"up to {m[1]} {m[2]}", "how many pieces can be chosen is written otherwise"
    elif m := re.fullmatch(
        r"(?:any(?: number)?|some|all)? ?(?:of|from) ([a-z]\w*(?:\[[^\]]*\])?)",
        text,
    ):
        new, message = f"up to 3 from {m[1]}", "this does not say how many pieces can be chosen"
    elif m := re.fullmatch(r"(?:at least|not less than|no fewer than) [0-9]+ ((?:of .+ )?from .+)", text):
        message, why = (
            "the least number of pieces is not said here",
            "pieces are chosen as `N from PILE`, or `up to N from PILE`",
        )
        fix = f"write the most, such as `up to 3 {m[1]}`, and the least as a condition under `needs:`"
        return TextProblem("expr-word", message, why, fix, 0, len(t.text.rstrip()))
    else:
        return None
    why = "pieces are chosen as `N from PILE`, or `up to N from PILE`"
    edit = TextEdit(0, len(t.text.rstrip()), new, sure=False)
    return TextProblem("expr-word", message, why, f"write `{new}`", 0, len(t.text.rstrip()), edit)


def _over(t: Failure) -> TextProblem:
    """Explain `sum over x in d of e`."""
    assert t.found is not None
    of = next((i for i in range(t.here, len(t.words)) if t.words[i].text in ("of", ":")), None)
    if of is None:
        return t.wrong("expr-word", "`over` is not used here", "", f"write `{t.word(-1)}(… for x in …)`")
    inside = t.between(t.words[t.here + 1], t.words[of - 1])
    last = t.operand_ends(of, 1)
    new = f"{t.word(-1)}({t.operand(of, 1)} for {inside})"
    edit = TextEdit(t.words[t.here - 1].start, last[1].end, new) if last else None
    return t.wrong("expr-word", "`over` is not used here", "", f"write `{new}`", edit=edit)


def _filter_first(t: Failure) -> TextProblem | None:
    """Explain `any(a where b for x in d)`: what is left out comes last."""
    assert t.found is not None
    after = next((i for i in range(t.here, len(t.words)) if t.words[i].text == "for"), None)
    if after is None:
        group = any(w.text == "group" for w in t.words[: t.here])
        if not group:
            return None
        message, why = (
            "this `group` does not say along which ways",
            "it is written `group(x from CELL along WAYS where …)`",
        )
        return t.wrong("expr-word", message, why, "write `along` and the ways before `where`")
    end, depth = after, 0
    while end < len(t.words) and depth >= 0:
        depth += (t.words[end].text in OPENED) - (t.words[end].text in OPENED.values())
        end += 1
    filtered, bound = t.between(t.found, t.words[after - 1]), t.between(t.words[after], t.words[end - 2])
    new, why = f"{bound} {filtered}", "what is left out is said last, after `for … in …`"
    edit = TextEdit(t.found.start, t.words[end - 2].end, new)
    return t.wrong("expr-word", f"`{t.found.text}` comes after `for`", why, f"write `{new}`", edit=edit)


def _is_more(t: Failure, left: str, negated: bool) -> TextProblem | None:
    """Explain `is in`, `is more than` and `is not empty`; None for anything else after `is`."""
    assert t.found is not None
    after = t.here + 1 + negated
    words = tuple(w.text for w in t.words[after : after + 2])
    ends = t.operand_ends(t.here, -1)
    message = f"`{t.found.text}` is not used here"
    if words[:1] == ("in",):
        new = f"{left} {'not ' * negated}in {t.operand(after, 1)}"
        return t.wrong("expr-word", message, "", f"write `{new}`", edit=t.instead_of(t.here, after, new))
    if words in _AS_SIGNS and not negated:
        new = f"{left} {_AS_SIGNS[words[0], words[1]]} {t.operand(after + 1, 1)}"
        return t.wrong("expr-word", message, "", f"write `{new}`", edit=t.instead_of(t.here, after + 1, new))
    if words[:1] == ("empty",) and words[1:] != ("(",):
        new = f"{'not ' * negated}empty({left})"
        edit = TextEdit(ends[0].start, t.words[after].end, new) if ends else None
        return t.wrong("expr-word", message, "", f"write `{new}`", edit=edit)
    return None


def _if_after(t: Failure) -> TextProblem | None:
    """Explain `a if b else c`."""
    other = next((i for i in range(t.here, len(t.words)) if t.words[i].text == "else"), None)
    if other is None or other == t.here + 1:
        return None
    first, last = t.operand(t.here, -1), t.operand(other, 1)
    new = f"if {t.between(t.words[t.here + 1], t.words[other - 1])} then {first} else {last}"
    edit, why = t.instead_of(t.here, other, new, sure=False), "a choice between two values begins with its condition"
    return t.wrong("expr-if", "`if` after a value", why, f"write `{new}`", edit=edit)


def _counted(t: Failure) -> TextProblem:
    """Explain `KIND of PLACE`, `count(KIND of PLACE)`, and `count of KIND in PLACE`."""
    kind, place = t.operand(t.here, -1), t.operand(t.here, 1)
    if kind in ("count", "number", "sum", "size", "amount"):
        where = next((i for i in range(t.here, len(t.words)) if t.words[i].text in ("in", "on")), None)
        last = t.operand_ends(where, 1) if where is not None else None
        new = f"count({t.operand(where, 1)}, {place})" if where is not None else f"count({place})"
        ends = last or t.operand_ends(t.here, 1)
        edit = TextEdit(t.words[t.here - 1].start, ends[1].end, new) if ends else None
        return t.wrong("expr-word", "`of` is not used here", "", f"write `{new}`", edit=edit)
    call = f"count({place}, {kind})"
    new, ends = call, t.operand_ends(t.here, -1)
    before = t.words.index(ends[0]) if ends else 0
    if before > 1 and t.words[before - 1].text == "(" and t.words[before - 2].text == "count":
        new = f"{place}, {kind}"
    why = "`of` says which pieces a step moves"
    edit = t.instead_of(t.here, t.here, new, sure=False)
    return t.wrong("expr-word", "`of` is not used here", why, f"to count write `{call}`", edit=edit)


def _odd_space(t: Failure) -> TextProblem | None:
    """Explain a no-break space, which looks like a space."""
    before, found = t.last.end if t.last else 0, t.found.start if t.found else len(t.text)
    m = ODD_SPACES.search(t.text, before, max(before, found))
    if m is None:
        return None
    message, why = "there is a no-break space here", "it looks like a space, but is another character"
    edit = TextEdit(*m.span(), " ")
    return TextProblem("expr-syntax", message, why, "write an ordinary space", *m.span(), edit)


def _letter(t: Failure) -> TextProblem | None:
    """Explain a letter with an accent, or of another alphabet, in a name."""
    m = next((m for m in re.finditer(r"[^\W\d]\w*", t.text) if m.start() <= t.at < m.end()), None)
    if m is None or m.group().isascii():
        return None
    name, why = as_name(m.group()), "names are lower case letters from a to z, digits and `_`"
    edit = TextEdit(*m.span(), name, sure=False) if name else None
    return TextProblem(
        "name-shape", f"`{m.group()}` is not a name", why, f"write `{name}`" if name else "", *m.span(), edit
    )


def _upper_case(t: Failure) -> TextProblem | None:
    m = re.compile(r"\w*[A-Z]\w*").match(t.text, t.found.start) if t.found else None
    if m is None:
        return None
    why, lower = "all words and names of the rules are lower case", m.group().lower()
    if lower in SPREADSHEET:
        return TextProblem("name-unknown", f"no function called `{m.group()}`", "", SPREADSHEET[lower], *m.span())
    edit = TextEdit(*m.span(), lower, sure=lower in KEYWORDS)
    return TextProblem("name-shape", f"`{m.group()}` is not in lower case", why, f"write `{lower}`", *m.span(), edit)


_BETWEEN_VALUES = (
    "and",
    "or",
    "not",
    "in",
    "mod",
    "then",
    "else",
    "default",
    "for",
    "where",
    "while",
    "from",
    "along",
    "be",
)


def _two_names(t: Failure) -> TextProblem | None:
    """Explain `my crates`, `count(a) 3`: something is missing between two values."""
    edit: TextEdit | None
    if t.entry == "choice" and (quantity := _chosen_together(t)) is not None:
        return quantity
    if t.found and t.last and t.found.text in ("x", "X") and t.word(1) and t.entry != "step":
        edit = TextEdit(t.found.start, t.found.end, "*", sure=False)
        if re.match(r"[\w)\]]", t.last.text) and t.last.text not in KEYWORDS and re.match(r"[\w(]", t.word(1)):
            return t.wrong(
                "expr-operator", f"`{t.found.text}` is not expected here", "", "to multiply write `*`", edit=edit
            )
    if t.found and t.last and t.last.text.isdecimal() and NAME.match(t.found.text) and t.here == len(t.words) - 1 == 1:
        edit = TextEdit(t.last.end, t.found.end, "")
        message, why = f"`{t.found.text}` is not expected after `{t.last.text}`", "a number is written alone"
        return t.wrong("expr-syntax", message, why, f"write `{t.last.text}`", edit=edit)
    if t.found is None or t.last is None or not re.match(r"\w", t.found.text) or t.found.text in KEYWORDS:
        return None
    ends_value = (re.match(r"\w", t.last.text) and t.last.text not in KEYWORDS) or t.last.text in (")", "]")
    if not ends_value or t.entry == "step":
        return None
    message = f"`{t.found.text}` is not expected after `{t.last.text}`"
    if meant := t.misspelt(_BETWEEN_VALUES):
        return t.wrong("expr-syntax", message, "", suggestion(meant[0]), edit=meant[1])
    both_names = NAME.match(t.found.text) and NAME.match(t.last.text)
    one = f"{t.last.text}_{t.found.text}"
    fix = f"if it is one name write `{one}`" if both_names and t.entry in ("head", "expr") else ""
    alone = both_names and t.entry == "head" and t.here == len(t.words) - 1 == 1
    edit = TextEdit(t.last.start, t.found.end, one, sure=False) if alone or (both_names and t.entry == "expr") else None
    return t.wrong("expr-syntax", message, "two values need something between them: a sign such as `+`, a comparison, `and`, `or`, or a comma", fix, edit=edit)  # fmt: skip


def _entry(t: Failure) -> TextProblem | None:
    """Explain heads and lines of `pieces:`, which can be written in one way only."""
    edit: TextEdit | None
    if t.entry == "head" and t.here == 1 and t.found and t.last and t.word(1) in ("(", "["):
        edit = TextEdit(0, t.found.start, "")
        message, why = f"`{t.found.text}` is not expected after `{t.last.text}`", "a declaration begins with its name"
        fix = f"write `{t.text[t.found.start :].strip()}`, without `{t.last.text}`"
        return t.wrong("expr-syntax", message, why, fix, t.last, edit)
    if t.entry == "head" and any(w.text == "(" for w in t.open) and t.word(0) in (")", ",") and t.last is not None:
        why = (
            "indexes of places, tables and variables go in `[ ]`; parameters in `( )`, each with its set: `(player p)`"
        )
        parameter = "player p" if t.last.text == "player" else f"SET {t.last.text}"
        fix = f"an index is written `[{t.last.text}]`, a parameter with its set before it: `({parameter})`"
        return t.wrong("head-brackets", f"`{t.last.text}` is alone in round brackets", why, fix, t.last)
    if t.entry == "head" and t.open and t.found and t.last and t.word(-3) in ("(", ",") and NAME.match(t.found.text):
        edit = TextEdit(t.last.end, t.last.end, ",")
        message = f"`{t.found.text}` is not expected after `{t.last.text}`"
        return t.wrong(
            "expr-syntax",
            message,
            "parameters are separated by commas",
            f"write `{t.last.text}, {t.found.text}`",
            edit=edit,
        )
    if t.entry == "head" and t.last and t.word(-2) in ("[", ",") and t.last.text.isdecimal() and t.open:
        message = f"expected the name of a set in `{t.open[-1].text} {OPENED.get(t.open[-1].text, '')}`, found `{t.last.text}`"
        return t.wrong(
            "head-brackets", message, "a declaration is for all indexes: its values are given together", "", t.last
        )
    if t.entry == "head" and any(w.text == "[" for w in t.open) and t.found and NAME.match(t.found.text):
        why = "an index set goes alone in `[ ]`; parameters go in `( )`, each with its set"
        return t.wrong("head-brackets", f"`{t.found.text}` is not expected after `{t.word(-1)}`", why)
    if t.entry == "ask" and (not t.found or t.found.text in (",", "and", "&", "|", "/")):
        moves = [w.text for w in t.words if NAME.match(w.text) and w.text not in KEYWORDS]
        fix = f"write `{' or '.join(moves)}`" if "(" not in t.text else "write `MOVE or MOVE`"
        edit = t.as_words(t.found.start, t.found.end, "or") if t.found else None
        return t.wrong("expr-syntax", "the moves of an `ask` are separated by `or`", "", fix, edit=edit)
    if t.entry == "binding" and t.word(0) != "in" and t.here == 1 and t.last is not None:
        name, edit = t.last.text, TextEdit(t.last.start, t.last.start, "x in ", sure=False)
        fix = f"write `x in {name}`"
        if t.found:
            is_value = NAME.match(t.found.text) and t.found.text not in _NOT_IN
            fix = f"write `{name} in {t.operand(t.here - 1 if is_value else t.here, 1)}`"
            edit = t.as_words(t.found.start, t.found.start if is_value else t.found.end, "in")
        why = "each gets a name that its steps can use"
        return t.wrong("expr-syntax", f"expected `in` after `{name}`", why, fix, edit=edit)
    if t.entry == "head" and t.found and t.found.text == "-" and t.last is not None:
        written = re.match(r"\w+(?:\s*-+\s*\w+)*", t.text)
        name = re.sub(r"\W+", "_", written.group()) if written else "…"
        edit = TextEdit(0, written.end(), name) if written else None
        why = "names are lower case letters, digits and `_`"
        return t.wrong("name-shape", "a name has no `-`", why, f"write `{name}`", edit=edit)
    if t.entry == "pieces":
        found = f"`{t.found.text}`" if t.found else "the end"
        last = f" after `{_last_word(t)}`" if t.here else ""
        fix = "write how many and where: `8 in PLACE`"
        m = re.fullmatch(
            r"(.*?[\w)\]])\s+(?:of\s+each|of\s+every\s+\w+|each|per\s+\w+|pieces|at|on|into|from|to)\s+(?:in\s+)?(?:each\s+|every\s+|the\s+)?(\w+(?:\[.*\])?)",
            t.text,
        )
        if m and t.found:
            new = f"{m[1]} in {m[2]}"
            edit = TextEdit(0, len(t.text), new)
            return t.wrong("expr-syntax", f"{found} is not expected{last}", "", f"write `{new}`", edit=edit)
        if re.fullmatch(r"[0-9]+\s+[a-z]\w*", t.text) and t.found:
            number, word = t.text.split()
            fix = f"write `{number} in {word}`; if `{word}` is the piece, it comes first: `{word}: {number} in PLACE`"
        between = t.found and t.last and NAME.match(t.found.text) and re.match(r"[\w)\]]", t.last.text)
        edit = TextEdit(t.found.start, t.found.start, "in ", sure=False) if t.found and between else None
        return t.wrong("expr-syntax", f"{found} is not expected{last}", "", fix, edit=edit)
    return None


def _unlike(t: Failure) -> TextProblem | None:
    """Explain signs of spreadsheets and other languages that begin well: `=SUM(…)`, `IF(a; b; c)`, `(a, b)`, `[… for …]`."""
    if t.found is None:
        return None
    edit: TextEdit | None
    if t.found.text == "=" and not t.here:
        edit = TextEdit(t.found.start, t.found.end, "")
        return t.wrong("expr-operator", "an expression does not begin with `=`", "", "leave it out", edit=edit)
    opener = t.open[-1] if t.open else None
    if opener is None or opener.text not in OPENED:
        return None
    start = t.words.index(opener)
    called = start > 0 and NAME.match(t.words[start - 1].text) and t.words[start - 1].text not in KEYWORDS
    close = _closing(t, start)
    if t.found.text == "," and opener.text == "(" and not called and close is not None:
        inside = t.text[opener.end : t.words[close].start]
        edit = TextEdit(opener.start, t.words[close].end, f"[{inside}]")
        return t.wrong("expr-brackets", "a list is written in `[ ]`", "", f"write `[{inside}]`", opener, edit)
    if (
        t.found.text == "for"
        and opener.text == "["
        and start > 1
        and t.words[start - 1].text == "("
        and close is not None
    ):
        inside = t.text[opener.end : t.words[close].start]
        edit = TextEdit(opener.start, t.words[close].end, inside)
        fix = f"write `{t.words[start - 2].text}({' '.join(inside.split())})`"
        return t.wrong("expr-brackets", "what is gathered needs no `[ ]`", "", fix, opener, edit)
    if t.found.text == "for" and opener.text == "(" and called and close is None:
        edit = TextEdit(t.last.end, t.last.end, ")", sure=False) if t.last else None
        message = f"the `(` after `{t.words[start - 1].text}` is still open before `for`"
        return t.wrong("expr-brackets", message, "", "close it first: write `)` before `for`", opener, edit)
    return None


def _closing(t: Failure, start: int) -> int | None:
    """Return the number of the bracket that closes the one of this number; None if none does."""
    depth = 0
    for i in range(start, len(t.words)):
        depth += (t.words[i].text in OPENED) - (t.words[i].text in OPENED.values())
        if not depth:
            return i
    return None


def _if_call(t: Failure) -> TextProblem | None:
    """Explain `IF(a; b; c)` and `if(a, b, c)` of spreadsheets, and `if (a) b else c`."""
    m = re.match(r"if\s*\(", t.text, re.IGNORECASE)
    if m is None or t.entry == "step":
        return None
    depth, cuts, end = 0, [m.end()], None
    for i in range(m.end() - 1, len(t.text)):
        depth += (t.text[i] in OPENED) - (t.text[i] in OPENED.values())
        if depth == 1 and t.text[i] in ",;":
            cuts.append(i + 1)
        if not depth:
            end = i
            break
    if end is None:
        return None
    parts = [t.text[a:b].rstrip(",; ").strip() for a, b in zip(cuts, [*cuts[1:], end], strict=True)]
    rest = t.text[end + 1 :].strip()
    if len(parts) in (2, 3) and not rest:
        new = f"if {parts[0]} then {parts[1]} else {parts[2] if len(parts) == 3 else '0'}"
    elif len(parts) == 1 and rest and not rest.startswith("then") and (m2 := re.match(r"(.*?)\s+else\s+(.*)", rest)):
        new = f"if {parts[0]} then {m2[1]} else {m2[2]}"
    else:
        return None
    why, edit = "a choice between two values is written in words", TextEdit(0, len(t.text), new)
    return TextProblem("expr-if", "this `if` is written otherwise", why, f"write `{new}`", 0, len(t.text), edit)


def _comma(t: Failure) -> TextProblem | None:
    """Explain `a, b` for two conditions."""
    if t.found is None or t.found.text != "," or t.open or t.entry != "expr" or not t.word(1):
        return None
    edit = TextEdit(t.found.start, t.found.end, " and", sure=False)
    return t.wrong("expr-operator", "`,` does not join two conditions", _JOINED, "write `and`, or `or`", edit=edit)


def _anything(t: Failure) -> TextProblem:
    if (quantity := _chosen_together(t)) is not None:
        return quantity
    if t.found and t.found.text == "+" and not t.here and t.entry == "set":
        rest = t.text[t.found.end :].strip()
        why = "a set is written with all its members, or, in a house rule, with those to add"
        return t.wrong(
            "expr-syntax", "`+` begins no set", why, f"to add to a set of another file write `{{add: [{rest}]}}`"
        )
    if t.found and t.found.text == "+" and not t.here:
        why = "a neighbour in `ways:` is said in full, such as `row + 1`"
        return t.wrong("expr-syntax", "`+` stands between two values", why, "write before it what is added to")
    if t.found and t.last and t.last.text == "(" and t.found.text in COMPARE | {"+", "*", "/", "and", "or"}:
        why, first = "signs stand between two values, and calls are written `NAME(…)`", t.word(1)
        fix = f"write `{first} {t.found.text} …`" if NAME.match(first) or first.isdecimal() else ""
        return t.wrong("expr-syntax", f"`{t.found.text}` is not expected after `(`", why, fix)
    last = _last_word(t)
    if t.found is None:
        return t.wrong("expr-syntax", f"expected more after `{last}`, found the end")
    where = f" after `{last}`" if t.here else ""
    return t.wrong("expr-syntax", f"`{t.found.text}` is not expected{where}")


def _last_word(t: Failure) -> str:
    before = (t.text[: t.words[t.here].start] if t.found else t.text).split()
    return before[-1] if before else ""


EXPLANATIONS: tuple[Callable[[Failure], TextProblem | None], ...] = (  # the surest first, the catch-all last
    _odd_space,
    _letter,
    _assignment,
    _entry,
    _if_call,
    _unlike,
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
    _comma,
    _anything,
)
