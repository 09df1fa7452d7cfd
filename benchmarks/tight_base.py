"""The tightest pure-Python random playout of base Azul for two that we could write: a yardstick, not an engine.

Nothing here is general: two players, the coloured 5x5 wall, and no state that could be kept, shown or replayed.
The rules are whole (rules/base.md), and every move is uniform among all legal (source, colour, line or floor).

What makes it fast:
- The numbers of a display's tiles, added up, lead to the ready-made list of its moves to every line and the floor.
- `moves` joins those lists. Draw until a move is allowed (2.6 draws on average): that is uniform among the legal ones.
- A player is one flat list that begins with how many tiles of each colour each line still takes; 0 is "not allowed".
- The floor is a count, its tiles are in the lid at once (nothing looks there before the round is over), wall rows and
  columns are bit masks, and the lengths of runs come from tables.

    python benchmarks/tight_base.py [games] [seed] [--check]
"""

import random
import sys
import time
from itertools import combinations_with_replacement
from typing import Any

CHECK = "--check" in sys.argv  # count the pieces after every round
IDLE_ROUNDS = 5  # so many rounds in a row in which nobody lays a tile end the game

# A player's list. 0 to 24: 5 * line + colour, the tiles taken; 25 to 29: the floor, always allowed; then these.
FLOOR, SCORE, ROWS, COLUMNS, FILLED = 30, 31, 32, 37, 42
PLAYER: list[Any] = [line + 1 for line in range(5) for _ in range(5)] + [1] * 5 + [0] * 12
PENALTY = [0, 1, 2, 4, 6, 8, 11] + [14] * 15  # by the count on the floor: at most 20 tiles and the token

TILES = (1, 5, 25, 125, 625)  # the number of a tile of each colour: up to four add up without carrying
BAG = [tile for tile in TILES for _ in range(20)]
LINES = [slice(5 * line, 5 * line + 5) for line in range(5)]
# What a line takes: when full; when it holds a colour and has so much room; when empty beside a row with such colours.
FULL = (0,) * 5
STARTED = [[tuple(room * (c == colour) for c in range(5)) for room in range(5)] for colour in range(5)]
EMPTY = [[tuple(0 if row >> c & 1 else line + 1 for c in range(5)) for row in range(32)] for line in range(5)]


def run(mask: int, at: int) -> int:
    """Return the points for the run of bits through `at`: its length, or 0 for a lone bit."""
    low, high = at, at + 1
    while low and mask >> low - 1 & 1:
        low -= 1
    while mask >> high & 1:
        high += 1
    return high - low if high - low > 1 else 0


# All that laying a tile needs, by 5 * line + colour: places, bits, and tables by mask. Row masks have a bit a colour,
# column masks a bit a row; a colour stands one column further right in each row.
LAYING = [
    (ROWS + line, 1 << colour, COLUMNS + (colour + line) % 5, 1 << line, LINES[line], EMPTY[line],
     [run(sum(1 << (c + line) % 5 for c in range(5) if row >> c & 1), (colour + line) % 5) for row in range(32)],
     [run(column, line) for column in range(32)])
    for line in range(5) for colour in range(5)
]  # fmt: skip

# A move: its place in the player's list, colour, tiles (0: all the centre has), the line's slice (None: the floor),
# its place among its source's moves, their number, what goes to the centre. In the centre each colour is a source.
Move = tuple[int, int, int, slice | None, int, int, tuple[tuple[int, int, list["Move"]], ...]]
TARGETS = [*enumerate(LINES), (5, None)]
CENTRE: list[list[Move]] = [[(5 * to + c, c, 0, line, to, 6, ()) for to, line in TARGETS] for c in range(5)]
DISPLAY: dict[int, list[Move]] = {0: []}
for held in (held for size in range(1, 5) for held in combinations_with_replacement(range(5), size)):
    DISPLAY[sum(TILES[c] for c in held)] = [
        (5 * to + c, c, held.count(c), line, 6 * place + to, 6 * len(set(held)),
         tuple((other, held.count(other), CENTRE[other]) for other in set(held) - {c}))
        for place, c in enumerate(set(held)) for to, line in TARGETS
    ]  # fmt: skip


