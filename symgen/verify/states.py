"""Random states at which functions are compared, of the size that arms move in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from symgen.robot.model import Robot
from symgen.verify.entry import Draw, Signature
from symgen.verify.geometry import Floats
from symgen.verify.loops.assembly import postures
from symgen.verify.loops.expected import Closed
from symgen.verify.oracle import Loads, Oracle
from symgen.verify.setting import Setting

SPEED = 2.0
THRUST = 5.0
GRAVITY = 10.0
MOMENT = 5.0
FORCE = 20.0

OFF_SPHERE = 4
"""Of so many states one has quaternions that are no unit quaternions."""

LENGTHS = np.array([0.5, 2.0, 0.9, 1.4])
"""Lengths of these quaternions."""


@dataclass(frozen=True)
class States:
    """Joint states, q (states, nq), others (states, n): angles within ±π, lengths within ±0.5 m, rates within ±2, ±5.

    `tau` are the forces that accelerate the joints by `answer` at (q, qd), according to the oracle. `gravity`
    (states, 3) is None where it is the robot's own. `wrenches`: argument name → (states, 6), in N m and N; `frames`:
    argument name → the frame it acts on. `others`: arguments that are none of these (see `Entry.drawn`).
    """

    q: Floats
    qd: Floats
    qdd: Floats
    tau: Floats
    answer: Floats
    gravity: Floats | None
    wrenches: Mapping[str, Floats]
    frames: Mapping[str, str]
    others: Mapping[str, Floats] = field(default_factory=dict)

    def argument(self, name: str) -> Floats:
        """The input array called `name`."""
        given = {"q": self.q, "qd": self.qd, "qdd": self.qdd, "tau": self.tau, **self.wrenches, **self.others}
        return self.gravity if name == "gravity" and self.gravity is not None else given[name]

    def first(self, count: int) -> States:
        """The first states."""
        state = (self.q, self.qd, self.qdd, self.tau, self.answer)
        q, qd, qdd, tau, answer = (array[:count] for array in state)
        gravity = None if self.gravity is None else self.gravity[:count]
        wrenches = {name: wrench[:count] for name, wrench in self.wrenches.items()}
        others = {name: array[:count] for name, array in self.others.items()}
        return States(q, qd, qdd, tau, answer, gravity, wrenches, self.frames, others)

    @property
    def loads(self) -> list[tuple[str, Floats]]:
        """The external wrenches, each with its frame."""
        return [(self.frames[name], wrench) for name, wrench in self.wrenches.items()]


def others(signatures: Iterable[Signature]) -> dict[str, Draw]:
    """How the arguments of functions are drawn that are not those of a joint state."""
    return {name: make for signature in signatures for name, make in signature.entry.drawn.items()}


def draw(
    oracle: Oracle,
    states: int,
    seed: int | tuple[int, ...],
    setting: Setting | None = None,
    drawn: Mapping[str, Draw] | None = None,
) -> States:
    """`states` random states, the same for the same seed, of numbers that the setting's real type has.

    `drawn`: how further arguments are made.
    """
    setting = setting or Setting()
    generator = np.random.default_rng(seed)
    robot = oracle.robot
    q = (
        postures(oracle, states, generator)
        if robot.has_loops
        else _placed(robot, generator.uniform(-1, 1, (states, robot.nq)))
    )
    qd, qdd, answer = generator.uniform(-1, 1, (3, states, len(robot.independent)))
    q, qd, qdd = (_rounded(setting, array) for array in (q, SPEED * qd, THRUST * qdd))
    gravity = _rounded(setting, GRAVITY * generator.uniform(-1, 1, (states, 3))) if setting.gravity else None
    size = np.array([MOMENT] * 3 + [FORCE] * 3)
    wrenches = {name: _rounded(setting, size * generator.uniform(-1, 1, (states, 6))) for name, _ in setting.wrenches}
    loads = [(frame, wrenches[name]) for name, frame in setting.wrenches]
    exact, inertia = _answered(oracle, setting, (q, qd, THRUST * answer), gravity, wrenches, loads)
    tau = _rounded(setting, exact)
    answer = THRUST * answer + _solved(inertia, tau - exact)
    further = {name: _rounded(setting, make(generator, oracle.robot, states)) for name, make in (drawn or {}).items()}
    further |= halves(setting, qdd, tau)
    return States(q, qd, qdd, tau, answer, gravity, wrenches, dict(setting.wrenches), further)


def _answered(
    oracle: Oracle,
    setting: Setting,
    state: tuple[Floats, Floats, Floats],
    gravity: Floats | None,
    wrenches: Mapping[str, Floats],
    loads: Loads,
) -> tuple[Floats, Floats]:
    """Forces that make the accelerations of a state, and the inertia matrix there."""
    q, qd, qdd = state
    if not oracle.robot.has_loops:
        return oracle.inverse_dynamics(q, qd, qdd, gravity, loads), oracle.inertia_matrix(q)
    given = {"q": q, "qd": qd, **wrenches} | ({} if gravity is None else {"gravity": gravity})
    at = Closed(oracle, setting, dict(setting.wrenches), given)
    return at.forces(qdd).value, at.inertia.value


def halves(setting: Setting, qdd: Floats, tau: Floats) -> dict[str, Floats]:
    """The arguments of hybrid dynamics: some of these accelerations, and of the forces those of the other joints."""
    if not setting.given:
        return {}
    return {"qdd_given": qdd[..., list(setting.given)], "tau_given": tau[..., list(setting.others(tau.shape[-1]))]}


def _placed(robot: Robot, q: Floats) -> Floats:
    """Positions (states, nq) from numbers within ±1: angles and lengths in their reach, quaternions of length 1.

    Every `OFF_SPHERE`th state has quaternions of other lengths, for which the normalised ones are meant.
    """
    reach = [each.position.reach for each in robot.positions]
    q = q * [1.0 if far is None else far for far in reach]
    stretch = LENGTHS[np.arange(len(q)) // OFF_SPHERE % len(LENGTHS)]
    stretch[np.arange(len(q)) % OFF_SPHERE > 0] = 1.0
    free = [index for index, far in enumerate(reach) if far is None]
    for start in free[::4]:
        quaternion = q[:, start : start + 4]
        quaternion *= (stretch / np.linalg.norm(quaternion, axis=-1))[:, None]
    return q


def _rounded(setting: Setting, array: Floats) -> Floats:
    return np.asarray(np.asarray(array, dtype=setting.real), dtype=float)


def _solved(matrix: Floats, forces: Floats) -> Floats:
    """What these forces add to accelerations; least squares where the matrix is singular."""
    if not forces.any():
        return forces
    return np.asarray((np.linalg.pinv(matrix, hermitian=True) @ forces[..., None])[..., 0])
