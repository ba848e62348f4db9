# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measurement; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.atom import Domain
from opendp_lite.core.distance import Metric
from opendp_lite.core.errors import refusal
from opendp_lite.core.measure import Measure
from opendp_lite.core.registry import Made
from opendp_lite.core.transformation import check_space
import attrs


# === Measurement.__attrs_post_init__ with Domain, Metric, refusal, Measure, Made,
#    check_space, attrs
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
