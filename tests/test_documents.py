"""What README, docs/ and docstrings say is true: figures, forms and what examples give; tests/docs runs the blocks."""

import doctest
import re

import numpy as np
import pytest
from documents import README, Page

import symgen
from symgen.derive import inertial_parameters
from symgen.derive.chains import derive_chains
from symgen.derive.options import Options
from symgen.formulas import closed_form
from symgen.robot.reader import read_text

TOUR = "tutorial/your-own-arm"


def test_the_tour_and_the_readme_give_the_torques_they_promise():
    robots = [symgen.generate(read_text(Page(path).block("toml"), "my_arm.toml")) for path in (README, TOUR)]
    for arm in robots:
        printed = re.search(r"^([\d.]+) ([\d.]+) N m$", Page(README).text, re.MULTILINE)
        promised = np.array(printed.groups(), dtype=float)
        np.testing.assert_allclose(arm.inverse_dynamics([0.1, 0.2], [0, 0], [0, 0]), promised, rtol=1e-5)


@pytest.mark.parametrize("path", [README, "index"])
def test_the_figures_in_the_introduction_are_true(path):
    counts = symgen.operation_counts("puma")["inverse_dynamics"]
    assert f"{counts.mul} + {counts.add}" in Page(path).words


def test_the_readme_is_short():
    assert len(Page(README).text.splitlines()) <= 150


def test_the_closed_form_is_the_one_that_is_shown():
    printed = Page("how-to/closed-forms").block("text")
    item = symgen.closed_form("puma", inertia="base").inertia_matrix.entry(1, 1)
    assert " ".join(printed.split()) == f"{item.label} = {item.text()}"


def test_the_lines_about_sparse_matrices_run():
    page = Page("how-to/sparse-matrices")
    lines = page.run()
    assert lines["values"].shape == (100, 196)
    assert (lines["matrix"].shape, lines["matrix"].nnz) == ((18, 18), 196)
    assert "196): the entries of 18 x 18" in page.text


def test_the_lines_about_many_states_run():
    try:
        lines = Page("how-to/batches").run()
    finally:
        symgen.set_threads(1)
    np.testing.assert_array_equal(lines["tau"], lines["out"])


@pytest.mark.parametrize("module", [symgen, closed_form, inertial_parameters])
def test_the_examples_in_docstrings_are_true(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_the_lines_about_contacts_run():
    page = Page("how-to/contacts")
    lines = page.run()
    weight = 9.81 * sum(float(link.inertia.mass.constant({})) for link in symgen.load("solo12").links)
    assert 0 < lines["forces"].reshape(4, 3)[:, 2].sum() < weight  # it sinks, since nothing drives its knees
    assert (lines["impulses"].reshape(2, 3)[:, 2] > 0).all()
    counts = symgen.operation_counts("solo12", Options(("contact_dynamics:stance",)))["contact_dynamics_stance"]
    assert f"{counts.mul} multiplications and {counts.add} additions" in page.words


def test_the_lines_about_chains_run():
    page = Page("how-to/chains")
    lines = page.run(change=lambda code: code.replace(", threads=2", ""))  # some compilers have no OpenMP
    assert lines["chains"].exchanges == 4
    np.testing.assert_array_equal(lines["same"], lines["qdd"])
    for scheme in ("recursive", "condensed"):
        function = derive_chains(symgen.load("rrr3"), scheme).module.function("forward_dynamics")
        assert re.search(rf"`{scheme}`.*\| {sum(counts.total for _, counts in function.counts)}; ", page.text)
        assert re.search(rf"{scheme}` {function.longest} and", page.words)
