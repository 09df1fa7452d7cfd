"""Work that may take long or fail: done in other processes, with a limit of time, from plain data to plain data.

Rules and records are from strangers: no path that they name is looked at.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from interpreter import Fault, Game, IllegalMove, TracedGame, UnreadableMove, run_examples, seeds
from referee.bots import find_bot
from referee.engine.answers import objection_data
from referee.engine.stream import Refusal
from referee.lsp.analysis import (
    Analysis,
    analyse,
    extends_span,
    find_name,
    key_at,
    outline,
    word_at,
)
from referee.lsp.completion import suggestions
from referee.lsp.paths import absolute
from referee.lsp.sections import sections
from referee.lsp.symbols import file_names
from referee.record.carried import game_of
from referee.record.lines import Header, Record, RecordError, Seat, SeatsChange, read_record, written
from referee.record.match import HUMAN, CannotBegin, Match, seats_text
from referee.record.redact import redact
from referee.record.replay import begun, replay, replay_budget, too_much_work
from referee.record.transcript import is_transcript, read_transcript
from referee.web import texts
from referee.web.sitting import check_seats
from rulespec import (
    GAMES_FOLDER,
    Diagnostic,
    Files,
    GameNotFound,
    NoDisk,
    OptionError,
    PlayersError,
    RuleFileError,
    Rules,
    bundle_rules,
    format_text,
    has_errors,
    open_rules,
    shipped_games,
    visible,
)

Data = dict[str, Any]  # what JSON can hold

MOST_ITEMS = 500  # completions
DIFF_GAMES = 10  # that both rules are played with, to find where they differ
FOLDERS = {"": "game", "classics": "classic"}  # what the games of a folder are called
RULES = "rules.yaml"  # the name of a text that has none


class WorkError(Exception):
    """A job that cannot be done: the error to answer with."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        self.error = {"code": code, "message": message, **more}
        super().__init__(message)


def do(job: str, spec: Data) -> Data:
    """Return what a job gives, or `error`. Where files of the program lie on this machine is nobody's business."""
    found: Data = _without_folder(_answered(JOBS[job], spec))
    return found


def _answered(job: Callable[[Data], Data], spec: Data) -> Data:
    try:
        return job(spec)
    except WorkError as bad:
        return {"error": bad.error}
    except RuleFileError as error:
        found = [diagnostic_data(d) for d in error.diagnostics]
        return {"error": {"code": "bad-rules", "message": error.diagnostics[0].first_line(), "diagnostics": found}}
    except GameNotFound as error:
        return {"error": {"code": "unknown-game", "message": str(error)[:500]}}
    except (PlayersError, OptionError, CannotBegin) as error:
        return {"error": {"code": "bad-choice", "message": str(error)[:500]}}
    except RecordError as error:
        return {"error": {"code": "bad-record", "message": str(error)[:500]}}
    except Fault as error:
        where = {"file": error.span.file, "line": error.span.line}
        return {"error": {"code": "fault", "message": error.message, **where}}


def _without_folder(value: Any) -> Any:
    """Return data with shipped files by their names alone."""
    folder = f"{GAMES_FOLDER}/"
    if isinstance(value, str):
        return value.replace(folder, "")
    if isinstance(value, list):
        return [_without_folder(item) for item in value]
    if isinstance(value, dict):
        return {key: item if key == "record" else _without_folder(item) for key, item in value.items()}
    return value


# Tables ------------------------------------------------------------------------------------------------------


def begin(spec: Data) -> Data:
    """Return the record of a new game, or of one that was handed over, for a table."""
    if spec.get("record") is not None:
        return {"record": _handed_over(spec)}
    asked = {key: spec.get(key) for key in ("game", "rules", "house", "files", "players", "options")}
    game = _game(json.dumps(asked, sort_keys=True))
    model, first = game.model, spec.get("first")
    if first is not None and not 1 <= first <= game.players:
        raise WorkError("bad-choice", texts.NO_PLAYER.format(found=first, players=game.players))
    typed = spec.get("chance") == "typed"
    if typed and (hands := [place.name for place in model.places.values() if place.seen_by == "owner"]):
        raise WorkError("bad-choice", texts.HANDS.format(place=hands[0]))
    seed = None if typed else seeds.new_seed()
    seats = _seats(spec.get("seats") or [], game.players)
    match = Match.begin(game, seats, seed, first, spec.get("called") or game.title)
    return {"record": written(match.header, tuple(match.entries))}


