"""Proofs in the prime field: the optimised programs are the same functions as the DeNOC block forms.

The programs come from recursions on 3-vectors in link frames and went through passes; the block forms are Nᵀ M N and
its companions, in 6×6 blocks in the base frame (see `block_form`). Equal values at random points of a field of about
2⁶¹ elements mean equal functions, but for a chance below 1e-15: no floating-point sampling.

Functions of base inertial parameters are held against the block forms of links of any inertia that have these.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.derive.derivation import Derivation
from symgen.derive.option_table import VECTOR_FIRST
from symgen.derive.subject import Subject
from symgen.errors import LimitError
from symgen.mechanics.functions.loops import START
from symgen.program.fingerprint import SEEDS
from symgen.program.module import CONSTANTS, Function
from symgen.program.orders import in_order
from symgen.program.sparsity import dense
from symgen.prove import configurations, contacts, control, dynamics, hessians, kinematics, loops, momenta, tree
from symgen.prove.claim import Claim, Form
from symgen.prove.point import Point
from symgen.prove.verdict import Proof

ROOMS = (dynamics, control, hessians, configurations, kinematics, momenta, loops, tree, contacts)
FORMS: dict[str, Form] = {form.kind: form for room in ROOMS for form in room.FORMS}
"""Kind of a quantity → what its functions are."""

UNCLAIMED = frozenset({START})
"""Functions of roots and angles, which no field has; what uses them checks what they return, as assembly does."""


def prove(derivation: Derivation) -> tuple[Proof, ...]:
    """One proof for every function of the module, whatever the size of the robot; none but `UNCLAIMED` is left out.

    A function is not proved if no block form is stated for its kind, or if the robot's numbers hold more square roots
    than a field has.
    """
    subject, module = derivation.subject, dense(in_order(derivation.module, VECTOR_FIRST))
    try:
        points = [Point(subject, module, seed) for seed in SEEDS]
    except LimitError as error:
        return tuple(
            Proof(function.name, _statement(function, subject), None, str(error))
            for function in module.functions
            if function.kind not in UNCLAIMED
        )
    return tuple(_prove(function, subject, points) for function in module.functions if function.kind not in UNCLAIMED)


def _prove(function: Function, subject: Subject, points: Sequence[Point]) -> Proof:
    statement, form = _statement(function, subject), FORMS.get(function.kind)
    if form is None:
        return Proof(function.name, statement, None, f"no block form is stated for {function.kind}")
    try:
        return Proof(function.name, statement, all(_holds(form, function, subject, point) for point in points))
    except ZeroDivisionError:
        return Proof(function.name, statement, False, "it divides by what is identically zero")


def _holds(form: Form, function: Function, subject: Subject, point: Point) -> bool:
    frames = (function.frame,) if function.frame else tuple(frame for frame, _ in subject.frames)
    inputs = {array.name: array.size for array in function.program.inputs}
    return form.holds(Claim(point, inputs, point.values(function), frames, subject.axes, function.contacts))


def _statement(function: Function, subject: Subject) -> str:
    form = FORMS.get(function.kind)
    if form is None:
        return ""
    any_inertia = subject.base is not None and any(array.name == CONSTANTS for array in function.inputs)
    return form.statement + (form.of_base_parameters if any_inertia else "")
