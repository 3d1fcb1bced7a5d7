"""Functional Mock-up Units, driven by a small importer: what they compute, conserve, refuse and contain."""

import ctypes
import hashlib
import math
import subprocess
import sys
import zipfile
from ctypes import byref, c_double, c_size_t, c_void_p
from functools import cache
from pathlib import Path

import free_robots
import numpy as np
import pytest
from click.testing import CliRunner
from fmu_driver import DISCARD, ERROR, OK, Fmu, Instance

from symgen import simulate
from symgen.build.compiler import STRICT, find_compiler
from symgen.cli import main
from symgen.derive.derivation import Options, derive
from symgen.errors import InputError, LimitError
from symgen.package import KINDS, write_package
from symgen.package.fmu import FMI3, source_files
from symgen.package.fmu.units import base_unit
from symgen.robot.library import load
from symgen.runtime.configuration import position_rates
from symgen.runtime.module import build, emit

FUNCTIONS = KINDS["fmu"].functions
NUMBERS = {"parameters": "runtime", "gravity": "runtime", "wrenches": ("gripper",)}
SUBJECTS = {
    "puma": (lambda: load("puma"), {}, "fmu"),
    "scara": (lambda: load("scara"), NUMBERS, "fmu"),
    "floating": (lambda: free_robots.robot("floating"), {}, "fmu"),
    "spherical": (lambda: free_robots.robot("spherical", arm=False), {"quaternion": "wxyz"}, "fmu2"),
    "planar": (lambda: free_robots.robot("planar", arm=False), {}, "fmu2"),
}


@cache
def derived(name):
    make, options, _ = SUBJECTS[name]
    robot = make()
    derivation = derive(robot, Options(FUNCTIONS, effort="low", **options))
    return robot, derivation, emit(derivation.module)


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    """Name → the FMU, made when it is asked for."""
    root = tmp_path_factory.mktemp("fmus")

    @cache
    def made(name, kind):
        (path,) = write_package(*derived(name), root / f"{name}.{kind}", kind=kind)
        return Fmu(path, root / f"{name}_{kind}")

    return lambda name, kind=None: made(name, kind or SUBJECTS[name][2])


@cache
def module(name):
    return build(*derived(name)[1:])


def state(name, seed=0):
    record, random = module(name).record, np.random.default_rng(seed)
    return random.uniform(-1, 1, record.nq), random.uniform(-1, 1, record.nv), random.uniform(-5, 5, record.nv)


def unit(record, q):
    """q with quaternions of length 1."""
    q = q.copy()
    for joint in record.free:
        places = [joint.q + place for place in joint.quaternion]
        if places:
            q[places] /= np.linalg.norm(q[places])
    return q


