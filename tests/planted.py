"""Mistakes that somebody might make in lowering, passes and printers, and whether the comparison of the voices finds them.

Each is a change of one module, made while Python imports it: no file is touched. `python -m tests.planted [NAME …]` looks for the
difference it makes, first where it was found the last time (`planted.txt`, which `--update` writes), then in the engine's cases,
in the files made for pairs of forms, and in other generated files, and says where it was found, and what differed. Of a program
that was found wrong before it was played, it says whether that shows in play, too.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).parent.parent
FOUND = Path(__file__).parent / "planted.txt"
MOST = 240  # generated files that are looked at
TOGETHER = 16  # files that are compiled by one call of the compiler
SECONDS = 900  # for one mistake
BY_C = (  # modules of which a mistake may show only beside C
    "compile.cases",
    "compile.to_python",
    "compile.to_c",
    "compile.prelude",
    "compile.storage",
    "compile.straighten",
    "compile.unroll",
    "run.tree",
    "run.verbs",
)


@dataclass(frozen=True)
class Planted:
    """A mistake: in a module of `interpreter`, one text instead of another, and why somebody might write it."""

    name: str
    module: str
    good: str
    bad: str
    why: str


PLANTED = (
    # lowering: expressions
    Planted(
        "reading outside",
        "compile.values",
        "return outside if inside == ZERO else select(inside, read(), outside)",
        "return outside if inside == ZERO else read()",
        "an index is taken to be inside unless it surely is not",
    ),
    Planted(
        "strides of an index",
        "compile.values",
        "            strides.append(stride)\n            stride *= len(codes)\n",
        "            stride *= len(codes)\n            strides.append(stride)\n",
        "two lines in the wrong order: every index counts by the size of its own set",
    ),
    Planted(
        "empty cells count as none",
        "compile.values",
        'return select(compare("!=", wanted, const(NONE)), counted, ZERO)  # type: ignore[arg-type]',
        "return counted",
        "none is the code of an empty cell, and no kind",
    ),
    Planted(
        "none in a list",
        "compile.values",
        "if can_be_none(e.body.type) or isinstance(e.body.type, PlaceOf):",
        "if isinstance(e.body.type, PlaceOf):",
        "only places are taken to be missing, values are not",
    ),
    Planted(
        "none in a sum",
        "compile.values",
        'there = compare("!=", value, const(NONE)) if maybe else ONE\n            if e.op == "sum":',
        'there = compare("!=", value, const(NONE)) if maybe and e.op != "sum" else ONE\n            if e.op == "sum":',
        "none is thought of for the largest and the smallest, not for the sum",
    ),
    Planted(
        "divisions do no harm",
        "compile.values",
        'case syntax.Arithmetic(op="/" | "mod") if not (isinstance(e.right, syntax.Literal) and e.right.value):\n            return True\n',
        'case syntax.Arithmetic(op="/" | "mod") if isinstance(e.right, syntax.Literal):\n            return e.right.value == 0\n',
        "a division is worked out before the loop whose test keeps it from being reached",
    ),
    Planted(
        "shared whatever the names stand for",
        "compile.values",
        "key = (e, tuple((n, env[n].value) for n in sorted(names)))",
        "key = (e, tuple(sorted(names)))",
        "the same words inside another loop are taken for the same value",
    ),
    Planted(
        "shared before its operands",
        "compile.values",
        "if not all(self.m.has_value_at(v, deepest) for v in used):",
        "if False:",
        "a local that gets its value in a branch is read before the branch",
    ),
    Planted(
        "range without its last number",
        "compile.values",
        "lo, stop = self.m.named(lo), self.m.named(add(hi, ONE))",
        "lo, stop = self.m.named(lo), self.m.named(hi)",
        "ranges of Python end before their stop, those of rules with it",
    ),
    Planted(
        "twice in the other branch",
        "compile.values",
        "return self.repeats(e.then, env) or self.repeats(e.other, env)",
        "return self.repeats(e.then, env)",
        "the second branch of a condition is forgotten",
    ),
    Planted(
        "places listed twice count twice",
        "compile.values",
        "            self.each_of(self.once(self.listed(e, env)), visit)\n        else:\n            self.each_place(e, env, visit)",
        "            self.each_of(self.listed(e, env), visit)\n        else:\n            self.each_place(e, env, visit)",
        "pieces are counted once for every time that their place is in the list",
    ),
    Planted(
        "outer loop goes on",
        "compile.values",
        "                if rest and over is not None:\n                    self.m.add(If(over, (Break(),)))\n",
        "",
        "`Break` leaves the innermost of two loops only",
    ),
    Planted(
        "room of nowhere",
        "compile.values",
        "if len(set(rooms.values())) == 1 and at.lo >= lay.base:",
        "if len(set(rooms.values())) == 1:",
        "all places have the same room, but nowhere has none",
    ),
    # lowering: steps, moving, listing
    Planted(
        "points before they are held",
        "compile.straight",
        "tell = Score(tuple(body), who, subtract(after, before), tuple(lines))",
        "tell = Score(tuple(body), who, subtract(total, before), tuple(lines))",
        "the ledger has what was scored, not what was gained at `never above`",
    ),
    Planted(
        "no line for lost points",
        "compile.straight",
        'self.m.branch(either(*(compare("!=", n, ZERO) for n in points)), (tell,))',
        'self.m.branch(either(*(compare(">", n, ZERO) for n in points)), (tell,))',
        "points are thought of as gained",
    ),
    Planted(
        "goals of a draw are not settled",
        "compile.steps",
        "goals = tuple(replace(g, place=self._settle(g.place, settled, frame)) for g in step.goals)",
        "goals = step.goals",
        "where drawn pieces go is worked out again after each one",
    ),
    Planted(
        "faults of points are at the rule",
        "compile.straight",
        "bound = self.x.given(rule.parameters, args, env, name, step.span)",
        "bound = self.x.given(rule.parameters, args, env, name, rule.span)",
        "a scoring rule that is given what it cannot take is told with its own line, not with that of the step",
    ),
    Planted(
        "sets with gaps",
        "compile.straight",
        "gaps = bool(numbers) and len(numbers) != max(numbers) - min(numbers) + 1",
        "gaps = False",
        "a set of numbers is taken for the range of its ends",
    ),
    Planted(
        "kinds change while a loop goes through them",
        "compile.straight",
        "if isinstance(step.domain.type, PlaceOf | Several):  # what lies there is settled before anything changes",
        "if isinstance(step.domain.type, Several):",
        "a loop over the kinds on a place looks at each after the others were moved",
    ),
    Planted(
        "onto the same stack",
        "compile.moving",
        "if all(target.lay is not lay for target in targets):",
        "if len(targets) == 1 or all(target.lay is not lay for target in targets):",
        "pieces are put back on the stack while others are still taken off it",
    ),
    Planted(
        "drawn from the place before",
        "compile.moving",
        "        self._leaves(at)\n        self.m.add(Store(here, subtract(Load(here, 0, self.m.layout.pieces), ONE)))",
        "        self.m.add(Store(here, subtract(Load(here, 0, self.m.layout.pieces), ONE)))",
        "a movement is told with the source of the step that was written before",
    ),
    Planted(
        "total of a pile",
        "compile.moving",
        "                        self._total(lay, at, n)\n                        self.m.add(self._less(need, n))",
        "                        self.m.add(self._less(need, n))",
        "pieces leave a pile whose number of pieces is kept beside it, and stays",
    ),
    Planted(
        "kept lists forget their conditions",
        "compile.listing",
        "needed = [n for n in outer if n in self._names(move, choice, tests)]",
        "needed = [n for n in outer if n in self._names(move, choice, [])]",
        "the legal values of a choice are kept for other earlier choices, which conditions look at",
    ),
    Planted(
        "offered twice",
        "compile.listing",
        "return both(*(negate(Call(self._is_legal(move), (*given, *chosen), 0, 1)) for given in offered))",
        "return both(*(negate(Call(self._is_legal(move), (*given, *chosen), 0, 1)) for given in offered[:0]))",
        "a move that an ask names twice is listed twice where both are legal",
    ),
    # passes
    Planted(
        "calls have no effect",
        "compile.hoist",
        "EFFECTS = (p.Store, p.Keep, p.Clear, p.Shift, p.Remember, p.Do)",
        "EFFECTS = (p.Store, p.Keep, p.Clear, p.Shift, p.Remember)",
        "a value of the state is read before a loop whose procedures change it",
    ),
    Planted(
        "hoisted although it changes",
        "compile.hoist",
        "changing = {v.number for s in (loop, *inside) for v in p.assigned(s)}",
        "changing = {v.number for s in inside for v in p.assigned(s)}",
        "the loop's own local is forgotten among what changes in it",
    ),
    Planted(
        "joined loops the wrong way round",
        "compile.tabulate",
        "rows = tuple((*a, *b) for a, b in product(rows, more))",
        "rows = tuple((*a, *b) for b, a in product(more, rows))",
        "two loops become one that goes through the outer one's values first",
    ),
    # Python
    Planted(
        "stores become sums",
        "compile.to_python",
        'case p.Bin(op="+" | "-", left=p.Load(at=at)) if at == s.at:',
        'case p.Bin(op="+" | "-", left=p.Load(at=at)):',
        "`S[a] = S[b] + 1` is printed as `S[a] += 1`",
    ),
    Planted(
        "drawn from an empty bag",
        "compile.to_python",
        "for total in range(total, total - taken, -1):",
        "for _ in range(taken):",
        "several pieces are drawn among as many as at first",
    ),
    Planted(
        "draws among few kinds keep what was left to draw",
        "compile.to_python",
        '            self.line(f"{left} = 0")\n        self._after(d, way)\n\n    def _after(',
        "            pass\n        self._after(d, way)\n\n    def _after(",
        "the slot of a draw is cleared only where there are many kinds",
    ),
    Planted(
        "blocks that are returned to stay in their slot",
        "compile.to_python",
        'case p.GoBack() if end.slot in way.returns:\n                self.line(f"S[{end.slot}] = 0")\n',
        "case p.GoBack() if end.slot in way.returns:\n",
        "where a block returns to is known, so its slot is left alone",
    ),
    Planted(
        "numbers between others are looked at",
        "compile.to_python",
        "repr((0,) * zeros)",
        "repr((1,) * zeros)",
        "what lies between the numbers by which rows are picked picks rows too",
    ),
    Planted(
        "looked for in all but the last number",
        "compile.to_python",
        "for x in self._loads(counted.at, counted.many))})",
        "for x in self._loads(counted.at, counted.many - 1))})",
        "whether a number is among a few others is settled without the last one",
    ),
    Planted(
        "the last of all values chosen",
        "compile.to_python",
        'self._play(number, d, option, [f"{listed}[r]"], way)',
        'self._play(number, d, option, [f"{listed}[-1]"], way)',
        "a single choice in a random game is always the last one listed",
    ),
    Planted(
        "totals begin with one",
        "compile.unfold",
        "totals = [0]",
        "totals = [1]",
        "known numbers that are added up come to one more",
    ),
    Planted(
        "tests settled as for the most common kind",
        "compile.cases",
        "given = {choice.number: p.const(found[0])} if told else {}",
        "known, given = ordered[0][0], {choice.number: p.const(found[0])} if told else {}",
        "every kind of value passes the tests that most values pass",
    ),
    # C
    Planted(
        "division towards zero",
        "compile.to_c",
        "if e.left.lo >= 0 and e.right.lo > 0:",
        "if e.right.lo > 0:",
        "C divides towards zero, rules divide downwards",
    ),
    Planted(
        "within without a lower limit",
        "compile.to_c",
        'return f"((uint32_t)({num(e.of)}{low}) <= {e.high - e.low}u)"',
        'return f"(({num(e.of)}{low}) <= {e.high - e.low})"',
        "the test of both limits at once needs numbers without a sign",
    ),
    Planted(
        "moves listed backwards",
        "compile.to_c",
        "        for option in d.options:\n            given = (*option.given, *option.but)",
        "        for option in reversed(d.options):\n            given = (*option.given, *option.but)",
        "the order of moves in C is not that of the rules",
    ),
    Planted(
        "legal moves in memory that was given back",
        "compile.to_c",
        'self.gives_back = f.number in self.taking and f.result != "list" and f.role != "legal"',
        'self.gives_back = f.number in self.taking and f.result != "list"',
        "the rows of legal moves outlive the function that finds them",
    ),
    Planted(
        "pieces that come back to the bag",
        "compile.to_c",
        'self.line(f"total = 0; {count}" if d.returns else "total--;")',
        'self.line("total--;")',
        "drawn pieces may return to where they are drawn from",
    ),
    Planted(
        "last instead of first",
        "compile.straighten",
        "rows = tuple(reversed(next(rows for rows, n in self.tables.items() if n == s.of.table)))",
        "rows = next(rows for rows, n in self.tables.items() if n == s.of.table)",
        "a loop that is not left any more at the first that passes must begin at the other end of its list",
    ),
    Planted(
        "rows that were left out",
        "compile.unroll",
        "replace(last, test=p.both(ok, last.test))",
        "replace(last, test=last.test)",
        "all rows of a list are gone through that is not there any more, also those that were not to be in it",
    ),
    Planted(
        "lists for all",
        "compile.unroll",
        "if cells.setdefault(row[at].value, values) != values:",
        "if not cells.setdefault(row[at].value, values):",
        "lists are made for each index, and depend on something else too",
    ),
    Planted(
        "more cells than bits",
        "compile.storage",
        "                if s.zeros > BITS:\n                    lost.add(s.var.number)\n",
        "",
        "cells that were seen are bits of a number of 64",
    ),
    Planted(
        "bit of another cell",
        "compile.to_c",
        'return f"((I)(b{number} >> ({num(e.item)} - {lo})) & 1)"',
        'return f"((I)(b{number} >> (({num(e.item)} - {lo}) ^ 1)) & 1)"',
        "cells of a growing group are remembered as bits, each as its own",
    ),
    Planted(
        "mask of the position before",
        "compile.prelude",
        "    if (mask) memset(mask, 0, ACTIONS > 0 ? ACTIONS : 0);\n",
        "",
        "legal moves are added to the mask, none are taken away",
    ),
    Planted(
        "places after a tie",
        "compile.prelude",
        "                better += !counted;",
        "                better++;",
        "two players who share the first place make the next one third",
    ),
    Planted(
        "ranks of pieces chosen together",
        "compile.prelude",
        "for (I d = row[k] + 1; d <= min_(each[k], left); d++)",
        "for (I d = row[k] + 1; d <= each[k]; d++)",
        "more of a kind are counted than may still be chosen",
    ),
    # trees, in C and in Python
    Planted(
        "ties to the last",
        "compile.prelude",
        "if (below(&X->state, ++ties)) continue;",
        "if (below(&X->state, ++ties) == 0) continue;",
        "among moves that look alike the random number decides the other way round",
    ),
    Planted(
        "rounds end once",
        "compile.prelude",
        "if (!t->ended++) worth(t, t->soon, prizes);",
        "if (t->ended++) worth(t, t->soon, prizes);",
        "what a position is worth after the first round is noted after the second",
    ),
    Planted(
        "sure whatever chance does",
        "run.tree",
        "certain = certain and words.state == random",
        "certain = certain and words.state is not None",
        "a decision is sure to win although chance decides before the end",
    ),
    # what is told besides positions: the ledger
    Planted(
        "first lines bear what was held",
        "run.runtime",
        "for rule, args, points, shown in reversed(lines):",
        "for rule, args, points, shown in lines:",
        "where the score stops at a bound, the first of several rules loses its points instead of the last",
    ),
    Planted(
        "points gained are points given",
        "game",
        "lines.append(LedgerLine(number, player, rule.name, text, points, gained, rule.span, rule.changes))",
        "lines.append(LedgerLine(number, player, rule.name, text, gained, gained, rule.span, rule.changes))",
        "the table tells what a score changed by, not what a rule gave",
    ),
    # what is remembered
    Planted(
        "noted once at most",
        "run.runtime",
        "return noted.count(note(number, values))",
        "return int(note(number, values) in noted)",
        "whether it was noted is taken for how often",
    ),
    # what is tried
    Planted(
        "a trial goes on after an ask",
        "compile.straight",
        'self.m.add(If(compare("==", Load(const(BLOCK), 0, 1), ONE), (Return(),)))',
        "pass",
        "named steps that come to an ask end themselves only, not the trial",
    ),
    Planted(
        "a trial after a fault is looked at",
        "run.runtime",
        "return 0  # it comes when the move is played",
        "pass",
        "a position that the rules could not reach is judged",
    ),
    Planted(
        "a trial in the position itself",
        "compile.to_c",
        'self.line(f"I *copy = cells(X, {size});")',
        'self.line("I *copy = S;")',
        "nothing is copied before steps are tried",
    ),
    # events
    Planted(
        "refused by the first condition",
        "compile.listing",
        "(Refused(number, move.conditions.index(condition)),)",
        "(Refused(number, 0),)",
        "a watched program names the first condition of a move, whichever refused",
    ),
    Planted(
        "marks are left out",
        "compile.unfold",
        "elif not isinstance(s, p.FromRule):",
        "elif not isinstance(s, p.FromRule | p.Mark):",
        "marks are taken for something that only people read",
    ),
    # faults
    Planted(
        "no legal move is too many decisions",
        "compile.to_c",
        "missing = self._fault(d.no_move)",
        "missing = self._fault(d.endless)",
        "another fault of the same decision is told",
    ),
    Planted(
        "faults without their value",
        "compile.to_c",
        'self._fault(s.number, "0" if s.value is None else self.num(s.value))',
        "self._fault(s.number)",
        "the number that was found is not told",
    ),
    # places as values, questions that are put again, what is shown
    Planted(
        "index of another place",
        "compile.values",
        "codes = tuple(index[e.which] for index in product(*lay.place.index_values))",
        "codes = tuple(index[e.which] for index in product(*reversed(lay.place.index_values)))",
        "the first index of a place counts fastest instead of the last",
    ),
    Planted(
        "nowhere has a code",
        "compile.values",
        "return select(there, add(number, const(self.model.place_codes[lay.place.name][0])), const(NONE))",
        "return select(there, add(number, const(self.model.place_codes[lay.place.name][0])), const(self.model.place_codes[lay.place.name][0]))",
        "nowhere is taken for the first place of its family",
    ),
    Planted(
        "none chosen instead of a place",
        "compile.values",
        "return select(there, add(const(lay.base), multiply(number, const(lay.width))), const(self._none_of(e.type)))",
        "return add(const(lay.base), multiply(select(there, number, ZERO), const(lay.width)))",
        "a choice of a place or none is taken to be a place: the first one",
    ),
    Planted(
        "places as far apart as their numbers",
        "compile.values",
        "add(const(lay.base), multiply(number, const(lay.width)))",
        "add(const(lay.base), number)",
        "a chosen place is found by its number, whatever a place of its family holds",
    ),
    Planted(
        "asked again, and then not",
        "compile.flow",
        "{option.again: block}",
        "{option.again: d.after}",
        "in a game that is played in one function, the question is not put again",
    ),
    Planted(
        "shown to everybody",
        "compile.straight",
        "                    if step.to is not None and isinstance(step.to.type, ListOf):\n                        to = self._one_or_list(step.to, env)\n",
        "",
        "of those who are shown something, only a single player is thought of",
    ),
    # several players who decide at the same time
    Planted(
        "carried out at once",
        "compile.steps",
        "        if held is not None:\n            return MoveOption(number, given[i], legal, self._keeping(move, i, held), but=but)\n",
        "",
        "what the first of several players decides is done before the next one is asked",
    ),
    Planted(
        "given anew",
        "compile.steps",
        "moves = [(name, tuple(self._settle_now(a, settled, frame) for a in args)) for name, args in step.moves]",
        "moves = list(step.moves)",
        "what the moves are given is worked out anew when they are carried out, after others have changed it",
    ),
    Planted(
        "asked twice",
        "compile.steps",
        "self.m.branch(negate(InList(who, found)), (Push(found, (who,)),))",
        "self.m.add(Push(found, (who,)))",
        "a player who is in the list twice is asked twice",
    ),
    Planted(
        "one value of those shown",
        "compile.straight",
        "many = e.type.largest if isinstance(e.type, ListOf) else 1",
        "many = 1",
        "of a variable that is shown with all its indexes, only the first value is seen",
    ),
    # outcomes
    Planted(
        "last line of the winner first",
        "compile.lower",
        "for _, e in model.winner)",
        "for _, e in reversed(model.winner))",
        "what decides a tie is looked at first",
    ),
    Planted(
        "the last is the winner",
        "game",
        "order = sorted(set(ranks.values()), reverse=True)",
        "order = sorted(set(ranks.values()))",
        "the table ranks the players the wrong way round",
    ),
    Planted(
        "reason of the last player",
        "compile.prelude",
        "reason = max_(reason, k);",
        "reason = k;",
        "the reason is what tells the winner from the last player, not from the closest",
    ),
    # refusals, and moves at the table
    Planted(
        "refusals with the line of the move",
        "game",
        "found.append(Objection(text, condition.name, move.name, condition.span, condition.changes, parts))",
        "found.append(Objection(text, condition.name, move.name, spec.span, None, parts))",
        "a refusal points at the move, not at its condition",
    ),
    Planted(
        "words of the move in its refusals",
        "compile.words",
        "tuple(_holes(x, names, c.refusal, c.span) for c in move.conditions)",
        "tuple(_holes(x, names, move.text, c.span) for c in move.conditions)",
        "the holes of another text are filled in",
    ),
    Planted(
        "last move is not offered natively",
        "run.verbs",
        "actions = games.moves[: games.offsets[1]] if player else NO_ACTIONS",
        "actions = games.moves[: games.offsets[1] - 1] if player else NO_ACTIONS",
        "one too few of the moves that C lists come to the table",
    ),
)


class Finder(importlib.abc.MetaPathFinder):
    """Finds one module with its source changed."""

    def __init__(self, planted: Planted) -> None:
        self.name = f"interpreter.{planted.module}"
        self.planted = planted

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        assert spec is not None and isinstance(spec.origin, str)
        spec.loader = Changed(fullname, spec.origin, self.planted)
        return spec


class Changed(importlib.machinery.SourceFileLoader):
    """Loads a module with its source changed; what was compiled before is not looked at."""

    def __init__(self, fullname: str, path: str, planted: Planted) -> None:
        super().__init__(fullname, path)
        self.planted = planted

    def get_code(self, fullname: str) -> CodeType:
        text = changed(self.planted)
        return compile(text, self.path, "exec", dont_inherit=True)


def changed(planted: Planted) -> str:
    """Return the source of a module with a mistake in it. The text that is replaced is there once."""
    text = (ROOT / "interpreter" / f"{planted.module.replace('.', '/')}.py").read_text(encoding="utf-8")
    assert text.count(planted.good) == 1, f"{planted.name}: its text is there {text.count(planted.good)} times"
    return text.replace(planted.good, planted.bad)


def found_in(module: str, shown: str = "", most: int = MOST) -> str | None:
    """Return where the voices differ: as shown before, in a case, a file of pairs or another generated one; None if nowhere.

    C is looked at only for mistakes in modules of which Python alone may not show them.
    """
    from tests.generated.finding import examine  # what is imported here meets the mistake

    places = (*_places("case"), *_places("pairs"), *_places("file", most)) if most else tuple(_places("case"))
    first = [place for place in places if str(place) == shown]
    native = [module in BY_C] * TOGETHER
    for together in (first, *batched(places, TOGETHER)):
        read = [place.read() for place in together]
        files, told = [file for file, _ in read], [decided for _, decided in read]
        for i, examined in enumerate(examine(files, native[: len(files)], told=told)):
            if examined.finding is not None:
                played = _played(*read[i]) if examined.finding.kind.startswith("verified") else ""
                return f"{together[i]}: {examined.finding.kind}{played}"
    return None


def _played(file: dict[str, Any], told: Sequence[str]) -> str:
    """Return what differs in play where a program was found wrong before."""
    from tests.compiled import Compiled
    from tests.generated import finding

    with patch.object(finding, "verified", lambda model, each: Compiled(model)):
        found = finding.examine([file], [False], told=[told])[0].finding
    return "; not seen in play" if found is None else f"; in play {found.kind}"


@dataclass(frozen=True)
class Place:
    """Somewhere to look: a case of the engine's, a file of pairs of forms, or another generated file."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"

    def read(self) -> tuple[dict[str, Any], Sequence[str]]:
        """Return the rule file, and what is decided in a game of it."""
        from tests.generated.directed import directed_file
        from tests.generated.rulefiles import rule_file
        from tests.test_engine_cases import FOLDER, read

        if self.kind == "case":
            case = read(FOLDER / f"{self.name}.yaml")
            return case["rules"], case.get("play", ())
        return (directed_file if self.kind == "pairs" else rule_file)(int(self.name)), ()


