"""Steps → code. What runs to its end in one go becomes plain Python; what waits for a decision becomes blocks.

A block is a function that runs on to the next decision or to another block, and returns the number of that block.
Steps cannot call themselves, so each procedure and move has one frame, at a fixed place of the vector: its
parameters, its local names, the positions of its loops and the block to return to. No Python frame is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter.fault import ENDLESS, TOO_MUCH
from interpreter.generate.expressions import Expressions
from interpreter.generate.straight import Straight
from interpreter.generate.terms import Bound, Env, known
from interpreter.generate.transfers import spot
from interpreter.layout import BLOCK, Kept, runs_of
from interpreter.run.runtime import DRAW, ROLL
from rulespec.checks.work import MOST_MOVES
from rulespec.diagnostics.diagnostic import Span
from rulespec.expr.types import ListOf, PlaceOf, Several, Type, Values, of_codes
from rulespec.model.model import (
    AskStep,
    DoStep,
    DrawStep,
    ForStep,
    IfStep,
    LetStep,
    Move,
    Procedure,
    RollStep,
    Step,
    WhileStep,
)

WAIT = -1  # returned by a block that waits for a decision
END = 0  # the block that ends the run


@dataclass(slots=True)
class Frame:
    """The slots of one procedure or move whose steps wait for decisions."""

    entry: int
    back: int  # slot: the block to return to
    leave: int  # block: clears the frame and returns
    parameters: dict[str, Bound]
    slots: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Decision:
    """What a waiting block waits for."""

    kind: str  # ask, draw, roll
    span: Span
    moves: tuple[str, ...] = ()
    domain: tuple[int, ...] = ()


class Flow(Straight):
    def __init__(self, expressions: Expressions, limit: int) -> None:
        super().__init__(expressions)
        self.limit = limit  # of decisions
        self.decisions: dict[int, Decision] = {}
        self.move_numbers = {name: i for i, name in enumerate(self.model.moves)}
        self.legal_moves: set[str] = set()  # the moves that some ask names
        self._frames: dict[tuple[str, str], Frame] = {}
        self._bodies: list[tuple[Procedure | Move, Frame]] = []
        self._work: list[tuple[int, tuple[Step, ...], Env, int, Frame]] = []
        self._next_block = END + 1

    def endless(self, span: Span) -> str:
        """The fault of a game that comes to one decision too many here."""
        return self.fault(f"the game did not end within {self.limit} decisions", span, kind=ENDLESS)

    # blocks ---------------------------------------------------------------------------------------------

    def new_block(self, what: str) -> int:
        number = self._next_block
        self._next_block += 1
        self.x.constants.key.functions[f"b{number}"] = what
        return number

    def frame(self, section: str, name: str) -> Frame:
        """The frame of a procedure or move that waits; its body is written later."""
        key = (section, name)
        if key not in self._frames:
            entry, leave = self.new_block(f"{name}: begin"), self.new_block(f"{name}: return")
            frame = Frame(entry, self.layout.slot(f"{name}: return to"), leave, {})
            frame.slots.append(frame.back)
            for parameter, t in self.parameters(section, name):
                frame.parameters[parameter] = self._local(frame, f"{name}.{parameter}", t, (name, parameter))
            self._frames[key] = frame
            body = self.model.procedures[name] if section == "steps" else self.model.moves[name]
            self._bodies.append((body, frame))
        return self._frames[key]

    def _local(self, frame: Frame, what: str, t: Type, kept: Kept | None = None) -> Bound:
        """Slots for a local name: one, one a kind for pieces chosen together, or a length and the items of a list."""
        if kept is not None:
            self.layout.kept.setdefault(kept, self.layout.size)
        if isinstance(t, Several):
            slots = [self.layout.slot(what) for _ in t.kinds]
            frame.slots += slots
            return Bound(t, f"S[{slots[0]}:{slots[-1] + 1}]")
        if isinstance(t, ListOf):
            length = self.layout.slot(what)
            slots = [length, *(self.layout.slot(what) for _ in range(t.largest))]
            frame.slots += slots
            return Bound(t, f"S[{length + 1}:{length + 1} + S[{length}]]")
        slot = self.layout.slot(what)
        frame.slots.append(slot)
        return Bound(t, f"S[{slot}]")

    def store(self, b: Bound, text: str) -> str:
        """The statement that gives a local of a frame its value."""
        if isinstance(b.type, ListOf):
            length = int(b.text.split("S[")[2].rstrip("]"))
            return f"store_list(S, {length}, {text})"
        return f"{b.text} = {text}"

    def write(self) -> None:
        """Writes the bodies of all frames, those they call included, then the blocks that leave them."""
        while self._bodies:
            body, frame = self._bodies.pop(0)
            steps = body.body if isinstance(body, Procedure) else body.does
            self._work.append((frame.entry, steps, frame.parameters, frame.leave, frame))
            while self._work:
                self._write_block(*self._work.pop(0))
            w = self.x.writer
            with w.function(f"def b{frame.leave}(S, X):"):
                w.line(f"back = S[{frame.back}]")
                for low, high in runs_of(frame.slots):
                    w.line(f"S[{low}:{high}] = [0] * {high - low}" if high - low > 1 else f"S[{low}] = 0")
                w.line("return back")

    def _write_block(self, number: int, steps: tuple[Step, ...], env: Env, then: int, frame: Frame) -> None:
        w = self.x.writer
        with w.function(f"def b{number}(S, X):"):
            for i, step in enumerate(steps):
                if self.waits(step):
                    rest = steps[i + 1 :]
                    after = then
                    if rest:
                        after = self.new_block(f"after line {step.span.line}")
                    env = self._waiting(step, env, after, frame)
                    if rest:
                        self._work.append((after, rest, env, then, frame))
                    return
                if isinstance(step, LetStep):
                    b = self._local(frame, step.name, self.x.type_of(step.value, env), ("", step.name))
                    w.line(self.store(b, self.x.number(step.value, env)))
                    env = {**env, step.name: b}
                    w.forget()
                else:
                    self.straight((step,), env)
            w.line(f"return {then}")

    def _waiting(self, step: Step, env: Env, after: int, frame: Frame) -> Env:
        """Writes the end of a block: a step that waits. Gives the env for what follows."""
        w = self.x.writer
        match step:
            case IfStep():
                then_block = self._later(step.then, env, after, frame, f"then, line {step.span.line}")
                else_block = self._later(step.other, env, after, frame, f"else, line {step.span.line}")
                w.line(f"return {then_block} if {self.x.value(step.test, env)} else {else_block}")
            case WhileStep():
                w.line(f"return {self._while(step, env, after, frame)}")
            case ForStep():
                self._for(step, env, after, frame)
            case DoStep():
                self._do(step, env, after)
            case AskStep():
                w.line(f"return {self._ask(step, env, after, frame)}")
            case DrawStep():
                self._draw(step, env, after, frame)
            case RollStep():
                return self._roll(step, env, after, frame)
            case _:
                raise AssertionError(step)
        return env

    def _later(self, steps: tuple[Step, ...], env: Env, then: int, frame: Frame, what: str) -> int:
        if not steps:
            return then
        number = self.new_block(what)
        self._work.append((number, steps, env, then, frame))
        return number

    def _function(self, head: str, write: Callable[[], None]) -> None:
        """Writes another function while a block is open."""
        with self.x.aside(), self.x.writer.function(head):
            write()

    def _while(self, step: WhileStep, env: Env, after: int, frame: Frame) -> int:
        head = self.new_block(f"while, line {step.span.line}")
        body = self._later(step.body, env, head, frame, f"body of while, line {step.span.line}")

        def write() -> None:
            w = self.x.writer
            w.line(f"if not {self.x.value(step.test, env)}: return {after}")
            self.count_pass(step)
            w.line(f"return {body}")

        self._function(f"def b{head}(S, X):", write)
        return head

    def _for(self, step: ForStep, env: Env, after: int, frame: Frame) -> None:
        """`for each` with a body that waits: the list (if it can change) and the position lie in the frame."""
        w = self.x.writer
        domain = self.x.domain(step.domain, env)
        item = self._local(frame, step.name, domain.type, ("", step.name))
        position = self._local(frame, f"position of {step.name}", Values(0, 0))
        head = self.new_block(f"for each {step.name}, line {step.span.line}")
        fixed = domain.values is not None and domain.keep is None
        if fixed:
            items, size = self.x.constants.name("all", domain.values), str(len(domain.values or ()))
        else:
            largest = len(domain.values) if domain.values is not None else step.domain.type.largest  # type: ignore[union-attr]
            kept = self._local(frame, f"items of {step.name}", ListOf(domain.type, largest))
            text = domain.text
            if domain.keep is not None:
                text = f"[k for k in {domain.text} if {domain.keep(Bound(domain.type, 'k'))}]"
            w.line(self.store(kept, text))
            start = int(kept.text.split("S[")[2].rstrip("]"))
            items, size = "", f"S[{start}]"
        w.line(f"{position.text} = 0")
        w.line(f"return {head}")
        inner = {**env, step.name: item}
        body = self._later(step.body, inner, head, frame, f"body of for each {step.name}, line {step.span.line}")

        def write() -> None:
            w = self.x.writer
            with w.block(f"while {position.text} < {size}:"):
                read = f"{items}[{position.text}]" if fixed else f"S[{start + 1} + {position.text}]"
                w.line(f"{item.text} = {read}")
                w.line(f"{position.text} += 1")
                self.count_pass(step)
                if step.where is not None:
                    w.line(f"if {self.x.value(step.where, inner)}: return {body}")
                else:
                    w.line(f"return {body}")
            w.line(f"{item.text} = {position.text} = 0")
            if not fixed:
                w.line(f"S[{start}:{start + 1} + {size}] = [0] * (1 + {size})")
            w.line(f"return {after}")

        self._function(f"def b{head}(S, X):", write)

    def _do(self, step: DoStep, env: Env, after: int) -> None:
        frame = self.frame("steps", step.name)
        parameters = self.model.procedures[step.name].parameters
        args = [self.given(step.name, p, a, env, step.span) for p, a in zip(parameters, step.args, strict=True)]
        self.enter(frame, args, list(frame.parameters.values()), after)

    def enter(self, frame: Frame, values: list[str], bounds: list[Bound], after: int) -> None:
        """Fills a frame and goes to its first block."""
        w = self.x.writer
        w.line(f"S[{frame.back}] = {after}")
        for b, value in zip(bounds, values, strict=True):
            w.line(self.store(b, value))
        w.line(f"return {frame.entry}")

    # decisions ------------------------------------------------------------------------------------------

    def _ask(self, step: AskStep, env: Env, after: int, frame: Frame) -> int:
        """The block of an ask, the function that lists its moves, and the one that plays a chosen move."""
        number = self.new_block(f"ask, line {step.span.line}")
        self.decisions[number] = Decision("ask", step.span, tuple(name for name, _ in step.moves))
        self.legal_moves |= {name for name, _ in step.moves}
        otherwise = (
            None
            if step.otherwise is None
            else self._later(step.otherwise, env, after, frame, f"otherwise, line {step.span.line}")
        )
        self._write_ask(number, step, env, after, otherwise)
        return number

    def _write_ask(self, number: int, step: AskStep, env: Env, after: int, otherwise: int | None) -> None:
        def listing() -> None:
            w = self.x.writer
            w.line(f"me = {self.player(step.player, env, step.span)}")
            w.bind("me")
            w.line("out = []")
            for name, args in step.moves:
                parameters = self.model.moves[name].given
                texts = [self.given(name, p, a, env, step.span) for p, a in zip(parameters, args, strict=True)]
                given = "".join(f", {text}" for text in texts)
                w.line(f"legal_{self.move_numbers[name]}(S, out, me{given})")
            w.line("return me, out")

        def giving() -> None:
            for name, args in step.moves:
                values = "".join(f"{self.x.number(a, env)}, " for a in args)
                self.x.writer.line(f"if move == {self.move_numbers[name]}: return ({values})")

        def playing() -> None:
            w = self.x.writer
            w.line(f"me = {self.x.value(step.player, env)}")
            w.bind("me")
            for name, args in step.moves:
                with w.block(f"if move == {self.move_numbers[name]}:"):
                    self._play(name, [self.x.number(a, env) for a in args], after)

        def waiting() -> None:
            w = self.x.writer
            w.line(f"X.who, groups = ask{number}(S)")
            missing = (
                f"return {otherwise}"
                if otherwise is not None
                else self.fault("the player has no legal move here", step.span)
            )
            w.line(f"if not groups: {missing}")
            if self.work.asked(step) > MOST_MOVES:
                w.line(f"if many(groups) > {MOST_MOVES}: {self.too_many(step)}")
            if step.forced:
                with w.block("if len(groups) == 1 and len(groups[0][2]) == 1:"):
                    w.line("move, first, last = groups[0]")
                    w.line(f"return play{number}(S, X, move, first if last[0] is None else (*first, last[0]))")
            w.line(f"if X.more <= 0: {self.endless(step.span)}")
            w.line("X.groups = groups")
            w.line(f"S[{BLOCK}] = {number}")
            w.line(f"return {WAIT}")

        self._function(f"def ask{number}(S):", listing)
        self._function(f"def given{number}(S, move):", giving)
        self._function(f"def play{number}(S, X, move, args):", playing)
        self._function(f"def b{number}(S, X):", waiting)

    def too_many(self, step: AskStep) -> str:
        return self.fault(f"there are more than {MOST_MOVES:,} legal moves here", step.span, kind=TOO_MUCH)

    def _play(self, name: str, given: list[str], after: int) -> None:
        w = self.x.writer
        if not self.body_waits("moves", name):
            args = "".join(f", {a}" for a in given)
            w.line(f"{self.straight_name('moves', name)}(S, X, me{args}, *args)")
            w.line(f"return {after}")
            return
        frame = self.frame("moves", name)
        bounds = list(frame.parameters.values())
        chosen = [f"args[{i}]" for i in range(len(self.model.moves[name].choices))]
        self.enter(frame, ["me", *given, *chosen], bounds, after)

    def _draw(self, step: DrawStep, env: Env, after: int, frame: Frame) -> None:
        """`draw`: one decision of chance a piece. With a source of random numbers all are drawn in one go."""
        w = self.x.writer
        number = self.new_block(f"draw, line {step.span.line}")
        left = self._local(frame, "left to draw", Values(0, 0))
        assert step.amount.number is not None and isinstance(step.source.type, PlaceOf)
        lay = self.layout.places[step.source.type.family]
        w.line(f"{left.text} = {self.x.value(step.amount.number, env)}")
        self.transfers.refuse_negative(step.amount.number, left.text, "draw", step.span, env)
        w.line(f"return {number}")
        self.decisions[number] = Decision("draw", step.span, domain=lay.place.kinds)
        self._write_draw(number, step, env, after, left)

    def _write_draw(self, number: int, step: DrawStep, env: Env, after: int, left: Bound) -> None:
        lay = self.layout.places[step.source.type.family]  # type: ignore[union-attr]
        kinds = self._drawn_kinds(step, env)
        too_few = "break" if step.amount.how == "up_to" else self.fault("too few pieces to draw", step.span)

        def waiting() -> None:
            w = self.x.writer
            with w.block(f"while {left.text} > 0:"):
                at = self.x.address(step.source, env)
                w.line(f"total = {self._total(at, kinds, lay, step, env)}")
                w.line(f"if not total: {too_few}")
                w.line(f"if X.more <= 0: {self.endless(step.span)}")
                with w.block("if X.random is None:"):
                    w.line(f"S[{BLOCK}] = {number}")
                    w.line(f"return {WAIT}")
                w.line("r = int(X.random() * total)")
                w.bind("k")
                self._pick_kind(at, kinds, lay, step, env)
                w.line(f"X.trail.append(({DRAW}, k))")
                w.line("X.more -= 1")
                w.line("X.idle = 0")
                self._one_drawn(step, env, at)
                w.line(f"{left.text} -= 1")
            w.line(f"{left.text} = 0")
            w.line(f"return {after}")

        def weights() -> None:
            w = self.x.writer
            at = self.x.address(step.source, env)
            parts = "".join(f"({k}, {self.x.count_at(lay, at, [known(k, of_codes((k,)))])}), " for k in lay.place.kinds)
            w.line(f"return [(k, n) for k, n in ({parts}) if n{self._drawable_test(step, kinds, env)}]")

        def playing() -> None:
            w = self.x.writer
            w.bind("k")
            self._one_drawn(step, env, self.x.address(step.source, env))
            w.line(f"{left.text} -= 1")
            w.line(f"return {number}")

        self._function(f"def b{number}(S, X):", waiting)
        self._function(f"def weights{number}(S):", weights)
        self._function(f"def play{number}(S, X, move, k):", playing)

    def _drawn_kinds(self, step: DrawStep, env: Env) -> tuple[int, ...] | None:
        """The kinds that can be drawn, if that is known now."""
        lay = self.layout.places[step.source.type.family]  # type: ignore[union-attr]
        if step.amount.kinds is None:
            return lay.place.kinds
        values = self.x.const(step.amount.kinds, env)
        if values is None:
            return None
        return tuple(v for v in (values if isinstance(values, tuple) else (values,)) if v in lay.slots)

    def _drawable_test(self, step: DrawStep, kinds: tuple[int, ...] | None, env: Env) -> str:
        if step.amount.kinds is None:
            return ""
        if kinds is not None:
            return f" and k in {kinds!r}"
        text = self.x.value(step.amount.kinds, env)
        return f" and k in {text}" if isinstance(step.amount.kinds.type, ListOf) else f" and k == {text}"

    def _total(self, at: tuple[str, int], kinds: tuple[int, ...] | None, lay, step: DrawStep, env: Env) -> str:  # type: ignore[no-untyped-def]
        if kinds is not None:
            whole = None if set(kinds) == set(lay.place.kinds) else [known(k, of_codes((k,))) for k in kinds]
            return self.x.count_at(lay, at, whole)
        w = self.x.writer
        text = self.x.value(step.amount.kinds, env)  # type: ignore[arg-type]
        w.line(f"from_ = {text}" if isinstance(step.amount.kinds.type, ListOf) else f"from_ = ({text},)")  # type: ignore[union-attr]
        w.bind("from_")
        return self.x.count_at(lay, at, [Bound(ListOf(of_codes(lay.place.kinds)), "from_")])

    def _pick_kind(self, at: tuple[str, int], kinds: tuple[int, ...] | None, lay, step: DrawStep, env: Env) -> None:  # type: ignore[no-untyped-def]
        """`k` becomes the kind of the r-th piece."""
        w = self.x.writer
        if kinds is not None and len(kinds) <= 8:
            for i, k in enumerate(kinds):
                count = spot(at, lay.slots[k])
                if i == len(kinds) - 1:
                    w.line(f"else: k = {k}" if i else f"k = {k}")
                elif i == 0:
                    w.line(f"if r < {count}: k = {k}")
                else:
                    w.line(f"elif (r := r - {spot(at, lay.slots[kinds[i - 1]])}) < {count}: k = {k}")
            return
        domain = self.x.constants.name("all", kinds) if kinds is not None else "from_"
        table = self.x.constants.name("slot", dict(sorted(lay.slots.items())))
        with w.block(f"for k in {domain}:"):
            w.line(f"r -= {spot(at, 0, f'{table}[k]')}")
            w.line("if r < 0: break")

    def _one_drawn(self, step: DrawStep, env: Env, at: tuple[str, int]) -> None:
        """Moves one piece of kind `k` from the source to its goal."""
        w = self.x.writer
        lay = self.layout.places[step.source.type.family]  # type: ignore[union-attr]
        kind = Bound(of_codes(lay.place.kinds), "k")
        goals = self.transfers.settle(step.goals, env)
        term, part, _ = self.x.kind_slot_of(lay, kind) or ("", 0, "")
        self.transfers.leaves(at)
        w.line(f"{spot(at, part, term)} -= 1")
        if lay.total is not None:
            w.line(f"{spot(at, lay.total)} -= 1")
        w.line("n = 1")
        w.bind("n")
        self.transfers.put(goals, kind, "n", step.span, env)
        w.forget()

    def _roll(self, step: RollStep, env: Env, after: int, frame: Frame) -> Env:
        """`roll`: one decision of chance, by weights."""
        w = self.x.writer
        number = self.new_block(f"roll, line {step.span.line}")
        domain = self.x.domain(step.domain, env)
        value = self._local(frame, step.name, domain.type)
        w.line(f"return {number}")
        self.decisions[number] = Decision("roll", step.span, domain=domain.values or ())
        self._write_roll(number, step, env, after, value)
        return {**env, step.name: value}

    def _write_roll(self, number: int, step: RollStep, env: Env, after: int, value: Bound) -> None:
        domain = self.x.domain(step.domain, env)
        inner = {**env, step.name: Bound(domain.type, "v")}

        def weights() -> None:
            w = self.x.writer
            w.line("out = []")
            with w.block(f"for v in {domain.text}:", "v"):
                if domain.keep is not None:
                    w.line(f"if not {domain.keep(Bound(domain.type, 'v'))}: continue")
                w.line(f"n = {self.x.value(step.weight, inner) if step.weight is not None else '1'}")
                w.line("if n > 0: out.append((v, n))")
            w.line("return out")

        def waiting() -> None:
            w = self.x.writer
            w.line(f"out = weights{number}(S)")
            w.line(f"if not out: {self.fault('nothing can be rolled here', step.span)}")
            w.line(f"if X.more <= 0: {self.endless(step.span)}")
            with w.block("if X.random is None:"):
                w.line(f"S[{BLOCK}] = {number}")
                w.line(f"return {WAIT}")
            w.line("r = int(X.random() * sum(n for _, n in out))")
            with w.block("for v, n in out:"):
                w.line("r -= n")
                w.line("if r < 0: break")
            w.line(f"X.trail.append(({ROLL}, v))")
            w.line("X.more -= 1")
            w.line("X.idle = 0")
            w.line(f"return play{number}(S, X, {ROLL}, v)")

        def playing() -> None:
            self.x.writer.line(f"{value.text} = v")
            self.x.writer.line(f"return {after}")

        self._function(f"def weights{number}(S):", weights)
        self._function(f"def b{number}(S, X):", waiting)
        self._function(f"def play{number}(S, X, move, v):", playing)
