"""Nothing hidden leaks: not by what bots imagine or choose, and not by a record for one player's eyes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest

from interpreter import Game, Move, State, load
from interpreter.layout import contents
from referee.bots import Bot, arrange, imagine, play_greedy, play_quick, play_random, play_search, unseen_places
from referee.bots.arrange import Arrangements
from referee.bots.unseen import Unseen
from referee.record.lines import read_record, written
from referee.record.match import Match
from referee.record.redact import redact
from rulespec.syntax import Type
from tests.sizes import size

CLASSICS = Path(__file__).parent.parent / "games" / "classics"

# A bag that may hold more kinds than the hands drawn from it.
UNLIKE = """\
rulespec: 1
game: Unlike places
players: 2
sets:
  colour: [red, blue, green]
pieces:
  colour: 2 in bag
  star: 2 in bag
places:
  bag: {pile: [colour, star], seen by: nobody}
  hand[player]: {pile: colour, seen by: owner}
  out: {pile: colour}
variables:
  turn: player
setup:
  - for each: p in player
    do:
      - draw 2 of colour from bag to hand[p]
play:
  - while: not empty(hand)
    do:
      - ask: turn
        to: lay
      - set turn to next(turn)
moves:
  lay:
    text: lay {c}
    choose: {c: colour}
    needs:
      in hand:
        that: c in hand[me]
        else: you have no {c}
    does:
      - move 1 of c from hand[me] to out
winner:
  nobody: 1
"""

# Everybody always has the same cards. A hand that lacks one is impossible, and the rules stop there.
ALWAYS_ALL = """\
rulespec: 1
game: The same cards
players: 3
sets:
  card: [low, middle, high]
  round: 1..2
tables:
  worth[card]: [0, 1, 2]
pieces:
  card: 1 in hand[player]
places:
  hand[player]: {pile: card, seen by: owner}
  down[player]: {cell: card, seen by: owner}
variables:
  score[player]: 0..20
play:
  - for each: i in round
    do:
      - for each: p in player
        do:
          - ask: p
            to: bid
      - for each: p in player
        do:
          - score bids for p
          - move all from down[p] to hand[p]
moves:
  bid:
    text: bid {c}
    choose: {c: card}
NEEDS    does:
      - move 1 of c from hand[me] to down[me]
scoring:
  bids:
    text: the bid
    points: "worth[piece(down[me])] default 0"
winner:
  most points: score[me]
"""

# The same, but a hand without a card that can be paid for has no move at all.
NO_MOVE = """\
    needs:
      in hand:
        that: c in hand[me]
        else: you have no {c}
      can be paid:
        that: worth[c] <= score[me]
        else: you have only {score[me]}
"""

# What a player may do tells them which card the other has; steps keep another one in mind while somebody decides.
TELLING = """\
rulespec: 1
game: Telling
players: 2
sets:
  card: [ace, king, queen, jack]
pieces:
  card: 1 in deck
places:
  deck: {pile: card, seen by: nobody}
  hand[player]: {pile: card, seen by: owner}
  gone: {pile: card}
variables:
  score[player]: 0..9
setup:
  - for each: p in player
    do:
      - draw 1 from deck to hand[p]
play:
KEEP  - for each: p in player
    do:
      - ask: p
        to: guess
moves:
  guess:
    text: guess {c}
    choose: {c: card}
    needs:
      not your own:
        that: c not in hand[me]
        else: it is your own
      not theirs:
        that: c not in hand[next(me)]
        else: it is theirs
    does:
      - if: c in deck
        then:
          - move 1 of c from deck to gone
          - score found for me
scoring:
  found:
    text: a card of the deck
    points: 1
winner:
  most points: score[me]
