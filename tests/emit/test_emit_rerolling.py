"""Loops: the numbers of straight code, whatever repeats itself, and as many operations."""

import re
import shutil
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_language import Plain, line
from robots_with_drives import equipped
from test_emit_batch import arrays, batch, compiled, pointers, singles, units_apart
from test_emit_counts import agrees

from symgen.algebra.exact import Exact
from symgen.derive.derivation import Options, derive
from symgen.emit.lower import lower
from symgen.emit.rerolling.parity import Parity
from symgen.emit.rerolling.periods import Stretch, stretches
from symgen.emit.style import Sines, Style
from symgen.emit.tree import TURN, Call, Loop
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.module import CONSTANTS
from symgen.program.program import Array, Op
from symgen.robot.expression import constant
from symgen.robot.library import chain, load
from symgen.robot.model import Drive

LOOPS = Style(sines=Sines.FIRST, loops=True)

gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@pytest.fixture(autouse=True)
def _short_programs_too(monkeypatch):
    for place in ("symgen.emit.rerolling.lowering", "symgen.passes.balance"):
        monkeypatch.setattr(f"{place}.REPEATING", 0)


def run(program, given):
    """The outputs by the code's own text; only tests of text ever evaluate it."""
    made, text = lower(program, LOOPS), Plain().expression
    values = {**given, "sqrt": np.sqrt, "nonzero": lambda x, least: np.nan if abs(x) < least else x}
    read = set()
    results = {array.name: np.full(array.size, np.nan) for array, _ in program.outputs}
    values |= results | {name: np.full(size, np.nan) for name, size in made.arrays.items()}

    def compute(text):
        read.update(name for name in made.arrays if f"{name}[" in text)
        return eval(compile(text, "<text>", "eval"), {"__builtins__": {}}, values)

    def execute(statement):
        assign(*line(statement)[:2])

    def assign(target, text):
        name, _, index = target.removesuffix("]").partition("[")
        if index:
            values[name][compute(index)] = compute(text)
        else:
            values[name] = compute(text)

    for statement in made.head:
        execute(statement)
    angles = np.array([compute(text(angle)) for angle in made.angles])
    values |= {"sine": np.sin(angles), "cosine": np.cos(angles)}
    for place, names in enumerate(made.points):
        values |= {name: values[array][place] for name, array in zip(names, ("sine", "cosine"), strict=True) if name}
    for item in made.body:
        if isinstance(item, Loop):
            values |= {name: [[x.value for x in row] for row in rows] for name, rows in item.numbers.items()}
            values |= item.places
            values |= {each.name: compute(text(each.before)) for each in item.carried}
            for turn in range(item.times):
                values[TURN] = turn
                for statement in item.body:
                    execute(statement)
                for each in item.carried:
                    assign(each.name, text(each.after))
        else:
            execute(item)
    assert read == set(made.arrays)  # else compilers would warn
    return results, sum(isinstance(item, Loop) for item in made.body)


def state(program, seed=3):
    chance = np.random.default_rng(seed)
    return {array.name: chance.uniform(-2, 2, array.size) for array in program.inputs}


def check(program):
    """The number of loops, if the results are those of the interpreter."""
    given_ = state(program)
    found, loops = run(program, given_)
    for name, values in evaluate(program, given_).items():
        # The same operations in the same order, whatever the signs.
        np.testing.assert_array_equal(found[name], np.ravel(values))
    return loops


FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "gravity_torque", "inertia_matrix", "jacobian")


@pytest.mark.parametrize("joints", [5, 8, 11])
def test_chains(joints):
    made = derive(chain(joints), Options(functions=FUNCTIONS, forward_dynamics="aba", effort="low"))
    loops = {item.name: check(item.program) for item in made.module.functions}
    assert joints < 11 or (loops["inverse_dynamics"] >= 2 and loops["forward_dynamics"] >= 4)


@pytest.mark.parametrize("sines", [Sines.FIRST, Sines.BEFORE])
def test_angles_with_offsets_are_made_before_the_loops(sines, monkeypatch):
    """Some of them are what springs are stretched by, too: the loops and the angles both need them."""
    monkeypatch.setattr("test_emit_rerolling.LOOPS", Style(sines=sines, loops=True))
    arm, offset = chain(11), constant(Fraction(3, 10))
    drive = Drive(stiffness=constant(20), rest=-offset)
    links = [
        replace(link, joint=replace(link.joint, offset=offset, drive=drive if index % 2 else link.joint.drive))
        for index, link in enumerate(arm.links)
    ]
    made = derive(replace(arm, links=tuple(links)), Options(functions=FUNCTIONS[:2], effort="low"))
    assert min(check(item.program) for item in made.module.functions) >= 1


