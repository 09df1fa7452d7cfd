"""The rules of a game as data: what a value can be, checked expressions, steps, declarations, and the model they make.

`from rulespec import syntax` is for programs that walk a `Model`: `syntax.AskStep`, `syntax.Aggregate`, `syntax.Values`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce

from rulespec.diagnostics.diagnostic import Span
from rulespec.yaml.nodes import Mapping

# Types --------------------------------------------------------------------------------------------------------
#
# Every value is a whole number of 32 bits: numbers are themselves, members of sets have codes from FIRST_MEMBER on,
# and `none` has a code of its own. A type says which of them can occur. A place that is chosen or stored has a code, too.

# INVARIANT: numbers, `none` and members never meet, and all of them fit 32 bits, as the native library stores them.
LARGEST = 1_000_000_000  # the largest number a game may use, and minus it the smallest
MOST_NOTED = 10_000  # positions that a game may remember
NONE = LARGEST + 1  # the code of `none`
FIRST_MEMBER = NONE + 1


@dataclass(frozen=True, slots=True)
class Values:
    """Numbers lo..hi (both None: no number), members by code, perhaps none."""

    lo: int | None = None
    hi: int | None = None
    members: frozenset[int] = frozenset()
    none: bool = False
    home: str = ""  # the set it was declared with: for messages, and for `next`

    @property
    def is_number(self) -> bool:
        return self.lo is not None and not self.members

    @property
    def never(self) -> bool:
        return self.lo is None and not self.members and not self.none


@dataclass(frozen=True, slots=True)
class YesNo:
    pass


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """One place of a family, or nowhere, which is `none` where it is compared."""

    family: str
    sure: bool = field(default=False, compare=False)  # it is never nowhere


@dataclass(frozen=True, slots=True)
class ListOf:
    item: Type
    largest: int = LARGEST  # the most items it can have


@dataclass(frozen=True, slots=True)
class Several:
    """Pieces chosen together: a number of each kind, from the places of this name."""

    kinds: tuple[int, ...]
    pile: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The type of what could not be understood: it fits anything, and is never reported twice."""


Type = Values | YesNo | PlaceOf | ListOf | Several | Unknown

NUMBER = Values(-LARGEST, LARGEST)
NOTHING = Values(none=True)


def number(lo: int, hi: int) -> Values:
    return Values(max(-LARGEST, min(lo, LARGEST)), max(-LARGEST, min(hi, LARGEST)))


def of_codes(codes: tuple[int, ...], home: str = "") -> Values:
    """Return the type of a value that is one of these codes."""
    numbers = [c for c in codes if c < NONE]
    return Values(
        min(numbers, default=None),
        max(numbers, default=None),
        frozenset(c for c in codes if c > NONE),
        NONE in codes,
        home,
    )


def can_be_none(t: Type) -> bool:
    return isinstance(t, Values) and t.none


def sure(t: Type) -> Type:
    """Return the same without `none`."""
    match t:
        case Values():
            return replace(t, none=False)
        case PlaceOf():
            return replace(t, sure=True)
    return t


def or_none(t: Type) -> Type:
    match t:
        case Values():
            return replace(t, none=True)
        case PlaceOf():
            return replace(t, sure=False)
    return t


def inside(a: Values, b: Values) -> bool:
    """Return whether every value of a is one of b."""
    if a.lo is not None and (b.lo is None or a.lo < b.lo or a.hi > b.hi):  # type: ignore[operator]
        return False
    return a.members <= b.members and (b.none or not a.none)


def overlap(a: Values, b: Values) -> bool:
    """Return whether some value other than none is in both."""
    if a.lo is not None and b.lo is not None and a.lo <= b.hi and b.lo <= a.hi:  # type: ignore[operator]
        return True
    return bool(a.members & b.members)


def meet(a: Values, b: Values) -> Values:
    """Return the values in both."""
    lo = hi = None
    if a.lo is not None and b.lo is not None:
        lo, hi = max(a.lo, b.lo), min(a.hi, b.hi)  # type: ignore[type-var]
        if lo > hi:  # type: ignore[operator]
            lo = hi = None
    return Values(lo, hi, a.members & b.members, a.none and b.none, a.home)


