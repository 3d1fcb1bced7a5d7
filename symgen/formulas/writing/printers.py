"""Formulas as text, LaTeX and Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symgen.algebra.monomials import plain_fraction
from symgen.formulas.writing.expressions import Product, Sum
from symgen.formulas.writing.notation import Notation
from symgen.formulas.writing.polynomials import Number, magnitude


@dataclass(frozen=True)
class Style:
    """How letters, products, powers, quotients, brackets and numbers are written.

    `reciprocal` gives the letter whose reciprocal a letter is, or None; `function` the name and argument of a letter
    that is one, or None; `call` writes it. `more` says how many terms are left out.
    """

    letter: Callable[[int], str]
    reciprocal: Callable[[int], int | None]
    function: Callable[[int], tuple[str, Sum] | None]
    call: Callable[[str, str], str]
    times: str
    power: Callable[[str, int], str]
    quotient: Callable[[str, str, bool], str]
    bracket: Callable[[str], str]
    number: Callable[[Number], str]
    more: Callable[[int], str]


def text_style(notation: Notation) -> Style:
    """Plain text: 2*a2*(a3 + cx3)*c3."""
    return Style(
        notation.text,
        notation.reciprocal,
        notation.function,
        lambda name, argument: f"{name}({argument})",
        "*",
        lambda base, k: f"{base}^{k}",
        _quotient_text,
        lambda s: f"({s})",
        plain_fraction,
        _more_text,
    )


def latex_style(notation: Notation) -> Style:
    """LaTeX."""
    return Style(
        notation.latex,
        notation.reciprocal,
        notation.function,
        lambda name, argument: rf"\operatorname{{{name}}}\left({argument}\right)",
        r"\,",
        _latex_power,
        lambda top, bottom, several: rf"\frac{{{top or 1}}}{{{bottom}}}",
        lambda s: rf"\left({s}\right)",
        _latex_number,
        lambda k: rf"\cdots\ \text{{({k} more term{'s' * (k != 1)})}}",
    )


def python_style(notation: Notation) -> Style:
    """Python."""
    return Style(
        notation.python,
        notation.reciprocal,
        notation.function,
        lambda name, argument: f"{name}({argument})",
        "*",
        lambda base, k: f"{base}**{k}",
        _quotient_text,
        lambda s: f"({s})",
        python_number,
        _more_text,
    )


def _quotient_text(top: str, bottom: str, several: bool) -> str:
    return f"{top or 1}/({bottom})" if several else f"{top or 1}/{bottom}"


def _more_text(number: int) -> str:
    return f"... ({number} more term{'s' * (number != 1)})"


def _latex_power(base: str, exponent: int) -> str:
    """A power; that of a cosine or sine stands behind its name."""
    for name in (r"\cos", r"\sin", "c_", "s_"):
        if base.startswith(name):
            cut = len(name)
            if name.endswith("_"):
                return f"{base}^{{{exponent}}}"
            return f"{name}^{{{exponent}}}{base[cut:]}"
    return f"{base}^{{{exponent}}}"


def _latex_number(value: Number) -> str:
    text = plain_fraction(value)
    if "/" not in text:
        return text
    top, bottom = text.split("/")
    return rf"\frac{{{top}}}{{{bottom}}}"


def python_number(value: Number) -> str:
    """A number as Python and C read it, exact where it ends."""
    text = plain_fraction(value)
    return text.replace("/", ".0/") + (".0" if "." not in text else "") if "/" in text else text


def written(value: Sum, style: Style, limit: int | None = None) -> str:
    """The formula; beyond about `limit` letters the remaining terms are only counted."""
    return _Writer(style, limit).sum(value) or style.number(0)


class _Writer:
    def __init__(self, style: Style, limit: int | None) -> None:
        self.style = style
        self.left = limit

    def sum(self, value: Sum) -> str:
        parts: list[str] = []
        for index, term in enumerate(value.terms):
            if self.left is not None and self.left <= 0 and parts:
                parts += ["+", self.style.more(len(value.terms) - index)]
                break
            sign = "-" if term.coefficient < 0 else "+"
            text = self.product(term)
            parts += [sign, text] if parts else [f"-{text}" if sign == "-" else text]
        return " ".join(parts)

    def product(self, term: Product) -> str:
        """Without its sign."""
        size = magnitude(term.coefficient)
        top: list[str] = []
        bottom: list[str] = []
        if size != 1:
            top.append(self.style.number(size))
            self._spend(1)
        for factor, exponent in term.factors:
            inverse = None if isinstance(factor, Sum) else self.style.reciprocal(factor)
            if isinstance(factor, Sum):
                base = self.style.bracket(self.sum(factor))
            else:
                self._spend(1)
                base = self.letter(factor if inverse is None else inverse)
            text = base if exponent == 1 else self.style.power(base, exponent)
            (top if inverse is None else bottom).append(text)
        written = self.style.times.join(top)
        if bottom:
            return self.style.quotient(written, self.style.times.join(bottom), len(bottom) > 1)
        return written or self.style.number(1)

    def letter(self, number: int) -> str:
        function = self.style.function(number)
        if function is None:
            return self.style.letter(number)
        name, argument = function
        return self.style.call(name, written(argument, self.style))

    def _spend(self, letters: int) -> None:
        if self.left is not None:
            self.left -= letters
