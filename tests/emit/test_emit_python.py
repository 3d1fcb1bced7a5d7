"""The generated NumPy module: needs NumPy alone, keeps shapes whatever is constant, agrees with the interpreter."""

import ast

import numpy as np
import pytest
from derivations import derivation
from hypothesis import given, settings
from library_robots import ARMS
from random_programs import inputs, program_of, tapes
from sample_modules import function, module

from symgen.emit.python import emit_python
from symgen.emit.python.text import docstring_safe
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array


def text_of(made):
    ((file, text),) = emit_python(made).items()
    assert file == f"{made.name}.py"
    return text


def load(made):
    """The functions of the module's text."""
    namespace = {}
    exec(compile(text_of(made), f"{made.name}.py", "exec"), namespace)
    return namespace


@pytest.mark.parametrize("name", ARMS)
def test_the_text_needs_nothing_but_numpy(name):
    tree = ast.parse(text_of(derivation(name).module))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [ast.unparse(node) for node in imports] == ["import sys", "from numbers import Real", "import numpy as np"]
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    own = {"_sin", "_cos", "_arrays", "_elementary", "arguments.items", "arrays.append", "array.astype"}
    numpy = {f"np.{word}" for word in ("empty", "array", "asarray", "broadcast_shapes", "frompyfunc", "result_type")}
    objects = {"of_object", "ufunc", "function", "getattr(value, name)", "getattr(library, name)", "sys.modules.get"}
    objects |= {"getattr", "hasattr", "isinstance", "type", "float", "np.frompyfunc(of_object, 1, 1)"}
    errors = {"ValueError", "TypeError", "type(value).__module__.partition"}
    assert calls <= own | numpy | objects | errors | {call for call in calls if call.endswith(".reshape")}


@pytest.mark.parametrize("name", ARMS)
def test_lines_are_short(name):
    for line in text_of(derivation(name).module).splitlines():
        assert len(line) <= 100 or name in line
        assert line == line.rstrip()


@pytest.mark.parametrize("name", ["puma", "scara", "planar3r", "stanford", "panda"])
@pytest.mark.parametrize("batch", [(), (3,), (2, 1, 4)], ids=str)
def test_functions_agree_with_the_interpreter_in_value_and_shape(name, batch):
    made = derivation(name).module
    functions = load(made)
    chance = np.random.default_rng(8)
    for item in made.functions:
        arrays = {a.name: chance.uniform(-2, 2, (*batch, *a.shape)) for a in item.inputs}
        results = functions[item.name](**arrays)
        expected = evaluate(item.program, arrays)
        for output, found in zip(item.outputs, results if len(item.outputs) > 1 else (results,), strict=True):
            assert found.shape == (*batch, *output.shape)
            assert found.dtype == float
            np.testing.assert_array_equal(found, expected[output.name])


def test_leading_dimensions_broadcast_where_entries_are_constant():
    """SCARA gravity torques and the last entry of the planar arm's inertia do not depend on q."""
    scara, planar = load(derivation("scara").module), load(derivation("planar3r").module)
    gravity = scara["gravity_torque"](np.zeros((5, 4)))
    assert gravity.shape == (5, 4)
    assert (gravity == gravity[0]).all()
    assert gravity[0].any()
    inertia = planar["inertia_matrix"](np.random.default_rng(1).uniform(size=(2, 3, 3)))
    assert inertia.shape == (2, 3, 3, 3)
    assert np.ptp(inertia[..., 2, 2]) == 0
    torque = scara["inverse_dynamics"](np.zeros((3, 1, 4)), np.ones((2, 4)), np.zeros(4))
    assert torque.shape == (3, 2, 4)


@pytest.mark.parametrize("q", [np.zeros(5), np.zeros((6, 1)), 0.0, np.zeros((0,)), []], ids=str)
def test_wrong_shapes_are_refused_by_name(q):
    functions = load(derivation("puma").module)
    with pytest.raises(ValueError, match=r"gravity_torque: q has shape .*, expected \(\.\.\., 6\)"):
        functions["gravity_torque"](q)


def test_empty_batches_and_other_numbers():
    functions = load(derivation("puma").module)
    assert functions["gravity_torque"](np.zeros((0, 6))).shape == (0, 6)
    assert functions["inertia_matrix"]([0] * 6).shape == (6, 6)
    whole, single = functions["gravity_torque"]([1] * 6), functions["gravity_torque"](np.ones(6, dtype=np.float32))
    np.testing.assert_array_equal(whole, single)


def test_arguments_are_not_changed():
    functions = load(derivation("puma").module)
    q = np.ones(6)
    q.flags.writeable = False
    functions["inverse_dynamics"](q, q, q)


@settings(max_examples=30)
@given(tapes(max_steps=20))
def test_random_programs_agree_bit_for_bit(tape):
    program = program_of(tape, parameters=False)
    functions = load(module(function("f", program)))
    arrays = inputs(batch=(2, 3))
    with np.errstate(all="ignore"):
        found, expected = functions["f"](**arrays), evaluate(program, arrays)["y"]
    np.testing.assert_array_equal(found, expected)


def test_several_outputs_of_any_rank():
    graph = Graph()
    x, y = graph.variable("q", 0), graph.variable("q", 1)
    outputs = [(Array("energy", ()), [x * x]), (Array("matrix", (2, 2)), [x, y, graph.constant(0), x + y])]
    functions = load(module(function("f", graph.program([Array("q", (2,))], outputs))))
    energy, matrix = functions["f"](np.array([[3.0, 4.0]] * 5))
    assert energy.shape == (5,)
    assert matrix.shape == (5, 2, 2)
    assert matrix[0].tolist() == [[3.0, 4.0], [0.0, 7.0]]


@pytest.mark.parametrize("text", ['""" raise SystemExit', "\\", "ends with a backslash\\", 'a"b', "'''", "\\N{BULLET}"])
def test_docstrings_hold_any_text(text):
    safe = docstring_safe(text)
    assert ast.literal_eval(f'"""{safe}\n"""') == text.replace('"', "'") + "\n"
    graph = Graph()
    program = graph.program([Array("q", (1,))], [(Array("y", (1,)), [graph.variable("q", 0)])])
    tree = ast.parse(text_of(module(function("copy", program), description=text)))
    assert [type(node).__name__ for node in tree.body][:2] == ["Expr", "Import"]


def test_long_products_stay_in_their_parentheses():
    """A product has no space to break at; the statement must not end before it."""
    graph = Graph()
    product = graph.constant(1)
    for k in range(6):
        x = graph.variable("q", k)
        product = graph.define(f"a_name_of_some_thirty_letters_{k}", x * x) * product
    label = graph.define("a_long_name_as_well", product)
    program = graph.program([Array("q", (6,))], [(Array("y", (2,)), [label * label, label + 1])])
    made = module(function("f", program))
    assert "a_long_name_as_well = (a_name" in text_of(made)
    q = np.arange(1.0, 7.0)
    np.testing.assert_allclose(load(made)["f"](q), evaluate(program, {"q": q})["y"])
