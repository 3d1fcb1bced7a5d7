"""The browser that views are shown in."""

import pytest
from browsers import browser as browser
from browsers import opened


@pytest.fixture
def show(browser, tmp_path):
    """Shows a page of HTML in a tab of its own."""
    contexts = []

    def shown(text, **settings):
        file = tmp_path / f"{len(contexts)}.html"
        file.write_text(text, encoding="utf-8")
        contexts.append(browser.new_context(**{"viewport": {"width": 1000, "height": 700}, **settings}))
        return opened(contexts[-1], file)

    yield shown
    for context in contexts:
        context.close()
