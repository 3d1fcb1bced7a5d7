"""Dynamics from chain to chain: the same functions as all at once, with the same bits on any number of nodes."""

import ctypes
import functools
import json
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from platforms import carried_by_a_leg, driven
from test_leg_by_leg import stretched
from test_loop_oracles import TOLERANCE, states

import symgen
from symgen.algebra.domain import Floats, vector
from symgen.build import compiler
from symgen.build.compiler import STRICT, UNCONTRACTED, find_compiler
from symgen.cli import main
from symgen.derive.chains import derive_chains
from symgen.derive.derivation import Options, derive
from symgen.emit.c.chains import emit_chains
from symgen.errors import EnvironmentFault, InputError, InternalError
from symgen.generation.chains import run_chains
from symgen.mechanics.formulations.elimination import Elimination
from symgen.program.counts import count
from symgen.program.fingerprint import fingerprint
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array, validate
from symgen.program.staged import Cutter, composed
from symgen.prove.proof import prove
from symgen.robot.reader import read_text
from symgen.robot.shipped import file_text
from symgen.runtime.chains import Chains
from symgen.runtime.ranks import Ranks

EXCHANGES = {
    ("recursive", "forward_dynamics"): 4,
    ("recursive", "inverse_dynamics"): 3,
    ("condensed", "forward_dynamics"): 2,
    ("condensed", "inverse_dynamics"): 2,
    ("projection", "forward_dynamics"): 0,
    ("projection", "inverse_dynamics"): 0,
    ("penalty", "penalty_dynamics"): 0,
}
CASES = [
    *(("rrr3", scheme) for scheme in ("recursive", "condensed", "projection", "penalty")),
    ("gough_stewart", "recursive"),
    ("delta", "condensed"),
    ("five_bar", "recursive"),
]

cases = pytest.mark.parametrize(("name", "scheme"), CASES)


@functools.cache
def derived(name: str, scheme: str):
    return derive_chains(symgen.load(name), scheme)


@functools.cache
def made(name: str, scheme: str, threads: int = 1) -> Chains:
    return Chains(derived(name, scheme).module, threads=threads)


@functools.cache
def given_to(name: str, function: str, size: int = 4) -> tuple[np.ndarray, ...]:
    """Arguments of a function at states near the robot's posture; loops may be open there."""
    module = derived(name, "penalty" if function == "penalty_dynamics" else "recursive").module
    random, near = np.random.default_rng(5), np.array(symgen.load(name).near)
    found = [random.normal(size=(size, *argument.shape)) for argument in module.function(function).inputs]
    return (near + 0.01 * found[0], *found[1:])


def functions_of(scheme: str) -> list[str]:
    return [function for name, function in EXCHANGES if name == scheme]


def called(chains: Chains, name: str) -> dict[str, np.ndarray]:
    return {f: getattr(chains, f)(*given_to(name, f)) for f in functions_of(chains.scheme)}


def bits(results: dict[str, np.ndarray]) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in results.items()}


# the same functions -------------------------------------------------------------------------------------


@cases
def test_stages_together_are_the_block_forms(name, scheme):
    assert [(p.function, p.holds) for p in prove(derived(name, scheme).whole)] == [
        (function, True) for function in functions_of(scheme)
    ]


@cases
def test_compiled_stages_are_what_they_are_together(name, scheme):
    found = called(made(name, scheme), name)
    for function in derived(name, scheme).whole.module.functions:
        inputs = dict(zip((item.name for item in function.inputs), given_to(name, function.name), strict=True))
        (expected,) = evaluate(function.program, inputs).values()
        assert np.abs(found[function.name] - expected).max() <= 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize(
    ("name", "scheme"), [("rrr3", "recursive"), ("rrr3", "condensed"), ("gough_stewart", "recursive")]
)
def test_results_are_those_of_the_references_and_the_general_reduction(name, scheme):
    own = [float(entry.constant({})) for entry in symgen.load(name).gravity]
    known = [s for s in states(name) if s.get("gravity_vector", own) == own]
    whole = derive(symgen.load(name), Options(("forward_dynamics", "inverse_dynamics"), effort="low")).module
    assert len(known) >= 8
    for state in known:
        tau = made(name, scheme).inverse_dynamics(state["q"], state["qd"], state["qdd"])
        assert np.abs(tau - state["tau"]).max() <= TOLERANCE * np.abs(state["tau"]).max()
        forces = state.get("tau_given", state["tau"])
        inputs = {"q": state["q"], "qd": state["qd"], "tau": forces}
        expected = evaluate(whole.function("forward_dynamics").program, inputs)["qdd"]
        found = made(name, scheme).forward_dynamics(**inputs)
        assert np.abs(found - expected).max() <= 1e-12 * max(1, np.abs(expected).max())


