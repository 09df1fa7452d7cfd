"""A position for people to look at: as text or as SVG."""

from __future__ import annotations

from typing import Final

from interpreter import Game, State
from referee.learn import texts
from referee.learn.seat_view import Unfit

ANSI, HUMAN, SVG = "ansi", "human", "svg"
MODES: Final = (ANSI, HUMAN, SVG)


def checked_mode(mode: str | None, known: tuple[str, ...] = MODES) -> str | None:
    """Return a render mode, or None for none; Unfit if there is no such mode."""
    if mode is not None and mode not in known:
        raise Unfit(texts.NO_RENDER_MODE.format(known=", ".join(f"`{m}`" for m in known), found=mode))
    return mode


def rendered(game: Game, state: State, viewer: int | None, mode: str) -> str:
    """Return a position as a player, or for None an onlooker, sees it."""
    if mode == SVG:
        from referee.picture.scene import scene
        from referee.picture.svg import draw

        return draw(scene(game, state, viewer))
    from referee.shell.blocks import plain
    from referee.shell.board import Board

    return "\n".join(plain(line).rstrip() for line in Board(game).lines(state, viewer))
