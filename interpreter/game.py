"""A game that can be played: five verbs, and what is built on them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import groupby
from threading import local
from typing import TYPE_CHECKING, Any

from interpreter.fault import Fault, usual_limit
from interpreter.layout import BLOCK, HeldAnswers, Layout, contents, contents_at, variable
from interpreter.notation import Notation
from interpreter.run.batch import Batch
from interpreter.run.compiled import CompiledRules, DecisionPoint
from interpreter.run.halving import Halved, NativeHalving
from interpreter.run.keyed import KeyedGames
from interpreter.run.library import DECISIONS, FIELDS, RANDOM, Portion
from interpreter.run.library import NO_LIMIT as STEPS
from interpreter.run.runtime import DRAW, ROLL, Run, drawn_choice
from interpreter.run.simulator import Simulation, Simulator
from interpreter.run.tree import USUAL, Manner, NativeTree, PythonTree, Tree
from interpreter.run.verbs import NativeState, NativeVerbs
from interpreter.seeds import chance_words, new_seed, next_seed, random_state, random_words
from interpreter.serial import BadState, StateFormat
from interpreter.sight.stale import Stale
from interpreter.sight.touch import Pointed, Touches
from interpreter.sight.view import plain_variable, position_mark, view
from interpreter.state import (
    CHANCE,
    EVERYBODY,
    Args,
    BadStart,
    Group,
    IllegalMove,
    LedgerLine,
    Link,
    Move,
    Movement,
    Objection,
    Outcome,
    Playout,
    Spot,
    State,
    Told,
    TracedState,
    Unlogged,
    UnreadableMove,
    linked,
)
from rulespec.checks.work import Work
from rulespec.english import listed_names, suggest
from rulespec.expr.static import is_static
from rulespec.files.sources import DISK, Files
from rulespec.rules import Rules, Source, open_rules
from rulespec.syntax import (
    NONE,
    Model,
    MoveRule,
    ShowStep,
    TellStep,
    Values,
    VariableRead,
    ViewKey,
    told,
    view_expressions,
)

if TYPE_CHECKING:
    from interpreter.compile.build import NativeProblem
    from interpreter.sight.reveals import Sight

MOVES_KEPT = 20_000
LOOK_AFTER = 500  # decisions applied in Python before a native library that was made earlier is looked for,
UNFOLD_AFTER = 3_000  # before the program is unfolded, which takes as long as that saves in twice as many,
BUILD_AFTER = 10_000  # and before a compiler makes a native library in the background


class MovesOf(dict[Any, Move]):
    """The moves of one number with the same choices but the last, by the last one; each is made when it is first asked for."""

    def __init__(self, number: int, first: Args, make: Callable[[int, Args], Move], chosen: bool) -> None:
        self._number, self._first, self._make = number, first, make
        self._chosen = chosen  # whether anything is

    def __missing__(self, value: Any) -> Move:
        move = self[value] = self._make(self._number, (*self._first, value) if self._chosen else ())
        return move


class _ThreadVerbs(local):
    """The native verbs of a game, which each thread has for itself."""

    verbs: NativeVerbs | None = None
    halving: NativeHalving | None = None


class Game:
    """The rules of one game for a number of players and a choice of options, ready to play.

    A Game holds no state: positions are `State` values, and every verb gives a new one.
    """

    watching = False  # whether the program says which conditions refused, for rule coverage
    tracing = False  # whether it says which pieces moved, for people who move real ones
    counting = False  # whether it counts its work, for budgets

    def __init__(self, rules: Rules, model: Model, limit: int | None = None) -> None:
        if limit is not None and not 1 <= limit <= STEPS:
            raise ValueError(f"expected a limit of 1 to 2^62 decisions, found {limit}")
        self.rules = rules
        self.model = model
        self.compiled = CompiledRules(model, self.tracing, self.watching, self.counting)
        # of decisions; one more is a fault of the kind ENDLESS
        self.limit = usual_limit(self.compiled.work.most_outcomes) if limit is None else limit
        self.notation = Notation(model)
        self.players = model.players
        self.options = model.choices
        self._move = lru_cache(maxsize=MOVES_KEPT)(self._make_move)  # the same few moves are listed again and again
        self._listed: dict[tuple[int, Args], MovesOf] = {}
        self._made = 0  # moves, in all
        self.simulator = Simulator(self.compiled, self.limit, self._depends)
        self._native = _ThreadVerbs()
        self._applied = 0  # decisions, in Python

    @cached_property
    def _moves(self) -> list[MoveRule]:
        """The moves of the rules by their numbers in the program."""
        moves = list(self.model.moves.values())
        return [moves[i] for i in self.compiled.program.moves]

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        """The numbers in the program of each move: an ask may name the same move twice."""
        found: dict[str, list[int]] = {name: [] for name in self.model.moves}
        for number, move in enumerate(self._moves):
            found[move.name].append(number)
        return found

    @property
    def title(self) -> str:
        return self.model.title

    @property
    def work(self) -> Work:
        """Return how much there can be to do at a decision of this game."""
        return self.compiled.work

    def take_work(self) -> int:
        """Return the work done since this was asked last, in steps of the program; 0 in a game that does not count it."""
        return self.compiled.take_work()

    @cached_property
    def fingerprint(self) -> str:
        """A mark of these rules and options; a game with another mark plays differently."""
        return self.rules.fingerprint(self.options)

    @cached_property
    def sight(self) -> Sight:
        """The rules of who sees what of this game's decisions."""
        from interpreter.sight.reveals import Sight

        return Sight(self.compiled, self.notation, self.text_values, self._applied_openly, self.apply)

    def _applied_openly(self, before: State, move: Move) -> State:
        """Return the position after a decision, with how pieces moved, while chance is left open."""
        return self._traced.apply(before.with_seed(None), move)

    @cached_property
    def _traced(self) -> Game:
        return self if self.tracing else TracedGame(self.rules, self.model)

    def _depends(self) -> tuple[str, ...]:
        """Return what native libraries of these rules are kept by: the rules as they are after all overlays."""
        return (self.rules.written(self.options), str(self.players), str(self.tracing), str(self.watching))

    def source(self, form: str = "python") -> str:
        """Return the program, after a key to its names, for people to read: as `program`, `python` or `c`."""
        return self.compiled.printed(form)

    @property
    def layout(self) -> Layout:
        """Return where everything lies in a position."""
        return self.compiled.layout

    # running ---------------------------------------------------------------------------------------------

    def start(self, seed: int | None = None, given: Mapping[str, int | str] | None = None) -> State:
        """Return the position before the first decision. With a seed chance plays itself; without, it is left open.

        `given` overrides how variables start: `{"first": 2}` lets the second player begin.
        """
        if not given and (verbs := self._verbs) is not None and (begun := verbs.start(seed)) is not None:
            return begun
        vector = list(self.layout.start)
        for name, value in (given or {}).items():
            self._set_variable(vector, name, value)
        return self._settle(vector, self._new_run(seed, 0), self.compiled.program.begin, 0, None, None, seed)

    def start_at(self, vector: list[int], procedure: str, args: tuple[int, ...]) -> State:
        """Return a position from which one procedure is run, with chance left open: for worked examples."""
        run = self._new_run(None, 0)
        entry = self.compiled.program.entries[procedure]
        if entry.function is not None:
            self.compiled.waiting.functions[f"f{entry.function}"](vector, run, *args)
        else:
            for slots, value in zip(entry.slots, args, strict=True):
                vector[slots.at] = value
        return self._settle(vector, run, entry.block, 0, None, None, None)

    def _new_run(self, seed: int | None, decisions: int) -> Run:
        run = Run(self.limit, decisions)
        run.word = None if seed is None else chance_words(seed)
        return run

    def _settle(
        self,
        vector: list[int],
        run: Run,
        block: int,
        decisions: int,
        past: Link | None,
        log: Link | Unlogged | None,
        seed: int | None,
    ) -> State:
        """Run to the next decision and return the position there."""
        self.compiled.waiting.go(vector, run, block)
        past, log = linked(past, run.trail), linked(log, run.log)
        at = vector[BLOCK]
        to_move: int | None = None
        if at:
            to_move = run.who if at in self.compiled.waiting.asks else CHANCE
        if seed is not None and run.trail:
            seed = next_seed(seed)
        return State(tuple(vector), to_move, decisions + len(run.trail), past, log, seed, run.groups, bool(run.scored))

    # the verbs -------------------------------------------------------------------------------------------

    def legal_moves(self, state: State, player: int | None = None) -> list[Move]:
        """Return every legal decision, each once, in the order of the rule file.

        Where several players decide at the same time, `player` may be any of them who has not decided yet.
        """
        if player is not None and player != state.to_move:
            return self.legal_moves(self.asked(state, player)) if player in self.undecided(state) else []
        if type(state) is NativeState and state.to_move and (verbs := self._verbs) is not None:
            return verbs.legal_moves(state)
        at = state.vector[BLOCK]
        if not at:
            return []
        if at not in self.compiled.waiting.asks:
            return [move for move, _ in self.chances(state)]
        moves: list[Move] = []
        listed = self._listed
        for number, first, last in self._groups(state):
            group = listed.get((number, first))
            if group is None:
                group = listed[number, first] = MovesOf(number, first, self._move, bool(self._moves[number].choices))
            moves += [group[value] for value in last]
        return moves

    def count_moves(self, state: State) -> int:
        """Return how many legal decisions there are, without listing them."""
        if type(state) is NativeState and state.to_move:
            return len(state.actions)
        at = state.vector[BLOCK]
        if not at:
            return 0
        if at not in self.compiled.waiting.asks:
            return len(self._weights(state))
        return sum(len(last) for _, _, last in self._groups(state))

    def chances(self, state: State) -> list[tuple[Move, int]]:
        """Return the outcomes of a decision of chance with their weights."""
        if state.to_move != CHANCE or not state.vector[BLOCK]:
            return []
        kind = self.compiled.decisions[state.vector[BLOCK]].kind
        return [(Move(kind, (k,), self.notation.chance(kind, k)), n) for k, n in self._weights(state)]

    def _weights(self, state: State) -> list[tuple[int, int]]:
        return self.compiled.waiting.weights[state.vector[BLOCK]](state.vector, None)

    def _groups(self, state: State) -> list[Group]:
        if not state._groups:
            state._groups = self.compiled.waiting.asks[state.vector[BLOCK]](state.vector, None)[1]
        return state._groups

    def decision(self, state: State) -> DecisionPoint | None:
        """Return what a position waits for; None when the game is over."""
        return self.compiled.decisions.get(state.vector[BLOCK])

    # players who decide at the same time -----------------------------------------------------------------

    def asks_several(self, state: State) -> bool:
        """Return whether a position waits for a player who decides at the same time as others."""
        return self._held_answers(state) is not None

    def _held_answers(self, state: State) -> HeldAnswers | None:
        """Return where answers are kept in a position that waits for one of several players who decide at the same time."""
        held = self.layout.held
        return held.get(state.vector[BLOCK]) if held and state.to_move else None

    def undecided(self, state: State) -> tuple[int, ...]:
        """Return the players who are to decide in this position, the one to move first; mostly that one alone."""
        if not state.to_move:
            return ()
        held = self._held_answers(state)
        return (state.to_move,) if held is None else held.undecided(state.vector)

    def held(self, state: State) -> dict[int, Move]:
        """Return what players have decided that is carried out only when the others have decided too."""
        held = self._held_answers(state)
        found: dict[int, Move] = {}
        for player in () if held is None else held.order(state.vector):
            if held is not None and (answer := held.answer(state.vector, player)) is not None:
                name, args = answer
                found[player] = Move(name, args, self.notation.move(name, args))
        return found

    def asked(self, state: State, player: int) -> State:
        """Return a position with another player to move of those who decide in it at the same time, and have not decided yet."""
        held = self._held_answers(state)
        if held is None or player not in held.undecided(state.vector):
            raise ValueError(f"player {player} is not among those who decide here")
        vector = tuple(held.at(state.vector, player))
        return State(vector, player, state.decisions, state._past, state._log, state.seed, [], state.scored)

    def reopened(self, state: State) -> State:
        """Return the position before anybody decided, of one in which players decide at the same time; nothing else is in its past."""
        held, decision = self.layout.held[state.vector[BLOCK]], self.compiled.program.decisions[state.vector[BLOCK]]
        vector = list(state.vector)
        for slot in (held.position, held.player, *held.slots):
            vector[slot] = 0
        return self._settle(vector, self._new_run(None, 0), decision.after, 0, None, None, None)

    def who_decides(self, vector: Sequence[int]) -> int | None:
        """Return who decides at a position that waits, by its vector: a player, CHANCE, or None when the game is over."""
        at = vector[BLOCK]
        if not at:
            return None
        ask = self.compiled.waiting.asks.get(at)
        return CHANCE if ask is None else ask(vector, None)[0]

    def _make_move(self, number: int, args: Args) -> Move:
        self._made += 1
        if self._made % MOVES_KEPT == 0:
            self._listed.clear()
        name = self._moves[number].name
        return Move(name, args, self.notation.move(name, args))

    def is_legal(self, state: State, move: Move) -> bool:
        decision = self.decision(state)
        if decision is None:
            return False
        if decision.kind != "ask":
            return move.name == decision.kind and any((k,) == move.args for k, _ in self._weights(state))
        return self._offered(state, move) is not None

    def _offered(self, state: State, move: Move) -> int | None:
        """Return the number under which a move is legal where a player decides: an ask may name the same move twice."""
        numbers, before, value = self._numbers.get(move.name, ()), move.args[:-1], move.args[-1:]
        for number, first, last in self._groups(state):
            if (
                first == before
                and number in numbers
                and (value[0] in last if value else not self._moves[number].choices)
            ):
                return number
        return None

    def objections(self, state: State, move: Move | str) -> list[Objection]:
        """Return why a move is not legal here; nothing if it is."""
        if isinstance(move, str):
            move = self.parse_move(state, move)
        if self.is_legal(state, move):
            return []
        decision = self.decision(state)
        if decision is None:
            return [Objection("the game is over", "game over", move.name, None)]
        if decision.kind != "ask":
            return [
                Objection(
                    f"`{move}` cannot be {'drawn' if decision.kind == 'draw' else 'rolled'} now; {self._choices_now(state)}",
                    "chance",
                    move.name,
                    decision.span,
                )
            ]
        if move.name not in decision.moves:
            assert state.to_move
            parts = (
                f"`{move.name}` is not available now; ",
                state.to_move,
                f" can play {listed_names(decision.moves, 'or')}",
            )
            text = f"{parts[0]}player {parts[1]}{parts[2]}"
            return [Objection(text, "not now", move.name, decision.span, parts=parts)]
        return self._refusals(state, move) or [
            Objection(f"`{move}` is not one of the choices", "choices", move.name, self.model.moves[move.name].span)
        ]

    def _choices_now(self, state: State) -> str:
        return "possible: " + ", ".join(str(m) for m in self.legal_moves(state))

    def _refusals(self, state: State, move: Move) -> list[Objection]:
        """Return the choices outside their domain, as far as it is known; without any, the conditions that do not hold."""
        spec = self.model.moves[move.name]
        rules = self.compiled
        before = (state.vector, state.to_move, *self._given(state, move))
        found = []
        doubtful: set[str] = set()  # a program is proved for choices inside their domains only
        for i, choice in enumerate(spec.choices):
            if choice.reads & doubtful:
                doubtful.add(choice.name)
                continue
            domain = rules.domain(move.name, i, *before, *move.args[:i])
            if move.args[i] not in domain:
                doubtful.add(choice.name)
                text = self.notation.cannot_be(move.args[i], choice, domain)
                found.append(Objection(text, choice.name, move.name, choice.span))
        if found:
            return found
        for later in (False, True):  # what would come of a move is looked at only if it may be made now
            for i, condition in enumerate(spec.conditions if not found else ()):
                if condition.afterwards == later and not rules.holds(move.name, i, *before, *move.args):
                    holes = rules.refusal(move.name, i, *before, *move.args)
                    is_secret = partial(self.sight.secret_to_mover, move.name)
                    text = self.notation.fill(condition.refusal, holes, is_secret)
                    parts = self.notation.told(condition.refusal, holes, is_secret)
                    found.append(Objection(text, condition.name, move.name, condition.span, condition.changes, parts))
        return found

    def _given(self, state: State, move: Move) -> tuple[Any, ...]:
        """Return the values the present ask gives to a move."""
        number = self._offered(state, move)
        if number is None:
            number = next(i for i, m in enumerate(self._moves) if m.name == move.name)
        return self.compiled.waiting.given[state.vector[BLOCK]](state.vector, None, number)

    def apply(self, state: State, move: Move | str) -> State:
        """Return the position after a decision. The position given is not changed; an illegal move raises IllegalMove."""
        if isinstance(move, str):
            move = self.parse_move(state, move)
        if state.to_move and (verbs := self._verbs) is not None:
            after = verbs.apply(state, move)
            if after is not None:
                return after
        self._applied += 1
        if self.counting:
            pass  # native verbs do not count
        elif self._applied == LOOK_AFTER:
            self.simulator.ready()
        elif self._applied == UNFOLD_AFTER:
            self.compiled.quicken()
        elif self._applied == BUILD_AFTER:
            self.simulator.begin()
        return self._apply_in_python(state, move)

    @property
    def _verbs(self) -> NativeVerbs | None:
        """The native verbs of this thread, once there is a library and the game's moves have numbers."""
        found = self._native.verbs
        if (
            found is None
            and self.simulator.library is not None
            and not (self.tracing or self.watching or self.counting)
        ):
            actions = self.compiled.actions
            if actions is not None:
                found = self._native.verbs = NativeVerbs(
                    self.simulator.library, actions, list(self.model.moves), self.limit, self._move, self._log_between
                )
        return found

    def _log_between(self, root: State | None, end: State) -> list[Any]:
        """Return why points were scored between two positions, or since the start, by deciding the same once more in Python."""
        if root is None:
            run = self._new_run(None, 0)
            state = self._settle(list(self.layout.start), run, self.compiled.program.begin, 0, None, None, None)
        else:
            state = State(root.vector, root.to_move, root.decisions, None, None, None, [])
        for move in self.decisions(end, root):
            state = self._apply_in_python(state, move)
        return state.log()

    def _apply_in_python(self, state: State, move: Move) -> State:
        vector = list(state.vector)
        at = vector[BLOCK]
        choice: tuple[int, Any] | None = None
        if at in self.compiled.waiting.asks:
            number = self._offered(state, move)
            if number is not None:
                choice = (number, move.args)
        elif self.is_legal(state, move):
            choice = (DRAW if move.name == "draw" else ROLL, move.args[0])
        if choice is None:
            raise IllegalMove(str(move), self.objections(state, move))
        run = self._new_run(state.seed, state.decisions + 1)
        block = self.compiled.waiting.plays[at](vector, run, *choice)
        return self._settle(vector, run, block, state.decisions + 1, (state._past, choice), state._log, state.seed)

    def parse_move(self, state: State, text: str) -> Move:
        """Return the move that a text names; UnreadableMove if it is none. Whether it is legal is another question."""
        words = text.split()
        if not words:
            raise UnreadableMove("expected a move, found nothing")
        name, rest = words[0], words[1:]
        if name in ("draw", "roll"):
            if len(rest) != 1:
                raise UnreadableMove(f"expected `{name} VALUE`, found `{text}`")
            code = self.notation.read_value(rest[0], self._chance_type(state), "a piece or value")
            return Move(name, (code,), f"{name} {rest[0]}")
        if name not in self.model.moves:
            decision = self.decision(state)
            asked = decision.moves if decision is not None else ()
            hint = suggest(name, [*self.model.moves, "draw", "roll"])
            now = f"; possible now: {listed_names(asked, 'or')}" if asked else ""
            raise UnreadableMove(f"no move called `{name}`{now}{hint}")
        args = self.notation.read_args(name, rest, self.model.moves[name].choices)
        return Move(name, args, self.notation.move(name, args))

    def _chance_type(self, state: State) -> Values:
        from rulespec.syntax import of_codes

        decision = self.decision(state)
        return of_codes((decision.domain if decision is not None else ()) or self.model.kinds)

    # about a position ---------------------------------------------------------------------------------

    def describe(self, state: State, move: Move) -> str:
        """Return a move in the author's words."""
        if move.name in ("draw", "roll"):
            return str(move)
        return self.notation.fill(self.model.moves[move.name].text, self.text_values(state, move))

    def text_values(self, state: State, move: Move) -> tuple[Any, ...]:
        """Return what fills the holes of a move's text."""
        return self.compiled.text(move.name, state.vector, state.to_move, *self._given(state, move), *move.args)

    def text_varies(self, name: str) -> bool:
        """Return whether the words of a move depend on the position, and not on what is chosen alone."""
        parts = self.model.moves[name].text.parts
        return not all(isinstance(part, str) or is_static(part, self.model.functions) for part in parts)

    @cached_property
    def _touches(self) -> Touches:
        return Touches(self.model)

    def touches(self, state: State, move: Move) -> list[Pointed]:
        """Return the places and pieces that the choices of a legal move stand for, to choose it by pointing."""
        if not state.to_move:
            return []
        given = self._given(state, move)
        return self._touches.of(self.layout, state.vector, move.name, state.to_move, given, move.args)

    def scores(self, state: State) -> dict[int, int]:
        """Return every player's score; empty for a game without scores."""
        if "score" not in self.model.variables:
            return {}
        base = self.layout.variables["score"].base
        return {p: state.vector[base + p - 1] for p in range(1, self.players + 1)}

    def standing(self, state: State) -> dict[int, int]:
        """Return what the first line of `winner:` gives each player now, the more the better; empty if there is no such line."""
        if not self.model.winner:
            return {}
        return {p: self.compiled.rank(state.vector, p)[0] for p in range(1, self.players + 1)}

    def begun_by(self, first: int) -> dict[str, int | str]:
        """Return what lets a player begin, in any game: every variable that names player 1 at the start names this one."""
        players = self.model.sets["player"].values
        return {
            v.name: first
            for v in self.model.variables.values()
            if not v.index and getattr(v.type, "home", "") == "player" and v.starts[0] == players[0]
        }

    def ledger(self, state: State, since: State | None = None) -> list[LedgerLine]:
        """Return why every point was scored, in order. What each player gained adds up to the score, from where it started.

        `since` is an earlier position of the same game: only what was scored after it.
        """
        rules = list(self.model.rules.values())
        lines = []
        for number, player, rule_number, _, points, gained, shown in state.log(since):
            if player == EVERYBODY:
                continue
            rule = rules[rule_number]
            text = self.notation.fill(rule.text, shown, self.sight.secret_to_some)
            lines.append(LedgerLine(number, player, rule.name, text, points, gained, rule.span, rule.changes))
        return lines

    def told(self, state: State, since: State | None = None) -> list[Told]:
        """Return what the rules told everybody, in order; `since` is an earlier position of the same game."""
        if not self._tellings:
            return []
        found = []
        for number, player, text, to, _, _, shown in state.log(since):
            if player == EVERYBODY:
                found += told_line(self.layout, self._spots, self.notation, self._tellings[text], number, to, shown)
        return found

    def values_shown(self, state: State, since: State) -> list[tuple[tuple[int, ...], frozenset[tuple[str, int]]]]:
        """Return to whom values of variables were shown since an earlier position, and which, each by its number."""
        found = []
        for _, player, text, to, _, _, shown in state.log(since) if self._tellings else ():
            step = self._tellings[text] if player == EVERYBODY else None
            if isinstance(step, ShowStep) and isinstance(step.place, VariableRead):
                name, nowhere = step.place.variable, self.layout.nowhere
                base = self.layout.variables[name].base
                numbers = [at - base + i for at, *values in shown if at != nowhere for i in range(len(values))]
                found.append((to, frozenset((name, number) for number in numbers)))
        return found

    @cached_property
    def _spots(self) -> dict[int, Spot]:
        return spots_of(self.layout)

    @cached_property
    def _tellings(self) -> list[TellStep | ShowStep]:
        return told(self.model)

    def outcome(self, state: State) -> Outcome | None:
        """Return who won and why; None while the game goes on."""
        if state.vector[BLOCK]:
            return None
        ranks = {p: self.compiled.rank(state.vector, p) for p in range(1, self.players + 1)}
        order = sorted(set(ranks.values()), reverse=True)
        ranking = tuple(tuple(p for p in ranks if ranks[p] == rank) for rank in order)
        reason = ""
        for i, (name, _) in enumerate(self.model.winner):
            reason = name
            if all(ranks[p][: i + 1] < order[0][: i + 1] for p in ranks if p not in ranking[0]):
                break
        return Outcome(ranking[0], self.scores(state), reason, ranking)

    def decisions(self, state: State, since: State | None = None) -> list[Move]:
        """Return everything that was decided on the way here, by players and by chance; `since` is an earlier position."""
        found = []
        for number, args in state.past(since):
            if number in (DRAW, ROLL):
                kind = "draw" if number == DRAW else "roll"
                found.append(Move(kind, (args,), self.notation.chance(kind, args)))
            else:
                found.append(self._move(number, args))
        return found

    def view(self, state: State, player: int | None) -> dict[str, Any]:
        """Return what a player may see, as plain data; None is an onlooker."""
        return view(self.compiled, state, player)

    def position_mark(self, state: State) -> str:
        """Return a mark of the whole position: equal ones have equal marks, in any version of the engine."""
        return position_mark(self.compiled, state)

    def plain_value(self, code: int) -> int | str | None:
        """Return a value as plain data: a number, a member's name, or None."""
        return self.model.plain_value(code)

    @cached_property
    def _format(self) -> StateFormat:
        return StateFormat(
            self.fingerprint,
            self.players,
            self.options,
            self.layout.size,
            self.compiled.decisions,
            self.who_decides,
            tuple(self.layout.noted_size(names) for names in self.layout.remembered),
        )

    def to_data(self, state: State) -> dict[str, Any]:
        """Return a position as plain data, fit for JSON; `from_data` reads it back."""
        return self._format.write(state)

    def from_data(self, data: Any) -> State:
        """Return the position that `to_data` wrote; BadState says what is wrong with the data."""
        state = self._format.read(data)
        try:
            self.ledger(state)  # every line names a rule or a text, and fills it
            self.told(state)
        except (IndexError, KeyError, TypeError, ValueError, StopIteration) as error:
            message = "the record of decisions and points is damaged: a line fits no rule"
            raise BadState(message) from error
        return state

    def variable(self, state: State, name: str, *index: int) -> int:
        """Return the value of a variable, as a code."""
        return variable(self.layout, state.vector, name, index)

    def plain_variable(self, state: State, name: str, *index: int) -> int | str | bool | None:
        """Return the value of a variable as plain data, whoever sees it."""
        return plain_variable(self.compiled, state, self.model.variables[name], index)

    @cached_property
    def _stale(self) -> Stale:
        return Stale(self.model)

    def is_stale(self, state: State, name: str) -> bool:
        """Return whether the value of a variable no longer counts: the rules overwrite it before anything reads it."""
        point = self.decision(state)
        return point is not None and self._stale.is_stale(name, point.span)

    def rank(self, vector: Sequence[int], player: int) -> tuple[int, ...]:
        """Return the numbers by which the winner is found, for one player: more is better, and the first number counts first."""
        return self.compiled.rank(vector, player)

    def contents(self, state: State, name: str, number: int) -> list[tuple[int, int]]:
        """Return the same as `place`, for a place by its number in the family, from 0."""
        return contents(self.layout, state.vector, name, number)

    def shown(self, name: str, kind: int) -> int | None:
        """Return what a piece shows of itself to those who may not see it, for example its back; None: nothing."""
        shows = self.compiled.shows(name)
        return None if shows is None else shows(self.layout.start, kind)

    def drawn(self, state: State, key: ViewKey, *names: int) -> Any:
        """Return the value of an expression of the view, from the names it may use; None where there is none.

        A picture never stops a game: what rules cannot work out is not drawn.
        """
        function = self.compiled.drawn(key)
        if function is None:
            return None
        try:
            return function(state.vector, *names)
        except Fault:
            return None

    def drawing_varies(self, key: ViewKey) -> bool:
        """Return whether an expression of the view depends on the position, and not on the names it may use alone."""
        found = [e for known, e, _ in view_expressions(self.model.view) if known == key]
        return not all(is_static(e, self.model.functions) for e in found)

    @property
    def has_chance(self) -> bool:
        """Return whether anything is drawn or rolled in this game."""
        return any(d.kind != "ask" for d in self.compiled.decisions.values())

    def place(self, state: State, name: str, *index: int) -> list[tuple[int, int]]:
        """Return what lies on a place: (kind, how many)."""
        values = self.model.places[name].index_values
        at = 0
        for codes, i in zip(values, index, strict=True):
            at = at * len(codes) + codes.index(i)
        return contents(self.layout, state.vector, name, at)

    def _set_variable(self, vector: list[int], name: str, value: int | str) -> None:
        variable = self.model.variables.get(name)
        if variable is None or variable.index:
            known = listed_names(n for n, v in self.model.variables.items() if not v.index)
            raise BadStart(f"no variable `{name}` to start with; known variables: {known}")
        try:
            code = self.notation.read_value(str(value), variable.type, name)
        except UnreadableMove as error:
            raise BadStart(str(error)) from None
        t = variable.type
        if isinstance(t, Values) and not (
            code in t.members or (code == NONE and t.none) or (t.lo is not None and t.lo <= code <= (t.hi or 0))
        ):
            raise BadStart(f"`{name}` cannot start as {value}")
        vector[self.layout.variables[name].base] = code

    # simulation ------------------------------------------------------------------------------------------

    def playout(self, seed: int | None = None) -> State:
        """Return a game to its end, everybody playing at random: the fast path of simulations.

        Its decisions and ledger are worked out from the seed when somebody asks for them.
        """
        if seed is None:
            seed = new_seed()
        return self.finished(seed, self.simulator.play(seed))

    def python_playout(self, seed: int) -> State:
        """Return the same game as `playout`, never natively."""
        return self.finished(seed, self.simulator.in_python(seed))

    def playouts(self, seeds: Iterable[int]) -> Iterator[State]:
        """Return a playout for each seed."""
        return map(self.playout, seeds)

    def simulate(self, games: int, seed: int = 0, threads: int = 1) -> Simulation:
        """Return many playouts, with the seeds seed, seed + 1, …; natively where possible, on `threads` threads."""
        return Simulation(self, seed, games, self.simulator.games(games, seed, threads))

    def batch(self, games: int, seeds: int | Sequence[int] = 0, *, masks: bool = False) -> Batch:
        """Return many games side by side, for programs: see `interpreter.run.batch`. Raises BuildError if there is no native library.

        `seeds` are one for each game, or the first of consecutive ones; `masks`: legal actions are wanted as masks too.
        """
        library = self.simulator.native()
        return Batch(library, self.compiled.actions, games, seeds, masks=masks, limit=self.limit)

    def keyed_games(self, place_of: Callable[[DecisionPoint], str], standings: int) -> KeyedGames | None:
        """Return what plays random games by keyed luck, natively: see `interpreter.run.keyed`; None where it cannot be.

        `place_of` names what chance decides about; `standings`: what `standing` gives is noted whenever it changed, and so
        many of a game are kept at most.
        """
        library, actions = self.simulator.ready(), self.compiled.actions
        if library is None or actions is None or self.compiled.names_twice:
            return None
        return KeyedGames(library, actions, self.compiled, self.limit, self._words_of, place_of, standings)

    def keyed_move(self, state: State, key: int) -> Move:
        """Return the legal move that a random player makes in `keyed_games`, where `key` is the number of 64 bits for it.

        Where the rules allow it, the move is drawn without listing all of them.
        """
        drawing = self.compiled.waiting.drawings.get(state.vector[BLOCK])
        if drawing is None:
            moves = self.legal_moves(state)
            return moves[(key >> 32) * len(moves) >> 32]
        words = random_words(key)
        drawn = drawn_choice(*drawing, state.vector, words)
        if drawn is not None:
            return self._move(*drawn)
        moves = self.legal_moves(state)
        return moves[words() * len(moves) >> 32]

    def _words_of(self, number: int, args: Args) -> str:
        """Return a decision in words, from how positions remember it."""
        if number in (DRAW, ROLL):
            return self.notation.chance("draw" if number == DRAW else "roll", args[0])
        return self.notation.move(list(self.model.moves)[number], args)

    def move_of(self, action: int) -> Move:
        """Return the move with a number in batches; ValueError if there is none."""
        actions = self.compiled.actions
        if actions is None:
            raise ValueError("this game has too many moves to number: an action is an index into the legal ones")
        return self._move(*actions.move(action))

    def action_of(self, move: Move) -> int:
        """Return the number of a move in batches; ValueError if it has none."""
        actions = self.compiled.actions
        if actions is None or move.name not in self.model.moves:
            raise ValueError(f"`{move}` has no number")
        return actions.number(list(self.model.moves).index(move.name), move.args)

    def compile(self) -> bool:
        """Make playouts native now, not after the first ones; return false where they stay in Python."""
        return self.simulator.compile()

    @property
    def native_problem(self) -> NativeProblem | None:
        """Return why games that could be native are played in Python, as far as that was tried."""
        return self.simulator.problem

    def rollout(self, state: State, seed: int, steps: int = STEPS, rounds: int = 0) -> State:
        """Return the position after random play from this one, chance included, whatever the position's seed. It continues

        to the end of the game, for `steps` decisions of players, or, if `rounds` are given, until chance has followed scoring that many times.
        """
        vector = self.simulator.rollout(state.vector, seed, steps, rounds, decisions=state.decisions)
        return State(vector, self.who_decides(vector), state.decisions, None, None, None, [])

    def rollouts(
        self, states: Sequence[State], seeds: Sequence[int], steps: int = STEPS, rounds: int = 0
    ) -> array[int]:
        """Return where random play from each position leads with each seed: vectors, one after the other, position by position.

        They are the ends that `rollout` gives, except that points of the decision that led to a position count: if
        chance is to decide there, the round is over. Raises the Fault of the first that has one.
        """
        library = self.simulator.ready()
        if library is None:
            return self._python_rollouts(states, seeds, steps, rounds)
        many = len(seeds)
        randoms = array("q", array("Q", [random_state(seed) for seed in seeds]).tobytes())
        ends = array("i")  # where the positions begin, and where they are played on
        for state in states:
            ends.extend(array("i", state.packed if type(state) is NativeState else state.vector) * many)
        at, each = ends.buffer_info()[0], ends.itemsize * many * self.layout.size
        for (is_over, scored), side_by_side in groupby(states, lambda s: (_is_round_over(s, rounds), s.scored)):
            going = list(side_by_side)
            if not is_over:
                games = Portion(library, len(going) * many, self.limit)
                games.move_to(at, games.most)
                games.games[RANDOM::FIELDS] = randoms * len(going)
                games.games[DECISIONS::FIELDS] = array("q", [state.decisions for state in going for _ in seeds])
                games.random(steps, rounds, scored)
            at += each * len(going)
        return ends

    def halve(
        self,
        state: State,
        moves: Sequence[Move],
        order: Sequence[int],
        each: Sequence[int],
        seeds: Sequence[int],
        steps: int = STEPS,
        rounds: int = 0,
    ) -> Halved | None:
        """Return legal moves, as far as `order` has their places, by what `rollouts` after them give: the best ones first.

        What counts is the lead of who decides; without scores, whether they won. Every move is played on `each[0]` times, then
        the better half `each[1]` times, and so on, with the next seeds. Chance is left open after a move, whatever the
        position's seed. None where it cannot be done natively, or some play had a fault.
        """
        if (verbs := self._verbs) is None or self.compiled.names_twice:
            return None
        if (found := self._native.halving) is None:
            assert self.simulator.library is not None
            found = self._native.halving = NativeHalving(self.simulator.library, self.limit)
        return found.halve(state, list(map(verbs.number_of, moves)), order, each, seeds, steps, rounds)

    def _python_rollouts(self, states: Sequence[State], seeds: Sequence[int], steps: int, rounds: int) -> array[int]:
        ends = array("i")
        for state in states:
            for seed in seeds:
                if _is_round_over(state, rounds):
                    ends.extend(state.vector[: self.layout.size])
                else:
                    end = self.simulator.rollout(state.vector, seed, steps, rounds, state.scored, state.decisions)
                    ends.extend(end[: self.layout.size])
        return ends

    def tree(self, seed: int, room: int, manner: Manner = USUAL, *, known: bool = True) -> Tree:
        """Return a tree of what players may decide, to be grown by passes: natively where possible, and always the same.

        `room` is for nodes: each pass makes one as long as there is room. `known`: it grows from one position only. The
        position's own seed has no influence.
        """
        library, actions = self.simulator.ready(), self.compiled.actions
        if library is None or actions is None:
            return self.python_tree(seed, room, manner, known=known)
        return NativeTree(library, actions, self._move, self.limit, seed, room, manner, known)

    def python_tree(self, seed: int, room: int, manner: Manner = USUAL, *, known: bool = True) -> Tree:
        """Return the same, never native."""
        rules, given = self.compiled, (self._move, self.limit, seed, room, manner, known)
        return PythonTree(rules.random, rules.program, self.players, *given, self.simulator.took)

    def finished(self, seed: int, vector: tuple[int, ...]) -> State:
        """Return the end of the playout with this seed."""
        return Playout(vector, seed, self._retrace)

    def _retrace(self, seed: int) -> tuple[int, Link | None, Link | None]:
        """Return the decisions and points of a playout, by playing it again."""
        run = self.simulator.trace(seed)
        return len(run.trail), linked(None, run.trail), linked(None, run.log)


