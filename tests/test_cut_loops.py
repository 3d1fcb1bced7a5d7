"""Linkages cut open: forces of the generated trees, taken to the actuators in plain NumPy, against references."""

from __future__ import annotations

import numpy as np
import pytest
from cut_loops import SYSTEMS
from test_khalil import assert_near, functions, reference

pytestmark = pytest.mark.parametrize("system", SYSTEMS)


class Linkage:
    """All samples of a linkage's states and trajectories, and the generated tree's arrays at them (samples, …)."""

    def __init__(self, system: str) -> None:
        name, sample = SYSTEMS[system]
        self.samples = [sample(record) for record in (*reference(name)["states"], *reference(name)["trajectory"])]
        self.closures = [each.closure for each in self.samples]
        self.independent = self.samples[0].independent
        self.tree = functions(name)
        self.q = np.array([closure.q for closure in self.closures])
        self.qd, self.qdd, self.tau, self.work, self.reactions = (
            np.array([getattr(each, key) for each in self.samples]) for key in ("qd", "qdd", "tau", "work", "reactions")
        )
        self.G = np.array([closure.transformation(self.independent) for closure in self.closures])
        self.drift = np.array(
            [closure.drift(self.independent, qd) for closure, qd in zip(self.closures, self.qd, strict=True)]
        )

    def reduced(self, forces: np.ndarray) -> np.ndarray:
        """Gᵀ times forces of the tree."""
        return np.einsum("sij,si->sj", self.G, forces)

    def inertia(self) -> np.ndarray:
        return np.einsum("sij,sik,skl->sjl", self.G, self.tree["inertia_matrix"](self.q), self.G)

    def forces(self, qdd: np.ndarray) -> np.ndarray:
        return self.tree["inverse_dynamics"](self.q, self.qd, qdd)

    def expected(self, key: str) -> tuple[list[int], np.ndarray]:
        """Samples that have it, and what they have."""
        having = [k for k, each in enumerate(self.samples) if key in each.expected]
        return having, np.array([self.samples[k].expected[key] for k in having])


@pytest.fixture(scope="module")
def linkages() -> dict[str, Linkage]:
    return {system: Linkage(system) for system in SYSTEMS}


def test_the_linkage_is_closed_and_stays_so(linkages, system):
    linkage, independent = linkages[system], linkages[system].independent
    assert max(np.abs(closure.gap).max() for closure in linkage.closures) < 1e-12
    assert_near(np.einsum("sij,sj->si", linkage.G, linkage.qd[:, independent]), linkage.qd)
    assert_near(np.einsum("sij,sj->si", linkage.G, linkage.qdd[:, independent]) + linkage.drift, linkage.qdd)


def test_forces_of_the_tree_give_those_of_the_actuators(linkages, system):
    linkage = linkages[system]
    forces = linkage.forces(linkage.qdd)
    assert_near(linkage.reduced(forces - linkage.work), linkage.tau)
    actuated = np.zeros_like(forces)
    actuated[:, linkage.independent] = linkage.tau
    assert_near(actuated + linkage.reactions, forces)


def test_the_equations_of_motion_in_independent_velocities(linkages, system):
    linkage, independent = linkages[system], linkages[system].independent
    inertia, bias = linkage.inertia(), linkage.reduced(linkage.forces(linkage.drift))
    gravity = linkage.reduced(linkage.tree["gravity_torque"](linkage.q))
    motion = linkage.qdd[:, independent, None]
    tau = linkage.tau + linkage.reduced(linkage.work)
    assert_near(np.linalg.solve(inertia, (tau - bias)[..., None]), motion)
    for key, found in {
        "Mc": inertia,
        "hc": bias - gravity,
        "gc": gravity,
        "effective_inertia": 1 / np.linalg.inv(inertia)[:, 0, 0],
    }.items():
        having, expected = linkage.expected(key)
        if having:
            assert_near(found[having], expected)
    having, pushed = linkage.expected("tau_in")
    if having:
        found = np.linalg.solve(inertia[having], (pushed - bias[having])[..., None])[..., 0]
        assert_near(found, linkage.expected("theta_actuated_dd_fd")[1])
