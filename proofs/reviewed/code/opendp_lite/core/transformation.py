# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.transformation; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from collections.abc import Iterable
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Distance
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.features import assert_features
from opendp_lite.base.ownership import Described
from opendp_lite.base.ownership import foreign_part
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.record import Made
from typing import Any
import attrs

opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.core.record.Made.record = attrs.field(default=None, init=False)
opendp_lite.base.aliases.Distance: typing.TypeAlias = object


# === check_own with assert_features, Described, foreign_part
def check_own(part: Described) -> None:
    kind = foreign_part(part)
    if kind is not None:
        what = f"{kind.__name__}, a class of which the library can prove nothing,"
        assert_features("honest-but-curious", what=what)


# === check_space with OpenDPException, Domain, Metric, Any
def check_space(domain: Any, metric: Any, name: str = "input") -> None:
    for part, value, kind in (("domain", domain, Domain), ("metric", metric, Metric)):
        if not isinstance(value, kind):
            raise OpenDPException(
                "MetricSpace",
                f"{name}_{part} is a {type(value).__name__}: must be a "
                f"{kind.__name__}. Pass for example "
                "(vector_domain(atom_domain(T=int)), symmetric_distance()).",
            )
        check_own(value)
    objection = metric.objection(domain)
    if objection is not None:
        raise OpenDPException(
            "MetricSpace",
            f"({domain!r}, {metric!r}) is not a metric space: {metric!r} cannot be "
            f"used here because {objection}. Change the {name} domain or the metric.",
        )


# === invoke_read with Data, Any, opendp_lite.base.aliases.Data
def invoke_read(made: Any, arg: Data) -> Any:
    member, taken = made.input_domain.read(arg)
    if not member:
        taken = made.input_domain.admitted(arg)
    return made.function(taken)


# === Transformation.__attrs_post_init__ with Callable, Iterable, Domain, Metric, Made,
#    Any, attrs, opendp_lite.core.record.Made.record
@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    input_domain: Domain
    output_domain: Domain
    function: Callable[[Any], Any]
    input_metric: Metric
    output_metric: Metric
    stability_map: Callable[[Any], Any]
    by_rows: bool = attrs.field(default=False, kw_only=True)
    merge: Callable[[Iterable[Any]], Any] | None = attrs.field(
        default=None, kw_only=True
    )
    clamps: bool = attrs.field(default=False, kw_only=True)
    absorbs_clamp: bool = attrs.field(default=False, kw_only=True)
    reads_floats: bool = attrs.field(default=False, kw_only=True)
    random: bool = attrs.field(default=False, kw_only=True)
    lower_is_better: bool = attrs.field(default=False, kw_only=True)
    def __attrs_post_init__(self) -> None:
        check_space(self.input_domain, self.input_metric, "input")
        check_space(self.output_domain, self.output_metric, "output")


# === Transformation.invoke with Callable, Data, Domain, Made, Any, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    input_domain: Domain
    function: Callable[[Any], Any]
    reads_floats: bool = attrs.field(default=False, kw_only=True)
    def invoke(self, arg: Data) -> Any:
        if self.reads_floats:
            return invoke_read(self, arg)
        if not self.input_domain.member(arg):
            arg = self.input_domain.admitted(arg)
        return self.function(arg)


# === Transformation.__call__ with Data, Made, Any, attrs, opendp_lite.base.aliases.Data
@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    def __call__(self, arg: Data) -> Any:
        return self.invoke(arg)


# === Transformation.map with Callable, Distance, Metric, Made, Any, attrs,
#    opendp_lite.base.aliases.Distance
@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    input_metric: Metric
    output_metric: Metric
    stability_map: Callable[[Any], Any]
    def map(self, d_in: Distance, *, exact: bool = False) -> Any:
        distance = self.stability_map(self.input_metric.parse(d_in))
        return self.output_metric.present(distance, exact)


# === Transformation.check with Callable, Distance, Metric, Made, Any, attrs,
#    opendp_lite.base.aliases.Distance
@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    input_metric: Metric
    output_metric: Metric
    stability_map: Callable[[Any], Any]
    def check(self, d_in: Distance, d_out: Distance) -> bool:
        limit = self.output_metric.parse(d_out, "d_out")
        distance = self.stability_map(self.input_metric.parse(d_in))
        return self.output_metric.at_most(distance, limit)


# === Transformation.__rshift__ with Made, Any, attrs
@attrs.frozen(eq=False, repr=False)
class Transformation(Made):
    def __rshift__(self, other: object) -> Any:
        from opendp_lite.core.chaining import chain_after_transformation

        return chain_after_transformation(self, other)
