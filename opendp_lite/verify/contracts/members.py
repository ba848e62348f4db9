"""Hypothesis strategies: members of a domain, neighbours under a metric, outsiders.

The members are random and extreme: NaN where the domain has it, both zeros,
subnormal and largest floats, infinities, integers past every machine word, empty
data, one row, duplicates, text outside of ASCII. Which they are the domain says
(`Domain.members`, `Domain.extremes`), and what is near to one the metric
(`Metric.near`). Hypothesis is a development dependency and is imported when a function
here is called.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from opendp_lite.core.aliases import Data
from opendp_lite.core.domains import Domain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.values.edge_values import made_once

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["members", "neighbours", "outsiders", "require_hypothesis"]


def require_hypothesis() -> Any:
    """Return the module `hypothesis`, or say how to get it."""
    try:
        import hypothesis
    except ImportError as error:
        raise ImportError(
            "contracts need the package hypothesis: pip install hypothesis"
        ) from error
    return hypothesis


def members(domain: Domain) -> SearchStrategy[Any]:
    """Return a strategy of members of `domain`, random and extreme ones."""
    require_hypothesis()
    return domain.members()


def neighbours(domain: Domain, metric: Metric, x: Data) -> SearchStrategy[Any]:
    """Return a strategy of members of `domain`, mostly near to `x` under `metric`.

    They include `x` itself, members at distance 0 that are not `x` (permutations
    where order does not count), and arbitrary members.
    """
    require_hypothesis()
    kept, arbitrary = partial(_is_member, domain), domain.members()
    near = metric.near(domain, x).filter(kept)
    # Filtered again, a strategy is made anew, and the source of its filters is parsed.
    others = made_once(("neighbours", arbitrary), lambda: arbitrary.filter(kept))
    return near | near | others


def _is_member(domain: Domain, x: Data) -> bool:
    return domain.member(x)


def outsiders(domain: Domain) -> list[Any]:
    """Return values of many types, none a member of `domain` or standing for one.

    There are two of each type, as refusals of one type are compared with each other.
    """
    values: list[Any] = [object(), None, "secret", 3j, {"secret": 1}, ("secret",)]
    values += [object(), "hidden", 4j, {"hidden": 2}, ("hidden", 1), b"hidden", False]
    values += [["secret"], [None], [[1]], [2j], [True, 1], [10**400], 10**400, math.nan]
    values += [[math.nan], [0.5, "secret"], b"secret", True, 0.25, [0.25], -12345]
    values += [-(10**400)]
    values += domain.outside()
    return [value for value in values if not domain.member(domain.received(value))]
