"""free_fall.py: the PUMA falls from rest without torques, integrated by SciPy; its energy must not change.

pip install scipy
python notebooks/free_fall.py
"""

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import symgen

Floats = NDArray[np.float64]

FUNCTIONS = ("forward_dynamics", "kinetic_energy", "potential_energy")


def fall(seconds: float = 2.0, tolerance: float = 1e-10) -> tuple[Floats, Floats, Floats]:
    """Times (s), joint positions (times, 6) in rad and total energy (times) in J."""
    puma = symgen.generate("puma", functions=FUNCTIONS)
    n, no_torque = puma.nv, np.zeros(puma.nv)

    def rates(_: float, state: Floats) -> Floats:
        q, qd = state[:n], state[n:]
        return np.concatenate([qd, puma.forward_dynamics(q, qd, no_torque)])

    start = np.zeros(2 * n)
    start[:n] = [0.0, 0.3, -0.2, 0.4, 0.5, 0.0]
    times = np.linspace(0.0, seconds, 11)
    path = solve_ivp(rates, (0.0, seconds), start, method="DOP853", t_eval=times, rtol=tolerance, atol=tolerance)
    q, qd = path.y.T[:, :n], path.y.T[:, n:]
    # One call for all times: functions take batches.
    return path.t, q, puma.kinetic_energy(q, qd) + puma.potential_energy(q)


def main() -> None:
    """Print the fall."""
    times, q, energy = fall()
    print("t (s)   q2 (rad)   q3 (rad)   energy (J)        drift (J)")
    for t, angles, total in zip(times, q, energy, strict=True):
        print(f"{t:5.2f} {angles[1]:10.4f} {angles[2]:10.4f} {total:12.6f} {total - energy[0]:16.1e}")


if __name__ == "__main__":
    main()
