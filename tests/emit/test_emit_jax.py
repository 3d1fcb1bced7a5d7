"""JAX: the oracle's numbers, every derivative, batches, the compiled C, and what is said of bad arguments."""

import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from free_robots import robot
from sample_modules import random_module
from test_emit_batch import arrays

from symgen import api
from symgen.derive.derivation import Options, derive
from symgen.emit.python.runner import namespace
from symgen.emit.registry import language
from symgen.errors import EnvironmentFault
from symgen.robot.library import chain

JAX = language("jax")
DYNAMICS = (
    "inverse_dynamics",
    "inertia_matrix",
    "forward_dynamics",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "inverse_dynamics_hessian",
)


@pytest.fixture
def jax():
    found = pytest.importorskip("jax", reason="needs JAX")
    with found.enable_x64(True):
        yield found


def planar(**options):
    return derive(api.load("planar2r"), Options(functions=DYNAMICS, effort="low", **options)).module


def written(made):
    """The names of the module that was written."""
    name = f"{made.name}_jax.py"
    return namespace({name: JAX.write(made)[name]})


def states(jax, size, count=3):
    """Positions, velocities and accelerations."""
    generator = np.random.default_rng(1)
    return [jax.numpy.asarray(generator.uniform(-1, 1, (count, size))) for _ in range(3)]


ROBOTS = {
    "planar3r": Options(functions=("inverse_dynamics", "forward_dynamics"), effort="low"),
    "five_bar": Options(functions=("inverse_dynamics",), effort="low"),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_the_oracle_agrees(name, jax):
    made = api.run(api.load(name), ROBOTS[name], states=5, languages=("jax",))
    (found,) = made.written
    assert found.report is not None, found.reason
    assert found.passed


CASES = {
    "any program": lambda: random_module(15, trig=True),
    "loops": lambda: derive(chain(12), Options(functions=("inverse_dynamics",), effort="low")).module,
}


@pytest.mark.parametrize("case", CASES)
def test_the_numbers_of_numpy(case, jax):
    made = CASES[case]()
    given = {item.name: arrays(item, 2) for item in made.functions}
    with JAX.run(made, JAX.write(made)) as found, language("python").run(made, language("python").write(made)) as plain:
        for name, states_given in given.items():
            with np.errstate(all="ignore"):
                expected = plain[name](*states_given)
            expected = expected if isinstance(expected, tuple) else (expected,)
            for x, y in zip(found[name](*states_given), expected, strict=True):
                np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("mode", ["jacfwd", "jacrev"])
@pytest.mark.parametrize("parameters", ["numeric", "runtime"])
def test_derivatives_are_the_analytic_ones(mode, parameters, jax):
    made = planar(parameters=parameters)
    names = written(made)
    constants = (names["constants_of"]({}),) if made.parameters else ()
    inverse = lambda *state: names["inverse_dynamics"](*state, *constants)  # noqa: E731
    found = jax.vmap(getattr(jax, mode)(inverse, argnums=(0, 1, 2)))(*states(jax, made.record.nv))
    with language("python").run(made, language("python").write(made)) as plain:
        given = list(map(np.asarray, states(jax, made.record.nv)))
        expected = (*plain["inverse_dynamics_derivatives"](*given), plain["inertia_matrix"](given[0]))
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-12)


def test_derivatives_through_loops(jax, monkeypatch):
    monkeypatch.setattr("symgen.emit.rerolling.lowering.REPEATING", 0)
    names = written(derive(chain(12), Options(functions=("gravity_torque", "inverse_dynamics"), effort="low")).module)
    assert "_loop" in names
    state = [each[0] for each in states(jax, names["NV"])]
    along = [jax.numpy.ones(12), jax.numpy.zeros(12), jax.numpy.zeros(12)]
    total = lambda *given: names["inverse_dynamics"](*given).sum()  # noqa: E731
    _, rate = jax.jvp(total, state, along)
    np.testing.assert_allclose(jax.grad(total)(*state).sum(), rate, rtol=1e-10)


def test_second_derivatives_forward_over_reverse(jax):
    made = planar()
    names = written(made)
    q, qd, qdd = (each[0] for each in states(jax, made.record.nv))
    weights = jax.numpy.asarray([0.3, -0.7])
    found = jax.hessian(lambda *state: weights @ names["inverse_dynamics"](*state), argnums=(0, 1))(q, qd, qdd)
    qq, qqd, qdqd, _ = names["inverse_dynamics_hessian"](q, qd, qdd, weights)
    for x, y in zip((found[0][0], found[0][1], found[1][1]), (qq, qqd, qdqd), strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-12)


