"""Hostile strings, the places in rule files and records where they can stand, and a way to see whether one was run."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any
from unittest.mock import patch

from referee.cli import main
from rulespec.schema.shape import schema_text
from rulespec.yaml.nodes import Mapping, Node, Scalar, Text
from rulespec.yaml.source import read_source

CANARY = "canary"
EXIT = 77
# What may not reach a screen, a pipe or a file of ours as it is: control characters, and what turns or breaks a line.
RAW = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
RUN = f"open('{CANARY}','w').close()"

PAYLOADS = (
    f"\n{RUN}\n#",
    f"\n    {RUN}\n    raise SystemExit({EXIT})\n#",
    f'"""\n{RUN}\n"""',
    f"'; {RUN}; '",
    f'"); {RUN}; ("',
    f"__import__('os').mkdir('{CANARY}')",
    "__import__('sys').payload_ran = 1",
    "{me.__class__.__mro__[1].__subclasses__()}",
    "{0.__class__} {x!r:>{width}} %s %(me)s %n",
    "{",
    "}",
    f'*/ system("touch {CANARY}"); /*',
    f'\\\n#include "/etc/hosts"\nsystem("touch {CANARY}");//',
    "\\N{BULLET} \\x41 \\",
    "a\0b",
    "[red]x[/] [/red] [link=file:///etc/hosts]y[/link]",
    "<script>alert(1)</script> `x` $(touch canary) ${HOME}",
    "\u202egnirts\u2066",
    "\u2028x\u0085",
    "\x1b]0;title\x07\x1b[2J",
    "_",
    "S",
    "__builtins__",
    "def",
)
TOGETHER = "".join(PAYLOADS)  # refused wherever it is written: it holds control characters
# What may be written in a text for people: without control characters; then with line ends, or with holes, too.
PLAIN = "".join(p for p in PAYLOADS if p.isprintable() and not set(p) & set("{}"))
LINES = PLAIN + "".join(p for p in PAYLOADS if "\n" in p and p.replace("\n", "").isprintable())
HOLES = PLAIN + "".join(p for p in PAYLOADS if p.isprintable() and set(p) & set("{}"))


# Watching ----------------------------------------------------------------------------------------------------

STARTS = ("os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "subprocess.Popen")
TOUCHES = ("open", "import", "os.mkdir", "os.link", "os.symlink", "os.rename", "ctypes.dlopen", "socket.connect")


class Watch:
    """The things this process does while it is watched that only a payload would do."""

    def __init__(self) -> None:
        self.on = False
        self.seen: list[str] = []

    def note(self, event: str, args: tuple[Any, ...]) -> None:
        """Look at one event of the interpreter's audit."""
        if not self.on:
            return
        if event in ("compile", "exec"):
            bad = _of_payload(args[0])
        elif event in STARTS:  # a compiler is started for native code, with nothing of the author's
            bad = event == "os.system" or any(map(_of_payload, args))
        else:
            bad = event in TOUCHES and isinstance(args[0], str | bytes) and _of_payload(args[0])
        if bad:
            self.seen.append(f"{event} {args!r:.200}")


def _of_payload(said: object) -> bool:
    """Return whether something that is run, started or opened has to do with a payload."""
    if isinstance(said, CodeType):
        return any(map(_of_payload, (*said.co_consts, *said.co_names)))
    if isinstance(said, list | tuple):
        return any(map(_of_payload, said))
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return isinstance(text, str) and (CANARY in text or "payload_ran" in text)


@cache
def _watch() -> Watch:
    watch = Watch()
    sys.addaudithook(watch.note)  # for good: an audit cannot be taken back
    return watch


@contextmanager
def watched() -> Iterator[None]:
    """Fail if meanwhile anything of a payload is compiled, run, started or opened."""
    watch = _watch()
    watch.seen.clear()
    watch.on = True
    try:
        yield
    finally:
        watch.on = False
    assert not watch.seen
    assert not hasattr(sys, "payload_ran")


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    out: str
    err: str


