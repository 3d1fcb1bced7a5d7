"""The viewer's functions that need no browser, run in Node."""

import json
import shutil
import subprocess

import pytest

from symgen.drawing.viewer import script

node = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")

_MAIN = """
const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(run(given)));
"""


def run(body: str, **given):
    """What a function body makes of the values `given`, in which `symgenViewer` is known."""
    code = f"{script()}\nconst run = (given) => {{ {body} }};\n{_MAIN}"
    done = subprocess.run(["node", "-e", code], input=json.dumps(given), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
