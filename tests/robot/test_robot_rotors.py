"""Rotors with an axis and a carrier: against the equations of a gyrostat, as files and choices have them."""

import numpy as np
import pytest
from module_functions import interpreted, setting_of

import symgen
from symgen.derive.derivation import Options, derive
from symgen.errors import LimitError, RobotFileError
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.robot.choices import Choices
from symgen.robot.convert import converted
from symgen.robot.physical import remarks
from symgen.robot.reader import read_text
from symgen.robot.writer import robot_text
from symgen.verify.compare import verify
from symgen.verify.oracle import Oracle

J, RATIOS = 0.002, (50, -31, 7.5)

PLACES = {
    "standard": "a = 0.1\nalpha = {alpha}\nb = 0.2\n",
    "modified": "gamma = 0.3\nbefore = 0.1\na = 0.1\nalpha = {alpha}\nd = 0.2\n",
    "placed": "xyz = [0.1, 0.2, 0]\nrpy = [0, 0.4, {alpha}]\naxis = [0, 3, 4]\n",
}
LINK = """
[[links]]
joint = "{kind}"
parent = "{parent}"
mass = 3
com = [0.1, 0, 0.02]
inertia = {{ xx = 0.1, yy = 0.2, zz = 0.15, xy = 0.01, yz = 0.003{frame} }}
{drive}
{place}
"""
KINDS = ("revolute", "revolute", "prismatic", "revolute")
FRAMES = ("", ", frame = { rpy = [0.2, 0, 0.7] }", "", "")


def text(convention, rotors, *, ratios=RATIOS, direction=1, extra=""):
    """Four links in a chain; `rotors` are those of the joints after the first, "" for none."""
    head = f'name = "geared"\nconvention = "{convention}"\ngravity = [0, 1, "-9.81"]\ninertia_about = "com"\n{extra}\n'
    parts = [head]
    for index, kind in enumerate(KINDS):
        rotor = "" if index == 0 else rotors[index - 1]
        drive = f"rotor_inertia = {J}\ngear_ratio = {ratios[index - 1]}\nrotor = {rotor}\n" if rotor else ""
        place = PLACES[convention].format(alpha=("0.5", '"pi/3"', '"-pi/2"', "0")[index])
        if kind == "prismatic" and convention != "placed":
            lines = [line for line in place.split("\n") if not line.startswith(("b =", "d ="))]
            place = "\n".join(["theta = 0.3", *lines])
        turned = f"direction = {direction}\n" if index else ""
        parent = f"link{index}" if index else "base"
        parts.append(LINK.format(kind=kind, parent=parent, frame=FRAMES[index], drive=drive, place=place + turned))
    return "".join(parts)


def geared(convention, rotors, **more):
    return read_text(text(convention, rotors, **more), "geared.toml")


ROTORS = ('{ axis = [1, 2, 2], carrier = "link1" }', "{ axis = [0, -1, 0] }", '{ axis = [3, 0, 4], carrier = "link4" }')
AXES = (np.array([1, 2, 2]) / 3, np.array([0, -1, 0]), np.array([3, 0, 4]) / 5)
CARRIERS = ("link1", "link2", "link4")
"""The rotor of joint 2 is on link 1, that of joint 3 on its parent, that of joint 4 on the link it drives."""


def spun(plain, q, qd, qdd, ratios=RATIOS):
    """(τ, M, T) that rotors add to links whose tensors hold them at rest.

    On the carrier act J r q̈ a and ω × J r q̇ a, on the joint r J (a·α + r q̈), with ω and α the carrier's.
    """
    oracle = Oracle(plain)
    tau, M, T = np.zeros(4), np.zeros((4, 4)), 0.0
    for joint, (axis, ratio, carrier) in enumerate(zip(AXES, ratios, CARRIERS, strict=True), start=1):
        (pose,), turns = oracle.forward_kinematics(q, (carrier,)), oracle.jacobian(q, carrier)[:3]
        spin, rate = turns @ qd, turns @ qdd + oracle.jacobian_dot_velocity(q, qd, carrier)[:3]
        a, h = pose[:3, :3] @ axis, J * ratio
        tau += turns.T @ (h * qdd[joint] * a + np.cross(spin, h * qd[joint] * a))
        tau[joint] += h * (a @ rate + ratio * qdd[joint])
        M[joint] += h * (a @ turns)
        M[:, joint] += h * (a @ turns)
        M[joint, joint] += h * ratio
        T += h * qd[joint] * (a @ spin) + h * ratio * qd[joint] ** 2 / 2
    return tau, M, T


