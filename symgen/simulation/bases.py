"""Orthogonal complements of a constraints' Jacobian A, r×n of full rank, in numbers (Khan 2002, appendix A).

Each has S, n×(n−r), and R, n×r, with A S = 0 and A R = 1, so that v = S υ + R (A v), and tells υ of v and its rate.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from symgen.simulation.closing import FIXED, GAUSS, QR, SVD, Complement

Floats = NDArray[np.float64]


class Basis(ABC):
    """S and R of one A."""

    def __init__(self, A: Floats) -> None:
        self.A = A

    S: Floats
    R: Floats

    @abstractmethod
    def rate(self, v: Floats, vd: Floats, A_dot: Floats) -> Floats:
        """υ̇, n−r, of rates v with the rate `vd`, n, while A has the rate `A_dot`."""

    @abstractmethod
    def coordinates(self, v: Floats) -> Floats:
        """υ, n−r, of rates v, n."""

    @cached_property
    def inverse(self) -> Floats:
        """A⁺, n×r."""
        return np.asarray(np.linalg.pinv(self.A))


class Fixed(Basis):
    """υ = Nᵀ v with a fixed N, n×(n−r): [R S] = [A; Nᵀ]⁻¹ (eqs. (A.12) to (A.14); (A.17) where N has unit vectors)."""

    def __init__(self, A: Floats, N: Floats) -> None:
        super().__init__(A)
        self._N = N
        whole = _inverse(np.vstack([A, N.T]))
        self.R, self.S = whole[:, : len(A)], whole[:, len(A) :]

    def rate(self, v: Floats, vd: Floats, A_dot: Floats) -> Floats:
        """Nᵀ v̇."""
        return np.asarray(self._N.T @ vd)

    def coordinates(self, v: Floats) -> Floats:
        """Nᵀ v."""
        return np.asarray(self._N.T @ v)


class Orthonormal(Basis):
    """S with orthonormal columns, and R = A⁺: the QR factorization of [Aᵀ E] = Q T with unit vectors E, n×(n−r).

    The diagonal of T is made positive, so that S moves smoothly (A.6).
    """

    def __init__(self, A: Floats, E: Floats) -> None:
        super().__init__(A)
        Q, T = np.linalg.qr(np.hstack([A.T, E]))
        sign = np.where(np.diag(T) < 0, -1.0, 1.0)
        self._Q, self._T = Q * sign, T * sign[:, None]
        self.S, self.R = self._Q[:, len(A) :], self.inverse

    def rate(self, v: Floats, vd: Floats, A_dot: Floats) -> Floats:
        """Sᵀ v̇ + Ṡᵀ v, with Q̇ = Q Ω: Ω is skew, and below its diagonal that of Qᵀ [Ȧᵀ 0] T⁻¹."""
        count = len(A_dot)
        moved = np.hstack([A_dot.T, np.zeros((len(v), len(v) - count))])
        below = np.tril(self._Q.T @ moved @ _inverse(self._T), -1)
        turning = (below - below.T)[:, count:]
        return np.asarray(self.S.T @ vd + turning.T @ (self._Q.T @ v))

    def coordinates(self, v: Floats) -> Floats:
        """Sᵀ v."""
        return np.asarray(self.S.T @ v)


class Singular(Basis):
    """S of the singular vectors of the projector H = 1 − A⁺ A whose singular values are 1 (Yun and Sarkar 1998)."""

    def __init__(self, A: Floats) -> None:
        super().__init__(A)
        H = np.eye(A.shape[1]) - self.inverse @ A
        self.S, self.R = np.linalg.svd(H)[0][:, : A.shape[1] - len(A)], self.inverse

    def rate(self, v: Floats, vd: Floats, A_dot: Floats) -> Floats:
        """Sᵀ v̇, as if S did not move."""
        return np.asarray(self.S.T @ vd)

    def coordinates(self, v: Floats) -> Floats:
        """Sᵀ v."""
        return np.asarray(self.S.T @ v)


class Choice:
    """The bases of one run: N or E as they were chosen last, and how well they determine the feasible rates."""

    def __init__(self, asked: Complement, A: Floats, joints: list[int] | None = None) -> None:
        """`joints`: indices of the tree's rates that are to be υ, instead of those of the largest pivots."""
        self._asked = asked
        self._N = np.eye(A.shape[1])[:, joints] if joints is not None else self._chosen(A)
        self._least = self._hold(A)

    def of(self, A: Floats) -> Basis:
        """The basis of an A."""
        if self._asked.basis in (GAUSS, FIXED):
            return Fixed(A, self._N)
        return Orthonormal(A, self._N) if self._asked.basis == QR else Singular(A)

    def renew(self, A: Floats) -> bool:
        """Choose anew if that is due; whether it was."""
        if self._asked.basis == SVD or self._asked.resets is None or self._hold(A) * self._asked.resets > self._least:
            return False
        self._N = self._chosen(A)
        self._least = self._hold(A)
        return True

    def _chosen(self, A: Floats) -> Floats:
        if self._asked.basis == FIXED:
            return _null_space(A)
        return np.eye(A.shape[1])[:, independent(A)]

    def _hold(self, A: Floats) -> float:
        """The least singular value of Nᵀ times orthonormal feasible rates: 1 at best, 0 where [A; Nᵀ] is singular."""
        return float(np.linalg.svd(self._N.T @ _null_space(A), compute_uv=False)[-1])


def independent(A: Floats) -> list[int]:
    """Indices of the columns that Gauss's elimination with total pivoting leaves, n−r, in order (A.15)."""
    rest, columns = A.copy(), list(range(A.shape[1]))
    for k in range(len(A)):
        size = np.abs(rest[k:, k:])
        i, j = map(int, np.unravel_index(np.argmax(size), size.shape))
        rest[[k, k + i]] = rest[[k + i, k]]
        rest[:, [k, k + j]] = rest[:, [k + j, k]]
        columns[k], columns[k + j] = columns[k + j], columns[k]
        rest[k + 1 :] -= np.outer(rest[k + 1 :, k] / rest[k, k], rest[k])
    return sorted(columns[len(A) :])


def _null_space(A: Floats) -> Floats:
    """Orthonormal columns, n×(n−r)."""
    return np.asarray(np.linalg.svd(A)[2][len(A) :].T)


def _inverse(matrix: Floats) -> Floats:
    """The inverse; not a number where the matrix is singular."""
    try:
        return np.asarray(np.linalg.inv(matrix))
    except np.linalg.LinAlgError:
        return np.full_like(matrix, np.nan)
