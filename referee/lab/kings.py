"""Kingmaking: what a decision of somebody who can hardly win does to those who can.

At such a decision the leader's chance to win is asked for after every move. The moves that are best and worst for the leader are
chosen by one half of the plays, and what they differ by is measured by the other: else accident would be taken for power.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import Fault, Game, Outcome, State
from referee.lab.luck import Luck
from referee.lab.watchers import MILLION, evenly, win_chances

KINGS = "kings"
HARDLY = 0.03  # chance to win of who decides, less than that
HOPEFUL = 0.10  # of two others, more than that
LOOK, MORE = 32, 96  # plays from every position, and more from those that may be such decisions
HALF = 64  # plays after each move to choose the two moves, and again to measure them
MOST_PLAYS = 2_048  # for the choice: with many moves each gets fewer
FEWEST_PLAYS = 8
MOST_MOVES = MOST_PLAYS // FEWEST_PLAYS
MOST_DECIDED = 200  # positions of a game


class KingmakingWatcher:
    """Sees the decisions of players who can hardly win while two others can, and what they do to the leader's chance."""

    def __init__(self, game: Game, has_standing: bool, seed: int) -> None:
        self._game, self._luck = game, Luck(seed)
        self._states: list[State] = []

    def see(self, state: State) -> None:
        self._states.append(state)

    def noted(self, outcome: Outcome) -> list[int]:
        """Return the sum of what the leader's chance changes by, and at how many decisions."""
        swings = [
            swing
            for state, leader in self._decisions(evenly(self._states, MOST_DECIDED))
            if (swing := self._swing(state, leader)) is not None
        ]
        return [sum(round(MILLION * swing) for swing in swings), len(swings)]

    def _decisions(self, states: Sequence[State]) -> list[tuple[State, int]]:
        """Return the positions in which somebody decides who can hardly win while two others can, and who leads there.

        A few plays from each position leave those that may be such, and more plays decide.
        """
        plays = self._luck.plays(KINGS, LOOK + MORE)
        some = win_chances(self._game, states, plays[:LOOK])
        slack = 2 / LOOK  # plays that accident may add
        near = [
            (state, chances)
            for state, chances in zip(states, some, strict=True)
            if chances is not None and _leader(state, chances, HARDLY + slack, HOPEFUL - slack)
        ]
        more = win_chances(self._game, [state for state, _ in near], plays[LOOK:])
        found = []
        for (state, few), many in zip(near, more, strict=True):
            if many is not None:
                chances = [(LOOK * a + MORE * b) / (LOOK + MORE) for a, b in zip(few, many, strict=True)]
                if leader := _leader(state, chances, HARDLY, HOPEFUL):
                    found.append((state, leader))
        return found

    def _swing(self, state: State, leader: int) -> float | None:
        """Return by how much the moves best and worst for the leader change the leader's chance; None: there is no choice."""
        game, after = self._game, list[State]()
        for move in evenly(game.legal_moves(state), MOST_MOVES):
            try:
                after.append(game.apply(state, move))
            except Fault:
                continue
        if len(after) < 2:
            return None
        half = min(HALF, max(FEWEST_PLAYS, MOST_PLAYS // len(after)))
        plays = self._luck.plays(f"{KINGS} {state.decisions}", half + HALF)
        chosen = win_chances(game, after, plays[:half])
        known = [(chances[leader - 1], place) for place, chances in enumerate(chosen) if chances is not None]
        if len(known) < 2:
            return None
        best, worst = max(known, key=lambda one: one[0])[1], min(known, key=lambda one: one[0])[1]
        high, low = win_chances(game, [after[best], after[worst]], plays[half:])
        return None if high is None or low is None else high[leader - 1] - low[leader - 1]


def _leader(state: State, chances: Sequence[float], hardly: float, hopeful: float) -> int:
    """Return who is most likely to win, if who decides hardly can and two others are hopeful; else 0."""
    who = state.to_move or 0
    others = [player for player in range(1, len(chances) + 1) if player != who]
    if chances[who - 1] >= hardly or sum(chances[player - 1] > hopeful for player in others) < 2:
        return 0
    return max(others, key=lambda player: chances[player - 1])
