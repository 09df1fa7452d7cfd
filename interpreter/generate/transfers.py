"""Moving pieces: `move … from … to …, then …` → Python statements.

INVARIANT: every statement takes pieces out of one slot and puts the same number into others, or raises a fault,
so pieces are conserved by construction.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from interpreter.generate.terms import Bound, Env, known
from interpreter.layout import PlaceLayout
from rulespec.diagnostics.diagnostic import Span
from rulespec.expr import core
from rulespec.expr.core import Expr
from rulespec.expr.types import NONE, ListOf, PlaceOf, Several, Values, of_codes
from rulespec.model.model import Goal, MoveStep

if TYPE_CHECKING:
    from interpreter.generate.expressions import Expressions

Address = tuple[str, int]
Goals = list[tuple[Goal, Address]]  # where pieces go, in order: single places by address, lists of places by name


def spot(at: Address, extra: int = 0, term: str = "") -> str:
    """`S[…]` at an address."""
    terms = [t for t in (at[0], term) if t]
    part = at[1] + extra
    text = " + ".join(terms)
    if not text:
        return f"S[{part}]"
    return f"S[{text}]" if not part else f"S[{text} + {part}]" if part > 0 else f"S[{text} - {-part}]"


class Transfers:
    def __init__(self, expressions: Expressions, fault: Callable[..., str]) -> None:
        self.x = expressions
        self.fault = fault
        self.telling = False  # whether the program tells which pieces moved from where to where

    def leaves(self, at: Address) -> None:
        """Notes where the pieces come from that are put somewhere next."""
        if self.telling:
            self.x.writer.line(f"X.source = {_text(at)}")

    def _arrives(self, at: Address, code: str, n: str) -> None:
        if self.telling:
            self.x.writer.line(f"X.moved.append((X.source, {_text(at)}, {code}, {n}))")

    # out of a place --------------------------------------------------------------------------------------

    def move(self, step: MoveStep, env: Env) -> None:
        """One `move` step."""
        amount = step.amount
        lay = self._lay(step.source)
        goals = self.settle(step.goals, env)
        w = self.x.writer
        if amount.how == "chosen":
            self._chosen(step, lay, goals, env)
        elif amount.how == "top":
            count = "1"
            if amount.number is not None:
                count = w.temp("n")
                w.line(f"{count} = {self.x.value(amount.number, env)}")
                self.refuse_negative(amount.number, count, "move", step.span, env)
            self._pop(lay, self.x.address(step.source, env), f"range(min({count}, {{height}}))", goals, step.span, env)
        elif amount.how == "all":
            with self._each_place(step.source, env) as at:
                self._all(lay, at, self._kinds(amount.kinds, lay, env), goals, step.span, env)
        else:
            assert amount.number is not None
            kind = (
                self.x.plain_bound(amount.kinds, env)
                if amount.kinds is not None
                else known(lay.place.kinds[0], of_codes(lay.place.kinds))
            )
            need = w.temp("n")
            w.line(f"{need} = {self.x.value(amount.number, env)}")
            self.refuse_negative(amount.number, need, "move", step.span, env)
            with self._each_place(step.source, env) as at:
                self._some(lay, at, kind, need, goals, step.span, env)
            if amount.how == "some":
                w.line(f"if {need} > 0: {self.fault('too few pieces to move', step.span)}")
        w.forget()

    def refuse_negative(self, e: Expr, n: str, verb: str, span: Span, env: Env) -> None:
        """A fault where the number of pieces `n`, the value of e, may be below 0 and is."""
        t = self.x.type_of(e, env)
        if not isinstance(t, Values) or t.lo is None or t.lo < 0:
            message = f"expected 0 or more pieces to {verb}, found {{}}"
            self.x.writer.line(f"if {n} < 0: {self.fault(message, span, n)}")

    def _lay(self, e: Expr) -> PlaceLayout:
        t = e.type.item if isinstance(e.type, ListOf) else e.type
        assert isinstance(t, PlaceOf)
        return self.x.layout.places[t.family]

    def _each_place(self, e: Expr, env: Env):  # type: ignore[no-untyped-def]
        """The address of a place, or a loop over the addresses of a list of places."""
        if isinstance(e.type, PlaceOf):
            return nullcontext(self.x.address(e, env))
        w = self.x.writer
        name = w.temp("d")
        text = self.x.place_list(e, env)
        return _Loop(w.block(f"for {name} in {text}:", name), (name, 0))

    def _kinds(self, kinds: Expr | None, lay: PlaceLayout, env: Env) -> list[Bound] | Bound:
        """The kinds to move, in order: known ones, or one list known only in play."""
        if kinds is None:
            return [known(k, of_codes(lay.place.kinds)) for k in lay.place.kinds]
        if isinstance(kinds.type, ListOf):
            values = self.x.const(kinds, env)
            if values is not None:
                return [known(v, kinds.type.item) for v in values if v in lay.place.kinds]
            if isinstance(kinds, core.Items):
                parts = [self._kinds(i, lay, env) for i in kinds.items]
                if all(isinstance(p, list) for p in parts):
                    return [b for p in parts for b in p]  # type: ignore[union-attr]
            return Bound(kinds.type, self.x.once(self.x.value(kinds, env)))
        return [self.x.plain_bound(kinds, env)]

    def _all(
        self, lay: PlaceLayout, at: Address, kinds: list[Bound] | Bound, goals: Goals, span: Span, env: Env
    ) -> None:
        w = self.x.writer
        if isinstance(kinds, Bound):
            name = w.temp("k")
            item = kinds.type.item if isinstance(kinds.type, ListOf) else kinds.type
            with w.block(f"for {name} in list({kinds.text}):", name):
                self._all(lay, at, [Bound(item, name)], goals, span, env)
            return
        whole = {b.const for b in kinds} >= set(lay.place.kinds)
        if lay.place.shape == "cell":
            self._out_of_cell(lay, at, None if whole else kinds, goals, span, env)
        elif lay.place.shape == "stack":
            if whole:
                self._pop(lay, at, "range({height})", goals, span, env)
            else:
                self._pick_out(lay, at, kinds, goals, span, env)
        elif whole and len(kinds) > 6 and self._same_slots(lay, goals):
            self._pour(lay, at, goals[0], env)
        else:
            for kind in kinds:
                slot = self.x.kind_slot_of(lay, kind)
                if slot is None:
                    continue
                term, part, test = slot
                n = w.temp("n")
                here = spot(at, part, term)
                w.line(f"{n} = {here} if {test} else 0" if test else f"{n} = {here}")
                with w.block(f"if {n}:"):
                    self.leaves(at)
                    w.line(f"{here} = 0")
                    if lay.total is not None:
                        w.line(f"{spot(at, lay.total)} -= {n}")
                    self.put(goals, kind, n, span, env)

    def _same_slots(self, lay: PlaceLayout, goals: Goals) -> bool:
        """Whether everything can be poured slot by slot into one unlimited pile."""
        goal = self._lay(goals[0][0].place)
        return (
            len(goals) == 1
            and goal.place.shape == "pile"
            and goal.total is None
            and all(goal.slots.get(k) == i for k, i in lay.slots.items())
        )

    def _pour(self, lay: PlaceLayout, at: Address, goal: tuple[Goal, Address], env: Env) -> None:
        w = self.x.writer
        self.leaves(at)
        with w.block(f"for i in range({len(lay.slots)}):", "i", "n"):
            w.line(f"n = {spot(at, 0, 'i')}")
            with w.block("if n:"):
                if self.telling:
                    self._arrives(goal[1], f"{sorted(lay.slots)!r}[i]", "n")
                w.line(f"{spot(at, 0, 'i')} = 0")
                w.line(f"{spot(goal[1], 0, 'i')} += n")
        if lay.total is not None:
            w.line(f"{spot(at, lay.total)} = 0")

    def _some(self, lay: PlaceLayout, at: Address, kind: Bound, need: str, goals: Goals, span: Span, env: Env) -> None:
        """Up to `need` pieces of one kind; `need` is lowered by what was moved."""
        w = self.x.writer
        n = w.temp("n")
        if lay.place.shape == "cell":
            with w.block(f"if {need} > 0 and {spot(at)} == {kind.text or kind.const}:"):
                self.leaves(at)
                w.line(f"{spot(at)} = {NONE}")
                w.line(f"{n} = 1")
                w.line(f"{need} -= 1")
                self.put(goals, kind, n, span, env)
            return
        if lay.place.shape == "stack":
            with w.block(f"while {need} > 0 and {spot(at)} and {spot(at, 0, spot(at))} == {kind.text or kind.const}:"):
                self.leaves(at)
                w.line(f"{spot(at, 0, spot(at))} = 0")
                w.line(f"{spot(at)} -= 1")
                w.line(f"{n} = 1")
                w.line(f"{need} -= 1")
                self.put(goals, kind, n, span, env)
            return
        slot = self.x.kind_slot_of(lay, kind)
        if slot is None:
            return
        term, part, test = slot
        here = spot(at, part, term)
        w.line(f"{n} = ({here} if {test} else 0)" if test else f"{n} = {here}")
        w.line(f"if {n} > {need}: {n} = {need}")
        with w.block(f"if {n} > 0:"):
            self.leaves(at)
            w.line(f"{here} -= {n}")
            if lay.total is not None:
                w.line(f"{spot(at, lay.total)} -= {n}")
            w.line(f"{need} -= {n}")
            self.put(goals, kind, n, span, env)

    def _chosen(self, step: MoveStep, lay: PlaceLayout, goals: Goals, env: Env) -> None:
        """Pieces chosen together: a tuple with a count for each kind."""
        w = self.x.writer
        assert step.amount.number is not None and isinstance(step.amount.number.type, Several)
        chosen = w.temp("c")
        w.line(f"{chosen} = {self.x.value(step.amount.number, env)}")
        for i, k in enumerate(step.amount.number.type.kinds):
            with w.block(f"if {chosen}[{i}]:"):
                need = w.temp("n")
                w.line(f"{need} = {chosen}[{i}]")
                with self._each_place(step.source, env) as at:
                    self._some(lay, at, known(k, of_codes((k,))), need, goals, step.span, env)
                w.line(f"if {need} > 0: {self.fault('too few pieces to move', step.span)}")

    def _out_of_cell(
        self, lay: PlaceLayout, at: Address, kinds: list[Bound] | None, goals: Goals, span: Span, env: Env
    ) -> None:
        w = self.x.writer
        k = w.temp("k")
        w.line(f"{k} = {spot(at)}")
        test = f"{k} != {NONE}"
        if kinds is not None:
            test += " and (" + " or ".join(f"{k} == {b.text or b.const}" for b in kinds) + ")"
        with w.block(f"if {test}:"):
            n = w.temp("n")
            self.leaves(at)
            w.line(f"{spot(at)} = {NONE}")
            w.line(f"{n} = 1")
            self.put(goals, Bound(of_codes(lay.place.kinds), k), n, span, env)

    def _pop(self, lay: PlaceLayout, at: Address, times: str, goals: Goals, span: Span, env: Env) -> None:
        """Pieces from the top of a stack, one by one."""
        w = self.x.writer
        with w.block(f"for _ in {times.replace('{height}', spot(at))}:"):
            k, n = w.temp("k"), w.temp("n")
            self.leaves(at)
            top = spot(at, 0, spot(at))
            w.line(f"{k} = {top}")
            w.line(f"{top} = 0")
            w.line(f"{spot(at)} -= 1")
            w.line(f"{n} = 1")
            self.put(goals, Bound(of_codes(lay.place.kinds), k), n, span, env)

    def _pick_out(self, lay: PlaceLayout, at: Address, kinds: list[Bound], goals: Goals, span: Span, env: Env) -> None:
        """Certain kinds from anywhere in a stack, from the top down; the rest keeps its order."""
        w = self.x.writer
        wanted = ", ".join(b.text or str(b.const) for b in kinds)
        start = _text(at)
        with w.block(f"for i in range({spot(at)}, 0, -1):", "i"):
            k, n = w.temp("k"), w.temp("n")
            w.line(f"{k} = S[{start} + i]")
            with w.block(f"if {k} in ({wanted},):"):
                self.leaves(at)
                w.line(f"S[{start} + i:{start} + {spot(at)} + 1] = [*S[{start} + i + 1:{start} + {spot(at)} + 1], 0]")
                w.line(f"{spot(at)} -= 1")
                w.line(f"{n} = 1")
                self.put(goals, Bound(of_codes(lay.place.kinds), k), n, span, env)

    # into places -----------------------------------------------------------------------------------------

    def settle(self, goals: tuple[Goal, ...], env: Env) -> Goals:
        """The goals with the addresses of single places; lists of places are made once, before anything moves."""
        out: Goals = []
        w = self.x.writer
        for goal in goals:
            if isinstance(goal.place.type, PlaceOf):
                out.append((goal, self.x.address(goal.place, env)))
            else:
                name = w.temp("g")
                w.line(f"{name} = {self.x.place_list(goal.place, env)}")
                out.append((goal, (name, 0)))
        return out

    def takes_all(self, goal: tuple[Goal, Address], kinds: tuple[int, ...], env: Env) -> bool:
        """Whether a goal is one pile that has room for any number of these kinds."""
        lay = self._lay(goal[0].place)
        if not isinstance(goal[0].place.type, PlaceOf) or self.x.may_be_nowhere(goal[0].place, env):
            return False
        return lay.place.shape == "pile" and lay.total is None and set(kinds) <= set(lay.slots)

    def put(self, goals: Goals, kind: Bound, n: str, span: Span, env: Env) -> None:
        """Puts n pieces of a kind on the first goals that take them; a fault if some are left."""
        w = self.x.writer
        if not goals:
            w.line(f"if {n}: {self.fault(self._no_room(kind), span)}")
            return None
        (goal, at), rest = goals[0], goals[1:]
        lay = self._lay(goal.place)
        if lay.place.shape == "pile" and self.x.kind_slot_of(lay, kind) is None:
            return self.put(rest, kind, n, span, env)
        if isinstance(goal.place.type, PlaceOf):
            if self._put_on(lay, goal, at, kind, n, self.x.may_be_nowhere(goal.place, env)):
                return None
        else:
            d = w.temp("d")
            with w.block(f"for {d} in {at[0]}:", d):
                w.line(f"if not {n}: break")
                self._put_on(lay, goal, (d, 0), kind, n, False)
        if rest:
            with w.block(f"if {n}:"):
                self.put(rest, kind, n, span, env)
        else:
            self.put([], kind, n, span, env)
        return None

    def _no_room(self, kind: Bound) -> str:
        what = self.x.model.value_name(kind.const) if kind.const is not None else "a piece"
        return f"no room for {what}: every place it could go to is full"

    def _put_on(self, lay: PlaceLayout, goal: Goal, at: Address, kind: Bound, n: str, nowhere: bool) -> bool:
        """Puts what fits of n on one place; true if everything surely fits."""
        w = self.x.writer
        code = kind.text or str(kind.const)
        if lay.place.shape == "cell":
            test = f"{spot(at)} == {NONE}" + (f" and {_text(at)} != {self.x.layout.nowhere_cell}" if nowhere else "")
            with w.block(f"if {test}:"):
                self._arrives(at, code, "1")
                w.line(f"{spot(at)} = {code}")
                w.line(f"{n} -= 1")
            return False
        if lay.place.shape == "stack":
            with w.block(f"while {n} and {spot(at)} < {self.x.room(lay, at)}:"):
                start = _text(at)
                self._arrives(at, code, "1")
                if goal.under:
                    w.line(
                        f"S[{start} + 1:{start} + 2 + {spot(at)}] = [{code}, *S[{start} + 1:{start} + 1 + {spot(at)}]]"
                    )
                    w.line(f"{spot(at)} += 1")
                else:
                    w.line(f"{spot(at)} += 1")
                    w.line(f"{spot(at, 0, spot(at))} = {code}")
                w.line(f"{n} -= 1")
            return False
        slot = self.x.kind_slot_of(lay, kind)
        assert slot is not None
        term, part, test = slot
        here = spot(at, part, term)
        if lay.total is None:
            tests = [t for t in (test, f"{_text(at)} != {self.x.layout.nowhere}" if nowhere else "") if t]
            if not tests:
                self._arrives(at, code, n)
                w.line(f"{here} += {n}")
                return True
            with w.block(f"if {' and '.join(tests)}:"):
                self._arrives(at, code, n)
                w.line(f"{here} += {n}")
                w.line(f"{n} = 0")
            return False
        with w.block(f"if {test}:") if test else nullcontext():
            m = w.temp("m")
            w.line(f"{m} = {self.x.free_at(lay, at)}")
            w.line(f"if {m} > {n}: {m} = {n}")
            with w.block(f"if {m} > 0:"):
                self._arrives(at, code, m)
                w.line(f"{here} += {m}")
                w.line(f"{spot(at, lay.total)} += {m}")
                w.line(f"{n} -= {m}")
        return False


def _text(at: Address) -> str:
    return spot(at)[2:-1]


class _Loop:
    """A `for` block that gives the loop's address."""

    def __init__(self, block, at: Address) -> None:  # type: ignore[no-untyped-def]
        self.block, self.at = block, at

    def __enter__(self) -> Address:
        self.block.__enter__()
        return self.at

    def __exit__(self, *error: object) -> None:
        self.block.__exit__(*error)
