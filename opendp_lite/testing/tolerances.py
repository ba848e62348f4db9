r"""Tolerances for tests of noisy results, at a stated flakiness.

The *flakiness* f of a test is the probability that it fails although the code is
right. For noise of scale s:

======================  =====================  =======================================
test                    noise                  tolerance t
======================  =====================  =======================================
size of noise <= t      Laplace                s ln(1/f)
                        Gaussian               s z, where Phi(z) = 1 - f/2
                        discrete Laplace       floor(s (ln(2/f) - ln(1 + e^(-1/s))))
                        discrete Gaussian      least integer with P(size > t) <= f
size of noise > t       Laplace                -s ln(1 - f)
("complementary")       Gaussian               s z, where Phi(z) = (1 + f)/2
======================  =====================  =======================================

Tolerances are rounded up; complementary tolerances, and flakinesses that are computed
from others, are rounded down: so the flakiness asked for is kept, not only nearly.
Parameters are exact numbers: a float means the number it stores, text and Decimal
the decimal that is written.

Derivations, and what is wrong in the document that these formulas are from:
proofs/lemmas/test-tolerances.tex
"""

from __future__ import annotations

import math

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber, Loss
from opendp_lite.base.arguments import integer_argument, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.doubles import greatest_double
from opendp_lite.exact.enclosures import log1p, power
from opendp_lite.exact.grids import nearest_multiple
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.normal import normal_quantile
from opendp_lite.exact.rounding import round_down, round_up
from opendp_lite.laws.tradeoff import ApproximateTradeoff
from opendp_lite.measurements.canonical.canonical_law import enclose_quantile
from opendp_lite.measurements.canonical.canonical_noise import check_target
from opendp_lite.measurements.noise.accuracies import (
    discrete_gaussian_scale_to_accuracy,
    discrete_laplacian_scale_to_accuracy,
    gaussian_scale_to_accuracy,
    laplacian_scale_to_accuracy,
)
from opendp_lite.testing.ledger import check_flakiness

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)
_ZERO = mpq(0)

# It is not known that a quantile of the normal law is never a double. So it is
# enclosed up to this precision, and then rounded to the safe side.
_LAST_PRECISION = 4096


def laplace_tolerance(scale: ExactNumber, flakiness: ExactNumber) -> float:
    """Return the least double t with P(|Y| > t) <= f, Y Laplace noise.

    It is s ln(1/f), where s is `scale` and f is `flakiness`, rounded up. For noise
    that makes a sum of sensitivity d private at epsilon, s is d / epsilon.

    :param scale: s >= 0, exact: int, float, Fraction, Decimal or text
    :param flakiness: above 0 and below 1, exact likewise

    >>> laplace_tolerance(scale="1/50", flakiness="1e-23")
    1.059189142777261...

    Proof: proofs/lemmas/test-tolerances.tex
    """
    level = check_flakiness(flakiness)
    return laplacian_scale_to_accuracy(scale, level)  # proof: accuracy


def gaussian_tolerance(sigma: ExactNumber, flakiness: ExactNumber) -> float:
    """Return the least double t with P(|Y| > t) <= f, Y Gaussian noise.

    It is sigma z with Phi(z) = 1 - f/2, f being `flakiness`, rounded up. In doubles
    1 - 1e-23 is 1, of which the quantile is infinite; here it is an exact rational.

    :param sigma: the standard deviation, >= 0, exact: int, float, Fraction, Decimal or
        text
    :param flakiness: above 0 and below 1, exact likewise

    >>> gaussian_tolerance(sigma=1, flakiness="1e-23")
    10.04163761217557...

    Proof: proofs/lemmas/test-tolerances.tex
    """
    level = check_flakiness(flakiness)
    return gaussian_scale_to_accuracy(_size("sigma", sigma), level)  # proof: accuracy


