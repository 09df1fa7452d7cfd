"""Three voices on one game: the reference, the program in Python, and the program in C, compared at every decision.

A voice is a way to play: the verbs of a `Game`, a program printed as Python, one printed as C. The reference is the judge.
Legal moves in order, positions, ledgers with their words, events, faults with their line, and outcomes are equal, or
a Disagreement says what differs and after which decisions. An exception that is no Fault is one too: no rule file that
was found good makes the engine stumble.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from interpreter import Game, Move, State
from interpreter.compile.lower import PASSES, lower_plainly
from interpreter.compile.program import Program
from interpreter.compile.verify import verify
from interpreter.fault import LIMIT, Fault
from interpreter.layout import BLOCK, Layout, note, put
from interpreter.reference import OpenAsk, Reference, Snapshot
from interpreter.run.runtime import DRAW, ROLL, Run
from interpreter.run.tree import Manner, NativeTree, PythonTree
from interpreter.seeds import random_state, random_words
from interpreter.state import CHANCE
from interpreter.trial.coverage import marked_model
from rulespec.rules import Rules
from rulespec.syntax import Choice, Model, Several, Values
from tests.compiled import Compiled, Finished, Native, NativeSitting, Sitting

PASSES_EACH, LONGEST = 12, 30  # of trees, and decisions of players in one
TracedState = tuple[str, str, int]  # a fault in comparable words: message, file, line
Same = Callable[[str, object, object], None]  # what, by the reference, by a voice


class Disagreement(AssertionError):
    """Two voices differ."""

    def __init__(self, what: str, one: object, other: object, path: Sequence[Move]) -> None:
        self.what, self.one, self.other, self.path = what, one, other, list(path)
        way = ", ".join(map(str, path)) or "at the start"
        super().__init__(f"{what} differ ({way})\n  reference: {one}\n  engine:    {other}")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a voice stopped: with a fault, or with an exception that no rule file may cause."""

    told: TracedState | str


def attempt(act: Callable[[], Any]) -> Any:
    """Return the result of an act, or how it stopped. Any exception of the engine's is a finding, so all are caught."""
    try:
        return act()
    except Fault as fault:
        # the engine names the kind only where that is known before play
        message = re.sub(r"^no room for .*?:", "no room for a piece:", fault.message)
        return Ended((message, fault.span.file, fault.span.line))
    except Exception as error:
        return Ended(f"{type(error).__name__}: {error}")


# Voices --------------------------------------------------------------------------------------------------


class Voice(Protocol):
    """A way to play a game beside the reference. What it does may raise; what it tells is compared by `same`."""

    name: str  # follows what differs: " in C"

    def begin(self) -> None:
        """Start a game."""

    def look(self, reference: Reference, same: Same) -> None:
        """Compare all that the position tells."""

    def apply(self, move: Move) -> None:
        """Make a decision that `look` found legal."""

    def finish(self, outcome: object, same: Same) -> None:
        """Compare how a game ended that is over."""


