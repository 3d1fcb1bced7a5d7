"""Formulas of a page: entries as MathML, with their LaTeX, SymPy and C to copy, as far as they are short enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element
from markupsafe import Markup

from symgen.algebra.generators import COS, PARAMETER, SIN, VARIABLE
from symgen.errors import LimitError
from symgen.formulas.by_name import NamedForms
from symgen.formulas.closed_form import closed_form
from symgen.formulas.form import Form
from symgen.formulas.formula import Formula, legend_text, letters_of, parts_of, python_lines
from symgen.formulas.in_c import c_lines
from symgen.formulas.notebook import formula_lines
from symgen.formulas.symbols import symbol_lines, symbols_of
from symgen.formulas.writing.notation import python_name
from symgen.robot.model import Robot

MOST_FREEDOMS = {"inertia_matrix": 7, "coriolis_matrix": 6, "coriolis_torque": 6, "gravity_torque": 18}
"""Quantity → velocities of a robot at most whose formulas are written: their lengths grow fast with these."""

MOST_TERMS = 1000
"""Terms of an entry in normal form beyond which no way to write it is looked for."""

MOST_LETTERS = 6000
"""Letters of a formula beyond which there is no text to copy."""

TITLES = {
    "inertia_matrix": "Inertia matrix",
    "coriolis_matrix": "Matrix of convective inertia",
    "coriolis_torque": "Convective inertia",
    "gravity_torque": "Gravity",
}


@dataclass(frozen=True)
class Entry:
    """An entry: its name in MathML, lines of its formula, what its letters mean, and texts to copy by language."""

    label: Markup
    lines: tuple[Markup, ...]
    definitions: tuple[Markup, ...]
    where: tuple[str, ...]
    copies: tuple[tuple[str, str, str], ...]
    remark: str


@dataclass(frozen=True)
class Equations:
    """The entries of a quantity that are not zero by structure and equal none before; `notes` say what is left out."""

    title: str
    meaning: str
    entries: tuple[Entry, ...]
    notes: tuple[str, ...]


def equations(robot: Robot) -> Iterator[Equations]:
    """The formulas of a robot's page."""
    names = ("inertia_matrix", "coriolis_torque" if robot.has_loops else "coriolis_matrix", "gravity_torque")
    count = len(robot.independent) if robot.has_loops else robot.nv
    try:
        closed = closed_form(robot)
    except LimitError as error:
        yield Equations("Formulas", "", (), (str(error),))
        return
    for name in names:
        if count > MOST_FREEDOMS[name]:
            yield Equations(TITLES[name], "", (), (_left_out(robot, name, count),))
        else:
            yield _written(closed, name)


def _left_out(robot: Robot, name: str, count: int) -> str:
    entry = "1" if name.endswith("torque") else "1 1"
    return (
        f"Left out: this robot has {count} velocities, and the page writes these formulas for at most "
        f"{MOST_FREEDOMS[name]}. For one entry: symgen show {robot.name} {name} {entry}"
    )


def _written(closed: NamedForms, name: str) -> Equations:
    form = closed.quantity(name)
    symmetric = name == "inertia_matrix"
    entries = []
    zeros = 0
    for index in form.indices():
        if symmetric and index != tuple(sorted(index)):
            continue
        if form.element(*index).is_zero:
            zeros += 1
            continue
        entries.append(_entry(form, index, f"{name}-{'-'.join(str(i + 1) for i in index)}"))
    notes = ["One more entry is 0." if zeros == 1 else f"{zeros} more entries are 0."] * bool(zeros and entries)
    notes += ["All entries are 0."] * (not entries)
    notes += ["The matrix is symmetric; entries on and above the diagonal are written."] * symmetric
    return Equations(TITLES[name], f"{form.label.meaning}, {raised(form.label.unit)}", tuple(entries), tuple(notes))