def discrete_laplace_tolerance(
    scale: ExactNumber, flakiness: ExactNumber
) -> int | float:
    """Return an integer t with P(|Z| > t) <= f, Z discrete Laplace noise.

    P(Z = z) is proportional to e^(-|z|/s), where s is `scale`. It is the least such
    integer, unless a bound on it that is rounded up to a double passes an integer; inf
    if the bound is beyond the largest double.

    :param scale: s >= 0, exact: int, float, Fraction, Decimal or text
    :param flakiness: above 0 and below 1, exact likewise

    >>> discrete_laplace_tolerance(scale=2, flakiness="1e-23")
    106

    Proof: proofs/lemmas/test-tolerances.tex
    """
    level = check_flakiness(flakiness)
    bound = discrete_laplacian_scale_to_accuracy(scale, level)  # proof: accuracy
    return _floor(bound)  # proof: whole


def discrete_gaussian_tolerance(
    sigma: ExactNumber, flakiness: ExactNumber
) -> int | float:
    """Return an integer t with P(|Z| > t) <= f, Z discrete Gaussian noise.

    P(Z = z) is proportional to e^(-z^2/(2 s^2)), where s is `sigma`. Up to 2^53 it is
    the least such integer, but for coincidences of thousands of digits; inf if it is
    beyond the largest double.

    :param sigma: s >= 0, exact: int, float, Fraction, Decimal or text
    :param flakiness: above 0 and below 1, exact likewise

    >>> discrete_gaussian_tolerance(sigma=2, flakiness="1e-23")
    20

    Proof: proofs/lemmas/test-tolerances.tex
    """
    level, s = check_flakiness(flakiness), _size("sigma", sigma)
    least = _floor(discrete_gaussian_scale_to_accuracy(s, level))  # proof: accuracy
    return max(least - 1, 0)  # proof: before


def complementary_laplace_tolerance(
    scale: ExactNumber, flakiness: ExactNumber
) -> float:
    """Return the greatest double t with P(|Y| <= t) <= f, Y Laplace noise.

    It is -s ln(1 - f), where s is `scale` and f is `flakiness`, rounded down: noise is
    at least so large, but for that probability.

    :param scale: s >= 0, exact: int, float, Fraction, Decimal or text
    :param flakiness: above 0 and below 1, exact likewise

    >>> complementary_laplace_tolerance(scale=3, flakiness="1e-9")
    3.0000000014999998e-09

    Proof: proofs/lemmas/test-tolerances.tex
    """
    s, level = _size("scale", scale), check_flakiness(flakiness)
    return greatest_double(lambda p: -s * log1p(-level, p))  # proof: greatest


def complementary_gaussian_tolerance(
    sigma: ExactNumber, flakiness: ExactNumber
) -> float:
    """Return the greatest double t with P(|Y| <= t) <= f, Y Gaussian noise.

    It is sigma z with Phi(z) = (1 + f)/2, f being `flakiness`, rounded down. Should
    sigma z lie within a part of 2^-4000 of a double, the one below may be returned.

    :param sigma: the standard deviation, >= 0, exact: int, float, Fraction, Decimal or
        text
    :param flakiness: above 0 and below 1, exact likewise

    >>> complementary_gaussian_tolerance(sigma=1, flakiness="1e-9")
    1.253314137315500...e-09

    Proof: proofs/lemmas/test-tolerances.tex
    """
    s, level = _size("sigma", sigma), check_flakiness(flakiness)

    def enclose(precision: int) -> Enclosure:
        value = s * normal_quantile(_HALF + level * _HALF, precision)  # proof: quantile
        last = precision >= _LAST_PRECISION
        return Enclosure(value.lo, value.lo) if last else value  # proof: last

    return greatest_double(enclose)  # proof: greatest


def integer_tolerance(tolerance: ExactNumber) -> int:
    """Return the tolerance for noise that is rounded to the nearest integer.

    If P(|Y| > t) <= f, where t is `tolerance`, and N is an integer with
    |N - Y| <= 1/2, then P(|N| > T) <= f for T = floor(t + 1/2): t is rounded up when
    its fraction is at least 1/2, and else down. For discrete noise of the same scale
    the same T serves: discrete Laplace noise at every flakiness, discrete Gaussian
    noise at a flakiness of at most 0.317. It does not serve for complementary
    tolerances.

    :param tolerance: t >= 0, exact: int, float, Fraction, Decimal or text

    >>> integer_tolerance("1.1"), integer_tolerance("2.6"), integer_tolerance("2.5")
    (1, 3, 3)

    Proof: proofs/lemmas/test-tolerances.tex
    """
    return nearest_multiple(_size("tolerance", tolerance), 0)  # proof: nearest


