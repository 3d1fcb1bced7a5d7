"""Functions with run-time parameters: bound constants, `init`, and many outputs, in both real types."""

import gc
import inspect
import sys
import threading
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import parameter_module as pendulum
import pytest
import toy_module as toy

from symgen.build.callables import bind, bind_numpy
from symgen.emit.binding import MAX_OPERANDS, emit_binding, emit_loops
from symgen.errors import InternalError, LimitError
from symgen.program.module import Argument

NAMES = list(pendulum.NAMESPACE)[1:]
SHAPES = [(), (5,), (2, 3), (0,)]


def _inputs(name, shape=(), dtype=np.float64):
    generator = np.random.default_rng(11)
    return [generator.normal(size=(*shape, pendulum.SIZE)).astype(dtype) for _ in pendulum.inputs_of(name)]


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)


def assert_right(found, name, values, inputs, real, shape=()):
    expected = _tuple(pendulum.reference(name, values, *inputs))
    assert len(_tuple(found)) == len(expected)
    for one, other in zip(_tuple(found), expected, strict=True):
        batch = shape if pendulum.inputs_of(name) else ()
        assert one.shape == (*batch, *other.shape[len(batch) :])
        assert one.dtype == real
        tolerance = 1e-14 if real == "float64" else 1e-5
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


# ---- bound functions, through every back end ----


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", NAMES)
def test_defaults(pendulum_bind, pendulum_module, name, shape):
    real = pendulum_module.real
    for dtype in (np.float64, np.float32):
        inputs = _inputs(name, shape, dtype)
        assert_right(pendulum_bind()[name](*inputs), name, pendulum.DEFAULTS, inputs, real, shape)


@pytest.mark.parametrize("name", NAMES)
def test_sets_of_values_are_independent(pendulum_bind, pendulum_module, name):
    inputs = _inputs(name, dtype=pendulum_module.real)
    sets = [(values, pendulum_bind(values=values)) for values in (pendulum.OTHERS, pendulum.DEFAULTS, [5, 1])]
    for values, functions in sets + sets[::-1]:
        assert_right(functions[name](*inputs), name, values, inputs, pendulum_module.real)


@pytest.mark.parametrize("name", NAMES)
def test_keywords(pendulum_bind, pendulum_module, name):
    inputs = _inputs(name, (2,))
    keywords = dict(zip(pendulum.inputs_of(name), inputs, strict=True))
    found = pendulum_bind()[name](**keywords)
    assert_right(found, name, pendulum.DEFAULTS, inputs, pendulum_module.real, (2,))


@pytest.mark.parametrize("shape", [(), (4,)])
@pytest.mark.parametrize("name", NAMES)
def test_out(pendulum_bind, pendulum_module, name, shape):
    if not pendulum.inputs_of(name):
        shape = ()
    inputs = _inputs(name, shape)
    expected = _tuple(pendulum.reference(name, pendulum.OTHERS, *inputs))
    targets = tuple(np.full(array.shape, 7.0, dtype=pendulum_module.real) for array in expected)
    found = pendulum_bind(values=pendulum.OTHERS)[name](*inputs, out=targets)
    assert all(one is other for one, other in zip(_tuple(found), targets, strict=True))
    assert_right(found, name, pendulum.OTHERS, inputs, pendulum_module.real, shape)


def test_out_is_an_input(pendulum_bind, pendulum_module):
    for shape in ((), (3,)):
        inputs = _inputs("forward", shape, pendulum_module.real)
        kept = [array.copy() for array in inputs]
        found = pendulum_bind()["forward"](*inputs, out=inputs[0])
        assert_right(found, "forward", pendulum.DEFAULTS, kept, pendulum_module.real, shape)


def test_layouts(pendulum_bind, pendulum_module):
    inputs = _inputs("forward", (4,), pendulum_module.real)
    function = pendulum_bind()["forward"]
    expected = function(*inputs)
    for disguise in (np.asfortranarray, np.ndarray.tolist, lambda array: array[:, ::-1].copy()[:, ::-1]):
        np.testing.assert_array_equal(function(*map(disguise, inputs)), expected)