"""

GAMES = {
    "unlike": UNLIKE,
    "always all": ALWAYS_ALL.replace("NEEDS", ""),
    "no move": ALWAYS_ALL.replace("NEEDS", NO_MOVE),
    "telling": TELLING.replace("KEEP", ""),
}
BOTS: dict[str, Bot] = {
    "random": play_random,
    "greedy": partial(play_greedy, budget=40),
    "quick": partial(play_quick, rollouts=12),
    "search": partial(play_search, passes=12),
}


# Arrangements --------------------------------------------------------------------------------------------


def ways(slots: list[str], pieces: list[tuple[int, frozenset[str]]]) -> set[tuple[int, ...]]:
    """Return every arrangement, by trying them all."""
    return {
        tuple(pieces[j][0] for j in order)
        for order in permutations(range(len(pieces)))
        if all(slot in pieces[j][1] for slot, j in zip(slots, order, strict=True))
    }


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("slots", "pieces"),
    [
        ("hhbbb", ((1, "hb"), (1, "hb"), (2, "hb"), (3, "b"), (2, "hb"))),  # one takes less than the other
        ("hhbbcc", ((1, "hb"), (2, "bc"), (3, "hc"), (1, "hb"), (4, "hbc"), (3, "hc"))),  # each takes something else
        ("abc", ((1, "a"), (2, "bc"), (3, "bc"))),
    ],
)
def test_arrangements__are_all_as_likely(
    slots: str, pieces: tuple[tuple[int, str], ...], exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not exact:
        monkeypatch.setattr(arrange, "MOST_WORK", 0)
    given = [(kind, frozenset(may)) for kind, may in pieces]
    expected = ways(list(slots), given)
    arrangements, rng, deals = Arrangements(list(slots), given), random.Random(1), 1500 if exact else 400
    found = Counter(tuple(arrangements.deal(rng)) for _ in range(deals))
    assert set(found) == expected
    assert chi_square(found, dict.fromkeys(expected, 1 / len(expected))) < bound(len(expected) - 1)


def chi_square(found: Counter[tuple[int, ...]], shares: dict[tuple[int, ...], float]) -> float:
    total = found.total()
    return sum((found[key] - total * share) ** 2 / (total * share) for key, share in shares.items())


def bound(freedom: int) -> float:
    """Return a fair source stays below it 9,999 times of 10,000 (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + 3.72 * spread**0.5) ** 3)


# What bots imagine ---------------------------------------------------------------------------------------


def hand(game: Game, state: State, player: int) -> tuple[int, ...]:
    return tuple(k for k, n in contents(game.layout, state.vector, "hand", player - 1) for _ in range(n))


def test_imagine__a_hand_that_may_hold_less_than_the_bag() -> None:
    """200 imagined hands of the other player are spread as 200 deals of the colours that are not seen."""
    game = load(UNLIKE)
    state = game.start(seed=5)
    unseen, rng = Unseen(game, state, 1), random.Random(1)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(200):
        dealt = unseen.deal(rng)
        assert dealt is not None and game.view(dealt, 1) == game.view(state, 1)
        found[hand(game, dealt, 2)] += 1
    names = {game.model.value_name(kind): kind for kind in game.model.kinds}
    left = [names[c] for c in ("red", "blue", "green") for _ in range(2)]
    for kind in hand(game, state, 1):
        left.remove(kind)
    pairs = Counter(tuple(sorted(pair)) for pair in permutations(left, 2))
    shares = {pair: n / pairs.total() for pair, n in pairs.items()}
    assert set(found) == set(shares) and len(shares) >= 4
    assert chi_square(found, shares) < bound(len(shares) - 1)


def test_imagine__the_order_of_a_lone_stack_is_not_known() -> None:
    changes = {
        "bag: {pile: [colour, star], seen by: nobody}": "bag: {pile: [colour, star]}",
        "seen by: owner}": "room: 9}\n  tower: {stack: colour, room: 9, seen by: nobody}",
        "draw 2 of colour from bag to hand[p]": "draw 1 of colour from bag to hand[p]",
        "play:\n": "  - move all of colour from bag to tower\nplay:\n",
    }
    text = UNLIKE
    for before, after in changes.items():
        text = text.replace(before, after)
    game = load(text)
    state = game.start(seed=1)
    assert len({imagine(game, state, 1, random.Random(n)) for n in range(12)}) > 1


def test_imagine__legal_moves_stay_what_they_are() -> None:
    """That a guess is refused tells which card the other one has."""
    game = load(GAMES["telling"])
    for seed in range(6):
        state = game.start(seed=seed)
        for n in range(5):
            dealt = imagine(game, state, 1, random.Random(n))
            assert dealt is not None and game.legal_moves(dealt) == game.legal_moves(state)
            assert hand(game, dealt, 2) == hand(game, state, 2)


