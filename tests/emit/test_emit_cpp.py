"""C++: the numbers of the C bit for bit, every option, numbers of other types, and what compilers say of bad calls."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest
from beside_c import OPTIONS, assert_any_program, assert_large_angles, assert_same_as_c, circles, gcc, run
from derivations import derivation
from test_emit_batch import arrays, call

from symgen import api
from symgen.derive.derivation import Options, derive
from symgen.emit.host import FLAGS
from symgen.emit.registry import language
from symgen.errors import EnvironmentFault, InternalError
from symgen.program.interpreter import evaluate
from symgen.program.module import CONSTANTS, LimitRecord
from symgen.robot.library import load

CPP = language("cpp")
HERE = Path(__file__).parent / "cpp"
COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
STRICT = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
cxx = pytest.mark.skipif(not COMPILERS, reason="needs g++ or clang++")

SAME = [
    ("one of everything", "float64"),
    ("run-time parameters", "float64"),
    ("base parameters", "float32"),
    ("loops over parameters", "float32"),
]


def header(made, folder):
    (written,) = CPP.write(made).items()
    (folder / written[0]).write_text(written[1], encoding="utf-8")


def program(text, folder, *flags, compiler=None):
    """The words that a program prints."""
    (folder / "main.cpp").write_text(text, encoding="utf-8")
    call(compiler or COMPILERS[0], *STRICT, f"-I{HERE}", *flags, "main.cpp", "-o", "main", folder=folder)
    return subprocess.run([str(folder / "main")], capture_output=True, text=True, check=True).stdout.split()


def refusal(text, folder):
    """What a compiler says of a program that it does not take."""
    (folder / "main.cpp").write_text(text, encoding="utf-8")
    command = [COMPILERS[0], *STRICT, "-fsyntax-only", "main.cpp"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode != 0
    return done.stderr


@cxx
@gcc
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(("name", "real"), SAME)
def test_the_numbers_are_those_of_the_c(name, real, compiler, monkeypatch, tmp_path):
    """Bit for bit, both compiled without contraction; and strict compilers have nothing to say."""
    made = replace(OPTIONS[name](), real=real)
    monkeypatch.setenv("CXX", compiler)
    monkeypatch.setattr("symgen.emit.host.FLAGS", (*FLAGS, *STRICT, "-Wshadow"))
    assert max(map(len, CPP.write(made)[f"{made.name}.hpp"].splitlines())) <= 100
    assert_same_as_c("cpp", made, tmp_path)


@cxx
@gcc
def test_long_functions_in_pieces_give_the_numbers_of_the_c(monkeypatch, tmp_path):
    monkeypatch.setattr("symgen.emit.pieces.LONG", 100)
    monkeypatch.setattr("symgen.emit.pieces.PIECE", 40)
    made = derivation("scara").module
    assert "forward_dynamics_2(" in CPP.write(made)["scara.hpp"]
    assert_same_as_c("cpp", made, tmp_path)


@cxx
def test_any_program():
    assert_any_program("cpp", 30)


@cxx
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_large_angles_and_what_is_no_number(real):
    assert_large_angles("cpp", real)


@cxx
def test_a_robot_with_loops_against_the_oracle():
    made = api.run(api.load("five_bar"), Options(("gravity_torque",), effort="low"), states=5, languages=("cpp",))
    (written,) = made.written
    assert written.report is not None
    assert made.passed


@cxx
def test_a_free_joint():
    made = derive(load("solo12"), Options(("gravity_torque", "integrate", "difference"), effort="low")).module
    given = {item.name: arrays(item, 5) for item in made.functions}
    found = run("cpp", made, given)
    for item in made.functions:
        names = [argument.name for argument in item.inputs]
        expected = evaluate(item.program, dict(zip(names, given[item.name], strict=True)))
        np.testing.assert_allclose(found[item.name][0], expected[item.outputs[0].name], rtol=1e-12, atol=1e-12)
    assert "neutral = {" in CPP.write(made)["solo12.hpp"]


# numbers of other types --------------------------------------------------------------------------------

DERIVATIVES = ("inverse_dynamics", "inverse_dynamics_derivatives", "inertia_matrix", "inverse_dynamics_hessian")

ALONG = """
#include <cstdio>
#include "scara.hpp"
#include "dual.hpp"

