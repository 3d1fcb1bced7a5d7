"""Rust: the numbers of the C bit for bit, a crate that Cargo tests, and what its own elementary functions give."""

import math
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest
from beside_c import OPTIONS, assert_any_program, assert_same_as_c, circles, gcc, run
from sample_modules import function, module
from thorough import usual

from symgen import api
from symgen.derive.derivation import Options, derive
from symgen.emit.python.runner import namespace
from symgen.emit.registry import language
from symgen.errors import EnvironmentFault, InternalError
from symgen.program.graph import Graph
from symgen.program.program import Array

RUST = language("rust")
rustc = pytest.mark.skipif(shutil.which("rustc") is None, reason="needs rustc")
cargo = pytest.mark.skipif(shutil.which("cargo") is None, reason="needs cargo")

LONG = Options(functions=("forward_dynamics_derivatives",), effort="low")
CASES = [
    ("one of everything", "float64"),
    ("base parameters", "float32"),
    ("run-time parameters", "float64"),
    ("run-time parameters", "float32"),
    ("loops over parameters", "float64"),
    ("long", "float64"),
]


def write(made, folder):
    """The folder of the crate."""
    for name, text in RUST.write(made).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder / made.name


@rustc
@gcc
@pytest.mark.parametrize(("name", "real"), CASES)
def test_the_numbers_are_those_of_the_c(name, real, tmp_path):
    """Bit for bit, but where tanh or atan are not libm's: there within what rounding allows."""
    made = derive(api.load("panda"), LONG).module if name == "long" else OPTIONS[name]()
    made = replace(made, real=real)
    assert_same_as_c("rust", made, tmp_path)


ROBOTS = {
    "planar2r": Options(functions=("all",), effort="low"),
    "five_bar": Options(functions=("inverse_dynamics", "forward_dynamics"), effort="low"),
    "solo12": Options(functions=("inverse_dynamics", "inertia_matrix"), effort="low", packed=True),
    "planar3r": Options(functions=("all",), effort="low"),
}


@rustc
@pytest.mark.parametrize("name", usual(3, list(ROBOTS)))
def test_robots_against_the_oracle(name):
    made = api.run(api.load(name), ROBOTS[name], states=8, languages=("rust",))
    (written,) = made.written
    assert written.report is not None, written.reason
    assert written.passed, str(written.report)


@rustc
def test_any_program():
    assert_any_program("rust", 60)


# elementary functions ------------------------------------------------------------------------------


def elementary():
    """sin, cos, sqrt, tanh and atan of one number, and the sine and cosine of a sine."""
    graph = Graph()
    x = graph.variable("x", 0)
    c, s = graph.circle(x)
    late = graph.circle(s)
    results = [s, c, graph.sqrt(x), graph.tanh(x), graph.atan(x), late[1], late[0]]
    return module(function("elementary", graph.program([Array("x", (1,))], [(Array("y", (7,)), results)])))


LIBM = [np.sin, np.cos, np.sqrt, np.tanh, np.arctan, lambda x: np.sin(np.sin(x)), lambda x: np.cos(np.sin(x))]
UNITS = [2.5, 2.5, 0.5, 4, 3, 3, 3]
"""How far from the C library's results they may be: both err by up to a unit or more. Square roots are rounded once."""


@rustc
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_elementary_functions(real):
    """Of numbers of any size; those between the largest near angle and the next are among them."""
    made = replace(elementary(), real=real)
    chance, info = np.random.default_rng(5), np.finfo(real)
    exponents = chance.uniform(np.log2(info.tiny), np.log2(info.max), 2000)
    edges = [info.max, info.tiny, info.smallest_subnormal * 3, 0.0, 1.0, 0.5, np.pi / 4, 524288, 524289, 8192, 8193]
    x = np.array([*np.exp2(exponents), *chance.uniform(0, 30, 2000), *edges]).astype(real)
    ((found,),) = run("rust", made, {"elementary": [x[:, None]]}).values()
    wide = x.astype("float64")
    for k, (call, units) in enumerate(zip(LIBM, UNITS, strict=True)):
        expected = call(wide)
        size = np.maximum(np.abs(expected), 1 if k in (0, 1) else 0) if k < 5 else 1.0
        assert np.all(np.abs(found[:, k] - expected) <= units * info.eps * size + 2 * info.smallest_subnormal), k
    np.testing.assert_array_equal(found[:, 2], np.sqrt(x))


