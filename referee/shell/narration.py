"""The course of a game, as lines for people: decisions, points, scores, refusals, the result. It never prints."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

from interpreter import Game, LedgerLine, Objection, Outcome, State, is_seen
from referee.record.match import Decided, Match
from referee.shell import texts
from referee.shell.blocks import columns_of, justified
from referee.shell.board import value_label
from rulespec import Span, listed, number_of, shown_file, signed, syntax

LEAST_NAME = 9  # columns for whoever decided
WIDE = 90  # columns from which on long moves have a column of their own


def heading(match: Match, who: str) -> str:
    """Return the title of the game, who plays, and the options."""
    options = (texts.OPTION.format(option=option, choice=choice) for option, choice in match.game.options.items())
    return texts.SEPARATOR.join([match.game.title, who, *options])


# Decisions -----------------------------------------------------------------------------------------------


def decision_line(
    match: Match, decided: Decided, words: tuple[str, str], columns: int = WIDE, last: Decided | None = None
) -> str:
    """Return a decision with its number, who made it, and `words`: its notation, and the author's text. `last`: of several alike."""
    notation, text = words
    wide = 24 if columns >= WIDE else 15
    numbers = str(decided.number)
    if last is not None and last is not decided:
        numbers = texts.NUMBERS.format(first=decided.number, last=last.number)
    widest = max([LEAST_NAME, *(columns_of(seat.name) for seat in match.seats)])
    line = f"{numbers:>4}  {justified(match.name_of(decided.player), widest)} {justified(notation, wide)}"
    return (line if text == notation else f"{line}  {text}").rstrip()


def point_lines(match: Match, decided: Decided, totals: dict[int, int] | None = None) -> Iterator[str]:
    """Yield the points that a decision scored; with the scores before it, also each new score."""
    scores = None if totals is None else dict(totals)
    for line in decided.points:
        text = f"      {reason_text(line, match.name_of(line.player))}"
        if scores is not None:
            scores[line.player] += line.gained
            text += texts.NOW.format(score=scores[line.player])
        yield text


def told_lines(match: Match, decided: Decided, viewer: int | None = None) -> Iterator[str]:
    """Yield what the rules told everybody by a decision, and what they showed to a viewer."""
    for line in decided.told:
        yield f"      {line.text(match.name_of, viewer)}"


def changed_variables(
    game: Game, before: State, after: State, viewer: int | None
) -> Iterator[tuple[syntax.Variable, tuple[int, ...], int]]:
    """Yield the variables that changed and that a viewer sees, with their new values; scores have their reasons elsewhere.

    One that is none from now on has nothing to say.
    """
    for variable in game.model.variables.values():
        if variable.name in game.model.view.hide or variable.name == "score":
            continue
        for index in product(*variable.index_values):
            new = game.variable(after, variable.name, *index)
            if (
                new != syntax.NONE
                and is_seen(variable, index, viewer)
                and new != game.variable(before, variable.name, *index)
            ):
                yield variable, index, new


def variable_text(match: Match, variable: syntax.Variable, index: tuple[int, ...], value: int) -> str:
    """Return a variable and its value: by its title in the view, whose it is, and players by their names."""
    game = match.game
    layout = game.model.view.layout.get(variable.name)
    title = (layout.title if layout is not None else "") or variable.name.replace("_", " ")
    pairs = list(zip(variable.index, index, strict=True))
    owner = [match.name_of(code) for name, code in pairs if name == "player"]
    name = " ".join([title, *(member_label(game, name, code) for name, code in pairs if name != "player")])
    by_name = is_player(variable) and 1 <= value <= game.players
    shown = match.name_of(value) if by_name else value_label(game, value, variable.type)
    return texts.CHANGED.format(name=texts.OWNED.format(name=name, player=owner[0]) if owner else name, value=shown)


def is_player(variable: syntax.Variable) -> bool:
    """Return whether the values of a variable are players."""
    return isinstance(variable.type, syntax.Values) and variable.type.home == "player"


def member_label(game: Game, name: str, code: int) -> str:
    """Return a member of an index set as the author labels it, else `row 2`, or its own name."""
    plain = game.model.value_name(code)
    if name in game.model.sets:  # a range has no name
        label = game.notation.label(code, game.model.sets[name].type)
        if label != plain:
            return label
    readable = plain.replace("_", " ")
    return f"{name.replace('_', ' ')} {readable}".strip() if plain.isdecimal() else readable


def reason_text(line: LedgerLine, who: str = "") -> str:
    """Return `+2 the row (rows, games/mine.yaml:12)`: one reason for points."""
    player = f"  {who}:" if who else " "
    where = _where(line.rule, line.span, line.changes)
    return f"{signed(line.points):>4}{player} {line.text}{where}{limit_text(line)}"


def limit_text(line: LedgerLine) -> str:
    """Return how many points count where the score has reached its limit; usually an empty text."""
    return texts.LIMITED.format(gained=signed(line.gained)) if line.points != line.gained else ""


