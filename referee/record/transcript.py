"""A record as text for people, and back: the same record, to the last character.

What a program needs is on lines of a fixed form. Everything after `#`, and what follows a move after two spaces, is only
for people and is not read back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from interpreter import CHANCE, seeds
from referee.record import texts as texts_record
from referee.record.lines import (
    Header,
    Record,
    RecordedDecision,
    RecordEntry,
    RecordError,
    Result,
    Seat,
    SeatsChange,
    Undo,
    hash_of_rules,
    read_record,
    written,
)
from referee.record.match import Decided
from referee.record.replay import begun, broken, follow, replay_budget
from rulespec import document, is_clean, json_text, signed, visible

FIRST_LINE = "rulespec transcript 1"
CHANCE_LINE = 6  # outcomes of chance on one line
MOVE_COLUMNS = 28
ASSUMED = " (assumed)"
_DECIDED = re.compile(r" *([0-9]+)  (chance|player [0-9]+) +(\S+(?: \S+)*)(?:  .*)?")


# Writing -------------------------------------------------------------------------------------------------


def write_transcript(record: Record, rules: bool = True) -> str:
    """Return a record as text; only with its rules can it be read back. Raises RecordError if the record breaks."""
    if record.damage is not None:
        raise broken(record.damage)
    lines = [*_header_lines(record.header), "", *_entry_lines(record)]
    lines += ["", *_rule_lines(record.header)] if rules else ["", texts_record.RULES_LEFT_OUT]
    return "\n".join(lines) + "\n"


def _header_lines(header: Header) -> Iterator[str]:
    yield FIRST_LINE
    yield f"title: {_quoted(header.title)}"
    yield f"game: {_quoted(header.game)}"
    yield f"begun: {_quoted(header.begun)}"
    yield f"players: {header.players}"
    for seat in _seat_words(header.seats):
        yield f"seat: {seat}"
    for option, choice in header.options.items():
        yield f"option: {_quoted(option)} {_quoted(choice)}"
    for name, value in header.given.items():
        yield (
            f"given: {_quoted(name)} {value}"
            if isinstance(value, int)
            else f"given: {_quoted(name)} is {_quoted(value)}"
        )
    if header.position:
        yield f"begins: {json_text(header.position)}"
    if header.seed is not None:
        yield f"seed: {header.seed}"
    if header.seen_by is not None:
        yield f"eyes: {json_text(header.seen_by)}"


def _entry_lines(record: Record) -> Iterator[str]:
    """Yield a line for each decision, with its text and points if they are known; outcomes of chance share lines."""
    decided_lines = _decided(record)
    names = [seat.name for seat in record.header.seats]
    waiting: list[RecordedDecision] = []
    for entry in record.entries:
        decided = next(decided_lines)
        if isinstance(entry, RecordedDecision) and entry.player == CHANCE and entry.scores is None:
            waiting.append(entry)
            if len(waiting) < CHANCE_LINE:
                continue
        if waiting:
            moves = ", ".join(map(_move, waiting))
            yield f"{waiting[0].number:>4}  chance    {moves}"
            waiting, done = [], waiting[-1] is entry
            if done:
                continue
        match entry:
            case RecordedDecision():
                who = texts_record.who(entry.player)
                name = names[entry.player - 1] if entry.player else ""
                text = _remark(f"{name}: {decided.text}") if decided is not None and entry.player else ""
                yield f"{entry.number:>4}  {who:<8}  {_move(entry):<{MOVE_COLUMNS}}  {text}".rstrip()
                for told in decided.told if decided is not None else ():
                    yield f"      # {_remark(told.text(['', *names].__getitem__))}"
                for line in decided.points if decided is not None else ():
                    reason = _remark(f"{names[line.player - 1]}: {line.text} ({line.rule})")
                    yield f"      # {signed(line.points):>3} {reason}"
                if entry.scores is not None:
                    yield f"      scores: {_joined(entry.scores)}"
            case Undo():
                yield (
                    f"      undo: {entry.kept}"
                    + (" agreed" if entry.agreed else "")
                    + (" mended" if entry.amended else "")
                )
            case SeatsChange():
                names = [seat.name for seat in entry.seats]
                yield "      seats:"
                for seat in _seat_words(entry.seats):
                    yield f"        seat: {seat}"
            case Result():
                yield "result:"
                yield f"  winners: {_joined(entry.winners)}"
                yield f"  final: {_joined(entry.scores)}"
                yield f"  reason: {_quoted(entry.reason)}"
                yield f"  position: {_quoted(entry.position)}"
    if waiting:
        yield f"{waiting[0].number:>4}  chance    {', '.join(map(_move, waiting))}"


def _move(decision: RecordedDecision) -> str:
    return decision.move + ASSUMED * decision.assumed


def _decided(record: Record) -> Iterator[Decided | None]:
    """Yield for each line of the record what was decided; None where that is not known."""
    match, known, budget = begun(record), True, replay_budget(record)
    for line, entry in enumerate(record.entries, 2):
        if isinstance(entry, RecordedDecision) and entry.hidden:
            known = False
        damage = follow(match, entry, line, budget) if known else None
        if damage is not None:
            raise broken(damage)
        yield match.decided[-1] if known and isinstance(entry, RecordedDecision) else None


def _rule_lines(header: Header) -> Iterator[str]:
    """Yield all rules, every line after a bar; a line with invisible characters is written as JSON."""
    yield f"rules_hash: {header.rules_hash}"
    for name in header.rules["opened"]:
        yield f"opened: {_quoted(name)}"
    for name, file in header.rules["files"].items():
        yield f"file: {_quoted(name)}"
        for said, to in file["extends"].items():
            yield f"extends: {_quoted(said)} {_quoted(to)}"
        for line in file["text"].split("\n"):
            yield f"|{line}" if document(line) == line else json_text(line)


def _seat_words(seats: tuple[Seat, ...]) -> list[str]:
    return [f"{_quoted(seat.name)} {_quoted(seat.who)}" for seat in seats]


def _remark(text: str) -> str:
    """Return a text for people, on one line."""
    return visible(" ".join(text.split()))


def _joined(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers)) or "-"


def _quoted(text: str) -> str:
    """Return a word unchanged, and anything else as JSON."""
    return text if re.fullmatch(r"[\w.+:/-]+", text) and is_clean(text) else json_text(text)


# Reading -------------------------------------------------------------------------------------------------


class _TranscriptReader:
    """Reads the lines of a transcript."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.at = 0
        self.header: dict[str, list[list[str]]] = {}
        self.entries: list[RecordEntry] = []
        self.files: dict[str, Any] = {}
        self.opened: list[str] = []

    def wrong(self, expected: str) -> RecordError:
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        return RecordError(texts_record.TRANSCRIPT_LINE.format(line=self.at + 1, expected=expected, found=line.strip()))

    def run(self) -> tuple[Header, tuple[RecordEntry, ...]]:
        if self.lines[0].strip() != FIRST_LINE:
            raise self.wrong(f"`{FIRST_LINE}`")
        for at, line in enumerate(self.lines[1:], 1):
            self.at = at
            if line.startswith("|"):
                self._rule_line(line[1:])
            elif line.startswith('"'):
                self._rule_line(self._one(self._words(line)))
            elif line.strip() and not line.lstrip().startswith("#"):
                self._line(line)
        return self._finished()

    def _line(self, line: str) -> None:
        decided = _DECIDED.fullmatch(line)
        if decided is not None:
            self._decided(int(decided[1]), decided[2], decided[3])
            return
        key, colon, rest = line.strip().partition(":")
        words = self._words(rest)
        match key if colon else "":
            case "scores":
                last = self.entries[-1] if self.entries else None
                if not isinstance(last, RecordedDecision):
                    raise self.wrong(texts_record.EXPECTED_DECISION)
                self.entries[-1] = replace(last, scores=self._numbers(words))
            case "undo":
                if not words or words[1:] not in ([], ["agreed"], ["agreed", "mended"]):
                    raise self.wrong("`undo: NUMBER`, `undo: NUMBER agreed` or `undo: NUMBER agreed mended`")
                self.entries.append(Undo(self._numbers(words[:1])[0], "agreed" in words, "mended" in words))
            case "seats":
                self.entries.append(SeatsChange(()))
            case "seat" if self.entries and isinstance(last := self.entries[-1], SeatsChange):
                self.entries[-1] = SeatsChange((*last.seats, Seat(*self._two(words))))
            case "result":
                self.entries.append(Result((), (), "", ""))
            case "winners" | "final" | "reason" | "position":
                self._result(key, words)
            case "file":
                self.files[self._one(words)] = {"text": None, "extends": {}}
            case "extends" if self.files:
                said, to = self._two(words)
                self.files[list(self.files)[-1]]["extends"][said] = to
            case "opened":
                self.opened.append(self._one(words))
            case (
                "title"
                | "game"
                | "begun"
                | "players"
                | "seat"
                | "option"
                | "given"
                | "begins"
                | "seed"
                | "eyes"
                | "rules_hash"
            ):
                self.header.setdefault(key, []).append(words)
            case _:
                raise self.wrong(texts_record.EXPECTED_LINE)

    def _decided(self, number: int, who: str, moves: str) -> None:
        if who == "chance":
            for i, move in enumerate(moves.split(", ")):
                assumed = move.endswith(ASSUMED)
                self.entries.append(RecordedDecision(number + i, CHANCE, move.removesuffix(ASSUMED), assumed=assumed))
        else:
            self.entries.append(RecordedDecision(number, int(who.split()[1]), moves))

    def _result(self, key: str, words: list[str]) -> None:
        last = self.entries[-1] if self.entries else None
        if not isinstance(last, Result):
            raise self.wrong("`result:`")
        values: dict[str, Any] = {
            "winners": last.winners,
            "scores": last.scores,
            "reason": last.reason,
            "position": last.position,
        }
        if key in ("winners", "final"):
            values["winners" if key == "winners" else "scores"] = self._numbers(words)
        else:
            values[key] = self._one(words)
        self.entries[-1] = Result(**values)

    def _rule_line(self, line: str) -> None:
        if not self.files:
            raise self.wrong("`file: NAME`")
        file = self.files[list(self.files)[-1]]
        file["text"] = line if file["text"] is None else f"{file['text']}\n{line}"

    def _finished(self) -> tuple[Header, tuple[RecordEntry, ...]]:
        rules = {"opened": self.opened, "files": self.files}
        if any(file["text"] is None for file in self.files.values()):
            raise RecordError(texts_record.TRANSCRIPT_RULES)
        if not self.files and "rules_hash" not in self.header:
            raise RecordError(texts_record.TRANSCRIPT_NO_RULES)
        said = self._single("rules_hash")
        if hash_of_rules(rules) != said:
            raise RecordError(texts_record.RULES_HASH)
        seed, eyes, begins = self.header.get("seed"), self.header.get("eyes"), self.header.get("begins")
        try:
            header = Header(
                self._single("game"),
                self._single("title"),
                rules,
                int(self._single("players")),
                dict(self._two(words) for words in self.header.get("option", [])),
                {words[0]: words[2] if len(words) == 3 else int(words[1]) for words in self.header.get("given", [])},
                seeds.seed_from_data(seed[0][0]) if seed else None,
                tuple(Seat(*words) for words in self.header.get("seat", [])),
                self._single("begun"),
                _plain(eyes[0][0]) if eyes else None,
                begins[0][0] if begins else "",
            )
        except RecordError:
            raise
        except (ValueError, TypeError, IndexError):
            raise RecordError(texts_record.TRANSCRIPT_HEADER) from None
        return header, tuple(self.entries)

    def _single(self, key: str) -> str:
        found = self.header.get(key, [])
        if len(found) != 1 or len(found[0]) != 1:
            raise RecordError(texts_record.TRANSCRIPT_KEY.format(key=key))
        return found[0][0]

    def _words(self, text: str) -> list[str]:
        """Return words and quoted texts. Numbers stay as they are written."""
        found = []
        for m in re.finditer(r'"(?:[^"\\]|\\.)*"|\S+', text):
            try:
                found.append(str(json.loads(m[0])) if m[0].startswith('"') else m[0])
            except ValueError:
                raise self.wrong(texts_record.EXPECTED_LINE) from None
        return found

    def _numbers(self, words: list[str]) -> tuple[int, ...]:
        if words == ["-"]:
            return ()
        if not words or any(not re.fullmatch(r"-?[0-9]{1,9}", word) for word in words):
            raise self.wrong(texts_record.EXPECTED_NUMBERS)
        return tuple(map(int, words))

    def _one(self, words: list[str]) -> str:
        if len(words) != 1:
            raise self.wrong(texts_record.EXPECTED_WORD)
        return words[0]

    def _two(self, words: list[str]) -> tuple[str, str]:
        if len(words) != 2:
            raise self.wrong(texts_record.EXPECTED_WORDS)
        return words[0], words[1]


def _plain(word: str) -> int | str:
    return int(word) if re.fullmatch(r"-?[0-9]+", word) else word


def is_transcript(data: bytes) -> bool:
    """Return whether a file is a transcript."""
    return data.startswith(FIRST_LINE.encode())


def read_transcript(data: bytes) -> Record:
    """Return the record that a transcript was made from. Raises RecordError if it is no transcript."""
    try:
        header, entries = _TranscriptReader(data.decode("utf-8")).run()
    except UnicodeDecodeError:
        raise RecordError(texts_record.TRANSCRIPT_TEXT) from None
    return read_record(written(header, entries).encode())
