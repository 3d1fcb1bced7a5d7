"""The RSSR linkage of Rahmani Hanzaki, Saha and Rao (2009): a ball joint whole, and as three revolute joints; (19)."""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from module_functions import interpreted
from scipy.spatial.transform import Rotation

import symgen
from symgen.algebra.domain import Floats
from symgen.derive.derivation import Options, derive
from symgen.derive.subject import subject_of
from symgen.mechanics.formulations import euler_parameters
from symgen.mechanics.mechanism import Ties
from symgen.program.counts import count
from symgen.robot.loops import CutKind

DATA = Path(__file__).parent / "data"
WHOLE, REVOLUTES = "rssr", "rssr_revolutes"


@functools.cache
def derived(robot: str, formulation: str, effort: str = "low"):
    return derive(symgen.load(robot), Options(("inverse_dynamics",), inverse_dynamics=formulation, effort=effort))


def torques(robot: str, formulation: str, motion) -> np.ndarray:
    return interpreted(derived(robot, formulation))["inverse_dynamics"](*motion)


@functools.cache
def states() -> tuple[np.ndarray, ...]:
    """q with a quaternion x y z w, q with angles about z, y and x, q̇ and q̈ of the crank, and the reference τ."""
    records = json.loads((DATA / "loops" / "rssr.json").read_text(encoding="utf-8"))["states"]
    q, qd, qdd, tau = (np.array([record[key] for record in records]) for key in ("q", "qd", "qdd", "tau"))
    angles = Rotation.from_quat(q[:, 1:5]).as_euler("ZYX")
    return q, np.column_stack([q[:, 0], angles, q[:, 5]]), qd, qdd, tau


def near(found: np.ndarray, expected: np.ndarray, tolerance: float) -> bool:
    return bool(np.abs(found - expected).max() <= tolerance * np.abs(expected).max())


@pytest.mark.parametrize("formulation", ["newton_euler", "euler_parameters"])
def test_the_same_motion_needs_the_same_torque(formulation):
    q, angles, qd, qdd, expected = states()
    whole, split = (
        torques(*each, (at, qd, qdd)) for each, at in (((WHOLE, formulation), q), ((REVOLUTES, formulation), angles))
    )
    assert near(split, whole, 1e-12)
    assert near(whole, expected, 1e-9)
    assert near(whole, torques(WHOLE, "newton_euler", (q, qd, qdd)), 1e-12)


COUNTS = {
    (WHOLE, "auto"): (83, 49, 2, 4),
    (REVOLUTES, "auto"): (104, 53, 2, 10),
    (WHOLE, "newton_euler"): (83, 49, 2, 4),
    (REVOLUTES, "newton_euler"): (117, 61, 2, 10),
    (WHOLE, "euler_parameters"): (166, 100, 4, 4),
    (REVOLUTES, "euler_parameters"): (181, 95, 5, 10),
}
"""(multiplications, additions, divisions, sines and cosines) of inverse dynamics."""


@pytest.mark.parametrize(("robot", "formulation"), COUNTS)
def test_operations(robot, formulation):
    (function,) = derived(robot, formulation, "normal").module.functions
    found = count(function.program)
    assert (found.mul, found.add, found.div, found.trig) == COUNTS[robot, formulation]


def test_the_suspension_by_the_same_equations():
    records = json.loads((DATA / "loops" / "suspension.json").read_text(encoding="utf-8"))["states"]
    q, qd, qdd, expected = (np.array([record[key] for record in records]) for key in ("q", "qd", "qdd", "tau"))
    assert near(torques("suspension", "euler_parameters", (q, qd, qdd)), expected, 1e-9)


def test_the_force_at_the_cut_is_that_of_the_reference():
    """The rocker's force on the coupler where this neither spins nor feels a moment at B; λ is that on the rocker."""
    reference = json.loads((DATA / "rssr.json").read_text(encoding="utf-8"))
    for record in (*reference["states"], *reference["trajectory"]):
        w, *vector = record["euler_B21_phi5_text"]
        inputs = {
            "q": [record["psi"], *vector, w, record["theta"]],
            "qd": [record["psid"]],
            "qdd": [record["psidd"]],
        }
        mechanism = subject_of(symgen.load(WHOLE), Options()).mechanism(Floats(inputs), normal=False)
        *force, spin = euler_parameters.constraint_forces(mechanism)
        expected = np.array(record["free_spin"]["force_on_2_at_B_fixed_frame"])
        assert near(-np.array(force, dtype=float), expected, 1e-9)
        assert abs(spin) < 1e-12


def _with_kind(mechanism, kind):
    return replace(mechanism, cuts=tuple(replace(cut, kind=kind) for cut in mechanism.cuts))


def _on_the_crank(mechanism):
    (cut,) = mechanism.cuts
    return replace(mechanism, cuts=(replace(cut, successor=replace(cut.successor, body=0)),))


MISFITS = {
    "it is for robots with closed loops": lambda it: replace(it, plan=None),
    "no joint of its tree is a ball joint, whole or made of turns about one point": lambda it: replace(
        it, bodies=tuple(replace(body, is_ball=False) for body in it.bodies)
    ),
    "couplings are no cut joints": lambda it: replace(it, ties=(Ties((), 0.0),)),
    "its loop end is cut at a joint of kind rod, whose ends are not one point": lambda it: _with_kind(it, CutKind.ROD),
    "the branches of its loop end do not start from the base": _on_the_crank,
    "1 of its constraints hold already where the others do, and leave multipliers open": lambda it: replace(
        it, plan=replace(it.plan, dropped=(3,))
    ),
}


@pytest.mark.parametrize("text", MISFITS)
def test_misfits(text):
    inputs = Floats({"q": states()[0][0]})
    mechanism = subject_of(symgen.load(WHOLE), Options()).mechanism(inputs, normal=False)
    assert euler_parameters.misfit(mechanism) == ""
    assert euler_parameters.misfit(MISFITS[text](mechanism)) == text
