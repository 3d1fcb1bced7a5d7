"""The oracle's functions under the names, and with the arguments, that generated ones have."""

import functools

from symgen.program.module import CONFIGURATIONS
from symgen.verify import control, linear, manifold, masses
from symgen.verify.oracle import Oracle
from symgen.verify.setting import Setting
from symgen.verify.signatures import signatures

ROOMS = (control, masses)
"""Where functions of the oracle are that are no methods of it."""

LINEAR = ("regressor", "slotine_li_regressor", "inverse_dynamics_derivatives", "forward_dynamics_derivatives")


def oracle_functions(robot, setting=None):
    """Name → callable of the state, gravity and wrenches, as the setting has them."""
    setting = setting or Setting()
    oracle = Oracle(robot, setting.parameters)
    return {name: bound(oracle, signature, setting) for name, signature in signatures(robot, setting).items()}


def bound(oracle, signature, setting):
    if signature.kind in CONFIGURATIONS:
        return functools.partial(getattr(manifold, signature.kind), oracle.robot)
    if signature.kind in LINEAR:
        return functools.partial(linear_function, oracle, signature, setting)
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
