"""A program → C text that plays many games a call: decisions are made by the caller, or at random.

Every name in it is one of ours and every constant a number. Addresses and indexes were shown to be good when the program
was made, so nothing is checked twice; what cannot be known before (memory for lists, the end of a game) is checked here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import assert_never

from interpreter.compile import program as p
from interpreter.compile.actions import Actions, Domain, OneOf
from interpreter.compile.hoist import EFFECTS
from interpreter.compile.prelude import CALLS, FACTS, HALVING, KEYED, PRELUDE, RECORDS, SEARCH
from interpreter.compile.program import Body, List, ListVar, Num, Program, Statement, Var
from interpreter.compile.sift import sift_listings
from interpreter.compile.storage import NOWHERE, in_few, storage_of
from interpreter.compile.straighten import CHEAP, cost, is_free, straighten
from interpreter.compile.to_python import BLOCK, KINDS
from interpreter.compile.total import is_total
from interpreter.compile.unguarded import Unguarded, is_wide
from interpreter.compile.unroll import unroll
from interpreter.fault import IDLE_LIMIT, TRIES
from rulespec.checks.work import MOST_MOVES, MOST_TRIED

PASSES = (sift_listings, straighten, unroll)  # what only C gains by
UNROLLED = 64  # rows of a search that are looked at one after the other, without a loop
FEW_ROWS, FEW_STATEMENTS = 8, 40  # of a loop where legal moves are listed: its passes are printed one after the other
PLAIN = (
    p.Const,
    p.Var,
    p.Known,
    p.Load,
    p.Cell,
    p.Bin,
    p.Cmp,
    p.Within,
    p.Not,
    p.And,
    p.Or,
    p.Select,
)  # no call, no list, no range
MOST_SEEN = 16  # slots on which standings depend, as in the prelude
ROOM = 1024  # numbers that a new list has room for at once, if it may become as long


def to_c(program: Program, actions: Actions | None) -> str:
    """Return the text of one C file that plays the program's games; `actions` are the numbers of its moves."""
    own = to_c_part(program, actions)
    sizes = (f"#define {name} {value}" for name, value in own.sizes.items())
    return "\n".join([*sizes, PRELUDE, *own.lines, RECORDS, FACTS, CALLS, SEARCH, HALVING, KEYED])


@dataclass(frozen=True, slots=True)
class CPart:
    """A program's own part of its C text."""

    sizes: dict[str, int | str]  # what the fixed parts have to know
    lines: tuple[str, ...]
    names: tuple[str, ...]  # all that it defines


def to_c_part(program: Program, actions: Actions | None) -> CPart:
    """Return what is the program's own in its C text: the rest is the same for all programs."""
    for change in PASSES:
        program = change(program)
    return CPrinter(program, actions).part()


