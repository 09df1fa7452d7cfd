"""The protocol for other programs: a session of one game, request by request. It never prints.

INVARIANT: one answer for each line, whatever the line holds; a refused request changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, BinaryIO

from interpreter import CHANCE, Fault, Game, IllegalMove, Move, UnreadableMove, heaviness, load, seeds
from referee.engine import fields as f
from referee.engine import texts
from referee.engine.answers import decided_data, ledger_line, move_data, objection_data, rules_data, state_data, who
from referee.engine.move_fields import read_move
from referee.engine.stream import Id, Refusal, answer_line, read_lines, read_object
from referee.record.lines import RecordedDecision, RecordEntry, RecordError, Undo, read_record, written
from referee.record.match import HUMAN, CannotBegin, Match, NotAgreed
from referee.record.position import Audience, CannotWrite, WrittenPosition, read_position
from rulespec import DISK, Files, GameNotFound, NoDisk, OptionError, PlayersError, RuleFileError, listed_names

PROTOCOL = 1
MOST_PLAYERS = 1000
MOST_SIMULATED = 10_000
MOST_HEAVY = 2_000_000  # decisions' worth of work in the games of one `simulate`, under rules that take much work
MOST_MOVES = 1_000_000
MOST_ENTRIES = 20_000  # lines of a session's record, before what was taken back is forgotten
MOST_SECONDS = 60  # for a hint
MOST_LETTERS = 500  # of a message that quotes the request
GAMES_KEPT = 4


def serve(session: Session, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line until the input ends, or a request says `quit`."""
    for line in read_lines(requests):
        answers.write(session.answer(line))
        answers.flush()
        if session.ended:
            return


