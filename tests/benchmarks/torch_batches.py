"""Time inverse dynamics of the Panda and its gradient in PyTorch on the CPU, 10,000 states in double precision.

    python tests/benchmarks/torch_batches.py [--compile]

It needs the package `torch` and a C compiler. The generated functions on tensors and the compiled C do the same:
values; the gradient of the sum of the squares of the joint forces by q, qd and qdd; and that gradient and its product
with a direction, which takes second derivatives. Times are the processor's, of one thread, the least of several runs.
`--compile` times torch.compile, too, which takes minutes.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
import time
from pathlib import Path

import torch

from symgen import api
from symgen.build.commands import run_together
from symgen.build.compiler import find_compiler
from symgen.derive.derivation import Options, derive
from symgen.emit.registry import language

STATES, ROUNDS = 10_000, 7


def written(folder):
    """The generated module, and its functions by the compiled C."""
    made = derive(api.load("panda"), Options(functions=("inverse_dynamics",))).module
    for file, text in language("torch").write(made).items():
        (folder / file).write_text(text, encoding="utf-8")
    compiler = find_compiler()
    command = [*compiler.command, *compiler.code_flags()]
    run_together([[*command, "-c", source] for source in ("panda_torch.c", "panda_torch_batch.c")], folder)
    run_together(
        [[*compiler.command, "-shared", "panda_torch.o", "panda_torch_batch.o", "-o", "libpanda_torch.so", "-lm"]],
        folder,
    )
    sys.path.insert(0, str(folder))
    module = importlib.import_module("panda_torch")
    return module, module.compiled(folder / "libpanda_torch.so")


def timed(name, function, *given):
    """Print the time of a state."""
    times = []
    for _ in range(ROUNDS + 1):
        start = time.process_time()
        function(*given)
        times.append(time.process_time() - start)
    first, *others = times
    print(f"{name:44} {min(others) / STATES * 1e9:9.0f} ns a state; first call {first:6.2f} s", flush=True)


def main():
    """Time all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--compile", action="store_true")
    with_compiler = parser.parse_args().compile
    torch.set_num_threads(1)
    torch.manual_seed(1)
    state = [2 * torch.rand(STATES, 7, dtype=torch.float64) - 1 for _ in range(3)]
    moving = [each.clone().requires_grad_() for each in state]
    with tempfile.TemporaryDirectory() as folder:
        module, compiled = written(Path(folder))
        rivals = {"compiled C": compiled.inverse_dynamics, "tensors": module.inverse_dynamics}
        if with_compiler:
            rivals["tensors, torch.compile"] = torch.compile(module.inverse_dynamics)

        for name, function in rivals.items():

            def gradient(*given, function=function, again=False):
                return torch.autograd.grad((function(*given) ** 2).sum(), given, create_graph=again)

            def curvature(*given, gradient=gradient):
                found = gradient(*given, again=True)
                return torch.autograd.grad(found, given, given)

            timed(f"{name}: inverse dynamics", function, *state)
            timed(f"{name}: gradient", gradient, *moving)
            if function is not rivals.get("tensors, torch.compile"):  # which has no second derivatives
                timed(f"{name}: second derivatives", curvature, *moving)


if __name__ == "__main__":
    main()
