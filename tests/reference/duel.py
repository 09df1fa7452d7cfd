"""A naive second implementation of Azul Duel: tests only.

The rules are those of the rules page; names, the grain of decisions and the order of effects where the page is
silent follow the game file. The game is one generator that reads like the rulebook: it yields
(who decides, the legal decisions) and is sent the decision taken. `python -m tests.reference.duel` checks itself.
"""

import itertools
import random
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence

from tests.reference.generated import Ask, GeneratedGame, Steps

COLOURS = ("blue", "yellow", "red", "black", "turquoise")
ANY, ORNAMENT, FIRST_TILE, TOKEN = "any", "ornament", "first_tile", "token"
PLATES = {  # top left, top right, bottom left, bottom right
    "o1": ("yellow", "black", "turquoise", ORNAMENT),
    "o2": ("black", ORNAMENT, "turquoise", "red"),
    "o3": (ORNAMENT, "black", "red", "blue"),
    "o4": ("yellow", "blue", "black", ORNAMENT),
    "o5": ("turquoise", "red", "blue", ORNAMENT),
    "o6": ("yellow", ORNAMENT, "black", "red"),
    "o7": ("blue", "black", ORNAMENT, "turquoise"),
    "o8": (ORNAMENT, "turquoise", "yellow", "blue"),
    "o9": (ORNAMENT, "yellow", "blue", "red"),
    "m1": (ANY, "blue", "turquoise", "black"),
    "m2": ("turquoise", "red", "blue", ANY),
    "m3": ("black", "yellow", "red", ANY),
    "m4": ("turquoise", "yellow", ANY, "black"),
    "m5": ("yellow", "red", ANY, "blue"),
    "m6": ("turquoise", "black", "red", ANY),
    "m7": ("red", "turquoise", "yellow", ANY),
    "m8": ("turquoise", "blue", ANY, "yellow"),
    "m9": ("red", ANY, "blue", "black"),
}
BACKS = {  # which plates have which back
    "ornament_back": [plate for plate in PLATES if plate.startswith("o")],
    "mosaic_back": [plate for plate in PLATES if plate.startswith("m")],
}
BONUS = {
    "b1": ("blue",),
    "b2": ("turquoise",),
    "b3": ("red",),
    "b4": ("black",),
    "b5": ("yellow",),
    "b6": ("turquoise", "yellow"),
    "b7": ("yellow", "black"),
    "b8": ("black", "blue"),
    "b9": ("blue", "red"),
    "b10": ("red", "turquoise"),
}
SEATS = (1, 2)
SIZE = range(1, 7)  # the rows and the columns of cells, and the lines
SPOTS = [(row, column) for row in range(1, 4) for column in range(1, 4)]
SMALL = ("1", "2", "3", "4")
LARGE = "large"
SUN_SIZE = {LARGE: 5} | dict.fromkeys(SMALL, 4)
SHOWN = 3
LAST_ROUND = 5
BROKEN_COSTS = (1, 2, 3, 4)
FIRST_TILE_COST = 2
BONUS_LIMIT = 2
BROKEN = "broken_spaces"
CORNERS = {(1, 1): 3, (1, 3): 3, (3, 1): 8, (3, 3): 8}
TABLETS = {
    "rows_tablet": ("rows", "colours", "unused"),
    "columns_tablet": ("columns", "border", "unused"),
    "diagonals_tablet": ("diagonals", "corners", "unused"),
    "mosaic_tablet": ("unused", "mosaic", "ornaments"),
}

Spot = tuple[int, int]


def turn_right(cells: tuple[str, str, str, str], turns: int) -> tuple[str, str, str, str]:
    """Return what a plate shows, top left, top right, bottom left, bottom right, after quarter turns to the right."""
    for _ in range(turns):
        top_left, top_right, bottom_left, bottom_right = cells
        cells = (bottom_left, top_left, bottom_right, top_right)
    return cells


def spot_of(row: int, column: int) -> Spot:
    """Return the place of the vault in which a cell lies."""
    return (row + 1) // 2, (column + 1) // 2


def cells_of(spot: Spot) -> list[tuple[int, int]]:
    """Return the four cells of a place: top left, top right, bottom left, bottom right."""
    row, column = 2 * spot[0] - 1, 2 * spot[1] - 1
    return [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]


def multisets(owned: Counter[str], kinds: Sequence[str]) -> Iterator[list[str]]:
    """Yield every choice of pieces out of a pile, most of the first kind first."""
    if not kinds:
        yield []
        return
    for count in range(owned[kinds[0]], -1, -1):
        for others in multisets(owned, kinds[1:]):
            yield [kinds[0]] * count + others


