"""Expanded forms: no definitions, the same function, and limits."""

import numpy as np
import pytest
import sympy
from form_robots import robot, state

import symgen
from symgen.errors import LimitError

CASES = [
    ("planar2r", "D", {}),
    ("planar2r", "inverse_inertia_matrix", {}),
    ("planar2r", "U", {"inertia": "base"}),
    ("planar3r", "D", {}),
    ("planar3r", "U", {"parameters": "numeric"}),
    ("scara", "inverse_inertia_matrix", {"inertia": "base"}),
    ("scara", "inertia_matrix", {"inertia": "frame"}),
    ("stanford", "gravity_torque", {"inertia": "base"}),
]


@pytest.mark.parametrize(("name", "quantity", "options"), CASES, ids=str)
def test_expanded_forms_are_the_same_functions(name, quantity, options):
    form = getattr(symgen.closed_form(name, **options), quantity)
    q, qd, _ = state(robot(name))
    numbers = {f"q{k + 1}": value for k, value in enumerate(q)} | {f"qd{k + 1}": value for k, value in enumerate(qd)}
    numbers |= {key: float(value) for key, value in form.subject.parameter_values().items()}
    whole = form.expanded()
    symbols = sorted(whole.free_symbols, key=str)
    assert {str(symbol) for symbol in symbols} <= numbers.keys()
    function = sympy.lambdify(symbols, list(whole), "math")
    found = np.array(function(*(numbers[str(symbol)] for symbol in symbols)), dtype=float).reshape(form.shape)
    assert np.allclose(found, form.values(q, qd), rtol=1e-9, atol=1e-12)


def test_common_factors_of_quotients_cancel():
    """The pivot of a planar arm: what is divided by in between is gone."""
    (first, last) = symgen.closed_form("planar2r").D.expanded()
    L1, L2, m1, m2, q2 = sympy.symbols("L1 L2 m1 m2 q2", real=True)
    assert sympy.expand(first - (L1**2 * m1 / 3 + L1**2 * m2 * (1 - 3 * sympy.cos(q2) ** 2 / 4))) == 0
    assert sympy.expand(last - L2**2 * m2 / 3) == 0


def test_the_limit_is_that_of_terms():
    form = symgen.closed_form("planar2r").inertia_matrix
    assert form.expanded(4).shape == (2, 2)
    with pytest.raises(LimitError, match="at least 7 terms"):
        symgen.closed_form("planar2r").kinetic_energy.expanded(6)


def test_a_form_that_explodes_is_refused_quickly():
    with pytest.raises(LimitError, match="more than the limit of 20,000; use the form in named definitions"):
        symgen.closed_form("puma").inverse_inertia_matrix.expanded()
