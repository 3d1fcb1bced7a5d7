"""All functions, in the order in which they are generated."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from itertools import groupby

from symgen.mechanics.functions import (
    accelerations,
    actuators,
    configurations,
    contacts,
    control,
    cut_joints,
    derivatives,
    energies,
    forces,
    frames,
    hessians,
    hybrid,
    inertia,
    loops,
    momenta,
    regressors,
    tree,
    wrenches,
)
from symgen.mechanics.functions.quantity import Dependent, Quantity, Scope
from symgen.mechanics.functions.words import OF_SET

FUNCTIONS: tuple[Quantity | Dependent, ...] = (
    forces.INVERSE_DYNAMICS,
    inertia.INERTIA_MATRIX,
    forces.CORIOLIS_TORQUE,
    forces.GRAVITY_TORQUE,
    forces.BIAS_TORQUE,
    accelerations.FORWARD_DYNAMICS,
    hybrid.HYBRID_DYNAMICS,
    inertia.CORIOLIS_MATRIX,
    inertia.UDU_FACTORS,
    inertia.INVERSE_INERTIA_MATRIX,
    energies.KINETIC_ENERGY,
    energies.POTENTIAL_ENERGY,
    momenta.CENTER_OF_MASS,
    momenta.CENTER_OF_MASS_JACOBIAN,
    momenta.CENTROIDAL_MOMENTUM,
    momenta.CENTROIDAL_MOMENTUM_MATRIX,
    wrenches.JOINT_WRENCH,
    regressors.REGRESSOR,
    control.CORIOLIS_PRODUCT,
    control.CORIOLIS_TRANSPOSE_VELOCITY,
    control.INERTIA_RATE,
    control.GENERALIZED_MOMENTUM,
    control.REFERENCE_TORQUE,
    control.SLOTINE_LI_REGRESSOR,
    derivatives.INVERSE_DYNAMICS_DERIVATIVES,
    derivatives.FORWARD_DYNAMICS_DERIVATIVES,
    hessians.INVERSE_DYNAMICS_HESSIAN,
    hessians.FORWARD_DYNAMICS_HESSIAN,
    hessians.INVERSE_DYNAMICS_SECOND_DERIVATIVES,
    hessians.FORWARD_DYNAMICS_SECOND_DERIVATIVES,
    loops.ASSEMBLY_STEP,
    loops.ASSEMBLY_START,
    loops.CLOSURE,
    loops.CONSTRAINT_JACOBIAN,
    loops.VELOCITY_TRANSFORMATION,
    loops.DEPENDENT_ACCELERATION,
    loops.LOOP_DETERMINANTS,
    loops.CONSTRAINT_FORCES,
    loops.CUT_WRENCH,
    tree.TREE_INERTIA_MATRIX,
    tree.TREE_INVERSE_DYNAMICS,
    tree.INDEPENDENT_CONSTRAINTS,
    tree.PENALTY_DYNAMICS,
    cut_joints.CUT_JOINT_POSITIONS,
    cut_joints.CUT_JOINT_VELOCITIES,
    actuators.ACTUATOR_JACOBIAN,
    actuators.ACTUATOR_FORCES,
    actuators.ACTUATOR_NULL_SPACE,
    contacts.CONTACT_DYNAMICS,
    contacts.CONTACT_IMPULSE,
    contacts.CONTACT_JACOBIAN,
    contacts.CONTACT_BIAS,
    configurations.INTEGRATE,
    configurations.DIFFERENCE,
    configurations.NORMALIZE,
    frames.FORWARD_KINEMATICS,
    frames.JACOBIAN,
    frames.JACOBIAN_DOT,
    frames.JACOBIAN_DOT_VELOCITY,
    frames.KINEMATIC_HESSIAN,
)
"""Functions that have one for every frame and stand beside each other are generated frame by frame.

So are those that have one for every contact set.
"""


def named(name: str) -> Quantity | Dependent:
    """The function of that name; `KeyError` if there is none."""
    for item in FUNCTIONS:
        if item.name == name:
            return item
    raise KeyError(name)


def beside(name: str) -> tuple[str, ...]:
    """Names of the functions that are generated with the one of that name, if there is one."""
    return next((item.beside for item in FUNCTIONS if isinstance(item, Quantity) and item.name == name), ())


def optional() -> dict[str, str]:
    """Names of the functions that are generated with an option and not without → the option."""
    return {item.name: item.option for item in FUNCTIONS if isinstance(item, Dependent) and item.option}


def on_request() -> frozenset[str]:
    """Names of the functions that are generated where they are named alone, and not among all."""
    return frozenset(item.name for item in FUNCTIONS if isinstance(item, Quantity) and item.on_request)


def of_loops() -> frozenset[str]:
    """Names of the functions that only robots with loops have."""
    return frozenset(item.name for item in FUNCTIONS if isinstance(item, Quantity) and not item.unlooped)


def of_each_frame() -> tuple[str, ...]:
    """Names of the functions that there is one of for every frame, without a frame's suffix."""
    return tuple(item.name for item in FUNCTIONS if _each_frame(item))


def of_each_contact() -> tuple[str, ...]:
    """Names of the functions that there is one of for every contact set, without its suffix."""
    return tuple(item.name for item in FUNCTIONS if _each_contact(item))


def names(scope: Scope) -> Iterator[tuple[str, str]]:
    """(name, kind) of every function of a module with all of them; with several frames names have suffixes.

    Names of functions of contact sets have theirs always.
    """
    for item, at in _placed(scope):
        yield item.name + _suffix(item, at, scope), item.name


def quantities(scope: Scope, wanted: Container[str]) -> Iterator[Quantity]:
    """The quantities of the functions that are wanted, in the order in which they are generated."""
    for item, at in _placed(scope):
        if item.name not in wanted and f"{item.name}{OF_SET}{at.contacts}" not in wanted:
            continue
        if isinstance(item, Quantity):
            yield item
            continue
        made = item.of(at)
        if item.each_frame:
            made = replace(made, frame=at.frame)
        elif item.each_contact:
            made = replace(made, contacts=at.contacts)
        suffix = _suffix(item, at, scope)
        yield replace(made, name=made.name + suffix, base_name=made.name) if made.frame or suffix else made


def _each_frame(item: Quantity | Dependent) -> bool:
    return isinstance(item, Dependent) and item.each_frame


def _each_contact(item: Quantity | Dependent) -> bool:
    return isinstance(item, Dependent) and item.each_contact


def _each(item: Quantity | Dependent) -> tuple[bool, bool]:
    return _each_frame(item), _each_contact(item)


def _placed(scope: Scope) -> Iterator[tuple[Quantity | Dependent, Scope]]:
    """Every function with its scope: those of each frame with one frame each, those of contact sets with one set."""
    for (each_frame, each_contact), group in groupby(FUNCTIONS, _each):
        items = tuple(group)
        scopes = [scope]
        if each_frame:
            scopes = [replace(scope, frames=(pair,)) for pair in scope.frames]
        elif each_contact:
            scopes = [replace(scope, contacts=name) for name in scope.contact_sets]
        yield from ((item, at) for at in scopes for item in items)


def _suffix(item: Quantity | Dependent, at: Scope, scope: Scope) -> str:
    if _each_contact(item):
        return f"_{at.contacts}"
    if not _each_frame(item) or len(scope.frames) == 1:
        return ""
    ((_, identifier),) = at.frames
    return f"_{identifier}"
