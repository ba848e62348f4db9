"""Edges of bins: exact numbers, with which rows are compared by their values."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from gmpy2 import mpq

from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.errors import refusal
from opendp_lite.exact.grids import ceil_multiple
from opendp_lite.exact.rationals import to_extended, to_fraction
from opendp_lite.exact.rounding import round_up

__all__ = ["check_edges"]

_MAKE = "MakeTransformation"


def check_edges(edges: Iterable[ExactNumber], T: type) -> list[Any]:
    """Return for each edge its cut: the least value of the type that is not below it.

    A row is below the edge exactly if it is below the cut. For rows of integers, and of
    Fractions, an infinity stands for itself. What is refused is shown as one value,
    or not at all: one of the edges may be a row of data.
    """
    fix = "Pass numbers that increase strictly, such as edges=[0, 10, 20]"
    listed = issubclass(type(edges), list | tuple)
    values = list(edges) if listed else []
    if not values:  # proof: some
        rule = "must be a list, a tuple or an array, of at least one number"
        raise refusal(_MAKE, "edges", edges, rule, fix)
    try:
        exact = list(map(to_extended, values))  # proof: exact
    except (TypeError, ValueError):
        rule = "each must be a number, and not NaN"
        raise refusal(_MAKE, "edges", edges, rule, fix) from None
    if any(a >= b for a, b in pairwise(exact)):  # proof: increasing
        raise refusal(_MAKE, "edges", edges, "must be strictly increasing", fix)
    return [_least_value(each, T) for each in exact]  # proof: least


def _least_value(edge: mpq | float, T: type) -> Any:
    """Return the least value of the type, or an infinity, that is not below an edge."""
    if T is float or isinstance(edge, float):  # an infinite edge stays what it is
        return round_up(edge)  # proof: floats
    if T is Fraction:
        return to_fraction(edge)  # proof: fractions
    return ceil_multiple(edge, 0)  # proof: integers