class AtTable:
    """The verbs of a game. With random numbers to sample them by, the words of moves and refusals too."""

    name = " at the table"

    def __init__(self, game: Game, texts: random.Random | None = None) -> None:
        self.game, self.texts = game, texts
        self.state: State | None = None  # the last position
        self._ledger = self._told = 0  # lines compared

    def begin(self) -> None:
        self.state = self.game.start()

    def look(self, reference: Reference, same: Same) -> None:
        game, state = self.game, self._now()
        same("players to move", reference.to_move, state.to_move)
        same("undecided players", reference.undecided, game.undecided(state))
        same("numbers of decisions", reference.decisions, state.decisions)
        layout = game.layout
        same("positions", named(layout, vector_of(layout, reference)), named(layout, list(state.vector)))
        moves = attempt(lambda: game.legal_moves(state))
        legal = reference.legal_moves()
        same("legal moves", list(map(str, legal)), moves if isinstance(moves, Ended) else list(map(str, moves)))
        same("legal moves as values", legal, moves)
        same("numbers of moves", len(moves), game.count_moves(state))
        same("chances", reference.chances(), game.chances(state))
        same("ledger lines", reference.ledger[self._ledger :], game.ledger(state)[self._ledger :])
        self._ledger = len(reference.ledger)
        same("what is told", reference.told[self._told :], game.told(state)[self._told :])
        self._told = len(reference.told)
        same("scores", reference.scores(), game.scores(state))
        if self.texts is not None and legal:
            self._words(reference, legal, self.texts, same)

    def _words(self, reference: Reference, moves: list[Move], rng: random.Random, same: Same) -> None:
        """Compare the text of a legal move, and the refusals of one that is not legal."""
        state, game = self._now(), self.game
        move = rng.choice(moves)
        same("texts of a move", reference.describe(move), attempt(lambda: game.describe(state, move)))
        if isinstance(reference.decision, OpenAsk):
            name = rng.choice(reference.decision.step.moves)[0]
            args = tuple(any_value(c, rng) for c in game.model.moves[name].choices)
            other = Move(name, args, game.notation.move(name, args))
            same("objections", reference.objections(other), attempt(lambda: game.objections(state, other)))

    def apply(self, move: Move) -> None:
        self.state = self.game.apply(self._now(), move)

    def finish(self, outcome: object, same: Same) -> None:
        same("outcomes", outcome, attempt(lambda: self.game.outcome(self._now())))

    def _now(self) -> State:
        assert self.state is not None
        return self.state


class InPython:
    """A program printed as Python. A watched one says which pieces moved and which conditions refused, too."""

    name = ""

    def __init__(self, compiled: Compiled, limit: int = LIMIT) -> None:
        self.compiled, self.limit = compiled, limit
        self.moves: dict[Move, tuple[int, Any]] = {}  # the legal moves, with what the program calls them
        self._sitting: Sitting | None = None
        self._log = self._ledger = self._told = self._moved = 0  # lines and movements compared

    @property
    def sitting(self) -> Sitting:
        assert self._sitting is not None
        return self._sitting

    def begin(self) -> None:
        self.compiled.refused.clear()
        self._sitting = Sitting(self.compiled, self.limit)

    def look(self, reference: Reference, same: Same) -> None:
        compiled, layout, sitting = self.compiled, self.compiled.layout, self.sitting
        same("positions", named(layout, vector_of(layout, reference)), named(layout, sitting.vector))
        log = sitting.run.log[self._log :]
        self._log = len(sitting.run.log)
        same("ledger lines", reference.ledger[self._ledger :], compiled.ledger(log))
        same("what is told", reference.told[self._told :], compiled.told(log))
        self._ledger, self._told = len(reference.ledger), len(reference.told)
        if compiled.watched:
            self._events(reference, same)
        moves = reference.legal_moves()
        if not moves:
            same("ends", 0, sitting.at)
            self.moves = {}
        elif reference.to_move == CHANCE:
            same("chances", [(m.args[0], n) for m, n in reference.chances()], attempt(sitting.chances))
            self.moves = {m: (0, m.args[0]) for m in moves}
        else:
            same("kinds of decisions", True, sitting.asks)
            listed = attempt(sitting.moves)
            if isinstance(listed, Ended):
                same("legal moves", [str(m) for m in moves], listed)
            player, offered = listed
            numbers = list(compiled.model.moves)
            words = [(numbers[compiled.program.moves[n]], args) for n, args in offered]
            same("legal moves", [(m.name, m.args) for m in moves], words)
            same("players to move", reference.to_move, player)
            self.moves = dict(zip(moves, offered, strict=True))

    def _events(self, reference: Reference, same: Same) -> None:
        """Compare the pieces that moved, the conditions that refused a choice, and the branches taken."""
        layout, model, run = self.compiled.layout, self.compiled.model, self.sitting.run
        moved = [
            (layout.places[a.family].address(a.number), layout.places[b.family].address(b.number), kind)
            for a, b, kind in reference.moved
        ]
        told = [(a, b, kind) for a, b, kind, many in run.moved for _ in range(many)]
        same("movements", moved[self._moved :], told[self._moved :])
        self._moved = len(moved)
        moves = list(model.moves.values())
        refused = {(moves[self.compiled.program.moves[m]], c) for m, c in self.compiled.refused}
        same("refusals", reference.refused, {(move.name, move.conditions[c].name) for move, c in refused})
        same("marks", reference.marks, run.marks)

    def apply(self, move: Move) -> None:
        self.sitting.apply(*self.moves[move])

    def finish(self, outcome: object, same: Same) -> None:
        same("outcomes", outcome, attempt(lambda: self.compiled.outcome(self.sitting.vector, self.sitting.run)))


