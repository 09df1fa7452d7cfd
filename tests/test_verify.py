"""`rulespec verify`: every change of a record is found, where it was made and why it cannot be."""

from __future__ import annotations

import json
import random
import re
import string
from dataclasses import replace
from functools import cache

import pytest

from interpreter import load
from referee.record.lines import (
    Record,
    RecordedDecision,
    RecordEntry,
    RecordError,
    Result,
    Seat,
    SeatsChange,
    Undo,
    read_record,
    written,
)
from referee.record.match import Match
from referee.record.redact import redact
from referee.record.replay import replay
from referee.record.transcript import read_transcript, write_transcript
from referee.record.verdict import check_record
from tests.shipped import game_of
from tests.sizes import SOAK, size
from tests.test_cli import Answer, Runner, run  # noqa: F401
from tests.test_docs import ROOT, paths, rows

FOUR = ("base", "sintra", "pavilion", "duel")
SEATS = (Seat("Anna", "human"), Seat("Bob B.", "random"))


@cache
def record_of(name: str, seed: int = 11) -> bytes:
    """Return a whole game with some decisions taken back and a change of seats."""
    game = game_of(name)
    match = Match.begin(game, SEATS, seed, name=name)
    rng = random.Random(seed)
    for turn in range(10_000):
        if match.over:
            break
        match.play(rng.choice(game.legal_moves(match.state)))
        if turn % 15 == 7:
            match.undo(agreed=True)
        if turn == 20:
            match.sit((Seat("Anna", "human"), Seat("“Cleo”, the 2nd", "greedy")))
    return written(match.header, tuple(match.entries)).encode()


def decision_lines(data: bytes) -> list[int]:
    return [i for i, line in enumerate(data.split(b"\n")) if line.startswith(b'{"n":')]


@pytest.mark.sized
@pytest.mark.parametrize("name", FOUR)
def test_verify__a_changed_character_is_found_at_its_decision(name: str) -> None:
    data = record_of(name)
    lines = data.split(b"\n")
    rng = random.Random(name)
    for _ in range(size(15, 250)):
        number = rng.choice(decision_lines(data))
        line = lines[number].decode()
        at = rng.randrange(len(line))
        new = rng.choice([c for c in string.ascii_lowercase + string.digits + ' ",?é' if c != line[at]])
        changed = [*lines[:number], (line[:at] + new + line[at + 1 :]).encode(), *lines[number + 1 :]]
        damage = read_record(b"\n".join(changed)).damage
        assert damage is not None
        assert (damage.line, damage.decision) == (number + 1, json.loads(line)["n"])


@pytest.mark.sized
@pytest.mark.parametrize("name", FOUR if SOAK else ("base", "duel"))
def test_verify__a_changed_decision_with_fitting_hashes_is_found_by_the_rules(name: str) -> None:
    """Someone who recomputes every hash still has to obey the rules: at that decision, or where the game no longer fits."""
    record = read_record(record_of(name))
    rng = random.Random(name)
    words = sorted({word for d in record.decisions() for word in d.move.split()})
    standing = set(map(id, record.decisions()))
    where = [i for i, e in enumerate(record.entries) if id(e) in standing]
    illegal = 0
    for _ in range(size(2, 100)):
        at = rng.choice(where)
        entry = record.entries[at]
        assert isinstance(entry, RecordedDecision)
        parts = entry.move.split()
        i = rng.randrange(len(parts))
        parts[i] = rng.choice([w for w in words if w != parts[i]])
        changed = [*record.entries[:at], replace(entry, move=" ".join(parts)), *record.entries[at + 1 :]]
        checked = check_record(read_record(written(record.header, tuple(changed)).encode()))
        damage = checked.damage
        assert damage is not None, "another decision led to the same end"
        assert damage.line >= at + 2
        if damage.line == at + 2:
            assert damage.decision == entry.number
            illegal += damage.code in ("illegal", "unreadable")
        assert damage.code in ("illegal", "unreadable", "player", "scores", "over", "not-over", "result", "not-agreed")
    assert illegal or not SOAK


