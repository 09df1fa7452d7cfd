"""Faults: how a game stops whose rules cannot go on, with the line of the rule that stopped it."""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.diagnostics.diagnostic import Span

# kinds of faults: the rules cannot go on; they go on for too long; there is too much to look at
RULES, ENDLESS, TOO_MUCH = "rules", "endless", "too much"

LIMIT = 100_000  # decisions of one game, of players and of chance, where nobody says otherwise
IDLE_LIMIT = 30_000  # passes of loops between two decisions; a pass that may do much counts as several


class Fault(Exception):
    """The author's error found in play: no room, too few pieces, no legal move, a loop without a decision.

    Its kind is ENDLESS where the game came to its limit of decisions, TOO_MUCH where there are too many moves or choices to
    look at, else RULES.
    """

    def __init__(self, message: str, span: Span, kind: str = RULES) -> None:
        self.message, self.span, self.kind = message, span, kind
        self.idle = 0  # passes of loops that were run before it
        super().__init__(f"{span}: fault: {message}")


@dataclass(frozen=True, slots=True)
class FaultEntry:
    """A fault that a program can come to. Where it has a value, `{}` in the message stands for it."""

    message: str
    span: Span
    kind: str = RULES
    has_value: bool = False

    def fault(self, *values: int) -> Fault:
        return Fault(self.message.replace("{}", str(*values)) if self.has_value else self.message, self.span, self.kind)
