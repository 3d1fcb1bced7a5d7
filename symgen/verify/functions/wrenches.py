"""What joints carry."""

from __future__ import annotations

from symgen.verify import mass_sizes, masses
from symgen.verify.balls import Ball
from symgen.verify.entry import LINKS, Entry, Signature, knows_links
from symgen.verify.expected import Expected


def _joint_wrench(at: Expected, _: Signature) -> list[Ball]:
    value = masses.joint_wrench(at.oracle, at.q, at.qd, at.qdd, at.gravity, at.loads)
    return [at.ball(value, lambda by: mass_sizes.wrench_sizes(by, at.q, at.qd, at.qdd, at.pull, at.loads))]


JOINT_WRENCH = Entry(
    "joint_wrench",
    ("q", "qd", "qdd"),
    ((LINKS, 6),),
    _joint_wrench,
    gravity=True,
    loads=True,
    known=knows_links,
)
