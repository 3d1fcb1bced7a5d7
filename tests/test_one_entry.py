"""A function is one entry: what it is in mechanics, what it should return in verify, what is claimed of it in prove."""

import dataclasses

import numpy as np
import pytest
from contact_robots import hopper

from symgen import api
from symgen.algebra.domain import dot, variables, vector
from symgen.derive import options
from symgen.derive.subject import subject_of
from symgen.errors import InputError
from symgen.mechanics.functions import registry
from symgen.mechanics.functions.quantity import NQ, NV, QD, TAU, Input, Output, Quantity, by
from symgen.mechanics.functions.units import POSITION, VELOCITY
from symgen.package.vectors import draw_vectors
from symgen.prove.claim import Form, equal
from symgen.prove.proof import FORMS, UNCLAIMED
from symgen.verify import signatures
from symgen.verify.entry import Entry, Identity
from symgen.verify.functions import registry as oracles

STROKE = 0.5

# Two functions, with inputs that no other function has and of mixed lengths --------------------------------


def _mean_rate(mechanism):
    old, new = (variables(mechanism.domain, name, mechanism.nv) for name in ("q0", "q1"))
    (step,) = variables(mechanism.domain, "step", 1)
    return [vector((after - before) / step for before, after in zip(old, new, strict=True))]


MEAN_RATE = Quantity(
    "mean_rate",
    "Mean joint velocities between two configurations.",
    (
        Input("q0", NQ, "joint positions before", POSITION),
        Input("q1", NQ, "joint positions after", POSITION),
        Input("step", 1, "time between them", "s"),
    ),
    (Output("v", (NV,), "mean joint velocities", VELOCITY),),
    by("difference", "quotient of differences", _mean_rate),
    inertial=False,
    legend=("mean3   mean velocity of joint 3",),
)

POWER = Quantity(
    "power",
    "Power of the joint forces.",
    (QD, TAU),
    (Output("P", (), "power of the joint forces", "W"),),
    by("sum", "sum over the joints", lambda m: [vector([dot(*(variables(m.domain, n, m.nv) for n in ("qd", "tau")))])]),
    inertial=False,
)


def _expected_rate(at, _):
    q0, q1, step = (at.given[name] for name in ("q0", "q1", "step"))
    return [at.ball((q1 - q0) / step, lambda by: (np.abs(q1) + np.abs(q0)) / np.abs(step))]


def _expected_power(at, _):
    qd, tau = at.qd, at.given["tau"]
    return [at.ball(np.sum(qd * tau, axis=-1), lambda by: np.sum(np.abs(qd * tau), axis=-1))]


def _antisymmetry(subject, signature):
    at = subject.at.others
    there, back = subject.one(signature.name), subject.one(signature.name, q0=at["q1"], q1=at["q0"])
    return there, back * np.full((), -1.0)


def _configuration(random, robot, states):
    return random.uniform(-STROKE, STROKE, (states, robot.nq))


RATE_ORACLE = Entry(
    "mean_rate",
    ("q0", "q1", "step"),
    ((NV,),),
    _expected_rate,
    drawn={
        "q0": _configuration,
        "q1": _configuration,
        "step": lambda random, robot, states: random.uniform(0.1, 1, (states, 1)),
    },
    identities=(Identity("mean_rate is antisymmetric", (), _antisymmetry),),
)
POWER_ORACLE = Entry("power", ("qd", "tau"), ((),), _expected_power)


def _claimed_rate(claim):
    step = claim.variables("step")[0]
    return equal(claim.outputs[0] * step, claim.variables("q1") - claim.variables("q0"))


def _claimed_power(claim):
    return equal(claim.outputs[0], vector([claim.variables("qd").dot(claim.variables("tau"))]))


CLAIMS = (Form("mean_rate", "(q1 - q0) / step", _claimed_rate), Form("power", "qd . tau", _claimed_power))
NAMES = ("mean_rate", "power")


@pytest.fixture
def enter(monkeypatch):
    """Enters quantities with their oracles and claims, and nothing else."""

    def enter(quantities, entries=(RATE_ORACLE, POWER_ORACLE)):
        monkeypatch.setattr(registry, "FUNCTIONS", (*registry.FUNCTIONS, *quantities))
        every = tuple(item.name for item in registry.FUNCTIONS)
        known = dataclasses.replace(options.function_names(), every=every)
        monkeypatch.setattr(options, "function_names", lambda: known)
        monkeypatch.setattr(signatures, "FUNCTIONS", (*oracles.FUNCTIONS, *entries))
        for form in CLAIMS:
            monkeypatch.setitem(FORMS, form.kind, form)

    return enter


@pytest.fixture(scope="module")
def robot():
    return api.load("stanford")


def run(robot, states=20):
    return api.run(robot, options.Options(functions=NAMES, effort="low"), states=states, languages=api.USUAL)


def test_an_entry_is_derived_compiled_written_verified_and_proved(enter, robot):
    enter((MEAN_RATE, POWER))
    made = run(robot)
    assert made.passed, str(made.report)
    assert made.proved
    assert "mean_rate is antisymmetric" in {check.name for check in made.report.checks}
    q0, q1 = np.zeros(6), np.arange(6.0)
    assert np.array_equal(made.module.mean_rate(q0, q1, [0.5]), 2 * q1)
    assert made.module.power(np.ones(6), q1) == 15
    assert made.module.units["mean_rate"]["v"] == "rad/s (revolute) or m/s (prismatic)"
    assert made.module.units["power"]["P"] == "W"
    assert any("mean velocity of joint 3" in text for text in made.sources.files["c"].values())
    vectors = draw_vectors(robot, made.derivation)
    assert {name: len(rows[0]) for name, rows in vectors.inputs.items()} == {
        "q0": 6,
        "q1": 6,
        "step": 1,
        "qd": 6,
        "tau": 6,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        dataclasses.replace(
            MEAN_RATE, formulations=by("no", "no", lambda m: [_mean_rate(m)[0] * m.domain.constant(2)])
        ),
        dataclasses.replace(MEAN_RATE, formulations=by("no", "no", lambda m: [_mean_rate(m)[0][::-1]])),
    ],
)
def test_an_entry_that_is_derived_wrongly_is_caught_twice(enter, robot, wrong):
    enter((wrong, POWER))
    made = run(robot)
    assert {check.name for check in made.report.checks if not check.passed} >= {"mean_rate"}
    assert [proof.holds for proof in made.proofs] == [False, True]


def test_an_entry_without_oracle_is_refused(enter, robot):
    enter((MEAN_RATE, POWER), entries=(POWER_ORACLE,))
    with pytest.raises(InputError, match="no oracle for 'mean_rate'"):
        run(robot)


def test_every_function_has_an_oracle_and_a_claim_that_take_what_it_takes():
    robot = hopper()
    names = {*options.FUNCTION_NAMES, *options.OPTIONAL}
    scope = subject_of(robot, options.Options(given=(robot.joints[0].name,))).scope("base")
    made = {item.kind: item for item in registry.quantities(scope, names)}
    known = {entry.name: entry for entry in oracles.FUNCTIONS}
    assert set(known) == set(FORMS) | UNCLAIMED == set(made) == names
    for name, item in made.items():
        assert known[name].arguments == tuple(each.name for each in item.inputs)
        assert (known[name].gravity, known[name].loads) == (item.gravity, item.loads)
