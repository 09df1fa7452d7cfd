"""Draws as they are typed: a line is read piece by piece, and each piece is checked as if it were drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from interpreter import CHANCE, Game, Move, Spot, State
from referee.table import texts
from referee.table.draws import Asked, BadDraw, Draws
from rulespec import listed, listed_some, quoted, suggest, syntax

FILLERS = frozenset(["draw", "roll", "deal", "and", "the", "a", "an", "of", "to"])  # words that mean nothing here
UNKNOWN = -1  # a piece that the referee does not know
UNKNOWN_WORD = "?"
MOST_PIECES = 1_000  # that one number can ask for
MOST_NAMES = 12  # in a message
MOST_LABELS = 8
Faces = Mapping[str, Sequence[int]]  # kinds by what is printed on them
NO_FACES: Faces = MappingProxyType({})
_COUNT = re.compile(r"(\d{1,4})[x×*]?(.*)", re.IGNORECASE)
_TIMES = re.compile(r"(.*?)[x×*](\d{1,4})", re.IGNORECASE)


def simple(text: str) -> str:
    """Return a name without case, underscores, dots and brackets."""
    return " ".join(re.sub(r"[_.\[\](),]", " ", text.lower()).split())


class Vocabulary:
    """The words for some pieces or values: names, labels, symbols, beginnings of names."""

    def __init__(self, game: Game, domain: tuple[int, ...], backs: Iterable[int] = (), faces: Faces = NO_FACES) -> None:
        self.model = game.model
        self.domain = domain
        printed = {word: [kind for kind in kinds if kind in domain] for word, kinds in faces.items()}
        self.faces = {word: kinds for word, kinds in printed.items() if kinds}
        self.phrases = {simple(game.model.value_name(back)): back for back in backs}
        self.phrases |= {simple(game.notation.kind_label(code)): code for code in reversed(domain)}
        self.phrases |= {simple(game.model.value_name(code)): code for code in domain}
        exact = {symbol: code for code, symbol in game.model.view.symbols.items() if code in domain}
        self.symbols = {**{symbol.lower(): code for symbol, code in exact.items()}, **exact}
        self.longest = max(phrase.count(" ") for phrase in self.phrases) + 2

    def read(self, queue: list[str]) -> list[int]:
        """Return the pieces that the next words name; these words are taken from the queue."""
        while len(queue) > 1 and queue[0].lower() in FILLERS and self._value(queue[0]) is None:
            queue.pop(0)
        times = 1
        if (found := _COUNT.fullmatch(queue[0])) and self._value(queue[0]) is None:
            times = int(found[1])
            queue[:1] = [found[2]] if found[2] else []
            if not queue or not times:
                raise BadDraw(texts.COUNT_ALONE.format(number=found[1]))
        elif (found := _TIMES.fullmatch(queue[0])) and found[1] and self._value(found[1]) is not None:
            queue[:1] = [found[1], f"x{found[2]}"]
        codes = self._codes(queue)
        if queue and (after := _TIMES.fullmatch(queue[0])) and not after[1]:
            queue.pop(0)
            times *= int(after[2])
        if times > MOST_PIECES:
            raise BadDraw(texts.FAR_TOO_MANY.format(number=times))
        return codes * times

    def _value(self, word: str) -> int | None:
        code = self.phrases.get(simple(word), self.symbols.get(word, self.symbols.get(word.lower())))
        printed = self._printed(word)
        return printed[0] if code is None and len(printed) == 1 else code

    def _printed(self, word: str) -> Sequence[int]:
        """Return the pieces on which this is printed; letters that name pieces one by one are those pieces."""
        if all(letter in self.symbols or letter.lower() in self.symbols for letter in word):
            return ()
        return self.faces.get(word.strip("[]").lower(), ())

    def _codes(self, queue: list[str]) -> list[int]:
        for length in range(min(self.longest, len(queue)), 0, -1):
            phrase = simple(" ".join(word for i, word in enumerate(queue[:length]) if word != "of" or not i))
            if phrase in self.phrases:
                del queue[:length]
                return [self.phrases[phrase]]
        word = queue.pop(0)
        if set(word) == {UNKNOWN_WORD}:
            return [UNKNOWN] * len(word)
        code = self._value(word)
        if code is not None:
            return [code]
        if self._printed(word):
            raise BadDraw(self._unreadable(word, list(self._printed(word))))
        near = sorted({code for phrase, code in self.phrases.items() if phrase.startswith(simple(word))})
        if len(near) == 1:
            return near
        letters = [self.symbols.get(letter, self.symbols.get(letter.lower())) for letter in word]
        if None not in letters:
            return [code for code in letters if code is not None]
        raise BadDraw(self._unreadable(word, near))

    def _unreadable(self, word: str, near: list[int]) -> str:
        names = [self.model.value_name(code) for code in self.domain]
        if near:
            meanings = [self.model.value_name(code) for code in near]
            return texts.AMBIGUOUS.format(word=word, meanings=listed_some(meanings, MOST_LABELS))
        hint = suggest(word.lower(), names)
        return texts.UNREADABLE_PIECE.format(word=word, expected=listed_some(names, MOST_NAMES), hint=hint)


@dataclass(slots=True)
class Segment:
    """Some words of a line, and what they are for, if the line says so."""

    queue: list[str]
    what: Spot | str | None = None
    ready: list[int] = field(default_factory=list)
    began: Spot | str | None = None  # what its last piece was for

    @property
    def empty(self) -> bool:
        return not self.queue and not self.ready


@dataclass(frozen=True, slots=True)
class TypedDraw:
    """A decision of chance that was typed. `unknown`: the referee does not know it, and assumes something possible."""

    move: Move
    asked: Asked
    unknown: bool = False


class DrawReader:
    """Reads lines of draws for one game."""

    def __init__(self, draws: Draws) -> None:
        self.draws = draws
        self.game = draws.game
        self._vocabularies: dict[tuple[tuple[int, ...], tuple[int, ...]], Vocabulary] = {}  # by pieces, and their backs

    def vocabulary(self, state: State) -> Vocabulary:
        """Return the words for what chance can decide now."""
        decision = self.game.decision(state)
        domain = decision.domain if decision is not None else ()
        domain = domain or tuple(move.args[0] for move, _ in self.game.chances(state))
        backs = tuple(sorted(self._backs(state)))
        if (domain, backs) not in self._vocabularies:
            self._vocabularies[domain, backs] = Vocabulary(self.game, domain, backs, self.draws.wording.faces)
        return self._vocabularies[domain, backs]

    def _backs(self, state: State) -> dict[int, list[tuple[Move, int]]]:
        """Return what the piece that is drawn next can show to those who may not see it, and what it then is; usually nothing."""
        goal = self.draws.next_asked(state).goal
        found: dict[int, list[tuple[Move, int]]] = {}
        if goal is not None and not self.draws.wording.open_to_all(goal):
            for move, weight in self.game.chances(state):
                back = self.game.shown(goal.family, move.args[0])
                if back is not None:
                    found.setdefault(back, []).append((move, weight))
        return found

    def pieces(self, line: str, kinds: tuple[int, ...]) -> list[int]:
        """Return the pieces of these kinds that a line names. Raises BadDraw."""
        queue = line.replace(",", " ").split()
        if not queue:
            raise BadDraw(texts.NOTHING_TYPED)
        found = Vocabulary(self.game, kinds, faces=self.draws.wording.faces).read(queue)
        if queue or UNKNOWN in found:
            raise BadDraw(texts.ONE_ONLY)
        return found

    def read(self, state: State, line: str, known: Sequence[Asked]) -> list[TypedDraw]:
        """Return what a line says was drawn, from this position on. `known` are the places that a label can name.

        INVARIANT: a line counts as a whole. If one word of it is wrong, BadDraw says why and nothing was drawn.
        """
        return self.read_segments(state, self.segments(line, known))

    def read_segments(self, state: State, segments: list[Segment]) -> list[TypedDraw]:
        """Return what the parts of a line say was drawn."""
        parted = len([s for s in segments if s.what is None]) > 1
        found: list[TypedDraw] = []
        while state.to_move == CHANCE:
            asked = self.draws.next_asked(state)
            segment = self._segment_for(asked, segments, parted)
            if segment is None:
                break
            segment.began = asked.what
            if not segment.ready:
                segment.ready = self.vocabulary(state).read(segment.queue)
            drawn = self._drawn(state, asked, segment.ready.pop(0))
            found.append(drawn)
            state = self.game.apply(state, drawn.move)
        self._check_rest(state, segments)
        return found

    def _drawn(self, state: State, asked: Asked, code: int) -> TypedDraw:
        chances = self.game.chances(state)
        if code == UNKNOWN:
            if asked.goal is None or self.draws.wording.open_to_all(asked.goal):
                raise BadDraw(texts.NOT_HIDDEN.format(label=self.draws.label(asked)))
            backs = self._backs(state)
            if len(backs) > 1:
                names = sorted(self.game.model.value_name(back) for back in backs)
                raise BadDraw(texts.SAY_THE_BACK.format(backs=listed(quoted(names), "or")))
            return TypedDraw(max(chances, key=lambda chance: chance[1])[0], asked, True)
        for move, _ in chances:
            if move.args[0] == code:
                return TypedDraw(move, asked)
        same = self._backs(state).get(code)
        if same:
            return TypedDraw(max(same, key=lambda chance: chance[1])[0], asked, True)
        raise BadDraw(self.draws.refusal(state, asked, code), code)

    # labels ----------------------------------------------------------------------------------------------

    def segments(self, line: str, known: Iterable[Asked]) -> list[Segment]:
        """Return the parts of a line: `pot 1: bead bead pot 2: bead`, or parts divided by semicolons."""
        segments: list[Segment] = []
        for stretch in line.split(";"):
            *heads, last = stretch.split(":")
            segment = Segment([])
            for head in heads:
                before = head.replace(",", " ").split()
                what, length = self._label(before, known)
                segment.queue += before[: len(before) - length]
                segments.append(segment)
                segment = Segment([], what)
            segment.queue += last.replace(",", " ").split()
            segments.append(segment)
        return [s for s in segments if s.queue or s.what]

    def _label(self, before: list[str], known: Iterable[Asked]) -> tuple[Spot | str, int]:
        """Return what the last words before a colon name, and how many words that takes."""
        options = list(dict.fromkeys(asked.what for asked in known))
        for length in range(len(before), 0, -1):
            text = " ".join(before[-length:])
            matching = self._matching(text, options) or self._matching(text, self.draws.everything, exactly=True)
            if len(matching) == 1:
                return matching[0], length
            if matching:
                labels = listed_some([self.draws.label(what) for what in matching], MOST_LABELS)
                raise BadDraw(texts.AMBIGUOUS.format(word=text, meanings=labels))
        labels = listed_some([self.draws.label(what) for what in options], MOST_LABELS)
        raise BadDraw(texts.UNKNOWN_LABEL.format(label=" ".join(before[-2:]), expected=labels))

    def _matching(self, text: str, options: Sequence[Spot | str], exactly: bool = False) -> list[Spot | str]:
        """Return what a label can name: exactly this, or something whose words begin that way."""
        whole = simple(re.sub(r"(?<=[a-z])(?=\d)", " ", text.lower())).split()
        if called := [what for what in options if whole == simple(self.draws.label(what)).split()]:
            return called  # also if its name is one of the fillers
        typed = [w for w in whole if w not in FILLERS]
        if not typed:
            return list(options) if len(options) == 1 and not exactly else []
        aliases = {what: [a.split() for a in self._aliases(what)] for what in options}
        found = [what for what in options if typed in aliases[what]]
        if found or exactly:
            return found
        return [what for what in options if any(_begins(typed, alias) for alias in aliases[what])]

    def _aliases(self, what: Spot | str) -> list[str]:
        label = " ".join(w for w in simple(self.draws.label(what)).split() if w not in FILLERS)
        if isinstance(what, str):
            return [label, simple(what)]
        names = simple(" ".join(self.game.model.value_name(code) for code in self.draws.wording.spots[what]))
        return [label, f"{simple(what.family)} {names}".strip(), *([names] if names else [])]

    # order -----------------------------------------------------------------------------------------------

    def _segment_for(self, asked: Asked, segments: list[Segment], parted: bool) -> Segment | None:
        for segment in segments:
            if segment.what == asked.what and not segment.empty:
                return segment
        if any(segment.what == asked.what for segment in segments):
            return None
        plain = [s for s in segments if s.what is None and not s.empty]
        if not plain:
            return None
        if parted:
            used = [s for s in segments if s.what is None and s.began is not None]
            if used and used[-1].empty and used[-1].began == asked.what:
                raise BadDraw(texts.TOO_FEW_IN_PART.format(label=self.draws.label(asked)))
            if plain[0].began not in (None, asked.what):
                raise BadDraw(self._too_many(plain[0], plain[0].began))
        return plain[0]

    def _check_rest(self, state: State, segments: list[Segment]) -> None:
        """Complain about words that were not used."""
        for segment in segments:
            if segment.empty and (segment.began is not None or segment.what is None):
                continue
            if segment.began is None and segment.what is not None and state.to_move == CHANCE:
                now = self.draws.label(self.draws.next_asked(state))
                raise BadDraw(texts.NOT_YET.format(label=self.draws.label(segment.what), now=now))
            raise BadDraw(self._too_many(segment, segment.began or segment.what))

    def _too_many(self, segment: Segment, what: Spot | str | None) -> str:
        names = [self.draws.wording.kind(code) for code in segment.ready if code not in (UNKNOWN, syntax.NONE)]
        rest = " ".join([*names, *segment.queue])
        if what is None:
            return texts.TOO_MANY.format(rest=rest)
        return texts.TOO_MANY_FOR.format(rest=rest, label=self.draws.label(what))


def _begins(typed: list[str], words: list[str]) -> bool:
    return len(typed) == len(words) and all(w.startswith(t) for t, w in zip(typed, words, strict=True))