def without(a: Values, b: Values) -> Values:
    """Return the values of a that are not in b, where b is few and exact."""
    lo, hi = a.lo, a.hi
    if lo is not None and b.lo is not None:
        if b.lo <= lo and hi <= b.hi:  # type: ignore[operator]
            lo = hi = None
        elif b.lo <= lo <= b.hi:  # type: ignore[operator]
            lo = b.hi + 1  # type: ignore[operator]
        elif b.lo <= hi <= b.hi:  # type: ignore[operator]
            hi = b.lo - 1
    return Values(lo, hi, a.members - b.members, a.none and not b.none, a.home)


def join(a: Type, b: Type) -> Type | None:
    """Return a type that holds both, or None where nothing does."""
    match a, b:
        case (Unknown(), _) | (_, Unknown()):
            return Unknown()
        case (Values(never=True), _):
            return b
        case (_, Values(never=True)):
            return a
        case Values(), Values():
            los = [x for x in (a.lo, b.lo) if x is not None]
            his = [x for x in (a.hi, b.hi) if x is not None]
            home = a.home if a.home == b.home or b == NOTHING else b.home if a == NOTHING else ""
            return Values(min(los, default=None), max(his, default=None), a.members | b.members, a.none or b.none, home)
        case (PlaceOf() as place, other) | (other, PlaceOf() as place) if other == NOTHING:
            return or_none(place)
        case PlaceOf(), PlaceOf():
            return replace(a, sure=a.sure and b.sure) if a == b else None
        case ListOf(), ListOf():
            item = join(a.item, b.item)
            return ListOf(item, max(a.largest, b.largest)) if item else None
        case _:
            return a if a == b else None


def join_all(types: list[Type]) -> Type | None:
    return reduce(lambda a, b: join(a, b) if a is not None else None, types, Values())  # type: ignore[arg-type, return-value]


# Expressions: names resolved, every node typed -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    type: Type
    value: int | tuple[int, ...]  # a code, 0/1 for no and yes, or a list of codes


@dataclass(frozen=True, slots=True)
class Local:
    type: Type
    name: str


@dataclass(frozen=True, slots=True)
class Negation:
    type: Type
    of: Expr


@dataclass(frozen=True, slots=True)
class Logic:
    type: Type
    op: str  # and, or
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conditional:
    type: Type
    test: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Let:
    type: Type
    name: str
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Compare:
    type: Type
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class In:
    """The test of whether an item is in a list, or a piece of a kind is on a place."""

    type: Type
    item: Expr
    domain: Expr


@dataclass(frozen=True, slots=True)
class Default:
    type: Type
    value: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Range:
    type: Type
    lo: Expr
    hi: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic:
    type: Type
    op: str  # + - * / mod
    left: Expr
    right: Expr
    span: Span | None = field(default=None, compare=False)  # for complaints about what it can reach


