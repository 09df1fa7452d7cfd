"""A naive second implementation of Azul: Summer Pavilion, coloured and grey side: tests only.

Written from the rules page. The game is one generator that reads like the rulebook: it yields
(who decides, the legal decisions) and is sent the decision taken. `python -m tests.reference.pavilion` checks itself.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterator

from tests.reference.generated import GeneratedGame, Steps

COLOURS = ("purple", "green", "orange", "yellow", "blue", "red")
WILD = dict(zip(range(1, 7), COLOURS))  # by round
TOKEN = "token"
TILES_OF_A_COLOUR = 22
DISPLAYS = {2: 5, 3: 7, 4: 9}
DISPLAY_SIZE = 4
SUPPLY_SIZE = 10
MOST_KEPT = 4
FIRST_SCORE, LOWEST_SCORE = 5, 1
TIPS = ("n", "ne", "se", "s", "sw", "nw")  # the ring, clockwise
STAR_COLOUR = {
    "centre_star": None,
    "orange_star": "orange",
    "red_star": "red",
    "blue_star": "blue",
    "yellow_star": "yellow",
    "green_star": "green",
    "purple_star": "purple",
}
STARS = tuple(STAR_COLOUR)
SPACES = tuple((star, tip) for star in STARS for tip in TIPS)
PRICES = {  # by side and star, the tips in ring order from n
    "coloured": {
        "centre_star": (1, 2, 3, 4, 5, 6),
        "orange_star": (6, 1, 2, 3, 4, 5),
        "red_star": (5, 6, 1, 2, 3, 4),
        "blue_star": (4, 5, 6, 1, 2, 3),
        "yellow_star": (3, 4, 5, 6, 1, 2),
        "green_star": (2, 3, 4, 5, 6, 1),
        "purple_star": (1, 2, 3, 4, 5, 6),
    },
    "grey": {
        "centre_star": (3, 3, 3, 3, 3, 3),
        "orange_star": (6, 3, 2, 1, 4, 5),
        "red_star": (5, 6, 3, 2, 1, 4),
        "blue_star": (4, 5, 6, 3, 2, 1),
        "yellow_star": (1, 4, 5, 6, 3, 2),
        "green_star": (2, 1, 4, 5, 6, 3),
        "purple_star": (3, 2, 1, 4, 5, 6),
    },
}
FEATURES = (  # the gift tiles, and the spaces around
    # pillars
    (1, "centre.n centre.nw orange.se orange.s"),
    (1, "centre.n centre.ne red.s red.sw"),
    (1, "centre.ne centre.se blue.sw blue.nw"),
    (1, "centre.se centre.s yellow.nw yellow.n"),
    (1, "centre.s centre.sw green.n green.ne"),
    (1, "centre.sw centre.nw purple.ne purple.se"),
    # statues
    (2, "orange.ne orange.se red.sw red.nw"),
    (2, "red.se red.s blue.nw blue.n"),
    (2, "blue.s blue.sw yellow.n yellow.ne"),
    (2, "yellow.sw yellow.nw green.ne green.se"),
    (2, "green.nw green.n purple.se purple.s"),
    (2, "purple.n purple.ne orange.s orange.sw"),
    # windows
    (3, "orange.nw orange.n"),
    (3, "red.n red.ne"),
    (3, "blue.ne blue.se"),
    (3, "yellow.se yellow.s"),
    (3, "green.s green.sw"),
    (3, "purple.sw purple.nw"),
)
ONE_COLOUR_POINTS = {"red": 14, "blue": 15, "yellow": 16, "orange": 17, "green": 18, "purple": 20}
SIX_COLOURS_POINTS = 12
NUMBER_POINTS = {1: 4, 2: 8, 3: 12, 4: 16}

Space = tuple[str, str]


def spaces_around(feature: str) -> list[Space]:
    return [(f"{star}_star", tip) for star, tip in (space.split(".") for space in feature.split())]


def selections(pile: Counter[str], least: int, most: int) -> list[str]:
    """Return every way to choose so many tiles together, those with most of the first colour first."""
    counts = (range(min(pile[colour], most), -1, -1) for colour in COLOURS)
    chosen = [amounts for amounts in itertools.product(*counts) if least <= sum(amounts) <= most]
    return [",".join(Counter(dict(zip(COLOURS, amounts))).elements()) or "nothing" for amounts in chosen]


def selected(notation: str) -> Counter[str]:
    return Counter() if notation == "nothing" else Counter(notation.split(","))


class Pavilion(GeneratedGame):
    """One game, always standing at a decision or at its end."""

    def __init__(self, players: int, side: str = "coloured") -> None:
        assert players in DISPLAYS and side in PRICES
        self.seats = range(1, players + 1)
        self.displays = [str(number) for number in range(1, DISPLAYS[players] + 1)]
        self.grey = side == "grey"
        self.price: dict[Space, int] = {
            (star, tip): price for star, prices in PRICES[side].items() for tip, price in zip(TIPS, prices)
        }
        self.round = 1
        self.bag = Counter(dict.fromkeys(COLOURS, TILES_OF_A_COLOUR))
        self.tower: Counter[str] = Counter()
        self.supply: Counter[str] = Counter()
        self.offer: dict[str, Counter[str]] = {source: Counter() for source in [*self.displays, "centre"]}
        self.offer["centre"][TOKEN] = 1
        self.hands: dict[int, Counter[str]] = {p: Counter() for p in self.seats}
        self.kept: dict[int, Counter[str]] = {p: Counter() for p in self.seats}
        self.holding: dict[int, Counter[str]] = {p: Counter() for p in self.seats}
        self.board: dict[tuple[int, str, str], str | None] = {
            (p, star, tip): None for p in self.seats for star, tip in SPACES
        }
        self.scores = dict.fromkeys(self.seats, FIRST_SCORE)
        self.passed = dict.fromkeys(self.seats, False)
        self.holder = 1
        self.begin()

    # --- what the outside sees ---

    def snapshot(self) -> dict[str, object]:
        seen: dict[str, object] = {name: dict(+pile) for name, pile in self._piles()}
        seen |= {f"board[{p}, {star}, {tip}]": tile for (p, star, tip), tile in self.board.items()}
        seen |= {f"score[{p}]": score for p, score in self.scores.items()}
        seen |= {f"passed[{p}]": passed for p, passed in self.passed.items()}
        return seen | {"holder": self.holder}

    def winners(self) -> list[int]:
        return [p for p in self.seats if self.scores[p] == max(self.scores.values())]

    def _piles(self) -> Iterator[tuple[str, Counter[str]]]:
        yield from (("bag", self.bag), ("tower", self.tower), ("supply", self.supply))
        yield from ((f"offer[{source}]", pile) for source, pile in self.offer.items())
        yield from ((f"hand[{p}]", pile) for p, pile in self.hands.items())
        yield from ((f"kept[{p}]", pile) for p, pile in self.kept.items())
        yield from ((f"holding[{p}]", pile) for p, pile in self.holding.items())

    # --- the course of the game ---

    def _game(self) -> Steps:
        yield from self._draw_up_to(SUPPLY_SIZE, self.supply)
        for self.round in WILD:
            yield from self._deal()
            yield from self._taking()
            yield from self._placing()
        self._final_scoring()

    def _next(self, player: int) -> int:
        return player % len(self.seats) + 1

    def _deal(self) -> Steps:
        for held in self.holding.values():
            held[TOKEN] = 0
        self.offer["centre"][TOKEN] = 1
        for display in self.displays:
            yield from self._draw_up_to(DISPLAY_SIZE, self.offer[display])

    def _draw_up_to(self, size: int, pile: Counter[str]) -> Steps:
        """Fill the pile from the bag, and from the tower once the bag is empty; short when both are."""
        while pile.total() < size:
            if not self.bag.total():
                self.bag.update(self.tower)
                self.tower.clear()
            colours = [colour for colour in COLOURS if self.bag[colour]]
            if not colours:
                return
            colour = (yield "chance", [f"draw {colour}" for colour in colours]).removeprefix("draw ")
            self.bag[colour] -= 1
            pile[colour] += 1

    # --- 1. taking ---

    def _taking(self) -> Steps:
        player = self.holder
        while any(pile[colour] for pile in self.offer.values() for colour in COLOURS):
            yield from self._take(player)
            player = self._next(player)

    def _takes(self) -> list[str]:
        """Return every legal take: the wild colour only where no other tile lies."""
        takes = []
        for source, offer in self.offer.items():
            there = [colour for colour in COLOURS if offer[colour]]
            takes += [f"take {source} {c}" for c in there if c != WILD[self.round] or there == [c]]
        return takes

    def _take(self, player: int) -> Steps:
        _, source, colour = (yield player, self._takes()).split()
        offer, wild = self.offer[source], WILD[self.round]
        taken = Counter({wild: min(1, offer[wild])})
        if colour != wild:
            taken[colour] = offer[colour]
        offer.subtract(taken)
        self.hands[player].update(taken)
        if source != "centre":
            self.offer["centre"].update(offer)
            offer.clear()
        elif offer[TOKEN]:
            offer[TOKEN] = 0
            self.holding[player][TOKEN] = 1
            self.holder = player
            self._score(player, "token_price", -taken.total())

    # --- 2. placing ---

    def _placing(self) -> Steps:
        for p in self.seats:
            self.passed[p] = False
            self.hands[p].update(self.kept[p])
            self.kept[p].clear()
        player = self.holder
        while not all(self.passed.values()):
            if not self.passed[player]:
                yield from self._place_or_pass(player)
            player = self._next(player)

    def _place_or_pass(self, player: int) -> Steps:
        can_keep = MOST_KEPT if self.round < max(WILD) else 0
        passes = [f"pass {tiles}" for tiles in selections(self.hands[player], 0, can_keep)]
        verb, *words = (yield player, self._places(player) + passes).split()
        if verb == "pass":
            self._pass(player, selected(words[0]))
        else:
            star, tip = words[0].split(".")
            yield from self._place(player, (star, tip), words[1], int(words[2]))

    def _places(self, player: int) -> list[str]:
        return [
            f"place {star}.{tip} {colour} {wilds}"
            for star, tip in SPACES
            if self.board[player, star, tip] is None
            for colour in COLOURS
            if self.hands[player][colour] and self._star_accepts(player, star, colour)
            for wilds in range(6)
            if self._can_pay(player, self.price[star, tip], colour, wilds)
        ]

    def _star_accepts(self, player: int, star: str, colour: str) -> bool:
        there = self._tiles(player, star)
        if self.grey:
            if len(there) < 2:
                return True
            return colour == there[0] if len(set(there)) == 1 else colour not in there
        if STAR_COLOUR[star] is None:
            return colour not in there
        return colour == STAR_COLOUR[star]

    def _can_pay(self, player: int, price: int, colour: str, wilds: int) -> bool:
        """Does the player have this many wilds, and the rest, at least one tile, in the colour itself?"""
        hand, wild = self.hands[player], WILD[self.round]
        own = price - wilds
        if colour == wild and wilds:
            return False
        return own >= 1 and hand[colour] >= own and hand[wild] >= wilds

    def _place(self, player: int, space: Space, colour: str, wilds: int) -> Steps:
        hand, wild = self.hands[player], WILD[self.round]
        own = self.price[space] - wilds
        hand[colour] -= own
        hand[wild] -= wilds
        self.tower[colour] += own - 1
        self.tower[wild] += wilds
        self.board[player, *space] = colour
        self._score(player, "placed", self._run_length(player, space))
        gifts = self._gifts(player, space)
        if gifts:
            yield from self._pick(player, gifts)
            yield from self._draw_up_to(SUPPLY_SIZE, self.supply)

    def _tiles(self, player: int, star: str) -> list[str]:
        """Return the tiles on a star."""
        return [tile for tip in TIPS if (tile := self.board[player, star, tip])]

    def _covered(self, player: int, space: Space) -> bool:
        return self.board[player, *space] is not None

    def _run_length(self, player: int, space: Space) -> int:
        """Return how many covered spaces of the star's ring hang together here."""
        star, tip = space
        start = TIPS.index(tip)
        clockwise = [TIPS[(start + step) % len(TIPS)] for step in range(1, len(TIPS))]

        def covered_at_once(tips: list[str]) -> int:
            return len(list(itertools.takewhile(lambda tip: self._covered(player, (star, tip)), tips)))

        return min(len(TIPS), 1 + covered_at_once(clockwise) + covered_at_once(clockwise[::-1]))

    def _gifts(self, player: int, space: Space) -> int:
        """Return the gift tiles of all features around this space that are now surrounded."""
        return sum(
            gift
            for gift, feature in FEATURES
            if space in spaces_around(feature) and all(self._covered(player, s) for s in spaces_around(feature))
        )

    def _pick(self, player: int, gifts: int) -> Steps:
        """Take so many tiles from the supply, or all that are there; asked only if there is a choice."""
        count = min(gifts, self.supply.total())
        choices = selections(self.supply, count, count)
        choice = choices[0]
        if len(choices) > 1:
            choice = (yield player, [f"pick {tiles}" for tiles in choices]).removeprefix("pick ")
        self.supply.subtract(selected(choice))
        self.hands[player].update(selected(choice))

    def _pass(self, player: int, keep: Counter[str]) -> None:
        hand = self.hands[player]
        self.passed[player] = True
        self.kept[player].update(keep)
        hand.subtract(keep)
        self._score(player, "discards", -hand.total())
        self.tower.update(hand)
        hand.clear()

    def _score(self, player: int, rule: str, points: int) -> None:
        before = self.scores[player]
        self.scores[player] = max(LOWEST_SCORE, before + points)
        if points:
            self.ledger.append((player, rule, points, self.scores[player] - before))

    # --- the end ---

    def _final_scoring(self) -> None:
        for p in self.seats:
            self._score(p, "stars", sum(self._star_points(p, star) for star in STARS))
            self._score(p, "numbers", sum(NUMBER_POINTS[n] for n in NUMBER_POINTS if self._all_numbered(p, n)))

    def _star_points(self, player: int, star: str) -> int:
        tiles = self._tiles(player, star)
        if len(tiles) < len(TIPS):
            return 0
        return ONE_COLOUR_POINTS[tiles[0]] if len(set(tiles)) == 1 else SIX_COLOURS_POINTS

    def _all_numbered(self, player: int, number: int) -> bool:
        return all(self._covered(player, space) for space in SPACES if self.price[space] == number)


