"""A checked model → a program: the text of the generated Python module, and the module run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import compress
from typing import Any

from interpreter.generate.candidates import Candidates
from interpreter.generate.expressions import Expressions
from interpreter.generate.flow import Decision, Flow
from interpreter.generate.rollout import Rollout
from interpreter.generate.simulation import Simulation
from interpreter.generate.terms import Bound, Env, own_name
from interpreter.layout import Layout, lay_out
from interpreter.runtime import Fault, largest, many, only, pick, record_points, several, smallest, store_list
from rulespec.diagnostics import Span
from rulespec.expr.types import Type, of_codes
from rulespec.model import Model, Move


@dataclass
class Program:
    """Everything a game needs to run. The functions come from generated source."""

    model: Model
    layout: Layout
    source: str
    decisions: dict[int, Decision]
    faults: list[tuple[str, Span]]
    entries: dict[
        str, tuple[int, int, list[Bound]]
    ]  # procedure → (first block, slot of the block to return to, parameters)
    straight: frozenset[str]  # procedures that run in one go
    namespace: dict[str, Any] = field(default_factory=dict)
    refused: set[tuple[str, str]] = field(default_factory=set)  # (move, condition) that refused, if watched
    counted: frozenset[str] = frozenset()  # moves for which the steps of listing them are counted

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
    def simulation_text(self) -> tuple[str, list[tuple[str, Span]]]:
        """The source of `simulation`, and its faults."""
        return simulation_source(self.model, self.layout, trace=False)

    @cached_property
    def rollout_text(self) -> tuple[str, list[tuple[str, Span]]]:
        """The source of `rollout`, and its faults."""
        return rollout_source(self.model, self.layout)

    @cached_property
    def rollout(self) -> Callable[[list[int], Any, Callable[[int], int]], None]:
        """A random game from the position it is given, to its end or as far as the run says."""
        source, faults = self.rollout_text
        play: Callable[[list[int], Any, Callable[[int], int]], None] = _run(
            source, f"<{self.model.title}: rollout>", faults
        )["simulate"]
        return play

    def _simulate(self, trace: bool) -> Callable[[list[int], Any, Callable[[int], int]], None]:
        source, faults = simulation_source(self.model, self.layout, trace) if trace else self.simulation_text
        play: Callable[[list[int], Any, Callable[[int], int]], None] = _run(
            source, f"<{self.model.title}: simulation>", faults
        )["simulate"]
        return play

    @cached_property
    def words(self) -> dict[str, Any]:
        """The functions behind texts, conditions and ranking: made when first asked for."""
        return _run(_words_source(self.model, self.layout), f"<{self.model.title}: words>", self.faults)


def generate(model: Model, watch: bool = False, telling: bool = False) -> Program:
    layout = lay_out(model)
    x = Expressions(model, layout)
    flow = Flow(x)
    flow.transfers.telling = telling
    w = x.writer
    _write_blocks(flow)
    candidates = Candidates(x, flow.move_numbers, watch, (flow.work, flow.fault))
    for name in sorted(flow.legal_moves):
        candidates.write(model.moves[name])
    flow.write()
    entries = {}
    for (section, name), frame in flow._frames.items():
        if section == "steps":
            entries[name] = (frame.entry, frame.back, list(frame.parameters.values()))
    straight = frozenset(n for n in model.procedures if n not in entries)
    source = "\n".join([*_preamble(model, layout), *x.constants.lines, "", *x.functions, *w.lines])
    program = Program(model, layout, source, flow.decisions, flow.faults, entries, straight)
    program.counted = frozenset(name for name, move in model.moves.items() if flow.work.is_counted(move))
    program.namespace = _run(source, f"<{model.title}>", flow.faults)
    program.namespace["watched"] = program.refused.add
    return program


def _write_blocks(flow: Flow) -> None:
    """The blocks of all procedures; their numbers and slots follow from the model alone."""
    w = flow.x.writer
    with w.function("def b0(S, X):  # the end"):
        w.line("S[0] = 0")
        w.line("return -1")
    for name in flow.model.procedures:
        if flow.body_waits("steps", name):
            flow.frame("steps", name)
        else:
            flow.straight_name("steps", name)
    flow.write()


def rollout_source(model: Model, layout: Layout) -> tuple[str, list[tuple[str, Span]]]:
    """The text of a program that goes on at random from any position."""
    x = Expressions(model, lay_out(model))
    rollout = Rollout(x, trace=False)
    _write_blocks(rollout)
    rollout.write_dispatch()
    for name in sorted(rollout.legal_moves):
        rollout.candidates.write(model.moves[name])
    rollout.write()
    assert x.layout.frames == layout.frames  # INVARIANT: the same positions
    return "\n".join([*x.constants.lines, "", *x.functions, *x.writer.lines]), rollout.faults


def simulation_source(model: Model, layout: Layout, trace: bool) -> tuple[str, list[tuple[str, Span]]]:
    """The text of a program that plays one random game from start to end."""
    x = Expressions(model, layout)
    simulation = Simulation(x, trace)
    w = x.writer
    with w.function("def simulate(S, X, bits_):"):
        w.line("global bits")
        w.line("bits = bits_")
        for name in ("setup", "play"):
            w.line(f"{simulation.straight_name('steps', name)}(S, X)")
    for name in sorted(simulation.legal_moves):
        simulation.candidates.write(model.moves[name])
    return "\n".join([*x.constants.lines, "", *x.functions, *w.lines]), simulation.faults


def _preamble(model: Model, layout: Layout) -> list[str]:
    """A key to the vector, for people who read the program."""
    lines = [f"# {model.title}, {model.players} players" + "".join(f", {k}: {v}" for k, v in model.choices.items())]
    lines += ["# S is the state: a list of numbers. X is the run: random numbers, decisions, points.", "#"]
    for name, place in layout.places.items():
        lines.append(f"# S[{place.base}:{place.end}]  {place.place.shape} {name}, {place.width} slots each")
    for name, variable in layout.variables.items():
        lines.append(f"# S[{variable.base}:{variable.base + len(variable.variable.starts)}]  {name}")
    lines += [f"# S[{slot}]  {what}" for slot, what in layout.frames.items()]
    lines += [f"# {code} = {name}" for code, name in model.member_names.items()]
    return [*lines, ""]


def _run(source: str, file: str, faults: list[tuple[str, Span]]) -> dict[str, Any]:
    """Runs generated source. It was made from checked, typed nodes only: no text of an author's is in it."""

    def fault(number: int) -> None:
        raise Fault(*faults[number])

    namespace: dict[str, Any] = {"fault": fault, "compress": compress}
    namespace |= {f.__name__: f for f in (largest, many, only, pick, record_points, several, smallest, store_list)}
    exec(compile(source, file, "exec"), namespace)
    return namespace


