"""A program → text for people: what the printers print, before it is Python or C, with the line of each rule beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from interpreter.compile import program as p
from interpreter.compile.program import Body, List, ListVar, Num, Program, Statement, Var
from rulespec.diagnostics.diagnostic import Span, shown_file

COLUMN = 100  # where the line of a rule is written
INDENT = "    "


def to_text(program: Program) -> str:
    """Return a program as text: tables, functions, blocks, one statement a line."""
    return "\n".join(_program(program)) + "\n"


def _program(program: Program) -> Iterator[str]:
    for number, rows in enumerate(program.tables):
        yield f"table {number} = {', '.join(map(_entry, rows))}"
    for f in program.functions:
        yield ""
        head = f"f{f.number}({', '.join(map(_declared, f.parameters))})"
        result = "" if f.result == "nothing" else f" gives a {f.result}"
        yield _beside(f"{head}{result}: {f.role}", f.span)
        yield from _indented(f.body)
    for number, block in enumerate(program.blocks):
        yield ""
        begins = " begins the game" if number == program.begin else ""
        yield _beside(f"b{number}:{begins}", block.span)
        yield from _indented(block.body)
        yield from (INDENT + line for line in _ending(number, block.end, program))


def _entry(row: int | tuple[int, ...]) -> str:
    return str(row) if isinstance(row, int) else f"({', '.join(map(str, row))})"


def _declared(v: Var | ListVar) -> str:
    if isinstance(v, ListVar):
        return f"l{v.number}: up to {v.longest} of {v.lo}..{v.hi}"
    return f"v{v.number}: {v.lo}..{v.hi}"


def _beside(text: str, span: Span | None) -> str:
    return text if span is None else f"{text:<{COLUMN}}  {shown_file(span.file)}:{span.line}".rstrip()


def _indented(body: Body) -> Iterator[str]:
    """Yield the statements of a body, one a line; the rule is named where it changes."""
    rule: Span | None = None
    shown: Span | None = None
    for s in body:
        if isinstance(s, p.FromRule):
            rule = s.span
            continue
        lines = list(_statement(s))
        yield INDENT + (_beside(lines[0], rule) if rule != shown else lines[0])
        yield from (INDENT + line for line in lines[1:])
        shown = rule


def _statement(s: Statement) -> Iterator[str]:
    match s:
        case p.Set():
            yield f"v{s.var.number} = {_num(s.value)}"
        case p.SetList():
            yield f"l{s.var.number} = {_list(s.value)}"
        case p.NewList():
            yield f"l{s.var.number} = {s.zeros} zeros" if s.zeros else f"l{s.var.number} = nothing"
        case p.Push():
            yield f"l{s.var.number} gains {_all(s.values)}"
        case p.Put():
            yield f"l{s.var.number}[{_num(s.index)}] = {_num(s.value)}"
        case p.Ways():
            yield f"l{s.var.number} = ways to take {_num(s.least)} to {_num(s.most)} of {_all(s.counts)}"
        case p.Store():
            yield f"S[{_num(s.at)}] = {_num(s.value)}"
        case p.Keep():
            yield f"S[{s.at}…] = {'length and items of ' if s.framed else ''}{_list(s.value)}"
        case p.Clear():
            yield f"S[{s.at}:{s.at + s.many}] = 0"
        case p.Shift():
            yield f"S[{_num(s.first)}:{_num(s.last)} + 1] moves {'up' if s.by > 0 else 'down'} by 1"
        case p.If():
            yield f"if {_num(s.test)}:"
            yield from _indented(s.then)
            if s.other:
                yield "else:"
                yield from _indented(s.other)
        case p.ForRange():
            step = f" by {s.step}" if s.step != 1 else ""
            yield f"for v{s.var.number} from {_num(s.start)} to before {_num(s.stop)}{step}:"
            yield from _indented(s.body)
        case p.ForList():
            names = ", ".join(f"v{v.number}" for v in s.vars)
            yield f"for {names} in {_list(s.of)}{', which may grow' if s.grows else ''}:"
            yield from _indented(s.body)
        case p.While():
            yield f"while {_num(s.test)}:"
            yield from _indented(s.body)
        case p.Break():
            yield "break"
        case p.Continue():
            yield "continue"
        case p.Once() | p.OnceNum():
            kind = "l" if isinstance(s, p.Once) else "v"
            yield f"{kind}{s.var.number} = once for each {_num(s.index)} of {s.size}:"
            yield from _indented(s.body)
        case p.Do():
            yield f"f{s.function}({_all(s.args)})"
        case p.Return():
            yield "return" if s.value is None else f"return {_value(s.value)}"
        case p.Group():
            last = "" if s.last is None else f", each of {_list(s.last)}"
            yield f"legal: move {s.move} ({_all(s.first)}){last}"
        case p.Fail():
            yield f"fault {s.number}" + ("" if s.value is None else f" with {_num(s.value)}")
        case p.Pass():
            yield f"count {s.cost} passes; too many are fault {s.fault}"
        case p.Tally():
            yield f"event: {s.cost} steps, {_num(s.times)} times"
        case p.Score():
            yield f"event: player {_num(s.player)} gained {_num(s.gained)}:"
            yield from _indented(s.body)
            for line in s.lines:
                yield f"{INDENT}rule {line.rule} ({_all(line.args)}) gives {_num(line.points)}, shows {_all(line.shown)}"
        case p.Remember():
            yield f"note {_stretches(s.stretches)} as {s.number}"
        case p.Tell():
            yield f"event: text {s.text}, shows {_all(s.shown)}:"
            yield from _indented(s.body)
        case p.Show():
            yield f"event: text {s.text}, shows {_all((s.places,))} to {_all((s.to,))}:"
            yield from _indented(s.body)
        case p.Moved():
            yield f"event: {_num(s.many)} of kind {_num(s.kind)} from {_num(s.source)} to {_num(s.goal)}"
        case p.Mark():
            yield f"event: mark {s.number}"
        case p.Refused():
            yield f"event: move {s.move} refused by condition {s.condition}"
        case p.FromRule():
            return
        case _:
            assert_never(s)


def _ending(number: int, end: p.Ending, program: Program) -> Iterator[str]:
    match end:
        case p.Goto():
            yield f"go to b{end.block}"
        case p.Branch():
            yield f"go to b{end.then} if {_num(end.test)} else b{end.other}"
        case p.GoBack():
            yield f"go to the block in S[{end.slot}]"
        case p.End():
            yield "the game is over"
        case p.Wait():
            yield from _decision(program.decisions[number])
        case _:
            assert_never(end)


def _decision(d: p.Decision) -> Iterator[str]:
    yield from (line.removeprefix(INDENT) for line in _indented(d.before))
    match d:
        case p.Ask():
            forced = ", where there is more than one move" if d.forced else ""
            yield f"ask player {_num(d.player)}{forced}:"
            for o in d.options:
                how = f"f{o.play}" if o.play is not None else f"b{o.entry}"
                given = f", given {_all(o.given)}" if o.given else ""
                yield f"{INDENT}move {o.move}: legal by f{o.legal}, played by {how}{given}"
            none = f"fault {d.no_move}" if d.otherwise is None else f"b{d.otherwise}"
            yield f"{INDENT}no move: {none}"
        case p.Draw():
            only = "" if d.only is None else f", only {_list(d.only)}"
            fewer = "as many as there are" if d.up_to else f"else fault {d.too_few}"
            kinds = ", ".join(map(str, d.kinds))
            yield f"draw S[{d.left}] pieces of {kinds}{only} from {_num(d.pile)}, each by f{d.take}; {fewer}"
        case p.Roll():
            yield f"roll one of {_list(d.rows)} by weight into S[{d.slot}]; nothing to roll is fault {d.nothing}"
        case _:
            assert_never(d)
    yield f"then go to b{d.after}"


def _all(values: Iterable[Num | List]) -> str:
    return ", ".join(map(_value, values))


def _value(v: Num | List) -> str:
    return _list(v) if p.is_list(v) else _num(v)  # type: ignore[arg-type]


def _num(e: Num) -> str:
    match e:
        case p.Const():
            return str(e.value)
        case p.Var():
            return f"v{e.number}"
        case p.Known():
            return _num(e.of)
        case p.Load():
            return f"S[{_num(e.at)}]"
        case p.Cell():
            return f"table {e.table}[{_num(e.index)}]"
        case p.Bin(op="min" | "max"):
            return f"{e.op}({_num(e.left)}, {_num(e.right)})"
        case p.Bin() | p.Cmp():
            return f"({_num(e.left)} {e.op} {_num(e.right)})"
        case p.Within():
            return f"({_num(e.of)} in {e.low}..{e.high})"
        case p.Not():
            return f"not {_num(e.of)}"
        case p.And():
            return f"({' and '.join(map(_num, e.parts))})"
        case p.Or():
            return f"({' or '.join(map(_num, e.parts))})"
        case p.Select():
            return f"({_num(e.then)} if {_num(e.test)} else {_num(e.other)})"
        case p.SumRange():
            return f"sum of {e.many} from S[{_num(e.at)}]{f' by {e.step}' if e.step != 1 else ''}"
        case p.CountRange():
            return f"count of {_num(e.value)} among {e.many} from S[{_num(e.at)}]"
        case p.AnyRange():
            return f"any of {e.many} × {e.width} from S[{_num(e.at)}] by {e.step}"
        case p.Call(after=int(after)):
            return f"f{e.function} after f{after}({_all(e.args)})"
        case p.Call():
            return f"f{e.function}({_all(e.args)})"
        case p.Noted():
            return f"how often {_stretches(e.stretches)} was noted as {e.number}"
        case p.Len():
            return f"length of {_list(e.of)}"
        case p.Item():
            return f"{_list(e.of)}[{_num(e.index)}]"
        case p.InList():
            return f"({_num(e.item)} in {_list(e.of)})"
        case _:
            assert_never(e)


def _list(e: List) -> str:
    match e:
        case p.ListVar():
            return f"l{e.number}"
        case p.ListConst():
            return f"table {e.table}"
        case p.ListCell():
            return f"table {e.table}[{_num(e.index)}]"
        case p.ListFrame():
            return f"the list at S[{e.at}]"
        case p.ListSlots():
            return f"S[{e.at}:{e.at + e.longest}]"
        case p.ListCall():
            return f"f{e.function}({_all(e.args)})"
        case _:
            assert_never(e)


def _stretches(stretches: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"S[{first}:{end}]" for first, end in stretches)
