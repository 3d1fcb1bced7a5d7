"""The block form of a robot with loops: that of its tree, and the constraints in base axes, solved densely.

With A q̇ = 0 and A q̈ + Ȧ q̇ = 0 the tree's rates are q̇ = G q̇_a and q̈ = G q̈_a + γ, and I = Gᵀ (Nᵀ M N) G, and so on. A
is made of the Jacobians A N of both ends of every cut joint, in base axes; it is solved by elimination in the field,
all constraints of the plan at once. So the equality holds at any q of the tree, closed or not.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, dot, is_zero, variables, vector, zeros
from symgen.algebra.duals import Dual
from symgen.mechanics.loops.slopes import moving
from symgen.mechanics.mechanism import CutOnBodies, FrameOnBody, Mechanism
from symgen.prove import cut_joints
from symgen.prove.block_form import BlockForm, Screw
from symgen.robot.loops import CutKind
from symgen.robot.model import BASE


class _Tree(BlockForm):
    """The block form of the tree at rates that are no inputs."""

    def __init__(self, mechanism: Mechanism, rates: Vector) -> None:
        super().__init__(mechanism)
        self.given = rates

    @cached_property
    def velocity(self) -> Vector:
        """q̇, nv."""
        return self.given


class LoopedForm(BlockForm):
    """The block form in the independent rates; vectors x and forces are ni."""

    def __init__(self, mechanism: Mechanism) -> None:
        super().__init__(mechanism)
        assert mechanism.plan is not None
        self.plan = mechanism.plan
        self.nv = mechanism.ni
        self._still = BlockForm(mechanism)

    @cached_property
    def tree(self) -> BlockForm:
        """The tree's block form, at the rates that the loops leave it."""
        return _Tree(self.mechanism, self.of_tree(self.velocity))

    @cached_property
    def velocity(self) -> Vector:
        """The independent q̇, ni."""
        return variables(self.domain, "qd", self.nv)

    # constraints -----------------------------------------------------------------------------------

    @cached_property
    def closure(self) -> tuple[Vector, Matrix]:
        """φ, m, and A of all constraints, with the rows of spins after these."""
        values, rows = [], []
        for index, cut in enumerate(self.mechanism.cuts):
            for value, row in self._constraints(cut, index in self.plan.reversed_cuts):
                values.append(value)
                rows.append(row)
        for tie in self.mechanism.ties:
            row, value = zeros(self.domain, self.mechanism.nv), -tie.offset
            for q, v, ratio in tie.terms:
                row[v], value = row[v] + ratio, value + ratio * self.domain.variable("q", q)
            values.append(value)
            rows.append(row)
        rows += [self._spun(spin) for spin in self.mechanism.spins]
        matrix = zeros(self.domain, len(rows), self.mechanism.nv)
        for number, row in enumerate(rows):
            matrix[number] = row
        return vector(values), matrix

    def _ends(
        self, cut: CutOnBodies, *, reverse: bool
    ) -> tuple[tuple[FrameOnBody, FrameOnBody], list[tuple[int, int]]]:
        if reverse:
            return (cut.successor, cut.predecessor), [(far, own) for own, far in cut.kind.angles]
        return (cut.predecessor, cut.successor), list(cut.kind.angles)

    def _constraints(self, cut: CutOnBodies, reverse: bool) -> Iterator[tuple[Scalar, Vector]]:
        (one, other), pairs = self._ends(cut, reverse=reverse)
        first, second = (self._still.frame_pose(frame) for frame in (one, other))
        J, K = (self._still.jacobian(frame) for frame in (one, other))
        way = second.origin - first.origin
        if cut.kind is CutKind.ROD:
            value = (dot(way, way) - cut.length * cut.length) / self.domain.constant(2)
            yield value, vector(dot(way, column) for column in (K[3:] - J[3:]).T)
            return
        for axis in cut.kind.shifts:
            along = first.rotation[:, axis]
            if cut.kind.holds_points:
                branches = [self._still.jacobian(frame, self._beyond(one, other)) for frame in (one, other)]
                seen = [k[3:] - j[3:] for j, k in zip(*(matrix.T for matrix in branches), strict=True)]
            else:
                seen = [k[3:] - j[3:] - cross(j[:3], way) for j, k in zip(J.T, K.T, strict=True)]
            yield dot(along, way), vector(dot(along, column) for column in seen)
        for own, far in pairs:
            a, b = first.rotation[:, own], second.rotation[:, far]
            yield dot(a, b), vector(dot(cross(a, b), column) for column in (J[:3] - K[:3]).T)

    @cached_property
    def _rest(self) -> Vector:
        """Ȧ q̇, m."""
        rest = [
            value
            for index, cut in enumerate(self.mechanism.cuts)
            for value in self._rests(cut, index in self.plan.reversed_cuts)
        ]
        spins = [
            dot(self._line(spin), self.tree.jacobian_rate(spin).dot(self.tree.velocity)[:3])
            for spin in self.mechanism.spins
        ]
        return vector([*rest, *(self.domain.constant(0) for _ in self.mechanism.ties), *spins])

    def _line(self, spin: FrameOnBody) -> Vector:
        """From the origin of a body to a frame on it, in base axes."""
        axes = self.bodies[spin.body].rotation.matrix(self.domain)
        return vector(dot(row, spin.position) for row in axes)

    def _spun(self, spin: FrameOnBody) -> Vector:
        line = self._line(spin)
        return vector(dot(line, column[:3]) for column in self._still.jacobian(spin).T)

    def _rests(self, cut: CutOnBodies, reverse: bool) -> Iterator[Scalar]:
        (one, other), pairs = self._ends(cut, reverse=reverse)
        tree, speed = self.tree, self.tree.velocity
        first, second = (tree.frame_pose(frame) for frame in (one, other))
        t, u = (tree.jacobian(frame).dot(speed) for frame in (one, other))
        s, r = (tree.jacobian_rate(frame).dot(speed) for frame in (one, other))
        way, gain = second.origin - first.origin, u[3:] - t[3:]
        if cut.kind is CutKind.ROD:
            yield dot(gain, gain) + dot(way, r[3:] - s[3:])
            return
        seen = gain - cross(t[:3], way)
        change = r[3:] - s[3:] - cross(s[:3], way) - cross(t[:3], cross(t[:3], way)) - cross(t[:3], seen) * 2
        if cut.kind.holds_points:
            change = self._between_points(one, other)
        for axis in cut.kind.shifts:
            yield dot(first.rotation[:, axis], change)
        for own, far in pairs:
            a, b = first.rotation[:, own], second.rotation[:, far]
            moved = cross(cross(t[:3], a), b) + cross(a, cross(u[:3], b))
            yield dot(s[:3] - r[:3], cross(a, b)) + dot(t[:3] - u[:3], moved)

    def _beyond(self, one: FrameOnBody, other: FrameOnBody) -> set[int]:
        """The bodies that carry one frame and not the other."""
        return set(self._still.path(one.body)) ^ set(self._still.path(other.body))

    def _between_points(self, one: FrameOnBody, other: FrameOnBody) -> Vector:
        """How the way between points that are one accelerates at q̈ = 0, seen from where their branches part."""
        beyond = {index for i in self._beyond(one, other) for index in self.mechanism.bodies[i].velocities}
        rates = zeros(self.domain, self.mechanism.nv)
        rates[list(beyond)] = self.tree.velocity[list(beyond)]
        form = _Tree(self.mechanism, rates)
        s, r = (form.jacobian_rate(frame).dot(rates) for frame in (one, other))
        result: Vector = r[3:] - s[3:]
        return result

    # reduction -------------------------------------------------------------------------------------

    def _solved(self, x: Vector, rest: Vector | None) -> Vector:
        """The tree's vector, nv, with these independent entries and A times it + rest = 0."""
        rows = [row for block in self.plan.blocks for row in block.rows]
        columns = list(self.plan.dependent)
        A, result = self.closure[1], zeros(self.domain, self.mechanism.nv)
        result[list(self.plan.independent)] = x
        right = [-dot(A[row], result) - (0 if rest is None else rest[row]) for row in rows]
        result[columns] = _eliminated(self.domain, A[rows][:, columns], right)
        return result

    @cached_property
    def gamma(self) -> Vector:
        """γ, nv."""
        return self._solved(zeros(self.domain, self.nv), self._rest)

    def closing(self, residual: Vector) -> Vector:
        """δ, nv, with A δ = −φ and no part along independent rates."""
        rest = zeros(self.domain, len(self.closure[1]))
        rest[: len(residual)] = residual
        return self._solved(zeros(self.domain, self.nv), rest)

    def of_tree(self, x: Vector) -> Vector:
        """G x, nv."""
        return self._solved(x, None)

    # actuators -------------------------------------------------------------------------------------

    def of_actuators(self, x: Vector) -> Vector:
        """G_m x, na."""
        result: Vector = self.of_tree(x)[list(self.mechanism.actuated)]
        return result

    @cached_property
    def _actuators(self) -> Matrix:
        """G_m, na×ni."""
        result = zeros(self.domain, len(self.mechanism.actuated), self.nv)
        for j in range(self.nv):
            unit = zeros(self.domain, self.nv)
            unit[j] = self.domain.constant(1)
            result[:, j] = self.of_actuators(unit)
        return result

    def by_actuators(self, forces: Vector) -> Vector:
        """G_mᵀ τ_m, ni."""
        result: Vector = self._actuators.T.dot(forces)
        return result

    def actuator_solution(self, forces: Vector) -> Vector:
        """y, ni, with G_mᵀ G_m y = forces."""
        return _eliminated(self.domain, self._actuators.T.dot(self._actuators), list(forces))

    # cut joints ------------------------------------------------------------------------------------

    @property
    def cut_positions(self) -> Vector:
        """The coordinates of cut joints."""
        return cut_joints.positions(self._still)

    @property
    def cut_velocities(self) -> Vector:
        """Their rates."""
        return cut_joints.velocities(self.tree)

    # forces ----------------------------------------------------------------------------------------

    def multipliers(self, forces: Vector) -> Vector:
        """λ, m, with A_dᵀ λ the forces of dependent joints; 0 for constraints that are not in the plan."""
        rows = [row for block in self.plan.blocks for row in block.rows]
        columns, A = list(self.plan.dependent), self.closure[1]
        result = zeros(self.domain, len(A))
        result[rows] = _eliminated(self.domain, A[rows][:, columns].T, list(forces[columns]))
        return result

    def rate_of_tree(self, x: Vector) -> Vector:
        """Ġ x, nv: how G x changes along the motion, by dual numbers."""
        moved = LoopedForm(moving(self.mechanism, self.tree.velocity))
        fixed = vector(Dual(entry, entry * 0) for entry in x)
        return vector(entry.slope for entry in moved.of_tree(fixed))

    def projected(self, forces: Vector) -> Vector:
        """Gᵀ τ, ni."""
        A, own = self.closure[1], list(self.plan.independent)
        result: Vector = forces[own] - A[:, own].T.dot(self.multipliers(forces))
        return result

    # equations of motion -----------------------------------------------------------------------------

    def inertia_times(self, x: Vector) -> Vector:
        """I x = Gᵀ Nᵀ M N G x, ni."""
        return self.projected(self.tree.inertia_times(self.of_tree(x)))

    @cached_property
    def convective_forces(self) -> Vector:
        """Gᵀ (C q̇ + I γ), ni."""
        return self.projected(self.tree.convective_forces + self.tree.inertia_times(self.gamma))

    def convected(self, x: Vector) -> Vector:
        """Gᵀ (C G + I Ġ) x, ni, with C by Christoffel's symbols."""
        return self.projected(self.tree.convected(self.of_tree(x)) + self.tree.inertia_times(self.rate_of_tree(x)))

    @cached_property
    def gravity_forces(self) -> Vector:
        """Gᵀ times those of the tree, ni."""
        return self.projected(self.tree.gravity_forces)

    @cached_property
    def bias(self) -> Vector:
        """Gᵀ (C q̇ + I γ + gravity + friction + springs − loads), ni."""
        return self.projected(self.tree.bias + self.tree.inertia_times(self.gamma))

    def momenta(self, x: Vector) -> dict[int, Screw]:
        """M N G x: the momenta of the bodies."""
        return self.tree.momenta(self.of_tree(x))

    def link_forces(self, x: Vector) -> Vector:
        """Gᵀ times those of the tree, ni."""
        return self.projected(self.tree.link_forces(self.of_tree(x) + self.gamma))

    def reference_forces(self, v: Vector, a: Vector) -> Vector:
        """Gᵀ times those of the tree at G v and G a + Ġ v, ni."""
        return self.projected(self.tree.reference_forces(self.of_tree(v), self.of_tree(a) + self.rate_of_tree(v)))

    def tree_forces(self, x: Vector) -> Vector:
        """What accelerations x, ni, ask of all joints of the tree, nv."""
        return self.tree.inertia_times(self.of_tree(x) + self.gamma) + self.tree.bias

    # reactions ---------------------------------------------------------------------------------------

    def carried_needs(self, x: Vector) -> list[Screw]:
        """What the bodies that each joint carries need of it, beside what the cut joints do to them."""
        needs = self.tree.carried_needs(self.of_tree(x) + self.gamma)
        done = self.tree.carried(self._closing(x))
        return [(n - moment, f - force) for (n, f), (moment, force) in zip(needs, done, strict=True)]

    def cut_wrenches(self, x: Vector) -> list[Vector]:
        """[n; f] of the predecessor on the successor of each cut joint, about the predecessor's origin, in its axes."""
        result = []
        for cut, (moment, force) in zip(self.mechanism.cuts, self._on_predecessors(x), strict=True):
            frame = cut.predecessor
            axes = self._still.frame_pose(replace(frame, rotation=frame.rotation.then(cut.axes))).rotation
            result.append(vector([-dot(axis, part) for part in (moment, force) for axis in axes.T]))
        return result

    def _on_predecessors(self, x: Vector) -> Iterator[Screw]:
        for cut, reaction in zip(self.mechanism.cuts, self._reactions(x), strict=True):
            yield next(screw for frame, screw in reaction if frame is cut.predecessor)

    def _reactions(self, x: Vector) -> Iterator[list[tuple[FrameOnBody, Screw]]]:
        """What every cut joint does to its two ends, about their origins, in base axes."""
        left = list(self.multipliers(self.tree_forces(x)))
        for index, cut in enumerate(self.mechanism.cuts):
            own, left = left[: cut.kind.size], left[cut.kind.size :]
            yield self._reaction(cut, own, reverse=index in self.plan.reversed_cuts)

    def _reaction(self, cut: CutOnBodies, own: Sequence[Scalar], *, reverse: bool) -> list[tuple[FrameOnBody, Screw]]:
        (one, other), pairs = self._ends(cut, reverse=reverse)
        first, second = (self._still.frame_pose(frame) for frame in (one, other))
        way = second.origin - first.origin
        lines = [way] if cut.kind is CutKind.ROD else [first.rotation[:, axis] for axis in cut.kind.shifts]
        force, moment = zeros(self.domain, 3), zeros(self.domain, 3)
        for line, multiplier in zip(lines, own, strict=False):
            force = force + line * multiplier
        for (mine, far), multiplier in zip(pairs, own[len(lines) :], strict=True):
            moment = moment + cross(second.rotation[:, far], first.rotation[:, mine]) * multiplier
        left = [first.rotation[:, axis] for axis in range(3) if axis not in cut.kind.shifts]
        arm = sum((axis * dot(axis, way) for axis in left), zeros(self.domain, 3))
        back = moment + cross(arm, force)
        return [(one, (-back, -force)), (other, (moment, force))]

    def _closing(self, x: Vector) -> dict[int, Screw]:
        """The wrenches on bodies, about their O_i, that close the loops."""
        result: dict[int, Screw] = {}

        def add(body: int, moment: Vector, force: Vector) -> None:
            known = result.get(body, (zeros(self.domain, 3), zeros(self.domain, 3)))
            result[body] = known[0] + moment, known[1] + force

        for frame, (moment, force) in (pair for reaction in self._reactions(x) for pair in reaction):
            if frame.body != BASE:
                arm = self._still.frame_pose(frame).origin - self.bodies[frame.body].point
                add(frame.body, moment + cross(arm, force), force)
        spins = self.mechanism.spins
        multipliers = self.multipliers(self.tree_forces(x))
        for spin, multiplier in zip(spins, multipliers[len(multipliers) - len(spins) :], strict=True):
            add(spin.body, self._line(spin) * multiplier, zeros(self.domain, 3))
        return result

    # frames --------------------------------------------------------------------------------------------

    def jacobian(self, frame: FrameOnBody, moving: Container[int] | None = None) -> Matrix:
        """A N G, 6×ni."""
        tree = self._still.jacobian(frame, moving)
        result = zeros(self.domain, 6, self.nv)
        for j in range(self.nv):
            unit = zeros(self.domain, self.nv)
            unit[j] = self.domain.constant(1)
            result[:, j] = tree.dot(self.of_tree(unit))
        return result

    def jacobian_rate_times(self, jacobian: Matrix, rate: Matrix, x: Vector) -> Vector:
        """(J̇ G + J Ġ) x."""
        result: Vector = rate.dot(self.of_tree(x)) + jacobian.dot(self.rate_of_tree(x))
        return result

    def drift(self, jacobian: Matrix, rate: Matrix) -> Vector:
        """J̇ q̇ + J γ, 6, of a Jacobian of the tree."""
        result: Vector = rate.dot(self.tree.velocity) + jacobian.dot(self.gamma)
        return result


