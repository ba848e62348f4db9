# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/bound_exponential; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.exponential:bound_exponential ===

from opendp_lite.exact.directed import context
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')

def bound_exponential(
    prefix: int, length: int, precision: int
) -> tuple[int, int | None]:
    up = context(precision + length.bit_length(), gmpy2.RoundUp)
    logarithm = up.log(up.div(prefix + 1, 1 << length))
    mantissa, exponent = logarithm.as_mantissa_exp()
    shift = exponent + precision
    lo = int(-mantissa << shift if shift >= 0 else -mantissa >> -shift)
    if prefix == 0:
        return lo, None
    return lo, lo + (1 << precision) // prefix + 3


# === opendp_lite.exact.directed:context ===

from functools import lru_cache
from typing import cast
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError(
        "opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round "
        "as its context says. Run pip install -U gmpy2."
    )

@lru_cache(maxsize=256)
def context(precision: int, direction: int) -> Context:
    made = gmpy2.context(
        precision=precision,
        round=direction,
        emin=gmpy2.get_emin_min(),
        emax=gmpy2.get_emax_max(),
    )
    return cast(Context, made)
