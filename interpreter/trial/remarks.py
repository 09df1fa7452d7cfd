"""Remarks on what is surely not meant, though the rules can be played: somebody who never decides, a move that always wins.

Each is made only of what held in every one of many games, whoever played them, or of what nobody did who could, hundreds of times. Pieces that
nothing takes back are not remarked on: they may be out of the game on purpose, and no game shows whether they are.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from interpreter.budget import Budget, BudgetSpent, heaviness
from interpreter.game import Game
from interpreter.state import Move, State
from interpreter.trial.coverage import Point
from interpreter.trial.good_play import Chooser, any_move, greedy, play
from interpreter.trial.offered import Offered
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.english import listed, number_of
from rulespec.rules import Rules
from rulespec.syntax import AskStep, IfStep, LetStep, Model, MoveRule, SetStep, TellStep, all_steps, bodies

MANY = 20  # games with the same number of players before anything is said about who decides in them,
MANY_DECISIONS = 100  # and decisions
A_FEW = 3  # decisions of a game in which the turn could have passed
PASSED = 30  # games in which one player always makes the same move
PASSING_WORK = 60_000  # decisions and random continuations in all of these
EACH_VALUE = 100  # decisions for each value of a choice, before anything is said about one that never was offered
GOOD_GAMES = 10  # greedy games in which a move was legal beside others,
OFTEN_LEGAL = 200  # and decisions, before it is said that nobody chose it
OFTEN_TAKEN = 20  # decisions of greedy players,
MOSTLY = 0.5  # and in which part of them they made it, before a move is tried as the one that always wins,
SAME = 40  # in so many games,
SAME_WORK = 120_000  # with so many decisions and random continuations


@dataclass(slots=True)
class Chances:
    """In how many decisions and games something was legal beside something else, and how often it was chosen then."""

    legal: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    chosen: Counter[str] = field(default_factory=Counter)
    move: dict[str, str] = field(default_factory=dict)  # the move that it is


@dataclass(slots=True)
class Taken:
    """The moves, by their names, and the decisions, by their words, that greedy players could take and took."""

    moves: Chances = field(default_factory=Chances)
    words: Chances = field(default_factory=Chances)
    models: list[Model] = field(default_factory=list)

    def watching(self, choose: Chooser) -> Chooser:
        """Return players who choose the same in one game, and are watched."""
        seen: set[str] = set()
        met: set[str] = set()

        def chosen(game: Game, state: State, rng: random.Random) -> Move:
            made = choose(game, state, rng)
            if state.to_move:
                moves = game.legal_moves(state)
                self._note(self.moves, {move.name: move.name for move in moves}, made.name, seen)
                self._note(self.words, {str(move): move.name for move in moves}, str(made), met)
            return made

        return chosen

    @staticmethod
    def _note(tally: Chances, legal: dict[str, str], made: str, seen: set[str]) -> None:
        if len(legal) < 2:
            return
        tally.legal.update(legal.keys())
        tally.move |= legal
        tally.chosen[made] += 1
        tally.games.update(legal.keys() - seen)
        seen.update(legal)


Seats = dict[int, list[Counter[int]]]  # number of players → how often each of them decided, in every game


def seats_count(model: Model) -> bool:
    """Return whether everything a player has to decide is asked: a single legal move may play itself instead."""
    steps = (step for _, _, body in bodies(model) for step in all_steps(body))
    return not any(isinstance(step, AskStep) and step.forced for step in steps)


def seat_remarks(rules: Rules, seats: Seats) -> Iterator[Diagnostic]:
    """Yield a remark on players who are never asked, or on a turn that never passes; one is enough."""
    for players, games in sorted(seats.items()):
        decided = sum((Counter(game) for game in games), Counter[int]())
        if players < 2 or len(games) < MANY or decided.total() < MANY_DECISIONS:
            continue
        long = [game for game in games if game.total() >= A_FEW]
        silent = [player for player in range(1, players + 1) if not decided[player]]
        where = _place(rules)
        played = f"{number_of(len(games), 'game')} with {number_of(players, 'player')}"
        if len(long) >= MANY and all(len(game) == 1 for game in long):
            message = "the turn never passes: one player decides everything"
            why = f"so it was in each of {played}"
            fix = "pass it on after a turn: `set turn to next(turn)`"
            yield Diagnostic(where, "play-turn-stays", message, why, fix, level="warning")
            return
        if silent:
            who = f"player {listed(silent)} is" if len(silent) == 1 else f"players {listed(silent)} are"
            why = f"others decided {decided.total():,} times in {played}"
            fix = "see whom the steps `ask`, and where the turn passes to; or let `players:` say how many there are"
            yield Diagnostic(where, "play-never-asked", f"{who} never asked", why, fix, level="warning")
            return


def _place(rules: Rules) -> Span:
    """Return where the course of play is, if it is in this file; else what this file changes."""
    own = rules.layers.files[-1].tree
    course = own.get("play") or own.get("change") or own
    return course.span


# What is never offered, never chosen, or given for nothing --------------------------------------------------


def offered_remarks(offered: Offered, games_text: str) -> Iterator[Diagnostic]:
    """Yield a remark on each value that a choice names and no decision ever offered."""
    members = Counter((value.span, value.move) for value in offered.chances)
    for value, decisions in sorted(offered.never.items()):
        if decisions < EACH_VALUE * members[value.span, value.move]:
            continue
        message = f"never: `{value.member}` for `{value.choice}` of `{value.move}`"
        why = f"`{value.move}` could be decided {decisions:,} times in the examples and {games_text}, with other values"
        fix = "if it can be chosen, show it in an example; else see what refuses it, or take it out of the list"
        yield Diagnostic(value.span, "play-never-offered", message, why, fix, level="note")


def choice_remarks(taken: Taken) -> Iterator[Diagnostic]:
    """Yield a remark on each move that greedy players never choose, though they often could."""
    spans = {name: span for model in taken.models for name, span in ((m.name, m.span) for m in model.moves.values())}
    for name, legal in sorted(taken.moves.legal.items()):
        games = taken.moves.games[name]
        if legal < OFTEN_LEGAL or games < GOOD_GAMES or taken.moves.chosen[name]:
            continue
        message = f"greedy players never choose `{name}`"
        why = f"in {number_of(games, 'game')} between them it was legal {legal:,} times, and another move always promised more"
        fix = "let it bring more or cost less, if somebody should want it"
        yield Diagnostic(spans[name], "play-never-chosen", message, why, fix, level="note")


def nothing_remarks(points: Collection[Point]) -> Iterator[Diagnostic]:
    """Yield a remark on each scoring rule that gave points only because `all` of nothing holds."""
    for span, name in sorted({(point.span, point.name) for point in points}):
        message = f"`{name}` gives points where there is nothing to give them for"
        why = "`all(…)` of nothing holds, and no example shows that this is meant"
        fix = "test first whether there is something, such as `not empty(…) and all(…)`; if it is meant, show it in an example"
        yield Diagnostic(span, "play-points-of-nothing", message, why, fix, level="warning")


# A move that always wins ------------------------------------------------------------------------------------


def best_remarks(rules: Rules, players: int, choices: dict[str, str], taken: Taken, seed: int) -> Iterator[Diagnostic]:
    """Yield a remark on each decision that greedy players mostly take when they can, if whoever does so always wins."""
    if players < 2:
        return
    model, _ = rules.check(players, choices)
    game = Game(rules, model)
    often = {
        words: move
        for words, legal in sorted(taken.words.legal.items())
        if (move := model.moves.get(taken.words.move[words])) is not None
        and not _does_nothing(move)
        and legal >= OFTEN_TAKEN
        and taken.words.chosen[words] >= MOSTLY * legal
    }
    budget = Budget("always the same decision", SAME_WORK)
    for words in _always_winning(game, {words: partial(_reads, words) for words in often}, SAME, seed, budget):
        message = f"whoever always plays `{words}` wins"
        why = f"so it was in all of {number_of(SAME, 'game')}, against random and greedy players, from every seat"
        fix = "let it cost something, or let other moves bring as much"
        yield _of_move(rules, often[words], "play-move-wins", message, why, fix)


def pass_remarks(rules: Rules, players: int, choices: dict[str, str], seed: int) -> Iterator[Diagnostic]:
    """Yield a remark on each move that does nothing, and with which a player who always makes it never loses."""
    model, _ = rules.check(players, choices)
    idle = [name for name, move in model.moves.items() if _does_nothing(move)]
    if players < 2 or not idle or len(model.moves) < 2:
        return
    game = Game(rules, model)
    budget = Budget("always the same move", PASSING_WORK)
    wanted = {name: partial(_is_called, name) for name in idle}
    for name in _always_winning(game, wanted, PASSED, seed, budget):
        message = f"whoever always plays `{name}`, which does nothing, wins"
        why = f"so it was in all of {number_of(PASSED, 'game')}, against random and greedy players, from every seat"
        fix = "let it cost something, or allow it only where no other move is legal"
        yield _of_move(rules, model.moves[name], "play-pass-wins", message, why, fix)


def _always_winning(
    game: Game, wanted: Mapping[str, Callable[[Move], bool]], games: int, seed: int, budget: Budget
) -> Iterator[str]:
    """Yield what wins every one of so many games for whoever always wants it, as far as the budget lasts."""
    for name, wants in wanted.items():
        try:
            if all(_wins(game, wants, number, seed, budget) for number in range(games)):
                yield name
        except BudgetSpent:
            return


def _of_move(rules: Rules, move: MoveRule, code: str, message: str, why: str, fix: str) -> Diagnostic:
    """Return a warning about a move, in the author's own file: where it is, or else where this file changes the game."""
    if move.span.file != rules.layers.files[-1].tree.span.file:
        return Diagnostic(_place(rules), code, message, why, fix, ((f"`{move.name}`", move.span),), "warning")
    return Diagnostic(move.span, code, message, why, fix, level="warning")


