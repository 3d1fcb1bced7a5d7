"""Identities of the closed forms, exact: in the ring, at exact numbers through SymPy, or at points of a prime field."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import sympy
from form_robots import FIXED_TREE, SLIDES, TREE, robot

import symgen
from symgen.algebra.generators import COS, SIN, VARIABLE, Generator
from symgen.algebra.prime import PrimeField
from symgen.algebra.vanishing import Valuation, without_hidden_zeros

ROBOTS = ("planar3r", "scara+", "puma", TREE, SLIDES)


@cache
def closed(name, **options):
    return symgen.closed_form(robot(name), **options)


def elements(form):
    """The ring elements of a form as an array."""
    values = np.empty(form.shape, dtype=object)
    for index in form.indices():
        values[index] = form.element(*index)
    return values


def are_zero(values):
    return all(without_hidden_zeros(value).is_zero for value in np.ravel(values))


def derivative(element, joint):
    """∂/∂q of an element of a ring without definitions, term by term."""
    ring = element.ring
    total = ring.constant(0)
    for powers, number in element.terms():
        for index, exponent in powers.items():
            slope = letter_slope(ring, ring.generators[index], joint)
            if slope is None:
                continue
            term = ring.constant(number * exponent) * slope
            for other, power in powers.items():
                for _ in range(power - (other == index)):
                    term = term * ring.at(other)
            total = total + term
    return total


def letter_slope(ring, letter, joint):
    if letter.kind == VARIABLE:
        return ring.constant(1) if letter.name == "q" and letter.index == joint else None
    if letter.kind not in (COS, SIN) or (joint, 1) not in letter.angle.joints:
        return None
    other = ring.at(ring.find(Generator(SIN if letter.kind == COS else COS, angle=letter.angle)))
    return -other if letter.kind == COS else other


def rate(forms, values):
    """The time derivative of functions of q."""
    speeds = forms.coriolis_torque.subject.velocity
    slopes = np.frompyfunc(lambda element: sum(derivative(element, k) * speed for k, speed in enumerate(speeds)), 1, 1)
    return slopes(values)


# matrices of convective inertia -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ROBOTS)
def test_convective_inertia(name):
    forms = closed(name)
    change, speeds = rate(forms, elements(forms.inertia_matrix)), np.array(forms.coriolis_torque.subject.velocity)
    for form in (forms.coriolis_matrix, forms.convective_inertia_mass_centre, forms.convective_inertia_origin):
        matrix = elements(form)
        assert are_zero(matrix.dot(speeds) - elements(forms.coriolis_torque))
        skew = change - 2 * matrix
        is_skew = are_zero(skew + skew.T)
        if form is not forms.convective_inertia_origin:
            assert is_skew
        elif name == "puma":
            assert not is_skew


@pytest.mark.parametrize(("name", "first"), [("planar3r", 0), ("scara", 0), ("puma", 3)])
def test_skewness_through_sympy(name, first):
    """SymPy matrices from a joint on, differentiated by SymPy and put at exact points of the unit circle."""
    inertia, coriolis = (
        form.matrix[first:, first:] for form in (closed(name).inertia_matrix, closed(name).coriolis_matrix)
    )
    n = robot(name).nv
    q, qd = ([sympy.Symbol(f"{stem}{k + 1}", real=True) for k in range(n)] for stem in ("q", "qd"))
    values = exact_point(q, inertia.free_symbols | coriolis.free_symbols | set(q) | set(qd))
    slopes = [inertia.diff(angle).xreplace(values) * speed.xreplace(values) for angle, speed in zip(q, qd, strict=True)]
    skew = sum(slopes[1:], start=slopes[0]) - 2 * coriolis.xreplace(values)
    assert all(entry.is_Rational for entry in skew)
    assert (skew + skew.T).is_zero_matrix
    assert not skew.is_zero_matrix


def exact_point(angles, symbols):
    """Rational numbers for all symbols, and for cosines and sines of the angles."""
    values = {symbol: sympy.Rational(2 * k + 3, k + 2) for k, symbol in enumerate(sorted(symbols, key=str))}
    for k, angle in enumerate(angles):
        t = Fraction(k + 1, k + 3)
        values[sympy.cos(angle)] = sympy.Rational(*((1 - t * t) / (1 + t * t)).as_integer_ratio())
        values[sympy.sin(angle)] = sympy.Rational(*(2 * t / (1 + t * t)).as_integer_ratio())
    return values


# equations of motion ------------------------------------------------------------------------------------


@pytest.mark.parametrize("inertia", ["file", "base"])
@pytest.mark.parametrize("name", ["planar3r", "scara", "puma", FIXED_TREE])
def test_forces_and_energies(name, inertia):
    forms = closed(name, inertia=inertia)
    subject = forms.inertia_matrix.subject
    matrix, speeds, pushes = elements(forms.inertia_matrix), np.array(subject.velocity), np.array(subject.acceleration)
    convective, weight = elements(forms.coriolis_torque), elements(forms.gravity_torque)
    assert are_zero(matrix - matrix.T)
    assert are_zero(elements(forms.bias_torque) - convective - weight)
    assert are_zero(elements(forms.tau) - matrix.dot(pushes) - convective - weight)
    assert are_zero([2 * forms.kinetic_energy.element() - speeds.dot(matrix.dot(speeds))])
    slopes = [derivative(forms.potential_energy.element(), k) for k in range(robot(name).nv)]
    assert are_zero(weight - np.array(slopes))


def test_friction_and_rotors_of_drives():
    forms = closed("scara+")
    subject = forms.tau.subject
    ring, name = subject.ring, ring_parameter(subject.ring)
    rest = elements(forms.tau) - elements(forms.inertia_matrix).dot(np.array(subject.acceleration))
    friction = rest - elements(forms.bias_torque)
    speeds, half = subject.velocity, Fraction(1, 2)
    place = [ring.variable("q", index) for index in range(4)]
    slope, shift = name("Fslope1"), name("Fshift1")
    sigmoid = ring.tanh(slope * (speeds[0] + shift) * half) - ring.tanh(slope * shift * half)
    expected = [
        name("Fv1") * speeds[0] + name("Fs1") * sigmoid * half,
        name("Fv2") * speeds[1] + name("Fc2") * ring.sign(speeds[1]) + name("K2") * (place[1] - name("rest2")),
        name("Fc3") * ring.tanh(speeds[2] * 20),
        name("Fs4") * ring.tanh(name("Fslope4") * speeds[3] * half) * half + name("K4") * place[3],
    ]
    assert are_zero(friction - np.array(expected))


def ring_parameter(ring):
    return lambda name: ring.at(ring.find(Generator("parameter", name)))


# blocks ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reference", ["origin", "mass_centre"])
@pytest.mark.parametrize("axes", ["link", "base"])
@pytest.mark.parametrize("name", ["scara+", "stanford", TREE])
def test_blocks(name, axes, reference):
    forms = closed(name, axes=axes, reference=reference)
    N, count = elements(forms.N), len(forms.mass_matrices)
    assert are_zero(elements(forms.N_l).dot(elements(forms.N_d)) - N)
    total = -elements(forms.inertia_matrix)
    for i in range(count):
        rows = N[6 * i : 6 * i + 6]
        total = total + rows.T.dot(elements(forms.mass_matrices[i]).dot(rows))
    rotors = np.array(forms.inertia_matrix.subject.mechanism.rotor_inertias)
    assert are_zero(total + np.diag(rotors))


@pytest.mark.parametrize("axes", ["link", "base"])
def test_twist_propagations_compose(axes):
    forms = closed("stanford", axes=axes)
    A = {(i, j): elements(forms.twist_propagations[i, j]) for i in range(6) for j in range(i + 1)}
    for i, j, k in ((5, 3, 0), (2, 1, 0), (4, 2, 2)):
        assert are_zero(A[i, j].dot(A[j, k]) - A[i, k])
    assert are_zero(A[3, 3] - np.eye(6, dtype=int))


# what divides, at points of a prime field ------------------------------------------------------------------


def in_field(form, seed):
    ring = form.subject.ring
    valuation = Valuation(ring, PrimeField(frozenset({2, 3, 5, 6}) | ring.radicands(), seed))
    values = elements(form)
    for index, value in np.ndenumerate(values):
        values[index] = valuation(value)
    return values


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("planar3r", {}),
        ("scara+", {"inertia": "base"}),
        ("stanford", {}),
        ("puma", {}),
        ("puma", {"inertia": "base"}),
        ("planar3r", {"axes": "base", "reference": "mass_centre"}),
        (TREE, {"axes": "base"}),
    ],
)
def test_factors_and_inverse(name, options):
    forms = closed(name, **options)
    quantities = (forms.inertia_matrix, forms.U, forms.D, forms.U_inverse, forms.inverse_inertia_articulated)
    inertia, U, D, V, inverse = (in_field(form, 11) for form in quantities)
    assert all(value.is_zero for value in np.ravel(in_field(forms.inverse_inertia_matrix, 11) - inverse))
    assert all(value.is_zero for value in np.ravel((U * D).dot(U.T) - inertia))
    for one in (inverse.dot(inertia), U.dot(V)):
        assert all((value - int(i == j)).is_zero for (i, j), value in np.ndenumerate(one))
    assert all(value.is_zero for value in np.ravel((V.T * np.array([1 / value for value in D])).dot(V) - inverse))


@pytest.mark.parametrize("reference", ["origin", "mass_centre"])
@pytest.mark.parametrize("axes", ["link", "base"])
@pytest.mark.parametrize("name", ["puma", "stanford"])
def test_no_definition_grows_with_the_number_of_joints(name, axes, reference):
    """The terms of a definition, and of an entry, are those of one step of a recursion."""
    forms = closed(name, axes=axes, reference=reference)
    of_bodies = ("articulated_mass_matrices", "transmitted_mass_matrices", "psi_hats", "psis", "etas", "mus")
    of_joints = (
        "U",
        "U_inverse",
        "D",
        "inverse_inertia_articulated",
        "phi",
        "phi_hat",
        "phi_tilde",
        "forward_dynamics",
    )
    shown = [forms.quantity(quantity, [body]) for quantity in of_bodies for body in (0, 5)]
    shown += [forms.quantity(quantity) for quantity in of_joints]
    for form in shown:
        assert max(value.summands for value in np.ravel(elements(form))) <= 30, form
    for ring in {id(form.subject.ring): form.subject.ring for form in shown}.values():
        assert len(ring.definitions) > 100
        assert max(definition.numerator.summands for definition in ring.definitions) <= 30


@pytest.mark.parametrize("quantity", ["D", "U", "inertia_matrix", "convective_inertia_mass_centre"])
def test_axes_and_reference_points_do_not_matter(quantity):
    fields = [
        in_field(getattr(closed("scara", axes=axes, reference=reference), quantity), 5)
        for axes in ("link", "base")
        for reference in ("origin", "mass_centre")
    ]
    for found in fields[1:]:
        assert all(value.is_zero for value in np.ravel(found - fields[0]))
