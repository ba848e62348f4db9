# ruff: noqa
# fmt: off
# What was read of opendp_lite.sessions.user; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import DataFunction
from opendp_lite.base.aliases import Distance
from opendp_lite.base.aliases import DistanceMap
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactLoss
from opendp_lite.base.aliases import Loss
from opendp_lite.base.arguments import user_at_most
from opendp_lite.base.arguments import user_distance_argument
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.rationals import to_loss
from opendp_lite.sessions.queryable import Queryable
from typing import Any
import attrs

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Distance: typing.TypeAlias = object
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Loss: typing.TypeAlias = object
opendp_lite.base.aliases.ExactLoss: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.DataFunction: typing.TypeAlias = collections.abc.Callable[[typing.Any], typing.Any]
opendp_lite.base.aliases.DistanceMap: typing.TypeAlias = collections.abc.Callable[[typing.Any], opendp_lite.base.aliases.Distance]
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType


# === UserDomain.member with Callable, Data, Domain, Any, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(repr=False)
class UserDomain(Domain):
    test: Callable[[Any], bool] = attrs.field(eq=False)
    def member(self, value: Data) -> bool:
        try:
            return bool(self.test(value))
        except Exception:
            return False


# === UserDistance.parse with Distance, user_distance_argument, Metric, Any, attrs,
#    opendp_lite.base.aliases.Distance
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def parse(self, d: Distance, name: str = "d_in") -> Any:
        return user_distance_argument(name, d)


# === UserDistance.at_most with ExactDistance, user_at_most, Metric, attrs,
#    opendp_lite.base.aliases.ExactDistance
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def at_most(self, d: ExactDistance, limit: ExactDistance) -> bool:
        return user_at_most(d, limit)


# === UserDistance.present with mpq, ExactDistance, Metric, present_number, Any, attrs,
#    opendp_lite.base.aliases.ExactDistance
@attrs.frozen(repr=False)
class UserDistance(Metric):
    def present(self, d: ExactDistance, exact: bool = False) -> Any:
        return present_number(d, exact) if isinstance(d, int | float | mpq) else d


# === UserDivergence.parse with Loss, user_distance_argument, Measure, to_loss, Any,
#    attrs, opendp_lite.base.aliases.Loss
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def parse(self, loss: Loss, name: str = "d_out") -> Any:
        return user_distance_argument(name, loss, to_loss)


# === UserDivergence.at_most with ExactLoss, user_at_most, Measure, attrs,
#    opendp_lite.base.aliases.ExactLoss
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        return user_at_most(loss, limit)


# === UserDivergence.present with mpq, ExactLoss, Measure, Any, attrs,
#    opendp_lite.base.aliases.ExactLoss
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        numeric = any(type(loss) is each for each in (int, float, mpq))
        return super().present(loss, exact) if numeric else loss


# === make_user_transformation with DataFunction, DistanceMap, ExactDistance, Domain,
#    Metric, Transformation, Any, opendp_lite.base.aliases.Distance,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.DataFunction,
#    opendp_lite.base.aliases.DistanceMap
def make_user_transformation(
    input_domain: Domain,
    input_metric: Metric,
    output_domain: Domain,
    output_metric: Metric,
    function: DataFunction,
    stability_map: DistanceMap,
) -> Transformation:
    _check_callable("MakeTransformation", "function", function)
    _check_callable("MakeTransformation", "stability_map", stability_map)

    def exact_map(d_in: ExactDistance) -> Any:
        d_out = stability_map(input_metric.present(d_in, exact=True))
        return output_metric.parse(d_out, "stability_map(d_in)")

    return Transformation(
        input_domain, output_domain, function, input_metric, output_metric, exact_map
    )


# === make_user_measurement with DataFunction, DistanceMap, ExactDistance, Domain,
#    Measurement, Measure, Metric, TypeArgument, Any, opendp_lite.base.aliases.Distance,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.DataFunction,
#    opendp_lite.base.aliases.DistanceMap, opendp_lite.data.type_arguments.TypeArgument
def make_user_measurement(
    input_domain: Domain,
    input_metric: Metric,
    output_measure: Measure,
    function: DataFunction,
    privacy_map: DistanceMap,
    TO: TypeArgument = "ExtrinsicObject",
) -> Measurement:
    _check_callable("MakeMeasurement", "function", function)
    _check_callable("MakeMeasurement", "privacy_map", privacy_map)

    def exact_map(d_in: ExactDistance) -> Any:
        d_out = privacy_map(input_metric.present(d_in, exact=True))
        return output_measure.parse(d_out, "privacy_map(d_in)")

    return Measurement(
        input_domain,
        function,
        input_metric,
        output_measure,
        exact_map,
        interactive=_goes_on(TO),
    )


# === _goes_on with Queryable, Any
def _goes_on(TO: Any) -> bool:
    if issubclass(type(TO), type):
        return issubclass(TO, Queryable)
    return issubclass(type(TO), str) and TO == "Queryable"


# === _check_callable with refusal
def _check_callable(variant: str, name: str, value: object) -> None:
    if not callable(value):
        raise refusal(variant, name, value, "must be callable", "Pass a function")
