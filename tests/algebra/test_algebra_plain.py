"""Values as plain data: what is read is what was written, and what was not written so is refused."""

import json
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import MAX_TERMS, PI, ZERO, Exact
from symgen.algebra.plain import Codec, PlainError, form_of, forms_in
from symgen.algebra.roots import sqrt


class Colour(Enum):
    RED = "red"
    BLUE = 2


@dataclass(frozen=True)
class Point:
    x: Exact
    colour: Colour
    inner: tuple


class Pair(NamedTuple):
    first: object
    second: object


CODEC = Codec([form_of(Colour), form_of(Point), form_of(Pair)])

COSINE, SINE = cos_sin(Exact.of(Fraction(7, 10)))
LONG = sum((sqrt(n) for n in range(2, 3 * MAX_TERMS)), ZERO)

CONSTANTS = {
    "zero": ZERO,
    "decimal": Exact.of(Fraction("-0.432")),
    "root": sqrt(2) / 3,
    "pi": -PI / 2 + 1,
    "angle": COSINE * SINE + COSINE**3,
    "roots": sqrt(2) * sqrt(3) + sqrt(5),
    "inverse": (1 + sqrt(2) + COSINE).inverse() * PI,
    "a constant of its own": LONG * COSINE + 1,
}

VALUES = {
    **CONSTANTS,
    "numbers": (1, -(10**30), 2.5, -0.0, float("inf"), 1e-300, np.float64(0.1), True, None),
    "texts": ("", "θ\n", "\udc80 is no letter", '"{'),
    "fraction": Fraction(-1, 3),
    "nested": ((), ((1,), [2, (3,)]), {"a": (1,), 2: {}, Colour.RED: ()}),
    "named tuple": Pair((1,), Pair(2, Fraction(1, 2))),
    "object": Point(sqrt(2), Colour.BLUE, (Point(ZERO, Colour.RED, ()),)),
}


@pytest.mark.parametrize("name", VALUES)
def test_what_is_read_is_what_was_written(name):
    value = VALUES[name]
    text = CODEC.text(value)
    found = CODEC.value(text)
    assert found == value
    assert repr(found) == repr(value).replace("np.float64(0.1)", "0.1")  # lists stay lists, 1.0 stays no integer
    assert CODEC.text(found) == text


def test_numbers_of_more_digits_than_python_writes():
    value = Exact.of(Fraction(3**20000, 7**9000))
    assert CODEC.value(CODEC.text(value)) == value


def test_equal_values_have_equal_texts():
    one, other = sqrt(2) + PI + COSINE, COSINE + sqrt(2) + PI
    assert list(one.terms) != list(other.terms)
    assert CODEC.digest(one) == CODEC.digest(other) != CODEC.digest(one + 1)


@pytest.mark.parametrize(
    "value", [object(), {1, 2}, b"bytes", Fraction, (1, [object()])], ids=lambda value: type(value).__name__
)
def test_what_has_no_form_is_refused(value):
    with pytest.raises(PlainError, match="no form is known for"):
        CODEC.text(value)


REFUSED = {
    "nothing": "",
    "no value": "[]",
    "no name": "[[],{}]",
    "a field too few": '[[],{"Point":[1]}]',
    "an unknown class": '[[],{"Nosuch":[]}]',
    "an unknown member": '[[],{"Colour":["GREEN"]}]',
    "no fraction": '[[],{"Fraction":[1,0]}]',
    "no such atom": '[[],{"Exact":[[1,1,[[0,1]]]]}]',
    "an unknown kind of atom": '[[["eval",0,null]],1]',
    "an atom of itself": '[[["cos",0,[[1,1,[[0,1]]]]]],1]',
    "too deep": "[[]," + "[" * 100_000,
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_texts_are_refused(name):
    with pytest.raises(PlainError):
        CODEC.value(REFUSED[name].encode())


WRITTEN = CODEC.text(tuple(VALUES.values()))


@given(st.integers(0, len(WRITTEN) - 1), st.binary(min_size=1, max_size=3))
def test_a_damaged_text_gives_a_value_or_is_refused(place, other):
    try:
        CODEC.value(WRITTEN[:place] + other + WRITTEN[place + 1 :])
    except PlainError as error:
        assert str(error)  # noqa: PT017 — any other error fails the test


def test_forms_of_a_module_are_those_of_its_own_classes():
    from symgen.program import module, program

    names = {form.kind.__name__ for form in forms_in(module)}
    assert {"Module", "Function", "Record"} <= names
    assert "Program" not in names
    assert {"Op", "Array"} <= {form.kind.__name__ for form in forms_in(program)}


def test_the_text_is_json():
    assert json.loads(CODEC.text((1, "a", sqrt(2)))) == [[["sqrt", 2, None]], [1, "a", {"Exact": [[1, 1, [[0, 1]]]]}]]
