"""The page of each code: its meaning, a wrong file, the message, and the corrected file."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path


@cache
def folder() -> Path:
    """Return the folder of the pages: in the installed package, or among the documents in a checkout."""
    package = Path(__file__).parent.parent
    inside = package / "explanations"
    return inside if inside.is_dir() else package.parent / "docs" / "errors"


def known_codes() -> list[str]:
    return sorted(path.stem for path in folder().glob("*.md"))


def page_of(code: str) -> str | None:
    """Return the page in Markdown, or none if there is no such code."""
    return (folder() / f"{code}.md").read_text(encoding="utf-8") if code in known_codes() else None


def meaning_of(code: str) -> str:
    """Return the first sentence of the page."""
    parts = (page_of(code) or "").split("\n\n")
    return " ".join(parts[1].split()) if len(parts) > 1 else ""


def as_terminal_text(page: str) -> str:
    """Return the page without Markdown's signs: headings in capitals, files and messages indented."""
    out: list[str] = []
    fenced = False
    for line in re.sub(r"<!--.*?-->\n", "", page, flags=re.DOTALL).rstrip().split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            out.append(f"    {line}".rstrip())
        elif line.startswith("## "):
            out.append(line[3:].upper())
        else:
            out.append(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.removeprefix("# ")))
    return "\n".join(out)
