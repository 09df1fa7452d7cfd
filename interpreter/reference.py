"""The meaning of the rule language, written to be read: it walks the checked model, one function a form.

Nothing is generated, shared, hoisted or kept between two questions, so this is slow and can be checked against
docs/language.md line by line. It is what the engine is compared with: where they differ, one of them is wrong.

A value is a code (a number, a member, `none`), a condition, a `Spot`, a tuple of these, or, for pieces chosen
together, a tuple with a count for each kind. `none` is also the place that is nowhere. It may turn up wherever
something is read, and every reader knows it: as a place it is empty and has no room, as a list it has no items, as
a condition it does not hold, as a way it leads nowhere.

A game is a Python generator that yields every decision and is sent the one taken: Python keeps the loops and names
of suspended steps, and a game cannot branch.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, assert_never

from interpreter.fault import IDLE_LIMIT, LIMIT, Fault, FaultCode
from interpreter.notation import Notation
from interpreter.state import CHANCE, IllegalMove, LedgerLine, Move, Objection, Outcome, Spot, Told
from rulespec import syntax
from rulespec.checks.secrecy import ME, Secrecy
from rulespec.checks.work import MOST_MOVES, MOST_TRIED, Work
from rulespec.diagnostics.diagnostic import Span
from rulespec.english import listed_names
from rulespec.expr.static import arithmetic, compare
from rulespec.syntax import (
    MOST_NOTED,
    NONE,
    AgainStep,
    AskStep,
    Choice,
    Condition,
    DoStep,
    DrawStep,
    Expr,
    ForStep,
    Goal,
    IfStep,
    LetStep,
    ListOf,
    MarkStep,
    Model,
    MoveRule,
    MoveStep,
    Parameter,
    Place,
    PlaceOf,
    RememberStep,
    RollStep,
    ScoreStep,
    SetStep,
    Several,
    ShowStep,
    Step,
    TellStep,
    Template,
    Type,
    Values,
    Variable,
    WhileStep,
    YesNo,
    free_names,
)

Value = Any
Env = dict[str, Value]  # local names
Snapshot = tuple[tuple[str, tuple[Value, ...]], ...]  # what a place or variable of each name holds


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal move, and what it was given by the ask."""

    move: Move
    env: Env


@dataclass(frozen=True, slots=True)
class OpenAsk:
    """A player must decide between these."""

    player: int
    step: AskStep
    env: Env
    candidates: tuple[Candidate, ...]
    undecided: tuple[int, ...]  # this player, and those who decide after them in the same position


@dataclass(frozen=True, slots=True)
class Chance:
    """A piece is drawn or a value rolled: each value with its weight."""

    kind: str  # draw, roll
    span: Span
    weights: tuple[tuple[int, int], ...]


Run = Generator[OpenAsk | Chance, Move, None]
RunOfSteps = Generator[OpenAsk | Chance, Move, bool]  # returns whether they end with `ask again`


class _Asked(Exception):
    """Steps that are tried came to a question."""


