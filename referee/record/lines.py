"""A record as values, written as lines and read back. It touches no file.

A record is JSON lines: a header with the whole rules, then one line for each decision, undo, change of seats and the
result. Every line ends with a hash over itself and all lines before it, so that a changed character shows where it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from interpreter import seeds
from referee.record import texts
from rulespec import is_clean, json_escaped

FORMAT = 1
FORMAT_POSITION = 2  # of a game that begins in a position: readers of format 1 would begin it elsewhere
HIDDEN = "?"  # in a redacted move: what the viewer did not see


class RecordError(ValueError):
    """A record that cannot be read, written or resumed; the message says why."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: a name, and `human` or the name of a bot."""

    name: str
    who: str


@dataclass(frozen=True, slots=True)
class Header:
    """The facts that are fixed before the first decision."""

    game: str  # the name it was opened by
    title: str
    rules: dict[str, Any]  # a bundle: all files as they were when the game began
    players: int
    options: dict[str, str]
    given: dict[str, int | str]  # variables that start with other values than the rules say
    seed: int | None  # None: the program did not play chance, or the record is redacted
    seats: tuple[Seat, ...]
    begun: str = ""
    seen_by: int | str | None = None  # whom the record is redacted for: a player's number or `onlooker`
    position: str = ""  # the text of the position in which the game begins; empty: it begins as the rules say

    @property
    def rules_hash(self) -> str:
        """The hash of the rules."""
        return hash_of_rules(self.rules)


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """One decision of a player or of chance."""

    number: int
    player: int  # CHANCE where chance decided
    move: str
    scores: tuple[int, ...] | None = None  # after it, if they changed
    assumed: bool = False  # a draw that the referee of a real game did not know

    @property
    def hidden(self) -> bool:
        """Whether part of it is redacted."""
        return any(HIDDEN in word.split(",") for word in self.move.split())


@dataclass(frozen=True, slots=True)
class Undo:
    """Back to the first `kept` decisions; `agreed`: everybody agreed, though something hidden had been turned up.

    `amended`: the next decision is changed, and those after it are made again where they still fit. If nothing is taken
    back, pending decisions are dropped.
    """

    kept: int
    agreed: bool
    amended: bool = False


@dataclass(frozen=True, slots=True)
class SeatsChange:
    """Other people or bots take the seats."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    position: str  # a mark of the last position; empty in a redacted record


RecordEntry = RecordedDecision | Undo | SeatsChange | Result


@dataclass(frozen=True, slots=True)
class Damage:
    """Where a record breaks: the line, the number of the decision there, and why."""

    line: int
    decision: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Record:
    """All lines up to the end, or to the first that cannot be trusted. `length` is their size in bytes."""

    header: Header
    entries: tuple[RecordEntry, ...]
    mark: str  # the hash of the last line, from which the next one is computed
    length: int
    torn: bool = False  # the last line is incomplete: the program stopped while it was written
    damage: Damage | None = None
    damaged: RecordEntry | None = None  # the contents of the damaged line, if it can be read

    def decisions(self) -> list[RecordedDecision]:
        """Return the decisions that count, without those taken back."""
        found: list[RecordedDecision] = []
        for entry in self.entries:
            if isinstance(entry, RecordedDecision):
                found.append(entry)
            elif isinstance(entry, Undo):
                del found[entry.kept :]
        return found

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The present seats."""
        changes = [entry.seats for entry in self.entries if isinstance(entry, SeatsChange)]
        return changes[-1] if changes else self.header.seats

    def name_of(self, player: int) -> str:
        """Return the present name of a player; a number where the record, which nobody has checked, has no such seat."""
        return self.seats[player - 1].name if 1 <= player <= len(self.seats) else texts.who(player)

    @property
    def result(self) -> Result | None:
        """How the game ended; None: the record stops before."""
        last = self.entries[-1] if self.entries else None
        return last if isinstance(last, Result) else None


# Lines ---------------------------------------------------------------------------------------------------


def hash_of_rules(rules: dict[str, Any]) -> str:
    """Return the hash of a bundle of rule files."""
    return hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()


