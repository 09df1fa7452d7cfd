"""The spaces of Gymnasium that belong to a game: the same for all its seats."""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary

from referee.learn.prepared import Mask, PreparedGame
from referee.learn.seat_view import Numbers


class Observed(TypedDict):
    """The observation of a seat that is to decide; of several games, one per row."""

    observation: Numbers
    action_mask: Mask


def observation_space(prepared: PreparedGame) -> Dict:
    low, high = prepared.bounds()
    return Dict(
        {
            "observation": Box(low, high, dtype=np.int32),
            "action_mask": MultiBinary(prepared.many_actions),
        }
    )


def action_space(prepared: PreparedGame) -> Discrete[Any]:
    return Discrete(prepared.many_actions)


def state_space(prepared: PreparedGame) -> Box:
    low, high = prepared.bounds(everything=True)
    return Box(low, high, dtype=np.int32)
