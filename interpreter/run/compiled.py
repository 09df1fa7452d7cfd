"""The rules of one game, compiled: its program, where everything lies in a position, and the program's functions.

The compiler is imported where something is compiled: a game that is played by a kept native library starts without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from interpreter.compile.actions import Actions, number_actions
from interpreter.compile.loader import Surroundings, run
from interpreter.fault import Fault
from interpreter.layout import Layout
from interpreter.run.runtime import RUNTIME, Run
from rulespec.checks.work import Work
from rulespec.diagnostics.diagnostic import Span
from rulespec.syntax import Model, ViewKey, remembered

if TYPE_CHECKING:
    from interpreter.compile.program import Program
    from interpreter.compile.words import Words


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A place in the rules where somebody, or chance, decides."""

    kind: str  # ask, draw, roll
    span: Span
    moves: tuple[str, ...] = ()
    domain: tuple[int, ...] = ()  # what can be drawn or rolled, as far as that is known before play


class CompiledRules:
    """A program and what it is asked for; nothing of a game in play."""

    def __init__(self, model: Model, tracing: bool = False, watching: bool = False, counting: bool = False) -> None:
        self.model = model
        self._asked = tracing, watching
        self._counting = counting
        self._tally = [0]  # work of the programs that wait, if that is counted
        self.refused: set[tuple[int, int]] = set()  # (move, condition) that refused, if that is watched

    @cached_property
    def _lowered(self) -> tuple[Program, Layout]:
        """The program, made when it is first needed: games that are played by a kept native library do without."""
        from interpreter.compile.lower import lower

        return lower(self.model, *self._asked)

    @property
    def program(self) -> Program:
        return self._lowered[0]

    @property
    def layout(self) -> Layout:
        """Return where everything lies in a position."""
        return self._lowered[1]

    @cached_property
    def actions(self) -> Actions | None:
        """The numbers of all moves; None where there are too many for that."""
        return number_actions(self.model, self.layout)

    @cached_property
    def decisions(self) -> dict[int, DecisionPoint]:
        """The decisions by the blocks that wait for them."""
        from interpreter.compile.program import Ask, Draw

        names = list(self.model.moves)
        found = {}
        for number, d in self.program.decisions.items():
            if isinstance(d, Ask):
                moves = dict.fromkeys(names[self.program.moves[option.move]] for option in d.options)
                found[number] = DecisionPoint("ask", d.span, tuple(moves))
            elif isinstance(d, Draw):
                found[number] = DecisionPoint("draw", d.span, domain=d.kinds)
            else:
                found[number] = DecisionPoint("roll", d.span, domain=d.values)
        return found

    def printed(self, form: str) -> str:
        """Return a stage of the program, after a key to its names, for people: `program`, `python` or `c`."""
        from interpreter.compile.key import key
        from interpreter.compile.to_python import to_python
        from interpreter.compile.to_text import to_text

        printers: dict[str, Callable[[Program], str]] = {
            "program": to_text,
            "python": partial(to_python, mode="wait"),
            "c": lambda program: self.in_c(),
        }
        text = printers[form](self.unfolded if form == "python" else self.program)
        lines = key(self.model, self.layout, self.program)
        if form == "c":
            return "\n".join(["/*", *(f" * {line}".rstrip() for line in lines), " */", text])
        return "\n".join([*(f"# {line}".rstrip() for line in lines), "", text])

    def in_c(self) -> str:
        """Return the program as C; of a game that remembers there is none."""
        if self.remembers:
            return "/* games that remember positions are played in Python */\n"
        from interpreter.compile.to_c import to_c

        return to_c(self.program, self.actions)

    @cached_property
    def remembers(self) -> bool:
        """Whether positions are noted in play."""
        return bool(remembered(self.model))

    @cached_property
    def names_twice(self) -> bool:
        """Whether some ask names a move twice: then the number of a move does not say all of it."""
        return len(set(self.program.moves)) < len(self.program.moves)

    @cached_property
    def counted(self) -> frozenset[str]:
        """The moves for which the steps of listing them are counted."""
        return frozenset(name for name, move in self.model.moves.items() if self.work.is_counted(move))

    @cached_property
    def work(self) -> Work:
        """Return how much there can be to do at a decision."""
        return Work(self.model)

    @cached_property
    def unfolded(self) -> Program:
        """The program as it is printed as Python."""
        from interpreter.compile.unfold import unfold

        return unfold(self.program)

    @cached_property
    def waiting(self) -> PythonCode:
        """The program that waits at every decision: as it was lowered, until it is worth unfolding.

        What is counted or watched in it is the same from the first decision on.
        """
        asked = self._counting or any(self._asked)
        return PythonCode(
            self._tallied(self.unfolded if asked else self.program), "wait", self.refused.add, self._tally
        )

    def quicken(self) -> None:
        """Unfold the program that waits: it was asked often enough for that to be worth its time."""
        self.waiting = PythonCode(self._tallied(self.unfolded), "wait", self.refused.add, self._tally)

    def _tallied(self, program: Program) -> Program:
        from interpreter.compile.tally import tallied

        return tallied(program) if self._counting else program

    def take_work(self) -> int:
        """Return the work that was counted since this was asked last, in numbers and statements evaluated."""
        found = self._tally[0]
        self._tally[0] = 0
        return found

    @cached_property
    def random(self) -> PythonCode:
        """The program that decides everything at random."""
        return PythonCode(self.unfolded, "random")

    def play_out(self, vector: list[int], run: Run) -> None:
        """Play a whole game at random."""
        if self._whole is None:
            self.random.go(vector, run, self.program.begin)
            return
        try:
            self._whole(vector, run)
        except Fault as fault:
            fault.idle = run.idle
            raise

    @cached_property
    def _whole(self) -> Callable[[list[int], Run], None] | None:
        """The program that plays a game from its beginning to its end; None where the one that can stop anywhere has to do."""
        from interpreter.compile.to_python import whole_to_python

        text = whole_to_python(self.unfolded)
        return None if text is None else functions_of(text, self.program)["whole"]

    @cached_property
    def traced(self) -> PythonCode:
        """The same, with every decision and point recorded."""
        return PythonCode(self.unfolded, "traced")

    def rank(self, vector: Sequence[int], player: int) -> tuple[int, ...]:
        """Return the numbers by which the winner is found, for one player: more is better, and the first number counts first."""
        functions = self.waiting.functions
        return tuple([int(functions[f"f{number}"](vector, None, player)) for number in self.program.ranks])

    @cached_property
    def _explained(self) -> tuple[Words, dict[str, Any]]:
        from interpreter.compile.lower import lower_explained

        program, words = lower_explained(self.model, self.layout)
        return words, PythonCode(self._tallied(program), "wait", tally=self._tally).functions

    def text(self, move: str, vector: Sequence[int], *names: Any) -> tuple[Any, ...]:
        """Return what fills the holes of a move's text. `names`: who decides, what the ask gives, what is chosen."""
        words, functions = self._explained
        return tuple([functions[f"f{n}"](vector, None, *names) for n in words.moves[move].text])

    def holds(self, move: str, condition: int, vector: Sequence[int], *names: Any) -> bool:
        """Return whether a condition of a move holds."""
        words, functions = self._explained
        return bool(functions[f"f{words.moves[move].needs[condition]}"](vector, None, *names))

    def refusal(self, move: str, condition: int, vector: Sequence[int], *names: Any) -> tuple[Any, ...]:
        """Return what fills the holes of the text with which a condition refuses."""
        words, functions = self._explained
        return tuple([functions[f"f{n}"](vector, None, *names) for n in words.moves[move].refusals[condition]])

    def domain(self, move: str, choice: int, vector: Sequence[int], *names: Any) -> list[Any]:
        """Return all values of a choice of a move, legal or not, after the choices before it."""
        words, functions = self._explained
        return list(functions[f"f{words.moves[move].domains[choice]}"](vector, None, *names))

    def shows(self, place: str) -> Callable[[Sequence[int], int], int] | None:
        """Return what pieces show on a place, by the state and their kind; None where the rules do not say."""
        words, functions = self._explained
        function = functions.get(f"f{words.shows[place]}") if place in words.shows else None
        return None if function is None else lambda vector, kind: function(vector, None, kind)

    def drawn(self, key: ViewKey) -> Callable[..., Any] | None:
        """Return an expression of the view, by the state and the names it may use; None where the rules do not say."""
        words, functions = self._explained
        function = functions.get(f"f{words.drawn[key]}") if key in words.drawn else None
        return None if function is None else lambda vector, *names: function(vector, None, *names)


