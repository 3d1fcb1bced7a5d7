"""Derivatives of long programs: first ones by the entries of q, made of those along velocities."""

import free_robots
import numpy as np
import pytest
import spherical_robots

from symgen.derive.derivation import Options, derive
from symgen.emit.derivatives import parts
from symgen.emit.derivatives.known import KNOWN
from symgen.emit.registry import language
from symgen.program.interpreter import evaluate

ROBOTS = {
    "floating": (lambda: free_robots.robot("floating"), {}),
    "floating, scalar first": (lambda: free_robots.robot("floating", arm=False), {"quaternion": "wxyz"}),
    "planar, packed": (lambda: free_robots.robot("planar"), {"packed": True}),
    "spherical": (spherical_robots.spherical, {}),
}


def derived(name, function="inverse_dynamics", **further):
    robot, options = ROBOTS[name]
    functions = (function, *KNOWN[function].functions_of_first)
    return derive(robot(), Options(effort="low", functions=functions, **options, **further)).module


def matrices(part, point):
    """Pair of names → the matrix at a point."""
    (values,) = evaluate(part.function.program, point).values()
    found = {}
    for pair, block in part.blocks.items():
        found[pair] = np.zeros(block.extents)
        for column, row, place in block.entries:
            found[pair][row, column] = values[place]
    return found


@pytest.mark.parametrize("name", ROBOTS)
def test_those_along_velocities_become_those_by_entries_of_q(name, monkeypatch):
    """They are those of the program, at quaternions of any length."""
    module = derived(name)
    function = module.function("inverse_dynamics")
    whole = parts.derivatives(module, function)
    entries = sum(argument.shape[0] for argument in function.inputs)
    monkeypatch.setattr(parts, "MOST", len(function.program.instructions) * entries * 4 - 1)
    found = parts.derivatives(module, function)
    assert whole.second
    assert found.second is None
    rng = np.random.default_rng(5)
    point = {argument.name: rng.uniform(0.2, 1.5, argument.shape) for argument in function.inputs}
    (ours,), (theirs,) = found.first, whole.first
    expected = matrices(theirs, point)
    assert ours.blocks.keys() == expected.keys()
    for pair, matrix in matrices(ours, point).items():
        np.testing.assert_allclose(matrix, expected[pair], atol=1e-11)


def test_none_are_made_that_lack_something(monkeypatch):
    """Derivatives by gravity the module has none of; without the functions there is nothing to make them of."""
    monkeypatch.setattr(parts, "MOST", 10)
    for module in (derived("floating", gravity="runtime"), derived("floating")):
        assert parts.derivatives(module, module.function("inverse_dynamics")) is None


def test_casadi_is_told_which_second_ones_are_missing(monkeypatch):
    module = derived("planar, packed")
    before = language("casadi").write(module)[f"{module.name}_casadi.c"]
    function = module.function("inverse_dynamics")
    entries = sum(argument.shape[0] for argument in function.inputs)
    monkeypatch.setattr(parts, "MOST", len(function.program.instructions) * entries * 4 - 1)
    text = language("casadi").write(module)[f"{module.name}_casadi.c"]
    missing = "Without jac_adj1_f, because second derivatives would be too long:\n * inverse_dynamics"
    assert missing in text
    assert missing not in before
    assert "adj1_inverse_dynamics(" in text
    assert "jac_adj1_inverse_dynamics(" not in text
    assert "jac_adj1_inverse_dynamics(" in before
