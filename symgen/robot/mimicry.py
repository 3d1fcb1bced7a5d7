"""Joints that follow others: what a file says of them, resolved to joints that follow none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from symgen.algebra.exact import Exact
from symgen.errors import LimitError
from symgen.robot.expression import Expression, checked_value, constant
from symgen.robot.joints import JointKind
from symgen.robot.linear import plus
from symgen.robot.model import Mimic
from symgen.robot.names import shortened

_SHOWN = 6


@dataclass(frozen=True)
class Follower:
    """A joint as a file has it: its place in messages, its kind, and what it follows, maybe a joint that follows."""

    place: str
    kind: JointKind
    mimic: Mimic | None = None


def resolved(
    joints: Mapping[str, Follower], defaults: Mapping[str, Exact], problem: Callable[[str, str], None]
) -> dict[str, Mimic]:
    """Joint → the joint that moves by itself and that it follows, in the end; what is wrong is told to `problem`.

    Of a circle of joints, and of joints that follow a faulty one, that is told once. `defaults` are the values of the
    parameters that offsets may hold.
    """
    resolving = _Resolving(joints, defaults, problem)
    for name in joints:
        resolving.resolve(name)
    return {name: resolving.found[name] for name in joints if name in resolving.found}


@dataclass
class _Resolving:
    joints: Mapping[str, Follower]
    defaults: Mapping[str, Exact]
    problem: Callable[[str, str], None]
    found: dict[str, Mimic] = field(default_factory=dict)
    faulty: set[str] = field(default_factory=set)

    def resolve(self, start: str) -> None:
        """Resolve a joint and those that it follows."""
        for name in reversed(self._path(start)):
            mimic = self._mimic(name)
            if mimic is None or name in self.faulty:
                continue
            result = "" if mimic.joint in self.faulty else self._resolved(name, mimic)
            if isinstance(result, Mimic):
                self.found[name] = result
                continue
            self.faulty.add(name)
            if result:
                self.problem(self.joints[name].place, result)

    def _mimic(self, name: str) -> Mimic | None:
        return self.joints[name].mimic if name in self.joints else None

    def _path(self, name: str) -> list[str]:
        """The joint, the one it follows and so on, as far as they are not resolved."""
        path: dict[str, int] = {}
        while (mimic := self._mimic(name)) is not None and name not in self.found and name not in self.faulty:
            if name in path:
                self._note_circle([*list(path)[path[name] :], name])
                break
            path[name] = len(path)
            name = mimic.joint
        return list(path)

    def _note_circle(self, names: list[str]) -> None:
        self.faulty.update(names)
        shown = [repr(name) for name in names]
        if len(shown) > _SHOWN:
            shown[_SHOWN // 2 : -_SHOWN // 2] = ["..."]
        self.problem(self.joints[names[0]].place, f"no joint of a circle moves by itself: {' mimics '.join(shown)}")

    def _resolved(self, name: str, mimic: Mimic) -> Mimic | str:
        """What the joint follows in the end, or what is wrong with that; what it follows is resolved."""
        if self.joints[name].kind.nv != 1:
            kind = self.joints[name].kind.value
            return f"a {kind} joint cannot mimic another: only joints with one coordinate can"
        if not mimic.ratio.is_constant or mimic.ratio.constant({}).rational is None:
            return f"expected a rational ratio, found {mimic.ratio}"
        shown = repr(shortened(mimic.joint, 40))
        followed = self.joints.get(mimic.joint)
        if followed is None:
            return (
                f"there is no joint {shown}, which {name!r} mimics; correct the name, or let joints that mimic "
                "move by themselves (mimic = independent)"
            )
        if followed.kind.nv != 1:
            return f"the joint {shown} is {followed.kind.value}; only a joint with one coordinate can be mimicked"
        return mimic if followed.mimic is None else self._composed(mimic, self.found[mimic.joint])

    def _composed(self, mimic: Mimic, followed: Mimic) -> Mimic | str:
        ratio, offset = _times(mimic.ratio, followed.ratio), plus(_times(mimic.ratio, followed.offset), mimic.offset)
        for word, value in (("ratio", ratio), ("offset", offset)):
            if set(value.symbols()) <= set(self.defaults):
                try:
                    checked_value(value, self.defaults)
                except (ValueError, LimitError, ZeroDivisionError) as error:
                    return f"the {word} to the joint {followed.joint!r} that it follows in the end: {error}"
        return Mimic(followed.joint, ratio, offset)


def _times(one: Expression, other: Expression) -> Expression:
    if one.op == "constant" and other.op == "constant":
        return constant(one.value * other.value)
    return one * other