def altered(record: Record, code: str) -> list[RecordEntry]:
    """Return the lines of a record with something wrong in it."""
    entries = list(record.entries)
    first = next(i for i, e in enumerate(entries) if isinstance(e, RecordedDecision) and e.player)
    scored = next(i for i, e in enumerate(entries) if isinstance(e, RecordedDecision) and e.scores)
    decision, last = entries[first], entries[-1]
    assert isinstance(decision, RecordedDecision) and isinstance(last, Result)
    undo = next(i for i, e in enumerate(entries) if isinstance(e, Undo))
    match code:
        case "number":
            entries[first] = replace(decision, number=decision.number + 1)
        case "player":
            entries[first] = replace(decision, player=3 - decision.player)
        case "illegal":
            entries[first] = replace(decision, move=f"{decision.move.rsplit(' ', 1)[0]} 9")
        case "unreadable":
            entries[first] = replace(decision, move="tkae 1")
        case "scores":
            last_scores = entries[scored]
            assert isinstance(last_scores, RecordedDecision)
            entries[scored] = replace(last_scores, scores=(1, 99))
        case "undo":
            entries[undo] = Undo(9999, True)
        case "seats":
            entries.insert(first, SeatsChange(SEATS[:1]))
        case "over":
            entries.append(RecordedDecision(decision.number, 1, decision.move))
        case "not-over":
            entries.insert(first, last)
        case "result":
            entries[-1] = replace(last, winners=tuple(3 - w for w in last.winners))
    return entries


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("number", r"expected decision 21, found 22"),
        ("player", r"player [12] decides here, not player [12]"),
        ("illegal", r"is not legal: `9` cannot be chosen as target"),
        ("unreadable", r"no move called `tkae`; possible now: `take`; did you mean `take`\?"),
        ("scores", r"the scores are .* by the rules, \(1, 99\) in the record"),
        ("undo", r"cannot go back to 9999 decisions: only \d+ were made"),
        ("seats", r"1 seat for 2 players"),
        ("over", r"the game ended with decision \d+"),
        ("not-over", r"the record ends the game after decision 20, but it is the turn of player [12]"),
        ("result", r"wrong winners: "),
    ],
)
def test_verify__says_why(code: str, message: str, run: Runner) -> None:  # noqa: F811
    record = read_record(record_of("base"))
    run.write("a.jsonl", written(record.header, tuple(altered(record, code))))
    answer = run("verify", "a.jsonl", "--json")
    assert answer.code == 1
    damage = json.loads(answer.out)["damage"]
    assert damage["code"] == code
    answer = run("verify", "a.jsonl")
    assert (answer.code, answer.out) == (1, "")
    assert answer.err.startswith(f"a.jsonl:{damage['line']}: decision {damage['decision']}: {damage['message']}")
    assert answer.err.count("\n") == 1
    assert re.search(message, answer.err)


def test_verify__a_good_record(run: Runner) -> None:  # noqa: F811
    run.write("a.jsonl", record_of("base").decode())
    answer = run("verify", "a.jsonl")
    assert answer.code == 0, answer.err
    match = replay(read_record(record_of("base"))).match
    lines = answer.out.splitlines()
    assert lines[0].startswith(f"a.jsonl: good, Azul, {len(match.decided)} decisions, ")
    scores = match.game.scores(match.state)
    assert f"Anna: {scores[1]} points" in lines
    assert lines[-1].endswith(" wins: most points")
    data = json.loads(run("verify", "a.jsonl", "--json").out)
    assert (data["ok"], data["damage"], data["notes"], data["replayed"]) == (True, None, [], len(match.decided))
    assert data["scores"] == {str(p): n for p, n in scores.items()}


def test_verify__what_is_no_fault(run: Runner) -> None:  # noqa: F811
    data = record_of("base")
    lines = data.split(b"\n")
    run.write("a.jsonl", b"\n".join([*lines[:40], lines[40][:20]]).decode())
    answer = run("verify", "a.jsonl")
    assert answer.code == 0
    assert "note: the program stopped while it wrote the last line" in answer.out
    assert "note: the game is not over: " in answer.out
    record = read_record(data)
    at = next(i for i, e in enumerate(record.entries) if isinstance(e, RecordedDecision) and e.player)
    chance = record.entries[at - 1]
    assert isinstance(chance, RecordedDecision)
    other = next(c for c in ("red", "blue") if c not in chance.move)
    entries = (*record.entries[: at - 1], replace(chance, move=f"draw {other}"))
    run.write("b.jsonl", written(record.header, entries))
    assert (
        "note: decision 20, by chance, is not what this version of the program draws from the seed"
        in run("verify", "b.jsonl").out
    )
    run.write("c.jsonl", "hello")
    assert run("verify", "c.jsonl") == Answer(1, "", "error: c.jsonl: this is not the record of a game\n")
    assert json.loads(run("verify", "c.jsonl", "--json").out)["ok"] is False


