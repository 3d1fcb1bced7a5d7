"""What the equations of motion leave free: the axes in which a link is described, and where on its axis its origin is.

Both are changes of the mechanism, not of the algorithms: the recursions are relations between vectors, which hold in
any axes at any instant. A `Framing` says for every body

- whether its axes take part in its joint's turn. Axes that do not are those of the joint before the turn: bodies that
  are symmetric about the joint axis then need neither its cosine nor its sine, and joints with parallel axes turn
  about one and the same z, by sums of their angles; the inertia of other bodies varies with the turn;
- where its origin lies on the joint axis: as it is, nearest to the origin of the body beneath, or nearest to that of
  its first child;
- whether its rotation is written with the inertia tensor or with second moments, which suit U = ω̇ × 1 + (ω × 1)²;
- whether it keeps, of the inertia that its joint does not tell from its carrier's, what spares that one more (see
  `clearing`);

and, where points of two bodies close a loop, to which of them a mass is moved (see `loops.exchange`).

Frames of bodies on free joints stay as they are: their rates are given in the link's own axes, at its own origin.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from symgen.algebra.domain import Domain, Scalar, Vector, is_zero, vector, zeros
from symgen.mechanics.clearing import CLEARINGS
from symgen.mechanics.grouping import grouped
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.loops.exchange import exchanged
from symgen.mechanics.mechanism import Body, CutOnBodies, FrameOnBody, Mechanism
from symgen.mechanics.rotation import Orientation, Rotation, Turn
from symgen.robot.model import BASE


@dataclass(frozen=True)
class Framing:
    """Indices of the bodies whose axes do not turn, whose origins move towards parent or child, in second moments.

    `clearing_moment`, `clearing_xx`, `clearing_zz`: indices of the bodies that clear that of their carrier (see
    `clearing`).

    `mass_to_predecessor`, `mass_to_successor`: indices of the cut joints where a mass moves to that end.
    """

    unturned: frozenset[int] = frozenset()
    to_parent: frozenset[int] = frozenset()
    to_child: frozenset[int] = frozenset()
    in_moments: frozenset[int] = frozenset()
    clearing_moment: frozenset[int] = frozenset()
    clearing_xx: frozenset[int] = frozenset()
    clearing_zz: frozenset[int] = frozenset()
    mass_to_predecessor: frozenset[int] = frozenset()
    mass_to_successor: frozenset[int] = frozenset()

    def as_dict(self) -> dict[str, list[int]]:
        """Plain data: numbers of links and cut joints from 1, empty choices left out."""
        return {name: [index + 1 for index in sorted(getattr(self, name))] for name in CHOICES if getattr(self, name)}

    def text(self) -> str:
        """The choice in words; links count from 1."""
        parts = [
            f"axes of {_links(self.unturned)} before the joint's turn" if self.unturned else "",
            f"origin of {_links(self.to_parent)} moved towards the link beneath" if self.to_parent else "",
            f"origin of {_links(self.to_child)} moved towards the next link" if self.to_child else "",
            f"second moments of {_links(self.in_moments)}" if self.in_moments else "",
            f"mass at the origin of {_links(self.clearing_moment)} clears first moments beneath"
            if self.clearing_moment
            else "",
            f"inertia across the axis of {_links(self.clearing_xx)} clears XX beneath" if self.clearing_xx else "",
            f"inertia across the axis of {_links(self.clearing_zz)} clears ZZ beneath" if self.clearing_zz else "",
            f"mass moved to the predecessor of {_cuts(self.mass_to_predecessor)}" if self.mass_to_predecessor else "",
            f"mass moved to the successor of {_cuts(self.mass_to_successor)}" if self.mass_to_successor else "",
        ]
        return "; ".join(part for part in parts if part)


EXCHANGES = ("mass_to_predecessor", "mass_to_successor")
"""Names of the choices of a `Framing` that belong to cut joints."""

CHOICES = ("unturned", "to_parent", "to_child", "in_moments", *CLEARINGS, *EXCHANGES)
"""Names of the choices of a `Framing`."""


def framing_of(choices: Mapping[str, Iterable[int]]) -> Framing:
    """The framing of `Framing.as_dict`."""
    return Framing(**{name: frozenset(number - 1 for number in numbers) for name, numbers in choices.items()})


def _links(indices: Iterable[int]) -> str:
    return _numbered("link", indices)


def _cuts(indices: Iterable[int]) -> str:
    return _numbered("cut joint", indices)


def _numbered(word: str, indices: Iterable[int]) -> str:
    numbers = [str(index + 1) for index in sorted(indices)]
    return f"{word} {numbers[0]}" if len(numbers) == 1 else f"{word}s {', '.join(numbers)}"


def reframed(mechanism: Mechanism, framing: Framing, *, in_base_parameters: bool = True) -> Mechanism:
    """The mechanism in the chosen frames and in base inertial parameters, with the same joint forces.

    Without `in_base_parameters` bodies keep all of their inertia, and the mechanism is the same in all else too.
    """
    regrouped = slid(mechanism, framing)
    if in_base_parameters:
        regrouped = _grouped(regrouped, framing)
        if framing.mass_to_predecessor or framing.mass_to_successor:
            moved = exchanged(regrouped, framing.mass_to_predecessor, framing.mass_to_successor)
            regrouped = _grouped(moved, framing)
    bodies = (replace(body, in_moments=index in framing.in_moments) for index, body in enumerate(regrouped.bodies))
    result = unturned(replace(regrouped, bodies=tuple(bodies)), framing.unturned)
    remake = mechanism.remake
    if remake is None:
        return result
    return replace(
        result, remake=lambda domain: reframed(remake(domain), framing, in_base_parameters=in_base_parameters)
    )


def _grouped(mechanism: Mechanism, framing: Framing) -> Mechanism:
    clearings = {name: getattr(framing, name) for name in CLEARINGS if getattr(framing, name)}
    return grouped(mechanism, framing.in_moments, clearings)


# origins ---------------------------------------------------------------------------------------------


def slid(mechanism: Mechanism, framing: Framing) -> Mechanism:
    """The mechanism with origins moved along the joint axes."""
    domain = mechanism.domain
    shifts = [domain.constant(0)] * len(mechanism.bodies)
    for index in sorted(framing.to_child, reverse=True):
        child = next((k for k, other in enumerate(mechanism.bodies) if other.parent == index), None)
        if child is not None and _may_slide(mechanism.bodies[index]):
            body = mechanism.bodies[child]
            shifts[index] = (body.position + body.rotation.to_parent(_along(domain, shifts[child])))[2]
    for index in sorted(framing.to_parent - framing.to_child):
        body = mechanism.bodies[index]
        if _may_slide(body):
            shifts[index] = -_height(body, _from_parent(domain, body, shifts))
    if all(is_zero(shift) for shift in shifts):
        return mechanism
    bodies = tuple(_slid(domain, body, shifts, index) for index, body in enumerate(mechanism.bodies))

    def seen(frame: FrameOnBody) -> FrameOnBody:
        shift = _along(domain, domain.constant(0) if frame.body == BASE else shifts[frame.body])
        return replace(frame, position=frame.position - shift)

    return _with(mechanism, bodies, seen)


def _may_slide(body: Body) -> bool:
    """Whether the origin may lie anywhere on the joint's axis: not where several axes meet, or rates are the body's."""
    return not body.is_free and not body.is_ball


def _with(mechanism: Mechanism, bodies: tuple[Body, ...], seen: Callable[[FrameOnBody], FrameOnBody]) -> Mechanism:
    """The mechanism with other bodies, its named frames, wrenches and cut joints as they are seen from these."""
    wrenches = tuple((seen(frame), wrench) for frame, wrench in mechanism.wrenches)

    def moved(cuts: Iterable[CutOnBodies]) -> tuple[CutOnBodies, ...]:
        return tuple(replace(c, predecessor=seen(c.predecessor), successor=seen(c.successor)) for c in cuts)

    return replace(
        mechanism,
        bodies=bodies,
        frames=tuple(map(seen, mechanism.frames)),
        wrenches=wrenches,
        cuts=moved(mechanism.cuts),
        spins=tuple(map(seen, mechanism.spins)),
        contacts={name: moved(cuts) for name, cuts in mechanism.contacts.items()},
    )


def _along(domain: Domain, shift: Scalar) -> Vector:
    return vector([domain.constant(0), domain.constant(0), shift])


def _from_parent(domain: Domain, body: Body, shifts: list[Scalar]) -> Vector:
    """The body's origin as it was, from its parent's as it is now."""
    return body.position if body.parent == BASE else body.position - _along(domain, shifts[body.parent])


def _height(body: Body, position: Vector) -> Scalar:
    """The component of a position in the parent's axes along the joint axis."""
    return body.rotation.to_child(position)[2]


