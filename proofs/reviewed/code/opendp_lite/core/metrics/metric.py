# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.metrics.metric; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Distance
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.ownership import Described
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.exact.rounding import round_up
from typing import Any

opendp_lite.base.aliases.Distance: typing.TypeAlias = object
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float


# === Metric.parse with Distance, Described, Any, opendp_lite.base.aliases.Distance
class Metric(Described):
    def parse(self, d: Distance, name: str = "d_in") -> Any:
        raise TypeError(f"{type(self).__name__} does not say what its distances are")


# === Metric.at_most with ExactDistance, Described,
#    opendp_lite.base.aliases.ExactDistance
class Metric(Described):
    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        return bool(d <= limit)


# === Metric.present with ExactDistance, Described, Any,
#    opendp_lite.base.aliases.ExactDistance
class Metric(Described):
    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        return present_number(d, exact)


# === Metric.matches with Described
class Metric(Described):
    def matches(self, other: Metric) -> bool:
        return self == other


# === present_number with Extended, to_fraction, round_up, Any,
#    opendp_lite.exact.rationals.Extended
def present_number(d: Extended, exact: bool) -> Any:
    if isinstance(d, int | float):
        return d
    return to_fraction(d) if exact else round_up(d)
