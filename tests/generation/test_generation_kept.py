"""What was derived, written and verified is found again: the same, for the same question alone, and never damaged."""

import json
import random
import subprocess
import sys
from dataclasses import fields, replace
from fractions import Fraction

import free_robots
import pytest
from contact_robots import hopper
from strategies import equipped_robot, screw_robot

from symgen.algebra.roots import sqrt
from symgen.build import compiler, contents, kept
from symgen.build.cache import cache_directory
from symgen.derive import derivation
from symgen.derive.option_table import OPTIONS
from symgen.derive.options import Choice, Options
from symgen.derive.setting import setting_of
from symgen.errors import InputError
from symgen.generation import judging, reading
from symgen.generation.corridor import generate, run
from symgen.generation.kept import DERIVATION, TEXTS, VERDICT, Kept, Verdict, derive
from symgen.prove.verdict import Proof
from symgen.robot import library
from symgen.robot.expression import constant
from symgen.robot.library import chain, load
from symgen.robot.shipped import file_text
from symgen.verify.report import Check, Report

FEW = Options(functions=("gravity_torque",), effort="low")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("SYMGEN_CACHE", str(folder))
    monkeypatch.delenv(kept.SIZE)
    return folder


@pytest.fixture
def forbid(monkeypatch):
    """Lets one step fail from now on, if it is taken."""

    def forbid(*steps):
        for where, name in steps:
            monkeypatch.setattr(where, name, lambda *args, name=name, **kwargs: pytest.fail(f"{name} was called"))

    return forbid


DERIVING, JUDGING, READING = (derivation, "derive"), (judging, "judged"), (library, "read")


def entries(kind=None):
    """The files of the cache, of one kind or all."""
    return [item.path for item in contents.items(cache_directory()) if kind in (None, item.kind)]


def outcome(made):
    return made.module, made.steps, made.notices, made.choices, made.counts


# derivations --------------------------------------------------------------------------------------------------


def irrational():
    """An arm with lengths, angles and masses that are no rational numbers."""
    robot = chain(2)
    link = robot.links[1]
    inertia = replace(link.inertia, mass=constant(sqrt(2) + sqrt(3)))
    return replace(robot, links=(robot.links[0], replace(link, inertia=inertia)))


CASES = {
    "arm": (lambda: load("planar2r"), Options(effort="low")),
    "searched": (lambda: load("planar3r"), Options(functions=("inverse_dynamics", "inertia_matrix"))),
    "choices made before": (
        lambda: load("planar2r"),
        Options(
            functions=("gravity_torque",), choices=(("gravity_torque", Choice("newton_euler", {"unturned": (1,)})),)
        ),
    ),
    "symbols": (lambda: load("planar2r"), replace(FEW, parameters="symbolic")),
    "parameters": (
        lambda: load("planar2r"),
        Options(functions=("inverse_dynamics", "regressor"), parameters="runtime", gravity="runtime", effort="low"),
    ),
    "base parameters": (lambda: load("planar2r"), replace(FEW, parameters="base", wrenches=("link2",))),
    "irrational numbers": (irrational, Options(functions=("inertia_matrix",), effort="low", real="float32")),
    "drives": (lambda: equipped_robot(3), replace(FEW, functions=("inverse_dynamics",))),
    "screws": (lambda: screw_robot(2), replace(FEW, functions=("forward_kinematics",))),
    "free base": (lambda: free_robots.robot("floating"), replace(FEW, functions=("normalize",), quaternion="wxyz")),
    "loops": (lambda: load("four_bar"), replace(FEW, functions=("inverse_dynamics", "assembly_step", "closure"))),
    "contacts": (hopper, replace(FEW, functions=("contact_jacobian",))),
}


@pytest.mark.parametrize("name", CASES)
def test_a_derivation_is_found_as_it_was_made(forbid, name):
    robot, options = CASES[name][0](), CASES[name][1]
    made = derive(robot, options)
    forbid(DERIVING)
    found = derive(robot, options)
    assert found is not made
    assert outcome(found) == outcome(made)
    assert setting_of(found) == setting_of(made)
    assert found.subject is found.subject
    assert len(entries(DERIVATION)) == 1


def another(option):
    """Another value of an option than its default."""
    if option.name == "functions":
        return ("inertia_matrix",)
    match option.kind:
        case "choice":
            return next(choice for choice in option.choices if choice != option.default)
        case "names":
            return ("link1",)
        case "parameters":
            return "runtime"
        case "flag":
            return not option.default
        case "file":
            return (("inertia_matrix", Choice("composite", {})),)
    raise AssertionError(f"no other value is known for options of the kind {option.kind}")