namespace arm = symgen::scara;

template <class Number>
void derivatives(const std::array<double, 4> (&x)[3], const std::array<double, 4> (&d)[3])
{
    std::array<Number, 4> given[3], tau;
    for (int k = 0; k < 3; k++) {
        for (std::size_t i = 0; i < 4; i++) {
            given[k][i] = Number(x[k][i], d[k][i]);
        }
    }
    arm::inverse_dynamics<Number>(given[0], given[1], given[2], tau);
    for (const Number &each : tau) {
        std::printf("%.17g ", each.slope);
    }
}

int main()
{
    const std::array<double, 4> x[3] = {{0.3, -0.4, 0.5, 0.6}, {1.1, 1.2, -1.3, 1.4}, {2.1, -2.2, 2.3, 2.4}};
    const std::array<double, 4> d[3] = {{0.5, 0.25, -0.75, 1}, {-1, 2, 0.5, 0.1}, {0.2, 0.3, -0.4, 3}};
    std::array<double, 16> by_q, by_qd, inertia;
    arm::inverse_dynamics_derivatives(x[0], x[1], x[2], by_q, by_qd);
    arm::inertia_matrix(x[0], inertia);
    for (std::size_t i = 0; i < 4; i++) {
        double sum = 0;
        for (std::size_t j = 0; j < 4; j++) {
            sum += by_q[4*i + j]*d[0][j] + by_qd[4*i + j]*d[1][j] + inertia[4*i + j]*d[2][j];
        }
        std::printf("%.17g ", sum);
    }
    derivatives<Dual<double, false>>(x, d);
    derivatives<Dual<double, true>>(x, d);

    using Second = Dual<Dual<double, false>, false>;
    std::array<Second, 4> q, qd, qdd, tau;
    std::array<double, 4> weights = {1, -2, 3, 4};
    std::array<double, 16> qq, qqd, qdqd, qqdd;
    arm::inverse_dynamics_hessian(x[0], x[1], x[2], weights, qq, qqd, qdqd, qqdd);
    for (std::size_t i = 0; i < 4; i++) {
        q[i] = Second({x[0][i], d[0][i]}, {d[0][i], 0});
        qd[i] = Second(x[1][i]);
        qdd[i] = Second(x[2][i]);
    }
    arm::inverse_dynamics<Second>(q, qd, qdd, tau);
    double form = 0, second = 0;
    for (std::size_t i = 0; i < 4; i++) {
        second += weights[i]*tau[i].slope.slope;
        for (std::size_t j = 0; j < 4; j++) {
            form += d[0][i]*qq[4*i + j]*d[0][j];
        }
    }
    std::printf("%.17g %.17g", form, second);
}
"""


@pytest.fixture(scope="module")
def scara():
    return derive(load("scara"), Options(functions=DERIVATIVES, effort="low")).module


@cxx
def test_dual_numbers_give_the_derivatives_that_the_analytic_functions_give(scara, tmp_path):
    """Along a direction; of numbers that mix with Real and of others, and of dual numbers of dual numbers."""
    header(scara, tmp_path)
    *found, form, second = map(float, program(ALONG, tmp_path))
    analytic, mixing, other = np.reshape(found, (3, 4))
    np.testing.assert_allclose(mixing, analytic, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(mixing, other)
    assert abs(form) > 0.01
    assert second == pytest.approx(form, rel=1e-11)


@cxx
def test_every_function_takes_numbers_of_other_types(tmp_path):
    """With parameters too: derivatives by them are those of differences."""
    made = OPTIONS["run-time parameters"]()
    header(made, tmp_path)
    name = next(parameter.name for parameter in made.parameters if parameter.kind == "mass")
    calls = []
    for item in made.functions:
        given = [a for a in (*item.inputs, *item.outputs) if a.name != CONSTANTS]
        texts = [f"x{k}" for k in range(len(given))]
        if item.inputs[-1].name == CONSTANTS:
            texts.insert(len(item.inputs) - 1, "constants")
        lines = [f"std::array<Number, {int(np.prod(a.shape))}> x{k};" for k, a in enumerate(given)]
        lines += [f"x{k}.fill(Number(0.25 + 0.5*{k}));" for k in range(len(given))]
        lines += [f"arm::{item.name}<Number>({', '.join(texts)});"]
        lines += [
            f"for (auto &y : x{k}) results.push_back(y);" for k in range(len(given) - len(item.outputs), len(given))
        ]
        calls.append(f"{{ {' '.join(lines)} }}")
    text = f"""
    #include <cstdio>
    #include <vector>
    #include "scara.hpp"
    #include "dual.hpp"
    namespace arm = symgen::scara;
    template <class Number>
    std::vector<Number> all(Number value)
    {{
        std::vector<Number> results;
        arm::Parameters<Number> parameters;
        parameters.{name} = value;
        const auto constants = arm::constants_of(parameters);
        {" ".join(calls)}
        return results;
    }}
    int main()
    {{
        const auto slopes = all(Dual<double, true>(2.0, 1.0));
        const auto above = all(2.0 + 1e-3), below = all(2.0 - 1e-3);
        for (std::size_t i = 0; i < slopes.size(); i++) {{
            std::printf("%.17g %.17g ", slopes[i].slope, (above[i] - below[i])/2e-3);
        }}
    }}
    """
    slopes, differences = np.reshape([float(x) for x in program(text, tmp_path)], (-1, 2)).T
    assert np.abs(slopes).max() > 0.1
    np.testing.assert_allclose(slopes, differences, rtol=1e-4, atol=1e-4)


def _places():
    """Folders of headers that packages of Python bring, and the system's."""
    installed = [Path(entry) / "cmeel.prefix" / "include" for entry in sys.path]
    return [*filter(Path.is_dir, installed), Path("/usr/include")]


