"""What the referee of a real game says: lines of text, never wider than the screen."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby, product

from interpreter import CHANCE, LedgerLine, Movement, Objection, State, Told, contents
from referee import texts
from referee.play.ledger import short_path
from referee.play.match import Decided
from referee.table import texts as words
from referee.table.draws import Asked, Part
from referee.table.session import Mended, Table, Waiting
from rulespec import syntax

MOST_SENTENCES = 6  # about what comes next that are told at once


class _Folder(textwrap.TextWrapper):
    """Breaks lines at spaces alone: a tab or a line end inside of a text is for the screen to show."""

    wordsep_simple_re = re.compile("( +)")


class Telling:
    """Tells of one game."""

    def __init__(self, table: Table, columns: int = 80) -> None:
        self.table = table
        self.match = table.match
        self.game = table.game
        self.wording = table.wording
        self.chance = table.chance
        self.columns = columns

    def folded(self, text: str, indent: str = "", further: str = "  ") -> list[str]:
        """A text in lines that are narrow enough; words that are too long are cut."""
        folder = _Folder(
            self.columns,
            initial_indent=indent,
            subsequent_indent=indent + further,
            break_on_hyphens=False,
            expand_tabs=False,
            replace_whitespace=False,
        )
        return folder.wrap(text) or [""]

    # the beginning and the end ---------------------------------------------------------------------------

    def heading(self) -> list[str]:
        options = "".join(f" · {option}: {choice}" for option, choice in self.game.options.items())
        players = texts.listed([self.wording.player(p) for p in range(1, self.game.players + 1)])
        return self.folded(words.HEADING.format(title=self.game.title, players=players, options=options))

    def set_up(self, start: State) -> list[str]:
        """Where all pieces lie before the game begins, and what is moved first."""
        layout = self.game.layout
        lines = []
        for spot in self.wording.spots:
            lying = contents(layout, layout.start, spot.family, spot.number)
            if lying:
                counts: Counter[int] = Counter()
                for kind, n in lying:
                    counts[kind] += n
                where, pieces = self.wording.spot(spot), self.wording.pieces(counts.items())
                lines += self.folded(words.SET_UP_PLACE.format(place=where, pieces=pieces), "  ")
        moved = start.moved if isinstance(start, Told) else ()
        lines = [words.SET_UP, *lines] if lines else []
        return [*lines, *self._moves(self.wording.movements(None, start, moved))]

    def ledger(self) -> list[str]:
        """Every point of every player, with its reason."""
        scores = self.game.scores(self.match.state)
        lines = [] if scores else [texts.NOTHING_SCORED]
        for player, score in scores.items():
            who = self.wording.player(player)
            lines += self.folded(texts.LEDGER.format(player=who, points=texts.number_of(score, "point")))
            own = [line for line in self.match.ledger() if line.player == player]
            start = self.match.start_scores.get(player, 0)
            if start:
                lines.append("      " + texts.BEGINS_WITH.format(points=start))
            for line in own:
                lines += self.folded(f"{line.decision:>4}  {self._reason(line)}", "", " " * 12)
            if not own:
                lines.append("      " + texts.NOTHING_SCORED)
        return lines

    def result(self) -> list[str]:
        outcome = self.game.outcome(self.match.state)
        assert outcome is not None
        names = texts.listed([self.wording.player(p) for p in outcome.winners])
        shown = texts.WINS if len(outcome.winners) == 1 else texts.SHARE
        lines = self.folded(shown.format(who=names, reason=outcome.reason))
        if self.match.assumed:
            lines += self.folded(words.NEVER_TOLD.format(draws=texts.number_of(len(self.match.assumed), "draw")))
        return lines

    def _reason(self, line: LedgerLine) -> str:
        where = texts.WHERE.format(condition=line.rule, file=short_path(line.span.file), line=line.span.line)
        held = texts.HELD.format(gained=texts.signed(line.gained)) if line.points != line.gained else ""
        return f"{texts.signed(line.points):>4}  {line.text}{where}{held}"

    # what happened ---------------------------------------------------------------------------------------

    def decided(self, decided: Sequence[Decided]) -> list[str]:
        """Decisions with what they mean for the pieces and points on the table."""
        lines: list[str] = []
        for chance, group in groupby(decided, lambda d: d.player == CHANCE):
            members = list(group)
            lines += self._drawn(members) if chance else [line for d in members for line in self._played(d)]
        return lines

    def _played(self, d: Decided) -> list[str]:
        head = words.DECIDED.format(number=d.number, who=self.wording.player(d.player), move=d.move, text=d.text)
        assert isinstance(d.after, Told)
        return [*self.folded(head, "", " " * 6), *self._after(d, d.after.moved)]

    def _drawn(self, decided: list[Decided]) -> list[str]:
        """What was typed as it was understood, place by place, and what follows from it."""
        asked = [(self.chance.asked(d.before, d.after), d) for d in decided]
        shown = [self._one_place(a, [d for _, d in group]) for a, group in groupby(asked, lambda pair: pair[0])]
        first, last = decided[0].number, decided[-1].number
        numbers = str(first) if first == last else words.NUMBERS.format(first=first, last=last)
        lines = self.folded(words.DRAWN.format(numbers=numbers, drawn=words.BETWEEN.join(shown)), "", " " * 6)
        for d in decided:
            assert isinstance(d.after, Told)
            lines += self._after(d, d.after.moved[1:] if d.move.name == "draw" else d.after.moved)
        return lines

    def _one_place(self, asked: Asked, decided: list[Decided]) -> str:
        label = self.chance.label(asked)
        if asked.goal is not None and not self.wording.open_to_all(asked.goal):
            return words.AT_LABEL.format(label=label, pieces=texts.number_of(len(decided), "piece"))
        if asked.goal is None:
            pieces = texts.listed([self.wording.kind(d.move.args[0]) for d in decided])
        else:
            pieces = self.wording.pieces(Counter(d.move.args[0] for d in decided).items())
        return words.AT_LABEL.format(label=label, pieces=pieces)

    def _after(self, d: Decided, moved: Sequence[Movement]) -> list[str]:
        """What is to be done after a decision: pieces, points, and what else changed."""
        lines = self._moves(self.wording.movements(d.before, d.after, moved))
        lines += self._points(d, self.game.scores(d.before))
        noted = self._noted(d.before, d.after)
        return lines + (self.folded(words.NOTED.format(changes=", ".join(noted)), "    ") if noted else [])

    def opening(self, d: Decided) -> list[str]:
        """Points before anybody decided anything."""
        return self._points(d, dict(self.match.start_scores))

    def _points(self, d: Decided, scores: dict[int, int]) -> list[str]:
        """The points of a decision, with what each player has then."""
        lines = []
        for line in d.points:
            scores[line.player] += line.gained
            text = words.POINTS.format(
                who=self.wording.player(line.player), reason=self._reason(line).strip(), score=scores[line.player]
            )
            lines += self.folded(text, "    ")
        return lines

    def _moves(self, lines: Iterable[str]) -> list[str]:
        return [part for line in lines for part in self.folded(line, "    ")]

    def _noted(self, before: State, after: State) -> list[str]:
        """Variables that changed, but for scores, which have their reasons, and for whose turn it is."""
        found = []
        for variable in self.game.model.variables.values():
            if variable.name == "score":
                continue
            for index in product(*variable.index_values):
                old = self.game.variable(before, variable.name, *index)
                new = self.game.variable(after, variable.name, *index)
                named = isinstance(variable.type, syntax.Values) and variable.type.home == "player"
                if old != new and not (named and after.to_move in (new, CHANCE)):
                    found.append(self._variable(variable, index, new, named))
        return found

    def _variable(self, variable: syntax.Variable, index: tuple[int, ...], value: int, player: bool) -> str:
        pairs = list(zip(variable.index, index, strict=True))
        owner = [self.wording.player(code) for name, code in pairs if name == "player"]
        rest = [self.wording.label(name, code) for name, code in pairs if name != "player"]
        name = " ".join([variable.name.replace("_", " "), *rest])
        name = words.PLACE_OF.format(place=name, player=owner[0]) if owner else name
        if isinstance(variable.type, syntax.YesNo):
            return words.VARIABLE.format(name=name, value=words.YES if value else words.NO)
        shown = self.wording.player(value) if player else self.game.notation.label(value, variable.type)
        return words.VARIABLE.format(name=name, value=shown)

    # what comes next -------------------------------------------------------------------------------------

    def plan(self, parts: list[Part]) -> list[str]:
        """What is to be drawn and rolled now, and what moves in between."""
        sentences = []
        for source, group in groupby(parts, lambda p: p.asked.source if p.asked else p.asked):
            members = list(group)
            if members[0].asked is None:
                for part in members:
                    assert part.after is not None
                    sentences += self.wording.movements(None, part.after, part.moved)
            elif source is None:
                for p in members:
                    assert p.asked is not None
                    sentences.append(words.ROLL.format(label=self.chance.label(p.asked), values=p.values))
            else:
                goals = [(self.chance.label(p.asked), p.count) for p in members if p.asked]
                shown = []
                for count, same in groupby(goals, lambda goal: goal[1]):
                    labels = [label for label, _ in same]
                    each = words.EACH_TO if len(labels) > 1 else words.ALL_TO
                    shown.append(each.format(count=count, label=texts.listed(labels)))
                sentences.append(words.DRAW.format(source=self.wording.spot(source), goals=", ".join(shown)))
        more = len(sentences) - MOST_SENTENCES
        if more > 1:
            sentences[MOST_SENTENCES:] = [words.AND_SO_ON.format(more=more)]
        return self.folded(words.THEN.join(sentences))

    # corrections -----------------------------------------------------------------------------------------

    def mended(self, mended: Mended) -> list[str]:
        lines = self.folded(words.MENDED.format(number=mended.now.number, now=mended.now.move, was=mended.was.move))
        return lines + self.folded(words.STAND.format(decisions=texts.number_of(mended.stand, "decision")))

    def obstacle(self) -> list[str]:
        """The first decision after a mended one that cannot be made again, and why; how many wait behind it."""
        found = self.table.obstacle()
        if found is None:
            return []
        waiting, reasons = found
        who = self.table.who(waiting.player)
        lines = self.folded(words.NO_LONGER.format(who=who, move=waiting.move))
        for reason in reasons:
            lines += self.folded(reason, "    ")
        more = len(self.table.waiting) - 1
        shown = words.WHAT_INSTEAD_MORE if more else words.WHAT_INSTEAD
        return lines + self.folded(shown.format(more=texts.number_of(more, "decision")))

    def put_right(self, old: State, new: State) -> list[str]:
        """What must lie otherwise on the table after something was taken back or mended."""
        lines = []
        for spot in self.wording.spots:
            before, after = self.wording.lying(old, spot), self.wording.lying(new, spot)
            if Counter(before) == Counter(after):
                continue
            place, total = self.wording.spot(spot), sum(n for _, n in after)
            pieces = self.wording.pieces(after) if self.wording.open_to_all(spot) else texts.number_of(total, "piece")
            shown = words.PLACE_NOW if after else words.EMPTY_NOW
            lines += self.folded(shown.format(place=place, pieces=pieces), "  ")
        scores = self.game.scores(old)
        for player, score in self.game.scores(new).items():
            if score != scores[player]:
                points = texts.number_of(score, "point")
                lines += self.folded(words.SCORE_NOW.format(player=self.wording.player(player), points=points), "  ")
        return [words.PUT_RIGHT, *lines] if lines else []

    def waiting(self, waiting: Sequence[Waiting] | None = None) -> list[str]:
        """Decisions after a mended one that were not made again."""
        lines = []
        for w in self.table.waiting if waiting is None else waiting:
            lines += self.folded(words.WAITS.format(who=self.table.who(w.player), move=w.move), "", " " * 6)
        return lines

    def history(self, first: int = 1) -> list[str]:
        """The decisions with their numbers, for mending."""
        lines: list[str] = []
        for d in self.match.decided[first - 1 :]:
            if d.player == CHANCE:
                lines += self._drawn_line(d)
            else:
                head = words.DECIDED.format(
                    number=d.number, who=self.wording.player(d.player), move=d.move, text=d.text
                )
                lines += self.folded(head, "", " " * 6)
        return (lines or [words.NOTHING_YET]) + self.waiting()

    def _drawn_line(self, d: Decided) -> list[str]:
        asked = self.chance.asked(d.before, d.after)
        return self.folded(words.DRAWN.format(numbers=d.number, drawn=self._one_place(asked, [d])))

    def objection(self, objection: Objection) -> list[str]:
        where = ""
        if objection.span is not None:
            file = short_path(objection.span.file)
            where = texts.WHERE.format(condition=objection.condition, file=file, line=objection.span.line)
        return self.folded(objection.text + where, "  ")

    def refusal(self, move: str, objections: Sequence[Objection]) -> list[str]:
        lines = self.folded(texts.REFUSED.format(move=move))
        return lines + [line for objection in objections for line in self.objection(objection)]
