"""A robot and what its `robot.yaml` says → the robot with its loops closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from symgen.errors import RobotFileError
from symgen.robot.findings import Findings
from symgen.robot.loop_parts import passed
from symgen.robot.model import CutJoint, Frame, Robot
from symgen.robot.names import free, label_problem, shortened
from symgen.robot.parallel_yaml.read import Closing, ParallelFile, Text, parsed
from symgen.robot.parallel_yaml.retyped import problem_of, with_kinds
from symgen.robot.parallel_yaml.rods import with_whole_rods
from symgen.robot.toml_text import file_text


def closed(robot: Robot, path: Path) -> Robot:
    """The robot with the loops of a `robot.yaml`, beside those that it has already.

    Motors, and joints that no loop passes, are independent. `RobotFileError` lists everything that is wrong.
    """
    source = str(path)
    given = parsed(file_text(path), source)
    findings = Findings()
    _check_joints(robot, given, findings)
    if not findings.problems:
        robot = _with_loops(with_kinds(robot, {name.text: word for name, word in given.joints}), given, findings)
    if findings.problems:
        raise RobotFileError(source, tuple(dict.fromkeys(findings.problems)))
    unread = (f"{source}: keys that are not read: {', '.join(given.unread)}",) if given.unread else ()
    return replace(robot, notices=(*robot.notices, *unread))


def _check_joints(robot: Robot, given: ParallelFile, findings: Findings) -> None:
    for index, (name, _) in enumerate(given.joints):
        if problem := problem_of(robot, name.text):
            findings.problem(name.place, problem)
        elif name.text in [other.text for other, _ in given.joints[:index]]:
            findings.problem(name.place, f"the joint {name.text!r} stands there twice")


def _with_loops(robot: Robot, given: ParallelFile, findings: Findings) -> Robot:
    frames = _frames(robot)
    taken = {cut.name for cut in robot.cut_joints}
    cuts = [_cut(robot, closing, frames, taken, findings) for closing in given.closings]
    robot = with_whole_rods(replace(robot, cut_joints=(*robot.cut_joints, *filter(None, cuts))))
    motors = _motors(robot, given.motors, findings)
    free_ones = {each.joint.name for each in robot.velocities} - passed(robot)
    independent = (each.name for each in robot.velocities if each.joint.name in motors | free_ones)
    return replace(robot, actuated=tuple(independent), motors=())


def _frames(robot: Robot) -> Mapping[str, Frame]:
    """Names of joints, which stand for the frames that they move, of links and of named frames → frames."""
    joints = {link.joint.name: Frame(link.joint.name, index, ()) for index, link in enumerate(robot.links)}
    return joints | {frame.name: frame for frame in robot.all_frames}


def _cut(
    robot: Robot, closing: Closing, frames: Mapping[str, Frame], taken: set[str], findings: Findings
) -> CutJoint | None:
    unknown = [text for text in closing.frames if text.text not in frames]
    for text in unknown:
        shown = ", ".join(list(dict.fromkeys(frame.name for frame in robot.all_frames))[:20])
        findings.problem(text.place, f"no link has the frame {shortened(text.text, 40)!r}; there are: {shown}")
    if unknown:
        return None
    names = [text.text for text in closing.frames]
    first, second = (frames[name] for name in names)
    if robot.body(first.link) == robot.body(second.link):
        findings.problem(
            closing.place, f"{names[0]!r} and {names[1]!r} are on one body, or on bodies fixed to each other"
        )
    common = "".join(one for one, other in takewhile(_are_equal, zip(*names, strict=False))).rstrip("_-./ ")
    name = free(common if label_problem(common) is None else f"loop{len(taken) + 1}", taken)
    first, second = replace(first, name=f"{name}_predecessor"), replace(second, name=f"{name}_successor")
    return CutJoint(name, closing.kind, first, second)


def _are_equal(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def _motors(robot: Robot, motors: tuple[Text, ...], findings: Findings) -> set[str]:
    """Names of the joints that are driven; a joint's name holds one of the motors'."""
    found: set[str] = set()
    for motor in motors:
        driven = {joint.name for joint in robot.joints if motor.text in joint.name}
        if not driven:
            known = ", ".join(joint.name for joint in robot.joints[:20]) or "none"
            findings.problem(
                motor.place, f"the name of no joint that moves holds {motor.text[:40]!r}; there are: {known}"
            )
        found |= driven
    return found
