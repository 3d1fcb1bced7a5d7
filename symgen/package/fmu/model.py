"""The C of an FMU that belongs to one robot: places, names, starts of values, calls of its functions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from symgen.emit.environment import render
from symgen.package.fmu.variables import DYNAMICS, INPUTS, OUTPUTS, PARAMETERS, RATES, STATES, Layout
from symgen.program.module import CONSTANTS, Argument, FreeJoint, Function, Module
from symgen.runtime.configuration import plain_places
from symgen.verner import EMBEDDED_WEIGHTS, STAGES, WEIGHTS

TOLERANCE = "1e-9"
"""The tolerance of co-simulation where its importer asks for none."""


def model_header(module: Module, layout: Layout, token: str) -> str:
    """The text of fmu_model.h."""
    record = module.record
    starts = [(group, layout.first(group)) for group in (STATES, RATES, INPUTS, PARAMETERS, OUTPUTS)]
    first = layout.places["parameters"]
    return render(
        "fmu/fmu_model.h.j2",
        name=module.name,
        token=token,
        tolerance=TOLERANCE,
        nq=record.nq,
        nv=record.nv,
        places=[*starts, ("Q", layout.places["Q"]), ("QD", layout.places["QD"])],
        variables=[_variable(variable) for variable in layout.variables],
        stages=[[_ratio(weight) for weight in _filled(row)] for row in STAGES],
        weights=[_ratio(weight) for weight in WEIGHTS],
        error_weights=[_ratio(a - b) for a, b in zip(WEIGHTS, EMBEDDED_WEIGHTS, strict=True)],
        parameters=[first + k for k in range(len(module.parameters))],
        free=[_free_joint(joint) for joint in record.free],
        quaternions=[k for k, joint in enumerate(record.free) if joint.quaternion],
        plain=plain_places(record),
        dynamics=_call(module, layout, module.function(DYNAMICS), [f"rates + {record.nq}"]),
        results=[_result(module, layout, function) for function in layout.results],
    )


def _variable(variable: Any) -> dict[str, str]:
    name = variable.name.replace("\\", "\\\\").replace('"', '\\"')
    return {
        "c_name": name.replace("*/", "* /").replace("?", "\\?"),
        "start": repr(variable.start or 0.0),
        "least": "-HUGE_VAL" if variable.least is None else repr(variable.least),
    }


def _filled(row: tuple[Fraction, ...]) -> list[Fraction]:
    return [*row, *[Fraction(0)] * (len(WEIGHTS) - len(row))]


def _ratio(value: Fraction) -> str:
    """A constant expression that compilers round once."""
    return f"{value.numerator}.0 / {value.denominator}.0" if value.denominator > 1 else f"{value.numerator}.0"


def _free_joint(joint: FreeJoint) -> str:
    """Its entry in the table of free joints."""
    positions = {name: joint.q + k for k, name in enumerate(joint.positions)}
    velocities = {name: joint.v + k for k, name in enumerate(joint.velocities)}

    def places(known: dict[str, int], names: tuple[str, ...]) -> str:
        return "{" + ", ".join(str(known.get(name, -1)) for name in names) + "}"

    return (
        f"{{{places(positions, ('x', 'y', 'z'))}, {positions.get('theta', -1)}, "
        f"{places(positions, ('qx', 'qy', 'qz', 'qw'))}, {places(velocities, ('vx', 'vy', 'vz'))}, "
        f"{places(velocities, ('wx', 'wy', 'wz'))}}}"
    )


def _call(module: Module, layout: Layout, function: Function, outputs: list[str]) -> str:
    arguments = [_argument(layout, argument) for argument in function.inputs]
    return f"{module.name}_{function.name}({', '.join([*arguments, *outputs])});"


def _argument(layout: Layout, argument: Argument) -> str:
    if argument.name == CONSTANTS:
        return "constants"
    place = {"q": "Q", "qd": "QD"}.get(argument.name)
    return f"values + {place or layout.places[argument.name]}"


def _result(module: Module, layout: Layout, function: Function) -> list[str]:
    """Lines that compute what a function gives and store what of it is an output."""
    poses = {output.name: f"pose{k}" for k, output in enumerate(function.outputs) if output.shape}
    outputs = [poses.get(output.name, f"values + {layout.places[output.name]}") for output in function.outputs]
    return [
        *(f"double {pose}[16];" for pose in poses.values()),
        _call(module, layout, function, outputs),
        *(
            line
            for name, pose in poses.items()
            for line in ("for (int i = 0; i < 12; ++i)", f"    values[{layout.places[name]} + i] = {pose}[i];")
        ),
    ]