# --- the self-check ---


def check_printed() -> None:
    """The board turns into itself by a sixth of a circle, so a slip of the pen in the tables shows."""
    assert [len(spaces_around(feature)) for _, feature in FEATURES] == [4] * 12 + [2] * 6
    outer = STARS[1:]

    def turned(space: Space) -> Space:
        star, tip = space
        next_star = star if star == "centre_star" else outer[(outer.index(star) + 1) % 6]
        return next_star, TIPS[(TIPS.index(tip) + 1) % 6]

    features = {(gift, frozenset(spaces_around(feature))) for gift, feature in FEATURES}
    assert features == {(gift, frozenset(map(turned, around))) for gift, around in features}
    for side in PRICES:
        game = Pavilion(2, side)
        for space in SPACES[6:]:
            assert game.price[turned(space)] == game.price[space], (side, space)
        assert all(sorted(PRICES[side][star]) == [1, 2, 3, 4, 5, 6] for star in outer)
    numbers = Counter(Pavilion(2, "grey").price.values())
    assert [numbers[n] for n in range(1, 7)] == [6, 6, 12, 6, 6, 6]
    assert set(Counter(Pavilion(2).price.values()).values()) == {7}


def check_examples() -> None:
    """The worked examples and rulings of the rules page; each starts from an empty table."""

    def table(side: str = "coloured", round_: int = 1, hand: str = "nothing", **stars: str) -> Pavilion:
        """Return a cleared table; red="n ne" lays red on those tips of player 1's red star."""
        game = Pavilion(2, side)
        game.round = round_
        game.hands[1].update(selected(hand))
        for star, tips in stars.items():
            for tip in tips.split():
                game.board[1, f"{star}_star", tip] = star
        return game

    def run(steps: Steps, *answers: str) -> list[list[str]]:
        """Return what was offered at each question, when answered so; every answer must be on offer."""
        asked, waiting = [], list(answers)
        try:
            ask = next(steps)
            while True:
                asked.append(ask[1])
                assert waiting[0] in ask[1], (waiting[0], ask[1])
                ask = steps.send(waiting.pop(0))
        except StopIteration:
            assert not waiting
            return asked

    # set-up: ten tiles to the supply, then the displays
    game = Pavilion(2)
    for _ in range(SUPPLY_SIZE):
        assert game.to_move == "chance" and game.moves() == [f"draw {colour}" for colour in COLOURS]
        game.play("draw red")
    game.play("draw blue")
    now = game.snapshot()
    assert now["supply"] == {"red": 10} and now["offer[1]"] == {"blue": 1} and now["offer[centre]"] == {TOKEN: 1}
    assert now["board[1, orange_star, ne]"] is None and now["score[2]"] == 5 and now["holder"] == 1
    assert now["passed[1]"] is False and now["tower"] == now["hand[1]"] == now["kept[2]"] == now["holding[1]"] == {}

    # 1: taking
    game = table()
    game.offer["1"].update(red=2, yellow=2)
    game.offer["2"].update(green=1, yellow=1, purple=2)
    asked = run(game._taking(), "take 1 red", "take 2 green", "take centre yellow")
    assert asked[0] == ["take 1 yellow", "take 1 red", "take 2 green", "take 2 yellow"]
    assert asked[2] == ["take centre yellow"]
    assert +game.hands[1] == Counter(red=2, yellow=3, purple=1) and +game.hands[2] == Counter(green=1, purple=1)
    assert game.ledger == [(1, "token_price", -4, -4)] and game.scores[1] == 1
    assert game.holder == 1 and game.holding[1][TOKEN] == 1 and not game.offer["centre"][TOKEN]

    # only wild tiles: one is taken, the others go to the centre; the token at score 1; no token twice
    game = table()
    game.scores[2] = 1
    game.offer["3"].update(purple=3)
    assert run(game._taking(), "take 3 purple", "take centre purple", "take centre purple") == [
        ["take 3 purple"],
        ["take centre purple"],
        ["take centre purple"],
    ]
    assert game.ledger == [(2, "token_price", -1, 0)] and game.holder == 2 and game.hands[1]["purple"] == 2

    # the token never taken: the first player stays, the token stays in the centre
    game = table()
    game.holder = 2
    game.offer["1"].update(red=4)
    run(game._taking(), "take 1 red")
    assert game.holder == 2 and game.offer["centre"][TOKEN] == 1 and game.hands[2]["red"] == 4
    placing = game._placing()
    assert next(placing)[0] == 2

    # 2: one green and three purple
    game = table(hand="green,purple,purple,purple")
    places = game._places(1)
    assert "place green_star.se green 3" in places and "place purple_star.se purple 0" in places
    assert "place centre_star.s green 3" in places and "place centre_star.se purple 0" in places
    assert "place green_star.nw green 0" in places and "place green_star.nw green 1" not in places
    assert not any("purple 1" in move or "green_star.s " in move for move in places)
    run(game._place_or_pass(1), "place green_star.se green 3")
    assert +game.tower == Counter(purple=3) and not game.hands[1].total()
    assert game.board[1, "green_star", "se"] == "green" and game.ledger == [(1, "placed", 1, 1)]

    # 3: seven blue; three red
    game = table(hand=",".join(["blue"] * 7))
    run(game._place_or_pass(1), "place blue_star.se blue 0")
    assert game.tower["blue"] == 5 and game.hands[1]["blue"] == 1 and game.ledger == [(1, "placed", 1, 1)]
    game = table(hand="red,red,red", red="n")
    run(game._place_or_pass(1), "place red_star.sw red 0")
    assert game.tower["red"] == 2 and game.ledger == [(1, "placed", 1, 1)]

    # 4: three purple and three blue; the gifts of a window, and the refill
    six = "purple,purple,purple,blue,blue,blue"
    game = table(hand=six, blue="s sw")
    assert len(run(game._place_or_pass(1), "place blue_star.se blue 3")) == 1
    assert +game.tower == Counter(purple=3, blue=2) and game.ledger == [(1, "placed", 3, 3)]
    game = table(hand=six, blue="n ne")
    game.supply.update(green=2, red=8)
    game.bag = Counter(yellow=1)
    answers = ("place blue_star.se blue 3", "pick green,red,red", "draw yellow", "draw purple", "draw blue")
    asked = run(game._place_or_pass(1), *answers)
    assert asked[1] == ["pick green,green,red", "pick green,red,red", "pick red,red,red"]
    assert asked[2:] == [["draw yellow"], ["draw purple", "draw blue"], ["draw purple", "draw blue"]]
    assert game.ledger == [(1, "placed", 3, 3)] and +game.hands[1] == Counter(green=1, red=2)
    assert game.supply.total() == 10 and +game.bag == Counter(purple=2, blue=1) and not game.tower.total()

    # how many wilds is the player's choice, one tile of the colour at least
    blues = [move for move in table(hand=six)._places(1) if move.startswith("place blue_star")]
    assert [move.split()[-1] for move in blues if ".nw" in move] == ["0", "1", "2"]
    assert [move.split()[-1] for move in blues if ".se" in move] == ["3"]

    # gifts: several at once add up; too few in the supply; none there, and still a refill; no feature, no refill
    game = table(orange="ne se s", red="sw nw", centre="n nw")
    assert game._gifts(1, ("orange_star", "se")) == 3 and game._gifts(1, ("orange_star", "s")) == 1
    nine_red = ",".join(["red"] * 9)
    for supply, gift, drawn in (("green,red", "green,red", 5), (nine_red, "red,red,red", 4), ("nothing", "nothing", 5)):
        game = table(hand=",".join(["orange"] * 6), orange="nw")
        game.bag, game.supply = Counter(), selected(supply)
        run(game._place_or_pass(1), "place orange_star.n orange 0", *["draw orange"] * drawn)  # those just paid
        assert +game.hands[1] == selected(gift) and game.supply["orange"] == drawn
    game = table(hand="red")
    assert len(run(game._place_or_pass(1), "place red_star.se red 0")) == 1 and not game.supply.total()

    # 5: one orange and three purple
    game = table(hand="orange,purple,purple,purple", orange="se s")
    run(game._place_or_pass(1), "place orange_star.sw orange 3")
    assert game.ledger == [(1, "placed", 3, 3)] and +game.tower == Counter(purple=3)

    # runs go round the ring, and end at gaps
    assert table(red="nw n ne")._run_length(1, ("red_star", "n")) == 3
    assert table(red="n ne se s sw nw")._run_length(1, ("red_star", "s")) == 6
    assert table(red="n ne s sw")._run_length(1, ("red_star", "s")) == 2
    assert table(red="ne se s sw nw")._run_length(1, ("red_star", "nw")) == 5

    # 6: passing; the order of the choices; nothing is kept in round 6; the score stops at 1
    game = table(hand="green,green,green,green,red,red")
    passes = run(game._place_or_pass(1), "pass green,green,green,green")[0]
    passes = [move.removeprefix("pass ") for move in passes if move.startswith("pass")]
    assert passes[:3] == ["green,green,green,green", "green,green,green,red", "green,green,green"]
    assert passes[-3:] == ["red,red", "red", "nothing"] and len(passes) == 12
    assert game.ledger == [(1, "discards", -2, -2)] and +game.kept[1] == Counter(green=4) and game.tower["red"] == 2
    game = table(round_=6, hand="green,green,green,green,yellow,yellow")
    assert [move for move in run(game._place_or_pass(1), "pass nothing")[0] if "pass" in move] == ["pass nothing"]
    assert game.ledger == [(1, "discards", -6, -4)] and game.scores[1] == 1
    game = table()
    assert run(game._place_or_pass(1), "pass nothing") == [["pass nothing"]] and game.ledger == []

    # kept tiles come back when the placing begins, and those who passed are skipped
    game = table()
    game.kept[1]["red"] = 2
    game.kept[2]["blue"] = 1
    game.holder = 2
    asked = run(game._placing(), "pass nothing", "place red_star.se red 0", "place centre_star.n red 0", "pass nothing")
    assert len(asked) == 4 and game.ledger[0] == (2, "discards", -1, -1)
    assert not game.kept[1].total() and all(game.passed.values())

    # the central star: six different; a coloured star: its own colour
    game = table(hand="red,blue")
    game.board[1, "centre_star", "s"] = "red"
    assert game._places(1) == ["place centre_star.n blue 0", "place red_star.se red 0", "place blue_star.s blue 0"]

    # the grey side: the second tile of a star decides
    game = table("grey", purple="n")
    assert [c for c in COLOURS if game._star_accepts(1, "purple_star", c)] == list(COLOURS)
    game.board[1, "purple_star", "s"] = "purple"
    assert [c for c in COLOURS if game._star_accepts(1, "purple_star", c)] == ["purple"]
    game.board[1, "purple_star", "s"] = "red"
    assert [c for c in COLOURS if game._star_accepts(1, "purple_star", c)] == ["green", "orange", "yellow", "blue"]

    # displays are filled one after the other; the tower is poured only when a tile must be drawn
    game = table()
    game.bag, game.tower = Counter(red=3), Counter(blue=2)
    assert run(game._deal(), *["draw red"] * 3, *["draw blue"] * 2)[3:] == [["draw blue"]] * 2
    assert +game.offer["1"] == Counter(red=3, blue=1) and +game.offer["2"] == Counter(blue=1)
    game = table()
    game.bag, game.tower = Counter(red=20), Counter(blue=2)
    run(game._deal(), *["draw red"] * 20)
    assert game.tower["blue"] == 2 and not game.bag.total() and game.offer["5"]["red"] == 4

    # the end
    ring = " ".join(TIPS)
    game = table(red=ring, purple=ring)
    game._final_scoring()
    assert game.ledger == [(1, "stars", 34, 34)] and game.winners() == [1]
    game = table(orange="ne", red="se", blue="s", yellow="sw", green="nw", purple="n")
    game.board[1, "centre_star", "n"] = "red"
    game._final_scoring()
    assert game.ledger == [(1, "numbers", 4, 4)]
    game = table("grey")
    for star in STARS:
        for tip, colour in zip(TIPS, COLOURS):
            game.board[1, star, tip] = colour if star in STARS[:2] else "purple"
    game._final_scoring()
    assert game.ledger == [(1, "stars", 124, 124), (1, "numbers", 40, 40)]
    assert table().winners() == [1, 2]


