"""A bound on the work of a decision, so that it ends soon where it cannot be decided."""

from __future__ import annotations


class UndecidedError(Exception):
    """The decision needs more work than is allowed, or is outside the domain of its method."""


class Work:
    """Work that may still be done, in products of terms."""

    def __init__(self, limit: int) -> None:
        self.left = limit

    def spend(self, amount: int) -> None:
        """Take `amount` from the work that is left; `UndecidedError` if there is not enough."""
        self.left -= amount
        if self.left < 0:
            raise UndecidedError("too many terms")
