"""What a URDF draws of its links: boxes, cylinders and spheres with their colours; meshes, other files, are not read.

What is wrong with a drawing bears on no dynamics and refuses no file: a notice tells what is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symgen.robot.expression import ZERO, Expression
from symgen.robot.geometry import Shape
from symgen.robot.names import shortened
from symgen.robot.placement import Pose as Placing
from symgen.robot.urdf.elements import LinkElement, Reading, number_of, pose_of, triple_of
from symgen.robot.urdf.xml import Element

SOLIDS = ("box", "cylinder", "sphere")
"""Shapes that are drawn."""

Colour = tuple[float, ...]


def materials(root: Element) -> dict[str, Colour]:
    """The colours that the file names for all links."""
    named = [(each.attributes.get("name", ""), _own_colour(each)) for each in root.all("material")]
    return {name: colour for name, colour in named if name and colour}


def shapes(link: LinkElement, named: Mapping[str, Colour], reading: Reading) -> tuple[Shape, ...]:
    """What is drawn of a link."""
    return tuple(_shapes(link, named, reading))


def _shapes(link: LinkElement, named: Mapping[str, Colour], reading: Reading) -> Iterator[Shape]:
    for visual in link.visuals:
        geometry = visual.first("geometry")
        for solid in [] if geometry is None else geometry.children:
            if solid.tag not in SOLIDS:
                continue
            own = Reading()  # what is wrong here refuses no file
            place = f"line {visual.line}"
            sizes, pose = _sizes(solid, place, own), pose_of(visual, place, own)
            if own.problems:
                why = shortened(own.problems[0].message, 100)
                reading.notices.append(f"link {link.name}: the {solid.tag} of {place} is not drawn: {why}")
            else:
                placement = Placing(pose.xyz, pose.rpy).placement()
                yield Shape(solid.tag, sizes, placement, _colour(visual, named))


def _sizes(solid: Element, place: str, own: Reading) -> tuple[Expression, ...]:
    """The sizes of a solid, more than 0 all of them."""
    if solid.tag == "box":
        sizes: tuple[Expression, ...] = triple_of(solid, "size", place, own) if "size" in solid.attributes else ()
    else:
        keys = ("radius", "length") if solid.tag == "cylinder" else ("radius",)
        sizes = tuple(number_of(solid, key, place, own) or ZERO for key in keys)
    if not own.problems and not all(size.constant({}).midpoint() > 0 for size in sizes or (ZERO,)):
        own.problem(place, "expected sizes above 0")
    return sizes


def _colour(visual: Element, named: Mapping[str, Colour]) -> Colour:
    material = visual.first("material")
    if material is None:
        return ()
    return _own_colour(material) or named.get(material.attributes.get("name", ""), ())


def _own_colour(material: Element) -> Colour:
    """Red, green, blue and opacity; () for what are no four numbers from 0 to 1."""
    colour = material.first("color")
    words = "" if colour is None else colour.attributes.get("rgba", "")
    try:
        values = tuple(float(word) for word in words.split())
    except ValueError:
        return ()
    return values if len(values) == 4 and all(0 <= value <= 1 for value in values) else ()
