"""The program of a game as data: expressions, statements, functions and blocks, typed and immutable.

Every value is a whole number or a list of whole numbers. A number knows the range it lies in, so that an address or an
index can be seen to be good without running anything. Names are numbers given by the lowering; no text of an author's
is in a program. What people read (titles, labels, refusals, where a rule is written) stays in tables beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter, eq, ge, gt, le, lt, ne
from typing import Any, TypeGuard

from interpreter.fault import FaultEntry
from rulespec.diagnostics.diagnostic import Span

# Numbers --------------------------------------------------------------------------------------------------

SHOWN, NARROWED, ALWAYS = "shown", "narrowed", "always"  # why something is known of a number


@dataclass(frozen=True, slots=True)
class Const:
    value: int

    @property
    def lo(self) -> int:
        return self.value

    @property
    def hi(self) -> int:
        return self.value


@dataclass(frozen=True, slots=True)
class Var:
    """A local number. It is assigned before it is read, on every way to the reading."""

    number: int
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Known:
    """`of`, known to lie in lo..hi.

    SHOWN: tests around it have shown just that. NARROWED: by its type, after a test that looks at it. ALWAYS: wherever it
    is worked out, since the checker or the rules of the state say so.
    """

    of: Num
    lo: int
    hi: int
    why: str = SHOWN


@dataclass(frozen=True, slots=True)
class Load:
    """The number at an address of the state."""

    at: Num
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Cell:
    """An entry of a table of numbers, counted from 0."""

    table: int
    index: Num
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Bin:
    """`op` is one of + - * / % min max; / and % round down, their right side is never 0."""

    op: str
    left: Num
    right: Num
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Cmp:
    """`op` is one of == != < <= > >=; 1 if it holds, else 0."""

    op: str
    left: Num
    right: Num
    lo: int = 0
    hi: int = 1


@dataclass(frozen=True, slots=True)
class Within:
    """1 if low <= of <= high."""

    of: Num
    low: int
    high: int
    lo: int = 0
    hi: int = 1


@dataclass(frozen=True, slots=True)
class Not:
    of: Num
    lo: int = 0
    hi: int = 1


@dataclass(frozen=True, slots=True)
class And:
    """1 if all are 1; a part is looked at only where those before it are 1."""

    parts: tuple[Num, ...]
    lo: int = 0
    hi: int = 1


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Num, ...]
    lo: int = 0
    hi: int = 1


@dataclass(frozen=True, slots=True)
class Select:
    """`then` if `test` is 1, else `other`; only one of them is looked at."""

    test: Num
    then: Num
    other: Num
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class SumRange:
    """The sum of `many` numbers of the state, `step` apart."""

    at: Num
    many: int
    step: int
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class CountRange:
    """How many of `many` neighbouring numbers of the state are equal to `value`."""

    at: Num
    many: int
    value: Num
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class AnyRange:
    """1 if any number of the state is not 0 among `many` stretches of `width` numbers, `step` apart."""

    at: Num
    many: int
    step: int
    width: int
    lo: int = 0
    hi: int = 1


@dataclass(frozen=True, slots=True)
class Call:
    """The number a pure function gives.

    With `after`, it is given a copy of the state on which that procedure has run, from the same arguments; if the
    procedure fails, the number is 0.
    """

    function: int
    args: tuple[Num | List, ...]
    lo: int
    hi: int
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """How often these stretches of the state were remembered under that number just as they are now."""

    number: int
    stretches: tuple[tuple[int, int], ...]  # of each the first slot, and the first one after it
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Len:
    of: List
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list that is as long as `index` needs: pieces chosen together have one number a kind."""

    of: List
    index: Num
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class InList:
    item: Num
    of: List
    lo: int = 0
    hi: int = 1


