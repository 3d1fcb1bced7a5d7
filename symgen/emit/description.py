"""What the files of a module say beside its code, once for all languages: templates lay it out.

A language says how it writes numbers and strings, and what makes free text harmless in its comments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf, prod

from symgen.emit.text import (
    PACKED,
    argument_text,
    assembly_arguments,
    assembly_summary,
    legend,
    meaning_text,
    neutral_text,
    packed_results,
    parameter_lines,
    regressor_lines,
    regressor_note,
    robot_lines,
    start_arguments,
)
from symgen.program.counts import count
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Argument, Function, LimitRecord, Module, Parameter
from symgen.program.pattern import Pattern
from symgen.program.program import Op


@dataclass(frozen=True)
class Writing:
    """How a language writes what is no code: a finite number, infinity and its negative, a string, free text."""

    number: Callable[[float], str]
    infinite: tuple[str, str]
    safe: Callable[[str], str]
    quoted: Callable[[str], str] = '"{}"'.format

    def value(self, value: float) -> str:
        """A number, which may be infinite."""
        return {inf: self.infinite[0], -inf: self.infinite[1]}.get(value) or self.number(value)


@dataclass(frozen=True)
class ArgumentText:
    """An argument: `text` says all of it in a line, `meaning` has its unit, and `said` its order, too."""

    name: str
    shape: tuple[int, ...]
    size: int
    meaning: str
    text: str

    @property
    def head(self) -> str:
        """Name and shape."""
        return self.text.partition(":")[0]

    @property
    def said(self) -> str:
        """What `text` says behind name and shape."""
        return self.text.partition(": ")[2]

    @property
    def is_constants(self) -> bool:
        """Whether it is what the run-time parameters are made into."""
        return self.name == CONSTANTS


@dataclass(frozen=True)
class Signature:
    """What a function is and takes, in words; `unused` are names of inputs that it does not read."""

    name: str
    summary: str
    formulation: str
    counts: str
    inputs: tuple[ArgumentText, ...]
    outputs: tuple[ArgumentText, ...]
    unused: tuple[str, ...]
    has_status: bool


@dataclass(frozen=True)
class Value:
    """A number with a name: a run-time parameter, or one that belongs to the regressor."""

    name: str
    value: str
    meaning: str
    unit: str


@dataclass(frozen=True)
class Limits:
    """Limits of one kind; `extent` is what their number is called, or ""."""

    name: str
    meaning: str
    extent: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Packed:
    """The pattern of a packed result of a function."""

    function: str
    result: str
    pattern: Pattern

    @property
    def arrays(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The arrays of the pattern, by name."""
        return ("indptr", self.pattern.indptr), ("indices", self.pattern.indices)

    @property
    def extents(self) -> str:
        """The shape of the whole."""
        return " x ".join(map(str, self.pattern.shape))


