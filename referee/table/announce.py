"""Announcements of the referee of a real game beside the narration: movements of pieces, draws, what comes next, corrections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from interpreter import CHANCE, Movement, State, TracedState, contents
from referee.record.match import Decided
from referee.shell import texts as shell_texts
from referee.shell.narration import changed_variables, decision_line, is_player, point_lines, told_lines, variable_text
from referee.table import texts
from referee.table.draws import Asked, PlanPart
from referee.table.real_game import Amended, Pending, RealGame
from rulespec import listed, number_of, syntax

MOST_SENTENCES = 6  # about what comes next that are said at once


class Announcer:
    """Announces one real game."""

    def __init__(self, real: RealGame) -> None:
        self.real = real
        self.match = real.match
        self.game = real.game
        self.wording = real.wording
        self.draws = real.draws

    def set_up(self, start: State) -> Iterator[str]:
        """Yield where all pieces lie before the game begins, and what is moved first."""
        layout = self.game.layout
        lines = []
        for spot in self.wording.spots:
            lying = contents(layout, start.vector if self.match.position else layout.start, spot.family, spot.number)
            if lying:
                counts: Counter[int] = Counter()
                for kind, n in lying:
                    counts[kind] += n
                where, pieces = self.wording.spot(spot), self.wording.pieces(counts.items())
                if self.match.position and not self.wording.open_to_all(spot):
                    pieces = number_of(sum(counts.values()), "piece")
                lines.append("  " + texts.PLACE.format(place=where, pieces=pieces))
        if lines:
            yield texts.SET_UP
            yield from lines
        if isinstance(start, TracedState):
            yield from self._movements(None, start, start.moved)

    def opening(self, d: Decided) -> Iterator[str]:
        """Yield what was told and the points that were scored before anybody decided anything."""
        yield from told_lines(self.match, d)
        yield from point_lines(self.match, d, self.match.start_scores)

    # what happened ---------------------------------------------------------------------------------------

    def decided(self, decided: Sequence[Decided], columns: int) -> Iterator[str]:
        """Yield decisions with what they mean for the pieces and points on the table."""
        for is_chance, group in groupby(decided, lambda d: d.player == CHANCE):
            if is_chance:
                yield from self._drawn(list(group))
                continue
            for d in group:
                yield decision_line(self.match, d, self._words(d), columns)
                assert isinstance(d.after, TracedState)
                yield from self._after(d, d.after.moved)

    def _words(self, d: Decided) -> tuple[str, str]:
        """Return a move in words for the screen, which all look at: without what was written down in secret."""
        if self.game.sight.keeps_choices(d.move.name) or d.number in self.real.unknown:
            return self.match.words(d, None)
        return str(d.move), d.text

    def _drawn(self, decided: list[Decided]) -> Iterator[str]:
        """Yield what was typed as it was understood, place by place, and what follows from it."""
        asked = [(self.draws.asked(d.before, d.after), d) for d in decided]
        shown = [self._one_place(a, [d for _, d in group]) for a, group in groupby(asked, lambda pair: pair[0])]
        first, last = decided[0].number, decided[-1].number
        numbers = str(first) if first == last else shell_texts.NUMBERS.format(first=first, last=last)
        yield texts.DRAWN.format(numbers=numbers, drawn=shell_texts.SEPARATOR.join(shown))
        for d in decided:
            assert isinstance(d.after, TracedState)
            yield from self._after(d, d.after.moved[1:] if d.move.name == "draw" else d.after.moved, shown)

    def _one_place(self, asked: Asked, decided: list[Decided]) -> str:
        if asked.goal is None:
            pieces = listed(self.wording.kind(d.move.args[0]) for d in decided)
        elif self.wording.open_to_all(asked.goal):
            pieces = self.wording.pieces(Counter(d.move.args[0] for d in decided).items())
        else:
            pieces = number_of(len(decided), "piece")
        return texts.AT_LABEL.format(label=self.draws.label(asked), pieces=pieces)

    def _after(self, d: Decided, moved: Sequence[Movement], said: Sequence[str] = ()) -> Iterator[str]:
        """Yield what is to be done and said after a decision: pieces, what is told, points, and what else changed but for what was said."""
        yield from self._movements(d.before, d.after, moved)
        yield from told_lines(self.match, d)
        yield from point_lines(self.match, d, self.game.scores(d.before))
        noted = [text for text in self._noted(d.before, d.after) if text not in said]
        if noted:
            yield "    " + texts.NOTED.format(changes=", ".join(noted))

    def _movements(self, before: State | None, after: State, moved: Sequence[Movement]) -> Iterator[str]:
        last = self.match.decided[-1] if self.match.decided else None
        unknown = {m.kind for m in self.real.unnamed()} if last is not None and after is last.after else set()
        return (f"    {line}" for line in self.wording.movements(before, after, moved, unknown))

    def _noted(self, before: State, after: State) -> list[str]:
        """Return the variables that changed, but for whose turn it is."""
        changed = changed_variables(self.game, before, after, None)
        return [variable_text(self.match, v, i, n) for v, i, n in changed if not self._is_turn(v, n, after)]

    def _is_turn(self, variable: syntax.Variable, value: int, after: State) -> bool:
        return is_player(variable) and after.to_move in (value, CHANCE)

    def history(self, first: int, columns: int) -> Iterator[str]:
        """Yield the decisions from a number on, and those that are pending."""
        if not self.match.decided[first - 1 :]:
            yield texts.NOTHING_YET
        for d in self.match.decided[first - 1 :]:
            if d.player == CHANCE:
                asked = self.draws.asked(d.before, d.after)
                yield texts.DRAWN.format(numbers=d.number, drawn=self._one_place(asked, [d]))
            else:
                yield decision_line(self.match, d, self._words(d), columns)
        yield from self.pending(self.real.pending)

    def pending(self, pending: Sequence[Pending]) -> Iterator[str]:
        """Yield decisions after an amended one that were not made again."""
        for p in pending:
            yield texts.PENDING.format(who=self.match.name_of(p.player), move=self.game.sight.without_kept(p.move))

    # what comes next -------------------------------------------------------------------------------------

    def plan(self, parts: list[PlanPart]) -> str:
        """Return what is to be drawn and rolled now, and what moves in between."""
        sentences: list[str] = []
        for source, group in groupby(parts, lambda p: p.asked.source if p.asked else p.asked):
            members = list(group)
            if members[0].asked is None:
                for part in members:
                    assert part.after is not None
                    sentences += self.wording.movements(None, part.after, part.moved)
            elif source is None:
                for p in members:
                    assert p.asked is not None
                    told = texts.SEE if self.draws.is_weighted(p.asked.roll) else texts.ROLL
                    sentences.append(told.format(label=self.draws.label(p.asked), values=p.values))
            else:
                goals = [(self.draws.label(p.asked), p.count) for p in members if p.asked]
                shown = []
                for count, same in groupby(goals, lambda goal: goal[1]):
                    labels = [label for label, _ in same]
                    each = texts.EACH_TO if len(labels) > 1 else texts.ALL_TO
                    shown.append(each.format(count=count, label=listed(labels)))
                sentences.append(texts.DRAW.format(source=self.wording.spot(source), goals=", ".join(shown)))
        more = len(sentences) - MOST_SENTENCES
        if more > 1:
            sentences[MOST_SENTENCES:] = [texts.AND_SO_ON.format(more=more)]
        return texts.THEN.join(sentences)

    def how_to_name(self, state: State) -> str:
        """Return how to type a piece that people know by what is printed on it; empty: none can be drawn now."""
        faces = (self.wording.face(move.args[0]) for move, _ in self.game.chances(state))
        example = next((face for face in faces if face), "")
        return texts.BY_FACE.format(example=example.strip("[]")) if example else ""

    # corrections -----------------------------------------------------------------------------------------

    def amended(self, amended: Amended) -> Iterator[str]:
        """Yield a decision that was changed, and how many after it were kept."""
        yield texts.AMENDED.format(number=amended.now.number, now=amended.now.move, was=amended.was.move)
        yield texts.KEPT.format(decisions=number_of(amended.kept, "decision"))

    def obstacle(self) -> Iterator[str]:
        """Yield the first pending decision with the reasons why it cannot be made again, and how many come after it."""
        found = self.real.obstacle()
        if found is None:
            return
        pending, reasons = found
        yield texts.NO_LONGER.format(who=self.match.name_of(pending.player), move=pending.move)
        for reason in reasons:
            yield f"    {reason}"
        more = len(self.real.pending) - 1
        shown = texts.WHAT_INSTEAD_MORE if more else texts.WHAT_INSTEAD
        yield shown.format(more=number_of(more, "decision"))

    def corrections(self, old: State, new: State) -> Iterator[str]:
        """Yield what must change on the table after something was taken back or amended."""
        lines = [*self._changed_places(old, new), *self._changed_scores(old, new)]
        if lines:
            yield texts.CORRECT_TABLE
            yield from lines

    def _changed_places(self, old: State, new: State) -> Iterator[str]:
        for spot in self.wording.spots:
            before, after = self.wording.lying(old, spot), self.wording.lying(new, spot)
            if Counter(before) == Counter(after):
                continue
            if not after:
                pieces = texts.EMPTY
            elif self.wording.open_to_all(spot):
                pieces = self.wording.pieces(after)
            else:
                pieces = number_of(sum(n for _, n in after), "piece")
            yield "  " + texts.PLACE.format(place=self.wording.spot(spot), pieces=pieces)

    def _changed_scores(self, old: State, new: State) -> Iterator[str]:
        scores = self.game.scores(old)
        for player, score in self.game.scores(new).items():
            if score != scores[player]:
                points = number_of(score, "point")
                yield "  " + shell_texts.SCORE.format(player=self.match.name_of(player), points=points)