def spots_of(layout: Layout) -> dict[int, Spot]:
    """Return every place by where it lies in a position."""
    return {lay.address(n): Spot(name, n) for name, lay in layout.places.items() for n in range(lay.place.size)}


def told_line(
    layout: Layout,
    spots: Mapping[int, Spot],
    notation: Notation,
    step: TellStep | ShowStep,
    number: int,
    to: tuple[int, ...],
    shown: tuple[Any, ...],
) -> list[Told]:
    """Return what a step told, from what its program logged; nothing if there is nothing, or nobody, to show."""
    if isinstance(step, TellStep):
        return [Told(number, notation.told(step.text, shown), step.span)]
    nowhere = (layout.nowhere, layout.nowhere_cell)
    found = [(at, numbers) for at, *numbers in shown if at not in nowhere]
    players = sorted(set(to))
    if not found or not players:
        return []
    if isinstance(step.place, VariableRead):
        lay = layout.variables[step.place.variable]
        things = [
            (Spot(lay.variable.name, at - lay.base + i), n) for at, numbers in found for i, n in enumerate(numbers)
        ]
        values = [notation.label(n, lay.variable.type) for _, n in things]
    else:
        things = [(spots[at], at) for at, _ in found]
        values = [
            notation.lying(contents_at(layout.places[spot.family], numbers, 0))
            for (spot, _), (_, numbers) in zip(things, found, strict=True)
        ]
    parts = notation.shown([spot for spot, _ in things], players)
    return [Told(number, parts, step.span, "; ".join(values), notation.audience(players))]


