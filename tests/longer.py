"""Parametrisations of which `make test` runs some rows, and `make audit` all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["shortened"]


def shortened(rows: Iterable[Any], *left_out: Any, parts: int = 1) -> list[Any]:
    """Return the rows, of which those that are named last are for the audit.

    Each that is left out must be a row, so that none is by mistake.

    :param parts: how many arguments a row has, if it has several
    """
    rows = list(rows)
    assert all(each in rows for each in left_out)
    assert len(left_out) < len(rows)
    return [
        pytest.param(
            *(row if parts > 1 else [row]),
            marks=[pytest.mark.audit] if row in left_out else [],
        )
        for row in rows
    ]
