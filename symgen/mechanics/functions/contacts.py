"""Functions of contact sets, one for each: motion and forces while they are closed, and the impulse when they close.

With J the rows of the set in the independent rates and b their rate of change at q̈ = 0,

    I q̈ + h = τ + Jᵀ λ        J q̈ + b = 0        so that        (J I⁻¹ Jᵀ) λ = −(J I⁻¹ (τ − h) + b).

With I = U D Uᵀ the matrix on the left is Yᵀ D⁻¹ Y, Y = U⁻¹ Jᵀ, which keeps the zeros of legs that are none of a
contact's; it is factorized alike. Rows that vanish at every q, since nothing of the robot moves there, are left out of
it, and carry nothing. Where a posture makes rows depend on each other, as a stretched leg may, a pivot vanishes, and
what depends on it is no number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from symgen.algebra.domain import Matrix, Scalar, Vector, dot, vector, zeros
from symgen.mechanics.factorization import Factors, factorize, first_half, second_half, solve
from symgen.mechanics.functions.forces import driving_forces
from symgen.mechanics.functions.quantity import NV, QD, TAU, Dependent, Output, Q, Quantity, Scope, by
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import ACCELERATION, JACOBIAN, VELOCITY
from symgen.mechanics.loops.contacts import Kept, Moving, Rows, rows_of
from symgen.mechanics.mechanism import Mechanism
from symgen.robot.loops import CutKind
from symgen.robot.model import CutJoint

_NONE = Kept((), ())


class _Contacts:
    """The rows of a contact set at the inputs."""

    def __init__(self, mechanism: Mechanism, name: str, kept: Kept = _NONE) -> None:
        self.domain, self.mechanism = mechanism.domain, mechanism
        self.kept, self._least = kept.rows, kept.least
        self.state = State(mechanism)
        self._cuts = mechanism.contacts[name]

    @cached_property
    def _still(self) -> list[Rows]:
        return [rows_of(self.mechanism, cut, None) for cut in self._cuts]

    @cached_property
    def jacobian(self) -> Matrix:
        """J, m×ni, in the axes that rows are in."""
        rows = zeros(self.domain, sum(len(each.jacobian) for each in self._still), self.mechanism.nv)
        first = 0
        for each in self._still:
            rows[first : first + len(each.jacobian)] = each.jacobian
            first += len(each.jacobian)
        return self.state.reduction.columns(rows)

    def bias(self, gravity: Vector) -> list[Scalar]:
        """b, m, from motions under this gravity, in which it cancels."""
        at = Moving(self.mechanism, self.state.velocity, self.state.coasting, gravity)
        return [value for cut in self._cuts for value in rows_of(self.mechanism, cut, at).bias]

    def in_predecessors(self, values: Sequence[Scalar]) -> Vector:
        """Entries for each row, m, in the axes of the predecessors."""
        result: list[Scalar] = []
        for each in self._still:
            result += each.in_predecessor(values[len(result) : len(result) + len(each.jacobian)])
        return vector(result)

    def whole(self, values: Sequence[Scalar]) -> list[Scalar]:
        """Entries for each row, m, of those for the kept ones: others are 0."""
        result = list(zeros(self.domain, len(self.jacobian)))
        for row, value in zip(self.kept, values, strict=True):
            result[row] = value
        return result

    @cached_property
    def _inertia(self) -> Factors:
        return factorize(self.domain, self.state.inertia_matrix)

    @cached_property
    def _columns(self) -> list[list[Scalar]]:
        """Y, column by column."""
        return [first_half(self._inertia, list(self.jacobian[row])) for row in self.kept]

    @cached_property
    def _delassus(self) -> Factors:
        """The factors of Yᵀ D⁻¹ Y."""
        scaled = [
            [value * factor for value, factor in zip(column, self._inertia.reciprocals, strict=True)]
            for column in self._columns
        ]
        matrix = zeros(self.domain, len(scaled), len(scaled))
        for i, left in enumerate(scaled):
            for j, right in enumerate(self._columns[: i + 1]):
                matrix[i, j] = matrix[j, i] = dot(left, right)
        return factorize(self.domain, matrix, label="c", least=self._least)

    def answer(self, forces: Sequence[Scalar], asked: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        """(x, ni, and λ of the kept rows) with I x = forces + Jᵀ λ and J x = −asked."""
        reduced = first_half(self._inertia, forces)
        scaled = [value * factor for value, factor in zip(reduced, self._inertia.reciprocals, strict=True)]
        right = [-(dot(column, scaled) + asked[row]) for row, column in zip(self.kept, self._columns, strict=True)]
        found = zip(self.kept, solve(self._delassus, right), strict=True)
        multipliers = [self.domain.define(f"lambda{row + 1}", value) for row, value in found]
        total = [
            value + dot([column[index] for column in self._columns], multipliers) if self.kept else value
            for index, value in enumerate(reduced)
        ]
        return second_half(self._inertia, total), multipliers


# the functions -----------------------------------------------------------------------------------------


def _contact_dynamics(scope: Scope) -> Quantity:
    def derive(mechanism: Mechanism) -> list[Any]:
        contacts = _Contacts(mechanism, scope.contacts, scope.contact_rows(scope.contacts))
        x, found = contacts.answer(driving_forces(mechanism), contacts.bias(mechanism.gravity))
        x = [mechanism.domain.define(f"qdd{index + 1}", value) for index, value in enumerate(x)]
        return [vector(x), contacts.in_predecessors(contacts.whole(found))]

    return Quantity(
        "contact_dynamics",
        "Joint accelerations under the joint forces tau at the state (q, qd), gravity included, and contact forces, "
        f"while {_closed(scope, 'is', 'are')} closed: contacts that rest, J qd = 0, with J that of contact_jacobian.",
        (Q, QD, TAU),
        (
            Output("qdd", (NV,), "joint accelerations", ACCELERATION),
            _by_rows(scope, "lambda_", _of_rows(scope, _ACTION, _FORCES), ("N", "N m", "N/m")),
        ),
        by("udu", _FACTORS, derive),
        gravity=True,
        loads=True,
        large=True,
        looped=True,
    )


def _contact_impulse(scope: Scope) -> Quantity:
    def derive(mechanism: Mechanism) -> list[Any]:
        contacts = _Contacts(mechanism, scope.contacts, scope.contact_rows(scope.contacts))
        rates = contacts.state.given("qd")
        speeds = [dot(row, rates) for row in contacts.jacobian]
        change, found = contacts.answer(list(zeros(mechanism.domain, len(rates))), speeds)
        after = [rate + more for rate, more in zip(rates, change, strict=True)]
        return [vector(after), contacts.in_predecessors(contacts.whole(found))]

    what = f"impulses of {_ACTION}"
    return Quantity(
        "contact_impulse",
        f"Joint velocities after {_closed(scope, 'closes', 'close at once')} at the state (q, qd), without rebound, "
        "and the impulses that the contacts exert then; joint forces and gravity do nothing in no time. Both are "
        "linear: with a coefficient of restitution e take 1 + e times the impulses, and 1 + e times qd_after - qd.",
        (Q, QD),
        (
            Output("qd_after", (NV,), "joint velocities after the impact", VELOCITY),
            _by_rows(scope, "impulses", _of_rows(scope, what, _FORCES), ("N s", "N m s", "N s/m")),
        ),
        by("udu", _FACTORS, derive),
        large=True,
        looped=True,
    )


def _contact_jacobian(scope: Scope) -> Quantity:
    def derive(mechanism: Mechanism) -> list[Any]:
        contacts = _Contacts(mechanism, scope.contacts)
        result = contacts.jacobian.copy()
        for j in range(result.shape[1]):
            result[:, j] = contacts.in_predecessors(list(contacts.jacobian[:, j]))
        return [result]

    output = Output("J", (_size(scope), NV), _of_rows(scope, _MOTION, _RATES), JACOBIAN, "", (*_ROWS, "joint"))
    return Quantity(
        "contact_jacobian",
        f"Jacobian J of the contacts {_list(scope)}: J qd are velocities of the successors as their predecessors see "
        "them, and J^T lambda the joint forces of contact forces.",
        (Q,),
        (output,),
        by("arms", "chains from one end of each contact to the other", derive),
        inertial=False,
        looped=True,
    )


def _contact_bias(scope: Scope) -> Quantity:
    def derive(mechanism: Mechanism) -> list[Any]:
        contacts = _Contacts(mechanism, scope.contacts)
        return [contacts.in_predecessors(contacts.bias(zeros(mechanism.domain, 3)))]

    return Quantity(
        "contact_bias",
        f"Accelerations b of the contacts {_list(scope)} at qdd = 0: they keep closed while J qdd + b = 0.",
        (Q, QD),
        (_by_rows(scope, "b", _of_rows(scope, f"rates of {_MOTION}", _RATES), ("m/s^2", "rad/s^2", "m^2/s^2")),),
        by("newton_euler", "forward recursion in link frames", derive),
        inertial=False,
        looped=True,
    )


_ROWS = ("contact",)
_FACTORS = "U D U^T factors of the inertia matrix and of J I^-1 J^T"
_ACTION = "forces f and moments n by the predecessors on the successors"
_MOTION = "velocities v and angular velocities w of the successors"
_FORCES, _RATES = ("f", "n"), ("v", "w")
"""What components along axes and about them are called."""


def _cuts(scope: Scope) -> Sequence[CutJoint]:
    return scope.contact_sets[scope.contacts]


def _size(scope: Scope) -> int:
    return sum(cut.kind.size for cut in _cuts(scope))


def _list(scope: Scope) -> str:
    return ", ".join(cut.name for cut in _cuts(scope))


def _closed(scope: Scope, one: str, several: str) -> str:
    return f"{_list(scope)} {one if len(_cuts(scope)) == 1 else several}"


def _of_rows(scope: Scope, what: str, letters: tuple[str, str]) -> str:
    """What the entries are, contact by contact."""
    parts = (f"{cut.name} {_components(cut.kind, *letters)}" for cut in _cuts(scope))
    return f"{what}, in the predecessors' axes: {', '.join(parts)}"


def _by_rows(scope: Scope, name: str, meaning: str, units: tuple[str, str, str]) -> Output:
    """An array with an entry for every row; `units` along axes, about them and of rods."""
    return Output(name, (_size(scope),), meaning, _unit(scope, units), dimensions=_ROWS)


def _unit(scope: Scope, units: tuple[str, str, str]) -> str:
    """The units that there are."""
    along, about, rod = units
    kinds = [cut.kind for cut in _cuts(scope)]
    found = {
        along: any(kind.shifts for kind in kinds),
        about: any(kind.angles for kind in kinds),
        rod: CutKind.ROD in kinds,
    }
    return " or ".join(unit for unit, there in found.items() if there)


def _components(kind: CutKind, along: str, about: str) -> str:
    if kind is CutKind.ROD:
        return f"({along} by the length)"
    found = [f"{along}{'xyz'[axis]}" for axis in kind.shifts] + [f"{about}{'xyz'[axis]}" for axis in kind.turns]
    return " ".join([*found, *([f"({about} across both axes)"] if kind is CutKind.UNIVERSAL else [])])


CONTACT_DYNAMICS = Dependent("contact_dynamics", _contact_dynamics, each_contact=True)
CONTACT_IMPULSE = Dependent("contact_impulse", _contact_impulse, each_contact=True)
CONTACT_JACOBIAN = Dependent("contact_jacobian", _contact_jacobian, each_contact=True)
CONTACT_BIAS = Dependent("contact_bias", _contact_bias, each_contact=True)
