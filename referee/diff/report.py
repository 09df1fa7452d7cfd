"""Two rule sets compared: what differs in the rules, and the first position in which play differs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from interpreter import (
    CHANCE,
    Budget,
    BudgetSpent,
    CountedGame,
    Game,
    LedgerLine,
    State,
    UnreadableMove,
    begin_example,
    cost_of,
    find_examples,
    lockstep,
)
from referee.diff import texts as words
from referee.record.texts import who as player_name
from referee.rulebook.make import entry_lines
from referee.shell.blocks import plain
from referee.shell.board import Board
from referee.shell.narration import limit_text, outcome_text, outcomes_text
from rulespec import (
    DISK,
    Change,
    ChangeKind,
    Difference,
    Files,
    OptionError,
    PlayersError,
    RuleFileError,
    Rules,
    Span,
    compare_rules,
    listed,
    listed_names,
    nodes,
    number_of,
    number_range,
    open_rules,
    shown_file,
    signed,
)

MOST_SHOWN = 4  # moves that only one of them allows
MOST_IN_EXAMPLES = 5_000  # decisions to follow from worked examples
BEGINNING = 5  # the cost of starting an example, in decisions


@dataclass(frozen=True, slots=True)
class Played:
    """How the two were played: with how many players, how many games, and where they differ."""

    players: tuple[int, ...]
    games: int
    asked: int = 0  # games that were requested, if they were too much work; else 0
    parting: lockstep.Parting | None = None
    example: lockstep.Parting | None = None  # a shorter way to it, from a worked example
    pair: tuple[Game, Game] | None = None  # the games of `parting`
    example_pair: tuple[Game, Game] | None = None


@dataclass(frozen=True, slots=True)
class DifferenceReport:
    names: tuple[str, str]
    difference: Difference
    played: Played | None

    @property
    def same(self) -> bool:
        return not self.difference.changes

    def lines(self, brief: bool = False) -> Iterator[str]:
        """Yield the report for people; if it is to be `brief`, one line for each difference, and no boards."""
        yield self._heading()
        if self.difference.choices[0]:
            shared = dict(self.difference.choices[1])
            shared = {k: v for k, v in self.difference.choices[0].items() if shared.get(k) == v}
            other = {k: v for k, v in shared.items() if v != self._default(k)}
            if other:
                yield words.AS_CHOSEN.format(choices=listed(f"{k}={v}" for k, v in other.items()))
        if brief:
            yield from (words.brief(change) for change in self.difference.changes)
        else:
            for change in self.difference.changes:
                yield ""
                yield words.headline(change)
                yield from words.details(change, self._sentences(change))
        if self.played is not None and not self.same:
            yield ""
            yield from self._played(self.played, brief)

    def _sentences(self, change: Change) -> tuple[str, ...]:
        """Return a whole entry that is new or gone in the words of the rulebook, where it has any."""
        d = self.difference
        if len(change.path) != 2 or change.how not in (ChangeKind.ADDED, ChangeKind.REMOVED):
            return ()
        added = change.how is ChangeKind.ADDED
        rules, choices = (d.after, d.choices[1]) if added else (d.before, d.choices[0])
        return entry_lines(rules, choices, str(change.path[0]), str(change.path[1]))

    def _default(self, option: str) -> str:
        return next(o.choices[0].name for o in self.difference.before.options if o.name == option)

    def _heading(self) -> str:
        a, b = self.names
        if self.same:
            return words.SAME.format(a=a, b=b)
        sorts = [c.sort for c in self.difference.changes]
        counts = [number_of(n, noun) for sort, noun in words.COUNTED.items() if (n := sorts.count(sort))]
        line = words.DIFFERS if len(sorts) == 1 else words.DIFFER
        return line.format(a=a, b=b, counts=listed(counts))

    def _played(self, played: Played, brief: bool) -> Iterator[str]:
        if not played.players:
            sides = zip("ab", (self.difference.before, self.difference.after), strict=True)
            players = {f"players_{k}": number_range(rules.players, "player") for k, rules in sides}
            yield words.NO_COMMON_PLAYERS.format(a=self.names[0], b=self.names[1], **players)
            return
        if played.parting is None:
            games = number_of(played.games, "game")
            yield words.NOT_PARTED.format(games=games, players=number_range(played.players, "player"))
            if played.asked:
                yield words.NOT_ALL_PLAYED.format(asked=number_of(played.asked, "game"))
        ways = [(played.example, played.example_pair), (played.parting, played.pair)]
        found = [_parting_lines(self.names, pair, way, not brief) for way, pair in ways if way and pair]
        for n, lines in enumerate(found[:1] if brief else found):
            if n or played.parting is None:
                yield ""
            yield from lines

    def as_data(self) -> dict[str, object]:
        d = self.difference
        played = self.played
        play: dict[str, object] | None = None
        if played is not None:
            play = {
                "players": list(played.players),
                "games": played.games,
                "stopped": bool(played.asked),
                "parting": _parting_data(played.pair, played.parting),
                "example": _parting_data(played.example_pair, played.example),
            }
        return {
            "version": 1,
            "same": self.same,
            "a": {"name": self.names[0], "title": d.before.title, "options": d.choices[0]},
            "b": {"name": self.names[1], "title": d.after.title, "options": d.choices[1]},
            "changes": [{**_change_data(c), "says": list(self._sentences(c))} for c in d.changes],
            "play": play,
        }


def report_difference(
    a: str,
    b: str,
    players: int | None = None,
    choices: dict[str, str] | None = None,
    games: int | None = None,
    house: tuple[str, ...] = (),
    files: Files = DISK,
) -> DifferenceReport:
    """Return what differs between two games or files, the second one with house rules on top of it.

    With `games`, both are played with the same decisions: that many games for each number of players.
    """
    choices = choices or {}
    before, after = open_rules(a, files=files), open_rules(b, house=house, files=files)
    known = {o.name for rules in (before, after) for o in rules.options}
    if unknown := [name for name in choices if name not in known]:
        raise OptionError(f"no option called `{unknown[0]}`; known options: {listed_names(sorted(known))}")
    difference = compare_rules(before, after, choices)
    for rules, chosen in zip((before, after), difference.choices, strict=True):
        rules.check(players, chosen)  # errors in either are reported first
    names = a, " + ".join([b, *house])
    played = _play(difference, players, games) if games is not None and difference.changes else None
    return DifferenceReport(names, difference, played)


def _play(d: Difference, players: int | None, games: int) -> Played:
    numbers = [n for n in d.before.players_for(d.choices[0]) if n in d.after.players_for(d.choices[1])]
    tried = numbers if players is None else [players]
    lures = _lures(d.changes)
    parting: lockstep.Parting | None = None
    pair: tuple[Game, Game] | None = None
    total = 0
    budget = Budget("games played side by side", lockstep.EACH * games)
    for number in tried:
        one, two = (_game(rules, number, c) for rules, c in zip((d.before, d.after), d.choices, strict=True))
        found, played = lockstep.Lockstep(one, two, lures).search(games, budget)
        total += played
        if found is not None and (parting is None or parting.kind == lockstep.CHANCES):
            parting, pair = found, (one, two)
            if found.kind != lockstep.CHANCES:
                break
    example, example_pair = None, None
    if parting is None or _by_players(parting) or _is_luck(parting):
        example, example_pair = _in_examples(d, tried, Budget("worked examples", MOST_IN_EXAMPLES))
    if example and parting and not _is_luck(parting) and _by_players(example) >= _by_players(parting):
        example, example_pair = None, None
    shown = (pair[0].players,) if pair else tuple(tried)
    asked = games * len(tried) if not budget.left else 0
    return Played(shown, total, asked, parting, example, pair, example_pair)


def _by_players(parting: lockstep.Parting) -> int:
    """Return how many of the decisions that lead there are those of players."""
    return sum(who != CHANCE for who, _ in parting.texts)


def _is_luck(parting: lockstep.Parting) -> bool:
    """Return whether they part at a decision of chance: what can come of it, how likely, or that there is one at all."""
    to_move = [side.state.to_move for side in parting.sides if side.state is not None]
    return CHANCE in to_move and parting.kind in (lockstep.CHANCES, lockstep.MOVES, lockstep.TURN)


def _game(rules: Rules, players: int, choices: dict[str, str]) -> Game:
    return CountedGame(rules, rules.check(players, choices)[0])


def _lures(changes: tuple[Change, ...]) -> frozenset[str]:
    """Return the words in the changed rules: moves with such words lead to where the changes matter."""
    found: set[str] = set()
    for c in changes:
        text = " ".join([*map(str, c.path), c.text_before or "", c.text_after or ""])
        found |= set(re.findall(r"[a-z0-9_.]+", text))
    return frozenset(found)


def _in_examples(
    d: Difference, players: list[int], budget: Budget
) -> tuple[lockstep.Parting | None, tuple[Game, Game] | None]:
    """Return the shortest way to a difference from the position of a worked example."""
    pairs: dict[int, tuple[Game, Game]] = {}
    best: lockstep.Parting | None = None
    best_pair: tuple[Game, Game] | None = None
    own = d.after.files[-1].tree.span.file
    entries = [e for rules in (d.after, d.before) for e, chosen in find_examples(rules) if not chosen]
    for entry in sorted(entries, key=lambda e: e.key.span.file != own):
        number, play = _example_head(entry.value, players)
        if number is None:
            continue
        if not budget.left:
            break
        try:
            budget.spend(min(BEGINNING, budget.left))
            if number not in pairs:
                sides = zip((d.before, d.after), d.choices, strict=True)
                one, two = (_game(rules, number, c) for rules, c in sides)
                pairs[number] = one, two
            a, b = (begin_example(game, entry) for game in pairs[number])
            for game, state in zip(pairs[number], (a, b), strict=True):
                budget.spend(cost_of(game, state) - 1 if state is not None else 0)
        except (RuleFileError, PlayersError, OptionError):
            continue
        except BudgetSpent:
            break
        if a is None or b is None:
            continue
        found = lockstep.Lockstep(*pairs[number]).from_examples([(entry.key.text, a, b, play)], budget)
        if found and found.kind != lockstep.OUTCOME and (best is None or len(found.decisions) < len(best.decisions)):
            best, best_pair = found, pairs[number]
    return best, best_pair


def _example_head(node: nodes.Node, players: list[int]) -> tuple[int | None, tuple[str, ...]]:
    """Return how many play in an example, and what is decided; None if it is for other players or options."""
    if not isinstance(node, nodes.Mapping) or node.get("with") is not None or not players:
        return None, ()
    said = node.get("players")
    number = said.value if isinstance(said, nodes.Scalar) and isinstance(said.value, int) else players[0]
    moves = node.get("play")
    items = moves.items if isinstance(moves, nodes.Sequence) else ()
    return (number if number in players else None), tuple(i.text for i in items if isinstance(i, nodes.Scalar))


# --- a parting in words -------------------------------------------------------------------------------------------


def _parting_lines(
    names: tuple[str, str], pair: tuple[Game, Game], parting: lockstep.Parting, boards: bool
) -> Iterator[str]:
    players = number_of(pair[0].players, "player")
    number = number_of(len(parting.decisions), "decision")
    if parting.example:
        line = words.IN_EXAMPLE_AFTER if parting.decisions else words.IN_EXAMPLE
        yield line.format(name=parting.example, players=players, decisions=number)
    else:
        line = (words.PARTED if parting.decisions else words.PARTED_AT_START).format(players=players, decisions=number)
        yield line + (words.FEWEST if parting.shortest and parting.decisions else "")
    yield from _decisions(parting)
    state = parting.sides[0].state
    if state is not None and boards:
        yield ""
        yield words.POSITION.format(name=names[0])
        yield from (f"  {plain(line)}".rstrip() for line in Board(pair[0]).lines(state))
        yield ""
    sides = parting.sides
    match parting.kind:
        case lockstep.MOVES:
            for i in (0, 1):
                yield from _only(names, pair, i, sides)
        case lockstep.POINTS:
            for i in (0, 1):
                yield from _points(names[i], pair[i], sides[i], sides[1 - i])
        case lockstep.TURN | lockstep.OUTCOME:
            for name, game, side in zip(names, pair, sides, strict=True):
                yield _turn(name, game, side)
        case lockstep.CHANCES:
            for name, game, side in zip(names, pair, sides, strict=True):
                odds = [f"{m} {weight}" for m, weight in game.chances(side.state)] if side.state else []
                yield words.ODDS.format(name=name, odds=", ".join(odds))
        case lockstep.FAULT:
            for name, side in zip(names, sides, strict=True):
                fault = side.fault
                line = words.FAULT.format(name=name, message=fault.message, at=fault.span) if fault else ""
                yield line or words.GOES_ON.format(name=name)


def _decisions(parting: lockstep.Parting) -> Iterator[str]:
    """Yield what was decided: each player's decision on a line, those of chance between them together."""
    for is_chance, group in groupby(parting.texts, lambda decided: decided[0] == CHANCE):
        if is_chance:
            yield words.CHANCE_DECIDES.format(outcomes=outcomes_text(text for _, text in group))
            continue
        for player, text in group:
            yield words.PLAYER_DECIDES.format(player=player, text=text)


