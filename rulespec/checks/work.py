"""How much work a model can make at one decision, at most: ways to choose, listing moves, running steps.

All of it is counted, never timed, so that the same rules get the same answer on every machine. Where the most that
could happen is far more than what does happen, generated programs count in play: `counted` says where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from math import prod

from rulespec.diagnostics.diagnostic import Diagnostic
from rulespec.expr.static import LOOKED_UP, MOST, domain_size, effort, is_static, passes
from rulespec.graph import components
from rulespec.syntax import (
    LARGEST,
    Act,
    AgainStep,
    AskStep,
    Choice,
    Condition,
    DoStep,
    DrawStep,
    Expr,
    ForStep,
    FunctionCall,
    IfStep,
    LetStep,
    ListOf,
    Model,
    MoveRule,
    MoveStep,
    Place,
    PlaceAt,
    PlaceOf,
    RememberStep,
    RollStep,
    ScoreStep,
    Several,
    ShowStep,
    Step,
    TellStep,
    Type,
    Values,
    Variable,
    WhileStep,
    all_expressions,
    all_steps,
    bodies,
    each_expression,
    inner_steps,
    of_step,
    view_expressions,
    view_names,
)

MOST_PIECES = 100_000  # of which the ways to take some are counted one by one
MOST_MOVES = 20_000  # legal moves at one decision
MOST_LISTING = 5_000_000  # steps to find the legal choices of one move
PASS = 1_000  # steps that count as one pass of a loop
MOST_ASKED = 1_000 * PASS  # steps that an ask counts for, where nobody decides anything,
COUNTED_ASKED = 300 * PASS  # or one of moves whose listing is counted: most take far less than they could
POINTS = 50  # steps that a line of the ledger counts for: it is kept, with all that its text shows
COPIED = 64  # numbers of a position that are copied in one step
MOST_TRIED = 100  # passes of `while` in what is tried of a move
DRAWN = 200  # steps that a drawn piece counts for, which is a decision of chance


@dataclass(frozen=True, slots=True)
class _Piles:
    """How many pieces of each kind there are: they are conserved, so no place ever holds more."""

    supply: dict[int, int]

    def ways(self, choice: Choice) -> int:
        """Return the number of ways to choose pieces together, at most."""
        assert isinstance(choice.type, Several)
        least, most = _low(choice.at_least), _high(choice.at_most)
        together = list(choice.type.kinds)
        if isinstance(choice.domain.type, ListOf):
            item = choice.domain.type.item
            together = [k for k in together if not isinstance(item, Values) or _has(item, k)]
        elif not isinstance(choice.domain, PlaceAt):  # pieces of one kind
            return 1 if choice.at_least == choice.at_most else max(1, most - least + 1)
        counts = [self.supply.get(k, 0) for k in together]
        return sub_multisets(counts, least, most, exact=choice.at_least == choice.at_most)


class Work:
    """The work of one model; every number is worked out once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._kinds = {name: len(place.kinds) for name, place in model.places.items()}
        self._ways: dict[int, int] = {}  # by the identity of the choice, which the model keeps
        self._listing: dict[str, int] = {}  # by the name of the move
        self._costs: dict[int, int] = {}  # by the identity of the step
        self._steps: dict[tuple[str, str, bool], int] = {}
        self._waiting: dict[str, bool] = {}
        self._lines: dict[tuple[str, bool], int] = {}
        self._tries: dict[Act, int] = {}

    @cached_property
    def _uses(self) -> dict[str, list[str]]:
        """The functions that each function calls."""
        bodies = {name: f.body for name, f in self.model.functions.items()}
        return {
            n: [e.function for e in each_expression([body]) if isinstance(e, FunctionCall)]
            for n, body in bodies.items()
        }

    @cached_property
    def order(self) -> list[str]:
        """All functions, those that one calls before it."""
        return [name for circle in components(self._uses) for name in circle]

    @cached_property
    def functions(self) -> dict[str, int]:
        """The effort of each function."""
        found: dict[str, int] = {}
        for name in self.order:
            found[name] = effort(self.model.functions[name].body, found, self._kinds)
        return found

    @cached_property
    def static(self) -> dict[str, bool]:
        """Return whether each function reads no state."""
        found: dict[str, bool] = {}
        for name in self.order:
            found[name] = is_static(self.model.functions[name].body, self.model.functions, found)
        return found

    def effort(self, e: Expr) -> int:
        """Return the most steps that working out `e` takes."""
        return effort(e, self.functions, self._kinds)

    # choosing -------------------------------------------------------------------------------------------------

    @cached_property
    def _piles(self) -> _Piles:
        supply: dict[int, int] = {}
        for s in self.model.pieces:
            supply[s.kind] = supply.get(s.kind, 0) + s.count
        return _Piles(supply)

    def ways(self, choice: Choice) -> int:
        """Return how many values one choice has, at most."""
        if id(choice) not in self._ways:
            together = isinstance(choice.type, Several)
            self._ways[id(choice)] = self._piles.ways(choice) if together else self._members(choice.domain.type)
        return self._ways[id(choice)]

    def _members(self, t: Type) -> int:
        """Return how many values a list has, or how many kinds can lie on a place, at most."""
        if isinstance(t, PlaceOf):
            return max(1, self._kinds[t.family])
        if not isinstance(t, ListOf):
            return 1
        return max(1, min(t.largest, _values(t.item) if isinstance(t.item, Values) else t.largest))

    def candidates(self, move: MoveRule) -> int:
        """Return how many ways there are to choose a move, legal or not."""
        return min(MOST, prod(self.ways(c) for c in move.choices))

    def asked(self, step: AskStep) -> int:
        """Return how many ways there are to answer an ask, legal or not."""
        return min(MOST, sum(self.candidates(self.model.moves[name]) for name, _ in step.moves))

    def tests(self, move: MoveRule) -> list[int]:
        """Return the effort of the conditions of a move, by the number of choices that must be made before."""
        levels: list[list[Condition]] = [[] for _ in range(len(move.choices) + 1)]
        for condition in move.conditions:
            levels[move.choices_before(condition)].append(condition)
        return [self.testing(move, conditions) for conditions in levels]

    def testing(self, move: MoveRule, conditions: Iterable[Condition]) -> int:
        """Return the effort of looking at some conditions of a move; those about the position after it share one trial."""
        tests, after = 0, 0
        for condition in conditions:
            tests += self.effort(condition.that)
            if condition.afterwards:
                after = self.tried(("moves", move.name)) + self._copied
        return min(MOST, tests + after)

    def tried(self, act: Act) -> int:
        """Return the most steps that trying what a move or a named step does takes, up to the first ask."""
        if act not in self._tries:
            self._tries[act] = 0  # steps that run themselves are reported elsewhere
            section, name = act
            body = self.model.moves[name].does if section == "moves" else self.model.procedures[name].body
            self._tries[act] = self._try(body)
        return self._tries[act]

    def _try(self, steps: Iterable[Step]) -> int:
        total = 0
        for step in steps:
            own = 1 + sum(self.effort(e) for e in of_step(step))
            match step:
                case AskStep() | AgainStep():
                    break
                case IfStep():
                    total += own + max(self._try(step.then), self._try(step.other))
                case WhileStep():
                    total += MOST_TRIED * (own + self._try(step.body))
                case ForStep():
                    where = self.effort(step.where) if step.where is not None else 0
                    total += own + passes(step.domain, self._kinds) * (1 + where + self._try(step.body))
                case DoStep():
                    total += own + self.tried(("steps", step.name))
                case _:
                    total += self._step(step, asks=False)
        return min(MOST, total)

    @cached_property
    def _copied(self) -> int:
        """The steps that copying a position counts for."""
        return 1 + position_size(self.model) // COPIED

    def listing(self, move: MoveRule) -> int:
        """Return the most steps that finding the legal choices of a move takes."""
        if move.name not in self._listing:
            self._listing[move.name] = self._list(move)
        return self._listing[move.name]

    def _list(self, move: MoveRule) -> int:
        tests = self.tests(move)
        total, times = tests[0], 1
        for i, choice in enumerate(move.choices):
            parts = (choice.domain, choice.at_least, choice.at_most, choice.source)
            total += times * sum(self.effort(e) for e in parts if e is not None)
            times = min(MOST, times * self.ways(choice))
            total += times * (1 + tests[i + 1])
        return min(MOST, total)

    def is_counted(self, move: MoveRule) -> bool:
        """Return whether programs count the steps of finding the legal choices of a move."""
        return self.listing(move) > MOST_LISTING

    # steps ----------------------------------------------------------------------------------------------------

    def steps(self, section: str, name: str, asks: bool = True) -> int:
        """Return the most steps that a named step, or what a move does, takes without a pass of a counted loop.

        Without `asks`, what looking for legal moves takes is left out: programs count that where they do it.
        """
        key = (section, name, asks)
        if key not in self._steps:
            self._steps[key] = 0  # steps that run themselves are reported elsewhere
            body = self.model.moves[name].does if section == "moves" else self.model.procedures[name].body
            self._steps[key] = self.run(body, asks)
        return self._steps[key]

    def run(self, steps: Iterable[Step], asks: bool = True) -> int:
        """Return the most steps that running these takes, counted loops not included: those count for themselves."""
        return min(MOST, sum(self._step(step, asks) for step in steps))

    def pass_cost(self, step: ForStep | WhileStep) -> int:
        """Return how many passes one pass of this loop counts as; asks in it count when play reaches them."""
        if id(step) not in self._costs:
            where = step.where if isinstance(step, ForStep) else step.test
            effort = self.effort(where) if where is not None else 0
            steps = self.run(step.body, asks=False) + effort
            self._costs[id(step)] = 1 + steps // PASS + self.scored(step.body, asks=False)
        return self._costs[id(step)]

    def ask_cost(self, step: AskStep) -> int:
        """Return how many passes an ask counts as that nobody decides: no move is legal, or the only one plays itself."""
        if id(step) not in self._costs:
            self._costs[id(step)] = self._answer(step, asks=False) // PASS + self._lines_of(step, asks=True)
        return self._costs[id(step)]

    def _step(self, step: Step, asks: bool) -> int:
        own = 1 + sum(self.effort(e) for e in of_step(step))
        match step:
            case IfStep():
                return own + max(self.run(step.then, asks), self.run(step.other, asks))
            case WhileStep():
                return own
            case ForStep() if self.waits(step):
                return own  # every pass is counted in play
            case ForStep():
                where = self.effort(step.where) if step.where is not None else 0
                return own + passes(step.domain, self._kinds) * (1 + where + self.run(step.body, asks))
            case MoveStep():
                return own + self._kinds_of(step.source) * (1 + len(step.goals))
            case DrawStep():
                return own + self.drawn(step) * (DRAWN + self._kinds_of(step.source) * (1 + len(step.goals)))
            case DoStep():
                return own + self.steps("steps", step.name, asks)
            case ScoreStep():
                return own + sum(POINTS + self.effort(self.model.rules[name].points) for name, _ in step.rules)
            case TellStep():
                return own + POINTS
            case ShowStep():
                return own + self._places(step.place) * POINTS + self._kinds_of(step.place)
            case RememberStep():
                return own + LOOKED_UP
            case AskStep() if step.several:  # all answers are carried out at once, after the last one
                return own + self._players(step) * self._answer(step, asks)
            case AskStep():
                return own + (self._answer(step) if asks else 0)
            case _:
                return own

    def drawn(self, step: DrawStep) -> int:
        """Return how many pieces one step draws, at most: there are no more than can lie on the place."""
        kinds = self.model.places[step.source.type.family].kinds if isinstance(step.source.type, PlaceOf) else ()
        return min(_high(step.amount.number), sum(self._piles.supply.get(k, 0) for k in kinds))

    def scored(self, steps: Iterable[Step], asks: bool = True) -> int:
        """Return how many lines are kept from these steps, at most: points, and what is told and shown. Without counted loops."""
        return min(MOST, sum(self._scored(step, asks) for step in steps))

    def _scored(self, step: Step, asks: bool) -> int:
        match step:
            case ScoreStep():
                return len(step.rules)
            case TellStep():
                return 1
            case ShowStep():
                return self._places(step.place)
            case IfStep():
                return max(self.scored(step.then, asks), self.scored(step.other, asks))
            case ForStep() if not self.waits(step):
                return passes(step.domain, self._kinds) * self.scored(step.body, asks)
            case DoStep():
                key = step.name, asks
                if key not in self._lines:
                    self._lines[key] = 0  # steps that run themselves are reported elsewhere
                    self._lines[key] = self.scored(self.model.procedures[step.name].body, asks)
                return self._lines[key]
            case AskStep() if asks or step.several:
                return self._players(step) * self._lines_of(step, asks)
            case _:
                return 0

    def _lines_of(self, step: AskStep, asks: bool) -> int:
        """Return how many lines are kept from what is done for one player without a decision of theirs, or after the last one."""
        moves = [self.model.moves[name].does for name, _ in step.moves] if step.forced or step.several else []
        return max(self.scored(steps, asks) for steps in (*moves, step.otherwise or ()))

    @cached_property
    def most_scored(self) -> int:
        """How many lines are kept between two decisions, at most, counted loops not included."""
        return max((self.scored(body) for _, _, body in bodies(self.model)), default=0)

    @cached_property
    def most_outcomes(self) -> int:
        """Among how many outcomes chance decides, at most."""
        steps = [step for _, _, body in bodies(self.model) for step in all_steps(body)]
        return max((self._outcomes(step) for step in steps), default=0)

    def _outcomes(self, step: Step) -> int:
        match step:
            case DrawStep():
                return self._kinds_of(step.source)
            case RollStep():
                return domain_size(step.domain)
            case _:
                return 0

    def _kinds_of(self, source: Expr) -> int:
        family = source.type.item if isinstance(source.type, ListOf) else source.type
        return self._places(source) * (self._kinds[family.family] if isinstance(family, PlaceOf) else 1)

    def _places(self, source: Expr) -> int:
        """Return how many places a place or a list of places is, at most."""
        return source.type.largest if isinstance(source.type, ListOf) else 1

    def waits(self, step: Step) -> bool:
        """Return whether somebody, or chance, may decide something in a step."""
        match step:
            case AskStep() | DrawStep() | RollStep():
                return True
            case DoStep():
                if step.name not in self._waiting:
                    self._waiting[step.name] = False
                    body = self.model.procedures[step.name].body
                    self._waiting[step.name] = any(self.waits(s) for s in body)
                return self._waiting[step.name]
            case _:
                return any(self.waits(s) for inner in inner_steps(step) for s in inner)

    def _players(self, step: AskStep) -> int:
        """Return how many players an ask asks, at most."""
        return min(self.model.players, step.player.type.largest) if isinstance(step.player.type, ListOf) else 1

    def _answer(self, step: AskStep, asks: bool = True) -> int:
        """Return the steps of an ask that one player does not decide: no move is legal, or the only one plays itself.

        Of an ask of several players, the steps of finding the legal moves of one and of carrying out the answer.
        """
        moves = [self.model.moves[name] for name, _ in step.moves]
        most = COUNTED_ASKED if any(self.is_counted(move) for move in moves) else MOST_ASKED
        listing = min(most, sum(self.listing(move) for move in moves))
        done = moves if step.forced or step.several else []
        forced = max((self.steps("moves", move.name, asks) for move in done), default=0)
        return listing + max(forced, self.run(step.otherwise or (), asks))


