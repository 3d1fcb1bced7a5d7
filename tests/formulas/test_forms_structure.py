"""What is zero, constant, equal or dependent, against numbers with 60 digits at random states."""

from dataclasses import replace
from functools import cache

import flint
import pytest
from form_robots import FIXED_TREE, TREE, robot
from many_digits import BITS, Digits

import symgen
from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import Exact
from symgen.algebra.ring import Ring
from symgen.algebra.vanishing import Valuation
from symgen.formulas.function_structure import function_of, structures
from symgen.formulas.structure import CONSTANT, UNDECIDED, VARYING, ZERO, Structure
from symgen.robot.library import load
from symgen.robot.reader import read_text

QUANTITIES = (
    "inertia_matrix",
    "coriolis_matrix",
    "gravity_torque",
    "inverse_dynamics",
    "N",
    "U",
    "D",
    "kinetic_energy",
)

CASES = [(name, quantity) for name in ("planar2r", "scara+", TREE, FIXED_TREE) for quantity in QUANTITIES]
CASES += [("stanford", "inertia_matrix"), ("stanford", "D"), ("puma", "gravity_torque")]

TINY = 1e-40


class Brute:
    """The structure of a form, found by numbers."""

    def __init__(self, form):
        self.form, self.ring = form, form.subject.ring
        self.indices = list(form.indices())
        self.values = [self.at(seed) for seed in (1, 2)]
        self.size = max(1.0, *(abs(float(value)) for values in self.values for value in values.values()))

    def at(self, seed, moved=()):
        valuation = Valuation(self.ring, Digits(seed, moved))
        with flint.ctx.workprec(BITS):
            return {index: valuation(self.form.element(*index)) for index in self.indices}

    def is_tiny(self, value):
        return abs(float(value)) < TINY * self.size

    def zero(self, index):
        return all(self.is_tiny(values[index]) for values in self.values)

    @cache  # noqa: B019
    def moved(self, names):
        other = self.at(1, names)
        return {index: not self.is_tiny(other[index] - self.values[0][index]) for index in self.indices}

    def first_equal(self, index):
        for known in self.indices[: self.indices.index(index)]:
            if self.zero(known):
                continue
            if all(self.is_tiny(values[index] - values[known]) for values in self.values):
                return *(*known, 0, 0)[:2], 1
            if all(self.is_tiny(values[index] + values[known]) for values in self.values):
                return *(*known, 0, 0)[:2], -1
        return None


def check(form):
    brute, structure, n = Brute(form), form.structure, form.subject.mechanism.nv
    rates = tuple(f"{stem}{joint + 1}" for stem in ("qd", "qdd", "tau") for joint in range(n))
    for index in brute.indices:
        entry = structure[(*index, 0, 0)[:2]]
        assert (entry.kind == ZERO) == brute.zero(index), index
        if entry.kind == ZERO:
            continue
        joints = tuple(joint for joint in range(n) if brute.moved((f"q{joint + 1}",))[index])
        assert entry.joints == joints, index
        assert entry.rates == brute.moved(rates)[index], index
        assert entry.kind == (VARYING if joints or entry.rates else CONSTANT), index
        assert entry.equals == brute.first_equal(index), index


@pytest.mark.parametrize(("name", "quantity"), CASES)
def test_structure(name, quantity):
    check(getattr(symgen.closed_form(robot(name)), quantity))


@pytest.mark.parametrize("options", [{"inertia": "base"}, {"axes": "base"}, {"parameters": "numeric"}])
@pytest.mark.parametrize("quantity", ["inertia_matrix", "inverse_inertia_matrix", "N", "D", "gravity_torque"])
def test_structure_in_other_terms(quantity, options):
    check(getattr(symgen.closed_form("scara", **options), quantity))


@pytest.mark.parametrize("body", [0, 2])
def test_structure_of_bodies(body):
    for axes in ("link", "base"):
        forms = symgen.closed_form("scara", axes=axes)
        check(forms.articulated_mass_matrices[body])
        check(forms.composite_mass_matrices[body])
        check(forms.twist_propagations[body, 0])


FUNCTIONS = (
    "inertia_matrix",
    "coriolis_matrix",
    "gravity_torque",
    "inverse_dynamics",
    "kinetic_energy",
    "forward_kinematics",
    "jacobian",
)


@pytest.mark.parametrize("quantity", FUNCTIONS)
@pytest.mark.parametrize("name", ["planar2r", "scara+", TREE])
def test_the_structure_of_a_program_is_that_of_the_closed_form(name, quantity):
    found = getattr(symgen.closed_form(robot(name)), quantity)
    form = found() if callable(found) else found
    (result,) = structures(function_of(robot(name), quantity, "symbolic", None))
    assert result.structure.as_dict() == form.structure.as_dict()


