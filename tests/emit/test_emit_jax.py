"""JAX: the oracle's numbers, every derivative, batches, the compiled C, and what is said of bad arguments."""

import shutil
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from documents import Page
from sample_modules import random_module
from spherical_robots import spherical
from test_emit_batch import arrays

from symgen import api
from symgen.derive.derivation import Options, derive
from symgen.emit.python.runner import namespace
from symgen.emit.registry import language
from symgen.errors import EnvironmentFault
from symgen.program.sparsity import packed
from symgen.robot.library import chain

JAX = language("jax")
LINKS = 8
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


def planar(functions=DYNAMICS, **options):
    return derive(api.load("planar2r"), Options(functions=functions, effort="low", **options)).module


def written(made):
    """The names of the module that was written."""
    name = f"{made.name}_jax.py"
    return namespace({name: JAX.write(made)[name]})


def states(jax, size, count=3):
    """Positions, velocities and accelerations."""
    generator = np.random.default_rng(1)
    return [jax.numpy.asarray(generator.uniform(-1, 1, (count, size))) for _ in range(3)]


ROBOTS = {
    "planar2r": Options(functions=("inverse_dynamics",), effort="low"),
    "five_bar": Options(functions=("inverse_dynamics",), effort="low"),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_the_oracle_agrees(name, jax):
    """On the functions that derivatives are made of, too: they are added where they are known."""
    made = api.run(api.load(name), ROBOTS[name], states=5, languages=("jax",))
    (found,) = made.written
    assert found.report is not None, found.reason
    assert found.passed
    assert (name == "planar2r") == (
        "inverse_dynamics_hessian" in {each.name for each in made.derivation.module.functions}
    )


def test_the_numbers_of_numpy(jax):
    made = random_module(15, trig=True)
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
    found = jax.jit(jax.vmap(getattr(jax, mode)(inverse, argnums=(0, 1, 2))))(*states(jax, made.record.nv))
    with language("python").run(made, language("python").write(made)) as plain:
        given = list(map(np.asarray, states(jax, made.record.nv)))
        expected = (*plain["inverse_dynamics_derivatives"](*given), plain["inertia_matrix"](given[0]))
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-12)


def test_loops_and_pieces(jax, monkeypatch):
    """Their values, and derivatives through them forward and in reverse."""
    monkeypatch.setattr("symgen.emit.rerolling.lowering.REPEATING", 0)
    made = derive(chain(LINKS), Options(functions=("gravity_torque", "kinetic_energy"), effort="low")).module
    names = written(made)
    assert {"_loop", "_piece"} <= names.keys()
    q, qd, _ = (each[0] for each in states(jax, LINKS))
    with language("python").run(made, language("python").write(made)) as plain:
        np.testing.assert_allclose(names["gravity_torque"](q), plain["gravity_torque"](np.asarray(q)), rtol=1e-9)
    energy = names["kinetic_energy"]
    _, rate = jax.jvp(energy, (q, qd), (jax.numpy.ones(LINKS), jax.numpy.zeros(LINKS)))
    np.testing.assert_allclose(jax.grad(energy)(q, qd).sum(), rate, rtol=1e-10)


SECOND = {
    "fwd over rev": lambda jax, f: jax.jacfwd(jax.grad(f, (0, 1, 2)), (0, 1, 2)),
    "rev over rev": lambda jax, f: jax.jacrev(jax.grad(f, (0, 1, 2)), (0, 1, 2)),
    "fwd over fwd": lambda jax, f: jax.jacfwd(jax.jacfwd(f, (0, 1, 2)), (0, 1, 2)),
}


def weighted(f):
    """A number of the results of a state that is no linear function of them."""
    return lambda *given: f(*given)[0] * f(*given)[1]


