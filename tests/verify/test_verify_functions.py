"""What `verify` passes and catches of every function, with every setting: gravity, wrenches, frames, axes, drives."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np
import pytest
from oracle_functions import HESSIANS, oracle_functions
from robots_with_drives import equipped

from symgen.errors import InputError
from symgen.mechanics.functions.registry import of_each_contact, of_loops
from symgen.robot.model import Drive
from symgen.robot.reader import read_text
from symgen.verify.compare import ARGUMENTS, verify
from symgen.verify.oracle import Oracle
from symgen.verify.setting import Setting
from symgen.verify.signatures import signatures

STEMS = ("XX", "XY", "XZ", "YY", "YZ", "ZZ", "MX", "MY", "MZ", "M")
COLUMNS = tuple((number, stem) for number in (2, 4) for stem in STEMS)

PLAIN = Setting(regressor=COLUMNS)
FULL = Setting(
    regressor=COLUMNS,
    gravity=True,
    wrenches=(("wrench_tcp", "tcp"), ("wrench_elbow", "elbow")),
    frames=(("tcp", "tcp"), ("elbow", "elbow")),
    axes="frame",
)
SINGLE = dataclasses.replace(FULL, real="float32")

NAMES = [
    (setting, name)
    for setting in (PLAIN, FULL)
    for name, signature in signatures(equipped("puma"), setting).items()
    if signature.kind not in HESSIANS  # these have tests of their own
]
every_function = pytest.mark.parametrize(
    ("setting", "name"), NAMES, ids=[f"{'full' if s is FULL else 'plain'}-{name}" for s, name in NAMES]
)


@functools.cache
def robot(name="stanford"):
    return equipped(name)


def failed_names(report):
    return {check.name for check in report.failures}


def arrays(values):
    return [np.array(array) for array in (values if isinstance(values, tuple) else (values,))]


def returned(values):
    return tuple(values) if len(values) > 1 else values[0]


def spoilt(right, spoil):
    """A function with the list of its arrays passed through `spoil`, which changes them in place."""

    def function(*args):
        values = arrays(right(*args))
        spoil(values)
        return returned(values)

    return function


@pytest.mark.parametrize("setting", [PLAIN, FULL], ids=["plain", "full"])
@pytest.mark.parametrize("name", ["puma", "stanford", "panda", "scara"])
def test_correct_functions_pass(name, setting):
    report = verify(robot(name), oracle_functions(robot(name), setting), 50, setting=setting)
    assert report.passed, str(report)
    assert len(report.checks) == (102 if setting is PLAIN else 114)


@every_function
def test_a_millionth_in_one_entry_is_caught(setting, name):
    right = oracle_functions(robot(), setting)[name]
    usual = arrays(right(*example(name, setting)))
    for number, array in enumerate(usual):
        sizes = np.abs(array).max(axis=0)
        entries = [entry for entry in np.ndindex(sizes.shape) if sizes[entry] > 1e-9]
        for entry in entries[:: max(1, len(entries) // 3)]:

            def spoil(values, number=number, entry=entry):
                values[number][(..., *entry)] *= 1 + 1e-6

            found = verify(robot(), {name: spoilt(right, spoil)}, 20, setting=setting)
            assert name in failed_names(found), (number, entry)


def example(name, setting):
    """Random arguments of a function, 5 states."""
    generator = np.random.default_rng(0)
    sizes = {"gravity": 3, "row_weights": 6} | {argument: 6 for argument, _ in setting.wrenches}
    arguments = signatures(robot(), setting)[name].arguments
    return [generator.uniform(-1, 1, (5, sizes.get(argument, robot().nv))) for argument in arguments]


@every_function
def test_an_argument_that_is_disregarded_is_caught(setting, name):
    right = oracle_functions(robot(), setting)[name]
    for index, argument in enumerate(signatures(robot(), setting)[name].arguments):

        def function(*args, index=index):
            return right(*(0 * arg if i == index else arg for i, arg in enumerate(args)))

        assert name in failed_names(verify(robot(), {name: function}, 10, setting=setting)), argument


@every_function
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_single_number_that_is_none_is_caught(setting, name, value):
    def spoil(values):
        values[-1].flat[-1] = value

    right = oracle_functions(robot(), setting)
    report = verify(robot(), {name: spoilt(right[name], spoil)}, 7, setting=setting)
    check = next(check for check in report.failures if check.name == name)
    assert check.error == np.inf


@every_function
def test_another_shape_is_caught(setting, name):
    right = oracle_functions(robot(), setting)[name]
    report = verify(
        robot(), {name: lambda *args: returned([a[..., None] for a in arrays(right(*args))])}, 5, 0, setting
    )
    assert "expected" in next(check for check in report.failures if check.name == name).note


def test_a_missing_array_is_caught():
    report = verify(robot(), {"udu_factors": lambda q: Oracle(robot()).udu_factors(q)[0]})
    assert "1 arrays, expected 2" in report.failures[0].note


@every_function
def test_a_batch_that_differs_from_single_calls_is_caught(setting, name):
    right = oracle_functions(robot(), setting)[name]

    def swapped(*args):
        values = arrays(right(*args))
        return returned([array[::-1] if args[0].ndim > 1 else array for array in values])

    assert f"{name}: single calls = batch" in failed_names(verify(robot(), {name: swapped}, 10, setting=setting))


# identities ------------------------------------------------------------------------------------------------

BROKEN = {
    "coriolis_matrix qd = coriolis_torque": (("coriolis_matrix", "coriolis_torque"), 1e-6),
    "rate of inertia_matrix - 2 coriolis_matrix is skew": (("coriolis_matrix", "inertia_matrix"), 1e-6),
    "coriolis_product of qd = coriolis_torque": (("coriolis_product", "coriolis_torque"), 1e-6),
    "coriolis_product of e_j = column j of coriolis_matrix": (("coriolis_product", "coriolis_matrix"), 1e-6),
    "coriolis_transpose_velocity = coriolis_matrix^T qd": (("coriolis_transpose_velocity", "coriolis_matrix"), 1e-6),
    "rate of generalized_momentum = reference_torque of qd, qdd + coriolis_transpose_velocity - gravity_torque": (
        ("coriolis_transpose_velocity", "generalized_momentum", "reference_torque", "gravity_torque"),
        1e-6,
    ),
    "inertia_rate = coriolis_matrix + coriolis_matrix^T": (("inertia_rate", "coriolis_matrix"), 1e-6),
    "inertia_rate = rate of inertia_matrix": (("inertia_rate", "inertia_matrix"), 1e-6),
    "inertia_rate qd = coriolis_torque + coriolis_transpose_velocity": (
        ("inertia_rate", "coriolis_torque", "coriolis_transpose_velocity"),
        1e-6,
    ),
    "inertia_matrix qd = generalized_momentum": (("generalized_momentum", "inertia_matrix"), 1e-6),
    "qd generalized_momentum / 2 = kinetic_energy": (("generalized_momentum", "kinetic_energy"), 1e-6),
    "reference_torque of qd, qdd = inverse_dynamics - friction - springs": (
        ("reference_torque", "inverse_dynamics"),
        1e-6,
    ),
    "reference_torque = inertia_matrix qdd_ref + coriolis_product of qd_ref + gravity_torque": (
        ("reference_torque", "inertia_matrix", "coriolis_product", "gravity_torque"),
        1e-6,
    ),
    "gravity_torque = slope of potential_energy - springs": (("potential_energy", "gravity_torque"), 1e-6),
    "kinetic_energy = qd inertia_matrix qd / 2": (("kinetic_energy", "inertia_matrix"), 1e-6),
    "U D U^T of udu_factors = inertia_matrix": (("udu_factors", "inertia_matrix"), 1e-6),
    "U of udu_factors is unit upper triangular": (("udu_factors",), 1e-15),
    "inertia_matrix inverse_inertia_matrix = 1": (("inverse_inertia_matrix", "inertia_matrix"), 1e-6),
    "dtau_dqd = 2 coriolis_matrix + slope of friction": (("coriolis_matrix", "inverse_dynamics_derivatives"), 1e-6),
    "inertia_matrix dqdd_dq = -dtau_dq": (
        ("forward_dynamics_derivatives", "inverse_dynamics_derivatives", "inertia_matrix", "forward_dynamics"),
        1e-6,
    ),
    "jacobian qd = twist of the pose": (("jacobian", "forward_kinematics"), 1e-6),
    "jacobian_dot = rate of jacobian": (("jacobian_dot", "jacobian"), 1e-6),
    "jacobian_dot qd = jacobian_dot_velocity": (("jacobian_dot_velocity", "jacobian_dot"), 1e-6),
}
"""Identity → functions that it is about, the first of which is wrong, and by how much."""


@pytest.mark.parametrize("identity", BROKEN)
def test_every_identity_fails_where_it_does_not_hold(identity):
    (wrong, *others), share = BROKEN[identity]
    right = oracle_functions(robot())

    def spoil(values):
        values[0] *= 1 + share

    functions = {name: right[name] for name in others}
    assert verify(robot(), functions | {wrong: right[wrong]}, 20).passed
    assert identity in failed_names(verify(robot(), functions | {wrong: spoilt(right[wrong], spoil)}, 20))


def one_pendulum():
    """A pendulum, and its regressor by hand: τ = ZZ q̈ + g (MX cos q − MY sin q)."""

    def regressor(q, qd, qdd):
        q, _, qdd = np.broadcast_arrays(q, qd, qdd)
        return np.stack([qdd, 9.81 * np.cos(q), -9.81 * np.sin(q)], axis=-1)

    setting = Setting(regressor=((1, "ZZ"), (1, "MX"), (1, "MY")), regressor_values=(2 * 0.5**2, 2 * 0.5, 0.0))
    return read_text(PENDULUM, "pendulum"), regressor, setting


def test_a_regressor_is_held_against_its_parameters_too():
    pendulum, regressor, setting = one_pendulum()
    identity = "regressor times its parameters = joint forces of the links"
    report = verify(pendulum, {"regressor": regressor}, 20, setting=setting)
    assert report.passed, str(report)
    assert identity in {check.name for check in report.checks}
    other = dataclasses.replace(setting, regressor_values=(2 * 0.5**2, 1.0 + 1e-6, 0.0))
    assert failed_names(verify(pendulum, {"regressor": regressor}, 20, setting=other)) == {identity}
    swapped = dataclasses.replace(setting, regressor=((1, "ZZ"), (1, "MY"), (1, "MX")))
    assert "regressor" in failed_names(verify(pendulum, {"regressor": regressor}, 20, setting=swapped))
    with pytest.raises(InputError, match="no oracle for 'regressor'"):
        verify(pendulum, {"regressor": regressor})


def test_derivatives_of_a_damped_pendulum_by_hand():
    pendulum = read_text(PENDULUM + "viscous_friction = 0.3\ncoulomb_friction = 0.2\ncoulomb_smoothing = 0.1\n", "p")
    inertia, weight = 2 * 0.5**2, 2 * 0.5 * 9.81

    def slopes(q, qd):
        q, qd = np.broadcast_arrays(q, qd)
        return -weight * np.sin(q)[..., None], (0.3 + 2 / np.cosh(10 * qd) ** 2)[..., None]

    def forward(q, qd, tau):
        stiffness, damping = slopes(q, qd)
        return -stiffness / inertia, -damping / inertia, 0 * damping + 1 / inertia

    functions = {
        "inverse_dynamics_derivatives": lambda q, qd, qdd: slopes(q, qd),
        "forward_dynamics_derivatives": forward,
    }
    report = verify(pendulum, functions, 200)
    assert report.passed, str(report)


def test_a_coriolis_matrix_that_is_not_christoffels_is_caught():
    """C + (q̇ × ·) has the same C q̇ and the same İ − 2C but for a skew part: only the oracle tells."""
    right = oracle_functions(robot())

    def other(q, qd):
        C = np.array(right["coriolis_matrix"](q, qd))
        cross = np.cross(qd[..., None, :3], np.eye(3))
        C[..., :3, :3] += 0.01 * np.swapaxes(cross, -1, -2)
        return C

    report = verify(robot(), right | {"coriolis_matrix": other}, 20)
    assert failed_names(report) == {
        "coriolis_matrix",
        "coriolis_product of e_j = column j of coriolis_matrix",
        "dtau_dqd = 2 coriolis_matrix + slope of friction",
    }


@pytest.mark.parametrize("part", ["rotor_inertia", "gear_ratio", "viscous", "coulomb", "smoothing"])
def test_a_wrong_drive_is_caught(part):
    given = robot()
    links = tuple(
        dataclasses.replace(
            link,
            joint=dataclasses.replace(
                link.joint, drive=dataclasses.replace(link.joint.drive, **{part: getattr(Drive(), part)})
            ),
        )
        for link in given.links
    )
    other = dataclasses.replace(given, links=links)
    failed = failed_names(verify(given, oracle_functions(other), 20))
    assert {"inverse_dynamics", "forward_dynamics", "forward_dynamics, residual"} <= failed
    assert "forward_dynamics_derivatives" in failed
    rubs = part in ("viscous", "coulomb", "smoothing")
    assert ("inverse_dynamics_derivatives" in failed) == rubs
    inertial = {"inertia_matrix", "kinetic_energy", "udu_factors", "inverse_inertia_matrix"}
    assert inertial <= failed if part in ("rotor_inertia", "gear_ratio") else not inertial & failed
    assert not failed & {"coriolis_torque", "gravity_torque", "bias_torque", "coriolis_matrix", "potential_energy"}


def test_the_wrong_axes_and_the_wrong_frame_are_caught():
    frames = dataclasses.replace(FULL, axes="base")
    failed = failed_names(verify(robot(), oracle_functions(robot(), frames), 20, setting=FULL))
    assert {f"{kind}_tcp" for kind in ("jacobian", "jacobian_dot", "jacobian_dot_velocity")} <= failed
    elbow = Setting(frames=(("elbow", "elbow"),))
    failed = failed_names(verify(robot(), oracle_functions(robot(), elbow), setting=Setting(frames=(("tcp", "tcp"),))))
    assert {"forward_kinematics", "jacobian", "jacobian_dot", "jacobian_dot_velocity"} <= failed


def test_wrenches_in_the_other_order_are_caught():
    swapped = dataclasses.replace(FULL, wrenches=FULL.wrenches[::-1])
    failed = failed_names(verify(robot(), oracle_functions(robot(), swapped), 20, setting=FULL))
    assert {"inverse_dynamics", "forward_dynamics"} <= failed


# single precision ------------------------------------------------------------------------------------------


def rounded(function):
    """As single-precision code would return it: rounded, and off by a few roundings."""

    def call(*args):
        values = arrays(function(*args))
        return returned([np.asarray(array * (1 + 4e-7), dtype=np.float32) for array in values])

    return call


@pytest.mark.parametrize("name", ["puma", "stanford"])
def test_single_precision_passes(name):
    functions = {key: rounded(function) for key, function in oracle_functions(robot(name), SINGLE).items()}
    right = functions["udu_factors"]

    def unit(q):
        U, D = right(q)
        return np.where(np.eye(robot(name).nv), 1, U), D

    report = verify(robot(name), functions | {"udu_factors": unit}, 20, setting=SINGLE)
    assert report.passed, str(report)
    assert not verify(robot(name), functions, 5, setting=dataclasses.replace(SINGLE, real="float64")).passed


@pytest.mark.parametrize("name", signatures(equipped("puma"), SINGLE))
def test_a_thousandth_is_caught_in_single_precision(name):
    def spoil(values):
        values[-1] *= 1 + 1e-3

    right = oracle_functions(robot(), SINGLE, second=True)[name]
    assert name in failed_names(verify(robot(), {name: spoilt(right, spoil)}, setting=SINGLE))


def test_inputs_are_numbers_of_the_real_type():
    seen = []

    def gravity_torque(q, gravity):
        seen.extend([q, gravity])
        return Oracle(robot()).gravity_torque(q, gravity)

    verify(robot(), {"gravity_torque": gravity_torque}, setting=SINGLE)
    assert all(np.array_equal(array, np.float32(array)) for array in seen)


# parameters, frames, refusals --------------------------------------------------------------------------------

PENDULUM = """
name = "pendulum"
convention = "modified"
gravity = [0, -9.81, 0]
inertia_about = "com"