class CPrinter:
    def __init__(self, program: Program, actions: Actions | None) -> None:
        self.program = program
        self.actions = actions
        self.lines: list[str] = []
        self.storage = NOWHERE  # of the lists of the function being printed
        self.tests = 0  # printed so far that have a name
        self.unrolls = False  # whether short loops of the function being printed become their passes
        self.gives_back = False  # whether the function being printed gives the memory of its lists back
        self.taking = _taking_memory(program)
        self.unguarded = Unguarded(program)
        self.functions = {f.number: f for f in program.functions}
        self.trials = tuple(dict.fromkeys((c.after, c.function) for c in p.calls(program) if c.after is not None))
        drawings = [d.drawing for d in program.decisions.values() if isinstance(d, p.Ask) and d.drawing is not None]
        searches = {d.rows: _search(self.functions[d.rows]) for d in drawings}
        self.found = {n: search for n, search in searches.items() if search is not None}
        self.standing = self._standing()
        self.apart = {
            d.legal for d in drawings
        }  # tried again and again: as part of `play` they would find no register free

    def _standing(self) -> range:
        """Return the slots on which standings depend, if it is known that these few are all; else nothing."""
        if not self.program.ranks:
            return range(0)
        body = self.functions[self.program.ranks[0]].body
        read = [e for s in p.statements(body) for operand in p.operands(s) for e in p.walk(operand)]
        slots = [e.at for e in read if isinstance(e, p.Load)]
        if not slots or not all(isinstance(e, PLAIN) for e in read):
            return range(0)
        found = range(min(at.lo for at in slots), max(at.hi for at in slots) + 1)
        return found if len(found) <= MOST_SEEN else range(0)

    def part(self) -> CPart:
        self._tables()
        for f in self.program.functions:
            self.line(f"static {self._head(f)};")
        for after, look in self.trials:
            self._trial(after, self.functions[look])
        for f in self.program.functions:
            self._function(f)
        self._blocks()
        self._ranks()
        self._numbers()
        self._widths()
        first, last = self._widest()
        players = self.functions[self.program.ranks[0]].parameters[0].hi
        sizes: dict[str, int | str] = {
            "SIZE": self.program.size,
            "PLAYERS": players,
            "RANKS": len(self.program.ranks),
            "SCORE": -1 if self.program.score is None else self.program.score,
            "STANDING_AT": self.standing.start,
            "STANDING_MANY": len(self.standing),
            "ACTIONS": -1 if self.actions is None else self.actions.many,
            "BEGIN": self.program.begin,
            "TWICE": int(len(self.program.moves) > len(set(self.program.moves))),
            "MOST_FIRST": first,
            "MOST_LAST": last,
            "START": f"{{{', '.join(map(str, self.program.start))}}}",
        }
        return CPart(sizes, tuple(self.lines), tuple(self._names()))

    def _names(self) -> Iterator[str]:
        """Yield all names that the lines define."""
        yield from ("play", "rank_of", "endless_at", "first_rank", "last_rank", "choose", "widths_of")
        yield from (f"f{f.number}" for f in self.program.functions)
        yield from (f"t{after}_{look}" for after, look in self.trials)
        for i, rows in enumerate(self.program.tables):
            yield f"T{i}"
            if rows and isinstance(rows[0], tuple):
                yield f"O{i}"
        for rule, domains in enumerate(self.actions.domains if self.actions is not None else ()):
            for i, d in enumerate(domains):
                if not isinstance(d, OneOf):
                    yield from (f"W{rule}_{i}", f"E{rule}_{i}")

    def line(self, text: str) -> None:
        self.lines.append(text)

    @contextmanager
    def braces(self, head: str) -> Iterator[None]:
        self.line(f"{head} {{")
        yield
        self.line("}")

    def _tables(self) -> None:
        for i, rows in enumerate(self.program.tables):
            if rows and isinstance(rows[0], tuple):
                flat = [x for row in rows for x in row]
                offsets = [0]
                for row in rows:
                    offsets.append(offsets[-1] + len(row))
                self.line(f"static const I T{i}[] = {{{', '.join(map(str, flat)) or '0'}}};")
                self.line(f"static const I O{i}[] = {{{', '.join(map(str, offsets))}}};")
            else:
                self.line(f"static const I T{i}[] = {{{', '.join(map(str, rows)) or '0'}}};")

    def _widest(self) -> tuple[int, int]:
        """Return how many numbers the chosen values of any move need: all but the last, and the last."""
        first = last = 1
        for f in self.program.functions:
            for s in p.statements(f.body):
                if isinstance(s, p.Group):
                    first = max(first, sum(v.longest if p.is_list(v) else 1 for v in s.first))
                    last = max(last, 0 if s.last is None else s.last.width)
        return first, last

    # functions -------------------------------------------------------------------------------------------

    def _head(self, f: p.Function) -> str:
        result = {"number": "I", "list": "L", "nothing": "void"}[f.result]
        parameters = ["run *X", "I *restrict S"] + [
            f"{'L' if isinstance(v, ListVar) else 'I'} {self._name(v)}" for v in f.parameters
        ]
        if f.number in self.found:
            result = "I"
            parameters.append(f"{self.found[f.number].number} *restrict rows")
        return f"{result} f{f.number}({', '.join(parameters)})"

    def _function(self, f: p.Function) -> None:
        if f.number in self.found:
            self._rows_found(f, self.found[f.number])
            return
        self.storage = storage_of(f.body, f.parameters)
        self.unrolls = f.role == "legal"
        with self.braces(f"{'APART' if f.number in self.apart else 'static'} {self._head(f)}"):
            self._locals(f.body, f.parameters)
            self.gives_back = f.number in self.taking and f.result != "list" and f.role != "legal"
            if self.gives_back:
                self.line("const mark begun = marked(X);")
            self._body(f.body)
            if self.gives_back and f.result == "nothing":
                self.line("back(X, begun);")
        self.gives_back = self.unrolls = False

    def _trial(self, after: int, look: p.Function) -> None:
        """Print what tries a procedure on a copy of the state and gives what a function finds there; 0 after a fault."""
        head = self._head(look).replace(f"f{look.number}(", f"t{after}_{look.number}(", 1)
        names = ", ".join(["X", "copy", *map(self._name, look.parameters)])
        size = self.program.size
        with self.braces(f"APART {head}"):
            self.line("const mark begun = marked(X);")
            self.line(f"I *copy = cells(X, {size});")
            self.line(f"const trial kept = begin_trial(X, copy, S, {size}, {IDLE_LIMIT - MOST_TRIED});")
            self.line("const int left = _setjmp(X->out);")
            self.line(f"if (!left) f{after}({names});")
            self.line("end_trial(X, &kept, left);")
            self.line(f"const I out = left ? 0 : f{look.number}({names});")
            self.line("back(X, begun);")
            self.line("return out;")

    def _rows_found(self, f: p.Function, search: _Search) -> None:
        """Print a function that returns the numbers of the rows found; each is written down, and counts only if found."""
        loop = search.loop
        self.storage = NOWHERE
        with self.braces(f"static inline {self._head(f)}"):
            self._locals(f.body, (*f.parameters, search.rows))
            self.line("uint64_t n = 0;")
            self._body(search.before)
            if loop.of.longest <= UNROLLED:
                self.line(f"#pragma GCC unroll {loop.of.longest}")
            with self.braces(f"for (I i = 0; i < {loop.of.longest}; i++)"):
                self._row(loop, search.of, "i")
                self._body(search.inside)
                self.line(f"rows[n] = ({search.number})i; n += {self.num(search.test)};")
            self.line("return (I)n;")

    def _locals(self, body: Body, parameters: tuple[Var | ListVar, ...] = ()) -> None:
        numbers: dict[int, Var] = {}
        lists: dict[int, ListVar] = {}
        memos: set[int] = set()
        for s in p.statements(body):
            for v in p.assigned(s):
                if isinstance(v, ListVar) and v not in parameters:
                    lists[v.number] = v
                elif isinstance(v, Var) and v not in parameters:
                    numbers[v.number] = v
            if isinstance(s, p.Once | p.OnceNum) and s.memo in memos:
                continue
            if isinstance(s, p.Once):
                memos.add(s.memo)
                self.line(f"L m{s.memo}[{s.size}]; memset(m{s.memo}, 0, sizeof m{s.memo});")
            if isinstance(s, p.OnceNum):
                memos.add(s.memo)
                self.line(f"I m{s.memo}[{s.size}]; for (I i = 0; i < {s.size}; i++) m{s.memo}[i] = UNKNOWN;")
        for kind, wide in (("I", False), ("int64_t", True)):
            if some := [f"v{n}" for n, v in numbers.items() if is_wide(v) == wide]:
                self.line(f"{kind} {', '.join(some)};")
        for number, v in lists.items():
            if number in self.storage.bits:
                self.line(f"uint64_t l{number};")
            elif number in self.storage.own:
                bits = f" uint64_t b{number};" if number in self.storage.known else ""
                self.line(f"L l{number}; I a{number}[{self._most(v) * v.width}];{bits}")
            else:
                self.line(f"L l{number};")

    def _name(self, v: Var | ListVar) -> str:
        return f"l{v.number}" if isinstance(v, ListVar) else f"v{v.number}"

    # blocks ----------------------------------------------------------------------------------------------

    def _blocks(self) -> None:
        with self.braces("static void play(run *X, I *restrict S, I block)"):
            self.line("go: switch (block) {")
            for number in range(len(self.program.blocks)):
                self.line(f"case {number}: goto B{number};")
            self.line("default: return; }")
            for number, block in enumerate(self.program.blocks):
                with self.braces(f"B{number}:"):
                    if isinstance(block.end, p.Wait):
                        self._decision(number, self.program.decisions[number])
                    else:
                        if any(isinstance(s, p.NewList | p.Ways | p.SetList) for s in p.statements(block.body)):
                            self.line("fresh(X);")
                        self.storage = storage_of(block.body)
                        self._locals(block.body)
                        self._body(block.body)
                        self._ending(block.end)

    def _ending(self, end: p.Ending) -> None:
        match end:
            case p.Goto():
                self.line(f"goto B{end.block};")
            case p.Branch():
                self.line(f"if ({self.num(end.test)}) goto B{end.then}; else goto B{end.other};")
            case p.GoBack():
                self.line(f"block = S[{end.slot}]; S[{end.slot}] = 0; goto go;")
            case p.End():
                self.line(f"S[{BLOCK}] = 0; return;")
            case p.Wait():
                raise AssertionError(end)
            case _:
                assert_never(end)

    def _ranks(self) -> None:
        with self.braces("static I rank_of(run *X, I *restrict S, I rank, I player)"):
            with self.braces("switch (rank)"):
                for i, f in enumerate(self.program.ranks):
                    self.line(f"case {i}: return f{f}(X, S, player);")
            self.line("return 0;")
        with self.braces("static I endless_at(I block)"):
            with self.braces("switch (block)"):
                for number, d in self.program.decisions.items():
                    self.line(f"case {number}: return {d.endless};")
            self.line("return 0;")

    # numbers of moves ------------------------------------------------------------------------------------

    def _numbers(self) -> None:
        """`first_rank`, `last_rank` and `choose`: from the values of a move to its number, and back."""
        actions = self.actions or Actions(())
        for rule, domains in enumerate(actions.domains):
            for i, d in enumerate(domains):
                if not isinstance(d, OneOf):
                    flat = [n for row in d.ways for n in row]
                    self.line(f"static const I W{rule}_{i}[] = {{{', '.join(map(str, flat))}}};")
                    self.line(f"static const I E{rule}_{i}[] = {{{', '.join(map(str, d.each))}}};")
        moves = [] if self.actions is None else list(enumerate(self.program.moves))
        with self.braces("static I first_rank(const G *g)"):
            with self.braces("switch (g->move)"):
                for m, rule in moves:
                    domains = actions.domains[rule]
                    self.line(f"case {m}: {{ I at = 0;")
                    at = 0
                    for i, d in enumerate(domains[:-1]):
                        self.line(f"at = at * {d.many} + {self._rank(rule, i, d, f'g->first + {at}')};")
                        at += 1 if isinstance(d, OneOf) else len(d.each)
                    many = domains[-1].many if domains else 1
                    self.line(f"return {actions.first[rule]} + at * {many}; }}")
            self.line("return 0;")
        with self.braces("static I last_rank(I move, const I *last)"):
            with self.braces("switch (move)"):
                for m, rule in moves:
                    if domains := actions.domains[rule]:
                        i = len(domains) - 1
                        self.line(f"case {m}: return {self._rank(rule, i, domains[i], 'last')};")
            self.line("return 0;")
        with self.braces("static void choose(run *X, I number)"):
            self.line("G *g = &X->chosen; g->rows = X->last; (void)g;")
            for rule, domains in enumerate(actions.domains):
                with self.braces(f"if (number < {actions.first[rule + 1]})"):
                    self.line(f"number -= {actions.first[rule]}; g->move = {rule};")
                    places = [0]
                    for d in domains:
                        places.append(places[-1] + (1 if isinstance(d, OneOf) else len(d.each)))
                    for i, d in reversed(list(enumerate(domains))):
                        to = "X->last" if i == len(domains) - 1 else f"g->first + {places[i]}"
                        self.line(self._unrank(rule, i, d, to))
                    self.line("return;")

    def _widths(self) -> None:
        """`widths_of`: how many numbers each chosen value of a move has, but the last."""
        groups = {s.move: s for f in self.program.functions for s in p.statements(f.body) if isinstance(s, p.Group)}
        with self.braces("static I widths_of(I move, I *widths)"):
            with self.braces("switch (move)"):
                for move, s in groups.items():
                    values = (f"widths[{i}] = {v.longest if p.is_list(v) else 1};" for i, v in enumerate(s.first))
                    self.line(f"case {move}: {' '.join(values)} return {len(s.first)};")
            self.line("return 0;")

    def _rank(self, move: int, choice: int, d: Domain, at: str) -> str:
        """Return the rank of the value at an address among those of a choice; it is one of them."""
        if not isinstance(d, OneOf):
            return f"rank_together(W{move}_{choice}, E{move}_{choice}, {len(d.each)}, {d.most}, {at})"
        text, before = "0", d.many
        for i, s in reversed(list(enumerate(d.stretches))):
            before -= s.many
            here = f"(*({at}) - ({s.first})) / {s.step} + {before}"
            last = i == len(d.stretches) - 1
            text = here if last else f"(*({at}) >= {s.first} && *({at}) <= {s.last} ? {here} : {text})"
        return text

    def _unrank(self, move: int, choice: int, d: Domain, to: str) -> str:
        """Return a statement that takes the rank of a choice off `number` and writes its value to an address."""
        take = f"{{ I rank = number % {d.many}; number /= {d.many}; "
        if not isinstance(d, OneOf):
            table = f"W{move}_{choice}, E{move}_{choice}, {len(d.each)}, {d.most}"
            return f"{take}together({table}, rank, {to}); }}"
        text, before = "0", d.many
        for i, s in reversed(list(enumerate(d.stretches))):
            before -= s.many
            here = f"{s.first} + (rank - {before}) * {s.step}"
            text = here if i == len(d.stretches) - 1 else f"(rank < {before + s.many} ? {here} : {text})"
        return f"{take}*({to}) = {text}; }}"

    # statements ------------------------------------------------------------------------------------------

    def _body(self, body: Body) -> None:
        for s in body:
            self._statement(s)

    def _statement(self, s: Statement) -> None:
        match s:
            case p.Set():
                self.line(f"{self._name(s.var)} = {self.num(s.value)};")
            case p.SetList():
                value = self.list(s.value)
                copied = isinstance(s.value, p.ListFrame | p.ListSlots)
                self.line(f"{self._name(s.var)} = {f'copied(X, {value})' if copied else value};")
            case p.NewList() if s.var.number in self.storage.bits:
                self.line(f"{self._name(s.var)} = 0;")
            case p.NewList():
                self.line(f"{self._name(s.var)} = {f'zeros(X, {s.zeros})' if s.zeros else self._new(s.var)};")
                if s.var.number in self.storage.known:
                    self.line(f"b{s.var.number} = 0;")
            case p.Put() if s.var.number in self.storage.bits:
                self.line(f"{self._name(s.var)} |= (uint64_t)1 << {self.num(s.index)};")
            case p.Push():
                self._push(s, "1")
            case p.Put():
                self.line(f"{self._name(s.var)}.p[{self.num(s.index)}] = {self.num(s.value)};")
            case p.Ways():
                counts = ", ".join(map(self.num, s.counts)) or "0"
                self.line(
                    f"{{ I c[] = {{{counts}}}; {self._name(s.var)} = "
                    f"ways(X, c, {len(s.counts)}, {self.num(s.least)}, {self.num(s.most)}); }}"
                )
            case p.Store():
                self.line(f"S[{self.num(s.at)}] = {self.num(s.value)};")
            case p.Keep():
                self.line(f"keep(S + {s.at}, {self.list(s.value)}, {int(s.framed)});")
            case p.Clear():
                self.line(f"S[{s.at}] = 0;" if s.many == 1 else f"memset(S + {s.at}, 0, {s.many} * sizeof(I));")
            case p.Shift():
                self.line(f"shift(S, {self.num(s.first)}, {self.num(s.last)}, {s.by});")
            case p.If(then=(p.Push() as push,), other=()) if all(map(is_free, push.values)):
                self._push(push, f"{self.num(s.test)} != 0")
            case p.If():
                with self.braces(f"if ({self.num(s.test)})"):
                    self._body(s.then)
                if s.other:
                    with self.braces("else"):
                        self._body(s.other)
            case p.ForRange():
                v, sign = self._name(s.var), "<" if s.step > 0 else ">"
                i = f"i{s.var.number}"
                with self.braces(f"for (I {i} = {self.num(s.start)}; {i} {sign} {self.num(s.stop)}; {i} += {s.step})"):
                    self.line(f"{v} = {i};")
                    self._body(s.body)
            case p.ForList():
                self._for_list(s)
            case p.While():
                with self.braces(f"while ({self.num(s.test)})"):
                    self._body(s.body)
            case p.Break():
                self.line("break;")
            case p.Continue():
                self.line("continue;")
            case p.Once():
                name, index = self._name(s.var), self.num(s.index)
                self.line(f"{name} = m{s.memo}[{index}];")
                with self.braces(f"if (!{name}.cap)"):
                    self._body(s.body)
                    self.line(f"{name}.cap = -1; m{s.memo}[{index}] = {name};")
            case p.OnceNum():
                name, index = self._name(s.var), self.num(s.index)
                self.line(f"{name} = m{s.memo}[{index}];")
                with self.braces(f"if ({name} == UNKNOWN)"):
                    self._body(s.body)
                    self.line(f"m{s.memo}[{index}] = {name};")
            case p.Do():
                self.line(f"f{s.function}({', '.join(['X', 'S', *map(self.value, s.args)])});")
            case p.Return():
                if s.value is None:
                    self.line("{ back(X, begun); return; }" if self.gives_back else "return;")
                elif self.gives_back:
                    self.line(f"{{ I out = {self.value(s.value)}; back(X, begun); return out; }}")
                else:
                    self.line(f"return {self.value(s.value)};")
            case p.Group():
                self._group(s)
            case p.Fail():
                self.line(self._fault(s.number, "0" if s.value is None else self.num(s.value)))
            case p.Pass():
                self.line(f"if (RARE((X->idle += {s.cost}) > {IDLE_LIMIT})) {self._fault(s.fault)}")
            case p.Score():
                self._score(s)
            case p.Remember():
                raise AssertionError("games that remember are not printed as C")
            case p.Tell() | p.Show() | p.Moved() | p.Mark() | p.Refused() | p.FromRule() | p.Tally():
                pass
            case _:
                assert_never(s)

    def _score(self, s: p.Score) -> None:
        self.line("X->scored = 1;")
        rules, points = ", ".join(str(x.rule) for x in s.lines), ", ".join(self.num(x.points) for x in s.lines)
        with self.braces("if (RARE(X->points))"):
            self.line(f"static const I rules[] = {{{rules}}}; const int64_t points[] = {{{points}}};")
            self.line(f"note_points(X, rules, points, {len(s.lines)}, {self.num(s.gained)});")

    def _fault(self, number: int, value: str = "0") -> str:
        return f"fail(X, {number}, {value});"

    def _push(self, s: p.Push, counts: str) -> None:
        """Print what adds a row to a list; where that depends on a test, it is written without a branch, and counts or not."""
        name, width = self._name(s.var), s.var.width
        self.line(f"if (RARE({name}.n >= {name}.cap)) {name} = grown(X, {name}, {width});")
        for i, v in enumerate(s.values):
            at = f"{name}.n" if width == 1 else f"{name}.n * {width} + {i}"
            self.line(f"{name}.p[{at}] = {self.num(v)};")
        if s.var.number in self.storage.known:
            self.line(f"{{ const I more = {counts}; {name}.n += more;")
            self.line(f"b{s.var.number} |= (uint64_t)more << (({self.num(s.values[0])} - {s.var.lo}) & 63); }}")
        else:
            self.line(f"{name}.n += {counts};")

    def _new(self, v: ListVar) -> str:
        """Return a new list: in the function's own memory, or on the heap."""
        if v.number in self.storage.own:
            return f"(L){{a{v.number}, 0, {self._most(v)}}}"
        return f"room(X, {v.longest}, {v.width})" if v.longest * v.width <= ROOM else "(L){0}"

    def _most(self, v: ListVar) -> int:
        """Return how many rows an array has room for: one more than can count, where a row may be written in vain."""
        return v.longest + (v.number in self.storage.known)

    def _for_list(self, s: p.ForList) -> None:
        i = f"i{s.vars[0].number}"
        if isinstance(s.of, p.ListConst):
            if self.unrolls and s.of.longest <= FEW_ROWS and sum(1 for _ in p.statements(s.body)) <= FEW_STATEMENTS:
                self.line(f"#pragma GCC unroll {FEW_ROWS}")  # what a row says is known in its pass
            if self.unrolls and _is_picked(s, s.of):
                self._picked_rows(s, s.of, i)
                return
            with self.braces(f"for (I {i} = 0; {i} < {s.of.longest}; {i}++)"):
                self._row(s, s.of, i)
                self._body(s.body)
            return
        source = self._name(s.of) if s.grows and isinstance(s.of, ListVar) else f"s{s.vars[0].number}"
        with self.braces(""):
            if not s.grows:
                self.line(f"const L {source} = {self.list(s.of)};")
            with self.braces(f"for (I {i} = 0; {i} < {source}.n; {i}++)"):
                for k, v in enumerate(s.vars):
                    at = i if s.of.width == 1 else f"{i} * {s.of.width} + {k}"
                    self.line(f"{self._name(v)} = {source}.p[{at}];")
                self._pass(s.body)

    def _picked_rows(self, s: p.ForList, of: p.ListConst, i: str) -> None:
        """Print a loop that does something for rows that pass a test: without a branch for each row, these are found first."""
        (test,) = s.body
        assert isinstance(test, p.If)
        with self.braces(""):
            self.line(f"uint8_t q{i}[{of.longest}]; uint64_t n{i} = 0;")
            self.line(f"#pragma GCC unroll {of.longest}")
            with self.braces(f"for (I {i} = 0; {i} < {of.longest}; {i}++)"):
                self._row(s, of, i)
                self.line(f"q{i}[n{i}] = (uint8_t){i}; n{i} += {self.num(test.test)} != 0;")
            with self.braces(f"for (uint64_t k{i} = 0; k{i} < n{i}; k{i}++)"):
                self.line(f"const I {i} = q{i}[k{i}];")
                self._row(s, of, i)
                self._body(test.then)

    def _pass(self, body: Body) -> None:
        """Print one pass of a loop: a number that is added unless it is in the list already is added without a branch."""
        match body:
            case (
                *before,
                p.If(test=p.InList(of=ListVar(number=number)) as known, then=(p.Continue(),), other=()),
                p.If(test=test, then=(p.Push() as push,), other=()),
            ) if number in self.storage.known and in_few(known) and is_total(test) and cost(test) <= CHEAP:
                if all(isinstance(v, p.Var | p.Const) for v in push.values):
                    self._body(tuple(before))
                    self._push(push, f"!{self.num(known)} & ({self.num(test)} != 0)")
                    return
        self._body(body)

    def _row(self, s: p.ForList, of: p.ListConst, i: str) -> None:
        """Print the locals of a loop over a table, from row i."""
        for k, v in enumerate(s.vars):
            at = i if of.width == 1 else f"{i} * {of.width} + {k}"
            self.line(f"{self._name(v)} = T{of.table}[{at}];")

    def _group(self, s: p.Group) -> None:
        last = self.list(s.last) if s.last is not None else "(L){0, 1, 0}"
        width = s.last.width if s.last is not None else 0
        with self.braces(""):
            self.line(f"G *g = group(X, {s.move}, {last}, {width});")
            at = 0
            for v in s.first:
                if p.is_list(v):
                    self.line(f"memcpy(g->first + {at}, ({self.list(v)}).p, {v.longest} * sizeof(I));")
                    at += v.longest
                else:
                    self.line(f"g->first[{at}] = {self.num(v)};")  # type: ignore[arg-type]
                    at += 1

    # numbers and lists -----------------------------------------------------------------------------------

    def value(self, v: Num | List) -> str:
        return self.list(v) if p.is_list(v) else self.num(v)  # type: ignore[arg-type]

    def num(self, e: Num, guard: str = "") -> str:
        """Return the text of a number. Where it is worked out although `guard` may not hold, it then reads at 0."""

        def num(x: Num) -> str:
            return self.num(x, guard)

        match e:
            case p.Const():
                return str(e.value) if e.value >= 0 else f"({e.value})"
            case p.Var():
                return f"v{e.number}"
            case p.Known():
                return num(e.of)
            case p.Load():
                return f"S[{self._index(e.at, guard)}]"
            case p.Cell():
                return f"T{e.table}[{self._index(e.index, guard)}]"
            case p.Bin(op="min" | "max"):
                wide = "wide_" if is_wide(e.left) or is_wide(e.right) else ""
                return f"{wide}{e.op}_({num(e.left)}, {num(e.right)})"
            case p.Bin() if is_wide(e) or is_wide(e.left) or is_wide(e.right):
                return self._wide(e, guard)
            case p.Bin(op="/" | "%"):
                if e.left.lo >= 0 and e.right.lo > 0:
                    return f"({num(e.left)} {e.op} {num(e.right)})"
                return f"{'divided' if e.op == '/' else 'modulo'}({num(e.left)}, {num(e.right)})"
            case p.Cmp(op=">", left=left, right=p.Const(value=0)) if left.lo >= 0 and not is_wide(left):
                return f"((uint32_t){num(left)} >= 1u)"  # which adds up without a branch
            case p.Bin() | p.Cmp():
                return f"({num(e.left)} {e.op} {num(e.right)})"
            case p.Within() if is_wide(e.of):
                return f"({num(e.of)} >= {e.low} && {num(e.of)} <= {e.high})"
            case p.Within():
                low = f" - {e.low}" if e.low > 0 else f" + {-e.low}" if e.low else ""
                return f"((uint32_t)({num(e.of)}{low}) <= {e.high - e.low}u)"
            case p.Not():
                return f"(!{num(e.of)})"
            case p.And():
                return self._all(e.parts, "&", guard)
            case p.Or():
                return self._all(e.parts, "|", guard)
            case p.Select():
                return self._select(e, guard)
            case p.SumRange():
                return f"sum_range(S + {self._index(e.at, guard)}, {e.many}, {e.step})"
            case p.CountRange():
                return f"count_range(S + {self._index(e.at, guard)}, {e.many}, {num(e.value)})"
            case p.AnyRange():
                return f"any_range(S + {self._index(e.at, guard)}, {e.many}, {e.step}, {e.width})"
            case p.Call():
                name = f"f{e.function}" if e.after is None else f"t{e.after}_{e.function}"
                return f"{name}({', '.join(['X', 'S', *map(self.value, e.args)])})"
            case p.Noted():
                raise AssertionError("games that remember are not printed as C")
            case p.Len():
                return f"({self.list(e.of)}).n"
            case p.Item(of=ListVar(number=number)) if number in self.storage.bits:
                return f"((I)(l{number} >> {num(e.index)}) & 1)"
            case p.Item():
                return f"({self.list(e.of)}).p[{num(e.index)}]"
            case p.InList(of=ListVar(number=number, lo=lo)) if number in self.storage.known and in_few(e):
                return f"((I)(b{number} >> ({num(e.item)} - {lo})) & 1)"
            case p.InList():
                return f"in_list({num(e.item)}, {self.list(e.of)})"
            case _:
                assert_never(e)

    def _wide(self, e: p.Bin, guard: str) -> str:
        """Arithmetic with numbers that 32 bits may not hold."""
        left, right = f"(int64_t){self.num(e.left, guard)}", self.num(e.right, guard)
        if e.op in ("/", "%"):
            return f"wide_{'divided' if e.op == '/' else 'modulo'}({left}, {right})"
        return f"({left} {e.op} {right})"

    def _index(self, at: Num, guard: str) -> str:
        text = self.num(at, guard)
        return f"({text} & -{guard})" if guard and not is_total(at) else text

    def _all(self, parts: tuple[Num, ...], op: str, guard: str) -> str:
        """Return several conditions as one: neighbours that are cheap and safe anywhere are joined without branches."""
        found: list[list[str]] = []
        spent = CHEAP + 1
        for part in parts:
            text, price = self.num(part, guard), cost(part) if is_total(part) else CHEAP + 1
            if spent + price <= CHEAP:
                found[-1].append(text)
                spent += price
            else:
                found.append([text])
                spent = price
        joined = [texts[0] if len(texts) == 1 else f"({f' {op} '.join(texts)})" for texts in found]
        return joined[0] if len(joined) == 1 else f"({f' {op * 2} '.join(joined)})"

    def _select(self, e: p.Select, guard: str) -> str:
        """Return one of two numbers; both are worked out if they are cheap and neither can overflow."""
        both = (e.then, e.other)
        if cost(e) > CHEAP or any(is_wide(x) or not self.unguarded.is_defined(x) for x in both):
            return f"({self.num(e.test, guard)} ? {self.num(e.then, guard)} : {self.num(e.other, guard)})"
        self.tests += 1
        test = f"c{self.tests}"
        yes, no = (f"({guard} & {test})", f"({guard} & !{test})") if guard else (test, f"!{test}")
        then, other = self.num(e.then, yes), self.num(e.other, no)
        return f"({{ const I {test} = {self.num(e.test, guard)}; pick({test}, {then}, {other}); }})"

    def list(self, e: List) -> str:
        match e:
            case p.ListVar():
                return f"l{e.number}"
            case p.ListConst():
                return f"((L){{(I *)T{e.table}, {e.longest}, -1}})"
            case p.ListCell():
                return f"row(T{e.table}, O{e.table}, {self.num(e.index)})"
            case p.ListFrame():
                return f"((L){{S + {e.at + 1}, S[{e.at}], -1}})"
            case p.ListSlots():
                return f"((L){{S + {e.at}, {e.longest}, -1}})"
            case p.ListCall():
                return f"f{e.function}({', '.join(['X', 'S', *map(self.value, e.args)])})"
            case _:
                assert_never(e)

    # decisions -------------------------------------------------------------------------------------------

    def _decision(self, number: int, d: p.Decision) -> None:
        self.line("fresh(X);")
        self.storage = NOWHERE  # what lists refer to is looked at after the function has returned
        self._locals(d.before)
        self._body(d.before)
        match d:
            case p.Ask():
                self._ask(number, d)
            case p.Draw():
                self._draw(number, d)
            case p.Roll():
                self._roll(number, d)
            case _:
                assert_never(d)

    def _wait(self, number: int, who: str = "0", status: str = "WAITS") -> str:
        return f"{{ S[{BLOCK}] = {number}; X->who = {who}; X->status = {status}; return; }}"

    def _pause(self, number: int) -> None:
        """Print what stops here if the call has done enough; the next one goes on."""
        self.line(f"if (RARE(--X->fuel < 0)) {self._wait(number, '-1', 'GOING')}")

    def _decided(self, endless: int, *, player: bool) -> str:
        """Print what counts a decision; one too many is a fault."""
        steps = "X->steps--; " if player else ""
        return f"if (RARE(X->more <= 0)) {self._fault(endless)} {steps}X->more--; X->idle = 0;"

    def _ask(self, number: int, d: p.Ask) -> None:
        self.line("const G *g; I *last;")
        self.line(f"if (RARE(X->acts)) {{ X->acts = 0; X->idle = 0; g = &X->chosen; last = g->rows; goto P{number}; }}")
        self._pause(number)
        if d.drawing is not None:
            self._draw_move(number, d, d.drawing)
        self.line("X->ngroups = X->total = 0;")
        for option in d.options:
            given = (*option.given, *option.but)
            args = ", ".join(["X", "S", self.num(d.player), *map(self.value, given)])
            self.line(f"f{option.legal}({args});")
        missing = self._fault(d.no_move)
        if d.otherwise is not None:
            unused = "" if d.drawing is None else f"if (X->keys) unturn(X->keys, {self.num(d.player)}); "
            missing = f"{{ {unused}X->idle += {d.cost}; goto B{d.otherwise}; }}"
        self.line(f"if (RARE(!X->total)) {missing}")
        if d.too_many is not None:
            self.line(f"if (RARE(X->total > {MOST_MOVES})) {self._fault(d.too_many)}")
        self.line("I r = 0;")
        if d.forced:
            self.line(f"if (X->total <= 1) X->idle += {d.cost};")
        with self.braces("if (X->total > 1)" if d.forced else ""):
            with self.braces("if (RARE(X->steps <= 0))"):
                self.line(f"if (!X->keys) {self._wait(number, self.num(d.player))}")
                who = self.num(d.player)
                if d.drawing is None:
                    self._out_of_luck(number)
                    drawn = f"share((uint32_t)(next_turn(X->keys, {who}) >> 32), X->total)"
                else:
                    drawn = "below(&X->state, X->total)"
                self.line(self._decided(d.endless, player=False))
                self.line(f"g = by_key(X->keys, {who}, {drawn}, &last); goto P{number};")
            self.line(self._decided(d.endless, player=True))
            self.line("r = below(&X->state, X->total);")
        self.line("g = X->groups; while (r >= g->n) r -= g++->n;")
        self.line("last = g->rows + r * g->width;")
        self.line(f"P{number}: (void)last;")
        with self.braces("switch (g->move)"):
            for option in d.options:
                with self.braces(f"case {option.move}:"):
                    self._play(number, d, option)
        self.line("return;")

    def _play(self, number: int, d: p.Ask, option: p.MoveOption) -> None:
        """Print what plays the move of group `g` with the last value at `last`."""
        fixed = 1 + len(option.given)
        given = [self.num(d.player), *map(self.value, option.given)]
        if option.play is not None:
            parameters = self.functions[option.play].parameters[fixed:]
            shapes = [v.longest if isinstance(v, ListVar) else 0 for v in parameters]
            chosen = self._arguments(shapes)
            self.line(f"f{option.play}({', '.join(['X', 'S', *given, *chosen])}); goto B{d.after};")
            return
        self.line(f"S[{option.back}] = {d.after};")
        if option.again is not None:
            self.line(f"S[{option.again}] = {number};")
        shapes = [s.many if s.many != 1 else 0 for s in option.slots[fixed:]]
        for slots, text in zip(option.slots, [*given, *self._arguments(shapes)], strict=True):
            if slots.framed or slots.many != 1:
                self.line(f"keep(S + {slots.at}, {text}, {int(slots.framed)});")
            else:
                self.line(f"S[{slots.at}] = {text};")
        self.line(f"goto B{option.entry};")

    def _draw_move(self, number: int, d: p.Ask, drawing: p.Drawing) -> None:
        """Print what draws a legal choice; goes on below only where none was found."""
        (option,) = d.options
        given = ", ".join(["X", "S", self.num(d.player), *map(self.value, option.given)])
        many = len(self.program.tables[drawing.values])
        width = len(self.functions[drawing.legal].parameters) - len(option.given) - 2
        found = self.found.get(drawing.rows)
        self.line("G drawn;")
        with self.braces("if (X->steps > 0 || X->keys)"):
            self.line("I total = 0;")
            with self.braces("if (RARE(X->keys))"):
                self._out_of_luck(number)
                counted = f"X->ngroups = X->total = 0; f{option.legal}({given}); total = X->total;"
                self.line(f"if (X->counts) {{ {counted} }}")
                self.line(f"X->state = next_turn(X->keys, {self.num(d.player)});")
            if found is None:
                self.line(f"const L rows = f{drawing.rows}({given}); const I n = rows.n * {many};")
                columns, drawn = tuple(range(width)), f"rows.p + r / {many} * {width}"
            else:
                self.line(f"{found.number} rows[{found.loop.of.longest}];")
                self.line(f"const I n = f{drawing.rows}({given}, rows) * {many};")
                columns, drawn = found.columns, f"T{found.table} + rows[r / {many}] * {found.loop.of.width}"
            values = f"(I *)T{drawing.values} + r % {many}"
            legal = f"f{drawing.legal}({', '.join([given, *(f'row[{i}]' for i in columns), '*last'])})"
            with self.braces("if (n)"):
                self.line("uint64_t state = X->state; uint32_t r = (uint32_t)below(&state, n);")
                self.line(f"const I *row = {drawn}; last = {values};")
                with self.braces(f"for (I t = 0; t < {TRIES}; t++)"):
                    # the next one is looked up before this one is tried, as half of the guesses at how that ends are wrong
                    self.line("uint64_t next = state; r = (uint32_t)below(&next, n);")
                    self.line(f"const I *next_row = {drawn}; I *next_last = {values};")
                    self.line("X->state = state;")
                    with self.braces(f"if ({legal})"):
                        self.line(self._decided(d.endless, player=True))
                        for i, column in enumerate(columns):
                            self.line(f"drawn.first[{i}] = row[{column}];")
                        self.line(f"drawn.move = {option.move}; g = &drawn;")
                        self.line(f"if (RARE(X->keys)) by_turn(X->keys, {self.num(d.player)}, total, g, last);")
                        self.line(f"goto P{number};")
                    self.line("state = next; row = next_row; last = next_last;")

    def _arguments(self, shapes: Sequence[int]) -> Sequence[str]:
        """Return the chosen values of group `g`: numbers, and lists of counts."""
        out, at = [], 0
        for i, many in enumerate(shapes):
            if i == len(shapes) - 1:
                out.append(f"((L){{last, {many}, -1}})" if many else "*last")
            elif many:
                out.append(f"((L){{(I *)g->first + {at}, {many}, -1}})")
                at += many
            else:
                out.append(f"g->first[{at}]")
                at += 1
        return out

    def _out_of_luck(self, number: int) -> None:
        """Print what stops here until more numbers for chance are given."""
        self.line(f"if (OUT_OF_LUCK) {self._wait(number, '-1', 'GOING')}")

    def _rounds(self, number: int) -> None:
        self.line(f"if (X->scored && X->rounds) {{ X->scored = 0; if (--X->rounds == 0) {self._wait(number)} }}")

    def _draw(self, number: int, d: p.Draw) -> None:
        take = f"f{d.take}(X, S, {{}}); S[{d.left}]--;"
        self.line(
            f"if (RARE(X->acts)) {{ X->acts = 0; X->idle = 0; {take.format('X->chosen.first[0]')} goto B{number}; }}"
        )
        self._pause(number)
        n = len(d.kinds)
        few = d.only is None and 0 < n <= KINDS and not d.returns
        self.line(f"static const I kinds[] = {{{', '.join(map(str, d.kinds)) or '0'}}};")
        self.line(f"static const I slots[] = {{{', '.join(map(str, d.slots)) or '0'}}};")
        only = "1" if d.only is None else f"in_list(kinds[i], {self.list(d.only)})"
        pile = f"S[{self.num(d.pile)} + slots[i]]"
        good = "" if few else "good[i] && "
        count = f"for (I i = 0; i < {n}; i++) if (good[i]) total += {pile};"
        self.line(f"I left = S[{d.left}], total = 0;")
        with self.braces("if (left > 0)"):
            self.line("const I odd = !PLAIN_CHANCE; I first = 1;")
            if few:
                self._begin_few(d)
            else:
                self.line(f"I good[{n or 1}]; for (I i = 0; i < {n}; i++) good[i] = {only};")
                self.line(count)
            if few and self._is_steady(d):
                self._draw_at_once(number, d)
            with self.braces("for (; left > 0; left--)"):
                self.line(f"S[{d.left}] = left;")
                self.line("if (RARE(total <= 0)) " + ("break;" if d.up_to else self._fault(d.too_few)))
                with self.braces("if (RARE(odd))"):
                    with self.braces("if (X->open)"):
                        self.line(f"L l = room(X, {n}, 2);")
                        push = f"l.p[2 * l.n] = kinds[i], l.p[2 * l.n++ + 1] = {pile};"
                        self.line(f"for (I i = 0; i < {n}; i++) if ({good}{pile} > 0) {push}")
                        self.line(f"X->ngroups = X->total = 0; group(X, 0, l, 2); {self._wait(number)}")
                    self._rounds(number)
                    # a piece that changes nobody's standing is like the one before it
                    again = " : has_room(X->keys)" if self._is_steady(d) else " : ready_for_lot(X->keys)"
                    self.line(
                        f"if (NO_LUCK(first ? ready_for_lot(X->keys){again})) {self._wait(number, '-1', 'GOING')}"
                    )
                    self.line("first = 0;")
                self.line(self._decided(d.endless, player=False))
                if few:
                    self._one_of_few(number, d)
                else:
                    self.line(f"I r = share(chance(X, {number}), total), i = 0;")
                    self.line(f"for (;; i++) if (good[i]) {{ r -= {pile}; if (r < 0) break; }}")
                    self.line("const I k = kinds[i];")
                self.line(f"if (RARE(odd)) by_chance(X, {number}, k, 0); f{d.take}(X, S, k);")
                self.line(f"total = 0; {count}" if d.returns else "total--;")
        self.line(f"S[{d.left}] = 0; goto B{d.after};")

    def _is_steady(self, d: p.Draw) -> bool:
        """Return whether nobody's standing depends on where the pieces of this draw lie: on no slot that taking one changes."""
        effects = [s for s in p.statements(self.functions[d.take].body) if isinstance(s, EFFECTS)]
        stored = [s.at for s in effects if isinstance(s, p.Store)]
        if not self.standing or len(stored) < len(effects):
            return False
        return all(at.hi < self.standing.start or self.standing.stop <= at.lo for at in stored)

    def _begin_few(self, d: p.Draw) -> None:
        """Print locals that hold how many pieces there are up to each kind, so that no draw waits for the store before it."""
        self.line("uint64_t state = X->state;")
        for i, slot in enumerate(d.slots):
            self.line(f"I u{i} = total += S[{self.num(p.add(d.pile, p.const(slot)))}];")

    def _draw_at_once(self, number: int, d: p.Draw) -> None:
        """Print what draws all pieces by key, if there is room to note them; nobody's standing changes meanwhile."""
        with self.braces("if (X->keys)"):
            self._out_of_luck(number)
            self.line("const I many = lots_at_once(X, left, total);")
            self.line(f"const uint64_t from = many ? begin_lots(X->keys, {number}) : 0;")
            self.line("int64_t *trail = X->keys->trail + X->keys->made;")
            with self.braces("for (I m = 0; m < many; m++, total--)"):
                self.line("I r = share((uint32_t)(mixed(from + (uint64_t)m) >> 32), total), i = 0;")
                self._kind_of_few(d)
                self.line(f"trail[m] = lot({number}, k); f{d.take}(X, S, k);")
            self.line(f"if (many) end_lots(X, {number}, many); left -= many;")

    def _one_of_few(self, number: int, d: p.Draw) -> None:
        """Print what draws the kind `k`, without a branch."""
        self.line(f"I r = share(RARE(odd) && GIVEN_LUCK ? lucky(X, {number}) : bits(&state), total), i = 0;")
        self.line("X->state = state;")
        self._kind_of_few(d)

    def _kind_of_few(self, d: p.Draw) -> None:
        """Print what makes of `r` the kind `k`."""
        for i in range(len(d.kinds) - 1):
            self.line(f"const I p{i} = r >= u{i}; i += p{i}, u{i} -= !p{i};")
        in_order = d.kinds == tuple(range(d.kinds[0], d.kinds[0] + len(d.kinds)))
        self.line(f"const I k = {f'{d.kinds[0]} + i' if in_order else 'kinds[i]'};")

    def _roll(self, number: int, d: p.Roll) -> None:
        rows = self.list(d.rows)
        value = "X->chosen.first[0]"
        self.line(f"if (RARE(X->acts)) {{ X->acts = 0; X->idle = 0; S[{d.slot}] = {value}; goto B{d.after}; }}")
        self._pause(number)
        self.line(f"if (RARE(!{rows}.n)) {self._fault(d.nothing)}")
        listed = f"X->ngroups = X->total = 0; group(X, 0, {rows}, 2);"
        self.line(f"if (RARE(X->open)) {{ {listed} {self._wait(number)} }}")
        self._rounds(number)
        self._out_of_luck(number)
        self.line(self._decided(d.endless, player=False))
        self.line(f"int64_t r, total = 0; for (I i = 0; i < {rows}.n; i++) total += {rows}.p[2 * i + 1];")
        self.line(f"r = share_many(chance(X, {number}), total); I *q = {rows}.p; while ((r -= q[1]) >= 0) q += 2;")
        self.line(f"by_chance(X, {number}, *q, 1); S[{d.slot}] = *q; goto B{d.after};")


