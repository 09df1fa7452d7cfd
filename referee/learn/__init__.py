"""Environments for programs that learn, for any rule file: PettingZoo, Gymnasium's vector environments and OpenSpiel.

    from referee.learn import BatchEnv, SeatsEnv, open_spiel_game

Each is loaded when it is first asked for: NumPy and the library it is made for come with the extra `rl`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from referee.learn import texts

if TYPE_CHECKING:
    from referee.learn.batch_env import BatchEnv as BatchEnv
    from referee.learn.prepared import PreparedGame as PreparedGame
    from referee.learn.prepared import prepare as prepare
    from referee.learn.seat_view import Unfit as Unfit
    from referee.learn.seats_env import SeatsEnv as SeatsEnv
    from referee.learn.spiel import open_spiel_game as open_spiel_game

_HOMES = {
    "BatchEnv": "referee.learn.batch_env",
    "PreparedGame": "referee.learn.prepared",
    "SeatsEnv": "referee.learn.seats_env",
    "Unfit": "referee.learn.seat_view",
    "open_spiel_game": "referee.learn.spiel",
    "prepare": "referee.learn.prepared",
}

__all__ = sorted(_HOMES)


class MissingPackage(ImportError):
    """A library that an environment is made for is not installed."""


if not TYPE_CHECKING:  # mypy sees the imports above, and no other name

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
        try:
            return getattr(import_module(_HOMES[name]), name)
        except ModuleNotFoundError as error:
            module = (error.name or "").partition(".")[0]
            if module not in texts.PACKAGES:
                raise
            raise MissingPackage(texts.MISSING.format(name=name, package=texts.PACKAGES[module])) from None


def __dir__() -> list[str]:
    return list(__all__)
