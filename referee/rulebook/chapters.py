"""The chapters of a rulebook, made from a checked game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

from referee.rulebook import texts
from referee.rulebook.book import BookItem, Section, capital, em
from referee.rulebook.expressions import ExpressionWords
from referee.rulebook.grammar import article, is_plural, number_of_things, plural
from referee.rulebook.nouns import Nouns, spaced
from referee.rulebook.phrases import Noun, one_of
from referee.rulebook.step_sentences import step_items, title_of
from referee.shell.blocks import Styled, StyledLine
from rulespec import Model, Secrecy, listed, nodes, syntax

LONGEST_LIST = 150  # characters of members to list one by one

Begun = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]  # where pieces start: (family, (which place, how many))


class Chapters:
    """Writes the chapters about one game; `tree` has the pages that its entries cite."""

    def __init__(self, model: Model, tree: nodes.Mapping) -> None:
        self.model = model
        self.tree = tree
        self.nouns = Nouns(model, tree)
        self.words = ExpressionWords(model, self.nouns, {})

    def sections(self) -> tuple[Section, ...]:
        found = (
            self.components(),
            self.setup(),
            self.course(),
            self.moves(),
            self.scoring(),
            self.end(),
            self.terms(),
        )
        return tuple(s for s in found if s.items or s.sections)

    def see(self, section: str, name: str) -> str:
        """Return the page that an entry cites."""
        node = self.tree.get(section)
        for key, value in node if isinstance(node, nodes.Mapping) else ():
            if nodes.bare_name(key.text) == name and isinstance(value, nodes.Mapping):
                see = value.get("see")
                return see.text if isinstance(see, nodes.Scalar) else ""
        return ""

    # components ------------------------------------------------------------------------------------------

    def components(self) -> Section:
        parts = (
            Section(texts.PIECES, tuple(self._pieces())),
            Section(texts.PLACES, tuple(self._place(p) for p in self.model.places.values())),
            Section(texts.SETS, tuple(self._sets())),
            Section(texts.PRINTED, tuple(self._tables())),
            Section(texts.REMEMBERED, tuple(self._variable(v) for v in self.model.variables.values())),
        )
        return Section(texts.COMPONENTS, sections=tuple(p for p in parts if p.items))

    def _pieces(self) -> Iterator[BookItem]:
        """Yield how many there are of each kind, and where they start; equal ones together."""
        starts: dict[int, dict[str, dict[int, int]]] = {}
        for s in self.model.pieces:
            counts = starts.setdefault(s.kind, {}).setdefault(s.place, {})
            counts[s.number] = counts.get(s.number, 0) + s.count
        alike: dict[Begun, list[int]] = {}
        for kind, places in starts.items():
            begun = tuple((p, tuple((at, n) for at, n in counts.items() if n)) for p, counts in places.items())
            alike.setdefault(begun, []).append(kind)
        for begun, kinds in alike.items():
            place = self.model.places[begun[0][0]]
            many = self.nouns.pieces_on(place.name)
            if len(kinds) > 1 and set(place.kinds) == set(kinds) and not many.is_list:
                yield self._pieces_of_kinds(begun, kinds, str(many))
                continue
            for sort, some in sorted(self.nouns.by_sort(kinds), key=lambda pair: kinds.index(pair[1][0])):
                if len(some) > 1:
                    yield self._pieces_of_kinds(begun, some, plural(sort))
                else:
                    yield self._pieces_of_kind(begun, some[0])

    def _pieces_of_kind(self, begun: Begun, kind: int) -> BookItem:
        total = sum(count for _, counts in begun for _, count in counts)
        where = listed(self._start(place, counts) for place, counts in begun if counts) or texts.NONE_THERE
        name = self.nouns.kind(kind)
        lead = name if total == 1 else plural(name)
        return BookItem(f"{total}, {where}.", lead=lead, tag=name, lead_of_many=plural(name))

    def _pieces_of_kinds(self, begun: Begun, kinds: Sequence[int], lead: str) -> BookItem:
        total = sum(count for _, counts in begun for _, count in counts)
        where = listed(self._start(place, counts, " of each kind") for place, counts in begun if counts)
        names = [self.nouns.kind(k) for k in kinds]
        shown = f": {listed(names)}" if len(kinds) <= 12 else ""
        each = f"{total} of each kind" if total != 1 else "one of each kind"
        start = f"they start {where}" if total else texts.NONE_THERE
        return BookItem(f"{len(kinds) * total} in all, {each}{shown}; {start}.", lead=lead, tag=names[0])

    def _start(self, place: str, counts: tuple[tuple[int, int], ...], of: str = "") -> str:
        """Return where pieces begin: all places of a family, or each of those that have some."""
        family = self.model.places[place]
        name = self.nouns.place(family)
        into = "in" if self.nouns.holds_inside(family) else "on"
        if not family.index:
            return f"{into} {self.nouns.named_place(family)}"
        numbers = {count for _, count in counts}
        if len(counts) == family.size and len(numbers) == 1:
            index = [self.nouns.of_set(i) for i in family.index]
            each = f"each {name}" if not is_plural(name) else f"the {name} of each {listed(index)}"
            where = f"{into} {f'each {self.nouns.player}’s {name}' if family.index == ('player',) else each}"
            return f"{'with ' if of else ''}{numbers.pop()}{of} {where}"
        if len(counts) == 1:
            spot = self._spots(family, [counts[0][0]])
            return f"{into} {spot}’s {name}" if family.index == ("player",) else f"{into} the {name} at {spot}"
        where = f"{into} the {name if family.shape == 'cell' else plural(name)}"
        if len(numbers) == 1:
            number = numbers.pop()
            each = f"{number}{of} {into} each of " if number > 1 or family.shape == "pile" else ""
            return f"{where}: {each}{self._spots(family, [at for at, _ in counts])}"
        return f"{where}: {', '.join(f'{count}{of} {into} {self._spots(family, [at])}' for at, count in counts)}"

    def _spots(self, family: syntax.Place, numbers: list[int]) -> str:
        """Return places of a family by their indexes: `row 1, column 2`; all of some rows and columns in few words."""
        indexes = []
        for number in numbers:
            codes: list[int] = []
            for values in reversed(family.index_values):
                codes.insert(0, values[number % len(values)])
                number //= len(values)
            indexes.append(tuple(codes))
        columns = [tuple(dict.fromkeys(column)) for column in zip(*indexes, strict=True)]
        if sorted(product(*columns)) == sorted(indexes):
            return self._spot(family, columns)
        return "; ".join(self._spot(family, [(code,) for code in index]) for index in indexes)

    def _spot(self, family: syntax.Place, columns: list[tuple[int, ...]]) -> str:
        words: list[str] = []
        for name, codes in zip(family.index, columns, strict=True):
            known = self.model.sets.get(name)
            word = self.nouns.members(codes, known.type if known else syntax.Values(), "and")
            noun = self.nouns.of_set(name) if known else ""
            is_figure = self.nouns.value(codes[0], known.type).figure is not None if known else False
            words.append(f"{noun} {word}" if is_figure else word)
        return ", ".join(words)

    def _sets(self) -> Iterator[BookItem]:
        """Yield how many members the sets have that are no pieces, and which."""
        kinds = set(self.model.kinds)
        for s in self.model.sets.values():
            if s.name == "player" or not s.values or set(s.values) <= kinds or s.parts:
                continue
            shown = self.nouns.members(s.values, s.type, "and")
            many = number_of_things(len(s.values), self.nouns.of_set(s.name))
            listing = f": {shown}" if len(shown) <= LONGEST_LIST else ""
            yield BookItem(f"{many}{listing}.", tag=f"set {s.name}")

    def _place(self, place: syntax.Place) -> BookItem:
        kinds = self.nouns.pieces_on(place.name)
        title = self.model.view.layout[place.name].title if place.name in self.model.view.layout else ""
        name = self.nouns.place(place)
        named = f" ({title})" if title and title.lower() not in (name, plural(name)) else ""
        each = [self.nouns.of_set(i) for i in place.index]
        one = f"one for each {listed(each)}" if each else "one"
        match place.shape:
            case "cell":
                text = f"{one}; a space for one of the {kinds}"
            case "stack":
                text = f"{one}; a stack of {kinds} (last in, first out)"
            case _:
                text = f"{one}; for {kinds}"
        text += self._room(place)
        if place.ways:
            text += f"; ways to neighbours: {listed(map(self.nouns.way, place.ways))}"
        sight = {"owner": "; only its owner sees what lies there", "nobody": "; nobody sees what lies there"}
        text += sight.get(place.seen_by, "")
        if place.shows is not None:
            inner = self.words.within([(place.kind_name, one_of(self.nouns.of_set(place.kind_name)))])
            text += f", but all see of each piece {inner.value(place.shows)}"
        return BookItem(f"{capital(text)}.", lead=name + named, see=self.see("places", place.name))

    def _room(self, place: syntax.Place) -> str:
        rooms = list(dict.fromkeys(place.rooms))
        if place.shape == "cell" or not rooms or rooms == [-1]:
            return ""
        if len(rooms) == 1:
            return f", at most {rooms[0]}"
        by = listed(self.nouns.of_set(i) for i in place.index if i != "player")
        return f", at most {self.nouns.members(sorted(rooms), syntax.Values())}, depending on the {by}"

    def _tables(self) -> Iterator[BookItem]:
        for table in self.model.tables.values():
            yield self._table(table)

    def _table(self, table: syntax.Table) -> BookItem:
        lead = spaced(table.name)
        if not table.index:
            return BookItem(f"{self._entry(table, table.entries[0])}.", lead=lead)
        names = self.nouns.index_names("tables", table.name)
        heads = [self._codes(codes, name) for codes, name in zip(table.index, names or [""] * 9, strict=False)]
        width = len(table.index[-1])
        if len(table.index) == 1:
            cells = [self._entry(table, e) for e in table.entries]
            if not names:
                return BookItem(f"{', '.join(cells)}.", lead=lead)
            pairs = [f"{head}: {cell}" for head, cell in zip(heads[0], cells, strict=True)]
            if len("; ".join(pairs)) > LONGEST_LIST * 2:
                inner = tuple(BookItem(f"{cell}.", lead=head) for head, cell in zip(heads[0], cells, strict=True))
                return BookItem("", lead=lead, items=inner)
            return BookItem(f"{'; '.join(pairs)}.", lead=lead)
        if all(code < syntax.NONE for code in table.index[-1]):
            heads[-1] = [str(code) for code in table.index[-1]]
        rows = [list(row) for row in product(*heads[:-1])]
        first = [*[""] * (len(heads) - 1), *heads[-1]]
        lines = [[Styled(cell, "faint") for cell in first]]
        for i, row in enumerate(rows):
            entries = table.entries[i * width : (i + 1) * width]
            lines.append([*(Styled(head, "faint") for head in row), *(self._cell(table, e) for e in entries)])
        wide = [max(len(line[c].text) for line in lines) for c in range(len(first))]
        board: list[StyledLine] = []
        for pieces in lines:
            padded = [(p, Styled(" " * (w - len(p.text) + 1))) for p, w in zip(pieces, wide, strict=True)]
            board.append(tuple(part for pair in padded for part in pair))
        return BookItem("", lead=lead, board=tuple(board))

    def _cell(self, table: syntax.Table, entry: int | tuple[int, ...]) -> Styled:
        colour = self.model.view.colours.get(entry, "") if isinstance(entry, int) else ""
        return Styled(self._entry(table, entry), "piece" if colour else "plain", colour)

    def _codes(self, codes: tuple[int, ...], name: str) -> list[str]:
        t = self.model.sets[name].type if name in self.model.sets else syntax.Values()
        words = [self.nouns.value(c, t) for c in codes]
        noun = self.nouns.of_set(name) if name in self.model.sets else ""
        return [f"{noun} {word}".strip() if word.figure is not None else str(word) for word in words]

    def _entry(self, table: syntax.Table, entry: int | tuple[int, ...]) -> str:
        t = table.type
        if isinstance(entry, tuple):
            return listed(self.nouns.value(c, t) for c in entry) or "nothing"
        if isinstance(t, syntax.YesNo):
            return "yes" if entry else "no"
        return str(self.nouns.value(entry, t))

    def _variable(self, v: syntax.Variable) -> BookItem:
        each = [self.nouns.of_set(i) or "number" for i in v.index]
        owner = f" (of each {listed(each)})" if each else ""
        if isinstance(v.type, syntax.YesNo):
            text = "yes or no"
        elif isinstance(v.type, syntax.Values):
            text = self._by_players(v.name) or self._range(v.type)
        else:
            text = "a value"
        starts = list(dict.fromkeys(v.starts))
        if len(starts) == 1:
            text += f"; at first {self._first(v.type, starts[0])}"
        text += f"; never below {v.never_below}" if v.never_below is not None else ""
        text += f"; never above {v.never_above}" if v.never_above is not None else ""
        text += {"owner": "; only its owner sees it", "nobody": "; nobody sees it"}.get(v.seen_by, "")
        says = self.model.view.says.get(v.name, "")
        meaning = f"{says}: " if "{" not in says and says.removeprefix("the ") not in ("", spaced(v.name)) else ""
        return BookItem(f"{capital(meaning + text)}.", lead=spaced(v.name) + owner, see=self.see("variables", v.name))

    def _first(self, t: syntax.Type, code: int) -> str:
        """Return what a variable is at first."""
        if isinstance(t, syntax.YesNo):
            return "yes" if code else "no"
        family = self.nouns.coded_family(t)
        if family is None or code == syntax.NONE:
            return str(self.nouns.value(code, t))
        return self._spots(self.model.places[family], [code - self.model.place_codes[family][0]])

    def _by_players(self, name: str) -> str:
        """Return the range of a variable that depends on the number of players, as it is written."""
        node = self.tree.get("variables")
        for key, value in node if isinstance(node, nodes.Mapping) else ():
            if nodes.bare_name(key.text) == name:
                said = value.get("is") if isinstance(value, nodes.Mapping) else value
                text = said.text if isinstance(said, nodes.Scalar) else ""
                low, dots, high = text.partition("..")
                if dots and re.search(r"\bplayers\b", text):
                    ends = [re.sub(r"\bplayers\b", "the number of players", end.strip()) for end in (low, high)]
                    return "a number from {} to {}".format(*(spaced(end.replace("*", "×")) for end in ends))
        return ""

    def _range(self, t: syntax.Values) -> str:
        if (family := self.nouns.coded_family(t)) is not None:
            text = self.nouns.one_place(family)
        elif t.home:
            text = article(self.nouns.of_set(t.home))
        elif t.lo is not None and not t.members:
            text = f"a number from {t.lo} to {t.hi}" if t.lo != t.hi else f"the number {t.lo}"
        else:
            names = [self.nouns.kind(c) for c in sorted(t.members)]
            text = listed([*([f"{t.lo} to {t.hi}"] if t.lo is not None else []), *names], "or")
        return text + (", or none" if t.none else "")

    # what happens ----------------------------------------------------------------------------------------

    def setup(self) -> Section:
        steps = self.model.procedures["setup"].body
        return Section(texts.SETUP, step_items(self.words, steps), ordered=True)

    def course(self) -> Section:
        """Yield the course of the whole game, then every named list of steps in the order of the file."""
        play = Section(texts.PLAY, step_items(self.words, self.model.procedures["play"].body), ordered=True)
        parts = [play]
        for procedure in self.model.procedures.values():
            if procedure.name in ("setup", "play") or ("steps", procedure.name) not in self.model.called:
                continue
            parts.append(self.procedure(procedure))
        return Section(texts.COURSE, sections=tuple(parts))

    def procedure(self, procedure: syntax.Procedure) -> Section:
        """Return the section about a named list of steps."""
        inner = self.words.given(procedure.parameters)
        title = title_of(self.words, procedure.name)
        given = listed(inner.scope[p.name].indefinite for p in procedure.parameters)
        return Section(title, step_items(inner, procedure.body), given=given, ordered=True)

    def moves(self) -> Section:
        return Section(texts.MOVES, sections=tuple(self.move(m) for m in self.model.moves.values()))

    def move(self, move: syntax.MoveRule) -> Section:
        """Return the section about one move."""
        words = self.words.given(move.given, move.choices, me=True)
        items = [BookItem(capital(words.template(move.text)) + ".", lead="In short")]
        if move.beside:
            items.append(BookItem(f"{em(spaced(move.beside))}.", lead="Offered beside"))
        if move.given:
            given = listed(words.scope[p.name].indefinite for p in move.given)
            items.append(BookItem(f"{given}.", lead="Given by the course of play"))
        for n, choice in enumerate(move.choices):
            before = self.words.given(move.given, move.choices[:n], me=True)
            items.append(self._choice(choice, words, before, choice.name in self._secrecy.kept(move.name)))
        conditions = tuple(
            BookItem(_condition(words, c), lead=c.name, quote=words.template(c.refusal)) for c in move.conditions
        )
        if conditions:
            items.append(BookItem(texts.MUST_HOLD, lead="Conditions", items=conditions))
        steps = step_items(words, move.does)
        items.append(BookItem("" if steps else "Nothing.", lead="What happens", items=steps))
        return Section(capital(spaced(move.name)), tuple(items), see=self.see("moves", move.name))

    @cached_property
    def _secrecy(self) -> Secrecy:
        return Secrecy(self.model)

    def _choice(
        self, choice: syntax.Choice, words: ExpressionWords, before: ExpressionWords, kept: bool = False
    ) -> BookItem:
        """Return what is chosen; `kept`: it is written down in secret."""
        text = f"{self._chosen(choice, words.scope[choice.name], before)}{texts.UNSEEN if kept else ''}."
        return BookItem(text, lead="Choose", tag=f"choose {choice.name}")

    def _chosen(self, choice: syntax.Choice, chosen: Noun, before: ExpressionWords) -> str:
        """Return what is chosen, and from what."""
        if isinstance(choice.type, syntax.Several) and choice.at_most is not None and choice.source is not None:
            most = before.value(choice.at_most)
            is_least = choice.at_least is None or before.value(choice.at_least).figure == 0
            pieces = self.nouns.kinds(choice.type.kinds)
            if choice.domain is not choice.source:
                pieces = before.kinds(choice.domain, pieces)
            source = before.place(choice.source)
            if not most.is_brief:
                return f"{pieces} from {source}, {'at most ' if is_least else ''}{most}"
            return f"{'up to ' if is_least and most.figure != 0 else ''}{most} {pieces} from {source}"
        domain = choice.domain
        if before.is_whole_set(domain) and isinstance(domain, syntax.Literal):
            values = domain.value if isinstance(domain.value, tuple) else ()
            anybody = isinstance(choice.type, syntax.Values) and choice.type.home == "player"
            members = "" if anybody else self.nouns.members(values, choice.type)
            return chosen.indefinite + (f": {members}" if members and len(members) <= LONGEST_LIST else "")
        family = self.nouns.coded_family(choice.type)
        if family is not None and self.nouns.are_all_places(domain):
            return self.nouns.one_place(family)
        if isinstance(domain, syntax.Items):
            return f"{chosen.indefinite}: {listed((self._listed(i, before) for i in domain.items), 'or')}"
        if (places := _listed_places(domain)) is not None:
            return f"{chosen.indefinite}: {_one_of(places, before)}"
        return f"{chosen.indefinite}: {before.value(domain)}"

    def _listed(self, item: syntax.Expr, before: ExpressionWords) -> str:
        """Return an item of a choice: one value or place, one of a set, or one of some places."""
        if not isinstance(item.type, syntax.ListOf):
            return str(before.value(item))
        if (places := _listed_places(item)) is not None:
            return _one_of(places, before)
        return article(self.nouns.of_type(item.type.item))

    # points ----------------------------------------------------------------------------------------------

    def scoring(self) -> Section:
        return Section(texts.SCORING, tuple(map(self.scoring_rule, self.model.rules.values())))

    def scoring_rule(self, rule: syntax.ScoringRule) -> BookItem:
        words = self.words.given(rule.parameters, me=True)
        given = listed(words.scope[p.name].indefinite for p in rule.parameters)
        lead = spaced(rule.name) + (f" (for {given})" if given else "")
        lost = _loss(rule.points)
        number = words.value(rule.points if lost is None else lost)
        unit = "" if number.figure is None else " point" if number.figure == 1 else " points"
        text = f"{capital(words.template(rule.text))}: you {'score' if lost is None else 'lose'} {number}{unit}."
        return BookItem(text, lead=lead, see=self.see("scoring", rule.name))

    def end(self) -> Section:
        me = one_of(self.nouns.player, determiner="the", is_person=True)
        words = replace(self.words, scope={"me": me})
        reasons = []
        for name, e in self.model.winner:
            if isinstance(e.type, syntax.YesNo):
                clause = words.condition(e)
                text = f"{me} who {clause.rest}" if clause.subject == me else f"{me} for whom {clause}"
            elif (
                isinstance(e, syntax.Arithmetic)
                and e.op == "-"
                and isinstance(e.left, syntax.Literal)
                and not e.left.value
            ):
                text = f"the lowest of: {words.value(e.right)}"
            else:
                text = f"the highest of: {words.value(e)}"
            reasons.append(BookItem(f"{capital(text)}.", lead=name))
        intro = texts.LINES_DECIDE if len(reasons) > 1 else texts.LINE_DECIDES
        return Section(texts.END, (BookItem(intro), *reasons))

    def terms(self) -> Section:
        items = []
        for f in self.model.functions.values():
            if f.name not in self.model.used:
                continue
            words = self.words.given(f.parameters)
            args = tuple(syntax.Local(p.type, p.name) for p in f.parameters)
            call = syntax.FunctionCall(f.body.type, f.name, args)
            if isinstance(f.body.type, syntax.YesNo):
                items.append(BookItem(f"if {words.condition(f.body)}.", lead=str(words.condition(call))))
            else:
                items.append(BookItem(f"{words.value(f.body)}.", lead=str(words.value(call))))
        return Section(texts.TERMS, tuple(items))


def _condition(words: ExpressionWords, condition: syntax.Condition) -> str:
    """Return a condition of a move as a sentence."""
    clause = str(words.condition(condition.that))
    return f"{texts.AFTER_THE_MOVE} {clause}." if condition.afterwards else f"{capital(clause)}."


def _listed_places(e: syntax.Expr) -> syntax.Expr | None:
    """Return the places of a list of which one is chosen, if it is one."""
    if isinstance(e, syntax.Aggregate) and e.op == "list" and isinstance(e.body, syntax.PlaceCode):
        return e.bindings[0][1]
    return None


def _one_of(places: syntax.Expr, words: ExpressionWords) -> str:
    if isinstance(places, syntax.Places):
        return f"one {words.on(places)}"
    return f"one of {words.value(places).as_source}"


def _loss(points: syntax.Expr) -> syntax.Expr | None:
    """Return how many points are lost, if they are."""
    if isinstance(points, syntax.Arithmetic):
        if points.op == "-" and isinstance(points.left, syntax.Literal) and not points.left.value:
            return points.right
        if points.op == "*" and (left := _loss(points.left)) is not None:
            return replace(points, left=left)
    return None