@rustc
def test_large_angles_lose_nothing():
    """Angles next to multiples of pi/2, where most is lost, have small sines or cosines with all their digits."""
    x = np.array([6381956970095103.0 * 2.0**797, 1e22, *np.round(np.arange(1e6, 1e6 + 500)) * (np.pi / 2)])
    ((found,),) = run("rust", elementary(), {"elementary": [x[:, None]]}).values()
    np.testing.assert_allclose(found[1:, 0], list(map(math.sin, x[1:])), rtol=4e-16)
    np.testing.assert_allclose(found[1:, 1], list(map(math.cos, x[1:])), rtol=4e-16)
    # The one that is nearest of all; Muller, Elementary Functions, names it. C libraries lose digits there.
    np.testing.assert_allclose(found[0, :2], [1.0, -4.68716592425462761112e-19], rtol=2e-16)


@rustc
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_what_is_no_number(real):
    made = replace(elementary(), real=real)
    x = np.array([np.nan, np.inf, -np.inf, -1.0, -0.0], dtype=real)
    ((found,),) = run("rust", made, {"elementary": [x[:, None]]}).values()
    with np.errstate(invalid="ignore"):
        expected = np.stack([call(x) for call in LIBM[:5]], axis=1)
    np.testing.assert_allclose(found[:, :5], expected, rtol=1e-6)


