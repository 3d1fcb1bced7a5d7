"""Symbolic parameters: the numbers of a table replaced by parameters with standard names.

A link's mass, mass centre, inertia and lengths become m2, cx2, cy2, cz2, Ixx2 … Iyz2, a2, b2 (d2 in modified tables),
its drive's terms Im2, gr2, Fv2, Fc2, Fs2, Fslope2, Fshift2, K2, rest2, a helical joint's pitch2, with the numbers as
default values; those of the second cut joint are Fv_cut2 and so on. Twists stay numeric unless asked for (alpha2),
gravity along an axis can become g, and what the file has declared as a parameter already keeps its name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from symgen.algebra.exact import Exact
from symgen.errors import InputError
from symgen.robot.expression import Expression, constant, symbol
from symgen.robot.joints import KEYS
from symgen.robot.linear import Linear, plus
from symgen.robot.model import CutJoint, Drive, Inertia, Link, Robot, Vector
from symgen.robot.splitting import split

INERTIAL = ("m", "cx", "cy", "cz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
"""Stems of a link's ten inertial parameters."""

GRAVITY = "g"
"""Name of the size of gravity as a parameter."""

_WORDS = {
    "m": ("kg", "mass", "mass"),
    "cx": ("m", "mass centre, x", "mass centre"),
    "cy": ("m", "mass centre, y", "mass centre"),
    "cz": ("m", "mass centre, z", "mass centre"),
    "Ixx": ("kg m^2", "inertia, xx", "inertia"),
    "Iyy": ("kg m^2", "inertia, yy", "inertia"),
    "Izz": ("kg m^2", "inertia, zz", "inertia"),
    "Ixy": ("kg m^2", "inertia, xy", "inertia"),
    "Ixz": ("kg m^2", "inertia, xz", "inertia"),
    "Iyz": ("kg m^2", "inertia, yz", "inertia"),
    "a": ("m", "length along x", "length"),
    "b": ("m", "length along z", "length"),
    "d": ("m", "length along z", "length"),
    "before": ("m", "length along the parent's z", "length"),
    "alpha": ("rad", "twist", "angle"),
    "gamma": ("rad", "turn about the parent's z", "angle"),
    "theta": ("rad", "angle of a joint that slides or is fixed", "angle"),
    "offset": ("rad or m", "offset of the joint", "offset"),
    "Im": ("kg m^2", "rotor inertia", "inertia"),
    "gr": ("1", "gear ratio", "ratio"),
    "Fv": ("N m s/rad or N s/m", "viscous friction", "friction"),
    "Fc": ("N m or N", "Coulomb friction", "friction"),
    "Fs": ("N m or N", "sigmoid friction", "friction"),
    "Fslope": ("s/rad or s/m", "slope of the sigmoid friction", "friction"),
    "Fshift": ("rad/s or m/s", "shift of the sigmoid friction", "friction"),
    "K": ("N m/rad or N/m", "stiffness", "spring"),
    "rest": ("rad or m", "rest position of the spring", "spring"),
} | {name: (key.unit, key.quantity, key.kind) for name, key in KEYS.items()}
"""Stem → unit, quantity, kind."""

_DRIVE = {
    "Im": "rotor_inertia",
    "gr": "gear_ratio",
    "Fv": "viscous",
    "Fc": "coulomb",
    "Fs": "sigmoid",
    "Fslope": "slope",
    "Fshift": "shift",
    "K": "stiffness",
    "rest": "rest",
}
"""Stem → the field of a drive."""

_OF_MOTORS = ("Im", "gr")
"""Those that no cut joint has."""


@dataclass(frozen=True)
class ParameterText:
    """What a parameter is, in words: its unit, the quantity, its kind ("mass", "length", …; "" where it is not known),
    and the links (from 1) whose quantity it is."""

    unit: str
    quantity: str
    kind: str = ""
    links: tuple[int, ...] = ()

    @property
    def meaning(self) -> str:
        """The quantity with its links."""
        if not self.links:
            return self.quantity
        return f"{self.quantity}, link{'s' * (len(self.links) > 1)} {', '.join(map(str, self.links))}"


