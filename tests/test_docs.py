"""The documentation is true: its files validate, its examples pass, its sessions print what it says, its lists are complete.

How blocks are marked. A ```yaml block whose first line is `# name.yaml` is a whole file; it and its siblings lie in one
folder. It must be good, unless it follows `<!-- refused with CODE -->`. Any other one follows a comment that says what it is:

    <!-- change of name.yaml -->       the `change:` of a house rule for that file; it must validate, its examples pass
    <!-- CODE in name.yaml -->         the same, and it must be refused with just this diagnostic
    <!-- position of name.yaml -->     a `given:`; tables under `<!-- values -->` say what expressions give there

Every ```python block is a doctest. In a ```console block every line `$ rulespec …` is run and the lines under it are
what it prints, `…` standing for anything; with no lines under it, only its words are checked. What stands between
`<!-- generated: NAME -->` and `<!-- end -->` is written by `pytest tests/test_docs.py --update`.
"""

from __future__ import annotations

import ast
import doctest
import io
import json
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from interpreter import Game, fault
from interpreter.examples import examples, reading
from interpreter.examples.examples import run_examples, set_up
from interpreter.examples.positions import Position, PositionReader, Problem, arranged
from interpreter.examples.reading import find_examples
from interpreter.trial import coverage, lockstep, shrink, trial
from referee.bots import greedy, quick
from referee.cli import cli, main
from referee.engine import session
from referee.lab import study
from referee.new import templates
from referee.play import terminal
from referee.record import replay
from referee.rulebook import expressions, make
from rulespec import rules as rules_module
from rulespec import syntax
from rulespec.checks import sense, work
from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, render
from rulespec.expr import parse
from rulespec.files import extends as chain
from rulespec.files import merge
from rulespec.files.sources import shipped_games
from rulespec.model import builder, declare
from rulespec.options import combinations as covering
from rulespec.options import layers
from rulespec.rules import open_rules
from rulespec.schema import shape
from rulespec.yaml import source
from rulespec.yaml.nodes import Mapping
from rulespec.yaml.source import read_source
from tests.doc_tables import TABLES, recipe, table
from tests.sizes import SOAK