def sub_multisets(counts: list[int], least: int, most: int, exact: bool = False) -> int:
    """Return the number of ways to take least..most pieces of what there is of each kind; of very many, an upper bound.

    If the number is `exact`, it is the same for all ways: the number of ways is that for the worst number.

    >>> sub_multisets([2, 1], 0, 2)
    5
    >>> sub_multisets([2, 1], 0, 2, exact=True)
    2
    """
    most = min(most, sum(counts))
    least = max(0, least)
    if most > MOST_PIECES:  # too many to count one by one; of an exact number the last kind takes what is left
        free = sorted(min(n, most) + 1 for n in counts)[: -1 if exact else None]
        return min(MOST, prod(free))
    ways = [1] + [0] * most  # of taking n pieces of the kinds so far; more kinds never make it fewer
    for count in counts:
        more, within = [], 0
        for n in range(most + 1):
            within += ways[n] - (ways[n - count - 1] if n > count else 0)
            more.append(within)
        ways = more
        if max(ways) > MOST:
            return MOST
    found = ways[least:]
    return min(MOST, max(found, default=0) if exact else sum(found))


def _values(t: Values) -> int:
    numbers = t.hi - t.lo + 1 if t.lo is not None and t.hi is not None else 0
    return numbers + len(t.members) + t.none


