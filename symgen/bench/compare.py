"""A run beside an earlier one: what became slower, by each run's own reference.

Times of two runs are not compared as they are: machines differ, and so does their load. Each line of symgen's is
divided by that of a reference in the same run: the same function, called in the same way, of a library that both runs
timed, else the time of a multiply-add of the machine. What changed is the quotient of these.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symgen.bench.report import OURS
from symgen.display.markup import Grid
from symgen.errors import InputError

SLOWER = 1.1
"""From which change on something is slower, if the quartiles of both runs say so too."""

MULTIPLY_ADD = "a multiply-add of the machine"

Key = tuple[str, str, str, str, int, int]
"""Robot, its model, function, way of calling, threads, states of a batch."""


@dataclass(frozen=True)
class Time:
    """Nanoseconds: median and quartiles."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Run:
    """The times of a run: line → library → time; `machine`: (robot, model) → time of a multiply-add."""

    times: Mapping[Key, Mapping[str, Time]]
    machine: Mapping[tuple[str, str], Time]


@dataclass(frozen=True)
class Change:
    """A line of both runs: symgen's time over the reference's, earlier and now, each with its bounds by quartiles."""

    key: Key
    reference: str
    before: Time
    now: Time

    @property
    def factor(self) -> float:
        """By what it became slower, below 1 quicker."""
        return self.now.median / self.before.median

    @property
    def verdict(self) -> str:
        """In a word, "" where nothing can be told."""
        if self.factor > SLOWER and self.now.low > self.before.high:
            return "slower"
        return "quicker" if 1 / self.factor > SLOWER and self.now.high < self.before.low else ""


def read(path: Path) -> Run:
    """The run in a file that `symgen bench --json` wrote; `InputError` if it is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"{path}: expected what `symgen bench --json` writes, found no JSON: {error}"[:300]) from None
    return run_of(data, str(path))


def run_of(data: Any, source: str) -> Run:
    """The same of the data; `source` says where they are from."""
    times: dict[Key, dict[str, Time]] = {}
    machine: dict[tuple[str, str], Time] = {}
    try:
        for robot in data["robots"]:
            name, model, batch = str(robot["robot"]), str(robot["model"]), int(robot["batch"])
            for line in robot["times"]:
                key = (name, model, str(line["function"]), str(line["called"]), int(line["threads"]), batch)
                low, high = map(float, line["quartiles"])
                times.setdefault(key, {})[str(line["peer"])] = _positive(Time(float(line["ns"]), low, high))
            if robot["peaks"] is not None:
                found = float(robot["peaks"]["multiply_add"])
                machine[name, model] = _positive(Time(found, found, found))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{source}: expected what `symgen bench --json` writes, found something else ({type(error).__name__}: "
            f"{error}); write one anew with the earlier version"[:400]
        ) from None
    return Run(times, machine)


def _positive(time: Time) -> Time:
    if not all(0 < value < float("inf") for value in (time.median, time.low, time.high)):
        raise ValueError("times are positive numbers")
    return time


class Comparison:
    """An earlier run beside one of now; `source` says where the earlier one is from."""

    def __init__(self, before: Run, now: Run, source: str) -> None:
        self.before, self.now, self.source = before, now, source
        self.ours = [key for key, times in now.times.items() if OURS in times]
        self.known = [key for key in self.ours if OURS in before.times.get(key, {})]
        found = [change for key in self.known if (change := self._change(key)) is not None]
        self.changes = sorted(found, key=lambda change: -change.factor)

    @property
    def slower(self) -> list[Change]:
        """What became slower."""
        return [each for each in self.changes if each.verdict == "slower"]

    def _change(self, key: Key) -> Change | None:
        earlier, later = self.before.times[key], self.now.times[key]
        for name in later:
            if name != OURS and name in earlier:
                return Change(key, name, _over(earlier[OURS], earlier[name]), _over(later[OURS], later[name]))
        machines = self.before.machine.get(key[:2]), self.now.machine.get(key[:2])
        if machines[0] is None or machines[1] is None:
            return None
        return Change(key, MULTIPLY_ADD, _over(earlier[OURS], machines[0]), _over(later[OURS], machines[1]))

    def grid(self) -> Grid:
        """The lines of both, those that became slower first."""
        columns = ("robot", "function", "called", "reference", "then", "now", "change", "")
        rows = []
        for each in self.changes:
            robot, model, function, how, threads, _ = each.key
            way = how if threads == 1 else f"{how}, {threads} threads"
            numbers = (f"{each.before.median:.3g}", f"{each.now.median:.3g}", f"{each.factor:.2f}")
            rows.append((f"{robot}, {model}", function, way, each.reference, *numbers, each.verdict))
        title = f"symgen's time over the reference's, in {self.source} and now; change above 1: slower"
        return Grid(title, columns, tuple(rows), words=4)

    def remarks(self) -> Iterator[str]:
        """What was not compared, and what is slower, in words."""
        count, compared = len(self.ours), len(self.changes)
        if count > len(self.known):
            missing = count - len(self.known)
            yield f"{missing} of {count} lines are not in {self.source}: other robots, inertias, functions or batches"
        if compared < len(self.known):
            without = len(self.known) - compared
            yield f"{without} of {count} lines have no reference that both runs timed: take the --peers of that run"
        yield (
            f"slower by more than {SLOWER - 1:.0%} and beyond the quartiles of both runs: {len(self.slower)} of "
            f"{compared} lines"
        )


def _over(ours: Time, reference: Time) -> Time:
    return Time(ours.median / reference.median, ours.low / reference.high, ours.high / reference.low)


def check(before: Run, names: Sequence[tuple[str, str]], source: str) -> None:
    """`InputError` unless the earlier run has some of these robots, (name, model)."""
    known = {key[:2] for key in before.times}
    if not known.intersection(names):
        has = ", ".join(f"{name} ({model})" for name, model in sorted(known)) or "no robot"
        wanted = ", ".join(f"{name} ({model})" for name, model in names)
        raise InputError(f"{source}: none of its times are of {wanted}; it has {has}"[:500])
