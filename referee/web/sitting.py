"""One table: a match, who sits where by which key, what was asked of the others, and its version. It knows no network.

INVARIANT: what anybody is told is on disk first: a change counts once `SavesTables` has written it with its new version.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from interpreter import CHANCE, Fault, IllegalMove, Move, TracedGame, UnreadableMove
from referee.bots import BOTS, BadBot, find_bot, play_chance, seconds_of
from referee.engine.answers import objection_data
from referee.engine.stream import Refusal
from referee.record.lines import (
    Record,
    RecordEntry,
    Seat,
    SeatsChange,
    entry_line,
    header_line,
    read_record,
)
from referee.record.match import HUMAN, Decided, Match
from referee.record.replay import taken_up
from referee.web import texts
from rulespec import is_clean, quoted

LONGEST_NAME = 30
MOST_LINES = 20_000  # of a table's record
MOST_SECONDS = 10.0  # for a move of a bot
KEY_BYTES = 16


class SavesTables(Protocol):
    """Where tables are kept. When a method returns, all is on disk."""

    def create(self, ident: str, version: int, doc: dict[str, Any], header: str, lines: list[str]) -> None: ...

    def append(self, ident: str, version: int, doc: dict[str, Any], at: int, lines: list[str]) -> None: ...

    def replace(self, ident: str, version: int, doc: dict[str, Any], header: str, lines: list[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of a table. `renewed` are the seats whose present key only their player knows."""

    host: str
    onlooker: str
    seats: tuple[str, ...]
    renewed: tuple[int, ...] = ()

    @classmethod
    def new(cls, players: int) -> Keys:
        return cls(new_key(), new_key(), tuple(new_key() for _ in range(players)))

    def as_data(self) -> dict[str, Any]:
        return {"host": self.host, "onlooker": self.onlooker, "seats": [*self.seats], "renewed": [*self.renewed]}

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Keys:
        return cls(data["host"], data["onlooker"], tuple(data["seats"]), tuple(data["renewed"]))

    def guest(self, keys: Sequence[str]) -> Guest:
        """Return who has these keys; as yet they look at what an onlooker sees. Raises Refusal if one opens nothing."""
        seats, host, known = set(), False, bool(keys)
        for key in keys:
            seat = next((n for n, own in enumerate(self.seats, 1) if same_key(own, key)), None)
            if seat is not None:
                seats.add(seat)
            elif same_key(self.host, key):
                host = True
            elif not same_key(self.onlooker, key):
                known = False
        if not known:
            raise Refusal("wrong-key", texts.WRONG_KEY)
        return Guest(frozenset(seats), host, None)


