"""Robots with loops: peers get consistent states and constraints that say the same, and compute the same."""

import numpy as np
import pytest

from symgen.bench import cases, run
from symgen.bench.harness import PYTHON, SINGLE, check, typical_error
from symgen.bench.loops import with_rods
from symgen.bench.peers import formulations
from symgen.bench.peers import mujoco as mujoco_peer
from symgen.bench.peers import pinocchio as pinocchio_peer
from symgen.bench.peers import symgen as ours
from symgen.bench.peers.peer import Plan
from symgen.errors import LimitError

pytestmark = pytest.mark.usefixtures("without_search")

PLAN = Plan(cases.LOOPED, batch=8, threads=(1,))


def silent(text):
    pass


def case_of(name):
    return cases.case_of(cases.robot_of(name, full_inertia=False), states=8)


def expected(case):
    made = ours.Generated(case, PLAN, silent).contenders(case, PLAN)
    return {each.function: each.results() for each in made if each.how == SINGLE}


@pytest.mark.parametrize("name", ["five_bar", "ankle", "delta"])
def test_pinocchio_computes_the_same(name, monkeypatch):
    pytest.importorskip("pinocchio")
    monkeypatch.setattr(pinocchio_peer, "cxx_missing", lambda: "left out: the test compiles no C++")
    case = case_of(name)
    wanted = expected(case)
    found = list(pinocchio_peer.contenders(case, PLAN, silent))
    assert [(each.function, each.how) for each in found] == [(function, PYTHON) for function in cases.LOOPED]
    for contender in found:
        assert check(contender, wanted[contender.function]) < 1e-6
        assert contender.run(3, 5) > 0


def test_mujoco_comes_near_with_soft_constraints():
    pytest.importorskip("mujoco")
    case = case_of("five_bar")
    wanted = expected(case)
    found = {each.function: each for each in mujoco_peer.contenders(case, PLAN, silent)}
    assert 0 < typical_error(found["forward_dynamics"], wanted["forward_dynamics"]) < 0.01


def test_rods_are_links_right_after_their_carriers():
    loops = case_of("ankle").loops
    grown = with_rods(loops)
    assert [joint.parent for joint in grown.joints] == [-1, 0, -1, 2, 3, -1, 5, 6]
    assert [closing.joints for closing in grown.closings] == [(4, 1), (7, 1)]
    np.testing.assert_array_equal(grown.q[:, list(grown.independent)], loops.q[:, list(loops.independent)])


@pytest.mark.parametrize(("name", "words"), [("palletizer", "coupling level"), ("rssr", "spin of coupler")])
def test_what_peers_have_no_counterpart_of_is_left_out(name, words):
    case = case_of(name)
    assert words in case.loops.lacks
    assert list(pinocchio_peer.contenders(case, PLAN, silent)) == []


def test_other_functions_are_not_timed():
    with pytest.raises(LimitError, match="inverse_dynamics and forward_dynamics"):
        run.bench(["five_bar"], run.Settings(functions=("inertia_matrix",), peers=(), threads=1, instructions=False))


def test_each_formulation_is_timed():
    case = case_of("five_bar")
    wanted = expected(case)
    found = [each for each in formulations.contenders(case, PLAN, silent) if each.how == SINGLE]
    assert {("inverse_dynamics", "newton_euler"), ("forward_dynamics", "udu"), ("forward_dynamics", "columns")} <= {
        (each.function, each.peer) for each in found
    }
    assert all(check(each, wanted[each.function]) < 1e-9 and each.run(0, 3) > 0 for each in found)
    assert "aba" not in {each.peer for each in found}
