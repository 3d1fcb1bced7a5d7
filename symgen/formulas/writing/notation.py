"""What letters look like: c23 for cos(q2 + q3), m2 and Ixx2 for parameters, in text, LaTeX, Python and SymPy.

The short forms of cosines and sines are used unless a parameter has such a name; what they stand for is told beside a
formula, as are the values of constants.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from symgen.algebra.exact import Exact, as_constant, atom_named
from symgen.algebra.generators import (
    CONSTANT,
    COS,
    DEFINITION,
    FUNCTION,
    PARAMETER,
    RECIPROCAL,
    SIN,
    VARIABLE,
    Angle,
    Generator,
    real,
)
from symgen.formulas.writing.alphabet import Alphabet
from symgen.formulas.writing.expressions import Sum, plain

if TYPE_CHECKING:
    import sympy

_SHORT_FORM = re.compile(r"[cs]\d[\d_]*\Z|cos\Z|sin\Z|pi\Z|sqrt\Z|sign\Z|tanh\Z|a(?:tan|sin|cos)\Z")
_CALLED = frozenset(("cos", "sin", "pi", "sqrt", "sign", "tanh", "atan", "asin", "acos"))
_LATEX_CALLS = {"cos": "cos", "sin": "sin", "atan": "arctan", "asin": "arcsin", "acos": "arccos"}
_PARTS = re.compile(r"([A-Za-z]+?)((?:hat|bar)?)(\d*)(?:_([A-Za-z0-9_]*))?\Z")
_GREEK_WORDS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau phi chi psi omega"
)
_GREEK = frozenset(_GREEK_WORDS.split())
_INERTIA = re.compile(r"([IJ])(xx|yy|zz|xy|xz|yz)(\d+)(_*)\Z")
_CENTRE = re.compile(r"c([xyz])(\d+)(_*)\Z")
_ENTRY = re.compile(r"(qd|qdd)(\d+)\Z")
_BASE_PARAMETER = re.compile(r"(XX|YY|ZZ|XY|XZ|YZ|MX|MY|MZ|M)(R?)(\d+)\Z")


class Notation:
    """Names of an alphabet's letters.

    `twists` maps constant angles to the names they have in the table, `entries` places in q (from 0) to names such as
    e1; other entries are called q1, q2, ….
    """

    def __init__(
        self,
        alphabet: Alphabet,
        joints: int,
        twists: Mapping[Exact, str] | None = None,
        entries: Mapping[int, str] | None = None,
    ) -> None:
        self.alphabet = alphabet
        self.separator = "" if joints < 10 else "_"
        self.twists = dict(twists or {})
        self.entries = dict(entries or {})
        self._sympy: dict[int, sympy.Expr] = {}

    @property
    def _is_short(self) -> bool:
        """Whether short forms of cosines and sines are free of other meanings."""
        letters = (letter for letter in self.alphabet.ring.generators if letter.kind in (PARAMETER, DEFINITION))
        names = {letter.name for letter in letters}
        twists = {f"{kind}{name}" for name in self.twists.values() for kind in "cs"}
        return names.isdisjoint(twists) and not any(map(_SHORT_FORM.match, names))

    def reciprocal(self, number: int) -> int | None:
        """The letter whose reciprocal a letter is; None for others."""
        letter = self.alphabet.letter(number)
        return self.alphabet.number(letter.argument) if letter.kind == RECIPROCAL else None

    def function(self, number: int) -> tuple[str, Sum] | None:
        """(name, argument) of a letter that is a function of others; None for others."""
        letter = self.alphabet.letter(number)
        if letter.kind != FUNCTION:
            return None
        return letter.name, plain(self.alphabet, self.alphabet.polynomial(letter.argument))

    # text and Python -----------------------------------------------------------------------------

    def text(self, number: int) -> str:
        """A letter in plain text."""
        letter = self.alphabet.letter(number)
        if letter.kind == RECIPROCAL:
            return f"1/{self.text(self.alphabet.number(letter.argument))}"
        return self.short(letter) or self.long(letter)

    def python(self, number: int) -> str:
        """A letter as a name in Python; keywords get an underscore."""
        letter = self.alphabet.letter(number)
        return python_name(letter.name) if letter.kind in (PARAMETER, DEFINITION) else self.text(number)

    def short(self, letter: Generator) -> str:
        """The short form of a letter; the empty text where it has none."""
        if letter.kind in (PARAMETER, DEFINITION):
            return letter.name
        if letter.kind == VARIABLE:
            return self._entry(letter) or f"{letter.name}{letter.index + 1}"
        if letter.kind in (COS, SIN) and self._is_short:
            indices = _run(letter.angle)
            if indices:
                return letter.kind[0] + self.separator.join(map(str, indices))
        if letter.kind == CONSTANT and self._is_short:
            name = self._twist(letter)
            return atom_named(letter.name).kind[0] + name if name else ""
        return ""

    def _entry(self, letter: Generator) -> str:
        """The name of an entry of q that has one; else the empty text."""
        return self.entries.get(letter.index, "") if letter.name == "q" else ""

    def long(self, letter: Generator) -> str:
        """What a letter stands for: cos(q2 + q3), sqrt(2)."""
        if letter.kind in (COS, SIN):
            return f"{letter.kind}({angle_text(letter.angle)})"
        if letter.kind == CONSTANT:
            return _constant_text(letter.name)
        return self.short(letter)

    def _twist(self, letter: Generator) -> str:
        """The name of the twist whose cosine or sine a constant is; the empty text for other constants."""
        atom = atom_named(letter.name)
        if atom.kind not in ("cos", "sin") or atom.argument is None:
            return ""
        opposite = self.twists.get(-atom.argument, "") if atom.kind == "cos" else ""
        return self.twists.get(atom.argument, opposite)

    def legend(self, numbers: Iterable[int]) -> list[tuple[str, str, float | None]]:
        """(short form, what it stands for, value of a constant) of the letters that have a short form of their own."""
        found = {}
        for number in sorted(set(numbers), key=self.alphabet.order):
            letter = self.alphabet.letter(number)
            if letter.kind in (COS, SIN, CONSTANT) and self.short(letter):
                value = float(as_constant(atom_named(letter.name))) if letter.kind == CONSTANT else None
                found[self.short(letter)] = (self.long(letter), value)
        return [(name, *meaning) for name, meaning in found.items()]

    # LaTeX ---------------------------------------------------------------------------------------

    def latex(self, number: int) -> str:
        """A letter in LaTeX."""
        letter = self.alphabet.letter(number)
        if letter.kind in (PARAMETER, DEFINITION):
            return latex_name(letter.name)
        if letter.kind == VARIABLE:
            name = self._entry(letter)
            return latex_name(name) if name else _variable_latex(letter.name, letter.index + 1)
        if letter.kind in (COS, SIN):
            return self._circle_latex(letter)
        if letter.kind == RECIPROCAL:
            return rf"\frac{{1}}{{{self.latex(self.alphabet.number(letter.argument))}}}"
        twist = self._twist(letter) if self._is_short else ""
        kind = atom_named(letter.name).kind
        return rf"{kind[0]}_{{{latex_name(twist)}}}" if twist else _constant_latex(letter.name)

    def _circle_latex(self, letter: Generator) -> str:
        angle, kind = letter.angle, letter.kind
        indices = _run(angle)
        if indices and self._is_short:
            subscript = ("," if self.separator else "").join(map(str, indices))
            return f"{kind[0]}_{{{subscript}}}"
        if self._is_short and not angle.joints and not angle.constant and angle.parameters[1:] == ():
            ((name, factor),) = angle.parameters
            if factor == 1:
                return f"{kind[0]}_{{{latex_name(name)}}}"
        return rf"\{kind}\left({angle_latex(angle)}\right)"

    # SymPy ---------------------------------------------------------------------------------------

    def sympy(self, number: int) -> sympy.Expr:
        """A letter as a SymPy expression in q1, q2, … and the parameters, all real."""
        if number not in self._sympy:
            letter = self.alphabet.letter(number)
            name = self._entry(letter) if letter.kind == VARIABLE else ""
            self._sympy[number] = real(name) if name else letter.sympy()
        return self._sympy[number]


def python_name(name: str) -> str:
    """A name that Python takes for an identifier, and that hides none of the functions that formulas call."""
    stem = name.rstrip("_")
    return f"{name}_" if keyword.iskeyword(stem) or stem in _CALLED else name


Factor = Fraction | int


def _run(angle: Angle) -> list[int]:
    """Numbers of the joints of a plain sum of joint angles; none for other angles."""
    if angle.joints and all(factor == 1 for _, factor in angle.joints):
        return [joint + 1 for joint, _ in angle.joints]
    return []


def angle_text(angle: Angle) -> str:
    """An angle in text, such as q2 + q3 or 2*q3 + delta."""
    terms: list[tuple[str, Factor]] = [(f"q{joint + 1}", factor) for joint, factor in angle.joints]
    terms += angle.parameters
    text = _sum_text([(python_name(name), factor) for name, factor in terms], "*")
    if angle.constant:
        constant = angle.constant.plain()
        text = f"{text} - {constant[1:]}" if text and constant.startswith("-") else f"{text} + {constant}"
        text = text.removeprefix(" + ")
    return text


def angle_latex(angle: Angle) -> str:
    """An angle in LaTeX."""
    terms: list[tuple[str, Factor]] = [(_variable_latex("q", joint + 1), factor) for joint, factor in angle.joints]
    terms += [(latex_name(name), factor) for name, factor in angle.parameters]
    text = _sum_text(terms, r"\,")
    if angle.constant:
        constant = angle.constant.plain().replace("pi", r"\pi").replace("*", r"\,")
        text = f"{text} - {constant[1:]}" if text and constant.startswith("-") else f"{text} + {constant}"
        text = text.removeprefix(" + ")
    return text


def _sum_text(terms: Sequence[tuple[str, Factor]], times: str) -> str:
    parts: list[str] = []
    for name, factor in terms:
        sign = "-" if factor < 0 else "+"
        text = name if abs(factor) == 1 else f"{abs(factor)}{times}{name}"
        parts += [sign, text] if parts else [f"-{text}" if sign == "-" else text]
    return " ".join(parts)


def _constant_text(name: str) -> str:
    atom = atom_named(name)
    if atom.kind == "pi":
        return "pi"
    if atom.kind == "sqrt":
        return f"sqrt({atom.radicand})"
    assert atom.argument is not None
    argument = atom.argument.plain()
    return {"inverse": f"1/({argument})", "value": f"({argument})"}.get(atom.kind, f"{atom.kind}({argument})")


def _constant_latex(name: str) -> str:
    atom = atom_named(name)
    if atom.kind == "pi":
        return r"\pi"
    if atom.kind == "sqrt":
        return rf"\sqrt{{{atom.radicand}}}"
    assert atom.argument is not None
    argument = _plain_latex(atom.argument.plain())
    if atom.kind == "inverse":
        return rf"\frac{{1}}{{{argument}}}"
    return argument if atom.kind == "value" else rf"\{_LATEX_CALLS[atom.kind]}\left({argument}\right)"


def _plain_latex(text: str) -> str:
    for name, call in _LATEX_CALLS.items():
        text = re.sub(rf"\b{name}\b", rf"\\{call}", text)
    return text.replace("pi", r"\pi").replace("*", r"\,").replace("sqrt", r"\sqrt")


def _variable_latex(name: str, number: int) -> str:
    heads = {"q": "q", "qd": r"\dot{q}", "qdd": r"\ddot{q}", "tau": r"\tau", "gravity": "g"}
    return rf"{heads.get(name, name)}_{{{number}}}"


def latex_name(name: str) -> str:
    """A parameter or definition in LaTeX: m_{2}, I_{xx,2}, c_{x,2}, ZZR_{2}, \\hat{m}_{3}."""
    if match := _ENTRY.match(name):
        return _variable_latex(match[1], int(match[2]))
    if match := _INERTIA.match(name):
        letter, axes, number, rest = match.groups()
        return rf"{letter}_{{{axes},{number}{_escaped(rest)}}}"
    if match := _CENTRE.match(name):
        axis, number, rest = match.groups()
        return rf"c_{{{axis},{number}{_escaped(rest)}}}"
    if match := _BASE_PARAMETER.match(name):
        stem, grouped, number = match.groups()
        return rf"\mathit{{{stem}{grouped}}}_{{{number}}}"
    bare = name.rstrip("_")
    match = _PARTS.match(bare)
    if match is None:
        return rf"\mathrm{{{_escaped(name)}}}"
    stem, accent, number, rest = match.groups()
    subscript = ",".join(part for part in (number, _escaped(rest or "")) if part) + _escaped(name[len(bare) :])
    return _subscripted(stem, accent, subscript)


def _subscripted(stem: str, accent: str, subscript: str) -> str:
    head = rf"\{stem}" if stem in _GREEK else stem if len(stem) == 1 else rf"\mathit{{{stem}}}"
    head = rf"\{accent}{{{head}}}" if accent else head
    return f"{head}_{{{subscript}}}" if subscript else head


def _escaped(text: str) -> str:
    return text.replace("_", r"\_")
