"""Helical and cylindrical joints end to end: against Pinocchio, the oracle, proofs, files, closed forms and motions."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from module_functions import interpreted as all_functions
from module_functions import setting_of
from pinocchio_oracle import cases, full_cases
from robot_text import head, link
from strategies import screw_robot
from test_random_robots import disagreements, generated, misplaced_frames, of_oracle

import symgen
from symgen.cli import main
from symgen.derive.derivation import Options, derive
from symgen.errors import RobotFileError
from symgen.prove.proof import prove
from symgen.robot.joints import JointKind, words
from symgen.robot.reader import read_text
from symgen.verify.compare import verify
from symgen.verify.jacobians import times
from symgen.verify.oracle import Oracle
from symgen.verify.rates import slope

ARM = (
    head(gravity='[0, "1", "-9.81"]')
    + link(alpha='"pi/3"', b="0.1")
    + link(joint='"helical"', pitch="0.05", offset="0.3", alpha='"pi/2"', b="0.2", viscous_friction="0.3")
    + link(joint='"cylindrical"', offset="0.2", direction="-1", alpha='"pi/5"', b="0.05")
)
"""A turn, a screw with friction, and a turn with a slide."""


def arm():
    return read_text(ARM, "arm.toml")


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_the_oracle_agrees_with_pinocchio(start):
    found: list[str] = []
    for seed in range(start, start + 10):
        case = cases(screw_robot(seed), seed=seed)
        found += [*disagreements(case, of_oracle(case.robot)), *misplaced_frames(case)]
    assert found == []


@pytest.mark.parametrize("seed", range(4))
def test_programs_agree_with_pinocchio_and_the_oracle_and_are_proved(seed):
    options = Options(
        functions=("all",),
        effort="low",
        forward_dynamics=("aba", "udu")[seed % 2],
        axes=("base", "frame")[seed % 2],
        regressor=("base", "standard")[seed // 2],
        gravity="runtime",
    )
    derivation = derive(screw_robot(seed, 3), options)
    functions, setting = all_functions(derivation), setting_of(derivation)
    case = full_cases(derivation.subject.robot, setting, states=10)
    errors = {name: case.worst_error(name, functions[name](*case.arguments[name])) for name in case.expected}
    assert {name: error for name, error in errors.items() if not error < 1e-10} == {}
    assert verify(derivation.subject.robot, functions, states=10, setting=setting).failures == ()
    assert [proof.function for proof in prove(derivation) if not proof.holds] == []


@pytest.mark.parametrize("parameters", ["runtime", "base"])
def test_parameters_can_be_arguments(parameters):
    derivation = derive(arm(), Options(effort="low", parameters=parameters, functions=("all",)))
    assert [proof.function for proof in prove(derivation) if not proof.holds] == []
    if parameters == "runtime":
        assert {"pitch2": 0.05}.items() <= {p.name: p.default for p in derivation.module.parameters}.items()
        changed = {**{p.name: p.default for p in derivation.module.parameters}, "pitch2": 0.11, "b3": 0.4}
        setting = setting_of(derivation, changed)
        functions = all_functions(derivation, changed)
        assert verify(derivation.subject.robot, functions, states=10, setting=setting).failures == ()


def test_a_module_of_coordinates():
    module = symgen.generate(arm(), effort="low")
    assert module.backend != "numpy"
    assert (module.nq, module.nv) == (4, 4)
    assert module.joint_names == ("joint1", "joint2", "joint3_angle", "joint3_length")
    assert [joint.force_unit for joint in module.joints] == ["N m", "N m", "N m", "N"]
    namespace = generated(derive(arm(), Options(effort="low")))
    q, qd, qdd = np.random.default_rng(0).uniform(-2, 2, (3, 5, 4))
    expected = Oracle(arm()).inverse_dynamics(q, qd, qdd)
    assert module.inverse_dynamics(q, qd, qdd) == pytest.approx(expected, rel=1e-12)
    assert namespace["inverse_dynamics"](q, qd, qdd) == pytest.approx(expected, rel=1e-12)
    motion = symgen.follow(module)
    assert motion.q[-1] == pytest.approx([np.pi, np.pi, np.pi, 0.1])
    assert symgen.simulate(module, duration=0.1).q.shape[1] == 4


def test_closed_forms():
    forms, oracle = symgen.closed_form(arm()), Oracle(arm())
    q, qd = np.random.default_rng(1).uniform(-2, 2, (2, 4))
    assert forms.inertia_matrix.values(q=q) == pytest.approx(oracle.inertia_matrix(q), rel=1e-12)
    assert forms.coriolis_torque.values(q=q, qd=qd) == pytest.approx(oracle.coriolis_torque(q, qd), rel=1e-11)
    assert "pitch2" in {symbol.name for symbol in forms.inertia_matrix.entry(1, 1).symbols}


def test_slopes_are_exact():
    """Of the inertia matrix along a screw, beside small steps."""
    oracle, step = Oracle(arm()), 1e-5
    q = np.random.default_rng(2).uniform(-2, 2, 4)
    for joint, direction in enumerate(np.eye(4)):
        ahead, back = (oracle.inertia_matrix(q + sign * step * direction) for sign in (1, -1))
        assert slope(oracle.robot, oracle.inertia_matrix, q, joint) == pytest.approx(
            (ahead - back) / (2 * step), abs=1e-8
        )


def test_axes_move_as_the_screw_says():
    """A screw's mass centres move along its axis by the pitch."""
    oracle = Oracle(arm())
    moves = oracle.velocities(oracle.geometry(np.zeros(4)))
    axis = oracle.axes(np.zeros(4))[1]
    along = times(moves.linear, np.array([0, 1.0, 0, 0])) @ axis
    assert along == pytest.approx([0, 0.05, 0.05])


