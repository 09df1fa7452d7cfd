"""A PettingZoo environment for any rule file: one seat decides after another, and chance plays itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete
from pettingzoo import AECEnv

from interpreter import State, seeds
from referee.learn import texts
from referee.learn.prepared import checked_seed, episode_seed, prepare
from referee.learn.rendering import HUMAN, MODES, checked_mode, rendered
from referee.learn.seat_view import Numbers, Unfit
from referee.learn.spaces import Observed, action_space, observation_space, state_space


class SeatsEnv(AECEnv[str, Observed, int]):
    """A game whose seats `player_1`, `player_2`, … decide in turn; who decides twice is asked twice.

    An action is the number of a move, and `action_mask` of an observation says which are legal. What a seat sees never
    depends on what is hidden from it, its mask aside, which holds what the rules let it do.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 as PettingZoo declares it
        "name": "rulespec_v0",
        "render_modes": list(MODES),
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: Any,
        players: int | None = None,
        options: Mapping[str, str] | None = None,
        house: Iterable[Any] = (),
        reward: str | None = None,
        truncate: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`game`, `players`, `options` and `house` are those of `interpreter.load`; `truncate`: after so many decisions of players."""
        super().__init__()
        if truncate is not None and truncate < 1:
            raise Unfit(texts.NO_TRUNCATION.format(found=truncate))
        self.prepared = prepare(game, players, options, house, reward)
        self.truncate = truncate
        self.render_mode = checked_mode(render_mode)
        self.possible_agents = [f"player_{p}" for p in range(1, self.prepared.players + 1)]
        self._spaces = {agent: observation_space(self.prepared) for agent in self.possible_agents}
        self._actions = {agent: action_space(self.prepared) for agent in self.possible_agents}
        self.state_space = state_space(self.prepared)
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {}
        self._position: State | None = None
        self._first_seed, self._episode, self._decided = seeds.new_seed(), -1, 0

    # spaces -----------------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Dict:
        return self._spaces[self._known(agent)]

    def action_space(self, agent: str) -> Discrete[Any]:
        return self._actions[self._known(agent)]

    def _known(self, agent: str) -> str:
        if agent not in self._spaces:
            raise Unfit(texts.NO_SEAT.format(known=", ".join(self.possible_agents), found=agent))
        return agent

    # playing ----------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game. With a seed it and those after it are the same every time.

        `options={"given": {"first": 2}}` gives variables other start values; other options are ignored, as PettingZoo asks.
        """
        if seed is not None:
            self._first_seed, self._episode = checked_seed(seed), -1
        self._episode += 1
        self._position = self.prepared.game.start(
            episode_seed(self._first_seed, self._episode), given=(options or {}).get("given")
        )
        self._decided = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        over = self._position.to_move is None
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[(self._position.to_move or 1) - 1]

    def step(self, action: int | None) -> None:
        """Decide for the seat that is to decide. An illegal action raises IllegalMove with the reasons, and nothing is changed."""
        before, agent = self.position, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        prepared = self.prepared
        after = prepared.game.apply(before, prepared.move(action))
        self._position = after
        self._decided += 1
        self._cumulative_rewards[agent] = 0.0
        scores = prepared.scores([before, after])
        gained = prepared.gained(scores[:1], scores[1:], np.array([prepared.places(after)]))[0]
        self.rewards = {a: float(gained[i]) for i, a in enumerate(self.possible_agents)}
        if after.to_move is None:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.truncate is not None and self._decided >= self.truncate:
            self.truncations = dict.fromkeys(self.agents, True)
        if after.to_move is not None:
            self.agent_selection = self.possible_agents[after.to_move - 1]
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == HUMAN:
            self.render()

    # looking ----------------------------------------------------------------------------------------------

    @property
    def position(self) -> State:
        """The position, hidden pieces and coming chance included: not for a player."""
        if self._position is None:
            raise Unfit(texts.NOT_STARTED)
        return self._position

    def observe(self, agent: str) -> Observed:
        """Return what a seat sees; its mask is empty unless it is to decide."""
        seat = self.possible_agents.index(self._known(agent)) + 1
        position = self.position
        is_over = any(self.truncations.get(a, False) for a in self.possible_agents)
        mask = self.prepared.mask(position, 0 if is_over else seat)
        return {"observation": self.prepared.observation(position, seat), "action_mask": mask}

    def state(self) -> Numbers:
        """Return the whole position as numbers, with what is hidden from everybody: for a critic, never for a player."""
        return self.prepared.everything(self.position)

    def render(self, viewer: int | None = None) -> str | None:
        """Return the position as text or SVG, or print it, as the render mode says: as an onlooker sees it, or a player."""
        if self.render_mode is None:
            return None
        text = rendered(self.prepared.game, self.position, viewer, self.render_mode)
        if self.render_mode != HUMAN:
            return text
        from referee.shell import out

        out.say(*text.splitlines(), "")
        return None

    def close(self) -> None:
        """Forget the game that is being played; `reset` starts another."""
        self._position = None
        self.agents = []

    # copies -----------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        position = self._position
        return {**self.__dict__, "_position": None if position is None else self.prepared.game.to_data(position)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        if self._position is not None:
            self._position = self.prepared.game.from_data(self._position)
