"""Tests and confidence intervals for a proportion, from a private count.

The count X of n independent trials with the success rate theta was released with
canonical noise, by `make_canonical_noise`: as Z = X + d_in N, rounded to a double, or
to an integer where X was counted as one. An integer release must be passed as an int.
A float says that Z is nearest to that double, so that the p-values of an integer
release that was made a float are too small, and its intervals too narrow.

Everything here is a function of that release and of public numbers, so it costs no
privacy. And it is valid at every n: what is not exact is rounded to the safe side, the
rounding of the release included.

Names and arguments are OpenDP's. Its confidence intervals hold the wrong argument
fixed, and cover less than they state; its test for tail="right" has the size 1 - alpha.
Here both are right, so these numbers differ from OpenDP's.
"""

from __future__ import annotations

from typing import Any, Literal

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber, Loss
from opendp_lite.base.containers import native
from opendp_lite.base.errors import write_number
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import round_down, round_up
from opendp_lite.extras.numpy.arguments import (
    Cell,
    cell_argument,
    law_argument,
    level_argument,
    mirrored,
    rate_argument,
    side_argument,
)
from opendp_lite.extras.numpy.inversion import (
    critical,
    enough,
    excluded,
    least_bound,
    probability_up,
    rejections,
)

__all__ = [
    "BinomialCND",
    "one_sided_confidence_interval",
    "one_sided_power",
    "one_sided_pvalue",
    "one_sided_uniformly_most_powerful_tests",
    "two_sided_confidence_interval",
    "two_sided_pvalue",
]

_ONE, _HALF = mpq(1), mpq(1, 2)


@attrs.frozen(repr=False)
class BinomialCND:
    """Inference on the success rate of a count that was released with canonical noise.

    :param estimate: the release; an int if an integer was released, which stands for
        all that is rounded to it
    :param d_in: the sensitivity that the noise was made for
    :param d_out: (epsilon, delta), as given to `make_canonical_noise`
    :param size: the number of records, n

    >>> count = BinomialCND(estimate=63.2, d_in=1, d_out=(1.0, 1e-6), size=100)
    >>> count.p_value(theta=0.5, tail="right")
    0.00551110779689173...
    >>> count.confidence_interval(alpha=0.05)
    (0.530374668..., 0.723590278...)

    Proof: proofs/extras/numpy/BinomialCND.tex
    """

    estimate: Any
    d_in: Any
    d_out: Any
    size: Any

    def confidence_interval(
        self, alpha: ExactNumber, side: Literal["lower", "upper"] | None = None
    ) -> float | tuple[float, float]:
        """Return a confidence interval for the success rate.

        :param alpha: the probability of missing it, at most
        :param side: None for two ends, "lower" or "upper" for that end alone
        """
        stated = self.estimate, self.d_in, self.d_out, self.size, alpha
        if side is None:
            return two_sided_confidence_interval(*stated)
        return one_sided_confidence_interval(*stated, side)

    def p_value(
        self, theta: ExactNumber, tail: Literal["left", "right"] | None = None
    ) -> float:
        """Return the p-value of a hypothesis about the success rate.

        :param theta: the rate of the hypothesis
        :param tail: None for "it is theta", "left" for "it is at least theta", "right"
            for "it is at most theta"
        """
        stated = self.estimate, self.d_in, self.d_out, self.size, theta
        if tail is None:
            return two_sided_pvalue(*stated)
        return one_sided_pvalue(*stated, tail)

    def rejects(
        self,
        theta: ExactNumber,
        alpha: ExactNumber,
        tail: Literal["left", "right"] | None = None,
    ) -> bool:
        """Return whether the hypothesis of `p_value` is rejected at the level alpha.

        A true hypothesis is rejected with probability at most alpha. With a tail, and
        d_in = 1, no private test of that size has more power, but for the rounding of
        the release and of p.

        >>> BinomialCND(63.2, 1, (1.0, 1e-6), 100).rejects(0.5, 0.01, tail="right")
        True
        """
        return self.p_value(theta, tail) <= level_argument(alpha)  # proof: rejects

    def __repr__(self) -> str:
        estimate, d_in = write_number(self.estimate), write_number(self.d_in)
        d_out, size = write_number(self.d_out), write_number(self.size)
        return (
            f"BinomialCND(estimate={estimate}, d_in={d_in}, d_out={d_out}, size={size})"
        )