def test_whatever_is_made_is_held_against_the_oracle():
    for scheme in ("recursive", "penalty"):
        run = run_chains(symgen.load("rrr3"), scheme, states=5)
        assert run.passed
        assert {check.name.partition(",")[0] for check in run.report.checks} >= set(functions_of(scheme))


def test_a_platform_carried_by_a_leg():
    """One ball joint is in the tree: its quaternion is in q, and the platform's inertia in that chain."""
    derivation = derive_chains(carried_by_a_leg(), "condensed")
    assert len(derivation.module.chains) == 6
    assert all(proof.holds for proof in prove(derivation.whole))


@given(st.integers(1, 4), st.data())
@settings(max_examples=40)
def test_passive_rates_are_the_least_squares_solution_and_forces_its_adjoint(size, data):
    numbers = st.integers(-4, 4)
    J = data.draw(arrays(float, (5, size), elements=numbers).filter(lambda a: np.linalg.matrix_rank(a) == size))
    t, forces = data.draw(arrays(float, 5, elements=numbers)), data.draw(arrays(float, size, elements=numbers))
    found = Elimination(Floats({}), {k: vector(column) for k, column in enumerate(J.T)}, range(size), 5, "")
    rates = np.array(list(found.rates(vector(t)).values()))
    np.testing.assert_allclose(rates, np.linalg.lstsq(J, t, rcond=None)[0], atol=1e-9)
    np.testing.assert_allclose(found.projector.astype(float), np.eye(5) - J @ np.linalg.pinv(J), atol=1e-9)
    assert float(found.forces(dict(enumerate(forces))) @ t) == pytest.approx(forces @ rates, abs=1e-9)


# cutting ------------------------------------------------------------------------------------------------


def staged_sum():
    """Chains k = 1, 2 contribute a = k q², then a (q + s) with s the sum of all a; the result is 3 times that."""
    graph = Graph()
    cutter = Cutter(graph, 2)
    q = graph.variable("q", 0)
    own = [graph.constant(k) * (q * q) for k in (1, 2)]
    first = cutter.exchange([[a, graph.constant(0)] for a in own])
    (s,) = cutter.tell([first[0][0] + first[1][0] + first[0][1]])
    second = cutter.exchange([[a * (q + s)] for a in own])
    result = [graph.constant(3) * (second[0][0] + second[1][0])]
    return cutter, cutter.staged([Array("q", (1,))], Array("y", (1,)), result, lambda program: program)


def test_parts_pass_on_what_they_need_and_no_more():
    _, staged = staged_sum()
    for _, part in staged.parts():
        validate(part.program)
    assert [stage.sent for stage in staged.stages] == [1, 1]
    assert (staged.memory, staged.told) == (1, 1)
    assert [count(part.program).arithmetic for name, part in staged.parts()] == [1, 2, 1, 2, 2, 2]
    graph = Graph()
    q = graph.variable("q", 0)
    s = graph.constant(3) * (q * q)
    whole = graph.program([Array("q", (1,))], [(Array("y", (1,)), [graph.constant(3) * (s * (q + s))])])
    assert fingerprint(composed(staged)) == fingerprint(whole)


def test_chains_know_sums_only_when_they_are_told():
    graph = Graph()
    cutter = Cutter(graph, 2)
    q = graph.variable("q", 0)
    (one,), (other,) = cutter.exchange([[q * q], [q + 1]])
    cutter.exchange([[one + other], [q]])
    with pytest.raises(InternalError, match="received0, which it is not told"):
        cutter.staged([Array("q", (1,))], Array("y", (1,)), [q], lambda program: program)


# one thread and several ---------------------------------------------------------------------------------


@cases
def test_exchanges_are_counted_as_they_happen(name, scheme):
    chains = made(name, scheme)
    for function in functions_of(scheme):
        getattr(chains, function)(*given_to(name, function))
        assert chains.exchanges == EXCHANGES[scheme, function]
        assert chains.gathers == (scheme in ("projection", "penalty"))


