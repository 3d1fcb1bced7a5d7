"""Fewer operations for robots with loops: masses that change bodies, columns of twists, the generic route."""

import json
from dataclasses import replace

import pytest

from symgen.cli import main
from symgen.derive.derivation import derive
from symgen.derive.options import Choice, Options
from symgen.derive.subject import subject_of
from symgen.errors import InputError
from symgen.mechanics.loops.exchange import exchangeable
from symgen.program.graph import Graph
from symgen.prove.proof import prove
from symgen.robot import library

FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "gravity_torque", "forward_dynamics", "kinetic_energy")


def derived(name, frames, algorithms=("newton_euler", "composite", "newton_euler", "udu", "twists")):
    choices = tuple((each, Choice(how, frames)) for each, how in zip(FUNCTIONS, algorithms, strict=True))
    return derive(library.load(name), replace(Options(FUNCTIONS, effort="low"), choices=choices))


@pytest.mark.parametrize("name", ["five_bar", "rssr", "rrr3"])
@pytest.mark.parametrize("end", ["mass_to_predecessor", "mass_to_successor"])
def test_masses_that_change_bodies_change_no_function(name, end):
    assert all(proof.holds for proof in prove(derived(name, {end: [1]})))


@pytest.mark.parametrize("name", ["five_bar", "palletizer", "ankle"])
def test_columns_of_twists_are_the_functions(name):
    algorithms = ("newton_euler", "columns", "newton_euler", "columns", "twists")
    assert all(proof.holds for proof in prove(derived(name, {}, algorithms)))


@pytest.mark.parametrize(("name", "cuts"), [("five_bar", [0]), ("palletizer", []), ("ankle", []), ("puma", [])])
def test_masses_change_bodies_where_points_have_one_velocity_at_every_q(name, cuts):
    mechanism = subject_of(library.load(name), Options()).mechanism(Graph(), normal=True)
    assert exchangeable(mechanism) == cuts


def test_a_choice_of_a_cut_joint_that_is_none_is_refused():
    with pytest.raises(InputError, match="cut joints from 1 to 1"):
        derived("five_bar", {"mass_to_successor": [2]})


def test_count_shows_the_generic_route(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["count", "four_bar", "--functions", "forward_dynamics", "--json"])
    assert not caught.value.code
    data = json.loads(capsys.readouterr().out)
    ours, other = data["functions"]["forward_dynamics"], data["generic"]["forward_dynamics"]
    for counts in other.values():
        assert ours["mul"] + ours["add"] + ours["div"] < (counts["mul"] + counts["add"] + counts["div"]) / 2
