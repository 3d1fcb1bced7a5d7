"""Branches of loops by name: which of two assemblies of a dyad is meant, and the posture that is on it.

The joint in the middle of a dyad, its elbow, is `left` or `right` of the line from the joint on the predecessor's side
to that on the successor's, seen with the axis of the first of the loop's joints pointing to the viewer. Where a joint
of the dyad slides, it is at the `near` or the `far` one of two places: at the smaller or the larger coordinate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from symgen.algebra.domain import Floats as Numbers
from symgen.algebra.domain import variables
from symgen.derive.loop_constraints import Constraints
from symgen.derive.loop_plan import plan_of
from symgen.errors import InputError
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.kinematics import poses
from symgen.mechanics.loops.plan import Plan, Step, Unknown
from symgen.mechanics.loops.start import branch, start
from symgen.mechanics.loops.view import branches, seen
from symgen.mechanics.mechanism import Mechanism
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array
from symgen.robot.expression import constant
from symgen.robot.loops import CutKind
from symgen.robot.model import Robot

Floats = NDArray[np.float64]

PARALLEL = 0.999


def branch_names(robot: Robot) -> dict[str, str]:
    """Cut joint → its branch at the robot's posture, of the loops that have two.

    Raises `InputError` where loops cannot be solved.
    """
    return _Branches(robot).names()


def on_branches(robot: Robot) -> Robot:
    """The robot with a posture on the branches that its loops name.

    Raises `InputError` for a name that a loop does not have, and for branches that cannot be reached.
    """
    wanted = {cut.name: cut.branch for cut in robot.cut_joints if cut.branch}
    if not wanted:
        return robot
    here = _Branches(robot)
    names = here.names()
    for name, word in wanted.items():
        known = here.words.get(name)
        if known is None or word not in known:
            found = " or ".join(sorted(known)) if known else "none: two assemblies of it are not told apart by a name"
            raise InputError(
                f"{robot.name}: loop {name}: branch {word!r}: this loop's branches are {found}; correct it or leave it "
                "out, and let [posture] say which assembly is meant"
            )
    away = {name for name, word in wanted.items() if names[name] != word}
    if not away:
        return robot
    moved = here.across(away)
    if branch_names(moved) != names | wanted:
        raise InputError(
            f"{robot.name}: loops {', '.join(sorted(away))}: no posture on the named branches was found at these "
            "positions of the independent joints; give another posture"
        )
    return moved


@dataclass(frozen=True)
class _Fork:
    """A step with two solutions; `sign`: of the derivative on the first of the two `words`."""

    number: int
    words: tuple[str, str]
    sign: int


class _Branches:
    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.values = {name: float(value) for name, value in robot.defaults.items()}
        self.plan: Plan = plan_of(robot, self._tree, legs=False)
        dependent = [index for index in range(robot.nv) if index not in robot.independent]
        q = Constraints(robot, self._tree).assembled(np.array(robot.near), dependent)
        assert q is not None  # the plan was made there
        self.q = q
        self.sides = self._sides()
        self.forks = self._forks()

    @property
    def words(self) -> dict[str, tuple[str, str]]:
        """Cut joint → the names of its branches."""
        return {name: fork.words for name, fork in self.forks.items()}

    def names(self) -> dict[str, str]:
        """Cut joint → the name of the branch that the posture is on."""
        return {name: fork.words[self.sides[fork.number] != fork.sign] for name, fork in self.forks.items()}

    def across(self, loops: set[str]) -> Robot:
        """The robot with a posture on the other branches of these loops."""
        sides = list(self.sides)
        for name in loops:
            sides[self.forks[name].number] *= -1
        q = self._started(sides)
        if not np.isfinite(q).all():
            return self.robot
        names = [each.name for each in self.robot.positions]
        posture = {name: constant(Fraction(f"{value:.9f}")) for name, value in zip(names, q, strict=True)}
        return replace(self.robot, posture=tuple(posture.items()))

    def _tree(self, domain: object) -> Mechanism:
        return instantiate(self.robot, domain)  # type: ignore[arg-type]  # any domain

    def _over(self, graph: Graph) -> Mechanism:
        return replace(self._tree(graph), plan=self.plan, remake=self._tree)

    def _sides(self) -> list[int]:
        """The sign of every step at the posture; 1 of steps that have but one solution."""
        if not self.plan.steps:
            return []
        graph = Graph()
        mechanism, steps = self._over(graph), self.plan.steps
        q = variables(graph, "q", self.robot.nq)
        one = graph.constant(1)
        signs = [branch(mechanism, step, q) if step.unknown.has_branches else one for step in steps]
        return [int(sign) for sign in self._run(graph, "q", signs, self.q)]

    def _started(self, sides: Sequence[int]) -> Floats:
        graph = Graph()
        return self._run(graph, "q guess", list(start(self._over(graph), sides)), self.q)

    def _run(self, graph: Graph, inputs: str, values: list[object], q: Floats) -> Floats:
        arrays = [Array(name, (self.robot.nq,)) for name in inputs.split()]
        program = graph.program(arrays, [(Array("out", (len(values),)), values)])  # type: ignore[list-item]
        with np.errstate(all="ignore"):
            return evaluate(program, {array.name: q for array in arrays}, self.values)["out"]

    # names ---------------------------------------------------------------------------------------

    def _forks(self) -> dict[str, _Fork]:
        """The first step with two solutions of each cut joint whose sides have names."""
        mechanism = self._tree(Numbers({"q": self.q}, self.values))
        found: dict[str, _Fork] = {}
        for number, step in enumerate(self.plan.steps):
            if step.unknown.has_branches and step.cut is not None:
                name = mechanism.cuts[step.cut].name
                if name not in found and (fork := self._fork(mechanism, number, step)) is not None:
                    found[name] = fork
        return found

    def _fork(self, mechanism: Mechanism, number: int, step: Step) -> _Fork | None:
        assert step.cut is not None
        cut = mechanism.cuts[step.cut]
        if step.unknown is Unknown.SLIDE:
            return self._slide(number, lambda q: float(q[step.place]))
        if cut.kind in (CutKind.PRISMATIC, CutKind.CYLINDRICAL):
            return self._slide(number, lambda q: self._shift(step, q))
        is_elbow = step.equations[0] >= self.robot.constraints and cut.kind.holds_points
        if not (is_elbow or cut.kind is CutKind.ROD):
            return None
        # The distance grows with the angle where the elbow is left of the line, seen with the angle's own axis; that of
        # a rod does where the angle is on the predecessor's side.
        inner, _ = branches(mechanism, cut.predecessor, cut.successor)
        left = 1 if is_elbow or step.body in inner else -1
        return _Fork(number, ("right", "left"), -left * self._way(mechanism, step))

    def _way(self, mechanism: Mechanism, step: Step) -> int:
        """Whether the joint's axis points as that of the loop's first joint: 1, or -1."""
        kinds = (step.unknown, Unknown.TURN)
        same = [each for each in self.plan.steps if each.cut == step.cut and each.unknown in kinds]
        first = min(same, key=lambda each: each.place)
        axes = [np.array(poses(mechanism)[each.body].rotation, dtype=float)[:, 2] for each in (first, step)]
        along = float(axes[0] @ axes[1])
        return -1 if along < -PARALLEL else 1

    def _slide(self, number: int, of: Callable[[Floats], float]) -> _Fork | None:
        """By the coordinates on both sides."""
        sides = list(self.sides)
        sides[number] = -sides[number]
        here, there = of(self.q), of(self._started(sides))
        if np.isnan(there):
            return None
        return _Fork(number, ("near", "far"), self.sides[number] if here < there else -self.sides[number])

    def _shift(self, step: Step, q: Floats) -> float:
        """How far a cut joint has slid."""
        assert step.cut is not None
        mechanism = self._tree(Numbers({"q": q}, self.values))
        cut = mechanism.cuts[step.cut]
        return float(seen(mechanism, cut.predecessor, cut.successor, None).origin[2])
