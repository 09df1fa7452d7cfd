"""Go written from the rules, plainly: a board of numbers, chains found by walking, and every position kept."""

from __future__ import annotations

from dataclasses import dataclass, field

Point = tuple[int, int]
Board = dict[Point, int]  # the player whose stone lies there


@dataclass
class Go:
    """One game; `superko`: no position of the board may come back, else only a single stone may not be taken back at once."""

    size: int
    superko: bool = False
    board: Board = field(default_factory=dict)
    turn: int = 1
    passes: int = 0
    past: list[frozenset[tuple[Point, int]]] = field(default_factory=list)  # the boards before each stone

    def beside(self, point: Point) -> list[Point]:
        r, c = point
        near = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
        return [(a, b) for a, b in near if 1 <= a <= self.size and 1 <= b <= self.size]

    def connected(self, board: Board, point: Point) -> set[Point]:
        """Return all points of the same colour, or free ones, that hang together with a point."""
        found, waiting = {point}, [point]
        while waiting:
            for near in self.beside(waiting.pop()):
                if near not in found and board.get(near) == board.get(point):
                    found.add(near)
                    waiting.append(near)
        return found

    def is_alive(self, board: Board, point: Point) -> bool:
        return any(near not in board for stone in self.connected(board, point) for near in self.beside(stone))

    def after(self, point: Point) -> Board | None:
        """Return the board after a stone of whose turn it is; None if there is one, or it would die."""
        if point in self.board:
            return None
        board = {**self.board, point: self.turn}
        for near in self.beside(point):
            if board.get(near) == 3 - self.turn and not self.is_alive(board, near):
                for stone in self.connected(board, near):
                    del board[stone]
        return board if self.is_alive(board, point) else None

    def may_put(self, point: Point) -> bool:
        board = self.after(point)
        if board is None:
            return False
        known = frozenset(board.items())
        # without superko, only the board before the other player's stone may not come back, if that came just before
        looked_at = self.past if self.superko else self.past[-1:] if self.passes == 0 else []
        return known not in looked_at

    def points(self) -> list[Point]:
        """Return where a stone may be put, row by row."""
        every = [(r, c) for r in range(1, self.size + 1) for c in range(1, self.size + 1)]
        return [point for point in every if self.may_put(point)]

    def put(self, point: Point) -> None:
        board = self.after(point)
        assert board is not None
        self.past.append(frozenset(self.board.items()))
        self.board, self.passes, self.turn = board, 0, 3 - self.turn

    def do_pass(self) -> None:
        self.passes += 1
        self.turn = 3 - self.turn

    def areas(self) -> tuple[int, int]:
        """Return how many points each player holds: stones, and free points that only their stones touch."""
        held = [0, 0]
        for r in range(1, self.size + 1):
            for c in range(1, self.size + 1):
                owner = self.board.get((r, c))
                region = self.connected(self.board, (r, c))
                around = {self.board[near] for point in region for near in self.beside(point) if near in self.board}
                if owner is None and len(around) == 1:
                    (owner,) = around
                if owner is not None:
                    held[owner - 1] += 1
        return held[0], held[1]

    def copy(self) -> Go:
        return Go(self.size, self.superko, dict(self.board), self.turn, self.passes, list(self.past))


def count(game: Go, plies: int) -> int:
    """Return in how many ways so many decisions can be made; a game that is over has none."""
    if not plies:
        return 1
    if game.passes == 2:
        return 0
    total = 0
    for point in (None, *game.points()):
        after = game.copy()
        if point is None:
            after.do_pass()
        else:
            after.put(point)
        total += count(after, plies - 1)
    return total
