"""Places, pieces and movements in words, for people who move the real ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product

from interpreter import Game, Movement, Spot, State
from referee.record.texts import who
from referee.shell.blocks import plain
from referee.shell.board import Board
from referee.shell.faces import face_words
from referee.shell.narration import member_label
from referee.table import texts
from rulespec import listed, number_of, syntax

MOST_KINDS = 16  # that are listed at once


class Wording:
    """Names things of one game as its author does: by titles and labels of the view, else by their names."""

    def __init__(self, game: Game, names: Sequence[str] = ()) -> None:
        self.game = game
        self.model = game.model
        self.names = tuple(names)

    def player(self, number: int) -> str:
        """Return the name of a player."""
        return self.names[number - 1] if number <= len(self.names) else who(number)

    # places ----------------------------------------------------------------------------------------------

    @cached_property
    def spots(self) -> dict[Spot, tuple[int, ...]]:
        """All places with their indexes."""
        return {
            Spot(place.name, number): index
            for place in self.model.places.values()
            for number, index in enumerate(product(*place.index_values))
        }

    def title(self, family: str) -> str:
        """Return the title of a family of places."""
        layout = self.model.view.layout.get(family)
        return (layout.title if layout is not None else "") or family.replace("_", " ")

    def spot(self, spot: Spot) -> str:
        """Return `Pot`, `pot 1`, `line 2 of player 1`, `Board of player 1, row 2, column 4`."""
        place, index = self.model.places[spot.family], self.spots[spot]
        owner = self._owner(place, index)
        labels = self._labels(place, index)
        if spot.family in self._short:
            return texts.PLACE_OF.format(place=labels[0], player=owner) if owner else labels[0]
        title = self.title(spot.family)
        named = texts.PLACE_OF.format(place=title, player=owner) if owner else title
        return ", ".join([named, *labels])

    def _owner(self, place: syntax.Place, index: tuple[int, ...]) -> str:
        return self.player(index[place.index.index("player")]) if "player" in place.index else ""

    def _labels(self, place: syntax.Place, index: tuple[int, ...]) -> list[str]:
        return [
            member_label(self.game, name, code)
            for name, code in zip(place.index, index, strict=True)
            if name != "player"
        ]

    @cached_property
    def _short(self) -> frozenset[str]:
        """The families whose places are known by the author's label alone: no other place could be meant."""
        labels: dict[str, set[str]] = {}
        for place in self.model.places.values():
            own = [name for name in place.index if name != "player"]
            if len(own) == 1 and own[0] in self.model.sets:
                values = place.index_values[place.index.index(own[0])]
                label = self.game.notation.label
                found_labels = {label(code, self.model.sets[own[0]].type) for code in values}
                if not found_labels & {self.model.value_name(code) for code in values}:
                    labels[place.name] = found_labels
        shared = Counter(text for found in labels.values() for text in found)
        return frozenset(name for name, found in labels.items() if all(shared[text] == 1 for text in found))

    def open_to_all(self, spot: Spot) -> bool:
        """Return whether everybody sees what lies there."""
        return self.model.places[spot.family].seen_by == "everyone"

    # pieces ----------------------------------------------------------------------------------------------

    def kind(self, code: int) -> str:
        """Return the name of a kind of piece, or of a value that is rolled."""
        label = self.game.notation.kind_label(code)
        return label.replace("_", " ") if label == self.model.value_name(code) else label

    def pieces(self, counts: Iterable[tuple[int, int]]) -> str:
        """Return `2 beads, pearl and 3 shells`; of many kinds only the first."""
        named = [f"{n} {self.kind(k)}" if n > 1 else self.kind(k) for k, n in counts]
        more = len(named) - MOST_KINDS
        return texts.AND_MORE.format(listed=", ".join(named[:MOST_KINDS]), more=more) if more > 1 else listed(named)

    @cached_property
    def faces(self) -> Mapping[str, Sequence[int]]:
        """Kinds of pieces by what is printed on them, if the author draws it."""
        return face_words(self.game, self.game.start())

    def face(self, code: int) -> str:
        """Return what is printed on a piece, `[ab/cd]`; mostly nothing."""
        return self._faces.get(code, "")

    @cached_property
    def _faces(self) -> dict[int, str]:
        board, start = Board(self.game), self.game.start()
        kinds = dict.fromkeys(kind for kinds in self.faces.values() for kind in kinds)
        return {kind: plain(tuple(board.face(start, kind))) for kind in kinds}

    def lying(self, state: State, spot: Spot) -> list[tuple[int, int]]:
        """Return the pieces on a place: kinds, and how many of each."""
        return self.game.contents(state, spot.family, spot.number)

    def whereabouts(self, state: State, kind: int) -> list[tuple[Spot, int]]:
        """Return where all pieces of a kind are."""
        found: list[tuple[Spot, int]] = []
        for spot in self.spots:
            if kind in self.model.places[spot.family].kinds:
                n = sum(count for k, count in self.lying(state, spot) if k == kind)
                if n:
                    found.append((spot, n))
        return found

    # movements -------------------------------------------------------------------------------------------

    def movements(
        self, before: State | None, after: State, moved: Sequence[Movement], unknown: Collection[int] = ()
    ) -> list[str]:
        """Return what to do with the real pieces, a line for each way that pieces go; `unknown` kinds are not named."""
        ways: dict[tuple[Spot, Spot], Counter[int]] = {}
        shown = {spot for m in moved for spot in (m.source, m.goal) if self.open_to_all(spot)}
        seen = {m.kind for m in moved if m.source in shown or m.goal in shown}.difference(unknown)
        for m in self._composed(before, after, moved):
            ways.setdefault((m.source, m.goal), Counter())[m.kind] += m.count
        return [self._movement(after, source, goal, pieces, seen) for (source, goal), pieces in ways.items()]

    def _movement(self, after: State, source: Spot, goal: Spot, pieces: Counter[int], seen: set[int]) -> str:
        hidden = not self.open_to_all(source) and not seen.issuperset(pieces)
        total = sum(pieces.values())
        what = number_of(total, "piece") if hidden else self.pieces(pieces.items())
        if total > 1 and not self.lying(after, source):
            what = texts.ALL_PIECES.format(pieces=what)
        return texts.MOVE.format(pieces=what, source=self.spot(source), goal=self.spot(goal))

    def _composed(self, before: State | None, after: State, moved: Sequence[Movement]) -> list[Movement]:
        """Return movements without stops on the way: pieces that only pass through a place are moved once."""
        passed = {m.goal for m in moved} & {m.source for m in moved}
        transit = {s for s in passed if not self.lying(after, s) and (before is None or not self.lying(before, s))}
        waiting: list[Movement] = []
        out: list[Movement] = []
        for m in moved:
            left = m.count
            if m.source in transit:
                for i, w in enumerate(waiting):
                    n = min(left, w.count) if w.goal == m.source and w.kind == m.kind else 0
                    if n:
                        waiting[i] = Movement(w.kind, w.count - n, w.source, w.goal)
                        (waiting if m.goal in transit else out).append(Movement(m.kind, n, w.source, m.goal))
                        left -= n
            if left:
                (waiting if m.goal in transit else out).append(Movement(m.kind, left, m.source, m.goal))
        return [*out, *(w for w in waiting if w.count)]