NAMES = ("inverse_dynamics", "inertia_matrix", "coriolis_torque", "kinetic_energy", "gravity_torque")


@pytest.mark.parametrize("convention", PLACES)
@pytest.mark.parametrize("direction", [1, -1])
def test_rotors_are_gyrostats(convention, direction):
    robot, plain = (
        geared(convention, ROTORS, direction=direction),
        geared(convention, ("", "", ""), direction=direction),
    )
    functions = interpreted(derive(robot, Options(functions=NAMES, effort="low")))
    oracles, bare = Oracle(robot), Oracle(plain)
    for q, qd, qdd in np.random.default_rng(1).uniform(-1, 1, (4, 3, 4)):
        tau, M, T = spun(plain, q, qd, qdd)
        convective, _, _ = spun(plain, q, qd, 0 * qdd)
        expected = {
            "inverse_dynamics": bare.inverse_dynamics(q, qd, qdd) + tau,
            "inertia_matrix": bare.inertia_matrix(q) + M,
            "coriolis_torque": bare.coriolis_torque(q, qd) + convective,
            "kinetic_energy": bare.kinetic_energy(q, qd) + T,
            "gravity_torque": bare.gravity_torque(q),
        }
        given = {"inverse_dynamics": (q, qd, qdd), "coriolis_torque": (q, qd), "kinetic_energy": (q, qd)}
        for name, value in expected.items():
            np.testing.assert_allclose(functions[name](*given.get(name, (q,))), value, rtol=1e-11, atol=1e-11)
            np.testing.assert_allclose(getattr(oracles, name)(*given.get(name, (q,))), value, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("convention", PLACES)
def test_without_an_axis_it_is_the_joints_own(convention, direction):
    """The same as with that axis written out, in the frame of the parent, and the sense of the joint."""
    own = geared(convention, ("{ }", "", ""), direction=direction)
    q = np.zeros(4)
    frames, axes = Oracle(own).forward_kinematics(q, ("link1",))[0], Oracle(own).axes(q)
    axis = frames[:3, :3].T @ axes[1]
    written = geared(convention, (f"{{ axis = {axis.tolist()} }}", "", ""), direction=direction)
    for q, qd, qdd in np.random.default_rng(2).uniform(-1, 1, (3, 3, 4)):
        np.testing.assert_allclose(
            Oracle(own).inverse_dynamics(q, qd, qdd),
            Oracle(written).inverse_dynamics(q, qd, qdd),
            rtol=1e-12,
            atol=1e-12,
        )


def test_all_functions_are_verified_and_proved():
    made = derive(geared("modified", ROTORS), Options(functions=("all",), effort="low"))
    report = verify(
        made.subject.robot, interpreted(made), states=10, setting=setting_of(made), roundings=roundings(made.module)
    )
    assert report.passed, str(report)
    assert max(check.tolerance for check in report.checks) < 1e-9  # gears do not make slopes of the oracle uncertain
    assert [proof.function for proof in prove(made) if not proof.holds] == []
    assert made.subject.frames == (("link4", "link4"),)
    for name in ("inverse_dynamics", "forward_dynamics"):  # a disc looks the same however far it has turned
        assert made.counts[name].trig == 6


def test_a_rotor_at_rest_is_part_of_its_carrier():
    """With its joint locked, or left out, the robot is the one without rotors."""
    robot, plain = geared("modified", ROTORS), geared("modified", ("", "", ""))
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, 4))
    for choices in (Choices.of(lock={f"joint{k}": "0.3" for k in (2, 3, 4)}), Choices.of(tip="link1")):
        one, other = choices.applied(robot), choices.applied(plain)
        found = Oracle(one).inverse_dynamics(q[:1], qd[:1], qdd[:1])
        np.testing.assert_allclose(found, Oracle(other).inverse_dynamics(q[:1], qd[:1], qdd[:1]), rtol=1e-12)
    kept = Choices.of(mimic="independent", attach="link4:1:0,0,0.1").applied(robot)
    assert kept.nv == 4
    assert kept.links[kept.last].name == "link4_load"
    assert {link.name for link in kept.links if link.is_rotor} == {"link2_rotor", "link3_rotor", "link4_rotor"}


