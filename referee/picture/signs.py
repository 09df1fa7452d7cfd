"""The three signs of a kind: colour, letter and pattern; and the shape, size and face of its pieces."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from interpreter import Game, State
from rulespec import syntax

# Ten colours that people with any colour vision can tell apart as well as ten can be; letter and pattern say the same.
TEN = ("#2878b5", "#e8b11c", "#c8383a", "#4b9b57", "#7b4f9d", "#e07b2a", "#2aa8a0", "#d65f9b", "#8a8f98", "#6b4a2f")
NAMED = {
    "amber": "#e8a317", "beige": "#d9c9a3", "black": "#2b2b2b", "blue": "#2878b5", "brown": "#7a4f2b", "cyan": "#2bb0c4", "gold": "#d4a72c",
    "gray": "#8a8f98", "green": "#4b9b57", "grey": "#8a8f98", "indigo": "#4b4fa0", "lime": "#9bbf3b", "magenta": "#c2419b", "orange": "#e07b2a",
    "pink": "#d65f9b", "purple": "#7b4f9d", "red": "#c8383a", "silver": "#b8bec6", "teal": "#2a8f88", "turquoise": "#2fb3a8",
    "violet": "#7b4f9d", "white": "#dfe8ea", "yellow": "#e8b11c",
}  # fmt: skip
PATTERNS = 8
ALONE = ("#b9b0a0", "#93a1a8", "#c9a98a", "#a9b394")  # of kinds that are in no set
BACK = "#66758c"  # of pieces that lie face down
DARK, LIGHT = "#1d2026", "#ffffff"
SIZES = {"square": (1.0, 1.0), "circle": (1.0, 1.0), "rhombus": (0.72, 1.2), "hexagon": (1.0, 1.0), "card": (0.84, 1.2)}
LONGEST = 3  # characters of a letter that is made up


@dataclass(frozen=True, eq=False)
class _Home:
    """A set whose members have different signs."""

    model: syntax.Model
    values: tuple[int, ...]
    is_set: bool  # or else a kind that is alone, or the kinds that are in no set

    @cached_property
    def beginnings(self) -> Counter[str]:
        """How many members have a name that begins so."""
        return Counter(short for code in self.values for short in _beginnings(self.model.value_name(code)))


class Signs:
    """The colours, letters and patterns of the members of a game's sets."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.model = game.model
        self.view = game.model.view
        self.colour = lru_cache(maxsize=None)(self._colour)
        self.symbol = lru_cache(maxsize=None)(self._symbol)
        self.drawn = lru_cache(maxsize=None)(self._drawn)

    def data(self, state: State, code: int, back: bool = False) -> dict[str, Any]:
        """Return a member as a scene has it."""
        colour = BACK if back and code not in self.view.colours else self.colour(code)
        entry, _ = self.drawn(code)
        return {
            "label": self.label(code),
            "symbol": self.symbol(code),
            "colour": colour,
            "ink": DARK if brightness(colour) > 0.4 else LIGHT,
            "pattern": self.pattern(code),
            "shape": self.shape(code),
            "face": self.face(state, code),
            "across": entry.across if entry is not None else 0,
        }

    def label(self, code: int) -> str:
        """Return a kind in words: its label, else its name, without the underscores that a file needs."""
        label = self.game.notation.kind_label(code)
        return label.replace("_", " ") if label == self.model.value_name(code) else label

    def pattern(self, code: int) -> int:
        return self.home(code)[1] % PATTERNS

    def shape(self, code: int) -> str:
        entry, _ = self.drawn(code)
        return entry.shape if entry is not None and entry.shape else "square"

    def size(self, code: int) -> tuple[float, float]:
        """Return how wide and high a piece is, in cells."""
        wide, high = SIZES[self.shape(code)]
        entry, _ = self.drawn(code)
        times = entry.size if entry is not None else 1
        return wide * times, high * times

    def face(self, state: State, code: int) -> list[str] | None:
        """Return the marks that are printed on a piece; None: its own sign."""
        entry, name = self.drawn(code)
        if entry is None or "face" not in entry.values:
            return None
        given = (code,) if name in self.model.sets else ()
        marks = self.game.drawn(state, ("pieces", name, "face"), *given)
        return None if marks is None else [self.model.value_name(mark) for mark in marks]

    def _drawn(self, code: int) -> tuple[syntax.PieceView | None, str]:
        """Return what the view says of a kind: by its name, else by the smallest set it is in."""
        name = self.model.value_name(code)
        if name in self.view.pieces:
            return self.view.pieces[name], name
        homes = [n for n in self.view.pieces if n in self.model.sets and code in self.model.sets[n].values]
        if not homes:
            return None, ""
        home = min(homes, key=lambda n: len(self.model.sets[n].values))
        return self.view.pieces[home], home

    @cached_property
    def _homes(self) -> dict[int, tuple[_Home, int]]:
        """The smallest set of each member, with its number there; kinds without one are together."""
        found: dict[int, tuple[_Home, int]] = {}
        by_size = sorted((s.values for s in self.model.sets.values()), key=len)
        for values in reversed(by_size):  # a smaller set takes its members from a larger one
            home = _Home(self.model, values, len(values) > 1)
            found |= {code: (home, i) for i, code in enumerate(values) if code > syntax.NONE}
        alone = tuple(kind for kind in self.model.kinds if kind not in found and kind > syntax.NONE)
        together = _Home(self.model, alone, False)
        return found | {kind: (together, i) for i, kind in enumerate(alone)}

    def home(self, code: int) -> tuple[_Home, int]:
        """Return the set of a member, and its number there; a number is alone."""
        return self._homes.get(code) or (_Home(self.model, (code,), False), 0)

    def _colour(self, code: int) -> str:
        if is_colour(self.view.colours.get(code, "")):
            return self.view.colours[code]
        name = self.model.value_name(code).lower()
        if name in NAMED:
            return NAMED[name]
        home, number = self.home(code)
        colours = TEN if home.is_set else ALONE
        return colours[number % len(colours)]

    def _symbol(self, code: int) -> str:
        if code in self.view.symbols:
            return self.view.symbols[code]
        name = self.model.value_name(code)
        if len(name) <= LONGEST:
            return name
        home, _ = self.home(code)
        for short in _beginnings(name):
            if home.beginnings[short] == 1:
                return short
        return name[0].upper() + name[-2:]


def _beginnings(name: str) -> list[str]:
    """Return letters that could stand for a name, the shortest first."""
    return list(dict.fromkeys(name[:n].capitalize() for n in (1, 2, LONGEST)))


def is_colour(text: str) -> bool:
    """Return whether a text is a colour that may be written into a picture as it is: `#2878b5`, `#28b`, or a name."""
    return re.fullmatch(r"#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[a-z]{3,20}", text) is not None


def brightness(colour: str) -> float:
    """Return how bright `#rgb` or `#rrggbb` is, from 0 to 1, as eyes see it; 1 for what is no such colour."""
    digits = NAMED.get(colour, colour).removeprefix("#")
    if len(digits) == 3:
        digits = "".join(d * 2 for d in digits)
    if len(digits) != 6 or not is_colour(f"#{digits}"):
        return 1.0
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return 0.3 * red**2 + 0.59 * green**2 + 0.11 * blue**2
