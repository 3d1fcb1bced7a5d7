"""Rounds, calibration, quartiles; what is made of the samples."""

import itertools
import json

import numpy as np
import pytest

from symgen.bench import report
from symgen.bench.display import bench_picture
from symgen.bench.harness import BATCH, PYTHON, SINGLE, Contender, Sample, measure, python_runner
from symgen.bench.machine import Limit, Machine, Peaks, limit
from symgen.program.counts import Counts


def contender(peer="symgen", function="inverse_dynamics", how=SINGLE, run=None, **more):
    return Contender(peer, function, how, run or (lambda start, calls: 100.0 * calls), list, **more)


def sample(median, **more):
    return Sample(contender(**more), median, 0.9 * median, 1.1 * median, 9, 9)


def measured(contenders, calibrate=lambda: 1.0, rounds=8, block=1000.0):
    return measure(contenders, calibrate, rounds=rounds, block=block, progress=lambda text: None)


def test_times_are_per_state_in_blocks_of_the_length_wanted():
    calls = []

    def run(start, count):
        calls.append(count)
        return 100.0 * count

    single, batch = measured([contender(run=run), contender(run=run, states=50)])
    assert (single.median, single.low, single.high) == (100, 100, 100)
    assert batch.median == 2
    assert calls[-1] == 10
    assert single.blocks == single.quiet == 8


def test_subjects_take_turns():
    turns = []
    pair = [contender(run=lambda start, calls, name=name: turns.append(name) or 1e6) for name in "ab"]
    measured(pair, rounds=3)
    assert turns[-6:] == list("ababab")


def test_every_block_begins_where_the_one_before_ended():
    starts = []
    measured([contender(run=lambda start, calls: starts.append(start) or 100.0 * calls)], rounds=3)
    assert starts[-3:] == [0, 10, 20]


def test_disturbed_blocks_do_not_count():
    """Every other block is slow, and the calibrations before and after it say so."""
    slow = itertools.cycle([False, True])
    now = {"slow": False}
    calibrations = itertools.count()

    def calibrate():
        if next(calibrations) % 2 == 0:  # before a block
            now["slow"] = next(slow)
        return 2.0 if now["slow"] else 1.0

    def run(start, calls):
        return (300.0 if now["slow"] else 100.0) * calls

    (found,) = measured([contender(run=run)], calibrate=calibrate, rounds=20)
    assert (found.median, found.low, found.high) == (100, 100, 100)
    assert (found.blocks, found.quiet, found.disturbed) == (20, 10, False)


def test_where_nearly_all_is_disturbed_all_counts_and_is_marked():
    calibrations = iter([1.0] * 8 + [2.0] * 80)
    (found,) = measured([contender()], calibrate=lambda: next(calibrations), rounds=44)
    assert (found.blocks, found.quiet, found.disturbed) == (44, 4, True)


def test_python_functions_cycle_through_the_states():
    seen = []
    run = python_runner(lambda value: seen.append(value), [(0,), (1,), (2,)])
    assert run(4, 5) >= 0
    assert seen == [1, 2, 0, 1, 2]


# machine -------------------------------------------------------------------------------------------


def test_peaks_are_times_that_a_core_can_have():
    machine = Machine()
    assert 0 < machine.calibrate() < 100
    peaks = machine.peaks(4000)
    assert peaks.width in (2, 4, 8)
    assert 0.001 < peaks.multiply_add < 10
    assert 0.1 < peaks.sincos < 1000
    assert 0.001 < peaks.traffic < 100


def test_the_least_time_is_the_sum_of_its_parts():
    peaks = Peaks(width=8, multiply_add=0.1, sincos=3.0, traffic=0.5)
    found = limit(Counts(mul=100, add=60, trig=8), 24, peaks)
    assert (found.arithmetic, found.trigonometry, found.memory) == (pytest.approx(8), 12, 12)
    assert found.total == pytest.approx(32)


# report --------------------------------------------------------------------------------------------


@pytest.fixture
def result():
    samples = (
        sample(100.0),
        sample(200.0, peer="casadi"),
        sample(5.0, how=BATCH, states=1000, threads=1),
        sample(3.0, how=BATCH, states=1000, threads=2),
        sample(40.0, peer="casadi", function="inertia_matrix", how=PYTHON),
    )
    robot = report.RobotResult(
        robot="puma",
        model="full inertias",
        joints=6,
        batch=1000,
        samples=samples,
        instructions={("symgen", "inverse_dynamics"): 300, ("casadi", "inverse_dynamics"): 600},
        limit=Limit(1.0, 1.0, 0.5),
        peaks=Peaks(8, 0.02, 1.2, 0.1),
        notices=("something is left out",),
    )
    machine = {"processor": "a processor", "cores": 2, "load": 0.1, "versions": {"symgen": "1"}}
    return report.BenchResult(machine, (robot,), {"symgen": "its C"}, 9)


def test_tables(result):
    times, instructions, least = report.grids(result)
    assert times.columns == ("function", "called", "symgen", "casadi", "symgen/casadi")
    assert times.rows == (
        ("inverse_dynamics", "one call, C", "100 (90.0–110)", "200 (180–220)", "0.5"),
        ("inverse_dynamics", "batch, C", "5.00 (4.50–5.50)", "", ""),
        ("inverse_dynamics", "batch, C, 2 threads", "3.00 (2.70–3.30)", "", ""),
        ("inertia_matrix", "one call, Python", "", "40.0 (36.0–44.0)", ""),
    )
    assert "full inertias" in times.title
    assert instructions.rows == (("inverse_dynamics", "300", "600", "0.50"),)
    assert least.rows[-1] == ("batch, C", "5.00", "2.00")
    assert "something is left out" in list(report.notes(result))


def test_data_is_json_with_everything(result):
    data = json.loads(json.dumps(report.summary(result)))
    (robot,) = data["robots"]
    assert robot["ratios"] == [
        {"function": "inverse_dynamics", "called": "one call, C", "threads": 1, "peer": "casadi", "ratio": 0.5}
    ]
    assert robot["times"][0] == {
        "peer": "symgen",
        "function": "inverse_dynamics",
        "called": "one call, C",
        "threads": 1,
        "note": "",
        "ns": 100.0,
        "quartiles": [90.0, 110.0],
        "blocks": 9,
        "quiet_blocks": 9,
        "disturbed": False,
    }
    assert robot["limit"]["total"] == 2.5
    assert np.isclose(robot["peaks"]["sincos"], 1.2)
    assert robot["instructions"][1] == {"peer": "casadi", "function": "inverse_dynamics", "instructions": 600}


def test_picture_shows_every_library(result):
    svg = bench_picture(result).content("svg").decode()
    for word in ("symgen", "casadi", "inverse_dynamics", "puma, 6 joints, full inertias: one call, C"):
        assert f">{word}<" in svg or f"<!-- {word} -->" in svg
