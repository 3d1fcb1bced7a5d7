"""Pictures are well-formed, the same every time, escaped, in themes; notebooks show views that load nothing."""

import base64
import html
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner
from joint_trees import tree
from loop_mechanisms import mechanism
from robot_text import head, link
from strategies import screw_robot, seeded_robot

import symgen
from symgen.cli import main
from symgen.drawing.picture import picture
from symgen.drawing.picture.svg import LAYERS, grid_step
from symgen.errors import InputError
from symgen.robot import shipped
from symgen.robot.reader import read_text
from symgen.robot.scenery import scene_of

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</style><script>alert(1)</script>\"'&<!--"


def run(*args):
    return CliRunner().invoke(main, ["info", *map(str, args)])


def hostile():
    robot = symgen.load("puma")
    links = tuple(
        replace(each, name=HOSTILE + str(k), joint=replace(each.joint, name=HOSTILE + str(k)))
        for k, each in enumerate(robot.links)
    )
    return replace(robot, links=links, description=HOSTILE)


# SVG -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped.names())
def test_pictures_are_well_formed_and_the_same_every_time(name):
    text = picture(scene_of(symgen.load(name)), layers=LAYERS)
    assert text == picture(scene_of(symgen.load(name)), layers=LAYERS)
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r"url\(#(\w+)\)", text)) | set(re.findall(r'href="#(\w+)"', text))
    assert used <= set(ids)
    assert not re.search(r"\b(nan|inf)\b", text)
    (title,) = root.iter(f"{SVG}title")
    assert title.text == name


@pytest.mark.parametrize("seed", range(10))
def test_random_robots_have_pictures(seed):
    looped = mechanism(seed)
    for robot in (seeded_robot(seed), screw_robot(seed), tree(seed, 8, mimics=True), *([looped] if looped else [])):
        for q in (None, np.random.default_rng(seed).normal(size=robot.nq)):
            text = picture(scene_of(robot), q, layers=LAYERS)
            ElementTree.fromstring(text)
            assert not re.search(r"\b(nan|inf)\b", text)


@pytest.mark.parametrize("length", ["0", "1e-30", "1e90"])
def test_points_and_giants_have_pictures(length):
    robot = read_text(head() + link(a=length, com="[0, 0, 0]") + link(a=length, com="[0, 0, 0]"), "arm.toml")
    text = picture(scene_of(robot), layers=LAYERS)
    ElementTree.fromstring(text)
    assert not re.search(r"\b(nan|inf)\b", text)


def test_all_is_within_the_picture():
    for name in shipped.names():
        root = ElementTree.fromstring(picture(scene_of(symgen.load(name)), layers=()))
        for text in (each.get("d", "") for each in root.iter(f"{SVG}path") if each.get("stroke-width") == ".8"):
            numbers = [float(each) for each in re.findall(r"-?\d+\.?\d*", text)][:2]
            assert 0 <= numbers[0] <= 640
            assert 0 <= numbers[1] <= 480


def test_two_pictures_in_one_page_share_no_ids():
    scene = scene_of(symgen.load("puma"))
    texts = [picture(scene), picture(scene, [0.1] * 6), picture(scene, theme="dark"), picture(scene, layers=())]
    ids = [set(re.findall(r' id="(\w+)"', text)) for text in texts]
    assert not set.intersection(*ids)
    assert sum(map(len, ids)) == len(set.union(*ids))


def test_names_of_robot_files_stay_text():
    text = picture(scene_of(hostile()), layers=LAYERS)
    root = ElementTree.fromstring(text)
    assert not list(root.iter(f"{SVG}script"))
    shown = [each.text for each in root.iter(f"{SVG}text")]
    assert any(each.startswith(HOSTILE) for each in shown)
    (words,) = root.iter(f"{SVG}desc")
    assert words.text.startswith(f"{HOSTILE}; 6 links, joints: 6 revolute")


def test_themes_choose_the_colours():
    scene = scene_of(symgen.load("puma"))
    auto, light, dark = (picture(scene, theme=theme) for theme in ("auto", "light", "dark"))
    assert "prefers-color-scheme:dark" in auto
    assert "prefers-color-scheme" not in light + dark
    assert "<style>" not in light + dark
    papers = [next(ElementTree.fromstring(text).iter(f"{SVG}rect")).get("fill") for text in (auto, light, dark)]
    assert papers == ["#ffffff", "#ffffff", "#12161c"]


def test_every_colour_is_an_attribute_with_a_rule_for_the_dark():
    """Programs that read no style sheets show a picture in its light colours."""
    text = picture(scene_of(symgen.load("gough_stewart")), layers=LAYERS)
    assert "var(" not in text
    (rules,) = re.findall(r"<style>(.*)</style>", text)
    for each in ElementTree.fromstring(text).iter():
        for name in each.get("class", "").split():
            key = {"f": "fill", "s": "stroke", "p": "stop-color"}[name[0]]
            assert each.get(key)
            assert re.search(rf"\.{name}{{{key}:#[0-9a-f]{{6}}[;}}]", rules)