def lookalikes(game: Game, state: State, most: int) -> Iterator[State]:
    """Positions with other hidden pieces that look the same to the player to move and leave them the same moves."""
    assert state.to_move
    moves, unseen = game.legal_moves(state), unseen_places(game, state.to_move)
    for n in range(most):
        dealt = shuffled(game, state, unseen, random.Random(n))
        if game.view(dealt, state.to_move) == game.view(state, state.to_move) and game.legal_moves(dealt) == moves:
            yield dealt


def shuffled(game: Game, state: State, places: list[tuple[str, int]], rng: random.Random) -> State:
    """Return the position with two hidden pieces exchanged, a few times: written without what the bots use."""
    vector, layout = list(state.vector), game.layout
    for _ in range(4):
        filled = [at for at in places if contents(layout, vector, *at)]
        if len(filled) < 2:
            break
        (a, i), (b, j) = rng.sample(filled, 2)
        one, other = (rng.choice(contents(layout, vector, *at))[0] for at in ((a, i), (b, j)))
        if one not in game.model.places[b].kinds or other not in game.model.places[a].kinds:
            continue
        for (name, number), out, into in (((a, i), one, other), ((b, j), other, one)):
            lay = layout.places[name]
            at = lay.address(number)
            if lay.place.shape == "pile":
                vector[at + lay.slots[out]] -= 1
                vector[at + lay.slots[into]] += 1
            else:
                slot = next(s for s in range(at, at + lay.width) if vector[s] == out)
                vector[slot] = into
    return State(tuple(vector), state.to_move, state.decisions, None, None, None, [])


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", [*GAMES, "briscola"])
def test_bot__chooses_by_what_its_seat_sees(name: str, bot: str) -> None:
    game = load(GAMES[name] if name in GAMES else CLASSICS / f"{name}.yaml")
    others = 0
    for seed in range(3):
        state, rng = game.start(seed), random.Random(seed)
        for _ in range(size(4, 40)):
            if state.to_move is None:
                break
            chosen: Move = BOTS[bot](game, state, random.Random(7))
            assert chosen in game.legal_moves(state)
            for other in lookalikes(game, state, 3):
                others += other != state
                assert BOTS[bot](game, other, random.Random(7)) == chosen
            state = game.apply(state, rng.choice(game.legal_moves(state)))
    assert others or name == "telling"


def test_bot__does_not_look_at_what_steps_keep_in_mind() -> None:
    """`theirs` is a card of the other player that the steps hold on to: the bot plays on without knowing it."""
    keep = "  - let theirs be first(c for c in card where c in hand[2]) default none\n"
    late = "  - if: theirs = ace\n    then:\n      - score found for 1\n"
    game = load(TELLING.replace("KEEP", keep).replace("moves:\n  guess", f"{late}moves:\n  guess"))
    state = game.start(seed=3)
    assert Unseen(game, state, 1).deal(random.Random(1)) is None
    for bot in BOTS.values():
        assert bot(game, state, random.Random(1)) in game.legal_moves(state)


@pytest.mark.sized
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("name", GAMES)
def test_bot__finishes_every_game(name: str, bot: str) -> None:
    """Imagined positions that cannot be played on are no reason to stop a game that can."""
    game = load(GAMES[name])
    for seed in range(size(6, 1000)):
        state, rng = game.start(seed), random.Random(seed)
        while state.to_move is not None:
            state = game.apply(state, BOTS[bot](game, state, rng))


# Records for one player's eyes ---------------------------------------------------------------------------


def begun(name: str, seed: int, viewer: int | None) -> Match:
    """Return a game that goes on until somebody decided something the viewer did not see, and a little longer."""
    match = Match.begin(load(name), ["random"] * 2, None)
    rng, more = random.Random(seed), 12
    while more and not match.over:
        if match.state.to_move:
            names = sorted({m.name for m in match.game.legal_moves(match.state)})
            name = rng.choice(names)  # each kind of move as often as any other: some hide more than others
            match.play(rng.choice([m for m in match.game.legal_moves(match.state) if m.name == name]))
        else:
            outcomes = match.game.chances(match.state)
            match.play(rng.choices([m for m, _ in outcomes], [n for _, n in outcomes])[0])
        more -= more < 12 or "?" in match.words(match.decided[-1], viewer)[0]
    return match


