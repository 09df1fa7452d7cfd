"""Worked examples as passages: the position, legal and illegal decisions, what is decided, and the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from interpreter import (
    CHANCE,
    Fault,
    Game,
    IllegalMove,
    Look,
    Position,
    State,
    UnreadableMove,
    begin_example,
    find_examples,
    given_position,
    run_examples,
    worked_example,
)
from referee.picture.scene import Painter
from referee.picture.svg import draw_part
from referee.record.texts import who as player_name
from referee.rulebook import texts
from referee.rulebook.book import BookItem, capital, em
from referee.rulebook.nouns import is_many, spaced
from referee.shell.blocks import StyledLine
from referee.shell.board import Board
from rulespec import Model, OptionError, PlayersError, RuleFileError, Rules, listed, nodes, number_of, syntax

COLUMNS = 64  # of a drawing, so that it fits on a page
MOST_PICTURE = 60_000  # characters of one picture; a larger one is left out,
MOST_PICTURES = 1_500_000  # and so are those after this many characters
MOST_VALUES = 6  # of one variable; of more, only those are said that differ from the beginning


class ExamplePictures:
    """Draws positions, as long as they are not too large together."""

    def __init__(self) -> None:
        self._painters: dict[Game, Painter] = {}
        self._left = MOST_PICTURES

    def of(self, game: Game, state: State, places: frozenset[str], players: tuple[int, ...]) -> str:
        """Return the places of a position as SVG; empty: there is too much of it, or none of them is drawn."""
        painter = self._painters.setdefault(game, Painter(game))
        part = painter.part(state, places, players)
        shown = {thing["id"].partition("[")[0] for a in part["areas"] for b in a["blocks"] for thing in b["things"]}
        empty = {item["id"].partition("[")[0] for area in part["areas"] for item in area["empty"]}
        if not shown or not places <= shown | empty:
            return ""
        text = draw_part(part)
        if len(text) > min(MOST_PICTURE, self._left):
            return ""
        self._left -= len(text)
        return text


class Drawn:
    """Renders the examples of one file; a game is made once for each number of players and choice of options."""

    def __init__(self, rules: Rules, pictures: bool = True) -> None:
        self.rules = rules
        self._games: dict[tuple[int | None, tuple[tuple[str, str], ...]], Game | None] = {}
        self.pictures = ExamplePictures() if pictures else None

    def items(self) -> Iterator[BookItem]:
        """Yield every example, those of the file itself first; of a file below only those that these rules do not change."""
        own = self.rules.files[-1].tree.span.file
        found = list(find_examples(self.rules))
        house = len(self.rules.files) > 1
        results = {r.name: r for r in run_examples(self.rules)} if house else {}
        left_out = []
        for entry, chosen in sorted(found, key=lambda pair: pair[0].key.span.file != own):
            result = results.get(entry.key.text)
            if result is not None and result.inherited and result.problems:
                left_out.append(em(entry.key.text))
            else:
                yield self._item(entry, chosen)
        if left_out:
            yield BookItem(texts.LEFT_OUT.format(names=listed(left_out)))

    def _item(self, entry: nodes.Entry, chosen: dict[str, str]) -> BookItem:
        node = entry.value
        assert isinstance(node, nodes.Mapping)
        game = self._game(node, chosen)
        parts = list(self._parts(game, entry, node)) if game is not None else []
        see = "; ".join(part for part in (_table(node, chosen), _text(node.get("see"))) if part)
        return BookItem(_text(node.get("text")), lead=capital(entry.key.text), see=see, items=tuple(parts))

    def _game(self, node: nodes.Mapping, chosen: dict[str, str]) -> Game | None:
        said = node.get("players")
        players = said.value if isinstance(said, nodes.Scalar) and isinstance(said.value, int) else None
        choices = {**chosen, **_choices(node)}
        key = players, tuple(sorted(choices.items()))
        if key not in self._games:
            self._games[key] = None
            with suppress(OptionError, PlayersError, RuleFileError):
                self._games[key] = Game(self.rules, self.rules.check(players, choices)[0])
        return self._games[key]

    def _parts(self, game: Game, entry: nodes.Entry, node: nodes.Mapping) -> Iterator[BookItem]:
        example = worked_example(game, entry)
        position, after = given_position(game, entry), begin_example(game, entry)
        if example is None or position is None or after is None:
            return
        yield from _drawing(self.pictures, game, position, example.given, texts.POSITION)
        if (run := _text(node.get("run"))) and run != "play":
            name = nodes.bare_name(run)
            title = game.model.view.titles.get(name) or spaced(name)
            yield BookItem(f"{em(title)}{run[len(name) :]}.", lead=texts.RUN)
        moves: list[str] = []
        for stage in example.stages:
            if isinstance(stage, Look):
                if stage != Look():
                    yield from _decided(moves)
                    yield from _looked_at(self.pictures, game, after, stage)
                    moves = []
                continue
            try:
                move = game.parse_move(after, stage.text)
                if not game.is_legal(after, move):
                    return  # a house rule makes it come out differently
                who = texts.CHANCE if after.to_move == CHANCE else player_name(after.to_move or 0)
                times = texts.TIMES.format(times=stage.times) if stage.times > 1 else ""
                moves.append(f"{who}: {game.describe(after, move)}{times}")
                for _ in range(stage.times):
                    after = game.apply(after, stage.text)
            except (IllegalMove, UnreadableMove, Fault):
                return
        yield from _decided(moves)


def _decided(moves: list[str]) -> Iterator[BookItem]:
    if moves:
        yield BookItem(f"{'; '.join(moves)}.", lead=texts.DECIDED)


def _looked_at(pictures: ExamplePictures | None, game: Game, state: State, look: Look) -> Iterator[BookItem]:
    """Yield what is legal, what is refused and what holds in a position."""
    for offered in look.offered:
        beginning = " ".join(offered.beginning)
        if not beginning:
            yield BookItem(f"{listed(offered.ends) or texts.NO_MOVE}.", lead=texts.ALL_LEGAL)
        elif offered.ends:
            yield BookItem(f"{em(beginning)} continues with {listed(offered.ends)}.", lead=texts.LEGAL)
        else:
            yield BookItem(f"{em(beginning)} is not possible.", lead=texts.LEGAL)
    for refusal in look.refused:
        yield BookItem(f"{em(refusal.move)}: “{refusal.text}”", lead=texts.REFUSED)
    yield from _drawing(pictures, game, state, look.position, texts.AFTERWARDS)
    if results := list(_results(look)):
        yield BookItem(f"{'; '.join(results)}.", lead=texts.RESULT)


def _text(node: nodes.Node | None) -> str:
    return node.text if isinstance(node, nodes.Scalar) else ""


def _choices(node: nodes.Mapping) -> dict[str, str]:
    chosen = node.get("with")
    pairs = chosen if isinstance(chosen, nodes.Mapping) else ()
    return {key.text: value.text for key, value in pairs if isinstance(value, nodes.Scalar)}


def _table(node: nodes.Mapping, chosen: dict[str, str]) -> str:
    """Return which players and options the example is for, if not the usual ones."""
    words = [f"{spaced(option)}: {spaced(choice)}" for option, choice in {**chosen, **_choices(node)}.items()]
    if players := _text(node.get("players")):
        words.append(f"{players} players")
    return ", ".join(words)


def _drawing(
    pictures: ExamplePictures | None, game: Game, state: State, named: Position, lead: str
) -> Iterator[BookItem]:
    """Yield the places and variables that the example names, as they are in this position."""
    model = game.model
    held = [(row.place, row.numbers) for row in named.rows] + [(rest.place, rest.numbers) for rest in named.rest]
    players: set[int] = set()
    for place, numbers in held:
        if place.index[:1] == ("player",):
            players |= {number // (place.size // game.players) + 1 for number in numbers}
    places = frozenset(place.name for place, _ in held)
    board: list[StyledLine] = list(Board(game, COLUMNS).part(state, places, tuple(sorted(players)))) if places else []
    by_name = Counter(nodes.bare_name(v.name) for v in named.values)
    values = [
        f"{em(spaced(name))}{_index(model, v.name, name)} {'are' if is_many(model, name) else 'is'} "
        f"{_value(model, name, state.vector[v.slot(game.layout)])}"
        for v in named.values
        for name in [nodes.bare_name(v.name)]
        if by_name[name] <= MOST_VALUES or state.vector[v.slot(game.layout)] != game.layout.start[v.slot(game.layout)]
    ]
    text = capital(f"{'; '.join(values)}.") if values else ""
    if board or text:
        wanted = pictures if board else None
        picture = wanted.of(game, state, places, tuple(sorted(players))) if wanted is not None else ""
        yield BookItem(text, lead=lead, board=tuple(board), picture=picture)


def _index(model: Model, key: str, name: str) -> str:
    """Return whose variable it is, or which."""
    inside = key[len(name) :].strip("[] ")
    index = model.variables[name].index
    if index == ("player",):
        return f" of player {inside}"
    return f" ({inside})" if inside else ""


def _value(model: Model, name: str, code: int) -> str:
    """Return the value of a variable as people read it."""
    t = model.variables[name].type
    if isinstance(t, syntax.YesNo):
        return "yes" if code else "no"
    if isinstance(t, syntax.Values) and t.home == "player" and code < syntax.NONE:
        return player_name(code)
    return spaced(model.value_name(code))


def _results(look: Look) -> Iterator[str]:
    for expected in look.points:
        line = texts.GAINED if expected.gained else texts.POINTS
        whose = texts.WHOSE.format(who=expected.player) if expected.player is not None else ""
        yield line.format(points=number_of(expected.points, "point"), rule=spaced(expected.rule)) + whose
    for word in look.words:
        match word.word:
            case "winner":
                line = texts.WINNER if len(word.values) == 1 else texts.WINNERS
                yield line.format(who=listed(word.values))
            case "was told":
                whom = texts.EVERYBODY if word.player is None else f"player {word.player}"
                yield texts.TOLD.format(
                    whom=whom, lines=listed([f"“{line}”" for line in word.values]) or texts.NOTHING_TOLD
                )
            case "over":
                yield texts.OVER if word.values == ("true",) else texts.GOES_ON
            case _:
                (who,) = word.values
                yield texts.TO_MOVE.format(who=f"player {who}" if who.isdigit() else who)
