"""Every formulation of every library robot with loops: operations, time of a call in C, digits in single precision.

python tests/benchmarks/formulations.py [ROBOT ...]

Writes notebooks/data/formulations.json, which the notebook on formulations shows; what it has of named robots is
replaced, which is fair on the same processor only. Times are medians of one run, all formulations of a robot in turn;
the error is that of the function in single precision, as a share of the largest entry of the result.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from symgen.bench.cases import case_of
from symgen.bench.harness import SINGLE, measure
from symgen.bench.machine import Machine, description
from symgen.bench.peers.formulations import contenders
from symgen.bench.peers.peer import Plan
from symgen.build.callables import bind_numpy
from symgen.count.formulations import formulation_counts
from symgen.count.generic import generic_counts
from symgen.derive.derivation import Options, derive
from symgen.derive.subject import subject_of
from symgen.robot import library
from symgen.runtime.module import emit, numpy_namespace

FILE = Path(__file__).parents[2] / "notebooks" / "data" / "formulations.json"
FUNCTIONS = ("inverse_dynamics", "forward_dynamics")


def errors(case, function, name):
    """Median and largest error in single precision, as a share of the largest entry."""
    module = derive(case.robot, Options(functions=(function,), **{function: name})).module
    found = {}
    for real in ("float64", "float32"):
        made = replace(module, real=real)
        values = [array.astype(real) for array in case.inputs(function)]
        found[real] = bind_numpy(made, numpy_namespace(emit(made)))[function](*values)
    off = np.abs(found["float32"] - found["float64"]).max(axis=-1) / np.abs(found["float64"]).max(axis=-1)
    return {"median": float(f"{np.median(off):.2g}"), "largest": float(f"{off.max():.2g}")}


def measured(name, machine):
    """All that is told of a robot."""
    case = case_of(library.load(name))
    subject = subject_of(case.robot, Options())
    options = Options(functions=FUNCTIONS)
    told = {
        function: {
            each.name: {"misfit": each.misfit}
            if each.counts is None
            else {**each.counts.as_dict(), "cost": each.counts.weight, "how": each.text}
            | ({"gap": each.gap} if each.gap else {})
            for each in counted
        }
        for function, counted in formulation_counts(subject, options).items()
    }
    automatic = derive(case.robot, options)
    single = [each for each in contenders(case, Plan(FUNCTIONS, 1, (1,)), lambda text: None) if each.how == SINGLE]
    for sample in measure(single, machine.calibrate, rounds=41, block=1e6, progress=lambda text: None):
        contender = sample.contender
        told[contender.function][contender.peer] |= {
            "ns": float(f"{sample.median:.3g}"),
            "error": errors(case, contender.function, contender.peer),
        }
    for function, generic in generic_counts(subject).items():
        told[function]["generic"] = generic.whole.as_dict()
        told[function]["chosen"] = automatic.choices[function].algorithm
    return told


def main(names):
    """Measures robot after robot and writes the file after each."""
    machine, every = Machine(), [name for name in library.names() if library.load(name).has_loops]
    data = json.loads(FILE.read_text())["robots"] if names else {}
    for name in names or every:
        data[name] = measured(name, machine)
        data = {name: data[name] for name in every if name in data}
        about = description()
        FILE.write_text(json.dumps({"processor": about["processor"], "robots": data}, indent=1) + "\n")
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