def playout(rng: random.Random) -> tuple[int, int, int]:
    """Both scores and the number of moves of one random game; the first seat starts."""
    bits = rng.getrandbits  # bits(30) % n, n up to 120, is even to one part in nine million
    bag, lid, centre = BAG[:], [0] * 5, [0] * 5
    one, two = [*PLAYER, []], [*PLAYER, []]
    first, complete, idle, played = one, False, 0, 0
    while not complete and idle < IDLE_ROUNDS:
        # Fill the displays.
        moves: list[Move] = []
        if not bag:
            bag, lid = poured(lid), [0] * 5
        if (n := len(bag)) >= 20:
            pop = bag.pop
            for n in range(n, n - 20, -4):  # noqa: B020
                moves += DISPLAY[
                    pop(bits(30) % n) + pop(bits(30) % (n - 1)) + pop(bits(30) % (n - 2)) + pop(bits(30) % (n - 3))
                ]
        else:  # the bag runs out on the way
            drawn: list[int] = []
            while len(drawn) < 20 and (bag or any(lid)):
                if not bag:
                    bag, lid = poured(lid), [0] * 5
                drawn.append(bag.pop(bits(30) % len(bag)))
            if not drawn:
                break
            for n in range(0, 20, 4):
                moves += DISPLAY[sum(drawn[n : n + 4])]

        # The offer.
        token = True
        me, you = (one, two) if first is one else (two, one)
        while n := len(moves):
            while not (room := me[(move := moves[at := bits(30) % n])[0]]):
                pass
            where, colour, count, line, before, width, rest = move
            at -= before
            del moves[at : at + width]
            if count:
                for c, k, its_moves in rest:
                    if not centre[c]:
                        moves += its_moves
                    centre[c] += k
            else:
                count, centre[colour] = centre[colour], 0
                if token:
                    token, first = False, me
                    me[FLOOR] += 1
            if line is None:
                me[FLOOR] += count
                lid[colour] += count
            elif count < room:
                me[line] = STARTED[colour][room - count]
            else:
                me[line] = FULL
                me[FILLED].append(where)
                me[FLOOR] += count - room
                lid[colour] += count - room + where // 5  # all but the one tile for the wall
            played += 1
            me, you = you, me

        # Tiling, from the top line down.
        idle += 1
        for me in one, two:
            score = me[SCORE] - PENALTY[me[FLOOR]]
            me[FLOOR] = 0
            if filled := me[FILLED]:
                idle = 0
                filled.sort()
                for where in filled:
                    row_at, row_bit, column_at, column_bit, line, empty, row_points, column_points = LAYING[where]
                    me[row_at] = row = me[row_at] | row_bit
                    me[column_at] = column = me[column_at] | column_bit
                    score += row_points[row] + column_points[column] or 1
                    me[line] = empty[row]
                    if row == 31:
                        complete = True
                filled.clear()
            me[SCORE] = score if score > 0 else 0
        if CHECK:
            check_pieces(bag, lid, one, two)

    for me in one, two:
        a, b, c, d, e = rows = me[ROWS:COLUMNS]
        me[SCORE] += 2 * rows.count(31) + 7 * me[COLUMNS:FILLED].count(31) + 10 * (a & b & c & d & e).bit_count()
    return one[SCORE], two[SCORE], played


def poured(lid: list[int]) -> list[int]:
    """Return the tiles of the lid, as a bag."""
    return [1] * lid[0] + [5] * lid[1] + [25] * lid[2] + [125] * lid[3] + [625] * lid[4]


def check_pieces(bag: list[int], lid: list[int], *players: list[Any]) -> None:
    """Fail unless bag, lid, walls and unfinished lines hold 20 tiles of each colour."""
    for c, tile in enumerate(TILES):
        laid = sum(me[ROWS + line] >> c & 1 for me in players for line in range(5))
        waiting = sum(line + 1 - me[5 * line + c] for me in players for line in range(5) if me[5 * line + c])
        assert bag.count(tile) + lid[c] + laid + waiting == 20, (c, bag.count(tile), lid[c], laid, waiting)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word != "--check"]
    games, seed = numbers + [20_000, 1][len(numbers) :]
    rng = random.Random(seed)
    start = time.perf_counter()
    results = [playout(rng) for _ in range(games)]
    seconds = time.perf_counter() - start
    one, two, moves = map(sum, zip(*results))
    print(f"{games / seconds:,.0f} games/s, {moves / seconds:,.0f} moves/s, {moves / games:.1f} moves a game")
    print(f"mean scores {one / games:.2f} and {two / games:.2f}")
