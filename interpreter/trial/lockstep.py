"""Two games played on the same decisions, to find the first position in which they part."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from math import gcd

from interpreter.budget import Budget, BudgetSpent, cost_of
from interpreter.fault import Fault
from interpreter.game import Game
from interpreter.state import CHANCE, LedgerLine, Move, State

MOVES, TURN, POINTS, OUTCOME, CHANCES, FAULT = "moves", "turn", "points", "outcome", "chances", "fault"
LONGEST = 5000  # decisions of one game
EACH = 300  # decisions for each of the games that are to be played: a few long ones are not continued
USUAL = 50  # what a decision may cost that is made in both games and counted once
EFFORT = 6000  # decisions spent on making the way to a parting shorter,
EFFORT_FOR_ALL = 2000  # and on looking at all ways that are shorter still
_TASTE = 1.5  # how different the tastes of random players are
_LURE = 6.0  # how much more they like what the changed rules mention

Starts = Callable[[], tuple[State, State]]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the games at a parting: its position, what only it allows, and what was scored by the last decision."""

    state: State | None  # none after a fault
    only: tuple[Move, ...]
    scored: tuple[LedgerLine, ...]
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Parting:
    """The first position after these decisions in which two games differ, and in what."""

    kind: str
    decisions: tuple[str, ...]
    texts: tuple[tuple[int, str], ...]  # who decided, perhaps CHANCE, and the decisions in the author's words
    sides: tuple[Side, Side]
    example: str = ""  # the worked example it begins from; empty: the start
    shortest: bool = False  # all ways from the start with fewer decisions were looked at, and on none of them they part


