"""What a function makes of numbers that err: its own numbers at these, stirred."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from symgen.verify.balls import EPSILON, Ball

STIR = 2.0**20
"""How many times their errors rates are enlarged by, to see what sizes grow by."""


def stirred(of: Callable[..., Ball], *given: Ball) -> Ball:
    """What a function makes of numbers that err, from how the sizes of its terms grow with them."""
    value = of(*(ball.value for ball in given))
    signs = [np.where(ball.value < 0, -1.0, 1.0) for ball in given]
    more = of(*(ball.value + sign * STIR * ball.radius for ball, sign in zip(given, signs, strict=True)))
    return value.wider(np.abs(more.radius - value.radius) / (STIR * EPSILON))