ROOT = Path(__file__).parent.parent
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LANGUAGE = ROOT / "docs" / "language.md"
FILE = re.compile(r"# (\S+\.yaml)\n")
BLOCK = re.compile(r"(?:^<!-- (?P<mark>[^\n]*) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
each_doc = pytest.mark.parametrize("doc", DOCS, ids=lambda doc: doc.stem)


@dataclass(frozen=True)
class Block:
    mark: str
    kind: str
    text: str
    line: int
    start: int


def blocks(doc: Path, kind: str) -> list[Block]:
    text = doc.read_text(encoding="utf-8")
    found = []
    for m in BLOCK.finditer(text):
        if m["kind"] == kind:
            line = text.count("\n", 0, m.start("text")) + 1
            mark = "" if (m["mark"] or "").startswith("generated: ") else m["mark"] or ""
            found.append(Block(mark, kind, m["text"], line, m.start()))
    return found


def write_files(doc: Path, folder: Path) -> list[str]:
    """Return the names of the whole files of a document, now in the folder."""
    names = []
    for block in blocks(doc, "yaml"):
        if found := FILE.match(block.text):
            assert found[1] not in names, f"{found[1]} is written twice"
            names.append(found[1])
            (folder / found[1]).write_text(block.text, encoding="utf-8")
    return names


def complaints(file: Path, every: bool = False) -> list[Diagnostic]:
    """Return what is wrong with a rule file as it is played by default, or with every choice of its options."""
    try:
        rules = open_rules(file)
        return list(rules.check_all()) if every else rules.check()[1]
    except RuleFileError as error:
        return list(error.diagnostics)


def house_rule(folder: Path, base: str, change: str) -> Path:
    body = "".join(f"  {line}\n" if line else "\n" for line in change.splitlines())
    file = folder / "changed.yaml"
    file.write_text(f"rulespec: 1\nextends: {base}\nchange:\n{body}", encoding="utf-8")
    return file


def failures(file: Path) -> list[str]:
    """Return what is wrong with the examples that stand in the file itself."""
    rules = open_rules(file)
    own = [entry.key.text for entry, _ in find_examples(rules) if entry.key.span.file == str(file)]
    return [f"{result.name}: {problem}" for result in run_examples(rules, own) for problem in result.problems]


# --- rule files ---------------------------------------------------------------------------------------------------


@pytest.mark.sized
@each_doc
def test_yaml__whole_files_are_good(doc: Path, tmp_path: Path) -> None:
    marks = [block.mark for block in blocks(doc, "yaml") if FILE.match(block.text)]
    for name, mark in zip(write_files(doc, tmp_path), marks, strict=True):
        found = complaints(tmp_path / name, every=SOAK or bool(mark))
        if mark:
            assert (name, {f"refused with {d.code}" for d in found}) == (name, {mark})
        else:
            assert [d.first_line() for d in found] == []
            assert failures(tmp_path / name) == []


@each_doc
def test_yaml__parts_fit_into_a_game(doc: Path, tmp_path: Path) -> None:
    write_files(doc, tmp_path)
    for block in blocks(doc, "yaml"):
        where = f"{doc.name}:{block.line}"
        if FILE.match(block.text):
            continue
        mark = re.fullmatch(r"(change of|position of|\S+ in) (\S+)", block.mark)
        assert mark, f"{where}: the block is not marked"
        if mark[1] == "position of":
            continue
        file = house_rule(tmp_path, mark[2], block.text)
        found = [d for d in complaints(file) if d.level == "error"]
        if mark[1] != "change of":
            assert (where, {d.code for d in found}) == (where, {mark[1].split()[0]})
        else:
            assert not found, where + "\n" + "\n".join(map(render, found))
            assert (where, failures(file)) == (where, [])


def rows(doc: Path, heading: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the tables that follow a comment: where each stands, and its cells without backticks."""
    text = doc.read_text(encoding="utf-8")
    for m in re.finditer(rf"^<!-- {re.escape(heading)} -->\n((?:\|.*\n)+)", text, re.MULTILINE):
        for line in m[1].splitlines()[2:]:
            yield m.start(), [cell.strip().strip("`") for cell in line.strip("|").split("|")]


@pytest.mark.parametrize(
    "doc", [doc for doc in DOCS if "<!-- values -->" in doc.read_text("utf-8")], ids=lambda doc: doc.stem
)
def test_values__expressions_give_what_the_table_says(doc: Path, tmp_path: Path) -> None:
    """Each expression becomes the text of a scoring rule, and is scored in the position that stands above its table."""
    write_files(doc, tmp_path)
    positions = [b for b in blocks(doc, "yaml") if b.mark.startswith("position of")]
    for block in positions:
        later = [b.start for b in positions if b.start > block.start]
        table = [cells for at, cells in rows(doc, "values") if block.start < at < min(later, default=at + 1)]
        assert table, f"no values in the position of line {block.line}"
        rules = "".join(f'  value{i}: {{text: "{{{cells[0]}}}", points: 1}}\n' for i, cells in enumerate(table))
        steps = "".join(f"    - score value{i} for 2\n" for i in range(len(table)))
        change = f"variables:\n  score[player]: -999..999\nsteps:\n  values:\n{steps}scoring:\n{rules}"
        file = house_rule(tmp_path, block.mark.split()[-1], change)
        rules_ = open_rules(file)
        game = Game(rules_, rules_.check()[0])
        state = game.start_at(position(game, block.text), "values", ())
        scored = list(game.model.rules.values())  # the ledger itself would not show what lies on hidden places
        found = [game.notation.fill(scored[line[2]].text, line[-1]) for line in state.log(None)]
        assert [(c[0], text) for c, text in zip(table, found, strict=True)] == [(c[0], c[1]) for c in table]


def position(game: Game, text: str) -> list[int]:
    given = read_source("given.yaml", text).get("given")
    assert isinstance(given, Mapping)
    reader, read, problems = PositionReader(game.model, game.notation), Position(), list[Problem]()
    for key, value in given:
        reader.read(key, value, read)
    arrangement = arranged(reader, read, problems)
    assert arrangement is not None, problems
    return set_up(game.layout, arrangement)


# --- sessions -----------------------------------------------------------------------------------------------------


@each_doc
def test_python__blocks_are_doctests(doc: Path, tmp_path: Path) -> None:
    write_files(doc, tmp_path)
    text = doc.read_text(encoding="utf-8")
    lines = [""] * text.count("\n")
    for block in blocks(doc, "python"):
        lines[block.line - 1 : block.line - 1 + block.text.count("\n")] = block.text.splitlines()
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {}, doc.name, str(doc), 0)
    out: list[str] = []
    with chdir(tmp_path):
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False).run(test, out=out.append)
    assert "".join(out) == ""


@pytest.mark.sized
@each_doc
def test_console__commands_print_what_is_shown(doc: Path, tmp_path: Path) -> None:
    write_files(doc, tmp_path)
    for block in blocks(doc, "console"):
        for command, shown in re.findall(r"^\$ rulespec (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
            words = shlex.split(command, comments=True)
            if not shown.strip() or ("--play" in words and not SOAK):  # random games in all combinations take long
                check_words(words)
                continue
            printed = run(words, tmp_path)
            pattern = "[^§]*?".join(re.escape(part) for part in shown.strip().split("…"))
            assert re.fullmatch(pattern, printed), f"{doc.name}:{block.line}: {command}\n{printed}"


def check_words(words: list[str]) -> None:
    """The command is there and takes these words."""
    name, *rest = words
    command = cli.commands[name]
    command.make_context(name, rest)


def run(words: list[str], folder: Path) -> str:
    """Return what a command prints, files of this project as seen from its folder."""
    out = io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(out), pytest.raises(SystemExit):
        main(words)
    return out.getvalue().replace(f"{ROOT}/", "").strip()


# --- lists that must be complete ----------------------------------------------------------------------------------


def generated(name: str) -> str:
    match name:
        case _ if name in TABLES:
            return TABLES[name]()
        case _ if name.startswith("house/"):
            return recipe(name)
        case "limits":
            return table(["at most", "what"], [(f"{n:,}", what) for n, what in LIMITS])
        case "commands":
            return "\n\n".join(manual(name, command) for name, command in cli.commands.items())
        case _:
            raise AssertionError(f"nothing generates {name}")


LIMITS = (
    (syntax.LARGEST, "the largest number, and minus it the smallest; numbers are whole"),
    (shape.MOST_PLAYERS, "players"),
    (declare.MOST_MEMBERS, "members of a set"),
    (declare.MOST_PLACES, "entries of a table, places of one name, values of one variable"),
    (parse.LONGEST, "characters of an expression"),
    (parse.DEEPEST, "brackets within brackets"),
    (chain.MOST_FILES, "files that extend one another"),
    (merge.MOST_TAKEN, "characters that moves take from others by `like`, all together"),
    (layers.MOST_COMBINATIONS, "combinations of options"),
    (covering.MOST_CHECKED, "combinations of options that concern the same rules"),
    (
        rules_module.MOST_CHECKED,
        "characters of rules that are checked, again for each number of players and combination of options",
    ),
    (
        rules_module.MOST_DECLARED,
        "members, places and entries of tables that are checked, counted alike; a way from place to place counts as ten",
    ),
    (rules_module.MOST_WORKED, "steps to work out what must be known before the game, counted alike"),
    (work.LARGEST_POSITION, "numbers in a position: places times kinds, rooms of stacks, cells, variables"),
    (work.MOST_CHOICES, "ways to choose a move, legal or not"),
    (work.MOST_TOGETHER, "ways to choose pieces together"),
    (work.MOST_COUNTS, "ways to choose pieces together, times the kinds of pieces"),
    (work.MOST_MOVES, "legal moves at one decision; more are a fault"),
    (work.MOST_LISTING, "steps to find the legal choices of a move; more are a fault"),
    (work.MOST_EFFORT, "steps to work out an expression"),
    (work.MOST_STEPS, "steps of what is done before anybody decides anything again"),
    (
        work.MOST_SCORED,
        "times that points are scored, or something is told or shown, before anybody decides anything again",
    ),
    (work.MOST_DRAWING, "steps to work out all expressions of a `view:` for one position"),
    (work.MOST_MARKS, "marks on the faces of all kinds and of all pieces"),
    (
        work.MOST_MARKERS,
        "markers of variables on places: one for each value, and each place, row or column that it names",
    ),
    (work.MOST_DRAWN, "places of all names, and spaces of piles with room for 24 at most"),
    (
        fault.IDLE_LIMIT,
        "passes of loops before anybody decides anything again; more are a fault",
    ),
    (
        work.MOST_TRIED,
        "passes of `while` in what is [tried](#looking-ahead) of a move; then the trial is given up",
    ),
    (syntax.MOST_NOTED, "positions that a game remembers; more are a fault"),
    (declare.MOST_EFFORT, "steps to work out all that must be known before the game starts"),
    (work.MOST_KEPT, "items of a list that is kept while somebody decides"),
    (
        work.MOST_GONE_THROUGH,
        "items of a list that is gone through while somebody decides, and known before the game",
    ),
    (declare.MOST_SUPPLIES, "kinds of pieces times the places where they start"),
    (declare.MOST_HOLES, "`{…}` in all texts together"),
    (fault.LIMIT, "decisions of a game, of players and of chance, unless it is played with another limit"),
    (
        fault.OUTCOMES,
        "outcomes of chance in such a game: if chance decides among more than 100, this divided by their number is the usual limit of decisions",
    ),
    (fault.LEAST_LIMIT, "decisions that a game may have in any case, however many outcomes chance has"),
    (parse.MOST_LEVELS, "operators and brackets inside one another"),
    (sense.MOST_NESTED, "operators and brackets inside one another, with those of the definitions that are used"),
    (sense.MOST_STEPS_NESTED, "blocks of steps inside one another, with those of the steps that are done"),
    (sense.MOST_CHOSEN, "choices of a move"),
    (sense.MOST_CONDITIONS, "conditions of a move"),
    (builder.DEEPEST, "definitions, sets or steps, each using the next"),
    (declare.MOST_ALL_MEMBERS, "members of all sets together"),
    (source.MOST_VALUES, "keys and values in a file"),
    (source.MOST_LEVELS, "levels of lists and maps inside one another"),
    (source.MOST_BYTES, "bytes of a file"),
    (trial.MOST_DECISIONS, "decisions of a random game of `validate --play`; then it is said not to end"),
    (
        trial.GREEDY_WORK,
        "random continuations that greedy players of `validate --play` try, in all their games; then no more are played",
    ),
    (shrink.MOST_WORK, "decisions tried to find a short way to a fault"),
    (trial.MOST_COMPARED, "decisions tried to tell the choices of options apart"),
    (
        coverage.MOST_EXTRA,
        "decisions' worth of work in random games of `validate --play` and `test --coverage`, beyond one for each decision; then no more are played",
    ),
    (coverage.EXTRA_EACH, "the same for each game asked for, if that is more"),
    (
        examples.MOST_TRIED,
        "decisions, or work that costs as much, in all worked examples of a file; others are not tried",
    ),
    (reading.MOST_PLACES, "places and variables that the worked examples of a file name"),
    (
        replay.MOST_EXTRA,
        "decisions' worth of work to replay a record, beyond one for each decision; from there on it is not checked",
    ),
    (replay.EXTRA_EACH, "the same for each line of the record, if that is more"),
    (templates.MOST_TRIED, "decisions tried to find a change for `new house`; then it is not tried"),
    (study.MOST_HEAVY, "decisions that one may cost as much as, by an estimate, in games of the lab"),
    (session.MOST_HEAVY, "decisions' worth of work in one `simulate`, by the same estimate"),
    (lockstep.EACH, "decisions for each game of `diff`, on average; then no more are played"),
    (
        make.MOST_DESCRIBED,
        "characters of rules that are read for a rulebook to say what choices of options change; then only the first are described",
    ),
    (expressions.MOST_REPEATED, "characters that a rulebook fills into a hole of `says:`; for more, it names the hole"),
    (greedy.MOST_WORK, "decisions that the bot `greedy` tries to decide one of its own"),
    (terminal.MOST_THINKING, "decisions that it tries in a game without people; then it plays any legal move"),
    (terminal.MOST_ALONE, "decisions of a game that bots `play` on their own; fewer where each takes much work"),
    (
        quick.MOST_NUMBERS,
        "numbers in the positions at the ends of 200 random plays of the bot `quick`; then it plays fewer",
    ),
)


def manual(name: str, command: click.Command) -> str:
    """Return one command of the reference of the command line."""
    usage, options = [f"rulespec {name}"], []
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            value = "" if parameter.is_flag else parameter.metavar or (parameter.name or "").upper()
            words = f"{parameter.opts[0]} {value}".strip()
            usage.append(words if parameter.required else f"[{words}]")
            options.append((f"`{words}`", parameter.help or ""))
        else:
            usage.insert(1, parameter.metavar or (parameter.name or "").upper())
    text = f"### rulespec {name}\n\n{command.help}\n\n```text\n{' '.join(usage)}\n```"
    return f"{text}\n\n{table(['option', 'meaning'], options)}" if options else text


@each_doc
def test_generated__is_up_to_date(doc: Path, update: bool) -> None:
    text = doc.read_text(encoding="utf-8")
    fresh = re.sub(
        r"(<!-- generated: (\S+) -->\n).*?(<!-- end -->)",
        lambda m: f"{m[1]}{generated(m[2])}\n{m[3]}",
        text,
        flags=re.DOTALL,
    )
    if update:
        doc.write_text(fresh, encoding="utf-8")
    assert update or fresh == text, "run `pytest tests/test_docs.py --update`"


def code_words(doc: Path) -> set[str]:
    """Return every stretch of code in a document, in backticks or in a block, and every word in it."""
    text = doc.read_text(encoding="utf-8")
    code = [*re.findall(r"`([^`\n]+)`", BLOCK.sub("", text)), *(m["text"] for m in BLOCK.finditer(text))]
    keys = [key for part in code for key in re.findall(r"^[\s{-]*([a-z_ ]+):", part, re.MULTILINE)]
    return {*code, *keys, *(word for part in code for word in re.findall(r"[a-z_]+", part))}


def schema_keys(schema: Any) -> Iterator[str]:
    """Yield all keys of rule files, and the words that stand for choices."""
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        yield from schema.get("enum", ())
        for part in schema.values():
            yield from schema_keys(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from schema_keys(part)


def test_language__every_key_is_explained() -> None:
    keys = set(schema_keys(json.loads(shape.schema_text())))
    assert len(keys) > 60
    assert sorted(keys - code_words(LANGUAGE)) == []


def test_language__every_word_of_the_grammar_is_explained() -> None:
    grammar = (ROOT / "rulespec" / "expr" / "grammar.lark").read_text(encoding="utf-8")
    words = set(re.findall(r'"([a-z]+)"|/([a-z]+)\\b/', re.sub(r"//.*", "", grammar)))
    flat = {word for pair in words for word in pair if word} | {"up to"} | shape.SENTENCE_WORDS | {*shape.STEP_KEYS}
    assert len(flat) > 35
    missing = [w for w in flat if not all(part in code_words(LANGUAGE) for part in w.split())]
    assert sorted(missing) == []


def test_cookbook__has_every_shipped_house_rule() -> None:
    shown = re.findall(r"<!-- generated: (house/\w+) -->", (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(name for name in shipped_games() if name.startswith("house/"))


def test_errors__every_code_is_listed() -> None:
    """A code is any word of the source that looks like `area-problem`."""
    found: set[str] = set()
    for file in (
        *(ROOT / "rulespec").rglob("*.py"),
        ROOT / "interpreter" / "trial" / "trial.py",
        ROOT / "interpreter" / "trial" / "same_choice.py",
        ROOT / "interpreter" / "trial" / "remarks.py",
        ROOT / "interpreter" / "examples" / "reading.py",
    ):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= set(re.findall(r"\A[a-z]+(?:-[a-z]+)+\Z", node.value))
    listed = [cells for _, cells in rows(ROOT / "docs" / "errors.md", "codes")]
    assert sorted(re.sub(r"\[`(.*)`\]\(.*", r"\1", cells[0]) for cells in listed) == sorted(found)
    assert [cells[0] for cells in listed if not cells[1]] == []


# --- JSON ---------------------------------------------------------------------------------------------------------

BY_NAME = ("options", "scores", "outcome.scores", "divide")  # maps whose keys are names or players


def paths(data: object, path: str = "") -> Iterator[str]:
    """`files[].ok` for every value, and for every map and list on the way to it."""
    if isinstance(data, list):
        for item in data:
            yield from paths(item, f"{path}[]")
    elif isinstance(data, dict):
        for key, value in data.items():
            inner = f"{path}.{'*' if path in BY_NAME else key}".lstrip(".")
            yield inner
            yield from paths(value, inner)


@pytest.mark.parametrize(
    "command",
    [
        "games",
        "validate faulty.yaml broken.yaml --play 3 --fix --diff",
        "fmt house.yaml broken.yaml --check",
        "test house.yaml broken.yaml --coverage --games 0",
        "play market.yaml --seed 3 --seats random",
        "new game",
        "measure sticks.yaml --seats random --games 30 --workers 1 --far --skill quick:2,random",
        "compare sticks.yaml house.yaml --seats random --games 30 --workers 1 --check random --far",
        "perft sticks.yaml --depth 2 --divide",
    ],
)
def test_json__keys_are_those_listed(command: str, tmp_path: Path) -> None:
    write_files(LANGUAGE, tmp_path)
    (tmp_path / "broken.yaml").write_text("rulespec: 1\ngame: A\ngame: B\nplay: !x\n", encoding="utf-8")
    (tmp_path / "house.yaml").write_text(
        "rulespec: 1\nextends: sticks.yaml\nchange: {moves: {take: {choose: {n: 1..2}}}}\n", encoding="utf-8"
    )
    text = (tmp_path / "sticks.yaml").read_text(encoding="utf-8")
    faulty = text.replace("n <= count(heap)", "n <= count(heap) + 3")
    (tmp_path / "faulty.yaml").write_text(faulty, encoding="utf-8")
    words = command.split()
    found = set(paths(json.loads(run([*words, "--json"], tmp_path))))
    listed = {cells[0] for _, cells in rows(ROOT / "docs" / "json.md", f"keys: {words[0]}")}
    assert sorted(found) == sorted(listed)


def test_docs__links_lead_somewhere() -> None:
    for doc in DOCS:
        prose = BLOCK.sub("", doc.read_text(encoding="utf-8"))
        for link, heading in re.findall(r"\]\(([^)#:]*)#?([^)]*)\)", prose):
            file = doc.parent / link if link else doc
            assert file.exists(), f"{doc.name}: {link}"
            if not heading:
                continue
            titles = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert heading in slugs, f"{doc.name}: {link}#{heading}"


def test_tutorial__leads_to_the_editor_and_the_other_tools() -> None:
    tutorial = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    for named in ("(editors.md)", "$ rulespec fmt ", "$ rulespec diff ", "$ rulespec rules "):
        assert named in tutorial, named


def test_howto__has_what_authors_looked_for() -> None:
    howto = (ROOT / "docs" / "howto.md").read_text(encoding="utf-8")
    assert "## Hands, extra turns, skipped turns, and an end at once" in howto
