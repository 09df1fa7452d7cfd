"""Printed faces of pieces, as people type them: row by row, whichever way up they look at them. It never prints."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter import Game, State
from referee.shell.board import Board

BETWEEN = "/"  # rows
Rows = tuple[tuple[str, ...], ...]


def face_words(game: Game, state: State) -> Mapping[str, tuple[int, ...]]:
    """Return the kinds of pieces by what is printed on them, such as `yb/ko` or `ybko`; mostly one for each.

    Pieces with a symbol are known by that. What is printed must not depend on the position.
    """
    board = Board(game)
    found: dict[str, list[int]] = {}
    for kind in game.model.kinds:
        rows = board.printed_rows(state, kind)
        for turned in _turned(tuple(tuple(mark.text for mark in row) for row in rows)):
            for word in dict.fromkeys(("".join(map("".join, turned)), BETWEEN.join(map("".join, turned)))):
                kinds = found.setdefault(word, [])
                if kind not in kinds:
                    kinds.append(kind)
    return {word: tuple(kinds) for word, kinds in found.items()}


def _turned(rows: Rows) -> list[Rows]:
    """Return all ways to look at some rows: a square can be turned four ways, anything longer two; nothing where there are none."""
    if not rows:
        return []
    found = [rows]
    square = len({len(rows), *map(len, rows)}) == 1
    for _ in range(3 if square else 1):
        last = found[-1]
        found.append(
            tuple(tuple(column) for column in zip(*last[::-1], strict=True))
            if square
            else tuple(row[::-1] for row in last[::-1])
        )
    return found