def _places(kind: str, most: int = 0) -> Iterator[Place]:
    from tests.generated.directed import many_directed
    from tests.generated.rulefiles import DIRECTED
    from tests.test_engine_cases import CASES

    if kind == "case":
        yield from (Place(kind, path.stem) for path in CASES)
    elif kind == "pairs":
        yield from (Place(kind, str(number)) for number in range(many_directed()))
    else:
        yield from (Place(kind, str(seed)) for seed in range(most) if seed % DIRECTED != DIRECTED - 1)


def batched(places: Sequence[Place], many: int) -> Iterator[Sequence[Place]]:
    yield from (places[first : first + many] for first in range(0, len(places), many))


@dataclass(frozen=True)
class Search:
    """The outcome of the search for one mistake."""

    name: str
    where: str  # and what differs; "" if it was not found

    def __str__(self) -> str:
        return f"{self.name}\t{self.where}"


def search(name: str, seconds: int = SECONDS, most: int = MOST) -> Search:
    """Look for a mistake in a process of its own. One that ends it by a signal is found, too."""
    command = [sys.executable, "-m", "tests.planted", name, "--here", "--files", str(most)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=seconds)
    except subprocess.TimeoutExpired:
        return Search(name, "")
    if done.returncode in (0, 1):
        return Search(name, done.stdout.strip())
    return Search(name, f"{done.stdout.strip()}: ended with {done.returncode}")