def test_chains_with_joints_of_two_kinds():
    made = derive(chain(16, prismatic=(2, 5, 8, 11, 14)), Options(functions=FUNCTIONS[:3], effort="low"))
    assert sum(check(item.program) for item in made.module.functions) >= 1


@pytest.mark.parametrize("name", ["puma", "panda", "scara", "planar3r"])
def test_robots_that_hardly_repeat_themselves(name, monkeypatch):
    """Whatever looks alike is right, however short."""
    monkeypatch.setattr("symgen.emit.rerolling.periods.SHORTEST", 2)
    options = Options(functions=(*FUNCTIONS, "inverse_dynamics_derivatives"), effort="low")
    for item in derive(load(name), options).module.functions:
        check(item.program)


OPERATIONS = st.sampled_from(["add", "sub", "mul", "scale", "plus", "turn", "old", "square", "nonzero"])
STEPS = st.lists(st.tuples(OPERATIONS, st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=12)


ANGLES = {
    "plain": lambda q, k: q[k],
    "turned on": lambda q, k: q[k] + Exact.of(2),
    "turned back": lambda q, k: Exact.of(2) - q[k],
    "parallel": lambda q, k: q[k] - q[k - 1],
}


def recurrence(steps, turns, sign, back, angle, told=0):
    """A program that does the same for every entry of its inputs, and then for all in turn back again.

    `told`: a bit for each turn whether what it gives is no output after all.
    """
    graph = Graph()
    q, qd = ([graph.variable(name, k) for k in range(turns)] for name in ("q", "qd"))
    state_ = [q[0] * qd[0], q[0] + qd[0], qd[0] * qd[0]]
    kept, outputs = [], []
    for k in range(turns):
        picked = graph.variable("p", (k * k + k // 2) % turns)
        values = [*state_, picked, q[k], qd[k], *graph.circle(ANGLES[angle](q, k))]
        for number, (operation, i, j) in enumerate(steps):
            x, y = values[-1 - i % len(values)], values[-1 - j % len(values)]
            values.append(
                {
                    "add": lambda x, y, k=k: x + y,
                    "sub": lambda x, y, k=k: x - y if k % 2 or not sign else y - x,
                    "mul": lambda x, y, k=k: x * y,
                    "scale": lambda x, y, k=k, n=number: (n + k % 3 + 2) * x - y,
                    "plus": lambda x, y, k=k: x + (k + 2),
                    "turn": lambda x, y, k=k: -y if k % 2 and sign else y,
                    "old": lambda x, y, k=k: x - (kept[-1][0] if kept else y),
                    "square": lambda x, y, k=k: x * x,
                    "nonzero": lambda x, y, k=k: graph.nonzero(x, Fraction(k % 2 + 1, 100)) * y,
                }[operation](x, y)
            )
        kept.append(state_)
        state_ = values[-3:]
        outputs.append(values[-1 - steps[0][1] % 3])
    if back:
        total = state_[0]
        for k in reversed(range(turns)):
            total = total * kept[k][1] - qd[k] * kept[k][0] + 3 * kept[k][2] * q[k]
            outputs[k] = outputs[k] + total
    inputs = [Array(name, (turns,)) for name in ("q", "qd", "p")]
    outputs = [output for k, output in enumerate(outputs) if not told >> k & 1]
    return graph.program(inputs, [(Array("y", (len(outputs),)), outputs), (Array("z", (3,)), state_)])


def test_straight_code_guards_what_a_loop_keeps(monkeypatch):
    """Where a guard is a call of its own, as in batches, its argument may be an entry of a loop's array."""
    monkeypatch.setattr("symgen.emit.rerolling.periods.SHORTEST", 2)
    graph = Graph()
    x, kept = graph.variable("p", 0), []
    for k in range(12):
        x = x * graph.variable("q", k) + graph.variable("qd", k)
        kept.append(x)
    guarded = graph.nonzero(kept[3], Fraction(1, 100)) * kept[5]
    inputs = [Array("q", (12,)), Array("qd", (12,)), Array("p", (1,))]
    program = graph.program(inputs, [(Array("y", (12,)), kept), (Array("z", (1,)), [guarded])])
    made = lower(program, replace(LOOPS, called=frozenset({Op.NONZERO})))
    assert any(isinstance(item, Loop) for item in made.body)
    (call,) = (item for item in made.body if isinstance(item, Call))
    assert call.op is Op.NONZERO


@given(STEPS, st.integers(3, 9), st.booleans(), st.booleans(), st.sampled_from(sorted(ANGLES)), st.integers(0, 511))
def test_whatever_repeats_itself(steps, turns, sign, back, angle, told):
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr("symgen.emit.rerolling.lowering.REPEATING", 0)
        patch.setattr("symgen.emit.rerolling.periods.SHORTEST", 2)
        check(recurrence(steps, turns, sign, back, angle, told))


@gcc
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_compiled_loops_give_what_the_interpreter_gives(real, tmp_path):
    options = Options(functions=("inverse_dynamics", "forward_dynamics"), forward_dynamics="aba", effort="low")
    made = replace(derive(chain(12), options).module, real=real)
    library = compiled(made, tmp_path, "-O1")
    assert (tmp_path / "chain12.c").read_text().count("i++) {") > 4
    for item in made.functions:
        given_ = arrays(item, 19, real=real)
        names = [argument.name for argument in item.inputs]
        (output,) = item.outputs
        rows = [
            evaluate(item.program, dict(zip(names, row, strict=True)))[output.name] for row in zip(*given_, strict=True)
        ]
        for found in (singles(library, made, item, given_), batch(library, made, item, given_)):
            np.testing.assert_allclose(found[0], np.array(rows), rtol=1e-9 if real == "float64" else 2e-2, atol=1e-3)


@gcc
def test_loops_over_run_time_parameters(tmp_path):
    options = Options(functions=("inverse_dynamics",), parameters="runtime", gravity="runtime", effort="low")
    made = derive(chain(12), options).module
    library = compiled(made, tmp_path)
    assert re.search(r"constants->k\[\d*\*?i", (tmp_path / "chain12.c").read_text())
    constants = np.full(made.constants_size, np.nan)
    library.chain12_init(*pointers([np.array([p.default for p in made.parameters]), constants]))
    (item,) = made.functions
    assert item.inputs[-1].name == CONSTANTS
    given_ = arrays(item, 21)
    expected = singles(library, made, item, given_, pointers([constants]))
    assert units_apart(batch(library, made, item, given_, pointers([constants])), expected) < 4
    plain = derive(chain(12), replace(options, parameters="numeric")).module.functions[0].program
    for row, tau in zip(zip(*given_, strict=True), expected[0], strict=True):
        names = [argument.name for argument in item.inputs[:-1]]
        np.testing.assert_allclose(tau, evaluate(plain, dict(zip(names, row, strict=True)))["tau"], rtol=1e-9)


def test_operations_are_counted_in_loops():
    options = Options(functions=("inverse_dynamics", "forward_dynamics"), forward_dynamics="aba", effort="low")
    assert agrees(derive(chain(12), options).module) == []
    assert agrees(derive(equipped("scara"), Options(effort="low")).module) == []


# the parts ----------------------------------------------------------------------------------------------


def test_equations_of_signs():
    parity = Parity()
    a, b, c = (parity.unknown() for _ in range(3))
    assert parity.require(a ^ b ^ 1)
    assert parity.require(b ^ c)
    assert not parity.require(a ^ c)
    assert parity.require(a ^ c ^ 1)
    assert parity.require(a)
    solution = parity.solution()
    assert [solution.value(form) for form in (a, b, c, a ^ b, a ^ 1)] == [0, 1, 1, 1, 1]


def test_stretches(monkeypatch):
    monkeypatch.setattr("symgen.emit.rerolling.periods.SHORTEST", 2)
    assert stretches([9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 8, 8]) == [Stretch(1, 11, 3)]
    assert Stretch(1, 11, 3).times == 3
    assert stretches([1, 2, 1, 2, 1, 2, 7, 4, 5, 6, 4, 5, 6, 4, 5, 6]) == [Stretch(0, 6, 2), Stretch(7, 16, 3)]
    assert stretches([1, 2, 1, 2, 3, 4, 3, 4]) == []
    assert stretches([]) == []


def test_numbers_take_up_signs():
    """Every second term is subtracted: one table of numbers, and one sum for all."""
    graph = Graph()
    total = graph.variable("q", 0) * graph.variable("qd", 0)
    for k in range(1, 30):
        total = total * graph.variable("q", k) + Exact.of((-1) ** k * (k + 1)) * graph.variable("qd", k)
    program = graph.program([Array("q", (30,)), Array("qd", (30,))], [(Array("y", (1,)), [total])])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("symgen.emit.rerolling.periods.SHORTEST", 2)
        assert check(program) == 1
