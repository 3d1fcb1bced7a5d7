"""Where the links of a robot stand in a picture: each below the middle of those it carries, leaves side by side.

Lengths are in inches, y upwards, the base at the top. Cut joints are lines that run below all links, each at a height
of its own where others run beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symgen.robot.model import BASE, CutJoint, Robot
from symgen.robot.outline import children, link_name

LEVEL = 0.95
"""From a link down to those that it carries."""

BOX = 0.3
"""The height of a link's box."""

PADDING, GAP = 0.12, 0.3
"""Between a name and its box, and between what stands side by side."""

LANE, BESIDE = 0.36, 0.1
"""Between cut joints one below the other, and side by side."""

Measure = Callable[[str], float]
"""The width of a text."""


@dataclass(frozen=True)
class Place:
    """The middle of a link's box and its width; `right`: where what it carries ends."""

    x: float
    y: float
    width: float
    right: float


@dataclass(frozen=True)
class Layout:
    """`places`: link, or the base → its place; `ways`: for each cut joint the corners of its line, in order.

    All of it, labels too, is between `left` and `right`, and above `lowest` but for a line's label.
    """

    places: dict[int, Place]
    ways: tuple[tuple[tuple[float, float], ...], ...]
    left: float
    right: float
    lowest: float


def layout(robot: Robot, measure: Measure) -> Layout:
    """The layout of a robot whose names are as wide as `measure` says."""
    carried = children(robot)
    exits = dict.fromkeys(carried, 0)
    for cut in robot.cut_joints:
        for end in (cut.predecessor, cut.successor):
            exits[end.link] += 1
    widths = {index: measure(link_name(robot, index)) + 2 * PADDING for index in carried}
    own = {index: max(widths[index], _label_width(robot, index, measure)) for index in carried}
    for index in carried:
        if not carried[index]:
            own[index] = max(own[index], BESIDE * (exits[index] + 1))
    places = _places(carried, widths, own, exits)
    labels = [measure(cut_label(cut)) for cut in robot.cut_joints]
    ways, lowest = _ways(robot, places, carried, exits, labels)
    spans = [(place.x - own[index] / 2, place.x + own[index] / 2) for index, place in places.items()]
    spans += [_span(*_run(way), label) for way, label in zip(ways, labels, strict=True)]
    return Layout(places, ways, min(low for low, _ in spans), max(high for _, high in spans), lowest)


