"""Compiling, caching and loading: what is rebuilt, what is shared, and what goes wrong."""

import os
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
import toy_module as toy

from symgen.build import cache as cache_module
from symgen.build import commands
from symgen.build import compiler as compiler_module
from symgen.build import extension as extension_module
from symgen.build.callables import bind, bind_loops
from symgen.build.compiler import find_compiler, processor_identity
from symgen.build.extension import build_extension, build_library, has_python_headers
from symgen.build.loading import load_extension
from symgen.emit.binding import emit_binding, emit_loops
from symgen.errors import CompilerError, EnvironmentFault

V = np.linspace(0.1, 0.6, toy.SIZE)


def build(**options):
    """The cheaper of the two builds, for tests of what they share."""
    return build_library("toy", toy.sources(**options), emit_loops(toy.MODULE))


def files_in(directory):
    return sorted(path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file())


def script(path, text):
    path.write_text("#!/bin/sh\n" + textwrap.dedent(text), encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def no_compiling(monkeypatch):
    def refuse(*_):
        raise AssertionError("compiled again")

    def forbid():
        monkeypatch.setattr(extension_module, "run_together", refuse)

    return forbid


# ---- the cache ----


def test_only_the_result_stays(empty_cache):
    path = build()
    assert [empty_cache / name for name in files_in(empty_cache)] == [path]
    assert list(empty_cache.glob(".*")) == []


def test_second_build_is_free(empty_cache, no_compiling):
    path = build()
    no_compiling()
    assert build() == path


@pytest.mark.parametrize("change", [{"gain": "3.0"}, {"extra": "/* a remark */\n"}])
def test_another_source_is_another_file(empty_cache, change):
    assert build() != build(**change)


@pytest.mark.parametrize(
    ("where", "name", "value"),
    [
        (extension_module, "processor_identity", lambda: "another processor"),
        (extension_module, "ROBOT_FLAGS", ("-std=c99",)),
        (compiler_module, "CODE_GENERATION", ("-O1", "-fPIC")),
        (extension_module, "find_compiler", lambda: compiler_module.Compiler(find_compiler().command, "2")),
    ],
)
def test_another_machine_is_another_file(empty_cache, monkeypatch, where, name, value):
    before = build()
    monkeypatch.setattr(where, name, value)
    assert build() != before


def test_another_numpy_is_another_extension(extension, cache, monkeypatch):
    monkeypatch.setattr(np, "__version__", "0.0.0")
    assert build_extension("toy", toy.sources(), emit_binding(toy.MODULE)) != extension


def test_key_keeps_fields_apart():
    assert cache_module.cache_key({"a": "bc"}, {}) != cache_module.cache_key({"ab": "c"}, {})


def test_processor_identity_names_the_instructions():
    assert len(processor_identity().splitlines()) >= 2


def test_cache_in_the_users_directory(monkeypatch, tmp_path):
    monkeypatch.delenv("SYMGEN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_module.cache_directory().name == "symgen"


def test_space_and_foreign_letters_in_the_path(extension, library):
    assert "für symgen θ" in str(extension)
    assert "für symgen θ" in str(library)


def test_cache_which_is_a_file(tmp_path, monkeypatch):
    blocked = tmp_path / "blocked"
    blocked.touch()
    for place in (blocked, blocked / "below"):
        monkeypatch.setenv("SYMGEN_CACHE", str(place))
        with pytest.raises(EnvironmentFault, match="Set SYMGEN_CACHE") as caught:
            build()
        assert str(place) in str(caught.value)


def test_interrupted_build_leaves_nothing(empty_cache, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "finish", interrupt)
    with pytest.raises(KeyboardInterrupt):
        build()
    assert list(empty_cache.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="needs signals and a shell")
def test_ctrl_c_ends_the_compiler(tmp_path, empty_cache):
    """A real interrupt, while both compilers wait: they end, and the cache is empty."""
    started = tmp_path / "started"
    hang = script(
        tmp_path / "hang",
        f"""\
        case "$*" in
        *--version*) echo hang 1.0 ;;
        *probe*) exit 0 ;;
        *) echo $$ >> "{started}"; exec sleep 60 ;;
        esac
        """,
    )
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import toy_module as toy\n"
        "from symgen.build.extension import build_library\n"
        "build_library('toy', toy.sources(), '')\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(Path(toy.__file__).parent)],
        env=os.environ | {"CC": str(hang)},
        stderr=subprocess.PIPE,
    )
    try:
        _wait_for(lambda: started.exists() and len(started.read_text().split()) == 3)
        process.send_signal(signal.SIGINT)
        words = process.communicate(timeout=30)[1]
    finally:
        process.kill()
    assert b"KeyboardInterrupt" in words
    assert list(empty_cache.iterdir()) == []
    for compiler in started.read_text().split():
        _wait_for(lambda compiler=compiler: not _is_alive(int(compiler)))


def _wait_for(condition):
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


def _is_alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_abandoned_builds_are_swept(empty_cache):
    old, new = empty_cache / ".building-old", empty_cache / ".building-new"
    for directory in (old, new):
        directory.mkdir(parents=True)
        (directory / "toy.c").touch()
    os.utime(old, (0, 0))
    build()
    assert not old.exists()
    assert new.exists()


def test_two_processes_build_at_once(empty_cache):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import toy_module as toy\n"
        "from symgen.build.callables import bind_loops; from symgen.build.extension import build_library\n"
        "from symgen.emit.binding import emit_loops\n"
        "path = build_library('toy', toy.sources(), emit_loops(toy.MODULE))\n"
        "print(path, bind_loops(toy.MODULE, path)['energies']([1, 2, 3, 4, 5, 6])[1])\n"
    )
    command = [sys.executable, "-c", program, str(Path(toy.__file__).parent)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [process.communicate(timeout=60)[0].strip() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert answers[0] == answers[1]
    assert answers[0].endswith(".so 10.0")
    assert len(files_in(empty_cache)) == 1


# ---- the compiler ----


def test_cc_may_carry_flags(monkeypatch):
    monkeypatch.setenv("CC", "cc -DSYMGEN_TEST='a b'")
    assert find_compiler().command[1:] == ("-DSYMGEN_TEST=a b",)
    assert Path(find_compiler().command[0]).is_absolute()


def test_cc_which_does_not_exist(monkeypatch):
    monkeypatch.setenv("CC", "/nonexistent -O3")
    with pytest.raises(EnvironmentFault) as caught:
        find_compiler()
    assert "CC is '/nonexistent -O3'" in str(caught.value)
    assert "`/nonexistent -O3 --version`" in str(caught.value)


def test_cc_with_an_open_quotation_mark(monkeypatch):
    monkeypatch.setenv("CC", "cc 'x")
    with pytest.raises(EnvironmentFault, match=r"CC is .* not a command: No closing quotation"):
        find_compiler()


def test_cc_which_fails_at_once(monkeypatch, tmp_path):
    monkeypatch.setenv("CC", str(script(tmp_path / "fails", "echo no licence >&2; exit 7")))
    with pytest.raises(EnvironmentFault, match=r"CC is .*--version` fails with status 7: no licence"):
        find_compiler()


def test_cc_which_fails_to_compile(monkeypatch, tmp_path, empty_cache):
    failing = script(
        tmp_path / "fails",
        'case "$*" in *--version*) echo 1.0 ;; *) echo "toy.c:3: broken today" >&2; exit 4 ;; esac',
    )
    monkeypatch.setenv("CC", str(failing))
    with pytest.raises(CompilerError) as caught:
        build()
    for words in ("status 4", f"command: {failing}", "toy.c", "broken today"):
        assert words in str(caught.value)
    assert list(empty_cache.iterdir()) == []


def test_no_compiler_at_all(monkeypatch, tmp_path):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentFault, match="no C compiler found: CC is not set, and none of cc, gcc, clang"):
        find_compiler()


def test_the_next_candidate_is_tried(monkeypatch, tmp_path):
    monkeypatch.delenv("CC", raising=False)
    script(tmp_path / "cc", "exit 1")
    works = script(tmp_path / "gcc", "echo works 1.0")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_compiler() == compiler_module.Compiler((str(works),), "works 1.0")


def test_native_flag_falls_back(monkeypatch, tmp_path):
    other = script(tmp_path / "other", 'case "$*" in *-march*) exit 1 ;; *) echo 1.0 ;; esac')
    neither = script(tmp_path / "neither", 'case "$*" in *--version*) echo 1.0 ;; *) exit 1 ;; esac')
    for compiler, flags in ((other, ("-mcpu=native",)), (neither, ())):
        monkeypatch.setenv("CC", str(compiler))
        assert find_compiler().code_flags() == (*compiler_module.CODE_GENERATION, *flags)


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("static int unused(void) { return 1; }\n", "unused"),
        ("int broken( {\n", "error"),
        ("int one(void) { return two(); }\n", "two"),
    ],
)
def test_warnings_and_errors_of_generated_c(empty_cache, extra, words):
    with pytest.raises(CompilerError) as caught:
        build(extra=extra)
    assert "toy.c:" in str(caught.value)
    assert words in str(caught.value)
    assert "-Wpedantic -Werror" in str(caught.value)
    assert list(empty_cache.iterdir()) == []


