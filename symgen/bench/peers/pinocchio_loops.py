"""Pinocchio on robots with loops: constrained dynamics, and forces of the drives from rnea and constraint Jacobians."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from symgen.bench.cases import Case
from symgen.bench.harness import PYTHON, SINGLE, Contender, python_runner
from symgen.bench.loops import RANK, Closing, Loops, with_rods
from symgen.bench.native import Floats, pointer
from symgen.bench.peers.peer import Plan, called
from symgen.bench.peers.pinocchio_model import driver, joint_numbers, model_of
from symgen.errors import EnvironmentFault

TOLERANCE = 1e-6
"""Relative: constraints that imply each other need a little compliance, which shows in the accelerations."""

ACCURACY, MU, ITERATIONS = 1e-10, 1e-12, 1
"""Proximal settings: one iteration, the least, is enough with so little compliance."""

_NAMES = ("inverse_dynamics", "forward_dynamics")

_NOTES = {
    "inverse_dynamics": "rnea, computeJointJacobians, getConstraintsJacobian, an LU solve of as many rows as needed",
    "forward_dynamics": f"constraintDynamics, mu {MU:g}, one iteration",
}


@dataclass(frozen=True)
class Closed:
    """A model of Pinocchio's Python with its constraints, and which rates and rows are solved for."""

    model: Any
    data: Any
    models: Any
    datas: Any
    own: list[int]
    others: list[int]
    rows: list[int]


def contenders(
    name: str, case: Case, plan: Plan, progress: Callable[[str], None], *, compiled: bool
) -> Iterator[Contender]:
    """Calls of its C++, if that can be compiled, and of its Python, for robots whose loops it can close."""
    if case.loops is None or case.loops.lacks:
        return
    loops = with_rods(case.loops)
    closed = closed_model(case, loops)
    if len(closed.rows) < len(closed.others):
        return
    functions = [each for each in plan.functions if each in _NAMES]
    if compiled:
        progress("compiling Pinocchio's C++ for loops: a few minutes the first time")
        model = _Model(case, loops, closed)
        yield from (_native(name, model, function) for function in functions)
    yield from (_python(name, loops, closed, function) for function in functions)


# Python --------------------------------------------------------------------------------------------


def closed_model(case: Case, loops: Loops) -> Closed:
    """The tree and its constraints; the rows are picked at the first state, few where they do not suffice."""
    import pinocchio as pin
    from scipy.linalg import qr

    model = model_of(loops.joints, case.gravity)
    data = model.createData()
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for closing in loops.closings:
        kind = pin.ContactType.CONTACT_6D if closing.whole else pin.ContactType.CONTACT_3D
        ends = (
            part for joint, place in zip(closing.joints, closing.places, strict=True) for part in (joint + 1, place)
        )
        models.append(pin.RigidConstraintModel(kind, model, *(_se3(part) for part in ends), pin.LOCAL))
        datas.append(models[-1].createData())
    pin.initConstraintDynamics(model, data, models, datas)
    others = [index for index in range(loops.nv) if index not in loops.independent]
    closed = Closed(model, data, models, datas, list(loops.independent), others, [])
    _, R, order = qr(_jacobian(closed, loops.q[0])[:, others].T, pivoting=True)
    sizes = np.abs(np.diagonal(R))
    return replace(closed, rows=sorted(order[: int((sizes > RANK * sizes.max(initial=0.0)).sum())].tolist()))


def _jacobian(closed: Closed, q: Floats) -> Any:
    """The Jacobian of all constraints."""
    import pinocchio as pin

    pin.computeJointJacobians(closed.model, closed.data, q)
    for model, data in zip(closed.models, closed.datas, strict=True):
        model.calc(closed.model, closed.data, data)
    return pin.getConstraintsJacobian(closed.model, closed.data, closed.models, closed.datas)


def _se3(part: Any) -> Any:
    import pinocchio as pin

    return part if isinstance(part, int) else pin.SE3(part)


