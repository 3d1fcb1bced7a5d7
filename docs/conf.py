"""How Sphinx makes the site of documentation: `make docs`. Warnings are errors, links inside the site are checked."""

import sys
from pathlib import Path

from symgen.version import __version__

sys.path.insert(0, str(Path(__file__).parent))

project = "symgen"
release = version = __version__
copyright = "symgen's authors"

extensions = [
    "executed_notebooks",
    "mathml",
    "myst_nb",
    "robot_file_schema",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
]
suppress_warnings = ["toc.empty_glob"]  # parts that have no pages
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]
"""Links to names of Python in type hints, which lead nowhere: what is not public, and other libraries."""

# pages
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 3
html_theme = "furo"
html_math_renderer = "mathml"
html_title = f"symgen {__version__}"
html_show_copyright = html_show_sphinx = html_copy_source = False
pygments_style, pygments_dark_style = "friendly", "github-dark"
copybutton_exclude = ".linenos, .gp, .go"

# docstrings: single backquotes are code, as everywhere in the source
default_role = "literal"
smartquotes = False  # two hyphens begin an option
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 88

# notebooks come with their output
nb_execution_mode = "off"
nb_merge_streams = True
