"""The PUMA along the trajectory of the papers: what `make demo` shows last.

Run as `python -m symgen.cli.demo`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from symgen import api


def torques(duration: float = 10.0, samples: int = 6) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(times (s), joint torques (N m)) of the PUMA while every joint turns from 0 to π."""
    motion = api.follow("puma", duration=duration, samples=samples)
    return motion.t, motion.tau


def main() -> None:
    """Print the torques."""
    times, tau = torques()
    print("PUMA, all joints from 0 to pi in 10 s: joint torques in N m")
    print("  t (s)" + "".join(f"{f'joint {joint}':>11}" for joint in range(1, 7)))
    for t, row in zip(times, tau, strict=True):
        print(f"{t:7.1f}" + "".join(f"{value + 0.0:11.4f}" for value in np.round(row, 4)))


if __name__ == "__main__":
    main()
