"""Texts to copy: SymPy, C and LaTeX of a formula give its numbers."""

import subprocess

import numpy as np
import pytest
from thorough import usual

from symgen.build.compiler import find_compiler
from symgen.formulas.closed_form import closed_form
from symgen.formulas.in_c import c_lines
from symgen.report.equations import equations
from symgen.robot.library import load

ROBOTS = ["scara", "stanford", "five_bar", "planar2r", "puma"]


def state(form):
    """Values of positions, velocities and parameters by name, and the robot's numbers as arrays."""
    subject = form.subject
    random = np.random.default_rng(1)
    q, qd = random.uniform(-1, 1, (2, subject.robot.nq)).tolist()
    values = {f"q{k + 1}": value for k, value in enumerate(q)} | {f"qd{k + 1}": value for k, value in enumerate(qd)}
    return q, qd, values | {name: float(value) for name, value in subject.parameter_values().items()}


@pytest.mark.parametrize("name", usual(4, ROBOTS))
def test_sympy_texts_give_the_numbers(name):
    robot = load(name)
    closed = closed_form(robot)
    for part, quantity in zip(equations(robot), ("inertia_matrix", "", "gravity_torque"), strict=True):
        if not quantity:
            continue
        form = closed.quantity(quantity)
        q, _, values = state(form)
        expected = form.values(q)
        for entry in part.entries[:4]:
            for language, key, text in entry.copies:
                if language == "SymPy":
                    index = tuple(int(number) - 1 for number in key.split("-")[1:-1])
                    scope = {}
                    exec(text, scope)
                    found = scope[f"{quantity}_{'_'.join(str(i + 1) for i in index)}"]
                    number = complex(found.subs({s: values[s.name] for s in found.free_symbols}))
                    assert number.real == pytest.approx(expected[index], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", ROBOTS)
def test_c_texts_give_the_numbers(name, tmp_path):
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C compiler")
    form = closed_form(load(name)).quantity("inertia_matrix")
    q, _, values = state(form)
    blocks = []
    indices = [index for index in form.indices() if not form.element(*index).is_zero]
    for index in indices:
        lines = "\n".join(f"    {line}" for line in c_lines("found", form.entry(*index)))
        blocks.append(f'  {{\n{lines}\n    printf("%.17g\\n", found);\n  }}')
    given = "\n".join(f"static const double {name} = {value!r};" for name, value in values.items())
    source = (
        f"#include <math.h>\n#include <stdio.h>\n{given}\nint main(void) {{\n"
        + "\n".join(blocks)
        + "\n  return 0;\n}\n"
    )
    (tmp_path / "entry.c").write_text(source, encoding="utf-8")
    subprocess.run(
        [*compiler.command, "-std=c99", str(tmp_path / "entry.c"), "-o", str(tmp_path / "entry"), "-lm"], check=True
    )
    printed = subprocess.run([tmp_path / "entry"], capture_output=True, text=True, check=True).stdout
    found = [float(line) for line in printed.split()]
    expected = form.values(q)
    assert found == pytest.approx([expected[index] for index in indices], rel=1e-12, abs=1e-12)