class InC:
    """The same program as that of a voice in Python, which looks first, printed as C."""

    name = " in C"

    def __init__(self, native: Native, python: InPython) -> None:
        self.native, self.python = native, python
        self._numbers: dict[Move, int] = {}  # the number of each legal move
        self._sitting: NativeSitting | None = None

    @property
    def sitting(self) -> NativeSitting:
        assert self._sitting is not None
        return self._sitting

    def begin(self) -> None:
        self._sitting = NativeSitting(self.native, self.python.limit)

    def look(self, reference: Reference, same: Same) -> None:
        native, python, moves = self.sitting, self.python.sitting, self.python.moves
        same("positions", python.vector, native.vector)
        same("numbers of decisions", reference.decisions, native.decisions)
        listed = native.listed()
        same("numbers of moves", len(moves), len(listed))
        self._numbers = dict(zip(moves, listed, strict=True))
        if not moves:
            return
        if not python.asks:
            same("chances", python.chances(), list(zip(listed, native.weights(), strict=True)))
        elif (actions := native.native.actions) is not None:
            of = self.python.compiled.program.moves
            same("legal moves", [actions.number(of[n], args) for n, args in moves.values()], listed)
            same("masks", sorted(listed), native.masked())
        same("players to move", reference.to_move, native.player)

    def apply(self, move: Move) -> None:
        self.sitting.apply(self._numbers[move])

    def finish(self, outcome: Any, same: Same) -> None:
        places = attempt(self.sitting.places)
        if isinstance(outcome, Ended) or isinstance(places, Ended):
            same("outcomes", outcome, places)
            return
        model = self.python.compiled.model
        ranking = [
            next(i + 1 for i, some in enumerate(outcome.ranking) if p in some) for p in range(1, model.players + 1)
        ]
        same("outcomes", (ranking, outcome.reason), (places[0], model.winner[places[1]][0]))


def any_value(choice: Choice, rng: random.Random) -> Any:
    """Return a value of a choice's type, which may be outside its domain, or a number beside it."""
    match choice.type:
        case Several():
            return tuple(rng.randrange(2) for _ in choice.type.kinds)
        case Values():
            codes = sorted(choice.type.members)
            if choice.type.lo is not None and choice.type.hi is not None:
                codes += range(choice.type.lo - 1, min(choice.type.hi, choice.type.lo + 20) + 2)
            return rng.choice(codes)
    raise AssertionError(choice)


def vector_of(layout: Layout, reference: Reference) -> list[int]:
    """Return the vector on which the engine would keep the reference's position; what suspended steps keep is left out."""
    vector = list(layout.start)
    for name, places in reference.places.items():
        _lay(layout, vector, name, places)
    for name, values in reference.variables.items():
        _lay(layout, vector, name, values)
    if layout.remembers:
        vector[-1] = tuple(_noted(layout, snapshot) for snapshot in reference.noted)  # type: ignore[call-overload]
    return vector