class PythonCode:
    """A program printed as Python: its functions, and those of each decision by the block that waits for it."""

    def __init__(
        self,
        program: Program,
        mode: str,
        watched: Callable[[tuple[int, int]], None] | None = None,
        tally: list[int] | None = None,
    ) -> None:
        from interpreter.compile.program import Ask
        from interpreter.compile.to_python import to_python

        self.functions = functions_of(to_python(program, mode), program, watched, tally)
        self.blocks: list[Callable[[list[int], Run], int]] = [
            self.functions[f"b{n}"] for n in range(len(program.blocks))
        ]
        asks = [n for n, d in program.decisions.items() if isinstance(d, Ask)]
        self.asks: dict[int, Callable[..., tuple[int, list[Any]]]] = {n: self.functions[f"ask{n}"] for n in asks}
        self.given: dict[int, Callable[..., tuple[Any, ...]]] = {n: self.functions[f"given{n}"] for n in asks}
        self.drawings: dict[int, tuple[Callable[..., Any], Callable[..., Any]]] = {
            n: (self.functions[f"drawn{n}"], self.functions[f"f{d.drawing.legal}"])
            for n, d in program.decisions.items()
            if isinstance(d, Ask) and d.drawing is not None and mode == "wait"
        }
        self.weights: dict[int, Callable[..., list[tuple[int, int]]]] = {
            n: self.functions[f"weights{n}"] for n in program.decisions if n not in self.asks
        }
        self.plays: dict[int, Callable[..., int]] = {n: self.functions[f"play{n}"] for n in program.decisions}

    def go(self, vector: list[int], run: Run, block: int) -> None:
        """Run from a block on until a decision is waited for or the game is over."""
        blocks = self.blocks
        try:
            while block >= 0:
                block = blocks[block](vector, run)
        except Fault as fault:
            fault.idle = run.idle
            raise


def functions_of(
    text: str,
    program: Program,
    watched: Callable[[tuple[int, int]], None] | None = None,
    tally: list[int] | None = None,
) -> dict[str, Callable[..., Any]]:
    """Return the functions of a program that was printed as Python."""

    def fault(number: int, *values: int) -> None:
        raise program.faults[number].fault(*values)

    given = {"fault": fault, "watched": watched or _ignored, "tally": [0] if tally is None else tally, **RUNTIME}
    return run(text, Surroundings(given, frozenset(Run.__slots__)))


def _ignored(refused: tuple[int, int]) -> None:
    """Stand in for a watcher: programs that watch no refusals never call it."""
