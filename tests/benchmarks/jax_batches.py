"""Time inverse dynamics of the Panda and its gradient in JAX, jitted and mapped over 10,000 states, beside frax's.

    python tests/benchmarks/jax_batches.py

It needs the packages `jax` and `frax`, gcc and g++. The gradient is that of the sum of the squares of the joint forces,
by q, qd and qdd. Times are the least of several runs. Both use the CPU in double precision.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from symgen import api
from symgen.derive.derivation import Options, derive
from symgen.emit.registry import language

STATES, ROUNDS = 10_000, 5
FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "inverse_dynamics_derivatives")


def written(folder):
    """The generated module, and its functions by the compiled C."""
    made = derive(api.load("panda"), Options(functions=FUNCTIONS)).module
    for target in ("c", "jax"):
        for file, text in language(target).write(made).items():
            (folder / file).write_text(text, encoding="utf-8")
    sources = ["panda.c", "panda_batch.c"]
    subprocess.run(["gcc", "-O2", "-march=native", "-fPIC", "-c", *sources], cwd=folder, check=True)
    flags = ["-O2", "-w", "-std=c++17", "-fPIC", "-shared", f"-I{jax.ffi.include_dir()}", "-o", "panda_jax_ffi.so"]
    subprocess.run(["g++", *flags, "panda_jax_ffi.cc", "panda.o", "panda_batch.o"], cwd=folder, check=True)
    sys.path.insert(0, str(folder))
    module = importlib.import_module("panda_jax")
    return module, module.compiled(folder / "panda_jax_ffi.so")


def timed(name, function, state):
    """Print the time to compile a function, and that of a state."""
    start = time.perf_counter()
    jax.block_until_ready(function(*state))
    first, times = time.perf_counter() - start, []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        jax.block_until_ready(function(*state))
        times.append(time.perf_counter() - start)
    print(f"{name:40} {min(times) / STATES * 1e9:9.0f} ns a state; first call {first:6.1f} s", flush=True)


def main():
    """Time all."""
    jax.config.update("jax_enable_x64", True)
    warnings.simplefilter("ignore")
    robots = importlib.import_module("frax.robots.franka_panda")
    panda, gravity = robots.load_panda(), jnp.asarray([0, 0, 0, 0, 0, 9.81])
    generator = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        module, foreign = written(Path(folder))
        rivals = {
            "compiled C": foreign.inverse_dynamics,
            "generated JAX": module.inverse_dynamics,
            "frax": lambda q, v, a: panda.rnea(q, v, a, gravity, None),
        }
        for name, function in rivals.items():
            size = 7
            state = [jnp.asarray(generator.uniform(-1, 1, (STATES, size))) for _ in range(3)]

            def squares(*given, function=function):
                return (function(*given) ** 2).sum()

            timed(f"{name}: inverse dynamics", jax.jit(jax.vmap(function)), state)
            timed(f"{name}: gradient", jax.jit(jax.vmap(jax.grad(squares, argnums=(0, 1, 2)))), state)


if __name__ == "__main__":
    main()
