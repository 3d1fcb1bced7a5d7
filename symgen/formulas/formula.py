"""One scalar of a closed form: exact, as SymPy, text, LaTeX or Python, with the definitions of what it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from symgen.algebra.generators import DEFINITION, FUNCTION, RECIPROCAL
from symgen.algebra.ring_element import Definition, RingElement
from symgen.formulas.robot_in_ring import RobotInRing
from symgen.formulas.symbols import Symbol, symbols_of
from symgen.formulas.writing import printers
from symgen.formulas.writing.collecting import formula
from symgen.formulas.writing.expressions import Sum
from symgen.formulas.writing.notation import latex_name, python_name

if TYPE_CHECKING:
    import sympy

DISPLAY_LIMIT = 250
"""Letters of a formula that notebooks and `repr` show; `latex()` and `text()` give all."""

DISPLAY_TERMS = 10_000
"""Terms of the normal form beyond which notebooks and `repr` do not look for a way to write a formula."""


class Formula:
    """A scalar of a closed form.

    `element` is the ring element, `expression` the SymPy expression. Notebooks show the formula with what its short
    forms stand for, cut to a length that they can bear.
    """

    def __init__(self, subject: RobotInRing, element: RingElement, label: str = "", label_latex: str = "") -> None:
        self.subject = subject
        self.element = element
        self.label = label
        self.label_latex = label_latex

    @cached_property
    def sum(self) -> Sum:
        """The formula as a tree, in the shortest way found to write it."""
        return formula(self.subject.alphabet, self.element)

    @property
    def summands(self) -> int:
        """Number of products that the formula adds up."""
        return len(self.sum.terms)

    @property
    def terms(self) -> int:
        """Number of terms of the normal form, which is known before a way to write the formula is looked for."""
        return self.element.summands

    @property
    def length(self) -> int:
        """Numbers, letters and exponents to write."""
        return self.sum.length

    @cached_property
    def expression(self) -> sympy.Expr:
        """The SymPy expression, in the real symbols q1, q2, …, the parameters and the names of definitions."""
        return self.sum.sympy(self.subject.notation.sympy)

    # text ----------------------------------------------------------------------------------------

    def text(self, limit: int | None = None) -> str:
        """The formula as text; beyond about `limit` letters its terms are only counted."""
        return printers.written(self.sum, printers.text_style(self.subject.notation), limit)

    def latex(self, limit: int | None = None) -> str:
        """The formula in LaTeX; beyond about `limit` letters its terms are only counted."""
        return printers.written(self.sum, printers.latex_style(self.subject.notation), limit)

    def python(self) -> str:
        """The formula as a Python expression in the names of `python_lines`."""
        return printers.written(self.sum, printers.python_style(self.subject.notation))

    def python_lines(self, name: str) -> list[str]:
        """Assignments that end with `name`; they need cos and sin (and sqrt, pi) and the parameters."""
        return python_lines([(name, self)])

    # what it is made of ----------------------------------------------------------------------------

    @property
    def legend(self) -> list[tuple[str, str, float | None]]:
        """(short form, what it stands for, value of a constant) of cosines, sines and constants."""
        return self.subject.notation.legend(self.sum.letters())

    @property
    def definitions(self) -> list[tuple[str, Formula]]:
        """(name, formula) of the definitions that the formula uses, each after those it uses itself."""
        return definitions_of(self.subject, [self.element])

    @property
    def symbols(self) -> list[Symbol]:
        """The parameters, rates and forces in the formula and its definitions, with meaning, unit and links."""
        return symbols_of(self.subject, [part for item in self._with_definitions for part in parts_of(item)])

    @property
    def _with_definitions(self) -> list[Formula]:
        return [self, *(item for _, item in self.definitions)]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        written = f"... ({self.terms} terms)" if self.terms > DISPLAY_TERMS else self.text(DISPLAY_LIMIT)
        return f"{self.label} = {written}" if self.label else written

    def _repr_latex_(self) -> str:
        from symgen.formulas.notebook import formula_latex  # which knows formulas

        return formula_latex(self)

    def _repr_html_(self) -> str:
        from symgen.formulas.notebook import formula_html

        return formula_html(self)


def definitions_of(subject: RobotInRing, elements: Iterable[RingElement]) -> list[tuple[str, Formula]]:
    """(name, formula) of the definitions that elements use, directly or not, in the order in which they were made."""
    known = {definition.name: definition for definition in subject.ring.definitions}
    wanted: set[str] = set()
    pending = list(elements)
    while pending:
        letters = [subject.ring.generators[index] for index in pending.pop().generators()]
        pending += [letter.argument for letter in letters if letter.kind == FUNCTION]
        for name in [letter.name for letter in letters if letter.kind in (DEFINITION, RECIPROCAL)]:
            if name in known and name not in wanted:
                wanted.add(name)
                pending += _parts(known[name])
    return [
        (definition.name, _defined(subject, definition))
        for definition in subject.ring.definitions
        if definition.name in wanted
    ]


def _parts(definition: Definition) -> list[RingElement]:
    return [part for part in (definition.numerator, definition.denominator) if part is not None]


def _defined(subject: RobotInRing, definition: Definition) -> Formula:
    latex = latex_name(definition.name)
    if definition.denominator is None:
        return Formula(subject, definition.numerator, definition.name, latex)
    return Quotient(subject, definition.numerator, definition.denominator, definition.name, latex)


class Quotient(Formula):
    """A formula that is a quotient of two ring elements."""

    def __init__(
        self, subject: RobotInRing, element: RingElement, denominator: RingElement, label: str, label_latex: str
    ) -> None:
        super().__init__(subject, element, label, label_latex)
        self.denominator = Formula(subject, denominator)

    @property
    def terms(self) -> int:
        """Number of terms of both normal forms."""
        return self.element.summands + self.denominator.terms

    @property
    def length(self) -> int:
        """Numbers, letters and exponents to write."""
        return self.sum.length + self.denominator.length

    @cached_property
    def expression(self) -> sympy.Expr:
        """The SymPy expression."""
        return self.sum.sympy(self.subject.notation.sympy) / self.denominator.expression

    def text(self, limit: int | None = None) -> str:
        """The quotient as text."""
        return f"({super().text(limit)})/({self.denominator.text(limit)})"

    def latex(self, limit: int | None = None) -> str:
        """The quotient in LaTeX."""
        return rf"\frac{{{super().latex(limit)}}}{{{self.denominator.latex(limit)}}}"

    def python(self) -> str:
        """The quotient as a Python expression."""
        return f"({super().python()})/({self.denominator.python()})"

    @property
    def legend(self) -> list[tuple[str, str, float | None]]:
        """Of numerator and denominator."""
        return self.subject.notation.legend([*self.sum.letters(), *self.denominator.sum.letters()])


def python_lines(named: Sequence[tuple[str, Formula]]) -> list[str]:
    """Assignments for formulas of one subject: short forms first, then definitions, then the formulas."""
    subject = named[0][1].subject
    elements = [part for _, item in named for part in parts_of(item)]
    defined = definitions_of(subject, elements)
    every = [item for _, item in (*defined, *named)]
    letters = [letter for item in every for letter in letters_of(item)]
    lines = [f"{name} = {meaning}" for name, meaning, _ in subject.notation.legend(letters)]
    lines += [f"{python_name(name)} = {item.python()}" for name, item in defined]
    return lines + [f"{name} = {item.python()}" for name, item in named]


def parts_of(item: Formula) -> list[RingElement]:
    """The ring elements of a formula."""
    return [item.element, item.denominator.element] if isinstance(item, Quotient) else [item.element]


def letters_of(item: Formula) -> list[int]:
    """The letters of a formula."""
    letters = list(item.sum.letters())
    return letters + list(item.denominator.sum.letters()) if isinstance(item, Quotient) else letters


def legend_text(name: str, meaning: str, value: float | None) -> str:
    """A short form with what it stands for and, for a constant, its value."""
    return f"{name} = {meaning}" + (f" = {value:.6g}" if value is not None else "")
