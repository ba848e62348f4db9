"""How much of real noise is hidden when the release is rounded to a double."""

from __future__ import annotations

import math
import sys

from gmpy2 import mpq

from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up, to_double

LARGEST = to_mpq(sys.float_info.max)
_HALF = mpq(1, 2)


def margins(start: mpq) -> tuple[mpq | None, mpq | None]:
    """Return how far down and up noise may go and leave the release that is without it.

    None stands for any distance: sums beyond the doubles are released as the last one.
    """
    double = to_double(start)
    ends = (math.nextafter(double, -math.inf), math.nextafter(double, math.inf))
    below, above = (
        None if math.isinf(end) else (to_mpq(double) + to_mpq(end)) * _HALF
        for end in ends
    )  # proof: middles
    down = None if below is None else start - below  # proof: down
    up = None if above is None else above - start  # proof: up
    return down, up


def without_rounding(start: mpq, far: mpq) -> mpq:
    """Return a t such that noise beyond `far` takes the release further than t.

    It is 0, which stands for the double nearest to the start, where t is not positive.
    """
    if abs(start) + far > LARGEST:
        return mpq(0)  # proof: zero
    # Where the noise exceeds `far` the release is at least far - ulp/2 away.
    ulp = to_mpq(math.ulp(round_up(abs(start) + far)))
    return max(far - ulp, mpq(0))  # proof: ulp
