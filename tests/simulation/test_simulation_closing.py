"""Loops kept closed by a penalty or in a complement of their constraints: the assembled motion, or a paper's errors."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from thorough import THOROUGH

import symgen
from symgen import Complement, Penalty
from symgen.errors import InputError, LimitError
from symgen.simulation.bases import Fixed, Orthonormal, Singular, independent
from symgen.simulation.prescribed import Prescribed
from symgen.simulation.unassembled import NEEDED

DATA = Path(__file__).parents[1] / "data"
IN_FOUR_PARTS = Path(__file__).parents[2] / "notebooks" / "data" / "rrr3_in_four_parts.toml"
FUNCTIONS = (
    *("forward_dynamics", "inverse_dynamics", "kinetic_energy", "potential_energy"),
    *("assembly_step", "closure", "velocity_transformation", "loop_determinants"),
    *{name for names in NEEDED.values() for name in names if name not in ("closure", "potential_energy")},
)
PERIOD = 3.0
SMOOTH = [Complement(basis, sigma) for basis in ("gauss", "qr", "fixed") for sigma in (0.0, 10.0)]

smooth = pytest.mark.parametrize("closing", SMOOTH, ids=lambda closing: f"{closing.basis} {closing.stabilization:g}")


def generated(robot):
    return symgen.generate(robot, functions=FUNCTIONS, effort="low", states=5)


@pytest.fixture(scope="module")
def five_bar():
    return generated("five_bar")


@pytest.fixture(scope="module")
def khan():
    """The manipulator of Khan's thesis in his coordinates, with his motion."""
    module = generated(IN_FOUR_PARTS)
    return module, Prescribed(module, motion, PERIOD)


def motion(t):
    """Section 4.0.2."""
    rate, ways = 2 * np.pi / PERIOD, np.array([1 / 6, 1 / 6, 1 / 12])
    start = np.array([np.pi / 3, 4 * np.pi / 3, 11 * np.pi / 6])
    angle = rate * t
    return start + ways * (angle - np.sin(angle)), ways * rate * (1 - np.cos(angle)), ways * rate**2 * np.sin(angle)


def errors(khan, duration=PERIOD, **settings):
    """(largest error of the driven joints, the simulation)."""
    module, torques = khan
    found = symgen.simulate(module, duration, q0=torques.position(0.0), tau=torques, samples=11, **settings)
    expected = np.array([motion(t)[0] for t in found.t])
    return np.abs(found.q[:, list(module.record.independent)] - expected).max(), found


@smooth
def test_complements_fall_as_what_is_assembled(five_bar, closing):
    expected = symgen.simulate(five_bar, 0.8, rtol=1e-10, atol=1e-10, samples=21)
    found = symgen.simulate(five_bar, 0.8, rtol=1e-10, atol=1e-10, samples=21, closing=closing)
    for name in ("q", "qd", "kinetic_energy", "potential_energy"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), atol=2e-7)
    assert np.abs(found.drift).max() < 1e-7
    assert found.residual.max() < 1e-8
    assert (expected.residual, expected.resets, found.resets) == (None, (), ())
    assert "residual" in found.columns
    assert "residual" not in expected.columns


@smooth
def test_resets_lead_through_postures_that_are_singular_for_the_joints(five_bar, closing):
    """Assembly stops at 0.97 s."""
    found = symgen.simulate(five_bar, 1.5, rtol=1e-10, atol=1e-10, closing=closing)
    assert bool(found.resets) == (closing.basis != "fixed")  # whose vectors stay good all the way
    assert all(0 < t < 1.5 for t in found.resets)
    assert np.abs(found.drift).max() < 1e-6 * found.kinetic_energy.max()
    assert found.residual.max() < 1e-6


def test_ball_joints_of_the_tree_are_integrated_too():
    module = generated("rssr")
    settings = {"rtol": 1e-9, "atol": 1e-9, "samples": 5}
    expected = symgen.simulate(module, 0.1, **settings)
    for closing in (Complement("gauss"), Complement("fixed", 5.0)):
        found = symgen.simulate(module, 0.1, closing=closing, **settings)
        np.testing.assert_allclose(found.q, expected.q, atol=1e-6)
        np.testing.assert_allclose(found.qd, expected.qd, atol=1e-5)


