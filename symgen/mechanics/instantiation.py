"""Robot → mechanism over a domain: fixed links are lumped, joints of several screws get a body for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from symgen.algebra.domain import Domain, Exacts, Scalar, variables, vector, zeros
from symgen.algebra.exact import PI
from symgen.mechanics.fixed import Fixed
from symgen.mechanics.inertia import SpatialInertia, no_inertia
from symgen.mechanics.joints import motions
from symgen.mechanics.mechanism import (
    Body,
    CutOnBodies,
    DriveTerms,
    FrameOnBody,
    JointPlace,
    Mechanism,
    Ties,
)
from symgen.mechanics.rotation import Rotation
from symgen.robot.expression import Expression, constant
from symgen.robot.joints import Coordinate, JointKind
from symgen.robot.loops import Coupling, CutKind
from symgen.robot.model import BASE, CutJoint, Drive, Elementary, Frame, Joint, Link, Placement, Robot


def instantiate(
    robot: Robot,
    domain: Domain,
    *,
    symbolic: bool | frozenset[str] = False,
    symbolic_angles: bool = False,
    runtime_gravity: bool = False,
    wrenches: Sequence[tuple[str, str]] = (),
    exact_inertias: dict[int, SpatialInertia] | None = None,
) -> Mechanism:
    """`robot` over `domain`; parameters have their default values, but for those that stay symbols of the domain.

    `symbolic`: names of these, or True for all of them; in twists and other constant angles they stay symbols only with
    `symbolic_angles`. With `runtime_gravity` gravity is the input "gravity" (3).
    `wrenches` are (input name, frame name) pairs: the environment acts on the frame with the wrench [n; f], an input
    of 6 entries, about its origin, in its axes. `exact_inertias` keeps those of links between several instantiations of
    the same robot. Raises `KeyError` for an unknown frame.
    """
    symbols = frozenset(robot.defaults) if symbolic is True else symbolic or frozenset()
    fixed = Fixed(robot, domain, symbols, symbols if symbolic_angles else frozenset())
    mechanism = _Instantiation(robot, fixed, {} if exact_inertias is None else exact_inertias).run()
    if runtime_gravity:
        mechanism = replace(mechanism, gravity=variables(domain, "gravity", 3))
    loads = tuple((mechanism.frame(frame), variables(domain, name, 6)) for name, frame in wrenches)
    return replace(mechanism, wrenches=loads)


_LETTERS = "abcde"
"""What tells the massless bodies of a joint from each other and from its link, in names."""


class _Instantiation:
    def __init__(self, robot: Robot, fixed: Fixed, exact_inertias: dict[int, SpatialInertia]) -> None:
        self.robot = robot
        self.domain = fixed.domain
        self.fixed = fixed
        self.exact_inertias = exact_inertias
        self.bodies: list[Body] = []
        self.carriers: list[tuple[int, Placement]] = []

    def run(self) -> Mechanism:
        for index, q, v in self.robot.coordinates():
            self._add(index, q, v)
        gravity = vector(self.fixed.scalar(entry) for entry in self.robot.gravity)
        frames = tuple(self._frame(frame) for frame in self.robot.all_frames)
        joints = tuple(
            JointPlace(self.robot.links[index].joint.kind, q, v)
            for index, q, v in self.robot.coordinates()
            if self.robot.links[index].joint.nv and self.robot.links[index].joint.mimic is None
        )
        return Mechanism(
            self.domain,
            tuple(self.bodies),
            gravity,
            self.robot.nv,
            frames,
            joints=joints,
            cuts=tuple(map(self._cut, self.robot.cut_joints)),
            ties=tuple(map(self._tie, self.robot.couplings)),
            spins=tuple(map(self._frame, self.robot.spins)) if self.robot.has_loops else (),
            actuated=self.robot.driven,
            contacts={name: tuple(map(self._contact, cuts)) for name, cuts in self.robot.contact_loops.items()},
        )

    def _contact(self, cut: CutJoint) -> CutOnBodies:
        """A cut joint in the axes of its frames, in which its forces are."""
        if cut.kind is CutKind.ROD:
            return self._cut(cut)
        ends = self._frame(cut.predecessor), self._frame(cut.successor)
        return replace(self._cut(cut), predecessor=ends[0], successor=ends[1], axes=Rotation())

    def _cut(self, cut: CutJoint) -> CutOnBodies:
        first, second = self._frame(cut.predecessor), self._frame(cut.successor)
        axes = Rotation()
        if not cut.kind.angles and (cut.kind.holds_points or cut.kind is CutKind.ROD):
            # Points: in the axes of the bodies, in which most is zero.
            axes = first.rotation
            first, second = replace(first, rotation=Rotation()), replace(second, rotation=Rotation())
        drive = self._terms(cut.drive, -self.fixed.scalar(cut.drive.rest))
        return CutOnBodies(cut.name, cut.kind, first, second, self.fixed.scalar(cut.length), drive, axes)

    def _tie(self, coupling: Coupling) -> Ties:
        places = {name: (q, v) for name, q, v in self.robot.plain_coordinates}
        terms = tuple((*places[name], self.domain.constant(ratio)) for name, ratio in coupling.terms)
        return Ties(terms, self.fixed.scalar(coupling.offset))

    def _frame(self, frame: Frame) -> FrameOnBody:
        if frame.link == BASE:
            return FrameOnBody(frame.name, BASE, *self.fixed.transform(self.robot.base + frame.placement))
        carrier, placement = self.carriers[frame.link]
        link = self.robot.links[frame.link]
        return FrameOnBody(frame.name, carrier, *self.fixed.transform(placement + link.after + frame.placement))

    def _add(self, index: int, q: slice, v: slice) -> None:
        link = self.robot.links[index]
        carrier, placement = self._carrier_of(link)
        inertia = self._inertia(index)
        if not link.joint.nv:
            self.carriers.append((carrier, placement))
            if carrier != BASE:
                self._lump(carrier, inertia, placement)
            return
        rotation, position = self.fixed.transform(placement)
        positions, velocities = range(q.start, q.stop), range(v.start, v.stop)
        moves = motions(link.joint, positions, self.domain, self.fixed.scalar, self._offset(link.joint.rest))
        for number, move in enumerate(moves):
            is_last, own = number == len(moves) - 1, velocities[number : number + 1]
            if link.joint.kind.is_free:
                own = velocities
            rotation = rotation.then(move.before)
            if move.position is not None:
                position = position + rotation.to_parent(move.position)
            self.bodies.append(
                Body(
                    number=index + 1,
                    name=link.name,
                    joint=link.joint.coordinate_names[number] if not link.joint.kind.is_free else link.joint.name,
                    parent=carrier,
                    rotation=rotation.then(move.rotation),
                    position=position,
                    subspace=move.columns,
                    velocities=tuple(own),
                    inertia=self._turned(inertia, move.after) if is_last else no_inertia(self.domain),
                    drive=self._drive(link.joint, q),
                    shift=move.shift,
                    label=f"{index + 1}" if is_last else f"{index + 1}{_LETTERS[number]}",
                    is_between=not is_last,
                    is_ball=link.joint.kind.is_ball,
                    ratio=None if link.joint.mimic is None else self.domain.constant(link.joint.ratio),
                    joint_axes=move.after,
                )
            )
            carrier = len(self.bodies) - 1
            rotation, position = move.after, zeros(self.domain, 3)
        back = () if not link.joint.nv else _turned_back(link.joint.kind.coordinates[-1], link.joint.kind)
        self.carriers.append((carrier, back))

    def _turned(self, inertia: SpatialInertia, axes: Rotation) -> SpatialInertia:
        """An inertia known in the joint's axes, which have this orientation in the moved frame."""
        return inertia.moved(axes, zeros(self.domain, 3)) if axes.turns else inertia

    def _drive(self, joint: Joint, q: slice) -> DriveTerms:
        slack = joint.drive.stiffness.is_zero
        return self._terms(joint.drive, self.domain.constant(0) if slack else self._stretch(joint, q))

    def _terms(self, drive: Drive, stretch: Scalar) -> DriveTerms:
        ratio = self.fixed.scalar(drive.gear_ratio)
        return DriveTerms(
            rotor_inertia=self.fixed.scalar(drive.rotor_inertia) * ratio * ratio,
            viscous=self.fixed.scalar(drive.viscous),
            coulomb=self.fixed.scalar(drive.coulomb),
            smoothing=None if drive.smoothing.is_zero else self.fixed.scalar(drive.smoothing),
            sigmoid=self.fixed.scalar(drive.sigmoid),
            slope=self.fixed.scalar(drive.slope),
            shift=self.fixed.scalar(drive.shift),
            stiffness=self.fixed.scalar(drive.stiffness),
            stretch=stretch,
        )

    def _stretch(self, joint: Joint, q: slice) -> Scalar:
        """How far the joint's own coordinate is from where its spring is slack."""
        own = self.domain.variable("q", q.start)
        if joint.mimic is not None:
            own = self.domain.constant(joint.ratio) * own + self.fixed.scalar(joint.mimic.offset)
        return own - self.fixed.scalar(joint.drive.rest)

    def _carrier_of(self, link: Link) -> tuple[int, Placement]:
        """The body that carries the link's joint, and the constant transform from its frame to the joint."""
        if link.parent == BASE:
            return BASE, self.robot.base + link.before
        carrier, placement = self.carriers[link.parent]
        return carrier, placement + self.robot.links[link.parent].after + link.before

    def _inertia(self, index: int) -> SpatialInertia:
        """The link's inertia about the origin of its own frame; without symbols it is worked out once, exactly."""
        link = self.robot.links[index]
        given = link.inertia
        numbers = [given.mass, *given.com, *given.tensor, *(part.amount for part in (*given.axes, *link.after))]
        if any(map(self.fixed.is_symbolic, numbers)):
            return self.fixed.inertia(link)
        if index not in self.exact_inertias:
            self.exact_inertias[index] = Fixed(self.robot, Exacts()).inertia(link)
        exact = self.exact_inertias[index]
        lift = np.frompyfunc(self.domain.constant, 1, 1)
        return SpatialInertia(self.domain.constant(exact.mass), lift(exact.first_moment), lift(exact.tensor))

    def _lump(self, carrier: int, inertia: SpatialInertia, placement: Placement) -> None:
        body = self.bodies[carrier]
        total = body.inertia + inertia.moved(*self.fixed.transform(placement))
        self.bodies[carrier] = replace(body, inertia=total)

    def _offset(self, offset: Expression) -> Any:
        if self.fixed.is_symbolic(offset):
            return self.fixed.scalar(offset)
        return offset.constant(self.fixed.defaults)


def _turned_back(last: Coordinate, kind: JointKind) -> Placement:
    """From the frame of the last screw's body, whose z axis is the screw's, to the joint's own axes."""
    if kind.is_free or last.axis == 2:
        return ()
    quarter = constant(PI * Fraction(1, 2))
    return (Elementary(True, 1 - last.axis, -quarter if last.axis == 0 else quarter),)
