"""A checked model → a program: the text of the generated Python module, and the module run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from interpreter.fault import LIMIT, FaultEntry
from interpreter.generate.candidates import Candidates
from interpreter.generate.expressions import Expressions
from interpreter.generate.flow import Decision, Flow
from interpreter.generate.key import Key, parameter_names, printed_key
from interpreter.generate.loader import run
from interpreter.generate.rollout import Rollout
from interpreter.generate.simulation import Simulation
from interpreter.generate.terms import Bound, Env
from interpreter.layout import Layout, lay_out
from rulespec.expr.types import Type, of_codes
from rulespec.model.model import AskStep, Model, Move
from rulespec.model.steps import all_steps


@dataclass
class Program:
    """Everything a game needs to run. The functions come from generated source."""

    model: Model
    layout: Layout
    source: str
    key: Key
    decisions: dict[int, Decision]
    limit: int  # of decisions
    faults: list[FaultEntry]
    entries: dict[
        str, tuple[int, int, list[Bound]]
    ]  # procedure → (first block, slot of the block to return to, parameters)
    straight: frozenset[str]  # procedures that run in one go
    namespace: dict[str, Any] = field(default_factory=dict)
    refused: set[tuple[str, str]] = field(default_factory=set)  # (move, condition) that refused, if watched
    counted: frozenset[str] = frozenset()  # moves for which the steps of listing them are counted

    def printed(self) -> str:
        """The program for people: the key to its names, then its source."""
        return "\n".join([*printed_key(self.model, self.layout, self.key), "", self.source])

    def procedure(self, name: str) -> Callable[..., None]:
        """The function of a procedure that runs in one go."""
        function: Callable[..., None] = self.namespace[f"do_{list(self.model.procedures).index(name)}"]
        return function

    def of_move(self, what: str, move: str, *more: int) -> Callable[..., Any]:
        """A function behind the words of a move: `text`, or the so-many-th `need`, `refusal` or `domain`."""
        function: Callable[..., Any] = self.words["_".join(map(str, (what, self._move_numbers[move], *more)))]
        return function

    def of_place(self, what: str, place: str) -> Callable[..., Any] | None:
        """What the pieces on a place are shown as (`shows`) or lie on (`under`), if the rules say so."""
        return self.words.get(f"{what}_{self._place_numbers[place]}")

    @cached_property
    def _move_numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.model.moves)}

    @cached_property
    def _place_numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.model.places)}

    @cached_property
    def blocks(self) -> list[Callable[[list[int], Any], int]]:
        numbers = [int(n[1:]) for n in self.namespace if n[0] == "b" and n[1:].isdigit()]
        return [self.namespace.get(f"b{i}", self.namespace["b0"]) for i in range(max(numbers) + 1)]

    @cached_property
    def asks(self) -> dict[int, Callable[..., Any]]:
        return {n: self.namespace[f"ask{n}"] for n, d in self.decisions.items() if d.kind == "ask"}

    @cached_property
    def weights(self) -> dict[int, Callable[..., Any]]:
        return {n: self.namespace[f"weights{n}"] for n, d in self.decisions.items() if d.kind != "ask"}

    @cached_property
    def plays(self) -> dict[int, Callable[..., int]]:
        return {n: self.namespace[f"play{n}"] for n in self.decisions}

    @cached_property
    def simulation(self) -> Callable[[list[int], Any, Callable[[int], int]], None]:
        """A whole random game, played and not recorded."""
        return self._simulate(trace=False)

    @cached_property
    def traced_simulation(self) -> Callable[[list[int], Any, Callable[[int], int]], None]:
        """The same game from the same random numbers, with every decision and point recorded."""
        return self._simulate(trace=True)

    @cached_property
    def has_forced(self) -> bool:
        """Whether some move plays itself where it is the only legal one."""
        bodies = [p.body for p in self.model.procedures.values()] + [m.does for m in self.model.moves.values()]
        return any(isinstance(step, AskStep) and step.forced for body in bodies for step in all_steps(body))

    @cached_property
    def simulation_text(self) -> tuple[str, list[FaultEntry]]:
        """The source of `simulation`, and its faults."""
        return simulation_source(self.model, self.layout, self.limit, trace=False)

    @cached_property
    def rollout_text(self) -> tuple[str, list[FaultEntry]]:
        """The source of `rollout`, and its faults."""
        return rollout_source(self.model, self.layout, self.limit)

    @cached_property
    def rollout(self) -> Callable[[list[int], Any, Callable[[int], int]], None]:
        """A random game from the position it is given, to its end or as far as the run says."""
        source, faults = self.rollout_text
        play: Callable[[list[int], Any, Callable[[int], int]], None] = run(source, faults)["simulate"]
        return play

    def _simulate(self, trace: bool) -> Callable[[list[int], Any, Callable[[int], int]], None]:
        source, faults = (
            simulation_source(self.model, self.layout, self.limit, trace) if trace else self.simulation_text
        )
        play: Callable[[list[int], Any, Callable[[int], int]], None] = run(source, faults)["simulate"]
        return play

    @cached_property
    def words(self) -> dict[str, Any]:
        """The functions behind texts, conditions and ranking: made when first asked for."""
        source, faults = _words_source(self.model, self.layout)
        return run(source, faults)


def generate(model: Model, watch: bool = False, telling: bool = False, limit: int = LIMIT) -> Program:
    layout = lay_out(model)
    x = Expressions(model, layout)
    flow = Flow(x, limit)
    flow.transfers.telling = telling
    w = x.writer
    _write_blocks(flow)
    candidates = Candidates(x, flow.move_numbers, watch)
    for name in sorted(flow.legal_moves):
        candidates.write(model.moves[name])
    flow.write()
    entries = {}
    for (section, name), frame in flow._frames.items():
        if section == "steps":
            entries[name] = (frame.entry, frame.back, list(frame.parameters.values()))
    straight = frozenset(n for n in model.procedures if n not in entries)
    source = "\n".join([*x.constants.lines, "", *x.functions, *w.lines])
    program = Program(model, layout, source, x.constants.key, flow.decisions, limit, x.faults, entries, straight)
    program.counted = frozenset(name for name, move in model.moves.items() if x.work.is_counted(move))
    program.namespace = run(source, x.faults)
    conditions = candidates.conditions
    program.namespace["watched"] = lambda number: program.refused.add(conditions[number])
    return program


def _write_blocks(flow: Flow) -> None:
    """The blocks of all procedures; their numbers and slots follow from the model alone."""
    w = flow.x.writer
    flow.x.constants.key.functions["b0"] = "the end"
    with w.function("def b0(S, X):"):
        w.line("S[0] = 0")
        w.line("return -1")
    for name in flow.model.procedures:
        if flow.body_waits("steps", name):
            flow.frame("steps", name)
        else:
            flow.straight_name("steps", name)
    flow.write()


def rollout_source(model: Model, layout: Layout, limit: int) -> tuple[str, list[FaultEntry]]:
    """The text of a program that goes on at random from any position."""
    x = Expressions(model, lay_out(model))
    rollout = Rollout(x, limit, trace=False)
    _write_blocks(rollout)
    rollout.write_dispatch()
    for name in sorted(rollout.legal_moves):
        rollout.candidates.write(model.moves[name])
    rollout.write()
    assert x.layout.frames == layout.frames  # INVARIANT: the same positions
    return "\n".join([*x.constants.lines, "", *x.functions, *x.writer.lines]), x.faults


def simulation_source(model: Model, layout: Layout, limit: int, trace: bool) -> tuple[str, list[FaultEntry]]:
    """The text of a program that plays one random game from start to end."""
    x = Expressions(model, layout)
    simulation = Simulation(x, limit, trace)
    w = x.writer
    with w.function("def simulate(S, X, bits_):"):
        w.line("global bits")
        w.line("bits = bits_")
        for name in ("setup", "play"):
            w.line(f"{simulation.straight_name('steps', name)}(S, X)")
    for name in sorted(simulation.legal_moves):
        simulation.candidates.write(model.moves[name])
    return "\n".join([*x.constants.lines, "", *x.functions, *w.lines]), x.faults


# Words: what only explanations need ----------------------------------------------------------------------


def _words_source(model: Model, layout: Layout) -> tuple[str, list[FaultEntry]]:
    """Conditions one by one, the holes of texts, domains of choices, points and ranking, as functions."""
    x = Expressions(model, layout)
    player = model.sets["player"].type
    candidates = Candidates(x, {})
    for number, move in enumerate(model.moves.values()):
        env = move_env(x, move)
        for i, condition in enumerate(move.conditions):
            write_function(x, f"need_{number}_{i}", env, partial(x.value, condition.that))
            write_function(x, f"refusal_{number}_{i}", env, partial(x.holes, condition.refusal))
        write_function(x, f"text_{number}", env, partial(x.holes, move.text))
        for i, choice in enumerate(move.choices):
            before = {n: b for n, b in env.items() if n not in {c.name for c in move.choices[i:]}}
            write_function(x, f"domain_{number}_{i}", before, partial(candidates.domain_list, choice))
    for i, (_, e) in enumerate(model.winner):
        write_function(x, f"rank_{i}", {"me": Bound(player, "me")}, partial(x.number, e))
    for name, drawn in model.view.layout.items():
        if drawn.under is not None:
            function = f"under_{list(model.places).index(name)}"
            index = x.parameters(function, ((n, model.sets[n].type) for n in model.places[name].index))
            write_function(x, function, index, partial(x.value, drawn.under))
    for number, place in enumerate(model.places.values()):
        if place.shows is not None:
            kind = {place.kind_name: Bound(of_codes(place.kinds), "kind")}
            write_function(x, f"shows_{number}", kind, partial(x.value, place.shows))
    return "\n".join([*x.constants.lines, "", *x.functions, *x.writer.lines]), x.faults


def move_env(x: Expressions, move: Move) -> dict[str, Bound]:
    """The names a move's texts and conditions know: me, what it is given, what is chosen."""
    names: list[tuple[str, Type]] = [("me", x.model.sets["player"].type)]
    names += [(p.name, p.type) for p in move.given]
    names += [(c.name, c.type) for c in move.choices]
    return {
        name: Bound(t, made)
        for (name, t), made in zip(names, parameter_names(n for n, _ in names).values(), strict=True)
    }


def write_function(x: Expressions, name: str, env: Env, text: Callable[[Env], str]) -> None:
    """A function of the state and the names of `env` that gives the value of a text."""
    names = [b.text for b in env.values()]
    with x.writer.function(f"def {name}({', '.join(['S', *names])}):", *names):
        x.writer.line(f"return {text(env)}")
