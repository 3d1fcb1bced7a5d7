"""The files of the robots that ship with symgen, and what `symgen list` says of them.

Nothing of a robot is built here, and of its file only the head is parsed, so that a list is quick. In these files a
link's joint stands on a line of its own.
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
    head, _, links = file_text(name).partition("\n[[links]]")
    table = tomllib.loads(head)  # the links of a humanoid take longer to parse than all the rest
    tree, _, _ = links.partition("\n[[loops]]")
    joints = sum(line.startswith('joint = "') and line != 'joint = "fixed"' for line in tree.splitlines())
    return Heading(table["name"], table.get("description", ""), joints)