@pytest.fixture
def openmp():
    try:
        compiler.openmp_flags(find_compiler())
    except EnvironmentFault as fault:
        pytest.skip(str(fault))


@pytest.mark.parametrize("threads", [2, 4])
@cases
def test_threads_give_the_same_bits(name, scheme, threads, openmp):
    assert bits(called(made(name, scheme, threads), name)) == bits(called(made(name, scheme), name))


@pytest.mark.parametrize("flags", [["-O0"], ["-O3", "-march=native"], ["-O2", "-fopenmp"]], ids=" ".join)
def test_the_c_code_stands_alone_and_gives_the_same_bits(flags, tmp_path, request):
    """As its files say: strict C99, without contraction; warnings are errors."""
    name = "rrr3"
    if "-fopenmp" in flags:
        request.getfixturevalue("openmp")
    for file, text in emit_chains(derived(name, "recursive").module).items():
        (tmp_path / file).write_text(text)
    command = [*find_compiler().command, *STRICT, *flags, *UNCONTRACTED, "-shared", "-fPIC"]
    built = tmp_path / "chains.so"
    subprocess.run([*command, f"{name}_chains.c", "-o", built, "-lm"], cwd=tmp_path, check=True)
    code = ctypes.CDLL(str(built))[f"{name}_chains_forward_dynamics"]
    inputs = given_to(name, "forward_dynamics")
    found = np.empty_like(inputs[2])
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*inputs, found)]
    assert code(ctypes.c_int(2), ctypes.c_size_t(len(found)), *pointers) == 4 * len(found)
    assert found.tobytes() == made(name, "recursive").forward_dynamics(*inputs).tobytes()


@pytest.mark.parametrize("scheme", ["recursive", "condensed", "projection"])
def test_singular_postures_give_no_numbers(scheme):
    """The five-bar with its distal links in line, as the general reduction's guards tell; beside that there are."""
    chains = made("five_bar", scheme)
    qd, tau = np.array([0.3, -0.2]), np.array([1.0, 0.5])
    assert np.isnan(chains.forward_dynamics(stretched(), qd, tau)).all()
    assert np.isnan(chains.inverse_dynamics(stretched(), qd, tau)).all()
    assert np.isfinite(chains.forward_dynamics(stretched() + np.array([0, 0.01, 0, 0]), qd, tau)).all()


def test_states_broadcast():
    chains, (q, qd, tau) = made("rrr3", "recursive"), given_to("rrr3", "forward_dynamics")
    found = chains.forward_dynamics(q[:, None], qd, tau=tau[0])
    assert found.shape == (4, 4, 3)
    np.testing.assert_array_equal(found[1, 2], chains.forward_dynamics(q[1], qd[2], tau[0]))
    assert chains.forward_dynamics(q[:0], qd[:0], tau[:0]).shape == (0, 3)


# bad input ----------------------------------------------------------------------------------------------


def between_platforms():
    """A 3-RRR whose third leg holds the first leg's rod, not the platform."""
    start, end = 'successor = { link = "platform", xyz = [0.2,', '"0.4*sqrt(3)/2", 0] }'
    text = file_text("rrr3").replace(f"{start} {end}", 'successor = { link = "distal1", xyz = [0.3, 0.1, 0] }')
    return read_text(text, "between.toml")


REFUSED = {
    "puma": "the robot has no loops",
    "rssr": "could spin between two ball joints",
    "carpet_scraper": "two of its legs share the link arm",
    "palletizer": "couplings are among its constraints",
    "ankle": "is rod, not revolute or spherical",
}


@pytest.mark.parametrize("name", REFUSED)
def test_robots_that_are_no_platform_on_chains_are_refused(name):
    with pytest.raises(InputError, match=f"^{name}: .*{REFUSED[name]}"):
        derive_chains(symgen.load(name))


def test_chains_between_platforms_and_driven_cut_joints_are_refused():
    with pytest.raises(InputError, match="its loops close at no common body"):
        derive_chains(between_platforms())
    with pytest.raises(InputError, match="friction or a spring acts in a cut joint"):
        derive_chains(driven("rrr3"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"scheme": "other"}, "no scheme of chains is called 'other'; there are: recursive"),
        ({"threads": 0}, "threads: expected a number from 1 on, found 0"),
        ({"threads": True}, "expected a number from 1 on, found True"),
        ({"comm": 0}, "comm: expected an intracommunicator of mpi4py"),
        ({"comm": 3}, "comm: expected an intracommunicator of mpi4py"),
        ({"gather": False}, "that needs comm, and one of the schemes projection and penalty, found no comm"),
    ],
)
def test_wrong_words_are_refused(words, message):
    with pytest.raises(InputError, match=message):
        symgen.chains("rrr3", states=1, **words)


