"""A path → the model that MuJoCo compiles of the file, with defaults, includes, meshes and settings as MuJoCo has them.

Files are not trusted: XML without entities, of bounded size, depth and number of elements, that asks for a bounded
number of copies. Files that it includes, and meshes, are read by MuJoCo.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from types import ModuleType
from typing import Any

from symgen.errors import EnvironmentFault, LimitError, Problem, RobotFileError
from symgen.robot.names import shortened
from symgen.robot.urdf.xml import Element, parse

MAX_LINKS = 1000
MAX_COPIES = 10_000
"""Bodies and points that replicate, composite and flexcomp elements may ask for."""

_COPIES = frozenset({"replicate", "composite", "flexcomp"})
_LINE = re.compile(r",? *(?:\(?line(?: number)?[ =]+(\d+)\)?)", re.IGNORECASE)


def mujoco_package() -> ModuleType:
    """The package `mujoco`; `EnvironmentFault` where it is not installed."""
    try:
        import mujoco
    except ImportError as error:
        if error.name not in (None, "mujoco"):
            raise EnvironmentFault(f"the package mujoco cannot be imported: {error}") from None
        raise EnvironmentFault(
            "MJCF files are read through the package mujoco, which is not installed; "
            "install the extra mjcf: pip install 'symgen[mjcf]'"
        ) from None
    package: ModuleType = mujoco
    return package


def compiled(content: bytes, source: str) -> tuple[Any, list[str]]:
    """MuJoCo's model (`mujoco.MjModel`) of the file at the path `source`, whose bytes are `content`, and its warnings.

    Raises `InputError` and its kin for what is wrong with the file, `EnvironmentFault` where mujoco is missing.
    """
    root = parse(content, source)
    _check_copies(root, source, 1)
    mujoco = mujoco_package()
    with _warnings_kept(mujoco) as warnings:
        try:
            model = mujoco.MjModel.from_xml_path(source)
        except (ValueError, mujoco.FatalError) as error:
            raise RobotFileError(source, (_problem(str(error)),)) from None
    links = model.nbody - 1 + model.njnt
    if links > MAX_LINKS:
        raise LimitError(f"{source}: {links} bodies and joints; at most {MAX_LINKS} are read")
    return model, warnings


@contextmanager
def _warnings_kept(mujoco: ModuleType) -> Iterator[list[str]]:
    """MuJoCo's warnings meanwhile, which it would write to a log file in the working directory."""
    kept: list[str] = []
    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda message: kept.append(shortened(" ".join(str(message).split()), 200)))
    try:
        yield kept
    finally:
        mujoco.set_mju_user_warning(before)


def _check_copies(element: Element, source: str, copies: int) -> None:
    if element.tag in _COPIES:
        counts = [int(word) for word in element.attributes.get("count", "").split() if word.isdecimal()]
        copies *= max(prod(counts), 1)
        if copies > MAX_COPIES:
            raise LimitError(f"{source}: line {element.line}: {element.tag} asks for more than {MAX_COPIES} copies")
    for child in element.children:
        _check_copies(child, source, copies)


def _problem(message: str) -> Problem:
    """What MuJoCo says, in one line, with the line of the file in front where it is told."""
    text = " ".join(message.split())
    text = re.sub(r"^(XML )?Error: *", "", text)
    line = _LINE.search(text)
    place = "model"
    if line is not None:
        text, place = (text[: line.start()] + text[line.end() :]).strip(), f"line {line[1]}"
    return Problem(place, f"MuJoCo: {shortened(text, 300)}")
