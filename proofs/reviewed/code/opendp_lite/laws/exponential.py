# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.exponential; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.exact.directed import context
import gmpy2

if not context(64, gmpy2.RoundDown).div(1, 3) < context(64, gmpy2.RoundUp).div(1, 3):
    raise ImportError('opendp_lite needs gmpy2 2.3 or later: before that, context.div does not round as its context says. Run pip install -U gmpy2.')


# === bound_exponential with context, gmpy2, ?
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
