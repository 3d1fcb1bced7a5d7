"""The graph of a robot as text and as a picture."""

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from symgen.cli import main
from symgen.derive.freedoms import freedoms
from symgen.errors import LimitError
from symgen.robot import library
from symgen.robot.diagram.layout import BOX, layout
from symgen.robot.diagram.picture import graph_picture
from symgen.robot.outline import outline

FIVE_BAR = """\
base
├─ proximal1* (revolute) -> leg1_1
│  distal1 (revolute) -> leg1_2 [tip]
└─ joint3 (fixed) -> pivot2
   proximal2* (revolute) -> leg2_1
   distal2 (revolute) -> leg2_2 [tip]
[tip] revolute, leg1_2 to leg2_2; its loop passes distal1, proximal1, proximal2, distal2"""

PALLETIZER = """\
base
└─ waist* (revolute) -> turret
   ├─ shoulder* (revolute) -> upper_arm
   │  elbow (revolute) -> forearm [rod_end]
   │  wrist (revolute) -> wrist_link
   │  gripper_turn* (revolute) -> gripper
   └─ elbow_motor* (revolute) -> lever
      rod_pivot (revolute) -> rod [rod_end]
[rod_end] revolute, rod to forearm; its loop passes rod_pivot, elbow_motor, shoulder, elbow"""


@pytest.mark.parametrize(("name", "text"), [("five_bar", FIVE_BAR), ("palletizer", PALLETIZER)])
def test_the_outline_shows_the_tree_and_its_cuts(name, text):
    assert "\n".join(outline(library.load(name))) == text


def test_the_outline_of_a_chain_is_a_list():
    assert outline(library.load("planar2r")) == [
        "base",
        "└─ joint1 (revolute) -> link1",
        "   joint2 (revolute) -> link2",
    ]


FREEDOMS = {
    "five_bar": (4, 5, 3, [1, 1]),
    "carpet_scraper": (7, 15, 9, [1] * 6),
    "ankle": (4, 2, 0, [2]),
    "planar2r": (2, 0, 0, []),
}


@pytest.mark.parametrize("name", FREEDOMS)
def test_freedoms_add_up(name):
    found = freedoms(library.load(name))
    assert (found.tree, found.constraints, found.repeated, [len(block) for block in found.blocks]) == FREEDOMS[name]
    assert len(found.independent) == found.tree - found.constraints + found.repeated


# the command -----------------------------------------------------------------------------------------


def run(*words):
    return CliRunner().invoke(main, ["info", *map(str, words)])


def test_info_tells_the_graph_and_what_is_free():
    text = run("ankle").output
    assert "freedoms: 4 of the tree, 2 constraints: 2 left\nindependent: motor_left, motor_right\n" in text
    assert "dependent, in the order in which they are found, those in brackets together: (pitch, roll)\n" in text


def test_info_tells_what_keeps_loops_from_closing(tmp_path):
    path = tmp_path / "loops.toml"
    path.write_text('actuated = ["proximal1"]\n', encoding="utf-8")
    result = run("five_bar", "--loops", path)
    assert result.exit_code == 0
    assert "notice: five_bar: " in result.output
    assert "freedoms of the tree's 4, but" in " ".join(result.output.split())


def test_info_tells_programs_the_graph():
    found = json.loads(run("five_bar", "--json").output)
    assert found["loops"][0]["passes"] == ["distal1", "proximal1", "proximal2", "distal2"]
    assert (found["independent"], found["not_closed"]) == (["proximal1", "proximal2"], None)
    assert sorted(itertools.chain(*found["dependent"])) == ["distal1", "distal2"]
    assert json.loads(run("palletizer", "--json").output)["couplings"][0]["terms"] == {
        "shoulder": 1,
        "elbow": 1,
        "wrist": 1,
    }


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_pictures_are_the_same_every_time(tmp_path, suffix):
    one, other = tmp_path / f"one.{suffix}", tmp_path / f"other.{suffix}"
    assert run("five_bar", "--graph", one).output == f"wrote {one}\n"
    run("five_bar", "--graph", other)
    assert one.read_bytes() == other.read_bytes()


def test_pictures_replace_no_file_and_are_of_known_formats(tmp_path):
    path = tmp_path / "arm.svg"
    path.write_text("mine", encoding="utf-8")
    assert "is there already; give --force to replace it" in run("puma", "--graph", path).output
    assert path.read_text() == "mine"
    assert run("puma", "--graph", path, "--force").exit_code == 0
    assert "unknown picture format 'txt'" in run("puma", "--graph", tmp_path / "arm.txt").output
    (tmp_path / "dir.svg").mkdir()
    assert "expected the path of a picture" in run("puma", "--graph", tmp_path / "dir.svg").output


def test_a_picture_that_would_be_too_large_is_refused():
    with pytest.raises(LimitError, match="its graph is too large for a picture"):
        graph_picture(comb(60))


# the layout ------------------------------------------------------------------------------------------


def comb(count):
    """A chain each of whose links carries a second one."""
    robot = library.chain(count)
    spine = [replace(link, parent=2 * index - 2 if index else -1) for index, link in enumerate(robot.links)]
    links = []
    for index, link in enumerate(spine):
        name = f"tooth_with_a_long_name_{index + 1}"
        links += [link, replace(link, name=name, parent=2 * index, joint=replace(link.joint, name=f"{name}_joint"))]
    return replace(robot, links=tuple(links))


def boxes(placed):
    return [(p.x - p.width / 2, p.x + p.width / 2, p.y - BOX / 2, p.y + BOX / 2) for p in placed.places.values()]


def disjoint(one, other):
    return one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]


@pytest.mark.parametrize(
    "name", ["five_bar", "carpet_scraper", "gough_stewart", "delta", "ankle", "palletizer", "rssr"]
)
def test_boxes_do_not_overlap_and_lines_pass_beside_them(name):
    placed = layout(library.load(name), lambda text: 0.08 * len(text))
    found = boxes(placed)
    assert all(disjoint(one, other) for one, other in itertools.combinations(found, 2))
    for way in placed.ways:
        for (x1, y1), (x2, y2) in itertools.pairwise(way):
            line = min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
            inside = [box for box in found if not disjoint((line[0] - 1e-9, line[1] + 1e-9, *line[2:]), box)]
            assert not [
                box
                for box in inside
                if line[2] < box[3] - 1e-9
                and line[3] > box[2] + 1e-9
                and line[1] > box[0] + 1e-9
                and line[0] < box[1] - 1e-9
            ]
    reach = [x for way in placed.ways for x, _ in way] + [side for box in found for side in box[:2]]
    assert placed.left - 1e-9 <= min(reach)
    assert max(reach) <= placed.right + 1e-9


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_boxes_of_random_trees_do_not_overlap(seed):
    random = np.random.default_rng(seed)
    robot = library.chain(int(random.integers(1, 15)))
    links = tuple(
        replace(
            link,
            parent=int(random.integers(-1, index)) if index else -1,
            name="n" * int(random.integers(1, 20)) + str(index),
        )
        for index, link in enumerate(robot.links)
    )
    placed = layout(replace(robot, links=links), lambda text: 0.08 * len(text))
    assert all(disjoint(one, other) for one, other in itertools.combinations(boxes(placed), 2))
    for index, link in enumerate(links):
        assert placed.places[link.parent].y > placed.places[index].y
