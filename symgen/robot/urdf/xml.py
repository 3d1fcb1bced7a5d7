"""XML → elements that know their lines. Files are not trusted: no entities, bounded size, depth and number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from symgen.errors import InputError, LimitError
from symgen.robot.names import shortened

MAX_BYTES = 20_000_000
MAX_DEPTH = 100
MAX_ELEMENTS = 200_000

_SKIPPED = frozenset({"collision", "gazebo", "transmission", "sensor", "ros2_control", "safety_controller"})
"""Elements of a URDF that say nothing of its mechanics, nor of its looks; what is in them is not kept."""


@dataclass
class Element:
    """An element of a file: its tag, the line it begins in, attributes and elements within."""

    tag: str
    line: int
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> list[Element]:
        """The elements within that have this tag."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """The first element within that has this tag; None if there is none."""
        return next((child for child in self.children if child.tag == tag), None)


def root_tag(content: bytes) -> str | None:
    """The tag of an XML file's root without its namespace; None if it cannot be told."""
    target = _Target("", only_root=True)
    try:
        _feed(content, target)
    except _Enough:
        pass
    except (ParseError, DefusedXmlException, InputError, LimitError, ValueError, LookupError):
        return None
    return target.root.tag if target.root else None


def parse(content: bytes, source: str) -> Element:
    """The root element of an XML file; `source` names it in messages.

    Raises `InputError` for what is no XML or holds entities, `LimitError` for what is too large.
    """
    if len(content) > MAX_BYTES:
        raise LimitError(f"{source}: larger than {MAX_BYTES // 10**6} MB; robot files name their meshes and hold none")
    target = _Target(source)
    try:
        _feed(content, target)
    except ParseError as error:
        line, column = error.position
        reason = str(error).partition(":")[0]
        raise InputError(f"{source}: line {line}, column {column + 1}: not well-formed XML: {reason}") from None
    except DefusedXmlException as error:
        what = getattr(error, "name", None) or getattr(error, "sysid", "")
        raise InputError(
            f"{source}: declares the XML entity {shortened(str(what))!r}; robot files are read without entities, "
            "write out what they stand for"
        ) from None
    except (ValueError, LookupError) as error:
        raise InputError(f"{source}: cannot be decoded: {shortened(str(error), 100)}; save it as UTF-8") from None
    if target.root is None:
        raise InputError(f"{source}: holds no XML element")
    return target.root


def _feed(content: bytes, target: _Target) -> None:
    parser = DefusedXMLParser(target=target)
    target.parser = parser
    parser.feed(content)
    parser.close()


class _Enough(Exception):  # noqa: N818 — no error: the rest of the file is not needed
    """The root has been seen."""


class _Target:
    """What the parser calls: keeps elements, within limits."""

    def __init__(self, source: str, *, only_root: bool = False) -> None:
        self.source = source
        self.only_root = only_root
        self.parser: Any = None
        self.root: Element | None = None
        self._open: list[Element] = []
        self._skipped = 0
        self._depth = 0
        self._count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        line = self.parser.parser.CurrentLineNumber
        self._depth += 1
        self._count += 1
        if self._depth > MAX_DEPTH or self._count > MAX_ELEMENTS:
            kind = f"more than {MAX_DEPTH} levels" if self._depth > MAX_DEPTH else f"more than {MAX_ELEMENTS} elements"
            raise LimitError(f"{self.source}: line {line}: {kind}; that is no robot")
        if self._skipped or (tag in _SKIPPED and self._depth > 1):
            self._skipped += 1
            return
        element = Element(tag if "xacro" in tag else tag.rpartition("}")[2], line, dict(attributes))
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
            if self.only_root:
                raise _Enough
        self._open.append(element)

    def end(self, tag: str) -> None:
        """An element ends."""
        self._depth -= 1
        if self._skipped:
            self._skipped -= 1
        else:
            self._open.pop()

    def data(self, text: str) -> None:
        """Text, which means nothing here."""

    def close(self) -> None:
        """The file ends."""
