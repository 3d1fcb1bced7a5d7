"""What notebooks show: tables that say what is true, robot files' text as text, nothing that freezes a browser."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from robot_text import GOOD, head, link, parameters

import symgen
from symgen import api
from symgen.algebra.ring_element import RingElement
from symgen.display.markup import Grid, escaped
from symgen.formulas import formula, notebook
from symgen.program.counts import Counts, OperationCounts
from symgen.robot.reader import read_text
from symgen.runtime.module import Backend, DynamicsModule

VOID = {"br"}


class Page(HTMLParser):
    """What a browser makes of HTML: tables as lists of rows of cells, pieces of text, tags; checks that tags match."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.texts, self.tags, self._open = [], [], set(), []
        self.feed(text)
        self.close()
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)
        if {"td", "th"} & set(self._open):
            self.tables[-1][-1][-1] += data


def page(shown):
    return Page(shown._repr_html_())


def module_of(robot, **options):
    """The module of a robot without anything to run it on, for what it says of itself."""
    module = api.derive(robot, api.Options(**options)).module
    backend = Backend("numpy", "python", lambda values: {})
    return DynamicsModule(module, {}, backend, [p.default for p in module.parameters])


# robots --------------------------------------------------------------------------------------------


def test_a_robot_shows_its_table_joints_masses_and_gravity():
    shown = page(symgen.load("stanford"))
    table, masses = shown.tables
    assert table[0] == ["#", "link", "parent", "joint", "a", "alpha", "b", "theta", "offset"]
    assert table[3] == ["3", "link3", "link2", "joint3 (prismatic)", "0", "0", "q", "0", "0"]
    assert table[4] == ["4", "link4", "link3", "joint4 (revolute)", "0", "pi/2", "0.6", "q", "0"]
    assert [row[2] for row in masses[1:]] == ["9", "6", "4", "1", "0.6", "0.5"]
    assert masses[1][3:7] == ["0 0.1 0", "0.01", "0.02", "0.01"]
    assert "gravity: (0, 0, -9.81) m/s^2 in the base frame; 6 positions, 6 velocities" in shown.texts


def test_a_robot_shows_parameters_drives_and_notices():
    text = head() + parameters(L=0.5) + link(a='"L"', rotor_inertia=0.01, gear_ratio=10, viscous_friction=2)
    text += link(alpha=1) + link(inertia="{ xx = 9, yy = 0.1, zz = 0.1 }")
    shown = page(read_text(text, "arm.toml"))
    assert "parameters: L = 0.5" in shown.texts
    assert shown.tables[2][1] == ["joint1", "0.01", "10", "1", "2", "0", ""]
    assert any("break the triangle inequality" in text for text in shown.texts)


# modules and counts --------------------------------------------------------------------------------


def test_a_module_shows_arguments_with_shapes_and_units_operations_and_back_end():
    module = module_of(symgen.load("puma"))
    shown = page(module)
    rows = {row[0]: row[1:] for row in shown.tables[0]}
    assert list(rows) == ["function", *api.DEFAULT_FUNCTIONS]
    assert rows["inverse_dynamics"][:2] == ["q (6), rad\nqd (6), rad/s\nqdd (6), rad/s^2", "tau (6), N m"]
    assert rows["inertia_matrix"][:2] == ["q (6), rad", "inertia (6, 6), kg m^2"]
    for name, counts in module.counts.items():
        assert rows[name][3:] == [str(n) for n in (counts.mul, counts.add, counts.div, counts.sqrt, counts.trig)]
    assert "6 joints; pure NumPy, not compiled; float64" in shown.texts


def test_a_module_shows_the_run_time_parameters_its_functions_have():
    module = module_of(symgen.load("planar2r"), parameters=("m2", "L1"), functions=("gravity_torque",))
    changed = module.with_parameters({"m2": 0.75, "L1": 2})
    assert [row[:1] + row[3:] for row in page(changed).tables[1][1:]] == [["L1", "2"], ["m2", "0.75"]]
    assert "constants" not in changed._repr_html_()


def test_counts_are_a_dictionary_that_shows_a_table():
    counts = symgen.operation_counts("planar3r", api.Options(functions=("inertia_matrix", "forward_dynamics")))
    title, rows = page(counts).texts[0], page(counts).tables[0][1:]
    assert title == "planar3r: operations per call"
    assert [row[0] for row in rows] == ["inertia_matrix", "forward_dynamics"] == list(counts)
    assert [int(row[6]) for row in rows] == [sum(map(int, row[1:6])) for row in rows]
    assert [int(row[6]) for row in rows] == [found.total for found in counts.values()]


def test_counts_are_equal_to_a_dictionary_and_become_json():
    counts = OperationCounts({"f": Counts(mul=2, add=1)}, "arm")
    assert counts == {"f": Counts(mul=2, add=1)}
    assert counts != {"f": Counts(mul=2)}
    assert json.loads(json.dumps({name: found.as_dict() for name, found in counts.items()}))["f"]["mul"] == 2


# text of robot files -------------------------------------------------------------------------------

HOSTILE = r"<script>alert(1)</script> & \(x\) $\href{javascript:alert(1)}{x}$ <b onclick='f()'>"


