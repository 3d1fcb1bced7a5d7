"""Files written for the user: checked before they are written, never half-written, never over what is there."""

from dataclasses import replace
from pathlib import Path

import pytest
from robot_text import MASSLESS, head, link
from urdf_text import chain

from symgen.cli import conversion
from symgen.errors import EnvironmentFault, InputError, InternalError, LimitError
from symgen.robot import library
from symgen.robot.convert import converted
from symgen.robot.reader import read_text
from symgen.robot.urdf.build import robot_of


def test_a_conversion_is_checked():
    result = conversion.convert(library.load("ur5"), "modified")
    assert result.error < 1e-14
    assert replace(read_text(result.text, "ur5"), notices=()) == replace(result.robot, notices=())
    assert (result.given.convention, result.robot.convention) == ("standard", "modified")


def test_a_robot_in_that_convention_is_only_written_anew():
    result = conversion.convert(library.load("panda"), "modified")
    assert result.error == 0
    assert result.text.startswith('name = "panda"\n')
    assert result.robot == library.load("panda")


def test_notices_of_the_converted_robot_name_its_own_places():
    robot = read_text(head() + link(alpha="1.57", inertia="{ xx = 1, yy = 1, zz = 5 }") + link(), "arm.toml")
    notices = conversion.convert(robot, "modified").robot.notices
    assert [notice.split(" (")[0] for notice in notices] == [
        "links[1].inertia.frame.rpy[1]",
        "links[2].alpha",
    ]


@pytest.mark.parametrize("changes", [{"a": "1e20"}, {"a": "1e99", "mass": "1e90"}, {"a": "1e-90", "alpha": '"pi/7"'}])
def test_a_right_conversion_is_not_blamed_for_rounding(changes):
    robot = read_text(head() + link(**changes) + link(alpha='"atan2(3, 7)"') + link(**changes), "arm.toml")
    result = conversion.convert(robot, "modified")
    assert result.error < 1e-9
    assert conversion.convert(result.robot, "standard").error < 1e-9


def test_a_wrong_conversion_is_found_out_among_large_numbers(monkeypatch):
    def wrong(robot, convention):
        result = converted(robot, convention)
        return replace(result, links=(*result.links[:-1], replace(result.links[-1], inertia=result.links[0].inertia)))

    monkeypatch.setattr(conversion, "converted", wrong)
    robot = read_text(head() + link(a="1e20") + link(alpha="1") + link(a="2e20", com="[1e20, 3, 4]"), "arm.toml")
    with pytest.raises(InternalError, match="joint forces differ"):
        conversion.convert(robot, "modified")


@pytest.mark.parametrize("fault", ["reads", "moves"])
def test_a_wrong_conversion_is_never_shown(monkeypatch, fault):
    def wrong(robot, convention):
        result = converted(robot, convention)
        return replace(result, links=(*result.links[:-1], replace(result.links[-1], inertia=result.links[0].inertia)))

    if fault == "moves":
        monkeypatch.setattr(conversion, "converted", wrong)
    else:
        monkeypatch.setattr(conversion, "robot_text", lambda robot: head() + link())
    with pytest.raises(InternalError, match="joint forces differ" if fault == "moves" else "does not read back"):
        conversion.convert(library.load("puma"), "modified")


# URDFs -------------------------------------------------------------------------------------------------

