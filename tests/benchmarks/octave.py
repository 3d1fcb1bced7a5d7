"""Times batches of 10,000 states in Octave beside NumPy's module, each the fastest of several calls, in processor time.

    python tests/benchmarks/octave.py [ROBOT ...]

Octave's function is called as users call it, with states as columns; NumPy's with states as rows. With mkoctfile the
compiled gateway is timed, too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from symgen import api
from symgen.build.files import write_files
from symgen.derive.derivation import Options, derive
from symgen.emit.registry import language
from symgen.program.module import Function, Module

STATES = 10_000
TURNS = 15
ROBOTS = ("planar3r", "puma", "panda")

SCRIPT = """
addpath('{folder}');
function t = fastest(call, inputs, turns)
  t = Inf;
  for k = 1:turns
    start = cputime();
    call(inputs{{:}});
    t = min(t, cputime() - start);
  end
end
{calls}
"""


def octave_seconds(made: Module, gateway: bool) -> dict[str, float]:
    """Name of a function → processor seconds of a call, in Octave."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder, {**language("c").write(made), **language("matlab").write(made)})
        if gateway:
            sources = [f"{made.name}_mex.c", f"{made.name}.c", f"{made.name}_batch.c"]
            subprocess.run(["mkoctfile", "--mex", *sources], cwd=folder, check=True, capture_output=True)
        calls = []
        for function in made.functions:
            inputs = ", ".join(f"rand({prod(each.shape)}, {STATES})" for each in function.inputs)
            called = f"@{made.name}.{function.name}"
            if gateway:
                called = f"@(varargin) {made.name}_mex('{function.name}', varargin{{:}})"
            calls.append(f"printf('{function.name} %.9f\\n', fastest({called}, {{{inputs}}}, {TURNS}));")
        script = Path(folder) / "time_calls.m"
        script.write_text(SCRIPT.format(folder=folder, calls="\n".join(calls)))
        command = ["octave", "--no-gui", "--norc", "--quiet", str(script)]
        alone = {**os.environ, "OMP_NUM_THREADS": "1"}  # mkoctfile compiles with OpenMP, threads of which wait busily
        lines = subprocess.run(command, check=True, capture_output=True, text=True, env=alone).stdout.splitlines()
    return {name: float(value) for name, value in map(str.split, lines)}


@contextmanager
def numpy_calls(made: Module) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of the NumPy module."""
    plain, run = language("python"), language("python").run
    assert run is not None
    with run(made, plain.write(made)) as functions:
        yield dict(functions)


def numpy_seconds(call: Callable[..., Any], function: Function) -> float:
    """Processor seconds of a call of a NumPy function."""
    random = np.random.default_rng(0)
    inputs = [random.random((STATES, *each.shape)) for each in function.inputs]
    found = []
    for _ in range(TURNS):
        start = time.process_time()
        call(*inputs)
        found.append(time.process_time() - start)
    return min(found)


def main(robots: list[str]) -> None:
    """Prints a table."""
    print("| robot | function | NumPy, ms | Octave, ms | Octave/NumPy | MEX, ms |")
    print("|---|---|---|---|---|---|")
    for robot in robots:
        made = derive(api.load(robot), Options()).module
        octave = octave_seconds(made, gateway=False)
        gateway = octave_seconds(made, gateway=True) if shutil.which("mkoctfile") else {}
        with numpy_calls(made) as functions:
            for function in made.functions:
                plain = numpy_seconds(functions[function.name], function)
                own = octave[function.name]
                compiled = f"{1e3 * gateway[function.name]:.2f}" if gateway else "no mkoctfile"
                print(
                    f"| `{robot}` | `{function.name}` | {1e3 * plain:.2f} | {1e3 * own:.2f} | {own / plain:.2f} "
                    f"| {compiled} |"
                )


if __name__ == "__main__":
    if shutil.which("octave") is None:
        sys.exit("octave.py: no octave found; install Octave (Debian's package octave)")
    main(sys.argv[1:] or list(ROBOTS))