def test_the_structure_of_large_robots_is_told_at_once():
    """Legs and arms of a humanoid share nothing in its inertia matrix; its base does with all of them."""
    function = function_of(load("g1"), "inertia_matrix", "numeric", None)
    (result,) = structures(function)
    structure, pattern = result.structure, result.structure.pattern
    held = pattern.unpack([1] * pattern.nnz)
    assert (held == held.T).all()
    assert not held[6:12, 12:].any()
    assert held[3:6, 3:].all()
    assert structure[6, 7].joints == (8, 9, 10, 11, 12)
    assert structure.cell(structure[6, 7]) == "9,10,11,12,13"
    assert structure.cell(replace(structure[6, 7], joints=(1, *range(3, 10), 12))) == "2,4-10,13"


# twists and lengths with hidden relations ------------------------------------------------------------------


def arm(*rows):
    head = 'name = "arm"\nconvention = "standard"\ngravity = [0, 0, -9.81]\ninertia_about = "com"\n'
    body = "mass = 1\ncom = [0.1, 0.2, 0.3]\ninertia = { xx = 1, yy = 2, zz = 1.5 }\n"
    return read_text(head + "".join(_row(row) + body * (row[0] != "fixed") for row in rows), "hidden relations")


def _row(row):
    joint, alpha, a, b = (*row, "0", "0")[:4]
    theta = "theta = 0\n" if joint == "fixed" else ""
    return f'[[links]]\njoint = "{joint}"\nalpha = "{alpha}"\na = "{a}"\nb = "{b}"\n{theta}'


def relations(near):
    """Arms in which something vanishes by a relation of constants, or nearly does."""
    slack = "+ 1/10**9" if near else ""
    return {
        "0.3, 0.3 and -0.6": arm(
            ("revolute", "0.3", "0.2"), ("fixed", "0.3"), ("fixed", f"-0.6 {slack}"), ("revolute", "0")
        ),
        "0.3, 0.6 and 0.9": arm(
            ("revolute", "0.3", "0.2"), ("fixed", "0.6"), ("fixed", f"-0.9 {slack}"), ("revolute", "0", "0.1")
        ),
        "five turns by pi/5": arm(
            ("revolute", "pi/5", "0.2"), *4 * [("fixed", "pi/5")], ("fixed", f"0 {slack}"), ("revolute", "0", "0.3")
        ),
        "cos(pi/5)": arm(("revolute", "pi/5", f"cos(pi/5) - cos(2*pi/5) - 1/2 {slack}"), ("revolute", "0.7", "0.3")),
        "sqrt(5)": arm(("revolute", "pi/3", f"4*cos(pi/5) - 1 - sqrt(5) {slack}", "0.1"), ("revolute", "0", "0.3")),
        "sqrt(6)": arm(("revolute", "pi/4", f"sqrt(2)*sqrt(3) - sqrt(6) {slack}"), ("revolute", "pi/12", "0.3")),
    }


HIDDEN = ("inertia_matrix", "coriolis_torque", "gravity_torque", "N", "U", "inverse_inertia_matrix")


@pytest.mark.parametrize("near", [False, True], ids=["exact", "near"])
@pytest.mark.parametrize("name", relations(False))
def test_hidden_relations(name, near):
    for options in ({}, {"parameters": "numeric"}):
        forms = symgen.closed_form(relations(near)[name], **options)
        for quantity in HIDDEN:
            check(getattr(forms, quantity))
        check(forms.forward_kinematics())


@pytest.mark.parametrize("name", relations(False))
def test_near_misses_are_not_zero(name):
    zeros = []
    for near in (False, True):
        forms = symgen.closed_form(relations(near)[name], parameters="numeric")
        zeros.append(
            sum(sum(map(sum, form.structure.zero)) for form in (forms.forward_kinematics(), *forms.transforms))
        )
    assert zeros[0] > zeros[1]


# text ------------------------------------------------------------------------------------------------------


def test_pictures():
    structure = symgen.closed_form("planar2r").inertia_matrix.structure
    assert structure.text() == "2        2\n= (1,2)  const"
    assert structure.zero == [[False, False], [False, False]]
    assert structure.constant == [[False, False], [False, True]]
    data = structure.as_dict()
    assert data["shape"] == [2, 2]
    assert data["entries"][1][0] == {
        "kind": "varying",
        "joints": [2],
        "rates": False,
        "equals": {"entry": [1, 2], "sign": 1},
    }
    assert "background" in structure._repr_html_()


def test_rates_and_negatives_in_pictures():
    forms = symgen.closed_form("planar2r")
    assert forms.coriolis_matrix.structure.text() == "2 rates  2 rates\n2 rates  0"
    assert forms.rotations[0].structure.text() == "1        1        0\n- (1,2)  = (1,1)  0\n0        0        const"
    assert "&minus;(1,2)" in forms.rotations[0].structure._repr_html_()


def test_what_is_not_decided_is_told():
    """cos(cos 2) - cos(2 cos² 1 - 1) is 0, but not by relations that are known."""
    one, two = Exact.of(1), Exact.of(2)
    unknown = cos_sin(cos_sin(two)[0])[0] - cos_sin(2 * cos_sin(one)[0] ** 2 - 1)[0]
    ring = Ring()
    structure = Structure([[ring.parameter("a2") * ring.constant(unknown)]])
    assert structure[0, 0].kind == UNDECIDED
    assert structure.text() == "?"
