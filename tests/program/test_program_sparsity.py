"""Patterns of matrices, and functions whose matrices are packed, against the whole ones."""

from dataclasses import replace

import numpy as np
import pytest
from derivations import derivation
from hypothesis import given
from hypothesis import strategies as st
from joint_trees import tree
from scipy.sparse import csc_array

from symgen.derive.derivation import Options, derive
from symgen.program.counts import count
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.module import Argument, Function
from symgen.program.pattern import pattern_of
from symgen.program.program import Array, validate
from symgen.program.sparsity import dense, packed, patterns, unpacking, whole
from symgen.robot.joints import JointKind
from symgen.robot.library import load
from symgen.robot.model import BASE

# patterns -----------------------------------------------------------------------------------------------------


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 3), st.data())
def test_patterns_are_those_of_scipy(rows, columns, layers, data):
    shape = (layers, rows, columns) if layers > 1 else (rows, columns)
    size = layers * rows * columns
    marks = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    pattern = pattern_of(shape, np.flatnonzero(marks).tolist())
    matrix = np.where(marks, 1.0 + np.arange(marks.size), 0.0).reshape(shape)
    values = pattern.pack(matrix)
    if marks.any():
        other = csc_array(matrix.reshape(-1, columns))
        assert (pattern.indptr, pattern.indices) == (tuple(other.indptr), tuple(other.indices))
        assert values.tolist() == other.data.tolist()
    else:  # there always is a value
        assert (pattern.nnz, pattern.places, values.tolist()) == (1, (0,), [0.0])
    np.testing.assert_array_equal(pattern.unpack(values), matrix)
    np.testing.assert_array_equal(pattern.csc(values).toarray(), matrix.reshape(-1, columns))
    assert [line.split() for line in pattern.text().splitlines()] == [
        ["x" if row * columns + column in pattern.places else "." for column in range(columns)]
        for row in range(pattern.rows)
    ]


@pytest.mark.parametrize("batch", [(), (3,), (2, 1, 4)])
@pytest.mark.parametrize("real", ["float32", "float64"])
def test_batches(batch, real):
    pattern = pattern_of((2, 3), [0, 4, 5])
    values = np.random.default_rng(0).normal(size=(*batch, 3)).astype(real)
    matrices = pattern.unpack(values)
    assert (matrices.shape, matrices.dtype) == ((*batch, 2, 3), values.dtype)
    np.testing.assert_array_equal(pattern.pack(matrices), values)
    assert np.count_nonzero(matrices) == values.size


@pytest.mark.parametrize("values", [1.0, np.zeros(4), np.zeros((3, 2))])
def test_other_shapes_are_refused(values):
    pattern = pattern_of((2, 3), [0, 4, 5])
    with pytest.raises(ValueError, match=r"expected an array of shape \(\.\.\., 3\), found"):
        pattern.unpack(values)
    with pytest.raises(ValueError, match=r"expected an array of shape \(\.\.\., 2, 3\), found"):
        pattern.pack(values)
    with pytest.raises(ValueError, match="one state"):
        pattern.csc(values)


# modules ------------------------------------------------------------------------------------------------------

LOW = Options(functions=("all",), effort="low")
SOME = ("inertia_matrix", "udu_factors", "inverse_dynamics_derivatives", "centroidal_momentum_matrix", "jacobian")
HESSIANS = ("inverse_dynamics_hessian", "inverse_dynamics_second_derivatives")
MODULES = {
    "every function": lambda: derivation("planar3r").module,
    "run-time parameters": lambda: derive(load("planar2r"), replace(LOW, parameters="runtime")).module,
    "joints of all kinds": lambda: derive(tree(3, 3), Options(SOME, quaternion="wxyz", effort="low")).module,
    "loops": lambda: derive(load("four_bar"), LOW).module,
    "tensors": lambda: derive(load("planar2r"), Options(HESSIANS, effort="low")).module,
}


def states(function):
    random = np.random.default_rng(1)
    return {argument.name: random.uniform(0.5, 1.5, size=(2, *argument.shape)) for argument in function.inputs}


