"""The comparison with plain SymPy: the committed figures fit together and fit today's closed forms; the judge works."""

import json
import sys
from itertools import takewhile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))

import compare_sympy
import sympy_derivations
from sympy_worker import size, values

WAYS = [(robot, way) for robot in compare_sympy.ROBOTS for way in compare_sympy.WAYS]


@pytest.fixture(scope="module")
def data():
    return json.loads(compare_sympy.OUTPUT.read_text(encoding="utf-8"))


def judged(results):
    return [{"label": label, "seconds": 0.0, **size(entry), "values": values(entry)} for label, entry in results]


@pytest.fixture(scope="module")
def reference():
    return judged(sympy_derivations.closed_form("planar2r"))


# the committed figures ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("robot", "way"), WAYS)
def test_figures_of_a_way(data, robot, way):
    record = data["robots"][robot][way]
    entries, missing = record["entries"], record["missing"]
    assert sorted([*entries, *missing]) == sorted(sympy_derivations.labels(compare_sympy.ROBOTS[robot]))
    assert record["status"] == ("timed out" if missing else "done")
    assert record["stopped_at"] in [None, *missing]
    assert record["agrees"] is (True if entries and way != "symgen" else None)
    assert all(entry["seconds"] <= record["seconds"] <= data["limit_seconds"] for entry in entries.values())
    for quantity, stem in (("inertia_matrix", "I"), ("tau", "tau")):
        parts = [entry for label, entry in entries.items() if label.startswith(stem)]
        if any(label.startswith(stem) for label in missing):
            assert record[quantity] is None
        else:
            assert record[quantity]["operations"] == sum(entry["operations"] for entry in parts)
            assert record[quantity]["seconds"] == max(entry["seconds"] for entry in parts)
            multiple = record[quantity]["seconds"] / data["import_sympy_seconds"]
            assert record[quantity]["multiple"] == pytest.approx(multiple, rel=0.02)
            assert multiple > 1


def test_figures_are_those_of_the_full_limit(data):
    assert data["limit_seconds"] == compare_sympy.LIMIT
    assert sorted(data["robots"]) == sorted(compare_sympy.ROBOTS)


@pytest.mark.parametrize("robot", compare_sympy.ROBOTS)
def test_sizes_are_about_those_of_todays_closed_forms(data, robot):
    entries = takewhile(lambda result: result[0].startswith("I"), sympy_derivations.closed_form(robot))
    today = sum(size(entry)["operations"] for _, entry in entries)
    assert data["robots"][robot]["symgen"]["inertia_matrix"]["operations"] == pytest.approx(today, rel=0.2)


def test_table_has_a_row_for_every_way(data):
    assert compare_sympy.table(data).row_count == len(WAYS)


# the judge -----------------------------------------------------------------------------------------------


def as_it_is(label, expression):
    return expression


@pytest.mark.parametrize(
    "way", [sympy_derivations.kane, lambda arm: sympy_derivations.lagrange(arm, as_it_is)], ids=["kane", "lagrange"]
)
def test_plain_sympy_agrees(reference, way):
    results = judged(way(sympy_derivations.arm("planar2r")))
    assert sorted(result["label"] for result in results) == sorted(sympy_derivations.labels(2))
    assert compare_sympy.agreement(results, reference)["agrees"]


@pytest.mark.parametrize("wrong", sympy_derivations.labels(2))
def test_a_small_error_is_found(reference, wrong):
    results = [
        result | {"values": [str(float(value) + 1e-9) for value in result["values"]]}
        if result["label"] == wrong
        else result
        for result in reference
    ]
    assert compare_sympy.agreement(results, reference)["agrees"] is False


def test_a_process_ends_at_its_limit():
    run = compare_sympy.run_once("puma", "simplify", 2)
    progress = compare_sympy.progress(run, sympy_derivations.labels(6))
    assert not run.done
    assert progress["status"] == "timed out"
    assert not progress["entries"]
    assert progress["stopped_at"] in (None, "I(1,1)")
