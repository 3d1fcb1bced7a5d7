"""Frames of links in normal form: what the placement of frames in a file leaves free is chosen as in a table.

A joint's own frame may lie anywhere on its axis and be turned about it as one likes; a URDF puts it where it was drawn.
In normal form the constant transform from one joint axis to the next is that of a Denavit-Hartenberg table, of as few
factors as there are: Tz(b) Rx(α) Tx(a), along the first axis, about and along the common normal. The turns about the
axes that are left go into the offsets of the joints. Origins are at the feet of the common normals with the axes
before.

Reference frames, inertia and named frames stay where they are, and so does what the robot does. All of it is exact:
where an angle of the table has no short exact form, a link keeps the transform it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import ONE, PI, ZERO, Exact
from symgen.algebra.zero import is_zero
from symgen.robot.direction import angle, angle_beside, back
from symgen.robot.expression import constant
from symgen.robot.joints import JointKind
from symgen.robot.linear import plus
from symgen.robot.model import BASE, Elementary, Joint, Link, Placement, Robot
from symgen.robot.orientation import Rows, matrix, moved
from symgen.robot.placement import wrapped

LEAST_SINE = 0.1
"""Axes that are closer to parallel than this, and are not, have common normals far away: origins stay then."""

_RIGHT = 1.6
"""Offsets of joints are no larger than right angles, by the sense of the common normals."""

_FREE = (
    JointKind.REVOLUTE,
    JointKind.CONTINUOUS,
    JointKind.PRISMATIC,
    JointKind.HELICAL,
    JointKind.CYLINDRICAL,
)
"""Joints whose own frames may be anywhere on their axes."""

_TURNING = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.CYLINDRICAL)
"""Joints whose offset is a turn and nothing else."""


@dataclass(frozen=True)
class _Step:
    """From one joint's own frame to the next: Rz(gamma) T(shift) Rx(alpha) Rz(theta) Tz(d)."""

    gamma: Exact
    shift: tuple[Exact, Exact, Exact]
    alpha: Exact
    theta: Exact
    d: Exact

    def flipped(self) -> _Step:
        """The same step along the common normal the other way."""
        x, y, z = self.shift
        return _Step(self.gamma + PI, (-x, -y, z), -self.alpha, self.theta + PI, self.d)


@dataclass
class _Normal:
    """The links of a robot, their frames changed one by one; indices are those of links."""

    robot: Robot

    def __post_init__(self) -> None:
        # For every link: the moving one that carries it, itself if it moves, and the way from that one's own frame.
        self.carriers: list[int] = []
        self.paths: list[Placement] = []

    def run(self) -> Robot:
        links = self.robot.links
        for index, link in enumerate(links):
            start, way = self._start(link)
            moves = link.joint.nv > 0
            self.carriers.append(index if moves else start)
            self.paths.append(link.after if moves else (*way, *link.before, *link.after))
        steps: dict[int, _Step | None] = {}
        slides: dict[int, Exact] = {}
        for index, link in enumerate(links):
            if link.joint.kind in _FREE:
                carrier, _ = self._start(link)
                step, before = self._step(link, slides), steps.get(carrier)
                if step is not None and before is not None and abs(float(wrapped(before.theta + step.gamma))) > _RIGHT:
                    step = step.flipped()
                steps[index] = step
                slides[index] = -step.d if step else ZERO
        turns = {index: -step.theta if step else ZERO for index, step in steps.items()}
        for index in reversed(steps):
            carrier, _ = self._start(links[index])
            if carrier in turns and (step := steps[index]) is not None:
                turns[carrier] = step.gamma
        # Others stay as they are: the reference frames that they stand on do.
        made = (
            self._turned(link, steps[index], slides, turns, index) if index in steps else link
            for index, link in enumerate(links)
        )
        return replace(self.robot, links=tuple(made))

    def _start(self, link: Link) -> tuple[int, Placement]:
        """The moving link that carries a link, or the base, and the way from its own frame to where the link begins."""
        if link.parent == BASE:
            return BASE, self.robot.base
        return self.carriers[link.parent], self.paths[link.parent]

    def _step(self, link: Link, slides: Mapping[int, Exact]) -> _Step | None:
        """The step to a link's joint from the one that carries it; None if it has no short exact form."""
        carrier, way = self._start(link)
        place, rows = moved((*way, *link.before))
        sine = rows[0][2] * rows[0][2] + rows[1][2] * rows[1][2]
        if is_zero(sine):
            return _checked(_parallel(place, rows, slides.get(carrier, ZERO)), rows)
        gamma, alpha = angle(rows[0][2], -rows[1][2]), angle_beside(sine, rows[2][2])
        theta = angle(rows[2][0], rows[2][1])
        c, s = cos_sin(gamma)
        x, y, z = place[0] * c + place[1] * s, place[1] * c - place[0] * s, place[2]
        if float(sine) < LEAST_SINE**2:
            return _checked(_Step(gamma, (x, y, z), alpha, theta, ZERO), rows)
        c, s = cos_sin(alpha)
        d = -y * s.inverse()
        return _checked(_Step(gamma, (x, ZERO, z - c * d), alpha, theta, d), rows)

    def _turned(
        self, link: Link, step: _Step | None, slides: Mapping[int, Exact], turns: Mapping[int, Exact], index: int
    ) -> Link:
        """The link with its own frame in normal form."""
        carrier, way = self._start(link)
        slide, turn = slides[index], turns[index]
        over = turn + (step.theta if step is not None else ZERO)
        joint, rest = link.joint, over
        if link.joint.kind in _TURNING:
            joint, rest = _with_offset(link.joint, over), ZERO
        before: Placement = link.before
        if step is not None:
            x, y, z = step.shift
            before = (
                *back(self._way(carrier, way, slides, turns)),
                _turn(2, step.gamma - turns.get(carrier, ZERO)),
                _shift(2, z - slides.get(carrier, ZERO)),
                _shift(1, y),
                _shift(0, x),
                _turn(0, step.alpha),
            )
        before = (*before, _turn(2, rest))
        after = (*back((_shift(2, slide), _turn(2, turn))), *link.after)
        return replace(link, joint=joint, before=before, after=after)

    def _way(self, carrier: int, way: Placement, slides: Mapping[int, Exact], turns: Mapping[int, Exact]) -> Placement:
        """The way from the carrier's own frame, as it is in the end, to where a link begins."""
        if carrier not in slides:
            return way
        return (*back((_shift(2, slides[carrier]), _turn(2, turns[carrier]))), *way)


