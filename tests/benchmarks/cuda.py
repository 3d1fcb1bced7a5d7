"""Registers and spills of the kernels that nvcc makes, and what their launches ask for.

python tests/benchmarks/cuda.py [ROBOT ...] [--arch sm_90]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

from symgen.derive.derivation import derive
from symgen.derive.options import Options
from symgen.emit.cuda.residency import THREADS, alive, blocks
from symgen.emit.registry import language
from symgen.robot.library import load

FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "forward_dynamics", "inverse_dynamics_derivatives")


def kernels(name: str, real: str, arch: str) -> None:
    """Print a line for each kernel of a robot."""
    module = derive(load(name), Options(functions=FUNCTIONS, real=real)).module
    with tempfile.TemporaryDirectory() as folder:
        for file, text in language("cuda").write(module).items():
            (Path(folder) / file).write_text(text, encoding="utf-8")
        command = ["nvcc", "-O3", "-cubin", "-Xptxas", "-v", f"-arch={arch}", f"{name}_cuda.cu"]
        said = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stderr
    for function in module.functions:
        part = re.search(rf"{name}_{function.name}_kernel.*?Used (\d+) registers", said, re.DOTALL)
        assert part is not None
        spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", part[0])
        assert spills is not None
        print(
            f"{name:8} {real} {function.name:30} {alive(function.program):4} values together, "
            f"{blocks(function.program, real)} blocks of {THREADS}: {part[1]:>3} registers, "
            f"{spills[1]} bytes spilled, {spills[2]} loaded again",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("robots", nargs="*", default=["puma", "panda"])
    parser.add_argument("--arch", default="sm_90")
    given = parser.parse_args()
    for robot in given.robots:
        for precision in ("float64", "float32"):
            kernels(robot, precision, given.arch)
