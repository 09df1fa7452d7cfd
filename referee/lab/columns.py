"""The rows of many games as columns of numbers, which are summed and compared much faster than rows one by one.

A row is made from them when somebody asks for it: `columns[3]` is that of the fourth game.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from math import isfinite
from operator import itemgetter, ne
from typing import Any, NamedTuple, overload

from referee.lab.arithmetic import Given, Numbers, counted_parts, derived, nothing, taken
from rulespec import json_text

Row = dict[str, Any]  # of one game, as JSON holds it

LINES, GIVEN, GAINED, NOTED = range(4)  # of a scoring rule: lines, their points, what scores really changed by
DECISIONS, ROUNDS, LEGAL, SINGLE, FIRST, WINNERS, STANDINGS, SCORES = range(
    8
)  # numbers of a game; from SCORES on several
PLAIN = ("decisions", "rounds", "legal", "single", "first")  # entries of a row that are these numbers
SEEN = 2  # numbers of what a watcher saw: a sum in millionths, and of how many
COUNTED = 200  # games of a study, the first ones, in all of which the legal moves of random players are counted
SELDOM = 256  # seeds from one to the next in whose game they are, after those
UNCOUNTED = -1  # in place of numbers of legal moves, in games where they are not counted
MARK = 8  # bytes of a mark
MOST_WORD = 60  # characters of a fault's name
MOST_PLAYERS = 62  # whose victories are bits of one number
FORM = 3  # of the bytes of columns


@dataclass(frozen=True, slots=True)
class ColumnHeads:
    """The facts about a game that its columns depend on."""

    players: int
    scores: int  # how many of them a row has
    rules: tuple[str, ...]
    use: tuple[str, ...]  # what is counted, in the order of a row
    watched: tuple[str, ...] = ()  # what watchers saw

    @property
    def rules_at(self) -> int:
        return SCORES + self.scores

    @property
    def use_at(self) -> int:
        return self.rules_at + NOTED * len(self.rules)

    @property
    def watched_at(self) -> int:
        return self.use_at + len(self.use)

    @property
    def width(self) -> int:
        """How many numbers a game has."""
        return self.watched_at + SEEN * len(self.watched)


NO_HEADS = ColumnHeads(1, 0, (), ())  # of columns without games


class Courses(NamedTuple):
    """How the lead went in games, a column for each thing that is said of it."""

    changes: list[int]  # of who leads alone
    half: list[int]  # who led alone at half-time; 0: nobody, or there were too few standings
    settled: list[float | None]  # the last standing at which the only winner did not lead, as part of all
    caught_up: list[float | None]  # points of the last after half-time, less those of the leader


class _Numbers(NamedTuple):
    """The numbers of games, one game after the other."""

    plain: array[int]  # `heads.width` of each game; none but decisions after a fault
    offered: array[float]  # of each use
    standings: array[int]  # of all players


class GameColumns(Sequence[Row]):
    """Rows of games with the same heads, as columns."""

    def __init__(self, heads: ColumnHeads) -> None:
        self.heads = heads
        self.seeds: list[int] = []  # of 128 bits
        self.faults: dict[int, str] = {}  # by the place of the game
        self.marks = array("Q")  # 0 after a fault
        self._own = _Numbers(array("q"), array("d"), array("q"))
        self._later: list[GameColumns] = []  # games that come after those, until somebody looks at their numbers
        self._courses: Courses | None = None
        self._derived: tuple[int, dict[str, Given]] = (0, {})  # of how many games, and what

    @classmethod
    def of(cls, rows: Sequence[Row], heads: ColumnHeads | None = None) -> GameColumns:
        """Return rows as columns. Without heads, they have what is in any of the rows."""
        if isinstance(rows, GameColumns) and heads in (None, rows.heads):
            return rows
        found = cls(heads or _heads_of(rows))
        for row in rows:
            found.add(row)
        return found

    # Rows ---------------------------------------------------------------------------------------------------

    def add(self, row: Row) -> None:
        """Take the row of one more game."""
        heads = self.heads
        if "fault" in row:
            self.add_fault(row["seed"], row["fault"], row["decisions"])
            return
        noted = [row[key] for key in PLAIN]
        noted += (winner_bits(row["winners"]), len(row["standings"]), *row["scores"])
        for rule in heads.rules:
            noted += row["rules"].get(rule, (0,) * NOTED)
        used = [row["use"].get(name, (0, 0.0)) for name in heads.use]
        noted += map(itemgetter(0), used)
        for name in heads.watched:
            noted += row.get("watched", {}).get(name, (0,) * SEEN)
        self.add_numbers(row["seed"], noted, map(itemgetter(1), used), int(row["mark"], 16))
        for standing in row["standings"]:
            self._standings.extend(standing)

    def add_fault(self, seed: int, fault: str, decisions: int) -> None:
        """Take a game that has no end."""
        self.faults[len(self)] = fault
        self.add_numbers(seed, [decisions, *[0] * (self.heads.width - 1)], [0.0] * len(self.heads.use), 0)

    def add_numbers(
        self, seed: int, numbers: Sequence[int], offered: Iterable[float], mark: int, standings: Iterable[int] = ()
    ) -> None:
        """Take the numbers of a game, which are in the order of columns."""
        assert len(numbers) == self.heads.width
        self.seeds.append(seed)
        self._numbers.fromlist(numbers if isinstance(numbers, list) else [*numbers])
        self._offered.extend(offered)
        self._standings.extend(standings)
        self.marks.append(mark)

    def take(
        self,
        seeds: Sequence[int],
        numbers: array[int],
        standings: array[int],
        marks: array[int],
        faults: dict[int, str],
    ) -> None:
        """Take the numbers of many games, one game after the other, whose uses of moves were not counted."""
        assert not self.heads.use and len(numbers) == self.heads.width * len(seeds)
        for place, fault in faults.items():
            self.faults[len(self) + place] = fault
        self.seeds += seeds
        if self.marks:
            self._numbers.extend(numbers)
            self._standings.extend(standings)
            self.marks.extend(marks)
        else:  # they are all there is
            self._own, self.marks = _Numbers(numbers, self._offered, standings), marks

    def extend(self, more: GameColumns) -> None:
        """Take the games of others. If they have other heads, all have what is in any row from then on."""
        if not self.seeds:
            self.heads = more.heads
        elif more.heads != self.heads:
            self.__dict__.update(GameColumns.of([*self, *more]).__dict__)
            return
        for place, fault in more.faults.items():
            self.faults[len(self) + place] = fault
        self.seeds += more.seeds
        self.marks += more.marks
        self._later.append(more)

    def _joined(self) -> _Numbers:
        """Return the numbers of all games: to make them longer chunk by chunk would move them again and again."""
        if self._later:
            every = [self._own, *(more._joined() for more in self._later)]
            self._later = []
            self._own = _Numbers(
                _one_after_the_other("q", [one.plain for one in every]),
                _one_after_the_other("d", [one.offered for one in every]),
                _one_after_the_other("q", [one.standings for one in every]),
            )
        return self._own

    @property
    def _numbers(self) -> array[int]:
        return self._joined().plain

    @property
    def _offered(self) -> array[float]:
        return self._joined().offered

    @property
    def _standings(self) -> array[int]:
        return self._joined().standings

    def __len__(self) -> int:
        return len(self.seeds)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> GameColumns: ...
    def __getitem__(self, at: int | slice) -> Row | GameColumns:
        places = range(len(self))[at]
        if isinstance(places, int):
            begin = sum(self._numbers[STANDINGS : places * self.heads.width : self.heads.width])
            return self._row(places, self.heads.players * begin)
        return self.picked(places)

    def __iter__(self) -> Any:
        begins = self._begins()
        return (self._row(place, self.heads.players * begins[place]) for place in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameColumns | list):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def picked(self, places: Sequence[int]) -> GameColumns:
        """Return the games at these places."""
        found, heads = GameColumns(self.heads), self.heads
        width, many, each = heads.width, len(heads.use), heads.players
        begins = self._begins()
        if isinstance(places, range) and places.step == 1:  # one stretch of everything
            first, end = places.start, places.start + len(places)
            stretches = [(first, end)]
        else:
            stretches = [(place, place + 1) for place in places]
        for first, end in stretches:
            found.seeds += self.seeds[first:end]
            found.marks += self.marks[first:end]
            found._numbers.extend(self._numbers[first * width : end * width])
            found._offered.extend(self._offered[first * many : end * many])
            found._standings.extend(self._standings[begins[first] * each : begins[end] * each])
        if self.faults:
            found.faults = {new: self.faults[old] for new, old in enumerate(places) if old in self.faults}
        return found

    def _begins(self) -> list[int]:
        """Return how many standings come before each game, and of all."""
        return [*accumulate(self.column(STANDINGS), initial=0)]

    def _row(self, place: int, begin: int) -> Row:
        heads, numbers = self.heads, self._numbers[place * self.heads.width : (place + 1) * self.heads.width]
        if (fault := self.faults.get(place)) is not None:
            return {"seed": self.seeds[place], "fault": fault, "decisions": numbers[DECISIONS]}
        offered = self._offered[place * len(heads.use) : (place + 1) * len(heads.use)]
        points, chosen, seen = (
            numbers[heads.rules_at : heads.use_at],
            numbers[heads.use_at : heads.watched_at],
            numbers[heads.watched_at :],
        )
        ends = range(begin, begin + heads.players * numbers[STANDINGS], heads.players)
        found = {
            "seed": self.seeds[place],
            **dict(zip(PLAIN, numbers, strict=False)),
            "winners": winners_of(numbers[WINNERS]),
            "scores": numbers[SCORES : heads.rules_at].tolist(),
            "rules": {rule: points[NOTED * i : NOTED * (i + 1)].tolist() for i, rule in enumerate(heads.rules)},
            "standings": [self._standings[at : at + heads.players].tolist() for at in ends],
            "use": {name: [chosen[i], offered[i]] for i, name in enumerate(heads.use) if offered[i]},
            "mark": mark_word(self.marks[place]),
        }
        if heads.watched:
            found["watched"] = {name: seen[SEEN * i : SEEN * (i + 1)].tolist() for i, name in enumerate(heads.watched)}
        return found

    # Columns ------------------------------------------------------------------------------------------------

    def whole(self) -> GameColumns:
        """Return the games without a fault."""
        return self.picked([i for i in range(len(self)) if i not in self.faults]) if self.faults else self

    def column(self, number: int) -> array[int]:
        """Return one number of every game."""
        return self._numbers[number :: self.heads.width]

    def part(self, number: int, by: int = 1) -> Numbers:
        """Return one number of every game, divided, as samples want it."""
        return taken(self._numbers, self.heads.width, number, by)

    def each(self, number: int) -> Numbers:
        """Return a number of legal moves as a part of the decisions, of the games in which they were counted."""
        return counted_parts(self._numbers, self.heads.width, number, UNCOUNTED)

    def scores(self) -> list[array[int]]:
        """Return the scores, a column for each player."""
        return [self.column(SCORES + i) for i in range(self.heads.scores)]

    def noted(self, rule: str, which: int = GAINED) -> Sequence[int]:
        """Return what is noted of a scoring rule."""
        if rule not in self.heads.rules:
            return [0] * len(self)
        return self.column(self.heads.rules_at + NOTED * self.heads.rules.index(rule) + which)

    def gained(self, rule: str) -> Numbers:
        """Return what a scoring rule changed a player's score by, on average."""
        heads, players = self.heads, max(1, self.heads.scores)
        if rule not in heads.rules:
            return nothing(len(self))
        return self.part(heads.rules_at + NOTED * heads.rules.index(rule) + GAINED, players)

    def used(self, name: str) -> tuple[Sequence[int], Sequence[float]]:
        """Return how often something was chosen, and would have been by drawing lots."""
        heads = self.heads
        if name not in heads.use:
            return [0] * len(self), [0.0] * len(self)
        at = heads.use.index(name)
        return self.column(heads.use_at + at), self._offered[at :: len(heads.use)]

    def seen(self, name: str) -> tuple[Sequence[int], Sequence[int]]:
        """Return what a watcher saw in every game: a sum in millionths, and of how many."""
        if name not in self.heads.watched:
            return [0] * len(self), [0] * len(self)
        at = self.heads.watched_at + SEEN * self.heads.watched.index(name)
        return self.column(at), self.column(at + 1)

    def derived(self) -> dict[str, Given]:
        """Return the measures of all games, none of which has a fault, that were worked out natively."""
        many, found = self._derived
        if many != len(self):
            heads = self.heads
            found = derived(self._numbers, heads.width, heads.players, heads.scores, self._standings) or {}
            self._derived = len(self), found
        return found

    def courses(self) -> Courses:
        """Return how the lead went in all games, none of which has a fault."""
        found = self._courses
        if found is None or len(found.changes) != len(self):
            players, table, begins = self.heads.players, self._standings, self._begins()
            columns = [table[i::players] for i in range(players)]
            known = {standing: leader(standing) for standing in {*zip(*columns, strict=True)}}
            leaders = bytes(map(known.__getitem__, zip(*columns, strict=True)))
            lead_of = cache(_lead_of)
            self._courses = found = Courses([], [], [], [])
            for bits, begin, end in zip(self.column(WINNERS), begins, begins[1:], strict=False):
                changes, led, settled = lead_of(leaders[begin:end], bits)
                found.changes.append(changes)
                found.half.append(led)
                found.settled.append(settled)
                half, last = players * (begin + _half(end - begin)), players * (end - 1)
                found.caught_up.append(
                    _caught_up(table[half : half + players], table[last : last + players], led) if led else None
                )
        return found

    # As bytes -----------------------------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """Return games with consecutive seeds as bytes: a line of JSON about them, then the numbers."""
        return b"".join(self.stretches())

    def stretches(self) -> tuple[bytes | array[Any], ...]:
        """Return the same in parts, which are not copied."""
        heads = self.heads
        faults = json_text([*self.faults.items()]) if self.faults else "[]"
        about = f'"form": {FORM}, "first": {self.seeds[0]}, "many": {len(self)}, "heads": {_heads_text(heads)}'
        return f'{{{about}, "faults": {faults}}}\n'.encode(), *self._joined(), self.marks

    @classmethod
    def from_bytes(cls, text: bytes, first: int, many: int, seldom: bool = False) -> GameColumns | None:
        """Return the games with these seeds from what `to_bytes` gave; None for anything else.

        `seldom`: legal moves were counted in few of them.
        """
        line, _, body = text.partition(b"\n")
        try:
            about = json.loads(line)
            if [about["form"], about["first"], about["many"]] != [FORM, first, many]:
                return None
            players, scores, rules, use, *watched = about["heads"]
            found = cls(_checked(players, scores, rules, use, *watched))
            found.faults = {place: fault for place, fault in about["faults"] if _is_fault(place, fault, many)}
            if len(found.faults) != len(about["faults"]):
                return None
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        counted = counted_games(range(first, first + many)) if seldom else b"\1" * many
        return found if found._take(body, first, counted) else None

    def _take(self, body: bytes, first: int, counted: bytes) -> bool:
        """Take the numbers of games; false if they cannot be those of games in which legal moves are `counted` or not."""
        heads, many = self.heads, len(counted)
        ends = [*accumulate((8 * heads.width * many, 8 * len(heads.use) * many), initial=0)]
        rest = len(body) - ends[-1] - MARK * many
        if rest < 0 or rest % (8 * heads.players):
            return False
        self._numbers.frombytes(body[: ends[1]])
        self._offered.frombytes(body[ends[1] : ends[2]])
        self._standings.frombytes(body[ends[2] : ends[2] + rest])
        self.marks.frombytes(body[ends[2] + rest :])
        self.seeds += range(first, first + many)
        return self._can_be(counted)

    def _can_be(self, counted: bytes) -> bool:
        heads, standings = self.heads, self.column(STANDINGS)
        faults = self.faults
        if min(map(min, map(self.column, (DECISIONS, ROUNDS, FIRST, STANDINGS)))) < 0:
            return False
        for numbers in map(self.column, (LEGAL, SINGLE)):
            if not all(
                n >= 0 if so or i in faults else n == UNCOUNTED for i, (n, so) in enumerate(zip(numbers, counted))
            ):
                return False
        if max(self.column(FIRST)) > heads.players or heads.players * sum(standings) != len(self._standings):
            return False
        won = [bits for place, bits in enumerate(self.column(WINNERS)) if place not in faults]
        if won and not 0 < min(won) <= max(won) < 1 << heads.players:
            return False
        if any(min(self.seen(name)[1]) < 0 for name in heads.watched):
            return False
        return all(map(isfinite, self._offered)) and min(self._offered, default=0.0) >= 0


