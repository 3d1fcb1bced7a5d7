"""Batches in C, nanoseconds per state of one thread, least of many in turn: rows, columns, and single precision.

python tests/benchmarks/batches.py [ROBOT ...]

CC="gcc -mno-avx512f" makes a machine with AVX-512 one with AVX2 only.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from math import prod

import numpy as np

from symgen.bench.cases import robot_of
from symgen.bench.machine import description
from symgen.bench.native import library, pointer
from symgen.build.compiler import find_compiler
from symgen.derive.derivation import derive
from symgen.derive.options import Options
from symgen.emit.c import emit_c
from symgen.emit.c.printer import C_REAL
from symgen.program.module import Function, Module

FUNCTIONS = (
    "inverse_dynamics",
    "inertia_matrix",
    "forward_dynamics",
    "jacobian",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)
COUNTS = (1_000, 8_192, 10_000, 10_001, 100_000)
"""In the nearest cache or two; where columns crowd each other out; what is timed elsewhere; odd; beyond the caches."""
ROUNDS = 25

CLOCK = """
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
"""


def driver(module: Module) -> str:
    """Functions that time so many batches of each function, over rows and over columns."""
    real = C_REAL[module.real]
    texts = [
        f'#define _POSIX_C_SOURCE 200112L\n#include <stddef.h>\n#include <time.h>\n#include "{module.name}_batch.h"',
        CLOCK,
    ]
    for function in module.functions:
        names = [f"a{k}" for k in range(len(function.inputs) + len(function.outputs))]
        start, columns = f"{module.name}_{function.name}", ", ".join(f"{name}, 1, (ptrdiff_t)count" for name in names)
        calls = {"rows": f"{start}_batch(count, {', '.join(names)})", "columns": f"{start}_strided(count, {columns})"}
        for layout, call in calls.items():
            given = ", ".join(f"{real} *{name}" for name in names)
            texts.append(f"double {layout}_{function.name}(long repeats, size_t count, {given})\n{{")
            texts.append(f"    const double begin = now();\n    while (repeats-- > 0) {{\n        {call};\n    }}")
            texts.append("    return now() - begin;\n}\n")
    return "\n".join(texts)


def timer(loaded: ctypes.CDLL, module: Module, function: Function, layout: str, count: int) -> Callable[[], float]:
    """What measures nanoseconds per state."""
    chance, run = np.random.default_rng(0), getattr(loaded, f"{layout}_{function.name}")
    run.restype = ctypes.c_double
    arrays = []
    for argument in (*function.inputs, *function.outputs):
        room = chance.uniform(-3, 3, count * prod(argument.shape) + 16).astype(module.real)
        arrays.append(room[(-room.ctypes.data % 64) // room.itemsize :])
    repeats = max(1, 20_000 // count)
    numbers = ctypes.c_long(repeats), ctypes.c_size_t(count)
    return lambda: float(run(*numbers, *map(pointer, arrays))) / (repeats * count)


def compare(name: str) -> None:
    """Print the figures of one robot."""
    loaded = {}
    for real in ("float64", "float32"):
        module = derive(robot_of(name, full_inertia=False), Options(functions=FUNCTIONS, real=real)).module
        loaded[real] = module, ctypes.CDLL(str(library("batches", {**emit_c(module), "driver.c": driver(module)})))
    for count in COUNTS:
        for function in FUNCTIONS:
            timers = {
                (real, layout): timer(library_, module, module.function(function), layout, count)
                for real, (module, library_) in loaded.items()
                for layout in ("rows", "columns")
            }
            best = dict.fromkeys(timers, float("inf"))
            for _ in range(ROUNDS):
                for key, measure in timers.items():
                    best[key] = min(best[key], measure())
            rows, columns = best["float64", "rows"], best["float64", "columns"]
            single, beside = best["float32", "rows"], best["float32", "columns"]
            print(
                f"{name:8} {count:7} {function:30} rows {rows:7.1f}  columns {columns:7.1f} ({columns / rows:.2f})"
                f"  float32: rows {single:6.1f} ({single / rows:.2f})  columns {beside:6.1f} ({beside / single:.2f})",
                flush=True,
            )


if __name__ == "__main__":
    about = description()
    print(f"{about['processor']}, {find_compiler().command}, load {about['load']}")
    for robot in sys.argv[1:] or ["puma", "panda", "ur5"]:
        compare(robot)
