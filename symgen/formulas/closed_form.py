"""`closed_form(robot)`: every quantity of the DeNOC formulation, derived when it is asked for."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from symgen.derive.options import choice, names
from symgen.errors import InputError, LimitError
from symgen.formulas.articulated import ArticulatedForms
from symgen.formulas.catalogue import BODY, CATALOGUE, FRAME, PAIR, filled, generic
from symgen.formulas.form import Family, Form
from symgen.formulas.robot_in_ring import FormStyle
from symgen.robot.library import load
from symgen.robot.loads import check_moves
from symgen.robot.model import Robot

__all__ = ["CATALOGUE", "ClosedForm", "FormStyle", "closed_form"]


def closed_form(
    robot: str | Path | Robot,
    *,
    parameters: str | Sequence[str] = "symbolic",
    inertia: str = "file",
    angles: str = "numeric",
    reference: str = "origin",
    axes: str = "link",
) -> ClosedForm:
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
    if loaded.has_loops:
        raise LimitError(
            f"{loaded.name}: closed forms are not known for robots with loops; leave the loops out of its file for "
            "those of its tree"
        )
    return ClosedForm(loaded, choices)


class ClosedForm(ArticulatedForms):
    """The closed forms of a robot.

    Indices of bodies, joints and entries count from 0. Block matrices are about the origins O_i on the joint axes or
    the mass centres C_i, in the axes of the links or of the base: see `FormStyle`. Where division makes closed forms
    explode (articulated bodies, U, D, I⁻¹, forward dynamics) they are sequences of named definitions; `Form.expanded`
    multiplies them out.
    """

    # by name -------------------------------------------------------------------------------------

    def quantity(self, name: str, bodies: Sequence[int] = (), frame: str | None = None) -> Form:
        """The form of a quantity of the catalogue; `bodies` are the bodies it belongs to, from 0."""
        choice("quantity", name, tuple(CATALOGUE))
        item = CATALOGUE[name]
        expected = {BODY: 1, PAIR: 2}.get(item.of, 0)
        if len(bodies) != expected:
            raise InputError(f"{name}: expected {expected} numbers of bodies, found {len(bodies)}")
        if frame is not None and item.of != FRAME:
            raise InputError(f"{name} belongs to no frame; frames are for forward_kinematics and jacobian")
        if item.of == FRAME:
            made: Form = getattr(self, name)(frame)
            return made
        found: Any = getattr(self, name)
        form: Form = found[tuple(bodies)] if expected else found
        return form

    def quantity_family(self, name: str) -> Family:
        """The family of a quantity that belongs to bodies."""
        family: Family = getattr(self, name)
        return family

    def __repr__(self) -> str:
        return f"<closed form of {self.robot.name}: {', '.join(CATALOGUE)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td><code>{item.name}{_index_text(item.of)}</code></td><td>${filled(item.symbol, 'ij')}$</td>"
            f"<td>{html.escape(generic(item))}</td></tr>"
            for item in CATALOGUE.values()
        )
        return f"<table><caption>Closed forms of {html.escape(self.robot.name)}</caption>{rows}</table>"


def _index_text(of: str) -> str:
    return {BODY: "[i]", PAIR: "[i, j]", FRAME: "(frame)"}.get(of, "")
