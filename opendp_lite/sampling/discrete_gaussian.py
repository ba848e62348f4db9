"""Discrete Gaussian integers."""

from __future__ import annotations

from gmpy2 import mpq

from opendp_lite.sampling.bernoulli import sample_bernoulli_exp
from opendp_lite.sampling.discrete_laplace import sample_discrete_laplace

__all__ = ["sample_discrete_gaussian"]


def sample_discrete_gaussian(scale: mpq) -> int:
    """P(X = x) proportional to e^(-x^2/(2 scale^2)) for all integers x.

    A discrete Laplace variable is proposed until one is accepted (Canonne, Kamath
    and Steinke 2020). A proposal is accepted with probability above 1/6, at any
    scale, and each has bits of its own. At scale 0 it is 0, the limit.

    >>> sample_discrete_gaussian(mpq(0))
    0
    """
    if scale < 0:  # proof: range
        raise ValueError(f"scale must be non-negative, got {scale}")
    if scale == 0:  # proof: zero
        return 0
    while (x := _trial(scale)) is None:  # proof: repeat
        pass
    return x


def _trial(scale: mpq) -> int | None:
    """Propose x with the scale t = floor(scale) + 1, and return it if it is accepted.

    It is with probability exp(-(|x| - scale^2/t)^2/(2 scale^2)), so that x is proposed
    and accepted with a probability proportional to e^(-x^2/(2 scale^2)).
    """
    square = scale * scale
    width = mpq(scale.numerator // scale.denominator + 1)  # proof: width
    x = sample_discrete_laplace(width)  # proof: propose
    distance = mpq(abs(x)) - square / width  # proof: distance
    loss = distance * distance / (mpq(2) * square)  # proof: loss
    return x if sample_bernoulli_exp(loss) else None  # proof: accept
