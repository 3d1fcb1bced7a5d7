"""Small modules for the emitters: programs of random tapes, and records of awkward text."""

from __future__ import annotations

from collections.abc import Sequence

from random_programs import INPUTS, program_of, seeded_tape

from symgen.program.module import Argument, Function, JointRecord, Module, PositionRecord, Record
from symgen.program.program import Array, Program


def argument(array: Array) -> Argument:
    return Argument(array.name, array.shape, "1", "numbers")


def function(name: str, program: Program) -> Function:
    """A function around a program."""
    return Function(
        name=name,
        summary="A sample.",
        formulation="by chance",
        inputs=tuple(map(argument, program.inputs)),
        outputs=tuple(argument(array) for array, _ in program.outputs),
        program=program,
    )


def record(description: str = "", joints: Sequence[str] = ("joint1", "joint2")) -> Record:
    """A record with this description and these joint names."""
    return Record(
        robot="sample",
        description=description,
        source=description,
        convention="standard",
        joints=tuple(JointRecord(name, "revolute", "rad", "rad/s", "N m", "torque") for name in joints),
        positions=tuple(PositionRecord(name, "revolute", "rad", 0.0, 3.14) for name in joints),
        free=(),
        gravity="(0, 0, 0)",
        table=(description,) if description else (),
        generator="symgen",
    )


def module(*functions: Function, name: str = "sample", description: str = "") -> Module:
    """A module of these functions."""
    return Module(name, functions, record(description))


def random_module(count: int, *, trig: bool) -> Module:
    """Functions f0, f1, … of seeded tapes without parameters; the inputs are those of all tapes."""
    programs = [program_of(seeded_tape(seed), trig=trig, parameters=False) for seed in range(count)]
    assert all(program.inputs == INPUTS for program in programs)
    return module(*(function(f"f{seed}", program) for seed, program in enumerate(programs)))
