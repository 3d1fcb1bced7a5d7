"""How many postures of the library's robots with loops are assembled from guesses that are off, and how closely.

    python tests/benchmarks/assembly.py [COUNT [ROBOT ...]]

Closed postures are reached from the robot's own in small steps of the independent joints. A guess is off by up to
0.3 rad, or a tenth of the robot's size, in every other coordinate. Robots that closed forms assemble need none: the
largest residual is shown of what these find alone, and how many are assembled without a guess.
"""

import sys

import numpy as np

import symgen
from symgen.derive.records import independent_places
from symgen.derive.subject import subject_of
from symgen.robot import library

ANGLE, SHARE = 0.3, 0.1
REACH = {"rad": 0.5, "m": 0.05}
STEPS = 20


def main(count: int, names: list[str]) -> None:
    """One line for each robot."""
    for name in names:
        robot = library.load(name)
        module = symgen.generate(robot, functions=["assembly_step", "closure"], effort="low", states=10)
        size = subject_of(robot, symgen.Options()).plan.size
        places = list(independent_places(robot))
        units = [each.position.unit for each in robot.positions]
        chance = np.random.default_rng(0)
        q, _ = module.assemble(np.tile(module.neutral[places], (count, 1)), module.neutral)
        way = chance.uniform(-1, 1, (count, len(places))) * [REACH[units[place]] for place in places]
        for _ in range(STEPS):
            q, _ = module.assemble(q[:, places] + way / STEPS, q)
        q = q[np.isfinite(q).all(axis=1)]
        off = np.array([SHARE * size if unit == "m" else ANGLE for unit in units])
        guess = q + off * chance.uniform(-1, 1, q.shape)
        found, status = module.assemble(q[:, places], guess)
        good = status == 0
        residual = np.abs(module.closure(found[good])).max()
        same = np.mean(np.abs(found[good] - q[good]).max(axis=1) < 1e-6)
        print(
            f"{name}: {good.sum()} of {len(q)} assembled ({good.mean():.2%}), largest residual {residual:.1e}; "
            f"{same:.1%} are the posture that the guess was made of",
            flush=True,
        )
        if "assembly_start" in module.functions:
            start = module.assembly_start(q, np.broadcast_to(module.neutral, q.shape))
            alone, without = np.abs(module.closure(start)).max(), module.assemble(q[:, places])[1] == 0
            print(
                f"{name}: in closed form: largest residual {alone:.1e}; {without.mean():.2%} assembled without a guess"
            )


if __name__ == "__main__":
    looped = [name for name in library.names() if library.load(name).has_loops]
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, sys.argv[2:] or looped)