def normal(robot: Robot) -> Robot:
    """The same robot with the own frames of its joints in normal form, parameters of its geometry at their defaults."""
    values = robot.defaults

    def fixed(placement: Placement) -> Placement:
        return tuple(replace(part, amount=constant(part.amount.constant(values))) for part in placement)

    links = (replace(link, before=fixed(link.before), after=fixed(link.after)) for link in robot.links)
    return _Normal(replace(robot, base=fixed(robot.base), links=tuple(links))).run()


def geometric_symbols(robot: Robot) -> set[str]:
    """Names of the parameters that say where joints are."""
    placements = [robot.base, *(each for link in robot.links for each in (link.before, link.after))]
    amounts = [part.amount for placement in placements for part in placement]
    amounts += [link.joint.offset for link in robot.links]
    return {name for amount in amounts for name in amount.symbols()}


def _parallel(place: list[Exact], rows: Rows, height: Exact) -> _Step:
    """The step to an axis that is parallel to the one before, on which the origin has this height; it keeps it."""
    x, y, z = place
    gamma = angle(y, x) if x or y else ZERO
    c, s = cos_sin(gamma)
    aside = ZERO
    if not is_zero(y * c - x * s):  # the direction of the common normal has no short form
        gamma, c, s, aside = ZERO, ONE, ZERO, y
    alpha = ZERO if float(rows[2][2]) > 0 else PI
    # Rz(gamma) Rx(alpha) Rz(theta) is a turn by gamma ± theta, and maybe a half turn about x.
    turned = angle(rows[1][0], rows[0][0]) - gamma
    theta = turned if not alpha else -turned
    d = z - height
    return _Step(gamma, (x * c + y * s, aside, height), alpha, theta, -d if alpha else d)


def _checked(step: _Step, rows: Rows) -> _Step | None:
    """The step, if its turns are the ones wanted, exactly."""
    found = matrix([(2, step.gamma), (0, step.alpha), (2, step.theta)])
    differences = [
        one - other for left, right in zip(found, rows, strict=True) for one, other in zip(left, right, strict=True)
    ]
    return step if all(map(is_zero, differences)) else None


def _with_offset(joint: Joint, angle: Exact) -> Joint:
    """The joint turned further by a constant angle."""
    return replace(joint, offset=plus(joint.offset, constant(wrapped(angle))))


def _turn(axis: int, amount: Exact) -> Elementary:
    return Elementary(True, axis, constant(amount))


def _shift(axis: int, amount: Exact) -> Elementary:
    return Elementary(False, axis, constant(amount))
