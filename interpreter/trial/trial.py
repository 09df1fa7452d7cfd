"""Rules on trial: random and greedy games over all players and options, and everything in them that is not as it should be.

Faults come with the shortest way to them. What no game and no example reached is probably not as meant: a move that is
never legal, a condition that never refuses, a scoring rule that never scores, a branch never taken, a choice of an
option that plays like another one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from math import prod

from interpreter.budget import Budget, BudgetSpent, cost_of
from interpreter.fault import LIMIT, Fault, FaultCode
from interpreter.game import Game
from interpreter.state import Move, State
from interpreter.trial.coverage import Coverage, CoveredGame, cover_examples, extra_work
from interpreter.trial.good_play import any_move, greedy, play
from interpreter.trial.remarks import (
    Seats,
    Taken,
    best_remarks,
    choice_remarks,
    nothing_remarks,
    offered_remarks,
    pass_remarks,
    seat_remarks,
    seats_count,
)
from interpreter.trial.same_choice import alike_choices
from interpreter.trial.shrink import MOST_WORK, Way, fault_after, fault_key, follow, same_fault, shrink
from rulespec.diagnostics.diagnostic import Diagnostic, Span
from rulespec.english import listed, number_of
from rulespec.options.combinations import combinations_to_check
from rulespec.options.layers import OptionError
from rulespec.rules import Rules
from rulespec.syntax import SetStep, Values, all_steps, bodies

MOST_DECISIONS = 10_000  # of one game; one that takes longer counts as endless
MOST_ENDLESS = 3  # games that do not end: then no more are played, each takes long
MOST_COMBINATIONS = 4_096
MOST_SHRUNK = 10  # faults; those beyond are reported as they came
RETRIES = 20  # games that look for a fault again with fewer players or other options
MOST_RETRIED = 3_000  # decisions of such games, for one fault
MOST_COMPARED = 20_000  # decisions to tell the choices of options apart
RANDOM_FOR_GREEDY = 4  # random games for each greedy one,
MOST_GREEDY = 50  # and how many there are at most
GREEDY_WORK = 100_000  # random continuations in all of them,
GREEDY_SETTINGS = 4  # and for how many numbers of players and choices of options they are played

Setting = tuple[int, dict[str, str]]  # players and choices
Tell = Callable[[int], None] | None
Watch = Callable[[str, int], AbstractContextManager[Tell]]  # a part of the trial, and how much there is to do in it
RANDOM, GREEDY, SHORTENING = "random", "greedy", "shortening"  # the parts


@dataclass(frozen=True, slots=True)
class FoundFault:
    """A fault, and how to reach it."""

    fault: Fault
    players: int
    choices: dict[str, str]
    way: Way
    refusing: tuple[tuple[str, Span], ...] = ()  # if no move is legal: what refuses which move, and where


Firsts = dict[tuple[Span, str], FoundFault]  # of faults with one cause, the one that came soonest


@dataclass(slots=True)
class Trial:
    """The result of a trial."""

    games: int = 0  # at random
    ended: int = 0  # random games that ended
    greedy: int = 0  # games between players who play well
    settings: int = 0  # numbers of players with choices of options that were played
    all_settings: int = 0
    coverage: Coverage = field(default_factory=Coverage)
    faults: list[FoundFault] = field(default_factory=list)
    most_decisions: int = MOST_DECISIONS  # of one game
    endless: list[tuple[Setting, Span]] = field(default_factory=list)  # and where the last one to decide was asked
    alike: list[Diagnostic] = field(default_factory=list)
    seats: Seats = field(default_factory=dict)
    taken: Taken = field(default_factory=Taken)
    remarks: list[Diagnostic] = field(default_factory=list)

    @property
    def stopped(self) -> bool:
        """Return whether fewer games, or not all examples, were played: their decisions took too much work."""
        return self.coverage.stopped

    @property
    def is_conclusive(self) -> bool:
        """Return whether most games ended; otherwise much was not reached for that reason alone."""
        return 2 * self.ended > self.games and not self.stopped

    @property
    def games_text(self) -> str:
        """Return `40 random and 10 greedy games`."""
        if not self.greedy:
            return number_of(self.games, "random game")
        return f"{self.games:,} random and {number_of(self.greedy, 'greedy game')}"

    def diagnostics(self, rules: Rules) -> list[Diagnostic]:
        """Return everything found, in the form of all complaints about rule files.

        What a house rule leaves unreached of the file it extends is no fault of either.
        """
        own = rules.layers.files[-1].tree.span.file
        found = [_fault(rules, alike) for alike in _alike(self.faults)]
        found += [_endless(rules, self.most_decisions, *e) for e in self.endless[:1]]
        if self.is_conclusive:
            found += [d for d in (*_missed(self), *self.alike, *self.remarks) if d.span.file == own]
        return sorted(found)


def try_rules(
    rules: Rules,
    games: int,
    seed: int = 0,
    watch: Watch | None = None,
    most_work: int = MOST_WORK,
    most_decisions: int = MOST_DECISIONS,
) -> Trial:
    """Play `games` random games, spread over all players and options, and some greedy ones; `watch` shows how far it is."""
    watch = watch or _unwatched
    trial = Trial(most_decisions=most_decisions)
    cover_examples(rules, trial.coverage)
    shown = set(trial.coverage.of_nothing)
    every = [(players, choices) for choices in combinations(rules) for players in rules.players_for(choices)]
    settings = spread(every, games, seed)
    trial.all_settings, trial.settings = len(every), len(settings)
    first: Firsts = {}
    with watch(RANDOM, games) as tell:
        _play_at_random(rules, trial, settings, games, seed, first, tell)
    wanted = min(MOST_GREEDY, -(-games // RANDOM_FOR_GREEDY))
    if trial.is_conclusive:
        with watch(GREEDY, wanted) as tell:
            _play_well(rules, trial, settings, wanted, seed, first, tell)
    shrunk = min(MOST_SHRUNK, len(first))
    if first:
        with watch(SHORTENING, most_work) as tell:
            trial.faults = [
                _simplest(rules, found, most_work // shrunk, _from(tell, n * (most_work // shrunk)))
                if n < shrunk
                else _explained(found, _game(rules, found.players, found.choices))
                for n, (_, found) in enumerate(sorted(first.items()))
            ]
    if trial.is_conclusive:
        budget = Budget("whether choices of options differ", MOST_COMPARED)
        trial.alike = list(alike_choices(rules, [c for _, c in every], games, seed, budget))
    if trial.is_conclusive and not trial.faults:
        several = next((s for s in every if s[0] > 1), every[0])
        trial.remarks = [
            *seat_remarks(rules, trial.seats),
            *offered_remarks(trial.coverage.offered, trial.games_text),
            *choice_remarks(trial.taken),
            *nothing_remarks(trial.coverage.of_nothing.keys() - shown),
            *pass_remarks(rules, *several, seed),
            *best_remarks(rules, *several, trial.taken, seed),
        ]
    return trial


@contextmanager
def _unwatched(_part: str, _total: int) -> Iterator[Tell]:
    yield None


def _from(tell: Tell, done: int) -> Tell:
    """Return how to tell of a part of the work, of which that much is done already."""
    return None if tell is None else lambda more: tell(done + more)


def _note(first: Firsts, fault: Fault, setting: Setting, made: list[Move]) -> None:
    key = fault_key(fault)
    if key not in first or len(made) < len(first[key].way.decisions):
        first[key] = FoundFault(fault, *setting, Way(tuple(made)))


def _play_at_random(
    rules: Rules, trial: Trial, settings: list[Setting], games: int, seed: int, first: Firsts, tell: Tell
) -> None:
    budget = extra_work(games)
    for number, (players, choices) in enumerate(settings):
        game = _game(rules, players, choices, trial.coverage, max(LIMIT, trial.most_decisions + 1))
        for i in range(number, games, len(settings)):
            rng = random.Random(seed * 1_000_003 + i)
            asked = Counter[int]()
            try:
                made, end = play_open(game, rng, trial.most_decisions, budget, 1, asked)
            except BudgetSpent:
                trial.coverage.stopped = True
                break
            trial.games += 1
            if isinstance(end, Fault):
                _note(first, end, (players, choices), made)
            elif end.to_move is None:
                trial.ended += 1
                if seats_count(game.model):
                    trial.seats.setdefault(players, []).append(asked)
            else:
                trial.endless.append(((players, choices), game.compiled.decisions[end.vector[0]].span))
            if tell is not None:
                tell(trial.games)
            if isinstance(end, State) and end.to_move is not None:
                break  # the other games of this setting would take as long
        game.count_points()
        if len(trial.endless) >= MOST_ENDLESS or not budget.left:
            break


def _play_well(
    rules: Rules, trial: Trial, settings: list[Setting], games: int, seed: int, first: Firsts, tell: Tell
) -> None:
    """Play greedy games, natively where there is a library; each is decided once more in Python, to see what it reaches."""
    budget = Budget("greedy games", GREEDY_WORK)
    settings = settings[:: -(-len(settings) // GREEDY_SETTINGS)][:games]
    for number, setting in enumerate(settings):
        model, _ = rules.check(*setting)
        trial.taken.models.append(model)
        game, covered = Game(rules, model), CoveredGame(rules, model, trial.coverage)
        for i in range(number, games, len(settings)):
            try:
                players = trial.taken.watching(greedy(budget, alone=i % 2 == 0))
                made, end = play(game, players, random.Random(seed * 1_000_003 + i))
            except BudgetSpent:
                break
            trial.greedy += 1
            if isinstance(end, Fault):
                _note(first, end, setting, made)
            fault_after(covered, made)
            if tell is not None:
                tell(trial.greedy)
        covered.count_points()
        if not budget.left:
            return


def combinations(rules: Rules) -> list[dict[str, str]]:
    """Return all combinations of options; of very many those that show whatever checking all would show."""
    if prod(len(option.open_choices) for option in rules.options) <= MOST_COMBINATIONS:
        return rules.combinations()
    return combinations_to_check(rules.layers)


def spread(every: list[Setting], games: int, seed: int = 0) -> list[Setting]:
    """Return as many settings as there are games: all, or some in which every choice and number of players comes up early."""
    if games >= len(every):
        return every
    mixed = [every[0], *random.Random(seed).sample(every[1:], len(every) - 1)]
    seen: set[object] = set()
    new: list[Setting] = []
    rest: list[Setting] = []
    for setting in mixed:
        parts = {setting[0], *setting[1].items()}
        (rest if parts <= seen else new).append(setting)
        seen |= parts
    return [*new, *rest][:games]


def play_open(
    game: CoveredGame,
    rng: random.Random,
    most: int = MOST_DECISIONS,
    budget: Budget | None = None,
    usual: int = 0,
    asked: Counter[int] | None = None,
) -> tuple[list[Move], State | Fault]:
    """Return a random game, every decision of chance included: all that was decided, and the last position or the fault.

    Of what a decision costs, `usual` is not taken from the budget. `asked` counts who decided how often.
    """
    made: list[Move] = []
    try:
        state = game.start()
        while state.to_move is not None and len(made) < most:
            made.append(any_move(game, state, rng))
            if asked is not None and state.to_move:
                asked[state.to_move] += 1
            state = game.apply(state, made[-1])
            if budget is not None:
                budget.spend(cost_of(game, state) - usual)
    except Fault as fault:
        if budget is not None:
            budget.use(cost_of(game, fault) - usual)
        return made, fault
    return made, state


def _game(
    rules: Rules, players: int, choices: dict[str, str], coverage: Coverage | None = None, limit: int | None = None
) -> CoveredGame:
    model, _ = rules.check(players, choices)
    return CoveredGame(rules, model, Coverage() if coverage is None else coverage, limit)


# Faults ---------------------------------------------------------------------------------------------------


def _simplest(rules: Rules, found: FoundFault, most_work: int, tell: Tell) -> FoundFault:
    """Return the same fault with as few changed options and as few players as can be, and then the shortest way to it."""
    budget = Budget("the same fault with fewer players", MOST_RETRIED)
    for option in rules.options:
        if found.choices[option.name] != option.default:
            usual = {**found.choices, option.name: option.default}
            found = _elsewhere(rules, found, found.players, usual, budget) or found
    for players in range(1, found.players):
        if fewer := _elsewhere(rules, found, players, found.choices, budget):
            found = fewer
            break
    game = _game(rules, found.players, found.choices)
    way = shrink(game, found.way.decisions, found.fault, most_work, tell)
    return _explained(replace(found, way=way), game)


def _explained(found: FoundFault, game: CoveredGame) -> FoundFault:
    """Return the fault as its way ends in it, with what refuses the moves there if none is legal."""
    game.compiled.refused.clear()
    try:
        state = game.start()
        for move in found.way.decisions:
            game.compiled.refused.clear()
            state = game.apply(state, move)
    except Fault as fault:
        refusing = tuple(_refusing(game, fault)) if fault.code is FaultCode.NO_MOVE else ()
        return replace(found, fault=fault, refusing=refusing)
    return found


def _refusing(game: CoveredGame, fault: Fault) -> Iterator[tuple[str, Span]]:
    """Yield what refused the moves of the question that has no answer, by the last decision."""
    asked = {name for d in game.compiled.decisions.values() if d.span == fault.span for name in d.moves}
    refused = game.refused()
    for move in (game.model.moves[name] for name in game.model.moves if name in asked):
        names = [c for c in move.conditions if (move.name, c.name) in refused]
        yield from ((f"`{c.name}` refuses `{move.name}`", c.span) for c in names)
        if not names and move.choices:
            yield f"`{move.name}` has nothing to choose from", move.choices[0].span


def _alike(faults: list[FoundFault]) -> list[list[FoundFault]]:
    """Return the faults, those that say the same of different steps together; first the one with the shortest way."""
    groups: dict[tuple[str, FaultCode], list[FoundFault]] = {}
    for found in sorted(faults, key=lambda f: (len(f.way.decisions), f.fault.span)):
        groups.setdefault((found.fault.message, found.fault.code), []).append(found)
    return list(groups.values())


def _elsewhere(
    rules: Rules, found: FoundFault, players: int, choices: dict[str, str], budget: Budget
) -> FoundFault | None:
    """Return the same fault with other players and choices, if it can be found there."""
    try:
        if players not in rules.players_for(choices):
            return None
        game = _game(rules, players, choices)
    except OptionError:  # these choices cannot be played together
        return None
    part = budget.part(budget.left // 2)
    try:
        return _again(game, found, players, choices, part)
    except BudgetSpent:
        return None
    finally:
        budget.took(part)


def _again(
    game: CoveredGame, found: FoundFault, players: int, choices: dict[str, str], budget: Budget
) -> FoundFault | None:
    try:
        if decisions := follow(game, game.start(), found.way.decisions, found.fault, budget):
            return FoundFault(found.fault, players, choices, Way(tuple(decisions)))
    except Fault:
        pass  # it comes before any decision: the first game below finds it
    for seed in range(RETRIES):
        made, end = play_open(game, random.Random(seed), budget=budget)
        if isinstance(end, Fault) and same_fault(end, found.fault):
            return FoundFault(found.fault, players, choices, Way(tuple(made)))
    return None


_FIXES = {
    FaultCode.BOUNDS: "widen what it `is`, or write `never below` and `never above`",
    FaultCode.IDLE: "let its condition depend on what is decided in it",
    FaultCode.LONG_LISTING: "loop over shorter lists in the conditions of the move",
    FaultCode.MANY_MOVES: "give the move fewer choices, or split it into several decisions",
    FaultCode.NEGATIVE: "write `max(0, …)`, or test it first",
    FaultCode.NO_MOVE: "write `otherwise:` with what happens then, or `otherwise: []` if nothing does",
    FaultCode.NO_ROLL: "something must be left, with a weight above 0",
    FaultCode.NO_ROOM: "give the `move` a last place that is unlimited: `…, then somewhere`",
    FaultCode.OUTSIDE: "limit it with `max(…, min(…, …))`, or test it first",
    FaultCode.TOO_FEW: "write `up to`, or test it first",
}


def _fault(rules: Rules, alike: list[FoundFault]) -> Diagnostic:
    found, *others = alike
    made = [str(move) for move in found.way.decisions]
    how = "at the start" if not made else f"after {number_of(len(made), 'decision')}"
    if found.way.shortest and made:
        how += ", the fewest that lead there"
    elif made:
        how += f" ({found.way.tried:,} tries found no shorter way)" if found.way.tried else ""
    why = f"with {setting_text(rules, (found.players, found.choices))} the rules cannot continue {how}"
    why += f": {', '.join(in_runs(made))}" if made else ""
    fix = _set_fix(rules, found) or _FIXES.get(found.fault.code, "")
    also = (*found.refusing, *(("the same", other.fault.span) for other in others))
    return rules.layers.blamed(Diagnostic(found.fault.span, "play-fault", found.fault.message, why, fix, also))


def _set_fix(rules: Rules, found: FoundFault) -> str:
    """Return the fix where a variable is set to what is none of its set, such as the players; empty for other faults."""
    model, _ = rules.check(found.players, found.choices)
    for _, _, body in bodies(model) if found.fault.code is FaultCode.BOUNDS else ():
        for step in all_steps(body):
            if isinstance(step, SetStep) and step.span == found.fault.span:
                t = model.variables[step.variable].type
                if isinstance(t, Values) and t.home in model.sets:
                    return f"test it first, or say what to use then: it must be one of `{t.home}`"
    return ""


def in_runs(words: list[str]) -> list[str]:
    """Return the words, equal ones in a row said once.

    >>> in_runs(["draw bead", "draw bead", "take 1"])
    ['2 times draw bead', 'take 1']
    """
    out: list[str] = []
    at = 0
    while at < len(words):
        n = 1
        while at + n < len(words) and words[at + n] == words[at]:
            n += 1
        out.append(words[at] if n == 1 else f"{n} times {words[at]}")
        at += n
    return out


def setting_text(rules: Rules, setting: Setting) -> str:
    """Return `2 players and heap_size: many`: what is not as usual."""
    players, choices = setting
    changed = [f"{o.name}: {choices[o.name]}" for o in rules.options if choices.get(o.name, o.default) != o.default]
    return listed([number_of(players, "player"), *changed])


# What is not as it should be --------------------------------------------------------------------------------


def _endless(rules: Rules, most: int, setting: Setting, last: Span) -> Diagnostic:
    model, _ = rules.check(*setting)
    message = f"a random game did not end within {most:,} decisions"
    why = f"it was played with {setting_text(rules, setting)}; nothing seems to guarantee that the game ends"
    fix = "let something run out, or count the rounds and stop"
    also = (("the last decision", last),)
    return Diagnostic(model.procedures["play"].span, "play-endless", message, why, fix, also, "warning")


def _missed(trial: Trial) -> list[Diagnostic]:
    """Return one complaint for each thing that never happened; not those that follow from another one."""
    coverage = trial.coverage
    missed = set(coverage.missed)
    refused = {p.span for p, times in coverage.reached.items() if times and p.kind == "condition"}
    why = f"it did not happen in {trial.games_text}, nor in an example"
    found = []
    for point in sorted(missed):
        if coverage.within.get(point) in missed or (point.kind == "condition" and point.name not in coverage.legal):
            continue
        match point.kind:
            case "move" if point.name in coverage.legal:
                continue  # it could have been decided
            case "move":
                code, what, level = "play-never-legal", f"the move `{point.name}` is never legal", "warning"
            case "condition" if point.span in refused:
                continue  # a move that is like this one has it too, and there it does
            case "condition":
                code, what, level = "play-never-refused", f"never: {point.what}", "warning"
            case "rule":
                code, what, level = "play-never-scored", f"never: {point.what}", "warning"
            case _:
                code, what, level = "play-never-reached", f"never: {point.what}", "note"
        found.append(Diagnostic(point.span, code, what, why, _NEVER_FIXES[code], level=level))
    return found


_NEVER_FIXES = {
    "play-never-legal": "see what its conditions refuse, and whether a step asks for it; or take it out",
    "play-never-refused": "if it can never refuse, take it out; if it can, show it in an example",
    "play-never-scored": "if it can score, show it in an example; else see where it is scored, and its points",
    "play-never-reached": "if it can happen, show it in an example",
}
