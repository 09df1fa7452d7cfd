"""Three voices on one game: the reference, the Python tier and the C tier, compared at every decision.

A Disagreement says what they differ in and after which decisions. An exception that is no Fault is one too: no rule
file that was found good makes the engine stumble.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from interpreter import Game, Move, State
from interpreter.fault import Fault
from interpreter.layout import Layout, put
from interpreter.reference import OpenAsk, Reference
from interpreter.run.runtime import DRAW, ROLL
from interpreter.seeds import random_state
from rulespec.syntax import Choice, Several, Values
from tests.compiled import random_run

TracedState = tuple[str, str, int]  # a fault in comparable words: message, file, line


class Disagreement(AssertionError):
    """Two voices differ."""

    def __init__(self, what: str, one: object, other: object, path: list[Move]) -> None:
        self.what, self.one, self.other, self.path = what, one, other, list(path)
        way = ", ".join(map(str, path)) or "at the start"
        super().__init__(f"{what} differ ({way})\n  reference: {one}\n  engine:    {other}")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a voice stopped: with a fault, or with an exception that no rule file may cause."""

    told: TracedState | str


def attempt(act: Callable[[], Any]) -> Any:
    """Return the result of an act, or how it stopped. Any exception of the engine's is a finding, so all are caught."""
    try:
        return act()
    except Fault as fault:
        # the engine names the kind only where that is known before play
        message = re.sub(r"^no room for .*?:", "no room for a piece:", fault.message)
        return Ended((message, fault.span.file, fault.span.line))
    except Exception as error:
        return Ended(f"{type(error).__name__}: {error}")


@dataclass
class Comparison:
    """A game in the reference and in the Python tier, decided alike."""

    game: Game
    path: list[Move] = field(default_factory=list)
    ledger: int = 0  # lines compared
    checks: int = 0
    state: State | None = None  # the last position that was equal
    ended: bool = False

    def same(self, what: str, reference: object, engine: object) -> None:
        self.checks += 1
        if reference != engine:
            raise Disagreement(what, reference, engine, self.path)

    def play(self, choose: Callable[[list[Move]], Move | None], texts: random.Random | None = None) -> str:
        """Play until `choose` gives no move or the game ends; tells how it ended. `texts` samples words too."""
        reference = attempt(lambda: Reference(self.game.model))
        state = attempt(self.game.start)
        while True:
            if isinstance(reference, Ended) or isinstance(state, Ended):
                self.same("results", reference, state)
                return "fault"
            self.position(reference, state)
            moves = reference.legal_moves()
            if texts is not None:
                self.words(reference, state, moves, texts)
            if not moves:
                self.same("outcomes", attempt(reference.outcome), attempt(lambda s=state: self.game.outcome(s)))  # type: ignore[misc]
                return "end"
            move = choose(moves)
            if move is None:
                return "open"
            reference, state = self.step(reference, state, move)

    def step(self, reference: Reference, state: State, move: Move) -> tuple[Any, Any]:
        self.path.append(move)
        ended = attempt(lambda: reference.apply(move))
        return (reference if ended is None else ended), attempt(lambda: self.game.apply(state, move))

    def position(self, reference: Reference, state: State) -> None:
        """Everything that a position tells, but its words."""
        game = self.game
        self.same("players to move", reference.to_move, state.to_move)
        self.same("numbers of decisions", reference.decisions, state.decisions)
        layout = game.layout
        self.same("positions", named(layout, vector_of(layout, reference)), named(layout, list(state.vector)))
        moves = attempt(lambda: game.legal_moves(state))
        self.same("legal moves", [str(m) for m in reference.legal_moves()], moves if isinstance(moves, Ended) else [str(m) for m in moves])  # fmt: skip
        self.same("legal moves as values", reference.legal_moves(), moves)
        self.same("numbers of moves", len(moves), game.count_moves(state))
        self.same("chances", reference.chances(), game.chances(state))
        self.same("ledger lines", reference.ledger[self.ledger :], game.ledger(state)[self.ledger :])
        self.ledger = len(reference.ledger)
        self.same("scores", reference.scores(), game.scores(state))
        self.state = state

    def words(self, reference: Reference, state: State, moves: list[Move], rng: random.Random) -> None:
        """The text of a legal move, and the refusals of one that is not legal."""
        if not moves:
            return
        move = rng.choice(moves)
        self.same("texts of a move", reference.describe(move), attempt(lambda: self.game.describe(state, move)))
        if isinstance(reference.decision, OpenAsk):
            name = rng.choice(reference.decision.step.moves)[0]
            args = tuple(any_value(c, rng) for c in self.game.model.moves[name].choices)
            other = Move(name, args, self.game.notation.move(name, args))
            self.same("objections", reference.objections(other), attempt(lambda: self.game.objections(state, other)))


