"""Every peer computes what symgen computes, however it is called; and one that does not is found out."""

from dataclasses import replace

import numpy as np
import pytest
from bench_robots import TREE
from free_robots import robot as free_robot
from oracle_functions import oracle_functions

from symgen.bench import cases, native, run
from symgen.bench.harness import BATCH, PYTHON, PYTHON_BATCH, SINGLE, check
from symgen.bench.peers import casadi as casadi_peer
from symgen.bench.peers import mujoco as mujoco_peer
from symgen.bench.peers import pinocchio as pinocchio_peer
from symgen.bench.peers import symgen as ours
from symgen.bench.peers.peer import Plan
from symgen.errors import VerificationError
from symgen.robot.reader import read_text

pytestmark = pytest.mark.usefixtures("without_search")

PLAN = Plan(cases.FUNCTIONS, batch=70, threads=(1, 2))


def silent(text):
    pass


@pytest.fixture(scope="module")
def case():
    return cases.case_of(read_text(TREE, "tree.toml"), states=65)


@pytest.fixture(scope="module")
def contenders(case):
    """symgen's, by function, way and threads."""
    found = ours.Generated(case, PLAN, silent).contenders(case, PLAN)
    return {(each.function, each.how, each.threads): each for each in found}


@pytest.fixture(scope="module")
def expected(case):
    """The oracle's results."""
    functions = oracle_functions(case.robot)
    results = {name: functions[name](*case.arguments(name)) for name in cases.FUNCTIONS}
    return {name: list(found) if isinstance(found, tuple) else [found] for name, found in results.items()}


def test_symgen_computes_the_same_in_every_way(contenders, expected):
    for contender in contenders.values():
        assert check(contender, expected[contender.function]) < 1e-9
    ways = {(how, threads) for _, how, threads in contenders}
    assert {(SINGLE, 1), (PYTHON, 1), (BATCH, 1), (BATCH, 2), (PYTHON_BATCH, 1)} <= ways


def test_a_robots_c_is_compiled_once_for_all_drivers(monkeypatch, tmp_path):
    monkeypatch.setenv("SYMGEN_CACHE", str(tmp_path))
    commands, execute = [], native._run
    monkeypatch.setattr(native, "_run", lambda command, *rest: commands.append(command) or execute(command, *rest))
    sources = {"robot.c": "double twice(double x)\n{\n    return 2 * x;\n}\n"}
    for call, result in (("first[0] = twice(q[0]);", 6), ("first[0] = -twice(q[0]);", -6)):
        function = native.CFunction(sources, ("double twice(double);",), (call,), None, 1, 1, (1, 0, 0))
        assert native.Driver(function).results([np.full((1, 1), 3.0)] * 3)[0] == result
    compiled = [command[command.index("-c") + 1] for command in commands if "-c" in command]
    assert sorted(compiled) == ["driver.c", "driver.c", "robot.c"]


def test_single_precision_in_c(case, expected):
    plan = replace(PLAN, functions=("inverse_dynamics", "inertia_matrix"), threads=(1,), real="float32")
    single = case.in_type("float32")
    for contender in ours.Generated(single, plan, silent).contenders(single, plan):
        if contender.how in (SINGLE, BATCH):
            assert 1e-9 < check(contender, expected[contender.function]) < 1e-4
            assert contender.tolerance == plan.tolerance


@pytest.mark.parametrize(
    ("peer", "robot", "real", "words"),
    [
        (casadi_peer.PEER, "planar2r", "float32", None),
        (pinocchio_peer.PEER, "planar2r", "float32", "double precision alone"),
        (pinocchio_peer.PEER, "planar2r", "float64", None),
        (casadi_peer.PEER, "solo12", "float64", "no templates here"),
        (mujoco_peer.PEER, "solo12", "float64", "no free joints"),
        (casadi_peer.PEER, "five_bar", "float64", "no loops"),
    ],
)
def test_peers_say_what_they_are_not_timed_of(peer, robot, real, words):
    peer = replace(peer, free_missing=lambda: "no templates here")
    case = cases.case_of(cases.robot_of(robot, full_inertia=False), states=1)
    found = peer.refusal(case, replace(PLAN, real=real))
    assert found is None if words is None else words in found


def test_runs_take_time(contenders):
    for contender in contenders.values():
        assert contender.run(3, 70) > 0


def test_casadi_computes_the_same_in_every_way(case, expected):
    pytest.importorskip("casadi")
    found = list(casadi_peer.contenders(case, replace(PLAN, functions=cases.FUNCTIONS[:2]), silent))
    for contender in found:
        assert check(contender, expected[contender.function]) < 1e-9
    assert {(each.how, each.threads) for each in found} == {
        (SINGLE, 1),
        (BATCH, 1),
        (BATCH, 2),
        (PYTHON, 1),
        (PYTHON_BATCH, 1),
        (PYTHON_BATCH, 2),
    }


