"""What falling costs on a robot's page: the dynamics of a frame, and frames a second.

    python tests/benchmarks/page.py puma [ROBOT...]

Needs Playwright and Chromium. The dynamics are timed apart from drawing: ten seconds of falling, as fast as they go.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from symgen import api

FRAME = 1000 / 60
"""Milliseconds of a frame."""

SECONDS, ROUNDS = 10, 5

FALL = "(seconds) => { const r = symgenReport; r.rest(r.scene.start); return r.fall(r.q, seconds); }"


def dynamics(tab: Page, name: str) -> None:
    """Print what the dynamics of a frame cost, and by how much the energy is off."""
    found = [tab.evaluate(FALL, SECONDS) for _ in range(ROUNDS)]
    best = min(found, key=lambda each: each["ms"])
    if not best["t"]:
        print(f"{name}: {best['stopped']}")
        return
    cost = best["ms"] / (60 * best["t"])
    print(
        f"{name}: dynamics of a frame {cost:.4f} ms, {100 * cost / FRAME:.2f} % of {FRAME:.1f} ms; "
        f"{best['calls']} calls in {best['t']:.3g} s; energy off by {best['drift']:.1e} of the most exchanged"
        + (f"; {best['stopped']}" if best["stopped"] else "")
    )


def frames(tab: Page, name: str) -> None:
    """Print how many frames a second a fall is drawn with."""
    tab.click("#home")
    tab.fill("#fall-time", "3")
    tab.click("#fall")
    tab.wait_for_selector("#stop[disabled]", timeout=120_000)
    print(f"{name}: {tab.inner_text('#frame-time')}")


def main(names: list[str]) -> None:
    """Time the pages of library robots or robot files."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        sys.exit("no browser is installed: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name in names:
            page = api.report(name).write(Path(folder) / "page.html")
            tab = browser.new_page(viewport={"width": 1280, "height": 900})
            tab.goto(page.as_uri())
            dynamics(tab, name)
            frames(tab, name)
            tab.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or ["puma"])
