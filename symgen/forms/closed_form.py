"""`closed_form(robot)`: every quantity of the DeNOC formulation, derived when it is asked for."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from symgen.algebra.domain import vector
from symgen.algebra.prime import PrimeField
from symgen.algebra.vanishing import SEEDS
from symgen.errors import InputError
from symgen.forms.catalogue import BODY, CATALOGUE, FRAME, PAIR, filled, generic, quantity
from symgen.forms.dynamic import DynamicForms
from symgen.forms.form import Family, Form
from symgen.forms.subject import Choices
from symgen.mechanics import composite, factorization
from symgen.mechanics.elimination import ArticulatedBodies, articulated_bodies
from symgen.options import choice, names
from symgen.robot.library import load
from symgen.robot.model import Robot

__all__ = ["CATALOGUE", "Choices", "ClosedForm", "closed_form"]


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
    choices = Choices(
        parameters if isinstance(parameters, str) else names("parameter", parameters), inertia, angles, reference, axes
    )
    return ClosedForm(load(robot), choices)


class ClosedForm(DynamicForms):
    """The closed forms of a robot.

    Indices of bodies, joints and entries count from 0. Block matrices are about the origins O_i on the joint axes or
    the mass centres C_i, in the axes of the links or of the base: see `Choices`. Where division makes closed forms
    explode (U, D, M̂_i, ψ̂_i, I⁻¹) they are sequences of named definitions; `Form.expanded` multiplies them out.
    """

    # with division: sequences of definitions ---------------------------------------------------------

    @cached_property
    def _articulated(self) -> ArticulatedBodies:
        self._check_inertia()
        return articulated_bodies(self._blocks_of(self._named.mechanism))

    @cached_property
    @quantity(r"\hat{M}_{#1}", "mass matrix of articulated body #1", "SI", BODY, blocks=True)
    def articulated_mass_matrices(self) -> Family:
        """M̂_i, 6×6: body i and all it carries, the joints beyond left free (1999, eqs. (46) to (50))."""
        return self._bodies(
            "articulated_mass_matrices",
            lambda i: self._form(
                "articulated_mass_matrices",
                (6, 6),
                lambda: self._articulated.inertias[i],
                of=(i,),
                subject=self._named,
            ),
        )

    @cached_property
    @quantity(r"\hat{\psi}_{#1}", "psi-hat of body #1, M-hat p", "SI", BODY, blocks=True)
    def psi_hats(self) -> Family:
        """ψ̂_i = M̂_i p_i, 6: the wrench that a unit acceleration of joint i needs (1999, eq. (47))."""
        return self._bodies(
            "psi_hats",
            lambda i: self._form(
                "psi_hats", (6,), lambda: self._articulated.psi_hat[self._velocity_of(i)], of=(i,), subject=self._named
            ),
        )

    def _velocity_of(self, body: int) -> int:
        return self._mechanism.bodies[body].velocities[0]

    @cached_property
    @quantity("U", "unit upper triangular factor of I = U D U^T", "ratio")
    def U(self) -> Form:  # noqa: N802 — the papers' name
        """U, nv×nv, of I = U D Uᵀ, by articulated bodies (1999, eqs. (40) to (55))."""
        return self._form("U", (self._nv, self._nv), lambda: self._articulated.U, subject=self._named)

    @cached_property
    @quantity("D", "diagonal of D in I = U D U^T: m-hat, the articulated inertias of the joints", "inertia")
    def D(self) -> Form:  # noqa: N802 — the papers' name
        """The diagonal of D, nv: m̂_i = p_iᵀ M̂_i p_i, what joint i has to move with the joints beyond left free."""
        return self._form("D", (self._nv,), lambda: vector(self._articulated.pivots), subject=self._named)

    @cached_property
    @quantity(r"I^{-1}", "inverse of the generalized inertia matrix", "mobility")
    def inverse_inertia_matrix(self) -> Form:
        """I⁻¹, nv×nv, from U and D."""
        return self._form("inverse_inertia_matrix", (self._nv, self._nv), self._inverse, subject=self._named)

    def _inverse(self) -> Any:
        self._check_inertia()
        mechanism, ring = self._named.mechanism, self._named.ring
        with ring.expanding():
            entries = composite.inertia_matrix(mechanism)
        for i in range(self._nv):
            for j in range(i, self._nv):
                entries[i, j] = entries[j, i] = ring.define(f"I{i + 1}_{j + 1}", entries[i, j])
        return factorization.inverse(ring, factorization.factorize(ring, entries))

    def _check_inertia(self) -> None:
        """`InputError` where the inertia of a joint is identically zero: the elimination would divide by it.

        Decided at a random point of a prime field, since the pivots do not show it in every choice of axes.
        """
        domain = PrimeField(self._plain.ring.radicands(), SEEDS[0])
        try:
            factorization.factorize(domain, composite.inertia_matrix(self._plain.mechanism_over(domain)))
        except factorization.ZeroPivotError as error:
            joint = f"joint {error.joint + 1} ({self.robot.joints[error.joint].name})"
            raise InputError(
                f"{self.robot.name}: the inertia matrix is singular, and what divides by it does not exist: the "
                f"inertia of {joint} vanishes, since no mass or inertia between it and the joints beyond resists its "
                "motion; give a link there mass or inertia"
            ) from None

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
