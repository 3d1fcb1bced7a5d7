"""What the oracle must know of a derivation."""

from __future__ import annotations

from symgen.derive.derivation import Derivation
from symgen.verify.setting import Setting


def setting_of(derivation: Derivation) -> Setting:
    """The setting of the functions of a derivation."""
    subject, regressor = derivation.subject, derivation.module.regressor
    order = derivation.module.record.order
    return Setting(
        gravity=subject.runtime_gravity,
        wrenches=subject.wrenches,
        frames=subject.frames,
        axes=subject.axes,
        given=subject.given,
        base=subject.base_columns,
        real=derivation.module.real,
        blocks=tuple((block.rows, block.columns, float(block.size)) for block in subject.plan.blocks)
        if subject.robot.has_loops
        else (),
        order=() if order == tuple(sorted(order)) else order,
        regressor=regressor.columns if regressor is not None else (),
        regressor_values=tuple(item.default for item in regressor.parameters) if regressor is not None else (),
    )
