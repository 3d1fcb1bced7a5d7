"""Coordinates of cut joints in base axes, and what friction and springs there do to the joints of the tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from symgen.algebra.domain import Scalar, Vector, cross, dot, vector, zeros
from symgen.mechanics.loops.cut_joints import angle
from symgen.mechanics.mechanism import CutOnBodies, DriveTerms
from symgen.robot.joints import ANGLE
from symgen.robot.loops import CutCoordinate

if TYPE_CHECKING:
    from symgen.prove.block_form import BlockForm


def positions(form: BlockForm) -> Vector:
    """The coordinates of all cut joints, from the poses of both ends."""
    return vector(_position(form, cut, kind) for cut, kind in _all(form))


def velocities(form: BlockForm) -> Vector:
    """Their rates at the rates of a tree's form, from the twists of both ends."""
    return vector(_row(form, cut, kind).dot(form.velocity) for cut, kind in _all(form))


def drive_forces(form: BlockForm) -> Vector:
    """Kᵀ f, nv, of friction and springs at cut joints, with K q̇ their rates."""
    total = zeros(form.domain, form.mechanism.nv)
    for cut, kind in _driven(form):
        row, drive = _row(form, cut, kind), _drive(form, cut, kind)
        total = total + row * (drive.friction(form.domain, row.dot(form.velocity)) + drive.stiffness * drive.stretch)
    return total


def springs(form: BlockForm) -> list[DriveTerms]:
    """What acts at cut joints, each at its stretch."""
    return [_drive(form, cut, kind) for cut, kind in _driven(form)]


def _all(form: BlockForm) -> list[tuple[CutOnBodies, CutCoordinate]]:
    return [(cut, kind) for cut in form.mechanism.cuts for kind in cut.kind.coordinates]


def _driven(form: BlockForm) -> list[tuple[CutOnBodies, CutCoordinate]]:
    return [(cut, kind) for cut, kind in _all(form) if cut.drive.acts]


def _drive(form: BlockForm, cut: CutOnBodies, kind: CutCoordinate) -> DriveTerms:
    return replace(cut.drive, stretch=_position(form, cut, kind) + cut.drive.stretch)


def _position(form: BlockForm, cut: CutOnBodies, kind: CutCoordinate) -> Scalar:
    one, other = form.frame_pose(cut.predecessor), form.frame_pose(cut.successor)
    if kind.measure == ANGLE:
        sine, cosine = (dot(one.rotation[:, own], other.rotation[:, its]) for own, its in (kind.sine, kind.cosine))
        return angle(form.domain, sine, cosine)
    return dot(one.rotation[:, kind.axis], other.origin - one.origin)


def _row(form: BlockForm, cut: CutOnBodies, kind: CutCoordinate) -> Vector:
    """K, nv, of a coordinate."""
    one, other = form.frame_pose(cut.predecessor), form.frame_pose(cut.successor)
    axis = (other if kind.of_successor else one).rotation[:, kind.axis]
    J, L = form.jacobian(cut.predecessor), form.jacobian(cut.successor)
    if kind.measure == ANGLE:
        return vector(dot(axis, column) for column in (L[:3] - J[:3]).T)
    way = other.origin - one.origin
    return vector(dot(axis, k[3:] - j[3:] - cross(j[:3], way)) for j, k in zip(J.T, L.T, strict=True))
