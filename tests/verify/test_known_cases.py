"""Cases with answers known by hand, and robots written down in two ways: both the oracle and the programs must agree.

g = 9.81, SI units.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest

from symgen.derive.derivation import Options, derive
from symgen.errors import InputError
from symgen.program.interpreter import evaluate
from symgen.robot import library
from symgen.robot.physical import remarks
from symgen.robot.reader import read_text
from symgen.verify.compare import ARGUMENTS
from symgen.verify.oracle import Oracle

FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "coriolis_torque", "gravity_torque", "bias_torque")


@pytest.fixture(params=["oracle", "program"])
def functions(request):
    """What makes the functions of a robot: the NumPy oracle, or the interpreter on derived programs."""
    return of_oracle if request.param == "oracle" else of_programs


def of_oracle(robot):
    oracle = Oracle(robot)
    return {name: getattr(oracle, name) for name in FUNCTIONS}


def of_programs(robot):
    module = derive(robot, Options(functions=FUNCTIONS, effort="low")).module
    return {function.name: functools.partial(interpret, function) for function in module.functions}


def interpret(function, *args):
    inputs = {argument.name: value for argument, value in zip(function.inputs, args, strict=True)}
    return evaluate(function.program, inputs)[function.outputs[0].name]


def robot_of(convention, *links, head="gravity = [0, 0, -9.81]"):
    rows = "".join(f"\n[[links]]\n{link.strip()}\n" for link in links)
    return read_text(f'name = "arm"\nconvention = "{convention}"\ninertia_about = "com"\n{head}\n{rows}', "arm")


def states(n, count=20, seed=0):
    return 2 * np.random.default_rng(seed).uniform(-1, 1, (3, count, n))


def assert_same(one, other, n, atol=1e-12):
    """The two sets of functions are the same functions."""
    at = dict(zip(("q", "qd", "qdd"), states(n), strict=True))
    for name in FUNCTIONS:
        args = [at[key] for key in ARGUMENTS[name]]
        np.testing.assert_allclose(one[name](*args), other[name](*args), rtol=0, atol=atol, err_msg=name)


# two links in a plane ----------------------------------------------------------------------------------

IN_PLANE = "gravity = [0, -9.81, 0]"


def plane_2r(convention, m=(1, 1), length=(1, 1)):
    """Two rods without weight, point masses at their ends, gravity along -y."""
    l1, l2 = length
    if convention == "standard":
        rows = [f"a = {a}\nmass = {mass}\ncom = [0, 0, 0]" for a, mass in zip(length, m, strict=True)]
    else:
        rows = [f"mass = {m[0]}\ncom = [{l1}, 0, 0]", f"a = {l1}\nmass = {m[1]}\ncom = [{l2}, 0, 0]"]
    return robot_of(convention, *('joint = "revolute"\n' + row for row in rows), head=IN_PLANE)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_two_point_masses_held_level(functions, convention):
    zero = np.zeros(2)
    tau = functions(plane_2r(convention))["inverse_dynamics"](zero, zero, zero)
    np.testing.assert_allclose(tau, [29.43, 9.81], rtol=1e-14)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_closed_form_of_two_links(functions, convention):
    (m1, m2), (l1, l2), g = (0.7, 1.3), (0.6, 0.45), 9.81
    q, qd, qdd = states(2)
    c2, s2 = np.cos(q[:, 1]), np.sin(q[:, 1])
    c1, c12 = np.cos(q[:, 0]), np.cos(q[:, 0] + q[:, 1])
    both, first = qdd[:, 0] + qdd[:, 1], qdd[:, 0]
    tau2 = m2 * l2**2 * both + m2 * l1 * l2 * (c2 * first + s2 * qd[:, 0] ** 2) + m2 * g * l2 * c12
    swing = c2 * (first + both) - s2 * (2 * qd[:, 0] * qd[:, 1] + qd[:, 1] ** 2)
    tau1 = (m1 + m2) * l1**2 * first + m2 * l2**2 * both + m2 * l1 * l2 * swing
    tau1 = tau1 + (m1 + m2) * g * l1 * c1 + m2 * g * l2 * c12
    found = functions(plane_2r(convention, (m1, m2), (l1, l2)))["inverse_dynamics"](q, qd, qdd)
    np.testing.assert_allclose(found, np.stack([tau1, tau2], axis=-1), rtol=0, atol=1e-13)


def test_point_masses_are_bodies():
    assert plane_2r("standard").notices == ()


# one arm in both conventions -----------------------------------------------------------------------------


def test_an_elbow_in_both_conventions(functions):
    moments = "inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }"
    standard = robot_of(
        "standard",
        f'joint = "revolute"\nalpha = "pi/2"\nb = 0.4\nmass = 2\ncom = [0.1, 0.2, 0.3]\n{moments}',
        f'joint = "revolute"\na = 0.5\nmass = 1\ncom = [-0.25, 0, 0]\n{moments}',
    )
    modified = robot_of(
        "modified",
        f'joint = "revolute"\nd = 0.4\nmass = 2\ncom = [0.1, -0.3, 0.2]\n{moments}',
        f'joint = "revolute"\nalpha = "pi/2"\nmass = 1\ncom = [0.25, 0, 0]\n{moments}',
    )
    assert_same(functions(standard), functions(modified), 2)


@pytest.mark.parametrize("name", ["puma", "stanford"])
def test_a_whole_arm_in_both_conventions(functions, name):
    robot = library.load(name)
    assert robot.convention == "standard"
    modified = read_text(as_modified(robot), "converted")
    assert_same(functions(robot), functions(modified), robot.nv, atol=1e-11)


def as_modified(robot):
    """The same arm as a modified table: a and alpha move to the next row, inertia into the frame before them."""
    text = 'name = "converted"\nconvention = "modified"\ngravity = [0, 0, -9.81]\ninertia_about = "com"\n'
    a, alpha = 0.0, 0.0
    for link in robot.links:
        along = "" if link.joint.kind.value == "prismatic" else f"d = {number(link.row.b)}\n"
        kind = link.joint.kind.value
        text += f'\n[[links]]\njoint = "{kind}"\na = {a!r}\nalpha = {alpha!r}\n{along}'
        a, alpha = number(link.row.a), number(link.row.alpha)
        x, y, z = (number(entry) for entry in link.inertia.com)
        c, s = np.cos(alpha), np.sin(alpha)
        com = [a + x, float(c * y - s * z), float(s * y + c * z)]
        xx, yy, zz, xy, xz, yz = (number(entry) for entry in link.inertia.tensor)
        text += f"mass = {number(link.inertia.mass)}\ncom = {com}\n"
        text += f"inertia = {{ xx = {xx}, yy = {yy}, zz = {zz}, xy = {xy}, xz = {xz}, yz = {yz}, "
        text += f"frame = {{ rpy = [{alpha!r}, 0, 0] }} }}\n"
    return text


def number(expression):
    return float(expression.constant({}))


def test_flange_of_the_panda_at_zero():
    panda = library.load("panda")
    assert panda.convention == "modified"
    flange = Oracle(panda).frames(np.zeros(7))[6] @ [0, 0, 0.107, 1]
    np.testing.assert_allclose(flange, [0.088, 0, 0.926, 1], atol=1e-15)


def test_axes_in_both_conventions():
    """z of the frame before in a standard table, z of the link's own frame in a modified one."""
    row = 'joint = "revolute"\nalpha = "pi/2"\nmass = 1\ncom = [0.1, 0, 0]\ninertia = { xx = 1, yy = 1, zz = 1 }'
    q = np.zeros(2)
    np.testing.assert_array_equal(Oracle(robot_of("standard", row, row)).axes(q), [[0, 0, 1], [0, -1, 0]])
    np.testing.assert_array_equal(Oracle(robot_of("modified", row, row)).axes(q), [[0, -1, 0], [0, 0, -1]])


