"""A quantity in closed form: a scalar, vector or matrix whose entries are derived when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.algebra.domain import Floats
from symgen.algebra.ring_element import RingElement
from symgen.algebra.vanishing import Valuation, without_hidden_zeros
from symgen.errors import InputError
from symgen.formulas.expansion import EXPANSION_LIMIT, expanded
from symgen.formulas.formula import Formula, definitions_of, letters_of, parts_of
from symgen.formulas.robot_in_ring import RobotInRing
from symgen.formulas.structure import Structure
from symgen.formulas.symbols import Symbol, symbols_of
from symgen.formulas.writing.quick import quick_expression

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class Label:
    """What a quantity is called: name, symbol in LaTeX, meaning with reference point and axes, unit."""

    name: str
    symbol: str
    meaning: str
    unit: str


class Form:
    """A scalar, vector or matrix in closed form.

    `form[i, j]` (from 0) is a SymPy expression, `form.matrix` (or `form.expression` of a scalar) all of it; only the
    entries that are asked for are derived. `form.entry(i, j)` is the `Formula` behind an entry, `form.structure` says
    which entries are zero, constant or equal, and `form.values(q=...)` are numbers.
    """

    def __init__(
        self,
        subject: RobotInRing,
        label: Label,
        shape: tuple[int, ...],
        whole: Callable[[], Any],
        single: Callable[..., RingElement] | None = None,
    ) -> None:
        self.subject = subject
        self.label = label
        self.shape = shape
        self._derive = whole
        self._single = single
        self._clean: dict[tuple[int, ...], RingElement] = {}
        self._formulas: dict[tuple[int, ...], Formula] = {}

    # entries -------------------------------------------------------------------------------------

    @cached_property
    def _elements(self) -> NDArray[Any]:
        values = np.empty(self.shape, dtype=object)
        values[...] = self._derive()
        return values

    def element(self, *index: int) -> RingElement:
        """The ring element of an entry, in normal form."""
        index = self._checked(index)
        if index not in self._clean:
            alone = self._single is not None and "_elements" not in self.__dict__
            value = self._single(*index) if alone and self._single is not None else self._elements[index]
            self._clean[index] = without_hidden_zeros(value)
        return self._clean[index]

    def entry(self, *index: int) -> Formula:
        """The formula of an entry; indices from 0."""
        index = self._checked(index)
        if index not in self._formulas:
            numbers = ",".join(str(i + 1) for i in index)
            label = f"{self.label.name}[{numbers}]" if index else self.label.name
            latex = self._entry_symbol(numbers) if index else self.label.symbol
            self._formulas[index] = Formula(self.subject, self.element(*index), label, latex)
        return self._formulas[index]

    def _entry_symbol(self, numbers: str) -> str:
        symbol = self.label.symbol
        return f"[{symbol}]_{{{numbers}}}" if "_" in symbol or "{" in symbol else f"{symbol}_{{{numbers}}}"

    def _checked(self, index: tuple[int, ...]) -> tuple[int, ...]:
        if len(index) != len(self.shape):
            words = {0: "no index", 1: "one index", 2: "two indices"}
            raise InputError(f"{self.label.name}: expected {words[len(self.shape)]}, found {len(index)}")
        checked = []
        for i, extent in zip(index, self.shape, strict=True):
            if isinstance(i, bool) or not isinstance(i, int | np.integer):
                raise InputError(f"{self.label.name}: expected whole numbers as indices, found {i!r}"[:200])
            if not -extent <= i < extent:
                raise InputError(
                    f"{self.label.name}: index {i} is out of range: there are {extent}, counted from 0 in Python and "
                    "from 1 on the command line"
                )
            checked.append(int(i) % extent)
        return tuple(checked)

    def __getitem__(self, index: int | tuple[int, ...]) -> sympy.Expr:
        """The SymPy expression of an entry; indices from 0."""
        return self.entry(*(index if isinstance(index, tuple) else (index,))).expression

    def __len__(self) -> int:
        return self.shape[0] if self.shape else 0

    def __iter__(self) -> Iterator[Any]:
        """The entries of a vector, the rows of a matrix, as SymPy."""
        if len(self.shape) == 1:
            return (self[i] for i in range(len(self)))
        return (self.matrix.row(i) for i in range(len(self)))

    @cached_property
    def matrix(self) -> sympy.ImmutableDenseMatrix:
        """All entries as a SymPy matrix; a vector is a column, a scalar 1×1.

        The entries are collected by parameters and otherwise left in normal form, which is quick; `form[i, j]` and
        `entry` look for the shortest way to write one.
        """
        import sympy

        rows, columns = self._rows_and_columns
        self._elements  # noqa: B018 — the whole is derived at once
        known: dict[int, sympy.Expr] = {}
        cells = []
        for index in self.indices():
            value = self._elements[index]
            if id(value) not in known:
                known[id(value)] = self._quick(self.element(*index))
            cells.append(known[id(value)])
        return sympy.ImmutableDenseMatrix(rows, columns, cells)

    def _quick(self, value: RingElement) -> sympy.Expr:
        return quick_expression(self.subject.alphabet, value, self.subject.notation.sympy)

    @property
    def expression(self) -> sympy.Expr:
        """The SymPy expression of a scalar."""
        if self.shape:
            raise InputError(f"{self.label.name} is no scalar: use .matrix, or an index for one entry")
        return self.entry().expression

    def _sympy_(self) -> Any:
        """What `sympy.sympify` makes of it."""
        return self.matrix if self.shape else self.expression

    @property
    def _rows_and_columns(self) -> tuple[int, int]:
        rows, columns = (*self.shape, 1, 1)[:2]
        return (rows, columns) if self.shape else (1, 1)

    def indices(self) -> Iterator[tuple[int, ...]]:
        """Indices of all entries, row by row."""
        return iter(np.ndindex(*self.shape))

    # inspection ----------------------------------------------------------------------------------

    @cached_property
    def structure(self) -> Structure:
        """Which entries are zero, constant, equal to another, and which joints each depends on."""
        self._elements  # noqa: B018 — the whole is derived at once
        rows, columns = self._rows_and_columns
        elements = [self.element(*index) for index in self.indices()]
        return Structure([elements[i * columns : (i + 1) * columns] for i in range(rows)], self.label.meaning)

    @property
    def definitions(self) -> list[tuple[str, Formula]]:
        """(name, formula) of the definitions that the entries use, each after those it uses itself."""
        return definitions_of(self.subject, [part for index in self.indices() for part in parts_of(self.entry(*index))])

    @property
    def legend(self) -> list[tuple[str, str, float | None]]:
        """(short form, meaning, value of a constant) of the cosines, sines and constants in entries and definitions."""
        items = [self.entry(*index) for index in self.indices()] + [item for _, item in self.definitions]
        return self.subject.notation.legend([letter for item in items for letter in letters_of(item)])

    @property
    def symbols(self) -> list[Symbol]:
        """The parameters, rates and forces in entries and definitions, with meaning, unit and links."""
        items = [self.entry(*index) for index in self.indices()] + [item for _, item in self.definitions]
        return symbols_of(self.subject, [part for item in items for part in parts_of(item)])

    def expanded(self, limit: int = EXPANSION_LIMIT) -> sympy.ImmutableDenseMatrix:
        """All definitions multiplied out: a SymPy matrix of polynomials and quotients of polynomials.

        `LimitError` if an entry would have more than `limit` terms.
        """
        import sympy

        rows, columns = self._rows_and_columns
        cells = [expanded(self.subject, self.element(*index), limit) for index in self.indices()]
        return sympy.ImmutableDenseMatrix(rows, columns, cells)

    def values(
        self,
        q: ArrayLike = (),
        qd: ArrayLike = (),
        qdd: ArrayLike = (),
        parameters: Mapping[str, float] | None = None,
        tau: ArrayLike = (),
    ) -> NDArray[np.float64]:
        """Numbers at a state, under joint forces `tau`; parameters have their values of the robot file unless given.

        `InputError` for wrong sizes and names, and where a quantity divides by zero at this state.
        """
        n = self.subject.mechanism.ni
        inputs = {name: _state(name, value, n) for name, value in (("qd", qd), ("qdd", qdd), ("tau", tau))}
        inputs["q"] = self._positions(q)
        defaults = {name: float(value) for name, value in self.subject.parameter_values().items()}
        unknown = sorted(set(parameters or {}).difference(defaults))
        if unknown:
            raise InputError(f"{self.label.name}: no parameter is called {unknown[0]!r}")
        given = {name: _number(name, value) for name, value in (parameters or {}).items()}
        valuation = Valuation(self.subject.ring, Floats(inputs, defaults | given))
        result = np.empty(self.shape)
        try:
            for index in self.indices():
                result[index] = valuation(self.element(*index))
        except ZeroDivisionError:
            raise InputError(f"{self.label.name} divides by zero at this state and these parameters") from None
        return result

    def _positions(self, q: ArrayLike) -> NDArray[np.float64]:
        """q with unit quaternions; without a value it is where no joint moves its link."""
        neutral = np.array(self.subject.robot.neutral)
        values = neutral if np.size(q) == 0 else _state("q", q, len(neutral)).copy()
        for first in self.subject.ring.quaternions:
            own = values[first : first + 4]
            if not own.any():
                raise InputError("q: a quaternion is 0; expected x, y, z, w, such as 0, 0, 0, 1")
            own /= np.linalg.norm(own)
        return values

    # display -------------------------------------------------------------------------------------

    def latex(self, limit: int | None = None) -> str:
        """The whole in LaTeX; beyond about `limit` letters an entry's terms are only counted."""
        if not self.shape:
            return self.entry().latex(limit)
        rows, columns = self._rows_and_columns
        cells = [self.entry(*index).latex(limit) for index in self.indices()]
        lines = [" & ".join(cells[i * columns : (i + 1) * columns]) for i in range(rows)]
        return r"\begin{bmatrix}" + r" \\ ".join(lines) + r"\end{bmatrix}"

    def text(self, limit: int | None = None) -> str:
        """Every entry on a line of its own, zeros left out."""
        lines = []
        for index in self.indices():
            item = self.entry(*index)
            if not item.element.is_zero:
                lines.append(f"{item.label} = {item.text(limit)}")
        return "\n".join(lines) or f"{self.label.name} = 0"

    def __repr__(self) -> str:
        shape = " × ".join(map(str, self.shape)) or "scalar"
        return f"<{self.label.name}: {self.label.meaning}, {shape}, {self.label.unit}>"

    def _repr_html_(self) -> str:
        from symgen.formulas.notebook import form_html  # which knows forms

        return form_html(self)


