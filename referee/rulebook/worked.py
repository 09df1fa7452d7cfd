"""Worked examples as passages: the position, legal and illegal decisions, what is decided, and the result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from interpreter import (
    CHANCE,
    EXPECT_WORDS,
    Fault,
    Game,
    IllegalMove,
    State,
    UnreadableMove,
    begin_example,
    find_examples,
    given_position,
    run_examples,
)
from referee.record.texts import who as player_name
from referee.rulebook import texts
from referee.rulebook.book import CHANGED, BookItem, capital, em
from referee.rulebook.nouns import spaced
from referee.shell.blocks import StyledLine
from referee.shell.board import Board
from rulespec import OptionError, PlayersError, RuleFileError, Rules, listed, nodes

COLUMNS = 64  # of a drawing, so that it fits on a page


class Drawn:
    """Renders the examples of one file; a game is made once for each number of players and choice of options."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._games: dict[tuple[int | None, tuple[tuple[str, str], ...]], Game | None] = {}

    def items(self) -> Iterator[BookItem]:
        """Yield every example, those of the file itself first; others say what the house rule changes in them."""
        own = self.rules.files[-1].tree.span.file
        found = list(find_examples(self.rules))
        house = len(self.rules.files) > 1
        results = {r.name: r for r in run_examples(self.rules)} if house else {}
        for entry, chosen in sorted(found, key=lambda pair: pair[0].key.span.file != own):
            result = results.get(entry.key.text)
            problems = result.problems if result is not None and result.inherited else ()
            changes = tuple(BookItem(capital(p.message) + ".") for p in problems)
            yield self._item(entry, chosen, changes)

    def _item(self, entry: nodes.Entry, chosen: dict[str, str], changes: tuple[BookItem, ...]) -> BookItem:
        node = entry.value
        assert isinstance(node, nodes.Mapping)
        game = self._game(node, chosen)
        parts = list(self._parts(game, entry, node)) if game is not None else []
        if changes:
            parts.append(BookItem("", lead=texts.COMES_OUT, items=changes))
        see = "; ".join(part for part in (_table(node, chosen), _text(node.get("see"))) if part)
        mark = CHANGED if changes else ""
        return BookItem(_text(node.get("text")), lead=capital(entry.key.text), see=see, items=tuple(parts), mark=mark)

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
        position, start = given_position(game, entry), begin_example(game, entry)
        if position is None or start is None:
            return
        given, expected = node.get("given"), node.get("expect")
        yield from _drawing(game, position, given, texts.POSITION)
        if (run := _text(node.get("run"))) and run != "play":
            name = nodes.bare_name(run)
            title = game.model.view.says.get(name) or spaced(name)
            yield BookItem(f"{em(title)}{run[len(name) :]}.", lead=texts.RUN)
        yield from _offers(game, start, node)
        after = start
        play = node.get("play")
        moves = []
        for item in play.items if isinstance(play, nodes.Sequence) else ():
            if isinstance(item, nodes.Scalar):
                try:
                    move = game.parse_move(after, item.text)
                    if not game.is_legal(after, move):
                        return  # the example says what differs
                    who = texts.CHANCE if after.to_move == CHANCE else player_name(after.to_move or 0)
                    moves.append(f"{who}: {game.describe(after, move)}")
                    after = game.apply(after, move)
                except (IllegalMove, UnreadableMove, Fault):
                    return
        if moves:
            yield BookItem(f"{'; '.join(moves)}.", lead=texts.DECIDED)
        yield from _drawing(game, after, expected, texts.AFTERWARDS)
        results = list(_results(game, expected))
        if results:
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


def _drawing(game: Game, state: State, node: nodes.Node | None, lead: str) -> Iterator[BookItem]:
    """Return the places and variables that the example names, as they are in this position."""
    keys = [key.text for key, _ in node] if isinstance(node, nodes.Mapping) else []
    names = [(nodes.bare_name(key), key) for key in keys]
    places = frozenset(name for name, _ in names if name in game.model.places)
    players: set[int] = set()
    for name, key in names:
        index = key[len(name) :].strip("[] ").split(",")[0].strip()
        if name in places and game.model.places[name].index[:1] == ("player",):
            players |= {int(index)} if index.isdigit() else set(range(1, game.players + 1))
    board: list[StyledLine] = list(Board(game, COLUMNS).part(state, places, tuple(sorted(players)))) if places else []
    values = [
        f"{spaced(name)}{_index(key, name)} {_value(value)}"
        for (name, key), value in zip(
            names, [v for _, v in node] if isinstance(node, nodes.Mapping) else [], strict=True
        )
        if name in game.model.variables and name not in places and name not in _specials(node)
    ]
    text = f"{'; '.join(values)}." if values else ""
    if board or text:
        yield BookItem(text, lead=lead, board=tuple(board))


def _specials(node: nodes.Node | None) -> frozenset[str]:
    """Return the special words of `expect`, unless they name a variable."""
    return frozenset(EXPECT_WORDS) if isinstance(node, nodes.Mapping) and node.get("over") is not None else frozenset()


def _index(key: str, name: str) -> str:
    inside = key[len(name) :].strip("[] ")
    return f" of player {inside}" if inside.isdigit() else f" ({inside})" if inside else ""


def _value(node: nodes.Node) -> str:
    return " ".join(_text(node).split()) if isinstance(node, nodes.Scalar) else str(nodes.plain(node))


def _offers(game: Game, state: State, node: nodes.Mapping) -> Iterator[BookItem]:
    offered, refused = node.get("offered"), node.get("refused")
    if isinstance(offered, nodes.Sequence):
        yield BookItem(f"{listed(i.text for i in offered.items if isinstance(i, nodes.Scalar))}.", lead=texts.ALL_LEGAL)
    for key, value in offered if isinstance(offered, nodes.Mapping) else ():
        ends = [i.text for i in value.items if isinstance(i, nodes.Scalar)] if isinstance(value, nodes.Sequence) else []
        text = f"{em(key.text)} continues with {listed(ends)}." if ends else f"{em(key.text)} is not possible."
        yield BookItem(text, lead=texts.LEGAL)
    for key, value in refused if isinstance(refused, nodes.Mapping) else ():
        yield BookItem(f"{em(key.text)}: “{_text(value)}”", lead=texts.REFUSED)


def _results(game: Game, node: nodes.Node | None) -> Iterator[str]:
    for key, value in node if isinstance(node, nodes.Mapping) else ():
        match key.text:
            case "points" | "gained" if isinstance(value, nodes.Mapping):
                for rule, points in value:
                    line = texts.POINTS if key.text == "points" else texts.GAINED
                    yield line.format(points=_text(points), rule=spaced(rule.text))
            case "winner":
                players = (
                    [i.text for i in value.items if isinstance(i, nodes.Scalar)]
                    if isinstance(value, nodes.Sequence)
                    else [_text(value)]
                )
                yield (texts.WINNER if len(players) == 1 else texts.WINNERS).format(who=listed(players))
            case "over" if "over" not in game.model.variables:
                yield texts.OVER if _text(value) == "true" else texts.GOES_ON
            case "to move":
                who = _text(value)
                yield texts.TO_MOVE.format(who=f"player {who}" if who.isdigit() else who)
