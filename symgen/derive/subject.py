"""What is asked for: a robot with what is symbolic in it, and the inputs and frames that the options add."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from symgen.algebra.domain import Domain
from symgen.derive.contact_rows import rows_of_set
from symgen.derive.inertial_parameters import InertialParameters, inertial_parameters
from symgen.derive.loop_plan import plan_of
from symgen.derive.options import BASE, PARAMETERS, RUNTIME, Options
from symgen.derive.split import given_velocities
from symgen.errors import InputError
from symgen.mechanics.functions.quantity import Scope
from symgen.mechanics.grouping import with_parameters
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.loops.contacts import Kept
from symgen.mechanics.loops.plan import Plan
from symgen.mechanics.mechanism import Mechanism
from symgen.program.graph import Graph, Scalar
from symgen.program.module import Parameter
from symgen.robot.model import Robot
from symgen.robot.names import identifier
from symgen.robot.normal import geometric_symbols, normal
from symgen.robot.symbolic import declared_texts, symbolic


@dataclass(frozen=True)
class Subject:
    """A robot with what is symbolic in it, and the inputs that the options add.

    `parameters` stay symbols: parameters of the robot or, with `base`, the base inertial parameters, which then stand
    for the inertia of all links. `given`: indices of the velocities whose accelerations hybrid dynamics is given.
    """

    robot: Robot
    parameters: tuple[Parameter, ...]
    base: InertialParameters | None
    wrenches: tuple[tuple[str, str], ...]
    runtime_gravity: bool
    frames: tuple[tuple[str, str], ...]
    axes: str
    given: tuple[int, ...] = ()
    exact_inertias: dict[bool, dict[int, SpatialInertia]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    plans: dict[bool, Plan] = field(default_factory=dict, init=False, compare=False, repr=False)
    rows: dict[str, Kept] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def symbols(self) -> tuple[str, ...]:
        """Names of what stays symbolic."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def base_columns(self) -> dict[str, tuple[int, str]] | None:
        """Base parameter → number of the link it belongs to and its stem, if base parameters are symbolic."""
        return {item.name: (item.number, item.stem) for item in self.base} if self.base is not None else None

    @cached_property
    def in_normal_form(self) -> Robot:
        """The robot with frames in normal form, if it was not written in frames that the joints' axes ask for."""
        is_placed = any(link.placed is not None for link in self.robot.links)
        free = is_placed and self.base is None and not set(self.symbols).intersection(geometric_symbols(self.robot))
        return normal(self.robot) if free else self.robot

    def mechanism(self, domain: Domain, *, normal: bool = False) -> Mechanism:
        """The robot over a domain, with these symbols and inputs; with `normal` in frames in normal form, if it can."""
        mechanism = self._tree(domain, normal=normal)
        if self.robot.has_loops:
            remake = partial(self.mechanism, normal=normal)
            mechanism = replace(mechanism, plan=self._plan(normal=normal), remake=remake)
        if self.base is None:
            return mechanism
        return with_parameters(mechanism, {(item.number, item.stem): domain.parameter(item.name) for item in self.base})

    def _tree(self, domain: Domain, *, normal: bool) -> Mechanism:
        robot = self.in_normal_form if normal else self.robot
        return instantiate(
            robot,
            domain,
            symbolic=frozenset() if self.base is not None else frozenset(self.symbols),
            runtime_gravity=self.runtime_gravity,
            wrenches=self.wrenches,
            exact_inertias=self.exact_inertias.setdefault(robot is self.robot, {}),
        )

    @property
    def plan(self) -> Plan:
        """How the constraints of a robot with loops are solved."""
        return self._plan(normal=True)

    def _plan(self, *, normal: bool) -> Plan:
        """How the constraints are solved in these frames; it is worked out once."""
        own = self.in_normal_form is self.robot or not normal
        if own not in self.plans:
            self.plans[own] = plan_of(self.robot, lambda graph: self._tree(graph, normal=normal))
        return self.plans[own]

    def scope(self, columns: str) -> Scope:
        """What functions may depend on; `columns` is the kind of inertial parameters of a regressor's columns."""
        names = tuple(each.name for each in self.robot.independent_velocities)
        return Scope(
            self.frames,
            self.axes,
            columns,
            lambda: self.mechanism(Graph()),
            _number,
            self.given,
            names,
            self.robot.contact_loops,
            self._contact_rows,
        )

    def _contact_rows(self, contacts: str) -> Kept:
        """The rows of a contact set that do not vanish; they are worked out once."""

        def make(graph: Graph) -> Mechanism:
            return replace(self._tree(graph, normal=True), plan=self.plan if self.robot.has_loops else None)

        if contacts not in self.rows:
            self.rows[contacts] = rows_of_set(self.robot, contacts, make)
        return self.rows[contacts]


