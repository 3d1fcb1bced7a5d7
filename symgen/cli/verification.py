"""What was verified and proved of a module."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from symgen.display.tables import new_table
from symgen.generation.telling import joined
from symgen.prove.verdict import Proof, unproved_lines
from symgen.verify.report import Report


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
    for check in joined(report.checks):
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