@rustc
def test_only_groups_with_large_angles_are_reduced_otherwise():
    q = np.array([[0.5, 0.6, 0.7], [1e15, np.nan, 1.0], [-1e15, 1.0, 2.0], [-0.0, np.pi, -np.pi / 2]])
    ((found,),) = run("rust", circles(), {"circles": [q]}).values()
    np.testing.assert_allclose(found[:, ::2], np.cos(q), rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(found[:, 1::2], np.sin(q), rtol=1e-14, atol=1e-15)


# crates ------------------------------------------------------------------------------------------


def call(*command, folder):
    """What a command prints, which must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@cargo
def test_cargo_tests_a_crate(tmp_path):
    crate = write(elementary(), tmp_path)
    assert "5 passed" in call("cargo", "test", "--offline", folder=crate)


@cargo
@pytest.mark.skipif(shutil.which("cargo-clippy") is None, reason="needs clippy")
def test_clippy_has_nothing_to_say(tmp_path):
    options = Options(functions=("inertia_matrix",), parameters=("m2",), effort="low", packed=True)
    for made in (elementary(), derive(api.load("scara"), options).module):
        crate = write(made, tmp_path)
        call("cargo", "clippy", "--offline", "--all-targets", "--", "-D", "warnings", folder=crate)


PROGRAM = """
fn main() {
    let mut usual = [0.0; scara::NV];
    let mut heavy = usual;
    let (q, zero, g) = ([0.1; scara::NQ], [0.0; scara::NV], [0.0, 0.0, -9.81]);
    let parameters = scara::Parameters::default();
    scara::inverse_dynamics(&q, &zero, &zero, &g, &scara::init(&parameters), &mut usual);
    let constants = scara::init(&scara::Parameters { FIRST: 1e3, ..parameters });
    scara::inverse_dynamics(&q, &zero, &zero, &g, &constants, &mut heavy);
    println!("{} {} {:?}", usual == heavy, parameters.FIRST, scara::JOINTS);
}
"""


def program(made, text, folder):
    """What a program that uses the crate prints."""
    crate = write(made, folder)
    call("rustc", "--edition=2021", "--crate-type=rlib", f"--crate-name={made.name}", "src/lib.rs", folder=crate)
    (crate / "main.rs").write_text(text, encoding="utf-8")
    call("rustc", "--edition=2021", f"--extern={made.name}=lib{made.name}.rlib", "main.rs", folder=crate)
    return call("./main", folder=crate)


@rustc
def test_what_a_program_sees(tmp_path):
    made = OPTIONS["run-time parameters"]()
    first = [parameter for parameter in made.parameters if parameter.kind == "mass"][-1]
    names = ", ".join(f'"{joint.name}"' for joint in made.record.joints)
    printed = program(made, PROGRAM.replace("FIRST", first.name), tmp_path)
    assert printed.split(maxsplit=2) == ["false", str(first.default), f"[{names}]\n"]


CLOSE = """
fn main() {
    for given in [[0.6, 1.9], [0.3, 2.2], [3.14, 0.0]] {
        let mut q = [0.0; five_bar::NQ];
        let closed = five_bar::assemble(&given, &five_bar::NEUTRAL, &mut q);
        println!("{:?} {}", q, closed.is_ok());
    }
}
"""


@rustc
def test_loops_are_closed_as_in_python(tmp_path):
    made = derive(api.load("five_bar"), Options(functions=("assembly_step", "closure"), effort="low")).module
    with_python = namespace(language("python").write(made))
    given = np.array([[0.6, 1.9], [0.3, 2.2], [3.14, 0.0]])
    q, status = with_python["assemble"](given, np.array(made.neutral))
    printed = [line.strip("[").split("] ") for line in program(made, CLOSE, tmp_path).splitlines()]
    assert [word == "true" for _, word in printed] == [True, True, False] == list(status == 0)
    np.testing.assert_allclose([np.fromstring(row, sep=",") for row, _ in printed], q, atol=1e-12)


DENSE = """
fn main() {
    let mut values = [0.0; scara::INERTIA_MATRIX_INERTIA.indices.len()];
    let mut matrix = [1.0; 16];
    scara::inertia_matrix(&[0.1, 0.2, 0.3, 0.4], &mut values);
    scara::INERTIA_MATRIX_INERTIA.to_dense(&values, &mut matrix);
    println!("{:?}", matrix);
    scara::INERTIA_MATRIX_INERTIA.to_dense(&values[..2], &mut matrix[..3]); // no panic
}
"""


@rustc
def test_packed_matrices_become_whole(tmp_path):
    options = Options(functions=("inertia_matrix",), effort="low", packed=True)
    whole, packed = (derive(api.load("scara"), replace(options, packed=each)).module for each in (False, True))
    with language("python").run(whole, language("python").write(whole)) as functions:
        expected = functions["inertia_matrix"](np.array([0.1, 0.2, 0.3, 0.4]))
    printed = np.fromstring(program(packed, DENSE, tmp_path).strip("[]\n"), sep=",")
    np.testing.assert_allclose(printed.reshape(4, 4), expected, rtol=1e-12, atol=1e-14)


@rustc
@pytest.mark.parametrize("made", [elementary, OPTIONS["loops over parameters"]], ids=["elementary", "loops"])
def test_nothing_panics(made, tmp_path):
    """Optimised code has no call of what panics: every index is seen to be in bounds."""
    crate = write(made(), tmp_path)
    call("rustc", "--edition=2021", "-O", "--crate-type=lib", "--emit=asm", "-o", "x.s", "src/lib.rs", folder=crate)
    text = (crate / "x.s").read_text(encoding="utf-8")
    assert "elementary" in text or "inverse_dynamics" in text
    assert "panic" not in text


def test_names_that_rust_has_taken():
    made = derive(api.load("planar2r"), Options(functions=("inertia_matrix",), effort="low")).module
    assert "type_/Cargo.toml" in RUST.write(replace(made, name="type"))
    assert "core_/Cargo.toml" in RUST.write(replace(made, name="core"))


@rustc
def test_free_text_is_text(tmp_path):
    """Neither what turns the order of letters, which Rust refuses, nor what Markdown takes for code."""
    text = '\u202e */ ``` \\ {} " //! \u2028#![feature(x)]'
    made = circles()
    joints = tuple(replace(joint, name=f'a "{text}') for joint in made.record.joints)
    made = replace(made, record=replace(made.record, description=text, source=text, table=(text,), joints=joints))
    assert run("rust", made, {"circles": [np.zeros((2, 3))]})["circles"][0].shape == (2, 6)


@rustc
def test_a_crate_that_is_not_rust_is_our_fault():
    files = {"sample/src/lib.rs": "pub fn"}
    with pytest.raises(InternalError, match="expected identifier"), RUST.run(circles(), files):
        pass


@pytest.mark.parametrize(("rustc", "found"), [("", "no rustc found"), ("no-such-tool", "no no-such-tool found")])
def test_without_rustc(rustc, found, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("RUSTC", rustc)
    with pytest.raises(EnvironmentFault, match=f"{found}; install Debian's package rustc"), RUST.run(circles(), {}):
        pass