def _eigen():
    """The folder of Eigen's headers, if some package has brought it or the system has it."""
    return next((place / "eigen3" for place in _places() if (place / "eigen3" / "Eigen" / "Core").is_file()), None)


EIGEN = """
#include <cstdio>
#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>
#include "scara.hpp"

namespace arm = symgen::scara;
using Number = Eigen::AutoDiffScalar<Eigen::Vector4d>;

int main()
{
    Eigen::Vector4d q(0.3, -0.4, 0.5, 0.6);
    Eigen::VectorXd qd(4), qdd = Eigen::VectorXd::Ones(4);
    qd << 1, 2, 3, 4;
    Eigen::Matrix<double, 4, 4, Eigen::RowMajor> by_q;
    Eigen::MatrixXd large = Eigen::MatrixXd::Zero(4, 2);
    large.col(1) = qdd;
    std::array<double, 16> by_qd;
    arm::inverse_dynamics_derivatives(q, qd, Eigen::Map<const Eigen::Vector4d>(large.col(1).data()), by_q, by_qd);
    Eigen::Matrix<Number, 4, 1> x, v, a, tau;
    for (int i = 0; i < 4; i++) {
        x(i) = Number(q(i), 4, i);
        v(i) = Number(qd(i));
        a(i) = Number(qdd(i));
    }
    arm::inverse_dynamics<Number>(x, v, a, tau);
    double worst = 0;
    for (int i = 0; i < 4; i++) {
        worst = std::max(worst, (tau(i).derivatives().transpose() - by_q.row(i)).norm());
    }
    const auto map = arm::matrix<4, 4>(by_qd);
    std::printf("%g %g %g ", worst, by_q.norm(), map(0, 1) - by_qd[1]);
    try {
        arm::inertia_matrix(large.row(0), by_q);
    } catch (const std::invalid_argument &error) {
        std::printf("%s", error.what());
    }
}
"""


@cxx
def test_eigen_s_arrays_and_numbers(scara, tmp_path):
    """Its vectors, maps and row-major matrices are taken as they are, and so are its numbers with derivatives."""
    place = _eigen()
    if place is None:
        pytest.skip("needs Eigen")
    header(scara, tmp_path)
    worst, size, difference, *said = program(EIGEN, tmp_path, "-isystem", str(place))
    assert float(worst) < 1e-13 * (1 + float(size))
    assert float(size) > 0.1
    assert float(difference) == 0
    assert " ".join(said) == "symgen::scara: the numbers of an array do not lie one behind the other"


