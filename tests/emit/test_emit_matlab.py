"""MATLAB: packages against the oracle and NumPy's numbers in Octave, what users see, and the compiled gateway."""

import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from derivations import derivation
from robots_with_drives import equipped
from sample_modules import function, module, random_module
from test_emit_batch import arrays

from symgen import api
from symgen.build.files import write_files
from symgen.derive.derivation import Options, derive
from symgen.derive.setting import setting_of
from symgen.emit.python.runner import namespace
from symgen.emit.registry import language
from symgen.errors import EnvironmentFault, InternalError, LimitError
from symgen.program.graph import Graph
from symgen.program.module import Parameter
from symgen.program.program import Array
from symgen.program.rounding import roundings
from symgen.robot.library import chain
from symgen.verify.compare import verify

MATLAB = language("matlab")
octave = pytest.mark.skipif(shutil.which("octave") is None, reason="needs octave (Debian's package octave)")
mkoctfile = pytest.mark.skipif(shutil.which("mkoctfile") is None, reason="needs mkoctfile (Debian's octave-dev)")


def runtime():
    options = Options(("inverse_dynamics", "jacobian"), parameters="runtime", gravity="runtime", effort="low")
    return derive(equipped("scara"), options).module


RUNTIME = "run-time parameters"
OPTIONS = {
    "one of everything": lambda: derivation("scara").module,
    RUNTIME: runtime,
    "loops": lambda: derive(chain(12), Options(("forward_dynamics",), forward_dynamics="aba", effort="low")).module,
    "any program": lambda: random_module(60, trig=True),
}


@octave
@pytest.mark.parametrize(
    ("name", "real"),
    [*((name, "float64") for name in OPTIONS), ("loops", "float32"), (RUNTIME, "float32")],
)
def test_the_numbers_are_those_of_numpy(name, real):
    made, plain = replace(OPTIONS[name](), real=real), language("python")
    tolerance = {"float64": 1e-12, "float32": 2e-5}[real]
    with (
        MATLAB.run(made, MATLAB.write(made)) as functions,
        plain.run(made, plain.write(made)) as expected,
        np.errstate(all="ignore"),
    ):
        for item in made.functions:
            given = arrays(item, 7, real=real)
            results = expected[item.name](*given)
            results = results if len(item.outputs) > 1 else (results,)
            for found, result in zip(functions[item.name](*given), results, strict=True):
                scale = np.nanmax(abs(result), initial=1.0, where=np.isfinite(result))
                assert found.dtype == real
                np.testing.assert_allclose(found, result, rtol=tolerance, atol=tolerance * scale)


FUNCTIONS = {
    "planar3r": ("all",),
    "puma": ("inverse_dynamics", "forward_dynamics", "jacobian"),
    "five_bar": ("inverse_dynamics", "forward_dynamics", "velocity_transformation", "assembly_step"),
    "solo12": ("inverse_dynamics", "integrate", "difference"),
}


@octave
@pytest.mark.parametrize("robot", FUNCTIONS)
def test_functions_are_what_the_oracle_says(robot):
    loaded = api.load(robot)
    made = derive(loaded, Options(FUNCTIONS[robot], effort="low"))
    with MATLAB.run(made.module, MATLAB.write(made.module)) as functions:
        report = verify(loaded, functions, states=3, setting=setting_of(made), roundings=roundings(made.module))
    assert report.passed
    assert {check.name.partition(" ")[0] for check in report.checks} >= {item.name for item in made.module.functions}


