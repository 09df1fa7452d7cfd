"""A naive second implementation of base Azul, the grey wall and Joker Tiles: tests only.

Written from the rules pages alone. The game is one generator that reads like the rulebook: it yields
(who decides, the legal decisions) and is sent the decision taken. `python -m tests.reference.base` checks itself.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterator

from tests.reference.generated import GeneratedGame, Steps

COLOURS = ("blue", "yellow", "red", "black", "white")
JOKER, TOKEN = "joker", "token"
DISPLAYS = {2: 5, 3: 7, 4: 9}
DISPLAY_SIZE = 4
FLOOR_COSTS = (-1, -1, -2, -2, -2, -3, -3)
IDLE_LIMIT = 5
SIZE = range(1, 6)  # the rows and the columns of a wall
WALL = (
    ("blue", "yellow", "red", "black", "white"),
    ("white", "blue", "yellow", "red", "black"),
    ("black", "white", "blue", "yellow", "red"),
    ("red", "black", "white", "blue", "yellow"),
    ("yellow", "red", "black", "white", "blue"),
)


class Base(GeneratedGame):
    """One game, always standing at a decision or at its end."""

    def __init__(self, players: int, wall_side: str = "coloured", jokers: str = "without") -> None:
        assert players in DISPLAYS and wall_side in ("coloured", "grey") and jokers in ("with", "without")
        self.seats = range(1, players + 1)
        self.displays = [str(number) for number in range(1, DISPLAYS[players] + 1)]
        self.grey = wall_side == "grey"
        self.bag = Counter(dict.fromkeys(COLOURS, 20))
        if jokers == "with":
            removed = 1 if players == 2 else 2
            self.bag = Counter({JOKER: 5 * removed} | dict.fromkeys(COLOURS, 20 - removed))
        self.lid: Counter[str] = Counter()
        self.tray = Counter({TOKEN: 1})
        self.offer: dict[str, Counter[str]] = {source: Counter() for source in [*self.displays, "centre"]}
        self.lines: dict[tuple[int, int], Counter[str]] = {(p, r): Counter() for p in self.seats for r in SIZE}
        self.floors: dict[int, Counter[str]] = {p: Counter() for p in self.seats}
        self.wall: dict[tuple[int, int, int], str | None] = {
            (p, r, c): None for p in self.seats for r in SIZE for c in SIZE
        }
        self.scores = dict.fromkeys(self.seats, 0)
        self.first = self.holder = 1
        self.idle = 0
        self.laid = False  # has anybody laid a tile on a wall in this tiling?
        self.begin()

    # --- what the outside sees ---

    def snapshot(self) -> dict[str, object]:
        seen: dict[str, object] = {name: dict(+pile) for name, pile in self._piles()}
        seen |= {f"wall[{p}, {r}, {c}]": tile for (p, r, c), tile in self.wall.items()}
        seen |= {f"score[{p}]": score for p, score in self.scores.items()}
        return seen | {"first": self.first, "holder": self.holder, "idle": self.idle}

    def winners(self) -> list[int]:
        def rank(player: int) -> tuple[int, int]:
            return self.scores[player], self._complete_rows(player)

        return [p for p in self.seats if rank(p) == max(map(rank, self.seats))]

    def _piles(self) -> Iterator[tuple[str, Counter[str]]]:
        yield from (("bag", self.bag), ("lid", self.lid), ("tray", self.tray))
        yield from ((f"offer[{source}]", pile) for source, pile in self.offer.items())
        yield from ((f"line[{p}, {r}]", pile) for (p, r), pile in self.lines.items())
        yield from ((f"floor_line[{p}]", pile) for p, pile in self.floors.items())

    # --- the course of the game ---

    def _game(self) -> Steps:
        while True:
            yield from self._deal()
            if not self._tiles_on_offer():
                break
            player = self.first
            while self._tiles_on_offer():
                yield from self._turn(player)
                player = self._next(player)
            yield from self._tiling()
            if any(self._complete_rows(p) for p in self.seats) or self.idle == IDLE_LIMIT:
                break
        self._final_scoring()

    def _next(self, player: int) -> int:
        return player % len(self.seats) + 1

    def _tiles_on_offer(self) -> bool:
        return any(pile[kind] for pile in self.offer.values() for kind in (JOKER, *COLOURS))

    def _deal(self) -> Steps:
        for _, pile in self._piles():
            pile[TOKEN] = 0
        self.offer["centre"][TOKEN] = 1
        self.first = self.holder
        for display in self.displays:
            for _ in range(DISPLAY_SIZE):
                if not self.bag.total():
                    self.bag.update(self.lid)
                    self.lid.clear()
                kinds = [kind for kind in (JOKER, *COLOURS) if self.bag[kind]]
                if not kinds:
                    return
                kind = (yield "chance", [f"draw {kind}" for kind in kinds]).removeprefix("draw ")
                self.bag[kind] -= 1
                self.offer[display][kind] += 1

    # --- A. the offer ---

    def _turn(self, player: int) -> Steps:
        verb, source, colour, target = (yield player, self._takes(player)).split()
        offer = self.offer[source]
        row = 0 if target == "floor" else int(target)
        jokers = [JOKER] * offer[JOKER] if verb == "take_jokers" else []
        coloured = [colour] * offer[colour]  # none at all for the colour `none`
        taken = jokers + coloured
        if row and jokers and coloured and self._order_matters(player, row, len(jokers), len(coloured)):
            if (yield player, ["jokers_first", "colour_first"]) == "colour_first":
                taken = coloured + jokers
        if source == "centre" and offer[TOKEN]:
            self._take_token(player)
        for tile in taken:
            offer[tile] -= 1
        self._place(player, row, taken)
        if source != "centre":
            self.offer["centre"].update(offer)
            offer.clear()

    def _takes(self, player: int) -> list[str]:
        """Return every legal take: those of a colour, then those of jokers."""
        takes: list[str] = []
        for source, offer in self.offer.items():
            for colour in COLOURS:
                if offer[colour]:
                    takes += [f"take {source} {colour} {target}" for target in self._targets(player, colour)]
        for source, offer in self.offer.items():
            for colour in (*COLOURS, "none"):
                if offer[JOKER] and (colour == "none" or offer[colour]):
                    takes += [f"take_jokers {source} {colour} {target}" for target in self._targets(player, colour)]
        return takes

    def _targets(self, player: int, colour: str) -> list[str]:
        return [str(row) for row in SIZE if self._line_accepts(player, row, colour)] + ["floor"]

    def _line_accepts(self, player: int, row: int, colour: str) -> bool:
        """Is there room in the line for this colour, or for jokers alone (`none`)?"""
        line = self.lines[player, row]
        if line.total() == row:
            return False
        if colour == "none":
            return True
        other_colour = any(line[other] for other in COLOURS if other != colour)
        return not other_colour and not self._used(player, row, colour)

    def _used(self, player: int, row: int, colour: str) -> bool:
        """Is the colour gone from this row of the wall?"""
        if self.grey:
            return any(self.wall[player, row, column] == colour for column in SIZE)
        return self.wall[player, row, WALL[row - 1].index(colour) + 1] is not None

    def _order_matters(self, player: int, row: int, jokers: int, coloured: int) -> bool:
        """Could the line end up with no joker, if the coloured tiles went in first?"""
        line = self.lines[player, row]
        free = row - line.total()
        return jokers + coloured > free and not line[JOKER] and coloured >= free

    def _take_token(self, player: int) -> None:
        self.offer["centre"][TOKEN] = 0
        self.holder = player
        has_room = self.floors[player].total() < len(FLOOR_COSTS)
        (self.floors[player] if has_room else self.tray)[TOKEN] = 1

    def _place(self, player: int, row: int, tiles: list[str]) -> None:
        """Put the tiles one by one into the line (row 0: no line), then on the floor, then in the lid."""
        for tile in tiles:
            if row and self.lines[player, row].total() < row:
                self.lines[player, row][tile] += 1
            elif self.floors[player].total() < len(FLOOR_COSTS):
                self.floors[player][tile] += 1
            else:
                self.lid[tile] += 1

    # --- B. tiling ---

    def _tiling(self) -> Steps:
        self.laid = False
        player = self.first
        for _ in self.seats:
            for row in SIZE:
                if self.lines[player, row].total() == row:
                    yield from self._tile_row(player, row)
            self._clear_floor(player)
            player = self._next(player)
        self.idle = 0 if self.laid else self.idle + 1

    def _tile_row(self, player: int, row: int) -> Steps:
        line = self.lines[player, row]
        columns = self._columns(player, row)
        if not columns:
            tiles = list(line.elements())
            line.clear()
            self._place(player, 0, tiles)
            return
        column = columns[0]
        if len(columns) > 1:
            column = int((yield player, [f"lay {column}" for column in columns]).removeprefix("lay "))
        tile = JOKER if line[JOKER] else self._colour_of(line)
        line[tile] -= 1
        self.wall[player, row, column] = tile
        self.laid = True
        self._score(player, "placed", self._placed_points(player, row, column))
        self.lid.update(line)
        line.clear()

    def _colour_of(self, line: Counter[str]) -> str:
        """Return the colour of a line, `none` if it holds jokers only."""
        return next((colour for colour in COLOURS if line[colour]), "none")

    def _columns(self, player: int, row: int) -> list[int]:
        """Return where the tile of a full line may go."""
        line = self.lines[player, row]
        colour = self._colour_of(line)
        free = [column for column in SIZE if self.wall[player, row, column] is None]
        if colour == "none" or (self.grey and line[JOKER]):
            return free
        if not self.grey:
            return [column for column in free if WALL[row - 1][column - 1] == colour]
        if self._used(player, row, colour):
            return []
        return [column for column in free if all(self.wall[player, r, column] != colour for r in SIZE)]

    def _placed_points(self, player: int, row: int, column: int) -> int:
        across = 1 + self._run(player, row, column, 0, -1) + self._run(player, row, column, 0, 1)
        down = 1 + self._run(player, row, column, -1, 0) + self._run(player, row, column, 1, 0)
        return sum(run for run in (across, down) if run > 1) or 1

    def _run(self, player: int, row: int, column: int, row_step: int, column_step: int) -> int:
        """Return how many tiles follow one another from here, this space not counted."""
        length = 0
        while self.wall.get((player, row + row_step, column + column_step)):
            row, column, length = row + row_step, column + column_step, length + 1
        return length

    def _clear_floor(self, player: int) -> None:
        floor = self.floors[player]
        self._score(player, "floor_cost", sum(FLOOR_COSTS[: floor.total()]))
        for kind in (JOKER, *COLOURS):
            self.lid[kind] += floor[kind]
            floor[kind] = 0

    def _score(self, player: int, rule: str, points: int) -> None:
        before = self.scores[player]
        self.scores[player] = max(0, before + points)
        if points:
            self.ledger.append((player, rule, points, self.scores[player] - before))

    # --- the end ---

    def _complete_rows(self, player: int) -> int:
        return sum(all(self.wall[player, r, c] for c in SIZE) for r in SIZE)

    def _final_scoring(self) -> None:
        for p in self.seats:
            columns = sum(all(self.wall[p, r, c] for r in SIZE) for c in SIZE)
            on_wall = Counter(self.wall[p, r, c] for r in SIZE for c in SIZE)
            self._score(p, "rows", 2 * self._complete_rows(p))
            self._score(p, "columns", 7 * columns)
            self._score(p, "colours", 10 * sum(on_wall[colour] == 5 for colour in COLOURS))


# --- the self-check ---


def check_examples() -> None:
    """The worked examples of the rules pages; each starts from a table with nothing on offer."""

    def table(wall_side: str = "coloured", jokers: str = "with", **wall: str) -> Base:
        """Return a cleared table; r2c3="red" lays red on player 1's wall in row 2, column 3."""
        game = Base(2, wall_side, jokers)
        for pile in game.offer.values():
            pile.clear()
        for space, tile in wall.items():
            game.wall[1, int(space[1]), int(space[3])] = tile
        return game

    def run(steps: Steps, *answers: str) -> list[list[str]]:
        """Return what was offered at each question, when answered so."""
        asked, waiting = [], list(answers)
        try:
            ask = next(steps)
            while True:
                asked.append(ask[1])
                ask = steps.send(waiting.pop(0))
        except StopIteration:
            assert not waiting
            return asked

    # base 1: two yellow
    for target, placed, fallen in (("1", 1, 1), ("5", 2, 0), ("floor", 0, 2)):
        game = table(r2c3="yellow", r3c4="yellow")
        game.lines[1, 4]["blue"] = 1
        game.offer["1"].update(yellow=2, red=2)
        assert game._targets(1, "yellow") == ["1", "5", "floor"]
        run(game._turn(1), f"take 1 yellow {target}")
        assert game.floors[1]["yellow"] == fallen and game.offer["centre"] == Counter(red=2)
        assert sum(line["yellow"] for line in game.lines.values()) == placed

    # base 2: tiling
    game = table()
    for row, colour, count in ((2, "red", 2), (3, "black", 1), (4, "blue", 4), (5, "white", 2)):
        game.lines[1, row][colour] = count
    assert run(game._tiling()) == []
    assert game.ledger == [(1, "placed", 1, 1), (1, "placed", 1, 1)] and game.idle == 0
    assert game.wall[1, 2, 4] == "red" and game.wall[1, 4, 4] == "blue" and +game.lid == Counter(red=1, blue=3)
    assert game.lines[1, 3] == Counter(black=1) and game.lines[1, 5] == Counter(white=2)

    # base 3: points of a placed tile
    assert table()._placed_points(1, 3, 3) == 1
    assert table(r2c1="white", r2c2="blue")._placed_points(1, 2, 3) == 3
    assert table(r1c1="blue", r2c1="white")._placed_points(1, 3, 1) == 3
    crossing = table(r2c1="white", r2c2="blue", r2c4="red", r1c3="red", r3c3="blue")
    assert crossing._placed_points(1, 2, 3) == 7

    # base 4: the floor, and the token on a full floor
    for before, after in ((20, 12), (5, 0)):
        game = table()
        game.scores[1] = before
        game.floors[1].update(red=4, token=1)
        game._clear_floor(1)
        assert game.ledger == [(1, "floor_cost", -8, after - before)]
        assert +game.floors[1] == Counter(token=1) and +game.lid == Counter(red=4)
    game = table()
    game.floors[2]["red"] = 7
    game.offer["centre"].update(blue=1, token=1)
    run(game._turn(2), "take centre blue floor")
    assert game.holder == 2 and game.tray[TOKEN] == 1 and game.floors[2].total() == 7 and game.lid["blue"] == 1

    # refilling: the lid is poured in only when a tile must be drawn; no tile anywhere ends the game
    game = table()
    game.bag, game.lid = Counter(red=1), Counter(blue=2)
    assert run(game._deal(), "draw red", "draw blue", "draw blue") == [["draw red"], ["draw blue"], ["draw blue"]]
    assert +game.offer["1"] == Counter(red=1, blue=2) and +game.offer["2"] == Counter()
    game = table()
    game.bag, game.lid = Counter(red=20), Counter(blue=2)
    run(game._deal(), *["draw red"] * 20)
    assert not game.bag.total() and game.lid["blue"] == 2
    game = table(r1c1="blue", r1c2="yellow", r1c3="red", r1c4="black", r1c5="white")
    game.bag.clear()
    assert run(game._game()) == [] and game.ledger == [(1, "rows", 2, 2)] and game.winners() == [1]

    # the grey wall: no column twice in a colour, no legal column left, one left
    game = table("grey", r1c1="red", r1c2="blue", r3c3="red")
    game.lines[1, 2]["red"] = 2
    assert run(game._tile_row(1, 2), "lay 5") == [["lay 2", "lay 4", "lay 5"]] and game.wall[1, 2, 5] == "red"
    game = table("grey", r2c1="blue", r2c2="white", r2c3="black", r2c4="yellow", r5c5="red")
    game.lines[1, 2]["red"] = 2
    assert run(game._tile_row(1, 2)) == [] and game.floors[1]["red"] == 2 and not game.laid
    game.lines[1, 2].update(red=1, joker=1)
    assert run(game._tile_row(1, 2)) == [] and game.wall[1, 2, 5] == JOKER

    # jokers: a mixed line, a line of jokers only, no colour, a blocked colour
    game = table()
    game.lines[1, 3].update(red=2, joker=1)
    assert run(game._tile_row(1, 3)) == [] and game.wall[1, 3, 5] == JOKER and +game.lid == Counter(red=2)
    assert "3" not in game._targets(1, "red") and "3" in game._targets(1, "blue")
    game = table(r2c3="yellow")
    game.lines[1, 2]["joker"] = 2
    assert run(game._tile_row(1, 2), "lay 1") == [["lay 1", "lay 2", "lay 4", "lay 5"]]
    game = table(r1c1="blue", r2c2="blue", r3c3="blue", r4c4="blue", r5c5=JOKER)
    game._final_scoring()
    assert game.ledger == []

    # jokers: which kind goes in first
    for answer, line, floor in (("jokers_first", JOKER, "red"), ("colour_first", "red", JOKER)):
        game = table()
        game.offer["2"].update(red=1, joker=1, blue=2)
        assert run(game._turn(1), "take_jokers 2 red 1", answer)[1:] == [["jokers_first", "colour_first"]]
        assert game.lines[1, 1] == Counter([line]) and game.floors[1] == Counter([floor])
    game = table()
    game.offer["2"].update(red=1, joker=2)
    assert len(run(game._turn(1), "take_jokers 2 red 2")) == 1 and game.lines[1, 2] == Counter(joker=2)


def check_random_game(players: int, wall_side: str, jokers: str, seed: int) -> None:
    """Play to the end by chance; no tile may be lost, and the ledger must add up."""
    chance = random.Random(seed)
    game = Base(players, wall_side, jokers)

    def everything() -> Counter[str]:
        tiles = Counter(tile for tile in game.wall.values() if tile)
        for _, pile in game._piles():
            assert all(count >= 0 for count in pile.values())
            tiles.update(pile)
        return tiles

    at_start = everything()
    assert at_start.total() == 101 and at_start[TOKEN] == 1
    while game.to_move is not None:
        assert game.moves() and len(set(game.moves())) == len(game.moves())
        game.play(chance.choice(game.moves()))
        assert everything() == at_start
    assert game.moves() == [] and game.winners()
    for player in game.seats:
        assert game.scores[player] == sum(gained for who, _, _, gained in game.ledger if who == player)


if __name__ == "__main__":
    check_examples()
    settings = itertools.cycle(itertools.product((2, 3, 4), ("coloured", "grey"), ("without", "with")))
    for seed, setting in zip(range(200), settings):
        check_random_game(*setting, seed)
    print("the worked examples and 200 random games: good")
