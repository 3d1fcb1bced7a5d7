"""What the functions of a robot have in common, made once: the robot in each of the framings that are tried."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from symgen.derive.subject import Subject
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.reframing import Framing, reframed
from symgen.program.differentiation import DifferentiatingGraph
from symgen.program.graph import Graph, Scalar

KEPT = 64
"""Mechanisms that are kept at a time, which bounds the memory."""


_Made = tuple[DifferentiatingGraph, tuple[int, int, int], Mechanism]
"""A graph, how far it goes with the mechanism alone, and the mechanism."""

_Key = tuple[Framing, bool]
"""A framing, and whether it is in base inertial parameters."""


class FramedMechanisms:
    """The mechanism of a robot in framings, each over a graph that holds it and nothing else when it is asked for."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._kept: OrderedDict[_Key, _Made] = OrderedDict()
        self._firsts: OrderedDict[Any, Framing] = OrderedDict()  # what mechanisms hold → where that came out first
        self._same: dict[_Key, Framing] = {}

    def unframed(self) -> tuple[DifferentiatingGraph, Mechanism]:
        """The mechanism in the frames of the robot's table, over a new graph."""
        graph = DifferentiatingGraph()
        return graph, self._subject.mechanism(graph)

    def framed(self, framing: Framing, *, in_base_parameters: bool) -> tuple[DifferentiatingGraph, Mechanism]:
        """The mechanism in a framing, and its graph; what was made in the graph since it was last asked for is gone."""
        graph, extent, mechanism = self._made((framing, in_base_parameters))
        graph.rewind(extent)
        return graph, mechanism

    def same(self, framing: Framing, *, in_base_parameters: bool) -> Framing:
        """A framing in which the mechanism is the same, name by name: the first that was asked for, if it is kept.

        Many choices change nothing of a robot: an origin that lies there already, a moment of inertia that is 0.
        """
        key = framing, in_base_parameters
        if key not in self._same:
            graph, extent, mechanism = self._made(key)
            graph.rewind(extent)
            self._same[key] = framing
            if mechanism.remake is None:  # another time it could be made otherwise
                self._same[key] = self._firsts.setdefault((in_base_parameters, _content(mechanism)), framing)
            if len(self._firsts) > KEPT:
                self._firsts.popitem(last=False)
        return self._same[key]

    def _made(self, key: _Key) -> _Made:
        if key not in self._kept:
            framing, in_base_parameters = key
            graph = DifferentiatingGraph()
            plain = self._subject.mechanism(graph, normal=True)
            mechanism = reframed(plain, framing, in_base_parameters=in_base_parameters)
            self._kept[key] = graph, graph.extent, mechanism
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]


def _content(value: Any) -> Any:
    """All that a mechanism holds, to be compared: with the same nodes in its graph the same is made of it."""
    match value:
        case Scalar():
            return value.node, value.sign
        case Graph():
            return tuple(value.nodes), tuple(value.labels.items())
        case np.ndarray():
            return tuple(map(_content, value.flat))
        case tuple():
            return tuple(map(_content, value))
        case Mapping():
            return tuple((key, _content(each)) for key, each in value.items())
        case slice():
            return value.start, value.stop
    if is_dataclass(value):
        return tuple(_content(getattr(value, field.name)) for field in fields(value))
    return value
