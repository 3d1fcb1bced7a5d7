"""Loads, shows and converts robot files with random changes: no error but symgen's own, and the time each takes.

    python tests/benchmarks/mutated_files.py [COUNT] [FIRST_SEED]

Files that raise another error, or take more than `SLOW` seconds, are kept in a folder that is printed.
"""

import collections
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mutations import mutated, outcome

SLOW = 5
GIVE_UP = 60


def main(count, first):
    folder = Path(tempfile.mkdtemp(prefix="mutated"))
    path = folder / "arm.toml"
    found, errors, times = collections.Counter(), collections.Counter(), []
    for seed in range(first, first + count):
        path.write_bytes(mutated(random.Random(seed)))
        start = time.perf_counter()
        result = _outcome(path)
        times.append(time.perf_counter() - start)
        found[result if "\n" not in result else "other error"] += 1
        if "\n" in result or times[-1] > SLOW:
            errors[result] += 1
            kept = shutil.copy(path, folder / f"seed{seed}.toml")
            if errors[result] == 1:
                print(f"{kept}: {times[-1]:.1f} s: {result}", flush=True)
    for result, number in found.most_common():
        print(f"{number:7}  {result}")
    times.sort()
    print(
        f"seconds per file: median {times[len(times) // 2]:.4f}, 99.9 % {times[-1 - len(times) // 1000]:.2f}, "
        f"longest {times[-1]:.2f}, all {sum(times):.0f}"
    )
    return 1 if errors else 0


def _outcome(path):
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(GIVE_UP)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return outcome(path)
    except BaseException as error:  # what a user must never see
        if isinstance(error, KeyboardInterrupt):
            raise
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if "symgen" in frame.filename][-1:] or frames[-1:]
        return f"{type(error).__name__}: {str(error)[:150]}\n  {own[0].filename}:{own[0].lineno}"
    finally:
        signal.alarm(0)


def _give_up(_signal, _frame):
    raise TimeoutError(f"more than {GIVE_UP} s")


if __name__ == "__main__":
    sys.exit(main(*(int(text) for text in [*sys.argv[1:3], *("20000", "0")[len(sys.argv) - 1 :]])))