def test_derivatives_by_parameters(jax):
    """By what no function has derivatives for, JAX differentiates the program, alone or with the analytic ones."""
    made = planar(parameters="runtime")
    names = written(made)
    state = [each[0] for each in states(jax, made.record.nv)]
    constants = names["constants_of"]({})
    given = [*state, constants]
    rates = [jax.numpy.ones_like(each) for each in given]
    _, found = jax.jvp(names["inverse_dynamics"], given, rates)
    step = 1e-6
    ahead, behind = ([x + sign * step * r for x, r in zip(given, rates, strict=True)] for sign in (1, -1))
    expected = (names["inverse_dynamics"](*ahead) - names["inverse_dynamics"](*behind)) / (2 * step)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_derivatives_by_entries_of_quaternions(jax):
    made = derive(robot("spherical", arm=False), Options(functions=("gravity_torque",), effort="low")).module
    names = written(made)
    q = jax.numpy.asarray(np.random.default_rng(2).uniform(-1, 1, made.record.nq))
    found = jax.jacrev(names["gravity_torque"])(q)
    assert found.shape == (made.record.nv, made.record.nq)
    step = 1e-6 * np.eye(made.record.nq)
    expected = (names["gravity_torque"](q + step) - names["gravity_torque"](q - step)).T / 2e-6
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


def test_a_state_that_is_no_number_stays_alone(jax):
    made = planar()
    names = written(made)
    q, qd, qdd = states(jax, made.record.nv)
    spoilt = names["inverse_dynamics"](q.at[1, 0].set(np.nan), qd, qdd)
    assert np.isnan(spoilt[1]).any()
    usual = names["inverse_dynamics"](q, qd, qdd)
    np.testing.assert_array_equal(spoilt[::2], usual[::2])


BAD = {
    "a list": (lambda x: [0.0, 0.0], TypeError, r"q: expected an array of float64, found a list; convert it"),
    "another type": (lambda x: x.astype("float32"), TypeError, "q: expected an array of float64, found float32"),
    "another shape": (lambda x: x[..., :1], ValueError, r"q has shape \(3, 1\), expected \(..., 2\)"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments_are_named(case, jax):
    made = planar()
    change, error, text = BAD[case]
    q, qd, qdd = states(jax, made.record.nv)
    with pytest.raises(error, match=f"planar2r_jax.inverse_dynamics: {text}|{text}"):
        written(made)["inverse_dynamics"](change(q), qd, qdd)


def test_double_precision_that_jax_is_not_set_to(jax):
    made = planar()
    with jax.enable_x64(False), pytest.raises(TypeError, match=r"call jax\.config\.update"):
        written(made)["inertia_matrix"](np.zeros(2))


def test_single_precision_stays_single(jax):
    made = replace(planar(), real="float32")
    q, qd, qdd = states(jax, made.record.nv)
    single = [each.astype("float32") for each in (q, qd, qdd)]
    with jax.enable_x64(False):
        found = written(made)["inverse_dynamics"](*single)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, written(planar())["inverse_dynamics"](q, qd, qdd), rtol=2e-5, atol=1e-5)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.parametrize("parameters", ["numeric", "runtime"])
def test_the_compiled_c(parameters, jax, tmp_path):
    made = planar(parameters=parameters)
    for target in ("c", "jax"):
        for file, text in language(target).write(made).items():
            (tmp_path / file).write_text(text, encoding="utf-8")
    objects = []
    for stem in (made.name, f"{made.name}_batch"):
        objects.append(f"{stem}.o")
        subprocess.run(["gcc", "-O1", "-fPIC", "-c", f"{stem}.c"], cwd=tmp_path, check=True)
    library = tmp_path / f"{made.name}_jax_ffi.so"
    flags = ["-std=c++17", "-O0", "-w", "-fPIC", "-shared", f"-I{jax.ffi.include_dir()}", "-o", library.name]
    subprocess.run(["g++", *flags, f"{made.name}_jax_ffi.cc", *objects], cwd=tmp_path, check=True)
    names = written(made)
    fast = names["compiled"](library)
    state = states(jax, made.record.nv)
    constants = [names["constants_of"]({})] if made.parameters else []
    if constants:  # one state has others
        constants = [np.stack([constants[0], constants[0], 2 * constants[0]])]
    for call in (lambda f: f, jax.vmap, lambda f: jax.vmap(jax.jacrev(f, argnums=(0, 1, 2)))):
        found = call(fast.inverse_dynamics)(*state, *constants)
        expected = call(names["inverse_dynamics"])(*state, *constants)
        for x, y in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-12)


def test_without_jax(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    made = random_module(5, trig=False)
    with pytest.raises(EnvironmentFault, match=r"no JAX found: python -m pip install"), JAX.run(made, {}):
        pass
