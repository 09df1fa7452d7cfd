"""Who saw what of a decision: what it turned up, and how somebody at the table may read it.

One rule for screens, records and transcripts. A piece that was chosen or drawn is followed through the decision: who sees
it at one of the places it comes by knows it, for everybody else it is `?`. What a text of the rules says beside that is
told only if it cannot depend on what is hidden.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

from interpreter.movements import Movement, TellingGame, Told
from interpreter.state import CHANCE, Move, State
from interpreter.view import is_seen
from rulespec.expr import core
from rulespec.expr.core import Expr, children, free_names
from rulespec.expr.types import Several
from rulespec.model import Choice

if TYPE_CHECKING:
    from interpreter.game import Game

HIDDEN = "?"
_PUBLIC_READS = ("count", "empty", "free")  # everybody sees how many pieces lie anywhere


class Sight:
    """What the players of one game see of its decisions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.model = game.model
        self._moved = lru_cache(maxsize=64)(self._work_out)

    def words(self, before: State, move: Move, viewer: int | None) -> tuple[str, str]:
        """A decision as a player, or for None an onlooker, may read it: its notation, and in the author's words."""
        unknown = self._unknown(before, move, viewer)
        if move.name in ("draw", "roll"):
            notation = f"{move.name} {HIDDEN}" if unknown else str(move)
            return notation, notation
        choices = self.model.moves[move.name].choices
        words = [move.name]
        for choice, value in zip(choices, move.args, strict=True):
            known = choice.name not in unknown
            words.append(self.game.notation.word(value, choice.type) if known else _unknown_word(choice, value))
        return " ".join(words), self._text(before, move, viewer, unknown)

    def reveals(self, before: State, move: Move) -> bool:
        """Whether something hidden was turned up: chance decided, or a player saw a piece that lay hidden from them."""
        if before.to_move == CHANCE:
            return True
        return any(
            not self._sees(m.source.family, m.source.number, player)
            and self._sees(m.goal.family, m.goal.number, player)
            for m in self._moved(before, move)
            for player in range(1, self.game.players + 1)
        )

    # following pieces ------------------------------------------------------------------------------------

    @cached_property
    def _telling(self) -> Game:
        return self.game if isinstance(self.game, TellingGame) else TellingGame(self.game.rules, self.model)

    def _work_out(self, before: State, move: Move) -> tuple[Movement, ...]:
        if not self._hidden_families:
            return ()
        after = self._telling.apply(before.with_seed(None), move)
        return after.moved if isinstance(after, Told) else ()

    @cached_property
    def _hidden_families(self) -> frozenset[str]:
        return frozenset(p.name for p in self.model.places.values() if p.seen_by != "everyone")

    def _sees(self, family: str, number: int, viewer: int | None) -> bool:
        place = self.model.places[family]
        if place.seen_by == "everyone":
            return True
        return is_seen(place, list(product(*place.index_values))[number], viewer)

    def _unknown(self, before: State, move: Move, viewer: int | None) -> frozenset[str]:
        """The choices of a move that a viewer did not see; for chance any name says that its outcome was not seen."""
        if not self._hidden_families or (viewer is not None and viewer == before.to_move):
            return frozenset()
        if move.name == "roll":
            return frozenset()
        if move.name == "draw":
            return frozenset() if self._was_seen(before, move, move.args[0], viewer) else frozenset(("draw",))
        spec = self.model.moves[move.name]
        found = set()
        for choice, value in zip(spec.choices, move.args, strict=True):
            kinds = self._kinds(choice, value)
            if not kinds:
                if not isinstance(choice.type, Several) and self._about_hidden(move.name, choice, before, viewer):
                    found.add(choice.name)
                continue
            for kind in kinds:
                followed = self._was_seen(before, move, kind, viewer)
                if followed is False or (followed is None and self._about_hidden(move.name, choice, before, viewer)):
                    found.add(choice.name)
        return frozenset(found)

    def _kinds(self, choice: Choice, value: Any) -> list[int]:
        """The kinds of pieces that a chosen value names."""
        if isinstance(choice.type, Several):
            return [kind for kind, n in zip(choice.type.kinds, value, strict=True) if n]
        return [value] if value in self.model.kinds else []

    def _was_seen(self, before: State, move: Move, kind: int, viewer: int | None) -> bool | None:
        """Whether a viewer saw the first piece of a kind that moved; None: no piece of that kind moved at all."""
        at = None
        for m in self._moved(before, move):
            if m.kind != kind or (at is not None and m.source != at):
                continue
            at = m.goal
            if any(self._sees(spot.family, spot.number, viewer) for spot in (m.source, m.goal)):
                return True
        return None if at is None else False

    def _about_hidden(self, name: str, choice: Choice, before: State, viewer: int | None) -> bool:
        """Whether what can be chosen there depends on what a viewer cannot see."""
        spec = self.model.moves[name]
        inside = [e for e in (choice.domain, choice.source) if e is not None]
        inside += [c.that for c in spec.conditions if choice.name in free_names(c.that)]
        return any(self._reads(e) for e in inside)

    # texts -----------------------------------------------------------------------------------------------

    def _text(self, before: State, move: Move, viewer: int | None, unknown: frozenset[str]) -> str:
        template = self.model.moves[move.name].text
        values = iter(self.game.text_values(before, move))
        out = []
        for part in template.parts:
            if isinstance(part, str):
                out.append(part)
                continue
            label = self.game.notation.label(next(values), part.type)
            mine = viewer is not None and viewer == before.to_move
            hidden = free_names(part) & unknown or self._reads(part, own=mine)
            out.append(HIDDEN if hidden else label)
        return "".join(out)

    def _reads(self, e: Expr, own: bool = False, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a value depends on pieces that lie hidden; `own` ones of the player who decides are no secret to them."""
        match e:
            case core.Builtin(name=name, args=(core.PlaceAt() | core.Places(),)) if name in _PUBLIC_READS:
                return any(self._reads(i, own, seen) for i in children(e.args[0]))
            case core.PlaceAt() | core.Places():
                place = self.model.places[e.family]
                if place.seen_by == "nobody" or (place.seen_by == "owner" and not own):
                    return True
            case core.Call() if e.function not in seen:
                if self._reads(self.model.functions[e.function].body, own, seen | {e.function}):
                    return True
        return any(self._reads(c, own, seen) for c in children(e))


def _unknown_word(choice: Choice, value: Any) -> str:
    """`?`, or one for each of several pieces: how many is no secret."""
    return ",".join([HIDDEN] * sum(value)) or "nothing" if isinstance(choice.type, Several) else HIDDEN