def header_line(header: Header) -> tuple[str, str]:
    """Return the first line and its hash."""
    data: dict[str, Any] = {
        "record": FORMAT_POSITION if header.position else FORMAT,
        "game": header.game,
        "title": header.title,
        "players": header.players,
        "options": header.options,
        "given": header.given,
        "seed": seeds.seed_to_data(header.seed),
        "seats": _seats_data(header.seats),
        "begun": header.begun,
    }
    if header.position:
        data["position"] = header.position
    if header.seen_by is not None:
        data["eyes"] = header.seen_by
    data["rules_hash"] = header.rules_hash
    data["rules"] = header.rules
    return _hashed(data, "")


def entry_line(entry: RecordEntry, mark: str) -> tuple[str, str]:
    """Return the line that follows the one with the hash `mark`, and its own hash."""
    return _hashed(entry_data(entry), mark)


def entry_data(entry: RecordEntry) -> dict[str, Any]:
    """Return one line as plain data."""
    match entry:
        case RecordedDecision():
            data: dict[str, Any] = {"n": entry.number, "by": entry.player or "chance", "move": entry.move}
            if entry.scores is not None:
                data["scores"] = list(entry.scores)
            return {**data, "assumed": True} if entry.assumed else data
        case Undo():
            undone = {"undo": entry.kept, "agreed": entry.agreed}
            return {**undone, "mended": True} if entry.amended else undone
        case SeatsChange():
            return {"seats": _seats_data(entry.seats)}
        case Result():
            winners, scores = list(entry.winners), list(entry.scores)
            return {"winners": winners, "scores": scores, "reason": entry.reason, "position": entry.position}


def written(header: Header, entries: tuple[RecordEntry, ...]) -> str:
    """Return a whole record as text."""
    line, mark = header_line(header)
    lines = [line]
    for entry in entries:
        line, mark = entry_line(entry, mark)
        lines.append(line)
    return "".join(lines)


def _seats_data(seats: tuple[Seat, ...]) -> list[dict[str, str]]:
    return [{"name": seat.name, "who": seat.who} for seat in seats]


