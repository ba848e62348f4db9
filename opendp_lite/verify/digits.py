"""Bounds as text: an upper bound is shown rounded up, a lower bound rounded down."""

from __future__ import annotations

import decimal

from opendp_lite.exact.rationals import Extended


def shown_above(number: Extended, digits: int = 6) -> str:
    """Return a decimal with so many digits that is not below `number`.

    >>> from gmpy2 import mpq
    >>> shown_above(mpq(2, 3)), shown_above(mpq(1, 10**9)), shown_above(2)
    ('0.666667', '1e-9', '2')
    """
    return _shown(number, decimal.ROUND_CEILING, digits)


def shown_below(number: Extended, digits: int = 6) -> str:
    """Return a decimal with so many digits that is not above `number`.

    >>> from gmpy2 import mpq
    >>> shown_below(mpq(2, 3)), shown_below(1 - mpq(1, 10**9))
    ('0.666666', '0.999999')
    """
    return _shown(number, decimal.ROUND_FLOOR, digits)


def _shown(number: Extended, rounding: str, digits: int) -> str:
    if isinstance(number, float):
        return str(number)
    # The quotient of two exact decimals is rounded once, in the direction asked for.
    context = decimal.Context(digits, rounding, -(10**9), 10**9)
    numerator, denominator = int(number.numerator), int(number.denominator)
    quotient = context.divide(decimal.Decimal(numerator), decimal.Decimal(denominator))
    return f"{context.normalize(quotient):g}"
