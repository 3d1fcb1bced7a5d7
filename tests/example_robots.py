"""The URDFs of the package example-robot-data, read by symgen and by Pinocchio, and compared in floating point.

Run as a script it compares all of them, with fixed and floating base, mimic joints reduced and independent:

    python tests/example_robots.py [PART OF A NAME]
"""

import functools
import sys
import time
from importlib.metadata import files
from pathlib import Path

import numpy as np
import pinocchio as pin

from symgen.algebra.domain import Floats
from symgen.derive.derivation import Options, derive
from symgen.errors import SymgenError
from symgen.mechanics import kinematics
from symgen.mechanics.functions import registry
from symgen.mechanics.instantiation import instantiate
from symgen.program.interpreter import evaluate
from symgen.program.program import Program
from symgen.robot.joints import JointKind
from symgen.robot.library import load
from symgen.robot.model import Robot

STEP = 1e-6


def paths() -> dict[str, Path]:
    """Name → file of every URDF of the package."""
    found = [Path(str(file.locate())) for file in files("example-robot-data") or () if str(file).endswith(".urdf")]
    return {path.stem: path for path in sorted(found)}


class Pair:
    """A robot here and in Pinocchio, with what carries states and forces from one to the other."""

    def __init__(self, path: Path, base: str, mimic: str, robot: Robot | None = None) -> None:
        """`robot` is to be the one in the file; it is read from there if not given."""
        self.robot = robot or load(str(path), base=base, mimic=mimic, snap=False)
        root = [] if base == "fixed" else [pin.JointModelFreeFlyer()]
        self.model = pin.buildModelFromUrdf(str(path), *root)
        self.data = self.model.createData()
        self.model.gravity.linear[:] = [float(entry.constant({})) for entry in self.robot.gravity]
        self.joints = {self.model.names[index]: index for index in range(1, self.model.njoints)}
        self.G = np.zeros((self.model.nv, self.robot.nv))
        for link, (_, _, v) in zip(self.robot.links, self.robot.coordinates(), strict=True):
            if link.joint.nv:
                start = self._joint(link).idx_v
                self.G[start : start + link.joint.nv, v] = np.eye(link.joint.nv) * float(link.joint.ratio)

    def _joint(self, link):
        known = self.joints.get(link.joint.name, 1 if link.joint.kind is JointKind.FLOATING else None)
        assert known is not None, f"Pinocchio has no joint {link.joint.name}"
        return self.model.joints[known]

    def q(self, q):
        """Pinocchio's configuration."""
        result = pin.neutral(self.model)
        for link, (_, own, _) in zip(self.robot.links, self.robot.coordinates(), strict=True):
            if not link.joint.nv:
                continue
            joint, values = self._joint(link), q[own]
            if link.joint.mimic is not None:
                values = values * float(link.joint.ratio) + float(link.joint.mimic.offset.constant(self.robot.defaults))
            if joint.nq == 2 and link.joint.nq == 1:
                values = [np.cos(values[0]), np.sin(values[0])]
            if link.joint.kind is JointKind.PLANAR:
                values = [values[0], values[1], np.cos(values[2]), np.sin(values[2])]
            result[joint.idx_q : joint.idx_q + joint.nq] = values
        return result

    def inertia(self):
        upper = np.triu(pin.crba(self.model, self.data, self.at))
        return upper + np.triu(upper, 1).T

    @functools.cached_property
    def coriolis(self) -> Program:
        """The generated program of the Coriolis matrix."""
        options = Options(functions=("coriolis_matrix",), effort="low")
        return derive(self.robot, options).module.functions[0].program

    def errors(self, seed: int, *, slopes: bool) -> dict[str, float]:
        """Function → error relative to the size of the result, at a random state."""
        chance = np.random.default_rng(seed)
        q = chance.uniform(-1, 1, self.robot.nq)
        for _, own, _ in self.robot.coordinates():
            if own.stop - own.start >= 4:
                q[own.stop - 4 : own.stop] /= np.linalg.norm(q[own.stop - 4 : own.stop])
        qd, qdd, tau = chance.uniform(-1, 1, (3, self.robot.nv))
        self.at, G, model, data = self.q(q), self.G, self.model, self.data
        v, a = G @ qd, G @ qdd
        inertia = G.T @ self.inertia() @ G
        bias = pin.nonLinearEffects(model, data, self.at, v)
        gravity = pin.computeGeneralizedGravity(model, data, self.at)
        friction = self._friction(qd)
        expected = {
            "inverse_dynamics": [G.T @ pin.rnea(model, data, self.at, v, a) + friction],
            "inertia_matrix": [inertia],
            "bias_torque": [G.T @ bias],
            "gravity_torque": [G.T @ gravity],
            "coriolis_torque": [G.T @ (bias - gravity)],
        }
        if np.linalg.cond(inertia) < 1e8:
            expected["forward_dynamics"] = [np.linalg.solve(inertia, tau - G.T @ bias - friction)]
        mechanism = instantiate(self.robot, Floats({"q": q, "qd": qd, "qdd": qdd, "tau": tau}))
        if slopes:
            pin.computeRNEADerivatives(model, data, self.at, v, a)
            expected["inverse_dynamics_derivatives"] = [
                G.T @ data.dtau_dq @ G,
                G.T @ data.dtau_dv @ G + self._slopes(),
            ]
        errors = {}
        for name, arrays in expected.items():
            for formulation in registry.named(name).formulations:
                if formulation.trees and (formulation.tied or not mechanism.is_tied):
                    found = formulation.derive(mechanism)
                    errors[name] = max(errors.get(name, 0.0), max(map(_error, found, arrays)))
        C = evaluate(self.coriolis, {"q": q, "qd": qd})["C"]
        errors["coriolis_matrix"] = _error(C @ qd, expected["coriolis_torque"][0])
        # Pinocchio's matrix is one of Christoffel's symbols too: with its transpose it is the rate of its inertia.
        own = pin.computeCoriolisMatrix(model, data, self.at, v)
        errors["inertia_rate"] = _error(C + C.T, G.T @ (own + own.T) @ G)
        frame = mechanism.frame(self.robot.links[-1].name)
        pin.computeJointJacobians(model, data, self.at)
        pin.updateFramePlacements(model, data)
        place = model.getFrameId(self.robot.links[-1].name, pin.BODY)
        columns = (
            pin.getFrameJacobian(model, data, place, pin.LOCAL_WORLD_ALIGNED).reshape(6, -1)[[3, 4, 5, 0, 1, 2]] @ G
        )
        errors["jacobian"] = _error(kinematics.jacobian(mechanism, frame, kinematics.BASE_AXES), columns)
        return errors

    def _drives(self):
        return [(link.joint, v) for link, (_, _, v) in zip(self.robot.links, self.robot.coordinates(), strict=True)]

    def _friction(self, qd):
        total = np.zeros(self.robot.nv)
        for joint, v in self._drives():
            ratio, drive = float(joint.ratio), joint.drive
            rate = ratio * qd[v]
            total[v] += ratio * (number(drive.viscous) * rate + number(drive.coulomb) * np.sign(rate))
        return total

    def _slopes(self):
        total = np.zeros(self.robot.nv)
        for joint, v in self._drives():
            total[v] += float(joint.ratio) ** 2 * number(joint.drive.viscous)
        return np.diag(total)