@dataclass(frozen=True, slots=True)
class Items:
    type: Type
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class TableRead:
    type: Type
    table: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class VariableRead:
    type: Type
    variable: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a pair."""

    type: Type
    pair: Expr
    set: str  # the pair's set
    which: int  # 0 or 1


@dataclass(frozen=True, slots=True)
class PlacePart:
    """One index of a place; none for nowhere."""

    type: Type
    place: Expr
    which: int


@dataclass(frozen=True, slots=True)
class ItemAt:
    """The n-th item of a list, from 1; none, or nowhere, if there is no such item."""

    type: Type
    items: Expr
    at: Expr


@dataclass(frozen=True, slots=True)
class PlaceCode:
    """The code of a place, to choose or store it; none for nowhere."""

    type: Type
    place: Expr


@dataclass(frozen=True, slots=True)
class CodedPlace:
    """The place of a code; nowhere for none."""

    type: Type
    code: Expr


@dataclass(frozen=True, slots=True)
class PlaceAt:
    type: Type
    family: str
    index: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """All places of a family with these first indexes."""

    type: Type
    family: str
    index: tuple[Expr, ...]
    sure: bool = True  # the indexes are surely inside their sets; if not, there may be no such place


@dataclass(frozen=True, slots=True)
class Aggregate:
    type: Type
    op: str  # sum count any all max min first list
    body: Expr
    bindings: tuple[tuple[str, Expr], ...]
    where: Expr | None
    stop: Expr | None  # `while`
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ConnectedGroup:
    type: Type
    name: str
    start: Expr
    along: Expr
    where: Expr


@dataclass(frozen=True, slots=True)
class BuiltinCall:
    """A call of a built-in function."""

    type: Type
    name: str
    args: tuple[Expr, ...]
    span: Span | None = field(default=None, compare=False)  # where it may be given what it cannot take


@dataclass(frozen=True, slots=True)
class Repeats:
    """How often places and variables were remembered just as they are now; each stands for all of its name."""

    type: Type
    names: tuple[str, ...]  # in the order of the alphabet


@dataclass(frozen=True, slots=True)
class FunctionCall:
    type: Type
    function: str
    args: tuple[Expr, ...]
    span: Span | None = field(default=None, compare=False)


Expr = (
    Literal
    | Local
    | Negation
    | Logic
    | Conditional
    | Let
    | Compare
    | In
    | Default
    | Range
    | Arithmetic
    | Items
    | TableRead
    | VariableRead
    | Part
    | PlacePart
    | ItemAt
    | PlaceCode
    | CodedPlace
    | PlaceAt
    | Places
    | Aggregate
    | ConnectedGroup
    | BuiltinCall
    | Repeats
    | FunctionCall
)


def children(e: Expr) -> tuple[Expr, ...]:
    """Return the expressions directly inside e."""
    match e:
        case Literal() | Local() | Repeats():
            return ()
        case Negation():
            return (e.of,)
        case Logic() | Compare() | Arithmetic():
            return (e.left, e.right)
        case Conditional():
            return (e.test, e.then, e.other)
        case Let():
            return (e.value, e.body)
        case In():
            return (e.item, e.domain)
        case Default():
            return (e.value, e.other)
        case Range():
            return (e.lo, e.hi)
        case Items():
            return e.items
        case TableRead() | VariableRead() | PlaceAt() | Places():
            return e.index
        case Part():
            return (e.pair,)
        case PlacePart() | PlaceCode():
            return (e.place,)
        case CodedPlace():
            return (e.code,)
        case ItemAt():
            return (e.items, e.at)
        case Aggregate():
            rest = tuple(x for x in (e.where, e.stop) if x is not None)
            return (e.body, *(d for _, d in e.bindings), *rest)
        case ConnectedGroup():
            return (e.start, e.along, e.where)
        case BuiltinCall() | FunctionCall():
            return e.args


def each_expression(roots: Iterable[Expr]) -> Iterator[Expr]:
    """Yield these expressions and all inside them, without recursion."""
    waiting = list(roots)
    while waiting:
        e = waiting.pop()
        yield e
        waiting += children(e)


def free_names(e: Expr) -> frozenset[str]:
    """Return the local names e uses and does not bind itself."""
    match e:
        case Local():
            return frozenset((e.name,))
        case Let():
            return free_names(e.value) | (free_names(e.body) - {e.name})
        case Aggregate():
            found: frozenset[str] = frozenset()
            for inner in (e.body, e.where, e.stop):
                found |= free_names(inner) if inner is not None else frozenset()
            for name, domain in reversed(e.bindings):
                found = (found - {name}) | free_names(domain)
            return found
        case ConnectedGroup():
            return free_names(e.start) | free_names(e.along) | (free_names(e.where) - {e.name})
        case _:
            return frozenset().union(*(free_names(c) for c in children(e)))


# Declarations --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NamedSet:
    name: str
    values: tuple[int, ...]  # codes in the order written
    type: Values
    parts: tuple[str, ...]  # the two sets of a pair, else empty
    contains: tuple[str, ...]  # the sets named in its list
    span: Span


@dataclass(frozen=True, slots=True)
class Table:
    name: str
    index: tuple[tuple[int, ...], ...]  # the codes of each index set
    entries: tuple[int | tuple[int, ...], ...]  # row by row
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Place:
    """A family of places: one for each combination of its indexes."""

    name: str
    shape: str  # pile, stack or cell
    index: tuple[str, ...]  # names of the index sets
    index_values: tuple[tuple[int, ...], ...]
    kinds: tuple[int, ...]  # in the order written
    rooms: tuple[int, ...]  # for each place of the family; -1: unlimited
    ways: dict[str, tuple[tuple[int, ...], ...]]  # way → for each place, the places one step on (by number)
    seen_by: str  # everyone, owner, nobody
    shows: Expr | None
    kind_name: str  # the name of the kind inside `shows`
    span: Span

    @property
    def size(self) -> int:
        n = 1
        for values in self.index_values:
            n *= len(values)
        return n

    def index_of(self, number: int) -> tuple[int, ...]:
        """Return the indexes of the place with this number, row by row."""
        return _index_of(self.index_values, number)


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    index: tuple[str, ...]
    index_values: tuple[tuple[int, ...], ...]
    type: Type  # Values or YesNo
    starts: tuple[int, ...]
    never_below: int | None
    never_above: int | None
    seen_by: str  # everyone, owner, nobody
    span: Span

    def index_of(self, number: int) -> tuple[int, ...]:
        """Return the indexes of the value with this number, row by row."""
        return _index_of(self.index_values, number)

    @property
    def flags_players(self) -> bool:
        """Return whether it is a yes or no for each player."""
        return isinstance(self.type, YesNo) and self.index == ("player",)


def _index_of(index_values: tuple[tuple[int, ...], ...], number: int) -> tuple[int, ...]:
    index: list[int] = []
    for values in reversed(index_values):
        number, at = divmod(number, len(values))
        index.insert(0, values[at])
    return tuple(index)


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: Type
    set: str


@dataclass(frozen=True, slots=True)
class Definition:
    name: str
    parameters: tuple[Parameter, ...]
    body: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Template:
    """A text with holes: literals and expressions in turn."""

    parts: tuple[str | Expr, ...]
    span: Span


# Steps ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Amount:
    how: str  # all, some, up_to, top, chosen
    number: Expr | None
    kinds: Expr | None


@dataclass(frozen=True, slots=True)
class Goal:
    place: Expr
    under: bool


@dataclass(frozen=True, slots=True)
class MoveStep:
    span: Span
    amount: Amount
    source: Expr
    goals: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class DrawStep:
    span: Span
    amount: Amount
    source: Expr
    goals: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class RollStep:
    span: Span
    name: str
    domain: Expr
    weight: Expr | None


@dataclass(frozen=True, slots=True)
class SetStep:
    span: Span
    variable: str
    index: tuple[Expr, ...]
    value: Expr
    add: bool


@dataclass(frozen=True, slots=True)
class LetStep:
    span: Span
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class ScoreStep:
    span: Span
    rules: tuple[tuple[str, tuple[Expr, ...]], ...]
    player: Expr


@dataclass(frozen=True, slots=True)
class DoStep:
    span: Span
    name: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class IfStep:
    span: Span
    test: Expr
    then: tuple[Step, ...]
    other: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class WhileStep:
    span: Span
    test: Expr
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class ForStep:
    span: Span
    name: str
    domain: Expr
    where: Expr | None
    body: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class AskStep:
    """`ask: PLAYER`, or `ask: PLAYERS`: those decide in the same position, and none sees what another one decides."""

    span: Span
    player: Expr  # or a list of players
    moves: tuple[tuple[str, tuple[Expr, ...]], ...]
    forced: bool  # a single legal move plays itself
    otherwise: tuple[Step, ...] | None

    @property
    def several(self) -> bool:
        """Whether it asks a list of players."""
        return isinstance(self.player.type, ListOf)


@dataclass(frozen=True, slots=True)
class TellStep:
    """`tell TEXT`: announces something to everybody, and changes nothing."""

    span: Span
    text: Template


@dataclass(frozen=True, slots=True)
class ShowStep:
    """`show PLACE to PLAYERS`: they see once what lies there, or what a variable is; nothing moves."""

    span: Span
    place: Expr  # or a list of places; or a variable, which may have fewer indexes than it is declared with
    to: Expr | None  # a player or a list of players; None: everyone


@dataclass(frozen=True, slots=True)
class RememberStep:
    """`remember board, turn`: notes how these are now, for `repeats`."""

    span: Span
    names: tuple[str, ...]  # in the order of the alphabet


@dataclass(frozen=True, slots=True)
class AgainStep:
    """`ask again`: the ask that this move answered is put once more. The last step on its way through the move."""

    span: Span


@dataclass(frozen=True, slots=True)
class MarkStep:
    """Notes that play reached this point. No file says it: rule coverage puts it at the beginning of branches."""

    span: Span
    number: int


Step = (
    MarkStep
    | MoveStep
    | DrawStep
    | RollStep
    | SetStep
    | LetStep
    | ScoreStep
    | DoStep
    | IfStep
    | WhileStep
    | ForStep
    | AskStep
    | AgainStep
    | TellStep
    | ShowStep
    | RememberStep
)


@dataclass(frozen=True, slots=True)
class Procedure:
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Step, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Choice:
    """A parameter the player chooses: one value of a domain, or several pieces at once."""

    name: str
    domain: Expr
    type: Type
    span: Span
    at_most: Expr | None = None  # for several pieces: how many
    at_least: Expr | None = None
    source: Expr | None = None

    @property
    def reads(self) -> frozenset[str]:
        """The local names on which what can be chosen depends."""
        asked = (self.domain, self.at_most, self.at_least, self.source)
        return frozenset().union(*(free_names(e) for e in asked if e is not None))


@dataclass(frozen=True, slots=True)
class Condition:
    name: str
    that: Expr
    refusal: Template
    span: Span
    changes: Span | None = None  # the same condition in the file below, if one on top writes it anew
    afterwards: bool = False  # it is about the position after the move


@dataclass(frozen=True, slots=True)
class MoveRule:
    name: str
    given: tuple[Parameter, ...]
    choices: tuple[Choice, ...]
    conditions: tuple[Condition, ...]
    text: Template
    does: tuple[Step, ...]
    beside: str
    span: Span

    def choices_before(self, condition: Condition) -> int:
        """Return how many choices must be made before a condition can be looked at."""
        if condition.afterwards:
            return len(self.choices)
        used = free_names(condition.that)
        return max((i + 1 for i, choice in enumerate(self.choices) if choice.name in used), default=0)

    @property
    def looks_ahead(self) -> bool:
        """Whether it must be tried to know if it is legal."""
        return any(condition.afterwards for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class ScoringRule:
    """A scoring rule."""

    name: str
    parameters: tuple[Parameter, ...]
    text: Template
    points: Expr
    span: Span
    changes: Span | None = None  # the same rule in the file below, if one on top writes its points anew


@dataclass(frozen=True, slots=True)
class Supply:
    """The number of pieces of a kind in a place at the start."""

    kind: int
    count: int
    place: str
    number: int  # which place of the family


@dataclass(frozen=True, slots=True)
class PlaceView:
    """How a place or a variable is drawn. Nothing of it changes play."""

    span: Span
    title: str = ""
    grid: tuple[str, ...] = ()  # the indexes that run down and across
    align: str = ""
    row: str = ""  # the one index that runs across
    ring: tuple[
        tuple[str, int], ...
    ] = ()  # the indexes that run round, outermost first, with the angle of the first member
    middle: int | None = None  # the member in the middle of its ring
    behind: str = ""  # the place that it lies behind
    shape: str = ""
    tint: str = ""  # a colour; as an expression it is among `values`
    drawn_as: str = ""  # counts or track
    across: int = 0  # of a track: the cells of a row; 0: as many as there are
    upto: int | None = None  # of a track: its last number
    on: str = ""  # of a variable: the place that its marker is on
    means: int | None = None  # the member that a click on the place stands for
    values: dict[str, Expr] = field(default_factory=dict)  # under, tint, turn, left, top, wide, high


@dataclass(frozen=True, slots=True)
class PieceView:
    """How the pieces of a kind, or of all kinds of a set, are drawn."""

    span: Span
    shape: str = ""
    size: int = 1  # in cells
    across: int = 0  # the marks of a row; 0: as many as there are
    values: dict[str, Expr] = field(default_factory=dict)  # face


@dataclass(frozen=True, slots=True)
class MarkView:
    """How each member of a set is printed on a board."""

    span: Span
    on: str
    shape: str
    values: dict[str, Expr] = field(default_factory=dict)  # between, under, lit


@dataclass(frozen=True, slots=True)
class View:
    labels: dict[str, str]  # set or member → text
    symbols: dict[int, str]  # kind → a letter or two
    colours: dict[int, str]
    layout: dict[str, PlaceView]  # place or variable → how it is drawn
    says: dict[str, str] = field(default_factory=dict)  # a name of expressions → what rulebooks call it
    titles: dict[str, str] = field(default_factory=dict)  # a named step → the same
    pieces: dict[str, PieceView] = field(default_factory=dict)  # kind or set
    marks: dict[str, MarkView] = field(default_factory=dict)  # set
    hide: frozenset[str] = frozenset()  # places and variables that are not drawn
    filled: dict[tuple[str, int], str] = field(
        default_factory=dict
    )  # (set or member, value) → a label with its holes filled


Act = tuple[str, str]  # what no expression can name: its section (moves, steps or scoring), and its name
ViewKey = tuple[str, str, str]  # an expression of a view: layout, pieces or marks; whose it is; its key


@dataclass(frozen=True, slots=True)
class Model:
    title: str
    text: str
    players: int
    choices: dict[str, str]
    sets: dict[str, NamedSet]
    member_names: dict[int, str]  # code → name
    tables: dict[str, Table]
    kinds: tuple[int, ...]
    pieces: tuple[Supply, ...]
    places: dict[str, Place]
    variables: dict[str, Variable]
    functions: dict[str, Definition]
    procedures: dict[str, Procedure]  # the named steps, and `setup` and `play`
    moves: dict[str, MoveRule]
    rules: dict[str, ScoringRule]
    winner: tuple[tuple[str, Expr], ...]
    view: View
    examples: Mapping | None
    file: str
    pair_parts: dict[int, tuple[int, int]]
    place_codes: dict[str, range]  # family → the codes of its places, where they are chosen or stored
    used: frozenset[str] = field(default_factory=frozenset)  # the names of expressions that something uses
    called: frozenset[Act] = field(default_factory=frozenset)  # the moves, steps and scoring rules that something names

    def value_name(self, code: int) -> str:
        """Return how a value is written: a number, a member's name, or none."""
        if code == NONE:
            return "none"
        return self.member_names.get(code) or str(code)

    @property
    def things(self) -> tuple[Place | Variable, ...]:
        """All places and variables: what can be hidden."""
        return (*self.places.values(), *self.variables.values())

    def thing(self, name: str) -> Place | Variable:
        """Return the place or the variable of a name."""
        return self.places.get(name) or self.variables[name]

    def place_named(self, word: str, t: Type) -> int | None:
        """Return the code of a place that is written as its indexes joined by dots, if the type has such a place."""
        for codes in self.place_codes.values():
            if isinstance(t, Values) and codes[0] in t.members:
                return next((code for code in codes if self.member_names[code] == word), None)
        return None

    def plain_value(self, code: int) -> int | str | None:
        """Return a value as plain data: a number, a member's name, or None."""
        return None if code == NONE else code if code < NONE else self.value_name(code)


