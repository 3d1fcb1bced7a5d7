"""Robots of the library that were taken over from URDFs, and robots in installed packages."""

from pathlib import PurePosixPath

import pytest
from example_robots import Pair, paths
from library_robots import TAKEN_OVER
from module_functions import interpreted, setting_of

import symgen
from symgen.derive.derivation import Options, derive
from symgen.errors import InputError
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.robot import packaged
from symgen.robot.library import load
from symgen.robot.urdf.write import urdf_text
from symgen.verify.compare import verify

SOURCES = {
    "allegro_hand": "allegro_right_hand",
    "g1": "g1_29dof_rev_1_0",
    "kinova_jaco": "kinova",
    "solo12": "solo12",
    "ur10": "ur10_robot",
}
"""Robot → its URDF in example-robot-data; the library's angles are what those were rounded from, within 1e-9 rad."""

PACKAGE = "example-robot-data"


@pytest.mark.parametrize("name", TAKEN_OVER)
def test_they_are_the_robots_of_their_sources(name, tmp_path):
    robot = load(name)
    if name in SOURCES:
        path = paths()[SOURCES[name]]
        assert f"{path.relative_to(path.parents[2])} of {PACKAGE}" in robot.source
    else:
        path = tmp_path / "robot.urdf"
        path.write_text(urdf_text(robot).text)
    pair = Pair(path, "floating" if robot.has_free_joints else "fixed", "reduced", robot)
    errors = pair.errors(0, slopes=False)
    assert max(errors.values()) < 1e-8, errors


@pytest.mark.parametrize("name", TAKEN_OVER)
def test_their_functions_are_verified_and_proved(name):
    made = derive(load(name), Options(functions=("inverse_dynamics", "inertia_matrix"), effort="low"))
    report = verify(load(name), interpreted(made), states=5, setting=setting_of(made), roundings=roundings(made.module))
    assert report.passed, str(report)
    assert all(proof.holds for proof in prove(made))


def test_the_iiwa_is_as_long_as_the_makers():
    """Base to shoulder 0.36 m, shoulder to elbow 0.42 m, elbow to wrist 0.4 m, wrist to flange 0.126 m."""
    arm = symgen.closed_form(load("iiwa14"), parameters="numeric")
    height = arm.forward_kinematics("link_ee").values(q=[0] * 7)[2, 3]
    assert height == pytest.approx(0.36 + 0.42 + 0.4 + 0.126)


# robots in installed packages --------------------------------------------------------------------------------


def test_a_robot_of_an_installed_package_is_loaded():
    path = paths()["talos_reduced"]
    assert load(f"{PACKAGE}:talos_reduced") == load(str(path))
    floating = load(f"{PACKAGE}:talos_reduced", base="floating", tip="arm_left_7_link")
    assert floating.nq == load(str(path), base="floating", tip="arm_left_7_link").nq
    assert load(f"{PACKAGE}:anymal_c_simple_description/urdf/anymal").nv == 12
    assert load("Example_Robot.Data:kinova") == load(f"{PACKAGE}:kinova")


WRONG = {
    "no_such_package:arm": "no package called no_such_package is installed.*pip install no_such_package",
    f"{PACKAGE}:nothing": f"the package {PACKAGE} has no nothing.urdf, .xml or .toml; it has: .* and [0-9]+ more",
    f"{PACKAGE}:anymal": f"has several; say which: .*{PACKAGE}:anymal_c_simple_description/urdf/anymal",
    f"{PACKAGE}:../kinova": "has no ../kinova.urdf",
    "click:arm": "the package click has no arm.urdf, .xml or .toml; it holds no robot files",
    "a:arm": "'a:arm' is neither a file nor a robot of the library",
    "pkg:": "'pkg:' is neither a file nor a robot of the library",
    ":arm": "':arm' is neither a file nor a robot of the library",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items(), ids=WRONG)
def test_what_is_not_there_is_told(text, message):
    with pytest.raises(InputError, match=message):
        load(text)


def test_several_files_are_named_from_where_they_part():
    files = [PurePosixPath(text) for text in ("x/a/r/arm.urdf", "x/b/r/arm.urdf", "x/b/s/arm.urdf")]
    assert packaged._apart(files) == ["a/r/arm", "b/r/arm", "b/s/arm"]
