"""The papers' formulations of dynamics for robots with loops: one module each, over mechanisms of any domain."""
