"""The operation counts are those of the emitted C, counted once more over its statements."""

import re

import pytest
from derivations import derivation
from robots_with_drives import equipped

from symgen.derivation import Options, derive
from symgen.emit.c import emit_c
from symgen.program.counts import Counts, count
from symgen.robot.library import names

_TOKEN = re.compile(r"(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?F?|->|[A-Za-z_]\w*|[-+*/()\[\],&]")
_SINES = re.compile(r"    (for \(int i = 0; i < \d+; i \+= 4\) \{\n        )?\w+_sincos\(.*\);\n(    \}\n)?")
_POINT = re.compile(r"(\w+) = (?:co)?sine\[\d+\]")
_DECLARATION = re.compile(r"double sine\[\d+\], cosine\[\d+\]|\(void\)\w+")


def body(text, symbol):
    """The statements of a function."""
    start = text.index(f"\nvoid {symbol}(")
    inside = text[text.index("{\n", start) + 2 : text.index("\n}\n", start)]
    return [statement.strip() for statement in _SINES.sub("", inside).split(";") if statement.strip()]


def counted(statements):
    """The operations of statements, as somebody counts who reads them."""
    found = {"mul": 0, "add": 0, "div": 0, "sqrt": 0, "trig": 0}
    for statement in statements:
        if "=" not in statement:
            assert _DECLARATION.fullmatch(statement), statement
        elif _POINT.search(statement):
            found["trig"] += len(_POINT.findall(statement))
        else:
            for name, number in operations(statement.split("=", 1)[-1]):
                found[name] += number
    return Counts(**found)


def operations(expression):
    tokens = _TOKEN.findall(re.sub(r"\[\d+\]", "", expression))
    for k, token in enumerate(tokens):
        unary = k == 0 or tokens[k - 1] in ("+", "-", "*", "/", "(", ",")
        negative = token == "-" and unary and tokens[k + 1][0].isdigit()  # a number, not an operation
        if token in ("+", "-") and not negative:
            yield "add", 1
        elif token in ("*", "/"):
            yield {"*": "mul", "/": "div"}[token], 1
        elif token == "sqrt":
            yield "sqrt", 1
        elif token.endswith("_sign"):
            yield "add", 1
        elif token == "tanh":
            yield "trig", 1


def agrees(made):
    text = emit_c(made)[f"{made.name}.c"]
    wrong = []
    for item in made.functions:
        expected, found = count(item.program), counted(body(text, f"{made.name}_{item.name}"))
        if (found.mul, found.add, found.div, found.sqrt, found.trig) != (
            expected.mul,
            expected.add,
            expected.div,
            expected.sqrt,
            expected.trig,
        ):
            wrong.append((item.name, str(found), str(expected)))
    return wrong


@pytest.mark.parametrize("name", names())
def test_counts_are_those_of_the_emitted_code(name):
    assert agrees(derivation(name).module) == []


def test_friction_and_run_time_parameters_are_counted():
    assert (
        agrees(derive(equipped("scara"), Options(parameters="runtime", gravity="runtime", effort="low")).module) == []
    )


def test_the_count_sees_everything():
    statements = ["const double a = -x[0]*y + 2.0/z - -0.5*(b - r_sign(c))", "double sine[4], cosine[4]"]
    statements += ["const double angle[4] = {q[1] + t}", "const double sn = sine[0]", "y[0] = sn + sn"]
    assert counted(statements) == Counts(mul=2, add=7, div=1, trig=1)
