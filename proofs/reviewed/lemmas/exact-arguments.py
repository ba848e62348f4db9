# ruff: noqa
# fmt: off
# The code that was reviewed with the proof lemmas/exact-arguments; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.exact.rationals:to_mpq ===

from gmpy2 import mpq

def to_mpq(value: object) -> mpq:
    number = _parsed(value)
    if isinstance(number, float):
        raise ValueError(f"must be a finite number, got {number}")
    return number


# === opendp_lite.exact.rationals:to_extended ===

from gmpy2 import mpq
import math

def to_extended(value: object) -> mpq | float:
    number = _parsed(value)
    if isinstance(number, float) and math.isnan(number):
        raise ValueError("must be a number, got nan")
    return number


# === opendp_lite.exact.rationals:to_loss ===

from gmpy2 import mpq
from typing import Any

def to_loss(value: Any) -> mpq | float:
    stored = to_extended(value)
    if isinstance(stored, float):
        return stored
    if issubclass(type(value), float):
        return max(stored, _from_text(float.__repr__(value)))
    if _is_numpy(value, "floating"):
        return max(stored, _from_text(str(value)))
    return stored


# === opendp_lite.exact.rationals:to_target ===

from gmpy2 import mpq
from typing import Any

def to_target(value: Any) -> mpq:
    stored = to_mpq(value)
    if issubclass(type(value), float):
        return min(stored, to_mpq(float.__repr__(value)))
    if _is_numpy(value, "floating"):
        return min(stored, to_mpq(str(value)))
    return stored


# === opendp_lite.exact.rationals:to_fraction ===

from fractions import Fraction
from gmpy2 import mpq
from typing import cast

def to_fraction(x: int | mpq) -> Fraction:
    parts = _Lowest(int(x.numerator), int(x.denominator))
    return Fraction(cast("numbers.Rational", parts))


# === opendp_lite.exact.rationals:_parsed ===

from decimal import Decimal
from fractions import Fraction
from gmpy2 import mpfr
from gmpy2 import mpq
from gmpy2 import mpz
from typing import Any

def _parsed(value: Any) -> mpq | float:
    kind = type(value)
    if issubclass(kind, mpq):
        number: mpq = value
        return number
    if issubclass(kind, float):
        return _from_binary(float(value))
    if issubclass(kind, bool):
        raise TypeError(f"must be a number, got the truth value {value}")
    if issubclass(kind, int):
        return mpq(int(value))
    if issubclass(kind, str):
        return _from_text(value)
    if issubclass(kind, Fraction):
        return mpq(int(value.numerator), int(value.denominator))
    if issubclass(kind, Decimal):
        return _from_decimal(value)
    if issubclass(kind, mpz):
        return mpq(value)
    if issubclass(kind, mpfr):
        return _from_binary(value)
    return _from_numpy(value)


# === opendp_lite.exact.rationals:_from_binary ===

from gmpy2 import mpfr
from gmpy2 import mpq
import math

def _from_binary(value: float | mpfr) -> mpq | float:
    if -math.inf < value < math.inf:
        return mpq(*value.as_integer_ratio())
    return float(value)


# === opendp_lite.exact.rationals:_from_text ===

from gmpy2 import mpq
from gmpy2 import mpz
import re

_DECIMAL = re.compile(
    r"(?P<sign>[-+]?)(?=\.?[0-9])(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?"
    r"(?:[eE](?P<exponent>[-+]?[0-9]+))?"
)
_QUOTIENT = re.compile(r"(?P<numerator>[-+]?[0-9]+) */ *(?P<denominator>[0-9]+)")
_NON_FINITE = re.compile(r"[-+]?(?:inf(?:inity)?|nan)", re.IGNORECASE)

