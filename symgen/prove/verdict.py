"""What a proof says, and how that is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class UnprovedWarning(UserWarning):
    """Functions were verified but not proved, and the message says why."""


@dataclass(frozen=True)
class Proof:
    """What is claimed of a function, and whether it holds: True is proved, False refuted, None neither.

    `reason` says why it is not proved, or by what it is refuted beside other values.
    """

    function: str
    statement: str
    holds: bool | None
    reason: str = ""

    @property
    def refuted(self) -> bool:
        """Whether the function is shown not to be what is claimed."""
        return self.holds is False


def unproved_lines(proofs: Sequence[Proof]) -> list[str]:
    """What is not proved and why, in words: a line for each reason."""
    rest = [proof for proof in proofs if proof.holds is None]
    reasons = dict.fromkeys(proof.reason for proof in rest)
    return [
        f"not proved: {', '.join(proof.function for proof in rest if proof.reason == reason)}, because {reason}"
        for reason in reasons
    ]
