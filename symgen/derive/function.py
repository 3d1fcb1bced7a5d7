"""How a function is derived: the algorithm and the frames that cost least, and the passes.

An algorithm that loses many digits gives way to one that loses fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from symgen.algebra.prime import PrimeField
from symgen.derive.arguments import arguments, results
from symgen.derive.effort import HIGH, LOW
from symgen.derive.framed import FramedMechanisms
from symgen.derive.option_table import AUTO
from symgen.derive.options import Choice, Options
from symgen.derive.search import Candidate, Derive, Search
from symgen.derive.subject import Subject
from symgen.errors import InputError
from symgen.mechanics.functions.quantity import Formulation, Quantity
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.reframing import EXCHANGES, Framing, framing_of
from symgen.passes.pipeline import GROUPS, LATE_GROUPS, QUICK_GROUPS, Course, Group, Step
from symgen.program.counts import count
from symgen.program.fingerprint import radicands
from symgen.program.module import Function
from symgen.program.program import Array, Program
from symgen.program.rounding import loss
from symgen.robot.model import Robot

ACCEPTED_LOSS = 2.0**20
"""Unit roundoffs that a result may be off, beside its size, before another algorithm is tried: six digits."""

NEAR = 1.1
"""Formulations of robots with loops whose candidates cost at most so many times the least go through all passes."""

CLOSE = 1.0025
"""Rivals of one formulation that cost at most so many times the least, once through the passes, go on through them."""

WORTHWHILE = 8
"""How many times better another algorithm must be."""


def derived_function(
    subject: Subject, item: Quantity, options: Options, search: Search
) -> tuple[Function, tuple[Step, ...], Choice]:
    """A function with its optimised program, the counts after each group of passes, and what the search chose."""
    chosen, program, steps = _cheapest(subject, item, options, search)
    function = Function(
        name=item.name,
        summary=item.summary,
        formulation=_formulation_text(item, chosen),
        inputs=arguments(subject, item),
        outputs=results(subject, item),
        program=program,
        kind=item.kind,
        frame=item.frame,
        contacts=item.contacts,
        legend=item.legend,
    )
    return function, steps, Choice(chosen.formulation.name, chosen.framing.as_dict())


def _formulation_text(item: Quantity, chosen: Candidate) -> str:
    """How a program was derived, in words."""
    in_base = item.framed and item.inertial and item.grouped
    parts = [chosen.formulation.text, "base inertial parameters" if in_base else ""]
    return "; ".join(part for part in (*parts, chosen.framing.text()) if part)


def _cheapest(
    subject: Subject, item: Quantity, options: Options, search: Search
) -> tuple[Candidate, Program, tuple[Step, ...]]:
    """The candidate that costs least or, where its algorithm loses many digits, one of another that loses fewer."""

    programs: dict[tuple[str, Framing], Program] = {}

    def derived(formulation: Formulation, framing: Framing) -> Program:
        if item.framed:
            framing = search.mechanisms.same(framing, in_base_parameters=item.grouped)
        key = formulation.name, framing
        if key not in programs:
            programs[key] = _program(subject, search.mechanisms, item, formulation, framing)
        return programs[key]

    if item.large and options.effort != HIGH:
        search = search.brief()
    groups, late = (QUICK_GROUPS, ()) if options.effort == LOW else (GROUPS, LATE_GROUPS)
    rivals = _rivals(_candidates(subject, item, options, search, derived))
    best, course = _optimised(subject, rivals, groups, late)
    others = [] if item.name in dict(options.choices) else _formulations(item, options, subject.robot, search.mechanism)
    others = [each for each in others if each.tried]
    defaults = {parameter.name: parameter.default for parameter in subject.parameters}
    # The oracle of loss knows no consistent q; what loops lose, all algorithms lose alike, where they are closed.
    lost = loss(course.program, defaults) if len(others) > 1 and not subject.robot.has_loops else 0.0
    for formulation in others if lost > ACCEPTED_LOSS else ():
        if formulation.name != best.formulation.name:
            other = _optimised(subject, _finalists(search, [formulation], derived, item), groups, late)
            less = loss(other[1].program, defaults)
            if less * WORTHWHILE < lost:
                (best, course), lost = other, less
    return best, course.program, tuple(course.steps)


def _optimised(
    subject: Subject, rivals: Sequence[Sequence[Candidate]], groups: tuple[Group, ...], late: tuple[Group, ...]
) -> tuple[Candidate, Course]:
    """The candidate that costs least in the end.

    All go through the passes once. The best of each list goes on as long as they help, but for those that another of
    the same formulation has left behind by then: passes do not change that.
    """
    leading = []
    for candidates in rivals:
        courses = [(each, _once_optimised(subject, each, groups, late)) for each in candidates]
        leading.append(min(courses, key=_cost))
    least: dict[str, int] = {}
    for pair in leading:
        name, weight = pair[0].formulation.name, _cost(pair)[0]
        least[name] = min(least.get(name, weight), weight)
    close = [pair for pair in leading if _cost(pair)[0] <= CLOSE * least[pair[0].formulation.name]]
    for _, course in close:
        course.run()
    return min(close, key=_cost)


def _cost(pair: tuple[Candidate, Course]) -> tuple[int, int]:
    return count(pair[1].program).cost


def _finalists(
    search: Search, formulations: Sequence[Formulation], derived: Derive, item: Quantity, bound: float = inf
) -> list[list[Candidate]]:
    return search.finalists(
        formulations, derived, framed=item.framed, exchanged=item.exchanged, grouped=item.grouped, bound=bound
    )


def _rivals(found: Sequence[list[Candidate]]) -> list[list[Candidate]]:
    """Those whose best comes near the best of all: the passes gain more with one formulation than with another."""
    least = min(candidates[0].cost[0] for candidates in found)
    return [candidates for candidates in found if candidates[0].cost[0] <= NEAR * least]


def _candidates(
    subject: Subject, item: Quantity, options: Options, search: Search, derived: Derive
) -> list[list[Candidate]]:
    """The finalists of the search, with loops of each formulation's, or a choice that an earlier run made.

    Every list goes through all passes.
    """
    formulations = _formulations(item, options, subject.robot, search.mechanism)
    choice = dict(options.choices).get(item.name)
    if choice is None:
        candidates = [each for each in formulations if each.tried and not each.gap(search.mechanism)]
        tried = formulations if len(formulations) == 1 else candidates
        if not subject.robot.has_loops:
            return _finalists(search, tried, derived, item)
        found: list[list[Candidate]] = []
        for each in tried:
            bound = NEAR * min((candidates[0].cost[0] for candidates in found), default=inf)
            found += _finalists(search, [each], derived, item, bound)
        return found
    named = [formulation for formulation in formulations if formulation.name == choice.algorithm]
    bodies, cuts = len(search.mechanism.bodies), len(search.mechanism.cuts)
    limits = {name: cuts if name in EXCHANGES else bodies for name in choice.frames}
    if not named or any(not 1 <= number <= limits[name] for name, all_of in choice.frames.items() for number in all_of):
        raise InputError(
            f"{subject.robot.name}: the choice given for {item.name} does not fit: expected one of the algorithms "
            f"{', '.join(formulation.name for formulation in formulations)}, links from 1 to {bodies}"
            f"{f' and cut joints from 1 to {cuts}' if cuts else ''}, found "
            f"{choice.algorithm} and {choice.frames}"[:400]
        )
    framing = framing_of(choice.frames)
    return [[Candidate(named[0], framing, derived(named[0], framing))]]


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


def _formulations(item: Quantity, options: Options, robot: Robot, mechanism: Mechanism) -> Sequence[Formulation]:
    """All that fit the robot, or the one that the options ask for; `InputError` if that does not fit."""
    algorithm = options.algorithms.get(item.kind, AUTO)
    if algorithm == AUTO:
        return [each for each in item.formulations if not misfit(each, robot, mechanism)]
    asked = next(each for each in item.formulations if each.name == algorithm)
    text = misfit(asked, robot, mechanism)
    if text:
        raise InputError(
            f"{robot.name}: {item.name} by {algorithm} cannot be generated: {text}; leave the algorithm to symgen"
        )
    return [asked]


def misfit(formulation: Formulation, robot: Robot, mechanism: Mechanism) -> str:
    """Which condition of a formulation a robot does not meet, as a clause; "" if it fits."""
    if robot.has_loops and not formulation.tied:
        return "it runs over joints that move on their own, but the robot has loops"
    if not robot.has_loops and not formulation.trees:
        return "it is for robots with closed loops"
    tied = next((link.joint for link in robot.links if link.joint.mimic is not None), None)
    if tied is not None and not formulation.tied:
        return f"it runs over joints that move on their own, but {tied.name} follows another; let all be independent"
    return formulation.misfit(mechanism) if robot.has_loops else ""


def _program(
    subject: Subject, mechanisms: FramedMechanisms, item: Quantity, formulation: Formulation, framing: Framing
) -> Program:
    if item.framed:
        graph, mechanism = mechanisms.framed(framing, in_base_parameters=item.grouped)
    else:
        graph, mechanism = mechanisms.unframed()
    arrays = formulation.derive(mechanism)
    inputs = [Array(argument.name, argument.shape) for argument in arguments(subject, item)]
    outputs = [
        (Array(result.name, result.shape), list(array.reshape(-1)))
        for result, array in zip(results(subject, item), arrays, strict=True)
    ]
    return graph.program(inputs, outputs)