@THOROUGH
def test_a_floating_platform_keeps_its_energy():
    wanted = ("assembly_step", "velocity_transformation", *NEEDED[Complement])
    module = symgen.generate("gough_stewart", functions=wanted, effort="low", states=1)
    found = symgen.simulate(module, 0.1, rtol=1e-9, atol=1e-9, samples=5, closing=Complement("fixed", 5.0))
    assert np.abs(found.qd[-1]).max() > 0.05
    assert np.abs(found.drift).max() < 1e-7 * found.kinetic_energy.max()
    assert found.residual.max() < 1e-9


def test_penalties_err_by_what_their_springs_give(khan):
    found = [errors(khan, 1.0, rtol=1e-6, atol=1e-9, closing=Penalty(k)) for k in (1e4, 1e5)]
    assert 5 < found[0][0] / found[1][0] < 20
    assert 5 < found[0][1].residual.max() / found[1][1].residual.max() < 20
    assert found[1][1].evaluations > 1.5 * found[0][1].evaluations
    assert found[1][1].drift[-1] < 0
    slack = errors(khan, 0.2, rtol=1e-6, atol=1e-9, closing=Penalty(1e4, 0.0))[1]
    spring = 1e4 * np.sum(khan[0].closure(slack.q) ** 2, axis=-1) / 2
    np.testing.assert_allclose(slack.drift + spring, 0, atol=1e-5)


def test_the_printed_rate_errs_at_any_tolerance(khan):
    """And the consistent one does not."""
    for basis in ("gauss", "qr", "fixed"):
        loose, tight = (
            errors(khan, 1.0, rtol=tolerance, atol=tolerance, closing=Complement(basis, 10.0, "as printed"))[0]
            for tolerance in (1e-6, 1e-9)
        )
        assert loose == pytest.approx(tight, rel=1e-2)
        assert tight > 2e-4
        assert errors(khan, 1.0, rtol=1e-9, atol=1e-9, closing=Complement(basis, 10.0))[0] < 1e-9


def test_without_resets_the_printed_rate_ends_in_a_singular_posture(khan):
    with pytest.raises((InputError, LimitError), match=r"beyond t = 1\.9\d* s.*see `resets`"):
        errors(khan, rtol=1e-6, atol=1e-6, closing=Complement("gauss", 10.0, "as printed", resets=None))


def test_fixed_steps_fail_where_the_springs_are_too_stiff_for_them(khan):
    """As in Khan's figure 4.5."""
    error, found = errors(khan, 0.5, method="RK45", step=0.01, closing=Penalty(1e3))
    assert found.evaluations == 6 * 50 + 1
    assert error < 1
    with pytest.raises((InputError, LimitError), match="too stiff for the step"):
        errors(khan, 0.5, method="RK45", step=0.01, closing=Penalty(1e4))


def test_steps_have_the_length_that_is_asked_for(five_bar):
    exact = symgen.simulate(five_bar, 0.5, samples=3).q[-1]
    off = []
    for step in (0.05, 0.025):
        found = symgen.simulate(five_bar, 0.5, method="RK45", step=step, samples=3)
        assert found.evaluations == 6 * round(0.5 / step) + 1
        off.append(np.abs(found.q[-1] - exact).max())
    assert 16 < off[0] / off[1] < 64
    free, bound = (
        symgen.simulate(five_bar, 0.5, method="RK45", rtol=0.1, atol=0.1, samples=3, max_step=longest).evaluations
        for longest in (None, 0.01)
    )
    assert free < 60
    assert bound >= 301


def test_torques_are_those_of_the_reference(khan):
    known = json.loads((DATA / "rrr3.json").read_text(encoding="utf-8"))["trajectory"]
    assert len(known) > 5
    for sample in known:
        np.testing.assert_allclose(khan[1](sample["t"]), sample["tau"], rtol=1e-9)


def test_a_prescribed_motion_is_a_function_of_time_alone(khan):
    module, torques = khan
    times = np.random.default_rng(0).uniform(0, PERIOD, 20)
    first = [torques(t) for t in times]
    again = Prescribed(module, motion, PERIOD)
    assert np.array_equal(first[::-1], [again(t) for t in times[::-1]])