@dataclass(frozen=True, slots=True)
class _Search:
    """A function that gives some rows of a table: those for which a test holds."""

    rows: ListVar
    before: Body
    loop: p.ForList
    of: p.ListConst
    inside: Body  # of the loop, before the test
    test: Num
    columns: tuple[int, ...]  # of the table, which make the rows

    @property
    def table(self) -> int:
        return self.of.table

    @property
    def number(self) -> str:
        """The type that holds the number of a row."""
        return "uint8_t" if self.of.longest <= 1 << 8 else "uint16_t"


def _search(f: p.Function) -> _Search | None:
    """Return what a function searches for, if it is one loop over a table and keeps rows of that alone."""
    match f.body:
        case (p.NewList(var=rows), *before, p.ForList(of=p.ListConst() as of, body=body) as loop, p.Return(value=out)):
            test: Num = p.ONE
            match body:
                case (*inside, p.If(test=test, then=(p.Push() as push,), other=())):
                    pass
                case (*inside, p.Push() as push):
                    pass
                case _:
                    return None
            plain = all(isinstance(s, p.Set) for s in (*before, *inside))
            columns = [loop.vars.index(v) if v in loop.vars else -1 for v in push.values]
            if rows == push.var == out and plain and min(columns) >= 0 and of.longest < 1 << 16:
                return _Search(rows, tuple(before), loop, of, tuple(inside), test, tuple(columns))
    return None


