"""The likely cause of a YAML syntax error, in plain words: each explanation covers one common mistake."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from rulespec.diagnostics.diagnostic import MOST_EDITS, Diagnostic, Edit, Span, edit
from rulespec.yaml.nodes import Text

_COMMA_NEXT = re.compile(r"\s*,")
ODD_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]+")  # look like spaces, and are none
_SPACE_AFTER_KEY = re.compile(rf"[\w ]+:({ODD_SPACES.pattern})")
_HOLE_IN_COMMENT = re.compile(r"[ \t]+(#)[^\s{]*\{\w[^{}\n]*\}[^\n]*")
_NUMBER_IN_COMMENT = re.compile(r" (#)[0-9]+\b[^\n]*")  # `Hook #2`, and no comment behind a column of values
CUT_WHY = "inside `{ }` and `[ ]` YAML ends an item at each comma, bracket and brace"


class Sign(Enum):
    """The subject of an error of the YAML parser."""

    ALIAS = auto()  # an anchor or alias
    BLOCK = auto()  # inside a block
    BLOCK_LIST = auto()
    BLOCK_SCALAR = auto()
    COLON = auto()  # a `:` too many
    DIRECTIVE = auto()
    ESCAPE = auto()
    FLOW = auto()  # inside `[ ]` or `{ }`
    LIST_ITEM = auto()  # a `- ` that cannot be here
    NO_COLON = auto()
    NOT_FIRST = auto()  # a character that no value begins with
    QUOTED = auto()  # inside quotes
    TAB = auto()
    TAG = auto()
    UNEXPECTED = auto()


# Errors of the two parsers have no codes: this is the one place that looks at their words.
_PROBLEM_SIGNS = (
    ("cannot start any token", Sign.NOT_FIRST),
    ("could not find expected ':'", Sign.NO_COLON),
    ("escape", Sign.ESCAPE),
    ("mapping keys", Sign.NOT_FIRST),
    ("mapping values are not allowed", Sign.COLON),
    ("sequence entries are not allowed", Sign.LIST_ITEM),
    ("tab character", Sign.TAB),
    ("tag", Sign.TAG),
    ("unexpected", Sign.UNEXPECTED),
)
_CONTEXT_SIGNS = (
    ("alias", Sign.ALIAS),
    ("anchor", Sign.ALIAS),
    ("block", Sign.BLOCK),
    ("block scalar", Sign.BLOCK_SCALAR),
    ("collection", Sign.BLOCK_LIST),
    ("directive", Sign.DIRECTIVE),
    ("flow", Sign.FLOW),
    ("quoted scalar", Sign.QUOTED),
    ("sequence", Sign.BLOCK_LIST),
    ("tag", Sign.TAG),
)


def signs_of(problem: str, context: str) -> frozenset[Sign]:
    """Return what an error is about, by the words of the parser."""
    found = {sign for words, sign in _PROBLEM_SIGNS if words in problem}
    return frozenset(found | {sign for words, sign in _CONTEXT_SIGNS if words in context})


@dataclass(frozen=True, slots=True)
class YamlFailure:
    """A place where YAML could not be read, and what was read last. Places are offsets in the text."""

    text: Text
    signs: frozenset[Sign]
    problem: str  # the parser's own words, for a mistake that nothing here knows
    context: str
    at: int
    context_at: int
    open_at: int | None = None  # the innermost `[` or `{` still open
    last: tuple[int, int] | None = None  # the last scalar or closed bracket read
    last_style: str | None = None  # of that scalar: none (plain), a quote sign; or the closing bracket

    @property
    def char(self) -> str:
        return self.text.text[self.at : self.at + 1]

    @property
    def line(self) -> str:
        return self.text.lines[self.text.position(self.at)[0] - 1]

    @property
    def before(self) -> str:
        """The part of its line before it."""
        return self.line[: self.text.position(self.at)[1] - 1]

    def report(
        self,
        message: str,
        why: str = "",
        fix: str = "",
        code: str = "yaml-syntax",
        at: int = -1,
        edits: tuple[Edit, ...] = (),
    ) -> Diagnostic:
        start = self.at if at < 0 else at
        return Diagnostic(self.text.span(start, start + 1), code, message, why, fix, edits=edits)

    def indent(self, column: int, dash: str = "") -> tuple[Edit, ...]:
        """Return the change that starts the line of the failure in another column, alone."""
        line = self.text.position(self.at)[0]
        indentation = self.line[: len(self.line) - len(self.line.lstrip())]
        start = self.text.offset(line, 1)
        return change(self.text, start, start + len(indentation), f"{' ' * (column - 1)}{dash}", sure=False)


def explain(failure: YamlFailure) -> Diagnostic:
    """Return the first explanation that fits."""
    return next(found for explanation in EXPLANATIONS if (found := explanation(failure)))


def change(text: Text, start: int, end: int, new: str, sure: bool = True) -> tuple[Edit, ...]:
    """Return the change of a stretch of a text, alone."""
    return edit(text.span(start, end), text.text[start:end], new, sure)


def between_quotes(value: str) -> str:
    """Return the text as a YAML value that surely is that text."""
    value = value.strip()
    return f'"{value}"' if '"' not in value and "\\" not in value else "'" + value.replace("'", "''") + "'"


def in_quotes(value: str) -> str:
    """Return the same in backticks, for a message."""
    return f"`{between_quotes(value)}`"


def rest_of_line(text: Text, start: int) -> str:
    """Return the line from `start`, without a comment."""
    return re.split(r"\s#", text.text[start:].split("\n", 1)[0])[0].strip()


def find_cut(text: Text, start: int, end: int) -> tuple[Diagnostic, int] | None:
    """Return a complaint if a comma cut off the flow item at `start`, which has a `(` still open, and where the whole ends."""
    if not _COMMA_NEXT.match(text.text, end):
        return None
    whole_end = _balanced_end(text.text, start, end)
    whole = " ".join(text.text[start : whole_end or end].split())
    message = f"the comma cuts `{whole}` apart" if whole_end else f"the comma ends `{whole}` with its `(` still open"
    fix = f"put it in quotes, {in_quotes(whole)}," if whole_end else "close the bracket, put the whole in quotes,"
    fix += " or write one entry a line without `{ }` and `[ ]`"
    edits = change(text, start, whole_end, between_quotes(whole)) if whole_end else ()
    span = text.span(start, whole_end or end)
    problem = Diagnostic(span, "yaml-cut-expression", message, CUT_WHY, fix, edits=edits)
    return problem, whole_end or end


def _balanced_end(raw: str, start: int, item_end: int) -> int | None:
    """Return where all brackets opened in an item are closed, after the end of the item; None if they are not."""
    expected: list[str] = []
    for match in re.finditer(r"[()\[\]{}]", raw[start : start + 1000]):  # nobody writes a longer one
        sign = match.group()
        if sign in "([{":
            expected.append({"(": ")", "[": "]", "{": "}"}[sign])
        elif not expected or expected.pop() != sign:
            return None
        elif not expected and start + match.end() > item_end:
            return start + match.end()
    return None


_TABBED = re.compile(r" *\t[ \t]*(?=\S)")  # the indentation of a line, with a tab


def _tab(t: YamlFailure) -> Diagnostic | None:
    indentation = t.line[: len(t.line) - len(t.line.lstrip())]
    if "\t" not in indentation or (t.before.strip() and Sign.TAB not in t.signs):
        return None
    at = t.at - len(t.before) + indentation.index("\t")
    why = "how wide a tab is differs from editor to editor"
    here = t.text.position(at)[0]
    tabbed = [(n, m) for n, line in enumerate(t.text.lines, 1) if n >= here and (m := _TABBED.match(line))]
    deeper = _deeper(t.text.lines[: here - 1], len(tabbed[0][1].group().replace("\t", "  "))) if tabbed else 0
    starts = [(t.text.offset(n, 1), m.group()) for n, m in tabbed[:MOST_EDITS]]
    spaces = [(start, old, old.replace("\t", "  ") + " " * deeper) for start, old in starts]
    edits = (e for start, old, new in spaces for e in change(t.text, start, start + len(old), new, sure=False))
    return t.report("a tab in the indentation", why, "indent with spaces", "yaml-tab", at, tuple(edits))


def _deeper(above: list[str], indentation: int) -> int:
    """Return how much deeper a line must be indented to stand below the key above it, if that has nothing else."""
    last = next((line for line in reversed(above) if line.strip()), "")
    is_key = re.fullmatch(r"\s*(?:- +)?[^#\s][^#]*:\s*(?:#.*)?", last) is not None
    return max(0, _column(last) + 1 - indentation) if is_key and indentation < _column(last) else 0


def _tab_before_value(t: YamlFailure) -> Diagnostic | None:
    if t.char != "\t":
        return None
    tabs = re.compile(r"[\t ]+").match(t.text.text, t.at)
    edits = change(t.text, *tabs.span(), " ") if tabs else ()
    return t.report("a tab before a value", "", "write a space instead", "yaml-tab", edits=edits)


def _anchor(t: YamlFailure) -> Diagnostic | None:
    if Sign.ALIAS not in t.signs:
        return None
    return anchor_used(t.text, t.context_at, t.open_at is not None)


def anchor_used(text: Text, start: int, in_flow: bool) -> Diagnostic:
    """Return the complaint about an anchor or alias; `in_flow` says whether it is inside `{ }` or `[ ]`."""
    sign = text.text[start : start + 1]
    what = "an anchor" if sign == "&" else "an alias"
    fix, edits = _anchor_fix(text, start, sign, in_flow)
    return Diagnostic(
        text.span(start, start + 1),
        "yaml-anchor",
        f"a value that begins with `{sign}` is {what} in YAML, which rule files do not use",
        "an entry that stands for text written elsewhere is hard to follow and hard to change",
        fix,
        edits=edits,
    )


def _anchor_fix(text: Text, start: int, sign: str, in_flow: bool) -> tuple[str, tuple[Edit, ...]]:
    line, col = text.position(start)
    if sign == "*" and text.text[start + 1 : start + 2] == " " and not text.lines[line - 1][: col - 1].strip():
        return "an item of a list begins with `- `", change(text, start, start + 1, "-")
    words = value_of_line(text, start, in_flow)
    if sign == "&" and (named := re.match(r"&\w+ +(?=\S)", words)):
        edits = change(text, start, start + named.end(), "", sure=False)
        return f"leave `{named.group().strip()}` out, and write the value wherever it is needed", edits
    edits = change(text, start, start + len(words), between_quotes(words), sure=False)
    return f"if it is meant as text put it in quotes: {in_quotes(words)}", edits


def value_of_line(text: Text, start: int, in_flow: bool) -> str:
    """Return the value that begins at `start`, up to the end of its line, or of its item inside `{ }` or `[ ]`."""
    words = rest_of_line(text, start)
    return re.split(r"[,\]}]", words)[0].strip() if in_flow else words


def _tag(t: YamlFailure) -> Diagnostic | None:
    return tag_used(t.text, t.context_at, t.open_at is not None) if Sign.TAG in t.signs else None


def tag_used(text: Text, start: int, in_flow: bool) -> Diagnostic:
    """Return the complaint about a tag; `in_flow` says whether it is inside `{ }` or `[ ]`."""
    words = value_of_line(text, start, in_flow)
    fix = f"put it in quotes if it is meant as text: {in_quotes(words)}"
    quoted = change(text, start, start + len(words), between_quotes(words), sure=False)
    negated = re.match(r"!\w[^!]*\Z", words) is not None
    return Diagnostic(
        text.span(start, start + 1),
        "yaml-tag",
        "a value that begins with `!` is a tag in YAML, which rule files do not use",
        fix=f"for a condition write `not {words[1:].strip()}`; {fix}" if negated else fix,
        edits=change(text, start, start + 1, "not ", sure=False) if negated else quoted,
    )


_NO_SPACE = re.compile(r"\s*(?:- )?([A-Za-z_][^:#'\"{}]*):(?=[^\s:])")


def _no_space_after_colon(t: YamlFailure) -> Diagnostic | None:
    """Explain `key:value`, which is one word to YAML."""
    if not t.signs & {Sign.COLON, Sign.NO_COLON}:
        return None
    last = t.text.position(t.at)[0]
    for line in (last, t.text.position(t.context_at)[0]):
        if m := re.match(
            r"\s*(?:- +)?([a-z]\w*(?:[(\[][^)\]]*[)\]])?)\s*(:[-=:]|=>|->)\s*(?=\S)", t.text.lines[line - 1]
        ):
            start, end = (t.text.offset(line, n + 1) for n in m.span(2))
            message, why = f"`{m[2]}` does not separate `{m[1]}` from its value", "a key is followed by `:` and a space"
            first = t.text.offset(line, m.end(1) + 1)
            edits = change(t.text, first, t.text.offset(line, m.end() + 1), ": ")
            fix = f"write `{m[1]}: …`"
            return Diagnostic(t.text.span(start, end), "yaml-colon-space", message, why, fix, edits=edits)
    for line in (last, t.text.position(t.last[0])[0] if t.last else last, t.text.position(t.context_at)[0]):
        if m := _NO_SPACE.match(t.text.lines[line - 1]):
            return no_space(t.text.span(*(t.text.offset(line, col + 1) for col in (m.end() - 1, m.end()))), m[1])
    return None


def no_space(span: Span, key: str) -> Diagnostic:
    """Return the complaint about a `:` that YAML does not take for one."""
    message, why = f"no space after the `:` of `{key}`", "only `:` and a space separate a key from its value"
    edits = edit(Span(span.file, span.end_line, span.end_col, span.end_line, span.end_col), "", " ")
    return Diagnostic(span, "yaml-colon-space", message, why, "write a space after the `:`", edits=edits)


def _other_colon(t: YamlFailure) -> Diagnostic | None:
    """Explain `if a: b else c` and `a ? b : c`, which are expressions elsewhere."""
    value = rest_of_line(t.text, t.last[0]) if t.last else ""
    if Sign.COLON not in t.signs or t.text.position(t.at)[0] != t.text.position(t.last[0])[0]:  # type: ignore[index]
        return None
    question = re.match(r"[^?]*\?[^:]*:", value)
    if not question and not re.match(r"if\b(?!.*\bthen\b)", value):
        return None
    sign, why = "? :" if question else ":", "a choice between two values is written in words"
    fix, edits = "write `if … then … else …`", _choice_in_words(t, value)
    return t.report(f"`{sign}` is not used in expressions", why, fix, "expr-operator", edits=edits)


def _choice_in_words(t: YamlFailure, value: str) -> tuple[Edit, ...]:
    """Return the change of `a ? b : c` or `if a: b else c` to words, alone."""
    if inner := re.fullmatch(r"(.*?\()([^()?]+(?:\([^()]*\))?[^()?]*)\?([^?:()]+):([^?:()]+)(\).*)", value):
        chosen = "if {} then {} else {}".format(*(part.strip() for part in inner.group(2, 3, 4)))
        if t.last is None or t.open_at is not None:
            return ()
        return change(t.text, t.last[0], t.last[0] + len(value), f"{inner[1]}{chosen}{inner[5]}", sure=False)
    parts = re.fullmatch(r"([^?]+)\?([^?:]+):([^?:]+)", value) or re.fullmatch(r"if\b([^:]+):(.+)\belse\b(.+)", value)
    if parts is None or t.last is None or t.open_at is not None:
        return ()
    test, then, other = (part.strip() for part in parts.groups())
    return change(t.text, t.last[0], t.last[0] + len(value), f"if {test} then {then} else {other}", sure=False)


def _colon_in_value(t: YamlFailure) -> Diagnostic | None:
    if Sign.COLON not in t.signs or t.last is None:
        return None
    start = t.last[0]
    line, col = t.text.position(start)
    here, _ = t.text.position(t.at)
    if line == here and (m := re.match(r"\s*(?:- +)?(\w+)\(([^)]*:[^)]*)\)\s*:", t.line)):
        params = re.sub(r"(\w+)\s*:\s*(\w+)", r"\2 \1", m[2])
        at = t.text.offset(line, m.start(2) + 1)
        edits = change(t.text, at, at + len(m[2]), params)
        message, why = "`:` does not separate a parameter from its set", "the set comes first, then the name"
        return t.report(message, why, f"write `{m[1]}({params})`", at=at, edits=edits)
    if line == here:
        words = rest_of_line(t.text, start)
        inner = re.match(r"([^:]+): +(\S.*)", words)
        owner = re.search(r"(?:^|[\s{])([a-z][a-z ]*?)(?:\[\w+\])?: *$", t.text.lines[line - 1][: col - 1])
        if inner and owner and owner[1].strip() in _MAPS and t.open_at is None:
            value = inner[2] if _plain_in_braces(inner[2]) else between_quotes(inner[2])
            meant = f"{{{inner[1]}: {value}}}"
            why = f"what belongs to `{owner[1].strip()}` is a map: below it, or in `{{ }}`"
            edits = change(t.text, start, start + len(words), meant)
            return t.report("a second `:` on the line", why, f"write `{meant}`", edits=edits)
        why, fix = (
            "`:` and a space separate a key from its value, once a line",
            f"put the value in quotes: {in_quotes(words)}",
        )
        edits = change(t.text, start, start + len(words), between_quotes(words))
        return t.report("a second `:` on the line", why, fix, edits=edits)
    if dash := re.match(r"\s*-(?=[a-z])", t.text.lines[line - 1]):
        at = t.text.offset(line, dash.end())
        why, edits = "only `-` and a space begin an item of a list", change(t.text, at + 1, at + 1, " ")
        return t.report("no space after the `-`", why, "write a space after the `-`", at=at, edits=edits)
    name = t.before.strip()
    if (bare := _name_without_colon(t, line, name)) is not None:
        return bare
    if (shallow := _too_shallow(t, line, name)) is not None:
        return shallow
    if (keyless := _no_key_before(t, line, col, name)) is not None:
        return keyless
    if (block := _block_without_dash(t, line, name)) is not None:
        return block
    if (named := _step_with_steps(t, line)) is not None:
        return named
    if (keyed := _value_above_keys(t, line)) is not None:
        return keyed
    above = re.match(r"\s*(?:- +)*", t.text.lines[line - 1])
    return t.report(
        f"`{name}` is indented further than the line above it, which already has a value",
        f"so it is read as more of the value that begins at line {line}, column {col}",
        f"start `{name}` in the same column as its neighbours",
        at=t.at - len(t.before.lstrip()),
        edits=t.indent(above.end() + 1) if above and not name.startswith("-") else (),
    )


_MAPS = frozenset(  # keys whose values are maps
    [
        "change",
        "choose",
        "expect",
        "given",
        "labels",
        "layout",
        "needs",
        "not with",
        "offered",
        "points",
        "gained",
        "refused",
        "sets",
        "tables",
        "pieces",
        "places",
        "variables",
        "symbols",
        "colours",
        "with",
        "winner",
        "options",
    ]
)


def _plain_in_braces(value: str) -> bool:
    """Return whether a value can stand in `{ }` as it is: what is in brackets of its own can."""
    return not re.search(r"[,\[\]{}]|: | #|^[\"'*&!|>%@`]", value) or re.fullmatch(r"\[[^\[\]{}]*\]", value) is not None


_USUAL = {
    "else": "that",
    "that": "else",
    "then": "if",
    "do": "while",
    "to": "ask",
    "points": "text",
}  # what stands beside a key


def _no_key_before(t: YamlFailure, line: int, col: int, name: str) -> Diagnostic | None:
    """Explain a value without its key above a key in the same column, and steps below a key without `do:` or `then:`."""
    here = t.text.position(t.at)[0]
    dashed = [n for n in range(line, here) if re.match(r"\s*- [a-z]", t.text.lines[n])]
    begun = re.match(r"\s*(?:- +)?(while|if|for each): ", t.text.lines[line - 1])
    if begun and dashed:
        inside = "then" if begun[1] == "if" else "do"
        first = min(dashed) + 1
        column = _key_column(t.text.lines[line - 1])
        at = t.text.offset(first, 1)
        edits = change(t.text, at, at, f"{' ' * (column - 1)}{inside}:\n", sure=False)
        message = f"`{inside}:` is missing above this step"
        why = f"so it is read as more of the value that begins at line {line}, column {col}"
        fix = f"write `{inside}:` on a line of its own above it, below `{begun[1]}`"
        return t.report(message, why, fix, at=t.text.offset(first, _column(t.text.lines[first - 1])), edits=edits)
    value = t.text.lines[line - 1].strip()
    if _column(t.line) != col or _column(t.text.lines[line - 1]) != col or ":" in value:
        return None
    at = t.text.offset(line, col)
    if name not in _USUAL:
        message, why = f"`{value}` has no key before it", "each line of a map is a key, `:` and a value"
        return t.report(message, why, "write a name and `:` before it, or what follows a `:` after it", at=at)
    key = _USUAL[name]
    edits = change(t.text, at, at, f"{key}: ", sure=False)
    message, why = f"`{value}` has no key before it", "each line of a map is a key, `:` and a value"
    return t.report(message, why, f"write `{key}: {value}`", at=at, edits=edits)


def _value_above_keys(t: YamlFailure, line: int) -> Diagnostic | None:
    """Explain `hide: like leave` with further keys of it on the lines below."""
    here, written = t.text.position(t.at)[0], re.fullmatch(r"( *)([\w ]+): +(\S.*)", t.text.lines[line - 1])
    below = [other for other in t.text.lines[here - 1 :] if other.strip()]
    deep = next((n for n, other in enumerate(below) if _column(other) < _column(t.line)), len(below))
    keys = [other for other in below[:deep] if _column(other) == _column(t.line) and re.match(r" *[a-z][\w ]*:", other)]
    if here != line + 1 or written is None or len(keys) < 2 or _column(t.line) <= len(written[1]) + 1:
        return None
    key, value, indentation = written[2], written[3].split(" #")[0].rstrip(), " " * (_column(t.line) - 1)
    message, why = f"`{key}` has a value, and keys below it", "what belongs to a key is a value, or keys below it"
    at = t.text.offset(line, len(written[1]) + len(key) + 1)
    known = re.fullmatch(r"(like|beside|text|see) (\S.*)", value)
    if known is None:
        return t.report(message, why, f"give `{value}` a key of its own, on a line below `{key}:`", at=at)
    edits = change(
        t.text,
        at,
        t.text.offset(line, written.start(3) + 1) + len(value),
        f":\n{indentation}{known[1]}: {known[2]}",
        sure=False,
    )
    return t.report(
        message, why, f"write `{known[1]}: {known[2]}` on a line of its own, below `{key}:`", at=at, edits=edits
    )


def _step_with_steps(t: YamlFailure, line: int) -> Diagnostic | None:
    """Explain a step as an item of a list below `before:`, `after:` or `instead of:`, with steps below it."""
    above = next((other for other in reversed(t.text.lines[: line - 1]) if other.strip()), "")
    item = re.fullmatch(r"\s*- (\w.*?)\s*", t.text.lines[line - 1])
    key = re.fullmatch(r"\s*(before|after|instead of):\s*", above)
    if item is None or key is None or not t.line.strip().startswith("- "):
        return None
    meant = f"{item[1]}:" if not re.search(r"[\[\]{},:#]", item[1]) else f'"{item[1]}":'
    start = t.text.offset(line, _column(t.text.lines[line - 1]))
    message, why = f"this step under `{key[1]}` is no key", "steps belong below it"
    edits = change(t.text, start, start + len(item[1]) + 2, meant)
    return t.report(message, why, f"write `{meant}`", at=start, edits=edits)


_CHANGES = re.compile(r"\s*(?:add|add first|remove|before|after|instead of):")


def _block_without_dash(t: YamlFailure, line: int, name: str) -> Diagnostic | None:
    """Explain `if: …` without its `- `, with `then:` below it, and a block that a change names by its key."""
    head = re.match(r"(\s*)(if|while|for each|ask): +(\S.*)", t.text.lines[line - 1])
    if (
        head is None
        or name not in ("then", "else", "do", "to", "otherwise", "forced")
        or _column(t.line) <= _column(head[0])
    ):
        return None
    at, column = t.text.offset(line, head.start(2) + 1), _column(head[0])
    above = [other for other in t.text.lines[: line - 1] if other.strip()]
    shallower = next((n for n in range(len(above), 0, -1) if _column(above[n - 1]) < column), 0)
    if any(_CHANGES.match(other) and _column(other) == column for other in above[shallower:]):
        words = head[3].split(" #")[0].rstrip()
        meant = f"{head[2]} {words}:"
        if re.search(r"[\[\]{},:#]", words):
            meant = f'"{head[2]} {words}":'
        edits = change(t.text, at, at + len(head[0].rstrip()) - head.start(2), meant)
        why = "a change names a block by its first line without the colon"
        return t.report(f"`{head[2]}: …` begins a new step", why, f"write `{meant}`", at=at, edits=edits)
    message, why = f"this `{head[2]}` does not begin with `- `", "steps are the items of a list"
    return t.report(message, why, f"write `- {head[2]}: …`", at=at, edits=change(t.text, at, at, "- "))


def _key_column(line: str) -> int:
    """Return the column in which the key of a line starts, after the dashes of its items."""
    start = re.match(r"\s*(?:- +)*", line)
    return start.end() + 1 if start else 1


def _name_without_colon(t: YamlFailure, line: int, below: str) -> Diagnostic | None:
    """Explain a name alone on its line, without its colon, above keys that belong to it."""
    here = t.text.lines[line - 1]
    name = re.fullmatch(r"\s*([^\s:#\-\[{\"'|>][^:#\[{]*?)\s*", here)
    if name is None or t.text.position(t.at)[0] != line + 1 or _column(t.line) <= _column(here) or below not in _INNER:
        return None
    at = t.text.offset(line, len(here.rstrip()) + 1)
    message, why = (
        f"`{name[1]}` has no `:` after it",
        f"a name with keys below it, such as `{below}`, is followed by `:`",
    )
    edits = change(t.text, at, at, ":", sure=False)
    return t.report(message, why, f"write `{name[1]}:`", at=t.text.offset(line, _column(here)), edits=edits)


_INNER = frozenset(  # keys that stand below a name
    [
        "that",
        "afterwards",
        "text",
        "points",
        "choose",
        "needs",
        "does",
        "change",
        "given",
        "run",
        "play",
        "expect",
        "refused",
        "offered",
        "pile",
        "stack",
        "cell",
        "is",
        "start",
    ]
)


def _too_shallow(t: YamlFailure, line: int, below: str) -> Diagnostic | None:
    """Explain a first key that is not indented below the one it belongs to, while the next one is."""
    here, key = t.text.lines[line - 1], t.text.lines[line - 2] if line > 1 else ""
    name = re.match(r"\s*([^\s:#-][^:#]*):", here)
    is_key = re.fullmatch(r"\s*[^\s#-][^#]*:\s*(?:#.*)?", key) is not None
    if name is None or not is_key or not _column(here) <= _column(key) < _column(t.line):
        return None
    start, deeper = t.text.offset(line, 1), _column(t.line) - 1
    message = f"`{name[1]}` is not indented below `{key.split(':')[0].strip()}`"
    why = f"so that has nothing below it, and `{below}` on the next line belongs to nothing"
    fix = f"start `{name[1]}` in column {deeper + 1}, as `{below}`"
    edits = change(t.text, start, start + _column(here) - 1, " " * deeper, sure=False)
    return t.report(message, why, fix, at=start + _column(here) - 1, edits=edits)


def odd_space(text: Text, start: int) -> Diagnostic | None:
    """Return the complaint about what looks like spaces before a key or after its colon; none if nothing does."""
    found = ODD_SPACES.match(text.text, start) or _SPACE_AFTER_KEY.match(text.text, start)
    if found is None:
        return None
    message, why = "there is a no-break space here", "it looks like a space, but is another character"
    at = found.span(found.lastindex or 0)
    edits = change(text, *at, " " * (at[1] - at[0]))
    return Diagnostic(text.span(*at), "yaml-syntax", message, why, "write an ordinary space", edits=edits)


def cut_by_comment(text: Text, start: int, end: int, flow: bool) -> Diagnostic | None:
    """Return the complaint about a text that ends where ` #{…}` or ` #2` makes a comment of the rest; none if it does not."""
    rest = _HOLE_IN_COMMENT.match(text.text, end)
    if rest is None and " " in text.text[start:end]:
        rest = _NUMBER_IN_COMMENT.match(text.text, end)
    if rest is None:
        return None
    message, why = "the text ends here: what follows ` #` is a comment", "YAML begins a comment at a space and `#`"
    fix = "put the whole text in quotes; if it is a comment, write a space after the `#`"
    whole = text.text[start : rest.end()].rstrip()
    edits = () if flow else change(text, start, start + len(whole), between_quotes(whole), sure=False)
    return Diagnostic(text.span(rest.start(1), rest.start(1) + 1), "yaml-comment", message, why, fix, edits=edits)


_TEXT_IN_ITEM = re.compile(r"""(?:\A|[\[,])\s*(\w+ +(["'])((?:(?!\2).)*\{(?:(?!\2).)*)\2)""")  # `tell "in row {r}"`


def _cut_text(t: YamlFailure) -> Diagnostic | None:
    """Explain `[tell "in row {r}", …]`: the quote is inside an item, so that the hole cuts it apart."""
    if t.open_at is None and Sign.QUOTED not in t.signs:
        return None
    for at in (t.at, t.context_at):
        line, col = t.text.position(at)
        row = t.text.lines[line - 1] if line <= len(t.text.lines) else ""
        item = next((m for m in _TEXT_IN_ITEM.finditer(row) if m.start(1) < col <= m.end(1)), None)
        if item is None:
            continue
        start = t.text.offset(line, item.start(1) + 1)
        new = between_quotes(f"{item[1].split()[0]} {item[3]}")
        edits = change(t.text, start, start + len(item[1]), new, sure=False)
        message, fix = "the `{` inside the item cuts it apart", f"put the item in quotes: `{new}`"
        at = start + item[1].index("{")
        return t.report(message, CUT_WHY, fix, "yaml-cut-expression", at=at, edits=edits)
    return None


def _unclosed_quote(t: YamlFailure) -> Diagnostic | None:
    if not {Sign.QUOTED, Sign.UNEXPECTED} <= t.signs:
        return None
    sign = t.text.text[t.context_at]
    words = rest_of_line(t.text, t.context_at)
    fix = f"end the text with `{sign}`; if it is not a quotation, {in_quotes(words)} keeps the sign"
    edits = change(t.text, t.context_at + len(words), t.context_at + len(words), sign, sure=False)
    return t.report(f"the quote `{sign}` is never closed", "", fix, at=t.context_at, edits=edits)


def _escape(t: YamlFailure) -> Diagnostic | None:
    if not {Sign.QUOTED, Sign.ESCAPE} <= t.signs:
        return None
    at = t.text.text.rindex("\\", 0, t.at + 1)  # one loader points at the backslash, the other after it
    why = "in double quotes `\\` begins an escape such as `\\n`"
    fix = "write `\\\\`, or use single quotes"
    edits = change(t.text, at, at + 1, "\\\\")
    return t.report("no such escape in a text in double quotes", why, fix, at=at, edits=edits)


_INDEXED_KEY = re.compile(r"\[[^\[\]{}\n]*\]:(?=\s)")  # `[player]: ` is the end of a key


def _cut_by_bracket(t: YamlFailure) -> Diagnostic | None:
    if t.open_at is None or t.char not in ("[", "{") or not t.last or t.last_style is not None:
        return None
    word = t.text.text[t.last[0] : t.at]
    if word != word.rstrip():
        return None
    if not word:  # the first item: the text before the bracket was not read as an item yet
        word = re.search(r"[\w.]*\Z", t.text.text[: t.at]).group()  # type: ignore[union-attr]
    fix = "put the item in quotes, or write one entry a line without `{ }` and `[ ]`"
    edits = _quoted_item(t)
    is_key = _INDEXED_KEY.match(t.text.text, t.at) is not None
    if is_key and edits:
        fix = f"put the key in quotes, `{edits[0].new}`, or write one entry a line without `{{ }}` and `[ ]`"
    if t.text.text[t.open_at] == "{" and ":" not in t.text.text[t.open_at : t.at] and not is_key:  # a hole of a text
        words = rest_of_line(t.text, t.open_at)
        fix = f"if this is a text put the whole in quotes: {in_quotes(words)}"
        edits = change(t.text, t.open_at, t.open_at + len(words), between_quotes(words), sure=False)
    message = f"the `{t.char}` after `{word}` cuts it apart"
    if is_key and (whole := _indexes_of_owner(t, word)) is not None:
        fix = f"the indexes belong to the key itself: write `{whole[1]}`"
        edits = change(t.text, whole.start(), whole.end(), whole[1], sure=False)
    return t.report(message, CUT_WHY, fix, "yaml-cut-expression", edits=edits)


def _indexes_of_owner(t: YamlFailure, name: str) -> re.Match[str] | None:
    """Return `purse: {purse[player]: coin}`, and the entry in it, where braces repeat the key before them."""
    assert t.open_at is not None
    start = t.text.text.rfind(f"{name}:", 0, t.open_at)
    entry = re.compile(rf"{name}: *\{{({name}\[[^\[\]{{}}]*\]: *[^\[\]{{}},]+)\}}")
    return entry.match(t.text.text, start) if start >= 0 else None


_KEY_END = re.compile(r":(?=\s|\Z)")
_REST = re.compile(r"[^,\[\]{}\n]*")  # of an item, behind a bracket


def _quoted_item(t: YamlFailure) -> tuple[Edit, ...]:
    """Return the change that puts the item which a bracket cuts apart in quotes, alone; of an entry, its key."""
    raw = t.text.text
    if raw[: t.at].rstrip(" ").endswith("}"):  # it begins with a hole of a text
        start = raw.rfind("{", 0, t.at)
    else:
        before = max(raw.rfind(sign, 0, t.at) for sign in ("{", "[", ", ", ": "))
        start = before + 1 + len(raw[before + 1 : t.at]) - len(raw[before + 1 : t.at].lstrip())
    closed = _balanced_end(raw, start, start) if start >= 0 else None
    rest = _REST.match(raw, closed) if closed else None
    while rest is not None and not _KEY_END.search(rest.group()) and raw[rest.end() : rest.end() + 1] in ("[", "{"):
        closed = _balanced_end(raw, rest.end(), rest.end())
        rest = _REST.match(raw, closed) if closed else None
    if rest is None:
        return ()
    value = _KEY_END.search(rest.group())
    words = raw[start : rest.start() + value.start() if value else rest.end()].rstrip()
    return change(t.text, start, start + len(words), between_quotes(words), sure=False)


def _flow(t: YamlFailure) -> Diagnostic | None:
    if t.open_at is None or Sign.FLOW not in t.signs:
        return None
    opened = t.text.text[t.open_at]
    closed = "]" if opened == "[" else "}"
    line = t.text.position(t.at)[0]
    if not t.char or t.text.position(t.open_at)[0] != line:
        message = f"the `{opened}` is not closed" + (f" before line {line}" if t.char else "")
        fix = f"close it with `{closed}`; if it begins a text, put the text in quotes"
        end = t.open_at + len(rest_of_line(t.text, t.open_at))
        edits = change(t.text, end, end, closed, sure=False)
        first = t.text.position(t.open_at)[0]
        hidden = re.search(r"\s(#[\w-]+)", t.text.lines[first - 1])
        if hidden:
            fix = f"after a space `#` begins a comment: put `{hidden[1]}` in quotes"
            start = t.text.offset(first, hidden.start(1) + 1)
            edits = change(t.text, start, start + len(hidden[1]), f'"{hidden[1]}"', sure=False)
        return t.report(message, "", fix, at=t.open_at, edits=edits)
    message = f"expected `,` or `{closed}`, found `{rest_of_line(t.text, t.at)}`"
    if t.char == ":" and (
        m := re.search(r"(\w+): *(\w+) ([a-z]+(?: by| below| above)?)$", t.text.text[t.open_at : t.at])
    ):
        at = t.open_at + m.start(3)
        edits = change(t.text, at - 1, at - 1, ",")
        return t.report(
            f"no comma before `{m[3]}`",
            "entries in `{ }` are separated by commas",
            f"write `{m[1]}: {m[2]}, {m[3]}: …`",
            at=at,
            edits=edits,
        )
    edits = _quoted_item(t) if t.char in ("[", "{") or t.before.rstrip(" ").endswith("}") else ()
    fix = f"put the item in quotes, `{edits[0].new}`" if edits else "put items with such signs in quotes"
    return t.report(message, CUT_WHY, fix, edits=edits)


def _no_key(t: YamlFailure) -> Diagnostic | None:
    if t.char != ":" or t.before.strip():
        return None
    return t.report("expected a name before `:`, found nothing", "", "write a name before the `:`", "yaml-key")


def _after_end(t: YamlFailure) -> Diagnostic | None:
    """Explain `{c} is full` or `"x" y`: text after the end of a value."""
    if t.last is None or not t.last_style or Sign.BLOCK not in t.signs or not t.before.strip():
        return None
    if t.text.position(t.last[1])[0] != t.text.position(t.at)[0]:
        return None
    if t.last_style in "'\"" and t.text.position(t.last[0])[0] != t.text.position(t.at)[0]:
        fix = f"end the text with `{t.last_style}` on the line where it begins"
        end_line = t.text.position(t.last[1])[0]
        end = t.last[0] + len(rest_of_line(t.text, t.last[0]))
        edits = change(t.text, end, end, t.last_style, sure=False)
        message = f"the quote `{t.last_style}` opened here only ends at line {end_line}"
        return t.report(message, "", fix, at=t.last[0], edits=edits)
    if t.char in ",;" and not t.line[len(t.before) + 1 :].split(" #")[0].strip():
        edits = tuple(_signs_at_ends(t))
        at = t.text.offset(edits[0].span.line, edits[0].span.col)
        why = "each line is an entry of its own"
        return t.report(f"a `{t.char}` at the end of the line", why, "leave it out", at=at, edits=edits)
    start = t.last[0]
    sign = t.text.text[start]
    if (joined := _joined_texts(t, start)) is not None:
        return joined
    why = f"a value that begins with `{sign}` ends where `{sign}` is closed"
    words = rest_of_line(t.text, start)
    end = start + len(words)
    if sign in "'\"" and words.endswith(sign) and len(words) > 1:
        words = words[1:-1]
    fix = f"put the whole value in quotes: {in_quotes(words)}"
    edits = change(t.text, start, end, between_quotes(words))
    if t.char in "]}" and words.count(t.char) > words.count({"]": "[", "}": "{"}[t.char]):
        fix, edits = f"remove the extra `{t.char}`", change(t.text, t.at, t.at + 1, "", sure=False)
    return t.report(f"expected the end of the line after `{t.last_style}`", why, fix, edits=edits)


def _joined_texts(t: YamlFailure, start: int) -> Diagnostic | None:
    """Explain `"a " + b + " c"`: texts that are put together of parts."""
    words = rest_of_line(t.text, start)
    parts = re.split(r"\s*[+&]\s*", words)
    if (
        len(parts) < 2
        or t.char not in "+&"
        or not all(re.fullmatch(r"\"[^\"{}]*\"|'[^'{}]*'|[^\"'{}]+", part) for part in parts)
    ):
        return None
    meant = "".join(part[1:-1] if part[0] in "\"'" else f"{{{part}}}" for part in parts).strip()
    written = meant if re.match(r"\w", meant) and ": " not in meant and " #" not in meant else between_quotes(meant)
    edits = change(t.text, start, start + len(words), written, sure=False)
    why = "a text is written as it is, with `{…}` for a value"
    return t.report(f"`{t.char}` does not join texts", why, f"write `{written}`", edits=edits)


def _signs_at_ends(t: YamlFailure) -> Iterator[Edit]:
    """Yield the changes that leave out the sign at the end of this line, and of its neighbours that end with it too."""
    here, column = t.text.position(t.at)[0], _column(t.line)
    found = [here]
    for step in (-1, 1):
        number = here + step
        while 0 < number <= len(t.text.lines) and (other := t.text.lines[number - 1]).strip():
            if _column(other) < column:
                break
            if _column(other) == column and other.rstrip().endswith(t.char):
                found.append(number)
            number += step
    for number in sorted(found)[:MOST_EDITS]:
        line = t.text.lines[number - 1]
        at = t.at if number == here else t.text.offset(number, len(line.rstrip()))
        yield from change(t.text, at, at + 1, "")


def _first_character(t: YamlFailure) -> Diagnostic | None:
    if not t.signs & {Sign.BLOCK_SCALAR, Sign.NOT_FIRST, Sign.DIRECTIVE}:
        return None
    at = t.context_at if t.signs & {Sign.BLOCK_SCALAR, Sign.DIRECTIVE} else t.at
    sign = t.text.text[at : at + 1]
    if {Sign.BLOCK_SCALAR, Sign.TAB} <= t.signs:
        return None
    words = rest_of_line(t.text, at)
    if t.open_at is not None:
        words = re.split(r"[,\]}]", words)[0]
    words = words.strip()
    fix, edits = f"put it in quotes: {in_quotes(words)}", change(t.text, at, at + len(words), between_quotes(words))
    named = "a backquote" if sign == "`" else f"`{sign}`"
    why = f"{named} has a meaning of its own in YAML"
    return t.report(f"a text cannot begin with {named}", why, fix, at=at, edits=edits)


def _list_on_key_line(t: YamlFailure) -> Diagnostic | None:
    if Sign.LIST_ITEM not in t.signs:
        return None
    words = rest_of_line(t.text, t.at)
    is_step = re.match(r"- (?:move|draw|roll|set|add|let|score|do|show|tell|ask) ", words)
    if not is_step and re.match(r"- [0-9a-z]", words) and re.search(r"[0-9*()\[]", words) and t.open_at is None:
        minus, why = f"-{words[2:]}", "`- ` begins an item of a list, on a line of its own"
        edits = change(t.text, t.at, t.at + 2, "-", sure=False)
        return t.report("a list cannot begin here", why, f"for a minus write `{minus}`, without the space", edits=edits)
    fix = f"start the list on the next line; if it is text, put it in quotes: {in_quotes(words)}"
    key = re.match(r"\s*(?:- +)*", t.line)
    below = f"\n{' ' * ((key.end() if key else 0) + 2)}"
    spaces = len(t.before) - len(t.before.rstrip())
    edits = change(t.text, t.at - spaces, t.at, below, sure=False) if t.open_at is None else ()
    return t.report("a list cannot begin here", "`- ` begins an item of a list, on a line of its own", fix, edits=edits)


def _key_without_colon(t: YamlFailure) -> Diagnostic | None:
    if Sign.NO_COLON not in t.signs:
        return None
    name = rest_of_line(t.text, t.context_at)
    line = t.text.position(t.context_at)[0]
    begun = re.match(r"\s*(?:- +)?(while|if|for each): ", t.text.lines[line - 2]) if line > 1 else None
    if begun and re.match(r"(?:move|draw|roll|set|add|let|score|do|show|tell) ", name):
        inside = "then" if begun[1] == "if" else "do"
        written = (
            f"{inside}: [{name}]" if not re.search(r"[,\[\]{}:#]", name) else f"{inside}: [{between_quotes(name)}]"
        )
        edits = change(t.text, t.context_at, t.context_at + len(name), written, sure=False)
        message, why = (
            f"`{name}` is a step, and its list has no key",
            f"the steps of `{begun[1]}` are under `{inside}:`",
        )
        return t.report(message, why, f"write `{written}`", at=t.context_at, edits=edits)
    above = next((other for other in reversed(t.text.lines[: line - 1]) if other.strip()), "")
    here = t.text.lines[line - 1]
    if (
        re.fullmatch(r"\s*(?:- +)?[^\s#-][^#:]*:\s*", above)
        and _key_column(above) == _column(here)
        and not re.fullmatch(r"[a-z ]+", name)
    ):
        key = above.strip().removeprefix("- ").rstrip(":")
        start = t.text.offset(line, 1)
        edits = change(t.text, start, start + _column(here) - 1, " " * (_column(here) + 1))
        message, why = f"`{name}` is not indented below `{key}`", f"so it is read as a key beside `{key}`"
        return t.report(
            message,
            why,
            f"start it in column {_column(here) + 2}, or write it after `{key}:`",
            at=t.context_at,
            edits=edits,
        )
    if equation := re.match(r"([a-z]\w*(?:\[[^\]]*\])?) *(?:=>|->|:=|=)(?!=) *(?=\S)", name):
        at = t.context_at
        message, why = f"`{equation[1]}` has no `:` after it", "a key is followed by `:` and a space"
        edits = change(t.text, at, at + equation.end(), f"{equation[1]}: ")
        return t.report(message, why, f"write `{equation[1]}: {name[equation.end() :]}`", at=at, edits=edits)
    if re.match(r"(?:move|draw|roll|set|add|let|score|do|show|tell|remember) \S", name):
        message, why = f"`{name}` has no `- ` before it", "each step is an item of a list"
        edits = change(t.text, t.context_at, t.context_at, "- ", sure=False)
        return t.report(message, why, f"write `- {name}`", at=t.context_at, edits=edits)
    fix = f"write `{name}: …`; if it continues the line above, indent it deeper than that line's key"
    end, why = t.context_at + len(name), "each line of a map is a key, `:` and a value"
    edits = change(t.text, end, end, ":", sure=False)
    return t.report(f"`{name}` has no `:` after it", why, fix, at=t.context_at, edits=edits)


def _items_to_remove(t: YamlFailure, line: int, here: int) -> Diagnostic | None:
    """Explain names with a `-` above the keys of a change: entries that are to go."""
    names = [m[1] for m in map(_PLAIN_ITEM.fullmatch, t.text.lines[line - 1 : here - 1]) if m]
    if len(names) != here - line or not any(other.startswith("extends:") for other in t.text.lines):
        return None
    why, listed = "a list and keys do not go together", ", ".join(names)
    fix = f"to take {'it' if len(names) == 1 else 'them'} out write `remove: [{listed}]`"
    start = t.text.offset(line, _column(t.text.lines[line - 1]))
    edits = change(t.text, start, start + len(f"- {listed}"), f"remove: [{listed}]", sure=False)
    return t.report("a list above keys", why, fix, at=start, edits=edits if len(names) == 1 else ())


_PLAIN_ITEM = re.compile(r"\s*- ([a-z][\w ]*?)\s*")


def _indentation(t: YamlFailure) -> Diagnostic | None:
    if t.before.strip() or Sign.BLOCK not in t.signs:
        return None
    if t.char in ("]", "}"):
        return None
    if Sign.BLOCK_LIST in t.signs:
        line = t.text.position(t.context_at)[0]
        message = f"expected another `- ` item of the list that begins at line {line}"
        name, here = t.line.strip().partition(":")[0], t.text.position(t.at)[0]
        above = next((other for other in reversed(t.text.lines[: here - 1]) if other.strip()), "")
        owner = re.match(r"\s*- +(if|while|for each|ask):", above)
        if owner and name in ("to", "do", "then", "else", "otherwise", "forced"):
            column = _key_column(above)
            fix = f"start `{name}` in column {column}, below `{owner[1]}`"
            return t.report(message, f"`{name}` belongs to the step above it", fix, edits=t.indent(column))
        if not re.match(r"[a-z][^:#]*:(?: |$)", t.line.strip()):
            return t.report(message, "", "indent this line as its neighbours")
        if (removed := _items_to_remove(t, line, here)) is not None:
            return removed
        return t.report(message, "a list and keys do not go together: each of its items begins with `- `")
    if t.line.lstrip().startswith("- "):
        fix = "indent the list deeper than its key, on the lines below it"
        line, col = t.text.position(t.at)
        items = (i for i in range(line - 2, -1, -1) if re.match(rf" {{0,{col - 2}}}- ", t.text.lines[i]))
        edits: tuple[Edit, ...] = ()
        item = next((i for i in range(line - 2, -1, -1) if t.text.lines[i].strip()), None)
        above = t.text.lines[item] if item is not None else ""
        if not re.match(r" *- ", above) or abs(_column(above) - col) != 1:  # else it is off by one
            item = next(items, None)
        named = re.match(r"\s*- (?=[a-z]\w*(?:\([^)]*\))?:\s*(?:#.*)?$)", t.line)
        beside = any(re.match(rf" {{{col - 1}}}[a-z][^#]*:\s*$", other) for other in t.text.lines[: line - 1])
        if item is None and named and (beside or above.rstrip().endswith(":")):
            start = t.text.offset(line, col)
            fix, edits = (
                "the entries of a map have no `- `: leave it out",
                change(t.text, start, start + 2, "", sure=False),
            )
        if item is not None:
            fix = f"start the `-` in the same column as the one at line {item + 1}"
            edits = t.indent(_column(t.text.lines[item]))
        return t.report("a list item where a key was expected", "", fix, edits=edits)
    found = t.text.position(t.at)[1]
    expected = t.text.position(t.context_at)[1]
    why = f"it starts in column {found}; the keys of the map it is read into start in column {expected}"
    fix = "start the line in the same column as the keys it belongs with"
    above = t.text.lines[t.text.position(t.at)[0] - 2] if t.text.position(t.at)[0] > 1 else ""
    if len(above) - len(above.lstrip()) > found - 1:
        fix += ", or check whether the line above is indented too far"
    return t.report("wrong indentation", why, fix, edits=t.indent(near) if (near := _nearest_column(t)) else ())


def _column(line: str) -> int:
    return len(line) - len(line.lstrip()) + 1


def _nearest_column(t: YamlFailure) -> int | None:
    """Return the column of a key above that this line was probably meant to start in; None if two are as near."""
    line, found = t.text.position(t.at)
    columns: set[int] = set()
    deepest = len(t.line) + found
    for above in reversed(t.text.lines[: line - 1]):
        if above.strip() and not above.lstrip().startswith("#") and _column(above) < deepest:
            deepest = _column(above)
            start = re.match(r"\s*(?:- +)*", above)
            columns |= {start.end() + 1 if start else deepest}
        if deepest == 1:
            break
    near = [c for c in columns if abs(c - found) == min(abs(other - found) for other in columns)]
    below = next((_column(other) for other in t.text.lines[line:] if other.strip()), 0)
    if len(near) > 1 and t.line.rstrip().endswith(":") and below > found:  # what is below belongs to it
        near = [c for c in near if c < below]
    if len(near) > 1:  # as its neighbour above, or below
        beside = (reversed(t.text.lines[: line - 1]), t.text.lines[line:])
        neighbours = (next((_column(other) for other in lines if other.strip()), 0) for lines in beside)
        near = [c for c in neighbours if c in near][:1]
    return near[0] if near else None


def _stray_bracket(t: YamlFailure) -> Diagnostic | None:
    if not t.char or t.char not in "]},":
        return None
    fix = f"take it out, or put the value in quotes: {in_quotes(rest_of_line(t.text, t.at))}"
    return t.report(f"a `{t.char}` that belongs to nothing", "", fix)


def _anything(t: YamlFailure) -> Diagnostic:
    return t.report(f"this is not YAML: {t.problem}", t.context)


EXPLANATIONS: tuple[Callable[[YamlFailure], Diagnostic | None], ...] = (  # the surest first, the catch-all last
    _tab,
    _tab_before_value,
    _anchor,
    _tag,
    _no_space_after_colon,
    _other_colon,
    _colon_in_value,
    _cut_text,
    _unclosed_quote,
    _escape,
    _cut_by_bracket,
    _flow,
    _no_key,
    _after_end,
    _first_character,
    _list_on_key_line,
    _key_without_colon,
    _indentation,
    _stray_bracket,
    _anything,
)


def not_text(text: Text, bad: Iterator[re.Match[str]]) -> Iterator[Diagnostic]:
    """Yield at most three complaints about characters that do not belong in a text: a picture has thousands."""
    for _, match in zip(range(3), bad, strict=False):
        message = f"the character U+{ord(match.group()):04X} does not belong in a rule file"
        why, fix = "it is invisible or not text", "take it out, or save the file as plain text in UTF-8"
        edits = change(text, *match.span(), "", sure=False)
        yield Diagnostic(text.span(*match.span()), "file-not-text", message, why, fix, edits=edits)
