"""Sight: what a decision turned up, and how somebody at the table may read it.

One rule for screens, records and transcripts. A piece that was chosen or drawn is followed through the decision: who sees
it at one of the places it passes knows it, for everybody else it is `?`. Anything else in a text of the rules is shown
only if it cannot depend on what is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

from interpreter.layout import Kept, contents
from interpreter.notation import HIDDEN, Notation
from interpreter.run.compiled import CompiledRules
from interpreter.sight.view import is_seen
from interpreter.state import CHANCE, Move, Movement, Spot, State, TracedState
from rulespec.checks.secrecy import Secrecy
from rulespec.syntax import AskStep, Choice, DoStep, Expr, ForStep, LetStep, Several, Step, all_steps, free_names

ME = frozenset(("me",))
MOST_KEPT = 10_000  # answers whether somebody sees a place


@dataclass(frozen=True, slots=True)
class _Hole:
    """A hole in the text of a move: the choices it uses, and whether what fills it is a secret to the mover, or to others."""

    names: frozenset[str]
    secret_to_mover: bool
    secret: bool


class Sight:
    """The view that the players of one game have of its decisions."""

    def __init__(
        self,
        rules: CompiledRules,
        notation: Notation,
        text_values: Callable[[State, Move], tuple[Any, ...]],  # what fills the holes of a move's text
        movements: Callable[[State, Move], tuple[Movement, ...]],  # how pieces move by a decision
    ) -> None:
        self.rules = rules
        self.model = rules.model
        self.notation = notation
        self.secrecy = Secrecy(rules.model)
        self._text_values = text_values
        self._sees = lru_cache(maxsize=MOST_KEPT)(self._may_see)
        self._about_hidden = lru_cache(maxsize=None)(self._is_about_hidden)
        self._holes = lru_cache(maxsize=None)(self._find_holes)
        self._moved = lru_cache(maxsize=64)(
            lambda before, move: movements(before, move) if self._hidden_families else ()
        )

    def words(self, before: State, move: Move, viewer: int | None, after: State | None = None) -> tuple[str, str]:
        """Return a decision as a player, or for None an onlooker, may read it: its notation, and in the author's words.

        `after` is the position after it, if it is known already: it may say what moved.
        """
        unknown = self._unknown(before, move, viewer, after)
        if move.name in ("draw", "roll"):
            notation = f"{move.name} {HIDDEN}" if unknown else str(move)
            return notation, notation
        choices = self.model.moves[move.name].choices
        words = [move.name]
        for choice, value in zip(choices, move.args, strict=True):
            known = choice.name not in unknown
            words.append(self.notation.word(value, choice.type) if known else _unknown_word(choice, value))
        return " ".join(words), self._text(before, move, viewer, unknown)

    def reveals(self, before: State, move: Move) -> bool:
        """Return whether something hidden was turned up: chance decided, or a player saw a piece that lay hidden from them."""
        if before.to_move == CHANCE:
            return True
        return any(
            not self._sees(m.source.family, m.source.number, player)
            and self._sees(m.goal.family, m.goal.number, player)
            for m in self._moved(before, move)
            for player in range(1, self.model.players + 1)
        )

    # following pieces ------------------------------------------------------------------------------------

    @cached_property
    def _hidden_families(self) -> frozenset[str]:
        return frozenset(p.name for p in self.model.places.values() if p.seen_by != "everyone")

    def _may_see(self, family: str, number: int, viewer: int | None) -> bool:
        place = self.model.places[family]
        if place.seen_by == "everyone":
            return True
        return is_seen(place, list(product(*place.index_values))[number], viewer)

    def _unknown(self, before: State, move: Move, viewer: int | None, after: State | None) -> frozenset[str]:
        """Return the choices of a move that a viewer did not see; for chance any name says that its outcome was not seen."""
        if not self._hidden_families or (viewer is not None and viewer == before.to_move):
            return frozenset()
        if move.name == "roll":
            return frozenset()
        if move.name == "draw":
            moved = self._movements(before, move, after)
            return frozenset() if self._was_seen(before, moved, move.args[0], viewer) else frozenset(("draw",))
        spec = self.model.moves[move.name]
        found = set()
        for number, (choice, value) in enumerate(zip(spec.choices, move.args, strict=True)):
            kinds = self._kinds(choice, value)
            if not kinds:
                if not isinstance(choice.type, Several) and self._about_hidden(move.name, number):
                    found.add(choice.name)
                continue
            for kind in kinds:
                followed = self._was_seen(before, self._movements(before, move, after), kind, viewer)
                if followed is False or (followed is None and self._about_hidden(move.name, number)):
                    found.add(choice.name)
        return frozenset(found)

    def _kinds(self, choice: Choice, value: Any) -> list[int]:
        """Return the kinds of pieces that a chosen value names."""
        if isinstance(choice.type, Several):
            return [kind for kind, n in zip(choice.type.kinds, value, strict=True) if n]
        return [value] if value in self.model.kinds else []

    def _movements(self, before: State, move: Move, after: State | None) -> tuple[Movement, ...]:
        return after.moved if isinstance(after, TracedState) else self._moved(before, move)

    def _was_seen(self, before: State, moved: tuple[Movement, ...], kind: int, viewer: int | None) -> bool | None:
        """Return whether a viewer saw the first piece of a kind that moved; None: no piece of that kind moved at all."""
        at = None
        for m in moved:
            if m.kind != kind or (at is not None and m.source != at):
                continue
            at = m.goal
            if any(self._sees(spot.family, spot.number, viewer) for spot in (m.source, m.goal)):
                return True
            if self._lies_among_others(before, at):
                return False  # what comes out of there may be another one of its kind
        return None if at is None else False

    def _lies_among_others(self, before: State, spot: Spot) -> bool:
        return bool(contents(self.rules.layout, before.vector, spot.family, spot.number))

    def _is_about_hidden(self, name: str, number: int) -> bool:
        """Return whether what can be chosen there depends on what not everybody sees."""
        spec = self.model.moves[name]
        choice = spec.choices[number]
        inside = [e for e in (choice.domain, choice.source) if e is not None]
        inside += [c.that for c in spec.conditions if choice.name in free_names(c.that)]
        return any(self.secrecy.reads(e) for e in inside)

    # what the player to decide learns from it ------------------------------------------------------------

    def secret_to_mover(self, e: Expr) -> bool:
        """Return whether a value depends on pieces that the player who decides does not see."""
        return self.secrecy.reads(e, ME) is not None

    def legality_reveals(self, moves: tuple[str, ...]) -> bool:
        """Return whether what a player may do reveals something about pieces that they do not see."""
        return any(self._legality_reveals(name) for name in moves)

    def _legality_reveals(self, name: str) -> bool:
        spec = self.model.moves[name]
        inside = [c.that for c in spec.conditions]
        inside += [e for c in spec.choices for e in (c.domain, c.source, c.at_most, c.at_least) if e is not None]
        return any(map(self.secret_to_mover, inside))

    def keeps_secrets(self, vector: tuple[int, ...], viewer: int) -> bool:
        """Return whether steps that wait may hold a value that was worked out from what a player cannot see.

        A secret choice in a move is not secret to whoever made it.
        """
        return any(not owner or vector[owner] not in (0, viewer) for owner in self._secret_locals)

    @cached_property
    def _secret_locals(self) -> tuple[int, ...]:
        """For each secret name that steps keep for later, the slot of who knows it, or 0."""
        slots = self.rules.layout.kept
        return tuple(
            slots.get(knows, 0) if knows else 0 for name, knows in self._secret_names().items() if name in slots
        )

    def _secret_names(self) -> dict[Kept, Kept | None]:
        """Return the names that may hold a secret while steps wait, and the name of who knows it."""
        found: dict[Kept, Kept | None] = {}
        for name, move in self.model.moves.items():
            for number, choice in enumerate(move.choices):
                if self._about_hidden(name, number):
                    found[name, choice.name] = (name, "me")
        bodies = [(name, p.body) for name, p in self.model.procedures.items()]
        bodies += [(name, m.does) for name, m in self.model.moves.items()]
        before = -1
        while before != len(found):  # a secret is handed on
            before = len(found)
            for name, body in bodies:
                for step in all_steps(body):
                    for kept in self._kept_by(name, step, found):
                        found.setdefault(kept, None)
        return found

    def _kept_by(self, body: str, step: Step, secret: Mapping[Kept, Kept | None]) -> list[Kept]:
        """Return the names for which a step keeps a secret."""

        def is_secret(e: Expr) -> bool:
            inside = free_names(e)
            return self.secrecy.reads(e) is not None or any(("", n) in secret or (body, n) in secret for n in inside)

        match step:
            case LetStep():
                return [("", step.name)] if is_secret(step.value) else []
            case ForStep():
                inside = [step.domain, *([step.where] if step.where is not None else [])]
                return [("", step.name)] if any(map(is_secret, inside)) else []
            case DoStep():
                parameters = self.model.procedures[step.name].parameters
                return [(step.name, p.name) for p, e in zip(parameters, step.args, strict=True) if is_secret(e)]
            case AskStep():
                return [
                    (name, p.name)
                    for name, args in step.moves
                    for p, e in zip(self.model.moves[name].given, args, strict=True)
                    if is_secret(e)
                ]
        return []

    # texts -----------------------------------------------------------------------------------------------

    def _text(self, before: State, move: Move, viewer: int | None, unknown: frozenset[str]) -> str:
        template = self.model.moves[move.name].text
        values = iter(self._text_values(before, move))
        holes = iter(self._holes(move.name))
        mine = viewer is not None and viewer == before.to_move
        out = []
        for part in template.parts:
            if isinstance(part, str):
                out.append(part)
                continue
            hole, value = next(holes), next(values)
            hidden = hole.names & unknown or (hole.secret_to_mover if mine else hole.secret)
            out.append(HIDDEN if hidden else self.notation.label(value, part.type))
        return "".join(out)

    def _find_holes(self, name: str) -> tuple[_Hole, ...]:
        return tuple(
            _Hole(free_names(part), self.secret_to_mover(part), self.secrecy.reads(part) is not None)
            for part in self.model.moves[name].text.parts
            if not isinstance(part, str)
        )


def _unknown_word(choice: Choice, value: Any) -> str:
    """Return `?`, or one for each of several pieces: their number is not secret."""
    return ",".join([HIDDEN] * sum(value)) or "nothing" if isinstance(choice.type, Several) else HIDDEN
