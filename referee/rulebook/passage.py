"""The passages of a rulebook about some moves, as plain lines, for people who are in the middle of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter import Game
from referee.rulebook.book import BookItem, plain_words
from referee.rulebook.chapters import Chapters


def passages(game: Game, moves: Sequence[str]) -> Iterator[str]:
    """Yield what the rulebook says about moves, each under its title."""
    chapters = Chapters(game.model, game.rules.resolve(game.options))
    for name in moves:
        section = chapters.move(game.model.moves[name])
        see = f" ({section.see})" if section.see else ""
        yield f"{plain_words(section.title)}{see}"
        for item in section.items:
            yield from _lines(item, 1)


def _lines(item: BookItem, depth: int) -> Iterator[str]:
    words = plain_words(": ".join(part for part in (item.lead, item.words) if part))
    if words:
        yield f"{'  ' * depth}{words}"
    for inner in item.items:
        yield from _lines(inner, depth + 1)
