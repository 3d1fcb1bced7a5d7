"""Robots with loops whose tree is integrated as it is: all its positions, and its rates or what they follow from.

Nothing is assembled but the start, so that the loops open as far as the integration errs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from symgen.errors import InputError, LimitError
from symgen.program.module import FreeJoint
from symgen.runtime.configuration import free_rates, normalised
from symgen.runtime.module import DynamicsModule
from symgen.simulation import checks
from symgen.simulation.bases import Basis, Choice
from symgen.simulation.closing import PRINTED, Complement, Penalty
from symgen.simulation.forces import Force, Forces
from symgen.simulation.loops import plain_rates
from symgen.simulation.results import Simulation
from symgen.simulation.systems import System

Floats = NDArray[np.float64]

_ALL = ("tree_inertia_matrix", "closure", "potential_energy")
NEEDED = {
    Penalty: ("penalty_dynamics", *_ALL),
    Complement: ("tree_inverse_dynamics", "independent_constraints", *_ALL),
}
"""What a module needs for each."""


class Unassembled(System):
    """Its state is [q, speeds], with speeds that the tree's rates v follow from, and the work of joint forces."""

    def __init__(self, module: DynamicsModule, forces: Forces, end: float, *, works: bool) -> None:
        super().__init__(module, forces, end, works=works)
        self._tree = _Places(module)
        self.resets: list[float] = []

    def _take(self) -> None:
        """Forward dynamics of the closed robot is none of what is needed."""
        module = self._module
        self._transformation = checks.function_of_state(module, "velocity_transformation", "q")
        self._inertia = checks.function_of_state(module, "tree_inertia_matrix", "q")
        self._closure = checks.function_of_state(module, "closure", "q")
        self._potential = checks.function_of_state(module, "potential_energy", "q")

    def state(self, q: Floats, qd: Floats) -> Floats:
        """The state at the start, where the loops are closed."""
        speeds = self._start(q, self._transformation(q) @ qd)
        if speeds.dtype != np.float64 or self._inertia(q).dtype != np.float64:
            raise LimitError(
                f"{self._module.name}: its functions compute in float32, too coarse to be integrated; generate the "
                'module with real="float64"'
            )
        state = np.concatenate([q, speeds, np.zeros(int(self._works))])
        self._is_finite = bool(np.isfinite(self.rates(self.forces.at, 0.0, state)).all())
        self._calls = 0
        if not self._is_finite:
            raise self.failure()
        return state

    @abstractmethod
    def _start(self, q: Floats, v: Floats) -> Floats:
        """The speeds at the start, of the tree's rates v, nv."""

    @abstractmethod
    def _velocity(self, q: Floats, speeds: Floats) -> Floats:
        """v, nv."""

    def observed(self, states: Floats) -> Floats:
        """[q, v, work] (s, ·), whatever the speeds were then."""
        q, speeds, rest = self._parts(states)
        return np.hstack([q, [self._velocity(*pair) for pair in zip(q, speeds, strict=True)], rest])

    def _driven(self, tau: Floats) -> Floats:
        forces = np.zeros(self._tree.nv)
        forces[self._tree.own] = tau
        return forces

    def result(self, t: Floats, states: Floats, **facts: Any) -> Simulation:
        """The simulation whose observed `states` (s, ·) are those at times `t` (s,)."""
        nq, nv, record = self._module.nq, self._tree.nv, self._module.record
        q, v = normalised(record, states[:, :nq]), states[:, nq : nq + nv]
        qd = v[:, self._tree.own]
        tau = np.array([self.forces.at(time, *pair) for time, *pair in zip(t, q, qd, strict=True)])
        kinetic = np.einsum("si,sij,sj->s", v, self._inertia(q), v) / 2
        return Simulation(
            self._module.name,
            record,
            t,
            q,
            qd,
            tau,
            kinetic_energy=kinetic,
            potential_energy=self._potential(q),
            work=states[:, nq + nv].copy() if self._works else np.zeros(len(t)),
            interpolation=self.forces.interpolation,
            residual=np.abs(self._closure(q)).max(axis=-1),
            resets=tuple(self.resets),
            **facts,
        )


class Penalised(Unassembled):
    """Springs and dampers close the loops; the speeds are v."""

    _called = "penalty_dynamics"
    _cause = ", or the springs that close the loops are too stiff for the step"

    def __init__(self, module: DynamicsModule, forces: Forces, end: float, asked: Penalty, *, works: bool) -> None:
        super().__init__(module, forces, end, works=works)
        self._coefficients = np.array(asked.coefficients)

    def _take(self) -> None:
        super()._take()
        self._dynamics = checks.function_of_state(self._module, self._called, "q", "v", "tau", "penalty")

    def _start(self, q: Floats, v: Floats) -> Floats:
        return v

    def _velocity(self, q: Floats, speeds: Floats) -> Floats:
        return speeds

    def _parts(self, states: Floats) -> tuple[Floats, Floats, Floats]:
        nq, nv = self._module.nq, self._tree.nv
        return states[..., :nq], states[..., nq : nq + nv], states[..., nq + nv :]

    def _motion(self, force: Force, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, float]:
        qd = v[self._tree.own]
        tau = force(t, q, qd)
        return self._tree.rates(q, v), self._dynamics(q, v, tau, self._coefficients), float(tau @ qd)


