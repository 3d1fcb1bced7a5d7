"""Pictures of robots as files: what they look like, and the graph of their links and joints."""

from __future__ import annotations

from pathlib import Path

from symgen.cli.conversion import write_robot_file
from symgen.errors import InputError
from symgen.robot.model import Robot


def looks(robot: Robot, path: Path | None, at: str | None) -> bytes | None:
    """What a robot looks like, as SVG, at positions that `at` lists; None without a path."""
    if path is None:
        return None
    if path.suffix.lower() != ".svg":
        raise InputError(f"--picture: what a robot looks like is drawn as SVG; expected a name such as {path.stem}.svg")
    from symgen.drawing.picture import picture
    from symgen.robot.scenery import scene_of

    return picture(scene_of(robot), None if at is None else _positions(robot, at)).encode()


def graph(robot: Robot, path: Path | None) -> bytes | None:
    """The graph of a robot in the format that the path's name says; None without a path."""
    if path is None:
        return None
    from symgen.robot.diagram.picture import graph_picture

    return graph_picture(robot).content(path.suffix.lower().removeprefix("."))


def write(path: Path, content: bytes, *, force: bool) -> None:
    """Write a picture, whole or not at all; what is there stays unless `force` is set."""
    write_robot_file(path, content, force=force, kind="picture")


def _positions(robot: Robot, text: str) -> list[float]:
    from symgen.derive import records
    from symgen.simulation.checks import configuration, vector_of_text

    record = records.record(robot)
    return [float(entry) for entry in configuration("--at", vector_of_text("--at", text, record.positions), record)]
