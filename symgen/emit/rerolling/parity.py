"""Linear equations over the integers modulo 2: for signs, whose products are sums of bits.

A form is an int: bit 0 is the constant 1, bit k the unknown k. Forms add by exclusive or.
"""

from __future__ import annotations


class Parity:
    """Unknown bits and the equations that hold among them."""

    def __init__(self) -> None:
        self._unknowns = 0
        self._pivots: dict[int, int] = {}

    def unknown(self) -> int:
        """A new unknown, as a form."""
        self._unknowns += 1
        return 1 << self._unknowns

    def reduced(self, form: int) -> int:
        """The form without what the equations settle; 0 or 1 if they settle it."""
        while form > 1:
            pivot = self._pivots.get(form.bit_length() - 1)
            if pivot is None:
                break
            form ^= pivot
        return form

    def require(self, form: int) -> bool:
        """Let a form be 0; false, and nothing changes, if the equations forbid it."""
        rest = self.reduced(form)
        if rest > 1:
            self._pivots[rest.bit_length() - 1] = rest
        return rest != 1

    def solution(self) -> Solution:
        """The solution in which all unknowns that are free are 0."""
        ones = 1
        for place in sorted(self._pivots):
            rest = self._pivots[place] ^ (1 << place)
            if (rest & ones).bit_count() % 2:
                ones |= 1 << place
        return Solution(ones)


class Solution:
    """Values of all unknowns."""

    def __init__(self, ones: int) -> None:
        self._ones = ones

    def value(self, form: int) -> int:
        """The value of a form: 0 or 1."""
        return (form & self._ones).bit_count() % 2
