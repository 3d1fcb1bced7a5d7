"""MuJoCo: its C from the wheel, through functions that compute no more than what is asked for."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from symgen.bench.cases import Case
from symgen.bench.harness import Contender
from symgen.bench.native import CFunction
from symgen.bench.peers.peer import Peer, Plan, c_subjects

NAME = "mujoco"

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

_FLAGS = ("contact", "constraint", "limit", "equality", "frictionloss")


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
        if function in _CALLS:
            progress(f"compiling MuJoCo's {function}")
            yield from c_subjects(
                NAME, function, c_function(case, function), case, alone, batch_note="a loop over calls"
            )


def c_function(case: Case, function: str) -> CFunction:
    """A function in the form the driver calls it; the model is compiled from its text by the first call."""
    n = len(case.joints)
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
        f"memcpy(data->qpos, q, sizeof(double) * {n});",
        f"memcpy(data->qvel, qd, sizeof(double) * {n});",
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
        call=(*prepare, *(line.format(n=n) for line in _CALLS[function])),
        batch=None,
        nq=n,
        nv=n,
        sizes=(n, 0),
        flags=("-isystem", str(_directory() / "include")),
        libraries=(str(library), f"-Wl,-rpath,{library.parent}"),
    )


def _takes(case: Case) -> bool:
    """Whether MuJoCo accepts the model: every body that moves needs a mass and a tensor."""
    import mujoco

    try:
        mujoco.MjModel.from_xml_string(mjcf(case))
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
    return json.dumps(mjcf(case))


def mjcf(case: Case) -> str:
    """The robot in MuJoCo's language: bodies without shapes, and everything but the joints' dynamics switched off."""
    flags = " ".join(f'{name}="disable"' for name in _FLAGS)
    bodies = "".join(_body(case, k) for k, joint in enumerate(case.joints) if joint.parent < 0)
    return (
        '<mujoco><compiler angle="radian" boundmass="0" balanceinertia="false"/>'
        f'<option gravity="{_numbers(case.gravity)}"><flag {flags}/></option>'
        f"<worldbody>{bodies}</worldbody></mujoco>"
    )


def _body(case: Case, index: int) -> str:
    joint = case.joints[index]
    x, y, z, w = Rotation.from_matrix(joint.rotation).as_quat()
    tensor = [joint.tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    children = "".join(_body(case, k) for k, other in enumerate(case.joints) if other.parent == index)
    return (
        f'<body pos="{_numbers(joint.place)}" quat="{_numbers((w, x, y, z))}">'
        f'<joint type="{"hinge" if joint.turns else "slide"}" axis="0 0 1"/>'
        f'<inertial pos="{_numbers(joint.com)}" mass="{joint.mass!r}" fullinertia="{_numbers(tensor)}"/>'
        f"{children}</body>"
    )


def _numbers(values: object) -> str:
    return " ".join(repr(float(value)) for value in np.asarray(values, dtype=float))


PEER = Peer(
    NAME,
    "C of the wheel's library: mj_kinematics, mj_comPos, mj_comVel and mj_rne; mj_forward",
    missing,
    contenders,
    lacks="there is no function for it alone, or a moving link has no inertia",
)