def new_key() -> str:
    """Return 128 random bits as 22 letters."""
    return secrets.token_urlsafe(KEY_BYTES)


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody at a table, by the keys they have: their seats, whether they are the host, and whose view they look at."""

    seats: frozenset[int]
    host: bool
    look: int | None


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """Somebody asks to go back to the first `to` decisions; `needs` are the people who must agree."""

    by: int
    to: int
    needs: tuple[int, ...]
    agreed: tuple[int, ...] = ()

    def as_data(self) -> dict[str, Any]:
        return {"by": self.by, "to": self.to, "needs": [*self.needs], "agreed": [*self.agreed]}

    @classmethod
    def from_data(cls, data: dict[str, Any] | None) -> UndoRequest | None:
        return None if data is None else cls(data["by"], data["to"], tuple(data["needs"]), tuple(data["agreed"]))


class Sitting:
    """One table. Its methods are called one at a time; each raises Refusal if it is impossible, and then nothing changed."""

    path = "table"  # as a recorder of the match

    def __init__(
        self, ident: str, store: SavesTables, keys: Keys, version: int, request: UndoRequest | None = None
    ) -> None:
        self.ident = ident
        self.keys = keys
        self.version = version
        self.request = request
        self.match: Match
        self.stuck: Refusal | None = None  # why a bot, or chance, cannot go on
        self._people: frozenset[int] = frozenset()  # every seat that has been a person's
        self._store = store
        self._mark = ""
        self._lines = 0

    @classmethod
    def create(cls, ident: str, store: SavesTables, record: Record) -> Sitting:
        """Return a new table with the game of a record, which is written to the store. Raises RecordError."""
        self = cls(ident, store, Keys.new(record.header.players), 1)
        match = taken_up(record, None, self.path, TracedGame)
        self._people = people_among(match.seats)
        header, lines = self._take_record(replace(record, entries=tuple(match.entries)))
        store.create(ident, self.version, self._doc(self.request), header, lines)
        self._continue(match)
        return self

    @classmethod
    def load(cls, ident: str, store: SavesTables, version: int, doc: dict[str, Any], data: bytes) -> Sitting:
        """Return a table from the store. Raises RecordError if its record is damaged."""
        self = cls(ident, store, Keys.from_data(doc["keys"]), version, UndoRequest.from_data(doc["undo"]))
        record = read_record(data)
        people = doc.get("people")  # tables of earlier versions do not have it
        self._people = people_in(record) if people is None else frozenset(people)
        self._take_record(record)
        self._continue(taken_up(record, self, self.path, TracedGame))
        return self

    def _take_record(self, record: Record) -> tuple[str, list[str]]:
        """Note where the record ends, and return it as lines."""
        header, self._mark = header_line(record.header)
        lines = []
        for entry in record.entries:
            line, self._mark = entry_line(entry, self._mark)
            lines.append(line)
        self._lines = len(lines)
        return header, lines

    def _continue(self, match: Match) -> None:
        """Go on with a game that is on disk."""
        match.file = self
        self.match = match
        self.stuck = None
        self._decide_unseen()

    # the record of the match -----------------------------------------------------------------------------

    def add(self, entries: Sequence[RecordEntry]) -> None:
        """Write lines of the match, with a new version of the table. Raises RecordError."""
        if self._lines + len(entries) > MOST_LINES:
            raise Refusal("table-full", texts.TABLE_FULL.format(most=MOST_LINES))
        mark, lines = self._mark, []
        for entry in entries:
            line, mark = entry_line(entry, mark)
            lines.append(line)
        request = self.request if all(isinstance(entry, SeatsChange) for entry in entries) else None
        people = self._people.union(*map(people_since, entries))
        self._store.append(self.ident, self.version + 1, self._doc(request, people=people), self._lines, lines)
        self.version += 1
        self.request, self._people = request, people
        self._mark, self._lines = mark, self._lines + len(lines)

    def close(self) -> None:
        """Nothing is open between two writes."""

    def _doc(
        self, request: UndoRequest | None, keys: Keys | None = None, people: frozenset[int] | None = None
    ) -> dict[str, Any]:
        return {
            "keys": (keys or self.keys).as_data(),
            "undo": None if request is None else request.as_data(),
            "people": sorted(self._people if people is None else people),
        }

    def _note(self, request: UndoRequest | None, keys: Keys | None = None) -> None:
        """Write what is kept beside the record, with a new version."""
        self._store.append(self.ident, self.version + 1, self._doc(request, keys), self._lines, [])
        self.version += 1
        self.request, self.keys = request, keys or self.keys

    # who is who ------------------------------------------------------------------------------------------

    def admit(self, keys: Sequence[str], look: int | None = None, default: bool = True) -> Guest:
        """Return who has these keys. `look` is the seat to look at; by default their first one."""
        guest = self.keys.guest(keys)
        return self.looking(guest, min(guest.seats, default=None) if default else look)

    def looking(self, guest: Guest, look: int | None) -> Guest:
        """Return the guest with another view: of one of their seats, or an onlooker's."""
        if look is not None and look not in guest.seats:
            raise Refusal("not-your-seat", texts.NOT_YOUR_SEAT.format(seat=look))
        return replace(guest, look=look)

    def has_all_people(self, guest: Guest) -> bool:
        """Return whether a guest has every seat that has ever been a person's, and so knows all that anybody knows.

        Otherwise the host could put a bot on somebody's seat, look, and let them sit down again.
        """
        return bool(guest.seats or guest.host) and self._people <= guest.seats

    def renew(self, guest: Guest, seat: int) -> str:
        """Give a seat a new key, and return it: who has the old one is out."""
        self._own(guest, seat)
        key = new_key()
        seats = tuple(key if n == seat else old for n, old in enumerate(self.keys.seats, 1))
        renewed = tuple(sorted({*self.keys.renewed, seat}))
        self._note(self.request, replace(self.keys, seats=seats, renewed=renewed))
        return key

    def invitations(self, guest: Guest) -> dict[str, Any]:
        """Return the keys to give away; a key that a player renewed is theirs alone."""
        self._hosting(guest)
        keys = [None if n in self.keys.renewed else key for n, key in enumerate(self.keys.seats, 1)]
        return {
            "seats": [{"player": n, "key": key} for n, key in enumerate(keys, 1)],
            "onlooker": self.keys.onlooker,
        }

    def name(self, guest: Guest, seat: int, name: str) -> None:
        """Give a player another name."""
        if not guest.host:
            self._own(guest, seat)
        self._sit(seat, Seat(good_name(name), self._seat(seat).who))

    def set_bot(self, guest: Guest, seat: int, who: str) -> None:
        """Put a bot on a seat, or a person."""
        self._hosting(guest)
        self._sit(seat, Seat(self._seat(seat).name, good_who(who)))
        self.stuck = None

    def _sit(self, seat: int, new: Seat) -> None:
        seats = tuple(new if n == seat else old for n, old in enumerate(self.match.seats, 1))
        no_name_twice(seats)
        self.match.sit(seats)

    def _seat(self, seat: int) -> Seat:
        if not 1 <= seat <= len(self.match.seats):
            raise Refusal("not-your-seat", texts.NOT_YOUR_SEAT.format(seat=seat))
        return self.match.seats[seat - 1]

    def _own(self, guest: Guest, seat: int) -> None:
        if seat not in guest.seats:
            raise Refusal("not-your-seat", texts.NOT_YOUR_SEAT.format(seat=seat))

    def _hosting(self, guest: Guest) -> None:
        if not guest.host:
            raise Refusal("not-host", texts.NOT_HOST)

    def check_version(self, version: int) -> None:
        """Refuse a request that was made for another position."""
        if version != self.version:
            message = texts.OUT_OF_STEP.format(expected=self.version, found=version)
            raise Refusal("out-of-step", message, version=self.version)

    # deciding --------------------------------------------------------------------------------------------

    @property
    def typed(self) -> bool:
        """Whether people type what chance decides."""
        return self.match.seed is None and self.match.game.has_chance

    @property
    def waiting(self) -> str:
        """Whom the table waits for."""
        to_move = self.match.state.to_move
        if to_move is None:
            return "over"
        if to_move == CHANCE:
            return "stuck" if self.stuck else "chance"
        if self.match.human:
            return "player"
        return "stuck" if self.stuck else "bot"

    def get_stuck(self, why: Refusal | None) -> None:
        """Note that the bot whose turn it is cannot go on."""
        self.stuck = why

    def check_turn(self, guest: Guest, seat: int) -> None:
        """Refuse what a guest asks for a seat that is not theirs, or not to move; seat 0 is chance."""
        match = self.match
        if seat != CHANCE:
            self._own(guest, seat)
        if match.over:
            raise Refusal("over", texts.OVER)
        if match.state.to_move != seat:
            who = match.name_of(match.state.to_move or CHANCE)
            raise Refusal("not-your-turn", texts.NOT_YOUR_TURN.format(who=who))

    def play(self, guest: Guest, seat: int, text: str) -> None:
        """Make a move for a seat; seat 0 types what chance decided."""
        self.check_turn(guest, seat)
        if seat == CHANCE and not self.may_type(guest):
            raise Refusal("not-your-seat", texts.NOT_TO_TYPE if self.typed else texts.NOT_TYPED)
        self._play(text)
        self._decide_unseen()

    def play_bot(self, version: int, text: str) -> bool:
        """Make the move of a bot that thought at a version; return whether it was still asked for."""
        if version != self.version or self.waiting != "bot":
            return False
        self._play(text)
        self._decide_unseen()
        return True

    def _play(self, text: str) -> None:
        match = self.match
        try:
            move = match.game.parse_move(match.state, text)
            match.play(move)
        except UnreadableMove as error:
            raise Refusal("unreadable-move", str(error)) from None
        except IllegalMove as error:
            reasons = [objection_data(o) for o in error.objections]
            words = safe_text(match, move)
            raise Refusal("illegal-move", str(error), move=error.move, text=words, objections=reasons) from None
        except Fault as error:
            raise fault_refusal(error) from None
        self.stuck = None

    def why(self, guest: Guest, seat: int, text: str) -> dict[str, Any]:
        """Return why a move of a seat is refused now; no reasons: it is legal."""
        self.check_turn(guest, seat)
        match = self.match
        try:
            move = match.game.parse_move(match.state, text)
            reasons = match.game.objections(match.state, move)
        except UnreadableMove as error:
            raise Refusal("unreadable-move", str(error)) from None
        return {"move": str(move), "text": safe_text(match, move), "objections": [objection_data(o) for o in reasons]}

    # chance that is typed --------------------------------------------------------------------------------

    def may_type(self, guest: Guest) -> bool:
        """Return whether a guest types what chance decides now: anybody who sits at the table, or its host."""
        return self.waiting == "chance" and self.typed and bool(guest.seats or guest.host)

    def _sees_chance(self) -> bool:
        """Return whether everybody sees what is drawn now."""
        match = self.match
        return all(
            match.sight.words(match.state, move, None)[0] == str(move) for move, _ in match.game.chances(match.state)
        )

    def _decide_unseen(self) -> None:
        """Decide at random what is drawn and nobody sees; the record notes that it was assumed."""
        match = self.match
        while match.state.to_move == CHANCE and self.typed and not self._sees_chance():
            assumed = match.assumed
            match.assumed = assumed | {len(match.decided) + 1}
            try:
                match.play(play_chance(match.game, match.state, match.rng()))
            except Fault as error:
                match.assumed = assumed
                self.stuck = fault_refusal(error)
                return

    # taking back -----------------------------------------------------------------------------------------

    def undo(self, guest: Guest, seat: int, to: int | None) -> UndoRequest | None:
        """Take back at once what concerns nobody else, or ask those concerned. Return what is asked; None: it is done."""
        self._own(guest, seat)
        kept = self._target(seat, to)
        back = self.match.decided[kept:]
        needs = self._concerned(seat, back)
        if not needs:
            self._take_back(kept)
            return None
        request = UndoRequest(seat, kept, needs)
        self._note(request)
        return request

    def may_undo(self, seat: int | None) -> bool:
        """Return whether a seat has decided anything that can be taken back."""
        return seat is not None and any(d.player == seat for d in self.match.decided)

    def agree(self, guest: Guest, seat: int, yes: bool) -> bool:
        """Agree to take back, or not. Return whether it was taken back."""
        self._own(guest, seat)
        request = self.request
        if request is None or not (seat in request.needs or (seat == request.by and not yes)):
            raise Refusal("no-request", texts.NO_REQUEST)
        if not yes:
            self._note(None)
            return False
        agreed = tuple(sorted({*request.agreed, seat}))
        if set(agreed) >= set(request.needs):
            self._take_back(request.to)
            return True
        self._note(replace(request, agreed=agreed))
        return False

    def shown(self, request: UndoRequest) -> list[Decided]:
        """Return the decisions that turned something up, among those to be taken back."""
        return [d for d in self.match.decided[request.to :] if self.match.uncovers(d)]

    def _target(self, seat: int, to: int | None) -> int:
        match = self.match
        made = len(match.decided)
        if to is None:
            kept = next((d.number - 1 for d in reversed(match.decided) if d.player == seat), None)
            if kept is None:
                raise Refusal("nothing-to-undo", texts.NOTHING_TO_UNDO)
        elif to >= made:
            raise Refusal("nothing-to-undo", texts.TO_RANGE.format(made=made, found=to))
        else:
            kept = to
        while kept and match.seed is not None and match.decided[kept].player == CHANCE:
            kept -= 1  # a game with a seed never waits for chance
        if match.seed is not None and match.decided[kept].player == CHANCE:
            raise Refusal("nothing-to-undo", texts.NOTHING_TO_UNDO)
        return kept

    def _concerned(self, seat: int, back: Sequence[Decided]) -> tuple[int, ...]:
        """Return the people who must agree: who decided since, and everybody if something was turned up.

        A bot agrees, but not in place of a person whose seat it was given. Of players who decide at the same time anybody may
        think again until the last one has decided; those after them are asked once more.
        """
        if len(back) <= len(self.match.unknown_yet()):
            return ()
        people = sorted(self._people - {seat})
        if any(self.match.uncovers(d) for d in back):
            return tuple(people)
        return tuple(p for p in people if any(d.player == p for d in back))

    def _take_back(self, kept: int) -> None:
        back = self.match.decided[kept:]
        self.match.undo(any(self.match.uncovers(d) for d in back), kept)
        self.match.assumed = {n for n in self.match.assumed if n <= kept}
        self.stuck = None
        self._decide_unseen()

    # other rules -----------------------------------------------------------------------------------------

    def check_may_change_rules(self, guest: Guest) -> None:
        """Refuse other rules unless the guest is the host and has every seat that has been a person's.

        Rules say who sees what, so whoever changes them in the middle of a game could see what others hide.
        """
        self._hosting(guest)
        if not self.has_all_people(guest):
            raise Refusal("not-your-seat", texts.NOT_ALL_SEATS)

    def go_on_under(self, record: Record) -> None:
        """Go on with the game of another record, which has the same number of players. Raises RecordError."""
        match = taken_up(record, None, self.path, TracedGame)  # before anything changes
        old = (self._mark, self._lines)
        people = self._people | people_among(match.seats)
        try:
            header, lines = self._take_record(replace(record, entries=tuple(match.entries)))
            self._store.replace(self.ident, self.version + 1, self._doc(None, people=people), header, lines)
        except Exception:
            self._mark, self._lines = old
            raise
        self.version += 1
        self.request, self._people = None, people
        self._continue(match)

    # the record ------------------------------------------------------------------------------------------

    @property
    def record(self) -> Record:
        """The whole record as it is now."""
        return Record(self.match.header, tuple(self.match.entries), self._mark, 0)


