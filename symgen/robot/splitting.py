"""The constant transforms on either side of a joint's motion, from what the user wrote of the link.

Standard rows, Rz(θ) Tz(b) Tx(a) Rx(α), are split at the joint: what moves with the link comes after its motion.
Modified rows, Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r), end at the joint, so that all of them comes before (θ and r act on
the same axis and commute). Placed links: see `placed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symgen.algebra.exact import Exact
from symgen.robot import placed
from symgen.robot.model import Elementary, Joint, Link, Placement, Row


def split(convention: str, joint: Joint, row: Row) -> tuple[Placement, Placement]:
    """(before, after) of a row: the constant transforms on either side of the joint's motion."""
    shift = joint.shift
    turn_z, shift_z = Elementary(True, 2, row.theta), Elementary(False, 2, row.b)
    length, twist = Elementary(False, 0, row.a), Elementary(True, 0, row.alpha)
    if convention == "modified":
        branch = (Elementary(True, 2, row.gamma), Elementary(False, 2, row.before))
        return _nonzero(*branch, twist, length, turn_z, shift_z, Elementary(False, 2, shift)), ()
    return (
        _nonzero(turn_z, Elementary(False, 2, shift)),
        _nonzero(shift_z, length, twist),
    )


def jointed(convention: str, link: Link, joint: Joint, defaults: Mapping[str, Exact]) -> Link:
    """The link on another joint, where it was: its transforms are those of its row or place with this joint."""
    before, after = link.before, link.after
    if link.row is not None:
        before, after = split(convention, joint, link.row)
    elif link.placed is not None:
        before, after = placed.split(joint, link.placed, defaults)
    return replace(link, joint=joint, before=before, after=after)


def _nonzero(*parts: Elementary) -> Placement:
    return tuple(part for part in parts if not part.amount.is_zero)