@lru_cache(maxsize=8)
def _game(asked: str) -> Game:
    """Return the game that was asked for; many tables play the same."""
    spec = json.loads(asked)
    rules = _open(spec)
    model, _ = rules.check(spec["players"], dict(spec["options"] or {}))
    return Game(rules, model)


def _handed_over(spec: Data) -> str:
    record = _read(spec["record"])
    if record.header.seen_by is not None:
        raise WorkError("bad-record", texts.REDACTED)
    for seats in (record.header.seats, *(entry.seats for entry in record.entries if isinstance(entry, SeatsChange))):
        try:
            check_seats(seats)
        except Refusal as refusal:
            raise WorkError("bad-record", refusal.message) from None
    damage = replay(record, TracedGame).damage  # as the table will replay it
    if damage is not None:
        raise WorkError("bad-record", damage.message, line=damage.line, decision=damage.decision)
    return written(record.header, record.entries)


def redacted(spec: Data) -> Data:
    """Return a record as a seat, or for None an onlooker, may have it."""
    return {"record": written(*redact(_read(spec["record"]), spec["look"]))}


def _read(text: str) -> Record:
    data = text.encode("utf-8", "surrogatepass")
    return read_transcript(data) if is_transcript(data) else read_record(data)


def _seats(given: list[Data], players: int) -> list[Seat]:
    if len(given) > players:
        raise WorkError("bad-choice", seats_text(len(given), players))
    taken = {seat["name"].lower() for seat in given if seat.get("name")}
    found = []
    for number in range(1, players + 1):
        seat = given[number - 1] if number <= len(given) else {}
        name = seat.get("name") or f"player {number}"
        while not seat.get("name") and name in taken:
            name += "*"
        found.append(Seat(name, seat.get("who") or HUMAN))
    return found


def _open(spec: Data) -> Rules:
    """Return the rules that were named or handed over, with house rules upon them."""
    opened, files = _sources(spec)
    return open_rules(opened[0], house=opened[1:], files=files)


def _sources(spec: Data) -> tuple[list[str], Files]:
    """Return what to open, by name or path, and where it is found."""
    given: dict[Path, str] = {Path(name): text for name, text in (spec.get("files") or {}).items()}
    opened: list[str] = []
    sources = [spec["rules"] if spec.get("rules") is not None else spec["game"], *(spec.get("house") or [])]
    for number, source in enumerate(sources):
        if isinstance(source, str) and "\n" in source:
            source = {"text": source}
        if isinstance(source, dict):
            path = Path(source.get("name") or (f"house{number}.yaml" if number else RULES))
            given[path] = source["text"]
            source = str(path)
        opened.append(source)
    return opened, NoDisk().having(given)


def change_rules(spec: Data) -> Data:
    """Return a game replayed under other rules: its record there, and where and why it stops."""
    return _under_other_rules(spec)[1]


def replay_under(spec: Data) -> Data:
    """Return the same with a picture of its last position: whoever has the whole record sees everything."""
    from referee.picture.scene import Painter

    match, found = _under_other_rules(spec)
    return {**found, "scene": Painter(match.game).scene(match.state, match.state.to_move or 1)}


def _under_other_rules(spec: Data) -> tuple[Match, Data]:
    old = _read(spec["record"])
    rules = _open({**spec, "record": None})
    known = {option.name: option for option in rules.options}
    chosen = spec.get("options")
    if chosen is None:
        chosen = {k: v for k, v in old.header.options.items() if k in known and v in known[k].open_choices}
    model, _ = rules.check(spec.get("players") or old.header.players, dict(chosen))
    if len(old.header.seats) != model.players:
        raise WorkError("bad-choice", seats_text(len(old.header.seats), model.players))
    called = spec.get("called") or model.title
    header = replace(
        old.header,
        game=called,
        title=model.title,
        rules=bundle_rules(rules),
        options=dict(model.choices),
        players=model.players,
        seats=old.seats,
        given={k: v for k, v in old.header.given.items() if k in model.variables},
    )
    match, budget = begun(Record(header, (), "", 0)), replay_budget(old)
    decisions = old.decisions()
    stopped: Data | None = None
    for d in decisions:
        spent = too_much_work(match, budget)
        if spent:
            stopped = {"message": spent, "objections": []}
        elif match.state.to_move != d.player:
            stopped = {"message": texts.OTHER_TURN, "objections": []}
        else:
            stopped = _refusal(match, d.move)
        if stopped is not None:
            stopped = {"number": d.number, "player": d.player, "move": d.move, **stopped}
            break
    record = written(header, tuple(match.entries))
    return match, {
        "good": stopped is None,
        "made": len(match.decided),
        "decisions": len(decisions),
        "stopped": stopped,
        "record": record,
    }


