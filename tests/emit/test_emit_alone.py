"""C in pieces that are compiled on their own: the code of the module's files, nothing twice, and nothing left out."""

import re
from dataclasses import replace

import pytest

from symgen.derive.derivation import Options, derive
from symgen.emit.c import emit_c, emit_piece, emit_rest
from symgen.robot.library import load

MODULES = {
    "an arm": lambda: derive(load("scara"), Options(effort="low")).module,
    "a free base": lambda: derive(load("solo12"), Options(("inverse_dynamics", "integrate"), effort="low")).module,
    "loops": lambda: derive(load("five_bar"), Options(("assembly_step", "inverse_dynamics"), effort="low")).module,
    "packed": lambda: derive(load("scara"), Options(("inertia_matrix",), packed=True, effort="low")).module,
    "parameters": lambda: derive(load("planar2r"), Options(parameters="runtime", effort="low")).module,
}


@pytest.fixture(params=MODULES, scope="module")
def module(request):
    return MODULES[request.param]()


def definitions(files):
    """Name → text of what the C files define for others to use."""
    found = {}
    for file, text in files.items():
        if file.endswith(".c"):
            for block in text.split("\n\n"):
                head = re.match(r"(?:const )?\w+ (\w+)[\[(]", block)
                if head and not block.startswith(("static", "typedef", "ALWAYS_INLINE")):
                    found[head[1]] = block.strip()
    return found


def test_pieces_are_the_modules_code(module):
    pieces = [*(emit_piece(module, function) for function in module.functions), emit_rest(module)]
    together = [(name, text) for piece in pieces for name, text in definitions(piece).items()]
    assert sorted(together) == sorted(definitions(emit_c(module)).items())


def test_a_piece_does_not_know_the_others(module):
    for function in module.functions:
        alone = replace(module, functions=(function,), regressor=None, assembly=None)
        assert emit_piece(module, function) == emit_piece(alone, function)
