"""Module → PyTorch: a file of functions on tensors, and the C with derivatives that it calls where that is compiled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from symgen.emit.c import emit_c
from symgen.emit.c.words import HEADERS
from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.python.text import (
    WIDTH,
    docstring_safe,
    documentation,
    python_assembly,
    python_number,
    python_parameters,
    python_patterns,
    python_regressor,
)
from symgen.emit.text import PACKED, function_text, legend, neutral_text, robot_lines, wrapped
from symgen.emit.torch.derivatives import Products, products
from symgen.emit.torch.printer import WORDS, TorchPrinter
from symgen.emit.torch.runner import run, tool
from symgen.program.module import CONSTANTS, Function, Module
from symgen.program.program import Op


@dataclass(frozen=True)
class TorchFunction:
    """What the template needs of one function; `given` and `outputs` are (name, size) of inputs and results.

    `products` are the names of the compiled functions that make its derivatives; none if there are none.
    """

    name: str
    given: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    shapes: tuple[tuple[int, ...], ...]
    documentation: tuple[str, ...]
    lines: tuple[str, ...]
    returned: str
    products: tuple[str, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the inputs."""
        return tuple(name for name, _ in self.given)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of their entries."""
        return tuple(size for _, size in self.given)


def emit_torch(module: Module) -> dict[str, str]:
    """The source of `module` for PyTorch: file name → text, for `<name>_torch.py` and the C of the same name."""
    record, printer = module.record, TorchPrinter(module.real)
    found = {function.name: products(module, function) for function in module.functions}
    made = [each for few in found.values() if few is not None for each in (few.tangent, few.gradient, few.curvature)]
    text = render(
        "torch/module.py.j2",
        name=module.name,
        generator=record.generator,
        real=module.real,
        robot=tuple(map(docstring_safe, robot_lines(module))),
        legend=legend(module),
        nq=record.nq,
        nv=record.nv,
        free=not record.is_plain,
        neutral=module.neutral,
        neutral_text=neutral_text(module),
        positions=tuple(position.name for position in record.positions),
        joints=tuple(joint.name for joint in record.joints),
        limits=[(each, [python_number(value) for value in each.values]) for each in record.limits],
        sign=module.uses(Op.SIGN),
        nonzero=module.uses(Op.NONZERO),
        parameters=python_parameters(module, () if module.init is None else printer.lines(module.init)),
        patterns=python_patterns(module),
        packed_text=wrapped(PACKED, WIDTH, "").split("\n"),
        regressor=python_regressor(module),
        functions=[_function(printer, function, found[function.name]) for function in module.functions],
        constants=CONSTANTS,
        assembly=python_assembly(module),
    )
    whole = replace(
        module, name=f"{module.name}_torch", functions=(*module.functions, *made), assembly=None, regressor=None
    )
    return {f"{module.name}_torch.py": text, **emit_c(whole)}


LANGUAGE = Language("torch", emit_torch, words=WORDS, taken=HEADERS, run=run, tool=tool)


def _function(printer: TorchPrinter, function: Function, found: Products | None) -> TorchFunction:
    results = [f"_tensor({each.name}, {each.shape}, like)" for each in function.outputs]
    return TorchFunction(
        name=function.name,
        given=tuple((each.name, prod(each.shape)) for each in function.inputs),
        outputs=tuple((each.name, prod(each.shape)) for each in function.outputs),
        shapes=tuple(each.shape for each in function.outputs),
        documentation=documentation(function_text(function)),
        lines=printer.lines(function.program),
        returned=results[0]
        if len(results) == 1
        else "\n".join(["(", *(f"        {each}," for each in results), "    )"]),
        products=() if found is None else (found.tangent.name, found.gradient.name, found.curvature.name),
    )
