"""All functions that have an oracle, in the order in which they are generated."""

from __future__ import annotations

from symgen.verify.entry import Entry
from symgen.verify.functions import (
    accelerations,
    actuators,
    configurations,
    derivatives,
    energies,
    forces,
    frames,
    hybrid,
    inertia,
    loops,
    momenta,
    regressors,
    wrenches,
)

FUNCTIONS: tuple[Entry, ...] = (
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
    derivatives.INVERSE_DYNAMICS_DERIVATIVES,
    derivatives.FORWARD_DYNAMICS_DERIVATIVES,
    loops.ASSEMBLY_STEP,
    loops.ASSEMBLY_START,
    loops.CLOSURE,
    loops.CONSTRAINT_JACOBIAN,
    loops.VELOCITY_TRANSFORMATION,
    loops.DEPENDENT_ACCELERATION,
    loops.LOOP_DETERMINANTS,
    loops.CONSTRAINT_FORCES,
    loops.CUT_WRENCH,
    loops.CUT_JOINT_POSITIONS,
    loops.CUT_JOINT_VELOCITIES,
    actuators.ACTUATOR_JACOBIAN,
    actuators.ACTUATOR_FORCES,
    actuators.ACTUATOR_NULL_SPACE,
    configurations.INTEGRATE,
    configurations.DIFFERENCE,
    configurations.NORMALIZE,
    frames.FORWARD_KINEMATICS,
    frames.JACOBIAN,
    frames.JACOBIAN_DOT,
    frames.JACOBIAN_DOT_VELOCITY,
)

ARGUMENTS = {entry.name: entry.arguments for entry in FUNCTIONS}
"""Functions that have an oracle, and their arguments of the state."""
