"""The flakiness of a run: what every assertion adds, and what one adds by default."""

from __future__ import annotations

import threading
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal
from opendp_lite.exact.rationals import to_fraction

_FIX = (
    'Pass the probability with which a correct test may fail, such as flakiness="1e-23"'
)


def check_flakiness(flakiness: object, name: str = "flakiness") -> mpq:
    """Return the flakiness as an exact number between 0 and 1, ends excluded."""
    number: mpq = rational_argument(  # proof: number
        "InvalidDistance", name, flakiness, fix=_FIX
    )
    if not 0 < number < 1:  # proof: range
        rule = "must be above 0 and below 1"
        raise refusal("InvalidDistance", name, flakiness, rule, _FIX)
    return number


class Ledger:
    """A sum of flakinesses, which bounds the probability that any assertion fails.

    By the union bound this holds however the assertions depend on one another.
    """

    def __init__(self) -> None:
        self.default = mpq("1e-23")
        self._lock = threading.Lock()
        self._total, self._count = mpq(0), 0

    def charge(self, flakiness: mpq) -> None:
        """Add the flakiness of one assertion."""
        with self._lock:
            self._total += flakiness
            self._count += 1

    def take(self) -> tuple[Fraction, int]:
        """Return the sum and the number of assertions, and begin again at 0."""
        with self._lock:
            taken = to_fraction(self._total), self._count
            self._total, self._count = mpq(0), 0
        return taken

    def chosen(self, flakiness: ExactNumber | None) -> mpq:
        """Return the flakiness given, or the default of the run for None."""
        return self.default if flakiness is None else check_flakiness(flakiness)


LEDGER = Ledger()
"""Where the assertions of this process are charged; the pytest plugin reads it."""


def state_flakiness(flakiness: ExactNumber) -> None:
    """Add, to the total of the run, the flakiness of a test with its own statistic.

    Call it at the start of a test that may fail by chance in another way than by the
    assertions of this package, with a bound on that probability.

    :param flakiness: above 0 and below 1, exact: float, Fraction, Decimal or text

    >>> state_flakiness("1e-10")
    """
    LEDGER.charge(check_flakiness(flakiness))


def shown_flakiness(flakiness: Fraction) -> str:
    """Return the number in three digits, rounded up.

    >>> shown_flakiness(Fraction(1, 3 * 10**23))
    '3.34E-24'
    """
    context = Context(prec=3, rounding=ROUND_CEILING)
    quotient = context.divide(
        Decimal(flakiness.numerator), Decimal(flakiness.denominator)
    )
    return str(quotient.normalize(context))
