"""A hand-written module with run-time parameters, whose arguments are called like everything in the binding."""

from __future__ import annotations

from typing import cast

import numpy as np
from plain_batches import plain_batches
from toy_module import in_floats

from symgen.program.module import CONSTANTS, Argument, Function, Module, Parameter, Record
from symgen.program.program import Array, Program

SIZE = 3
CONSTANTS_SIZE = 4
DEFAULTS = (2.0, 0.5)
OTHERS = (3.0, 0.25)
PARAMETERS = (
    Parameter("mass", DEFAULTS[0], "kg", "mass of the bob"),
    Parameter("length", DEFAULTS[1], "m", "length of the rod"),
)
INIT = Program(
    (Array("parameters", (len(PARAMETERS),)),), (), ((Array(CONSTANTS, (CONSTANTS_SIZE,)), (0,) * CONSTANTS_SIZE),)
)
FRAMES = ("data", "in0", "out0", "a", "item", "spec", "k", "count", "self", "args")


def _function(name, summary, inputs, *outputs):
    arguments = [Argument(given, (SIZE,), "1", f"input {given}") for given in inputs]
    constants = Argument(CONSTANTS, (CONSTANTS_SIZE,), "", "of the parameters")
    arguments = [constants if argument.name == CONSTANTS else argument for argument in arguments]
    return Function(name, summary, "by hand", tuple(arguments), outputs, Program((), (), ()))


FUNCTIONS = (
    _function(
        "forward", "Vector of two.", ("count", "k", CONSTANTS), Argument("item", (SIZE,), "1", "loops' favourite")
    ),
    _function(
        "factors",
        "Two outputs.",
        ("self", CONSTANTS),
        Argument("U", (SIZE, SIZE), "1", "matrix"),
        Argument("D", (SIZE,), "1", "diagonal"),
    ),
    _function("energy", "Scalar.", ("data", CONSTANTS), Argument("real", (), "J", "energy")),
    _function("total", "Nothing but constants.", (CONSTANTS,), Argument("sum", (), "kg", "of the constants")),
    _function("plain", "No constants.", ("spec",), Argument("args", (), "1", "sum")),
    _function(
        "frames",
        "Ten outputs.",
        ("where", CONSTANTS),
        *(Argument(name, (SIZE, SIZE) if k % 2 else (), "1", f"frame {k}") for k, name in enumerate(FRAMES)),
    ),
)

HEADER = """\
#ifndef PENDULUM_H
#define PENDULUM_H
typedef struct { double mass; double length; } pendulum_parameters;
typedef struct { double k[4]; } pendulum_constants;
void pendulum_init(const pendulum_parameters *restrict parameters, pendulum_constants *restrict constants);
void pendulum_forward(const double *restrict count, const double *restrict k,
                      const pendulum_constants *restrict constants, double *restrict item);
void pendulum_factors(const double *restrict self, const pendulum_constants *restrict constants,
                      double *restrict U, double *restrict D);
void pendulum_energy(const double *restrict data, const pendulum_constants *restrict constants,
                     double *restrict real);
void pendulum_total(const pendulum_constants *restrict constants, double *restrict sum);
void pendulum_plain(const double *restrict spec, double *restrict args);
void pendulum_frames(const double *restrict where, const pendulum_constants *restrict constants,
                     double *restrict data, double *restrict in0, double *restrict out0, double *restrict a,
                     double *restrict item, double *restrict spec, double *restrict k, double *restrict count,
                     double *restrict self, double *restrict args);
#endif
"""

