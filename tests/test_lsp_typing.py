"""Random edits, typed into the language server: at rest it says what a check of the same texts says that has seen no others."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from lsprotocol.converters import get_converter

from referee.lsp.analysis import LONG, analyse, outline
from referee.lsp.begun import is_rules
from referee.lsp.checking import Late, as_lsp
from rulespec import DISK, shipped_games
from tests.lsp_client import Client, started
from tests.sizes import size

TYPED = (
    "",
    "\n",
    " ",
    "x",
    "1",
    "#",
    "'",
    ":",
    "- ",
    " + 1",
    " or true",
    "\n  # aside\n",
    "remove",
    "unused",
    "player",
    "me",
)
CONVERTER = get_converter()


def fresh(path: Path, texts: dict[Path, str]) -> list[object]:
    """Return what is to be shown of a document, by a check in this process and with an empty memory of the server's."""
    if not is_rules(texts[path]):
        return []
    files = DISK.having(texts)
    found = analyse(path, files)
    if found.tree is None:
        found.tree = outline(path, texts[path]).tree
    return [CONVERTER.unstructure(as_lsp(d, found, files)) for d in found.diagnostics]


def shown(items: list[object]) -> list[str]:
    """Return diagnostics in an order of their own, without the changes they offer, which need the tree of a text that is right."""
    return sorted(str({k: v for k, v in item.items() if k != "data"}) for item in items if isinstance(item, dict))


def edited(rng: random.Random, text: str) -> str:
    """Return a text with one more edit somewhere; a cut, a word twice, or a few letters."""
    begin = rng.randrange(len(text) + 1)
    end = min(len(text), begin + rng.choice((0, 0, 0, 0, 1, 2, 8, 60)))
    return text[:begin] + rng.choice(TYPED) + text[end:]


def all_at_rest(client: Client, texts: dict[Path, str], what: str) -> None:
    """Wait until what is published of all documents is what a fresh check says, and see that it stays so."""
    expected = {path.as_uri(): shown(fresh(path, texts)) for path in texts}

    def agree() -> bool:
        return all(without_examples(client.published[uri]) == found for uri, found in expected.items())

    client.wait(agree, what)
    client.at("hover", next(iter(texts)), 1, 1)  # the server has taken everything that was sent before
    client.take_all()
    assert agree(), what


def without_examples(items: list[dict[str, object]]) -> list[str]:
    return shown([item for item in items if item["code"] != "example-failed"])


def opened(client: Client, folder: Path, names: list[str]) -> dict[Path, str]:
    """Open shipped games and house rules of theirs in a folder; their texts."""
    texts = {}
    for name in names:
        path = folder / f"{name.rpartition('/')[2]}.yaml"
        texts[path] = shipped_games()[name].read_text(encoding="utf-8")
        for base in names:
            texts[path] = texts[path].replace(f"\nextends: {base}\n", f"\nextends: {base}.yaml\n")
        path.write_text(texts[path], encoding="utf-8")
    for path in texts:
        client.open(path)
    return texts


@pytest.mark.sized
@pytest.mark.parametrize(
    "names",
    [
        ["classics/nim"],
        pytest.param(["base", "house/corners", "house/six_colours"], marks=pytest.mark.soak),
        pytest.param(["duel", "house/duel_connected"], marks=pytest.mark.soak),
        pytest.param(["pavilion", "house/pavilion_wild_by_lot"], marks=pytest.mark.soak),
        pytest.param(["sintra", "house/sintra_twin_panes"], marks=pytest.mark.soak),
    ],
)
def test_typing__at_rest_all_is_as_a_fresh_check_says(names: list[str], tmp_path: Path) -> None:
    rng = random.Random(f"typing {names}")
    client = started(tmp_path)
    texts = good = opened(client, tmp_path, names)
    for rest in range(size(3, 60)):
        log = []
        for _ in range(rng.choice((1, 1, 2, 5))):
            path = rng.choice([*texts])
            new = edited(rng, good[path] if rng.random() < 0.4 else texts[path])
            texts = {**texts, path: new}
            client.type(path, new)
            log.append((path.name, new))
            if rng.random() < 0.5:
                client.take_all()
        all_at_rest(client, texts, f"rest {rest}: {log[-1]}")
    assert client.stop() == 0


def test_typing__what_only_an_option_shows_stays_while_one_types(tmp_path: Path) -> None:
    """The document is long: what the default rules show comes first, and what was found of the others stays meanwhile."""
    path = tmp_path / "long.yaml"
    game = shipped_games()["classics/nim"].read_text(encoding="utf-8")
    text = re.sub(r"^text:.*(\n .*)*", f"text: {'word ' * (LONG // 5)}", game, count=1, flags=re.MULTILINE)
    option = "  x:\n    a: {text: a}\n    b: {text: b, change: {steps: {remove: [no_such_step]}}}\n"
    text = text.replace("\noptions:\n", f"\noptions:\n{option}")
    client = started(tmp_path)
    codes = [d["code"] for d in client.open(path, text)]
    assert codes == ["overlay-change-nothing"]
    for typed in ("# one\n", "# one\n# two\n"):
        early = client.change_and_see(path, typed + text)
        assert [d["code"] for d in early] == codes
        before = client.times[path.as_uri()]
        client.wait(lambda n=before: client.times[path.as_uri()] > n, "the rest")
        assert client.published[path.as_uri()] == early
    assert client.stop() == 0


def item(line: int, code: str = "late") -> lsp.Diagnostic:
    return lsp.Diagnostic(lsp.Range(lsp.Position(line, 2), lsp.Position(line, 4)), code)


@pytest.mark.parametrize(
    ("new", "lines"),
    [
        ("a\nb\nc\nd\n", [0, 2, 3]),
        ("a\nB\nc\nd\n", [0, 2, 3]),
        ("a\nb\nC\nd\n", [0, 2, 3]),  # on the line that is being changed it stays
        ("a\nb\nb\nc\nd\n", [0, 3, 4]),
        ("a\nc\nd\n", [0, 1, 2]),
        ("a\nb\nd\n", [0, 2]),  # its line is gone
        ("", []),
        ("x\n" * 9, []),
    ],
)
def test_late__is_moved_with_its_line(new: str, lines: list[int]) -> None:
    late = Late("a\nb\nc\nd\n", [item(0), item(2), item(3)])
    assert [one.range.start.line for one in late.in_text(new)] == lines
