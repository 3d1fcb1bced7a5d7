"""Derivatives of robots with loops: against differences of a reference along assembled motions, and identities."""

import functools

import numpy as np
import pytest
from loop_mechanisms import Mechanism, mechanism

import symgen
from symgen.derive.derivation import Options, derive
from symgen.derive.loop_plan import Constraints
from symgen.errors import InputError
from symgen.mechanics.instantiation import instantiate
from symgen.program.interpreter import evaluate
from symgen.prove.proof import prove
from symgen.robot import library
from symgen.verify.compare import verify
from symgen.verify.manifold import integrate

FUNCTIONS = (
    "inverse_dynamics",
    "forward_dynamics",
    "inertia_matrix",
    "coriolis_torque",
    "velocity_transformation",
    "jacobian",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "jacobian_dot",
)
MECHANISMS = (12, 33)
ROBOTS = ("five_bar", "rssr", "delta", "palletizer")
STEP = 1e-4

each = pytest.mark.parametrize("case", [*MECHANISMS, *ROBOTS])


class Case:
    """A mechanism at a state, its functions, and assembled postures about it."""

    def __init__(self, case):
        self.robot = mechanism(case) if isinstance(case, int) else library.load(case)
        self.holonomic = not any(each.joint.kind.is_free for each in self.robot.independent_velocities)
        names = (*FUNCTIONS, *(["coriolis_matrix"] if self.holonomic else []))
        self.derivation = derive(self.robot, Options(names, effort="low"))
        self.constraints = Constraints(self.robot, lambda graph: instantiate(self.robot, graph))
        self.own = list(self.robot.independent)
        self.rest = [k for k in range(self.robot.nv) if k not in self.own]
        self.q = self.constraints.assembled(np.array(self.robot.near), self.rest)
        chance = np.random.default_rng(0)
        self.qd, self.qdd, self.tau = chance.uniform(-1, 1, (3, len(self.own)))

    def call(self, name, **given):
        """A function's arrays."""
        function = self.derivation.module.function(name)
        given = {"q": self.q, "qd": self.qd, "qdd": self.qdd, "tau": self.tau} | given
        return list(evaluate(function.program, {item.name: given[item.name] for item in function.inputs}).values())

    def ahead(self, rates):
        """The assembled q after independent coordinates went along rates."""
        G = self.call("velocity_transformation")[0]
        return self.constraints.assembled(integrate(self.robot, self.q, G @ rates), self.rest)

    def difference(self, of):
        """∂f/∂q_a, the independent coordinates last."""
        coarse, fine = (
            np.stack([(of(self.ahead(u)) - of(self.ahead(-u))) / (2 * step) for u in step * np.eye(len(self.own))], -1)
            for step in (2 * STEP, STEP)
        )
        return (4 * fine - coarse) / 3


@functools.cache
def made(case):
    return Case(case)


def near(found, expected, tolerance=1e-6):
    assert np.abs(found - expected).max() <= tolerance * max(1, np.abs(expected).max())


@each
def test_everything_is_proved(case):
    assert all(proof.holds for proof in prove(made(case).derivation))


@pytest.mark.parametrize("seed", MECHANISMS)
def test_accelerations_answer_as_those_of_all_equations_at_once(seed):
    this = made(seed)
    twin = Mechanism(this.robot)
    driven = np.zeros(this.robot.nv)
    driven[this.own] = this.tau

    def accelerations(q, qd=this.qd, driven=driven):
        v = this.call("velocity_transformation", q=q)[0] @ qd
        return twin.accelerations(q, v, driven)[this.own]

    by_position, by_rate, by_force = this.call("forward_dynamics_derivatives")
    near(by_position, this.difference(accelerations), 1e-5)
    units = np.eye(len(this.own))
    near(by_rate.T, [(accelerations(this.q, this.qd + u) - accelerations(this.q, this.qd - u)) / 2 for u in units])
    full = np.eye(this.robot.nv)[this.own]
    ends = [[accelerations(this.q, driven=driven + sign * u) for sign in (1, -1)] for u in full]
    near(by_force.T, [(a - b) / 2 for a, b in ends])


@each
def test_forces_answer_as_their_differences(case):
    this = made(case)
    by_position, by_rate = this.call("inverse_dynamics_derivatives")
    near(by_position, this.difference(lambda q: this.call("inverse_dynamics", q=q)[0]))
    step = 1e-5  # friction may be smooth
    ends = [
        [this.call("inverse_dynamics", qd=this.qd + s * u)[0] for s in (step, -step)] for u in np.eye(len(this.own))
    ]
    near(by_rate.T, [(a - b) / (2 * step) for a, b in ends])


@each
def test_convective_inertia_is_christoffels(case):
    this = made(case)
    if not this.holonomic:
        with pytest.raises(InputError, match="known only where independent rates are those of coordinates"):
            derive(this.robot, Options(("coriolis_matrix",)))
        return
    C, h = this.call("coriolis_matrix")[0], this.call("coriolis_torque")[0]
    near(C @ this.qd, h, 1e-12)
    change = this.difference(lambda q: this.call("inertia_matrix", q=q)[0]) @ this.qd
    near(C + C.T, change)


@each
def test_jacobians_change_as_their_differences(case):
    this = made(case)
    change = this.difference(lambda q: this.call("jacobian", q=q)[0]) @ this.qd
    near(this.call("jacobian_dot")[0], change)


def test_a_hundred_thousandth_is_caught():
    """The oracle's differences are close enough to see it."""
    robot = library.load("five_bar")
    names = ("inverse_dynamics_derivatives", "forward_dynamics_derivatives", "coriolis_matrix", "jacobian_dot")
    module = symgen.generate(robot, functions=names, effort="low", states=10)
    for name in names:

        def wrong(*arguments, right=module.functions[name]):
            found = right(*arguments)
            arrays = [np.array(array) for array in (found if isinstance(found, tuple) else (found,))]
            arrays[0] *= 1 + 1e-5
            return tuple(arrays) if len(arrays) > 1 else arrays[0]

        assert not verify(robot, {name: wrong}, 10).passed
