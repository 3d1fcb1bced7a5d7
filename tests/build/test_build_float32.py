"""The same functions in float32: what goes in, what comes out, and that no double is in between."""

import numpy as np
import pytest
import toy_module as toy

from symgen.build.callables import bind_loops
from symgen.emit.binding import emit_binding, emit_loops

NAMES = [function.name for function in toy.FLOAT_MODULE.functions]


@pytest.fixture(params=["extension", "loops", "numpy"])
def functions(request, float_functions_of):
    """The toy's functions in float32, through each back end in turn."""
    return float_functions_of[request.param]


def inputs_of(name, arrays):
    count = len(toy.FLOAT_MODULE.function(name).inputs)
    return [np.ascontiguousarray(array, dtype=np.float32) for array in arrays[:count]]


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)


def assert_close(found, name, inputs):
    expected = _tuple(toy.NAMESPACE[name](*[np.asarray(array, dtype=np.float64) for array in inputs]))
    assert len(_tuple(found)) == len(expected)
    for one, other in zip(_tuple(found), expected, strict=True):
        assert one.shape == other.shape
        assert one.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_one_item_and_batch(functions, vectors, batches, name):
    for arrays in (vectors, batches):
        inputs = inputs_of(name, arrays)
        assert_close(functions[name](*inputs), name, inputs)


@pytest.mark.parametrize("name", NAMES)
def test_item_and_batch_agree_to_the_bit(float_functions_of, batches, name):
    function, inputs = float_functions_of["extension"][name], inputs_of(name, batches)
    whole = function(*inputs)
    for index in np.ndindex(batches.shape[1:-1]):
        item = function(*[array[index] for array in inputs])
        for one, other in zip(_tuple(item), _tuple(whole), strict=True):
            np.testing.assert_array_equal(one, other[index])


def _strided(array):
    wide = np.zeros((*array.shape, 3), dtype=array.dtype)
    wide[..., 1] = array
    return wide[..., 1]


def _unaligned(array):
    raw = np.zeros(array.nbytes + 1, dtype=np.uint8)[1:].view(np.float32).reshape(array.shape)
    raw[...] = array
    return raw


@pytest.mark.parametrize(
    "disguise",
    [
        _strided,
        _unaligned,
        np.asfortranarray,
        lambda array: array.astype(">f4"),
        lambda array: array.astype(np.float64),
        lambda array: array.astype(">f8"),
        lambda array: array.tolist(),
        lambda array: np.ma.masked_array(array),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_layout_and_type_do_not_matter(functions, vectors, batches, name, disguise):
    for arrays in (vectors, batches):
        inputs = inputs_of(name, arrays)
        expected = functions[name](*inputs)
        for found, wanted in zip(_tuple(functions[name](*map(disguise, inputs))), _tuple(expected), strict=True):
            assert type(found) is type(wanted)
            assert found.dtype == np.float32
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", [np.float16, np.int64, np.int8, np.uint64, np.bool_])
def test_other_types(functions, dtype):
    q = np.array([0, 1, 0, 1, 1, 0], dtype=dtype)
    assert_close(functions["inverse_dynamics"](q, q, q), "inverse_dynamics", [q, q, q])
    assert_close(functions["inertia_matrix"]([0, 1, 0, 1, 1, 0]), "inertia_matrix", [q])


@pytest.mark.parametrize("dtype", [np.complex64, object, "U3"])
def test_types_refused(functions, dtype):
    with pytest.raises(TypeError, match=r"toy.inertia_matrix: q (is|holds) .*, expected real numbers"):
        functions["inertia_matrix"](np.zeros(6).astype(dtype))


def test_scalars(functions, vectors):
    for q in (vectors[0].astype(np.float32), vectors[0].tolist()):
        assert [type(value) for value in functions["energies"](q)] == [np.float32, np.float32]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize("name", NAMES)
def test_out(functions, batches, name, dtype):
    inputs = inputs_of(name, batches)
    expected = _tuple(functions[name](*inputs))
    targets = tuple(np.full(array.shape, 7, dtype=dtype) for array in expected)
    with np.errstate(over="ignore"):  # float16 may be too small
        results = functions[name](*inputs, out=targets)
        expected = [array.astype(dtype) for array in expected]
    for result, target, wanted in zip(_tuple(results), targets, expected, strict=True):
        assert result is target
        np.testing.assert_array_equal(target, wanted)


def test_out_refused(functions, vectors):
    with pytest.raises(TypeError, match="has type int64, which cannot hold float32"):
        functions["inverse_dynamics"](*vectors, out=np.zeros(6, dtype=np.int64))


@pytest.mark.parametrize("shift", range(-5, 6))
def test_out_overlaps_an_input(functions, vectors, shift):
    memory = np.zeros(16, dtype=np.float32)
    q, target = memory[5:11], memory[5 + shift : 11 + shift]
    q[:] = vectors[0]
    inputs = [q.copy(), vectors[1].astype(np.float32), vectors[2].astype(np.float32)]
    assert_close(functions["inverse_dynamics"](q, *inputs[1:], out=target), "inverse_dynamics", inputs)


def test_nan_and_infinity_pass_in_silence(functions):
    q = np.array([np.nan, np.inf, -np.inf, 0.0, 1.0, 2.0], dtype=np.float32)
    qd = np.array([1.0, 1.0, 1.0, 1.0, 0.0, 1e-44], dtype=np.float32)
    for shape in ((6,), (2, 6)):
        pivots = functions["udu_factors"](np.broadcast_to(q, shape), np.broadcast_to(qd, shape))[1]
        with np.errstate(all="ignore"):
            expected = np.broadcast_to(q[::-1] / qd, shape)
        np.testing.assert_array_equal(pivots, expected)


def test_the_ufunc_behind(float_functions_of):
    ufunc = float_functions_of["extension"]["udu_factors"].ufunc
    assert ufunc.types == ["ff->ff"]
    assert ufunc.signature == "(6),(6)->(6,6),(6)"


def test_fast_path(float_functions_of, vectors):
    """Native float32 stays in C, also by way of an object without a slow way."""
    fast = float_functions_of["extension"]["inverse_dynamics"]
    function = type(fast)("inverse_dynamics", lambda *_: "slow")
    inputs = inputs_of("inverse_dynamics", vectors)
    assert_close(function(*inputs), "inverse_dynamics", inputs)
    assert function(*vectors) == function(*[array[::-1] for array in inputs]) == "slow"


def test_words(functions):
    assert "Computes in float32.\n" in functions["inverse_dynamics"].__doc__


def test_no_double_in_the_text():
    for emit in (emit_binding, emit_loops):
        text = emit(toy.FLOAT_MODULE)
        assert "double" not in text
        assert "NPY_DOUBLE" not in text


def test_two_real_types_side_by_side(functions_of, float_functions_of, vectors, library):
    inputs = inputs_of("inverse_dynamics", vectors)
    for backend in ("extension", "loops", "numpy"):
        wide, narrow = functions_of[backend]["inverse_dynamics"], float_functions_of[backend]["inverse_dynamics"]
        assert wide(*inputs).dtype == np.float64
        assert narrow(*inputs).dtype == np.float32
    again = bind_loops(toy.MODULE, library)["inverse_dynamics"]
    np.testing.assert_array_equal(again(*inputs), functions_of["loops"]["inverse_dynamics"](*inputs))
