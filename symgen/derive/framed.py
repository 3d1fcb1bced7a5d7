"""What the functions of a robot have in common, made once: the robot in each of the framings that are tried."""

from __future__ import annotations

from collections import OrderedDict

from symgen.derive.subject import Subject
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.reframing import Framing, reframed
from symgen.program.differentiation import DifferentiatingGraph

KEPT = 64
"""Mechanisms that are kept at a time, which bounds the memory."""


_Made = tuple[DifferentiatingGraph, tuple[int, int, int], Mechanism]
"""A graph, how far it goes with the mechanism alone, and the mechanism."""


class FramedMechanisms:
    """The mechanism of a robot in framings, each over a graph that holds it and nothing else when it is asked for."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._kept: OrderedDict[tuple[Framing, bool], _Made] = OrderedDict()

    def unframed(self) -> tuple[DifferentiatingGraph, Mechanism]:
        """The mechanism in the frames of the robot's table, over a new graph."""
        graph = DifferentiatingGraph()
        return graph, self._subject.mechanism(graph)

    def framed(self, framing: Framing, *, in_base_parameters: bool) -> tuple[DifferentiatingGraph, Mechanism]:
        """The mechanism in a framing, and its graph; what was made in the graph since it was last asked for is gone."""
        key = framing, in_base_parameters
        if key not in self._kept:
            graph = DifferentiatingGraph()
            plain = self._subject.mechanism(graph, normal=True)
            mechanism = reframed(plain, framing, in_base_parameters=in_base_parameters)
            self._kept[key] = graph, graph.extent, mechanism
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        graph, extent, mechanism = self._kept[key]
        graph.rewind(extent)
        return graph, mechanism
