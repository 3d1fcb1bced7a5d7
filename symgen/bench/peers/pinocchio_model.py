"""What Pinocchio's C++ and Python are made of: where its headers are, compiled drivers, and models of trees."""

from __future__ import annotations

import ctypes
import importlib.util
import sysconfig
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from symgen.bench.joints import PlainJoint
from symgen.bench.native import Floats, cxx_library, find_cxx
from symgen.emit.environment import render
from symgen.errors import EnvironmentFault

# -march=native would change the layout of Eigen's types, and with it that of the library's.
_FLAGS = ("-std=c++17", "-O2", "-fPIC", "-w", "-DNDEBUG", "-DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION")

# Nothing of the library is used, and symbols take no time worth optimising for.
_SYMBOLIC_FLAGS = ("-std=c++17", "-O1", "-fPIC", "-w", "-DNDEBUG")

# As the library was built: with less, Boost's lists are too short for its joints.
_BOOST = (
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)

_KINDS = {"spherical": 3, "floating": 6}
"""Free joints in the numbers that the driver reads; 0 slides, 1 turns."""


def cxx_missing() -> str | None:
    """Why only its Python is timed, if so."""
    if not (_prefix() / "include/pinocchio/multibody.hpp").is_file():
        return "pinocchio's C++ is left out: this build of it has no headers; that of PyPI (pip install pin) has"
    if _eigen() is None:
        return "pinocchio's C++ is left out: there are no headers of Eigen: pip install 'symgen[bench]'"
    try:
        find_cxx()
    except EnvironmentFault as error:
        return f"pinocchio's C++ is left out: {error}"
    return None


def _prefix() -> Path:
    """Where the wheel puts what is not Python."""
    return Path(sysconfig.get_path("purelib"), "cmeel.prefix")


def _eigen() -> Path | None:
    """The directory of Eigen's headers: of a wheel, of the system, or those that come with CasADi."""
    found = importlib.util.find_spec("casadi")
    casadi = [Path(place, "include/eigen3") for place in (found.submodule_search_locations or ())] if found else []
    places = [_prefix() / "include/eigen3", Path("/usr/include/eigen3"), Path("/usr/local/include/eigen3"), *casadi]
    return next((place for place in places if (place / "Eigen/Core").is_file()), None)


def driver(name: str) -> ctypes.CDLL:
    """A driver of this name, which does not depend on the robot: it is compiled once."""
    lib = _prefix() / "lib"
    includes = (f"-isystem{_eigen()}", f"-isystem{_prefix() / 'include'}")
    path = cxx_library(
        f"{name}_driver",
        render(f"bench/{name}.cpp"),
        (*_FLAGS, *_BOOST, *includes),
        (f"-L{lib}", "-lpinocchio_default", f"-Wl,-rpath,{lib}", "-pthread"),
        {"pinocchio": metadata.version("libpinocchio")},
    )
    return ctypes.CDLL(str(path))


def symbolic_driver(casadi: Path) -> ctypes.CDLL:
    """The driver of templates over casadi::SX, with CasADi's headers and library in a directory."""
    includes = (f"-isystem{_eigen()}", f"-isystem{_prefix() / 'include'}", f"-isystem{casadi / 'include'}")
    path = cxx_library(
        "pinocchio_casadi_driver",
        render("bench/pinocchio_casadi.cpp"),
        (*_SYMBOLIC_FLAGS, *_BOOST, *includes),
        (f"-L{casadi}", "-lcasadi", f"-Wl,-rpath,{casadi}"),
        {"pinocchio": metadata.version("libpinocchio"), "casadi": metadata.version("casadi")},
    )
    return ctypes.CDLL(str(path))


def joint_numbers(joints: Sequence[PlainJoint]) -> Floats:
    """The joints as drivers read them, a row each; Pinocchio's joint 0 is the base."""
    return np.array(
        [
            [
                j.parent + 1,
                _KINDS.get(j.free, j.turns),
                *j.rotation.ravel(),
                *j.place,
                j.mass,
                *j.com,
                *j.tensor.ravel(),
            ]
            for j in joints
        ],
        dtype=float,
    )


def model_of(joints: Sequence[PlainJoint], gravity: Floats) -> Any:
    """A tree as a model of Pinocchio's Python."""
    import pinocchio as pin

    model = pin.Model()
    for index, joint in enumerate(joints):
        turning = pin.JointModelRZ() if joint.turns else pin.JointModelPZ()
        free = {"floating": pin.JointModelFreeFlyer, "spherical": pin.JointModelSpherical}
        kind = free[joint.free]() if joint.free else turning
        place = pin.SE3(joint.rotation, joint.place)
        made = model.addJoint(joint.parent + 1, kind, place, f"joint{index + 1}")
        model.appendBodyToJoint(made, pin.Inertia(joint.mass, joint.com, joint.tensor), pin.SE3.Identity())
    model.gravity.linear = gravity
    return model