def _checked(players: object, scores: object, rules: object, use: object, watched: object = ()) -> ColumnHeads:
    """Return heads that are well-formed; ValueError for others."""
    if not (type(players) is int and 0 < players <= MOST_PLAYERS and type(scores) is int and scores in (0, players)):
        raise ValueError
    names = []
    for words in (rules, use, watched or []):
        if not (isinstance(words, list) and all(isinstance(word, str) for word in words)):
            raise ValueError
        names.append(tuple(words))
    return ColumnHeads(players, scores, *names)


@lru_cache(maxsize=64)
def _heads_text(heads: ColumnHeads) -> str:
    """Return heads as JSON."""
    watched = [heads.watched] if heads.watched else []
    return json_text([heads.players, heads.scores, heads.rules, heads.use, *watched])


def _is_fault(place: object, fault: object, many: int) -> bool:
    return type(place) is int and 0 <= place < many and isinstance(fault, str) and 0 < len(fault) <= MOST_WORD


def _heads_of(rows: Sequence[Row]) -> ColumnHeads:
    """Return what any of these rows has."""
    whole = [row for row in rows if "fault" not in row]
    rules = dict.fromkeys(rule for row in whole for rule in row["rules"])
    use = dict.fromkeys(name for row in whole for name in row["use"])
    watched = dict.fromkeys(name for row in whole for name in row.get("watched", ()))
    players = max((max(len(row["scores"]), *row["winners"], *map(len, row["standings"])) for row in whole), default=1)
    scores = max((len(row["scores"]) for row in whole), default=0)
    return ColumnHeads(players, scores, tuple(rules), tuple(use), tuple(watched))


