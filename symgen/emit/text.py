"""Pieces of text that the headers and docstrings of several targets share."""

from __future__ import annotations

import textwrap

from symgen.program.module import Argument, Assembly, FreeJoint, Function, Module, Record
from symgen.program.pattern import Pattern

LEGEND = (
    "c3, s3        cosine and sine of joint 3's angle",
    "w3_x, wd3_x   angular velocity and acceleration of link 3, in its own frame",
    "a3_x          acceleration of the origin of link 3's frame, gravity included",
    "U3_xy         entry of wd3 x 1 + (w3 x 1)^2",
    "F3_x, N3_x    force and moment about its origin that link 3's motion needs",
    "f3_x, n3_x    force and moment that joint 3 carries",
    "m3c, ms3_x, J3_xx   mass, first moment, inertia of the composite body 3",
    "I1_3          entry (1, 3) of the inertia matrix; u1_3 of its factor U",
    "mhat3, r3     articulated inertia of joint 3 and its reciprocal",
    "..._neg       the negative of that, where it costs less",
    "..._scaled    that divided by a constant, where it saves multiplications by others",
    "v3_x          velocity of the origin of link 3's frame, in that frame",
    "R3_xy, p3_x   orientation and origin of link 3's frame in the base frame",
    "C1_3, B1_3    entries of the matrix of convective inertia and of the inverse inertia matrix",
    "psi3_n_x, phi3, eta3_n_x, mu3_n_x, I3hat_xx, H3hat_xx, M3hat_xx   articulated-body recursion",
)
"""What the names in generated code mean, by example; own frames are on the joint axes (z)."""


def legend(module: Module) -> tuple[str, ...]:
    """What the names in a module's code mean."""
    further = [line for function in module.functions for line in function.legend]
    return (*LEGEND, *dict.fromkeys(further))


PACKED = (
    "Where the values of packed results lie in the whole matrices, counted from 0: value k in row indices[k]; those "
    "of column j are the values from indptr[j] to before indptr[j + 1], by rows. Other entries are zero at every "
    "state. Of symmetric matrices both triangles are there."
)
"""What a file says of the patterns of packed results."""


def packed_results(function: Function) -> tuple[tuple[str, Pattern], ...]:
    """The packed results of a function, by name, with their patterns."""
    return tuple((output.name, output.pattern) for output in function.outputs if output.pattern is not None)


_TABLES = {"placed": "Links: placed by xyz (m) and rpy (rad) in their parents' frames, joint axes in the links' own"}
"""What stands above links that are no rows of a table."""


def argument_text(argument: Argument) -> str:
    """One line: name, shape, meaning and unit of an argument."""
    shape = " x ".join(map(str, argument.shape)) or "1"
    order = ", row by row" if len(argument.shape) > 1 else ""
    return f"{argument.name} [{shape}]: {meaning_text(argument)}{order}"


def meaning_text(argument: Argument) -> str:
    """What an argument means, and its unit."""
    return f"{argument.description}, {argument.unit}" if argument.unit else argument.description


def robot_lines(module: Module, width: int = 96) -> tuple[str, ...]:
    """What a file says of the robot it was made for; free text that could end a comment is not yet escaped."""
    record = module.record
    lines = [f"Robot: {record.robot}" + (f", {record.description}" if record.description else "")]
    if record.source:
        lines.append(f"Data: {record.source}")
    lines += [_TABLES.get(record.convention, f"Table: {record.convention} Denavit-Hartenberg"), *record.table]
    lines.append(f"Gravity: {record.gravity}")
    lines += _joint_lines(record) if record.is_plain else free_lines(record)
    lines += [f"Coordinate {k} of cut joints: {text}" for k, text in enumerate(module.cut_coordinates, start=1)]
    return tuple(part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="    "))


def _joint_lines(record: Record) -> list[str]:
    return [
        f"Joint {index}: {joint.name}, {joint.kind}; q in {joint.position_unit}, force in {joint.force_unit}"
        for index, joint in enumerate(record.joints, start=1)
    ]


def free_lines(record: Record) -> list[str]:
    """The entries of q and of velocities of a robot with free joints, and what they mean."""
    lines = [
        f"Entry {k} of q: {each.name}, {each.kind}" + (f"; in {each.unit}" if each.unit != "1" else "")
        for k, each in enumerate(record.positions, start=1)
    ]
    lines += [
        f"Entry {k} of qd, qdd and tau: {each.name}, {each.kind}; velocity in {each.velocity_unit}, force in "
        f"{each.force_unit}"
        for k, each in enumerate(record.joints, start=1)
    ]
    if record.loops:
        lines += [*record.loops, _LOOPS]
    if record.actuated:
        lines.append(
            f"Actuators are more than freedoms; in the order of the entries of tau_m: {', '.join(record.actuated)}"
        )
    return lines + (free_notes(record) if record.free else [])