def partition_flakiness(
    flakiness: ExactNumber, partitions: ExactNumber, *, dependent: bool = False
) -> float:
    """Return the flakiness for each of several partitions of a test.

    If each of p partitions with independent noise fails with probability at most
    1 - (1 - f)^(1/p), the test as a whole fails with probability at most f, where f is
    `flakiness` and p is `partitions`. With `dependent` the noise may depend in any
    way, and it is f/p. The number is rounded down.

    :param flakiness: above 0 and below 1, exact: float, Fraction, Decimal or text
    :param partitions: p >= 1, an integer
    :param dependent: whether the noise of the partitions may be dependent

    >>> partition_flakiness("1e-23", 9)
    1.11111111111111...e-24
    >>> partition_flakiness("3/4", 2), partition_flakiness("3/4", 2, dependent=True)
    (0.5, 0.375)

    Proof: proofs/lemmas/test-tolerances.tex
    """
    level = check_flakiness(flakiness)
    fix = "Pass the number of results that are compared, such as partitions=3"
    count = integer_argument(  # proof: count
        "InvalidDistance", "partitions", partitions, fix=fix, at_least=1
    )
    if dependent:
        part = round_down(level / mpq(count))  # proof: union
    else:
        none, root = _ONE - level, mpq(1, count)
        part = greatest_double(lambda p: _ONE - power(none, root, p))  # proof: product
    if part == 0:  # proof: tiny
        rule = "is so small that a part of it is below every positive double"
        fix = "Pass a greater flakiness, or compare fewer partitions"
        raise refusal("InvalidDistance", "flakiness", flakiness, rule, fix)
    return part


def mean_flakiness(flakiness: ExactNumber) -> float:
    """Return the flakiness for each of the sum and the count of a noisy mean.

    A mean that is tested with the tolerances of its noisy sum and of its noisy count,
    which are independent, fails with probability at most f if each of these fails with
    probability at most 1 - sqrt(1 - f), where f is `flakiness`. Rounded down.

    :param flakiness: above 0 and below 1, exact: float, Fraction, Decimal or text

    >>> mean_flakiness("1e-23")
    5e-24

    Proof: proofs/lemmas/test-tolerances.tex
    """
    return partition_flakiness(flakiness, 2)  # proof: two


def mean_tolerance(
    lower: ExactNumber,
    upper: ExactNumber,
    normalized_sum: ExactNumber,
    count: ExactNumber,
    sum_tolerance: ExactNumber,
    count_tolerance: ExactNumber,
) -> float:
    """Return how far a noisy mean is from the mean if its parts keep their tolerances.

    The mean of numbers within [L, U] is m + S/C clamped to [L, U], where m is
    (L + U)/2, S is the sum of the differences to m and C the count, or 1 if that is
    less. The noisy mean is the same of a noisy sum and a noisy count. While these are
    within a and b of S and C, it is within the number returned (rounded up) of the
    mean, and no smaller number will do.

    Use it with tolerances a and b at :func:`mean_flakiness`. There is no complementary
    form: noise of the sum and of the count may cancel, so test that these are noisy.

    :param lower: L, exact: int, float, Fraction, Decimal or text
    :param upper: U >= L, exact likewise
    :param normalized_sum: S, the sum of the differences to the midpoint
    :param count: C >= 0
    :param sum_tolerance: a >= 0
    :param count_tolerance: b >= 0

    >>> mean_tolerance(-1, 1, normalized_sum=30, count=100, sum_tolerance=10,
    ...                count_tolerance=20)
    0.2

    Proof: proofs/lemmas/test-tolerances.tex
    """
    low, high = _number("lower", lower), _number("upper", upper)
    if low > high:  # proof: order
        fix = "Pass the bounds of the data in their order"
        raise refusal("InvalidDistance", "lower", lower, "is above upper", fix)
    total, size = _number("normalized_sum", normalized_sum), _size("count", count)
    a = _size("sum_tolerance", sum_tolerance)
    b = _size("count_tolerance", count_tolerance)
    few, many = max(size - b, _ONE), max(size + b, _ONE)  # proof: counts
    least, most = total - a, total + a  # proof: sums

    def mean(numerator: mpq, denominator: mpq) -> mpq:  # proof: mean
        return min(max((low + high) / _TWO + numerator / denominator, low), high)

    exact = mean(total, max(size, _ONE))
    smallest = mean(least, many if least >= 0 else few)  # proof: smallest
    greatest = mean(most, few if most >= 0 else many)  # proof: greatest
    return round_up(max(greatest - exact, exact - smallest))  # proof: farther


