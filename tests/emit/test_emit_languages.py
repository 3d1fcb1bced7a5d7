"""Languages: all are alike to those who ask the registry, and take any name of a robot or parameter."""

import ast
import importlib
import re
import shutil
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from robot_text import head, link, parameters
from sample_modules import function, module
from test_emit_batch import STRICT, call

import symgen.emit
from symgen import api
from symgen.derive.derivation import Options, derive
from symgen.emit.environment import template_directory
from symgen.emit.registry import LANGUAGES, USUAL, language
from symgen.errors import EnvironmentFault, InputError
from symgen.program.graph import Graph
from symgen.program.module import Parameter
from symgen.program.program import Array
from symgen.robot.reader import read_text

ROOM = Path(symgen.emit.__file__).parent
ODD = ("math", "random", "class", "double", "function", "import", "for", "string", "numpy", "match", "main", "await")


def sample(name, *names):
    """A module with a function of one input, and parameters of these names."""
    graph = Graph()
    program = graph.program([Array("q", (1,))], [(Array("y", (1,)), [graph.variable("q", 0) * 3])])
    given = tuple(Parameter(each, 1.0, "1", "a number") for each in names)
    return replace(module(function("triple", program), name=name), parameters=given)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_language_is_two_folders_and_an_object(name):
    found = language(name)
    assert found.name == name
    assert (ROOM / name / "__init__.py").is_file()
    assert any((template_directory() / name).iterdir())
    assert set(found.write(sample("toy")))
    assert set(USUAL) <= set(LANGUAGES)


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("robot", ODD)
def test_any_name_of_a_robot_is_taken(name, robot):
    fitting = language(name).fitting(sample(robot, "m1"))
    assert fitting.name.lower() not in language(name).taken
    assert fitting.name.rstrip("_") == robot
    assert [file for file in language(name).write(sample(robot)) if not file.lstrip("+").startswith(fitting.name)] == []


@pytest.mark.parametrize("name", LANGUAGES)
def test_parameters_keep_their_order_and_stay_different(name):
    names = ["double", "double_", "new", "m1", "restrict_", "restrict", "double__"]
    found = [parameter.name for parameter in language(name).fitting(sample("toy", *names)).parameters]
    assert len(set(found)) == len(names)
    assert [text.rstrip("_") for text in found] == [text.rstrip("_") for text in names]
    assert not language(name).fields or not language(name).words & set(found)


@pytest.mark.parametrize("robot", ["math", "class", "planar"])
def test_robots_and_parameters_of_any_name_work(robot, tmp_path):
    """Written, built and run in every language; the package, too."""
    text = (
        head(name=f'"{robot}"')
        + parameters(double="2", register="0.5")
        + link(mass='"double"', com='["register", 0, 0]')
    )
    loaded = read_text(text, "odd.toml")
    made = api.run(loaded, Options(parameters=("double", "register")), states=3, languages=LANGUAGES)
    assert made.passed
    assert made.module.name == robot
    assert set(made.module.parameters) == {"double", "register"}
    paths = api.write_package(made, tmp_path / "package")
    if shutil.which("gcc"):
        header = next(path for path in paths if path.suffix == ".h" and path.parent.name == "include")
        assert re.search(r"double double_;\n +double register_;", header.read_text())
        flags = [*STRICT, f"-I{header.parent}", "-fsyntax-only"]
        call("gcc", *flags, str(header.parent.parent / "src" / f"{header.stem}.c"), folder=tmp_path)


def test_what_is_wrong_in_one_language_fails_the_run(monkeypatch):
    python = language("python")
    wrong = replace(python, run=lambda module, files: python.run(module, _spoilt(files)))
    monkeypatch.setattr("symgen.runtime.languages.language", lambda name: wrong)
    made = api.run(api.load("planar2r"), Options(functions=("gravity_torque",)), states=3, languages=("python",))
    assert made.report.passed
    assert not made.passed
    assert "gravity_torque in Python" in api.failure_text(made)


def _spoilt(files):
    ((name, text),) = files.items()
    changed = re.sub(r"(\n    g\[\.\.\., 0\] = )", r"\g<1>1e-6 + ", text)
    assert changed != text
    return {name: changed}


def test_what_cannot_be_run_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr("symgen.emit.tools.shutil.which", lambda tool: None)
    made = api.run(api.load("planar2r"), Options(functions=("gravity_torque",)), states=3, languages=("js",))
    (written,) = made.written
    assert made.passed
    assert (written.report, written.reason) == (None, "no node found")


@pytest.mark.parametrize("languages", [[], ["cobol"], ["c", "JS"]])
def test_languages_that_are_not_there(languages):
    with pytest.raises(InputError, match=f"there are: {', '.join(LANGUAGES)}"):
        api.checked_languages(languages)


# the rules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOM)))
def test_text_that_was_written_is_never_parsed(path):
    """Emitters have no means for it: neither patterns nor parsers."""
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert not imported & {"re", "ast", "tokenize", "pycparser", "regex"}


def test_readers_of_robot_files_know_no_target_language():
    """No name of a robot is refused, and no parameter's but what expressions are made of."""
    names = importlib.import_module("symgen.robot.names")
    for name in LANGUAGES:
        for word in language(name).words | language(name).taken:
            if names.identifier_problem(word) is None and word not in ("con", "aux", "nul", "prn"):
                assert names.robot_problem(word) is None


def test_numbers_are_the_same_in_all_languages():
    made = derive(api.load("planar2r"), Options(functions=("inertia_matrix",), effort="low")).module
    q = np.linspace(-2, 2, 10).reshape(5, 2)
    found = []
    for name in LANGUAGES:
        run = language(name).run
        # A machine need not have them all.
        with suppress(EnvironmentFault), run(made, language(name).write(made)) if run else nullcontext({}) as functions:
            for call in functions.values():
                result = call(q)
                found.append(result[0] if isinstance(result, tuple) else result)
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-14)
