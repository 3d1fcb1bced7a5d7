"""Functions over Dask arrays and xarray objects: the values of plain calls, bit for bit, under every scheduler."""

import copy
import inspect
import os
import pickle
import re
import shlex
import subprocess
import sys

import cloudpickle
import dask
import dask.array as da
import numpy as np
import pytest
import robot_text
import xarray as xr
from distributed import Client, LocalCluster
from documents import Page
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes
from module_functions import numpy_names
from quick_compilation import QUICKLY

import symgen
from symgen.build import callables
from symgen.build.callables import CheckedFunction
from symgen.build.compiler import find_compiler
from symgen.derive.options import FUNCTION_NAMES
from symgen.errors import EnvironmentFault, InputError
from symgen.mechanics.functions.registry import of_each_contact, of_loops, on_request
from symgen.runtime import module as generation
from symgen.runtime.distributed import map as lazily

COUNT, BLOCK = 50, 20

NAMES = [name for name in FUNCTION_NAMES if name not in {*of_loops(), *of_each_contact()}]

DIMENSIONS = {
    "inertia": ("joint", "joint_2"),
    "Y": ("joint", "parameter"),
    "J": ("component", "joint"),
    "Jdot": ("component", "joint"),
    "a": ("component",),
    "T_link3": ("row", "column"),
    "T": (),
    "V": (),
    "tau": ("joint",),
    "D": ("joint",),
    "center_of_mass": ("axis",),
    "center_of_mass_jacobian": ("axis", "joint"),
    "centroidal_momentum": ("component",),
    "centroidal_momentum_matrix": ("component", "joint"),
    "joint_wrench": ("link", "component"),
}
"""Dimensions of results over time, by function or array, where they do not follow from others here."""


@pytest.fixture(scope="module", autouse=True)
def quick_compiler(tmp_path_factory):
    """A C compiler that does not optimise, here and in all processes: so bits are the same, and are there soon."""
    script = tmp_path_factory.mktemp("compiler") / "cc"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(find_compiler().command)} "$@" {QUICKLY}\n', encoding="utf-8")
    script.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CC", shlex.quote(str(script)))
        yield


@pytest.fixture(scope="module")
def arm():
    """An arm of three joints, as many as gravity has components."""
    return symgen.generate(
        "planar3r",
        functions=["all", *sorted(on_request())],
        effort="low",
        gravity="runtime",
        wrenches=["link3"],
        parameters=["m3"],
        states=2,
    )


@pytest.fixture(scope="module")
def numbers():
    """Numbers for each argument, by name."""
    names = ("q", "qd", "qdd", "tau", "qd_ref", "qdd_ref", "v", "x", "q0", "q1", "weights", "gravity")
    sizes = dict.fromkeys(names, 3) | dict.fromkeys(("wrench", "row_weights"), 6)
    random = np.random.default_rng(4)
    return {name: random.normal(size=(COUNT, size)) for name, size in sizes.items()}


def inputs_of(function, numbers):
    return [numbers[name] for name in inspect.signature(function).parameters if name != "out"]


def in_blocks(arrays, size=BLOCK):
    return [da.from_array(array, chunks=(size, -1)) for array in arrays]


def all_of(value):
    return value if isinstance(value, tuple) else (value,)


def assert_same(found, expected):
    assert isinstance(found, tuple) == isinstance(expected, tuple)
    for one, other in zip(all_of(found), all_of(expected), strict=True):
        values = one.compute(scheduler="threads")
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        assert (values.shape, values.dtype) == (other.shape, other.dtype)
        np.testing.assert_array_equal(values, other)


# Dask arrays --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_plain_calls(arm, numbers, name):
    function = arm.functions[name]
    inputs = inputs_of(function, numbers)
    found = lazily(function, *in_blocks(inputs))
    assert_same(found, function(*inputs))
    assert all(one.chunks[0] == (20, 20, 10) for one in all_of(found))


def test_nothing_is_called_before_compute(arm, numbers, monkeypatch):
    def refuse(self, *args, **keywords):
        raise AssertionError("called")

    monkeypatch.setattr(CheckedFunction, "__call__", refuse)
    found = lazily(arm.inertia_matrix, da.from_array(numbers["q"]))
    with pytest.raises(AssertionError, match="called"):
        found.compute(scheduler="sync")


def test_leading_dimensions_broadcast_over_mixed_inputs(arm, numbers):
    q, qd = numbers["q"].reshape(5, 10, 3), numbers["qd"][:10]
    found = lazily(arm.bias_torque, da.from_array(q, chunks=(2, 4, 3)), gravity=[0, -9.81, 0], qd=qd)
    assert_same(found, arm.bias_torque(q, qd, [0, -9.81, 0]))
    assert_same(lazily(arm.kinetic_energy, q[:, :1], da.from_array(qd, chunks=3)), arm.kinetic_energy(q[:, :1], qd))


