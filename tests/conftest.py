"""Options and fixtures shared by all tests."""

import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every machine, however slow it is.
settings.register_profile(
    "symgen", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("symgen")


def pytest_addoption(parser):
    parser.addoption("--update-generated", action="store_true", help="rewrite generated/ instead of comparing it")


@pytest.fixture
def update_generated(request):
    return request.config.getoption("--update-generated")


def pytest_configure(config):
    # One build cache per run: what is compiled here depends on nothing compiled before.
    if "SYMGEN_CACHE" not in os.environ:
        folder = tempfile.TemporaryDirectory(prefix="symgen-tests-", ignore_cleanup_errors=True)
        os.environ["SYMGEN_CACHE"] = folder.name
        config.add_cleanup(folder.cleanup)
