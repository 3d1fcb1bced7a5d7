"""Module → C around the robot's C: a CPython binding, or plain loops where Python's headers are missing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from symgen.emit.environment import plain_text, render
from symgen.errors import InternalError, LimitError
from symgen.program.module import CONSTANTS, Argument, Function, Module

INIT = "init"
"""Name of the function that makes the constants of the run-time parameters."""

MAX_OPERANDS = 32 if np.lib.NumpyVersion(np.__version__) < "2.0.0" else 64
"""How many inputs and outputs together NumPy allows a ufunc."""

PARTS = ("ufunc", "callable", "extension")
"""C files beside the template that are the same for every module; they stand in the binding as they are."""

_C_TYPES = {"float64": ("double", "NPY_DOUBLE"), "float32": ("float", "NPY_FLOAT")}


@dataclass(frozen=True)
class FunctionKeys:
    """What the templates see of one function; every text is ready to stand in C.

    `takes_constants` is 1 if the last input is the constants of the run-time parameters, else 0. What is handed to the
    batched function is empty where there is none.
    """

    symbol: str
    name_literal: str
    qualified_name_literal: str
    summary_literal: str
    signature: str
    inputs: int
    outputs: int
    takes_constants: int
    cores: tuple[str, ...]
    call_arguments: str
    loop_parameters: str
    loop_arguments: str
    loop_batch: str
    batch_arguments: str


@dataclass(frozen=True)
class BindingKeys:
    """What the templates see of a module; `parameters` and `constants` count those of run time."""

    module: str
    batch_header: str
    real: str
    numpy_real: str
    parameters: int
    constants: int
    functions: tuple[FunctionKeys, ...]
    max_rank: int
    max_arguments: int
    max_reals: int


def emit_binding(module: Module) -> str:
    """The C source of the extension module `_<module>`: a generalized ufunc and a fast callable each.

    With run-time parameters there is one more of each: `init`, from parameters to constants.

    Raises:
        LimitError: a function has more inputs and outputs than NumPy can take.
    """
    keys = _binding_keys(module)
    for function in module.functions:
        operands = len(function.inputs) + len(function.outputs)
        if operands > MAX_OPERANDS:
            raise LimitError(
                f"{module.name}.{function.name} has {len(function.inputs)} inputs and {len(function.outputs)} outputs; "
                f"NumPy {np.__version__} takes at most {MAX_OPERANDS} together. Ask for fewer."
            )
    parts = {part: plain_text(f"binding/{part}.c") for part in PARTS}
    return render("binding/binding.c.j2", **vars(keys), **parts)


def emit_loops(module: Module) -> str:
    """The C source of `<module>_<function>_loop(count, inputs..., outputs...)` over contiguous batches.

    All arguments are batches but the constants of run-time parameters, which are the same for every item.
    """
    return render("binding/loops.c.j2", **vars(_binding_keys(module)))


def gufunc_signature(function: Function) -> str:
    """NumPy's signature with fixed core dimensions, e.g. `(6),(6)->(6,6)`."""
    inputs, outputs = (
        ",".join(f"({','.join(map(str, argument.shape))})" for argument in side)
        for side in (function.inputs, function.outputs)
    )
    return f"{inputs}->{outputs}"


def _binding_keys(module: Module) -> BindingKeys:
    if not module.functions:
        raise InternalError(f"module {module.name} has no functions to bind")
    if module.real not in _C_TYPES:
        raise InternalError(f"module {module.name} computes in {module.real!r}, expected one of {', '.join(_C_TYPES)}")
    functions = module.functions + ((_init_function(module),) if module.parameters else ())
    arguments = [function.inputs + function.outputs for function in functions]
    real, numpy_real = _C_TYPES[module.real]
    return BindingKeys(
        module=module.name,
        batch_header=f"{module.name}_batch.h",
        real=real,
        numpy_real=numpy_real,
        parameters=len(module.parameters),
        constants=module.constants_size,
        functions=tuple(_function_keys(module, function) for function in functions),
        # C has no empty arrays: a module of scalars alone still needs room for one dimension.
        max_rank=max(1, *(len(argument.shape) for side in arguments for argument in side)),
        max_arguments=max(len(side) for side in arguments),
        max_reals=max(sum(math.prod(argument.shape) for argument in side) for side in arguments),
    )


