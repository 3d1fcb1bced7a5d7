"""What each MPI rank of a test runs: python chains_on_ranks.py FILE, with pickled modules, states and what goes wrong.

The first rank prints "results" and, of every rank, robot and scheme → function → [bits in hexadecimal, exchanges,
gathers], as a line of JSON.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path

from mpi4py import MPI

import symgen
from symgen.build import compiler
from symgen.errors import SymgenError
from symgen.runtime.chains import Chains
from symgen.runtime.ranks import Ranks


def main(path: str) -> int:
    task = pickle.loads(Path(path).read_bytes())
    compiler.CODE_GENERATION = task["flags"]  # as in the test: then it is compiled already
    comm = MPI.COMM_WORLD
    fault, last = task.get("fault", ""), comm.Get_rank() == comm.Get_size() - 1
    if "robot" in task:
        made = symgen.chains(task["robot"], comm="world", timeout=60, states=2)
        return told(comm, {"made": evaluated(made, task["states"])})
    found = {}
    for name, (module, states) in task["modules"].items():
        made = Chains(module, ranks=Ranks(comm, task["timeout"]), gather=task.get("gather", True))
        if fault == "dies" and last:
            os._exit(7)
        if fault == "raises" and last:
            raise RuntimeError("this rank failed on its own")
        if fault == "fewer" and last:
            states = {name: [array[:2] for array in arrays] for name, arrays in states.items()}
        if fault == "differs" and last:
            states = {name: [2 * array for array in arrays] for name, arrays in states.items()}
        found[name] = evaluated(made, states)
    return told(comm, found)


def evaluated(made: Chains, states: dict) -> dict:
    found = {}
    for function, arrays in states.items():
        result = getattr(made, function)(*arrays)
        found[function] = [result.tobytes().hex(), made.exchanges, made.gathers]
    return found


def told(comm: MPI.Comm, found: dict) -> int:
    everyones = comm.gather(found)
    if comm.Get_rank() == 0:
        print("results", json.dumps(everyones))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1]))
    except SymgenError as error:
        print(f"refused: {error}", flush=True)
        sys.exit(2)
