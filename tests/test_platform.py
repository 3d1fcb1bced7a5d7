"""Parallel robots by way of their platform: against the references, the general reduction, and robots that are none."""

import ctypes
import functools
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from module_functions import interpreted, setting_of
from platforms import carried_by_a_leg, driven
from test_loop_oracles import TOLERANCE, states

import symgen
from symgen.algebra.domain import Floats, cross
from symgen.algebra.prime import PrimeField
from symgen.derive.derivation import Options, derive
from symgen.derive.subject import subject_of
from symgen.emit.registry import language
from symgen.errors import InputError
from symgen.mechanics.formulations.platform import gap, misfit, reduction_of
from symgen.mechanics.functions.joint_forces import tree_forces
from symgen.mechanics.functions.state import State
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.kinematics import poses
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.prove.proof import prove
from symgen.robot import library
from symgen.robot.model import BASE, Robot
from symgen.runtime.assembly import SINGULAR
from symgen.verify.compare import verify

FUNCTIONS = ("inverse_dynamics", "forward_dynamics")
BY_PLATFORM = dict.fromkeys(FUNCTIONS, "platform")
ROBOTS = ("gough_stewart", "rrr3", "delta", "ankle")


def options(**more) -> Options:
    return Options(functions=FUNCTIONS, effort="low", gravity="runtime", **more)


@functools.cache
def subject(name: str):
    return subject_of(library.load(name), Options())


@functools.cache
def functions(name: str, algorithm: str):
    asked = BY_PLATFORM if algorithm == "platform" else {"inverse_dynamics": "newton_euler", "forward_dynamics": "udu"}
    return {item.name: item.program for item in derive(symgen.load(name), options(**asked)).module.functions}


@functools.cache
def chosen(name: str):
    return derive(library.load(name), Options(("forward_dynamics",), effort="low"))


def call(name: str, algorithm: str, function: str, state: dict) -> np.ndarray:
    own = [float(entry.constant({})) for entry in symgen.load(name).gravity]
    given = {"qdd": None, "tau": state.get("tau_given"), "gravity": state.get("gravity_vector", own)} | {
        key: state[key] for key in ("q", "qd", "qdd")
    }
    program = functions(name, algorithm)[function]
    (result,) = evaluate(program, {item.name: given[item.name] for item in program.inputs}).values()
    return result


def close(found, expected, tolerance=TOLERANCE) -> bool:
    return bool(np.abs(np.subtract(found, expected)).max() <= tolerance * np.abs(expected).max())


# the same functions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gough_stewart", "rrr3"])
def test_references(name):
    known = states(name)
    assert len(known) >= 8
    for state in known:
        assert close(call(name, "platform", "inverse_dynamics", state), state["tau"])
        for function in FUNCTIONS if "tau_given" in state else FUNCTIONS[:1]:
            usual = call(name, "usual", function, state)
            assert close(call(name, "platform", function, state), usual, 1e-12)
        if "qdd_found" in state:
            assert close(call(name, "platform", "forward_dynamics", state), state["qdd_found"])


def at(state: dict):
    """The Gough-Stewart platform's reduction, and the tree's motion, at a state of the references."""
    given = {"q": state["q"], "qd": state["qd"], "qdd": state["qdd"]}
    mechanism = subject("gough_stewart").mechanism(Floats(given))
    reduction = reduction_of(mechanism)
    return reduction, State(mechanism, reduction)


def test_cartesian_model_of_the_gough_stewart_platform():
    """J_p⁻¹, X, c and the bracket of eq. (66), in base axes; the platform's rates are its twist in its own."""
    for state in states("gough_stewart"):
        reduction, motion = at(state)
        axes = np.kron(np.eye(2), state["rotation"])
        numbers = lambda array: np.array(array, dtype=float)  # noqa: E731
        assert close(numbers(reduction.inverse_jacobian) @ axes.T, state["inverse_jacobian"])
        assert close(axes @ numbers(reduction.inertia) @ axes.T, state["cartesian_inertia"])
        wrench = reduction.on_platform(tree_forces(motion, motion.acceleration))
        assert close(axes @ numbers(wrench), state["wrench"])
        bias = axes @ numbers(reduction.on_platform(tree_forces(motion, reduction.coasting(motion.velocity))))
        # Rates that stay the same in turning axes: the platform's origin accelerates by ω × v.
        v, w = np.split(axes @ numbers(motion.velocity[:6]), 2)
        assert close(bias, state["cartesian_bias"] + np.array(state["cartesian_inertia"])[:, :3] @ np.cross(w, v))


def test_closed_form_of_the_inverse_jacobian():
    """Row i of J_p⁻¹ is [uᵀ, (P × u)ᵀ], with u along leg i and P from the platform's origin to it, at every q."""
    field = PrimeField()
    mechanism = subject("gough_stewart").mechanism(field)
    reduction, found = reduction_of(mechanism), poses(mechanism)
    platform = found[0].rotation
    for row, cut in zip(reduction.inverse_jacobian, mechanism.cuts, strict=True):
        u = platform.T @ found[cut.predecessor.body].rotation[:, 2]
        expected = [*u, *cross(cut.successor.position, u)]
        assert all(a.value == b.value for a, b in zip(row, expected, strict=True))


