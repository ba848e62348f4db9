r"""Noise scales to accuracies and back, certified.

An accuracy a at level alpha bounds the noise: it is exceeded with probability at most
alpha. What holds exactly, for noise of scale s:

==================  ===========================  ====================================
noise               event of probability         least accuracy a(s)
                    at most alpha
==================  ===========================  ====================================
Laplace             size > a                     s ln(1/alpha)
Gaussian            size > a                     s z, where Phi(z) = 1 - alpha/2
discrete Laplace    size > floor(a); and         s (ln(2/alpha) - ln(1 + e^(-1/s)))
                    size >= a, if s > 0
discrete Gaussian   size >= a, if s > 0          the least such integer from 1 on
==================  ===========================  ====================================

Without noise (s = 0) the accuracy is 0. Functions to an accuracy return the least
double that is at least a(s). Functions to a scale return the greatest double s for
which a(s) is at most the accuracy asked for. Parameters are exact numbers: a float
means the number it stores, text and Decimal the decimal that is written.
"""

from __future__ import annotations

import math

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import alpha_argument, rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.doubles import (
    greatest_double,
    greatest_scale,
    integer_double,
    integer_index,
    last_index,
    least_double,
)
from opendp_lite.exact.enclosures import expm1, ln, log1p
from opendp_lite.exact.gaussian_sums import gaussian_sum, relative_gaussian_sum
from opendp_lite.exact.grids import floor_multiple
from opendp_lite.exact.intervals import Enclosure, decide
from opendp_lite.exact.normal import normal_quantile

_HALF, _ONE, _TWO = mpq(1, 2), mpq(1), mpq(2)

# It is not known that erfc, and a tail of the discrete Gaussian, are never rational at
# a rational argument. So a question about them is asked up to this precision, and
# then answered on the safe side.
_LAST_PRECISION = 4096


