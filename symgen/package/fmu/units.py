"""Units as an FMU declares them: exponents of SI base units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

_SYMBOLS: Mapping[str, Mapping[str, int]] = {
    "kg": {"kg": 1},
    "m": {"m": 1},
    "s": {"s": 1},
    "rad": {"rad": 1},
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "1": {},
}

_ORDER = ("kg", "m", "s", "rad")


def base_unit(unit: str) -> tuple[tuple[str, int], ...] | None:
    """Exponents of the base units in a unit such as "kg m^2", "N m s/rad"; None if it is no single one."""
    total: Counter[str] = Counter()
    above, *below = unit.split("/")
    for sign, text in ((1, above), *((-1, part) for part in below)):
        for word in text.strip("() ").split():
            symbol, _, power = word.partition("^")
            if symbol not in _SYMBOLS or not (power or "1").isdecimal():
                return None
            for base, exponent in _SYMBOLS[symbol].items():
                total[base] += sign * exponent * int(power or "1")
    return tuple((base, total[base]) for base in _ORDER if total[base])
