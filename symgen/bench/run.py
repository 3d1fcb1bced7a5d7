"""All of a benchmark: robots, peers, checks, timing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from symgen.bench import native
from symgen.bench.cases import FUNCTIONS, LOOPED, Case, case_of, has_drives, robot_of
from symgen.bench.harness import SINGLE, Contender, Floats, check, measure, typical_error
from symgen.bench.machine import Limit, Machine, Peaks, description, limit
from symgen.bench.peers import casadi, formulations, mujoco, pinocchio
from symgen.bench.peers import symgen as ours
from symgen.bench.peers.peer import Peer, Plan
from symgen.bench.report import BenchResult, RobotResult
from symgen.bench.sets import GRID, GRID_FUNCTIONS, Subject
from symgen.derive.options import choice
from symgen.errors import InputError, LimitError, VerificationError
from symgen.robot.choices import BASES
from symgen.robot.model import Robot
from symgen.verify.setting import REALS

PEERS: Mapping[str, Peer] = {peer.name: peer for peer in (casadi.PEER, pinocchio.PEER, mujoco.PEER)}
"""The libraries that symgen's code is timed beside, by name."""

Progress = Callable[[str], None]

_COUNTED_CALLS = 200


@dataclass(frozen=True)
class Settings:
    """What is timed, and how long.

    `functions`, `peers`: names. `full_inertia`: give every moving link a full inertia. `batch`: states of a batch.
    `threads`: batches are timed on one, and on so many. `rounds`: blocks of each row, of `block` milliseconds about.
    `instructions`: count them where valgrind is installed. `formulations`: time each formulation of a function, too.
    `real`: the type of all numbers. `base`: how root links move, if not as the robots' files say.
    """

    functions: tuple[str, ...] = FUNCTIONS
    peers: tuple[str, ...] = tuple(PEERS)
    full_inertia: bool = False
    batch: int = 10_000
    threads: int = 2
    rounds: int = 41
    block: float = 1.0
    instructions: bool = True
    formulations: bool = False
    real: str = REALS[0]
    base: str | None = None

    def __post_init__(self) -> None:
        """Check what can be checked without a robot."""
        for kind, given, known in (("function", self.functions, FUNCTIONS), ("peer", self.peers, tuple(PEERS))):
            for name in given:
                choice(kind, name, known)
            if len(set(given)) < len(given):
                raise InputError(f"a {kind} is named twice: {', '.join(given)}"[:200])
        choice("floating-point type", self.real, REALS)
        if self.base is not None:
            choice("base", self.base, tuple(BASES))
        if not self.functions:
            raise InputError(f"no function was asked for; there are: {', '.join(FUNCTIONS)}")
        least = {"batch": 1, "threads": 1, "rounds": 1}
        for name, number in least.items():
            if getattr(self, name) < number:
                raise InputError(f"{name}: expected at least {number}, found {getattr(self, name)}")
        if not 0 < self.block <= 1000:
            raise InputError(f"block: expected more than 0 and at most 1000 ms, found {self.block:g}")
        cores = os.cpu_count() or 1
        if self.threads > cores:
            raise LimitError(f"threads: this machine has {cores} cores, found {self.threads}")

    @property
    def plan(self) -> Plan:
        """What peers must know of it."""
        return Plan(self.functions, self.batch, (1,) if self.threads == 1 else (1, self.threads), self.real)


def bench(names: Sequence[str], settings: Settings, progress: Progress = lambda text: None) -> BenchResult:
    """Time the functions of robots, by name, beside the peers that are installed.

    Raises `VerificationError` if a peer's results are not symgen's, and `InputError`, `LimitError`,
    `EnvironmentFault`.
    """
    return bench_subjects([Subject(name, settings.base, settings.real) for name in names], settings, progress)


def asked(names: Sequence[str], *, grid: bool, **settings: Any) -> tuple[list[Subject], Settings]:
    """The robots of these names, all alike, and with `grid` the set's, of its functions if none are named."""
    chosen = Settings(**(({"functions": GRID_FUNCTIONS} if grid else {}) | settings))
    subjects = [Subject(name, chosen.base, chosen.real) for name in names]
    return [*subjects, *(GRID if grid else ())], chosen


def titles(subjects: Sequence[Subject], settings: Settings) -> list[tuple[str, str]]:
    """(name, what is said of the model) of robots, as results have them."""
    each = ((subject, _own(settings, subject)) for subject in subjects)
    return [(_robot(subject, own).name, model_text(own)) for subject, own in each]


def _own(settings: Settings, subject: Subject) -> Settings:
    return replace(settings, base=subject.base, real=subject.real)


def _robot(subject: Subject, settings: Settings) -> Robot:
    return robot_of(subject.name, full_inertia=settings.full_inertia, base=subject.base)


def model_text(settings: Settings) -> str:
    """What is said of a robot's inertia, base and numbers."""
    inertia = "full inertias" if settings.full_inertia else "inertias of its file"
    base = () if settings.base is None else (f"{settings.base} base",)
    return ", ".join((inertia, *base, *((settings.real,) if settings.real != REALS[0] else ())))


def bench_subjects(
    subjects: Sequence[Subject], settings: Settings, progress: Progress = lambda text: None
) -> BenchResult:
    """The same of robots that each have a base and a type of numbers of their own."""
    machine, about = Machine(), description()
    robots = [_robot(each, settings) for each in subjects]
    peers, notices = _installed(settings.peers)
    if settings.instructions and not native.has_valgrind():
        notices.append("instructions are not counted: valgrind is not installed")
    results = []
    for subject, robot in zip(subjects, robots, strict=True):

        def said(text: str, name: str = robot.name) -> None:
            progress(f"{name}: {text}")

        results.append(_robot_result(case_of(robot), peers, _own(settings, subject), machine, said))
        notice = f"{robot.name}: its rotors and friction are left out"
        notices += [notice] if notice not in notices and has_drives(subject.name) else []
    told = {ours.NAME: ours.ABOUT} | {peer.name: peer.about for peer in peers}
    return BenchResult(about, tuple(results), told, settings.rounds, tuple(notices))