def _refusal(match: Match, move: str) -> Data | None:
    """Make a decision; return why it is impossible, if it is."""
    try:
        match.play(move)
    except UnreadableMove as error:
        return {"message": str(error), "objections": []}
    except IllegalMove as error:
        return {"message": str(error), "objections": [objection_data(o) for o in error.objections]}
    except Fault as error:
        return {"message": error.message, "objections": []}
    return None


def think(spec: Data) -> Data:
    """Return the move of a bot at a position of which it sees what its seat sees."""
    header = Header("", "", spec["rules"], spec["players"], spec["options"], {}, None, ())
    game = game_of(header)
    state = game.from_data(spec["state"])
    bot = find_bot(spec["who"])
    assert bot is not None  # seats were checked
    move = bot(game, state, random.Random(spec["luck"]))
    return {"move": str(move), "text": game.sight.words(state, move, state.to_move)[1]}


def rulebook(spec: Data) -> Data:
    """Return the rulebook of a game, as HTML and as Markdown, and its passages that differ from what it changes."""
    from referee.rulebook.book import only_marked
    from referee.rulebook.html import write_html
    from referee.rulebook.make import make_book
    from referee.rulebook.markdown import write_markdown, write_section

    opened, files = _sources(spec)
    book = make_book(opened[0], spec.get("players"), spec.get("options"), tuple(opened[1:]), files=files)
    changed = only_marked(book.sections) if book.marked else ()
    passages = [{"heading": s.title, "text": write_section(s), "changed": s.mark or "changed"} for s in changed]
    return {"passages": passages, "markdown": write_markdown(book), "html": write_html(book)}


def games(spec: Data) -> Data:
    """Return all games that come with the program; `rulespec validate` says what is wrong with one that is not there."""
    found = []
    for name, path in shipped_games().items():
        try:
            rules = open_rules(path, files=NoDisk())
            folder = name.rpartition("/")[0]
            entry: Data = {
                "name": name,
                "title": rules.title,
                "about": rules.text,
                "players": list(rules.players),
                "kind": FOLDERS.get(folder, folder),
                "options": options_data(rules),
            }
        except RuleFileError:
            continue
        below = [n for n, p in shipped_games().items() if p.resolve() == rules.files[0].path.resolve() and n != name]
        found.append({**entry, "extends": below[0]} if below else entry)
    return {"games": found}


# The workshop ------------------------------------------------------------------------------------------------


def check(spec: Data) -> Data:
    """Return all that is wrong with a text, and what it is."""
    path, files = _document(spec)
    found = analyse(path, files)
    good = not has_errors(found.diagnostics)
    rules = open_rules(path, files=files) if good else None
    return {
        "good": good,
        "title": rules.title if rules else None,
        "players": list(rules.players) if rules else [],
        "options": options_data(rules) if rules else [],
        "diagnostics": [diagnostic_data(d, found) for d in found.diagnostics],
        "outline": [
            {
                "text": visible(section.text),
                "line": section.whole.line,
                "end_line": section.whole.end_line,
                "inner": [
                    {"text": visible(entry.text), "line": entry.whole.line, "end_line": entry.whole.end_line}
                    for entry in section.inner
                ],
            }
            for section in sections(found)
        ],
    }


def options_data(rules: Rules) -> list[Data]:
    """Return the options of rules with their choices."""
    return [
        {
            "name": option.name,
            "default": option.default,
            "choices": [{"name": c.name, "text": c.text} for c in option.choices if c.name in option.open_choices],
        }
        for option in rules.options
    ]


def diagnostic_data(d: Diagnostic, found: Analysis | None = None) -> Data:
    """Return a diagnostic as data; one about another file is shown at `extends`."""
    shown = d.span
    if found is not None and absolute(d.span.file) != absolute(found.path):
        shown = extends_span(found)
    return {
        **d.as_data(),
        "message": visible(d.message),
        "shown": {"line": shown.line, "column": shown.col, "end_line": shown.end_line, "end_column": shown.end_col},
    }


