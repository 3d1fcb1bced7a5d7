"""The command `report`: what it writes, and what it does not touch."""

import json

import pytest
from pages import page

from symgen.cli import main
from symgen.errors import InputError
from symgen.report.page import write_page


@pytest.fixture
def symgen(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*args):
        with pytest.raises(SystemExit) as caught:
            main([str(arg) for arg in args])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return caught.value.code or 0, captured.out, captured.err

    return run


def test_a_page_is_called_like_its_robot(symgen, tmp_path):
    code, out, err = symgen("report", "planar2r", "--states", 5, "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert told["file"] == "planar2r.html"
    assert told["bytes"] == (tmp_path / "planar2r.html").stat().st_size
    code, out, _ = symgen("report", "planar2r", "--states", 5, "-o", "deep/er.html")
    assert code == 0
    assert out.startswith("wrote deep/er.html (0.")
    assert (tmp_path / "deep" / "er.html").read_bytes() == (tmp_path / "planar2r.html").read_bytes()


@pytest.mark.parametrize(
    ("robot", "expected"),
    [("nowhere.toml", "nowhere.toml"), ("pumma", "puma"), ("planar2r", "is a directory")],
)
def test_bad_input_is_told_without_a_traceback(symgen, tmp_path, robot, expected):
    code, out, err = symgen("report", robot, "--states", 5, "-o", tmp_path)
    assert (code, out) == (2, "")
    assert expected in err


def test_only_pages_are_replaced(tmp_path):
    text, place = page("planar3r").html, tmp_path / "robot.html"
    assert write_page(place, text) == place
    write_page(place, text)
    place.write_text("my notes", encoding="utf-8")
    with pytest.raises(InputError, match="give --force"):
        write_page(place, text)
    assert place.read_text(encoding="utf-8") == "my notes"
    write_page(place, text, force=True)
    assert place.read_text(encoding="utf-8") == text
    (tmp_path / "gone.html").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InputError, match="there already"):
        write_page(tmp_path / "gone.html", text)