DECLARED = ParameterText("as declared", "parameter of the robot file")
"""What is known of every parameter that a robot file declares."""


def declared_texts(robot: Robot) -> dict[str, ParameterText]:
    """What the declared parameters are that stand alone as a number of the table, and of which links."""
    texts: dict[str, ParameterText] = {}
    for number, link in enumerate(robot.links, start=1):
        for stem, value in _numbers(robot, link).items():
            if value.op != "symbol":
                continue
            text = ParameterText(*_WORDS[stem], links=(number,))
            known = texts.setdefault(value.name, text)
            if known is not text and known.quantity == text.quantity:
                texts[value.name] = replace(known, links=tuple(sorted({*known.links, number})))
    return texts


def _numbers(robot: Robot, link: Link) -> dict[str, Expression]:
    """The numbers of a link by their stems."""
    inertia, drive, row = link.inertia, link.joint.drive, link.row
    numbers = dict(zip(INERTIAL, (inertia.mass, *inertia.com, *inertia.tensor), strict=True))
    numbers |= {stem: getattr(drive, field) for stem, field in _DRIVE.items()}
    if row is not None:
        numbers |= {"a": row.a, _along(robot.convention): row.b, "before": row.before}
        numbers |= {"alpha": row.alpha, "gamma": row.gamma, "theta": row.theta}
    return numbers | {"offset": link.joint.offset} | {key: getattr(link.joint, key) for key in link.joint.kind.keys}


def _along(convention: str) -> str:
    """The stem of lengths along z."""
    return "b" if convention == "standard" else "d"


@dataclass(frozen=True)
class Symbolic:
    """A robot whose numbers are parameters: which ones stay symbols, and what they mean."""

    robot: Robot
    names: tuple[str, ...]
    texts: dict[str, ParameterText]


def symbolic(
    robot: Robot, wanted: Collection[str] | None = None, *, angles: bool = False, gravity: bool = False
) -> Symbolic:
    """`robot` with parameters for the numbers in `wanted` (None: all that are not 0).

    `wanted` holds declared parameters, standard names (whose number may be 0) and names of links, which stand for their
    ten inertial parameters. With `angles` twists and other constant angles of the table, and joint offsets, become
    parameters too (alpha2, gamma2, theta2, offset2); with `gravity` its size becomes g where it is along an axis of the
    base. `InputError` for a name that is none of these.
    """
    accept = None if wanted is None else _expanded(robot, wanted)
    parameters = robot.defaults
    texts = dict.fromkeys(parameters, DECLARED)

    def naming(number: int, suffix: str) -> _Naming:
        return _Naming(number, suffix, parameters, texts, robot.convention, accept, angles)

    links = tuple(naming(i, str(i)).link(link) for i, link in enumerate(robot.links, start=1))
    cuts = tuple(naming(0, f"_cut{i}").cut(cut) for i, cut in enumerate(robot.cut_joints, start=1))
    if gravity:
        robot = replace(robot, gravity=_symbolic_gravity(robot, parameters, texts, accept))
    names = tuple(name for name in parameters if accept is None or name in accept)
    result = replace(robot, links=links, cut_joints=cuts, parameters=tuple(parameters.items()))
    if accept is not None:
        _check_known(robot, accept, names)
    return Symbolic(result, _in_use(result, names, accept is not None), {name: texts[name] for name in names})