def _is_round_over(state: State, rounds: int) -> bool:
    """Return whether chance follows scoring, and no further round is to be played."""
    return state.to_move is None or (rounds == 1 and state.scored and state.to_move == CHANCE)


class CountedGame(Game):
    """The same game; it counts the work that positions and moves take, in the same way on every machine."""

    counting = True


class TracedGame(Game):
    """The same game; its positions are `TracedState`."""

    tracing = True

    def _settle(self, vector, run: Run, *rest) -> State:  # type: ignore[no-untyped-def]
        state = super()._settle(vector, run, *rest)
        spots = self._spots
        return TracedState(
            state, tuple([Movement(kind, n, spots[source], spots[goal]) for source, goal, kind, n in run.moved])
        )


def load(
    game: Source,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    house: Iterable[Source] = (),
    limit: int | None = None,
    files: Files = DISK,
) -> Game:
    """Return the game of a shipped name, a rule file, a YAML text or a mapping, with any number of house rules on top.

    RuleFileError carries everything that is wrong. A game that does not end within `limit` decisions, or else as many as are
    usual, is a Fault.
    `files` is where rule files come from; with `NoDisk()` no path is followed.
    """
    rules = open_rules(game, house=house, files=files)
    model, _ = rules.check(players, dict(options or {}))
    return Game(rules, model, limit)


def load_traced(
    game: Source,
    players: int | None = None,
    options: Mapping[str, str] | None = None,
    house: Iterable[Source] = (),
    files: Files = DISK,
) -> TracedGame:
    """Return the same as `load`, for a game that also says how pieces moved."""
    rules = open_rules(game, house=house, files=files)
    model, _ = rules.check(players, dict(options or {}))
    return TracedGame(rules, model)