def test_scalars_and_many_outputs(pendulum_bind, pendulum_module):
    functions = pendulum_bind()
    scalar = np.dtype(pendulum_module.real).type
    one = np.ones(3, dtype=pendulum_module.real)
    assert type(functions["energy"](one)) is scalar
    assert type(functions["total"]()) is scalar
    assert type(functions["energy"]([1, 2, 3])) is scalar
    assert functions["energy"](np.ones((2, 3))).shape == (2,)
    for given in (one, [1, 1, 1]):
        frames = functions["frames"](given)
        assert type(frames) is tuple
        assert [type(frame) for frame in frames] == [scalar, np.ndarray] * 5


def test_many_outputs_with_gaps(pendulum_bind, pendulum_module):
    target = np.empty((3, 3))
    out = (None, None, None, target, *[None] * 6)
    (where,) = _inputs("frames")
    frames = pendulum_bind()["frames"](where, out=out)
    assert frames[3] is target
    np.testing.assert_allclose(target, pendulum.reference("frames", pendulum.DEFAULTS, where)[3], rtol=1e-5)


def test_division_by_zero_in_silence(pendulum_bind):
    functions = pendulum_bind(values=(1.0, 0.0))
    assert functions["energy"]([1.0, 1.0, 1.0]) == np.inf
    assert np.isnan(functions["energy"]([1.0, 1.0, 0.0]))


def test_words_do_not_show_constants(pendulum_bind, pendulum_module):
    functions = pendulum_bind()
    assert str(inspect.signature(functions["forward"])) == "(count, k, *, out=None)"
    assert str(inspect.signature(functions["total"])) == "(*, out=None)"
    assert repr(functions["factors"]) == "<symgen function pendulum.factors(self) -> U, D>"
    for function in functions.values():
        assert "of the parameters" not in function.__doc__
        assert ("Computes in float32." in function.__doc__) == (pendulum_module.real == "float32")


def test_refusals(pendulum_bind):
    functions = pendulum_bind()
    with pytest.raises(TypeError, match=r"pendulum.energy\(\) takes 1 positional argument but 2 were given"):
        functions["energy"](np.ones(3), np.ones(4))
    with pytest.raises(TypeError, match="unexpected keyword argument 'constants'"):
        functions["energy"](np.ones(3), constants=np.ones(4))
    with pytest.raises(ValueError, match=r"pendulum.energy: data has shape \(4,\), expected \(..., 3\)"):
        functions["energy"](np.ones(4))
    with pytest.raises(ValueError, match="leading dimensions do not broadcast"):
        functions["forward"](np.ones((2, 3)), np.ones((4, 3)))


@pytest.mark.parametrize("values", [(), (1.0,), (1.0, 2.0, 3.0), [[1.0, 2.0]]])
def test_wrong_number_of_values(pendulum_bind, values):
    with pytest.raises(ValueError, match=r"pendulum: parameters have shape .*, expected \(2,\): mass, length"):
        pendulum_bind(values=values)


def test_values_for_a_module_without_parameters():
    assert set(bind_numpy(toy.MODULE, toy.NAMESPACE, values=())) == set(toy.NAMESPACE)
    with pytest.raises(ValueError, match=r"toy: parameters have shape \(1,\), expected \(0,\): none"):
        bind_numpy(toy.MODULE, toy.NAMESPACE, values=(1.0,))


def test_constants_stay_as_they_are(pendulum_bind, pendulum_module):
    values = np.array(pendulum.DEFAULTS)
    functions = pendulum_bind(values=values)
    values[:] = 9.0
    constants = functions["energy"].constants
    assert constants.dtype == pendulum_module.real
    np.testing.assert_allclose(constants, pendulum.init(np.array(pendulum.DEFAULTS)))
    with pytest.raises(ValueError, match="WRITEABLE"):
        constants.flags.writeable = True
    assert functions["plain"].constants is None


@pytest.mark.parametrize("name", ["energy", "factors", "frames"])
def test_threads_with_different_constants(pendulum_bind, pendulum_module, name):
    inputs = _inputs(name, dtype=pendulum_module.real)
    barrier = threading.Barrier(4)

    def work(mass):
        values = (mass, 0.5 * mass)
        function = pendulum_bind(values=values)[name]
        expected = function(*inputs)
        assert_right(expected, name, values, inputs, pendulum_module.real)
        barrier.wait(timeout=30)
        for _ in range(200):
            for one, other in zip(_tuple(function(*inputs)), _tuple(expected), strict=True):
                np.testing.assert_array_equal(one, other)
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, [1.0, 2.0, 3.0, 4.0]))


# ---- the extension ----