def _lay(layout: Layout, vector: list[int], name: str, held: Sequence[Any]) -> None:
    """Write what the places or the variable of a name hold."""
    if name in layout.variables:
        base = layout.variables[name].base
        vector[base : base + len(held)] = held
        return
    lay = layout.places[name]
    empty = layout.start[layout.nowhere_cell] if lay.place.shape == "cell" else 0
    vector[lay.base : lay.end] = [empty] * (lay.end - lay.base)
    for number, pieces in enumerate(held):
        for kind in pieces:
            put(layout, vector, name, number, kind, 1)


def _noted(layout: Layout, snapshot: Snapshot) -> tuple[int, ...]:
    """Return what the engine would note of something that the reference has noted."""
    vector = list(layout.start)
    for name, held in snapshot:
        _lay(layout, vector, name, held)
    number, stretches = layout.noted(tuple(name for name, _ in snapshot))
    return note(number, [n for first, end in stretches for n in vector[first:end]])


def named(layout: Layout, vector: list[int]) -> dict[str, tuple[int, ...]]:
    """Return the stretches of a vector by name, and the place that must stay empty; what suspended steps keep is left out."""
    first = min((lay.base for lay in layout.places.values()), default=layout.nowhere_cell + 1)
    found = {"nowhere": tuple(vector[1:first])}
    found |= {name: tuple(vector[lay.base : lay.end]) for name, lay in layout.places.items()}
    for name, variable in layout.variables.items():
        found[name] = tuple(vector[variable.base : variable.base + len(variable.variable.starts)])
    if layout.remembers:
        found["noted"] = vector[-1]  # type: ignore[assignment]
    return found


# Comparisons ---------------------------------------------------------------------------------------------


@dataclass
class Comparison:
    """A game in the reference and in some voices, decided alike."""

    model: Model
    voices: Sequence[Voice]
    limit: int = LIMIT
    path: list[Move] = field(default_factory=list)
    checks: int = 0

    def same(self, what: str, reference: object, voice: object) -> None:
        self.checks += 1
        if reference != voice:
            raise Disagreement(what, reference, voice, self.path)

    def play(self, choose: Callable[[list[Move]], Move | None]) -> str:
        """Play until `choose` gives no move or the game ends; return how it ended."""
        reference = attempt(lambda: Reference(self.model, limit=self.limit))
        ended = [attempt(v.begin) for v in self.voices]
        while True:
            stopped = reference if isinstance(reference, Ended) else None
            for v, end in zip(self.voices, ended, strict=True):
                self.same(f"results{v.name}", stopped, end)
            if stopped is not None:
                return "fault"
            for v in self.voices:
                v.look(reference, self._of(v))
            moves = reference.legal_moves()
            if not moves:
                outcome = attempt(reference.outcome)
                for v in self.voices:
                    v.finish(outcome, self._of(v))
                return "end"
            move = choose(moves)
            if move is None:
                return "open"
            self.path.append(move)
            reference = attempt(lambda r=reference, m=move: r.apply(m)) or reference  # type: ignore[misc]
            ended = [attempt(lambda v=v, m=move: v.apply(m)) for v in self.voices]  # type: ignore[misc]

    def _of(self, voice: Voice) -> Same:
        return lambda what, one, other: self.same(f"{what}{voice.name}", one, other)

    def at_random(self, seed: int, limit: int) -> str:
        """Play a game at random, of so many decisions at most."""
        rng = random.Random(seed)
        return self.play(lambda moves: rng.choice(moves) if len(self.path) < limit else None)

    def as_told(self, told: Iterable[str]) -> str:
        """Play a game decided as told."""
        waiting = iter(told)

        def choose(moves: list[Move]) -> Move | None:
            text = next(waiting, None)
            return None if text is None else next(m for m in moves if str(m) == text)

        return self.play(choose)

    def retold(self, trail: Iterable[Move]) -> str:
        """Play a game that was decided before: every decision is legal."""
        waiting = iter(trail)

        def choose(moves: list[Move]) -> Move | None:
            move = next(waiting, None)
            if move is not None and move not in moves:
                raise Disagreement("random decisions", [str(m) for m in moves], str(move), self.path)
            return move

        return self.play(choose)


