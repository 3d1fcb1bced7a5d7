"""Equality constraints of a compiled model: joints that follow others, sums of coordinates, constraints of bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import ModuleType
from typing import Any

from symgen.algebra.exact import Exact
from symgen.robot.expression import ZERO, Expression, constant
from symgen.robot.joints import JointKind
from symgen.robot.loops import Coupling
from symgen.robot.mimicry import Follower, resolved
from symgen.robot.mjcf.meant import Meant
from symgen.robot.model import Mimic


@dataclass
class Couplings:
    """Joint → what it follows; linear constraints beside that, and constraints of bodies, by index.

    `left`: labels of the constraints that are left out, and of those that make a circle.
    """

    followed: Mapping[str, Mimic] = field(default_factory=dict)
    sums: dict[int, Coupling] = field(default_factory=dict)
    of_bodies: list[int] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    @property
    def notices(self) -> Iterator[str]:
        """What the user should know of the model's equality constraints."""
        if self.followed:
            pairs = ", ".join(f"{name} of {mimic.joint}" for name, mimic in self.followed.items())
            yield f"joints that follow others exactly, where MuJoCo pulls them softly: {pairs}"
        if self.left:
            yield f"equality constraints are left out: {', '.join(self.left)}"


def couplings(
    mujoco: ModuleType, model: Any, kinds: Mapping[str, JointKind], meant: Meant, *, independent: bool
) -> Couplings:
    """The equality constraints; `kinds` are those of the joints, by name, in MuJoCo's order.

    A constraint between two joints of one coordinate that is linear makes one follow the other; it is a sum where that
    one follows another already, or where a joint stays where it is. With `independent` such joints move by themselves.
    """
    result = Couplings()
    names, given, sums = list(kinds), dict[str, Mimic](), list[int]()
    for index in range(model.neq):
        pair = None if independent else _linear_pair(mujoco, model, index, names, kinds)
        if pair is not None and pair[1] and pair[0] not in given:
            given[pair[0]] = Mimic(pair[1], *_law(model, index, meant))
        elif pair is not None:
            sums.append(index)
        elif model.eq_active0[index] and _is_of_bodies(mujoco, model, index):
            result.of_bodies.append(index)
        else:
            result.left.append(_label(mujoco, model, index))
    followers = {name: Follower(f"joint {name}", kind, given.get(name)) for name, kind in kinds.items()}
    result.followed = resolved(followers, {}, lambda place, message: result.left.append(f"that of {place}: {message}"))
    for index in sums:
        pair = _linear_pair(mujoco, model, index, names, kinds)
        assert pair is not None
        if coupling := _sum(pair, _law(model, index, meant), result.followed):
            result.sums[index] = coupling
        else:
            result.left.append(f"{_label(mujoco, model, index)}, which ties a joint to itself")
    return result


def _is_of_bodies(mujoco: ModuleType, model: Any, index: int) -> bool:
    return int(model.eq_type[index]) in (int(mujoco.mjtEq.mjEQ_CONNECT), int(mujoco.mjtEq.mjEQ_WELD))


def _sum(pair: tuple[str, str], law: tuple[Expression, Expression], followed: Mapping[str, Mimic]) -> Coupling | None:
    """one − ratio · other = offset, of the joints that these follow where they follow some; None if nothing is left."""
    ratio, offset = law
    fixed = offset.constant({})
    terms: dict[str, Fraction] = {}
    for name, factor in zip(pair, (Exact.of(Fraction(1)), -ratio.constant({})), strict=True):
        if name and (mimic := followed.get(name)) is not None:
            fixed -= mimic.offset.constant({}) * factor
            name, factor = mimic.joint, mimic.ratio.constant({}) * factor
        if name:
            terms[name] = terms.get(name, Fraction(0)) + (factor.rational or Fraction(0))
    kept = tuple((name, factor) for name, factor in terms.items() if factor)
    return Coupling("", kept, constant(fixed)) if kept else None


def _linear_pair(
    mujoco: ModuleType, model: Any, index: int, names: list[str], kinds: Mapping[str, JointKind]
) -> tuple[str, str] | None:
    """(one, other) of a constraint that says one joint's coordinate by another's, linearly, or by none: ""."""
    if int(model.eq_type[index]) != int(mujoco.mjtEq.mjEQ_JOINT) or not model.eq_active0[index]:
        return None
    one, other = int(model.eq_obj1id[index]), int(model.eq_obj2id[index])
    law = model.eq_data[index]
    if one < 0 or one == other or any(law[2:5]):
        return None
    pair = names[one], names[other] if other >= 0 and law[1] else ""
    return pair if all(kinds[name].nv == 1 for name in pair if name) else None


def _law(model: Any, index: int, meant: Meant) -> tuple[Expression, Expression]:
    """ratio and offset of q = ratio q' + offset; MuJoCo has y − y₀ = c₀ + c₁ (x − x₀), from where joints begin."""
    one, other = int(model.eq_obj1id[index]), int(model.eq_obj2id[index])
    shift, ratio = (meant.number(value).constant({}) for value in model.eq_data[index][:2])
    start = meant.angle(model.qpos0[model.jnt_qposadr[one]]).constant({})
    if other < 0:
        return ZERO, constant(start + shift)
    beginning = meant.angle(model.qpos0[model.jnt_qposadr[other]]).constant({})
    return constant(ratio), constant(start + shift - ratio * beginning)


def _label(mujoco: ModuleType, model: Any, index: int) -> str:
    kind = mujoco.mjtEq(int(model.eq_type[index])).name.removeprefix("mjEQ_").lower()
    name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_EQUALITY, index)
    return f"{kind} {name or index + 1}" + ("" if model.eq_active0[index] else " (not active)")