def test_a_rotor_whose_carrier_is_left_out_is_as_on_the_base():
    robot = geared("modified", ("", "", '{ axis = [0, 0, 1], carrier = "link1" }'))
    cut = Choices.of(root="link2").applied(robot)
    on_base = Choices.of(root="link2").applied(geared("modified", ("", "", '{ carrier = "base" }')))
    q, qd, qdd = np.random.default_rng(4).uniform(-1, 1, (3, 2))
    found, expected = (Oracle(each).inverse_dynamics(q, qd, qdd) for each in (cut, on_base))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    without = Oracle(Choices.of(root="link2").applied(geared("modified", ("", "", ""))))
    assert (found - without.inverse_dynamics(q, qd, qdd))[1] == pytest.approx(J * 7.5**2 * qdd[1])


def test_a_rotor_has_one_number():
    """Its moment of inertia, as a symbol and at run time: what makes it a disc is no number of its own."""
    robot = geared("modified", ROTORS)
    chosen = ("Izz5", "link3_rotor")
    made = derive(robot, Options(functions=("inertia_matrix",), effort="low", parameters=chosen))
    assert {each.name: each.default for each in made.module.parameters} == {"Izz5": J, "Izz6": J}
    assert [proof.function for proof in prove(made) if not proof.holds] == []
    q = np.array([0.3, 0.5, -0.7, 0.2])
    form = symgen.closed_form(robot).inertia_matrix
    np.testing.assert_allclose(form.values(q=q), Oracle(robot).inertia_matrix(q), rtol=1e-12)
    assert "50*q" not in form.entry(1, 1).text()


def test_files_hold_rotors_as_links():
    robot = geared("modified", ROTORS)
    back = read_text(robot_text(robot), "back.toml")
    assert back.links == robot.links
    assert remarks(robot) == ()
    assert robot.links[robot.last].name == "link4"
    named = geared("modified", ("{ axis = [0, 1, 0] }", "", ""), extra="[parameters]\nJ2 = 0.01").parameters
    assert [name for name, _ in named] == ["J2"]


def test_a_rotor_follows_what_its_joint_follows():
    mimics = text("placed", ("{ axis = [1, 0, 0] }", "", "")).replace(
        "gear_ratio = 50", 'gear_ratio = 50\nmimic = { joint = "joint1", ratio = "-1/5", offset = 0.2 }'
    )
    robot = read_text(mimics, "geared.toml")
    (rotor,) = (link for link in robot.links if link.is_rotor)
    assert (rotor.joint.mimic.joint, str(rotor.joint.mimic.ratio), str(rotor.joint.mimic.offset)) == (
        "joint1",
        "-10",
        "10",
    )


WRONG = {
    "{ axis = [0, 0, 0] }": r"rotor.axis.*expected a direction, such as \[0, 0, 1\]",
    '{ carrier = "link9" }': "rotor.carrier.*no link is called 'link9'; there are: base, link1",
    '{ carrier = "link3" }': "rotor.axis.*missing; without it the axis is the joint's own",
    "{ axis = [1, 0] }": "rotor.axis.*expected 3 numbers",
    "{ axle = [1, 0, 0] }": "rotor.axle.*unknown key; the keys here are: axis, carrier",
    '"link1"': r"rotor.*expected a table such as \{ axis = \[1, 0, 0\]",
    '{ axis = ["x", 0, 0] }': "rotor.axis.*x",
}


@pytest.mark.parametrize(("rotor", "message"), WRONG.items(), ids=WRONG)
def test_what_is_wrong_is_told(rotor, message):
    with pytest.raises(RobotFileError, match=message):
        geared("modified", (rotor, "", ""))


FAULTS = {
    "rotor_inertia = 0.002\n": ("", "it says nothing without rotor_inertia"),
    "gear_ratio = 50\n": ('gear_ratio = "pi"\n', "needs a rational gear_ratio, found pi"),
}


@pytest.mark.parametrize(("old", "new", "message"), [(old, *new) for old, new in FAULTS.items()])
def test_rotors_need_an_inertia_and_a_ratio(old, new, message):
    changed = text("modified", ("{ }", "", "")).replace(old, new)
    with pytest.raises(RobotFileError, match=message):
        read_text(changed, "geared.toml")


def test_a_carrier_without_mass_cannot_hold_a_motor():
    changed = text("modified", ('{ axis = [0, 0, 1], carrier = "link1" }', "", "")).replace("mass = 3", "mass = 0", 1)
    with pytest.raises(RobotFileError, match="the link 'link1' has no mass"):
        read_text(changed, "geared.toml")


def test_tables_with_rotors_stay_in_their_convention():
    with pytest.raises(LimitError, match="only robots whose links all have a row"):
        converted(geared("modified", ROTORS), "standard")
