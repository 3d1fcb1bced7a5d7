"""The collector of cyclic garbage is off while a robot is derived, then as it was; nothing waits for it."""

import gc

import pytest

from symgen.derive.collection import without_cycles
from symgen.derive.derivation import Options, derive
from symgen.errors import InputError
from symgen.robot.library import chain


@pytest.fixture(params=[True, False], ids=["on", "off"])
def collector(request):
    was_on = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if was_on else gc.disable)()


def test_it_is_off_inside_and_as_before_afterwards(collector):
    with without_cycles(), without_cycles():
        assert not gc.isenabled()
    assert gc.isenabled() == collector


@pytest.mark.parametrize("frame", ["link1", "nowhere"])
def test_it_is_as_before_after_a_derivation(collector, frame):
    seen = []
    options = Options(functions=("gravity_torque", "jacobian"), frames=(frame,))
    try:
        derive(chain(2), options, lambda text: seen.append(gc.isenabled()))
    except InputError:
        assert frame == "nowhere"
    assert not any(seen)
    assert gc.isenabled() == collector


def test_programs_are_freed_without_it():
    """What waits for the collector after a derivation does not grow with the programs, of thousands of objects."""
    options = Options(functions=("inverse_dynamics", "inertia_matrix"), effort="low")
    derive(chain(3), options)
    gc.collect()
    # What was there before, of other tests too, is none of the derivation's.
    gc.freeze()
    try:
        with without_cycles():
            derive(chain(12), options)
            assert gc.collect() < 500
    finally:
        gc.unfreeze()
