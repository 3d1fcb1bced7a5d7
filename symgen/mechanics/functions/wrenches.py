"""What joints carry: all six components of their wrenches, forces of constraint included."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from symgen.mechanics import joint_wrenches
from symgen.mechanics.functions.forces import multipliers
from symgen.mechanics.functions.quantity import QD, QDD, Dependent, Output, Q, Quantity, Scope, by
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import WRENCH
from symgen.mechanics.loops import reactions
from symgen.mechanics.mechanism import Mechanism


def _joint_wrench(mechanism: Mechanism) -> list[Any]:
    state = State(mechanism)
    if mechanism.plan is not None:
        closing = reactions.loads(mechanism, multipliers(state))
        mechanism = replace(mechanism, wrenches=(*mechanism.wrenches, *closing))
    return [joint_wrenches.joint_wrenches(mechanism, state.velocity, state.acceleration)]


def _of_joints(scope: Scope) -> Quantity:
    """The wrenches with their number."""
    mechanism = scope.mechanism()
    names = [mechanism.bodies[index].name for index in joint_wrenches.moving_links(mechanism)]
    return Quantity(
        "joint_wrench",
        "Wrenches [n; f] that the joints carry: of a link's carrier on the link, gravity included. Each is about the "
        "origin of the joint's frame as it moves with the link, in its axes, z on the joint's axis: the link's own "
        "frame in a modified table, the one before the row in a standard one, the link's own turned so that z lies on "
        "the axis where links are placed. Along the axis stands the joint force of the links, tau without friction, "
        "springs and rotors: of a rotor that is no link nothing is known but its inertia about the joint's axis, "
        "which acts in the drive. A joint of several coordinates has one wrench, a fixed one none: links fixed to "
        "others count as part of these. Forces of constraint depend on all inertial parameters, so none are grouped.",
        (Q, QD, QDD),
        (
            Output(
                "wrenches",
                (len(names), 6),
                f"moment n (3) and force f (3) on each link that a joint moves; rows: {', '.join(names)}",
                WRENCH,
                dimensions=("link", "component"),
            ),
        ),
        by("newton_euler", "recursive Newton-Euler in link frames", _joint_wrench),
        gravity=True,
        loads=True,
        framed=False,
        grouped=False,
        looped=True,
        reacting=True,
        at_cuts=False,
        note_of_loops="Cut joints act on links too, with the wrenches of cut_wrench; couplings act along joint axes.",
    )


JOINT_WRENCH = Dependent("joint_wrench", _of_joints)