Num = (
    Const
    | Var
    | Known
    | Load
    | Cell
    | Bin
    | Cmp
    | Within
    | Not
    | And
    | Or
    | Select
    | SumRange
    | CountRange
    | AnyRange
    | Call
    | Noted
    | Len
    | Item
    | InList
)

# Lists ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListVar:
    """A local list. Its items are rows of `width` numbers; lists of rows are only iterated over and chosen from."""

    number: int
    lo: int
    hi: int
    longest: int
    width: int = 1
    columns: tuple[tuple[int, int], ...] = ()  # the range of each number of a row, where that is not lo..hi


@dataclass(frozen=True, slots=True)
class ListConst:
    """A whole table as a list."""

    table: int
    lo: int
    hi: int
    longest: int
    width: int = 1


@dataclass(frozen=True, slots=True)
class ListCell:
    """A list that is an entry of a table of lists, counted from 0."""

    table: int
    index: Num
    lo: int
    hi: int
    longest: int
    width: int = 1


@dataclass(frozen=True, slots=True)
class ListFrame:
    """A list kept in the state: its length at `at`, its items after it."""

    at: int
    lo: int
    hi: int
    longest: int
    width: int = 1


@dataclass(frozen=True, slots=True)
class ListSlots:
    """`longest` numbers of the state, side by side: pieces chosen together, kept while a move waits."""

    at: int
    lo: int
    hi: int
    longest: int
    width: int = 1


@dataclass(frozen=True, slots=True)
class ListCall:
    """The list a pure function gives."""

    function: int
    args: tuple[Num | List, ...]
    lo: int
    hi: int
    longest: int
    width: int = 1


List = ListVar | ListConst | ListCell | ListFrame | ListSlots | ListCall
LISTS = (ListVar, ListConst, ListCell, ListFrame, ListSlots, ListCall)


def is_list(value: object) -> TypeGuard[List]:
    return isinstance(value, LISTS)


# Statements -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Set:
    """Gives a local number its value."""

    var: Var
    value: Num


@dataclass(frozen=True, slots=True)
class SetList:
    """Gives a local list its value. A list that lies in the state is copied: it stays as it is now."""

    var: ListVar
    value: List


@dataclass(frozen=True, slots=True)
class NewList:
    """An empty list, or one of zeros."""

    var: ListVar
    zeros: int = 0


@dataclass(frozen=True, slots=True)
class Push:
    """Adds a row to a local list."""

    var: ListVar
    values: tuple[Num, ...]


@dataclass(frozen=True, slots=True)
class Put:
    """Changes an item of a local list."""

    var: ListVar
    index: Num
    value: Num


@dataclass(frozen=True, slots=True)
class Ways:
    """All ways to take least..most pieces from these counts, as rows, most of the first kind first."""

    var: ListVar
    counts: tuple[Num, ...]
    least: Num
    most: Num


@dataclass(frozen=True, slots=True)
class Store:
    """Changes the state at an address."""

    at: Num
    value: Num


@dataclass(frozen=True, slots=True)
class Keep:
    """Keeps a list in the state: `framed` with its length before it, else just its items."""

    at: int
    value: List
    framed: bool


@dataclass(frozen=True, slots=True)
class Clear:
    """Sets `many` numbers of the state from `at` on to 0."""

    at: int
    many: int


@dataclass(frozen=True, slots=True)
class Shift:
    """Moves the numbers at first..last of the state by one: up (`by` 1) or down (`by` -1)."""

    first: Num
    last: Num
    by: int


@dataclass(frozen=True, slots=True)
class Remember:
    """Notes how stretches of the state are now, under a number."""

    number: int
    stretches: tuple[tuple[int, int], ...]
    fault: int  # the number of the fault of noting too much


@dataclass(frozen=True, slots=True)
class If:
    test: Num
    then: Body
    other: Body = ()


@dataclass(frozen=True, slots=True)
class ForRange:
    """The body for var = start, start + step, … below `stop` (above it, for a negative step)."""

    var: Var
    start: Num
    stop: Num
    body: Body
    step: int = 1