def any_value(choice: Choice, rng: random.Random) -> Any:
    """Return a value of a choice's type, which may be outside its domain."""
    match choice.type:
        case Several():
            return tuple(rng.randrange(2) for _ in choice.type.kinds)
        case Values():
            codes = sorted(choice.type.members)
            if choice.type.lo is not None and choice.type.hi is not None:
                codes += range(choice.type.lo, min(choice.type.hi, choice.type.lo + 20) + 1)
            return rng.choice(codes)
    raise AssertionError(choice)


def vector_of(layout: Layout, reference: Reference) -> list[int]:
    """Return the vector on which the engine would keep the reference's position; what suspended steps keep is left out."""
    vector = list(layout.start)
    for name, lay in layout.places.items():
        vector[lay.base : lay.end] = [0 if lay.place.shape != "cell" else layout.start[layout.nowhere_cell]] * (
            lay.end - lay.base
        )
        for number, pieces in enumerate(reference.places[name]):
            for kind in pieces:
                put(layout, vector, name, number, kind, 1)
    for name, variable in layout.variables.items():
        vector[variable.base : variable.base + len(variable.variable.starts)] = reference.variables[name]
    return vector


def named(layout: Layout, vector: list[int]) -> dict[str, tuple[int, ...]]:
    """Return the stretches of a vector by name, and the place that must stay empty; what suspended steps keep is left out."""
    first = min((lay.base for lay in layout.places.values()), default=layout.nowhere_cell + 1)
    found = {"nowhere": tuple(vector[1:first])}
    found |= {name: tuple(vector[lay.base : lay.end]) for name, lay in layout.places.items()}
    for name, variable in layout.variables.items():
        found[name] = tuple(vector[variable.base : variable.base + len(variable.variable.starts)])
    return found


# Comparisons ---------------------------------------------------------------------------------------------


def compare_play(game: Game, seed: int, limit: int, words: bool = True) -> Comparison:
    """Return one game at random, decided alike by both; raises Disagreement."""
    rng = random.Random(seed)
    comparison = Comparison(game)

    def choose(moves: list[Move]) -> Move | None:
        return rng.choice(moves) if len(comparison.path) < limit else None

    comparison.ended = comparison.play(choose, random.Random(seed + 1) if words else None) != "open"
    return comparison


def compare_told(game: Game, told: list[str]) -> Comparison:
    """Return one game decided as told; raises Disagreement."""
    comparison = Comparison(game)
    waiting = iter(told)

    def choose(moves: list[Move]) -> Move | None:
        text = next(waiting, None)
        return next((m for m in moves if str(m) == text), None)

    comparison.ended = comparison.play(choose) != "open"
    return comparison


def compare_all(game: Game, seeds: range, limit: int, native: bool = False) -> int:
    """Games at the table and, where they end, simulated ones; gives how many comparisons were made."""
    played = [compare_play(game, seed, limit) for seed in seeds]
    checks = sum(c.checks for c in played)
    if all(c.ended for c in played):
        checks += sum(compare_simulation(game, seed, native).checks for seed in seeds)
    return checks


def traced(game: Game, seed: int) -> tuple[list[Move], list[int] | Ended]:
    """Return a random game of the simulation: its decisions, and its final vector or how it stopped."""
    run, vector = random_run(random_state(seed)), list(game.layout.start)
    ended = attempt(lambda: game.compiled.traced.go(vector, run, game.compiled.program.begin))
    moves = list(game.model.moves.values())
    rules = [moves[i] for i in game.compiled.program.moves]
    path = []
    for number, args in run.trail:
        name, args = {DRAW: ("draw", (args,)), ROLL: ("roll", (args,))}.get(number) or (rules[number].name, args)
        words = game.notation.chance(name, args[0]) if number < 0 else game.notation.move(name, args)
        path.append(Move(name, args, words))
    return path, vector if ended is None else ended


def compare_simulation(game: Game, seed: int, native: bool = False) -> Comparison:
    """Return a simulated game is one that could be played: it is retold to the reference and to the verbs.

    `native` adds the C tier: the same final vectors and faults.
    """
    path, end = traced(game, seed)
    python = attempt(lambda: list(game.python_playout(seed).vector))
    comparison = Comparison(game)
    waiting = iter(path)

    def choose(moves: list[Move]) -> Move | None:
        if (move := next(waiting, None)) is not None:
            if move not in moves:
                raise Disagreement("simulated decisions", [str(m) for m in moves], str(move), comparison.path)
            return move
        # a draw of too many faults before the first one in a simulation, after the last one at a table
        too_few = isinstance(end, Ended) and end.told[0] == "too few pieces to draw"
        return moves[0] if too_few and moves[0].name == "draw" else None

    how = comparison.play(choose)
    if isinstance(end, Ended) and isinstance(end.told, str):
        raise Disagreement("simulations", how, end, comparison.path)
    comparison.same("ends of simulations", how, "fault" if isinstance(end, Ended) else "end")
    comparison.same("traced and untraced simulations", end, python)
    if native and game.compile():
        comparison.same("native simulations", python, attempt(lambda: list(game.playout(seed).vector)))
    if not isinstance(end, Ended):
        assert comparison.state is not None
        comparison.same("final vectors", list(comparison.state.vector), end)
    return comparison