def test_init_is_a_ufunc(pendulum_loaded, pendulum_module):
    init = pendulum_loaded.ufuncs["init"]
    character = np.dtype(pendulum_module.real).char
    assert init.signature == "(2)->(4)"
    assert init.__name__ == "pendulum.init"
    assert init.types == [f"{character}->{character}"]
    assert "from the parameters mass, length." in init.__doc__
    values = np.random.default_rng(1).uniform(1.0, 2.0, size=(3, 5, 2)).astype(pendulum_module.real)
    constants = init(values)
    assert constants.dtype == pendulum_module.real
    np.testing.assert_allclose(constants, pendulum.init(values), rtol=1e-5)
    np.testing.assert_array_equal(init(values[..., ::-1].copy()[..., ::-1]), constants)


def test_ufuncs_take_constants(pendulum_loaded, pendulum_module):
    character = np.dtype(pendulum_module.real).char
    ufuncs = pendulum_loaded.ufuncs
    assert ufuncs["forward"].signature == "(3),(3),(4)->(3)"
    assert ufuncs["forward"].types == [f"{character * 3}->{character}"]
    assert ufuncs["plain"].signature == "(3)->()"
    assert ufuncs["frames"].signature == "(3),(4)->" + ",".join(["()", "(3,3)"] * 5)
    functions = bind(pendulum_module, pendulum_loaded)
    inputs = _inputs("forward", (5,), pendulum_module.real)
    bound = functions["forward"]
    assert bound.ufunc is ufuncs["forward"]
    np.testing.assert_array_equal(bound.ufunc(*inputs, bound.constants), bound(*inputs))
    # One set of constants for each item of a batch.
    sets = ufuncs["init"](np.array([(1.0, k + 1.0) for k in range(5)], dtype=pendulum_module.real))
    found = ufuncs["forward"](*inputs, sets)
    np.testing.assert_allclose(found, pendulum.forward(*inputs, sets), rtol=1e-5)


@pytest.fixture
def constants(pendulum_module):
    return pendulum.init(np.array(pendulum.OTHERS)).astype(pendulum_module.real)


def test_bound_calls_never_reach_python(pendulum_loaded, pendulum_module, constants):
    for name in NAMES:
        inputs = _inputs(name, dtype=pendulum_module.real)
        bound = constants if name != "plain" else None
        function = pendulum_loaded.Function(name, slow=lambda: pytest.fail("slow"), bound=bound)
        assert_right(function(*inputs), name, pendulum.OTHERS, inputs, pendulum_module.real)


def test_unbound_calls_take_constants(pendulum_loaded, pendulum_module, constants):
    (data,) = _inputs("energy", dtype=pendulum_module.real)
    for function in (
        pendulum_loaded.Function("energy", lambda *_: "slow"),
        pendulum_loaded.Function("energy", lambda *_: "slow", None),
    ):
        assert_right(function(data, constants), "energy", pendulum.OTHERS, [data], pendulum_module.real)
        assert function(data) == "slow"
    bound = pendulum_loaded.Function("energy", lambda *_: "slow", constants)
    assert bound(data, constants) == bound(data[:2]) == bound() == "slow"


def test_other_real_types_go_the_slow_way(pendulum_loaded, pendulum_module, constants):
    other = {"float64": np.float32, "float32": np.float64}[pendulum_module.real]
    function = pendulum_loaded.Function("energy", lambda *_: "slow", constants)
    assert function(np.ones(3, dtype=other)) == "slow"


def test_bound_is_a_copy(pendulum_loaded, pendulum_module, constants):
    (data,) = _inputs("energy", dtype=pendulum_module.real)
    references = sys.getrefcount(constants)
    function = pendulum_loaded.Function("energy", print, constants)
    assert sys.getrefcount(constants) == references
    constants[:] = np.nan
    assert_right(function(data), "energy", pendulum.OTHERS, [data], pendulum_module.real)