@dataclass(frozen=True, slots=True)
class ForList:
    """The body for each row of a list; the list does not change meanwhile, unless `grows`."""

    vars: tuple[Var, ...]
    of: List
    body: Body
    grows: bool = False


@dataclass(frozen=True, slots=True)
class While:
    test: Num
    body: Body


@dataclass(frozen=True, slots=True)
class Break:
    """Leaves the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue:
    """Continues with the next iteration of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Once:
    """Fills a local list by the body the first time `index` comes up in this call of the function; then it is found."""

    memo: int
    size: int
    index: Num
    var: ListVar
    body: Body


@dataclass(frozen=True, slots=True)
class OnceNum:
    """As `Once`, for a local number."""

    memo: int
    size: int
    index: Num
    var: Var
    body: Body


@dataclass(frozen=True, slots=True)
class Do:
    """Runs a procedure that never waits."""

    function: int
    args: tuple[Num | List, ...]


@dataclass(frozen=True, slots=True)
class Return:
    value: Num | List | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Legal moves: a move's number, the values chosen but the last, and all the legal last ones.

    `last` is None for a move without choices.
    """

    move: int
    first: tuple[Num | List, ...]
    last: List | None


@dataclass(frozen=True, slots=True)
class Fail:
    """Stops with the fault of that number."""

    number: int
    value: Num | None = None  # what `{}` in its message stands for


@dataclass(frozen=True, slots=True)
class Pass:
    """Counts a pass of a loop, as `cost` passes; too many without a decision between them are a fault."""

    cost: int
    fault: int


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts work, as `cost` for each of `times`: for budgets, nothing else depends on it."""

    cost: int
    times: Num = Const(1)


