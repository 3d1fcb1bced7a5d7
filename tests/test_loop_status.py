"""Where loops are singular: functions say so and give no numbers, in every language, alone and in batches."""

import ctypes
import subprocess

import numpy as np
import pytest

import symgen
from symgen.emit.registry import LANGUAGES, language
from symgen.errors import EnvironmentFault, InputError
from symgen.runtime.assembly import OPEN, SINGULAR

FUNCTIONS = (
    "inverse_dynamics",
    "forward_dynamics",
    "velocity_transformation",
    "closure",
    "assembly_step",
    "loop_determinants",
)


@pytest.fixture(scope="module", params=["float64", "float32"])
def five_bar(request):
    return symgen.generate("five_bar", functions=FUNCTIONS, effort="low", states=5, real=request.param)


def stretched():
    """The five-bar with its distal links in line, to the last digits: nothing holds their common joint across."""
    a, b = np.pi, np.arccos((2.3**2 - 1.8**2 - 0.7**2) / (2 * 1.8 * 0.7))
    elbows = 0.6 * np.array([np.cos(a), np.sin(a)]), np.array([1.2 + 0.7 * np.cos(b), 0.7 * np.sin(b)])
    x, y = elbows[1] - elbows[0]
    way = np.arctan2(y, x)
    return np.array([a, way - a, b, way + np.pi - b])


def states(module):
    """Rows of a regular state, a singular and an open one: q, q̇ and what follows them."""
    regular = module.assemble(module.neutral[[0, 2]], module.neutral)[0]
    opened = regular + np.array([0, 0.2, 0, 0])
    return np.array([regular, stretched(), opened]), np.array([0.3, -0.2]), np.array([1.0, 0.5])


def test_the_singular_posture_is_one(five_bar):
    q = states(five_bar)[0]
    assert np.abs(five_bar.closure(q[1])).max() < (1e-12 if five_bar.closure(q[1]).dtype == float else 1e-5)
    np.testing.assert_array_equal(five_bar.status(q), [0, SINGULAR, OPEN])
    assert five_bar.status(q[1]) == SINGULAR


def test_results_are_no_numbers_there_and_only_there(five_bar):
    q, rates, last = states(five_bar)
    for name in ("inverse_dynamics", "forward_dynamics"):
        function = getattr(five_bar, name)
        batch = function(np.tile(q, (9, 1)), rates, last)
        assert np.isnan(batch[1::3]).all()
        assert np.isfinite(np.delete(batch, np.s_[1::3], axis=0)).all()
        assert np.isnan(function(q[1], rates, last)).all()
    G = five_bar.velocity_transformation(q[1])
    np.testing.assert_array_equal(G[[0, 2]], np.eye(2))  # what is given stays known
    assert np.isnan(G[[1, 3]]).all()


@pytest.mark.parametrize("name", [name for name in LANGUAGES if language(name).run is not None])
def test_other_languages_agree(five_bar, name):
    module = five_bar._module
    q, rates, last = states(five_bar)
    try:
        with language(name).run(module, language(name).files(module)) as functions:
            for function in ("inverse_dynamics", "forward_dynamics"):
                found = [np.asarray(functions[function](row, rates, last)) for row in q]
                assert [np.isnan(row).all() for row in found] == [False, True, False]
    except EnvironmentFault as error:
        pytest.skip(str(error))


def test_determinants_tell_how_far_it_is(five_bar):
    q = states(five_bar)[0]
    regular, singular, _ = five_bar.loop_determinants(q)
    np.testing.assert_array_equal(regular[[0, 2]], 1)
    assert (np.abs(regular[[1, 3]]) > 0.5).all()
    assert np.abs(singular).min() < 1e-5


def test_c_functions_return_what_went_wrong(five_bar, tmp_path):
    for name, text in five_bar.sources.items():
        if name.endswith((".c", ".h")):
            (tmp_path / name).write_text(text)
    header = (tmp_path / "five_bar.h").read_text()
    assert "#define FIVE_BAR_OPEN 1 " in header
    assert "#define FIVE_BAR_SINGULAR 2 " in header
    assert "void five_bar_closure(" in header  # nothing is divided by there
    library = tmp_path / "five_bar.so"
    subprocess.run(
        ["cc", "-std=c99", "-O1", "-fPIC", "-shared", tmp_path / "five_bar.c", "-o", library, "-lm"], check=True
    )
    function = ctypes.CDLL(str(library)).five_bar_inverse_dynamics
    real = five_bar.inverse_dynamics(five_bar.neutral, [0, 0], [0, 0]).dtype
    q, rates, last = states(five_bar)

    def status(row):
        arrays = [np.ascontiguousarray(x, dtype=real) for x in (row, rates, last, np.zeros(2))]
        return function(*(ctypes.c_void_p(array.ctypes.data) for array in arrays))

    assert [status(row) for row in q] == [0, SINGULAR, 0]


def test_trees_return_nothing_and_have_no_status():
    module = symgen.generate("planar2r", functions=["inverse_dynamics"], effort="low", states=5)
    assert "int planar2r_" not in module.sources["planar2r.h"]
    with pytest.raises(InputError, match="the robot has no loops"):
        module.status([0, 0])


def test_what_status_needs_is_named():
    module = symgen.generate("four_bar", functions=["inverse_dynamics", "closure"], effort="low", states=5)
    with pytest.raises(InputError, match="lacks the function velocity_transformation"):
        module.status(module.neutral)
    with pytest.raises(InputError, match=r"status: q: expected shape \(…, 4\)"):
        symgen.generate("five_bar", functions=FUNCTIONS, effort="low", states=5).status([0, 0])