def same_key(own: str, given: str) -> bool:
    """Return whether two keys are the same, in a time that does not depend on where they differ."""
    return hmac.compare_digest(own.encode(), given.encode("utf-8", "surrogatepass"))


def safe_text(match: Match, move: Move) -> str:
    """Return a move that may be refused in the author's words, if the mover may know all that stands in them."""
    try:
        return match.sight.words(match.state, move, match.state.to_move or None)[1]
    except Fault:
        return str(move)


def fault_refusal(error: Fault) -> Refusal:
    """Return the answer to a request after which the rules cannot go on."""
    where = {"file": error.span.file, "line": error.span.line, "kind": error.kind}
    return Refusal("fault", texts.FAULT.format(message=error.message), **where)


# Seats -------------------------------------------------------------------------------------------------------


def people_among(seats: Sequence[Seat]) -> frozenset[int]:
    """Return the numbers of the seats that are people's."""
    return frozenset(n for n, seat in enumerate(seats, 1) if seat.who == HUMAN)


def people_since(entry: RecordEntry) -> frozenset[int]:
    """Return the seats that are people's since a line of a record; none if it changes no seats."""
    return people_among(entry.seats) if isinstance(entry, SeatsChange) else frozenset()


def people_in(record: Record) -> frozenset[int]:
    """Return every seat that is or was a person's in a record."""
    return people_among(record.header.seats).union(*map(people_since, record.entries))


