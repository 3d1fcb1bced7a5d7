"""The papers' own ways to the equations of robots with loops, beside the general reduction of `loops`."""
