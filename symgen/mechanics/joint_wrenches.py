"""What joints carry: the wrench that a link's carrier exerts on it, forces of constraint included.

Bodies between two motions of one joint have no mass: the joint's wrench is that on the link it moves.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Matrix, Scalar, Vector, vector, zeros
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import body_motions, carried_wrenches


def moving_links(mechanism: Mechanism) -> list[int]:
    """Indices of the bodies that are links, one for each joint, in the table's order."""
    return [index for index, body in enumerate(mechanism.bodies) if not body.is_between]


def joint_wrenches(mechanism: Mechanism, velocity: Sequence[Scalar], acceleration: Sequence[Scalar]) -> Matrix:
    """[n; f] that each joint carries, links × 6 (N m, N): about the origin it moves, in the joint's own axes.

    That is what moves the links it carries with q̇ and q̈ against gravity and the mechanism's external wrenches. Its part
    along the joint's columns is the joint force of the links, without rotors and friction.
    """
    motions = body_motions(mechanism, velocity, acceleration, mechanism.gravity)
    carried, links = carried_wrenches(mechanism, motions), moving_links(mechanism)
    matrix = zeros(mechanism.domain, len(links), 6)
    for row, index in enumerate(links):
        matrix[row] = _in_joint_axes(mechanism.bodies[index], carried[index])
    return matrix


def _in_joint_axes(body: Body, wrench: tuple[Vector, Vector]) -> Vector:
    moment, force = wrench
    return vector([*body.joint_axes.to_child(moment), *body.joint_axes.to_child(force)])