def _cell(release: ExactNumber) -> Cell:
    """Return the ends of an interval that holds X + d_in N, given its release.

    An integer was released of all that is nearest to it, and more is near to it than to
    the double of the same value, but for great numbers. Everything else is as in
    `cell_argument`.

    >>> _cell(7) == (mpq(13, 2), mpq(15, 2)), _cell(7.0) == cell_argument(7.0)
    (True, True)
    >>> [_cell(n) == cell_argument(float(n)) for n in (2**60, -(2**60), 10**308)]
    [True, True, True]
    """
    least, most = cell_argument(release)
    value = native(release)
    if not isinstance(value, int):
        return least, most  # proof: double
    return (
        None if least is None else min(least, value - _HALF),  # proof: below
        None if most is None else max(most, value + _HALF),  # proof: above
    )


def one_sided_pvalue(
    Z: ExactNumber,
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    theta: ExactNumber,
    tail: str,
) -> float:
    """Return the p-value of a one-sided hypothesis about the success rate.

    Guarantee: if the hypothesis is true, P(p <= a) <= a for every a. If the rate is
    theta, p would be uniform but for the rounding of Z and of p.

    :param Z: the release
    :param d_in: the sensitivity that the noise was made for
    :param d_out: (epsilon, delta), as given to `make_canonical_noise`
    :param size: the number of trials, n
    :param theta: from 0 to 1
    :param tail: "right" for the hypothesis that the rate is at most theta, whose p is
        P(X + d_in N >= Z) at theta; "left" for at least theta, and <=

    >>> one_sided_pvalue(63.2, 1, (1.0, 1e-6), 100, 0.5, "right")
    0.00551110779689173...

    Proof: proofs/extras/numpy/BinomialCND.tex
    """
    law, cell = law_argument(d_in, d_out, size), _cell(Z)
    rate = rate_argument("theta", theta)
    if side_argument("tail", tail, ("left", "right")) == "left":  # proof: left
        rate, cell = _ONE - rate, mirrored(cell, law.size)
    least = cell[0]
    if least is None:  # proof: saturated
        return 1.0
    return probability_up(
        lambda bits: law.at_least(rate, least, bits)
    )  # proof: rounded


def two_sided_pvalue(
    Z: ExactNumber,
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    theta: ExactNumber,
) -> float:
    """Return the p-value of the hypothesis that the success rate is theta.

    It is the probability, at theta, that X + d_in N is as far from n theta as Z is.

    Guarantee: if the rate is theta, P(p <= a) <= a for every a.

    :param Z: the release
    :param d_in: the sensitivity that the noise was made for
    :param d_out: (epsilon, delta), as given to `make_canonical_noise`
    :param size: the number of trials, n
    :param theta: from 0 to 1

    >>> two_sided_pvalue(63.2, 1, (1.0, 1e-6), 100, 0.5)
    0.0110222155937834...

    Proof: proofs/extras/numpy/BinomialCND.tex
    """
    law, (least, most) = law_argument(d_in, d_out, size), _cell(Z)
    rate = rate_argument("theta", theta)
    centre = mpq(law.size) * rate
    if least is not None and least > centre:  # proof: above
        far = least - centre
    elif most is not None and most < centre:  # proof: below
        far = centre - most
    else:
        return 1.0  # proof: centre

    def enclose(bits: int) -> Enclosure:
        above = law.at_least(rate, centre + far, bits)
        return above + law.at_most(rate, centre - far, bits)  # proof: both

    return probability_up(enclose)


def one_sided_confidence_interval(
    Z: ExactNumber,
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    alpha: ExactNumber,
    side: str,
) -> float:
    """Return a bound on the success rate that is missed with probability <= alpha.

    A lower bound is the least rate whose p-value with tail="right" is above alpha, an
    upper bound the greatest with tail="left", up to 2^-60 and rounded outward.

    Guarantee: whatever the rate is, it is beyond the bound with probability at most
    alpha.

    :param Z: the release
    :param d_in: the sensitivity that the noise was made for
    :param d_out: (epsilon, delta), as given to `make_canonical_noise`
    :param size: the number of trials, n
    :param alpha: above 0 and below 1
    :param side: "lower" or "upper"

    >>> one_sided_confidence_interval(63.2, 1, (1.0, 1e-6), 100, 0.05, "lower")
    0.54718394582380...

    Proof: proofs/extras/numpy/BinomialCND.tex
    """
    law, cell = law_argument(d_in, d_out, size), _cell(Z)
    level = level_argument(alpha)
    upper = side_argument("side", side, ("lower", "upper")) == "upper"
    least = mirrored(cell, law.size)[0] if upper else cell[0]  # proof: mirrored
    reached = least_bound(law, least, level)
    return round_up(_ONE - reached) if upper else round_down(reached)  # proof: outward


