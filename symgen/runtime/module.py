"""Module → a compiled, callable object: the second half of the corridor, emit ─► build ─► module."""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.build import callables, extension, loading
from symgen.build.compiler import find_compiler
from symgen.display.markup import Grid, folded, paragraph
from symgen.emit.registry import USUAL, language
from symgen.errors import EnvironmentFault, InputError
from symgen.program.counts import Counts, OperationCounts, count
from symgen.program.module import (
    CONSTANTS,
    MASS,
    Argument,
    Function,
    JointRecord,
    Module,
    Parameter,
    PositionRecord,
    Record,
)
from symgen.program.packing import PackedModule, pack
from symgen.program.pattern import Pattern
from symgen.runtime.compilation import Binding, Compilation

if TYPE_CHECKING:
    from symgen.derive.outcome import Derivation, Progress

BACKENDS = {
    "ufunc": "compiled C behind NumPy generalized ufuncs",
    "ctypes": "compiled C called through ctypes (Python's headers are not installed)",
    "numpy": "pure NumPy, not compiled",
}
"""What the functions of a `DynamicsModule` run on."""


class FallbackWarning(UserWarning):
    """The module works, but not compiled, and the message says why."""


class DynamicsModule:
    """The dynamics functions of one robot.

    Each function is an attribute, e.g. `inverse_dynamics`; it takes arrays of shape (…, n), positional or by keyword,
    in SI units: q with n = nq, others with n = nv. The object also knows its robot.

    Where matrices are packed, they come as values (…, k), column by column; a function's `pattern` says where they lie,
    and its `unpack` makes whole matrices of what it returned.

    The object and its functions can be pickled: what is sent is the derived programs and the values of run-time
    parameters; the receiver generates and compiles them once per process and machine (see `restored`).
    """

    def __init__(
        self,
        module: Module,
        sources: Mapping[str, str],
        backend: Backend,
        values: Sequence[float],
        packed: Callable[[], PackedModule] | None = None,
    ) -> None:
        self._module = module
        self._backend = backend
        self._values = tuple(values)
        self._packed = packed or cache(partial(pack, module))
        functions = backend.bind(self._values if module.parameters else None)
        self.functions: Mapping[str, Callable[..., Any]] = MappingProxyType(dict(functions))
        self.sources: Mapping[str, str] = MappingProxyType(dict(sources))
        for name, function in functions.items():
            setattr(self, name, function)
            checked = callables.checked_function(function)
            if checked is not None:
                checked.recipe = partial(_recipe, self._packed, self._values, name)

    def __reduce__(self) -> tuple[object, ...]:
        return restored, (self._packed(), self._values)

    def __copy__(self) -> DynamicsModule:
        return self

    def __deepcopy__(self, memo: object) -> DynamicsModule:
        return self

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
    def positions(self) -> tuple[PositionRecord, ...]:
        """The entries of q in order, with their units: those of the joints but for robots with free joints."""
        return self._module.record.positions

    @property
    def neutral(self) -> NDArray[np.float64]:
        """The configuration at which no joint moves its link but for its offset, (nq,)."""
        return np.array(self._module.record.neutral)

    def assemble(
        self, given: ArrayLike, guess: ArrayLike | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """(q, status): q (…, nq) that closes the loops at `given` positions (…, k) of independent joints.

        Of dyads it is the assembly that the `guess` (…, nq) is on, however far off, in closed form; otherwise the one
        next to its other entries, by Newton's method in at most 50 steps. Without a guess the posture is meant.
        `status` (…) is 0 where q is closed, else 1, and q is NaN there. Raises `InputError` for other shapes, and for a
        module without the function `assembly_step`.
        """
        from symgen.runtime.assembly import assembled

        return assembled(self._module, self.functions, given, guess)

    def status(self, q: ArrayLike) -> NDArray[np.int64]:
        """What hinders functions of a robot with loops at q (…, nq): 0, or 1 where the loops are not closed (to 1e-6),
        or 2 where the independent joints do not determine the others, and results that depend on these are NaN.

        Raises `InputError` for another shape, and for a module without the functions `closure` and
        `velocity_transformation`.
        """
        from symgen.runtime.assembly import status_of

        return status_of(self._module, self.functions, q)

    def position_rates(self, q: ArrayLike, qd: ArrayLike) -> NDArray[np.float64]:
        """q̇ (…, nq) of velocities (…, nv) at q (…, nq): the velocities themselves but for free joints.

        A floating joint's velocities are [v; ω] in its link's own axes; its position changes by R v, its quaternion
        by half of itself times (ω, 0). Raises `InputError` for other shapes, and for robots with loops, whose rates are
        those that `velocity_transformation` gives.
        """
        if self._module.record.loops:
            raise InputError(
                f"{self.name}: position_rates: the rates of a robot with loops are velocity_transformation(q) @ qd"
            )
        from symgen.runtime.configuration import arrays_of_state, position_rates

        record = self._module.record
        return position_rates(record, *arrays_of_state(record, q, qd))

    @property
    def nq(self) -> int:
        """Number of entries of q."""
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
    def patterns(self) -> dict[str, dict[str, Pattern]]:
        """Function → result → which entries of it can be other than zero, of results that are matrices, packed or not.

        A pattern is (indptr, indices, shape), as `scipy.sparse.csc_array` has them, and unpacks values.
        """
        from symgen.program.sparsity import patterns

        found = {
            function.name: {
                result.name: pattern
                for result, pattern in zip(function.outputs, patterns(function), strict=True)
                if pattern is not None
            }
            for function in self._module.functions
        }
        return {name: known for name, known in found.items() if known}

    @property
    def parameters(self) -> dict[str, float]:
        """Run-time parameters and the values this object's functions have; empty if numbers are baked in."""
        return {p.name: value for p, value in zip(self._module.parameters, self._values, strict=True)}

    def with_parameters(self, values: Mapping[str, float] | None = None) -> DynamicsModule:
        """The same compiled functions with other values of some parameters; the others keep the values they have here.

        None gives all parameters their defaults, those of the robot file. Raises `InputError` for an unknown name, a
        value that is no finite number, and a mass that is negative.
        """
        return self._with(_checked(self._module, self.parameters, values))

    def _with(self, values: Sequence[float]) -> DynamicsModule:
        return DynamicsModule(self._module, self.sources, self._backend, values, self._packed)

    @property
    def regressor_names(self) -> tuple[str, ...]:
        """Names of the inertial parameters that the columns of `regressor` belong to; empty without that function."""
        found = self._module.regressor
        return tuple(parameter.name for parameter in found.parameters) if found is not None else ()

    @property
    def regressor_parameters(self) -> NDArray[np.float64]:
        """The values of these parameters, (p,), at this object's run-time parameters: `regressor(q, qd, qdd) @` them
        are the joint forces of the links."""
        from symgen.program.interpreter import evaluate

        found = self._module.regressor
        return np.zeros(0) if found is None else evaluate(found.values, {}, self.parameters)["parameters"]

    @property
    def counts(self) -> OperationCounts:
        """Function → operations of a call."""
        return OperationCounts({function.name: _counts(function) for function in self._module.functions}, self.name)

    @property
    def formulations(self) -> dict[str, str]:
        """Function → how it was derived."""
        return {function.name: function.formulation for function in self._module.functions}

    @property
    def backend(self) -> str:
        """What the functions run on: a key of `BACKENDS`."""
        return self._backend.name

    @property
    def compiled(self) -> Path | None:
        """The compiled file that the functions are in; None where NumPy does the work."""
        return self._backend.file

    @property
    def binding(self) -> Binding | None:
        """The C that was compiled around the robot's, if any was."""
        return self._backend.binding

    @property
    def language(self) -> str:
        """The target language that the functions are written in."""
        return self._backend.language

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def __repr__(self) -> str:
        return f"<symgen module {self.name}: {self._size()}, {', '.join(self.functions)}; {BACKENDS[self.backend]}>"

    def _size(self) -> str:
        return f"{self.nq} positions, {self.nv} velocities" if self.record.free else f"{self.nv} joints"

    def _repr_html_(self) -> str:
        record = self.record
        head = [f"{self.name}: {record.description}" if record.description else self.name]
        head.append(f"{self._size()}; {BACKENDS[self.backend]}; {self._module.real}")
        parts = [paragraph(*head), _function_grid(self._module).html()]
        if self.parameters:
            grid = _parameter_grid(self._module, self._values)
            parts.append(folded(f"{len(self.parameters)} run-time parameters", grid.html()))
        return f"<div>{''.join(parts)}</div>"


def _function_grid(module: Module) -> Grid:
    """Function × (arguments and results with shapes and units, operations of a call, formulation)."""
    columns = ("function", "arguments", "results", "formulation", "mult", "add", "div", "sqrt", "trig")
    rows = []
    for function in module.functions:
        found = _counts(function)
        numbers = (found.mul, found.add, found.div, found.sqrt, found.trig)
        words = (_argument_lines(function.inputs), _argument_lines(function.outputs), function.formulation)
        rows.append((function.name, *words, *map(str, numbers)))
    return Grid("functions: arguments of shape (…, shape) broadcast", columns, tuple(rows), words=4)


def _argument_lines(arguments: Sequence[Argument]) -> str:
    return "\n".join(
        f"{a.name} ({', '.join(map(str, a.shape))}), {a.unit}" if a.shape else f"{a.name}, {a.unit}"
        for a in arguments
        if a.name != CONSTANTS
    )


def _parameter_grid(module: Module, values: Sequence[float]) -> Grid:
    """The run-time parameters with their present values."""
    rows = tuple(
        (p.name, p.meaning, p.unit, f"{value:.9g}") for p, value in zip(module.parameters, values, strict=True)
    )
    return Grid("run-time parameters", ("name", "meaning", "unit", "value"), rows, words=3)


def _checked(module: Module, present: Mapping[str, float], values: Mapping[str, float] | None) -> list[float]:
    """Parameter values in order, `present` ones where none are given; `InputError` says which is wrong."""
    if values is None:
        return [parameter.default for parameter in module.parameters]
    if not isinstance(values, Mapping):
        raise InputError(f"{module.name}: parameters: expected a dict of names and values, found {values!r}"[:200])
    unknown = [str(name)[:40] for name in values if name not in present]
    if unknown:
        known = ", ".join(present) or "none"
        raise InputError(f"{module.name}: parameters unknown: {', '.join(unknown)}; there are: {known}")
    given = {**present, **values}
    return [_number(module, parameter, given[parameter.name]) for parameter in module.parameters]


def _number(module: Module, parameter: Parameter, value: object) -> float:
    name = parameter.name
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"{module.name}: parameter {name}: expected a number, found {value!r}"[:200]) from None
    if not math.isfinite(number):
        raise InputError(f"{module.name}: parameter {name}: expected a finite number, found {number!r}")
    if number < 0 and parameter.kind == MASS:
        raise InputError(f"{module.name}: parameter {name}: expected a mass of at least 0 kg, found {number!r}")
    return number


