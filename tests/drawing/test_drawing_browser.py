"""Views in a browser: sliders, mouse, touch, keys, themes, print; nothing is loaded, nothing serious is found."""

import re

import numpy as np
import pytest
from browsers import faults
from test_drawing_loops import CLOSE, residual
from thorough import THOROUGH

import symgen
from symgen.drawing.kinematics import poses
from symgen.robot.scenery import scene_of

SLIDERS = "[...document.getElementById('controls').shadowRoot.querySelectorAll('input')]"


def slid(shown, index, value):
    """q after a slider was dragged to a value."""
    return shown.run(
        f"([index, value]) => {{ const input = {SLIDERS}[index]; input.value = value;"
        " input.dispatchEvent(new Event('input')); return view.q; }",
        [index, value],
    )


def drawn(shown):
    """The pixels of the view, after it was drawn."""
    return shown.run(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done("
        "view.canvas.toDataURL()))))"
    )


@pytest.mark.parametrize(
    "name", ["puma", *(pytest.param(name, marks=THOROUGH) for name in ("planar3r", "solo12", "gough_stewart", "g1"))]
)
def test_views_show_robots_and_load_nothing(show, name):
    scene = scene_of(symgen.load(name))
    shown = show(symgen.load(name).show().page)
    assert shown.said == []
    assert len(shown.asked) == 1  # the page itself
    frames = np.array(shown.run("() => view.frames()")).reshape(-1, 3, 4)
    assert np.abs(frames - poses(scene, scene.start)[:, :3]).max() < 1e-12
    pixels = shown.run(
        "() => new Set(view.context.getImageData(0, 0, view.canvas.width, view.canvas.height).data).size"
    )
    assert pixels > 50  # of a picture, and not of one colour


def test_sliders_move_the_robot(show):
    shown = show(symgen.load("puma").show().page)
    before = drawn(shown)
    assert slid(shown, 1, 0.7) == [0, 0.7, 0, 0, 0, 0]
    assert drawn(shown) != before
    text = shown.run("() => document.getElementById('controls').shadowRoot.querySelectorAll('output')[1].textContent")
    assert text == "0.700 rad"
    shown.run("() => document.getElementById('controls').shadowRoot.querySelector('button').click()")
    assert shown.run("() => view.q") == [0] * 6
    shown.run("() => view.reset()")  # the view had made room for what moved
    assert drawn(shown) == before


def test_loops_close_as_one_drags_and_where_they_cannot_it_is_said(show):
    robot = symgen.load("five_bar")
    shown = show(robot.show().page)
    slid(shown, 0, 1.9)
    q = slid(shown, 1, 0.0)
    assert (q[0], q[2]) == pytest.approx((1.9, 0))
    assert residual(robot, q) < CLOSE
    status = "() => document.getElementById('controls').shadowRoot.querySelector('[role=status]').textContent"
    assert shown.run(status) == ""
    assert slid(shown, 0, 3.1) == q  # the legs do not reach each other
    assert shown.run(status) == "The loops do not close there."


def test_quaternions_have_sliders_of_angles(show):
    shown = show(symgen.load("solo12").show().page)
    names = shown.run(f"() => {SLIDERS}.map((each) => each.ariaLabel)")
    assert names[:6] == ["root_joint_x", "root_joint_y", "root_joint_z"] + [
        f"root_joint {angle}" for angle in ("roll", "pitch", "yaw")
    ]
    slid(shown, 3, 0.3)
    q = slid(shown, 5, 0.8)
    # A turn by 0.3 about x and then one by 0.8 about the fixed z.
    c, s = np.cos([0.15, 0.4]), np.sin([0.15, 0.4])
    assert q[3:7] == pytest.approx([s[0] * c[1], s[0] * s[1], c[0] * s[1], c[0] * c[1]])


def test_mouse_wheel_keys_and_buttons_turn_the_view(show):
    shown = show(symgen.load("puma").show().page)
    looks = [drawn(shown)]

    def changes():
        looks.append(drawn(shown))
        return looks[-1] != looks[-2]

    tab = shown.tab
    tab.mouse.move(300, 300)
    tab.mouse.down()
    tab.mouse.move(380, 330)
    tab.mouse.up()
    assert changes()
    tab.mouse.wheel(0, -200)
    assert changes()
    shown.run("() => view.canvas.focus()")
    for key in ("ArrowLeft", "ArrowUp", "+", "-", "Shift+ArrowRight", "0"):
        tab.keyboard.press(key)
        assert changes(), key
    assert looks[-1] == looks[0]
    for button in ("names", "axes", "frames", "masses", "ellipsoids"):
        tab.get_by_role("button", name=button).click()
        assert changes(), button
    assert tab.get_by_role("button", name="names").get_attribute("aria-pressed") == "true"
    assert tab.get_by_role("button", name="axes").get_attribute("aria-pressed") == "false"
    assert shown.said == []


def test_two_fingers_zoom(show):
    shown = show(symgen.load("puma").show().page, has_touch=True)
    zoom = shown.run(
        """() => {
          const send = (type, id, x, y) => view.canvas.dispatchEvent(new PointerEvent(type,
            { pointerId: id, clientX: x, clientY: y, pointerType: "touch", buttons: 1 }));
          view.canvas.setPointerCapture = () => {};  // these pointers are none of the system's
          send("pointerdown", 1, 200, 200); send("pointerdown", 2, 300, 200);
          send("pointermove", 2, 400, 200);
          return view.camera.zoom;
        }"""
    )
    assert zoom == pytest.approx(2)


def test_the_view_follows_the_theme_and_prints_in_light(show):
    dark = show(symgen.load("puma").show().page, color_scheme="dark")
    light = show(symgen.load("puma").show().page, color_scheme="light")
    forced = show(symgen.load("puma").show(theme="light").page, color_scheme="dark")
    assert drawn(light) == drawn(forced)
    assert drawn(dark) != drawn(light)
    assert dark.run("() => getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)"
    assert dark.run("() => { dispatchEvent(new Event('beforeprint')); return view.canvas.toDataURL(); }") == drawn(
        light
    )
    dark.tab.emulate_media(color_scheme="light")
    dark.run("() => dispatchEvent(new Event('afterprint'))")
    assert drawn(dark) == drawn(light)


def test_a_view_makes_room_for_what_moves_out_of_it(show):
    shown = show(symgen.load("planar3r").show().page)
    low = slid(shown, 0, -1.57)
    drawn(shown)
    frames = shown.run("() => view.frames().map((pose) => view.camera.seen([pose[3], pose[7], pose[11]]))")
    size = shown.run("() => [view.canvas.clientWidth, view.canvas.clientHeight]")
    assert low[0] == pytest.approx(-1.57)
    for seen in frames:
        assert 0 < seen["x"] < size[0]
        assert 0 < seen["y"] < size[1]


@pytest.mark.parametrize("settings", [{}, {"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 800}}])
def test_axe_finds_nothing_serious(show, settings):
    shown = show(symgen.load("five_bar").show().page, **settings)
    assert faults(shown) == []


def test_several_views_live_in_one_notebook(show):
    cells = [symgen.load(name).show()._repr_html_() for name in ("puma", "five_bar")]
    shown = show(f"<!doctype html><html lang=en><title>two</title><body>{''.join(cells)}</body></html>")
    shown.tab.wait_for_timeout(300)
    assert shown.said == []
    names = [frame.evaluate("() => view.scene.name") for frame in shown.tab.frames[1:]]
    assert names == ["puma", "five_bar"]
    # Without scripts the picture stands there.
    still = show(f"<!doctype html><html lang=en><body>{cells[0]}</body></html>", java_script_enabled=False)
    assert still.tab.locator("img").first.evaluate("(image) => image.naturalWidth") == 640


def test_overlays_are_drawn(show):
    shown = show(symgen.load("puma").show().page)
    before, round_axes = drawn(shown), [1, 0, 0, 0, 1, 0, 0, 0, 1]
    for extra in (
        {"kind": "ellipsoid", "centre": [0, 0, 0], "axes": round_axes, "radii": [0.1, 0.2, 0.3]},
        {"kind": "arrow", "from": [0, 0, 0], "to": [0, 0, 0.3]},
        {"kind": "path", "points": [[0, 0, 0], [0.3, 0, 0], [0.3, 0.3, 0]]},
    ):
        shown.run("(extra) => view.overlay([extra])", extra)
        assert drawn(shown) != before
    shown.run("() => view.overlay([])")
    assert drawn(shown) == before
    with pytest.raises(Exception, match=re.escape("no layer shadows")):
        shown.run("() => view.layer('shadows', true)")
