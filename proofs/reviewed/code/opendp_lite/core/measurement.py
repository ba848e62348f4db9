# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measurement; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.construction import Made
from typing import Any
import attrs


# === Measurement.__attrs_post_init__
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.errors import refusal
from opendp_lite.core.construction import Made
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.transformation import check_own
from opendp_lite.core.transformation import check_space
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_domain: Domain
    input_metric: Metric
    output_measure: Measure
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


# === Measurement.invoke
from collections.abc import Callable
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.construction import Made
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_domain: Domain
    function: Callable[[Any], Any]
    def invoke(self, arg: Any) -> Any:
        if not self.input_domain.member(arg):
            self.input_domain.refuse()
        return self.function(arg)


# === Measurement.__call__
from collections.abc import Callable
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.construction import Made
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_domain: Domain
    function: Callable[[Any], Any]
    def __call__(self, arg: Any) -> Any:
        if not self.input_domain.member(arg):
            self.input_domain.refuse()
        return self.function(arg)


# === Measurement.map
from collections.abc import Callable
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.construction import Made
from opendp_lite.core.measures.measure import Measure
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_metric: Metric
    output_measure: Measure
    privacy_map: Callable[[Any], Any]
    def map(self, d_in: Any, *, exact: bool = False) -> Any:
        loss = self.privacy_map(self.input_metric.parse(d_in))
        return self.output_measure.present(loss, exact)


# === Measurement.check
from collections.abc import Callable
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.construction import Made
from opendp_lite.core.measures.measure import Measure
from typing import Any
import attrs

@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    input_metric: Metric
    output_measure: Measure
    privacy_map: Callable[[Any], Any]
    def check(self, d_in: Any, d_out: Any) -> bool:
        limit = self.output_measure.parse(d_out)
        loss = self.privacy_map(self.input_metric.parse(d_in))
        return self.output_measure.at_most(loss, limit)


# === Measurement.__rshift__ with Made, Any, attrs
@attrs.frozen(eq=False, repr=False)
class Measurement(Made):
    def __rshift__(self, other: Any) -> Any:
        from opendp_lite.core.chaining import chain_after_measurement

        return chain_after_measurement(self, other)