@pytest.mark.parametrize("make", [lambda robot: robot, module_of], ids=["robot", "module"])
def test_text_of_a_robot_file_stays_text(make):
    hostile = GOOD.replace("[[links]]", f"description = {json.dumps(HOSTILE)}\n[[links]]", 1)
    robot = read_text(hostile, "arm.toml")
    shown = page(make(robot))
    assert shown.tags <= {"div", "p", "br", "span", "table", "caption", "thead", "tbody", "tr", "th", "td", "img"}
    assert HOSTILE in "".join(shown.texts)
    assert {text for text in shown.texts if "$" in text or "\\" in text} == {"$", "\\"}  # no pair in one piece of text


def test_names_made_in_python_stay_text_too():
    robot = symgen.load("planar2r")
    links = tuple(replace(item, name="<i>$x$</i>") for item in robot.links)
    shown = page(replace(robot, links=links, notices=("<u>",)))
    assert shown.tables[0][1][1] == "<i>$x$</i>"
    assert not {"i", "u"} & shown.tags


def test_a_grid_escapes_every_part():
    shown = Page(Grid("<p>", ("<a>", "&"), (("<td>", "$"),), words=1).html())
    assert shown.texts == ["<p>", "<a>", "&", "<td>", "$"]
    assert escaped("$5") == "<span>$</span>5"


# closed forms --------------------------------------------------------------------------------------


@pytest.fixture
def written(monkeypatch):
    """Terms of the elements for which a way to write them is looked for, which is what takes time."""
    terms = []
    original = formula.formula

    def counted(alphabet, element):
        terms.append(element.summands)
        return original(alphabet, element)

    monkeypatch.setattr(formula, "formula", counted)
    return terms


@pytest.mark.parametrize("name", ["inertia_matrix", "inverse_dynamics", "coriolis_torque", "N_l"])
def test_a_huge_form_shows_an_overview(name, written):
    form = getattr(symgen.closed_form("panda"), name)
    shown = page(form)
    assert not written
    assert len(shown.tables[0]) == form.shape[0] + (name != "N_l")
    assert len(form._repr_html_()) < 200_000
    assert f"entry({', '.join('0' * len(form.shape))})" in shown.texts


def test_the_overview_counts_the_terms_of_every_entry():
    form = symgen.closed_form("panda").inverse_dynamics
    assert page(form).tables[0][1:] == [[str(i + 1), str(form.element(i).summands)] for i in range(7)]


def test_a_huge_form_derives_no_structure(monkeypatch):
    form = symgen.closed_form("panda").coriolis_torque
    monkeypatch.setattr(RingElement, "key", property(lambda self: pytest.fail("terms are compared")))
    page(form)


def test_a_huge_entry_tells_how_many_terms_it_has(written):
    entry = symgen.closed_form("panda").inverse_dynamics.entry(0)
    terms = entry.element.summands
    assert terms > formula.DISPLAY_TERMS
    assert repr(entry) == f"inverse_dynamics[1] = ... ({terms} terms)"
    assert rf"\tau_{{1}} = \cdots\ \text{{({terms} terms)}}$" in entry._repr_html_()
    assert not written


def test_definitions_are_written_once_and_cut(written):
    form = symgen.closed_form("panda").inverse_inertia_matrix
    shown = form._repr_html_()
    assert sum(written) < notebook.DEFINITION_TERMS + 2 * 49
    assert f"… and {len(form.definitions) - notebook.DEFINITIONS} more definitions" in shown
    assert r"I_{1,1} = \cdots\ \text{(2175 terms)}" in shown


def test_symbols_are_explained_below_formulas():
    shown = page(symgen.closed_form("planar2r").gravity_torque.entry(1)).texts
    assert "g: gravity (m/s^2); m2: mass, link 2 (kg); L2: length along x, link 2 (m)" in shown


def test_a_small_form_is_shown_whole():
    shown = symgen.closed_form("planar2r").gravity_torque._repr_html_()
    assert r"\gamma = \begin{bmatrix}" in shown
    assert "c1 = cos(q1), c12 = cos(q1 + q2)" in shown
    assert "terms)" not in shown


def test_a_wide_matrix_is_listed():
    shown = symgen.closed_form("planar3r").inertia_matrix._repr_html_()
    assert "bmatrix" not in shown
    assert "<br>$I_{2,1} = I_{1,2}$, $I_{3,1} = I_{1,3}$, $I_{3,2} = I_{2,3}$<br>" in shown
    assert "the other entries are 0" in symgen.closed_form("puma").gravity_torque._repr_html_()


@pytest.mark.parametrize(("robot", "name"), [("puma", "gravity_torque"), ("planar3r", "inverse_dynamics")])
def test_lines_of_a_long_formula_make_the_formula(robot, name):
    form = getattr(symgen.closed_form(robot), name)
    for item in (form.entry(i) for i in range(len(form))):
        shown = item._repr_latex_().strip("$")
        broken = shown.startswith(r"\begin{aligned}")
        assert broken == (item.length > notebook.LINE)
        for mark in (r"\begin{aligned}", r"\end{aligned}", r"\displaystyle ", "{}&"):
            shown = shown.replace(mark, "")
        shown = shown.replace(r"\bigl(", r"\left(").replace(r"\bigr)", r"\right)")
        assert shown.replace(r" \\ &", " ") == f"{item.label_latex} = {item.latex()}"


def test_a_cut_formula_tells_how_many_terms_are_left_out():
    item = symgen.closed_form("puma").coriolis_matrix.entry(0, 0)
    assert item.length > notebook.DISPLAY_LIMIT
    assert "more terms)" in item._repr_latex_()
