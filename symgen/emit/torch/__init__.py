"""Module → PyTorch: a file of functions on tensors, and the C with derivatives that it calls where that is compiled."""

from __future__ import annotations

from dataclasses import replace

from symgen.emit.c import emit_c
from symgen.emit.c.words import HEADERS
from symgen.emit.description import signature
from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.python.text import PythonFunction, docstring_safe, python_keys
from symgen.emit.torch.derivatives import Products, products
from symgen.emit.torch.printer import WORDS, TorchPrinter
from symgen.emit.torch.runner import run, tool
from symgen.program.module import Function, Module


def emit_torch(module: Module) -> dict[str, str]:
    """The source of `module` for PyTorch: file name → text, for `<name>_torch.py` and the C of the same name."""
    printer = TorchPrinter(module.real)
    found = {function.name: products(module, function) for function in module.functions}
    made = [each for few in found.values() if few is not None for each in (few.tangent, few.gradient, few.curvature)]
    text = render(
        "torch/module.py.j2",
        **python_keys(module),
        real=module.real,
        array="torch.tensor",
        dtype="_REAL",
        functions=[_function(printer, function, found[function.name]) for function in module.functions],
        init_lines=() if module.init is None else printer.lines(module.init),
    )
    whole = replace(
        module, name=f"{module.name}_torch", functions=(*module.functions, *made), assembly=None, regressor=None
    )
    return {f"{module.name}_torch.py": text, **emit_c(whole)}


LANGUAGE = Language("torch", emit_torch, words=WORDS, taken=HEADERS, run=run, tool=tool)


def _function(printer: TorchPrinter, function: Function, found: Products | None) -> PythonFunction:
    """A function; its settings are its arrays, and what the compiled functions are called that make its derivatives."""
    text = signature(function, docstring_safe)
    results = [f"_tensor({each.name}, {each.shape}, like)" for each in text.outputs]
    made = () if found is None else (found.tangent.name, found.gradient.name, found.curvature.name)
    return PythonFunction(
        text,
        printer.lines(function.program),
        results[0] if len(results) == 1 else "\n".join(["(", *(f"        {each}," for each in results), "    )"]),
        settings=(
            f"inputs={tuple((each.name, each.size) for each in text.inputs)},",
            f"outputs={tuple((each.name, each.size) for each in text.outputs)},",
            f"products={made},",
        ),
    )