def _number(scalar: Scalar) -> float | None:
    """The value of a scalar of a graph that is constant."""
    value = scalar.graph.nodes[scalar.node].value
    return None if value is None else scalar.sign * float(value)


def subject_of(robot: Robot, options: Options) -> Subject:
    """The subject; `InputError` for unknown frames and parameters, and for a robot that nothing moves."""
    if not robot.nv:
        raise InputError(
            f"{robot.name}: no joint moves any of its {len(robot.links)} links, so there is no dynamics to generate; "
            "give a joint a kind that moves, or let the base move (base = floating)"
        )
    runtime_gravity = options.gravity == RUNTIME
    known = {frame.name for frame in robot.all_frames}
    _check_frames(robot, options.wrenches, known)
    ids = frame_identifiers(options.wrenches)
    wrenches = tuple(
        ("wrench" if len(ids) == 1 else f"wrench_{name}", frame)
        for frame, name in zip(options.wrenches, ids, strict=True)
    )
    frames = options.frames or default_frames(robot)
    _check_frames(robot, frames, known)
    pairs = tuple(zip(frames, frame_identifiers(frames), strict=True))
    given = given_velocities(robot, options.given)
    robot, parameters, base = _symbols(robot, options)
    return Subject(robot, parameters, base, wrenches, runtime_gravity, pairs, options.axes, given)


def _symbols(robot: Robot, options: Options) -> tuple[Robot, tuple[Parameter, ...], InertialParameters | None]:
    """The robot with its numbers replaced, what stays symbolic, and the base parameters, if these are it."""
    if options.parameters == BASE:
        base = inertial_parameters(robot, runtime_gravity=options.gravity == RUNTIME)
        return robot, tuple(Parameter(item.name, item.value, item.unit, item.text) for item in base), base
    if not options.is_symbolic:
        return robot, (), None
    wanted = None if isinstance(options.parameters, str) else options.parameters
    words = [name for name in wanted or () if name in PARAMETERS and name not in robot.defaults]
    if words:
        raise InputError(
            f"{robot.name}: {words[0]!r} is a kind of parameters, not one of them: give it alone, as a word and not in "
            f"a list ({words[0]!r} stands for all parameters and excludes names beside it)"
        )
    made = symbolic(robot, wanted)
    values, texts = made.robot.defaults, made.texts
    kinds = {name: text.kind for name, text in (texts | declared_texts(robot)).items()}
    parameters = (Parameter(n, float(values[n]), texts[n].unit, texts[n].meaning, kinds[n]) for n in made.names)
    return made.robot, tuple(parameters), None


def _check_frames(robot: Robot, frames: Sequence[str], known: set[str]) -> None:
    for frame in frames:
        if frame not in known:
            raise InputError(
                f"{robot.name}: no frame is called {frame[:60]!r}; there are: "
                f"{', '.join(frame.name for frame in robot.all_frames)}"
            )


def frame_identifiers(frames: Sequence[str]) -> list[str]:
    """Identifiers for frames, in order; names that are none are mapped, visibly, and stay different."""
    result: list[str] = []
    for frame in frames:
        name = identifier(frame)
        while name in result:
            name += "_"
        result.append(name)
    return result


def default_frames(robot: Robot) -> tuple[str, ...]:
    """The frame of the robot's tool or, without one, that of its last link, rotors apart."""
    return (robot.tool or robot.links[robot.last].name,)
