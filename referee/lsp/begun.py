"""Which documents are rule files: the server is silent about all other YAML."""

from __future__ import annotations

import re

from referee.lsp.paths import split

_VERSION = re.compile(r"""(rulespec|"rulespec"|'rulespec')\s*:(\s|$)""")
_FIRST = "rulespec:"


def is_rules(text: str) -> bool:
    """Return whether a text has the key that every rule file has, even if it is no good YAML.

    >>> is_rules("# mine\\nrulespec: 1\\n"), is_rules("services:\\n  rulespec: 1\\n")
    (True, False)
    """
    return any(
        _VERSION.match(line.removeprefix("{").lstrip()) for line in split(text) if line[:1] in ("r", '"', "'", "{")
    )


def is_begun(text: str) -> bool:
    """Return whether a text may become a rule file: there is nothing but comments and the beginning of its first key.

    >>> is_begun(""), is_begun("# mine\\nrul"), is_begun("version: 3"), is_begun("rul\\nservices:\\n")
    (True, True, False, False)
    """
    lines = [line.strip() for line in split(text)]
    written = [line for line in lines if line and not line.startswith("#") and line != "---"]
    return not written or (len(written) == 1 and _FIRST.startswith(written[0]))