def run(folder: Path, *args: str, stdin: str = "") -> Answer:
    """Run a command in this process, in a folder; fails if a payload ran, or something went wrong that is our fault."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogatepass") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8", "surrogatepass")), encoding="utf-8")
    code: object = None
    records = {"RULESPEC_RECORDS": str(folder / "records")}
    streams = patch.multiple(sys, stdin=given, stdout=out, stderr=err)
    with watched(), chdir(folder), streams, patch.dict(os.environ, records):
        try:
            main(args)
        except SystemExit as end:
            code = end.code
    said, complained = (_written(stream) for stream in (out, err))
    shown = f"{args} → {code}\n{said[-600:]}\n{complained[-2000:]}"
    assert isinstance(code, int) and code in (0, 1, 2), shown
    assert "Traceback" not in said + complained and "internal error" not in said + complained, shown
    assert not RAW.search(said + complained), shown
    assert not (folder / CANARY).exists(), shown
    return Answer(code, said, complained)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8", "replace")


# Rule files -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """A key or value of a rule file."""

    start: int
    end: int
    said: str
    kind: str  # the way to it in the schema, such as `moves.*.needs.*.else`; the same for all of a sort
    is_key: bool


@cache
def schema() -> Any:
    """Return the schema of rule files."""
    return json.loads(schema_text())


def _branches(part: Any) -> Iterator[dict[str, Any]]:
    """Yield a part of the schema with all that it refers to."""
    if isinstance(part, dict):
        yield part
        if "$ref" in part:
            found = schema()
            for word in part["$ref"].removeprefix("#/").split("/"):
                found = found[word]
            yield from _branches(found)
        yield from _branches(part.get("then"))
        yield from _branches(part.get("else"))


def scalars(
    node: Node, parts: Iterable[Any], route: tuple[str, ...] = (), step: tuple[str, ...] = ()
) -> Iterator[tuple[Scalar, tuple[str, ...], bool]]:
    """Yield every key and value with its way through the schema, `*` for names that the author chose.

    A step in a step is on the way of the outer one: it is read alike.
    """
    found = [branch for part in parts for branch in _branches(part)]
    if any(branch is schema()["$defs"]["step"] for branch in found):
        route = step = step or route
    if isinstance(node, Scalar):
        yield node, route, False
    elif isinstance(node, Mapping):
        for key, value in node:
            named = [branch["properties"][key.text] for branch in found if key.text in branch.get("properties", ())]
            inner = (*route, key.text if named else "*")
            yield key, inner, True
            others = [branch["additionalProperties"] for branch in found if "additionalProperties" in branch]
            yield from scalars(value, named or others, inner, step)
    else:
        for item in node.items:
            yield from scalars(item, [branch["items"] for branch in found if "items" in branch], (*route, "-"), step)


@cache
def positions(text: str) -> tuple[Position, ...]:
    """Return where keys and values are written in a rule file."""
    source = Text("game.yaml", text)
    found = []
    for s, route, is_key in scalars(read_source("game.yaml", text), [schema()]):
        start, end = source.offset(s.span.line, s.span.col), source.offset(s.span.end_line, s.span.end_col)
        kind = ".".join(route) + (" (key)" if is_key else "")
        found.append(Position(start, end, s.text, kind, is_key))
    return tuple(found)


def placed(text: str, payload: str, at: Iterable[Position]) -> str:
    """Return the rule file with a payload behind what is said at some positions."""
    for p in sorted(at, key=lambda p: p.start, reverse=True):
        text = f"{text[: p.start]}{json.dumps(p.said + payload)}{text[p.end :]}"
    return text


@cache
def _sections(text: str) -> list[int]:
    """Return where the sections of a rule file begin, and its end: each begins with a line that is not indented."""
    return [found.start() for found in re.finditer(r"^(?=[^\s#])", text, re.MULTILINE)] + [len(text)]


def section(text: str, payload: str, at: Position) -> str:
    """Return the section of a rule file that a position is in, alone, with a payload there: the reader takes it for a file."""
    begins = _sections(text)
    number = bisect_right(begins, at.start)
    first, end = begins[number - 1], begins[number]
    return placed(text[first:end], payload, [replace(at, start=at.start - first, end=at.end - first)])


def lines_of(text: str, payload: str, at: Sequence[Position]) -> list[int]:
    """Return the lines at which positions begin, in order of the text, once payloads are placed there."""
    found, end, line = {}, 0, 1
    for p in sorted(at, key=lambda p: p.start):
        line += text.count("\n", end, p.start)
        found[p], end = line, p.end
    assert "\n" not in json.dumps(payload)
    return [found[p] for p in at]


@dataclass(frozen=True, slots=True)
class Spot:
    """A position of a rule file, and the same one in the file without the examples that it is not in."""

    whole: Position
    short: Position
    text: str  # the shorter file


@cache
def spots(text: str) -> list[Spot]:
    """Return all positions of a rule file."""
    at, lines = positions(text), text.splitlines(keepends=True)
    tree = read_source("game.yaml", text)
    assert isinstance(tree, Mapping)
    starts = [key.span.line - 1 for key, _ in tree] + [len(lines)]
    found = next((i for i, (key, _) in enumerate(tree) if key.text == "examples"), None)
    if found is None:
        return [Spot(p, p, text) for p in at]
    first, end = starts[found], starts[found + 1]
    examples = [value for _, value in tree][found]
    assert isinstance(examples, Mapping)
    keys = [key.span.line - 1 for key, _ in examples]
    before, after = "".join(lines[:first]), "".join(lines[end:])
    shorter = before + after
    outside = [p for p in at if not len(before) <= p.start < len(text) - len(after)]
    within = [p for p in at if len(before) <= p.start < len(text) - len(after)]
    spots = list(map(Spot, outside, positions(shorter), [shorter] * len(outside)))
    for i, (start, stop) in enumerate(zip(keys, [*keys[1:], end])):
        head = before + lines[first]
        one = head + "".join(lines[start:stop]) + after
        low, high = sum(map(len, lines[:start])), sum(map(len, lines[:stop]))
        here = [p for p in within if low <= p.start < high or (i == 0 and p.start < low)]
        there = [p for p in positions(one) if len(before) <= p.start < len(one) - len(after)]
        spots += map(Spot, here, there if i == 0 else there[1:], [one] * len(here))
    assert [(s.whole.said, s.whole.kind) for s in spots] == [(s.short.said, s.short.kind) for s in spots]
    assert len(spots) == len(at)
    return spots


# Records ----------------------------------------------------------------------------------------------------


def strings(data: Any, route: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], bool]]:
    """Yield the way to every string of plain data, and whether it is a key."""
    if isinstance(data, str):
        yield route, False
    elif isinstance(data, dict):
        for key, value in data.items():
            yield (*route, key), True
            yield from strings(value, (*route, key))
    elif isinstance(data, list):
        for i, value in enumerate(data):
            yield from strings(value, (*route, i))


def changed(data: Any, route: tuple[Any, ...], is_key: bool, payload: str) -> Any:
    """Plain data with a payload behind one of its strings."""
    if not route:
        return data + payload
    first, *rest = route
    if isinstance(data, list):
        return [changed(v, tuple(rest), is_key, payload) if i == first else v for i, v in enumerate(data)]
    if is_key and not rest:
        return {k + payload if k == first else k: v for k, v in data.items()}
    return {k: changed(v, tuple(rest), is_key, payload) if k == first else v for k, v in data.items()}


def fitted(lines: list[dict[str, Any]]) -> str:
    """Return a record of these lines whose marks fit, as somebody would make it who knows how they are made."""
    mark, out = "", []
    for line in lines:
        line = {k: v for k, v in line.items() if k != "hash"}
        if "rules_hash" in line and "rules" in line:
            line["rules_hash"] = hashlib.sha256(json.dumps(line["rules"], sort_keys=True).encode()).hexdigest()
        mark = hashlib.sha256((mark + _dumped(line)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        out.append(_dumped({**line, "hash": mark}) + "\n")
    return "".join(out)


def _dumped(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
