"""What each function of a contact set is, as a block form: the Jacobians A N of both ends of its cut joints, base axes.

Forces and motion are held against both equations that they solve, so that no matrix is made or eliminated.
"""

from __future__ import annotations

from collections.abc import Iterator

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, dot, is_zero, vector, zeros
from symgen.mechanics.mechanism import CutOnBodies, FrameOnBody
from symgen.prove.block_form import BlockForm
from symgen.prove.claim import Claim, Form, equal
from symgen.prove.looped_form import at_rates
from symgen.robot.loops import CutKind


class Contacts:
    """The rows of a contact set, m×nv of the tree, and their rates of change at q̈ = 0 of the tree."""

    def __init__(self, form: BlockForm, name: str) -> None:
        self.form, self.tree, self.domain = form, form.tree, form.domain
        self._cuts = form.mechanism.contacts[name]

    @property
    def rows(self) -> Matrix:
        """A, m×nv."""
        rows = [row for cut in self._cuts for row, _ in self._of(cut, with_rates=False)]
        matrix = zeros(self.domain, len(rows), self.form.mechanism.nv)
        for number, row in enumerate(rows):
            matrix[number] = row
        return matrix

    @property
    def bias(self) -> Vector:
        """Ȧ q̇ + A γ, m."""
        rests = [rest for cut in self._cuts for _, rest in self._of(cut, with_rates=True)]
        result: Vector = vector(rests) + self.rows.dot(self.form.gamma)
        return result

    def speeds(self, x: Vector) -> Vector:
        """A G x, m."""
        result: Vector = self.rows.dot(self.form.of_tree(x))
        return result

    def forces(self, multipliers: Vector) -> Vector:
        """Gᵀ Aᵀ λ, ni."""
        return self.form.projected(self.rows.T.dot(multipliers))

    def are_held(self, multipliers: Vector) -> bool:
        """Whether rows that vanish carry nothing."""
        pairs = zip(self.rows, multipliers, strict=True)
        return all(is_zero(value) for row, value in pairs if all(map(is_zero, row)))

    # rows ------------------------------------------------------------------------------------------------

    def _of(self, cut: CutOnBodies, *, with_rates: bool) -> Iterator[tuple[Vector, Scalar]]:
        """(row, its rate of change times q̇) of each constraint; the latter is 0 where it is not asked for."""
        one, other = cut.predecessor, cut.successor
        tree, nothing = self.tree, self.domain.constant(0)
        first, second = (tree.frame_pose(frame) for frame in (one, other))
        J, K = (tree.jacobian(frame) for frame in (one, other))
        way, still = second.origin - first.origin, zeros(self.domain, 6)
        t, u, s, r = still, still, still, still
        if with_rates:
            t, u = (matrix.dot(tree.velocity) for matrix in (J, K))
            s, r = (tree.jacobian_rate(frame).dot(tree.velocity) for frame in (one, other))
        gain = u[3:] - t[3:]
        if cut.kind is CutKind.ROD:
            row = vector(dot(way, column) for column in (K[3:] - J[3:]).T)
            yield row, dot(gain, gain) + dot(way, r[3:] - s[3:])
            return
        seen = gain - cross(t[:3], way)
        change = r[3:] - s[3:] - cross(s[:3], way) - cross(t[:3], cross(t[:3], way)) - cross(t[:3], seen) * 2
        columns = [k[3:] - j[3:] - cross(j[:3], way) for j, k in zip(J.T, K.T, strict=True)]
        if cut.kind.holds_points:
            beyond = set(tree.path(one.body)) ^ set(tree.path(other.body))
            branches = [tree.jacobian(frame, beyond) for frame in (one, other)]
            columns = [k[3:] - j[3:] for j, k in zip(*(matrix.T for matrix in branches), strict=True)]
            change = self._beyond(one, other, beyond) if with_rates else still[:3]
        for axis in cut.kind.shifts:
            along = first.rotation[:, axis]
            yield vector(dot(along, column) for column in columns), dot(along, change)
        turning = r[:3] - s[:3] - cross(t[:3], u[:3])
        for axis in cut.kind.turns:
            about = first.rotation[:, axis]
            yield vector(dot(about, column) for column in (K[:3] - J[:3]).T), dot(about, turning)
        if cut.kind is CutKind.UNIVERSAL:
            ((own, far),) = cut.kind.angles
            a, b = first.rotation[:, own], second.rotation[:, far]
            moved = cross(cross(t[:3], a), b) + cross(a, cross(u[:3], b))
            rest = dot(s[:3] - r[:3], cross(a, b)) + dot(t[:3] - u[:3], moved) if with_rates else nothing
            yield vector(dot(cross(a, b), column) for column in (J[:3] - K[:3]).T), rest

    def _beyond(self, one: FrameOnBody, other: FrameOnBody, bodies: set[int]) -> Vector:
        """How the points part at q̈ = 0, seen from where their branches do; from the base that is simply how."""
        mechanism = self.form.mechanism
        rates = zeros(self.domain, mechanism.nv)
        for index in {index for body in bodies for index in mechanism.bodies[body].velocities}:
            rates[index] = self.tree.velocity[index]
        tree = at_rates(mechanism, rates)
        s, r = (tree.jacobian_rate(frame).dot(rates) for frame in (one, other))
        result: Vector = r[3:] - s[3:]
        return result


# claims ----------------------------------------------------------------------------------------------------


def _contacts(claim: Claim) -> Contacts:
    return Contacts(claim.form, claim.contacts)


def _contact_dynamics(claim: Claim) -> bool:
    contacts, (qdd, multipliers) = _contacts(claim), claim.outputs
    pushed = claim.form.inertia_times(qdd) + claim.form.bias
    return (
        equal(pushed, claim.variables("tau") + contacts.forces(multipliers))
        and all(map(is_zero, contacts.speeds(qdd) + contacts.bias))
        and contacts.are_held(multipliers)
    )


def _contact_impulse(claim: Claim) -> bool:
    contacts, (after, impulses) = _contacts(claim), claim.outputs
    change = claim.form.inertia_times(after - claim.form.velocity)
    return (
        equal(change, contacts.forces(impulses))
        and all(map(is_zero, contacts.speeds(after)))
        and contacts.are_held(impulses)
    )


def _contact_jacobian(claim: Claim) -> bool:
    x = claim.point.direction("x")
    return equal(claim.matrix(0).dot(x), _contacts(claim).speeds(x))


def _contact_bias(claim: Claim) -> bool:
    return claim.equals(_contacts(claim).bias)


FORMS = (
    Form(
        "contact_dynamics",
        "the solution of N^T M N qdd = tau + J^T lambda - C qd - gravity (- friction - springs + loads), J qdd + b = 0",
        _contact_dynamics,
    ),
    Form("contact_impulse", "the solution of N^T M N (qd_after - qd) = J^T impulses, J qd_after = 0", _contact_impulse),
    Form("contact_jacobian", "J, from A N of both ends of each contact, in the predecessor's axes", _contact_jacobian),
    Form("contact_bias", "b, the rate of J qd at qdd = 0 where J qd = 0", _contact_bias),
)
