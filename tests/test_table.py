"""A real game at the table: games at random typed in as people type them, draws that cannot be, corrections, amendments."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from interpreter import CHANCE, Game, IllegalMove, Move, Spot, State, TracedState
from interpreter.game import TracedGame, load_traced
from referee.record.lines import RecordedDecision, RecordError, Seat
from referee.record.match import Match, NotAgreed
from referee.record.replay import replay, resume
from referee.record.transcript import read_transcript, write_transcript
from referee.table.announce import Announcer
from referee.table.draw_input import Vocabulary
from referee.table.draws import BadDraw
from referee.table.real_game import CannotInsert, RealGame
from tests.compare import covering
from tests.records import load_record
from tests.shipped import rules_of
from tests.sizes import size
from tests.typed import Typed, typed_game

ROOT = Path(__file__).parent.parent
FOUR = ("base", "sintra", "pavilion", "duel")
CLASSICS = ("classics/pig", "classics/briscola", "classics/kalah", "classics/nim", "classics/tictactoe")
WIDE = 80
Setting = tuple[str, int, dict[str, str]]


def settings() -> list[Setting]:
    """Return every game with every number of players and, over them, every choice of options; each game early once."""
    queues: list[list[Setting]] = []
    for name in (*FOUR, *CLASSICS):
        rules = rules_of(name)
        choices = covering(rules.combinations())
        players = list(rules.players)
        longest = max(len(choices), len(players))
        queues.append([(name, players[i % len(players)], choices[i % len(choices)]) for i in range(longest)])
    found = []
    while any(queues):
        found += [queue.pop(0) for queue in queues if queue]
    return found


SETTINGS = settings()


traced = cache(load_traced)


def seated(name: str, players: int | None = None, first: int | None = None, record: Path | None = None) -> RealGame:
    game = traced(name, players)
    seats = tuple(Seat(f"player {i}", "human") for i in range(1, game.players + 1))
    match = Match.begin(game, seats, None, first, name)
    if record is not None:
        match.record_to(record)
    return RealGame(match)


def tell(table: RealGame, lines: list[str]) -> None:
    """Types lines as a person would: draws where chance is to decide, else moves."""
    for line in lines:
        if table.state.to_move == CHANCE:
            table.draw(line)
        else:
            table.play(line)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "rulespec", *words]


def typed_in(typed: Typed, setting: Setting, record: Path) -> subprocess.CompletedProcess[str]:
    """Run the real command with the lines of a game as its input."""
    name, players, choices = setting
    words = ["table", name, "--players", str(players), "--record", str(record)]
    words += [word for option, choice in choices.items() for word in ("--set", f"{option}={choice}")]
    first = [str(typed.first)] if typed.first else []
    text = "\n".join([*first, *typed.lines]) + "\n"
    return subprocess.run(command(*words), input=text, text=True, capture_output=True, cwd=ROOT, timeout=200)


# --- whole games --------------------------------------------------------------------------------------------------


@pytest.mark.sized
@pytest.mark.parametrize("number", range(size(1, 40)))
def test_table__a_random_game_typed_in_ends_the_same(number: int, tmp_path: Path) -> None:
    setting = SETTINGS[number % len(SETTINGS)]
    typed = typed_game(*setting, seed=number)
    run = typed_in(typed, setting, tmp_path / "a.jsonl")
    assert (run.returncode, run.stderr) == (0, "")
    assert [
        x for x in run.stdout.splitlines() if len(x) > WIDE and str(tmp_path) not in x
    ] == []  # a path is as long as it is
    again = replay(load_record(tmp_path / "a.jsonl"))
    assert again.damage is None
    assert [str(d.move) for d in again.match.decided] == typed.moves
    assert [(x.decision, x.player, x.rule, x.text, x.points, x.gained) for x in again.match.ledger()] == [
        (x.decision, x.player, x.rule, x.text, x.points, x.gained) for x in typed.ledger
    ]
    assert again.match.game.outcome(again.match.state) == typed.outcome
    scores = "".join(f" {score}" for score in typed.outcome.scores.values())
    assert not scores or any(" ".join(line.split()) == f"total{scores}" for line in run.stdout.splitlines())


@pytest.mark.sized
@pytest.mark.parametrize("number", range(size(1, 20)))
def test_table__hidden_draws_need_not_be_told(number: int, tmp_path: Path) -> None:
    """Hands are drawn as `?`: what was played tells in the end what they were."""
    players = (2, 3, 4)[number % 3]
    typed = typed_game("classics/briscola", players, {}, seed=number)
    table = seated("classics/briscola", players, typed.first, tmp_path / "a.jsonl")
    for move in typed.moves:
        if table.state.to_move != CHANCE:
            table.play(move)
            continue
        goal = table.draws.next_asked(table.state).goal
        assert goal is not None
        table.draw(move if goal.family == "turned_up" else "?")
    assert not table.unknown
    played = [str(d.move) for d in table.match.decided if d.player != CHANCE]
    assert played == [move for move in typed.moves if not move.startswith("draw ")]
    table.match.close()
    record = load_record(tmp_path / "a.jsonl")
    assert any(isinstance(entry, RecordedDecision) and entry.assumed for entry in record.entries)
    assert read_transcript(write_transcript(record).encode()) == record
    again = replay(record)
    assert again.damage is None
    assert again.match.game.outcome(again.match.state) == typed.outcome


def digging(moves: list[Move], rng: random.Random) -> Move:
    """Return a move at random of a player who likes to look at plates, and to put them back."""
    liked = [move for move in moves if move.name in ("dig", "draw_plate")]
    return rng.choice(liked if liked and rng.random() < 0.6 else moves)


def unseen_words(game: Game, move: Move) -> str:
    """Return a move as it is typed where nobody but its owner saw the plate that goes under the stack."""
    if move.name != "put_under":
        return str(move)
    shown = game.shown("under_plates", move.args[0])
    assert shown is not None
    return f"put_under {game.model.value_name(shown)}"


def lying_openly(table: RealGame, state: State) -> list[tuple[Spot, list[tuple[int, int]]]]:
    """Return what everybody sees of a position."""
    return [(s, table.wording.lying(state, s)) for s in table.wording.spots if table.wording.open_to_all(s)]


@pytest.mark.sized
@pytest.mark.parametrize("number", range(size(1, 60)))
def test_table__plates_that_only_their_owner_saw_are_never_named(number: int, tmp_path: Path) -> None:
    """Much is dug: plates are drawn as `?`, and put back by their backs. Every legal move is taken, and all that is open agrees."""
    rng = random.Random(number)
    table = seated("duel", 2, 1, tmp_path / "a.jsonl")
    game = table.game
    state = game.start(given=game.begun_by(1))
    told = []
    while state.to_move is not None:
        if state.to_move == CHANCE:
            moves, weights = zip(*game.chances(state), strict=True)
            move = rng.choices(moves, weights)[0]
            goal = table.draws.next_asked(table.state).goal
            told.append("?" if goal is not None and goal.family == "looked" else str(move))
            table.draw(told[-1])
        else:
            move = digging(game.legal_moves(state), rng)
            told.append(unseen_words(game, move))
            table.play(told[-1])
        state = game.apply(state, move)
        assert isinstance(state, TracedState)
        while (way := table.came_out()) is not None:
            known = {m.kind for m in table.named}
            came = [m for m in state.moved if (m.source, m.goal) == (way.source, way.goal) and m.kind not in known]
            told.append(game.model.value_name(came[0].kind))
            table.name(told[-1])
        assert lying_openly(table, state) == lying_openly(table, table.state)
    assert any(word.startswith("put_under") for word in told)
    assert game.outcome(table.state) == game.outcome(state)
    table.match.close()
    again = replay(load_record(tmp_path / "a.jsonl"))
    assert again.damage is None and again.match.assumed == table.match.assumed


def test_table__what_everybody_sees_must_be_told() -> None:
    with pytest.raises(BadDraw, match="everybody sees what goes to display 1"):
        seated("base").draw("? red")


def test_table__a_hidden_draw_can_only_be_what_is_left() -> None:
    table = seated("classics/briscola")
    table.draw("ace.coins two.cups six.swords ??? five cups")
    with pytest.raises(IllegalMove, match=r"you do not have seven.batons"):
        table.play("play seven.batons")  # all cards of player 1 are known
    table.play("play two.cups")
    with pytest.raises(IllegalMove, match=r"you do not have ace.coins"):
        table.play("play ace.coins")  # player 1 has it
    table.play("play seven.batons")


# --- draws that cannot be -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*FOUR, "classics/pig", "classics/briscola"])
def test_draws__nothing_impossible_is_taken(name: str) -> None:
    """At every decision of chance, each piece that cannot come is refused with where it is, and nothing changes."""
    rng = random.Random(name)
    table = seated(name)
    refused = 0
    while not table.match.over:
        state = table.state
        if state.to_move != CHANCE:
            table.play(rng.choice(table.game.legal_moves(state)))
            continue
        chances = dict(table.game.chances(state))
        possible = {move.args[0] for move in chances}
        for code in table.reader.vocabulary(state).domain:
            if code not in possible:
                with pytest.raises(BadDraw, match=r"possible|still in"):
                    table.draw(table.game.model.value_name(code))
                refused += 1
        assert table.state is state
        table.draw(str(rng.choice(list(chances))))
    assert refused or name == "classics/pig"


def complaint(table: RealGame, line: str) -> str:
    with pytest.raises(BadDraw) as refused:
        table.draw(line)
    return str(refused.value)


def test_draws__a_piece_too_many_names_where_all_are() -> None:
    table = seated("base", 4)
    said = complaint(table, "21 blue")
    assert said.startswith("no blue is left in Bag: of 20 in the game, 4 at display 1, 4 at display 2, ")
    assert said.endswith("; still in Bag: 20 yellow, 20 red, 20 black and 20 white")
    assert table.state.decisions == 0


CANNOT = [
    ("1: 5 red", "`red` is more than goes to display 1"),
    ("2: red red red red", "display 2 comes later: display 1 is not complete yet"),
    ("bl", "`bl` can be blue or black"),
    ("grene", "`grene` cannot be drawn here: expected blue, yellow, red, black or white"),
    ("blu yelow", "did you mean `yellow`"),
    ("3", "`3` is a number without a piece"),
    ("0 red", "`0` is a number without a piece"),
    ("9: red", "`9:` is not filled now: expected display 1, display 2"),
    ("lid: red", "lid|Lid"),
    ("b b b; r r r r", "display 1 takes more pieces than this part of the line has"),
    ("token", "`token` cannot be drawn here"),
    ("21 red", "`red` is more than goes to display 5"),
    ("9999 red", "nobody draws 9999 at once"),
    ("900 red x900", "nobody draws 810000 at once"),
]


@pytest.mark.parametrize(("line", "said"), CANNOT)
def test_draws__a_line_that_cannot_be_changes_nothing(line: str, said: str) -> None:
    table = seated("base")
    assert re.search(said, complaint(table, line))
    assert table.state.decisions == 0


FORMS = [
    "deal 1: blue blue red black",
    "display 1: blue blue red black",
    "1: 2 blue red black",
    "d1: bbrk",
    "offer[1]: B B R K",
    "2 blue, red, black",
    "2x blue red black",
    "blue x2 red black",
    "b*2 r k",
    "BBRK",
    "bbrk",
    "blu blu re blac",
    "draw blue draw blue draw red draw black",
    "2 blue and red and black",
]


@pytest.mark.parametrize("line", FORMS)
def test_draws__many_forms_mean_the_same(line: str) -> None:
    table = seated("base")
    assert [str(d.move) for d in table.draw(line)] == ["draw blue", "draw blue", "draw red", "draw black"]


@pytest.mark.parametrize("line", ["ace.coins two.cups", "ace of coins, two of cups", "ace coins two cups"])
def test_draws__pairs_are_written_in_words(line: str) -> None:
    assert [str(d.move) for d in seated("classics/briscola").draw(line)] == ["draw ace.coins", "draw two.cups"]


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("yb/ko", "o4"),
        ("[yb/ko]", "o4"),
        ("YBKO", "o4"),
        ("ky/ob", "o4"),  # turned once,
        ("ok/by", "o4"),  # twice
        ("bo/yk", "o4"),  # and three times
        ("?b/tk", "m1"),
    ],
)
def test_draws__a_piece_is_called_by_what_is_printed_on_it(typed: str, means: str) -> None:
    table = seated("duel", first=1)
    table.draw(typed)
    assert str(table.match.decided[-1].move) == f"draw {means}"


def test_draws__every_plate_looks_different_whichever_way_up() -> None:
    faces = seated("duel", first=1).wording.faces
    assert len(faces) == 18 * 4 * 2 and {len(kinds) for kinds in faces.values()} == {1}


def test_draws__what_is_printed_on_several_pieces_names_none_of_them() -> None:
    game = traced("duel")
    kinds = game.model.places["shown_plates"].kinds
    words = Vocabulary(game, kinds, faces={"ab": kinds[:2]})
    with pytest.raises(BadDraw, match=re.escape("`ab` can be o1 or o2")):
        words.read(["ab"])


@pytest.mark.parametrize("line", ["on top of the stack of plates: mosaic", "b: mosaic back", "mosaic_back"])
def test_draws__a_roll_is_called_like_what_it_is_kept_in(line: str) -> None:
    table = seated("duel", first=1)
    table.draw("o1 o2 o3")
    assert table.draws.label(table.draws.next_asked(table.state)) == "On top of the stack of plates"
    table.draw(line)
    assert str(table.match.decided[-1].move) == "roll mosaic_back"
    pig = seated("classics/pig", first=1)
    pig.play("throw")
    assert pig.draws.label(pig.draws.next_asked(pig.state)) == "a"
    assert not pig.draws.is_weighted("a")


def test_draws__a_roll_may_be_called_like_a_word_that_says_nothing() -> None:
    table = seated("classics/pig")
    table.play("throw")
    assert [str(d.move) for d in table.draw("a: 5")] == ["roll 5"]


def test_draws__places_come_in_any_order_on_one_line() -> None:
    table = seated("base")
    table.draw("2: 4 white 1: bbrk")
    assert [str(d.move) for d in table.match.decided][:5] == [
        *("draw blue", "draw blue", "draw red", "draw black"),
        "draw white",
    ]


def test_draws__what_moves_in_between_is_told() -> None:
    """The bag runs out in the middle of a refill: the rules pour the used pieces in, and the plan says so."""
    table = seated("base", 4)
    rng = random.Random(5)
    seen = ""
    while not table.match.over and "Lid of the box to Bag" not in seen:
        if table.state.to_move == CHANCE:
            seen = Announcer(table).plan(table.plan())
            table.draw(str(rng.choice(table.game.chances(table.state))[0]))
        else:
            table.play(next(m for m in table.game.legal_moves(table.state) if str(m).endswith("floor")))
    assert "draw from Bag:" in seen
    assert "move everything" in seen


# --- corrections --------------------------------------------------------------------------------------------------

REFILL = "bbrk yyyy rrrr kkkk wwww"


def drawn_to(table: RealGame, display: int) -> list[str]:
    return [str(d.move).removeprefix("draw ") for d in table.match.decided[4 * display - 4 : 4 * display]]


def test_correct__a_place_typed_again_replaces_it() -> None:
    table = seated("base")
    table.draw(REFILL)
    table.correct("display 2: 3 blue white")
    assert drawn_to(table, 2) == ["blue", "blue", "blue", "white"]
    assert drawn_to(table, 3) == ["red"] * 4
    assert table.state.to_move == 1


def test_correct__in_the_middle_of_a_refill() -> None:
    table = seated("base")
    table.draw("bbrk yyyy rr")
    table.correct("1: kkkk")
    assert (drawn_to(table, 1), len(table.match.decided)) == (["black"] * 4, 10)
    table.draw("rr kkkk wwww")
    assert table.state.to_move == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("5: blue", "type all pieces of display 5"),
        ("2: blue", "display 2 is not complete yet"),
        ("2: 5 blue", "more than goes to display 2"),
        ("yyyy", "to correct a draw"),
        ("7: yyyy", "`7:` is not filled now"),
        ("2: xxxx", "`xxxx` cannot be drawn here"),
    ],
)
def test_correct__what_cannot_be_is_refused(line: str, said: str) -> None:
    table = seated("base")
    table.draw(REFILL)
    before = table.state
    with pytest.raises(BadDraw, match=said):
        table.correct(line)
    assert table.state is before


# --- taking back --------------------------------------------------------------------------------------------------


def test_undo__draws_then_the_decision_before_them_if_agreed() -> None:
    table = seated("classics/pig", 2)
    table.play("throw")
    table.draw("5")
    assert [str(d.move) for d in table.undo()] == ["roll 5"]
    with pytest.raises(NotAgreed, match="undo --agreed"):
        table.undo()
    assert [str(d.move) for d in table.undo(agreed=True)] == ["throw"]
    assert table.undo() == []


def test_undo__with_its_draws_at_once_if_agreed() -> None:
    table = seated("classics/pig", 2)
    tell(table, ["throw", "5"])
    assert [str(d.move) for d in table.undo(agreed=True)] == ["throw", "roll 5"]


def test_undo__a_move_that_showed_nothing_needs_no_consent() -> None:
    table = seated("base")
    tell(table, [REFILL, "take 1 blue 2"])
    assert [str(d.move) for d in table.undo()] == ["take 1 blue 2"]


def test_undo__a_card_played_was_seen() -> None:
    table = seated("classics/briscola")
    tell(table, ["ace.coins two.cups six.swords king.cups three.coins jack.batons five.cups", "play ace.coins"])
    with pytest.raises(NotAgreed):
        table.undo()


# --- amending -----------------------------------------------------------------------------------------------------


def move_of(table: RealGame, number: int, text: str):  # type: ignore[no-untyped-def]
    return table.game.parse_move(table.match.decided[number - 1].before, text)


def test_amend__what_still_fits_is_kept() -> None:
    table = seated("base")
    tell(table, [REFILL, "take 1 blue 2", "take 2 yellow 4", "take 3 red 4"])
    amended = table.amend(21, move_of(table, 21, "take 1 blue 3"))
    assert (str(amended.was.move), str(amended.now.move), amended.kept) == ("take 1 blue 2", "take 1 blue 3", 2)
    assert [str(d.move) for d in table.match.decided[20:]] == ["take 1 blue 3", "take 2 yellow 4", "take 3 red 4"]
    assert table.pending == []


def test_amend__what_does_not_fit_is_pending_with_its_reason() -> None:
    """Player 1 took something else: what they put on that line later cannot have been."""
    table = seated("base")
    tell(table, [REFILL, "take 1 blue 2", "take 2 yellow 4", "take 3 red 4", "take 4 black 5", "take 5 white 3"])
    amended = table.amend(21, move_of(table, 21, "take 1 black 4"))
    assert amended.kept == 1
    waiting, reasons = table.obstacle() or pytest.fail("nothing waits")
    assert (waiting.player, str(waiting.move), len(table.pending)) == (1, "take 3 red 4", 3)
    assert reasons[0].startswith("line 4 already holds black (one colour a line, ")
    table.play("take 3 red 5")  # what was done instead: those after it fit again
    assert table.pending == []
    assert [str(d.move) for d in table.match.decided[22:]] == ["take 3 red 5", "take 4 black 5", "take 5 white 3"]


def test_insert__a_forgotten_move_shifts_whose_the_others_were(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    table = seated("base", 2, 1, path)
    tell(table, ["bbrk yyyy rrkw kkkk wwww", "take 1 blue 2", "take 2 yellow 4", "take 3 red 4"])
    assert [d.player for d in table.match.decided[20:]] == [1, 2, 1]
    kept = table.insert(22, move_of(table, 22, "take 4 black 5"))
    assert kept == 2
    told = [(d.player, str(d.move)) for d in table.match.decided[20:]]
    assert told == [(1, "take 1 blue 2"), (2, "take 4 black 5"), (1, "take 2 yellow 4"), (2, "take 3 red 4")]
    table.match.close()
    again = RealGame(resume(path, TracedGame))
    assert [(d.player, str(d.move)) for d in again.match.decided[20:]] == told and not again.pending


def test_insert__what_would_not_fit_changes_nothing() -> None:
    table = seated("base", 2, 1)
    tell(table, ["bbrk yyyy rrkw kkkk wwww", "take 1 blue 2", "take 2 yellow 4", "take 3 red 4"])
    before = list(table.match.decided)
    with pytest.raises(CannotInsert) as refused:
        table.insert(22, move_of(table, 22, "take 3 red 4"))
    assert (refused.value.decided.number, str(refused.value.decided.move)) == (23, "take 3 red 4")
    assert any("there is no red tile on display 3" in reason for reason in refused.value.reasons)
    with pytest.raises(IllegalMove):
        table.insert(22, move_of(table, 22, "take 1 blue 2"))
    assert table.match.decided == before


def test_amend__a_draw() -> None:
    table = seated("base")
    tell(table, [REFILL, "take 1 blue 2", "take 2 yellow 4"])
    table.amend(2, move_of(table, 2, "draw white"))
    assert [str(d.move) for d in table.match.decided[:4]] == ["draw blue", "draw white", "draw red", "draw black"]
    assert str(table.match.decided[-1].move) == "take 2 yellow 4"
    with pytest.raises(IllegalMove):
        table.amend(21, move_of(table, 21, "take 1 yellow 1"))


def test_amend__what_is_pending_can_be_dropped() -> None:
    table = seated("base")
    tell(table, [REFILL, "take 1 blue 2", "take 2 yellow 4"])
    table.amend(5, move_of(table, 5, "draw blue"))
    table.amend(6, move_of(table, 6, "draw blue"))
    table.amend(7, move_of(table, 7, "draw blue"))
    assert table.pending == []
    table.amend(8, move_of(table, 8, "draw blue"))
    assert [str(p.move) for p in table.pending] == ["take 2 yellow 4"]
    assert [str(p.move) for p in table.drop()] == ["take 2 yellow 4"]
    assert table.obstacle() is None


@pytest.mark.sized
@pytest.mark.parametrize("name", [*FOUR[:: size(4, 1)], "classics/briscola", "classics/kalah"])
def test_amend__anything_anywhere_leaves_a_game_that_replays(name: str, tmp_path: Path) -> None:
    """Decisions of a random game are changed at random, obstacles answered; the record stays good, and resumes equal."""
    for seed in range(size(1, 15)):
        path = tmp_path / f"{seed}.jsonl"
        rng = random.Random(f"{name} {seed}")
        table = seated(name, record=path)
        for _ in range(50):
            some_decision(table, rng)
        for _ in range(6):
            number = rng.randint(1, len(table.match.decided))
            moves = table.game.legal_moves(table.match.decided[number - 1].before)
            table.amend(number, rng.choice(moves))
            for _ in range(rng.randint(0, 6)):
                some_decision(table, rng)
            if rng.random() < 0.2:
                table.drop()
        table.match.close()
        again = RealGame(resume(path, TracedGame))
        assert again.state == table.state
        assert again.pending == table.pending
        again.match.close()
        record = load_record(path)
        assert replay(record).damage is None
        assert read_transcript(write_transcript(record).encode()) == record


def some_decision(table: RealGame, rng: random.Random) -> None:
    if table.state.to_move == CHANCE:
        table.draw(str(rng.choice(table.game.chances(table.state))[0]))
    elif table.state.to_move:
        table.play(rng.choice(table.game.legal_moves(table.state)))


# --- anything at all ----------------------------------------------------------------------------------------------

SOUP = (
    *(":", ";", ",", "?", "??", "x2", "3x", "0", "1", "2", "4", "99", "-1", "é", "…", "[", "]", ".", "of", "a", "the"),
    *("deal", "draw", "display", "display 1:", "1:", "2:", "d3:", "offer[2]:", "hand of player 1:", "large:", "up:"),
    *(
        "blue",
        "B",
        "bb",
        "red",
        "2 red",
        "blue x3",
        "ace",
        "coins",
        "ace of coins",
        "o1",
        "m2",
        "front",
        "\x1b[31m",
        "\x00",
    ),
)


@pytest.mark.sized
@pytest.mark.parametrize("name", ["base", "sintra", "duel", "classics/briscola", "classics/pig"])
def test_draws__whatever_is_typed_is_read_or_refused(name: str) -> None:
    rng = random.Random(name)
    table = seated(name)
    if name == "classics/pig":
        table.play("throw")
    read = 0
    for _ in range(size(40, 2000)):
        if table.state.to_move != CHANCE:
            break
        names = [table.game.model.value_name(code) for code in table.reader.vocabulary(table.state).domain]
        line = " ".join(rng.choice(rng.choice((SOUP, names))) for _ in range(rng.randint(1, 6)))
        for take in (table.correct, table.draw):
            with suppress(BadDraw):
                take(line)
                read += 1
    assert read


def test_record__that_cannot_be_written_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither draws nor what is assumed about them count before they are on disk."""
    table = seated("classics/briscola", record=tmp_path / "a.jsonl")
    table.draw("? ? ?")
    assert table.match.file is not None
    before, assumed = table.state, set(table.match.assumed)

    def no_disk(entries: object) -> None:
        raise RecordError("no disk")

    monkeypatch.setattr(table.match.file, "add", no_disk)
    for attempt in (
        lambda: table.draw("??? five cups"),
        lambda: table.correct("1: ace.coins ? ?"),
        lambda: table.undo(),
        lambda: table.amend(1, table.match.decided[0].move),
    ):
        with pytest.raises(RecordError):
            attempt()
        assert (table.state, table.match.assumed, len(table.match.decided)) == (before, assumed, 3)
