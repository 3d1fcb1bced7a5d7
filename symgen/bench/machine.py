"""What a core of this machine can do, measured, and the least time that a function could take on it."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np

from symgen.bench.native import find_cxx, library, pointer
from symgen.build.compiler import find_compiler
from symgen.emit.environment import render
from symgen.errors import EnvironmentFault
from symgen.program.counts import Counts
from symgen.version import __version__

PACKAGES = ("numpy", "pin", "casadi", "mujoco")
"""Distributions whose versions are told."""

_CALIBRATION = 10_000
_REPEATS = 200


@dataclass(frozen=True)
class Peaks:
    """The quickest of several measurements on one core, in nanoseconds.

    `multiply_add`: a fused one, in a lane of the widest vectors (`width` doubles). `sincos`: a sine and cosine, by the
    C library or by its vector functions, whichever is quicker. `traffic`: a number read from, or written to, arrays
    as large as a batch's.
    """

    width: int
    multiply_add: float
    sincos: float
    traffic: float


@dataclass(frozen=True)
class Limit:
    """The least nanoseconds a function takes for a state at the peaks, by part."""

    arithmetic: float
    trigonometry: float
    memory: float

    @property
    def total(self) -> float:
        """All parts, one after the other."""
        return self.arithmetic + self.trigonometry + self.memory


class Machine:
    """The measuring functions, compiled."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(
            str(library("machine", {"machine.c": render("bench/machine.c")}, flags=("-ffast-math",)))
        )
        for name in ("narrow", "wide", "sincos", "vector_sincos", "traffic"):
            getattr(self._library, f"machine_{name}").restype = ctypes.c_double

    def calibrate(self) -> float:
        """Nanoseconds of a multiply-add just now."""
        return float(self._library.machine_narrow(ctypes.c_long(_CALIBRATION)))

    def peaks(self, numbers: int) -> Peaks:
        """The peaks; memory in four arrays of so many `numbers` in all."""
        count = max(numbers // 4, 1)
        arrays = [np.ones(count) for _ in range(4)]

        def traffic() -> float:
            repeats = ctypes.c_long(max(1, 1_000_000 // count))
            return float(self._library.machine_traffic(repeats, ctypes.c_long(count), *map(pointer, arrays)))

        def timed(name: str, repeats: int) -> Callable[[], float]:
            function = getattr(self._library, f"machine_{name}")
            return lambda: float(function(ctypes.c_long(repeats)))

        sincos = min(_best(timed("sincos", 20)), _best(timed("vector_sincos", 100)))
        return Peaks(
            width=int(self._library.machine_width()),
            multiply_add=_best(timed("wide", 50_000)),
            sincos=sincos,
            traffic=_best(traffic),
        )


def _best(measure: Callable[[], float]) -> float:
    return min(measure() for _ in range(_REPEATS))


def limit(counts: Counts, numbers: int, peaks: Peaks) -> Limit:
    """The least time of a program: a multiply-add does two operations, sines and cosines come in pairs.

    `numbers`: how many a state reads and writes. Divisions and square roots are left out.
    """
    return Limit(
        arithmetic=counts.arithmetic / 2 * peaks.multiply_add,
        trigonometry=counts.trig / 2 * peaks.sincos,
        memory=numbers * peaks.traffic,
    )


def description() -> dict[str, object]:
    """Processor, system, compilers, versions, and how busy the machine was."""
    versions = {"symgen": __version__, "python": platform.python_version()}
    versions |= {name: metadata.version(name) for name in PACKAGES if _installed(name)}
    compilers = [find_compiler().version.splitlines()[0]]
    with contextlib.suppress(EnvironmentFault):
        compilers.append(find_cxx().version.splitlines()[0])
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "load": round(os.getloadavg()[0], 2),
        "compilers": list(dict.fromkeys(compilers)),
        "versions": versions,
    }


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"
