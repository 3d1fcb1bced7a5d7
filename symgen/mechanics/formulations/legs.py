"""A mechanism seen as a platform, or a point, that legs carry: which twists they share, and what their joints do to it.

Legs are branches of the tree from the base. One of them, its own, leads to the platform through joints of the tree
alone; every other ends at a cut joint on the platform, whose own freedoms are the last joints of that leg: their
coordinates are not in q, but all that is needed of them is their columns. Where one cut joint alone closes the loop and
leaves directions free, what both legs share is its point, and there is no platform (a five-bar).

A leg says of the common twist t_e = [ω; v] at a point P that t_e = Σ p̃_j q̇_j, with the joint-motion propagation
p̃_j = B_Pj p_j of each of its joints (Saha, eq. (26); Khan 2002, eq. (3.4)). Only those of its six entries count that
the legs can give it: `Legs.entries`. Arms are those of the leg itself up to the cut joint, and those of the platform
beyond: so these rows are those of A q̇ = 0 (see `loops.closure`) at every q of the tree, closed or not.

    legs = legs_of(mechanism)                    # MisfitError where it is not one; misfit() gives its clause
    for leg in legs.legs:
        leg.bodies, leg.tip, leg.seat, leg.cut   # the branch, and where it meets the platform
        leg.rates, leg.own                       # indices in q̇; of the cut joint's freedoms, from nv on
    leg_columns.columns(mechanism, legs, leg)    # index of a rate → p̃, in the order of leg.rates and leg.own
    leg_columns.twist_drift(mechanism, legs, leg, motions)  # ṫ_e less Σ p̃_j q̈_j, of motions at q̈ = 0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from symgen.algebra.domain import Vector, is_zero, zeros
from symgen.mechanics.kinematics import path
from symgen.mechanics.mechanism import FrameOnBody, Mechanism
from symgen.mechanics.rotation import Rotation
from symgen.robot.loops import CutKind
from symgen.robot.model import BASE

SPATIAL = tuple(range(6))
LINEAR = SPATIAL[3:]


class MisfitError(ValueError):
    """The mechanism is no platform on legs; the message is a clause that says why."""


@dataclass(frozen=True)
class Leg:
    """A branch of the tree: `bodies`, from the base on, and `rates`, the indices of their joints in q̇.

    `tip` is the point where it ends, on its last body, and `seat` the same point as the platform has it. `cut`: the
    index of the cut joint there, None for the branch that the platform is on itself. `own`: indices of the freedoms
    that the cut joint adds to the entries of the twist that count, turns about the normal of the plane or the axes of
    the platform; all legs' together count from nv on.
    """

    bodies: tuple[int, ...]
    rates: tuple[int, ...]
    tip: FrameOnBody
    seat: FrameOnBody
    cut: int | None
    own: tuple[int, ...] = ()

    @property
    def joints(self) -> tuple[int, ...]:
        """The indices of all its rates, from the base to the platform."""
        return self.rates + self.own


@dataclass(frozen=True)
class Legs:
    """`platform`: a body, None where the legs share a point alone; `point`: P, on the platform or on the first leg.

    `entries`: which of the six of [ω; v] count. `turned`: whether these are in the platform's axes, which is cheaper
    where nothing but one free joint carries it; else they are in the base's. `normal`: the index of the axis of the
    base about which all turns, where everything moves in a plane.
    """

    platform: int | None
    point: FrameOnBody
    legs: tuple[Leg, ...]
    entries: tuple[int, ...]
    normal: int | None
    turned: bool

    @property
    def count(self) -> int:
        """Number of rates: the tree's, and those of cut joints."""
        return max((index for leg in self.legs for index in leg.joints), default=-1) + 1

    def passive(self, mechanism: Mechanism, leg: Leg) -> tuple[int, ...]:
        """The indices of a leg's rates that are not independent, from the base on."""
        assert mechanism.plan is not None
        return tuple(index for index in leg.joints if index not in mechanism.plan.independent)


def misfit(mechanism: Mechanism) -> str:
    """Why the mechanism is no platform on legs, as a clause; "" where it is one."""
    try:
        legs_of(mechanism)
    except MisfitError as reason:
        return str(reason)
    return ""


def legs_of(mechanism: Mechanism) -> Legs:
    """The mechanism as a platform, or a point, on legs; `MisfitError` if it is none."""
    _check(mechanism)
    normal = _normal(mechanism)
    platform = _platform(mechanism)
    ends = _own_ends(mechanism, platform) if platform is not None else _point_ends(mechanism)
    entries = _entries(mechanism, platform, normal)
    legs: list[Leg] = []
    free = mechanism.nv
    for tip, seat, cut in ends:
        bodies = tuple(path(mechanism, tip.body))
        rates = tuple(index for k in bodies for index in mechanism.bodies[k].velocities)
        freedoms = 0 if cut is None or platform is None else sum(entry < 3 for entry in entries)
        legs.append(Leg(bodies, rates, tip, seat, cut, tuple(range(free, free + freedoms))))
        free += freedoms
    _check_legs(mechanism, legs)
    point = ends[0][0]
    turned = platform is not None and len(legs[0].bodies) == 1 and mechanism.bodies[platform].is_free
    found = Legs(platform, point, tuple(legs), entries, normal, turned)
    _check_rows(mechanism, found)
    return found


