"""PyTorch: the oracle's numbers, both kinds of derivatives twice, the compiled C, batches, and bad arguments."""

import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from free_robots import robot
from sample_modules import function as function_of
from sample_modules import module, random_module
from test_emit_batch import arrays

from symgen import api
from symgen.derive.derivation import Options, derive
from symgen.emit.python.runner import namespace
from symgen.emit.registry import language
from symgen.emit.torch.derivatives import products
from symgen.errors import EnvironmentFault
from symgen.program.graph import Graph
from symgen.program.program import Array

TORCH = language("torch")
DYNAMICS = (
    "inverse_dynamics",
    "inertia_matrix",
    "forward_dynamics",
    "inverse_dynamics_derivatives",
    "inverse_dynamics_hessian",
)

# PyTorch's forward mode compiles a script, and warns of scripts.
pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.script:FutureWarning")


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="needs PyTorch: pip install 'symgen[torch]'", exc_type=ImportError)


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """Makes the namespace of a module that was written, and its functions by the compiled C."""
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")

    @cache
    def made(module):
        folder = tmp_path_factory.mktemp("torch")
        for file, text in TORCH.write(module).items():
            (folder / file).write_text(text, encoding="utf-8")
        stem = f"{module.name}_torch"
        flags = ["-O0", "-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", f"lib{stem}.so"]
        subprocess.run(["gcc", *flags, f"{stem}.c", f"{stem}_batch.c", "-lm"], cwd=folder, check=True)
        names = written(module)
        return names, names["compiled"](folder / f"lib{stem}.so")

    return made


@cache
def dynamics(loaded, functions=DYNAMICS, **options):
    loaded = api.load(loaded) if isinstance(loaded, str) else loaded
    return derive(loaded, Options(functions=functions, effort="low", **options)).module


def planar(**options):
    return dynamics("planar2r", **options)


def written(module):
    """The names of the module that was written."""
    name = f"{module.name}_torch.py"
    return namespace({name: TORCH.write(module)[name]})


def inputs(torch, module, function, *batch, seed=1):
    """Random inputs of a function; the constants of parameters are their usual ones, for all states."""
    generator = np.random.default_rng(seed)
    found = []
    for argument in module.function(function).inputs:
        if argument.name == "constants":
            found.append(written(module)["constants_of"]({}))
        else:
            found.append(torch.from_numpy(generator.uniform(-1, 1, (*batch, *argument.shape))))
    return found


def moving(tensors):
    return [each.clone().requires_grad_() for each in tensors]


# numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["planar3r", "five_bar"])
def test_the_oracle_agrees(name, torch):
    options = Options(functions=("inverse_dynamics", "forward_dynamics"), effort="low")
    made = api.run(api.load(name), options, states=5, languages=("torch",))
    (found,) = made.written
    assert found.report is not None, found.reason
    assert found.passed


def test_the_numbers_of_numpy(torch):
    made = random_module(15, trig=True)
    given = {item.name: arrays(item, 2) for item in made.functions}
    with (
        TORCH.run(made, TORCH.write(made)) as found,
        language("python").run(made, language("python").write(made)) as plain,
    ):
        for name, states_given in given.items():
            with np.errstate(all="ignore"):
                expected = plain[name](*states_given)
            expected = expected if isinstance(expected, tuple) else (expected,)
            for x, y in zip(found[name](*states_given), expected, strict=True):
                np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-12)