def _state(name: str, value: ArrayLike, n: int) -> NDArray[np.float64]:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{name}: expected {n} numbers, found {value!r}"[:200]) from None
    if array.size == 0:
        return np.zeros(n)
    if array.shape != (n,):
        raise InputError(f"{name}: expected {n} numbers, found an array of shape {array.shape}")
    return array


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        raise InputError(f"{name}: expected a number, found {value!r}"[:200])
    return float(value)


class Family:
    """Forms of the same kind for every body (or pair of bodies): `family[i]`, indices from 0."""

    def __init__(self, name: str, extents: tuple[int, ...], make: Callable[..., Form]) -> None:
        self.name = name
        self.extents = extents
        self._make = make
        self._forms: dict[tuple[int, ...], Form] = {}

    def __len__(self) -> int:
        return self.extents[0]

    def __getitem__(self, index: int | tuple[int, ...]) -> Form:
        wanted = index if isinstance(index, tuple) else (index,)
        if len(wanted) != len(self.extents):
            raise InputError(f"{self.name}: expected {len(self.extents)} indices of bodies, found {len(wanted)}")
        for i, extent in zip(wanted, self.extents, strict=True):
            if isinstance(i, bool) or not isinstance(i, int | np.integer) or not -extent <= i < extent:
                raise InputError(
                    f"{self.name}: there is no body {i!r}: there are {extent}, counted from 0 in Python and from 1 on "
                    "the command line"
                )
        key = tuple(int(i) % extent for i, extent in zip(wanted, self.extents, strict=True))
        if key not in self._forms:
            self._forms[key] = self._make(*key)
        return self._forms[key]

    def __iter__(self) -> Iterator[Form]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{self.name}: one for each of {' × '.join(map(str, self.extents))} bodies>"
