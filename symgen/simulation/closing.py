"""How a simulation keeps loops closed, where their positions are not assembled: by a penalty, or in a complement.

The choices of Khan's thesis (2002), chapter 2 and appendix A. All joints of the tree are integrated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from symgen.derive.options import choice
from symgen.errors import InputError

GAUSS, QR, SVD, FIXED = BASES = ("gauss", "qr", "svd", "fixed")
"""Where S comes from: see `Complement`."""

CONSISTENT, PRINTED = RATES = ("consistent", "as printed")
"""What the rate of υ is: see `Complement`."""


@dataclass(frozen=True)
class Penalty:
    """Springs and dampers resist opening: λ = k φ + d A v (eqs. (2.7) and (4.1)).

    `stiffness` k, above 0, in N/m, N m or N/m³, as the constraint is a shift, an angle or a rod; `damping` d, 2 √k if
    it is None.
    """

    stiffness: float
    damping: float | None = None

    def __post_init__(self) -> None:
        _number("stiffness", self.stiffness, "above 0", least=0.0, strict=True)
        if self.damping is not None:
            _number("damping", self.damping, "of at least 0", least=0.0)

    @property
    def coefficients(self) -> tuple[float, float]:
        """(k, d)."""
        return float(self.stiffness), 2 * math.sqrt(self.stiffness) if self.damping is None else float(self.damping)


@dataclass(frozen=True)
class Complement:
    """Rates v = S υ + η of all joints with A S = 0 and A η = −σ φ; q and υ are integrated (eq. (2.19)).

    `basis` says where S comes from. "gauss": unit rates of some joints, by Gauss's elimination with total pivoting
    (A.17); which ones is chosen at the start, or given as `joints`, names of coordinates of the tree. "qr": columns at
    right angles, from the QR factorization (A.6). "svd": singular vectors, as Yun and Sarkar take them, which change
    places and turn as they like since their singular values are equal. "fixed": N, singular vectors at the start, stays
    for υ = Nᵀ v, so that S is smooth (A.12 to A.14).

    `stabilization` σ (1/s), at least 0, makes residuals decay: φ̇ = −σ φ (2.11). `rate` says what υ̇ is: "consistent",
    the rate of υ; or "as printed", with γ = A⁺ (−σ A − Ȧ) v, which drops the part of the rate of S in its own columns.

    Where [A; Nᵀ], with N unit vectors for "gauss", gets close to singular, joints or N are chosen anew and the
    integrator goes on from there: a reset, once the condition is `resets` times that of the best choice; `None`: never,
    and the simulation stops there.
    """

    basis: str = FIXED
    stabilization: float = 0.0
    rate: str = CONSISTENT
    resets: float | None = 10.0
    joints: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        choice("basis", self.basis, BASES)
        choice("rate", self.rate, RATES)
        _number("stabilization", self.stabilization, "of at least 0", least=0.0)
        if self.resets is not None:
            _number("resets", self.resets, "above 1, or None", least=1.0, strict=True)
        if self.basis == SVD and self.rate == CONSISTENT:
            raise InputError(
                'rate: singular vectors of equal singular values turn as they like, so S by "svd" has no rate; ask for '
                'the rate "as printed", or take the basis "fixed", which starts from the same vectors'
            )
        if self.joints is not None and self.basis != GAUSS:
            raise InputError(f'joints: they are for the basis "gauss"; found {self.basis!r}')


def _number(what: str, value: object, words: str, *, least: float, strict: bool = False) -> None:
    """An `InputError` for what is no finite number from `least` on, or beyond it."""
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value < least or (strict and value == least):  # type: ignore[arg-type, operator]
        raise InputError(f"{what}: expected a number {words}, found {value!r}"[:200])
