"""Any number of random mechanisms with loops, held against all equations solved at once, Pinocchio, and their proofs.

    python tests/benchmarks/random_mechanisms.py [COUNT [FIRST_SEED]]

Prints what is wrong, and how many cut joints of each kind were there.
"""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import test_loop_mechanisms as checks
from loop_mechanisms import mechanism

from symgen.robot.loops import CutKind

RIGID = (CutKind.SPHERICAL, CutKind.FIXED)


def main(count: int, seed: int) -> int:
    """Run the checks of the tests; the number of mechanisms that fail one."""
    kinds: Counter[str] = Counter()
    done, wrong = 0, 0
    while done < count:
        robot = mechanism(seed)
        if robot is not None:
            names = ["test_motion_and_forces_are_those_of_all_equations_at_once", "test_every_reduction_is_proved"]
            if all(cut.kind in RIGID for cut in robot.cut_joints):
                names.append("test_balls_and_welds_are_pinocchios")
            faults = [name for name in names if not _holds(name, seed)]
            wrong += bool(faults)
            done += 1
            kinds.update(cut.kind.value for cut in robot.cut_joints)
            if faults:
                print(f"seed {seed}: {', '.join(faults)}", flush=True)
            checks.derived.cache_clear()
        seed += 1
    print(f"{done} mechanisms, {wrong} wrong; seeds up to {seed - 1}; cut joints: {dict(kinds)}")
    return wrong


def _holds(name: str, seed: int) -> bool:
    try:
        getattr(checks, name)(seed)
    except AssertionError as error:
        print(f"seed {seed}: {str(error).splitlines()[0]}")
        return False
    return True


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    sys.exit(main(*(given + [100, 0][len(given) :])) > 0)
