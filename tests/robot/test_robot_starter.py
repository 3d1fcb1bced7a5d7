"""The file to begin with: it works as it is, and so does every key it explains."""

import re

import pytest

from symgen.errors import InputError
from symgen.robot.loops_file import closed
from symgen.robot.names import robot_problem
from symgen.robot.reader import read_text
from symgen.robot.schema import (
    AxesTable,
    CouplingTable,
    EndTable,
    FrameTable,
    InertiaTable,
    LinkTable,
    LoopTable,
    PoseTable,
    RobotTable,
    ToolTable,
)
from symgen.robot.starter import MAX_JOINTS, robot_name, starter_text

CONVENTIONS = ["standard", "modified"]


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("joints", [1, 2, 3, MAX_JOINTS])
def test_it_loads_without_notices(convention, joints):
    robot = read_text(starter_text("my_arm", convention, joints), "my_arm.toml")
    assert (robot.name, robot.convention, robot.nv) == ("my_arm", convention, joints)
    assert robot.notices == ()


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_keys_that_are_commented_out_work_too(convention):
    text = re.sub(r"(?m)^# (?=\[|[a-z_]+ = )", "", starter_text("my_arm", convention))
    robot = read_text(text, "my_arm.toml")
    assert robot.notices == ()
    assert [frame.name for frame in robot.frames] == ["tool", "camera"]
    assert robot.joints[0].name == "shoulder"
    assert not robot.joints[0].drive.viscous.is_zero
    assert robot.base


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_keys_of_loops_are_a_file_of_their_own(tmp_path, convention):
    text = starter_text("my_arm", convention)
    path = tmp_path / "loops.toml"
    path.write_text("".join(f"{line}\n" for line in re.findall(r"(?m)^# # (.*)$", text)), encoding="utf-8")
    robot = closed(read_text(text, "my_arm.toml"), path)
    assert [cut.name for cut in robot.cut_joints] == ["pin"]
    assert {name: [cut.name for cut in cuts] for name, cuts in robot.contact_loops.items()} == {"stance": ["foot"]}
    assert robot.couplings[0].terms == (("joint1", 1), ("joint2", -2))
    assert (robot.actuated, [name for name, _ in robot.posture]) == (("joint1",), ["joint1"])


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_key_is_explained(convention):
    text = starter_text("my_arm", convention)
    keys = {key for table in (PoseTable, ToolTable, FrameTable, AxesTable, InertiaTable) for key in table.model_fields}
    keys |= {key for table in (EndTable, LoopTable, CouplingTable) for key in table.model_fields}
    keys |= {*RobotTable.model_fields, *LinkTable.model_fields} - {"b", "d", "gamma", "before", "xy", "xz", "yz"}
    keys -= {"xy", "xz", "yz"}
    keys |= {"gamma", "before", "d"} if convention == "modified" else {"b"}
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", text)] == []


def test_it_keeps_to_the_page():
    for convention in CONVENTIONS:
        assert all(len(line) <= 120 for line in starter_text("my_arm", convention).splitlines())


@pytest.mark.parametrize("stem", ["my_arm", "my arm", "7dof-arm", "Ärm", "for", ""])
def test_names_are_made_of_file_names(stem):
    assert robot_problem(robot_name(stem)) is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("a b",), "must be a letter followed by"),
        (("con",), "device"),
        (("arm", "craig"), "unknown convention 'craig'; there are: standard, modified"),
        (("arm", "standard", 0), "between 1 and 100 joints, found 0"),
        (("arm", "standard", 101), "between 1 and 100 joints, found 101"),
    ],
)
def test_bad_requests_are_told(arguments, words):
    with pytest.raises(InputError, match=words):
        starter_text(*arguments)