@pytest.mark.parametrize("name", ["tree", "stanford", "chain5"])
@pytest.mark.parametrize("function", cases.FUNCTIONS)
def test_casadi_expressions_are_the_functions(name, function):
    pytest.importorskip("casadi")
    robot = read_text(TREE, "tree.toml") if name == "tree" else cases.robot_of(name, full_inertia=True)
    case = cases.case_of(robot, states=3)
    expression, oracle = casadi_peer.sx_function(case, function), oracle_functions(robot)[function]
    for state in zip(*case.arguments(function), strict=True):
        found, wanted = expression(*state), oracle(*state)
        pairs = zip(found, wanted, strict=True) if isinstance(wanted, tuple) else [(found, wanted)]
        for each, theirs in pairs:
            # Matrices are made transposed, since CasADi stores columns.
            array = np.array(each).T.reshape(theirs.shape)
            np.testing.assert_allclose(array, theirs, rtol=1e-8, atol=1e-8 * np.abs(theirs).max())


def test_casadi_leaves_large_functions_out(case, monkeypatch):
    pytest.importorskip("casadi")
    monkeypatch.setattr(casadi_peer, "LARGEST", 200)
    assert casadi_peer.native(case, "inverse_dynamics_derivatives") is None


def test_pinocchio_in_python_computes_the_same(case, expected, monkeypatch):
    monkeypatch.setattr(pinocchio_peer, "cxx_missing", lambda: "left out: the test compiles no C++")
    found = list(pinocchio_peer.contenders(case, PLAN, silent))
    assert [each.how for each in found] == [PYTHON] * len(cases.FUNCTIONS)
    for contender in found:
        assert check(contender, expected[contender.function]) < 1e-9


@pytest.mark.parametrize("kind", ["floating", "spherical"])
def test_robots_with_free_joints_are_timed_beside_pinocchio(kind, monkeypatch):
    monkeypatch.setattr(pinocchio_peer, "cxx_missing", lambda: "left out: the test compiles no C++")
    case = cases.case_of(free_robot(kind), states=65)
    assert case.has_free_joints
    np.testing.assert_allclose(np.linalg.norm(case.q[:, -5:-1], axis=1), 1, rtol=1e-14)
    made = list(ours.Generated(case, PLAN, silent).contenders(case, PLAN))
    singles = {each.function: each.results() for each in made if each.how == SINGLE}
    oracle = oracle_functions(case.robot)["inverse_dynamics"](*case.arguments("inverse_dynamics"))
    np.testing.assert_allclose(singles["inverse_dynamics"][0], oracle, atol=1e-9 * np.abs(oracle).max())
    for contender in [*made, *pinocchio_peer.contenders(case, PLAN, silent)]:
        assert check(contender, singles[contender.function]) < 1e-9
        assert contender.run(3, 70) > 0


def test_peers_that_are_given_no_free_joints_are_left_out(monkeypatch):
    monkeypatch.setattr(pinocchio_peer, "cxx_missing", lambda: "left out: the test compiles no C++")
    monkeypatch.setattr(run, "robot_of", lambda name, full_inertia, base: free_robot(name))
    monkeypatch.setattr(run, "has_drives", lambda name: False)
    peers = tuple(name for name in ("pinocchio", "mujoco") if run.PEERS[name].missing() is None)
    settings = run.Settings(("inertia_matrix",), peers, rounds=1, batch=64, threads=1, block=0.01, instructions=False)
    (result,) = run.bench(["floating"], settings).robots
    left_out = [line for line in result.notices if "symgen gives it no free joints" in line]
    assert left_out == [f"free: {name} is left out: symgen gives it no free joints" for name in peers[1:]]


def test_mujoco_computes_the_same(case, expected):
    pytest.importorskip("mujoco")
    found = list(mujoco_peer.contenders(case, PLAN, silent))
    assert {each.function for each in found} == {"inverse_dynamics", "forward_dynamics"}
    for contender in found:
        assert check(contender, expected[contender.function]) < 1e-9
        assert contender.run(3, 70) > 0


def test_mujoco_leaves_out_a_robot_without_inertia():
    pytest.importorskip("mujoco")
    massless = replace(case_of_planar(), joints=tuple(replace(j, mass=0.0) for j in case_of_planar().joints))
    assert list(mujoco_peer.contenders(massless, PLAN, silent)) == []


def case_of_planar():
    return cases.case_of(cases.robot_of("planar2r", full_inertia=True), states=3)


def test_another_robot_is_found_out(case, expected):
    joint = case.joints[1]
    heavier = replace(case, joints=(case.joints[0], replace(joint, mass=1.000001 * joint.mass), *case.joints[2:]))
    for contender in pinocchio_peer._python(heavier, PLAN):
        with pytest.raises(VerificationError, match="differs from symgen's C"):
            check(contender, expected[contender.function])


def test_what_is_no_number_is_found_out(contenders, expected):
    contender = contenders["inverse_dynamics", SINGLE, 1]
    nothing = replace(contender, results=lambda: [np.full_like(expected["inverse_dynamics"][0], np.nan)])
    with pytest.raises(VerificationError, match="inf"):
        check(nothing, expected["inverse_dynamics"])
