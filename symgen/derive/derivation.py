"""Robot → Module: derives and optimises the program of every requested function.

This is the first half of the corridor: robot ─► mechanics ─► program ─► passes. What a header says of the robot is
collected in `records`, since the rooms behind know no robots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from symgen.algebra.domain import Domain
from symgen.algebra.prime import PrimeField
from symgen.derive.effort import HIGH, LOW
from symgen.derive.inertial_parameters import BASE_NOTE, InertialParameters, inertial_parameters
from symgen.derive.options import (
    BASE,
    DEFAULT_FUNCTIONS,
    FUNCTION_NAMES,
    PARAMETERS,
    RUNTIME,
    SYMBOLIC,
    Choice,
    Options,
)
from symgen.derive.records import argument, record, wrench_argument
from symgen.derive.search import Candidate, Derive, Search
from symgen.errors import InputError
from symgen.mechanics.factorization import ZeroPivotError
from symgen.mechanics.grouping import with_parameters
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.mechanism import Mechanism, instantiate
from symgen.mechanics.quantities import (
    POTENTIAL_ENERGY,
    STATE_QUANTITIES,
    UP_TO_A_CONSTANT,
    Extent,
    Formulation,
    Quantity,
    frame_quantities,
)
from symgen.mechanics.reframing import Framing, framing_of, reframed
from symgen.mechanics.regressor import columns, parameter_values
from symgen.mechanics.sensitivities import DERIVATIVE_QUANTITIES, REGRESSOR, regressor_quantity
from symgen.passes.pipeline import GROUPS, LATE_GROUPS, QUICK_GROUPS, Course, Group, Step, optimise
from symgen.program.counts import OperationCounts, count
from symgen.program.fingerprint import radicands
from symgen.program.graph import Graph
from symgen.program.hoist import hoist
from symgen.program.module import CONSTANTS, Argument, Function, Module, Parameter, Regressor
from symgen.program.program import Array, Program
from symgen.program.rounding import loss
from symgen.robot.model import Robot
from symgen.robot.names import identifier
from symgen.robot.symbolic import declared_texts, symbolic

__all__ = ["DEFAULT_FUNCTIONS", "FUNCTION_NAMES", "Derivation", "Options", "Progress", "derive"]

Progress = Callable[[str], None]

ACCEPTED_LOSS = 2.0**20
"""Unit roundoffs that a result may be off, beside its size, before another algorithm is tried: six digits."""

WORTHWHILE = 8
"""How many times better another algorithm must be."""


@dataclass(frozen=True)
class Derivation:
    """A derived module; for every function the counts after each group of passes, hoisted operations apart."""

    subject: Subject
    module: Module
    steps: dict[str, tuple[Step, ...]]
    notices: tuple[str, ...]
    choices: dict[str, Choice]

    @property
    def counts(self) -> OperationCounts:
        """Function → operations of a call; what is hoisted out of it into `init` counts as hoisted."""
        return OperationCounts({name: steps[-1].counts for name, steps in self.steps.items()}, self.module.name)


@dataclass(frozen=True)
class Subject:
    """A robot with what is symbolic in it, and the inputs that the options add.

    `parameters` stay symbols: parameters of the robot or, with `base`, the base inertial parameters, which then stand
    for the inertia of all links.
    """

    robot: Robot
    parameters: tuple[Parameter, ...]
    base: InertialParameters | None
    wrenches: tuple[tuple[str, str], ...]
    runtime_gravity: bool
    frames: tuple[tuple[str, str], ...]
    axes: str
    exact_inertias: dict[int, SpatialInertia] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    def symbols(self) -> tuple[str, ...]:
        """Names of what stays symbolic."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def base_columns(self) -> dict[str, tuple[int, str]] | None:
        """Base parameter → number of the link it belongs to and its stem, if base parameters are symbolic."""
        return {item.name: (item.number, item.stem) for item in self.base} if self.base is not None else None

    def mechanism(self, domain: Domain) -> Mechanism:
        """The robot over a domain, with these symbols and inputs."""
        mechanism = instantiate(
            self.robot,
            domain,
            symbolic=frozenset() if self.base is not None else frozenset(self.symbols),
            runtime_gravity=self.runtime_gravity,
            wrenches=self.wrenches,
            exact_inertias=self.exact_inertias,
        )
        if self.base is None:
            return mechanism
        return with_parameters(mechanism, {(item.number, item.stem): domain.parameter(item.name) for item in self.base})


