"""Distances and losses as text: what maps say, exactly, and as a person reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from opendp_lite.core.aliases import ExactDistance, ExactLoss, Value
from opendp_lite.core.errors import OpenDPException, write_number
from opendp_lite.core.explaining.steps import Distance
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.exact.roots import Root

__all__ = ["At", "mapped", "told"]


@attrs.frozen
class At:
    """An exact distance or loss, as maps pass it on, and how it is told."""

    value: Any
    told: Distance


def told(value: ExactDistance | ExactLoss, by: Metric | Measure) -> Distance:
    """Return an exact distance or loss as its metric or measure presents it.

    :param value: exact, as a map returned it
    :param by: what it is a distance or a loss of

    >>> import opendp_lite.prelude as dp
    >>> print(told(dp.max_divergence().parse("1/3"), dp.max_divergence()))
    1/3 <= 0.33333333333333337
    """
    presented = by.present(value, exact=True)
    if callable(presented):
        profile = by.inner_measure != by if isinstance(by, Measure) else False
        return Distance("a profile delta(epsilon)" if profile else "a curve")
    return Distance(_exact(value, presented), _numbers(by.present(value)))


def mapped(
    map_of: Callable[[Any], Any], at: At, by: Metric | Measure
) -> tuple[At | None, str | None]:
    """Return what a map says at a distance; if it raises, a sentence about it.

    :param map_of: the map
    :param at: the distance
    :param by: presents what the map returns
    """
    try:
        value = map_of(at.value)
        return At(value, told(value, by)), None
    except OpenDPException as error:  # in the words of the library
        return None, f"its map says nothing here: {error.message}"
    except Exception as error:  # a map of the user's own
        return None, f"its map raised a {type(error).__name__}"


def _exact(value: ExactDistance, presented: Value) -> str:
    """Return the exact text of a value; a root, which is presented rounded up, too."""
    if type(value) is Root:
        return repr(value)
    if type(value) is tuple and type(presented) is tuple:
        pairs = zip(value, presented, strict=True)
        return f"({', '.join(_exact(*pair) for pair in pairs)})"
    return write_number(presented)


def _numbers(presented: Value) -> Any:
    """Return a number, or a tuple of them; None for what only a user's metric reads."""
    if type(presented) is tuple:
        inside = tuple(map(_numbers, presented))
        return None if None in inside else inside
    return presented if type(presented) in (int, float) else None
