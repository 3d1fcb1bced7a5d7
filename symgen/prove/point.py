"""Random points of the prime field: the block forms there, and the programs' values."""

from __future__ import annotations

from functools import cached_property
from math import lcm
from typing import Any, cast

from symgen.algebra import prime
from symgen.algebra.domain import Domain, Vector, vector
from symgen.algebra.duals import Dual, Duals
from symgen.algebra.prime import Element, PrimeField
from symgen.derive.subject import Subject
from symgen.mechanics.grouping import STEMS, inertia_of, with_inertias, with_parameters
from symgen.mechanics.joints import rate_map
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.regressor import BASE_COLUMNS, parameter_values
from symgen.program.fingerprint import Evaluation, finest, radicands
from symgen.program.graph import Graph
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Function, Module
from symgen.prove.block_form import BlockForm
from symgen.prove.looped_form import form_of

DIRECTED = ("q", "qd", "tau")
"""Inputs by which functions have derivatives; those by q are in the tangent space."""


class Point:
    """A random point of the prime field: the block forms there, and the programs' values."""

    def __init__(self, subject: Subject, module: Module, seed: int) -> None:
        """`LimitError` if no prime of the field's size has all the square roots that occur."""
        programs = [function.program for function in module.functions]
        programs += [module.init] if module.init is not None else []
        roots = _roots(subject).union(*(radicands(program) for program in programs))
        parts = lcm(*(link.joint.ratio.denominator for link in subject.robot.links), *map(finest, programs))
        self.field = PrimeField(roots, seed, finest=parts)
        self.subject = subject
        self.module = module

    @cached_property
    def form(self) -> BlockForm:
        """The block form."""
        return form_of(self._mechanism(self.field, normal=self.subject.robot.has_loops))

    @cached_property
    def as_described(self) -> BlockForm:
        """The block form in the links' own frames, for functions that no frames are chosen for (see `_mechanism`)."""
        return form_of(self._mechanism(self.field)) if self.subject.robot.has_loops else self.form

    @cached_property
    def moving(self) -> BlockForm:
        """The block form with its derivatives in the random direction."""
        others = {(name, index): slope for name in DIRECTED[1:] for index, slope in enumerate(self.direction(name))}
        return self._going(self.direction("q"), others)

    @cached_property
    def in_motion(self) -> BlockForm:
        """The block form with its derivatives as q goes along q̇."""
        return self._going(self.form.velocity, {})

    def _going(self, rates: Vector, others: dict[tuple[str, int], Element]) -> BlockForm:
        """The block form with its derivatives as q goes along joint velocities; with loops as A leaves it."""
        way = self.form.of_tree(rates)
        slopes = {("q", index): slope for index, slope in enumerate(rate_map(self.subject.robot, self.field).dot(way))}
        return form_of(self._mechanism(Duals(self.field, slopes | others), normal=self.subject.robot.has_loops))

    @cached_property
    def bending(self) -> BlockForm:
        """The block form with derivatives of its derivatives in the random direction; with loops q goes as A leaves it.

        q goes on along the joints' columns as they move, so that a step of twice the length is two such steps; q̈ goes
        in a direction of its own.
        """
        robot, form, domain = self.subject.robot, self.form, cast(Domain, self.field)
        for depth in range(2):
            ways = {name: [_still(entry, depth) for entry in self.direction(name)] for name in (*DIRECTED, "qdd")}
            ways["q"] = list(rate_map(robot, domain).dot(form.of_tree(vector(ways["q"]))))
            domain = Duals(domain, {(name, k): slope for name, way in ways.items() for k, slope in enumerate(way)})
            form = form_of(self._mechanism(domain, normal=robot.has_loops))
        return form

    @cached_property
    def general(self) -> BlockForm:
        """The block form with random inertial parameters of every body."""
        return form_of(_of_any_inertia(self.as_described.mechanism))

    def direction(self, name: str, count: int | None = None) -> Vector:
        """A random vector, nv if not told otherwise: where an input goes, or what matrices are multiplied by.

        The direction of "q" is one of rates, along the joints' columns.
        """
        return vector(self._direction(name, index) for index in range(self.form.nv if count is None else count))

    def _direction(self, name: str, index: int) -> Element:
        return Element(self.field, self.field.random(f"direction {name} {index}"))

    @cached_property
    def potential_energy(self) -> Any:
        """−g · Σ m c; of links that have no inertial parameters but the base ones, if these vary."""
        if self.subject.base is None:
            return self.form.potential_energy
        columns = ((item.number, item.stem) for item in self.subject.base)
        values = dict(zip(columns, self._parameters, strict=True))
        return BlockForm(with_parameters(self.form.mechanism, values)).potential_energy

    def values(self, function: Function) -> list[Vector]:
        """Entries of each output of a function; `ZeroDivisionError` if it divides by what vanishes."""
        values = Evaluation(self.field, self._constants).run(function.program)
        return [prime.elements(self.field, (values[node] for node in nodes)) for _, nodes in function.program.outputs]

    @cached_property
    def _constants(self) -> dict[tuple[str, int], int]:
        """What `init` makes of the parameters' random values."""
        init = self.module.init
        if init is None:
            return {}
        given = {(PARAMETERS, i): element.value for i, element in enumerate(self._parameters)}
        values = Evaluation(self.field, given).run(init)
        return {(CONSTANTS, i): values[node] for i, node in enumerate(init.output_nodes())}

    @cached_property
    def _parameters(self) -> list[Any]:
        """The values of what stays symbolic."""
        if self.subject.base is None:
            return [self.field.parameter(name) for name in self.subject.symbols]
        return parameter_values(self.form.mechanism, BASE_COLUMNS)

    def _mechanism(self, domain: Domain, *, normal: bool = False) -> Mechanism:
        """The subject over the field or its duals; with inertial parameters that have the base ones, if these vary.

        Where loops are open the independent rates say nothing that does not depend on the frames they are solved in.
        """
        mechanism = self.subject.mechanism(domain, normal=normal)
        return mechanism if self.subject.base is None else _of_any_inertia(mechanism)


def _still(value: Element, depth: int) -> Any:
    """An element of the field as one of the duals over it, or of those over these."""
    return value if not depth else Dual(_still(value, depth - 1), _still(value * 0, depth - 1))


def _of_any_inertia(mechanism: Mechanism) -> Mechanism:
    """The mechanism with random inertial parameters of every body that can have inertia."""
    domain = mechanism.domain
    inertias = [
        body.inertia
        if body.is_between
        else inertia_of(domain, {stem: domain.parameter(f"any {stem} {index}") for stem in STEMS})
        for index, body in enumerate(mechanism.bodies)
    ]
    return with_inertias(mechanism, inertias)


def _roots(subject: Subject) -> frozenset[int]:
    """Integers whose square roots occur in the robot's geometry and inertia, whether or not a program needs them."""
    graph = Graph()
    subject.mechanism(graph)
    return prime.radicands(node.value for node in graph.nodes if node.value is not None)
