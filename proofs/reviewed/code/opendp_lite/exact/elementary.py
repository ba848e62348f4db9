# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.elementary; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpfr
from gmpy2 import mpq
from opendp_lite.exact.directed import Rounding
from opendp_lite.exact.directed import image
from opendp_lite.exact.directed import image_of_point
from opendp_lite.exact.intervals import Argument
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import End

_ZERO_POINT, _ONE_POINT = Enclosure(0, 0), Enclosure(1, 1)
opendp_lite.exact.intervals.Argument: typing.TypeAlias = int | gmpy2.mpq | opendp_lite.exact.intervals.Enclosure
_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
opendp_lite.exact.intervals.End: typing.TypeAlias = gmpy2.mpq | float


# === ln with image, image_of_point, Argument, Enclosure, _ZERO_POINT,
#    opendp_lite.exact.intervals.Argument
def ln(x: Argument, precision: int) -> Enclosure:
    if isinstance(x, Enclosure):
        if x.hi <= 0:
            raise ValueError("ln needs a positive argument")
        return image(_ln, max(x.lo, 0), x.hi, precision)
    if x <= 0:
        raise ValueError("ln needs a positive argument")
    return image_of_point(_ln, x, precision) if x != 1 else _ZERO_POINT


# === _ln with mpfr, mpq, Rounding, End, _HALF, opendp_lite.exact.intervals.End
def _ln(rounding: Rounding, x: int | End) -> mpfr:
    if _HALF < x < _TWO:
        return rounding.result.log1p(rounding.argument(mpq(x) - _ONE))
    return rounding.result.log(rounding.argument(x))
