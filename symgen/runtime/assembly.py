"""Assembly of robots with loops: the compiled step, iterated over all states at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.errors import InputError
from symgen.program.module import OPEN, SINGULAR, Module

Floats = NDArray[np.float64]

NEAR = 1e-6
"""Residuals of closed loops are at most as large, in m or 1: what measured positions give, and single precision."""


def assembled(
    module: Module, functions: Mapping[str, Callable[..., Any]], given: ArrayLike, guess: ArrayLike | None
) -> tuple[Floats, NDArray[np.int64]]:
    """See `DynamicsModule.assemble`."""
    assembly = module.assembly
    if assembly is None:
        reason = "it lacks the function assembly_step" if module.record.loops else "the robot has no loops"
        raise InputError(f"{module.name}: assemble: there is nothing to iterate: {reason}")
    guess = module.record.neutral if guess is None else guess
    pairs = (("given", given, len(assembly.places)), ("guess", guess, module.record.nq))
    wanted, near = (_array(module, *pair) for pair in pairs)
    try:
        batch = np.broadcast_shapes(wanted.shape[:-1], near.shape[:-1])
    except ValueError:
        raise InputError(
            f"{module.name}: assemble: the leading dimensions of given {wanted.shape} and guess {near.shape} do not "
            "broadcast"
        ) from None
    q: Floats = np.array(np.broadcast_to(near, (*batch, module.record.nq)))
    q[..., list(assembly.places)] = wanted
    if assembly.start:
        with np.errstate(all="ignore"):
            q = np.array(functions[assembly.start](q, near))
    status = np.full(batch, OPEN)
    step = functions[assembly.step]
    with np.errstate(all="ignore"):
        for _ in range(assembly.most):
            ahead, residual = step(q)
            status = np.where(np.asarray(residual) <= assembly.closed, 0, status)
            if not (np.isfinite(residual) & (status != 0)).any():
                break
            q = np.where(status[..., None] == 0, q, ahead)
    return np.where(status[..., None] == 0, q, np.nan), status


def status_of(module: Module, functions: Mapping[str, Callable[..., Any]], q: ArrayLike) -> NDArray[np.int64]:
    """See `DynamicsModule.status`."""
    needed = ("closure", "velocity_transformation")
    missing = [name for name in needed if name not in functions]
    if missing:
        reason = f"it lacks the function {' and '.join(missing)}" if module.record.loops else "the robot has no loops"
        raise InputError(f"{module.name}: status: it cannot be told: {reason}")
    array = _array(module, "q", q, module.record.nq, "status")
    with np.errstate(all="ignore"):
        off = np.abs(functions["closure"](array)).max(axis=-1)
        rates = functions["velocity_transformation"](array)  # packed or not
        regular = np.isfinite(rates).reshape(*array.shape[:-1], -1).all(axis=-1)
    return np.asarray(np.where(off <= NEAR, np.where(regular, 0, SINGULAR), OPEN))


def _array(module: Module, name: str, value: ArrayLike, size: int, what: str = "assemble") -> Floats:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{module.name}: {what}: {name}: expected numbers of shape (…, {size})") from None
    if array.shape[-1:] != (size,):
        raise InputError(f"{module.name}: {what}: {name}: expected shape (…, {size}), found {array.shape}")
    return array
