"""Samples → tables of plain text, and data for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from symgen.bench.harness import BATCH, COLUMNS, PYTHON, PYTHON_BATCH, SINGLE, Sample
from symgen.bench.machine import Limit, Peaks
from symgen.display.markup import Grid

OURS = "symgen"

WAYS = (SINGLE, PYTHON, BATCH, COLUMNS, PYTHON_BATCH)
"""Ways of calling, in the order of the tables."""


@dataclass(frozen=True)
class RobotResult:
    """What was measured of a robot.

    `model` says what its inertia is. `instructions`: (peer, function) → instructions of a call. `limit`: the least time
    of a state of inverse dynamics, with the peaks that it was computed from; None where that was not timed.
    """

    robot: str
    model: str
    joints: int
    batch: int
    samples: tuple[Sample, ...]
    instructions: Mapping[tuple[str, str], int] = field(default_factory=dict)
    limit: Limit | None = None
    peaks: Peaks | None = None
    notices: tuple[str, ...] = ()

    def sample(self, peer: str, function: str, how: str, threads: int = 1) -> Sample | None:
        """The sample of a contender, if there is one."""
        wanted = (peer, function, how, threads)
        for each in self.samples:
            contender = each.contender
            if (contender.peer, contender.function, contender.how, contender.threads) == wanted:
                return each
        return None

    @property
    def peers(self) -> tuple[str, ...]:
        """The libraries beside symgen, in order."""
        return tuple(dict.fromkeys(each.contender.peer for each in self.samples if each.contender.peer != OURS))


@dataclass(frozen=True)
class BenchResult:
    """One run: the machine, the robots, what each library is, and what was left out."""

    machine: Mapping[str, object]
    robots: tuple[RobotResult, ...]
    about: Mapping[str, str]
    rounds: int
    notices: tuple[str, ...] = ()


# tables --------------------------------------------------------------------------------------------


def grids(result: BenchResult) -> Iterator[Grid]:
    """The tables of every robot."""
    for robot in result.robots:
        yield times_grid(robot)
        if robot.instructions:
            yield instructions_grid(robot)
        if robot.limit is not None and robot.peaks is not None:
            yield limit_grid(robot, robot.limit, robot.peaks)


def times_grid(robot: RobotResult) -> Grid:
    """Function and way of calling × nanoseconds, and symgen's as a part of each peer's."""
    columns = ["function", "called", OURS]
    for peer in robot.peers:
        columns += [peer, f"{OURS}/{peer}"]
    rows = []
    for function, how, threads in _lines(robot):
        ours = robot.sample(OURS, function, how, threads)
        row = [function, _called(how, threads), _time(ours)]
        for peer in robot.peers:
            theirs = robot.sample(peer, function, how, threads)
            row += [_time(theirs), _ratio(ours, theirs)]
        rows.append(tuple(row))
    what = f"{robot.robot}, {robot.joints} joints, {robot.model}"
    title = f"{what}: ns per state, median (quartiles); batches of {robot.batch}"
    return Grid(title, tuple(columns), tuple(rows), words=2)


def _lines(robot: RobotResult) -> list[tuple[str, str, int]]:
    found = dict.fromkeys((e.contender.function, e.contender.how, e.contender.threads) for e in robot.samples)
    functions = list(dict.fromkeys(function for function, _, _ in found))
    return sorted(found, key=lambda line: (functions.index(line[0]), WAYS.index(line[1]), line[2]))


def _called(how: str, threads: int) -> str:
    return how if threads == 1 else f"{how}, {threads} threads"


def _time(sample: Sample | None) -> str:
    if sample is None:
        return ""
    numbers = [number_text(value) for value in (sample.median, sample.low, sample.high)]
    return f"{numbers[0]} ({numbers[1]}–{numbers[2]}){'*' if sample.disturbed else ''}"


def number_text(value: float) -> str:
    """Nanoseconds with three digits at least."""
    return f"{value:.0f}" if value >= 99.5 else f"{value:.1f}" if value >= 9.95 else f"{value:.2f}"


def _ratio(ours: Sample | None, theirs: Sample | None) -> str:
    return "" if ours is None or theirs is None else f"{ours.median / theirs.median:.2g}"


def instructions_grid(robot: RobotResult) -> Grid:
    """Function × instructions of a call."""
    peers = list(dict.fromkeys(peer for peer, _ in robot.instructions))
    rows = []
    for function in dict.fromkeys(function for _, function in robot.instructions):
        counts = [robot.instructions.get((peer, function)) for peer in peers]
        ours = robot.instructions.get((OURS, function))
        ratios = [f"{ours / other:.2f}" if ours and other else "" for other in counts[1:]]
        rows.append((function, *("" if count is None else str(count) for count in counts), *ratios))
    columns = ("function", *peers, *(f"{OURS}/{peer}" for peer in peers[1:]))
    return Grid(f"{robot.robot}: instructions of one call in C, counted by valgrind", columns, tuple(rows))


def limit_grid(robot: RobotResult, limit: Limit, peaks: Peaks) -> Grid:
    """The least time of a state of inverse dynamics on one core, by part, beside the batch's."""
    parts = (
        (f"multiply-adds at {2 / peaks.multiply_add:.0f} GFLOP/s, {peaks.width} wide", limit.arithmetic),
        (f"sines and cosines at {peaks.sincos:.2f} ns a pair", limit.trigonometry),
        (f"memory at {8 / peaks.traffic:.0f} GB/s", limit.memory),
        ("the least time: all of these", limit.total),
    )
    rows = [(name, number_text(value), "") for name, value in parts]
    for how in (BATCH, COLUMNS, PYTHON_BATCH):
        sample = robot.sample(OURS, "inverse_dynamics", how)
        if sample is not None:
            rows.append((how, number_text(sample.median), f"{sample.median / limit.total:.2f}"))
    title = f"{robot.robot}: inverse_dynamics in a batch against the machine, one thread"
    return Grid(title, ("part", "ns per state", "of the least"), tuple(rows))


