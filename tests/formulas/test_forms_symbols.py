"""What is said of the symbols of closed forms: those that occur, each with meaning, unit and links."""

import json

import pytest
from form_robots import robot
from robot_text import head, link, parameters

import symgen
from symgen.cli import main
from symgen.robot.reader import read_text

SYMBOLS = [
    # robot, quantity, options, entry, name → meaning, unit, links
    (
        "puma",
        "inertia_matrix",
        {},
        (4, 4),
        {
            "m5": ("mass", "kg", (5,)),
            "cz5": ("mass centre, z", "m", (5,)),
            "Iyy5": ("inertia, yy", "kg m^2", (5,)),
            "b6": ("length along z", "m", (6,)),
        },
    ),
    (
        "stanford",
        "bias_torque",
        {},
        (2,),
        {
            "q3": ("joint position", "m", ()),
            "qd1": ("joint velocity", "rad/s", ()),
            "g": ("gravity", "m/s^2", ()),
        },
    ),
    ("stanford", "inverse_dynamics", {}, (2,), {"qdd3": ("joint acceleration", "m/s^2", ())}),
    ("planar2r", "inertia_matrix", {}, (0, 0), {"L1": ("length along x", "m", (1,)), "m2": ("mass", "kg", (2,))}),
    ("planar2r", "inertia_matrix", {"inertia": "base"}, (1, 1), {"L2": ("length along x", "m", (2,))}),
    (
        "planar2r",
        "forward_dynamics",
        {},
        (0,),
        {"tau1": ("joint force, about or along the joint axis", "N m", ()), "L2": ("length along x", "m", (2,))},
    ),
    ("planar3r+", "inverse_dynamics", {}, (1,), {"Fc2": ("Coulomb friction", "N m or N", (2,))}),
    ("ur5", "rotations", {"angles": "symbolic"}, None, {"alpha1": ("twist", "rad", (1,))}),
]


@pytest.mark.parametrize(
    ("name", "quantity", "options", "entry", "expected"), SYMBOLS, ids=lambda value: str(value)[:20]
)
def test_meanings(name, quantity, options, entry, expected):
    found = getattr(symgen.closed_form(robot(name), **options), quantity)
    item = found[0] if entry is None else found.entry(*entry)
    known = {symbol.name: (symbol.meaning, symbol.unit, symbol.links) for symbol in item.symbols}
    assert {key: known.get(key) for key in expected} == expected


@pytest.mark.parametrize("quantity", ["inertia_matrix", "U", "inverse_dynamics", "forward_dynamics"])
def test_all_that_occur_and_no_others(quantity):
    form = getattr(symgen.closed_form("planar3r"), quantity)
    free = set(form.matrix.free_symbols).union(*(item.expression.free_symbols for _, item in form.definitions))
    names = {str(symbol) for symbol in free} - {name for name, _ in form.definitions} - {"q1", "q2", "q3"}
    assert {symbol.name for symbol in form.symbols} == names
    values = {symbol.name: symbol.value for symbol in form.symbols if symbol.value is not None}
    assert values.items() <= {k: float(v) for k, v in form.subject.parameter_values().items()}.items()
    assert {name for name in names if name[0] in "amcIg"} == values.keys()


def test_a_declared_parameter_is_what_it_stands_for_or_a_parameter_of_the_file():
    text = head() + parameters(L="0.3", M="2", r="0.1")
    text += link(a='"L"', mass='"M"', com='["-r", 0, 0]') + link(name='"b"', a='"L"', mass='"2*M"')
    form = symgen.closed_form(read_text(text, "arm")).inertia_matrix
    known = {symbol.name: (symbol.meaning, symbol.unit, symbol.links) for symbol in form.symbols}
    assert known["L"] == ("length along x", "m", (1, 2))
    assert known["M"] == ("mass", "kg", (1,))
    assert known["r"] == ("parameter of the robot file", "as declared", ())


def test_nothing_is_said_where_nothing_occurs():
    assert symgen.closed_form("puma").coupling_matrices[0].symbols == []
    assert symgen.closed_form("puma", parameters="numeric").inertia_matrix.entry(1, 1).symbols == []


def test_json(capsys):
    with pytest.raises(SystemExit):
        main(["show", "planar2r", "gravity_torque", "--json"])
    symbols = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)["symbols"]}
    assert symbols["m2"] == {"name": "m2", "meaning": "mass", "unit": "kg", "links": [2], "value": 1.5}
    assert set(symbols) == {"g", "m1", "m2", "L1", "L2"}


def test_code_says_what_it_needs(capsys):
    with pytest.raises(SystemExit):
        main(["show", "planar2r", "gravity_torque", "2", "--python"])
    assert "# m2: mass, link 2 (kg)\n" in capsys.readouterr().out
