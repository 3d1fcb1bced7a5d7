"""Code of functions of n operations per link grows no faster than the robot, and where there are loops much slower."""

import pytest
from urdf_text import general_chain

from symgen.derive.derivation import Options, derive
from symgen.emit.registry import language
from symgen.program.counts import count
from symgen.robot.library import chain
from symgen.robot.urdf.build import robot_of

ALL = ("inverse_dynamics", "bias_torque", "forward_dynamics")
SIZES = (20, 40, 80)


def module(robot, functions=ALL):
    return derive(robot, Options(functions=functions, forward_dynamics="aba", effort="low")).module


@pytest.fixture(scope="module")
def modules():
    return [module(chain(size)) for size in SIZES]


@pytest.fixture(scope="module")
def general():
    return [
        module(robot_of(general_chain(size).encode(), "general.urdf"), ("inverse_dynamics",)) for size in (4, 8, 12)
    ]


def lines(made, name, suffix):
    return language(name).write(made)[f"{made.name}{suffix}"].count("\n")


@pytest.mark.parametrize(("name", "suffix"), [("c", ".c"), ("c", "_batch.c"), ("js", ".mjs"), ("rust", "/src/lib.rs")])
def test_loops_do_not_grow_with_the_chain(modules, name, suffix):
    """But for tables, a line for each link, and for turns that are not like the others."""
    first, *others = (lines(made, name, suffix) for made in modules)
    assert max(others) < 1.5 * first


def test_straight_code_grows_by_as_much_for_every_link(modules):
    first, second, third = (lines(made, "python", ".py") for made in modules)
    assert third - second == pytest.approx(2 * (second - first), rel=0.02)


@pytest.mark.parametrize("name", ["c", "js", "python", "rust"])
def test_chains_without_any_zero_grow_linearly(general, name):
    """Even where every joint is placed and turned anyhow, and no two numbers are alike."""
    sizes = [len(str(language(name).write(made))) for made in general]
    assert sizes[2] - sizes[1] < 1.15 * (sizes[1] - sizes[0])


def test_operations_of_chains_without_any_zero_grow_linearly(general):
    first, second, third = (count(made.functions[0].program).total for made in general)
    assert third - second == pytest.approx(second - first, rel=0.05)
