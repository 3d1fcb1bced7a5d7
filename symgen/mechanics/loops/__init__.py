"""Robots with loops: closure, and how all rates, accelerations and forces follow from the independent ones."""