class Duel(GeneratedGame):
    """One game, always standing at a decision or at its end."""

    def __init__(
        self,
        players: int = 2,
        rows_tablet: str = "rows",
        columns_tablet: str = "columns",
        diagonals_tablet: str = "diagonals",
        mosaic_tablet: str = "unused",
    ) -> None:
        assert players == len(SEATS)
        self.rows_tablet, self.columns_tablet = rows_tablet, columns_tablet
        self.diagonals_tablet, self.mosaic_tablet = diagonals_tablet, mosaic_tablet
        assert all(getattr(self, tablet) in sides for tablet, sides in TABLETS.items())
        self.bag = Counter(dict.fromkeys(COLOURS, 13))
        self.tower: Counter[str] = Counter()
        self.ornaments = Counter({ORNAMENT: 9})
        self.unseen_plates = Counter(dict.fromkeys(PLATES, 1))
        self.on_top: str | None = None  # the back of the top one of these
        self.under_plates: list[str] = []  # the last is the next to be taken
        self.shown_plates: Counter[str] = Counter()
        self.drawn: Counter[str] = Counter()  # from under the stack; nobody looks before the drawing ends
        self.looked: dict[int, Counter[str]] = {p: Counter() for p in SEATS}
        self.vault: dict[tuple[int, Spot], str | None] = {(p, spot): None for p in SEATS for spot in SPOTS}
        self.turned = {(p, spot): 0 for p in SEATS for spot in SPOTS}
        self.tiles: dict[tuple[int, int, int], str | None] = {
            (p, r, c): None for p in SEATS for r in SIZE for c in SIZE
        }
        self.lines: dict[tuple[int, int], Counter[str]] = {(p, r): Counter() for p in SEATS for r in SIZE}
        self.broken: dict[int, Counter[str]] = {p: Counter() for p in SEATS}
        self.first_place: dict[int, Counter[str]] = {p: Counter() for p in SEATS}
        self.suns: dict[str, Counter[str]] = {factory: Counter() for factory in (*SMALL, LARGE)}
        self.moons: dict[str, list[str]] = {small: [] for small in SMALL}  # bottom first
        self.big_moon = Counter({FIRST_TILE: 1})
        self.hand: Counter[str] = Counter()  # tiles taken from moons and not yet placed
        self.unseen_bonus = Counter(dict.fromkeys(BONUS, 2))  # those face down on the moons too
        self.waiting = dict.fromkeys(SMALL, False)
        self.revealed: dict[str, str | None] = dict.fromkeys(SMALL)
        self.own_bonus: dict[int, Counter[str]] = {p: Counter() for p in SEATS}
        self.spent: Counter[str] = Counter()
        self.bonus_taken = dict.fromkeys(SEATS, 0)
        self.tokens = {p: Counter({TOKEN: 2}) for p in SEATS}
        self.score_board: Counter[str] = Counter()
        self.scores = dict.fromkeys(SEATS, 5)
        self.first = self.holder = 1
        self.round = 1
        self.begin()

    # --- what the outside sees ---

    def snapshot(self) -> dict[str, object]:
        seen: dict[str, object] = {name: dict(+pile) for name, pile in self._piles()}
        seen["under_plates"] = list(self.under_plates)
        seen |= {f"moon[{f}]": list(moon) for f, moon in self.moons.items()}
        seen |= {f"revealed[{f}]": bonus for f, bonus in self.revealed.items()}
        seen |= {f"vault[{p}, {r}, {c}]": plate for (p, (r, c)), plate in self.vault.items()}
        seen |= {f"tiles[{p}, {r}, {c}]": tile for (p, r, c), tile in self.tiles.items()}
        seen |= {f"turned[{p}, {r}, {c}]": turns for (p, (r, c)), turns in self.turned.items()}
        seen |= {f"waiting[{f}]": waits for f, waits in self.waiting.items()}
        seen |= {f"bonus_taken[{p}]": count for p, count in self.bonus_taken.items()}
        seen |= {f"score[{p}]": score for p, score in self.scores.items()}
        return seen | {"first": self.first, "holder": self.holder, "on_top": self.on_top}

    def winners(self) -> list[int]:
        def rank(player: int) -> tuple[int, bool]:
            return self.scores[player], self.holder == player

        return [p for p in SEATS if rank(p) == max(map(rank, SEATS))]

    def _piles(self) -> Iterator[tuple[str, Counter[str]]]:
        yield from (("bag", self.bag), ("tower", self.tower), ("ornaments", self.ornaments))
        yield from (("unseen_plates", self.unseen_plates), ("shown_plates", self.shown_plates))
        yield "drawn", self.drawn
        yield from ((f"looked[{p}]", pile) for p, pile in self.looked.items())
        yield from ((f"line[{p}, {r}]", pile) for (p, r), pile in self.lines.items())
        yield from ((f"broken[{p}]", pile) for p, pile in self.broken.items())
        yield from ((f"first_place[{p}]", pile) for p, pile in self.first_place.items())
        yield from ((f"sun[{f}]", pile) for f, pile in self.suns.items())
        yield from (("big_moon", self.big_moon), ("unseen_bonus", self.unseen_bonus), ("spent", self.spent))
        yield from ((f"own_bonus[{p}]", pile) for p, pile in self.own_bonus.items())
        yield from ((f"tokens[{p}]", pile) for p, pile in self.tokens.items())
        yield "score_board", self.score_board

    # --- the course of the game ---

    def _game(self) -> Steps:
        yield from self._set_up()
        for self.round in range(1, LAST_ROUND + 1):
            yield from self._taking()
            for player in (self.first, self._other(self.first)):
                yield from self._decorate(player)
            if self.round < LAST_ROUND:
                yield from self._next_round()
        for player in SEATS:
            self._score_goals(player)

    def _set_up(self) -> Steps:
        yield from self._show_plates()
        yield from self._fill_factories()
        for player in (self._other(self.first), self.first):
            move = yield player, self._plate_moves(player, "first_plate", self.shown_plates)
            self._put_plate(player, move, self.shown_plates)
            yield from self._show_plates()

    def _next_round(self) -> Steps:
        for player in SEATS:
            if self.first_place[player][FIRST_TILE]:
                self.first_place[player].clear()
                self.big_moon[FIRST_TILE] = 1
            self.tokens[player][TOKEN] = 2
            self.bonus_taken[player] = 0
        self.score_board.clear()
        self.first = self.holder
        yield from self._show_plates()
        yield from self._fill_factories()

    def _other(self, player: int) -> int:
        return 3 - player

    def _draw(self, pile: Counter[str], kinds: Iterable[str]) -> Generator[Ask, str, str]:
        """Chance takes one piece of these kinds out of the pile."""
        move = yield "chance", [f"draw {kind}" for kind in kinds if pile[kind]]
        kind = move.removeprefix("draw ")
        pile[kind] -= 1
        return kind

    # --- filling the table ---

    def _show_plates(self) -> Steps:
        """Three plates shown: from the shuffled ones, whose top shows its back, then from those put under them."""
        if self.shown_plates.total() == SHOWN:
            return
        while self.shown_plates.total() < SHOWN and self.unseen_plates.total():
            plates = BACKS[self.on_top] if self.on_top else PLATES
            self.shown_plates[(yield from self._draw(self.unseen_plates, plates))] += 1
            self.on_top = None
        yield from self._uncover(Counter())
        while self.shown_plates.total() < SHOWN and self.under_plates:
            self.shown_plates[self.under_plates.pop()] += 1

    def _uncover(self, drawn: Counter[str]) -> Steps:
        """The next shuffled plate is on top, of those that were not drawn already; everybody sees its back."""
        left = {back: sum(self.unseen_plates[k] for k in BACKS[back]) - drawn[back] for back in BACKS}
        if any(left.values()):
            rolled = yield "chance", [f"roll {back}" for back in BACKS if left[back]]
            self.on_top = rolled.removeprefix("roll ")

    def _fill_factories(self) -> Steps:
        yield from self._fill(LARGE)
        while self._must_redraw():
            self.bag.update(self.suns[LARGE])
            self.suns[LARGE].clear()
            yield from self._fill(LARGE)
        for small in SMALL:
            yield from self._fill(small)
            lying = sum(self.waiting.values())
            if self.unseen_bonus.total() > lying:
                self.waiting[small] = True
            if not self.suns[small].total():
                yield from self._reveal(small)

    def _fill(self, factory: str) -> Steps:
        sun = self.suns[factory]
        while sun.total() < SUN_SIZE[factory]:
            if not self.bag.total():
                self._pour_tower()
            if not self.bag.total():
                return
            tile = yield from self._draw(self.bag, COLOURS)
            sun[tile] += 1

    def _pour_tower(self) -> None:
        self.bag.update(self.tower)
        self.tower.clear()

    def _must_redraw(self) -> bool:
        """Five alike and another colour left? The tower is poured in if the bag alone cannot help."""
        alike = next((colour for colour in COLOURS if self.suns[LARGE][colour] == SUN_SIZE[LARGE]), None)
        if alike is None:
            return False
        if any(self.bag[colour] for colour in COLOURS if colour != alike):
            return True
        if any(self.tower[colour] for colour in COLOURS if colour != alike):
            self._pour_tower()
            return True
        return False

    def _reveal(self, small: str) -> Steps:
        if self.waiting[small]:
            self.waiting[small] = False
            self.revealed[small] = yield from self._draw(self.unseen_bonus, BONUS)

    # --- phase 1: taking ---

    def _taking(self) -> Steps:
        player = self.first
        while any(self._actions(p) for p in SEATS):
            actions = self._actions(player)
            if actions:
                move = yield player, actions
                yield from self._act(player, move)
            player = self._other(player)

    def _act(self, player: int, move: str) -> Steps:
        verb, *words = move.split()
        if verb == "shown_plate":
            self._use_token(player)
            self._put_plate(player, move, self.shown_plates)
        elif verb == "dig":
            self._use_token(player)
            yield from self._dig(player)
        elif verb == "take_sun":
            yield from self._take_sun(player, *words)
        elif verb == "take_moon":
            yield from self._take_moon(player, *words)
        else:
            self._take_bonus(player, *words)

    def _actions(self, player: int) -> list[str]:
        actions: list[str] = []
        if self.round < LAST_ROUND and self.tokens[player].total():
            actions += self._plate_moves(player, "shown_plate", self.shown_plates)
            has_room = any(self.vault[player, spot] is None for spot in SPOTS)
            if has_room and (self.unseen_plates.total() or self.under_plates):
                actions.append("dig")
        for factory, sun in self.suns.items():
            for colour in COLOURS:
                if sun[colour]:
                    actions += [f"take_sun {factory} {colour} {t}" for t in self._targets(player, colour)]
        for colour in COLOURS:
            if self.big_moon[colour] or any(moon[-1:] == [colour] for moon in self.moons.values()):
                actions += [f"take_moon {colour} {t}" for t in self._targets(player, colour)]
        if self.bonus_taken[player] < BONUS_LIMIT:
            actions += [f"take_bonus {small}" for small in SMALL if self.revealed[small]]
        return actions

    # --- A. a plate ---

    def _use_token(self, player: int) -> None:
        self.tokens[player][TOKEN] -= 1
        self.score_board[TOKEN] += 1

    def _plate_moves(self, player: int, verb: str, plates: Counter[str]) -> list[str]:
        return [
            f"{verb} {plate} {row}.{column} {turns}"
            for plate in PLATES
            if plates[plate]
            for row, column in SPOTS
            if self.vault[player, (row, column)] is None
            for turns in range(4)
        ]

    def _put_plate(self, player: int, move: str, plates: Counter[str]) -> None:
        _, plate, where, turns = move.split()
        row, column = where.split(".")
        spot = int(row), int(column)
        plates[plate] -= 1
        self.vault[player, spot] = plate
        self.turned[player, spot] = int(turns)

    def _dig(self, player: int) -> Steps:
        looked = self.looked[player]
        drawn = Counter(dict.fromkeys(BACKS, 0))  # plates drawn of the shuffled ones, only their backs seen
        while True:
            answers = []
            if self.unseen_plates.total() > drawn.total() or self.under_plates:
                answers.append("draw_plate")
            if drawn.total() or self.drawn.total():
                answers.append("look")
            answer = (yield player, answers) if len(answers) > 1 else answers[0]
            if answer == "look":
                break
            self._score(player, ("plate_price", -1))
            if self.on_top:
                drawn[self.on_top] += 1
                self.on_top = None
                yield from self._uncover(drawn)
            else:
                self.drawn[self.under_plates.pop()] += 1
        for back, plates in BACKS.items():
            for _ in range(drawn[back]):
                plate = yield from self._draw(self.unseen_plates, plates)
                looked[plate] += 1
        looked.update(self.drawn)
        self.drawn.clear()
        move = yield player, self._plate_moves(player, "keep_plate", looked)
        self._put_plate(player, move, looked)
        while looked.total():
            answers = [f"put_under {plate}" for plate in PLATES if looked[plate]]
            answer = (yield player, answers) if len(answers) > 1 else answers[0]
            plate = answer.removeprefix("put_under ")
            looked[plate] -= 1
            self.under_plates.insert(0, plate)

    # --- B, C. tiles of a sun or of the moons ---

    def _targets(self, player: int, colour: str) -> list[str]:
        """Return the lines with room for this colour, and always the broken spaces."""
        lines = [self.lines[player, row] for row in SIZE]
        return [
            str(row)
            for row, line in zip(SIZE, lines)
            if line.total() < row and self._line_colour(line) in (colour, None)
        ] + [BROKEN]

    def _line_colour(self, line: Counter[str]) -> str | None:
        return next((colour for colour in COLOURS if line[colour]), None)

    def _take_sun(self, player: int, factory: str, colour: str, target: str) -> Steps:
        sun = self.suns[factory]
        self._place(player, target, [colour] * sun[colour])
        sun[colour] = 0
        if factory == LARGE:
            if not sun.total():
                self._take_first_tile(player)
            self.big_moon.update(sun)
            sun.clear()
            return
        while sun.total():
            answers = [f"stack_up {kind}" for kind in COLOURS if sun[kind]]
            answer = (yield player, answers) if len(answers) > 1 else answers[0]
            tile = answer.removeprefix("stack_up ")
            sun[tile] -= 1
            self.moons[factory].append(tile)
        if not self.moons[factory]:
            yield from self._reveal(factory)

    def _take_moon(self, player: int, colour: str, target: str) -> Steps:
        if self.big_moon[colour]:
            self._take_first_tile(player)
            self.hand[colour] += self.big_moon[colour]
            self.big_moon[colour] = 0
        for small, moon in self.moons.items():
            if moon[-1:] == [colour]:
                self.hand[moon.pop()] += 1
                if not moon:
                    yield from self._reveal(small)
        self._place(player, target, list(self.hand.elements()))
        self.hand.clear()

    def _take_first_tile(self, player: int) -> None:
        if self.big_moon[FIRST_TILE]:
            self.big_moon[FIRST_TILE] = 0
            self.first_place[player][FIRST_TILE] = 1
            self.holder = player

    def _place(self, player: int, target: str, tiles: list[str]) -> None:
        """Put the tiles one by one into the line, then on the broken spaces, then in the tower."""
        for tile in tiles:
            if target != BROKEN and self.lines[player, int(target)].total() < int(target):
                self.lines[player, int(target)][tile] += 1
            elif self.broken[player].total() < len(BROKEN_COSTS):
                self.broken[player][tile] += 1
            else:
                self.tower[tile] += 1

    # --- D. a bonus tile ---

    def _take_bonus(self, player: int, small: str) -> None:
        bonus = self.revealed[small]
        assert bonus
        self.revealed[small] = None
        self.own_bonus[player][bonus] += 1
        self.bonus_taken[player] += 1

    # --- phase 2: decorating ---

    def _decorate(self, player: int) -> Steps:
        for row in SIZE:
            if self.lines[player, row].total():
                yield from self._decorate_row(player, row)
        self._score(
            player,
            ("broken_tiles", -sum(BROKEN_COSTS[: self.broken[player].total()])),
            ("first_player", -FIRST_TILE_COST * self.first_place[player][FIRST_TILE]),
        )
        self.tower.update(self.broken[player])
        self.broken[player].clear()

    def _decorate_row(self, player: int, row: int) -> Steps:
        line = self.lines[player, row]
        colour = self._line_colour(line)
        assert colour
        columns = [column for column in SIZE if self._fits(player, row, column, colour)]
        missing = row - line.total()
        if not columns:
            vault_row = spot_of(row, 1)[0]
            if all(self.vault[player, (vault_row, column)] for column in (1, 2, 3)):
                tiles = list(line.elements())
                line.clear()
                self._place(player, BROKEN, tiles)
            return
        if missing:
            payments = self._payments(player, colour, missing)
            answers = [f"complete_line {column} {paid}" for column in columns for paid in payments] + ["leave"]
        else:
            answers = [f"lay {column}" for column in columns]
        answer = (yield player, answers) if len(answers) > 1 else answers[0]
        if answer == "leave":
            return
        words = answer.split()
        if words[0] == "complete_line":
            for bonus in words[2].split(","):
                self.own_bonus[player][bonus] -= 1
                self.spent[bonus] += 1
        self._lay(player, row, int(words[1]))

    def _payments(self, player: int, colour: str, missing: int) -> list[str]:
        """Return what pays the missing tiles: for each, 2 bonus tiles of the colour or 3 of any."""
        payments = []
        for paid in multisets(self.own_bonus[player], list(BONUS)):
            cheap = 3 * missing - len(paid)  # so many tiles are paid with 2
            matching = sum(colour in BONUS[bonus] for bonus in paid)
            if 0 <= cheap <= missing and matching >= 2 * cheap:
                payments.append(",".join(paid))
        return payments

    def _printed(self, player: int, row: int, column: int) -> str | None:
        """Return what the vault shows on a cell; none where no plate lies."""
        spot = spot_of(row, column)
        plate = self.vault[player, spot]
        if plate is None:
            return None
        face = turn_right(PLATES[plate], self.turned[player, spot])
        return face[cells_of(spot).index((row, column))]

    def _fits(self, player: int, row: int, column: int, colour: str) -> bool:
        return self.tiles[player, row, column] is None and self._printed(player, row, column) in (colour, ANY)

    def _lay(self, player: int, row: int, column: int) -> None:
        line = self.lines[player, row]
        colour = self._line_colour(line)
        assert colour
        line[colour] -= 1
        self.tiles[player, row, column] = colour
        self.tower.update(line)
        line.clear()
        self._score(player, ("placed", self._placed_points(player, row, column)))
        cells = cells_of(spot_of(row, column))
        empty = [(r, c) for r, c in cells if self.tiles[player, r, c] is None]
        if len(empty) == 1 and self._printed(player, *empty[0]) == ORNAMENT:
            ornament_row, ornament_column = empty[0]
            self.ornaments[ORNAMENT] -= 1
            self.tiles[player, ornament_row, ornament_column] = ORNAMENT
            self._score(player, ("ornament_placed", ornament_row))

    def _placed_points(self, player: int, row: int, column: int) -> int:
        across = 1 + self._run(player, row, column, 0, -1) + self._run(player, row, column, 0, 1)
        down = 1 + self._run(player, row, column, -1, 0) + self._run(player, row, column, 1, 0)
        return sum(run for run in (across, down) if run > 1) or 1

    def _run(self, player: int, row: int, column: int, row_step: int, column_step: int) -> int:
        """Return how many tiles follow one another from here, this cell not counted."""
        length = 0
        while self.tiles.get((player, row + row_step, column + column_step)):
            row, column, length = row + row_step, column + column_step, length + 1
        return length

    def _score(self, player: int, *lines: tuple[str, int]) -> None:
        """Add the lines as one sum; what the bound at 0 spares, it spares the last negative lines first."""
        total = self.scores[player] + sum(points for _, points in lines)
        self.scores[player] = max(0, total)
        spared = max(0, -total)
        entries: list[tuple[int, str, int, int]] = []
        for rule, points in reversed(lines):
            here = min(spared, max(0, -points))
            spared -= here
            if points:
                entries.append((player, rule, points, points + here))
        self.ledger += reversed(entries)

    # --- the end ---

    def _score_goals(self, player: int) -> None:
        self._score(
            player,
            ("goal_rows", self._rows_goal(player)),
            ("goal_columns", self._columns_goal(player)),
            ("goal_diagonals", self._diagonals_goal(player)),
            ("goal_mosaic", self._mosaic_goal(player)),
        )

    def _full(self, player: int, cells: Iterable[tuple[int, int]]) -> bool:
        return all(self.tiles[player, row, column] for row, column in cells)

    def _rows_goal(self, player: int) -> int:
        if self.rows_tablet == "rows":
            return 3 * sum(self._full(player, [(r, c) for c in SIZE]) for r in SIZE)
        if self.rows_tablet == "colours":
            rows = [{self.tiles[player, r, c] for c in SIZE} for r in SIZE]
            return 4 * sum(all(colour in row for colour in COLOURS) for row in rows)
        return 0

    def _columns_goal(self, player: int) -> int:
        if self.columns_tablet == "columns":
            return 7 * sum(self._full(player, [(r, c) for r in SIZE]) for c in SIZE)
        if self.columns_tablet == "border":
            border = [(r, c) for r in SIZE for c in SIZE if r in (1, 6) or c in (1, 6)]
            return sum(self.tiles[player, r, c] is not None for r, c in border)
        return 0

    def _diagonals_goal(self, player: int) -> int:
        if self.diagonals_tablet == "diagonals":
            diagonals = [[(r, r) for r in SIZE], [(r, 7 - r) for r in SIZE]]
            return 10 * sum(self._full(player, diagonal) for diagonal in diagonals)
        if self.diagonals_tablet == "corners":
            return sum(points for spot, points in CORNERS.items() if self._full(player, cells_of(spot)))
        return 0

    def _mosaic_goal(self, player: int) -> int:
        def cells(shown: str) -> list[tuple[int, int]]:
            return [(r, c) for r in SIZE for c in SIZE if self._printed(player, r, c) == shown]

        if self.mosaic_tablet == "mosaic":
            return 2 * len(cells(ANY)) if self._full(player, cells(ANY)) else 0
        if self.mosaic_tablet == "ornaments":
            return -3 * sum(self.tiles[player, r, c] is None for r, c in cells(ORNAMENT))
        return 0


