"""Published operation counts, for comparison: formulas in n from the papers, and other generators' code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

LEAST_JOINTS = 2
"""The formulas are for arms of at least this many joints; of one joint some need less than nothing."""


@dataclass(frozen=True)
class Published:
    """Operations of an algorithm for a general arm of n revolute joints, divisions counted as multiplications.

    `crossover` are n* and n+ (see `symgen.count.crossover`) as printed, for algorithms of order n. `remarks` say, for a
    number of joints, where what is printed contradicts the formula.
    """

    name: str
    mul: Callable[[int], int]
    add: Callable[[int], int]
    crossover: tuple[int, int] | None = None
    remarks: Mapping[int, str] = field(default_factory=dict)


def _line(name: str, mul: tuple[int, int], add: tuple[int, int], crossover: tuple[int, int] | None = None) -> Published:
    return Published(name, lambda n: mul[0] * n + mul[1], lambda n: add[0] * n + add[1], crossover)


INVERSE_DYNAMICS: tuple[Published, ...] = (
    _line("Hollerbach (1980)", (412, -277), (320, -201)),
    _line("Luh et al. (1980)", (150, -48), (131, 48)),
    _line("Walker and Orin (1982)", (137, -22), (101, -11)),
    _line("Saha (1999), DeNOC", (120, -44), (97, -55)),
    _line("Khalil et al. (1986)", (105, -92), (94, -86)),
    _line("Angeles et al. (1989)", (105, -109), (90, -105)),
    _line("Balafoutis et al. (1988)", (93, -69), (81, -65)),
)
"""Saha (1999), Table 1."""

ORDER_N3 = Published(
    "Walker and Orin (1982)",
    lambda n: (n**3 + 69 * n**2 + 230 * n) // 6 - 47,
    lambda n: (n**3 + 42 * n**2 + 233 * n) // 6 - 46,
    remarks={6: "Walker and Orin: Table 2 of Saha (1999) prints 480 additions for n = 6; its formula gives 475."},
)
"""The inertia matrix and its elimination, of order n³: what algorithms of order n are measured against."""

FORWARD_DYNAMICS: tuple[Published, ...] = (
    _line("Saha (1999), DeNOC", (201, -335), (193, -361)),
    _line("Saha (2003), DeNOC", (191, -284), (187, -325), (10, 14)),
    _line("Mohan and Saha (2007)", (173, -128), (150, -133), (10, 12)),
    _line("Featherstone (1983)", (199, -198), (174, -173), (12, 14)),
    _line("Valasek", (226, -343), (206, -345), (13, 15)),
    _line("Brandl et al. (1986)", (250, -222), (220, -198), (14, 16)),
    ORDER_N3,
)
"""Saha (1999), Table 2, and Saha, recursive dynamics algorithms, Table 2. The latter quotes Valasek and Brandl from
"[15]", but its references have no numbers; Brandl's year is that in Khalil's references."""

GENERATORS: dict[str, dict[str, dict[str, tuple[int, int, int]]]] = {
    "puma": {
        "inverse_dynamics": {
            "OpenSYMORO, base parameters": (181, 127, 0),
            "SymPyBotics, modified DH, base parameters": (193, 128, 0),
            "SymPyBotics, modified DH": (237, 164, 0),
            "OpenSYMORO": (247, 179, 0),
            "CasADi, plain Newton-Euler": (266, 186, 0),
            "Pinocchio over CasADi": (342, 252, 0),
        },
        "inertia_matrix": {
            "SymPyBotics, modified DH, base parameters": (134, 81, 0),
            "OpenSYMORO, base parameters": (152, 84, 0),
            "CasADi, composite bodies": (150, 123, 0),
            "Pinocchio over CasADi": (205, 158, 0),
        },
        "gravity_torque": {"OpenSYMORO, base parameters": (27, 11, 0), "CasADi": (78, 47, 0)},
        "coriolis_torque": {"OpenSYMORO, base parameters": (168, 107, 0), "CasADi": (246, 163, 0)},
        "bias_torque": {"OpenSYMORO, base parameters": (171, 110, 0)},
        "coriolis_matrix": {"SymPyBotics, standard DH (not skew)": (2554, 2178, 0)},
        "forward_dynamics": {
            "OpenSYMORO, base parameters, matrix and bias solved": (409, 265, 6),
            "OpenSYMORO": (807, 581, 5),
            "Pinocchio over CasADi": (733, 554, 23),
        },
    },
    "stanford": {
        "inverse_dynamics": {
            "OpenSYMORO, base parameters": (139, 93, 0),
            "SymPyBotics, modified DH, base parameters": (145, 91, 0),
            "SymPyBotics, modified DH": (185, 126, 0),
            "OpenSYMORO": (200, 143, 0),
            "CasADi, plain Newton-Euler": (206, 146, 0),
            "Pinocchio over CasADi": (278, 207, 0),
        },
        "inertia_matrix": {
            "OpenSYMORO, base parameters": (111, 60, 0),
            "SymPyBotics, modified DH, base parameters": (111, 58, 0),
            "CasADi, composite bodies": (108, 78, 0),
            "Pinocchio over CasADi": (146, 111, 0),
        },
        "gravity_torque": {"OpenSYMORO, base parameters": (23, 8, 0), "CasADi": (59, 35, 0)},
        "coriolis_torque": {"OpenSYMORO, base parameters": (128, 77, 0), "CasADi": (190, 127, 0)},
        "bias_torque": {"OpenSYMORO, base parameters": (130, 79, 0)},
        "coriolis_matrix": {"SymPyBotics, standard DH (not skew)": (1628, 1348, 0)},
        "forward_dynamics": {
            "OpenSYMORO, base parameters, matrix and bias solved": (327, 210, 6),
            "OpenSYMORO": (598, 441, 5),
            "Pinocchio over CasADi": (553, 415, 21),
        },
    },
}
"""Counted in the code that other generators emit for the same numeric table:
robot → function → generator → (multiplications, additions, divisions)."""
