"""Draws the house: the rooms of the package on their floors, and who uses whom.

    python docs/contributing/house.py

writes `house.svg` beside itself. Floors are the layers that `pyproject.toml` tells import-linter, arrows are imports
that are in the code, words are the first line of each room's docstring. An arrow is left out where others lead there,
too. The same code gives the same bytes.
"""

from __future__ import annotations

import ast
import itertools
import tomllib
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from textwrap import wrap

import grimp

ROOT = Path(__file__).parents[2]
PACKAGE = "symgen"
OUTPUT = Path(__file__).with_name("house.svg")

WIDTH, MARGIN = 1240, 20  # pixels, as all lengths here
BOX, WIRE, GAP = 156, 10, 14
"""Widths of a room and of an arrow that passes a floor; space between two of them."""
HEIGHT, FLOOR = 87, 136
"""Height of a room, and from floor to floor."""
LETTERS, LINES = 24, 4
"""Letters in a line of a room's words, and lines."""
SWEEPS = 12
"""How often the order on all floors is made better."""

Edge = tuple[str, str]
"""Who imports, and who is imported."""

Point = tuple[float, float]

STYLE = """
  svg { background: var(--ground); --ground: #ffffff; --box: #f3f6fa; --edge: #7c8da3; --ink: #16202c; --soft: #4a5a6c;
    --wire: #8d9db2; --odd: #b3541e; font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
  @media (prefers-color-scheme: dark) { svg { --ground: #12171d; --box: #1d2630; --edge: #62758b; --ink: #e8eef5;
    --soft: #a9b8c8; --wire: #62758b; --odd: #f0a35e; } }
  .ground { fill: var(--ground); }
  .room rect { fill: var(--box); stroke: var(--edge); }
  .name { font-size: 14px; font-weight: 600; fill: var(--ink); }
  .words { font-size: 10.5px; fill: var(--soft); }
  .wire { fill: none; stroke: var(--wire); stroke-width: 1.3; }
  .odd { fill: none; stroke: var(--odd); stroke-width: 1.3; stroke-dasharray: 5 4; }
  .head { fill: var(--wire); } .oddhead { fill: var(--odd); }
"""


# what the code says ------------------------------------------------------------------------------------


def layers() -> list[list[str]]:
    """The rooms of each floor, highest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = [each for each in project["tool"]["importlinter"]["contracts"] if each["type"] == "layers"]
    return [[name.strip().removeprefix(f"{PACKAGE}.") for name in layer.split("|")] for layer in contract["layers"]]


def imports(rooms: Iterable[str]) -> set[Edge]:
    """Who imports whom; not how often, which would change every day."""
    graph, known = grimp.build_graph(PACKAGE, cache_dir=None), set(rooms)
    found = set()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            start, end = (name.partition(".")[2].partition(".")[0] for name in (module, imported))
            if start != end and known.issuperset((start, end)):
                found.add((start, end))
    return found


def words(room: str) -> str:
    """The first line of a room's docstring."""
    path = ROOT / PACKAGE / room / "__init__.py"
    path = path if path.is_file() else path.parent.with_suffix(".py")
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text, f"{path} has no docstring"
    return text.splitlines()[0]


def needed(edges: Iterable[Edge]) -> list[Edge]:
    """The edges without those between rooms that a longer way joins."""
    below: dict[str, set[str]] = {}
    for start, end in edges:
        below.setdefault(start, set()).add(end)

    def reached(room: str) -> set[str]:
        ends = below.get(room, set())
        return ends.union(*map(reached, ends))

    return sorted(
        (start, end)
        for start, ends in below.items()
        for end in ends
        if not any(end in reached(other) for other in ends - {end})
    )


# where it stands ---------------------------------------------------------------------------------------


def arranged(floors: Sequence[Sequence[str]], edges: Sequence[Edge]) -> tuple[list[list[str]], list[list[str]]]:
    """The floors with places for arrows that pass them, in an order with few crossings; and the way of each edge.

    A place for an arrow is called "start>end>floor".
    """
    level = {room: number for number, floor in enumerate(floors) for room in floor}
    rows, ways = [list(floor) for floor in floors], []
    for start, end in edges:
        passed = [f"{start}>{end}>{number}" for number in range(level[start] + 1, level[end])]
        for number, place in enumerate(passed, level[start] + 1):
            rows[number].append(place)
        ways.append([start, *passed, end])
    pairs = {pair for way in ways for pair in itertools.pairwise(way)}
    best, fewest = rows, crossings(rows, pairs)
    for sweep in range(SWEEPS):
        rows = [list(row) for row in rows]
        down = sweep % 2 == 0
        for number in range(1, len(rows)) if down else range(len(rows) - 2, -1, -1):
            rows[number] = sorted_beside(rows[number], rows[number - 1 if down else number + 1], pairs)
        if (count := crossings(rows, pairs)) < fewest:
            best, fewest = rows, count
    return best, ways


def sorted_beside(row: Sequence[str], fixed: Sequence[str], pairs: Iterable[Edge]) -> list[str]:
    """A row in the order of the middles of what its names are joined to in the row beside it."""
    place = {name: position / len(fixed) for position, name in enumerate(fixed)}
    met: dict[str, list[float]] = {name: [] for name in row}
    for a, b in sorted(pairs):
        for name, other in ((a, b), (b, a)):
            if name in met and other in place:
                met[name].append(place[other])
    middle = {name: sum(met[name]) / len(met[name]) if met[name] else row.index(name) / len(row) for name in row}
    return sorted(row, key=lambda name: (middle[name], name))