# --- the self-check ---


def table(**options: str) -> Duel:
    """Return a table with nothing on the factories but the first-player tile, in round 1."""
    game = Duel(2, **options)
    game.bag.clear()
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


def check_plates() -> None:
    """Nine plates of a type, each three colours and one special cell; turning to the right."""
    assert [len(plates) for plates in BACKS.values()] == [9, 9]
    for plate, face in PLATES.items():
        assert face.count(ORNAMENT if plate in BACKS["ornament_back"] else ANY) == 1 and len(set(face)) == 4
    assert turn_right(("a", "b", "c", "d"), 1) == ("c", "a", "d", "b")
    assert turn_right(("a", "b", "c", "d"), 2) == ("d", "c", "b", "a")
    assert turn_right(("a", "b", "c", "d"), 3) == ("b", "d", "a", "c")
    game = table()
    game._put_plate(1, "first_plate o1 3.2 1", Counter(o1=1))
    shown = {(r, c): game._printed(1, r, c) for r in SIZE for c in SIZE if game._printed(1, r, c)}
    assert shown == {(5, 3): "turquoise", (5, 4): "yellow", (6, 3): ORNAMENT, (6, 4): "black"}


def check_taking() -> None:
    # example 1: stacking the rest; the last kind follows by itself
    game = table()
    game.suns["1"].update(turquoise=2, black=1, yellow=1)
    game.waiting["1"] = True
    asked = run(game._act(1, "take_sun 1 turquoise 2"), "stack_up black")
    assert asked == [["stack_up yellow", "stack_up black"]] and game.moons["1"] == ["black", "yellow"]
    assert game.lines[1, 2]["turquoise"] == 2 and game.waiting["1"]
    takes = [move for move in game._actions(2) if move.startswith("take_moon")]
    assert takes == [f"take_moon yellow {target}" for target in (*SIZE, BROKEN)]
    game = table()
    game.suns["2"].update(red=1, blue=3)
    assert run(game._act(1, "take_sun 2 red 1")) == [] and game.moons["2"] == ["blue"] * 3

    # four alike: the bonus tile is revealed, and may be taken; a third is refused
    game = table()
    game.suns["3"].update(red=4)
    game.waiting["3"] = True
    asked = run(game._act(1, "take_sun 3 red 3"), "draw b10")
    assert asked == [[f"draw {bonus}" for bonus in BONUS]] and game.revealed["3"] == "b10"
    assert game.lines[1, 3]["red"] == 3 and game.broken[1]["red"] == 1 and not game.waiting["3"]
    game.bonus_taken[1] = 2
    assert "take_bonus 3" not in game._actions(1) and game._actions(2)[-1] == "take_bonus 3"
    run(game._act(2, "take_bonus 3"))
    assert game.own_bonus[2] == Counter(b10=1) and game.revealed["3"] is None and game.bonus_taken[2] == 1

    # example 2: the large factory, then yellow from small moons only, then the large moon
    game = table()
    game.suns[LARGE].update(turquoise=2, red=1, black=2)
    game.moons["1"], game.moons["4"] = ["black", "yellow"], ["yellow"]
    game.waiting["1"] = game.waiting["4"] = True
    assert run(game._act(2, f"take_sun {LARGE} turquoise 2")) == []
    assert +game.big_moon == Counter(red=1, black=2, first_tile=1) and not game.suns[LARGE].total()
    colours = [move.split()[1] for move in game._actions(1) if move.startswith("take_moon") and BROKEN in move]
    assert colours == ["yellow", "red", "black"]
    assert len(run(game._act(1, "take_moon yellow 2"), "draw b1")) == 1
    assert game.lines[1, 2]["yellow"] == 2 and game.big_moon[FIRST_TILE] and game.revealed["4"] == "b1"
    run(game._act(2, "take_moon black 4"), "draw b1")
    assert game.lines[2, 4]["black"] == 3 and +game.first_place[2] == Counter(first_tile=1) and game.holder == 2
    assert run(game._act(1, "take_moon red 6")) == [] and game.holder == 2 and not (+game.big_moon)

    # the large sun of a single colour carries the first-player tile; not a second time
    game = table()
    game.suns[LARGE].update(red=3)
    run(game._act(2, f"take_sun {LARGE} red {BROKEN}"))
    assert game.holder == 2 and game.first_place[2][FIRST_TILE] and game.broken[2]["red"] == 3

    # example 3: each legal line, and always the broken spaces; only four of those
    game = table()
    for row, colour, count in ((1, "red", 1), (2, "blue", 1), (4, "red", 4), (5, "red", 2), (6, "black", 1)):
        game.lines[1, row][colour] = count
    assert game._targets(1, "red") == ["3", "5", BROKEN]
    game._place(1, "3", ["red"] * 8)
    assert game.lines[1, 3]["red"] == 3 and game.broken[1]["red"] == 4 and game.tower["red"] == 1