def _has(t: Values, code: int) -> bool:
    return code in t.members or (t.lo is not None and t.hi is not None and t.lo <= code <= t.hi)


def _low(e: Expr | None) -> int:
    return e.type.lo or 0 if e is not None and isinstance(e.type, Values) else 0


def _high(e: Expr | None) -> int:
    return max(0, e.type.hi or 0) if e is not None and isinstance(e.type, Values) else LARGEST


# What would take too long in play, or need too much room ---------------------------------------------------------

MOST_EFFORT = 2_000_000  # steps to work out one expression
MOST_STEPS = 10_000_000  # steps of what is done at once, between two decisions
MOST_SCORED = 1_000  # lines of the ledger from what is done at once
MOST_DRAWING = 2_000_000  # steps of all expressions of a view for one position
MOST_MARKS = 20_000  # marks on the faces of all pieces
MOST_MARKERS = 50_000  # markers of variables on places
MOST_DRAWN = 25_000  # places, and spaces on them
MOST_ROOM = 24  # spaces of a pile; one with more room is drawn without them
MOST_SPACES = 1_000  # no picture shows more spaces of a pile or cells of a track
MOST_CHOICES = 1_000_000  # ways to choose a move, before any condition is looked at
MOST_TOGETHER = 200_000  # ways to choose pieces together
MOST_COUNTS = 1_000_000  # numbers that say how many of each kind are chosen, in all these ways
MOST_KEPT = 5_000  # items of a list that is kept while somebody decides
MOST_GONE_THROUGH = 19_000  # items of one that is known before the game
LARGEST_POSITION = 200_000  # numbers that make a position