def _check(mechanism: Mechanism) -> None:
    """Whether nothing but cut joints that hold points closes the loops."""
    if mechanism.plan is None:
        raise MisfitError("it has no loops")
    if mechanism.is_tied:
        raise MisfitError("some of its joints follow others")
    if mechanism.ties:
        raise MisfitError("couplings are among its constraints")
    if mechanism.spins:
        raise MisfitError("a link of it could spin between two ball joints")
    for cut in mechanism.cuts:
        if cut.kind not in (CutKind.REVOLUTE, CutKind.SPHERICAL):
            raise MisfitError(f"the cut joint {cut.name} is {cut.kind.value}, not revolute or spherical")


def _normal(mechanism: Mechanism) -> int | None:
    """The axis of the base, 0 to 2, about which all joints turn, or at right angles to which they slide, if any."""
    turns, slides = [], []
    for index, body in enumerate(mechanism.bodies):
        for column in body.subspace:
            angular, linear = _in_base(mechanism, index, column[:3]), _in_base(mechanism, index, column[3:])
            turns += [] if all(map(is_zero, angular)) else [angular]
            slides += [] if all(map(is_zero, linear)) else [linear]
    for axis in range(3):
        others = [k for k in range(3) if k != axis]
        upright = all(is_zero(turn[k]) for turn in turns for k in others)
        if turns and upright and all(is_zero(slide[axis]) for slide in slides):
            return axis
    return None


def _in_base(mechanism: Mechanism, index: int, direction: Vector) -> Vector:
    while index != BASE:
        body = mechanism.bodies[index]
        direction, index = body.rotation.to_parent(direction), body.parent
    return direction


def _platform(mechanism: Mechanism) -> int | None:
    """The body at which all cut joints have an end; None where there is one cut joint, whose point is what is shared.

    Of two bodies it is the one that leaves a branch of its own to every cut joint's other end.
    """
    if len(mechanism.cuts) == 1:
        return None
    ends = [{cut.predecessor.body, cut.successor.body} for cut in mechanism.cuts]
    found = sorted(set.intersection(*ends) - {BASE})
    if not found:
        raise MisfitError("its loops close at no common body")
    return found[0]


End = tuple[FrameOnBody, FrameOnBody, int | None]
"""Where a leg ends, the same point on the platform, and the cut joint there."""


def _own_ends(mechanism: Mechanism, platform: int) -> list[End]:
    """The platform's own branch first, then those of the cut joints."""
    point = FrameOnBody("", platform, Rotation(), zeros(mechanism.domain, 3))
    ends: list[End] = [(point, point, None)]
    for index, cut in enumerate(mechanism.cuts):
        pair = (cut.predecessor, cut.successor)
        tip, seat = pair if cut.successor.body == platform else pair[::-1]
        ends.append((tip, seat, index))
    return ends


def _point_ends(mechanism: Mechanism) -> list[End]:
    (cut,) = mechanism.cuts
    return [(cut.predecessor, cut.predecessor, 0), (cut.successor, cut.successor, 0)]


def _entries(mechanism: Mechanism, platform: int | None, normal: int | None) -> tuple[int, ...]:
    """Which entries of the twist legs can give: of a point, or of what only slides, none that turn."""
    linear = tuple(entry for entry in LINEAR if normal is None or entry != 3 + normal)
    if platform is None or _only_slides(mechanism, platform):
        return linear
    return SPATIAL if normal is None else (normal, *linear)


def _only_slides(mechanism: Mechanism, body: int) -> bool:
    columns = [column for index in path(mechanism, body) for column in mechanism.bodies[index].subspace]
    return all(is_zero(entry) for column in columns for entry in column[:3])


def _check_legs(mechanism: Mechanism, legs: Sequence[Leg]) -> None:
    """Whether legs are chains that share no body, and whether every body is on one."""
    names = [body.name for body in mechanism.bodies]
    for one, other in combinations(legs, 2):
        shared = set(one.bodies) & set(other.bodies)
        if shared:
            raise MisfitError(f"two of its legs share the link {names[min(shared)]}")
    left = set(range(len(names))) - {index for leg in legs for index in leg.bodies}
    if left:
        raise MisfitError(f"the link {names[min(left)]} is on no leg")


def _check_rows(mechanism: Mechanism, legs: Legs) -> None:
    """Whether the twists that legs share are what the constraints are about: no fewer, no others."""
    assert mechanism.plan is not None
    used = {row for block in mechanism.plan.blocks for row in block.rows}
    start = 0
    for index, cut in enumerate(mechanism.cuts):
        leg = next(leg for leg in legs.legs if leg.cut == index)
        rows = {row - start for row in used if start <= row < start + cut.kind.size}
        if any(row >= len(cut.kind.shifts) for row in rows):
            raise MisfitError(f"the cut joint {cut.name} holds directions in space: there it must be spherical")
        if len(rows) != len(legs.entries) - len(leg.own):
            raise MisfitError(f"some constraints of the cut joint {cut.name} follow from others")
        start += cut.kind.size