LIMITED = "{ lower = -1, upper = 1, velocity = 2, effort = 3 }"
UNSAID = {
    "spring": ({"stiffness": 10, "rest_position": "0.1"}, "springs of joint2"),
    "sigmoid": ({"sigmoid_friction": 1, "sigmoid_slope": 2, "sigmoid_shift": 3}, "sigmoid friction of joint2"),
    "smoothing": ({"coulomb_friction": 1, "coulomb_smoothing": "0.01"}, "smoothing of the Coulomb friction of joint2"),
    "rotor": ({"rotor_inertia": "0.1", "gear_ratio": 100}, "rotor inertias and gear ratios of joint2"),
    "limits": ({"joint": '"continuous"'}, "lower and upper limits of joint2"),
    "limits not known": ({"limits": "{ lower = -1 }"}, "limits that are not known, which a URDF must give, are 1e6"),
    "no limits": ({"limits": None}, "revolute joints without limits are continuous ones"),
    "all that can be said": (
        {"viscous_friction": "0.5", "coulomb_friction": 1, "offset": "0.3", "direction": -1},
        "",
    ),
    "a follower": ({"mimic": '{ joint = "joint1", ratio = "1/3", offset = "pi/7" }'}, ""),
}


@pytest.mark.parametrize("name", UNSAID)
def test_what_a_urdf_cannot_say_is_told_with_the_joint(name):
    changes, loss = UNSAID[name]
    text = head(gravity='[0, 0, "-9.81"]') + link(limits=LIMITED) + link(**{"limits": LIMITED} | changes)
    result = conversion.convert(read_text(text, "arm.toml"), "urdf")
    assert result.losses == ((loss,) if loss else ())
    assert f"<!-- not in this file: {loss} -->" in result.text or not loss
    assert result.error < 1e-12


REFUSED = {
    "helical": ({"joint": '"helical"', "pitch": "0.1"}, "joint 'joint1' is helical; a URDF has no such joint"),
    "universal": ({"joint": '"universal"'}, "joint 'joint1' is universal; a URDF has no such joint"),
    "cylindrical": ({"joint": '"cylindrical"', "b": None}, "joint 'joint1' is cylindrical; a URDF has no such joint"),
    "massless": (MASSLESS, "no link has a mass"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_be_another_robot_as_a_urdf_is_refused(name):
    changes, words = REFUSED[name]
    with pytest.raises(LimitError, match=rf"{words}.*\(--to toml\)"):
        conversion.convert(read_text(head() + link(**changes), "arm.toml"), "urdf")


@pytest.mark.parametrize(("snap", "is_told"), [(True, False), (False, True)])
def test_numbers_that_mean_what_they_say_are_written_and_how_to_read_them_told(snap, is_told):
    inside = '<origin xyz="0 0 1" rpy="1.5708 0 0"/><axis xyz="0 1 0.2"/><limit velocity="1" effort="1"/>'
    text = chain(("revolute", inside))
    given = robot_of(text.encode(), "arm.urdf", snap=snap)
    result = conversion.convert(given, "urdf")
    assert any("--no-snap" in loss for loss in result.losses) == is_told
    assert robot_of(result.text.encode(), "arm.urdf", snap=snap).links == given.links


# files ---------------------------------------------------------------------------------------------------


def start(path, **changes):
    settings = {"name": None, "convention": "standard", "joints": 2, "force": False}
    return conversion.start(Path(path), **settings | changes)


def test_what_is_there_stays(tmp_path):
    path = tmp_path / "arm.toml"
    path.symlink_to(tmp_path / "nowhere.toml")
    with pytest.raises(InputError, match="is there already; give --force"):
        start(path)
    assert not path.exists()
    with pytest.raises(InputError, match="is a directory; expected the path of a robot file, such as"):
        start(tmp_path, force=True, name="arm")


def test_an_interrupt_leaves_nothing_half_written(tmp_path, monkeypatch):
    def interrupt(*args):
        raise KeyboardInterrupt

    path = tmp_path / "arm.toml"
    path.write_text("mine", encoding="utf-8")
    monkeypatch.setattr("os.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        start(path, force=True)
    assert [(entry.name, entry.read_text(encoding="utf-8")) for entry in tmp_path.iterdir()] == [("arm.toml", "mine")]


def test_what_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(EnvironmentFault, match=r"cannot be written: .*unchanged; choose another path$"):
        start(tmp_path / "file" / "arm.toml")
