"""Positions as text: what lies where, and which decision is open; written, read and set up.

A position is read by the reader of worked examples. Which decision is open, `at:`, is more than places and variables say: a round
that is being played, whose turn it is in a loop. INVARIANT: what the engine keeps about that is never taken from a text. `at:` is the
name of a decision, and the position gets what the engine kept when it really reached a decision of that name.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product

from interpreter import (
    BLOCK,
    CHANCE,
    Diagnostic,
    Fault,
    Game,
    IllegalMove,
    Look,
    RuleFileError,
    State,
    UnreadableMove,
    check_examples,
    given_position,
    heaviness,
    is_seen,
    named,
    worked_example,
)
from referee.record import texts
from rulespec import Rules, Span, did_you_mean, nodes, quoted, read_source, syntax

FILE = "position"  # what a position without a file is called in messages
KEYS = ("text", "players", "with", "given", "at", "run", "play")
CODE = "example-unreadable"
NO_MAP = "yaml-not-a-map"  # the code of a text without keys
MOST_BACK = 12  # decisions that `play` may hold
GAMES = 12  # that are played to find a decision by its name,
MOST_TRIED = 3_000  # with so many decisions in all, fewer where each takes much work
MOVES_EACH = 100  # moves that cost as much to list as one decision
ITEMS = "items of "  # a list that is gone through,
UNNAMED = ("position of ", "settled ", "left to ", "answer of ")  # and what else is kept that is no name of the author
NOBODY = -1  # a player that an onlooker is taken for
NOTHING, EMPTY = "nothing", "."


@dataclass(frozen=True, slots=True)
class WrittenPosition:
    """A position as it is written, before it is known whether the rules have such a position."""

    text: str
    tree: nodes.Mapping

    @property
    def players(self) -> int | None:
        """How many play, if it says so."""
        node = self.tree.get("players")
        value = node.value if isinstance(node, nodes.Scalar) else None
        return value if type(value) is int else None

    @property
    def options(self) -> dict[str, str]:
        """The choices that it names."""
        node = self.tree.get("with")
        entries = node.entries if isinstance(node, nodes.Mapping) else ()
        return {e.key.text: e.value.text for e in entries if isinstance(e.value, nodes.Scalar)}


# Reading -------------------------------------------------------------------------------------------------


def read_position(text: str, file: str = FILE) -> WrittenPosition:
    """Return a position as it is written. Raises RuleFileError for what is no position of any game."""
    try:
        tree = read_source(file, text)
    except RuleFileError as error:
        if error.diagnostics[0].code != NO_MAP:
            raise
        raise _refused(error.diagnostics[0].span, texts.POSITION_NO_MAP) from None
    wrong = [
        _complaint(key.span, texts.POSITION_KEY.format(key=key.text), did_you_mean(key.text, KEYS))
        for key, _ in tree
        if key.text not in KEYS
    ]
    at, run = tree.entry("at"), tree.get("run")
    if at is not None and not isinstance(at.value, nodes.Scalar):
        wrong.append(_complaint(at.value.span, texts.POSITION_AT))
    if at is not None and run is not None:
        wrong.append(_complaint(run.span, texts.POSITION_TWICE))
    if wrong:
        raise RuleFileError(wrong)
    return WrittenPosition(text, tree)


def set_up(game: Game, written: WrittenPosition) -> State:
    """Return the position in a game, chance left open, with nothing decided yet. Raises RuleFileError."""
    at = written.tree.get("at")
    entry = _as_example(written.tree)
    known = {part.name: getattr(game.rules, part.name) for part in fields(game.rules)}  # with what was checked before
    wrong = check_examples(_PosedRules(**known, entry=entry))
    wrong += _other_game(game, written)
    if wrong:
        raise RuleFileError([replace(d, why=texts.POSITION_WHY) for d in wrong])
    example, given = worked_example(game, entry), given_position(game, entry)
    assert example is not None and given is not None and example.run is not None
    try:
        if isinstance(at, nodes.Scalar):
            state = _waiting(game, given, at)
        else:
            state = game.start_at(list(given.vector), *example.run)
        span = at.span if at is not None else entry.key.span
        for stage in example.stages:
            if not isinstance(stage, Look):
                span = stage.span
                for _ in range(stage.times):
                    state = game.apply(state, stage.text)
    except Fault as fault:
        raise _refused(span, texts.POSITION_FAULT.format(reason=fault.message, where=fault.span)) from None
    except (IllegalMove, UnreadableMove) as error:
        raise _refused(span, str(error)) from None
    if state.to_move is None:
        raise _refused(span, texts.POSITION_OVER)
    return _beginning(game, state.vector)


@dataclass
class _PosedRules(Rules):
    """Rules with a position as their only example: so it is read as examples are."""

    entry: nodes.Entry | None = None

    @cached_property
    def default_tree(self) -> nodes.Mapping:
        assert self.entry is not None
        span = self.entry.key.span
        examples = nodes.Mapping(span, (self.entry,))
        return nodes.Mapping(span, (nodes.Entry(nodes.Scalar(span, "examples", "examples"), examples),))

    @property
    def options(self) -> tuple[()]:
        return ()

    @property
    def own_file(self) -> str | None:
        return self.entry.key.span.file if self.entry else None


def _as_example(tree: nodes.Mapping) -> nodes.Entry:
    """Return a position as a worked example; it looks at something, since all examples do."""
    span = tree.span

    def word(text: str) -> nodes.Scalar:
        return nodes.Scalar(span, text, text)

    kept = tuple(entry for entry in tree.entries if entry.key.text != "at")
    look = nodes.Entry(word("expect"), nodes.Mapping(span, (nodes.Entry(word("over"), word("false")),)))
    return nodes.Entry(word(FILE), nodes.Mapping(span, (*kept, look)))


def _other_game(game: Game, written: WrittenPosition) -> Iterator[Diagnostic]:
    """Yield where a position says that it is one of other players or options than those of the game."""
    number = written.tree.get("players")
    if number is not None and written.players is not None and written.players != game.players:
        yield _complaint(number.span, texts.POSITION_PLAYERS.format(found=written.players, expected=game.players))
    chosen = written.tree.get("with")
    for name, choice in written.options.items():
        if chosen is not None and game.options.get(name, choice) != choice:
            message = texts.POSITION_OPTION.format(option=name, found=choice, expected=game.options[name])
            yield _complaint(chosen.span, message)


def _waiting(game: Game, given: State, at: nodes.Scalar) -> State:
    """Return a position that waits at the decision of a name. Raises RuleFileError."""
    name = " ".join(at.text.split())
    found: dict[str, State] = {}
    for state in _reached(game):
        found.setdefault(decision_name(game, state), state)
        if name in found:
            break
    if name not in found:
        known = listed_names(list(found))
        raise _refused(at.span, texts.POSITION_NO_DECISION.format(found=name, known=known), did_you_mean(name, found))
    vector = list(given.vector)
    for slot in (BLOCK, *game.layout.frames):
        vector[slot] = found[name].vector[slot]
    state = _beginning(game, tuple(vector))
    if not game.legal_moves(state):
        raise _refused(at.span, texts.POSITION_NO_MOVE.format(player=state.to_move))
    return state


def listed_names(names: list[str]) -> str:
    """Return the first few names of decisions for a message."""
    more = texts.AND_OTHERS if len(names) > 3 else ""
    return ", ".join(quoted(names[:3])) + more


def _beginning(game: Game, vector: tuple[int, ...]) -> State:
    """Return a position as the first one of a game: nothing was decided or scored before it."""
    data = game.to_data(State(vector, None, 0, None, None, None, []))
    return game.from_data(data)


def _reached(game: Game) -> Iterator[State]:
    """Yield positions of random games in which a player decides, always the same ones."""
    left = MOST_TRIED // (1 + heaviness(game))
    for seed in range(GAMES):
        rng = random.Random(seed)
        try:
            state = game.start(seed)
            while state.to_move is not None and left > 0:
                if not game.held(state):  # what somebody decided in secret belongs to no name
                    yield state
                moves = game.legal_moves(state)
                left -= 1 + len(moves) // MOVES_EACH
                state = game.apply(state, rng.choice(moves))
        except Fault:
            continue  # of the rules: there are other games


def decision_name(game: Game, state: State) -> str:
    """Return the name of an open decision: its moves, the steps that wait for it, and the author's names for what they hold."""
    decision = game.decision(state)
    assert decision is not None
    steps: list[str] = []
    held: dict[str, list[str]] = {}
    for slot, what in game.layout.frames.items():
        value = state.vector[slot]
        step, _, name = what.rpartition(": ")
        if value and name == "return to":
            steps.append(step)
        elif value and name.startswith(ITEMS):  # of a list that is gone through, after how many there are
            held.setdefault(name.removeprefix(ITEMS), []).append(game.model.value_name(value))
        elif value and not name.startswith(UNNAMED):
            held[f"{step}.{name}".lstrip(".")] = [game.model.value_name(value)]
    words = " or ".join(decision.moves) or decision.kind
    words += f" in {', '.join(steps)}" if steps else ""
    kept_words = [
        f"{name}={' of '.join((values[0], *([' '.join(values[2:])] * (len(values) > 1))))}"
        for name, values in held.items()
    ]
    return words + (f"; {', '.join(kept_words)}" if kept_words else "")


