"""Cases that `make thorough` runs beside those of `make test`."""

import pytest

THOROUGH = pytest.mark.thorough


def usual(count, cases):
    """The first `count` cases as they are, each a value or a tuple of values; the others for the thorough."""
    return [*cases[:count], *(long(case) for case in cases[count:])]


def long(case):
    """A case that takes long."""
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=THOROUGH)
