"""Moving pieces: `move … from … to …, then …`.

INVARIANT: pieces are taken out of one slot and the same number is put into others, or there is a fault; so pieces are
conserved by construction. Nothing is ever put nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from interpreter.compile.program import (
    NARROWED,
    ONE,
    ZERO,
    Break,
    Const,
    Fail,
    ForList,
    ForRange,
    If,
    InList,
    Item,
    Known,
    List,
    Load,
    Moved,
    Num,
    Push,
    Set,
    Shift,
    Store,
    Var,
    While,
    add,
    always,
    both,
    compare,
    const,
    extreme,
    known,
    subtract,
)
from interpreter.compile.values import Env, Expressions
from interpreter.fault import FaultCode
from interpreter.layout import PlaceLayout
from rulespec.diagnostics.diagnostic import Span
from rulespec.syntax import NONE, Expr, Goal, ListOf, MoveStep, PlaceOf, Several

Each = Callable[[Callable[[Num], None]], None]  # writes a loop over places


@dataclass(frozen=True, slots=True)
class Target:
    """Where pieces go: one place by its address, or a list of places."""

    lay: PlaceLayout
    place: Num | List
    single: bool
    under: bool


class Moving:
    """Writes the steps that move pieces."""

    def __init__(self, expressions: Expressions, tracing: bool) -> None:
        self.x = expressions
        self.m = expressions.m
        self.tracing = tracing  # whether the program says which pieces moved from where to where
        self._source: Num = ZERO

    # out of a place --------------------------------------------------------------------------------------

    def move(self, step: MoveStep, env: Env) -> None:
        """Write one `move` step. Where to, where from, how many and which is settled before anything moves."""
        amount, lay = step.amount, self.x.family(step.source.type)
        targets = self.targets(step.goals, env)
        each = self.x.places(step.source, env)
        match amount.how:
            case "chosen":
                self._chosen(step, lay, each, targets, env)
            case "top":
                number: Num = ONE
                if amount.number is not None:
                    number = self._need(self.x.number(amount.number, env), step.span)
                each(lambda at: self._pop(lay, at, self._at_most(lay, at, number), targets, step.span))
            case "all":
                self._all_of(step, lay, each, targets, env)
            case _:
                assert amount.number is not None
                need = self._need(self.x.number(amount.number, env), step.span)
                kind: Num = const(lay.place.kinds[0])
                if amount.kinds is not None:
                    kind = self.m.named(self.x.number(amount.kinds, env))
                each(lambda at: self._some(lay, at, kind, need, targets, step.span))
                if amount.how == "some":
                    too_few = self.m.fault("too few pieces to move", step.span, FaultCode.TOO_FEW)
                    self.m.add(If(compare(">", need, ZERO), (Fail(too_few),)))

    def _at_most(self, lay: PlaceLayout, at: Num, number: Num) -> Num:
        """Return how many of `number` pieces are on a stack."""
        return extreme("min", self.m.named(Load(at, 0, lay.width - 1)), number)

    def _need(self, number: Num, span: Span) -> Var:
        """Return a local that counts down what is still to move; a negative number is a fault."""
        number = self.m.named(number)
        if number.lo < 0:
            fault = self.m.fault(
                "expected 0 or more pieces to move, found {}", span, FaultCode.NEGATIVE, has_value=True
            )
            self.m.branch(compare("<", number, ZERO), (Fail(fault, value=number),))
        need = self.m.var(0, max(0, number.hi))
        self.m.add(Set(need, known(number, 0, need.hi)))
        return need

    def _all_of(self, step: MoveStep, lay: PlaceLayout, each: Each, targets: list[Target], env: Env) -> None:
        kinds = step.amount.kinds
        values = lay.place.kinds if kinds is None else self.x.static(kinds, env)
        if isinstance(values, int):
            values = (values,)
        if values is not None:
            wanted = tuple(k for k in dict.fromkeys(values) if k in lay.place.kinds)
            each(lambda at: self._all(lay, at, wanted, targets, step.span))
            return
        assert kinds is not None
        if isinstance(kinds.type, ListOf):
            some = self.m.named_list(self.x.listed(kinds, env))
            if self.x.repeats(kinds, env):
                some = self.x.once(some)
            each(lambda at: self._all_listed(lay, at, some, targets, step.span))
            return
        kind = self.m.named(self.x.number(kinds, env))
        each(lambda at: self._all_one(lay, at, kind, targets, step.span))

    def _all(self, lay: PlaceLayout, at: Num, kinds: tuple[int, ...], targets: list[Target], span: Span) -> None:
        whole = set(kinds) >= set(lay.place.kinds)
        if lay.place.shape == "cell":
            self._out_of_cell(lay, at, lambda k: ONE if whole else self.x.among(k, kinds), targets, span)
        elif lay.place.shape == "stack" and whole:
            self._pop(lay, at, self.m.named(Load(at, 0, lay.width - 1)), targets, span)
        elif lay.place.shape == "stack":
            self._pick_out(lay, at, lambda k: self.x.among(k, kinds), targets, span)
        else:
            for kind in kinds:
                self._empty_slot(lay, at, const(kind), const(lay.slots[kind]), targets, span)

    def _all_one(self, lay: PlaceLayout, at: Num, kind: Num, targets: list[Target], span: Span) -> None:
        if lay.place.shape == "cell":
            self._out_of_cell(lay, at, lambda k: compare("==", k, kind), targets, span)
        elif lay.place.shape == "stack":
            self._pick_out(lay, at, lambda k: compare("==", k, kind), targets, span)
        else:
            slot, there = self.x.slot_of(lay, kind)
            if there != ZERO:
                with self.m.apart() as body:
                    self._empty_slot(lay, at, self._kind_of(lay, kind), slot, targets, span)
                self.m.branch(there, tuple(body))

    def _all_listed(self, lay: PlaceLayout, at: Num, kinds: List, targets: list[Target], span: Span) -> None:
        if lay.place.shape == "cell":
            self._out_of_cell(lay, at, lambda k: InList(k, kinds), targets, span)
        elif lay.place.shape == "stack":
            self._pick_out(lay, at, lambda k: InList(k, kinds), targets, span)
        else:
            kind = self.m.var(kinds.lo, kinds.hi)
            with self.m.apart() as body:
                self._all_one(lay, at, kind, targets, span)
            self.m.add(ForList((kind,), kinds, tuple(body)))

    def _kind_of(self, lay: PlaceLayout, kind: Num) -> Num:
        """Return the kind, which a test has shown to be one that can lie here."""
        lo, hi = min(lay.place.kinds), max(lay.place.kinds)
        return kind if kind.lo >= lo and kind.hi <= hi else Known(kind, max(lo, kind.lo), min(hi, kind.hi), NARROWED)

    def _empty_slot(self, lay: PlaceLayout, at: Num, kind: Num, slot: Num, targets: list[Target], span: Span) -> None:
        here = add(at, slot)
        n = self.m.var(0, self.m.layout.pieces)
        self.m.add(Set(n, Load(here, 0, self.m.layout.pieces)))
        with self.m.apart() as body:
            self._leaves(at)
            self.m.add(Store(here, ZERO))
            self._total(lay, at, n)
            self.put(targets, kind, n, span)
        self.m.branch(compare(">", n, ZERO), tuple(body))

    def _total(self, lay: PlaceLayout, at: Num, less: Num) -> None:
        if lay.total is not None:
            total = add(at, const(lay.total))
            self.m.add(Store(total, subtract(Load(total, 0, self.m.layout.pieces), less)))

    def _some(self, lay: PlaceLayout, at: Num, kind: Num, need: Var, targets: list[Target], span: Span) -> None:
        """Move up to `need` pieces of one kind; `need` is lowered by what was moved."""
        if kind.hi < min(lay.place.kinds) or kind.lo > max(lay.place.kinds):
            return  # such a piece never lies here: it is known to be none
        one = self.m.var(0, 1)
        taken = (Set(one, ONE), self._less(need, ONE))
        match lay.place.shape:
            case "cell":
                with self.m.apart() as body:
                    self._leaves(at)
                    self.m.body += [Store(at, const(NONE)), *taken]
                    self.put(targets, self._kind_of(lay, kind), one, span)
                there = self.x.count_at(lay, at, kind)
                self.m.branch(both(compare(">", need, ZERO), there), tuple(body))
            case "stack":
                height = Load(at, 0, lay.width - 1)
                top = add(at, height)
                same = compare("==", Load(top, 0, max(lay.place.kinds)), kind)
                more = both(compare(">", need, ZERO), compare(">", height, ZERO), same)
                with self._off_stack(lay, at, targets, span) as put:
                    with self.m.apart() as body:
                        self.m.body += [Store(top, ZERO), Store(at, subtract(height, ONE))]
                        self.m.add(self._less(need, ONE))
                        put(self._kind_of(lay, kind))
                    self.m.add(While(more, tuple(body)))
            case _:
                slot, there = self.x.slot_of(lay, kind)
                if there == ZERO:
                    return
                n = self.m.var(0, self.m.layout.pieces)
                with self.m.apart() as body:
                    here = add(at, slot)
                    self.m.add(Set(n, extreme("min", Load(here, 0, self.m.layout.pieces), need)))
                    with self.m.apart() as moving:
                        self._leaves(at)
                        self.m.add(Store(here, subtract(Load(here, 0, self.m.layout.pieces), n)))
                        self._total(lay, at, n)
                        self.m.add(self._less(need, n))
                        self.put(targets, self._kind_of(lay, kind), n, span)
                    self.m.branch(compare(">", n, ZERO), tuple(moving))
                self.m.branch(there, tuple(body))

    @contextmanager
    def _off_stack(
        self, lay: PlaceLayout, at: Num, targets: list[Target], span: Span
    ) -> Iterator[Callable[[Num], None]]:
        """Return what puts a piece that was taken off a stack where it goes.

        Where that may be the same stack, all are taken off before the first is put.
        """
        one = self.m.var(0, 1)

        def put(kind: Num) -> None:
            self._leaves(at)
            self.m.add(Set(one, ONE))
            self.put(targets, kind, one, span)

        if all(target.lay is not lay for target in targets):
            yield put
            return
        lo, hi = min(lay.place.kinds), max(lay.place.kinds)
        taken = self.m.empty_list(self.m.list_var(lo, hi, lay.width - 1))
        yield lambda kind: self.m.add(Push(taken, (kind,)))
        kind = self.m.var(lo, hi)
        with self.m.apart() as body:
            put(kind)
        self.m.add(ForList((kind,), taken, tuple(body)))

    def _less(self, number: Var, by: Num) -> Set:
        """Subtract a number from what is left to move, which is at least as large."""
        return Set(number, always(subtract(number, by), 0, number.hi))

    def _some_at(self, lay: PlaceLayout, kind: Num, need: Var, targets: list[Target], span: Span, at: Num) -> None:
        self._some(lay, at, kind, need, targets, span)

    def _chosen(self, step: MoveStep, lay: PlaceLayout, each: Each, targets: list[Target], env: Env) -> None:
        """Move pieces chosen together."""
        number = step.amount.number
        assert number is not None and isinstance(number.type, Several)
        chosen = self.m.named_list(self.x.listed(number, env))
        too_few = self.m.fault("too few pieces to move", step.span, FaultCode.TOO_FEW)
        for i, kind in enumerate(number.type.kinds):
            need = self.m.var(0, self.m.layout.pieces)
            self.m.add(Set(need, Item(chosen, const(i), 0, self.m.layout.pieces)))
            with self.m.apart() as body:
                wanted = const(kind)
                each(partial(self._some_at, lay, wanted, need, targets, step.span))
                self.m.add(If(compare(">", need, ZERO), (Fail(too_few),)))
            self.m.branch(compare(">", need, ZERO), tuple(body))

    def _out_of_cell(
        self, lay: PlaceLayout, at: Num, test: Callable[[Num], Num], targets: list[Target], span: Span
    ) -> None:
        codes = (*lay.place.kinds, NONE)
        kind = self.m.var(min(codes), max(codes))
        self.m.add(Set(kind, Load(at, min(codes), max(codes))))
        with self.m.apart() as inner:
            one = self.m.var(0, 1)
            with self.m.apart() as body:
                self._leaves(at)
                self.m.body += [Store(at, const(NONE)), Set(one, ONE)]
                self.put(targets, self._kind_of(lay, kind), one, span)
            self.m.branch(test(self._kind_of(lay, kind)), tuple(body))
        self.m.branch(compare("!=", kind, const(NONE)), tuple(inner))

    def _pop(self, lay: PlaceLayout, at: Num, times: Num, targets: list[Target], span: Span) -> None:
        """Take a number of pieces off the top of a stack, one by one; the stack has that many."""
        height = self.m.named(Load(at, 0, lay.width - 1))
        i = self.m.var(1, lay.width - 1)
        kind = self.m.var(min(lay.place.kinds), max(lay.place.kinds))
        with self._off_stack(lay, at, targets, span) as put:
            with self.m.apart() as body:
                self.m.add(Set(kind, self._piece(lay, add(at, i))))
                self.m.body += [Store(add(at, i), ZERO), Store(at, add(i, const(-1)))]
                put(kind)
            stop = self.m.named(always(subtract(height, times), 0, height.hi))
            self.m.add(ForRange(i, height, stop, tuple(body), -1))

    def _piece(self, lay: PlaceLayout, at: Num) -> Num:
        """Return the piece at an address inside a stack."""
        lo, hi = min(lay.place.kinds), max(lay.place.kinds)
        return always(Load(at, min(0, lo), hi), lo, hi, NARROWED)

    def _pick_out(
        self, lay: PlaceLayout, at: Num, test: Callable[[Num], Num], targets: list[Target], span: Span
    ) -> None:
        """Take certain kinds from anywhere in a stack, from the top down; the rest keeps its order."""
        height = Load(at, 0, lay.width - 1)
        i = self.m.var(1, lay.width - 1)
        kind = self.m.var(min(lay.place.kinds), max(lay.place.kinds))
        with self._off_stack(lay, at, targets, span) as put:
            with self.m.apart() as body:
                self.m.add(Set(kind, self._piece(lay, add(at, i))))
                with self.m.apart() as taking:
                    self.m.body += [
                        Shift(add(add(at, i), ONE), add(at, height), -1),
                        Store(add(at, height), ZERO),
                        Store(at, subtract(height, ONE)),
                    ]
                    put(kind)
                self.m.branch(test(kind), tuple(taking))
            start = self.m.named(height)
            self.m.add(ForRange(i, start, ZERO, tuple(body), -1))

    def take_one(self, lay: PlaceLayout, at: Num, kind: Num, targets: list[Target], span: Span) -> None:
        """Take one piece of a kind that lies on a pile."""
        slot = self.x.mapped(kind, lay.slots, -1)
        here = add(at, always(slot, 0, len(lay.slots) - 1))
        one = self.m.var(0, 1)
        self._leaves(at)
        self.m.add(Store(here, subtract(Load(here, 0, self.m.layout.pieces), ONE)))
        self._total(lay, at, ONE)
        self.m.add(Set(one, ONE))
        self.put(targets, self._kind_of(lay, kind), one, span)

    # into places -----------------------------------------------------------------------------------------

    def targets(self, goals: tuple[Goal, ...], env: Env) -> list[Target]:
        """Return where pieces go, settled before anything moves."""
        out = []
        for goal in goals:
            lay = self.x.family(goal.place.type)
            if isinstance(goal.place.type, PlaceOf):
                at = self.m.named(self.x.number(goal.place, env))
                out.append(Target(lay, at, True, goal.under))
            else:
                places = self.m.named_list(self._places(goal.place, env))
                out.append(Target(lay, places, False, goal.under))
        return out

    def _places(self, e: Expr, env: Env) -> List:
        return self.x.listed(e, env)

    def put(self, targets: list[Target], kind: Num, n: Var, span: Span) -> None:
        """Put n pieces of a kind on the first targets that take them; a fault if some are left."""
        if not targets:
            what = self.m.model.value_name(kind.value) if isinstance(kind, Const) else "a piece"
            fault = self.m.fault(f"no room for {what}: every place it could go to is full", span, FaultCode.NO_ROOM)
            self.m.add(If(compare(">", n, ZERO), (Fail(fault),)))
            return
        target, rest = targets[0], targets[1:]
        if target.lay.place.shape == "pile" and self.x.slot_of(target.lay, kind)[1] == ZERO:
            self.put(rest, kind, n, span)
            return
        if target.single:
            if self._put_on(target, target.place, kind, n):  # type: ignore[arg-type]
                return
        else:
            at = self.m.var(target.place.lo, target.place.hi)
            with self.m.apart() as body:
                self.m.add(If(compare("==", n, ZERO), (Break(),)))
                self._put_on(target, at, kind, n)
            self.m.add(ForList((at,), target.place, tuple(body)))  # type: ignore[arg-type]
        if rest:
            with self.m.apart() as body:
                self.put(rest, kind, n, span)
            self.m.branch(compare(">", n, ZERO), tuple(body))
        else:
            self.put([], kind, n, span)

    def _put_on(self, target: Target, at: Num, kind: Num, n: Var) -> bool:
        """Put what fits of n on one place; true if everything surely fits."""
        lay = target.lay
        somewhere = compare("!=", at, const(self.m.layout.nowhere_of(lay.place.name)))
        if lay.place.shape != "pile":
            somewhere = both(somewhere, self.x.among(kind, lay.place.kinds))
        match lay.place.shape:
            case "cell":
                codes = (*lay.place.kinds, NONE)
                free = compare("==", Load(at, min(codes), max(codes)), const(NONE))
                with self.m.apart() as body:
                    self._arrives(at, kind, ONE)
                    self.m.body += [Store(at, kind), self._less(n, ONE)]
                self.m.branch(both(free, somewhere), tuple(body))
                return False
            case "stack":
                height = Load(at, 0, lay.width - 1)
                with self.m.apart() as body:
                    self._arrives(at, kind, ONE)
                    if target.under:
                        self.m.add(Shift(add(at, ONE), add(at, height), 1))
                        self.m.body += [Store(add(at, ONE), kind), Store(at, add(height, ONE))]
                    else:
                        self.m.body += [Store(at, add(height, ONE)), Store(add(at, height), kind)]
                    self.m.add(self._less(n, ONE))
                fits = compare("<", height, self.x.room(lay, at))
                loop = While(both(compare(">", n, ZERO), fits), tuple(body))
                self.m.branch(somewhere, (loop,))
                return False
        slot, there = self.x.slot_of(lay, kind)
        here = add(at, slot)
        most = self.m.layout.pieces
        if lay.total is None:
            with self.m.apart() as body:
                self._arrives(at, kind, n)
                self.m.add(Store(here, add(Load(here, 0, most), n)))
            test = both(there, somewhere)
            if test == ONE:
                self.m.body += body
                return True
            self.m.branch(test, (*body, Set(n, ZERO)))
            return False
        total = add(at, const(lay.total))
        fits_now = self.m.var(0, most)
        with self.m.apart() as body:
            self.m.add(Set(fits_now, extreme("min", self.m.named(self.x.free_at(lay, at)), n)))
            with self.m.apart() as moving:
                self._arrives(at, kind, fits_now)
                self.m.body += [
                    Store(here, add(Load(here, 0, most), fits_now)),
                    Store(total, add(Load(total, 0, most), fits_now)),
                    self._less(n, fits_now),
                ]
            self.m.branch(compare(">", fits_now, ZERO), tuple(moving))
        self.m.branch(there, tuple(body))
        return False

    # telling ---------------------------------------------------------------------------------------------

    def _leaves(self, at: Num) -> None:
        """Note where the pieces come from that are put somewhere next."""
        self._source = at

    def _arrives(self, at: Num, kind: Num, many: Num) -> None:
        if self.tracing:
            self.m.add(Moved(self._source, at, kind, many))