@pytest.mark.parametrize(
    ("robot", "wrenches"),
    [(driven("rrr3"), ()), (driven("delta"), ("gripper",)), (carried_by_a_leg(), ())],
    ids=["rrr3", "delta", "carried"],
)
def test_friction_springs_rotors_loads_and_gravity(robot, wrenches):
    """Proved at any q, also where a leg carries the platform through a ball joint of the tree."""
    derivation = derive(robot, options(wrenches=wrenches, **BY_PLATFORM))
    assert [proof.holds for proof in prove(derivation)] == [True, True]
    if robot.name != "carried":
        report = verify(robot, interpreted(derivation), states=5, setting=setting_of(derivation))
        assert report.passed, str(report)


def test_a_platform_that_a_leg_carries_moves_alike():
    """The same robot in another tree: joint 1's ball is one of the tree's, with the platform's turn beside its leg."""
    from scipy.spatial.transform import Rotation

    robot = carried_by_a_leg()
    found = {item.name: item.program for item in derive(robot, options(**BY_PLATFORM)).module.functions}
    for state in states("gough_stewart")[:3]:
        q = np.array(state["q"])
        leg = Rotation.from_euler("XY", q[7:9])
        turn = (leg.inv() * Rotation.from_quat(q[3:7])).as_quat()
        given = {"q": np.concatenate([q[7:10], turn, q[10:]]), "gravity": [0, 0, -9.81]}
        given |= {"qd": state["qd"], "qdd": state["qdd"], "tau": state["tau_given"]}
        for function, expected in (
            ("inverse_dynamics", state["tau"]),
            ("forward_dynamics", call("gough_stewart", "usual", "forward_dynamics", state)),
        ):
            program = found[function]
            (result,) = evaluate(program, {item.name: given[item.name] for item in program.inputs}).values()
            assert close(result, expected)


# where it fits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        *((name, "") for name in ROBOTS),
        *((name, "it has one loop, and a platform on legs has several") for name in ("five_bar", "rssr", "palletizer")),
        ("carpet_scraper", "arm belongs to several legs of coupler"),
    ],
)
def test_robots_of_the_library(name, words):
    assert misfit(subject(name).mechanism(Graph())) == words


def moved(name: str, link: str, **changes) -> Robot:
    robot = library.load(name)
    index = next(k for k, each in enumerate(robot.links) if each.name == link)
    links = list(robot.links)
    links[index] = replace(links[index], **changes)
    return replace(robot, links=tuple(links))


def link(robot: Robot, name: str) -> int:
    return next(k for k, each in enumerate(robot.links) if each.name == name)


def ending_elsewhere() -> Robot:
    """The third leg of the delta ends at the first one: that is no platform's."""
    robot = library.load("delta")
    *cuts, last = robot.cut_joints
    last = replace(last, successor=replace(last.successor, link=link(robot, "arm1")))
    return replace(robot, cut_joints=(*cuts, last))


ENDS = ("predecessor", "successor")


def between_platforms() -> Robot:
    """A second 3-RRR on the platform of the first: its legs are chains from one platform to the other."""
    robot = library.load("rrr3")
    count, first = len(robot.links), link(robot, "platform")
    links = [replace(each, parent=first if each.parent == BASE else each.parent + count) for each in robot.links]
    cuts = []
    for cut in robot.cut_joints:
        ends = {end: replace(getattr(cut, end), link=getattr(cut, end).link + count) for end in ENDS}
        cuts.append(replace(cut, **ends))
    return replace(robot, links=(*robot.links, *links), cut_joints=(*robot.cut_joints, *cuts))


NONE = {
    "arm": (library.load("puma"), "its loops close at no common body"),
    "leg to a leg": (ending_elsewhere(), "its loops close at no common body"),
    "chains between platforms": (between_platforms(), "its loops close at no common body"),
    "leg on the platform": (
        moved("rrr3", "proximal3", parent=link(library.load("rrr3"), "platform")),
        "the chain that leg3 ends leads from platform back to it",
    ),
    "branched leg": (
        moved("delta", "arm3", parent=link(library.load("delta"), "arm2")),
        "arm2 belongs to several legs of platform",
    ),
    "parallelograms left out": (
        moved("delta", "platform", joint=library.load("gough_stewart").links[0].joint),
        "it has 3 freedoms, but joints with 6 carry platform, at which its loops close",
    ),
    "driven at the platform": (
        library.load("delta"),
        "all independent joints carry platform, so that its legs drive nothing",
    ),
}


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_platform_on_legs(name):
    robot, words = NONE[name]
    plan = replace(subject("delta").plan, independent=(0, 1, 2), platform=None)
    assert misfit(replace(instantiate(robot, Graph()), plan=plan)) == words