def laplacian_scale_to_accuracy(
    scale: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    """Return the least double a with P(|Y| > a) <= alpha for Laplace noise Y.

    The probability is e^(-a/s), where s is `scale`, so a is s ln(1/alpha), rounded up;
    inf if that is beyond the largest double.

    :param scale: s >= 0, exact: int, float, Fraction, Decimal or text
    :param alpha: above 0 and at most 1, exact likewise
    :param T: float, the only type of an accuracy; for scripts written for OpenDP

    >>> laplacian_scale_to_accuracy(scale=1, alpha="0.05")
    2.9957322735539913

    Proof: proofs/measurements/laplacian_scale_to_accuracy.tex
    """
    s, level = _size("scale", scale), alpha_argument(alpha)  # proof: read
    _check_type(T)  # proof: type
    return least_double(lambda p: s * ln(_ONE / level, p))  # proof: least


def accuracy_to_laplacian_scale(
    accuracy: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    """Return the greatest double s for which Laplace noise has that accuracy.

    P(|Y| > a) <= alpha for Y of scale s, where a is `accuracy`, exactly if s is at most
    a / ln(1/alpha); so this is rounded down. 0 means that only no noise at all will do.

    :param accuracy: a >= 0, exact: int, float, Fraction, Decimal or text
    :param alpha: above 0 and below 1, exact likewise
    :param T: float, the only type of a scale; for scripts written for OpenDP

    >>> accuracy_to_laplacian_scale(accuracy=3, alpha="0.05")
    1.001424602086002

    Proof: proofs/measurements/laplacian_scale_to_accuracy.tex
    """
    a, level = (
        _size("accuracy", accuracy),
        alpha_argument(alpha, below_one=True),
    )  # proof: read
    _check_type(T)  # proof: type
    return greatest_double(lambda p: a / ln(_ONE / level, p))  # proof: greatest


def gaussian_scale_to_accuracy(
    scale: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    """Return the least double a with P(|Y| > a) <= alpha for Gaussian noise Y.

    With Phi the distribution function of a standard normal variable and s the
    `scale`, a is s z with Phi(z) = 1 - alpha/2, rounded up; inf if that is beyond the
    largest double. Should s z lie within a part of 2^-4000 above a double without
    being enclosed as that double, the next one is returned.

    :param scale: s >= 0, the standard deviation, exact: int, float, Fraction, Decimal
        or text
    :param alpha: above 0 and at most 1, exact likewise
    :param T: float, the only type of an accuracy; for scripts written for OpenDP

    >>> gaussian_scale_to_accuracy(scale=1, alpha="0.05")
    1.9599639845400543

    Proof: proofs/measurements/gaussian_scale_to_accuracy.tex
    """
    s, level = _size("scale", scale), alpha_argument(alpha)  # proof: read
    _check_type(T)  # proof: type
    return least_double(  # proof: least
        lambda p: _upper_end_at_last(s * normal_quantile(_ONE - level * _HALF, p), p)
    )


def accuracy_to_gaussian_scale(
    accuracy: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    """Return the greatest double s for which Gaussian noise has that accuracy.

    P(|Y| > a) <= alpha for Y of scale s, where a is `accuracy`, exactly if s is at most
    a / z with Phi(z) = 1 - alpha/2; so this is rounded down. Should a / z lie within a
    part of 2^-4000 of a double, the double below it may be returned. 0 means that only
    no noise at all will do.

    :param accuracy: a >= 0, exact: int, float, Fraction, Decimal or text
    :param alpha: above 0 and below 1, exact likewise
    :param T: float, the only type of a scale; for scripts written for OpenDP

    >>> accuracy_to_gaussian_scale(accuracy=2, alpha="0.05")
    1.0204269138493076

    Proof: proofs/measurements/gaussian_scale_to_accuracy.tex
    """
    a, level = (
        _size("accuracy", accuracy),
        alpha_argument(alpha, below_one=True),
    )  # proof: read
    _check_type(T)  # proof: type
    return greatest_double(  # proof: greatest
        lambda p: _lower_end_at_last(a / normal_quantile(_ONE - level * _HALF, p), p)
    )


def discrete_laplacian_scale_to_accuracy(
    scale: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    """Return an accuracy at level `alpha` of discrete Laplace noise Z.

    Guarantee: P(|Z| > floor(a)) <= alpha for the a returned, and P(|Z| >= a) <= alpha
    if s, the `scale`, is not 0. For integers n >= 1 the probability of |Z| >= n is
    2 e^(-n/s) / (1 + e^(-1/s)); a is the real number at which this is alpha, rounded
    up (inf beyond the largest double), and 0 if s is 0.

    :param scale: s >= 0, exact: int, float, Fraction, Decimal or text
    :param alpha: above 0 and at most 1, exact likewise
    :param T: float, the only type of an accuracy; for scripts written for OpenDP

    >>> discrete_laplacian_scale_to_accuracy(scale=1, alpha="0.05")
    3.3756177665957137

    Proof: proofs/measurements/discrete_laplacian_scale_to_accuracy.tex
    """
    s, level = _size("scale", scale), alpha_argument(alpha)  # proof: read
    _check_type(T)  # proof: type
    return least_double(  # proof: least
        lambda p: _discrete_laplacian_accuracy(s, level, p)
    )


def accuracy_to_discrete_laplacian_scale(
    accuracy: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    """Return the greatest double s for which discrete Laplace noise has that accuracy.

    It is the greatest s for which the accuracy of
    :func:`discrete_laplacian_scale_to_accuracy`, before it is rounded, is at most
    `accuracy`. 0 means that only no noise at all will do.

    :param accuracy: a >= 0, exact: int, float, Fraction, Decimal or text
    :param alpha: above 0 and below 1, exact likewise
    :param T: float, the only type of a scale; for scripts written for OpenDP

    >>> accuracy_to_discrete_laplacian_scale(accuracy=3, alpha="0.05")
    0.8796037056934196

    Proof: proofs/measurements/discrete_laplacian_scale_to_accuracy.tex
    """
    a, level = (
        _size("accuracy", accuracy),
        alpha_argument(alpha, below_one=True),
    )  # proof: read
    _check_type(T)  # proof: type

    def suffices(scale: mpq) -> bool:  # proof: suffices
        return decide(
            lambda p: _discrete_laplacian_accuracy(scale, level, p),
            lambda v: True if v.hi <= a else False if v.lo > a else None,
        )

    # Close to the answer, and only a place to begin the search.
    rate = mpq(ln(_ONE / level, 64).hi)
    guess = max((a - _HALF) / rate, a / (rate + _ONE))
    return greatest_scale(suffices, guess)  # proof: search


def discrete_gaussian_scale_to_accuracy(
    scale: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    """Return the least integer a >= 1 with P(|Z| >= a) <= alpha, Z discrete Gaussian.

    P(Z = z) is proportional to e^(-z^2/(2 s^2)), where s is `scale`. So |Z| > a - 1
    has probability at most alpha too. Beyond 2^53 it is the least double (inf beyond
    the largest one). For s = 0, where Z is 0, the accuracy is 0. Should the
    probability agree with alpha to more than 4000 bits (to 28 bits, for an alpha below
    10^-100000000), a may be the next one.

    :param scale: s >= 0, exact: int, float, Fraction, Decimal or text
    :param alpha: above 0 and at most 1, exact likewise
    :param T: float, the only type of an accuracy; for scripts written for OpenDP

    >>> discrete_gaussian_scale_to_accuracy(scale=1, alpha="0.05")
    3.0

    Proof: proofs/measurements/discrete_gaussian_scale_to_accuracy.tex
    """
    s, level = _size("scale", scale), alpha_argument(alpha)  # proof: read
    _check_type(T)  # proof: type
    if s == 0:  # proof: no-noise
        return 0.0
    if level == 1:  # proof: certain
        return 1.0

    def exceeded(i: int) -> bool:  # proof: exceeded
        a = integer_double(i)
        return a < math.inf and not _tail_at_most(int(a), s, level)

    # Close to the answer, and only a place to begin the search.
    guess = s * _quantile(level) + _HALF
    start = integer_index(guess)
    return integer_double(last_index(exceeded, start) + 1)  # proof: next


def accuracy_to_discrete_gaussian_scale(
    accuracy: ExactNumber, alpha: ExactNumber, T: TypeArgument | None = None
) -> float:
    """Return the greatest double s for which discrete Gaussian noise has that accuracy.

    With a the integer part of `accuracy`, it is the greatest s with
    P(|Z| >= a) <= alpha for Z of scale s. Below the accuracy 1 it is 0: only no noise
    at all will do. Should the probability agree with alpha to more than 4000 bits (to
    28 bits, for an alpha below 10^-100000000), a smaller double may be returned.

    :param accuracy: at least 0, exact: int, float, Fraction, Decimal or text
    :param alpha: above 0 and below 1, exact likewise
    :param T: float, the only type of a scale; for scripts written for OpenDP

    >>> accuracy_to_discrete_gaussian_scale(accuracy=3, alpha="0.05")
    1.307639147501189

    Proof: proofs/measurements/discrete_gaussian_scale_to_accuracy.tex
    """
    a, level = (
        _size("accuracy", accuracy),
        alpha_argument(alpha, below_one=True),
    )  # proof: read
    _check_type(T)  # proof: type
    whole = floor_multiple(a, 0)  # proof: whole
    if whole == 0:  # proof: no-noise
        return 0.0
    # Close to the answer, and only a place to begin the search.
    guess = (mpq(whole) - _HALF) / _quantile(level)
    return greatest_scale(  # proof: search
        lambda scale: _tail_at_most(whole, scale, level), guess
    )


def _discrete_laplacian_accuracy(scale: mpq, level: mpq, precision: int) -> Enclosure:
    """s (ln(1/alpha) - ln((1 + e^(-1/s)) / 2)); 0 for s = 0.

    Both logarithms are at least 0 with their signs, so no digits cancel.
    """
    if scale == 0:  # proof: no-noise
        return Enclosure(0, 0)
    half_less_one = expm1(-_ONE / scale, precision) * _HALF
    return scale * (ln(_ONE / level, precision) - log1p(half_less_one, precision))


def _tail_at_most(start: int, scale: mpq, level: mpq) -> bool:
    """Whether P(|Z| >= a) <= alpha, Z discrete Gaussian; False if it stays open.

    With S(a) the sum of e^(-z^2/(2 s^2)) over z >= a, where a is `start`, at least 1,
    and s is `scale`, the probability is 2 S(a) / (1 + 2 S(1)). It is 0 for s = 0. It is
    compared by its logarithm, so that S(a) may be tiny: S(a) = e^(-a^2/(2 s^2)) R(a).
    """
    if scale == 0:  # proof: no-noise
        return True
    exponent = mpq(start * start) / (_TWO * scale * scale)
    precision = 64
    while precision <= _LAST_PRECISION:  # proof: last
        total = 1 + _TWO * gaussian_sum(1, scale, precision)
        tail = _TWO * relative_gaussian_sum(start, scale, precision)
        margin = ln(level, precision) + ln(total / tail, precision) + exponent
        if margin.lo >= 0:  # proof: at-most
            return True
        if margin.hi < 0:  # proof: above
            return False
        precision *= 2
    return False  # proof: open


def _upper_end_at_last(value: Enclosure, precision: int) -> Enclosure:
    """The enclosure; from the last precision on its upper end alone."""
    return value if precision < _LAST_PRECISION else Enclosure(value.hi, value.hi)


def _lower_end_at_last(value: Enclosure, precision: int) -> Enclosure:
    """The enclosure; from the last precision on its lower end alone."""
    return value if precision < _LAST_PRECISION else Enclosure(value.lo, value.lo)


def _quantile(level: mpq) -> mpq:
    """About the z with Phi(z) = 1 - alpha/2."""
    return mpq(normal_quantile(_ONE - level * _HALF, 64).hi)


def _size(name: str, value: object) -> mpq:
    fix = f"Pass a number such as {name}=1.0; Fraction, Decimal and text are exact too"
    size: mpq = rational_argument(  # proof: size
        "InvalidDistance", name, value, fix=fix, at_least=0
    )
    return size


def _check_type(T: object) -> None:
    if T not in (None, float, "float", "f64"):  # proof: type
        rule = "must be float: accuracies and scales are doubles"
        raise refusal("InvalidDistance", "T", T, rule, "Leave T out")
