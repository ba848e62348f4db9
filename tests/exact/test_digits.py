"""A shown bound is a bound."""

from __future__ import annotations

import math
from fractions import Fraction

from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.rounding import shown_above, shown_below


@given(st.fractions() | st.integers(-9, 9).map(lambda n: Fraction(10) ** (30 * n)))
def test_bounds_are_shown_on_their_side_and_close(number: Fraction) -> None:
    exact = mpq(number)
    above, below = Fraction(shown_above(exact)), Fraction(shown_below(exact))
    assert below <= number <= above
    assert above - below <= abs(number) * Fraction(1, 10**5)


def test_infinity_is_shown() -> None:
    assert (shown_above(math.inf), shown_below(math.inf)) == ("inf", "inf")
