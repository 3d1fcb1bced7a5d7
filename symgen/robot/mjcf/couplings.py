"""Equality constraints of a compiled model: joints that follow others, and those that are left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from symgen.robot.expression import Expression, constant
from symgen.robot.joints import JointKind
from symgen.robot.mimicry import Follower, resolved
from symgen.robot.mjcf.meant import Meant
from symgen.robot.model import Mimic


@dataclass
class Couplings:
    """Joint → what it follows, and what is to be told of the model's equality constraints."""

    followed: Mapping[str, Mimic] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)


def couplings(
    mujoco: ModuleType, model: Any, kinds: Mapping[str, JointKind], meant: Meant, *, independent: bool
) -> Couplings:
    """The couplings of joints; `kinds` are those of the joints, by name, in MuJoCo's order.

    A constraint between two joints of one coordinate that is linear makes one follow the other, unless `independent`.
    """
    result = Couplings()
    names, given = list(kinds), dict[str, Mimic]()
    left: list[str] = []
    for index in range(model.neq):
        pair = None if independent else _linear_pair(mujoco, model, index, names, kinds)
        if pair is None or pair[0] in given:
            left.append(_label(mujoco, model, index))
        else:
            given[pair[0]] = Mimic(pair[1], *_law(model, index, meant))
    followers = {name: Follower(f"joint {name}", kind, given.get(name)) for name, kind in kinds.items()}
    result.followed = resolved(followers, {}, lambda place, message: left.append(f"that of {place}, as {message}"))
    result.notices += _told(result.followed, left)
    return result


def _told(followed: Mapping[str, Mimic], left: list[str]) -> Iterator[str]:
    if followed:
        pairs = ", ".join(f"{name} of {mimic.joint}" for name, mimic in followed.items())
        yield f"joints that follow others exactly, where MuJoCo pulls them softly: {pairs}"
    if left:
        yield f"equality constraints are left out, closed loops are not supported yet: {', '.join(left)}"


def _linear_pair(
    mujoco: ModuleType, model: Any, index: int, names: list[str], kinds: Mapping[str, JointKind]
) -> tuple[str, str] | None:
    """(follower, followed) of a constraint that says one joint's coordinate by another's, linearly."""
    if int(model.eq_type[index]) != int(mujoco.mjtEq.mjEQ_JOINT) or not model.eq_active0[index]:
        return None
    one, other = int(model.eq_obj1id[index]), int(model.eq_obj2id[index])
    law = model.eq_data[index]
    if min(one, other) < 0 or one == other or not law[1] or any(law[2:5]):
        return None
    pair = names[one], names[other]
    return pair if all(kinds[name].nv == 1 for name in pair) else None


def _law(model: Any, index: int, meant: Meant) -> tuple[Expression, Expression]:
    """ratio and offset of q = ratio q' + offset; MuJoCo has y − y₀ = c₀ + c₁ (x − x₀), from where joints begin."""
    one, other = model.eq_obj1id[index], model.eq_obj2id[index]
    shift, ratio = (meant.number(value).constant({}) for value in model.eq_data[index][:2])
    start, beginning = (meant.angle(model.qpos0[model.jnt_qposadr[joint]]).constant({}) for joint in (one, other))
    return constant(ratio), constant(start + shift - ratio * beginning)


def _label(mujoco: ModuleType, model: Any, index: int) -> str:
    kind = mujoco.mjtEq(int(model.eq_type[index])).name.removeprefix("mjEQ_").lower()
    name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_EQUALITY, index)
    return f"{kind} {name or index + 1}" + ("" if model.eq_active0[index] else " (not active)")