def outcomes_text(outcomes: Iterable[str]) -> str:
    """Return outcomes of chance, each once with its count."""
    counts = Counter(outcomes)
    return ", ".join(texts.TIMES_CAME.format(outcome=o, count=n) if n > 1 else o for o, n in counts.items())


# Scores and the end --------------------------------------------------------------------------------------


def ledger_lines(match: Match) -> Iterator[str]:
    """Yield every player's score with its reasons; they add up."""
    scores = match.game.scores(match.state)
    if not scores:
        yield texts.NOTHING_SCORED
    for player, score in scores.items():
        yield texts.SCORE.format(player=match.name_of(player), points=number_of(score, "point"))
        lines = [line for line in match.ledger() if line.player == player]
        start = match.start_scores.get(player, 0)
        if start:
            yield "      " + texts.STARTS_WITH.format(points=start)
        for line in lines:
            yield f"{line.decision:>4}  {reason_text(line)}"
        if not lines:
            yield "      " + texts.NOTHING_SCORED


def summary_text(match: Match, before: State, after: State) -> str:
    """Return what everybody gained between two positions, and has now."""
    old = match.game.scores(before)
    return listed(
        texts.ROUND_OF.format(who=match.name_of(player), gained=signed(score - old[player]), score=score)
        for player, score in match.game.scores(after).items()
    )


def points_table(match: Match) -> list[list[str]]:
    """Return the points of each rule, a row for each, for each player, with a row of titles and one of totals."""
    scores = match.game.scores(match.state)
    if not scores:
        return []
    ledger = match.ledger()
    rows = [["", *(match.name_of(player) for player in scores)]]
    if any(match.start_scores.values()):
        rows.append([texts.AT_THE_START, *(str(match.start_scores.get(player, 0)) for player in scores)])
    for rule in dict.fromkeys(line.rule for line in ledger):
        gained = [sum(line.gained for line in ledger if line.rule == rule and line.player == p) for p in scores]
        rows.append([rule.replace("_", " "), *(signed(n) if n else texts.NOTHING for n in gained)])
    return [*rows, [texts.TOTAL, *map(str, scores.values())]]


def table_lines(rows: list[list[str]]) -> list[str]:
    """Return rows of cells as lines: the first column to the left, numbers to the right."""
    wide = [max(columns_of(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    return [
        "  ".join(
            " " * (w - columns_of(cell)) + cell if i else justified(cell, w)
            for i, (cell, w) in enumerate(zip(row, wide, strict=True))
        )
        for row in rows
    ]


def result_line(match: Match) -> str:
    """Return who won a game that is over, and why."""
    outcome = match.game.outcome(match.state)
    assert outcome is not None
    return outcome_text(outcome, match.name_of)


def ending_lines(match: Match) -> Iterator[str]:
    """Yield the points by rule and player of a game that is over, and who won."""
    rows = points_table(match)
    if rows:
        rows[0][0] = texts.POINTS_BY_RULE
        yield from table_lines(rows)
    yield result_line(match)


def outcome_text(outcome: Outcome, name_of: Callable[[int], str]) -> str:
    """Return who won, and why."""
    shown = texts.WINS if len(outcome.winners) == 1 else texts.SHARE
    return shown.format(who=listed(map(name_of, outcome.winners)), reason=outcome.reason)


# Refusals ------------------------------------------------------------------------------------------------


def refusal_lines(match: Match, move: str, objections: Sequence[Objection]) -> list[str]:
    """Return why a move is not possible, every reason with the rule that gives it."""
    return [texts.REFUSED.format(move=move), *(f"  {objection_text(match, objection)}" for objection in objections)]


def objection_text(match: Match, objection: Objection) -> str:
    """Return one reason against a move, with the names of players, and where its rule is."""
    text = objection.named(match.name_of)
    if objection.span is None:
        return text
    move = match.game.model.moves.get(objection.move)
    is_choice = move is not None and any(choice.name == objection.condition for choice in move.choices)
    return text + _where(objection.move if is_choice else objection.condition, objection.span, objection.changes)


def _where(rule: str, span: Span, changes: Span | None) -> str:
    """Return the name of a rule and where it is written; of one that changes another, where that is too."""
    where = texts.WHERE.format(rule=rule, file=short_path(span.file), line=span.line)
    if changes is None:
        return where
    return where[:-1] + texts.CHANGES.format(file=short_path(changes.file), line=changes.line)


def short_path(file: str) -> str:
    """Return the shortest form of a path from here; a shipped file is called `games/…` wherever it is installed."""
    try:
        here = os.path.relpath(file)
    except ValueError:  # another drive
        here = ".."
    if here.startswith(".."):
        absolute = os.path.abspath(file)
        shown = shown_file(absolute)
        return file if shown == absolute else shown
    return here
