"""What the compiled code differentiates a function by: its program's exact derivatives, as functions beside it.

PyTorch asks for products only, never for whole matrices: J d of a direction, Jᵀ w of weights of the results, and for
second derivatives H d, with H the Hessian of the weighed results. Products cost less than matrices, whatever makes
these: for inverse dynamics of the Panda Jᵀ w takes 1464 operations, `inverse_dynamics_derivatives` and `inertia_matrix`
take 3037. They are by all entries of the inputs, those of quaternions and of constants of parameters, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symgen.emit.derivatives.known import SLOPES
from symgen.emit.derivatives.made import MOST, derivative
from symgen.program.differentiation import DIRECTION, WEIGHTS, gradient, tangents
from symgen.program.graph import Graph, Scalar
from symgen.program.module import Function, Module
from symgen.program.program import Array, Program

_TIMES = 12
"""About so many times the operations of a function its derivatives have."""


@dataclass(frozen=True)
class Products:
    """The functions that make J d of (inputs, d), Jᵀ w of (inputs, w), and H d and J d of (inputs, w, d)."""

    tangent: Function
    gradient: Function
    curvature: Function


def products(module: Module, function: Function) -> Products | None:
    """The derivatives of a function; None where they would be too long, or it is a derivative itself."""
    if function.name in SLOPES or _TIMES * len(function.program.instructions) > MOST:
        return None
    taken = {each.name for each in module.functions}
    inputs = function.program.inputs
    moving, weighing = _arrays(DIRECTION, inputs), _arrays(WEIGHTS, [array for array, _ in function.program.outputs])
    slopes, by_inputs = _arrays("slope_", [array for array, _ in function.program.outputs]), _arrays("by_", inputs)
    return Products(
        _made(function, "tangent", taken, (*inputs, *moving), slopes, lambda each: each.slopes()),
        _made(function, "gradient", taken, (*inputs, *weighing), by_inputs, lambda each: each.gradient),
        _made(
            function,
            "curvature",
            taken,
            (*inputs, *weighing, *moving),
            (*_arrays("along_", by_inputs), *slopes),
            lambda each: [*each.along(each.gradient), *each.slopes()],
        ),
    )


def _arrays(prefix: str, arrays: Sequence[Array]) -> tuple[Array, ...]:
    return tuple(Array(prefix + array.name, array.shape) for array in arrays)


class _Differentiated:
    """A program in a graph, and what its derivatives are made of."""

    def __init__(self, program: Program) -> None:
        self.graph = Graph()
        nodes = self.graph.load(program)
        self._inputs = [(array.name, k) for array in program.inputs for k in range(array.size)]
        self._values = [nodes[node] for _, entries in program.outputs for node in entries]
        self._weights = [(WEIGHTS + array.name, k) for array, _ in program.outputs for k in range(array.size)]

    @property
    def gradient(self) -> list[Scalar]:
        """The derivatives of weighted values by the inputs."""
        return gradient(self.graph, self._values, [self.graph.variable(*each) for each in self._weights], self._inputs)

    def along(self, values: Sequence[Scalar]) -> list[Scalar]:
        """Slopes in the direction of the inputs."""
        direction = {(name, k): self.graph.variable(DIRECTION + name, k) for name, k in self._inputs}
        return tangents(self.graph, values, direction)

    def slopes(self) -> list[Scalar]:
        """Those of the values."""
        return self.along(self._values)


def _made(
    function: Function,
    word: str,
    taken: set[str],
    inputs: tuple[Array, ...],
    outputs: tuple[Array, ...],
    entries: Callable[[_Differentiated], list[Scalar]],
) -> Function:
    """A function of derivatives, under a name that is free."""
    differentiated = _Differentiated(function.program)
    found = iter(entries(differentiated))
    results = [(array, [next(found) for _ in range(array.size)]) for array in outputs]
    return derivative(function, word, differentiated.graph.program(inputs, results), word, taken)
