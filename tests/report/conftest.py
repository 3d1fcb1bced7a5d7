"""A browser without a window for the tests of pages; where there is none, they are skipped and say why."""

import shutil
from dataclasses import dataclass, field

import pytest
from pages import STATES, page
from robot_text import head, link

from symgen.report.page import report

NAMES = ("chromium", "chromium-browser", "google-chrome")
"""Commands of browsers that Playwright can drive as they are."""


@dataclass
class Shown:
    """A page in the browser, what it wrote to the console and asked the network for."""

    tab: object
    said: list = field(default_factory=list)
    asked: list = field(default_factory=list)

    def run(self, script, *arguments):
        return self.tab.evaluate(script, *arguments)


@pytest.fixture(scope="session")
def browser():
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


@pytest.fixture
def show(browser, tmp_path):
    """Shows the page of a library robot, or of a text, in a tab of its own."""
    contexts = []

    def shown(name, text=None, **settings):
        file = tmp_path / f"{name}.html"
        file.write_text(page(name).html if text is None else text, encoding="utf-8")
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings}))
        result = Shown(contexts[-1].new_page())
        result.tab.on("console", lambda message: result.said.append(message.text))
        result.tab.on("pageerror", lambda error: result.said.append(str(error)))
        result.tab.on("request", lambda request: result.asked.append(request.url))
        result.tab.goto(file.as_uri())
        result.tab.wait_for_selector("html[data-state]", state="attached", timeout=60_000)
        return result

    yield shown
    for context in contexts:
        context.close()


HOSTILE = "</script><!--<script><img src=x onerror=hurt=1> --></style> ]]> '` ${hurt=1} {{7*7}} */"


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """The page of a robot whose free texts try to be anything else."""
    file = tmp_path_factory.mktemp("hostile") / "hostile.toml"
    text = f'"{HOSTILE}"'
    links = link(name='"{{7*7}}"', joint_name='"a / b"') + link(a="0.5", name='"{ + } ../x"')
    file.write_text(head(description=text, source=text) + links, encoding="utf-8")
    return report(file, states=STATES)