def blocks_of(extent):
    """Ways to split a dimension; what broadcasts stays whole."""
    cuts = st.sets(st.integers(0, extent), max_size=3).map(lambda found: [0, *sorted(found), extent])
    return cuts.map(lambda ends: tuple(np.diff(ends).tolist())) if extent > 1 else st.just((extent,))


@given(st.data())
@settings(deadline=None, max_examples=40)
def test_any_blocks_of_any_leading_dimensions(arm, data):
    shapes = data.draw(mutually_broadcastable_shapes(num_shapes=2, min_side=0, max_side=5, max_dims=3)).input_shapes
    inputs = [np.random.default_rng(k).normal(size=(*shape, 3)) for k, shape in enumerate(shapes)]
    chunks = [tuple(data.draw(blocks_of(extent)) for extent in array.shape) for array in inputs]
    blocks = [da.from_array(array, chunks=pair) for array, pair in zip(inputs, chunks, strict=True)]
    assert_same(lazily(arm.coriolis_torque, *blocks), arm.coriolis_torque(*inputs))


def test_one_state(arm, numbers):
    q = numbers["q"][0]
    assert_same(lazily(arm.inertia_matrix, da.from_array(q)), arm.inertia_matrix(q))
    assert lazily(arm.potential_energy, q, [0, -9.81, 0]).compute() == arm.potential_energy(q, [0, -9.81, 0])
    U, D = lazily(arm.udu_factors, list(q))
    assert (U.shape, D.shape) == ((3, 3), (3,))
    np.testing.assert_array_equal(D, arm.udu_factors(q)[1])


def test_the_dimension_of_the_joints_is_put_into_one_block(arm, numbers):
    split = da.from_array(numbers["q"], chunks=(20, 2))
    assert_same(lazily(arm.inertia_matrix, split), arm.inertia_matrix(numbers["q"]))


@pytest.mark.parametrize("chunks", [((0, 3, 0, 2),), ((0,),)])
def test_empty_blocks(arm, numbers, chunks):
    q = numbers["q"][: sum(chunks[0])]
    blocks = da.from_array(q, chunks=(*chunks, (3,)))
    assert_same(lazily(arm.udu_factors, blocks), arm.udu_factors(q))
    assert_same(lazily(arm.inertia_matrix, blocks), arm.inertia_matrix(q))


def test_blocks_of_unknown_length(arm, numbers):
    chosen = numbers["q"][:, 0] > 0
    q, qd, gravity = inputs_of(arm.bias_torque, numbers)
    blocks = in_blocks([q, qd])
    found = lazily(arm.bias_torque, *[array[blocks[0][:, 0] > 0] for array in blocks], gravity[0])
    assert np.isnan(found.shape[0])
    np.testing.assert_array_equal(found, arm.bias_torque(q[chosen], qd[chosen], gravity[0]))


def test_float32():
    module = symgen.generate("planar2r", functions=["gravity_torque"], effort="low", real="float32", states=2)
    q = np.random.default_rng(0).normal(size=(7, 2))
    found = lazily(module.gravity_torque, da.from_array(q, chunks=(3, 2)))
    assert found.dtype == np.float32
    assert_same(found, module.gravity_torque(q))


def test_keys_tell_calls_apart(arm, numbers):
    q, qd = in_blocks([numbers["q"], numbers["qd"]])
    heavy = arm.with_parameters({"m3": 7.0})
    found = lazily(arm.coriolis_torque, q, qd)
    assert found.name == lazily(arm.coriolis_torque, q, qd=qd).name
    assert found.name == lazily(arm.with_parameters().coriolis_torque, q, qd).name
    others = [
        lazily(heavy.coriolis_torque, q, qd),
        lazily(arm.coriolis_torque, qd, q),
        lazily(arm.kinetic_energy, q, qd),
    ]
    assert len({found.name, *(other.name for other in others)}) == 4
    assert_same(others[0], heavy.coriolis_torque(numbers["q"], numbers["qd"]))


def test_the_graph_holds_the_module_once(arm, numbers):
    found = lazily(arm.inertia_matrix, 2 * da.from_array(numbers["q"], chunks=(1, 3)))
    (optimised,) = dask.optimize(found)
    nodes = {key: len(cloudpickle.dumps(node)) for key, node in dict(optimised.dask).items()}
    assert sum(size > 2000 for size in nodes.values()) == 1


