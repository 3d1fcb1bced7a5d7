"""What the command line says of robots and results: tables for people, plain data (for JSON) for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from symgen.display import count_report, tables
from symgen.markup import Grid
from symgen.program.counts import Counts, counts_grid
from symgen.robot import library
from symgen.robot.model import Joint, Robot
from symgen.robot.physical import lumps, remarks
from symgen.verify.geometry import pose as placement_pose
from symgen.verify.oracle import Oracle

if TYPE_CHECKING:
    from rich.console import RenderableType

    from symgen.api import Generation
    from symgen.crossover import Crossover
    from symgen.derivation import Derivation
    from symgen.display.plots import Picture
    from symgen.inertial_parameters import InertialParameters
    from symgen.proof import Proof
    from symgen.verify.report import Report


def robot_view(robot: Robot) -> RenderableType:
    """The tables of `symgen info`."""
    return tables.robot_view(robot, *_rest_frames(robot))


def _rest_frames(robot: Robot) -> tuple[Any, Any]:
    oracle = Oracle(robot)
    rest = np.zeros(robot.nq)
    return oracle.frames(rest), oracle.axes(rest)


def robot_summary(robot: Robot) -> dict[str, Any]:
    """What `symgen info --json` prints."""
    frames, axes = _rest_frames(robot)
    links = [
        {
            "name": link.name,
            "parent": "base" if link.parent < 0 else robot.links[link.parent].name,
            "joint": link.joint.name,
            "kind": link.joint.kind.value,
            "direction": link.joint.direction if link.joint.nv else None,
            "mass": float(link.inertia.mass.constant(robot.defaults)),
            "massless": link.inertia.is_massless,
            "frame": frames[index].round(15).tolist(),
            "axis": axes[v.start].round(15).tolist() if link.joint.nv else None,
        }
        for index, link, v in ((index, robot.links[index], v) for index, _, v in robot.coordinates())
    ]
    return {
        "robot": robot.name,
        "description": robot.description,
        "source": robot.source,
        "convention": robot.convention,
        "gravity": [float(entry.constant(robot.defaults)) for entry in robot.gravity],
        "nq": robot.nq,
        "nv": robot.nv,
        "parameters": {name: float(value) for name, value in robot.parameters},
        "links": links,
        "drives": [_drive_summary(robot, joint) for joint in robot.joints],
        "frames": [
            {"name": frame.name, "link": robot.links[frame.link].name, "frame": pose.round(15).tolist()}
            for frame, pose in (
                (named, frames[named.link] @ placement_pose(named.placement, robot)) for named in robot.frames
            )
        ],
        "carried": list(lumps(robot)),
        "notices": [*robot.notices, *remarks(robot)],
    }


def base_parameters_view(found: InertialParameters) -> RenderableType:
    """The table of `symgen info --base-parameters`."""
    return tables.noted(found.grid, *found.notes)


def _drive_summary(robot: Robot, joint: Joint) -> dict[str, Any]:
    """Rotor and friction of a joint as numbers."""
    drive, values = joint.drive, robot.defaults
    return {
        "joint": joint.name,
        "rotor_inertia": float(drive.rotor_inertia.constant(values)),
        "gear_ratio": float(drive.gear_ratio.constant(values)),
        "viscous_friction": float(drive.viscous.constant(values)),
        "coulomb_friction": float(drive.coulomb.constant(values)),
        "coulomb_smoothing": float(drive.smoothing.constant(values)),
    }


def counts_table(robot: str, numbers: Mapping[str, Counts]) -> RenderableType:
    """The table of `symgen count`."""
    return tables.counts_table(robot, numbers)


def passes_grid(robot: str, derivation: Derivation) -> Grid:
    """The counts after each group of passes that changed them."""
    return count_report.passes_grid(
        robot, {name: [(s.group, s.counts) for s in steps] for name, steps in derivation.steps.items()}
    )


def passes_table(robot: str, derivation: Derivation) -> RenderableType:
    """The table of `symgen count --passes`."""
    return tables.grid_table(passes_grid(robot, derivation))


def passes_summary(derivation: Derivation) -> dict[str, list[dict[str, Any]]]:
    """Function → its counts as derived and after each group of passes."""
    return {
        name: [{"group": step.group, "taken": step.taken, **step.counts.as_dict()} for step in steps]
        for name, steps in derivation.steps.items()
    }


def published_tables(robot: Robot, numbers: Mapping[str, Counts], *, symbolic: bool) -> Sequence[RenderableType]:
    """Published counts beside ours; other generators only where the same numeric table was counted."""
    return tables.published_tables(_counted_name(robot, symbolic=symbolic), robot.nv, numbers)


def count_grids(
    robot: Robot, derivation: Derivation, compared: Crossover | None, *, passes: bool, symbolic: bool
) -> Iterator[Grid]:
    """The tables of `symgen count` in a form that can be written as Markdown or LaTeX."""
    counts = derivation.counts
    yield counts_grid(robot.name, counts)
    if passes:
        yield passes_grid(robot.name, derivation)
    yield count_report.literature_grid(_counted_name(robot, symbolic=symbolic), robot.nv, counts)
    if compared is not None:
        yield count_report.crossover_grid(compared)


def counts_picture(robot: Robot, numbers: Mapping[str, Counts], *, symbolic: bool) -> Picture:
    """The bars of `symgen count --picture`."""
    return count_report.counts_picture(_counted_name(robot, symbolic=symbolic), robot.nv, numbers)


def _counted_name(robot: Robot, *, symbolic: bool) -> str:
    """The robot's name where other generators' code was counted for the same table, else the empty text."""
    return robot.name if not symbolic and robot == _library_robot(robot.name) else ""


def _library_robot(name: str) -> Robot | None:
    """The library's robot of that name, if there is one."""
    return library.load(name) if name in library.names() else None


def report_table(report: Report, proofs: Sequence[Proof]) -> RenderableType:
    """The table of `symgen verify`."""
    return tables.report_table(report, [(p.function, p.statement, p.holds) for p in proofs])


def report_summary(made: Generation) -> dict[str, Any]:
    """What `symgen verify --json` prints."""
    return {
        "robot": made.robot.name,
        "backend": made.module.backend,
        "passed": made.passed,
        "checks": [
            {
                "name": check.name,
                "kind": check.kind,
                "states": check.states,
                "error": check.error,
                "tolerance": check.tolerance,
                "passed": check.passed,
            }
            for check in made.report.checks
        ],
        "proofs": [{"function": p.function, "statement": p.statement, "holds": p.holds} for p in made.proofs],
    }


def generation_summary(made: Generation, paths: Sequence[Path]) -> dict[str, Any]:
    """What `symgen generate --json` prints."""
    return {
        **report_summary(made),
        "functions": {name: numbers.as_dict() for name, numbers in made.module.counts.items()},
        "formulations": made.module.formulations,
        "regressor_parameters": dict(
            zip(made.module.regressor_names, made.module.regressor_parameters.tolist(), strict=True)
        ),
        "choices": {name: choice.as_dict() for name, choice in made.derivation.choices.items()},
        "notices": [*made.robot.notices, *made.derivation.notices],
        "files": [str(path) for path in paths],
    }
