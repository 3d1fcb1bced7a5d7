"""The C of a package: it builds with nothing but a compiler, tests itself, installs, lives beside another robot's."""

import os
import shutil

import pytest
from quick_compilation import NOT_INLINED, QUICKLY

ROBOTS = ["puma", "scara", "planar3r"]
STRICT = "-O1 -Werror -Wdouble-promotion -Wconversion"
LARGE = "scara"
"""The robot whose code is compiled without optimisation, which takes ten times as long; it is tested on the others."""

TWO_ROBOTS = """
#include <stdio.h>
#include "puma.h"
#include "scara.h"

int main(void)
{
    double q[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, g[6], load[4], gravity[3] = {0.0, 0.0, -9.81};
    scara_parameters parameters;
    scara_constants constants;
    scara_default_parameters(&parameters);
    scara_init(&parameters, &constants);
    puma_gravity_torque(q, g);
    scara_gravity_torque(q, gravity, &constants, load);
    printf("%.3f %.3f\\n", g[1], load[2]);
    return 0;
}
"""

CONSUMER = """
cmake_minimum_required(VERSION 3.15)
project(consumer LANGUAGES C)
find_package(puma REQUIRED)
find_package(scara REQUIRED)
add_executable(both main.c)
target_link_libraries(both PRIVATE puma::puma scara::scara)
"""

needs_cmake = pytest.mark.skipif(not (shutil.which("cmake") and shutil.which("ctest")), reason="there is no cmake")
needs_make = pytest.mark.skipif(not shutil.which("make"), reason="there is no make")
needs_compiler = pytest.mark.skipif(not shutil.which("cc"), reason="there is no cc")


@pytest.fixture
def copied(written, tmp_path):
    """Robot → a copy of its package, to build in."""
    return {name: shutil.copytree(path, tmp_path / name) for name, path in written.items()}


def flags_for(robot):
    return STRICT.replace("-O1", QUICKLY) if robot == LARGE else STRICT


@needs_make
@needs_compiler
@pytest.mark.parametrize("robot", ROBOTS)
def test_make_check(copied, run, robot):
    text = run("make", "check", f"CFLAGS={flags_for(robot)}", cwd=copied[robot])
    assert "all results agree" in text
    assert "FAILED" not in text
    assert "tau[0] = " in text


@needs_compiler
@pytest.mark.parametrize("robot", ROBOTS)
def test_the_line_of_the_readme(copied, run, robot):
    run("cc", "-std=c99", "-O2", "-Iinclude", "examples/example.c", f"src/{robot}.c", "-lm", cwd=copied[robot])
    assert "tau[0] = " in run(copied[robot] / "a.out")


@pytest.mark.skipif(not shutil.which("clang"), reason="there is no clang")
@pytest.mark.parametrize("robot", ROBOTS)
def test_another_compiler(copied, run, robot):
    assert "all results agree" in run("make", "check", "CC=clang", f"CFLAGS={flags_for(robot)}", cwd=copied[robot])


def broken(source):
    """The source with the first result of its first function off by a millionth."""
    head, tail = source.split("tau[0] = ", 1)
    line, rest = tail.split(";", 1)
    return f"{head}tau[0] = 1.000001*({line});{rest}"


@needs_make
@needs_compiler
@pytest.mark.parametrize(("robot", "factor"), [("puma", "1.000001"), ("scara", "1.000001"), ("planar3r", "1.01F")])
def test_wrong_code_fails(copied, run, robot, factor):
    source = copied[robot] / "src" / f"{robot}.c"
    source.write_text(broken(source.read_text()).replace("1.000001", factor))
    text = run("make", "check", f"CFLAGS={QUICKLY}", cwd=copied[robot], status=2)
    line = next(line for line in text.splitlines() if line.startswith("inverse_dynamics"))
    assert line.endswith("FAILED")
    assert "do not use this build" in text


@needs_make
@needs_compiler
def test_not_a_number_fails(copied, run):
    source = copied["puma"] / "src" / "puma.c"
    source.write_text(broken(source.read_text()).replace("1.000001", "(double)NAN"))
    assert "1 results are wrong" in run("make", "check", cwd=copied["puma"], status=2)


@needs_cmake
@needs_compiler
def test_cmake_builds_tests_and_installs(copied, run, tmp_path):
    prefix = tmp_path / "prefix"
    for robot in ("puma", "scara"):
        build = tmp_path / f"build_{robot}"
        options = [f"-D{robot.upper()}_WARNINGS=ON", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=lib"]
        options += ["-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_C_FLAGS={NOT_INLINED}"] if robot == LARGE else []
        assert "warning" not in run("cmake", "-S", copied[robot], "-B", build, *options).lower()
        assert "warning" not in run("cmake", "--build", build).lower()
        assert "100% tests passed, 0 tests failed out of 2" in run("ctest", "--test-dir", build)
        run("cmake", "--install", build)
    (tmp_path / "main.c").write_text(TWO_ROBOTS)
    (tmp_path / "CMakeLists.txt").write_text(CONSUMER)
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path / "build")
    assert run(tmp_path / "build" / "both") == run_by_hand(copied, run, tmp_path)


@needs_cmake
@needs_compiler
def test_cmake_as_a_part_of_another_project(copied, run, tmp_path):
    parts = f"add_subdirectory({copied['puma']} p)\nadd_subdirectory({copied['scara']} s)\n"
    text = CONSUMER.replace("find_package(puma REQUIRED)\nfind_package(scara REQUIRED)\n", parts)
    (tmp_path / "main.c").write_text(TWO_ROBOTS)
    (tmp_path / "CMakeLists.txt").write_text(text)
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build")
    run("cmake", "--build", tmp_path / "build")
    assert run(tmp_path / "build" / "both") == run_by_hand(copied, run, tmp_path)


def run_by_hand(copied, run, tmp_path):
    """What the program of two robots prints if it is compiled in one line."""
    (tmp_path / "main.c").write_text(TWO_ROBOTS)
    includes = [f"-I{copied[robot]}/include" for robot in ("puma", "scara")]
    sources = [copied[robot] / "src" / f"{robot}.c" for robot in ("puma", "scara")]
    run("cc", "-std=c99", "-Wall", "-Werror", *includes, tmp_path / "main.c", *sources, "-lm", "-o", tmp_path / "both")
    return run(tmp_path / "both")


@needs_compiler
def test_two_robots_in_one_program(copied, run, tmp_path):
    first, second = map(float, run_by_hand(copied, run, tmp_path).split())
    assert first != 0
    assert second == pytest.approx(-(0.9 + 0.6) * 9.81, abs=1e-3)  # quill and gripper, downwards


@needs_make
@needs_compiler
@pytest.mark.skipif(not shutil.which("pkg-config"), reason="there is no pkg-config")
def test_make_install_and_pkg_config(copied, run, tmp_path):
    prefix = tmp_path / "prefix"
    for robot in ("puma", "scara"):
        run("make", "install", f"PREFIX={prefix}", f"CFLAGS={QUICKLY}", cwd=copied[robot])
    environment = {"PKG_CONFIG_PATH": os.fspath(prefix / "lib" / "pkgconfig")}
    flags = run("pkg-config", "--cflags", "--libs", "puma", "scara", env=environment).split()
    (tmp_path / "main.c").write_text(TWO_ROBOTS)
    run("cc", tmp_path / "main.c", *flags, "-o", tmp_path / "installed")
    assert run(tmp_path / "installed") == run_by_hand(copied, run, tmp_path)
