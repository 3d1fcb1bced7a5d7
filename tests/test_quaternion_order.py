"""`quaternion="wxyz"`: other places in q, and the same numbers, bit for bit, in all that a module gives."""

import ctypes
import dataclasses
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
from module_functions import interpreted

import symgen
from symgen.build.compiler import find_compiler
from symgen.derive.derivation import Options, derive
from symgen.derive.setting import setting_of
from symgen.emit.registry import language
from symgen.errors import InputError
from symgen.package import package_files
from symgen.program.orders import in_order
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.robot import library
from symgen.robot.reader import read_text
from symgen.runtime.module import build, emit
from symgen.verify.compare import verify

BODY = "mass = {m}\ncom = [0.1, 0, 0.02]\ninertia = {{ xx = 0.1, yy = 0.2, zz = 0.15, xy = 0.01 }}\n"
HEAD = 'name = "swimmer"\nconvention = "placed"\ngravity = [0, 1, "-9.81"]\ninertia_about = "com"\n'
LINKS = (
    ("body", 'joint = "floating"\njoint_name = "base"', 3),
    ("arm", 'joint = "revolute"\njoint_name = "elbow"\naxis = [0, 1, 0]\nxyz = [0.1, 0.2, 0]', 1),
    ("fin", 'joint = "spherical"\njoint_name = "wrist"\nxyz = [0.3, 0, 0.1]', 2),
)
ORDER = (0, 1, 2, 6, 3, 4, 5, 7, 11, 8, 9, 10)
"""Entry of q with w first → its place with w last."""


@functools.cache
def swimmer():
    links = (f'[[links]]\nname = "{name}"\n{joint}\n{BODY.format(m=m)}' for name, joint, m in LINKS)
    return read_text(HEAD + "\n".join(links), "swimmer.toml")


@functools.cache
def derived(order):
    made = derive(swimmer(), Options(functions=("all",), effort="low", quaternion="wxyz"))
    return dataclasses.replace(made, module=in_order(made.module, order))


COMPILED = ("inverse_dynamics", "forward_dynamics", "kinetic_energy", "potential_energy")


@functools.cache
def compiled(order):
    made = derived(order)
    few = tuple(function for function in made.module.functions if function.name in COMPILED)
    made = dataclasses.replace(made, module=dataclasses.replace(made.module, functions=few))
    return build(made, emit(made.module))


def arguments(function):
    """Values of a function's arguments with w last and with w first."""
    chance = np.random.default_rng(1)
    last = [chance.uniform(-1, 1, (9, *argument.shape)) for argument in function.inputs]
    first = [
        value[..., ORDER] if argument.shape == (12,) else value
        for argument, value in zip(function.inputs, last, strict=True)
    ]
    return last, first


def arrays(found):
    return list(found) if isinstance(found, tuple | list) else [found]


def assert_same(function, last, first):
    """Results with w last and with w first are the same numbers."""
    for output, one, other in zip(function.outputs, arrays(last), arrays(first), strict=True):
        np.testing.assert_array_equal(one[..., ORDER] if output.shape == (12,) else one, other)


def python(made):
    names = {}
    exec(language("python").write(made.module)["swimmer.py"], names)
    return names


