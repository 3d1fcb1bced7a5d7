"""What was verified and proved of a module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.text import Text

from symgen.display.tables import new_table
from symgen.prove.verdict import Proof, unproved_lines
from symgen.verify.report import Check, Report


def report_table(report: Report, proofs: Sequence[Proof], language: str = "") -> RenderableType:
    """Every check with its states and worst error, then what was proved, and what not."""
    title = f"{report.robot}: verification{' in ' * bool(language)}{language}"
    table = new_table(
        title,
        "check",
        "against",
        "states",
        "worst error",
        "rounding allows",
        "",
        left=2,
    )
    for check in _joined(report.checks):
        verdict = Text("ok", style="green") if check.passed else Text("FAILED", style="bold red")
        table.add_row(
            check.name, check.kind, str(check.states), f"{check.error:.1e}", f"{check.tolerance:.0e}", verdict
        )
    proved = new_table(f"{report.robot}: proved in the prime field, as functions", "function", "equals", "", left=3)
    for proof in proofs:
        proved.add_row(proof.function, proof.statement, _verdict(proof))
    return Group(table, proved, *map(Text, unproved_lines(proofs)))


def _verdict(proof: Proof) -> Text:
    """Proved, refuted, or neither."""
    if proof.holds:
        return Text("proved", style="green")
    if proof.refuted:
        return Text(f"REFUTED: {proof.reason}" if proof.reason else "REFUTED", style="bold red")
    return Text("not proved", style="bold yellow")


# in short ------------------------------------------------------------------------------------------


def report_lines(report: Report, proofs: Sequence[Proof]) -> list[str]:
    """What was verified and what was proved, for a report that passed: a line for each kind and each reason."""
    checks = _joined(report.checks)
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


# both ----------------------------------------------------------------------------------------------

_SINGLE = ": single calls = batch"


def _joined(checks: Sequence[Check]) -> Sequence[Check]:
    """The checks, with those of single calls in one row if all of them passed."""
    single = [check for check in checks if check.name.endswith(_SINGLE)]
    if not single or not all(check.passed for check in single):
        return checks
    worst = _worst(single)
    name = f"every function{_SINGLE}" if len(single) > 1 else worst.name
    return [*(check for check in checks if check not in single), replace(worst, name=name)]