def test_second_derivatives_are_those_of_the_program(jax):
    """Whatever the order of modes, mapped and broadcast."""
    made = planar()
    names = written(made)
    program = names["_MADE"]["inverse_dynamics"]
    q, qd, qdd = states(jax, made.record.nv)
    given = (q, qd[0], qdd[:1])
    axes = (0, None, None)
    plain = weighted(lambda *state: program.evaluate(*state)[0])
    expected = jax.jit(jax.vmap(SECOND["fwd over rev"](jax, plain), axes))(q, qd[0], qdd[0])
    for order in SECOND.values():
        found = jax.jit(jax.vmap(order(jax, weighted(names["inverse_dynamics"])), axes))(q, qd[0], qdd[0])
        for x, y in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-12)
    total = lambda f: jax.jit(jax.grad(lambda *state: (f(*state) ** 2).sum(), (0, 1, 2)))(*given)  # noqa: E731
    for x, y in zip(total(names["inverse_dynamics"]), total(lambda *s: program.evaluate(*s)[0]), strict=True):
        assert x.shape == y.shape
        np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-12)


def test_second_derivatives_are_made_of_the_hessian(jax, monkeypatch):
    """Once, whatever their number."""
    names = written(planar())
    called, hessian = [], names["_MADE"]["inverse_dynamics_hessian"]
    usual = hessian.call
    monkeypatch.setattr(hessian, "call", lambda *given: (called.append(given), usual(*given))[1])
    dynamics = names["_MADE"]["inverse_dynamics"].call
    jax.make_jaxpr(jax.hessian(lambda *state: dynamics(*state)[0].sum(), (0, 1, 2)))(*[jax.numpy.ones(2)] * 3)
    assert len(called) == 1


OTHER_RATES = {
    "packed": lambda: packed(planar()),
    "spherical": lambda: derive(spherical(), Options(functions=("inverse_dynamics",), effort="low")).module,
    "loop": lambda: derive(api.load("four_bar"), Options(functions=("inverse_dynamics",), effort="low")).module,
}


@pytest.mark.parametrize("name", OTHER_RATES)
def test_derivatives_by_entries_of_q(name, jax):
    """First and second ones are those of values and of first ones, by differences; quaternions are not normalized."""
    made = OTHER_RATES[name]()
    names = written(made)
    inverse = names["inverse_dynamics"]
    assert names["_MADE"]["inverse_dynamics"].second[0].startswith("_inverse_dynamics_")
    rng = np.random.default_rng(4)
    state = [np.asarray(made.record.neutral), *np.zeros((2, made.record.nv))]
    state = [jax.numpy.asarray(each + rng.uniform(-0.3, 0.3, each.shape)) for each in state]
    weights = jax.numpy.asarray(rng.uniform(-1, 1, made.record.nv))
    total = lambda *given: (inverse(*given) @ weights).sum()  # noqa: E731
    slopes = jax.jit(jax.grad(total, (0, 1, 2)))
    curvatures = jax.jit(jax.hessian(total, (0, 1, 2)))(*state)
    step = 1e-6
    for k, each in enumerate(state):
        ways = np.concatenate([step * np.eye(each.size), -step * np.eye(each.size)])
        moved = [
            x + ways if place == k else jax.numpy.broadcast_to(x, (len(ways), x.size)) for place, x in enumerate(state)
        ]
        ahead, behind = np.split(np.asarray(inverse(*moved) @ weights), 2)
        np.testing.assert_allclose(slopes(*state)[k], (ahead - behind) / (2 * step), rtol=1e-6, atol=1e-6)
        for row, found in enumerate(slopes(*moved)):
            ahead, behind = np.split(np.asarray(found), 2)
            np.testing.assert_allclose(curvatures[row][k], (ahead - behind).T / (2 * step), rtol=1e-6, atol=1e-6)


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


cxx = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
FAST = ("inverse_dynamics", "inertia_matrix", "inverse_dynamics_derivatives")


def sources(made, folder, *targets):
    for target in targets:
        for file, text in language(target).write(made).items():
            (folder / file).write_text(text, encoding="utf-8")


