"""Remarks on what is surely not meant, though the rules can be played: somebody who never decides, a move that always wins.

Each is made only of what held in every one of many games, whoever played them. What depends on taste, or on how well anybody plays, is not
remarked on: pieces that nothing takes back may be out of the game on purpose, and a move that bots never choose may be their mistake.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from interpreter.budget import Budget, BudgetSpent, heaviness
from interpreter.game import Game
from interpreter.state import Move, State
from interpreter.trial.good_play import Chooser, any_move, greedy, play
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.english import listed, number_of
from rulespec.rules import Rules
from rulespec.syntax import AskStep, IfStep, LetStep, Model, MoveRule, SetStep, TellStep, all_steps, bodies

MANY = 20  # games with the same number of players before anything is said about who decides in them,
MANY_DECISIONS = 100  # and decisions
A_FEW = 3  # decisions of a game in which the turn could have passed
PASSED = 30  # games in which one player always makes the same move
PASSING_WORK = 60_000  # decisions and random continuations in all of these

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


# A move that always wins ------------------------------------------------------------------------------------


def pass_remarks(rules: Rules, players: int, choices: dict[str, str], seed: int) -> Iterator[Diagnostic]:
    """Yield a remark on each move that does nothing, and with which a player who always makes it never loses."""
    model, _ = rules.check(players, choices)
    idle = [move for move in model.moves.values() if _does_nothing(move)]
    if players < 2 or not idle or len(model.moves) < 2:
        return
    game = Game(rules, model)
    budget = Budget("always the same move", PASSING_WORK)
    for move in idle:
        try:
            wins = all(_wins(game, move.name, i, seed, budget) for i in range(PASSED))
        except BudgetSpent:
            return
        if wins:
            message = f"whoever always plays `{move.name}`, which does nothing, wins"
            why = f"so it was in all of {number_of(PASSED, 'game')}, against random and greedy players, from every seat"
            fix = "let it cost something, or allow it only where no other move is legal"
            yield Diagnostic(move.span, "play-pass-wins", message, why, fix, level="warning")


def _does_nothing(move: MoveRule) -> bool:
    """Return whether a move takes no piece anywhere and scores nothing: it passes, or at most notes something."""
    steps = all_steps(move.does)
    return all(
        isinstance(step, IfStep | LetStep | TellStep) or (isinstance(step, SetStep) and step.variable != "score")
        for step in steps
    )


def _wins(game: Game, name: str, number: int, seed: int, budget: Budget) -> bool:
    """Return whether a player wins who makes this move whenever it is legal, though others were too."""
    me = 1 + number % game.players
    others: Chooser = greedy(budget) if number // game.players % 2 else any_move
    chosen = 0

    def choose(game: Game, state: State, rng: random.Random) -> Move:
        nonlocal chosen
        budget.spend(1 + heaviness(game))
        moves = game.legal_moves(state) if state.to_move == me else []
        same = [move for move in moves if move.name == name]
        if not same:
            return others(game, state, rng)
        chosen += len(same) < len(moves)
        return same[0]

    _, end = play(game, choose, random.Random(seed * 1_000_003 + number))
    outcome = game.outcome(end) if isinstance(end, State) else None
    if outcome is None or not chosen or me not in outcome.winners:
        return False
    return others is not any_move or len(outcome.winners) < game.players
