"""What is printed works: the README's tour with its robot file, C program and Python lines; examples in docstrings."""

import doctest
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import symgen
from symgen.build.compiler import find_compiler
from symgen.derive import inertial_parameters
from symgen.derive.chains import derive_chains
from symgen.derive.options import Options
from symgen.formulas import closed_form

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
TOUR = README[README.index("## Five minutes") : README.index("## Functions")]


def block(language):
    """The first block of that language in the tour."""
    return re.search(rf"```{language}\n(.*?)```", TOUR, re.DOTALL)[1]


def test_the_tour_gives_the_torques_it_promises(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my_arm.toml").write_text(block("toml"), encoding="utf-8")
    arm = symgen.generate("my_arm.toml", output="generated/my_arm")
    Path("main.c").write_text(block("c"), encoding="utf-8")
    sources = ["main.c", "generated/my_arm/my_arm.c"]
    compiler = find_compiler().command
    subprocess.run([*compiler, "-O2", "-Igenerated/my_arm", *sources, "-lm", "-o", "arm"], check=True)
    printed = subprocess.run(["./arm"], check=True, capture_output=True, text=True).stdout
    promised = re.search(r"# ([\d.]+ [\d.]+ N m)", TOUR)[1]
    assert printed.strip() == promised
    np.testing.assert_allclose(
        arm.inverse_dynamics([0.1, 0.2], [0, 0], [0, 0]), np.array(promised.split()[:2], dtype=float), rtol=1e-5
    )
    lines = {}
    exec(compile(block("python"), "README", "exec"), lines)
    assert lines["tau"].shape == (100, 2)
    assert lines["M"].shape == (100, 2, 2)


def test_the_figures_in_the_introduction_are_true():
    counts = symgen.operation_counts("puma")["inverse_dynamics"]
    assert f"{counts.mul} multiplications and {counts.add} additions" in README.replace("\n", " ")


def test_the_closed_form_is_the_one_that_is_shown():
    printed = re.search(r"inertia_matrix\[2,2\] = .*?\n\n", README, re.DOTALL)[0]
    item = symgen.closed_form("puma", inertia="base").inertia_matrix.entry(1, 1)
    assert " ".join(printed.split()) == f"{item.label} = {item.text()}"


def test_the_lines_about_closed_forms_run():
    section = README[README.index("## Closed forms") : README.index("## Motion")]
    exec(compile(re.search(r"```python\n(.*?)```", section, re.DOTALL)[1], "README", "exec"), {})


def test_the_lines_about_sparse_matrices_run():
    section = README[README.index("## Sparse matrices") : README.index("## Options")]
    lines = {}
    exec(compile(re.search(r"```python\n(.*?)```", section, re.DOTALL)[1], "README", "exec"), lines)
    assert lines["values"].shape == (100, 196)
    assert (lines["matrix"].shape, lines["matrix"].nnz) == ((18, 18), 196)
    assert "196): the entries of 18 x 18" in section


def test_the_lines_about_many_states_run():
    section = README[README.index("## Many states at once") : README.index("## Speed")]
    lines = {}
    try:
        exec(compile(re.search(r"```python\n(.*?)```", section, re.DOTALL)[1], "README", "exec"), lines)
    finally:
        symgen.set_threads(1)
    np.testing.assert_array_equal(lines["tau"], lines["out"])


@pytest.mark.parametrize("module", [symgen, closed_form, inertial_parameters])
def test_the_examples_in_docstrings_are_true(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_the_lines_about_contacts_run():
    section = README[README.index("## Feet that touch") : README.index("## Where things are")]
    lines = {}
    exec(compile(re.search(r"```python\n(.*?)```", section, re.DOTALL)[1], "README", "exec"), lines)
    weight = 9.81 * sum(float(link.inertia.mass.constant({})) for link in symgen.load("solo12").links)
    assert 0 < lines["forces"].reshape(4, 3)[:, 2].sum() < weight  # it sinks, since nothing drives its knees
    assert (lines["impulses"].reshape(2, 3)[:, 2] > 0).all()
    counts = symgen.operation_counts("solo12", Options(("contact_dynamics:stance",)))["contact_dynamics_stance"]
    assert f"{counts.mul} multiplications and {counts.add} additions" in section.replace("\n", " ")


def test_the_lines_about_chains_run():
    section = README[README.index("## Chains on several processors") : README.index("## Feet that touch")]
    lines = {}
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]
    # Some compilers have no OpenMP.
    exec(compile(code.replace(", threads=2", ""), "README", "exec"), lines)
    assert lines["chains"].exchanges == 4
    np.testing.assert_array_equal(lines["same"], lines["qdd"])
    for scheme in ("recursive", "condensed"):
        function = derive_chains(symgen.load("rrr3"), scheme).module.function("forward_dynamics")
        assert re.search(rf"`{scheme}`.*\| {sum(counts.total for _, counts in function.counts)}; ", section)
        assert re.search(rf"{scheme}` {function.longest} and", section.replace("\n", " "))