def said(folder, made, text, *others):
    """What Octave prints, in one process, for lines of MATLAB that use a module."""
    write_files(folder, {**MATLAB.write(made), "use_it.m": text})
    command = ["octave", "--no-gui", "--norc", "--quiet", "use_it.m"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


BAD = {
    "scara.jacobian([1, 2, 3, 4], c)": "scara.jacobian: q: expected real numbers, 4 x count; found a double of 1 x 4",
    "scara.jacobian(1i*ones(4, 1), c)": "scara.jacobian: q: expected real numbers, 4 x count; found a double of 4 x 1",
    "scara.jacobian({}, c)": "scara.jacobian: q: expected real numbers, 4 x count; found a cell of 0 x 0",
    "scara.inverse_dynamics(q)": "scara.inverse_dynamics: expected q, qd, qdd, gravity, constants; found 1 arguments",
    "scara.inverse_dynamics(q, q(:, 1:2), q, g, c)": (
        "scara.inverse_dynamics: qd: expected 3 columns, as before, or one; found 2"
    ),
    "scara.constants_of(struct('nosuch', 1))": "scara: parameters unknown: nosuch; there are: ",
    "scara.constants_of(7)": "scara.constants_of: expected a struct of parameters; found a double",
    "scara.constants_of(struct('FIRST', 'x'))": "scara: parameter FIRST: expected a real number; found a char",
}


@octave
def test_what_a_program_sees(tmp_path):
    made = runtime()
    first = "m4"
    bad = [f"try, {call.replace('FIRST', first)}; catch e, disp(['bad ', e.message]), end" for call in BAD]
    text = f"""
    q = reshape(0.1*(1:12), 4, 3); q(2, 2) = NaN; g = [0; 0; -9.81]; c = scara.constants_of();
    usual = scara.inverse_dynamics(q, q, 0*q, g, c);
    heavy = scara.inverse_dynamics(q, q, 0*q, g, struct('{first}', 1e3));
    one = scara.inverse_dynamics(q(:, 3), q(:, 3), zeros(4, 1), g, c);
    disp([size(usual), size(scara.jacobian(q, c)), size(scara.jacobian(zeros(4, 0), c))])
    disp([any(isnan(usual)), isequal(one, usual(:, 3)), any(heavy(:, 3) ~= usual(:, 3))])
    robot = scara.info(); disp([robot.nq, robot.nv, numel(robot.joints), robot.parameters.{first}])
    {chr(10).join(bad)}
    help scara.jacobian
    """
    shapes, checks, numbers, *rest = said(tmp_path, made, text)
    messages = [line.removeprefix("bad ") for line in rest if line.startswith("bad ")]
    assert shapes.split() == ["4", "3", "6", "4", "3", "6", "4", "0"]
    assert checks.split() == ["0", "1", "0", "1", "1"]
    default = next(parameter.default for parameter in made.parameters if parameter.name == first)
    assert list(map(float, numbers.split())) == pytest.approx([4, 4, 4, default], rel=1e-3)
    for found, expected in zip(messages, BAD.values(), strict=True):
        assert found.startswith(expected.replace("FIRST", first))
    assert any("q [4 x count]: joint positions" in line for line in rest)


@octave
def test_loops_are_closed_and_matrices_unpacked(tmp_path):
    options = Options(("inertia_matrix", "assembly_step"), effort="low", packed=True)
    made = derive(api.load("five_bar"), options).module
    plain = namespace(language("python").write(made))
    text = """
    robot = five_bar.info(); given = robot.neutral([1, 3]);
    [q, status] = five_bar.assemble([given, given + 0.05, [50; 0/0]], robot.neutral);
    pattern = robot.patterns.inertia_matrix.inertia;
    M = five_bar.to_dense(pattern, five_bar.inertia_matrix(q(:, 1:2)));
    printf('%.17g ', q, status, M, size(M));
    """
    numbers = np.array(said(tmp_path, made, text)[0].split(), dtype=float)
    q, status, M, size = np.split(numbers, [12, 15, 23])
    neutral = np.array(plain["NEUTRAL"])
    expected, closed = plain["assemble"](neutral[[0, 2]] + np.array([[0.0], [0.05]]), neutral)
    np.testing.assert_allclose(q.reshape(3, 4)[:2], expected, atol=1e-12)
    assert np.isnan(q[8:]).all()
    assert status.tolist() == [*closed, 1]
    assert not any(closed)
    whole = plain["to_dense"]("inertia_matrix", plain["inertia_matrix"](expected))
    np.testing.assert_allclose(M.reshape(2, 2, 2).transpose(0, 2, 1), whole, rtol=1e-12)
    assert size.tolist() == [2, 2, 2]


@octave
@mkoctfile
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_the_gateway_calls_the_c(real, tmp_path):
    made = replace(runtime(), real=real)
    kind = {"float64": "double", "float32": "single"}[real]
    write_files(tmp_path, {**language("c").write(made), **MATLAB.write(made)})
    flags = ["-Wall", "-Wextra", "-Werror", "-Wno-maybe-uninitialized", "-O1"]  # GCC errs in vectors of the batches
    command = ["mkoctfile", "--mex", *flags, "scara_mex.c", "scara.c", "scara_batch.c"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    text = f"""
    q = {kind}(rand(4, 9)); g = {kind}([0; 0; -9.81]); c = scara.constants_of(); near = 50*eps('{kind}');
    tau = scara.inverse_dynamics(q, q, q(:, 1), g, c);
    J = scara.jacobian(q, c);
    disp(max(max(abs(scara_mex('inverse_dynamics', q, q, q(:, 1), g, c) - tau))) < near*max(abs(tau(:))))
    K = scara_mex('jacobian', q, c);
    disp([size(K), max(abs(K(:) - J(:))) < near, isa(K, '{kind}')])
    try, scara_mex('jacobian', q); catch e, disp(e.message), end
    try, scara_mex('jacobian', q(1:3, :), c); catch e, disp(e.message), end
    try, scara_mex('jacobian', int8(q), c); catch e, disp(e.message), end
    try, scara_mex('jacobian', q(:, 1), [c, c]); catch e, disp(e.message), end
    try, scara_mex('nosuch', q); catch e, disp(e.message), end
    try, scara_mex(); catch e, disp(e.message), end
    """
    first, second, *messages = said(tmp_path, made, text)
    assert first.split() == ["1"]
    assert second.split() == ["6", "4", "9", "1", "1"]
    assert [message.removeprefix("scara_mex: ") for message in messages] == [
        "jacobian has 2 arguments and 1 results; found 1 and 0",
        f"jacobian: q: expected a full real array of class {kind}, 4 x count; found one of class {kind}, 3 x 9",
        f"jacobian: q: expected a full real array of class {kind}, 4 x count; found one of class int8, 4 x 9",
        "jacobian: constants: expected one column",
        "there is no function nosuch",
        "expected the name of a function first",
    ]


# names, tools ------------------------------------------------------------------------------------


def sample(name="sample", call="triple", *parameters):
    graph = Graph()
    program = graph.program([Array("q", (1,))], [(Array("y", (1,)), [graph.variable("q", 0) * 3])])
    given = tuple(Parameter(each, 1.0, "1", "a number") for each in parameters)
    return replace(module(function(call, program), name=name), parameters=given)


def test_names_that_matlab_has_taken_get_an_underscore():
    made = MATLAB.fitting(sample("End", "triple", "end", "end_", "until", "m1"))
    assert made.name == "End_"
    assert [parameter.name for parameter in made.parameters] == ["end__", "end_", "until_", "m1"]


@pytest.mark.parametrize(
    "made",
    [sample("_arm"), sample("a" * 64), sample("arm", "jacobian_" + 60 * "x"), sample("arm", "triple", "_m")],
    ids=["underscore", "robot", "function", "parameter"],
)
def test_names_that_matlab_cannot_take_are_refused(made):
    with pytest.raises(LimitError, match="is none that MATLAB takes: expected a letter first and at most 63 char"):
        MATLAB.write(made)


def test_lines_are_short_and_files_lie_in_the_package():
    files = MATLAB.write(OPTIONS["loops"]())
    assert [name for name in files if not name.startswith("+")] == ["chain12_mex.c"]
    assert {name.partition("/")[0] for name in files if name.endswith(".m")} == {"+chain12"}
    code = [line for name, text in files.items() if name.endswith(".m") for line in text.splitlines()]
    assert max(map(len, code)) <= 110


@octave
def test_a_package_that_octave_cannot_load_is_our_fault():
    made = sample()
    files = {"+sample/triple.m": "function y = triple(q)\n  y = (;\nend\n"}
    with (
        MATLAB.run(made, files) as functions,
        pytest.raises(InternalError, match=r"(?s)octave failed on triple:.*parse error"),
    ):
        functions["triple"](np.zeros((1, 1)))


def test_without_octave(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EnvironmentFault, match="no octave found; install Octave"), MATLAB.run(sample(), {}):
        pass
