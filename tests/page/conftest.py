"""One Chromium for all tests of the page that a process runs: to start it takes seconds."""

import pytest
from page_samples import open_browser


@pytest.fixture(scope="session")
def chromium():
    found = open_browser()
    yield found
    found.quit()