def _run(way: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """From where to where the lowest part of a line goes."""
    middle = len(way) // 2
    return way[middle - 1][0], way[middle][0]


def _places(
    carried: dict[int, list[int]], widths: dict[int, float], own: dict[int, float], exits: dict[int, int]
) -> dict[int, Place]:
    """The places of all links, each within a column for itself and all that it carries."""
    inner: dict[int, float] = {}
    column: dict[int, float] = {}
    beside: dict[int, float] = {}  # where lines of cut joints leave, past what a link carries
    order = _base_first(carried)
    for index in reversed(order):
        inner[index] = sum(column[each] for each in carried[index]) + GAP * max(0, len(carried[index]) - 1)
        beside[index] = BESIDE * exits[index] if carried[index] else 0.0
        column[index] = max(own[index], inner[index]) + 2 * beside[index]
    lefts, heights = {BASE: 0.0}, {BASE: 0.0}
    places: dict[int, Place] = {}
    for index in order:
        left = lefts[index] + (column[index] - inner[index]) / 2
        for each in carried[index]:
            lefts[each], heights[each] = left, heights[index] - LEVEL
            left += column[each] + GAP
    for index in reversed(order):
        middle = lefts[index] + column[index] / 2
        slack = max(own[index], inner[index]) - own[index]
        if carried[index]:
            wanted = (places[carried[index][0]].x + places[carried[index][-1]].x) / 2
            middle = min(max(wanted, middle - slack / 2), middle + slack / 2)
        places[index] = Place(middle, heights[index], widths[index], lefts[index] + column[index])
    return {index: places[index] for index in sorted(places)}


def _label_width(robot: Robot, index: int, measure: Measure) -> float:
    return 0.0 if index == BASE else max(map(measure, joint_lines(robot, index)))


def joint_lines(robot: Robot, index: int) -> tuple[str, str]:
    """The label of the joint that carries a link: its name and its kind."""
    joint = robot.links[index].joint
    kind = joint.kind.value if joint.mimic is None else f"like {joint.mimic.joint}"
    return joint.name, kind


def cut_label(cut: CutJoint) -> str:
    """The label of a cut joint: its name and its kind."""
    return f"{cut.name} ({cut.kind.value})"


def _base_first(carried: dict[int, list[int]]) -> list[int]:
    """The base and all links, those that carry others before them."""
    order, waiting = [], [BASE]
    while waiting:
        index = waiting.pop()
        order.append(index)
        waiting += carried[index]
    return order


def _ways(
    robot: Robot,
    places: dict[int, Place],
    carried: dict[int, list[int]],
    exits: dict[int, int],
    labels: Sequence[float],
) -> tuple[tuple[tuple[tuple[float, float], ...], ...], float]:
    """The lines of the cut joints, and the height of the lowest."""
    used = dict.fromkeys(places, 0)
    ends = [(cut.predecessor.link, cut.successor.link) for cut in robot.cut_joints]
    bottom = min(place.y for place in places.values()) - BOX / 2
    starts: list[dict[int, tuple[tuple[float, float], ...]]] = [{} for _ in ends]
    for link in places:
        touching = [number for number, pair in enumerate(ends) if link in pair]
        # Lines side by side do not cross if, of those to one side, the longest and lowest begins on the other side.
        others = {number: places[_other(ends[number], link)].x for number in touching}
        touching.sort(key=lambda number: (others[number] > places[link].x, -others[number], number))
        for number in touching:
            starts[number][link] = _exit(places[link], bool(carried[link]), used[link], exits[link])
            used[link] += 1
    lanes = _lanes(
        [
            _span(start[one][-1][0], start[other][-1][0], label)
            for start, (one, other), label in zip(starts, ends, labels, strict=True)
        ]
    )
    ways = tuple(
        (*start[one], *((start[link][-1][0], bottom - LANE * (lane + 1)) for link in (one, other)), *start[other][::-1])
        for start, (one, other), lane in zip(starts, ends, lanes, strict=True)
    )
    return ways, bottom - LANE * (max(lanes, default=-1) + 1)


def _span(one: float, other: float, label: float) -> tuple[float, float]:
    """From where to where a line and its label below it reach."""
    middle, half = (one + other) / 2, max(abs(one - other), label) / 2
    return middle - half, middle + half


def _other(pair: tuple[int, int], link: int) -> int:
    return pair[1] if pair[0] == link else pair[0]


def _exit(place: Place, has_children: bool, number: int, count: int) -> tuple[tuple[float, float], ...]:
    """The corners with which a line leaves a link: down from it, or to its right, and down beside what it carries."""
    if not has_children:
        return ((place.x + BESIDE * (number - (count - 1) / 2), place.y - BOX / 2),)
    x = place.right - BESIDE * (count - 0.5 - number)
    y = place.y + BOX * ((number + 1) / (count + 1) - 0.5)
    return (place.x + place.width / 2, y), (x, y)


def _lanes(spans: Sequence[tuple[float, float]]) -> list[int]:
    """A lane for each span, short ones first, so that none lies on another's."""
    lanes = [0] * len(spans)
    taken: list[list[tuple[float, float]]] = []
    for number in sorted(range(len(spans)), key=lambda number: (spans[number][1] - spans[number][0], number)):
        low, high = spans[number]
        lane = next(
            (k for k, others in enumerate(taken) if all(high + GAP < a or b + GAP < low for a, b in others)), len(taken)
        )
        taken += [[]] if lane == len(taken) else []
        taken[lane].append((low, high))
        lanes[number] = lane
    return lanes
