"""The tables of the reference, made from what the checker itself uses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulespec.expr.builtins import AGGREGATES, BUILTINS
from rulespec.files.sources import shipped_games
from rulespec.schema import shape
from tests.phrases import AMOUNTS, EXPRESSIONS, OTHERS, STEPS, Phrase

PARTS = (  # what has keys of its own: part of the schema → heading
    ("game", "A rule file"),
    ("house", "A house rule"),
    ("place", "An entry of `places`"),
    ("variable", "An entry of `variables` that is a map"),
    ("if_step", "A step `if`"),
    ("while_step", "A step `while`"),
    ("for_step", "A step `for each`"),
    ("ask_step", "A step `ask`"),
    ("move", "An entry of `moves`"),
    ("condition", "An entry of `needs`"),
    ("rule", "An entry of `scoring`"),
    ("choice", "A choice of an entry of `options`"),
    ("example", "An entry of `examples`"),
    ("expect", "`expect` of an example"),
    ("view", "`view`"),
    ("layout", "An entry of `layout`"),
    ("drawn_piece", "An entry of `pieces` of a view"),
    ("drawn_mark", "An entry of `marks`"),
)


def table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def schema() -> Any:
    return json.loads(shape.schema_text())


def description(value: Any, whole: Any) -> str:
    """Return the hover text of a key, its own or that of what it refers to."""
    while "description" not in value and "$ref" in value:
        value = whole["$defs"][value["$ref"].split("/")[-1]]
    return str(value["description"])


def keys_of(part: Any) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a part of the schema, and those of the maps directly in it."""
    for key, value in part.get("properties", {}).items():
        yield key, value
        for inner, deeper in value.get("properties", {}).items():
            yield f"{key}: {inner}", deeper


def key_tables() -> str:
    whole = schema()
    texts = []
    for name, heading in PARTS:
        part = whole["$defs"][name]
        needed = part.get("required", [])
        rows = [(f"`{k}`", "needed" if k in needed else "", description(v, whole)) for k, v in keys_of(part)]
        texts.append(f"### {heading}\n\n" + table(["key", "", "what it says"], rows))
    return "\n\n".join(texts)


def phrase_table(head: str, phrases: dict[str, Phrase]) -> str:
    return table([head, "means"], ((f"`{p.usage}`", p.gives) for p in phrases.values()))


def builtin_table() -> str:
    return table(["built-in", "gives"], ((f"`{b.usage}`", b.gives) for b in BUILTINS.values()))


def aggregate_table() -> str:
    return table(["gathers", "gives"], ((f"`{a}(… for x in …)`", gives) for a, gives in AGGREGATES.items()))


def recipe(name: str) -> str:
    """Return a shipped house rule as a block of code, without its examples."""
    text = shipped_games()[name].read_text(encoding="utf-8")
    sections = re.split(r"(?m)^(?=\w+:)", text)
    kept = "".join(s.rstrip() + "\n" for s in sections[1:] if not s.startswith("examples:"))
    return f"```yaml\n# {name.split('/')[-1]}.yaml\n{kept}```"


TABLES = {
    "keys": key_tables,
    "expressions": lambda: phrase_table("form", EXPRESSIONS),
    "steps": lambda: phrase_table("step", STEPS),
    "amounts": lambda: phrase_table("part of a step", AMOUNTS),
    "others": lambda: phrase_table("form", OTHERS),
    "built-ins": builtin_table,
    "aggregates": aggregate_table,
}