# base, gravity, offsets ----------------------------------------------------------------------------------

ELBOW = [
    'joint = "revolute"\na = 0.2\nalpha = "pi/3"\nb = 0.3\nmass = 2\ncom = [-0.1, 0.05, 0.02]\n'
    "inertia = { xx = 0.02, yy = 0.03, zz = 0.04, xy = 0.001, xz = -0.002, yz = 0.003 }",
    'joint = "prismatic"\na = 0.1\nalpha = "-pi/2"\ntheta = 0.4\nmass = 1\ncom = [0.1, 0.2, -0.1]\n'
    "inertia = { xx = 0.03, yy = 0.02, zz = 0.03 }",
    'joint = "revolute"\na = 0.4\nalpha = 0.3\nmass = 1.5\ncom = [-0.2, 0, 0.1]\n'
    "inertia = { xx = 0.01, yy = 0.05, zz = 0.05, yz = 0.004 }",
]


def test_the_base_changes_gravity_and_nothing_else(functions):
    """Base Rz(90°) T(1, 2, 3): in the base frame the shift is (-2, 1, 3)."""
    pull = np.array([3.0, 4.0, -8.0])
    on_base = 'base = { xyz = [-2, 1, 3], rpy = [0, 0, "pi/2"] }\n'
    plain = functions(robot_of("standard", *ELBOW, head=f"gravity = {pull.tolist()}"))
    turned = functions(robot_of("standard", *ELBOW, head=f"{on_base}gravity = {pull.tolist()}"))
    seen = [4.0, -3.0, -8.0]  # the same pull in the turned base's axes
    same = functions(robot_of("standard", *ELBOW, head=f"gravity = {seen}"))
    q, qd, _ = states(3)
    np.testing.assert_allclose(turned["inertia_matrix"](q), plain["inertia_matrix"](q), rtol=0, atol=1e-12)
    np.testing.assert_allclose(turned["coriolis_torque"](q, qd), plain["coriolis_torque"](q, qd), rtol=0, atol=1e-12)
    assert np.abs(turned["gravity_torque"](q) - plain["gravity_torque"](q)).max() > 1
    assert_same(turned, same, 3)