class Reference:
    """One game that is played: it waits at a decision, or is at its end."""

    def __init__(self, model: Model, given: Mapping[str, int] | None = None, limit: int = LIMIT) -> None:
        self.model = model
        self.limit = limit  # of decisions
        self.notation = Notation(model)
        self.places = {name: [list[int]() for _ in range(p.size)] for name, p in model.places.items()}
        self.variables = {name: list(v.starts) for name, v in model.variables.items()}
        self.decisions = 0
        self.ledger: list[LedgerLine] = []
        self.told: list[Told] = []
        self.noted: list[Snapshot] = []  # what is remembered
        self.moved: list[tuple[Spot, Spot, int]] = []  # each piece that moved: where from, where to, its kind
        self.refused: set[tuple[str, str]] = set()  # each move and condition that refused a choice
        self.marks: set[int] = set()  # the marked branches that were taken
        self._conditions = {name: _by_choices(rule) for name, rule in model.moves.items()}
        self._work = Work(model)
        self._idle = 0  # passes of loops since the last decision
        self._trying = False  # whether steps are run only to see what comes of them
        for supply in model.pieces:
            self.places[supply.place][supply.number] += [supply.kind] * supply.count
        for name, value in (given or {}).items():
            self.variables[name] = [value]
        self._run = self._game()
        self.decision: OpenAsk | Chance | None = next(self._run, None)

    # the verbs -------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        """The player who decides, CHANCE, or None when the game is over."""
        match self.decision:
            case OpenAsk():
                return self.decision.player
            case Chance():
                return CHANCE
            case None:
                return None

    @property
    def undecided(self) -> tuple[int, ...]:
        """The players who are to decide in this position, the one to move first."""
        return self.decision.undecided if isinstance(self.decision, OpenAsk) else ()

    def legal_moves(self) -> list[Move]:
        """Return every legal decision, each once, in the order of the rule file."""
        match self.decision:
            case OpenAsk():
                return [candidate.move for candidate in self.decision.candidates]
            case Chance():
                return [move for move, _ in self.chances()]
            case None:
                return []

    def chances(self) -> list[tuple[Move, int]]:
        """Return the outcomes of a decision of chance with their weights."""
        if not isinstance(self.decision, Chance):
            return []
        kind = self.decision.kind
        return [(Move(kind, (k,), self.notation.chance(kind, k)), n) for k, n in self.decision.weights]

    def apply(self, move: Move) -> None:
        """Decide. An illegal move raises IllegalMove and changes nothing; a Fault ends the game."""
        if move not in self.legal_moves():
            raise IllegalMove(str(move), self.objections(move))
        self.decisions += 1
        self._idle = 0
        try:
            self.decision = self._run.send(move)
        except StopIteration:
            self.decision = None

    def objections(self, move: Move) -> list[Objection]:
        """Return why a move is not legal here; nothing if it is."""
        if move in self.legal_moves():
            return []
        decision = self.decision
        if decision is None:
            return [Objection("the game is over", "game over", move.name, None)]
        if isinstance(decision, Chance):
            verb = "drawn" if decision.kind == "draw" else "rolled"
            possible = ", ".join(str(m) for m in self.legal_moves())
            text = f"`{move}` cannot be {verb} now; possible: {possible}"
            return [Objection(text, "chance", move.name, decision.span)]
        asked = dict(reversed(decision.step.moves))
        if move.name not in asked:
            names = listed_names(asked, "or")
            text = f"`{move.name}` is not available now; player {decision.player} can play {names}"
            return [Objection(text, "not now", move.name, decision.step.span)]
        rule = self.model.moves[move.name]
        env = self._given(rule, asked[move.name], decision.player, decision.env, decision.step.span)
        return self._refusals(rule, move, env) or [
            Objection(f"`{move}` is not one of the choices", "choices", move.name, rule.span)
        ]

    def _refusals(self, rule: MoveRule, move: Move, env: Env) -> list[Objection]:
        """Return the choices outside their domain, as far as it is known; without any, the conditions that do not hold."""
        found = []
        doubtful: set[str] = set()  # what can be chosen in accordance with a wrong choice means nothing
        for choice, value in zip(rule.choices, move.args, strict=True):
            if choice.reads & doubtful:
                doubtful.add(choice.name)
                continue
            domain = list(dict.fromkeys(self._domain(choice, env)))  # a list may have a value twice
            if value not in domain:
                doubtful.add(choice.name)
                text = self.notation.cannot_be(value, choice, domain)
                found.append(Objection(text, choice.name, move.name, choice.span))
            env = {**env, choice.name: value}
        if not found:
            now = [c for c in rule.conditions if not c.afterwards and not self.holds(c.that, env)]
            for condition in now or self._refusing_afterwards(rule, env):
                text = self.text(condition.refusal, env, refusing=move.name)
                found.append(Objection(text, condition.name, move.name, condition.span, condition.changes))
        return found

    def _refusing_afterwards(self, rule: MoveRule, env: Env) -> list[Condition]:
        """Return the conditions on the position after a move that do not hold there.

        What the move does is tried up to its end or the first question. If it has a fault, nothing is refused: the fault
        comes when the move is played. Nothing is left of the trial.
        """
        wanted = [c for c in rule.conditions if c.afterwards]
        if not wanted:
            return []
        kept = self._idle, len(self.ledger), len(self.told), len(self.moved), set(self.marks)
        noted = list(self.noted)
        places = {name: [list(pieces) for pieces in spots] for name, spots in self.places.items()}
        variables = {name: list(values) for name, values in self.variables.items()}
        self._idle, self._trying = IDLE_LIMIT - MOST_TRIED, True
        try:
            for _ in self._steps(rule.does, env):
                raise AssertionError("the checker lets nothing be tried in which chance decides")
        except _Asked:
            pass
        except Fault:
            wanted = []
        finally:
            self._idle, ledger, told, moved, self.marks = kept
            self._trying = False
            del self.ledger[ledger:], self.told[told:], self.moved[moved:]
        try:
            return [c for c in wanted if not self.holds(c.that, env)]
        finally:
            self.places, self.variables, self.noted = places, variables, noted

    def describe(self, move: Move) -> str:
        """Return a legal move in the author's words."""
        if not isinstance(self.decision, OpenAsk):
            return str(move)
        candidate = next(o for o in self.decision.candidates if o.move == move)
        return self.text(self.model.moves[move.name].text, candidate.env)

    def scores(self) -> dict[int, int]:
        """Return every player's score; empty for a game without scores."""
        return dict(zip(self._players(), self.variables.get("score", ()), strict=False))

    def outcome(self) -> Outcome | None:
        """Return who won and why; None while the game goes on."""
        if self.decision is not None:
            return None
        ranks = {p: tuple(int(self.value(e, {"me": p})) for _, e in self.model.winner) for p in self._players()}
        order = sorted(set(ranks.values()), reverse=True)
        ranking = tuple(tuple(p for p in ranks if ranks[p] == rank) for rank in order)
        lines = [i for i in range(len(order[0])) if all(rank[: i + 1] != order[0][: i + 1] for rank in order[1:])]
        return Outcome(ranking[0], self.scores(), self.model.winner[lines[0]][0], ranking)

    # steps -----------------------------------------------------------------------------------------------

    def _game(self) -> Run:
        yield from self._steps(self.model.procedures["setup"].body, {})
        yield from self._steps(self.model.procedures["play"].body, {})

    def _steps(self, steps: tuple[Step, ...], env: Env) -> RunOfSteps:
        """Run a list of steps: the names that `let` and `roll` give are known to its end.

        Return whether they end with `ask again`, which is always the last step on its way.
        """
        env = dict(env)
        for step in steps:
            match step:
                case LetStep():
                    env[step.name] = self.value(step.value, env)
                case RollStep():
                    env[step.name] = yield from self._roll(step, env)
                case DrawStep():
                    yield from self._draw(step, env)
                case AskStep() | AgainStep() if self._trying:
                    raise _Asked
                case AskStep():
                    if (yield from self._ask(step, env)):
                        return True
                case AgainStep():
                    return True
                case DoStep():
                    procedure = self.model.procedures[step.name]
                    values = [self.value(a, env) for a in step.args]
                    inner = self._bind(procedure.parameters, values, step.name, step.span)
                    yield from self._steps(procedure.body, inner)
                case IfStep():
                    if (yield from self._steps(step.then if self.holds(step.test, env) else step.other, env)):
                        return True
                case WhileStep():
                    yield from self._while(step, env)
                case ForStep():
                    yield from self._for(step, env)
                case MoveStep():
                    self._move(step, env)
                case SetStep():
                    self._set(step, env)
                case ScoreStep():
                    self._score(step, env)
                case TellStep():
                    holes = tuple(self.value(part, env) for part in step.text.parts if not isinstance(part, str))
                    self.told.append(Told(self.decisions, self.notation.told(step.text, holes), step.span))
                case ShowStep():
                    self._show(step, env)
                case RememberStep():
                    self.noted.append(self._now(step.names))
                    if len(self.noted) > MOST_NOTED:
                        raise Fault(
                            f"more than {MOST_NOTED:,} positions are remembered", step.span, FaultCode.MANY_NOTED
                        )
                case MarkStep():
                    self.marks.add(step.number)
                case _:
                    assert_never(step)
        return False

    def _now(self, names: tuple[str, ...]) -> Snapshot:
        """Return how whole places and variables are now; in a pile, pieces have no order."""
        found: list[tuple[str, tuple[Value, ...]]] = []
        for name in names:
            place = self.model.places.get(name)
            if place is None:
                found.append((name, tuple(self.variables[name])))
            else:
                order = sorted if place.shape == "pile" else list
                found.append((name, tuple(tuple(order(pieces)) for pieces in self.places[name])))
        return tuple(found)

    def _while(self, step: WhileStep, env: Env) -> Run:
        while self.holds(step.test, env):
            self._pass(step)
            yield from self._steps(step.body, env)

    def _pass(self, step: WhileStep | ForStep) -> None:
        """Count a pass of a loop; one that does much counts as several, but in a trial."""
        self._idle += 1 if self._trying else self._work.pass_cost(step)
        if self._idle > IDLE_LIMIT:
            raise Fault("this loop never reaches a decision", step.span, FaultCode.IDLE)

    def _for(self, step: ForStep, env: Env) -> Run:
        """Run a loop: what it goes through is settled at the beginning, `where` is tested as each one comes up."""
        for item in self.items(step.domain, env):
            if self._work.waits(step) and not self._trying:
                self._pass(step)
            inner = {**env, step.name: item}
            if step.where is None or self.holds(step.where, inner):
                yield from self._steps(step.body, inner)

    def _ask(self, step: AskStep, env: Env) -> RunOfSteps:
        """Put a question, and put it once more whenever the move that answers it says so.

        Return whether `otherwise`, which belongs to the steps around it, ends with `ask again`.
        """
        if step.several:
            yield from self._ask_several(step, env)
            return False
        while (
            candidate := (yield from self._answer(step, env, (self.player(step.player, env, step.span),)))
        ) is not None:
            if not (yield from self._steps(self.model.moves[candidate.move.name].does, candidate.env)):
                return False
        return (yield from self._steps(step.otherwise or (), env))

    def _ask_several(self, step: AskStep, env: Env) -> Run:
        """Ask players one after the other in the same position, each once; when all have answered, do what they decided.

        `otherwise` is done for each who has no legal move, in their turn, and once if there is nobody to ask.
        """
        asked: list[int] = []
        for player in self.value(step.player, env):
            self._one_of("player", player, "a player", step.span)
            if player not in asked:
                asked.append(player)
        answers: list[Candidate | None] = []
        for i in range(len(asked)):
            answers.append((yield from self._answer(step, env, tuple(asked[i:]))))
        for answer in answers or [None]:
            if answer is None:
                yield from self._steps(step.otherwise or (), env)
            else:
                yield from self._steps(self.model.moves[answer.move.name].does, answer.env)

    def _answer(
        self, step: AskStep, env: Env, undecided: tuple[int, ...]
    ) -> Generator[OpenAsk | Chance, Move, Candidate | None]:
        """Return what the first of these players decides on; None if there is nothing and `otherwise` says what to do."""
        player = undecided[0]
        given = [self._given(self.model.moves[name], args, player, env, step.span) for name, args in step.moves]
        candidates: dict[Move, Candidate] = {}
        for (name, _), known in zip(step.moves, given, strict=True):
            rule = self.model.moves[name]
            for inner in self._legal(rule, 0, known):
                chosen = tuple(inner[c.name] for c in rule.choices)
                move = Move(name, chosen, self.notation.move(name, chosen))
                candidates.setdefault(move, Candidate(move, inner))
        if not candidates:
            if step.otherwise is None:
                raise Fault("the player has no legal move here", step.span, FaultCode.NO_MOVE)
            self._idle += self._work.ask_cost(step)
            return None
        if len(candidates) > MOST_MOVES:
            raise Fault(f"there are more than {MOST_MOVES:,} legal moves here", step.span, FaultCode.MANY_MOVES)
        if step.forced and len(candidates) == 1:
            self._idle += self._work.ask_cost(step)
            (candidate,) = candidates.values()
            return candidate
        asked = OpenAsk(player, step, dict(env), tuple(candidates.values()), undecided)
        return candidates[(yield from self._decided(asked, step.span))]

    def _decided(self, decision: OpenAsk | Chance, span: Span) -> Generator[OpenAsk | Chance, Move, Move]:
        """Return the move that is decided on; a game that does not end is stopped."""
        if self.decisions >= self.limit:
            raise Fault(f"the game did not end within {self.limit} decisions", span, FaultCode.ENDLESS)
        return (yield decision)

    def _given(self, rule: MoveRule, args: tuple[Expr, ...], player: int, env: Env, span: Span) -> Env:
        """Return the names that a move knows before anything is chosen."""
        return {"me": player, **self._bind(rule.given, [self.value(a, env) for a in args], rule.name, span)}

    def _legal(self, rule: MoveRule, made: int, env: Env) -> Iterator[Env]:
        """Yield all combinations of the choices not yet made to which no condition objects, with the names they give.

        Later choices may use earlier ones. A condition is looked at as soon as all it names is chosen.
        """
        for condition in self._conditions[rule.name][made]:
            if not self.holds(condition.that, env):
                self.refused.add((rule.name, condition.name))
                return
        if made == len(rule.choices):
            refusing = self._refusing_afterwards(rule, env)
            if refusing:
                self.refused.add((rule.name, refusing[0].name))
            else:
                yield env
            return
        choice = rule.choices[made]
        for value in self._domain(choice, env):
            yield from self._legal(rule, made + 1, {**env, choice.name: value})

    def _domain(self, choice: Choice, env: Env) -> tuple[Value, ...]:
        """Return what can be chosen."""
        if choice.source is None:
            return self.items(choice.domain, env)
        assert isinstance(choice.type, Several) and choice.at_least is not None and choice.at_most is not None
        lying = self.pieces(choice.source, env)
        if not isinstance(choice.domain.type, PlaceOf):  # `of K`
            kinds = self.kinds(choice.domain, env)
            lying = [k for k in lying if k in kinds]
        least, most = self.value(choice.at_least, env), max(0, self.value(choice.at_most, env))
        ranges = [range(lying.count(k), -1, -1) for k in choice.type.kinds]
        return tuple(counts for counts in product(*ranges) if least <= sum(counts) <= most)

    def _roll(self, step: RollStep, env: Env) -> Generator[OpenAsk | Chance, Move, int]:
        weights: dict[int, int] = {}
        for value in self.items(step.domain, env):
            weight = 1 if step.weight is None else self.value(step.weight, {**env, step.name: value})
            if weight > 0:
                weights[value] = weights.get(value, 0) + weight
        if not weights:
            raise Fault("nothing can be rolled here", step.span, FaultCode.NO_ROLL)
        move = yield from self._decided(Chance("roll", step.span, tuple(weights.items())), step.span)
        rolled: int = move.args[0]
        return rolled

    def _draw(self, step: DrawStep, env: Env) -> Run:
        """Draw pieces, with a decision of chance for each. How many, which, where from and where to is settled before the first."""
        assert step.amount.number is not None
        goals = self._goals(step.goals, env)
        source = self.place(step.source, env)
        number = self.value(step.amount.number, env)
        _not_negative(number, "draw", step.span)
        kinds = None if step.amount.kinds is None else self.kinds(step.amount.kinds, env)
        for _ in range(number):
            lying = [k for k in self.lying(source) if kinds is None or k in kinds]
            if not lying:
                if step.amount.how == "up_to":
                    break
                raise Fault("too few pieces to draw", step.span, FaultCode.TOO_FEW)
            assert source is not None
            order = self.model.places[source.family].kinds
            weights = tuple((k, lying.count(k)) for k in order if k in lying)
            move = yield from self._decided(Chance("draw", step.span, weights), step.span)
            self.lying(source).remove(move.args[0])
            self._put([move.args[0]], source, goals, step.span)

    # moving pieces ---------------------------------------------------------------------------------------

    def _move(self, step: MoveStep, env: Env) -> None:
        """Move pieces: where to, where from, how many and which is settled first.

        Then, place by place, what leaves a place is taken off it and put where there is room.
        """
        goals = self._goals(step.goals, env)
        sources = self.places_of(step.source, env)
        amount = step.amount
        number: Value = 1 if amount.number is None else self.value(amount.number, env)
        if amount.how != "chosen":
            _not_negative(number, "move", step.span)
        kinds = self._kinds_of(step, env)
        if amount.how == "chosen":
            assert amount.number is not None and isinstance(amount.number.type, Several)
            for kind, many in zip(amount.number.type.kinds, number, strict=True):
                self._move_some(sources, kind, many, goals, step)
        elif amount.how == "top":
            for source in sources:
                self._put(self._off_top(source, number), source, goals, step.span)
        elif amount.how == "all":
            for source in sources:
                self._put(self._off(source, kinds), source, goals, step.span)
        else:
            self._move_some(sources, next(iter(kinds), NONE), number, goals, step)

    def _move_some(
        self, sources: list[Spot | None], kind: int, number: int, goals: list[Goals], step: MoveStep
    ) -> None:
        """Move a number of pieces of one kind, from the first places where they lie. Of a stack, those on top."""
        for source in sources:
            lying = self.lying(source)
            if self._is_stack(source):
                there = next((i for i, k in enumerate(reversed(lying)) if k != kind), len(lying))
                taken = self._off_top(source, min(number, there))
            else:
                taken = [kind] * min(number, lying.count(kind))
                for _ in taken:
                    lying.remove(kind)
            number -= len(taken)
            self._put(taken, source, goals, step.span)
        if number > 0 and step.amount.how != "up_to":
            raise Fault("too few pieces to move", step.span, FaultCode.TOO_FEW)

    def _kinds_of(self, step: MoveStep, env: Env) -> tuple[int, ...]:
        """Return the kinds to move, in order; without `of`, those of the place."""
        if step.amount.kinds is not None:
            return self.kinds(step.amount.kinds, env)
        return self.model.places[_family(step.source.type)].kinds

    def _off(self, source: Spot | None, kinds: tuple[int, ...]) -> list[int]:
        """Take all pieces of these kinds off a place: of a stack from the top down, else kind by kind."""
        lying = self.lying(source)
        if self._is_stack(source):
            taken = [k for k in reversed(lying) if k in kinds]
        else:
            taken = [k for kind in dict.fromkeys(kinds) for k in lying if k == kind]
        lying[:] = [k for k in lying if k not in kinds]
        return taken

    def _off_top(self, source: Spot | None, number: int) -> list[int]:
        """Take up to `number` pieces off the top of a stack."""
        lying = self.lying(source)
        return [lying.pop() for _ in range(min(number, len(lying)))]

    def _is_stack(self, spot: Spot | None) -> bool:
        return spot is not None and self.model.places[spot.family].shape == "stack"

    def _goals(self, goals: tuple[Goal, ...], env: Env) -> list[Goals]:
        return [(self.places_of(goal.place, env), goal.under) for goal in goals]

    def _put(self, pieces: list[int], source: Spot | None, goals: list[Goals], span: Span) -> None:
        """Put each piece that left a place on the first one that can hold it and has room."""
        for kind in pieces:
            for spot, under in ((spot, under) for spots, under in goals for spot in spots):
                if spot is not None and kind in self.model.places[spot.family].kinds and self.room(spot) != 0:
                    self.lying(spot).insert(0 if under else len(self.lying(spot)), kind)
                    assert source is not None
                    self.moved.append((source, spot, kind))
                    break
            else:
                raise Fault(
                    f"no room for {self.model.value_name(kind)}: every place it could go to is full",
                    span,
                    FaultCode.NO_ROOM,
                )

    # variables and points --------------------------------------------------------------------------------

    def _set(self, step: SetStep, env: Env) -> None:
        variable = self.model.variables[step.variable]
        at = _position(variable.index_values, [self.value(i, env) for i in step.index])
        assert at is not None, "the checker wants an index to be inside"
        value = self.value(step.value, env)
        if isinstance(variable.type, YesNo):
            self.variables[step.variable][at] = int(value == 1)
            return
        if step.add:
            value += self.variables[step.variable][at]
        self.variables[step.variable][at] = self._held(variable, value, step.span)

    def _held(self, variable: Variable, value: int, span: Span) -> int:
        """Return the value as the variable takes it: stopped at its bounds; a fault if it leaves what it is."""
        if variable.never_below is not None:
            value = max(value, variable.never_below)
        if variable.never_above is not None:
            value = min(value, variable.never_above)
        assert isinstance(variable.type, Values)
        if not self._is_one(value, variable.type):
            raise Fault(f"`{variable.name}` would leave {self._bounds(variable.type)}", span, FaultCode.BOUNDS)
        return value

    def _bounds(self, t: Values) -> str:
        """Return the range of a number, or its set if that has gaps, in words."""
        home = self.model.sets.get(t.home)
        numbers = [] if home is None else [code for code in home.values if code not in t.members]
        if home is not None and len(numbers) != max(numbers) - min(numbers) + 1:
            return f"its set `{home.name}`"
        return f"its range {t.lo}..{t.hi}"

    def _is_one(self, code: int, t: Values) -> bool:
        """Return whether a value is one of a type; the numbers of a set may have gaps."""
        home = self.model.sets.get(t.home)
        if code == NONE or code in t.members:
            return t.none or code != NONE
        if t.lo is None or t.hi is None or not t.lo <= code <= t.hi:
            return False
        return home is None or code in home.values

    def _score(self, step: ScoreStep, env: Env) -> None:
        """Add the points of all rules as one sum, and note each rule that gave some."""
        player = self.player(step.player, env, step.span)
        lines: list[tuple[str, Env, int]] = []
        for name, args in step.rules:
            rule = self.model.rules[name]
            inner = {"me": player, **self._bind(rule.parameters, [self.value(a, env) for a in args], name, step.span)}
            lines.append((name, inner, self.value(rule.points, inner)))
        before = self.variables["score"][player - 1]
        after = self._held(self.model.variables["score"], before + sum(points for *_, points in lines), step.span)
        self.variables["score"][player - 1] = after
        noted = []
        held = after - before - sum(points for *_, points in lines)
        for name, inner, points in reversed(
            lines
        ):  # where a bound holds the score, the last lines absorb the difference
            give = min(held, max(0, -points)) if held > 0 else max(held, min(0, -points))
            held -= give
            if points:
                rule = self.model.rules[name]
                text = self.text(rule.text, inner, for_all=True)
                noted.append(
                    LedgerLine(self.decisions, player, name, text, points, points + give, rule.span, rule.changes)
                )
        self.ledger += reversed(noted)

    def _show(self, step: ShowStep, env: Env) -> None:
        """Note what lies on places, each once, or what variables are, for those who see it now."""
        if step.to is None:
            to = list(self._players())
        elif isinstance(step.to.type, ListOf):
            to = sorted(set(self.items(step.to, env)))
        else:
            to = [self.player(step.to, env, step.span)]
        if isinstance(step.place, syntax.VariableRead):
            shown = self._values_shown(step.place, env)
        else:
            spots = [spot for spot in dict.fromkeys(self.places_of(step.place, env)) if spot is not None]
            shown = {spot: self.notation.lying(self._counted(spot)) for spot in spots}
        if shown and to:
            parts = self.notation.shown(list(shown), to)
            audience = self.notation.audience(to)
            self.told.append(Told(self.decisions, parts, step.span, "; ".join(shown.values()), audience))

    def _values_shown(self, e: syntax.VariableRead, env: Env) -> dict[Spot, str]:
        """Return all values of a variable whose first indexes are these, in words."""
        variable = self.model.variables[e.variable]
        first = [self.value(i, env) for i in e.index]
        return {
            Spot(variable.name, number): self.notation.label(value, variable.type)
            for number, value in enumerate(self.variables[variable.name])
            if list(variable.index_of(number)[: len(first)]) == first
        }

    def _counted(self, spot: Spot) -> list[tuple[int, int]]:
        """Return the pieces on a place, with how many of each kind; of a stack one by one."""
        place, lying = self.model.places[spot.family], self.lying(spot)
        if place.shape == "stack":
            return [(kind, 1) for kind in lying]
        return [(kind, lying.count(kind)) for kind in place.kinds if kind in lying]

    def text(self, template: Template, env: Env, refusing: str = "", for_all: bool = False) -> str:
        """Return a text with its holes filled: without what `me` does not see if it refuses a move, or what not all see."""
        holes = tuple(self.value(part, env) for part in template.parts if not isinstance(part, str))
        if not refusing and not for_all:
            return self.notation.fill(template, holes)
        secrecy = Secrecy(self.model)
        if for_all:
            return self.notation.fill(template, holes, lambda e: secrecy.reads(e) is not None)
        unknown = secrecy.unknown_to_mover(refusing)
        return self.notation.fill(template, holes, lambda e: secrecy.reads(e, ME, unknown) is not None)

    # expressions -----------------------------------------------------------------------------------------

    def value(self, e: Expr, env: Env) -> Value:
        """Return the value of an expression."""
        match e:
            case syntax.Literal():
                return e.value
            case syntax.Local():
                return env[e.name]
            case syntax.Negation():
                return not self.holds(e.of, env)
            case syntax.Logic():
                if e.op == "and":
                    return self.holds(e.left, env) and self.holds(e.right, env)
                return self.holds(e.left, env) or self.holds(e.right, env)
            case syntax.Conditional():
                return self.value(e.then if self.holds(e.test, env) else e.other, env)
            case syntax.Let():
                return self.value(e.body, {**env, e.name: self.value(e.value, env)})
            case syntax.Compare():
                read = self.holds if isinstance(e.left.type, YesNo) else self.value
                return compare(e.op, read(e.left, env), read(e.right, env))
            case syntax.In():
                return self._in(e, env)
            case syntax.Default():
                value = self.value(e.value, env)
                return self.value(e.other, env) if value == NONE else value
            case syntax.Range():
                return tuple(range(self.value(e.lo, env), self.value(e.hi, env) + 1))
            case syntax.Arithmetic():
                return arithmetic(e.op, self.value(e.left, env), self.value(e.right, env))
            case syntax.Items():
                parts = [self.items(i, env) if isinstance(i.type, ListOf) else (self.value(i, env),) for i in e.items]
                return tuple(value for part in parts for value in part)
            case syntax.TableRead():
                table = self.model.tables[e.table]
                at = _position(table.index, [self.value(i, env) for i in e.index])
                return NONE if at is None else table.entries[at]
            case syntax.VariableRead():
                variable = self.model.variables[e.variable]
                at = _position(variable.index_values, [self.value(i, env) for i in e.index])
                return NONE if at is None else self.variables[e.variable][at]
            case syntax.Part():
                pair = self.value(e.pair, env)
                return self.model.pair_parts[pair][e.which] if pair in self.model.sets[e.set].values else NONE
            case syntax.PlacePart():
                spot = self.place(e.place, env)
                return NONE if spot is None else self._index_of(spot)[e.which]
            case syntax.PlaceCode():
                spot = self.place(e.place, env)
                return NONE if spot is None else self.model.place_codes[spot.family][spot.number]
            case syntax.CodedPlace():
                code = self.value(e.code, env)
                assert isinstance(e.type, PlaceOf)
                codes = self.model.place_codes[e.type.family]
                return Spot(e.type.family, codes.index(code)) if code in codes else NONE
            case syntax.ItemAt():
                listed, number = self.items(e.items, env), self.value(e.at, env)
                return listed[number - 1] if 1 <= number <= len(listed) else NONE
            case syntax.PlaceAt() | syntax.Places():
                return self._place_or_row(e, env)
            case syntax.Aggregate():
                return self._gather(e, env)
            case syntax.ConnectedGroup():
                return self._group(e, env)
            case syntax.BuiltinCall():
                return self._builtin(e, env)
            case syntax.Repeats():
                return self.noted.count(self._now(e.names))
            case syntax.FunctionCall():
                function = self.model.functions[e.function]
                values = [self.value(a, env) for a in e.args]
                return self.value(function.body, self._bind(function.parameters, values, e.function, e.span))
            case _:
                assert_never(e)

    def holds(self, e: Expr, env: Env) -> bool:
        """Return whether a condition holds; one that is none does not."""
        return bool(self.value(e, env) == 1)

    def items(self, e: Expr, env: Env) -> tuple[Value, ...]:
        """Return what a loop goes through: the items of a list, or the kinds that lie on a place or were chosen, each once."""
        match e.type:
            case PlaceOf():
                lying = self.pieces(e, env)
                return tuple(k for k in self.model.places[e.type.family].kinds if k in lying)
            case Several():
                return tuple(k for k, n in zip(e.type.kinds, self.value(e, env), strict=True) if n)
            case _:
                value = self.value(e, env)
                return () if value == NONE else tuple(value)

    def kinds(self, e: Expr, env: Env) -> tuple[int, ...]:
        """Return one kind, or the kinds of a list; `none` is no kind."""
        codes = self.items(e, env) if isinstance(e.type, ListOf) else (self.value(e, env),)
        return tuple(code for code in codes if code != NONE)

    def player(self, e: Expr, env: Env, span: Span | None) -> int:
        """Return a player; a fault if nobody of that number plays."""
        number: int = self.value(e, env)
        self._one_of("player", number, "a player", span)
        return number

    def _players(self) -> tuple[int, ...]:
        return self.model.sets["player"].values

    def _bind(self, parameters: tuple[Parameter, ...], values: list[Value], owner: str, span: Span | None) -> Env:
        """Return the parameters with what they are given; a number outside the parameter's set is a fault."""
        for parameter, value in zip(parameters, values, strict=True):
            self._one_of(parameter.set, value, f"a {parameter.set} for `{owner}`", span)
        return {p.name: v for p, v in zip(parameters, values, strict=True)}

    def _one_of(self, name: str, value: int, what: str, span: Span | None) -> None:
        """Raise a fault unless the value is a member of the set, if there is a set of that name."""
        home = self.model.sets.get(name)
        if home is not None and value not in home.values:
            assert span is not None, "the checker lets only numbers pass that may leave a range, with their span"
            raise Fault(
                f"expected {what} from {home.type.lo} to {home.type.hi}, found {value}", span, FaultCode.OUTSIDE
            )

    def _in(self, e: syntax.In, env: Env) -> bool:
        """Return whether x is an item of a list, or a piece that lies on a place or was chosen."""
        item = self.value(e.item, env)
        match e.domain.type:
            case PlaceOf() | ListOf(item=PlaceOf()) if not isinstance(e.item.type, PlaceOf):
                return item in self.pieces(e.domain, env)
            case _:
                return item in self.items(e.domain, env)

    def _gather(self, e: syntax.Aggregate, env: Env) -> Value:
        """Return what a gathering gives; `any`, `all` and `first` look no further than they must."""
        values = self._gathered(e, env)
        match e.op:
            case "sum":
                return sum(v for v in values if v != NONE)
            case "count":
                return sum(v == 1 for v in values)
            case "any":
                return any(v == 1 for v in values)
            case "all":
                return all(v == 1 for v in values)
            case "max":
                return max((v for v in values if v != NONE), default=NONE)
            case "min":
                return min((v for v in values if v != NONE), default=NONE)
            case "first":
                return next(values, NONE)
            case "list":
                return tuple(v for v in values if v != NONE)
        raise AssertionError(e.op)

    def _gathered(self, e: syntax.Aggregate, env: Env) -> Iterator[Value]:
        """Yield the body for every combination that passes `where`, up to the first that does not pass `while`."""
        for inner in self._combinations(e.bindings, env):
            if e.stop is not None and not self.holds(e.stop, inner):
                return
            if e.where is None or self.holds(e.where, inner):
                yield self.value(e.body, inner)

    def _combinations(self, bindings: tuple[tuple[str, Expr], ...], env: Env) -> Iterator[Env]:
        if not bindings:
            yield env
            return
        (name, domain), rest = bindings[0], bindings[1:]
        for item in self.items(domain, env):
            yield from self._combinations(rest, {**env, name: item})

    def _group(self, e: syntax.ConnectedGroup, env: Env) -> tuple[Spot, ...]:
        """Return the first cell and all connected to it that pass, in the order in which they are reached."""
        start = self.place(e.start, env)
        if start is None:
            return ()
        ways = self.kinds(e.along, env)
        found = [start]
        for cell in found:
            for near in (n for way in ways for n in self._steps_from(cell, way)):
                if near not in found and self.holds(e.where, {**env, e.name: near}):
                    found.append(near)
        return tuple(found)

    def _steps_from(self, cell: Spot, way: int) -> list[Spot]:
        """Return the places one step on in a way."""
        ways = self.model.places[cell.family].ways
        name = self.model.value_name(way)
        return [Spot(cell.family, n) for n in ways[name][cell.number]] if name in ways else []

    # places ----------------------------------------------------------------------------------------------

    def place(self, e: Expr, env: Env) -> Spot | None:
        """Return one place; None is nowhere."""
        value = self.value(e, env)
        return value if isinstance(value, Spot) else None

    def places_of(self, e: Expr, env: Env) -> list[Spot | None]:
        """Return a place, or the places of a list."""
        if isinstance(e.type, PlaceOf):
            return [self.place(e, env)]
        return [item if isinstance(item, Spot) else None for item in self.items(e, env)]

    def lying(self, spot: Spot | None) -> list[int]:
        """Return the pieces on a place, from the bottom up; nowhere is empty."""
        return [] if spot is None else self.places[spot.family][spot.number]

    def pieces(self, e: Expr, env: Env) -> list[int]:
        """Return all pieces on a place or list of places; a place that a list has twice counts once."""
        return [kind for spot in dict.fromkeys(self.places_of(e, env)) for kind in self.lying(spot)]

    def room(self, spot: Spot | None) -> int:
        """Return how many more pieces a place can hold, negative for any number; nowhere has no room."""
        if spot is None:
            return 0
        room = self.model.places[spot.family].rooms[spot.number]
        return room if room < 0 else room - len(self.lying(spot))

    def _place_or_row(self, e: syntax.PlaceAt | syntax.Places, env: Env) -> Spot | int | tuple[Spot, ...]:
        """Return the place at an index, or all places with these first indexes; `none` for an index outside its set."""
        place: Place = self.model.places[e.family]
        at = _position(place.index_values[: len(e.index)], [self.value(i, env) for i in e.index])
        if at is None:
            return NONE
        if isinstance(e, syntax.PlaceAt):
            return Spot(e.family, at)
        many = prod(len(values) for values in place.index_values[len(e.index) :])
        return tuple(Spot(e.family, n) for n in range(at * many, (at + 1) * many))

    def _index_of(self, spot: Spot) -> tuple[int, ...]:
        """Return the indexes of a place."""
        return list(product(*self.model.places[spot.family].index_values))[spot.number]

    # built-in functions ----------------------------------------------------------------------------------

    def _builtin(self, e: syntax.BuiltinCall, env: Env) -> Value:
        match e.name:
            case "count":
                return self._count(e, env)
            case "size":
                return len(self.items(e.args[0], env))
            case "free":
                return sum(self.room(spot) for spot in dict.fromkeys(self.places_of(e.args[0], env)))
            case "empty":
                return not self.pieces(e.args[0], env)
            case "piece":
                lying = self.lying(self.place(e.args[0], env))
                return lying[-1] if lying else NONE
            case "next" | "previous":
                member, members = self.value(e.args[0], env), self.items(e.args[1], env)
                if member not in members:
                    return NONE
                return members[(members.index(member) + (1 if e.name == "next" else -1)) % len(members)]
            case "clockwise":
                first, players = self.player(e.args[0], env, e.span), self._players()
                return players[first - 1 :] + players[: first - 1]
            case "ray":
                return self._ray(self.place(e.args[0], env), self.value(e.args[1], env))
            case "max":
                return max(self.value(a, env) for a in e.args)
            case "min":
                return min(self.value(a, env) for a in e.args)
        raise AssertionError(e.name)

    def _count(self, e: syntax.BuiltinCall, env: Env) -> int:
        """Return how many pieces lie on places or were chosen; with kinds, only those."""
        if isinstance(e.args[0].type, Several):
            chosen = zip(e.args[0].type.kinds, self.value(e.args[0], env), strict=True)
            pieces = [kind for kind, number in chosen for _ in range(number)]
        else:
            pieces = self.pieces(e.args[0], env)
        if len(e.args) > 1:
            kinds = self.kinds(e.args[1], env)
            pieces = [kind for kind in pieces if kind in kinds]
        return len(pieces)

    def _ray(self, cell: Spot | None, way: int) -> tuple[Spot, ...]:
        """Return the cells beyond a cell: the first step of the way again and again, until it ends or comes back."""
        line: list[Spot] = []
        at = cell
        while at is not None:
            at = next(iter(self._steps_from(at, way)), None)
            if at is None or at == cell or at in line:
                break
            line.append(at)
        return tuple(line)


Goals = tuple[list[Spot | None], bool]  # places, and whether pieces go under what lies there


def _position(values: tuple[tuple[int, ...], ...], index: list[int]) -> int | None:
    """Return the number of an index among all combinations, row by row; None if it is outside."""
    at = 0
    for codes, i in zip(values, index, strict=True):
        if i not in codes:
            return None
        at = at * len(codes) + codes.index(i)
    return at


def _by_choices(rule: MoveRule) -> list[list[Condition]]:
    """Return the conditions of a move, by the number of choices that must be made before they can be looked at."""
    order = [c.name for c in rule.choices]
    found: list[list[Condition]] = [[] for _ in range(len(order) + 1)]
    for condition in (c for c in rule.conditions if not c.afterwards):
        names = free_names(condition.that)
        found[max((i + 1 for i, name in enumerate(order) if name in names), default=0)].append(condition)
    return found


def _not_negative(number: int, verb: str, span: Span) -> None:
    if number < 0:
        raise Fault(f"expected 0 or more pieces to {verb}, found {number}", span, FaultCode.NEGATIVE)


def _family(t: Type) -> str:
    """Return the family of a place or a list of places."""
    item = t.item if isinstance(t, ListOf) else t
    assert isinstance(item, PlaceOf)
    return item.family
