"""Robot files with random changes give a robot or an error of symgen that can be read, never anything else.

`tests/benchmarks/mutated_files.py` does the same with many more, and takes the time.
"""

import random
from collections import Counter

import pytest
from mutations import mutated, outcome

FILES, PARTS = 500, 2


@pytest.mark.parametrize("part", range(PARTS))
def test_mutated_files_give_robots_or_errors_of_symgen(tmp_path, part):
    path = tmp_path / "arm.toml"
    found = Counter()
    for seed in range(part, FILES, PARTS):
        path.write_bytes(mutated(random.Random(seed)))
        found[outcome(path)] += 1
    assert found.total() == FILES // PARTS
    assert min(found["robot"], found["RobotFileError"], found["InputError"]) >= 10
