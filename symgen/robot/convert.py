"""Conversion of a robot between the standard and the modified convention; exact, with the same dynamics.

Both conventions cut the same chain of elementary transforms, only elsewhere. A standard row ends at the link's far end,

    S_j = S_p Rz(θ_j) Tz(b_j) Tx(a_j) Rx(α_j),

a modified one at the joint's axis, after the tail Tx(a) Rx(α) of the link before:

    M_j = M_p Rz(γ_j) Tz(before_j) Rx(α) Tx(a) Rz(θ_j) Tz(d_j).

So S_j = M_j Tx(a_j) Rx(α_j): a link's tail is its own row's in a standard table, and its children's in a modified one
(x turns and x shifts commute). Converting moves every link's reference frame along its tail, and what is given in it
(mass centre, tensor, frames) the other way. Where that would not be exact, or where children differ, massless fixed
links stand in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from symgen.algebra.angles import split_quarter_turns
from symgen.errors import InputError, LimitError
from symgen.robot.expression import ZERO, Expression
from symgen.robot.joints import JointKind
from symgen.robot.linear import Linear, minus, plus, same
from symgen.robot.model import BASE, Frame, Inertia, Joint, Link, Placement, Robot, Row, Vector
from symgen.robot.names import free
from symgen.robot.placement import Pose, in_front, pose, turned, turned_vector
from symgen.robot.splitting import split

CONVENTIONS = ("standard", "modified")

Tensor = tuple[Expression, Expression, Expression, Expression, Expression, Expression]

_MASSLESS = Inertia(ZERO, (ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO), about_origin=False)


def converted(robot: Robot, convention: str) -> Robot:
    """`robot` with its rows in the given convention; itself if they are in it already.

    Joints keep their names, order, coordinates and drives; links keep their names. A leaf's tail, which no modified row
    can hold, becomes a frame if the leaf has none. Notices are left out: reading the converted file makes its own.
    """
    if convention not in CONVENTIONS:
        raise InputError(f"unknown convention {convention[:60]!r}; there are: {', '.join(CONVENTIONS)}")
    if robot.convention == convention:
        return robot
    if robot.cut_joints or robot.switched:
        raise LimitError(f"{robot.name}: robots with cut joints stay in the convention of their file")
    if any(link.row is None for link in robot.links):
        raise LimitError(f"{robot.name}: only robots whose links all have a row of a table can be converted")
    return _ToModified(robot).run() if convention == "modified" else _ToStandard(robot).run()


@dataclass(frozen=True)
class _Tail:
    """Tx(a) Rx(alpha)."""

    a: Expression = ZERO
    alpha: Expression = ZERO

    @property
    def is_identity(self) -> bool:
        return self.a.is_zero and self.alpha.is_zero

    def inverse(self) -> _Tail:
        return _Tail(minus(self.a), minus(self.alpha))


@dataclass
class _Conversion:
    """What both directions share: links in the new convention, and what is fixed to them moved to their new frames."""

    robot: Robot
    convention: str = ""
    links: list[Link] = field(default_factory=list)
    ends: list[Link] = field(default_factory=list)
    frames: dict[str, Frame] = field(default_factory=dict)
    tool: str = ""
    places: dict[int, int] = field(default_factory=dict)
    """Index of a link in the given robot → its index in the new one."""

    def __post_init__(self) -> None:
        self.names = {"base", *(link.name for link in self.robot.links), *(frame.name for frame in self.robot.frames)}
        self.joint_names = {link.joint.name for link in self.robot.links}
        self.rows: tuple[Row, ...] = tuple(link.row for link in self.robot.links if link.row is not None)
        self.children: dict[int, list[int]] = {}
        for index, link in enumerate(self.robot.links):
            self.children.setdefault(link.parent, []).append(index)

    def finished(self, base: Placement) -> Robot:
        """The new robot; links that hold what could not be moved come last."""
        given = [frame.name for frame in self.robot.frames]
        # The tool comes first, as it does where a file is read.
        new = sorted((name for name in self.frames if name not in given), key=lambda name: name != self.tool)
        names = (*given, *new)
        return replace(
            self.robot,
            convention=self.convention,
            base=base,
            links=(*self.links, *self.ends),
            frames=tuple(self._placed(self.frames[name]) for name in names),
            tool=self.tool or self.robot.tool,
            notices=(),
        )

    def _placed(self, frame: Frame) -> Frame:
        """The frame on the link it is fixed to; ends count from -2 downwards until all links are known."""
        return frame if frame.link >= 0 else replace(frame, link=len(self.links) - 2 - frame.link)

    def parent(self, index: int) -> int:
        """The new index of a link's parent."""
        old = self.robot.links[index].parent
        return BASE if old == BASE else self.places[old]

    def add(self, index: int, parent: int, row: Row, to_old: _Tail) -> None:
        """Add link `index` with its new row; `to_old` leads from its new reference frame to the old one."""
        link = self.robot.links[index]
        self.places[index] = len(self.links)
        frames = [frame for frame in self.robot.frames if frame.link == index]
        inertia = _moved_inertia(link.inertia, to_old)
        placements = [in_front(to_old.a, to_old.alpha, frame.placement) for frame in frames]
        end = None
        if inertia is None or None in placements:
            end = self._add_end(link, to_old, _MASSLESS if inertia is not None else link.inertia)
        before, after = split(self.convention, link.joint, row)
        self.links.append(
            replace(link, parent=parent, before=before, after=after, inertia=inertia or _MASSLESS, row=row)
        )
        for frame, placement in zip(frames, placements, strict=True):
            moved = Frame(frame.name, self.places[index], placement or ())
            self.frames[frame.name] = moved if end is None else replace(frame, link=end)

    def _add_end(self, link: Link, to_old: _Tail, inertia: Inertia) -> int:
        """A fixed link whose reference frame is the link's old one; returns what stands for its index."""
        row = Row(to_old.a, to_old.alpha, ZERO, ZERO, ZERO, ZERO)
        self.ends.append(self.fixed_link(f"{link.name}_end", len(self.links), row, inertia))
        return -1 - len(self.ends)

    def fixed_link(self, name: str, parent: int, row: Row, inertia: Inertia = _MASSLESS) -> Link:
        """A link that no joint moves."""
        name = free(name, self.names)
        joint = Joint(free(f"{name}_joint", self.joint_names), JointKind.FIXED, ZERO)
        before, after = split(self.convention, joint, row)
        return Link(name, parent, joint, before, after, inertia, row)


