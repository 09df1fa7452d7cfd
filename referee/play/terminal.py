"""A game on the screen: people are asked, bots play, and everything is announced as it happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, product

from interpreter import CHANCE, Budget, Move, State, cost_together, heaviness
from referee.bots import Advice, advise
from referee.play import texts
from referee.record.lines import RecordError
from referee.record.match import Decided
from referee.shell import out
from referee.shell import texts as shell_texts
from referee.shell.board import NO_FAMILIES, Families
from referee.shell.loop import BAD, FEW_MOVES, MOST_AGAIN, Command, Loop, Stop
from referee.shell.narration import WIDE, ending_lines, heading, result_line
from referee.shell.page import touched, touched_last
from rulespec import number_of, signed

LAST_ONES = 5  # decisions that are announced again when a game is resumed
MOST_THOUGHT = 400  # decisions of a game after which bots without people no longer think about theirs
MOST_THINKING = 250_000  # decisions that bots without people try in a game
MOST_ALONE = 5_000  # decisions of a game without people,
WORK_ALONE = (
    40_000  # and their work, of which a usual one costs 1: on a board of 20 by 20 there is enough for all of them
)
SCORED_COSTS = 2  # decisions that a line of points costs, which is kept, put into words and told
FEW_SCORED = 20  # lines of points from one decision, as in most games; where there are more, trying one takes longer:
SCORED_TRIED = 4  # lines that cost as much as one decision that is tried
MOVES_TRIED = 6  # moves that cost as much to list as one decision that is tried
NUMBERS_SHOWN = 8  # numbers of a position that cost as much to look through as one that is tried
HEAVY_EACH = 10  # how heavy rules make a decision costs as much as one that is usual
TRIED_EACH = 35  # decisions that are tried cost as much as one that is made, told and recorded
HASTY = "random"
MOST_REASONS = 2  # scoring rules that a hint names: with the worth of the move they fit on one line
MOST_LATELY = 6  # moves of others in the line above the prompt


class PlayMode:
    """A game on the screen, run by a `Loop`. `tell_seed`: whoever knows the seed can work out all that is hidden."""

    name = "play"
    how_to: Sequence[str] = (shell_texts.HOW_TO_MOVE,)

    def __init__(self, loop: Loop, tell_seed: bool = True) -> None:
        self.loop = loop
        self.match = loop.match
        self.game = loop.game
        self.tell_seed = tell_seed
        self._thinking = Budget("thinking of bots", MOST_THINKING)
        self._alone = Budget("playing of bots", WORK_ALONE)
        self._each = 1 + heaviness(self.game) // HEAVY_EACH + self.game.layout.size // NUMBERS_SHOWN // TRIED_EACH
        self._told_haste = False
        self._recent: list[Decided] = []  # since a person was asked last
        self._looking: int | None = None  # who has the screen, where it shows what others may not see
        self._owner = loop.match.people[0] if loop.match.people else 1  # whose board was shown last
        self._matter: tuple[State | None, Families] = (None, NO_FAMILIES)
        self._was_secret = False  # whether the screen showed what others may not see
        self._was_paged = loop.screen.pages

    @property
    def commands(self) -> Mapping[str, Command]:
        return {"hint": Command(lambda rest: self._hint(), (("hint", texts.HINT_HELP),))}

    def means_unseen(self, line: str) -> bool:
        return False  # whoever plays sees their own pieces

    def begin(self) -> None:
        match, loop = self.match, self.loop
        seed = texts.SEED.format(seed=match.seed) if self.tell_seed else ""
        loop.write(heading(match, number_of(self.game.players, "player")) + seed)
        loop.write(", ".join(texts.SEAT.format(name=seat.name, seat=seat.who) for seat in match.seats))
        if loop.record_path:
            loop.write(shell_texts.RECORDED_IN.format(path=loop.record_path), whole=True)
        if loop.screen.pages:
            loop.write(shell_texts.WELCOME)
        else:
            loop.show(loop.board.legend())
            if match.people:
                loop.write()
                loop.help()
            loop.write()
        made = [d for d in match.decided if d.player != CHANCE]
        if match.people and len(made) > LAST_ONES:  # a game that was resumed
            loop.write(texts.SO_FAR.format(decisions=number_of(len(match.decided), "decision")))
            self._announce(made[-LAST_ONES:])
        else:
            self._announce(([match.opening] if match.opening else []) + match.decided)
        self._recent = []

    def prompt(self) -> str | None:
        """Let bots play until a person is to move; None: the game is over."""
        while not self.match.human:
            if self.match.over:
                return self._over()
            if not self.match.people:
                self._stop_alone()
            self._play_bot()
        if not self.loop.shown:
            self._show_position()
        self._owner = self.match.viewer or self._owner
        return shell_texts.PROMPT.format(player=self.match.name_of(self.match.state.to_move or 0))

    def _stop_alone(self) -> None:
        """Stop a game without people that goes on for too long, or takes too much work."""
        decisions = self.match.state.decisions
        if decisions >= MOST_ALONE:
            out.to_stderr(texts.NO_END.format(decisions=number_of(MOST_ALONE, "decision")))
            raise Stop(BAD)
        if not self._alone.left:
            out.to_stderr(texts.TOO_MUCH.format(decisions=number_of(decisions, "decision")))
            raise Stop(BAD)

    def _over(self) -> str | None:
        """Show how the game ended and keep it on a page until somebody has looked; lines have said it."""
        loop = self.loop
        if not loop.screen.pages:
            return None
        if not loop.shown:
            if self._shares_secrets:
                self._clear_away()
                self._tell_again()
            loop.write_all(ending_lines(self.match))
            loop.shown = True
        return shell_texts.OVER_PROMPT

    def answer(self, line: str) -> None:
        if self.match.over:
            self.loop.refuse(texts.IS_OVER)
            return
        move = self.loop.read_move(line)
        if move is not None:
            decided = self.match.play(move)
            self._recent = []
            self._announce(decided)

    def moves(self) -> Sequence[Move]:
        return self.game.legal_moves(self.match.state) if self.match.human else ()

    def shows_moves(self) -> bool:
        return True

    def completions(self, line: str) -> list[str] | None:
        return None

    def undo(self, agreed: bool) -> list[Decided]:
        return self.match.undo(agreed)

    def redo(self, moves: list[Move]) -> None:
        """Make the moves of players again: chance decides the same."""
        first = len(self.match.decided)
        while len(self.match.decided) - first < len(moves):
            self.match.play(moves[len(self.match.decided) - first])
        self._announce(self.match.decided[first:])
        self._recent = []

    def undone(self, back: list[Decided]) -> None:
        self._recent = []
        self._tell_again()

    def viewer(self) -> int | None:
        return self.match.viewer

    def owner(self) -> int:
        return self.match.viewer or self._owner

    def matter(self) -> Families:
        state = self.match.state
        if self._matter[0] is not state and self.match.over and self.loop.screen.pages:
            self._matter = state, touched_last(self.match)
        elif self._matter[0] is not state and self.match.human:
            self._matter = state, touched(self.game, state, self.moves())
        return self._matter[1]

    def end(self) -> None:
        loop = self.loop
        if self._was_paged:
            loop.write(result_line(self.match))
        else:
            if self._shares_secrets:
                self._clear_away()
                loop.write(self._lately())
            loop.write()
            loop.show_board()
            loop.write()
            loop.write_all(ending_lines(self.match))
        if loop.record_path:
            loop.write(texts.RECORDED.format(path=loop.record_path), whole=True)

    # announcing ------------------------------------------------------------------------------------------

    def _announce(self, decided: list[Decided]) -> None:
        columns = self.loop.screen.columns if self.loop.screen.terminal else WIDE
        brief = self.loop.screen.pages
        self.loop.tell(self.loop.chronicle.lines(decided, self.match.viewer, columns, brief))
        if self.match.over:
            self.loop.tell(self.loop.chronicle.closing_summary())
        self.loop.screen.flush()
        self._recent += decided
        self.loop.shown = False

    def _lately(self) -> str:
        """Return the last moves of the others and what they scored, in one line."""
        parts = []
        for d in self._recent:
            if d.player in (CHANCE, self.match.viewer):
                continue
            gained = [signed(line.gained) for line in d.points if line.player == d.player and line.gained]
            points = f" ({' '.join(gained)})" if gained else ""
            who = self.match.name_of(d.player)
            move, text = self.match.words(d, self.match.viewer) if self.match.people else (str(d.move), d.text)
            if self.game.asks_several(d.before):
                move = text
            parts.append(texts.LATELY.format(who=who, move=move, points=points))
        runs = [(part, len(list(alike))) for part, alike in groupby(parts)]
        told = [shell_texts.TIMES_CAME.format(outcome=part, count=n) if n > 1 else part for part, n in runs]
        return shell_texts.SEPARATOR.join(told[-MOST_LATELY:])

    def _show_position(self) -> None:
        loop = self.loop
        self._change_viewer()
        if loop.screen.pages:
            loop.shown = True
            return
        loop.write()
        loop.show_board()
        loop.write()
        news = self._lately()
        if news and not loop.strict:
            loop.write(news)
        moves = self.moves()
        if len(moves) <= FEW_MOVES:
            loop.list_moves("")
        else:
            loop.write(shell_texts.MOVES_COUNT.format(moves=number_of(len(moves), "move")))
        loop.shown = True

    # several people at one screen ------------------------------------------------------------------------

    def _change_viewer(self) -> None:
        """Clear the screen before the next person looks, where several share it and something on it is secret."""
        viewer = self.match.viewer
        if viewer != self._looking and self._shares_secrets:
            if self._is_secret() or self._was_secret:
                self._clear_away()
                self.loop.keyboard.read(
                    texts.NEXT_VIEWER.format(name=self.match.name_of(viewer or 0)), completing=False
                )
                self.loop.keyboard.forget()  # whatever was typed there
            self._tell_again()
        self._was_secret = self._is_secret() or (self._was_secret and viewer == self._looking)
        self._looking = viewer

    def _is_secret(self) -> bool:
        """Return whether anything lies now where only one of the people may see it, may be written down there, or is decided in secret."""
        if self.game.asks_several(self.match.state):
            return True
        for place in self.game.model.places.values():
            if place.seen_by == "owner":
                for index in product(*place.index_values):
                    if index[place.index.index("player")] in self.match.people:
                        if self.game.place(self.match.state, place.name, *index):
                            return True
        return any(variable.seen_by != "everyone" for variable in self.game.model.variables.values())

    def _tell_again(self) -> None:
        """Say what happened as the present viewer may know it: the page has what others were shown."""
        lately = self.match.decided[-MOST_AGAIN:]
        self.loop.retell(self.loop.chronicle.lines(lately, self.match.viewer, brief=True))

    @property
    def _shares_secrets(self) -> bool:
        """Whether several people at one terminal have something to hide from each other."""
        model = self.game.model
        secrets = any(place.seen_by == "owner" for place in model.places.values())
        secrets = secrets or any(variable.seen_by != "everyone" for variable in model.variables.values())
        secrets = secrets or bool(self.game.layout.held)
        return secrets and len(self.match.people) > 1 and self.loop.keyboard.terminal

    def _clear_away(self) -> None:
        """Take away what the last viewer saw and typed, before anybody else looks."""
        if self._looking is not None:
            self.loop.screen.clear()
            self.loop.keyboard.forget()
            self.loop.begin_with = ""

    # bots ------------------------------------------------------------------------------------------------

    def _play_bot(self) -> None:
        if self.match.people and not self.loop.quiet:
            if self.loop.screen.pages:
                self.loop.draw([])
            self.loop.screen.hold(texts.THINKS.format(name=self.match.name_of(self.match.state.to_move or 0)))
        among = 0 if self.match.people else self._cost_among()
        thought = self._thinking.spent
        try:
            hasty = self._is_hasty() and not self.match.bot_has_budget
            decided = self.match.play_bot(HASTY if hasty else None, None if self.match.people else self._thinking)
        except RecordError as error:
            self.loop.not_written(error)
        else:
            scored = sum(len(d.points) for d in decided)
            self._alone.use(among + self._each * len(decided) + SCORED_COSTS * scored)
            self._thinking.use((self._thinking.spent - thought) * max(0, scored - FEW_SCORED) // SCORED_TRIED)
            self._announce(decided)

    def _cost_among(self) -> int:
        """Return what listing the moves of this decision costs, in decisions of a game without people."""
        moves = self.game.count_moves(self.match.state)
        return (moves // MOVES_TRIED + cost_together(self.game, self.match.state, moves)) // TRIED_EACH

    def _is_hasty(self) -> bool:
        """Return whether bots that play on their own have thought enough: most games are over by then."""
        match = self.match
        if match.people or (match.state.decisions <= MOST_THOUGHT and self._thinking.left):
            return False
        if match.seats[(match.state.to_move or 0) - 1].who == HASTY:
            return False  # it never thinks
        if not self._told_haste:
            self._told_haste = True
            out.to_stderr(texts.HASTE.format(decisions=number_of(match.state.decisions, "decision")))
        return True

    def _hint(self) -> None:
        """List the best moves, what they lead to and why."""
        if self.match.over:
            self.loop.refuse(texts.IS_OVER)
            return
        if not self.match.human:
            self.loop.write(texts.NO_HINT)
            return
        self.loop.screen.hold(texts.ADVISES)
        found = advise(self.game, self.match.state, self.match.rng())
        if not found:
            self.loop.write(texts.NO_HINT)
            return
        self.loop.write(texts.HINT)
        self.loop.list_with_notes({advice.move: self._reason(advice) for advice in found})

    def _reason(self, advice: Advice) -> str:
        """Return the result of random plays after a move."""
        if not self.game.scores(self.match.state):
            return texts.HINT_WINS.format(share=f"{(1 + advice.worth) / 2:.0%}")
        worth = round(advice.worth, 1)
        text = texts.HINT_POINTS if self.game.players == 1 else texts.HINT_AHEAD if worth >= 0 else texts.HINT_BEHIND
        most = sorted(advice.points, key=lambda pair: -abs(pair[1]))[:MOST_REASONS]
        rules = [(rule.replace("_", " "), round(points, 1)) for rule, points in most]
        points = ", ".join(texts.HINT_RULE.format(rule=rule, points=points) for rule, points in rules if points)
        return text.format(points=abs(worth)) + (texts.HINT_RULES.format(rules=points) if points else "")
