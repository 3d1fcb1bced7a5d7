"""The PUMA along the trajectory of the papers: what `make demo` shows last.

Run as `python -m symgen.demo`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from symgen import api


def cycloid(t: float, duration: float, stroke: float) -> tuple[float, float, float]:
    """(position, velocity, acceleration) at time `t` of a move by `stroke` in `duration` (Saha, eqs. (22a), (22b))."""
    w = 2 * np.pi / duration
    rate = stroke / duration
    return rate * (t - np.sin(w * t) / w), rate * (1 - np.cos(w * t)), rate * w * np.sin(w * t)


def torques(duration: float = 10.0, samples: int = 6) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(times (s), joint torques (N m)) of the PUMA while every joint turns from 0 to π."""
    puma = api.generate("puma")
    times = np.linspace(0.0, duration, samples)
    motion = np.array([cycloid(t, duration, np.pi) for t in times])
    q, qd, qdd = (np.repeat(motion[:, k, None], 6, axis=1) for k in range(3))
    return times, puma.inverse_dynamics(q, qd, qdd)


def main() -> None:
    """Print the torques."""
    times, tau = torques()
    print("PUMA, all joints from 0 to pi in 10 s: joint torques in N m")
    print("  t (s)" + "".join(f"{f'joint {joint}':>11}" for joint in range(1, 7)))
    for t, row in zip(times, tau, strict=True):
        print(f"{t:7.1f}" + "".join(f"{value + 0.0:11.4f}" for value in np.round(row, 4)))


if __name__ == "__main__":
    main()
