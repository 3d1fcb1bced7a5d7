"""What `symgen show` prints of a closed form: text, LaTeX, Python, structure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from symgen.derive.options import choice
from symgen.errors import InputError
from symgen.formulas.by_name import NamedForms
from symgen.formulas.catalogue import BODY, CATALOGUE, FRAME, PAIR, Quantity, generic
from symgen.formulas.expansion import expanded
from symgen.formulas.form import Form
from symgen.formulas.formula import Formula, legend_text, letters_of, parts_of, python_lines
from symgen.formulas.function_structure import structures
from symgen.formulas.structure import Structure
from symgen.formulas.symbols import symbol_lines, symbols_of
from symgen.formulas.writing.notation import latex_name
from symgen.program.module import Function
from symgen.robot.model import Robot

Entry = tuple[int, ...] | None
"""Indices of an entry from 0; None for all entries."""

ENTRY_LIMIT, WHOLE = 60, 600
"""Letters of an entry that are printed of a whole matrix, and of all entries together that are printed uncut."""

Progress = Callable[[str], None]


def silent(step: str) -> None:
    """Tells nobody of a step."""


def catalogue_text(catalogue: Mapping[str, Quantity] = CATALOGUE) -> str:
    """The quantities, one on a line."""
    words = {BODY: " i", PAIR: " i j", FRAME: " [--frame NAME]"}
    names = [item.name + words.get(item.of, "") for item in catalogue.values()]
    width = max(map(len, names))
    return "\n".join(f"{name:{width}}  {generic(item)}" for name, item in zip(names, catalogue.values(), strict=True))


def selected(closed: NamedForms, name: str, numbers: Sequence[int], frame: str | None) -> tuple[Form, Entry]:
    """(form, entry) for a quantity and numbers that count from 1; `InputError` says what fits."""
    choice("quantity", name, tuple(closed.catalogue))
    bodies = {BODY: 1, PAIR: 2}.get(closed.catalogue[name].of, 0)
    if len(numbers) < bodies:
        raise InputError(
            f"{name} belongs to {'a pair of bodies' if bodies == 2 else 'a body'}: give {_numbers(bodies)}"
        )
    count = len(closed.quantity_family(name)) if bodies else 0
    for number in numbers[:bodies]:
        if not 1 <= number <= count:
            raise InputError(f"{name}: there is no body {number}; they count from 1 to {count}")
    form = closed.quantity(name, [number - 1 for number in numbers[:bodies]], frame)
    entry = numbers[bodies:]
    if not entry:
        return form, None
    if not form.shape:
        raise InputError(f"{form.label.name} is a scalar and has no entries: give no index")
    if len(entry) != len(form.shape):
        raise InputError(
            f"{form.label.name} has {_shape(form)}: give {_numbers(len(form.shape))} for an entry, or none"
        )
    for number, extent in zip(entry, form.shape, strict=True):
        if not 1 <= number <= extent:
            raise InputError(f"{form.label.name}: index {number} is out of range; indices count from 1 to {extent}")
    return form, tuple(number - 1 for number in entry)


def _numbers(count: int) -> str:
    return {1: "one index", 2: "two indices"}[count]


def _shape(form: Form) -> str:
    return " × ".join(map(str, form.shape)) + " entries"


def text(form: Form, entry: Entry, limit: int | None, progress: Progress = silent) -> str:
    """A formula, or all that are not zero, with definitions, short forms and symbols."""
    items = _items(form, entry)
    cut = _needed(items, limit, progress)
    lines = [f"{form.label.meaning}, {form.label.unit}", ""]
    lines += [f"{item.label} = {item.text(cut)}" for item in items] or [f"{form.label.name} = 0"]
    defined = list({name: item for item in items for name, item in item.definitions}.values())
    if defined:
        cut = _needed(defined, limit, progress)
        lines += ["", "with"] + [f"  {item.label} = {item.text(cut)}" for item in defined]
    legend = {short[0]: short for item in (*items, *defined) for short in item.legend}
    if legend:
        lines += ["", "where " + ", ".join(legend_text(*item) for item in legend.values())]
    lines += _symbol_lines(form, [*items, *defined])
    if entry is not None and items:
        lines += ["", f"summands: {items[0].summands}, length: {items[0].length} (numbers, letters and exponents)"]
    return "\n".join(lines)


def _needed(items: Sequence[Formula], limit: int | None, progress: Progress) -> int | None:
    """The limit for each of some formulas: none where all of them together are short enough."""
    total = 0
    for item in items:
        progress(f"writing {item.label}")
        total += item.length
    return limit if total > WHOLE else None


def _symbol_lines(form: Form, items: Sequence[Formula]) -> list[str]:
    """What the symbols of formulas are, below a line that says so."""
    lines = _symbols(form, items)
    return ["", "symbols", *(f"  {line}" for line in lines)] if lines else []


def _symbols(form: Form, items: Sequence[Formula]) -> list[str]:
    return symbol_lines(symbols_of(form.subject, [part for item in items for part in parts_of(item)]))


def _items(form: Form, entry: Entry) -> list[Formula]:
    if entry is not None:
        return [form.entry(*entry)]
    return [form.entry(*index) for index in form.indices() if not form.element(*index).is_zero]


def latex(form: Form, entry: Entry, limit: int | None, progress: Progress = silent) -> str:
    """LaTeX of an entry or the whole, then of the definitions."""
    item = form.entry(*entry) if entry is not None else None
    head = item.label_latex if item is not None else form.label.symbol
    cut = _needed(_items(form, entry), limit, progress)
    lines = [f"{head} = {(item or form).latex(cut)}"]
    defined = (item or form).definitions
    cut = _needed([each for _, each in defined], limit, progress)
    return "\n".join(lines + [f"{latex_name(name)} = {each.latex(cut)}" for name, each in defined])


def python(form: Form, entry: Entry, limit: int | None, progress: Progress = silent) -> str:
    """Python assignments; `limit` does not apply, since cut code would be none."""
    items = _items(form, entry)
    _needed(items, limit, progress)
    named = [(_python_name(item.label), item) for item in items]
    head = [f"# {form.label.meaning}, {form.label.unit}"]
    if not named:
        return "\n".join([*head, f"{form.label.name} = 0"])
    notation = form.subject.notation
    called = [notation.function(letter) for item in items for letter in letters_of(item)]
    sign = any(function and function[0] == "sign" for function in called)
    parts = [
        part for item in items for each in (item, *(each for _, each in item.definitions)) for part in parts_of(each)
    ]
    head += [f"# {line}" for line in symbol_lines(symbols_of(form.subject, parts))]
    return "\n".join([*head, _IMPORT, *_SIGN * sign, "", *python_lines(named)])


_IMPORT = "from math import acos, asin, atan, cos, pi, sin, sqrt, tanh"
_SIGN = ["", "", "def sign(x):", "    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0", ""]


def _python_name(label: str) -> str:
    return label.replace("[", "_").replace(",", "_").replace("]", "")


def structure_text(robot: Robot, title: str, structure: Structure) -> str:
    """The picture of the structure and how to read it, and of a matrix that of its zeros."""
    picture = structure.text()
    parts = [title, picture, _LEGEND + (_ENTRIES if robot.has_free_joints else _JOINTS)]
    if max(map(len, picture.splitlines()), default=0) > WIDE:
        parts = [title, "On which joints each entry depends takes too wide a picture: --json tells it."]
    rows, columns = structure.shape
    if columns > 1:
        count = sum(not zero for row in structure.zero for zero in row)
        parts += [f"{count} of {rows * columns} entries are not zero", structure.pattern.text()]
    return "\n\n".join(parts)


WIDE = 250
"""Letters in a line of a picture that people can still read."""

_LEGEND = "0 zero, const constant, = (i,j) equal to an entry, - (i,j) to its negative; else "
_JOINTS = "the joints on whose positions an entry depends"
_ENTRIES = "the entries of q on which an entry depends"


def function_structure_text(robot: Robot, function: Function) -> str:
    """The structures of a function's results, one below the other."""
    return "\n\n".join(
        structure_text(robot, f"{each.result.name}: {each.result.meaning}", each.structure)
        for each in structures(function)
    )


def function_structure_dict(function: Function) -> dict[str, object]:
    """The structures of a function's results as plain data, by name."""
    return {"results": {each.result.name: each.structure.as_dict() for each in structures(function)}}


def expanded_text(form: Form, entry: Entry, style: str, limit: int, progress: Progress = silent) -> str:
    """An entry, or all, with every definition multiplied out."""
    import sympy

    lines = []
    for item, index in ((form.entry(*index), index) for index in ([entry] if entry is not None else form.indices())):
        progress(f"expanding {item.label}")
        value = expanded(form.subject, form.element(*index), limit)
        label = {"latex": item.label_latex, "python": _python_name(item.label)}.get(style, item.label)
        lines.append(f"{label} = {sympy.latex(value) if style == 'latex' else value}")
    return "\n".join(lines)
