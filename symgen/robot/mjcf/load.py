"""A path → the model that MuJoCo compiles of the file, with defaults, includes, meshes and settings as MuJoCo has them.

Files are not trusted: XML without entities, of bounded size, depth and number of elements, that asks for what is within
`bounds`. Files that it includes, and meshes, are read by MuJoCo.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from symgen.errors import EnvironmentFault, InputError, LimitError, Problem, RobotFileError
from symgen.robot.mjcf import bounds
from symgen.robot.names import shortened
from symgen.robot.urdf.xml import parse

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
    _check_encoding(content, source)
    bounds.check(root, source)
    mujoco = mujoco_package()
    with _warnings_kept(mujoco) as warnings:
        try:
            model = mujoco.MjModel.from_xml_path(source)
        except (ValueError, RuntimeError, MemoryError, mujoco.FatalError) as error:
            raise RobotFileError(source, (_problem(str(error)),)) from None
    links = model.nbody - 1 + model.njnt
    if links > bounds.MAX_LINKS:
        raise LimitError(f"{source}: {links} bodies and joints; at most {bounds.MAX_LINKS} are read")
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


def _check_encoding(content: bytes, source: str) -> None:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: not UTF-8 (byte {error.start}), which MuJoCo reads; save it as UTF-8") from None
    if "\0" in text:
        raise InputError(f"{source}: holds zero bytes, as UTF-16 has them; MuJoCo reads UTF-8, save it as that")


def _problem(message: str) -> Problem:
    """What MuJoCo says, in one line, with the line of the file in front where it is told."""
    text = " ".join(message.split())
    text = re.sub(r"^(XML )?Error: *", "", text)
    line = _LINE.search(text)
    place = "model"
    if line is not None:
        text, place = (text[: line.start()] + text[line.end() :]).strip(), f"line {line[1]}" if int(line[1]) else place
    return Problem(place, f"MuJoCo: {shortened(text, 300)}")