class Session:
    """One game at a time, of one rule file."""

    def __init__(
        self,
        name: str,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        house: Sequence[str] = (),
        files: Files = DISK,
    ) -> None:
        self.name = name
        self.files = files
        self.house = tuple(house)
        self.players = players
        self.options = dict(options or {})
        self.match: Match | None = None
        self.ended = False
        self._load = lru_cache(maxsize=GAMES_KEPT)(self._game)
        game = self.game(players, self.options)  # a wrong file is reported before the first request
        self.called = game.title if "\n" in name else name

    def game(self, players: int | None, options: Mapping[str, str]) -> Game:
        return self._load(players, tuple(sorted(options.items())))

    def _game(self, players: int | None, options: tuple[tuple[str, str], ...]) -> Game:
        return load(self.name, players, dict(options), self.house, files=self.files)

    # lines -----------------------------------------------------------------------------------------------

    def answer(self, line: bytes | Refusal) -> bytes:
        """Return the answer to one line."""
        id: Id = None
        try:
            if isinstance(line, Refusal):
                raise line
            request = read_object(line)
            id = _read_id(request)
            return answer_line(id, self.handle(request))
        except Refusal as refusal:
            return answer_line(id, error=refusal)
        except Exception as error:  # our own fault: the session continues, and the other side gets an error
            if os.environ.get("RULESPEC_TRACEBACK"):
                raise
            message = texts.INTERNAL.format(name=type(error).__name__, message=error)
            return answer_line(id, error=Refusal("internal", message))

    def handle(self, request: dict[str, Any]) -> Any:
        """Do what a request asks, and return the answer. Raises Refusal if that is impossible."""
        fields = {name: value for name, value in request.items() if name not in ("id", "do")}
        name = request.get("do")
        if not isinstance(name, str):
            raise Refusal("missing-field", texts.NO_DO.format(known=listed_names(REQUESTS, "or")), field="do")
        if name not in REQUESTS:
            hint = f.hint(name, REQUESTS)
            message = texts.UNKNOWN_DO.format(found=name[:40], hint=hint, known=listed_names(REQUESTS))
            raise Refusal("unknown-request", message)
        method, expected, needs_game = REQUESTS[name]
        if needs_game and self.match is None:
            raise Refusal("no-game", texts.NO_GAME)
        values = f.read_fields(name, fields, expected(self))
        try:
            return method(self, **{("start" if key == "from" else key): value for key, value in values.items()})
        except UnreadableMove as error:
            raise Refusal("unreadable-move", str(error)) from None
        except IllegalMove as error:
            reasons = [objection_data(o) for o in error.objections]
            raise Refusal("illegal-move", str(error), move=error.move, objections=reasons) from None
        except (PlayersError, OptionError) as error:
            raise Refusal("bad-choice", str(error)) from None
        except RuleFileError as error:
            raise Refusal("bad-rules", error.diagnostics[0].first_line()) from None
        except GameNotFound as error:
            raise Refusal("bad-rules", str(error)) from None
        except (RecordError, OSError) as error:
            raise Refusal("bad-record", str(error)[:MOST_LETTERS]) from None
        except Fault as error:
            where = {"file": error.span.file, "line": error.span.line, "kind": error.kind}
            raise Refusal("fault", error.message, **where) from None

    # games -----------------------------------------------------------------------------------------------

    @property
    def current(self) -> Match:
        assert self.match is not None
        return self.match

    @property
    def seats(self) -> int:
        """How many play; before a game, the most that can ever play."""
        return self.match.game.players if self.match else MOST_PLAYERS

    def new(
        self,
        players: int | None,
        options: dict[str, str] | None,
        seed: Any,
        first: int | None,
        position: str | None,
    ) -> Any:
        written = None if position is None else self._read_position(position)
        if written is not None:
            if first is not None:
                raise Refusal("bad-field", texts.FIRST_IN_POSITION, field="first")
            players = written.players if players is None else players
            options = {**(self.options if options is None else options), **written.options}
        game = self.game(self.players if players is None else players, self.options if options is None else options)
        if first is not None and first > game.players:
            expected = texts.AS_PLAYER.format(players=game.players)
            message = texts.BAD_FIELD.format(field="first", expected=expected, found=texts.kind_of(first))
            raise Refusal("bad-field", message, field="first")
        if seed is ...:
            seed = seeds.new_seed()
        try:
            chairs = [HUMAN] * game.players
            self.match = Match.begin(game, chairs, seeds.seed_from_data(seed), first, self.called, position=written)
        except CannotBegin:
            raise Refusal("bad-choice", texts.FIRST.format(player=first)) from None
        except RuleFileError as error:
            raise _bad_position(error) from None
        return self.state()

    def _read_position(self, text: str) -> WrittenPosition:
        try:
            return read_position(text)
        except RuleFileError as error:
            raise _bad_position(error) from None

    def position(self, viewer: Any, line: bool) -> Any:
        """Return the position as text: all of it, or as a viewer may know it."""
        audience = Audience(everything=True) if viewer is ... else Audience(viewer)
        try:
            return {"position": self.current.position_text(audience, line)}
        except CannotWrite as error:
            raise Refusal("no-position", str(error)) from None

    def state(self) -> Any:
        return state_data(self.current)

    def rules(self) -> Any:
        game = self.match.game if self.match else self.game(self.players, self.options)
        return {"protocol": PROTOCOL, "name": self.called, **rules_data(game)}

    def view(self, player: int | None) -> Any:
        found = self.current.game.view(self.current.state, player)
        return {**found, "to_move": who(found["to_move"])}

    def ledger(self) -> Any:
        match = self.current
        starts = {str(p): n for p, n in match.start_scores.items()}
        scores = {str(p): n for p, n in match.game.scores(match.state).items()}
        return {"starts": starts, "lines": [ledger_line(line) for line in match.ledger()], "scores": scores}

    def decisions(self, start: int, viewer: Any) -> Any:
        """Return what was decided, in full or as a viewer may read it."""
        match = self.current
        found = []
        for d in match.decided[start:]:
            words = (str(d.move), d.text) if viewer is ... else match.words(d, viewer)
            found.append(decided_data(d, words, viewer))
        return {"decisions": found}

    # deciding --------------------------------------------------------------------------------------------

    def moves(self, detail: bool, start: int, limit: int) -> Any:
        match = self.current
        found = match.game.legal_moves(match.state)
        shown = found[start : start + limit]
        moves = [move_data(match, move) for move in shown] if detail else [str(move) for move in shown]
        return {"to_move": who(match.state.to_move), "count": len(found), "moves": moves}

    def chances(self) -> Any:
        match = self.current
        if match.state.to_move != CHANCE:
            to_move = match.state.to_move
            whose = texts.NOBODY if to_move is None else f"player {to_move}"
            raise Refusal("not-chance", texts.NOT_CHANCE.format(who=whose))
        return {"chances": [{"move": str(m), "weight": n} for m, n in match.game.chances(match.state)]}

    def play(self, move: Any) -> Any:
        match = self.current
        found = match.play(self._move(move))
        self._forget()
        return {"decided": [decided_data(d, (str(d.move), d.text)) for d in found], "state": self.state()}

    def why(self, move: Any) -> Any:
        match = self.current
        read = self._move(move)
        objections = match.game.objections(match.state, read)
        return {"move": str(read), "legal": not objections, "objections": [objection_data(o) for o in objections]}

    def _move(self, move: Any) -> Move:
        return read_move(self.current.game, self.current.state, move)

    def undo(self, to: int | None, agreed: bool) -> Any:
        match = self.current
        made = len(match.decided)
        if not made:
            raise Refusal("nothing-to-undo", texts.NOTHING_TO_UNDO)
        kept = made - 1 if to is None else to
        if kept >= made:
            message = texts.UNDO_RANGE.format(last=made - 1, found=to, decisions=f"{made} decisions")
            raise Refusal("bad-field", message, field="to")
        if match.seed is not None:  # a game with a seed never waits for chance
            while kept and match.decided[kept].player == CHANCE:
                kept -= 1
            if match.decided[kept].player == CHANCE:
                raise Refusal("nothing-to-undo", texts.UNDO_CHANCE)
        try:
            back = match.undo(agreed, kept)
        except NotAgreed as error:
            message = texts.NOT_AGREED.format(move=error.shown[0].move)
            raise Refusal("not-agreed", message) from None
        self._forget()
        return {"back": [decided_data(d, (str(d.move), d.text)) for d in back], "state": self.state()}

    def hint(self, bot: str | None, seed: int | str | None) -> Any:
        """Return what a bot would play."""
        import random

        from referee.bots import BOTS, BadBot, find_bot, seconds_of

        match = self.current
        if not match.state.to_move:
            message = texts.GAME_OVER if match.state.to_move is None else texts.CHANCE_TO_MOVE
            raise Refusal("no-move", message)
        name = bot or "greedy"
        try:
            chosen = find_bot(name)
        except BadBot as error:
            raise Refusal("bad-field", str(error), field="bot") from None
        if chosen is None:
            raise Refusal("bad-field", texts.BAD_BOT.format(found=name[:40], known=listed_names(BOTS)), field="bot")
        if seconds_of(name) > MOST_SECONDS:
            raise Refusal("bad-field", texts.BOT_SECONDS.format(most=MOST_SECONDS, found=name[:40]), field="bot")
        move = chosen(
            match.game, match.state, match.rng() if seed is None else random.Random(seeds.seed_from_data(seed))
        )
        return {"move": str(move), "text": match.sight.words(match.state, move, match.state.to_move)[1]}

    def simulate(self, games: int, seed: int | str) -> Any:
        """Return how often each player won random games from here, and with how many points."""
        match, first = self.current, seeds.seed_from_data(seed) or 0
        steps = _most_steps(match.game, games)
        players = range(1, match.game.players + 1)
        wins, points = dict.fromkeys(players, 0.0), dict.fromkeys(players, 0)
        for number in range(games):
            end = match.game.rollout(match.state, first + number, **steps)
            outcome = match.game.outcome(end)
            if outcome is None:  # a rollout without a limit ends or raises Fault
                raise Refusal("too-much-work", texts.TOO_MUCH_WORK.format(games=games, **steps))
            for winner in outcome.winners:
                wins[winner] += 1 / len(outcome.winners)
            for p, n in outcome.scores.items():
                points[p] += n
        means = {str(p): points[p] / games for p in players} if match.game.scores(match.state) else {}
        return {"games": games, "wins": {str(p): n for p, n in wins.items()}, "means": means}

    # records ---------------------------------------------------------------------------------------------

    def save(self, file: str | None) -> Any:
        match = self.current
        if file is None:
            return {"record": written(match.header, tuple(match.entries))}
        self._allow_files("save")
        match.save(file)
        return {"file": file}

    def load(self, file: str | None, record: str | None) -> Any:
        from referee.record.carried import game_of
        from referee.record.file import read_bytes
        from referee.record.replay import replay

        if (file is None) == (record is None):
            raise Refusal("missing-field", texts.ONE_SOURCE, field="record")
        if file is not None:
            self._allow_files("load")
        found = read_record(read_bytes(file) if file is not None else (record or "").encode("utf-8", "surrogatepass"))
        replayed = replay(found)
        damage = replayed.damage
        if damage is not None:
            raise Refusal("bad-record", damage.message, line=damage.line, decision=damage.decision)
        if replayed.unseen is not None:
            raise Refusal("bad-record", texts.REDACTED)
        self.match = replayed.match
        self.match.game = game_of(found.header)  # the game it was replayed in counts its work
        return self.state()

    def _allow_files(self, request: str) -> None:
        if isinstance(self.files, NoDisk):
            raise Refusal("no-files", texts.NO_FILES[request], field="file")

    def quit(self) -> Any:
        self.ended = True
        return {}

    def _forget(self) -> None:
        """Forget what was taken back if there is too much of it: a session that never ends must not grow forever."""
        match = self.current
        if len(match.entries) > MOST_ENTRIES:
            match.entries = standing(match.entries)


