"""MuJoCo: its C from the wheel, through functions that compute no more than what is asked for."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from symgen.bench.cases import Case
from symgen.bench.harness import SINGLE, Contender
from symgen.bench.joints import PlainJoint
from symgen.bench.loops import Closing, Loops, Rod
from symgen.bench.native import CFunction, Driver, Floats
from symgen.bench.peers.peer import Peer, Plan, c_subjects
from symgen.robot.model import BASE

NAME = "mujoco"

Site = tuple[int, str, Floats]
"""A point on a joint's body (an index, or -1 for the world): its name, and its frame (4, 4) in the joint's."""

LEAST = 1e-10
"""Mass of bodies between the motions of one joint, kg: MuJoCo has none without."""

HARD = "0.9999 0.9999 0.001 0.5 2"
"""Impedance of constraints: nearly that of rigid ones, which are usually softer."""

_CALLS = {
    "inverse_dynamics": (
        "memcpy(data->qacc, last, sizeof(double) * {n});",
        "mj_kinematics(model, data), mj_comPos(model, data), mj_comVel(model, data);",
        "mj_rne(model, data, 1, first);",
    ),
    "forward_dynamics": (
        "memcpy(data->qfrc_applied, last, sizeof(double) * {n});",
        "mj_forward(model, data);",
        "memcpy(first, data->qacc, sizeof(double) * {n});",
    ),
}
"""Statements after q and q̇ were set."""

_CLOSED_CALLS = {
    "inverse_dynamics": (
        "memcpy(data->qacc, last, sizeof(double) * {n});",
        "mj_inverse(model, data);",
        "memcpy(first, data->qfrc_inverse, sizeof(double) * {n});",
    ),
    "forward_dynamics": _CALLS["forward_dynamics"],
}
"""The same for robots with loops: mj_inverse gives the forces of all joints of the tree."""

_NOTES = {
    "inverse_dynamics": "mj_inverse: forces of all joints of the tree",
    "forward_dynamics": "mj_forward, soft constraints",
}

_FLAGS = ("contact", "limit", "frictionloss")
_NO_CONSTRAINTS = ("constraint", "equality")


def missing() -> str | None:
    """Why there is nothing to time, if so."""
    if importlib.util.find_spec("mujoco") is None:
        return "mujoco is not installed: pip install 'symgen[bench]'"
    if _library() is None or not (_directory() / "include/mujoco/mujoco.h").is_file():
        return "mujoco is left out: this build of it has no headers or no libmujoco; that of PyPI has"
    return None


def contenders(case: Case, plan: Plan, progress: Callable[[str], None]) -> Iterator[Contender]:
    """Calls of its C."""
    if not _takes(case):
        return
    alone = replace(plan, threads=(1,))  # threads would need data of their own
    for function in plan.functions:
        if function not in _CALLS:
            continue
        progress(f"compiling MuJoCo's {function}")
        if case.loops is None:
            native = c_function(case, function)
            yield from c_subjects(NAME, function, native, case, alone, batch_note="a loop over calls")
        else:
            yield _closed(case, case.loops, function)


def c_function(case: Case, function: str) -> CFunction:
    """A function in the form the driver calls it; the model is compiled from its text by the first call."""
    joints, calls = (case.joints, _CALLS) if case.loops is None else (case.loops.joints, _CLOSED_CALLS)
    nq, nv = sum(joint.nq for joint in joints), sum(joint.nv for joint in joints)
    prepare = (
        "static mjModel *model;",
        "static mjData *data;",
        "if (model == NULL) {",
        "    char error[1000];",
        "    model = mj_compile(mj_parseXMLString(text, NULL, error, sizeof error), NULL);",
        "}",
        "if (data == NULL) {",
        "    data = mj_makeData(model);",
        "}",
        f"memcpy(data->qpos, q, sizeof(double) * {nq});",
        f"memcpy(data->qvel, qd, sizeof(double) * {nv});",
    )
    library = _library()
    assert library is not None
    return CFunction(
        sources={},
        declarations=(
            "#include <string.h>",
            "#include <mujoco/mujoco.h>",
            f"static const char text[] = {_literal(case)};",
        ),
        call=(*prepare, *(line.format(n=nv) for line in calls[function])),
        batch=None,
        nq=nq,
        nv=nv,
        sizes=(nv, 0, 0),
        flags=("-isystem", str(_directory() / "include")),
        libraries=(str(library), f"-Wl,-rpath,{library.parent}"),
    )


def _closed(case: Case, loops: Loops, function: str) -> Contender:
    """Calls at consistent states; what is found is that of soft constraints, of independent joints."""
    driver = Driver(c_function(case, function))
    states = states_of(loops, accelerations=function == "inverse_dynamics")
    made = driver.arrays(1)

    def results() -> list[Floats]:
        (found,) = driver.results(states)
        return [found[:, list(loops.independent)]]

    def run(start: int, calls: int) -> float:
        return driver.run(start, calls, states, made)

    return Contender(NAME, function, SINGLE, run, results, note=_NOTES[function], tolerance=float("inf"))


def states_of(loops: Loops, *, accelerations: bool) -> list[Floats]:
    """q, q̇ and τ or q̈ as MuJoCo has them: quaternions w first, floating joints in the axes of the world."""
    q, v, last = loops.q.copy(), loops.v.copy(), (loops.a if accelerations else loops.tau).copy()
    iq = iv = 0
    for joint in loops.joints:
        turning = slice(iq + joint.nq - 4, iq + joint.nq)
        if joint.free == "floating":
            place, turn = q[:, iq : iq + 3], Rotation.from_matrix(joint.rotation)
            axes = turn * Rotation.from_quat(q[:, turning])
            own = slice(iv, iv + 3)
            if accelerations:
                last[:, own] += np.cross(v[:, iv + 3 : iv + 6], v[:, own])
            v[:, own], last[:, own] = axes.apply(v[:, own]), axes.apply(last[:, own])
            q[:, iq : iq + 3], q[:, turning] = turn.apply(place) + joint.place, axes.as_quat()
        if joint.free:
            q[:, turning] = np.roll(q[:, turning], 1, axis=1)
        iq, iv = iq + joint.nq, iv + joint.nv
    return [np.ascontiguousarray(array) for array in (q, v, last)]


def _takes(case: Case) -> bool:
    """Whether MuJoCo accepts the model: every body that moves needs a mass and a tensor."""
    import mujoco

    if case.loops is not None and case.loops.lacks:
        return False
    try:
        mujoco.MjModel.from_xml_string(_text(case))
    except ValueError:
        return False
    return True


def _directory() -> Path:
    found = importlib.util.find_spec("mujoco")
    return Path((found.submodule_search_locations or ["."])[0]) if found else Path()


def _library() -> Path | None:
    return next(iter(sorted(_directory().glob("libmujoco.*"))), None)


def _literal(case: Case) -> str:
    """The model as a string of C; it is plain ASCII, for which JSON's rules are C's."""
    return json.dumps(_text(case))


def mjcf(case: Case) -> str:
    """The robot in MuJoCo's language: bodies without shapes, and what is neither joint nor loop switched off."""
    flags = " ".join(f'{name}="disable"' for name in (*_FLAGS, *_NO_CONSTRAINTS))
    bodies = "".join(_body(case.joints, k, ()) for k, joint in enumerate(case.joints) if joint.parent < 0)
    return (
        '<mujoco><compiler angle="radian" boundmass="0" balanceinertia="false"/>'
        f'<option gravity="{_numbers(case.gravity)}"><flag {flags}/></option>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )


def closed_mjcf(case: Case, loops: Loops, rests: Sequence[float]) -> str:
    """The same with loops; rods are tendons, of lengths `rests` where every coordinate is 0."""
    flags = " ".join(f'{name}="disable"' for name in _FLAGS)
    ties: list[Closing | Rod] = [*loops.closings, *loops.rods]
    sites = [
        (joint, f"end{k}_{side}", place)
        for k, each in enumerate(ties)
        for side, joint, place in zip((1, 2), each.joints, each.places, strict=True)
    ]
    joints = tuple(replace(joint, tensor=_of_a_body(joint.tensor)) for joint in loops.joints)
    bodies = "".join(_body(joints, k, sites) for k, joint in enumerate(joints) if joint.parent < 0)
    equal, tendons = "", ""
    for k, each in enumerate(loops.closings):
        kind = "weld" if each.whole else "connect"
        equal += f'<{kind} site1="end{k}_1" site2="end{k}_2" solimp="{HARD}"/>'
    for k, (rod, rest) in enumerate(zip(loops.rods, rests, strict=True), len(loops.closings)):
        tendons += f'<spatial name="rod{k}"><site site="end{k}_1"/><site site="end{k}_2"/></spatial>'
        more = _numbers((rod.length - rest, 0, 0, 0, 0))
        equal += f'<tendon tendon1="rod{k}" polycoef="{more}" solimp="{HARD}"/>'
    return (
        f'<mujoco><compiler angle="radian" boundmass="{LEAST}" boundinertia="{LEAST * 1e-3}"/>'
        f'<option gravity="{_numbers(case.gravity)}"><flag {flags}/></option>'
        f"<worldbody>{_sites(sites, BASE)}{bodies}</worldbody>"
        f"{f'<tendon>{tendons}</tendon>' if tendons else ''}<equality>{equal}</equality></mujoco>"
    )


def _of_a_body(tensor: Floats) -> Floats:
    """The tensor, with the least about other axes that a body has which resists the turn about one so much."""
    sizes, axes = np.linalg.eigh(tensor)
    lack = max(0.0, sizes[2] - sizes[0] - sizes[1]) * (1 + 1e-9) / 2
    return np.asarray(axes @ np.diag(sizes + np.array([lack, lack, 0.0])) @ axes.T)


def _text(case: Case) -> str:
    """The model; with loops, of the lengths that MuJoCo itself finds its rods to have at rest."""
    import mujoco

    if case.loops is None:
        return mjcf(case)
    first = closed_mjcf(case, case.loops, [0.0] * len(case.loops.rods))
    return closed_mjcf(case, case.loops, list(mujoco.MjModel.from_xml_string(first).tendon_length0))


def _body(joints: Sequence[PlainJoint], index: int, sites: Sequence[Site]) -> str:
    joint = joints[index]
    tensor = [joint.tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    children = "".join(_body(joints, k, sites) for k, other in enumerate(joints) if other.parent == index)
    kind = {"floating": 'type="free"', "spherical": 'type="ball"'}.get(
        joint.free, f'type="{"hinge" if joint.turns else "slide"}" axis="0 0 1"'
    )
    return (
        f"<body {_placed(joint.rotation, joint.place)}><joint {kind}/>"
        f'<inertial pos="{_numbers(joint.com)}" mass="{joint.mass!r}" fullinertia="{_numbers(tensor)}"/>'
        f"{_sites(sites, index)}{children}</body>"
    )


def _sites(sites: Sequence[Site], index: int) -> str:
    found = [(name, place) for joint, name, place in sites if joint == index]
    return "".join(f'<site name="{name}" {_placed(place[:3, :3], place[:3, 3])}/>' for name, place in found)


def _placed(rotation: Floats, place: Floats) -> str:
    x, y, z, w = Rotation.from_matrix(rotation).as_quat()
    return f'pos="{_numbers(place)}" quat="{_numbers((w, x, y, z))}"'


def _numbers(values: object) -> str:
    return " ".join(repr(float(value)) for value in np.asarray(values, dtype=float))


PEER = Peer(
    NAME,
    "C of the wheel's library: mj_kinematics, mj_comPos, mj_comVel and mj_rne; mj_forward; of loops, "
    "which are soft constraints, mj_inverse and mj_forward",
    missing,
    contenders,
    lacks="there is no function for it alone, or a moving link has no inertia",
    loops=True,
)