def test_calls_are_fused_with_what_makes_their_inputs(arm):
    q = da.ones((40, 3), chunks=(10, 3))
    (optimised,) = dask.optimize(lazily(arm.coriolis_torque, 2 * q, q) + 1)
    assert len(dict(optimised.dask)) == 4 + 1  # blocks and module


# xarray -------------------------------------------------------------------------------------------


def labelled(array, **coords):
    return xr.DataArray(da.from_array(array, chunks=(BLOCK, 2)), dims=("time", "joint"), coords=coords)


@pytest.mark.parametrize("name", NAMES)
def test_labelled_results(arm, numbers, name):
    function = arm.functions[name]
    inputs = inputs_of(function, numbers)
    names = list(inspect.signature(function).parameters)
    given = [labelled(array).T if key.startswith("q") else array for key, array in zip(names, inputs, strict=False)]
    found, expected = lazily(function, *given), function(*inputs)
    for one, other in zip(all_of(found), all_of(expected), strict=True):
        assert dask.is_dask_collection(one)
        usual = DIMENSIONS.get(one.name, ("joint", "joint_2", "joint_3")[: other.ndim - 1])
        own = DIMENSIONS.get(name, usual)
        assert one.dims == ("time", *own)
        assert one.attrs["units"] == arm.units[name][one.name]
        np.testing.assert_array_equal(one, other)


def test_coordinates_are_kept_and_dimensions_may_have_other_names(arm, numbers):
    q = labelled(numbers["q"], time=np.arange(COUNT), joint=list(arm.joint_names)).rename(joint="dof")
    found = lazily(arm.inertia_matrix, q, dims={"joint": "dof", "joint_2": "column of dof"})
    assert found.dims == ("time", "dof", "column of dof")
    assert list(found.dof.values) == list(arm.joint_names)
    xr.testing.assert_equal(found.time, q.time)


def test_gravity_has_a_dimension_of_its_own(arm, numbers):
    q, gravity = labelled(numbers["q"]), xr.DataArray([[0, -9.81, 0], [0, -1.62, 0]], dims=("planet", "axis"))
    found = lazily(arm.gravity_torque, q, gravity)
    assert found.dims == ("time", "planet", "joint")
    expected = arm.gravity_torque(numbers["q"][:, None], gravity.values)
    np.testing.assert_array_equal(found, expected)


# errors -------------------------------------------------------------------------------------------


def q_of(shape, dtype=float):
    return da.zeros(shape, chunks=2, dtype=dtype)


@pytest.mark.parametrize(
    ("inputs", "error", "words"),
    [
        (
            lambda: [q_of((9, 4)), q_of((9, 3))],
            ValueError,
            "planar3r.kinetic_energy: q has shape (9, 4), expected (..., 3)",
        ),
        (lambda: [q_of((9, 3)), q_of((3, 9))], ValueError, "qd has shape (3, 9), expected (..., 3)"),
        (lambda: [q_of((9, 3)), 1.0], ValueError, "qd is a scalar, expected (..., 3)"),
        (lambda: [q_of((9, 3)), q_of((8, 3))], ValueError, "leading dimensions do not broadcast: q (9, 3), qd (8, 3)"),
        (
            lambda: [q_of((9, 3)), q_of((9, 3), complex)],
            TypeError,
            "qd is complex128, which does not convert to float64",
        ),
        (lambda: [q_of((9, 3)), "fast"], TypeError, "qd is a str, expected real numbers of shape (..., 3)"),
        (
            lambda: [q_of((9, 3)), dask.delayed(1)],
            TypeError,
            "qd is a DelayedLeaf, expected a Dask array, a DataArray or",
        ),
        (lambda: [q_of((9, 3))], TypeError, "planar3r.kinetic_energy() missing 1 required positional argument: 'qd'"),
        (
            lambda: [q_of((9, 3))] * 3,
            TypeError,
            "planar3r.kinetic_energy() takes 2 positional arguments but 3 were given",
        ),
        (
            lambda: [q_of((9, 3))[:, q_of(3) == 0], q_of((9, 3))],
            ValueError,
            "q has shape (9, nan), expected (..., 3); nan is unknown: call its compute_chunk_sizes() first",
        ),
        (
            lambda: [xr.DataArray(q_of((9, 3)), dims=("time", "dof")), q_of((9, 3))],
            ValueError,
            "q has no dimension 'joint'; it has (time, dof). Say what you call it with dims={...}",
        ),
        (
            lambda: [xr.DataArray(q_of((9, 4)), dims=("time", "joint")), q_of((9, 3))],
            ValueError,
            "q has shape (9, 4), expected (..., 3)",
        ),
    ],
)
def test_wrong_inputs(arm, inputs, error, words):
    with pytest.raises(error, match=re.escape(words)):
        lazily(arm.kinetic_energy, *inputs())


