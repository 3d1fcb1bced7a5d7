"""What every back end owes its caller: values, shapes, types, out=, messages, and words about itself."""

import copy
import inspect
import pydoc

import numpy as np
import pytest
import toy_module as toy

NAMES = [function.name for function in toy.MODULE.functions]


def inputs_of(name, arrays):
    return [np.ascontiguousarray(array) for array in arrays[: len(toy.MODULE.function(name).inputs)]]


def assert_close(found, expected):
    found, expected = (value if isinstance(value, tuple) else (value,) for value in (found, expected))
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.shape == other.shape
        assert one.dtype == np.float64
        np.testing.assert_allclose(one, other, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_one_item(functions, vectors, name):
    inputs = inputs_of(name, vectors)
    assert_close(functions[name](*inputs), toy.NAMESPACE[name](*inputs))


@pytest.mark.parametrize("name", NAMES)
def test_batch_and_keywords(functions, batches, name):
    inputs = inputs_of(name, batches)
    keywords = dict(zip(inspect.signature(functions[name]).parameters, inputs, strict=False))
    assert_close(functions[name](**keywords), toy.NAMESPACE[name](*inputs))


@pytest.mark.parametrize("name", NAMES)
def test_item_and_batch_agree_to_the_bit(compiled, batches, name):
    inputs = inputs_of(name, batches)
    whole = compiled[name](*inputs)
    for index in np.ndindex(batches.shape[1:-1]):
        item = compiled[name](*[np.ascontiguousarray(array[index]) for array in inputs])
        for one, other in zip(_tuple(item), _tuple(whole), strict=True):
            np.testing.assert_array_equal(one, other[index])


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)


def test_leading_dimensions_broadcast(functions, batches):
    q, qd, qdd = batches[0], batches[1][0, 0], batches[2][:, :1]
    found = functions["inverse_dynamics"](q, qd, qdd)
    assert_close(found, toy.inverse_dynamics(q, qd, qdd))


@pytest.mark.parametrize("batch", [(0,), (3, 0), (0, 1)])
@pytest.mark.parametrize("name", NAMES)
def test_empty_batch(functions, batch, name):
    function = toy.MODULE.function(name)
    results = _tuple(functions[name](*[np.ones((*batch, toy.SIZE)) for _ in function.inputs]))
    assert [result.shape for result in results] == [(*batch, *output.shape) for output in function.outputs]


def _reversed_twice(array):
    return array[..., ::-1].copy()[..., ::-1]


def _strided(array):
    wide = np.zeros((*array.shape, 3))
    wide[..., 1] = array
    return wide[..., 1]


def _unaligned(array):
    raw = np.zeros(array.nbytes + 1, dtype=np.uint8)[1:].view(np.float64).reshape(array.shape)
    raw[...] = array
    return raw


def _read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "disguise",
    [
        _reversed_twice,
        _strided,
        _unaligned,
        _read_only,
        np.asfortranarray,
        lambda array: array.astype(">f8"),
        lambda array: array.tolist(),
        lambda array: np.ma.masked_array(array),
        lambda array: array.view(type("Subclass", (np.ndarray,), {})),
    ],
)
@pytest.mark.parametrize("name", NAMES)
def test_layout_does_not_matter(functions, vectors, batches, name, disguise):
    for arrays in (vectors, batches):
        inputs = inputs_of(name, arrays)
        expected = functions[name](*inputs)
        for found, wanted in zip(_tuple(functions[name](*map(disguise, inputs))), _tuple(expected), strict=True):
            assert type(found) is type(wanted)
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.int8, np.uint64, np.bool_])
def test_types_which_cast_safely(functions, dtype):
    q = np.array([0, 1, 0, 1, 1, 0], dtype=dtype)
    assert_close(functions["inverse_dynamics"](q, q, q), toy.inverse_dynamics(*[q.astype(np.float64)] * 3))