def check_digging() -> None:
    game = table()
    game.unseen_plates = Counter(o1=1, o2=1, m1=1)
    game.under_plates, game.scores[1], game.on_top = ["m3", "m2"], 1, "ornament_back"
    assert game._actions(1) == ["dig"]
    asked = run(
        game._act(1, "dig"),
        *("roll mosaic_back", "draw_plate", "roll ornament_back", "draw_plate"),
        *("draw_plate", "draw_plate", "draw o2", "draw o1", "draw m1"),
        *("keep_plate m2 2.2 3", "put_under m1", "put_under o2", "put_under m3"),
    )
    choice = ["draw_plate", "look"]
    assert asked[:4] == [["roll ornament_back", "roll mosaic_back"], choice, ["roll ornament_back"], choice]
    assert asked[4:6] == [choice, choice]
    assert asked[6:9] == [["draw o1", "draw o2"], ["draw o1"], ["draw m1"]] and len(asked[9]) == 5 * 9 * 4
    assert asked[10:] == [
        ["put_under o1", "put_under o2", "put_under m1", "put_under m3"],
        ["put_under o1", "put_under o2", "put_under m3"],
        ["put_under o1", "put_under m3"],
    ]
    assert game.vault[1, (2, 2)] == "m2" and game.turned[1, (2, 2)] == 3
    assert game.under_plates == ["o1", "m3", "o2", "m1"]
    assert game.ledger == [(1, "plate_price", -1, -1)] + [(1, "plate_price", -1, 0)] * 4
    assert game.tokens[1][TOKEN] == 1 and game.score_board[TOKEN] == 1 and not game.looked[1].total()
    assert run(game._show_plates()) == [] and +game.shown_plates == Counter(m1=1, o2=1, m3=1)
    game.round = LAST_ROUND
    assert game._actions(1) == []

    # put under only: no roll; one plate drawn: nothing to put under
    game = table()
    game.unseen_plates.clear()
    game.under_plates = ["m9"]
    assert len(run(game._act(2, "dig"), "keep_plate m9 1.1 0")) == 1 and game.under_plates == []