MISTAKES = {
    "no pitch": ({"joint": '"helical"'}, "links[1].pitch: missing; a helical joint needs its pitch"),
    "no screw": ({"pitch": "0.1"}, "links[1].pitch: only helical joints have a pitch; this one is revolute"),
    "a pitch of 0": ({"joint": '"helical"', "pitch": "0"}, "links[1].pitch: expected a pitch that is not 0"),
    "two angles": ({"joint": '"helical"', "pitch": "1", "theta": "1"}, "theta is the coordinate of a helical joint"),
    "two turns": ({"joint": '"cylindrical"', "theta": "1"}, "theta is the coordinate of a cylindrical joint"),
    "one drive": ({"joint": '"cylindrical"', "rotor_inertia": "1"}, "a cylindrical joint has several coordinates"),
    "no kind": ({"joint": '"ball"'}, f"links[1].joint: expected {words()}, found 'ball'"),
    "no number": ({"joint": '"helical"', "pitch": '"x"'}, "links[1].pitch: unknown symbol 'x'"),
}


@pytest.mark.parametrize(("changes", "text"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_told(changes, text):
    with pytest.raises(RobotFileError) as raised:
        read_text(head() + link(**changes), "arm.toml")
    assert text in str(raised.value)


def test_names_of_coordinates_are_free():
    text = head() + link(joint='"cylindrical"', joint_name='"a"') + link(joint_name='"a_angle"')
    with pytest.raises(RobotFileError, match="a_angle"):
        read_text(text, "arm.toml")


def test_commands_show_the_joints(tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(ARM, encoding="utf-8")
    shown = CliRunner().invoke(main, ["info", str(path), "--json"])
    links = json.loads(shown.output)["links"]
    assert [link["kind"] for link in links] == ["revolute", "helical", "cylindrical"]
    assert links[1]["pitch"] == 0.05
    refused = CliRunner().invoke(main, ["bench", str(path)])
    assert refused.exit_code == 2
    assert "joint2 is helical" in refused.output


def test_every_kind_says_all_that_is_asked_of_it():
    for kind in JointKind:
        assert (kind.nv, kind.nq) == (len(kind.coordinates), len(kind.neutral))
        assert kind.nq == kind.nv or kind.is_free
        assert kind.stands_for in ("theta", "b") if kind.nv == 1 else not kind.is_free or not kind.stands_for
        assert len({each.name for each in kind.coordinates}) == kind.nv
