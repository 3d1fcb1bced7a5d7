"""Pages in a browser: numbers are those of the compiled module, sliders move it, falls conserve energy."""

import numpy as np
import pytest
from browsers import faults
from pages import compiled, page
from thorough import THOROUGH, usual

from symgen.simulation.trajectory import follow

ROBOTS = ["planar3r", "five_bar", *(pytest.param(name, marks=THOROUGH) for name in ("puma", "solo12"))]

CALL = """([kind, inputs]) => {
  const found = symgenReport.mechanism.call(kind, ...inputs.map((each) => Float64Array.from(each)));
  return Array.from(found);
}"""

STATE_FUNCTIONS = {
    "inverse_dynamics": 3,
    "forward_dynamics": 3,
    "inertia_matrix": 1,
    "coriolis_torque": 2,
    "gravity_torque": 1,
    "kinetic_energy": 2,
    "potential_energy": 1,
    "center_of_mass": 1,
    "forward_kinematics": 1,
    "jacobian": 1,
}
"""Function → how many of q, q̇ and q̈ or τ it takes."""


def clean(shown):
    """Nothing on the console, and no request but for the page itself."""
    assert shown.said == []
    assert len(shown.asked) == 1


def set_slider(shown, index, value):
    shown.run(
        "([k, v]) => { const s = document.getElementById(`coordinate${k}`); s.value = v;"
        " s.dispatchEvent(new Event('input')); }",
        [index, value],
    )


def q_of(shown):
    return np.array(shown.run("() => Array.from(symgenReport.q)"))


@pytest.mark.parametrize("name", ROBOTS)
def test_numbers_are_those_of_the_compiled_module(show, name):
    shown, module = show(name), compiled(name)
    random = np.random.default_rng(3)
    q = q_of(shown)
    state = [q, *random.uniform(-1, 1, (2, module.nv))]
    for kind, count in STATE_FUNCTIONS.items():
        expected = np.ravel(getattr(module, kind)(*state[:count]))
        found = np.array(shown.run(CALL, [kind, [each.tolist() for each in state[:count]]]))
        assert np.abs(found - expected).max() <= 1e-12 * max(1, np.abs(expected).max()), kind
    clean(shown)


@pytest.mark.parametrize("name", ROBOTS)
def test_sliders_move_the_robot_and_change_the_forces(show, name):
    shown, module = show(name), page(name).made.module
    count = shown.run("() => document.querySelectorAll('#sliders input[type=range]').length")
    before, forces = q_of(shown), shown.tab.inner_text("#sliders")
    picture = shown.run("() => symgenReport.view.frames()")
    for index in range(count):
        value = shown.run("(k) => Number(document.getElementById(`coordinate${k}`).value) + 0.11", index)
        set_slider(shown, index, value)
    q = q_of(shown)
    assert np.abs(q - before).max() > 0.1
    assert shown.run("() => symgenReport.view.frames()") != picture
    assert shown.tab.inner_text("#sliders") != forces
    if module.record.loops:
        assert np.abs(module.closure(q)).max() < 1e-9
    held = module.inverse_dynamics(q, np.zeros(module.nv), np.zeros(module.nv))
    texts = shown.run("() => Array.from(symgenReport.sliders.forces.values(), ({ text }) => text.textContent)")
    for text, force in zip(texts, held, strict=True):
        number = text.split(" N")[0].replace("\u2212", "-")
        if "×" not in number:
            assert float(number) == pytest.approx(force, rel=1e-3, abs=1e-9 * np.abs(held).max())
    clean(shown)


@pytest.mark.parametrize("name", ["planar3r", pytest.param("puma", marks=THOROUGH)])
def test_falling_conserves_energy(show, name):
    shown, module = show(name), page(name).made.module
    found = shown.run("() => symgenReport.fall(symgenReport.q, 10)")
    assert found["stopped"] == ""
    assert found["t"] == 10
    assert found["drift"] < 1e-6
    kinetic = module.kinetic_energy(found["q"], found["qd"])
    exchanged = module.potential_energy(found["q"]) - module.potential_energy(q_of(shown))
    assert kinetic + exchanged == pytest.approx(0, abs=1e-5 * max(kinetic, 1))


def test_falling_plays_and_is_plotted(show):
    shown = show("planar3r")
    before = q_of(shown)
    shown.tab.fill("#fall-time", "0.4")
    shown.tab.click("#fall")
    shown.tab.wait_for_selector("#stop[disabled]", timeout=30_000)
    shown.tab.get_by_text("Fell for 0.4 s.").wait_for(timeout=5_000)
    fallen = shown.run("([q, t]) => symgenReport.fall(q, t)", [before.tolist(), 0.4])["q"]
    assert q_of(shown) == pytest.approx(np.array(fallen), abs=1e-6)
    labels = shown.run("() => Array.from(document.querySelectorAll('.plots svg[role=img]'), (each) => each.ariaLabel)")
    assert len(labels) == 2
    assert all(text.split("; ")[1].startswith("from ") and text.endswith((" rad", " J")) for text in labels)
    shown.tab.click("#home")
    assert q_of(shown) == pytest.approx(before)
    clean(shown)


@pytest.mark.parametrize("name", usual(1, ["five_bar", "gough_stewart"]))
def test_what_falls_into_a_singular_posture_stops_before_it_and_says_so(show, name):
    """What is shown last is the motion still, as its energy tells."""
    shown = show(name)
    found = shown.run("() => symgenReport.fall(symgenReport.q, 10)")
    assert "singular posture" in found["stopped"]
    assert found["t"] < 10
    assert np.isfinite(found["q"]).all()
    assert found["drift"] < 1e-6


