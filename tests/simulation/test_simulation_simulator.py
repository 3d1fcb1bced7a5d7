"""Simulation: against references, closed forms and energy; and what it refuses."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from robot_text import MASSLESS, head, link
from robots_with_drives import with_drives
from simulated_robots import ARMS, INERTIA, module, reference, wheel

import symgen
from symgen.errors import InputError, LimitError
from symgen.robot import library
from symgen.robot.reader import read_text
from symgen.simulation import systems
from symgen.simulation.simulator import ACCURATE, FUNCTIONS
from symgen.verify.oracle import Oracle

methods = pytest.mark.parametrize("method", ACCURATE)


# references --------------------------------------------------------------------------------------------------


@methods
@pytest.mark.parametrize(("robot", "fall"), [(robot, fall) for robot in ARMS for fall in reference(robot)["free_fall"]])
def test_free_fall(robot, fall, method):
    at = reference(robot)["free_fall"][fall]
    found = symgen.simulate(module(robot), 2.0, q0=at["q"][0], method=method, samples=11)
    np.testing.assert_allclose(found.t, at["t"], rtol=1e-15)
    assert np.abs(found.q - at["q"]).max() < 1e-8
    assert np.abs(found.qd - at["qd"]).max() < 1e-8
    assert np.abs(found.drift).max() < 1e-9


@methods
def test_samples_within_a_step_are_as_good_as_its_end(method):
    at = reference("puma")["free_fall"]["free_fall_2s"]
    found = symgen.simulate(module("puma"), 2.0, method=method, samples=1001)
    assert np.abs(found.q[::100] - at["q"]).max() < 1e-8
    assert np.abs(found.drift).max() < 1e-9


def test_a_robot_starts_where_its_usual_move_does():
    assert symgen.simulate("stanford", 0.1, samples=2).q[0].tolist() == [0, np.pi / 2, 0, 0, 0, 0]
    assert symgen.simulate(library.load("planar2r"), 0.1, samples=2).q[0].tolist() == [0, 0]


@methods
def test_the_torques_of_a_trajectory_give_the_trajectory(method):
    """Inverse dynamics by the oracle, which shares no code with the module."""
    oracle = Oracle(library.load("stanford"))
    start, end = [0.1, 1.2, 0.2, 0.3, 0.8, -0.4], [0.5, 0.9, 0.4, -0.2, 1.1, 0.6]

    def tau(t, q, qd):
        return oracle.inverse_dynamics(*symgen.cycloid(t, start, end, 1.0))

    found = symgen.simulate(module("stanford"), 1.0, q0=start, tau=tau, method=method, rtol=1e-9, atol=1e-9, samples=6)
    q, qd, _ = symgen.cycloid(found.t, start, end, 1.0)
    np.testing.assert_allclose(found.q, q, atol=1e-6)
    np.testing.assert_allclose(found.qd, qd, atol=1e-6)
    np.testing.assert_allclose(found.tau, [tau(t, None, None) for t in found.t], rtol=1e-14)


# closed forms --------------------------------------------------------------------------------------------------


@methods
def test_a_constant_torque_turns_a_wheel_evenly_faster(method):
    found = symgen.simulate(wheel(), 3.0, q0=[0.2], qd0=[-1.0], tau=[0.5], method=method)
    rate = 0.5 / INERTIA
    np.testing.assert_allclose(found.q[:, 0], 0.2 - found.t + rate * found.t**2 / 2, atol=1e-11)
    np.testing.assert_allclose(found.qd[:, 0], -1 + rate * found.t, atol=1e-11)
    assert np.all(found.tau == 0.5)
    np.testing.assert_allclose(found.work, 0.5 * (found.q[:, 0] - 0.2), atol=1e-11)
    np.testing.assert_allclose(found.kinetic_energy, INERTIA * found.qd[:, 0] ** 2 / 2, rtol=1e-14)
    assert np.abs(found.drift).max() < 1e-11


@methods
def test_a_spring_makes_a_wheel_swing(method):
    found = symgen.simulate(wheel(), 5.0, q0=[1.0], tau=lambda t, q, qd: -4 * q, method=method, samples=77)
    np.testing.assert_allclose(found.q[:, 0], np.cos(np.sqrt(4 / INERTIA) * found.t), atol=1e-9)
    np.testing.assert_allclose(found.tau, -4 * found.q, rtol=1e-15)
    assert np.abs(found.drift).max() < 1e-9


@methods
def test_forces_may_depend_on_time(method):
    found = symgen.simulate(wheel(), 2.0, tau=lambda t, q, qd: [np.sin(3 * t)], method=method)
    expected = (found.t / 3 - np.sin(3 * found.t) / 9) / INERTIA
    np.testing.assert_allclose(found.q[:, 0], expected, atol=1e-10)


def test_friction_slows_a_wheel_and_takes_its_energy():
    found = symgen.simulate(wheel(viscous_friction="0.1"), 2.0, qd0=[3.0])
    np.testing.assert_allclose(found.qd[:, 0], 3 * np.exp(-0.1 / INERTIA * found.t), atol=1e-11)
    np.testing.assert_allclose(found.drift, INERTIA * (found.qd[:, 0] ** 2 - 9) / 2, atol=1e-11)


def test_energy_is_kept_whatever_the_robot():
    robot = library.chain(5, prismatic=(3,))
    found = symgen.simulate(robot, 1.0, q0=[0.3] * 5, qd0=[1.0, -0.5, 2.0, 0.1, -3.0])
    assert np.ptp(found.potential_energy) > 1
    assert np.abs(found.drift).max() < 1e-9


def test_drives_lose_energy_and_never_gain_it():
    robot = with_drives(library.load("planar2r"))
    found = symgen.simulate(robot, 0.5, q0=[0.3, 0.4], qd0=[5.0, 7.0], rtol=1e-6, atol=1e-6)
    assert found.drift[-1] < -1
    assert np.diff(found.drift).max() < 1e-4


def test_a_looser_tolerance_takes_fewer_evaluations():
    runs = [symgen.simulate(module("puma"), 1.0, rtol=tol, atol=tol) for tol in (1e-4, 1e-7, 1e-10)]
    assert [run.evaluations for run in runs] == sorted(run.evaluations for run in runs)
    assert abs(runs[0].drift[-1]) > 100 * abs(runs[2].drift[-1])


# the result ----------------------------------------------------------------------------------------------------


def test_the_result_is_a_frozen_record():
    found = symgen.simulate(module("stanford"), 0.5, samples=4)
    assert (found.robot, found.method, found.rtol, found.atol) == ("stanford", "DOP853", 1e-12, 1e-12)
    assert [joint.position_unit for joint in found.joints] == ["rad", "rad", "m", "rad", "rad", "rad"]
    assert [found.t.shape, found.q.shape, found.qd.shape, found.tau.shape] == [(4,), (4, 6), (4, 6), (4, 6)]
    np.testing.assert_array_equal(found.energy, found.kinetic_energy + found.potential_energy)
    for array in (found.t, found.q, found.qd, found.tau, found.kinetic_energy, found.work):
        assert not array.flags.writeable
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.t = 1


def test_the_same_input_gives_the_same_bytes():
    runs = [symgen.simulate(module("puma"), 0.5, tau=[1, 2, 3, 0, 0, 0], samples=20).csv() for _ in range(2)]
    assert runs[0] == runs[1]
    header, *lines = runs[0].splitlines()
    names = [f"{name}{joint}" for name in ("q", "qd", "tau") for joint in range(1, 7)]
    assert header.split(",") == ["t", *names, "kinetic_energy", "potential_energy", "work", "drift"]
    assert len(lines) == 20


def test_without_energies_there_is_no_drift():
    bare = symgen.generate("planar2r", functions=["forward_dynamics"], states=2)
    found = symgen.simulate(bare, 0.5, tau=[1, 1])
    assert (found.energy, found.drift, found.work) == (None, None, None)
    assert found.csv().splitlines()[0] == "t,q1,q2,qd1,qd2,tau1,tau2"
    full = symgen.simulate(symgen.generate("planar2r", functions=FUNCTIONS, states=2), 0.5, tau=[1, 1])
    np.testing.assert_allclose(found.q, full.q, atol=1e-10)


def test_run_time_parameters_count():
    given = symgen.generate("planar2r", functions=FUNCTIONS, parameters=["m2"], states=2)
    heavy = given.with_parameters({"m2": 15.0})
    assert np.abs(symgen.simulate(given, 1.0).q - symgen.simulate(heavy, 1.0).q).max() > 0.1
    assert np.abs(symgen.simulate(heavy, 1.0).drift).max() < 1e-9


def test_what_a_function_does_to_its_arguments_stays_there():
    def tau(t, q, qd):
        values = -q
        q[:], qd[:] = 99, 99
        return values

    def clean(t, q, qd):
        return -q

    both = [symgen.simulate(wheel(), 1.0, q0=[1.0], tau=function) for function in (tau, clean)]
    np.testing.assert_array_equal(both[0].q, both[1].q)


# bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"duration": 0}, InputError, "duration: expected a number of seconds above 0, found 0"),
        ({"duration": -2.0}, InputError, "duration: expected a number of seconds above 0, found -2.0"),
        ({"duration": np.inf}, InputError, "duration: expected a number of seconds above 0, found inf"),
        ({"duration": None}, InputError, "duration: expected a number of seconds above 0, found None"),
        ({"q0": [0]}, InputError, "q0: expected 2 numbers, for joint1, joint2; found 1"),
        ({"q0": [[0, 0]]}, InputError, r"q0: expected 2 numbers, for joint1, joint2; found an array of shape \(1, 2\)"),
        ({"q0": [0, "x"]}, InputError, r"q0: expected 2 numbers, for joint1, joint2; found \[0, 'x'\]"),
        ({"qd0": [0, np.nan]}, InputError, "qd0: expected a finite number for joint2, found nan"),
        ({"tau": 1.0}, InputError, "tau: expected 2 numbers, for joint1, joint2; found 1.0"),
        ({"tau": [1, np.inf]}, InputError, "tau: expected a finite number for joint2, found inf"),
        ({"tau": lambda t, q, qd: None}, InputError, r"tau\(t, q, qd\) at t = 0 s: expected 2 numbers, .* found None"),
        ({"tau": lambda t, q, qd: [t]}, InputError, r"tau\(t, q, qd\) at t = 0 s: expected 2 numbers, .* found 1"),
        ({"tau": lambda t, q, qd: qd / 0 if t else qd}, InputError, r"tau\(t, q, qd\) at t = .*: expected a finite"),
        ({"method": "rk4"}, InputError, "unknown method 'rk4'; there are: DOP853, verner65"),
        ({"rtol": 0}, InputError, "rtol: expected a number from 1e-13 to 0.1, found 0"),
        ({"atol": "x"}, InputError, "atol: expected a number from 1e-13 to 0.1, found 'x'"),
        ({"samples": 1}, InputError, "samples: expected a whole number of at least 2, found 1"),
        ({"samples": 10**6}, LimitError, "samples: 1000000 are too many; at most 100001 are given"),
    ],
)
def test_bad_arguments_are_named(arguments, error, words):
    with np.errstate(all="ignore"), pytest.raises(error, match=words):
        symgen.simulate(module("planar2r"), **({"duration": 1.0, "samples": 5} | arguments))


def test_a_robot_without_forward_dynamics_is_refused():
    text = head() + link() + link(name='"wrist"', **MASSLESS)
    with pytest.raises(InputError, match="arm: forward_dynamics cannot be generated: the inertia of joint 2"):
        symgen.simulate(read_text(text, "arm.toml"), 1.0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"functions": ["gravity_torque"]},
            "planar2r: this module has no forward_dynamics; its functions are: gravity",
        ),
        ({"gravity": "runtime"}, "planar2r: forward_dynamics takes gravity too, which is not known here"),
        ({"wrenches": ["link2"]}, "planar2r: forward_dynamics takes wrench too, which is not known here"),
        ({"real": "float32"}, "planar2r: forward_dynamics computes in float32, too coarse to be integrated"),
    ],
)
def test_a_module_that_does_not_fit_is_refused(options, words):
    unfit = symgen.generate("planar2r", **({"functions": ["forward_dynamics"], "states": 2} | options))
    with pytest.raises((InputError, LimitError), match=words):
        symgen.simulate(unfit, 1.0)


@methods
def test_accelerations_that_are_not_finite_are_told(method):
    with pytest.raises(InputError, match="puma: the motion cannot be followed beyond t = 0 s: the accelerations there"):
        symgen.simulate(module("puma"), 1.0, qd0=[1e200] * 6, method=method)


@methods
def test_a_motion_that_ends_is_followed_to_its_end(method):
    """q̈ = q̇² from q̇ = 1 is q̇ = 1/(1 − t)."""
    with pytest.raises(
        LimitError, match=r"wheel: the motion cannot be followed beyond t = (1|0\.99999\d*) s: no step is"
    ):
        symgen.simulate(wheel(), 2.0, qd0=[1.0], tau=lambda t, q, qd: INERTIA * qd**2, method=method)


@pytest.mark.parametrize(("damping", "calls"), [(1e3, "2000"), (1e9, "1000")])
def test_forces_that_answer_too_fiercely_meet_a_limit(monkeypatch, damping, calls):
    """At once where there is hardly a beginning."""
    monkeypatch.setattr(systems, "MAX_EVALUATIONS", 2000)
    monkeypatch.setattr(systems, "MAX_AT_START", 1000)
    words = rf"wheel: the simulation has got to t = \S+ s in {calls} calls of forward_dynamics and stops there"
    with pytest.raises(LimitError, match=words):
        symgen.simulate(wheel(), 10.0, qd0=[1.0], tau=lambda t, q, qd: -damping * qd)
