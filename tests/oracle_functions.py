"""The oracle's functions under the names, and with the arguments, that generated ones have."""

from symgen.verify.oracle import Oracle
from symgen.verify.setting import Setting
from symgen.verify.signatures import WITH_GRAVITY, WITH_LOADS, signatures


def oracle_functions(robot, setting=None):
    """Name → callable of the state, gravity and wrenches, as the setting has them."""
    setting = setting or Setting()
    oracle = Oracle(robot, setting.parameters)
    return {name: bound(oracle, signature, setting) for name, signature in signatures(robot, setting).items()}


def bound(oracle, signature, setting):
    method, kind = getattr(oracle, signature.kind), signature.kind
    state = sum(argument in ("q", "qd", "qdd", "tau") for argument in signature.arguments)

    def function(*args):
        at, rest = args[:state], list(args[state:])
        if kind == "forward_kinematics":
            return method(*at, signature.frames)
        if signature.frames:
            return method(*at, signature.frames[0], setting.axes)
        gravity = [rest.pop(0) if setting.gravity else None] if kind in WITH_GRAVITY else []
        if kind in WITH_LOADS:
            loads = [(frame, wrench) for (_, frame), wrench in zip(setting.wrenches, rest, strict=True)]
            return method(*at, *gravity, loads)
        return method(*at, *gravity)

    return function