def check_decorating() -> None:
    # example 4: two half-turquoise bonus tiles, or any three
    game = table()
    game._put_plate(1, "first_plate m2 2.1 0", Counter(m2=1))  # turquoise red / blue any
    game.lines[1, 3]["turquoise"], game.lines[1, 4]["red"] = 2, 3
    game.own_bonus[1].update(b1=1, b6=1, b10=1)
    asked = run(game._decorate(1), "leave", "complete_line 2 b1,b6,b10")
    assert asked == [
        ["complete_line 1 b1,b6,b10", "complete_line 1 b6,b10", "leave"],
        ["complete_line 2 b1,b6,b10", "leave"],
    ]
    assert game.tiles[1, 4, 2] == "red" and +game.tower == Counter(red=2) and game.spent.total() == 3
    assert game._mosaic_goal(1) == 0 and game.lines[1, 3]["turquoise"] == 2 and not game.own_bonus[1].total()
    game = table()
    game.own_bonus[1].update(b1=2, b3=2, b8=1)  # three missing need 6 to 9, two missing 4 with 4 matching, 5 with 2, 6
    assert game._payments(1, "blue", 3) == [] and game._payments(1, "red", 2) == ["b1,b1,b3,b3,b8"]
    assert game._payments(1, "blue", 1) == [
        *("b1,b1,b3", "b1,b1,b8", "b1,b1", "b1,b3,b3", "b1,b3,b8", "b1,b8", "b3,b3,b8"),
    ]

    # example 5: runs and an ornament; example 6: three broken tiles and the first-player tile
    game = table()
    game._put_plate(1, "first_plate o1 1.1 0", Counter(o1=1))  # yellow black / turquoise ornament
    game._put_plate(1, "first_plate o4 2.1 0", Counter(o4=1))  # yellow blue / black ornament
    game.tiles[1, 1, 2], game.tiles[1, 2, 1] = "black", "turquoise"
    game.lines[1, 1]["yellow"], game.lines[1, 3]["blue"] = 1, 3
    game.broken[1]["red"] = 3
    game.first_place[1][FIRST_TILE] = 1
    assert run(game._decorate(1)) == []
    assert [line[1:3] for line in game.ledger] == [
        *(("placed", 4), ("ornament_placed", 2), ("placed", 3), ("broken_tiles", -6), ("first_player", -2)),
    ]
    assert game.scores[1] == 5 + 9 - 8 and game.tiles[1, 2, 2] == ORNAMENT and game.ornaments[ORNAMENT] == 8
    assert +game.tower == Counter(blue=2, red=3) and game.first_place[1][FIRST_TILE]
    game = table()
    game.broken[1]["red"] = 2
    run(game._decorate(1))
    assert game.ledger == [(1, "broken_tiles", -3, -3)]

    # never below 0: the last negative lines are spared first
    game = table()
    game.broken[1]["red"] = 3
    game.first_place[1][FIRST_TILE] = 1
    run(game._decorate(1))
    assert game.ledger == [(1, "broken_tiles", -6, -5), (1, "first_player", -2, 0)] and game.scores[1] == 0

    # no fitting free cell: the tiles stay, or break when all three plates lie there, full line or not
    game = table()
    for plate, spot in (("m1", "1.1"), ("m5", "1.2")):  # row 1: any blue yellow red
        game._put_plate(1, f"first_plate {plate} {spot} 0", Counter({plate: 1}))
    game.tiles[1, 1, 1] = "red"
    game.lines[1, 1]["black"], game.lines[1, 2]["red"] = 1, 1
    assert run(game._decorate(1)) == [] and game.lines[1, 1]["black"] == 1
    game._put_plate(1, "first_plate o9 1.3 0", Counter(o9=1))  # row 2: turquoise black any blue blue red
    game.tiles[1, 2, 3] = game.tiles[1, 2, 6] = "red"
    assert run(game._decorate(1)) == [] and not game.lines[1, 1].total() and not game.lines[1, 2].total()
    assert game.ledger == [(1, "broken_tiles", -3, -3)] and +game.tower == Counter(black=1, red=1)

    # a choice of cells
    game = table()
    game._put_plate(1, "first_plate m1 1.1 0", Counter(m1=1))
    game.lines[1, 1]["blue"] = 1
    assert run(game._decorate(1), "lay 1") == [["lay 1", "lay 2"]] and game.tiles[1, 1, 1] == "blue"


