"""Recompute values from others: an instruction that equals a sum, difference or product of two values that are there
anyway is made of these, which frees what it was made of before.

Values are compared in the prime field (see `merge`), so every such relation is seen, whatever the formulas look like.
An instruction is rewritten only where more becomes unused than has to be kept for it.
"""

from __future__ import annotations

from typing import NamedTuple

from symgen.algebra.prime import PrimeField
from symgen.passes.likely import DIFFERENCE, PRODUCT, SUM, likely_pairs
from symgen.passes.rebuild import finished, is_worthwhile
from symgen.program.counts import WEIGHTS, weight
from symgen.program.fingerprint import SEEDS, Evaluation, radicands
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Dependence, Program

MAX_ROUNDS = 6

_VARIES = Dependence.VARIABLE  # an Enum's members are slow to look up

_SIGNS: dict[int, tuple[int, ...]] = {SUM: (1, 1), DIFFERENCE: (1, -1), PRODUCT: (1,)}


class Recipe(NamedTuple):
    """How an instruction is computed: "sum" of two signed instructions or "product" of two, with a sign."""

    kind: str
    args: tuple[int, ...]
    signs: tuple[int, ...]


def recompute(program: Program) -> Program:
    """The program with instructions recomputed from others where that saves operations.

    It is the program itself if that is nowhere, or in too few places of a long one.
    """
    search = _Search(program)
    for _ in range(MAX_ROUNDS):
        if not search.round():
            break
    return search.rebuilt() if is_worthwhile(program, len(search.recipes)) else program


class _Search:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.args: list[tuple[int, ...]] = [instruction.args for instruction in program.instructions]
        self.recipes: dict[int, Recipe] = {}
        self.weights = [weight(instruction) for instruction in program.instructions]
        self.uses = program.uses()
        self.relations = _Relations(program).found

    def round(self) -> bool:
        """One sweep from the outputs to the inputs; whether anything was rewritten."""
        changed = False
        for node in sorted(self.relations, reverse=True):
            if not self.uses[node]:
                continue
            best, saved = None, 0
            for recipe in self.relations[node]:
                if set(recipe.args) != set(self.args[node]) and all(self.uses[arg] for arg in recipe.args):
                    gain = self._gain(node, recipe)
                    if gain > saved:
                        best, saved = recipe, gain
            if best is not None:
                self._take(node, best)
                changed = True
        return changed

    # costs ---------------------------------------------------------------------------------------

    def _gain(self, node: int, recipe: Recipe) -> int:
        """What the operations weigh that become unused if a recipe is taken."""
        freed = self._release(self.args[node])
        kept = self._retain(recipe.args)
        gain = freed - kept + self.weights[node] - WEIGHTS["add" if recipe.kind == "sum" else "mul"]
        self._release(recipe.args)
        self._retain(self.args[node])
        return gain

    def _take(self, node: int, recipe: Recipe) -> None:
        self._release(self.args[node])
        self._retain(recipe.args)
        self.args[node] = recipe.args
        self.recipes[node] = recipe

    def _release(self, args: tuple[int, ...]) -> int:
        """Give up one use of instructions; what the operations weigh that nothing uses any more."""
        freed, open_ones = 0, list(args)
        while open_ones:
            arg = open_ones.pop()
            self.uses[arg] -= 1
            if self.uses[arg] == 0:
                freed += self.weights[arg]
                open_ones += self.args[arg]
        return freed

    def _retain(self, args: tuple[int, ...]) -> int:
        """Add one use of instructions; what the operations weigh that come back to life."""
        kept, open_ones = 0, list(args)
        while open_ones:
            arg = open_ones.pop()
            if self.uses[arg] == 0:
                kept += self.weights[arg]
                open_ones += self.args[arg]
            self.uses[arg] += 1
        return kept

    # the result ----------------------------------------------------------------------------------

    def rebuilt(self) -> Program:
        """The program with the recipes taken."""
        graph = Graph()
        values: list[Scalar] = []
        for node, instruction in enumerate(self.program.instructions):
            recipe = self.recipes.get(node)
            if recipe is None:
                values.append(graph.apply(instruction, [values[arg] for arg in instruction.args]))
                continue
            a, b = (values[arg] for arg in recipe.args)
            if recipe.kind == "sum":
                value = graph.add(a if recipe.signs[0] > 0 else -a, b if recipe.signs[1] > 0 else -b)
            else:
                value = graph.mul(a if recipe.signs[0] > 0 else -a, b)
            values.append(value if instruction.label is None else graph.define(instruction.label, value))
        return finished(graph, self.program, values)


class _Relations:
    """Sums and products of two values that equal a later one, at two points of the prime field."""

    def __init__(self, program: Program) -> None:
        self.program = program
        roots = radicands(program)
        fields = [PrimeField(roots, seed) for seed in SEEDS]
        self.p, self.q = (field.p for field in fields)
        self.values, self.second = (Evaluation(field, guards=True).run(program) for field in fields)
        self.place: dict[int, tuple[int, int]] = {}
        for node, instruction in enumerate(program.instructions):
            if instruction.args and instruction.dependence is _VARIES:
                value = self.values[node]
                self.place.setdefault(value, (node, 1))
                self.place.setdefault(-value % self.p, (node, -1))
        self.found: dict[int, list[Recipe]] = {}
        self._search()

    def _search(self) -> None:
        instructions = self.program.instructions
        for y, z, kind in likely_pairs(self.program):
            a, b = self.values[y], self.values[z]
            value = a + b if kind == SUM else a - b if kind == DIFFERENCE else a * b
            target = self.place.get(value % self.p)
            if target is not None and z < target[0] and instructions[target[0]].args != (y, z):
                self._add(target, "product" if kind == PRODUCT else "sum", (y, z), _SIGNS[kind])

    def _add(self, target: tuple[int, int], kind: str, args: tuple[int, int], signs: tuple[int, ...]) -> None:
        """Note a relation, if it holds at the second point too."""
        node, sign = target
        y, z = args
        signs = tuple(sign * each for each in signs)
        if kind == "sum":
            found = signs[0] * self.second[y] + signs[1] * self.second[z]
        else:
            found = signs[0] * self.second[y] * self.second[z]
        if (found - self.second[node]) % self.q == 0:
            self.found.setdefault(node, []).append(Recipe(kind, args, signs))
