"""What stands on a page: all of it of this robot, the same every time, escaped, without a network."""

import re
from html.parser import HTMLParser

import pytest
from pages import STATES, page

from symgen.report import page as pages_module
from symgen.report.equations import MOST_FREEDOMS, equations
from symgen.report.functions import NEEDED, options_for
from symgen.report.live import data_text, inlined
from symgen.robot.library import load
from symgen.robot.scenery import scene_of

ROBOTS = ["planar3r", "puma", "five_bar", "solo12"]

VOID = {"meta", "link", "br", "input", "img", "hr"}


class Outline(HTMLParser):
    """Checks that tags match; keeps headings, ids, what labels and links name, and the texts of scripts."""

    def __init__(self, text):
        super().__init__()
        self.open, self.headings, self.ids, self.named, self.tags, self.loads = [], [], [], set(), set(), []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in found:
            self.ids.append(found["id"])
        for key in ("for", "aria-labelledby", "data-copy"):
            self.named |= set(found.get(key, "").split())
        if tag == "a":
            self.named.add(found["href"].removeprefix("#"))
        self.loads += [found[key] for key in ("src", "action", "data") if key in found]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", ROBOTS)
def test_pages_are_well_formed(name):
    outline = Outline(page(name).html)
    assert outline.headings[0] == 1
    assert outline.headings.count(1) == 1
    assert all(b - a <= 1 for a, b in zip(outline.headings, outline.headings[1:], strict=False))
    assert len(set(outline.ids)) == len(outline.ids)
    assert outline.named <= set(outline.ids)
    assert outline.loads == []


@pytest.mark.parametrize("name", ROBOTS)
def test_pages_are_small(name):
    assert len(page(name).html.encode()) < 1_500_000


def test_the_same_robot_gives_the_same_page():
    made = page("planar3r").made
    assert pages_module.page_text(made, tuple(equations(made.robot))) == page("planar3r").html


def test_a_page_may_load_nothing():
    text = page("puma").html
    policy = re.search('Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none';")
    assert not re.search("http|connect|\\*", policy)


def test_what_was_counted_verified_and_proved_is_told():
    found, text = page("puma"), page("puma").html
    counts = found.made.derivation.counts["inverse_dynamics"]
    assert f'<td>inverse_dynamics</td><td class="number">{counts.mul}</td><td class="number">{counts.add}</td>' in text
    assert "OpenSYMORO, base parameters" in text
    assert f"{STATES} states; worst error" in text
    assert text.count("<td>proved</td>") == len(found.made.proofs)


def test_what_belongs_to_other_robots_is_not_told():
    text = page("five_bar").html
    assert "OpenSYMORO" not in text
    assert "generic (KKT)" in text
    assert "friction" not in text.partition('<section id="equations"')[0]


def test_formulas_of_large_robots_are_left_out_and_that_is_said():
    parts = list(equations(load("solo12")))
    assert [bool(part.entries) for part in parts] == [False, False, True]
    for part in parts[:2]:
        assert part.notes[0].startswith("Left out: this robot has 18 velocities")
        assert part.notes[0] in page("solo12").html
    assert all(load("puma").nv <= most for most in MOST_FREEDOMS.values())


def test_loops_without_closed_forms_are_said():
    (part,) = equations(load("gough_stewart"))
    assert part.entries == ()
    assert "closed forms of loops are known where" in part.notes[0]


def test_formulas_are_mathml():
    first = next(equations(load("planar3r"))).entries[0]
    assert first.label.startswith("<math><mrow><msub><mi>I</mi>")
    assert "&amp;" not in "".join(first.lines)
    assert {language for language, _, _ in first.copies} == {"LaTeX", "SymPy", "C"}


def test_scripts_cannot_be_ended_by_texts():
    assert inlined("/* </script> <!-- */ 'a </b'") == "/* <\\/script> <\\!-- */ 'a <\\/b'"
    robot = load("planar3r")
    text = data_text({"name": "</script><!--&"}, scene_of(robot))
    assert not set("<>&") & set(text)


def test_every_page_has_what_it_needs():
    for name in ROBOTS:
        wanted = options_for(load(name)).wanted
        assert set(NEEDED) <= set(wanted)


def test_hostile_texts_end_nothing(hostile):
    outline = Outline(hostile.html)
    assert "img" not in outline.tags
    assert hostile.html.count("</script>") == 3
    assert "<!--" not in hostile.html