class _ToModified(_Conversion):
    def __init__(self, robot: Robot) -> None:
        super().__init__(robot, "modified")

    def run(self) -> Robot:
        for index, link in enumerate(self.robot.links):
            given = self.rows[index]
            before = _Tail() if link.parent == BASE else self._tail(link.parent)
            row = replace(given, a=before.a, alpha=before.alpha)
            self.add(index, self.parent(index), row, self._tail(index))
            self._mark_far_end(index)
        return self.finished(self.robot.base)

    def _tail(self, index: int) -> _Tail:
        return _Tail(self.rows[index].a, self.rows[index].alpha)

    def _mark_far_end(self, index: int) -> None:
        """A frame at the far end of a leaf, which would be lost otherwise."""
        tail = self._tail(index)
        framed = any(frame.link == index for frame in self.robot.frames)
        if index in self.children or framed or tail.is_identity:
            return
        tool = index == len(self.robot.links) - 1 and not self.robot.frames
        name = free("tool" if tool else f"{self.robot.links[index].name}_end", self.names)
        self.tool = name if tool else self.tool
        self.frames[name] = Frame(name, self.places[index], in_front(tail.a, tail.alpha, ()) or ())


class _ToStandard(_Conversion):
    def __init__(self, robot: Robot) -> None:
        super().__init__(robot, "standard")
        self.tails = {index: self._tail(index) for index in range(len(robot.links))}

    def run(self) -> Robot:
        base = self._base()
        for index, given in enumerate(self.rows):
            tail = self.tails[index]
            parent = self._between(index, absorbed=base is not None)
            self.add(index, parent, replace(given, a=tail.a, alpha=tail.alpha, gamma=ZERO, before=ZERO), tail.inverse())
        return self.finished(self.robot.base if base is None else base)

    def _tail(self, index: int) -> _Tail:
        """Where the link ends: at its children's common x transform; a leaf at its only frame, if along x."""
        rows = [self.rows[child] for child in self.children.get(index, ())]
        if rows:
            same_tail = _have_one_start(rows) and rows[0].gamma.is_zero and rows[0].before.is_zero
            return _Tail(rows[0].a, rows[0].alpha) if same_tail else _Tail()
        frames = [frame for frame in self.robot.frames if frame.link == index]
        if len(frames) == 1 and (at := pose(frames[0].placement)) is not None:
            others = (*at.xyz[1:], *at.rpy[1:])
            if all(entry.is_zero for entry in others):
                return _Tail(at.xyz[0], at.rpy[0])
        return _Tail()

    def _base(self) -> Placement | None:
        """The base's transform with the common start of all first rows in it, if there is one and it is exact."""
        rows = [self.rows[child] for child in self.children[BASE]]
        at = pose(self.robot.base)
        if at is None or not _have_one_start(rows) or not rows[0].gamma.is_zero:
            return None
        turns = turned(rows[0].alpha, (at.rpy[0], ZERO, ZERO))
        assert turns is not None
        shift: Vector = (rows[0].a, ZERO, rows[0].before)
        for axis in (0, 1, 2):
            shift = turned_vector(axis, at.rpy[axis], shift)
        x, y, z = (plus(one, other) for one, other in zip(at.xyz, shift, strict=True))
        return Pose((x, y, z), (turns[0], *at.rpy[1:])).placement()

    def _between(self, index: int, *, absorbed: bool) -> int:
        """The new parent: the old one, or a fixed link on it with what no other row holds."""
        parent, row = self.parent(index), self.rows[index]
        start = (row.gamma, row.before, row.a, row.alpha)
        old = self.robot.links[index].parent
        held = absorbed if old == BASE else not self.tails[old].is_identity
        if held or all(entry.is_zero for entry in start):
            return parent
        name = f"{self.robot.links[index].name}_base"
        self.links.append(self.fixed_link(name, parent, Row(row.a, row.alpha, row.before, row.gamma, ZERO, ZERO)))
        return len(self.links) - 1


