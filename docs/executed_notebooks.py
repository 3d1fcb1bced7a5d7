"""The notebooks of the repository, executed into docs/notebooks, several at a time, for Sphinx to read.

They are executed anew when they, or what they run, has changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from sphinx.application import Sphinx
from sphinx.util import logging

ROOT = Path(__file__).parents[1]
SOURCE, TARGET = ROOT / "notebooks", ROOT / "docs" / "notebooks"

QUICKLY = "import symgen.build.compiler as c; c.CODE_GENERATION = ('-O0', *c.CODE_GENERATION[1:]); del c"
"""What kernels begin with: code is shown, and what it computes, but not how fast it is."""


def _read() -> Iterator[Path]:
    for folder in ("notebooks", "symgen", "templates"):
        yield from sorted(path for path in (ROOT / folder).rglob("*") if path.suffix not in ("", ".pyc"))


def _execute(path: Path) -> str:
    """Execute a notebook and write it with its output; a cell that fails ends the build."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        extra_arguments=[f'--IPKernelApp.exec_lines=["{QUICKLY}"]', "--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(SOURCE)}},
    )
    client.execute()
    nbformat.write(notebook, TARGET / path.name)
    return path.name


def execute(app: Sphinx) -> None:
    """Execute all, unless they are there as they should be."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in _read())).hexdigest()
    done = TARGET / "digest.txt"
    if done.exists() and done.read_text(encoding="utf-8") == digest:
        return
    shutil.rmtree(TARGET, ignore_errors=True)
    TARGET.mkdir()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for name in threads.map(_execute, sorted(SOURCE.glob("*.ipynb"))):
            logging.getLogger(__name__).info("executed %s", name)
    done.write_text(digest, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx's hook."""
    app.connect("builder-inited", execute)
    return {"parallel_read_safe": True}
