"""Functions of a derived module as callables, in three ways, and the setting in which they are verified.

Arguments are the state, gravity and wrenches; run-time parameters are bound.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from symgen.derive.derivation import Derivation
from symgen.emit.python.runner import namespace
from symgen.emit.registry import language
from symgen.program.interpreter import evaluate
from symgen.program.module import CONSTANTS, Function, Module
from symgen.verify.setting import Setting

Functions = Mapping[str, Callable[..., object]]


def setting_of(derivation: Derivation, parameters: Mapping[str, float] | None = None) -> Setting:
    """What the oracle must know of the options that the module was derived with."""
    subject, regressor = derivation.subject, derivation.module.regressor
    defaults = {parameter.name: parameter.default for parameter in derivation.module.parameters}
    values = (
        () if regressor is None else evaluate(regressor.values, {}, defaults | dict(parameters or {}))["parameters"]
    )
    return Setting(
        gravity=subject.runtime_gravity,
        wrenches=subject.wrenches,
        frames=subject.frames,
        axes=subject.axes,
        given=subject.given,
        real=derivation.module.real,
        parameters=parameters,
        regressor=() if regressor is None else regressor.columns,
        regressor_values=tuple(values),
    )


def numpy_names(module: Module) -> dict[str, Any]:
    """The names that the generated NumPy module defines; its C, which takes longer, is not written."""
    return namespace(language("python").write(module))


def interpreted(derivation: Derivation, parameters: Mapping[str, float] | None = None) -> Functions:
    """All functions of a module as programs that the interpreter runs, with these values of its parameters."""
    constants = constants_of(derivation.module, parameters)
    return {
        function.name: functools.partial(interpret, function, constants) for function in derivation.module.functions
    }


def constants_of(module: Module, parameters: Mapping[str, float] | None = None) -> dict[str, np.ndarray]:
    """What `init` makes of the parameters, as an input by name."""
    if module.init is None:
        return {}
    values = {parameter.name: parameter.default for parameter in module.parameters} | dict(parameters or {})
    made = evaluate(module.init, {"parameters": np.array([values[p.name] for p in module.parameters])})
    return {CONSTANTS: made[module.init.outputs[0][0].name]}


def interpret(function: Function, constants: Mapping[str, np.ndarray], *args: np.ndarray) -> object:
    names = [argument.name for argument in function.inputs if argument.name != CONSTANTS]
    needed = constants if any(argument.name == CONSTANTS for argument in function.inputs) else {}
    values = evaluate(function.program, dict(zip(names, args, strict=True)) | dict(needed))
    arrays = tuple(values[output.name] for output in function.outputs)
    return arrays if len(arrays) > 1 else arrays[0]
