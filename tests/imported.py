"""A pytest plugin that loads the files of tests, and looks for no tests in them.

So `make test` has the bytecode of all that tests import made once, in place of by each
of its processes; and what hypothesis keeps of Unicode, too.
"""

from __future__ import annotations

import pytest
from hypothesis import strategies

__all__ = ["pytest_collection_finish", "pytest_pycollect_makeitem"]


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem() -> list[pytest.Item]:
    """Return no tests, whatever it is that a file defines."""
    return []


def pytest_collection_finish() -> None:
    """Ask for the characters that a text may have."""
    strategies.text().validate()