def check_filling() -> None:
    def fill(game: Duel, *answers: str) -> list[list[str]]:
        return run(game._fill_factories(), *answers)

    # five alike: redrawn from the bag, with the tower poured in, accepted
    game = table()
    game.bag.update(red=7, blue=14)
    asked = fill(game, *["draw red"] * 5, "draw blue", *["draw red"] * 7, *["draw blue"] * 13)
    assert len(asked) == 26 and game.suns[LARGE] == Counter(blue=1, red=4) and all(game.waiting.values())
    game = table()
    game.bag["red"], game.tower["blue"] = 6, 1
    asked = fill(game, *["draw red"] * 5, "draw blue", *["draw red"] * 6, "draw b3", "draw b3", "draw b4")
    assert asked[4:6] == [["draw red"], ["draw blue", "draw red"]] and not game.tower.total()
    assert game.suns["1"] == Counter(red=2) and game.waiting["1"]
    assert list(game.revealed.values()) == [None, "b3", "b3", "b4"]
    game = table()
    game.bag["red"], game.tower["red"] = 6, 1
    asked = fill(game, *["draw red"] * 7, "draw b3", "draw b3", "draw b4")
    assert game.suns[LARGE] == Counter(red=5) and game.suns["1"] == Counter(red=2)

    # the tower is poured only when a tile must be drawn; too few bonus tiles
    game = table()
    game.bag["red"], game.bag["blue"], game.tower["black"] = 20, 1, 3
    game.unseen_bonus = Counter(b5=3)
    fill(game, "draw blue", *["draw red"] * 20)
    assert game.tower["black"] == 3 and not game.bag.total()
    assert game.waiting == {"1": True, "2": True, "3": True, "4": False}