def _have_one_start(rows: Sequence[Row]) -> bool:
    """Whether all modified rows begin with the same transform."""
    starts = [(row.gamma, row.before, row.a, row.alpha) for row in rows]
    return all(all(map(same, start, starts[0])) for start in starts)


# inertia -------------------------------------------------------------------------------------------


def _moved_inertia(inertia: Inertia, tail: _Tail) -> Inertia | None:
    """The inertia in the frame from which Tx(a) Rx(alpha) leads to the one it is given in; None if not exact.

    The tensor keeps its axes, which are turned the other way; so its entries change only about the origin.
    """
    if tail.is_identity or inertia.is_massless:
        return replace(inertia, com=_MASSLESS.com) if inertia.is_massless else inertia
    given = pose(inertia.axes)
    rpy = None if given is None else turned(tail.alpha, given.rpy)
    if given is None or rpy is None:
        return None
    x, y, z = turned_vector(0, tail.alpha, inertia.com)
    com = inertia.com if inertia.mass.is_zero else (plus(tail.a, x), y, z)
    axes = Pose((ZERO, ZERO, ZERO), rpy).placement()
    tensor = inertia.tensor
    if inertia.about_origin and not tail.a.is_zero and not inertia.mass.is_zero:
        if not all(entry.is_zero for entry in given.rpy[1:]):
            return None
        seen = turned_vector(0, -given.rpy[0], inertia.com)
        tensor = _steiner(inertia, Linear.of(tail.a), *map(Linear.of, seen))
    return _in_plain_axes(replace(inertia, com=com, axes=axes, tensor=tensor))


def _in_plain_axes(inertia: Inertia) -> Inertia:
    """The same tensor in the frame's own axes, if turned about x by right angles: entries change places and signs."""
    if len(inertia.axes) != 1 or inertia.axes[0].axis != 0:
        return inertia
    quarters, rest = split_quarter_turns(inertia.axes[0].amount.constant({}))
    if rest:
        return inertia
    xx, yy, zz, xy, xz, yz = inertia.tensor
    for _ in range(quarters % 4):
        yy, zz, xy, xz, yz = zz, yy, minus(xz), xy, minus(yz)
    return replace(inertia, axes=(), tensor=(xx, yy, zz, xy, xz, yz))


def _steiner(inertia: Inertia, a: Linear, x: Linear, y: Linear, z: Linear) -> Tensor:
    """The tensor about a point at -a along x, for the mass centre (x, y, z) in the tensor's axes."""
    mass = Linear.of(inertia.mass)
    across = mass.times(a.times(x * 2 + a))
    changes = (Linear(), across, across, -mass.times(a.times(y)), -mass.times(a.times(z)), Linear())
    xx, yy, zz, xy, xz, yz = (
        (Linear.of(entry) + change).expression() for entry, change in zip(inertia.tensor, changes, strict=True)
    )
    return xx, yy, zz, xy, xz, yz
