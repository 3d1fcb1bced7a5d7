"""What closes loops, as a robot file says it: tables → cut joints, couplings, actuated coordinates, posture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from symgen.algebra.exact import Exact
from symgen.robot.contact_tables import with_contacts
from symgen.robot.cut_drives import cut_drive
from symgen.robot.cut_drives import numbers as acting_numbers
from symgen.robot.cut_frames import turned_onto
from symgen.robot.cut_tables import MISSING, check_rows, cut_axis, row_placement
from symgen.robot.expression import ZERO, Expression
from symgen.robot.findings import Findings
from symgen.robot.loops import CUTS, Coupling, CutKind
from symgen.robot.model import BASE, CutJoint, Frame, Placement, Robot, Vector
from symgen.robot.names import shown_key
from symgen.robot.schema import CouplingTable, EndTable, LoopsFile, LoopTable, PoseTable

ReadPose = Callable[[PoseTable | None, Callable[[str], str]], Placement]
"""Makes a placement of a table; the function makes places in messages."""


def with_loops(robot: Robot, table: LoopsFile, read: ReadPose, findings: Findings) -> Robot:
    """The robot with what closes its loops, beside what it has already; problems are told to `findings`."""
    reader = _Reader(robot, read, findings)
    cuts = tuple(reader.cut(loop, index) for index, loop in enumerate(table.loops))
    taken = [cut.name for cut in (*robot.cut_joints, *robot.switched)]
    _check_different(findings, "loops", [cut.name for cut in cuts], taken)
    robot, cuts = with_contacts(robot, table, cuts, findings)
    if not (cuts or table.couplings or robot.has_loops):
        rest = "; those of [contacts] take no freedom" if robot.contacts else ""
        for key in ("actuated", "independent", "posture"):
            if getattr(table, key):
                findings.problem(key, f"only robots with [[loops]] or [[couplings]] have this key{rest}")
        return robot
    couplings = tuple(reader.coupling(entry, index) for index, entry in enumerate(table.couplings))
    reader.check_agree((*robot.couplings, *couplings), len(robot.couplings))
    _check_different(findings, "couplings", [each.name for each in couplings], [each.name for each in robot.couplings])
    motors, named = _driven(reader, table)
    # In the order of the tree, as all coordinates are.
    actuated, motors = (
        tuple(each.name for each in robot.velocities if each.name in names)
        for names in (named or robot.actuated, motors if named else robot.motors)
    )
    if not (actuated or table.actuated or table.independent):
        findings.problem("actuated", "missing; name the joints that are driven: the others follow from them")
    return replace(
        robot,
        cut_joints=robot.cut_joints + cuts,
        couplings=robot.couplings + couplings,
        actuated=actuated,
        motors=motors,
        posture=tuple((dict(robot.posture) | dict(reader.posture(table.posture))).items()),
    )


def _driven(reader: _Reader, table: LoopsFile) -> tuple[Sequence[str], list[str]]:
    """(surplus motors and others, independent coordinates) by name; no motors where they are the independent ones.

    Where `independent` repeats names of `actuated`, it names all that are independent, and actuators may be more.
    """
    driven = reader.independent("actuated", table.actuated)
    others = reader.independent("independent", table.independent)
    for key, names in (("actuated", driven), ("independent", others)):
        for name in dict.fromkeys(name for name in names if names.count(name) > 1):
            reader.findings.problem(key, f"{name!r} is named twice")
    if not set(driven) & set(others):
        return (), driven + others
    if len(driven) <= len(others):
        reader.findings.problem(
            "independent",
            "names joints of actuated, which says that there are more actuators than freedoms, but there are not: "
            "leave those out",
        )
    return driven, others


def _check_different(findings: Findings, key: str, names: Sequence[str], taken: Sequence[str]) -> None:
    for index, name in enumerate(names):
        if name in (*taken, *names[:index]):
            findings.problem(f"{key}[{index + 1}].name", f"the name {name!r} is taken already")


def numbers(table: LoopsFile) -> Iterable[tuple[str, Expression]]:
    """(place, number) of all numbers that belong to loops."""
    for index, loop in enumerate(table.loops):
        if loop.length is not None:
            yield f"loops[{index + 1}].length", loop.length
        for key, value in acting_numbers(loop):
            yield f"loops[{index + 1}].{key}", value
        for side, end in (("predecessor", loop.predecessor), ("successor", loop.successor)):
            for key, values in (("xyz", end.xyz), ("rpy", end.rpy)) if end else ():
                for number, value in enumerate(values or ()):
                    yield f"loops[{index + 1}].{side}.{key}[{number + 1}]", value
        for number, value in enumerate(loop.axis or ()):
            yield f"loops[{index + 1}].axis[{number + 1}]", value
        for number, row in enumerate(loop.rows or ()):
            for key, value in row:
                if isinstance(value, Expression):
                    yield f"loops[{index + 1}].rows[{number + 1}].{key}", value
    for index, coupling in enumerate(table.couplings):
        for name, ratio in coupling.terms.items():
            yield f"couplings[{index + 1}].terms.{shown_key(name)}", ratio
        if coupling.offset is not None:
            yield f"couplings[{index + 1}].offset", coupling.offset
    for name, value in table.posture.items():
        yield f"posture.{shown_key(name)}", value


class _Reader:
    def __init__(self, robot: Robot, read: ReadPose, findings: Findings) -> None:
        self.robot, self.read, self.findings = robot, read, findings
        self.links = {link.name: index for index, link in enumerate(robot.links)}
        self.frames = {frame.name: frame for frame in robot.frames}
        self.known = len(robot.cut_joints) + len(robot.switched)
        self.defaults = robot.defaults

    def cut(self, loop: LoopTable, index: int) -> CutJoint:
        place = f"loops[{index + 1}]"
        kind, name = CUTS[loop.joint], loop.name or f"loop{self.known + index + 1}"
        names = f"{name}_predecessor", f"{name}_successor"
        if loop.rows is not None:
            check_rows(loop, kind, self.robot.convention, place, self.findings)
            first, second = (
                Frame(
                    name,
                    self._link(row.link, f"{place}.rows[{number}].link"),
                    row_placement(row, f"{place}.rows[{number}]", self.defaults, self.findings),
                )
                for number, name, row in zip((1, 2), names, loop.rows, strict=True)
            )
        else:
            axis = cut_axis(loop, kind, place, self.defaults, self.findings)
            first = self._end(loop.predecessor, axis, f"{place}.predecessor", names[0])
            second = self._end(loop.successor, axis, f"{place}.successor", names[1])
        is_whole = loop.rows is not None or (loop.predecessor is not None and loop.successor is not None)
        if is_whole and self.robot.body(first.link) == self.robot.body(second.link):
            self.findings.problem(place, "both ends are on one body, or on bodies fixed to each other: nothing is tied")
        length = self._length(loop, kind, place)
        drive, limits = cut_drive(loop, kind, f"{place}.{{}}".format, self.defaults, self.findings)
        return CutJoint(name, kind, first, second, length, loop.branch or "", drive, limits)

    def _length(self, loop: LoopTable, kind: CutKind, place: str) -> Expression:
        if kind is not CutKind.ROD:
            if loop.length is not None:
                self.findings.problem(f"{place}.length", f"only rods have a length; this is a {kind.value} joint")
            return ZERO
        if loop.length is None:
            self.findings.problem(f"{place}.length", "missing; give the distance of a rod's ends in m")
            return ZERO
        if not self.findings.about(f"{place}.length") and float(loop.length.constant(self.defaults)) <= 0:
            self.findings.problem(f"{place}.length", f"expected a length above 0, found {loop.length}")
        return loop.length

    def _end(self, end: EndTable | None, axis: Vector, place: str, name: str) -> Frame:
        if end is None:
            self.findings.problem(place, MISSING[place.rpartition(".")[2]])
            return Frame(name, BASE, ())
        if (end.link is None) == (end.frame is None):
            found = "none of them" if end.link is None else "both"
            self.findings.problem(place, f"expected either link or frame, found {found}")
            return Frame(name, BASE, ())
        if end.frame is not None:
            if end.xyz or end.rpy:
                self.findings.problem(place, "a frame says where it is: leave out xyz and rpy, or give a link")
            if end.frame not in self.frames:
                self._unknown(f"{place}.frame", "frame", end.frame, self.frames)
                return Frame(name, BASE, ())
            frame = self.frames[end.frame]
            return Frame(name, frame.link, turned_onto(frame.placement, axis, self.defaults))
        assert end.link is not None
        placement = turned_onto(self.read(end, f"{place}.{{}}".format), axis, self.defaults)
        return Frame(name, self._link(end.link, f"{place}.link"), placement)

    def _link(self, name: str, place: str) -> int:
        if name != "base" and name not in self.links:
            self._unknown(place, "link", name, self.links)
        return self.links.get(name, BASE)

    def coupling(self, table: CouplingTable, index: int) -> Coupling:
        place = f"couplings[{index + 1}]"
        known = [each for each, _, _ in self.robot.plain_coordinates]
        terms = []
        for each, ratio in table.terms.items():
            where = f"{place}.terms.{shown_key(each)}"
            value = ratio.constant({}).rational if ratio.is_constant else None
            if each not in known:
                self._unknown(where, "coordinate", each, known)
            elif value is None or value == 0:
                self.findings.problem(where, f"expected a rational ratio other than 0, found {ratio}")
            else:
                terms.append((each, value))
        name = table.name or f"coupling{len(self.robot.couplings) + index + 1}"
        return Coupling(name, tuple(terms), table.offset or ZERO)

    def check_agree(self, couplings: Sequence[Coupling], known: int) -> None:
        """Note which couplings, of those after the first `known`, cannot hold beside those before them."""
        reduced: list[tuple[str, dict[str, Fraction], Exact]] = []
        for index, coupling in enumerate(couplings):
            terms = dict(coupling.terms)
            if not set(coupling.offset.symbols()) <= set(self.defaults):
                continue  # told already
            rest = coupling.offset.constant(self.defaults)
            for pivot, row, value in reduced:
                if factor := terms.get(pivot, Fraction(0)) / row[pivot]:
                    terms = {
                        name: terms.get(name, Fraction(0)) - factor * row.get(name, Fraction(0))
                        for name in dict.fromkeys((*terms, *row))
                    }
                    rest = rest - value * factor
            pivot = next((name for name, ratio in terms.items() if ratio), "")
            if pivot:
                reduced.append((pivot, terms, rest))
            elif rest and coupling.terms:
                names, away = ", ".join(name for name, _ in coupling.terms), rest.plain()[:40]
                message = f"contradicts the couplings above: they say another sum of {names}, off by {away}"
                self.findings.problem(f"couplings[{index - known + 1}]", message)

    def independent(self, key: str, names: Sequence[str]) -> list[str]:
        """Names of coordinates: a joint's name stands for all of its own."""
        found: list[str] = []
        for index, name in enumerate(names):
            own = [each.name for each in self.robot.velocities if name in (each.name, each.joint.name)]
            if not own:
                self._unknown(f"{key}[{index + 1}]", "joint", name, [joint.name for joint in self.robot.joints])
            found += own
        return found

    def posture(self, given: Mapping[str, Expression]) -> Iterable[tuple[str, Expression]]:
        known = [each.name for each in self.robot.positions]
        for name, value in given.items():
            if name in known:
                yield name, value
            else:
                self._unknown(f"posture.{shown_key(name)}", "coordinate", name, known)

    def _unknown(self, place: str, what: str, name: str, known: Iterable[str]) -> None:
        names = ", ".join(list(known)[:20]) or "none"
        self.findings.problem(place, f"no {what} is called {name[:40]!r}; there are: {names}")
