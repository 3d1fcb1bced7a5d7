"""The picture of the house is that of the code."""

import importlib.util
import itertools
from pathlib import Path
from xml.etree import ElementTree

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "contributing"


@pytest.fixture(scope="module")
def house():
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("house", FOLDER / "house.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_is_current(house, update_generated):
    drawn = house.picture()
    if update_generated:
        house.OUTPUT.write_text(drawn, encoding="utf-8")
    assert house.OUTPUT.read_text(encoding="utf-8") == drawn, "look at the rooms' imports, then run make house"


def test_every_room_of_the_package_is_drawn(house):
    found = {path.stem for path in (house.ROOT / "symgen").iterdir() if path.suffix == ".py" or path.is_dir()}
    assert set(itertools.chain(*house.layers())) == found - {"__init__", "__main__", "__pycache__", "library"}


def test_rooms_keep_apart_and_inside(house):
    tree = ElementTree.fromstring(house.picture())
    width, height = map(float, tree.get("viewBox").split()[2:])
    boxes = [
        tuple(float(box.get(key)) for key in ("x", "y", "width", "height"))
        for box in tree.iter("{http://www.w3.org/2000/svg}rect")
        if box.get("x")
    ]
    for x, y, wide, high in boxes:
        assert x >= 0
        assert y >= 0
        assert x + wide <= width
        assert y + high <= height
    for a, b in itertools.combinations(boxes, 2):
        assert a[1] != b[1] or abs(a[0] - b[0]) > a[2]


def test_arrows_that_a_longer_way_implies_are_left_out(house):
    edges = [("a", "b"), ("b", "c"), ("a", "c"), ("a", "d"), ("c", "d")]
    assert house.needed(edges) == [("a", "b"), ("b", "c"), ("c", "d")]


def test_crossings_are_counted(house):
    pairs = {("a", "d"), ("b", "c")}
    assert house.crossings([["a", "b"], ["c", "d"]], pairs) == 1
    assert house.crossings([["a", "b"], ["d", "c"]], pairs) == 0
