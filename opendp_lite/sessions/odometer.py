"""Odometers: sessions without a limit, whose loss is read as one goes."""

from __future__ import annotations

import attrs

from opendp_lite.base.aliases import Data
from opendp_lite.core.domains import Domain
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.core.record import Made
from opendp_lite.core.transformation import check_own, check_space
from opendp_lite.sessions.losses import check_adds
from opendp_lite.sessions.session import Session

OdometerQueryable = Session  # as OpenDP calls what an odometer opens


@attrs.frozen(eq=False, repr=False)
class Odometer(Made):
    """Opens sessions without a limit: there is no map, the session tells the loss.

    Whoever decides beforehand never to let `session.privacy_loss(d_in)` exceed a loss
    loses at most that.
    """

    input_domain: Domain
    input_metric: Metric
    output_measure: Measure

    def __attrs_post_init__(self) -> None:
        check_space(self.input_domain, self.input_metric, "input")  # proof: space
        check_adds(self.output_measure)  # proof: measure
        check_own(self.output_measure)

    def invoke(self, arg: Data) -> Session:
        """Check that `arg` is a member of the input domain, and open a session."""
        if not self.input_domain.member(arg):  # proof: member
            arg = self.input_domain.admitted(arg)  # proof: admitted
        return self.function(arg)

    def __call__(self, arg: Data) -> Session:
        """As `invoke`."""
        return self.invoke(arg)

    def function(self, arg: Data) -> Session:
        """Open a session on a member of the input domain, without a check."""
        return Session(arg, self.input_space, self.output_measure)  # proof: session

    @property
    def input_space(self) -> tuple[Domain, Metric]:
        """The input domain and metric."""
        return self.input_domain, self.input_metric

    @property
    def input_carrier_type(self) -> str:
        """The type of the members of the input domain, as text."""
        return self.input_domain.carrier_type

    @property
    def input_distance_type(self) -> str:
        """The type of the distances of the input metric, as text."""
        return self.input_metric.distance_type

    @property
    def output_distance_type(self) -> str:
        """The type of the losses of the output measure, as text."""
        return self.output_measure.distance_type