@pytest.mark.parametrize("batch", [False, True])
def test_nan_and_infinity_pass_in_silence(functions, batch):
    q = np.array([np.nan, np.inf, -np.inf, 0.0, 1.0, 2.0])
    qd = np.array([1.0, 1.0, 1.0, 1.0, 0.0, 1e-320])
    if batch:
        q, qd = np.stack([q, q]), np.stack([qd, qd])
    with np.errstate(all="ignore"):
        expected = toy.inverse_dynamics(q, qd, qd)
        pivots = toy.udu_factors(q, qd)[1]
    assert_close(functions["inverse_dynamics"](q, qd, qd), expected)
    np.testing.assert_array_equal(functions["udu_factors"](q, qd)[1], pivots)


# ---- out= ----


@pytest.mark.parametrize("name", NAMES)
def test_out(functions, batches, name):
    function = toy.MODULE.function(name)
    inputs = inputs_of(name, batches)
    batch = batches.shape[1:-1]
    targets = tuple(np.full((*batch, *output.shape), 7.0) for output in function.outputs)
    results = functions[name](*inputs, out=targets if len(targets) > 1 else targets[0])
    assert all(one is other for one, other in zip(_tuple(results), targets, strict=True))
    assert_close(results, toy.NAMESPACE[name](*inputs))


def test_out_as_a_tuple_of_one(functions, vectors):
    target = np.empty(toy.SIZE)
    assert functions["inverse_dynamics"](*vectors, out=(target,)) is target


def test_out_with_a_gap(functions, vectors):
    pivots = np.empty(toy.SIZE)
    results = functions["udu_factors"](vectors[0], vectors[1], out=(None, pivots))
    assert results[1] is pivots
    assert_close(results, toy.udu_factors(vectors[0], vectors[1]))


def test_out_not_contiguous(functions, batches):
    target = np.zeros((4, 5, 2, 12, 6)).transpose(0, 1, 4, 3, 2)[..., ::2, 0]
    functions["inertia_matrix"](batches[0], out=target)
    np.testing.assert_allclose(target, toy.inertia_matrix(batches[0]))


def _swapped(shape):
    """Matrices, or vectors of states, column by column."""
    return np.zeros(shape) if len(shape) < 2 else np.zeros((*shape[:-2], *shape[:-3:-1])).swapaxes(-1, -2)


@pytest.mark.parametrize(
    "room",
    [
        lambda shape: np.zeros(shape, order="F"),
        _swapped,
        lambda shape: np.zeros((2 * shape[0], *shape[1:]))[::-2],
        lambda shape: np.zeros((*shape, 3))[..., 1],
        lambda shape: np.zeros((*shape[:-1], 2 * shape[-1]))[..., ::2],
    ],
)
@pytest.mark.parametrize("count", [3, 5, 64, 131])
@pytest.mark.parametrize("name", NAMES)
def test_out_of_many_states_in_any_layout(functions, name, count, room):
    """Tile by tile where entries are not at equal distances; nothing beside the results is written."""
    function = toy.MODULE.function(name)
    inputs = np.random.default_rng(3).uniform(0.5, 2, (len(function.inputs), count, toy.SIZE))
    targets = tuple(room((count, *output.shape)) for output in function.outputs)
    results = functions[name](*inputs, out=targets if len(targets) > 1 else targets[0])
    assert_close(results, toy.NAMESPACE[name](*inputs))
    for target in targets:
        whole = target if target.base is None else target.base
        assert np.count_nonzero(whole) == np.count_nonzero(target)


def test_out_of_a_smaller_type(functions, vectors):
    target = np.empty(toy.SIZE, dtype=np.float32)
    assert functions["inverse_dynamics"](*vectors, out=target) is target
    np.testing.assert_array_equal(target, toy.inverse_dynamics(*vectors).astype(np.float32))


