"""Naive second implementations of the classic games: tests only.

Written from the rules alone. A game is two functions on positions that never change: `moves(position)` lists the
decisions in the notation of the game files (chance too: `roll 3`, `draw ace.coins`), `after(position, move)` is the
next position. An ended game has no moves. `count` counts sequences of decisions without any cleverness.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol


class Position(Protocol):
    @property
    def to_move(self) -> int | None:
        """A player, 0 for chance, None when the game is over."""

    def moves(self) -> list[str]: ...
    def after(self, move: str) -> Position: ...
    def winners(self) -> list[int]: ...


def count(position: Position, depth: int) -> int:
    """Return the sequences of exactly so many decisions from here."""
    if depth == 0:
        return 1
    return sum(count(position.after(move), depth - 1) for move in position.moves())


# Tic-tac-toe ----------------------------------------------------------------------------------------------

LINES = ("123", "456", "789", "147", "258", "369", "159", "357")


@dataclass(frozen=True)
class TicTacToe:
    board: str = "." * 9
    turn: int = 1
    misere: bool = False
    wild: bool = False

    def made(self) -> bool:
        return any({self.board[int(c) - 1] for c in line} in ({"x"}, {"o"}) for line in LINES)

    @property
    def to_move(self) -> int | None:
        return None if self.made() or "." not in self.board else self.turn

    def moves(self) -> list[str]:
        if self.to_move is None:
            return []
        free = [i for i in range(9) if self.board[i] == "."]
        marks = [" x", " o"] if self.wild else [""]
        return [f"put {i // 3 + 1} {i % 3 + 1}{mark}" for i in free for mark in marks]

    def after(self, move: str) -> TicTacToe:
        _, row, column, *mark = move.split()
        i = (int(row) - 1) * 3 + int(column) - 1
        put = mark[0] if mark else " xo"[self.turn]
        return replace(self, board=self.board[:i] + put + self.board[i + 1 :], turn=3 - self.turn)

    def winners(self) -> list[int]:
        if not self.made():
            return [1, 2]
        return [self.turn] if self.misere else [3 - self.turn]


# Nim ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Nim:
    heaps: tuple[int, ...] = (3, 4, 5)
    turn: int = 1
    misere: bool = False

    @property
    def to_move(self) -> int | None:
        return self.turn if any(self.heaps) else None

    def moves(self) -> list[str]:
        return [f"take {h} {n}" for h, size in enumerate(self.heaps, 1) for n in range(1, size + 1)]

    def after(self, move: str) -> Nim:
        _, h, n = move.split()
        left = tuple(size - int(n) * (i == int(h)) for i, size in enumerate(self.heaps, 1))
        return replace(self, heaps=left, turn=3 - self.turn)

    def winners(self) -> list[int]:
        return [self.turn] if self.misere else [3 - self.turn]


# Kalah ----------------------------------------------------------------------------------------------------

KALAH = (6, 13)  # in the ring of fourteen: pits 0 to 5, a kalah, pits 7 to 12, a kalah


@dataclass(frozen=True)
class Kalah:
    bowls: tuple[int, ...] = (4, 4, 4, 4, 4, 4, 0) * 2
    turn: int = 1
    empty_capture: bool = False
    to_the_other_side: bool = False

    def pits(self, player: int) -> range:
        return range(7 * player - 7, 7 * player - 1)

    @property
    def to_move(self) -> int | None:
        return self.turn if all(any(self.bowls[i] for i in self.pits(p)) for p in (1, 2)) else None

    def moves(self) -> list[str]:
        if self.to_move is None:
            return []
        return [f"sow {n}" for n, i in enumerate(self.pits(self.turn), 1) if self.bowls[i]]

    def after(self, move: str) -> Kalah:
        bowls, own, other = list(self.bowls), KALAH[self.turn - 1], KALAH[2 - self.turn]
        at = self.pits(self.turn)[int(move.split()[1]) - 1]
        stones, bowls[at] = bowls[at], 0
        while stones:
            at = (at + 1) % 14
            if at != other:
                bowls[at] += 1
                stones -= 1
        if at in self.pits(self.turn) and bowls[at] == 1 and (bowls[12 - at] or self.empty_capture):
            bowls[own] += bowls[at] + bowls[12 - at]
            bowls[at] = bowls[12 - at] = 0
        return replace(self, bowls=tuple(bowls), turn=self.turn if at == own else 3 - self.turn)

    def scores(self) -> list[int]:
        left = [sum(self.bowls[i] for i in self.pits(p)) for p in (1, 2)]
        if self.to_the_other_side:
            left.reverse()
        return [self.bowls[k] + n for k, n in zip(KALAH, left, strict=True)]

    def winners(self) -> list[int]:
        return best(self.scores())


def best(scores: list[int]) -> list[int]:
    return [p for p, score in enumerate(scores, 1) if score == max(scores)]


# Pig ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pig:
    held: tuple[int, ...]
    dice: str = "one"
    turn: int = 1
    pot: int = 0
    thrown: tuple[int, ...] | None = None  # the dice that lie while others are still in the air

    @property
    def to_move(self) -> int | None:
        if max(self.held) >= 100:
            return None
        return self.turn if self.thrown is None else 0

    def moves(self) -> list[str]:
        if self.to_move is None:
            return []
        if self.thrown is not None:
            return [f"roll {n}" for n in range(1, 7)]
        throw = ["throw"] if self.held[self.turn - 1] + self.pot < 100 else []
        return throw + (["hold"] if self.pot else [])

    def after(self, move: str) -> Pig:
        if move == "throw":
            return replace(self, thrown=())
        if move == "hold":
            return self.passed(self.held[self.turn - 1] + self.pot)
        assert self.thrown is not None
        thrown = (*self.thrown, int(move.split()[1]))
        if len(thrown) < (1 if self.dice == "one" else 2):
            return replace(self, thrown=thrown)
        if thrown == (1, 1):
            return replace(self, pot=self.pot + 25, thrown=None) if self.dice == "two_with_doubles" else self.passed(0)
        if 1 in thrown:
            return self.passed(self.held[self.turn - 1])
        twice = self.dice == "two_with_doubles" and thrown[0] == thrown[1]
        return replace(self, pot=self.pot + sum(thrown) * (2 if twice else 1), thrown=None)

    def passed(self, score: int) -> Pig:
        held = tuple(score if p == self.turn else n for p, n in enumerate(self.held, 1))
        return replace(self, held=held, turn=self.turn % len(held) + 1, pot=0, thrown=None)

    def scores(self) -> list[int]:
        return list(self.held)

    def winners(self) -> list[int]:
        return best(self.scores())


# Briscola -------------------------------------------------------------------------------------------------

SUITS = ("coins", "cups", "swords", "batons")
RANKS = ("two", "four", "five", "six", "seven", "jack", "knight", "king", "three", "ace")
WORTH = {"jack": 2, "knight": 3, "king": 4, "three": 10, "ace": 11}
CARDS = tuple(f"{rank}.{suit}" for rank in RANKS for suit in SUITS)


@dataclass(frozen=True)
class Briscola:
    """`due` are the players who still draw, in order; player 0 stands for the card turned up."""

    players: int
    exchange: bool = False
    deck: frozenset[str] = frozenset(CARDS)
    hands: tuple[frozenset[str], ...] = ()
    won: tuple[frozenset[str], ...] = ()
    turned_up: str = ""
    trump: str = ""
    trick: tuple[str, ...] = ()
    leader: int = 1
    due: tuple[int, ...] = ()

    @staticmethod
    def begin(players: int, exchange: bool = False) -> Briscola:
        nobody = (frozenset[str](),) * players
        deck = frozenset(CARDS) - ({"two.batons"} if players == 3 else set())
        deal = tuple(p for p in range(1, players + 1) for _ in range(3))
        return Briscola(players, exchange, deck, nobody, nobody, due=(*deal, 0))

    @cached_property
    def turn(self) -> int:
        return (self.leader + len(self.trick) - 1) % self.players + 1

    @property
    def to_move(self) -> int | None:
        if self.due:
            return 0
        return self.turn if any(self.hands) else None

    def moves(self) -> list[str]:
        if self.due:
            return [f"draw {card}" for card in CARDS if card in self.deck]
        if self.to_move is None:
            return []
        hand = self.hands[self.turn - 1]
        may = self.exchange and not any(self.won) and f"two.{self.trump}" in hand
        return [f"play {card}" for card in CARDS if card in hand] + ["exchange"] * may

    def with_hand(self, player: int, hand: frozenset[str]) -> Briscola:
        return replace(self, hands=tuple(hand if p == player else h for p, h in enumerate(self.hands, 1)))

    def after(self, move: str) -> Briscola:
        if move == "exchange":
            two = f"two.{self.trump}"
            changed = self.with_hand(self.turn, self.hands[self.turn - 1] - {two} | {self.turned_up})
            return replace(changed, turned_up=two)
        verb, card = move.split()
        if verb == "draw":
            return self.drawn(card)
        played = self.with_hand(self.turn, self.hands[self.turn - 1] - {card})
        played = replace(played, trick=(*self.trick, card))
        return played if len(played.trick) < self.players else played.taken()

    def drawn(self, card: str) -> Briscola:
        who, *later = self.due
        position = replace(self, deck=self.deck - {card}, due=tuple(later))
        if who == 0:
            return replace(position, turned_up=card, trump=card.split(".")[1])
        return position.with_hand(who, position.hands[who - 1] | {card}).last_card()

    def last_card(self) -> Briscola:
        """Return the deck is used up and somebody still draws: the card turned up."""
        if self.deck or not self.due:
            return self
        (who,) = self.due
        return replace(self.with_hand(who, self.hands[who - 1] | {self.turned_up}), turned_up="", due=())

    def taken(self) -> Briscola:
        led = self.trick[0].split(".")[1]

        def force(card: str) -> tuple[bool, bool, int]:
            rank, suit = card.split(".")
            return suit == self.trump, suit == led, RANKS.index(rank)

        best_card = max(self.trick, key=force)
        winner = (self.leader + self.trick.index(best_card) - 1) % self.players + 1
        won = tuple(w | set(self.trick) if p == winner else w for p, w in enumerate(self.won, 1))
        order = tuple((winner + i - 1) % self.players + 1 for i in range(self.players))
        return replace(self, won=won, trick=(), leader=winner, due=order if self.deck else ())

    def scores(self) -> list[int]:
        return [sum(WORTH.get(card.split(".")[0], 0) for card in won) for won in self.won]

    def winners(self) -> list[int]:
        scores = self.scores()
        return best([scores[i] + scores[i - 2] for i in range(4)] if self.players == 4 else scores)
