"""What an MJCF file makes MuJoCo read and allocate, bounded before MuJoCo sees it: files, copies, sizes.

Files that it includes, and models that it attaches, are looked at likewise. Where a file is not found, MuJoCo says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

from symgen.errors import InputError, LimitError
from symgen.robot.names import shortened
from symgen.robot.urdf.xml import MAX_BYTES, Element, parse

MAX_LINKS = 1000
MAX_COPIES = 10_000
"""Bodies and points that replicate, composite and flexcomp elements may ask for."""

MAX_SIZE = 10_000
"""What attributes of size may ask for: keyframes, user data of each object."""

MAX_CELLS = 50_000_000
"""Points of a height field, pixels of a texture."""

MAX_FILE = 500_000_000
"""Bytes of a mesh, a texture or the like."""

_COPIES = frozenset({"replicate", "composite", "flexcomp"})
_CELLS = {"hfield": ("nrow", "ncol"), "texture": ("width", "height")}
_FOLDERS = ("meshdir", "texturedir", "assetdir")
_READ = {"include": "the included file", "model": "the attached model"}


def check(root: Element, source: str) -> None:
    """`LimitError` if the file at the path `source`, with the root `root`, asks for more than is read.

    `InputError` for what it reads and is no file, or holds entities.
    """
    _Bounds(Path(source).parent).check(root, source, Path(source).parent, 1)


@dataclass
class _Bounds:
    folder: Path
    bodies: int = 0
    seen: set[Path] = field(default_factory=set)

    def check(self, root: Element, source: str, folder: Path, copies: int) -> None:
        """Check a file that stands in `folder`, of which there are so many copies."""
        folders = [folder, self.folder]
        folders += [place / each.attributes[key] for place in folders for each, key in _folders(root)]
        attached: dict[str, int] = {}
        models: list[Element] = []
        for element, own in _walk(root, copies, source):
            place = f"{source}: line {element.line}"
            self._check_bodies(element, own, source)
            _check_sizes(element, place)
            if element.tag == "attach":
                name = element.attributes.get("model", "")
                attached[name] = attached.get(name, 0) + own
            elif element.tag == "model":
                models.append(element)
            elif file := element.attributes.get("file"):
                self._check_file(element, file, folders, place, own)
        for element in models:
            file = element.attributes.get("file", "")
            own = attached.get(element.attributes.get("name", Path(file).stem), 1)
            self._check_file(element, file, folders, f"{source}: line {element.line}", own)

    def _check_bodies(self, element: Element, copies: int, source: str) -> None:
        if element.tag == "body":
            self.bodies += copies
        if self.bodies > MAX_LINKS:
            raise LimitError(f"{source}: more than {MAX_LINKS} bodies; at most {MAX_LINKS} bodies and joints are read")

    def _check_file(self, element: Element, file: str, folders: list[Path], place: str, copies: int) -> None:
        for path in (folder / file for folder in folders):
            try:
                is_there, is_file = path.exists(), path.is_file()
                size = path.stat().st_size if is_file else 0
            except (OSError, ValueError):
                continue  # no name of a file at all
            shown = shortened(file, 100)
            if is_there and not is_file and not path.is_dir():
                raise InputError(f"{place}: {element.tag}: {shown} is no file that can be read to its end")
            if size > MAX_FILE:
                raise LimitError(f"{place}: {element.tag}: {shown} is larger than {MAX_FILE // 10**6} MB")
            if is_file and element.tag in _READ:
                self._enter(path, f"{place}: {_READ[element.tag]} {shown}", copies)

    def _enter(self, path: Path, source: str, copies: int) -> None:
        if path.resolve() not in self.seen:
            self.seen.add(path.resolve())
            try:
                with path.open("rb") as stream:
                    content = stream.read(MAX_BYTES + 1)
            except OSError as error:
                raise InputError(f"{source}: cannot be read: {error.strerror or error}") from None
            self.check(parse(content, source), source, path.parent, copies)


def _walk(element: Element, copies: int, source: str) -> Iterator[tuple[Element, int]]:
    """The element and all within, each with how often it is copied."""
    if element.tag in _COPIES:
        copies *= max(prod(_numbers(element.attributes.get("count", ""))), 1)
        if copies > MAX_COPIES:
            raise LimitError(f"{source}: line {element.line}: {element.tag} asks for more than {MAX_COPIES} copies")
    yield element, copies
    for child in element.children:
        yield from _walk(child, copies, source)


def _folders(root: Element) -> Iterator[tuple[Element, str]]:
    for compiler in root.all("compiler"):
        for key in _FOLDERS:
            if key in compiler.attributes:
                yield compiler, key


def _check_sizes(element: Element, place: str) -> None:
    if element.tag == "size":
        for key, text in element.attributes.items():
            if (key == "nkey" or key.startswith("nuser")) and max(_numbers(text), default=0) > MAX_SIZE:
                raise LimitError(f"{place}: size: {key} is {shortened(text, 40)}; at most {MAX_SIZE} are read")
    keys = _CELLS.get(element.tag, ())
    if keys and prod(max(_numbers(element.attributes.get(key, "")), default=0) for key in keys) > MAX_CELLS:
        raise LimitError(f"{place}: {element.tag}: {' times '.join(keys)} is more than {MAX_CELLS}")


def _numbers(text: str) -> list[int]:
    """The whole numbers of an attribute; those of very many digits as one that is large enough."""
    return [int(word) if len(word) < 20 else 10**20 for word in text.split() if word.isdecimal()]
