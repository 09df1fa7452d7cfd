"""Shared by all tests: `--update` for golden files, and how hard the random tests look."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from tests.sizes import SOAK

# A steady run finds the same today and tomorrow; RULESPEC_EXPLORE=1 looks at new random games every time.
_QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("explore", deadline=None, print_blob=True, suppress_health_check=_QUIET)
settings.load_profile("explore" if os.environ.get("RULESPEC_EXPLORE") else "steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write the golden files anew; then review the diff")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is only for the soak run."""
    if SOAK:
        return
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("soak")])
    items[:] = [item for item in items if not item.get_closest_marker("soak")]
