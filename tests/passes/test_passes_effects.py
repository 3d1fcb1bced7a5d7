"""What each pass alone does to three functions of every library robot, as derived in the frames of its table."""

import pytest
from library_robots import ARMS
from pass_effects import EFFECTS

from symgen.derive.derivation import Options, derive
from symgen.passes.cancel import cancel, collect
from symgen.passes.common_subexpressions import share
from symgen.passes.factor import factor
from symgen.passes.pipeline import Group
from symgen.passes.recompute import recompute
from symgen.passes.rescale import rescale
from symgen.passes.value_numbering import merge
from symgen.program.counts import count
from symgen.robot.library import load

PASSES = {
    "cancel": cancel,
    "collect": collect,
    "merge": merge,
    "factor": factor,
    "share": share,
    "recompute": recompute,
    "rescale": rescale,
}
OPTIONS = Options(functions=("inverse_dynamics", "inertia_matrix", "forward_dynamics"), effort="low")


def effects(name, monkeypatch):
    """Function → pass → (multiplications, additions) after it and a simplification; "derived" is without any."""
    monkeypatch.setattr("symgen.derive.function.QUICK_GROUPS", ())
    for name_of_group in ("COLLECT", "LAST"):
        monkeypatch.setattr(f"symgen.passes.pipeline.{name_of_group}", Group("none", ()))
    found = {}
    for item in derive(load(name), OPTIONS).module.functions:
        found[item.name] = {}
        for title, step in {"derived": lambda program: program, **PASSES}.items():
            counts = count(step(item.program))
            found[item.name][title] = (counts.mul, counts.add)
    return found


@pytest.mark.parametrize("name", ARMS)
def test_effects_of_today(name, monkeypatch):
    assert effects(name, monkeypatch) == EFFECTS[name]
