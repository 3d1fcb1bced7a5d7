"""Elements of the polynomial ring of closed forms (see `ring`): polynomials in normal form, used like numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from symgen.algebra.exact import Exact

if TYPE_CHECKING:
    import sympy

    from symgen.algebra.ring import Ring

Key: TypeAlias = frozenset[tuple[tuple[int, ...], Any]]
"""Terms of a polynomial: exponents of the first generators, coefficient."""


@dataclass(frozen=True)
class Definition:
    """A named generator: `name` stands for `numerator` / `denominator`."""

    name: str
    numerator: RingElement
    denominator: RingElement | None


class RingElement:
    """An element of a ring, with the arithmetic of a number."""

    __slots__ = ("polynomial", "ring")

    def __init__(self, ring: Ring, polynomial: Any) -> None:
        self.ring = ring
        self.polynomial = polynomial

    def _other(self, other: Any) -> Any:
        """The polynomial of an operand; None for what is no scalar, such as an array of scalars."""
        if isinstance(other, RingElement):
            return self.ring.current(other)
        return self.ring.constant(other).polynomial if isinstance(other, int | Fraction | Exact) else None

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> RingElement:
        right = self._other(other)
        return NotImplemented if right is None else RingElement(self.ring, operation(self.ring.current(self), right))

    def __add__(self, other: Any) -> RingElement:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> RingElement:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> RingElement:
        return self._with(other, lambda a, b: b - a)

    def __neg__(self) -> RingElement:
        return RingElement(self.ring, -self.polynomial)

    def __mul__(self, other: Any) -> RingElement:
        return self._with(other, lambda a, b: self.ring.reduced(a * b))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> RingElement:
        polynomial = self._other(other)
        if polynomial is None:
            return NotImplemented
        return self.ring.quotient(self, RingElement(self.ring, polynomial))

    def __rtruediv__(self, other: Any) -> RingElement:
        polynomial = self._other(other)
        return NotImplemented if polynomial is None else self.ring.quotient(RingElement(self.ring, polynomial), self)

    def __eq__(self, other: object) -> bool:
        polynomial = self._other(other)
        return NotImplemented if polynomial is None else bool(self.ring.current(self) == polynomial)

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def is_zero(self) -> bool:
        """Whether the normal form is zero."""
        return bool(self.polynomial == 0)

    @property
    def key(self) -> Key:
        """The terms, the same whatever generators the ring has gained since."""
        return frozenset((_trimmed(powers), value) for powers, value in self.polynomial.to_dict().items())

    @property
    def summands(self) -> int:
        """Number of terms of the normal form."""
        return len(self.polynomial)

    def terms(self) -> Iterator[tuple[dict[int, int], Fraction]]:
        """(generator index → exponent, coefficient) of every term."""
        used = sorted(self.generators())
        for powers, value in self.ring.restricted(self, used).terms():
            yield (
                {i: int(k) for i, k in zip(used, powers, strict=True) if k},
                Fraction(int(value.p), int(value.q)),
            )

    def generators(self) -> set[int]:
        """Indices of the generators that occur."""
        return {index for index, degree in enumerate(self.polynomial.degrees()) if degree > 0}

    def sympy(self) -> sympy.Expr:
        """The normal form as a SymPy sum."""
        import sympy

        symbols = {index: self.ring.generators[index].sympy() for index in self.generators()}
        return sympy.Add(
            *(
                sympy.Mul(
                    sympy.Rational(value.numerator, value.denominator), *(symbols[i] ** k for i, k in powers.items())
                )
                for powers, value in self.terms()
            )
        )

    def __repr__(self) -> str:
        return str(self.sympy())


def _trimmed(powers: tuple[int, ...]) -> tuple[int, ...]:
    """The exponents up to the last that is not 0."""
    length = max((index for index, power in enumerate(powers, start=1) if power), default=0)
    return powers[:length]
