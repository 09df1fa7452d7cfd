"""Files that commands change in place: written whole or not at all, and what would change."""

from __future__ import annotations

import os
import re
from difflib import unified_diff
from pathlib import Path


def difference(file: str, before: str, after: str) -> str:
    """Return what is different in two texts of a file, as a patch."""
    lines = unified_diff(_lines(before), _lines(after), file, file)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Return the lines with their ends; only a line feed ends one."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def rewrite(path: Path, text: str) -> None:
    """Write the whole file or nothing; links and permissions stay the same."""
    import tempfile

    target = path.resolve()
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, target.stat().st_mode & 0o7777)
        os.replace(temporary, target)
    except OSError:
        os.unlink(temporary)
        raise
