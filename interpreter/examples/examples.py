"""Worked examples: a position, what may be decided in it, what is decided, and what then holds.

An example is read from its YAML nodes, so every complaint stands where the line stands that it is about. `setup` is
not run: every piece starts where `pieces:` puts it, and places named under `given` then hold exactly what is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from interpreter.examples.phrases import read_beginning, read_run
from interpreter.examples.positions import (
    DIFFERS,
    FAULT,
    NO_GAME,
    Position,
    PositionReader,
    Problem,
    Row,
    Wrong,
    arranged,
    one_of,
    shortened,
)
from interpreter.fault import Fault
from interpreter.game import Game
from interpreter.layout import contents
from interpreter.state import CHANCE, IllegalMove, State, UnreadableMove
from rulespec.diagnostics.diagnostic import RuleFileError, Span
from rulespec.english import listed, suggest
from rulespec.options.layers import OptionError, unknown
from rulespec.rules import PlayersError, Rules
from rulespec.syntax import Model, YesNo
from rulespec.yaml.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulespec.yaml.source import kind_of

KEYS = ("text", "see", "with", "players", "given", "run", "offered", "refused", "play", "expect")
EXPECT_WORDS = ("points", "gained", "winner", "over", "to move")  # what `expect` knows besides places and variables


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """How an example came out.

    An example of a file that these rules extend is `inherited`: its problems are what the house rule changes, and it
    passes all the same, unless there is no game to try it in, or the game cannot go on.
    """

    name: str
    span: Span
    passed: bool
    problems: tuple[Problem, ...]
    file: str
    see: str = ""
    inherited: bool = False


class ExampleNotFound(ValueError):
    """No example of that name."""


def run_examples(rules: Rules, names: list[str] | None = None) -> list[ExampleResult]:
    """Every example of the rules, or those named, tried in the order of the file.

    Raises RuleFileError for rules that cannot be played at all, ExampleNotFound for a name there is not.
    """
    found = list(find_examples(rules))
    known = [entry.key.text for entry, _ in found]
    for name in names or ():
        if name not in known:
            raise ExampleNotFound(f"no example called `{name}`{suggest(name, known)}")
    examples = Examples(rules)
    return [examples.run(entry, choices) for entry, choices in found if names is None or entry.key.text in names]


def find_examples(rules: Rules) -> Iterator[tuple[Entry, dict[str, str]]]:
    """The examples, each with the choices it stands under: those that an option brings are played with that option."""
    yield from ((entry, {}) for entry in _entries(rules.default_tree))
    for option in rules.options:
        for choice in option.choices:
            brought = choice.change.get("examples") if choice.change else None
            if not isinstance(brought, Mapping) or choice.name == option.default:
                continue
            with suppress(OptionError):  # a choice that is fixed otherwise, or excluded
                tree = rules.layers.resolve({option.name: choice.name})
                names = {key.text for key, _ in brought}
                yield from ((e, {option.name: choice.name}) for e in _entries(tree) if e.key.text in names)


def begin_example(game: Game, entry: Entry) -> State | None:
    """The position in which an example begins; none if there is no such position in this game."""
    return _Trial(game, entry.key.span, entry.value).begin() if isinstance(entry.value, Mapping) else None


def given_position(game: Game, entry: Entry) -> State | None:
    """The position of an example as it is written, before anything happens; none if there is no such position."""
    if not isinstance(entry.value, Mapping):
        return None
    vector = _Trial(game, entry.key.span, entry.value).position()
    return State(tuple(vector), None, 0, None, None, None, []) if vector else None


def _entries(tree: Mapping) -> tuple[Entry, ...]:
    node = tree.get("examples")
    return node.entries if isinstance(node, Mapping) else ()


class Examples:
    """Tries examples of one file; games are made once for each number of players and choice of options."""

    def __init__(self, rules: Rules, make: Callable[[Rules, Model], Game] = Game) -> None:
        self.rules = rules
        self._make_game = make
        self._games: dict[tuple[int | None, tuple[tuple[str, str], ...]], Game | tuple[str, str, str]] = {}
        self._own_file = rules.layers.files[-1].tree.span.file

    def games(self) -> list[Game]:
        """The games that were made for the examples tried so far."""
        return list({id(g): g for g in self._games.values() if isinstance(g, Game)}.values())

    def run(self, entry: Entry, choices: dict[str, str] | None = None) -> ExampleResult:
        problems: list[Problem] = []
        key, node = entry.key, entry.value
        see = node.get("see") if isinstance(node, Mapping) else None
        if not isinstance(node, Mapping):
            problems.append(Problem(node.span, f"expected a map with the parts of the example, found {kind_of(node)}"))
        else:
            problems += _misshapen(node, key.span)
            game = self._game(entry, node, dict(choices or {}), problems) if not problems else None
            if game is not None:
                problems += _Trial(game, key.span, node).run()
        changed = node.changed if isinstance(node, Mapping) else ()
        inherited = self._own_file not in {key.span.file, *(span.file for span in changed)}
        passed = not problems or (inherited and all(p.code == DIFFERS for p in problems))
        cited = see.text if isinstance(see, Scalar) else ""
        return ExampleResult(key.text, key.span, passed, tuple(sorted(set(problems))), key.span.file, cited, inherited)

    def _game(self, entry: Entry, node: Mapping, choices: dict[str, str], problems: list[Problem]) -> Game | None:
        """The game the example is about, or none with a problem."""
        for key, value in _map(node, "with"):
            text = value.text if isinstance(value, Scalar) else kind_of(value)
            if wrong := unknown(self.rules.layers.by_name, key.text, text, key.span, value.span):
                more = "".join(f"; {part}" for part in (wrong.why, wrong.fix) if part)
                problems.append(Problem(wrong.span, wrong.message + more))
            choices[key.text] = text
        number = node.get("players")
        players = number.value if isinstance(number, Scalar) else None
        if number is not None and (not isinstance(players, int) or isinstance(players, bool)):
            problems.append(Problem(number.span, f"expected how many play, found {kind_of(number)}"))
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


def _misshapen(node: Mapping, span: Span) -> Iterator[Problem]:
    """What the schema would refuse too, and an example that checks nothing."""
    shapes: dict[str, tuple[type, ...]] = {
        "with": (Mapping,), "players": (Scalar,), "given": (Mapping,), "run": (Scalar,), "offered": (Mapping, Sequence),
        "refused": (Mapping,), "play": (Sequence,), "expect": (Mapping,),
    }  # fmt: skip
    words = {Mapping: "a map", Sequence: "a list", Scalar: "one value"}
    for key, value in node:
        if key.text not in KEYS:
            yield Problem(key.span, f"an example has no `{key.text}`{suggest(key.text, KEYS)}")
        elif key.text in shapes and not isinstance(value, shapes[key.text]):
            expected = listed((words[shape] for shape in shapes[key.text]), "or")
            yield Problem(value.span, f"expected {expected} after `{key.text}:`, found {kind_of(value)}")
    checks = (_map(node, "refused"), _map(node, "expect"), _map(node, "offered"))
    if not any(m.entries for m in checks) and not isinstance(node.get("offered"), Sequence):
        yield Problem(span, "this example checks nothing: it needs `offered`, `refused` or `expect`")


def _map(node: Mapping, key: str) -> Mapping:
    value = node.get(key)
    return value if isinstance(value, Mapping) else Mapping(node.span, ())


# --- one example --------------------------------------------------------------------------------------------------


class _Trial:
    """One example tried in its game."""

    def __init__(self, game: Game, span: Span, node: Mapping) -> None:
        self.game, self.span, self.node = game, span, node
        self.model = game.model
        self.reader = PositionReader.of(game)
        self.problems: list[Problem] = []

    def run(self) -> list[Problem]:
        state = self.begin()
        where = self.node.get("run")
        with self._complaints(where.span if where else self.span):
            if state is not None:
                self._check_offered(state)
                self._check_refused(state)
                after = self._play(state)
                if after is not None:
                    self._check_expected(after)
        return self.problems

    def begin(self) -> State | None:
        """The position as it is given, at the first decision; none with a problem."""
        vector = self.position()
        run: tuple[str, tuple[int, ...]] | None = None
        with self._complaints(self.span):
            run = read_run(self.reader, self.node.get("run"))
        if run is None or self.problems:
            return None
        where = self.node.get("run")
        with self._complaints(where.span if where else self.span):
            return self.game.start_at(vector, *run)
        return None

    def position(self) -> list[int]:
        """What is given, laid out; nothing with a problem."""
        given = Position()
        for key, value in _map(self.node, "given"):
            with self._complaints(key.span):
                self.reader.read(key, value, given)
        return arranged(self.reader, given, self.problems) if not self.problems else []

    @contextmanager
    def _complaints(self, span: Span) -> Iterator[None]:
        """Whatever is wrong in here becomes a problem, at this position if it has none of its own."""
        try:
            yield
        except Wrong as wrong:
            self.problems.append(wrong.problem)
        except Fault as fault:
            self._say(span, f"fault: {fault.message} ({fault.span})", FAULT)
        except (IllegalMove, UnreadableMove) as error:
            self._say(span, str(error))

    def _say(self, span: Span, message: str, code: str = DIFFERS) -> None:
        self.problems.append(Problem(span, message, code))

    # before the moves

    def _check_offered(self, state: State) -> None:
        node = self.node.get("offered")
        if node is None:
            return
        legal = [str(m).split() for m in self.game.legal_moves(state)]
        if isinstance(node, Sequence):
            self._compare(node, [" ".join(words) for words in legal], "legal moves", node.span)
            return
        for key, value in _map(self.node, "offered"):
            with self._complaints(key.span):
                prefix = read_beginning(self.reader, key)
                ends = [" ".join(words[len(prefix) :]) for words in legal if words[: len(prefix)] == prefix]
                self._compare(value, ends, f"after `{' '.join(prefix)}`", key.span)

    def _compare(self, node: Node, found: list[str], where: str, span: Span) -> None:
        if not isinstance(node, Sequence):
            self._say(node.span, f"expected a list of what is offered, found {kind_of(node)}")
            return
        wanted = [" ".join(item.text.split()) if isinstance(item, Scalar) else kind_of(item) for item in node.items]
        if sorted(wanted) != sorted(found):
            missing = [w for w in wanted if w not in found]
            surplus = [f for f in found if f not in wanted]
            more = (f"; missing: {shortened(missing)}" if missing else "") + (
                f"; unexpected: {shortened(surplus)}" if surplus else ""
            )
            self._say(span, f"{where}: expected exactly {shortened(wanted)}, found {shortened(found)}{more}")

    def _check_refused(self, state: State) -> None:
        for key, value in _map(self.node, "refused"):
            with self._complaints(key.span):
                texts = [" ".join(o.text.split()) for o in self.game.objections(state, key.text)]
                wanted = " ".join(value.text.split()) if isinstance(value, Scalar) else kind_of(value)
                if not texts:
                    self._say(key.span, f"expected `{key.text}` to be refused (`{wanted}`), but it is legal")
                elif wanted not in texts:
                    found = ", ".join(f"`{text}`" for text in texts)
                    self._say(value.span, f"expected `{key.text}` to be refused with `{wanted}`, found {found}")

    def _play(self, state: State) -> State | None:
        """The position after the moves, or none with a problem."""
        node = self.node.get("play")
        for item in node.items if isinstance(node, Sequence) else ():
            with self._complaints(item.span):
                if not isinstance(item, Scalar):
                    raise Wrong(item.span, f"expected a move, found {kind_of(item)}")
                state = self.game.apply(state, item.text)
                continue
            return None
        return state

    # after the moves

    def _check_expected(self, state: State) -> None:
        expected = Position()
        declared = {*self.model.places, *self.model.variables}
        for key, value in _map(self.node, "expect"):
            with self._complaints(key.span):
                name = key.text
                if name in EXPECT_WORDS and (
                    name not in declared or (name != "over" and not isinstance(value, Scalar))
                ):
                    self._check_special(name, value, state)
                else:
                    self.reader.read(key, value, expected, EXPECT_WORDS)
        for row in expected.rows:
            self._check_row(row, state)
        for v in expected.values:
            if state.vector[v.slot] != v.code:
                found = state.vector[v.slot]
                yes_no = isinstance(self.model.variables[v.name.split("[")[0]].type, YesNo)
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
        """What lies there, as an author writes it."""
        name = self.model.value_name
        if len(row.numbers) > 1:
            symbols = self.model.view.symbols
            short = all(k in symbols for k in row.place.kinds)
            return "`" + " ".join((symbols[c[0][0]] if short else name(c[0][0])) if c else "." for c in held) + "`"
        words = [name(k) if n == 1 else f"{n} {name(k)}" for k, n in held[0]]
        return (" " if row.place.shape == "stack" else ", ").join(words) or "nothing"

    def _check_special(self, name: str, value: Node, state: State) -> None:
        match name:
            case "points" | "gained":
                self._check_points(name, value, state)
            case "winner":
                self._check_winner(value, state)
            case "over":
                if not isinstance(value, Scalar) or value.text not in ("true", "false"):
                    raise Wrong(value.span, f"expected true or false after `over:`, found {kind_of(value)}")
                if (value.text == "true") != (state.to_move is None):
                    wanted = "to be over" if value.text == "true" else "to go on"
                    self._say(value.span, f"expected the game {wanted}, but {self._status(state)}")
            case "to move":
                wanted = value.text if isinstance(value, Scalar) else kind_of(value)
                names: dict[int | None, str] = {
                    None: "none",
                    CHANCE: "chance",
                    **{p: str(p) for p in range(1, self.game.players + 1)},
                }
                if wanted not in names.values():
                    players = one_of(list(names.values())[2:])
                    raise Wrong(value.span, f"expected {players}, chance or none after `to move:`, found `{wanted}`")
                if wanted != names[state.to_move]:
                    self._say(value.span, f"expected to move: {wanted}, but {self._status(state)}")

    def _status(self, state: State) -> str:
        if state.to_move is None:
            return "nothing is left to decide"
        moves = shortened(list(dict.fromkeys(str(m).split()[0] for m in self.game.legal_moves(state))))
        return f"{'chance' if state.to_move == CHANCE else f'player {state.to_move}'} decides: {moves}"

    def _check_points(self, key: str, value: Node, state: State) -> None:
        if not isinstance(value, Mapping) or not value.entries:
            raise Wrong(
                value.span, f"expected a map from scoring rules to points after `{key}:`, found {kind_of(value)}"
            )
        sums: Counter[str] = Counter()
        for line in self.game.ledger(state):
            sums[line.rule] += line.points if key == "points" else line.gained
        for rule, node in value:
            wanted = node.value if isinstance(node, Scalar) else None
            if rule.text not in self.model.rules:
                self._say(rule.span, f"no scoring rule called `{rule.text}`{suggest(rule.text, self.model.rules)}")
            elif not isinstance(wanted, int) or isinstance(wanted, bool):
                self._say(node.span, f"expected points, a whole number, for `{rule.text}`, found {kind_of(node)}")
            elif wanted != sums[rule.text]:
                self._say(node.span, f"expected {wanted} {key} for `{rule.text}`, found {sums[rule.text]}")

    def _check_winner(self, value: Node, state: State) -> None:
        nodes = value.items if isinstance(value, Sequence) else (value,)
        wanted = [n.value for n in nodes if isinstance(n, Scalar) and isinstance(n.value, int)]
        if len(wanted) != len(nodes) or not wanted:
            raise Wrong(
                value.span,
                f"expected the number of a player, or a list of them, after `winner:`, found {kind_of(value)}",
            )
        outcome = self.game.outcome(state)
        players = listed(wanted)
        if outcome is None:
            self._say(value.span, f"expected the winner to be {players}, but the game goes on: {self._status(state)}")
        elif sorted(wanted) != sorted(outcome.winners):
            why = "; ".join([outcome.reason, *(f"player {p} has {s}" for p, s in outcome.scores.items())])
            winners = listed(outcome.winners)
            self._say(value.span, f"expected the winner to be {players}, found {winners} ({why})")