@dataclass(frozen=True)
class Backend:
    """What functions run on: a key of `BACKENDS`, the language, and how they are made for parameter values, if any.

    `file` is what was compiled, `binding` what was compiled around the robot's C.
    """

    name: str
    language: str
    bind: Callable[[Sequence[float] | None], Mapping[str, Callable[..., Any]]]
    file: Path | None = None
    binding: Binding | None = None


@dataclass(frozen=True)
class Sources:
    """The texts generated for a module: language → file name → text."""

    files: Mapping[str, Mapping[str, str]]

    @property
    def c(self) -> Mapping[str, str]:
        """C source and header."""
        return self.files["c"]

    @property
    def python(self) -> Mapping[str, str]:
        """NumPy module."""
        return self.files["python"]


def emit(module: Module, languages: Sequence[str] = ()) -> Sources:
    """The texts of `module` in the languages that it runs on, and in `languages`."""
    return Sources({name: language(name).write(module) for name in dict.fromkeys((*USUAL, *languages))})


def build(
    derivation: Derivation, sources: Sources, progress: Progress | None = None, compilation: Compilation | None = None
) -> DynamicsModule:
    """Compile and load `sources`; without a compiler a `FallbackWarning` says so and NumPy does the work.

    `compilation` may have begun to. Raises `CompilerError` if the compiler fails, `EnvironmentFault` if the
    cache cannot be written.
    """
    return _assembled(derivation.module, sources, progress, compilation=compilation)