# Walking through steps and models ------------------------------------------------------------------------------


def inner_steps(step: Step) -> tuple[tuple[Step, ...], ...]:
    """Return the lists of steps inside a step."""
    match step:
        case IfStep():
            return (step.then, step.other)
        case WhileStep() | ForStep():
            return (step.body,)
        case AskStep():
            return (step.otherwise or (),)
        case _:
            return ()


def all_steps(steps: tuple[Step, ...]) -> list[Step]:
    """Return these steps and all inside them, in reading order."""
    found: list[Step] = []
    for step in steps:
        found.append(step)
        for inner in inner_steps(step):
            found += all_steps(inner)
    return found


def bodies(model: Model) -> Iterator[tuple[Act, Span, tuple[Step, ...]]]:
    """Yield everything that has steps: procedures, `setup` and `play` among them, and moves, which may have the same names."""
    for name, procedure in model.procedures.items():
        yield ("steps", name), procedure.span, procedure.body
    for name, move in model.moves.items():
        yield ("moves", name), move.span, move.does


def of_step(step: Step) -> list[Expr]:
    """Return the expressions of one step, not of the steps inside it."""
    match step:
        case MoveStep() | DrawStep():
            return [*_of_amount(step.amount), step.source, *_of_goals(step.goals)]
        case RollStep():
            return [step.domain, *([step.weight] if step.weight else [])]
        case SetStep():
            return [*step.index, step.value]
        case LetStep():
            return [step.value]
        case ScoreStep():
            return [step.player, *(a for _, args in step.rules for a in args)]
        case DoStep():
            return list(step.args)
        case IfStep() | WhileStep():
            return [step.test]
        case ForStep():
            return [step.domain, *([step.where] if step.where else [])]
        case AskStep():
            return [step.player, *(a for _, args in step.moves for a in args)]
        case TellStep():
            return of_template(step.text)
        case ShowStep():
            return [step.place, *([] if step.to is None else [step.to])]
        case _:
            return []


