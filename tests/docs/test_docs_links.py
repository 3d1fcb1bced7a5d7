"""Links between README, CONTRIBUTING and the pages of docs/ lead to files, and to headings in them."""

import re
from itertools import pairwise

import pytest
from documents import ROOT
from markdown_it import MarkdownIt

MADE = re.compile(r"docs/notebooks/|docs/reference/robot-file-schema.md#")
"""What is there once the site is made: executed notebooks, and headings that directives write."""

FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def anchors(path):
    """What links may name in a page: its headings in lower case, with hyphens."""
    tokens = MarkdownIt("commonmark").parse(path.read_text(encoding="utf-8"))
    headings = [after.content for token, after in pairwise(tokens) if token.type == "heading_open"]
    plain = [re.sub(r"[^\w\s-]", "", heading.lower().replace("`", "")) for heading in headings]
    return {re.sub(r"\s", "-", heading) for heading in plain}


def links(path):
    """Targets of a page's links and pictures."""
    for token in MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8")):
        for child in token.children or ():
            target = child.attrGet("href") or child.attrGet("src")
            if target is not None:
                yield target


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path):
    for target in links(path):
        name, _, anchor = target.partition("#")
        if re.match(r"\w+:", name):
            assert name.startswith("https:"), target
            continue
        found = (path.parent / name).resolve() if name else path
        place = found.relative_to(ROOT).as_posix()
        if MADE.match(f"{place}#"):
            found = ROOT / place.replace("docs/notebooks/", "notebooks/")
            anchor = ""
        assert found.exists(), f"{target} of {path.relative_to(ROOT)}"
        assert not anchor or anchor in anchors(found), f"{target}: its headings are {sorted(anchors(found))}"


def test_every_notebook_is_listed():
    listed = re.findall(
        r"^notebooks/(\w+)$", (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(listed) == sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
