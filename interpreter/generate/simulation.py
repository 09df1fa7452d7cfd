"""The same steps once more, for games in which everybody decides at random: nothing waits, so nothing is kept.

Local names are Python's, loops are loops, and a random legal move is picked without listing all of them: the choices
before the last are listed, then one of them and any last value are drawn until no condition refuses. Every legal
move is equally likely that way. `trace` tells a listener of every decision; without it a game is only played.
"""

from __future__ import annotations

from contextlib import nullcontext

from interpreter.generate.candidates import Candidates
from interpreter.generate.expressions import Expressions
from interpreter.generate.flow import Flow
from interpreter.generate.terms import Bound, Env, known
from interpreter.generate.transfers import Address, Goals, spot
from interpreter.run.runtime import DRAW, ROLL
from rulespec.checks.work import MOST_MOVES
from rulespec.diagnostics.diagnostic import Span
from rulespec.expr import core
from rulespec.expr.core import Expr
from rulespec.expr.types import PlaceOf, Several, of_codes
from rulespec.model.model import AskStep, Choice, DoStep, DrawStep, Move, RollStep, Step, Template, WhileStep

TRIES = 24  # draws of a move before all legal ones are listed after all
INLINE_STEPS = 12  # procedures of at most so many steps are written where they are called


class Simulation(Flow):
    def __init__(self, expressions: Expressions, limit: int, trace: bool) -> None:
        super().__init__(expressions, limit)
        self.trace = trace
        self.candidates = Candidates(expressions, self.move_numbers)

    def straight(self, steps: tuple[Step, ...], env: Env) -> Env:
        """Plain statements for all steps, decisions included."""
        for step in steps:
            match step:
                case WhileStep():
                    self._while_loop(step, env)
                case AskStep():
                    self._ask_at_random(step, env)
                case DrawStep():
                    self._draw_at_random(step, env)
                case RollStep():
                    env = self._roll_at_random(step, env)
                case DoStep() if self._small(step):
                    self._in_place(step, env)
                case _:
                    env = super().straight((step,), env)
        return env

    def log_points(self, who: str, lines: list[tuple[str, Template]], scopes: list[Env], gained: str) -> None:
        if self.trace:
            super().log_points(who, lines, scopes, gained)

    def _small(self, step: DoStep) -> bool:
        from rulespec.model.steps import all_steps

        return len(all_steps(self.model.procedures[step.name].body)) <= INLINE_STEPS

    def _in_place(self, step: DoStep, env: Env) -> None:
        """A short procedure's steps instead of a call."""
        w = self.x.writer
        inner: dict[str, Bound] = {}
        parameters = self.model.procedures[step.name].parameters
        bounds = self.given_bounds(step.name, parameters, step.args, env, step.span)
        for parameter, b in zip(parameters, bounds, strict=True):
            if b.const is None and not b.text.isidentifier():
                name = w.local(parameter.name)
                w.line(f"{name} = {b.text}")
                b = Bound(b.type, name)
            inner[parameter.name] = b
        if self.model.procedures[step.name].body:
            self.straight(self.model.procedures[step.name].body, inner)
        w.forget()

    def _while_loop(self, step: WhileStep, env: Env) -> None:
        w = self.x.writer
        with w.block("while 1:"):
            w.forget()
            w.line(f"if not {self.x.value(step.test, env)}: break")
            self.count_pass(step)
            self.straight(step.body, env)
        w.forget()

    # chance ----------------------------------------------------------------------------------------------

    def _draw_at_random(self, step: DrawStep, env: Env, left: str = "") -> None:
        """Draws the pieces of a step, or those `left` to draw where it was begun before."""
        w = self.x.writer
        assert step.amount.number is not None and isinstance(step.source.type, PlaceOf)
        lay = self.layout.places[step.source.type.family]
        kinds = self._drawn_kinds(step, env)
        at = self.x.address(step.source, env)
        n, total = w.temp("n"), w.temp("n")
        w.line(f"{n} = {left or self.x.value(step.amount.number, env)}")
        if not left:
            self.transfers.refuse_negative(step.amount.number, n, "draw", step.span, env)
        w.line(f"{total} = {self._total(at, kinds, lay, step, env)}")
        with w.block(f"if {n} > {total}:"):
            if step.amount.how == "up_to":
                w.line(f"{n} = {total}")
            else:
                w.line(f"if X.more >= {total}: {self.fault('too few pieces to draw', step.span)}")
        self._before_chance(step, f"{n} > 0")
        last = w.temp("n")
        w.line(f"{last} = {total} - ({n} if {n} <= X.more else X.more)")
        with w.block(f"for {total} in range({total}, {last}, -1):"):
            w.line(f"r = bits(30) % {total}")
            w.bind("r")
            goals = self.transfers.settle(step.goals, env)
            if kinds and len(kinds) <= 8 and self.transfers.takes_all(goals[0], kinds, env):
                self._draw_by_kind(at, kinds, step, goals, env)
            else:
                w.bind("k")
                self._pick_kind(at, kinds, lay, step, env)
                if self.trace:
                    w.line(f"X.trail.append(({DRAW}, k))")
                self._one_drawn(step, env, at)
        with w.block(f"if {n} > 0:"):
            w.line("X.idle = 0")
            self._count(step.span, n)
        w.forget()

    def _before_chance(self, step: DrawStep | RollStep, some: str) -> None:
        """Something to do before chance decides, if there is something to decide."""

    def _draw_by_kind(self, at: Address, kinds: tuple[int, ...], step: DrawStep, goals: Goals, env: Env) -> None:
        """One branch a kind, each with its own slots: nothing is looked up."""
        w = self.x.writer
        lay = self.layout.places[step.source.type.family]  # type: ignore[union-attr]
        for i, k in enumerate(kinds):
            here = spot(at, lay.slots[k])
            less = f"(r := r - {spot(at, lay.slots[kinds[i - 1]])})" if i else "r"
            head = "else:" if i and i == len(kinds) - 1 else f"{'elif' if i else 'if'} {less} < {here}:"
            with w.block(head):
                w.line(f"{here} -= 1")
                if lay.total is not None:
                    w.line(f"{spot(at, lay.total)} -= 1")
                self.transfers.put(goals, known(k, of_codes((k,))), "1", step.span, env)
                if self.trace:
                    w.line(f"X.trail.append(({DRAW}, {k}))")

    def _roll_at_random(self, step: RollStep, env: Env) -> Env:
        w = self.x.writer
        self._before_chance(step, "1")
        domain = self.x.domain(step.domain, env)
        name, out = w.local(step.name), w.temp("l")
        w.line(f"{out} = []")
        inner = {**env, step.name: Bound(domain.type, name)}
        with w.block(f"for {name} in {domain.text}:", name):
            if domain.keep is not None:
                w.line(f"if not {domain.keep(Bound(domain.type, name))}: continue")
            w.line(f"n = {self.x.value(step.weight, inner) if step.weight is not None else '1'}")
            w.line(f"if n > 0: {out}.append(({name}, n))")
        w.line(f"if not {out}: {self.fault('nothing can be rolled here', step.span)}")
        w.line(f"r = bits(30) % sum(n for _, n in {out})")
        with w.block(f"for {name}, n in {out}:"):
            w.line("r -= n")
            w.line("if r < 0: break")
        w.bind(name)
        if self.trace:
            w.line(f"X.trail.append(({ROLL}, {name}))")
        w.line("X.idle = 0")
        self._count(step.span)
        return inner

    def _count(self, span: Span, decisions: str = "1") -> None:
        """Counts decisions; those that the game's limit does not allow are a fault."""
        w = self.x.writer
        w.line(f"X.more -= {decisions}")
        w.line(f"if X.more < 0: {self.endless(span)}")

    # players ---------------------------------------------------------------------------------------------

    def _ask_at_random(self, step: AskStep, env: Env) -> None:
        w = self.x.writer
        self.legal_moves |= {name for name, _ in step.moves}
        me = w.temp("me")
        w.line(f"{me} = {self.player(step.player, env, step.span)}")
        moves = [
            (self.model.moves[name], self.given_bounds(name, self.model.moves[name].given, args, env, step.span))
            for name, args in step.moves
        ]
        listed = self.work.asked(step) > MOST_MOVES or any(self.work.is_counted(move) for move, _ in moves)
        if len(moves) == 1 and self._can_draw(moves[0][0]) and not listed:
            self._draw_move(step, me, *moves[0], env)
        elif len(moves) == 1 and len(moves[0][0].choices) == 1 and not listed:
            self._list_values(step, me, *moves[0], env)
        else:
            self._list_moves(step, me, moves, env)
        w.forget()

    def _can_draw(self, move: Move) -> bool:
        """Whether a random move can be drawn: known last values, and something before them."""
        if len(move.choices) < 2 or any(isinstance(c.type, Several) for c in move.choices):
            return False
        values = self.x.const(move.choices[-1].domain, {})
        return isinstance(values, tuple) and 1 < len(values) <= 64

    def _given(self, move: Move, me: str, given: list[Bound]) -> dict[str, Bound]:
        player = self.model.sets["player"].type
        return {"me": Bound(player, me), **{p.name: b for p, b in zip(move.given, given, strict=True)}}

    def _list_moves(self, step: AskStep, me: str, moves: list[tuple[Move, list[Bound]]], env: Env) -> None:
        """Lists the legal moves, picks one and plays it."""
        w = self.x.writer
        out = w.temp("l")
        w.line(f"{out} = []")
        for move, given in moves:
            args = "".join(f", {b.text if b.const is None else b.const}" for b in given)
            w.line(f"legal_{self.move_numbers[move.name]}(S, {out}, {me}{args})")
        if self.work.asked(step) > MOST_MOVES:
            w.line(f"if many({out}) > {MOST_MOVES}: {self.too_many(step)}")
        with w.block(f"if {out}:"):
            number, first, last = w.temp("move"), w.temp("first"), w.temp("last")
            w.line(f"{number}, {first}, {last} = pick({out}, bits)")
            for i, (move, given) in enumerate(moves):
                with w.block(f"{'if' if i == 0 else 'elif'} {number} == {self.move_numbers[move.name]}:"):
                    inner = self._given(move, me, given)
                    names = []
                    for choice in move.choices:
                        name = w.local(choice.name)
                        names.append(name)
                        inner[choice.name] = Bound(choice.type, name)
                    if names[:-1]:
                        w.line(f"{', '.join(names[:-1])}, = {first}")
                    if names:
                        w.line(f"{names[-1]} = {last}")
                    self._play_here(step, move, inner, names, f"len({out}) == 1 and len({out}[0][2]) == 1")
        with w.block("else:"):
            self._no_move(step, env)

    def _list_values(self, step: AskStep, me: str, move: Move, given: list[Bound], env: Env) -> None:
        """One choice: its legal values are listed on the spot."""
        w = self.x.writer
        inner = self._given(move, me, given)
        tests = " and ".join(self.x.value(t, inner) for t in self.candidates.levels(move)[0])
        name = w.local(move.choices[0].name)
        if tests:
            values = w.temp("l")
            w.line(f"{values} = []")
            with w.block(f"if {tests}:"):
                w.line(f"{values} = {self.candidates.listed(move.choices[0], self.candidates.levels(move)[1], inner)}")
        else:
            values = self.candidates.listed(move.choices[0], self.candidates.levels(move)[1], inner)
        with w.block(f"if {values}:", name):
            w.line(f"{name} = {values}[0] if len({values}) == 1 else {values}[bits(30) % len({values})]")
            self._play_here(
                step,
                move,
                {**inner, move.choices[0].name: Bound(move.choices[0].type, name)},
                [name],
                f"len({values}) == 1",
            )
        with w.block("else:"):
            self._no_move(step, env)

    def _no_move(self, step: AskStep, env: Env) -> None:
        if step.otherwise is None:
            self.x.writer.line(self.fault("the player has no legal move here", step.span))
        else:
            self.straight(step.otherwise, env)

    def _play_here(
        self, step: AskStep, move: Move, env: Env, names: list[str], single: str, quick: bool = True
    ) -> None:
        """Plays a chosen move. `single` tells whether there was no other; `quick`: it costs next to nothing to ask."""
        w = self.x.writer
        args = "".join(f"{n}, " for n in names)
        self._decide(
            step, single, quick, f"X.trail.append(({self.move_numbers[move.name]}, ({args})))" if self.trace else ""
        )
        w.forget()
        self.straight(move.does, env)

    def _decide(self, step: AskStep, single: str, quick: bool, record: str = "") -> None:
        """What a decision changes besides the vector. A move that plays itself is none.

        Where it costs too much to tell, one that plays itself is counted too: a game that comes to its limit that way
        is played again by the traced program, which tells.
        """
        w = self.x.writer
        if not quick:
            w.line("X.idle = 0")
        with w.block(f"if not ({single}):") if step.forced and (quick or self.trace) else nullcontext():
            if quick:
                w.line("X.idle = 0")
            if record:
                w.line(record)
            self._count(step.span)

    def _draw_move(self, step: AskStep, me: str, move: Move, given: list[Bound], env: Env) -> None:
        """Draws a legal move: all choices but the last from a list, the last one at random, until it is legal."""
        w = self.x.writer
        inner = self._given(move, me, given)
        levels = self.candidates.levels(move)
        *before, last = move.choices
        values = self.x.const(last.domain, {})
        found, n = w.temp("l"), w.temp("n")
        tests = " and ".join(self.x.value(t, inner) for t in levels[0])
        gaps = self._list_before(before, levels, inner, found, tests)
        names = [w.local(c.name) for c in move.choices]
        chosen = {**inner, **{c.name: Bound(c.type, name) for c, name in zip(move.choices, names, strict=True)}}
        w.line(f"{n} = len({found}) * {len(values)}")
        w.line("drawn = 0")
        with w.block(f"if {n}:"):
            with w.block(f"for _ in {self.x.constants.name('tries', range(TRIES))}:", *names):
                w.line(f"r = bits(30) % {n}")
                first = f"{found}[r // {len(values)}]"
                if gaps:
                    w.line(f"pair = {first}")
                    w.line("if pair is None: continue")
                    first = "pair"
                w.line(f"{names[0]} = {first}" if len(before) == 1 else f"{', '.join(names[:-1])} = {first}")
                w.line(f"{names[-1]} = {self.x.constants.name('all', values)}[r % {len(values)}]")
                for test in levels[-1]:
                    w.line(f"if not {self.x.value(test, chosen)}: continue")
                w.line("drawn = 1")
                w.line("break")
            with w.block("else:"):
                out = w.temp("l")
                w.line(f"{out} = []")
                args = "".join(f", {b.text if b.const is None else b.const}" for b in given)
                w.line(f"legal_{self.move_numbers[move.name]}(S, {out}, {me}{args})")
                with w.block(f"if {out}:"):
                    first = w.temp("first")
                    w.line(f"_, {first}, {names[-1]} = pick({out}, bits)")
                    w.line(f"{', '.join(names[:-1])}, = {first}")
                    w.line("drawn = 1")
        with w.block("if drawn:", *names):
            w.forget()
            single = "0"
            if step.forced and self.trace:
                args = "".join(f", {b.text if b.const is None else b.const}" for b in given)
                single = f"only(legal_{self.move_numbers[move.name]}, S, {me}{args})"
            self._play_here(step, move, chosen, names, single, quick=False)
        with w.block("else:"):
            self._no_move(step, env)

    def _list_before(self, before: list[Choice], levels: list[list[Expr]], env: Env, found: str, tests: str) -> bool:
        """The list of all values of the choices before the last that their conditions allow; whether some are None."""
        w = self.x.writer
        quick = self._compressed(before, levels, env)
        if quick is not None:
            w.line(f"{found} = {quick}" + (f" if {tests} else ()" if tests else ""))
            return True
        w.line(f"{found} = []")
        if tests:
            with w.block(f"if {tests}:"):
                self._nest_before(before, levels, env, found, 0, [])
        else:
            self._nest_before(before, levels, env, found, 0, [])
        return False

    def _nest_before(
        self, before: list[Choice], levels: list[list[Expr]], env: Env, found: str, i: int, names: list[str]
    ) -> None:
        w = self.x.writer
        if i == len(before):
            w.line(f"{found}.append({names[0] if len(names) == 1 else '(' + ', '.join(names) + ')'})")
            return
        choice = before[i]
        name = w.local(choice.name)
        domain = self.x.domain(choice.domain, env)
        text = self.x.constants.name("all", domain.values) if domain.values and len(domain.values) > 3 else domain.text
        with w.block(f"for {name} in {text}:", name):
            inner = {**env, choice.name: Bound(choice.type, name)}
            if domain.keep is not None:
                w.line(f"if not {domain.keep(inner[choice.name])}: continue")
            for test in levels[i + 1]:
                w.line(f"if not {self.x.value(test, inner)}: continue")
            self._nest_before(before, levels, inner, found, i + 1, [*names, name])

    def _compressed(self, before: list[Choice], levels: list[list[Expr]], env: Env) -> str | None:
        """A place and a kind lying on it, where the counts lie side by side: they select from the list of all pairs.

        Slots of other kinds select None, which is drawn in vain.
        """
        if len(before) != 2 or levels[1] or len(levels[2]) != 1:
            return None
        test = levels[2][0]
        places, kinds = (self.x.const(c.domain, {}) for c in before)
        if not (isinstance(test, core.In) and isinstance(test.domain, core.PlaceAt) and places and kinds):
            return None
        lay = self.layout.places[test.domain.family]
        index = test.domain.index
        is_pair = (
            test.item == core.Local(test.item.type, before[1].name)
            and len(index) == 1
            and index[0] == core.Local(index[0].type, before[0].name)
        )
        if (
            not is_pair
            or lay.place.shape != "pile"
            or lay.place.index_values != (places,)
            or not set(kinds) <= set(lay.slots)
        ):
            return None
        if sorted(kinds, key=lambda k: lay.slots[k]) != list(kinds):
            return None
        slots = sorted(lay.slots[k] for k in kinds)
        if slots != list(range(slots[0], slots[-1] + 1)):
            return None
        by_slot = {lay.slots[k]: k for k in kinds}
        pairs = tuple((p, by_slot[s]) if s in by_slot else None for p in places for s in range(lay.width))
        table = self.x.constants.name("pairs", pairs)
        return f"list(compress({table}, S[{lay.base}:{lay.end}]))"
