"""Pages of robots in a browser."""

import pytest
from browsers import browser as browser
from browsers import opened
from pages import STATES, page
from robot_text import head, link

from symgen.report.page import report


@pytest.fixture
def show(browser, tmp_path):
    """Shows the page of a library robot, or of a text, in a tab of its own."""
    contexts = []

    def shown(name, text=None, **settings):
        file = tmp_path / f"{name}.html"
        file.write_text(page(name).html if text is None else text, encoding="utf-8")
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings}))
        result = opened(contexts[-1], file)
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
    links = link(name='"a{b}/c"', joint_name='"x / y"') + link(a="0.5", name='"c{{seven}}"')
    file.write_text(head(description=text, source=text) + links, encoding="utf-8")
    return report(file, states=STATES)
