"""The bounds of |Z| against enclosures of erfc, whatever the guess is."""

from __future__ import annotations

import gmpy2
import pytest
from gmpy2 import mpfr, mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.enclosures import Enclosure, erfc, sqrt
from opendp_lite.sampling import normal
from opendp_lite.sampling.normal import _guess, bound_normal

WORKING = 600
ROOT = sqrt(mpq(1, 2), WORKING)


def tail(z: mpq) -> Enclosure:
    """P(|Z| > z)."""
    return erfc(z * ROOT, WORKING)


def check(prefix: int, length: int, precision: int) -> mpq | None:
    """That the bounds hold at both ends of the cell; their distance."""
    lo, hi = bound_normal(prefix, length, precision)
    assert lo >= 0
    if lo > 0:
        assert tail(mpq(lo, 1 << precision)).lo >= mpq(prefix + 1, 1 << length)
    if prefix == 0:
        assert hi is None
        return None
    assert hi is not None
    assert tail(mpq(hi, 1 << precision)).hi <= mpq(prefix, 1 << length)
    return mpq(hi - lo, 1 << precision)


def test_all_cells_of_eight_bits() -> None:
    for length in range(9):
        for prefix in range(1 << length):
            width = check(prefix, length, length + 24)
            # z falls by at most sqrt(pi/2)/w over the cell.
            assert width is None or width <= mpq(4, 3) / prefix + mpq(4, 1 << length)


@given(st.integers(9, 300), st.data())
def test_the_bounds_hold(length: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, length))
    prefix = data.draw(st.integers(0, (1 << size) - 1))
    if data.draw(st.booleans()):
        prefix = (1 << length) - 1 - prefix
    width = check(prefix, length, length + 24)
    if width is not None:
        assert width <= mpq(4, 3) / prefix + mpq(4, 1 << min(length, 32 + length // 2))


GUESSES = ["0", "1e-30", "0.25", "0.47", "1", "3", "7"]


@pytest.mark.parametrize("guess", GUESSES)
@pytest.mark.parametrize("prefix", [0, 1, 1000, 2**39, 3 * 2**38, 2**40 - 1])
def test_the_bounds_hold_for_any_guess(
    guess: str, prefix: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed = mpfr(guess, 64)
    monkeypatch.setattr(normal, "_guess", lambda u, length: fixed)
    width = check(prefix, 40, 64)
    assert width is None or width <= mpq(4, 3) / prefix + mpq(4, 1 << 40)


def test_the_guess_is_good() -> None:
    """Nothing rests on it but speed: one evaluation is enough for a double."""
    context = gmpy2.context(precision=128)
    for k in range(1, 1000):
        y = _guess(context.div(k, 1000), 10)
        assert abs(float(context.erfc(y)) - k / 1000) < 1e-12
    for n in (60, 200, 1000):
        assert 0 < _guess(context.div(1, 1 << n), n) <= n
    assert _guess(context.div(1, 1), 10) == 0


def test_far_in_the_tail() -> None:
    """Near u = e^(-z^2/2) (2/pi)^(1/2)/z, so z^2 is a little below 2 n ln 2."""
    for length in (100, 600):
        width = check(1, length, length + 24)
        assert width is not None
        assert width < mpq(1, 8)
        lo, hi = bound_normal(0, length, length + 24)
        assert hi is None
        z = mpq(lo, 1 << length + 24)
        assert mpq(12, 10) * length < z * z < mpq(14, 10) * length