def _hashed(data: dict[str, Any], mark: str) -> tuple[str, str]:
    own = hashlib.sha256((mark + _dump(data)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return json_escaped(_dump({**data, "hash": own})) + "\n", own


def _dump(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


# Reading -------------------------------------------------------------------------------------------------


class _Bad(Exception):
    """A line that does not belong in a record."""

    def __init__(self, code: str, message: str, entry: RecordEntry | None = None) -> None:
        self.code, self.message, self.entry = code, message, entry


def read_record(data: bytes) -> Record:
    """Return the record in these bytes. Raises RecordError if it has no header; other damage is noted in the record."""
    lines = data.split(b"\n")
    torn = lines.pop()  # what follows the last line end
    if not lines:
        raise RecordError(texts.NO_RECORD if not _begins(data) else texts.HEADER_TORN)
    try:
        fields, mark = _fields(lines[0], "")
        header = _header(fields)
    except _Bad as bad:
        raise RecordError(texts.BAD_HEADER.format(reason=bad.message) if _begins(data) else texts.NO_RECORD) from None
    entries: list[RecordEntry] = []
    length = len(lines[0]) + 1
    for number, line in enumerate(lines[1:], 2):
        try:
            fields, mark = _fields(line, mark)
            entries.append(_entry(fields, header))
        except _Bad as bad:
            damage = Damage(number, _next_number(entries), bad.code, bad.message)
            return Record(header, tuple(entries), mark, length, False, damage, bad.entry)
        length += len(line) + 1
    return Record(header, tuple(entries), mark, length, bool(torn))


def _begins(data: bytes) -> bool:
    return data.startswith(b'{"record":')


def _next_number(entries: list[RecordEntry]) -> int:
    for entry in reversed(entries):
        if isinstance(entry, RecordedDecision):
            return entry.number + 1
        if isinstance(entry, Undo):
            return entry.kept + 1
    return 1


def _fields(line: bytes, mark: str) -> tuple[dict[str, Any], str]:
    """Return the fields of a line and its hash, which must be right."""
    try:
        text = line.decode("utf-8")
        fields = json.loads(text)
    except (ValueError, RecursionError):
        raise _Bad("unreadable", texts.LINE_UNREADABLE) from None
    if not isinstance(fields, dict):
        raise _Bad("unreadable", texts.LINE_UNREADABLE)
    said = fields.pop("hash", None)
    right, own = _hashed(fields, mark)
    if said != own or right[:-1] not in (text, json_escaped(text)):
        entry = None
        with suppress(_Bad):
            entry = _entry(fields, None)
        raise _Bad("hash", texts.LINE_CHANGED, entry)
    return fields, own


def _entry(fields: dict[str, Any], header: Header | None) -> RecordEntry:
    players = header.players if header else 10**6
    if "move" in fields:
        number, by, move, scores, assumed = _take(
            fields, ("n", int), ("by", (int, str)), ("move", str), ("scores", (list, None)), ("assumed", (bool, None))
        )
        if not (is_clean(move) and move == " ".join(move.split())):
            raise _Bad("unreadable", texts.WRONG_FIELDS.format(key="move"))
        if by != "chance" and not (isinstance(by, int) and 1 <= by <= players):
            raise _Bad("unreadable", texts.NO_SUCH_PLAYER.format(found=by, players=players))
        points = None if scores is None else _numbers(scores)
        return RecordedDecision(number, 0 if by == "chance" else by, move, points, bool(assumed))
    if "undo" in fields:
        kept, agreed, amended = _take(fields, ("undo", int), ("agreed", bool), ("mended", (bool, None)))
        return Undo(kept, agreed, bool(amended))
    if "seats" in fields:
        return SeatsChange(_seats(*_take(fields, ("seats", list))))
    winners, scores, reason, position = _take(
        fields, ("winners", list), ("scores", list), ("reason", str), ("position", str)
    )
    return Result(_numbers(winners), _numbers(scores), reason, position)


def _header(fields: dict[str, Any]) -> Header:
    if fields.get("record") not in (FORMAT, FORMAT_POSITION):
        expected = texts.FORMATS.format(one=FORMAT, other=FORMAT_POSITION)
        raise _Bad("unreadable", texts.OTHER_FORMAT.format(found=fields.get("record"), expected=expected))
    if (fields["record"] == FORMAT_POSITION) != bool(fields.get("position")):
        raise _Bad("unreadable", texts.WRONG_FIELDS.format(key="position"))
    game, title, players, options, given, seed, seats, begun, eyes, position, said, rules = _take(
        fields,
        ("game", str),
        ("title", str),
        ("players", int),
        ("options", dict),
        ("given", dict),
        ("seed", (int, str, None)),
        ("seats", list),
        ("begun", str),
        ("eyes", (int, str, None)),
        ("position", (str, None)),
        ("rules_hash", str),
        ("rules", dict),
        skip=("record",),
    )
    for key, values, kinds in (("options", options, (str,)), ("given", given, (int, str))):
        if any(type(value) not in kinds for value in values.values()):
            raise _Bad("unreadable", texts.WRONG_FIELDS.format(key=key))
    try:
        seed = seeds.seed_from_data(seed)
    except ValueError:
        raise _Bad("unreadable", texts.WRONG_FIELDS.format(key="seed")) from None
    header = Header(game, title, rules, players, options, given, seed, _seats(seats), begun, eyes, position or "")
    if header.rules_hash != said:
        raise _Bad("hash", texts.RULES_HASH)
    if len(header.seats) != players:
        raise _Bad("unreadable", texts.WRONG_FIELDS.format(key="seats"))
    return header


def _seats(data: list[Any]) -> tuple[Seat, ...]:
    seats = []
    for seat in data:
        if not isinstance(seat, dict):
            raise _Bad("unreadable", texts.WRONG_FIELDS.format(key="seats"))
        seats.append(Seat(*_take(seat, ("name", str), ("who", str))))
    return tuple(seats)


def _numbers(values: list[Any]) -> tuple[int, ...]:
    if not all(type(n) is int for n in values):
        raise _Bad("unreadable", texts.WRONG_FIELDS.format(key="scores"))
    return tuple(values)


def _take(fields: dict[str, Any], *wanted: tuple[str, Any], skip: tuple[str, ...] = ()) -> Iterator[Any]:
    """Return the values of these keys, each of its type; None among the types: it can be missing. No other keys."""
    for key, types in wanted:
        kinds = types if isinstance(types, tuple) else (types,)
        value = fields.get(key)
        if not (value is None and None in kinds) and type(value) not in kinds:
            raise _Bad("unreadable", texts.WRONG_FIELDS.format(key=key))
    unknown = fields.keys() - {key for key, _ in wanted} - set(skip)
    if unknown:
        raise _Bad("unreadable", texts.WRONG_FIELDS.format(key=min(unknown)))
    return iter([fields.get(key) for key, _ in wanted])
