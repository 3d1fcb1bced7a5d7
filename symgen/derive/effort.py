"""How far the search for fewer operations goes: bounds in programs, never in seconds, so that results are the same."""

LOW, NORMAL, HIGH = "low", "normal", "high"

TRIALS = {LOW: 0, NORMAL: 12, HIGH: 600}
"""Effort → programs of an arm of `USUAL_BODIES` that may be derived for a function, beyond the starting ones."""

BRIEF = 3
"""Framings in which a large program is derived, unless effort is high."""

FINALISTS = {LOW: 1, NORMAL: 2, HIGH: 6}
"""Effort → programs of a function that go through the passes."""

USUAL_BODIES = 6
"""Longer chains get fewer trials, since each of them takes longer."""

MAX_SEARCHED_BODIES = {LOW: 0, NORMAL: 16, HIGH: 64}
"""Effort → bodies of the largest robots whose frames are searched; larger ones keep the frames of the table."""
