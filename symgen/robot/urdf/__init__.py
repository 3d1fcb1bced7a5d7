"""Unified robot description format: a file's XML ↔ `Robot`.

xml      bytes           → elements with their lines, safely
elements XML             → links and joints with exact numbers, checked one by one
loops    elements        → loops and couplings of URDF+, and the robot with them
tree     links, joints   → the order in which parents come first, or what is wrong with the tree
snap     printed numbers → the numbers they stand for
build    all of it       → Robot
write    Robot           → text
"""