def test_wrong_functions_and_dimensions(arm):
    with pytest.raises(
        InputError, match=r"expected a function of a generated module, .* found <built-in function len>"
    ):
        lazily(len, q_of((9, 3)))
    with pytest.raises(InputError, match="dims names the dimensions of xarray's DataArrays, but none was given"):
        lazily(arm.inertia_matrix, q_of((9, 3)), dims={"joint": "dof"})
    q = xr.DataArray(q_of((9, 3)), dims=("time", "dof"))
    with pytest.raises(InputError, match=r"dims: unknown: dof; there are: joint \(the joints\), position \("):
        lazily(arm.inertia_matrix, q, dims={"dof": "joint"})
    with pytest.raises(InputError, match="dims: two dimensions have one name"):
        lazily(arm.inertia_matrix, q, dims={"joint": "dof", "joint_2": "dof"})


def test_without_dask(arm, monkeypatch):
    monkeypatch.setitem(sys.modules, "dask.array", None)
    with pytest.raises(EnvironmentFault, match=re.escape("pip install 'symgen[distributed]'")):
        lazily(arm.inertia_matrix, [0, 0, 0])


def test_dask_is_imported_by_those_who_use_it():
    lines = "import sys, symgen; symgen.distributed.map; print('dask' in sys.modules, 'xarray' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", lines], text=True).split() == ["False", "False"]


# robots with loops --------------------------------------------------------------------------------


def test_robots_with_loops_are_mapped_in_blocks():
    """At states that close the loops, assembled block by block, too."""
    robot = symgen.load("five_bar")
    names = ["inverse_dynamics", "forward_dynamics", "velocity_transformation", "assembly_step"]
    module = symgen.generate(robot, functions=names, effort="low", states=2)
    random = np.random.default_rng(8)
    guess = np.array(robot.near)
    given = guess[list(module.record.independent)] + 0.05 * random.normal(size=(COUNT, 2))
    q, status = module.assemble(given, guess)
    assert not status.any()
    qd, tau = random.normal(size=(2, COUNT, 2))
    qdd = lazily(module.forward_dynamics, *in_blocks((q, qd, tau)))
    assert_same(qdd, module.forward_dynamics(q, qd, tau))
    assert_same(lazily(module.velocity_transformation, in_blocks([q])[0]), module.velocity_transformation(q))
    back = lazily(module.inverse_dynamics, *in_blocks((q, qd)), qdd)
    np.testing.assert_allclose(back.compute(scheduler="threads"), tau, atol=1e-9)


# other processes ----------------------------------------------------------------------------------


@pytest.fixture
def fresh_process():
    """Nothing that was received before is remembered, now and afterwards."""

    def forget():
        generation._restored.cache_clear()
        generation._rebuilt.cache_clear()

    forget()
    yield
    forget()


@pytest.mark.parametrize("by", [pickle, cloudpickle])
def test_functions_survive_pickling(arm, numbers, fresh_process, by):
    heavy = arm.with_parameters({"m3": 7.0})
    inputs = inputs_of(arm.inverse_dynamics, numbers)
    for module in (arm, heavy):
        again = pickle.loads(by.dumps(module.inverse_dynamics))
        assert again is pickle.loads(by.dumps(module)).inverse_dynamics
        np.testing.assert_array_equal(again(*inputs), module.inverse_dynamics(*inputs))
    assert pickle.loads(by.dumps(heavy)).parameters == {"m3": 7.0}
    assert generation._rebuilt.cache_info().misses == 1


def test_a_module_comes_back_whole(arm, fresh_process):
    again = pickle.loads(pickle.dumps(arm))
    assert again.sources == arm.sources
    assert again._module == arm._module
    assert (again.record, again.units, again.counts) == (arm.record, arm.units, arm.counts)
    # It can be sent on.
    assert pickle.loads(pickle.dumps(again)) is again


def test_copies_are_the_original(arm):
    checked = callables.checked_function(arm.inertia_matrix)
    for original in (arm, arm.inertia_matrix, checked):
        assert copy.copy(original) is original
        assert copy.deepcopy([original])[0] is original


IRRATIONAL = robot_text.head() + robot_text.link(alpha='"pi/5"', b='"sqrt(2)"') + robot_text.link(a='"cos(0.3)/3"')
RECEIVER = """
import pickle, sys
function = pickle.loads(sys.stdin.buffer.read())
packed = function.__reduce__()[1][0]
print(packed.digest, function([0.1, 0.2], [0.3, 0.4], [0.5, 0.6]).tobytes().hex())
"""


