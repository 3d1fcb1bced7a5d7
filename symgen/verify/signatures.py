"""What every function takes and gives, by its name and the setting it was generated with."""

from __future__ import annotations

from collections.abc import Iterator

from symgen.errors import InputError
from symgen.robot.model import Robot
from symgen.verify.entry import (
    ACTUATED,
    ALL,
    COLUMNS,
    CONTACT,
    CUT_COORDINATES,
    CUTS,
    DEPENDENT,
    EACH,
    GIVEN,
    LINKS,
    NQ,
    NV,
    OTHERS,
    ROWS,
    TREE,
    Entry,
    Signature,
)
from symgen.verify.functions.registry import FUNCTIONS
from symgen.verify.setting import Setting


def signatures(robot: Robot, setting: Setting) -> dict[str, Signature]:
    """Name → signature of every function that can be verified with this setting; those of each frame come last."""
    return {signature.name: signature for signature in _all(robot, setting)}


def frames(robot: Robot, setting: Setting) -> tuple[tuple[str, str], ...]:
    """The setting's (frame name, identifier) pairs or, without any, the first named frame or that of the last link."""
    first = robot.tool or robot.links[robot.last].name
    chosen = setting.frames or ((first, ""),)
    known = {frame.name for frame in robot.all_frames}
    for name in [frame for frame, _ in chosen] + [frame for _, frame in setting.wrenches]:
        if name not in known:
            raise InputError(f"{robot.name}: no frame is called {name[:60]!r}; there are: {', '.join(sorted(known))}")
    return chosen


def _all(robot: Robot, setting: Setting) -> Iterator[Signature]:
    chosen = frames(robot, setting)
    names = tuple(frame for frame, _ in chosen)
    entries = [entry for entry in FUNCTIONS if entry.known(setting) and _has(robot, entry)]
    for name in robot.contact_loops:
        for entry in entries:
            if entry.contacts:
                yield _signature(robot, setting, entry, f"_{name}", (), name)
    for entry in entries:
        if entry.frames != EACH and not entry.contacts:
            yield _signature(robot, setting, entry, "", names if entry.frames == ALL else ())
    for frame, identifier in chosen:
        for entry in entries:
            if entry.frames == EACH:
                yield _signature(robot, setting, entry, f"_{identifier}" if len(chosen) > 1 else "", (frame,))


def _has(robot: Robot, entry: Entry) -> bool:
    """Whether robots like this one have a function."""
    kinds = (robot.has_loops or entry.unlooped, robot.motors or not entry.redundant)
    return all(kinds) and bool(robot.cut_coordinates or not entry.of_cuts)


def _signature(
    robot: Robot, setting: Setting, entry: Entry, suffix: str, frames: tuple[str, ...], contacts: str = ""
) -> Signature:
    arguments = entry.arguments
    if setting.gravity and entry.gravity:
        arguments += ("gravity",)
    if entry.loads:
        arguments += tuple(argument for argument, _ in setting.wrenches)
    moved = sum(link.joint.nv > 0 for link in robot.links)
    extents = {
        NQ: robot.nq,
        NV: len(robot.independent),
        TREE: robot.nv,
        ROWS: robot.constraints,
        ACTUATED: len(robot.motors),
        CUTS: len(robot.cut_joints),
        CUT_COORDINATES: len(robot.cut_coordinates),
        DEPENDENT: robot.nv - len(robot.independent),
        COLUMNS: len(setting.regressor),
        LINKS: moved,
    }
    extents |= {GIVEN: len(setting.given), OTHERS: len(robot.independent) - len(setting.given)}
    extents[CONTACT] = sum(cut.kind.size for cut in robot.contact_loops.get(contacts, ()))
    shapes = tuple(tuple(extents[e] if isinstance(e, str) else e for e in shape) for shape in entry.shapes)
    repeated = len(frames) if entry.frames == ALL else 1
    return Signature(entry, entry.name + suffix, frames, arguments, shapes * repeated, contacts)
