"""Steps → statements and blocks. What runs to its end in one go becomes a procedure; what waits for a decision, blocks.

Steps cannot run themselves, so each procedure and move that waits has one frame, at a fixed place of the state: the
block to return to, its parameters, its local names, the positions of its loops. Nothing else is kept between decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from interpreter.compile.listing import Listing
from interpreter.compile.maker import Maker
from interpreter.compile.program import (
    NARROWED,
    ONE,
    ZERO,
    Ask,
    Block,
    Branch,
    Cell,
    Clear,
    Const,
    Decision,
    Do,
    Draw,
    End,
    Ending,
    EntryPoint,
    Fail,
    ForList,
    GoBack,
    Goto,
    If,
    InList,
    Item,
    Keep,
    List,
    ListConst,
    ListFrame,
    ListSlots,
    Load,
    MoveOption,
    NewList,
    Num,
    Push,
    Roll,
    Set,
    Slots,
    Statement,
    Store,
    Var,
    Wait,
    While,
    add,
    always,
    both,
    compare,
    const,
    known,
    multiply,
    negate,
    subtract,
)
from interpreter.compile.straight import StraightSteps
from interpreter.compile.values import Bound, Env, Expressions, settles
from interpreter.fault import FaultCode
from interpreter.layout import HeldAnswers, Kept, runs_of
from rulespec.checks.work import MOST_MOVES, Work
from rulespec.diagnostics.diagnostic import Span
from rulespec.syntax import (
    AgainStep,
    AskStep,
    DoStep,
    DrawStep,
    Expr,
    ForStep,
    Goal,
    IfStep,
    LetStep,
    ListOf,
    Local,
    MoveRule,
    PlaceOf,
    Procedure,
    RollStep,
    Several,
    Step,
    Type,
    Values,
    WhileStep,
    all_steps,
)

Asked = tuple[Num, list[tuple[Num | List, ...]]]  # a player, and what each move is given

END = 0  # the block that ends the game


@dataclass(slots=True)
class Frame:
    """The slots of one procedure or move whose steps wait for decisions."""

    entry: int
    leave: int  # the block that clears the frame and returns
    back: int  # the slot of the block to return to
    again: int | None = None  # of a move that may ask again: the slot of the block of the ask,
    leave_again: int = 0  # and the block that clears the frame and returns there
    env: dict[str, Bound] = field(default_factory=dict)
    parameters: list[Slots] = field(default_factory=list)
    slots: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class AskedPlayers:
    """The players of an ask of several, and how far a loop over them has come."""

    values: List
    size: Num  # how many they are
    player: Num  # the one whose turn it is
    item: int  # where that one is kept,
    position: int  # and its place among them, from 1
    fixed: tuple[int, ...] | None  # who they are, if that is known at load; else
    kept: Slots | None = None  # where they are kept

    @property
    def slots(self) -> tuple[int, ...]:
        kept = () if self.kept is None else range(self.kept.at, self.kept.at + self.kept.many)
        return (self.item, self.position, *kept)


@dataclass(slots=True)
class Settled:
    """The names that a step may use once it has waited, and where their values are kept."""

    env: dict[str, Bound]
    kept: list[Slots]


class Steps(StraightSteps):
    """Writes procedures, moves and the blocks of those that wait."""

    def __init__(self, maker: Maker, tracing: bool, watching: bool) -> None:
        super().__init__(Expressions(maker), Work(maker.model), tracing)
        self.listing = Listing(self.x, self.work, watching)
        self.blocks: list[Block | None] = [Block((), End())]
        self.decisions: dict[int, Decision] = {}
        self.entries: dict[str, EntryPoint] = {}
        self.begin = END  # the block that begins a game
        self.moves = list(range(len(self.model.moves)))
        self._numbers = {(name, 0): i for i, name in enumerate(self.model.moves)}  # by the mention in an ask
        self._frames: dict[tuple[str, str], Frame] = {}
        self._bodies: list[tuple[Procedure | MoveRule, Frame]] = []
        self._work: list[tuple[int, tuple[Step, ...], Env, int, Frame]] = []

    def write(self) -> None:
        """Write everything that the game can reach."""
        for name in self.model.procedures:
            if self._body_waits("steps", name):
                frame = self._frame("steps", name)
                self.entries[name] = EntryPoint(None, frame.entry, frame.back, tuple(frame.parameters))
            else:
                self.entries[name] = EntryPoint(self._straight_function("steps", name))
        while self._bodies:
            body, frame = self._bodies.pop(0)
            steps = body.body if isinstance(body, Procedure) else body.does
            self._work.append((frame.entry, steps, frame.env, frame.leave, frame))
            while self._work:
                self._write_block(*self._work.pop(0))
            self._finish(frame.leave, _clearing(frame, frame.back), GoBack(frame.back), body.span)
            if frame.again is not None:
                self._finish(frame.leave_again, _clearing(frame, frame.again), GoBack(frame.again), body.span)
        for name in ("play", "setup"):
            self.begin = self._beginning(name, self.begin)

    def _beginning(self, name: str, then: int) -> int:
        """Return the block that runs a procedure without parameters, then goes to another block."""
        if name not in self.entries:
            return then
        entry, span = self.entries[name], self.model.procedures[name].span
        number = self._new_block()
        if entry.function is not None:
            self._finish(number, [Do(entry.function, ())], Goto(then), span)
        else:
            self._finish(number, [Store(const(entry.back), const(then))], Goto(entry.block), span)
        return number

    # blocks ----------------------------------------------------------------------------------------------

    def _new_block(self) -> int:
        self.blocks.append(None)
        return len(self.blocks) - 1

    def _frame(self, section: str, name: str) -> Frame:
        """Return the frame of a procedure or move that waits; its body is written later."""
        key = (section, name)
        if key not in self._frames:
            frame = Frame(self._new_block(), self._new_block(), self.layout.slot(f"{name}: return to"))
            frame.slots.append(frame.back)
            if any(isinstance(step, AgainStep) for step in all_steps(self._steps_of(section, name))):
                frame.again, frame.leave_again = self.layout.slot(f"{name}: ask again"), self._new_block()
                frame.slots.append(frame.again)
            if section == "moves":
                self.layout.in_moves.append(frame.back)
            for parameter, t in self._parameters(section, name):
                slots, bound = self._kept(frame, f"{name}: {parameter}", t, (key, parameter))
                frame.env[parameter] = bound
                frame.parameters.append(slots)
            self._frames[key] = frame
            body = self.model.procedures[name] if section == "steps" else self.model.moves[name]
            self._bodies.append((body, frame))
        return self._frames[key]

    def _kept(self, frame: Frame, what: str, t: Type, name: Kept | None = None) -> tuple[Slots, Bound]:
        """Return slots of a frame for a local value, and what is read for it then; `name` is its name in the rules."""
        if name is not None:
            self.layout.kept.setdefault(name, self.layout.size)
        lo, hi = self.m.bounds(t)
        many = len(t.kinds) if isinstance(t, Several) else 1 + t.largest if isinstance(t, ListOf) else 1
        slots = [self.layout.slot(what) for _ in range(many)]
        frame.slots += slots
        at = slots[0] if slots else self.layout.nowhere
        if isinstance(t, Several):
            return Slots(at, many), Bound(t, ListSlots(at, lo, hi, many))
        if isinstance(t, ListOf):
            return Slots(at, many, True), Bound(t, ListFrame(at, lo, hi, many - 1))
        return Slots(at), Bound(t, always(Load(const(at), min(lo, 0), max(hi, 0)), lo, hi))

    def _keep(self, slots: Slots, value: Num | List) -> None:
        """Give a local of a frame its value."""
        if slots.framed or slots.many != 1 or hasattr(value, "longest"):
            self.m.add(Keep(slots.at, value, slots.framed))  # type: ignore[arg-type]
        else:
            self.m.add(Store(const(slots.at), value))

    def _finish(self, number: int, body: list[Statement], end: Ending, span: Span | None) -> None:
        self.blocks[number] = Block(tuple(body), end, span)

    def _write_block(self, number: int, steps: tuple[Step, ...], env: Env, then: int, frame: Frame) -> None:
        span = steps[0].span if steps else None
        end: Ending
        with self.m.apart() as body:
            for i, step in enumerate(steps):
                self._from(step)
                if self._is_waiting(step):
                    rest = steps[i + 1 :]
                    after = self._new_block() if rest else then
                    end, env = self._waiting(step, env, after, frame)
                    if rest:
                        self._work.append((after, rest, env, then, frame))
                    break
                if isinstance(step, LetStep):
                    slots, bound = self._kept(frame, step.name, step.value.type, (None, step.name))
                    self._keep(slots, self.x.argument(step.value, env))
                    env = {**env, step.name: bound}
                else:
                    self._straight_steps((step,), env)
            else:
                end = Goto(then)
        self._finish(number, body, end, span)

    def _later(self, steps: tuple[Step, ...], env: Env, then: int, frame: Frame) -> int:
        """Return the block of some steps, written later."""
        if not steps:
            return then
        number = self._new_block()
        self._work.append((number, steps, env, then, frame))
        return number

    def _waiting(self, step: Step, env: Env, after: int, frame: Frame) -> tuple[Ending, Env]:
        """Write the end of a block: a step that waits. Return the names for what follows."""
        match step:
            case IfStep():
                test = self.x.number(step.test, env)
                return Branch(
                    test, self._later(step.then, env, after, frame), self._later(step.other, env, after, frame)
                ), env
            case WhileStep():
                return Goto(self._while(step, env, after, frame)), env
            case ForStep():
                return Goto(self._for(step, env, after, frame)), env
            case DoStep():
                called = self._frame("steps", step.name)
                values = [b.value for b in self._given(step, env).values()]
                self.m.add(Store(const(called.back), const(after)))
                for slots, value in zip(called.parameters, values, strict=True):
                    self._keep(slots, value)
                return Goto(called.entry), env
            case AskStep() if step.several:
                return self._ask_several(step, env, after, frame), env
            case AskStep():
                otherwise = None if step.otherwise is None else self._later(step.otherwise, env, after, frame)
                return Goto(self._ask(step, partial(self._asked, step, env), otherwise, after)), env
            case AgainStep():
                return Goto(frame.leave_again), env
            case DrawStep():
                return Goto(self._draw(step, env, after, frame)), env
            case RollStep():
                return self._roll(step, env, after, frame)
            case _:
                raise AssertionError(step)

    def _while(self, step: WhileStep, env: Env, after: int, frame: Frame) -> int:
        head = self._new_block()
        inner = self._later(step.body, env, head, frame)
        with self.m.apart() as body:
            test = self.m.named(self.x.number(step.test, env))
            self.m.branch(test, (self._pass(step),))
        self._finish(head, body, Branch(test, inner, after), step.span)
        return head

    def _for(self, step: ForStep, env: Env, after: int, frame: Frame) -> int:
        """Write a `for each` whose body waits: the position, and the list where it can change, lie in the frame."""
        item_type = self._item_type(step.domain)
        fixed = self.x.static(step.domain, env)
        if fixed == ():
            return after
        most = len(fixed) if isinstance(fixed, tuple) else max(1, self._longest(step.domain))
        item_slots, item = self._kept(frame, step.name, item_type, (None, step.name))
        position_slots, _ = self._kept(frame, f"position of {step.name}", Values(0, most))
        size: Num
        if isinstance(fixed, tuple):
            values: List = self.m.list_of(fixed)
            size = const(len(fixed))
        else:
            kept_slots, kept = self._kept(frame, f"items of {step.name}", ListOf(item_type, self._longest(step.domain)))
            if isinstance(step.domain.type, ListOf):
                found = self.x.listed(step.domain, env)
            else:
                found = self.m.empty_list(self.m.list_var(*self.m.bounds(item_type), self._longest(step.domain)))
                self.x.each(step.domain, env, lambda k: self.m.add(Push(found, (k,))))
            if found.longest == 0:
                return after
            self._keep(kept_slots, found)
            values = kept.value  # type: ignore[assignment]
            size = Load(const(kept_slots.at), 0, kept_slots.many - 1)
        self._keep(position_slots, ZERO)
        head = self._new_block()
        inner = {**env, step.name: item}
        inside = self._later(step.body, inner, head, frame)
        self._write_for_head(head, step, inner, values, size, most, item_slots, position_slots, inside, after)
        return head

    def _write_for_head(
        self,
        head: int,
        step: ForStep,
        env: Env,
        values: List,
        size: Num,
        most: int,
        item: Slots,
        position: Slots,
        inside: int,
        after: int,
    ) -> None:
        at = Load(const(position.at), 0, most)
        found = self.m.var(0, 1)
        with self.m.apart() as body:
            self.m.add(Set(found, ZERO))
            with self.m.apart() as one:
                self.m.add(self._pass(step))
                index = self.m.named(always(at, 0, most - 1, NARROWED))  # by the test of the loop
                if isinstance(values, ListConst):
                    value: Num = Cell(values.table, index, values.lo, values.hi)
                else:
                    value = Item(values, index, values.lo, values.hi)
                self.m.add(Store(const(item.at), value))
                self.m.add(Store(const(position.at), add(at, ONE)))
                holds = ONE if step.where is None else self.x.number(step.where, env)
                self.m.branch(holds, (Set(found, ONE),))
            self.m.add(While(both(negate(found), compare("<", at, size)), tuple(one)))
            clearing: list[Statement] = [Store(const(item.at), ZERO), Store(const(position.at), ZERO)]
            if isinstance(values, ListFrame):
                clearing.append(Clear(values.at, 1 + values.longest))
            self.m.add(If(negate(found), tuple(clearing)))
        self._finish(head, body, Branch(found, inside, after), step.span)

    # decisions -------------------------------------------------------------------------------------------

    def _endless(self, step: Step) -> int:
        """Return the number of the fault of a game that reaches one decision too many here."""
        return self.m.fault("the game did not end within {} decisions", step.span, FaultCode.ENDLESS, has_value=True)

    def _asked(self, step: AskStep, env: Env) -> Asked:
        """Return the player whom an ask names, and what it gives to its moves."""
        player = self.x.player(step.player, env, step.span)
        return player, [self._given_to(name, args, env, step.span) for name, args in step.moves]

    def _given_to(self, name: str, args: tuple[Expr, ...], env: Env, span: Span) -> tuple[Num | List, ...]:
        """Return what an ask gives to one of its moves."""
        return tuple(b.value for b in self.x.given(self.model.moves[name].given, args, env, name, span).values())

    def _ask(
        self,
        step: AskStep,
        asked: Callable[[], Asked],
        otherwise: int | None,
        after: int,
        held: HeldAnswers | None = None,
    ) -> int:
        """Return the block that waits for the answer of one player; `held`: where it is kept instead of carried out."""
        number = self._new_block()
        with self.m.apart() as before:
            player, every = asked()
            options = [self._option(step, i, every, held) for i in range(len(step.moves))]
        no_move = self.m.fault("the player has no legal move here", step.span, FaultCode.NO_MOVE)
        drawing = None
        listed = self.work.asked(step) > MOST_MOVES or any(
            self.work.is_counted(self.model.moves[n]) for n, _ in step.moves
        )
        if len(step.moves) == 1 and not step.forced and not listed:
            drawing = self.listing.drawing(self.model.moves[step.moves[0][0]])
        too_many = None
        if self.work.asked(step) > MOST_MOVES:
            too_many = self.m.fault(
                f"there are more than {MOST_MOVES:,} legal moves here", step.span, FaultCode.MANY_MOVES
            )
        self.decisions[number] = Ask(
            step.span,
            tuple(before),
            player,
            tuple(options),
            step.forced,
            self.work.ask_cost(step),
            otherwise,
            no_move,
            self._endless(step),
            too_many,
            after,
            drawing,
        )
        self._finish(number, [], Wait(), step.span)
        return number

    def _option(
        self, step: AskStep, i: int, given: Sequence[tuple[Num | List, ...]], held: HeldAnswers | None
    ) -> MoveOption:
        """Return the move that an ask names at a place, with what it and those before it are given."""
        name = step.moves[i][0]
        earlier = [j for j in range(i) if step.moves[j][0] == name]
        number, move = self._number(name, len(earlier)), self.model.moves[name]
        legal = self.listing.function(move, number, len(earlier))
        but = tuple(value for j in earlier for value in given[j])
        if held is not None:
            return MoveOption(number, given[i], legal, self._keeping(move, i, held), but=but)
        if self._body_waits("moves", name):
            f = self._frame("moves", name)
            return MoveOption(number, given[i], legal, None, f.entry, f.back, f.again, tuple(f.parameters), but)
        return MoveOption(number, given[i], legal, self._straight_function("moves", name), but=but)

    def _number(self, name: str, mention: int) -> int:
        """Return the number of a move, or of a second mention of it."""
        if (name, mention) not in self._numbers:
            self._numbers[name, mention] = len(self.moves)
            self.moves.append(self._numbers[name, 0])
        return self._numbers[name, mention]

    # decisions of several players ------------------------------------------------------------------------

    def _ask_several(self, step: AskStep, env: Env, after: int, frame: Frame) -> Ending:
        """Write an ask of several players: one loop asks each and keeps the answers, a second one carries them out.

        INVARIANT: between the first answer and the last nothing changes but the slots of the answers, which no expression
        reads. So all of them decide in the same position, in whatever order they are asked.
        """
        asked = self._asked_players(step, env, frame)
        me = asked.player
        held = self._held_answers(step, asked, frame)
        begin, collect, carry = self._new_block(), self._new_block(), self._new_block()
        restart: Statement = Store(const(asked.position), ZERO)
        settled = Settled(dict(env), [])
        with self.m.apart() as body:
            moves = [(name, tuple(self._settle_now(a, settled, frame) for a in args)) for name, args in step.moves]
        self._finish(begin, [*body, restart], Goto(collect), step.span)

        def given(i: int) -> tuple[Num | List, ...]:
            return self._given_to(*moves[i], settled.env, step.span)

        collected = self._new_block()
        self._finish(collected, [restart], Goto(carry), step.span)
        otherwise = passed = None
        if step.otherwise is not None:
            otherwise, passed = self._later(step.otherwise, env, carry, frame), self._new_block()
            stuck = Store(self._answer(held, me), const(len(moves) + 1))
            self._finish(passed, [stuck], Goto(collect), step.span)
        every = range(len(moves))
        asking = self._ask(step, lambda: (me, [given(i) for i in every]), passed, collect, held)
        self.layout.held[asking] = held
        self._write_next(collect, step, asked, asking, collected, [])
        clearing = [Clear(low, high - low) for low, high in runs_of([*asked.slots, *held.slots])]
        clearing += [Clear(s.at, s.many) for s in settled.kept]
        ways = [self._carrying(step, i, given, me, held, carry) for i in every]
        first = self._way_of_answer(step, me, held, [*ways, *([] if otherwise is None else [otherwise])])
        self._write_next(carry, step, asked, first, after, clearing)
        if otherwise is None or isinstance(asked.size, Const):
            return Goto(begin)
        return Branch(compare(">", asked.size, ZERO), begin, otherwise)

    def _asked_players(self, step: AskStep, env: Env, frame: Frame) -> AskedPlayers:
        """Return the players of an ask, each once; they are kept if only play can tell who they are."""
        players = self.model.sets["player"]
        most = len(players.values)
        item, bound = self._kept(frame, "asked", players.type)
        me: Num = bound.value  # type: ignore[assignment]
        position, _ = self._kept(frame, "position of asked", Values(0, most))
        fixed = self.x.static(step.player, env)
        if isinstance(fixed, tuple) and fixed and set(fixed) <= set(players.values):
            order = tuple(dict.fromkeys(fixed))
            return AskedPlayers(self.m.list_of(order), const(len(order)), me, item.at, position.at, order)
        slots, _ = self._kept(frame, "items of asked", ListOf(players.type, most))
        found = self.m.empty_list(self.m.list_var(*self.m.bounds(players.type), most))

        def one(value: Num) -> None:
            who = self.x.one_of("player", value, "a player", step.span)
            self.m.branch(negate(InList(who, found)), (Push(found, (who,)),))

        self.x.each_of(self.m.named_list(self.x.listed(step.player, env)), one)
        self._keep(slots, found)
        values, size = ListFrame(slots.at, found.lo, found.hi, most), Load(const(slots.at), 0, most)
        return AskedPlayers(values, size, me, item.at, position.at, None, slots)

    def _held_answers(self, step: AskStep, asked: AskedPlayers, frame: Frame) -> HeldAnswers:
        """Return where the answers to an ask are kept, in new slots of a frame."""
        names = tuple(name for name, _ in step.moves)
        choices = tuple(
            tuple(len(c.type.kinds) if isinstance(c.type, Several) else None for c in self.model.moves[name].choices)
            for name in names
        )
        width = 1 + max(sum(1 if many is None else many for many in each) for each in choices)
        slots = [
            self.layout.slot(f"answer of player {p}") for p in self.model.sets["player"].values for _ in range(width)
        ]
        frame.slots += slots
        self.layout.in_moves += slots[::width]
        listed = 0 if asked.kept is None else asked.kept.at
        return HeldAnswers(
            asked.fixed, listed, asked.item, asked.position, slots[0], width, self.model.players, names, choices
        )

    def _answer(self, held: HeldAnswers, player: Num, part: int = 0) -> Num:
        """Return the address of an answer, or of a part of it."""
        return add(multiply(subtract(player, ONE), const(held.width)), const(held.base + part))

    def _keeping(self, move: MoveRule, i: int, held: HeldAnswers) -> int:
        """Return the procedure that keeps an answer."""
        number = self.m.reserve()
        parameters = [self.m.parameter(t) for _, t in self._parameters("moves", move.name)]
        me, chosen = parameters[0], parameters[1 + len(move.given) :]
        assert isinstance(me, Var)
        values: list[Num] = [const(i + 1)]
        for value, many in zip(chosen, held.choices[i], strict=True):
            if isinstance(value, Var):
                values.append(value)
            else:
                values += [Item(value, const(k), value.lo, value.hi) for k in range(many or 0)]
        body: list[Statement] = [Store(self._answer(held, me, part), value) for part, value in enumerate(values)]
        self.m.define(number, "hold", tuple(parameters), body, "nothing", move.span)
        return number

    def _carrying(
        self,
        step: AskStep,
        i: int,
        given: Callable[[int], tuple[Num | List, ...]],
        me: Num,
        held: HeldAnswers,
        after: int,
    ) -> int:
        """Return the block that carries out an answer that is kept."""
        number, name = self._new_block(), step.moves[i][0]
        end: Ending = Goto(after)
        with self.m.apart() as body:
            who = self.m.named(me)
            args = (who, *given(i), *self._held_choices(self.model.moves[name], who, held))
            self.m.add(Store(self._answer(held, who), ZERO))
            if self._body_waits("moves", name):
                called = self._frame("moves", name)
                self.m.add(Store(const(called.back), const(after)))
                for slots, value in zip(called.parameters, args, strict=True):
                    self._keep(slots, value)
                end = Goto(called.entry)
            else:
                self.m.add(Do(self._straight_function("moves", name), args))
        self._finish(number, body, end, step.span)
        return number

    def _held_choices(self, move: MoveRule, player: Num, held: HeldAnswers) -> list[Num | List]:
        """Return what was chosen in an answer that is kept."""
        found: list[Num | List] = []
        part = 1
        for choice in move.choices:
            lo, hi = self.m.bounds(choice.type)
            many = len(choice.type.kinds) if isinstance(choice.type, Several) else 1
            parts = [
                self.m.named(always(Load(self._answer(held, player, part + k), min(lo, 0), max(hi, 0)), lo, hi))
                for k in range(many)
            ]
            part += many
            if isinstance(choice.type, Several):
                together = self.m.empty_list(self.m.list_var(lo, hi, many))
                for value in parts:
                    self.m.add(Push(together, (value,)))
                found.append(together)
            else:
                found += parts
        return found

    def _way_of_answer(self, step: AskStep, me: Num, held: HeldAnswers, ways: list[int]) -> int:
        """Return the block that goes to the one of an answer, by its number."""
        first = ways[-1]
        for i in reversed(range(len(ways) - 1)):
            test = compare("==", Load(self._answer(held, me), 0, len(ways)), const(i + 1))
            block = self._new_block()
            self._finish(block, [], Branch(test, ways[i], first), step.span)
            first = block
        return first

    def _write_next(
        self,
        head: int,
        step: AskStep,
        asked: AskedPlayers,
        found: int,
        after: int,
        clearing: Sequence[Statement],
    ) -> None:
        """Write the block that goes on with the next player of an ask, or, after the last, with something else."""
        players, most = asked.values, asked.values.longest
        at = Load(const(asked.position), 0, most)
        there = self.m.var(0, 1)
        with self.m.apart() as body:
            self.m.add(Set(there, ZERO))
            with self.m.apart() as one:
                index = self.m.named(always(at, 0, most - 1, NARROWED))  # by the test
                if isinstance(players, ListConst):
                    value: Num = Cell(players.table, index, players.lo, players.hi)
                else:
                    value = Item(players, index, players.lo, players.hi)
                self.m.add(Store(const(asked.item), value))
                self.m.add(Store(const(asked.position), add(at, ONE)))
                self.m.add(Set(there, ONE))
            self.m.add(If(compare("<", at, asked.size), tuple(one), tuple(clearing)))
        self._finish(head, body, Branch(there, found, after), step.span)

    # chance ----------------------------------------------------------------------------------------------

    def _draw(self, step: DrawStep, env: Env, after: int, frame: Frame) -> int:
        """Write the drawing of pieces: how many, which, where from and where to is settled before the first one."""
        assert step.amount.number is not None and isinstance(step.source.type, PlaceOf)
        lay = self.x.family(step.source.type)
        settled = Settled(dict(env), [])
        goals = tuple(replace(g, place=self._settle(g.place, settled, frame)) for g in step.goals)
        source = self._settle(step.source, settled, frame)
        left, _ = self._kept(frame, "left to draw", step.amount.number.type)
        count = self.m.named(self.x.number(step.amount.number, env))
        if count.lo < 0:
            fault = self.m.fault(
                "expected 0 or more pieces to draw, found {}", step.span, FaultCode.NEGATIVE, has_value=True
            )
            self.m.add(If(compare("<", count, ZERO), (Fail(fault, value=count),)))
        kinds = lay.place.kinds
        wanted = None if step.amount.kinds is None else self._settle(step.amount.kinds, settled, frame)
        self.m.add(Store(const(left.at), count))
        number, env = self._new_block(), settled.env
        only: List | None = None
        with self.m.apart() as before:
            pile = self.m.named(self.x.number(source, env))
            if wanted is not None:
                value = self.x.static(wanted, env)
                if value is None:
                    only = self.m.named_list(self.x.listed(wanted, env))
                else:
                    known_kinds = value if isinstance(value, tuple) else (value,)
                    kinds = tuple(k for k in kinds if k in known_kinds)
        too_few = self.m.fault("too few pieces to draw", step.span, FaultCode.TOO_FEW)
        if settled.kept:
            done = self._new_block()
            clearing = [Clear(s.at, s.many) for s in settled.kept]
            self._finish(done, [*clearing], Goto(after), step.span)
            after = done
        self.decisions[number] = Draw(
            step.span,
            left.at,
            tuple(before),
            pile,
            kinds,
            tuple(lay.slots[k] for k in kinds),
            only,
            self._taking(step.span, source, goals, env),
            any(self.x.family(g.place.type) is lay for g in goals),
            step.amount.how == "up_to",
            too_few,
            self._endless(step),
            after,
        )
        self._finish(number, [], Wait(), step.span)
        return number

    def _settle(self, e: Expr, settled: Settled, frame: Frame) -> Expr:
        """Return an expression with the value that e has now, as long as pieces are drawn."""
        return self._settle_now(e, settled, frame) if settles(e, self.model) else e

    def _settle_now(self, e: Expr, settled: Settled, frame: Frame) -> Expr:
        """Return an expression with the value that e has now, whatever is decided meanwhile."""
        if isinstance(e, Local) or self.x.static(e, settled.env) is not None:
            return e
        name = f"settled {len(settled.kept)}"  # no author's name has a space
        slots, bound = self._kept(frame, name, e.type)
        self._keep(slots, self.x.argument(e, settled.env))
        settled.env[name] = bound
        settled.kept.append(slots)
        return Local(e.type, name)

    def _taking(self, span: Span, source: Expr, goals: tuple[Goal, ...], env: Env) -> int:
        """Return the procedure that moves one drawn piece."""
        number = self.m.reserve()
        lay = self.x.family(source.type)
        kind = self.m.var(min(lay.place.kinds), max(lay.place.kinds))
        with self.m.apart() as body:
            at = self.m.named(self.x.number(source, env))
            targets = self.moving.targets(goals, env)
            self.moving.take_one(lay, at, kind, targets, span)
        self.m.define(number, "take", (kind,), body, "nothing", span)
        return number

    def _roll(self, step: RollStep, env: Env, after: int, frame: Frame) -> tuple[Ending, Env]:
        number = self._new_block()
        item = self._item_type(step.domain)
        slots, value = self._kept(frame, step.name, item)
        fixed = self.x.static(step.domain, env)
        lo, hi = self.m.bounds(item)
        rows = self.m.list_var(min(lo, 0), max(hi, 1_000_000_000), self._longest(step.domain), 2)
        with self.m.apart() as before:
            self.m.add(NewList(rows))
            every = self.m.named_list(self.x.listed(step.domain, env)) if self.x.repeats(step.domain, env) else None

            def one(v: Num) -> None:
                weight: Num = ONE
                if step.weight is not None:
                    weight = self.m.named(self.x.number(step.weight, {**env, step.name: Bound(item, v)}))
                if every is not None:  # a value that is in the list twice is twice as likely
                    weight = multiply(weight, self._times(v, every))
                weight = self.m.named(weight)
                self.m.branch(compare(">", weight, ZERO), (Push(rows, (v, known(weight, 1, weight.hi))),))

            if every is None:
                self.x.each(step.domain, env, one)
            else:
                self.x.each_of(self.x.once(every), one)
        nothing = self.m.fault("nothing can be rolled here", step.span, FaultCode.NO_ROLL)
        values = tuple(dict.fromkeys(fixed)) if isinstance(fixed, tuple) else ()
        self.decisions[number] = Roll(
            step.span, tuple(before), rows, values, slots.at, nothing, self._endless(step), after
        )
        self._finish(number, [], Wait(), step.span)
        return Goto(number), {**env, step.name: value}

    def _times(self, value: Num, values: List) -> Num:
        """Return how often a value is in a list."""
        times, one = self.m.var(0, values.longest), self.m.var(values.lo, values.hi)
        self.m.add(Set(times, ZERO))
        self.m.add(
            ForList(
                (one,), values, (If(compare("==", one, value), (Set(times, always(add(times, ONE), 0, times.hi)),)),)
            )
        )
        return times


def _clearing(frame: Frame, but: int) -> list[Statement]:
    """Return what clears the slots of a frame but one."""
    return [Clear(low, high - low) for low, high in runs_of([s for s in frame.slots if s != but])]
