"""Distances of two maps, key by key: triples (L0, Lp, LInf)."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs

from opendp_lite.base.aliases import Data, Distance, ExactDistance, Value
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain
from opendp_lite.core.metrics.counting import (
    CountingMetric,
)
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import AbsoluteDistance, gap, sum_of_squares
from opendp_lite.data.identity import key
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.roots import root

_INNER = "AbsoluteDistance<"


@attrs.frozen(repr=False)
class _L0PInfDistance(Metric):
    """Triples (L0, Lp, LInf) of the differences of two maps, key by key.

    A missing key has the value 0, but a key that only one map has counts in L0.
    """

    metric: AbsoluteDistance
    p: ClassVar[int]

    def __attrs_post_init__(self) -> None:
        fix = (
            "Pass absolute_distance(T=int). To bound the rows that a person adds to "
            "groups of a table, pass rows= and groups= to Context.table"
        )
        check_type("MetricSpace", "metric", self.metric, AbsoluteDistance, fix)

    @classmethod
    def of_type(cls, T: TypeArgument | None) -> Metric | None:
        """Return the metric of maps to values at distances of type `T`.

        As OpenDP writes it, `T` names the metric of the values: AbsoluteDistance<int>.
        """
        if isinstance(T, str) and T.startswith(_INNER) and T.endswith(">"):
            T = T[len(_INNER) : -1]
        return None if T is None else cls(AbsoluteDistance(T))

    def distance(self, x: Data, y: Data) -> tuple[Any, Any, Any]:
        """Return how many keys differ, the Lp norm and the greatest difference."""
        differing, power, greatest = self._powers(x, y)
        return differing, power if self.p == 1 else root(power), greatest

    def _powers(self, x: Data, y: Data) -> tuple[int, Extended, Extended]:
        """As `distance`, with the Lp norm to the power p, which is exact."""
        left = {key(k): v for k, v in x.items()}
        right = {key(k): v for k, v in y.items()}
        gaps: list[Extended] = []
        differing = 0
        for each in left.keys() | right.keys():
            gaps.append(gap(left.get(each, 0), right.get(each, 0)))
            differing += (each in left) != (each in right) or gaps[-1] != 0
        if math.inf in gaps:
            return differing, math.inf, math.inf
        power = sum(gaps) if self.p == 1 else sum_of_squares(gaps)
        return differing, power, max(gaps, default=0)

    def within(self, x: Data, y: Data, d: Distance) -> bool:
        """Compare the triples part by part (L2 by its square)."""
        l0, lp, linf = self.parse(d, "d")
        limit = lp if self.p == 1 else lp * lp
        return self.at_most(self._powers(x, y), (l0, limit, linf))

    def distances(self) -> list[Any]:
        """Return triples, growing in each part."""
        return [(0, 0, 0), (1, 1, 1), (1, 2, 2), (3, 4, 2), (10, 10**6, 10**6)]

    def no_distances(self) -> list[Any]:
        """Return what is no triple, and triples of what are no distances."""
        wrong = [(math.nan, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1)]
        return [*super().no_distances(), *wrong]

    def parse(self, d: Value, name: str = "d_in") -> tuple[Any, Any, Any]:
        """Return the triple as exact numbers."""
        if not isinstance(d, tuple | list) or len(d) != 3:
            rule = "must be three numbers (L0, Lp, LInf)"
            fix = "Pass for example (1, 1, 1): one key changes, by at most 1"
            raise refusal("InvalidDistance", name, d, rule, fix)
        l0 = CountingMetric().parse(d[0], f"{name}[0]")
        rest = (self.metric.parse(d[i], f"{name}[{i}]") for i in (1, 2))
        return (l0, *rest)

    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        """Compare part by part."""
        return all(a <= b for a, b in zip(d, limit, strict=True))

    def no_promise(self, d: ExactDistance) -> str | None:
        """Return why one of the three numbers protects nobody, or None."""
        return next(filter(None, map(self.metric.no_promise, d)), None)

    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        """Return the triple with each part as a person reads it."""
        return (d[0], *(self.metric.present(part, exact) for part in d[1:]))

    def objection(self, domain: Domain) -> str | None:
        """Maps to numbers without NaN."""
        if domain.opaque:
            return None
        if domain.entry_domain is None:
            return "it compares maps, so the domain must be a map_domain"
        return self.metric.objection(domain.entry_domain)

    @property
    def distance_type(self) -> str:
        """The type of the triples, as text."""
        inner = self.metric.distance_type
        return f"(int, {inner}, {inner})"

    def matches(self, other: Metric) -> bool:
        """Match when the inner metrics do."""
        return type(self) is type(other) and self.metric.matches(other.metric)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.metric!r})"


@attrs.frozen(repr=False)
class L01InfDistance(_L0PInfDistance):
    """Triples (L0, L1, LInf) for maps."""

    p: ClassVar[int] = 1


@attrs.frozen(repr=False)
class L02InfDistance(_L0PInfDistance):
    """Triples (L0, L2, LInf) for maps."""

    p: ClassVar[int] = 2


def l01inf_distance(metric: Metric) -> L01InfDistance:
    """Return the product metric (L0, L1, LInf) for maps.

    :param metric: the absolute_distance of the values

    >>> from opendp_lite.core.metrics.numbers import absolute_distance
    >>> l01inf_distance(absolute_distance(T=int)).distance({"a": 1}, {"b": 2})
    (2, 3, 2)
    """
    return L01InfDistance(metric)  # type: ignore[arg-type]  # the class refuses others


def l02inf_distance(metric: Metric) -> L02InfDistance:
    """Return the product metric (L0, L2, LInf) for maps.

    :param metric: the absolute_distance of the values

    >>> from opendp_lite.core.metrics.numbers import absolute_distance
    >>> l02inf_distance(absolute_distance(T=int)).within({"a": 3}, {"b": 4}, (2, 5, 4))
    True
    """
    return L02InfDistance(metric)  # type: ignore[arg-type]  # the class refuses others
