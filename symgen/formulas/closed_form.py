"""`closed_form(robot)`: every quantity of the DeNOC formulation, derived when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from symgen.derive.loop_branches import on_branches
from symgen.derive.options import names
from symgen.errors import LimitError
from symgen.formulas.articulated import ArticulatedForms
from symgen.formulas.by_name import NamedForms
from symgen.formulas.catalogue import CATALOGUE
from symgen.formulas.legged import LeggedForms
from symgen.formulas.looped import LOOPED
from symgen.formulas.robot_in_ring import FormStyle
from symgen.robot.library import load
from symgen.robot.loads import check_moves
from symgen.robot.model import Robot

__all__ = ["CATALOGUE", "LOOPED", "ClosedForm", "FormStyle", "LoopedClosedForm", "closed_form"]


def closed_form(
    robot: str | Path | Robot,
    *,
    parameters: str | Sequence[str] = "symbolic",
    inertia: str = "file",
    angles: str = "numeric",
    reference: str = "origin",
    axes: str = "link",
) -> ClosedForm | LoopedClosedForm:
    """The closed forms of a robot: exact formulas of its kinematics and dynamics, derived when they are asked for.

    `parameters`: "symbolic" makes a symbol of every number of the table but angles (m2, Ixx2, a2, and g), "numeric"
    none, a list of names these. `inertia`: the inertial parameters of the "file"; those about the "frame" origins on
    the joint axes (M2, MX2, XX2, …), in which dynamics is linear; or "base" parameters, regrouped as far as the joint
    forces allow (ZZR2, …). `angles`: "symbolic" makes symbols of twists and offsets too; formulas get much longer.
    `reference` and `axes` are those of block matrices: "origin" O_i or "mass_centre" C_i; "link" or "base" axes.

    >>> closed_form("planar2r").gravity_torque.entry(1)
    gravity_torque[2] = 0.5*g*m2*L2*c12
    """
    choices = FormStyle(
        parameters if isinstance(parameters, str) else names("parameter", parameters), inertia, angles, reference, axes
    )
    loaded = load(robot)
    check_moves(loaded)
    return LoopedClosedForm(on_branches(loaded), choices) if loaded.has_loops else ClosedForm(loaded, choices)


class ClosedForm(ArticulatedForms, NamedForms):
    """The closed forms of a robot.

    Indices of bodies, joints and entries count from 0. Block matrices are about the origins O_i on the joint axes or
    the mass centres C_i, in the axes of the links or of the base: see `FormStyle`. Where division makes closed forms
    explode (articulated bodies, U, D, I⁻¹, forward dynamics) they are sequences of named definitions; `Form.expanded`
    multiplies them out.
    """


class LoopedClosedForm(LeggedForms, NamedForms):
    """The closed forms of a robot with loops: of its constraints, and of dynamics in the independent joints.

    Rates, accelerations and forces (qd1, qdd1, tau1, …) are those of the independent joints, in order; q is that of the
    whole tree. What divides comes as sequences of named definitions; `Form.expanded` multiplies them out.
    """

    def __getattr__(self, name: str) -> Any:
        if name in CATALOGUE:
            raise LimitError(
                f"{self.robot.name}: {name} has no closed form for robots with loops; there are: {', '.join(LOOPED)} "
                "(leave the loops out of its file for those of its tree)"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
