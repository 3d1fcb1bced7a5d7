"""Derivatives by velocities of free joints → by the entries of q: times the rate map's pseudo-inverse."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.program.graph import Graph, Scalar
from symgen.program.module import FreeJoint, Record

Columns = list[dict[int, Scalar]]
"""For each entry of q: velocity → how fast it must be for that entry to have the rate 1, as far as it can have it."""


def pseudo_inverse(graph: Graph, record: Record) -> Columns:
    """E⁺(q) by columns, with q̇ = E(q) v: what turns derivatives along velocities into those by the entries of q.

    Lengths of quaternions do not matter to functions: derivatives in that direction are zero, as products with E⁺ are.
    """
    columns: Columns = [{} for _ in range(record.nq)]
    owned = {joint.q + k for joint in record.free for k in range(len(joint.positions))}
    moved = {joint.v + k for joint in record.free for k in range(len(joint.velocities))}
    plain = [k for k in range(record.nv) if k not in moved]
    for entry, velocity in zip((k for k in range(record.nq) if k not in owned), plain, strict=True):
        columns[entry][velocity] = graph.constant(1)
    for joint in record.free:
        _add(graph, joint, columns)
    return columns


def _add(graph: Graph, joint: FreeJoint, columns: Columns) -> None:
    places = {name: joint.q + k for k, name in enumerate(joint.positions)}
    speeds = {name: joint.v + k for k, name in enumerate(joint.velocities)}
    axes = _axes(graph, places)
    for row, name in enumerate("xyz"):
        for column, speed in enumerate(("vx", "vy", "vz")):
            if name in places and speed in speeds and not axes[row][column].is_zero:
                columns[places[name]][speeds[speed]] = axes[row][column]
    if "theta" in places:
        columns[places["theta"]][speeds["wz"]] = graph.constant(1)
    if "qx" in places:
        x, y, z, w, over = _quaternion(graph, places)
        turned = {"qx": (w, -z, y), "qy": (z, w, -x), "qz": (-y, x, w), "qw": (-x, -y, -z)}
        for name, factors in turned.items():
            for speed, factor in zip(("wx", "wy", "wz"), factors, strict=True):
                columns[places[name]][speeds[speed]] = over * factor


def _quaternion(graph: Graph, places: dict[str, int]) -> tuple[Scalar, ...]:
    """A joint's quaternion as it is, x, y, z, w, and 2 over the square of its length."""
    entries = [graph.variable("q", places[name]) for name in ("qx", "qy", "qz", "qw")]
    return (*entries, graph.constant(2) / graph.sum(each * each for each in entries))


def _axes(graph: Graph, places: dict[str, int]) -> Sequence[Sequence[Scalar]]:
    """The own axes of a joint's link, in the joint's frame, as columns."""
    zero, one = graph.constant(0), graph.constant(1)
    if "theta" in places:
        angle = graph.variable("q", places["theta"])
        c, s = graph.cos(angle), graph.sin(angle)
        return (c, -s, zero), (s, c, zero), (zero, zero, one)
    x, y, z, w, over = _quaternion(graph, places)
    return (
        (one - over * (y * y + z * z), over * (x * y - w * z), over * (x * z + w * y)),
        (over * (x * y + w * z), one - over * (x * x + z * z), over * (y * z - w * x)),
        (over * (x * z - w * y), over * (y * z + w * x), one - over * (x * x + y * y)),
    )