@pytest.mark.parametrize("name", MODULES)
def test_packed_results_are_the_entries_of_the_whole_ones(name):
    """The same numbers, by the same operations, and nothing but zeros is left out."""
    module = MODULES[name]()
    short, back = packed(module), dense(packed(module))
    assert packed(short) == short
    assert dense(module) == module
    matrices = 0
    for function, other, again in zip(module.functions, short.functions, back.functions, strict=True):
        validate(other.program)
        validate(again.program)
        assert count(other.program) == count(function.program) == count(again.program)
        given = states(function)
        with np.errstate(all="ignore"):
            expected, found = evaluate(function.program, given), evaluate(other.program, given)
            np.testing.assert_equal(evaluate(again.program, given), expected)
        assert patterns(other) == patterns(function) == patterns(again)
        for result, pattern in zip(other.outputs, patterns(function), strict=True):
            assert result.pattern == pattern
            if pattern is None:
                np.testing.assert_array_equal(found[result.name], expected[result.name])
                continue
            matrices += 1
            assert result.shape == (pattern.nnz,)
            assert pattern.shape == function.outputs[other.outputs.index(result)].shape
            np.testing.assert_array_equal(pattern.unpack(found[result.name]), expected[result.name])
    assert matrices >= 6


def test_patterns_do_not_depend_on_the_search_nor_on_the_real_type():
    """What is zero is a property of the function, not of the way to its program."""
    names = ("inertia_matrix", "udu_factors", "coriolis_matrix", "jacobian")
    several = (Options(names, effort="low"), Options(names, effort="low", real="float32", packed=True), Options(names))
    first, *others = ([patterns(each) for each in derive(load("scara"), each).module.functions] for each in several)
    assert first[0][0].nnz < 16
    assert all(other == first for other in others)


def test_a_result_that_is_zero_throughout_keeps_an_entry():
    graph = Graph()
    outputs = [(Array("Z", (2, 2)), [graph.constant(0)] * 4), (Array("y", (1,)), [graph.variable("q", 0)])]
    results = (Argument("Z", (2, 2), "", "zero"), Argument("y", (1,), "", "q"))
    program = graph.program([Array("q", (1,))], outputs)
    function = Function("nothing", "", "", (Argument("q", (1,), "", ""),), results, program)
    module = packed(replace(derivation("planar2r").module, functions=(function,)))
    (short,) = module.functions
    validate(short.program)
    found = evaluate(short.program, {"q": np.array([[3.0], [4.0]])})
    assert {name: array.tolist() for name, array in found.items()} == {"Z": [[0.0], [0.0]], "y": [[3.0], [4.0]]}
    assert whole(short.outputs, tuple(found.values()))[0].tolist() == [[[0.0] * 2] * 2] * 2
    validate(dense(module).functions[0].program)


def test_what_does_not_fit_is_refused():
    (function,) = packed(derive(load("planar2r"), Options(("udu_factors",))).module).functions
    with pytest.raises(ValueError, match=r"2 arrays \(U, D\), found 1"):
        whole(function.outputs, np.zeros(3))
    (plain,) = derive(load("planar2r"), Options(("gravity_torque",))).module.functions
    assert unpacking(len, plain.outputs) is len


# which entries are zero, by who carries whom ------------------------------------------------------------------------


def carried(robot):
    """For joints i and j: whether j is i or beyond it."""
    n = len(robot.links)
    found = np.eye(n, dtype=bool)
    for j, link in enumerate(robot.links):
        if link.parent != BASE:
            found[:, j] |= found[:, link.parent]
    return found


def held(robot, function):
    """Which entries of each result of a function are not zero by structure."""
    (made,) = derive(robot, Options((function,), effort="low")).module.functions
    return [pattern.unpack(np.ones(pattern.nnz)) != 0 for pattern in patterns(made) if pattern is not None]


@pytest.mark.parametrize("seed", range(4))
def test_the_tree_tells_which_entries_are_zero(seed):
    """Of trees without special lengths and angles, whose joints turn."""
    robot = tree(seed, 5, (JointKind.REVOLUTE,))
    beyond = carried(robot)
    related = beyond | beyond.T
    tips = ~(beyond & ~np.eye(len(beyond), dtype=bool)).any(axis=1)
    (inertia,), (upper,) = held(robot, "inertia_matrix"), held(robot, "udu_factors")
    assert (inertia == related).all()
    assert (upper == beyond).all()
    by_q, by_qd = held(robot, "inverse_dynamics_derivatives")
    assert (by_q == related).all()
    assert (by_qd == (related & ~np.diag(tips))).all()  # a joint's own velocity acts through what is beyond it alone
    (inverse,) = held(robot, "inverse_inertia_matrix")
    assert (inverse == beyond.T @ beyond).all()  # where one joint carries both