def _from_text(text: str) -> mpq | float:
    stripped = text.strip()
    if match := _DECIMAL.fullmatch(stripped):
        part = match["part"] or ""
        digits = mpz(match["sign"].replace("+", "") + match["whole"] + part)
        return _scaled(digits, int(mpz(match["exponent"] or 0)) - len(part), text)
    if match := _QUOTIENT.fullmatch(stripped):
        denominator = mpz(match["denominator"])
        if denominator == 0:
            raise ValueError(f"must not have the denominator 0, got {_shown(text)}")
        return mpq(mpz(match["numerator"].replace("+", "")), denominator)
    if _NON_FINITE.fullmatch(stripped):
        return float(stripped)
    raise ValueError(
        f'must be a number such as "0.1", "1/3" or "1e-5", got {_shown(text)}'
    )


# === opendp_lite.exact.rationals:_from_decimal ===

from decimal import Decimal
from gmpy2 import mpq
from gmpy2 import mpz
import math

def _from_decimal(value: Decimal) -> mpq | float:
    if value.is_nan():
        return math.nan
    if value.is_infinite():
        return math.inf if value > 0 else -math.inf
    sign, digits, exponent = value.as_tuple()
    magnitude = mpz("".join(map(str, digits)))
    return _scaled(-magnitude if sign else magnitude, int(exponent), str(value))


# === opendp_lite.exact.rationals:_scaled ===

from gmpy2 import mpq
from gmpy2 import mpz

_LARGEST_EXPONENT = 1_000_000

def _scaled(digits: mpz, exponent: int, text: str) -> mpq:
    if digits == 0:
        return mpq(0)
    if abs(exponent) > _LARGEST_EXPONENT:
        raise ValueError(
            f"must have a decimal exponent of at most {_LARGEST_EXPONENT} in size, "
            f"got {_shown(text)}"
        )
    if exponent >= 0:
        return mpq(digits * mpz(10) ** mpz(exponent))
    return mpq(digits, mpz(10) ** mpz(-exponent))


# === opendp_lite.exact.rationals:_from_numpy ===

from gmpy2 import mpq

def _from_numpy(value: object) -> mpq | float:
    if _is_numpy(value, "integer") and not _is_numpy(value, "timedelta64"):
        return mpq(value.__index__())
    if _is_numpy(value, "floating"):
        return _from_binary(value)
    raise TypeError(f"must be a number, got a value of type {type(value).__name__}")


# === opendp_lite.exact.rationals:_is_numpy ===

from typing import Any
import sys

def _is_numpy(value: object, kind: str) -> bool:
    numpy: Any = sys.modules.get("numpy")
    if not issubclass(type(value), getattr(numpy, kind, ())):
        return False
    named: type = numpy.generic.dtype.__get__(value).type
    return named is type(value)


# === opendp_lite.exact.rationals:_shown ===

def _shown(text: str) -> str:
    if len(text) <= 60:
        return repr(text)
    return f"{text[:40]!r}... of {len(text)} characters"


# === opendp_lite.core.arguments:rational_argument ===

from collections.abc import Callable
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_mpq
from typing import Any

def rational_argument(
    variant: str,
    name: str,
    value: object,
    *,
    fix: str,
    convert: Callable[[Any], Any] = to_mpq,
    at_least: int | None = None,
    at_most: int | None = None,
) -> Any:
    try:
        number = convert(value)
    except (TypeError, ValueError) as error:
        raise refusal(variant, name, value, str(error), fix) from None
    if at_least is not None and number < at_least:
        raise refusal(variant, name, value, f"must be at least {at_least}", fix)
    if at_most is not None and number > at_most:
        raise refusal(variant, name, value, f"must be at most {at_most}", fix)
    return number


# === opendp_lite.core.arguments:integer_argument ===

from gmpy2 import mpq
from opendp_lite.core.errors import refusal

def integer_argument(
    variant: str,
    name: str,
    value: object,
    *,
    fix: str,
    at_least: int | None = None,
    at_most: int | None = None,
) -> int:
    number: mpq = rational_argument(
        variant, name, value, fix=fix, at_least=at_least, at_most=at_most
    )
    if number.denominator != 1:
        raise refusal(variant, name, value, "must be an integer", fix)
    return int(number)


# === opendp_lite.core.arguments:distance_argument ===

from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_extended
from typing import Any

