"""Options and fixtures shared by all tests."""

import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings
from quick_compilation import NOT_INLINED

import symgen.build.compiler as compiler

# The same examples on every machine, however slow it is.
settings.register_profile(
    "symgen", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("symgen")


def pytest_addoption(parser):
    parser.addoption("--update-generated", action="store_true", help="rewrite generated/ instead of comparing it")
    parser.addoption("--thorough", action="store_true", help="run what takes long, too: `make thorough`")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--thorough"):
        for item in items:
            if item.get_closest_marker("thorough"):
                item.add_marker(pytest.mark.skip(reason="takes long: --thorough"))


@pytest.fixture
def update_generated(request):
    return request.config.getoption("--update-generated")


def pytest_configure(config):
    # One cache per run: nothing here depends on what was compiled or kept before.
    if "SYMGEN_CACHE" not in os.environ:
        folder = tempfile.TemporaryDirectory(prefix="symgen-tests-", ignore_cleanup_errors=True)
        os.environ["SYMGEN_CACHE"] = folder.name
        config.add_cleanup(folder.cleanup)


OPTIMIZED = {"build", "emit", "package", "test_bench_cli.py", "test_distributed.py"}
"""Folders, a file of whole runs, and one whose processes compare bits, where tests compile as users do, or choose.
Elsewhere code is compiled to see what it computes, which is quicker."""

AS_USERS_DO = compiler.CODE_GENERATION
QUICKLY = ("-O0", NOT_INLINED, *AS_USERS_DO[1:])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    # What a test has put another thing in the place of is neither looked up nor kept: its key does not tell.
    os.environ["SYMGEN_CACHE_SIZE"] = "0" if "monkeypatch" in item.fixturenames else ""
    places = {item.path.parent.name, item.path.name}
    compiler.CODE_GENERATION = AS_USERS_DO if places & OPTIMIZED else QUICKLY
