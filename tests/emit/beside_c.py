"""Code in other languages beside the C: what is run of both, and how near the results must be."""

import ctypes
import shutil
from dataclasses import replace

import numpy as np
import pytest
from derivations import derivation
from robots_with_drives import equipped
from sample_modules import function, module, random_module
from test_emit_batch import arrays, call, pointers, singles

from symgen.derive.derivation import Options, derive
from symgen.emit.registry import language
from symgen.program.graph import Graph
from symgen.program.module import CONSTANTS
from symgen.program.program import Array, Op
from symgen.program.rounding import roundings
from symgen.robot.library import chain

gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")

ABA = Options(functions=("inverse_dynamics", "forward_dynamics"), forward_dynamics="aba", effort="low")
OPTIONS = {
    "one of everything": lambda: derivation("scara").module,
    "all functions": lambda: derive(equipped("planar2r"), Options(functions=("all",), effort="low")).module,
    "run-time parameters": lambda: (
        derive(equipped("scara"), Options(parameters="runtime", gravity="runtime", effort="low")).module
    ),
    "base parameters": lambda: (
        derive(equipped("planar2r"), Options(functions=("all",), parameters="base", effort="low")).module
    ),
    "loops": lambda: derive(chain(12), ABA).module,
    "loops over parameters": lambda: derive(chain(12), replace(ABA, parameters="runtime", gravity="runtime")).module,
}


def compiled(made, folder):
    """The library of a module's C for single states, without contraction."""
    for file, text in language("c").write(made).items():
        (folder / file).write_text(text, encoding="utf-8")
    flags = ["-std=c99", "-O1", "-ffp-contract=off", "-fPIC", "-shared"]
    call("gcc", *flags, "-o", "library.so", f"{made.name}.c", "-lm", folder=folder)
    return ctypes.CDLL(str(folder / "library.so"))


def run(name, made, given):
    """Function → results in a language."""
    target = language(name)
    with target.run(made, target.write(made)) as functions:
        return {item.name: functions[item.name](*given[item.name]) for item in made.functions}


def assert_same_as_c(name, made, folder):
    """Bit for bit, but where the library's tanh or atan make a difference: there within what rounding allows."""
    library, real = compiled(made, folder), made.real
    given = {item.name: arrays(item, 11, real=real) for item in made.functions}
    constants = np.full(made.constants_size, np.nan, dtype=real)
    if made.parameters:
        values = np.array([parameter.default for parameter in made.parameters], dtype=real)
        getattr(library, f"{made.name}_init")(*pointers([values, constants]))
    found = run(name, made, given)
    for item in made.functions:
        bound = pointers([constants]) if item.inputs[-1].name == CONSTANTS else []
        expected = singles(library, made, item, given[item.name], bound)
        if not {Op.TANH, Op.ATAN}.isdisjoint(instruction.op for instruction in item.program.instructions):
            radii = roundings(made)[item.name](*given[item.name])
            assert all(np.all(abs(x - y) <= r) for x, y, r in zip(found[item.name], expected, radii, strict=True))
        else:
            assert [y.tobytes() for y in found[item.name]] == [y.tobytes() for y in expected], item.name


def assert_any_program(name, seed):
    """A program of everything, beside NumPy."""
    made = random_module(seed, trig=True)
    given = {item.name: arrays(item, 5) for item in made.functions}
    with language("python").run(made, language("python").write(made)) as plain, np.errstate(all="ignore"):
        found = run(name, made, given)
        for item in made.functions:
            expected = plain[item.name](*given[item.name])
            np.testing.assert_allclose(found[item.name][0], expected, rtol=1e-9, atol=1e-12)


def circles():
    graph = Graph()
    points = [part for k in range(3) for part in graph.circle(graph.variable("q", k))]
    return module(function("circles", graph.program([Array("q", (3,))], [(Array("y", (6,)), points)])))


def assert_large_angles(name, real):
    """Sines and cosines of large angles, and of what is no number."""
    made = replace(circles(), real=real)
    large = 1e15 if real == "float64" else 1e7
    q = np.array([[0.5, 0.6, 0.7], [large, np.nan, 1.0], [-large, 1.0, 2.0], [-0.0, np.pi, -np.pi / 2]], dtype=real)
    ((found,),) = run(name, made, {"circles": [q]}).values()
    np.testing.assert_allclose(found[:, ::2], np.cos(q), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found[:, 1::2], np.sin(q), rtol=1e-5, atol=1e-6)
