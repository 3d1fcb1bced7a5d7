"""Operation counts of whole robots: those of today exactly, the limits that must hold, and how they grow."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import operation_counts as table
import pytest
from derivations import counts, derivation

from symgen.derivation import Derivation, Options, derive
from symgen.robot.expression import constant
from symgen.robot.library import chain
from symgen.robot.model import Robot
from symgen.robot.rows import split

INVERSE = ("inverse_dynamics",)
FORWARD = ("forward_dynamics",)


@pytest.mark.parametrize("robot", table.COUNTS)
def test_counts_of_today(robot):
    found = {name: (c.mul, c.add, c.div, c.trig) for name, c in counts(derivation(robot, effort="normal")).items()}
    assert {name: found[name] for name in table.COUNTS[robot]} == table.COUNTS[robot]
    assert all(c.sqrt == c.hoisted == 0 for c in counts(derivation(robot, effort="normal")).values())


@pytest.mark.parametrize(("robot", "function"), table.LIMITS)
def test_limits(robot, function):
    assert counts(derivation(robot, effort="normal"))[function].arithmetic <= table.LIMITS[robot, function]


@pytest.mark.parametrize("robot", table.COUNTS)
def test_passes_never_cost(robot):
    for steps in derivation(robot, effort="normal").steps.values():
        for before, after in pairwise(steps):
            assert after.counts.total <= before.counts.total
        assert steps[0].group == "derived"


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
    mul, add, _, _ = only(derive(general(6), Options(functions=INVERSE, parameters="symbolic", effort="normal")))
    assert mul + add <= table.GENERAL_6R_INVERSE_DYNAMICS
    assert (mul, add) == (431, 369)


GROWTH = {
    "inverse_dynamics": (Options(functions=INVERSE, parameters="symbolic", effort="low"), (71, 68, 0, 2)),
    "articulated bodies": (
        Options(functions=FORWARD, forward_dynamics="aba", parameters="symbolic", effort="low"),
        (181, 170, 1, 2),
    ),
    "gravity_torque": (Options(functions=("gravity_torque",), parameters="symbolic", effort="low"), (25, 19, 0, 2)),
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
