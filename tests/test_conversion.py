"""Files written for the user: checked before they are written, never half-written, never over what is there."""

from dataclasses import replace
from pathlib import Path

import pytest
from robot_text import head, link

from symgen.cli import conversion
from symgen.errors import EnvironmentFault, InputError, InternalError
from symgen.robot import library
from symgen.robot.convert import converted
from symgen.robot.reader import read_text


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
