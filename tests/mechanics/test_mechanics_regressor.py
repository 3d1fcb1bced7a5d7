"""The regressor times any inertial parameters is the joint forces of bodies that have them."""

from __future__ import annotations

import pytest
from proving import SEEDS, equal, inverse_dynamics, library, rates
from strategies import seeded_robot

from symgen.algebra.prime import PrimeField
from symgen.mechanics.grouping import STEMS, inertia_of, with_inertias
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.regressor import REGRESSORS, columns, parameter_values, regressor

RADICANDS = frozenset((2, 3, 5, 6, 7, 11, 13))
ROBOTS = [*library(), *map(seeded_robot, SEEDS)]


@pytest.mark.parametrize("kind", REGRESSORS)
@pytest.mark.parametrize("robot", ROBOTS, ids=lambda robot: robot.name)
def test_regressor_times_parameters_is_tau(robot, kind):
    mechanism = instantiate(robot, PrimeField(RADICANDS))
    domain = mechanism.domain
    inertias = [
        inertia_of(domain, {stem: domain.parameter(f"{stem} {body.number}") for stem in STEMS})
        for body in mechanism.bodies
    ]
    general = with_inertias(mechanism, inertias)
    Y = regressor(mechanism, kind, *rates(mechanism))
    values = parameter_values(general, kind)
    assert Y.shape == (robot.nv, len(values)) == (robot.nv, len(columns(mechanism, kind)))
    products = [sum((a * b for a, b in zip(row, values, strict=True)), start=domain.constant(0)) for row in Y]
    assert equal(products, inverse_dynamics(general))


def test_standard_columns_are_all_ten_of_every_moving_link():
    mechanism = instantiate(library()[0], PrimeField(RADICANDS))
    found = columns(mechanism, "standard")
    assert found[:10] == [(0, stem) for stem in STEMS]
    assert len(found) == 10 * mechanism.nv