def test_irrational_constants_reach_another_process(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(IRRATIONAL, encoding="utf-8")
    function = symgen.generate(path, functions=["inverse_dynamics"], effort="low", states=2).inverse_dynamics
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    received = subprocess.run(
        [sys.executable, "-c", RECEIVER], input=pickle.dumps(function), capture_output=True, check=True, env=environment
    )
    digest, values = received.stdout.decode().split()
    assert digest == function.__reduce__()[1][0].digest
    assert values == function([0.1, 0.2], [0.3, 0.4], [0.5, 0.6]).tobytes().hex()


def test_receivers_without_a_compiler_use_numpy(arm, numbers, fresh_process, monkeypatch):
    def no_compiler():
        raise EnvironmentFault("no C compiler was found")

    sent = pickle.dumps(arm)
    monkeypatch.setattr(generation, "find_compiler", no_compiler)
    with pytest.warns(generation.FallbackWarning, match="planar3r runs on pure NumPy instead"):
        received = pickle.loads(sent)
    assert received.backend == "numpy"
    inputs = inputs_of(arm.inverse_dynamics, numbers)
    np.testing.assert_allclose(received.inverse_dynamics(*inputs), arm.inverse_dynamics(*inputs), rtol=1e-12)
    # These functions are Python's own: they are sent on, mapped and copied like compiled ones.
    assert pickle.loads(pickle.dumps(received.inertia_matrix)) is received.inertia_matrix
    assert_same(lazily(received.inertia_matrix, *in_blocks(inputs[:1])), received.inertia_matrix(inputs[0]))


def test_another_version_of_symgen_is_refused(arm, fresh_process, monkeypatch):
    sent = pickle.dumps(arm)
    monkeypatch.setattr("symgen.program.packing.__version__", "9.9")
    with pytest.raises(
        EnvironmentFault, match=re.escape(f"sent by symgen {symgen.__version__} and received by symgen 9.9")
    ):
        pickle.loads(sent)


def test_functions_without_a_module_are_not_pickled(arm):
    bare = callables.bind_numpy(arm._module, numpy_names(arm._module))["inertia_matrix"]
    with pytest.raises(
        TypeError, match=r"cannot pickle planar3r\.inertia_matrix: it is no function of a DynamicsModule"
    ):
        pickle.dumps(bare)


# schedulers with processes ------------------------------------------------------------------------


def test_the_scheduler_with_processes(arm, numbers):
    function = arm.with_parameters({"m3": 7.0}).forward_dynamics
    inputs = inputs_of(function, numbers)
    found = lazily(function, *in_blocks(inputs))
    np.testing.assert_array_equal(found.compute(scheduler="processes", num_workers=2), function(*inputs))


def builds():
    """How many modules this process built of what it received."""
    return generation._rebuilt.cache_info().misses


def test_a_cluster_builds_a_module_once_in_each_process(arm, numbers, fresh_process):
    inputs = [np.tile(array, (40, 1)) for array in inputs_of(arm.inverse_dynamics, numbers)]
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        blocks = [da.from_array(array, chunks=(100, -1)) for array in inputs]
        for module in (arm, arm.with_parameters({"m3": 7.0})):
            function = module.inverse_dynamics
            found = client.gather(client.compute(lazily(function, *blocks)))
            np.testing.assert_array_equal(found, function(*inputs))
        assert client.run_on_scheduler(builds) == 0
        # A function by itself, called in each process.
        futures = [client.submit(arm.inertia_matrix, inputs[0], workers=[w], pure=False) for w in client.run(builds)]
        for values in client.gather(futures):
            np.testing.assert_array_equal(values, arm.inertia_matrix(inputs[0]))
        assert list(client.run(builds).values()) == [1, 1]


def test_the_example_outgrows_the_memory_of_its_cluster():
    page = Page("how-to/clusters")
    names = page.run({"__name__": "__main__"})
    arrays = [names[name] for name in ("q", "qd", "qdd")]
    workers, limit = re.search(r'n_workers=(\d+), .* memory_limit="(\w+)"', page.text).groups()
    assert sum(array.nbytes for array in arrays) > int(workers) * dask.utils.parse_bytes(limit)
    expected = np.zeros(6)
    for k in range(arrays[0].numblocks[0]):
        states = dask.compute(*[array.blocks[k] for array in arrays], scheduler="sync")
        np.maximum(expected, abs(names["puma"].inverse_dynamics(*states)).max(axis=0), out=expected)
    np.testing.assert_array_equal(names["largest"], expected)
