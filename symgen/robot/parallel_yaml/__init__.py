"""The `robot.yaml` of example-parallel-robots: what closes the loops of the URDF beside it.

read    text          → names and their places, checked one by one
retyped robot         → the robot with other kinds of joints
rods    robot         → the robot with the halves of its rods joined
build   robot, names  → the robot with cut joints and independent coordinates
"""
