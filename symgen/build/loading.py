"""Loading a compiled extension under a name of its own."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
from pathlib import Path
from types import ModuleType

from symgen.errors import EnvironmentFault


def load_extension(path: Path) -> ModuleType:
    """The extension module in `path` (`_puma.<tag>.so`).

    It is not entered in `sys.modules`, and its full name holds a hash of its path, so that two robots, or
    two versions of one robot, live side by side.

    Raises:
        EnvironmentFault: Python cannot load the file.
    """
    short_name = path.name.partition(".")[0]
    digest = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    # Python looks for PyInit_ and the last part of the name.
    full_name = f"symgen.compiled.h{digest}.{short_name}"
    loader = importlib.machinery.ExtensionFileLoader(full_name, str(path))
    spec = importlib.util.spec_from_loader(full_name, loader)
    assert spec is not None  # a given loader always gets its spec
    try:
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    except ImportError as error:
        raise EnvironmentFault(
            f"{path} was compiled, but Python cannot load it: {error}. If the file is damaged, delete it; "
            "if its file system does not allow programs, set SYMGEN_CACHE to a directory that does."
        ) from error
    return module
