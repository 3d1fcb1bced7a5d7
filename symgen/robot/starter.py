"""A robot file to begin with: it works as it is, and explains every key beside it.

Lines that begin with "# key = " are keys at work when the mark is taken away.
"""

from __future__ import annotations

from symgen.errors import InputError
from symgen.robot.names import identifier, robot_problem

MAX_JOINTS = 100


def starter_text(name: str, convention: str = "standard", joints: int = 2) -> str:
    """The text of a robot file for an arm of slender rods; `InputError` if no robot can have that name."""
    problem = robot_problem(name)
    if problem:
        raise InputError(problem)
    if convention not in _ROWS:
        raise InputError(f"unknown convention {convention[:60]!r}; there are: {', '.join(_ROWS)}")
    if not 1 <= joints <= MAX_JOINTS:
        raise InputError(f"expected between 1 and {MAX_JOINTS} joints, found {joints}")
    links = [_first_link(convention), *(_next_link(convention, number) for number in range(2, joints + 1))]
    return "\n".join([_HEAD.format(name=name, row=_ROWS[convention], convention=convention), *links, _LOOPS])


def robot_name(stem: str) -> str:
    """The name of a robot whose file has this stem: an identifier made of it."""
    return identifier(stem)


_ROWS = {
    "standard": """\
# Standard (distal) rows are Rz(theta) Tz(b) Tx(a) Rx(alpha): the joint turns about, or slides along, z of the frame
# before the row, and the link's frame is at its far end.""",
    "modified": """\
# Modified rows (Craig, Khalil) are Rz(gamma) Tz(before) Rx(alpha) Tx(a) Rz(theta) Tz(d): the joint turns about, or
# slides along, z of the link's own frame, which is at its near end.""",
}

_HEAD = """\
# A robot for symgen. It works as it is: change the numbers to yours, then
#
#     symgen info FILE         shows frames, joint axes and masses as they were understood
#     symgen generate FILE     generates, compiles and verifies its dynamics
#
# Units are SI, angles are in radians. A number is 0.25, or an expression in quotes over pi and the [parameters]:
# "-pi/2", "L/2 + 0.1", "sqrt(2)*L", "m*L**2/12". It is taken exactly.

name = "{name}"                      # prefix of all generated functions and files
description = "an arm to begin with"    # one line, shown in generated files
# source = "data sheet, page 7"         # where the numbers are from

{row}
# Read in the wrong convention a table is another robot, so it must be said.
convention = "{convention}"
# snap = false                          # take 1.5708 as it is; without this it is pi/2, and it is said so
gravity = [0, 0, -9.81]                 # m/s^2, in the base frame
# With snap = false angles such as 1.5708 are taken as they are printed, not as pi/2.
inertia_about = "com"                   # tensors are about the mass centre; or "origin", of the link's frame
# inertia_frame = "link"                # axes of all tensors: the link's, or turned, such as {{ rpy = [0, 0, "pi/2"] }}

[parameters]                            # names for use in expressions, with their values
L = 0.4                                 # m, length of a link
m = 1.5                                 # kg, mass of a link

# Where the first row begins: a shift, then turns about the fixed x, y, z in this order.
# [base]
# xyz = [0, 0, 0.1]
# rpy = [0, 0, "pi/4"]

# The tool's frame, fixed to a link (the last one, if none is named); wrenches and Jacobians may refer to it.
# [tool]
# xyz = [0, 0, 0.05]
# rpy = [0, 0, 0]
# link = "link1"
# name = "tool"

# More frames, as many as you like.
# [[frames]]
# name = "camera"
# link = "link1"
# xyz = [0, "L/4", 0]
# rpy = ["pi/6", 0, 0]

# One table for every link, in the order of the joint coordinates.
"""

_ROW_KEYS = {
    "standard": """\
a = {a}                                 # m, along x
alpha = "pi/2"                          # rad, about x
b = 0.2                                 # m, along z; not on a prismatic joint, whose coordinate it is
""",
    "modified": """\
# gamma = 0                             # rad, turn about the parent's z before the row, for branches
# before = 0                            # m, shift along the parent's z before the row, for branches
a = 0                                   # m, along x of the frame before
alpha = 0                               # rad, about x of the frame before
d = 0.2                                 # m, along z; not on a prismatic joint, whose coordinate it is
""",
}

_COM = {"standard": '["-L/2", 0, 0]', "modified": '["L/2", 0, 0]'}

_ROD = '{ xx = "m*L**2/1000", yy = "m*L**2/12", zz = "m*L**2/12" }'