def _does_nothing(move: MoveRule) -> bool:
    """Return whether a move takes no piece anywhere and scores nothing: it passes, or at most notes something."""
    steps = all_steps(move.does)
    return all(
        isinstance(step, IfStep | LetStep | TellStep) or (isinstance(step, SetStep) and step.variable != "score")
        for step in steps
    )


def _is_called(name: str, move: Move) -> bool:
    return move.name == name


def _reads(words: str, move: Move) -> bool:
    return str(move) == words


def _wins(game: Game, wanted: Callable[[Move], bool], number: int, seed: int, budget: Budget) -> bool:
    """Return whether a player wins who makes this move whenever it is legal, though others were too."""
    me = 1 + number % game.players
    others: Chooser = greedy(budget) if number // game.players % 2 else any_move
    chosen = 0

    def choose(game: Game, state: State, rng: random.Random) -> Move:
        nonlocal chosen
        budget.spend(1 + heaviness(game))
        moves = game.legal_moves(state) if state.to_move == me else []
        same = [move for move in moves if wanted(move)]
        if not same:
            return others(game, state, rng)
        chosen += len(same) < len(moves)
        return same[0]

    _, end = play(game, choose, random.Random(seed * 1_000_003 + number))
    outcome = game.outcome(end) if isinstance(end, State) else None
    if outcome is None or not chosen or me not in outcome.winners:
        return False
    return others is not any_move or len(outcome.winners) < game.players
