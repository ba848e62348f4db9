"""How near a release with canonical noise is, by the arguments of its constructor.

The functions are as those of `opendp_lite.measurements.noise.release_accuracy`.
"""

from __future__ import annotations

from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.intervals import Enclosure, decide
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import round_up
from opendp_lite.laws.tradeoff import ApproximateTradeoff, Tradeoff
from opendp_lite.measurements.canonical.canonical_noise import check_target
from opendp_lite.measurements.canonical.canonical_sampler import CanonicalRV
from opendp_lite.measurements.snapping.snapping_accuracy import alpha_argument

_ZERO, _ONE, _TWO = mpq(0), mpq(1), mpq(2)
_FINE = mpq(2**60)


def canonical_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    """Return that of `make_canonical_noise`.

    Proof: proofs/measurements/tradeoff_accuracy.tex
    """
    tradeoff = ApproximateTradeoff(*check_target(given["d_out"]))  # proof: target
    return tradeoff_accuracy({**given, "tradeoff": tradeoff}, alpha)


def tradeoff_accuracy(given: dict[str, Any], alpha: ExactNumber) -> float:
    """Return that of `make_tradeoff_noise` and `make_user_tradeoff_noise`.

    It is the quantile of the noise at 1 - alpha/2, rounded up to a double. Where
    integers are released it is the integer nearest to the quantile, ties upward.

    Proof: proofs/measurements/tradeoff_accuracy.tex
    """
    level = alpha_argument(alpha)  # proof: level
    scale = to_mpq(given["d_in"])  # proof: scale
    if scale == 0 or level == 1:
        return 0.0  # proof: none
    found = enclose_quantile(given["tradeoff"], scale, _ONE - level / _TWO)
    bound = mpq(found.hi)  # proof: bound
    if given["input_domain"].T is int:
        bound = mpq(nearest_multiple(bound, 0))  # proof: integer
    return round_up(bound)  # proof: rounded


def enclose_quantile(tradeoff: Tradeoff, scale: mpq, u: mpq) -> Enclosure:
    """Enclose the quantile at u of scale N, 1/2 < u < 1, to 60 bits or more.

    N is canonical noise for the tradeoff, and the scale is above 0.
    """
    noise = CanonicalRV(_ZERO, scale, tradeoff, tradeoff.fixed_point)  # proof: law

    def narrow(value: Enclosure) -> Enclosure | None:
        return value if mpq(value.width) * _FINE <= value.lo else None  # proof: narrow

    return decide(
        lambda precision: noise.quantile(u, precision), narrow
    )  # proof: decide
