# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.product; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Distance
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import Value
from opendp_lite.base.arguments import check_type
from opendp_lite.base.errors import refusal
from opendp_lite.core.metrics.metric import Metric
from typing import Any
import attrs

_PARTS_FIX = "Pass a list of metrics, such as [l1_distance(T=int), l1_distance(T=int)]"
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Distance: typing.TypeAlias = object
opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any


# === ProductDistance.__attrs_post_init__ with check_type, refusal, Metric, attrs,
#    _PARTS_FIX
@attrs.frozen(repr=False)
class ProductDistance(Metric):
    parts: tuple[Metric, ...] = attrs.field(converter=_listed)
    def __attrs_post_init__(self) -> None:
        if type(self.parts) is not tuple or not self.parts:
            rule = "must be a list that holds at least one metric"
            raise refusal("MetricSpace", "parts", self.parts, rule, _PARTS_FIX)
        for i, part in enumerate(self.parts):
            check_type("MetricSpace", f"parts[{i}]", part, Metric, _PARTS_FIX)


# === ProductDistance.distance with Data, Metric, Any, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class ProductDistance(Metric):
    parts: tuple[Metric, ...] = attrs.field(converter=_listed)
    def distance(self, x: Data, y: Data) -> tuple[Any, ...]:
        places = zip(self.parts, x, y, strict=True)
        return tuple(part.distance(a, b) for part, a, b in places)


# === ProductDistance.within with Data, Distance, Metric, attrs,
#    opendp_lite.base.aliases.Distance, opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class ProductDistance(Metric):
    parts: tuple[Metric, ...] = attrs.field(converter=_listed)
    def within(self, x: Data, y: Data, d: Distance) -> bool:
        places = zip(self.parts, x, y, self._read(d, "d"), strict=True)
        return all(part.within(a, b, limit) for part, a, b, limit in places)


# === ProductDistance.parse with Value, Metric, Any, attrs,
#    opendp_lite.base.aliases.Value
@attrs.frozen(repr=False)
class ProductDistance(Metric):
    parts: tuple[Metric, ...] = attrs.field(converter=_listed)
    def parse(self, d: Value, name: str = "d_in") -> tuple[Any, ...]:
        places = enumerate(zip(self.parts, self._read(d, name), strict=True))
        return tuple(part.parse(each, f"{name}[{i}]") for i, (part, each) in places)


# === ProductDistance._read with Value, refusal, Metric, Any, attrs,
#    opendp_lite.base.aliases.Value
@attrs.frozen(repr=False)
class ProductDistance(Metric):
    parts: tuple[Metric, ...] = attrs.field(converter=_listed)
    def _read(self, d: Value, name: str) -> tuple[Any, ...]:
        items = tuple(d) if issubclass(type(d), tuple | list) else ()
        if len(items) != len(self.parts):
            rule = f"must be {len(self.parts)} distances, one for each part"
            fix = "Pass them as a tuple, in the order of the parts"
            raise refusal("InvalidDistance", name, d, rule, fix)
        return items


# === ProductDistance.at_most with ExactDistance, Metric, attrs,
#    opendp_lite.base.aliases.ExactDistance
@attrs.frozen(repr=False)
class ProductDistance(Metric):
    parts: tuple[Metric, ...] = attrs.field(converter=_listed)
    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        places = zip(self.parts, d, limit, strict=True)
        return all(part.at_most(a, b) for part, a, b in places)


# === ProductDistance.present with ExactDistance, Metric, Any, attrs,
#    opendp_lite.base.aliases.ExactDistance
@attrs.frozen(repr=False)
class ProductDistance(Metric):
    parts: tuple[Metric, ...] = attrs.field(converter=_listed)
    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        places = zip(self.parts, d, strict=True)
        return tuple(part.present(each, exact) for part, each in places)


# === ProductDistance.matches with Metric, attrs
@attrs.frozen(repr=False)
class ProductDistance(Metric):
    parts: tuple[Metric, ...] = attrs.field(converter=_listed)
    def matches(self, other: Metric) -> bool:
        return (
            isinstance(other, ProductDistance)
            and len(self.parts) == len(other.parts)
            and all(a.matches(b) for a, b in zip(self.parts, other.parts, strict=True))
        )
