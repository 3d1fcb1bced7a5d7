"""CasADi's external functions: values and derivatives through the C interface, and in CasADi where it is installed."""

import free_robots
import numpy as np
import pytest
import spherical_robots
from robot_text import GOOD, frame
from thorough import usual

from symgen import api
from symgen.derive.derivation import Options
from symgen.emit.casadi.runner import Library, built
from symgen.emit.derivatives.known import KNOWN
from symgen.emit.registry import language
from symgen.errors import InputError
from symgen.program.interpreter import evaluate
from symgen.robot.reader import read_text

FUNCTIONS = ("inverse_dynamics", "forward_dynamics", "forward_kinematics")
EXAMPLES = {
    "numbers": lambda: made("planar2r", functions=(*FUNCTIONS, "kinetic_energy", "integrate")),
    "packed": lambda: made("planar2r", functions=("inverse_dynamics", "jacobian"), packed=True),
    "run-time parameters": lambda: made("planar2r", functions=FUNCTIONS[::2], parameters="runtime", gravity="runtime"),
    "wrench": lambda: made("planar2r", functions=("inverse_dynamics",), wrenches=("link2",)),
    "floating": lambda: made(free_robots.robot("floating", arm=False), functions=("inverse_dynamics",)),
    "spherical": lambda: made(spherical_robots.spherical(), functions=("inverse_dynamics",), quaternion="wxyz"),
    "loop": lambda: made("five_bar", functions=("inverse_dynamics",)),
}


def made(robot, **options):
    loaded = api.load(robot) if isinstance(robot, str) else robot
    return api.run(loaded, Options(effort="low", **options), states=3, languages=("casadi",))


class Reached:
    """A function of a library at a random point: inputs are whole matrices."""

    def __init__(self, library, name):
        self.library, self.name = library, name
        self.counts = library.number(f"{name}_n_in"), library.number(f"{name}_n_out")
        rng = np.random.default_rng(3)
        shapes = [library.pattern(f"{name}_sparsity_in", k) for k in range(self.counts[0])]
        self.point = [rng.normal(size=shape) * (len(places) > 0) for shape, places in shapes]
        for k, word in enumerate(self.words("in")):
            if word == "parameters":
                (self.point[k],) = library.call("default_parameters", [])

    def words(self, way):
        return [self.library.word(f"{self.name}_name_{way}", k) for k in range(self.counts[way == "out"])]

    def at(self, point):
        return np.concatenate([each.ravel(order="F") for each in self.library.call(self.name, point)])

    def slopes(self, count, step=1e-6):
        """Central differences by the entries of the first inputs, but the parameters."""
        columns = []
        for k in range(count):
            for place in range(self.point[k].size):
                ends = []
                for way in (step, -step):
                    moved = [each.copy() for each in self.point]
                    flat = moved[k].ravel(order="F")
                    flat[place] += way
                    moved[k] = flat.reshape(self.point[k].shape, order="F")
                    ends.append(self.at(moved))
                columns.append((ends[0] - ends[1]) / (2 * step))
        return np.array(columns).T


def blocks(library, name, point, rows, columns):
    """A Jacobian of blocks, whole."""
    found = library.call(name, point)
    assert len(found) == rows * columns
    return np.vstack([np.hstack(found[row * columns : (row + 1) * columns]) for row in range(rows)])


@pytest.mark.parametrize("example", usual(5, list(EXAMPLES)))
def test_derivatives_are_those_of_the_values_and_of_each_other(example):
    """By all entries of inputs, those of quaternions and of gravity, too; by parameters they are NaN."""
    run = EXAMPLES[example]()
    assert run.written[0].report is not None, run.written[0].reason
    assert run.passed, api.failure_text(run)
    library = Library(built(run.sources.files["casadi"]))
    for function in run.derivation.module.functions:
        if function.name.endswith(("derivatives", "hessian")):
            continue
        plain = Reached(library, function.name)
        inputs, outputs = plain.counts
        jacobian = Reached(library, f"jac_{function.name}")
        own = plain.point
        assert jacobian.words("in") == [*plain.words("in"), *(f"out_{word}" for word in plain.words("out"))]
        first = blocks(library, f"jac_{function.name}", [*own, *[None] * outputs], outputs, inputs)
        _agree(first, plain.slopes(inputs))

        reverse, second = Reached(library, f"adj1_{function.name}"), Reached(library, f"jac_adj1_{function.name}")
        weights = reverse.point[inputs + outputs :]
        reverse.point[:inputs] = own
        whole = np.concatenate([_masked(library, function.name, k, w) for k, w in enumerate(weights)])
        _agree(first.T @ whole, reverse.at(reverse.point), 1e-12)
        given = [*own, *[None] * outputs, *weights, *[None] * inputs]
        assert len(given) == second.counts[0]
        curved = blocks(library, second.name, given, inputs, inputs + 2 * outputs)
        size = sum(each.size for each in own)
        _agree(curved[:, :size], reverse.slopes(inputs))
        _agree(curved[:, size + len(whole) :], first.T, 1e-12)
        assert not np.any(curved[:, size : size + len(whole)])


