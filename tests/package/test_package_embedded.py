"""The C of a package on a microcontroller, and on a machine of other words: compiled for them, run in an emulator."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from symgen import api
from symgen.derive.derivation import Options

EMBEDDED = Path(__file__).parents[1] / "embedded"
ARM, MACHINE = "arm-none-eabi-gcc", "qemu-system-arm"
CORTEX = ("-mcpu=cortex-m4", "-mthumb", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-O2", "-Iinclude", "-I.")
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wdouble-promotion", "-Werror", "-fstack-usage")
START = (str(EMBEDDED / "start.c"), "-T", str(EMBEDDED / "link.ld"), "--specs=rdimon.specs", "-nostartfiles", "-lm")
FUNCTIONS = ("inverse_dynamics", "forward_dynamics")
POWERPC = ("powerpc-linux-gnu-gcc", "qemu-ppc")

arm = pytest.mark.skipif(shutil.which(ARM) is None, reason=f"needs {ARM}")
machine = pytest.mark.skipif(shutil.which(MACHINE) is None, reason=f"needs {MACHINE}")
powerpc = pytest.mark.skipif(not all(map(shutil.which, POWERPC)), reason=f"needs {' and '.join(POWERPC)}")


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package") / "puma"
    made = api.run(api.load("puma"), Options(functions=FUNCTIONS, real="float32", effort="low"), states=3)
    api.write_package(made, folder)
    return folder


def call(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def emulated(folder, *options):
    given = ("-M", "mps2-an386", "-nographic", "-semihosting-config", "enable=on,target=native", *options)
    return call(MACHINE, *given, "-kernel", "robot.elf", folder=folder)


@arm
def test_single_calls_need_libm_and_a_little_stack(package):
    call(ARM, *CORTEX, *STRICT, "-ffreestanding", "-c", "src/puma.c", folder=package)
    missing = call("arm-none-eabi-nm", "-u", "puma.o", folder=package).split()[1::2]
    assert set(missing) <= {"sinf", "cosf"}
    text, data, bss = map(int, call("arm-none-eabi-size", "puma.o", folder=package).splitlines()[1].split()[:3])
    assert (data, bss) == (0, 0)
    assert text < 8 << 10
    stack = dict(line.split("\t")[:2] for line in (package / "puma.su").read_text().splitlines())
    assert sum(map(int, stack.values())) < 2 << 10


@arm
def test_the_makefile_tells_the_footprint(package):
    flags = " ".join(CORTEX[:5])
    said = call("make", "footprint", f"CC={ARM}", f"CFLAGS={flags}", folder=package)
    assert re.search(r"^ +\d+  puma_inverse_dynamics$", said, re.MULTILINE)
    assert "text" in said


@arm
@machine
def test_the_selftest_passes_on_a_microcontroller(package):
    sources = ("tests/selftest.c", "src/puma.c", "src/puma_batch.c")
    call(ARM, *CORTEX, *sources, *START, "-o", "robot.elf", folder=package)
    assert "all results agree" in emulated(package)


@arm
@machine
def test_a_call_takes_few_instructions_and_bytes(package):
    """A tick of the timer is 40 ns, an instruction 32."""
    words = "#define ROBOT_N 6\n#define ROBOT_CALL puma_inverse_dynamics\n"
    (package / "robot.h").write_text(f'#include "puma.h"\n{words}', encoding="utf-8")
    call(ARM, *CORTEX, str(EMBEDDED / "ticks.c"), "src/puma.c", *START, "-o", "robot.elf", folder=package)
    ticks, stack = map(int, re.findall(r"\d+", emulated(package, "-icount", "shift=5")))
    assert ticks * 40 / 32 < 1000
    assert stack < 2 << 10


@powerpc
def test_the_selftest_passes_on_a_machine_of_32_bits_that_has_the_high_byte_first(package):
    sources = ("tests/selftest.c", "src/puma.c", "src/puma_batch.c")
    call(POWERPC[0], "-O1", "-static", "-Iinclude", *sources, "-lm", "-o", "robot", folder=package)
    assert "all results agree" in call(POWERPC[1], "./robot", folder=package)
