"""An importer of Functional Mock-up Units in few lines, without a library for them: FMI 3.0 and 2.0 by ctypes."""

from __future__ import annotations

import ctypes
import xml.etree.ElementTree as ElementTree
import zipfile
from ctypes import byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

OK, DISCARD, ERROR = 0, 2, 3

_LOG3 = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)
_LOG2 = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p, c_char_p)


class _Callbacks(ctypes.Structure):
    _fields_ = (("log", _LOG2), ("allocate", c_void_p), ("release", c_void_p), ("done", c_void_p), ("own", c_void_p))


class Fmu:
    """An unpacked FMU: its description, variables by name, library."""

    def __init__(self, path: Path, folder: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        self.folder = folder
        self.description = ElementTree.parse(folder / "modelDescription.xml").getroot()
        self.version = self.description.attrib["fmiVersion"][0]
        self.token = self.description.attrib["instantiationToken" if self.version == "3" else "guid"]
        entries = self.description.find("ModelVariables")
        assert entries is not None
        self.variables = {entry.attrib["name"]: int(entry.attrib["valueReference"]) for entry in entries}
        (self.binary,) = (path for path in (folder / "binaries").rglob("*") if path.is_file())
        self.library = ctypes.CDLL(str(self.binary))

    def places(self, *stems: str) -> list[int]:
        """Value references of the variables whose names begin so, in order."""
        return [place for name, place in self.variables.items() if name.startswith(stems)]


class Instance:
    """An instance of an FMU for "model exchange" or "co-simulation"; `log` holds what it said."""

    def __init__(self, fmu: Fmu, kind: str = "co-simulation", token: str | None = None) -> None:
        self.fmu, self.log = fmu, list[str]()
        self.third = fmu.version == "3"
        given = (b"one", (fmu.token if token is None else token).encode())
        exchange = kind == "model exchange"
        if self.third:
            self._told: Any = _LOG3(lambda _, status, category, text: self.log.append(text.decode()))
            start = self._function(f"Instantiate{'ModelExchange' if exchange else 'CoSimulation'}", c_void_p)
            more = () if exchange else (c_bool(False), c_bool(False), None, c_size_t(0))
            rest = (None, self._told) if exchange else (None, self._told, None)
            self.handle = start(*given, None, c_bool(False), c_bool(False), *more, *rest)
        else:
            self._told = _LOG2(lambda _, name, status, category, text, value: self.log.append(value.decode()))
            self._callbacks = _Callbacks(log=self._told)
            start = self._function("Instantiate", c_void_p)
            self.handle = start(given[0], c_int(not exchange), given[1], None, byref(self._callbacks), 0, 0)

    def _function(self, name: str, result: Any = c_int) -> Any:
        function = getattr(self.fmu.library, f"fmi{self.fmu.version}{name}")
        function.restype = result
        return function

    def call(self, name: str, *arguments: Any) -> int:
        """The status of a function of the standard, by its name without `fmi3` or `fmi2`."""
        return int(self._function(name)(c_void_p(self.handle), *arguments))

    def free(self) -> None:
        """End the instance."""
        self._function("FreeInstance", None)(c_void_p(self.handle))

    def set(self, places: list[int], values: ArrayLike) -> int:
        """Set variables by value reference."""
        array = np.ascontiguousarray(values, dtype=float).reshape(-1)
        size = (c_size_t(array.size),) if self.third else ()
        data = array.ctypes.data_as(ctypes.POINTER(c_double))
        name = "SetFloat64" if self.third else "SetReal"
        return self.call(name, (c_uint * len(places))(*places), c_size_t(len(places)), data, *size)

    def get(self, places: list[int]) -> NDArray[np.float64]:
        """Values of variables by value reference."""
        values = (c_double * len(places))()
        size = (c_size_t(len(places)),) if self.third else ()
        name = "GetFloat64" if self.third else "GetReal"
        assert self.call(name, (c_uint * len(places))(*places), c_size_t(len(places)), values, *size) == OK, self.log
        return np.array(values)

    def named(self, *stems: str) -> NDArray[np.float64]:
        """Values of the variables whose names begin so."""
        return self.get(self.fmu.places(*stems))

    def begin(self, tolerance: float = 0.0, start: float = 0.0, stop: float | None = None) -> int:
        """Through initialization; the first status that is not good."""
        experiment = (tolerance != 0, c_double(tolerance), c_double(start), stop is not None, c_double(stop or 0.0))
        if self.third:
            calls: list[tuple[Any, ...]] = [("EnterInitializationMode", *self._flags(experiment))]
        else:
            calls = [("SetupExperiment", *self._flags(experiment)), ("EnterInitializationMode",)]
        return next((status for call in [*calls, ("ExitInitializationMode",)] if (status := self.call(*call))), OK)

    def _flags(self, arguments: tuple[Any, ...]) -> list[Any]:
        kind = c_bool if self.third else c_int
        return [kind(argument) if isinstance(argument, bool) else argument for argument in arguments]

    def step(self, time: float, size: float) -> int:
        """A step of co-simulation."""
        flags = [byref(c_bool()) for _ in range(3)]
        rest = (*flags, byref(c_double())) if self.third else ()
        return self.call("DoStep", c_double(time), c_double(size), *self._flags((True,)), *rest)