def check_seats(seats: Sequence[Seat]) -> None:
    """Refuse seats with bad names, names that occur twice, or bots that there are not."""
    no_name_twice([Seat(good_name(seat.name), good_who(seat.who)) for seat in seats])


def good_name(name: str) -> str:
    """Return the name of a player without outer spaces. Raises Refusal if it is none."""
    name = name.strip()
    if not (name.isprintable() and is_clean(name) and 0 < len(name) <= LONGEST_NAME):
        raise Refusal("bad-field", texts.BAD_NAME.format(most=LONGEST_NAME, found=f"{len(name)}"), field="name")
    return name


def good_who(who: str) -> str:
    """Return `human` or a bot's name. Raises Refusal for anything else."""
    try:
        known = who == HUMAN or find_bot(who) is not None
    except BadBot as error:
        raise Refusal("bad-field", str(error)[:200], field="who") from None
    if not known:
        message = texts.BAD_SEAT.format(known=", ".join(quoted(BOTS)), found=who[:40])
        raise Refusal("bad-field", message, field="who")
    if seconds_of(who) > MOST_SECONDS:
        raise Refusal("bad-field", texts.BOT_SECONDS.format(most=MOST_SECONDS, found=who[:40]), field="who")
    return who


def no_name_twice(seats: Sequence[Seat]) -> None:
    """Refuse two seats with one name."""
    lower = [seat.name.lower() for seat in seats]
    for seat in seats:
        if lower.count(seat.name.lower()) > 1:
            raise Refusal("bad-field", texts.NAME_TAKEN.format(name=seat.name), field="name")