def _masked(library, name, index, weights):
    """Weights of an output, those of entries that are zero by structure left out."""
    _, places = library.pattern(f"{name}_sparsity_out", index)
    kept = np.zeros(weights.size)
    kept[places] = weights.ravel(order="F")[places]
    return kept


def _agree(found, expected, tolerance=1e-7):
    known = ~np.isnan(found)
    assert known.any()
    scale = max(1.0, np.nanmax(abs(expected)))
    np.testing.assert_allclose(found[known], expected[known], atol=tolerance * scale)


def test_derivatives_by_parameters_are_not_a_number():
    library = Library(built(EXAMPLES["run-time parameters"]().sources.files["casadi"]))
    plain = Reached(library, "inverse_dynamics")
    place = plain.words("in").index("parameters")
    assert plain.words("in") == ["q", "qd", "qdd", "gravity", "parameters"]
    assert np.all(np.isnan(library.call("jac_inverse_dynamics", [*plain.point, None])[place]))
    assert np.all(np.isnan(library.call("inverse_dynamics", [*plain.point[:place], None])[0]))
    assert np.isnan(library.default("inverse_dynamics", place))
    assert library.default("inverse_dynamics", 0) == 0


def test_single_precision_is_taken_and_given_in_double():
    run = made("planar2r", functions=("gravity_torque",), real="float32")
    assert run.passed
    single = Reached(Library(built(run.sources.files["casadi"])), "gravity_torque")
    (exact,) = evaluate(run.derivation.module.functions[0].program, {"q": single.point[0][:, 0]}).values()
    np.testing.assert_allclose(single.at(single.point), exact, rtol=2e-5, atol=2e-5)


def test_functions_that_derivatives_are_made_of_are_added():
    """Where they are known, and only there."""
    functions = made("planar2r", functions=("inverse_dynamics",)).derivation.module.functions
    assert {each.name for each in functions} == {"inverse_dynamics", *KNOWN["inverse_dynamics"].functions}
    functions = EXAMPLES["floating"]().derivation.module.functions
    assert [each.name for each in functions] == ["inverse_dynamics"]


def test_patterns_are_those_of_the_functions():
    """Of a planar arm the kinetic energy is the same whatever the first angle."""
    library = Library(built(EXAMPLES["numbers"]().sources.files["casadi"]))
    for question, index, expected in (
        ("jac_kinetic_energy_sparsity_out", 0, ((1, 2), [1])),
        ("jac_adj1_kinetic_energy_sparsity_out", 0, ((2, 2), [3])),
        ("jac_inverse_dynamics_sparsity_in", 3, ((2, 1), [])),
    ):
        shape, places = library.pattern(question, index)
        assert (shape, places.tolist()) == expected


def test_names_are_those_that_casadi_takes():
    """No two underscores side by side, whatever frames are called."""
    frames = "".join(frame(name=f'"{name}"', link='"fore"', xyz="[0, 0, 0.1]") for name in ("left__eye", "right_eye_"))
    run = made(read_text(GOOD + frames, "eyes.toml"), functions=("jacobian",), frames=("left__eye", "right_eye_"))
    assert run.passed
    library = Library(built(run.sources.files["casadi"]))
    assert library.number("jac_jacobian_left_eye_n_in") == 2


def test_names_that_become_one_are_refused():
    frames = "".join(frame(name=f'"{name}"', link='"fore"', xyz="[0, 0, 0.1]") for name in ("eye__", "eye_"))
    with pytest.raises(InputError, match=r"two functions would be called jacobian_eye in CasADi.*rename a frame"):
        made(read_text(GOOD + frames, "eyes.toml"), functions=("jacobian",), frames=("eye__", "eye_"))


def test_the_same_input_makes_the_same_bytes():
    module = EXAMPLES["numbers"]().derivation.module
    assert language("casadi").write(module) == language("casadi").write(module)


# CasADi itself -------------------------------------------------------------------------------------


def test_collocation_finds_the_same_as_with_casadis_own_expressions():
    """The same optimum in as many iterations, exact Hessians included."""
    casadi = pytest.importorskip("casadi", reason="needs casadi: pip install 'symgen[casadi]'")
    import casadi_problems as problems

    robot = problems.cart_pole()
    model = casadi.external("forward_dynamics", problems.symgen_library(robot, flags=problems.QUICK))
    (q, tau, found), (_, own_tau, own) = (
        problems.solved(each, problems.SWING_UP) for each in (model, problems.own_model(robot))
    )
    assert found["return_status"] == own["return_status"] == "Solve_Succeeded"
    assert found["iter_count"] == own["iter_count"]
    np.testing.assert_allclose(tau, own_tau, atol=1e-6)
    np.testing.assert_allclose(q[:, -1], problems.SWING_UP.goal, atol=1e-8)