class Alike:
    """A communicator of so many ranks that all are this one."""

    def __init__(self, size: int) -> None:
        self.size = size

    def Get_rank(self) -> int:  # noqa: N802 — mpi4py's names
        return 0

    def Get_size(self) -> int:  # noqa: N802
        return self.size

    Iallgather = Ibcast = Abort = None


@pytest.mark.parametrize(
    ("size", "words", "message"),
    [
        (5, {}, "5 ranks for 3 chains: some would have nothing to do; start at most 4"),
        (2, {"threads": 2}, "threads are those of one process, and comm spans several"),
        (2, {"gather": False}, "one of the schemes projection and penalty, found recursive"),
    ],
)
def test_wrong_numbers_of_nodes_are_refused(size, words, message):
    with pytest.raises(InputError, match=message):
        Chains(derived("rrr3", "recursive").module, ranks=Ranks(Alike(size)), **words)


@pytest.mark.parametrize("timeout", [0, -1, "a while", True])
def test_a_wrong_timeout_is_refused(timeout):
    with pytest.raises(InputError, match="timeout: expected seconds above 0"):
        Ranks(Alike(2), timeout)


def test_schemes_say_which_functions_they_have():
    with pytest.raises(InputError, match="the scheme 'penalty' has no forward_dynamics; it has penalty_dynamics"):
        made("rrr3", "penalty").forward_dynamics([0] * 7, [0] * 3, [0] * 3)


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match=r"forward_dynamics: q has shape \(3,\), expected \(..., 7\)"):
        made("rrr3", "recursive").forward_dynamics([0] * 3, [0] * 3, [0] * 3)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'tau'"):
        made("rrr3", "recursive").forward_dynamics([0] * 7, [0] * 3)


def test_missing_mpi_and_missing_openmp_are_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(EnvironmentFault, match=r"need mpi4py and an MPI library.*pip install 'symgen\[mpi\]'"):
        symgen.chains("rrr3", comm="world")
    monkeypatch.setattr(compiler, "_has_openmp", lambda command: False)
    with pytest.raises(EnvironmentFault, match="cannot compile for several threads: -fopenmp fails"):
        Chains(derived("rrr3", "recursive").module, threads=2)


# MPI ranks ----------------------------------------------------------------------------------------------

OWN = Path(sys.executable).with_name("mpiexec")
MPIEXEC = str(OWN) if OWN.is_file() else shutil.which("mpiexec")


