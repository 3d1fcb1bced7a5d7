"""Functional Mock-up Units: a robot's forward dynamics as a file that simulation tools import.

An FMU is for model exchange and for co-simulation, by FMI 3.0 or 2.0. It holds its sources and what the compiler here
made of them. Inputs are joint forces and external wrenches, states q and q̇, outputs these, poses and energies.
"""

from __future__ import annotations

import hashlib

from symgen.derive.derivation import Derivation
from symgen.emit.environment import plain_text
from symgen.errors import InputError
from symgen.package.fmu.archive import archive, binary_path, compiled
from symgen.package.fmu.description import FMI2, FMI3, Standard, build_description, interface, model_description
from symgen.package.fmu.model import model_header
from symgen.package.fmu.variables import Layout, layout_of
from symgen.program.module import Module
from symgen.robot.model import Robot
from symgen.runtime.module import Sources

__all__ = ["FMI2", "FMI3", "Standard", "fmu_bytes", "source_files"]

_MODEL, _INSTANCE = "fmu_model.h", "fmu.h"


def fmu_bytes(robot: Robot, derivation: Derivation, sources: Sources, standard: Standard) -> bytes:
    """The FMU of what was derived from `robot`; the same input and the same compiler give the same bytes.

    Raises `InputError` and `LimitError` where none can be made, `EnvironmentFault` where there is no compiler.
    """
    files = source_files(robot, derivation, sources, standard)
    texts = {path.removeprefix("sources/"): text for path, text in files.items() if path.startswith("sources/")}
    contents = {path: text.encode() for path, text in files.items()}
    contents[binary_path(derivation.module.name, standard)] = compiled(derivation.module.name, texts)
    return archive(contents)


def source_files(robot: Robot, derivation: Derivation, sources: Sources, standard: Standard) -> dict[str, str]:
    """All of an FMU that is text: path with `/` → text."""
    module, layout = derivation.module, layout_of(robot, derivation)
    files = _files(module, layout, sources, standard, token="")
    digest = hashlib.sha256("\0".join(text for pair in sorted(files.items()) for text in pair).encode())
    return _files(module, layout, sources, standard, token=digest.hexdigest())


def _files(module: Module, layout: Layout, sources: Sources, standard: Standard, token: str) -> dict[str, str]:
    """The texts with a token that identifies their contents."""
    name = module.name
    own = {
        _MODEL: model_header(module, layout, token),
        _INSTANCE: plain_text(f"fmu/{_INSTANCE}"),
        standard.interface: interface(standard),
    }
    code = {file: text for file, text in sources.c.items() if file in (f"{name}.c", f"{name}.h")}
    if own.keys() & code.keys():
        raise InputError(f"{name}: expected another name of the robot: an FMU has its own files {', '.join(own)}")
    units = [f"{name}.c", standard.interface]
    files = {f"sources/{file}": text for file, text in {**own, **code}.items()}
    files["modelDescription.xml"] = model_description(module, layout, standard, token, units)
    if standard.is_third:
        files["sources/buildDescription.xml"] = build_description(module, units)
    return files