def check_random_game(players: int, side: str, seed: int, seen: Counter[str]) -> None:
    """Play to the end by chance; no tile may be lost, and the ledger must add up."""
    chance = random.Random(seed)
    temper = chance.choice(("any", "full", "cheap"))
    game = Pavilion(players, side)

    def everything() -> Counter[str]:
        tiles = Counter(tile for tile in game.board.values() if tile)
        for _, pile in game._piles():
            assert all(count >= 0 for count in pile.values())
            tiles.update(pile)
        return tiles

    def choose() -> str:
        """Any move, but nearly always a placement before a pass; each game in one of three tempers."""
        moves = game.moves()
        places = [move for move in moves if move.startswith("place")]
        if not places or chance.random() < 0.02:
            return chance.choice(moves)
        if temper == "any":
            return chance.choice(places)
        return max(places, key=fullness if temper == "full" else cheapness)

    def fullness(move: str) -> int:
        star, _ = move.split()[1].split(".")
        assert isinstance(game.to_move, int)
        return len(game._tiles(game.to_move, star))

    def cheapness(move: str) -> int:
        star, tip = move.split()[1].split(".")
        return -game.price[star, tip]

    at_start, last = everything(), ""
    assert at_start == Counter(dict.fromkeys(COLOURS, 22) | {TOKEN: 1})
    while game.to_move is not None:
        moves = game.moves()
        assert moves and len(set(moves)) == len(moves)
        move = choose()
        if move.startswith("take") and last.startswith("draw"):
            seen["short displays"] += game.offer[game.displays[-1]].total() < DISPLAY_SIZE
        seen[move.split()[0]] += 1
        last, tower = move, game.tower.total()
        game.play(move)
        seen["tower poured"] += game.tower.total() < tower
        assert everything() == at_start
        assert game.supply.total() <= SUPPLY_SIZE and min(game.scores.values()) >= LOWEST_SCORE
        assert all(pile.total() <= MOST_KEPT for pile in game.kept.values())
    assert game.moves() == [] and game.winners() and game.round == 6 and all(game.passed.values())
    assert not any(pile.total() for piles in (game.hands, game.kept) for pile in piles.values())
    for player in game.seats:
        gained = sum(gained for who, _, _, gained in game.ledger if who == player)
        assert game.scores[player] == FIRST_SCORE + gained
        for star in STARS:
            tiles = game._tiles(player, star)
            assert len(set(tiles)) in (0, 1, len(tiles))
            if not game.grey:
                assert set(tiles) <= {STAR_COLOUR[star]} or (
                    STAR_COLOUR[star] is None and len(set(tiles)) == len(tiles)
                )
    seen.update(rule for _, rule, _, _ in game.ledger)
    seen["held at 1"] += sum(points != gained for _, _, points, gained in game.ledger)


if __name__ == "__main__":
    check_printed()
    check_examples()
    seen: Counter[str] = Counter()
    settings = itertools.cycle(itertools.product(DISPLAYS, PRICES))
    for seed, (players, side) in zip(range(200), settings):
        check_random_game(players, side, seed, seen)
    rules = ("token_price", "placed", "discards", "stars", "numbers")
    for what in (*rules, "pick", "tower poured", "short displays", "held at 1"):
        assert seen[what], f"no random game showed: {what}"
    print("the printed board, the worked examples and 200 random games: good")
