"""The options of a derivation, once: names, defaults, choices and the help that the command line prints.

`Options`, the keywords of `generate` and the options of commands follow from this table. It imports nothing that takes
time, so that `--help` is quick.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symgen.derive.effort import NORMAL, TRIALS

NUMERIC, SYMBOLIC, RUNTIME, BASE = "numeric", "symbolic", "runtime", "base"
PARAMETERS = (NUMERIC, SYMBOLIC, RUNTIME, BASE)
"""Kinds of parameters."""

VECTOR_FIRST, SCALAR_FIRST = "xyzw", "wxyz"
"""Orders of a quaternion's numbers in q."""

AUTO = "auto"
"""The choice of an algorithm that leaves it to the counts; the option then has the name of the function."""


@dataclass(frozen=True)
class Option:
    """One option.

    `kind`: "choice" (one of `choices`), "names" (a list of names of `what`), "parameters" (a choice or a list), "file",
    or "flag" (true or false). `flag`: its name on the command line, if that is not the name with hyphens.
    """

    name: str
    kind: str
    default: Any
    what: str
    help: str
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    flag: str = ""

    @property
    def option(self) -> str:
        """The option on the command line."""
        return f"--{self.flag or self.name.replace('_', '-')}"


OPTIONS = (
    Option(
        "functions",
        "names",
        None,
        "function",
        "Function names, or `all` (default: inverse and forward dynamics, inertia matrix, and the torques in them).",
        metavar="NAMES",
    ),
    Option(
        "inverse_dynamics",
        "choice",
        AUTO,
        "inverse dynamics algorithm",
        "Algorithm: Newton-Euler, or one of the papers' for closed loops (see `count --formulations`).",
        choices=(AUTO, "newton_euler", "columns", "denoc", "subsystems", "platform", "euler_parameters"),
    ),
    Option(
        "forward_dynamics",
        "choice",
        AUTO,
        "forward dynamics algorithm",
        "Algorithm: inertia matrix and U D U^T, articulated bodies, one of the papers' for closed loops (see `count "
        "--formulations`), or the cheapest.",
        choices=(AUTO, "udu", "columns", "denoc", "platform", "aba", "qr", "projection"),
    ),
    Option(
        "hybrid_dynamics",
        "choice",
        AUTO,
        "hybrid dynamics algorithm",
        "Algorithm: part of the inertia matrix, articulated bodies, or the cheaper of the two.",
        choices=(AUTO, "udu", "aba"),
    ),
    Option(
        "constraint_forces",
        "choice",
        AUTO,
        "constraint forces algorithm",
        "Algorithm: blocks of the constraints, subsystems of the tree, or the cheaper of the two.",
        choices=(AUTO, "loops", "subsystems"),
    ),
    Option(
        "given",
        "names",
        (),
        "joint",
        "Joints whose accelerations hybrid_dynamics is given and whose forces it finds, or `joints` for all but those "
        "that move the base, or `base` for these; with it the function is generated.",
        metavar="JOINTS",
    ),
    Option(
        "parameters",
        "parameters",
        NUMERIC,
        "parameter",
        "`numeric` bakes the numbers in; `runtime` makes all of them arguments; `base` makes the base inertial "
        "parameters arguments; names make these arguments: the file's parameters, standard names such as m2 or Ixx2, "
        "or links for their inertia. `count` also knows `symbolic`.",
        choices=PARAMETERS,
        metavar="KIND|NAMES",
    ),
    Option(
        "gravity",
        "choice",
        NUMERIC,
        "kind of gravity",
        "The file's vector, or an argument.",
        choices=(NUMERIC, RUNTIME),
    ),
    Option(
        "wrenches",
        "names",
        (),
        "frame",
        "Frames on which an external wrench acts, each an argument.",
        metavar="FRAMES",
        flag="wrench",
    ),
    Option(
        "frames",
        "names",
        None,
        "frame",
        "Frames of kinematic functions (default: tool, else last link).",
        metavar="FRAMES",
    ),
    Option("axes", "choice", "base", "kind of axes", "Axes of Jacobians.", choices=("base", "frame")),
    Option(
        "real",
        "choice",
        "float64",
        "real type",
        "Floating-point type of the code.",
        choices=("float64", "float32"),
    ),
    Option(
        "packed",
        "flag",
        False,
        "packed results",
        "Of matrices return the entries that are not zero by structure, column by column (CSC).",
    ),
    Option(
        "quaternion",
        "choice",
        VECTOR_FIRST,
        "order of quaternions",
        "Order of a quaternion's numbers in q: Pinocchio's and ROS's, or MuJoCo's and Drake's.",
        choices=(VECTOR_FIRST, SCALAR_FIRST),
    ),
    Option(
        "regressor",
        "choice",
        "base",
        "kind of regressor",
        "Inertial parameters of the regressor's columns.",
        choices=("base", "standard"),
    ),
    Option(
        "effort",
        "choice",
        NORMAL,
        "effort",
        "How far the search for fewer operations goes.",
        choices=tuple(TRIALS),
    ),
    Option(
        "choices",
        "file",
        (),
        "choices",
        "Choices of an earlier run, as --json printed them, instead of a search.",
        metavar="FILE",
    ),
)
"""All options, in the order of the command line."""

ALGORITHMS = tuple(option.name for option in OPTIONS if AUTO in option.choices)
"""Options that have the name of a function and choose its algorithm."""

DEFAULTS = {option.name: option.default for option in OPTIONS}
"""Option → its default."""