def at_rates(mechanism: Mechanism, rates: Vector) -> BlockForm:
    """The block form of the tree at these rates, nv, in the place of the inputs."""
    return _Tree(mechanism, rates)


def form_of(mechanism: Mechanism) -> BlockForm:
    """The block form of a mechanism."""
    return BlockForm(mechanism) if mechanism.plan is None else LoopedForm(mechanism)


def _eliminated(domain: Domain, matrix: Matrix, right: Sequence[Scalar]) -> Vector:
    """x, n, with `matrix` x = `right`, by Gauss and Jordan's elimination; `ZeroDivisionError` if it is singular."""
    a, x = matrix.copy(), vector(right)
    for k in range(len(a)):
        pivot = next((i for i in range(k, len(a)) if not is_zero(a[i, k])), None)
        if pivot is None:
            raise ZeroDivisionError("the constraints do not determine the dependent rates")
        a[[k, pivot]], x[[k, pivot]] = a[[pivot, k]], x[[pivot, k]]
        factor = domain.constant(1) / a[k, k]
        a[k], x[k] = a[k] * factor, x[k] * factor
        for i in range(len(a)):
            if i != k and not is_zero(a[i, k]):
                share = a[i, k]
                a[i], x[i] = a[i] - a[k] * share, x[i] - x[k] * share
    return x


def determinant(domain: Domain, matrix: Matrix) -> Scalar:
    """The determinant, by Gauss's elimination."""
    a, result = matrix.copy(), domain.constant(1)
    for k in range(len(a)):
        pivot = next((i for i in range(k, len(a)) if not is_zero(a[i, k])), None)
        if pivot is None:
            return domain.constant(0)
        if pivot != k:
            a[[k, pivot]], result = a[[pivot, k]], -result
        result = result * a[k, k]
        for i in range(k + 1, len(a)):
            if not is_zero(a[i, k]):
                a[i] = a[i] - a[k] * (a[i, k] / a[k, k])
    return result