@pytest.mark.parametrize("input_index", [0, 1, 2])
@pytest.mark.parametrize("batched", [False, True])
def test_out_is_an_input(functions, vectors, batches, input_index, batched):
    inputs = [array.copy() for array in (batches if batched else vectors)]
    expected = toy.inverse_dynamics(*[array.copy() for array in inputs])
    assert_close(functions["inverse_dynamics"](*inputs, out=inputs[input_index]), expected)


@pytest.mark.parametrize("shift", range(-5, 6))
def test_out_overlaps_an_input(functions, vectors, shift):
    memory = np.zeros(16)
    q, target = memory[5:11], memory[5 + shift : 11 + shift]
    q[:] = vectors[0]
    expected = toy.inverse_dynamics(*vectors)
    assert_close(functions["inverse_dynamics"](q, vectors[1], vectors[2], out=target), expected)


def test_out_overlaps_the_next_item(functions, batches):
    memory = np.zeros((6, toy.SIZE))
    memory[:5] = batches[0][0]
    expected = toy.inverse_dynamics(batches[0][0], batches[1][0], batches[2][0])
    found = functions["inverse_dynamics"](memory[:5], batches[1][0], batches[2][0], out=memory[1:])
    assert_close(found, expected)


def test_matrix_over_its_own_input(functions, vectors):
    memory = np.zeros((toy.SIZE, toy.SIZE))
    memory[2] = vectors[0]
    functions["inertia_matrix"](memory[2], out=memory)
    np.testing.assert_allclose(memory, toy.inertia_matrix(vectors[0]))


# ---- what is refused ----

V = np.zeros(6)


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "message"),
    [
        ((V, V[:5], V), {}, ValueError, "toy.inverse_dynamics: qd has shape (5,), expected (..., 6)"),
        ((V, V, 1.0), {}, ValueError, "toy.inverse_dynamics: qdd is a scalar, expected (..., 6)"),
        ((np.array(2.0), V, V), {}, ValueError, "toy.inverse_dynamics: q is a scalar, expected (..., 6)"),
        ((np.zeros((6, 1)), V, V), {}, ValueError, "q has shape (6, 1), expected (..., 6)"),
        (([], V, V), {}, ValueError, "toy.inverse_dynamics: q has shape (0,), expected (..., 6)"),
        (
            (np.zeros((3, 6)), np.zeros((4, 6)), V),
            {},
            ValueError,
            "toy.inverse_dynamics: leading dimensions do not broadcast: q (3, 6), qd (4, 6), qdd (6,)",
        ),
        (
            (V + 1j, V, V),
            {},
            TypeError,
            "toy.inverse_dynamics: q is complex128, which does not convert to float64 without loss, "
            "expected real numbers of shape (..., 6)",
        ),
        (("zero", V, V), {}, TypeError, "q is a str, expected real numbers of shape (..., 6)"),
        ((["0"] * 6, V, V), {}, TypeError, "q is an array of text, expected real"),
        ((None, V, V), {}, TypeError, "toy.inverse_dynamics: q is None, expected real numbers"),
        (([None] * 6, V, V), {}, TypeError, "q holds objects, expected real numbers of shape (..., 6); symbols of"),
        ((object(), V, V), {}, TypeError, "toy.inverse_dynamics: q holds objects, expected real"),
        (
            ([[1.0], [1.0, 2.0]], V, V),
            {},
            TypeError,
            "toy.inverse_dynamics: q is not an array, expected real",
        ),
        ((V.astype("M8[s]"), V, V), {}, TypeError, "q is an array of dates, expected real"),
        ((V, V), {}, TypeError, "toy.inverse_dynamics() missing 1 required positional argument: 'qdd'"),
        ((V,), {}, TypeError, "missing 2 required positional arguments: 'qd' and 'qdd'"),
        ((), {}, TypeError, "missing 3 required positional arguments: 'q', 'qd', and 'qdd'"),
        ((V,) * 4, {}, TypeError, "toy.inverse_dynamics() takes 3 positional arguments but 4 were given"),
        ((V, V, V), {"tau": V}, TypeError, "got an unexpected keyword argument 'tau'"),
        ((V, V, V), {"q": V}, TypeError, "toy.inverse_dynamics() got multiple values for argument 'q'"),
        ((V, V, V), {"out": [0.0] * 6}, TypeError, "out for tau must be a NumPy array, found a list"),
        ((V, V, V), {"out": (V, V)}, TypeError, "out must be an array or None for tau, found a tuple of 2"),
        ((V, V, V), {"out": np.zeros(5)}, ValueError, "out for tau has shape (5,), expected (6,)"),
        ((V, V, V), {"out": np.zeros((2, 6))}, ValueError, "out for tau has shape (2, 6), expected (6,)"),
        ((V, V, V), {"out": np.zeros(6, int)}, TypeError, "has type int64, which cannot hold float64"),
        ((V, V, V), {"out": _read_only(V)}, ValueError, "toy.inverse_dynamics: out for tau is read-only"),
    ],
)
def test_refusals(functions, arguments, keywords, error, message):
    with pytest.raises(error) as caught:
        functions["inverse_dynamics"](*arguments, **keywords)
    assert message in str(caught.value)


