"""The fields of requests: what each is expected to be, and what is wrong with a given one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter import seeds
from referee.engine import texts
from referee.engine.stream import Refusal
from rulespec import listed_names, suggest


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a request: whether a value fits, and what is expected, in words."""

    fits: Callable[[Any], bool]
    expected: str
    default: Any = None
    needed: bool = False


def count(least: int, most: int, default: int | None = None) -> Field:
    """Return a field for a whole number."""
    return Field(
        lambda v: type(v) is int and least <= v <= most, texts.AS_COUNT.format(least=least, most=most), default
    )


def viewer(players: int, default: Any = None) -> Field:
    """Return a field for who looks: a player, or null for an onlooker."""
    return Field(
        lambda v: v is None or (type(v) is int and 1 <= v <= players),
        texts.AS_VIEWER.format(players=players),
        default,
    )


def seed(default: Any) -> Field:
    """Return a field for a seed; if it has no default (`...`), null leaves chance open."""
    expected = texts.AS_SEED.format(bits=seeds.BITS) + (texts.OR_OPEN if default is ... else "")
    return Field(lambda v: _is_seed(v) and (v is not None or default is ...), expected, default)


def _is_seed(value: Any) -> bool:
    try:
        seeds.seed_from_data(value)
    except ValueError:
        return False
    return True


def text(needed: bool = False) -> Field:
    """Return a field for a text."""
    return Field(lambda v: isinstance(v, str), texts.AS_TEXT, None, needed)


YES_NO = Field(lambda v: isinstance(v, bool), texts.AS_YES_NO, False)
MOVE = Field(lambda v: isinstance(v, str | dict), texts.AS_MOVE, None, True)
OPTIONS = Field(lambda v: isinstance(v, dict) and all(isinstance(c, str) for c in v.values()), texts.AS_OPTIONS, None)


def read_fields(request: str, given: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return the values of a request's fields, with defaults. Raises Refusal for what is missing, unknown or wrong."""
    for name in given:
        if name not in fields:
            message = texts.UNKNOWN_FIELD.format(
                request=request, found=name[:40], hint=hint(name, fields), known=listed_names(fields)
            )
            raise Refusal("unknown-field", message, field=name[:40])
    values = {}
    for name, field in fields.items():
        if name not in given:
            if field.needed:
                message = texts.MISSING_FIELD.format(request=request, field=name, expected=field.expected)
                raise Refusal("missing-field", message, field=name)
            values[name] = field.default
        elif field.fits(given[name]):
            values[name] = given[name]
        else:
            found = texts.kind_of(given[name])
            message = texts.BAD_FIELD.format(field=name, expected=field.expected, found=found)
            raise Refusal("bad-field", message, field=name)
    return values


def hint(found: str, known: Iterable[str]) -> str:
    """Return a suggestion for a word that somebody misspelt, however long."""
    return suggest(found[:60], known)
