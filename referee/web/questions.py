"""The questions that a browser may ask of a table on its socket: fields, and what is done. It knows no network.

INVARIANT: one answer for each message, whatever it holds; a refused one changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.engine.fields import Field, hint, read_fields
from referee.engine.fields import text as text_field
from referee.engine.stream import Refusal, read_object
from referee.engine.texts import NO_DO, UNKNOWN_DO, kind_of
from referee.web import texts
from referee.web.messages import MOST_LOGGED, TableMessages
from referee.web.sitting import Guest, Sitting
from rulespec import listed_names

MOST_PLAYERS = 1000
MOST_KEYS = 64
MOST_THINGS = 50
LARGEST = 2**53 - 1
SHORT = 500


def whole(least: int, most: int, default: int | None = None, needed: bool = False) -> Field:
    """Return a field for a whole number."""
    expected = texts.AS_WHOLE.format(least=least, most=most)
    return Field(lambda v: type(v) is int and least <= v <= most, expected, default, needed)


def short(needed: bool = False, most: int = SHORT) -> Field:
    """Return a field for a text that is not long."""
    return Field(lambda v: isinstance(v, str) and len(v) <= most, texts.AS_SHORT.format(most=most), None, needed)


def yes_no(default: bool | None = None, needed: bool = False) -> Field:
    """Return a field for true or false."""
    return Field(lambda v: isinstance(v, bool), "true or false", default, needed)


def listing(most: int, expected: str, needed: bool = False) -> Field:
    """Return a field for a list of short texts."""
    return Field(
        lambda v: isinstance(v, list) and 0 < len(v) <= most and all(isinstance(x, str) and len(x) <= SHORT for x in v),
        expected.format(most=most),
        None,
        needed,
    )


def _is_files(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= 20 and all(isinstance(text, str) for text in value.values())


FILES = Field(_is_files, texts.AS_FILES, None)
OPTIONS = Field(
    lambda v: isinstance(v, dict) and len(v) <= 100 and all(isinstance(c, str) for c in v.values()),
    "an object of options and their choices, both texts",
    None,
)
VERSION = Field(lambda v: type(v) is int and 0 <= v <= LARGEST, texts.AS_VERSION, None, True)
SEAT = Field(lambda v: type(v) is int and 1 <= v <= MOST_PLAYERS, texts.AS_SEAT, None, True)
SEAT_OR_CHANCE = Field(lambda v: type(v) is int and 0 <= v <= MOST_PLAYERS, texts.AS_SEAT, None, True)
LOOK = Field(lambda v: v is None or (type(v) is int and 1 <= v <= MOST_PLAYERS), texts.AS_SEAT_OR_NONE, ..., False)

FIELDS: dict[str, dict[str, Field]] = {
    "join": {
        "table": short(True, 64),
        "keys": listing(MOST_KEYS, texts.AS_KEYS, True),
        "look": LOOK,
        "version": whole(0, LARGEST),
    },
    "play": {"version": VERSION, "seat": SEAT_OR_CHANCE, "move": short(True), "at": short()},
    "why": {"version": VERSION, "seat": SEAT, "move": short(), "things": listing(MOST_THINGS, texts.AS_THINGS)},
    "look": {"seat": Field(LOOK.fits, LOOK.expected, None, True)},
    "whole": {},
    "log": {"from": whole(0, LARGEST, 1), "count": whole(1, MOST_LOGGED, MOST_LOGGED)},
    "at": {"made": whole(0, LARGEST, None, True)},
    "ledger": {},
    "hint": {"version": VERSION, "seat": SEAT},
    "undo": {"version": VERSION, "seat": SEAT, "to": whole(0, LARGEST)},
    "agree": {"version": VERSION, "seat": SEAT, "yes": yes_no(needed=True)},
    "name": {"seat": SEAT, "name": short(True)},
    "seat": {"seat": SEAT, "who": short(True)},
    "renew": {"seat": SEAT},
    "invite": {},
    "rules": {
        "version": VERSION,
        "text": text_field(True),
        "name": short(most=100),
        "files": FILES,
        "options": OPTIONS,
        "cut": yes_no(False),
    },
    "close": {},
    "ping": {},
}


@dataclass(frozen=True, slots=True)
class Question:
    """A message that was understood: its number, what it asks, and its fields."""

    id: int
    do: str
    fields: dict[str, Any]


class BadMessage(Exception):
    """A message that is refused before it is known what it asks; `id` if it had one."""

    def __init__(self, id: int | None, refusal: Refusal) -> None:
        self.id, self.refusal = id, refusal
        super().__init__(refusal.message)


def read_question(message: str) -> Question:
    """Return what a message asks. Raises BadMessage."""
    id: int | None = None
    try:
        request = read_object(message.encode("utf-8", "surrogatepass"))
        given = request.get("id")
        if type(given) is not int or not 1 <= given <= LARGEST:
            raise Refusal("bad-field", texts.BAD_ID.format(found=kind_of(given)), field="id")
        id = given
        name = request.get("do")
        if not isinstance(name, str):
            raise Refusal("missing-field", NO_DO.format(known=listed_names(FIELDS, "or")), field="do")
        if name not in FIELDS:
            message = UNKNOWN_DO.format(found=name[:40], hint=hint(name, FIELDS), known=listed_names(FIELDS))
            raise Refusal("unknown-request", message)
        fields = {key: value for key, value in request.items() if key not in ("id", "do")}
        return Question(id, name, read_fields(name, fields, FIELDS[name]))
    except Refusal as refusal:
        code = "bad-message" if refusal.code in ("bad-json", "bad-utf8") else refusal.code
        raise BadMessage(id, Refusal(code, refusal.message, **refusal.data)) from None


@dataclass(slots=True)
class Asking:
    """A guest who asks something of a table; `guest` may be another one afterwards, who looks at another seat."""

    sitting: Sitting
    messages: TableMessages
    guest: Guest


def answer(asking: Asking, question: Question) -> dict[str, Any]:
    """Do what is asked, and return the answer. Raises Refusal, and then nothing has changed."""
    fields = question.fields
    if "version" in FIELDS[question.do]:
        asking.sitting.check_version(fields["version"])
    return ANSWERS[question.do](asking, fields)


def _play(a: Asking, fields: Mapping[str, Any]) -> dict[str, Any]:
    try:
        a.sitting.play(a.guest, fields["seat"], fields["move"])
    except Refusal as refusal:
        if fields["at"] is None:
            raise
        raise Refusal(refusal.code, refusal.message, **refusal.data, at=fields["at"]) from None
    return {"version": a.sitting.version}


def _why(a: Asking, fields: Mapping[str, Any]) -> dict[str, Any]:
    if (fields["move"] is None) == (fields["things"] is None):
        raise Refusal("missing-field", texts.ONE_QUESTION, field="move")
    if fields["move"] is not None:
        return {"refusals": [{**a.sitting.why(a.guest, fields["seat"], fields["move"]), "at": None}]}
    return {"refusals": a.messages.refusals(a.guest, fields["seat"], fields["things"])}


def _look(a: Asking, fields: Mapping[str, Any]) -> dict[str, Any]:
    a.guest = a.sitting.looking(a.guest, fields["seat"])
    return {}


def _at(a: Asking, fields: Mapping[str, Any]) -> dict[str, Any]:
    made = len(a.sitting.match.decided)
    if fields["made"] > made:
        raise Refusal("bad-field", texts.NO_DECISION.format(most=made, found=fields["made"]), field="made")
    return a.messages.at(a.guest.look, fields["made"])


def _undo(a: Asking, fields: Mapping[str, Any]) -> dict[str, Any]:
    request = a.sitting.undo(a.guest, fields["seat"], fields["to"])
    if request is None:
        return {"done": True, "version": a.sitting.version}
    return {"done": False, "needs": list(request.needs), "version": a.sitting.version}


def _agree(a: Asking, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"done": a.sitting.agree(a.guest, fields["seat"], fields["yes"]), "version": a.sitting.version}


def _name(a: Asking, fields: Mapping[str, Any]) -> dict[str, Any]:
    a.sitting.name(a.guest, fields["seat"], fields["name"])
    return {"version": a.sitting.version}


def _seat(a: Asking, fields: Mapping[str, Any]) -> dict[str, Any]:
    a.sitting.set_bot(a.guest, fields["seat"], fields["who"])
    return {"version": a.sitting.version}


ANSWERS: dict[str, Callable[[Asking, Mapping[str, Any]], dict[str, Any]]] = {
    "play": _play,
    "why": _why,
    "look": _look,
    "whole": lambda a, fields: {},
    "log": lambda a, fields: a.messages.log(a.guest.look, fields["from"], fields["count"]),
    "at": _at,
    "ledger": lambda a, fields: a.messages.ledger(),
    "undo": _undo,
    "agree": _agree,
    "name": _name,
    "seat": _seat,
    "renew": lambda a, fields: {"key": a.sitting.renew(a.guest, fields["seat"])},
    "invite": lambda a, fields: a.sitting.invitations(a.guest),
    "ping": lambda a, fields: {},
}  # `join`, `hint`, `rules` and `close` are the hall's
