"""Khan's comparison on the 3-RRR manipulator: a penalty, orthogonal complements and DeNOC, run as for his figures.

python tests/benchmarks/khan.py [FIGURE ...]

Writes notebooks/data/khan.json, of some figures in the place of theirs, and prints a table. All takes some minutes,
most of them Fig. 4.8. The model is cut as his is: three legs of two links and a free platform. Errors are those of the
driven joints, torques exact functions of time.
"""

from __future__ import annotations

import functools
import json
import re
import sys
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

import symgen
from symgen import Complement, Penalty
from symgen.errors import SymgenError
from symgen.simulation.forces import joint_forces
from symgen.simulation.prescribed import Prescribed
from symgen.simulation.systems import FUNCTIONS, Looped
from symgen.simulation.unassembled import NEEDED, Penalised, Projected

ROOT = Path(__file__).parents[2]
ROBOT = ROOT / "notebooks" / "data" / "rrr3_in_four_parts.toml"
OUTPUT = ROOT / "notebooks" / "data" / "khan.json"

PERIOD = 3.0
LONGEST = PERIOD / 50
"""The longest step that Simulink takes where none is said (s)."""

ATOL = 1e-6
"""The absolute tolerance that it takes."""

STIFFNESS = {f"k = 1e{exponent}": 10.0**exponent for exponent in range(3, 7)}
SIGMAS = (10, 20, 30, 40)
PRINTED, CONSISTENT = "as printed", "consistent"
MINIMAL, EXTENDED = "DeNOC, q_a (2.36)", "DeNOC, q (2.37)"
GAINS = 800.0, 80.0
"""Of the feedback (N m/rad, N m s/rad), whose values Khan does not give: 20 rad/s, critical damping at 2 kg m²."""

ADAPTIVE = {name: {"rtol": float(name), "atol": ATOL, "max_step": LONGEST} for name in ("1e-3", "1e-6")}
FIXED = {name: {"step": float(name)} for name in ("0.01", "0.001")}
TIGHT = {"method": "DOP853", "rtol": 1e-10, "atol": 1e-10}


RESETS = {"gauss": None, "qr": 10.0, "fixed": 10.0}
"""Khan's runs with Gauss's elimination break off."""


def _penalties(settings):
    return {name: {"closing": Penalty(k), **settings} for name, k in STIFFNESS.items()}


def _complements(basis, sigmas, settings, rates=(PRINTED, CONSISTENT)):
    return {
        f"{basis} {rate}, sigma = {sigma}": {
            "closing": Complement(basis, sigma, rate, resets=RESETS[basis]),
            **settings,
        }
        for rate in rates
        for sigma in sigmas
    }


def _denoc(settings):
    """With the states of (2.36), whose loops are closed for every evaluation, and with those of (2.37)."""
    actuated = ("base1", "base2", "base3")
    return {
        MINIMAL: settings,
        EXTENDED: {"closing": Complement("gauss", joints=actuated, resets=None), **settings},
    }


FIGURES = {
    "4.3": _penalties(ADAPTIVE["1e-3"]),
    "4.4": _penalties(ADAPTIVE["1e-6"]),
    "4.5": _penalties(FIXED["0.01"]),
    "4.6": _penalties(FIXED["0.001"]),
    "4.7": {"k = 1e5": {"closing": Penalty(1e5), "feedback": True, **FIXED["0.001"]}},
    "4.8": {
        name: {"closing": closing, "samples": 151, **ADAPTIVE["1e-3"]}
        for name, closing in (
            ("svd as printed, sigma = 10", Complement("svd", 10, PRINTED)),
            ("fixed consistent, sigma = 10", Complement("fixed", 10)),
        )
    },
    "4.9": _complements("gauss", SIGMAS, ADAPTIVE["1e-6"]) | _complements("qr", (10,), ADAPTIVE["1e-6"]),
    "4.10": _complements("gauss", SIGMAS, FIXED["0.01"]),
    "4.11": {
        name: {**settings, "feedback": True} for name, settings in _complements("gauss", (10,), FIXED["0.001"]).items()
    },
    "4.12": {
        f"{name}, {tolerance}": run
        for tolerance, settings in ADAPTIVE.items()
        for name, run in _denoc(settings).items()
    },
    "4.13": {f"{name}, {step} s": run for step, settings in FIXED.items() for name, run in _denoc(settings).items()},
    "4.14": {name: {**settings, "feedback": True} for name, settings in _denoc(FIXED["0.001"]).items()},
    "tight": _denoc(TIGHT)
    | _complements("gauss", (10,), TIGHT)
    | _complements("qr", (10,), TIGHT)
    | _complements("fixed", (10,), TIGHT)
    | {"k = 1e6": {"closing": Penalty(1e6), **TIGHT}},
}
"""Figure → run → settings of `simulate`; "tight" is none of Khan's."""

SAMPLES, FINER = 76, 10
"""Times of the errors that are kept; the feedback's largest torque is sought among so many times as many."""


def motion(t):
    """The prescribed motion of the driven joints (Khan 2002, section 4.0.2)."""
    rate, ways = 2 * np.pi / PERIOD, np.array([1 / 6, 1 / 6, 1 / 12])
    start = np.array([np.pi / 3, 4 * np.pi / 3, 11 * np.pi / 6])
    angle = rate * t
    return start + ways * (angle - np.sin(angle)), ways * rate * (1 - np.cos(angle)), ways * rate**2 * np.sin(angle)


@functools.cache
def manipulator():
    """(module, torques) of the manipulator and its motion."""
    names = dict.fromkeys([*FUNCTIONS, "inverse_dynamics", "assembly_step", "velocity_transformation"])
    names |= dict.fromkeys(["loop_determinants", *NEEDED[Penalty], *NEEDED[Complement]])
    module = symgen.generate(ROBOT, functions=tuple(names), effort="low", states=10)
    return module, Prescribed(module, motion, PERIOD)


