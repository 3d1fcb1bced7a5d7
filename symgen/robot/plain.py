"""Robots ↔ plain data: what tells one robot from another, exactly, and from which it is made again."""

from __future__ import annotations

from symgen.algebra.plain import forms_in
from symgen.robot import expression, geometry, joint_model, joints, loops, model

FORMS = tuple(forms_in(model, geometry, joint_model, joints, loops, expression))
"""The forms of robots, with all that they hold."""
