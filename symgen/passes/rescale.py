"""Rescaling: values are kept in units in which constant factors become 1, as lengths in units of a link's length.

A value x may be computed as x / u for any constant u, if whatever it is made of and made into follows. The terms of a
sum share a unit, the unit of a product is the product of its factors' units, and an input, a sine or an output in
another unit than 1 costs a multiplication. These conditions are linear in the logarithms of the units. In each of the
directions they leave free, the units are tried that turn constant factors into 1; the move that saves most
multiplications is made, then the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from symgen.algebra.exact import Exact
from symgen.passes.kernel import Vector, kernel
from symgen.passes.rebuild import finished
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Dependence, Instruction, Op, Program

MAX_TRIALS = 3
"""So many units are tried in each direction: those that turn most factors into 1."""

LARGEST = 2**20
"""Units lie between this and its reciprocal, so that single precision neither overflows nor loses digits."""

_SCALING = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.NONZERO})
"""Operations whose result is in another unit if the operands are."""

_NO_CLASS = -1
"""The class of what is in unit 1: constants, parameters, and what sines and roots are taken of."""

_PRIME = 2**61 - 1
"""Factors are compared modulo this prime while units are sought; the units themselves are exact."""

_ONE = Fraction(1)

Direction = dict[int, int]
"""Class → exponent of its unit, for a move in which one number's powers are the units of classes."""


def rescale(program: Program) -> Program:
    """The program with values in units that save multiplications; itself if there are none."""
    kinds = _Kinds(program)
    classes = _classes(program, kinds)
    search = _Search(_factors(program, kinds, classes), _directions(program, kinds, classes))
    return _rebuilt(program, kinds, classes, search.unit) if search.run() else program


# what shares a unit --------------------------------------------------------------------------------


def _classes(program: Program, kinds: _Kinds) -> list[int]:
    """The class of every instruction: all of a class share a unit."""
    parents = list(range(len(program.instructions)))
    fixed: list[int] = []

    def root(node: int) -> int:
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    for node, instruction in enumerate(program.instructions):
        if not kinds.varies[node]:
            continue
        if kinds.leaves[node]:
            fixed += instruction.args
        elif instruction.op not in (Op.MUL, Op.DIV):
            for arg in instruction.args:
                if kinds.varies[arg] and not kinds.leaves[arg]:
                    parents[root(arg)] = root(node)
    roots = {root(node) for node in fixed}
    return [root(node) if kinds.varies[node] and root(node) not in roots else _NO_CLASS for node in range(len(parents))]


class _Kinds:
    """What the instructions of a program are: whether they vary, and whether they come with unit 1.

    These are inputs, sines, roots: leaves. Readers may want them in another unit.
    """

    def __init__(self, program: Program) -> None:
        self.varies = [instruction.dependence is Dependence.VARIABLE for instruction in program.instructions]
        self.leaves = [
            varies and instruction.op not in _SCALING
            for varies, instruction in zip(self.varies, program.instructions, strict=True)
        ]

    def is_multiple(self, instruction: Instruction) -> bool:
        """Whether it is a multiple of another by a constant or parameter, which can take up any change of units."""
        return instruction.op is Op.MUL and not self.varies[instruction.args[0]]


class _Factor(NamedTuple):
    """A constant factor |number| with which an instruction enters another or an output; 1 if there is none now."""

    node: int
    number: Fraction
    source: int
    result: int


def _factors(program: Program, kinds: _Kinds, classes: list[int]) -> list[_Factor]:
    """Every place where units may bring, or take away, a multiplication; equal factors of one instruction once."""
    found: dict[_Factor, None] = {}

    def note(node: int, number: Fraction, result: int) -> None:
        source = _NO_CLASS if kinds.leaves[node] else classes[node]
        if source != result:
            found[_Factor(node, abs(number), source, result)] = None

    for node, instruction in enumerate(program.instructions):
        if not kinds.varies[node] or kinds.leaves[node]:
            continue
        if kinds.is_multiple(instruction):
            front = program.instructions[instruction.args[0]].value
            if front is not None and front.rational is not None:
                note(instruction.args[1], front.rational, classes[node])
            continue
        for arg in instruction.args:
            if kinds.leaves[arg]:
                note(arg, _ONE, classes[arg if instruction.op in (Op.MUL, Op.DIV) else node])
    for node in program.output_nodes():
        if kinds.varies[node]:
            note(node, _ONE, _NO_CLASS)
    return list(found)