def _complaint(span: Span, message: str, fix: str = "") -> Diagnostic:
    return Diagnostic(span, CODE, message, texts.POSITION_WHY, fix)


def _refused(span: Span, message: str, fix: str = "") -> RuleFileError:
    return RuleFileError([_complaint(span, message, fix)])


# Writing -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Audience:
    """Whom a position is written for: a player, for None an onlooker, or a program that may see everything."""

    player: int | None = None
    everything: bool = False

    def see(self, thing: syntax.Place | syntax.Variable, index: tuple[int, ...]) -> bool:
        return self.everything or is_seen(thing, index, self.player)

    def may_know(self, game: Game, state: State) -> bool:
        """Return whether the steps that wait hold nothing that is hidden from it."""
        return self.everything or not game.sight.keeps_secrets(state.vector, self.player or NOBODY)


class CannotWrite(ValueError):
    """A position that cannot be written for that audience; the message says why."""


def write_position(
    game: Game, steps: list[tuple[State, str]], state: State, audience: Audience, line: bool = False
) -> str:
    """Return the text of a position; `line`: on one line. Raises CannotWrite.

    `steps` are the positions before it, each with the decision that was made there, as that audience may read it: where the open
    decision is one that other games hardly reach, such as a question in the middle of a move, the text begins before that move.
    """
    if state.to_move is None:
        raise CannotWrite(texts.WRITE_OVER)
    name, start, played = _named_start(game, steps[-MOST_BACK:], state, audience)
    data: dict[str, object] = {"players": game.players}
    if game.options:
        data["with"] = dict(game.options)
    data["given"] = dict(_given(game, start, audience))
    data["at"] = name
    if played:
        data["play"] = played
    hidden = [] if audience.everything else list(_hidden(game, start, audience))
    return json.dumps(data, ensure_ascii=False) + "\n" if line else _document(game, data, hidden)