def test_loops_that_do_not_close_are_told_and_the_robot_stays(show):
    """Both cranks outwards, the elbows are 2.5 m apart, and the rods between them 2.3 m long."""
    shown = show("five_bar")
    set_slider(shown, 0, 3.1)
    assert shown.tab.inner_text("#assembly") == ""
    before = q_of(shown)
    set_slider(shown, 1, 0)
    assert "The loops do not close" in shown.tab.inner_text("#assembly")
    assert q_of(shown) == pytest.approx(before)
    set_slider(shown, 0, 2.9)
    assert shown.tab.inner_text("#assembly") == ""
    clean(shown)


@pytest.mark.parametrize("name", ["planar3r", *(pytest.param(name, marks=THOROUGH) for name in ("puma", "solo12"))])
def test_following_a_motion_is_what_symgen_follow_gives(show, name):
    shown, module = show(name), page(name).made.module
    start = q_of(shown)
    goal = start + np.linspace(0.1, 0.6, len(start))
    for joint in module.record.free:
        own = [joint.q + place for place in joint.quaternion]
        goal[own] = np.array([0.3, -0.2, 0.5, 0.6])
        goal[own] /= np.linalg.norm(goal[own])
    found = shown.run(
        """([start, goal]) => { const found = symgenReport.move(start, goal, 2, 9);
        return [found.t, found.q.map((each) => Array.from(each)), found.tau.map((each) => Array.from(each))]; }""",
        [start.tolist(), goal.tolist()],
    )
    expected = follow(module, start=start, end=goal, duration=2.0, samples=9)
    for values, wanted in zip(found, (expected.t, expected.q, expected.tau), strict=True):
        assert np.array(values) == pytest.approx(wanted, rel=1e-9, abs=1e-9 * np.abs(wanted).max())


def test_following_plays_and_is_plotted(show):
    shown = show("planar3r")
    goal = q_of(shown) + 0.5
    set_slider(shown, 0, goal[0])
    shown.tab.click("#goal")
    wanted = q_of(shown)
    shown.tab.click("#home")
    shown.tab.fill("#follow-time", "0.4")
    shown.tab.click("#follow")
    shown.tab.get_by_text("Followed the motion of 0.4 s.").wait_for(timeout=30_000)
    assert q_of(shown) == pytest.approx(wanted)
    assert shown.run("() => document.querySelector('#plot-forces svg').ariaLabel").endswith(" N m")
    clean(shown)


def test_durations_that_are_none_are_refused(show):
    shown = show("planar3r")
    for text in ("", "-1", "1000"):
        shown.tab.fill("#fall-time", text)
        shown.tab.click("#fall")
        assert "Expected a duration" in shown.tab.inner_text("#motion-status")
    clean(shown)


def test_the_page_is_worked_by_keys(show):
    shown = show("planar3r")
    before = q_of(shown)
    shown.tab.focus("#coordinate1")
    shown.tab.keyboard.press("ArrowRight")
    assert q_of(shown)[1] > before[1]
    shown.tab.focus("#theme")
    for expected in ("light", "dark", None):
        shown.tab.keyboard.press("Enter")
        assert shown.run("() => document.documentElement.dataset.theme ?? null") == expected
    clean(shown)


def test_the_condition_and_the_ellipsoid_are_those_of_the_matrices(show):
    shown, module = show("scara"), page("scara").made.module
    q = q_of(shown)
    condition = float(shown.tab.inner_text("#condition").replace("\u2212", "-"))
    assert condition == pytest.approx(np.linalg.cond(module.inertia_matrix(q)), rel=1e-3)
    values = [float(text) for text in shown.tab.inner_text("#singular").split(", ")]
    assert values == pytest.approx(np.linalg.svd(module.jacobian(q)[3:], compute_uv=False), rel=1e-3)
    shown.tab.check("#ellipsoid")
    (drawn,) = shown.run("() => symgenReport.view.extras")
    assert drawn["centre"] == pytest.approx(module.forward_kinematics(q)[:3, 3])
    clean(shown)


SETTINGS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 844}},
}
SHOWN = [
    ("planar3r", "phone"),  # on which long formulas must be scrolled
    ("planar2r", "light"),
    ("planar2r", "dark"),
    ("planar3r", "light"),
    ("planar3r", "dark"),
    *(("five_bar", each) for each in SETTINGS),
]


@pytest.mark.parametrize(("name", "settings"), usual(3, SHOWN))
def test_axe_finds_nothing_serious(show, name, settings):
    shown = show(name, **SETTINGS[settings])
    shown.run("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert faults(shown) == []


@pytest.mark.parametrize("name", ["planar3r", pytest.param("solo12", marks=THOROUGH)])
def test_phones_need_not_scroll_sideways(show, name):
    shown = show(name, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    wide, window = shown.run("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= window
    clean(shown)


def test_hostile_texts_stay_texts(show, hostile):
    shown = show("hostile", hostile.html)
    assert shown.tab.inner_text("h1") == hostile.made.robot.name
    assert "<img src=x" in shown.tab.inner_text(".lead")
    assert shown.run("() => [globalThis.hurt ?? null, document.images.length]") == [None, 0]
    assert shown.run("() => document.documentElement.dataset.state") == "ready"
    clean(shown)
