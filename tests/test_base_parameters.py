"""Base inertial parameters as people get them: definitions, values, the command line, and with the regressor."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
import sympy
from documents import Page
from library_robots import ARMS
from module_functions import interpreted
from robot_text import head, link, parameters

import symgen
from symgen.cli import main
from symgen.derive.derivation import Options, derive
from symgen.derive.inertial_parameters import inertial_parameters
from symgen.errors import InputError
from symgen.robot import library
from symgen.robot.reader import read_text
from symgen.robot.symbolic import symbolic
from symgen.runtime.module import build, emit, numpy_namespace
from symgen.verify.oracle import Oracle


def state(n, seed=0):
    return np.random.default_rng(seed).uniform(-2, 2, (3, 5, n))


def test_two_rods():
    found = symgen.base_parameters("planar2r")
    assert found.names == ("ZZR1", "MXR1", "MY1", "ZZ2", "MX2", "MY2")
    assert [p.definition for p in found] == ["ZZ1 + L1^2*M2", "MX1 + L1*M2", "MY1", "ZZ2", "MX2", "MY2"]
    assert found.values == pytest.approx([2 * 0.25 / 3 + 1.5 * 0.25, 2 * 0.25 + 1.5 * 0.5, 0, 1.5 * 0.16 / 3, 0.3, 0])
    assert [p.unit for p in found] == ["kg m^2", "kg m", "kg m"] * 2
    assert "XX1" in found.without_effect
    assert "M1" in found.without_effect
    assert "M2" not in found.without_effect
    assert repr(found["MXR1"]) == "MXR1 = MX1 + L1*M2 = 1.25 kg m"
    assert found["ZZR1"].expression == sympy.sympify("ZZ1 + L1**2*M2", locals=real_symbols("ZZ1 L1 M2"))
    assert found["ZZR1"].latex == r"\mathit{ZZ}_{1} + L_{1}^{2}\,\mathit{M}_{2}"
    with pytest.raises(KeyError):
        found["ZZR7"]


def real_symbols(names):
    return {name: sympy.Symbol(name, real=True) for name in names.split()}


STANFORD = {
    "ZZR1": "ZZ1 + YY2 + ZZ3",
    "XZR2": "XZ2 - XY3",
    "YZR2": "YZ2 - YZ3",
    "MX2": "MX2",
    "MR3": "M3 + M4 + M5 + M6",
    "MYR4": "MY4 - MZ5",
    "XXR6": "XX6 - YY6",
}
"""Some of the 33 of the Stanford arm: they follow from the axes alone, so that signs can be checked by hand."""


def test_the_stanford_arm():
    found = symgen.base_parameters("stanford")
    assert len(found) == 33
    assert {name: found[name].definition for name in STANFORD} == STANFORD
    assert set(found.without_effect) == {
        *(f"{stem}1" for stem in ("XX", "XY", "XZ", "YY", "YZ", "MX", "MY", "MZ", "M")),
        "MZ2",
        "M2",
    }


@pytest.mark.parametrize("name", ARMS)
def test_values_are_what_the_definitions_give(name):
    """The definitions, with the standard parameters of the robot's numbers put in."""
    robot = library.load(name)
    base = inertial_parameters(robot)
    standard = inertial_parameters(robot, "standard")
    assert [p.definition for p in standard] == list(standard.names)
    known = {p.name: p.value for p in standard}
    lengths = {name: float(value) for name, value in symbolic(robot).robot.defaults.items()}
    for parameter in base:
        letters = {symbol: (known | lengths)[symbol.name] for symbol in parameter.expression.free_symbols}
        assert float(parameter.expression.subs(letters)) == pytest.approx(parameter.value, rel=1e-12, abs=1e-12)


# with the regressor ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["base", "standard"])
@pytest.mark.parametrize("name", ["puma", "stanford", "scara"])
def test_a_module_knows_the_parameters_of_its_columns(name, kind):
    robot = library.load(name)
    derivation = derive(robot, Options(functions=("regressor",), regressor=kind))
    sources = emit(derivation.module)
    module, plain = build(derivation, sources), numpy_namespace(sources)
    q, qd, qdd = state(robot.nv)
    tau = Oracle(robot).inverse_dynamics(q, qd, qdd)
    expected = pytest.approx(tau, rel=1e-11, abs=1e-11)
    assert module.regressor(q, qd, qdd) @ module.regressor_parameters == expected
    assert plain["regressor"](q, qd, qdd) @ plain["REGRESSOR_PARAMETERS"] == expected
    assert module.regressor_names == plain["REGRESSOR_NAMES"] == inertial_parameters(robot, kind).names
    header = sources.c[f"{name}.h"]
    assert f"{name}_regressor_parameters[{name.upper()}_REGRESSOR_PARAMETERS];" in header
    assert all(f" *   {column} = " in header for column in module.regressor_names)


