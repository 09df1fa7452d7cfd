"""How the tests of the pages come by a browser: on a new machine it is installed, once, however many ask at a time."""

from __future__ import annotations

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.pages import find_chromium

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there is no apt on this system")

# An apt-get that knows no package before `update`, and that two cannot use at a time.
APT = f"""#!{sys.executable}
import os, pathlib, sys, time
place = pathlib.Path(__file__).parent
words = [word for word in sys.argv[1:] if word in ("install", "update")]
with open(place / "asked", "a") as asked:
    print(words[0], file=asked)
try:
    os.mkdir(place / "locked")
except FileExistsError:
    sys.exit("E: Could not get lock")
time.sleep(0.1)
os.rmdir(place / "locked")
if words == ["update"]:
    (place / "known").touch()
elif (place / "known").exists() and not (place / "none").exists():
    (place / "chromium").touch()
    (place / "chromium").chmod(0o755)
else:
    sys.exit("E: Unable to locate package chromium")
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine of ours with nothing but apt."""
    (tmp_path / "apt-get").write_text(APT)
    (tmp_path / "apt-get").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path


def test_chromium__is_installed_once_after_the_lists_were_fetched(machine: Path) -> None:
    with ThreadPoolExecutor(3) as workers:
        found = list(workers.map(lambda _: find_chromium(), range(3)))
    assert found == [str(machine / "chromium")] * 3
    assert (machine / "asked").read_text().split() == ["install", "update", "install"]


def test_chromium__that_cannot_be_had_skips_with_the_reason(machine: Path) -> None:
    (machine / "none").touch()
    with pytest.raises(pytest.skip.Exception, match=r"ended with 1: E: Unable to locate package chromium"):
        find_chromium()


def test_chromium__is_not_installed_without_root(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(pytest.skip.Exception, match="it is not tried without root and apt"):
        find_chromium()
    assert not (machine / "asked").exists()
