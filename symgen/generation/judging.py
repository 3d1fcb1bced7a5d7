"""What is found of a module: how it compares with the oracle, in all languages, and what is proved of its programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from symgen.derive.outcome import Derivation, Progress
from symgen.derive.setting import setting_of
from symgen.generation.kept import How, Verdict
from symgen.program.rounding import roundings
from symgen.program.sparsity import dense, unpacked
from symgen.prove.proof import prove
from symgen.robot.model import Robot
from symgen.runtime.languages import Written, run_written
from symgen.runtime.module import DynamicsModule, Sources
from symgen.verify.compare import verify as compare
from symgen.verify.report import Report

FEW = 10
"""At so many states other languages are compared, at the most: the program is the same, and only its text is new."""


def judged(
    robot: Robot,
    derivation: Derivation,
    sources: Sources,
    finish: Callable[[], DynamicsModule],
    language: str,
    how: How,
    progress: Progress,
) -> Verdict:
    """The verdict on the module that is built of `sources`, in `language`, whatever it is.

    While compilers work, all is done that needs no compiled code; `finish` waits for them.
    """
    progress("proving equality with the block forms")
    proofs = prove(derivation)
    progress("verifying at random states")
    setting, erring = setting_of(derivation), roundings(dense(derivation.module))

    def against(functions: Mapping[str, Callable[..., Any]], states: int = how.states) -> Report:
        whole = unpacked(derivation.module, functions)
        return compare(robot, whole, states=states, seed=how.seed, setting=setting, roundings=erring)

    few = partial(against, states=min(how.states, FEW))
    others = [name for name in how.languages if name != language]
    written = {name: run_written(derivation.module, sources, name, few) for name in others}
    checks = against(finish().functions)
    return Verdict(checks, proofs, tuple(written.get(name) or Written(name, checks) for name in how.languages))
