"""The regressor: joint forces are linear in the inertial parameters."""

from __future__ import annotations

import numpy as np

from symgen.verify import linear
from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import COLUMNS, NV, Entry, Identity, Pair, Signature
from symgen.verify.expected import Expected


def _regressor(at: Expected, _: Signature) -> list[Ball]:
    columns, state = at.setting.regressor, (at.q, at.qd, at.qdd)
    value = linear.regressor(at.oracle, columns, *state, at.gravity)
    return [at.ball(value, lambda by: linear.regressor_sizes(by, columns, *state, at.pull))]


def _product(subject: Comparison, _: Signature) -> Pair:
    return subject.one("regressor").times(np.array(subject.setting.regressor_values)), subject.expected.link_forces()


REGRESSOR = Entry(
    "regressor",
    ("q", "qd", "qdd"),
    ((NV, COLUMNS),),
    _regressor,
    gravity=True,
    known=lambda setting: bool(setting.regressor),
    identities=(
        Identity(
            "regressor times its parameters = joint forces of the links",
            (),
            _product,
            applies=lambda subject: bool(subject.setting.regressor_values),
            closed=True,
        ),
    ),
)
