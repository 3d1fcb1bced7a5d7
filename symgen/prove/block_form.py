"""The DeNOC block form of a mechanism's dynamics, applied to vectors body by body in the base frame.

The equations of motion are products of 6×6 blocks, about the origins O_i and in base axes (Saha, eqs. (9) to (17)):

    I = Nᵀ M N        h = Nᵀ (M Ṅ + W M E N) q̇        gravity = −Nᵀ M [0; g]        N = N_l N_d

N_l has the blocks A_ij, zero unless body j carries body i; N_d has the joint columns p_j on its diagonal; M, W and E
have a block for each body. No matrix of all bodies is made: the products are taken from right to left with a vector,
and what is zero is left out. So N x is, for body i, the sum of A_ij p_j x_j over the bodies j that carry it; Nᵀ w is,
for joint j, the sum of p_jᵀ A_ijᵀ w_i over the bodies i that it carries; M, W and E act on each body by itself. These
are the numbers of the dense products, since multiplication is associative, in O(n · depth) operations. Every body sees
every joint that carries it directly: no twist, acceleration or force is handed from a body to the next, as recursions
do, and none is in link axes.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property

from symgen.algebra.domain import Matrix, Scalar, Vector, cross, dot, variables, vector, zeros
from symgen.mechanics.base_frame import BaseFrameBody, in_base_frame
from symgen.mechanics.kinematics import Pose
from symgen.mechanics.mechanism import FrameOnBody, Mechanism
from symgen.mechanics.reference_points import ORIGIN
from symgen.prove import cut_joints
from symgen.robot.model import BASE

Screw = tuple[Vector, Vector]
"""A twist (ω, v), or a wrench (n, f), about a body's O_i, in base axes."""


