"""Every formulation of a function, on every library robot with loops: the same function, or refused with its reason."""

import pytest
from library_robots import LOOPED
from module_functions import interpreted, setting_of
from thorough import long

from symgen.count.formulations import formulation_counts
from symgen.derive.derivation import Options, derive
from symgen.derive.function import misfit
from symgen.derive.option_table import ALGORITHMS, AUTO, OPTIONS
from symgen.derive.subject import subject_of
from symgen.errors import InputError
from symgen.mechanics.functions.registry import named
from symgen.program.graph import Graph
from symgen.prove.proof import prove
from symgen.robot import library
from symgen.verify.compare import verify

FUNCTIONS = ("inverse_dynamics", "forward_dynamics")
CASES = [
    (robot, function, each.name)
    for robot in LOOPED
    for function in FUNCTIONS
    for each in named(function).formulations
    if each.tied
]
USUAL = {("inverse_dynamics", "denoc"), ("forward_dynamics", "projection")}
"""Of the platform, which takes longest."""


def test_options_name_all_formulations():
    choices = {option.name: option.choices for option in OPTIONS}
    assert set(FUNCTIONS) < set(ALGORITHMS)
    for name in FUNCTIONS:
        assert choices[name] == (AUTO, *(each.name for each in named(name).formulations))


@pytest.mark.parametrize(
    ("name", "function", "formulation"),
    [case if case[0] != "gough_stewart" or case[1:] in USUAL else long(case) for case in CASES],
)
def test_formulations_are_the_same_function(name, function, formulation):
    robot = library.load(name)
    options = Options(functions=(function,), effort="low", gravity="runtime", **{function: formulation})
    (asked,) = [each for each in named(function).formulations if each.name == formulation]
    if misfit(asked, robot, subject_of(robot, options).mechanism(Graph(), normal=True)):
        with pytest.raises(InputError, match=f"{function} by {formulation} cannot be generated: "):
            derive(robot, options)
        return
    derivation = derive(robot, options)
    assert derivation.choices[function].algorithm == formulation
    report = verify(robot, interpreted(derivation), states=5, setting=setting_of(derivation))
    assert report.passed, str(report)
    (proof,) = prove(derivation)
    assert proof.holds


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arms_refuse_what_is_for_loops(function):
    for each in named(function).formulations:
        if not each.trees:
            options = Options(functions=(function,), **{function: each.name})
            with pytest.raises(InputError, match=f"by {each.name} .* for robots with closed loops"):
                derive(library.load("planar2r"), options)


def test_all_formulations_are_counted():
    options = Options(functions=FUNCTIONS, effort="low")
    counted = formulation_counts(subject_of(library.load("five_bar"), options), options)
    for function in FUNCTIONS:
        assert [each.name for each in counted[function]] == [each.name for each in named(function).formulations]
        assert all((each.counts is None) != (each.misfit == "") for each in counted[function])
    by_name = {each.name: each for each in counted["forward_dynamics"]}
    assert by_name["aba"].misfit == "it runs over joints that move on their own, but the robot has loops"
    alone = derive(library.load("five_bar"), Options(functions=FUNCTIONS, forward_dynamics="udu", effort="low"))
    assert by_name["udu"].counts == alone.counts["forward_dynamics"]