def compare_random(
    compiled: Compiled, state: int, native: Native | None = None, voices: Sequence[Voice] = (), limit: int = LIMIT
) -> str:
    """Compare a game in which everybody decides at random: retold to the reference and the voices; C plays the same one."""
    traced = attempt(lambda: compiled.finished(state, traced=True, limit=limit))
    python = InPython(compiled, limit)
    comparison = Comparison(compiled.model, (python, *voices), limit)
    how = comparison.retold(_moves(compiled, traced) if isinstance(traced, Finished) else ())
    if not isinstance(traced, Finished):
        raise Disagreement("random games", how, traced, comparison.path)
    comparison.same("ends of random games", how, "end" if traced.fault is None else "fault")
    if how == "end":
        comparison.same("last positions of random games", python.sitting.vector, traced.vector)
    untraced = attempt(lambda: compiled.finished(state, limit=limit))
    _same_end(comparison, compiled.layout, "random games, traced and not", traced, untraced)
    at_once = attempt(lambda: compiled.played_at_once(state, limit))
    if isinstance(at_once, Finished) and at_once.fault is not None:  # where it stopped, only the fault counts
        comparison.same("faults of games played at once", _fault(traced.fault), _fault(at_once.fault))
    elif at_once is not None:
        _same_end(comparison, compiled.layout, "games played at once", traced, at_once)
    if native is not None:
        in_c = attempt(lambda: native.finished(state, limit))
        _same_end(comparison, compiled.layout, "random games in C", traced, in_c)
        compare_trees(compiled, native, state, limit)
    return how


def compare_trees(compiled: Compiled, native: Native, seed: int, limit: int = LIMIT, passes: int = PASSES_EACH) -> None:
    """Compare trees of the first decision of a game, grown in Python and in C pass by pass."""
    run, vector = Run(limit), list(compiled.program.start)
    run.word = random_words(seed)
    try:
        compiled.code("wait").go(vector, run, compiled.program.begin)
    except Fault:
        return  # others compare it
    if native.actions is None or vector[BLOCK] not in compiled.code("wait").asks:
        return
    names = list(compiled.model.moves)

    def named(rule: int, args: Any) -> Move:
        return Move(names[rule], args, compiled.notation.move(names[rule], args))

    root = State(tuple(vector), run.who, len(run.trail), None, None, None, [])
    given = limit, seed, passes, Manner(steps=LONGEST), True
    code, players = compiled.code("random"), compiled.model.players
    python = PythonTree(code, compiled.program, players, named, *given)
    in_c = NativeTree(native.library, native.actions, named, *given)
    for _ in range(passes):
        for what, one, other in (
            ("faults", *(_fault(tree.grow(root, 1)) for tree in (python, in_c))),
            ("tries", python.tried(), in_c.tried()),
            ("counts", python.seen, in_c.seen),
        ):
            if one != other:
                raise Disagreement(f"{what} of trees", one, other, ())


def _same_end(comparison: Comparison, layout: Layout, what: str, one: Finished, other: Any) -> None:
    if not isinstance(other, Finished):
        raise Disagreement(what, one, other, comparison.path)
    comparison.same(f"{what}: faults", _fault(one.fault), _fault(other.fault))
    comparison.same(what, named(layout, one.vector), named(layout, other.vector))
    if one.fault is None:
        comparison.same(f"{what}: all numbers", one.vector, other.vector)


def _fault(fault: Fault | None) -> tuple[str, str, int] | None:
    return None if fault is None else (fault.message, fault.span.file, fault.span.line)


