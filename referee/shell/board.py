"""A position as lines of text: boards, piles and points, from the rule file's places and its `view:`.

Every kind is shown by its symbol; colours are an addition. What a viewer may not see is shown as a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import groupby, pairwise, product

from interpreter import HIDDEN, Game, State
from referee.bots import unseen_places, unseen_values
from referee.picture.ordinals import counted_values, is_counted
from referee.picture.signs import Signs
from referee.record.texts import who
from referee.shell import texts
from referee.shell.blocks import (
    GAP,
    Styled,
    StyledBlock,
    StyledLine,
    beside,
    clipped,
    columns_of,
    flowed,
    padded,
    width,
)
from referee.shell.marks import BoardMark, board_marks, lacks, mark_words
from rulespec import listed, number_of, syntax

WIDEST_ROOM = 12  # places with more room show counts
LONGEST_SYMBOL = 2  # letters; what is longer is a word
Families = frozenset[str]  # names of places
NO_FAMILIES: Families = frozenset()


class Board:
    """Renders positions of one game. `viewer` is the player who looks; None sees what everybody sees."""

    def __init__(self, game: Game, columns: int = 80, names: Sequence[str] = ()) -> None:
        self.game = game
        self.model = game.model
        self.columns = columns
        self.names = names or [who(p) for p in range(1, game.players + 1)]

    def lines(self, state: State, viewer: int | None = None, matter: Families = NO_FAMILIES) -> StyledBlock:
        """Return the whole table, what matters now last: every player's board, common places, and those that `matter`.

        No line is wider than the screen.
        """
        view = _View(self, state, viewer, self.columns)
        common = [p for p in self.common if p.name not in matter]
        lines = [*view.family_blocks(common), *view.variables(self._shared_variables)]
        lines += view.family_blocks([p for p in self.common if p.name in matter])
        boards = self._boards(state, viewer)
        lines = [*boards, *([()] if lines and boards else []), *lines]
        return [clipped(line, self.columns) for line in lines]

    def offered(self, state: State, viewer: int | None, matter: Families) -> StyledBlock:
        """Return the common places that matter now, by the names that are typed for them, without those that are empty."""
        view = _View(self, state, viewer, self.columns, typed=True)
        return view.family_blocks([p for p in self.common if p.name in matter])

    def aside(self, state: State, viewer: int | None, matter: Families) -> StyledBlock:
        """Return the other common places and the variables, one after another."""
        view = _View(self, state, viewer, self.columns, typed=True)
        return view.run_on([p for p in self.common if p.name not in matter], self._shared_variables)

    def own(self, state: State, viewer: int | None, player: int, columns: int, matter: Families) -> StyledBlock:
        """Return a player's board without empty places that do not matter now."""
        return _View(self, state, viewer, columns, typed=True, matter=matter).player(player)

    def small(self, state: State, viewer: int | None, player: int, columns: int) -> StyledBlock:
        """Return a player's board as small as it can be read: without headings, and nothing between the pieces."""
        return _View(self, state, viewer, columns, typed=True, small=True).player(player)

    def one_line(self, state: State, viewer: int | None, player: int) -> StyledLine:
        """Return a player's name and points."""
        return _View(self, state, viewer, self.columns).heading(player)

    def _boards(self, state: State, viewer: int | None) -> StyledBlock:
        """Return boards side by side, as many as fit on the screen, in rows as even as possible; of several rows the viewer's is last."""
        players = list(range(1, self.game.players + 1))
        for each in range(len(players), 0, -1):
            if each != -(-len(players) // -(-len(players) // each)):
                continue  # as many rows are more even with fewer boards in each
            room = (self.columns + GAP) // each - GAP
            view = _View(self, state, viewer, room)
            boards = [view.player(p) for p in players]
            if each == 1 or max(width(line) for board in boards for line in board) <= room:
                break
        if viewer is not None and each < len(boards):
            boards.append(boards.pop(viewer - 1))
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
        """Return what the symbols mean, as many to a line as fit."""
        return flowed(self.meanings(), self.columns)

    def meanings(self) -> list[StyledLine]:
        """Return what each symbol means, those that are only printed last."""
        items: list[StyledLine] = []
        for kind in dict.fromkeys((*self.model.kinds, *self.model.view.symbols)):
            if kind in self.model.view.symbols and self.symbol(kind) != self.model.value_name(kind):
                symbol = self.piece(kind) if kind in self.model.kinds else self.printed(kind)
                items.append((symbol, Styled(f" {self.model.value_name(kind)}")))
        return items

    # the view --------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> list[syntax.Place]:
        """All places that are shown, in the order of the layout, then of the file; those behind others show through them."""
        view = self.model.view
        names = dict.fromkeys((*view.layout, *self.model.places))
        behind = {name for name, layout in view.layout.items() if layout.behind}
        return [self.model.places[n] for n in names if n in self.model.places and n not in view.hide | behind]

    @cached_property
    def common(self) -> list[syntax.Place]:
        """The places that are nobody's own."""
        return [p for p in self._places if "player" not in p.index]

    @cached_property
    def _variables(self) -> list[syntax.Variable]:
        return [v for v in self.model.variables.values() if v.name != "score" and v.name not in self.model.view.hide]

    @cached_property
    def _shared_variables(self) -> list[syntax.Variable]:
        return [v for v in self._variables if "player" not in v.index]

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
        """Return the symbol of a kind of piece, or its label where it has none; a number that is printed is a number."""
        if kind < syntax.NONE and kind not in self.model.kinds:
            return self.model.view.symbols.get(kind) or self.model.value_name(kind)
        return self.model.view.symbols.get(kind) or self.game.notation.kind_label(kind)

    def piece(self, kind: int) -> Styled:
        """Return a piece as it is shown."""
        return Styled(self.symbol(kind), "piece", self.model.view.colours.get(kind, ""))

    def index_label(self, name: str, code: int) -> str:
        """Return a member of an index set as people read it."""
        return self.game.notation.label(code, self.model.sets[name].type)

    @cached_property
    def marks(self) -> list[BoardMark]:
        """The marks on players' boards that can be lit."""
        return list(board_marks(self.game))

    @cached_property
    def cell_width(self) -> dict[str, int]:
        """The widest symbol of each family."""
        return {p.name: max((columns_of(self.symbol(k)) for k in p.kinds), default=1) for p in self._places}

    def under(self, state: State, place: syntax.Place, index: tuple[int, ...]) -> Styled:
        """Return what an empty cell shows."""
        code = self.game.drawn(state, ("layout", place.name, "under"), *index)
        if code in (None, syntax.NONE):
            return Styled(".", "faint")
        return self.printed(code)

    def printed(self, code: int) -> Styled:
        """Return what is printed on a board as it is shown."""
        return Styled(self.symbol(code).lower(), "under", self.model.view.colours.get(code, ""))

    def face(self, state: State, kind: int) -> list[Styled]:
        """Return what is printed on a piece that is shown by its name, row by row between brackets; else nothing."""
        found: list[Styled] = []
        for row in self._rows(state, kind):
            found += [Styled("/" if found else "["), *row]
        return [*found, Styled("]")] if found else []

    def printed_rows(self, state: State, kind: int) -> list[list[Styled]]:
        """Return the rows that `face` shows, of a piece on which always the same is printed."""
        rows = self._rows(state, kind)
        if not rows or self.game.drawing_varies(("pieces", self._signs.drawn(kind)[1], "face")):
            return []
        return rows

    def _rows(self, state: State, kind: int) -> list[list[Styled]]:
        if kind in self.model.view.symbols:
            return []
        entry, name = self._signs.drawn(kind)
        if entry is None or "face" not in entry.values:
            return []
        given = (kind,) if name in self.model.sets else ()
        marks = [self.printed(mark) for mark in self.game.drawn(state, ("pieces", name, "face"), *given) or ()]
        across = entry.across or max(1, len(marks))
        return [marks[i : i + across] for i in range(0, len(marks), across)]

    @cached_property
    def _signs(self) -> Signs:
        return Signs(self.game)


class _View:
    """One position, as one viewer sees it."""

    def __init__(
        self,
        board: Board,
        state: State,
        viewer: int | None,
        columns: int,
        typed: bool = False,
        small: bool = False,
        matter: Families | None = None,
    ) -> None:
        self.board = board
        self.typed = typed  # places by the names that are typed for them, on as few lines as they fit
        self.tight = small
        self.matter = matter  # of the empty places only these are shown; None: all
        self.columns = columns  # the room for lists: the whole width, or that of one of several boards side by side
        self.game = board.game
        self.state = state
        self.viewer = viewer
        self.unseen = frozenset((*unseen_places(board.game, viewer), *unseen_values(board.game, viewer)))

    def heading(self, player: int) -> StyledLine:
        """Return a player's name and points, and whether they are to move."""
        title = self.board.names[player - 1]
        scores = self.game.scores(self.state)
        if scores and self.tight:
            title += f" {scores[player]}"
        elif scores:
            title += " · " + number_of(scores[player], "point")
        if self.state.to_move != player:
            return (Styled(title, "title"),)
        heading = (Styled(title, "title"), Styled(f" · {texts.TO_MOVE}"))
        if self.tight or width(heading) > self.columns:
            heading = (Styled(texts.MARK_TO_MOVE), heading[0])
        return heading

    def player(self, player: int) -> StyledBlock:
        """Return a player's own places and variables."""
        own = [p for p in self.board._places if "player" in p.index]
        if self.matter is not None or self.tight:
            own = [p for p in own if p.name in (self.matter or ()) or p.shape == "cell" or self._holds(p, player)]
        lines: StyledBlock = [self.heading(player), *self.family_blocks(own, player)]
        if self.tight:
            return lines
        if self.typed and self.state.to_move is not None:
            lines += flowed(self._lacking(player), self.columns)
        return lines + self.variables([v for v in self.board._variables if "player" in v.index], player)

    def _lacking(self, player: int) -> list[StyledLine]:
        """Return the marks on a player's board around which one place is empty, with the name that is typed for it."""
        items: list[StyledLine] = []
        for mark in self.board.marks:
            place = lacks(self.game, self.state, player, mark)
            if place:
                words = mark_words(self.game, self.state, player, mark)
                items.append((Styled(texts.LACKS.format(mark=words, place=place)),))
        return items

    def _holds(self, place: syntax.Place, player: int) -> bool:
        """Return whether something lies on a player's places of a family, or they have a limited room that is seen empty."""
        numbers = [self._number(place, index) for index in self._indexes(place, {"player": player})]
        room = any(0 <= place.rooms[n] <= WIDEST_ROOM for n in numbers) if place.rooms else False
        return room or any(self.game.contents(self.state, place.name, n) for n in numbers)

    def run_on(self, places: list[syntax.Place], variables: list[syntax.Variable]) -> StyledBlock:
        """Return places and variables one after another, each family with its title, without what is empty."""
        items: list[StyledLine] = []
        for place in places:
            items += self._run(place)
        return flowed([*items, *self._variable_items(variables, None)], self.columns)

    def _run(self, place: syntax.Place) -> list[StyledLine]:
        """Return a family in one line: its title, and its places that hold something by the names typed for them."""
        title = Styled(f"{self.board.title(place.name)}: ", "faint")
        if not place.index:
            lying = self.game.contents(self.state, place.name, 0)
            return [(title, *self._contents(place, ()))] if lying else []
        items = self._filled(place, {})
        return [(title, *items[0]), *items[1:]] if items else []

    def _filled(self, place: syntax.Place, fixed: dict[str, int]) -> list[StyledLine]:
        """Return the places of a family that hold something or have room, each with the name that is typed for it."""
        items: list[StyledLine] = []
        for index in self._indexes(place, fixed):
            number = self._number(place, index)
            if self.game.contents(self.state, place.name, number) or self._printed(place, index):
                rest = [code for n, code in zip(place.index, index, strict=True) if n not in fixed]
                label = ",".join(self.game.model.value_name(code) for code in rest)
                items.append((Styled(f"{label}: "), *self._contents(place, index)))
        return items

    def _printed(self, place: syntax.Place, index: tuple[int, ...]) -> bool:
        """Return whether an empty cell shows something that is printed there."""
        return place.shape == "cell" and self.board.under(self.state, place, index).how == "under"

    def _entry(self, place: syntax.Place, player: int | None) -> StyledLine:
        """Return a single place with its title; where it must be small, without."""
        contents = self._single(place, player)
        if self.tight:
            return contents
        return (Styled(f"{self.board.title(place.name)}: ", "faint" if self.typed else "plain"), *contents)

    def family_blocks(self, places: list[syntax.Place], player: int | None = None) -> StyledBlock:
        """Return the places in order; those with the same rows are side by side."""
        lines: StyledBlock = []
        for (down, _), group in groupby(places, self._down):
            members = list(group)
            if down:
                level = max(len(self.board.grid(p)) for p in members)
                lines += beside([self._grid(p, player, i == 0, level == 2) for i, p in enumerate(members)], 3)
            elif all(p.index in ((), ("player",)) for p in members):
                lines += flowed([self._entry(p, player) for p in members], self.columns)
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
        limit = self.columns
        lines: StyledBlock = [] if self.tight else [(Styled(self.board.title(place.name), "faint"),)]
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
        heads = heads and not self.tight
        names = [name(code) if heads else "" for code in values[grid[0]]]
        margin = max(len(head) for head in names) + heads
        rows = [
            [self._contents(place, index, aligned=True) for index in self._indexes(place, {**fixed, grid[0]: code})]
            for code in values[grid[0]]
        ]
        wide = max((width(cell) for row in rows for cell in row), default=1)
        lines: StyledBlock = []
        if self.tight:
            pass
        elif len(grid) == 2:
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
                line += [*padded(cell, wide, align), Styled("" if self.tight and wide == 1 else " ")]
            lines.append(tuple(line[:-1]))
        return lines

    def _list(self, place: syntax.Place, player: int | None) -> StyledBlock:
        """Return a family without a grid: its places one after another."""
        fixed = {} if player is None else {"player": player}
        if self.typed:
            title = Styled(f"{self.board.title(place.name)}: ", "faint")
            filled = self._filled(place, fixed)
            return flowed([(title, *filled[0]), *filled[1:]] if filled else [(title, self._nothing)], self.columns)
        items = []
        for index in self._indexes(place, fixed):
            names = [(n, code) for n, code in zip(place.index, index, strict=True) if n not in fixed]
            label = ", ".join(self.board.index_label(n, code) for n, code in names)
            items.append((Styled(f"{label}: "), *self._contents(place, index)))
        return [(Styled(self.board.title(place.name), "faint"),), *flowed(items, self.columns)]

    def _single(self, place: syntax.Place, player: int | None) -> StyledLine:
        return self._contents(place, () if player is None else (player,))

    # one place -------------------------------------------------------------------------------------------

    def _contents(self, place: syntax.Place, index: tuple[int, ...], aligned: bool = False) -> StyledLine:
        """Return what lies in a place. `aligned`: pieces below those of another place are equally wide."""
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
            faces = {} if self.tight else {self.board.symbol(k): self.board.face(self.state, k) for k, _ in pieces}
            return self._spaced(slots, self.board.cell_width[place.name] if aligned else 0, faces)
        return self._counts(pieces)

    def _spaced(self, slots: list[Styled], wide: int, faces: dict[str, list[Styled]]) -> StyledLine:
        if not slots:
            return (self._nothing,)
        line: list[Styled] = []
        wide = 0 if any(faces.values()) else wide  # what is printed on pieces is not equally long
        together = self.tight and all(len(slot.text) == 1 for slot in slots)
        for slot, after in pairwise([*slots, None]):
            assert slot is not None
            line += [Styled(" " * (wide - columns_of(slot.text))), slot, *faces.get(slot.text, ())]
            are_words = after is not None and min(len(slot.text), len(after.text)) > LONGEST_SYMBOL
            comma = "," if are_words and not wide and not any(faces.values()) else ""
            line.append(Styled(comma if together else f"{comma} "))
        return tuple(piece for piece in line[:-1] if piece.text)

    @property
    def _nothing(self) -> Styled:
        return Styled(texts.NOTHING, "faint")

    def _counts(self, pieces: list[tuple[int, int]]) -> StyledLine:
        if not pieces:
            return (self._nothing,)
        line: list[Styled] = []
        between = ", " if any(len(self.board.symbol(kind)) > LONGEST_SYMBOL for kind, _ in pieces) else " "
        for kind, count in pieces:
            piece = self.board.piece(kind)
            line += [Styled(_times(count, piece.text)), piece, *self.board.face(self.state, kind), Styled(between)]
        return tuple(part for part in line[:-1] if part.text)

    def _unseen(self, place: syntax.Place, pieces: list[tuple[int, int]]) -> StyledLine:
        """Return how many pieces there are, and what they show of themselves."""
        total = sum(count for _, count in pieces)
        if not pieces:
            return (Styled(".", "faint") if place.shape == "cell" else self._nothing,)
        if place.shape == "cell" and place.shows is None:
            return (Styled(texts.HIDDEN_PIECE),)
        if place.shows is None:
            return (Styled(texts.HIDDEN.format(count=total)),)
        backs: dict[int, int] = {}
        for kind, count in pieces:
            back = self.game.shown(place.name, kind)
            if back is not None:
                backs[back] = backs.get(back, 0) + count
        name = self.game.model.value_name
        shown = ", ".join(f"{n} {name(back).replace('_', ' ')}" for back, n in sorted(backs.items()))
        return (Styled(f"{texts.HIDDEN.format(count=total)} ({shown})"),)

    # variables -------------------------------------------------------------------------------------------

    def variables(self, variables: list[syntax.Variable], player: int | None = None) -> StyledBlock:
        """Return variables with their values, one after another."""
        return flowed(self._variable_items(variables, player), self.columns)

    def _variable_items(self, variables: list[syntax.Variable], player: int | None) -> list[StyledLine]:
        """Return variables with their values; of those with indexes, only what has changed since the start.

        Things that are only counted, such as dice, are a list. A word about players that no longer counts is left out, as in the picture.
        """
        items: list[StyledLine] = []
        for v in variables:
            if v.flags_players and self.game.is_stale(self.state, v.name):
                continue
            name = Styled(f"{self.board.title(v.name)}: ", "faint" if self.typed else "plain")
            at = v.index.index("player") if player is not None else -1
            own = [number for number, index in enumerate(product(*v.index_values)) if at < 0 or index[at] == player]
            if any((v.name, number) in self.unseen for number in own):
                items.append((name, Styled(HIDDEN)))
                continue
            if len(v.index) == (at >= 0):
                own_index = () if player is None else (player,)
                if not (self.typed and self.game.variable(self.state, v.name, *own_index) == syntax.NONE):
                    items.append((name, Styled(self._value(v, own_index))))
                continue
            if is_counted(self.game, v, owned=at >= 0):
                labels = [value_label(self.game, n, v.type) for n in counted_values(self.game, self.state, v, player)]
                items += [(name, Styled(listed(labels)))] if labels else []
                continue
            changed = []
            for index, start in zip(product(*v.index_values), v.starts, strict=True):
                value = self.game.variable(self.state, v.name, *index)
                if value != start and (at < 0 or index[at] == player):
                    changed.append(self._at_index(v, index, value, at))
            if changed:
                items.append((name, Styled(", ".join(changed))))
        return items

    def _at_index(self, variable: syntax.Variable, index: tuple[int, ...], value: int, at: int) -> str:
        """Return one value of a variable with its indexes but that at `at`: `left 6`, `6 (field 2)`, or only the name of what is so."""
        several = [i for i, values in enumerate(variable.index_values) if i != at and len(values) > 1]
        rest = ",".join(self.game.model.value_name(index[i]) for i in several)
        if not rest:
            return self._value(variable, index)
        if isinstance(variable.type, syntax.YesNo) and value:
            return rest
        if not rest[-1].isdigit():
            return f"{rest} {self._value(variable, index)}"
        name = variable.index[several[0]].replace("_", " ") if len(several) == 1 else ""
        return texts.ON_TRACK.format(value=self._value(variable, index), printed=f"{name} {rest}".strip())

    def _value(self, variable: syntax.Variable, index: tuple[int, ...]) -> str:
        """Return a value, and what is printed there if it is a step on a track."""
        value = self.game.variable(self.state, variable.name, *index)
        named = isinstance(variable.type, syntax.Values) and variable.type.home == "player" and value != syntax.NONE
        shown = self.board.names[value - 1] if named else value_label(self.game, value, variable.type)
        printed = self.game.drawn(self.state, ("layout", variable.name, "under"), *index, value)
        if printed in (None, syntax.NONE):
            return shown
        return texts.ON_TRACK.format(value=shown, printed=self.game.model.value_name(printed))


def value_label(game: Game, value: int, t: syntax.Type) -> str:
    """Return the value of a variable as people read it: with the author's label, else its name in words."""
    label = game.notation.label(value, t)
    return label.replace("_", " ") if label == game.model.value_name(value) else label


def _times(count: int, symbol: str) -> str:
    """Return what comes before a symbol: nothing for one piece, else how many, so that it cannot be taken for the symbol."""
    if count == 1:
        return ""
    if symbol[:1].isdigit():
        return texts.TIMES.format(count=count)
    return f"{count} " if len(symbol) > LONGEST_SYMBOL else str(count)
