"""A domain of numbers with 60 digits at random states: what a form is, computed without normal forms."""

from __future__ import annotations

import random

import flint

from symgen.algebra.exact import Exact, atom_named

BITS = 250


class Digits:
    """Random inputs and parameters between 1 and 2, from a seed; those named in `moved` differ."""

    def __init__(self, seed, moved=()):
        self.seed, self.moved = seed, frozenset(moved)

    def number(self, name):
        chance = random.Random(f"{self.seed} {name} {name in self.moved}")
        return flint.arb(chance.randint(10**30, 2 * 10**30)) / 10**30

    def constant(self, value):
        total = flint.arb(0)
        for monomial, coefficient in Exact.of(value).terms.items():
            term = flint.arb(coefficient.numerator) / coefficient.denominator
            for name, exponent in monomial:
                term *= self.atom(name) ** exponent
            total += term
        return total

    def atom(self, name):
        atom = atom_named(name)
        if atom.kind == "pi":
            return flint.arb.pi()
        if atom.kind == "sqrt":
            return flint.arb(atom.radicand).sqrt()
        x = self.constant(atom.argument)
        return {"cos": x.cos, "sin": x.sin, "inverse": lambda: 1 / x, "value": lambda: x}[atom.kind]()

    def parameter(self, name):
        return self.number(name)

    def variable(self, name, index):
        return self.number(f"{name}{index + 1}")

    def cos_sin(self, index, offset, ratio=1):
        angle = self.variable("q", index) * int(ratio)
        return self.circle(angle + (self.constant(offset) if isinstance(offset, Exact) else offset))

    def circle(self, angle):
        return angle.cos(), angle.sin()

    def sign(self, x):
        return x.sgn()

    def tanh(self, x):
        return x.tanh()

    def sqrt(self, x):
        return x.sqrt()

    def atan(self, x):
        return x.atan()
