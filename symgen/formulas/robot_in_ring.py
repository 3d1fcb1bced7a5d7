"""A robot whose closed forms are wanted: what is a symbol in it, and its mechanism over the ring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from symgen.algebra.domain import Domain, Scalar, zeros
from symgen.algebra.exact import Exact
from symgen.algebra.ring import Ring, RingElement
from symgen.derive.loop_plan import plan_of
from symgen.derive.options import NUMERIC, SYMBOLIC, choice, names
from symgen.errors import InputError
from symgen.formulas.writing.alphabet import Alphabet, ParallelJoints
from symgen.formulas.writing.notation import Notation
from symgen.mechanics.grouping import grouped, named
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.loops.plan import Plan
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.parallel import parallel_bodies
from symgen.mechanics.reference_points import MASS_CENTRE, ORIGIN
from symgen.robot.joints import QUATERNION
from symgen.robot.model import Robot
from symgen.robot.symbolic import GRAVITY, INERTIAL, ParameterText, declared_texts, symbolic

FILE, FRAME, GROUPED = "file", "frame", "base"
INERTIAS = (FILE, FRAME, GROUPED)
"""Inertial parameters of formulas: as in the file; about the frames' origins on the joint axes; base parameters."""

BASE_AXES, LINK_AXES = "base", "link"
AXES = (LINK_AXES, BASE_AXES)
REFERENCES = (ORIGIN, MASS_CENTRE)


@dataclass(frozen=True)
class FormStyle:
    """What closed forms are written in.

    `parameters`: "symbolic", "numeric", or names of the parameters that are symbols. `inertia`: one of `INERTIAS`.
    `angles`: "numeric" or "symbolic" twists and offsets. `reference`: "origin" O_i or "mass_centre" C_i, and `axes`:
    "link" or "base", for the matrices in 6×6 blocks.
    """

    parameters: str | tuple[str, ...] = SYMBOLIC
    inertia: str = FILE
    angles: str = NUMERIC
    reference: str = ORIGIN
    axes: str = LINK_AXES

    def __post_init__(self) -> None:
        """Check what can be checked without a robot."""
        if isinstance(self.parameters, str):
            choice("kind of parameters", self.parameters, (SYMBOLIC, NUMERIC))
        else:
            object.__setattr__(self, "parameters", names("parameter", self.parameters))
        choice("kind of inertial parameters", self.inertia, INERTIAS)
        choice("kind of angles", self.angles, (NUMERIC, SYMBOLIC))
        choice("reference point", self.reference, REFERENCES)
        choice("kind of axes", self.axes, AXES)
        if self.inertia == GROUPED and self.reference == MASS_CENTRE:
            raise InputError(
                "base inertial parameters have no mass centres: ask for the reference point 'origin', or for the "
                "inertial parameters of the 'file'"
            )


