"""Operation counts of library robots beside those of an earlier version: every function that takes more, or fewer.

    git worktree add /tmp/earlier REVISION
    python tests/benchmarks/earlier_counts.py /tmp/earlier [ROBOT ...]

Functions are those that both versions have. Each robot takes a process of each version, seconds to minutes. Exit code 1
if a function takes more multiplications and additions.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from symgen.robot import library

HERE = Path(__file__).parents[2]

DERIVE = """
import json, sys
from symgen.derive.derivation import Options, derive
from symgen.robot import library
names = tuple(json.loads(sys.argv[2]))
derived = derive(library.load(sys.argv[1]), Options(functions=names))
print(json.dumps({name: [counts.mul, counts.add] for name, counts in derived.counts.items()}))
"""

Counts = dict[str, list[int]]


def main() -> int:
    earlier, robots = Path(sys.argv[1]), sys.argv[2:] or library.names()
    more = 0
    for robot in robots:
        if not (earlier / "symgen/robot/library" / f"{robot}.toml").is_file():
            print(f"{robot}: not in the earlier version", flush=True)
            continue
        before = counted(earlier, robot, ["all"])
        now = counted(HERE, robot, [*dict.fromkeys(map(asked, before))])
        common = [name for name in before if name in now]
        changed = {name: sum(now[name]) - sum(before[name]) for name in common if now[name] != before[name]}
        print(f"{robot}: {len(common)} functions, {sum(by < 0 for by in changed.values())} take fewer operations")
        for name, by in changed.items():
            if by > 0:
                more += 1
                print(f"  {name}: {' + '.join(map(str, now[name]))}, before {' + '.join(map(str, before[name]))}")
        sys.stdout.flush()
    print(f"{more} functions take more")
    return min(more, 1)


def asked(function: str) -> str:
    """The name that a function is asked for by: those of sets of contacts have the set's name behind."""
    return "_".join(function.split("_")[:2]) if function.startswith("contact_") else function


def counted(version: Path, robot: str, names: list[str]) -> Counts:
    """Multiplications and additions of functions of a robot in a version of symgen."""
    command = [sys.executable, "-c", DERIVE, robot, json.dumps(names)]
    environment = {**os.environ, "PYTHONPATH": str(version)}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, cwd=version)
    found: Counts = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    sys.exit(main())
