# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measurement; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from functools import partial
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import Distance
from opendp_lite.base.aliases import Loss
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.record import Made
from opendp_lite.core.transformation import check_own
from opendp_lite.core.transformation import check_space
from opendp_lite.core.transformation import invoke_read
from typing import Any
from typing import Literal
import attrs

opendp_lite.core.record.Made.record = attrs.field(default=None, init=False)
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Distance: typing.TypeAlias = object
opendp_lite.base.aliases.Loss: typing.TypeAlias = object


# === Measurement.__attrs_post_init__ with Callable, refusal, Domain, Measure, Metric,
#    Made, check_own, check_space, Any, Literal, attrs,
#    opendp_lite.core.record.Made.record
@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_domain: Domain
    function: Callable[[Any], Any]
    input_metric: Metric
    output_measure: Measure
    privacy_map: Callable[[Any], Any]
    covers_rationals: bool = attrs.field(default=False, kw_only=True)
    interactive: bool = attrs.field(default=False, kw_only=True)
    opens_session: bool = attrs.field(default=False, kw_only=True)
    exclusive: bool = attrs.field(default=False, kw_only=True)
    reads_floats: bool = attrs.field(default=False, kw_only=True)
    lists_floats: int | None = attrs.field(default=None, kw_only=True)
    selects: Literal["highest", "lowest"] | None = attrs.field(
        default=None, kw_only=True
    )
    def __attrs_post_init__(self) -> None:
        check_space(self.input_domain, self.input_metric, "input")
        if not isinstance(self.output_measure, Measure):
            fix = "Pass for example max_divergence()"
            raise refusal(
                "MeasureMismatch",
                "output_measure",
                self.output_measure,
                "must be a Measure",
                fix,
            )
        check_own(self.output_measure)


# === Measurement.invoke with Callable, Data, Domain, Made, invoke_read, Any, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_domain: Domain
    function: Callable[[Any], Any]
    reads_floats: bool = attrs.field(default=False, kw_only=True)
    lists_floats: int | None = attrs.field(default=None, kw_only=True)
    def invoke(self, arg: Data) -> Any:
        if self.reads_floats:
            return invoke_read(self, arg)
        if self.lists_floats is not None:
            return _invoke_listed(self, arg, self.lists_floats)
        if not self.input_domain.member(arg):
            arg = self.input_domain.admitted(arg)
        return self.function(arg)


# === Measurement.__call__ with Callable, Data, Domain, Made, invoke_read, Any, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_domain: Domain
    function: Callable[[Any], Any]
    reads_floats: bool = attrs.field(default=False, kw_only=True)
    lists_floats: int | None = attrs.field(default=None, kw_only=True)
    def __call__(self, arg: Data) -> Any:
        if self.reads_floats:
            return invoke_read(self, arg)
        if self.lists_floats is not None:
            return _invoke_listed(self, arg, self.lists_floats)
        if not self.input_domain.member(arg):
            arg = self.input_domain.admitted(arg)
        return self.function(arg)


# === Measurement.map with Callable, Distance, Measure, Metric, Made, Any, attrs,
#    opendp_lite.base.aliases.Distance
@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_metric: Metric
    output_measure: Measure
    privacy_map: Callable[[Any], Any]
    def map(self, d_in: Distance, *, exact: bool = False) -> Any:
        loss = self.privacy_map(self.input_metric.parse(d_in))
        return self.output_measure.present(loss, exact)


# === Measurement.check with Callable, Distance, Loss, Measure, Metric, Made, Any,
#    attrs, opendp_lite.base.aliases.Distance, opendp_lite.base.aliases.Loss
@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_metric: Metric
    output_measure: Measure
    privacy_map: Callable[[Any], Any]
    def check(self, d_in: Distance, d_out: Loss) -> bool:
        limit = self.output_measure.parse(d_out)
        loss = self.privacy_map(self.input_metric.parse(d_in))
        return self.output_measure.at_most(loss, limit)


# === Measurement.__rshift__ with Made, Any, attrs
@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    def __rshift__(self, other: object) -> Any:
        from opendp_lite.core.chaining import chain_after_measurement

        return chain_after_measurement(self, other)


# === _invoke_listed with Data, Any, opendp_lite.base.aliases.Data
def _invoke_listed(made: Measurement, arg: Data, least: int) -> Any:
    member, taken = made.input_domain.read(arg, least)
    if not member:
        taken = made.input_domain.admitted(arg)
    elif taken is not arg:
        return made.function(taken).tolist()
    return made.function(taken)


# === proved_function with Callable, partial, Any
def proved_function(
    proof: str, function: Callable[..., Any], *arguments: Any
) -> Function:
    made = Function(partial(function, *arguments))
    object.__setattr__(made, "proof", proof)
    return made
