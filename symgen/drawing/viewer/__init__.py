"""The viewer: one script for browsers, without dependencies, put together from the files beside this one.

It defines `symgenViewer(element, scene, options)`, which shows a scene in an element and returns the view, and as its
properties `controls(element, view, changed)`, sliders, and functions that need no browser: `poses(scene, q)`,
`frame(scene, q, name)`, `closed(scene, q, fixed)`, `choices(scene)`, `followed(scene, q, choice, value)`.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

PARTS = ("kinematics", "closing", "camera", "solids", "parts", "view", "controls")
"""The files of the script, in order."""

_END = """\
symgenViewer.poses = poses;
symgenViewer.frame = (scene, q, name) => framePose(scene, poses(scene, q), name);
symgenViewer.closed = closed;
symgenViewer.choices = choices;
symgenViewer.followed = followed;
symgenViewer.controls = controls;
return symgenViewer;
"""


@cache
def script() -> str:
    """The script, which defines `symgenViewer`; it may stand in a page, between script tags."""
    folder = resources.files("symgen.drawing.viewer")
    parts = [folder.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in PARTS]
    return "".join(["const symgenViewer = (() => {\n", '"use strict";\n', *parts, _END, "})();\n"])
