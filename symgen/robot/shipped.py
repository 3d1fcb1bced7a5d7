"""The files of the robots that ship with symgen, and what `symgen list` says of them.

Nothing of a robot is built here, so that a list is quick.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True)
class Heading:
    """A robot in one line: its name, what it is, and the number of its joints that move."""

    name: str
    description: str
    joints: int


def names() -> tuple[str, ...]:
    """Names of the robots that ship with symgen, sorted."""
    folder = resources.files("symgen.robot").joinpath("library")
    return tuple(sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".toml")))


def file_text(name: str) -> str:
    """The text of the robot file of that name, one of `names`."""
    return resources.files("symgen.robot").joinpath("library", f"{name}.toml").read_text(encoding="utf-8")


def heading(name: str) -> Heading:
    """The robot of that name, one of `names`, in one line."""
    table = tomllib.loads(file_text(name))
    joints = sum(link["joint"] != "fixed" for link in table["links"])
    return Heading(table["name"], table.get("description", ""), joints)
