"""README and the pages of docs/: their blocks of code, and what stands before a block about how it is run.

Directions are comments of HTML in the lines before a block, which readers do not see:

    <!-- file: NAME -->     it is written to a file of that name, in the page's folder
    <!-- needs: NAME -->    a program or a package of Python; where it is not there, the page ends here
    <!-- printed -->        every line of it is in what the block before printed
    <!-- part of: FILE -->  what it says is said by that file, a robot of the library
    <!-- run by: FILE -->   a test that has to know more runs it: one in FILE, which reads this page
    <!-- not run: WHY -->
"""

import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
README = "README.md"
DIRECTIONS = ("file", "needs", "printed", "part of", "run by", "not run")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, text, directions, and the line it begins in."""

    language: str
    text: str
    directions: dict[str, str]
    line: int


class Page:
    """A page by its path beneath docs/, without ".md", or README."""

    def __init__(self, path):
        self.path = path
        self.file = ROOT / (path if path == README else f"docs/{path}.md")
        self.text = self.file.read_text(encoding="utf-8")

    @property
    def words(self):
        """Its text as one line."""
        return " ".join(self.text.split())

    @property
    def blocks(self):
        """Its fenced blocks, in order."""
        found, directions = [], {}
        for token in MarkdownIt("commonmark").parse(self.text):
            if token.type == "html_block":
                for name, value in re.findall(r"<!-- ([a-z ]+?)(?:: (.*?))? -->", token.content):
                    assert name in DIRECTIONS, f"{self.path}: what is '{name}'?"
                    directions[name] = value
            elif token.type == "fence":
                language = token.info.strip()
                found.append(Block(language, token.content, directions, token.map[0] + 1))
                directions = {}
            elif token.type != "list_item_open":
                assert not directions, f"{self.path}:{token.map}: {directions} of what?"
        return found

    def block(self, language):
        """The text of the first block in that language."""
        return next(block.text for block in self.blocks if block.language == language)

    def run(self, names=(), change=str):
        """Python's names once the page's blocks have run; `names` are there before, `change` is done to the text."""
        found = dict(names)
        for block in self.blocks:
            if block.language == "python" and "file" not in block.directions:
                exec(compile(change(block.text), self.path, "exec"), found)
        return found


def paths():
    """The pages there are."""
    docs = ROOT / "docs"
    found = (file.relative_to(docs) for file in docs.rglob("*.md"))
    return [README, *sorted(path.with_suffix("").as_posix() for path in found if path.parts[0] != "notebooks")]
