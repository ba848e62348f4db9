# ruff: noqa
# fmt: off
# What was read of opendp_lite.testing.ledger; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.errors import refusal

_FIX = (
    'Pass the probability with which a correct test may fail, such as flakiness="1e-23"'
)
if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber


# === check_flakiness with mpq, rational_argument, refusal, _FIX
def check_flakiness(flakiness: object, name: str = "flakiness") -> mpq:
    number: mpq = rational_argument(
        "InvalidDistance", name, flakiness, fix=_FIX
    )
    if not 0 < number < 1:
        rule = "must be above 0 and below 1"
        raise refusal("InvalidDistance", name, flakiness, rule, _FIX)
    return number


# === Ledger.charge with mpq
class Ledger:
    def charge(self, flakiness: mpq) -> None:
        with self._lock:
            self._total += flakiness
            self._count += 1


# === Ledger.chosen with mpq, ExactNumber, ?, opendp_lite.base.aliases.ExactNumber
class Ledger:
    def chosen(self, flakiness: ExactNumber | None) -> mpq:
        return self.default if flakiness is None else check_flakiness(flakiness)