def complete(spec: Data) -> Data:
    """Return what can be written at a position."""
    found, line, column = _place(spec)
    items = suggestions(found, line, column)[:MOST_ITEMS]
    before = (found.lines[line - 1] if line <= len(found.lines) else "")[: column - 1]
    start = len(before.rstrip("abcdefghijklmnopqrstuvwxyz0123456789_")) + 1
    return {
        "items": [
            {
                "label": i.label,
                "kind": i.kind,
                "detail": visible(i.detail),
                "text": i.text,
                "insert": i.insert or i.label,
            }
            for i in items
        ],
        "from": start,
    }


def hover(spec: Data) -> Data:
    """Return what the word at a position means."""
    found, line, column = _place(spec)
    text = key_at(found, line, column)
    if not text:
        name = find_name(found, line, column)
        text = name.as_markdown() if name else ""
    word = word_at(found.lines[line - 1] if line <= len(found.lines) else "", column)
    start, end = (word[1], word[2]) if word else (column, column)
    return {"text": text or None, "line": line, "column": start, "end_column": end}


def reformat(spec: Data) -> Data:
    """Return the text as `rulespec fmt` formats it; nothing if it is broken."""
    try:
        return {"text": format_text(spec["text"])}
    except RuleFileError:
        return {"text": None}


def examples(spec: Data) -> Data:
    """Return the worked examples and how they went."""
    path, files = _document(spec)
    return {
        "examples": [
            {
                "name": result.name,
                "good": result.passed,
                "changed": result.passed and bool(result.problems),
                "inherited": result.inherited,
                "file": result.span.file,
                "line": result.span.line,
                "problems": [p.message for p in result.problems],
            }
            for result in run_examples(open_rules(path, files=files))
        ]
    }


def compare(spec: Data) -> Data:
    """Return what differs from other rules, in words."""
    from referee.diff.report import report_difference

    path, files = _document(spec)
    against = spec.get("against")
    if isinstance(against, dict):
        other = Path(f"other-{against.get('name') or RULES}")
        files = files.having({other: against["text"]})
        against = str(other)
    if against is None:
        layers = open_rules(path, files=files).files
        if len(layers) < 2:
            raise WorkError("bad-choice", texts.NOTHING_TO_COMPARE)
        against = str(layers[-2].path)
    report = report_difference(against, str(path), games=DIFF_GAMES, files=files)
    return {"same": report.same, "text": "\n".join(map(visible, report.lines()))}


def balance(spec: Data) -> Data:
    """Return what a few seconds of games say of the balance of a text, and what differs from the rules that it changes."""
    from referee.web.balance import quick_measure

    path, files = _document(spec)
    rules = open_rules(path, files=files)
    players = spec.get("players") or rules.players[0]
    choices = dict(spec.get("options") or {})
    below = rules.files[-2].path if len(rules.files) > 1 else None
    other = None if below is None else (below.stem, open_rules(str(below), files=files))
    return quick_measure(path.stem, rules, players, choices, other)


def _document(spec: Data) -> tuple[Path, Files]:
    """Return the document that is edited, and where it and others are found."""
    path = Path(spec.get("name") or RULES)
    return path, NoDisk().having({**{Path(n): t for n, t in (spec.get("files") or {}).items()}, path: spec["text"]})


def _place(spec: Data) -> tuple[Analysis, int, int]:
    """Return what is known of a document, by its last good text if it has one, and the line and column asked about."""
    path, _ = _document(spec)
    others = tuple(sorted((spec.get("files") or {}).items()))
    known = _names(str(path), spec.get("known") or spec["text"], others)
    return replace(known, path=path, text=spec["text"]), spec["line"], spec["column"]


@lru_cache(maxsize=8)
def _names(name: str, text: str, others: tuple[tuple[str, str], ...]) -> Analysis:
    """Return an analysis of a text without looking for mistakes."""
    path = Path(name)
    files = NoDisk().having({**{Path(n): t for n, t in others}, path: text})
    found = outline(path, text)
    try:
        rules = open_rules(path, files=files)
        found.tree = rules.files[-1].tree
        found.below = tuple(layer.tree for layer in rules.files[:-1])
        found.names = file_names(rules, {})
    except RuleFileError:
        pass  # then only the keys are known
    return found


JOBS: dict[str, Callable[[Data], Data]] = {
    "games": games,
    "begin": begin,
    "change_rules": change_rules,
    "think": think,
    "check": check,
    "complete": complete,
    "hover": hover,
    "format": reformat,
    "examples": examples,
    "diff": compare,
    "balance": balance,
    "rulebook": rulebook,
    "redacted": redacted,
    "replay": replay_under,
}
