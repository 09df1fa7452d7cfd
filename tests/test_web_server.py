"""The server in this process: tables, sockets, the workshop; what others fell into; and who is turned away."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from interpreter import Game
from referee.engine.stream import Refusal
from referee.record.lines import read_record
from referee.record.verdict import check_record
from referee.web import balance, workbench
from referee.web.guard import Rate
from referee.web.hall import Hall, Limits
from referee.web.questions import Question
from referee.web.sitting import Guest, Sitting
from referee.web.store import TableStore
from tests.awaited import awaited
from tests.web import ORIGIN, PLAIN, SOCKET, Browser, Data, joined, made, server

SECRET = (Path(__file__).parent / "games" / "secret_cards.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with server(tmp_path_factory.mktemp("tables")) as found:
        yield found


def bearer(*keys: str) -> dict[str, str]:
    return {"authorization": "Bearer " + "+".join(keys)}


def row(table: Data, seat: int) -> str:
    key: str = table["seats"][seat - 1]["key"]
    return key


# Playing ---------------------------------------------------------------------------------------------------------


def test_a_game__with_two_people_and_an_onlooker(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe", seats=[{"name": "Anna"}, {"name": "Ben"}])
    with ExitStack() as stack:
        people = {seat: stack.enter_context(joined(client, table, seat)) for seat in (1, 2)}
        onlooker = stack.enter_context(joined(client, table))
        assert [seat["name"] for seat in onlooker.state["seats"]] == ["Anna", "Ben"]
        while (seat := people[1].state["to_move"]) is not None:
            assert "ok" in people[seat].play(seat)
            for other in (people[1], people[2], onlooker):
                other.until_version(people[seat].version)
                assert other.state["made"] == people[seat].state["made"]
            assert onlooker.state["scene"]["moves"] == []
        assert people[2].state["outcome"] is not None
        assert "error" in people[1].ask("play", version=people[1].version, seat=1, move="x")


def test_a_refusal__comes_with_its_reason_and_what_was_clicked(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe")
    with joined(client, table, 1) as one, joined(client, table, 2) as two:
        move, touched = "put 1 1", "board[1, 1]"
        one.play(1, move)
        two.until_version(one.version)
        found = two.ask("play", version=two.version, seat=2, move=move, at="the cell")["error"]
        assert (found["code"], found["move"], found["at"]) == ("illegal-move", move, "the cell")
        assert found["objections"][0].keys() == {"text", "condition", "move", "file", "line"}
        why = two.ask("why", version=two.version, seat=2, move=move)["ok"]["refusals"]
        assert why[0]["objections"] == found["objections"]
        pointed = two.ask("why", version=two.version, seat=2, things=[touched])["ok"]["refusals"]
        assert [(each["move"], each["at"]) for each in pointed] == [(move, touched)]
        assert pointed[0]["objections"] == found["objections"]
        assert two.ask("why", version=two.version, seat=2, things=["board[1, 2]"])["ok"]["refusals"] == []
        assert two.ask("why", version=two.version, seat=2, things=["nothing"])["ok"]["refusals"] == []


def test_bots__play_by_themselves_and_give_hints(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe", seats=[{}, {"who": "random"}])
    with joined(client, table, 1) as one:
        while one.state["to_move"] is not None:
            if one.state["waiting"] == "bot":
                one.hear()
                continue
            hint = one.ask("hint", version=one.version, seat=1)["ok"]
            assert "ok" in one.play(1, hint["move"])
        assert one.state["outcome"]
        refused = one.ask("hint", version=one.version, seat=1)["error"]
        assert (refused["code"], refused["message"]) == ("over", "the game is over")


def test_hand_over__shows_one_seat_at_a_time(client: TestClient) -> None:
    table = made(client, rules=SECRET)
    with joined(client, table, 1, 2) as one:
        assert one.state["you"] == {"seats": [1, 2], "look": 1, "host": False, "people": True}
        assert "hidden" in one.state["scene"]["places"]["hand[2]"]
        assert "ok" in one.play(1)
        assert "hidden" in one.state["scene"]["places"]["hand[2]"]
        assert one.ask("look", seat=2)["ok"] == {}
        one.until("whole")
        assert "hidden" in one.state["scene"]["places"]["hand[1]"]
        assert "ok" in one.play(2)
        assert one.ask("look", seat=3)["error"]["code"] == "not-your-seat"


def test_seats__host_names_and_bots(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe")
    with joined(client, table, host=True) as host, joined(client, table, 2) as two:
        assert two.ask("name", seat=2, name="Ben")["ok"]
        host.until_version(two.version)
        assert host.ask("seat", seat=1, who="random")["ok"]
        two.until_version(host.version)
        assert two.state["seats"][0]["who"] == "random"
        assert two.ask("seat", seat=1, who="human")["error"]["code"] == "not-host"
        keys = host.ask("invite")["ok"]
        assert keys["seats"][1]["key"] == row(table, 2)
        new = two.ask("renew", seat=2)["ok"]["key"]
        assert new != row(table, 2)
        assert client.get(f"/api/tables/{table['table']}/rules", headers=bearer(row(table, 2))).status_code == 401
        assert client.get(f"/api/tables/{table['table']}/rules", headers=bearer(new)).status_code == 200


def test_log_ledger_and_stepping_back(client: TestClient) -> None:
    table = made(client, game="classics/pig")
    with joined(client, table, 1) as one:
        for _ in range(3):
            if one.state["to_move"] == 1:
                one.play(1, "throw" if any(m["do"] == "throw" for m in one.state["scene"]["moves"]) else None)
        log = one.ask("log", **{"from": 1})["ok"]["lines"]
        assert [line["number"] for line in log] == list(range(1, one.state["made"] + 1))
        ledger = one.ask("ledger")["ok"]
        assert ledger["scores"] == one.state["scores"]
        first = one.ask("at", made=0)["ok"]
        assert first["line"] is None and first["scene"]["moves"] == []
        assert one.ask("at", made=one.state["made"])["ok"]["scene"]["places"] == one.state["scene"]["places"]
        assert one.ask("at", made=one.state["made"] + 1)["error"]["code"] == "bad-field"


# What others fell into -------------------------------------------------------------------------------------------


def test_trap__a_client_out_of_step_is_refused_and_catches_up(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe")
    with joined(client, table, 1) as one, joined(client, table, 2) as two:
        stale = two.version
        one.play(1)
        moves = [m["do"] for m in one.state["scene"]["moves"]]
        assert moves == []
        found = two.ask("play", version=stale, seat=2, move="anything")["error"]
        assert found["code"] == "out-of-step" and found["version"] == one.version
        two.ask("whole")
        two.until("whole")
        assert two.version == one.version
        assert "ok" in two.play(2)


def test_trap__a_client_that_lost_its_connection_sees_what_the_server_has(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe")
    with joined(client, table, 1) as one:
        had = one.version
    with joined(client, table, 2), joined(client, table, 1) as again:
        again.play(1)
    with joined(client, table, 1, version=had) as back:
        assert back.version > had and back.state["made"] == 1
    with client.websocket_connect(SOCKET) as socket:
        same = Browser(socket)
        found = same.ask("join", table=table["table"], keys=[row(table, 1)], version=back.version)
        assert found["ok"]["same"] is True


def test_trap__a_refused_client_hears_nothing_of_the_table(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe")
    with joined(client, table, 1) as one, client.websocket_connect(SOCKET) as socket:
        stranger = Browser(socket)
        found = stranger.ask("join", table=table["table"], keys=["x" * 22])
        assert found["error"]["code"] == "wrong-key"
        one.play(1)
        assert stranger.closed() == 4401
        assert [message.get("tell") for message in stranger.heard] == [None, "bye"]


def test_trap__a_reload_and_a_second_tab_keep_the_seat(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe")
    with joined(client, table, 1) as one:
        with joined(client, table, 1) as tab:
            assert "ok" in tab.play(1)
            one.until_version(tab.version)
        assert one.state["made"] == 1
    with joined(client, table, 1) as reloaded:
        assert reloaded.state["you"]["seats"] == [1]


def test_trap__of_two_moves_at_once_one_is_made(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe")
    with joined(client, table, 1) as one, joined(client, table, 1) as tab:
        moves = [m["do"] for m in one.state["scene"]["moves"]]
        for browser, move in ((one, moves[0]), (tab, moves[1])):
            message = {"do": "play", "id": 99, "version": browser.version, "seat": 1, "move": move}
            browser.socket.send_text(json.dumps(message))
        answers = [one.answer(99), tab.answer(99)]
        assert sorted("ok" in found for found in answers) == [False, True]
        assert next(found for found in answers if "error" in found)["error"]["code"] == "out-of-step"


def test_trap__after_a_restart_everybody_is_told_whose_turn_it_is(tmp_path: Path) -> None:
    with server(tmp_path) as first:
        table = made(first, game="classics/tictactoe", seats=[{}, {"who": "random"}])
        with joined(first, table, 1) as one:
            one.play(1)
            while one.state["to_move"] != 1:
                one.hear()
            one.play(1)
            version = one.version
    with server(tmp_path) as second, joined(second, table, 1) as one:  # the bot goes on though nobody asks it to
        assert one.version >= version
        while one.state["to_move"] != 1 and one.state["outcome"] is None:
            one.hear()
        assert one.state["made"] >= 3


def test_trap__no_secret_in_undo_log_first_message_or_replay(client: TestClient) -> None:
    table = made(client, rules=SECRET)
    with joined(client, table, 1) as one, joined(client, table, 2) as two, joined(client, table) as onlooker:
        laid = "lay crown"
        one.play(1, laid)
        two.until_version(one.version)
        two.play(2)
        one.until_version(two.version)
        assert one.ask("undo", version=one.version, seat=1)["ok"]["needs"] == [2]
        two.until_version(one.version)
        onlooker.until_version(one.version)
        for other in (two, onlooker):
            assert other.state["undo"]["by"] == 1
            for n in range(3):
                other.ask("at", made=n)
            other.ask("log")
            other.ask("ledger")
            other.ask("whole")
            other.until("whole")
        assert two.ask("agree", version=two.version, seat=2, yes=True)["ok"]["done"] is True
        own = two.ask("look", seat=2)
        assert own["ok"] == {}
        for other, mine in ((two, "hand[2]"), (onlooker, None)):
            for message in other.heard:
                told = json.loads(json.dumps(message))
                for scene in (told.get("scene"), (told.get("ok") or {}).get("scene"), told.get("change")):
                    for name, lying in ((scene or {}).get("places") or {}).items():
                        if name not in (mine, "down[2]" if mine else None):
                            assert "hidden" in lying, (name, lying)
                lines = (told.get("log") or {}).get("lines", []) + (told.get("ok") or {}).get("lines", [])
                assert all(line["move"] == "lay ?" for line in lines if line["player"] == 1)
                assert "seed" not in json.dumps(told)


def test_trap__sharing_needs_no_account(client: TestClient) -> None:
    """All that a link needs is in the link."""
    table = made(client, game="classics/tictactoe")
    client.cookies.clear()
    response = client.get(f"/table/{table['table']}")
    assert "set-cookie" not in response.headers
    with joined(client, table, 2) as two:
        assert two.state["you"]["seats"] == [2]


# Records ---------------------------------------------------------------------------------------------------------


def test_records__are_redacted_while_the_game_goes_on(client: TestClient) -> None:
    table = made(client, rules=SECRET)
    address = f"/api/tables/{table['table']}/record"
    with joined(client, table, 1) as one, joined(client, table, 2) as two:
        one.play(1, "lay crown")
        two.until_version(one.version)
        mine = client.get(address, headers=bearer(row(table, 1)))
        theirs = client.get(address, headers=bearer(row(table, 2)))
        assert '"lay crown"' in mine.text and '"lay ?"' in theirs.text and '"lay crown"' not in theirs.text
        assert read_record(theirs.content).header.seed is None
        assert client.get(address).status_code == 401
        assert client.get(address, headers=bearer("x" * 22)).status_code == 401
        assert client.get(f"{address}?whole=yes", headers=bearer(row(table, 2))).status_code == 403
        both = client.get(f"{address}?whole=yes", headers=bearer(row(table, 1), row(table, 2)))
        assert '"lay crown"' in both.text
        while two.state["to_move"] is not None:
            browser = one if two.state["to_move"] == 1 else two
            browser.until_version(two.version)
            browser.play(two.state["to_move"])
            two.until_version(browser.version)
            one.until_version(browser.version)
    whole = client.get(address, headers=bearer(row(table, 2)))
    assert check_record(read_record(whole.content)).damage is None
    assert '"lay crown"' in whole.text
    again = made(client, record=whole.text)
    with joined(client, again, 1) as one:
        assert one.state["outcome"] is not None


def test_records__a_bad_one_becomes_no_table(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe")
    address = f"/api/tables/{table['table']}/record"
    text = client.get(address, headers=bearer(row(table, 1))).text
    for bad in ("", "nonsense", text, text.replace("tic", "tac")):
        response = client.post("/api/tables", json={"record": bad})
        assert response.json()["error"]["code"] == "bad-record"


def test_records__a_bot_on_somebodys_seat_does_not_show_their_cards(client: TestClient) -> None:
    table = made(client, game="classics/kuhn")
    address = f"/api/tables/{table['table']}/record?whole=yes"
    with joined(client, table, 1, host=True) as one:
        assert "ok" in one.ask("seat", seat=2, who="random")
        for keys in ([row(table, 1), table["host"]], [table["host"]]):
            assert client.get(address, headers=bearer(*keys)).status_code == 403
        assert client.get(address, headers=bearer(row(table, 1), row(table, 2))).status_code == 200


def test_records__asked_for_again_and_again_are_refused(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe")
    address = f"/api/tables/{table['table']}/record"
    client.hall.tables[table["table"]].records = Rate(0.0, 2.0)
    found = [client.get(address, headers=bearer(table["onlooker"])) for _ in range(3)]
    assert [response.status_code for response in found] == [200, 200, 429]
    assert found[2].json()["error"]["code"] == "too-fast"
    assert client.get(f"{address}?whole=yes", headers=bearer(row(table, 1), row(table, 2))).status_code == 200


def test_records__that_take_long_become_no_table_and_keep_nobody_waiting(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = made(client, game="classics/tictactoe")
    address = f"/api/tables/{table['table']}/record"
    whole = client.get(f"{address}?whole=yes", headers=bearer(row(table, 1), row(table, 2))).text
    before = client.hall.store.count()
    with monkeypatch.context() as patched:
        patched.setattr(client.hall.records, "seconds", 0.0001)
        for response in (
            client.post("/api/tables", json={"record": whole}),
            client.get(address, headers=bearer(row(table, 1))),
        ):
            assert (response.status_code, response.json()["error"]["code"]) == (503, "too-slow")
    assert client.hall.store.count() == before
    with joined(client, table, 1) as one:
        assert "ok" in one.play(1)
    assert made(client, record=whole)


def test_tables__on_disk_are_not_replayed_for_a_wrong_key(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    table = made(client, game="classics/tictactoe")
    ident = table["table"]
    del client.hall.tables[ident]
    replayed, load = [], Sitting.load

    def noted(name: str, *given: Any) -> Sitting:
        replayed.append(name)
        return load(name, *given)

    monkeypatch.setattr(Sitting, "load", noted)
    for address in ("record", "rules", "rulebook"):
        found = client.get(f"/api/tables/{ident}/{address}", headers=bearer("x" * 22))
        assert (found.status_code, found.json()["error"]["code"]) == (401, "wrong-key")
    with client.websocket_connect(SOCKET) as socket:
        assert Browser(socket).ask("join", table=ident, keys=["x" * 22])["error"]["code"] == "wrong-key"
    assert replayed == [] and ident not in client.hall.tables
    with joined(client, table, 1):
        assert replayed == [ident]


def test_tables__with_a_name_that_cannot_be_written_are_not_there(client: TestClient) -> None:
    with client.websocket_connect(SOCKET) as socket:
        assert Browser(socket).ask("join", table="\ud800", keys=["x"])["error"]["code"] == "no-table"


# The workshop ----------------------------------------------------------------------------------------------------

HOUSE = "rulespec: 1\nextends: classics/nim\ngame: Longer Nim\nchange:\n  tables: {}\n"


def work(client: TestClient, what: str, **fields: object) -> Data:
    found: Data = client.post(f"/api/workshop/{what}", json=fields).json()
    return found


def test_workshop__mistakes_where_they_are(client: TestClient) -> None:
    good = work(client, "check", text=SECRET, name="mine.yaml")
    assert good["good"] and good["title"] == "Secret cards" and good["players"] == [2]
    assert [part["text"] for part in good["outline"]][:3] == ["rulespec", "game", "players"]
    bad = work(client, "check", text=SECRET.replace("c in hand[me]", "c in hnad[me]"), name="mine.yaml")
    assert not bad["good"]
    first = bad["diagnostics"][0]
    assert (first["code"], first["file"], first["shown"]["line"]) == ("name-unknown", "mine.yaml", 25)
    assert "/games/" not in json.dumps(work(client, "check", text=HOUSE.replace("tables: {}", "tables: {x: y}")))


def test_workshop__words_and_meanings(client: TestClient) -> None:
    line = next(n for n, text in enumerate(SECRET.split("\n"), 1) if "in hand[me]" in text)
    column = SECRET.split("\n")[line - 1].index("hand") + 2
    hover = work(client, "hover", text=SECRET, line=line, column=column)
    assert "a place" in hover["text"] and hover["column"] == column - 1
    broken = SECRET.replace("c in hand[me]", "c in ha")
    items = work(client, "complete", text=broken, known=SECRET, line=line, column=column + 1)
    assert items["from"] == column - 1
    assert "hand" in [item["label"] for item in items["items"]]


def test_workshop__format_examples_diff_and_rulebook(client: TestClient) -> None:
    assert work(client, "format", text="rulespec:   1\n")["text"] == "rulespec: 1\n"
    assert work(client, "format", text="a: [\n")["text"] is None
    found = work(client, "examples", text=client.get("/api/games/classics/nim").json()["text"])["examples"]
    assert found and all(example["good"] for example in found)
    text = "rulespec: 1\nextends: classics/tictactoe\ngame: Other\n"
    assert work(client, "diff", text=text)["text"]
    assert work(client, "diff", text=SECRET)["error"]["code"] == "bad-choice"
    book = work(client, "rulebook", text=text)
    assert book["html"].startswith("<!DOCTYPE") or "<html" in book["html"]


def test_balance__compares_with_the_rules_that_were_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "MOST_GAMES", 40)
    monkeypatch.setattr(Game, "compile", lambda self: True)  # these games are short enough without
    one_each = "rulespec: 1\nextends: classics/nim\ngame: Slow Nim\nchange:\n  define: {most: 1}\n"
    found = workbench.do("balance", {"text": one_each, "name": "slow.yaml"})
    assert (found["games"], found["against"], found["players"], found["bot"]) == (40, "nim", 2, "quick:50")
    assert found["columns"] == ["", "nim", "slow", "difference", "verdict"]
    assert any(
        said.startswith("Whoever begins wins less often: 0 % of games instead of ") for said in found["sentences"]
    )
    assert found["doubts"][0] == "These are programs (quick:50): believe signs and order before sizes."


def test_balance__of_rules_that_change_nothing_or_extend_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balance, "MOST_GAMES", 40)
    monkeypatch.setattr(Game, "compile", lambda self: False)  # a machine without a compiler
    for text in ("rulespec: 1\nextends: classics/nim\ngame: Nim\n", SECRET):
        found = workbench.do("balance", {"text": text, "name": "mine.yaml"})
        assert (found["games"], found["against"], found["bot"], found["sentences"]) == (40, None, "random", [])
        assert found["rows"][0][0] == "decisions of players"
        assert found["doubts"][0].startswith("These players play at random: ")
    wrong = workbench.do("balance", {"text": SECRET.replace("hand[me]", "hnad[me]")})
    assert wrong["error"]["code"] == "bad-rules"


def test_balance__ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    async def asked() -> int | None:
        hall = Hall(TableStore(tmp_path), PLAIN)
        try:
            text = "rulespec: 1\nextends: base\ngame: Mine\nchange:\n  tables: {row_points: 9}\n"
            job = asyncio.create_task(hall.job("balance", {"text": text}, "mine", hall.lab))
            while not any(worker.ready for worker in hall.lab._all):  # then it plays
                await asyncio.sleep(0.02)
            (worker,) = hall.lab._all
            job.cancel()
            with pytest.raises(Refusal, match="rulespec"):  # the next one is answered, by another process
                await hall.job("balance", {"text": "a: 1\n"}, "mine", hall.lab)
            return worker.process.poll()
        finally:
            await hall.close()

    assert awaited(asked()) is not None


def test_balance__that_takes_long_is_given_up_and_nobody_else_waits(tmp_path: Path) -> None:
    with server(tmp_path, Limits(measure=0.05, waiting=1)) as client:
        assert work(client, "balance", text=SECRET)["error"]["code"] == "too-slow"
        assert work(client, "check", text=SECRET)["good"]


def test_workshop__a_game_goes_on_under_other_rules(client: TestClient) -> None:
    table = made(client, rules={"name": "mine.yaml", "text": SECRET})
    with joined(client, table, 1, 2, host=True) as one:
        one.play(1, "lay crown")
        version = one.version
        other = SECRET.replace("lay {c} face down", "put {c} down")
        found = one.ask("rules", version=version, text=other, name="mine.yaml")["ok"]
        assert found["good"] and found["made"] == 1
        one.until_version(found["version"])
        assert one.state["made"] == 1 and one.state["log"]["lines"][-1]["text"] == "put crown down"
        bad = one.ask(
            "rules", version=one.version, text=other.replace("  lay:", "  lie:").replace("to: lay", "to: lie")
        )
        assert bad["ok"]["good"] is False
        assert bad["ok"]["stopped"]["number"] == 1 and "no move called `lay`" in bad["ok"]["stopped"]["message"]
        assert one.ask("whole")["ok"] == {}
        wrong = one.ask("rules", version=one.version, text=other.replace("hand[me]", "hnad[me]"))
        assert wrong["error"]["code"] == "bad-rules" and wrong["error"]["diagnostics"]
    with joined(client, table, 1, host=True) as one:  # others could see what is hidden by changing `seen by`
        found = one.ask("rules", version=one.version, text=SECRET)
        assert found["error"]["code"] == "not-your-seat"


def test_workshop__replay(client: TestClient) -> None:
    table = made(client, rules=SECRET)
    with joined(client, table, 1) as one:
        one.play(1, "lay crown")
    keys = bearer(row(table, 1), row(table, 2))
    record = client.get(f"/api/tables/{table['table']}/record?whole=yes", headers=keys).text
    good = work(client, "replay", text=SECRET.replace("Secret cards", "Others"), record=record)
    assert good["good"] and '"down[1]"' in json.dumps(good["scene"])
    bad = work(client, "replay", text=SECRET.replace("c in hand[me]", "c in hand[me] and c = sword"), record=record)
    assert bad["stopped"]["objections"][0]["text"] == "you have no crown"


def test_workshop__a_text_that_takes_long_is_given_up_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    slow = "rulespec: 1\nextends: base\nchange:\n  options:\n" + "".join(
        f"    o{n}: {{a: {{text: x}}, b: {{text: y}}, c: {{text: z}}}}\n" for n in range(40)
    )
    with server(tmp_path, Limits(work=0.05)) as client:
        table_error = client.post("/api/workshop/check", json={"text": slow})
        assert table_error.json()["error"]["code"] == "too-slow"
        assert client.get("/api/address").status_code == 200


# Being turned away -----------------------------------------------------------------------------------------------


def test_hosts__a_foreign_name_is_refused(client: TestClient) -> None:
    """A page of another site can point its own name to this machine."""
    for host in ("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "192.168.1.5"):
        assert client.get("/api/address", headers={"host": host}).status_code == 403
    for host in ("localhost:8000", "127.0.0.1", "[::1]:8000"):
        assert client.get("/api/address", headers={"host": host, "origin": f"http://{host}"}).status_code == 200


def test_origins__pages_of_other_sites_are_refused(client: TestClient) -> None:
    for origin in ("http://evil.example", "null", "http://127.0.0.1:9000", "https://127.0.0.1:8000.evil.example"):
        assert client.post("/api/tables", json={"game": "base"}, headers={"origin": origin}).status_code == 403
        with pytest.raises(WebSocketDisconnect) as closed:
            client.websocket_connect(SOCKET, headers={"origin": origin}).__enter__()
        assert closed.value.code == 4403
    response = client.post("/api/tables", json={"game": "base"}, headers={"sec-fetch-site": "cross-site"})
    assert response.status_code == 403
    response = client.post("/api/tables", content='{"game": "base"}', headers={"content-type": "text/plain"})
    assert response.status_code == 400


def test_policy__is_on_every_answer(client: TestClient) -> None:
    for address in ("/", "/table/x", "/api/games", "/api/nothing", "/static/nothing.js", "/api/tables/x/record"):
        headers = client.get(address).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_limits__sizes(client: TestClient) -> None:
    response = client.post("/api/tables", json={"rules": "x" * 1_100_000})
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too-large")
    table = made(client, game="classics/tictactoe")
    with joined(client, table, 1) as one:
        found = one.ask("name", seat=1, name="x" * 70_000)
        assert found["error"]["code"] in ("too-large", "bad-field")
        assert one.ask("ping")["ok"] == {}


def test_limits__messages_a_second(client: TestClient) -> None:
    table = made(client, game="classics/tictactoe")
    with joined(client, table, 1) as one:
        for n in range(100, 200):
            one.socket.send_text(json.dumps({"do": "ping", "id": n}))
        found = [one.answer(n) for n in range(100, 200)]
        fast = [message for message in found if "error" in message]
        assert fast and {message["error"]["code"] for message in fast} == {"too-fast"}


def test_limits__tables_and_connections(tmp_path: Path) -> None:
    with server(tmp_path, Limits(tables=1, clients=3, clients_at_table=1)) as client:
        table = made(client, game="classics/tictactoe")
        response = client.post("/api/tables", json={"game": "classics/tictactoe"})
        assert (response.status_code, response.json()["error"]["code"]) == (503, "too-many-tables")
        with (
            joined(client, table, host=True) as host,
            client.websocket_connect(SOCKET) as second,
            client.websocket_connect(SOCKET),
            client.websocket_connect(SOCKET) as fourth,
        ):
            with pytest.raises(WebSocketDisconnect) as closed:
                fourth.receive_text()
            assert closed.value.code == 4429
            found = Browser(second).ask("join", table=table["table"], keys=[row(table, 2)])
            assert found["error"]["code"] == "too-many"
            assert host.ask("close")["ok"] == {}
            assert host.closed() == 4410
        assert made(client, game="classics/tictactoe")


def test_idle_tables__leave_the_memory_and_stay_on_disk(tmp_path: Path) -> None:
    with server(tmp_path, Limits(idle=0.0)) as client:
        table = made(client, game="classics/tictactoe")
        hall = client.hall
        with joined(client, table, 1) as one:
            one.play(1)
            hall.forget_idle(time.monotonic() + 1)
            assert table["table"] in hall.tables
        deadline = time.monotonic() + 10
        while table["table"] in hall.tables and time.monotonic() < deadline:
            hall.forget_idle(time.monotonic() + 1)
            time.sleep(0.01)
        assert table["table"] not in hall.tables
        with joined(client, table, 1) as one:
            assert one.state["made"] == 1


def test_slow_clients__are_sent_away_and_keep_nobody_waiting() -> None:
    from referee.web.browser import MOST_QUEUED, BrowserSocket

    slow = BrowserSocket(None, None)  # type: ignore[arg-type]  # it has not even begun
    for n in range(MOST_QUEUED + 5):
        slow.send(f"message {n}")
    assert slow._end is not None and slow._end[0] == 4408
    assert slow._queue.qsize() == 1


def test_qr__only_links_of_this_server(client: TestClient) -> None:
    found = client.post("/api/qr", json={"link": f"{ORIGIN}/table/x#{'k' * 22}"}).json()
    assert found["svg"].startswith("<svg") and "script" not in found["svg"]
    assert client.post("/api/qr", json={"link": "http://evil.example/table/x"}).status_code == 400


def test_games__are_listed_with_players_and_options(client: TestClient) -> None:
    found = {game["name"]: game for game in client.get("/api/games").json()["games"]}
    assert found["base"]["players"] == [2, 3, 4] and found["base"]["options"]
    assert found["house/corners"]["extends"] == "base" and found["house/corners"]["kind"] == "house"
    assert client.get("/api/games/base").json()["text"].startswith("#")
    for name in ("..%2f..%2fpyproject", "/etc/passwd", "nothing"):
        assert client.get(f"/api/games/{name}").status_code == 404


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ({}, "missing-field"),
        ({"game": "base", "rules": "x"}, "missing-field"),
        ({"game": "no such"}, "unknown-game"),
        ({"game": "/etc/passwd"}, "unknown-game"),
        ({"game": "../pyproject.toml"}, "unknown-game"),
        ({"rules": "rulespec: 1\nextends: ../../etc/passwd.yaml\n"}, "bad-rules"),
        ({"rules": "rulespec: 1\nextends: /etc/passwd\n"}, "bad-rules"),
        ({"rules": {"name": "../x.yaml", "text": "x"}}, "bad-field"),
        ({"game": "base", "players": 9}, "bad-choice"),
        ({"game": "base", "options": {"x": "y"}}, "bad-choice"),
        ({"game": "base", "seats": [{"name": "A"}, {"name": "a"}]}, "bad-field"),
        ({"game": "base", "seats": [{"who": "nobody"}]}, "bad-field"),
        ({"game": "base", "seats": [{}] * 9}, "bad-choice"),
        ({"game": "base", "first": 4, "players": 2}, "bad-choice"),
        ({"game": "base", "colour": "red"}, "unknown-field"),
        ({"record": "x", "players": 2}, "bad-field"),
        ({"game": "classics/briscola", "chance": "typed"}, "bad-choice"),
    ],
)
def test_tables__what_cannot_be_made(client: TestClient, spec: Data, code: str) -> None:
    response = client.post("/api/tables", json=spec)
    assert response.status_code == 400
    assert response.json()["error"]["code"] == code, response.text


class Ear:
    """A client of the hall without a network, that keeps what it was told."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.heard: list[Data] = []

    def send(self, text: str) -> None:
        self.heard.append(json.loads(text))

    def drop(self, code: int, reason: str, message: str) -> None:
        self.heard.append({"tell": "bye", "code": reason})


def test_trap__who_leaves_while_their_move_is_made_keeps_nobody_from_hearing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = TableStore.append

    def slowly(*given: Any) -> None:
        time.sleep(0.1)
        written(*given)

    monkeypatch.setattr(TableStore, "append", slowly)

    async def leave() -> list[str | None]:
        hall = Hall(TableStore(tmp_path), PLAIN)
        try:
            table = await hall.create({"game": "classics/tictactoe", "called": "classics/tictactoe"})
            one, two = (Ear(table.sitting.admit([key])) for key in table.sitting.keys.seats)
            hall.enter(table, one)
            hall.enter(table, two)
            move = str(table.sitting.match.game.legal_moves(table.sitting.match.state)[0])
            fields = {"version": table.sitting.version, "seat": 1, "move": move, "at": None}
            asking = asyncio.create_task(hall.ask(table, one, Question(1, "play", fields)))
            await asyncio.sleep(0.03)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            for _ in range(200):
                if two.heard[-1]["tell"] == "change":
                    break
                await asyncio.sleep(0.02)
            return [message.get("tell") for message in two.heard]
        finally:
            await hall.close()

    assert awaited(leave())[-1] == "change"
