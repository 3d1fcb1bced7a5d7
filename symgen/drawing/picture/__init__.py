"""Pictures of scenes: SVG, drawn as the viewer draws, the same text every time."""

from symgen.drawing.picture.svg import DARK, LIGHT, THEMES, picture

__all__ = ["DARK", "LIGHT", "THEMES", "picture"]
