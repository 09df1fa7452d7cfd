"""One screen of a game: what is chosen from and one's own board always, the rest as far as there is room. It never prints.

Nothing here knows a game: places that belong to no player are common, those that the legal moves touch are what is chosen from,
and a place with a player among its indexes is on that player's board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter import CHANCE, Game, Move, State
from referee.record.match import Match
from referee.shell.blocks import Styled, StyledBlock, StyledLine, beside, clipped, folded, width
from referee.shell.board import NO_FAMILIES, Board, Families

MOST_TOUCHES = 240  # moves that are asked for what they touch
SMALL_GAP = 3  # columns between small boards
LEAST_LOG = 3  # lines about what happened, where boards can be made smaller for them,
LAST_LOG = 1  # and where the boards of others would have to go
LEAST_LOG_WITH_MOVES = 5
HANG = "    "


@dataclass(frozen=True, slots=True)
class Content:
    """The parts of a screen. `owner` is the player whose board is shown in full; `moves` are shown where they fit."""

    state: State
    viewer: int | None
    owner: int
    matter: Families
    heading: StyledLine
    log: Sequence[str] = ()
    known: int = 0  # lines of the log that are not new
    message: StyledBlock = ()  # type: ignore[assignment]
    moves: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """The lines of a screen, and whether the moves and all of the message are among them."""

    lines: StyledBlock
    moves: bool
    whole: bool


def touched(game: Game, state: State, moves: Sequence[Move]) -> Families:
    """Return the families of places that moves touch; of very many moves some are asked."""
    step = 1 + len(moves) // MOST_TOUCHES
    return frozenset(point.family for move in moves[::step] for point in game.touches(state, move))


def touched_last(match: Match) -> Families:
    """Return the families of places that the last decision of a player was about: what a game that is over still shows in full."""
    last = next((d for d in reversed(match.decided) if d.player != CHANCE), None)
    return touched(match.game, last.before, match.game.legal_moves(last.before)) if last is not None else NO_FAMILIES


def composed(board: Board, content: Content, rows: int) -> Page:
    """Return a screen of at most `rows` lines; what matters most comes first where not all of it fits."""
    chosen_from = board.offered(content.state, content.viewer, content.matter)
    fixed = 1 + len(chosen_from) + len(content.message)
    for least, boards in _arrangements(board, content):
        if fixed + len(boards) + least <= rows:
            break
    used = fixed + len(boards)
    if used > rows:
        kept = [content.heading, *chosen_from, *boards][:rows]
        return Page(_clipped(board, kept), False, not content.message)
    free = rows - used
    aside = board.aside(content.state, content.viewer, content.matter)
    aside = aside[: max(0, free - min(LEAST_LOG, len(content.log)))]
    free -= len(aside)
    with_moves = bool(content.moves) and len(content.moves) + min(LEAST_LOG_WITH_MOVES, len(content.log)) <= free
    free -= len(content.moves) if with_moves else 0
    log = last_of(content.log, board.columns, free, content.known)
    free -= len(log)
    legend = board.legend()
    legend = legend if len(legend) <= free else []
    free -= len(legend)
    gap: StyledBlock = [()]
    lines = [content.heading, *legend, *aside, *chosen_from]
    if free:
        lines, free = [*lines, *gap], free - 1
    lines += boards
    if free:
        lines, free = [*lines, *gap], free - 1
    lines += [(Styled(line, how),) for line, how in log]
    if content.message and free and log:
        lines, free = [*lines, *gap], free - 1
    lines += content.message
    lines += [(Styled(line),) for line in content.moves] if with_moves else []
    return Page(_clipped(board, lines), with_moves, True)


def last_of(lines: Sequence[str], columns: int, rows: int, known: int = 0) -> list[tuple[str, str]]:
    """Return the last lines, folded at the edge of the screen, as many as fit, and how each looks: known ones are faint.

    None is shown in part.
    """
    found: list[tuple[str, str]] = []
    for number in range(len(lines) - 1, -1, -1):
        parts = folded(lines[number], columns, HANG)
        if len(found) + len(parts) > rows:
            break
        found = [*((part, "faint" if number < known else "plain") for part in parts), *found]
    return found


def _clipped(board: Board, lines: StyledBlock) -> StyledBlock:
    return [clipped(line, board.columns) for line in lines]


def _arrangements(board: Board, content: Content) -> list[tuple[int, StyledBlock]]:
    """Return the boards in ever smaller forms, each with the lines of the log that are to be kept free beside them."""
    state, viewer = content.state, content.viewer
    others = [p for p in range(1, board.game.players + 1) if p != content.owner]
    own = board.own(state, viewer, content.owner, board.columns, content.matter)
    half = board.own(state, viewer, content.owner, (board.columns - SMALL_GAP) // 2, content.matter)
    left = max(1, board.columns - max(map(width, half)) - SMALL_GAP)
    full = [board.own(state, viewer, p, left, content.matter) for p in others]
    small = [board.small(state, viewer, p, left) for p in others]
    names = [board.one_line(state, viewer, p) for p in others]
    line: StyledBlock = []
    for name in names:
        line = [(*line[0], Styled("   "), *name)] if line else [name]
    tiny = board.small(state, viewer, content.owner, board.columns)
    found: list[StyledBlock] = []
    for blocks in (full, small):
        together = beside([half, *blocks], SMALL_GAP)
        if max(map(width, together)) <= board.columns:
            found.append(together)
        below = beside(blocks, SMALL_GAP)
        if below and max(map(width, below)) <= board.columns:
            found.append([*below, (), *own])
    with_others = [(least, blocks) for least in (LEAST_LOG, LAST_LOG) for blocks in found]
    all_tiny = beside([tiny, *small], SMALL_GAP)
    tiniest = [all_tiny, tiny] if max(map(width, all_tiny)) <= board.columns else [tiny]
    return [*with_others, (LEAST_LOG, [*line, *own]), (0, [*line, *own]), (0, own), *((0, block) for block in tiniest)]
