"""Library robots with drives and named frames added: everything a robot can have."""

from __future__ import annotations

from dataclasses import replace

from symgen.robot import library
from symgen.robot.expression import parse
from symgen.robot.model import Drive, Elementary, Frame, Robot

DRIVES = (
    ("0.0002", "100", "1.5", "0", "0", "0.5", "3", "-0.2"),
    ("0", "1", "0.7", "0.4", "0", "0", "0", "0", "40", "pi/5"),
    ("0.0003", "-71.5", "0", "0.6", "0.05"),
    ("0.0001", "53", "0", "0", "0", "0.6", "7", "0", "25"),
    ("0", "1", "0", "0", "0"),
)
"""Rotor inertia, gear ratio, viscous friction, Coulomb friction and its smoothing, sigmoid friction with its slope and
shift, stiffness and rest position, joint after joint."""


def equipped(name: str) -> Robot:
    """A library robot with `DRIVES`, a frame "tcp" on its last link and a frame "elbow" on its second."""
    return with_frames(with_drives(library.load(name)))


def with_drives(robot: Robot) -> Robot:
    links = [
        replace(link, joint=replace(link.joint, drive=Drive(*map(parse, DRIVES[index % len(DRIVES)]))))
        for index, link in enumerate(robot.links)
    ]
    return replace(robot, links=tuple(links))


def with_frames(robot: Robot) -> Robot:
    tool = (shifted(0, "0.1"), turned(1, "pi/3"), shifted(2, "0.2"))
    elbow = (shifted(1, "0.07"), turned(2, "0.3"), turned(0, "-pi/2"))
    return replace(robot, frames=(Frame("tcp", len(robot.links) - 1, tool), Frame("elbow", 1, elbow)), tool="tcp")


def shifted(axis: int, amount: str) -> Elementary:
    return Elementary(False, axis, parse(amount))


def turned(axis: int, amount: str) -> Elementary:
    return Elementary(True, axis, parse(amount))