@pytest.mark.parametrize("seed", range(5))
def test_bases_are_complements_and_their_rates_are_rates(seed):
    random = np.random.default_rng(seed)
    A, A_dot = random.normal(size=(2, 4, 7))
    E = np.eye(7)[:, independent(A)]
    N = np.linalg.svd(A)[2][4:].T
    for make in (lambda A: Fixed(A, E), lambda A: Fixed(A, N), lambda A: Orthonormal(A, E), Singular):
        basis = make(A)
        np.testing.assert_allclose(A @ basis.S, 0, atol=1e-12)
        np.testing.assert_allclose(A @ basis.R, np.eye(4), atol=1e-12)
        assert np.linalg.matrix_rank(basis.S) == 3
        v = random.normal(size=7)
        np.testing.assert_allclose(basis.S @ basis.coordinates(v) + basis.R @ (A @ v), v, atol=1e-12)
        if isinstance(basis, Singular):
            continue
        vd, h = random.normal(size=7), 1e-6
        ahead, behind = (make(A + s * h * A_dot).coordinates(v + s * h * vd) for s in (1, -1))
        np.testing.assert_allclose(basis.rate(v, vd, A_dot), (ahead - behind) / (2 * h), atol=1e-7)


def test_singular_vectors_change_places(khan):
    """On a smooth way, where the fixed vectors make S go smoothly."""
    module, torques = khan
    rows = [module.independent_constraints(torques.position(t), np.zeros(9))[1] for t in np.linspace(0, 1, 401)]
    N = np.linalg.svd(rows[0])[2][6:].T

    def jump(bases):
        return max(np.abs(ahead.S - basis.S).max() for basis, ahead in itertools.pairwise(bases))

    assert jump([Singular(A) for A in rows]) > 0.2
    assert jump([Fixed(A, N) for A in rows]) < 0.01
    assert jump([Orthonormal(A, np.eye(9)[:, independent(rows[0])]) for A in rows]) < 0.01


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Penalty(0), "stiffness: expected a number above 0, found 0"),
        (lambda: Penalty("soft"), "stiffness: expected a number above 0, found 'soft'"),
        (lambda: Penalty(1.0, -1.0), "damping: expected a number of at least 0"),
        (lambda: Penalty(float("inf")), "stiffness"),
        (lambda: Complement("lu"), "unknown basis 'lu'; there are: gauss, qr, svd, fixed"),
        (lambda: Complement("gauss", rate="right"), "unknown rate 'right'"),
        (lambda: Complement("svd"), 'by "svd" has no rate; ask for the rate "as printed", or take the basis "fixed"'),
        (lambda: Complement("qr", -1.0), "stabilization: expected a number of at least 0"),
        (lambda: Complement("qr", resets=1.0), "resets: expected a number above 1, or None"),
        (lambda: Complement("qr", joints=("base1",)), 'joints: they are for the basis "gauss"'),
    ],
)
def test_what_makes_no_sense_is_refused(make, words):
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        make()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"closing": "penalty"}, "closing: expected a Penalty, a Complement or None, found 'penalty'"),
        ({"closing": Complement("gauss", joints=("proximal1", "none"))}, "joints: expected 2 different ones of"),
        ({"closing": Complement("gauss", joints=("proximal1",))}, "joints: expected 2 different ones of"),
        ({"step": 0.0}, "step: expected a number of seconds above 0"),
        ({"max_step": True}, "max_step: expected a number of seconds above 0"),
        ({"step": 0.1, "max_step": 0.1}, "step and max_step exclude each other"),
    ],
)
def test_what_does_not_fit_the_simulation_is_refused(five_bar, settings, words):
    with pytest.raises(InputError, match=words):
        symgen.simulate(five_bar, 0.1, **settings)


def test_robots_without_loops_and_modules_without_the_functions_are_refused():
    arm = symgen.generate("planar2r", functions=["forward_dynamics"], effort="low", states=5)
    with pytest.raises(InputError, match="closing: the robot has no loops to close"):
        symgen.simulate(arm, 0.1, closing=Penalty(1.0))
    with pytest.raises(InputError, match="closing: the robot has no loops to close"):
        symgen.simulate("planar2r", 0.1, closing=Penalty(1.0))
    with pytest.raises(InputError, match="the robot has no loops; call inverse_dynamics"):
        Prescribed(arm, motion, 1.0)
    bare = symgen.generate("five_bar", functions=["assembly_step", "inverse_dynamics"], effort="low", states=5)
    with pytest.raises(InputError, match=r"no velocity_transformation.*Generate it with"):
        symgen.simulate(bare, 0.1, closing=Penalty(1.0))
    with pytest.raises(InputError, match="motion: expected positions, velocities and accelerations"):
        Prescribed(bare, lambda t: [t, t], 1.0)