def _of_amount(amount: Amount) -> list[Expr]:
    return [e for e in (amount.number, amount.kinds) if e is not None]


def _of_goals(goals: tuple[Goal, ...]) -> list[Expr]:
    return [goal.place for goal in goals]


def of_template(template: Template) -> list[Expr]:
    return [part for part in template.parts if not isinstance(part, str)]


def scorings(steps: tuple[Step, ...]) -> Iterator[str]:
    """Yield the scoring rules that steps name."""
    for step in all_steps(steps):
        if isinstance(step, ScoreStep):
            yield from (rule for rule, _ in step.rules)


def told(model: Model) -> list[TellStep | ShowStep]:
    """Return the steps that tell or show something, in reading order."""
    return [step for _, _, body in bodies(model) for step in all_steps(body) if isinstance(step, TellStep | ShowStep)]


def remembered(model: Model) -> list[tuple[str, ...]]:
    """Return what steps remember together, each once, in reading order."""
    steps = (step for _, _, body in bodies(model) for step in all_steps(body))
    return list(dict.fromkeys(step.names for step in steps if isinstance(step, RememberStep)))


def all_expressions(model: Model) -> Iterator[tuple[Expr, Span]]:
    """Yield every whole expression that play works out, and the entry or step it is in."""
    for function in model.functions.values():
        yield function.body, function.span
    for _, _, body in bodies(model):
        for step in all_steps(body):
            yield from ((e, step.span) for e in of_step(step))
    for move in model.moves.values():
        for choice in move.choices:
            wanted = (choice.domain, choice.at_most, choice.at_least, choice.source)
            yield from ((e, choice.span) for e in wanted if e is not None)
        for condition in move.conditions:
            yield condition.that, condition.span
            yield from ((e, condition.span) for e in of_template(condition.refusal))
        yield from ((e, move.text.span) for e in of_template(move.text))
    for rule in model.rules.values():
        yield rule.points, rule.span
        yield from ((e, rule.text.span) for e in of_template(rule.text))
    for _, e in model.winner:
        yield e, model.procedures["play"].span