def _only(
    names: tuple[str, str], pair: tuple[Game, Game], i: int, sides: tuple[lockstep.Side, lockstep.Side]
) -> Iterator[str]:
    other = 1 - i
    state, theirs = sides[i].state, sides[other].state
    if state is None or theirs is None:
        return
    for move in sides[i].only[:MOST_SHOWN]:
        text = pair[i].describe(state, move)
        yield words.ONLY.format(name=names[i], move=f"`{move}`" + (f" ({text})" if text != str(move) else ""))
        for reason, span in _reasons(pair[other], theirs, str(move)):
            where = f" ({span})" if span else ""
            yield words.REFUSED.format(name=names[other], reason=reason + where)
    if len(sides[i].only) > MOST_SHOWN:
        yield words.MORE_ONLY.format(name=names[i], more=len(sides[i].only) - MOST_SHOWN)


def _reasons(game: Game, state: State, move: str) -> list[tuple[str, Span | None]]:
    """Return why a move of the other game is not possible in this one."""
    try:
        return [(o.text, o.span) for o in game.objections(state, move)]
    except UnreadableMove as error:
        return [(str(error), None)]


def _points(name: str, game: Game, side: lockstep.Side, other: lockstep.Side) -> Iterator[str]:
    """Yield the scores, and the reasons for points that the other side does not have."""
    if side.state is None:
        return
    theirs = Counter(_reason(line) for line in other.scored)
    scores = [words.POINTS_OF.format(player=p, points=n) for p, n in game.scores(side.state).items()]
    yield words.HAS.format(name=name, scores=", ".join(scores))
    for line in side.scored:
        if theirs[_reason(line)]:
            theirs[_reason(line)] -= 1
            continue
        points = signed(line.points) + limit_text(line)
        span = line.span
        yield words.LEDGER.format(
            player=line.player,
            points=points,
            text=line.text,
            rule=line.rule,
            file=shown_file(span.file),
            line=span.line,
        )


