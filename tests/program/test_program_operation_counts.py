"""Operation counts of whole robots: those of today exactly, the limits that must hold, and how they grow."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import operation_counts as table
import pytest
from derivations import counts, derivation, searched

from symgen.derive.derivation import Derivation, Options, derive
from symgen.program.program import Op
from symgen.robot.expression import constant
from symgen.robot.library import chain, load
from symgen.robot.model import Robot
from symgen.robot.splitting import split

INVERSE = ("inverse_dynamics",)
FORWARD = ("forward_dynamics",)


@pytest.mark.parametrize("robot", table.COUNTS)
def test_counts_of_today(robot):
    """The most used functions after a search, the others without; no pass costs anything."""
    derived = derivation(robot), searched(robot)
    found = {name: c for each in derived for name, c in counts(each).items()}
    assert {name: (c.mul, c.add, c.div, c.trig) for name, c in found.items()} == table.COUNTS[robot]
    assert all(c.sqrt == c.hoisted == 0 for c in found.values())
    for steps in (steps for each in derived for steps in each.steps.values()):
        assert steps[0].group == "derived"
        assert all(after.counts.total <= before.counts.total for before, after in pairwise(steps))


@pytest.mark.parametrize(("robot", "function"), table.LIMITS)
def test_limits(robot, function):
    mul, add, _, _ = table.COUNTS[robot][function]
    assert mul + add <= table.LIMITS[robot, function]


@pytest.mark.parametrize("robot", table.COUNTS)
def test_every_divisor_divides_once(robot):
    """What is divided by the same value more than once is multiplied by its reciprocal."""
    for derived in (derivation(robot), searched(robot)):
        for function in derived.module.functions:
            divisors = [i.args[1] for i in function.program.instructions if i.op is Op.DIV]
            assert len(set(divisors)) == len(divisors), function.name


AVOIDING = (
    "coriolis_product",
    "coriolis_transpose_velocity",
    "inertia_rate",
    "generalized_momentum",
    "reference_torque",
)
"""Functions that controllers ask for in place of matrices."""


def assert_cheaper(found: dict[str, int], n: int) -> None:
    """Operations of functions against those of the matrices that they avoid, with the products by vectors.

    Of few joints some are by the matrix: then they are equal.
    """
    C, M, product = found["coriolis_matrix"], found["inertia_matrix"], n * (2 * n - 1)
    assert found["coriolis_product"] <= C + product
    assert found["coriolis_transpose_velocity"] < C + product
    assert found["inertia_rate"] < C + n * (n + 1) // 2
    assert found["generalized_momentum"] <= M + product
    assert found["reference_torque"] < C + M + found["gravity_torque"] + 2 * (product + n)
    if n > 3:
        assert max(found["coriolis_product"], found["coriolis_transpose_velocity"], found["inertia_rate"]) < C


@pytest.mark.parametrize("robot", table.COUNTS)
def test_what_avoids_a_matrix_costs_less(robot):
    """All of them as they are without a search."""
    found = {name: each.total for name, each in counts(derivation(robot)).items()}
    assert_cheaper(found, load(robot).nv)


@pytest.mark.parametrize("robot", ["solo12", "allegro_hand", "five_bar", "ankle", "rrr3"])
def test_it_does_in_trees_and_loops_too(robot):
    names = (*AVOIDING, "coriolis_matrix", "inertia_matrix", "gravity_torque")
    found = counts(derive(load(robot), Options(functions=names, effort="low")))
    assert_cheaper({name: each.total for name, each in found.items()}, len(load(robot).independent))


def general(n: int) -> Robot:
    """`chain(n)` with a twist that is no right angle at every joint."""
    links = []
    for i, link in enumerate(chain(n).links):
        twist = constant(Fraction(3 + i, 10))
        row = replace(link.row, alpha=twist)
        before, after = split("standard", link.joint, row)
        links.append(replace(link, row=row, before=before, after=after))
    return replace(chain(n), links=tuple(links))


def only(derived: Derivation) -> tuple[int, ...]:
    """Multiplications, additions, divisions, sines and cosines of the one function."""
    (found,) = counts(derived).values()
    return found.mul, found.add, found.div, found.trig


def test_general_6r():
    mul, add, _, _ = only(derive(general(6), Options(functions=INVERSE, parameters="symbolic")))
    assert mul + add <= table.GENERAL_6R_INVERSE_DYNAMICS
    assert (mul, add) == (382, 313)


GROWTH = {
    "inverse_dynamics": (Options(functions=INVERSE, parameters="symbolic", effort="low"), (62, 59, 0, 2)),
    "articulated bodies": (
        Options(functions=FORWARD, forward_dynamics="aba", parameters="symbolic", effort="low"),
        (160, 154, 1, 2),
    ),
    "gravity_torque": (Options(functions=("gravity_torque",), parameters="symbolic", effort="low"), (12, 8, 0, 2)),
}


@pytest.mark.parametrize(("options", "per_link"), GROWTH.values(), ids=GROWTH)
def test_recursions_grow_by_the_same_operations_with_every_link(options, per_link):
    found = [only(derive(chain(n), options)) for n in range(5, 9)]
    steps = [tuple(b - a for a, b in zip(first, second, strict=True)) for first, second in pairwise(found)]
    assert steps == [per_link] * 3


@pytest.mark.parametrize(("n", "algorithm"), [(3, "U D U^T"), (6, "U D U^T"), (13, "articulated")])
def test_forward_dynamics_takes_the_cheaper_algorithm(n, algorithm):
    auto, udu, aba = (
        derive(chain(n), Options(functions=FORWARD, forward_dynamics=choice)) for choice in ("auto", "udu", "aba")
    )
    assert sum(only(auto)) == min(sum(only(udu)), sum(only(aba)))
    assert algorithm in auto.module.functions[0].formulation


def test_a_long_chain():
    """Nothing recurses in Python, whatever the number of links."""
    mul, add, _, trig = only(derive(chain(150), Options(functions=INVERSE)))
    assert mul + add < 150 * 140
    assert trig == 298
