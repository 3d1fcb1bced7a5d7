"""Motions and joint forces as histories: sources, what joins samples, the way back, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_robots import INERTIA, module, wheel

import symgen
from symgen.errors import InputError, LimitError, SymgenError
from symgen.simulation import tables
from symgen.simulation.histories import FORCES, MOTION, history
from symgen.simulation.simulator import ACCURATE
from symgen.simulation.splines import DEGREES

methods = pytest.mark.parametrize("method", ACCURATE)
STATE = ("q", "qd", "qdd")
UNEVEN = np.array([0, 0.2, 0.3, 0.7, 0.8, 1.1, 1.5, 1.6, 2.0])


@pytest.fixture
def written(tmp_path):
    """Writes a table and gives its path."""

    def write(content):
        path = tmp_path / "table.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def move(robot="planar2r", **options):
    return symgen.follow(module(robot), **options)


# sources -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("robot", ["puma", "stanford"])
def test_samples_with_their_rates_give_the_same_forces_whatever_holds_them(robot, written):
    path = move(robot, samples=41)
    arrays = {name: getattr(path, name) for name in ("t", *STATE)}
    sources = [path, written(path.csv()), str(written(path.csv())), arrays, tuple(arrays.values()), path.columns]
    for source in sources:
        found = symgen.follow(module(robot), motion=source)
        for name in ("t", *STATE, "tau"):
            np.testing.assert_array_equal(getattr(found, name), getattr(path, name))
        assert (found.law, found.derived) == ("sampled", ())


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_columns_may_have_the_joints_names_units_and_any_order(written, ending):
    path = move(samples=9)
    named = {"qd_joint2 [rad/s]": path.qd[:, 1], "joint2": path.q[:, 1], "t (s)": path.t, " drift": path.t * 0}
    named |= {"q_joint1 (rad)": path.q[:, 0], "qd1": path.qd[:, 0], "qdd1 (rad/s²)": path.qdd[:, 0]}
    named |= {"qdd_joint2(rad/s^2)": path.qdd[:, 1]}
    rows = [[f'"{name}"' for name in named], *np.column_stack(list(named.values())).tolist()]
    text = ending.join(",".join(map(str, row)) for row in rows) + ending * 3
    found = symgen.follow(module("planar2r"), motion=written(b"\xef\xbb\xbf" + text.encode()))
    np.testing.assert_array_equal(found.tau, path.tau)


def test_a_joint_that_is_called_like_a_column_of_another_does_not_take_it():
    record = module("planar2r").record
    first, second = record.positions
    record = replace(record, positions=(replace(first, name="q2"), replace(second, name="q1")))
    values = {"t": [0, 1], "q1": [1, 1], "q2": [2, 2]}
    assert history("motion", values, record, MOTION).values["q"].tolist() == [[1, 2], [1, 2]]


def test_forces_in_every_form_are_the_same(written):
    path = move(samples=21, end=[0.5, 0.5], duration=1.0)
    sources = [path, written(path.csv()), {"t": path.t, "tau": path.tau}, (path.t, path.tau), [path.t, path.tau]]
    runs = [symgen.simulate(module("planar2r"), tau=source, samples=5) for source in sources]
    assert {run.csv() for run in runs} == {runs[0].csv()}
    assert runs[0].t[-1] == 1.0
    single = {"t": [0, 1], "tau": [2.0, 2.0]}
    assert symgen.simulate(wheel(), tau=single, interpolation="linear").tau.tolist() == [[2.0]] * 101


# what joins samples ------------------------------------------------------------------------------------------


@given(st.lists(st.floats(-3, 3), min_size=12, max_size=12), st.floats(-100, 100))
def test_rates_of_a_motion_of_degree_five_are_exact(numbers, start):
    laws = [np.polynomial.Polynomial(part) for part in np.reshape(numbers, (2, 6))]
    q, qd, qdd = (np.column_stack([law.deriv(order)(UNEVEN) for law in laws]) for order in range(3))
    for arrays, derived in (((q,), ("qd", "qdd")), ((q, qd), ("qdd",))):
        found = symgen.follow(module("planar2r"), motion=(UNEVEN + start, *arrays))
        assert found.derived == derived
        np.testing.assert_allclose(found.qd, qd, atol=1e-9)
        np.testing.assert_allclose(found.qdd, qdd, atol=1e-7)


def test_derived_rates_converge():
    """The error of joint forces falls with the fourth power of the step, or better."""
    errors = []
    for samples in (51, 101, 201):
        path = move("puma", samples=samples)
        found = symgen.follow(module("puma"), motion=(path.t, path.q))
        errors.append((np.abs(found.tau - path.tau).max(axis=0) / np.abs(path.tau).max(axis=0)).max())
    assert errors[2] < 2e-8
    assert min(errors[0] / errors[1], errors[1] / errors[2]) > 14


@methods
@pytest.mark.parametrize("law", [[0.5], [0.5, -2], [1, 0, -3, 2]])
def test_a_cubic_history_is_met_exactly(law, method):
    tau = np.polynomial.Polynomial(law)
    found = symgen.simulate(wheel(), tau=(UNEVEN, tau(UNEVEN)[:, None]), method=method, samples=33)
    np.testing.assert_allclose(found.tau[:, 0], tau(found.t), atol=1e-12)
    np.testing.assert_allclose(found.qd[:, 0], tau.integ()(found.t) / INERTIA, atol=1e-11)
    np.testing.assert_allclose(found.q[:, 0], tau.integ(2)(found.t) / INERTIA, atol=1e-11)
    assert np.abs(found.drift).max() < 1e-11


@methods
@pytest.mark.parametrize("interpolation", ["linear", "hold"])
def test_lines_and_steps_are_integrated_exactly_over_their_kinks_and_jumps(interpolation, method):
    tau = np.random.default_rng(5).normal(size=len(UNEVEN))
    forces = {"t": UNEVEN, "tau1": tau}
    found = symgen.simulate(wheel(), tau=forces, interpolation=interpolation, method=method, samples=21)
    assert found.interpolation == interpolation
    means = (tau[:-1] + tau[1:]) / 2 if interpolation == "linear" else tau[:-1]
    speed = np.concatenate([[0], np.cumsum(means * np.diff(UNEVEN))]) / INERTIA
    np.testing.assert_allclose(found.qd[:, 0], _speed(found.t, tau, speed, interpolation), atol=1e-12)
    assert found.evaluations < 40 * len(UNEVEN)
    at = np.searchsorted(UNEVEN, found.t, side="right") - 1
    held = tau[at] if interpolation == "hold" else np.interp(found.t, UNEVEN, tau)
    np.testing.assert_allclose(found.tau[:, 0], held, atol=1e-12)


def _speed(times, tau, speed, interpolation):
    step = np.clip(np.searchsorted(UNEVEN, times, side="right") - 1, 0, len(tau) - 2)
    since = times - UNEVEN[step]
    slope = (np.diff(tau) / np.diff(UNEVEN))[step] if interpolation == "linear" else 0
    return speed[step] + (tau[step] * since + slope * since**2 / 2) / INERTIA


def test_a_history_may_go_on_after_the_simulation_and_between_its_samples():
    tau = (UNEVEN, UNEVEN[:, None])
    for end in (0.05, 0.2, 0.65, 1.1):
        found = symgen.simulate(wheel(), end, tau=tau)
        np.testing.assert_allclose(found.q[:, 0], found.t**3 / 6 / INERTIA, atol=1e-12)
        assert found.t[-1] == end


def test_every_sample_of_a_long_history_may_take_its_calls(monkeypatch):
    monkeypatch.setattr("symgen.simulation.systems.MAX_EVALUATIONS", 50)
    times = np.linspace(0, 1, 200)
    assert symgen.simulate(wheel(), tau=(times, times[:, None])).evaluations > 2000


def test_rounding_is_not_the_end_of_a_history():
    times = np.array([0.0, 0.1, 0.2, np.nextafter(0.3, 0)])
    assert symgen.simulate(wheel(), 0.3, tau=(times, times[:, None])).t[-1] == 0.3


# there and back ------------------------------------------------------------------------------------------------


def test_the_forces_of_a_motion_give_the_motion_back():
    """Within 1e-5 rad over 10 s for 201 samples; sixteen times better for twice as many; and energy is kept."""
    errors = []
    for samples in (201, 401):
        path = move("puma", samples=samples)
        found = symgen.simulate(module("puma"), tau=path, samples=samples)
        errors.append(np.abs(found.q - path.q).max())
        assert np.ptp(found.work) > 10
        assert np.abs(found.drift).max() < 1e-11
        np.testing.assert_allclose(found.tau, path.tau, atol=1e-9)
    assert errors[0] < 1e-5
    assert errors[0] / errors[1] > 12


def test_the_table_of_a_simulation_is_followed_and_simulated_again(written):
    start = {"q0": [0.3, -0.2], "qd0": [1.0, -2.0]}
    first = symgen.simulate(module("planar2r"), 0.5, **start, tau=lambda t, q, qd: [np.sin(9 * t), q[0]], samples=201)
    path = symgen.follow(module("planar2r"), motion=written(first.csv()))
    assert path.derived == ("qdd",)
    np.testing.assert_allclose(path.tau, first.tau, atol=1e-5)
    again = symgen.simulate(module("planar2r"), tau=written(path.csv()), samples=201)
    np.testing.assert_allclose(again.q, first.q, atol=1e-8)
    np.testing.assert_array_equal(again.qd[0], start["qd0"])


def test_a_start_that_is_said_comes_before_that_of_the_table():
    path = move(start=[0.5, 0.5], samples=11)
    assert symgen.simulate(module("planar2r"), 0.1, tau=path).q[0].tolist() == [0.5, 0.5]
    assert symgen.simulate(module("planar2r"), 0.1, tau=path, q0=[1, 2]).q[0].tolist() == [1, 2]
    assert symgen.simulate(module("planar2r"), 0.1, tau=path, qd0=[1, 2]).q[0].tolist() == [0, 0]


# what is refused -------------------------------------------------------------------------------------------------

GOOD = [[0.1 * row, row, 2.0 * row] for row in range(8)]


def text(rows=GOOD, names="t,q1,q2"):
    return "\n".join([names, *(",".join(map(str, row)) for row in rows)])


def changed(row, column, value):
    rows = [list(entries) for entries in GOOD]
    rows[row][column] = value
    return text(rows)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "table.csv: it is empty; expected a line of column names"),
        ("\n \n", "table.csv: it is empty"),
        (b"t,q1,q2\n0,\xff,1", r"table.csv: not UTF-8 text \(byte 10\)"),
        (text().encode("utf-16"), "table.csv: not UTF-8 text"),
        ("0,1,2\n1,2,3", "table.csv, line 1: a line of column names is missing; .* found '0', '1', '2'"),
        (text().replace(",", ";"), "table.csv, line 1: the columns are separated by semicolons; expected commas"),
        (text().replace(",", "\t"), "table.csv, line 1: the columns are separated by tabs; expected commas"),
        (text(names="t,,q2"), "table.csv, line 1: column 2 has no name"),
        (text(names="t,q1,q1"), "table.csv, line 1: two columns are called 'q1'"),
        (text(names="t,q1,joint1"), "table.csv: the columns 'q1' and 'joint1' are the same"),
        (text(names="t,q1"), "table.csv, line 2: expected 2 values, as there are column names; found 3; numbers have"),
        (text() + "\n0.8,1", "table.csv, line 10: expected 3 values, as there are column names; found 2$"),
        (
            text(names="t,q1,speed"),
            r"do not fit the joints: missing: q2; unknown: 'speed'. Expected t and q1 to q2 for",
        ),
        (text(names="time,q1,q2"), "missing: t; unknown: 'time'. .*; found time, q1, q2"),
        (
            text(names="t,q1,qd1"),
            r"missing: q2, qd2\. Expected t and q1 to q2 for the 2 joints \(or their names: joint1",
        ),
        (text([[*row, 1] for row in GOOD], "t,q1,q2,q3"), r"unknown: 'q3'\. Expected t and q1 to q2 for the 2 joints"),
        (text(names="t,tau1,tau2"), r"missing: q1, q2\. Expected"),
        (text(names="t,q1 (deg),q2"), r"column 'q1 \(deg\)': expected values in rad, found them in 'deg'"),
        (text(names="t [ms],q1,q2"), r"column 't \[ms\]': expected values in s, found them in 'ms'"),
        (changed(3, 2, "abc"), "table.csv, line 5, column 'q2': expected a number, found 'abc'$"),
        (changed(3, 2, "1_000"), "table.csv, line 5, column 'q2': expected a number, found '1_000'$"),
        (
            changed(3, 2, '"0,5"'),
            "line 5, column 'q2': expected a number, found '0,5'; write a decimal point, not a co",
        ),
        (
            changed(3, 2, ""),
            "table.csv, line 5, column 'q2': the value is missing; fill the gap, or cut the file there",
        ),
        (changed(3, 1, "nan"), "table.csv, line 5, column 'q1': expected a finite number, found nan; fill the gap"),
        (changed(3, 1, "-inf"), "table.csv, line 5, column 'q1': expected a finite number, found -inf"),
        (changed(3, 1, "1e999"), "table.csv, line 5, column 'q1': expected a finite number, found inf"),
        (changed(3, 1, '"1'), "table.csv, line 9: not comma-separated values: "),
        (changed(3, 0, 0.2), r"table.csv: the time t = 0.2 s is there twice \(line 4 and line 5\)"),
        (changed(3, 0, 0.15), r"table.csv, line 5: times must increase; t = 0.15 s comes after 0.2 s \(line 4\)"),
        (text(GOOD[:1]), "table.csv: expected at least two samples, found 1"),
        (text([]), "table.csv: expected at least two samples, found 0"),
        (text(GOOD[:5]), "table.csv: 5 samples are too few for a spline of degree 5 through q; expected at least 6"),
        (
            text([*GOOD, [1.71, 0, 0]]),
            r"gap from t = 0.7 s \(line 9\) to 1.71 s \(line 10\): .* than 10 times the median",
        ),
        (changed(3, 1, 1e308), "table.csv: no finite spline goes through the samples of q"),
    ],
)
def test_a_file_that_is_no_motion_is_told_what_is_wrong_with_it_and_where(written, content, words):
    with pytest.raises(InputError, match=words):
        symgen.follow(module("planar2r"), motion=written(content))


def test_files_that_cannot_be_read(tmp_path):
    for path, words in ((tmp_path / "none.csv", "No such file"), (tmp_path, "directory"), ("a\0b", "null byte")):
        with pytest.raises(InputError, match=f"cannot be read: .*{words}"):
            symgen.follow(module("planar2r"), motion=path)


@pytest.mark.parametrize(
    ("name", "limit", "words"), [("MAX_BYTES", 20, "larger than 20 b"), ("MAX_SAMPLES", 7, "than 7")]
)
def test_files_are_bounded(monkeypatch, written, name, limit, words):
    monkeypatch.setattr(tables, name, limit)
    with pytest.raises(LimitError, match=f"table.csv: .*{words}"):
        symgen.follow(module("planar2r"), motion=written(text()))


PIECES = st.sampled_from(
    ["t", "q1", "q2", "joint1", "qd1", "work", "0", "1", "-2.5", "1e400", "nan", ",", ",", ";", "\n", "\n"]
)


@settings(max_examples=200)
@given(content=st.binary(max_size=60) | st.lists(PIECES, max_size=40).map(lambda parts: "".join(parts).encode()))
def test_no_file_gives_a_traceback(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(content)
    for kind in (MOTION, FORCES):
        found = _outcome(path, kind)
        if isinstance(found, str):
            assert found.startswith(str(path))
        else:
            assert found.values[kind.required].shape == (len(found.t), 2)


def _outcome(path, kind):
    try:
        return history("motion", path, module("planar2r").record, kind)
    except SymgenError as error:
        return str(error)


TIMES = np.linspace(0, 1, 8)
PAIRS = np.ones((8, 2))


@pytest.mark.parametrize(
    ("motion", "words"),
    [
        (3, r"motion: expected the path of a CSV file, a mapping of columns, or arrays \(t, q\) of shapes .*; found 3"),
        ({}, "motion: expected times 't', found nothing"),
        ({"q": PAIRS}, "motion: expected times 't', found 'q1', 'q2'"),
        ((TIMES, PAIRS, PAIRS, PAIRS, PAIRS), "motion: expected times and q, qd, qdd at most, found 5 arrays"),
        ((TIMES, PAIRS[:7]), "motion: expected 8 samples of 'q1', one for each time; found 7"),
        (
            (TIMES, np.ones((8, 3))),
            r"motion: the columns do not fit the joints: unknown: 'q3'\. Expected t and q1 to q2",
        ),
        ((TIMES, np.ones((8, 2, 2))), r"motion, 'q': expected an array of shape \(s,\) or \(s, n\), found \(8, 2, 2\)"),
        ((TIMES, PAIRS * 1j), "motion, 'q': expected real numbers in an array, found"),
        ((TIMES, [["a", "b"]] * 8), "motion, 'q': expected real numbers in an array, found"),
        ((TIMES, [[1, 2], [3]]), "motion, 'q': expected real numbers in an array, found"),
        ({"t": TIMES, "q": PAIRS, "q1": TIMES}, "motion: the column 'q1' is given twice"),
        (
            (TIMES, np.where(TIMES[:, None] == 1, np.nan, PAIRS)),
            "motion, index 7, column 'q1': expected a finite number",
        ),
        ((TIMES, np.ma.masked_less(PAIRS, 2)), "motion, index 0, column 'q1': expected a finite number, found nan"),
        ((TIMES[::-1], PAIRS), r"motion, index 1: times must increase; t = 0.857\d+ s comes after 1 s \(index 0\)"),
        ((TIMES, PAIRS, PAIRS * 1e200, PAIRS), "motion, index 0: the joint forces there are not finite"),
    ],
)
def test_arrays_that_are_no_motion(motion, words):
    with np.errstate(all="ignore"), pytest.raises(InputError, match=words):
        symgen.follow(module("planar2r"), motion=motion)


@pytest.mark.parametrize(("name", "value"), [("start", [0, 0]), ("end", [0, 0]), ("duration", 1.0), ("samples", 5)])
def test_a_sampled_motion_says_where_it_goes(name, value):
    with pytest.raises(InputError, match=f"motion and {name} exclude each other"):
        symgen.follow(module("planar2r"), motion=(TIMES, PAIRS), **{name: value})


SHORT = (TIMES, PAIRS)
GAP = (np.append(TIMES, 3.0), np.ones((9, 2)))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            {"tau": SHORT, "duration": 1.001},
            "tau: the last time is 1 s, but the simulation lasts 1.001 s; give a longer",
        ),
        ({"tau": (TIMES + 0.5, PAIRS)}, "tau: the first time is 0.5 s; a simulation begins at t = 0: shift the times"),
        ({"tau": (TIMES - 0.5, PAIRS)}, "tau: the first time is -0.5 s; a simulation begins at t = 0"),
        (
            {"tau": GAP},
            r"tau: there is a gap from t = 1 s \(index 7\) to 3 s \(index 8\): .* or choose the interpolation",
        ),
        (
            {"tau": (TIMES[:3], PAIRS[:3])},
            "tau: 3 samples are too few for a spline of degree 3 through tau; expected at l",
        ),
        ({"tau": SHORT, "interpolation": "quintic"}, "unknown interpolation 'quintic'; there are: cubic, linear, hold"),
        ({"tau": [1, 1], "duration": 1, "interpolation": "hold"}, "interpolation: joint forces that are no history"),
        (
            {"tau": {"t": TIMES, "tau": PAIRS, "q": PAIRS}},
            "tau: the columns of qd are missing beside those of q, so it is",
        ),
        ({"tau": [1, 1]}, "duration: expected a number of seconds above 0, found None"),
        ({"tau": "none.csv"}, "none.csv: cannot be read: No such file"),
        ({"tau": SHORT, "duration": -1}, "duration: expected a number of seconds above 0, found -1"),
    ],
)
def test_forces_that_do_not_fit_are_told_before_anything_is_integrated(monkeypatch, arguments, words):
    monkeypatch.setattr("symgen.simulation.simulator._integrated", None)
    with pytest.raises(InputError, match=words):
        symgen.simulate(module("planar2r"), **arguments)


@pytest.mark.parametrize("interpolation", [name for name in DEGREES if name != "cubic"])
def test_lines_and_steps_join_samples_at_any_distance(interpolation):
    assert symgen.simulate(module("planar2r"), tau=GAP, interpolation=interpolation, samples=3).t[-1] == 3.0
