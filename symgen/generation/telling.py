"""What was verified and proved of a module, in short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symgen.prove.verdict import Proof, unproved_lines
from symgen.verify.report import Check, Report


def report_lines(report: Report, proofs: Sequence[Proof]) -> list[str]:
    """What was verified and what was proved, for a report that passed: a line for each kind and each reason."""
    checks = joined(report.checks)
    oracle = [check for check in checks if check.kind == "oracle"]
    identities = [check for check in checks if check.kind != "oracle"]
    compared = {check.name.partition(",")[0] for check in oracle}
    lines = []
    if oracle:
        lines.append(_line(f"{_number(len(compared), 'function')} against the oracle", oracle))
    if identities:
        lines.append(_line(f"{_number(len(identities), 'identity', 'identities')} among them", identities))
    proved = [proof.function for proof in proofs if proof.holds]
    if proved:
        which = _number(len(proved), "function") if len(proved) == len(proofs) else ", ".join(proved)
        lines.append(f"proved: {which} equal to the DeNOC block form, in the prime field")
    return [*lines, *unproved_lines(proofs)]


def _line(what: str, checks: Sequence[Check]) -> str:
    worst, states = _worst(checks), sorted({check.states for check in checks})
    span = f"{states[0]} to {states[-1]}" if len(states) > 1 else str(states[0])
    errors = f"worst error {worst.error:.1e}, rounding allows {worst.tolerance:.0e}"
    doubtful = next((f"; {check.name}: {check.note}" for check in checks if check.note), "")
    return f"verified: {what}, {span} states; {errors} ({worst.name}){doubtful}"


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


def _worst(checks: Sequence[Check]) -> Check:
    """The check whose error is nearest to its tolerance."""
    return max(checks, key=lambda check: check.share)


_SINGLE = ": single calls = batch"


def joined(checks: Sequence[Check]) -> Sequence[Check]:
    """The checks, with those of single calls in one row if all of them passed."""
    single = [check for check in checks if check.name.endswith(_SINGLE)]
    if not single or not all(check.passed for check in single):
        return checks
    worst = _worst(single)
    name = f"every function{_SINGLE}" if len(single) > 1 else worst.name
    return [*(check for check in checks if check not in single), replace(worst, name=name)]
