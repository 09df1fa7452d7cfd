"""Texts and paths of the language server. Imports nothing slow: the worker processes need it."""

from __future__ import annotations

import os
from pathlib import Path


def split(text: str) -> list[str]:
    """Return the lines of a text as the reader of rule files counts them."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def absolute(file: str | Path) -> Path:
    return Path(os.path.abspath(file))