def check_goals() -> None:
    def goals(game: Duel) -> list[tuple[str, int]]:
        game.ledger.clear()
        game.scores[1] = 5
        game._score_goals(1)
        return [line[1:3] for line in game.ledger]

    back = {"rows_tablet": "colours", "columns_tablet": "border", "diagonals_tablet": "corners"}
    for options, full in (
        ({}, [("goal_rows", 18), ("goal_columns", 42), ("goal_diagonals", 20)]),
        (back, [("goal_columns", 20), ("goal_diagonals", 22)]),
        (dict.fromkeys(TABLETS, "unused"), []),
    ):
        game = table(**options)
        for r, c in itertools.product(SIZE, SIZE):
            game.tiles[1, r, c] = "red" if r != 6 else ORNAMENT
        assert goals(game) == full
    game = table(rows_tablet="colours", columns_tablet="unused")
    for column, colour in enumerate(COLOURS, 1):
        game.tiles[1, 2, column] = colour
        game.tiles[1, 3, column + 1] = colour
        game.tiles[1, 4, column] = ORNAMENT if colour == "red" else colour
    game.tiles[1, 3, 1], game.tiles[1, 4, 6] = ORNAMENT, "blue"
    assert goals(game) == [("goal_rows", 8)]

    # the fourth tablet
    for side, empty, filled in (("mosaic", [], [("goal_mosaic", 4)]), ("ornaments", [("goal_mosaic", -3)], [])):
        game = table(mosaic_tablet=side)
        assert goals(game) == []
        for plate, spot in (("m1", "1.1"), ("m2", "2.2"), ("o1", "3.3")):
            game._put_plate(1, f"first_plate {plate} {spot} 0", Counter({plate: 1}))
        game.tiles[1, 1, 1] = "red"
        assert goals(game) == empty
        game.tiles[1, 4, 4], game.tiles[1, 6, 6] = "blue", ORNAMENT
        assert goals(game) == filled
    game = table(columns_tablet="border", mosaic_tablet="ornaments")
    for plate, spot in (("o1", "1.1"), ("o2", "1.2"), ("o3", "1.3")):
        game._put_plate(1, f"first_plate {plate} {spot} 0", Counter({plate: 1}))
    game.tiles[1, 1, 1] = "yellow"
    goals(game)
    assert game.ledger == [(1, "goal_columns", 1, 1), (1, "goal_mosaic", -9, -6)] and game.scores[1] == 0
    game.scores[2], game.holder = 0, 2
    assert game.winners() == [2]


