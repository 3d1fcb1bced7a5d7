"""What generated texts say of robots with free joints."""

from __future__ import annotations

import re

import numpy as np
import pytest
from free_robots import FREE, module, robot

from symgen.derive.records import record
from symgen.emit.registry import LANGUAGES, language


@pytest.mark.parametrize("kind", FREE)
@pytest.mark.parametrize("name", LANGUAGES)
def test_texts_list_the_entries_of_q_and_say_what_they_mean(kind, name):
    made = module(kind)
    text = "\n".join(language(name).write(made._module).values())
    plain = " ".join(re.sub(r"\n *(\*|%|//[/!]?)", "\n", text).split())
    for number, position in enumerate(made.positions, start=1):
        assert f"Entry {number} of q: {position.name}, {position.kind}" in plain
    for number, joint in enumerate(made.joints, start=1):
        assert f"Entry {number} of qd, qdd and tau: {joint.name}, {joint.kind}; velocity in" in plain
    assert f"Joint base is {kind}: its q is" in plain
    assert ("A quaternion is x, y, z, w: vector part first" in plain) == (kind != "planar")
    assert "Derivatives by q have a column for each velocity" in plain
    assert "one entry per joint" not in plain


def test_units_of_q_name_the_entries():
    (q, qd, *_) = module("floating")._module.function("inverse_dynamics").inputs
    assert q.unit == "m (floating: x y z) or 1 (floating: quaternion) or rad (revolute)"
    assert qd.unit == "rad/s (floating: wx wy wz, revolute) or m/s (floating: vx vy vz)"


def test_the_generated_python_module_takes_quaternions_of_any_length():
    made, names = module("floating"), {}
    exec(language("python").write(made._module)["free.py"], names)
    assert (names["NQ"], names["NV"], len(names["POSITIONS"]), len(names["JOINTS"])) == (8, 7, 8, 7)
    q, qd, qdd = np.linspace(0.2, 0.9, 8), np.linspace(-1, 1, 7), np.linspace(2, -2, 7)
    scaled = q.copy()
    scaled[3:7] *= -2.5
    tau = names["inverse_dynamics"](q, qd, qdd)
    np.testing.assert_allclose(tau, made.inverse_dynamics(q, qd, qdd), rtol=1e-13)
    np.testing.assert_allclose(names["inverse_dynamics"](scaled, qd, qdd), tau, rtol=1e-12)
    with pytest.raises(ValueError, match="q has shape"):
        names["inverse_dynamics"](q[:7], qd, qdd)


@pytest.mark.parametrize(
    ("kind", "pairs"),
    [
        ("floating", [(k, k) for k in range(6)] + [(6, None), (7, 6)]),
        ("spherical", [(0, 0), (1, 1), (2, 2), (3, None), (4, 3)]),
        ("planar", [(k, k) for k in range(4)]),
        ("revolute", [(0, 0), (1, 1)]),
    ],
)
def test_records_pair_entries_of_q_with_joints(kind, pairs):
    found = record(robot(kind))
    assert list(found.pairs) == pairs
    assert len(found.free) == (kind != "revolute")
    assert found.neutral == robot(kind).neutral
