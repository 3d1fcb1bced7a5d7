"""Makes the picture of a report that README shows.

    python docs/pictures/report.py

writes `report.png` beside itself: the first screen of the PUMA's page, in Chromium, at a posture that shows it all.
It needs what `pip install '.[test,browser]'` installs. Fonts are the machine's, so bytes differ between machines.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

OUTPUT = Path(__file__).with_name("report.png")
WIDTH, HEIGHT = 1280, 870  # pixels
POSTURE = (0.4, -0.6, 0.9, 0.3, 0.5, 0.0)  # rad

SET = """([number, value]) => {
  const slider = document.getElementById(`coordinate${number}`);
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
}"""


def posed(page: Page, file: Path) -> None:
    """Open the page, its arm at the posture."""
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-state]", state="attached")
    for number, value in enumerate(POSTURE):
        page.evaluate(SET, [number, value])
    page.get_by_label("manipulability ellipsoid").check()


def main() -> None:
    """Make the page, and take its picture."""
    command = shutil.which("chromium")
    if command is None:
        sys.exit("no browser: install chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "puma.html"
        subprocess.run([sys.executable, "-m", "symgen", "report", "puma", "--output", str(file)], check=True)
        browser = driver.chromium.launch(executable_path=command, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        posed(page, file)
        page.wait_for_timeout(500)  # a frame that shows it all
        taken = page.screenshot()
        browser.close()
    picture = Image.open(BytesIO(taken)).convert("RGB")
    picture.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(OUTPUT, optimize=True)


if __name__ == "__main__":
    main()
