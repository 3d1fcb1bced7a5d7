"""Long functions in pieces: the same numbers, to the bit, as in one."""

import re
from fractions import Fraction

import numpy as np
import pytest
from derivations import derivation
from quick_compilation import QUICKLY
from sample_modules import function, module, random_module
from test_emit_batch import arrays, batch, compiled, gcc, pointers, singles
from test_emit_counts import agrees

from symgen.derive.derivation import Options, derive
from symgen.emit.c import emit_c
from symgen.emit.lower import lower
from symgen.emit.pieces import names_made, names_read, pieces
from symgen.emit.straight import MAX_INLINE
from symgen.emit.style import Sines, Style
from symgen.emit.tree import Entry, Store, operations, value_of
from symgen.program.graph import Graph
from symgen.program.program import Array
from symgen.robot.library import chain

PLAIN = "-O1 -ffp-contract=off -Wno-maybe-uninitialized"


@pytest.fixture
def short(monkeypatch):
    """Whatever has ten operations is long."""
    monkeypatch.setattr("symgen.emit.pieces.LONG", 10)
    monkeypatch.setattr("symgen.emit.pieces.PIECE", 6)


def guarded():
    """A program that may be singular, has an output of the name of the array that pieces share, and negates."""
    graph = Graph()
    q = [graph.variable("q", k) for k in range(4)]
    x, made = graph.nonzero(q[0] * q[1] - q[2], Fraction(1, 100)), []
    for k in range(12):
        x = x * q[k % 4] + q[(k + 1) % 4] * graph.constant(k + 2)
        made.append(-x)
    made.append(q[3] / graph.nonzero(made[4] + made[9], Fraction(1, 100)))
    return graph.program([Array("q", (4,))], [(Array("kept", (13,)), made)])


def sums():
    """A program whose angles share sums, so that there are numbers on the way to them."""
    graph = Graph()
    q = [graph.variable("q", k) for k in range(4)]
    near = q[0] + q[1]
    angles = [near, near + q[2], near + q[3], (near + q[2]) - q[3]]
    points = [point(angle) for angle in angles for point in (graph.sin, graph.cos)]
    made = [
        graph.constant(k + 2) * points[k % 8] * points[(k + 1) % 8] - points[(3 * k + 2) % 8] * q[k % 4]
        for k in range(24)
    ]
    return graph.program([Array("q", (4,))], [(Array("y", (24,)), made)])


def chains():
    options = Options(functions=("inverse_dynamics",), effort="low")
    return derive(chain(12), options).module


MODULES = {
    "random": lambda: random_module(4, trig=True),
    "guarded": lambda: module(function("guarded", guarded())),
    "sums": lambda: module(function("sums", sums())),
    "arm": lambda: derivation("planar2r").module,
    "loops": chains,
}


@gcc
@pytest.mark.parametrize("name", MODULES)
def test_pieces_give_the_same_bits(name, tmp_path, monkeypatch):
    made = MODULES[name]()
    monkeypatch.setattr("symgen.emit.rerolling.lowering.REPEATING", 0 if name == "loops" else 2000)
    (tmp_path / "whole").mkdir()
    flags = PLAIN.replace("-O1", QUICKLY) if name == "arm" else PLAIN  # all of its functions take long
    whole = compiled(made, tmp_path / "whole", flags)
    monkeypatch.setattr("symgen.emit.pieces.LONG", 10)
    monkeypatch.setattr("symgen.emit.pieces.PIECE", 6)
    (tmp_path / "cut").mkdir()
    cut = compiled(made, tmp_path / "cut", flags)
    assert (tmp_path / "cut" / f"{made.name}.c").read_text().count("_PIECE void") > 3 or name == "guarded"
    for item in made.functions:
        given = arrays(item, 9)
        for run in (singles, batch):
            for found, expected in zip(run(cut, made, item, given), run(whole, made, item, given), strict=True):
                np.testing.assert_array_equal(found, expected)


@gcc
def test_pieces_say_what_is_singular(short, tmp_path):
    made = module(function("guarded", guarded()))
    library = compiled(made, tmp_path, PLAIN)
    (item,) = made.functions
    states = [np.array([[0.0, 1.0, 0.001, 1.0], [1.0, 2.0, 3.0, 4.0]])]
    (found,) = singles(library, made, item, states)
    assert np.isnan(found[0]).all()
    assert np.isfinite(found[1]).all()
    status = [library.sample_guarded(*pointers([state, np.empty(13)])) for state in states[0]]
    assert [each != 0 for each in status] == [True, False]


def test_operations_are_counted_in_pieces(short):
    assert agrees(derivation("scara").module) == []


def test_pieces_are_even_and_read_only_what_is_there():
    """Every entry that a piece reads of the array, one before has stored; and none is stored for nothing."""
    made = derivation("panda").module.function("inverse_dynamics").program
    code = lower(made, Style(sines=Sines.FIRST))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symgen.emit.pieces.LONG", 100)
        patch.setattr("symgen.emit.pieces.PIECE", 60)
        found = pieces(code)
    sizes = [
        sum(1 + operations(value_of(item)) for item in piece.body if not _is_kept(item, found.kept))
        for piece in found.pieces
    ]
    assert max(sizes) <= 1.5 * 60 + 2 * MAX_INLINE
    assert min(sizes) >= 0.5 * 60 - 2 * MAX_INLINE
    stored: set[int] = set()
    for piece in found.pieces:
        own = {name for names in piece.points for name in names if name} | {
            name for item in piece.body for name in names_made(item)
        }
        assert all(names_read(item) <= own for item in piece.body)
        written = {item.entry.index.start for item in piece.body if _is_kept(item, found.kept)}
        text = repr([value_of(item) for item in piece.body])
        read = {int(place) for place in re.findall(rf"array='{found.kept}', index=Place\(start=(\d+)", text)}
        assert read <= stored
        stored |= written
    assert stored == set(range(found.size))


def _is_kept(item, kept):
    return isinstance(item, Store) and isinstance(item.entry, Entry) and item.entry.array == kept


def test_short_functions_stay_whole():
    for text in emit_c(derivation("planar2r").module).values():
        assert "PIECE" not in text
