"""The doubles in their order."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.doubles import double_at, double_index
from tests.rows import for_each

INF = math.inf
LARGEST = 1.7976931348623157e308


@given(st.floats(allow_nan=False))
def test_the_order_of_the_doubles(x: float) -> None:
    assert double_at(double_index(x)) == x
    assert double_index(-x) == -double_index(x)
    if x < INF:
        assert double_index(math.nextafter(x, INF)) == double_index(x) + 1


@for_each(
    ("x", "index"),
    [(0.0, 0), (-0.0, 0), (5e-324, 1), (-5e-324, -1), (1.0, 1023 << 52)],
)
def test_known_places(x: float, index: int) -> None:
    assert double_index(x) == index
    assert double_at(index) == x
    assert math.copysign(1, double_at(0)) == 1


def test_the_ends() -> None:
    assert double_at(double_index(LARGEST) + 1) == INF
    assert double_at(-double_index(LARGEST) - 1) == -INF
