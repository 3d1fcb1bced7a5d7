"""Functions from chain to chain → C99: the parts of every node, and a driver in one thread or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.emit.c.body import body_lines
from symgen.emit.c.printer import C_REAL, WIDTH, absolute, declaration
from symgen.emit.c.sincos import sincos
from symgen.emit.environment import render
from symgen.emit.text import argument_text, comment_safe, robot_lines, wrapped
from symgen.program.chained import ChainedFunction, ChainedModule
from symgen.program.counts import Counts
from symgen.program.module import Module
from symgen.program.program import Op, Program
from symgen.program.staged import KEPT, MEMORY, RECEIVED, SENT, TELLING, TOLD

REAL = C_REAL["float64"]


@dataclass(frozen=True)
class CPart:
    """What the templates need of a part."""

    definition: str
    unused: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class CChained:
    """What the templates need of a function; `stages`: the numbers that a chain contributes in each. `now`: its inputs
    at a state."""

    name: str
    macro: str
    comment: tuple[str, ...]
    stages: tuple[int, ...]
    sent: int
    told: int
    memory: int
    inputs: tuple[tuple[str, int], ...]
    now: str
    result: str
    result_size: int
    prototype: str
    definition: str
    chain_prototype: str
    chain_definition: str
    central_prototype: str
    central_definition: str
    chain_calls: tuple[tuple[int, str], ...]
    central_calls: tuple[tuple[int, str], ...]


def emit_chains(module: ChainedModule) -> dict[str, str]:
    """File name → text, for `<robot>_chains.c` and `<robot>_chains.h`."""
    code = module.module
    trig = code.uses(Op.SIN, Op.COS)
    keys = {
        "name": module.prefix,
        "macro": module.prefix.upper(),
        "robot_name": module.name,
        "generator": module.record.generator,
        "real": REAL,
        "robot": tuple(map(comment_safe, robot_lines(code))),
        "notes": tuple(line for text in _notes(module) for line in wrapped(text, WIDTH - 4, "    ").splitlines()),
        "chains": len(module.chains),
        "parts": tuple(part for function in module.functions for part in _parts(module, code, function)),
        "functions": tuple(_function(module, function) for function in module.functions),
        "sign": code.uses(Op.SIGN),
        "nonzero": absolute(code) if code.uses(Op.NONZERO) else None,
        "sincos": sincos(code.real, f"{module.prefix}_") if trig else None,
    }
    return {
        f"{module.prefix}.c": render("c/chains.c.j2", **keys),
        f"{module.prefix}.h": render("c/chains.h.j2", **keys),
    }


def _notes(module: ChainedModule) -> list[str]:
    """What stands in the header beside the robot."""
    chains = [f"Chain {number}: {comment_safe(text)}" for number, text in enumerate(module.chains, start=1)]
    return [*chains, f"Scheme: {module.scheme}; sums are over the chains in this order, on any number of nodes"]


# parts -------------------------------------------------------------------------------------------------


def _parts(module: ChainedModule, code: Module, function: ChainedFunction) -> list[CPart]:
    found = []
    for name, part in function.staged.parts():
        if part.program.outputs:
            inputs = [*_inputs(function), TOLD, MEMORY, *([RECEIVED] if name.startswith("central") else [])]
            arguments = [f"const {REAL} *{each}" for each in inputs]
            outputs = _outputs(function, name)
            arguments += [f"{REAL} *{each}" for each in outputs]
            found.append(
                CPart(
                    declaration(f"static void {function.name}_{name}", arguments),
                    _unused(part.program, [*inputs, *outputs]),
                    body_lines(code, part.program),
                )
            )
    return found


def _outputs(function: ChainedFunction, name: str) -> list[str]:
    return [KEPT, TELLING, function.output.name] if name.startswith("central") else [KEPT, SENT]


def _unused(program: Program, names: Sequence[str]) -> tuple[str, ...]:
    used = {each.name for each in program.instructions if each.op is Op.VARIABLE}
    used |= {array.name for array, _ in program.outputs}
    return tuple(name for name in names if name not in used)


def _inputs(function: ChainedFunction) -> list[str]:
    return [argument.name for argument in function.inputs]


# functions ---------------------------------------------------------------------------------------------


def _function(module: ChainedModule, function: ChainedFunction) -> CChained:
    staged, name = function.staged, f"{module.prefix}_{function.name}"
    given = _inputs(function)
    chain_calls, central_calls = [], []
    for number, stage in enumerate(staged.stages):
        for chain, part in enumerate(stage.chains):
            if part.program.outputs:
                texts = [*given, TOLD, MEMORY, f"{MEMORY} + {part.start}", SENT]
                call = f"{function.name}_chain{chain + 1}_{number + 1}({', '.join(texts)})"
                chain_calls.append((number * len(stage.chains) + chain, call))
        if stage.central.program.outputs:
            kept, telling = f"{MEMORY} + {stage.central.start}", f"{TOLD} + {stage.told}"
            texts = [*given, TOLD, MEMORY, "all", kept, telling, function.output.name]
            central_calls.append((number, f"{function.name}_central_{number + 1}({', '.join(texts)})"))
    macro = f"{module.prefix}_RESTRICT".upper()
    (size,) = function.output.shape
    return CChained(
        name=name,
        macro=name.upper(),
        comment=_comment(function),
        stages=tuple(stage.sent for stage in staged.stages),
        sent=staged.sent,
        told=staged.told,
        memory=staged.memory,
        inputs=tuple((argument.name, argument.shape[0]) for argument in function.inputs),
        now=", ".join(f"{each}_now" for each in given),
        result=function.output.name,
        result_size=size,
        prototype=_whole(name, function, macro),
        definition=_whole(name, function, "restrict"),
        chain_prototype=_chain(name, function, macro),
        chain_definition=_chain(name, function, "restrict"),
        central_prototype=_central(name, function, macro),
        central_definition=_central(name, function, "restrict"),
        chain_calls=tuple(chain_calls),
        central_calls=tuple(central_calls),
    )


def _given(function: ChainedFunction, restrict: str, *more: str) -> list[str]:
    return [f"const {REAL} *{restrict} {each}" for each in (*_inputs(function), *more)]


def _whole(name: str, function: ChainedFunction, restrict: str) -> str:
    result = f"{REAL} *{restrict} {function.output.name}"
    return declaration(f"int {name}", ["int threads", "size_t count", *_given(function, restrict), result])


def _chain(name: str, function: ChainedFunction, restrict: str) -> str:
    made = [f"{REAL} *{restrict} {each}" for each in (MEMORY, SENT)]
    start = ["int stage", "int chain", "size_t count"]
    return declaration(f"void {name}_chain", [*start, *_given(function, restrict, TOLD), *made])


def _central(name: str, function: ChainedFunction, restrict: str) -> str:
    made = [f"{REAL} *{restrict} {each}" for each in (TOLD, MEMORY, function.output.name)]
    return declaration(
        f"void {name}_central", ["int stage", "size_t count", *_given(function, restrict, RECEIVED), *made]
    )


def _comment(function: ChainedFunction) -> tuple[str, ...]:
    texts = [f"in   {argument_text(each)}" for each in function.inputs] + [
        f"out  {argument_text(function.output)}",
    ]
    gathered = ", and results are gathered once" if function.gathered else ""
    returned = (
        "For `count` states, one after the other, each on `threads` threads, where OpenMP is switched on. Returns how "
        f"often contributions were exchanged: {len(function.staged.stages)} times for each state"
    )
    if function.gathered:
        returned += ", when results are gathered"
    chains = sum((counts for name, counts in function.counts if name.startswith("chain")), Counts())
    central = sum((counts for name, counts in function.counts if name.startswith("central")), Counts())
    return (
        wrapped(f"/* {function.summary}", WIDTH, " *   "),
        " *",
        *(wrapped(f" *   {text}", WIDTH, " *          ") for text in texts),
        " *",
        wrapped(f" * {returned}.", WIDTH, " * "),
        wrapped(f" * Exchanges that chains wait for: {function.exchanges}{gathered}.", WIDTH, " * "),
        wrapped(f" * Operations of all chains: {chains}; of the central part: {central}.", WIDTH, " * "),
    )
