"""What `symgen show` prints."""

import json
import math
from contextlib import nullcontext

import numpy as np
import pytest
from form_robots import robot, state
from robots_with_drives import equipped

import symgen
from symgen.cli import main
from symgen.formulas import showing
from symgen.formulas.catalogue import CATALOGUE


def show(capsys, command):
    with pytest.raises(SystemExit) as ended:
        main(["show", *command.split()])
    captured = capsys.readouterr()
    assert not ended.value.code
    return captured.out


def test_the_catalogue(capsys):
    lines = show(capsys, "puma").splitlines()
    assert [line.split()[0] for line in lines] == list(CATALOGUE)
    assert "twist_propagations i j" in show(capsys, "puma")
    assert "forward_kinematics [--frame NAME]" in show(capsys, "puma")


def test_an_entry(capsys):
    assert show(capsys, "planar2r inertia_matrix 1 2") == (
        "generalized inertia matrix (GIM), kg m^2\n\n"
        "inertia_matrix[1,2] = m2*L2*(1/3*L2 + 0.5*L1*c2)\n\n"
        "where c2 = cos(q2)\n\n"
        "symbols\n"
        "  L1, L2: length along x, links 1, 2 (m)\n"
        "  m2: mass, link 2 (kg)\n\n"
        "summands: 1, length: 7 (numbers, letters and exponents)\n"
    )


def test_a_vector_with_definitions_and_zeros_left_out(capsys):
    out = show(capsys, "planar2r gravity_torque --inertia base")
    assert "gravity_torque[1] = g*(MXR1*c1 + MXR2*c12)" in out
    assert "with\n  MXR1 = " in out
    assert "where c1 = cos(q1), c12 = cos(q1 + q2)" in out
    assert "rotations_1[3,3] = 1" in show(capsys, "planar2r rotations 1")
    assert "[1,3]" not in show(capsys, "planar2r rotations 1")


def test_nothing_but_zeros(capsys):
    assert "coriolis_matrix[2,2] = 0" in show(capsys, "planar2r coriolis_matrix 2 2")
    assert show(capsys, "planar2r coriolis_matrix 2 2 --python").endswith("coriolis_matrix_2_2 = 0\n")


def test_latex(capsys):
    assert show(capsys, "planar2r inertia_matrix 1 2 --latex") == (
        r"I_{1,2} = m_{2}\,L_{2}\,\left(\frac{1}{3}\,L_{2} + 0.5\,L_{1}\,c_{2}\right)" + "\n"
    )
    whole = show(capsys, "planar2r U --latex --inertia base")
    assert whole.startswith(r"U = \begin{bmatrix}1 & ")
    assert r"\mathit{ZZR}_{2} = " in whole


def test_what_is_cut_and_what_is_not(capsys):
    assert "more term" in show(capsys, "stanford inertia_matrix")
    assert "more term" not in show(capsys, "stanford inertia_matrix --full")
    assert "more term" not in show(capsys, "stanford inertia_matrix 1 1")
    assert "more term" not in show(capsys, "stanford inertia_matrix --python")


@pytest.mark.parametrize("style", ["--text", "--latex"])
@pytest.mark.parametrize("name", ["planar3r", "planar3r_unequal"])
def test_torques_of_a_planar_arm_are_shown_whole(capsys, name, style):
    for quantity in ("inverse_dynamics", "coriolis_matrix", "inertia_matrix"):
        assert "more term" not in show(capsys, f"{name} {quantity} {style}")
        assert "more term" not in getattr(symgen.closed_form(name), quantity)._repr_html_()


STEPS = {
    "stanford gravity_torque": [f"writing gravity_torque[{joint}]" for joint in (2, 3, 4, 5)],
    "planar2r D 2 --expand": ["expanding D[2]"],
    "planar2r U --latex": ["writing U[1,1]", "writing U[1,2]", "writing U[2,2]"],
}


@pytest.mark.parametrize("command", STEPS)
def test_progress_tells_what_is_derived_and_written(capsys, monkeypatch, command):
    steps = []
    monkeypatch.setattr("symgen.cli.forms.progress_shown", lambda: nullcontext(steps.append))
    show(capsys, command)
    assert [step for step in steps if step.startswith(("deriving", "writing", "expanding"))] == [
        f"deriving {command.split()[1]}",
        *STEPS[command],
    ]


def test_structure_and_json(capsys):
    assert "2        2\n= (1,2)  const\n\n0 zero, const constant" in show(capsys, "planar2r inertia_matrix --structure")
    found = show(capsys, "planar2r inverse_dynamics_derivatives --structure")
    assert "dtau_dqd: derivatives of tau (rows) by qd (columns)\n\n2 rates  2 rates\n2 rates  0\n\n0 zero" in found
    assert "3 of 4 entries are not zero\n\nx x\nx .\n" in found
    found = json.loads(show(capsys, "planar2r inverse_dynamics_derivatives --structure --json"))["results"]["dtau_dqd"]
    assert (found["nnz"], found["indptr"], found["indices"]) == (3, [0, 2, 3], [0, 1, 0])
    data = json.loads(show(capsys, "planar2r inertia_matrix --json"))
    assert (data["robot"], data["quantity"], data["shape"]) == ("planar2r", "inertia_matrix", [2, 2])
    assert [entry["kind"] for entry in data["entries"][1]] == ["varying", "constant"]


def test_expanded(capsys):
    assert "ZZR2" not in show(capsys, "planar2r D --inertia base --expand")
    assert show(capsys, "planar2r D 2 --expand") == "D[2] = L2**2*m2/3\n"
    assert show(capsys, "planar2r D 2 --expand --latex") == r"D_{2} = \frac{L_{2}^{2} m_{2}}{3}" + "\n"
    assert show(capsys, "planar2r D 2 --expand --python") == "D_2 = L2**2*m2/3\n"


def test_symbols_that_are_asked_for(capsys):
    assert "m2" in show(capsys, "puma inertia_matrix 2 2 --parameters m2,a2")
    assert "m3" not in show(capsys, "puma inertia_matrix 2 2 --parameters m2,a2")
    assert "m" not in show(capsys, "puma inertia_matrix 2 2 --parameters numeric").split("=")[1].split("\n")[0]


def test_symbolic_angles_are_announced(capsys):
    with pytest.raises(SystemExit):
        main(["show", "planar2r", "inertia_matrix", "--angles", "symbolic"])
    assert "longer" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["planar3r+", "scara+"])
def test_python_runs_with_what_it_says_it_needs(name):
    """All joint forces at once, friction included."""
    form = symgen.closed_form(robot(name)).inverse_dynamics
    q, qd, qdd = state(robot(name))
    scope = {key: float(value) for key, value in form.subject.parameter_values().items()}
    for stem, values in (("q", q), ("qd", qd), ("qdd", qdd)):
        scope |= {f"{stem}{k + 1}": value for k, value in enumerate(values)}
    exec(showing.python(form, None, None), scope)  # our own text
    found = [scope[f"inverse_dynamics_{k + 1}"] for k in range(len(q))]
    assert np.allclose(found, form.values(q, qd, qdd), rtol=1e-12, atol=1e-12)
    assert scope["cos"] is math.cos


def test_functions_of_the_rates_are_typeset():
    latex = symgen.closed_form(equipped("planar3r")).inverse_dynamics.latex()
    assert r"\operatorname{sign}\left(\dot{q}_{2}\right)" in latex
    assert r"\operatorname{tanh}\left(20\,\dot{q}_{3}\right)" in latex
