"""The corridor from Python: clear errors, the same bytes every time, exact numbers, safe text."""

import ast
import functools
import itertools
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from library_robots import ARMS
from robot_text import GOOD, MASSLESS, head, link, parameters

import symgen
from symgen import api
from symgen.algebra.exact import Exact
from symgen.build.compiler import STRICT, find_compiler
from symgen.derive.derivation import derive
from symgen.errors import CompilerError, InputError, VerificationError
from symgen.generation import judging
from symgen.program.program import Op
from symgen.prove.verdict import Proof
from symgen.robot.model import Frame
from symgen.robot.reader import read_text
from symgen.verify.report import Check, Report


def read(text):
    return read_text(text, "arm.toml")


def sources(robot):
    return api.chosen_files(api.emit(derive(robot).module), api.USUAL)


# wrong arguments ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"robot": "nosuch"}, "neither a file nor a robot of the library"),
        ({"robot": 123}, "found int"),
        ({"functions": ["nope"]}, "unknown function 'nope'; there are: inverse_dynamics"),
        ({"functions": ["inverse_dynamics", "nope"]}, "unknown function 'nope'"),
        ({"functions": []}, "no function was asked for"),
        ({"forward_dynamics": "crba"}, "unknown forward dynamics algorithm 'crba'; there are: auto, udu, columns, "),
        ({"languages": ["cobol"]}, "unknown language 'cobol'; there are: c, python"),
        ({"languages": []}, "no language was asked for"),
        ({"states": 0}, "states: expected a number of at least 1, found 0"),
    ],
)
def test_wrong_arguments_are_named(tmp_path, arguments, words):
    output = tmp_path / "out"
    with pytest.raises(InputError, match=words):
        symgen.generate(**({"robot": "planar2r", "output": output} | arguments))
    assert not output.exists()


def test_an_unknown_attribute_is_named():
    with pytest.raises(AttributeError, match="nosuch"):
        _ = symgen.nosuch
    module = symgen.generate("planar2r", functions=["gravity_torque"], states=1)
    with pytest.raises(AttributeError, match="its functions are: gravity_torque"):
        _ = module.forward_dynamics


# what is generated -----------------------------------------------------------------------------------------


