"""The messages to the people at a table: the whole position, or what has changed, as each of them may see it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from interpreter import CHANCE, Fault, Game, Move, Outcome, State, TracedState
from referee.engine.answers import objection_data, outcome_data
from referee.picture.scene import touch_id
from referee.record.lines import Seat
from referee.record.match import Decided, ledger_data
from referee.table.draws import Draws
from referee.table.wording import Wording
from referee.web import texts
from referee.web.seen_moves import seen_moves
from referee.web.sitting import Guest, Sitting, UndoRequest, safe_text
from rulespec import syntax

MOST_LOGGED = 200  # decisions in one message
MOST_TRIED = 2_000  # moves among which those are looked for that somebody pointed at
MOST_REFUSALS = 5

Scene = dict[str, Any]

to_json = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Shared:
    """How a position is drawn once for several viewers who see the same of the pieces: for all, then for each."""

    common: Callable[[Game, State, int | None], Scene]
    for_viewer: Callable[[Scene, int | None], Scene]


@dataclass(frozen=True, slots=True)
class Pictures:
    """How positions are drawn: a scene of a position for a viewer, the difference of two scenes, and either as JSON.

    `shared` is only quicker.
    """

    scene: Callable[[Game, State, int | None], Scene]
    change: Callable[[Scene, Scene], Any]
    write: Callable[[Any], str] = to_json
    shared: Shared | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """A table as it was before something was done, to tell what has changed since."""

    version: int
    state: State
    decided: tuple[Decided, ...]
    seats: tuple[Seat, ...]
    request: UndoRequest | None
    game: Game


class TableMessages:
    """Writes the messages of one table."""

    def __init__(self, sitting: Sitting, drawing: Pictures) -> None:
        self.sitting = sitting
        self.drawing = drawing
        self._scenes: dict[int | None, tuple[int, Scene]] = {}  # the last one of each view with its version
        self._pair: tuple[int, int | None, Scene, Scene] | None = None  # before and after the change that is told now

    def moment(self) -> Moment:
        """Return the table as it is now."""
        s = self.sitting
        m = s.match
        return Moment(s.version, m.state, tuple(m.decided), m.seats, s.request, m.game)

    # messages --------------------------------------------------------------------------------------------

    def whole(self, guest: Guest) -> str:
        """Return all there is to know for a guest, as a message."""
        s = self.sitting
        match, look = s.match, guest.look
        lines = ([match.opening] if match.opening else []) + match.decided
        shown = lines[-MOST_LOGGED:]
        data = {
            "tell": "whole",
            "version": s.version,
            "table": {
                "id": s.ident,
                "title": match.game.title,
                "game": match.name,
                "players": match.game.players,
                "options": dict(match.game.options),
                "chance": "typed" if s.typed else "server",
                "begun": match.begun,
            },
            "seats": _seats(match.seats),
            "you": self.you(guest),
            **self._position(look),
            "events": self._events(self._latest(), look),
            "log": {"from": shown[0].number if shown else 1, "lines": [self._line(d, look) for d in shown]},
        }
        return _with(data, "scene", self._scene_now(look))

    def change(self, before: Moment, look: int | None) -> str:
        """Return what has changed since a moment for everybody who looks at a table like this, as a message."""
        s = self.sitting
        match = s.match
        kept = _shared(before.decided, match.decided)
        events = [] if kept < len(before.decided) else self._events(match.decided[kept:], look)
        waiting, still = match.unknown_yet(kept), match.unknown_yet()
        if waiting and (not still or still[0].number > waiting[0].number):
            kept -= len(waiting)  # what was decided in secret is known by now
        new = match.decided[kept:]
        data: dict[str, Any] = {
            "tell": "change",
            "from": before.version,
            "version": s.version,
            **self._position(look),
            "events": events,
            "log": {"keep": kept, "lines": [self._line(d, look) for d in new[-MOST_LOGGED:]]},
        }
        if before.seats != match.seats:
            data["seats"] = _seats(match.seats)
        return _with(data, "change", self._scene_change(before, look))

    def you(self, guest: Guest) -> dict[str, Any]:
        """Return who a guest is."""
        people = self.sitting.has_all_people(guest)
        return {"seats": sorted(guest.seats), "look": guest.look, "host": guest.host, "people": people}

    def log(self, look: int | None, start: int, count: int) -> dict[str, Any]:
        """Return decisions as a viewer may read them."""
        found = self.sitting.match.decided[max(start, 1) - 1 :][: min(count, MOST_LOGGED)]
        return {"from": start, "lines": [self._line(d, look) for d in found]}

    def at(self, look: int | None, made: int) -> dict[str, Any]:
        """Return the position after so many decisions as a viewer saw it then."""
        match = self.sitting.match
        state = match.state if made == len(match.decided) else match.decided[made].before
        scene = {**self.drawing.scene(match.game, state, look), "moves": []}
        line = self._line(match.decided[made - 1], look) if made else None
        return {"made": made, "scene": scene, "line": line}

    def ledger(self) -> dict[str, Any]:
        """Return the reason for every point."""
        match = self.sitting.match
        return {
            "starts": _by_player(match.start_scores),
            "lines": [ledger_data(line) for line in match.ledger()],
            "scores": _by_player(match.game.scores(match.state)),
        }

    def refusals(self, guest: Guest, seat: int, things: Sequence[str]) -> list[dict[str, Any]]:
        """Return the refused moves that touch all these things, with the reasons, nearest first."""
        self.sitting.check_turn(guest, seat)
        match = self.sitting.match
        found = []
        for move in islice(_choosable(match.game, match.state), MOST_TRIED):
            ids = [touch_id(match.game.model, touch) for touch in match.game.touches(match.state, move)]
            if all(any(i == thing or i.startswith(f"{thing}/") for i in ids) for thing in things):
                reasons = match.game.objections(match.state, move)
                if reasons:
                    found.append((len(reasons), move, reasons))
        found.sort(key=lambda refused: refused[0])
        return [
            {
                "move": str(move),
                "text": safe_text(match, move),
                "objections": [objection_data(reason) for reason in reasons],
                "at": things[-1] if things else None,
            }
            for _, move, reasons in found[:MOST_REFUSALS]
        ]

    # parts -----------------------------------------------------------------------------------------------

    def _position(self, look: int | None) -> dict[str, Any]:
        s = self.sitting
        match = s.match
        outcome: Outcome | None = match.game.outcome(match.state)
        fault = s.stuck
        return {
            "made": len(match.decided),
            "to_move": match.state.to_move,
            **self._undecided(),
            "waiting": s.waiting,
            "asks": self._asks() if s.waiting == "chance" else None,
            "scores": _by_player(match.game.scores(match.state)),
            "undo": None if s.request is None else self._undo(s.request, look),
            "may_undo": s.may_undo(look),
            "outcome": None if outcome is None else outcome_data(outcome),
            "fault": None if fault is None else {"message": fault.message, **fault.data},
        }

    def _undecided(self) -> dict[str, Any]:
        """Return who is still to decide of several who do so at the same time, in a game that has such decisions."""
        game, state = self.sitting.match.game, self.sitting.match.state
        if not game.layout.held:
            return {}
        return {"undecided": list(game.undecided(state)) if game.asks_several(state) else None}

    def _asks(self) -> str | None:
        """Return what is typed in next: the place that a drawn piece goes to, or what is rolled."""
        match = self.sitting.match
        draws = Draws(match.game, Wording(match.game, [seat.name for seat in match.seats]))
        try:
            asked = draws.next_asked(match.state)
        except Fault:
            return None  # it is reported when play gets there
        label = draws.label(asked)
        return label if asked.goal else texts.ASKS_ROLL.format(label=label)

    def _undo(self, request: UndoRequest, look: int | None) -> dict[str, Any]:
        words = [self.sitting.match.words(d, look)[1] for d in self.sitting.shown(request)]
        return {**request.as_data(), "shown": words}

    def _line(self, d: Decided, look: int | None) -> dict[str, Any]:
        move, text = self.sitting.match.words(d, look) if d.number else (str(d.move), d.text)
        points = [ledger_data(line) for line in d.points]
        told = [line.text(self.sitting.match.name_of, look) for line in d.told]
        return {"number": d.number, "player": d.player, "move": move, "text": text, "points": points, "told": told}

    def _latest(self) -> list[Decided]:
        """Return the last decision of a player, and what chance decided since."""
        decided = self.sitting.match.decided
        first = next((i for i in reversed(range(len(decided))) if decided[i].player != CHANCE), len(decided))
        return decided[first:]

    def _events(self, decided: Sequence[Decided], look: int | None) -> list[dict[str, object]]:
        game = self.sitting.match.game
        return [
            seen.as_data(d.number)
            for d in decided
            if isinstance(d.after, TracedState)
            for seen in seen_moves(game, d.after.moved, look)
        ]

    # scenes ----------------------------------------------------------------------------------------------

    def _draw(self, game: Game, state: State, look: int | None, common: bool = False) -> Scene:
        shared = self.drawing.shared
        scene = (shared.common if common and shared else self.drawing.scene)(game, state, look)
        if state.to_move == CHANCE:  # it is typed
            moves = [str(move) for move, _ in game.chances(state)]
            scene = {**scene, "moves": [{"do": move, "text": [move], "touch": {}, "several": {}} for move in moves]}
        return scene

    def _key(self, game: Game, look: int | None) -> int | None:
        """Return the view whose scene is kept: where all see the same, one for everybody, that of who is to move."""
        alike = self.drawing.shared is not None and all(thing.seen_by != "owner" for thing in game.model.things)
        return CHANCE if alike else look

    def _kept(self, game: Game, state: State, key: int | None) -> Scene:
        return self._draw(game, state, (state.to_move or None) if key == CHANCE else key, key == CHANCE)

    def _seen(self, scene: Scene, key: int | None, look: int | None, to_move: int | None) -> Scene:
        """Return a scene that was kept as a viewer sees it."""
        if key != CHANCE:
            return scene
        assert self.drawing.shared is not None
        moves = scene["moves"] if to_move in (look, CHANCE) and to_move is not None else []
        return {**self.drawing.shared.for_viewer(scene, look), "moves": moves}

    def _scene_now(self, look: int | None) -> str:
        """Return the scene of the present position as JSON."""
        match = self.sitting.match
        key = self._key(match.game, look)
        scene = self._scene(self.sitting.version, match.game, match.state, key)
        return self.drawing.write(self._seen(scene, key, look, match.state.to_move))

    def _scene(self, version: int, game: Game, state: State, key: int | None) -> Scene:
        """Return the scene of a version of the table: what was kept, or drawn now."""
        known, scene = self._scenes.get(key, (0, {}))
        if known != version:
            scene = self._kept(game, state, key)
            if version == self.sitting.version:
                self._scenes[key] = (version, scene)
        return scene

    def _scene_change(self, before: Moment, look: int | None) -> str:
        s = self.sitting
        game, state = s.match.game, s.match.state
        key = self._key(game, look)
        if before.state is state and before.game is game:
            version, scene = self._scenes.get(key, (0, {}))
            if version == before.version:
                self._scenes[key] = (s.version, scene)
            return "null"
        if self._pair is None or self._pair[:2] != (id(before), key):
            old = self._scene(before.version, before.game, before.state, key)
            self._pair = (id(before), key, old, self._scene(s.version, game, state, key))
        _, _, old, new = self._pair
        found = self.drawing.change(
            self._seen(old, key, look, before.state.to_move), self._seen(new, key, look, state.to_move)
        )
        return self.drawing.write(found)

    def rest(self) -> None:
        """Forget what was only needed while everybody was told of one change."""
        self._pair = None


def _choosable(game: Game, state: State) -> Iterator[Move]:
    """Yield the moves that can be asked for now, legal or not; without those that choose several pieces together."""
    decision = game.decision(state)
    for name in decision.moves if decision is not None else ():
        choices = game.model.moves[name].choices
        if not any(isinstance(choice.type, syntax.Several) for choice in choices):
            for words in product(*(game.notation.values(choice.type) for choice in choices)):
                yield game.parse_move(state, " ".join((name, *words)))


def _shared(before: Sequence[Decided], after: Sequence[Decided]) -> int:
    """Return how many decisions both begin with."""
    n = min(len(before), len(after))
    if n == 0 or before[n - 1] is after[n - 1]:  # nothing was taken back, or nothing but the last ones
        return n
    return next((i for i in range(n) if before[i] is not after[i]), n)


def _seats(seats: Sequence[Seat]) -> list[dict[str, Any]]:
    return [{"player": n, "name": seat.name, "who": seat.who} for n, seat in enumerate(seats, 1)]


def _by_player(numbers: dict[int, int]) -> dict[str, int]:
    return {str(player): n for player, n in numbers.items()}


def _with(data: dict[str, Any], key: str, text: str) -> str:
    """Return data as JSON with a last value that is JSON already."""
    return f"{to_json(data)[:-1]},{to_json(key)}:{text}}}"
