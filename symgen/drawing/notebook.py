"""A scene in notebooks: a view with sliders in a frame of its own, and where scripts are off its picture."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from dataclasses import dataclass

from symgen.drawing.picture import picture
from symgen.drawing.scene import Scene
from symgen.drawing.viewer import script

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
"""What a page may load: nothing but what stands in it."""

_STYLE = """\
html, body { margin: 0; height: 100%; }
main { display: grid; grid-template-columns: 1fr minmax(180px, 30%); height: 100%; }
#view { min-width: 0; height: 100%; }
#controls { overflow: auto; max-height: 100vh; }
@media (max-width: 520px) { main { grid-template-columns: 1fr; grid-template-rows: 65vh auto; height: auto; } }
"""

_START = """\
const given = JSON.parse(document.getElementById("given").textContent);
const view = symgenViewer(document.getElementById("view"), given.scene, given);
symgenViewer.controls(document.getElementById("controls"), view);
const colour = () => {
  const ink = view.isDark ? "#e8edf4" : "#1c2430", paper = view.isDark ? "#12161c" : "#ffffff";
  document.documentElement.style.colorScheme = view.isDark ? "dark" : "light";
  document.body.style.cssText = `--ink: ${ink}; --paper: ${paper}; background: ${paper}`;
};
view.scheme.addEventListener("change", colour);
colour();
"""


@dataclass(frozen=True, repr=False)
class View:
    """A scene at q, which notebooks show: `svg` is its picture, `page` a page of HTML with a view and sliders."""

    scene: Scene
    q: tuple[float, ...]
    theme: str = "auto"
    height: int = 440

    def __repr__(self) -> str:
        return f"<View of {self.scene.name}; its .svg is a picture, its .page a page of HTML>"

    @property
    def svg(self) -> str:
        """The picture."""
        return picture(self.scene, self.q, theme=self.theme)

    @property
    def page(self) -> str:
        """A page that stands alone: the view with sliders for the coordinates."""
        given = f'{{"scene":{self.scene.json()},"q":{list(self.q)},"theme":"{self.theme}"}}'
        return "\n".join(
            [
                '<!doctype html><html lang="en"><head><meta charset="utf-8">',
                f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
                '<meta name="viewport" content="width=device-width, initial-scale=1">',
                f"<title>{html.escape(self.scene.name)}</title><style>{_STYLE}</style></head>",
                '<body><main><div id="view"></div><div id="controls"></div></main>',
                f'<script type="application/json" id="given">{given}</script>',
                f"<script>\n{script()}{_START}</script></body></html>",
                "",
            ]
        )

    def _repr_html_(self) -> str:
        place = "position:absolute;inset:0;width:100%;height:100%;border:0"
        frame = f'<iframe sandbox="allow-scripts" title="{html.escape(self.scene.name)}, a view that turns"'
        return (
            f'<div style="position:relative;height:{self.height}px">{image(self.svg, self.scene.name, place)}'
            f'{frame} style="{place}" srcdoc="{html.escape(self.page)}"></iframe></div>'
        )


def view(scene: Scene, q: Sequence[float] | None = None, *, theme: str = "auto", height: int = 440) -> View:
    """The view of a scene at q, by default its start."""
    return View(scene, scene.start if q is None else tuple(float(entry) for entry in q), theme, height)


def image(svg: str, name: str, style: str) -> str:
    """A picture as an image of a page, which holds it."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{html.escape(name)}" style="{style};object-fit:contain" src="data:image/svg+xml;base64,{data}"/>'
