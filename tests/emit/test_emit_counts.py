"""The operation counts are those of the emitted C, counted once more over its statements."""

import re

import pytest
from derivations import derivation
from library_robots import ARMS
from robots_with_drives import equipped

from symgen.derive.derivation import Options, derive
from symgen.emit.c import emit_c
from symgen.program.counts import Counts, count

_TOKEN = re.compile(r"(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?F?|->|[A-Za-z_]\w*|[-+*/()\[\],&]")
_SINES = re.compile(r"    (for \(int i = 0; i < \d+; i \+= 4\) \{\n        )?\w+_sincos\(.*\);\n(    \}\n)?")
_POINT = re.compile(r"\b((?:co)?sine)\[([^]]*)\]")
_DECLARATION = re.compile(r"double \w+\[\d+\](, \w+\[\d+\])?|\(void\)\w+")
_TABLE = re.compile(r"    static const [^;]*;\n|    /\*.*\*/\n")
_LOOP = re.compile(r"    for \(int i = 0; i < (\d+); i\+\+\) \{")


_PIECE = re.compile(r"(?:status \|= )?(\w+_\d+)\([^=]*\)")


def body(text, symbol):
    """The statements of a function, and how often each is run; those of its pieces too."""
    start = re.search(rf"^(?:\w+_PIECE )?(?:void|int) {symbol}\([^;{{]*\)\n\{{", text, re.MULTILINE).start()
    inside = _TABLE.sub("", _SINES.sub("", text[text.index("{\n", start) + 2 : text.index("\n}\n", start)]))
    found, times, statement = [], 1, ""
    for line in inside.splitlines():
        loop = _LOOP.fullmatch(line)
        if loop or line == "    }":
            times = int(loop[1]) if loop else 1
            continue
        statement = f"{statement} {line.strip()}".strip()
        if statement.endswith(";"):
            piece = _PIECE.fullmatch(statement[:-1])
            found += body(text, piece[1]) if piece else [(statement[:-1], times)]
            statement = ""
    return found


def counted(statements):
    """The operations of statements, each with how often it is run, as somebody counts who reads them."""
    found = {"mul": 0, "add": 0, "div": 0, "sqrt": 0, "trig": 0}
    points = set()
    for statement, times in statements:
        if "=" not in statement:
            assert _DECLARATION.fullmatch(statement), statement
            continue
        points |= {
            (array, eval(place, {"i": turn})) for array, place in _POINT.findall(statement) for turn in range(times)
        }
        for name, number in operations(statement.split("=", 1)[-1]):
            found[name] += number * times
    found["trig"] += len(points)
    return Counts(**found)


def operations(expression):
    tokens = _TOKEN.findall(re.sub(r"\[[^]]*\]", "", expression))
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
        elif token in ("tanh", "atan"):
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


@pytest.mark.parametrize("name", ARMS)
def test_counts_are_those_of_the_emitted_code(name):
    assert agrees(derivation(name).module) == []


def test_friction_and_run_time_parameters_are_counted():
    assert (
        agrees(derive(equipped("scara"), Options(parameters="runtime", gravity="runtime", effort="low")).module) == []
    )


def test_the_count_sees_everything():
    statements = ["const double a = -x[0]*y + 2.0/z - -0.5*(b - r_sign(c))", "double sine[4], cosine[4]"]
    statements += ["const double angle[4] = {q[1] + t}", "const double sn = sine[0]", "y[0] = sn + sn"]
    assert counted([(statement, 1) for statement in statements]) == Counts(mul=2, add=7, div=1, trig=1)
    assert counted([(statement, 3) for statement in statements[:1]]) == Counts(mul=6, add=15, div=3)


def test_statements_of_loops_count_by_their_turns():
    text = """
void f(const double *q)
{
    double x[9];
    static const double numbers[9][1] = {
        {-1.5},
    };
    /* Names are those of the first turn. */
    for (int i = 0; i < 9; i++) {
        x[i + 1] = numbers[i][0]*q[i]
            - 2.0;
    }
    y[0] = x[8]*x[8];
}
"""
    assert counted(body(text, "f")) == Counts(mul=10, add=9)