def _reason(line: LedgerLine) -> tuple[object, ...]:
    return line.player, line.rule, line.text, line.points, line.gained


def _turn(name: str, game: Game, side: lockstep.Side) -> str:
    state = side.state
    outcome = game.outcome(state) if state is not None else None
    if outcome is not None:
        return words.OVER.format(name=name, over=outcome_text(outcome, player_name))
    who = words.CHANCE if state is None or state.to_move == CHANCE else words.PLAYER.format(player=state.to_move)
    return words.TO_MOVE.format(name=name, who=who)


# --- data ---------------------------------------------------------------------------------------------------------


def _at(span: Span | None) -> dict[str, object] | None:
    return {"file": span.file, "line": span.line, "column": span.col} if span else None


def _change_data(c: Change) -> dict[str, object]:
    return {
        "path": list(c.path),
        "how": c.how,
        "sort": c.sort,
        "what": words.headline(c),
        "before": c.text_before,
        "after": c.text_after,
        "before_at": _at(c.before_at),
        "after_at": _at(c.after_at),
        "also": [list(path) for path in c.also],
    }


def _parting_data(pair: tuple[Game, Game] | None, parting: lockstep.Parting | None) -> dict[str, object] | None:
    if parting is None or pair is None:
        return None
    sides = []
    for i, side in enumerate(parting.sides):
        state, theirs = side.state, parting.sides[1 - i].state
        only = []
        for move in side.only:
            reasons = _reasons(pair[1 - i], theirs, str(move)) if theirs is not None else []
            refused = [{"text": text, "at": _at(span)} for text, span in reasons]
            only.append({"move": str(move), "refused": refused})
        scored = [
            {
                "player": n.player,
                "rule": n.rule,
                "text": n.text,
                "points": n.points,
                "gained": n.gained,
                "at": _at(n.span),
            }
            for n in side.scored
        ]
        outcome = pair[i].outcome(state) if state is not None else None
        sides.append(
            {
                "to_move": state.to_move if state is not None else None,
                "scores": pair[i].scores(state) if state is not None else {},
                "winners": list(outcome.winners) if outcome else [],
                "only": only,
                "scored": scored,
                "fault": side.fault.message if side.fault else None,
            }
        )
    return {
        "kind": parting.kind,
        "players": pair[0].players,
        "example": parting.example or None,
        "decisions": list(parting.decisions),
        "shortest": parting.shortest,
        "a": sides[0],
        "b": sides[1],
    }