def test_every_option_is_in_the_key():
    robot, usual = chain(1), Options()
    assert {option.name for option in OPTIONS} == {field.name for field in fields(Options)}
    keys = {Kept(robot, replace(usual, **{option.name: another(option)}))._key for option in OPTIONS}
    assert len(keys | {Kept(robot, usual)._key}) == len(OPTIONS) + 1
    assert Kept(chain(1), Options())._key == Kept(robot, usual)._key != ""


def test_all_that_a_robot_is_is_in_the_key():
    robot = chain(2)
    link = robot.links[1]
    heavier = replace(link.inertia, mass=constant(link.inertia.mass.constant({}) + Fraction(1, 10**30)))
    others = [
        replace(robot, name="other"),
        replace(robot, description="other"),
        replace(robot, source="other.toml"),
        replace(robot, notices=("other",)),
        replace(robot, gravity=robot.gravity[::-1]),
        replace(robot, links=(robot.links[0], replace(link, inertia=heavier))),
        replace(robot, links=(robot.links[0], replace(link, joint=replace(link.joint, direction=-1)))),
        replace(robot, posture=(("joint1", constant(0)),)),
        chain(1),
        chain(2, prismatic=(2,)),
    ]
    assert len({Kept(each, FEW)._key for each in (robot, *others)}) == len(others) + 1


def test_a_robot_that_no_reader_makes_is_derived_without_being_kept():
    odd = replace(chain(1), notices=(object(),))
    assert Kept(odd, FEW)._key == ""
    assert outcome(derive(odd, FEW)) == outcome(derivation.derive(chain(1), FEW))
    assert entries(DERIVATION) == []


def test_another_symgen_derives_anew(monkeypatch):
    derive(chain(1), FEW)
    monkeypatch.setattr(kept, "identity", lambda: "another symgen")
    derive(chain(1), FEW)
    assert len(entries(DERIVATION)) == 2


def test_errors_are_those_of_deriving_each_time():
    wrong = replace(FEW, wrenches=("nosuch",))
    for _ in range(2):
        with pytest.raises(InputError, match="no frame is called 'nosuch'"):
            derive(chain(1), wrong)
    assert entries(DERIVATION) == []


# damage -----------------------------------------------------------------------------------------------------------


