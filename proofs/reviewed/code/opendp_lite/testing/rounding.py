# ruff: noqa
# fmt: off
# What was read of opendp_lite.testing.rounding; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.exact.rounding import to_double
import math
import sys

_HALF = mpq(1, 2)
LARGEST = to_mpq(sys.float_info.max)


# === margins with mpq, to_mpq, to_double, math, _HALF
def margins(start: mpq) -> tuple[mpq | None, mpq | None]:
    double = to_double(start)
    ends = (math.nextafter(double, -math.inf), math.nextafter(double, math.inf))
    below, above = (
        None if math.isinf(end) else (to_mpq(double) + to_mpq(end)) * _HALF
        for end in ends
    )
    down = None if below is None else start - below
    up = None if above is None else above - start
    return down, up


# === without_rounding with mpq, to_mpq, round_up, math, sys, LARGEST
def without_rounding(start: mpq, far: mpq) -> mpq:
    if abs(start) + far > LARGEST:
        return mpq(0)
    ulp = to_mpq(math.ulp(round_up(abs(start) + far)))
    return max(far - ulp, mpq(0))
