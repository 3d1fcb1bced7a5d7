"""Operation counts of today, exact: robot → function → (multiplications, additions, divisions, sines and cosines).

A change of any number shows here. Numbers may only go down; `LIMITS` are what must hold whatever happens.
"""

COUNTS = {
    "panda": {
        "inverse_dynamics": (360, 335, 0, 12),
        "inertia_matrix": (183, 195, 0, 12),
        "coriolis_torque": (344, 311, 0, 12),
        "gravity_torque": (110, 75, 0, 12),
        "bias_torque": (350, 317, 0, 12),
        "forward_dynamics": (659, 610, 6, 12),
    },
    "planar2r": {
        "inverse_dynamics": (21, 13, 0, 4),
        "inertia_matrix": (3, 5, 0, 1),
        "coriolis_torque": (12, 4, 0, 2),
        "gravity_torque": (13, 5, 0, 4),
        "bias_torque": (17, 8, 0, 4),
        "forward_dynamics": (26, 18, 1, 4),
    },
    "planar3r": {
        "inverse_dynamics": (29, 28, 0, 6),
        "inertia_matrix": (5, 14, 0, 4),
        "coriolis_torque": (19, 15, 0, 4),
        "gravity_torque": (15, 8, 0, 6),
        "bias_torque": (24, 19, 0, 6),
        "forward_dynamics": (45, 46, 2, 6),
    },
    "puma": {
        "inverse_dynamics": (203, 156, 0, 10),
        "inertia_matrix": (87, 84, 0, 8),
        "coriolis_torque": (183, 128, 0, 10),
        "gravity_torque": (57, 33, 0, 10),
        "bias_torque": (188, 133, 0, 10),
        "forward_dynamics": (339, 272, 4, 10),
    },
    "rx90": {
        "inverse_dynamics": (286, 266, 0, 10),
        "inertia_matrix": (112, 124, 0, 10),
        "coriolis_torque": (261, 229, 0, 10),
        "gravity_torque": (72, 45, 0, 10),
        "bias_torque": (267, 237, 0, 10),
        "forward_dynamics": (465, 425, 5, 10),
    },
    "scara": {
        "inverse_dynamics": (40, 29, 0, 4),
        "inertia_matrix": (10, 16, 0, 4),
        "coriolis_torque": (29, 17, 0, 4),
        "gravity_torque": (0, 0, 0, 0),
        "bias_torque": (29, 17, 0, 4),
        "forward_dynamics": (56, 45, 2, 4),
    },
    "stanford": {
        "inverse_dynamics": (163, 125, 0, 8),
        "inertia_matrix": (57, 63, 0, 8),
        "coriolis_torque": (148, 104, 0, 8),
        "gravity_torque": (46, 26, 0, 8),
        "bias_torque": (152, 108, 0, 8),
        "forward_dynamics": (279, 224, 5, 8),
    },
    "stanford_1999": {
        "inverse_dynamics": (150, 109, 0, 8),
        "inertia_matrix": (38, 49, 0, 8),
        "coriolis_torque": (135, 88, 0, 8),
        "gravity_torque": (36, 20, 0, 8),
        "bias_torque": (139, 93, 0, 8),
        "forward_dynamics": (200, 152, 4, 8),
    },
    "ur5": {
        "inverse_dynamics": (232, 188, 0, 10),
        "inertia_matrix": (81, 85, 0, 8),
        "coriolis_torque": (199, 147, 0, 10),
        "gravity_torque": (55, 31, 0, 10),
        "bias_torque": (204, 152, 0, 10),
        "forward_dynamics": (351, 298, 4, 10),
    },
}

LIMITS = {
    ("puma", "inverse_dynamics"): 426,
    ("stanford", "inverse_dynamics"): 343,
    ("puma", "forward_dynamics"): 831,
    ("stanford", "forward_dynamics"): 664,
    ("stanford_1999", "inverse_dynamics"): 343,
    ("stanford_1999", "forward_dynamics"): 664,
}
"""(robot, function) → multiplications and additions that must not be exceeded; divisions apart."""

GENERAL_6R_INVERSE_DYNAMICS = 801
"""Multiplications and additions of a 6R arm of general geometry with every parameter symbolic, at most."""
