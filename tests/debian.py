"""Programs that tests drive, from Debian's packages: found, or installed where that is allowed; else the test is skipped, with the reason."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

LOCKED = 300  # seconds to wait for another program that installs something


def find_program(title: str, look: Callable[[], str | None], packages: tuple[str, ...]) -> str:
    """Return the path of a program that `look` finds, once the packages are installed if need be."""
    if found := look():
        return found
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("apt-get") is None:
        words = f"apt-get install {' '.join(packages)}"
        pytest.skip(f"no {title}: install it (Debian: `{words}`); it is not tried without root and apt")
    with _alone():  # workers that run side by side install it once
        return look() or _install(title, look, packages)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Let no other process or thread in at the same time."""
    import fcntl

    with open(Path(tempfile.gettempdir()) / "rulespec-tests-apt.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _install(title: str, look: Callable[[], str | None], packages: tuple[str, ...]) -> str:
    """Install Debian's, and return its path. A new machine knows no packages until it has fetched their lists."""
    install, update = ["install", "--yes", "--quiet", *packages], ["update", "--quiet"]
    tried = []
    for words in (install, update, install):
        command = ["apt-get", "-o", f"DPkg::Lock::Timeout={LOCKED}", *words]
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        )
        if words is install and not done.returncode and (found := look()):
            return found
        tried.append(f"`{' '.join(command)}` ended with {done.returncode}: {done.stderr.strip()[-200:]}")
    pytest.skip(f"no {title}: " + "; ".join(tried))