def _assembled(
    module: Module,
    sources: Sources,
    progress: Progress | None = None,
    packed: Callable[[], PackedModule] | None = None,
    compilation: Compilation | None = None,
) -> DynamicsModule:
    texts = {**sources.c, **sources.python}
    defaults = [parameter.default for parameter in module.parameters]
    return DynamicsModule(module, texts, _backend(module, sources, progress, compilation), defaults, packed)


def _backend(module: Module, sources: Sources, progress: Progress | None, compilation: Compilation | None) -> Backend:
    if compilation is not None and not compilation.wanted:
        return _on_numpy(module, sources)
    try:
        find_compiler()
    except EnvironmentFault as error:
        warnings.warn(f"{error}\n{module.name} runs on pure NumPy instead", FallbackWarning, stacklevel=4)
        return _on_numpy(module, sources)
    if progress:
        progress("compiling")
    with nullcontext(compilation) if compilation is not None else Compilation() as compiling:
        path = compiling.file(module, sources.c)
    if extension.has_python_headers():
        bind = partial(callables.bind, module, loading.load_extension(path), _counts)
        return Backend("ufunc", "c", bind, path, compiling.binding)
    written = language("c").fitting(module)
    return Backend("ctypes", "c", partial(callables.bind_loops, written, path, _counts), path)