def _directions(program: Program, kinds: _Kinds, classes: list[int]) -> list[Direction]:
    """A basis of what the units of products leave free; inputs keep theirs in all directions that do not need them."""
    leaves = {number for node, number in enumerate(classes) if kinds.leaves[node]}
    ordered = sorted(set(classes) - {_NO_CLASS}, key=lambda number: (number in leaves, number))
    columns = {number: place for place, number in enumerate(ordered)}
    rows: dict[tuple[int, int, int, int], Vector] = {}
    for node, instruction in enumerate(program.instructions):
        is_product = instruction.op in (Op.MUL, Op.DIV) and not kinds.is_multiple(instruction)
        if is_product and kinds.varies[node]:
            first, second = (classes[arg] for arg in instruction.args)
            power = 1 if instruction.op is Op.MUL else -1
            key = first, second, classes[node], power
            if key not in rows:
                rows[key] = _row(((first, 1), (second, power), (classes[node], -1)), columns)
    return [
        {ordered[place]: power for place, power in vector.items()} for vector in kernel(rows.values(), len(ordered))
    ]


def _row(terms: Sequence[tuple[int, int]], columns: dict[int, int]) -> Vector:
    """An equation between the exponents of classes' units."""
    row: Vector = {}
    for number, power in terms:
        if number != _NO_CLASS:
            row[columns[number]] = row.get(columns[number], 0) + power
    return {column: power for column, power in row.items() if power}


# the search ----------------------------------------------------------------------------------------


class _Search:
    """The search for units."""

    def __init__(self, factors: list[_Factor], directions: list[Direction]) -> None:
        self._distinct = [_ONE]
        self._units_of: dict[int, int] = {}  # class → place of its unit among the distinct ones, where it is not 1
        self._factors = factors
        self._totals = [_reduced(factor.number) for factor in factors]
        self._by_node: dict[int, list[int]] = {}
        self._by_class: dict[int, list[int]] = {}
        for place, factor in enumerate(factors):
            self._by_node.setdefault(factor.node, []).append(place)
            for number in {factor.source, factor.result}:
                self._by_class.setdefault(number, []).append(place)
        self._directions = [(direction, self._powers(direction)) for direction in directions]
        self._touching: dict[tuple[str, int], list[int]] = {}  # class or node → directions that change it
        for order, (direction, powers) in enumerate(self._directions):
            for key in self._touched(direction, powers):
                self._touching.setdefault(key, []).append(order)

    def _powers(self, direction: Direction) -> dict[int, int]:
        """Factor → power of the unit by which a move in a direction multiplies it, where that is not 0."""
        places = {place for number in direction for place in self._by_class.get(number, ())}
        powers = {
            place: direction.get(self._factors[place].source, 0) - direction.get(self._factors[place].result, 0)
            for place in sorted(places)
        }
        return {place: power for place, power in powers.items() if power}

    def _touched(self, direction: Direction, powers: dict[int, int]) -> set[tuple[str, int]]:
        """The classes whose units a move in a direction changes, and the nodes whose factors."""
        return {("class", number) for number in direction} | {("node", self._factors[place].node) for place in powers}

    def run(self) -> bool:
        """Make the moves that save most; whether there were any."""
        moved = False
        savings = {order: self._savings(order) for order in range(len(self._directions))}
        while True:
            saving, order, _, place = max(
                ((saving, -order, -k, place) for order, found in savings.items() for k, (saving, place) in found),
                key=lambda item: item[:3],
                default=(0, 0, 0, 0),
            )
            if saving <= 0:
                return moved
            direction, powers = self._directions[-order]
            self._move(direction, powers, place)
            for changed in {k for key in self._touched(direction, powers) for k in self._touching[key]}:
                savings[changed] = self._savings(changed)
            moved = True

    def _savings(self, order: int) -> list[tuple[int, tuple[int, int]]]:
        """(number of a move, (what it saves, the factor that becomes 1)) of the likely moves in a direction."""
        _, powers = self._directions[order]
        return [(k, (self._saving(powers, place), place)) for k, place in enumerate(self._moves(order))]

    def _moves(self, order: int) -> Iterator[int]:
        """The factors that become 1 by the likely moves in a direction."""
        direction, powers = self._directions[order]
        units: Counter[int] = Counter()
        places: dict[int, int] = {}
        for place, power in powers.items():
            if abs(power) == 1 and self._totals[place] != 1:
                unit = pow(self._totals[place], -power, _PRIME)
                units[unit] += 1
                places.setdefault(unit, place)
        for unit, _ in units.most_common(MAX_TRIALS):
            if self._is_moderate(direction, self._unit(powers, places[unit])):
                yield places[unit]

    def _is_moderate(self, direction: Direction, unit: Fraction) -> bool:
        after = self._after(direction, unit).values()
        return all(value * LARGEST >= 1 and value <= LARGEST for value in after)

    def _after(self, direction: Direction, unit: Fraction) -> dict[tuple[int, int], Fraction]:
        """(number of a unit, power) → the unit after a move: a direction has many classes, of few units and powers."""
        pairs = {(self._units_of.get(number, 0), power) for number, power in direction.items()}
        return {(number, power): self._distinct[number] * unit**power for number, power in pairs}

    def unit(self, number: int) -> Fraction:
        """The unit of a class."""
        return self._distinct[self._units_of.get(number, 0)]

    def _unit(self, powers: dict[int, int], place: int) -> Fraction:
        """The unit with which a move makes a factor 1."""
        factor = self._factors[place]
        total = factor.number * self.unit(factor.source) / self.unit(factor.result)
        return total ** -powers[place]

    def _moved(self, powers: dict[int, int], place: int) -> dict[int, int]:
        unit = pow(self._totals[place], -powers[place], _PRIME)
        return {other: self._totals[other] * pow(unit, power, _PRIME) % _PRIME for other, power in powers.items()}

    def _saving(self, powers: dict[int, int], place: int) -> int:
        """Multiplications that a move saves; an instruction's equal multiples are one."""
        after = self._moved(powers, place)
        saving = 0
        for node in {self._factors[other].node for other in powers}:
            places = self._by_node[node]
            saving += len({self._totals[other] for other in places} - {1})
            saving -= len({after.get(other, self._totals[other]) for other in places} - {1})
        return saving

    def _move(self, direction: Direction, powers: dict[int, int], place: int) -> None:
        unit = self._unit(powers, place)
        for other, total in self._moved(powers, place).items():
            self._totals[other] = total
        after = self._after(direction, unit)
        places = {value: place for place, value in enumerate(self._distinct)}
        for value in after.values():
            if value not in places:
                places[value] = len(self._distinct)
                self._distinct.append(value)
        numbers = {pair: places[value] for pair, value in after.items()}
        for number, power in direction.items():
            self._units_of[number] = numbers[self._units_of.get(number, 0), power]


