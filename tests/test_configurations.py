"""integrate, difference and normalize: against Pinocchio and many digits, verified, proved, compiled, in JavaScript."""

import dataclasses
import functools
import shutil
import subprocess

import mpmath
import numpy as np
import pinocchio as pin
import pytest
import sympy
from joint_trees import Twin, state, tree
from module_functions import interpreted, numpy_names, setting_of

import symgen
from symgen.build.compiler import find_compiler
from symgen.derive.derivation import Options, derive
from symgen.emit.registry import language
from symgen.program.module import CONFIGURATIONS
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.robot import library
from symgen.robot.joints import JointKind
from symgen.runtime.module import build, emit
from symgen.verify import manifold
from symgen.verify.compare import verify

FREE = (JointKind.SPHERICAL, JointKind.PLANAR, JointKind.FLOATING)
node = pytest.mark.skipif(shutil.which("node") is None, reason="no node")


@functools.cache
def derived(seed=1, joints=6, kinds=None, real="float64", effort="low"):
    robot = tree(seed, joints, mimics=True) if kinds is None else tree(seed, joints, kinds)
    return derive(robot, Options(functions=CONFIGURATIONS, effort=effort, real=real))


def one(kind, **options):
    return derived(joints=1, kinds=(kind,), **options)


def facing(robot, q, other):
    """q with the sign of each quaternion that it has in `other`."""
    q = np.array(q)
    for place in manifold.places(robot):
        if place.has_quaternion:
            mine, its = q[place.q][-4:], other[place.q][-4:]
            mine *= -1 if mine @ its < 0 else 1
    return q


def steps(robot, count):
    chance = np.random.default_rng(count)
    return chance.uniform(-3, 3, (count, robot.nv)) * np.resize([1, 1, 0.1, 1e-3, 1e-9, 0], (count, 1))


# against Pinocchio -----------------------------------------------------------------------------------------

# Its own series near 0 end where 1e-12 is left.
TOLERANCE = {"rtol": 1e-11, "atol": 1e-11}


@pytest.mark.parametrize("seed", range(12))
def test_steps_and_ways_are_pinocchios(seed):
    functions, robot = interpreted(derived(seed)), derived(seed).subject.robot
    twin = Twin(robot)
    for k, v in enumerate(steps(robot, 12)):
        q, q1 = (state(robot, number)[0] for number in (k, k + 100))
        there = functions["integrate"](q, v)
        expected = pin.integrate(twin.model, twin.q(q), twin.G @ v)
        found = twin.q(there)
        assert np.abs(pin.difference(twin.model, found, expected)).max() < 1e-11
        way = twin.G @ functions["difference"](q, q1)
        np.testing.assert_allclose(way, pin.difference(twin.model, twin.q(q), twin.q(q1)), **TOLERANCE)
        np.testing.assert_allclose(functions["difference"](q, q), 0, atol=1e-15)
        np.testing.assert_allclose(functions["normalize"](q1), q1, atol=1e-15)


# accuracy --------------------------------------------------------------------------------------------------

ANGLES = (0, 1e-300, 1e-20, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 1, 3, 3.1415926, 3.3, 6.2, 7, 20)


def exponential(v):
    """(position, quaternion) of exp of a twist [v; ω], many digits."""
    linear, spin = (mpmath.matrix([mpmath.mpf(float(x)) for x in part]) for part in (v[:3], v[3:]))
    angle = mpmath.norm(spin)
    H = mpmath.matrix([[0, -spin[2], spin[1]], [spin[2], 0, -spin[0]], [-spin[1], spin[0], 0]])
    if not angle:
        return [*linear], [0, 0, 0, 1]
    V = mpmath.eye(3) + (1 - mpmath.cos(angle)) / angle**2 * H + (angle - mpmath.sin(angle)) / angle**3 * H * H
    return [*(V * linear)], [*(spin * (mpmath.sin(angle / 2) / angle)), mpmath.cos(angle / 2)]