# ---- headers, loading ----


def test_headers_missing(monkeypatch, tmp_path, cache):
    assert has_python_headers() == Path(extension_module._python_includes()[0], "Python.h").is_file()
    monkeypatch.setattr(extension_module.sysconfig, "get_path", lambda _: str(tmp_path))
    assert not has_python_headers()
    # The library has no need of them.
    functions = bind_loops(toy.MODULE, build(extra="/* no headers */\n"))
    np.testing.assert_allclose(functions["inverse_dynamics"](V, V, V), toy.inverse_dynamics(V, V, V))


def test_versions_of_a_module_coexist(extension, cache):
    other = build_extension("toy", toy.sources(gain="5.0"), emit_binding(toy.MODULE))
    modules = [load_extension(path) for path in (extension, other, extension)]
    assert len({module.__name__ for module in modules}) == 2
    assert not any(module.__name__ in sys.modules for module in modules)
    functions = [bind(toy.MODULE, module)["inverse_dynamics"] for module in modules]
    found = [function(V, V, V) - function(V, 0 * V, V) for function in functions]
    for difference, gain in zip(found, (2.0, 5.0, 2.0), strict=True):
        np.testing.assert_allclose(difference, gain * V * V)


def test_versions_of_a_library_coexist(library, cache):
    for path, gain in ((library, 2.0), (build(gain="5.0"), 5.0), (library, 2.0)):
        function = bind_loops(toy.MODULE, path)["inverse_dynamics"]
        np.testing.assert_allclose(function(V, V, V) - function(V, 0 * V, V), gain * V * V)


def test_damaged_files(tmp_path):
    for suffix in (".so", extension_module.sysconfig.get_config_var("EXT_SUFFIX")):
        path = tmp_path / f"_toy{suffix}"
        path.write_bytes(b"not a library")
        with pytest.raises(EnvironmentFault, match="cannot load it") as caught:
            load_extension(path)
        assert str(path) in str(caught.value)
        with pytest.raises(EnvironmentFault, match="cannot be loaded"):
            bind_loops(toy.MODULE, path)
