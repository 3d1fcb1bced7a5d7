"""Formulas that a process of their own writes are those that are written here."""

import sys

import pytest

from symgen.report import aside
from symgen.report.equations import equations
from symgen.robot.library import load
from symgen.robot.model import Robot

ROBOT = load("planar2r")


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SYMGEN_CACHE", str(tmp_path))
    monkeypatch.setenv("SYMGEN_CACHE_SIZE", "10M")


@pytest.fixture
def here(monkeypatch):
    """The robots whose formulas were written in this process."""
    found = []

    def watched(robot: Robot):
        found.append(robot)
        return equations(robot)

    monkeypatch.setattr(aside, "equations", watched)
    return found


def written(robot=ROBOT):
    with aside.begun(robot) as finish:
        return finish()


@pytest.mark.parametrize("name", ["planar2r", "gough_stewart"])
def test_they_are_the_same(name, here):
    robot = load(name)
    assert written(robot) == tuple(equations(robot))
    assert here == []


def test_they_are_kept(here, monkeypatch):
    first = written()
    monkeypatch.setattr(aside, "_process", None)
    assert written() == first
    assert here == []


@pytest.mark.parametrize("python", ["", "/nowhere/python", "false", "true"])
def test_they_are_written_here_where_no_process_can(python, here, monkeypatch):
    monkeypatch.setattr(sys, "executable", python)
    assert written() == tuple(equations(ROBOT))
    assert here == [ROBOT]


def test_a_process_whose_formulas_nobody_waits_for_ends():
    with pytest.raises(KeyboardInterrupt), aside.begun(ROBOT):
        raise KeyboardInterrupt