class Projected(Unassembled):
    """The tree's equations in an orthogonal complement of the constraints; the speeds are υ (Khan 2002, eq. (2.23))."""

    _called = "the equations of motion"
    _cause = ", or the rates that are integrated do not determine the others there (see `resets` of `Complement`)"
    _haste = 3

    def __init__(self, module: DynamicsModule, forces: Forces, end: float, asked: Complement, *, works: bool) -> None:
        super().__init__(module, forces, end, works=works)
        self._asked = asked
        self._still = np.zeros(self._tree.nv)
        self._joints = None if asked.joints is None else self._tree.indices(asked.joints)

    def _take(self) -> None:
        super()._take()
        self._constraints = checks.function_of_state(self._module, "independent_constraints", "q", "v")
        self._bias = checks.function_of_state(self._module, "tree_inverse_dynamics", "q", "v", "vd")

    def _start(self, q: Floats, v: Floats) -> Floats:
        _, A, _ = self._constraints(q, self._still)
        self._choice = Choice(self._asked, A, self._joints)
        return self._choice.of(A).coordinates(v)

    def _parts(self, states: Floats) -> tuple[Floats, Floats, Floats]:
        nq, count = self._module.nq, self._module.nv
        return states[..., :nq], states[..., nq : nq + count], states[..., nq + count :]

    def _velocity(self, q: Floats, speeds: Floats) -> Floats:
        return self._at(q, speeds)[1]

    def _at(self, q: Floats, speeds: Floats) -> tuple[Basis, Floats]:
        """S, and v = S υ + η with A η = −σ φ (eqs. (2.13), (2.20))."""
        phi, A, _ = self._constraints(q, self._still)
        basis = self._choice.of(A)
        return basis, basis.S @ speeds - basis.R @ (self._asked.stabilization * phi)

    def _motion(self, force: Force, t: float, q: Floats, speeds: Floats) -> tuple[Floats, Floats, float]:
        basis, v = self._at(q, speeds)
        _, A, A_dot = self._constraints(q, v)
        qd = v[self._tree.own]
        tau = force(t, q, qd)
        S, M = basis.S, self._inertia(q)
        gamma = basis.inverse @ (-self._asked.stabilization * (A @ v) - A_dot @ v)
        left = self._driven(tau) - self._bias(q, v, self._still) - M @ gamma
        change = _solved(S.T @ M @ S, S.T @ left)
        if self._asked.rate != PRINTED:
            change = basis.rate(v, S @ change + gamma, A_dot)
        return self._tree.rates(q, v), change, float(tau @ qd)

    def renewed(self, state: Floats) -> Floats | None:
        """Where N is close to singular it is chosen anew, and υ with it: the rates stay what they are."""
        q, speeds, rest = self._parts(state)
        v = self._velocity(q, speeds)
        _, A, _ = self._constraints(q, self._still)
        if not np.isfinite(v).all() or not self._choice.renew(A):
            return None
        self.resets.append(float(self._t))
        return np.concatenate([q, self._choice.of(A).coordinates(v), rest])


def _solved(matrix: Floats, right: Floats) -> Floats:
    try:
        return np.asarray(np.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        return np.full_like(right, np.nan)


class _Places:
    """Where a tree's rates are in v, nv, and what rates of q they make."""

    def __init__(self, module: DynamicsModule) -> None:
        record = module.record
        self._name, self._record, self._plain = module.name, record, list(plain_rates(record))
        self._free = [_of_tree(joint, record.free[:index]) for index, joint in enumerate(record.free)]
        self.nv = record.nq - sum(bool(joint.quaternion) for joint in record.free)
        known = dict(self._plain)
        places = [known[place] for place in record.independent if place in known]
        for joint, whole in zip(record.free, self._free, strict=True):
            places += [whole.v + k for k in range(len(joint.velocities))]
        self.own = sorted(places)

    def rates(self, q: Floats, v: Floats) -> Floats:
        """q̇, nq."""
        result = np.zeros(self._record.nq)
        for place, index in self._plain:
            result[place] = v[index]
        for joint in self._free:
            own = slice(joint.q, joint.q + len(joint.positions))
            result[own] = free_rates(joint, q[own], v)
        return result

    def indices(self, names: Sequence[str]) -> list[int]:
        """Places in v of coordinates of the tree by name; `InputError` unless there are as many as independent ones."""
        known = {self._record.positions[place].name: index for place, index in self._plain}
        wrong = [name for name in names if name not in known]
        if wrong or len(set(names)) != self._record.nv:
            raise InputError(
                f"{self._name}: joints: expected {self._record.nv} different ones of {', '.join(known)}; found "
                f"{', '.join(map(str, names))}"[:400]
            )
        return sorted(known[name] for name in names)


def _of_tree(joint: FreeJoint, before: Sequence[FreeJoint]) -> FreeJoint:
    """A free joint with its rates among those of the tree, where loops make none of them."""
    names = [f"v{name}" for name in joint.positions if name in ("x", "y", "z")]
    names += [f"w{axis}" for axis in "xyz"] if joint.quaternion else ["wz"]
    first = joint.q - sum(bool(each.quaternion) for each in before)
    return replace(joint, v=first, velocities=tuple(names))