def _symbolic_gravity(
    robot: Robot, parameters: dict[str, Exact], texts: dict[str, ParameterText], accept: frozenset[str] | None
) -> Vector:
    """Gravity with its size as the parameter g, where that is wanted, not declared, and along an axis."""
    x, y, z = robot.gravity
    values = [entry for entry in robot.gravity if not entry.is_zero]
    wanted = accept is None or GRAVITY in accept
    if len(values) != 1 or not values[0].is_constant or not wanted or GRAVITY in parameters:
        return robot.gravity
    size = values[0].constant({})
    negative = size.leading_sign < 0
    parameters[GRAVITY] = -size if negative else size
    texts[GRAVITY] = ParameterText("m/s^2", "gravity", "gravity")
    g = -symbol(GRAVITY) if negative else symbol(GRAVITY)
    x, y, z = (entry if entry.is_zero else g for entry in (x, y, z))
    return x, y, z


def _expanded(robot: Robot, wanted: Collection[str]) -> frozenset[str]:
    """`wanted` with names of links replaced by those of their inertial parameters, as far as they have names.

    A number that holds declared parameters is theirs to change.
    """
    numbers = {link.name: index + 1 for index, link in enumerate(robot.links)}
    declared = robot.defaults
    result: set[str] = set()
    for name in wanted:
        if name in numbers and name not in declared:
            link = robot.links[numbers[name] - 1]
            given = link.inertia
            if link.is_rotor and all(entry.is_constant for entry in given.tensor):
                result.add(f"Izz{numbers[name]}")
                continue
            for stem, value in zip(INERTIAL, (given.mass, *given.com, *given.tensor), strict=True):
                result.update([f"{stem}{numbers[name]}"] if value.is_constant else value.symbols())
        else:
            result.add(name)
    return frozenset(result)


def _check_known(robot: Robot, accept: frozenset[str], names: tuple[str, ...]) -> None:
    unknown = sorted(accept.difference(names))
    if unknown:
        declared = ", ".join(robot.defaults) or "none"
        raise InputError(
            f"{robot.name}: unknown parameter {unknown[0][:60]!r}; there are standard names such as m2, cx2, Ixx2, a2, "
            f"links' names for their ten inertial parameters, and the file's own: {declared}. Numbers that hold a "
            "declared parameter already have no standard name"
        )


def _in_use(robot: Robot, names: tuple[str, ...], asked: bool) -> tuple[str, ...]:
    """The names that occur in the robot; `InputError` if one that does not was asked for."""
    used = {name for expression in expressions(robot) for name in expression.symbols()}
    idle = [name for name in names if name not in used]
    if asked and idle:
        raise InputError(
            f"{robot.name}: the parameter {idle[0]!r} changes nothing at run time: only lengths, offsets, inertias and "
            "drives can; angles of the table have the values they have in the file"
        )
    return tuple(name for name in names if name in used)


def expressions(robot: Robot) -> list[Expression]:
    """Every number of a robot that its dynamics depends on."""
    found = list(robot.gravity)
    parts = [*robot.base, *(part for frame in robot.frames for part in frame.placement)]
    for link in robot.links:
        drive = link.joint.drive
        parts += [*link.before, *link.after, *link.inertia.axes]
        found += [getattr(link.joint, key) for key in link.joint.kind.keys]
        found += [link.joint.offset, link.inertia.mass, *link.inertia.com, *link.inertia.tensor]
        found += [getattr(drive, field.name) for field in fields(drive)]
    for cut in (*robot.cut_joints, *robot.switched):
        found += [cut.length, *(getattr(cut.drive, field.name) for field in fields(cut.drive))]
        parts += [*cut.predecessor.placement, *cut.successor.placement]
    found += [coupling.offset for coupling in robot.couplings]
    return found + [part.amount for part in parts]


