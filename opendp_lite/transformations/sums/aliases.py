"""OpenDP's names for sums of bounded numbers: each returns what `make_sum` returns.

There, sums of floats depend on the order of rows and sums of integers may pass the ends
of their type, so that there are many ways to sum. Here a sum is exact, in one way.
"""

from __future__ import annotations

from typing import Any

from opendp_lite.base.aliases import Bounds, ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, VectorDomain
from opendp_lite.core.metrics import InsertDeleteDistance, Metric, SymmetricDistance
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.transformations.sums.summands import check_summation, interval
from opendp_lite.transformations.sums.summing import make_sum

__all__ = [
    "make_bounded_float_checked_sum",
    "make_bounded_float_ordered_sum",
    "make_bounded_int_monotonic_sum",
    "make_bounded_int_ordered_sum",
    "make_bounded_int_split_sum",
    "make_sized_bounded_float_checked_sum",
    "make_sized_bounded_float_ordered_sum",
    "make_sized_bounded_int_checked_sum",
    "make_sized_bounded_int_monotonic_sum",
    "make_sized_bounded_int_ordered_sum",
    "make_sized_bounded_int_split_sum",
]

_VARIANT = "MakeTransformation"


def _public(size: ExactNumber) -> int:
    """Return the number of rows. It must be given: without it another map holds."""
    fix = "Pass the number of rows, or use the sum that has no size in its name"
    return integer_argument(_VARIANT, "size", size, fix=fix, at_least=0)


def _float_sum(
    metric: Metric, bounds: Bounds, S: object, size: ExactNumber | None = None
) -> Transformation:
    """Return the sum of floats, whatever way to sum OpenDP is told."""
    check_summation(S)
    interval("bounds", bounds, float)
    return make_sum(VectorDomain(AtomDomain(bounds, False, float), size), metric)


def _limited_float_sum(
    metric: Metric, size_limit: ExactNumber, bounds: Bounds, S: object
) -> Transformation:
    """Return the sum of floats, of which there may be more than `size_limit`."""
    fix = "Pass any number of rows, such as 1000: all rows are summed"
    integer_argument(_VARIANT, "size_limit", size_limit, fix=fix, at_least=0)
    return _float_sum(metric, bounds, S)


def _int_sum(
    metric: Metric, bounds: Bounds, T: Any, size: ExactNumber | None = None
) -> Transformation:
    """Return the sum of integers, which is a Python int and does not pass any end."""
    interval("bounds", bounds, int)
    kind = int if T is None else T
    if AtomDomain(None, False, kind).T is not int:
        rule, fix = "must be a type of integers", 'Pass int or "i64", or leave T out'
        raise refusal(_VARIANT, "T", T, rule, fix)
    return make_sum(VectorDomain(AtomDomain(bounds, False, kind), size), metric)


def make_bounded_float_checked_sum(
    size_limit: ExactNumber, bounds: Bounds, S: str = "Pairwise<T>"
) -> Transformation:
    """Return `make_sum` of floats within `bounds`.

    :param size_limit: is not needed: all rows are summed, however many there are
    :param bounds: the lower and the upper bound of the rows
    :param S: how OpenDP sums floats; it makes no difference here

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_bounded_float_checked_sum(size_limit=9, bounds=(0.0, 1.0))
    >>> total([0.5, 0.25]), total.map(1)
    (Fraction(3, 4), 1.0)
    """
    return _limited_float_sum(SymmetricDistance(), size_limit, bounds, S)


def make_bounded_float_ordered_sum(
    size_limit: ExactNumber, bounds: Bounds, S: str = "Pairwise<T>"
) -> Transformation:
    """Return `make_sum` of ordered floats within `bounds`.

    :param size_limit: is not needed: all rows are summed, however many there are
    :param bounds: the lower and the upper bound of the rows
    :param S: how OpenDP sums floats; it makes no difference here

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_bounded_float_ordered_sum(size_limit=9, bounds=(0.0, 1.0))
    >>> total([0.5, 0.25]), total.map(1)
    (Fraction(3, 4), 1.0)
    """
    return _limited_float_sum(InsertDeleteDistance(), size_limit, bounds, S)


def make_bounded_int_monotonic_sum(
    bounds: Bounds, T: TypeArgument | None = None
) -> Transformation:
    """Return `make_sum` of integers within `bounds`.

    :param bounds: the lower and the upper bound of the rows
    :param T: type of the rows, such as "i64"; by default any int

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_bounded_int_monotonic_sum(bounds=(0, 10))
    >>> total([3, 4]), total.map(1)
    (7, 10)
    """
    return _int_sum(SymmetricDistance(), bounds, T)


