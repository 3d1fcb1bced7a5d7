"""Mathematics as MathML, which browsers show themselves: the site needs no script for it, and no network."""

from __future__ import annotations

import re
import unicodedata
from html import unescape

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

_VARIANT = re.compile(r'<(m[in]) mathvariant="([a-z-]+)">([^<]+)</')


def mathml(latex: str, display: str) -> str:
    """LaTeX as MathML; `ValueError` where the converter leaves a command as it is."""
    text = _VARIANT.sub(_letters, convert(latex, display=display))
    if ">\\" in text:
        raise ValueError(latex)
    return text


def _letters(found: re.Match[str]) -> str:
    """Letters of a style as those that Unicode has: MathML Core knows no styles."""
    tag, style, letters = found.groups()
    return f"<{tag}>{''.join(_letter(style, letter) for letter in unescape(letters))}</"


def _letter(style: str, letter: str) -> str:
    name = re.sub("^(LATIN|GREEK) ", "", unicodedata.name(letter)).replace(" LETTER", "")
    return unicodedata.lookup(f"MATHEMATICAL {style.replace('bold-', 'bold ').upper()} {name}")


def _written(node: nodes.Element, display: str) -> str:
    try:
        return mathml(node.astext(), display)
    except (ValueError, LookupError) as error:
        logging.getLogger(__name__).warning("no MathML is known for %s", error, location=node)
        return ""


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(_written(node, "inline"))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="math-wrapper">{_written(node, "block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx write mathematics so."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
