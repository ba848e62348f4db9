"""What the tests of assertions share."""

import pytest

from opendp_lite.testing.ledger import LEDGER


@pytest.fixture
def uncharged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The releases of this test are chosen, not drawn, so it never fails by chance."""
    monkeypatch.setattr(LEDGER, "charge", lambda flakiness: None)