LIBRARIES = {
    "autodiff": ("autodiff/forward/dual.hpp", "autodiff::dual"),
    "CppAD": ("cppad/cppad.hpp", "CppAD::AD<double>"),
}


@cxx
@pytest.mark.parametrize("name", LIBRARIES)
def test_libraries_for_automatic_differentiation(name, scara, tmp_path):
    """By q[0], beside the analytic derivative."""
    include, number = LIBRARIES[name]
    place = next((place for place in _places() if (place / include).is_file()), None)
    if place is None:
        pytest.skip(f"needs {name}")
    flags = ["-DNDEBUG"]  # CppAD's own checks ask for its library
    if place != Path("/usr/include"):
        flags += ["-isystem", str(place)]
    header(scara, tmp_path)
    by_dual = "q[1].grad = 1; arm::inverse_dynamics<Number>(q, qd, qd, tau); const double slope = tau[0].grad;"
    by_tape = """std::vector<Number> free = {0.2}; CppAD::Independent(free); q[1] = free[0];
        arm::inverse_dynamics<Number>(q, qd, qd, tau); CppAD::ADFun<double> f(free, std::vector<Number>{tau[0]});
        const double slope = f.Forward(1, std::vector<double>{1.0})[0];"""
    text = f"""
    #include <cstdio>
    #include <vector>
    #include <{include}>
    #include "scara.hpp"
    namespace arm = symgen::scara;
    int main()
    {{
        using Number = {number};
        std::array<Number, 4> q = {{0.1, 0.2, 0.3, 0.4}}, qd = {{1.0, 2.0, 3.0, 4.0}}, tau;
        {by_dual if name == "autodiff" else by_tape}
        std::array<double, 4> x = {{0.1, 0.2, 0.3, 0.4}}, v = {{1, 2, 3, 4}};
        std::array<double, 16> by_q, by_qd;
        arm::inverse_dynamics_derivatives(x, v, v, by_q, by_qd);
        std::printf("%.17g %.17g", slope, by_q[1]);
    }}
    """
    slope, expected = map(float, program(text, tmp_path, *flags))
    assert slope == pytest.approx(expected, rel=1e-12)


# headers -------------------------------------------------------------------------------------------------

SEEN = """
#include "scara.hpp"
#include <cstdio>
#include <vector>

namespace arm = symgen::scara;

static_assert(arm::nq == 4 && arm::nv == 4);
static_assert(arm::joint_names.size() == arm::nv && arm::joint_names[0] == "joint1");
static_assert(arm::lower_limits[0] == -arm::infinity && arm::lower_limits[1] == -2.5 && arm::effort_limits[3] == 2);
static_assert(arm::neutral.size() == 4 && arm::neutral[3] == 0);
static_assert(arm::inertia_matrix_inertia_indptr.size() == 5);
static_assert(arm::inertia_matrix_inertia_nnz == arm::inertia_matrix_inertia_indices.size());
static_assert(arm::regressor_names.size() == arm::regressor_parameters.size());

void other(double *inertia);

int main()
{
    const std::vector<double> q = {1, 2, 3, 4};
    double first[arm::inertia_matrix_inertia_nnz], second[arm::inertia_matrix_inertia_nnz], energy;
    arm::inertia_matrix(q, first);
    other(second);
    arm::potential_energy(q.data(), energy);
    for (std::size_t k = 0; k < arm::inertia_matrix_inertia_nnz; k++) {
        std::printf("%g ", first[k] - second[k]);
    }
    try {
        arm::potential_energy(std::vector<double>(3), energy);
    } catch (const std::invalid_argument &error) {
        std::printf("%s", error.what());
    }
}
"""

OTHER = """
#include "scara.hpp"

void other(double *inertia)
{
    const double q[] = {1, 2, 3, 4};
    symgen::scara::inertia_matrix(q, inertia);
}
"""


