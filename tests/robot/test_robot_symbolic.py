"""Parameters asked for by name: links stand for their inertia, as far as its numbers have names of their own."""

import pytest
from robot_text import head, link, parameters

from symgen.errors import InputError
from symgen.robot import library
from symgen.robot.reader import read_text
from symgen.robot.symbolic import INERTIAL, symbolic


def test_a_link_stands_for_its_ten_parameters():
    made = symbolic(library.load("puma"), ["link3"])
    assert sorted(made.names) == sorted(f"{stem}3" for stem in INERTIAL)


def test_numbers_that_hold_declared_parameters_bring_these():
    robot = read_text(head() + parameters(L="1", M="2", K="3") + link(com='["L", 0, 0]', mass='"2*M"', a='"K"'), "arm")
    made = symbolic(robot, ["link1"])
    assert sorted(made.names) == sorted(["L", "M", *(f"{stem}1" for stem in INERTIAL if stem not in ("m", "cx"))])
    assert str(made.robot.links[0].inertia.mass) == "2*M"


def test_drives_have_names_too():
    robot = read_text(head() + link(rotor_inertia="1e-4", gear_ratio="50", coulomb_friction="1"), "arm")
    assert {"Im1", "gr1", "Fc1"} <= set(symbolic(robot).names)
    assert symbolic(robot, ["Fv1"]).names == ("Fv1",)
    sprung = {"stiffness": "5", "rest_position": "0.1"}
    sigmoid = {"sigmoid_friction": "1", "sigmoid_slope": "2", "sigmoid_shift": "0.1"}
    robot = read_text(head() + link(**sprung, **sigmoid), "arm")
    assert {"K1", "rest1", "Fs1", "Fslope1", "Fshift1"} <= set(symbolic(robot).names)


def test_unknown_names_are_told():
    with pytest.raises(InputError, match="unknown parameter 'm9'; there are standard names such as m2"):
        symbolic(library.load("puma"), ["m9"])


def test_a_parameter_without_effect_is_refused():
    """Angles keep the values of the file, so a parameter that only sets one has nothing to change."""
    robot = read_text(head() + parameters(tilt="0.5") + link(alpha='"tilt"'), "arm")
    with pytest.raises(InputError, match="'tilt' changes nothing at run time"):
        symbolic(robot, ["tilt"])
