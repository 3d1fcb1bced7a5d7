"""Arguments and results: shapes in numbers, and names of dimensions that are all different."""

import pytest
from robot_text import head, link

from symgen.derive.arguments import dimensions, numbers
from symgen.mechanics.functions.quantity import NQ, NV
from symgen.robot.library import load
from symgen.robot.reader import read_text

ARM = load("puma")
FLOATING = read_text(head() + link(joint='"floating"') + link(name='"arm"'), "floating")

DIMENSIONS = [
    ((), ()),
    ((NV,), ("joint",)),
    ((NV, NV), ("joint", "joint_2")),
    ((NV, NV, NV), ("joint", "joint_2", "joint_3")),
    ((6, NV), ("component", "joint")),
    ((3,), ("axis",)),
    ((4, 4), ("row", "column")),
    ((6, 6), ("component", "component_2")),
    ((2, 2, 2), ("row", "column", "column_2")),
]


@pytest.mark.parametrize("robot", [ARM, FLOATING], ids=["arm", "floating"])
@pytest.mark.parametrize(("shape", "names"), DIMENSIONS)
def test_dimensions_have_names(robot, shape, names):
    assert dimensions(shape, robot) == names


def test_positions_share_a_dimension_with_velocities_only_if_there_are_as_many():
    assert dimensions((NQ,), ARM) == dimensions((NV,), ARM) == ("joint",)
    assert dimensions((NQ,), FLOATING) == ("position",)


def test_extents_are_those_of_the_robot():
    assert numbers((NQ, NV, 4), ARM) == (6, 6, 4)
    assert numbers((NQ, NV, 4), FLOATING) == (8, 7, 4)