def _half(many: int) -> int:
    """Return which of so many standings is that of half-time."""
    return (many + 1) // 2 - 1


def _lead_of(ahead: bytes, winners: int) -> tuple[int, int, float | None]:
    """Return how the lead went in a game, but for points, from who led at each standing, and the winners' bits."""
    many = len(ahead)
    alone = [*filter(None, ahead)]
    led = ahead[_half(many)] if many > 1 else 0
    settled = None
    if many and not winners & (winners - 1):
        last, winner = many, winners.bit_length()
        while last and ahead[last - 1] == winner:
            last -= 1
        settled = last / many
    return sum(map(ne, alone, alone[1:])), led, settled


def _caught_up(then: Sequence[int], last: Sequence[int], led: int) -> float:
    """Return what the last player at half-time gained on the leader after it; of several last ones the mean."""
    least = min(then)
    behind = [now - was for was, now in zip(then, last, strict=True) if was == least]
    return sum(behind) / len(behind) - (last[led - 1] - then[led - 1])


def counted_among(games: int) -> int:
    """Return in about how many of the first games of a study the legal moves of random players are counted."""
    return min(games, COUNTED) + max(0, games - COUNTED) // SELDOM


def _one_after_the_other(kind: str, parts: Sequence[array[Any]]) -> array[Any]:
    """Return all numbers of these arrays; each is moved once."""
    found, at = array(kind, [0]) * sum(map(len, parts)), 0
    with memoryview(found) as place:
        for part in parts:
            place[at : at + len(part)] = part
            at += len(part)
    return found


