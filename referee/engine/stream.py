"""Lines of the protocol: of bounded length, and read strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from referee.engine import texts
from rulespec import json_escaped

MOST_BYTES = 4_000_000  # of one line; a saved game with its rules is far smaller
MOST_DIGITS = 20
MOST_DEPTH = 40
AT_ONCE = 65_536  # bytes skipped at a time

_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)  # or a string, whose brackets do not count

Id = str | int | None


class Refusal(Exception):
    """Why a request was refused: a code for programs, a message for people, and more data."""

    def __init__(self, code: str, message: str, **data: Any) -> None:
        self.code, self.message, self.data = code, message, data
        super().__init__(message)

    def as_data(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, **self.data}


def read_lines(stream: BinaryIO) -> Iterator[bytes | Refusal]:
    """Yield every line without its end; for one that is too long, a Refusal."""
    while line := stream.readline(MOST_BYTES + 1):
        if len(line) > MOST_BYTES and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(AT_ONCE)
            yield Refusal("too-long", texts.TOO_LONG.format(most=MOST_BYTES))
        else:
            yield line.rstrip(b"\r\n")


def read_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line. Raises Refusal for anything else."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        message = texts.NOT_UTF8.format(byte=f"0x{line[error.start]:02x}", column=error.start + 1)
        raise Refusal("bad-utf8", message) from None
    if not text.strip():
        raise Refusal("bad-json", texts.EMPTY)
    if _depth(text) > MOST_DEPTH:
        raise Refusal("bad-json", texts.NOT_JSON_DEEP.format(most=MOST_DEPTH))
    try:
        found = json.loads(
            text, object_pairs_hook=_once, parse_int=_whole, parse_float=_no_number, parse_constant=_no_number
        )
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        raise Refusal("bad-json", texts.NOT_JSON.format(reason=reason, column=error.pos + 1)) from None
    if not isinstance(found, dict):
        raise Refusal("bad-json", texts.NOT_OBJECT.format(found=texts.kind_of(found)))
    return found


def _depth(text: str) -> int:
    """Return how deep brackets are nested; counting stops where they are too deep."""
    depth = deepest = 0
    for token in _BRACKETS.finditer(text):
        if token[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
            if deepest > MOST_DEPTH:
                break
        elif token[0] in "]}":
            depth -= 1
    return deepest


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for i, key in enumerate(keys) if key in keys[:i])
        raise Refusal("bad-json", texts.NOT_JSON_TWICE.format(key=twice[:40]))
    return found


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        _no_number(text)
    return int(text)


def _no_number(text: str) -> float:
    raise Refusal("bad-json", texts.NOT_JSON_NUMBER.format(most=MOST_DIGITS, found=text[:40]))


def answer_line(id: Id, ok: Any = None, error: Refusal | None = None) -> bytes:
    """Return one line of output, in ASCII, which is the same in every encoding."""
    data = {"id": id, "error": error.as_data()} if error is not None else {"id": id, "ok": ok}
    return json_escaped(json.dumps(data)).encode("ascii") + b"\n"
