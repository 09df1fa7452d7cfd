"""A vector environment of Gymnasium for any rule file: many games side by side, played by native code.

One policy plays all seats: each game shows what the player who is to decide in it may see, and the action is theirs. The reward
of a step is that of the player who decided; `infos["rewards"]` has those of all seats, `infos["to_move"]` who decides next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from interpreter import State, seeds
from referee.learn import texts
from referee.learn.prepared import RANK, Rewards, checked_seed, episode_seed, prepare
from referee.learn.rendering import ANSI, SVG, checked_mode, rendered
from referee.learn.seat_view import Numbers, Unfit
from referee.learn.spaces import Observed, action_space, observation_space

Flags = NDArray[np.bool_]
Actions = NDArray[np.integer[Any]]
NOTHING = -1  # the action that leaves a game as it is


class BatchEnv(VectorEnv[Observed, Actions, NDArray[Any]]):
    """`num_envs` games of the same rules. Needs a C compiler, as `game.batch` does."""

    def __init__(
        self,
        game: Any,
        num_envs: int,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        house: Iterable[Any] = (),
        reward: str | None = None,
        truncate: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        """`game`, `players`, `options` and `house` are those of `interpreter.load`; `truncate`: after so many decisions of players."""
        if num_envs < 1:
            raise Unfit(texts.NO_ENVS.format(found=num_envs))
        if truncate is not None and truncate < 1:
            raise Unfit(texts.NO_TRUNCATION.format(found=truncate))
        self.prepared = prepare(game, players, options, house, reward)
        self.num_envs, self.truncate = num_envs, truncate
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": [ANSI, SVG]}
        self.render_mode = checked_mode(render_mode, (ANSI, SVG))
        self.single_observation_space = observation_space(self.prepared)
        self.single_action_space = action_space(self.prepared)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch = self._new_batch([0] * num_envs)
        self._is_reset = False
        self._first_seeds = [seeds.new_seed() for _ in range(num_envs)]
        self._episodes = [-1] * num_envs
        self._made: list[list[int]] = [[] for _ in range(num_envs)]  # the actions of each game since it began
        self._over = np.zeros(num_envs, np.bool_)
        self._seats = np.ones(num_envs, np.int32)  # who sees each game: who decides, or decided last

    def _new_batch(self, given: Sequence[int]) -> Any:
        game = self.prepared.game
        if not game.compile():
            problem = game.native_problem
            raise Unfit(texts.NO_COMPILER.format(reason="" if problem is None else problem.message))
        return game.batch(self.num_envs, given, masks=True)

    # playing ----------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Start all games, or those of `options={"reset_mask": …}`. Seeds are one for each, or the first of consecutive ones."""
        chosen = self._chosen((options or {}).get("reset_mask"))
        for number, one in enumerate(self._given(seed)):
            if one is not None and chosen[number]:
                self._first_seeds[number], self._episodes[number] = one, -1
        self._restart(np.flatnonzero(chosen))
        self._is_reset = True
        self._look()
        return self._observed(), self._info(np.zeros((self.num_envs, self.prepared.players), np.float32))

    def _chosen(self, mask: Any) -> Flags:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_ or not chosen.any() or not self._is_reset:
            raise Unfit(texts.NO_MASK.format(many=self.num_envs) if self._is_reset else texts.NOT_STARTED)
        return chosen

    def _given(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise Unfit(texts.NO_SEEDS.format(many=self.num_envs, found=len(seed)))
            return [None if one is None else checked_seed(one) for one in seed]
        first = checked_seed(seed)
        self._np_random, self._np_random_seed = np.random.default_rng(first), first
        return [first + number for number in range(self.num_envs)]

    def _restart(self, numbers: Iterable[int]) -> None:
        """Start some games again, each with its next seed."""
        chosen = [int(number) for number in numbers]
        for number in chosen:
            self._episodes[number] += 1
            self._made[number] = []
        self._over[chosen] = False
        self._batch.restart(chosen, [self._seed(number) for number in chosen])

    def _seed(self, number: int) -> int:
        return episode_seed(self._first_seeds[number], self._episodes[number])

    def step(self, actions: Actions) -> tuple[Observed, Rewards, Flags, Flags, dict[str, Any]]:
        """Decide once in every game that is not over. If an action is not legal, that is an IllegalAction, and no game is changed.

        A game that is over begins again as the autoreset mode says: at the next step, which ignores its action; in the same
        step, with `final_obs` and `final_info` in the info; or when `reset` is asked to.
        """
        if not self._is_reset:
            raise Unfit(texts.NOT_STARTED)
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise Unfit(texts.NO_ACTIONS.format(many=self.num_envs, found="×".join(map(str, given.shape)) or "one"))
        resting = self._over.copy()
        if self.autoreset_mode is AutoresetMode.DISABLED and resting.any():
            raise Unfit(texts.OVER.format(number=int(np.flatnonzero(resting)[0])))
        self._check(given, resting)
        seats, before = self._seats.copy(), self._scores()
        self._batch.step(np.where(resting, NOTHING, given).astype(np.int32))
        for number in np.flatnonzero(~resting):
            self._made[number].append(int(given[number]))
        self._look()
        rewards = self.prepared.gained(before, self._scores(), np.asarray(self._batch.places))
        rewards[resting] = 0
        terminated = ~resting & (np.asarray(self._batch.to_move) < 0)
        truncated = np.zeros(self.num_envs, np.bool_)
        if self.truncate is not None:
            lengths = np.array([len(made) for made in self._made])
            truncated = ~resting & ~terminated & (lengths >= self.truncate)
        self._over = terminated | truncated
        own = rewards[np.arange(self.num_envs), seats - 1]
        info = self._info(rewards)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._over.any():
            info = self._begin_again(info)
        elif resting.any():
            self._restart_resting(resting)
            info = self._info(rewards)
        return self._observed(), own, terminated, truncated, info

    def _check(self, actions: Actions, resting: Flags) -> None:
        many = self.prepared.many_actions
        wrong = ~resting & ((actions < 0) | (actions >= many))
        if actions.dtype.kind not in "iu" or wrong.any():
            found = actions[np.flatnonzero(wrong)[0]] if wrong.any() else actions[0]
            raise Unfit(texts.NO_ACTION.format(last=many - 1, found=found))

    def _restart_resting(self, resting: Flags) -> None:
        still = self._over.copy()
        self._restart(np.flatnonzero(resting))
        self._over = still & ~resting
        self._look()

    def _begin_again(self, info: dict[str, Any]) -> dict[str, Any]:
        """Start the games that are over; return the info of those after, with the ends in it."""
        over, seen = self._over.copy(), self._observed()
        ends = np.full(self.num_envs, None, dtype=object)
        for number in np.flatnonzero(over):
            ends[number] = {"observation": seen["observation"][number], "action_mask": seen["action_mask"][number]}
        self._restart(np.flatnonzero(over))
        self._look()
        return {
            **self._info(info["rewards"]),
            "final_obs": ends,
            "_final_obs": over,
            "final_info": {**info, **{f"_{key}": over for key in info if not key.startswith("_")}},
            "_final_info": over.copy(),
        }

    # looking ----------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Note who sees each game now: who decides; at the end, who decided last."""
        to_move = np.asarray(self._batch.to_move)
        self._seats = np.where(to_move > 0, to_move, self._seats).astype(np.int32)

    def _positions(self) -> Numbers:
        return np.asarray(self._batch.positions)

    def _to_move(self) -> Numbers:
        return np.asarray(self._batch.to_move).astype(np.int32)

    def _scores(self) -> Rewards:
        if self.prepared.reward == RANK:
            return np.zeros((self.num_envs, self.prepared.players), np.float32)
        return np.array(self._batch.scores, np.float32).reshape(self.num_envs, self.prepared.players)

    def _observed(self) -> Observed:
        positions, to_move = self._positions(), self._to_move()
        seen = np.zeros((self.num_envs, len(self.prepared.readings)), np.int32)
        for seat in np.unique(self._seats):
            games = np.flatnonzero(self._seats == seat)
            seen[games] = self.prepared.observe(positions[games], to_move[games], int(seat))
        masks = np.asarray(self._batch.masks).view(np.int8).copy()
        masks[self._over] = 0
        return {"observation": seen, "action_mask": masks}

    def _info(self, rewards: Rewards) -> dict[str, Any]:
        return {"to_move": np.maximum(self._to_move(), 0), "rewards": rewards}

    def state(self) -> Numbers:
        """Return all positions as numbers, with what is hidden from everybody: for a critic, never for a player."""
        return self.prepared.observe_all(self._positions(), self._to_move())

    def position(self, number: int) -> State:
        """Return the position of one game, hidden pieces included, chance left open: not for a player."""
        vector = self._batch.vector(number)
        return State(
            vector, self.prepared.game.who_decides(vector), self._batch.decisions[number], None, None, None, []
        )

    def render(self) -> tuple[str, ...] | None:
        """Return all games as text or SVG, as an onlooker sees them; None without a render mode."""
        if self.render_mode is None:
            return None
        game = self.prepared.game
        return tuple(rendered(game, self.position(number), None, self.render_mode) for number in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is open: the games are forgotten with the environment."""

    # copies -----------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_batch"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Play all games again up to where they were: the same seeds and actions lead to the same positions."""
        self.__dict__.update(kept)
        self._batch = self._new_batch([self._seed(number) for number in range(self.num_envs)])
        for step in range(max(map(len, self._made))):
            self._batch.step([made[step] if step < len(made) else NOTHING for made in self._made])
