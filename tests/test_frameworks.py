"""The lines for SciPy and Drake: both fall for a second, to the same state, and keep the energy."""

import numpy as np
import pytest
from documents import Page


def energy_at_the_start(arm):
    q, qd = np.array([0, -1.2, 0.4, 0.1, 0.2, 0.3]), np.zeros(arm.nv)
    return arm.kinetic_energy(q, qd) + arm.potential_energy(q)


@pytest.fixture(scope="module")
def fall():
    return Page("how-to/scipy").run()


def test_scipy(fall):
    assert fall["path"].success
    np.testing.assert_allclose(fall["energy"], energy_at_the_start(fall["arm"]), atol=1e-7)


def test_drake(fall):
    pytest.importorskip("pydrake", reason="needs drake: pip install 'symgen[drake]'")
    found = Page("how-to/drake").run()
    np.testing.assert_allclose(found["energy"], energy_at_the_start(found["arm"]), atol=1e-6)
    np.testing.assert_allclose([*found["q"], *found["qd"]], fall["path"].y[:, -1], atol=1e-5)
