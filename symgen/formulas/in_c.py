"""Formulas in C: assignments of doubles, numbers in full, powers as products."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.exact import as_constant, atom_named
from symgen.algebra.generators import CONSTANT, COS, DEFINITION, PARAMETER, SIN, Angle
from symgen.emit.c.words import WORDS
from symgen.errors import LimitError
from symgen.formulas.formula import Formula, Quotient, letters_of
from symgen.formulas.writing import printers
from symgen.formulas.writing.notation import Notation
from symgen.formulas.writing.polynomials import Number

_TAKEN = WORDS | {"cos", "sin", "pow", "sqrt", "fabs"}


def c_lines(name: str, item: Formula) -> list[str]:
    """Statements that end with `name`: short forms, then definitions, then the formula; they need <math.h>.

    `LimitError` for formulas that call functions.
    """
    defined = item.definitions
    every = [*(each for _, each in defined), item]
    notation = item.subject.notation
    letters = sorted({letter for each in every for letter in letters_of(each)}, key=notation.alphabet.order)
    lines = [line for letter in letters for line in _short_form(notation, letter)]
    lines += [f"const double {_name(known)} = {_written(each)};" for known, each in defined]
    return [*lines, f"const double {_name(name)} = {_written(item)};"]


def _written(item: Formula) -> str:
    style = _style(item.subject.notation)
    text = printers.written(item.sum, style)
    if isinstance(item, Quotient):
        return f"({text}) / ({printers.written(item.denominator.sum, style)})"
    return text


def _style(notation: Notation) -> printers.Style:
    def letter(number: int) -> str:
        kind = notation.alphabet.letter(number).kind
        if kind in (PARAMETER, DEFINITION):
            return _name(notation.alphabet.letter(number).name)
        found = notation.alphabet.letter(number)
        if kind in (COS, SIN) and not notation.short(found):
            return f"{kind}({_angle(notation, found.angle)})"
        if kind == CONSTANT and not notation.short(found):
            return _number(float(as_constant(atom_named(found.name))))
        return notation.text(number)

    def function(number: int) -> None:
        if notation.function(number) is not None:
            raise LimitError("formulas that call functions are not written in C")

    return printers.Style(
        letter,
        notation.reciprocal,
        function,
        lambda name, argument: f"{name}({argument})",
        "*",
        lambda base, k: "*".join([base] * k) if 0 < k < 4 else f"pow({base}, {k})",
        lambda top, bottom, several: f"{top or '1.0'}/({bottom})",
        lambda text: f"({text})",
        _exact,
        lambda count: f"/* {count} more terms */",
    )


def _short_form(notation: Notation, number: int) -> Sequence[str]:
    """The statement that makes what a short form stands for, if the letter has one."""
    letter = notation.alphabet.letter(number)
    name = notation.short(letter)
    if letter.kind in (COS, SIN) and name:
        return [f"const double {name} = {letter.kind}({_angle(notation, letter.angle)});"]
    if letter.kind == CONSTANT and name:
        return [f"const double {name} = {_number(float(as_constant(atom_named(letter.name))))};"]
    return []


def _angle(notation: Notation, angle: Angle) -> str:
    """An angle with its numbers as doubles."""
    parts = [(f"q{joint + 1}", float(factor)) for joint, factor in angle.joints]
    parts += [(_name(name), float(factor)) for name, factor in angle.parameters]
    texts = [("-" if k < 0 else "+", name if abs(k) == 1 else f"{_number(abs(k))}*{name}") for name, k in parts]
    constant = float(angle.constant)
    if constant:
        texts.append(("-" if constant < 0 else "+", _number(abs(constant))))
    text = " ".join(word for pair in texts for word in pair)
    return text.removeprefix("+ ").replace("- ", "-", 1) if text.startswith(("+", "-")) else text


def _exact(value: Number) -> str:
    """A factor as a double."""
    return _number(float(value))


def _number(value: float) -> str:
    return repr(value)


def _name(name: str) -> str:
    return f"{name}_" if name.rstrip("_") in _TAKEN else name