class RobotInRing:
    """The robot over a ring, with its letters and their names; `named` rings write sequences of definitions."""

    def __init__(self, robot: Robot, choices: FormStyle, *, is_named: bool = False) -> None:
        self.choices = choices
        self.robot = robot
        self.texts: dict[str, ParameterText] = {}
        self.symbols: tuple[str, ...] = ()
        if choices.parameters != NUMERIC:
            wanted = None if choices.parameters == SYMBOLIC else choices.parameters
            made = symbolic(robot, wanted, angles=choices.angles == SYMBOLIC, gravity=True)
            self.robot, self.symbols = made.robot, made.names
            self.texts = made.texts | {name: text for name, text in declared_texts(robot).items() if name in made.texts}
            _check_names(self.robot, self.symbols)
        self.ring = Ring()
        self.inertial: set[str] = set()
        self.mechanism = self._mechanism()
        self.ring.named = is_named
        self.groups = tuple(self.ring.definitions)
        self.alphabet = Alphabet(
            self.ring,
            inertial=self.inertial or self._file_parameters(),
            heads=(GRAVITY,) if GRAVITY in self.texts else (),
            parallel=parallel_joints(self.robot, self.mechanism),
        )
        self.notation = Notation(self.alphabet, self.robot.nq, _twists(self.robot), quaternion_entries(self.robot))

    def _mechanism(self) -> Mechanism:
        mechanism = self.mechanism_over(self.ring)
        if self.choices.inertia == FILE:
            return mechanism
        if self.choices.inertia == GROUPED:
            mechanism = grouped(mechanism)
        return named(mechanism, self._group)

    def mechanism_over(self, domain: Domain) -> Mechanism:
        """The mechanism over another domain of scalars, its inertial parameters those of the file."""
        mechanism = self._tree_over(domain)
        return replace(mechanism, plan=self._plan, remake=self.mechanism_over) if self._plan is not None else mechanism

    def _tree_over(self, domain: Domain) -> Mechanism:
        is_symbolic = self.choices.angles == SYMBOLIC
        return instantiate(self.robot, domain, symbolic=frozenset(self.symbols), symbolic_angles=is_symbolic)

    @cached_property
    def _plan(self) -> Plan | None:
        """How the constraints of a robot with loops are solved."""
        return replace(plan_of(self.robot, self._tree_over), written=True) if self.robot.has_loops else None

    def _group(self, number: int, stem: str, value: RingElement) -> RingElement:
        """A letter for an inertial parameter; zero and what is one parameter already are their own."""
        if value.is_zero:
            return value
        letters = [self.ring.generators[index] for index in value.generators()]
        if value.summands == 1 and len(letters) == 1 and value == self.ring.at(*value.generators()):
            self.inertial.add(letters[0].name)
            return value
        name = f"{stem}{'R' if self.choices.inertia == GROUPED else ''}{number}"
        defined = self.ring.defined(name, value)
        self.inertial.add(self.ring.definitions[-1].name)
        return defined

    def _file_parameters(self) -> set[str]:
        """Masses and entries of inertia tensors by their standard names, as far as they are symbols."""
        linear = [stem for stem in INERTIAL if not stem.startswith("c")]
        numbers = range(1, len(self.robot.links) + 1)
        standard = {f"{stem}{number}" for stem in linear for number in numbers}
        return standard.intersection(self.symbols) | self._declared_masses()

    def _declared_masses(self) -> set[str]:
        """Declared parameters that stand alone as a link's mass or entry of its tensor."""
        values = (entry for link in self.robot.links for entry in (link.inertia.mass, *link.inertia.tensor))
        return {entry.name for entry in values if entry.op == "symbol" and entry.name in self.symbols}

    # inputs --------------------------------------------------------------------------------------

    @cached_property
    def velocity(self) -> list[Scalar]:
        """q̇."""
        return [self.ring.variable("qd", index) for index in range(self.mechanism.nv)]

    @cached_property
    def acceleration(self) -> list[Scalar]:
        """q̈."""
        return [self.ring.variable("qdd", index) for index in range(self.mechanism.nv)]

    @cached_property
    def rest(self) -> list[Scalar]:
        """No motion, nv."""
        return list(zeros(self.ring, self.mechanism.nv))

    def parameter_values(self) -> dict[str, Exact]:
        """Default values of the parameters that are symbols."""
        defaults = self.robot.defaults
        return {name: defaults[name] for name in self.symbols}


def _check_names(robot: Robot, symbols: Sequence[str]) -> None:
    """`InputError` for a parameter that has the name of a joint variable."""
    variables = {f"{stem}{number}" for stem in ("qd", "qdd", "tau") for number in range(1, robot.nv + 1)}
    variables |= {f"q{number}" for number in range(1, robot.nq + 1)} | set(quaternion_entries(robot).values())
    clash = sorted(variables.intersection(symbols))
    if clash:
        raise InputError(
            f"{robot.name}: the parameter {clash[0]!r} has the name of a joint variable, and closed forms could not "
            "tell them apart: rename the parameter in the robot file"
        )


def _twists(robot: Robot) -> Mapping[Exact, str]:
    """Constant angles of the table → their names, the first link's where several are equal."""
    found: dict[Exact, str] = {}
    for number, link in enumerate(robot.links, start=1):
        if link.row is not None:
            for stem, value in (("alpha", link.row.alpha), ("gamma", link.row.gamma), ("theta", link.row.theta)):
                if value.is_constant and not value.is_zero:
                    found.setdefault(value.constant({}), f"{stem}{number}")
    return found


def quaternion_entries(robot: Robot) -> dict[int, str]:
    """Places in q (from 0) of the entries of unit quaternions x, y, z, w → their names in formulas.

    They are e1 to e4, and e1_3 to e4_3 for link 3 where there are several quaternions.
    """
    found = [
        (q.start + robot.links[index].joint.kind.positions.index(QUATERNION[0]), index + 1)
        for index, q, _ in robot.coordinates()
        if QUATERNION[0] in robot.links[index].joint.kind.positions
    ]
    several = len(found) > 1
    return {first + k: f"e{k + 1}_{number}" if several else f"e{k + 1}" for first, number in found for k in range(4)}


def parallel_joints(robot: Robot, mechanism: Mechanism) -> list[ParallelJoints]:
    """Joints with parallel axes, by the places of their angles in q."""
    places: dict[int, int] = {}
    for index, q, v in robot.coordinates():
        if not robot.links[index].joint.kind.is_free:
            places |= dict(zip(range(v.start, v.stop), range(q.start, q.stop), strict=True))
    return [
        ParallelJoints(tuple(places[mechanism.bodies[body].velocities[0]] for body in group.bodies), group.senses)
        for group in parallel_bodies(mechanism)
    ]
