"""Links of all pages lead to files that are there; whether headings are, Sphinx tells (`make docs`)."""

from pathlib import Path

import pytest
from documents import ROOT
from markdown_it import MarkdownIt

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if "notebooks" not in page.relative_to(ROOT).parts]
COPIED = (ROOT / "docs" / "notebooks").resolve()


def links(page):
    """What a page links to, or shows."""
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        for child in token.children or ():
            found = child.attrGet("href") or child.attrGet("src")
            if found:
                yield str(found)


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page):
    for link in links(page):
        if link.startswith(("http:", "https:", "#")):
            continue
        place = Path(page.parent, link.partition("#")[0]).resolve()
        if place.is_relative_to(COPIED):  # notebooks are put beside the pages when the site is made
            place = ROOT / "notebooks" / place.relative_to(COPIED)
        assert place.exists(), link


def test_pages_of_theory_name_the_files_that_hold_it():
    for page in sorted((ROOT / "docs" / "theory").glob("*.md")):
        if page.stem != "index":
            assert any("/symgen/" in link and link.endswith(".py") for link in links(page)), page.name
