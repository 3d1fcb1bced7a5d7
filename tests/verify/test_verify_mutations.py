"""A sign, a dropped term, a constant changed by a millionth: no wrong program is proved, no wrong text passes."""

from __future__ import annotations

import ast
import copy
import dataclasses
import functools
import random

import numpy as np
import pytest
from module_functions import setting_of
from program_mutations import mutable, mutated_program, same_numbers
from thorough import usual

from symgen.derive.derivation import Options, derive
from symgen.emit.python import emit_python
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.robot import library
from symgen.verify.compare import verify
from symgen.verify.comparison import Comparison
from symgen.verify.oracle import Oracle
from symgen.verify.signatures import signatures
from symgen.verify.states import draw, others

ROBOTS = ("planar3r", "stanford", "puma")
MUTANTS = 84
"""Of each kind and robot: 504 of both kinds for all robots."""

STATES = 20


@functools.cache
def derivation(name):
    return derive(library.load(name), Options(functions=("all",), effort="low"))


# programs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROBOTS)
def test_no_mutated_program_is_proved(name):
    pick, given = random.Random(name), derivation(name)
    changeable = [function for function in given.module.functions if mutable(function.program)]
    functions = [pick.choice(changeable) for _ in range(MUTANTS)]
    mutants = [dataclasses.replace(f, program=mutated_program(f.program, pick)) for f in functions]
    proofs = prove(dataclasses.replace(given, module=dataclasses.replace(given.module, functions=tuple(mutants))))
    different = [not same_numbers(f, m.program) for f, m in zip(functions, mutants, strict=True)]
    assert sum(different) > 0.9 * MUTANTS
    assert [f"{p.function} {k}" for k, p in enumerate(proofs) if p.holds and different[k]] == []


# emitted text ----------------------------------------------------------------------------------------------


def places(body):
    """Operations and constants of a function's statements, which make values of the state."""
    assignments = [statement for statement in body.body if isinstance(statement, ast.Assign)]
    for statement in assignments[2:]:  # the first two check the arguments and make room
        yield from (node for node in ast.walk(statement.value) if is_mutable(node))


def is_mutable(node):
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add | ast.Sub)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float)
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def mutate(node, pick):
    """Change a node of a syntax tree in place."""
    if isinstance(node, ast.Constant):
        node.value *= 1 + 1e-6
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()
    elif pick.random() < 0.5:
        node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    else:
        node.right = ast.BinOp(copy.deepcopy(node.right), ast.Mult(), ast.Constant(0.0))


def mutated_text(body, module, pick):
    """A function of a generated NumPy module with one mutation: `body` is its syntax tree, `module` its namespace."""
    body = copy.deepcopy(body)
    mutate(pick.choice(list(places(body))), pick)
    namespace = dict(module)
    exec(compile(ast.fix_missing_locations(ast.Module([body], [])), "mutant", "exec"), namespace)
    return namespace[body.name]


def original(text):
    namespace = {"__name__": "original"}
    exec(compile(text, "original", "exec"), namespace)
    return namespace


def arrays(values):
    return values if isinstance(values, tuple) else (values,)


@pytest.mark.parametrize(("part", "name"), usual(len(ROBOTS), [(part, name) for part in range(2) for name in ROBOTS]))
def test_no_mutated_text_passes_that_is_off_by_more_than_its_bound(part, name):
    pick, given = random.Random(f"{name} {part}"), derivation(name)
    robot, setting, bounds = library.load(name), setting_of(given), roundings(given.module)
    (text,) = emit_python(given.module).values()
    bodies = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    module = original(text)
    oracle = Oracle(robot)
    known = signatures(robot, setting)
    at = draw(oracle, STATES, (0, 0), setting, others(known.values()))
    # What only passes values on has nothing to change.
    names = [function.name for function in given.module.functions if any(places(bodies[function.name]))]
    passed, off = [], 0
    right = Comparison(oracle, module, known, setting, at, bounds)

    def exceeds(function, mutant):
        """Whether a mutation changes an entry by more than code and oracle together may err, at some state."""
        changed = arrays(mutant(*right.arguments(function)))
        pairs = zip(changed, right.call(function), right.of(function), strict=True)
        return any(np.any(~(np.abs(new - old.value) <= 1.5 * (old.radius + due.radius))) for new, old, due in pairs)

    count = MUTANTS // 2
    assert count >= len(names)
    for number in range(count):
        function = names[number % len(names)]
        mutant = mutated_text(bodies[function], module, pick)
        with np.errstate(all="ignore"):
            wrong = exceeds(function, mutant)
        off += wrong
        if wrong and verify(robot, {function: mutant}, STATES, setting=setting, roundings=bounds).passed:
            passed.append((number, function))
    assert passed == []
    assert off > 0.8 * count
