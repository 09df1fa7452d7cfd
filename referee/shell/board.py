"""A position as lines of text: boards, piles and points, from the rule file's places and its `view:`.

Every kind is shown by its symbol; colours are an addition. What a viewer may not see is shown as a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import groupby, product

from interpreter import Game, State
from referee.bots import unseen_places
from referee.record.texts import who
from referee.shell import texts
from referee.shell.blocks import GAP, Styled, StyledBlock, StyledLine, beside, clipped, flowed, padded, width
from rulespec import number_of, syntax

WIDEST_ROOM = 12  # places with more room show counts


class Board:
    """Renders positions of one game. `viewer` is the player who looks; None sees what everybody sees."""

    def __init__(self, game: Game, columns: int = 80, names: Sequence[str] = ()) -> None:
        self.game = game
        self.model = game.model
        self.columns = columns
        self.names = names or [who(p) for p in range(1, game.players + 1)]

    def lines(self, state: State, viewer: int | None = None) -> StyledBlock:
        """Return the whole table: common places, then every player's board; no line is wider than the screen."""
        view = _View(self, state, viewer, self.columns)
        common = view.family_blocks([p for p in self._places if "player" not in p.index])
        common += view.variables([v for v in self._variables if "player" not in v.index])
        lines = [*common, *([()] if common else []), *self._boards(state, viewer)]
        return [clipped(line, self.columns) for line in lines]

    def _boards(self, state: State, viewer: int | None) -> StyledBlock:
        """Return boards side by side, as many as fit on the screen, in rows as even as possible."""
        players = range(1, self.game.players + 1)
        for each in range(len(players), 0, -1):
            if each != -(-len(players) // -(-len(players) // each)):
                continue  # as many rows are more even with fewer boards in each
            room = (self.columns + GAP) // each - GAP
            view = _View(self, state, viewer, room)
            boards = [view.player(p) for p in players]
            if each == 1 or max(width(line) for board in boards for line in board) <= room:
                break
        lines: StyledBlock = []
        for i in range(0, len(boards), each):
            lines += [*([()] if i else []), *beside(boards[i : i + each])]
        return lines

    def part(self, state: State, places: frozenset[str], players: tuple[int, ...]) -> StyledBlock:
        """Return only these places, and only of these players; nothing is hidden."""
        view = _View(self, state, None, self.columns)
        view.unseen = frozenset()
        shown = [p for p in self._places if p.name in places]
        common = view.family_blocks([p for p in shown if "player" not in p.index])
        own = [p for p in shown if "player" in p.index]
        boards: list[StyledBlock] = []
        for player in players if own else ():
            boards.append([(Styled(self.names[player - 1], "title"),), *view.family_blocks(own, player)])
        widest = max((width(line) for board in boards for line in board), default=0)
        each = max(1, (self.columns + GAP) // (widest + GAP))
        lines = common
        for i in range(0, len(boards), each):
            lines = [*lines, *([()] if lines else []), *beside(boards[i : i + each])]
        return lines

    def legend(self) -> StyledBlock:
        """Return what the symbols mean."""
        items: list[StyledLine] = []
        for kind in self.model.kinds:
            if kind in self.model.view.symbols and self.symbol(kind) != self.model.value_name(kind):
                name = f" {self.model.value_name(kind)}"
                items.append((self.piece(kind), Styled(name)))
        return flowed(items, self.columns)

    # the view --------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> list[syntax.Place]:
        """All places that are shown, in the order of the layout, then of the file."""
        names = dict.fromkeys((*self.model.view.layout, *self.model.places))
        hidden = self.model.view.hide
        return [self.model.places[n] for n in names if n in self.model.places and n not in hidden]

    @cached_property
    def _variables(self) -> list[syntax.Variable]:
        hidden = {"score", *self.model.view.hide}
        return [v for v in self.model.variables.values() if v.name not in hidden]

    def hint(self, place: str, key: str) -> str:
        """Return an entry of the layout of a place; empty: there is none."""
        layout = self.model.view.layout.get(place)
        return str(getattr(layout, key)) if layout is not None else ""

    def grid(self, place: syntax.Place) -> tuple[str, ...]:
        """Return the indexes for rows and columns; without a layout, those of cells, at most two."""
        layout = self.model.view.layout.get(place.name)
        own = [name for name in place.index if name != "player"]
        if layout is not None and layout.grid:
            return tuple(name for name in layout.grid if name in own)
        return tuple(own[-2:]) if place.shape == "cell" and len(own) > 1 else ()

    def title(self, place: str) -> str:
        """Return the title of a place."""
        return self.hint(place, "title") or place.replace("_", " ")

    def symbol(self, kind: int) -> str:
        """Return the symbol of a kind of piece, or its label where it has none."""
        return self.model.view.symbols.get(kind) or self.game.notation.kind_label(kind)

    def piece(self, kind: int) -> Styled:
        """Return a piece as it is shown."""
        return Styled(self.symbol(kind), "piece", self.model.view.colours.get(kind, ""))

    def index_label(self, name: str, code: int) -> str:
        """Return a member of an index set as people read it."""
        return self.game.notation.label(code, self.model.sets[name].type)

    @cached_property
    def cell_width(self) -> dict[str, int]:
        """The widest symbol of each family."""
        return {p.name: max((len(self.symbol(k)) for k in p.kinds), default=1) for p in self._places}

    def under(self, state: State, place: syntax.Place, index: tuple[int, ...]) -> Styled:
        """Return what an empty cell shows."""
        code = self.game.drawn(state, ("layout", place.name, "under"), *index)
        if code in (None, syntax.NONE):
            return Styled(".", "faint")
        return Styled(self.symbol(code).lower(), "under", self.model.view.colours.get(code, ""))


class _View:
    """One position, as one viewer sees it."""

    def __init__(self, board: Board, state: State, viewer: int | None, columns: int) -> None:
        self.board = board
        self.columns = columns  # the room for lists: the whole width, or that of one of several boards side by side
        self.game = board.game
        self.state = state
        self.viewer = viewer
        self.unseen = frozenset(unseen_places(board.game, viewer))

    def player(self, player: int) -> StyledBlock:
        """Return a player's own places and variables."""
        title = self.board.names[player - 1]
        scores = self.game.scores(self.state)
        if scores:
            title += " · " + number_of(scores[player], "point")
        heading = [Styled(title, "title")]
        if self.state.to_move == player:
            heading.append(Styled(f" · {texts.TO_MOVE}", "plain"))
            if width(tuple(heading)) > self.columns:
                heading = [Styled(texts.MARK_TO_MOVE, "plain"), heading[0]]
        lines: StyledBlock = [tuple(heading)]
        own = [p for p in self.board._places if "player" in p.index]
        lines += self.family_blocks(own, player)
        return lines + self.variables([v for v in self.board._variables if "player" in v.index], player)

    def family_blocks(self, places: list[syntax.Place], player: int | None = None) -> StyledBlock:
        """Return the places in order; those with the same rows are side by side."""
        lines: StyledBlock = []
        for (down, _), group in groupby(places, self._down):
            members = list(group)
            if down:
                level = max(len(self.board.grid(p)) for p in members)
                lines += beside([self._grid(p, player, i == 0, level == 2) for i, p in enumerate(members)], 3)
            elif all(p.index in ((), ("player",)) for p in members):
                items = [(Styled(f"{self.board.title(p.name)}: "), *self._single(p, player)) for p in members]
                lines += flowed(items, self.columns)
            else:
                for p in members:
                    lines += self._list(p, player)
        return lines

    def _down(self, place: syntax.Place) -> tuple[str, str]:
        """Return what families are grouped by: the index of their rows, or that they are single places."""
        grid = self.board.grid(place)
        if grid:
            return grid[0], ""
        own = [name for name in place.index if name != "player"]
        return "", place.name if own else ""

    # one family ------------------------------------------------------------------------------------------

    def _indexes(self, place: syntax.Place, fixed: dict[str, int]) -> list[tuple[int, ...]]:
        choices = [(fixed[n],) if n in fixed else v for n, v in zip(place.index, place.index_values, strict=True)]
        return list(product(*choices))

    def _number(self, place: syntax.Place, index: tuple[int, ...]) -> int:
        at = 0
        for values, i in zip(place.index_values, index, strict=True):
            at = at * len(values) + values.index(i)
        return at

    def _grid(self, place: syntax.Place, player: int | None, heads: bool, level: bool) -> StyledBlock:
        """Return a family with a grid; one grid for each value of the indexes that are not in it.

        `heads` names the rows; `level` keeps a line free where a grid beside it names its columns.
        """
        grid = self.board.grid(place)
        fixed = {} if player is None else {"player": player}
        rest = [n for n in place.index if n not in grid and n not in fixed]
        values = dict(zip(place.index, place.index_values, strict=True))
        blocks = []
        for combination in product(*(values[n] for n in rest)):
            labels = [self.board.index_label(n, code) for n, code in zip(rest, combination, strict=True)]
            block = self._one_grid(place, grid, {**fixed, **dict(zip(rest, combination, strict=True))}, heads, level)
            blocks.append([(Styled(", ".join(labels)),), *block] if labels else block)
        title: StyledLine = (Styled(self.board.title(place.name), "faint"),)
        limit = self.columns
        lines: StyledBlock = [title]
        row: list[StyledBlock] = []
        for block in blocks:
            together = beside([*row, block])
            if row and max(map(width, together)) > limit:
                lines += beside(row)
                row = [block]
            else:
                row.append(block)
        return lines + beside(row)

    def _one_grid(
        self, place: syntax.Place, grid: tuple[str, ...], fixed: dict[str, int], heads: bool, level: bool
    ) -> StyledBlock:
        values = dict(zip(place.index, place.index_values, strict=True))
        name = self.game.model.value_name
        names = [name(code) if heads else "" for code in values[grid[0]]]
        margin = max(len(head) for head in names) + heads
        rows = [
            [self._contents(place, index) for index in self._indexes(place, {**fixed, grid[0]: code})]
            for code in values[grid[0]]
        ]
        wide = max((width(cell) for row in rows for cell in row), default=1)
        lines: StyledBlock = []
        if len(grid) == 2:
            heading = [name(code) for code in values[grid[1]]]
            wide = max([wide, *map(len, heading)])
            text = " ".join(h.rjust(wide) for h in heading)
            lines.append((Styled(" " * margin), Styled(text, "faint")))
        elif level:
            lines.append(())
        align = "right" if len(grid) == 2 else self.board.hint(place.name, "align")
        for head, row in zip(names, rows, strict=True):
            line: list[Styled] = [Styled(head.ljust(margin), "faint")]
            for cell in row:
                line += [*padded(cell, wide, align), Styled(" ")]
            lines.append(tuple(line[:-1]))
        return lines

    def _list(self, place: syntax.Place, player: int | None) -> StyledBlock:
        """Return a family without a grid: its places one after another."""
        fixed = {} if player is None else {"player": player}
        items = []
        for index in self._indexes(place, fixed):
            names = [(n, code) for n, code in zip(place.index, index, strict=True) if n not in fixed]
            label = ", ".join(self.board.index_label(n, code) for n, code in names)
            items.append((Styled(f"{label}: "), *self._contents(place, index)))
        return [(Styled(self.board.title(place.name), "faint"),), *flowed(items, self.columns)]

    def _single(self, place: syntax.Place, player: int | None) -> StyledLine:
        return self._contents(place, () if player is None else (player,))

    # one place -------------------------------------------------------------------------------------------

    def _contents(self, place: syntax.Place, index: tuple[int, ...]) -> StyledLine:
        number = self._number(place, index)
        pieces = self.game.contents(self.state, place.name, number)
        if (place.name, number) in self.unseen:
            return self._unseen(place, pieces)
        room = place.rooms[number] if place.rooms else -1
        if place.shape == "cell":
            cell = self.board.piece(pieces[0][0]) if pieces else self.board.under(self.state, place, index)
            return (cell,)
        if place.shape == "stack" or 0 <= room <= WIDEST_ROOM:
            slots = [self.board.piece(kind) for kind, count in pieces for _ in range(count)]
            if place.shape != "stack":
                slots += [Styled(".", "faint")] * (room - len(slots))
                if self.board.hint(place.name, "align") == "right":
                    slots.reverse()
            return self._spaced(slots, self.board.cell_width[place.name])
        return self._counts(pieces)

    def _spaced(self, slots: list[Styled], wide: int) -> StyledLine:
        if not slots:
            return (Styled(texts.NOTHING, "faint"),)
        line: list[Styled] = []
        for slot in slots:
            line += [Styled(" " * (wide - len(slot.text))), slot, Styled(" ")]
        return tuple(piece for piece in line[:-1] if piece.text)

    def _counts(self, pieces: list[tuple[int, int]]) -> StyledLine:
        if not pieces:
            return (Styled(texts.NOTHING, "faint"),)
        line: list[Styled] = []
        for kind, count in pieces:
            piece = self.board.piece(kind)
            line += [Styled(_times(count, piece.text)), piece, Styled(" ")]
        return tuple(line[:-1])

    def _unseen(self, place: syntax.Place, pieces: list[tuple[int, int]]) -> StyledLine:
        """Return how many pieces there are, and what they show of themselves."""
        total = sum(count for _, count in pieces)
        if place.shows is None or not pieces:
            return (Styled(str(total)),)
        backs: dict[int, int] = {}
        for kind, count in pieces:
            back = self.game.shown(place.name, kind)
            if back is not None:
                backs[back] = backs.get(back, 0) + count
        name = self.game.model.value_name
        return (Styled(f"{total} ({', '.join(f'{n} {name(back)}' for back, n in sorted(backs.items()))})"),)

    # variables -------------------------------------------------------------------------------------------

    def variables(self, variables: list[syntax.Variable], player: int | None = None) -> StyledBlock:
        """Return variables with their values; of those with indexes, only what has changed since the start."""
        items: list[str] = []
        for v in variables:
            name = v.name.replace("_", " ")
            at = v.index.index("player") if player is not None else -1
            if len(v.index) == (at >= 0):
                items.append(f"{name}: {self._value(v, () if player is None else (player,))}")
                continue
            changed = []
            for index, start in zip(product(*v.index_values), v.starts, strict=True):
                value = self.game.variable(self.state, v.name, *index)
                if value != start and (at < 0 or index[at] == player):
                    rest = [self.game.model.value_name(code) for i, code in enumerate(index) if i != at]
                    shown = "" if isinstance(v.type, syntax.YesNo) and value else f"={self._value(v, index)}"
                    changed.append(",".join(rest) + shown)
            if changed:
                items += [f"{name}: {changed[0]}", *changed[1:]]
        return flowed([(Styled(item),) for item in items], self.columns)

    def _value(self, variable: syntax.Variable, index: tuple[int, ...]) -> str:
        return self.game.notation.label(self.game.variable(self.state, variable.name, *index), variable.type)


def _times(count: int, symbol: str) -> str:
    """Return what comes before a symbol: nothing for one piece, else how many, so that it cannot be taken for the symbol."""
    if len(symbol) > 2:
        return f"{count} "
    if count == 1:
        return ""
    return texts.TIMES.format(count=count) if symbol[:1].isdigit() else str(count)