LAYOUTS = {
    "rows": lambda x: x,
    "columns": lambda x: x.mT.contiguous().mT,
    "every second": lambda x: x.repeat_interleave(2, 0)[::2],
    "more dimensions": lambda x: x.reshape(3, 5, 1, -1).expand(3, 5, 4, -1),
    "turned": lambda x: x.reshape(3, 5, -1).transpose(0, 1),
    "one state": lambda x: x[0],
    "none": lambda x: x[:0],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_compiled_code_reads_any_layout(layout, torch, library):
    made = planar()
    names, compiled = library(made)
    q, *others = inputs(torch, made, "inverse_dynamics", 15)
    given = [LAYOUTS[layout](q), *(LAYOUTS[layout](each) for each in others)]
    found = compiled.inverse_dynamics(*given)
    assert found.shape == given[0].shape
    torch.testing.assert_close(found, names["inverse_dynamics"](*given), rtol=1e-12, atol=1e-12)
    mixed = (given[0], others[0][2], others[1][3:4])
    expected = names["inverse_dynamics"](*mixed)
    torch.testing.assert_close(compiled.inverse_dynamics(*mixed), expected, rtol=1e-12, atol=1e-12)


def test_compiled_code_reads_tensors_where_they_are(torch, library, monkeypatch):
    _, compiled = library(planar())
    given = [LAYOUTS["columns"](each) for each in inputs(torch, planar(), "inverse_dynamics", 15)]
    with monkeypatch.context() as patch:
        for name in ("contiguous", "clone", "copy_", "to"):
            patch.setattr(torch.Tensor, name, lambda *_: pytest.fail("a tensor was copied"))
        compiled.inverse_dynamics(*given)


@pytest.mark.parametrize("which", ["tensors", "compiled"])
def test_a_state_that_is_no_number_stays_alone(which, torch, library):
    made = planar()
    names, compiled = library(made)
    function = names["inverse_dynamics"] if which == "tensors" else compiled.inverse_dynamics
    given = inputs(torch, made, "inverse_dynamics", 9)
    usual = function(*given)
    given[0][4, 1] = torch.nan
    spoilt = function(*given)
    assert spoilt[4].isnan().any()
    rest = [k for k in range(9) if k != 4]
    torch.testing.assert_close(spoilt[rest], usual[rest], rtol=0, atol=0)


def test_signs_of_what_is_no_number(torch):
    """PyTorch's own sign makes 0 of it."""
    graph = Graph()
    program = graph.program([Array("x", (1,))], [(Array("y", (1,)), [graph.sign(graph.variable("x", 0))])])
    signs = written(module(function_of("sign_of", program)))["sign_of"]
    found = signs(torch.tensor([[torch.nan], [-2.0], [0.0], [torch.inf]]))
    np.testing.assert_array_equal(found[:, 0], [np.nan, -1, 0, 1])


def test_single_precision_stays_single(torch, library):
    made = planar()
    single = replace(made, real="float32")
    given = inputs(torch, made, "inverse_dynamics", 5)
    expected = written(made)["inverse_dynamics"](*given)
    given = [each.float() for each in given]
    names, compiled = library(single)
    for function in (written(made)["inverse_dynamics"], names["inverse_dynamics"], compiled.inverse_dynamics):
        found = function(*given)
        assert found.dtype == torch.float32
        torch.testing.assert_close(found.double(), expected, rtol=2e-5, atol=1e-5)


# derivatives ---------------------------------------------------------------------------------------

ROBOTS = {
    "an arm": lambda: dynamics("puma", ("inverse_dynamics",)),
    "forward dynamics": lambda: dynamics("planar2r", ("forward_dynamics",)),
    "a quadruped": lambda: dynamics("solo12", ("inverse_dynamics",)),
    "a loop": lambda: dynamics("five_bar", ("inverse_dynamics",)),
    "run-time parameters": lambda: planar(parameters="runtime"),
}


@pytest.mark.parametrize("case", ROBOTS)
def test_derivatives_of_the_compiled_code(case, torch, library):
    """Both modes, twice, against differences; by all entries of quaternions, and by constants of parameters."""
    made = ROBOTS[case]()
    name = made.functions[0].name
    _, compiled = library(made)
    given = moving(inputs(torch, made, name, 2))
    function = getattr(compiled, name)
    assert torch.autograd.gradcheck(function, given, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(function, given, check_fwd_over_rev=True)


@pytest.mark.parametrize("case", ["an arm", "a loop"])
def test_derivatives_of_the_functions_on_tensors(case, torch, library):
    """They are those of the compiled code, which are checked by differences."""
    made = ROBOTS[case]()
    names, compiled = library(made)
    given = moving(inputs(torch, made, "inverse_dynamics", 2))
    found = []
    for function in (names["inverse_dynamics"], compiled.inverse_dynamics):
        slopes = torch.autograd.grad((function(*given) ** 2).sum(), given, create_graph=True)
        found.append((*slopes, *torch.autograd.grad(slopes, given, given)))
    for x, y in zip(*found, strict=True):
        torch.testing.assert_close(x, y, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("mode", ["jacfwd", "jacrev"])
@pytest.mark.parametrize("which", ["tensors", "compiled"])
def test_derivatives_are_the_analytic_ones(mode, which, torch, library):
    made = planar()
    names, compiled = library(made)
    function = names["inverse_dynamics"] if which == "tensors" else compiled.inverse_dynamics
    given = inputs(torch, made, "inverse_dynamics", 3)
    found = torch.func.vmap(getattr(torch.func, mode)(function, argnums=(0, 1, 2)))(*given)
    expected = (*names["inverse_dynamics_derivatives"](*given), names["inertia_matrix"](given[0]))
    for x, y in zip(found, expected, strict=True):
        torch.testing.assert_close(x, y, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("which", ["tensors", "compiled"])
def test_second_derivatives_are_the_hessians(which, torch, library):
    made = planar()
    names, compiled = library(made)
    function = names["inverse_dynamics"] if which == "tensors" else compiled.inverse_dynamics
    *state, weights = inputs(torch, made, "inverse_dynamics_hessian", 3)
    weighed = lambda q, qd, qdd, w: (function(q, qd, qdd) * w).sum()  # noqa: E731
    found = torch.func.vmap(torch.func.hessian(weighed, argnums=(0, 1, 2)))(*state, weights)
    expected = names["inverse_dynamics_hessian"](*state, weights)
    own = (found[0][0], found[0][1], found[1][1], found[0][2])
    for x, y in zip(own, expected, strict=True):
        torch.testing.assert_close(x, y, rtol=1e-11, atol=1e-12)


def test_derivatives_by_parameters(torch, library):
    """Through the constants, by the parameters themselves; where states have constants of their own, too."""
    made = planar(parameters="runtime")
    names, compiled = library(made)
    state = inputs(torch, made, "inverse_dynamics", 3)[:3]
    (name, *_) = names["PARAMETERS"]
    values = torch.tensor([0.5, 1.5, 2.5], dtype=torch.float64, requires_grad=True)

    def slopes(function):
        found = function(*state, names["constants_of"]({name: values}))
        return found, torch.autograd.grad(found.sum(), values)[0]

    for x, y in zip(slopes(compiled.inverse_dynamics), slopes(names["inverse_dynamics"]), strict=True):
        torch.testing.assert_close(x, y, rtol=1e-11, atol=1e-12)


def test_broadcast_inputs_get_the_sums_of_derivatives(torch, library):
    made = planar()
    names, compiled = library(made)
    q, qd, qdd = inputs(torch, made, "inverse_dynamics", 3)
    given = moving([q, qd[0], qdd[:1]])
    found = torch.autograd.grad(compiled.inverse_dynamics(*given).sum(), given)
    expected = torch.autograd.grad(names["inverse_dynamics"](*given).sum(), given)
    for x, y in zip(found, expected, strict=True):
        torch.testing.assert_close(x, y, rtol=1e-12, atol=1e-12)


def test_third_derivatives_of_compiled_code_are_not_there(torch, library):
    names, compiled = library(planar())
    given = moving(inputs(torch, planar(), "inverse_dynamics", 1))

    def third(function):
        found = (function(*given) ** 3).sum()
        for _ in range(3):
            found = sum(each.sum() for each in torch.autograd.grad(found, given, create_graph=True))
        return found

    assert third(names["inverse_dynamics"]).isfinite()
    with pytest.raises(NotImplementedError, match="third derivatives of the compiled inverse_dynamics are not there"):
        third(compiled.inverse_dynamics)


def test_long_functions_and_derivatives_have_none(torch, library):
    made = planar()
    assert products(made, made.function("inverse_dynamics_hessian")) is None
    names, compiled = library(made)
    given = moving(inputs(torch, made, "inverse_dynamics_derivatives", 1))
    found, _ = compiled.inverse_dynamics_derivatives(*given)
    with pytest.raises(NotImplementedError, match=r"inverse_dynamics_derivatives has no derivatives.*made by PyTorch"):
        found.sum().backward()
    assert torch.autograd.grad(names["inverse_dynamics_derivatives"](*given)[0].sum(), given[0])[0].isfinite().all()


# loops ---------------------------------------------------------------------------------------------


def test_loops_are_closed(torch):
    made = derive(api.load("five_bar"), Options(functions=("assembly_step",), effort="low")).module
    names = written(made)
    assert made.assembly is not None
    guess = torch.tensor(names["NEUTRAL"], dtype=torch.float64)
    given = guess[list(made.assembly.places)] + torch.tensor([[0.1, -0.1], [50.0, -50.0]], dtype=torch.float64)
    q, status = names["assemble"](given, guess)
    closed = status == 0
    assert closed[0]
    assert q[~closed].isnan().all()
    torch.testing.assert_close(q[0, list(made.assembly.places)], given[0])


def test_packed_results(torch):
    made = derive(api.load("planar3r"), Options(functions=("jacobian",), effort="low", packed=True)).module
    whole = derive(api.load("planar3r"), Options(functions=("jacobian",), effort="low")).module
    q = torch.from_numpy(np.random.default_rng(1).uniform(-1, 1, (4, 3)))
    names = written(made)
    ((function, outputs),) = names["PATTERNS"].items()
    ((_, pattern),) = outputs.items()
    found = names["to_dense"](pattern, names[function](q))
    torch.testing.assert_close(found, written(whole)[function](q), rtol=0, atol=0)


# bad arguments -------------------------------------------------------------------------------------

BAD = {
    "a list": (lambda x: x.tolist(), TypeError, "q: expected a tensor, found a list; convert it"),
    "another type": (lambda x: x.half(), TypeError, r"q: expected a tensor of .*float64.*, found torch.float16"),
    "another shape": (lambda x: x[..., :1], ValueError, r"q has shape \(3, 1\), expected \(..., 2\)"),
    "another layout": (
        lambda x: x.to_sparse(),
        TypeError,
        r"q: expected a dense tensor, found layout torch.sparse_coo",
    ),
    "another device": (lambda x: x.to("meta"), TypeError, r"qd is of torch.float64 on cpu, but q of .* on meta"),
}


@pytest.mark.parametrize("which", ["tensors", "compiled"])
@pytest.mark.parametrize("case", BAD)
def test_bad_arguments_are_named(case, which, torch, library):
    names, compiled = library(planar())
    function = names["inverse_dynamics"] if which == "tensors" else compiled.inverse_dynamics
    change, error, text = BAD[case]
    q, qd, qdd = inputs(torch, planar(), "inverse_dynamics", 3)
    with pytest.raises(error, match=rf"planar2r_torch.*inverse_dynamics: {text}"):
        function(change(q), qd, qdd)


def test_tensors_that_are_not_on_the_cpu(torch, library):
    """Any device runs the functions on tensors; the compiled code moves nothing."""
    names, compiled = library(planar())
    given = [each.to("meta") for each in inputs(torch, planar(), "inverse_dynamics", 3)]
    assert names["inverse_dynamics"](*given).device.type == "meta"
    with pytest.raises(
        TypeError, match=r"expected tensors on the CPU, found meta; planar2r_torch.inverse_dynamics takes"
    ):
        compiled.inverse_dynamics(*given)


def test_parameters_that_are_not_there(torch):
    with pytest.raises(ValueError, match=r"parameters unknown: nothing; there are: "):
        written(planar(parameters="runtime"))["constants_of"]({"nothing": 1.0})


# files ---------------------------------------------------------------------------------------------


def test_names_of_derivatives_are_free():
    made = planar()
    other = replace(made.functions[0], name="inverse_dynamics_gradient")
    found = products(replace(made, functions=(*made.functions, other)), made.function("inverse_dynamics"))
    assert found.gradient.name == "inverse_dynamics_gradient_"


def test_free_joints_have_derivatives_by_quaternions(torch):
    """On tensors, at a quaternion of any length, against differences."""
    made = derive(robot("spherical", arm=False), Options(functions=("gravity_torque",), effort="low")).module
    q = inputs(torch, made, "gravity_torque", 2)
    assert torch.autograd.gradcheck(written(made)["gravity_torque"], moving(q))


def test_the_same_input_makes_the_same_bytes():
    assert TORCH.write(planar()) == TORCH.write(planar())


def test_without_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    made = random_module(5, trig=False)
    with pytest.raises(EnvironmentFault, match=r"no PyTorch found: python -m pip install"), TORCH.run(made, {}):
        pass