@pytest.fixture(scope="module")
def on_ranks(tmp_path_factory):
    """Runs chains_on_ranks.py on so many ranks: (exit status, results of all ranks, what was printed)."""
    if MPIEXEC is None:
        pytest.skip("no mpiexec beside this Python or on the path: pip install 'symgen[mpi]' brings one")
    kind = subprocess.run([MPIEXEC, "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    start = [MPIEXEC, *(["--allow-run-as-root", "--oversubscribe"] if "Open MPI" in kind else []), "-n"]
    probe = [*start, "2", sys.executable, "-c", "from mpi4py import MPI; assert MPI.COMM_WORLD.Get_size() == 2"]
    tried = subprocess.run(probe, capture_output=True, text=True, timeout=60, check=False)
    if tried.returncode:
        pytest.skip(f"mpiexec starts no two ranks of mpi4py here: {tried.stderr[-300:]}")

    def run(ranks: int, **task):
        file = tmp_path_factory.mktemp("ranks") / "task"
        file.write_bytes(pickle.dumps({"timeout": 60, "flags": compiler.CODE_GENERATION, **task}))
        script = Path(__file__).with_name("chains_on_ranks.py")
        command = [*start, str(ranks), sys.executable, script, file]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
        lines = [line for line in done.stdout.splitlines() if line.startswith("results ")]
        results = json.loads(lines[0].partition(" ")[2]) if lines else None
        return done.returncode, results, done.stdout + done.stderr

    return run


def tasks(*pairs):
    return {
        f"{name} {scheme}": (derived(name, scheme).module, {f: given_to(name, f) for f in functions_of(scheme)})
        for name, scheme in pairs
    }


@pytest.mark.parametrize("ranks", [2, 4])
def test_ranks_give_the_same_bits_and_exchange_as_often(ranks, on_ranks):
    """On two ranks chains are shared out unevenly, on four the 3-RRR leaves one rank with the central part alone."""
    known = [(name, scheme) for name, scheme in CASES if name in ("rrr3", "gough_stewart")]
    status, results, text = on_ranks(ranks, modules=tasks(*known))
    assert status == 0, text
    assert len(results) == ranks
    for name, scheme in known:
        expected = bits(called(made(name, scheme), name))
        for found in results:
            for function, (text, exchanges, gathers) in found[f"{name} {scheme}"].items():
                assert bytes.fromhex(text) == expected[function]
                assert exchanges == EXCHANGES[scheme, function]
                assert gathers == (scheme in ("projection", "penalty"))


def test_results_stay_where_they_are_worked_out(on_ranks):
    status, results, text = on_ranks(2, modules=tasks(("rrr3", "projection")), gather=False)
    assert status == 0, text
    expected = called(made("rrr3", "projection"), "rrr3")["forward_dynamics"]
    for own, found in zip(([0, 2], [1]), results, strict=True):
        text, exchanges, gathers = found["rrr3 projection"]["forward_dynamics"]
        values = np.frombuffer(bytes.fromhex(text)).reshape(-1, 3)
        assert (exchanges, gathers) == (0, 0)
        np.testing.assert_array_equal(values[:, own], expected[:, own])
        assert np.isnan(np.delete(values, own, axis=1)).all()


def test_all_ranks_make_chains_together(on_ranks):
    inputs = given_to("rrr3", "forward_dynamics")
    status, results, text = on_ranks(2, robot="rrr3", states={"forward_dynamics": inputs})
    assert status == 0, text
    expected = made("rrr3", "recursive").forward_dynamics(*inputs).tobytes()
    assert [bytes.fromhex(found["made"]["forward_dynamics"][0]) for found in results] == [expected] * 2


@pytest.mark.parametrize(
    ("ranks", "task", "message"),
    [
        (5, {"modules": ("rrr3", "recursive")}, "refused: rrr3: 5 ranks for 3 chains"),
        (2, {"robot": "puma", "states": {}}, "refused: puma: chains meet at a platform, but the robot has no loops"),
        (
            2,
            {"modules": ("rrr3", "recursive"), "fault": "differs"},
            "refused: forward_dynamics: rank 1 was given an",
        ),
        (2, {"modules": ("rrr3", "recursive"), "fault": "fewer", "timeout": 2}, "symgen: rank"),
        (3, {"modules": ("rrr3", "recursive"), "fault": "dies"}, ""),
        (3, {"modules": ("rrr3", "recursive"), "fault": "raises", "timeout": 1}, "no contribution of another rank cam"),
    ],
    ids=["too many", "no platform", "another state", "fewer states", "a rank that dies", "a rank that fails"],
)
def test_ranks_come_to_a_clear_end(ranks, task, message, on_ranks):
    if "modules" in task:
        task = task | {"modules": tasks(task["modules"])}
    status, results, text = on_ranks(ranks, **task)
    assert status != 0
    assert results is None
    assert message in text


# the command line ---------------------------------------------------------------------------------------


def test_the_command_shows_and_writes_what_was_made(tmp_path):
    run = CliRunner().invoke(main, ["chains", "rrr3", "--scheme", "condensed", "--states", "2", "-o", str(tmp_path)])
    assert run.exit_code == 0, run.output
    assert "chain 2: base2, elbow2, closed by leg2; driven: base2" in run.output
    assert "rrr3: forward_dynamics, operations; 2 exchanges" in run.output
    assert "proved: 2 functions" in run.output
    sources = emit_chains(derived("rrr3", "condensed").module)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == sources


def test_the_command_tells_programs():
    run = CliRunner().invoke(main, ["chains", "five_bar", "--json", "--states", "2"])
    told = json.loads(run.stdout)
    function = told["functions"]["forward_dynamics"]
    assert (told["passed"], function["exchanges"], len(function["sent"])) == (True, 4, 4)
    assert told["proofs"] == {"forward_dynamics": True, "inverse_dynamics": True}
