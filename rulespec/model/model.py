"""A checked game for one number of players and one choice of options: names resolved, everything typed."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulespec.diagnostics.diagnostic import Span
from rulespec.expr.core import Expr
from rulespec.expr.types import NONE, Type, Values
from rulespec.yaml.tree import Mapping


@dataclass(frozen=True, slots=True)
class Set:
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


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    index: tuple[str, ...]
    index_values: tuple[tuple[int, ...], ...]
    type: Type  # Values or YesNo
    starts: tuple[int, ...]
    never_below: int | None
    never_above: int | None
    span: Span


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: Type
    set: str


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    parameters: tuple[Parameter, ...]
    body: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Template:
    """A text with holes: literals and expressions in turn."""

    parts: tuple[str | Expr, ...]
    span: Span


# Steps ---------------------------------------------------------------------------------------------------


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
    span: Span
    player: Expr
    moves: tuple[tuple[str, tuple[Expr, ...]], ...]
    forced: bool  # a single legal move plays itself
    otherwise: tuple[Step, ...] | None


@dataclass(frozen=True, slots=True)
class MarkStep:
    """Notes that play came by here. No file says it: rule coverage puts it at the beginning of branches."""

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


@dataclass(frozen=True, slots=True)
class Condition:
    name: str
    that: Expr
    refusal: Template
    span: Span


@dataclass(frozen=True, slots=True)
class Move:
    name: str
    given: tuple[Parameter, ...]
    choices: tuple[Choice, ...]
    conditions: tuple[Condition, ...]
    text: Template
    does: tuple[Step, ...]
    beside: str
    span: Span


@dataclass(frozen=True, slots=True)
class Rule:
    """A scoring rule."""

    name: str
    parameters: tuple[Parameter, ...]
    text: Template
    points: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Supply:
    """So many pieces of a kind, in a place at the start."""

    kind: int
    count: int
    place: str
    number: int  # which place of the family


@dataclass(frozen=True, slots=True)
class PlaceView:
    """How a place is drawn. Nothing of it changes play."""

    title: str
    grid: tuple[str, ...]  # the indexes that run down and across
    under: Expr | None  # what an empty cell shows, over the names of its indexes
    align: str
    span: Span  # of `under`, or of the whole


@dataclass(frozen=True, slots=True)
class View:
    labels: dict[str, str]  # set or member → text
    symbols: dict[int, str]  # kind → a letter or two
    colours: dict[int, str]
    layout: dict[str, PlaceView]
    says: dict[str, str] = field(default_factory=dict)  # a name of the file → how rulebooks call it


@dataclass(frozen=True, slots=True)
class Model:
    title: str
    text: str
    players: int
    choices: dict[str, str]
    sets: dict[str, Set]
    member_names: dict[int, str]  # code → name
    tables: dict[str, Table]
    kinds: tuple[int, ...]
    pieces: tuple[Supply, ...]
    places: dict[str, Place]
    variables: dict[str, Variable]
    functions: dict[str, Function]
    procedures: dict[str, Procedure]  # the named steps, and `setup` and `play`
    moves: dict[str, Move]
    rules: dict[str, Rule]
    winner: tuple[tuple[str, Expr], ...]
    view: View
    examples: Mapping | None
    file: str
    pair_parts: dict[int, tuple[int, int]]
    used: frozenset[str] = field(default_factory=frozenset)  # the names that something uses

    def value_name(self, code: int) -> str:
        """How a value is written: a number, a member's name, or none."""
        if code == NONE:
            return "none"
        return self.member_names.get(code) or str(code)