def games_for(counted: int) -> int:
    """Return how many games are played until legal moves were counted in so many."""
    return min(counted, COUNTED) + max(0, counted - COUNTED) * SELDOM


def is_counted(seed: int) -> bool:
    """Return whether legal moves are counted in the game with this seed, among those in which they seldom are."""
    return seed % SELDOM == 0


def counted_games(seeds: Sequence[int]) -> bytes:
    """Return the same of many games: 1 or 0 for each."""
    if isinstance(seeds, range) and seeds.step == 1:
        before = -seeds.start % SELDOM  # games before the first one that counts
        return (bytes(before) + (b"\1" + bytes(SELDOM - 1)) * (len(seeds) // SELDOM + 1))[: len(seeds)]
    return bytes(map(is_counted, seeds))


def leader(standing: Sequence[int]) -> int:
    """Return the only best player of a standing, from 1 on; 0 if there is none."""
    best = max(standing)
    return standing.index(best) + 1 if standing.count(best) == 1 else 0


def mark_word(mark: int) -> str:
    """Return a mark as rows have it."""
    return f"{mark:0{2 * MARK}x}"


def winner_bits(winners: Sequence[int]) -> int:
    """Return winners as one number."""
    return sum(1 << who - 1 for who in winners)


def winners_of(bits: int) -> list[int]:
    """Return the winners from a number that has one bit for each."""
    return [who for who in range(1, bits.bit_length() + 1) if bits >> who - 1 & 1]
