"""symgen's closed forms beside what one does today in plain SymPy: time, size and agreement, for two arms.

    python tests/benchmarks/compare_sympy.py [--limit SECONDS] [--output FILE]

The ways are those of `sympy_derivations`; each runs in a process of its own and is stopped when it has used its CPU
time. A way that is quick is run several times and the quickest run counts. Times are CPU seconds of the process from
its start, imports included, until the result was ready; `multiple` is that over the time of `import sympy` in the same
run. Sizes are those of the expressions as they stand: `terms` are summands of the outermost sum, `operations` SymPy's
`count_ops`; for the generalized inertia matrix they are summed over the entries on and below the diagonal, for the
torques over the joints. Results agree if at random points, evaluated with 30 digits, they differ from symgen's by less
than `tolerance` times the largest entry of the matrix, or the largest torque.

The file written is JSON: `limit_seconds`, `import_sympy_seconds`, `python`, `sympy`, `tolerance`, and
`robots.ROBOT.WAY` with

    status               "done" or "timed out"
    entries              label → {seconds, terms, operations} of the results that were ready in time
    missing              labels of the others, of I(1,1) … and tau(1) …
    stopped_at           the result that was being simplified when time was up, else null
    seconds              when the last result was ready, or the limit
    difference, agrees   of the results that were ready; null for symgen's own, and if there are none
    inertia_matrix, tau  {seconds, multiple, terms, operations} of all entries; null if some are missing
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mpmath
import sympy
from rich.console import Console
from rich.table import Table
from sympy_derivations import labels
from sympy_worker import DIGITS, POINTS

from symgen.build.files import write_files

LIMIT = 600
"""CPU seconds that each way gets for a robot."""

ROBOTS = {"planar3r": 3, "puma": 6}
"""The robots and their numbers of joints."""

WAYS = {
    "symgen": "symgen, closed form",
    "kane": "SymPy's KanesMethod, raw",
    "simplify": "by hand, simplify",
    "trigsimp": "by hand, trigsimp",
}
TOLERANCE = 1e-12
SIZE = ("terms", "operations")
ROUNDS = 3
FOLDER = Path(__file__).parent
OUTPUT = FOLDER.parents[1] / "notebooks" / "data" / "compare_sympy.json"
IMPORT = "import sympy, time; print(time.process_time())"

Record = dict[str, Any]


# measuring -------------------------------------------------------------------------------------------------


def compare(limit: int) -> Record:
    """Measure everything; says on the way what is being done."""
    unit = min(float(subprocess.check_output([sys.executable, "-c", IMPORT])) for _ in range(5))
    robots: dict[str, Record] = {}
    for robot, joints in ROBOTS.items():
        reference: list[Record] = []
        robots[robot] = {}
        for way, text in WAYS.items():
            print(f"{robot}: {text} …", file=sys.stderr, flush=True)
            run = measure(robot, way, limit)
            if way == "symgen" and not run.done:
                raise SystemExit(f"{robot}: symgen's results, with which all are compared, need a higher --limit")
            robots[robot][way] = {
                **progress(run, labels(joints)),
                **agreement(run.results, reference),
                **sizes(run.results, labels(joints), unit),
                "seconds": rounded(run.results[-1]["seconds"] if run.done else limit),
            }
            reference = reference or run.results
    return {
        "limit_seconds": limit,
        "import_sympy_seconds": rounded(unit),
        "python": platform.python_version(),
        "sympy": sympy.__version__,
        "tolerance": TOLERANCE,
        "robots": robots,
    }


@dataclass(frozen=True)
class Run:
    """The results that were ready in time, in that order; the last that was begun, if one by one; whether all are."""

    results: list[Record]
    begun: str | None
    done: bool


def measure(robot: str, way: str, limit: int) -> Run:
    """The quickest of several runs if they are quick, else the only one."""
    runs = [run_once(robot, way, limit)]
    while runs[0].done and runs[0].results[-1]["seconds"] < limit / 10 and len(runs) < ROUNDS:
        runs.append(run_once(robot, way, limit))
    return min(runs, key=lambda run: run.results[-1]["seconds"] if run.results else limit)


def run_once(robot: str, way: str, limit: int) -> Run:
    """One run of `sympy_worker`."""
    command = [sys.executable, str(FOLDER / "sympy_worker.py"), robot, way, str(limit)]
    # The course of SymPy's simplification depends on Python's hashes: the same ones in every run.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment)
    if process.returncode not in (0, -signal.SIGXCPU):
        raise SystemExit(f"{robot}, {way}: the process failed with {process.returncode}; its message is above")
    lines = [json.loads(line) for line in process.stdout.splitlines()]
    begun = [line["begun"] for line in lines if "begun" in line]
    return Run([line for line in lines if "begun" not in line], begun[-1] if begun else None, process.returncode == 0)


# figures ---------------------------------------------------------------------------------------------------


def progress(run: Run, wanted: list[str]) -> Record:
    """How far a way came."""
    ready = {result["label"]: result for result in run.results}
    return {
        "status": "done" if run.done else "timed out",
        "entries": {
            label: {"seconds": rounded(result["seconds"]), **{key: result[key] for key in SIZE}}
            for label, result in ready.items()
        },
        "missing": [label for label in wanted if label not in ready],
        "stopped_at": None if run.done or run.begun in ready else run.begun,
    }


def agreement(results: list[Record], reference: list[Record]) -> Record:
    """The largest difference from the reference, relative to the largest entry there, and whether it is small."""
    if not results or not reference:
        return {"difference": None, "agrees": None}
    with mpmath.workdps(DIGITS):
        found, expected = numbers(results), numbers(reference)
        largest = 0.0
        for label, values in found.items():
            kind = label.split("(")[0]
            for k in range(POINTS):
                scale = max(abs(other[k]) for name, other in expected.items() if name.startswith(kind))
                largest = max(largest, float(abs(values[k] - expected[label][k]) / scale))
    return {"difference": rounded(largest, 1), "agrees": largest < TOLERANCE}


def numbers(results: list[Record]) -> dict[str, list[mpmath.mpf]]:
    """Values at the points by label."""
    return {result["label"]: [mpmath.mpf(value) for value in result["values"]] for result in results}


def sizes(results: list[Record], wanted: list[str], unit: float) -> Record:
    """Time and size of the whole matrix and of all torques; None where an entry is missing."""
    return {
        "inertia_matrix": total(results, [label for label in wanted if label.startswith("I")], unit),
        "tau": total(results, [label for label in wanted if label.startswith("tau")], unit),
    }


def total(results: list[Record], wanted: list[str], unit: float) -> Record | None:
    """Time and size of the wanted results together; None if one is missing."""
    ready = [result for result in results if result["label"] in wanted]
    if len(ready) < len(wanted):
        return None
    seconds = max(result["seconds"] for result in ready)
    size = {key: sum(result[key] for result in ready) for key in SIZE}
    return {"seconds": rounded(seconds), "multiple": rounded(seconds / unit), **size}


def rounded(value: float, digits: int = 3) -> float:
    """The value with so many significant digits."""
    return float(f"{value:.{digits}g}")


# report ----------------------------------------------------------------------------------------------------


def table(data: Record) -> Table:
    """The figures, a row for every robot and way."""
    result = Table(
        title=f"Python {data['python']}, SymPy {data['sympy']}; at most {data['limit_seconds']} s of CPU time each",
        caption="s: CPU seconds; ×: multiples of import sympy; operations as SymPy counts them",
    )
    for heading in ("robot", "way"):
        result.add_column(heading, no_wrap=True)
    for heading in ("GIM, s", "×", "operations", "of (2,2)", "τ, s", "×", "operations"):
        result.add_column(heading, justify="right")
    result.add_column("agrees")
    result.add_column("finished", no_wrap=True)
    for robot, ways in data["robots"].items():
        for way, record in ways.items():
            entry = record["entries"].get("I(2,2)")
            result.add_row(
                robot,
                WAYS[way],
                *cells(record["inertia_matrix"]),
                str(entry["operations"]) if entry else "-",
                *cells(record["tau"]),
                {None: "-", True: "yes", False: "NO"}[record["agrees"]],
                status(record),
            )
        result.add_section()
    return result


def cells(size: Record | None) -> list[str]:
    """Seconds, multiple and operations."""
    return [f"{size[key]:g}" for key in ("seconds", "multiple")] + [str(size["operations"])] if size else ["-"] * 3


def status(record: Record) -> str:
    """How far a way came, in words."""
    if record["status"] == "done":
        return "all"
    ready = len(record["entries"])
    where = f", not {record['stopped_at']}" if record["stopped_at"] else ""
    return f"{ready} of {ready + len(record['missing'])}{where}"


def main() -> None:
    """Compare, write the file and print the table."""
    parser = argparse.ArgumentParser(description="symgen's closed forms beside plain SymPy")
    parser.add_argument("--limit", type=int, default=LIMIT, help="CPU seconds for each way and robot (%(default)s)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the JSON file to write")
    arguments = parser.parse_args()
    data = compare(arguments.limit)
    text = json.dumps(data, indent=1, sort_keys=True) + "\n"
    write_files(arguments.output.parent, {arguments.output.name: text})
    console = Console()
    Console(width=max(console.width, 140)).print(table(data))


if __name__ == "__main__":
    main()