@pytest.mark.parametrize(("joint", "offset"), [(0, '"pi/2"'), (0, "0.7"), (1, "-0.25")])
def test_an_offset_shifts_the_coordinate(functions, joint, offset):
    rows = list(ELBOW)
    rows[joint] += f"\noffset = {offset}"
    shifted, plain = functions(robot_of("standard", *rows)), functions(robot_of("standard", *ELBOW))
    shift = np.zeros(3)
    shift[joint] = np.pi / 2 if "pi" in offset else float(offset)
    q, qd, qdd = states(3)
    expected = plain["inverse_dynamics"](q + shift, qd, qdd)
    np.testing.assert_allclose(shifted["inverse_dynamics"](q, qd, qdd), expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(shifted["inertia_matrix"](q), plain["inertia_matrix"](q + shift), rtol=0, atol=1e-12)


def test_a_scara_quill_goes_up_where_its_coordinate_is_negative(functions):
    """alpha = 180° turns z down before the quill: it slides along that z."""
    scara = library.load("scara")
    q = np.array([0.3, -0.5, -0.03, 0.2])
    moved, still = Oracle(scara).frames(q), Oracle(scara).frames(q * [1, 1, 0, 1])
    np.testing.assert_allclose(moved[2:, 2, 3] - still[2:, 2, 3], 0.03, rtol=1e-12)
    weight = 9.81 * sum(number(link.inertia.mass) for link in scara.links[2:])
    np.testing.assert_allclose(functions(scara)["gravity_torque"](q), [0, 0, -weight, 0], atol=1e-12)


# inertia -------------------------------------------------------------------------------------------------


def test_a_fixed_tool_is_carried_exactly(functions):
    """A revolute joint about y, 1 kg at x = 0.5, and a fixed tool at x = 1 with 2 kg at x = 0.1 of its own."""
    base = 'gravity = [0, 0, -9.81]\nbase = { rpy = ["-pi/2", 0, 0] }'
    arm = 'joint = "revolute"\nmass = 1\ncom = [0.5, 0, 0]'
    tool = 'joint = "fixed"\na = 1\nmass = 2\ncom = [0.1, 0, 0]'
    compute = functions(robot_of("modified", arm, tool, head=base))
    assert abs(compute["gravity_torque"](np.zeros(1))[0]) == pytest.approx(26.487, rel=1e-14)
    assert compute["inertia_matrix"](np.zeros(1))[0, 0] == pytest.approx(0.5**2 + 2 * 1.1**2, rel=1e-14)


def test_a_fixed_link_is_the_same_as_none(functions):
    """A fixed row in the middle, and its turn and shift written into the next joint's row instead."""
    first = 'joint = "revolute"\nalpha = 0.4\na = 0.3\nmass = 1\ncom = [0.1, 0, 0.1]\ninertia = { zz = 0.1 }'
    last = 'joint = "revolute"\na = 0.2\nmass = 1\ncom = [0.1, 0.2, 0]\ninertia = { xx = 0.1, yy = 0.2, zz = 0.2 }'
    between = 'joint = "fixed"\ntheta = 0.6\nb = 0.25'
    with_fixed = robot_of("standard", first, between, last)
    without = robot_of("standard", first, last + "\nb = 0.25\noffset = 0.6")
    assert_same(functions(with_fixed), functions(without), 2)


@pytest.mark.parametrize(("about", "zz"), [("com", 1), ("origin", 1.5)])
def test_inertia_about_either_point(functions, about, zz):
    arm = f'joint = "revolute"\nmass = 2\ncom = [0.5, 0, 0]\ninertia = {{ zz = {zz}, about = "{about}" }}'
    assert functions(robot_of("modified", arm))["inertia_matrix"](np.zeros(1))[0, 0] == pytest.approx(1.5, rel=1e-15)


@pytest.mark.parametrize("swap", [("xx", "yy"), ("yy", "zz"), ("xy", "xz"), ("xz", "yz"), ("xy", "yz")])
def test_every_inertia_entry_has_its_place(functions, swap):
    values = {"xx": 0.1, "yy": 0.2, "zz": 0.25, "xy": 0.01, "xz": 0.02, "yz": 0.03}
    swapped = values | {swap[0]: values[swap[1]], swap[1]: values[swap[0]]}
    q, qd, qdd = states(3)
    found = []
    for entries in (values, swapped):
        inertia = ", ".join(f"{key} = {value}" for key, value in entries.items())
        last = f'joint = "revolute"\nmass = 1\ncom = [0, 0, 0]\ninertia = {{ {inertia} }}'
        found.append(functions(robot_of("standard", *ELBOW[:2], last))["inverse_dynamics"](q, qd, qdd))
    assert np.abs(found[0] - found[1]).max() > 1e-3


def test_inertia_in_turned_axes(functions):
    """The tensor diag(1, 2, 2.5) in axes turned by 90° about z is diag(2, 1, 2.5) in the link's."""
    arm = 'joint = "revolute"\nmass = 1\ncom = [0.1, 0, 0]\ninertia = '
    turned = arm + '{ xx = 1, yy = 2, zz = 2.5, frame = { rpy = [0, 0, "pi/2"] } }'
    plain = arm + "{ xx = 2, yy = 1, zz = 2.5 }"
    assert_same(
        functions(robot_of("standard", *ELBOW[:2], turned)), functions(robot_of("standard", *ELBOW[:2], plain)), 3
    )


def test_r_is_com_from_the_other_end(functions):
    by_com = robot_of("standard", *ELBOW)
    by_r = robot_of("standard", *ELBOW[:2], ELBOW[2].replace("com = [-0.2, 0, 0.1]", "r = [0.2, 0, -0.1]"))
    assert_same(functions(by_com), functions(by_r), 3)


def test_inertia_that_no_body_has_is_noticed_with_the_links_name():
    row = 'name = "forearm"\njoint = "revolute"\nmass = 1\ncom = [0, 0, 0]\ninertia = '
    turned = 'joint = "revolute"\nalpha = "pi/2"'
    (remark,) = remarks(robot_of("standard", turned, row + "{ xx = 0.01, yy = 0.01, zz = 0.05 }"))
    assert "forearm" in remark
    assert "triangle" in remark


def test_a_joint_that_nothing_resists_is_named():
    robot = robot_of("standard", ELBOW[0], 'joint = "revolute"\njoint_name = "wrist"\na = 0.1')
    with pytest.raises(InputError, match="wrist"):
        derive(robot, Options(functions=("forward_dynamics",)))


# branches -------------------------------------------------------------------------------------------------


def test_branches_do_not_feel_each_other(functions):
    """Two arms on one base: their inertia matrix has two blocks, and each is that of the arm alone."""
    names = ("one", "two", "three")
    right = [f'name = "{name}"\n{row}' for name, row in zip(names, ELBOW, strict=True)]
    left = ['parent = "base"\n' + ELBOW[0], *ELBOW[1:]]
    alone, both = functions(robot_of("standard", *ELBOW)), functions(robot_of("standard", *right, *left))
    q, qd, qdd = states(6)
    tau = both["inverse_dynamics"](q, qd, qdd)
    for part in (slice(0, 3), slice(3, 6)):
        expected = alone["inverse_dynamics"](q[:, part], qd[:, part], qdd[:, part])
        np.testing.assert_allclose(tau[:, part], expected, rtol=0, atol=1e-12)
    assert np.all(both["inertia_matrix"](q)[:, :3, 3:] == 0)


def test_modified_branches_start_with_gamma_and_before(functions):
    """A fixed row that turns and shifts about z is what gamma and before are for."""
    leg = 'joint = "revolute"\nalpha = 0.4\na = 0.1\nd = 0.2\nmass = 1\ncom = [0.1, 0.2, 0]\ninertia = { zz = 0.1 }'
    trunk = 'name = "trunk"\njoint = "revolute"\nmass = 1\ncom = [0, 0.3, 0]\ninertia = { zz = 0.1 }'
    short = robot_of("modified", trunk, leg, leg + '\nparent = "trunk"\ngamma = 0.7\nbefore = 0.3')
    hip = 'name = "hip"\nparent = "trunk"\njoint = "fixed"\ntheta = 0.7\nd = 0.3'
    long = robot_of("modified", trunk, leg, hip, leg + '\nparent = "hip"')
    assert_same(functions(short), functions(long), 3)