@pytest.mark.parametrize("name", SUBJECTS)
def test_rates_and_outputs_are_those_of_the_module(fmus, name):
    fmu, ours, record = fmus(name), module(name), module(name).record
    q, qd, tau = state(name)
    one = Instance(fmu, "model exchange")
    assert one.set(fmu.places("q.", "qd.", "tau."), [*q, *qd, *tau]) == OK, one.log
    more = {}
    if name == "scara":
        more = {"gravity": np.array([0.3, -0.2, -9.0]), "wrench": np.arange(1.0, 7.0)}
        assert one.set(fmu.places("gravity."), more["gravity"]) == OK
        assert one.set(fmu.places("wrench."), more["wrench"]) == OK
    assert one.begin() == OK, one.log
    q = unit(record, q)
    rates = (c_double * (record.nq + record.nv))()
    name_of_rates = "GetContinuousStateDerivatives" if one.third else "GetDerivatives"
    assert one.call(name_of_rates, rates, c_size_t(len(rates))) == OK
    expected = [*position_rates(record, q, qd), *ours.forward_dynamics(q, qd, tau, **more)]
    np.testing.assert_allclose(rates, expected, rtol=1e-11, atol=1e-12)
    np.testing.assert_array_equal(one.named("der("), rates)
    np.testing.assert_allclose(one.named("kinetic_energy"), ours.kinetic_energy(q, qd), rtol=1e-12)
    field = {"gravity": more["gravity"]} if more else {}
    np.testing.assert_allclose(one.named("potential_energy"), ours.potential_energy(q, **field), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(one.named("T_"), np.ravel(ours.forward_kinematics(q))[:12], atol=1e-13)
    one.free()


def test_parameters_change_what_is_computed(fmus):
    fmu = fmus("scara")
    ours, (q, qd, tau) = module("scara"), state("scara")
    gravity, wrench = np.array([0, 0, -9.81]), np.zeros(6)
    names = [parameter.name for parameter in derived("scara")[1].module.parameters]
    changed = np.array([parameter.default for parameter in derived("scara")[1].module.parameters]) * 1.25
    one = Instance(fmu, "model exchange")
    one.set(fmu.places("q.", "qd.", "tau."), [*q, *qd, *tau])
    assert one.begin() == OK
    before = one.named("der(qd.")
    np.testing.assert_allclose(before, ours.forward_dynamics(q, qd, tau, gravity, wrench), rtol=1e-11)
    assert one.set(fmu.places("parameters."), changed) == OK
    after = one.named("der(qd.")
    heavier = ours.with_parameters(dict(zip(names, changed, strict=True)))
    expected = heavier.forward_dynamics(q, qd, tau, gravity, wrench)
    np.testing.assert_allclose(after, expected, rtol=1e-11)
    assert not np.allclose(before, after)
    mass = fmu.variables["parameters.m1"]
    assert one.set([mass], [-1.0]) == ERROR
    assert "parameters.m1: expected at least 0, found -1" in one.log[-1]
    one.free()


@pytest.mark.parametrize(
    ("name", "kind"), [("puma", "fmu"), ("puma", "fmu2"), *((n, None) for n in SUBJECTS if n != "scara")]
)
def test_steps_conserve_energy_and_quaternions(fmus, name, kind):
    fmu, record = fmus(name, kind), module(name).record
    q, qd, _ = state(name)
    one = Instance(fmu)
    one.set(fmu.places("q.", "qd."), [*q, *qd])
    assert one.begin(tolerance=1e-12) == OK, one.log
    energy = one.named("kinetic_energy", "potential_energy").sum()
    for k in range(10):
        assert one.step(k / 10, 0.1) == OK, one.log
    assert one.named("time") == pytest.approx([1.0], abs=1e-15)
    assert one.named("kinetic_energy", "potential_energy").sum() == pytest.approx(energy, abs=1e-9)
    reached = one.named("q.")
    np.testing.assert_allclose(reached, unit(record, reached), atol=1e-15)
    expected = simulate(module(name), 1.0, q0=unit(record, q), qd0=qd, samples=2, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(reached, expected.q[-1], atol=1e-9)
    np.testing.assert_allclose(one.named("qd."), expected.qd[-1], atol=1e-8)
    one.free()


def test_a_looser_tolerance_is_cheaper_and_less_exact(fmus):
    fmu = fmus("puma")
    reached = {}
    for tolerance in (1e-4, 1e-8, 1e-13):
        one = Instance(fmu)
        assert one.begin(tolerance) == OK
        assert one.step(0, 1.0) == OK
        reached[tolerance] = one.named("q.")
        one.free()
    errors = [abs(reached[tolerance] - reached[1e-13]).max() for tolerance in (1e-4, 1e-8)]
    assert errors[0] < 1e-2
    assert errors[1] < 1e-2 * errors[0]


def place(name):
    return lambda one, value: one.set([one.fmu.variables[name]], [value])


BEFORE = {
    "a number that is none": (
        lambda one: place("q.joint1")(one, math.nan),
        "q.joint1: expected a finite number, found nan",
    ),
    "an infinite force": (
        lambda one: place("tau.joint2")(one, math.inf),
        "tau.joint2: expected a finite number, found inf",
    ),
    "a rate set": (lambda one: place("der(q.joint1)")(one, 1.0), "der(q.joint1) cannot be set"),
    "an output set": (lambda one: place("kinetic_energy")(one, 1.0), "kinetic_energy cannot be set"),
    "no such variable": (lambda one: one.set([9999], [1.0]), "expected value references below"),
    "a step too early": (lambda one: one.step(0, 0.1), "not allowed in Instantiated"),
    "a tolerance of -1": (lambda one: one.begin(-1.0), "expected a tolerance between 0 and 1, found -1"),
    "a start that is no number": (lambda one: one.begin(start=math.nan), "expected finite times in order"),
    "a stop before the start": (lambda one: one.begin(start=1.0, stop=0.5), "expected finite times in order"),
}
AFTER = {
    "a state set": (lambda one: place("q.joint1")(one, 1.0), "q.joint1 cannot be set in Step Mode"),
    "a negative step": (lambda one: one.step(0, -0.1), "expected a positive communication step size, found -0.1"),
    "no step": (lambda one: one.step(0, 0.0), "expected a positive communication step size, found 0"),
    "a step that is no number": (lambda one: one.step(0, math.nan), "expected a positive communication step size"),
    "a step from elsewhere": (lambda one: one.step(0.5, 0.1), "expected the current communication point 0, found 0.5"),
    "a step beyond the stop": (lambda one: one.step(0, 3.0), "expected steps up to the stop time 2"),
    "model exchange": (lambda one: one.call("SetTime", c_double(1.0)), "not allowed in Step Mode"),
}


@pytest.mark.parametrize("kind", ["fmu", "fmu2"])
@pytest.mark.parametrize("case", [*BEFORE, *AFTER])
def test_bad_calls_are_errors_with_a_message(fmus, kind, case):
    one = Instance(fmus("puma", kind))
    if case in AFTER:
        assert one.begin(stop=2.0) == OK
    before = one.named("q.", "tau.")
    call, message = (BEFORE | AFTER)[case]
    assert call(one) == ERROR
    assert message in one.log[-1]
    np.testing.assert_array_equal(one.named("q.", "tau."), before)
    assert one.call("Reset") == OK
    assert one.begin() == OK
    assert one.step(0, 0.1) == OK
    one.free()


@pytest.mark.parametrize("kind", ["fmu", "fmu2"])
def test_another_token_makes_no_instance(fmus, kind):
    one = Instance(fmus("puma", kind), token="another")
    assert one.handle is None
    assert "expected the token" in one.log[-1]


def test_a_step_that_is_not_possible_changes_nothing(fmus):
    fmu = fmus("puma")
    one = Instance(fmu)
    one.set(fmu.places("qd."), [1e160] * 6)
    status = one.begin()
    if status == OK:
        before = one.named("q.", "qd.", "time")
        assert one.step(0, 1.0) == DISCARD
        np.testing.assert_array_equal(one.named("q.", "qd.", "time"), before)
    assert "states too large" in one.log[-1]
    one.free()


def test_a_quaternion_of_length_0_is_refused(fmus):
    fmu = fmus("floating")
    one = Instance(fmu)
    assert one.set(fmu.places("q."), np.zeros(len(fmu.places("q.")))) == OK
    assert one.begin() == ERROR
    assert "expected quaternions of a length other than 0" in one.log[-1]
    one.free()


@pytest.mark.parametrize("name", ["floating", "spherical"])
def test_a_quaternion_that_drifts_is_made_unit_at_an_event(fmus, name):
    one, record = Instance(fmus(name), "model exchange"), module(name).record
    assert one.begin() == OK
    assert one.call("EnterContinuousTimeMode") == OK
    size = c_size_t(record.nq + record.nv)
    states, event, more = (c_double * size.value)(), ctypes.c_int(), ctypes.c_int()
    for length, expected in ((1.0001, 0), (1.1, 1)):
        drifted = np.array([*record.neutral, *np.zeros(record.nv)]) * length
        assert one.call("SetContinuousStates", (c_double * size.value)(*drifted), size) == OK
        assert one.call("CompletedIntegratorStep", ctypes.c_int(1), byref(event), byref(more)) == OK
        assert event.value == expected
    assert one.call("EnterEventMode") == OK
    if one.third:
        flags = [ctypes.c_bool() for _ in range(5)]
        assert one.call("UpdateDiscreteStates", *map(byref, flags), byref(c_double())) == OK
        assert [flag.value for flag in flags] == [False, False, False, True, False]
    else:
        info = (ctypes.c_int * 8)()
        assert one.call("NewDiscreteStates", info) == OK
        assert list(info)[:5] == [0, 0, 0, 1, 0]
    assert one.call("GetContinuousStates", states, size) == OK
    np.testing.assert_allclose(states[: record.nq], record.neutral, atol=1e-15)
    one.free()


@pytest.mark.parametrize("kind", ["fmu", "fmu2"])
def test_stored_states_come_back(fmus, kind):
    one = Instance(fmus("puma", kind))
    end = "State" if one.third else "state"
    assert one.begin() == OK
    one.step(0, 0.5)
    kept, other, size = c_void_p(), c_void_p(), c_size_t()
    assert one.call(f"GetFMU{end}", byref(kept)) == OK
    assert one.call(f"SerializedFMU{end}Size", kept, byref(size)) == OK
    data = (ctypes.c_char * size.value)()
    assert one.call(f"SerializeFMU{end}", kept, data, size) == OK
    one.step(0.5, 0.5)
    expected = one.named("q.")
    serial = "Deserialize" if one.third else "DeSerialize"
    assert one.call(f"{serial}FMU{end}", data, size, byref(other)) == OK
    for saved in (kept, other):
        assert one.call(f"SetFMU{end}", saved) == OK
        one.step(0.5, 0.5)
        np.testing.assert_array_equal(one.named("q."), expected)
        assert one.call(f"FreeFMU{end}", byref(saved)) == OK
    assert one.call(f"{serial}FMU{end}", data, c_size_t(3), byref(other)) == ERROR
    one.call(f"FreeFMU{end}", byref(other))
    one.free()


def test_same_bytes_again_and_nothing_of_this_machine(fmus, tmp_path):
    (again,) = write_package(*derived("puma"), tmp_path / "puma.fmu", kind="fmu")
    fmus("puma")
    first = fmus("puma").folder.parent / "puma.fmu"
    assert again.read_bytes() == first.read_bytes()
    with zipfile.ZipFile(again) as archive:
        names = archive.namelist()
        assert names == sorted(names)
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        contents = {name: archive.read(name) for name in names}
    for name, content in contents.items():
        for word in (str(Path.cwd()), sys.prefix, "/tmp"):
            assert word.encode() not in content, name
    assert {"modelDescription.xml", "sources/buildDescription.xml", "sources/fmi3.c", "sources/puma.c"} <= set(names)


def test_the_token_is_that_of_the_contents(fmus):
    tokens = {fmus(name).token for name in SUBJECTS} | {fmus("puma", "fmu2").token}
    assert len(tokens) == len(SUBJECTS) + 1
    assert all(len(token) == hashlib.sha256().digest_size * 2 for token in tokens)
    files = source_files(*derived("puma"), FMI3)
    assert fmus("puma").token in files["sources/fmu_model.h"]


@pytest.mark.parametrize("kind", ["fmu", "fmu2"])
def test_functions_have_a_prefix_where_sources_are_linked(fmus, kind, tmp_path):
    folder = fmus("puma", kind).folder / "sources"
    version = fmus("puma", kind).version
    command = [*find_compiler().command, *STRICT, f"-DFMI{version}_FUNCTION_PREFIX=puma_", "-c"]
    subprocess.run([*command, folder / f"fmi{version}.c", "-o", tmp_path / "fmi.o"], check=True)
    content = (tmp_path / "fmi.o").read_bytes()
    assert f"\0puma_fmi{version}DoStep\0".encode() in content
    assert f"\0fmi{version}DoStep\0".encode() not in content


REFUSED = {
    "loops": ("five_bar", {"functions": FUNCTIONS}, LimitError, "needs independent states"),
    "single precision": ("planar2r", {"functions": FUNCTIONS, "real": "float32"}, InputError, "double precision"),
    "packed": ("planar2r", {"functions": FUNCTIONS, "packed": True}, InputError, "leave out --packed"),
    "no dynamics": ("planar2r", {"functions": ("kinetic_energy",)}, InputError, "needs forward_dynamics"),
    "others": ("planar2r", {"functions": ("forward_dynamics", "jacobian")}, InputError, "no use for jacobian"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_a_unit_is_refused(case, tmp_path):
    name, options, error, message = REFUSED[case]
    robot = load(name)
    derivation = derive(robot, Options(effort="low", **options))
    with pytest.raises(error, match=message):
        write_package(robot, derivation, emit(derivation.module), tmp_path / "robot.fmu", kind="fmu")
    assert not list(tmp_path.iterdir())


def test_only_units_of_symgen_are_replaced(tmp_path):
    path = tmp_path / "robot.fmu"
    path.write_bytes(b"work of years")
    for force, message in ((False, "exists; --force"), (True, "is no FMU that symgen wrote")):
        with pytest.raises(InputError, match=message):
            write_package(*derived("planar"), path, kind="fmu", force=force)
    assert path.read_bytes() == b"work of years"
    with pytest.raises(InputError, match="found a directory"):
        write_package(*derived("planar"), tmp_path, kind="fmu", force=True)
    with pytest.raises(InputError, match="expected one of library, fmu, fmu2, found 'zip'"):
        write_package(*derived("planar"), path, kind="zip")


def test_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = [
        "generate",
        "planar2r",
        "--effort",
        "low",
        "--states",
        "3",
        "--functions",
        "forward_dynamics",
        "--package",
        "fmu",
    ]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert "wrote planar2r.fmu" in done.output
    assert "exists; --force" in CliRunner().invoke(main, command).output
    assert CliRunner().invoke(main, [*command, "--force"]).exit_code == 0
    assert "expected one of library, fmu, fmu2" in CliRunner().invoke(main, [*command[:-1], "zip"]).output


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("rad/s", {"s": -1, "rad": 1}),
        ("N m", {"kg": 1, "m": 2, "s": -2}),
        ("J", {"kg": 1, "m": 2, "s": -2}),
        ("kg m^2", {"kg": 1, "m": 2}),
        ("m/s^2", {"m": 1, "s": -2}),
        ("1", {}),
        ("kg m^2, kg m or kg", None),
    ],
)
def test_units(unit, expected):
    found = base_unit(unit)
    assert (None if found is None else dict(found)) == expected


@pytest.mark.parametrize("name", SUBJECTS)
def test_fmpy_finds_nothing_wrong(fmus, name):
    pytest.importorskip("lxml", reason="FMPy validates with lxml")
    pytest.importorskip("lark", reason="FMPy validates names with lark")
    validation = pytest.importorskip("fmpy.validation", reason="needs FMPy: pip install symgen[fmi]")
    kind = SUBJECTS[name][2]
    assert validation.validate_fmu(str(fmus(name).folder.parent / f"{name}.{kind}")) == []


@pytest.mark.parametrize(("kind", "way"), [(k, w) for k in ("fmu", "fmu2") for w in ("ModelExchange", "CoSimulation")])
def test_fmpy_simulates_the_same_fall(fmus, kind, way):
    fmpy = pytest.importorskip("fmpy", reason="needs FMPy: pip install symgen[fmi]")
    fmus("puma", kind)
    path = fmus("puma", kind).folder.parent / f"puma.{kind}"
    names = [name for name in fmus("puma", kind).variables if name.startswith("q.")]
    settings = {"output": names, "relative_tolerance": 1e-12, "output_interval": 0.1, "stop_time": 2.0}
    found = fmpy.simulate_fmu(str(path), fmi_type=way, **settings)
    expected = simulate(module("puma"), 2.0, q0=np.zeros(6), qd0=np.zeros(6), samples=21, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found["time"], expected.t, atol=1e-12)
    np.testing.assert_allclose(np.array([found[name] for name in names]).T, expected.q, atol=1e-9)
