# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.user; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.core.aliases import Distance
from opendp_lite.core.aliases import ExactDistance
from opendp_lite.core.arguments import user_at_most
from opendp_lite.core.arguments import user_distance_argument
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.metric import present_number
from typing import Any
import attrs

opendp_lite.core.aliases.Distance: typing.TypeAlias = object
opendp_lite.core.aliases.ExactDistance: typing.TypeAlias = typing.Any


# === UserDistance.parse with Distance, user_distance_argument, Metric, Any, attrs,
#    opendp_lite.core.aliases.Distance
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def parse(self, d: Distance, name: str = "d_in") -> Any:
        return user_distance_argument(name, d)


# === UserDistance.at_most with ExactDistance, user_at_most, Metric, attrs,
#    opendp_lite.core.aliases.ExactDistance
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        return user_at_most(d, limit)


# === UserDistance.present with mpq, ExactDistance, Metric, present_number, Any, attrs,
#    opendp_lite.core.aliases.ExactDistance
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        return present_number(d, exact) if isinstance(d, int | float | mpq) else d
