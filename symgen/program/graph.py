"""Graph: builds programs node by node, hash-consed and sign-normalised.

A `Scalar` is a node with a sign, so that −x never is a node of its own and x and −x share everything. Where a node
is made, 0 and ±1 vanish, fixed factors (constants, parameters) fold and come to the front of what varies, and sums lose
terms that cancel: (a + b) − b is a, (a + b) + (c − b) is a + c. Nothing is expanded, and named partial sums stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from symgen.algebra.angles import cos_sin, split_quarter_turns
from symgen.algebra.domain import UNIT, Quaternion, composed, normalized
from symgen.algebra.exact import ONE, ZERO, Exact, Number
from symgen.algebra.roots import sqrt
from symgen.program.finish import finish
from symgen.program.program import Array, Dependence, Instruction, Op, Program

_ZERO_NODE = 0
_ONE_NODE = 1
_ITSELF = (_ZERO_NODE, _ONE_NODE)  # numbers whose nodes are called like them

# A program takes millions of these look-ups, and those of an Enum's members are slow.
_ADD, _SUB, _MUL, _DIV, _CONSTANT = Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.CONSTANT
_VARIES = Dependence.VARIABLE
_new = tuple.__new__


class Scalar:
    """A signed node of a graph, with the arithmetic of a number."""

    __slots__ = ("graph", "node", "sign")

    def __init__(self, graph: Graph, node: int, sign: int) -> None:
        self.graph = graph
        self.node = node
        self.sign = sign

    def __add__(self, other: Any) -> Scalar:
        if isinstance(other, Scalar):  # the usual case, and there are many
            return self.graph.add(self, other)
        other = self.graph.operand(other)
        return NotImplemented if other is None else self.graph.add(self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Scalar:
        if isinstance(other, Scalar):
            return self.graph.add(self, -other)
        other = self.graph.operand(other)
        return NotImplemented if other is None else self.graph.add(self, -other)

    def __rsub__(self, other: Any) -> Scalar:
        other = self.graph.operand(other)
        return NotImplemented if other is None else self.graph.add(other, -self)

    def __neg__(self) -> Scalar:
        return self if self.node == _ZERO_NODE else Scalar(self.graph, self.node, -self.sign)

    def __mul__(self, other: Any) -> Scalar:
        if isinstance(other, Scalar):
            return self.graph.mul(self, other)
        other = self.graph.operand(other)
        return NotImplemented if other is None else self.graph.mul(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Scalar:
        other = self.graph.operand(other)
        return NotImplemented if other is None else self.graph.div(self, other)

    def __rtruediv__(self, other: Any) -> Scalar:
        other = self.graph.operand(other)
        return NotImplemented if other is None else self.graph.div(other, self)

    @property
    def is_zero(self) -> bool:
        """Whether this is the constant 0."""
        return self.node == _ZERO_NODE

    @property
    def is_number(self) -> bool:
        """Whether this is a constant."""
        return self.graph.nodes[self.node].value is not None


class Graph:
    """Nodes under construction; the domain of scalars whose results are programs."""

    def __init__(self) -> None:
        self.nodes: list[Instruction] = []
        self.labels: dict[int, tuple[str, int]] = {}
        self._known: dict[tuple[Any, ...], int] = {}
        self._names: set[str] = set()
        self._constants: dict[Exact, tuple[int, int]] = {}  # number → its node and sign
        self._bases: list[int] = []  # node → what it is a constant multiple of: itself, or 1 for a constant
        self._terms: list[tuple[int, ...]] = []  # node → its two terms, if it is a sum
        self._node(Instruction(Op.CONSTANT, value=ZERO, dependence=Dependence.CONSTANT), (Op.CONSTANT, ZERO))
        self._node(Instruction(Op.CONSTANT, value=ONE, dependence=Dependence.CONSTANT), (Op.CONSTANT, ONE))

    # leaves --------------------------------------------------------------------------------------

    def operand(self, value: Any) -> Scalar | None:
        """`value` as a scalar of this graph; None for what is no scalar, such as an array of scalars."""
        if isinstance(value, Scalar):
            return value
        return self.constant(value) if isinstance(value, int | Fraction | Exact) else None

    def constant(self, value: Number) -> Scalar:
        """The constant `value`."""
        if type(value) is int and value in _ITSELF:
            return Scalar(self, value, 1)
        value = Exact.of(value)
        known = self._constants.get(value)
        if known is None:
            sign = value.leading_sign or 1
            size = value if sign > 0 else -value
            instruction = Instruction(Op.CONSTANT, value=size, dependence=Dependence.CONSTANT)
            known = self._constants[value] = self._node(instruction, (Op.CONSTANT, size)), sign
        return Scalar(self, *known)

    def parameter(self, name: str) -> Scalar:
        """The parameter `name`."""
        instruction = Instruction(Op.PARAMETER, name=name, dependence=Dependence.PARAMETER)
        return Scalar(self, self._node(instruction, (Op.PARAMETER, name)), 1)

    def variable(self, name: str, index: int) -> Scalar:
        """Entry `index` of the input array `name`."""
        instruction = Instruction(Op.VARIABLE, name=name, entry=index)
        return Scalar(self, self._node(instruction, (Op.VARIABLE, name, index)), 1)

    # operations ----------------------------------------------------------------------------------

    def add(self, x: Scalar, y: Scalar) -> Scalar:
        """x + y."""
        a, b = x.node, y.node
        if a == _ZERO_NODE:
            return y
        if b == _ZERO_NODE:
            return x
        if self._bases[a] == self._bases[b]:
            return self._gathered(x, y)
        if self._share_terms(a, b):
            shorter = self._cancelled(x, y)
            if shorter is not None:
                return shorter
        op = _ADD if x.sign == y.sign else _SUB
        if a < b:
            return Scalar(self, self._binary(op, a, b), x.sign)
        return Scalar(self, self._binary(op, b, a), y.sign)

    def _gathered(self, x: Scalar, y: Scalar) -> Scalar:
        """x + y of constant multiples of one node."""
        if x.node == y.node and x.sign != y.sign:
            return Scalar(self, _ZERO_NODE, 1)
        cx, base = self._coefficient(x.node)
        cy, _ = self._coefficient(y.node)
        total = (cx if x.sign > 0 else -cx) + (cy if y.sign > 0 else -cy)
        return self.mul(self.constant(total), Scalar(self, base, 1))

    def _share_terms(self, a: int, b: int) -> bool:
        """Whether nodes, one of them a sum, have a term in common."""
        left, right = self._terms[a], self._terms[b]
        if not left:
            return a in right
        return b in left or left[0] in right or left[1] in right

    def _cancelled(self, x: Scalar, y: Scalar) -> Scalar | None:
        """x + y where a term of the one is minus a term of the other; None if there is none."""
        left, right = self.terms(x), self.terms(y)
        for i, (node, sign) in enumerate(left):
            if (node, -sign) in right:
                j = right.index((node, -sign))
                rest = [*left[:i], *left[i + 1 :], *right[:j], *right[j + 1 :]]
                return self.sum(Scalar(self, *term) for term in rest)
        return None

    def terms(self, x: Scalar) -> list[tuple[int, int]]:
        """(node, sign) of the one or two terms of x."""
        instruction = self.nodes[x.node]
        if instruction.op is Op.ADD:
            return [(instruction.args[0], x.sign), (instruction.args[1], x.sign)]
        if instruction.op is Op.SUB:
            return [(instruction.args[0], x.sign), (instruction.args[1], -x.sign)]
        return [(x.node, x.sign)]

    def sum(self, values: Iterable[Scalar]) -> Scalar:
        """The sum of `values`, added from left to right."""
        total = Scalar(self, _ZERO_NODE, 1)
        for value in values:
            total = self.add(total, value)
        return total

    def mul(self, x: Scalar, y: Scalar) -> Scalar:
        """x · y."""
        a, b = x.node, y.node
        if a == _ZERO_NODE or b == _ZERO_NODE:
            return Scalar(self, _ZERO_NODE, 1)
        sign = x.sign * y.sign
        if a == _ONE_NODE or b == _ONE_NODE:
            return Scalar(self, b if a == _ONE_NODE else a, sign)
        nodes = self.nodes
        if nodes[a].dependence is _VARIES:
            if nodes[b].dependence is _VARIES:
                return Scalar(self, self._product(a, b), sign)
            return self._scale(b, a, sign)
        if nodes[b].dependence is _VARIES:
            return self._scale(a, b, sign)
        cx, bx = self._coefficient(a)
        cy, by = self._coefficient(b)
        return self._scaled(cx * cy, self._product(bx, by), sign)

    def _is_variable(self, node: int) -> bool:
        return self.nodes[node].dependence is Dependence.VARIABLE

    def _scale(self, factor: int, node: int, sign: int) -> Scalar:
        """factor · node for a fixed factor; a fixed factor in front of the node is merged with it."""
        instruction = self.nodes[node]
        if instruction.op is Op.MUL and not self._is_variable(instruction.args[0]):
            front, base = instruction.args
            total = self.mul(Scalar(self, factor, sign), Scalar(self, front, 1))
            return self.mul(total, Scalar(self, base, 1))
        return Scalar(self, self._product(factor, node), sign)

    def _product(self, a: int, b: int) -> int:
        if a == _ONE_NODE:
            return b
        if b == _ONE_NODE:
            return a
        first, second = self.nodes[a], self.nodes[b]
        if (first.op is _DIV and first.args == (_ONE_NODE, b)) or (second.op is _DIV and second.args == (_ONE_NODE, a)):
            return _ONE_NODE
        if first.dependence is second.dependence:
            return self._binary(_MUL, a, b) if a < b else self._binary(_MUL, b, a)
        return self._binary(_MUL, a, b) if first.dependence < second.dependence else self._binary(_MUL, b, a)

    def _scaled(self, coefficient: Exact, base: int, sign: int) -> Scalar:
        constant = self.constant(coefficient)
        sign *= constant.sign
        if constant.node == _ONE_NODE:
            return Scalar(self, base, sign)
        if base == _ONE_NODE or constant.node == _ZERO_NODE:
            return Scalar(self, constant.node, sign)
        return Scalar(self, self._binary(_MUL, constant.node, base), sign)

    def _coefficient(self, node: int) -> tuple[Exact, int]:
        """(c, base) with node = c · base; the base of a constant is 1."""
        instruction = self.nodes[node]
        if instruction.op is Op.CONSTANT:
            assert instruction.value is not None
            return instruction.value, _ONE_NODE
        if instruction.op is Op.MUL:
            front = self.nodes[instruction.args[0]]
            if front.value is not None:
                return front.value, instruction.args[1]
        return ONE, node

    def div(self, x: Scalar, y: Scalar) -> Scalar:
        """x / y; `ZeroDivisionError` if y is the constant 0."""
        divisor = self.nodes[y.node].value
        if divisor is not None:
            return self.mul(x, self.constant(y.sign * divisor.inverse()))
        if x.node == _ZERO_NODE:
            return x
        if x.node == y.node:
            return Scalar(self, _ONE_NODE, x.sign * y.sign)
        factors = self.nodes[x.node].args if self.nodes[x.node].op is Op.MUL else ()
        if y.node in factors:
            rest = factors[1] if factors[0] == y.node else factors[0]
            return Scalar(self, rest, x.sign * y.sign)
        return Scalar(self, self._operation(Op.DIV, x.node, y.node), x.sign * y.sign)

    def sin(self, x: Scalar) -> Scalar:
        """sin x."""
        value = self.nodes[x.node].value
        if value is not None:
            return self.constant(x.sign * cos_sin(value)[1])
        return Scalar(self, self._operation(Op.SIN, x.node), x.sign)

    def cos(self, x: Scalar) -> Scalar:
        """cos x."""
        value = self.nodes[x.node].value
        if value is not None:
            return self.constant(cos_sin(value)[0])
        return Scalar(self, self._operation(Op.COS, x.node), 1)

    def sign(self, x: Scalar) -> Scalar:
        """The sign of x: −1, 0 or 1."""
        value = self.nodes[x.node].value
        if value is not None:
            return self.constant(0 if x.is_zero else x.sign if float(value) > 0 else -x.sign)
        return Scalar(self, self._operation(Op.SIGN, x.node), x.sign)

    def tanh(self, x: Scalar) -> Scalar:
        """tanh x."""
        return x if x.is_zero else Scalar(self, self._operation(Op.TANH, x.node), x.sign)

    def atan(self, x: Scalar) -> Scalar:
        """atan x."""
        return x if x.is_zero else Scalar(self, self._operation(Op.ATAN, x.node), x.sign)

    def nonzero(self, x: Scalar, least: Fraction) -> Scalar:
        """x, or no number where |x| < `least`; what no state changes is taken as it is."""
        if not (least and self._is_variable(x.node)):
            return x
        return Scalar(self, self._operation(Op.NONZERO, x.node, self.constant(least).node), x.sign)

    def sqrt(self, x: Scalar) -> Scalar:
        """√x of a scalar that is not negative."""
        value = self.nodes[x.node].value
        if value is not None and value.rational is not None:
            return self.constant(sqrt(x.sign * value))
        return Scalar(self, self._operation(Op.SQRT, self._positive(x)), 1)

    def _positive(self, x: Scalar) -> int:
        return x.node if x.sign > 0 else self._operation(Op.NEG, x.node)

    def cos_sin(self, index: int, offset: Exact | Scalar, ratio: Fraction = UNIT) -> tuple[Scalar, Scalar]:
        """(cos, sin) of ratio q[index] + offset; quarter turns of the offset cost nothing."""
        quarter_turns = 0
        if isinstance(offset, Exact):
            quarter_turns, offset = split_quarter_turns(offset)
        coordinate = self.variable("q", index)
        angle = (coordinate if ratio == 1 else self.constant(ratio) * coordinate) + offset
        c = self.define(f"c{index + 1}", self.cos(angle))
        s = self.define(f"s{index + 1}", self.sin(angle))
        for _ in range(quarter_turns % 4):
            c, s = -s, c
        return c, s

    def quaternion(self, index: int) -> Quaternion:
        """By division with the norm."""
        return normalized(self, index)

    def compose(self, a: tuple[Scalar, Scalar], b: tuple[Scalar, Scalar]) -> tuple[Scalar, Scalar]:
        """Cosine and sine of the sum of two angles: of the sum itself, where the angles are known, else by products."""
        x, y = self._angle(*a), self._angle(*b)
        if x is None or y is None:
            return composed(a, b)
        c, s = self.circle(self.add(x[0], y[0]))
        for _ in range((x[1] + y[1]) % 4):
            c, s = -s, c
        return c, s

    def _angle(self, c: Scalar, s: Scalar) -> tuple[Scalar, int] | None:
        """(angle, quarter turns) of a cosine and a sine that are nodes of the angle; None for others."""
        for turns in range(4):
            cosine, sine = self.nodes[c.node], self.nodes[s.node]
            if (cosine.op, sine.op, c.sign) == (Op.COS, Op.SIN, 1) and cosine.args == sine.args:
                return Scalar(self, cosine.args[0], s.sign), turns
            c, s = s, -c
        return None

    def circle(self, angle: Scalar) -> tuple[Scalar, Scalar]:
        """Cosine and sine nodes of an angle."""
        return self.cos(angle), self.sin(angle)

    def define(self, name: str, value: Scalar) -> Scalar:
        """`value`, named: the name travels with the node into the generated code. The first name stays."""
        op = self.nodes[value.node].op
        leaf = op in (Op.CONSTANT, Op.PARAMETER, Op.VARIABLE)
        if not leaf and value.node not in self.labels and name not in self._names:
            self.labels[value.node] = (name, value.sign)
            self._names.add(name)
        return value

    # nodes ---------------------------------------------------------------------------------------

    def _operation(self, op: Op, *args: int) -> int:
        key = (op, *args)
        known = self._known.get(key)
        if known is None:
            nodes = self.nodes
            dependence = max([nodes[arg].dependence for arg in args])
            known = self._append(Instruction(op, args, None, "", 0, None, dependence), key)
        return known

    def _binary(self, op: Op, a: int, b: int) -> int:
        """A sum, a difference or a product; there are more of them than of all else."""
        key = (op, a, b)
        known = self._known.get(key)
        if known is None:
            nodes = self.nodes
            first, second = nodes[a], nodes[b]
            dependence = first.dependence if first.dependence >= second.dependence else second.dependence
            known = self._known[key] = len(nodes)
            args = (a, b)
            nodes.append(_new(Instruction, (op, args, None, "", 0, None, dependence)))
            if op is _MUL:
                self._bases.append(known if first.value is None else b)
                self._terms.append(())
            else:
                self._bases.append(known)
                self._terms.append(args)
        return known

    def _node(self, instruction: Instruction, key: tuple[Any, ...]) -> int:
        known = self._known.get(key)
        return self._append(instruction, key) if known is None else known

    def _append(self, instruction: Instruction, key: tuple[Any, ...]) -> int:
        """A new node that is neither sum nor product."""
        number = self._known[key] = len(self.nodes)
        self.nodes.append(instruction)
        self._bases.append(number if instruction.value is None else _ONE_NODE)
        self._terms.append(())
        return number

    @property
    def extent(self) -> tuple[int, int, int]:
        """How many nodes, how many names and how many numbers there are."""
        return len(self.nodes), len(self.labels), len(self._constants)

    def rewind(self, extent: tuple[int, int, int]) -> None:
        """Back to what the graph was when it had this extent: later nodes and names are gone, scalars of them void."""
        nodes, labels, constants = extent
        while len(self._constants) > constants:
            self._constants.popitem()
        del self.nodes[nodes:], self._bases[nodes:], self._terms[nodes:]
        while len(self._known) > nodes:
            self._known.popitem()  # every node has one key, and keys are in the order of nodes
        while len(self.labels) > labels:
            self._names.discard(self.labels.popitem()[1][0])

    # programs ------------------------------------------------------------------------------------

    def program(self, inputs: Sequence[Array], outputs: Sequence[tuple[Array, Sequence[Scalar]]]) -> Program:
        """The program that computes `outputs`; what they do not need is left out."""
        signed = [(array, [(entry.node, entry.sign) for entry in entries]) for array, entries in outputs]
        return finish(self.nodes, self.labels, tuple(inputs), signed)

    def load(self, program: Program) -> list[Scalar]:
        """Rebuild `program` in this graph; returns the scalar of each of its instructions."""
        values: list[Scalar] = []
        for instruction in program.instructions:
            args = [values[arg] for arg in instruction.args]
            value = self._applied(instruction, args)
            values.append(value if instruction.label is None else self.define(instruction.label, value))
        return values

    def apply(self, instruction: Instruction, args: Sequence[Scalar]) -> Scalar:
        """The scalar of `instruction` with operands `args`; its label is kept."""
        value = self._applied(instruction, args)
        return value if instruction.label is None else self.define(instruction.label, value)

    def _applied(self, instruction: Instruction, args: Sequence[Scalar]) -> Scalar:
        op = instruction.op
        if op is _MUL:
            return self.mul(args[0], args[1])
        if op is _ADD:
            return self.add(args[0], args[1])
        if op is _SUB:
            y = args[1]
            return self.add(args[0], Scalar(self, y.node, -y.sign) if y.node else y)
        if op is _CONSTANT:
            assert instruction.value is not None
            return self.constant(instruction.value)
        return self._applied_rarely(instruction, args)

    def _applied_rarely(self, instruction: Instruction, args: Sequence[Scalar]) -> Scalar:
        match instruction.op:
            case Op.PARAMETER:
                return self.parameter(instruction.name)
            case Op.VARIABLE:
                return self.variable(instruction.name, instruction.entry)
            case Op.DIV:
                return self.div(args[0], args[1])
            case Op.NEG:
                return -args[0]
            case Op.SIN:
                return self.sin(args[0])
            case Op.COS:
                return self.cos(args[0])
            case Op.SQRT:
                return self.sqrt(args[0])
            case Op.SIGN:
                return self.sign(args[0])
            case Op.TANH:
                return self.tanh(args[0])
            case Op.ATAN:
                return self.atan(args[0])
            case Op.NONZERO:
                least = self.nodes[args[1].node].value
                assert least is not None
                assert least.rational is not None
                return self.nonzero(args[0], least.rational)
            case _:  # sums, products and constants
                return self._applied(instruction, args)