def _reduced(number: Fraction) -> int:
    return number.numerator * pow(number.denominator, -1, _PRIME) % _PRIME


# the result ----------------------------------------------------------------------------------------


def _rebuilt(program: Program, kinds: _Kinds, classes: list[int], unit_of_class: Callable[[int], Fraction]) -> Program:
    """The program with its values in the units of their classes."""
    graph = Graph()
    values: list[Scalar] = []
    unit_of = [unit_of_class(number) for number in classes]
    ratios: dict[tuple[int, int], Scalar] = {}  # of units, as factors
    fronts: dict[tuple[Op, int, int, int], Scalar] = {}  # classes of a product's factors and of itself → its factor

    def front(op: Op, first: int, second: int, result: int) -> Scalar:
        key = op, first, second, result
        if key not in fronts:
            a, b, c = map(unit_of_class, key[1:])
            fronts[key] = graph.constant(Exact.of(a * b / c if op is Op.MUL else a / b / c))
        return fronts[key]

    def read(node: int, unit: Fraction) -> Scalar:
        """The value of an instruction in a unit."""
        own = _ONE if kinds.leaves[node] else unit_of[node]
        if own is unit:  # units are told apart by what they are: there is one object for each
            return values[node]
        key = id(own), id(unit)
        if key not in ratios:
            ratios[key] = graph.constant(Exact.of(own / unit))
        return ratios[key] * values[node]

    for node, instruction in enumerate(program.instructions):
        unit, args, label = unit_of[node], instruction.args, instruction.label
        is_plain = unit is _ONE and all(unit_of[arg] is _ONE for arg in args)
        if is_plain or not kinds.varies[node] or kinds.leaves[node]:
            operands = [values[arg] for arg in args]
        elif instruction.op not in (Op.MUL, Op.DIV):
            operands = [read(arg, unit) for arg in args]
        elif kinds.is_multiple(instruction):
            operands = [values[args[0]], read(args[1], unit)]
        else:
            first, second = args
            left = front(instruction.op, classes[first], classes[second], classes[node])
            operands = [left * read(first, unit_of[first]), read(second, unit_of[second])]
        if label is not None and unit != 1 and not kinds.leaves[node]:
            label = _scaled(label)
        values.append(
            graph.apply(instruction if label is instruction.label else instruction._replace(label=label), operands)
        )
    return finished(graph, program, [read(node, _ONE) for node in range(len(values))])


def _scaled(label: str) -> str:
    """The label of a value in another unit; once in one, it is not told apart from the same in a third."""
    plain = label.removesuffix("_neg")
    scaled = plain if plain.endswith("_scaled") else f"{plain}_scaled"
    return scaled if plain == label else f"{scaled}_neg"
