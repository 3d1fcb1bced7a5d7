"""Module → a compiled, callable object: the second half of the corridor, emit ─► build ─► module."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, MappingProxyType
from typing import Any

from symgen.build import callables, extension, loading
from symgen.build.compiler import find_compiler
from symgen.derivation import Derivation, Progress
from symgen.emit.binding import emit_binding, emit_loops
from symgen.emit.c import emit_c
from symgen.emit.python import emit_python
from symgen.errors import EnvironmentFault
from symgen.program.counts import Counts, count
from symgen.program.module import Function, JointRecord, Module, Record

BACKENDS = {
    "ufunc": "compiled C behind NumPy generalized ufuncs",
    "ctypes": "compiled C called through ctypes (Python's headers are not installed)",
    "numpy": "pure NumPy (no C compiler was found)",
}
"""What the functions of a `DynamicsModule` run on."""


class FallbackWarning(UserWarning):
    """The module works, but not compiled, and the message says why."""


class DynamicsModule:
    """The dynamics functions of one robot.

    Each function is an attribute, e.g. `inverse_dynamics`; it takes arrays of shape (…, n), positional or by keyword,
    in SI units. The object also knows its robot.
    """

    def __init__(
        self,
        module: Module,
        functions: Mapping[str, Callable[..., Any]],
        sources: Mapping[str, str],
        backend: str,
    ) -> None:
        self._module = module
        self._backend = backend
        self.functions: Mapping[str, Callable[..., Any]] = MappingProxyType(dict(functions))
        self.sources: Mapping[str, str] = MappingProxyType(dict(sources))
        for name, function in functions.items():
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        known = ", ".join(self.functions) if "functions" in self.__dict__ else ""
        raise AttributeError(f"this module has no {name!r}; its functions are: {known}")

    @property
    def name(self) -> str:
        """The robot's name."""
        return self._module.name

    @property
    def record(self) -> Record:
        """What the generated headers say of the robot."""
        return self._module.record

    @property
    def joints(self) -> tuple[JointRecord, ...]:
        """The joints in the order of the coordinates, with their units."""
        return self._module.record.joints

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints, in the order of the coordinates."""
        return tuple(joint.name for joint in self.joints)

    @property
    def nq(self) -> int:
        """Number of joint positions."""
        return self._module.record.nq

    @property
    def nv(self) -> int:
        """Number of joint velocities."""
        return self._module.record.nv

    @property
    def units(self) -> dict[str, dict[str, str]]:
        """Function → argument or result → unit."""
        return {
            function.name: {a.name: a.unit for a in (*function.inputs, *function.outputs)}
            for function in self._module.functions
        }

    @property
    def counts(self) -> dict[str, Counts]:
        """Function → operations of a call."""
        return {function.name: count(function.program) for function in self._module.functions}

    @property
    def formulations(self) -> dict[str, str]:
        """Function → how it was derived."""
        return {function.name: function.formulation for function in self._module.functions}

    @property
    def backend(self) -> str:
        """What the functions run on: a key of `BACKENDS`."""
        return self._backend

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def __repr__(self) -> str:
        return (
            f"<symgen module {self.name}: {len(self.joints)} joints, {', '.join(self.functions)}; "
            f"{BACKENDS[self.backend]}>"
        )


@dataclass(frozen=True)
class Sources:
    """The texts generated for a module: C source and header, NumPy module."""

    c: Mapping[str, str]
    python: Mapping[str, str]


def emit(module: Module) -> Sources:
    """The C and Python texts of `module`."""
    return Sources(emit_c(module), emit_python(module))


def build(derivation: Derivation, sources: Sources, progress: Progress | None = None) -> DynamicsModule:
    """Compile and load `sources`; without a compiler a `FallbackWarning` says so and NumPy does the work.

    Raises `CompilerError` if the compiler fails, `EnvironmentFault` if the cache cannot be written.
    """
    module = derivation.module
    texts = {**sources.c, **sources.python}
    try:
        find_compiler()
    except EnvironmentFault as error:
        warnings.warn(f"{error}\n{module.name} runs on pure NumPy instead", FallbackWarning, stacklevel=3)
        return DynamicsModule(module, _numpy_functions(module, sources), texts, "numpy")
    if progress:
        progress("compiling")
    if extension.has_python_headers():
        path = extension.build_extension(module.name, dict(sources.c), emit_binding(module))
        functions = callables.bind(module, loading.load_extension(path), _counts)
        return DynamicsModule(module, functions, texts, "ufunc")
    library = extension.build_library(module.name, dict(sources.c), emit_loops(module))
    return DynamicsModule(module, callables.bind_loops(module, library, _counts), texts, "ctypes")


def _counts(function: Function) -> Counts:
    return count(function.program)


def _numpy_functions(module: Module, sources: Sources) -> dict[str, Callable[..., Any]]:
    return dict(callables.bind_numpy(module, numpy_namespace(sources), _counts))


def numpy_namespace(sources: Sources) -> dict[str, Any]:
    """The names that the generated NumPy module defines.

    The text is our own: it is made from a validated program, names in it are checked identifiers.
    """
    ((filename, text),) = sources.python.items()
    code: CodeType = compile(text, filename, "exec")
    namespace: dict[str, Any] = {"__name__": filename.removesuffix(".py")}
    exec(code, namespace)
    return namespace