def _init_function(module: Module) -> Function:
    """`init` as a function like the others: from the array of parameters to the array of constants."""
    if module.init is None:
        raise InternalError(f"module {module.name} has run-time parameters and no {INIT}")
    if any(function.name == INIT for function in module.functions):
        raise InternalError(f"module {module.name} has run-time parameters and a function called {INIT}")
    names = ", ".join(parameter.name for parameter in module.parameters)
    return Function(
        name=INIT,
        summary=f"Constants that the functions need, from the parameters {names}.",
        formulation="",
        inputs=(Argument("parameters", (len(module.parameters),), "", "run-time parameters"),),
        outputs=(Argument(CONSTANTS, (module.constants_size,), "", "what the functions need of them"),),
        program=module.init,
    )


def _function_keys(module: Module, function: Function) -> FunctionKeys:
    arguments = function.inputs + function.outputs
    casts = _casts(module, function)
    takes_constants = _takes_constants(module, function)
    batched = not (module.parameters and function.name == INIT)
    # Names of our own, since an argument may be called like anything else in the loop.
    names = [f"in{k}" for k in range(len(function.inputs))] + [f"out{k}" for k in range(len(function.outputs))]
    items = [f"{name} + {math.prod(argument.shape)} * item" for name, argument in zip(names, arguments, strict=True)]
    if takes_constants:
        last = len(function.inputs) - 1
        items[last] = names[last]
    const = ["const "] * len(function.inputs) + [""] * len(function.outputs)
    real = _C_TYPES[module.real][0]
    return FunctionKeys(
        symbol=f"{module.name}_{function.name}",
        name_literal=_literal(function.name),
        qualified_name_literal=_literal(f"{module.name}.{function.name}"),
        summary_literal=_literal(function.summary),
        signature=gufunc_signature(function),
        inputs=len(function.inputs),
        outputs=len(function.outputs),
        takes_constants=int(takes_constants),
        cores=tuple(_core(argument) for argument in arguments),
        call_arguments=", ".join(casts[k].format(f"a[{k}]") for k in range(len(arguments))),
        loop_parameters=", ".join(f"{c}{real} *{name}" for c, name in zip(const, names, strict=True)),
        loop_arguments=", ".join(cast.format(item) for cast, item in zip(casts, items, strict=True)),
        loop_batch=", ".join(["count", *(cast.format(name) for cast, name in zip(casts, names, strict=True))]),
        batch_arguments=_batch_arguments(casts, takes_constants, len(function.inputs)) if batched else "",
    )


def _batch_arguments(casts: list[str], takes_constants: bool, inputs: int) -> str:
    """What the binding hands to the function for many states: pointers, each with its step and stride."""
    texts = ["count"]
    for k, cast in enumerate(casts):
        is_constants = takes_constants and k == inputs - 1
        texts.append(cast.format(f"a[{k}]") + ("" if is_constants else f", step[{k}], stride[{k}]"))
    return ",\n        ".join(texts)


def _casts(module: Module, function: Function) -> list[str]:
    """For each argument what turns a pointer `{}` to reals into what the C function takes."""
    casts = ["{}"] * (len(function.inputs) + len(function.outputs))
    if module.parameters and function.name == INIT:
        casts[0] = f"(const {module.name}_parameters *)(const void *)({{}})"
        casts[1] = f"({module.name}_constants *)(void *)({{}})"
    elif _takes_constants(module, function):
        casts[len(function.inputs) - 1] = f"(const {module.name}_constants *)(const void *)({{}})"
    return casts


def _takes_constants(module: Module, function: Function) -> bool:
    """Whether the last input is the constants of run-time parameters; it must then be of their shape."""
    inputs = function.inputs
    if not module.parameters or not inputs or inputs[-1].name != CONSTANTS:
        return False
    expected = (module.constants_size,)
    if inputs[-1].shape != expected:
        raise InternalError(f"{function.name} takes {CONSTANTS} of shape {inputs[-1].shape}, expected {expected}")
    return True


def _core(argument: Argument) -> str:
    """The initializer of a `Core`: rank, number of entries, shape."""
    shape = ", ".join(map(str, argument.shape)) or "0"
    return f"{{{len(argument.shape)}, {math.prod(argument.shape)}, {{{shape}}}}}"


def _literal(text: str) -> str:
    """`text` as a C string literal, UTF-8; `?` is escaped because C99 has trigraphs."""
    plain = {byte: chr(byte) for byte in range(0x20, 0x7F)} | {ord(c): f"\\{c}" for c in '"\\?'}
    return '"' + "".join(plain.get(byte, f"\\{byte:03o}") for byte in text.encode()) + '"'
