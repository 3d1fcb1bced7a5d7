"""URDF+: loops, couplings and joints that are not independent, in a URDF."""

import re

import numpy as np
import pytest

from symgen.derive.loop_constraints import Constraints
from symgen.errors import InputError
from symgen.mechanics.instantiation import instantiate
from symgen.robot import library
from symgen.robot.loops import CutKind
from symgen.robot.reader import read_text
from symgen.robot.urdf.build import robot_of
from symgen.robot.writer import robot_text
from symgen.verify.oracle import Oracle

LINK = (
    '<link name="{name}"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>'
    '<inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    '<joint name="{joint}" type="{kind}" {more}><parent link="{parent}"/><child link="{name}"/>'
    '<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>{inner}</joint>'
)


def link(name, parent, joint, xyz, *, independent=None, rpy="0 0 0", axis="0 0 1", kind="continuous", inner=""):
    more = "" if independent is None else f'independent="{independent}"'
    return LINK.format(
        name=name, parent=parent, joint=joint, xyz=xyz, rpy=rpy, axis=axis, kind=kind, more=more, inner=inner
    )


def bars(axis):
    return [
        link("crank", "root", "motor", "0 0 0", axis=axis),
        link("rod", "crank", "elbow", "0.4 0 0", independent="false", axis=axis),
        link("rocker", "root", "pivot", "0.6 0 0", independent="False", axis=axis),
    ]


def loop(kind="revolute", axis="0 0 1", one="rod", two="rocker", name="pin", origin='<origin xyz="0.5 0 0"/>'):
    ends = f'<predecessor link="{one}">{origin}</predecessor><successor link="{two}">{origin}</successor>'
    shown = "" if axis is None else f'<axis xyz="{axis}"/>'
    return f'<loop name="{name}" type="{kind}">{ends}{shown}</loop>'


def coupling(one, two, ratio="2", name="gear"):
    value = "" if ratio is None else f'<ratio value="{ratio}"/>'
    return f'<coupling name="{name}"><predecessor link="{one}"/><successor link="{two}"/>{value}</coupling>'


def read(*parts, **words):
    text = f'<robot name="bars"><link name="root"/>{"".join(parts)}</robot>'
    return robot_of(text.encode(), "bars.urdf", **words)


def test_loops_are_cut_joints_and_the_other_joints_are_independent():
    robot = read(*bars("0 0 1"), loop())
    (cut,) = robot.cut_joints
    ends = [
        (robot.links[end.link].name, [float(part.amount.constant({})) for part in end.placement])
        for end in (cut.predecessor, cut.successor)
    ]
    assert (cut.name, cut.kind, ends) == ("pin", CutKind.REVOLUTE, [("rod", [0.5]), ("rocker", [0.5])])
    assert robot.actuated == ("motor",)
    assert read(*bars("0 0 1")).actuated == ()
    assert not library.load(robot, loops="open").has_loops


@pytest.mark.parametrize(
    ("word", "kind"), [("continuous", "revolute"), ("prismatic", "prismatic"), ("planar", "planar"), ("fixed", "fixed")]
)
def test_types_of_loops(word, kind):
    assert read(*bars("0 0 1"), loop(word)).cut_joints[0].kind is CutKind(kind)


def residual(robot, q):
    return Constraints(robot, lambda graph: instantiate(robot, graph)).at(np.array(q))[0]


@pytest.mark.parametrize("axis", ["0 0 1", "0 0 -2", "0 1 0", "0 0.6 0.8", "0.0 -0.28 0.96"])
def test_a_loop_turns_about_its_axis(axis):
    """Bars about any axis move in a plane, and their last pin with them; a pin about another axis holds them."""
    robot = read(*bars(axis), loop(axis=axis))
    names = [link.name for link in robot.links]
    q = np.array([0.3, 0.7, -0.4])
    frames = Oracle(library.load(robot, loops="open")).frames(q)
    wanted = frames[names.index("rod")] @ [0.5, 0, 0, 1] - frames[names.index("rocker")] @ [0.5, 0, 0, 1]
    found = residual(robot, q)
    np.testing.assert_allclose(np.linalg.norm(found[:3]), np.linalg.norm(wanted), atol=1e-12)
    np.testing.assert_allclose(found[3:], 0, atol=1e-12)


