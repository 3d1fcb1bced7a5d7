"""Robots that ship with symgen, and `chain`, an arm of any number of links for tests and scaling."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from symgen.algebra.exact import PI
from symgen.errors import InputError
from symgen.robot.expression import ZERO, constant
from symgen.robot.model import Elementary, Inertia, Joint, JointKind, Link, Robot, Row
from symgen.robot.shipped import file_text, names

if TYPE_CHECKING:
    from symgen.robot.choices import Choices, Words

LONGEST_CHAIN = 100
"""Chains by name have no more links than this."""


def load(robot: str | os.PathLike[str] | Robot, **words: Unpack[Words]) -> Robot:
    """The library robot of that name, the robot in the file at that path, or the robot itself.

    "chain24" and the like stand for `chain(24)`. A text that ends in .toml, .urdf or .xml or holds a path separator is
    a path; a name of the library comes first otherwise. "example-robot-data:talos_reduced" is the file of that name in
    that package, if it is installed. What a file is, is seen from its content: TOML, a URDF or MJCF.

    Choices: `loops` is a file of cut joints and couplings that close the robot's loops, or "open", which leaves open
    those that it has; `snap=False` leaves the numbers of a URDF or MJCF as they are, where 1.5708 is a right angle
    otherwise; `mimic="independent"` lets joints that follow others move by themselves; `root` and `tip` (one link or
    several) take the links from one on, and the chains to some; `lock={"joint": "pi/2"}` fixes joints at values;
    `base="floating"` or "planar" lets the root link move, "fixed" holds it; `attach=["LINK:mass:x,y,z"]` fixes point
    masses to links, and `attach_file` bodies with inertia.
    """
    return loaded(robot, read, words)


Read = Callable[[str, str], Robot]
"""What makes a robot of the text of a TOML file and of the name of its source."""


def loaded(robot: str | os.PathLike[str] | Robot, read: Read, words: Words) -> Robot:
    """The robot as `load` gives it, where TOML is read by `read`."""
    if not words:
        return _loaded(robot, read, None)
    from symgen.robot.choices import Choices

    choices = Choices.of(**words)
    return choices.applied(_loaded(robot, read, choices))


def _loaded(robot: str | os.PathLike[str] | Robot, read: Read, choices: Choices | None) -> Robot:
    if isinstance(robot, Robot):
        return robot
    if not isinstance(robot, str | os.PathLike):
        raise InputError(f"expected the name of a robot, a path or a Robot, found {type(robot).__name__}")
    text = os.fsdecode(robot)
    if isinstance(robot, str) and robot in names():
        return read(file_text(robot), f"{robot}.toml")
    shown = repr(text if len(text) <= 200 else text[:197] + "...")
    path = _path(text)
    if path is not None:
        if path.is_dir():
            raise InputError(f"{shown} is a directory; expected a robot file (.toml, .urdf, .xml)")
        return _read_file(path, read, choices)
    if ":" in text and (path := _packaged(text)) is not None:
        return _read_file(path, read, choices)
    if text.endswith((".toml", ".urdf", ".xml", ".mjcf")) or len(Path(text).parts) > 1:
        raise InputError(f"{shown}: there is no such file; `symgen list` shows the robots that ship with symgen")
    links = re.fullmatch(r"chain(\d{1,9})", text, re.ASCII)
    if links is not None and not 1 <= int(links[1]) <= LONGEST_CHAIN:
        raise InputError(f"{shown}: expected a chain of 1 to {LONGEST_CHAIN} links, found {links[1]}")
    if links is not None:
        return chain(int(links[1]))
    raise InputError(f"{shown} is neither a file nor a robot of the library; the library has: {', '.join(names())}")


def _path(text: str) -> Path | None:
    """The path, if something is there."""
    try:
        path = Path(text).expanduser()
        return path if text and path.exists() else None
    except (OSError, ValueError, RuntimeError):  # no name of a file at all: too long, no such user
        return None


def _packaged(text: str) -> Path | None:
    from symgen.robot.packaged import packaged  # what knows packages takes longer to load than a robot

    return packaged(text)


def read(text: str, source: str) -> Robot:
    """The robot of the text of a TOML file; `source` names it in messages."""
    from symgen.robot.reader import read_text  # the schema takes longest to load, and chains and wrong names need none

    return read_text(text, source)


def _read_file(path: Path, read: Read, choices: Choices | None) -> Robot:
    from symgen.robot.files import read_file

    if choices is None:
        return read_file(path, read)
    return read_file(path, read, snap=choices.snap, independent=choices.independent)


def chain(n: int, *, prismatic: tuple[int, ...] = ()) -> Robot:
    """An n-link arm of general shape: every length, mass and inertia entry is non-zero, twists are ±π/2.

    Joints whose number (from 1) is in `prismatic` slide, the others turn. Masses and lengths vary from link to link.
    """
    if n < 1:
        raise InputError(f"chain({n}): expected at least one link")
    return Robot(
        name=f"chain{n}",
        description=f"generic arm of {n} links",
        source="made by symgen.robot.library.chain",
        convention="standard",
        gravity=(ZERO, ZERO, constant(Fraction("-9.81"))),
        base=(),
        links=tuple(_chain_link(i, prismatic=i + 1 in prismatic) for i in range(n)),
    )


def _chain_link(i: int, *, prismatic: bool) -> Link:
    def tenth(value: int) -> Fraction:
        return Fraction(value, 10)

    joint = Joint(f"joint{i + 1}", JointKind.PRISMATIC if prismatic else JointKind.REVOLUTE, ZERO)
    twist = constant(PI / 2 if i % 2 == 0 else -PI / 2)
    a, b = constant(Fraction(1, 10) + Fraction(i % 3, 50)), constant(Fraction(15 + i % 4, 100))
    b = ZERO if prismatic else b
    mass = constant(1 + Fraction(i % 5, 4))
    com = (constant(-tenth(1) / 2), constant(Fraction(i % 3 + 1, 100)), constant(Fraction(-2, 100)))
    tensor = tuple(constant(Fraction(value + i % 3, 1000)) for value in (20, 25, 30, 1, -4, 3))
    xx, yy, zz, xy, xz, yz = tensor
    after = tuple(
        part
        for part in (Elementary(False, 2, b), Elementary(False, 0, a), Elementary(True, 0, twist))
        if not part.amount.is_zero
    )
    return Link(
        name=f"link{i + 1}",
        parent=i - 1,
        joint=joint,
        before=(),
        after=after,
        inertia=Inertia(mass, com, (xx, yy, zz, xy, xz, yz), about_origin=False),
        row=Row(a, twist, b, ZERO, ZERO, ZERO),
    )
