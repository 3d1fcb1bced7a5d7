"""Robot → functions from chain to chain, compiled, verified and proved, for one thread, several, or MPI ranks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symgen.derive.chains import DEFAULT, ChainedDerivation, derive_chains
from symgen.derive.derivation import Progress
from symgen.derive.setting import setting_of
from symgen.errors import VerificationError
from symgen.program.chained import ChainedModule
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.prove.verdict import Proof
from symgen.robot.library import load
from symgen.robot.model import Robot
from symgen.runtime.chains import Chains
from symgen.runtime.ranks import TIMEOUT, Ranks
from symgen.verify.compare import verify as compare
from symgen.verify.report import Report


@dataclass(frozen=True)
class ChainsGeneration:
    """What one run made: the functions in one thread, what was verified of them, and what was proved."""

    derivation: ChainedDerivation
    chains: Chains
    report: Report
    proofs: tuple[Proof, ...]

    @property
    def passed(self) -> bool:
        """Whether every check holds and no function is refuted."""
        return self.report.passed and not any(proof.refuted for proof in self.proofs)

    def check(self) -> ChainedModule:
        """The functions, if all holds; else `VerificationError`."""
        if self.passed:
            return self.derivation.module
        failed = [f"{check.name} (error {check.error:.1e})" for check in self.report.failures]
        failed += [f"proof of {proof.function}" for proof in self.proofs if proof.refuted]
        raise VerificationError(
            f"{self.chains.name}: verification of chains failed: {'; '.join(failed)}. Rounding cannot explain that: it "
            "is a bug of symgen or of the compiler; please report it with the robot file"
        )


def chains(
    robot: str | Path | Robot,
    *,
    scheme: str = DEFAULT,
    threads: int = 1,
    comm: Any = None,
    timeout: float | None = TIMEOUT,
    gather: bool = True,
    states: int = 100,
) -> Chains:
    """Dynamics of a robot whose loops close at a platform, worked out chain by chain.

    `scheme`: "recursive" is Khan's, with four exchanges for forward dynamics and three for inverse dynamics;
    "condensed" has two; "projection" and "penalty" (`penalty_dynamics` alone) have none but that of results, and every
    node works out all it needs. `threads`: of this process, by OpenMP. `comm`: a communicator of mpi4py, or "world":
    all its ranks call this, and then the functions with the same arguments; each takes every size-th chain, and all
    have the results. `timeout`: how long a rank waits for another's contribution, s. `gather`: whether results that
    nodes work out by themselves are gathered over ranks; otherwise those of other ranks' chains are NaN. `states`:
    number of random states of the verification. Results are the same, bit by bit, however many nodes there are.

    Raises `InputError` for robots that are no platform on chains, naming the condition, for unknown schemes, and for
    more ranks than chains and one; `EnvironmentFault` without a C compiler, OpenMP or MPI; `VerificationError` as
    `generate`.
    """
    if comm is None:
        module = run_chains(load(robot), scheme, states=states).check()
        return Chains(module, threads=threads, gather=gather)
    ranks = Ranks(comm, timeout)
    module = ranks.shared(lambda: run_chains(load(robot), scheme, states=states).check())
    return Chains(module, threads=threads, ranks=ranks, gather=gather)


def run_chains(
    robot: Robot, scheme: str = DEFAULT, *, states: int = 100, seed: int = 0, progress: Progress | None = None
) -> ChainsGeneration:
    """Derive, compile in one thread, compare with the oracle at random states, and prove."""
    report = progress or (lambda text: None)
    derivation = derive_chains(robot, scheme, progress)
    whole = derivation.whole
    report("compiling")
    made = Chains(derivation.module)
    report("verifying at random states")
    functions = {function.name: getattr(made, function.name) for function in derivation.module.functions}
    checks = compare(
        robot, functions, states=states, seed=seed, setting=setting_of(whole), roundings=roundings(whole.module)
    )
    report("proving equality with the block forms")
    return ChainsGeneration(derivation, made, checks, prove(whole))
