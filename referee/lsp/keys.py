"""Which keys can be used where in a rule file, by its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from rulespec import schema_text

JsonSchema = dict[str, Any]


@cache
def _schema() -> JsonSchema:
    found: JsonSchema = json.loads(schema_text())
    return found


@dataclass(frozen=True, slots=True)
class SchemaKey:
    name: str
    description: str


def keys_at(path: tuple[str, ...], extends: bool) -> list[SchemaKey]:
    """Return the keys with a fixed name that can be used at a path."""
    found: dict[str, SchemaKey] = {}
    for schema in _at(path, extends):
        for name, part in schema.get("properties", {}).items():
            found.setdefault(name, SchemaKey(name, _described(part)))
    return list(found.values())


def values_at(path: tuple[str, ...], extends: bool) -> list[str]:
    """Return the words that can be the value at a path, if there are only a few."""
    found = {str(word): None for schema in _at(path, extends) for word in schema.get("enum", ())}
    return list(found)


def description_at(path: tuple[str, ...], extends: bool) -> str:
    """Return what the key at the end of a path means; empty for names that the author chose."""
    for schema in _at(path[:-1], extends):
        if path and path[-1] in schema.get("properties", {}):
            return _described(schema["properties"][path[-1]])
    return ""


def _described(part: JsonSchema) -> str:
    if "description" in part:
        return str(part["description"])
    return _described(_resolved(part["$ref"])) if "$ref" in part else str(part.get("title", ""))


def _resolved(reference: str) -> JsonSchema:
    node: Any = _schema()
    for part in reference.removeprefix("#/").split("/"):
        node = node[part]
    found: JsonSchema = node
    return found


def _at(path: tuple[str, ...], extends: bool) -> list[JsonSchema]:
    """Return the parts of the schema that describe a path."""
    places = list(_open(_resolved("#/$defs/house" if extends else "#/$defs/game")))
    for word in path:
        following: list[JsonSchema] = []
        for schema in places:
            if word == "-":
                inner = schema.get("items")
            else:
                named = (
                    part for pattern, part in schema.get("patternProperties", {}).items() if re.match(pattern, word)
                )
                inner = schema.get("properties", {}).get(word) or next(named, schema.get("additionalProperties"))
            if isinstance(inner, dict):
                following += _open(inner)
        places = following
    return places


def _open(schema: JsonSchema) -> Iterator[JsonSchema]:
    """Yield a schema and everything it refers to, whichever branch applies."""
    yield schema
    if "$ref" in schema:
        yield from _open(_resolved(schema["$ref"]))
    for branch in ("then", "else"):
        if isinstance(schema.get(branch), dict):
            yield from _open(schema[branch])