def unoptimised_c(made):
    """Functions of all of the C, compiled in a moment."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in language("c").write(made.module).items():
            (Path(folder) / name).write_text(text)
        command = [*find_compiler().command, "-O0", "-shared", "-fPIC", "-o", "swimmer.so", "swimmer.c", "-lm"]
        subprocess.run(command, cwd=folder, check=True)
        library = ctypes.CDLL(str(Path(folder) / "swimmer.so"))
    return {each.name: functools.partial(called, library, each) for each in made.module.functions}


def called(library, function, *args):
    """What a function of C gives at one state or at rows of them."""
    if args[0].ndim > 1:
        rows = [called(library, function, *row) for row in zip(*args, strict=True)]
        return [np.array(column) for column in zip(*rows, strict=True)]
    found = [np.zeros(output.shape) for output in function.outputs]
    places = [np.ascontiguousarray(array).ctypes.data_as(ctypes.c_void_p) for array in (*args, *found)]
    library[f"swimmer_{function.name}"](*places)
    return found


WAYS = {"interpreted": interpreted, "C": unoptimised_c, "Python": python}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_functions_give_the_same_numbers(way):
    last, first = (way(derived(order)) for order in ("xyzw", "wxyz"))
    for function in derived("xyzw").module.functions:
        given, other = arguments(function)
        assert_same(function, last[function.name](*given), first[function.name](*other))
        assert_same(
            function,
            last[function.name](*(value[0] for value in given)),
            first[function.name](*(value[0] for value in other)),
        )


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_javascript_gives_the_same_numbers():
    js, modules = language("js"), [derived(order).module for order in ("xyzw", "wxyz")]
    with js.run(modules[0], js.write(modules[0])) as last, js.run(modules[1], js.write(modules[1])) as first:
        for name in ("inverse_dynamics", "integrate", "difference", "normalize"):
            given, other = arguments(modules[0].function(name))
            assert_same(modules[0].function(name), last[name](*given), first[name](*other))


def test_the_usual_order_is_xyzw_and_the_way_back_leads_there():
    plain = derive(swimmer(), Options(functions=("integrate", "inverse_dynamics"), effort="low"))
    assert plain.module.record.order == tuple(range(12))
    assert plain.module.record == derived("xyzw").module.record
    for function in plain.module.functions:
        assert function == derived("xyzw").module.function(function.name)
    assert in_order(derived("xyzw").module, "wxyz") == derived("wxyz").module


def test_functions_are_verified_and_proved():
    made = derived("wxyz")
    report = verify(swimmer(), interpreted(made), states=20, setting=setting_of(made), roundings=roundings(made.module))
    assert report.passed, str(report)
    assert [proof.function for proof in prove(made) if not proof.holds] == []


def test_code_in_the_other_order_is_refused_by_verification():
    made = derived("wxyz")
    failed = verify(swimmer(), interpreted(derived("xyzw")), states=5, setting=setting_of(made)).failures
    depend = {function.name for function in made.module.functions} - {"normalize"}
    assert depend <= {check.name for check in failed}


def test_modules_know_their_order():
    last, first = compiled("xyzw"), compiled("wxyz")
    assert [each.name for each in first.positions] == [last.positions[place].name for place in ORDER]
    np.testing.assert_array_equal(first.neutral, last.neutral[list(ORDER)])
    assert [each.name for each in first.positions][3:7] == ["base_qw", "base_qx", "base_qy", "base_qz"]
    q, qd = np.random.default_rng(2).uniform(-1, 1, (2, 5, 12))
    rates = last.position_rates(q, qd[:, :10])
    np.testing.assert_array_equal(first.position_rates(q[:, ORDER], qd[:, :10]), rates[:, ORDER])


def test_motions_are_the_same():
    last, first = compiled("xyzw"), compiled("wxyz")
    end = np.array([0.1, 0.2, 0.3, 0.5, 0.5, -0.5, 0.5, 1, 0, 0.6, 0, 0.8])
    ways = [
        symgen.follow(last, end=end, duration=1, samples=9),
        symgen.follow(first, end=end[list(ORDER)], duration=1, samples=9),
    ]
    np.testing.assert_array_equal(ways[1].q, ways[0].q[:, ORDER])
    np.testing.assert_array_equal(ways[1].tau, ways[0].tau)
    falls = [symgen.simulate(module, 0.1, samples=3) for module in (last, first)]
    np.testing.assert_allclose(falls[1].q, falls[0].q[:, ORDER], atol=1e-12)
    with pytest.raises(InputError, match="quaternion of wrist is 0; expected w, x, y, z, such as 1, 0, 0, 0"):
        symgen.simulate(first, 0.1, q0=[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])


@pytest.mark.parametrize("name", ["c", "python", "js"])
def test_texts_say_the_order(name):
    text = "\n".join(language(name).write(derived("wxyz").module).values())
    plain = " ".join(text.replace("\n *", "\n").split())
    assert "Entry 4 of q: base_qw, floating" in plain
    assert "A quaternion is w, x, y, z: scalar part first, and 1, 0, 0, 0 for no turn." in plain
    assert "x, y, z, w" not in plain


def test_packages_test_themselves(tmp_path):
    made = derive(swimmer(), Options(functions=("gravity_torque", "integrate"), effort="low", quaternion="wxyz"))
    for path, text in package_files(swimmer(), made, emit(made.module)).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    done = subprocess.run(["make", "check"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_other_robots_and_words():
    """A robot without quaternions is the same in any order; a word that is none is told what there is."""
    plain, other = (
        derive(library.load("planar2r"), Options(functions=("inverse_dynamics",), effort="low", quaternion=order))
        for order in ("xyzw", "wxyz")
    )
    assert plain.module == other.module
    with pytest.raises(InputError, match="unknown order of quaternions 'zyxw'; there are: xyzw, wxyz"):
        Options(quaternion="zyxw")