class BlockForm:
    """The block form at the domain's q and q̇; vectors x and forces are nv, lists of screws have one for every body."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.domain = mechanism.domain
        self.nv = mechanism.nv
        self.bodies = in_base_frame(mechanism, ORIGIN)
        self._nothing = zeros(self.domain, 3)
        self._orientation = cache(lambda index: self.bodies[index].rotation.matrix(self.domain))

    @cached_property
    def tree(self) -> BlockForm:
        """The block form in all rates of the tree, which are independent without loops."""
        return self

    @cached_property
    def velocity(self) -> Vector:
        """q̇, nv."""
        return variables(self.domain, "qd", self.nv)

    # independent rates, which those of a tree all are ---------------------------------------------

    def of_tree(self, x: Vector) -> Vector:
        """The tree's rates, nv, of independent ones."""
        return x

    @cached_property
    def gamma(self) -> Vector:
        """The tree's accelerations, nv, while independent joints do not accelerate."""
        return zeros(self.domain, self.nv)

    def projected(self, forces: Vector) -> Vector:
        """What the tree's forces, nv, are to the independent joints."""
        return forces

    # N and its rate ------------------------------------------------------------------------------

    def path(self, index: int) -> Iterable[int]:
        """The bodies that carry body `index`: itself first, then towards the base."""
        while index != BASE:
            yield index
            index = self.bodies[index].parent

    def motions(self, x: Vector) -> list[Screw]:
        """N x: the twists of the bodies at the joint velocities x."""
        joints = self._joints(x)
        return [
            _sum((self._seen(j, joints[j], body.point) for j in self.path(i)), self._nothing)
            for i, body in enumerate(self.bodies)
        ]

    def forces(self, wrenches: Mapping[int, Screw]) -> Vector:
        """Nᵀ w, nv: the joint forces of wrenches on bodies; index of a body → wrench."""
        result = zeros(self.domain, self.nv)
        for body, (moment, force) in zip(self.bodies, self.carried(wrenches), strict=True):
            for column, index in zip(body.columns, body.velocities, strict=True):
                result[index] = result[index] + dot(column[:3], moment) + dot(column[3:], force)
        return result

    def carried(self, wrenches: Mapping[int, Screw]) -> list[Screw]:
        """N_lᵀ w: for every body the sum of the wrenches on those that it carries, about its O_i."""
        carried: list[Screw] = [(self._nothing, self._nothing)] * len(self.bodies)
        for i, (moment, force) in wrenches.items():
            for j in self.path(i):
                arm = self.bodies[i].point - self.bodies[j].point
                carried[j] = carried[j][0] + moment + cross(arm, force), carried[j][1] + force
        return carried

    def _motion_rates(self, x: Vector, twists: Sequence[Screw]) -> list[Screw]:
        """Ṅ x, at these twists: Ṅ_l N_d x + N_l Ṅ_d x."""
        joints = self._joints(x)
        return [
            _sum((self._seen_rate(j, joints[j], body.point, twist[1], twists) for j in self.path(i)), self._nothing)
            for i, (body, twist) in enumerate(zip(self.bodies, twists, strict=True))
        ]

    def _joints(self, x: Vector) -> list[Screw]:
        """N_d x: the twist of every body relative to the one that carries it."""
        return [self._joint(body, x) for body in self.bodies]

    def _joint(self, body: BaseFrameBody, x: Vector) -> Screw:
        """p x of a body's joint."""
        return _sum((_scaled(column, x[k]) for column, k in _columns(body)), self._nothing)

    def _seen(self, j: int, twist: Screw, point: Vector) -> Screw:
        """A p: a twist about O_j as it is at another point of the same body (eq. (11d))."""
        angular, linear = twist
        return angular, linear + cross(self.bodies[j].point - point, angular)

    def _seen_rate(self, j: int, twist: Screw, point: Vector, speed: Vector, twists: Sequence[Screw]) -> Screw:
        """Ȧ p + A Ω p: the rate of that for a twist fixed in body j, at a point that moves at `speed`."""
        spin, own_speed = twists[j]
        angular, linear = self._seen(j, (cross(spin, twist[0]), cross(spin, twist[1])), point)
        return angular, linear + cross(own_speed - speed, twist[0])

    # equations of motion ---------------------------------------------------------------------------

    def inertia_times(self, x: Vector) -> Vector:
        """I x = Nᵀ M N x, nv, with the rotors' share (eq. (16a))."""
        links = self.forces(self.momenta(x))
        rotors: Vector = vector(self.mechanism.rotor_inertias) * x
        return links + rotors

    def momenta(self, x: Vector) -> dict[int, Screw]:
        """M N x: the momenta of the bodies at the joint velocities x, or the wrenches that accelerations x ask for."""
        return self._wrenches(self.motions(x))

    def convective_forces_at(self, x: Vector) -> Vector:
        """Nᵀ (M Ṅ + W M E N) x, nv, with Ṅ and W those of the joint velocities x."""
        return self.forces(self.convective_wrenches(x))

    def convective_wrenches(self, x: Vector) -> dict[int, Screw]:
        """(M Ṅ + W M E N) x, with Ṅ and W those of the joint velocities x."""
        twists = self.motions(x)
        pushed = self._wrenches(self._motion_rates(x, twists))
        turning = self._wrenches([(angular, self._nothing) for angular, _ in twists])
        spins = [angular for angular, _ in twists]
        return {
            i: (pushed[i][0] + cross(spin, turning[i][0]), pushed[i][1] + cross(spin, turning[i][1]))
            for i, spin in enumerate(spins)
        }

    def convected(self, x: Vector) -> Vector:
        """C x, nv, by Christoffel's symbols: the bilinear form at q̇ and x of which h is the quadratic form.

        Along columns that do not commute the symbols have ½ I [q̇, x] besides, which keeps İ − 2 C skew.
        """
        rates, h, half = self.velocity, self.convective_forces_at, self.domain.constant(Fraction(1, 2))
        turned = self.inertia_times(self.brackets(rates, x)) * half
        result: Vector = (h(rates + x) - h(rates - x)) * (half * half) + turned
        return result

    def brackets(self, x: Vector, y: Vector) -> Vector:
        """Joint by joint the Lie bracket of two joint velocities, nv: x × y as twists, in columns; 0 for one column."""
        result = zeros(self.domain, self.nv)
        for body in self.bodies:
            (w, v), (u, s) = self._joint(body, x), self._joint(body, y)
            turn, slide = cross(w, u), cross(w, s) + cross(v, u)
            for (angular, linear), index in _columns(body):
                # About the base's axes columns of free joints stay unit vectors, at right angles to each other.
                result[index] = dot(angular, turn) + dot(linear, slide)
        return result

    def _wrenches(self, twists: Sequence[Screw]) -> dict[int, Screw]:
        """M t: the blocks [J mc×1; −mc×1 m1] times twists or their rates (eq. (4))."""
        result = {}
        for i, (body, (angular, linear)) in enumerate(zip(self.bodies, twists, strict=True)):
            inertia = body.inertia
            moment = vector(dot(row, angular) for row in inertia.tensor) + cross(inertia.first_moment, linear)
            result[i] = moment, linear * inertia.mass - cross(inertia.first_moment, angular)
        return result

    @cached_property
    def convective_forces(self) -> Vector:
        """h = C q̇, nv."""
        return self.convective_forces_at(self.velocity)

    @cached_property
    def gravity_forces(self) -> Vector:
        """−Nᵀ M [0; g], nv: the joint forces that hold the robot at rest (eq. (17))."""
        return self.forces(self.weights)

    @property
    def weights(self) -> dict[int, Screw]:
        """−M [0; g]: the wrenches that hold the bodies against gravity."""
        return self._wrenches([(self._nothing, -self.mechanism.gravity)] * len(self.bodies))

    @cached_property
    def load_forces(self) -> Vector:
        """Nᵀ wᴱ, nv: what the external wrenches contribute to the joint forces."""
        return self.forces(self.loads)

    @property
    def loads(self) -> dict[int, Screw]:
        """wᴱ: the external wrenches on the bodies."""
        loads: dict[int, Screw] = {}
        for frame, wrench in self.mechanism.wrenches:
            if frame.body != BASE:
                pose = self.frame_pose(frame)
                force = vector(dot(row, wrench[3:]) for row in pose.rotation)
                moment = vector(dot(row, wrench[:3]) for row in pose.rotation)
                arm = pose.origin - self.bodies[frame.body].point
                more = moment + cross(arm, force), force
                loads[frame.body] = _sum((loads.get(frame.body, (self._nothing, self._nothing)), more), self._nothing)
        return loads

    def carried_needs(self, x: Vector) -> list[Screw]:
        """What the bodies that each joint carries need of it at accelerations x: wrenches about their O_i."""
        needs = [self.momenta(x), self.convective_wrenches(self.velocity), self.weights]
        sums = [self.carried(part) for part in needs]
        return [
            (sum(n for n, _ in each) - moment, sum(f for _, f in each) - force)
            for *each, (moment, force) in zip(*sums, self.carried(self.loads), strict=True)
        ]

    @cached_property
    def bias(self) -> Vector:
        """h + gravity + friction + springs − what external wrenches contribute, nv."""
        drives: Vector = vector(self.mechanism.drive_forces(list(self.velocity))) + cut_joints.drive_forces(self)
        return self.convective_forces + self.gravity_forces + drives - self.load_forces

    def link_forces(self, x: Vector) -> Vector:
        """Joint forces of the links alone at accelerations x: without rotors, friction, springs and loads."""
        rotors: Vector = vector(self.mechanism.rotor_inertias) * x
        return self.inertia_times(x) - rotors + self.convective_forces + self.gravity_forces

    def reference_forces(self, v: Vector, a: Vector) -> Vector:
        """I a + C v + gravity of the links alone, nv, for a reference velocity and acceleration."""
        rotors: Vector = vector(self.mechanism.rotor_inertias) * a
        return self.inertia_times(a) - rotors + self.convected(v) + self.gravity_forces

    @property
    def potential_energy(self) -> Scalar:
        """−g · Σ (m o + m c) over the bodies, with o the origins, and ½ K x² of springs."""
        total = -dot(self.mechanism.gravity, self.first_moment)
        for drive in (*(body.drive for body in self.mechanism.bodies), *cut_joints.springs(self)):
            total = total + drive.stiffness * drive.stretch * drive.stretch / self.domain.constant(2)
        return total

    # all bodies together ---------------------------------------------------------------------------

    @cached_property
    def mass(self) -> Scalar:
        """Σ m."""
        return sum((body.inertia.mass for body in self.bodies), self.domain.constant(0))

    @cached_property
    def first_moment(self) -> Vector:
        """Σ (m o + m c) over the bodies, with o the origins: about the base's, in its axes."""
        return sum((body.point * body.inertia.mass + body.inertia.first_moment for body in self.bodies), self._nothing)

    def momentum(self, x: Vector) -> Screw:
        """(angular about the base's origin, linear) momentum of all bodies at the joint velocities x."""
        momenta = ((n + cross(self.bodies[i].point, f), f) for i, (n, f) in self.momenta(x).items())
        return _sum(momenta, self._nothing)

    # frames --------------------------------------------------------------------------------------

    def frame_pose(self, frame: FrameOnBody) -> Pose:
        """Orientation and origin of a named frame in the base frame."""
        own = frame.rotation.matrix(self.domain)
        if frame.body == BASE:
            return Pose(own, frame.position)
        Q = self._orientation(frame.body)
        position = vector(dot(row, frame.position) for row in Q)
        return Pose(Q.dot(own), self.bodies[frame.body].origin + position)

    def jacobian(self, frame: FrameOnBody, moving: Container[int] | None = None) -> Matrix:
        """A N_i, 6×nv: the Jacobian of a frame about its origin, in base axes; of `moving` bodies alone if given."""
        matrix, origin = zeros(self.domain, 6, self.nv), self.frame_pose(frame).origin
        for j in self.path(frame.body):
            if moving is not None and j not in moving:
                continue
            for column, index in _columns(self.bodies[j]):
                angular, linear = self._seen(j, column, origin)
                matrix[:3, index], matrix[3:, index] = matrix[:3, index] + angular, matrix[3:, index] + linear
        return matrix

    def jacobian_rate(self, frame: FrameOnBody) -> Matrix:
        """Ȧ N_i + A Ṅ_i, 6×nv: the rate of the Jacobian in base axes."""
        matrix, origin = zeros(self.domain, 6, self.nv), self.frame_pose(frame).origin
        speed = self.jacobian(frame).dot(self.velocity)[3:]
        for j in self.path(frame.body):
            for column, index in _columns(self.bodies[j]):
                angular, linear = self._seen_rate(j, column, origin, speed, self._twists)
                matrix[:3, index], matrix[3:, index] = matrix[:3, index] + angular, matrix[3:, index] + linear
        return matrix

    def jacobian_rate_times(self, jacobian: Matrix, rate: Matrix, x: Vector) -> Vector:
        """The rate of a frame's Jacobian by independent joints times x, from the Jacobian of the tree and its rate."""
        result: Vector = rate.dot(x)
        return result

    def drift(self, jacobian: Matrix, rate: Matrix) -> Vector:
        """J̇ q̇, 6: the rate of a frame's twist while independent joints do not accelerate."""
        result: Vector = rate.dot(self.velocity)
        return result

    @cached_property
    def _twists(self) -> list[Screw]:
        """t = N q̇."""
        return self.motions(self.velocity)


def _columns(body: BaseFrameBody) -> list[tuple[Screw, int]]:
    """(p, index in q̇) of a body's joint."""
    return [((column[:3], column[3:]), index) for column, index in zip(body.columns, body.velocities, strict=True)]


def _scaled(screw: Screw, factor: Scalar) -> Screw:
    return screw[0] * factor, screw[1] * factor


def _sum(screws: Iterable[Screw], nothing: Vector) -> Screw:
    angular = linear = nothing
    for more, further in screws:
        angular, linear = angular + more, linear + further
    return angular, linear