@functools.lru_cache(maxsize=100_000)
def _torques(t):
    return manipulator()[1](t)


def torques(t, q, qd):
    """Of the motion, whatever the state."""
    return _torques(float(t))


def with_feedback(t, q, qd):
    """Those and what brings joints back that are off it."""
    return torques(t, q, qd) + correction(t, q[list(manipulator()[0].record.independent)], qd)


def correction(t, q, qd):
    """The feedback's part (N m)."""
    wanted, rates, _ = motion(t)
    return GAINS[0] * (wanted - q) + GAINS[1] * (rates - qd)


def simulated(settings, duration=PERIOD):
    """The simulation of a run, and None; or as far as it goes, and the time (s) where it breaks off."""
    module, prescribed = manipulator()
    given = {"method": "RK45", "samples": SAMPLES, **settings}
    forces = torques
    if given.pop("feedback", False):
        forces, given["samples"] = with_feedback, (SAMPLES - 1) * FINER + 1
    given |= {"q0": prescribed.position(0.0), "tau": forces}
    try:
        return symgen.simulate(module, duration, **given), None
    except SymgenError as error:
        found = re.search(r"beyond t = ([\d.e+-]+) s", str(error))
        if found is None:
            raise
        end = float(found[1])
        last, _ = simulated(settings, 0.99 * end)
        return last, end


def record(settings):
    """What is kept of a run: numbers rounded, so that files stay small."""
    begin = time.perf_counter()
    found, end = simulated(settings)
    own = list(manipulator()[0].record.independent)
    wanted = np.array([motion(t)[0] for t in found.t])
    error = found.q[:, own] - wanted
    largest = np.abs(error).max(axis=1)
    result = {
        "evaluations": found.evaluations,
        "breaks_off": end,
        "error": _short(largest.max()),
        "error_at_1s": _short(largest[found.t <= 1.0].max()),
        "residual": None if found.residual is None else _short(found.residual.max()),
        "drift": _short(np.abs(found.drift).max()),
        "seconds": _short(time.perf_counter() - begin, 2),
        "end": _short(found.t[-1], 6),
        "errors": [_shorts(column) for column in error.T],
    }
    if "samples" in settings:
        result["rates"] = [_shorts(column) for column in found.qd.T]
    if settings.get("feedback"):
        result["errors"] = [column[::FINER] for column in result["errors"]]
        done = np.array([correction(*state) for state in zip(found.t, found.q[:, own], found.qd, strict=True)])
        given = np.abs([_torques(float(t)) for t in found.t]).max()
        result["corrections"] = [_shorts(100 * column[::FINER] / given) for column in done.T]
        result["correction"] = _short(100 * np.abs(done).max() / given)
    return result


def _short(value, digits=4):
    return float(f"{value:.{digits}g}")


def _shorts(values):
    return [_short(value) for value in values]


def spectral_radius(settings):
    """The largest |eigenvalue| (1/s) of the equations that are integrated, linearised at the start."""
    module, prescribed = manipulator()
    closing, forces = settings.get("closing"), joint_forces(module, torques, None)
    kind = {Penalty: Penalised, Complement: Projected}.get(type(closing), Looped)
    asked = () if closing is None else (closing,)
    system = kind(module, forces, PERIOD, *asked, works=False)
    state = system.state(prescribed.position(0.0), np.zeros(3))
    columns = []
    for index in range(len(state)):
        step = 1e-6 * np.eye(len(state))[index]
        ahead, behind = (system.rates(torques, 0.1, state + sign * step) for sign in (1, -1))
        columns.append((ahead - behind) / 2e-6)
    return float(np.abs(np.linalg.eigvals(np.array(columns).T)).max())


STIFFNESSES = _penalties({}) | _complements("gauss", (10,), {}) | _complements("qr", (10,), {}) | _denoc({})


def main(figures):
    """Run the figures, and write what was found."""
    data = json.loads(OUTPUT.read_text(encoding="utf-8")) if OUTPUT.exists() else {"figures": {}}
    for figure in figures:
        data["figures"][figure] = {}
        for name, settings in FIGURES[figure].items():
            data["figures"][figure][name] = record(settings)
            print(figure, name, data["figures"][figure][name]["evaluations"], flush=True)
    data["figures"] = {figure: data["figures"][figure] for figure in FIGURES if figure in data["figures"]}
    data["spectral_radius"] = {name: _short(spectral_radius(each)) for name, each in STIFFNESSES.items()}
    OUTPUT.write_text(json.dumps(data) + "\n", encoding="utf-8", newline="\n")
    Console(width=150).print(table(data))


def table(data):
    """A line for every run."""
    made = Table(title="Khan's comparison: 3-RRR manipulator, 3 s")
    for head in ("figure", "run"):
        made.add_column(head)
    for head in ("evaluations", "breaks off (s)", "error (rad)", "to 1 s", "residual (m)", "torque (%)"):
        made.add_column(head, justify="right")
    for figure, runs in data["figures"].items():
        for name, run in runs.items():
            cells = (run["breaks_off"], run["error"], run["error_at_1s"], run["residual"], run.get("correction"))
            texts = ("" if cell is None else f"{cell:.3g}" for cell in cells)
            made.add_row(figure, name, str(run["evaluations"]), *texts)
    return made


if __name__ == "__main__":
    unknown = [figure for figure in sys.argv[1:] if figure not in FIGURES]
    if unknown:
        sys.exit(f"no figure is called {unknown[0]!r}; there are: {', '.join(FIGURES)}")
    main(sys.argv[1:] or list(FIGURES))
