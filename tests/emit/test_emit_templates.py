"""Templates: a missing key is an error, and the text of headers says what it must."""

import re

import jinja2
import pytest
from derivations import counts, derivation
from sample_modules import record

from symgen.emit.c import emit_c
from symgen.emit.environment import render, template_directory
from symgen.emit.text import argument_text, robot_lines, wrapped
from symgen.program.module import Argument, Module

TEMPLATES = sorted(path.relative_to(template_directory()).as_posix() for path in template_directory().rglob("*.j2"))


def test_there_are_templates():
    assert {"c/module.c.j2", "c/module.h.j2", "python/module.py.j2"} <= set(TEMPLATES)


@pytest.mark.parametrize("template", TEMPLATES)
def test_missing_keys_are_errors(template):
    text = (template_directory() / template).read_text(encoding="utf-8")
    if "{{" not in text and "{%" not in text:
        pytest.skip("asks for no keys")
    with pytest.raises(jinja2.UndefinedError):
        render(template)


@pytest.mark.parametrize("template", TEMPLATES)
def test_templates_hold_layout_only(template):
    """No assignments, macros or conditions on numbers: logic is in the emitters."""
    text = (template_directory() / template).read_text(encoding="utf-8")
    assert not re.search(r"{%-?\s*(set|macro|call)\b", text)


@pytest.mark.parametrize("name", ["puma", "scara", "panda"])
def test_headers_say_what_the_functions_cost_and_mean(name):
    derived = derivation(name)
    header = emit_c(derived.module)[f"{name}.h"]
    for item in derived.module.functions:
        assert item.summary in re.sub(r"\s*\n \*\s*", " ", header)
        assert f"Operations: {counts(derived)[item.name]}." in re.sub(r"\s*\n \*\s*", " ", header)
        assert f"Formulation: {item.formulation}." in re.sub(r"\s*\n \*\s*", " ", header)
    assert f"#define {name.upper()}_NQ {derived.module.record.nq}" in header
    assert "restrict" in header
    for joint in derived.module.record.joints:
        assert joint.name in header


def test_labels_travel_into_the_code():
    code = emit_c(derivation("puma").module)["puma.c"]
    for label in (
        "c2",
        "s2",
        "w3_x",
        "wd3_x",
        "a3_x",
        "U3_xx",
        "F3_x",
        "N3_x",
        "f3_x",
        "n3_x",
        "J3_xx",
        "mhat3",
        "r3",
        "u1_3",
    ):
        assert re.search(rf"\b{label}(_scaled)?(_neg)?( = |[,;])", code), label


@pytest.mark.parametrize(
    ("shape", "text"),
    [((6,), "q [6]: positions, rad"), ((2, 3), "q [2 x 3]: positions, rad, row by row")],
)
def test_argument_text(shape, text):
    assert argument_text(Argument("q", shape, "rad", "positions")) == text


def test_robot_lines_are_wrapped():
    made = Module("sample", (), record("a long description of a robot " * 20))
    lines = robot_lines(made)
    assert max(map(len, lines)) <= 96
    assert lines[0].startswith("Robot: sample")


def test_wrapped_text_breaks_at_spaces_only():
    text = "    x = " + " + ".join(["a*b"] * 40) + ";"
    broken = wrapped(text, 100, "        ")
    assert max(map(len, broken.splitlines())) <= 100
    assert " ".join(broken.split()) == " ".join(text.split())
    assert wrapped("y" * 150, 100, "        ") == "y" * 150