@dataclass(frozen=True, slots=True)
class Line:
    """One reason for points: a scoring rule, what it was given, its points, and what fills the holes of its text."""

    rule: int
    args: tuple[Num | List, ...]
    points: Num
    shown: tuple[Num | List, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Reports why a score changed; `body` computes what the lines show. A program that reports nothing leaves it out."""

    body: Body
    player: Num
    gained: Num
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Tell:
    """Reports that something is told; `body` computes what fills the holes of its text."""

    body: Body
    text: int
    shown: tuple[Num | List, ...]


@dataclass(frozen=True, slots=True)
class Show:
    """Reports that what lies on places, now, is shown to players; `body` works out which and whom."""

    body: Body
    text: int
    places: Num | List  # addresses
    width: int  # of each
    to: Num | List


@dataclass(frozen=True, slots=True)
class Moved:
    """Reports that pieces of a kind moved from one address to another."""

    source: Num
    goal: Num
    kind: Num
    many: Num


@dataclass(frozen=True, slots=True)
class Mark:
    """Reports that play reached this point, for rule coverage."""

    number: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Reports that a condition refused a candidate, for rule coverage."""

    move: int
    condition: int


@dataclass(frozen=True, slots=True)
class FromRule:
    """Does nothing: the statements after it, up to the next one in the same body, come from this rule."""

    span: Span


Statement = (
    Set
    | SetList
    | NewList
    | Push
    | Put
    | Ways
    | Store
    | Keep
    | Clear
    | Shift
    | Remember
    | If
    | ForRange
    | ForList
    | While
    | Break
    | Continue
    | Once
    | OnceNum
    | Do
    | Return
    | Group
    | Fail
    | Pass
    | Tally
    | Score
    | Tell
    | Show
    | Moved
    | Mark
    | Refused
    | FromRule
)
Body = tuple[Statement, ...]

# Blocks ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Goto:
    block: int


@dataclass(frozen=True, slots=True)
class Branch:
    test: Num
    then: int
    other: int


@dataclass(frozen=True, slots=True)
class GoBack:
    """To the block whose number a slot of the state holds."""

    slot: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Waits for the decision of this block. Where there is nothing to decide it continues by itself."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of the game."""


Ending = Goto | Branch | GoBack | Wait | End


@dataclass(frozen=True, slots=True)
class Block:
    body: Body
    end: Ending
    span: Span | None = None


# Functions and decisions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Function:
    """A pure function (it gives a value), a list of legal moves, or a procedure that never waits."""

    number: int
    role: str  # for readers: define, group, legal, play, steps, points …
    parameters: tuple[Var | ListVar, ...]
    body: Body
    result: str  # number, list, nothing
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Slots:
    """Where a frame keeps a local: one slot; a length and the items of a list; or an item a kind."""

    at: int
    many: int = 1
    framed: bool = False  # the first slot holds the length


@dataclass(frozen=True, slots=True)
class MoveOption:
    """A move among those of an ask: what lists its legal choices, and what playing it does.

    A move that an ask names twice is two options with numbers of their own: what the first mention offers already, the
    second does not list again.
    """

    move: int
    given: tuple[Num | List, ...]  # what the ask gives it
    legal: int  # the function that lists it, from the player, `given` and `but`
    play: int | None  # the procedure that plays it; None if playing it waits: then
    entry: int = 0  # its first block,
    back: int = 0  # the slot of the block to return to,
    again: int | None = None  # the slot of the block of the ask itself, if it may be put again,
    slots: tuple[Slots, ...] = ()  # and where `me`, what is given and what is chosen are kept
    but: tuple[Num | List, ...] = ()  # what earlier mentions of the same move are given


@dataclass(frozen=True, slots=True)
class Drawing:
    """How a legal choice is drawn at random: rows of all choices but the last, a table of last values, and a test."""

    rows: int  # the function that gives the rows
    values: int  # the table
    legal: int  # the function that tests a whole choice


@dataclass(frozen=True, slots=True)
class Ask:
    span: Span
    before: Body  # works out what `player` and `given` read
    player: Num
    options: tuple[MoveOption, ...]
    forced: bool
    cost: int  # as how many passes of a loop it counts, where nobody decides anything
    otherwise: int | None  # the block for a player without a legal move; None: a fault
    no_move: int  # the number of that fault,
    endless: int  # of the fault of one decision too many,
    too_many: int | None  # and of that of too many legal moves; None: there are never that many
    after: int
    drawing: Drawing | None = None  # for an ask with one option: how to draw its choice without listing all


@dataclass(frozen=True, slots=True)
class Draw:
    """As many pieces from a pile as a slot says, one decision each."""

    span: Span
    left: int  # the slot
    before: Body  # works out what `pile` and `only` read
    pile: Num
    kinds: tuple[int, ...]  # that can be drawn, in order
    slots: tuple[int, ...]  # of these kinds in the pile
    only: List | None  # of those, only these
    take: int  # the procedure that moves one piece of a kind
    returns: bool  # whether pieces that were drawn may go back to the pile
    up_to: bool
    too_few: int  # the number of that fault,
    endless: int  # and of the fault of one decision too many
    after: int


@dataclass(frozen=True, slots=True)
class Roll:
    """One of the values in `rows`, by weight."""

    span: Span
    before: Body  # works out the rows
    rows: ListVar  # (value, weight), all weights above 0
    values: tuple[int, ...]  # those known at load, else empty
    slot: int  # where the value goes
    nothing: int  # the number of the fault when there is nothing to roll,
    endless: int  # and of the fault of one decision too many
    after: int


Decision = Ask | Draw | Roll


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """How a procedure begins: as a function that runs to its end, or with a first block and a frame."""

    function: int | None
    block: int = 0
    back: int = 0
    slots: tuple[Slots, ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """Everything a game does, for one number of players and one choice of options."""

    size: int  # numbers in a position
    start: tuple[int, ...]
    tables: tuple[tuple[int, ...] | tuple[tuple[int, ...], ...], ...]
    functions: tuple[Function, ...]
    blocks: tuple[Block, ...]
    decisions: dict[int, Decision]  # by the block that waits for it
    faults: tuple[FaultEntry, ...]
    entries: dict[str, EntryPoint]  # how to begin each procedure
    begin: int  # the block that begins a game
    ranks: tuple[int, ...]  # the functions of a player by which the winner is found, the first one first
    score: int | None  # where the score of the first player lies; the others follow
    moves: tuple[int, ...]  # the move of the rules for each number of one: itself, but for second mentions in an ask
    remembers: bool = False  # whether a position has one entry more, behind its numbers: what was noted


# Making numbers -------------------------------------------------------------------------------------------

ZERO, ONE = Const(0), Const(1)
SMALL = 1_000_000  # numbers below it may be multiplied before anything is subtracted
HOLDS = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def const(value: int) -> Const:
    return ZERO if value == 0 else ONE if value == 1 else Const(value)


def add(a: Num, b: Num) -> Num:
    match a, b:
        case Const(), Const():
            return const(a.value + b.value)
        case Const(value=0), _:
            return b
        case _, Const(value=0):
            return a
        case Const(), _:
            return add(b, a)
        case Bin(op="+", right=Const() as c), Const():
            return add(a.left, const(c.value + b.value))
        case Bin(op="+", right=Const() as c), _:
            return add(add(a.left, b), c)
        case _, Bin(op="+", right=Const() as c):
            return add(add(a, b.left), c)
    return Bin("+", a, b, a.lo + b.lo, a.hi + b.hi)


def subtract(a: Num, b: Num) -> Num:
    if isinstance(b, Const):
        return add(a, const(-b.value))
    return Bin("-", a, b, a.lo - b.hi, a.hi - b.lo)


def multiply(a: Num, b: Num) -> Num:
    match a, b:
        case Const(), Const():
            return const(a.value * b.value)
        case (Const(value=0), _) | (_, Const(value=0)):
            return ZERO
        case Const(value=1), _:
            return b
        case _, Const(value=1):
            return a
        case Const(), _:
            return multiply(b, a)
        case Bin(op="+", right=Const() as c), Const() if abs(c.value) < SMALL and a.left.hi < SMALL:
            return add(multiply(a.left, b), const(c.value * b.value))  # codes of members stay subtracted first
    ends = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi]
    return Bin("*", a, b, min(ends), max(ends))


def divide(a: Num, b: Num) -> Num:
    """Return a / b rounded down; b is not 0."""
    if isinstance(a, Const) and isinstance(b, Const):
        return const(a.value // b.value)
    if b == ONE:
        return a
    most = max(abs(a.lo), abs(a.hi)) if b.lo <= 0 else 0
    ends = [x // y for x in (a.lo, a.hi) for y in (b.lo, b.hi) if y] if b.lo > 0 else [-most - 1, most + 1]
    return Bin("/", a, b, min(ends), max(ends))


def remainder(a: Num, b: Num) -> Num:
    """Return the remainder of a / b, with the sign of b; b is not 0."""
    if isinstance(a, Const) and isinstance(b, Const):
        return const(a.value % b.value)
    if b.lo > 0 and a.lo >= 0 and a.hi < b.lo:
        return a
    return Bin("%", a, b, min(0, b.lo + 1), max(0, b.hi - 1))


def extreme(op: str, a: Num, b: Num) -> Num:
    pick = max if op == "max" else min
    if isinstance(a, Const) and isinstance(b, Const):
        return const(pick(a.value, b.value))
    if (op == "max" and a.lo >= b.hi) or (op == "min" and a.hi <= b.lo):
        return a
    if (op == "max" and b.lo >= a.hi) or (op == "min" and b.hi <= a.lo):
        return b
    return Bin(op, a, b, pick(a.lo, b.lo), pick(a.hi, b.hi))


def compare(op: str, a: Num, b: Num) -> Num:
    """Return a comparison, settled where the ranges settle it."""
    if isinstance(b, Const) and a.lo >= 0 and a.hi <= 1 and not isinstance(a, Const):  # a is a condition
        holds = [v for v in (0, 1) if HOLDS[op](v, b.value)]
        return const(len(holds) // 2) if len(holds) != 1 else a if holds[0] else negate(a)
    match op:
        case "==":
            if a.lo == a.hi == b.lo == b.hi:
                return ONE
            if a.hi < b.lo or b.hi < a.lo:
                return ZERO
        case "!=":
            return negate(compare("==", a, b))
        case "<":
            if a.hi < b.lo:
                return ONE
            if a.lo >= b.hi:
                return ZERO
        case "<=":
            if a.hi <= b.lo:
                return ONE
            if a.lo > b.hi:
                return ZERO
        case ">" | ">=":
            return compare({">": "<", ">=": "<="}[op], b, a)
    if isinstance(a, Const) and not isinstance(b, Const):
        flipped = {"==": "==", "<": ">", "<=": ">="}[op]
        return Cmp(flipped, b, a)
    return Cmp(op, a, b)


def within(of: Num, low: int, high: int) -> Num:
    if low <= of.lo and of.hi <= high:
        return ONE
    if of.hi < low or of.lo > high or low > high:
        return ZERO
    return compare("==", of, const(low)) if low == high else Within(of, low, high)


def known(of: Num, low: int, high: int) -> Num:
    """Return `of`, with what an enclosing `within(of, low, high)` has shown."""
    lo, hi = max(of.lo, low), min(of.hi, high)
    return of if (lo, hi) == (of.lo, of.hi) else Known(of, lo, hi)


def always(of: Num, low: int, high: int, why: str = ALWAYS) -> Num:
    """Return `of`, which lies in low..high wherever it is looked at."""
    lo, hi = max(of.lo, low), min(of.hi, high)
    if lo > hi:  # it is never looked at
        lo = hi = low
    return of if (lo, hi) == (of.lo, of.hi) else Known(of, lo, hi, why)


def negate(a: Num) -> Num:
    match a:
        case Const():
            return const(1 - a.value)
        case Not():
            return a.of
        case Cmp():
            return Cmp({"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}[a.op], a.left, a.right)
    return Not(a)


def both(*parts: Num) -> Num:
    flat: list[Num] = []
    for part in parts:
        if part == ZERO:
            return ZERO
        if part != ONE:
            flat += part.parts if isinstance(part, And) else (part,)
    return And(tuple(flat)) if len(flat) > 1 else flat[0] if flat else ONE


def either(*parts: Num) -> Num:
    flat: list[Num] = []
    for part in parts:
        if part == ONE:
            return ONE
        if part != ZERO:
            flat += part.parts if isinstance(part, Or) else (part,)
    return Or(tuple(flat)) if len(flat) > 1 else flat[0] if flat else ZERO


def select(test: Num, then: Num, other: Num) -> Num:
    if isinstance(test, Const):
        return then if test.value else other
    if then == other:
        return then
    if then == ONE and other == ZERO:
        return test
    return Select(test, then, other, min(then.lo, other.lo), max(then.hi, other.hi))


# Walking --------------------------------------------------------------------------------------------------


Parts = tuple["Num | List", ...]

# found by the class: programs are walked through again and again
_PARTS: dict[type, Callable[[Any], Parts]] = {
    **dict.fromkeys((Const, Var, Noted, ListVar, ListConst, ListFrame, ListSlots), lambda e: ()),
    **dict.fromkeys((Known, Within, Not, Len), lambda e: (e.of,)),
    **dict.fromkeys((Load, SumRange, AnyRange), lambda e: (e.at,)),
    **dict.fromkeys((Cell, ListCell), lambda e: (e.index,)),
    **dict.fromkeys((Bin, Cmp), attrgetter("left", "right")),
    **dict.fromkeys((And, Or), attrgetter("parts")),
    **dict.fromkeys((Call, ListCall), attrgetter("args")),
    Select: attrgetter("test", "then", "other"),
    CountRange: attrgetter("at", "value"),
    Item: attrgetter("of", "index"),
    InList: attrgetter("item", "of"),
}


def parts(e: Num | List) -> Parts:
    """Return the numbers and lists directly inside e."""
    return _PARTS[e.__class__](e)


def operands(s: Statement) -> tuple[Num | List, ...]:
    """Return the numbers and lists a statement reads itself, not those of the statements inside it."""
    match s:
        case Set() | SetList():
            return (s.value,)
        case NewList() | Break() | Continue() | Clear() | Pass() | Remember():
            return ()
        case Push():
            return s.values
        case Put():
            return (s.index, s.value)
        case Ways():
            return (*s.counts, s.least, s.most)
        case Store():
            return (s.at, s.value)
        case Keep():
            return (s.value,)
        case Shift():
            return (s.first, s.last)
        case If() | While():
            return (s.test,)
        case ForRange():
            return (s.start, s.stop)
        case ForList():
            return (s.of,)
        case Once() | OnceNum():
            return (s.index,)
        case Do():
            return s.args
        case Return():
            return () if s.value is None else (s.value,)
        case Group():
            return s.first if s.last is None else (*s.first, s.last)
        case Score():
            return (s.player, s.gained, *(x for line in s.lines for x in (*line.args, line.points, *line.shown)))
        case Tell():
            return s.shown
        case Show():
            return (s.places, s.to)
        case Moved():
            return (s.source, s.goal, s.kind, s.many)
        case Fail():
            return () if s.value is None else (s.value,)
        case Tally():
            return (s.times,)
        case Mark() | Refused() | FromRule():
            return ()


_INNER: dict[type, Callable[[Any], tuple[Body, ...]]] = {
    If: attrgetter("then", "other"),
    **dict.fromkeys((ForRange, ForList, While, Once, OnceNum, Score, Tell, Show), lambda s: (s.body,)),
}


NESTING = tuple(_INNER)  # the statements that have others inside them


def inner(s: Statement) -> tuple[Body, ...]:
    """Return the bodies directly inside a statement."""
    found = _INNER.get(s.__class__)
    return () if found is None else found(s)


def assigned(s: Statement) -> tuple[Var | ListVar, ...]:
    """Return the locals a statement gives a value itself."""
    match s:
        case Set() | SetList() | NewList() | Ways() | Once() | OnceNum():
            return (s.var,)
        case ForRange():
            return (s.var,)
        case ForList():
            return s.vars
        case _:
            return ()


def walk(e: Num | List) -> Iterator[Num | List]:
    """Yield e and everything inside it."""
    waiting = [e]
    while waiting:
        e = waiting.pop()
        yield e
        waiting += _PARTS[e.__class__](e)[::-1]


def calls(program: Program) -> Iterator[Call]:
    """Yield the calls of functions that give numbers, in all functions and decisions."""
    bodies = [*(f.body for f in program.functions), *(d.before for d in program.decisions.values())]
    bodies += [block.body for block in program.blocks]
    for s in (s for body in bodies for s in statements(body)):
        yield from (e for operand in operands(s) for e in walk(operand) if isinstance(e, Call))


def needs_whole_state(program: Program) -> bool:
    """Return whether something is tried on a copy of the state, or noted: then none of it can be kept in locals."""
    return program.remembers or any(call.after is not None for call in calls(program))


def statements(body: Sequence[Statement]) -> Iterator[Statement]:
    """Yield the statements of a body and all inside them."""
    waiting = list(reversed(body))
    while waiting:
        s = waiting.pop()
        yield s
        for nested in reversed(inner(s)):
            waiting += nested[::-1]