def _named_start(
    game: Game, steps: list[tuple[State, str]], state: State, audience: Audience
) -> tuple[str, State, list[str]]:
    """Return the name of a decision, its position, and the decisions from there to the position. Raises CannotWrite.

    A decision in the middle of a move is named only where the move cannot be told: its name is long and seldom reached.
    INVARIANT: a name holds what was chosen and worked out on the way to its decision, so nobody reads one that may hold
    what they have not seen: of a decision in the middle of a move, or of steps that keep a secret.
    """
    states = [*(before for before, _ in steps), state]
    if all(s.to_move in (None, CHANCE) for s in states):
        raise CannotWrite(texts.WRITE_NO_PLAYER)
    why = texts.WRITE_NO_NAME
    for between in (False, True) if audience.everything else (False,):
        wanted = [s if between or not _is_between(game, s) else None for s in states]
        wanted = [s if s is not None and audience.may_know(game, s) else None for s in wanted]
        found = _last_named(game, wanted)
        if found is not None:
            name, at = found
            played = [move for _, move in steps[at:]]
            if not any("?" in word.split(",") for move in played for word in move.split()):
                return name, states[at], played
            why = texts.WRITE_HIDDEN
    raise CannotWrite(why)


def _is_between(game: Game, state: State) -> bool:
    """Return whether a decision is open in the middle of a move."""
    return any(state.vector[slot] for slot in game.layout.in_moves)


def _last_named(game: Game, states: list[State | None]) -> tuple[str, int] | None:
    """Return the name of the last decision among these that is found by its name, and which one it is."""
    wanted = {_kept(game, s): i for i, s in enumerate(states) if s is not None and s.to_move not in (None, CHANCE)}
    found: dict[str, tuple[int, ...]] = {}
    best: tuple[str, int] | None = None
    last = max(wanted.values(), default=None)
    for reached in _reached(game) if wanted else ():
        name, kept = decision_name(game, reached), _kept(game, reached)
        if found.setdefault(name, kept) == kept and (at := wanted.get(kept)) is not None:
            best = (name, at) if best is None or at > best[1] else best
            if at == last:
                break
    return best


def _kept(game: Game, state: State) -> tuple[int, ...]:
    return tuple(state.vector[slot] for slot in (BLOCK, *game.layout.frames))


