"""Times of forward dynamics from chain to chain, as they are: python tests/benchmarks/chains.py [ROBOT …]

For every scheme: one thread, two threads, and two and four MPI ranks on this machine (with the extra mpi), beside the
generated forward_dynamics; microseconds for a state, the best of some runs. "single": one state a call; "batch": over
ranks all states of a call go in one exchange for each stage, threads take one state after the other.
"""

from __future__ import annotations

import ctypes
import json
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import symgen
from symgen.build.extension import build_library
from symgen.derive.chains import derive_chains
from symgen.derive.derivation import Options, derive
from symgen.emit.c import emit_c
from symgen.runtime.chains import Chains

ROBOTS = ("rrr3", "gough_stewart")
SCHEMES = ("recursive", "condensed", "projection")
LOOP = """#include <stddef.h>
#include "{name}.h"

void state_by_state(size_t count, const double *q, const double *qd, const double *tau, double *qdd);
void state_by_state(size_t count, const double *q, const double *qd, const double *tau, double *qdd)
{{
    for (size_t i = 0; i < count; i++) {{
        {name}_forward_dynamics(q + i*{nq}, qd + i*{ni}, tau + i*{ni}, qdd + i*{ni});
    }}
}}
"""
BATCH, SINGLES, RUNS = 1000, 200, 5


def best(call: Callable[[], object], states: int) -> float:
    """Microseconds for each of the states that a call works out."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e6 * min(times) / states


def timed(chains: Chains, q, qd, tau) -> dict[str, float]:
    def singles() -> None:
        for _ in range(SINGLES):
            chains.forward_dynamics(q[0], qd[0], tau[0])

    chains.forward_dynamics(q[:2], qd[:2], tau[:2])
    return {
        "single": best(singles, SINGLES),
        "batch": best(lambda: chains.forward_dynamics(q, qd, tau), len(q)),
        "exchanges": chains.exchanges or 0,
        "gathers": chains.gathers or 0,
    }


def states(name: str) -> tuple[np.ndarray, ...]:
    robot = symgen.load(name)
    random, ni = np.random.default_rng(0), len(robot.independent)
    q = np.array(robot.near) + 0.01 * random.normal(size=(BATCH, robot.nq))
    return q, random.normal(size=(BATCH, ni)), random.normal(size=(BATCH, ni))


def generated(name: str, q, qd, tau) -> float:
    """The generated function in C, called state by state."""
    module = derive(symgen.load(name), Options(("forward_dynamics",))).module
    nq, ni = q.shape[1], tau.shape[1]
    path = build_library(name, emit_c(module), LOOP.format(name=name, nq=nq, ni=ni))
    loop = ctypes.CDLL(str(path)).state_by_state
    found = np.empty_like(tau)
    pointers = [ctypes.c_void_p(each.ctypes.data) for each in (q, qd, tau, found)]
    return best(lambda: loop(ctypes.c_size_t(BATCH), *pointers), BATCH)


def over_ranks(path: str) -> None:
    """What each rank runs."""
    from mpi4py import MPI

    from symgen.runtime.ranks import Ranks

    module, arrays = pickle.loads(Path(path).read_bytes())
    found = timed(Chains(module, ranks=Ranks(MPI.COMM_WORLD)), *arrays)
    if MPI.COMM_WORLD.Get_rank() == 0:
        print(json.dumps(found))


def on_ranks(ranks: int, module, arrays) -> dict[str, float]:
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(pickle.dumps((module, arrays)))
        mpiexec = Path(sys.executable).with_name("mpiexec")
        command = [mpiexec, "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), sys.executable, __file__]
        done = subprocess.run([*command, "--rank", file.name], capture_output=True, text=True, timeout=600, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main(names: list[str]) -> None:
    for name in names or ROBOTS:
        arrays = states(name)
        print(f"{name}: generated forward_dynamics {generated(name, *arrays):.2f} us")
        for scheme in SCHEMES:
            module = derive_chains(symgen.load(name), scheme).module
            rows = {
                "1 thread": timed(Chains(module), *arrays),
                "2 threads": timed(Chains(module, threads=2), *arrays),
                **{f"{ranks} ranks": on_ranks(ranks, module, arrays) for ranks in (2, 4)},
            }
            for text, row in rows.items():
                times = f"single {row['single']:9.2f} us, batch {row['batch']:9.2f} us"
                print(f"  {scheme:10} {text:9} {times}, exchanges {row['exchanges']}, gathers {row['gathers']}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rank"]:
        over_ranks(sys.argv[2])
    else:
        main(sys.argv[1:])