[parameters]
m = 2
l = 0.5

[[links]]
joint = "revolute"
mass = "m"
com = ["l", 0, 0]
"""


def test_parameters_have_the_values_that_are_given():
    pendulum = read_text(PENDULUM, "pendulum")
    assert Oracle(pendulum).gravity_torque(np.zeros(1))[0] == pytest.approx(2 * 0.5 * 9.81, rel=1e-15)
    heavy = Oracle(pendulum, {"m": 3.25})
    assert heavy.gravity_torque(np.zeros(1))[0] == pytest.approx(3.25 * 0.5 * 9.81, rel=1e-15)
    given = Setting(parameters={"m": 3.25})
    assert verify(pendulum, oracle_functions(pendulum, given), setting=given).passed
    assert "inertia_matrix" in failed_names(verify(pendulum, oracle_functions(pendulum), setting=given))
    with pytest.raises(InputError, match="unknown parameter 'mass'; there are: m, l"):
        Oracle(pendulum, {"mass": 1})


def test_what_the_robot_has_not_is_refused():
    functions = oracle_functions(robot())
    for setting in (Setting(frames=(("hand", "hand"),)), Setting(wrenches=(("wrench", "hand"),))):
        with pytest.raises(InputError, match="no frame is called 'hand'; there are: "):
            verify(robot(), functions, setting=setting)
    with pytest.raises(InputError, match="unknown axes 'tool'"):
        verify(robot(), functions, setting=Setting(axes="tool"))
    with pytest.raises(InputError, match="unknown real type 'float16'"):
        verify(robot(), functions, setting=Setting(real="float16"))
    with pytest.raises(InputError, match="no frame is called 'hand'"):
        Oracle(robot()).jacobian(np.zeros(6), "hand")


def test_every_function_has_an_oracle():
    given = dataclasses.replace(PLAIN, given=(0, 2))
    assert set(ARGUMENTS) - of_loops() - {*of_each_contact()} == set(oracle_functions(robot(), given, second=True))
