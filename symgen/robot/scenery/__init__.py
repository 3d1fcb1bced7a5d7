"""What a robot looks like: a scene of its bodies, joints, masses, frames and loops, made of the description alone."""

from symgen.robot.scenery.scene import scene_of
from symgen.robot.scenery.view import image_of, positions_of, view_of

__all__ = ["image_of", "positions_of", "scene_of", "view_of"]
