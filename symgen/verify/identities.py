"""Identities: what the functions of one robot must be to each other, whatever the oracle says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import Identity, Pair, Signature
from symgen.verify.measures import check
from symgen.verify.report import Check

SINGLE_CALLS = 5
"""How many states of a block are computed one by one, to be compared with the batch."""


def identity_checks(subject: Comparison) -> Iterator[Check]:
    """All identities between the functions there are."""
    present = [signature for name, signature in subject.signatures.items() if subject.has(name)]
    for signature in present:
        for identity in _applicable(subject, signature):
            yield from _checked(subject, signature, identity)
    for signature in present:
        yield _single_calls(subject, signature.name)


def _applicable(subject: Comparison, signature: Signature) -> Sequence[Identity]:
    """The identities of a function; in a robot with loops those that do not take q apart from the other coordinates."""
    if not subject.oracle.robot.has_loops:
        return signature.entry.identities
    return [identity for identity in signature.entry.identities if identity.closed]


def _checked(subject: Comparison, signature: Signature, identity: Identity) -> Iterator[Check]:
    names = {kind: subject.beside(signature, kind) for kind in identity.needs}
    if subject.has(*names.values()) and identity.applies(subject):
        text = identity.text.format(**names, **{signature.kind: signature.name})
        yield check(text, "identity", "", lambda: [identity.sides(subject, signature)])


def _single_calls(subject: Comparison, name: str) -> Check:
    few = subject.few(SINGLE_CALLS)
    arguments = few.arguments(name)

    def pairs() -> list[Pair]:
        batch = few.values(name, arguments)
        radii = [ball.radius for ball in subject.first(name, SINGLE_CALLS)]
        single = [subject.values(name, [array[index] for array in arguments]) for index in range(len(arguments[0]))]
        stacked = [np.stack(arrays) for arrays in zip(*single, strict=True)]
        return [
            (Ball(found, radius), Ball(value, radius))
            for found, value, radius in zip(stacked, batch, radii, strict=True)
        ]

    return check(f"{name}: single calls = batch", "identity", "", pairs)
