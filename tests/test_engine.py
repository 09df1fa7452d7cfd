"""The protocol for other programs: what is asked is answered, and what is wrong is said and changes nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.engine.session import MOST_ENTRIES, REQUESTS, Session, standing
from referee.engine.stream import MOST_BYTES
from referee.record.lines import RecordedDecision, Undo
from tests.shipped import game_of
from tests.test_bots import CARDS
from tests.test_docs import blocks, rows

ROOT = Path(__file__).parent.parent
PROTOCOL = ROOT / "docs" / "protocol.md"
CLIENTS = ROOT / "docs" / "clients"
NIM = str(ROOT / "games" / "classics" / "nim.yaml")
PIG = str(ROOT / "games" / "classics" / "pig.yaml")
PROGRAM = [sys.executable, "-m", "rulespec", "engine"]
BUFFERED = {**{k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}, "PYTHONPATH": str(ROOT)}


class Asker:
    """A session, asked as a program would."""

    def __init__(self, *args: Any) -> None:
        self.session = Session(*args)

    def line(self, line: bytes) -> dict[str, Any]:
        text = self.session.answer(line)
        assert text.endswith(b"\n") and text.count(b"\n") == 1 and text.isascii()
        found = json.loads(text)
        assert isinstance(found, dict) and set(found) in ({"id", "ok"}, {"id", "error"})
        return found

    def ask(self, do: str, **fields: Any) -> Any:
        found = self.line(json.dumps({"id": 5, "do": do, **fields}).encode())
        assert found["id"] == 5
        assert "ok" in found, found
        return found["ok"]

    def refused(self, do: str, **fields: Any) -> dict[str, Any]:
        """Return what an error says; it changed nothing."""
        before = self.position()
        found = self.line(json.dumps({"id": "x", "do": do, **fields}).encode())
        assert found["id"] == "x"
        assert "error" in found, found
        assert self.position() == before
        error: dict[str, Any] = found["error"]
        return error

    def position(self) -> Any:
        match = self.session.match
        return match and (match.game, match.state, match.state.seed, len(match.decided), len(match.entries))


@pytest.fixture
def base() -> Asker:
    return Asker("base")


@pytest.fixture
def nim() -> Asker:
    asker = Asker(NIM)
    asker.ask("new")
    return asker


# The documentation ---------------------------------------------------------------------------------------


def test_docs__sessions_are_answered_as_shown() -> None:
    found = [block for block in blocks(PROTOCOL, "text") if block.mark.startswith("session of ")]
    assert len(found) > 2
    for block in found:
        session = Session(block.mark.removeprefix("session of "))
        lines = block.text.splitlines()
        for asked, shown in zip(lines[::2], lines[1::2], strict=True):
            assert asked.startswith("→ ") and shown.startswith("← ")
            answer = json.dumps(json.loads(session.answer(asked[2:].encode())), ensure_ascii=False)
            pattern = ".*".join(re.escape(part) for part in shown[2:].split("…"))
            assert re.fullmatch(pattern, answer), f"{PROTOCOL.name}:{block.line}: {asked}\n{answer}"


def test_docs__name_every_request_and_field() -> None:
    text = PROTOCOL.read_text(encoding="utf-8").partition("## Requests")[2].partition("## Errors")[0]
    sections = dict(re.findall(r"^### (\w+)\n\n(.*?)(?=^###|\Z)", text, re.MULTILINE | re.DOTALL))
    assert list(sections) == list(REQUESTS)
    session = Session(NIM)
    for name, (_, fields, _) in REQUESTS.items():
        for field in fields(session):
            assert re.search(rf"`\[?{field}\]?`", sections[name].partition("\n\n")[0]), f"{name}: {field}"


def test_docs__list_every_code() -> None:
    listed = [cells[0] for _, cells in rows(PROTOCOL, "codes")]
    used = set()
    for file in (ROOT / "referee" / "engine").glob("*.py"):
        used |= set(re.findall(r'Refusal\(\s*"([a-z0-9-]+)"', file.read_text(encoding="utf-8")))
    assert set(listed) == used
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("name", ["client.py", "client.js"])
def test_docs__show_the_clients(name: str) -> None:
    client = (CLIENTS / name).read_text(encoding="utf-8")
    assert client.count("\n") < 30
    assert f"<!-- file: clients/{name} -->\n```{name[-2:]}\n{client}```\n" in PROTOCOL.read_text(encoding="utf-8")


def run_client(*command: str, game: str) -> str:
    program = {**BUFFERED, "RULESPEC": f"{sys.executable} -m rulespec"}
    done = subprocess.run([*command, game], env=program, capture_output=True, timeout=120, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_client__in_python_plays_a_whole_game() -> None:
    out = run_client(sys.executable, str(CLIENTS / "client.py"), game=NIM)
    assert re.search(r"^\d: take \d from heap \d$", out, re.MULTILINE)
    assert re.search(r"^\[[12]\] took the last stick \{\}$", out, re.MULTILINE)


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on this machine")
def test_client__in_javascript_plays_a_whole_game() -> None:
    outcome = json.loads(run_client("node", str(CLIENTS / "client.js"), game="base"))
    assert outcome["reason"] in [name for name, _ in game_of("base").model.winner]
    assert outcome["winners"] and set(outcome["scores"]) == {"1", "2"}


# Playing -------------------------------------------------------------------------------------------------


def test_game__played_to_its_end_equals_the_same_game_in_python(base: Asker) -> None:
    state = base.ask("new", seed=11)
    game = game_of("base")
    mine = game.start(11)
    while state["to_move"] is not None:
        moves = base.ask("moves")
        assert moves["moves"] == [str(m) for m in game.legal_moves(mine)] and moves["count"] == len(moves["moves"])
        move = moves["moves"][(7 * state["decisions"]) % len(moves["moves"])]
        played = base.ask("play", move=move)
        mine = game.apply(mine, move)
        state = played["state"]
        assert state["decisions"] == mine.decisions
        assert state["scores"] == {str(p): n for p, n in game.scores(mine).items()}
    outcome = game.outcome(mine)
    assert outcome is not None
    assert state["outcome"]["winners"] == list(outcome.winners) and state["outcome"]["reason"] == outcome.reason
    ledger = base.ask("ledger")
    for player, score in ledger["scores"].items():
        gained = sum(line["gained"] for line in ledger["lines"] if line["player"] == int(player))
        assert ledger["starts"][player] + gained == score
    assert len(base.ask("decisions")["decisions"]) == state["decisions"]
    assert base.refused("play", move="take 1 blue 1")["code"] == "illegal-move"
    assert base.refused("hint")["code"] == "no-move"
    assert base.ask("moves") == {"to_move": None, "count": 0, "moves": []}


def test_new__without_a_seed_tells_the_one_it_chose(base: Asker) -> None:
    state = base.ask("new")
    assert state["to_move"] == 1 and 0 <= int(state["seed"]) < 2**128
    assert base.ask("new", seed=state["seed"]) == state


def test_new__large_seeds_are_texts(base: Asker) -> None:
    """Numbers beyond 2^53 are rounded by many readers of JSON: such seeds are written as texts."""
    largest = str(2**128 - 1)
    assert base.ask("new", seed=largest)["seed"] == largest
    assert base.ask("simulate", games=1, seed=largest)["games"] == 1
    for seed in (7, 2**53, 2**63):
        assert base.ask("new", seed=str(seed)) == base.ask("new", seed=seed)
        assert base.ask("hint", seed=str(seed)) == base.ask("hint", seed=seed)
    assert base.ask("new", seed="7")["seed"] == 7


def test_new__takes_what_the_command_line_said() -> None:
    asker = Asker("base", 3, {"wall_side": "grey"})
    assert (asker.ask("new")["players"], asker.ask("state")["options"]["wall_side"]) == (3, "grey")
    state = asker.ask("new", players=2, options={"jokers": "with"}, first=2)
    assert (state["players"], state["options"]) == (2, {"wall_side": "coloured", "jokers": "with"})
    assert state["to_move"] == 2


def test_new__with_house_rules() -> None:
    asker = Asker("base", None, None, ("house/cruel_floor",))
    assert asker.ask("rules")["title"] != Asker("base").ask("rules")["title"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"players": 9}, "bad-choice"),
        ({"players": 0}, "bad-field"),
        ({"players": True}, "bad-field"),
        ({"players": "2"}, "bad-field"),
        ({"options": {"no": "such"}}, "bad-choice"),
        ({"options": {"jokers": "perhaps"}}, "bad-choice"),
        ({"options": {"jokers": 1}}, "bad-field"),
        ({"options": ["jokers"]}, "bad-field"),
        ({"seed": -1}, "bad-field"),
        ({"seed": "seven"}, "bad-field"),
        ({"seed": "-1"}, "bad-field"),
        ({"seed": str(2**128)}, "bad-field"),
        ({"first": 3}, "bad-field"),
        ({"colour": "red"}, "unknown-field"),
    ],
)
def test_new__refuses(base: Asker, fields: dict[str, Any], code: str) -> None:
    base.ask("new", seed=1)
    assert base.refused("new", **fields)["code"] == code


def test_chance__waits_to_be_played(base: Asker) -> None:
    assert base.ask("new", seed=None)["to_move"] == "chance"
    assert base.ask("chances")["chances"][0] == {"move": "draw blue", "weight": 20}
    detail = base.ask("moves", detail=True)["moves"][2]
    assert detail == {"notation": "draw red", "move": "draw", "choices": {"value": "red"}, "weight": 20}
    assert base.refused("hint")["code"] == "no-move"
    assert base.ask("play", move={"move": "draw", "value": "red"})["decided"][0]["player"] == "chance"
    assert base.ask("chances")["chances"][2] == {"move": "draw red", "weight": 19}
    assert base.refused("play", move="take 1 red 1")["code"] == "illegal-move"
    while base.ask("state")["to_move"] == "chance":
        base.ask("play", move=base.ask("chances")["chances"][0]["move"])
    assert base.refused("chances") == {
        "code": "not-chance",
        "message": "it is not the turn of chance, but of player 1",
    }
    assert [d["number"] for d in base.ask("undo", agreed=True)["back"]] == [20]
    assert base.ask("state")["to_move"] == "chance"  # it can be drawn otherwise


def test_play__by_names_of_choices(base: Asker) -> None:
    base.ask("new", seed=7)
    detail = base.ask("moves", detail=True)["moves"]
    for given in (detail[0], detail[-1]):
        move = {"move": given["move"], **given["choices"]}
        assert base.ask("why", move=move) == {"move": given["notation"], "legal": True, "objections": []}
    assert base.ask("play", move=move)["decided"][0]["move"] == given["notation"]


def test_play__several_pieces_as_a_list() -> None:
    asker = Asker("pavilion")
    asker.ask("new", seed=1)
    for _ in range(200):
        detail = asker.ask("moves", detail=True)["moves"]
        several = [m for m in detail if any(isinstance(v, list) and len(v) > 1 for v in m["choices"].values())]
        if several:
            move = {"move": several[0]["move"], **several[0]["choices"]}
            assert asker.ask("why", move=move)["move"] == several[0]["notation"]
            return
        asker.ask("play", move=detail[-1]["notation"])
    pytest.fail("no move of several pieces came up")


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("", "expected a move, found nothing"),
        ("tkae 1 2", "no move called `tkae`; possible now: `take`; did you mean `take`?"),
        (
            "take 1",
            "expected `take HEAP NUMBER`, for example `take 1 2`, found 1 word after `take` (HEAP is 1, 2 or 3; NUMBER is …)",
        ),
        ({"move": "tkae"}, "no move called `tkae`; did you mean `take`?"),
        ({"h": 1}, "expected `move` in the object to be the name of a move, found null"),
        ({"move": ["take"]}, "expected `move` in the object to be the name of a move, found a list"),
        ({"move": "take", "h": 1}, "`take` needs a value for `n`"),
        ({"move": "take", "h": 1, "n": 1, "m": 1}, "`take` has no choice `m`; it has `h` and `n`…"),
        (
            {"move": "take", "h": 1, "n": {}},
            "expected a number, a name, null or a list of names for `n`, found an object",
        ),
        ({"move": "take", "h": 1, "n": "1 1"}, "expected a number, …, found the text `1 1`"),
        ({"move": "take", "h": 1, "n": True}, "expected a number, …, found true"),
        ({"move": "take", "h": "blue", "n": 1}, "`blue` is not a heap: expected 1, 2 or 3"),
        ({"move": "draw"}, "`draw` needs a value for `value`"),
    ],
)
def test_play__unreadable(nim: Asker, move: Any, message: str) -> None:
    for do in ("play", "why"):
        error = nim.refused(do, move=move)
        assert error["code"] == "unreadable-move"
        assert re.fullmatch(".*".join(map(re.escape, message.split("…"))), error["message"]), error["message"]


def test_play__refused_with_reasons(nim: Asker) -> None:
    why = nim.ask("why", move="take 1 5")
    error = nim.refused("play", move="take 1 5")
    assert error["code"] == "illegal-move" and error["objections"] == why["objections"] and not why["legal"]
    assert error["objections"][0]["text"] == "heap 1 has only 3"
    assert error["objections"][0]["file"].endswith("nim.yaml") and error["objections"][0]["line"] > 1


def test_play__a_fault_of_the_rules_changes_nothing() -> None:
    asker = Asker(str(ROOT / "tests" / "native" / "faults.yaml"))
    codes = set()
    for seed in range(12):
        answer = asker.line(json.dumps({"do": "new", "seed": seed}).encode())
        for _ in range(60):
            if "error" in answer:
                codes.add(answer["error"]["code"])
                assert answer["error"]["line"] > 0 and answer["error"]["message"]
                break
            state = asker.ask("state")
            if state["to_move"] is None:
                break
            moves = asker.ask("moves")["moves"]
            answer = asker.line(json.dumps({"do": "play", "move": moves[seed % len(moves)]}).encode())
    assert codes == {"fault"}


def test_moves__in_parts(base: Asker) -> None:
    base.ask("new", seed=7)
    whole = base.ask("moves")["moves"]
    parts = [m for start in range(0, len(whole), 7) for m in base.ask("moves", **{"from": start, "limit": 7})["moves"]]
    assert parts == whole
    assert base.ask("moves", limit=0) == {"to_move": 1, "count": len(whole), "moves": []}
    assert base.ask("moves", **{"from": 10**6})["moves"] == []


def test_texts__of_moves_say_no_more_than_who_decides_may_read(tmp_path: Path) -> None:
    rules = (ROOT / "tests" / "games" / "secret_cards.yaml").read_text(encoding="utf-8")
    path = tmp_path / "telling.yaml"
    path.write_text(rules.replace("lay {c} face down", "lay {c} beside {count(down[next(me)], crown)} crowns"))
    asker = Asker(str(path))
    asker.ask("new", seed=1)
    asker.ask("play", move="lay crown")
    texts = [move["text"] for move in asker.ask("moves", detail=True)["moves"]]
    assert texts == [f"lay {card} beside ? crowns" for card in ("sword", "shield", "crown")]
    assert asker.ask("hint", bot="random")["text"] in texts


def test_hint__by_any_bot(nim: Asker) -> None:
    moves = nim.ask("moves")["moves"]
    for bot in ("random", "greedy", "search:0.05"):
        assert nim.ask("hint", bot=bot, seed=3)["move"] in moves
    assert nim.ask("hint", seed=3) == nim.ask("hint", bot="greedy", seed=3)
    for bot in ("genius", "search:", "search:nan", "search:61", "human", "greedy:1"):
        assert nim.refused("hint", bot=bot)["code"] == "bad-field"


def test_simulate__from_here(nim: Asker) -> None:
    found = nim.ask("simulate", games=50, seed=3)
    assert found == nim.ask("simulate", games=50, seed=3)
    assert sum(found["wins"].values()) == 50 and found["means"] == {}
    for move in ("take 1 3", "take 2 4", "take 3 4"):
        nim.ask("play", move=move)
    assert nim.ask("simulate", games=7)["wins"] == {"1": 0, "2": 7}
    assert nim.refused("simulate", games=10_001)["code"] == "bad-field"


# Taking back ---------------------------------------------------------------------------------------------


def test_undo__one_several_and_none(nim: Asker) -> None:
    assert nim.refused("undo")["code"] == "nothing-to-undo"
    for move in ("take 1 1", "take 1 1", "take 2 1"):
        nim.ask("play", move=move)
    state = nim.ask("state")
    assert nim.refused("undo", to=3)["message"] == "expected `to` to be 0 to 2, found 3: 3 decisions were made"
    assert [d["move"] for d in nim.ask("undo")["back"]] == ["take 2 1"]
    assert nim.ask("play", move="take 2 1")["state"] == state
    undone = nim.ask("undo", to=0)
    assert len(undone["back"]) == 3 and undone["state"]["decisions"] == 0


def test_undo__stops_before_what_a_seed_decided(base: Asker) -> None:
    first = base.ask("new", seed=7)
    assert base.refused("undo")["code"] == "nothing-to-undo"
    assert base.refused("undo", to=3, agreed=True)["code"] == "nothing-to-undo"
    moves = 0
    while base.ask("state")["decisions"] == first["decisions"] + moves:
        moves += 1
        played = base.ask("play", move=base.ask("moves")["moves"][0])
    assert len(played["decided"]) > 1  # the round is over, and chance has dealt
    error = base.refused("undo")
    assert error["code"] == "not-agreed" and "`draw" in error["message"]
    back = base.ask("undo", agreed=True)["back"]
    assert [d["move"] for d in back] == [d["move"] for d in played["decided"]]
    assert base.ask("play", move=back[0]["move"]) == played  # chance decides the same again
    assert base.ask("undo", to=first["decisions"], agreed=True)["state"] == first


def test_undo__for_ever_does_not_grow(nim: Asker) -> None:
    match = nim.session.match
    assert match is not None
    nim.ask("play", move="take 1 1")
    kept = list(match.entries)
    match.entries += [RecordedDecision(2, 2, "take 1 1"), Undo(1, False)] * (MOST_ENTRIES // 2)
    nim.ask("play", move="take 2 2")
    assert [e.move for e in match.entries if isinstance(e, RecordedDecision)] == ["take 1 1", "take 2 2"]
    assert match.entries[0] == kept[0] and len(match.entries) == 2
    nim.session.answer(b'{"do": "save"}')
    assert nim.ask("load", record=nim.ask("save")["record"])["decisions"] == 2


def test_standing__is_what_was_not_taken_back() -> None:
    made = [RecordedDecision(n, 1, f"m{n}") for n in range(1, 5)]
    again = RecordedDecision(2, 1, "other")
    assert standing([*made, Undo(1, True), again]) == [made[0], again]
    assert standing([*made, Undo(0, True)]) == []


# What may be seen ----------------------------------------------------------------------------------------


def test_view__hides_what_a_player_may_not_see(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text(CARDS, encoding="utf-8")
    asker = Asker(str(tmp_path / "cards.yaml"))
    asker.ask("new", seed=3)
    mine, other, onlooker = (asker.ask("view", player=p)["places"] for p in (1, 2, None))
    assert "hidden" in mine["hand[2]"] and "hidden" not in mine["hand[1]"]
    assert "hidden" in other["hand[1]"] and "hidden" not in other["hand[2]"]
    assert "hidden" in onlooker["hand[1]"] and "hidden" in onlooker["hand[2]"]
    assert asker.ask("view")["places"] == onlooker
    assert asker.refused("view", player=3)["code"] == "bad-field"
    whole = [d["move"] for d in asker.ask("decisions")["decisions"]]
    seen = [d["move"] for d in asker.ask("decisions", viewer=1)["decisions"]]
    assert seen[:2] == whole[:2] and seen[2:] == ["draw ?"] * 4 and "?" not in "".join(whole)
    assert [d["number"] for d in asker.ask("decisions", **{"from": 4})["decisions"]] == [5, 6]


# Records -------------------------------------------------------------------------------------------------


def test_save__and_load_go_on_with_the_same_game(tmp_path: Path) -> None:
    asker = Asker(PIG)
    asker.ask("new", seed=5)
    for _ in range(9):
        asker.ask("play", move=asker.ask("moves")["moves"][0])
    state, record = asker.ask("state"), asker.ask("save")["record"]
    file = str(tmp_path / "game.jsonl")
    assert asker.ask("save", file=file) == {"file": file}
    assert asker.refused("save", file=file)["code"] == "bad-record"  # it is there
    ahead = asker.ask("play", move=asker.ask("moves")["moves"][0])
    for given in ({"record": record}, {"file": file}):
        other = Asker(NIM)  # a record carries its rules
        assert other.ask("load", **given) == state
        assert other.ask("play", move=other.ask("moves")["moves"][0]) == ahead


@pytest.mark.parametrize("file", ["/nowhere/at/all.jsonl", "a\0b", "", "\ud800.jsonl", "x" * 5000, "."])
def test_save__where_it_cannot(nim: Asker, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for do in ("save", "load"):
        error = nim.refused(do, file=file)
        assert error["code"] == "bad-record" and error["message"]
    assert not list(tmp_path.iterdir())


def test_load__refuses(nim: Asker) -> None:
    record = nim.ask("save")["record"]
    for given in ({}, {"record": record, "file": "x"}):
        assert nim.refused("load", **given)["code"] == "missing-field"
    for text in ("", "{}", "\ud800", record[:-9], record.replace('"players":2', '"players":3', 1), "[" * 9000):
        assert nim.refused("load", record=text)["code"] == "bad-record"
    nim.ask("play", move="take 1 1")
    altered = "take 1 2".join(nim.ask("save")["record"].rsplit("take 1 1", 1))
    error = nim.refused("load", record=altered)
    assert (error["code"], error["line"], error["decision"]) == ("bad-record", 2, 1)


# Bad lines -----------------------------------------------------------------------------------------------

BAD_LINES = [
    (b"", "bad-json", "expected a JSON object, found an empty line"),
    (b"   ", "bad-json", "expected a JSON object, found an empty line"),
    (b"nonsense", "bad-json", "expected one JSON object on the line: expecting value at column 1"),
    (b'{"do": "state"', "bad-json", "expected one JSON object on the line: …"),
    (b'{"do": "state"} {"do": "state"}', "bad-json", "expected one JSON object on the line: extra data at column 17"),
    (b"[1]", "bad-json", "expected a JSON object, found a list"),
    (b"7", "bad-json", "expected a JSON object, found the number 7"),
    (b"null", "bad-json", "expected a JSON object, found null"),
    (b'"text"', "bad-json", "expected a JSON object, found the text `text`"),
    (b'{"do": "\xff"}', "bad-utf8", "expected UTF-8, found the byte 0xff at column 9"),
    (b"\x00", "bad-json", "expected one JSON object on the line: …"),
    (b'{"id": NaN}', "bad-json", "expected whole numbers of at most 20 digits, found `NaN`"),
    (b'{"id": -Infinity}', "bad-json", "expected whole numbers of at most 20 digits, found `-Infinity`"),
    (b'{"id": 1.5}', "bad-json", "expected whole numbers of at most 20 digits, found `1.5`"),
    (b'{"id": 1e999}', "bad-json", "expected whole numbers of at most 20 digits, found `1e999`"),
    (
        b'{"id": ' + b"9" * 5000 + b"}",
        "bad-json",
        "expected whole numbers of at most 20 digits, found `" + "9" * 40 + "`",
    ),
    (b'{"do": "state", "do": "new"}', "bad-json", "the key `do` occurs twice in one object"),
    (b'{"' + b'\\"' * 400_000 + b"\\", "bad-json", "expected one JSON object on the line: …"),
    (b"[" * 100_000, "bad-json", "expected at most 40 levels of lists and objects"),
    (b'{"a":' * 2000 + b"1" + b"}" * 2000, "bad-json", "expected at most 40 levels of lists and objects"),
    (b'{"id": {}, "do": "state"}', "bad-id", "expected `id` to be a string, a whole number or null, found an object"),
    (b'{"id": true}', "bad-id", "expected `id` to be a string, a whole number or null, found true"),
    (b"{}", "missing-field", "expected `do`: `new`, …"),
    (b'{"do": 5}', "missing-field", "expected `do`: `new`, …"),
    (b'{"do": ""}', "unknown-request", "no request called ``…"),
    (b'{"do": "state"}', "no-game", "no game has begun: send `new` or `load` first"),
    (b'{"do": "quit", "now": 1}', "unknown-field", "`quit` has no field `now`; it has none"),
    (
        b'{"do": "new", "sed": 1}',
        "unknown-field",
        "`new` has no field `sed`; it has `players`, …; did you mean `seed`?",
    ),
]


@pytest.mark.parametrize(("line", "code", "message"), BAD_LINES, ids=range(len(BAD_LINES)))
def test_line__that_is_wrong(line: bytes, code: str, message: str) -> None:
    answer = Asker(NIM).line(line)
    assert answer["error"]["code"] == code
    assert re.fullmatch(".*".join(map(re.escape, message.split("…"))), answer["error"]["message"]), answer
    assert answer["id"] is None


@pytest.mark.parametrize("id", [None, 0, -5, 10**19, "", "x", "\ud800", "\u2028\n\x00"])
def test_id__comes_back(id: Any) -> None:
    asker = Asker(NIM)
    for do in ("rules", "nothing"):
        assert asker.line(json.dumps({"id": id, "do": do}).encode())["id"] == id
    assert asker.line(b'{"do": "rules"}')["id"] is None


def test_line__with_brackets_in_a_text_is_not_deep(nim: Asker) -> None:
    assert nim.refused("play", move="[" * 900)["code"] == "unreadable-move"
    assert nim.refused("play", move='"\\[{' * 300)["code"] == "unreadable-move"


def test_internal__error_is_an_answer(nim: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Session) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setitem(REQUESTS, "state", (broken, REQUESTS["state"][1], True))
    assert nim.refused("state") == {"code": "internal", "message": "internal error: ZeroDivisionError: oops"}
    assert nim.ask("moves")["count"] == 12


# The process ---------------------------------------------------------------------------------------------


def test_process__answers_each_line_at_once_and_ends_with_the_input() -> None:
    """Without Python's unbuffered mode: an answer is there before the next request is sent."""
    engine = subprocess.Popen([*PROGRAM, NIM], env=BUFFERED, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert engine.stdin and engine.stdout
    for line in (b'{"id": 1, "do": "new", "seed": 1}\n', b"\xff\xfe\n", b'{"id": 2, "do": "state"}\r\n'):
        engine.stdin.write(line)
        engine.stdin.flush()
        assert engine.stdout.readline().startswith(b'{"id": ')
    engine.stdin.write(b'{"id": 3, "do": "moves"}')  # the last line has no end
    engine.stdin.close()
    assert json.loads(engine.stdout.readline())["ok"]["count"] == 12
    assert engine.stdout.read() == b""
    assert engine.wait(20) == 0


def peak(process: subprocess.Popen[bytes]) -> int:
    """Return the most memory a process ever had, in bytes."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        pytest.skip("this machine does not tell how much memory a process has")
    return 1024 * int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0])


def test_process__skips_a_line_that_is_too_long_without_keeping_it() -> None:
    engine = subprocess.Popen([*PROGRAM, NIM], env=BUFFERED, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert engine.stdin and engine.stdout
    engine.stdin.write(b'{"id": 1, "do": "rules"}\n')
    engine.stdin.flush()
    engine.stdout.readline()
    before = peak(engine)
    for _ in range(20):
        engine.stdin.write(b"[" * MOST_BYTES)
    engine.stdin.write(b'\n{"id": 2, "do": "rules"}\n')
    engine.stdin.flush()
    assert json.loads(engine.stdout.readline())["error"]["code"] == "too-long"
    assert json.loads(engine.stdout.readline())["id"] == 2
    assert peak(engine) - before < 5 * MOST_BYTES
    engine.stdin.close()
    assert engine.wait(20) == 0


def test_process__ends_quietly_when_nobody_reads_or_it_is_interrupted() -> None:
    engine = subprocess.Popen(
        [*PROGRAM, NIM], env=BUFFERED, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert engine.stdin and engine.stdout and engine.stderr
    engine.stdin.write(b'{"do": "rules"}\n')
    engine.stdin.flush()
    engine.stdout.readline()
    engine.stdout.close()
    engine.stdin.write(b'{"do": "rules"}\n' * 3)
    engine.stdin.close()
    assert (engine.wait(20), engine.stderr.read()) == (141, b"")
    other = subprocess.Popen(
        [*PROGRAM, NIM],
        env=BUFFERED,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background may ignore it
    )
    assert other.stdin and other.stdout and other.stderr
    other.stdin.write(b'{"do": "rules"}\n')
    other.stdin.flush()
    other.stdout.readline()
    other.send_signal(signal.SIGINT)
    assert (other.wait(20), other.stderr.read().strip()) == (130, b"")


def test_process__says_what_is_wrong_with_the_game() -> None:
    done = subprocess.run([*PROGRAM, "nothing"], env=BUFFERED, capture_output=True, input=b"", timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"error: no game called `nothing`")
