"""The likely cause of a YAML syntax error, in plain words: each explanation covers one common mistake."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.yaml.nodes import Text

_COMMA_NEXT = re.compile(r"\s*,")
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

    def report(self, message: str, why: str = "", fix: str = "", code: str = "yaml-syntax", at: int = -1) -> Diagnostic:
        start = self.at if at < 0 else at
        return Diagnostic(self.text.span(start, start + 1), code, message, why, fix)


def explain(failure: YamlFailure) -> Diagnostic:
    """Return the first explanation that fits."""
    return next(found for explanation in EXPLANATIONS if (found := explanation(failure)))


def in_quotes(value: str) -> str:
    """Return the text as a YAML value that surely is that text, in backticks for a message."""
    value = value.strip()
    quoted = f'"{value}"' if '"' not in value and "\\" not in value else "'" + value.replace("'", "''") + "'"
    return f"`{quoted}`"


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
    problem = Diagnostic(text.span(start, whole_end or end), "yaml-cut-expression", message, CUT_WHY, fix)
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


def _tab(t: YamlFailure) -> Diagnostic | None:
    indentation = t.line[: len(t.line) - len(t.line.lstrip())]
    if "\t" not in indentation or (t.before.strip() and Sign.TAB not in t.signs):
        return None
    at = t.at - len(t.before) + indentation.index("\t")
    why = "how wide a tab is differs from editor to editor"
    return t.report("a tab in the indentation", why, "indent with spaces", "yaml-tab", at)


def _tab_before_value(t: YamlFailure) -> Diagnostic | None:
    if t.char != "\t":
        return None
    return t.report("a tab before a value", "", "write a space instead", "yaml-tab")


def _anchor(t: YamlFailure) -> Diagnostic | None:
    if Sign.ALIAS not in t.signs:
        return None
    return anchor_used(t.text, t.context_at)


def anchor_used(text: Text, start: int) -> Diagnostic:
    sign = text.text[start : start + 1]
    what = "an anchor" if sign == "&" else "an alias"
    return Diagnostic(
        text.span(start, start + 1),
        "yaml-anchor",
        f"a value that begins with `{sign}` is {what} in YAML, which rule files do not use",
        "an entry that stands for text written elsewhere is hard to follow and hard to change",
        _anchor_fix(text, start, sign),
    )


def _anchor_fix(text: Text, start: int, sign: str) -> str:
    line, col = text.position(start)
    if sign == "*" and text.text[start + 1 : start + 2] == " " and not text.lines[line - 1][: col - 1].strip():
        return "an item of a list begins with `- `"
    return f"if it is meant as text put it in quotes: {in_quotes(rest_of_line(text, start))}"


def _tag(t: YamlFailure) -> Diagnostic | None:
    return tag_used(t.text, t.context_at) if Sign.TAG in t.signs else None


def tag_used(text: Text, start: int) -> Diagnostic:
    words = rest_of_line(text, start)
    fix = f"put it in quotes if it is meant as text: {in_quotes(words)}"
    return Diagnostic(
        text.span(start, start + 1),
        "yaml-tag",
        "a value that begins with `!` is a tag in YAML, which rule files do not use",
        fix=f"for a condition write `not {words[1:].strip()}`; {fix}" if re.match(r"!\w[^!]*\Z", words) else fix,
    )


_NO_SPACE = re.compile(r"\s*(?:- )?([A-Za-z_][^:#'\"{}]*):(?=[^\s:])")


def _no_space_after_colon(t: YamlFailure) -> Diagnostic | None:
    """Explain `key:value`, which is one word to YAML."""
    if not t.signs & {Sign.COLON, Sign.NO_COLON}:
        return None
    last = t.text.position(t.at)[0]
    for line in (last, t.text.position(t.last[0])[0] if t.last else last, t.text.position(t.context_at)[0]):
        if m := _NO_SPACE.match(t.text.lines[line - 1]):
            return no_space(t.text.span(*(t.text.offset(line, col + 1) for col in (m.end() - 1, m.end()))), m[1])
    return None


def no_space(span: Span, key: str) -> Diagnostic:
    """Return the complaint about a `:` that YAML does not take for one."""
    why = "only `:` and a space separate a key from its value"
    return Diagnostic(
        span, "yaml-colon-space", f"no space after the `:` of `{key}`", why, "write a space after the `:`"
    )


def _other_colon(t: YamlFailure) -> Diagnostic | None:
    """Explain `if a: b else c` and `a ? b : c`, which are expressions elsewhere."""
    value = rest_of_line(t.text, t.last[0]) if t.last else ""
    if Sign.COLON not in t.signs or t.text.position(t.at)[0] != t.text.position(t.last[0])[0]:  # type: ignore[index]
        return None
    question = re.match(r"[^?]*\?[^:]*:", value)
    if not question and not re.match(r"if\b(?!.*\bthen\b)", value):
        return None
    sign = "? :" if question else ":"
    why = "a choice between two values is written in words"
    return t.report(f"`{sign}` is not used in expressions", why, "write `if … then … else …`", code="expr-operator")


def _colon_in_value(t: YamlFailure) -> Diagnostic | None:
    if Sign.COLON not in t.signs or t.last is None:
        return None
    start = t.last[0]
    line, col = t.text.position(start)
    here, _ = t.text.position(t.at)
    if line == here:
        fix = f"put the value in quotes: {in_quotes(rest_of_line(t.text, start))}"
        return t.report("a second `:` on the line", "`:` and a space separate a key from its value, once a line", fix)
    name = t.before.strip()
    return t.report(
        f"`{name}` is indented further than the line above it, which already has a value",
        f"so it is read as more of the value that begins at line {line}, column {col}",
        f"start `{name}` in the same column as its neighbours",
        at=t.at - len(t.before.lstrip()),
    )


def _unclosed_quote(t: YamlFailure) -> Diagnostic | None:
    if not {Sign.QUOTED, Sign.UNEXPECTED} <= t.signs:
        return None
    sign = t.text.text[t.context_at]
    quoted = in_quotes(rest_of_line(t.text, t.context_at))
    fix = f"end the text with `{sign}`; if it is not a quotation, {quoted} keeps the sign"
    return t.report(f"the quote `{sign}` is never closed", "", fix, at=t.context_at)


def _escape(t: YamlFailure) -> Diagnostic | None:
    if not {Sign.QUOTED, Sign.ESCAPE} <= t.signs:
        return None
    at = t.text.text.rindex("\\", 0, t.at + 1)  # one loader points at the backslash, the other after it
    why = "in double quotes `\\` begins an escape such as `\\n`"
    fix = "write `\\\\`, or use single quotes"
    return t.report("no such escape in a text in double quotes", why, fix, at=at)


def _cut_by_bracket(t: YamlFailure) -> Diagnostic | None:
    if t.open_at is None or t.char not in ("[", "{") or not t.last or t.last_style is not None:
        return None
    word = t.text.text[t.last[0] : t.at]
    if word != word.rstrip():
        return None
    if not word:  # the first item: the text before the bracket was not read as an item yet
        word = re.search(r"[\w.]*\Z", t.text.text[: t.at]).group()  # type: ignore[union-attr]
    fix = "put the item in quotes, or write one entry a line without `{ }` and `[ ]`"
    if t.text.text[t.open_at] == "{" and ":" not in t.text.text[t.open_at : t.at]:  # a hole of a text
        fix = f"if this is a text put the whole in quotes: {in_quotes(rest_of_line(t.text, t.open_at))}"
    return t.report(f"the `{t.char}` after `{word}` cuts it apart", CUT_WHY, fix, "yaml-cut-expression")


def _flow(t: YamlFailure) -> Diagnostic | None:
    if t.open_at is None or Sign.FLOW not in t.signs:
        return None
    opened = t.text.text[t.open_at]
    closed = "]" if opened == "[" else "}"
    line = t.text.position(t.at)[0]
    if not t.char or t.text.position(t.open_at)[0] != line:
        message = f"the `{opened}` is not closed" + (f" before line {line}" if t.char else "")
        fix = f"close it with `{closed}`; if it begins a text, put the text in quotes"
        hidden = re.search(r"\s(#[\w-]+)", t.text.lines[t.text.position(t.open_at)[0] - 1])
        if hidden:
            fix = f"after a space `#` begins a comment: put `{hidden[1]}` in quotes"
        return t.report(message, "", fix, at=t.open_at)
    message = f"expected `,` or `{closed}`, found `{rest_of_line(t.text, t.at)}`"
    return t.report(message, CUT_WHY, "put items with such signs in quotes")


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
        fix = f"end the text with `{t.last_style}` on its own line"
        end_line = t.text.position(t.last[1])[0]
        return t.report(f"the quote `{t.last_style}` opened here only ends at line {end_line}", "", fix, at=t.last[0])
    start = t.last[0]
    sign = t.text.text[start]
    why = f"a value that begins with `{sign}` ends where `{sign}` is closed"
    words = rest_of_line(t.text, start)
    if sign in "'\"" and words.endswith(sign) and len(words) > 1:
        words = words[1:-1]
    fix = f"put the whole value in quotes: {in_quotes(words)}"
    if t.char in "]}" and words.count(t.char) > words.count({"]": "[", "}": "{"}[t.char]):
        fix = f"remove the extra `{t.char}`"
    return t.report(f"expected the end of the line after `{t.last_style}`", why, fix)


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
    fix = f"put it in quotes: {in_quotes(words)}"
    named = "a backquote" if sign == "`" else f"`{sign}`"
    return t.report(f"a text cannot begin with {named}", f"{named} has a meaning of its own in YAML", fix, at=at)


def _list_on_key_line(t: YamlFailure) -> Diagnostic | None:
    if Sign.LIST_ITEM not in t.signs:
        return None
    fix = f"start the list on the next line; if it is text, put it in quotes: {in_quotes(rest_of_line(t.text, t.at))}"
    return t.report("a list cannot begin here", "`- ` begins an item of a list, on a line of its own", fix)


def _key_without_colon(t: YamlFailure) -> Diagnostic | None:
    if Sign.NO_COLON not in t.signs:
        return None
    name = rest_of_line(t.text, t.context_at)
    fix = f"write `{name}: …`; if it continues the line above, indent it deeper than that line's key"
    return t.report(
        f"`{name}` has no `:` after it", "each line of a map is a key, `:` and a value", fix, at=t.context_at
    )


def _indentation(t: YamlFailure) -> Diagnostic | None:
    if t.before.strip() or Sign.BLOCK not in t.signs:
        return None
    if t.char in ("]", "}"):
        return None
    if Sign.BLOCK_LIST in t.signs:
        line = t.text.position(t.context_at)[0]
        message = f"expected another `- ` item of the list that begins at line {line}"
        return t.report(message, "", "indent this line as its neighbours")
    if t.line.lstrip().startswith("- "):
        fix = "indent the list deeper than its key, on the lines below it"
        line, col = t.text.position(t.at)
        items = (i for i in range(line - 2, -1, -1) if re.match(rf" {{0,{col - 2}}}- ", t.text.lines[i]))
        if (item := next(items, None)) is not None:
            fix = f"start the `-` in the same column as the one at line {item + 1}"
        return t.report("a list item where a key was expected", "", fix)
    found = t.text.position(t.at)[1]
    expected = t.text.position(t.context_at)[1]
    why = f"it starts in column {found}; the keys of the map it is read into start in column {expected}"
    fix = "start the line in the same column as the keys it belongs with"
    above = t.text.lines[t.text.position(t.at)[0] - 2] if t.text.position(t.at)[0] > 1 else ""
    if len(above) - len(above.lstrip()) > found - 1:
        fix += ", or check whether the line above is indented too far"
    return t.report("wrong indentation", why, fix)


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
        fix = "take it out, or save the file as plain text in UTF-8"
        yield Diagnostic(text.span(*match.span()), "file-not-text", message, "it is invisible or not text", fix)