_LOOPS = """\
# A robot with closed loops: the links above are a tree, and what follows ties some of them to others. Take away both
# marks of the lines that you need, and put `actuated` where name and gravity stand; or take all to a file of its own,
# for symgen generate FILE --loops LOOPS_FILE. The numbers here close no loop of this arm.
# # actuated = ["joint1"]                 # the joints that are driven: positions, rates and forces of others follow
# # independent = []                      # or what is given instead, such as the angles of an ankle moved by two rods
# # [[loops]]                             # a joint that is cut: a frame of one link stays on a frame of another
# # name = "pin"
# # joint = "revolute"                    # or prismatic, cylindrical, universal, spherical, planar, fixed, inline or
# #                                       # rod, which keeps the frames' origins apart by length = 0.3 (m)
# # predecessor = { link = "link2", xyz = [0, 0, 0], rpy = [0, 0, 0] }    # its z is the axis, as the successor's is
# # successor = { link = "base", xyz = [0.6, 0, 0] }                      # or { frame = "camera" } of [[frames]]
# # axis = [0, 0, 1]                      # what it turns about or slides along, in both frames
# # viscous_friction = 0.1                # friction, springs and limits, by the keys that joints have
# # branch = "left"                       # of two assemblies, or right (slides: near, far); else that of the posture
# # [[couplings]]                         # gears, belts, differentials: a sum of coordinates that does not change
# # name = "belt"
# # terms = { joint1 = 1, joint2 = -2 }   # joint1 - 2 joint2 = 0.1, in rad and m
# # offset = 0.1
# # [posture]                             # where the joints are, roughly, in the assembly that is meant, rad or m
# # joint1 = 0.5
# # [[loops]]                             # a loop that is closed at some times alone: a foot, a hand that holds
# # name = "foot"
# # joint = "spherical"
# # predecessor = { link = "base" }       # contact forces are in its axes, on the successor
# # successor = { link = "link2" }
# # [contacts]                            # sets of such loops, which close together
# # stance = ["foot"]
"""


def _first_link(convention: str) -> str:
    keys = _ROW_KEYS[convention].replace("{a}", '"L"')
    return f"""\
[[links]]
name = "link1"                          # for messages, tables and frames
# parent = "base"                       # the link that carries it, if it is not the one above
# A helical joint needs a pitch too, in m/rad, how far it slides while it turns: pitch = "0.002/(2*pi)". A cylindrical
# one has two coordinates, its turn and its slide.
joint = "revolute"                      # or "prismatic", "helical", "cylindrical"; or "fixed": theta is a constant turn
# joint_name = "shoulder"
# A joint may follow another, q = ratio q' + offset, with mimic = {{ joint = "shoulder", ratio = 2, offset = 0 }}, and
# have limits = {{ lower = -3, upper = 3, velocity = 2, effort = 50 }}, which are handed on to generated code.
# offset = 0                            # rad or m, added to the joint's coordinate
# direction = -1                        # the joint turns (or slides) the other way: the angle (length) is offset - q
{keys}mass = "m"                              # kg
# Mass centre from the origin of the link's frame, m; or r = [..], the way from the mass centre to the origin.
com = {_COM[convention]}
# Entries of the tensor, kg m^2: products are -(integral of x y dm). Also in it: about = "origin", to differ from
# inertia_about above, and frame = {{ rpy = [..] }}, to differ from inertia_frame.
inertia = {_ROD}
# The joint's drive; all of it may be left out.
# rotor_inertia = 1e-4                  # kg m^2, about the motor's axis; the joint feels it times gear_ratio^2
# gear_ratio = 100                      # motor turns per turn of the joint (per metre: rad/m)
# rotor = {{ axis = [0, 0, 1] }}          # of the motor, in the frame of the link that carries it: it turns with that
# viscous_friction = 0.1                # N m s/rad or N s/m, at the joint
# coulomb_friction = 0.2                # N m or N, at the joint, against the motion
# coulomb_smoothing = 0.01              # rad/s or m/s: tanh(qd/0.01) instead of the sign of qd
# sigmoid_friction = 0.2                # N m or N: A of friction A/(1 + exp(-s (qd + v))) - A/(1 + exp(-s v))
# sigmoid_slope = 30                    # s/rad or s/m: its s
# sigmoid_shift = 0.02                  # rad/s or m/s: its v
# stiffness = 50                        # N m/rad or N/m, of a spring in the joint
# rest_position = "pi/6"                # rad or m: the spring asks for 50 (q - pi/6)
# How far (rad or m), how fast and how hard the joint may move; told in generated code, not enforced.
# limits = {{ lower = "-pi/2", upper = "pi/2", velocity = 2, effort = 50 }}
# A joint may follow another: mimic = {{ joint = "shoulder", ratio = -1, offset = 0.1 }} for -1 times its coordinate
# plus 0.1. A link may be placed in its parent's frame instead of by a row: by xyz = [..], rpy = [..] and, for the
# joint, axis = [..] in the link's own frame, as in a URDF; joint_xyz and joint_rpy say where the joint is on the link.
"""


def _next_link(convention: str, number: int) -> str:
    row = 'a = "L"\nalpha = 0\nb = 0' if convention == "standard" else _modified_row(number)
    return f"""\
[[links]]
name = "link{number}"
joint = "revolute"
{row}
mass = "m"
com = {_COM[convention]}
inertia = {_ROD}
"""


def _modified_row(number: int) -> str:
    return f'a = "L"\nalpha = {_quoted(number)}\nd = 0'


def _quoted(number: int) -> str:
    return '"pi/2"' if number == 2 else "0"