# Views ---------------------------------------------------------------------------------------------------------


def view_names(model: Model, section: str, name: str, key: str) -> list[tuple[str, Type]]:
    """Return the names that an expression of a view may use, with their types."""
    if section == "pieces":
        return [(name, model.sets[name].type)] if name in model.sets else []
    if section == "marks":
        on = model.places[model.view.marks[name].on]
        owner = [("player", model.sets["player"].type)] if "player" in on.index else []
        return [*owner, (name, model.sets[name].type)]
    family = model.places.get(name) or model.variables[name]
    names: list[tuple[str, Type]] = [(n, model.sets[n].type) for n in family.index]
    each = numbered(family) if key == "under" else None
    return names if each is None else [*names, ("it", each)]


def numbered(family: Place | Variable) -> Type | None:
    """Return what `it` is: the number of a space of a pile with room, or the value of a variable."""
    if isinstance(family, Variable):
        return sure(family.type)
    most = max(family.rooms, default=-1)
    return number(1, most) if family.shape == "pile" and most > 0 else None


def view_expressions(view: View) -> Iterator[tuple[ViewKey, Expr, Span]]:
    """Yield every expression of a view."""
    sections: tuple[tuple[str, dict[str, PlaceView] | dict[str, PieceView] | dict[str, MarkView]], ...] = (
        ("layout", view.layout),
        ("pieces", view.pieces),
        ("marks", view.marks),
    )
    for section, entries in sections:
        for name, entry in entries.items():
            for key, e in entry.values.items():
                yield (section, name, key), e, entry.span
