"""Values and moves as words, and back: the notation of records, examples and the keyboard; labels for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interpreter.state import Args, Spot, UnreadableMove
from rulespec.english import closest, first_few, listed, listed_some, number_of, suggestion, with_article
from rulespec.syntax import LARGEST, NONE, Choice, Expr, ListOf, Model, PlaceOf, Several, Template, Type, Values, YesNo

HIDDEN = "?"  # shown in place of what somebody may not know
DECIDED = "decided"  # the words of a decision that others may not know yet

MOST_SHOWN = 12  # values in a message
SHORTEST_WORD = 3  # letters of a name that people may read as a word


class Notation:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.codes = {name: code for code, name in model.member_names.items()}
        self._labels: dict[tuple[int, str], str] = {}

    # words -----------------------------------------------------------------------------------------------

    def word(self, value: Any, t: Type) -> str:
        """Return a chosen value as one word."""
        if isinstance(t, Several):
            words = [self.model.value_name(k) for k, n in zip(t.kinds, value, strict=True) for _ in range(n)]
            return ",".join(words) or "nothing"
        return self.model.value_name(value)

    def move(self, name: str, args: Args) -> str:
        choices = self.model.moves[name].choices
        return " ".join([name, *(self.word(v, c.type) for v, c in zip(args, choices, strict=True))])

    def chance(self, kind: str, code: int) -> str:
        return f"{kind} {self.model.value_name(code)}"

    def read_value(self, word: str, t: Type, what: str) -> Any:
        """Return the value of a word."""
        if isinstance(t, Several):
            return self._read_several(word, t, what)
        if word == "none":
            return NONE
        if (place := self.model.place_named(word, t)) is not None:
            return place
        if re.fullmatch(r"-?[0-9]{1,10}", word) and abs(int(word)) <= LARGEST:
            return int(word)
        if word in self.codes:
            return self.codes[word]
        expected = self.expected(t)
        turned = ".".join(reversed(word.split(".")))
        near = turned if "." in word and turned in self.values(t) else closest(word, self.values(t))
        meant = (word, near) if near is not None else None
        raise UnreadableMove(f"`{word}` is not {what}: expected {expected}", suggestion(near), meant)

    def _read_several(self, word: str, t: Several, what: str) -> tuple[int, ...]:
        counts = dict.fromkeys(t.kinds, 0)
        for part in word.split(",") if word != "nothing" else ():
            code = self.codes.get(part)
            if code not in counts:
                names = listed([self.model.value_name(k) for k in t.kinds])
                raise UnreadableMove(f"`{part}` is not {what}: expected kinds joined by commas ({names}), or `nothing`")
            counts[code] += 1
        return tuple(counts.values())

    def expected(self, t: Type) -> str:
        return listed_some(self.values(t), MOST_SHOWN)

    def first_few(self, values: Sequence[Any], t: Type) -> str:
        """Return the words of the first few values for a message, `none` for no values."""
        shown = first_few([self.word(v, t) for v in values[: MOST_SHOWN + 1]], MOST_SHOWN) or "none"
        if not isinstance(t, Several) or len(values) <= MOST_SHOWN:
            return shown
        sizes = [sum(counts) for counts in values]  # of pieces chosen together, how many is what players need to know
        many = str(min(sizes)) if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
        return f"{many} of what lies there, such as {shown} ({len(values):,} ways)"

    def values(self, t: Type) -> list[str]:
        """Return the words for all values of a type."""
        if isinstance(t, Values):
            home = self.model.sets.get(t.home)
            codes = (
                list(home.values)
                if home
                else [*(range(t.lo, (t.hi or t.lo) + 1) if t.lo is not None else ()), *sorted(t.members)]
            )
            return [self.model.value_name(c) for c in codes] + (["none"] if t.none else [])
        if isinstance(t, Several):
            return [self.model.value_name(c) for c in t.kinds]
        return []

    def read_args(self, name: str, words: list[str], choices: tuple[Choice, ...]) -> Args:
        """Return the values of a move's words after its name."""
        if len(words) != len(choices):
            usage = self.usage(name, choices)
            if not words and len(choices) == 1 and isinstance(choices[0].type, Several):
                message = f"expected `{usage}`, found no word after `{name}`"
                raise UnreadableMove(message, f"for none of them write `{name} nothing`", (name, f"{name} nothing"))
            parts = dict.fromkeys(f"{self.choice_word(c).upper()} is {self.expected(c.type)}" for c in choices)
            meaning = "; ".join(parts)
            raise UnreadableMove(
                f"expected `{usage}`{self._such_as(name, choices)}, found {number_of(len(words), 'word') if words else 'no word'} after `{name}`"
                + (f" ({meaning})" if meaning else "")
            )
        return tuple(self.read_value(w, c.type, self.one_of(c)) for w, c in zip(words, choices, strict=True))

    def choice_word(self, choice: Choice) -> str:
        """Return what is chosen, in one word with underscores: a member of a set, a place, pieces, a number.

        Names of parameters are for authors, and mostly letters; only where there is nothing else, a longer one is taken.
        """
        own = choice.name if len(choice.name) >= SHORTEST_WORD else ""
        t = choice.type
        if isinstance(t, Several):
            return own or "pieces"
        if isinstance(t, Values) and t.home:
            return t.home
        if isinstance(t, Values) and any(codes[0] in t.members for codes in self.model.place_codes.values()):
            return "place"
        return own or ("number" if isinstance(t, Values) and t.is_number else "value")

    def usage(self, name: str, choices: Sequence[Choice]) -> str:
        """Return the form of a move: `lay FLOWER BED`."""
        return " ".join([name, *(self.choice_word(c).upper() for c in choices)])

    def one_of(self, choice: Choice) -> str:
        """Return what a word should name, with its article."""
        word = self.choice_word(choice).replace("_", " ")
        is_plural = isinstance(choice.type, Several) or (word.endswith("s") and not word.endswith("ss"))
        return f"one of the {word}" if is_plural else with_article(word)

    def cannot_be(self, value: Any, choice: Choice, domain: Sequence[Any]) -> str:
        """Return that a value cannot be chosen now, and which can."""
        where = "" if isinstance(choice.type, Several) else f" as {self.choice_word(choice).replace('_', ' ')}"
        shown, allowed = self.word(value, choice.type), self.first_few(domain, choice.type)
        return f"`{shown}` cannot be chosen{where}; possible: {allowed}"

    def _such_as(self, name: str, choices: Sequence[Choice]) -> str:
        """Return a move of this form, each word another value where there are enough; nothing where values are not listed."""
        values = [self.values(c.type) for c in choices]
        if not choices or not all(values):
            return ""
        words = [all_of[min(i, len(all_of) - 1)] for i, all_of in enumerate(values)]
        return f", for example `{' '.join([name, *words])}`"

    # labels ----------------------------------------------------------------------------------------------

    def label(self, value: Any, t: Type) -> str:
        """Return a value as people read it, with the view's labels."""
        if isinstance(t, YesNo):
            return "yes" if value else "no"
        if isinstance(t, ListOf):
            return ", ".join(self.label(v, t.item) for v in value) or "nothing"
        if isinstance(t, Several):
            chosen = [(self.kind_label(k), n) for k, n in zip(t.kinds, value, strict=True) if n]
            return ", ".join(f"{n} {label}" if n > 1 else label for label, n in chosen) or "nothing"
        if isinstance(t, PlaceOf):
            return t.family
        home = t.home if isinstance(t, Values) else ""
        key = (value, home)
        if key not in self._labels:
            self._labels[key] = self._make_label(value, home)
        return self._labels[key]

    def kind_label(self, code: int) -> str:
        """Return a kind of piece as people read it, by the smallest set it is in."""
        homes = [s for s in self.model.sets.values() if code in s.values]
        home = min(homes, key=lambda s: len(s.values)).name if homes else ""
        return self.label(code, Values(members=frozenset((code,)), home=home))

    def _make_label(self, code: int, home: str) -> str:
        name = self.model.value_name(code)
        labels = self.model.view.labels
        found = name if name in labels else self._labelled(code, home)
        if found is None:
            return name
        filled = self.model.view.filled.get((found, code))
        return labels[found].replace("{it}", name) if filled is None else filled

    def _labelled(self, code: int, home: str) -> str | None:
        """Return the innermost set with a label that the value came from."""
        home_set = self.model.sets.get(home)
        if home_set is None or code not in home_set.values:
            return None
        for inner in home_set.contains:
            if (found := self._labelled(code, inner)) is not None:
                return found
        return home if home in self.model.view.labels else None

    def told(
        self, template: Template, values: tuple[Any, ...], is_secret: Callable[[Expr], bool] = lambda e: False
    ) -> tuple[str | int, ...]:
        """Return a text with its holes filled, players as numbers: those who sit there have names; what is secret reads `?`."""
        rest = iter(values)
        players = range(1, self.model.players + 1)
        parts: list[str | int] = []
        for part in template.parts:
            if isinstance(part, str):
                parts.append(part)
                continue
            value = next(rest)
            is_player = isinstance(part.type, Values) and part.type.home == "player" and value in players
            parts.append(HIDDEN if is_secret(part) else value if is_player else self.label(value, part.type))
        return tuple(parts)

    def shown(self, places: Sequence[Spot], to: Sequence[int]) -> tuple[str | int, ...]:
        """Return that places or variables are shown to players, without what lies there or what they are."""
        parts: list[str | int] = []
        for number, spot in enumerate(places):
            parts += [" and "] if number else []
            parts += self._thing_parts(spot)
        parts.append(" is shown to " if len(places) == 1 else " are shown to ")
        if None in self.audience(to):
            return (*parts, "everyone")
        for number, player in enumerate(to):
            parts += [*([", " if number < len(to) - 1 else " and "] if number else []), player]
        return tuple(parts)

    def audience(self, to: Sequence[int]) -> frozenset[int | None]:
        """Return who sees what is shown to players: what all of them see, onlookers see too."""
        return frozenset((*to, None)) if len(to) == self.model.players > 1 else frozenset(to)

    def _thing_parts(self, spot: Spot) -> Iterator[str | int]:
        thing = self.model.thing(spot.family)
        layout = self.model.view.layout.get(thing.name)
        title = (layout.title if layout is not None else "") or thing.name.replace("_", " ")
        index = list(zip(thing.index, thing.index_of(spot.number), strict=True))
        others = [self.model.value_name(code) for name, code in index if name != "player"]
        yield from next(((code, "’s ") for name, code in index if name == "player"), ("the ",))
        yield " ".join([title, *others])

    def lying(self, pieces: Sequence[tuple[int, int]]) -> str:
        """Return pieces, (kind, how many) each, in words."""
        return ", ".join(f"{n} {self.kind_label(k)}" if n > 1 else self.kind_label(k) for k, n in pieces) or "nothing"

    def fill(
        self, template: Template, values: tuple[Any, ...], is_secret: Callable[[Expr], bool] = lambda e: False
    ) -> str:
        """Return a text with its holes filled; what is secret reads `?`."""
        out: list[str] = []
        rest = iter(values)
        for part in template.parts:
            if isinstance(part, str):
                out.append(part)
            else:
                label = self.label(next(rest), part.type)
                out.append(HIDDEN if is_secret(part) else label)
        return "".join(out)