def canonical_tolerance(
    d_in: ExactNumber, d_out: Loss, flakiness: ExactNumber
) -> float:
    """Return a double t with P(|Y| > t) <= f, Y the noise of `make_canonical_noise`.

    It is the quantile of Y at 1 - f/2, where f is `flakiness`, rounded up. The rounding
    of a release to a double comes on top.

    :param d_in: the sensitivity, >= 0, exact: int, float, Fraction, Decimal or text
    :param d_out: (epsilon, delta), as in `make_canonical_noise`
    :param flakiness: above 0 and below 1, exact likewise

    >>> canonical_tolerance(1, (1, 0), "1e-23")
    52.95523219312151...

    Proof: proofs/testing/canonical_tolerance.tex
    """
    level = check_flakiness(flakiness)  # proof: level
    return round_up(_quantile(d_in, d_out, _ONE - level / _TWO).hi)  # proof: rounded


def complementary_canonical_tolerance(
    d_in: ExactNumber, d_out: Loss, flakiness: ExactNumber
) -> float:
    """Return a double t with P(|Y| <= t) <= f, Y the noise of `make_canonical_noise`.

    It is the quantile of Y at (1 + f)/2, where f is `flakiness`, rounded down.

    :param d_in: the sensitivity, >= 0, exact: int, float, Fraction, Decimal or text
    :param d_out: (epsilon, delta), as in `make_canonical_noise`
    :param flakiness: above 0 and below 1, exact likewise

    >>> complementary_canonical_tolerance(1, (0, "0.05"), "1/10")
    1.0

    Proof: proofs/testing/complementary_canonical_tolerance.tex
    """
    level = check_flakiness(flakiness)  # proof: level
    return round_down(
        _quantile(d_in, d_out, (_ONE + level) / _TWO).lo
    )  # proof: rounded


def _quantile(d_in: ExactNumber, d_out: Loss, u: mpq) -> Enclosure:
    """Enclose the quantile at u of the noise, 1/2 < u < 1, to 60 bits or more."""
    fix = "Pass the sensitivity of the data, such as d_in=1.0"
    scale: mpq = rational_argument(  # proof: d-in
        "InvalidDistance", "d_in", d_in, fix=fix, at_least=0
    )
    tradeoff = ApproximateTradeoff(*check_target(d_out))  # proof: d-out
    if scale == 0:
        return Enclosure(_ZERO, _ZERO)  # proof: none
    return enclose_quantile(tradeoff, scale, u)  # proof: quantile


def _floor(bound: float) -> int | float:
    return bound if bound == math.inf else int(bound)


def _number(name: str, value: object) -> mpq:
    fix = f"Pass a number such as {name}=1.0; Fraction, Decimal and text are exact too"
    number: mpq = rational_argument(  # proof: number
        "InvalidDistance", name, value, fix=fix
    )
    return number


def _size(name: str, value: object) -> mpq:
    fix = f"Pass a number such as {name}=1.0; Fraction, Decimal and text are exact too"
    size: mpq = rational_argument(  # proof: size
        "InvalidDistance", name, value, fix=fix, at_least=0
    )
    return size