def check_effort(model: Model) -> Iterator[Diagnostic]:
    """Check that no expression takes too long to evaluate."""
    work = Work(model)
    reported: set[str] = set()
    for e, span in all_expressions(model):
        uses = {x.function for x in each_expression([e]) if isinstance(x, FunctionCall)}
        steps = work.effort(e)
        if steps <= MOST_EFFORT:
            continue
        own = {name for name, f in model.functions.items() if f.span == span}
        if not uses & reported:
            message = f"working this out may take {steps:,} steps; at most {MOST_EFFORT:,} are allowed"
            yield Diagnostic(span, "too-much-work", message,
                             "it loops over long lists inside long lists", "loop over shorter lists")  # fmt: skip
        reported |= own  # those that use it are too long for that reason alone
    if not reported:
        yield from _long_steps(model, work)


def check_drawing(model: Model) -> Iterator[Diagnostic]:
    """Check that a position is drawn in bounded work: every expression of the view for each of its places and players."""
    work, total = Work(model), 0
    for (section, name, key), e, span in view_expressions(model.view):
        times = 1
        for n, t in view_names(model, section, name, key):
            values = _values(t) if isinstance(t, Values) else 1
            times *= min(values, MOST_SPACES) if n == "it" else values
        total += work.effort(e) * times
        if total > MOST_DRAWING:
            message = f"with `{key}` of `{name}`, drawing a position may take {total:,} steps; at most {MOST_DRAWING:,} are allowed"
            yield Diagnostic(span, "too-much-work", message,
                             "it is worked out for every place, and again after every decision", "show something simpler")  # fmt: skip
            return


