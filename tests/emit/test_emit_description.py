"""What files say beside their code: numbers and strings as a language writes them, free text made harmless."""

from dataclasses import replace
from math import inf

import pytest
from sample_modules import function, module

from symgen.emit.description import Writing, described, init_function, signature, with_init
from symgen.emit.states import rows
from symgen.emit.text import comment_safe
from symgen.program.graph import Graph
from symgen.program.module import CONSTANTS, Argument, LimitRecord, Parameter, Regressor
from symgen.program.pattern import Pattern
from symgen.program.program import Array

WRITING = Writing(repr, ("INFINITY", "-INFINITY"), comment_safe)


def program(output="y", size=2):
    graph = Graph()
    entries = [graph.variable("q", 0) * 3] * size
    return graph.program([Array("q", (1,)), Array("qd", (1,))], [(Array(output, (size,)), entries)])


@pytest.mark.parametrize(
    ("value", "text"), [(1.5, "1.5"), (0.0, "0.0"), (-2.0, "-2.0"), (inf, "INFINITY"), (-inf, "-INFINITY")]
)
def test_numbers_may_be_infinite(value, text):
    assert WRITING.value(value) == text


def test_free_text_is_made_harmless():
    made = module(function("f", program()), description="ends */ here")
    parameters = (Parameter("m", 2.0, "kg", "a mass */ of all"),)
    found = described(replace(made, parameters=parameters, parameters_note="all */ of them"), WRITING)
    texts = [*found.robot, *found.parameter_lines, found.parameters_note, found.parameters[0].meaning]
    assert "*/" not in "".join(texts)
    assert "ends * / here" in "".join(found.robot)
    assert found.parameter_lines == ("m = 2.0 kg: a mass * / of all",)


def test_what_is_not_there_is_told_from_what_is_empty():
    plain = module(function("f", program()))
    found = described(plain, WRITING)
    assert (found.regressor, found.init, found.assembly, found.packed) == (None, None, None, ())
    none = Regressor("base", (), (), program())
    assert described(replace(plain, regressor=none), WRITING).regressor == ()


def test_limits_and_names_are_written():
    plain = module(function("f", program()))
    limited = replace(plain.record, limits=(LimitRecord("upper", "upper limits", (1.0, inf)),))
    found = described(replace(plain, record=limited), WRITING)
    assert found.joints == ('"joint1"', '"joint2"')
    assert [(each.extent, each.values) for each in found.limits] == [("NQ", ("1.0", "INFINITY"))]


def test_packed_results_are_told_function_by_function():
    given = function("f", program("M"))
    pattern = Pattern(indptr=(0, 1, 2), indices=(0, 1), shape=(2, 2))
    packed = replace(given, outputs=(replace(given.outputs[0], pattern=pattern),))
    ((name, (result,)),) = described(module(given, replace(packed, name="g")), WRITING).packed
    assert (name, result.function, result.result, result.extents) == ("g", "g", "M", "2 x 2")
    assert dict(result.arrays) == {"indptr": (0, 1, 2), "indices": (0, 1)}


def test_a_signature_says_what_is_not_read():
    found = signature(function("f", program()))
    assert found.unused == ("qd",)
    assert not found.has_status
    assert [(each.name, each.head, each.size) for each in found.inputs] == [("q", "q [1]", 1), ("qd", "qd [1]", 1)]


def test_what_makes_constants_comes_first():
    graph = Graph()
    init = graph.program([Array("parameters", (1,))], [(Array(CONSTANTS, (1,)), [graph.variable("parameters", 0) * 2])])
    plain = module(function("f", program()))
    made = replace(plain, parameters=(Parameter("m", 2.0, "kg", "a mass"),), init=init)
    assert [each.name for each in with_init(plain)] == ["f"]
    assert [each.name for each in with_init(made)] == ["init", "f"]
    assert init_function(made, "PARAMETERS").inputs[0].meaning == "values in the order of PARAMETERS"


def test_rows_tell_where_arrays_lie():
    given = replace(function("f", program()), inputs=(Argument("q", (3,), "", ""), Argument(CONSTANTS, (5,), "", "")))
    (row,) = rows(module(replace(given, outputs=(Argument("M", (2, 2), "", ""), Argument("T", (), "", "")))))
    assert (row.taken, row.given, row.parametrized) == ([3], [4, 1], True)
    assert row.bounds == ([(0, 3)], [(0, 4), (4, 5)])