def test_refusals_of_two_outputs(functions):
    with pytest.raises(TypeError, match="out must be a tuple of 2 arrays for U, D, found a ndarray"):
        functions["udu_factors"](V, V, out=V)


def test_one_argument_too_many_of_one(functions):
    with pytest.raises(TypeError, match=r"toy.inertia_matrix\(\) takes 1 positional argument but 2 were given"):
        functions["inertia_matrix"](V, V)


# ---- words ----


def test_words(functions):
    function = functions["inverse_dynamics"]
    assert repr(function) == "<symgen function toy.inverse_dynamics(q, qd, qdd) -> tau>"
    assert repr(functions["udu_factors"]) == "<symgen function toy.udu_factors(q, qd) -> U, D>"
    assert function.__name__ == "inverse_dynamics"
    assert function.__qualname__ == "toy.inverse_dynamics"
    assert str(inspect.signature(function)) == "(q, qd, qdd, *, out=None)"
    assert function.counts == "3 multiplications"
    assert callable(function)


def test_docstring(functions):
    assert (
        functions["udu_factors"].__doc__
        == """\
Factors U, D.

Parameters
----------
q : array_like, shape (..., 6)
    joint positions [rad]
qd : array_like, shape (..., 6)
    joint velocities [rad/s]
out : tuple of ndarray, optional
    Arrays to write the results into.

Returns
-------
U : ndarray, shape (..., 6, 6)
    unit upper triangle [1]
D : ndarray, shape (..., 6)
    diagonal [kg m²]

Notes
-----
Formulation: by hand
Operations: 2 multiplications
Leading dimensions broadcast. NaN and infinity pass through."""
    )


def test_help_shows_the_docstring(functions):
    text = pydoc.render_doc(functions["inverse_dynamics"], renderer=pydoc.plaintext)
    assert "joint accelerations [rad/s²]" in text
    assert "toy.inverse_dynamics(q, qd, qdd) -> tau" in text


def test_the_ufunc_behind(functions_of):
    assert functions_of["extension"]["inertia_matrix"].ufunc.signature == "(6)->(6,6)"
    assert functions_of["extension"]["udu_factors"].ufunc.signature == "(6),(6)->(6,6),(6)"
    assert 'Torques "τ" — is this a trigraph??/' in functions_of["extension"]["inverse_dynamics"].ufunc.__doc__
    assert functions_of["loops"]["inertia_matrix"].ufunc is None
    assert functions_of["numpy"]["inertia_matrix"].ufunc is None


def test_attributes_can_be_set(functions):
    function = functions["energies"]
    function.remark = "free"
    assert function.remark == "free"
    del function.remark
    assert not hasattr(function, "remark")


def test_copies_are_the_function(compiled):
    function = compiled["energies"]
    assert copy.copy(function) is function
    assert copy.deepcopy([function])[0] is function
