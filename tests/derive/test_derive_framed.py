"""Mechanisms that functions have in common: taken back to what they were, so that programs do not depend on order."""

import pytest

from symgen.derive.derivation import Options, derive
from symgen.derive.framed import FramedMechanisms
from symgen.derive.subject import subject_of
from symgen.mechanics.reframing import Framing
from symgen.program.graph import Graph
from symgen.robot.library import load


def made_anew(self, framing, *, in_base_parameters):
    return SHARED(FramedMechanisms(self._subject), framing, in_base_parameters=in_base_parameters)


SHARED = FramedMechanisms.framed


@pytest.mark.parametrize(("name", "effort"), [("scara", "normal"), ("planar3r", "normal"), ("four_bar", "low")])
def test_sharing_changes_no_program(name, effort, monkeypatch):
    options = Options(("inverse_dynamics", "inertia_matrix", "forward_dynamics"), effort=effort)
    shared = derive(load(name), options)
    monkeypatch.setattr(FramedMechanisms, "framed", made_anew)
    monkeypatch.setattr(FramedMechanisms, "same", lambda self, framing, **_: framing)
    alone = derive(load(name), options)
    assert shared.module == alone.module
    assert shared.choices == alone.choices


def test_a_mechanism_is_made_once_and_alone_in_its_graph():
    mechanisms = FramedMechanisms(subject_of(load("puma"), Options()))
    framing = Framing(unturned=frozenset({1}))
    graph, mechanism = mechanisms.framed(framing, in_base_parameters=True)
    extent = graph.extent
    graph.define("w", graph.sin(graph.variable("qd", 0)))
    again, same = mechanisms.framed(framing, in_base_parameters=True)
    assert (again is graph, same is mechanism, graph.extent) == (True, True, extent)
    assert mechanisms.framed(framing, in_base_parameters=False)[1] is not mechanism


@pytest.mark.parametrize(
    ("choice", "bodies", "same"),
    [
        ("to_child", {0}, True),  # the next origin lies there already
        ("to_child", {3}, False),
        ("in_moments", {5}, False),
        ("unturned", {1}, False),
        ("clearing_xx", {0}, True),  # the base has no inertia to be cleared of
    ],
)
def test_framings_that_change_nothing_are_found(choice, bodies, same):
    framing = Framing(**{choice: frozenset(bodies)})
    mechanisms = FramedMechanisms(subject_of(load("puma"), Options()))
    first = mechanisms.same(Framing(), in_base_parameters=True)
    assert (mechanisms.same(framing, in_base_parameters=True) == first) == same
    assert mechanisms.same(framing, in_base_parameters=False) == framing


def test_rewinding_forgets_nodes_and_names():
    graph = Graph()
    x, y = (graph.variable("x", index) for index in range(2))
    kept = graph.define("kept", x * y)
    extent = graph.extent
    first = [graph.define("name", x + y), graph.define("other", kept * x), graph.sqrt(y), x / y]
    nodes, labels = list(graph.nodes), dict(graph.labels)
    graph.rewind(extent)
    assert graph.extent == extent
    again = [graph.define("name", x + y), graph.define("other", kept * x), graph.sqrt(y), x / y]
    assert (graph.nodes, graph.labels) == (nodes, labels)
    assert [(each.node, each.sign) for each in again] == [(each.node, each.sign) for each in first]