def check_faces(model: Model) -> Iterator[Diagnostic]:
    """Check that not too many marks are printed on pieces: those of a kind once to show it, and on each of its pieces."""
    pieces, spaces = Counter[int](), Counter[int]()
    for supply in model.pieces:
        pieces[supply.kind] += supply.count
    for place in model.places.values():
        for kind in place.kinds:
            spaces[kind] += place.size * (1 if place.shape == "cell" else MOST_SPACES)
    total = 0
    for name, entry in model.view.pieces.items():
        face = entry.values.get("face")
        if face is None or not isinstance(face.type, ListOf):
            continue
        codes = model.sets[name].values if name in model.sets else (k for k in spaces if model.value_name(k) == name)
        drawn = sum(1 + min(pieces[kind], spaces[kind]) for kind in codes if kind in spaces)
        total += face.type.largest * drawn
        if total > MOST_MARKS:
            message = f"with `face` of `{name}`, {total:,} marks may be drawn; at most {MOST_MARKS:,} are allowed"
            yield Diagnostic(entry.span, "too-large", message, "they are drawn on every piece that has them",
                             "print fewer marks on a piece")  # fmt: skip
            return


def check_markers(model: Model) -> Iterator[Diagnostic]:
    """Check that variables do not have too many markers on places: one on every place that a value names."""
    total = 0
    for name, drawn in model.view.layout.items():
        if drawn.on not in model.places or name not in model.variables:
            continue
        variable = model.variables[name]
        total += len(variable.starts) * _marked(model, model.places[drawn.on], variable)
        if total > MOST_MARKERS:
            message = f"with `{name}`, {total:,} markers may be drawn; at most {MOST_MARKERS:,} are allowed"
            yield Diagnostic(drawn.span, "too-large", message,
                             f"one is drawn on every place of `{drawn.on}` that a value names",
                             f"hide it, or draw it on something with fewer places than `{drawn.on}`")  # fmt: skip
            return


