"""Texts and paths as the language server knows them. Imports nothing slow: the processes that check documents need it."""

from __future__ import annotations

import os
from pathlib import Path


def split(text: str) -> list[str]:
    """The lines of a text, as the reader of rule files counts them."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def absolute(file: str | Path) -> Path:
    return Path(os.path.abspath(file))
