"""What controllers ask for of robots with loops: C and İ = C + Cᵀ of the independent joints, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symgen.verify import control
from symgen.verify.balls import Ball
from symgen.verify.geometry import Floats
from symgen.verify.loops.derivatives import coriolis_matrix, matrix_rate
from symgen.verify.loops.stirring import stirred

if TYPE_CHECKING:
    from symgen.verify.loops.expected import Closed


def inertia_rate(at: Closed) -> Ball:
    """İ (…, ni, ni)."""
    coriolis = coriolis_matrix(at)
    return coriolis + coriolis.transposed


def reference_torque(at: Closed, v: Floats, a: Floats) -> Ball:
    """I a + C v + gravity (…, ni)."""
    return at.inertia.times(a) + coriolis_matrix(at).times(v) + at.weight


def reference_link_forces(at: Closed, v: Floats, a: Floats) -> Ball:
    """The same without rotors, which need Gᵀ R (G a + Ġ v)."""
    rotors = at.oracle.drives.rotors
    return reference_torque(at, v, a) - at.matrix.transposed.times(_push(at, v, a) * rotors)


def regressor(at: Closed, v: Floats, a: Floats) -> Ball:
    """Gᵀ Y (…, ni, p), with Y of the tree at G v and G a + Ġ v."""
    columns, gravity = at.setting.regressor, at.gravity

    def of(speed: Floats, asked: Floats, push: Floats) -> Ball:
        state = (at.q, speed, asked, push)
        value = control.slotine_li_regressor(at.oracle, columns, *state, gravity)
        return at.ball(value, lambda by: control.regressor_sizes(by, columns, *state, at.pull))

    return at.matrix.transposed @ stirred(of, at.velocity, at.matrix.times(v), _push(at, v, a))


def _push(at: Closed, v: Floats, a: Floats) -> Ball:
    """G a + Ġ v (…, nv)."""
    return at.matrix.times(a) + matrix_rate(at).times(v)
