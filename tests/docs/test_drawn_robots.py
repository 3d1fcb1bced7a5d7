"""The robots drawn in the documentation look as symgen draws them now."""

import pytest
from documents import ROOT

import symgen

POSTURES = {
    "puma": [0.4, -0.6, 0.9, 0.3, 0.5, 0.0],
    "solo12": [0, 0, 0, 0, 0, 0, 1, *[0.1, 0.7, -1.4, -0.1, 0.7, -1.4] * 2],
    "gough_stewart": None,
}


@pytest.mark.parametrize("name", POSTURES)
def test_the_picture_is_current(name, update_generated):
    place = ROOT / "docs" / "pictures" / f"{name}.svg"
    drawn = symgen.load(name).show(POSTURES[name]).svg
    if update_generated:
        place.write_text(drawn, encoding="utf-8")
    assert place.read_text(encoding="utf-8") == drawn
