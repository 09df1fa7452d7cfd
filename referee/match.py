"""One game being played: its positions, who sits where, and why every point was scored. It never prints."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from interpreter import CHANCE, Game, LedgerLine, Move, State
from referee.bots import BOTS
from rulespec.expr.types import Several

HUMAN = "human"
SEATS = (HUMAN, *BOTS)


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision and what it brought. `player` is CHANCE where chance decided."""

    number: int
    player: int
    move: Move
    text: str  # in the author's words
    points: tuple[LedgerLine, ...] = ()

    def as_data(self) -> dict[str, object]:
        who: int | str = "chance" if self.player == CHANCE else self.player
        points = [ledger_data(line) for line in self.points]
        return {"number": self.number, "player": who, "move": str(self.move), "text": self.text, "points": points}


def ledger_data(line: LedgerLine) -> dict[str, object]:
    return {
        "decision": line.decision,
        "player": line.player,
        "rule": line.rule,
        "text": line.text,
        "points": line.points,
        "gained": line.gained,
        "file": line.span.file,
        "line": line.span.line,
    }


@dataclass
class Match:
    game: Game
    state: State
    seats: tuple[str, ...]
    seed: int
    rng: random.Random
    decided: list[Decided] = field(default_factory=list)
    start_scores: dict[int, int] = field(default_factory=dict)
    _before: list[tuple[State, int]] = field(default_factory=list)  # the positions in which a person decided

    @classmethod
    def begin(cls, game: Game, seats: tuple[str, ...], seed: int, first: int | None = None) -> Match:
        """A new game. Raises LookupError if the rules do not let player `first` begin."""
        given = {} if first is None else first_given(game, first)
        state = game.start(seed, given)
        if first is not None and state.to_move not in (first, None):
            raise LookupError(first)
        match = cls(game, state, seats, seed, random.Random(f"{seed} bots"))
        lines = game.ledger(state)
        gained = {p: sum(line.gained for line in lines if line.player == p) for p in game.scores(state)}
        match.start_scores = {p: n - gained[p] for p, n in game.scores(state).items()}
        match._note(None, state, 0)
        return match

    @property
    def over(self) -> bool:
        return self.state.to_move is None

    @property
    def human(self) -> bool:
        """Whether a person is to decide."""
        return bool(self.state.to_move) and self.seats[self.state.to_move - 1] == HUMAN  # type: ignore[operator]

    @property
    def viewer(self) -> int | None:
        """Whose eyes the screen is for: the one person playing, or of several the one to move."""
        people = [i for i, seat in enumerate(self.seats, 1) if seat == HUMAN]
        if len(people) == 1:
            return people[0]
        return self.state.to_move if self.human else None

    def play(self, move: Move | str) -> list[Decided]:
        """Plays a move of the player to move; what was decided, by the player and then by chance."""
        before = self.state
        if self.human:
            self._before.append((before, len(self.decided)))
        try:
            self.state = self.game.apply(before, move)
        except Exception:
            if self.human:
                self._before.pop()
            raise
        return self._note(before, self.state, before.decisions)

    def play_bot(self) -> list[Decided]:
        assert self.state.to_move
        bot = BOTS[self.seats[self.state.to_move - 1]]
        return self.play(bot(self.game, self.state, self.rng))

    def undo(self) -> list[Decided]:
        """Back to the last decision of a person; what was taken back."""
        if not self._before:
            return []
        self.state, length = self._before.pop()
        back, self.decided = self.decided[length:], self.decided[:length]
        return back

    def ledger(self) -> list[LedgerLine]:
        """Every reason for points, in the words of the moment."""
        return [line for decided in self.decided for line in decided.points]

    def _note(self, before: State | None, after: State, known: int) -> list[Decided]:
        """Remembers what was decided since: texts and reasons are taken now, while they are fresh."""
        moves = self.game.decisions(after)[known:]
        fresh = self.game.ledger(after)[len(self.ledger()) :]
        last = known + len(moves)
        found = []
        for number, move in enumerate(moves, known + 1):
            player, text = CHANCE, str(move)
            if before is not None and before.to_move and number == known + 1:
                player, text = before.to_move, self.game.describe(before, move)
            points = tuple(line for line in fresh if min(max(line.decision, known + 1), last) == number)
            found.append(Decided(number, player, move, text, points))
        if not moves and fresh:  # points before anybody decided anything
            found.append(Decided(known, CHANCE, Move("start", (), "start"), "start", tuple(fresh)))
        self.decided += found
        return found

    def text_for(self, decided: Decided, viewer: int | None) -> str | None:
        """A decision as somebody at the table may read it; none: not at all."""
        if viewer is None or decided.player == viewer:
            return str(decided.move)
        if decided.player == CHANCE:
            return None  # the boards show what everybody may see of it
        choices = self.game.model.moves[decided.move.name].choices
        if any(isinstance(c.type, Several) and self._hidden(c.source) for c in choices):
            return decided.move.name
        return str(decided.move)

    def _hidden(self, source: object) -> bool:
        family = getattr(getattr(source, "type", None), "family", "")
        return family in self.game.model.places and self.game.model.places[family].seen_by != "everyone"

    def as_data(self, name: str) -> dict[str, object]:
        """The whole game as plain data, for `--json`."""
        outcome = self.game.outcome(self.state)
        return {
            "version": 1,
            "game": name,
            "title": self.game.title,
            "players": self.game.players,
            "options": self.game.options,
            "seed": self.seed,
            "seats": list(self.seats),
            "decisions": [d.as_data() for d in self.decided],
            "scores": {str(p): n for p, n in self.game.scores(self.state).items()},
            "ledger": [ledger_data(line) for line in self.ledger()],
            "outcome": None
            if outcome is None
            else {
                "winners": list(outcome.winners),
                "reason": outcome.reason,
                "ranking": [list(group) for group in outcome.ranking],
                "scores": {str(p): n for p, n in outcome.scores.items()},
            },
        }


def first_given(game: Game, first: int) -> dict[str, int | str]:
    """What lets a player begin, in any game: every variable that names player 1 at the start names this one."""
    players = game.model.sets["player"].values
    return {
        v.name: first
        for v in game.model.variables.values()
        if not v.index and getattr(v.type, "home", "") == "player" and v.starts[0] == players[0]
    }
