# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.canonical.canonical_accuracy; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.intervals import decide
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.laws.tradeoff import Tradeoff
from opendp_lite.measurements.canonical.canonical_noise import check_target
from opendp_lite.measurements.canonical.canonical_sampler import CanonicalRV
from opendp_lite.measurements.snapping.snapping_accuracy import alpha_argument
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_FINE = mpq(2**60)


# === canonical_accuracy with ExactNumber, ApproximateTradeoff, check_target, Any, ?,
#    opendp_lite.base.aliases.ExactNumber
def canonical_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    tradeoff = ApproximateTradeoff(*check_target(given["d_out"]))
    return tradeoff_accuracy({**given, "tradeoff": tradeoff}, alpha)


# === tradeoff_accuracy with mpq, ExactNumber, nearest_multiple, to_mpq, round_up,
#    alpha_argument, Any, ?, opendp_lite.base.aliases.ExactNumber, _ZERO
def tradeoff_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    level = alpha_argument(alpha)
    scale = to_mpq(given["d_in"])
    if scale == 0 or level == 1:
        return 0.0
    found = enclose_quantile(given["tradeoff"], scale, _ONE - level / _TWO)
    bound = mpq(found.hi)
    if given["input_domain"].T is int:
        bound = mpq(nearest_multiple(bound, 0))
    return round_up(bound)


# === enclose_quantile with mpq, Enclosure, decide, Tradeoff, CanonicalRV, _ZERO, _FINE
def enclose_quantile(tradeoff: Tradeoff, scale: mpq, u: mpq) -> Enclosure:
    noise = CanonicalRV(_ZERO, scale, tradeoff, tradeoff.fixed_point)

    def narrow(value: Enclosure) -> Enclosure | None:
        return value if mpq(value.width) * _FINE <= value.lo else None

    return decide(
        lambda precision: noise.quantile(u, precision), narrow
    )
