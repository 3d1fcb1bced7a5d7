"""The search for fewer operations: deterministic, bounded, replayable, and never worse than no search."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from strategies import seeded_robot

from symgen.api import crossover
from symgen.cli import main
from symgen.derive.derivation import Options, derive
from symgen.derive.options import choices_of
from symgen.errors import InputError
from symgen.prove.proof import prove
from symgen.robot.library import chain, load

INVERSE = ("inverse_dynamics",)
SEARCHED = ("puma", "ur5", "scara")


@pytest.mark.parametrize("name", SEARCHED)
def test_more_effort_never_costs(name):
    found = [
        derive(load(name), Options(functions=("inverse_dynamics", "inertia_matrix"), effort=effort))
        for effort in ("low", "normal", "high")
    ]
    for function in ("inverse_dynamics", "inertia_matrix"):
        costs = [each.counts[function].weight for each in found]
        assert costs == sorted(costs, reverse=True)


def test_the_same_robot_gives_the_same_choice():
    first, second = (derive(load("puma"), Options(functions=INVERSE)) for _ in range(2))
    assert first.choices == second.choices
    assert first.module == second.module


@pytest.mark.parametrize("robot", ["ur5", "scara"])
def test_choices_are_replayed(robot):
    options = Options(functions=("inverse_dynamics", "forward_dynamics"))
    found = derive(load(robot), options)
    data = json.loads(json.dumps({"choices": {name: choice.as_dict() for name, choice in found.choices.items()}}))
    again = derive(load(robot), replace(options, choices=choices_of(data)))
    assert again.module == found.module
    assert again.choices == found.choices


@pytest.mark.parametrize(
    "choices",
    [
        {"inverse_dynamics": {"algorithm": "magic"}},
        {"inverse_dynamics": {"algorithm": "newton_euler", "unturned": [7]}},
        {"inverse_dynamics": {"algorithm": "newton_euler", "to_child": [0]}},
    ],
)
def test_choices_that_do_not_fit_are_refused(choices):
    with pytest.raises(InputError, match="does not fit"):
        derive(load("puma"), Options(functions=INVERSE, choices=choices_of(choices)))


@pytest.mark.parametrize(
    "data",
    [
        [],
        {"choices": 3},
        {"f": {}},
        {"f": {"algorithm": "aba", "else": []}},
        {"f": {"algorithm": "a", "unturned": [True]}},
    ],
)
def test_what_is_no_choice_is_refused(data):
    with pytest.raises(InputError, match="expected what"):
        choices_of(data)


@pytest.mark.parametrize("seed", range(4))
def test_what_the_search_finds_is_proved(seed):
    robot = seeded_robot(seed)
    derivation = derive(robot, Options(functions=("inverse_dynamics", "inertia_matrix", "coriolis_torque")))
    assert all(proof.holds for proof in prove(derivation))


def test_long_chains_are_not_searched():
    derivation = derive(chain(20), Options(functions=INVERSE))
    assert derivation.choices["inverse_dynamics"].frames == {}


def test_trigonometric_functions_buy_no_arithmetic():
    for name in ("puma", "ur5", "rx90"):
        counts = derive(load(name), Options(functions=INVERSE)).counts["inverse_dynamics"]
        assert counts.trig <= 2 * (load(name).nv - 1)


def run(*arguments):
    return CliRunner().invoke(main, ["count", *arguments])


@pytest.mark.parametrize("style", ["markdown", "latex"])
def test_counts_in_other_formats(style):
    result = run("planar2r", "--functions", "inverse_dynamics", "--format", style)
    assert result.exit_code == 0
    assert ("| ---: |" in result.output) == (style == "markdown")
    assert (r"\toprule" in result.output) == (style == "latex")
    assert "Khalil et al. (1986)" in result.output


def test_a_picture_of_counts(tmp_path):
    files = [tmp_path / f"{k}.svg" for k in (1, 2)]
    for file in files:
        assert run("planar2r", "--functions", "inverse_dynamics", "--picture", str(file)).exit_code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    assert b"<svg" in files[0].read_bytes()
    assert run("planar2r", "--functions", "inverse_dynamics", "--picture", str(tmp_path / "x.bmp")).exit_code == 2


def test_a_file_of_choices(tmp_path):
    file = tmp_path / "choices.json"
    file.write_text(run("planar2r", "--functions", "inverse_dynamics", "--json").output)
    assert run("planar2r", "--functions", "inverse_dynamics", "--choices", str(file)).exit_code == 0
    file.write_text("{")
    result = run("planar2r", "--choices", str(file))
    assert result.exit_code == 2
    assert "holds no JSON" in result.output
    assert run("planar2r", "--choices", str(tmp_path / "none.json")).exit_code == 2


def test_the_algorithms_cross_over():
    found = crossover()
    assert (found.multiplications, found.both) == (10, 11)
    twelve = {n: (udu, aba) for n, udu, aba in found.rows}[12][1]
    assert twelve.mul < 1948
    assert twelve.add < 1667
