"""Sight: what a decision turned up, and how somebody at the table may read it.

One rule for screens, records and transcripts. A piece that was chosen or drawn is followed through the decision: who sees
it at one of the places it passes knows it, for everybody else it is `?`. So is a choice that a move only keeps in hidden
variables. Anything else in a text of the rules is shown only if it cannot depend on what is hidden.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from interpreter.fault import Fault
from interpreter.layout import BLOCK, HeldAnswers, Kept, contents, possible_values
from interpreter.notation import DECIDED, HIDDEN, Notation
from interpreter.run.compiled import CompiledRules
from interpreter.sight.view import is_seen, view
from interpreter.state import CHANCE, IllegalMove, Move, Movement, Spot, State, TracedState
from rulespec.checks.secrecy import ME, Secrecy
from rulespec.syntax import Choice, Expr, Several, free_names

Closing = tuple[State, Move]  # a decision, with the position before it

MOST_KEPT = 10_000  # answers whether somebody sees a place
OTHERS = 4  # other values of hidden variables that are tried


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
        applied: Callable[[State, Move], State],  # the position after a decision, with how pieces moved
        apply: Callable[[State, Move], State],
    ) -> None:
        self.rules = rules
        self.model = rules.model
        self.notation = notation
        self.secrecy = Secrecy(rules.model)
        self._text_values = text_values
        self._apply = apply
        self._sees = lru_cache(maxsize=MOST_KEPT)(self._may_see)
        self._about_hidden = lru_cache(maxsize=None)(self._is_about_hidden)
        self._ties = lru_cache(maxsize=None)(self._find_ties)
        self._holes = lru_cache(maxsize=None)(self._find_holes)
        self._applied = lru_cache(maxsize=64)(applied)

    def words(
        self, before: State, move: Move, viewer: int | None, after: State | None = None, closing: Closing | None = None
    ) -> tuple[str, str]:
        """Return a decision as a player, or for None an onlooker, may read it: its notation, and in the author's words.

        `after` is the position after it, if it is known already: it may say what moved. Of players who decide at the same
        time, `closing` is the last decision of them all, by which the others became known; without it they are not.
        """
        if self._together(before) is not None and viewer != before.to_move:
            if closing is None and self.is_open(before, move, after):
                return HIDDEN, DECIDED
            if closing is not None:
                after = self._applied(*closing) if self._hidden_families else None
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
        """Return whether something hidden was turned up: chance decided, or a player saw a piece that lay hidden from them,

        or what a hidden variable is, as they would have seen something else if it were otherwise.
        """
        if before.to_move == CHANCE:
            return True
        together = self._together(before)
        if together is not None and any(together.answer(before.vector, p) for p in together.order(before.vector)):
            return not self.is_open(before, move)  # the last one to decide turns up what the others decided
        return self._tells_values(before, move) or any(
            not self._sees(m.source.family, m.source.number, player)
            and self._sees(m.goal.family, m.goal.number, player)
            for m in self._movements(before, move, None)
            for player in range(1, self.model.players + 1)
        )

    def is_open(self, before: State, move: Move, after: State | None = None) -> bool:
        """Return whether a decision is carried out only when others have decided too: until then it is their player's secret."""
        together = self._together(before)
        if together is None:
            return False
        after = self._applied(before, move) if after is None else after
        return self._together(after) is together and together.answer(after.vector, before.to_move or 0) == (
            move.name,
            move.args,
        )

    def _together(self, state: State) -> HeldAnswers | None:
        """Return where answers are kept in a position that waits for one of several players who decide at the same time."""
        held = self.rules.layout.held
        return held.get(state.vector[BLOCK]) if held and state.to_move else None

    def _tells_values(self, before: State, move: Move) -> bool:
        """Return whether some player would see another position after a decision if variables hidden from them were otherwise.

        A few other values of all of them are tried; where the move would not be legal, they say nothing.
        """
        after: State | None = None
        for player in range(1, self.model.players + 1):
            slots = self._unseen_slots(player)
            for other in range(1, OTHERS + 1) if slots else ():
                vector = list(before.vector)
                for number, (slot, values) in enumerate(slots):
                    at = values.index(vector[slot]) if vector[slot] in values else 0
                    vector[slot] = values[(at + other * (2 * number + 1)) % len(values)]
                instead = State(tuple(vector), before.to_move, before.decisions, None, None, None, [])
                try:
                    there = self._apply(instead, move)
                except IllegalMove:
                    continue
                except Fault:
                    return True  # the rules looked at them
                after = self._apply(before.with_seed(None), move) if after is None else after
                if view(self.rules, there, player) != view(self.rules, after, player):
                    return True
        return False

    def _unseen_slots(self, player: int) -> list[tuple[int, list[int]]]:
        """Return where the variables lie that a player does not see, and all values that each can have."""
        return [
            (self.rules.layout.variables[v.name].base + number, possible_values(self.model, v))
            for v in self.model.variables.values()
            if v.seen_by != "everyone"
            for number in range(len(v.starts))
            if not is_seen(v, v.index_of(number), player)
        ]

    # following pieces ------------------------------------------------------------------------------------

    @cached_property
    def _hidden_families(self) -> frozenset[str]:
        return frozenset(p.name for p in self.model.places.values() if p.seen_by != "everyone")

    @cached_property
    def _hides(self) -> bool:
        """Whether anything in this game is hidden from anybody."""
        return any(thing.seen_by != "everyone" for thing in self.model.things)

    def _may_see(self, family: str, number: int, viewer: int | None) -> bool:
        place = self.model.places[family]
        if place.seen_by == "everyone":
            return True
        return is_seen(place, place.index_of(number), viewer)

    def _unknown(self, before: State, move: Move, viewer: int | None, after: State | None) -> frozenset[str]:
        """Return the choices of a move that a viewer did not see; for chance any name says that its outcome was not seen."""
        if not self._hides or (viewer is not None and viewer == before.to_move):
            return frozenset()
        if move.name == "roll" or (move.name == "draw" and not self._hidden_families):
            return frozenset()
        if move.name == "draw":
            moved = self._movements(before, move, after)
            return frozenset() if self._was_seen(before, moved, move.args[0], viewer) else frozenset(("draw",))
        spec = self.model.moves[move.name]
        found: set[str] = set()
        seen = set()
        for number, (choice, value) in enumerate(zip(spec.choices, move.args, strict=True)):
            kinds = self._kinds(choice, value)
            if not kinds:
                if isinstance(choice.type, Several):
                    seen.add(choice.name)  # no piece at all
                elif self._about_hidden(move.name, number):
                    found.add(choice.name)
                continue
            followed = [self._was_seen(before, self._movements(before, move, after), kind, viewer) for kind in kinds]
            if all(followed):
                seen.add(choice.name)
            elif False in followed or self._about_hidden(move.name, number):
                found.add(choice.name)
        kept = self.secrecy.kept(move.name)
        return self._with_tied(move.name, found, seen) | (kept.keys() - seen)

    def _with_tied(self, name: str, found: set[str], seen: set[str]) -> frozenset[str]:
        """Return unseen choices of a move with the others from which something about them could be worked out."""
        ties = self._ties(name) if found else ()
        before = -1
        while before != len(found):
            before = len(found)
            for tie in ties:
                if not tie.isdisjoint(found):
                    found |= tie - seen
        return frozenset(found)

    def _kinds(self, choice: Choice, value: Any) -> list[int]:
        """Return the kinds of pieces that a chosen value names."""
        if isinstance(choice.type, Several):
            return [kind for kind, n in zip(choice.type.kinds, value, strict=True) if n]
        return [value] if value in self.model.kinds else []

    def _movements(self, before: State, move: Move, after: State | None) -> tuple[Movement, ...]:
        if not self._hidden_families:
            return ()
        after = after if isinstance(after, TracedState) else self._applied(before, move)
        return after.moved if isinstance(after, TracedState) else ()

    def _was_seen(self, before: State, moved: tuple[Movement, ...], kind: int, viewer: int | None) -> bool | None:
        """Return whether a viewer saw the first piece of a kind that moved; None: no piece of that kind moved at all."""
        if self._together(before) is not None:  # others may have moved pieces of that kind too: all of them count
            seen = [
                any(self._sees(spot.family, spot.number, viewer) for spot in (m.source, m.goal))
                for m in moved
                if m.kind == kind
            ]
            return all(seen) if seen else None
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
        return self.secrecy.is_about_hidden(name, number, self.secrecy.held(name)) is not None

    def _find_ties(self, name: str) -> tuple[frozenset[str], ...]:
        """Return the choices of a move that limit one another: who knows one may work out something about the others."""
        spec = self.model.moves[name]
        choices = frozenset(c.name for c in spec.choices)
        found = [choices if c.afterwards else free_names(c.that) & choices for c in spec.conditions]
        for choice in spec.choices:
            inside = (choice.domain, choice.source, choice.at_most, choice.at_least)
            found += [(free_names(e) & choices) | {choice.name} for e in inside if e is not None]
        return tuple(tie for tie in found if len(tie) > 1)

    # what the player to decide learns from it ------------------------------------------------------------

    def secret_to_mover(self, move: str, e: Expr) -> bool:
        """Return whether a value in a move depends on pieces that the player who decides does not see."""
        return self.secrecy.reads(e, ME, self.secrecy.unknown_to_mover(move)) is not None

    def secret_to_some(self, e: Expr) -> bool:
        """Return whether a value that everybody reads depends on pieces that somebody does not see."""
        return self.secrecy.reads(e) is not None

    def _secret_to_others(self, move: str, e: Expr) -> bool:
        return self.secrecy.reads(e, held=self.secrecy.held(move)) is not None

    def legality_reveals(self, moves: tuple[str, ...]) -> bool:
        """Return whether what a player may do reveals something about pieces that they do not see."""
        return any(self._legality_reveals(name) for name in moves)

    def _legality_reveals(self, name: str) -> bool:
        tried = self.secrecy.tried_on_hidden(name, self.secrecy.unknown_to_mover(name))
        return tried is not None or any(self.secret_to_mover(name, e) for e in self._legality(name))

    def legality_tells(self, moves: tuple[str, ...]) -> bool:
        """Return whether others could learn about a hidden variable from a list of what a player may do."""
        return any(self.secrecy.reads(e) in self.model.variables for name in moves for e in self._legality(name))

    def _legality(self, name: str) -> list[Expr]:
        """Return all that says whether a move is legal."""
        spec = self.model.moves[name]
        inside = [c.that for c in spec.conditions]
        return inside + [e for c in spec.choices for e in (c.domain, c.source, c.at_most, c.at_least) if e is not None]

    def without_kept(self, move: Move) -> str:
        """Return the notation of a move without the choices that are written down in secret."""
        kept = self.secrecy.kept(move.name) if move.name in self.model.moves else {}
        if not kept:
            return str(move)
        choices = zip(self.model.moves[move.name].choices, move.args, strict=True)
        return " ".join([move.name, *(HIDDEN if c.name in kept else self.notation.word(v, c.type) for c, v in choices)])

    def keeps_choices(self, move: str) -> bool:
        """Return whether a move has choices that others do not see, whoever looks, since they are written down in secret."""
        return bool(self.secrecy.kept(move))

    def keeps_secrets(self, vector: tuple[int, ...], viewer: int) -> bool:
        """Return whether steps that wait may hold a value that was worked out from what a player cannot see.

        A secret choice in a move is not secret to whoever made it.
        """
        if any(not owner or vector[owner] not in (0, viewer) for owner in self._secret_locals):
            return True
        return any(
            bool(self._secret_choices(answer[0]))
            for held in self.rules.layout.held.values()
            for player in range(1, self.model.players + 1)
            if player != viewer and (answer := held.answer(vector, player)) is not None
        )

    def _secret_choices(self, name: str) -> list[int]:
        """Return the choices of a move that depend on what not everybody sees."""
        return [n for n in range(len(self.model.moves[name].choices)) if self._about_hidden(name, n)]

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
        for body, name in self.secrecy.secret_names():
            section, called = body
            move = self.model.moves[called] if section == "moves" else None
            if move is not None and name in {c.name for c in move.choices}:
                found[body, name] = (body, "me")
            elif name in {p.name for p in (move.given if move else self.model.procedures[called].parameters)}:
                found[body, name] = None
            else:
                found[None, name] = None
        return found

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
            _Hole(free_names(part), self.secret_to_mover(name, part), self._secret_to_others(name, part))
            for part in self.model.moves[name].text.parts
            if not isinstance(part, str)
        )


def _unknown_word(choice: Choice, value: Any) -> str:
    """Return `?`, or one for each of several pieces: their number is not secret."""
    return ",".join([HIDDEN] * sum(value)) or "nothing" if isinstance(choice.type, Several) else HIDDEN