@dataclass(slots=True)
class Lockstep:
    """Plays two games side by side. `lures` are words that the changed rules mention."""

    a: Game
    b: Game
    lures: frozenset[str] = frozenset()

    def search(self, games: int, budget: Budget) -> tuple[Parting | None, int]:
        """Return the shortest parting found in `games` random games from the start, and how many were played to their end.

        If the budget is spent, no more games are played.
        """
        best: Parting | None = None
        weaker: Parting | None = None
        played = 0
        shorter = Budget("a shorter way", EFFORT)
        with suppress(BudgetSpent):
            while played < games and (best is None or (best.decisions and shorter.spent <= EFFORT // 3)):
                most = len(best.decisions) - 1 if best else LONGEST
                found, chances = self._walk(self._starts, self._chooser(played), most, shorter if best else budget)
                best = found or best
                weaker = weaker or chances
                played += 1
        return self._shortest(self._shorter(best, shorter)) if best else weaker, played

    def from_examples(
        self, positions: Iterable[tuple[str, State, State, tuple[str, ...]]], budget: Budget
    ) -> Parting | None:
        """Return the shortest parting found from the positions of worked examples, with what is decided in them."""
        best: Parting | None = None
        with suppress(BudgetSpent):
            for name, a, b, play in positions:
                most = len(best.decisions) - 1 if best else len(play)
                if most < 0:
                    break
                found, _ = self._walk(lambda a=a, b=b: (a, b), _follow(play), min(most, len(play)), budget)  # type: ignore[misc]
                if found:
                    best = Parting(found.kind, found.decisions, found.texts, found.sides, name)
        return best

    # one game --------------------------------------------------------------------------------------------

    def _starts(self) -> tuple[State, State]:
        return self.a.start(), self.b.start()

    def _walk(
        self, starts: Starts, choose: Callable[[list[Move]], Move | None], most: int, budget: Budget
    ) -> tuple[Parting | None, Parting | None]:
        """Return the parting of one game, and the first position in which only the chances differ."""
        decisions: list[str] = []
        texts: list[tuple[int, str]] = []
        weaker: Parting | None = None
        try:
            a, b = starts()
        except Fault as fault:
            return Parting(FAULT, (), (), (Side(None, (), (), fault), Side(None, (), (), fault))), None
        before: tuple[State | None, State | None] = None, None
        while True:
            legal = self.a.legal_moves(a), self.b.legal_moves(b)
            shared = {str(m) for m in legal[0]} & {str(m) for m in legal[1]}
            kind = self._differ(a, b, len(shared) == len(legal[0]) == len(legal[1]))
            if kind == CHANCES and weaker is None:
                weaker = self._parting(kind, decisions, texts, a, b, before)
            elif kind and kind != CHANCES:
                return self._parting(kind, decisions, texts, a, b, before), weaker
            if a.to_move is None or len(decisions) >= most:
                return None, weaker
            move = choose([m for m in legal[0] if str(m) in shared])
            if move is None:
                return None, weaker
            texts.append((a.to_move, self.a.describe(a, move)))
            decisions.append(str(move))
            before = a, b
            nexts = [_applied(game, state, str(move)) for game, state in ((self.a, a), (self.b, b))]
            less, more = sorted(cost_of(game, n) for game, n in zip((self.a, self.b), nexts, strict=True))
            budget.spend(more + max(0, less - USUAL))
            if any(isinstance(n, Fault) for n in nexts):
                if all(isinstance(n, Fault) for n in nexts):
                    return None, weaker
                one, two = (_side_after(n) for n in nexts)
                return Parting(FAULT, tuple(decisions), tuple(texts), (one, two)), weaker
            a, b = (n for n in nexts if isinstance(n, State))

    def _differ(self, a: State, b: State, same_moves: bool) -> str:
        """Return in what way two positions differ, as far as players see; empty if they do not."""
        if self.a.scores(a) != self.b.scores(b):
            return POINTS
        if a.to_move != b.to_move:
            return TURN
        if a.to_move is None:
            one, two = self.a.outcome(a), self.b.outcome(b)
            same = one is not None and two is not None and one.winners == two.winners
            return "" if same else OUTCOME
        if not same_moves:
            return MOVES
        return CHANCES if a.to_move == CHANCE and _odds(self.a, a) != _odds(self.b, b) else ""

    def _parting(
        self,
        kind: str,
        decisions: list[str],
        texts: list[tuple[int, str]],
        a: State,
        b: State,
        before: tuple[State | None, State | None],
    ) -> Parting:
        sides = []
        for game, state, other, theirs, since in (
            (self.a, a, self.b, b, before[0]),
            (self.b, b, self.a, a, before[1]),
        ):
            allowed = {str(m) for m in other.legal_moves(theirs)}
            only = tuple(m for m in game.legal_moves(state) if str(m) not in allowed)
            lines = game.ledger(state, since) if kind == POINTS else []
            sides.append(Side(state, only, tuple(line for line in lines if line.points or line.gained)))
        return Parting(kind, tuple(decisions), tuple(texts), (sides[0], sides[1]))

    # who decides -----------------------------------------------------------------------------------------

    def _chooser(self, seed: int) -> Callable[[list[Move]], Move | None]:
        """Return players with tastes of their own: each game likes some words of moves more than others."""
        dice = random.Random(seed)
        tastes: dict[str, float] = {}

        def taste(word: str) -> float:
            if word not in tastes:
                tastes[word] = 2.718 ** dice.gauss(0, _TASTE if seed else 0)
                if seed % 2 and word in self.lures:
                    tastes[word] *= _LURE
            return tastes[word]

        def choose(moves: list[Move]) -> Move | None:
            if not moves:
                return None
            weights = []
            for m in moves:
                weight = 1.0
                for word in dict.fromkeys(str(m).replace(",", " ").split()):
                    weight *= taste(word)
                weights.append(weight)
            return dice.choices(moves, weights)[0]

        return choose

    # a shorter way ---------------------------------------------------------------------------------------

    def _shorter(self, found: Parting, budget: Budget) -> Parting:
        """Return a parting with as few decisions as can be found by leaving some out; what then lacks is the first that is legal."""
        wanted, best = list(found.decisions), found
        size = max(1, len(wanted) // 2)
        with suppress(BudgetSpent):
            while size and best.decisions:
                at = 0
                while at < len(wanted):
                    fewer = wanted[:at] + wanted[at + size :]
                    shorter, _ = self._walk(self._starts, _first_wanted(fewer), len(best.decisions) - 1, budget)
                    if shorter:
                        best, wanted = shorter, list(shorter.decisions)
                    else:
                        at += size
                size //= 2
        return best

    def _shortest(self, found: Parting) -> Parting:
        """Return the parting with the fewest decisions, if all shorter ways can be looked at; else the one that was found."""
        if not found.decisions:
            return replace(found, shortest=True)
        budget = Budget("all shorter ways", EFFORT_FOR_ALL)
        level: list[tuple[State, State, tuple[str, ...]]] = [(*self._starts(), ())]
        seen: set[tuple[State, State]] = set()
        with suppress(BudgetSpent):
            for _ in range(1, len(found.decisions)):
                following = []
                for a, b, before in level:
                    for move in map(str, self.a.legal_moves(a)):
                        way = (*before, move)
                        if (pair := self._both(a, b, move, budget)) is None:
                            sooner, _ = self._walk(self._starts, _follow(way), len(way), Budget("this way", LONGEST))
                            if sooner is not None:
                                return replace(sooner, shortest=True)
                        elif pair[0].to_move is not None and pair not in seen:
                            seen.add(pair)
                            following.append((*pair, way))
                level = following
            return replace(found, shortest=True)
        return found

    def _both(self, a: State, b: State, move: str, budget: Budget) -> tuple[State, State] | None:
        """Return both games after a decision; None where they part, or cannot continue."""
        one, two = _applied(self.a, a, move), _applied(self.b, b, move)
        budget.spend(max(cost_of(self.a, one), cost_of(self.b, two)))
        if isinstance(one, Fault) or isinstance(two, Fault):
            return None
        legal = [{str(m) for m in game.legal_moves(state)} for game, state in ((self.a, one), (self.b, two))]
        return (one, two) if self._differ(one, two, legal[0] == legal[1]) in ("", CHANCES) else None


def _odds(game: Game, state: State) -> dict[str, tuple[int, int]]:
    """Return how likely each outcome is, as a fraction in lowest terms."""
    found = {str(m): weight for m, weight in game.chances(state)}
    total = sum(found.values())
    return {word: (weight // gcd(weight, total), total // gcd(weight, total)) for word, weight in found.items()}


def _applied(game: Game, state: State, move: str) -> State | Fault:
    try:
        return game.apply(state, move)
    except Fault as fault:
        return fault


def _side_after(result: State | Fault) -> Side:
    return Side(None, (), (), result) if isinstance(result, Fault) else Side(result, (), ())


def _follow(play: tuple[str, ...]) -> Callable[[list[Move]], Move | None]:
    rest: Iterator[str] = iter(play)

    def choose(moves: list[Move]) -> Move | None:
        wanted = " ".join(next(rest, "").split())
        return next((m for m in moves if str(m) == wanted), None)

    return choose


def _first_wanted(wanted: list[str]) -> Callable[[list[Move]], Move | None]:
    """Return the next wanted decision that is legal, or the first legal one where none is."""
    at = 0

    def choose(moves: list[Move]) -> Move | None:
        nonlocal at
        legal = {str(m): m for m in moves}
        for i in range(at, len(wanted)):
            if wanted[i] in legal:
                at = i + 1
                return legal[wanted[i]]
        return moves[0] if moves else None

    return choose