def test_legs_that_the_platform_leaves_open():
    mechanism = subject("delta").mechanism(Graph())
    open_legs = replace(mechanism, plan=replace(mechanism.plan, platform=None))
    assert misfit(open_legs) == "the motion of platform does not determine that of its legs"


def test_robots_that_do_not_fit_are_refused():
    with pytest.raises(InputError, match="by platform cannot be generated: it has one loop"):
        derive(library.load("five_bar"), Options(FUNCTIONS, inverse_dynamics="platform"))
    with pytest.raises(InputError, match="by platform cannot be generated: it is for robots with closed loops"):
        derive(library.load("puma"), Options(FUNCTIONS, forward_dynamics="platform"))


# where it is singular -----------------------------------------------------------------------------------


def test_it_is_the_choice_where_it_costs_less_and_is_singular_nowhere_else():
    for name, algorithm in (("gough_stewart", "platform"), ("rrr3", "columns")):
        assert chosen(name).choices["forward_dynamics"].algorithm == algorithm
    words = {name: gap(subject(name).mechanism(Graph())) for name in ROBOTS}
    assert words["gough_stewart"] == ""
    assert words["rrr3"] == "it is singular where the motion of platform does not determine that of proximal2"
    assert words["delta"] == "it is singular where the motion of platform does not determine that of arm1"
    assert words["ankle"] == "it is singular where the motion of foot does not determine that of crank_left"


def two_links(foot, tip) -> tuple[float, float]:
    """Angles of a leg of the 3-RRR, of links of 0.4 and 0.6 m, from its foot to its tip."""
    x, y = np.subtract(tip, foot)
    bend = -np.arccos((x * x + y * y - 0.4**2 - 0.6**2) / (2 * 0.4 * 0.6))
    return np.arctan2(y, x) - np.arctan2(0.6 * np.sin(bend), 0.4 + 0.6 * np.cos(bend)), bend


def stretched() -> np.ndarray:
    """The 3-RRR with its second leg in line: the platform's motion does not tell that leg's two rates."""
    second = np.array([1 + np.cos(2.3), np.sin(2.3)])
    first, third = second - [0.4, 0], second - [0.2, -0.2 * np.sqrt(3)]
    base1, elbow1 = two_links([0, 0], first)
    return np.array([base1, elbow1, -base1 - elbow1, 2.3, 0, *two_links([0.5, np.sqrt(3) / 2], third)])


def test_the_gap_is_what_the_clause_says():
    state = {"q": stretched(), "qd": [0.3, -0.2, 0.1], "qdd": [1.0, 0.5, 0.2], "tau_given": [1.0, 2.0, 3.0]}
    for function in FUNCTIONS:
        assert np.isfinite(call("rrr3", "usual", function, state)).all()
        assert np.isnan(call("rrr3", "platform", function, state)).any()


def along_the_first_axis() -> np.ndarray:
    """The Gough-Stewart platform with its first leg along the first axis of its universal joint."""
    from scipy.spatial.transform import Rotation

    turn = Rotation.from_euler("xyz", [0.4, -0.3, 0.2])
    circle = lambda radius, degrees, z: radius * np.array([np.cos(x := np.deg2rad(degrees)), np.sin(x), z / radius])  # noqa: E731
    feet = [circle(0.8, angle, 0) for angle in (10, 110, 130, 230, 250, 350)]
    points = [turn.apply(circle(0.4, angle, -0.05)) for angle in (50, 70, 170, 190, 290, 310)]
    origin = feet[0] + [0.9, 0, 0] - points[0]
    q = [*origin, *turn.as_quat()]
    for foot, point in zip(feet, points, strict=True):
        length = np.linalg.norm(way := origin + point - foot)
        q += [np.arctan2(-way[1], way[2]), np.arcsin(np.clip(way[0] / length, -1, 1)), length]
    return np.array(q)


def test_a_leg_along_the_first_axis_of_its_joint_is_singular(tmp_path):
    """J_i is: its turn about that axis is not determined, and C says so."""
    for file, text in language("c").files(chosen("gough_stewart").module).items():
        (tmp_path / file).write_text(text)
    shared = tmp_path / "gough_stewart.so"
    command = ["cc", "-std=c99", "-O1", "-fPIC", "-shared", tmp_path / "gough_stewart.c", "-o", shared, "-lm"]
    subprocess.run(command, check=True)
    function = ctypes.CDLL(str(shared)).gough_stewart_forward_dynamics

    def called(q) -> tuple[int, np.ndarray]:
        arrays = np.array(q), np.full(6, 0.1), np.full(6, 20.0), np.zeros(6)
        return function(*(ctypes.c_void_p(array.ctypes.data) for array in arrays)), arrays[-1]

    status, accelerations = called(states("gough_stewart")[0]["q"])
    assert status == 0
    assert np.isfinite(accelerations).all()
    status, accelerations = called(along_the_first_axis())
    assert status == SINGULAR
    assert np.isnan(accelerations).all()
