r"""The weights :math:`\binom{n}{k} \theta^k (1-\theta)^{n-k}`, rounded down.

They are in units of the largest one, so that no factorial and no logarithm is needed:
divided by their sum they are the binomial probabilities. Weights that are too small to
be seen are left out; about :math:`\sqrt{n}` remain.
"""

from __future__ import annotations

from functools import lru_cache

import attrs
from gmpy2 import mpq, mpz


@attrs.frozen
class BinomialWeights:
    """Integers w(k) for k = start, start + 1, ...; elsewhere w(k) is 0.

    Some multiple v of the probabilities, the same for every k, satisfies
    w(k) <= v(k) <= w(k) + slack for every k from 0 to n.
    """

    start: int
    values: tuple[mpz, ...]
    slack: int


@lru_cache(maxsize=8)
def binomial_weights(size: int, theta: mpq, bits: int) -> BinomialWeights:
    """Return the weights of n = `size` trials in units of 2^-bits of the largest.

    :param size: n, at least 0
    :param theta: the probability of success, from 0 to 1

    >>> binomial_weights(4, mpq(1, 2), 10)
    BinomialWeights(start=0, values=(mpz(170), mpz(682), mpz(1024), mpz(682), mpz(170))\
, slack=3)
    """
    success, failure = theta.numerator, theta.denominator - theta.numerator
    mode = min(int(mpz(size + 1) * success // theta.denominator), size)  # proof: mode
    top = mpz(1) << bits
    above = _descend(top, failure, success, mode, size)  # proof: above
    below = _descend(top, success, failure, size - mode, size)  # proof: below
    return BinomialWeights(
        mode - len(below),
        (*reversed(below), top, *above),
        max(len(above), len(below)) + 1,  # proof: slack
    )


def _descend(top: mpz, less: mpz, more: mpz, start: int, size: int) -> list[mpz]:
    """Return the weights of start + 1, start + 2, ... of so many successes.

    `less` and `more` are in the ratio of the probabilities of failure and success.
    """
    weights = []
    weight, left, reached = top, mpz(size - start) * more, mpz(start) * less
    while left:
        reached += less
        weight = weight * left // reached  # proof: next
        if not weight:  # proof: unseen
            break
        weights.append(weight)
        left -= more
    return weights