def check_random_game(options: dict[str, str], seed: int) -> None:
    """Play to the end by chance; no piece may be lost, and the ledger must add up."""
    chance = random.Random(seed)
    game = Duel(2, **options)

    def everything() -> Counter[str]:
        pieces = Counter(game.hand)
        for _, pile in game._piles():
            assert all(count >= 0 for count in pile.values())
            pieces.update(pile)
        cells = (*game.tiles.values(), *game.vault.values(), *game.revealed.values())
        pieces.update(piece for piece in cells if piece)
        pieces.update(game.under_plates)
        for moon in game.moons.values():
            pieces.update(moon)
        return +pieces

    at_start = everything()
    assert at_start.total() == 65 + 9 + 1 + 18 + 20 + 4
    while game.to_move is not None:
        moves = game.moves()
        assert moves and len(set(moves)) == len(moves)
        if chance.random() < seed % 3 / 3:  # some games played a little better: more lines filled, more lines completed
            moves = [move for move in moves if BROKEN not in move and move != "leave"] or moves
        game.play(chance.choice(moves))
        assert everything() == at_start
        for player in SEATS:
            assert game.broken[player].total() <= len(BROKEN_COSTS) and game.bonus_taken[player] <= BONUS_LIMIT
            assert all(len(+game.lines[player, row]) <= 1 and game.lines[player, row].total() <= row for row in SIZE)
    assert game.moves() == [] and len(game.winners()) == 1
    assert all(game.vault.values()) and not game.unseen_bonus.total()
    for (player, row, column), tile in game.tiles.items():
        printed = game._printed(player, row, column)
        assert tile is None or tile == printed or (printed == ANY and tile in COLOURS)
    for player in SEATS:
        assert game.scores[player] == 5 + sum(gained for who, _, _, gained in game.ledger if who == player)


if __name__ == "__main__":
    for check in (check_plates, check_taking, check_digging, check_decorating, check_filling, check_goals):
        check()
    settings = itertools.cycle(itertools.product(*TABLETS.values()))
    for seed, sides in zip(range(200), settings):
        check_random_game(dict(zip(TABLETS, sides)), seed)
    print("the worked examples and 200 random games: good")
