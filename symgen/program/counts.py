"""Operation counts of a program, exact: what a call costs, and apart from it what is hoisted out of calls.

The one cost model is here: whatever compares programs, or ways to write one, weighs operations by `WEIGHTS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from operator import attrgetter

from symgen.display.markup import Grid
from symgen.program.program import Dependence, Instruction, Op, Program

_FIELD = {
    Op.MUL: "mul",
    Op.ADD: "add",
    Op.SUB: "add",
    Op.NEG: "add",
    Op.SIGN: "add",
    Op.DIV: "div",
    Op.SQRT: "sqrt",
    Op.SIN: "trig",
    Op.COS: "trig",
    Op.TANH: "trig",
    Op.ATAN: "trig",
}

_KIND = attrgetter("op", "dependence")

WEIGHTS = {"mul": 1, "add": 1, "div": 4, "sqrt": 4, "trig": 8}
"""What operations weigh: a division or a root, and a sine or cosine, more than a multiplication or addition, so that
neither may buy arithmetic."""


@dataclass(frozen=True)
class Counts:
    """Operations per call: multiplications; additions and subtractions (an emitted unary minus or sign is one);
    divisions; square roots; sines and cosines (a tanh or atan is one); `hoisted`: operations of any kind on
    parameters alone."""

    mul: int = 0
    add: int = 0
    div: int = 0
    sqrt: int = 0
    trig: int = 0
    hoisted: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(**{name: value + getattr(other, name) for name, value in self.as_dict().items()})

    @property
    def total(self) -> int:
        """All operations of a call; what is hoisted does not count."""
        return self.mul + self.add + self.div + self.sqrt + self.trig

    @property
    def weight(self) -> int:
        """What a call costs."""
        return sum(weight * getattr(self, name) for name, weight in WEIGHTS.items())

    @property
    def cost(self) -> tuple[int, int]:
        """What a call costs, then what is hoisted out of it: programs are compared by this."""
        return self.weight, self.hoisted

    @property
    def arithmetic(self) -> int:
        """Multiplications and additions, the measure of the literature."""
        return self.mul + self.add

    def as_dict(self) -> dict[str, int]:
        """Name → number, in a fixed order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        words = (
            (self.mul, "multiplication"),
            (self.add, "addition"),
            (self.div, "division"),
            (self.sqrt, "square root"),
        )
        parts = [_counted(number, word) for number, word in words if number or word in ("multiplication", "addition")]
        if self.trig:
            parts.append("1 sine or cosine" if self.trig == 1 else f"{self.trig} sines and cosines")
        return ", ".join(parts)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


class OperationCounts(dict[str, Counts]):
    """Function → operations of a call; notebooks show a table with `title`."""

    def __init__(self, counts: Mapping[str, Counts], title: str = "") -> None:
        super().__init__(counts)
        self.title = title

    def _repr_html_(self) -> str:
        return counts_grid(self.title, self).html()


def counts_grid(title: str, counts: Mapping[str, Counts]) -> Grid:
    """Function × (mult, add, div, sqrt, trig, total, hoisted)."""
    columns = ("function", "mult", "add", "div", "sqrt", "trig", "total", "hoisted")
    rows = tuple(
        (name, *map(str, (c.mul, c.add, c.div, c.sqrt, c.trig, c.total, c.hoisted))) for name, c in counts.items()
    )
    return Grid(f"{title}: operations per call" if title else "operations per call", columns, rows)


def weight(instruction: Instruction) -> int:
    """What an instruction adds to the weight of a call."""
    name = _FIELD.get(instruction.op)
    return 0 if name is None or instruction.dependence is Dependence.PARAMETER else WEIGHTS[name]


def count(program: Program) -> Counts:
    """The operation counts of `program`."""
    totals = {field.name: 0 for field in fields(Counts)}
    for (op, dependence), number in Counter(map(_KIND, program.instructions)).items():
        name = _FIELD.get(op)
        if name is not None:
            # A function of a number, such as its tanh, is worked out in the call.
            totals[name if dependence is not Dependence.PARAMETER else "hoisted"] += number
    return Counts(**totals)