def _slid(domain: Domain, body: Body, shifts: list[Scalar], index: int) -> Body:
    shift = _along(domain, shifts[index])
    position = _from_parent(domain, body, shifts) + body.rotation.to_parent(shift)
    inertia = body.inertia if is_zero(shifts[index]) else body.inertia.moved(Rotation(), -shift)
    return replace(body, position=position, inertia=inertia)


# axes ------------------------------------------------------------------------------------------------


def unturned(mechanism: Mechanism, chosen: Iterable[int]) -> Mechanism:
    """The mechanism with the axes of the chosen bodies, and of symmetric ones that carry none, before their turns."""
    domain, bodies = mechanism.domain, list(mechanism.bodies)
    carriers = {body.parent for body in bodies}
    turns: dict[int, Turn] = {}
    for index in range(len(bodies)):
        body = bodies[index]
        turn = _turn(body)
        if turn is not None and (index in chosen or (index not in carriers and _is_symmetric(body.inertia))):
            _unturn(domain, bodies, index, turn)
            turns[index] = turn

    def seen(frame: FrameOnBody) -> FrameOnBody:
        turn = turns.get(frame.body)
        if turn is None:
            return frame
        rotation = Rotation(_joined(domain, (turn, *frame.rotation.turns)))
        return replace(frame, rotation=rotation, position=Rotation((turn,)).to_parent(frame.position))

    return _with(mechanism, tuple(bodies), seen)


