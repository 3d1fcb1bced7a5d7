"""Inertia of links in a robot table: mass, mass centre and tensor, checked."""

from __future__ import annotations

from symgen.algebra.exact import Exact
from symgen.robot.expression import ZERO, Expression
from symgen.robot.findings import Findings, place_of
from symgen.robot.frame_tables import pose_placement, vector
from symgen.robot.model import Inertia
from symgen.robot.schema import AxesTable, InertiaTable, LinkTable, PoseTable, RobotTable


def inertia_of(
    table: RobotTable, row: LinkTable, index: int, defaults: dict[str, Exact], findings: Findings
) -> Inertia:
    """The inertia of a link's table; what is wrong with it is noted in `findings`."""
    mass = row.mass or ZERO
    _check_mass(mass, place_of(row, index, "mass"), defaults, findings)
    if row.r is not None and row.com is not None:
        findings.problem(
            place_of(row, index, "r"), "r (mass centre to frame) and com (frame to mass centre) exclude each other"
        )
    if not mass.is_zero and row.r is None and row.com is None:
        findings.problem(
            place_of(row, index, "mass"),
            "a link with mass needs its mass centre: com (from the frame's origin) or r (to the frame's origin)",
        )
    com = vector([-entry for entry in row.r]) if row.r is not None else vector(row.com)
    written = row.inertia or InertiaTable()
    entries = (written.xx, written.yy, written.zz, written.xy, written.xz, written.yz)
    about = written.about or table.inertia_about
    tensor = tuple(entry or ZERO for entry in entries)
    if about is None and not all(entry.is_zero for entry in tensor):
        findings.problem(
            place_of(row, index, "inertia"),
            'say about which point: about = "com" or "origin" here, or inertia_about at the top of the file',
        )
    own, common = written.frame, table.inertia_frame
    frame = own or common

    def place(key: str) -> str:
        return place_of(row, index, f"inertia.frame.{key}") if own else f"inertia_frame.{key}"

    axes = pose_placement(PoseTable(rpy=frame.rpy), place, defaults, findings) if isinstance(frame, AxesTable) else ()
    xx, yy, zz, xy, xz, yz = tensor
    return Inertia(mass, com, (xx, yy, zz, xy, xz, yz), about == "origin", axes)


def _check_mass(mass: Expression, place: str, defaults: dict[str, Exact], findings: Findings) -> None:
    if findings.about(place):
        return
    value = float(mass.constant(defaults))
    if value < 0:
        findings.problem(place, f"expected a mass of at least 0 kg, found {value:g}")