def _is_picked(s: p.ForList, of: p.ListConst) -> bool:
    """Return whether the rows of a loop that pass a test can all be found before something is done for the first of them."""
    match s.body:
        case (p.If(test=test, then=then, other=()),) if FEW_ROWS < of.longest <= UNROLLED:
            inside = list(p.statements(then))
            changing = {v.number for x in inside for v in p.assigned(x)}
            if any(isinstance(x, EFFECTS) for x in inside) or not is_total(test) or cost(test) > CHEAP:
                return False
            return not any(isinstance(x, Var | ListVar) and x.number in changing for x in p.walk(test))
    return False


def _taking_memory(program: Program) -> set[int]:
    """Return the functions that make lists, or call one that does."""
    found: set[int] = set()
    calls: dict[int, set[int]] = {}
    for f in program.functions:
        inside = list(p.statements(f.body))
        calls[f.number] = {s.function for s in inside if isinstance(s, p.Do)}
        for s in inside:
            for e in (x for operand in p.operands(s) for x in p.walk(operand)):
                if isinstance(e, p.Call | p.ListCall):
                    calls[f.number].add(e.function)
        if any(isinstance(s, p.NewList | p.Ways | p.SetList | p.Group) for s in inside):
            found.add(f.number)
    while more := {f for f, called in calls.items() if f not in found and called & found}:
        found |= more
    return found