def _turn(body: Body) -> Turn | None:
    """The turn of a joint that turns about z; None for others, and for free joints, whose columns turn along."""
    if body.is_free or is_zero(body.screw[2]):
        return None
    last = body.rotation.turns[-1] if body.rotation.turns else None
    return last if isinstance(last, Turn) else None


def _unturn(domain: Domain, bodies: list[Body], index: int, turn: Turn) -> None:
    body, rotation = bodies[index], Rotation((turn,))
    inertia = body.inertia if _is_symmetric(body.inertia) else body.inertia.moved(rotation, zeros(domain, 3))
    bodies[index] = replace(body, rotation=Rotation(body.rotation.turns[:-1]), inertia=inertia)
    for k, child in enumerate(bodies):
        if child.parent == index:
            turned = Rotation(_joined(domain, (turn, *child.rotation.turns)))
            bodies[k] = replace(child, rotation=turned, position=rotation.to_parent(child.position))


def _is_symmetric(inertia: SpatialInertia) -> bool:
    """Whether turns about z leave an inertia as it is."""
    tensor, (x, y, _) = inertia.tensor, inertia.first_moment
    mixed = (x, y, tensor[0, 1], tensor[0, 2], tensor[1, 2], tensor[0, 0] - tensor[1, 1])
    return all(is_zero(entry) for entry in mixed)


def _joined(domain: Domain, turns: tuple[Turn | Orientation, ...]) -> tuple[Turn | Orientation, ...]:
    """Neighbouring turns about the same axis as one, by the sum of their angles."""
    result: list[Turn | Orientation] = []
    for turn in turns:
        last = result[-1] if result else None
        if isinstance(last, Turn) and isinstance(turn, Turn) and last.axis == turn.axis:
            result.pop()
            turn = Turn(turn.axis, *domain.compose((last.c, last.s), (turn.c, turn.s)))
        result.append(turn)
    return tuple(result)