SOURCE = """\
#include "pendulum.h"

#include <math.h>

void pendulum_init(const pendulum_parameters *restrict parameters, pendulum_constants *restrict constants)
{
    constants->k[0] = parameters->mass;
    constants->k[1] = parameters->mass * parameters->length;
    constants->k[2] = parameters->mass / parameters->length;
    constants->k[3] = parameters->length - 1.0;
}

void pendulum_forward(const double *restrict count, const double *restrict k,
                      const pendulum_constants *restrict constants, double *restrict item)
{
    for (int i = 0; i < 3; i++) {
        item[i] = constants->k[i] * sin(count[2 - i]) + constants->k[3] * k[i];
    }
}

void pendulum_factors(const double *restrict self, const pendulum_constants *restrict constants,
                      double *restrict U, double *restrict D)
{
    for (int i = 0; i < 3; i++) {
        D[i] = constants->k[i + 1] * self[2 - i];
        for (int j = 0; j < 3; j++) {
            U[3 * i + j] = constants->k[0] * self[i] - 2.0 * self[j];
        }
    }
}

void pendulum_energy(const double *restrict data, const pendulum_constants *restrict constants,
                     double *restrict real)
{
    real[0] = constants->k[0] * data[0] + constants->k[1] * data[1] + constants->k[2] * data[2];
}

void pendulum_total(const pendulum_constants *restrict constants, double *restrict sum)
{
    sum[0] = constants->k[0] + constants->k[1] + constants->k[2] + constants->k[3];
}

void pendulum_plain(const double *restrict spec, double *restrict args)
{
    args[0] = spec[0] + spec[1] + spec[2];
}

void pendulum_frames(const double *restrict where, const pendulum_constants *restrict constants,
                     double *restrict data, double *restrict in0, double *restrict out0, double *restrict a,
                     double *restrict item, double *restrict spec, double *restrict k, double *restrict count,
                     double *restrict self, double *restrict args)
{
    double *const scalars[5] = {data, out0, item, k, self};
    double *const matrices[5] = {in0, a, spec, count, args};
    for (int n = 0; n < 5; n++) {
        scalars[n][0] = constants->k[1] * where[0] + 2.0 * (double)n;
        for (int i = 0; i < 9; i++) {
            matrices[n][i] = constants->k[i % 4] * where[i / 3] - 2.0 * (double)n - 1.0;
        }
    }
}
"""


def module(real="float64"):
    """The module in one real type."""
    return Module("pendulum", FUNCTIONS, cast(Record, None), real, PARAMETERS, INIT)


def sources(real="float64"):
    """The module's C."""
    texts = {"pendulum.c": SOURCE, "pendulum.h": HEADER}
    texts |= plain_batches(module())
    return texts if real == "float64" else {name: in_floats(text) for name, text in texts.items()}


def init(parameters):
    mass, length = parameters[..., 0], parameters[..., 1]
    return np.stack([mass, mass * length, mass / length, length - 1.0], axis=-1)


def forward(count, k, constants):
    return constants[..., :3] * np.sin(count[..., ::-1]) + constants[..., 3:] * k


def factors(self, constants):
    matrix = constants[..., :1, None] * self[..., :, None] - 2.0 * self[..., None, :]
    return matrix, constants[..., 1:] * self[..., ::-1]


def energy(data, constants):
    return (constants[..., :3] * data).sum(axis=-1)


def total(constants):
    return constants.sum(axis=-1)


def plain(spec):
    return spec.sum(axis=-1)


def frames(where, constants):
    results = []
    for n in range(5):
        results.append(constants[..., 1] * where[..., 0] + 2.0 * n)
        entries = [constants[..., i % 4] * where[..., i // 3] - 2.0 * n - 1.0 for i in range(9)]
        results.append(np.stack(entries, axis=-1).reshape(*where.shape[:-1], 3, 3))
    return tuple(results)


NAMESPACE = {
    "init": init,
    "forward": forward,
    "factors": factors,
    "energy": energy,
    "total": total,
    "plain": plain,
    "frames": frames,
}


def inputs_of(name):
    """Names of the inputs that a caller of the bound function gives."""
    (function,) = (function for function in FUNCTIONS if function.name == name)
    return [argument.name for argument in function.inputs if argument.name != CONSTANTS]


def reference(name, values, *inputs):
    """What the function called `name` must give for parameters `values`, in double precision."""
    arguments = [np.asarray(array, dtype=np.float64) for array in inputs]
    takes_constants = name != "plain"
    return NAMESPACE[name](*arguments, *([init(np.array(values))] if takes_constants else []))
