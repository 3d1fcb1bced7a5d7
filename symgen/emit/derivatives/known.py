"""Which functions of a module are derivatives of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from symgen.program.module import Module


@dataclass(frozen=True)
class Known:
    """The derivatives of a function with one output that other functions have.

    `first`: input → function and its output, rows of which belong to the function's output. `second`: pair of inputs →
    output of the function `hessian`, which takes weights of the function's output as its last input.
    """

    first: Mapping[str, tuple[str, str]]
    hessian: str
    second: Mapping[tuple[str, str], str]

    @property
    def functions_of_first(self) -> frozenset[str]:
        """The names of those that have first derivatives."""
        return frozenset(name for name, _ in self.first.values())

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the functions."""
        return (*dict.fromkeys(name for name, _ in self.first.values()), self.hessian)


KNOWN = {
    "inverse_dynamics": Known(
        first={
            "q": ("inverse_dynamics_derivatives", "dtau_dq"),
            "qd": ("inverse_dynamics_derivatives", "dtau_dqd"),
            "qdd": ("inertia_matrix", "inertia"),
        },
        hessian="inverse_dynamics_hessian",
        second={
            ("q", "q"): "hessian_qq",
            ("q", "qd"): "hessian_qqd",
            ("qd", "qd"): "hessian_qdqd",
            ("q", "qdd"): "hessian_qqdd",
        },
    ),
    "forward_dynamics": Known(
        first={
            "q": ("forward_dynamics_derivatives", "dqdd_dq"),
            "qd": ("forward_dynamics_derivatives", "dqdd_dqd"),
            "tau": ("forward_dynamics_derivatives", "dqdd_dtau"),
        },
        hessian="forward_dynamics_hessian",
        second={
            ("q", "q"): "hessian_qq",
            ("q", "qd"): "hessian_qqd",
            ("qd", "qd"): "hessian_qdqd",
            ("q", "tau"): "hessian_qtau",
        },
    ),
}
"""Function → its derivatives. They are by q's entries where q̇ is the joint velocities, and only there."""

SLOPES = frozenset(name for each in KNOWN.values() for name in (each.first["q"][0], each.hessian))
"""Functions that are derivatives themselves, of which no others are made."""


def companions(functions: Sequence[str]) -> tuple[str, ...]:
    """The names of the functions that derivatives of these are made of."""
    return tuple(dict.fromkeys(name for each in functions if each in KNOWN for name in KNOWN[each].functions))


def known(module: Module, name: str) -> Known | None:
    """The derivatives that the module's other functions are of the one of that name, where it has them all."""
    found, names = KNOWN.get(name), {function.name for function in module.functions}
    if found is None or not module.record.is_plain or not names.issuperset(found.functions):
        return None
    return found