def found_before() -> dict[str, str]:
    """Return where each mistake was found the last time, and what differed."""
    lines = FOUND.read_text(encoding="utf-8").splitlines() if FOUND.exists() else []
    return dict(line.split("\t") for line in lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description="look for planted mistakes")
    parser.add_argument("names", nargs="*", metavar="NAME", help="of mistakes; all of them, if none is given")
    parser.add_argument("--files", type=int, default=MOST, help="generated files to look at; 0: cases alone")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="for one mistake")
    parser.add_argument("--update", action="store_true", help="write down where they were found")
    parser.add_argument("--here", action="store_true", help="look for one mistake in this process, which it may end")
    args = parser.parse_args()
    every = {p.name: p for p in PLANTED}
    before = found_before()
    if args.here:
        (name,) = args.names
        sys.meta_path.insert(0, Finder(every[name]))
        found = found_in(every[name].module, before.get(name, "").partition(":")[0], args.files)
        print(found or "")
        return 0 if found else 1
    missing = []
    for name in args.names or every:
        result = search(name, args.seconds, args.files)
        print(result, flush=True)
        before[name] = result.where
        if not result.where:
            missing.append(name)
        if args.update:
            FOUND.write_text("".join(f"{n}\t{before.get(n, '')}\n" for n in every), encoding="utf-8")
    print(f"{len(missing)} not found: {', '.join(missing)}" if missing else "all found")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
