"""What commands and names load: only what they need, so that nobody waits for libraries that others need."""

import json
import subprocess
import sys

import pytest

import symgen

DISPLAY = {"sympy", "matplotlib", "scipy", "pandas", "IPython", "dask", "distributed", "xarray"}
"""For pictures, formulas as SymPy's, integration, clusters: nothing here needs any of them."""

GENERATION = {"jinja2", "symgen.emit", "symgen.build.compiler", "symgen.passes"}
ALGEBRA = {"symgen.mechanics", "symgen.derive.derivation"}
ROBOTS = {"pydantic", "numpy"}
BASIS = {"flint", "rich"}
FINDING = {"jinja2", "pydantic", "symgen.derive.derivation", "symgen.mechanics.mechanism", "symgen.passes.pipeline"} | {
    "symgen.prove.proof",
    "symgen.verify.compare",
    "symgen.emit.c",
}
"""What derives, writes, verifies and proves, and reads robot files."""

ALL = DISPLAY | GENERATION | ALGEBRA | ROBOTS | BASIS

COMMANDS = {
    "--help": ALL,
    "--version": ALL,
    "nosuch": ALL,
    "list": ALL,
    "list --json": ALL,
    "generate --help": ALL - {"symgen.emit"},
    "info": ALL,
    "info nosuch": ALL - {"flint"},
    "info puma": DISPLAY | GENERATION | ALGEBRA,
    "info puma --json": DISPLAY | GENERATION | ALGEBRA,
    "convert puma --to modified": DISPLAY | GENERATION,
    "info planar2r --base-parameters": DISPLAY | GENERATION,
    "show planar2r": DISPLAY | GENERATION,
    "show planar2r inertia_matrix": DISPLAY | GENERATION,
    "count planar2r --effort low --functions gravity_torque": DISPLAY,
}
"""Command → modules that it must not load; help names the languages of the registry."""

STATEMENTS = {
    "symgen.__version__": ALL,
    "symgen.SymgenError": ALL,
    "symgen.chain(3)": DISPLAY | GENERATION | ALGEBRA | ROBOTS,
    "symgen.load('puma')": DISPLAY | GENERATION | ALGEBRA | {"rich"},
    "symgen.base_parameters('planar2r')": DISPLAY | GENERATION | {"rich"},
    "symgen.closed_form('planar2r').inertia_matrix.entry(0, 0).text()": DISPLAY | GENERATION | {"rich"},
    "symgen.operation_counts": DISPLAY | {"rich"},
}
"""Expression after `import symgen` → modules that it must not load."""

_RUN = """
import sys
from symgen.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
"""
_LOADED = "\nimport json, sys; print(json.dumps(list(sys.modules)))"


def loaded(code, *args):
    """The modules that a new Python has loaded after it ran `code`."""
    run = subprocess.run([sys.executable, "-c", code + _LOADED, *args], capture_output=True, check=True, text=True)
    return set(json.loads(run.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def before():
    """What Python loads by itself: environments may have hooks."""
    return loaded("pass")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_loads_what_it_needs(before, command):
    assert not COMMANDS[command] & (loaded(_RUN, *command.split()) - before)


ONCE_MORE = {
    "generate planar2r --effort low --functions gravity_torque --states 2 -o out": DISPLAY | FINDING,
    "count planar2r --effort low --functions gravity_torque": DISPLAY | FINDING,
}
"""Command → modules that it must not load when all that it asks for was made before."""


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A cache that nothing is kept in yet."""
    monkeypatch.setenv("SYMGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("SYMGEN_CACHE_SIZE")


@pytest.mark.parametrize("command", ONCE_MORE)
def test_who_finds_what_was_kept_loads_nothing_to_make_it(before, empty, command, tmp_path):
    words = command.replace("-o out", f"-o {tmp_path}").split()
    first, second = loaded(_RUN, *words) - before, loaded(_RUN, *words) - before
    assert first & {"symgen.derive.derivation"}
    assert not ONCE_MORE[command] & second


def test_a_second_generate_in_python_is_as_light(before, empty):
    code = "import symgen\nsymgen.generate('planar2r', functions=['gravity_torque'], effort='low', states=1)"
    first, second = loaded(code) - before, loaded(code) - before
    assert first & {"symgen.prove.proof"}
    assert not (DISPLAY | FINDING | {"rich", "click"}) & second


@pytest.mark.parametrize("expression", STATEMENTS)
def test_a_name_loads_what_it_needs(before, expression):
    found = loaded(f"import symgen\n{expression}")
    assert "symgen" in found
    assert not STATEMENTS[expression] & (found - before)


def test_every_public_name_is_there():
    assert symgen.__all__ == sorted(symgen.__all__)
    assert set(symgen.__all__) <= set(dir(symgen))
    for name in set(symgen.__all__) - {"distributed", "__version__"}:
        assert getattr(symgen, name).__name__ == name
    assert symgen.distributed.__name__ == "symgen.runtime.distributed"
    with pytest.raises(AttributeError, match="has no attribute 'nosuch'"):
        symgen.nosuch  # noqa: B018 — asking is the test


@pytest.mark.parametrize("name", ["closed_form", "base_parameters", "load", "Options", "cycloid", "set_threads"])
def test_the_corridor_has_the_same_names(name):
    from symgen import api

    assert getattr(api, name) is getattr(symgen, name)
