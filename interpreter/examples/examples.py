"""Worked examples: a position, what may be decided in it, what is decided, and what then holds.

An example is read from its YAML nodes, so every complaint points to its line. `setup` is
not run: every piece starts where `pieces:` puts it, and places named under `given` then hold exactly what is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from interpreter.budget import NUMBERS_EACH, Budget, BudgetSpent, cost_of
from interpreter.examples.positions import (
    DIFFERS,
    FAULT,
    NO_GAME,
    SPENT,
    Arrangement,
    PositionReader,
    Problem,
    Row,
    shortened,
)
from interpreter.examples.reading import (
    Continuation,
    ExpectedRefusal,
    ExpectedWord,
    Look,
    MadeDecision,
    WorkedExample,
    find_examples,
    misshapen,
    read_example,
)
from interpreter.fault import Fault
from interpreter.game import CountedGame, Game
from interpreter.layout import Layout, contents, put
from interpreter.state import CHANCE, IllegalMove, State, UnreadableMove
from rulespec.diagnostics.diagnostic import RuleFileError, Span
from rulespec.english import listed, listed_names, ordinal, suggest
from rulespec.options.layers import OptionError, unknown
from rulespec.rules import PlayersError, Rules
from rulespec.syntax import NONE, Model, YesNo
from rulespec.yaml.nodes import Entry, Mapping, Scalar
from rulespec.yaml.source import kind_of

PLACES_EACH = 20  # places to be read and arranged that cost as much as one decision
MOST_TRIED = 10_000  # decisions, or work that costs as much, for all examples of a file together
NOT_TRIED = "not tried to its end: all examples together may take as much work as {most:,} decisions"


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """The result of an example.

    An example of a file that these rules extend is `inherited`: its problems are what the house rule changes, and it
    passes all the same, unless there is no game to try it in, the game cannot continue, or it takes too much work.
    """

    name: str
    span: Span
    passed: bool
    problems: tuple[Problem, ...]
    file: str
    see: str = ""
    inherited: bool = False
    stopped: str = ""  # the decision that was open when `expect` was looked at and did not hold
    writable: bool = True  # these rules have all that it names: the players, the choices, the places, the values


class ExampleNotFound(ValueError):
    """No example of that name."""


def run_examples(rules: Rules, names: list[str] | None = None) -> list[ExampleResult]:
    """Return the result of every example of the rules, or of those named, in the order of the file.

    Raises RuleFileError for rules that cannot be played at all, ExampleNotFound for an unknown name.
    """
    found = list(find_examples(rules))
    known = [entry.key.text for entry, _ in found]
    for name in names or ():
        if name not in known:
            raise ExampleNotFound(f"no example called `{name}`{suggest(name, known)}")
    examples = Examples(rules)
    return [examples.run(entry, choices) for entry, choices in found if names is None or entry.key.text in names]


def begin_example(game: Game, entry: Entry) -> State | None:
    """Return the position in which an example begins; none if there is no such position in this game."""
    return _Trial(game, entry.key.span, entry.value).begin() if isinstance(entry.value, Mapping) else None


def given_position(game: Game, entry: Entry) -> State | None:
    """Return the position of an example as written, before anything happens; none if there is no such position."""
    if not isinstance(entry.value, Mapping):
        return None
    arrangement = _Trial(game, entry.key.span, entry.value).example.arrangement
    return State(tuple(set_up(game.layout, arrangement)), None, 0, None, None, None, []) if arrangement else None


def set_up(layout: Layout, arrangement: Arrangement) -> list[int]:
    """Return the vector of a position: as the game starts, but for what is arranged."""
    vector = list(layout.start)
    for family, number in arrangement.pieces:
        lay = layout.places[family]
        empty = NONE if lay.place.shape == "cell" else 0
        vector[lay.address(number) : lay.address(number) + lay.width] = [empty] * lay.width
    for (family, number), held in arrangement.pieces.items():
        for kind, count in held:
            put(layout, vector, family, number, kind, count)
    for value in arrangement.values:
        vector[value.slot(layout)] = value.code
    return vector


def worked_example(game: Game, entry: Entry) -> WorkedExample | None:
    """Return an example as this game reads it; none if it is no example."""
    return _Trial(game, entry.key.span, entry.value).example if isinstance(entry.value, Mapping) else None


class Examples:
    """Tries examples of one file; games are made once for each number of players and choice of options.

    An example for which the budget does not last is not tried to its end, and has a problem that says so.
    """

    def __init__(
        self, rules: Rules, make: Callable[[Rules, Model], Game] = CountedGame, budget: Budget | None = None
    ) -> None:
        self.rules = rules
        self.budget = Budget("worked examples", MOST_TRIED) if budget is None else budget
        self._make_game = make
        self._games: dict[tuple[int | None, tuple[tuple[str, str], ...]], Game | tuple[str, str, str]] = {}
        self._own_file = rules.own_file

    def games(self) -> list[Game]:
        """Return the games that were made for the examples tried so far."""
        return list({id(g): g for g in self._games.values() if isinstance(g, Game)}.values())

    def run(self, entry: Entry, choices: dict[str, str] | None = None) -> ExampleResult:
        problems: list[Problem] = []
        stopped, writable = "", False
        key, node = entry.key, entry.value
        see = node.get("see") if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping):
            problems.append(Problem(node.span, f"expected a map with the parts of the example, found {kind_of(node)}"))
        else:
            problems += misshapen(node, key.span)
            game = self._game(entry, node, dict(choices or {}), problems) if not problems else None
            if game is not None:
                try:
                    self.budget.spend(1 + game.layout.size // NUMBERS_EACH)
                    trial = _Trial(game, key.span, node, self.budget)
                    self.budget.spend(trial.reader.places // PLACES_EACH)
                    writable = not trial.problems
                    problems += trial.run()
                    stopped = trial.stopped
                except BudgetSpent as spent:
                    problems.append(Problem(key.span, NOT_TRIED.format(most=spent.most), SPENT))
        changed = node.changed if isinstance(node, Mapping) else ()
        inherited = self._own_file not in {key.span.file, *(span.file for span in changed)}
        passed = not problems or (inherited and all(p.code == DIFFERS for p in problems))
        cited = see.text if isinstance(see, Scalar) else ""
        found = tuple(sorted(set(problems)))
        return ExampleResult(key.text, key.span, passed, found, key.span.file, cited, inherited, stopped, writable)

    def _game(self, entry: Entry, node: Mapping, choices: dict[str, str], problems: list[Problem]) -> Game | None:
        """Return the game the example is about, or none with a problem."""
        for key, value in _map(node, "with"):
            text = value.text if isinstance(value, Scalar) else kind_of(value)
            if wrong := unknown(self.rules.layers.by_name, key.text, text, key.span, value.span):
                more = "".join(f"; {part}" for part in (wrong.why, wrong.fix) if part)
                problems.append(Problem(wrong.span, wrong.message + more))
            choices[key.text] = text
        number = node.get("players")
        players = number.value if isinstance(number, Scalar) else None
        if number is not None and (not isinstance(players, int) or isinstance(players, bool)):
            problems.append(Problem(number.span, f"expected the number of players, found {kind_of(number)}"))
        if problems:
            return None
        assert players is None or isinstance(players, int)
        case = (players, tuple(sorted(choices.items())))
        if case not in self._games:
            self._games[case] = self._make(players, choices)
        game = self._games[case]
        if isinstance(game, Game):
            return game
        about, message, code = game
        where = node.get(about)
        problems.append(Problem(where.span if where else entry.key.span, message, code))
        return None

    def _make(self, players: int | None, choices: dict[str, str]) -> Game | tuple[str, str, str]:
        """Return the game; or the key of the example that it cannot be made for, why, and the code of that."""
        try:
            model, _ = self.rules.check(players, choices)
            case = (model.players, tuple(sorted(model.choices.items())))
            return self._games.get(case) or self._games.setdefault(case, self._make_game(self.rules, model))
        except OptionError as error:
            return "with", str(error), DIFFERS
        except PlayersError as error:
            return "players", str(error), DIFFERS
        except RuleFileError as error:
            return "with", f"there is no game to try it in: {error.diagnostics[0].first_line()}", NO_GAME


def _map(node: Mapping, key: str) -> Mapping:
    value = node.get(key)
    return value if isinstance(value, Mapping) else Mapping(node.span, ())


# --- one example --------------------------------------------------------------------------------------------------


class _Trial:
    """One example tried in its game."""

    def __init__(self, game: Game, span: Span, node: Mapping, budget: Budget | None = None) -> None:
        self.game, self.span = game, span
        self._budget = budget
        self.model = game.model
        where = node.get("run")
        self.run_span = where.span if where else span
        self.reader = PositionReader(game.model, game.notation)
        self.example, self.problems = read_example(self.reader, span, node)
        self.stopped = ""

    def run(self) -> list[Problem]:
        state = self.begin()
        for stage in self.example.stages:
            if state is None:
                break
            if isinstance(stage, Look):
                self._spend(state)  # legal moves are looked through
                with self._complaints(self.run_span):
                    self._check(stage, state)
            else:
                state = self._decide(stage, state)
        return self.problems

    def begin(self) -> State | None:
        """Return the position as it is given, at the first decision; none with a problem."""
        if self.example.arrangement is None or self.example.run is None:
            return None
        with self._complaints(self.run_span):
            state = self.game.start_at(set_up(self.game.layout, self.example.arrangement), *self.example.run)
            self._spend(state)
            return state
        return None

    def _spend(self, end: State | Fault) -> None:
        """Count the work that was done to get here; raise BudgetSpent if it was too much."""
        if self._budget is not None:
            self._budget.spend(cost_of(self.game, end))

    @contextmanager
    def _complaints(self, span: Span) -> Iterator[None]:
        """Turn whatever goes wrong in here into a problem at this position."""
        try:
            yield
        except Fault as fault:
            self._spend(fault)
            self._say(span, f"fault: {fault.message} ({fault.span})", FAULT)
        except (IllegalMove, UnreadableMove) as error:
            self._say(span, str(error))

    def _say(self, span: Span, message: str, code: str = DIFFERS) -> None:
        self.problems.append(Problem(span, message, code))

    def _decide(self, decision: MadeDecision, state: State) -> State | None:
        """Return the position after a decision, or none with a problem."""
        for time in range(1, decision.times + 1):
            before = len(self.problems)
            with self._complaints(decision.span):
                state = self.game.apply(state, decision.text)
                self._spend(state)
            if len(self.problems) > before:
                if decision.times > 1:
                    last = self.problems.pop()
                    self._say(last.span, f"the {ordinal(time)} time, {last.message}", last.code)
                return None
        return state

    def _check(self, look: Look, state: State) -> None:
        legal = [str(m).split() for m in self.game.legal_moves(state)] if look.offered else []
        for offered in look.offered:
            self._check_offered(offered, legal)
        for refusal in look.refused:
            with self._complaints(refusal.span):
                self._check_refusal(refusal, state)
            self._spend(state)
        before = len(self.problems)
        self._check_position(look, state)
        self._check_points(look, state)
        for word in look.words:
            self._check_word(word, state)
        if len(self.problems) > before and state.to_move is not None:
            self.stopped = self._status(state)

    def _check_offered(self, offered: Continuation, legal: list[list[str]]) -> None:
        prefix, wanted = list(offered.beginning), list(offered.ends)
        found = [" ".join(words[len(prefix) :]) for words in legal if words[: len(prefix)] == prefix]
        if sorted(wanted) != sorted(found):
            where = f"after `{' '.join(prefix)}`" if prefix else "legal moves"
            missing = [w for w in wanted if w not in found]
            surplus = [f for f in found if f not in wanted]
            more = (f"; missing: {shortened(missing)}" if missing else "") + (
                f"; unexpected: {shortened(surplus)}" if surplus else ""
            )
            self._say(offered.span, f"{where}: expected exactly {shortened(wanted)}, found {shortened(found)}{more}")

    def _check_refusal(self, refusal: ExpectedRefusal, state: State) -> None:
        texts = [" ".join(o.text.split()) for o in self.game.objections(state, refusal.move)]
        if not texts:
            self._say(refusal.span, f"expected `{refusal.move}` to be refused (`{refusal.text}`), but it is legal")
        elif refusal.text not in texts:
            found = listed_names(texts)
            wanted = f"expected `{refusal.move}` to be refused with `{refusal.text}`"
            self._say(refusal.text_span, f"{wanted}, found {found}")

    def _check_position(self, look: Look, state: State) -> None:
        for row in look.position.rows:
            self._check_row(row, state)
        for v in look.position.values:
            found = state.vector[v.slot(self.game.layout)]
            if found != v.code:
                yes_no = isinstance(v.variable.type, YesNo)
                self._say(
                    v.span,
                    f"expected `{v.name}` to be {self._shown(v.code, yes_no)}, found {self._shown(found, yes_no)}",
                )

    def _shown(self, code: int, yes_no: bool) -> str:
        return ("true" if code else "false") if yes_no else self.model.value_name(code)

    def _check_row(self, row: Row, state: State) -> None:
        layout = self.game.layout
        found = [contents(layout, state.vector, row.place.name, n) for n in row.numbers]
        wanted = [[(i.kind, i.count) for i in items] for items in row.items]
        if row.place.shape == "pile":
            wanted = [[(k, n) for k in row.place.kinds if (n := sum(c for kind, c in w if kind == k))] for w in wanted]
        if found != wanted:
            a, b = (self._written(row, c) for c in (wanted, found))
            self._say(row.span, f"expected {a} on `{row.name}`, found {b}")

    def _written(self, row: Row, held: list[list[tuple[int, int]]]) -> str:
        """Return the pieces that lie there, as an author writes them."""
        name = self.model.value_name
        if len(row.numbers) > 1:
            symbols = self.model.view.symbols
            short = all(k in symbols for k in row.place.kinds)
            return "`" + " ".join((symbols[c[0][0]] if short else name(c[0][0])) if c else "." for c in held) + "`"
        words = [name(k) if n == 1 else f"{n} {name(k)}" for k, n in held[0]]
        return (" " if row.place.shape == "stack" else ", ").join(words) or "nothing"

    def _check_points(self, look: Look, state: State) -> None:
        ledger = self.game.ledger(state) if look.points else []
        for expected in look.points:
            found = sum(
                line.gained if expected.gained else line.points
                for line in ledger
                if line.rule == expected.rule and expected.player in (None, line.player)
            )
            if found != expected.points:
                whose = f"player {expected.player} to have " if expected.player is not None else ""
                points = f"{expected.points} {'gained' if expected.gained else 'points'}"
                self._say(expected.span, f"expected {whose}{points} for `{expected.rule}`, found {found}")

    def _check_told(self, expected: ExpectedWord, state: State) -> None:
        told = [" ".join(line.text(viewer=expected.player).split()) for line in self.game.told(state)]
        if told != list(expected.values):
            whom = "everybody" if expected.player is None else f"player {expected.player}"
            wanted, found = (listed_names(lines) if lines else "nothing" for lines in (expected.values, told))
            self._say(expected.span, f"expected {whom} to be told {wanted}, found {found}")

    def _check_word(self, expected: ExpectedWord, state: State) -> None:
        if expected.word == "was told":
            self._check_told(expected, state)
            return
        wanted = expected.values[0]
        match expected.word:
            case "over":
                if (wanted == "true") != (state.to_move is None):
                    outcome = "to be over" if wanted == "true" else "to go on"
                    self._say(expected.span, f"expected the game {outcome}, but {self._status(state)}")
            case "to move":
                names: dict[int | None, str] = {None: "none", CHANCE: "chance"}
                if wanted != names.get(state.to_move, str(state.to_move)):
                    self._say(expected.span, f"expected to move: {wanted}, but {self._status(state)}")
            case _:
                self._check_winner(expected, state)

    def _check_winner(self, expected: ExpectedWord, state: State) -> None:
        outcome = self.game.outcome(state)
        players = listed(expected.values)
        if outcome is None:
            message = f"expected the winner to be {players}, but the game goes on: {self._status(state)}"
            self._say(expected.span, message)
        elif sorted(expected.values) != sorted(map(str, outcome.winners)):
            why = "; ".join([outcome.reason, *(f"player {p} has {s}" for p, s in outcome.scores.items())])
            winners = listed(outcome.winners)
            self._say(expected.span, f"expected the winner to be {players}, found {winners} ({why})")

    def _status(self, state: State) -> str:
        if state.to_move is None:
            return "nothing is left to decide"
        moves = shortened(list(dict.fromkeys(str(m).split()[0] for m in self.game.legal_moves(state))))
        return f"{'chance' if state.to_move == CHANCE else f'player {state.to_move}'} decides: {moves}"
