"""The names in a program are true: what is called w2_x is w2_x, w2_x_neg its negative, w2_x_scaled a multiple."""

from dataclasses import replace

import numpy as np
import pytest
from derivations import derivation

from symgen.algebra.domain import Floats
from symgen.derive.options import FUNCTION_NAMES
from symgen.mechanics.functions import registry
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.reframing import Framing, reframed
from symgen.program.interpreter import evaluate
from symgen.program.module import CONFIGURATIONS
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


def recorded(item, function, robot, state):
    """Name → value, as the derivation names them."""
    recorder = Recorder(state)
    for formulation in item.formulations:
        if formulation.text == function.formulation.split(";")[0]:
            mechanism = instantiate(load(robot), recorder)
            framed = reframed(mechanism, Framing(), in_base_parameters=item.grouped)
            formulation.derive(framed if item.framed else mechanism)
    return recorder.named


@pytest.mark.parametrize("algorithm", ["udu", "aba"])
@pytest.mark.parametrize("robot", ["puma", "stanford", "panda", "ur5"])
def test_labels_tell_the_truth(robot, algorithm):
    subject, made = derivation(robot, algorithm).subject, derivation(robot, algorithm).module
    chance = np.random.default_rng(2)
    known = {item.name: item for item in registry.quantities(subject.scope("base"), FUNCTION_NAMES) if not item.large}
    for function in made.functions:
        if function.name not in known or function.kind in CONFIGURATIONS:  # those of arms name nothing
            continue
        states = [{each.name: chance.uniform(-2, 2, each.shape) for each in function.inputs} for _ in range(2)]
        named = [recorded(known[function.name], function, robot, state) for state in states]
        names, program = labelled(function.program)
        assert len(set(names)) == len(names)
        values = [evaluate(program, state)["all"] for state in states]
        for name, first, second in zip(names, *values, strict=True):
            plain = name.removesuffix("_neg").removesuffix("_scaled")
            if plain not in named[0]:
                assert plain[0] in "cs", name  # sines and cosines are named by the graph alone
                continue
            sign = -1 if name.endswith("_neg") else 1
            expected = [sign * float(each[plain]) for each in named]
            if "_scaled" in name:
                unit = expected[0] / first
                assert unit > 0, (function.name, name)
                expected = [value / unit for value in expected]
            assert [first, second] == pytest.approx(expected, rel=1e-9, abs=1e-9), (function.name, name)