def test_whatever_is_damaged_is_made_anew_and_the_same(tmp_path):
    made = generate("planar2r", functions=["gravity_torque"], states=2, output=tmp_path / "first")
    chance = random.Random(0)
    for number, path in enumerate(entries()):
        if path.suffix == ".so":
            continue
        content = bytearray(path.read_bytes())
        content[chance.randrange(len(content))] ^= 0xFF
        path.write_bytes(content[: len(content) - number % 2])
    again = generate("planar2r", functions=["gravity_torque"], states=2, output=tmp_path / "second")
    assert dict(again.sources) == dict(made.sources)
    for path in (tmp_path / "first").iterdir():
        assert (tmp_path / "second" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("content", [b"", b"[]", b'[[],["x"]]', b'[[],{"Verdict":[]}]', b'[[],{"Report":["arm",[]]}]'])
def test_an_entry_that_holds_something_else_is_made_anew(content):
    known = Kept(chain(1), FEW)
    kept.keep(DERIVATION, known._key, content)
    assert outcome(known.derivation()) == outcome(derivation.derive(chain(1), FEW))
    assert kept.fetched(DERIVATION, known._key) != content


def test_a_program_that_is_not_valid_is_made_anew():
    known = Kept(chain(1), FEW)
    made = known.derivation()
    text = kept.fetched(DERIVATION, known._key)
    data = json.loads(text)
    program = data[1]["_Derived"][0]["Module"][1][0]["Function"][5]["Program"]
    program[3] = [len(program[1]), *program[3][1:]]
    kept.keep(DERIVATION, known._key, json.dumps(data).encode())
    assert outcome(known.derivation()) == outcome(made)


# robots ---------------------------------------------------------------------------------------------------------


def test_a_robot_is_read_once(forbid, tmp_path):
    path = tmp_path / "arm.toml"
    path.write_text(file_text("planar2r"), encoding="utf-8")
    made = [reading.load("planar2r"), reading.load(path), reading.load(path, lock={"joint2": 1})]
    assert made == [load("planar2r"), load(path), load(path, lock={"joint2": 1})]
    assert len(entries("robot")) == 2
    forbid(READING)
    assert [reading.load("planar2r"), reading.load(path), reading.load(path, lock={"joint2": 1})] == made
    with pytest.raises(pytest.fail.Exception), kept.unused():
        reading.load(path)
    path.write_text(path.read_text(encoding="utf-8") + "\n# a remark\n", encoding="utf-8")
    with pytest.raises(pytest.fail.Exception):
        reading.load(path)


# verdicts -------------------------------------------------------------------------------------------------------


def test_a_second_run_finds_all_of_the_first(forbid):
    robot = load("planar2r")
    made = run(robot, FEW, states=3, languages=("c", "python"))
    forbid(DERIVING, JUDGING)
    found = run(robot, FEW, states=3, languages=("c", "python"))
    assert found.passed
    assert (found.report, found.proofs, found.written) == (made.report, made.proofs, made.written)
    assert [each.report is found.report for each in found.written] == [True, False]
    assert found.sources == made.sources
    assert found.module.compiled == made.module.compiled
    assert found.module.gravity_torque([0.1, 0.2]).tolist() == made.module.gravity_torque([0.1, 0.2]).tolist()


def test_what_was_not_verified_so_is_verified(monkeypatch):
    robot, asked = load("planar2r"), {"states": 3, "languages": ("c",)}
    run(robot, FEW, **asked)
    seen = _watched(monkeypatch)
    run(robot, FEW, **asked)
    assert seen == []
    others = [{"states": 4}, {"seed": 1}, {"languages": ("python",)}, {"verify": True}]
    for number, other in enumerate(others, start=1):
        run(robot, FEW, **asked | other)
        assert len(seen) == number, other


def _watched(monkeypatch):
    """What is judged from now on."""
    seen, judged = [], judging.judged
    monkeypatch.setattr(judging, "judged", lambda *args, **kwargs: seen.append(args) or judged(*args, **kwargs))
    return seen


def test_another_compiled_file_is_verified(monkeypatch):
    robot = load("planar2r")
    first = run(robot, FEW, states=3)
    seen = _watched(monkeypatch)
    monkeypatch.setattr(compiler, "CODE_GENERATION", ("-O1", *compiler.CODE_GENERATION[1:], "-DOTHER", "-g"))
    second = run(robot, FEW, states=3)
    assert second.module.compiled != first.module.compiled
    assert len(seen) == 1
    run(robot, FEW, states=3)
    assert len(seen) == 1


def test_a_file_that_was_changed_is_verified(monkeypatch):
    robot = load("planar2r")
    file = run(robot, FEW, states=3).module.compiled
    content = file.read_bytes()
    file.unlink()  # it is loaded: it must not be changed in its place
    file.write_bytes(content + b"\0")
    seen = _watched(monkeypatch)
    assert run(robot, FEW, states=3).passed
    assert len(seen) == 1


FAILING = Verdict(Report("planar2r", (Check("gravity_torque", "oracle", 3, 1.0, 1e-10),)), ())
REFUTED = Verdict(Report("planar2r", (Check("x", "oracle", 3, 0.0, 1.0),)), (Proof("gravity_torque", "= g", False),))


@pytest.mark.parametrize("verdict", [FAILING, REFUTED], ids=["failing", "refuted"])
def test_what_failed_is_verified_again(monkeypatch, verdict):
    robot = load("planar2r")
    with monkeypatch.context() as patch:
        patch.setattr(judging, "judged", lambda *args, **kwargs: verdict)
        assert not run(robot, FEW, states=3).passed
    assert entries(VERDICT) == []
    assert run(robot, FEW, states=3).passed


def test_code_that_other_tools_run_is_run_each_time(monkeypatch):
    robot, seen = load("planar2r"), _watched(monkeypatch)
    for _ in range(2):
        run(robot, FEW, states=3, languages=("js",))
    assert len(seen) == 2
    assert len(entries(TEXTS)) == 1


def test_fresh_neither_finds_nor_keeps(forbid, monkeypatch):
    generate("planar2r", functions=["gravity_torque"], states=2, effort="low", fresh=True)
    kinds = {item.kind for item in contents.items(cache_directory())}
    assert not kinds & {"robot", DERIVATION, TEXTS, VERDICT}
    generate("planar2r", functions=["gravity_torque"], states=2, effort="low")
    forbid(DERIVING)
    with pytest.raises(pytest.fail.Exception):
        generate("planar2r", functions=["gravity_torque"], states=2, effort="low", fresh=True)
    monkeypatch.setenv(kept.SIZE, "0")
    with pytest.raises(pytest.fail.Exception):
        generate("planar2r", functions=["gravity_torque"], states=2, effort="low")


# other processes --------------------------------------------------------------------------------------------------

_GENERATE = """
import sys, symgen
arm = symgen.generate("planar2r", functions=["gravity_torque"], states=2, effort="low")
print(arm.gravity_torque([0.25, 0.5]).tolist(), *arm.sources.values())
"""


def test_many_processes_at_once_make_the_same(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))  # without a compiler, which has processes of its own
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    running = [subprocess.Popen([sys.executable, "-c", _GENERATE], stdout=subprocess.PIPE) for _ in range(2)]
    answers = {process.communicate(timeout=120)[0] for process in running}
    assert [process.returncode for process in running] == [0, 0]
    assert len(answers) == 1
    assert len(entries(DERIVATION)) == len(entries(VERDICT)) == 1
    later = subprocess.run([sys.executable, "-c", _GENERATE], stdout=subprocess.PIPE, check=True)
    assert {later.stdout} == answers