def two_sided_confidence_interval(
    Z: ExactNumber,
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    alpha: ExactNumber,
) -> tuple[float, float]:
    """Return two bounds between which the success rate lies, but for probability alpha.

    They enclose the rates whose two-sided p-value is above alpha, up to about 2^-40
    and rounded outward. These rates may have gaps, which are not left out.

    Guarantee: whatever the rate is, it is outside of the bounds with probability at
    most alpha.

    :param Z: the release
    :param d_in: the sensitivity that the noise was made for
    :param d_out: (epsilon, delta), as given to `make_canonical_noise`
    :param size: the number of trials, n
    :param alpha: above 0 and below 1

    >>> two_sided_confidence_interval(63.2, 1, (1.0, 1e-6), 100, 0.05)
    (0.530374668..., 0.723590278...)

    Proof: proofs/extras/numpy/BinomialCND.tex
    """
    law, cell, level = (
        law_argument(d_in, d_out, size),
        _cell(Z),
        level_argument(alpha),
    )
    lower = excluded(law, cell[0], level)
    upper = _ONE - excluded(law, mirrored(cell, law.size)[0], level)  # proof: upper
    return round_down(lower), round_up(upper)  # proof: outward


def one_sided_uniformly_most_powerful_tests(
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    theta: ExactNumber,
    alpha: ExactNumber,
    tail: str,
) -> Any:
    """Return, for each count x from 0 to n, the probability with which to reject.

    A count is noisy, so a test of it must reject by chance. This one rejects if
    X + d_in N is at least (at most) some m. The probabilities come in an array of n + 1
    doubles, each rounded down. Mind that `tail` is on the side of the
    hypothesis here, as in OpenDP, and on that of the evidence in `one_sided_pvalue`.

    Guarantee: if the hypothesis is true, it is rejected with probability at most
    alpha. The test with that m, before its probabilities are rounded down, has at
    theta a size of at least (1 - 2^-50) alpha; and for d_in = 1, no private test of
    that size has more power at any rate outside of the hypothesis. Rounded they are
    private but for the last bits: release by `make_canonical_noise`, then `rejects`.

    :param d_in: the sensitivity that the noise is made for
    :param d_out: (epsilon, delta)
    :param size: the number of trials, n
    :param theta: from 0 to 1
    :param alpha: above 0 and below 1
    :param tail: "left" for the hypothesis that the rate is at most theta, "right" for
        at least theta

    >>> one_sided_uniformly_most_powerful_tests(1, (1, 0), 3, 0.5, 0.25, "left")
    array([0.04018412, 0.10923177, 0.29692274, 0.74135233])

    Proof: proofs/extras/numpy/BinomialCND.tex
    """
    import numpy as np

    law, rate, level = (
        law_argument(d_in, d_out, size),
        rate_argument("theta", theta),
        level_argument(alpha),
    )
    if side_argument("tail", tail, ("left", "right")) == "left":
        threshold = critical(law, rate, level)
        return np.array(rejections(law, threshold))
    threshold = critical(law, _ONE - rate, level)  # proof: mirrored
    return np.array(rejections(law, threshold)[::-1])


def one_sided_power(
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    theta: ExactNumber,
    alpha: ExactNumber,
    alternative: ExactNumber,
) -> float:
    """Return the power of a one-sided private test of level alpha, rounded down.

    The hypothesis is that the rate is at most theta, if the alternative is above theta,
    and at least theta otherwise. It is not OpenDP's; it says, before anything is
    released, whether a test is worth its privacy.

    Guarantee: if the rate is the alternative, the test of
    `one_sided_uniformly_most_powerful_tests` rejects with at least this probability
    before its probabilities are rounded. For d_in = 1 it is the most powerful one.
    After an integer release `rejects` may have less power, as integers are coarser.

    :param d_in: the sensitivity that the noise is made for
    :param d_out: (epsilon, delta)
    :param size: the number of trials, n
    :param theta: from 0 to 1
    :param alpha: above 0 and below 1
    :param alternative: the rate at which the power is asked for, from 0 to 1

    >>> one_sided_power(1, (1.0, 1e-6), 100, theta=0.5, alpha=0.05, alternative=0.6)
    0.61762287022987...

    Proof: proofs/extras/numpy/BinomialCND.tex
    """
    law, rate, level = (
        law_argument(d_in, d_out, size),
        rate_argument("theta", theta),
        level_argument(alpha),
    )
    truth = rate_argument("alternative", alternative)
    if truth < rate:  # proof: less
        rate, truth = _ONE - rate, _ONE - truth
    threshold = critical(law, rate, level)
    return round_down(law.at_least(truth, threshold, enough(level)).lo)  # proof: power