@dataclass(frozen=True)
class AssemblyText:
    """The iteration that closes loops: what it takes and gives in words, and what it is made of.

    `given` entries of q go to `places`; `start` is called with `starting`, if there is one, and then at most `most`
    times `step` with `passed`, until its residual is at most `closed`. Formulation and counts are those of a step.
    """

    signature: Signature
    places: tuple[int, ...]
    most: int
    step: str
    start: str
    starting: tuple[str, ...]
    passed: tuple[str, ...]
    closed: str

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of its inputs."""
        return tuple(each.name for each in self.signature.inputs)


@dataclass(frozen=True)
class Description:
    """What files say of a module: numbers and names as a language writes them, free text that cannot harm it.

    `free`: whether entries of q and joint velocities differ. `packed`: function → its packed results. `sines`, `sign`
    and `nonzero`: whether code needs them.
    """

    name: str
    macro: str
    generator: str
    robot: tuple[str, ...]
    legend: tuple[str, ...]
    nq: int
    nv: int
    free: bool
    loops: bool
    joints: tuple[str, ...]
    positions: tuple[str, ...]
    neutral: tuple[str, ...]
    neutral_text: str
    limits: tuple[Limits, ...]
    parameters: tuple[Value, ...]
    parameters_note: str
    parameter_lines: tuple[str, ...]
    constants: int
    init: Signature | None
    regressor: tuple[Value, ...] | None
    regressor_note: str
    regressor_lines: tuple[str, ...]
    packed: tuple[tuple[str, tuple[Packed, ...]], ...]
    packed_text: str
    assembly: AssemblyText | None
    sines: bool
    sign: bool
    nonzero: bool


def described(module: Module, writing: Writing, *, batched: bool = False) -> Description:
    """The description of a module in a language; `batched`: whether functions take many states."""
    record, safe = module.record, writing.safe
    return Description(
        name=module.name,
        macro=module.name.upper(),
        generator=record.generator,
        robot=tuple(map(safe, robot_lines(module))),
        legend=legend(module),
        nq=record.nq,
        nv=record.nv,
        free=not record.is_plain,
        loops=bool(record.loops),
        joints=tuple(writing.quoted(joint.name) for joint in record.joints),
        positions=tuple(writing.quoted(position.name) for position in record.positions),
        neutral=tuple(map(writing.value, module.neutral)),
        neutral_text=neutral_text(module),
        limits=tuple(_limits(limit, writing) for limit in record.limits),
        parameters=_values(module.parameters, writing),
        parameters_note=safe(module.parameters_note),
        parameter_lines=tuple(map(safe, parameter_lines(module))),
        constants=module.constants_size,
        init=None if module.init is None else signature(init_function(module), safe),
        regressor=None if module.regressor is None else _values(module.regressor.parameters, writing),
        regressor_note=safe(regressor_note(module)),
        regressor_lines=tuple(map(safe, regressor_lines(module))),
        packed=tuple((f.name, _packed(f)) for f in module.functions if packed_results(f)),
        packed_text=safe(PACKED),
        assembly=_assembly(module, writing, batched=batched),
        sines=module.uses(Op.SIN, Op.COS),
        sign=module.uses(Op.SIGN),
        nonzero=module.uses(Op.NONZERO),
    )


def signature(function: Function, safe: Callable[[str], str] = str) -> Signature:
    """What a function is and takes, in words that cannot harm a language."""
    used = {i.name for i in function.program.instructions if i.op is Op.VARIABLE}
    return Signature(
        name=function.name,
        summary=safe(function.summary),
        formulation=safe(function.formulation),
        counts=str(count(function.program)),
        inputs=tuple(_argument(each, safe) for each in function.inputs),
        outputs=tuple(_argument(each, safe) for each in function.outputs),
        unused=tuple(each.name for each in function.inputs if each.name not in used),
        has_status=any(i.op is Op.NONZERO for i in function.program.instructions),
    )


def init_function(module: Module, order: str = "PARAMETERS", further: str = "") -> Function:
    """What makes constants of parameters, which are in the order of what `order` names, as a function."""
    assert module.init is not None
    return Function(
        name="init",
        summary=f"The constants of values of the parameters{further}.",
        formulation="",
        inputs=(Argument(PARAMETERS, (len(module.parameters),), "", f"values in the order of {order}"),),
        outputs=(Argument(CONSTANTS, (module.constants_size,), "", "what the functions need of them"),),
        program=module.init,
    )


def with_init(module: Module, order: str = "PARAMETERS", further: str = "") -> tuple[Function, ...]:
    """The functions of a module, that which makes constants of parameters first, if there are any."""
    return (*([] if module.init is None else [init_function(module, order, further)]), *module.functions)


def _argument(argument: Argument, safe: Callable[[str], str]) -> ArgumentText:
    return ArgumentText(
        name=argument.name,
        shape=argument.shape,
        size=prod(argument.shape),
        meaning=safe(meaning_text(argument)),
        text=argument_text(replace(argument, meaning=safe(argument.meaning), unit=safe(argument.unit))),
    )


def _values(parameters: Sequence[Parameter], writing: Writing) -> tuple[Value, ...]:
    return tuple(
        Value(p.name, writing.value(p.default), writing.safe(p.meaning), writing.safe(p.unit)) for p in parameters
    )


def _packed(function: Function) -> tuple[Packed, ...]:
    return tuple(Packed(function.name, *each) for each in packed_results(function))


def _limits(limit: LimitRecord, writing: Writing) -> Limits:
    return Limits(limit.name, limit.meaning, limit.extent, tuple(map(writing.value, limit.values)))


def _assembly(module: Module, writing: Writing, *, batched: bool) -> AssemblyText | None:
    if module.assembly is None:
        return None
    assembly, step = module.assembly, module.function(module.assembly.step)
    inputs = assembly_arguments(module, step)
    outputs = (
        Argument("q", (module.record.nq,), "", f"the closed q; NaN {'where' if batched else 'if'} none was found"),
        Argument("status", (), "", "0 where q is closed, else 1"),
    )
    words = replace(
        signature(step, writing.safe),
        name="assemble",
        summary=writing.safe(assembly_summary(assembly)),
        inputs=tuple(_argument(each, writing.safe) for each in inputs),
        outputs=tuple(_argument(each, writing.safe) for each in outputs),
        unused=(),
        has_status=False,
    )
    return AssemblyText(
        signature=words,
        places=assembly.places,
        most=assembly.most,
        step=assembly.step,
        start=assembly.start,
        starting=tuple(start_arguments(module)),
        passed=("q", *(each.name for each in step.inputs[1:])),
        closed=writing.number(assembly.closed),
    )
