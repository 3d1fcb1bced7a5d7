"""The oracle of robots with loops: constraints in the base frame, all of them, and their least-squares solution."""
