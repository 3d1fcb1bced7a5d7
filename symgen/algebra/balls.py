"""Ring elements as balls at random real points: numbers with error bounds that tell what formulas with quotients are.

A ball that does not hold 0 proves that an element is not zero, whatever relations its constants have; tiny balls at
random points that do mean zero, but for a chance below 2⁻²⁰⁰.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from hashlib import blake2b

import flint

from symgen.algebra.domain import UNIT, Point, Quaternion, composed, normalized
from symgen.algebra.exact import Exact, Number

BITS = 384
"""Working precision."""


class Balls:
    """A domain of real numbers with error bounds; inputs and parameters are random numbers between 1 and 2.

    Entries of q that are a unit quaternion's, whose first places are `quaternions`, are those of a random one.
    The inputs named in `moved`, such as q0 or qd2 (indices from 0), have other values than with the seed alone.
    Constants have `bits` bits; results have those of flint's context.
    """

    def __init__(
        self, seed: int, moved: Collection[str] = (), bits: int = BITS, quaternions: Collection[int] = ()
    ) -> None:
        self.seed = seed
        self.quaternions = quaternions
        self.moved = frozenset(moved)
        self.bits = bits

    def constant(self, value: Number) -> flint.arb:
        """The ball of an exact constant."""
        if isinstance(value, int | Fraction):
            return flint.arb(flint.fmpq(value.numerator, value.denominator))
        return Exact.of(value).ball(self.bits)

    def parameter(self, name: str) -> flint.arb:
        """The random number of a parameter."""
        return self._random(f"parameter {name}")

    def variable(self, name: str, index: int) -> flint.arb:
        """The random number of an input's entry."""
        first = next((k for k in self.quaternions if name == "q" and k <= index < k + 4), None)
        if first is None:
            return self._entry(name, index)
        entries = [self._entry(name, first + k) for k in range(4)]
        return entries[index - first] / sum((entry * entry for entry in entries), start=flint.arb(0)).sqrt()

    def _entry(self, name: str, index: int) -> flint.arb:
        return self._random(f"{name}{index}{' moved' if f'{name}{index}' in self.moved else ''}")

    def _random(self, name: str) -> flint.arb:
        digest = blake2b(f"{self.seed} {name}".encode(), digest_size=16).digest()
        return 1 + flint.arb(int.from_bytes(digest, "big")) / 2**128

    def cos_sin(self, index: int, offset: Exact | flint.arb, ratio: Fraction = UNIT) -> Point:
        """Cosine and sine of ratio q[index] + offset."""
        angle = self.constant(ratio) * self.variable("q", index)
        return self.circle(angle + (offset.ball(self.bits) if isinstance(offset, Exact) else offset))

    def quaternion(self, index: int) -> Quaternion:
        """By division with the norm."""
        return normalized(self, index)

    def circle(self, angle: flint.arb) -> Point:
        """Cosine and sine."""
        return angle.cos(), angle.sin()

    def compose(self, a: Point, b: Point) -> Point:
        """By the addition theorems."""
        return composed(a, b)

    def sign(self, x: flint.arb) -> flint.arb:
        """sign x."""
        return x.sgn()

    def tanh(self, x: flint.arb) -> flint.arb:
        """tanh x."""
        return x.tanh()

    def atan(self, x: flint.arb) -> flint.arb:
        """atan x."""
        return x.atan()

    def nonzero(self, x: flint.arb, least: Fraction) -> flint.arb:
        """x."""
        return x

    def sqrt(self, x: flint.arb) -> flint.arb:
        """√x."""
        return x.sqrt()

    def define(self, name: str, value: flint.arb) -> flint.arb:
        """`value`; names have no meaning here."""
        return value