def test_unknown_themes_and_layers_are_told():
    scene = scene_of(symgen.load("puma"))
    with pytest.raises(InputError, match="unknown theme 'pink'; there are: auto, light, dark"):
        picture(scene, theme="pink")
    with pytest.raises(InputError, match="unknown layer 'x'; there are: shapes, names, axes"):
        picture(scene, layers=["x"])


def test_layers_add_what_they_say():
    scene = scene_of(symgen.load("puma"))
    bare = picture(scene, layers=())
    sizes = {layer: len(picture(scene, layers=[layer])) - len(bare) for layer in LAYERS}
    assert sizes.pop("shapes") == 0
    assert min(sizes.values()) > 100
    assert picture(scene, layers=["names"]).count("<text") > 1


def test_a_slider_is_drawn_where_it_slid_to():
    scene = scene_of(symgen.load("stanford"))
    there = list(scene.start)
    there[2] += 0.4
    assert picture(scene, there) != picture(scene)


@pytest.mark.parametrize(("radius", "step"), [(1.5, 0.5), (0.33, 0.1), (0.6, 0.2), (0.15, 0.05), (30, 10)])
def test_the_grid_has_round_steps(radius, step):
    assert grid_step(radius) == pytest.approx(step)


# the command line -------------------------------------------------------------------------------------


def test_the_command_line_draws_what_a_robot_looks_like(tmp_path):
    one, other, there = tmp_path / "one.svg", tmp_path / "other.svg", tmp_path / "there.svg"
    assert run("puma", "--picture", one).output == f"wrote {one}\n"
    assert run("puma", "--picture", other, "--graph", tmp_path / "graph.svg").exit_code == 0
    assert one.read_bytes() == other.read_bytes() == picture(scene_of(symgen.load("puma"))).encode()
    assert run("puma", "--picture", there, "--at", "0,pi/4,0,0,0,0").exit_code == 0
    assert there.read_text(encoding="utf-8") == picture(scene_of(symgen.load("puma")), [0, np.pi / 4, 0, 0, 0, 0])
    assert (tmp_path / "graph.svg").stat().st_size > 1000


def test_the_command_line_says_what_is_wrong_with_a_picture(tmp_path):
    path = tmp_path / "arm.svg"
    path.write_text("mine", encoding="utf-8")
    assert "is there already; give --force to replace it" in run("puma", "--picture", path).output
    assert path.read_text() == "mine"
    assert run("puma", "--picture", path, "--force").exit_code == 0
    assert "is drawn as SVG; expected a name such as arm.svg" in run("puma", "--picture", tmp_path / "arm.png").output
    assert "expected 6 numbers" in run("puma", "--picture", tmp_path / "x.svg", "--at", "1,2").output
    assert "give --picture FILE.svg too" in run("puma", "--at", "0,0,0,0,0,0").output
    assert not (tmp_path / "x.svg").exists()


# notebooks ---------------------------------------------------------------------------------------------


def test_a_robot_shows_itself_with_its_picture_below():
    shown = symgen.load("five_bar").show()
    text = shown._repr_html_()
    (data,) = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', text)
    assert base64.b64decode(data).decode() == shown.svg
    (page,) = re.findall(r'srcdoc="([^"]+)"', text)
    assert html.unescape(page) == shown.page
    assert 'sandbox="allow-scripts"' in text
    assert repr(shown) == "<View of five_bar; its .svg is a picture, its .page a page of HTML>"


def test_pages_load_nothing_and_hold_the_scene():
    shown = hostile().show([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], theme="dark")
    assert "default-src 'none'" in shown.page
    assert not re.findall(r'(?:src|href)="?(?!#)http', shown.page)
    assert shown.page.count("<script") == shown.page.count("</script>") == 2
    (given,) = re.findall(r'<script type="application/json" id="given">(.*?)</script>', shown.page, re.DOTALL)
    found = json.loads(given)
    assert found["q"] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert found["theme"] == "dark"
    assert found["scene"]["bodies"][0]["name"] == HOSTILE + "0"


def test_what_a_robot_is_shown_at_is_checked():
    puma, dog = symgen.load("puma"), symgen.load("solo12")
    for q, why in [
        ([1, 2], "expected 6 numbers, found shape"),
        ("abcdef", "expected 6 numbers"),
        ([0, 0, 0, 0, 0, float("nan")], "expected finite numbers"),
    ]:
        with pytest.raises(InputError, match=why):
            puma.show(q)
    with pytest.raises(InputError, match="the quaternion of joint root_joint is 0 and turns nothing"):
        dog.show([0.0] * dog.nq)
    with pytest.raises(InputError, match="theme: expected auto, light, dark, found 'x'"):
        puma.show(theme="x")
    with pytest.raises(InputError, match="height: expected a number of pixels"):
        puma.show(height=-1)


def test_robots_show_their_picture_above_their_tables():
    text = symgen.load("puma")._repr_html_()
    (data,) = re.findall(r'<img alt="puma"[^>]* src="data:image/svg\+xml;base64,([^"]+)"/>', text)
    assert ElementTree.fromstring(base64.b64decode(data)).tag == f"{SVG}svg"
    assert text.index("<img") < text.index("<table")
