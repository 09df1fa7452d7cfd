"""Three voices on one program: the reference, the program printed as Python, and printed as C, at every decision.

Legal moves in order, positions, ledgers with their words, events, faults with their line, and outcomes are equal, or
a Disagreement says what differs and after which decisions. An exception that is no Fault is one too: no rule file that
was found good makes a program stumble.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interpreter import Move
from interpreter.compile.lower import PASSES, lower_plainly
from interpreter.compile.verify import verify
from interpreter.fault import LIMIT, Fault
from interpreter.reference import Reference
from interpreter.run.runtime import DRAW, ROLL
from interpreter.state import CHANCE
from rulespec.syntax import Model
from tests.agreement import Disagreement, Ended, attempt, named, vector_of
from tests.compiled import Compiled, Finished, Native, NativeSitting, Sitting


@dataclass
class Comparison:
    """A game in the reference and in one program, decided alike."""

    compiled: Compiled
    watched: bool = False  # whether the program says which pieces moved and which conditions refused
    native: Native | None = None  # the same program in C
    limit: int = LIMIT
    path: list[Move] = field(default_factory=list)
    checks: int = 0
    ledger: int = 0  # lines compared,
    moved: int = 0  # and movements

    def same(self, what: str, reference: object, program: object) -> None:
        self.checks += 1
        if reference != program:
            raise Disagreement(what, reference, program, self.path)

    def play(self, choose: Callable[[list[Move]], Move | None]) -> str:
        """Play until `choose` gives no move or the game ends; tells how it ended."""
        model = self.compiled.model
        self.compiled.refused.clear()
        reference = attempt(lambda: Reference(model, limit=self.limit))
        sitting = attempt(lambda: Sitting(self.compiled, self.limit))
        library = self.native
        native = None if library is None else attempt(lambda: NativeSitting(library, self.limit))
        while True:
            if isinstance(reference, Ended) or isinstance(sitting, Ended):
                self.same("results", reference, sitting)
                if native is not None:
                    self.same("results in C", reference, native)
                return "fault"
            moves = self.position(reference, sitting)
            numbers = {} if native is None else self.native_position(sitting, native, moves)
            if not moves:
                self.end(reference, sitting, native)
                return "end"
            move = choose(list(moves))
            if move is None:
                return "open"
            self.path.append(move)
            ended = attempt(lambda r=reference, m=move: r.apply(m))  # type: ignore[misc]
            number, args = moves[move]
            other = attempt(lambda s=sitting, n=number, a=args: s.apply(n, a))  # type: ignore[misc]
            reference, sitting = ended or reference, other or sitting
            if native is not None:
                third = attempt(lambda n=native, a=numbers[move]: n.apply(a))  # type: ignore[misc]
                native = third or native

    def end(self, reference: Reference, sitting: Sitting, native: NativeSitting | None) -> None:
        """Compares how a game ended that is over."""
        outcome = attempt(reference.outcome)
        self.same("outcomes", outcome, attempt(lambda: self.compiled.outcome(sitting.vector, sitting.run)))
        if native is not None:
            places = attempt(native.places)
            if isinstance(outcome, Ended) or isinstance(places, Ended):
                self.same("outcomes in C", outcome, places)
                return
            lines = [name for name, _ in self.compiled.model.winner]
            players = range(1, self.compiled.model.players + 1)
            ranking = [next(i + 1 for i, some in enumerate(outcome.ranking) if p in some) for p in players]
            self.same("outcomes in C", (ranking, outcome.reason), (places[0], lines[places[1]]))

    def native_position(
        self, sitting: Sitting, native: NativeSitting | Ended, moves: dict[Move, tuple[int, Any]]
    ) -> dict[Move, int]:
        """Compares what a position tells in C with the Python; gives the number of each legal move."""
        if isinstance(native, Ended):
            self.same("results in C", sitting, native)
            raise AssertionError
        self.same("positions in C", sitting.vector, native.vector)
        listed = native.listed()
        self.same("numbers of moves in C", len(moves), len(listed))
        if not moves:
            return {}
        if not sitting.asks:
            self.same("chances in C", sitting.chances(), list(zip(listed, native.weights(), strict=True)))
        elif (actions := native.native.actions) is not None:
            of = self.compiled.program.moves
            self.same("legal moves in C", [actions.number(of[n], args) for n, args in moves.values()], listed)
            self.same("mask in C", sorted(listed), native.masked())
        self.same("players to move in C", sitting.moves()[0] if sitting.asks else CHANCE, native.player)
        return dict(zip(moves, listed, strict=True))

    def position(self, reference: Reference, sitting: Sitting) -> dict[Move, tuple[int, Any]]:
        """Compares all that a position tells; gives the legal moves, with what the program calls them."""
        compiled, layout = self.compiled, self.compiled.layout
        self.same("positions", named(layout, vector_of(layout, reference)), named(layout, sitting.vector))
        lines = compiled.ledger(sitting.run.log[self.ledger :])
        self.same("ledger lines", reference.ledger[self.ledger :], lines)
        self.ledger = len(reference.ledger)
        if self.watched:
            self.events(reference, sitting)
        moves = reference.legal_moves()
        if not moves:
            self.same("ends", 0, sitting.at)
            return {}
        if reference.to_move == CHANCE:
            rows = attempt(sitting.chances)
            self.same("chances", [(m.args[0], n) for m, n in reference.chances()], rows)
            return {m: (0, m.args[0]) for m in moves}
        self.same("kinds of decisions", True, sitting.asks)
        listed = attempt(sitting.moves)
        numbers = list(compiled.model.moves)
        if isinstance(listed, Ended):
            self.same("legal moves", [str(m) for m in moves], listed)
        player, offered = listed
        words = [(numbers[compiled.program.moves[n]], args) for n, args in offered]
        self.same("legal moves", [(m.name, m.args) for m in moves], words)
        self.same("players to move", reference.to_move, player)
        return dict(zip(moves, offered, strict=True))

    def events(self, reference: Reference, sitting: Sitting) -> None:
        """The pieces that moved, and the conditions that refused a choice."""
        layout, model = self.compiled.layout, self.compiled.model
        moved = [
            (layout.places[a.family].address(a.number), layout.places[b.family].address(b.number), kind)
            for a, b, kind in reference.moved
        ]
        told = [(a, b, kind) for a, b, kind, many in sitting.run.moved for _ in range(many)]
        self.same("movements", moved[self.moved :], told[self.moved :])
        self.moved = len(moved)
        moves = list(model.moves.values())
        refused = {(moves[self.compiled.program.moves[m]], c) for m, c in self.compiled.refused}
        self.same("refusals", reference.refused, {(move.name, move.conditions[c].name) for move, c in refused})
        self.same("marks", reference.marks, sitting.run.marks)


def compare_game(compiled: Compiled, seed: int, limit: int, watched: bool = False, native: Native | None = None) -> str:
    """Return one game at random, decided alike by all; tells how it ended."""
    rng = random.Random(seed)
    comparison = Comparison(compiled, watched, native)

    def choose(moves: list[Move]) -> Move | None:
        return rng.choice(moves) if len(comparison.path) < limit else None

    return comparison.play(choose)


def compare_told(compiled: Compiled, told: list[str], watched: bool = False, native: Native | None = None) -> str:
    """Return one game decided as told."""
    waiting = iter(told)

    def choose(moves: list[Move]) -> Move | None:
        text = next(waiting, None)
        return next(m for m in moves if str(m) == text) if text is not None else None

    return Comparison(compiled, watched, native).play(choose)


def compare_random(compiled: Compiled, state: int, native: Native | None = None, limit: int = LIMIT) -> str:
    """Return a game in which everybody decides at random, retold to the reference; C plays the same one."""
    traced = attempt(lambda: compiled.finished(state, traced=True, limit=limit))
    comparison = Comparison(compiled, limit=limit)
    trail = iter(_moves(compiled, traced) if isinstance(traced, Finished) else ())

    def choose(moves: list[Move]) -> Move | None:
        move = next(trail, None)
        if move is not None and move not in moves:
            raise Disagreement("random decisions", [str(m) for m in moves], str(move), comparison.path)
        return move

    how = comparison.play(choose)
    if not isinstance(traced, Finished):
        raise Disagreement("random games", how, traced, comparison.path)
    comparison.same("ends of random games", how, "end" if traced.fault is None else "fault")
    _same_end(
        comparison, "random games, traced and not", traced, attempt(lambda: compiled.finished(state, limit=limit))
    )
    if native is not None:
        _same_end(comparison, "random games in C", traced, attempt(lambda: native.finished(state, limit)))
    return how


def _same_end(comparison: Comparison, what: str, one: Finished, other: Any) -> None:
    layout = comparison.compiled.layout
    if not isinstance(other, Finished):
        raise Disagreement(what, one, other, comparison.path)
    comparison.same(f"{what}: faults", _fault(one.fault), _fault(other.fault))
    comparison.same(what, named(layout, one.vector), named(layout, other.vector))
    if one.fault is None:
        comparison.same(f"{what}: all numbers", one.vector, other.vector)


def _fault(fault: Fault | None) -> tuple[str, int] | None:
    return None if fault is None else (fault.span.file, fault.span.line)


def _moves(compiled: Compiled, game: Finished) -> list[Move]:
    found = []
    names = list(compiled.model.moves)
    for number, args in game.trail:
        if number in (DRAW, ROLL):
            kind = "draw" if number == DRAW else "roll"
            found.append(Move(kind, (args,), compiled.notation.chance(kind, args)))
        else:
            name = names[compiled.program.moves[number]]
            found.append(Move(name, args, compiled.notation.move(name, args)))
    return found


def verified(model: Model) -> None:
    """Nothing is wrong with the program of a model, before and after every pass; raises Disagreement."""
    program, _ = lower_plainly(model)
    for name, change in (("lowering", None), *((change.__name__, change) for change in PASSES)):
        program = change(program) if change is not None else program
        if wrong := list(verify(program)):
            raise Disagreement(f"verified after {name}", [], wrong[:5], [])


def compare_model(model: Model, games: int, limit: int, folder: Path | None = None) -> None:
    """All voices on some games of one model; C too where there is a folder for its library."""
    verified(model)
    compiled, watched = Compiled(model), Compiled(model, watched=True)
    native = Native(compiled, folder) if folder is not None else None
    ends = []
    for seed in range(games):
        if seed % 2:
            ends.append(compare_game(watched, seed, limit, watched=True))
        else:
            ends.append(compare_game(compiled, seed, limit, native=native))
    if "open" in ends:
        return
    rng = random.Random(games)
    for _ in range(games):
        compare_random(compiled, rng.getrandbits(64), native)
