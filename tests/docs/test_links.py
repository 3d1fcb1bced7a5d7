"""Links of all pages lead to files that are there, and to headings in them; `make docs` follows those of the site."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from documents import ROOT
from markdown_it import MarkdownIt

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if "notebooks" not in page.relative_to(ROOT).parts]
COPIED = (ROOT / "docs" / "notebooks").resolve()


def tokens(page):
    return MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))


def links(page):
    """What a page links to, or shows."""
    for token in tokens(page):
        for child in token.children or ():
            found = child.attrGet("href") or child.attrGet("src")
            if found:
                yield str(found)


def anchors(page):
    """What links may name in a page: its headings in lower case, with hyphens."""
    headings = [text.content.lower() for token, text in pairwise(tokens(page)) if token.type == "heading_open"]
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading)) for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page):
    for link in links(page):
        if link.startswith(("http:", "https:")):
            continue
        name, _, anchor = link.partition("#")
        place = Path(page.parent, name).resolve() if name else page
        if place.is_relative_to(COPIED):  # notebooks are put beside the pages when the site is made
            place = ROOT / "notebooks" / place.relative_to(COPIED)
        assert place.exists(), link
        assert not anchor or anchor in anchors(place), f"{link}: the headings are {sorted(anchors(place))}"


def test_every_notebook_is_listed():
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    listed = re.findall(r"^notebooks/(\w+)$", page, re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_pages_of_theory_name_the_files_that_hold_it():
    for page in sorted((ROOT / "docs" / "theory").glob("*.md")):
        if page.stem != "index":
            assert any("/symgen/" in link and link.endswith(".py") for link in links(page)), page.name
