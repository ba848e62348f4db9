"""Gaussian and Laplace tradeoffs by Arb, from their printed formulas alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import flint
from gmpy2 import mpq, mpz

from opendp_lite.exact.intervals import Enclosure

Oracle = Callable[[flint.arb, flint.arb], flint.arb]
"""f(a) from a and mu."""


@contextmanager
def flint_precision(bits: int) -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = bits
    try:
        yield
    finally:
        flint.ctx.prec = before


def arb(x: object) -> flint.arb:
    exact = mpq(x)  # type: ignore[call-overload]
    return flint.arb(flint.fmpq(int(exact.numerator), int(exact.denominator)))


def ends(x: flint.arb) -> Enclosure:
    """The ball as an interval."""

    def dyadic(y: flint.arb) -> mpq:
        man, exponent = y.man_exp()
        return mpq(mpz(int(man))) * mpq(2) ** int(exponent)

    middle, radius = dyadic(x.mid()), dyadic(x.rad())
    return Enclosure(middle - radius, middle + radius)


def phi(z: flint.arb) -> flint.arb:
    return (-z / flint.arb(2).sqrt()).erfc() / 2


def phi_inverse(u: flint.arb) -> flint.arb:
    return flint.arb(2).sqrt() * (2 * u - 1).erfinv()


def gaussian(a: flint.arb, mu: flint.arb) -> flint.arb:
    return phi(phi_inverse(1 - a) - mu)


def laplace(a: flint.arb, mu: flint.arb) -> flint.arb:
    if a < (-mu).exp() / 2:
        return 1 - mu.exp() * a
    if a <= flint.arb("0.5"):
        return (-mu).exp() / (4 * a)
    return (-mu).exp() * (1 - a)


def centre(f: Oracle, mu: flint.arb) -> flint.arb:
    """The fixed point, by its closed form."""
    return phi(-mu / 2) if f is gaussian else (-mu / 2).exp() / 2


def canonical_cdf(f: Oracle, mu: flint.arb, x: mpq) -> flint.arb:
    """Definition 3.7 of Awan and Vadhan (2023), by recursion."""
    half = mpq(1, 2)
    if x < -half:
        return f(1 - canonical_cdf(f, mu, x + 1), mu)
    if x > half:
        return 1 - f(canonical_cdf(f, mu, x - 1), mu)
    c = centre(f, mu)
    return c * arb(half - x) + (1 - c) * arb(x + half)
