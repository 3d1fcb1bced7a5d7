"""Contact sets in robot files: reading, what is wrong, writing, and what becomes of them when trees change."""

import pytest
from contact_robots import HOPPER, five_bar, gripper, hopper, solo12

from symgen.cli.robot_views import robot_summary
from symgen.errors import InputError, LimitError, RobotFileError
from symgen.robot.choices import Choices
from symgen.robot.convert import converted
from symgen.robot.library import load
from symgen.robot.loops import ContactSet
from symgen.robot.model import BASE
from symgen.robot.reader import read_text
from symgen.robot.tabular import joint_grids
from symgen.robot.urdf.write import urdf_text
from symgen.robot.writer import robot_text


def test_loops_of_sets_are_switched_and_others_stay():
    assert [cut.name for cut in five_bar().cut_joints] == ["tip"]
    assert [cut.name for cut in five_bar().switched] == ["pin", "slider"]
    assert five_bar().constraints == 5
    assert five_bar().contacts == (ContactSet("pinned", ("pin",)), ContactSet("sliding", ("slider",)))
    assert not solo12().has_loops
    assert solo12().independent == tuple(range(18))
    assert [cut.name for cut in solo12().contact_loops["trot_right"]] == ["FR", "HL"]


SETS = 'stance = ["sole"]'

WRONG = {
    "stance = []": ["contacts.stance: names no loop; name those"],
    'stance = ["heel"]': ["contacts.stance[1]: no loop is called 'heel'; there are: sole"],
    'stance = ["sole", "sole"]': ["contacts.stance[2]: 'sole' is named twice"],
    '"left foot" = ["sole"]': ["must be a letter followed by letters, digits and underscores", "functions carry it"],
    "stance = 3": ["contacts.stance: expected a table [contacts] of sets, each with the names of its loops"],
    "stance = [3]": ["contacts.stance[1]: expected a table [contacts]"],
    SETS + "\n[posture]\nroot = 1": [
        "posture: only robots with [[loops]] or [[couplings]] have this key; those of [contacts] take"
    ],
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_said(text):
    with pytest.raises(RobotFileError) as caught:
        read_text(HOPPER.replace(SETS, text), "hopper.toml")
    for words in WRONG[text]:
        assert words in str(caught.value)


def test_a_loop_that_is_switched_has_no_branch():
    text = HOPPER.replace('joint = "spherical"\n', 'joint = "spherical"\nbranch = "left"\n')
    with pytest.raises(RobotFileError, match=r"loops\[1\].branch: a loop of a contact set has no branch"):
        read_text(text, "hopper.toml")


@pytest.mark.parametrize("robot", [hopper, gripper, five_bar, solo12])
def test_they_are_written_as_they_are_read(robot):
    assert read_text(robot_text(robot()), "written.toml") == robot()


def test_a_file_beside_a_robots_own_brings_sets(tmp_path):
    path = tmp_path / "feet.toml"
    path.write_text(
        '[[loops]]\nname = "tip"\njoint = "spherical"\n'
        'predecessor = { link = "base" }\nsuccessor = { link = "link6" }\n'
        '[contacts]\ntouch = ["tip"]\n'
    )
    robot = load("puma", loops=path)
    assert (robot.cut_joints, robot.contacts) == ((), (ContactSet("touch", ("tip",)),))
    path.write_text('[contacts]\nhop = ["FL", "FR"]\n')
    robot = load("solo12", loops=path)
    assert robot.contacts[-1] == ContactSet("hop", ("FL", "FR"))
    path.write_text('[contacts]\nstance = ["FL", "FR"]\n')
    with pytest.raises(RobotFileError, match=r"contacts.stance: the name 'stance' is taken already"):
        load("solo12", loops=path)


def test_what_is_left_of_a_robot_keeps_its_loops():
    leg = load("solo12", tip="FR_FOOT")
    assert leg.contacts == (ContactSet("stance", ("FR",)), ContactSet("trot_right", ("FR",)))
    assert leg.links[leg.switched[0].successor.link].name == "FR_FOOT"
    with pytest.raises(InputError, match=r"the loop 'palm' ties 'hand' to 'object', which is left out"):
        Choices.of(tip="hand").applied(gripper())
    opened = load("solo12", loops="open")
    assert (opened.switched, opened.contacts) == ((), ())


def test_the_world_stays_where_it_is_when_the_base_moves():
    text = HOPPER.replace('joint = "planar"', 'joint = "revolute"')
    moved = Choices.of(base="floating").applied(read_text(text, "hopper.toml"))
    (cut,) = moved.switched
    assert cut.predecessor.link == BASE
    assert moved.links[cut.successor.link].name == "shank"


def test_loads_leave_them_on_their_links():
    laden = load("solo12", attach="FL_UPPER_LEG:1:0,0,0")
    assert [laden.links[cut.successor.link].name for cut in laden.switched] == [
        "FL_FOOT",
        "FR_FOOT",
        "HL_FOOT",
        "HR_FOOT",
    ]


def test_they_are_shown():
    grids = {grid.title: grid.rows for grid in joint_grids(solo12())}
    assert ("stance", "FL, FR, HL, HR", "12") in grids["contact sets: loops that are closed together, at some times"]
    assert robot_summary(solo12())["contacts"]["trot_left"] == ["FL", "HR"]


def test_other_formats_lose_them_and_say_so():
    assert "contact sets: stance, trot_left, trot_right" in urdf_text(solo12()).losses
    robot = read_text(HOPPER.replace('convention = "placed"', 'convention = "standard"'), "hopper.toml")
    with pytest.raises(LimitError, match="robots with cut joints stay in the convention of their file"):
        converted(robot, "modified")