def derive(robot: Robot, options: Options | None = None, progress: Progress | None = None) -> Derivation:
    """The module of `robot`.

    Raises `InputError` for unknown frames and parameters, and for functions that a joint without inertia does not
    admit, if they were asked for by name; otherwise a notice says why they are left out.
    """
    options = options or Options()
    report = progress or (lambda text: None)
    subject = _subject(robot, options)
    search = Search(subject.mechanism(Graph()), options.effort)
    functions: list[Function] = []
    steps: dict[str, tuple[Step, ...]] = {}
    notices: list[str] = []
    choices: dict[str, Choice] = {}
    for item in _quantities(subject, options):
        report(f"deriving {item.name}")
        try:
            function, steps[item.name], choices[item.name] = _function(subject, item, options, search)
        except ZeroPivotError as error:
            text = _singular_text(robot, item.name, error.joint)
            if options.functions is not None and item.kind in options.functions:
                raise InputError(text) from None
            notices.append(text)
        else:
            functions.append(function)
    module = Module(robot.name, tuple(functions), record(robot), options.real, regressor=_regressor(subject, options))
    if subject.parameters and options.parameters != SYMBOLIC:
        module = _with_parameters(module, subject)
    return Derivation(subject, module, steps, tuple(notices), choices)


def _singular_text(robot: Robot, function: str, joint: int) -> str:
    name = robot.velocities[joint].name
    return (
        f"{robot.name}: {function} cannot be generated: the inertia of joint {joint + 1} ({name}) vanishes: no "
        f"mass or inertia between it and the joints beyond resists its motion, so its acceleration is not determined; "
        f"give a link there mass or inertia, or leave {function} out"
    )


# what is asked for ---------------------------------------------------------------------------------


def _subject(robot: Robot, options: Options) -> Subject:
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
    robot, parameters, base = _symbols(robot, options)
    return Subject(robot, parameters, base, wrenches, runtime_gravity, pairs, options.axes)


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
    """The frame of the robot's tool or, without one, that of its last link."""
    return (robot.tool or robot.links[-1].name,)


def _quantities(subject: Subject, options: Options) -> list[Quantity]:
    items = (*STATE_QUANTITIES, *_linear(subject, options), *frame_quantities(subject.frames, subject.axes))
    chosen = [_as_determined(subject, item) for item in items if item.kind in options.wanted]
    _check_names(subject, [item.name for item in items], [item.kind for item in items])
    return chosen


def _as_determined(subject: Subject, item: Quantity) -> Quantity:
    """A quantity, as far as the parameters determine it."""
    if subject.base is None or item.kind != POTENTIAL_ENERGY:
        return item
    return replace(item, summary=UP_TO_A_CONSTANT)


def _linear(subject: Subject, options: Options) -> tuple[Quantity, ...]:
    """The regressor, if it is wanted, and derivatives."""
    if REGRESSOR not in options.wanted:
        return DERIVATIVE_QUANTITIES
    width = len(columns(subject.mechanism(Graph()), options.regressor))
    return regressor_quantity(options.regressor, width), *DERIVATIVE_QUANTITIES


