"""Functions of contact sets, one for each; what they should return is in `verify.loops.contacts`."""

from __future__ import annotations

import numpy as np

from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import CONTACT, NV, Entry, Identity, Pair, Signature
from symgen.verify.expected import Expected
from symgen.verify.loops.contacts import Contacts


def _dynamics(at: Expected, signature: Signature) -> list[Ball]:
    return Contacts(at, signature.contacts).dynamics()


def _impulse(at: Expected, signature: Signature) -> list[Ball]:
    return Contacts(at, signature.contacts).impulse()


def _jacobian(at: Expected, signature: Signature) -> list[Ball]:
    return [Contacts(at, signature.contacts).jacobian]


def _bias(at: Expected, signature: Signature) -> list[Ball]:
    return [Contacts(at, signature.contacts).bias]


def _stays(subject: Comparison, signature: Signature) -> Pair:
    """J q̈ + b = 0."""
    jacobian, bias = (subject.one(subject.beside(signature, kind)) for kind in ("contact_jacobian", "contact_bias"))
    left = jacobian.times(subject.call(signature.name)[0]) + bias
    return left, Ball.exact(0 * left.value)


def _rests(subject: Comparison, signature: Signature) -> Pair:
    """J q̇ after the impact = 0."""
    left = subject.one(subject.beside(signature, "contact_jacobian")).times(subject.call(signature.name)[0])
    return left, Ball.exact(0 * left.value)


def _no_gain(subject: Comparison, signature: Signature) -> Pair:
    """The energy that is lost, which is −½ (J q̇)ᵀ Λ, is none below 0."""
    speeds = subject.one(subject.beside(signature, "contact_jacobian")).times(subject.at.qd)
    lost = speeds * subject.call(signature.name)[1]
    total = lost.total(np.full(lost.value.shape[-1], -0.5), axis=lost.value.ndim - 1)
    return total, Ball(np.maximum(total.value, 0), 0 * total.value)


CONTACT_DYNAMICS = Entry(
    "contact_dynamics",
    ("q", "qd", "tau"),
    ((NV,), (CONTACT,)),
    _dynamics,
    gravity=True,
    loads=True,
    solves=True,
    contacts=True,
    identities=(
        Identity(
            "{contact_jacobian} qdd + {contact_bias} = 0 in {contact_dynamics}",
            ("contact_jacobian", "contact_bias"),
            _stays,
            closed=True,
        ),
    ),
)

CONTACT_IMPULSE = Entry(
    "contact_impulse",
    ("q", "qd"),
    ((NV,), (CONTACT,)),
    _impulse,
    solves=True,
    contacts=True,
    identities=(
        Identity("{contact_jacobian} qd = 0 after {contact_impulse}", ("contact_jacobian",), _rests, closed=True),
        Identity("{contact_impulse} adds no energy", ("contact_jacobian",), _no_gain, closed=True),
    ),
)

CONTACT_JACOBIAN = Entry("contact_jacobian", ("q",), ((CONTACT, NV),), _jacobian, contacts=True)

CONTACT_BIAS = Entry("contact_bias", ("q", "qd"), ((CONTACT,),), _bias, contacts=True)