def distance_argument(name: str, value: object, fix: str, *, whole: bool) -> Any:
    number = rational_argument(
        "InvalidDistance", name, value, fix=fix, convert=to_extended, at_least=0
    )
    if not whole or isinstance(number, float):
        return number
    if number.denominator != 1:
        raise refusal("InvalidDistance", name, value, "must be an integer", fix)
    return int(number)


# === opendp_lite.core.arguments:user_distance_argument ===

from collections.abc import Callable
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_extended
from typing import Any

_USER_FIX = "Pass a number that is not negative, or a value that is no number"

def user_distance_argument(
    name: str, value: Any, convert: Callable[[Any], Any] = to_extended
) -> Any:
    if issubclass(type(value), str):
        return value
    try:
        number = convert(value)
    except TypeError:
        return value
    except ValueError as error:
        raise refusal("InvalidDistance", name, value, str(error), _USER_FIX) from None
    if number < 0:
        raise refusal("InvalidDistance", name, value, "must be at least 0", _USER_FIX)
    return value if type(value) is int else number


# === opendp_lite.core.distance:Metric.parse ===

from opendp_lite.core.own import Described
from typing import Any

class Metric(Described):
    def parse(self, d: Any, name: str = "d_in") -> Any:
        raise TypeError(f"{type(self).__name__} does not say what its distances are")


# === opendp_lite.core.distance:CountingMetric.parse ===

from opendp_lite.core.arguments import distance_argument
from typing import Any
import attrs

_COUNT_FIX = "Pass the number of rows in which neighbours may differ, such as 1"

@attrs.frozen(repr=False)
class CountingMetric(Metric):
    def parse(self, d: Any, name: str = "d_in") -> int | float:
        count: int | float = distance_argument(name, d, _COUNT_FIX, whole=True)
        return count


# === opendp_lite.core.metric:_NumberMetric.parse ===

from opendp_lite.core.arguments import distance_argument
from opendp_lite.core.distance import Metric
from typing import Any
import attrs

_REAL_FIX = "Pass a number such as 1 or 0.5"

@attrs.frozen(repr=False)
class _NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def parse(self, d: Any, name: str = "d_in") -> Any:
        return distance_argument(name, d, _REAL_FIX, whole=self.T is int)


# === opendp_lite.core.metric:_L0PInfDistance.parse ===

from opendp_lite.core.distance import CountingMetric
from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import refusal
from typing import Any
import attrs

@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def parse(self, d: Any, name: str = "d_in") -> tuple[Any, Any, Any]:
        if not issubclass(type(d), tuple | list) or len(d) != 3:
            rule = "must be three numbers (L0, Lp, LInf)"
            fix = "Pass for example (1, 1, 1): one key changes, by at most 1"
            raise refusal("InvalidDistance", name, d, rule, fix)
        l0 = CountingMetric().parse(d[0], f"{name}[0]")
        rest = (self.metric.parse(d[i], f"{name}[{i}]") for i in (1, 2))
        return (l0, *rest)


# === opendp_lite.core.metric:UserDistance.parse ===

from opendp_lite.core.arguments import user_distance_argument
from opendp_lite.core.distance import Metric
from typing import Any
import attrs

@attrs.frozen(repr=False)
class UserDistance(Metric):
    def parse(self, d: Any, name: str = "d_in") -> Any:
        return user_distance_argument(name, d)


# === opendp_lite.core.distance:present_number ===

from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import round_up
from typing import Any

opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

def present_number(d: Extended, exact: bool) -> Any:
    if isinstance(d, int | float):
        return d
    return to_fraction(d) if exact else round_up(d)


# === opendp_lite.core.distance:Metric.present ===

from opendp_lite.core.own import Described
from typing import Any

class Metric(Described):
    def present(self, d: Any, exact: bool = False) -> Any:
        return present_number(d, exact)


# === opendp_lite.core.metric:_NumberMetric.present ===

from gmpy2 import mpq
from opendp_lite.core.distance import Metric
from opendp_lite.core.distance import present_number
from opendp_lite.exact.grids import ceil_multiple
from typing import Any
import attrs
import math

