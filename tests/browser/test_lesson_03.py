"""What only lesson 03 needs looked at."""

import pytest

from tests.browser.lab import open_notebook

pytestmark = pytest.mark.browser


def test_no_list_is_made_of_a_sentence_that_begins_with_a_number(page, lab):
    open_notebook(page, lab, "notebooks/03_the_descriptor.ipynb")
    assert page.locator(".jp-RenderedMarkdown ol").count() == 0
