"""A game of the lab once more, from the verbs alone."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import CHANCE, Game, Move, State
from referee.bots import KeyedRandom
from referee.lab.luck import KeyedChance, Luck, chance_places


def played_again(game: Game, seed: int, decide: Callable[[State, KeyedRandom], Move]) -> State:
    """Return the end of the game with this seed; `decide` is asked at every decision of a player."""
    luck = Luck(seed)
    chance, state, decided, turns = KeyedChance(game, luck, chance_places(game)), game.start(), False, dict[int, int]()
    while (who := state.to_move) is not None:
        if who != CHANCE:
            turn = turns[who] = turns.get(who, -1) + 1
            state, decided = game.apply(state, decide(state, luck.player(who, chance.rounds, turn))), True
            continue
        if decided:
            chance.come_again()
            decided, turns = False, {}
        state = game.apply(state, chance.decide(state))
    return state