@pytest.fixture(scope="module")
def packed():
    names = ("inertia_matrix", "potential_energy", "integrate", "regressor")
    made = derive(load("scara"), Options(functions=names, packed=True, effort="low")).module
    limits = (
        LimitRecord("lower", "lower limits of q", (-inf, -2.5, 0.0, -inf)),
        LimitRecord("effort", "N m", (2.0,) * 4),
    )
    return replace(made, record=replace(made.record, limits=limits))


@cxx
@pytest.mark.parametrize("compiler", COMPILERS)
def test_what_a_program_sees(compiler, packed, tmp_path):
    """In two files of it: sizes, names, limits and patterns when it is compiled."""
    header(packed, tmp_path)
    (tmp_path / "other.cpp").write_text(OTHER)
    *found, word, said = " ".join(program(SEEN, tmp_path, "other.cpp", compiler=compiler)).partition("symgen")
    assert set(map(float, found[0].split())) == {0.0}
    assert word + said == "symgen::scara: an array is not of the size that the function says"


# What Eigen's matrices tell of themselves.
COLUMNS = """
struct Columns {
    enum { SizeAtCompileTime = 4, IsRowMajor = 0, IsVectorAtCompileTime = 0 };
    static long size() { return 4; }
    static long rows() { return 2; }
    static long cols() { return 2; }
    static long innerStride() { return 1; }
    static long outerStride() { return 2; }
    const double *data() const { return numbers; }
    double numbers[4];
};
"""

BAD = {
    "std::array<double, 3> q; arm::potential_energy(q, y);": "an array is not of the size that the function says",
    "double q[5] = {}; arm::potential_energy(q, y);": "an array is not of the size that the function says",
    "std::array<float, 4> q = {}; arm::potential_energy(q, y);": "could not convert|no viable conversion|no matching",
    "std::array<double, 4> q = {}; const double z = 0; arm::potential_energy(q, z);": "could not|no viable|no matching",
    "Columns q; arm::potential_energy(q, y);": "use Eigen::RowMajor",
    "arm::potential_energy(0, y);": "could not convert|no viable conversion|no matching",
}


@cxx
@pytest.mark.parametrize("wrong", BAD)
def test_bad_arguments_are_refused_when_compiled(wrong, packed, tmp_path):
    header(packed, tmp_path)
    text = f'#include "scara.hpp"\nnamespace arm = symgen::scara;\n{COLUMNS}\nint main() {{ double y; {wrong} }}\n'
    assert re.search(BAD[wrong], refusal(text, tmp_path))


@cxx
def test_loops_are_closed(tmp_path):
    made = api.generate("five_bar", functions=["assembly_step"], effort="low", states=3)
    header(made._module, tmp_path)
    given = [0.1, 2.9]
    text = f"""
    #include <cstdio>
    #include "five_bar.hpp"
    #include "dual.hpp"
    namespace robot = symgen::five_bar;
    int main()
    {{
        double q[robot::nq];
        std::printf("%d ", robot::assemble<double>(std::array<double, 2>{{{given[0]}, {given[1]}}}, robot::neutral, q));
        for (double each : q) std::printf("%.17g ", each);
        const int status = robot::assemble(std::array<double, 2>{{0, NAN}}, robot::neutral, q);
        std::printf("%d %d", status == robot::open, q[0] != q[0]);
    }}
    """
    status, *q, opened, empty = map(float, program(text, tmp_path))
    np.testing.assert_allclose(q, made.assemble(given)[0], rtol=1e-12, atol=1e-12)
    assert (status, opened, empty) == (0, 1, 1)


def test_without_a_compiler(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(EnvironmentFault, match=r"no C\+\+ compiler found, which runs the header .*: install g\+\+"):
        run("cpp", circles(), {})
    monkeypatch.setenv("CXX", "no-such-compiler -O3")
    with pytest.raises(EnvironmentFault, match="there is no no-such-compiler, which CXX names"):
        run("cpp", circles(), {})


@cxx
def test_a_header_that_cannot_be_compiled_is_our_fault():
    with pytest.raises(InternalError, match="cannot compile"), CPP.run(circles(), {"sample.hpp": "int int;"}):
        pass
