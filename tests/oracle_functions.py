"""The oracle's functions under the names, and with the arguments, that generated ones have."""

import functools

import numpy as np

from symgen.program.module import CONFIGURATIONS
from symgen.verify import bends, control, linear, manifold, masses
from symgen.verify.oracle import Oracle
from symgen.verify.rates import slope
from symgen.verify.setting import Setting
from symgen.verify.signatures import signatures

ROOMS = (control, masses)
"""Where functions of the oracle are that are no methods of it."""

HESSIANS = tuple(
    f"{which}_dynamics_{what}" for which in ("inverse", "forward") for what in ("hessian", "second_derivatives")
)
LINEAR = ("regressor", "slotine_li_regressor", "inverse_dynamics_derivatives", "forward_dynamics_derivatives")


def oracle_functions(robot, setting=None, *, second=False):
    """Name → callable of the state, gravity and wrenches, as the setting has them.

    With `second` second derivatives of dynamics are among them, which take the oracle many times as long.
    """
    setting = setting or Setting()
    oracle = Oracle(robot, setting.parameters)
    known = signatures(robot, setting).items()
    return {name: bound(oracle, each, setting) for name, each in known if second or each.kind not in HESSIANS}


def bound(oracle, signature, setting):
    if signature.kind in CONFIGURATIONS:
        return functools.partial(getattr(manifold, signature.kind), oracle.robot)
    if signature.kind in LINEAR:
        return functools.partial(linear_function, oracle, signature, setting)
    if signature.kind in HESSIANS:
        return functools.partial(second_derivatives, oracle, signature, setting)
    if signature.kind == "kinematic_hessian":
        return functools.partial(kinematic_hessian, oracle, signature, setting)
    kind = signature.kind
    method = getattr(oracle, kind, None)
    if method is None:
        method = functools.partial(next(getattr(room, kind) for room in ROOMS if hasattr(room, kind)), oracle)
    state = len(signature.entry.arguments)

    def function(*args):
        at, rest = args[:state], list(args[state:])
        if kind == "forward_kinematics":
            return method(*at, signature.frames)
        if signature.frames:
            return method(*at, signature.frames[0], setting.axes)
        gravity = [rest.pop(0) if setting.gravity else None] if signature.entry.gravity else []
        if signature.entry.loads:
            loads = [(frame, wrench) for (_, frame), wrench in zip(setting.wrenches, rest, strict=True)]
            return method(*at, *gravity, loads)
        return method(*at, *gravity)

    return function


def linear_function(oracle, signature, setting, q, qd, third, *rest):
    """Regressors and derivatives; `third` is q̈, τ or a reference velocity."""
    rest = list(rest)
    if signature.kind == "slotine_li_regressor":
        return control.slotine_li_regressor(oracle, setting.regressor, q, qd, third, *rest)
    gravity = rest.pop(0) if setting.gravity else None
    if signature.kind == "regressor":
        return linear.regressor(oracle, setting.regressor, q, qd, third, gravity)
    loads = [(frame, wrench) for (_, frame), wrench in zip(setting.wrenches, rest, strict=True)]
    if signature.kind == "inverse_dynamics_derivatives":
        return linear.inverse_dynamics_derivatives(oracle, linear.Instant(q, qd, third, gravity, loads))
    qdd = oracle.forward_dynamics(q, qd, third, gravity, loads)
    inverse = oracle.inverse_inertia_matrix(q)
    by_position, by_rate = linear.inverse_dynamics_derivatives(oracle, linear.Instant(q, qd, qdd, gravity, loads))
    return -inverse @ by_position, -inverse @ by_rate, inverse


def second_derivatives(oracle, signature, setting, q, qd, third, *rest):
    """Contracted with weights, the fourth argument, or all; `third` is q̈ or τ."""
    rest = list(rest)
    weights = rest.pop(0) if signature.kind.endswith("hessian") else None
    gravity = rest.pop(0) if setting.gravity else None
    loads = [(frame, wrench) for (_, frame), wrench in zip(setting.wrenches, rest, strict=True)]
    forward = signature.kind.startswith("forward")
    qdd = oracle.forward_dynamics(q, qd, third, gravity, loads) if forward else third
    at = linear.Instant(q, qd, qdd, gravity, loads)
    arrays = bends.values(oracle, at)
    if forward:
        arrays = answering(oracle, at, arrays)
    return arrays if weights is None else tuple(np.einsum("...k,...kij->...ij", weights, array) for array in arrays)


def answering(oracle, at, arrays):
    """The second derivatives of accelerations from those of forces."""
    inverse = oracle.inverse_inertia_matrix(at.q)
    by_position, by_rate = (-inverse @ slopes for slopes in linear.inverse_dynamics_derivatives(oracle, at))
    positions, positions_rates, rates, mixed = arrays
    turned = mixed @ by_position[..., None, :, :]
    forces = (
        positions + turned + np.swapaxes(turned, -1, -2),
        positions_rates + mixed @ by_rate[..., None, :, :],
        rates,
        mixed @ inverse[..., None, :, :],
    )
    return tuple(-np.einsum("...kl,...lij->...kij", inverse, array) for array in forces)


def kinematic_hessian(oracle, signature, setting, q, weights):
    def forces(at):
        return np.einsum("...ri,...r->...i", oracle.jacobian(at, signature.frames[0], setting.axes), weights)

    return np.stack([slope(oracle.robot, forces, q, j) for j in range(oracle.robot.nv)], axis=-1)