def _python(name: str, loops: Loops, closed: Closed, function: str) -> Contender:
    call = {"inverse_dynamics": _inverse_dynamics, "forward_dynamics": _forward_dynamics}[function](closed)
    last = loops.a if function == "inverse_dynamics" else loops.tau
    states = list(zip(loops.q, loops.v, last, strict=True))

    def results() -> list[Floats]:
        return called(lambda *state: np.array(call(*state)), states)

    note = _NOTES[function].replace("an LU solve", "numpy.linalg.solve")
    return Contender(name, function, PYTHON, python_runner(call, states), results, note=note, tolerance=TOLERANCE)


def _inverse_dynamics(closed: Closed) -> Callable[..., Any]:
    import pinocchio as pin

    at, chosen, own = closed, np.ix_(closed.rows, closed.others), np.ix_(closed.rows, closed.own)

    def call(q: Floats, v: Floats, a: Floats) -> Any:
        tau = pin.rnea(at.model, at.data, q, v, a)
        A = _jacobian(at, q)
        return tau[at.own] - A[own].T @ np.linalg.solve(A[chosen].T, tau[at.others])

    return call


def _forward_dynamics(closed: Closed) -> Callable[..., Any]:
    import pinocchio as pin

    settings = pin.ProximalSettings(ACCURACY, MU, ITERATIONS)
    at = closed

    def call(q: Floats, v: Floats, tau: Floats) -> Any:
        return pin.constraintDynamics(at.model, at.data, q, v, tau, at.models, at.datas, settings)[at.own]

    return call


# C++ -----------------------------------------------------------------------------------------------


class _Model:
    """A robot with states in C++, freed with this object."""

    def __init__(self, case: Case, loops: Loops, closed: Closed) -> None:
        self.size, self.states = len(closed.own), len(loops.q)
        self._library = driver("pinocchio_loops")
        self._library.peer_make.restype = ctypes.c_void_p
        self._library.peer_run.restype = ctypes.c_double
        numbers = (len(loops.joints), len(loops.closings), self.size, len(closed.others), self.states)
        arrays = [
            joint_numbers(loops.joints),
            case.gravity,
            np.array([_closing_numbers(closing) for closing in loops.closings]),
            np.array([ACCURACY, MU, ITERATIONS], dtype=float),
            *(np.array(each, dtype=float) for each in (closed.own, closed.others, closed.rows)),
            *(loops.q, loops.v, loops.a, loops.tau),
        ]
        arrays = [np.ascontiguousarray(array) for array in arrays]
        counts = (ctypes.c_long * len(numbers))(*numbers)
        self._handle = ctypes.c_void_p(self._library.peer_make(counts, *map(pointer, arrays)))
        if not self._handle:
            raise EnvironmentFault(f"Pinocchio's C++ does not take {case.robot.name}")

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._library.peer_free(self._handle)

    def results(self, function: str) -> list[Floats]:
        """The results at all states."""
        made = np.zeros((self.states, self.size))
        for k in range(self.states):
            self._library.peer_results(self._handle, _NAMES.index(function), ctypes.c_long(k), pointer(made[k]))
        return [made]

    def run(self, function: str, start: int, calls: int) -> float:
        """Nanoseconds of calls, one state after the other."""
        numbers = (ctypes.c_long(start), ctypes.c_long(calls))
        return float(self._library.peer_run(self._handle, _NAMES.index(function), *numbers))


def _closing_numbers(closing: Closing) -> list[float]:
    """A constraint as the driver reads it; Pinocchio's joint 0 is the base."""
    numbers = [float(closing.whole)]
    for joint, place in zip(closing.joints, closing.places, strict=True):
        numbers += [joint + 1.0, *place[:3, :3].ravel(), *place[:3, 3]]
    return numbers


def _native(name: str, model: _Model, function: str) -> Contender:
    return Contender(
        name,
        function,
        SINGLE,
        lambda start, calls: model.run(function, start, calls),
        lambda: model.results(function),
        note=_NOTES[function],
        tolerance=TOLERANCE,
    )
