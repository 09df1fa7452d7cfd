"""Shared by all tests: `--update` for golden files, and how hard the random tests look."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from interpreter.compile import build
from tests.pages import Site, running_browser
from tests.sizes import SOAK

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A steady run finds the same today and tomorrow; RULESPEC_EXPLORE=1 looks at new random games every time.
_QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("explore", deadline=None, print_blob=True, suppress_health_check=_QUIET)
settings.load_profile("explore" if os.environ.get("RULESPEC_EXPLORE") else "steady")


# Tests press Ctrl-C in processes they start, which ignore it if this one does: a shell starts jobs in the background so.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SHIPPED_FLAGS = build.FLAGS
if not SOAK:  # optimizing takes nine times as long as compiling, and the games that tests play are few
    build.FLAGS = ("-O0", *SHIPPED_FLAGS[1:])


def pytest_configure(config: pytest.Config) -> None:
    """Keep what tests compile apart from the user's own, in one folder for all workers."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="rulespec-tests-", dir=in_memory(), ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        os.environ["XDG_CACHE_HOME"] = folder.name


def in_memory() -> str | None:
    """Return a folder without a disk, where there is one with room in which libraries can be loaded: writing takes no time."""
    try:
        found = os.statvfs("/dev/shm")
    except (AttributeError, OSError):
        return None
    good = (
        os.access("/dev/shm", os.W_OK) and not found.f_flag & os.ST_NOEXEC and found.f_bavail * found.f_frsize > 2**29
    )
    return "/dev/shm" if good else None


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remember nothing of files that nobody will read again: keeping their parses takes longer than the tests."""
    monkeypatch.setenv("XDG_CACHE_HOME", os.devnull)


@pytest.fixture
def shipped_flags(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile as users do."""
    monkeypatch.setattr(build, "FLAGS", SHIPPED_FLAGS)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the golden files anew; then review the diff")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of pages."""
    with running_browser() as found:
        yield found


@pytest.fixture(scope="session")
def site(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server for all tests of pages; those that kill one start their own."""
    found = Site(tmp_path_factory.mktemp("tables"))
    found.start()
    yield found
    found.stop()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is only for the soak run."""
    if SOAK:
        return
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("soak")])
    items[:] = [item for item in items if not item.get_closest_marker("soak")]


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(10_000, 10, 20)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """After each file, take what is still there for good: looking through all the shared games for garbage takes a second."""
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many payloads were tried, in all processes together."""
    tally = Counter[str]()
    for report in terminalreporter.getreports("passed"):
        for name, counted in report.user_properties:
            if name == "payloads":
                tally.update(counted)
    if tally:
        terminalreporter.write_line("payloads: " + ", ".join(f"{n:,} {what}" for what, n in tally.items()))