@pytest.mark.parametrize("real", ["float64", "float32"])
@pytest.mark.parametrize("angle", ANGLES)
def test_digits_are_kept_near_no_turn_and_beyond_half_a_turn(angle, real):
    made = one(JointKind.FLOATING, real=real)
    namespace = {}
    exec(emit(made.module, ("python",)).files["python"][f"{made.module.name}.py"], namespace)
    unit, chance = np.finfo(real).eps, np.random.default_rng(3)
    start = np.array([0, 0, 0, 0, 0, 0, 1.0])
    for _ in range(8):
        axis, linear = chance.normal(size=(2, 3))
        v = np.array([*linear, *(angle * axis / np.linalg.norm(axis))], dtype=real).astype(float)
        with mpmath.workdps(40):
            point, turn = exponential(v)
            exact = np.array([float(x) for x in (*point, *turn)])
        found = namespace["integrate"](start, v)
        assert found.dtype == real
        assert np.abs(found - exact)[[0, 1, 2, 6]].max() <= 8 * unit * max(1, angle) * np.linalg.norm([*linear, 1])
        # Each entry of a small turn has all its digits.
        assert np.abs(found - exact)[3:6].max() <= 8 * unit * max(np.abs(exact[3:6]).max(), unit * angle, angle - 3)
        if angle < np.pi:
            back = namespace["difference"](start, exact)
            held = exact.astype(real).astype(float)
            error = np.abs(back - v)
            assert error[3:].max() <= 8 * unit * angle + 4 * np.abs(held - exact)[3:].max()
            assert error[:3].max() <= 32 * unit * np.linalg.norm(linear)


# what they are to each other, and to q's own ambiguities -----------------------------------------------------


@pytest.mark.parametrize("kind", FREE)
def test_ways_lead_where_they_should(kind):
    functions, robot = interpreted(one(kind)), one(kind).subject.robot
    place = next(manifold.places(robot))
    for k in range(40):
        q0, q1 = (state(robot, number)[0] for number in (k, k + 50))
        way = functions["difference"](q0, q1)
        assert np.linalg.norm(way[place.slides :]) <= np.pi * (1 + 1e-15)
        np.testing.assert_allclose(facing(robot, functions["integrate"](q0, way), q1), q1, atol=1e-14)
        if place.has_quaternion:
            other = q1.copy()
            other[-4:] *= -2.5
            np.testing.assert_allclose(functions["difference"](q0, other), way, atol=1e-14)
            np.testing.assert_allclose(functions["normalize"](other)[-4:], -q1[-4:], atol=1e-15)
        else:
            far = functions["difference"](q0, q1 + 6 * np.pi * np.eye(3)[2])
            np.testing.assert_allclose(far, way, atol=1e-13)


@pytest.mark.parametrize("kind", [JointKind.SPHERICAL, JointKind.FLOATING])
@pytest.mark.parametrize("axis", range(3))
def test_half_a_turn_is_a_way(kind, axis):
    functions, robot = interpreted(one(kind)), one(kind).subject.robot
    start, end = (np.array([each.position.neutral for each in robot.positions]) for _ in range(2))
    end[-4:] = np.eye(4)[axis]
    np.testing.assert_allclose(functions["difference"](start, end)[-3:], np.pi * np.eye(3)[axis], atol=1e-15)


# verified, proved, in every language -------------------------------------------------------------------------


