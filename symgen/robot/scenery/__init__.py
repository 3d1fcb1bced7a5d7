"""What a robot looks like: a scene of its bodies, joints, masses, frames and loops, made of the description alone."""

from symgen.robot.scenery.scene import scene_of

__all__ = ["scene_of"]
