"""What was worked out before, kept between runs in the user's cache folder: a faster start, never another result.

Everything here can be lost or refused without harm: then it is worked out again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

MOST_KEPT = 400  # files


@cache
def folder() -> Path | None:
    """The folder to keep things in, or None where there is none to write to."""
    try:
        found = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rulespec"
        found.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return found if os.access(found, os.W_OK) else None


def mark_of(*parts: str) -> str:
    """A short mark that differs where any part differs."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def recall(name: str) -> Any:
    """What was kept under a name, or None."""
    where = folder()
    if where is None:
        return None
    try:
        return pickle.loads((where / name).read_bytes())
    except Exception:  # a damaged or foreign file tells in many ways; whatever it is, it is not used
        return None


def keep(name: str, value: object) -> None:
    """Keeps a value under a name; another process sees the old or the new one, never a part."""
    where = folder()
    if where is None:
        return
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=where)
        with os.fdopen(handle, "wb") as file:
            pickle.dump(value, file, protocol=pickle.HIGHEST_PROTOCOL)
        os.replace(temporary, where / name)
        _tidy(where)


def _tidy(where: Path) -> None:
    """Forgets the oldest things if there are very many."""
    kept = [entry for entry in os.scandir(where) if entry.is_file()]
    if len(kept) > MOST_KEPT:
        kept.sort(key=lambda entry: entry.stat().st_mtime)
        for entry in kept[: len(kept) - MOST_KEPT // 2]:
            os.unlink(entry.path)
