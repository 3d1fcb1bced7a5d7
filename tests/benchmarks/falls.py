"""Free falls of the library's robots with loops: drift of energy over 2 s, or 90 % of the time to where they stop.

python tests/benchmarks/falls.py [ROBOT ...]
"""

import re
import sys
from dataclasses import replace

import numpy as np

import symgen
from symgen.errors import SymgenError
from symgen.robot import library
from symgen.robot.model import NO_DRIVE

FUNCTIONS = (
    "forward_dynamics",
    "kinetic_energy",
    "potential_energy",
    "assembly_step",
    "closure",
    "velocity_transformation",
    "loop_determinants",
)
SECONDS = 2.0


def main(names):
    """One line for each robot; without what acts in its joints."""
    for name in names:
        robot = library.load(name)
        links = tuple(replace(link, joint=replace(link.joint, drive=NO_DRIVE)) for link in robot.links)
        module = symgen.generate(replace(robot, links=links), functions=FUNCTIONS, effort="low", states=10)
        start = 1.0 * (not any(float(entry.constant(robot.defaults)) for entry in robot.gravity))
        seconds = SECONDS
        try:
            fall = symgen.simulate(module, seconds, qd0=np.full(module.nv, start))
        except SymgenError as error:
            seconds = 0.9 * float(re.search(r"t = ([\d.e+-]+) s", str(error))[1])
            fall = symgen.simulate(module, seconds, qd0=np.full(module.nv, start))
        drift = np.abs(fall.drift).max() / fall.kinetic_energy.max()
        residual = np.abs(module.closure(fall.q)).max()
        print(
            f"{name}: {seconds:.4g} s, drift {drift:.1e} of the largest kinetic energy, residual {residual:.1e}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:] or [name for name in library.names() if library.load(name).has_loops])
