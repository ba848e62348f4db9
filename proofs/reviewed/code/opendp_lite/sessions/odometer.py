# ruff: noqa
# fmt: off
# What was read of opendp_lite.sessions.odometer; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.aliases import Data
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measures.measure import Measure
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.record import Made
from opendp_lite.core.transformation import check_own
from opendp_lite.core.transformation import check_space
from opendp_lite.sessions.losses import check_adds
from opendp_lite.sessions.session import Session
import attrs

opendp_lite.core.record.Made.record = attrs.field(default=None, init=False)
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any


# === Odometer.__attrs_post_init__ with Domain, Measure, Metric, Made, check_own,
#    check_space, check_adds, attrs, opendp_lite.core.record.Made.record
@attrs.frozen(eq=False, repr=False)
class Odometer(Made):
    input_domain: Domain
    input_metric: Metric
    output_measure: Measure
    def __attrs_post_init__(self) -> None:
        check_space(self.input_domain, self.input_metric, "input")
        check_adds(self.output_measure)
        check_own(self.output_measure)


# === Odometer.invoke with Data, Domain, Made, Session, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(eq=False, repr=False)
class Odometer(Made):
    input_domain: Domain
    def invoke(self, arg: Data) -> Session:
        if not self.input_domain.member(arg):
            arg = self.input_domain.admitted(arg)
        return self.function(arg)


# === Odometer.__call__ with Data, Made, Session, attrs, opendp_lite.base.aliases.Data
@attrs.frozen(eq=False, repr=False)
class Odometer(Made):
    def __call__(self, arg: Data) -> Session:
        return self.invoke(arg)


# === Odometer.function with Data, Measure, Made, Session, attrs,
#    opendp_lite.base.aliases.Data
@attrs.frozen(eq=False, repr=False)
class Odometer(Made):
    output_measure: Measure
    def function(self, arg: Data) -> Session:
        return Session(arg, self.input_space, self.output_measure)


# === Odometer.input_space with Domain, Metric, Made, attrs
@attrs.frozen(eq=False, repr=False)
class Odometer(Made):
    input_domain: Domain
    input_metric: Metric
    @property
    def input_space(self) -> tuple[Domain, Metric]:
        return self.input_domain, self.input_metric
