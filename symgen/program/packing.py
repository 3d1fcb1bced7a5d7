"""Module ↔ bytes for another process: programs, names and numbers, from which code is made anew there."""

from __future__ import annotations

import hashlib
import pickle
import zlib
from dataclasses import dataclass, field

from symgen.errors import EnvironmentFault
from symgen.program.module import Module
from symgen.version import __version__


@dataclass(frozen=True)
class PackedModule:
    """A module that was packed by symgen `version`.

    Equal modules have equal `digest`s, in all processes; the bytes of `data` may differ.
    """

    version: str
    digest: str
    data: bytes = field(compare=False, repr=False)

    def unpack(self) -> Module:
        """The module; `EnvironmentFault` if another version of symgen packed it."""
        if self.version != __version__:
            raise EnvironmentFault(
                f"a module was sent by symgen {self.version} and received by symgen {__version__}; "
                "install the same version on all machines"
            )
        module: Module = pickle.loads(zlib.decompress(self.data))
        return module


def pack(module: Module) -> PackedModule:
    """`module` as bytes."""
    # What pickle writes depends on which equal objects are one; what they say of themselves does not.
    digest = hashlib.sha256(repr(module).encode()).hexdigest()
    return PackedModule(__version__, digest, zlib.compress(pickle.dumps(module, protocol=5)))