_FREE = {
    "floating": (
        "its q is the position of the link's own origin in the frame of the joint, then the link's orientation as a "
        "quaternion. Its velocities are the twist of the link: the velocity of that origin, then the angular velocity, "
        "both in the link's own axes; its accelerations are the rates of these numbers, its forces the force and the "
        "moment about that origin, in the same axes"
    ),
    "spherical": (
        "its q is the orientation of the link in the frame of the joint as a quaternion. Its velocities are the "
        "angular velocity in the link's own axes; its accelerations are the rates of these numbers, its forces the "
        "moment in the same axes"
    ),
    "planar": (
        "its q is the position of the link's own origin in the plane x, y of the frame of the joint, then the angle "
        "about z. Its velocities are the velocity of that origin in the link's own axes, then the angular velocity; "
        "its accelerations are the rates of these numbers, its forces the force in the same axes, then the moment "
        "about that origin"
    ),
}
"""What the numbers of a free joint are, by its kind; its own frame is that of the link, on the joint."""


def free_notes(record: Record) -> list[str]:
    """What the entries of q and of velocities of free joints mean, in sentences."""
    notes = [f"Joint {joint.name} is {joint.kind}: {_free_text(joint)}." for joint in record.free]
    rates = []
    if any(joint.kind == "floating" for joint in record.free):
        notes.append("Twists of other frames, such as Jacobians give, have the angular velocity first.")
    if any("x" in joint.positions for joint in record.free):
        rates.append("that of a position is R v, with R the link's orientation and v its velocity in own axes")
    turning = next((joint for joint in record.free if joint.quaternion), None)
    if turning is not None:
        names, none = turning.quaternion_words
        part = "scalar" if names.startswith("w") else "vector"
        notes.append(
            f"A quaternion is {names}: {part} part first, and {none} for no turn. Its length does not matter: it "
            "stands for the one of length 1 in its direction."
        )
        rates.append("that of a quaternion is half its product with (w, 0), w the angular velocity in own axes")
    notes.append(
        f"For these joints the rate of q is not their velocities: {'; '.join(rates)}. Derivatives by q have a column "
        "for each velocity: the derivative along a small motion at that unit velocity, not by an entry of q."
    )
    return notes


def neutral_text(module: Module) -> str:
    """What the neutral configuration is."""
    if module.record.loops:
        return "A guess of q for assemble: the posture of the robot's file"
    return "The q at which no joint moves its link but for its offset"


def start_arguments(module: Module) -> list[str]:
    """What the function is called with that finds where assembly starts; nothing if there is none."""
    assert module.assembly is not None
    if not module.assembly.start:
        return []
    return [argument.name for argument in module.function(module.assembly.start).inputs]


def assembly_arguments(module: Module, step: Function) -> tuple[Argument, ...]:
    """What assembly is given: positions of independent joints, a guess of q, and what else its step takes."""
    assert module.assembly is not None
    positions = [module.record.positions[place] for place in module.assembly.places]
    names = ", ".join(position.name for position in positions)
    unit = step.inputs[0].unit
    start = module.function(module.assembly.start).inputs[2:] if module.assembly.start else ()
    further = {argument.name: argument for argument in (*step.inputs[1:], *start)}
    return (
        Argument("given", (len(positions),), unit, f"positions of independent joints: {names}"),
        Argument("guess", step.inputs[0].shape, unit, "a q near the one that is meant; other entries of it count"),
        *further.values(),
    )


def assembly_summary(assembly: Assembly) -> str:
    """What assembly does, in a sentence."""
    first = f"from what {assembly.start} finds on the guess's branch, " if assembly.start else ""
    return (
        "The q that closes the loops at given positions of independent joints, next to a guess: "
        f"{first}Newton's method, at most {assembly.most} steps, until the sum of the squares of the residuals is at "
        f"most {assembly.closed:.1e}."
    )


def _free_text(joint: FreeJoint) -> str:
    """What the numbers of a free joint are; of one whose velocities loops make, what its q is."""
    text = _FREE[joint.kind]
    return text if joint.velocities else text.partition(". ")[0]


_LOOPS = (
    "The loops are closed: q is that of the whole tree which is left when they are cut, and functions take it to be "
    "consistent. The entries of qd, qdd and tau are those of the independent joints, which determine the others."
)


def parameter_lines(module: Module) -> tuple[str, ...]:
    """One line for each run-time parameter: name, default, unit and meaning."""
    return tuple(f"{p.name} = {p.default!r} {p.unit}: {p.meaning}" for p in module.parameters)


def regressor_note(module: Module) -> str:
    """What must be said of the parameters that belong to the regressor's columns."""
    values = "the values of this robot" + (" at the default values of its parameters" if module.parameters else "")
    return (
        f"The inertial parameters that belong to the columns of regressor, in order, with {values}. They are about the "
        "origins of frames on the joint axes (z); a link stands for all that is fixed to it. An R in a name marks one "
        "that stands for several. Y times them are the joint forces of the links, gravity included."
    )


def regressor_lines(module: Module) -> tuple[str, ...]:
    """One line for each parameter of the regressor's columns: name, value, unit, meaning and definition."""
    parameters = module.regressor.parameters if module.regressor is not None else ()
    return tuple(f"{p.name} = {p.default!r} {p.unit}: {p.meaning}" for p in parameters)


def wrapped(text: str, width: int, indent: str) -> str:
    """`text` broken at spaces, continuation lines indented; what has no space stays whole."""
    return "\n".join(
        textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    )


def comment_safe(text: str) -> str:
    """Free text that cannot end, nest or continue a comment of C or JavaScript."""
    text = text.replace("*/", "* /").replace("/*", "/ *")
    while "??" in text:
        text = text.replace("??", "? ?")
    return text
