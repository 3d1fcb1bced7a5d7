"""The names in a program are true: what is called w2_x is w2_x, and w2_x_neg is its negative."""

from dataclasses import replace

import numpy as np
import pytest
from derivations import derivation

from symgen.algebra.domain import Floats
from symgen.mechanics.mechanism import instantiate
from symgen.mechanics.quantities import STATE_QUANTITIES, frame_quantities
from symgen.mechanics.reframing import Framing, reframed
from symgen.program.interpreter import evaluate
from symgen.program.program import Array
from symgen.robot.library import load


class Recorder(Floats):
    """Floats that remember what was named; the first name of a value stays, as in a graph."""

    def __init__(self, inputs):
        super().__init__(inputs)
        self.named = {}

    def define(self, name, value):
        self.named.setdefault(name, value)
        return value


def labelled(program):
    """Label → value of the instruction that carries it, as a program."""
    labels = [(i.label, index) for index, i in enumerate(program.instructions) if i.label is not None]
    names, indices = zip(*labels, strict=True)
    return names, replace(program, outputs=((Array("all", (len(indices),)), indices),))


@pytest.mark.parametrize("algorithm", ["udu", "aba"])
@pytest.mark.parametrize("robot", ["puma", "stanford", "panda", "ur5"])
def test_labels_tell_the_truth(robot, algorithm):
    subject, made = derivation(robot, algorithm).subject, derivation(robot, algorithm).module
    chance = np.random.default_rng(2)
    state = {name: chance.uniform(-2, 2, made.record.nv) for name in ("q", "qd", "qdd", "tau")}
    items = (*STATE_QUANTITIES, *frame_quantities(subject.frames, subject.axes))
    known = {item.name: item for item in items}
    for function in (function for function in made.functions if function.name in known):
        recorder, item = Recorder(state), known[function.name]
        for formulation in item.formulations:
            if formulation.text == function.formulation.split(";")[0]:
                mechanism = instantiate(load(robot), recorder)
                formulation.derive(reframed(mechanism, Framing()) if item.framed else mechanism)
        names, program = labelled(function.program)
        assert len(set(names)) == len(names)
        values = evaluate(program, state)["all"]
        for name, value in zip(names, values, strict=True):
            plain = name.removesuffix("_neg")
            if plain in recorder.named:
                expected = recorder.named[plain] * (-1 if plain != name else 1)
                assert value == pytest.approx(expected, rel=1e-9, abs=1e-9), (function.name, name)
            else:
                assert plain[0] in "cs", name  # sines and cosines are named by the graph alone