def as_seen(match: Match, viewer: int | None) -> str:
    record = read_record(written(match.header, tuple(match.entries)).encode())
    return written(*redact(record, viewer))


def guessed(match: Match, viewer: int | None, rng: random.Random) -> Match | None:
    """Return the same game with other outcomes where the viewer saw none; None: the viewer would have noticed."""
    game = match.game
    other = Match.begin(game, match.seats, None, name=match.name, given=match.given)
    other.begun = match.begun
    hidden = [d.number for d in match.decided if "?" in match.words(d, viewer)[0] and not d.player]
    changed = rng.sample(hidden, min(len(hidden), 2))
    for d in match.decided:
        if other.state.to_move != d.player:
            return None
        move, legal = d.move, game.legal_moves(other.state)
        if d.number in changed or (d.number in hidden and move not in legal):
            move = rng.choice(legal)
        if move not in legal:
            return None
        after = other.play(move)[0].after
        if game.view(after, viewer) != game.view(d.after, viewer):
            return None
    return other


@pytest.mark.sized
@pytest.mark.parametrize(
    ("name", "viewer"), [("classics/briscola", 1), ("classics/briscola", None), ("duel", 1)][: size(2, 3)]
)
def test_record__there_is_nothing_to_try_a_guess_against(name: str, viewer: int | None) -> None:
    """Whatever is guessed for the hidden outcomes of a record gives the same record: no guess can be told from the truth."""
    guesses = set()
    for seed in range(1, 1 + size(1, 20)):
        match = begun(name, seed, viewer)
        text = as_seen(match, viewer)
        assert "?" in text.partition("\n")[2]
        for n in range(size(12, 24)):
            other = guessed(match, viewer, random.Random(n))
            if other is not None and [d.move for d in other.decided] != [d.move for d in match.decided]:
                guesses.add(tuple(str(d.move) for d in other.decided))
                assert as_seen(other, viewer) == text
    assert len(guesses) >= 3


def test_record__a_seed_cannot_be_tried() -> None:
    """A record without its seed says nothing that depends on the seed but what was seen."""
    match = Match.begin(load("classics/briscola"), ["random"] * 2, 2**127 + 5)
    while not match.over:
        match.play_bot()
    record = read_record(written(match.header, tuple(match.entries)).encode())
    header, entries = redact(record, 1)
    assert header.seed is None and entries[-1].position == ""  # type: ignore[union-attr]
    unseeded = Match.begin(match.game, ["random"] * 2, None, name=match.name)
    unseeded.begun = match.begun
    for d in match.decided:
        unseeded.play(d.move)
    assert as_seen(unseeded, 1) == written(header, entries)


# Texts ---------------------------------------------------------------------------------------------------


def test_text__of_a_move_or_refusal_does_not_show_the_hand_of_another() -> None:
    """Texts name what the rules read: for the one to decide that is their own hand, and `?` for any other."""
    hidden = "first(k for k in card where k in hand[next(me)]) default none"
    own = "first(k for k in card where k in hand[me]) default none"
    text = TELLING.replace("KEEP", "").replace("guess {c}\n", f"guess {{c}} with {{{own}}} against {{{hidden}}}\n")
    game = load(text.replace("it is theirs", f"they have {{{hidden}}}, you {{{own}}}"))
    state = game.start(seed=2)
    (mine,), (theirs,) = (hand(game, state, p) for p in (1, 2))
    name = game.model.value_name(mine)
    move = game.legal_moves(state)[0]
    assert (
        game.sight.words(state, move, 1)[1]
        == f"guess {game.notation.label(move.args[0], move_type(game))} with {name} against ?"
    )
    objections = game.objections(state, f"guess {game.model.value_name(theirs)}")
    assert [o.text for o in objections] == [f"they have ?, you {name}"]


def move_type(game: Game) -> Type:
    return game.model.moves["guess"].choices[0].type
