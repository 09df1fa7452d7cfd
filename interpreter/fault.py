"""Faults: a game stops because its rules cannot continue, with the line of the rule that stopped it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rulespec.diagnostics.diagnostic import Span

# kinds of faults: the rules cannot continue; they run for too long; there is too much to examine
RULES, ENDLESS, TOO_MUCH = "rules", "endless", "too much"

LIMIT = 100_000  # decisions of one game, of players and of chance, where nobody says otherwise;
OUTCOMES = 10_000_000  # where chance decides among many, as many as can be looked at in all of them,
LEAST_LIMIT = 5_000  # and never fewer than this
IDLE_LIMIT = 30_000  # passes of loops between two decisions; a pass that may do much counts as several
TRIES = 24  # draws of a random move before all legal ones are listed after all


def usual_limit(outcomes: int) -> int:
    """Return how many decisions a game may have where nobody says otherwise, if chance decides among that many outcomes."""
    return min(LIMIT, max(LEAST_LIMIT, OUTCOMES // max(1, outcomes)))


class FaultCode(StrEnum):
    """The kind of a fault, for programs; the message is for people."""

    BOUNDS = "fault-bounds"  # a variable would leave its range
    DIVISION = "fault-division"
    ENDLESS = "fault-endless"  # the game reached its limit of decisions
    IDLE = "fault-idle"  # a loop runs without a decision
    LONG_LISTING = "fault-long-listing"  # finding the legal choices of a move takes too long
    MANY_MOVES = "fault-many-moves"
    MANY_NOTED = "fault-many-noted"  # positions that are remembered
    NEGATIVE = "fault-negative"  # fewer than 0 pieces
    NO_MOVE = "fault-no-move"
    NO_ROLL = "fault-no-roll"
    NO_ROOM = "fault-no-room"
    NO_VARIABLE = "fault-no-variable"  # an index outside of the variable
    OUTSIDE = "fault-outside"  # a number outside of a parameter's set
    TOO_FEW = "fault-too-few"  # pieces

    @property
    def kind(self) -> str:
        match self:
            case FaultCode.ENDLESS | FaultCode.MANY_NOTED:
                return ENDLESS
            case FaultCode.LONG_LISTING | FaultCode.MANY_MOVES:
                return TOO_MUCH
            case _:
                return RULES

    @property
    def takes_long(self) -> bool:
        """Return whether it is raised only after all the work was done that is allowed at one place."""
        return self is FaultCode.IDLE or self.kind == TOO_MUCH


class Fault(Exception):
    """The author's error found in play: no room, too few pieces, no legal move, a loop without a decision.

    Its kind is ENDLESS if the game reached its limit of decisions, TOO_MUCH if there are too many moves or choices to
    examine, else RULES.
    """

    def __init__(self, message: str, span: Span, code: FaultCode) -> None:
        self.message, self.span, self.code = message, span, code
        self.idle = 0  # passes of loops that were run before it
        super().__init__(f"{span}: fault: {message}")

    @property
    def kind(self) -> str:
        return self.code.kind


@dataclass(frozen=True, slots=True)
class FaultEntry:
    """A fault that a program can raise. Where it has a value, `{}` in the message is replaced by it."""

    message: str
    span: Span
    code: FaultCode
    has_value: bool = False

    def fault(self, *values: int) -> Fault:
        return Fault(self.message.replace("{}", str(*values)) if self.has_value else self.message, self.span, self.code)