def _installed(names: Sequence[str]) -> tuple[list[Peer], list[str]]:
    """The peers that can be timed, and a line for each that cannot."""
    peers, notices = [], []
    for name in names:
        reason = PEERS[name].missing()
        if reason is None:
            peers.append(PEERS[name])
        else:
            notices.append(reason)
    if any(peer.name == pinocchio.NAME for peer in peers) and (reason := pinocchio.cxx_missing()):
        notices.append(reason)
    return peers, notices


def _robot_result(
    case: Case, peers: Sequence[Peer], settings: Settings, machine: Machine, progress: Progress
) -> RobotResult:
    plan, case = _plan(case, settings), case.in_type(settings.real)
    generated = ours.Generated(case, plan, progress)
    contenders = [*generated.contenders(case, plan)]
    expected = {each.function: each.results() for each in contenders if each.how == SINGLE}
    able = [peer for peer in peers if peer.refusal(case, plan) is None]
    for peer in able:
        contenders += peer.contenders(case, plan, progress)
    if settings.formulations:
        contenders += formulations.contenders(case, plan, progress)
    progress("checking results")
    contenders, remarks = _checked(case, contenders, expected)
    peaks, least = _limit(generated, case, settings, machine)
    block = settings.block * 1e6
    samples = measure(contenders, machine.calibrate, rounds=settings.rounds, block=block, progress=progress)
    counted = settings.instructions and native.has_valgrind()
    return RobotResult(
        robot=case.robot.name,
        model=model_text(settings),
        joints=len(case.joints),
        batch=settings.batch,
        samples=tuple(samples),
        instructions=dict(_instructions(generated, case, able, plan, progress)) if counted else {},
        limit=least,
        peaks=peaks,
        notices=(*remarks, *_left_out(case, plan, settings, peers, contenders)),
    )


def _plan(case: Case, settings: Settings) -> Plan:
    """What is timed of a robot; `LimitError` if nothing of what was asked for can be."""
    plan = settings.plan
    if case.loops is None:
        return plan
    functions = tuple(name for name in plan.functions if name in LOOPED)
    if not functions:
        raise LimitError(f"{case.robot.name}: of robots with loops symgen bench times {' and '.join(LOOPED)}")
    return replace(plan, functions=functions)


def _checked(
    case: Case, contenders: Sequence[Contender], expected: Mapping[str, Sequence[Floats]]
) -> tuple[list[Contender], list[str]]:
    """What computes what symgen computes, and lines on what does not quite, which only robots with loops may have."""
    name, loops = case.robot.name, case.loops
    kept: list[Contender] = []
    lines = [f"{name}, to peers: {text}" for text in (loops.remarks if loops is not None else ())]
    for contender in contenders:
        wanted = expected[contender.function]
        if contender.tolerance == float("inf"):
            far = typical_error(contender, wanted)
            lines.append(
                f"{name}: {contender.label} is {contender.note}: half of its results differ by {far:.0e} or more"
            )
            kept.append(contender)
            continue
        try:
            check(contender, wanted)
        except VerificationError as error:
            if loops is None or contender.peer == ours.NAME:
                raise
            lines.append(f"{name} is left out: {error}")
        else:
            kept.append(contender)
    return kept, lines


def _limit(
    generated: ours.Generated, case: Case, settings: Settings, machine: Machine
) -> tuple[Peaks | None, Limit | None]:
    """The machine's peaks, and what they mean for inverse dynamics in a batch."""
    function = "inverse_dynamics"
    if function not in settings.functions or generated.real == "float":  # what is measured of the machine is double
        return None, None
    numbers = case.robot.nq + 3 * case.nv  # q, q̇ and q̈ are read, τ is written
    peaks = machine.peaks(numbers * settings.batch)
    return peaks, limit(generated.derivation.counts[function], numbers, peaks)


def _instructions(
    generated: ours.Generated, case: Case, peers: Sequence[Peer], plan: Plan, progress: Progress
) -> Iterator[tuple[tuple[str, str], int]]:
    """(peer, function) → instructions of one call, of what is C that was compiled here."""
    for function in plan.functions:
        progress(f"counting instructions of {function}")
        yield (ours.NAME, function), native.instructions(generated.native(function), _COUNTED_CALLS)
        if any(peer.name == casadi.NAME for peer in peers):
            found = casadi.native(case, function, plan.real)
            if found is not None:
                yield (casadi.NAME, function), native.instructions(found, _COUNTED_CALLS)


def _left_out(
    case: Case, plan: Plan, settings: Settings, peers: Sequence[Peer], contenders: Sequence[Contender]
) -> Iterator[str]:
    name = case.robot.name
    for function in settings.functions:
        if function not in plan.functions:
            yield f"{name}: {function} is left out: of robots with loops {' and '.join(LOOPED)} are timed"
    timed = {(contender.peer, contender.function) for contender in contenders}
    for peer in peers:
        refusal = peer.refusal(case, plan)
        if refusal is not None:
            yield f"{name}: {peer.name} is left out: {refusal}"
            continue
        lacks = peer.lacks if case.loops is None else case.loops.lacks or peer.lacks
        for function in plan.functions:
            if (peer.name, function) not in timed:
                yield f"{name}: {function} of {peer.name} is left out: {lacks}"