@pytest.mark.parametrize(("house", "same"), [((), True), (("corners",), True), ((), False)])
def test_verify__tells_that_a_shipped_game_has_other_rules_now(
    house: tuple[str, ...],
    same: bool,
    run: Runner,  # noqa: F811
) -> None:
    header = Match.begin(load("base", house=house), SEATS, 1, name="base").header
    text = header.rules["files"]["base.yaml"]["text"]
    header.rules["files"]["base.yaml"]["text"] = text if same else text.replace("players: 2..4", "players: 2..3")
    run.write("a.jsonl", written(header, ()))
    answer = run("verify", "a.jsonl")
    assert answer.code == 0
    assert ("note: the rules of `base` have changed since" in answer.out) != same


# Redacted ------------------------------------------------------------------------------------------------


@pytest.mark.sized
@pytest.mark.parametrize("name", ["base", "classics/briscola"] + ["duel"] * SOAK)
def test_redact__hold_what_a_player_saw_and_no_more(name: str) -> None:
    record = read_record(record_of(name))
    for viewer in (1, None):
        header, entries = redact(record, viewer)
        assert header.seed is None
        seen = read_record(written(header, entries).encode())
        checked = check_record(seen)
        assert checked.damage is None
        for whole, part in zip(record.entries, entries, strict=True):
            if isinstance(whole, RecordedDecision) and isinstance(part, RecordedDecision):
                assert (whole.number, whole.player, whole.scores) == (part.number, part.player, part.scores)
                if whole.player == viewer:
                    assert whole == part
            elif isinstance(part, Result):
                assert part.position == ""
        hidden = sum(isinstance(e, RecordedDecision) and e.hidden for e in entries)
        assert bool(hidden) == checked.unseen
        assert bool(hidden) == (name in ("duel", "classics/briscola"))


def test_redact__cards_of_others_are_not_in_it() -> None:
    """Nobody can tell from their record what another one held: only cards that were played are named."""
    record = read_record(record_of("classics/briscola"))
    text = written(*redact(record, 2))
    draws = [line for line in text.splitlines() if '"move":"draw' in line]
    first, second = draws[:3], draws[3:6]
    assert all('"move":"draw ?"' in line for line in first)
    assert not any("?" in line for line in second)


def test_redact__wrong_ones() -> None:
    record = read_record(record_of("base"))
    with pytest.raises(RecordError, match="there is no player 3"):
        redact(record, 3)
    seen = read_record(written(*redact(record, 2)).encode())
    assert redact(seen, 2) == (seen.header, seen.entries)
    with pytest.raises(RecordError, match="already redacted for somebody else"):
        redact(seen, 1)


# Transcripts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["base", "duel", "classics/briscola", "classics/pig", "house/partners"])
def test_transcript__reads_back_as_the_same_record(name: str, run: Runner) -> None:  # noqa: F811
    if name == "house/partners":
        match = Match.begin(game_of(name, 4), [Seat(f"{i}. “Ö”\n", "random") for i in range(4)], None, name=name)
        match.play("draw red")
        data = written(match.header, tuple(match.entries)).encode()
    else:
        data = record_of(name)
    record = read_record(data)
    text = write_transcript(record)
    assert read_transcript(text.encode()) == record
    if name == "base":
        run.write("a.jsonl", data.decode())
        assert run("transcript", "a.jsonl", "--output", "a.txt").code == 0
        assert run("record", "a.txt") == Answer(0, data.decode(), "")
        assert run("record", "a.txt", "--output", "a.jsonl").err.startswith("error: a.txt: there is already a file")
        assert (run.folder / "a.txt").read_text(encoding="utf-8") == text
    if name == "classics/briscola":
        seen = read_record(written(*redact(record, 1)).encode())
        assert read_transcript(write_transcript(seen).encode()) == seen


def test_transcript__is_printed_without_the_rules(run: Runner) -> None:  # noqa: F811
    run.write("a.jsonl", record_of("base").decode())
    short, whole = run("transcript", "a.jsonl"), run("transcript", "a.jsonl", "--rules")
    assert whole.out == write_transcript(read_record(record_of("base")))
    said = "# The rules are left out; with `--rules` this text can be turned back into the record."
    assert short.out.splitlines()[-1] == said
    assert whole.out.startswith(short.out.removesuffix(said + "\n"))
    run.write("short.txt", short.out)
    assert run("record", "short.txt").err == (
        "error: short.txt: the transcript has no rules: only one written with `--rules` or `--output` can be read back\n"
    )