def crossings(rows: Sequence[Sequence[str]], pairs: Iterable[Edge]) -> int:
    """How many arrows cross."""
    place = {name: position for row in rows for position, name in enumerate(row)}
    level = {name: number for number, row in enumerate(rows) for name in row}
    count = 0
    for (a, b), (c, d) in itertools.combinations(sorted(pairs), 2):
        count += level[a] == level[c] and (place[a] - place[c]) * (place[b] - place[d]) < 0
    return count


def middles(rows: Sequence[Sequence[str]]) -> dict[str, Point]:
    """The middle of each room and place."""
    found = {}
    for number, row in enumerate(rows):
        widths = [WIRE if ">" in name else BOX for name in row]
        spare = WIDTH - 2 * MARGIN - sum(widths)
        gap = min(spare / max(len(row) - 1, 1), 3 * GAP)
        x = (WIDTH - sum(widths) - gap * (len(row) - 1)) / 2
        for name, width in zip(row, widths, strict=True):
            found[name] = (x + width / 2, MARGIN + HEIGHT / 2 + number * FLOOR)
            x += width + gap
    return found


# how it looks ------------------------------------------------------------------------------------------


def picture() -> str:
    """The SVG."""
    floors = layers()
    level = {room: number for number, floor in enumerate(floors) for room in floor}
    edges = imports(level)
    down = {(start, end) for start, end in edges if level[start] < level[end]}
    odd = sorted(edges - down)
    rows, ways = arranged(floors, needed(down))
    at = middles(rows)
    height = 2 * MARGIN + HEIGHT + (len(rows) - 1) * FLOOR + 26
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-labelledby="house-title house-words">',
        '<title id="house-title">The house: rooms of the package symgen, and who uses whom</title>',
        f'<desc id="house-words">{escape(description(floors, edges))}</desc>',
        f"<style>{STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="head" d="M0 0L8 4L0 8z"/></marker><marker id="oddhead" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto"><path class="oddhead" d="M0 0L8 4L0 8z"/></marker></defs>',
        f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
        *(f'<path class="wire" marker-end="url(#head)" d="{curve([at[name] for name in way])}"/>' for way in ways),
        *(f'<path class="odd" marker-end="url(#oddhead)" d="{detour(at[a], at[b])}"/>' for a, b in odd),
        *(box(room, at[room], edges) for floor in floors for room in floor),
        f'<text class="words" x="{MARGIN}" y="{height - 12}">Arrows: imports, but for those that a longer way implies. '
        "Dashed: the exceptions that pyproject.toml names.</text>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def description(floors: Sequence[Sequence[str]], edges: Iterable[Edge]) -> str:
    """The picture in words."""
    told = [
        f"{room} uses {', '.join(sorted(end for start, end in edges if start == room)) or 'no other room'}"
        for floor in floors
        for room in floor
    ]
    return f"Floors from the top: {'; '.join(', '.join(floor) for floor in floors)}. {'; '.join(told)}."


def box(room: str, middle: Point, edges: Iterable[Edge]) -> str:
    """A room with its name and words; who rests the pointer on it sees all of its imports."""
    x, y = middle[0] - BOX / 2, middle[1] - HEIGHT / 2
    used = ", ".join(sorted(end for start, end in edges if start == room))
    text = wrap(words(room).rstrip(".:"), LETTERS, max_lines=LINES, placeholder=" …")
    lines = "".join(
        f'<text class="words" x="{x + 9:.1f}" y="{y + 34 + 13 * number:.1f}">{escape(line)}</text>'
        for number, line in enumerate(text)
    )
    return (
        f'<g class="room"><title>{escape(f"{room}: {words(room)}")}{escape(f" Uses {used}.") if used else ""}</title>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{BOX}" height="{HEIGHT}" rx="7"/>'
        f'<text class="name" x="{x + 9:.1f}" y="{y + 18:.1f}">{escape(room)}</text>{lines}</g>'
    )


def curve(points: Sequence[Point]) -> str:
    """From the foot of the first point's room to the head of the last one's, through places between."""
    x, y = points[0][0], points[0][1] + HEIGHT / 2
    path = f"M{x:.1f} {y:.1f}"
    for number, (right, middle) in enumerate(points[1:], 1):
        top, bend = middle - HEIGHT / 2, (FLOOR - HEIGHT) / 2
        path += f"C{x:.1f} {y + bend:.1f} {right:.1f} {top - bend:.1f} {right:.1f} {top - 1:.1f}"
        x, y = right, top
        if number < len(points) - 1:
            y = middle + HEIGHT / 2
            path += f"V{y:.1f}"
    return path


def detour(start: Point, end: Point) -> str:
    """From the head of a room up to the foot of another, or along a floor."""
    bend = (FLOOR - HEIGHT) / 2
    if start[1] == end[1]:
        near, far = start[0], end[0]
        side = BOX / 2 if far > near else -BOX / 2
        if abs(far - near) < 2 * BOX:
            return f"M{near + side:.1f} {start[1]:.1f}H{far - side:.1f}"
        foot = start[1] + HEIGHT / 2
        below = f"{near:.1f} {foot + bend:.1f} {far:.1f} {foot + bend:.1f}"
        return f"M{near:.1f} {foot:.1f}C{below} {far:.1f} {foot + 1:.1f}"
    x, top, right, foot = start[0] + BOX / 4, start[1] - HEIGHT / 2, end[0] + BOX / 4, end[1] + HEIGHT / 2
    return f"M{x:.1f} {top:.1f}C{x:.1f} {top - bend:.1f} {right:.1f} {foot + bend:.1f} {right:.1f} {foot + 1:.1f}"


if __name__ == "__main__":
    OUTPUT.write_text(picture(), encoding="utf-8")
    print(f"wrote {OUTPUT}")
