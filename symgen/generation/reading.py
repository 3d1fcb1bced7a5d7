"""Robots as they were read before: a TOML file is read again only if its text, or symgen, is another."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Unpack

from symgen.algebra.plain import Codec
from symgen.build import kept
from symgen.robot import library
from symgen.robot.model import Robot
from symgen.robot.plain import FORMS

if TYPE_CHECKING:
    from symgen.robot.choices import Words

KIND = "robot"
"""The kind of entries of the cache that are robots."""

ROBOTS = Codec(FORMS)


def load(robot: str | os.PathLike[str] | Robot, **words: Unpack[Words]) -> Robot:
    """The robot, as `symgen.load` gives it."""
    return library.loaded(robot, _read, words)


def _read(text: str, source: str) -> Robot:
    key = kept.key_of(text, source)
    found = kept.recalled(KIND, key, ROBOTS, Robot)
    if found is not None:
        return found
    robot = library.read(text, source)
    kept.keep(KIND, key, ROBOTS.text(robot))
    return robot
