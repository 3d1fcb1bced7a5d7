"""A small tree with all that a robot file can say of joints: offset, direction, a slide, a fixed link, a base."""

from robot_text import head

_INERTIA = "{ xx = 1, yy = 1.2, zz = 1.1, xz = 0.1 }"


def _link(name, joint, **keys):
    lines = [f"{key} = {value}" for key, value in keys.items()]
    body = [f'name = "{name}"', f'joint = "{joint}"', "mass = 1.5", "com = [0.1, 0.05, 0.3]", f"inertia = {_INERTIA}"]
    return "\n".join(["[[links]]", *body, *lines, ""])


TREE = (
    head(convention='"modified"', gravity="[0, 1, -9.81]", inertia_about='"origin"')
    + '[base]\nxyz = [0.1, 0.2, 0.3]\nrpy = [0.3, "pi/2", 0.1]\n'
    + _link("waist", "revolute", offset=0.3)
    + _link("bracket", "fixed", theta=0.4, a=0.2, alpha='"pi/3"', d=0.1)
    + _link("slide", "prismatic", offset=0.2, direction=-1, a=0.2, alpha='"pi/2"', theta=0.3)
    + _link("left", "revolute", offset=0.4, direction=-1, a=0.2, alpha=0.7)
    + _link("right", "revolute", parent='"bracket"', a=0.2, alpha='"-pi/2"', d=0.5)
)