def _marked(model: Model, place: Place, variable: Variable) -> int:
    """Return how many markers one value of a variable may have, at most."""
    sizes = [(name, len(values)) for name, values in zip(place.index, place.index_values, strict=True)]
    own = [(name, size) for name, size in sizes if name != "player"]
    if not isinstance(variable.type, Values) or _points_at_lines(model, place, variable.type.home, [n for n, _ in own]):
        return max(1, place.size // max(1, prod(size for _, size in own)))  # one for each player
    return min(place.size, sum(place.size // size for _, size in own))


def _points_at_lines(model: Model, place: Place, home: str, own: list[str]) -> bool:
    """Return whether the members of a set are rows or columns of a family: a marker stands beside or above a whole one."""
    if home not in own or len(own) == 1:
        return False
    drawn = model.view.layout.get(place.name)
    if drawn is not None and (drawn.ring or drawn.grid or drawn.row):
        return not drawn.ring and home in (drawn.grid[:2] or (drawn.row,))
    return own.index(home) >= len(own) - 2


def _long_steps(model: Model, work: Work) -> Iterator[Diagnostic]:
    """Check what is done between two decisions; report the first named step or move that takes too long."""
    for (section, name), span, _ in bodies(model):
        steps = work.steps(section, name)
        if steps > MOST_STEPS:
            message = f"`{name}` may take {steps:,} steps; at most {MOST_STEPS:,} are allowed"
            yield Diagnostic(span, "too-much-work", message, "all of it is done before anybody decides anything again",
                             "loop over shorter lists, or do less at once")  # fmt: skip
            return
    for (_, name), span, body in bodies(model):
        if (lines := work.scored(body)) > MOST_SCORED:
            message = f"`{name}` may score, tell or show {lines:,} times; at most {MOST_SCORED:,} are allowed"
            yield Diagnostic(span, "too-much-work", message,
                             "each time a line is kept, and all of it is done before anybody decides anything again",
                             "score once, by a rule whose points are a `sum`; tell what came of it all")  # fmt: skip
            return


def check_choices(model: Model) -> Iterator[Diagnostic]:
    """Check that the ways to choose a move can be listed."""
    work = Work(model)
    for move in model.moves.values():
        for choice in move.choices:
            ways = work.ways(choice)
            if isinstance(choice.type, Several) and (
                ways > MOST_TOGETHER or ways * len(choice.type.kinds) > MOST_COUNTS
            ):
                most = min(MOST_TOGETHER, MOST_COUNTS // len(choice.type.kinds))
                message = f"there are {ways:,} ways to choose `{choice.name}`; at most {most:,} are allowed"
                kinds = len(choice.type.kinds)
                yield Diagnostic(choice.span, "too-much-work", message,
                                 f"each is a number of pieces of {'one kind' if kinds == 1 else f'each of {kinds} kinds'}, and all are looked at",
                                 "let fewer pieces be chosen together, or let them be chosen one after another")  # fmt: skip
                break
        else:
            ways = work.candidates(move)
            if ways > MOST_CHOICES:
                message = f"there are {ways:,} ways to choose `{move.name}`; at most {MOST_CHOICES:,} are allowed"
                yield Diagnostic(move.span, "too-much-work", message,
                                 "all of them are tried to find the legal ones",
                                 "give it fewer choices, or split it into several moves")  # fmt: skip


def check_kept(model: Model) -> Iterator[Diagnostic]:
    """Check that lists that are kept while somebody decides fit in a position."""
    work = Work(model)
    for _, _, body in bodies(model):
        for step in all_steps(body):
            if isinstance(step, LetStep):
                kept, most = step.value, MOST_KEPT
            elif isinstance(step, ForStep) and work.waits(step):
                kept = step.domain
                most = MOST_GONE_THROUGH if is_static(kept, model.functions, work.static) else MOST_KEPT
            else:
                continue
            if isinstance(kept.type, ListOf) and kept.type.largest > most:
                message = f"this list may have {kept.type.largest:,} items; at most {most:,} are allowed"
                yield Diagnostic(step.span, "too-large", message, "it is kept while somebody decides")


def check_size(model: Model) -> Iterator[Diagnostic]:
    """Check that a position is small enough to be copied quickly."""
    total = position_size(model)
    if total > LARGEST_POSITION:
        sizes = [(_size(p), p.span, p.name) for p in model.places.values()]
        sizes += [(len(v.starts), v.span, v.name) for v in model.variables.values()]
        size, span, name = max(sizes)
        yield Diagnostic(span, "too-large", f"a position would be {total:,} numbers; at most {LARGEST_POSITION:,} are allowed",
                         f"`{name}` alone needs {size:,}")  # fmt: skip


def position_size(model: Model) -> int:
    """Return how many numbers make a position, without those of steps that wait."""
    return sum(map(_size, model.places.values())) + sum(len(v.starts) for v in model.variables.values())


def check_spaces(model: Model) -> Iterator[Diagnostic]:
    """Check that a picture of a position does not have too many places."""
    sizes = [(sum(map(partial(_spaces, p), p.rooms)), p.span, p.name) for p in model.places.values()]
    total = sum(size for size, _, _ in sizes)
    if total > MOST_DRAWN:
        size, span, name = max(sizes)
        yield Diagnostic(span, "too-large", f"a picture would have {total:,} places and spaces on them; at most {MOST_DRAWN:,} are allowed",
                         f"`{name}` alone has {size:,}")  # fmt: skip


def _spaces(place: Place, room: int) -> int:
    return room if place.shape == "pile" and 1 <= room <= MOST_ROOM else 1


def _size(place: Place) -> int:
    match place.shape:
        case "pile":
            return place.size * len(place.kinds)
        case "stack":
            return sum(place.rooms) + place.size
        case _:
            return place.size
