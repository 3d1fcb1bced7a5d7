"""Module → C around the robot's C: a CPython binding, or plain loops where Python's headers are missing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symgen.emit.environment import render

if TYPE_CHECKING:
    from symgen.program.module import Argument, Function, Module


@dataclass(frozen=True)
class FunctionKeys:
    """What the templates see of one function; every text is ready to stand in C."""

    symbol: str
    name_literal: str
    qualified_name_literal: str
    summary_literal: str
    signature: str
    inputs: int
    outputs: int
    cores: tuple[str, ...]
    call_arguments: str
    loop_parameters: str
    loop_arguments: str


@dataclass(frozen=True)
class BindingKeys:
    """What the templates see of a module."""

    module: str
    header: str
    functions: tuple[FunctionKeys, ...]
    max_rank: int
    max_arguments: int
    max_doubles: int


def emit_binding(module: Module) -> str:
    """The C source of the extension module `_<module>`: a generalized ufunc and a fast callable each."""
    return render("binding/binding.c.j2", **vars(_binding_keys(module)))


def emit_loops(module: Module) -> str:
    """The C source of `<module>_<function>_loop(count, inputs..., outputs...)` over contiguous batches."""
    return render("binding/loops.c.j2", **vars(_binding_keys(module)))


def gufunc_signature(function: Function) -> str:
    """NumPy's signature with fixed core dimensions, e.g. `(6),(6)->(6,6)`."""
    inputs, outputs = (
        ",".join(f"({','.join(map(str, argument.shape))})" for argument in side)
        for side in (function.inputs, function.outputs)
    )
    return f"{inputs}->{outputs}"


def _binding_keys(module: Module) -> BindingKeys:
    arguments = [function.inputs + function.outputs for function in module.functions]
    return BindingKeys(
        module=module.name,
        header=f"{module.name}.h",
        functions=tuple(_function_keys(module, function) for function in module.functions),
        # C has no empty arrays: a module of scalars alone still needs room for one dimension.
        max_rank=max(1, *(len(argument.shape) for side in arguments for argument in side)),
        max_arguments=max(len(side) for side in arguments),
        max_doubles=max(sum(math.prod(argument.shape) for argument in side) for side in arguments),
    )


def _function_keys(module: Module, function: Function) -> FunctionKeys:
    arguments = function.inputs + function.outputs
    return FunctionKeys(
        symbol=f"{module.name}_{function.name}",
        name_literal=_literal(function.name),
        qualified_name_literal=_literal(f"{module.name}.{function.name}"),
        summary_literal=_literal(function.summary),
        signature=gufunc_signature(function),
        inputs=len(function.inputs),
        outputs=len(function.outputs),
        cores=tuple(_core(argument) for argument in arguments),
        call_arguments=", ".join(f"a[{k}]" for k in range(len(arguments))),
        loop_parameters=", ".join(
            [f"const double *{argument.name}" for argument in function.inputs]
            + [f"double *{argument.name}" for argument in function.outputs]
        ),
        loop_arguments=", ".join(f"{argument.name} + {math.prod(argument.shape)} * k" for argument in arguments),
    )


def _core(argument: Argument) -> str:
    """The initializer of a `Core`: rank, number of entries, shape."""
    shape = ", ".join(map(str, argument.shape)) or "0"
    return f"{{{len(argument.shape)}, {math.prod(argument.shape)}, {{{shape}}}}}"


def _literal(text: str) -> str:
    """`text` as a C string literal, UTF-8; `?` is escaped because C99 has trigraphs."""
    plain = {byte: chr(byte) for byte in range(0x20, 0x7F)} | {ord(c): f"\\{c}" for c in '"\\?'}
    return '"' + "".join(plain.get(byte, f"\\{byte:03o}") for byte in text.encode()) + '"'
