"""C sources of the library's robots, written once for the session."""

import pytest
from derivations import derivation
from library_robots import ARMS

from symgen.emit.c import emit_c


@pytest.fixture(scope="session")
def sources(tmp_path_factory):
    """Directory with <robot>.c and <robot>.h of every library robot."""
    folder = tmp_path_factory.mktemp("sources")
    for name in ARMS:
        for file, text in emit_c(derivation(name).module).items():
            (folder / file).write_text(text, encoding="utf-8")
    return folder
