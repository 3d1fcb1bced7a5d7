"""How many blocks of a kernel should be resident on a multiprocessor: as many as the registers of its values allow."""

from __future__ import annotations

from symgen.program.program import Op, Program

THREADS = 128
"""Threads of a block."""

REGISTERS = 65536
"""Registers of a multiprocessor, of 32 bits each; a thread has at most 255 of them."""

OVERHEAD = 32
"""Registers for addresses and for what is on its way."""

MOST = 8
"""With more blocks than this there are threads enough to wait for memory."""


def blocks(program: Program, real: str) -> int:
    """So many blocks of `THREADS` threads hold all values that are alive together, but for what is at hand anyway."""
    wanted = OVERHEAD + alive(program) * (2 if real == "float64" else 1)
    return max(1, min(MOST, REGISTERS // (THREADS * min(wanted, 255))))


def alive(program: Program) -> int:
    """The most results of operations that are needed later at any place of a program."""
    last: dict[int, int] = {}
    for place, instruction in enumerate(program.instructions):
        for arg in instruction.args:
            last[arg] = place
    ends = [0] * (len(program.instructions) + 1)
    now = most = 0
    for place, instruction in enumerate(program.instructions):
        now -= ends[place]
        if instruction.op not in (Op.CONSTANT, Op.VARIABLE, Op.PARAMETER) and last.get(place, place) > place:
            now += 1
            ends[last[place]] += 1
        most = max(most, now)
    return most