def _moves(compiled: Compiled, game: Finished) -> list[Move]:
    found = []
    names = list(compiled.model.moves)
    for number, args in game.trail:
        if number in (DRAW, ROLL):
            kind = "draw" if number == DRAW else "roll"
            found.append(Move(kind, (args,), compiled.notation.chance(kind, args)))
        else:
            name = names[compiled.program.moves[number]]
            found.append(Move(name, args, compiled.notation.move(name, args)))
    return found


def compare_simulation(game: Game, seed: int, native: bool = False) -> None:
    """Check that what a game simulates could be played: it is retold to the reference and to the verbs.

    `native` adds the library that the game makes for itself.
    """
    compiled, table = Compiled.of(game), AtTable(game)
    compare_random(compiled, random_state(seed), voices=[table])
    end = attempt(lambda: list(game.python_playout(seed).vector))
    if not isinstance(end, Ended) and (table.state is None or list(table.state.vector) != end):
        raise Disagreement("playouts", table.state, end, ())
    if native and game.compile():
        simulated = attempt(lambda: list(game.playout(seed).vector))
        if end != simulated:
            raise Disagreement("playouts in C", end, simulated, ())


# Models --------------------------------------------------------------------------------------------------


def verified(model: Model, each: bool = True) -> Compiled:
    """Return the program of a model, with which nothing is wrong after all passes, nor when it is unfolded; or Disagreement.

    `each`: nor when it is lowered, nor after each of the passes, so that the first which goes wrong is named.
    """
    program, layout = lower_plainly(model)
    for name, change in (("lowering", None), *((change.__name__, change) for change in PASSES)):
        program = change(program) if change is not None else program
        if each or change is PASSES[-1]:
            _nothing_wrong(name, program)
    compiled = Compiled(model, lowered=(program, layout))
    _nothing_wrong("unfold", compiled.unfolded)
    return compiled


def _nothing_wrong(name: str, program: Program) -> None:
    if wrong := list(verify(program)):
        raise Disagreement(f"verified after {name}", [], wrong[:5], ())


def compare_alike(compiled: Compiled, games: int, limit: int, native: Native | None = None) -> None:
    """Compare some games of a model in the reference, in Python and in C, decided alike."""
    for game in range(games):
        python = InPython(compiled)
        voices: list[Voice] = [python]
        if native is not None:
            voices.append(InC(native, python))
        Comparison(compiled.model, voices).at_random(game, limit)


def compare_model(
    compiled: Compiled,
    games: int,
    limit: int,
    native: Native | None = None,
    told: Sequence[str] = (),
    rules: Rules | None = None,
) -> None:
    """Compare all voices on some games of one model: as told, decided alike, and at random.

    Every second game is watched, with a mark in each branch; the others are played in C, too, and the last of them by the verbs
    of a `Game` of these rules.
    """
    watched = Compiled(marked_model(compiled.model)[0], watched=True)
    table = None if rules is None else at_table(rules, compiled, native)

    def comparison(game: int) -> Comparison:
        if game % 2:
            return Comparison(watched.model, [InPython(watched)])
        python = InPython(compiled)
        voices: list[Voice] = [python]
        if native is not None:
            voices.append(InC(native, python))
        if table is not None and game + 2 >= games:
            voices.append(AtTable(table, random.Random(game)))
        return Comparison(compiled.model, voices)

    if told:
        for game in (games - 2, games - 1):
            comparison(game).as_told(told)
    ends = [comparison(game).at_random(game, limit) for game in range(games)]
    if "open" in ends:
        return
    rng = random.Random(games)
    for _ in range(games):
        compare_random(compiled, rng.getrandbits(64), native)


def at_table(rules: Rules, compiled: Compiled, native: Native | None) -> Game:
    """Return a game that plays a program as it was compiled before, natively if there is a library."""
    game = Game(rules, compiled.model)
    game.compiled._lowered = compiled.program, compiled.layout
    game.compiled.waiting = compiled.code("wait")
    if native is not None:
        game.compiled.actions = native.actions
        game.simulator.library = native.library
    return game