def _most_steps(game: Game, games: int) -> dict[str, int]:
    """Return how many decisions of players each of many random games may have: no limit, but for rules that take much work."""
    heavy = heaviness(game)
    return {"steps": max(1, MOST_HEAVY // (heavy * games))} if heavy else {}


def standing(entries: list[RecordEntry]) -> list[RecordEntry]:
    """Return the lines of a record without what was taken back."""
    found: list[RecordEntry] = []
    for entry in entries:
        if isinstance(entry, Undo):
            made = [i for i, e in enumerate(found) if isinstance(e, RecordedDecision)]
            del found[made[entry.kept] :]
        else:
            found.append(entry)
    return found


def _bad_position(error: RuleFileError) -> Refusal:
    problems = [d.as_data() for d in error.diagnostics]
    return Refusal("bad-position", error.diagnostics[0].first_line()[:MOST_LETTERS], problems=problems)


def _read_id(request: dict[str, Any]) -> Id:
    id = request.get("id")
    if id is None or type(id) is int or isinstance(id, str):
        return id
    raise Refusal("bad-id", texts.BAD_ID.format(found=texts.kind_of(id)))


Request = tuple[Callable[..., Any], Callable[[Session], Mapping[str, f.Field]], bool]

REQUESTS: dict[str, Request] = {  # name → method, fields, whether there must be a game
    "new": (
        Session.new,
        lambda s: {
            "players": f.count(1, MOST_PLAYERS),
            "options": f.OPTIONS,
            "seed": f.seed(...),
            "first": f.count(1, MOST_PLAYERS),
            "position": f.text(),
        },
        False,
    ),
    "state": (Session.state, lambda s: {}, True),
    "moves": (
        Session.moves,
        lambda s: {
            "detail": f.YES_NO,
            "from": f.count(0, MOST_MOVES, 0),
            "limit": f.count(0, MOST_MOVES, MOST_MOVES),
        },
        True,
    ),
    "chances": (Session.chances, lambda s: {}, True),
    "play": (Session.play, lambda s: {"move": f.MOVE}, True),
    "why": (Session.why, lambda s: {"move": f.MOVE}, True),
    "undo": (Session.undo, lambda s: {"to": f.count(0, MOST_MOVES), "agreed": f.YES_NO}, True),
    "ledger": (Session.ledger, lambda s: {}, True),
    "view": (Session.view, lambda s: {"player": f.viewer(s.seats)}, True),
    "position": (Session.position, lambda s: {"viewer": f.viewer(s.seats, ...), "line": f.YES_NO}, True),
    "decisions": (
        Session.decisions,
        lambda s: {"from": f.count(0, MOST_MOVES, 0), "viewer": f.viewer(s.seats, ...)},
        True,
    ),
    "hint": (Session.hint, lambda s: {"bot": f.text(), "seed": f.seed(None)}, True),
    "simulate": (
        Session.simulate,
        lambda s: {"games": f.count(1, MOST_SIMULATED, 100), "seed": f.seed(0)},
        True,
    ),
    "save": (Session.save, lambda s: {"file": f.text()}, True),
    "load": (Session.load, lambda s: {"file": f.text(), "record": f.text()}, False),
    "rules": (Session.rules, lambda s: {}, False),
    "quit": (Session.quit, lambda s: {}, False),
}