def test_replay__forward_and_back_without_a_terminal(run: Runner) -> None:  # noqa: F811
    match = Match.begin(game_of("classics/nim", 2), ["random", "random"], 4, name="classics/nim")
    while not match.over:
        match.play_bot()
    run.write("a.jsonl", written(match.header, tuple(match.entries)))
    answer = run("replay", "a.jsonl", stdin="n\nb\nlast\nfirst\nq\n")
    assert answer.code == 0
    first, second = match.decided[0], match.decided[-1]
    parts = re.split(r"(?=^player 1(?! wins))", answer.out, flags=re.MULTILINE)[1:]
    assert len(parts) == 5
    assert parts[0] == parts[2] == parts[4] and str(first.move) not in parts[0]
    assert f"   1  player {first.player}  {first.move}" in parts[1]
    assert f"{second.number:>4}  player {second.player}  {second.move}" in parts[3] and "wins: " in parts[3]
    answer = run("replay", "a.jsonl", stdin="next\n2\nq\n")
    assert "`next` leads nowhere: Enter goes on, `b` back, a number to that decision" in answer.out
    assert f"   2  player {match.decided[1].player}  {match.decided[1].move}" in answer.out
    assert run("replay", "none.jsonl").code == 1


def test_transcript__is_for_people() -> None:
    lines = write_transcript(read_record(record_of("base"))).splitlines()
    assert lines[:8] == [
        "rulespec transcript 1",
        "title: Azul",
        "game: base",
        lines[3],
        "players: 2",
        "seat: Anna human",
        'seat: "Bob B." random',
        "option: wall_side coloured",
    ]
    moves = [line for line in lines if "  player 1  take " in line]
    assert moves[0].split("  ")[-1].strip().startswith("Anna: take all ")
    assert any(line.startswith("      #  +1 Anna: the tile of line ") for line in lines)


def test_transcript__that_is_none(run: Runner) -> None:  # noqa: F811
    text = write_transcript(read_record(record_of("base")))
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if "  player 1  take " in line)
    cases = [
        (text.replace("\nplayers: 2\n", "\nplayers: two\n"), "the first lines of the transcript are damaged"),
        (text.replace("title: Azul", ""), "exactly one line `title: …`"),
        (text.replace(lines[at], "   x  player 1"), f"line {at + 1} of the transcript: expected a decision"),
        (text.replace("|rulespec: 1", "|rulespec: 2"), "the rules were changed after they were written"),
        (text.replace(lines[at], lines[at].replace("take", "tkae", 1), 1), "no move called `tkae`"),
        (text.replace("\nwinners", "\nvinners").replace("  winners:", "  winners: x"), "expected whole numbers"),
    ]
    for number, (bad, message) in enumerate(cases):
        run.write(f"{number}.txt", bad)
        answer = run("record", f"{number}.txt")
        assert answer.code == 1
        assert message in answer.err
    assert run("transcript", "0.txt", "--for", "me").code == 1
    run.write("good.txt", text)
    assert run("transcript", "good.txt", "--for", "me").code == 2
    assert run("record", "good.txt", "--for", "onlooker").code == 0


@pytest.mark.sized
def test_transcript__of_any_damaged_text_is_refused_or_read(run: Runner) -> None:  # noqa: F811
    text = write_transcript(read_record(record_of("classics/pig")))
    rng = random.Random(5)
    for _ in range(size(60, 5000)):
        at = rng.randrange(len(text))
        bad = text[:at] + rng.choice(["", "\n", "x", '"', "9", "\x00", "  "]) + text[at + rng.randrange(4) :]
        try:
            read_transcript(bad.encode())
        except RecordError:
            continue


def test_verify__keys_are_those_listed(run: Runner) -> None:  # noqa: F811
    record = read_record(record_of("base"))
    run.write("good.jsonl", record_of("base").decode())
    run.write("bad.jsonl", written(record.header, tuple(altered(record, "scores"))))
    found = {key for file in ("good", "bad") for key in paths(json.loads(run("verify", f"{file}.jsonl", "--json").out))}
    listed = {cells[0] for _, cells in rows(ROOT / "docs" / "json.md", "keys: verify")}
    assert sorted(found) == sorted(listed)
    codes = {cells[0] for _, cells in rows(ROOT / "docs" / "record.md", "codes")}
    source = "".join(
        (ROOT / "referee" / f"{name}.py").read_text() for name in ("record/lines", "record/replay", "cli/verify")
    )
    raised = re.findall(r'(?:_Bad|_Broken)\(\s*"([a-z-]+)"|"code": "([a-z-]+)"', source)
    assert codes == {code for pair in raised for code in pair if code}
