"""Robot files: what a file is, seen from its content, and its reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from symgen.errors import InputError
from symgen.robot.model import Robot
from symgen.robot.toml_text import file_text

_XML_ENDINGS = (".urdf", ".xml", ".xacro", ".mjcf")


def read_file(path: Path, read: Callable[[str, str], Robot], *, snap: bool = True, independent: bool = False) -> Robot:
    """The robot that a file describes: TOML, or XML whose root is a `robot` (URDF) or `mujoco` (MJCF).

    `read` makes a robot of the text of a TOML file and of the name of its source. With `snap` the numbers of XML are
    taken as what they stand for; with `independent` joints that follow others move by themselves. Raises `InputError`
    and its kin for what is wrong with the file.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is no file; pipes and devices are not read, save what they give in a file")
    content = _start(path)
    if not content.strip():
        raise InputError(f"{path}: the file is empty")
    if not is_xml(content):
        if path.suffix.lower() in _XML_ENDINGS:
            raise InputError(
                f"{path}: not XML: it does not begin with <; a URDF begins with <robot name=...>, MJCF with <mujoco>"
            )
        return read(file_text(path), str(path))
    from symgen.robot.urdf.xml import MAX_BYTES, root_tag

    content = _content(path, MAX_BYTES + 1)
    reader = READERS.get(root_tag(content) or "robot")
    if reader is None:
        known = ", ".join(f"<{tag}>" for tag in READERS)
        raise InputError(
            f"{path}: its root is <{(root_tag(content) or '')[:40]}>; the robots in XML begin with {known}"
        )
    return reader(content, str(path), snap, independent)


def is_xml(content: bytes) -> bool:
    """Whether the first character of a file, in any encoding of Unicode, is <."""
    start = content.removeprefix(b"\xef\xbb\xbf").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")
    return start.replace(b"\0", b"").lstrip()[:1] == b"<"


def _start(path: Path) -> bytes:
    return _content(path, 10_000)


def _content(path: Path, size: int) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(size)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def _urdf(content: bytes, source: str, snap: bool, independent: bool) -> Robot:
    from symgen.robot.urdf.build import robot_of

    return robot_of(content, source, snap=snap, independent=independent)


def _mjcf(content: bytes, source: str, snap: bool, independent: bool) -> Robot:
    from symgen.robot.mjcf.build import robot_of

    return robot_of(content, source, snap=snap, independent=independent)


READERS: Mapping[str, Callable[[bytes, str, bool, bool], Robot]] = {"robot": _urdf, "mujoco": _mjcf}
"""Tag of an XML file's root → its reader: content, source, snap, independent."""
