"""A whole rule file from a seed: well typed, using every form of the language, with games that end.

Loops count down a clock that nothing sets back, procedures and moves use only earlier ones, and what a file may ask
in one pass is reckoned up, so that every game is short. Most steps cannot fail; some can, so that faults occur too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.generated.declared import Declared, DeclaredPlace, declare
from tests.generated.directed import directed_file
from tests.generated.expressions import Definition, Expressions, Local
from tests.generated.shadows import shadowed

Step = Any  # a line, or a map
MOST_DECISIONS = 12  # that a body of steps may ask for in one pass
DEEP = 3  # how deep expressions are
LESS_DEEP = 2  # and in a small file
DECLARED = ("tables", "places", "variables")
ALWAYS = "score"  # is there, whoever names it
SHADOWED = 3  # every so many files one has names that hide others
DIRECTED = 8  # every so many files one has forms inside one another that are rare at random


@dataclass(frozen=True)
class Body:
    """Something with steps: what it is called, what it is given, and how many decisions it takes at most."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    decisions: int
    again: bool = False  # it asks again


def rule_file(seed: int, small: bool = False) -> dict[str, Any]:
    """Return the rule file of a seed, as data; a small one has little of everything, and takes less than half the time."""
    if seed % DIRECTED == DIRECTED - 1:
        return directed_file(seed // DIRECTED, small)
    tree = RuleFile(Random(seed), small, Random(f"ahead {seed}")).write()
    return shadowed(tree, Random(seed)) if seed % SHADOWED == 0 else tree


class RuleFile:
    def __init__(self, rng: Random, small: bool, ahead: Random) -> None:
        self.rng = rng
        self.ahead = ahead  # for what looks ahead, so that all else is as it would be without
        self.small = small
        self.deep = LESS_DEEP if small else DEEP
        self.declared: Declared = declare(rng)
        self.x = Expressions(rng, self.declared)
        self.procedures: list[Body] = []
        self.moves: list[Body] = []
        self.rules: list[Body] = []
        self.lucky: set[str] = set()  # the procedures in which chance decides
        self._decisions = 0  # of the body that is being written
        self._times = 1  # how often the step that is being written is done, in one pass of the body
        self._nested = 0

    def write(self) -> dict[str, Any]:
        define = dict(self._definition() for _ in range(self._some(4)))
        scoring = dict(self._rule() for _ in range(self._some(3)))
        steps: dict[str, Any] = {}
        moves: dict[str, Any] = {"pass": {"text": "pass", "does": []}}
        for _ in range(self._some(3)):
            if self.rng.random() < 0.4:
                head, body = self._procedure()
                steps[head] = body
            head, body = self._move()
            moves[head] = body
        setup = self._steps(2, decisions=4)[0] if not self.small or self.rng.random() < 0.3 else []
        play = self._play()
        if self.ahead.random() < 0.15:
            self._remember(play, moves)
        tree = {
            "rulespec": 1,
            "game": "Generated",
            "players": self.declared.players,
            **self.declared.text,
            "define": define,
            "setup": setup,
            "play": play,
            "steps": steps,
            "moves": moves,
            "scoring": scoring,
            "winner": self._winner(),
        }
        if self.rng.random() < 0.4:
            tree["options"] = self._options()
        if self.small or self.rng.random() < 0.7:
            tree |= _used(tree)
        return {key: value for key, value in tree.items() if value not in ({}, [])}

    def _some(self, most: int) -> int:
        return 1 if self.small else self.rng.randint(1, most)

    # what has a name -------------------------------------------------------------------------------------

    @contextmanager
    def scope(self, parameters: tuple[tuple[str, str], ...], me: bool = False) -> Any:
        before = self.x.scope
        self.x.scope = {name: _local(of) for of, name in parameters}
        if me:
            self.x.scope["me"] = Local("member", "player")
        yield
        self.x.scope = before

    def _parameters(self, most: int) -> tuple[tuple[str, str], ...]:
        sets = (
            "player",
            "row",
            "column",
            "colour",
            "flower",
            "gap",
            "target",
            "crate",
            "number",
            "yes_no",
            "board",
            "hand",
        )
        return tuple((self.rng.choice(sets), self.x.new_name()) for _ in range(self.rng.randint(0, most)))

    def _definition(self) -> tuple[str, str]:
        name = f"rule_{len(self.x.definitions)}"
        parameters = self._parameters(2)
        with self.scope(parameters):
            text, gives = self._body()
        self.x.definitions.append(Definition(name, parameters, gives))
        return _head(name, parameters), _bare(text)

    def _body(self) -> tuple[str, Local]:
        r = self.rng.random()
        if r < 0.3:
            n = self.x.number(self.deep)
            return n.text, Local("number", lo=n.lo, hi=n.hi)
        if r < 0.4:
            n = self.x.optional_number(self.deep)
            return n.text, Local("number", none=True, lo=n.lo, hi=n.hi)
        of = self.rng.choice(("flower", "colour"))
        if r < 0.5:
            return self.x.member(of, self.deep), Local("member", of)
        if r < 0.65:
            return self.x.optional(of, self.deep), Local("member", of, none=True)
        if r < 0.75:
            family = self.x.any_place(indexed=True).name
            return self.x.place(family, self.deep - 1), Local("place", family)
        return self.x.condition(self.deep), Local("condition")

    def _rule(self) -> tuple[str, Any]:
        name = f"reason_{len(self.rules)}"
        parameters = self._parameters(1)
        with self.scope(parameters, me=True):
            points = self._held(-5, 9, 0.9)
            text = f"a reason {self._hole()}"
        self.rules.append(Body(name, parameters, 0))
        return _head(name, parameters), {"text": text, "points": _bare(points)}

    def _held(self, lo: int, hi: int, mostly: float) -> str:
        """Return a number, mostly kept inside a range."""
        n = self.x.number(self.deep)
        if (lo <= n.lo and n.hi <= hi) or (self.rng.random() >= mostly and n.lo <= hi and lo <= n.hi):
            return n.text
        return f"max({lo}, min({hi}, {n.text}))" if lo >= 0 else f"max({lo}, min({n.text}, {hi}))"

    def _hole(self) -> str:
        forms: tuple[Callable[[], str], ...] = (
            lambda: self.x.number(1).text,
            lambda: self.x.optional("colour", 1),
            lambda: self.x.list_of("flower", 1),
            lambda: self.x.condition(1),
        )
        return "{" + _bare(self.rng.choice(forms)()) + "}"

    def _procedure(self) -> tuple[str, list[Step]]:
        name = f"phase_{len(self.procedures)}"
        parameters = self._parameters(2)
        with self.scope(parameters):
            steps, decisions = self._steps(3, MOST_DECISIONS // 2)
        self.procedures.append(Body(name, parameters, decisions))
        if self._is_lucky(steps):
            self.lucky.add(name)
        return _head(name, parameters), steps

    def _winner(self) -> dict[str, str]:
        found = {}
        with self.scope((), me=True):
            for i in range(self.rng.randint(1, 3)):
                found[f"line {i}"] = _bare(self.x.number(2).text if self.rng.random() < 0.7 else self.x.condition(2))
        return found

    def _options(self) -> dict[str, Any]:
        """Return one option whose second choice changes a table or a start."""
        changes: list[dict[str, Any]] = [
            {"tables": {"crate_size": 2}},
            {"variables": {"count_up": {"is": "0..9", "start": 3, "never above": 9}}},
            {"tables": {"worth": {"rose": 4}}, "variables": {"marked": {"is": "yes_no", "start": True}}},
            {"pieces": {"coin": "2 in purse[player]"}},
        ]
        other = {"text": "another way", "change": self.rng.choice(changes)}
        return {"variant": {"usual": {"text": "the usual way"}, "other": other}}

    # moves -----------------------------------------------------------------------------------------------

    def _move(self) -> tuple[str, Any]:
        name = f"act_{len(self.moves)}"
        parameters = self._parameters(1)
        entry: dict[str, Any] = {}
        with self.scope(parameters, me=True):
            choose: dict[str, Any] = {}
            ways = 1
            for _ in range(self.rng.choice((0, 1, 1, 2, 2, 3))):
                domain, local, many = self._choice()
                if ways * many > 60:
                    continue
                ways *= many
                chosen = self.x.new_name()
                choose[chosen] = domain
                self.x.scope = {**self.x.scope, chosen: local}
            needs = {}
            for i in range(self.rng.choice((0, 1, 1, 2, 3))):
                test = _bare(self.x.condition(self.deep))
                needs[f"need {i}"] = {"that": test, "else": f"no {self._hole()}"}
            entry["text"] = f"do {self._hole()}"
            if choose:
                entry["choose"] = choose
            if needs:
                entry["needs"] = needs
            entry["does"], decisions = self._steps(3, MOST_DECISIONS // 2)
            again = decisions < 3 and self.rng.random() < 0.3
            if again:
                self._ask_again(entry["does"])
                decisions = 3 * (decisions + 1)
            if needs and self.ahead.random() < 0.4 and not self._is_lucky(entry["does"]):
                self._look_ahead(needs)
        self.moves.append(Body(name, parameters, decisions, again))
        return _head(name, parameters), entry

    def _remember(self, play: list[Step], moves: dict[str, Any]) -> None:
        """Note something in every round, and let a move of its own depend on how often it was like that."""
        names = self.ahead.sample(("board", "ring", "turn", "seen", "marked"), self.ahead.randint(1, 3))
        play[0]["do"].insert(0, f"remember {', '.join(names)}")
        test = f"repeats({', '.join(reversed(names))}) < {self.ahead.randint(1, 3)}"
        key = self.ahead.choice(("that", "afterwards"))
        moves["pass"] = {
            "text": "pass",
            "needs": {"new": {key: f"{test} or clock < 3", "else": f"{{repeats({names[0]})}} times"}},
            "does": ["set marked to not marked"],
        }
        if len(names) > 1:
            play[0]["do"].insert(1, f"remember {names[0]}")

    def _look_ahead(self, needs: dict[str, Any]) -> None:
        """Let some conditions of a move be about the position after it."""
        for name in self.ahead.sample(list(needs), self.ahead.randint(1, len(needs))):
            needs[name] = {"afterwards": needs[name]["that"], "else": needs[name]["else"]}

    def _is_lucky(self, steps: Any) -> bool:
        """Return whether chance may decide in steps, their own or those that they do."""
        if isinstance(steps, str):
            begun = re.match(r"(draw|roll|do) (\w+)", steps)
            return begun is not None and (begun[1] != "do" or begun[2] in self.lucky)
        parts = steps.values() if isinstance(steps, dict) else steps
        return any(self._is_lucky(part) for part in parts)

    def _ask_again(self, steps: list[Step]) -> None:
        """Let a move ask again as long as the small clock runs: at its end, or where it would go on otherwise."""
        test = "small_clock > 0" if self.rng.random() < 0.5 else f"small_clock > 0 and {self.x.condition(1)}"
        again: Step = {"if": test, "then": ["add -1 to small_clock", "ask again"]}
        if self.rng.random() < 0.2:
            again["else"] = self._set()
        steps.insert(self.rng.choice((0, len(steps), len(steps))), again)

    def _choice(self) -> tuple[Any, Local, int]:
        """Return what is chosen: text, what the name stands for, how many there are at most."""
        r = self.rng.random()
        if r < 0.25:
            family = self.rng.choice(("bag", "hand", "crates", "lid"))
            many = self.rng.choice(("1", "2", "crate_size"))
            kinds = f" of {self.x.kinds(family, 1)}" if self.rng.random() < 0.4 else ""
            up_to = "up to " if self.rng.random() < 0.6 else ""
            return f"{up_to}{many}{kinds} from {self.x.place(family, 1)}", Local("chosen", family), 15
        if r < 0.4:
            of = self.rng.choice(("row", "colour", "player"))
            return [of, "none"], Local("member", of, none=True), len(self.x.set_of(of)) + 1
        if r < 0.5:
            n = self._held(0, 4, 1.0)
            return f"0..{n}", Local("number", lo=0, hi=4), 5
        if r < 0.6:
            family = self.rng.choice(("bag", "hand", "crates"))
            return self.x.place(family, 1), Local("member", self.declared.places[family].kinds), 5
        if r < 0.65:
            family = self.rng.choice(("board", "ring", "tower", "hand"))
            places = self.x.places(family, 1)
            if sum(map(ord, places.text)) % 3 == 0:  # without another number of the generator, as in `_show`
                return [family, "none"], Local("place", family), places.longest + 1
            return places.text, Local("place", family), places.longest
        if r < 0.7:
            of = self.rng.choice(("row", "colour", "player", "flower"))
            return self.x._members_that(of, 2), Local("member", of), len(self.x.set_of(of))
        of = self.rng.choice(("flower", "colour", "row", "column", "player", "crate", "target", "gap", "land"))
        return of, Local("member", of), len(self.x.set_of(of))

    # steps -----------------------------------------------------------------------------------------------

    def _play(self) -> list[Step]:
        """Return a loop that asks until the clock has run down."""
        steps, _ = self._steps(3, MOST_DECISIONS, asks=True)
        test = "clock > 0" if self.rng.random() < 0.8 else f"clock > 0 and {self.x.condition(2)}"
        main: list[Step] = [{"while": test, "do": ["add -1 to clock", *steps]}]
        return main if self.small else main + self._steps(2, 4)[0]

    def _steps(self, many: int, decisions: int, asks: bool = False) -> tuple[list[Step], int]:
        """Return a list of steps that takes at most so many decisions."""
        many = 1 if self.small else many
        outer = self._decisions, self._times
        self._decisions, self._times = 0, 1
        self._limit = decisions
        found = self._list(self.rng.randint(1, many), asks)
        taken = self._decisions
        self._decisions, self._times = outer
        return found, taken

    def _list(self, many: int, asks: bool = False) -> list[Step]:
        """Steps one after the other; the names they give are known to the end."""
        before = self.x.scope
        found: list[Step] = []
        if asks:
            found += self._ask()
        for _ in range(many):
            found += self._step()
        self.x.scope = before
        return found

    def _inner(self, times: int = 1) -> list[Step]:
        self._times *= times
        self._nested += 1
        found = self._list(self.rng.randint(1, 2))
        self._nested -= 1
        self._times //= times
        return found

    def _takes(self, decisions: int) -> bool:
        """Return whether there is room for so many decisions more; then they are counted."""
        if self._decisions + decisions * self._times > self._limit:
            return False
        self._decisions += decisions * self._times
        return True

    def _step(self) -> list[Step]:
        forms: list[Callable[[], list[Step]]] = [
            self._move_step,
            self._move_step,
            self._move_step,
            self._set,
            self._set,
            self._add,
            self._let,
            self._score,
            self._tell,
            self._show,
            self._draw,
            self._roll,
            self._do,
        ]
        if self._nested < 2:
            forms += [self._if, self._if, self._for, self._for, self._while, self._ask]
        return self.rng.choice(forms)()

    def _set(self) -> list[Step]:
        variable = self.rng.choice([v for v in self.declared.variables.values() if v.name != "score"])
        target = self.x.indexed(variable.name, variable.index, 1, sure=True)
        if variable.holds == "yes_no":
            value = self.x.condition(self.deep)
        elif variable.holds == "number":
            value = self._held(variable.lo, variable.hi, 0.9)
        elif variable.holds in self.declared.places:
            value = self._stored(self.declared.places[variable.holds], variable.none)
        elif variable.none:
            value = self.x.optional(variable.holds, self.deep) if self.rng.random() < 0.8 else "none"
        else:
            value = self.x.member(variable.holds, self.deep)
        return [f"set {target} to {_bare(value)}"]

    def _stored(self, place: DeclaredPlace, none: bool) -> str:
        """Return a place that a variable may hold."""
        if none:
            return self.x.place(place.name, self.deep) if self.rng.random() < 0.8 else "none"
        return self.x.indexed(place.name, place.index, 1, sure=True)

    def _add(self) -> list[Step]:
        variable = self.declared.variables[self.rng.choice(("count_up", "depth", "seen", "best"))]
        target = self.x.indexed(variable.name, variable.index, 1, sure=True)
        if self.rng.random() < 0.85:  # it stays in its range
            value = f"(max(0, min({variable.hi}, {self.x.number(2).text})) - {target})"
        else:
            value = self.x.number(1).text
        return [f"add {_bare(value)} to {target}"]

    def _let(self) -> list[Step]:
        if self.rng.random() < 0.3:
            name = self.x.new_name()
            local, value = self.x._any_optional(2)
        else:
            name, local, value = self.x._let_value(2)
        self.x.scope = {**self.x.scope, name: local}
        return [f"let {name} be {_bare(value)}", *self._step()]

    def _score(self) -> list[Step]:
        named = []
        for rule in self.rng.sample(self.rules, self.rng.randint(1, len(self.rules))):
            args = ", ".join(self.x.argument(of, 1) for of, _ in rule.parameters)
            named.append(f"{rule.name}({args})" if args else rule.name)
        return [f"score {', '.join(named)} for {self.x.member('player', 1)}"]

    def _tell(self) -> list[Step]:
        """Tell what everybody may know: clocks, players, and numbers of pieces."""
        who = self.rng.choice(("turn", "next(turn)", "if marked then turn else none"))
        told = (
            f"{{{who}}} of {{clock}}: {{count({self.x.place('hand', 0)})}}, {{list(x for x in colour where x in lid)}}"
        )
        return [f"tell {told}"]

    def _show(self) -> list[Step]:
        place = self.x.place(self.rng.choice(("hand", "bag", "lid", "tower", "crates")), 1)
        if self.rng.random() < 0.3:
            place = self.x.places(self.rng.choice(("hand", "tower")), 1).text
        to = ("everyone", "player", "clockwise(turn)", self.x.member("player", 1), self.x.member("player", 1))
        values = (f"best[{to[3]}]", "best", "seen", "seen[first(x for x in row)]")
        of = sum(map(ord, place)) % 8  # without another number of the generator: all other files stay what they are
        return [f"show {values[of] if of < 4 else place} to {self.rng.choice(to)}"]

    def _do(self) -> list[Step]:
        fitting = [p for p in self.procedures if self._decisions + p.decisions * self._times <= self._limit]
        if not fitting:
            return self._move_step()
        body = self.rng.choice(fitting)
        self._takes(body.decisions)
        args = ", ".join(self.x.argument(of, 1) for of, _ in body.parameters)
        return [f"do {body.name}({args})" if args else f"do {body.name}"]

    def _if(self) -> list[Step]:
        optional = self.x.locals_of(lambda v: v.none)
        if optional and self.rng.random() < 0.5:  # tested for none, known below
            name = self.rng.choice(optional)
            local = self.x.scope[name]
            with self.x.known(**{name: Local(local.kind, local.of, False, local.lo, local.hi)}):
                then = self._inner()
            return [{"if": f"{name} != none", "then": then}]
        step: dict[str, Any] = {"if": _bare(self.x.condition(self.deep)), "then": self._inner()}
        if self.rng.random() < 0.4:
            step["else"] = self._inner()
        return [step]

    def _for(self) -> list[Step]:
        name = self.x.new_name()
        text, local, many = self.x.domain(2, small=self._nested > 0)
        before = self.x.scope
        self.x.scope = {**before, name: local}
        where = f" where {_bare(self.x.condition(2))}" if self.rng.random() < 0.4 else ""
        body = self._inner(max(1, many) if many <= 5 else 1000)
        self.x.scope = before
        return [{"for each": f"{name} in {text}{where}", "do": body}]

    def _while(self) -> list[Step]:
        if not self._takes(1):
            return self._set()
        test = "small_clock > 0" if self.rng.random() < 0.5 else f"small_clock > 0 and {self.x.condition(1)}"
        name = self.x.new_name()
        return [{"while": test, "do": ["add -1 to small_clock", f"roll {name} from 1..2", *self._inner(3)]}]

    def _ask(self) -> list[Step]:
        fitting = [m for m in self.moves if self._decisions + (m.decisions + 1) * self._times <= self._limit]
        if not fitting:
            return self._set()
        asked = self.rng.sample(fitting, self.rng.randint(1, min(3, len(fitting))))
        self._takes(1 + max(m.decisions for m in asked))
        named = []
        for move in asked:
            args = ", ".join(self.x.argument(of, 1) for of, _ in move.parameters)
            named.append(f"{move.name}({args})" if args else move.name)
        step: dict[str, Any] = {"ask": self.x.member("player", 1)}
        if self.rng.random() < 0.5:
            named.append("pass")
        step["to"] = " or ".join(named)
        if self.rng.random() < 0.3:
            step["forced"] = "automatic"
        if "pass" not in named and self.rng.random() < 0.9:
            step["otherwise"] = self._inner() if self._nested < 2 and self.rng.random() < 0.4 else []
        self._ask_several(step, asked)
        return [step]

    def _ask_several(self, step: dict[str, Any], asked: list[Body]) -> None:
        """Let some asks ask several players; with luck of its own, so that all else in the file stays as it is."""
        luck, players = Random(str(step)), self.declared.players
        each = 1 + max(m.decisions for m in asked)
        if any(m.again for m in asked) or luck.random() < 0.6 or not self._takes((players - 1) * each):
            return
        one = step["ask"]
        step["ask"] = luck.choice(
            ("player", f"clockwise({one})", f"list(seat for seat in player where seat != {one})", f"[{one}, {one}]")
        )
        if step["ask"].startswith("list"):
            step.setdefault("otherwise", [])

    def _roll(self) -> list[Step]:
        if not self._takes(1):
            return self._set()
        name = self.x.new_name()
        text, local, _ = self.rng.choice(
            (
                ("column weighted by likely[{}]", Local("member", "column"), 0),
                ("flower", Local("member", "flower"), 0),
                ("[colour, none]", Local("member", "colour", none=True), 0),
                ("1..crate_size", Local("number", lo=1, hi=3), 0),
                ("player", Local("member", "player"), 0),
            )
        )
        text = text.format(name)
        if text == "flower" and self.rng.random() < 0.5:
            with self.x.known(**{name: local}):
                text += f" weighted by max({self.rng.choice((0, 1, 1))}, {self.x.number(2).text})"
        self.x.scope = {**self.x.scope, name: local}
        return [f"roll {name} from {text}", *self._step()]

    def _draw(self) -> list[Step]:
        if not self._takes(2):
            return self._set()
        family = self.rng.choice(("bag", "bag", "hand", "crates", "lid"))
        amount = "up to 2" if self.rng.random() < 0.85 else self.rng.choice(("1", "2"))
        if self.rng.random() < 0.4:
            amount += f" of {self.x.kinds(family, 2)}"
        return [f"draw {amount} from {self.x.place(family, 1)} to {self._goals()}"]

    def _move_step(self) -> list[Step]:
        chosen = self.x.locals_of(lambda v: v.kind == "chosen")
        if chosen and self.rng.random() < 0.6:
            name = self.rng.choice(chosen)
            of = self.x.scope[name].of
            return [f"move {name} from {self.x.place(of, 1)} to {self._goals()}"]
        place = self.x.any_place()
        single = not place.index or self.rng.random() < 0.7
        source = self.x.place(place.name, 2) if single else self.x.places(place.name, 2).text
        return [f"move {self._amount(place, single)} from {source} to {self._goals()}"]

    def _amount(self, place: DeclaredPlace, single: bool) -> str:
        """Return how many pieces of which kinds."""
        if place.shape == "stack" and single and self.rng.random() < 0.5:
            return self.rng.choice(("top", "top 2", f"top {self._many()}"))
        if self.rng.random() < 0.4:
            if self.rng.random() < 0.4:
                return "all"
            return f"all of {self.x.kinds(place.name, 2)}"
        number = self.rng.choice(("1", "2", self._many()))
        amount = f"up to {number}" if self.rng.random() < 0.9 else number
        if place.kinds == "coin":
            return amount
        return f"{amount} of {self.x._kind_of(place.name, 2)}"

    def _many(self) -> str:
        """Return how many pieces, mostly none or more."""
        n = self.x.number(1)
        return n.text if n.lo >= 0 or self.rng.random() < 0.1 else f"max(0, {n.text})"

    def _goals(self) -> str:
        """Return where pieces go: at last to a place that takes everything, mostly without limit."""
        goals = []
        places = list(self.declared.places.values())
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            place = self.rng.choice(places)
            listed = place.index and self.rng.random() < 0.4
            text = self.x.places(place.name, 2).text if listed else self.x.place(place.name, 2)
            goals.append(f"under {text}" if place.shape == "stack" and self.rng.random() < 0.4 else text)
        goals.append("lid" if self.rng.random() < 0.93 else "rest")
        return ", then ".join(goals)


def _used(tree: dict[str, Any]) -> dict[str, Any]:
    """Return the tables, places and variables of a file that something else in it names."""
    declared = {(section, head): entry for section in DECLARED for head, entry in tree[section].items()}
    waiting = [str(entry) for section, entry in tree.items() if section not in DECLARED] + [ALWAYS]
    used: set[tuple[str, str]] = set()
    while waiting:
        words = set(re.findall(r"\w+", waiting.pop()))
        for key in [key for key in declared if key not in used and re.findall(r"\w+", key[1])[0] in words]:
            used.add(key)
            waiting.append(f"{key[1]} {declared[key]}")
    return {
        section: {head: entry for head, entry in tree[section].items() if (section, head) in used}
        for section in DECLARED
    }


def _local(of: str) -> Local:
    match of:
        case "number":
            return Local("number", lo=-99_998, hi=99_998)
        case "yes_no":
            return Local("condition")
        case "board" | "hand":
            return Local("place", of)
    return Local("member", of)


def _head(name: str, parameters: tuple[tuple[str, str], ...]) -> str:
    return f"{name}({', '.join(f'{of} {p}' for of, p in parameters)})" if parameters else name


def _bare(text: str) -> str:
    """Return a text without brackets that stand around all of it."""
    if not text.startswith("("):
        return text
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return text[1:-1] if i == len(text) - 1 else text
    return text