def make_bounded_int_ordered_sum(
    bounds: Bounds, T: TypeArgument | None = None
) -> Transformation:
    """Return `make_sum` of ordered integers within `bounds`.

    :param bounds: the lower and the upper bound of the rows
    :param T: type of the rows, such as "i64"; by default any int

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_bounded_int_ordered_sum(bounds=(0, 10))
    >>> total([3, 4]), total.map(1)
    (7, 10)
    """
    return _int_sum(InsertDeleteDistance(), bounds, T)


def make_bounded_int_split_sum(
    bounds: Bounds, T: TypeArgument | None = None
) -> Transformation:
    """Return `make_sum` of integers within `bounds`.

    :param bounds: the lower and the upper bound of the rows
    :param T: type of the rows, such as "i64"; by default any int

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_bounded_int_split_sum(bounds=(0, 10))
    >>> total([3, 4]), total.map(1)
    (7, 10)
    """
    return _int_sum(SymmetricDistance(), bounds, T)


def make_sized_bounded_float_checked_sum(
    size: ExactNumber, bounds: Bounds, S: str = "Pairwise<T>"
) -> Transformation:
    """Return `make_sum` of floats, of public size, within `bounds`.

    :param size: the number of rows, which is public
    :param bounds: the lower and the upper bound of the rows
    :param S: how OpenDP sums floats; it makes no difference here

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_sized_bounded_float_checked_sum(size=2, bounds=(0.0, 1.0))
    >>> total([0.5, 0.25]), total.map(2)
    (Fraction(3, 4), 1.0)
    """
    return _float_sum(SymmetricDistance(), bounds, S, _public(size))


def make_sized_bounded_float_ordered_sum(
    size: ExactNumber, bounds: Bounds, S: str = "Pairwise<T>"
) -> Transformation:
    """Return `make_sum` of ordered floats, of public size, within `bounds`.

    :param size: the number of rows, which is public
    :param bounds: the lower and the upper bound of the rows
    :param S: how OpenDP sums floats; it makes no difference here

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_sized_bounded_float_ordered_sum(size=2, bounds=(0.0, 1.0))
    >>> total([0.5, 0.25]), total.map(2)
    (Fraction(3, 4), 1.0)
    """
    return _float_sum(InsertDeleteDistance(), bounds, S, _public(size))


def make_sized_bounded_int_checked_sum(
    size: ExactNumber, bounds: Bounds, T: TypeArgument | None = None
) -> Transformation:
    """Return `make_sum` of integers, of public size, within `bounds`.

    :param size: the number of rows, which is public
    :param bounds: the lower and the upper bound of the rows
    :param T: type of the rows, such as "i64"; by default any int

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_sized_bounded_int_checked_sum(size=2, bounds=(0, 10))
    >>> total([3, 4]), total.map(2)
    (7, 10)
    """
    return _int_sum(SymmetricDistance(), bounds, T, _public(size))


def make_sized_bounded_int_monotonic_sum(
    size: ExactNumber, bounds: Bounds, T: TypeArgument | None = None
) -> Transformation:
    """Return `make_sum` of integers, of public size, within `bounds`.

    :param size: the number of rows, which is public
    :param bounds: the lower and the upper bound of the rows
    :param T: type of the rows, such as "i64"; by default any int

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_sized_bounded_int_monotonic_sum(size=2, bounds=(0, 10))
    >>> total([3, 4]), total.map(2)
    (7, 10)
    """
    return _int_sum(SymmetricDistance(), bounds, T, _public(size))


def make_sized_bounded_int_ordered_sum(
    size: ExactNumber, bounds: Bounds, T: TypeArgument | None = None
) -> Transformation:
    """Return `make_sum` of ordered integers, of public size, within `bounds`.

    :param size: the number of rows, which is public
    :param bounds: the lower and the upper bound of the rows
    :param T: type of the rows, such as "i64"; by default any int

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_sized_bounded_int_ordered_sum(size=2, bounds=(0, 10))
    >>> total([3, 4]), total.map(2)
    (7, 10)
    """
    return _int_sum(InsertDeleteDistance(), bounds, T, _public(size))


def make_sized_bounded_int_split_sum(
    size: ExactNumber, bounds: Bounds, T: TypeArgument | None = None
) -> Transformation:
    """Return `make_sum` of integers, of public size, within `bounds`.

    :param size: the number of rows, which is public
    :param bounds: the lower and the upper bound of the rows
    :param T: type of the rows, such as "i64"; by default any int

    >>> import opendp_lite.prelude as dp
    >>> total = dp.t.make_sized_bounded_int_split_sum(size=2, bounds=(0, 10))
    >>> total([3, 4]), total.map(2)
    (7, 10)
    """
    return _int_sum(SymmetricDistance(), bounds, T, _public(size))