def _regressor(subject: Subject, options: Options) -> Regressor | None:
    """The parameters of the regressor's columns, if it is wanted."""
    if REGRESSOR not in options.wanted:
        return None
    graph = Graph()
    found = subject.base
    if found is None:
        found = inertial_parameters(
            subject.robot, options.regressor, symbols=subject.symbols, runtime_gravity=subject.runtime_gravity
        )
    values = parameter_values(subject.mechanism(graph), options.regressor)
    return Regressor(
        kind=options.regressor,
        columns=tuple((item.number, item.stem) for item in found),
        parameters=tuple(Parameter(item.name, item.value, item.unit, item.text) for item in found),
        values=graph.program((), [(Array("parameters", (len(values),)), values)]),
    )


def _check_names(subject: Subject, names: list[str], kinds: list[str]) -> None:
    """`InputError` where a frame's suffix makes a function's name that of another."""
    for name, kind in zip(names, kinds, strict=True):
        if names.count(name) > 1 or (name != kind and name in kinds):
            frames = ", ".join(frame for frame, _ in subject.frames)
            raise InputError(
                f"{subject.robot.name}: two functions would be called {name} with the frames {frames}; rename a frame: "
                "its name becomes a suffix of jacobian, jacobian_dot and jacobian_dot_velocity"
            )


# functions -----------------------------------------------------------------------------------------


def _function(
    subject: Subject, item: Quantity, options: Options, search: Search
) -> tuple[Function, tuple[Step, ...], Choice]:
    chosen, program, steps = _cheapest(subject, item, options, search)
    n = subject.robot.nv
    function = Function(
        name=item.name,
        summary=item.summary,
        formulation=_formulation_text(item, chosen),
        inputs=_arguments(subject, item),
        outputs=tuple(
            argument(output.name, _shape(output.shape, n), output.unit, output.meaning, subject.robot)
            for output in item.outputs
        ),
        program=program,
        kind=item.kind,
        frame=item.frame,
    )
    return function, steps, Choice(chosen.formulation.name, chosen.framing.as_dict())


def _formulation_text(item: Quantity, chosen: Candidate) -> str:
    """How a program was derived, in words."""
    parts = [chosen.formulation.text, "base inertial parameters" if item.framed and item.inertial else ""]
    return "; ".join(part for part in (*parts, chosen.framing.text()) if part)


def _arguments(subject: Subject, item: Quantity) -> tuple[Argument, ...]:
    """The state, then gravity, then external wrenches: the order of all generated functions."""
    sizes = {"q": subject.robot.nq}
    arguments = [
        argument(name, (sizes.get(name, subject.robot.nv),), None, None, subject.robot) for name in item.inputs
    ]
    if item.gravity and subject.runtime_gravity:
        arguments.append(Argument("gravity", (3,), "m/s^2", "gravity vector in the base frame"))
    if item.loads:
        arguments += [wrench_argument(name, frame) for name, frame in subject.wrenches]
    return tuple(arguments)


def _shape(shape: tuple[Extent, ...], n: int) -> tuple[int, ...]:
    return tuple(n if extent == "n" else int(extent) for extent in shape)


def _cheapest(
    subject: Subject, item: Quantity, options: Options, search: Search
) -> tuple[Candidate, Program, tuple[Step, ...]]:
    """The candidate that costs least or, where its algorithm loses many digits, one of another that loses fewer."""

    def derived(formulation: Formulation, framing: Framing) -> Program:
        return _program(subject, item, formulation, framing)

    if item.large and options.effort != HIGH:
        search = search.brief()
    groups, late = (QUICK_GROUPS, ()) if options.effort == LOW else (GROUPS, LATE_GROUPS)
    candidates = _candidates(subject, item, options, search, derived)
    best, course = _optimised(subject, candidates, groups, late)
    others = [] if item.name in dict(options.choices) else _formulations(item, options)
    defaults = {parameter.name: parameter.default for parameter in subject.parameters}
    lost = loss(course.program, defaults) if len(others) > 1 else 0.0
    for formulation in others if lost > ACCEPTED_LOSS else ():
        if formulation.name != best.formulation.name:
            finalists = search.finalists([formulation], derived, framed=item.framed)
            other = _optimised(subject, finalists, groups, late)
            less = loss(other[1].program, defaults)
            if less * WORTHWHILE < lost:
                (best, course), lost = other, less
    return best, course.program, tuple(course.steps)


