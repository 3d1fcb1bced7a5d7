"""Two motions found by direct collocation with CasADi and IPOPT, for any function of forward dynamics.

A model is a `casadi.Function` of q, q̇ and τ: symgen's library, or CasADi's own expressions.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import casadi
import numpy as np

from symgen import api
from symgen.bench.cases import case_of
from symgen.bench.peers.casadi import sx_function
from symgen.build.compiler import find_compiler
from symgen.emit.casadi.runner import built
from symgen.robot.reader import read_text

FLAGS = ("-std=gnu99", "-O3", "-march=native", "-fPIC", "-shared")
QUICK = ("-std=c99", "-O1", "-fPIC", "-shared")

CART_POLE = """
name = "cart_pole"
convention = "standard"
gravity = [-9.81, 0, 0]
inertia_about = "com"

[[links]]
name = "cart"
joint = "prismatic"
alpha = "pi/2"
mass = 1
com = [0, 0, 0]
inertia = { xx = 0, yy = 0, zz = 0 }

[[links]]
name = "pole"
joint = "revolute"
mass = 0.3
com = [0.5, 0, 0]
inertia = { xx = 0, yy = 0, zz = 0 }
"""


@dataclass(frozen=True)
class Problem:
    """A motion from rest to rest in some time, by steps; forces are within limits, and their squares least."""

    start: tuple[float, ...]
    goal: tuple[float, ...]
    time: float
    steps: int
    limits: tuple[float, ...]


SWING_UP = Problem((0.0, np.pi), (0.0, 0.0), 2.0, 40, (20.0, 0.0))
REACH = Problem(
    (0.0, -0.8, 0.0, -2.3, 0.0, 1.6, 0.8), (1.2, 0.3, -0.5, -1.2, 0.4, 2.2, -0.4), 1.0, 20, (87.0,) * 4 + (12.0,) * 3
)


def cart_pole():
    return read_text(CART_POLE, "cart_pole.toml")


def symgen_library(robot, effort="low", flags=FLAGS):
    """The library that symgen writes for a robot's forward dynamics."""
    made = api.run(robot, api.Options(functions=("forward_dynamics",), effort=effort), states=3, languages=("casadi",))
    assert made.passed
    return str(built(made.sources.files["casadi"], flags))


def own_library(robot, folder: Path):
    """CasADi's C of its own expressions, and of their derivatives."""
    model = own_model(robot)
    reverse = model.reverse(1)
    generator = casadi.CodeGenerator("own.c")
    for function in (model, model.jacobian(), reverse, reverse.jacobian()):
        generator.add(_sharing(function))
    generator.generate(f"{folder}{os.sep}")
    command = [*find_compiler().command, *FLAGS, "own.c", "-o", "libown.so", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return str(folder / "libown.so")


def _sharing(function):
    """A function of CasADi's, with the common parts of its outputs shared: its derivatives come without that."""
    inputs = function.sx_in()
    outputs = casadi.cse(function.call(inputs))
    return casadi.Function(function.name(), inputs, outputs, function.name_in(), function.name_out())


def own_model(robot):
    """CasADi's own expressions, common parts shared."""
    model = sx_function(case_of(robot, states=1), "forward_dynamics")
    inputs = model.sx_in()
    outputs = model(*inputs)
    return casadi.Function("forward_dynamics", inputs, [outputs], ["q", "qd", "tau"], ["qdd"])


def solved(model, problem: Problem):
    """Opti's solution by trapezoidal collocation, with exact Hessians: (motion, forces, statistics)."""
    n, step = len(problem.start), problem.time / problem.steps
    opti = casadi.Opti()
    q, qd, tau = (opti.variable(n, problem.steps + 1) for _ in range(3))
    qdd = model.map(problem.steps + 1)(q, qd, tau)
    for values, rates in ((q, qd), (qd, qdd)):
        opti.subject_to(values[:, 1:] - values[:, :-1] == step / 2 * (rates[:, 1:] + rates[:, :-1]))
    start, goal = np.array(problem.start), np.array(problem.goal)
    opti.subject_to(q[:, 0] == start)
    opti.subject_to(q[:, -1] == goal)
    opti.subject_to(qd[:, 0] == 0)
    opti.subject_to(qd[:, -1] == 0)
    for k, limit in enumerate(problem.limits):
        if limit:
            opti.subject_to(opti.bounded(-limit, tau[k, :], limit))
        else:
            opti.subject_to(tau[k, :] == 0)
    opti.minimize(step * casadi.sumsqr(tau))
    opti.set_initial(q, start[:, None] + np.outer(goal - start, np.linspace(0, 1, problem.steps + 1)))
    opti.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes"})
    found = opti.solve()
    return np.array(found.value(q)), np.array(found.value(tau)), found.stats()
