"""Checks of constructors' arguments: exact numbers in, clear refusals out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactDistance, Value
from opendp_lite.base.errors import OpenDPException, OpenDPTypeError, refusal
from opendp_lite.base.features import assert_features
from opendp_lite.exact.rationals import to_extended, to_mpq

_USER_FIX = "Pass a number that is not negative, or a value that is no number"


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
    """Return `value` as an exact number within the closed range, or refuse it."""
    try:
        number = convert(value)
    except (TypeError, ValueError) as error:
        raise refusal(variant, name, value, str(error), fix) from None
    if at_least is not None and number < at_least:
        raise refusal(variant, name, value, f"must be at least {at_least}", fix)
    if at_most is not None and number > at_most:
        raise refusal(variant, name, value, f"must be at most {at_most}", fix)
    return number


def integer_argument(
    variant: str,
    name: str,
    value: object,
    *,
    fix: str,
    at_least: int | None = None,
    at_most: int | None = None,
) -> int:
    """Return `value` as an int within the closed range, or refuse it.

    A number of another type is accepted when it is an integer: 3.0 is 3.
    """
    number: mpq = rational_argument(
        variant, name, value, fix=fix, at_least=at_least, at_most=at_most
    )
    return _whole(variant, name, value, number, fix)


def _whole(variant: str, name: str, value: object, number: mpq, fix: str) -> int:
    """Return the number that `value` stands for as an int, or refuse it."""
    if number.denominator != 1:
        raise refusal(variant, name, value, "must be an integer", fix)
    return int(number)


def distance_argument(name: str, value: object, fix: str, *, whole: bool) -> Any:
    """Return a distance: an mpq (an int if `whole`) that is not negative, or inf."""
    number = rational_argument(
        "InvalidDistance", name, value, fix=fix, convert=to_extended, at_least=0
    )
    if not whole or isinstance(number, float):
        return number
    return _whole("InvalidDistance", name, value, number, fix)


def user_distance_argument(
    name: str, value: object, convert: Callable[[Any], Any] = to_extended
) -> Any:
    """Return a distance of the user's own kind: exact and not negative, if a number.

    An int stays an int; text and whatever else is no number is returned as it is.
    """
    if isinstance(value, str):
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


def alpha_argument(alpha: object, below_one: bool = False) -> mpq:
    """Return the level of an accuracy, above 0 and at most 1, or refuse it."""
    fix = "Pass the probability with which noise may be larger, such as alpha=0.05"
    level: mpq = rational_argument(  # proof: number
        "InvalidDistance", "alpha", alpha, fix=fix
    )
    if not 0 < level <= 1:  # proof: range
        rule = "must be above 0 and at most 1"
        raise refusal("InvalidDistance", "alpha", alpha, rule, fix)
    if below_one and level == 1:  # proof: below-one
        rule = "must be below 1: at 1 every scale has every accuracy"
        raise refusal("InvalidDistance", "alpha", alpha, rule, fix)
    return level


def pair_argument(variant: str, name: str, value: Value, fix: str) -> tuple[Any, Any]:
    """Return the two items of a tuple or list of two, or refuse it."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise refusal(variant, name, value, "must be a pair", fix)
    return value[0], value[1]


def check_type(
    variant: str, name: str, value: object, kind: type | tuple[type, ...], fix: str
) -> None:
    """Refuse `value` unless it is an instance of `kind`."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        wanted = " or ".join(each.__name__ for each in kinds)
        rule = f"must be a {wanted}"
        raise refusal(variant, name, value, rule, fix, OpenDPTypeError)


def user_at_most(value: ExactDistance, limit: ExactDistance) -> bool:
    """Return whether a distance of the user's own kind is at most another.

    Numbers are compared as numbers, and all else as its class says: by `<=`, or, where
    a class has only `<`, by this and `==`. Of lists and tuples Python asks only the
    first items that differ, and it takes "10" for less than "9": these are refused.
    """
    for each in (value, limit):
        if isinstance(each, list | tuple) or _is_written_number(each):
            raise OpenDPException(
                "Unsupported",
                f"a {type(each).__name__} of this kind has no order that a distance "
                "or a loss could have. Compare the map yourself, or let it return "
                "numbers.",
            )
    if not _has_order(value, limit):
        return bool(value < limit or value == limit)
    return bool(value <= limit)


def _has_order(value: Any, limit: Any) -> bool:
    """Return whether a class of the two says what `value <= limit` is."""
    silent = vars(object)
    at_most, at_least = type(value).__le__, type(limit).__ge__
    return at_most is not silent["__le__"] or at_least is not silent["__ge__"]


def _is_written_number(value: object) -> bool:
    try:
        to_extended(value)
    except (TypeError, ValueError):
        return False
    return isinstance(value, str)


def check_user_part(variant: str, part: Any, fix: str) -> None:
    """Refuse a domain, metric or measure of the user's own, unless it is allowed.

    That two of one name mean the same, nobody but the user can say.
    """
    assert_features("honest-but-curious", what=type(part).__name__)
    check_type(variant, "identifier", part.identifier, str, fix)
