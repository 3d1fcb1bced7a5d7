"""Wrenches of cut and of tree joints: the papers' forces at cuts, and Pinocchio's wrenches with these."""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from joint_trees import state
from loop_mechanisms import Mechanism, closed, mechanism

import symgen
from symgen.derive.derivation import Options, derive
from symgen.errors import InputError
from symgen.program.interpreter import evaluate
from symgen.prove.proof import prove
from symgen.robot.loops import CutKind

DATA = Path(__file__).parent / "data"
TOLERANCE = 1e-9
SEEDS = (12, 19, 30, 48, 108, 312)

FUNCTIONS = (
    "inverse_dynamics",
    "velocity_transformation",
    "dependent_acceleration",
    "cut_wrench",
    "joint_wrench",
)

FREE = {
    CutKind.REVOLUTE: [2],
    CutKind.PRISMATIC: [5],
    CutKind.CYLINDRICAL: [2, 5],
    CutKind.UNIVERSAL: [0],
    CutKind.SPHERICAL: [0, 1, 2],
    CutKind.PLANAR: [2, 3, 4],
    CutKind.FIXED: [],
    CutKind.ROD: [0, 1, 2],
    CutKind.INLINE: [0, 1, 2, 5],
}
"""Kind of a cut joint → components of its wrench, in the predecessor's axes, along which it is free."""


def inline(name: str):
    """A planar robot of the library whose loops are closed by points on lines, which determines all reactions."""
    robot = symgen.load(name)
    cuts = tuple(replace(cut, kind=CutKind.INLINE) for cut in robot.cut_joints)
    return replace(robot, name=f"{name}_inline", cut_joints=cuts)


def called(module, name: str, **given):
    function = module.function(name)
    found = evaluate(function.program, {item.name: given[item.name] for item in function.inputs})
    return next(iter(found.values()))


# the papers' robots ------------------------------------------------------------------------------------------


def turned(angle: float, vector) -> np.ndarray:
    """A planar vector in axes turned by an angle."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s], [-s, c]]) @ np.array(vector)


def five_bar_forces(record, q):
    return [turned(q[0] + q[1], [-each for each in record["force_on_leg1_link2_at_end_point"]])]


def rrr3_forces(record, q):
    _, second, third = record["force_on_platform_at_vertices"]
    return [turned(q[3] + q[4], second), turned(q[5] + q[6], third)]


@pytest.mark.parametrize(
    ("name", "file", "forces"), [("five_bar", "fivebar", five_bar_forces), ("rrr3", "rrr3", rrr3_forces)]
)
def test_forces_at_cuts_are_those_of_the_references(name, file, forces):
    module = derive(inline(name), Options(("cut_wrench",), effort="low")).module
    records = json.loads((DATA / f"{file}.json").read_text(encoding="utf-8"))["states"]
    states = json.loads((DATA / "loops" / f"{name}.json").read_text(encoding="utf-8"))["states"]
    compared = 0
    for record, at in zip(records, states, strict=False):
        if not np.allclose(record["theta_actuated_d"], at["qd"], rtol=0, atol=1e-12):
            continue
        found = called(module, "cut_wrench", q=np.array(at["q"]), qd=np.array(at["qd"]), qdd=np.array(at["qdd"]))
        expected = np.array(forces(record, at["q"]))
        assert np.abs(found[:, 3:5] - expected).max() <= TOLERANCE * max(1, np.abs(expected).max())
        assert not found[:, [0, 1, 2, 5]].any()
        compared += 1
    assert compared >= 10


# random mechanisms -------------------------------------------------------------------------------------------


@functools.cache
def derived(seed: int):
    return derive(mechanism(seed), Options(FUNCTIONS, effort="low"))


@pytest.mark.parametrize("seed", SEEDS)
def test_wrenches_are_what_pinocchio_needs_to_leave_dependent_joints_free(seed):
    robot, module = mechanism(seed), derived(seed).module
    mech, q, own = Mechanism(robot), closed(robot), list(robot.independent)
    _, qd, qdd, _ = (array[own] if array.shape == (robot.nv,) else array for array in state(robot, seed))
    given = {"q": q, "qd": qd, "qdd": qdd}
    G = called(module, "velocity_transformation", q=q)
    v, a = G @ qd, G @ qdd + called(module, "dependent_acceleration", q=q, qd=qd)
    wrenches = called(module, "cut_wrench", **given)
    model, data, at = mech.model, mech.data, mech.twin.q(q)
    pin.forwardKinematics(model, data, at)
    pushes = [pin.Force.Zero() for _ in range(model.njoints)]
    for cut, (one, other), wrench in zip(robot.cut_joints, mech.ends, wrenches, strict=True):
        pushed = (data.oMi[one.joint] * one.place).act(pin.Force(wrench[3:], wrench[:3]))
        pushes[one.joint] -= data.oMi[one.joint].actInv(pushed)
        pushes[other.joint] += data.oMi[other.joint].actInv(pushed)
        assert np.abs(wrench[FREE[cut.kind]]).max(initial=0) <= TOLERANCE * np.abs(wrench).max()
    pushes[0] = pin.Force.Zero()
    forces = pin.StdVec_Force()
    forces.extend(pushes)
    tau = pin.rnea(model, data, at, v, a, forces)
    size = max(1, np.abs(wrenches).max())
    assert np.abs(np.delete(tau, own)).max() <= TOLERANCE * size
    assert np.abs(tau[own] - called(module, "inverse_dynamics", **given)).max() <= TOLERANCE * size
    carried = np.array([[*data.f[j].angular, *data.f[j].linear] for j in mech.twin.joints])
    assert np.abs(called(module, "joint_wrench", **given) - carried).max() <= TOLERANCE * size


@pytest.mark.parametrize("seed", SEEDS[::3])
def test_wrenches_are_proved(seed):
    assert {proof.function: proof.holds for proof in prove(derived(seed))} == dict.fromkeys(FUNCTIONS, True)


# what is not determined ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", ["joint_wrench", "cut_wrench"])
def test_indeterminate_reactions_are_refused(function):
    with pytest.raises(InputError, match=r"indeterminate.*3 of the 5 of cut joint tip.*inline"):
        derive(symgen.load("five_bar"), Options((function,)))


def test_couplings_alone_have_no_cut_joints():
    robot = symgen.load("five_bar")
    joints = [each.name for each in robot.velocities]
    tied = symgen.robot.loops.Coupling("belt", ((joints[0], 1), (joints[2], -1)))
    robot = replace(robot, cut_joints=(), couplings=(tied,), actuated=(joints[0], joints[1], joints[3]), posture=())
    with pytest.raises(InputError, match="no loop is closed by a cut joint"):
        derive(robot, Options(("cut_wrench",)))