class _Naming:
    """Replaces the numbers of one link, or of one cut joint, whose number is 0."""

    def __init__(
        self,
        number: int,
        suffix: str,
        parameters: dict[str, Exact],
        texts: dict[str, ParameterText],
        convention: str,
        accept: frozenset[str] | None,
        angles: bool,
    ) -> None:
        self.number = number
        self.suffix = suffix
        self.parameters = parameters
        self.texts = texts
        self.convention = convention
        self.accept = accept
        self.angles = angles
        self.declared = frozenset(parameters)
        self.along = _along(convention)

    def link(self, link: Link) -> Link:
        inertia = self._rotor(link.inertia) if link.is_rotor else self._inertia(link.inertia)
        own: dict[str, Any] = {key: self.symbol(key, getattr(link.joint, key)) for key in link.joint.kind.keys}
        offset = self._angle("offset", link.joint.offset)
        joint = replace(link.joint, drive=self._drive(link.joint.drive), offset=offset, **own)
        if link.row is None:
            return replace(link, joint=joint, inertia=inertia)
        row = replace(
            link.row,
            a=self.symbol("a", link.row.a),
            b=self.symbol(self.along, link.row.b),
            before=self.symbol("before", link.row.before),
            alpha=self._angle("alpha", link.row.alpha),
            gamma=self._angle("gamma", link.row.gamma),
            theta=self._angle("theta", link.row.theta),
        )
        before, after = split(self.convention, joint, row)
        return replace(link, joint=joint, row=row, before=before, after=after, inertia=inertia)

    def cut(self, cut: CutJoint) -> CutJoint:
        """The cut joint with parameters for its friction and spring."""
        stems = {stem: field for stem, field in _DRIVE.items() if stem not in _OF_MOTORS}
        return replace(cut, drive=self._named(cut.drive, stems)) if len(cut.kind.coordinates) == 1 else cut

    def symbol(self, stem: str, value: Expression) -> Expression:
        """The parameter that stands for `value`, where one is wanted; what holds parameters already stays as it is."""
        name = f"{stem}{self.suffix}"
        if not value.is_constant or (value.is_zero if self.accept is None else name not in self.accept):
            return value
        if self.accept is None:
            while name in self.declared:
                name += "_"
        elif name in self.declared:
            return value
        self.parameters[name] = value.constant({})
        unit, quantity, kind = _WORDS[stem]
        quantity += "" if self.number else f", cut joint {self.suffix.removeprefix('_cut')}"
        self.texts[name] = ParameterText(unit, quantity, kind, (self.number,) if self.number else ())
        return symbol(name)

    def _angle(self, stem: str, value: Expression) -> Expression:
        return self.symbol(stem, value) if self.angles else value

    def _inertia(self, inertia: Inertia) -> Inertia:
        values = (inertia.mass, *inertia.com, *inertia.tensor)
        m, cx, cy, cz, xx, yy, zz, xy, xz, yz = map(self.symbol, INERTIAL, values)
        return replace(inertia, mass=m, com=(cx, cy, cz), tensor=(xx, yy, zz, xy, xz, yz))

    def _rotor(self, inertia: Inertia) -> Inertia:
        """A disc stays one: its moment of inertia about its axis, Izz, is the one number it has."""
        trace = plus(*inertia.tensor[:3])
        if not trace.is_constant:
            return inertia
        moment = trace.constant({}) * Fraction(1, 2)
        named = Linear.of(self.symbol("Izz", constant(moment)))
        xx, yy, zz, xy, xz, yz = (
            (named * (entry.constant({}) * moment.inverse())).expression() for entry in inertia.tensor
        )
        return replace(inertia, tensor=(xx, yy, zz, xy, xz, yz))

    def _drive(self, drive: Drive) -> Drive:
        # Without a rotor there is nothing to gear, unless the ratio is asked for by name.
        geared = self.accept is not None or not drive.rotor_inertia.is_zero
        stems = {stem: field for stem, field in _DRIVE.items() if geared or stem != "gr"}
        return self._named(drive, stems)

    def _named(self, drive: Drive, stems: Mapping[str, str]) -> Drive:
        own: dict[str, Any] = {field: self.symbol(stem, getattr(drive, field)) for stem, field in stems.items()}
        return replace(drive, **own)