# Words: what only explanations need ----------------------------------------------------------------------


def _words_source(model: Model, layout: Layout) -> str:
    """Conditions one by one, the holes of texts, domains of choices, points and ranking, as functions."""
    x = Expressions(model, layout)
    player = model.sets["player"].type
    candidates = Candidates(x, {})
    for move in model.moves.values():
        env = move_env(model, move)
        for i, condition in enumerate(move.conditions):
            write_function(x, f"need_{move.name}_{i}", env, partial(x.value, condition.that))
            write_function(x, f"refusal_{move.name}_{i}", env, partial(x.holes, condition.refusal))
        write_function(x, f"text_{move.name}", env, partial(x.holes, move.text))
        for i, choice in enumerate(move.choices):
            before = {n: b for n, b in env.items() if n not in {c.name for c in move.choices[i:]}}
            write_function(x, f"domain_{move.name}_{i}", before, partial(candidates.domain_list, choice))
    for i, (_, e) in enumerate(model.winner):
        write_function(x, f"rank_{i}", {"me": Bound(player, "me")}, partial(x.number, e))
    for name, drawn in model.view.layout.items():
        if drawn.under is not None:
            index = {n: Bound(model.sets[n].type, own_name(n)) for n in model.places[name].index}
            write_function(x, f"under_{name}", index, partial(x.value, drawn.under))
    for place in model.places.values():
        if place.shows is not None:
            kind = {place.kind_name: Bound(of_codes(place.kinds), "kind")}
            write_function(x, f"shows_{place.name}", kind, partial(x.value, place.shows))
    return "\n".join([*x.constants.lines, "", *x.functions, *x.writer.lines])


def move_env(model: Model, move: Move) -> dict[str, Bound]:
    """The names a move's texts and conditions know: me, what it is given, what is chosen."""
    names: list[tuple[str, Type]] = [("me", model.sets["player"].type)]
    names += [(p.name, p.type) for p in move.given]
    names += [(c.name, c.type) for c in move.choices]
    return {name: Bound(t, own_name(name)) for name, t in names}


def write_function(x: Expressions, name: str, env: Env, text: Callable[[Env], str]) -> None:
    """A function of the state and the names of `env` that gives the value of a text."""
    names = [b.text for b in env.values()]
    with x.writer.function(f"def {name}({', '.join(['S', *names])}):", *names):
        x.writer.line(f"return {text(env)}")
