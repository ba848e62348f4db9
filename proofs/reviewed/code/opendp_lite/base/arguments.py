# ruff: noqa
# fmt: off
# What was read of opendp_lite.base.arguments; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.errors import refusal
from opendp_lite.exact.rationals import to_extended
from opendp_lite.exact.rationals import to_mpq
from typing import Any

_USER_FIX = "Pass a number that is not negative, or a value that is no number"
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any


# === rational_argument with Callable, refusal, to_mpq, Any
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


# === integer_argument with mpq
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
    return _whole(variant, name, value, number, fix)


# === _whole with mpq, refusal
def _whole(variant: str, name: str, value: object, number: mpq, fix: str) -> int:
    if number.denominator != 1:
        raise refusal(variant, name, value, "must be an integer", fix)
    return int(number)


# === distance_argument with to_extended, Any
def distance_argument(name: str, value: object, fix: str, *, whole: bool) -> Any:
    number = rational_argument(
        "InvalidDistance", name, value, fix=fix, convert=to_extended, at_least=0
    )
    if not whole or isinstance(number, float):
        return number
    return _whole("InvalidDistance", name, value, number, fix)


# === user_distance_argument with Callable, refusal, to_extended, Any, _USER_FIX
def user_distance_argument(
    name: str, value: object, convert: Callable[[Any], Any] = to_extended
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


# === pair_argument with Value, refusal, Any, opendp_lite.base.aliases.Value
def pair_argument(variant: str, name: str, value: Value, fix: str) -> tuple[Any, Any]:
    if not issubclass(type(value), tuple | list) or len(value) != 2:
        raise refusal(variant, name, value, "must be a pair", fix)
    return value[0], value[1]


# === user_at_most with ExactDistance, OpenDPException,
#    opendp_lite.base.aliases.ExactDistance
def user_at_most(value: ExactDistance, limit: ExactDistance) -> bool:
    for each in (value, limit):
        if issubclass(type(each), list | tuple) or _is_written_number(each):
            raise OpenDPException(
                "Unsupported",
                f"a {type(each).__name__} of this kind has no order that a distance "
                "or a loss could have. Compare the map yourself, or let it return "
                "numbers.",
            )
    return bool(value <= limit)


# === _is_written_number with to_extended
def _is_written_number(value: object) -> bool:
    try:
        to_extended(value)
    except (TypeError, ValueError):
        return False
    return issubclass(type(value), str)
