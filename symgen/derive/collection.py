"""No search for cyclic garbage while a robot is derived.

Programs are millions of small tuples that refer to nothing but earlier ones. Python looks through all of them for
cycles time and again, for a quarter of the time, and finds none: what is no longer needed goes by its reference count.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_cycles() -> Iterator[None]:
    """The collector of cyclic garbage is off inside, if it was on, and on again afterwards, whatever happens."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