def _given(game: Game, state: State, audience: Audience) -> Iterator[tuple[str, str]]:
    """Yield what lies on each place and what variables are, where that is not as at the start."""
    start = _beginning(game, tuple(game.layout.start))
    for place in game.model.places.values():
        if place.shape == "cell" and place.index:
            yield from _blocks(game, place, state, start, audience)
            continue
        for number, index in enumerate(product(*place.index_values)):
            lying = game.contents(state, place.name, number)
            if audience.see(place, index) and (lying or game.contents(start, place.name, number)):
                yield named(game.model, place.name, index), _pieces(game, place, lying)
    for variable in game.model.variables.values():
        for index in product(*variable.index_values):
            value = game.variable(state, variable.name, *index)
            if audience.see(variable, index) and value != game.variable(start, variable.name, *index):
                yield named(game.model, variable.name, index), _value(game, variable, value)


def _pieces(game: Game, place: syntax.Place, lying: list[tuple[int, int]]) -> str:
    name = game.model.value_name
    if place.shape != "pile":
        return " ".join(name(kind) for kind, _ in lying) or NOTHING
    counted = any(name(kind).isdigit() for kind, _ in lying)
    return ", ".join(f"{n} {name(kind)}" if n > 1 or counted else name(kind) for kind, n in lying) or NOTHING


def _value(game: Game, variable: syntax.Variable, value: int) -> str:
    if isinstance(variable.type, syntax.YesNo):
        return "true" if value else "false"
    return game.model.value_name(value)


def _blocks(
    game: Game, place: syntax.Place, state: State, start: State, audience: Audience
) -> Iterator[tuple[str, str]]:
    """Yield cells as rows, or as blocks of rows where there are two indexes or more beside an owner."""
    open_indexes = min(2, len(place.index_values) - ("player" in place.index))
    ahead = place.index_values[: len(place.index_values) - open_indexes]
    rest = list(product(*place.index_values[len(ahead) :]))
    columns = len(place.index_values[-1])
    for at, prefix in enumerate(product(*ahead)):
        numbers = range(at * len(rest), (at + 1) * len(rest))
        cells = [game.contents(state, place.name, n) for n in numbers]
        if not all(audience.see(place, (*prefix, *index)) for index in rest):
            continue
        if not any(cells):
            if any(game.contents(start, place.name, n) for n in numbers):
                yield named(game.model, place.name, prefix), NOTHING
            continue
        symbols = game.model.view.symbols
        unique = len({symbols.get(k) for k in place.kinds}) == len(place.kinds) and EMPTY not in symbols.values()
        words = [
            (symbols[lying[0][0]] if unique and lying[0][0] in symbols else game.model.value_name(lying[0][0]))
            if lying
            else EMPTY
            for lying in cells
        ]
        if open_indexes == 0:
            yield named(game.model, place.name, prefix), game.model.value_name(cells[0][0][0])
        else:
            lines = [" ".join(words[i : i + columns]) for i in range(0, len(words), columns)]
            yield named(game.model, place.name, prefix), "\n".join(lines)


def _hidden(game: Game, state: State, audience: Audience) -> Iterator[str]:
    """Yield the places with pieces that the audience does not see, and the variables."""
    for place in game.model.places.values():
        for number, index in enumerate(product(*place.index_values)):
            if not audience.see(place, index) and game.contents(state, place.name, number):
                yield named(game.model, place.name, index)
    for variable in game.model.variables.values():
        for index in product(*variable.index_values):
            if not audience.see(variable, index):
                yield named(game.model, variable.name, index)


def _document(game: Game, data: dict[str, object], hidden: list[str]) -> str:
    """Return a position as YAML that people read and change."""
    lines = [f"# {texts.POSITION_OF.format(title=game.title)}"]
    if hidden:
        lines.append(f"# {texts.POSITION_HIDES.format(places=', '.join(hidden))}")
    for key, value in data.items():
        if isinstance(value, dict):
            lines.append(f"{key}:" if value else f"{key}: {{}}")
            for name, text in value.items():
                if "\n" in text:
                    lines += [f"  {name}: |", *(f"    {row}" for row in text.split("\n"))]
                else:
                    lines.append(f"  {name}: {_scalar(text)}")
        elif isinstance(value, list):
            lines += [f"{key}:", *(f"  - {_scalar(text)}" for text in value)]
        else:
            lines.append(f"{key}: {_scalar(str(value))}")
    return "\n".join(lines) + "\n"


def _scalar(text: str) -> str:
    """Return a text as YAML: as it is where it can only be read as that."""
    plain = text[:1].isalnum() and not any(sign in text for sign in (": ", " #", '"', "\\"))
    return text if plain and not text.endswith(":") else json.dumps(text, ensure_ascii=False)
