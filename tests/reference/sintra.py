"""A naive second implementation of Azul: Stained Glass of Sintra, sides A and B: tests only.

Written from the rules page alone. The game is one generator that reads like the rulebook: it yields
(who decides, the legal decisions) and is sent the decision taken. `python -m tests.reference.sintra` checks itself.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterator

from tests.reference.generated import GeneratedGame, Steps

COLOURS = ("yellow", "orange", "pink", "blue", "turquoise")
JOKER, TOKEN = "joker", "token"
DISPLAYS = {2: 5, 3: 7, 4: 9}
DISPLAY_SIZE = 4
ROUNDS = range(1, 7)
SLOTS = range(1, 9)
SPOTS = range(1, 6)
LEVELS = ("upper", "lower")
OTHER_SIDE = {"front": "back", "back": "front"}
GLASS_COSTS = (0, 1, 2, 4, 6, 8, 11, 14, 18)  # after 0, 1, 2, … steps
LAST_PLACE = len(GLASS_COSTS) - 1
WINDOW_POINTS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 2, 6: 2, 7: 1, 8: 1}
ORNAMENTS = ((1, 2), (3, 4), (5, 6), (7, 8))
ORNAMENT_POINTS = (0, 0, 3, 6, 10)  # for 0, 1, 2, … panes
JOKER_STRIP = "s8"  # starts front up
STRIPS = {
    "s1": {
        "front": ("yellow", "yellow", "yellow", "yellow", "orange"),
        "back": ("pink", "pink", "pink", "turquoise", "turquoise"),
    },
    "s2": {
        "front": ("orange", "orange", "orange", "orange", "pink"),
        "back": ("blue", "blue", "blue", "yellow", "yellow"),
    },
    "s3": {
        "front": ("pink", "pink", "pink", "pink", "blue"),
        "back": ("turquoise", "turquoise", "turquoise", "orange", "orange"),
    },
    "s4": {
        "front": ("blue", "blue", "blue", "blue", "turquoise"),
        "back": ("yellow", "yellow", "yellow", "pink", "pink"),
    },
    "s5": {
        "front": ("turquoise", "turquoise", "turquoise", "turquoise", "yellow"),
        "back": ("orange", "orange", "orange", "blue", "blue"),
    },
    "s6": {
        "front": ("yellow", "yellow", "orange", "orange", "blue"),
        "back": ("pink", "pink", "blue", "blue", "yellow"),
    },
    "s7": {
        "front": ("orange", "orange", "pink", "pink", "turquoise"),
        "back": ("blue", "blue", "turquoise", "turquoise", "orange"),
    },
    "s8": {
        "front": ("turquoise", "turquoise", "yellow", "yellow", "pink"),
        "back": (JOKER, JOKER, "orange", "blue", "pink"),
    },
}


class Sintra(GeneratedGame):
    """One game, always standing at a decision or at its end."""

    def __init__(self, players: int, palace_side: str = "a", negative_scores: str = "forbidden") -> None:
        assert players in DISPLAYS and palace_side in ("a", "b") and negative_scores in ("forbidden", "allowed")
        self.seats = range(1, players + 1)
        self.displays = [str(number) for number in range(1, DISPLAYS[players] + 1)]
        self.palace_side = palace_side
        self.may_be_negative = negative_scores == "allowed"
        self.bag = Counter(dict.fromkeys(COLOURS, 20))
        self.tower: Counter[str] = Counter()
        self.offer: dict[str, Counter[str]] = {source: Counter() for source in [*self.displays, "centre"]}
        self.offer["centre"][TOKEN] = 1
        self.holding: dict[int, Counter[str]] = {p: Counter() for p in self.seats}
        self.track: dict[int, str | None] = dict.fromkeys(ROUNDS)
        self.lies: dict[tuple[int, int], str | None] = {(p, k): None for p in self.seats for k in SLOTS}
        self.side_up = {(p, k): "front" for p in self.seats for k in SLOTS}
        self.gone: Counter[str] = Counter()
        self.space: dict[tuple[int, int, int], str | None] = {
            (p, k, i): None for p in self.seats for k in SLOTS for i in SPOTS
        }
        self.window: dict[tuple[int, int, str], str | None] = {
            (p, k, level): None for p in self.seats for k in SLOTS for level in LEVELS
        }
        self.scores = dict.fromkeys(self.seats, 0)
        self.lost = dict.fromkeys(self.seats, 0)
        self.glazier = dict.fromkeys(self.seats, 1)
        self.broken = dict.fromkeys(self.seats, 0)
        self.holder = 1
        self.begin()

    # --- what the outside sees ---

    def snapshot(self) -> dict[str, object]:
        seen: dict[str, object] = {name: dict(+pile) for name, pile in self._piles()}
        seen["gone"] = dict(+self.gone)
        seen |= {f"track[{r}]": pane for r, pane in self.track.items()}
        seen |= {f"lies[{p}, {k}]": strip for (p, k), strip in self.lies.items()}
        seen |= {f"space[{p}, {k}, {i}]": pane for (p, k, i), pane in self.space.items()}
        seen |= {f"window[{p}, {k}, {level}]": pane for (p, k, level), pane in self.window.items()}
        seen |= {f"side_up[{p}, {k}]": side for (p, k), side in self.side_up.items()}
        for p in self.seats:
            seen |= {f"score[{p}]": self.scores[p], f"lost[{p}]": self.lost[p]}
            seen |= {f"glazier[{p}]": self.glazier[p], f"broken[{p}]": self.broken[p]}
        return seen | {"holder": self.holder}

    def winners(self) -> list[int]:
        def rank(player: int) -> tuple[int, int]:
            return self.scores[player], -(self.lost[player] + GLASS_COSTS[self.broken[player]])

        return [p for p in self.seats if rank(p) == max(map(rank, self.seats))]

    def _piles(self) -> Iterator[tuple[str, Counter[str]]]:
        """Yield the piles of panes and of the token."""
        yield from (("bag", self.bag), ("tower", self.tower))
        yield from ((f"offer[{source}]", pile) for source, pile in self.offer.items())
        yield from ((f"holding[{p}]", pile) for p, pile in self.holding.items())

    # --- the course of the game ---

    def _game(self) -> Steps:
        for player in self.seats:
            yield from self._lay_strips(player)
        yield from self._fill_track()
        for round_number in ROUNDS:
            yield from self._deal()
            player = self.holder
            while self._panes_on_offer():
                yield from self._turn(player, round_number)
                player = player % len(self.seats) + 1
            self._to_tower(self.track[round_number])
            self.track[round_number] = None
        self._final_scoring()

    def _lay_strips(self, player: int) -> Steps:
        unplaced = list(STRIPS)
        for slot in SLOTS:
            strip = (yield "chance", [f"draw {strip}" for strip in unplaced]).removeprefix("draw ")
            unplaced.remove(strip)
            self.lies[player, slot] = strip
            sides = ["front"] if strip == JOKER_STRIP else ["front", "back"]
            self.side_up[player, slot] = (yield "chance", [f"roll {side}" for side in sides]).removeprefix("roll ")

    def _fill_track(self) -> Steps:
        for place in (2, 3, 4, 5, 6):
            yield from self._draw_to_track(place, [c for c in COLOURS if c not in self.track.values()])
        yield from self._draw_to_track(1, [c for c in COLOURS if self.bag[c]])

    def _draw_to_track(self, place: int, colours: list[str]) -> Steps:
        colour = (yield "chance", [f"draw {colour}" for colour in colours]).removeprefix("draw ")
        self.bag[colour] -= 1
        self.track[place] = colour

    def _deal(self) -> Steps:
        """Fill the displays, as far as the bag and then the tower last."""
        for pile in self.holding.values():
            pile.clear()
        self.offer["centre"][TOKEN] = 1
        for display in self.displays:
            for _ in range(DISPLAY_SIZE):
                if not self.bag.total():
                    self.bag.update(self.tower)
                    self.tower.clear()
                colours = [colour for colour in COLOURS if self.bag[colour]]
                if not colours:
                    return
                colour = (yield "chance", [f"draw {colour}" for colour in colours]).removeprefix("draw ")
                self.bag[colour] -= 1
                self.offer[display][colour] += 1

    def _panes_on_offer(self) -> bool:
        return any(pile[colour] for pile in self.offer.values() for colour in COLOURS)

    def _to_tower(self, pane: str | None) -> None:
        assert pane is not None
        self.tower[pane] += 1

    # --- a turn ---

    def _turn(self, player: int, round_number: int) -> Steps:
        answer = yield player, self._extends(player) + self._glazier_moves(player)
        if answer == "move_glazier":
            leftmost = self._leftmost(player)
            assert leftmost is not None
            self.glazier[player] = leftmost
            return
        _, source, colour, target = answer.split()
        slot = None if target == "none" else int(target)
        self._take_and_place(player, source, colour, slot)
        if slot is not None and all(self.space[player, slot, i] for i in SPOTS):
            yield from self._complete(player, slot, round_number)

    # A. extend a pattern

    def _extends(self, player: int) -> list[str]:
        extends: list[str] = []
        for source, offer in self.offer.items():
            for colour in COLOURS:
                if offer[colour]:
                    extends += [f"extend {source} {colour} {target}" for target in self._targets(player, colour)]
        return extends

    def _targets(self, player: int, colour: str) -> list[str]:
        """Return the strips within reach that take this colour; `none` only if there are none."""
        reachable = [slot for slot in SLOTS if slot >= self.glazier[player]]
        return [str(slot) for slot in reachable if self._free_spots(player, slot, colour)] or ["none"]

    def _free_spots(self, player: int, slot: int, colour: str) -> list[int]:
        """Return the empty spaces for this colour in the order they fill: coloured ones first, then jokers."""
        strip = self.lies[player, slot]
        if strip is None:
            return []
        pattern = STRIPS[strip][self.side_up[player, slot]]
        empty = [i for i in SPOTS if self.space[player, slot, i] is None]
        return [i for i in empty if pattern[i - 1] == colour] + [i for i in empty if pattern[i - 1] == JOKER]

    def _take_and_place(self, player: int, source: str, colour: str, slot: int | None) -> None:
        offer = self.offer[source]
        if source == "centre" and offer[TOKEN]:
            offer[TOKEN] = 0
            self.holding[player][TOKEN] = 1
            self.holder = player
            self._break_glass(player)
        taken = offer[colour]
        offer[colour] = 0
        if slot is not None:
            for spot in self._free_spots(player, slot, colour)[:taken]:
                self.space[player, slot, spot] = colour
                taken -= 1
            self.glazier[player] = slot
        if source != "centre":
            self.offer["centre"].update(offer)
            offer.clear()
        for _ in range(taken):
            self._to_tower(colour)
            self._break_glass(player)

    def _break_glass(self, player: int) -> None:
        """One step down the broken-glass track."""
        self.broken[player] += 1
        if self.broken[player] == LAST_PLACE:
            self._score(player, glass_full=-GLASS_COSTS[LAST_PLACE])
            self.lost[player] += GLASS_COSTS[LAST_PLACE]
            self.broken[player] = 0

    def _complete(self, player: int, slot: int, round_number: int) -> Steps:
        panes = [self.space[player, slot, i] for i in SPOTS]
        self._score(player, colour_bonus=panes.count(self.track[round_number]))

        colours = [colour for colour in COLOURS if colour in panes]
        kept = colours[0]
        if len(colours) > 1:
            kept = (yield player, [f"keep {colour}" for colour in colours]).removeprefix("keep ")
        panes.remove(kept)
        for pane in panes:
            self._to_tower(pane)
        for spot in SPOTS:
            self.space[player, slot, spot] = None

        if self.window[player, slot, "upper"] is None:
            self.window[player, slot, "upper"] = kept
            self.side_up[player, slot] = OTHER_SIDE[self.side_up[player, slot]]
        else:
            self.window[player, slot, "lower"] = kept
            strip = self.lies[player, slot]
            assert strip is not None
            self.gone[strip] += 1
            self.lies[player, slot] = None

        begun = [k for k in SLOTS if k > slot and self._panes_in_window(player, k)]
        self._score(player, windows=WINDOW_POINTS[slot] + sum(WINDOW_POINTS[k] for k in begun))

    def _panes_in_window(self, player: int, slot: int) -> int:
        return sum(self.window[player, slot, level] is not None for level in LEVELS)

    # B. move the glazier

    def _glazier_moves(self, player: int) -> list[str]:
        leftmost = self._leftmost(player)
        return [] if leftmost is None or leftmost == self.glazier[player] else ["move_glazier"]

    def _leftmost(self, player: int) -> int | None:
        return next((slot for slot in SLOTS if self.lies[player, slot]), None)

    # --- points ---

    def _score(self, player: int, **lines: int) -> None:
        """Add the lines to the score as one sum; what the bound forgives comes off the last negative lines."""
        before = self.scores[player]
        after = before + sum(lines.values())
        if not self.may_be_negative:
            after = max(0, after)
        self.scores[player] = after
        forgiven = after - before - sum(lines.values())
        gained = dict(lines)
        for rule, points in reversed(lines.items()):
            share = min(forgiven, max(0, -points))
            gained[rule] += share
            forgiven -= share
        self.ledger += [(player, rule, points, gained[rule]) for rule, points in lines.items() if points]

    def _final_scoring(self) -> None:
        for p in self.seats:
            left = sum(self.space[p, k, i] is not None for k in SLOTS for i in SPOTS)
            # three steps: the score is held at 0 after the marker, before the palace is added
            self._score(p, unfinished=left // 3)
            self._score(p, glass_left=-GLASS_COSTS[self.broken[p]])
            self._score(p, palace=self._palace_points(p))

    def _palace_points(self, player: int) -> int:
        in_window = {slot: self._panes_in_window(player, slot) for slot in SLOTS}
        if self.palace_side == "a":
            return sum(ORNAMENT_POINTS[sum(in_window[slot] for slot in around)] for around in ORNAMENTS)
        panes = [self.window[player, slot, level] for slot in SLOTS for level in LEVELS]
        complete = sum(count == 2 for count in in_window.values())
        return max(panes.count(colour) for colour in COLOURS) * complete


# --- the self-check ---


def check_examples() -> None:
    """The worked examples and the rulings of the page; each starts from a table with nothing on offer."""

    def table(palace_side: str = "a", negative_scores: str = "forbidden", back: tuple[int, ...] = ()) -> Sintra:
        """Return a table past its set-up: s1 to s8 in order, front up but for the slots in `back`; yellow on the track."""
        game = Sintra(2, palace_side, negative_scores)
        for p in game.seats:
            for k in SLOTS:
                game.lies[p, k] = f"s{k}"
                game.side_up[p, k] = "back" if k in back else "front"
        for r in ROUNDS:
            game.track[r] = "yellow"
        return game

    def fill(game: Sintra, slot: int, panes: str) -> None:
        """Lay panes on player 1's strip, by their first letters; a full stop is an empty space."""
        names = {colour[0]: colour for colour in COLOURS}
        for spot, letter in zip(SPOTS, panes, strict=True):
            game.space[1, slot, spot] = names.get(letter)

    def shown(game: Sintra, slot: int) -> str:
        return "".join((game.space[1, slot, spot] or ".")[0] for spot in SPOTS)

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

    # 1: one pink pane from a display
    game = table()
    game.offer["2"].update(pink=1, blue=2, yellow=1)
    run(game._turn(1, 1), "extend 2 pink 3")
    assert +game.offer["centre"] == Counter(blue=2, yellow=1, token=1) and not game.offer["2"].total()
    assert shown(game, 3) == "p...." and game.glazier[1] == 3 and game.broken[1] == 0

    # 2: three orange panes from the centre; s7 front has two orange spaces, so the strip to the right is s5's back
    for target, broken, on_two, on_five in (("2", 3, "oooo.", "....."), ("5", 1, "ooo..", "ooo..")):
        game = table(back=(5,))
        game.offer["centre"]["orange"] = 3
        game.glazier[1] = 2
        fill(game, 2, "ooo..")
        offered = run(game._turn(1, 1), f"extend centre orange {target}")
        slots = ["2", "5", "6", "7"]
        assert offered == [[f"extend centre orange {slot}" for slot in slots] + ["move_glazier"]]
        assert game.broken[1] == broken and game.tower["orange"] == broken - 1
        assert shown(game, 2) == on_two and shown(game, 5) == on_five and game.glazier[1] == int(target)
        assert game.holder == 1 and game.holding[1][TOKEN] == 1 and game.offer["centre"][TOKEN] == 0

    # 3 and 4: two yellow panes on a full strip, then a 2-point window with 3 points to its right
    game = table(back=(2,))
    fill(game, 2, "bbbyy")
    game.window[1, 3, "upper"] = "pink"
    game.window[1, 1, "upper"] = "pink"  # to the left: not counted
    assert run(game._complete(1, 2, 3), "keep blue") == [["keep yellow", "keep blue"]]
    assert game.ledger == [(1, "colour_bonus", 2, 2), (1, "windows", 5, 5)]
    assert game.window[1, 2, "upper"] == "blue" and game.window[1, 2, "lower"] is None
    assert game.side_up[1, 2] == "front" and game.lies[1, 2] == "s2" and +game.tower == Counter(blue=2, yellow=2)
    fill(game, 2, "oooop")
    run(game._complete(1, 2, 3), "keep pink")
    assert game.window[1, 2, "lower"] == "pink" and game.lies[1, 2] is None and game.gone == Counter(s2=1)
    assert game.side_up[1, 2] == "front" and game.scores[1] == 12 and game._free_spots(1, 2, "orange") == []

    # 5: seven panes left over, the marker at -8
    for before, after in ((20, 14), (3, 0)):
        game = table()
        game.scores[1], game.broken[1] = before, 5
        fill(game, 1, "yyyy.")
        fill(game, 3, "ppp..")
        game._final_scoring()
        assert game.ledger == [(1, "unfinished", 2, 2), (1, "glass_left", -8, after - before - 2)]

    # 6: the palace
    game = table()
    for slot in (1, 2, 3, 4):
        game.window[1, slot, "upper"] = game.window[1, slot, "lower"] = "orange"
    game.window[1, 7, "upper"] = game.window[1, 8, "upper"] = "pink"
    assert game._palace_points(1) == 23
    game.window[1, 5, "upper"] = "blue"
    assert game._palace_points(1) == 23
    game.window[1, 5, "lower"] = game.window[1, 6, "upper"] = "blue"
    assert game._palace_points(1) == 29
    game = table("b")
    for slot in (1, 2, 3, 4):
        game.window[1, slot, "upper"], game.window[1, slot, "lower"] = "orange", "pink"
    game.window[1, 8, "upper"] = "orange"
    assert game._palace_points(1) == 20

    # broken glass: 18 off at once, the steps still to go continue from the top; the score held at 0, or not
    for negative_scores, gained in (("forbidden", -7), ("allowed", -18)):
        game = table(negative_scores=negative_scores)
        game.scores[1], game.broken[1], game.glazier[1] = 7, 6, 6
        game.offer["centre"]["orange"] = 5
        run(game._turn(1, 1), "extend centre orange 6")
        assert game.ledger == [(1, "glass_full", -18, gained)] and game.lost[1] == 18
        assert game.broken[1] == 2 and game.tower["orange"] == 3 and game.scores[1] == 7 + gained
        game.scores[1] = game.scores[2] = 4
        assert game.winners() == [2]
        game.lost[2], game.broken[2] = 18, 2
        assert game.winners() == [1, 2]
    game = table()
    game.broken[1] = 7
    game.offer["centre"]["orange"] = 1
    run(game._turn(1, 1), "extend centre orange 1")
    assert game.broken[1] == 0 and game.lost[1] == 18 and game.scores[1] == 0
    game._final_scoring()
    assert game.ledger == [(1, "glass_full", -18, 0)]

    # the final scoring is three steps: the score is held at 0 after the marker
    game = table()
    game.broken[1] = 7
    fill(game, 1, "yyyy.")
    for slot in (1, 2):
        game.window[1, slot, "upper"] = "pink"
    game._final_scoring()
    assert game.ledger == [(1, "unfinished", 1, 1), (1, "glass_left", -14, -1), (1, "palace", 3, 3)]

    # jokers: they fit any colour, fill after the coloured space, and are counted by their own colour
    game = table(back=(8,))
    game.glazier[1] = 8
    fill(game, 8, "...b.")
    game.offer["1"].update(pink=2, orange=2)
    assert run(game._turn(1, 1), "extend 1 pink 8") == [["extend 1 orange 8", "extend 1 pink 8", "move_glazier"]]
    assert shown(game, 8) == "p..bp"
    fill(game, 8, "yyobp")
    run(game._complete(1, 8, 1), "keep yellow")
    assert game.ledger == [(1, "colour_bonus", 2, 2), (1, "windows", 1, 1)]

    # one colour on the strip: nothing is asked (no printed strip can come to that)
    game = table()
    fill(game, 1, "yyyyy")
    assert run(game._complete(1, 1, 1)) == [] and game.window[1, 1, "upper"] == "yellow"

    # nothing within reach fits: all break, the glazier stays
    game = table()
    game.glazier[1] = 8
    game.offer["1"].update(blue=3, pink=1)
    assert run(game._turn(1, 1), "extend 1 blue none") == [
        ["extend 1 pink 8", "extend 1 blue none", "move_glazier"],
    ]
    assert game.glazier[1] == 8 and game.broken[1] == 3 and game.tower["blue"] == 3

    # the glazier: there already, above an empty place left of every strip, no strips left
    game = table()
    assert game._glazier_moves(1) == []
    game.lies[1, 1] = game.lies[1, 2] = None
    game.offer["1"]["pink"] = 1
    run(game._turn(1, 1), "move_glazier")
    assert game.glazier[1] == 3 and game._glazier_moves(1) == []
    for slot in SLOTS:
        game.lies[1, slot] = None
    assert game._glazier_moves(1) == [] and game._extends(1) == ["extend 1 pink none"]

    # refilling: the tower is poured in only when a pane must be drawn; no pane anywhere is a short deal
    game = table()
    game.bag, game.tower = Counter(pink=1), Counter(blue=2)
    assert run(game._deal(), "draw pink", "draw blue", "draw blue") == [["draw pink"], ["draw blue"], ["draw blue"]]
    assert +game.offer["1"] == Counter(pink=1, blue=2) and +game.offer["2"] == Counter()
    game = table()
    game.bag, game.tower = Counter(pink=20), Counter(blue=2)
    run(game._deal(), *["draw pink"] * 20)
    assert not game.bag.total() and game.tower["blue"] == 2
    game = table()
    game.bag.clear()
    assert run(game._deal()) == [] and not game._panes_on_offer()


