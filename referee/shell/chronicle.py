"""The course of a game, for whoever looks: decisions, chance, points, what else changed, rounds. It never prints.

A round begins where chance fills several common places of a family that were empty. That, like all the rest, follows from the
rules of any game.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby, product

from interpreter import CHANCE, State
from referee.record.match import Decided, Match
from referee.shell import texts
from referee.shell.consequence import consequence
from referee.shell.marks import BoardMark, board_marks, is_lit, mark_words
from referee.shell.narration import (
    WIDE,
    changed_variables,
    decision_line,
    outcomes_text,
    point_lines,
    summary_text,
    told_lines,
    variable_text,
)
from rulespec import signed, syntax

MOST_NOTED = 3  # changes of variables that are reported with a decision
HIDDEN_OUTCOME = "?"


class Chronicle:
    """Tells one match. Where only bots play, nothing is hidden from those who look."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.game = match.game
        self._begun: list[
            int
        ] = []  # of `_rounds`, those among the first `_looked` decisions, the last of which is `_last`
        self._looked = 0
        self._last: Decided | None = None

    def lines(
        self, decided: Sequence[Decided], viewer: int | None, columns: int = WIDE, brief: bool = False
    ) -> Iterator[str]:
        """Yield decisions with what followed from them. `brief`: points without the place of their rules."""
        for is_chance, group in groupby(decided, lambda d: d.player == CHANCE):
            run = list(group)
            if is_chance:
                yield from self._chance(run, viewer, brief)
                continue
            for d in run:
                for known in [*self._now_known(d, decided, viewer), d]:
                    words = self._words(known, viewer)
                    yield decision_line(self.match, known, (words[1],) * 2 if brief else words, columns)
                yield from self._followed(d, viewer, brief)

    def _now_known(self, d: Decided, told: Sequence[Decided], viewer: int | None) -> list[Decided]:
        """Return the decisions that became known by one, the last of those made at the same time, if they are not told anyway.

        Whoever looks knew their own.
        """
        if not self.game.asks_several(d.before) or self.match.sight.is_open(d.before, d.move, d.after):
            return []
        return [other for other in self.match.unknown_yet(d.number - 1) if other not in told and other.player != viewer]

    def _chance(self, run: list[Decided], viewer: int | None, brief: bool) -> Iterator[str]:
        """Yield what chance decided in a row, as one line, and what followed; then the round that begins with it."""
        outcomes = [d for d in run if d.move.name in ("draw", "roll")]
        for name, group in groupby(outcomes, lambda d: d.move.name):
            members = list(group)
            drawn = [self._words(d, viewer)[0].split(" ", 1)[1] for d in members]
            told = texts.DRAWN if name == "draw" else texts.ROLLED
            if name == "roll":  # nobody types what was rolled
                drawn = [word.replace("_", " ") for word in drawn]
            seen = [word for word in drawn if word != HIDDEN_OUTCOME]
            hidden = len(drawn) - len(seen)
            parts = [outcomes_text(seen)] if seen else []
            parts += [texts.HIDDEN.format(count=hidden)] if hidden else []
            words = (told.format(outcomes=", ".join(parts)),) * 2
            yield decision_line(self.match, members[0], words, last=members[-1])
        for d in run:
            yield from self._followed(d, viewer, brief)
        if run[-1].number in self._rounds:
            yield from self._round(run[-1])

    def _words(self, d: Decided, viewer: int | None) -> tuple[str, str]:
        """Return a decision as a viewer may read it, with how many pieces it took; where only bots play nothing is hidden."""
        open_to_all = not self.match.people or (d.move.name == "draw" and self._draws_are_seen)
        notation, text = (str(d.move), d.text) if open_to_all else self.match.words(d, viewer)
        if self.game.asks_several(d.before):  # what it leads to depends on the others, too
            return (text if notation == HIDDEN_OUTCOME else notation), text
        count = consequence(self.game, d.before, d.move, d.after)
        return notation, texts.WITH_COUNT.format(text=text, count=count) if count else text

    @cached_property
    def _draws_are_seen(self) -> bool:
        """Whether all that is ever drawn goes where everybody sees it: then no piece needs to be followed to know who did."""
        places = self.game.model.places
        steps = (step for _, _, body in syntax.bodies(self.game.model) for step in syntax.all_steps(body))
        goals = [goal.place for step in steps if isinstance(step, syntax.DrawStep) for goal in step.goals]
        return all(
            isinstance(place, syntax.PlaceAt | syntax.Places) and places[place.family].seen_by == "everyone"
            for place in goals
        )

    # what followed ---------------------------------------------------------------------------------------

    def _followed(self, d: Decided, viewer: int | None, brief: bool) -> Iterator[str]:
        """Yield what a decision had told, its points, the variables that chance changed, and who is to move again."""
        yield from told_lines(self.match, d, viewer)
        if brief:
            for line in d.points:
                if line.gained:
                    name = self.match.name_of(line.player)
                    yield "      " + texts.GAINED.format(who=name, points=signed(line.gained), text=line.text)
        else:
            yield from point_lines(self.match, d)
        changed = list(self._changed(d.before, d.after, viewer)) if d.player == CHANCE and self.match.people else []
        if 0 < len(changed) <= MOST_NOTED:
            yield "      " + ", ".join(changed)
        yield from self._lit(d)
        if self._again(d):
            yield "      " + texts.AGAIN.format(who=self.match.name_of(d.player))

    def _lit(self, d: Decided) -> Iterator[str]:
        """Yield the marks on the board of whoever decided that are lit now, and were not."""
        if d.player == CHANCE or not self._marks:
            return
        before = {mark for mark in self._marks if is_lit(self.game, d.before, d.player, mark)}
        for mark in self._marks:
            if mark not in before and is_lit(self.game, d.after, d.player, mark):
                words = mark_words(self.game, d.after, d.player, mark)
                yield "      " + texts.LIT.format(who=self.match.name_of(d.player), mark=words)

    @cached_property
    def _marks(self) -> list[BoardMark]:
        return list(board_marks(self.game))

    def _changed(self, before: State, after: State, viewer: int | None) -> Iterator[str]:
        """Yield the variables that changed as a viewer sees it, but for those of which there are many."""
        for variable, index, value in changed_variables(self.game, before, after, viewer):
            if variable.index in ((), ("player",)):
                yield variable_text(self.match, variable, index, value)

    def _again(self, d: Decided) -> bool:
        """Return whether a player decides once more where whoever cannot move passes."""
        if d.player == CHANCE or d.after.to_move != d.player:
            return False
        asked, again = self.game.decision(d.before), self.game.decision(d.after)
        return asked is not None and again is not None and asked.span == again.span and asked.span in self._passing

    @cached_property
    def _passing(self) -> frozenset[object]:
        """The asks at which a player who cannot move passes."""
        steps = (step for _, _, body in syntax.bodies(self.game.model) for step in syntax.all_steps(body))
        return frozenset(step.span for step in steps if isinstance(step, syntax.AskStep) and step.otherwise == ())

    # rounds ----------------------------------------------------------------------------------------------

    @property
    def _rounds(self) -> list[int]:
        """The numbers of the decisions of chance after which a round began; only new decisions are looked at."""
        decided = self.match.decided
        if self._looked and (len(decided) < self._looked or decided[self._looked - 1] is not self._last):
            self._begun, self._looked, self._last = [], 0, None  # some were taken back
        for is_chance, group in groupby(decided[self._looked :], lambda d: d.player == CHANCE):
            run = list(group)
            begun = [run[-1].number] if is_chance and self._is_deal(run[0].before, run[-1].after) else []
            if run[-1] is decided[-1]:  # what chance decides next belongs to it
                return [*self._begun, *begun]
            self._begun += begun
            self._looked += len(run)
            self._last = run[-1]
        return [*self._begun]

    @property
    def round(self) -> int:
        """The number of the present round; 0: the game has none, or not yet."""
        return len(self._rounds)

    def round_of(self, decisions: int) -> int:
        """Return the number of the round after so many decisions; 0: the game has none, or not yet."""
        return bisect_right(self._rounds, decisions)

    def _round(self, last: Decided) -> Iterator[str]:
        rounds = self._rounds
        number = rounds.index(last.number) + 1
        if number > 1:
            before = self.match.decided[rounds[number - 2] - 1].after
            yield from self.summary(number - 1, before, last.after)
        who = last.after.to_move or 0
        first = self.match.given or self.game.begun_by(1)  # who begins need not be the first to decide something
        text = texts.ROUND_DECIDES_FIRST if number == 1 and first and who not in first.values() else texts.ROUND_BEGINS
        yield text.format(number=number, who=self.match.name_of(who))

    def summary(self, number: int, before: State, after: State) -> Iterator[str]:
        """Yield what everybody gained in a round."""
        if self.game.scores(after):
            yield texts.ROUND_SUMMARY.format(number=number, scores=summary_text(self.match, before, after))

    def closing_summary(self) -> Iterator[str]:
        """Yield the summary of the last round of a game that is over."""
        rounds = self._rounds
        if rounds:
            yield from self.summary(len(rounds), self.match.decided[rounds[-1] - 1].after, self.match.state)

    def _is_deal(self, before: State, after: State) -> bool:
        """Return whether several common places of a family were empty, and are filled now."""
        return any(self._filled(place, before, after) > 1 for place in self.game.model.places.values())

    def _filled(self, place: syntax.Place, before: State, after: State) -> int:
        if "player" in place.index or not place.index:
            return 0
        numbers = range(len(list(product(*place.index_values))))
        return sum(
            not self.game.contents(before, place.name, n) and bool(self.game.contents(after, place.name, n))
            for n in numbers
        )