def _optimised(
    subject: Subject, candidates: Sequence[Candidate], groups: tuple[Group, ...], late: tuple[Group, ...]
) -> tuple[Candidate, Course]:
    """The candidate that costs least when all went through the passes once, then through them as long as they help."""
    courses = [_once_optimised(subject, candidate, groups, late) for candidate in candidates]
    best, course = min(zip(candidates, courses, strict=True), key=lambda pair: count(pair[1].program).cost)
    while course.round():
        pass
    return best, course


def _candidates(subject: Subject, item: Quantity, options: Options, search: Search, derived: Derive) -> list[Candidate]:
    """The finalists of the search or, where an earlier run's choice is given, that alone."""
    formulations = _formulations(item, options)
    choice = dict(options.choices).get(item.name)
    if choice is None:
        return search.finalists(formulations, derived, framed=item.framed)
    named = [formulation for formulation in formulations if formulation.name == choice.algorithm]
    bodies = len(search.mechanism.bodies)
    if not named or any(not 1 <= number <= bodies for numbers in choice.frames.values() for number in numbers):
        raise InputError(
            f"{subject.robot.name}: the choice given for {item.name} does not fit: expected one of the algorithms "
            f"{', '.join(formulation.name for formulation in formulations)} and links from 1 to {bodies}, found "
            f"{choice.algorithm} and {choice.frames}"[:400]
        )
    framing = framing_of(choice.frames)
    return [Candidate(named[0], framing, derived(named[0], framing))]


def _once_optimised(
    subject: Subject, candidate: Candidate, groups: tuple[Group, ...], late: tuple[Group, ...]
) -> Course:
    """The program once through the passes; `ZeroPivotError` where it divides by a hidden zero."""
    try:
        course = Course(candidate.program, groups, late)
        course.round()
    except ZeroDivisionError:
        candidate.formulation.derive(subject.mechanism(PrimeField(radicands(candidate.program))))
        raise
    return course


def _formulations(item: Quantity, options: Options) -> Sequence[Formulation]:
    if item.name != "forward_dynamics" or options.forward_dynamics == "auto":
        return item.formulations
    return [f for f in item.formulations if f.name == options.forward_dynamics]


def _program(subject: Subject, item: Quantity, formulation: Formulation, framing: Framing) -> Program:
    graph = Graph()
    mechanism = subject.mechanism(graph)
    arrays = formulation.derive(reframed(mechanism, framing) if item.framed else mechanism)
    n = subject.robot.nv
    inputs = [Array(argument.name, argument.shape) for argument in _arguments(subject, item)]
    outputs = [
        (Array(output.name, _shape(output.shape, n)), list(array.reshape(-1)))
        for output, array in zip(item.outputs, arrays, strict=True)
    ]
    return graph.program(inputs, outputs)


# run-time parameters -------------------------------------------------------------------------------


def _with_parameters(module: Module, subject: Subject) -> Module:
    """The module with what depends on parameters alone moved into `init`."""
    init, programs = hoist([function.program for function in module.functions], subject.symbols, CONSTANTS)
    init, _ = optimise(init)
    constants = Argument(CONSTANTS, init.outputs[0][0].shape, "", "what init made of the parameters")
    functions = tuple(
        replace(function, program=program, inputs=(*function.inputs, constants))
        if any(array.name == CONSTANTS for array in program.inputs)
        else function
        for function, program in zip(module.functions, programs, strict=True)
    )
    note = BASE_NOTE if subject.base is not None else ""
    return replace(module, functions=functions, parameters=subject.parameters, parameters_note=note, init=init)