@attrs.frozen(repr=False)
class _NumberMetric(Metric):
    T: type = attrs.field(converter=_distance_type)
    def present(self, d: Any, exact: bool = False) -> Any:
        if self.T is int and d != math.inf:
            return ceil_multiple(mpq(d), 0)
        return (
            present_number(d, exact) if d == math.inf else present_number(mpq(d), exact)
        )


# === opendp_lite.exact.grids:ceil_multiple ===

from gmpy2 import mpq

def ceil_multiple(x: mpq, k: int) -> int:
    n, d = _quotient(x, k)
    return int(-(-n // d))


# === opendp_lite.exact.grids:_quotient ===

from gmpy2 import mpq
from gmpy2 import mpz

def _quotient(x: mpq, k: int) -> tuple[mpz, mpz]:
    n, d = x.numerator, x.denominator
    return (n, d << k) if k >= 0 else (n << -k, d)


# === opendp_lite.core.metric:_L0PInfDistance.present ===

from opendp_lite.core.distance import Metric
from typing import Any
import attrs

@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    metric: AbsoluteDistance
    def present(self, d: Any, exact: bool = False) -> Any:
        return (d[0], *(self.metric.present(part, exact) for part in d[1:]))


# === opendp_lite.core.metric:UserDistance.present ===

from gmpy2 import mpq
from opendp_lite.core.distance import Metric
from opendp_lite.core.distance import present_number
from typing import Any
import attrs

@attrs.frozen(repr=False)
class UserDistance(Metric):
    def present(self, d: Any, exact: bool = False) -> Any:
        return present_number(d, exact) if isinstance(d, int | float | mpq) else d


# === opendp_lite.core.measure:Measure.parse ===

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.own import Described
from opendp_lite.exact.rationals import to_loss
from typing import Any

_LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"

class Measure(Described):
    def parse(self, loss: Any, name: str = "d_out") -> Any:
        return rational_argument(
            "InvalidDistance", name, loss, fix=_LOSS_FIX, convert=to_loss, at_least=0
        )


# === opendp_lite.core.measure:ApproximateDivergence.parse ===

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs

@attrs.frozen(repr=False)
class ApproximateDivergence(Measure):
    inner: Measure
    def parse(self, loss: Any, name: str = "d_out") -> tuple[Any, Any]:
        if not issubclass(type(loss), tuple | list) or len(loss) != 2:
            rule, fix = "must be a pair (loss, delta)", "Pass for example (1.0, 1e-9)"
            raise refusal("InvalidDistance", name, loss, rule, fix)
        delta = rational_argument(
            "InvalidDistance",
            f"{name}[1]",
            loss[1],
            fix="Pass a probability such as 1e-9",
            convert=to_loss,
            at_least=0,
            at_most=1,
        )
        return self.inner.parse(loss[0], f"{name}[0]"), delta


# === opendp_lite.core.measure:_CurveMeasure.parse ===

from opendp_lite.core.arguments import rational_argument
from opendp_lite.core.distance import present_number
from opendp_lite.core.errors import refusal
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs

_LOSS_FIX = "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'"
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float

@attrs.frozen(repr=False)
class _CurveMeasure(Measure):
    def parse(self, loss: Any, name: str = "d_out") -> Any:
        if not callable(loss):
            rule = "must be a function, as the losses of this measure are curves"
            raise refusal("InvalidDistance", name, loss, rule, "Pass a function")

        def curve(point: Extended) -> Extended:
            value: Extended = rational_argument(
                "InvalidDistance",
                f"{name}(point)",
                loss(present_number(point, exact=True)),
                fix=_LOSS_FIX,
                convert=to_loss,
                at_least=0,
            )
            return value

        return curve


# === opendp_lite.core.measure:UserDivergence.parse ===

from opendp_lite.core.arguments import user_distance_argument
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs

@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def parse(self, loss: Any, name: str = "d_out") -> Any:
        return user_distance_argument(name, loss, to_loss)
