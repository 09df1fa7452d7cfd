"""An OpenSpiel game for any rule file, with chance as nodes of its own. It is registered as `rulespec`.

    pyspiel.load_game("rulespec", {"rules": "…", "players": 3, "options": "name:choice;name:choice", "reward": "rank"})

Texts of parameters may be percent-encoded, which keeps signs out of the way that OpenSpiel gives a meaning to; `open_spiel_game`
does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from typing import Any, Final
from urllib.parse import quote, unquote

import numpy as np
import pyspiel

from referee.learn import texts
from referee.learn.history import History, Path
from referee.learn.prepared import RANK, SCORE, PreparedGame, prepare
from referee.learn.seat_view import Unfit

NAME: Final = "rulespec"
MOST_PLAYERS: Final = 100  # as far as OpenSpiel asks before it knows the rules
PARAMETERS: Final = {"rules": "", "players": 0, "options": "", "house": "", "reward": RANK}


def open_spiel_game(
    game: str | PathLike[str],
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    house: Iterable[str | PathLike[str]] = (),
    reward: str = RANK,
) -> SpielGame:
    """Return the OpenSpiel game of a shipped name, of a rule file or of a YAML text, with any number of house rules on top."""
    parameters = {
        "rules": _encoded(fspath(game)),
        "players": players or 0,
        "options": ";".join(f"{_encoded(name)}:{_encoded(choice)}" for name, choice in (options or {}).items()),
        "house": ";".join(_encoded(fspath(rule)) for rule in house),
        "reward": reward,
    }
    return SpielGame(parameters)


def _encoded(text: str) -> str:
    return quote(text, safe="/")


def _options(text: str) -> dict[str, str]:
    found = {}
    for part in filter(None, text.split(";")):
        name, colon, choice = part.partition(":")
        if not colon:
            raise Unfit(texts.NO_OPTION.format(found=text))
        found[unquote(name)] = unquote(choice)
    return found


class SpielGame(pyspiel.Game):
    """The rules for a number of players and a choice of options."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        if not given["rules"]:
            raise Unfit(texts.NO_RULES)
        house = [unquote(rule) for rule in given["house"].split(";") if rule]
        self.prepared = prepare(
            unquote(given["rules"]), given["players"] or None, _options(given["options"]), house, given["reward"]
        )
        self._first = History(self.prepared, self.prepared.game.start())
        super().__init__(_game_type(self.prepared), self._info(), given)

    def _info(self) -> pyspiel.GameInfo:
        least, most = self.prepared.return_bounds
        return pyspiel.GameInfo(
            num_distinct_actions=self.prepared.many_actions,
            max_chance_outcomes=len(self.prepared.chance_codes),
            num_players=self.prepared.players,
            min_utility=least,
            max_utility=most,
            utility_sum=None if self.prepared.reward == SCORE else 0.0,
            max_game_length=self.prepared.game.limit,
        )

    def new_initial_state(self, from_dict: Any = None) -> SpielState:
        return SpielState(self, self._first)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        return SpielObserver(self.prepared, iig_obs_type, params)


class SpielState(pyspiel.State):
    """A position of the game; chance decides at nodes of its own."""

    def __init__(self, game: SpielGame, first: History) -> None:
        super().__init__(game)
        self.lived = first

    @property
    def lived(self) -> History:
        """The position with all that led to it."""
        found: History = self.__dict__["lived"]
        return found

    @lived.setter
    def lived(self, given: History | Path) -> None:
        """OpenSpiel sets what it kept of a state: a moment of a copy, or the decisions of one that was written down."""
        self.__dict__["lived"] = given.walk(self.lived) if isinstance(given, Path) else given

    def current_player(self) -> int:
        match self.lived.state.to_move:
            case None:
                return int(pyspiel.PlayerId.TERMINAL)
            case 0:
                return int(pyspiel.PlayerId.CHANCE)
            case player:
                return player - 1

    def is_terminal(self) -> bool:
        return self.lived.state.to_move is None

    def _legal_actions(self, player: int) -> list[int]:
        state = self.lived.state
        return self.lived.prepared.legal(state) if state.to_move == player + 1 else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance by number, each with its probability."""
        prepared = self.lived.prepared
        outcomes = prepared.game.chances(self.lived.state)
        total = sum(weight for _, weight in outcomes)
        return sorted((prepared.chance_number(move), weight / total) for move, weight in outcomes)

    def _apply_action(self, action: int) -> None:
        self.lived = self.lived.decide(action)

    def _action_to_string(self, player: int, action: int) -> str:
        prepared = self.lived.prepared
        if player == pyspiel.PlayerId.CHANCE:
            return next(
                (str(m) for m, _ in prepared.game.chances(self.lived.state) if prepared.chance_number(m) == action),
                str(action),
            )
        return str(prepared.move(action))

    def returns(self) -> list[float]:
        """Return the reward of each player at the end of the game; 0 before."""
        if not self.is_terminal():
            return [0.0] * self.lived.prepared.players
        return self.lived.returns()

    def __str__(self) -> str:
        """Return the whole position, hidden pieces too."""
        return self.lived.whole()


class SpielObserver:
    """A player's view: of the position, as numbers and as text; or, with perfect recall, of the whole game, as text."""

    def __init__(self, prepared: PreparedGame, kind: Any, params: Any) -> None:
        if params:
            raise Unfit(texts.NO_PARAMETERS.format(found=", ".join(map(str, params))))
        self._prepared = prepared
        self._recalls = kind is not None and kind.perfect_recall
        self._private = pyspiel.PrivateInfoType.SINGLE_PLAYER if kind is None else kind.private_info
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not self._recalls and self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            self.tensor = np.zeros(len(prepared.readings), np.float32)
            self.dict["observation"] = self.tensor

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees into the numbers."""
        if self.tensor is None:
            raise Unfit(texts.NO_TENSOR)
        self.tensor[:] = self._prepared.observation(state.lived.state, player + 1)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player sees, or has seen, as text; without private information, what an onlooker does."""
        if self._private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return state.lived.whole()
        viewer = player + 1 if self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER else None
        return state.lived.known(viewer) if self._recalls else state.lived.seen(viewer)


def _game_type(prepared: PreparedGame | None) -> pyspiel.GameType:
    """Return what OpenSpiel asks about a game before it is played; None: about any."""
    kinds = pyspiel.GameType
    is_open = prepared is not None and prepared.is_open
    has_chance = prepared is None or prepared.game.has_chance
    zero_sum = prepared is not None and prepared.reward != SCORE
    return kinds(
        short_name=NAME,
        long_name=NAME if prepared is None else prepared.game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if has_chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION if is_open else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MOST_PLAYERS if prepared is None else prepared.players,
        min_num_players=1 if prepared is None else prepared.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=PARAMETERS,
        default_loadable=False,
    )


pyspiel.register_game(_game_type(None), SpielGame)
