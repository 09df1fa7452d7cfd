"""Rules that are given as Python data, written out as YAML: so everything about them has a line and a column."""

from __future__ import annotations

import yaml

from rulespec.diagnostics.diagnostic import Diagnostic, RuleFileError, Span
from rulespec.yaml.source import MOST_LEVELS

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(_DUMPER):  # type: ignore[misc, valid-type]
    """Writes a list that occurs twice twice: rule files have no aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def mapping_text(data: dict[str, object], name: str) -> str:
    """Return the YAML text of a mapping. Raises RuleFileError if it holds something that a rule file cannot."""
    if wrong := _cannot_stand(data, (), 0):
        raise RuleFileError([Diagnostic(Span(name, 1, 1, 1, 1), "mapping-unwritable", wrong)])
    return str(yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10_000))


def _cannot_stand(value: object, way: tuple[str, ...], depth: int) -> str | None:
    """Return what in the data has no form in a rule file, if anything."""
    where = f" at `{': '.join(way)}`" if way else ""
    if depth > MOST_LEVELS:
        return f"the mapping is more than {MOST_LEVELS} levels deep"
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str | int):
                return f"expected names as keys{where}, found {type(key).__name__} {key!r}"
            if wrong := _cannot_stand(inner, (*way, str(key)), depth + 1):
                return wrong
    elif isinstance(value, list | tuple):
        for number, inner in enumerate(value, 1):
            if wrong := _cannot_stand(inner, (*way, str(number)), depth + 1):
                return wrong
    elif not isinstance(value, str | int | float | bool | None):
        return f"expected text, a number, a list or a map{where}, found {type(value).__name__} {value!r}"
    return None
