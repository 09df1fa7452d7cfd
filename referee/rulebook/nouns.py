"""Nouns for sets, members, places and other named things."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from interpreter import Notation
from referee.rulebook.book import em
from referee.rulebook.grammar import article, is_hollow, is_noun, is_plural
from referee.rulebook.phrases import Noun, figure, in_words_of_author, one_of, sorts
from rulespec import Model, listed, nodes, syntax

_JOINED = re.compile(r"(?<=[a-z])\.(?=[a-z0-9])")  # the parts of a pair: `upper.left`


def spaced(name: str) -> str:
    """Return a name with spaces for underscores, and between the parts of a pair."""
    return _JOINED.sub(" ", name).replace("_", " ")


def is_many(model: Model, entry: str) -> bool:
    """Return whether a variable or table is spoken of as several: one that holds a number, by its name.

    A player, a member or `yes` is one, whatever it is called.
    """
    owner = model.variables.get(entry) or model.tables.get(entry)
    t = owner.type if owner is not None else None
    return isinstance(t, syntax.Values) and t.is_number and not t.home and is_plural(spaced(entry))


def _goes_on(run: Sequence[int], code: int) -> bool:
    """Return whether a number continues a row that goes up or down by one."""
    return abs(code - run[-1]) == 1 and (len(run) == 1 or code - run[-1] == run[1] - run[0])


def family_of(e: syntax.Expr | None) -> str:
    """Return the family of places that an expression names."""
    t = e.type if e is not None else None
    if isinstance(t, syntax.ListOf):
        t = t.item
    return t.family if isinstance(t, syntax.PlaceOf) else ""


class Nouns:
    """Nouns of one game; `tree` has the sets by which the author names the pieces on a place."""

    def __init__(self, model: Model, tree: nodes.Mapping) -> None:
        self.model = model
        self.tree = tree
        self.notation = Notation(model)

    def _declared(self, family: str) -> list[str]:
        """Return the kinds of a place as written: names of sets and members."""
        node = self.tree.get("places")
        for key, value in node if isinstance(node, nodes.Mapping) else ():
            if nodes.bare_name(key.text) == family and isinstance(value, nodes.Mapping):
                found = value.get(self.model.places[family].shape)
                items = found.items if isinstance(found, nodes.Sequence) else (found,)
                return [i.text for i in items if isinstance(i, nodes.Scalar)]
        return []

    def index_names(self, section: str, name: str) -> list[str]:
        """Return the index sets of a table as written."""
        node = self.tree.get(section)
        for key, _ in node if isinstance(node, nodes.Mapping) else ():
            if nodes.bare_name(key.text) == name and "[" in key.text:
                return [part.strip() for part in key.text[key.text.index("[") + 1 :].rstrip("] ").split(",")]
        return []

    def of_set(self, name: str) -> str:
        """Return `line` for a set that is shown as `line {it}`, else the set's name."""
        label = self.model.view.labels.get(name, "")
        if "{it}" in label:
            words = re.sub(r"^(the|a|an)\s+", "", " ".join(label.replace("{it}", " ").split()))
            if re.fullmatch(r"[A-Za-z][A-Za-z ]+", words) and words not in ("the", "an"):
                return words
        return spaced(name)

    @property
    def player(self) -> str:
        """The word for one of the players: `guest`, if the author calls them `guest {it}`."""
        return self.of_set("player")

    def pieces_of(self, name: str) -> str:
        """Return what one piece of a set is called: `bead` for the set of its colours, if the author says so."""
        return self.model.view.says.get(name) or self.of_set(name)

    def of_type(self, t: syntax.Type) -> str:
        if (family := self.coded_family(t)) is not None:
            return self._sort_of_place(self.model.places[family])
        home = t.home if isinstance(t, syntax.Values) else ""
        return self.of_set(home) if home else ""

    def one_place(self, family: str) -> str:
        """Return what one of the places of a family is called, with the board it is on, if it is a space of one."""
        place = self.model.places[family]
        of = f" of the {self.place(place)}" if place.shape == "cell" else ""
        return article(self._sort_of_place(place)) + of

    def _sort_of_place(self, place: syntax.Place) -> str:
        return "space" if place.shape == "cell" else self.place(place)

    def coded_family(self, t: syntax.Type) -> str | None:
        """Return the family of places that a chosen or stored value is one of."""
        if not isinstance(t, syntax.Values):
            return None
        return next((name for name, codes in self.model.place_codes.items() if codes[0] in t.members), None)

    def are_all_places(self, e: syntax.Expr) -> bool:
        """Return whether a list is all places of a family."""
        return isinstance(e, syntax.Literal) and e.value in [tuple(codes) for codes in self.model.place_codes.values()]

    def value(self, code: int, t: syntax.Type) -> Noun:
        """Return a number, a member or none as people read it."""
        is_person = isinstance(t, syntax.Values) and t.home == "player"
        if code >= syntax.NONE:
            known = code != syntax.NONE or "none" in self.model.view.labels
            return in_words_of_author(spaced(self.notation.label(code, t)) if known else "none")
        if is_person and "player" not in self.model.view.labels:
            return one_of("player", str(code), is_person=True)
        label = self.notation.label(code, t)
        if label == str(code):
            return figure(code)
        found = in_words_of_author(label)
        sort, _, which = found.words.rpartition(" ")
        if which == str(code):  # `line 3`, by the author's `line {it}`
            return one_of(sort, which, found.determiner, is_person)
        return replace(found, is_person=is_person)

    def members(self, codes: Sequence[int], t: syntax.Type, last: str = "or") -> str:
        """Return all of them, consecutive numbers as `line 1 to 5`."""
        words: list[str] = []
        run: list[int] = []
        for code in (*codes, None):
            if run and not (code is not None and code < syntax.NONE and _goes_on(run, code)):
                shown = [self.value(c, t) for c in run]
                counted = all(n.which or n.figure is not None for n in shown)
                words += [f"{shown[0].words} to {run[-1]}"] if len(run) > 2 and counted else map(str, shown)
                run = []
            if code is not None and code < syntax.NONE:
                run.append(code)
            elif code is not None:
                words.append(str(self.value(code, t)))
        return listed(words, last)

    def way(self, name: str) -> str:
        """Return a way to neighbours as people read it."""
        code = next((code for code, known in self.model.member_names.items() if known == name), None)
        return spaced(name) if code is None else self.kind(code)

    def kind(self, code: int) -> str:
        return spaced(self.notation.kind_label(code))

    def by_sort(self, codes: Iterable[int]) -> list[tuple[str, tuple[int, ...]]]:
        """Return what kinds are called: the largest sets that make them up with their members, then the others alone."""
        left = list(dict.fromkeys(codes))
        found: list[tuple[str, tuple[int, ...]]] = []
        sets = [s for s in self.model.sets.values() if len(s.values) > 1 and set(s.values) <= set(left)]
        for s in sorted(sets, key=lambda s: -len(s.values)):
            if set(s.values) <= set(left):
                found.append((self.pieces_of(s.name), s.values))
                left = [c for c in left if c not in s.values]
        return [*found, *((self.kind(c), (c,)) for c in left)]

    def kinds(self, codes: Iterable[int], many: bool = True) -> Noun:
        """Return `beads`, `beads and pots`: by the largest sets that make up these kinds, else by members."""
        return sorts([sort for sort, _ in self.by_sort(codes)], many)

    def pieces_on(self, family: str) -> Noun:
        """Return the plural for the pieces that can lie there."""
        names = self._declared(family)
        if not names or any(n not in self.model.sets and not n.isidentifier() for n in names):
            return self.kinds(self.model.places[family].kinds)
        return sorts(self.pieces_of(n) if n in self.model.sets else spaced(n) for n in names)

    def piece_of(self, name: str, family: str) -> str:
        """Return what a piece of a set is called where it lies: `bead` for one of the colours in a pot of beads."""
        kinds = set(self.model.sets[name].values)
        around = (n for n in self._declared(family) if n in self.model.sets and kinds <= set(self.model.sets[n].values))
        found = name if name in self.model.view.says else next(around, name)
        return self.pieces_of(found)

    def piece_on(self, family: str) -> str:
        names = self._declared(family)
        if len(names) == 1 and names[0] in self.model.sets:
            return self.pieces_of(names[0])
        return self.kind(self.model.places[family].kinds[0]) if len(self.model.places[family].kinds) == 1 else "piece"

    def place(self, place: syntax.Place) -> str:
        return self.model.view.says.get(place.name) or spaced(place.name)

    def named_place(self, place: syntax.Place) -> Noun:
        """Return what a place or family is called in a sentence; a name that cannot follow `the` is set apart."""
        called = self.place(place)
        if place.name not in self.model.view.says and not is_noun(called):
            return Noun(em(called))
        return Noun(called, "the", is_many=is_plural(called))

    def holds_inside(self, place: syntax.Place) -> bool:
        """Return whether pieces lie in a place, not on it."""
        return place.shape == "pile" or is_hollow(self.place(place))
