"""A game made ready for programs that learn: moves are numbers, positions are arrays, the outcome is a reward.

The environments differ in who asks and when; what they answer with is here, so that they agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import index
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from interpreter import Game, Move, State, load
from referee.bots import unseen_places, unseen_values
from referee.learn import texts
from referee.learn.seat_view import Numbers, SeatView, Unfit, seat_names
from rulespec import bundle_rules, open_bundle, syntax

RANK, SCORE, MARGIN = "rank", "score", "margin"
REWARDS: Final = (RANK, SCORE, MARGIN)
MOST_ACTIONS = 1 << 20  # a mask holds
MOVES_KEPT = 1 << 16

Mask = NDArray[np.int8]
Rewards = NDArray[np.float32]


class PreparedGame:
    """A game with numbers for its moves, what each seat sees as an array, and a reward. It holds no position."""

    def __init__(self, game: Game, reward: str = RANK) -> None:
        if reward not in REWARDS:
            raise Unfit(texts.NO_REWARD.format(known=", ".join(f"`{r}`" for r in REWARDS), found=reward))
        if reward != RANK and "score" not in game.model.variables:
            raise Unfit(texts.NO_SCORES.format(title=game.title))
        if reward != SCORE and game.players == 1:
            raise Unfit(texts.ONE_PLAYER.format(title=game.title))
        actions = game.compiled.actions
        if actions is None:
            raise Unfit(texts.NO_NUMBERS.format(title=game.title))
        if actions.many > MOST_ACTIONS:
            raise Unfit(texts.TOO_MANY.format(title=game.title, many=actions.many, most=MOST_ACTIONS))
        self.game, self.reward, self.players = game, reward, game.players
        self.many_actions = actions.many
        self._number = lru_cache(maxsize=MOVES_KEPT)(game.action_of)

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.game
        return _again, (bundle_rules(game.rules), game.players, dict(game.options), game.limit, self.reward)

    def __deepcopy__(self, memo: object) -> PreparedGame:
        return self  # it never changes

    # moves ------------------------------------------------------------------------------------------------

    def legal(self, state: State) -> list[int]:
        """Return the numbers of the legal moves where a player decides, in their order."""
        return sorted(map(self._number, self.game.legal_moves(state))) if state.to_move else []

    def mask(self, state: State, seat: int) -> Mask:
        """Return 1 for each legal move of a seat; nothing is legal for one that is not to decide."""
        mask = np.zeros(self.many_actions, np.int8)
        if state.to_move == seat:
            mask[self.legal(state)] = 1
        return mask

    def move(self, action: Any) -> Move:
        """Return the move with a number; Unfit if there is none."""
        try:
            return self.game.move_of(index(action))
        except (TypeError, ValueError):
            raise Unfit(texts.NO_ACTION.format(last=self.many_actions - 1, found=action)) from None

    def number(self, move: Move) -> int:
        """Return the number of a move."""
        return self._number(move)

    # chance -----------------------------------------------------------------------------------------------

    @cached_property
    def chance_codes(self) -> tuple[int, ...]:
        """All that can be drawn or rolled, as codes: the number of an outcome of chance is its index here."""
        model, codes = self.game.model, set[int]()
        for body in (*(p.body for p in model.procedures.values()), *(m.does for m in model.moves.values())):
            for step in syntax.all_steps(body):
                if isinstance(step, syntax.DrawStep):
                    codes.update(model.kinds)
                elif isinstance(step, syntax.RollStep):
                    codes.update(self._rolled(step.domain.type))
        return tuple(sorted(codes))

    def _rolled(self, type_: syntax.Type) -> Iterable[int]:
        match type_:
            case syntax.ListOf(item=item):
                return self._rolled(item)
            case syntax.YesNo():
                return (0, 1)
            case syntax.Values(lo=lo, hi=hi, members=members, none=none):
                numbers = range(0) if lo is None or hi is None else range(lo, hi + 1)
                if len(numbers) <= MOST_ACTIONS:
                    return [*numbers, *members, *([syntax.NONE] if none else [])]
        raise Unfit(texts.MANY_CHANCES.format(title=self.game.title, most=MOST_ACTIONS))

    @cached_property
    def _chances(self) -> dict[int, int]:
        return {code: number for number, code in enumerate(self.chance_codes)}

    def chance_number(self, move: Move) -> int:
        """Return the number of an outcome of chance."""
        return self._chances[move.args[0]]

    def chance(self, state: State, number: int) -> Move:
        """Return the outcome of chance with a number; Unfit if it cannot happen here."""
        for move, _ in self.game.chances(state):
            if self.chance_number(move) == number:
                return move
        raise Unfit(texts.NO_CHANCE.format(found=number))

    # observations -----------------------------------------------------------------------------------------

    @cached_property
    def _lenses(self) -> list[SeatView]:
        return [SeatView(self.game, seat) for seat in self._seats]

    @cached_property
    def _whole(self) -> SeatView:
        return SeatView(self.game, 1, everything=True)

    @property
    def _seats(self) -> range:
        return range(1, self.players + 1)

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """The names of the numbers of an observation, which are the same for all seats."""
        return tuple(f.name for f in self._lenses[0].readings) + self._about_seats

    @cached_property
    def state_readings(self) -> tuple[str, ...]:
        """The names of the numbers of a whole position; `me` is the first player."""
        return tuple(f.name for f in self._whole.readings) + self._about_seats

    @property
    def _about_seats(self) -> tuple[str, ...]:
        return (
            *(f"to move {name}" for name in seat_names(self.players)),
            *(f"seat {seat}" for seat in self._seats),
        )

    def bounds(self, everything: bool = False) -> tuple[Numbers, Numbers]:
        """Return the least and the largest that the numbers of an observation, or of a whole position, can be."""
        readings = (self._whole if everything else self._lenses[0]).readings
        zeros, ones = [0] * (2 * self.players), [1] * (2 * self.players)
        return (
            np.array([*(f.low for f in readings), *zeros], np.int32),
            np.array([*(f.high for f in readings), *ones], np.int32),
        )

    def observe(self, positions: Numbers, to_move: Numbers, seat: int) -> Numbers:
        """Return what a seat sees of positions, one a row; `to_move` is the player to decide in each, or none of them."""
        return self._with_seats(self._lenses[seat - 1].look(positions), to_move, seat)

    def observe_all(self, positions: Numbers, to_move: Numbers) -> Numbers:
        """Return whole positions, with what is hidden from everybody: for critics and for programs that analyse games."""
        return self._with_seats(self._whole.look(positions), to_move, 1)

    def _with_seats(self, seen: Numbers, to_move: Numbers, seat: int) -> Numbers:
        about = np.zeros((len(seen), 2 * self.players), np.int32)
        deciding = np.flatnonzero((to_move >= 1) & (to_move <= self.players))
        about[deciding, (to_move[deciding] - seat) % self.players] = 1
        about[:, self.players + seat - 1] = 1
        return np.hstack((seen, about))

    def observation(self, state: State, seat: int) -> Numbers:
        """Return what a seat sees of one position."""
        seen: Numbers = self.observe(self._row(state), _deciding(state), seat)[0]
        return seen

    def _row(self, state: State) -> Numbers:
        return np.array([state.vector[: self.game.layout.size]], np.int32)

    def everything(self, state: State) -> Numbers:
        """Return a whole position, with what is hidden from everybody."""
        seen: Numbers = self.observe_all(self._row(state), _deciding(state))[0]
        return seen

    @cached_property
    def is_open(self) -> bool:
        """Whether all players know the whole position: at most one pile is hidden, and the others say what is in it."""
        for seat in self._seats:
            hidden = unseen_places(self.game, seat)
            if unseen_values(self.game, seat):
                return False
            if len(hidden) > 1 or any(self.game.model.places[name].shape == "stack" for name, _ in hidden):
                return False
        return True

    # rewards ----------------------------------------------------------------------------------------------

    def scores(self, states: Sequence[State]) -> Rewards:
        """Return the scores of positions by seat, one a row; nothing for a reward that does not ask for them."""
        if self.reward == RANK:
            return np.zeros((len(states), self.players), np.float32)
        return np.array([list(self.game.scores(state).values()) for state in states], np.float32)

    def gained(self, before: Rewards, after: Rewards, places: NDArray[np.integer[Any]]) -> Rewards:
        """Return the rewards of a step by seat, from the scores before and after it and the places at the end, 0 while games go on."""
        if self.reward == RANK:
            return rank_rewards(places)
        change = after - before
        return change if self.reward == SCORE else change - change.mean(axis=1, keepdims=True)

    @property
    def return_bounds(self) -> tuple[float, float]:
        """The least and the most that a player can be rewarded with in a whole game."""
        if self.reward == RANK:
            return -1.0, 1.0
        variable = self.game.model.variables["score"]
        assert (
            isinstance(variable.type, syntax.Values) and variable.type.lo is not None and variable.type.hi is not None
        )
        least, most = variable.type.lo - max(variable.starts), variable.type.hi - min(variable.starts)
        if self.reward == SCORE:
            return float(least), float(most)
        widest = (most - least) * (self.players - 1) / self.players
        return -widest, widest

    def places(self, state: State) -> list[int]:
        """Return the place of each player, 1 for the winners; 0 while the game goes on."""
        outcome = self.game.outcome(state)
        if outcome is None:
            return [0] * self.players
        ahead, found = 1, [0] * self.players
        for group in outcome.ranking:
            for player in group:
                found[player - 1] = ahead
            ahead += len(group)
        return found


def rank_rewards(places: NDArray[np.integer[Any]]) -> Rewards:
    """Return the share of the others that each player is ahead of, less the share that is ahead of them: the sum is 0.

    >>> rank_rewards(np.array([[1, 2], [1, 1], [0, 0]])).tolist()
    [[1.0, -1.0], [0.0, 0.0], [0.0, 0.0]]
    >>> rank_rewards(np.array([[1, 2, 2, 4]])).round(2).tolist()
    [[1.0, 0.0, 0.0, -1.0]]
    """
    mine, others = places[:, :, None], places[:, None, :]
    lead = (others > mine).sum(axis=2) - (others < mine).sum(axis=2)
    return np.asarray(lead / max(1, places.shape[1] - 1), np.float32)


def prepare(
    game: Any,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    house: Iterable[Any] = (),
    reward: str | None = None,
) -> PreparedGame:
    """Return a game made ready: anything that `interpreter.load` takes, or a Game, or one that is ready. Unfit says why not.

    Without a reward it is `rank`, or that of the game that is ready.
    """
    if isinstance(game, PreparedGame | Game) and (players is not None or options or tuple(house)):
        raise Unfit(texts.LOADED)
    if isinstance(game, PreparedGame):
        return game if reward in (None, game.reward) else PreparedGame(game.game, reward or RANK)
    return PreparedGame(game if isinstance(game, Game) else load(game, players, options, house), reward or RANK)


def episode_seed(first: int, episode: int) -> int:
    """Return the seed of an episode: the first one has the seed that was given, those after it follow from that."""
    if not episode:
        return first
    return int(np.random.SeedSequence((first, episode)).generate_state(1, np.uint64)[0])


def checked_seed(seed: Any) -> int:
    """Return a seed as a whole number; Unfit if it is below 0."""
    number = index(seed)
    if number < 0:
        raise Unfit(texts.NO_SEED.format(found=seed))
    return number


def _again(bundle: dict[str, Any], players: int, options: dict[str, str], limit: int, reward: str) -> PreparedGame:
    """Return a game as it was before it was copied, or sent to another process."""
    rules = open_bundle(bundle)
    return PreparedGame(Game(rules, rules.check(players, options)[0], limit), reward)


def _deciding(state: State) -> Numbers:
    return np.array([state.to_move or 0], np.int32)
