"""The names of the functions that there are; they are kept, so that who asks for names does not wait for formulas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from symgen.algebra.plain import Codec, form_of
from symgen.build import kept

KIND = "names"
"""The kind of entries of the cache that hold names."""


@dataclass(frozen=True)
class Names:
    """Names of functions, in the order in which they are generated.

    `every`: all that need no option. `optional`: those that are generated with an option, and not without → the option.
    `of_contacts`: those that there is one of for every contact set. `usual`: those that are generated where none are
    named. `on_request`: those that are generated where they are named alone, and not among all.
    """

    every: tuple[str, ...]
    optional: dict[str, str]
    of_contacts: tuple[str, ...]
    usual: tuple[str, ...]
    on_request: tuple[str, ...]


_NAMES = Codec([form_of(Names)])


@cache
def function_names() -> Names:
    """The names in the registry."""
    key = kept.key_of()
    found = kept.recalled(KIND, key, _NAMES, Names)
    if found is not None:
        return found
    names = _registered()
    kept.keep(KIND, key, _NAMES.text(names))
    return names


def _registered() -> Names:
    from symgen.mechanics.functions.registry import FUNCTIONS, of_each_contact, on_request, optional

    options, requested = optional(), on_request()
    return Names(
        tuple(item.name for item in FUNCTIONS if item.name not in options),
        options,
        of_each_contact(),
        tuple(item.name for item in FUNCTIONS if item.usual),
        tuple(item.name for item in FUNCTIONS if item.name in requested),
    )