def _on_numpy(module: Module, sources: Sources) -> Backend:
    names = numpy_namespace(sources)
    return Backend("numpy", "python", lambda values: callables.bind_numpy(module, names, _counts, values))


def _counts(function: Function) -> Counts:
    return count(function.program)


def numpy_namespace(sources: Sources) -> dict[str, Any]:
    """The names that the generated NumPy module defines."""
    from symgen.emit.python.runner import namespace

    return namespace(sources.python)


# other processes --------------------------------------------------------------------------------------

_LOCK = threading.Lock()


def _recipe(packed: Callable[[], PackedModule], values: tuple[float, ...], name: str) -> tuple[object, ...]:
    """What pickle sends in the place of a function."""
    return restored_function, (packed(), values, name)


def restored_function(packed: PackedModule, values: tuple[float, ...], name: str) -> Callable[..., Any]:
    """The function `name` of a module that another process sent; see `restored`."""
    return restored(packed, values).functions[name]


def restored(packed: PackedModule, values: tuple[float, ...]) -> DynamicsModule:
    """A module that another process sent, with these values of its run-time parameters.

    It is built once per process; what was compiled before on this machine is found in the cache. Without a compiler a
    `FallbackWarning` says that NumPy does the work. Raises `CompilerError` and `EnvironmentFault` as `build` does, and
    `EnvironmentFault` for a module of another version of symgen.
    """
    with _LOCK:  # or threads would each build what they need at the same time
        return _restored(packed, values)


@lru_cache(maxsize=64)
def _restored(packed: PackedModule, values: tuple[float, ...]) -> DynamicsModule:
    module = _rebuilt(packed)
    return module if module._values == values else module._with(values)


@lru_cache(maxsize=64)
def _rebuilt(packed: PackedModule) -> DynamicsModule:
    module = packed.unpack()
    return _assembled(module, emit(module), packed=lambda: packed)