def built(jax, folder, name, *given):
    """A library for XLA."""
    flags = ["-std=c++17", "-O0", "-w", "-fPIC", "-shared", f"-I{jax.ffi.include_dir()}", "-o", name]
    subprocess.run(["g++", *flags, *given], cwd=folder, check=True)
    return folder / name


def agree(jax, fast, plain, given):
    """The inverse dynamics of two modules, mapped and differentiated, too."""
    for call in (lambda f: f, jax.vmap, lambda f: jax.vmap(jax.jacrev(f, argnums=(0, 1, 2)))):
        found, expected = (jax.tree.leaves(jax.jit(call(f))(*given)) for f in (fast, plain))
        for x, y in zip(found, expected, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-11, atol=1e-12)


@cxx
@pytest.mark.parametrize("parameters", ["numeric", "runtime"])
def test_the_compiled_c(parameters, jax, tmp_path):
    made = planar(parameters=parameters, functions=FAST)
    sources(made, tmp_path, "c", "jax")
    objects = []
    for stem in (made.name, f"{made.name}_batch"):
        objects.append(f"{stem}.o")
        subprocess.run(["gcc", "-O1", "-fPIC", "-c", f"{stem}.c"], cwd=tmp_path, check=True)
    library = built(jax, tmp_path, "compiled.so", f"{made.name}_jax_ffi.cc", *objects)
    names = written(made)
    state = states(jax, made.record.nv)
    constants = [names["constants_of"]({})] if made.parameters else []
    if constants:  # one state has others
        constants = [np.stack([constants[0], constants[0], 2 * constants[0]])]
    agree(jax, names["compiled"](library).inverse_dynamics, names["inverse_dynamics"], [*state, *constants])


@cxx
def test_kernels_on_the_host(jax, tmp_path):
    """A library that was compiled as C++, for the CPU; the same for GPUs takes no arrays of the CPU, inside jit too."""
    made = planar(functions=FAST)
    sources(made, tmp_path, "cuda", "jax")
    library = built(jax, tmp_path, "kernels.so", "-x", "c++", f"{made.name}_jax_cuda.cu", f"{made.name}_cuda.cu")
    names, state = written(made), states(jax, made.record.nv)
    fast = names["launched"](library, platform="cpu")
    agree(jax, fast.inverse_dynamics, names["inverse_dynamics"], state)
    told = Page("how-to/languages/jax").run({"arm": SimpleNamespace(launched=lambda file: fast), "q": state[0]})
    np.testing.assert_array_equal(told["tau"], fast.inverse_dynamics(*[state[0]] * 3))
    on_gpu = names["launched"](library).inverse_dynamics
    with pytest.raises(ValueError, match=r"inverse_dynamics: q is on cpu, this code runs on gpu; move"):
        on_gpu(*state)
    with pytest.raises(jax.errors.JaxRuntimeError, match="planar2r_inverse_dynamics_jax_cuda:CUDA"):
        jax.jit(on_gpu)(*state)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_a_compiler_for_gpus_takes_what_launches_kernels(jax, tmp_path):
    made = planar(functions=("gravity_torque",))
    sources(made, tmp_path, "cuda", "jax")
    flags = ["--cuda", "-w", "-std=c++17", "-arch=sm_80", f"-I{jax.ffi.include_dir()}"]  # as far as C++ for the host
    done = subprocess.run(["nvcc", *flags, f"{made.name}_jax_cuda.cu"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_kernels_have_no_parameters_of_their_own(jax):
    """Theirs are in constant memory: functions would not be pure."""
    made = planar(functions=("gravity_torque",), parameters="runtime")
    assert sorted(JAX.write(made)) == ["planar2r_jax.py", "planar2r_jax_ffi.cc"]
    assert "launched" not in written(made)


def test_without_jax(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)
    made = random_module(5, trig=False)
    with pytest.raises(EnvironmentFault, match=r"no JAX found: python -m pip install"), JAX.run(made, {}):
        pass
