"""How CUDA writes trees: a state a thread, entry k of which lies count entries after entry k - 1."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symgen.emit.c.printer import KERNELS, CPrinter
from symgen.emit.c.words import WORDS as C_WORDS
from symgen.emit.statements import WIDTH
from symgen.emit.style import Sines, Style
from symgen.emit.text import wrapped
from symgen.emit.tree import COSINE, SINE, Code, Index, Operation
from symgen.program.module import CONSTANTS, Function, Module
from symgen.program.program import Op

COUNT, STATE = "count", "state"
"""What the number of states is called in kernels, and that of the thread's own."""

WORDS = C_WORDS | {
    COUNT,
    STATE,
    "blockIdx",
    "blockDim",
    "gridDim",
    "threadIdx",
    "warpSize",
    "LAUNCH",
    "status",
    "stream",
}
"""No variable, argument or field can be called so."""


class CudaPrinter(CPrinter):
    """Writes the body of a kernel or, without a function, of what makes constants of parameters on the host."""

    def __init__(self, module: Module, function: Function | None) -> None:
        super().__init__(module, loops=function is not None)
        arguments = () if function is None else (*function.inputs, *function.outputs)
        self._strided = {argument.name for argument in arguments} - {CONSTANTS}
        self._on_host = function is None
        self.style = Style(module.real, Sines.FIRST, loops=function is not None, reserved=WORDS)

    @property
    def functions(self) -> Mapping[Op, str]:
        """Functions of CUDA's library, and our own."""
        own = {Op.SIGN: f"{self._module.name}_sign", Op.NONZERO: f"{self._module.name}_nonzero"}
        return {op: f"{name}{self._suffix}" for op, name in KERNELS.items()} | own

    def entry(self, array: str, index: Index) -> str:
        """An entry of the thread's state, of the constants, or of an array of its own."""
        if array == CONSTANTS:
            return f"{CONSTANTS if self._on_host else f'{self._module.name}_k'}[{self.place(index)}]"
        if array not in self._strided:
            return super().entry(array, index)
        place = self.place(index)
        if place.isdigit():
            return f"{array}[{['', f'{COUNT} + '][int(place)] if int(place) < 2 else f'{place}*{COUNT} + '}{STATE}]"
        return f"{array}[({place})*{COUNT} + {STATE}]"

    def arguments(self, operation: Operation) -> list[str]:
        """Those of a function of numbers."""
        return list(map(self.expression, operation.args))

    def first(self, code: Code, read: Collection[str]) -> Sequence[str]:
        """What stands before the body: sines and cosines, in arrays or in variables of their own."""
        found = [self.line(statement) for statement in code.head]
        if len(code.points) < len(code.angles):
            return [*found, *self._arrays(code), *super()._points(code)]
        for angle, names in zip(code.angles, code.points, strict=True):
            value, (sine, cosine) = self.value(angle), names
            if sine and cosine:
                found.append(f"    {self.real} {sine}, {cosine};")
                found.append(wrapped(f"    sincos{self._suffix}({value}, &{sine}, &{cosine});", WIDTH, "        "))
            for name, op in ((sine, Op.SIN), (cosine, Op.COS)) if not (sine and cosine) else ():
                found += [f"    const {self.real} {name} = {self.functions[op]}({value});"] if name else []
        return found

    def _arrays(self, code: Code) -> list[str]:
        """Sines and cosines in arrays, as loops want them."""
        size = len(code.angles)
        found = [f"    {self.real} {SINE}[{size}], {COSINE}[{size}];"]
        for place, angle in enumerate(code.angles):
            call = f"    sincos{self._suffix}({self.value(angle)}, &{SINE}[{place}], &{COSINE}[{place}]);"
            found.append(wrapped(call, WIDTH, "        "))
        return found

    def _points(self, code: Code) -> tuple[str, ...]:
        return ()
