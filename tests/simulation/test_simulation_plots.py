"""Pictures: what is on them, and the same bytes every time."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from simulated_robots import module, wheel

import symgen
from symgen.display.pictures import FORMATS
from symgen.errors import InputError
from symgen.simulation.plots import simulation_picture, torques_picture

START = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture(scope="module")
def torques():
    return torques_picture(symgen.follow(module("stanford"), samples=41))


@pytest.fixture(scope="module")
def fall():
    return simulation_picture(symgen.simulate(module("stanford"), 1.0, samples=41, rtol=1e-8, atol=1e-8))


@pytest.mark.parametrize("format", FORMATS)
def test_pictures_are_the_same_bytes_every_time(torques, format):
    again = torques_picture(symgen.follow(module("stanford"), samples=41))
    assert torques.content(format) == torques.content(format) == again.content(format)
    assert torques.content(format).startswith(START[format])


PROGRAM = """
import hashlib, sys
import matplotlib
matplotlib.rcParams["lines.linewidth"] = {width}
import symgen
from symgen.simulation.plots import simulation_picture
robot = symgen.generate("planar2r", states=2, functions=["forward_dynamics", "kinetic_energy", "potential_energy"])
fall = simulation_picture(symgen.simulate(robot, 0.5, samples=11))
print([hashlib.sha256(fall.content(format)).hexdigest() for format in ("png", "svg", "pdf")])
print(matplotlib.rcParams["lines.linewidth"], "matplotlib.pyplot" in sys.modules)
"""


def test_pictures_are_the_same_bytes_whatever_the_process_and_its_settings(tmp_path, monkeypatch):
    """The seed of hashes, the date, and the user's settings of matplotlib, which stay as they were."""
    digests = []
    for number, width in enumerate((1.0, 7.0)):
        monkeypatch.setenv("PYTHONHASHSEED", str(number))
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1_000_000_000 * number))
        command = [sys.executable, "-c", PROGRAM.format(width=width)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        digest, settings = done.stdout.splitlines()
        assert settings == f"{width} False"
        digests.append(digest)
    assert digests[0].count("'") == 6
    assert digests[0] == digests[1]


def test_every_joint_has_a_panel_with_its_unit(torques):
    axes = torques.figure.axes
    assert [panel.get_ylabel() for panel in axes] == ["N m", "N m", "N", "N m", "N m", "N m"]
    kinds = ["torque", "torque", "force", "torque", "torque", "torque"]
    assert [panel.get_title(loc="left") for panel in axes] == [f"joint{i + 1} {kind}" for i, kind in enumerate(kinds)]
    assert torques.figure.get_suptitle() == "stanford: joint torques and forces along the trajectory"
    assert torques.figure.get_supxlabel() == "time (s)"
    expected = symgen.follow(module("stanford"), samples=41)
    for index, panel in enumerate(axes):
        (curve,) = panel.get_lines()
        np.testing.assert_array_equal(curve.get_xydata(), np.column_stack([expected.t, expected.tau[:, index]]))


def test_a_fall_shows_positions_velocities_and_energy(fall):
    axes = fall.figure.axes
    assert [panel.get_ylabel() for panel in axes] == [*["rad", "rad/s"] * 2, "m", "m/s", *["rad", "rad/s"] * 3, "J"]
    assert axes[-1].get_title(loc="left") == "change of the energy"
    assert fall.figure.get_suptitle() == "stanford: free fall"


def test_a_driven_motion_shows_its_forces_too():
    driven = simulation_picture(symgen.simulate(wheel(), 1.0, tau=[1.0])).figure
    assert [panel.get_title(loc="left") for panel in driven.axes] == [
        "joint1 position",
        "joint1 velocity",
        "joint1 torque",
        "energy beyond the work of the joint forces",
    ]


def test_a_unit_stands_by_its_own_panel(torques, fall):
    driven = simulation_picture(symgen.simulate(wheel(), 1.0, tau=[1.0]))
    for figure in (torques.figure, fall.figure, driven.figure):
        FigureCanvasAgg(figure).draw()
        boxes = {panel: panel.get_window_extent() for panel in figure.axes}
        for panel, box in boxes.items():
            unit = panel.yaxis.label.get_window_extent()
            left = [
                other.x1 for other in boxes.values() if other.x1 < box.x0 and other.y0 < box.y1 and box.y0 < other.y1
            ]
            ticks = min(text.get_window_extent().x0 for text in panel.get_yticklabels() if text.get_text())
            assert unit.x1 <= ticks
            assert box.x0 - unit.x1 < unit.x0 - max(left, default=-box.x0)


def test_without_energies_there_is_no_panel_of_them():
    bare = symgen.generate("planar2r", functions=["forward_dynamics"], states=2)
    assert len(simulation_picture(symgen.simulate(bare, 0.1)).figure.axes) == 4


@pytest.mark.parametrize(("joints", "panels"), [(1, 1), (7, 7)])
def test_any_number_of_joints_finds_room(joints, panels):
    robot = symgen.generate(symgen.chain(joints), functions=["inverse_dynamics"], states=2)
    figure = torques_picture(symgen.follow(robot, samples=5)).figure
    boxes = [panel.get_position() for panel in figure.axes]
    assert len(boxes) == panels
    assert not any(a.overlaps(b) for index, a in enumerate(boxes) for b in boxes[:index])
    timed = [panel.xaxis.get_tick_params()["labelbottom"] for panel in figure.axes]
    assert timed == [False] * (panels - min(panels, 2)) + [True] * min(panels, 2)


def test_notebooks_show_them(torques):
    assert ElementTree.fromstring(torques._repr_svg_()).tag == "{http://www.w3.org/2000/svg}svg"


def test_an_unknown_format_is_named(torques):
    with pytest.raises(InputError, match="unknown picture format 'gif'; there are: png, svg, pdf"):
        torques.content("gif")
