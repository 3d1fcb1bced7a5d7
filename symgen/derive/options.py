"""What is derived and how: the options of the corridor, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from symgen.derive.names import function_names
from symgen.derive.option_table import ALGORITHMS, BASE, DEFAULTS, NUMERIC, OPTIONS, PARAMETERS, RUNTIME, SYMBOLIC
from symgen.errors import InputError
from symgen.mechanics.functions.words import OF_SET

if TYPE_CHECKING:
    OPTIONAL: dict[str, str]
    """Name of a function that is generated with an option, and not without → the option."""

    FUNCTION_NAMES: tuple[str, ...]
    """Names of all functions that need no option, in the order in which they are generated."""

    DEFAULT_FUNCTIONS: tuple[str, ...]
    """Functions that are generated where none are named: inverse and forward dynamics and what they are made of."""

__all__ = ["BASE", "NUMERIC", "PARAMETERS", "RUNTIME", "SYMBOLIC", "Options"]

_NAMES = {"OPTIONAL": "optional", "FUNCTION_NAMES": "every", "DEFAULT_FUNCTIONS": "usual"}
"""Constants here that are worked out when they are asked for."""


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        return getattr(function_names(), _NAMES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


ALL = "all"

_NEEDS_OPTION = (
    "{name} needs the option {option}: of which joints the accelerations are given and the forces found, by name, such "
    "as --{option} joint1,joint2; of the others the forces are given"
)


@dataclass(frozen=True)
class Choice:
    """What a search chose for a function: the algorithm's name, and links (from 1) by the kind of choice of frames."""

    algorithm: str
    frames: Mapping[str, Sequence[int]]

    def as_dict(self) -> dict[str, object]:
        """Plain data, as `choices_of` reads it."""
        return {"algorithm": self.algorithm, **self.frames}


def choices_of(data: object) -> tuple[tuple[str, Choice], ...]:
    """The choices in what `symgen count --json` or `generate --json` printed; `InputError` for anything else."""
    found = data.get("choices", data) if isinstance(data, dict) else data
    if not isinstance(found, dict) or not all(_is_choice(value) for value in found.values()):
        raise InputError(
            "choices: expected what `symgen count --json` prints, with an algorithm and lists of links for every "
            f"function under 'choices', found {str(found)!r}"[:300]
        )
    return tuple(
        (name, Choice(value["algorithm"], {key: tuple(v) for key, v in value.items() if key != "algorithm"}))
        for name, value in found.items()
    )


def _is_choice(value: object) -> bool:
    from symgen.mechanics.reframing import CHOICES  # few runs have choices made before

    return (
        isinstance(value, dict)
        and isinstance(value.get("algorithm"), str)
        and set(value) <= {"algorithm", *CHOICES}
        and all(
            isinstance(v, list) and all(isinstance(number, int) and not isinstance(number, bool) for number in v)
            for key, v in value.items()
            if key != "algorithm"
        )
    )


