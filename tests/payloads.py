"""Hostile strings, the places in rule files and records where they can stand, and a way to see whether one was run."""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from referee.cli import main
from rulespec.yaml.scalars import Text
from rulespec.yaml.source import read_source
from rulespec.yaml.tree import Mapping, Node, Scalar

CANARY = "canary"
EXIT = 77
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
TOGETHER = "".join(PAYLOADS)


@dataclass(frozen=True, slots=True)
class Answer:
    code: int
    out: str
    err: str


def run(folder: Path, *args: str, stdin: str = "") -> Answer:
    """Runs a command in this process, in a folder; fails if a payload ran, or something went wrong that is our fault."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogatepass") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin.encode("utf-8", "surrogatepass")), encoding="utf-8")
    code: object = None
    with chdir(folder), patch.multiple(sys, stdin=given, stdout=out, stderr=err):
        try:
            main(args)
        except SystemExit as end:
            code = end.code
    said, complained = (_written(stream) for stream in (out, err))
    shown = f"{args} → {code}\n{said[-600:]}\n{complained[-2000:]}"
    assert isinstance(code, int) and code in (0, 1, 2), shown
    assert "Traceback" not in said + complained and "internal error" not in said + complained, shown
    assert not (folder / CANARY).exists(), shown
    assert not hasattr(sys, "payload_ran"), shown
    return Answer(code, said, complained)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8", "replace")


# Rule files -------------------------------------------------------------------------------------------------


def positions(text: str) -> list[tuple[int, int, str]]:
    """Where keys and values stand in a rule file: (start, end, what is said there)."""
    source = Text("game.yaml", text)

    def scalars(node: Node) -> Iterator[Scalar]:
        if isinstance(node, Scalar):
            yield node
        elif isinstance(node, Mapping):
            for key, value in node:
                yield key
                yield from scalars(value)
        else:
            for item in node.items:
                yield from scalars(item)

    found = []
    for s in scalars(read_source("game.yaml", text)):
        span = s.span
        found.append((source.offset(span.line, span.col), source.offset(span.end_line, span.end_col), s.text))
    return found


def placed(text: str, payload: str, at: Sequence[tuple[int, int, str]]) -> str:
    """The rule file with a payload behind what is said at some positions."""
    for start, end, said in sorted(at, reverse=True):
        text = f"{text[:start]}{json.dumps(said + payload)}{text[end:]}"
    return text


# Records ----------------------------------------------------------------------------------------------------


def strings(data: Any, route: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], bool]]:
    """The way to every string of plain data, and whether it is a key."""
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
    """A record of these lines whose marks fit, as somebody would make it who knows how they are made."""
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
