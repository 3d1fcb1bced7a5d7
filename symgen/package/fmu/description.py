"""What an FMU says of itself: modelDescription.xml and, for FMI 3.0, how its sources are compiled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from symgen.emit.environment import render
from symgen.package.fmu.model import TOLERANCE
from symgen.package.fmu.units import base_unit
from symgen.package.fmu.variables import INPUTS, OUTPUTS, PARAMETERS, RATES, STATES, TIME, Layout, Variable
from symgen.program.module import Module
from symgen.version import __version__

_ROLES = {
    TIME: ("independent", "continuous", ""),
    STATES: ("output", "continuous", "exact"),
    RATES: ("local", "continuous", "calculated"),
    INPUTS: ("input", "continuous", ""),
    PARAMETERS: ("parameter", "tunable", "exact"),
    OUTPUTS: ("output", "continuous", "calculated"),
}
"""Group → causality, variability, initial."""


@dataclass(frozen=True)
class Standard:
    """A version of the standard: the file with its functions, and how variables refer to each other there."""

    version: str
    interface: str
    first: int

    @property
    def is_third(self) -> bool:
        """Whether it is FMI 3.0."""
        return self.first == 0


FMI2 = Standard("2.0", "fmi2.c", first=1)
FMI3 = Standard("3.0", "fmi3.c", first=0)

_WORDS = {
    FMI2: {
        "fmi": "fmi2",
        "boolean": "int",
        "no": "0",
        "byte": "char",
        "state": "FMUstate",
        "deserialize": "DeSerialize",
        "rates": "Derivatives",
    },
    FMI3: {
        "fmi": "fmi3",
        "boolean": "bool",
        "no": "false",
        "byte": "uint8_t",
        "state": "FMUState",
        "deserialize": "Deserialize",
        "rates": "ContinuousStateDerivatives",
    },
}
"""How versions call what is alike in them: beginnings of names, types and their values, parts of names."""


def interface(standard: Standard) -> str:
    """The text of the file with the functions of the standard."""
    return render(f"fmu/{standard.interface}.j2", **_WORDS[standard])


def model_description(module: Module, layout: Layout, standard: Standard, token: str, units: Sequence[str]) -> str:
    """The text of modelDescription.xml; `units` are the files to be compiled."""
    record, first = module.record, standard.first
    groups: dict[str, list[int]] = {group: [] for group in _ROLES}
    for place, variable in enumerate(layout.variables):
        groups[variable.group].append(place + first)
    names = dict.fromkeys(variable.unit for variable in layout.variables if variable.unit)
    return render(
        f"fmu/modelDescription{standard.version[0]}.xml.j2",
        identifier=module.name,
        name=_quoted(record.robot),
        description=_quoted(f"Dynamics of the robot {record.robot}: {record.description}".removesuffix(": ")),
        tool=f"symgen {__version__}",
        token=token,
        tolerance=TOLERANCE,
        files=units,
        units=[(_quoted(unit), _exponents(unit)) for unit in names],
        variables=[_attributes(variable, place, standard) for place, variable in enumerate(layout.variables)],
        outputs=[*groups[STATES], *groups[OUTPUTS]],
        rates=groups[RATES],
        unknowns=[*groups[RATES], *groups[OUTPUTS]],
        convention="structured" if _is_structured(layout) else "flat",
    )


def build_description(module: Module, units: Sequence[str]) -> str:
    """The text of sources/buildDescription.xml."""
    return render("fmu/buildDescription.xml.j2", identifier=module.name, files=units)


def _exponents(unit: str) -> str | None:
    found = base_unit(unit)
    return None if found is None else "".join(f' {base}="{exponent}"' for base, exponent in found)


def _is_structured(layout: Layout) -> bool:
    """Whether all names are paths of identifiers, as tools show them in trees."""
    names = [variable.name.removeprefix("der(").removesuffix(")") for variable in layout.variables]
    words = [word.partition("[")[0] for name in names for word in name.split(".")]
    return all(word.isascii() and word.isidentifier() for word in words)


def _attributes(variable: Variable, place: int, standard: Standard) -> dict[str, str]:
    """The attributes of a variable and of its type, as they stand in XML."""
    causality, variability, initial = _ROLES[variable.group]
    own = {"name": variable.name, "valueReference": str(place), "description": variable.meaning}
    own |= {"causality": causality, "variability": variability}
    if initial:
        own["initial"] = initial
    real = {"unit": variable.unit} if variable.unit else {}
    if variable.least is not None:
        real["min"] = repr(variable.least)
    if variable.start is not None:
        real["start"] = repr(variable.start)
    if variable.state is not None:
        real["derivative"] = str(variable.state + standard.first)
    if variable.again:
        real["reinit"] = "true"
    return {"own": _text(own), "real": _text(real)}


def _text(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={_quoted(value)}" for name, value in attributes.items())


def _quoted(text: str) -> str:
    """Text as the value of an attribute; characters that XML cannot have are left out."""
    return quoteattr("".join(character for character in text if character.isprintable()))
