"""What the page's script is told of the robot, as plain data, and the generated module that it calls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from symgen.drawing.scene import Scene
from symgen.drawing.viewer import script as viewer_script
from symgen.generation.corridor import Generation
from symgen.program.module import Module
from symgen.report.functions import LANGUAGE
from symgen.runtime.configuration import plain_places
from symgen.simulation.trajectory import usual_move
from symgen.verner import EMBEDDED_WEIGHTS, NODES, STAGES, WEIGHTS

PARTS = ("numbers", "mechanism", "integrator", "motions", "elements", "plots", "panels", "sliders", "theatre", "page")
"""The files of the page's script, in order."""

NAMES = "symgenDynamics"
"""The name under which the page's script finds the functions."""


def robot_data(made: Generation) -> dict[str, Any]:
    """The robot's coordinates, functions and usual move, and the integrator's coefficients."""
    module, record = made.derivation.module, made.derivation.module.record
    usual = usual_move(record)
    frame = next((function.frame for function in module.functions if function.kind == "jacobian"), "")
    return {
        "name": made.robot.name,
        "nq": record.nq,
        "nv": record.nv,
        "frame": frame or frame_name(module),
        "joints": [
            {"name": joint.name, "kind": joint.kind, "force_unit": joint.force_unit, "effort": joint.effort}
            for joint in record.joints
        ],
        "positions": [{"name": position.name, "unit": position.unit} for position in record.positions],
        "plain": plain_places(record),
        "free": [
            {"q": joint.q, "v": joint.v, "positions": joint.positions, "velocities": joint.velocities}
            for joint in record.free
            if joint.velocities
        ],
        "places": None if module.assembly is None else module.assembly.places,
        "functions": {function.kind or function.name: function.name for function in module.functions},
        "usual": {"start": list(usual.start), "end": list(usual.end)},
        "pair": {
            "stages": [[float(entry) for entry in (*row, *[0] * (len(NODES) - len(row)))] for row in STAGES],
            "weights": [float(entry) for entry in WEIGHTS],
            "errors": [float(b - other) for b, other in zip(WEIGHTS, EMBEDDED_WEIGHTS, strict=True)],
        },
    }


def frame_name(module: Module) -> str:
    """The frame whose pose and Jacobian are shown, as the generated code calls it; "" if there is none."""
    outputs = [function.outputs[0] for function in module.functions if function.kind == "forward_kinematics"]
    return outputs[0].name.removeprefix("T_") if outputs else ""


def data_text(data: Mapping[str, Any], scene: Scene) -> str:
    """Data and scene as JSON that may stand in a script of a page: nothing in it ends the script."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return f'{{"robot":{text},"scene":{scene.json()}}}'


def module_text(made: Generation) -> str:
    """The generated module as a script of a page; what it exports is in `NAMES`, too."""
    ((_, text),) = made.sources.files[LANGUAGE].items()
    module = made.derivation.module
    names = [function.name for function in module.functions]
    names += ["NQ", "NV", "JOINTS", *(["assemble"] if module.assembly is not None else [])]
    return f"{inlined(text)}\nglobalThis.{NAMES} = {{ {', '.join(names)} }};\n"


def inlined(text: str) -> str:
    """A script that may stand between script tags: where its comments or strings would end it, or hide the end.

    A backslash before / or ! changes neither comments nor strings, and elsewhere scripts have no such letters.
    """
    return text.replace("</", "<\\/").replace("<!--", "<\\!--")


@cache
def page_script() -> str:
    """The viewer's script and the page's own."""
    folder = resources.files("symgen.report.browser")
    own = [folder.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in PARTS]
    return inlined("".join([viewer_script(), "{\n", *own, "}\n"]))