def test_a_robot_a_name_and_a_path_are_the_same(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert api.load(str(path)) == api.load(path) == api.load(read(GOOD)) == read(GOOD)


def test_only_the_wanted_languages_are_written(tmp_path):
    symgen.generate("planar2r", output=tmp_path / "c", languages=["c"], functions=["gravity_torque"], states=1)
    symgen.generate("planar2r", output=tmp_path / "py", languages=["python"], functions=["gravity_torque"], states=1)
    assert sorted(p.name for p in (tmp_path / "c").iterdir()) == [
        "planar2r.c",
        "planar2r.h",
        "planar2r_batch.c",
        "planar2r_batch.h",
    ]
    assert [p.name for p in (tmp_path / "py").iterdir()] == ["planar2r.py"]


@pytest.mark.parametrize("n", [1, 2, 7])
def test_chains_of_any_length_are_generated(n):
    module = symgen.generate(symgen.chain(n), functions=["inverse_dynamics", "forward_dynamics"], states=5)
    zero = np.zeros(n)
    forces = module.inverse_dynamics(zero, zero, zero + 1)
    assert np.allclose(module.forward_dynamics(zero, zero, forces), 1)


MASSLESS_TIP = head() + link() + link(name='"tip"', joint_name='"wrist"', **MASSLESS)


def test_without_inertia_at_the_tip_forward_dynamics_is_left_out_or_refused():
    robot = read(MASSLESS_TIP)
    derivation = api.derive(robot)
    assert [f.name for f in derivation.module.functions] == [
        n for n in api.DEFAULT_FUNCTIONS if n != "forward_dynamics"
    ]
    assert len(derivation.notices) == 1
    with pytest.raises(InputError, match=r"joint 2 \(wrist\) .*leave forward_dynamics"):
        symgen.generate(robot, functions=["forward_dynamics"])


def test_a_massless_link_between_others_is_fine():
    robot = read(head() + link(**MASSLESS) + link(alpha='"pi/2"') + link())
    assert api.derive(robot).notices == ()
    assert api.run(robot, api.Options(), states=5).passed


def test_a_fixed_link_counts_as_part_of_its_carrier():
    tool = {"joint": '"fixed"', "a": "1", "mass": "2", "com": "[-0.9, 0, 0]", "inertia": None}
    text = head(gravity="[0, -9.81, 0]") + link(mass="1", inertia=None) + link(**tool)
    module = symgen.generate(read(text), functions=["gravity_torque"], states=5)
    assert module.gravity_torque([0.0]) == pytest.approx([9.81 * (0.5 + 2 * 1.1)])


# verification and compilers --------------------------------------------------------------------------------

FAILED = Report("planar2r", (Check("inverse_dynamics", "oracle", 100, 1.0, 1e-10),))


@pytest.mark.parametrize(
    ("name", "result", "words"),
    [
        ("compare", FAILED, r"inverse_dynamics \(error 1\.0e\+00\)"),
        ("prove", (Proof("gravity_torque", "= g", False),), "proof of gravity_torque"),
    ],
)
def test_nothing_is_written_if_verification_fails(tmp_path, monkeypatch, name, result, words):
    (tmp_path / "planar2r.c").write_text("old", encoding="utf-8")
    monkeypatch.setattr(judging, name, lambda *args, **kwargs: result)
    with pytest.raises(VerificationError, match=words):
        symgen.generate("planar2r", output=tmp_path, states=1)
    assert [path.name for path in tmp_path.iterdir()] == ["planar2r.c"]
    assert (tmp_path / "planar2r.c").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(("cc", "words"), [("/nonexistent", "there is no program /nonexistent"), ("", "CC is not set")])
def test_without_a_compiler_numpy_does_the_work_and_is_verified(monkeypatch, tmp_path, cc, words):
    monkeypatch.setenv("CC", cc)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.warns(symgen.api.FallbackWarning, match=words) as warned:
        made = api.run(api.load("planar2r"), api.Options(), states=5)
    assert len(warned) == 1
    assert made.module.backend == "numpy"
    assert made.passed


def test_a_compiler_that_fails_is_quoted(monkeypatch, tmp_path):
    compiler = tmp_path / "my cc"
    compiler.write_text('#!/bin/sh\n[ "$1" = --version ] && exit 0\necho "license expired" >&2\nexit 7\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", f"'{compiler}'")
    monkeypatch.setenv("SYMGEN_CACHE", str(tmp_path / "cache"))
    with pytest.raises(CompilerError, match=r"(?s)status 7.*command: .*my cc.*license expired"):
        symgen.generate("planar2r", output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


# free text in comments -----------------------------------------------------------------------------------

TEXTS = [
    r"*/ int injected; /*",
    r"\"\"\" import injected \"\"\"",
    r"''' \\\\ \\N{DASH} \\x41 \\u0041 \\",
    r"??/ ???/ ??* //",
    r"Stäubli θ̈ 𝔸 🤖 {{ x }} {% y %} {# z #} %s {0}",
    r"*/*/ /* /*/ **/ *\\/",
    "x" * 499 + r"\\",
    "a b " * 124,
    r"ends with a quote \"",
    r"-->]]> $(id) `id` \t".replace(r"\t", " "),
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_no_text_escapes_from_a_comment(tmp_path, text):
    robot = read(head(description=f'"{text}"', source=f'"{text}"') + link(joint_name='"x_{1}"'))
    files = sources(robot)
    tree = ast.parse(files["arm.py"])
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import) and node.names[0].name != "numpy"]
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    compiler = find_compiler()
    for flags in (STRICT, ("-std=c11", *STRICT[1:], "-trigraphs")):
        command = [*compiler.command, *flags, "-fsyntax-only", "arm.c"]
        done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert "injected" not in re.sub(r"/\*.*?\*/", "", files["arm.h"], flags=re.DOTALL)


@pytest.mark.parametrize("name", ["NULL", "errno_", "np", "self", "q", "tau", "M_PI", "int32_t", "sin", "c1", "A" * 64])
def test_names_that_mean_something_elsewhere_work(name):
    text = head(name=f'"{name}"') + parameters(q="1", tau="2", c1="3", np="0.5") + link(a='"q"', mass='"tau*np + c1"')
    assert api.run(read(text), api.Options(), states=3).passed


# exact numbers ---------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?=e))(?:e[+-]?\d+)?")


@pytest.mark.parametrize("name", ARMS)
def test_generated_code_holds_no_dust(name):
    """Every literal is the double nearest to an exact constant, and no constant was born from a double.

    The tables hold decimals, and the formulas halves, twelfths and roots. So the denominator of a rational constant
    holds about as many twos as fives; a constant that has passed through a double holds some fifty twos and no five.
    """
    derivation = api.derive(api.load(name), api.Options(effort="low"))
    constants = {
        instruction.value
        for function in derivation.module.functions
        for instruction in function.program.instructions
        if instruction.op is Op.CONSTANT
    }
    doubles = {repr(abs(float(value))) for value in constants}
    text = re.sub(r"/\*.*?\*/", "", programs(derivation.module, name), flags=re.DOTALL)
    literals = set(_NUMBER.findall(text))
    assert literals
    assert literals <= doubles
    assert all(float(literal) == 0 or float(literal) > 1e-9 for literal in literals)
    assert [value for value in constants if born_from_a_double(value)] == []


def programs(module, name):
    """The C of a module's functions, without the sines and cosines before them."""
    text = api.emit(module).c[f"{name}.c"]
    return text[text.index(f"\nvoid {name}_") :]


def born_from_a_double(value):
    return any(
        valuation(coefficient.denominator, 2) - valuation(coefficient.denominator, 5) > 20
        for coefficient in value.terms.values()
    )


def valuation(number, prime):
    return next(power for power in itertools.count() if number % prime ** (power + 1))


def test_a_constant_born_from_a_double_would_be_found():
    assert born_from_a_double(Exact.of(Fraction(0.1)))
    assert not born_from_a_double(Exact.of(Fraction("0.0007") / 12))


def test_right_angles_leave_no_trace():
    module = api.derive(read(head() + link(alpha="1.5708") + link(alpha='"-pi/2"') + link())).module
    assert not re.search(r"e-\d\d", programs(module, "arm"))


# the same bytes -------------------------------------------------------------------------------------------

_PRINT_SOURCES = """
import locale, sys
locale.setlocale(locale.LC_ALL, "")
from symgen import api
from symgen.derive.derivation import derive
from symgen.robot.reader import read_text
robot = read_text(sys.stdin.read(), "arm.toml")
files = api.chosen_files(api.emit(derive(robot).module), api.USUAL)
sys.stdout.buffer.write(repr((locale.localeconv()["decimal_point"], files)).encode())
"""

GENERAL = (
    head(description='"θ"')
    + parameters(L="0.25")
    + link(a='"L/3"', alpha="0.3", com="[0.1, 0.02, -0.3]")
    + link(alpha='"pi/3"', b="1.57", com="[0.1, 0.02, -0.3]")
    + link(joint='"prismatic"', com="[0.1, 0.02, -0.3]")
)


def sources_elsewhere(**environment):
    """(decimal point of the locale, files) of the general robot, derived in another process."""
    done = subprocess.run(
        [sys.executable, "-c", _PRINT_SOURCES],
        input=GENERAL.encode(),
        env=os.environ | environment,
        check=True,
        capture_output=True,
    )
    return ast.literal_eval(done.stdout.decode())


@functools.cache
def sources_here():
    return sources(read(GENERAL))


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_the_same_robot_gives_the_same_bytes(seed):
    assert sources_elsewhere(PYTHONHASHSEED=seed)[1] == sources_here()


@pytest.fixture
def comma_locale(tmp_path):
    """A locale that writes decimals with a comma, installed for this test."""
    built = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", str(tmp_path / "de_DE.UTF-8")], check=False, capture_output=True
    )
    if not (tmp_path / "de_DE.UTF-8").exists():
        pytest.skip(f"cannot make a German locale: {built.stderr.decode(errors='replace')[:100]}")
    return {"LOCPATH": str(tmp_path), "LC_ALL": "de_DE.UTF-8"}


def test_a_comma_locale_changes_nothing(comma_locale):
    point, files = sources_elsewhere(PYTHONHASHSEED="1", **comma_locale)
    assert point == ","
    assert files == sources_here()


@pytest.mark.parametrize("frames", [("a", "dot_a"), ("dot", "tip"), ("velocity", "tip")], ids=str)
def test_frames_that_would_give_two_functions_one_name_are_refused(frames):
    robot = api.load("planar3r")
    named = replace(robot, frames=tuple(Frame(name, 2, ()) for name in frames))
    with pytest.raises(InputError, match=r"two functions would be called jacobian_dot.*rename a frame"):
        api.derive(named, api.Options(functions=("jacobian",), frames=frames))


def test_what_few_need_is_imported_when_it_is_needed():
    lines = (
        "import sys, symgen.api; seldom = {'symgen.bench', 'symgen.runtime.distributed', 'dask', 'casadi', "
        "'pinocchio', 'mujoco', 'scipy', 'matplotlib', 'sympy'}; print(sorted(seldom & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
