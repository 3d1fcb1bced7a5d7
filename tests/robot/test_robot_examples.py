"""URDFs that people have, against Pinocchio: some here, all of them by `python tests/example_robots.py`."""

import pytest
from example_robots import Pair, paths

from symgen.errors import InputError
from symgen.robot.library import load

ROBOTS = ("allegro_right_hand", "baxter", "double_pendulum_continuous", "hyq_no_sensors", "panda", "solo12", "z1")


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("name", ROBOTS)
def test_functions_are_pinocchios(name, base):
    mimics = ("reduced", "independent") if name == "baxter" else ("reduced",)
    for mimic in mimics:
        pair = Pair(paths()[name], base, mimic)
        for seed in range(2):
            errors = pair.errors(seed, slopes=seed == 0)
            assert max(errors.values()) < 1e-9, errors


def test_every_example_is_read_or_refused_with_a_reason():
    refused = {}
    for name, path in paths().items():
        try:
            load(str(path), base="floating")
        except InputError as error:
            refused[name] = str(error)
    assert set(refused) == {"alex_psyonic_hands", "ur3"}
    assert "there is no joint 'index_q1', which 'Left_index_q2' mimics" in refused["alex_psyonic_hands"]
    assert "the file has no links" in refused["ur3"]
