"""Text of a `robot.yaml` → the names in it. YAML is read as nodes, not as objects: every value is the text written.

closed_loop   pairs of frames that are one
type          3d or 6d for each pair: their origins are one, or their axes too
name_mot      motors: every joint whose name holds one of these
joint_name    joints of another kind than the URDF can say
joint_type    their kinds
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import permutations

import yaml

from symgen.errors import InputError, LimitError, Problem, RobotFileError
from symgen.robot.loops import CutKind
from symgen.robot.names import shortened, shown_key

MAX_LENGTH = 200_000
MAX_ENTRIES = 1000

KEYS = ("closed_loop", "type", "name_mot", "joint_name", "joint_type")

TIES = {"3d": CutKind.SPHERICAL, "6d": CutKind.FIXED}
"""Words for what ties two frames → kinds of cut joints."""

SPHERICAL, FIXED = "SPHERICAL", "FIXED"
UNIVERSAL = {f"UJOINT_{one}{other}": (one, other) for one, other in permutations("XYZ", 2)}
"""Words for two turns, one after the other → their axes."""

JOINT_TYPES = (SPHERICAL, FIXED, *UNIVERSAL)


@dataclass(frozen=True)
class Text:
    """A text of the file and its place in messages."""

    text: str
    place: str


@dataclass(frozen=True)
class Closing:
    """Two frames that are one, and what of them is."""

    place: str
    frames: tuple[Text, Text]
    kind: CutKind


@dataclass(frozen=True)
class ParallelFile:
    """What the file says; `joints`: (joint, the word for its kind). `unread`: keys that it has beside those known."""

    closings: tuple[Closing, ...]
    motors: tuple[Text, ...]
    joints: tuple[tuple[Text, str], ...]
    unread: tuple[str, ...]


def parsed(text: str, source: str) -> ParallelFile:
    """What the text says; `InputError` for what is no YAML, `RobotFileError` with everything else that is wrong."""
    reading = _Reading(_entries(text, source))
    pairs, ties = reading.pairs("closed_loop"), reading.texts("type")
    joints, kinds = reading.texts("joint_name"), reading.texts("joint_type")
    motors = reading.texts("name_mot")
    reading.check_lengths("type", len(ties), "closed_loop", len(pairs))
    reading.check_lengths("joint_type", len(kinds), "joint_name", len(joints))
    for key in ("closed_loop", "name_mot"):
        if key not in reading.nodes:
            reading.problem(key, f"missing; the keys of a robot.yaml: {', '.join(KEYS)}")
    for tie in ties:
        reading.check_word(tie, tie.text.lower(), tuple(TIES))
    for kind in kinds:
        reading.check_word(kind, kind.text, JOINT_TYPES)
    if reading.problems:
        raise RobotFileError(source, tuple(reading.problems))
    closings = (Closing(place, pair, TIES[tie.text.lower()]) for (place, pair), tie in zip(pairs, ties, strict=True))
    changed = zip(joints, (kind.text for kind in kinds), strict=True)
    unread = tuple(shown_key(key) for key in reading.nodes if key not in KEYS)
    return ParallelFile(tuple(closings), tuple(motors), tuple(changed), unread)


def _entries(text: str, source: str) -> dict[str, yaml.Node]:
    """Key → value of the file's one mapping."""
    if len(text) > MAX_LENGTH:
        raise LimitError(
            f"{source}: larger than {MAX_LENGTH // 1000} kB; a robot.yaml names a robot's loops and joints"
        )
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise InputError(f"{source}: not valid YAML: {where}{shortened(error.problem or 'faulty', 100)}") from None
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{source}: not valid YAML: {shortened(reason, 100)}") from None
    except RecursionError:
        raise InputError(f"{source}: not a robot.yaml: it is nested too deeply") from None
    if not isinstance(root, yaml.MappingNode):
        raise InputError(f"{source}: expected keys and their values; the keys of a robot.yaml: {', '.join(KEYS)}")
    entries: dict[str, yaml.Node] = {}
    for key, value in root.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else "a key that is no text"
        if name in entries:
            raise RobotFileError(source, (Problem(shown_key(name), f"it stands there twice, again in {_line(key)}"),))
        entries[name] = value
    return entries


def _line(node: yaml.Node) -> str:
    return f"line {node.start_mark.line + 1}"


@dataclass
class _Reading:
    nodes: dict[str, yaml.Node]
    problems: list[Problem] = field(default_factory=list)

    def problem(self, place: str, message: str) -> None:
        self.problems.append(Problem(place, message))

    def texts(self, key: str) -> list[Text]:
        """The texts of a list; one alone may stand without brackets."""
        node = self.nodes.get(key)
        found = [node] if isinstance(node, yaml.ScalarNode) and node.value else self._items(node, key)
        return [text for index, each in enumerate(found) if (text := self._text(each, f"{key}[{index + 1}]"))]

    def pairs(self, key: str) -> list[tuple[str, tuple[Text, Text]]]:
        """(place, texts) of a list of pairs."""
        pairs = []
        for index, node in enumerate(self._items(self.nodes.get(key), key)):
            place = f"{key}[{index + 1}]"
            items = node.value if isinstance(node, yaml.SequenceNode) else ()
            if len(items) != 2:
                self.problem(f"{place} ({_line(node)})", "expected the names of two frames, such as [pin_A, pin_B]")
                items = ()
            texts = [self._text(item, place) for item in items]
            # Pairs that are at fault count too: the other lists go with them.
            first, second = [text or Text("", place) for text in texts] or [Text("", place)] * 2
            pairs.append((f"{place} ({_line(node)})", (first, second)))
        return pairs

    def _items(self, node: yaml.Node | None, key: str) -> list[yaml.Node]:
        if node is None or (isinstance(node, yaml.ScalarNode) and not node.value):
            return []
        if not isinstance(node, yaml.SequenceNode):
            self.problem(f"{key} ({_line(node)})", "expected a list, such as [left, right]")
            return []
        if len(node.value) > MAX_ENTRIES:
            self.problem(f"{key} ({_line(node)})", f"expected at most {MAX_ENTRIES} entries, found {len(node.value)}")
            return []
        return list(node.value)

    def _text(self, node: yaml.Node, place: str) -> Text | None:
        place = f"{place} ({_line(node)})"
        if isinstance(node, yaml.ScalarNode) and re.fullmatch(r"\S(.{0,198}\S)?", node.value):
            return Text(node.value, place)
        self.problem(place, "expected a name")
        return None

    def check_lengths(self, key: str, given: int, other: str, wanted: int) -> None:
        if given != wanted and not any(each.place.startswith((key, other)) for each in self.problems):
            node = self.nodes.get(key) or self.nodes.get(other)
            where = f" ({_line(node)})" if node else ""
            self.problem(f"{key}{where}", f"expected one entry for each of {other}, {wanted}; found {given}")

    def check_word(self, given: Text, word: str, known: tuple[str, ...]) -> None:
        if word not in known:
            self.problem(given.place, f"expected {', '.join(known[:-1])} or {known[-1]}, found {given.text[:40]!r}")
