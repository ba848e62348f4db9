"""Before it measures, the harness looks for garbage; not here among all the tests.

A process holds twenty thousand of them, and to go through them takes half a second.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _tests_are_no_garbage() -> Iterator[None]:
    gc.freeze()
    yield
    gc.unfreeze()
