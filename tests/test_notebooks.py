"""Every notebook runs from a clean kernel without errors, and is committed without outputs."""

import warnings
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path):
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), f"{path.name} is committed with outputs"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the notebook machinery, not of the notebook's own kernel
        NotebookClient(notebook, timeout=120, kernel_name="python3").execute()


def test_there_are_notebooks():
    assert NOTEBOOKS