def test_without_an_axis_a_loop_turns_about_x_as_joints_do():
    assert np.abs(residual(read(*bars("0 0 1"), loop(axis=None)), [0.3, 0.7, -0.4])[3:]).max() > 0.1


def test_what_was_read_is_written_as_a_robot_file():
    robot = read(*bars("0 0.6 0.8"), loop(axis="0 0.6 0.8"), coupling("crank", "rocker"))
    again = read_text(robot_text(robot), "bars.toml")
    assert (again.cut_joints, again.couplings, again.actuated) == (robot.cut_joints, robot.couplings, robot.actuated)


COUPLED = {
    "a gear": ("crank", "rocker", {"motor": 2, "pivot": -1}),
    "a belt to a link farther out": ("rod", "rocker", {"motor": 2, "elbow": 2, "pivot": -1}),
    "from the base": ("root", "rocker", {"pivot": -1}),
    "along one chain": ("crank", "rod", {"elbow": -1}),
}


@pytest.mark.parametrize("case", COUPLED)
def test_couplings_are_of_the_joints_between_their_links(case):
    one, two, terms = COUPLED[case]
    (found,) = read(*bars("0 0 1"), coupling(one, two)).couplings
    assert (dict(found.terms), found.offset.is_zero) == (terms, True)


def test_a_coupling_of_a_joint_that_mimics_is_one_of_the_joint_that_it_follows():
    follower = link("gear", "root", "gear", "0 1 0", inner='<mimic joint="motor" multiplier="3" offset="0.5"/>')
    (found,) = read(*bars("0 0 1"), follower, coupling("gear", "rocker")).couplings
    assert dict(found.terms) == {"motor": 6, "pivot": -1}
    assert float(found.offset.constant({})) == -1  # 2 (3 motor + 0.5) - pivot = 0


BAD = [
    (
        loop("hinge"),
        "line 1 (loop 'pin'): expected a type revolute, continuous, prismatic, planar, fixed; found 'hinge'",
    ),
    (loop(one="z"), "line 1 (loop 'pin'): there is no link called 'z'"),
    (loop(one="rocker"), "line 1 (loop 'pin'): both ends are on one body"),
    (loop(axis="0 0 0"), "line 1 (loop 'pin'): the axis is zero"),
    (
        loop(origin='<origin xyz="1 2"/>').replace('1 2"', '1 2 3"', 1),
        "origin xyz: expected three numbers, found '1 2'",
    ),
    (
        loop().replace('<successor link="rocker">', "<successor>"),
        "the loop has no successor link; write <successor link=",
    ),
    (loop() + loop(), "line 1 (loop): there are two loops called 'pin'; names must differ"),
    (loop().replace('name="pin"', ""), "line 1 (loop): a loop needs a name"),
    (
        coupling("crank", "rocker", None),
        "line 1 (coupling 'gear'): the coupling has no ratio; write <ratio value=\"2\"/>",
    ),
    (coupling("crank", "rocker", "two"), "line 1 (coupling 'gear'): ratio value: expected a finite decimal number"),
    (coupling("crank", "rocker", "0"), "line 1 (coupling 'gear'): expected a ratio other than 0"),
    (coupling("crank", "z"), "line 1 (coupling 'gear'): there is no link called 'z'"),
    (coupling("crank", "crank"), "line 1 (coupling 'gear'): no joint moves between its links: nothing is coupled"),
    (link("x", "root", "x", "0 0 0", independent="maybe"), 'independent: expected "true" or "false", found \'maybe\''),
    (
        link("x", "root", "x", "0 0 0", kind="planar") + coupling("crank", "x"),
        "the planar joint 'x' is on the way between its links",
    ),
]


@pytest.mark.parametrize(("more", "words"), BAD)
def test_what_is_wrong_with_a_loop_is_told_once(more, words):
    with pytest.raises(InputError, match=re.escape(words)) as told:
        read(*bars("0 0 1"), more)
    assert str(told.value).startswith("bars.urdf: 1 problem\n")


def test_constraints_of_other_formats_are_told():
    robot = read(*bars("0 0 1"), '<loop_constraint name="linkage"><parent link="rod"/></loop_constraint>')
    assert "constraints that are no loop or coupling of URDF+ are left out: linkage" in robot.notices


def test_many_loops_are_refused():
    with pytest.raises(InputError, match="the file has 101 loops; at most 100 are read"):
        read(*bars("0 0 1"), *(loop(name=f"pin{k}") for k in range(101)))
