"""What machines look like: scenes of bodies, joints and shapes; their pictures, and a viewer for browsers.

A scene knows nothing of dynamics, of robot files or of code; `robot.scenery` makes one of a robot.
"""