def check_random_game(players: int, palace_side: str, negative_scores: str, seed: int) -> None:
    """Play to the end by chance; no piece may be lost, and the ledger must add up."""
    chance = random.Random(seed)
    game = Sintra(players, palace_side, negative_scores)

    def panes() -> Counter[str]:
        cells = (*game.track.values(), *game.space.values(), *game.window.values())
        everything = Counter(pane for pane in cells if pane)
        for _, pile in game._piles():
            assert all(count >= 0 for count in pile.values())
            everything.update(pile)
        return everything

    def strips() -> Counter[str]:
        return game.gone + Counter(strip for strip in game.lies.values() if strip)

    at_start = panes()
    assert at_start == Counter({TOKEN: 1} | dict.fromkeys(COLOURS, 20))
    keys = list(game.snapshot())
    while game.to_move is not None:
        moves = game.moves()
        assert moves and len(set(moves)) == len(moves)
        # now and then greedy, so that strips get filled, windows completed and strips removed
        placing = [move for move in moves if not move.endswith(("none", "move_glazier"))]
        game.play(chance.choice(placing if placing and chance.random() < 0.9 else moves))
        assert panes() == at_start
        if game.to_move != "chance":
            assert strips() == Counter(dict.fromkeys(STRIPS, players))
        for p in game.seats:
            assert 0 <= game.broken[p] < LAST_PLACE and (game.may_be_negative or game.scores[p] >= 0)
            for k in SLOTS:
                assert game.window[p, k, "upper"] or not game.window[p, k, "lower"]
                strip = game.lies[p, k]
                for i in SPOTS:
                    pane = game.space[p, k, i]
                    assert pane is None or (strip and STRIPS[strip][game.side_up[p, k]][i - 1] in (pane, JOKER))
    assert game.moves() == [] and game.winners() and not any(game.track.values())
    assert list(game.snapshot()) == keys
    for player in game.seats:
        assert game.scores[player] == sum(gained for who, _, _, gained in game.ledger if who == player)


if __name__ == "__main__":
    check_examples()
    settings = itertools.cycle(itertools.product((2, 3, 4), ("a", "b"), ("forbidden", "allowed")))
    for seed, setting in zip(range(200), settings):
        check_random_game(*setting, seed)
    print("the worked examples and 200 random games: good")
