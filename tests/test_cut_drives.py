"""Friction, springs and limits of cut joints, and their own coordinates."""

import functools
from dataclasses import replace

import numpy as np
import pytest
from cut_drives import closed, cut_at_tip, module
from loop_mechanisms import mechanism

import symgen
from symgen.algebra.domain import Floats
from symgen.derive.derivation import Options, derive
from symgen.errors import InputError
from symgen.generation.corridor import failure_text, run
from symgen.mechanics.loops.cut_joints import angle
from symgen.robot.expression import parse
from symgen.robot.loops import CutKind
from symgen.robot.model import NO_DRIVE, Drive, Limits
from symgen.robot.reader import read_text
from symgen.robot.symbolic import symbolic
from symgen.robot.writer import robot_text

MOVES = np.random.default_rng(5).uniform(-0.15, 0.15, (10, 2))


def rates(seed=0):
    return np.random.default_rng(seed).normal(size=(2, 2))


# the same mechanism, cut at another joint ---------------------------------------------------------------


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_forces_are_those_of_the_mechanism_cut_elsewhere(move):
    tip, elbow = module("tip"), module("elbow")
    q, other = closed(tip, move), closed(elbow, move)
    qd, qdd = rates()
    np.testing.assert_allclose(q[:2], other[:2], atol=1e-12)  # the same assembly
    tau = tip.inverse_dynamics(q, qd, qdd)
    np.testing.assert_allclose(tau, elbow.inverse_dynamics(other, qd, qdd), rtol=0, atol=1e-10)
    np.testing.assert_allclose(tip.forward_dynamics(q, qd, tau), qdd, rtol=0, atol=1e-9)
    np.testing.assert_allclose(elbow.forward_dynamics(other, qd, tau), qdd, rtol=0, atol=1e-9)
    assert tip.potential_energy(q) == pytest.approx(elbow.potential_energy(other), abs=1e-11)


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_coordinates_are_those_of_the_tree_joint_that_takes_the_place(move):
    tip, elbow = module("tip"), module("elbow")
    q, other, (qd, _) = closed(tip, move), closed(elbow, move), rates(1)
    turn = (tip.cut_joint_positions(q) - other[2] + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(turn, 0, atol=1e-12)
    rate = (elbow.velocity_transformation(other) @ qd)[2]
    np.testing.assert_allclose(tip.cut_joint_velocities(q, qd), [rate], atol=1e-11)
    turn = (elbow.cut_joint_positions(other) - q[3] + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(turn, 0, atol=1e-12)


def test_friction_takes_the_power_that_joints_lose():
    """d(T + V)/dt = τ·q̇ − friction·ṡ, by differences along a motion."""
    tip, (qd, qdd) = module("tip"), rates(2)
    step, near = 1e-4, closed(tip, np.zeros(2))
    places = list(tip.record.independent)

    def energy(t):
        q, status = tip.assemble(near[places] + qd * t + qdd * t * t / 2, near)
        assert not status
        return tip.kinetic_energy(q, qd + qdd * t) + tip.potential_energy(q)

    gain = (energy(step) - energy(-step)) / (2 * step)
    (sd,) = tip.cut_joint_velocities(near, qd)
    level = [1 / (1 + np.exp(-2 * (rate + 0.1))) for rate in (sd, 0)]
    friction = 0.7 * sd + 0.4 * np.tanh(sd / 0.3) + 0.2 * (level[0] - level[1])
    work = tip.inverse_dynamics(near, qd, qdd) @ qd
    assert work - gain == pytest.approx(friction * sd, abs=1e-5 * abs(work))
    assert abs(friction * sd) > 0.01 * abs(work)


# all kinds ----------------------------------------------------------------------------------------------

SEEDS = (19, 91, 180, 272, 321)
"""Of mechanisms whose cut joints have coordinates of all kinds; 91 is that of an inline joint here."""

COORDINATES = ("cut_joint_positions", "cut_joint_velocities")
DRIVEN = ("inverse_dynamics", "forward_dynamics", "potential_energy", "constraint_forces")
DRIVES = (
    Drive(viscous=parse("0.7"), coulomb=parse("0.4"), stiffness=parse("3"), rest=parse("0.2")),
    Drive(coulomb=parse("0.6"), smoothing=parse("0.1"), sigmoid=parse("0.5"), slope=parse("2"), shift=parse("-0.2")),
)


@functools.cache
def driven(seed):
    """A random mechanism with friction and springs at those of its cut joints that can have them."""
    robot = inline(seed) if seed == 91 else mechanism(seed)
    cuts = [replace(cut, drive=DRIVES[seed % 2]) if len(cut.kind.coordinates) == 1 else cut for cut in robot.cut_joints]
    return replace(robot, cut_joints=tuple(cuts))


def inline(seed):
    """That of a cylindrical joint, with two constraints less."""
    robot = mechanism(seed)
    free = {*robot.actuated, *[each.name for each in robot.velocities if each.name not in robot.actuated][:2]}
    names = tuple(each.name for each in robot.velocities if each.name in free)
    cuts = tuple(replace(cut, kind=CutKind.INLINE) for cut in robot.cut_joints)
    return replace(robot, cut_joints=cuts, actuated=names)


def test_the_mechanisms_have_all_kinds():
    robots = [driven(seed) for seed in SEEDS]
    kinds = {cut.kind for robot in robots for cut in robot.cut_joints if cut.kind.coordinates}
    assert kinds == {kind for kind in CutKind if kind.coordinates}
    with_drives = {cut.kind for robot in robots for cut in robot.cut_joints if cut.drive != NO_DRIVE}
    assert with_drives == {kind for kind in CutKind if len(kind.coordinates) == 1}


@pytest.mark.parametrize("seed", SEEDS)
def test_random_mechanisms_are_verified_and_proved(seed):
    robot = driven(seed)
    names = (*COORDINATES, *DRIVEN) if robot.has_cut_drives else COORDINATES
    made = run(robot, Options(names, effort="low"), states=20)
    assert made.passed, failure_text(made)
    assert all(proof.holds for proof in made.proofs)


@pytest.mark.parametrize("value", [0.0, 1e-9, 0.3, np.pi / 2, 2.0, np.pi - 1e-9, np.pi, -0.3, -np.pi / 2, -3.1])
def test_angles_keep_their_digits_all_around(value):
    found = angle(Floats({}), float(np.sin(value)), float(np.cos(value)))
    assert found == pytest.approx(value, abs=1e-15)


def test_half_a_turn_is_pi():
    assert angle(Floats({}), 0.0, -1.0) == np.pi


# files, parameters, code --------------------------------------------------------------------------------


def test_files_keep_them():
    robot = cut_at_tip()
    (cut,) = robot.cut_joints
    limited = replace(cut, limits=Limits(lower=parse("-1"), velocity=parse("7/2")))
    robot = replace(robot, cut_joints=(limited,))
    again = read_text(robot_text(robot), "again.toml")
    assert again.cut_joints[0].drive == cut.drive
    assert again.cut_joints[0].limits == limited.limits
    assert "drives of the joints" in (shown := repr(robot._repr_html_()))
    assert shown.count("tip") > 2


def test_numbers_become_parameters():
    made = symbolic(cut_at_tip(), ["Fv_cut1", "K_cut1", "rest_cut1"])
    assert made.names == ("Fv_cut1", "K_cut1", "rest_cut1")
    assert made.texts["Fv_cut1"].meaning == "viscous friction, cut joint 1"
    plain = module("tip")
    bound = symgen.generate(
        cut_at_tip(), functions=["inverse_dynamics", "assembly_step"], parameters=made.names, effort="low", states=10
    )
    q, (qd, qdd) = closed(plain, np.zeros(2)), rates(3)
    np.testing.assert_allclose(bound.inverse_dynamics(q, qd, qdd), plain.inverse_dynamics(q, qd, qdd), rtol=1e-12)
    for name in ("gr_cut1", "Im_cut1"):
        with pytest.raises(InputError, match="unknown parameter"):
            symbolic(cut_at_tip(), [name])


def test_code_tells_coordinates_and_limits():
    robot = cut_at_tip()
    limits = Limits(lower=parse("-1"), velocity=parse("3.5"))
    robot = replace(robot, cut_joints=(replace(robot.cut_joints[0], limits=limits),))
    made = symgen.generate(robot, functions=["cut_joint_positions"], effort="low", states=5, languages=["c", "python"])
    header, python = made.sources["tip.h"], made.sources["tip.py"]
    assert "Coordinate 1 of cut joints: tip, rad" in header
    assert "extern const double tip_cut_lower_limits[1];" in header
    assert "tip_cut_upper_limits" not in header
    assert "CUT_VELOCITY_LIMITS = (\n    3.5,\n)" in python


# what there is not --------------------------------------------------------------------------------------


def test_derivatives_and_wrenches_do_not_know_them():
    for name in ("inverse_dynamics_derivatives", "forward_dynamics_derivatives", "joint_wrench"):
        with pytest.raises(InputError, match="does not know friction and springs at cut joints"):
            derive(cut_at_tip(), Options((name,), effort="low"))


@pytest.mark.parametrize("name", ["gough_stewart", "puma"])
def test_others_have_no_coordinates(name):
    with pytest.raises(InputError, match=r"none of its cut joints has coordinates|only robots with loops"):
        derive(symgen.load(name), Options(("cut_joint_positions",), effort="low"))
