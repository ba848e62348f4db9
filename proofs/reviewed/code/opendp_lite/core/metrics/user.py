# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.user; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.core.arguments import user_at_most
from opendp_lite.core.arguments import user_distance_argument
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.metric import present_number
from typing import Any
import attrs


# === UserDistance.parse with user_distance_argument, Metric, Any, attrs
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def parse(self, d: Any, name: str = "d_in") -> Any:
        return user_distance_argument(name, d)


# === UserDistance.at_most with user_at_most, Metric, Any, attrs
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def at_most(self, d: Any, limit: Any) -> bool:
        return user_at_most(d, limit)


# === UserDistance.present with mpq, Metric, present_number, Any, attrs
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def present(self, d: Any, exact: bool = False) -> Any:
        return present_number(d, exact) if isinstance(d, int | float | mpq) else d