def test_what_cannot_be_bound(pendulum_loaded, pendulum_module, constants):
    real = pendulum_module.real
    message = f"bound must be a contiguous array of 4 numbers of type {'double' if real == 'float64' else 'float'}"
    other = {"float64": np.float32, "float32": np.float64}[real]
    swapped = constants.astype(constants.dtype.newbyteorder())
    strided = np.zeros(8, dtype=real)[::2]
    for wrong in (constants[:3], constants[None], constants.tolist(), constants.astype(other), swapped, strided, 1.0):
        with pytest.raises(TypeError, match=message):
            pendulum_loaded.Function("energy", print, wrong)
    with pytest.raises(TypeError, match="plain takes no constants to be bound"):
        pendulum_loaded.Function("plain", print, constants)
    with pytest.raises(TypeError, match="init takes no constants to be bound"):
        pendulum_loaded.Function("init", print, constants)
    with pytest.raises(KeyError, match="pendulum has no function nothing"):
        pendulum_loaded.Function("nothing", print, constants)


def test_cycles_of_bound_functions_are_collected(pendulum_loaded, constants):
    class Slow:
        def __call__(self):
            """Never called."""

    slow = Slow()
    function = pendulum_loaded.Function("energy", slow, constants)
    slow.back, function.self = function, function
    watch = weakref.ref(function)
    del slow, function
    gc.collect()
    assert watch() is None


def test_no_references_are_lost(pendulum_loaded, pendulum_module, constants):
    functions = bind(pendulum_module, pendulum_loaded)
    energy = functions["energy"]
    (data,) = _inputs("energy", dtype=pendulum_module.real)
    things = (data, constants, energy, energy.__wrapped__, energy.constants, energy.ufunc, None.__class__)

    def call():
        for name in ("energy", "factors", "frames"):
            functions[name](data)
            functions[name](data.tolist())
            with pytest.raises(ValueError, match="shape"):
                functions[name](data[:2])
        pendulum_loaded.Function("energy", energy, constants)
        with pytest.raises(TypeError):
            pendulum_loaded.Function("energy", energy, constants[:2])

    call()
    before = [sys.getrefcount(thing) for thing in things]
    for _ in range(100):
        call()
    assert [sys.getrefcount(thing) for thing in things] == before


def test_memory_does_not_grow(pendulum_loaded, pendulum_module, constants):
    (data,) = _inputs("frames", dtype=pendulum_module.real)
    tracemalloc.start()
    try:
        for repeats in (500, 5_000):
            for _ in range(repeats):
                pendulum_loaded.Function("frames", print, constants)(data)
            for _ in range(repeats // 100):
                bind(pendulum_module, pendulum_loaded, values=pendulum.OTHERS)
            gc.collect()
            if repeats == 500:
                before = tracemalloc.get_traced_memory()[0]
        assert tracemalloc.get_traced_memory()[0] - before < 10_000
    finally:
        tracemalloc.stop()


# ---- modules that are wrong ----


def test_a_module_without_functions():
    empty = replace(toy.MODULE, functions=())
    for use in (emit_binding, emit_loops, lambda module: bind_numpy(module, {})):
        with pytest.raises(InternalError, match="module toy has no functions"):
            use(empty)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"real": "float16"}, "module pendulum computes in 'float16', expected one of float64, float32"),
        ({"init": None}, "module pendulum has run-time parameters and no init"),
        (
            {"functions": (replace(pendulum.FUNCTIONS[0], name="init"),)},
            "module pendulum has run-time parameters and a function called init",
        ),
        (
            {"functions": (replace(pendulum.FUNCTIONS[3], inputs=(Argument("constants", (5,), "", "too many"),)),)},
            r"total takes constants of shape \(5,\), expected \(4,\)",
        ),
    ],
)
def test_modules_that_cannot_be_bound(change, message):
    for emit in (emit_binding, emit_loops):
        with pytest.raises(InternalError, match=message):
            emit(replace(pendulum.module(), **change))


def test_more_operands_than_numpy_takes():
    outputs = tuple(Argument(f"x{k}", (), "", "") for k in range(MAX_OPERANDS))
    many = replace(toy.MODULE, functions=(replace(toy.MODULE.functions[1], outputs=outputs),))
    with pytest.raises(LimitError, match=rf"toy.inertia_matrix has 1 inputs and {MAX_OPERANDS} outputs; NumPy"):
        emit_binding(many)
    assert f"out{MAX_OPERANDS - 1}" in emit_loops(many)


@pytest.mark.parametrize("name", ["out", "lambda"])
def test_inputs_that_python_cannot_pass(name):
    wrong = replace(toy.MODULE.functions[1], inputs=(replace(toy.POSITION, name=name),))
    with pytest.raises(InternalError, match=f"has an input called '{name}'"):
        bind_numpy(replace(toy.MODULE, functions=(wrong,)), toy.NAMESPACE)
