"""How Sphinx makes the site of documentation: `make docs`. Warnings are errors, links inside the site are checked."""

import shutil
import sys
from pathlib import Path

from sphinx.application import Sphinx

from symgen.version import __version__

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

project = "symgen"
release = version = __version__
copyright = "symgen's authors"

extensions = [
    "myst_nb",
    "robot_file_schema",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
]
exclude_patterns = ["_build", "**/.ipynb_checkpoints"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!symgen\.(api|generate|load)\b).*")]
"""Links to names of Python in type hints, which lead nowhere: what is not public, and other libraries."""

# pages
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = f"symgen {__version__}"
html_show_copyright = html_show_sphinx = html_copy_source = False
pygments_style, pygments_dark_style = "friendly", "github-dark"
copybutton_exclude = ".linenos, .gp, .go"

# docstrings: single backquotes are code, as everywhere in the source
default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 88
napoleon_use_ivar = True

# notebooks are those of the repository, executed
nb_execution_mode = "cache"
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True


def copy_notebooks(app: Sphinx) -> None:
    """Notebooks and what they read lie beside the site's pages while it is made."""
    shutil.copytree(
        HERE.parent / "notebooks", HERE / "notebooks", dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*")
    )


def setup(app: Sphinx) -> None:
    """Sphinx's hook."""
    app.connect("builder-inited", copy_notebooks)
