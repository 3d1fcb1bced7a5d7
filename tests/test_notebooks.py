"""Every notebook runs from a clean kernel without errors, and is committed without outputs."""

import warnings
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from symgen.build import compiler

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))

LIKE_OTHER_TESTS = "__import__('symgen.build.compiler').build.compiler.CODE_GENERATION = {flags}"
"""A cell that makes the kernel compile as fast as tests do. It leaves no names behind that notebooks could miss."""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path):
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), f"{path.name} is committed with outputs"
    notebook.cells.insert(0, nbformat.v4.new_code_cell(LIKE_OTHER_TESTS.format(flags=compiler.CODE_GENERATION)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the notebook machinery, not of the notebook's own kernel
        NotebookClient(notebook, timeout=120, kernel_name="python3").execute()


def test_there_are_notebooks():
    assert NOTEBOOKS