def number(expression) -> float:
    """The value of a constant."""
    return float(expression.constant({}))


def _error(found, expected) -> float:
    found = np.array(found, dtype=float)
    return float(np.abs(found - expected).max(initial=0) / max(1.0, np.abs(expected).max(initial=0)))


def main(part: str = "") -> None:
    worst: dict[str, float] = {}
    for name, path in paths().items():
        if part not in str(path):
            continue
        for base in ("fixed", "floating"):
            for mimic in ("reduced", "independent"):
                start = time.perf_counter()
                try:
                    pair = Pair(path, base, mimic)
                    if not pair.robot.nv:
                        print(f"{name} {base}: nothing moves")
                        continue
                    if mimic == "reduced" and not any(link.joint.mimic for link in pair.robot.links):
                        continue
                    found: dict[str, float] = {}
                    for seed in range(20 if pair.robot.nv < 45 else 3):
                        for key, error in pair.errors(seed, slopes=seed < 3).items():
                            found[key] = max(found.get(key, 0.0), error)
                except SymgenError as error:
                    print(f"{name} {base} {mimic}: refused: {error}")
                    continue
                except Exception as error:
                    print(f"{name} {base} {mimic}: {type(error).__name__}: {error}")
                    continue
                key = max(found, key=found.__getitem__)
                worst |= {k: max(worst.get(k, 0.0), error) for k, error in found.items()}
                mark = "" if found[key] < 1e-9 else "  <<<<<"
                print(
                    f"{name} {base} {mimic}: nq {pair.robot.nq} nv {pair.robot.nv}: {found[key]:.1e} ({key}), "
                    f"{time.perf_counter() - start:.1f} s{mark}",
                    flush=True,
                )
    print({key: f"{value:.1e}" for key, value in worst.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
