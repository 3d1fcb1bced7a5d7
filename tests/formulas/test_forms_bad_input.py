"""Bad input, from Python and on the command line: a message that says what is expected, never a traceback."""

import re

import numpy as np
import pytest
from robot_text import MASSLESS, head, link, parameters

import symgen
from symgen.cli import main
from symgen.errors import InputError, LimitError, RobotFileError
from symgen.robot.reader import read_text

# from Python ------------------------------------------------------------------------------------------


def puma(**options):
    return symgen.closed_form("puma", **options)


CALLS = {
    "entry beyond the last": (lambda: puma().inertia_matrix[6, 0], "index 6 is out of range: there are 6"),
    "entry before the first": (lambda: puma().inertia_matrix[-7, 0], "index -7 is out of range"),
    "one index for a matrix": (lambda: puma().inertia_matrix[1], "expected two indices, found 1"),
    "three indices": (lambda: puma().inertia_matrix[1, 2, 3], "expected two indices, found 3"),
    "two indices for a vector": (lambda: puma().gravity_torque[1, 1], "expected one index, found 2"),
    "index of a scalar": (lambda: puma().kinetic_energy[0], "expected no index, found 1"),
    "fraction as an index": (lambda: puma().gravity_torque[1.0], "expected whole numbers as indices, found 1.0"),
    "word as an index": (lambda: puma().gravity_torque["q1"], "expected whole numbers as indices, found 'q1'"),
    "truth as an index": (lambda: puma().gravity_torque[True], "expected whole numbers as indices, found True"),
    "slice": (lambda: puma().inertia_matrix[0:2, 0], "expected whole numbers as indices, found slice"),
    "matrix as an expression": (lambda: puma().inertia_matrix.expression, "is no scalar: use .matrix"),
    "body beyond the last": (lambda: puma().mass_matrices[6], "there is no body 6: there are 6"),
    "body before the first": (lambda: puma().mass_matrices[-7], "there is no body -7"),
    "word as a body": (lambda: puma().mass_matrices["link2"], "there is no body 'link2'"),
    "two bodies for one": (lambda: puma().mass_matrices[1, 2], "expected 1 indices of bodies, found 2"),
    "one body for two": (lambda: puma().twist_propagations[1], "expected 2 indices of bodies, found 1"),
    "body that does not carry": (lambda: puma().twist_propagations[0, 3].text(), "body 4 does not carry body 1"),
    "unknown frame": (lambda: puma().jacobian("hand"), "no frame is called 'hand'; there are: link1"),
    "unknown axes of a Jacobian": (lambda: puma().jacobian(axes="world"), "expected 'base' or 'frame', found 'world'"),
    "unknown quantity": (lambda: puma().quantity("mass"), "unknown quantity 'mass'; there are: transforms"),
    "quantity without its body": (lambda: puma().quantity("D", [1]), "expected 0 numbers of bodies, found 1"),
    "quantity without frames": (lambda: puma().quantity("D", frame="tool"), "D belongs to no frame"),
    "unknown inertia": (lambda: puma(inertia="links"), "unknown kind of inertial parameters 'links'"),
    "unknown angles": (lambda: puma(angles="degrees"), "unknown kind of angles 'degrees'"),
    "unknown axes": (lambda: puma(axes="world"), "unknown kind of axes 'world'"),
    "unknown reference": (lambda: puma(reference="com"), "unknown reference point 'com'"),
    "base parameters about mass centres": (
        lambda: puma(inertia="base", reference="mass_centre"),
        "base inertial parameters have no mass centres",
    ),
    "no kind of parameters": (lambda: puma(parameters=3), "expected a list of parameter names, found 3"),
    "unknown parameters": (lambda: puma(parameters=["m2", "mm2"]).inertia_matrix, "unknown parameter 'mm2'"),
    "unknown link": (lambda: puma(parameters=["link7"]).inertia_matrix, "unknown parameter 'link7'"),
    "not a robot": (lambda: symgen.closed_form("pumma"), "'pumma' is neither a file nor a robot of the library"),
    "state of the wrong size": (lambda: puma().inertia_matrix.values([1, 2]), r"q: expected 6 numbers, found an array"),
    "state of words": (lambda: puma().inertia_matrix.values("fast"), "q: expected 6 numbers, found 'fast'"),
    "value of an unknown parameter": (
        lambda: puma().inertia_matrix.values(parameters={"mm2": 1}),
        "no parameter is called 'mm2'",
    ),
    "value that is no number": (
        lambda: puma().inertia_matrix.values(parameters={"m2": "heavy"}),
        "m2: expected a number, found 'heavy'",
    ),
    "division by zero": (
        lambda: symgen.closed_form("planar2r").inverse_inertia_matrix.values(parameters={"m2": 0}),
        "inverse_inertia_matrix divides by zero at this state and these parameters",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    call, words = CALLS[name]
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        call()
    assert len(str(caught.value)) < 900


@pytest.mark.parametrize("limit", [1, 5])
def test_expansion_beyond_the_limit(limit):
    for form in (puma().D, puma().inverse_inertia_matrix, puma().inertia_matrix):
        with pytest.raises(
            LimitError, match=f"more than the limit of {limit}; use the form in named definitions"
        ) as error:
            form.expanded(limit)
        assert int(re.search(r"at least ([\d,]+) terms", str(error.value))[1].replace(",", "")) > limit


def test_indices_from_numpy_and_from_the_end():
    form = puma().inertia_matrix
    assert form[np.int64(5), np.int32(5)] == form[-1, -1] == form[5, 5]


# robots that leave no form ------------------------------------------------------------------------------

SINGULAR = {
    "massless": head() + link(**MASSLESS) + link(name='"b"', **MASSLESS),
    "massless tip": head() + link() + link(name='"b"', alpha='"pi/2"', **MASSLESS),
    "coincident axes": head() + link(alpha="0.7") + link(name='"b"', **(MASSLESS | {"a": "0"})) + link(name='"c"'),
    "parallel slides": head()
    + link(joint='"prismatic"', alpha="0.3", **MASSLESS)
    + link(name='"b"', joint='"prismatic"', alpha="-0.3")
    + link(name='"c"', joint='"fixed"', theta="0"),
}


@pytest.mark.parametrize("axes", ["link", "base"])
@pytest.mark.parametrize("reference", ["origin", "mass_centre"])
@pytest.mark.parametrize("name", ["massless", "massless tip", "coincident axes"])
def test_singular_robots(name, axes, reference):
    forms = symgen.closed_form(read_text(SINGULAR[name], name), axes=axes, reference=reference)
    for form in (forms.inverse_inertia_matrix, forms.D, forms.U, forms.psi_hats[0], forms.articulated_mass_matrices[0]):
        with pytest.raises(InputError, match="the inertia matrix is singular"):
            form.text()
    assert forms.inertia_matrix.text()
    assert forms.inverse_dynamics.text()


def test_slides_that_only_seem_to_be_parallel():
    forms = symgen.closed_form(read_text(SINGULAR["parallel slides"], "slides"))
    assert np.isfinite(forms.inverse_inertia_matrix.values()).all()


def test_a_robot_without_joints_that_move_is_refused():
    with pytest.raises(RobotFileError, match="no joint moves"):
        read_text(head() + link(joint='"fixed"'), "fixed")


@pytest.mark.parametrize("name", ["q1", "qd2", "qdd1", "tau2"])
def test_parameters_with_the_names_of_joint_variables(name):
    robot = read_text(head() + parameters(**{name: "1"}) + link(a=f'"{name}"') + link(name='"b"'), "arm")
    with pytest.raises(InputError, match=f"the parameter '{name}' has the name of a joint variable.*rename"):
        symgen.closed_form(robot).inertia_matrix.text()
    assert symgen.closed_form(robot, parameters="numeric").inertia_matrix.text()


# on the command line --------------------------------------------------------------------------------------

COMMANDS = {
    "puma mass": "unknown quantity 'mass'; there are: transforms",
    "puma inertia_matrix 0 1": "index 0 is out of range; indices count from 1 to 6",
    "puma inertia_matrix 1 7": "index 7 is out of range",
    "puma inertia_matrix 1": "has 6 × 6 entries: give two indices for an entry, or none",
    "puma inertia_matrix 1 2 3": "has 6 × 6 entries: give two indices",
    "puma gravity_torque 1 1": "has 6 entries: give one index",
    "puma kinetic_energy 1": "is a scalar and has no entries: give no index",
    "puma inertia_matrix one 1": "'one' is not a valid integer",
    "puma inertia_matrix 99999999999999999999 1": "index 99999999999999999999 is out of range",
    "puma mass_matrices": "belongs to a body: give one index",
    "puma mass_matrices 7": "there is no body 7; they count from 1 to 6",
    "puma twist_propagations 2": "belongs to a pair of bodies: give two indices",
    "puma twist_propagations 1 2": "body 2 does not carry body 1",
    "puma jacobian --frame hand": "no frame is called 'hand'; there are: link1",
    "puma D --frame link1": "belongs to no frame; frames are for forward_kinematics and jacobian",
    "puma D --parameters mm2": "unknown parameter 'mm2'",
    "puma D --parameters numeric,m2": "numeric stands for all parameters and excludes names beside it",
    "puma D --parameters ,": "expected symbolic, numeric or names, found nothing",
    "puma D --inertia links": "'links' is not one of 'file', 'frame', 'base'",
    "puma D --inertia base --reference mass_centre": "base inertial parameters have no mass centres",
    "puma D --limit 0": "0 is not in the range",
    "puma D 1 --expand --limit 5": "more than the limit of 5; use the form in named definitions",
    "puma inertia_matrix 1 1 --structure": "tell of a whole matrix: leave the indices of an entry out",
    "puma inertia_matrix 1 1 --json": "tell of a whole matrix",
    "pumma D": "'pumma' is neither a file nor a robot of the library",
}


def run(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main(["show", *words])
    captured = capsys.readouterr()
    return ended.value.code, captured.out, captured.err


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(capsys, command):
    code, out, err = run(capsys, *command.split())
    assert code == 2
    assert out == ""
    assert COMMANDS[command] in " ".join(err.split())
    assert "Traceback" not in err


def test_files_that_are_no_robots(capsys, tmp_path):
    path = tmp_path / "arm.toml"
    for text in ("", "name =", head() + link(joint='"fixed"'), head() + link(**MASSLESS).replace("a = 1", 'a = "x"')):
        path.write_text(text)
        code, out, err = run(capsys, str(path), "inertia_matrix")
        assert (code, out) == (2, "")
        assert str(path) in err
        assert "Traceback" not in err


def test_a_singular_robot(capsys, tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(SINGULAR["massless tip"])
    code, _, err = run(capsys, str(path), "D")
    assert code == 2
    assert "the inertia matrix is singular" in err