@dataclass(frozen=True)
class Options:
    """What is derived, and how.

    `functions`: names, in any order; `("all",)` for all but `ON_REQUEST`; those of contact sets stand for all sets, or
    for one, as "contact_dynamics:stance"; None for `DEFAULT_FUNCTIONS` as far as the robot admits them.
    `inverse_dynamics`, `forward_dynamics`, `hybrid_dynamics`, `constraint_forces`: "auto" takes the cheapest algorithm
    by count, a name forces one. `given`: names of the joints whose accelerations are given in hybrid dynamics, or a
    word for them (see `split`); without any there is no such function. `parameters`: "numeric" bakes the numbers in,
    "runtime" makes all of them arguments, and a tuple of names makes these arguments (parameters of the file, standard
    names such as m6, or a link's name for its ten inertial parameters); "base" makes the base inertial parameters
    arguments, in the place of all inertia of links; "symbolic" is for counting. `gravity`: "numeric" or "runtime".
    `wrenches`: names of frames on which an external wrench acts. `frames`: frames of kinematic functions (None: the
    tool, or else the last link). `axes`: axes of Jacobians, "base" or "frame". `real`: "float64" or "float32".
    `quaternion`: the order of a quaternion's numbers in q, "xyzw" or "wxyz". `packed`: whether results of two or more
    dimensions hold only the entries that are not zero by structure. `regressor`: inertial parameters of its columns,
    "base" or all ten "standard" ones of every moving link. `effort`: "low", "normal" or "high": how far the search for
    fewer operations goes.
    """

    functions: tuple[str, ...] | None = DEFAULTS["functions"]
    inverse_dynamics: str = DEFAULTS["inverse_dynamics"]
    forward_dynamics: str = DEFAULTS["forward_dynamics"]
    hybrid_dynamics: str = DEFAULTS["hybrid_dynamics"]
    constraint_forces: str = DEFAULTS["constraint_forces"]
    given: tuple[str, ...] = DEFAULTS["given"]
    parameters: str | tuple[str, ...] = DEFAULTS["parameters"]
    gravity: str = DEFAULTS["gravity"]
    wrenches: tuple[str, ...] = DEFAULTS["wrenches"]
    frames: tuple[str, ...] | None = DEFAULTS["frames"]
    axes: str = DEFAULTS["axes"]
    real: str = DEFAULTS["real"]
    packed: bool = DEFAULTS["packed"]
    quaternion: str = DEFAULTS["quaternion"]
    regressor: str = DEFAULTS["regressor"]
    effort: str = DEFAULTS["effort"]
    choices: tuple[tuple[str, Choice], ...] = DEFAULTS["choices"]

    def __post_init__(self) -> None:
        """Check what can be checked without a robot."""
        for option in OPTIONS:
            value = getattr(self, option.name)
            if option.kind == "names" and value is not None:
                object.__setattr__(self, option.name, names(option.what, value))
            elif option.kind == "choice":
                choice(option.what, value, option.choices)
            elif option.kind == "flag" and not isinstance(value, bool):
                raise InputError(f"{option.name}: expected True or False, found {value!r}"[:200])
            elif option.kind == "parameters" and isinstance(value, str):
                choice("kind of parameters", value, option.choices)
            elif option.kind == "parameters":
                object.__setattr__(self, option.name, names(option.what, value))
        if self.parameters == BASE and self.regressor != DEFAULTS["regressor"]:
            raise InputError(
                f"regressor: expected {DEFAULTS['regressor']!r} where parameters are the base ones, found "
                f"{self.regressor!r}: base parameters do not determine the ten standard ones of every link"
            )
        if self.functions is not None:
            known = function_names()
            if not self.functions:
                raise InputError(f"no function was asked for; there are: {', '.join(known.every)}")
            for asked in self.functions:
                name, of_set, _ = asked.partition(OF_SET)
                choice("function", name, known.of_contacts if of_set else (*known.every, *known.optional, ALL))
                if name in known.optional and name not in self._enabled:
                    raise InputError(_NEEDS_OPTION.format(name=name, option=known.optional[name]))

    @property
    def wanted(self) -> tuple[str, ...]:
        """The functions asked for, or the default ones; what an option enables is among all and among these.

        Those of one contact set alone are with its name, as they were asked for.
        """
        names = function_names()
        known = (*names.every, *self._enabled)
        chosen = (*names.usual, *self._enabled) if self.functions is None else self.functions
        if ALL in chosen:
            return tuple(name for name in known if name not in names.on_request or name in chosen)
        return (*(name for name in known if name in chosen), *(name for name in chosen if OF_SET in name))

    @property
    def _enabled(self) -> tuple[str, ...]:
        """The functions that an option which is given enables."""
        return tuple(name for name, option in function_names().optional.items() if getattr(self, option))

    @property
    def algorithms(self) -> Mapping[str, str]:
        """Function → the algorithm that is asked for, of those that have several."""
        return {name: getattr(self, name) for name in ALGORITHMS}

    @property
    def is_symbolic(self) -> bool:
        """Whether parameters stay symbols in the derivation, for counting or for run time."""
        return self.parameters != NUMERIC


class Keywords(TypedDict, total=False):
    """The options as keywords of `generate`; names may come in any sequence, one alone as a text."""

    functions: str | Sequence[str] | None
    inverse_dynamics: str
    forward_dynamics: str
    hybrid_dynamics: str
    constraint_forces: str
    given: str | Sequence[str]
    parameters: str | Sequence[str]
    gravity: str
    wrenches: str | Sequence[str]
    frames: str | Sequence[str] | None
    axes: str
    real: str
    packed: bool
    quaternion: str
    regressor: str
    effort: str
    choices: tuple[tuple[str, Choice], ...]


def options_of(given: Keywords) -> Options:
    """Checked options; `InputError` for a keyword that is none."""
    for name in given:
        choice("option", name, tuple(DEFAULTS))
    return Options(**given)  # type: ignore[arg-type]  # Options makes tuples of the names


def choice(what: str, value: object, known: Sequence[str]) -> None:
    """`InputError` unless `value` is one of `known`."""
    if not isinstance(value, str):
        raise InputError(f"expected the name of a {what}, found {value!r}"[:200])
    if value not in known:
        raise InputError(f"unknown {what} {value[:60]!r}; there are: {', '.join(known)}")


def names(what: str, values: object) -> tuple[str, ...]:
    """`values` as a tuple of names; one name alone is taken as one; `InputError` for anything else."""
    if isinstance(values, str):
        return (values,)
    if not isinstance(values, Sequence) or not all(isinstance(value, str) for value in values):
        raise InputError(f"expected a list of {what} names, found {values!r}"[:200])
    return tuple(dict.fromkeys(values))
