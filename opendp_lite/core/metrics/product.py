"""Distances of tuples: those of the parts, each for itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Data, Distance, ExactDistance, Value
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import Domain
from opendp_lite.core.metrics.metric import Metric

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


_PARTS_FIX = "Pass a list of metrics, such as [l1_distance(T=int), l1_distance(T=int)]"


def _listed(parts: object) -> Any:
    """Return a list as a tuple, which does not change, and leave the rest alone."""
    return tuple(parts) if type(parts) is list else parts


@attrs.frozen(repr=False)
class ProductDistance(Metric):
    """Tuples of distances, one for each part, compared part by part.

    Two tuples are within (d1, d2, ...) if their first parts are within d1, their second
    parts within d2, and so on.
    """

    parts: tuple[Metric, ...] = attrs.field(converter=_listed)

    def __attrs_post_init__(self) -> None:
        if type(self.parts) is not tuple or not self.parts:
            rule = "must be a list that holds at least one metric"
            raise refusal("MetricSpace", "parts", self.parts, rule, _PARTS_FIX)
        for i, part in enumerate(self.parts):
            check_type("MetricSpace", f"parts[{i}]", part, Metric, _PARTS_FIX)

    def distance(self, x: Data, y: Data) -> tuple[Any, ...]:
        """Return the distance of each part."""
        places = zip(self.parts, x, y, strict=True)
        return tuple(part.distance(a, b) for part, a, b in places)

    def within(self, x: Data, y: Data, d: Distance) -> bool:
        """Return whether each part is within its distance."""
        places = zip(self.parts, x, y, self._read(d, "d"), strict=True)
        return all(part.within(a, b, limit) for part, a, b, limit in places)

    def parse(self, d: Value, name: str = "d_in") -> tuple[Any, ...]:
        """Return the distances of the parts as exact numbers."""
        places = enumerate(zip(self.parts, self._read(d, name), strict=True))
        return tuple(part.parse(each, f"{name}[{i}]") for i, (part, each) in places)

    def _read(self, d: Value, name: str) -> tuple[Any, ...]:
        """Return a list or tuple of as many as there are parts, or refuse it."""
        items = tuple(d) if isinstance(d, tuple | list) else ()
        if len(items) != len(self.parts):  # there is at least one
            rule = f"must be {len(self.parts)} distances, one for each part"
            fix = "Pass them as a tuple, in the order of the parts"
            raise refusal("InvalidDistance", name, d, rule, fix)
        return items

    @property
    def distance_type(self) -> str:
        """The type of the tuples, as text."""
        return f"({', '.join(part.distance_type for part in self.parts)})"

    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        """Compare part by part."""
        places = zip(self.parts, d, limit, strict=True)
        return all(part.at_most(a, b) for part, a, b in places)

    def no_promise(self, d: ExactDistance) -> str | None:
        """Return why one of the parts is not protected, or None."""
        reasons = [part.no_promise(x) for part, x in zip(self.parts, d, strict=True)]
        return next(filter(None, reasons), None)

    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        """Return the tuple with each part as a person reads it."""
        places = zip(self.parts, d, strict=True)
        return tuple(part.present(each, exact) for part, each in places)

    def objection(self, domain: Domain) -> str | None:
        """Tuples with as many parts, each of which its metric measures."""
        if domain.opaque:
            return None
        inside = domain.part_domains
        if inside is None:
            return "it compares tuples, so the domain must be a product_domain"
        if len(inside) != len(self.parts):
            return f"it has {len(self.parts)} parts, and the domain {len(inside)}"
        for i, (part, place) in enumerate(zip(self.parts, inside, strict=True)):
            why = part.objection(place)
            if why is not None:
                return f"of part {i}, {part!r} cannot measure {place!r}: {why}"
        return None

    def matches(self, other: Metric) -> bool:
        """Match when the parts do, one by one."""
        return (
            isinstance(other, ProductDistance)
            and len(self.parts) == len(other.parts)
            and all(a.matches(b) for a, b in zip(self.parts, other.parts, strict=True))
        )

    def measured(self, domain: Domain) -> Domain:
        """Return `domain` without NaN where a part does not measure it."""
        inside = domain.part_domains
        if inside is None or len(inside) != len(self.parts):
            return domain
        places = zip(self.parts, inside, strict=True)
        return type(domain)([part.measured(place) for part, place in places])  # type: ignore[call-arg]

    @property
    def measures(self) -> bool:
        """Whether all parts can be asked."""
        return all(part.measures for part in self.parts)

    def distances(self) -> list[Any]:
        """Return tuples that grow in each part."""
        return list(zip(*(part.distances() for part in self.parts), strict=False))

    def no_distances(self) -> list[Any]:
        """Return what is no tuple, and tuples of a wrong length or part."""
        nought = tuple(part.distances()[0] for part in self.parts)
        wrong = [(*nought, 0), nought[1:], *super().no_distances()]
        for i, part in enumerate(self.parts):
            wrong += [(*nought[:i], d, *nought[i + 1 :]) for d in part.no_distances()]
        return wrong

    def near(self, domain: Domain, x: Data) -> SearchStrategy[Any]:
        """Return a strategy of tuples in which parts are near, or the same."""
        from hypothesis import strategies as st

        inside = domain.part_domains
        if inside is None:
            return super().near(domain, x)
        places = zip(self.parts, inside, x, strict=True)
        return st.tuples(*(st.just(v) | part.near(d, v) for part, d, v in places))

    def __repr__(self) -> str:
        return f"ProductDistance([{', '.join(map(repr, self.parts))}])"


def product_distance(parts: Sequence[Metric]) -> ProductDistance:
    """Return the metric of tuples, by the distance of each part.

    :param parts: the metric of each place, at least one

    >>> from opendp_lite.core.metrics.numbers import absolute_distance
    >>> from opendp_lite.core.metrics.numbers import l1_distance
    >>> metric = product_distance([absolute_distance(T=int), l1_distance(T=int)])
    >>> metric.distance((1, [0, 0]), (3, [1, 4]))
    (2, 5)
    >>> metric.within((1, [0, 0]), (3, [1, 4]), (2, 4))
    False
    """
    return ProductDistance(parts)