@pytest.mark.parametrize("effort", ["low", "normal"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_they_are_verified_and_proved(seed, effort):
    made = derived(seed, effort=effort)
    report = verify(
        made.subject.robot, interpreted(made), states=64, setting=setting_of(made), roundings=roundings(made.module)
    )
    assert report.passed, str(report)
    assert not any("nothing is known" in check.note for check in report.checks)
    assert [proof.function for proof in prove(made) if not proof.holds] == []


def with_arguments(function, change):
    return lambda *args: function(*change(*args))


def in_base_axes(q, v):
    """A step whose linear part is taken for one in the axes of the joint."""
    return q, np.concatenate([v[..., :3] * [1, 1, -1], v[..., 3:]], axis=-1)


WRONG = {
    "the other way": ("integrate", lambda q, v: (q, -v)),
    "half as far": ("integrate", lambda q, v: (q, v / 2)),
    "another axis": ("integrate", in_base_axes),
    "from the end": ("difference", lambda q0, q1: (q1, q0)),
    "not of length 1": ("normalize", None),
}


@pytest.mark.parametrize(("name", "change"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_caught(name, change):
    made = one(JointKind.FLOATING)
    functions = dict(interpreted(made))
    functions[name] = with_arguments(functions[name], change) if change else lambda q: np.array(q)
    failed = verify(made.subject.robot, functions, states=16, roundings=roundings(made.module)).failures
    assert name in {check.name for check in failed}


@pytest.mark.parametrize("kind", FREE)
def test_claims_of_wrong_programs_are_refuted(kind):
    """Of difference the other way, and of an integrate that stays where it is."""
    made = one(kind)
    programs = {function.name: function.program for function in made.module.functions}
    other = {"q0": "q1", "q1": "q0"}
    back = tuple(i._replace(name=other.get(i.name, i.name)) for i in programs["difference"].instructions)
    inverted = dataclasses.replace(
        made.module.function("difference"), program=dataclasses.replace(programs["difference"], instructions=back)
    )
    still = dataclasses.replace(programs["normalize"], inputs=programs["integrate"].inputs)
    staying = dataclasses.replace(made.module.function("integrate"), program=still)
    module = dataclasses.replace(made.module, functions=(inverted, staying))
    assert [proof.holds for proof in prove(dataclasses.replace(made, module=module))] == [False, False]


@pytest.mark.parametrize("real", ["float64", "float32"])
def test_compiled_batches_give_the_same(real):
    made = derived(2, real=real)
    module, functions, robot = build(made, emit(made.module)), interpreted(made), made.subject.robot
    assert module.backend != "numpy"
    v = steps(robot, 50)
    q0, q1 = (np.array([state(robot, k + offset)[0] for k in range(50)]).astype(real) for offset in (0, 50))
    bounds = roundings(made.module)
    for name, given in {"integrate": (q0, v.astype(real)), "difference": (q0, q1), "normalize": (q0,)}.items():
        found, expected = getattr(module, name)(*given), functions[name](*(array.astype(float) for array in given))
        assert (np.abs(found - expected) <= bounds[name](*given)[0] + 1e-15).all()
    assert module.units["integrate"]["v"] == module.units["difference"]["v"]


@node
def test_javascript_gives_the_same():
    made, robot = derived(2), derived(2).subject.robot
    js = language("js")
    q0, q1 = (np.array([state(robot, k + offset)[0] for k in range(5)]) for offset in (0, 50))
    with js.run(made.module, js.write(made.module)) as functions:
        for name, given in {"integrate": (q0, steps(robot, 5)), "difference": (q0, q1), "normalize": (q0,)}.items():
            np.testing.assert_allclose(functions[name](*given)[0], interpreted(made)[name](*given), atol=1e-13)


def test_sympy_goes_through():
    made, robot = one(JointKind.FLOATING), one(JointKind.FLOATING).subject.robot
    namespace = numpy_names(made.module)
    q0, q1 = (state(robot, k)[0] for k in (1, 2))
    letters = [np.array(sympy.symbols(f"{name}:7"), dtype=object) for name in "ab"]
    values = dict(zip(np.concatenate(letters), np.concatenate([q0, q1]).tolist(), strict=True))
    found = [float(entry.evalf(subs=values)) for entry in namespace["difference"](*letters)]
    np.testing.assert_allclose(found, namespace["difference"](q0, q1), atol=1e-13)


# the neutral configuration -----------------------------------------------------------------------------------


def test_modules_name_the_neutral_configuration(tmp_path):
    made = derived(2)
    module, files = made.module, emit(made.module, ("js",)).files
    neutral = made.module.record.neutral
    assert 1.0 in neutral
    namespace = {}
    exec(files["python"][f"{module.name}.py"], namespace)
    assert namespace["NEUTRAL"] == neutral
    for name, text in files["c"].items():
        (tmp_path / name).write_text(text)
    macro = module.name.upper()
    (tmp_path / "main.c").write_text(
        f'#include <stdio.h>\n#include "{module.name}.h"\n'
        f"int main(void) {{ const double q[{macro}_NQ] = {macro}_NEUTRAL;"
        f' for (int i = 0; i < {macro}_NQ; i++) printf("%g ", q[i]); return 0; }}\n'
    )
    compiler = find_compiler().command
    subprocess.run([*compiler, "-Wall", "-Werror", "main.c", "-o", "main"], cwd=tmp_path, check=True)
    printed = subprocess.run([str(tmp_path / "main")], check=True, capture_output=True, text=True).stdout
    assert tuple(map(float, printed.split())) == neutral
    assert "export const NEUTRAL" in files["js"][f"{module.name}.mjs"]


def test_arms_have_sums_and_no_neutral_configuration_unless_asked():
    arm = symgen.generate("puma", functions=CONFIGURATIONS, effort="low")
    q, v = np.random.default_rng(0).uniform(-3, 3, (2, 7, 6))
    np.testing.assert_array_equal(arm.integrate(q, v), q + v)
    np.testing.assert_array_equal(arm.difference(q, v), v - q)
    np.testing.assert_array_equal(arm.normalize(q), q)
    plain = derive(library.load("puma"), Options(functions=("gravity_torque",), effort="low"))
    assert plain.module.neutral == ()
