"""A browser without a window, and what pages in it said and asked for; where there is none, tests skip and say why."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
"""Commands of browsers that Playwright can drive as they are."""


@pytest.fixture(scope="module")
def browser():
    """A browser for a module's tests: Playwright keeps an event loop running, which other tests cannot have."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install '.[browser]'"
    )
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@dataclass
class Shown:
    """A page in the browser, what it wrote to the console and asked the network for."""

    tab: object
    said: list = field(default_factory=list)
    asked: list = field(default_factory=list)

    def run(self, script, *arguments):
        return self.tab.evaluate(script, *arguments)


def opened(context, file):
    """A page of a context that shows a file."""
    result = Shown(context.new_page())
    result.tab.on("console", lambda message: result.said.append(message.text))
    result.tab.on("pageerror", lambda error: result.said.append(str(error)))
    result.tab.on("request", lambda request: result.asked.append(request.url))
    result.tab.goto(file.as_uri())
    return result


def faults(shown):
    """What axe finds serious or critical in a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    script = Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    shown.run(script)
    found = shown.run("() => axe.run()")
    return [
        (each["id"], each["nodes"][0]["html"][:200], each["nodes"][0]["failureSummary"])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]