def notes(result: BenchResult) -> Iterator[str]:
    """What the tables do not say: machine, method, what each library is, what was left out."""
    about = result.machine
    versions = about["versions"]
    assert isinstance(versions, Mapping)
    yield (
        f"{about['processor']}, {about['cores']} cores, load {about['load']} at the start; "
        + ", ".join(f"{name} {version}" for name, version in versions.items())
    )
    yield (
        f"Medians and quartiles of up to {result.rounds} blocks of each row, in turn with all others; blocks beside "
        "which the core was disturbed are left out (*: fewer than 5 were not, and all count). States are random and "
        "cycled through. One thread: its processor time; more: the wall clock."
    )
    for name, text in result.about.items():
        yield f"{name}: {text}"
    yield from result.notices
    for robot in result.robots:
        yield from robot.notices


# data ----------------------------------------------------------------------------------------------


def summary(result: BenchResult) -> dict[str, object]:
    """The run as plain data."""
    return {
        "machine": dict(result.machine),
        "rounds": result.rounds,
        "about": dict(result.about),
        "notices": list(result.notices),
        "robots": [_robot_summary(robot) for robot in result.robots],
    }


def _robot_summary(robot: RobotResult) -> dict[str, object]:
    limit, peaks = robot.limit, robot.peaks
    return {
        "robot": robot.robot,
        "model": robot.model,
        "joints": robot.joints,
        "batch": robot.batch,
        "times": [_sample_summary(sample) for sample in robot.samples],
        "ratios": list(_ratios(robot)),
        "instructions": [
            {"peer": peer, "function": function, "instructions": count}
            for (peer, function), count in robot.instructions.items()
        ],
        "limit": None if limit is None else {**vars(limit), "total": limit.total},
        "peaks": None if peaks is None else vars(peaks),
        "notices": list(robot.notices),
    }


def _sample_summary(sample: Sample) -> dict[str, object]:
    contender = sample.contender
    return {
        "peer": contender.peer,
        "function": contender.function,
        "called": contender.how,
        "threads": contender.threads,
        "note": contender.note,
        "ns": round(sample.median, 3),
        "quartiles": [round(sample.low, 3), round(sample.high, 3)],
        "blocks": sample.blocks,
        "quiet_blocks": sample.quiet,
        "disturbed": sample.disturbed,
    }


def _ratios(robot: RobotResult) -> Iterator[dict[str, object]]:
    """symgen's time as a part of each peer's, for the same function and way."""
    for function, how, threads in _lines(robot):
        ours = robot.sample(OURS, function, how, threads)
        for peer in robot.peers:
            theirs = robot.sample(peer, function, how, threads)
            if ours is not None and theirs is not None:
                ratio = round(ours.median / theirs.median, 4)
                yield {"function": function, "called": how, "threads": threads, "peer": peer, "ratio": ratio}