def test_run_time_parameters_change_them():
    derivation = derive(
        library.load("puma"), Options(functions=("regressor", "inverse_dynamics"), parameters="runtime")
    )
    module = build(derivation, emit(derivation.module))
    heavier = module.with_parameters({"m6": 2.0, "a2": 0.5})
    q, qd, qdd = state(6)
    for each in (module, heavier):
        products = each.regressor(q, qd, qdd) @ each.regressor_parameters
        assert products == pytest.approx(each.inverse_dynamics(q, qd, qdd), rel=1e-11, abs=1e-11)
    assert not np.allclose(module.regressor_parameters, heavier.regressor_parameters)


def test_run_time_gravity_lets_more_act():
    options = Options(functions=("regressor",), gravity="runtime")
    found = derive(library.load("puma"), options).module.regressor
    assert found is not None
    names = [parameter.name for parameter in found.parameters]
    assert len(names) == 38
    assert [name for name in names if name.endswith("1")] == ["ZZR1", "MX1", "MYR1"]


def test_a_module_without_regressor_has_none():
    derivation = derive(library.load("planar2r"), Options(functions=("gravity_torque",)))
    module = build(derivation, emit(derivation.module))
    assert module.regressor_names == ()
    assert module.regressor_parameters.shape == (0,)
    assert "REGRESSOR_NAMES" not in emit(derivation.module).python["planar2r.py"]


def test_drives_are_not_in_it():
    robot = read_text(head() + link(rotor_inertia="0.1", viscous_friction="2") + link(), "with a drive")
    derivation = derive(robot, Options(functions=("regressor",)))
    q, qd, qdd = state(robot.nv)
    assert derivation.module.regressor is not None
    values = [parameter.default for parameter in derivation.module.regressor.parameters]
    found = interpreted(derivation)["regressor"](q, qd, qdd) @ np.array(values)
    oracle = Oracle(robot)
    assert found == pytest.approx(oracle.links_dynamics(q, qd, qdd), rel=1e-11, abs=1e-11)
    assert not np.allclose(found, oracle.inverse_dynamics(q, qd, qdd))


def test_names_of_the_file_do_not_clash():
    robot = read_text(head() + parameters(M2="0.25") + link(a='"M2"') + link(), "with a length M2")
    assert inertial_parameters(robot)["ZZR1"].definition == "ZZ1 + M2^2*M2_"


def test_an_unknown_kind_of_regressor_is_refused():
    with pytest.raises(InputError, match="unknown kind of regressor 'all'; there are: base, standard"):
        Options(regressor="all")


# the command line ------------------------------------------------------------------------------------------


def run(capsys, *args):
    with pytest.raises(SystemExit) as caught:
        main(list(args))
    assert not caught.value.code
    return capsys.readouterr().out


def test_info_shows_them(capsys):
    out = run(capsys, "info", "stanford", "--base-parameters")
    assert "33 base inertial parameters" in out
    assert "M3 + M4 + M5 + M6" in out
    assert "Without effect: XX1" in out
    assert "Forces of constraint cannot be had" in " ".join(out.split())


def test_info_gives_them_as_data(capsys):
    data = json.loads(run(capsys, "info", "scara", "--base-parameters", "--json"))
    found = symgen.base_parameters("scara")
    assert [item["name"] for item in data["parameters"]] == list(found.names)
    assert [item["value"] for item in data["parameters"]] == found.values.tolist()
    assert data["parameters"][4] == {
        "name": "MR3",
        "link": 3,
        "meaning": "mass of link 3",
        "definition": "M3 + M4",
        "value": 1.5,
        "unit": "kg",
    }
    assert data["without_effect"] == list(found.without_effect)


# the page about them ------------------------------------------------------------------------------------


def test_the_lines_in_docs_run_and_say_the_truth():
    page = Page("how-to/identification")
    code, identified = [block.text for block in page.blocks if block.language == "python"]
    names = dict(zip(("q", "qd", "qdd"), np.random.default_rng(0).uniform(-2, 2, (3, 50, 6)), strict=True))
    exec(compile(code, page.path, "exec"), names)
    base, puma = names["base"], names["puma"]
    assert repr(base["ZZR2"]) in page.text
    assert names["Y"].shape == (50, 6, len(base))
    tau = puma.inverse_dynamics(names["q"], names["qd"], names["qdd"])
    assert names["Y"] @ puma.regressor_parameters == pytest.approx(tau, rel=1e-11, abs=1e-11)
    names |= {"tau": tau, "np": np}
    exec(compile(identified, page.path, "exec"), names)
    again = names["model"].inverse_dynamics(names["q"], names["qd"], names["qdd"])
    assert again == pytest.approx(tau, rel=1e-9, abs=1e-9)
    numbers = re.findall(r"(\d+)\s+(?:are left )?for\s+the\s+(\w+)", page.text)
    assert len(numbers) == 3
    for number, robot in numbers:
        assert len(symgen.base_parameters(robot.lower())) == int(number)
