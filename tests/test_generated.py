"""The committed modules are what the generator writes today, byte for byte."""

from pathlib import Path

import pytest

from symgen import api
from symgen.derive.derivation import derive

GENERATED = Path(__file__).parents[1] / "generated"
ROBOTS = ("panda", "planar3r", "puma", "stanford")


@pytest.mark.parametrize("name", ROBOTS)
def test_committed_module_is_current(name, update_generated):
    module = api.emit(derive(api.load(name)).module)
    files = api.chosen_files(module, api.USUAL)
    folder = GENERATED / name
    if update_generated:
        api.write_files(folder, files)
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == sorted(files)
    for file, text in files.items():
        assert (folder / file).read_text(encoding="utf-8") == text, (
            f"generated/{name}/{file} is not what symgen writes now; look at the difference, then run make generated"
        )