def _entry(form: Form, index: tuple[int, ...], key: str) -> Entry:
    item = form.entry(*index)
    defined = item.definitions
    label = mathml(item.label_latex)
    if item.terms + sum(each.terms for _, each in defined) > MOST_TERMS:
        remark = f"{item.terms} terms in normal form: too long for this page."
        return Entry(label, (), (), (), (), remark)
    lines = tuple(map(mathml, formula_lines(item) or ["0"]))
    definitions = tuple(mathml(line) for _, each in defined for line in _defined(each))
    remark = f"{_counted(item.summands, 'summand')}, {_counted(item.length, 'letter')}"
    return Entry(label, lines, definitions, _where(item), tuple(_copies(item, key)), remark)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


def _defined(item: Formula) -> list[str]:
    first, *rest = formula_lines(item) or ["0"]
    return [f"{item.label_latex} = {first}", *rest]


def _where(item: Formula) -> tuple[str, ...]:
    """What short forms and symbols mean."""
    every = [item, *(each for _, each in item.definitions)]
    legend = item.subject.notation.legend([letter for each in every for letter in letters_of(each)])
    symbols = symbols_of(item.subject, [part for each in every for part in parts_of(each)])
    texts = ", ".join(legend_text(*each) for each in legend), raised("; ".join(symbol_lines(symbols)))
    return tuple(filter(None, texts))


def _copies(item: Formula, key: str) -> Iterator[tuple[str, str, str]]:
    """(language, id of the text, text) of the whole formula with its definitions, where it is short enough."""
    if item.length + sum(each.length for _, each in item.definitions) > MOST_LETTERS:
        return
    name = item.label.replace("[", "_").replace(",", "_").replace("]", "")
    yield "LaTeX", f"{key}-latex", _latex(item)
    yield "SymPy", f"{key}-sympy", "\n".join([*_sympy_head(item), *python_lines([(name, item)])])
    yield "C", f"{key}-c", "\n".join(c_lines(name, item))


def _latex(item: Formula) -> str:
    return "\n".join(f"{each.label_latex} = {each.latex()}" for each in (item, *(each for _, each in item.definitions)))


def _sympy_head(item: Formula) -> list[str]:
    """The import and the symbols that the lines need."""
    names = " ".join(_symbol_names(item))
    head = ["from sympy import acos, asin, atan, cos, pi, sign, sin, sqrt, symbols, tanh"]
    return [*head, f"{', '.join(names.split())} = symbols({names!r}, real=True)"] if names else head


def _symbol_names(item: Formula) -> list[str]:
    """The names in a formula that neither it nor SymPy defines, sorted."""
    notation = item.subject.notation
    every = [item, *(each for _, each in item.definitions)]
    found: set[str] = set()
    for number in {letter for each in every for letter in letters_of(each)}:
        letter = notation.alphabet.letter(number)
        if letter.kind in (PARAMETER, VARIABLE):
            found.add(notation.python(number))
        elif letter.kind in (COS, SIN):
            found |= {f"q{joint + 1}" for joint, _ in letter.angle.joints}
            found |= {python_name(name) for name, _ in letter.angle.parameters}
    return sorted(found)


def raised(unit: str) -> str:
    """A unit with its powers above the line."""
    return unit.replace("^2", "²").replace("^3", "³")


_IDLE = {"math": ("display",), "mo": ("fence", "form")}
"""Attributes that say what holds without them."""


def mathml(latex: str) -> Markup:
    """LaTeX as MathML for a page of HTML, whose parser knows the namespace."""
    found = convert_to_element(latex)
    found.attrib.pop("xmlns", None)
    if found.find(".//mfrac") is None:  # brackets of one size are read more easily
        for part in found.iter("mo"):
            if part.get("stretchy") == "true":
                part.set("stretchy", "false")
    for part in found.iter():
        part.text = part.text and unescape(part.text)  # where it has letters as references
        for name in _IDLE.get(part.tag, ()):
            part.attrib.pop(name, None)
    return Markup(ElementTree.tostring(found, encoding="unicode"))
