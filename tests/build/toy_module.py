"""A hand-written module: functions of one, two and three inputs; vector, matrix, scalar and two outputs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

import numpy as np
from plain_batches import plain_batches

from symgen.program.module import Argument, Function, Module, Program, Record

SIZE = 6
POSITION = Argument("q", (SIZE,), "rad", "joint positions")
VELOCITY = Argument("qd", (SIZE,), "rad/s", "joint velocities")
ACCELERATION = Argument("qdd", (SIZE,), "rad/s²", "joint accelerations")


def _function(name, summary, inputs, *outputs):
    return Function(name, summary, "by hand", inputs, outputs, Program((), (), ()))


MODULE = Module(
    "toy",
    (
        _function(
            "inverse_dynamics",
            'Torques "τ" — is this a trigraph??/',
            (POSITION, VELOCITY, ACCELERATION),
            Argument("tau", (SIZE,), "N m", "joint torques"),
        ),
        _function(
            "inertia_matrix",
            "Generalized inertia matrix.",
            (POSITION,),
            Argument("inertia", (SIZE, SIZE), "kg m²", "generalized inertia matrix"),
        ),
        _function(
            "udu_factors",
            "Factors U, D.",
            (POSITION, VELOCITY),
            Argument("U", (SIZE, SIZE), "1", "unit upper triangle"),
            Argument("D", (SIZE,), "kg m²", "diagonal"),
        ),
        _function(
            "kinetic_energy",
            "Kinetic energy.",
            (POSITION, VELOCITY),
            Argument("energy", (), "J", "kinetic energy"),
        ),
        _function(
            "energies",
            "Both energies.",
            (POSITION,),
            Argument("kinetic", (), "J", "kinetic energy"),
            Argument("potential", (), "J", "potential energy"),
        ),
    ),
    cast(Record, None),
)

HEADER = """\
#ifndef TOY_H
#define TOY_H
void toy_inverse_dynamics(const double q[restrict 6], const double qd[restrict 6],
                          const double qdd[restrict 6], double tau[restrict 6]);
void toy_inertia_matrix(const double q[restrict 6], double inertia[restrict 36]);
void toy_udu_factors(const double q[restrict 6], const double qd[restrict 6],
                     double U[restrict 36], double D[restrict 6]);
void toy_kinetic_energy(const double q[restrict 6], const double qd[restrict 6], double energy[restrict 1]);
void toy_energies(const double q[restrict 6], double kinetic[restrict 1], double potential[restrict 1]);
#endif
"""

# Each result reads the whole input, last entry first, so that an output which overlaps an input shows.
SOURCE = """\
#include "toy.h"

#include <math.h>

void toy_inverse_dynamics(const double q[restrict 6], const double qd[restrict 6],
                          const double qdd[restrict 6], double tau[restrict 6])
{
    for (int i = 0; i < 6; i++) {
        tau[i] = sin(q[5 - i]) + GAIN * qd[i] * qd[i] - qdd[(i + 2) % 6];
    }
}

void toy_inertia_matrix(const double q[restrict 6], double inertia[restrict 36])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            inertia[6 * i + j] = q[i] - 2.0 * q[j] + 0.5 * j;
        }
    }
}

void toy_udu_factors(const double q[restrict 6], const double qd[restrict 6],
                     double U[restrict 36], double D[restrict 6])
{
    for (int i = 0; i < 6; i++) {
        D[i] = q[5 - i] / qd[i];
        for (int j = 0; j < 6; j++) {
            U[6 * i + j] = i == j ? 1.0 : i < j ? q[i] + 3.0 * qd[j] : 0.0;
        }
    }
}

void toy_kinetic_energy(const double q[restrict 6], const double qd[restrict 6], double energy[restrict 1])
{
    energy[0] = 0.0;
    for (int i = 0; i < 6; i++) {
        energy[0] += (2.0 + cos(q[i])) * qd[i] * qd[i];
    }
}

void toy_energies(const double q[restrict 6], double kinetic[restrict 1], double potential[restrict 1])
{
    kinetic[0] = q[0] + q[5];
    potential[0] = q[1] * q[4];
}
"""


FLOAT_MODULE = replace(MODULE, real="float32")


def sources(gain="2.0", extra="", real="float64"):
    """The module's C; `gain` changes one function, `extra` the source alone."""
    texts = {"toy.c": SOURCE.replace("GAIN", gain) + extra, "toy.h": HEADER}
    texts |= plain_batches(MODULE)
    return texts if real == "float64" else {name: in_floats(text) for name, text in texts.items()}


def in_floats(text):
    """C of doubles as C of floats: the type, numbers, and functions of libm."""
    text = re.sub(r"\b(sin|cos)\(", r"\1f(", text.replace("double", "float"))
    return re.sub(r"\b\d+\.\d+", r"\g<0>f", text)


def inverse_dynamics(q, qd, qdd):
    return np.sin(q[..., ::-1]) + 2.0 * qd * qd - np.roll(qdd, -2, axis=-1)


def inertia_matrix(q):
    return q[..., :, None] - 2.0 * q[..., None, :] + 0.5 * np.arange(SIZE)


def udu_factors(q, qd):
    strict = np.triu(np.ones((SIZE, SIZE)), 1)
    return np.eye(SIZE) + strict * (q[..., :, None] + 3.0 * qd[..., None, :]), q[..., ::-1] / qd


def kinetic_energy(q, qd):
    return ((2.0 + np.cos(q)) * qd * qd).sum(axis=-1)


def energies(q):
    return q[..., 0] + q[..., 5], q[..., 1] * q[..., 4]


# The same functions in NumPy: a back end of their own, and what the compiled ones are compared with.
NAMESPACE = {
    "inverse_dynamics": inverse_dynamics,
    "inertia_matrix": inertia_matrix,
    "udu_factors": udu_factors,
    "kinetic_energy": kinetic_energy,
    "energies": energies,
}
